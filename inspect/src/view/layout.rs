//! A view before it is broken into lines: words, lists and labels, like OCaml's Easy_format.

use super::printer::{Fill, Printer};

/// An element of a view.
pub(super) enum Layout {
    /// Never broken.
    Word(String),
    /// `[ a, b ]`
    Brackets(Vec<Layout>),
    /// `{ a, b }`
    Braces(Vec<Layout>),
    /// `(a, b)`
    Parentheses(Vec<Layout>),
    /// `<a>`
    Angles(Box<Layout>),
    /// `label a`
    Labelled(String, Box<Layout>),
}

impl Layout {
    pub(super) fn angles(inner: Layout) -> Self {
        Layout::Angles(Box::new(inner))
    }

    pub(super) fn labelled(self, label: String) -> Self {
        Layout::Labelled(label, Box::new(self))
    }

    /// Breaks it into lines.
    pub(super) fn print(&self) -> String {
        let mut printer = Printer::new();
        self.feed(&mut printer);
        printer.finish()
    }

    fn feed<'a>(&'a self, printer: &mut Printer<'a>) {
        match self {
            Layout::Word(word) => printer.text(word),
            Layout::Brackets(items) => aligned(None, "[", items, "]", printer),
            Layout::Braces(items) => aligned(None, "{", items, "}", printer),
            Layout::Parentheses(items) => {
                printer.text("(");
                if !items.is_empty() {
                    let fill = if all_words(items) { Fill::Full } else { Fill::One };
                    printer.open(fill, 0);
                    separated(items, printer);
                    printer.close();
                }
                printer.text(")");
            }
            Layout::Angles(inner) => {
                printer.text("<");
                printer.open(Fill::One, 0);
                inner.feed(printer);
                printer.close();
                printer.text(">");
            }
            Layout::Labelled(label, inner) => inner.feed_labelled(label, printer),
        }
    }

    /// An opening bracket stays on the line of its label; anything else may go to the next.
    fn feed_labelled<'a>(&'a self, label: &'a str, printer: &mut Printer<'a>) {
        match self {
            Layout::Brackets(items) => aligned(Some(label), "[", items, "]", printer),
            Layout::Braces(items) => aligned(Some(label), "{", items, "}", printer),
            inner => {
                printer.open(Fill::One, 0);
                printer.text(label);
                printer.space(2);
                inner.feed(printer);
                printer.close();
            }
        }
    }
}

/// How far items are indented from their brackets.
const INDENT: isize = 2;

/// A list whose closing bracket, if it has a line of its own, is below the start of the label.
fn aligned<'a>(
    label: Option<&'a str>,
    open: &'static str,
    items: &'a [Layout],
    close: &'static str,
    printer: &mut Printer<'a>,
) {
    if items.is_empty() {
        label_of(label, printer);
        printer.text(open);
        printer.text(" ");
        printer.text(close);
        return;
    }

    printer.open(Fill::One, INDENT);
    label_of(label, printer);
    printer.text(open);
    printer.space(0);
    // Words fill lines; other items have one each.
    if all_words(items) {
        printer.open(Fill::Full, 0);
        separated(items, printer);
        printer.close();
    } else {
        separated(items, printer);
    }
    printer.space(-INDENT);
    printer.text(close);
    printer.close();
}

fn label_of<'a>(label: Option<&'a str>, printer: &mut Printer<'a>) {
    if let Some(label) = label {
        printer.text(label);
        printer.text(" ");
    }
}

fn all_words(items: &[Layout]) -> bool {
    items.iter().all(|item| matches!(item, Layout::Word(_)))
}

fn separated<'a>(items: &'a [Layout], printer: &mut Printer<'a>) {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            printer.text(",");
            printer.space(0);
        }
        item.feed(printer);
    }
}
