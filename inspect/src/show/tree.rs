//! Parts for people: indented, one line per field. Very deep parts are JSON on the line of their name.

use std::fmt::Write as _;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use super::json::{MOST_INDENT, flat};
use super::lines;
use crate::model::{Part, Tensor, float};
use crate::write::hex;
use crate::write::width::{Blanks, columns};

/// Maximum number of columns of a list of texts, and of numbers in a list, that are on one line; on a terminal, the
/// width of the terminal.
const SHORT: usize = 72;

const NAME: Style = AnsiColor::Cyan.on_default();

pub fn write(
    part: &Part<'_>,
    most: usize,
    width: Option<usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut tree = Tree { out, most, width };
    match parts(part, most, tree.width_left(0)) {
        // A file needs no label if its parts have some.
        Parts::Of(words, part) if words.is_empty() => tree.children(part, 0),
        Parts::Of(words, part) => {
            writeln!(tree.out, "{words}")?;
            tree.children(part, 1)
        }
        Parts::None(text) => writeln!(tree.out, "{text}"),
    }
}

struct Tree<'w> {
    out: &'w mut dyn Write,
    most: usize,
    width: Option<usize>,
}

/// What is on the line of a part, and what is below.
enum Parts<'p, 'a> {
    None(String),
    /// The part is a list or has fields.
    Of(String, &'p Part<'a>),
}

impl Tree<'_> {
    /// The number of columns that are left.
    fn width_left(&self, used: usize) -> usize {
        self.width.map_or(SHORT, |width| width.saturating_sub(used))
    }

    /// A line or more for each item of a list, or each field.
    fn children(&mut self, part: &Part<'_>, level: usize) -> io::Result<()> {
        let at = |index| format!("[{index}]");
        match part {
            Part::List(items) => (0..)
                .zip(items)
                .try_for_each(|(index, item): (usize, _)| self.child(&at(index), item, level)),
            Part::Items(items) => (0..)
                .zip(items.iter())
                .try_for_each(|(index, item): (usize, _)| self.child(&at(index), &item, level)),
            Part::Map(fields) => {
                fields.iter().try_for_each(|(key, part)| self.child(&name(key), part, level))
            }
            _ => Ok(()),
        }
    }

    fn child(&mut self, name: &str, part: &Part<'_>, level: usize) -> io::Result<()> {
        let indent = level * 2;
        write!(self.out, "{}{NAME}{name}{NAME:#}:", Blanks(indent))?;
        match parts(part, self.most, self.width_left(indent + columns(name) + 2)) {
            Parts::None(text) => writeln!(self.out, " {text}"),
            // The indentation of many levels would be longer than the text.
            Parts::Of(..) if indent >= MOST_INDENT => {
                self.out.write_all(b" ")?;
                lines::on_a_line(part, self.most, self.out)?;
                self.out.write_all(b"\n")
            }
            Parts::Of(words, part) => {
                let space = if words.is_empty() { "" } else { " " };
                writeln!(self.out, "{space}{words}")?;
                self.children(part, level + 1)
            }
        }
    }
}

fn parts<'p, 'a>(part: &'p Part<'a>, most: usize, width: usize) -> Parts<'p, 'a> {
    let (mut words, part) = match heading(part) {
        (words, Some(part)) => (words, part),
        (words, None) => return Parts::None(words),
    };
    if let Some(text) = short(part, width) {
        return Parts::None(joined(words, &text));
    }
    match part {
        Part::List(_) | Part::Items(_) | Part::Map(_) => Parts::Of(words, part),
        Part::Tensor(tensor) => {
            words = joined(words, &shown(tensor, most));
            // The type and shape of a tensor are in its title.
            Parts::None(words)
        }
        _ => Parts::None(words),
    }
}

/// The description of a form, and its content.
fn heading<'p, 'a>(mut part: &'p Part<'a>) -> (String, Option<&'p Part<'a>>) {
    let mut words = String::new();
    while let Some((form, inner)) = part.as_form() {
        let form = form.trim_start_matches('$');
        let (word, next) = match (form, inner) {
            ("variant" | "num_variant" | "shared" | "overlong", Part::List(pair)) => {
                match pair.as_slice() {
                    [which, value] => (form_words(form, which, "Some"), value),
                    _ => (form.into(), inner),
                }
            }
            ("variant" | "num_variant" | "reference", which) => {
                return (joined(words, &form_words(form, which, "None")), None);
            }
            _ => (form.to_owned(), inner),
        };
        words = joined(words, &word);
        part = next;
    }
    (words, Some(part))
}

