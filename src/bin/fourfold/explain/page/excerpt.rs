//! Which spans and bytes a page shows, so that its size is bounded.

use std::ops::Range;

use fourfold::Span;

use super::bytes::ROW;

/// How many spans are shown from the first on, and how many of their bytes.
const SPANS: usize = 12_000;
const BYTES: usize = 256 << 10;
/// Of how many faults behind these the surroundings are shown, and how many spans on each side.
const FAULTS: usize = 20;
const AROUND: usize = 25;

/// The longest span whose bytes are all shown; of longer ones, the first and last rows are.
const WHOLE: usize = 32 * ROW;
const HEAD: usize = 8 * ROW;
const TAIL: usize = 2 * ROW;

/// What is shown of the spans of a file.
pub(super) struct Excerpt {
    /// Positions of spans, in order, apart from each other.
    pub(super) windows: Vec<Range<usize>>,
    /// How many spans are in none.
    pub(super) left_out: usize,
}

impl Excerpt {
    pub(super) fn of(spans: &[Span]) -> Self {
        let mut bytes = 0;
        let fits = |span: &&Span| {
            bytes += shown(&span.range).map(|range| range.len()).sum::<usize>();
            bytes <= BYTES
        };
        let first = spans.iter().take(SPANS).take_while(fits).count();
        let mut windows = Vec::new();
        windows.push(0..first);
        let faults = spans.iter().enumerate().skip(first).filter(|(_, span)| span.fault.is_some());
        for (i, _) in faults.take(FAULTS) {
            let around = i.saturating_sub(AROUND)..(i + AROUND + 1).min(spans.len());
            match windows.last_mut() {
                Some(last) if around.start <= last.end => last.end = around.end,
                _ => windows.push(around),
            }
        }
        let shown: usize = windows.iter().map(Range::len).sum();
        Excerpt { windows, left_out: spans.len() - shown }
    }
}

/// Which of a span's bytes are shown: all, or those of its first and last rows.
pub(super) fn shown(range: &Range<usize>) -> impl Iterator<Item = Range<usize>> + use<> {
    let Range { start, end } = *range;
    let whole = range.len() <= WHOLE;
    let head = if whole { end } else { (start + HEAD).next_multiple_of(ROW) };
    let tail = if whole { end } else { (end - TAIL) / ROW * ROW };
    [start..head, tail..end].into_iter().filter(|range| !range.is_empty())
}
