//! Records as JSON Lines, for programs that read a line at a time.

use std::io::{self, Write};

use super::json::scalar;
use crate::model::{Document, Part, VALUE, VALUES, biniou};
use crate::write::hex;
use crate::write::plain::quoted;

/// Number of bytes that are converted to digits at a time.
const PIECE: usize = 1 << 12;

/// The records of a file, one per line: concatenated values, those in chunks, and the items of a list that is the
/// only value. Any other file is one line, which `make` can read back.
pub fn document(document: &Document<'_>, most: usize, out: &mut dyn Write) -> io::Result<()> {
    let mut lines = Lines { most, out };
    match only_field(&document.part) {
        Some((VALUE, value)) => lines.items(value),
        Some((VALUES, values)) => lines.each(values),
        Some((biniou::CHUNKS, chunks)) => each(chunks, &mut |chunk| match only_field(chunk) {
            Some((VALUE, value)) => lines.items(value),
            Some((VALUES, values)) => lines.each(values),
            // Bytes that are not a value.
            _ => lines.line(chunk),
        }),
        _ => lines.line(&document.whole()),
    }
}

/// The items of a list, one per line; another part is one line.
pub fn part(part: &Part<'_>, most: usize, out: &mut dyn Write) -> io::Result<()> {
    Lines { most, out }.items(part)
}

/// The part as JSON without a line break.
pub(super) fn on_a_line(part: &Part<'_>, most: usize, out: &mut dyn Write) -> io::Result<()> {
    Lines { most, out }.part(part)
}

/// The only field of an object.
fn only_field<'p, 'a>(part: &'p Part<'a>) -> Option<(&'p str, &'p Part<'a>)> {
    let Part::Map(fields) = part else { return None };
    let [(key, only)] = fields.as_slice() else { return None };
    Some((key, only))
}

/// Calls `item` with the items of a list, or with a part that is not a list.
fn each(part: &Part<'_>, item: &mut dyn FnMut(&Part<'_>) -> io::Result<()>) -> io::Result<()> {
    match part {
        Part::List(items) => items.iter().try_for_each(item),
        Part::Items(items) => items.iter().try_for_each(|one| item(&one)),
        other => item(other),
    }
}

struct Lines<'w> {
    /// Tensors with more elements are summarised.
    most: usize,
    out: &'w mut dyn Write,
}

impl Lines<'_> {
    /// The items of a list. Those of a list of numbers with a form get the form, too.
    fn items(&mut self, part: &Part<'_>) -> io::Result<()> {
        match part.as_form() {
            Some((biniou::TABLE, rows)) => self.each(rows),
            Some((form, numbers)) if biniou::NUMBERS.contains(&form) => {
                each(numbers, &mut |number| {
                    write!(self.out, "{{{}:", quoted(form))?;
                    self.part(number)?;
                    self.out.write_all(b"}\n")
                })
            }
            _ => self.each(part),
        }
    }

    fn each(&mut self, part: &Part<'_>) -> io::Result<()> {
        each(part, &mut |item| self.line(item))
    }

    fn line(&mut self, part: &Part<'_>) -> io::Result<()> {
        self.part(part)?;
        self.out.write_all(b"\n")
    }

    fn part(&mut self, part: &Part<'_>) -> io::Result<()> {
        match part {
            Part::List(items) => self.list(items.iter(), Lines::part),
            Part::Items(items) => self.list(items.iter(), |lines, item| lines.part(&item)),
            Part::Hex(bytes) => {
                self.out.write_all(b"\"0x")?;
                let mut pieces = bytes.chunks(PIECE);
                pieces.try_for_each(|piece| self.out.write_all(hex::digits(piece).as_bytes()))?;
                self.out.write_all(b"\"")
            }
            Part::Map(fields) => {
                self.out.write_all(b"{")?;
                for (at, (key, inner)) in fields.iter().enumerate() {
                    self.field(at, key, inner)?;
                }
                self.out.write_all(b"}")
            }
            Part::Tensor(tensor) => {
                // A tensor without a head consists of only its data.
                let has_head = !tensor.head.is_empty();
                if has_head {
                    self.out.write_all(b"{")?;
                    for (at, (key, inner)) in tensor.head.iter().enumerate() {
                        self.field(at, key, inner)?;
                    }
                    self.out.write_all(b",\"data\":")?;
                }
                match tensor.summary(self.most) {
                    Some(summary) => self.part(&summary)?,
                    None => self.list(tensor.elements.iter(), |lines, item| lines.part(&item))?,
                }
                if has_head { self.out.write_all(b"}") } else { Ok(()) }
            }
            other => self.out.write_all(scalar(other).as_bytes()),
        }
    }

    fn field(&mut self, at: usize, key: &str, inner: &Part<'_>) -> io::Result<()> {
        let comma = if at == 0 { "" } else { "," };
        write!(self.out, "{comma}{}:", quoted(key))?;
        self.part(inner)
    }

    fn list<T>(
        &mut self,
        items: impl Iterator<Item = T>,
        mut write: impl FnMut(&mut Self, T) -> io::Result<()>,
    ) -> io::Result<()> {
        self.out.write_all(b"[")?;
        for (at, item) in items.enumerate() {
            if at > 0 {
                self.out.write_all(b",")?;
            }
            write(self, item)?;
        }
        self.out.write_all(b"]")
    }
}
