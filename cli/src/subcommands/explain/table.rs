//! The annotated dump: one line per span, in columns.

use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::ControlFlow;

use anstyle::{AnsiColor, Style};
use fourfold_inspect::spans::Span;
use fourfold_inspect::write::hex;
use fourfold_inspect::write::plain::plain;
use fourfold_inspect::write::width::{Blanks, columns, ends, head};

use fourfold_inspect::explain::{LONGEST_VALUE, Subject, Tally};

/// The most bytes in a line. The column is narrower.
const MOST_BYTES: usize = 64;
/// The bytes in a line, usually, with long paths, and in narrow terminals.
const BYTES: usize = 8;
const FEW_BYTES: usize = 4;
const LEAST_BYTES: usize = 2;
/// After longer paths, the columns of lines that are not shortened are not aligned.
const WIDEST_PATH: usize = 60;
/// The widths of paths, kinds and values in shortened lines.
const WIDEST_WHAT: usize = 36;
const LEAST_PATH: usize = 16;
const LEAST_VALUE: usize = 24;
const NARROW: usize = 12;
/// The same in still narrower terminals.
const NARROWEST: usize = 4;
/// The widths of columns are computed from this many first lines.
const FIRST: usize = 4096;

const DIM: Style = Style::new().dimmed();
const PATH: Style = AnsiColor::Cyan.on_default();
const WHAT: Style = AnsiColor::Yellow.on_default();
const ERROR: Style = AnsiColor::Red.on_default().bold();

/// Whether lines are shortened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    Whole,
    /// To this many columns.
    Shortened(usize),
}

impl Width {
    /// For an output of `columns` columns, if it is a terminal.
    pub(super) fn of(is_wide: bool, columns: Option<usize>) -> Self {
        columns.filter(|_| !is_wide).map_or(Width::Whole, Width::Shortened)
    }

    /// The path of a span; of a long path only what is needed to show its ends in `most` columns.
    fn path(self, span: &Span, most: usize) -> String {
        let path = match self {
            Width::Whole => span.place.to_string(),
            // A segment has at least one character.
            Width::Shortened(_) => span.place.ends(most / 2 + 1).to_string(),
        };
        plain(&path).into_owned()
    }
}

/// The widths of the columns.
struct Columns {
    digits: usize,
    bytes: usize,
    path: usize,
    what: usize,
    value: usize,
    width: Width,
}

impl Columns {
    /// For these spans, and for others that end at `end` or before.
    fn of(spans: &[Span], end: usize, width: Width) -> Self {
        let digits = end.to_string().len().max(2);
        let most = if let Width::Shortened(line) = width { line } else { usize::MAX };
        let path = spans.iter().map(|span| columns(&width.path(span, most)));
        let path = path.max().unwrap_or(0).max("path".len());
        let what = spans.iter().map(|span| columns(&span.what));
        let what = what.max().unwrap_or(0).max("what".len());
        let bytes = spans.iter().map(|span| span.range.len());
        let bytes = bytes.max().unwrap_or(0).clamp(LEAST_BYTES, BYTES);
        let Width::Shortened(line) = width else {
            let (path, what) = (path.min(WIDEST_PATH), what.min(WIDEST_WHAT));
            return Columns { digits, bytes, path, what, value: usize::MAX, width };
        };
        let value = spans.iter().map(|span| columns(&plain(&span.value)));
        let value = value.max().unwrap_or(0).clamp("value".len(), LEAST_VALUE);
        let fixed = "! ".len() + 2 * digits + "..".len() + 4 * "  ".len();
        let left = line.saturating_sub(fixed);
        let most = (left + 1).saturating_sub(3 * NARROW) / 3;
        let bytes = bytes.min(most.max(LEAST_BYTES));
        // A whole path is more useful than all bytes.
        let with_whole_path = (left + 1).saturating_sub(path + what.min(WIDEST_WHAT) + value) / 3;
        let bytes = bytes.min(with_whole_path.max(FEW_BYTES));
        let left = left.saturating_sub(hex_columns(bytes));
        let narrow = (left / 3).clamp(NARROWEST, NARROW);
        let others = narrow + path.min(narrow);
        let what = what.min(WIDEST_WHAT).min(left.saturating_sub(others).max(narrow));
        let left = left.saturating_sub(what);
        // Values are shortened before paths.
        let least = if what > WIDEST_WHAT / 2 { narrow } else { LEAST_PATH };
        let least = least.min(left.saturating_sub(narrow)).max(narrow);
        let path = path.min(left.saturating_sub(value.min(NARROW)).max(least));
        let value = left.saturating_sub(path).max(narrow);
        Columns { digits, bytes, path, what, value, width }
    }
}

