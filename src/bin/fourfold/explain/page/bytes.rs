//! Bytes in rows, each piece of a row with the number of the part that it belongs to.

use std::io::{self, Write};
use std::ops::Range;

use fourfold::Span;

use super::{Escaped, class};
use crate::format::counted;

/// How many bytes a row has.
pub(super) const ROW: usize = 16;

/// Writes rows. What is not put is told as left out.
pub(super) struct Rows<'a> {
    writer: &'a mut dyn Write,
    bytes: &'a [u8],
    /// How wide offsets are.
    digits: usize,
    /// Behind the last byte that was put, or where bytes begin.
    next: usize,
    /// The characters of the row at hand; `None` if none is begun.
    text: Option<String>,
    is_first: bool,
}

impl<'a> Rows<'a> {
    pub(super) fn new(writer: &'a mut dyn Write, bytes: &'a [u8]) -> Self {
        let digits = bytes.len().to_string().len();
        Rows { writer, bytes, digits, next: 0, text: None, is_first: true }
    }

    /// Puts bytes of a part, which come in order.
    pub(super) fn put(&mut self, range: Range<usize>, part: usize, span: &Span) -> io::Result<()> {
        if range.start != self.next || self.is_first {
            self.close()?;
            // Of one part of a file nobody wants to hear how much stands in front of it.
            if !self.is_first {
                self.leave_out(range.start)?;
            }
        }
        self.is_first = false;
        self.next = range.start;
        let class = class(span);
        while self.next < range.end {
            self.open()?;
            let row_end = (self.next / ROW + 1) * ROW;
            let end = range.end.min(row_end);
            let bytes = self.bytes.get(self.next..end).unwrap_or_default();
            write!(self.writer, "<b data-p=\"{part}\" class=\"{class}\">")?;
            for (i, byte) in bytes.iter().enumerate() {
                let space = if i == 0 { "" } else { " " };
                write!(self.writer, "{space}{byte:02x}")?;
            }
            write!(self.writer, "</b> ")?;
            let printed = bytes.iter().map(|byte| match byte {
                b' '..=b'~' => char::from(*byte),
                _ => '·',
            });
            self.text.get_or_insert_default().extend(printed);
            self.next = end;
            if end == row_end {
                self.close()?;
            }
        }
        Ok(())
    }

    /// The bytes that are shown end at `end`.
    pub(super) fn finish(mut self, end: usize) -> io::Result<()> {
        self.close()?;
        self.leave_out(end)
    }

    fn leave_out(&mut self, until: usize) -> io::Result<()> {
        let count = until.saturating_sub(self.next);
        if count > 0 {
            let (count, from) = (counted(count, "byte"), self.next);
            writeln!(
                self.writer,
                "<div class=\"gap\">… {count}, {from}..{until}, left out …</div>"
            )?;
        }
        self.next = until;
        Ok(())
    }

    /// Begins a row, with room for bytes that are not put.
    fn open(&mut self) -> io::Result<()> {
        if self.text.is_some() {
            return Ok(());
        }
        let start = self.next / ROW * ROW;
        let missing = self.next - start;
        let digits = self.digits;
        write!(self.writer, "<div class=\"row\"><span class=\"at\">{start:>digits$}</span>")?;
        write!(self.writer, "{:1$}", "", 3 * missing)?;
        self.text = Some(" ".repeat(missing));
        Ok(())
    }

    fn close(&mut self) -> io::Result<()> {
        let Some(text) = self.text.take() else {
            return Ok(());
        };
        let missing = ROW.saturating_sub(text.chars().count());
        write!(self.writer, "{:1$}", "", 3 * missing)?;
        writeln!(self.writer, "<span class=\"text\">{}</span></div>", Escaped(&text))
    }
}
