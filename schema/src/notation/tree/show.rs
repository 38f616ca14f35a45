//! Trees as text, and for serde.

use std::fmt;

use serde_core::ser::{Serialize, SerializeMap, Serializer};

use super::{Scalars, Tree, Value};
use crate::notation::Builtin;

/// How many numbers of an array are shown.
const MOST_NUMBERS: usize = 16;

/// How many characters of a text are shown.
const MOST_CHARACTERS: usize = 64;

/// One value a line, the parts of a value below it and further in. `{:#}` adds where they are.
///
/// ```
/// use fourfold_schema::notation::Notation;
///
/// let notation = Notation::parse("<int8:n><[<char8*2:name><float:x>]*$n:points>")?;
/// let tree = notation.decode(b"\x01up\0\0\xc0\x3f")?;
/// let text = "\
/// n: 1
/// points: 1 item
///   [0]:
///     name: \"up\"
///     x: 1.5
/// ";
/// assert_eq!(tree.to_string(), text);
/// assert!(format!("{tree:#}").contains("    x: 1.5 @ 3..7\n"));
/// # Ok::<(), fourfold_schema::notation::Error>(())
/// ```
impl fmt::Display for Tree<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            // The outermost value has no name.
            Value::Struct(_) | Value::Array(_) => self.parts(f, 0),
            _ => self.scalar(f),
        }
    }
}

impl Tree<'_> {
    /// What follows the name of a value: to the end of its line, and all below it.
    fn named(&self, f: &mut fmt::Formatter<'_>, level: usize) -> fmt::Result {
        match &self.value {
            Value::Struct(_) => self.end_line(f)?,
            Value::Array(items) => {
                let plural = if items.len() == 1 { "" } else { "s" };
                write!(f, " {} item{plural}", items.len())?;
                self.end_line(f)?;
            }
            _ => {
                f.write_str(" ")?;
                self.scalar(f)?;
                self.end_line(f)?;
            }
        }
        self.parts(f, level + 1)
    }

    fn parts(&self, f: &mut fmt::Formatter<'_>, level: usize) -> fmt::Result {
        match &self.value {
            Value::Struct(parts) => {
                for (name, value) in parts.iter() {
                    write!(f, "{:1$}{name}:", "", 2 * level)?;
                    value.named(f, level)?;
                }
            }
            Value::Array(items) => {
                for (index, value) in items.iter().enumerate() {
                    write!(f, "{:1$}[{index}]:", "", 2 * level)?;
                    value.named(f, level)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn scalar(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Value::Int(int) => write!(f, "{int}"),
            Value::Float32(float) => write!(f, "{float:?}"),
            Value::Float64(float) => write!(f, "{float:?}"),
            Value::Scalars(array) => fmt::Display::fmt(array, f),
            Value::Array(_) | Value::Struct(_) => Ok(()),
        }
    }

    fn end_line(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.range {
            Some(range) if f.alternate() => writeln!(f, " @ {}..{}", range.start, range.end),
            _ => writeln!(f),
        }
    }
}

/// A text in quotes, bytes as hexadecimal digits, numbers in brackets; of long ones the beginning.
impl fmt::Display for Scalars<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(text) = self.as_str() {
            return match text.char_indices().nth(MOST_CHARACTERS) {
                None => write!(f, "{text:?}"),
                Some((end, _)) => {
                    let (shown, _) = text.split_at_checked(end).unwrap_or((text, ""));
                    write!(f, "{shown:?}.. {} bytes", text.len())
                }
            };
        }
        if self.is_bytes() {
            let plural = if self.len() == 1 { "" } else { "s" };
            write!(f, "{} byte{plural}", self.len())?;
            for byte in self.bytes().iter().take(MOST_NUMBERS) {
                write!(f, " {byte:02x}")?;
            }
            return f.write_str(if self.len() > MOST_NUMBERS { " .." } else { "" });
        }
        f.write_str("[")?;
        for (index, item) in self.iter().take(MOST_NUMBERS).enumerate() {
            f.write_str(if index == 0 { "" } else { ", " })?;
            Tree::from(item).scalar(f)?;
        }
        match self.len() {
            len if len > MOST_NUMBERS => write!(f, ", ..] {len} items"),
            _ => f.write_str("]"),
        }
    }
}

impl Serialize for Tree<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Int(int) => serializer.serialize_i64(*int),
            Value::Float32(float) => serializer.serialize_f32(*float),
            Value::Float64(float) => serializer.serialize_f64(*float),
            Value::Scalars(array) => array.serialize(serializer),
            Value::Array(items) => serializer.collect_seq(items),
            Value::Struct(parts) => {
                let mut map = serializer.serialize_map(Some(parts.values().len()))?;
                for (name, value) in parts.iter() {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
        }
    }
}

impl Serialize for Scalars<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (self.as_str(), self.builtin()) {
            (Some(text), _) => serializer.serialize_str(text),
            (None, Builtin::Byte | Builtin::Char8) => serializer.serialize_bytes(self.bytes()),
            (None, _) => serializer.collect_seq(self.iter()),
        }
    }
}
