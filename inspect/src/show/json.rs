//! Pretty-printed JSON: short values are on one line, lists of numbers fill lines.

use std::borrow::Borrow;
use std::io::{self, Write};

use crate::model::{Part, float};
use crate::write::hex;
use crate::write::plain::quoted;
use crate::write::width::{Blanks, columns};

/// The default line width.
const LINE: usize = 96;

/// Indentation per level.
const INDENT: usize = 2;

/// Lines with more indentation than this are not indented at all, so that deep values do not consist mostly of
/// blanks.
pub(super) const MOST_INDENT: usize = 200;

/// Number of bytes that are converted to digits at a time.
const PIECE: usize = 1 << 12;

pub fn write(
    part: &Part<'_>,
    most: usize,
    width: Option<usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut page = Page { out, most, line: width.unwrap_or(LINE) };
    page.part(part, 0, 0, &[])?;
    page.out.write_all(b"\n")
}

struct Page<'w> {
    out: &'w mut dyn Write,
    most: usize,
    line: usize,
}

impl Page<'_> {
    /// Writes a part after `used` characters of a line that is indented by `indent`. `known` is the result of an
    /// attempt to write it on one line together with its outer parts.
    fn part(
        &mut self,
        part: &Part<'_>,
        indent: usize,
        used: usize,
        known: &[Opened],
    ) -> io::Result<()> {
        let width = self.line.saturating_sub(blanks(indent) + used);
        let failed;
        let known = match known {
            // Without a second attempt: otherwise each level of nested small lists would try all levels in it.
            [this, ..] if width <= this.width => known,
            _ => match attempt(part, self.most, width) {
                Ok(line) => return self.out.write_all(line.as_bytes()),
                Err(opened) => {
                    failed = opened;
                    &failed
                }
            },
        };
        // The known result of the nested part with that index.
        let of = |index: usize| match known {
            [_, inner @ ..] if inner.first().is_some_and(|it| it.index == index) => inner,
            _ => &[],
        };
        match part {
            Part::List(items) if items.iter().all(Part::is_scalar) => {
                self.filled(items.iter().map(scalar), indent)
            }
            Part::List(items) => self.list(items.iter(), indent, of),
            Part::Items(items) if items.iter().all(|item| item.is_scalar()) => {
                self.filled(items.iter().map(|item| scalar(&item)), indent)
            }
            Part::Items(items) => self.list(items.iter(), indent, of),
            Part::Hex(bytes) => self.hex(bytes),
            Part::Map(fields) => {
                self.out.write_all(b"{")?;
                for (index, (key, inner)) in fields.iter().enumerate() {
                    self.field(index, key, inner, indent, of(index))?;
                }
                self.end("}", indent)
            }
            Part::Tensor(tensor) => {
                // A tensor without a head consists of only its data.
                if !tensor.head.is_empty() {
                    self.out.write_all(b"{")?;
                    for (index, (key, inner)) in tensor.head.iter().enumerate() {
                        self.field(index, key, inner, indent, &[])?;
                    }
                    self.line(tensor.head.len(), indent + INDENT)?;
                    self.out.write_all(b"\"data\": ")?;
                }
                let inner = match tensor.head.is_empty() {
                    true => indent,
                    false => indent + INDENT,
                };
                match tensor.summary(self.most) {
                    Some(summary) => self.part(&summary, inner, 9, &[])?,
                    None => self.filled(tensor.elements.iter().map(|part| flat(&part)), inner)?,
                }
                match tensor.head.is_empty() {
                    true => Ok(()),
                    false => self.end("}", indent),
                }
            }
            scalar => self.out.write_all(self::scalar(scalar).as_bytes()),
        }
    }

    /// A line or more for each item.
    fn list<'a, 'k>(
        &mut self,
        items: impl Iterator<Item: Borrow<Part<'a>>>,
        indent: usize,
        known: impl Fn(usize) -> &'k [Opened],
    ) -> io::Result<()> {
        self.out.write_all(b"[")?;
        for (index, item) in items.enumerate() {
            self.line(index, indent + INDENT)?;
            self.part(item.borrow(), indent + INDENT, 1, known(index))?;
        }
        self.end("]", indent)
    }

    /// Bytes that take more than a line, piece by piece.
    fn hex(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(b"\"0x")?;
        for piece in bytes.chunks(PIECE) {
            self.out.write_all(hex::digits(piece).as_bytes())?;
        }
        self.out.write_all(b"\"")
    }

    fn field(
        &mut self,
        index: usize,
        key: &str,
        part: &Part<'_>,
        indent: usize,
        known: &[Opened],
    ) -> io::Result<()> {
        self.line(index, indent + INDENT)?;
        let key = quoted(key);
        write!(self.out, "{key}: ")?;
        self.part(part, indent + INDENT, columns(&key) + 3, known)
    }

    /// Begins the line of another item.
    fn line(&mut self, index: usize, indent: usize) -> io::Result<()> {
        let comma = if index == 0 { "" } else { "," };
        write!(self.out, "{comma}\n{}", Blanks(blanks(indent)))
    }

    fn end(&mut self, bracket: &str, indent: usize) -> io::Result<()> {
        write!(self.out, "\n{}{bracket}", Blanks(blanks(indent)))
    }

    /// As many items on each line as fit.
    fn filled(&mut self, items: impl Iterator<Item = String>, indent: usize) -> io::Result<()> {
        let mut items = items.peekable();
        self.out.write_all(b"[")?;
        if items.peek().is_none() {
            return self.out.write_all(b"]");
        }
        let inner = indent + INDENT;
        let mut column = 0;
        for (index, item) in items.enumerate() {
            if index == 0 || column + columns(&item) + 3 > self.line {
                self.line(index, inner)?;
                column = blanks(inner);
            } else {
                self.out.write_all(b", ")?;
                column += 2;
            }
            self.out.write_all(item.as_bytes())?;
            column += columns(&item);
        }
        self.end("]", indent)
    }
}

