//! The annotated dump: one line per span, in columns.

use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::ControlFlow;

use anstyle::{AnsiColor, Style};
use fourfold::Span;

use super::{Subject, Tally};
use crate::plain::plain;

/// How many columns a line has, if it is to be shortened.
const COLUMNS: usize = 100;
/// How many bytes a line shows.
const BYTES: usize = 8;
const HEX: usize = 3 * BYTES - 1;
/// How much paths, words and values get while lines are shortened.
const WIDEST_WHAT: usize = 36;
const LEAST_PATH: usize = 16;
const LEAST_VALUE: usize = 24;
const NARROW: usize = 12;
/// The widths of columns are those that the first lines need; of so many, all are known.
const FIRST: usize = 4096;

const DIM: Style = Style::new().dimmed();
const PATH: Style = AnsiColor::Cyan.on_default();
const WHAT: Style = AnsiColor::Yellow.on_default();
const FAULT: Style = AnsiColor::Red.on_default().bold();

/// Whether lines are shortened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    Whole,
    Shortened,
}

impl Width {
    pub(super) const fn of(is_wide: bool) -> Self {
        if is_wide { Width::Whole } else { Width::Shortened }
    }
}

/// How wide the columns are.
struct Columns {
    digits: usize,
    path: usize,
    what: usize,
    value: usize,
    width: Width,
}

impl Columns {
    /// For these spans, and for others that end at `end` or before.
    fn of(spans: &[Span], end: usize, width: Width) -> Self {
        let digits = end.to_string().len().max(2);
        let places = spans.iter().map(|span| count(&plain(&span.place.to_string())));
        let path = places.max().unwrap_or(0).max("path".len());
        let what = spans.iter().map(|span| count(&span.what)).max().unwrap_or(0).max("what".len());
        if width == Width::Whole {
            return Columns { digits, path, what, value: usize::MAX, width };
        }
        let fixed = "! ".len() + 2 * digits + "..".len() + HEX + 4 * "  ".len();
        let what = what.min(WIDEST_WHAT);
        let room = COLUMNS.saturating_sub(fixed + what);
        // A long path loses its middle before a value loses its end.
        let least = if what > WIDEST_WHAT / 2 { NARROW } else { LEAST_PATH };
        let path = path.min(room.saturating_sub(LEAST_VALUE).max(least));
        let value = room.saturating_sub(path).max(NARROW);
        Columns { digits, path, what, value, width }
    }
}

pub(super) fn write(
    writer: &mut dyn Write,
    subject: &Subject<'_>,
    width: Width,
    tally: &mut Tally,
) -> io::Result<()> {
    let mut table = Table { writer, subject, width, first: Vec::new(), columns: None };
    subject.each(|span| {
        tally.add(&span);
        table.put(span)?;
        Ok(ControlFlow::Continue(()))
    })?;
    table.finish(*tally)
}

/// Lines, of which the first wait until it is known how wide they are.
struct Table<'a> {
    writer: &'a mut dyn Write,
    subject: &'a Subject<'a>,
    width: Width,
    first: Vec<Span>,
    columns: Option<Columns>,
}

impl Table<'_> {
    fn put(&mut self, span: Span) -> io::Result<()> {
        if let Some(columns) = &self.columns {
            return write_span(self.writer, columns, self.subject.bytes, &span);
        }
        self.first.push(span);
        match self.first.len() {
            ..FIRST => Ok(()),
            // How many there will be nobody knows: the last line tells it.
            _ => self.begin(&self.subject.summary(), self.subject.bytes.len()),
        }
    }

    fn finish(&mut self, tally: Tally) -> io::Result<()> {
        if self.columns.is_some() {
            return writeln!(self.writer, "{tally}");
        }
        let end = self.first.last().map_or(0, |span| span.range.end);
        self.begin(&format!("{}, {tally}", self.subject.summary()), end)
    }

    /// Writes the titles, and the lines so far.
    fn begin(&mut self, summary: &str, end: usize) -> io::Result<()> {
        let first = std::mem::take(&mut self.first);
        let columns = self.columns.insert(Columns::of(&first, end, self.width));
        let Columns { digits, path, what, .. } = *columns;
        writeln!(self.writer, "{}: {summary}", plain(self.subject.name))?;
        let range = 2 * digits + 2;
        let titles = format!(
            "  {:range$}  {:HEX$}  {:path$}  {:what$}  value",
            "offset", "bytes", "path", "what"
        );
        writeln!(self.writer, "{DIM}{titles}{DIM:#}")?;
        for span in &first {
            write_span(self.writer, columns, self.subject.bytes, span)?;
        }
        Ok(())
    }
}

fn write_span(
    writer: &mut dyn Write,
    columns: &Columns,
    bytes: &[u8],
    span: &Span,
) -> io::Result<()> {
    let Columns { digits, path, what, value, width } = *columns;
    let (mark, style) = if span.fault.is_some() { ('!', FAULT) } else { (' ', Style::new()) };
    let hex = hex(bytes.get(span.range.clone()).unwrap_or_default());
    let place = span.place.to_string();
    let (place, name) = match width {
        // Lines behind the first may need more room.
        Width::Whole => (plain(&place), Cow::Borrowed(&*span.what)),
        Width::Shortened => (ends(&plain(&place), path).into(), head(&span.what, what)),
    };
    let (start, end) = (span.range.start, span.range.end);
    write!(writer, "{style}{mark}{style:#} {DIM}{start:>digits$}..{end:<digits$}{DIM:#}  ")?;
    write!(writer, "{style}{hex:HEX$}{style:#}  {PATH}{place:path$}{PATH:#}  ")?;
    let said = plain(&span.value);
    let said = head(&said, value);
    if said.is_empty() {
        writeln!(writer, "{WHAT}{name}{WHAT:#}")?;
    } else {
        writeln!(writer, "{WHAT}{name:what$}{WHAT:#}  {said}")?;
    }
    if let Some(fault) = &span.fault {
        let indent = 2 * digits + 4;
        writeln!(writer, "{FAULT}!{:indent$}{}{FAULT:#}", "", plain(fault))?;
    }
    Ok(())
}

/// The first bytes, and a mark if there are more.
fn hex(bytes: &[u8]) -> String {
    let shown = if bytes.len() > BYTES { BYTES - 1 } else { bytes.len() };
    let digits = bytes.iter().take(shown).map(|byte| format!("{byte:02x}"));
    let mut cells: Vec<String> = digits.collect();
    if shown < bytes.len() {
        cells.push("…".into());
    }
    cells.join(" ")
}

fn count(text: &str) -> usize {
    text.chars().count()
}

/// As much of the text as fits, from its beginning.
fn head(text: &str, width: usize) -> Cow<'_, str> {
    if count(text) <= width {
        return Cow::Borrowed(text);
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

/// As much of the text as fits, without its middle: of a path, that tells least.
fn ends(text: &str, width: usize) -> String {
    let count = count(text);
    if count <= width {
        return text.to_owned();
    }
    let head = width / 2;
    let tail = count - width.saturating_sub(head + 1);
    text.chars().take(head).chain(['…']).chain(text.chars().skip(tail)).collect()
}