/// The columns of this many bytes in hex.
const fn hex_columns(bytes: usize) -> usize {
    (3 * bytes).saturating_sub(1)
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

/// Writes lines. The first ones are kept until the widths of columns are known.
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
            // The counts are not known yet: the last line has them.
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

    /// Writes the titles, and the lines that were kept.
    fn begin(&mut self, summary: &str, end: usize) -> io::Result<()> {
        let first = std::mem::take(&mut self.first);
        let columns = self.columns.insert(Columns::of(&first, end, self.width));
        let Columns { digits, bytes, path, what, .. } = *columns;
        writeln!(self.writer, "{}: {summary}", plain(self.subject.name))?;
        let mut titles = String::from("  ");
        let widths = [2 * digits + 2, hex_columns(bytes), path, what];
        for (title, width) in ["offset", "bytes", "path", "what"].into_iter().zip(widths) {
            titles += &format!("{title}{}  ", Blanks::after(title, width));
        }
        writeln!(self.writer, "{DIM}{titles}value{DIM:#}")?;
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
    let Columns { digits, bytes: most, path, what, value, width } = *columns;
    let (mark, style) = if span.error.is_some() { ('!', ERROR) } else { (' ', Style::new()) };
    let own = bytes.get(span.range.clone()).unwrap_or_default();
    let place = width.path(span, path);
    let (hex, place, name, shown) = match width {
        // Later lines can be wider than the first.
        Width::Whole => (
            hex::cells(own, MOST_BYTES),
            Cow::Borrowed(&*place),
            Cow::Borrowed(&*span.what),
            span.value_up_to(LONGEST_VALUE, bytes),
        ),
        Width::Shortened(_) => (
            hex::cells(own, most),
            ends(&place, path),
            head(&span.what, what),
            Cow::Borrowed(&*span.value),
        ),
    };
    let (start, end) = (span.range.start, span.range.end);
    write!(writer, "{style}{mark}{style:#} {DIM}{start:>digits$}..{end:<digits$}{DIM:#}  ")?;
    let blanks = Blanks::after(&hex, hex_columns(most));
    write!(writer, "{style}{hex}{blanks}{style:#}  ")?;
    write!(writer, "{PATH}{place}{}{PATH:#}  ", Blanks::after(&place, path))?;
    let shown = plain(&shown);
    let shown = head(&shown, value);
    if shown.is_empty() {
        writeln!(writer, "{WHAT}{name}{WHAT:#}")?;
    } else {
        let blanks = Blanks::after(&name, what);
        writeln!(writer, "{WHAT}{name}{blanks}{WHAT:#}  {shown}")?;
    }
    if let Some(error) = &span.error {
        let indent = Blanks(2 * digits + 4);
        writeln!(writer, "{ERROR}!{indent}{}{ERROR:#}", plain(error))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use fourfold_inspect::spans;

    use super::*;

    /// Widths in `format!` are at most 65,535. Names from dictionaries can be longer.
    #[test]
    fn columns_fit_names_of_any_length() {
        let names = fourfold::biniou::Dictionary::from_words(&"n".repeat(70_000)).unwrap();
        let options = fourfold::biniou::Options::new().names(names);
        let hash = fourfold::biniou::hash(&"n".repeat(70_000));
        let record = fourfold::biniou::Value::Record(vec![(hash, fourfold::biniou::Value::Unit)]);
        let bytes = fourfold::biniou::to_vec(&record).unwrap();
        let spans = spans::all(|each| spans::biniou::explain(&bytes, &options, "", each));
        let columns = Columns::of(&spans, bytes.len(), Width::Whole);
        let mut out = Vec::new();
        write_span(&mut out, &columns, &bytes, &spans[0]).unwrap();
        assert!(out.len() < 200);
        let mut out = Vec::new();
        write_span(&mut out, &columns, &bytes, spans.last().unwrap()).unwrap();
        assert!(out.len() > 70_000);
        let columns = Columns::of(&spans, bytes.len(), Width::Shortened(60));
        let last = spans.last().unwrap();
        let mut out = Vec::new();
        write_span(&mut out, &columns, &bytes, last).unwrap();
        assert!(out.len() < 200);
    }
}