/// A variant, or the index of a shared value, as OCaml's `view` writes it.
fn form_words(form: &str, which: &Part<'_>, option: &str) -> String {
    let which = match which {
        Part::Text(text) => name(text),
        part => flat(part),
    };
    match form {
        "variant" => format!("<{which}>"),
        "num_variant" if which == "0" => option.into(),
        "num_variant" => format!("{option}{which}"),
        "shared" => format!("shared{which} ->"),
        "reference" => format!("shared{which}"),
        _ => format!("{form}{which}"),
    }
}

fn joined(words: String, word: &str) -> String {
    match (words.is_empty(), word.is_empty()) {
        (true, _) => word.to_owned(),
        (_, true) => words,
        _ => format!("{words} {word}"),
    }
}

/// Names that could be mistaken for something else are quoted.
fn name(name: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "_-#.$/:<>+* ".contains(letter);
    match !name.is_empty() && name.trim() == name && name.chars().all(is_plain) {
        true => name.to_owned(),
        false => format!("{name:?}"),
    }
}

/// A short value, on the line of its name.
fn short(part: &Part<'_>, width: usize) -> Option<String> {
    Some(match part {
        Part::Null => "null".into(),
        // Control characters are escaped, so that they do not act on a terminal.
        Part::Text(text) => format!("{text:?}"),
        Part::Hex(bytes) => format!("\"0x{}\"", hex::digits(bytes)),
        Part::List(items) if items.is_empty() => "[]".into(),
        Part::Map(fields) if fields.is_empty() => "{}".into(),
        Part::List(items) if items.len() <= SHORT && items.iter().all(Part::is_scalar) => {
            return scalars(items, width);
        }
        Part::Items(items) if items.len() <= SHORT => {
            let items: Vec<Part<'_>> = items.iter().collect();
            match items.as_slice() {
                [] => "[]".into(),
                items if items.iter().all(Part::is_scalar) => return scalars(items, width),
                _ => return None,
            }
        }
        Part::List(_) | Part::Items(_) | Part::Map(_) | Part::Tensor(_) => return None,
        Part::Float64(float) if !float.is_finite() => float::text(*float).unwrap_or_default(),
        number => flat(number),
    })
}

/// A list of scalars on one line, if it is not too long.
fn scalars(items: &[Part<'_>], width: usize) -> Option<String> {
    let is_text = items.iter().any(|item| matches!(item, Part::Text(_) | Part::Hex(_)));
    let items: Option<Vec<_>> = items.iter().map(|item| short(item, width)).collect();
    let line = format!("[{}]", items?.join(", "));
    (!is_text || columns(&line) <= width).then_some(line)
}

/// A tensor on one line: its elements, or a summary of them.
fn shown(tensor: &Tensor<'_>, most: usize) -> String {
    let mut text = tensor.title.clone();
    if tensor.elements.count() <= most {
        if !text.is_empty() {
            text.push_str(": ");
        }
        let elements: Vec<String> = tensor.elements.iter().map(|part| flat(&part)).collect();
        text.push_str(&elements.join(", "));
        return text.trim_end_matches([':', ' ']).to_owned();
    }
    for (index, (name, part)) in tensor.elements.summary().into_iter().enumerate() {
        let colon = if index == 0 { ":" } else { "," };
        let _ = match &*name {
            "count" => write!(text, "{colon} {} elements", flat(&part)),
            "nan" => write!(text, "{colon} {} NaN", flat(&part)),
            name => write!(text, "{colon} {name} {}", flat(&part)),
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_indented_up_to_some_width() {
        let nested = |part| Part::Map(vec![("a".into(), part)]);
        let text = Part::Text("b".into());
        let part = nested(nested(Part::List(vec![text, nested(Part::Float64(f64::NAN))])));
        let lines = |level| {
            let mut out = Vec::new();
            Tree { out: &mut out, most: 0, width: None }.children(&part, level).unwrap();
            String::from_utf8(out).unwrap()
        };
        let deepest = MOST_INDENT / 2;
        let a = format!("{NAME}a{NAME:#}");
        let [around, blanks] = [deepest - 1, deepest].map(|level| " ".repeat(level * 2));
        let json = r#"["b",{"a":"nan"}]"#;
        assert_eq!(lines(deepest - 1), format!("{around}{a}:\n{blanks}{a}: {json}\n"));
        assert_eq!(lines(deepest), format!("{blanks}{a}: {{\"a\":{json}}}\n"));
    }
}