/// The number of blanks before a line with that indentation.
fn blanks(indent: usize) -> usize {
    if indent > MOST_INDENT { 0 } else { indent }
}

/// The part on one line, if it takes at most `width` columns.
pub fn on_a_line(part: &Part<'_>, most: usize, width: usize) -> Option<String> {
    attempt(part, most, width).ok()
}

/// The same; the error is the path to what does not fit: the part, a part in it, and so on.
fn attempt(part: &Part<'_>, most: usize, width: usize) -> Result<String, Vec<Opened>> {
    let opened = vec![Opened { index: 0, width }];
    let mut line = Line { text: String::new(), most, width, opened };
    match line.part(part) {
        Some(()) => Ok(line.text),
        None => Err(line.opened),
    }
}

/// A part that was begun on a line and takes more columns than were left.
#[derive(Clone, Copy, Debug)]
struct Opened {
    /// Its index in the outer part.
    index: usize,
    /// The columns that were left.
    width: usize,
}

struct Line {
    text: String,
    most: usize,
    width: usize,
    /// The parts that are begun and not ended, from the outermost one on.
    opened: Vec<Opened>,
}

impl Line {
    fn put(&mut self, text: &str) -> Option<()> {
        self.width = self.width.checked_sub(columns(text))?;
        self.text.push_str(text);
        Some(())
    }

    fn part(&mut self, part: &Part<'_>) -> Option<()> {
        match part {
            Part::Text(text) if text.len() > self.width.saturating_mul(4) => None,
            Part::Hex(bytes) if bytes.len() > self.width / 2 => None,
            Part::List(items) => self.list(items.iter()),
            Part::Items(items) if items.len() > self.width => None,
            Part::Items(items) => self.list(items.iter()),
            Part::Map(fields) => {
                self.put("{")?;
                for (index, (key, inner)) in fields.iter().enumerate() {
                    self.put(if index == 0 { "" } else { ", " })?;
                    self.put(&quoted(key))?;
                    self.put(": ")?;
                    self.inner(index, inner)?;
                }
                self.put("}")
            }
            Part::Tensor(tensor) => {
                let count = tensor.elements.count();
                if tensor.head.is_empty() || count > self.most || count > self.width {
                    return None;
                }
                let data: Vec<_> = tensor.elements.iter().collect();
                self.put("{")?;
                for (key, inner) in &tensor.head {
                    self.put(&quoted(key))?;
                    self.put(": ")?;
                    self.part(inner)?;
                    self.put(", ")?;
                }
                self.put("\"data\": ")?;
                self.list(data.iter())?;
                self.put("}")
            }
            scalar => self.put(&self::scalar(scalar)),
        }
    }

    fn list<'a>(&mut self, items: impl Iterator<Item: Borrow<Part<'a>>>) -> Option<()> {
        self.put("[")?;
        for (index, item) in items.enumerate() {
            self.put(if index == 0 { "" } else { ", " })?;
            self.inner(index, item.borrow())?;
        }
        self.put("]")
    }

    /// Writes a part inside the one that was begun last.
    fn inner(&mut self, index: usize, part: &Part<'_>) -> Option<()> {
        self.opened.push(Opened { index, width: self.width });
        self.part(part)?;
        self.opened.pop();
        Some(())
    }
}

/// A small part on one line, however long.
pub fn flat(part: &Part<'_>) -> String {
    on_a_line(part, usize::MAX, usize::MAX / 4).unwrap_or_default()
}

pub(super) fn scalar(part: &Part<'_>) -> String {
    match part {
        Part::Bool(value) => value.to_string(),
        Part::Integer(number) => number.to_string(),
        Part::Unsigned(number) => number.to_string(),
        // As short as can be read back, with a point or an exponent.
        Part::Float32(float) => format!("{float:?}"),
        Part::Float64(float) => match float::text(*float) {
            Some(text) => quoted(&text),
            None => format!("{float:?}"),
        },
        Part::Text(text) => quoted(text),
        Part::Hex(bytes) => format!("\"0x{}\"", hex::digits(bytes)),
        Part::Null | Part::List(_) | Part::Items(_) | Part::Map(_) | Part::Tensor(_) => {
            "null".into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_indented_up_to_some_width() {
        for (indent, shown) in
            [(0, 0), (MOST_INDENT, MOST_INDENT), (MOST_INDENT + INDENT, 0), (70_000, 0)]
        {
            let mut out = Vec::new();
            let mut page = Page { out: &mut out, most: 0, line: LINE };
            page.line(1, indent).unwrap();
            page.end("]", indent).unwrap();
            let blanks = " ".repeat(shown);
            assert_eq!(String::from_utf8(out).unwrap(), format!(",\n{blanks}\n{blanks}]"));
        }
    }
}
