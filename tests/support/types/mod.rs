//! Rows of types: the claims of the chapter *Will my type work?* for each format, and the results.
//!
//! The crate's own tests mount this folder for the types of std and serde's attributes, and the package
//! `types` for those and for the types of other crates.

mod attributes;
mod std_types;

use std::fmt::{Debug, Write as _};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Collects the rows.
pub(crate) trait Rows {
    /// Begins a group of rows.
    fn group(&mut self, name: &'static str);

    /// Some values of a type.
    fn row<T>(&mut self, name: &'static str, values: Vec<T>)
    where
        T: Serialize + DeserializeOwned + PartialEq + Debug + 'static;

    /// Some values of a type that borrows from the input.
    fn borrowed<T>(&mut self, name: &'static str, values: Vec<T>)
    where
        T: Serialize + Deserialize<'static> + PartialEq + Debug + 'static;

    /// The values of the row before with a mark of one format.
    fn marked<T>(&mut self, _format: &'static str, _mark: &'static str, _values: Vec<T>)
    where
        T: Serialize + DeserializeOwned + PartialEq + Debug + 'static,
    {
    }
}

/// The types of std, and serde's attributes.
pub(crate) fn rows(rows: &mut impl Rows) {
    std_types::rows(rows);
    attributes::rows(rows);
}

/// The result for a value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outcome {
    Equal,
    Unwritten(String),
    Unread(String),
    Different(String),
    Panicked(String),
}

/// How a format writes and reads a type.
pub(crate) struct Way<T> {
    pub(crate) write: fn(&T) -> Result<Vec<u8>, String>,
    pub(crate) read: fn(&'static [u8]) -> Result<T, String>,
}

/// Whether two values are equal. Values that are not equal to themselves (NaN) are compared by their `Debug` text.
#[allow(clippy::eq_op, reason = "NaN")]
pub(crate) fn equal<T: PartialEq + Debug>(one: &T, other: &T) -> bool {
    one == other || (one != one && format!("{one:?}") == format!("{other:?}"))
}

/// Writes a value and reads it again.
pub(crate) fn outcome<T: Debug>(value: &T, way: &Way<T>, same: fn(&T, &T) -> bool) -> Outcome {
    let tried = catch_unwind(AssertUnwindSafe(|| {
        let bytes = match (way.write)(value) {
            Ok(bytes) => bytes,
            Err(error) => return Outcome::Unwritten(error),
        };
        // Types that borrow are read like any other: some kilobytes are never freed.
        match (way.read)(bytes.leak()) {
            Ok(back) if same(value, &back) => Outcome::Equal,
            Ok(back) => Outcome::Different(format!("{back:?}")),
            Err(error) => Outcome::Unread(error),
        }
    }));
    tried.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|&text| text.to_owned()));
        Outcome::Panicked(text.unwrap_or_default())
    })
}

/// The results of a row in one format, without or with a mark.
pub(crate) struct Tried {
    pub(crate) mark: &'static str,
    pub(crate) values: Vec<(String, Outcome)>,
}

/// The text of the chapter for a row in one format.
pub(crate) fn cell(tried: &[Tried]) -> String {
    let works = |tried: &&Tried| tried.values.iter().all(|(_, outcome)| *outcome == Outcome::Equal);
    if let Some(tried) = tried.iter().find(works) {
        return match tried.mark {
            "" => "always".into(),
            mark => format!("always, with {mark}"),
        };
    }
    let Some(plain) = tried.first() else { return "never".into() };
    let bad = |(_, outcome): &&(String, Outcome)| *outcome != Outcome::Equal;
    // Values that changed are reported first.
    let silent = |(_, outcome): &&(String, Outcome)| matches!(outcome, Outcome::Different(_));
    let first = plain.values.iter().find(silent).or_else(|| plain.values.iter().find(bad));
    let Some((value, outcome)) = first else { return "never".into() };
    let which = match plain.values.iter().filter(bad).count() {
        count if count == plain.values.len() => "never".into(),
        _ => format!("some values, not {}", quote(value, 40)),
    };
    let reason = match outcome {
        Outcome::Equal => String::new(),
        Outcome::Unwritten(error) => format!("refused when written: {}", reason(error)),
        Outcome::Unread(error) => format!("refused when read: {}", reason(error)),
        Outcome::Different(_) => "**comes back as another value**".into(),
        Outcome::Panicked(_) => "**panics**".into(),
    };
    format!("{which}, {reason}")
}

/// The first characters of a text.
fn shorten(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.into(),
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
    }
}

/// Errors of many rows, and their short text in a table.
const REASONS: [(&str, &str); 5] = [
    ("describe itself", "the type needs a self-describing format"),
    ("not self-describing", "the type needs a self-describing format"),
    ("unknown field name", "the type needs names (`Options::names`)"),
    ("unknown length", "its length is not known beforehand"),
    ("is skipped", "nothing would show that the field is missing"),
];

/// A short form of an error for a table, without path, offset and hint.
fn reason(error: &str) -> String {
    if let Some((_, reason)) = REASONS.iter().find(|(part, _)| error.contains(part)) {
        return (*reason).into();
    }
    let error = error.split_once("; ").map_or(error, |(text, _)| text);
    let error = error.rsplit_once(" at byte ").map_or(error, |(text, _)| text);
    quote(error, 100)
}

/// The first characters of a text as code in a table.
pub(crate) fn quote(text: &str, most: usize) -> String {
    let text = shorten(text, most).replace(['\n', '\r'], " ");
    format!("`{}`", text.replace('`', "'").replace('|', "\\|"))
}

/// Whether a page has `text` between the lines `<!-- NAME: begin -->` and `<!-- NAME: end -->`.
///
/// With `update`, the text is written there. Otherwise the error shows the lines that differ.
pub(crate) fn check_page(page: &Path, name: &str, text: &str, update: bool) -> Result<(), String> {
    let whole = fs::read_to_string(page).map_err(|error| error.to_string())?;
    let (begin, end) = (format!("<!-- {name}: begin -->\n"), format!("<!-- {name}: end -->"));
    let (head, rest) = whole.split_once(&begin).ok_or("no line where the rows begin")?;
    let (current, tail) = rest.split_once(&end).ok_or("no line where the rows end")?;
    if update {
        let whole = format!("{head}{begin}{text}{end}{tail}");
        return fs::write(page, whole).map_err(|error| error.to_string());
    }
    if current == text {
        return Ok(());
    }
    let mut wrong = format!("{} is out of step:\n", page.display());
    for line in current.lines().filter(|line| !text.lines().any(|other| other == *line)) {
        let _ = writeln!(wrong, "in the page: {line}");
    }
    for line in text.lines().filter(|line| !current.lines().any(|other| other == *line)) {
        let _ = writeln!(wrong, "expected:    {line}");
    }
    Err(wrong)
}

/// A table of the page.
#[derive(Default)]
pub(crate) struct Table(String);

impl Table {
    /// A heading, and the head of the rows below.
    pub(crate) fn group(&mut self, name: &str, formats: &[&str]) {
        let line = if self.0.is_empty() { "" } else { "\n" };
        let _ = writeln!(self.0, "{line}### {name}\n");
        let _ = writeln!(self.0, "| | {} |", formats.join(" | "));
        let _ = writeln!(self.0, "|---|{}", "---|".repeat(formats.len()));
    }

    /// A row.
    pub(crate) fn row(&mut self, name: &str, cells: &[String]) {
        let _ = writeln!(self.0, "| {name} | {} |", cells.join(" | "));
    }

    /// The Markdown.
    pub(crate) fn text(&self) -> &str {
        &self.0
    }
}
