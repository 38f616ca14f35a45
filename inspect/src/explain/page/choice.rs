//! Selects the parts and bytes of a file for a report: all, or as many as a browser can hold.

use std::collections::VecDeque;
use std::io;
use std::ops::Range;

use crate::spans::Span;
use crate::write::count::{are, counted};

/// Maximum number of bytes of a file in a report.
const MOST_BYTES: usize = 64 << 20;
/// Maximum number of rows: parts, and the places that contain them.
const MOST_ROWS: u64 = 4_000_000;
/// In larger files, parts of more than `LONG` bytes are cut to their first `HEAD` and last `TAIL` bytes.
const LONG: usize = 8 << 10;
const HEAD: usize = 4 << 10;
const TAIL: usize = 1 << 10;
/// Maximum number of errors beyond the page limit that are shown with context, and the number of parts shown on each
/// side.
const MAX_ERRORS: usize = 20;
const AROUND: usize = 10;
/// Number of parts beyond the page limit that are searched for errors.
const LOOKED_AT: usize = 1 << 24;

/// A range of bytes of a file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Window {
    /// The first byte.
    pub offset: Option<usize>,
    /// The number of bytes.
    pub length: Option<usize>,
}

impl Window {
    /// Whether this is the whole file.
    pub const fn is_whole(self) -> bool {
        self.offset.is_none() && self.length.is_none()
    }

    pub(super) fn range(self, len: usize) -> Range<usize> {
        let start = self.offset.unwrap_or(0).min(len);
        let end = self.length.map_or(len, |length| start.saturating_add(length).min(len));
        start..end
    }
}

/// The bytes of a part in a report: up to two ranges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shown {
    pub pieces: [Range<usize>; 2],
}

impl Shown {
    /// The bytes within `window`, or only their ends if there are many.
    fn of(range: &Range<usize>, window: &Range<usize>, cut_long: bool) -> Self {
        let end = range.end.min(window.end);
        let start = range.start.max(window.start).min(end);
        let pieces = match cut_long && end - start > LONG {
            true => [start..start + HEAD, end - TAIL..end],
            false => [start..end, end..end],
        };
        Shown { pieces }
    }

    pub(super) fn is_whole(&self, range: &Range<usize>) -> bool {
        self.bytes() == range.len()
    }

    fn bytes(&self) -> usize {
        self.pieces.iter().map(Range::len).sum()
    }
}

/// Decides for each part whether the report has it.
pub(super) struct Choice {
    window: Range<usize>,
    /// Whether the window is smaller than the file.
    is_part: bool,
    /// Whether long parts are not cut.
    whole: bool,
    bytes: usize,
    most_bytes: usize,
    rows: u64,
    most_rows: u64,
    /// The start of the first part beyond the page limit.
    full: Option<usize>,
    /// The last omitted parts. They are shown if an error follows.
    before: VecDeque<Span>,
    /// Number of parts after an error that are still to be shown.
    after: usize,
    errors: usize,
    left_out: usize,
    /// The start of the first part that was not read.
    unseen: Option<usize>,
    cut: usize,
}

impl Choice {
    pub(super) fn new(window: Window, len: usize) -> Self {
        let range = window.range(len);
        Choice {
            is_part: range != (0..len),
            whole: range.len() <= MOST_BYTES,
            window: range,
            bytes: 0,
            most_bytes: MOST_BYTES,
            rows: 0,
            most_rows: MOST_ROWS,
            full: None,
            before: VecDeque::new(),
            after: 0,
            errors: 0,
            left_out: 0,
            unseen: None,
            cut: 0,
        }
    }

    /// For a viewer that loads bytes itself, with at most `most_rows` rows.
    pub(super) fn without_bytes(window: Window, len: usize, most_rows: u64) -> Self {
        Choice { whole: true, most_bytes: usize::MAX, most_rows, ..Choice::new(window, len) }
    }

    /// The start of the first part beyond the page limit.
    pub(super) const fn full(&self) -> Option<usize> {
        self.full
    }

    /// Number of omitted parts.
    pub(super) const fn left_out(&self) -> usize {
        self.left_out
    }

    /// The start of the first part that was not read.
    pub(super) const fn unseen(&self) -> Option<usize> {
        self.unseen
    }

    /// Whether the report needs neither this part nor a later one.
    pub(super) fn is_done(&mut self, span: &Span) -> bool {
        let start = span.range.start;
        if self.is_part && start > self.window.end {
            return true;
        }
        if self.left_out >= LOOKED_AT && self.after == 0 {
            self.unseen = Some(start);
        }
        self.unseen.is_some()
    }

