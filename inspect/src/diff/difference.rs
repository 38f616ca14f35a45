//! Differences, and their output as lines or JSON.

use std::fmt;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use serde_json::{Map, Value, json};

use super::numbers::Apart;
use crate::write::plain::{OneLine, write_json_lines};

/// Who reads the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// A person: one line per difference, and long values are shortened.
    Person,
    /// A program: JSON, with complete text and bytes.
    Program,
}

/// A difference, and its path.
#[derive(Clone, Debug)]
pub struct Difference {
    pub path: String,
    pub change: Change,
}

/// The kind of a difference.
#[derive(Clone, Debug)]
pub enum Change {
    /// Only in the old file.
    Removed(String),
    /// Only in the new file.
    Added(String),
    /// Different values.
    Changed {
        /// In the old file.
        old: String,
        /// In the new file.
        new: String,
    },
    /// Tensors of the same type and shape with different elements.
    Elements {
        /// Type and shape.
        what: String,
        /// How much the elements differ.
        apart: Apart,
    },
}

impl Difference {
    pub fn removed(path: impl Into<String>, old: impl fmt::Display) -> Self {
        Difference { path: path.into(), change: Change::Removed(old.to_string()) }
    }

    pub fn added(path: impl Into<String>, new: impl fmt::Display) -> Self {
        Difference { path: path.into(), change: Change::Added(new.to_string()) }
    }

    pub fn changed(
        path: impl Into<String>,
        old: impl fmt::Display,
        new: impl fmt::Display,
    ) -> Self {
        let change = Change::Changed { old: old.to_string(), new: new.to_string() };
        Difference { path: path.into(), change }
    }

    fn sign(&self) -> (char, AnsiColor) {
        match self.change {
            Change::Removed(_) => ('-', AnsiColor::Red),
            Change::Added(_) => ('+', AnsiColor::Green),
            Change::Changed { .. } | Change::Elements { .. } => ('~', AnsiColor::Yellow),
        }
    }

    fn line(&self, out: &mut dyn Write) -> io::Result<()> {
        let (sign, color) = self.sign();
        let style = Style::new().fg_color(Some(color.into()));
        let path = OneLine(&self.path);
        write!(out, "{style}{sign} {path}{style:#}: ")?;
        match &self.change {
            Change::Removed(what) | Change::Added(what) => writeln!(out, "{}", OneLine(what)),
            Change::Changed { old, new } => writeln!(out, "{} → {}", OneLine(old), OneLine(new)),
            Change::Elements { what, apart } => writeln!(out, "{what}, {apart}"),
        }
    }

    fn to_json(&self) -> Value {
        let mut object = Map::new();
        object.insert("path".into(), json!(self.path));
        let (kind, old, new) = match &self.change {
            Change::Removed(old) => ("removed", Some(old), None),
            Change::Added(new) => ("added", None, Some(new)),
            Change::Changed { old, new } => ("changed", Some(old), Some(new)),
            Change::Elements { .. } => ("changed", None, None),
        };
        object.insert("kind".into(), json!(kind));
        object.extend(old.map(|old| ("old".to_owned(), json!(old))));
        object.extend(new.map(|new| ("new".to_owned(), json!(new))));
        if let Change::Elements { what, apart } = &self.change {
            object.insert("tensor".into(), json!(what));
            object.extend(apart.to_json());
        }
        Value::Object(object)
    }
}

/// Writes all differences.
///
/// # Errors
///
/// Those of the writer.
pub fn write(out: &mut dyn Write, differences: &[Difference], reader: Reader) -> io::Result<()> {
    match reader {
        Reader::Person => differences.iter().try_for_each(|difference| difference.line(out)),
        Reader::Program => {
            let list: Vec<Value> = differences.iter().map(Difference::to_json).collect();
            let document = json!({ "equal": differences.is_empty(), "differences": list });
            write_json_lines(out, &document)?;
            writeln!(out)
        }
    }
}