    /// Calls `put` with the part if the report has it, and with the parts before an error. `put` returns the number of
    /// rows that it added.
    pub(super) fn take(
        &mut self,
        span: &Span,
        mut put: impl FnMut(&Span, Shown) -> io::Result<u64>,
    ) -> io::Result<()> {
        let shown = Shown::of(&span.range, &self.window, !self.whole);
        let bytes = self.bytes + shown.bytes();
        if self.full.is_none() && (bytes > self.most_bytes || self.rows >= self.most_rows) {
            self.full = Some(span.range.start);
        }
        if self.full.is_none() {
            self.bytes = bytes;
            self.cut += usize::from(!self.whole && !shown.is_whole(&span.range));
            self.rows += put(span, shown)?;
            return Ok(());
        }
        if span.error.is_some() && self.errors < MAX_ERRORS {
            self.errors += 1;
            self.after = AROUND + 1;
            for earlier in std::mem::take(&mut self.before) {
                self.left_out -= 1;
                put(&earlier, Shown::of(&earlier.range, &self.window, true))?;
            }
        }
        if self.after > 0 {
            self.after -= 1;
            put(span, Shown::of(&span.range, &self.window, true))?;
            return Ok(());
        }
        self.left_out += 1;
        if self.errors < MAX_ERRORS {
            if self.before.len() == AROUND {
                self.before.pop_front();
            }
            self.before.push_back(span.clone());
        }
        Ok(())
    }

    /// Whether all parts of the window were read.
    pub(super) const fn is_complete(&self) -> bool {
        self.unseen.is_none()
    }

    /// Notes about omitted content.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.is_part {
            let Range { start, end } = self.window;
            notes.push(format!("The page has the parts of the bytes {start}..{end} only."));
        }
        if let Some(full) = self.full {
            let errors = if self.errors > 0 { ", except those around errors" } else { "" };
            notes.push(format!(
                "The page is full: {} from byte {full} on {} left out{errors}. --offset {full} \
                 shows what follows, --path shows one part.",
                counted(self.left_out, "part"),
                are(self.left_out),
            ));
        }
        if let Some(unseen) = self.unseen {
            notes.push(format!("Parts and errors from byte {unseen} on are not counted."));
        }
        if self.cut > 0 {
            notes.push(format!(
                "The file is large: of {} only the first and last bytes are there. --offset and \
                 --length show all bytes of a range of up to {} MiB.",
                counted(self.cut, "long part"),
                MOST_BYTES >> 20,
            ));
        }
        notes
    }

    /// Whether the part is in the window.
    pub(super) fn wants(&self, range: &Range<usize>) -> bool {
        !self.is_part
            || (range.start < self.window.end && range.end > self.window.start)
            // A missing part has no bytes; its range is where it should begin.
            || (range.is_empty() && self.window.start <= range.start && range.end <= self.window.end)
    }
}

#[cfg(test)]
mod tests {
    use fourfold::biniou::Options;

    use super::*;
    use crate::spans::{all, biniou};

    /// An array of 200 bools, one of which is invalid.
    fn spans() -> Vec<Span> {
        let mut bytes = vec![19, 0xc8, 1, 0];
        bytes.resize(204, 1);
        bytes[150] = 7;
        all(|each| biniou::explain(&bytes, &Options::new(), "", each))
    }

    fn chosen(choice: &mut Choice) -> Vec<usize> {
        let mut starts = Vec::new();
        for span in spans() {
            if !choice.wants(&span.range) {
                continue;
            }
            let put = choice.take(&span, |span, shown| {
                assert!(shown.is_whole(&span.range));
                starts.push(span.range.start);
                Ok(1)
            });
            put.unwrap();
        }
        starts
    }

    #[test]
    fn errors_beyond_the_page_limit_are_shown() {
        let mut choice = Choice::new(Window::default(), 204);
        choice.most_rows = 20;
        let starts = chosen(&mut choice);
        let first = spans()[20].range.start;
        let expected: Vec<usize> =
            spans().iter().map(|span| span.range.start).filter(|at| *at < first).collect();
        assert_eq!(starts[..20], expected);
        assert_eq!(starts[20..], (140..=160).collect::<Vec<_>>());
        let left_out = spans().len() - starts.len();
        assert_eq!(
            choice.notes(),
            [format!(
                "The page is full: {left_out} parts from byte {first} on are left out, except those \
                 around errors. --offset {first} shows what follows, --path shows one part."
            )]
        );
    }

    #[test]
    fn a_window_includes_parts_that_it_cuts() {
        let window = Window { offset: Some(100), length: Some(10) };
        let mut choice = Choice::new(window, 204);
        assert_eq!(chosen(&mut choice), (100..110).collect::<Vec<_>>());
        assert_eq!(choice.notes(), ["The page has the parts of the bytes 100..110 only."]);
        assert_eq!(Shown::of(&(3..9), &(5..7), false).pieces, [5..7, 7..7]);
        let long = Shown::of(&(0..100_000), &(10..90_000), true).pieces;
        assert_eq!(long, [10..10 + HEAD, 90_000 - TAIL..90_000]);
    }
}
