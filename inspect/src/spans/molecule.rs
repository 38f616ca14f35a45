//! Molecule: what each byte may be. Bytes do not show their types, so all results are candidates; [`explain_typed`] uses
//! the types of a schema.

mod header;
mod layout;
mod typed;

use fourfold::molecule::wire::{self, NUMBER_SIZE, Table};
use fourfold::molecule::{Error, Frames, Options, Result, count_records};
use fourfold::{CommonKind, Segment};

use self::header::{End, Header, Number};
use self::layout::likeliest;
pub use self::layout::{Layout, layout_of_beginning, layouts};
pub use self::typed::explain_typed;
use super::{Each, Spans, byte_count, hex, text};
use crate::write::count::counted;

/// Explains a value or concatenated records, from the bytes alone.
///
/// The types are in the schema, not in the bytes, so the meaning of a header is a candidate, and is labelled so. Of the
/// layouts that a value may have (see [`layouts`]) the first is shown. Items of tables and dynvecs, which look alike, have
/// numbers as paths: `0.1` in a likely table, `[0].1` if all items are tables with as many fields, as in a dynvec. Values
/// without a header, such as structs and arrays, are `bytes`. Concatenated records are `[0]`, `[1]` and so on: those that
/// [`count_records`] finds, and inputs that begin with two tables or dynvecs, whatever follows.
///
/// Errors are reported for headers that are nearly right: a full size and offsets of which a few contradict the others, or
/// an outermost full size that is not that of the input; and for records whose end is unknown. Whether a value is valid is
/// shown only by reading it as its type.
///
/// ```
/// use fourfold::molecule::to_vec;
/// use fourfold_inspect::spans::{all, molecule};
///
/// let bytes = to_vec(&("hi", 7u8))?;
/// let lines: Vec<String> = all(|each| molecule::explain(&bytes, "", each))
///     .iter()
///     .map(|span| format!("{:?} {}: {}, {}", span.range, span.place, span.what, span.value))
///     .collect();
/// assert_eq!(lines, [
///     "0..4 : candidate table or dynvec: full size, 19",
///     "4..8 : candidate table or dynvec: offset, 12: item 0",
///     "8..12 : candidate table or dynvec: offset, 18: item 1",
///     "12..16 0: candidate fixvec: item count, 2 items of 1 byte",
///     "16..18 0: candidate fixvec: text, \"hi\"",
///     "18..19 1: byte, 7",
/// ]);
/// # Ok::<(), fourfold::molecule::Error>(())
/// ```
pub fn explain(bytes: &[u8], path: &str, each: &mut Each<'_>) {
    let spans = Spans::new(path, each);
    let mut walk = Walk { spans, levels: most_levels(), error: None };
    match are_records(bytes) {
        false => walk.value(bytes, End::Open),
        true => explain_records(&mut walk, bytes, |walk| &mut walk.spans, Walk::record),
    }
    walk.spans.finish(bytes.len());
}

/// How many levels of values there may be in one another: as many as readers accept.
const fn most_levels() -> u16 {
    Options::new().depth_limit()
}

/// Whether bytes are probably records and not one value. The headers of the first two determine that, even if later
/// bytes are damaged.
fn are_records(bytes: &[u8]) -> bool {
    let is_headed = |record: Result<&[u8]>| {
        let header = record.and_then(|record| Table::parse(record, 0));
        header.is_ok_and(|header| header.count() > 0)
    };
    let first = Frames::from_slice(bytes).take(2);
    first.map(is_headed).eq([true; 2]) || count_records(bytes).is_some()
}

/// Explains all of `bytes`, which are records: each with `explain`, the last perhaps with the error of its end. Those of
/// which nothing is wanted are skipped.
fn explain_records<'s, W>(
    walk: &mut W,
    bytes: &[u8],
    spans: impl Fn(&mut W) -> &mut Spans<'s>,
    explain: impl Fn(&mut W, &[u8], Option<Error>),
) {
    for (index, (place, record)) in Frames::from_slice(bytes).with_places().enumerate() {
        if spans(walk).is_stopped() {
            return;
        }
        let end = if record.is_ok() { place.end } else { bytes.len() };
        spans(walk).enter(|| Segment::Index(index));
        match record {
            _ if spans(walk).is_hidden() => {}
            Ok(record) => explain(walk, record, None),
            Err(error) => {
                explain(walk, bytes.get(place.start..).unwrap_or_default(), Some(error));
            }
        }
        spans(walk).put_rest(end);
        spans(walk).leave();
    }
}

/// Spans under construction.
struct Walk<'s> {
    spans: Spans<'s>,
    /// How many levels may still be entered.
    levels: u16,
    /// What is wrong with the bytes that are reported next.
    error: Option<String>,
}

/// The names of the items of a header.
struct Words {
    full_size: &'static str,
    offset: &'static str,
    several: &'static str,
    item: fn(usize) -> Segment,
}

const TABLE: Words = Words {
    full_size: "candidate table or dynvec: full size",
    offset: "candidate table or dynvec: offset",
    several: "candidate table or dynvec: items not separable",
    item: Segment::Slot,
};

const DYNVEC: Words = Words {
    full_size: "candidate dynvec or table: full size",
    offset: "candidate dynvec or table: offset",
    several: "candidate dynvec or table: items not separable",
    item: Segment::Index,
};

impl Walk<'_> {
    fn record(&mut self, bytes: &[u8], error: Option<Error>) {
        let Some(error) = error else { return self.value(bytes, End::Enclosed) };
        self.error = Some(error.kind().to_string());
        self.headed(bytes, End::Open, &TABLE);
    }

    /// Explains all of `bytes`, which come next.
    fn value(&mut self, bytes: &[u8], end: End) {
        match likeliest(bytes) {
            Layout::Empty => {}
            Layout::Table { items: 0, .. } => {
                self.spans.put(
                    bytes.len(),
                    "candidates: table or dynvec without items, or array or struct",
                    || hex(bytes),
                );
            }
            Layout::Table { inner, .. } => {
                let words = if inner.is_some() { &DYNVEC } else { &TABLE };
                self.headed(bytes, end, words);
            }
            Layout::Union { .. } => self.union(bytes),
            Layout::Fixvec { items: 0, .. } => {
                self.spans.put(
                    bytes.len(),
                    "candidates: fixvec without items, or array or struct",
                    || hex(bytes),
                );
            }
            Layout::Fixvec { items, size, is_text } => self.fixvec(bytes, items, size, is_text),
            // A damaged header shows only where the bytes have no other layout.
            Layout::Raw { .. } if end == End::Open && is_damaged_union(bytes) => self.union(bytes),
            Layout::Raw { .. } | Layout::Records { .. } => self.headed(bytes, end, &TABLE),
        }
    }

    /// Explains what has a header, if only a damaged one.
    fn headed(&mut self, bytes: &[u8], end: End, words: &Words) {
        match Header::find(bytes, end) {
            Some(header) => self.level(bytes, |walk| walk.table(bytes, &header, end, words)),
            None => self.raw(bytes),
        }
    }

    /// Explains what is nested one level deeper.
    fn level(&mut self, bytes: &[u8], explain: impl FnOnce(&mut Self)) {
        match self.levels.checked_sub(1) {
            Some(levels) => {
                self.levels = levels;
                explain(self);
                self.levels += 1;
            }
            None => {
                let error = CommonKind::DepthLimit { limit: most_levels() }.to_string();
                self.spans.put_wrong(bytes.len(), "bytes", || hex(bytes), error);
            }
        }
    }

    fn table(&mut self, bytes: &[u8], header: &Header<'_>, end: End, words: &Words) {
        let base = self.spans.offset();
        let size = header.full_size();
        self.number(words.full_size, || size.found.to_string(), size.error);

        let ends = header.offsets().skip(1).map(|next| next.found).chain([header.end()]);
        for ((index, offset), end) in header.offsets().enumerate().zip(ends) {
            if self.spans.is_stopped() {
                return;
            }
            let Number { found, ref error } = offset;
            let value = || {
                let place = match error {
                    None => header.place_of(found, end, base),
                    Some(_) => String::new(),
                };
                format!("{found}: item {index}{place}")
            };
            self.number(words.offset, value, error.clone());
        }

        for items in header.items() {
            if self.spans.is_stopped() {
                return;
            }
            let part = bytes.get(items.bytes.clone()).unwrap_or_default();
            if items.indices.len() > 1 {
                let last = items.indices.end.saturating_sub(1);
                let value = || format!("items {} to {last}, {}", items.indices.start, hex(part));
                self.spans.put(part.len(), words.several, value);
                continue;
            }
            // The end of the last item is missing if that of the input is.
            let is_cut = end == End::Open
                && header.full_size().found > bytes.len()
                && items.bytes.end == bytes.len();
            self.spans.enter(|| (words.item)(items.indices.start));
            if !self.spans.is_hidden() {
                self.value(part, if is_cut { End::Open } else { End::Enclosed });
            }
            self.spans.put_rest(base.saturating_add(items.bytes.end));
            self.spans.leave();
        }
    }

    /// A number of a header.
    fn number(
        &mut self,
        what: &'static str,
        value: impl FnOnce() -> String,
        error: Option<String>,
    ) {
        self.put(NUMBER_SIZE, what, value, error);
    }

    /// The next bytes, and what is known to be wrong with them.
    fn put(
        &mut self,
        len: usize,
        what: &'static str,
        value: impl FnOnce() -> String,
        error: Option<String>,
    ) {
        match self.error.take().or(error) {
            None => self.spans.put(len, what, value),
            Some(error) => self.spans.put_wrong(len, what, value, error),
        }
    }

    fn union(&mut self, bytes: &[u8]) {
        let Some((id, payload)) = wire::split_number(bytes) else {
            return self.raw(bytes);
        };
        self.level(bytes, |walk| {
            walk.spans.put(NUMBER_SIZE, "candidate union: item id", || id.to_string());
            walk.value(payload, End::Enclosed);
        });
    }

    fn fixvec(&mut self, bytes: &[u8], items: usize, size: usize, is_text: bool) {
        let body = bytes.get(NUMBER_SIZE..).unwrap_or_default();
        let holds_value = size == 1 && holds_value(body);
        let value = || {
            let holds = if holds_value { ", which may hold a value" } else { "" };
            format!("{} of {}{holds}", counted(items, "item"), byte_count(size))
        };
        // Only what holds another value is a level: nothing else goes deeper.
        let what = "candidate fixvec: item count";
        if holds_value {
            self.level(bytes, |walk| {
                walk.spans.put(NUMBER_SIZE, what, value);
                walk.value(body, End::Enclosed);
            });
            return;
        }
        self.spans.put(NUMBER_SIZE, what, value);
        match size {
            1 if is_text => self.spans.put(body.len(), "candidate fixvec: text", || text(body)),
            1 => self.spans.put(body.len(), "candidate fixvec: bytes", || hex(body)),
            _ => {
                let first = self.spans.first_wanted(0).min(items);
                if first > 0 {
                    self.spans.pass(first * size);
                }
                for (index, item) in body.chunks(size).enumerate().skip(first) {
                    if self.spans.is_stopped() {
                        return;
                    }
                    self.spans.enter(|| Segment::Index(index));
                    self.spans.put(item.len(), "candidate fixvec: item", || raw(item));
                    self.spans.leave();
                }
            }
        }
    }

    fn raw(&mut self, bytes: &[u8]) {
        let what = if bytes.len() == 1 { "byte" } else { "bytes" };
        if !bytes.is_empty() {
            self.put(bytes.len(), what, || raw(bytes), None);
        }
    }
}

/// Whether the bytes of a fixvec are themselves headed like a table, as those of scripts and
/// witnesses are.
fn holds_value(bytes: &[u8]) -> bool {
    matches!(likeliest(bytes), Layout::Table { items: 1.., .. })
}

/// Whether four bytes are before a table or dynvec that is nearly right.
fn is_damaged_union(bytes: &[u8]) -> bool {
    let payload = bytes.get(NUMBER_SIZE..).unwrap_or_default();
    // Bytes that begin with their own size are no union, but rather a header with many errors.
    wire::number_at(bytes, 0) != Some(bytes.len())
        && Header::find(bytes, End::Open).is_none()
        && Header::find(payload, End::Enclosed).is_some()
}

/// Bytes, and the number that they may be.
fn raw(bytes: &[u8]) -> String {
    let number = match *bytes {
        [byte] => return byte.to_string(),
        [a, b] => u128::from(u16::from_le_bytes([a, b])),
        [a, b, c, d] => u128::from(u32::from_le_bytes([a, b, c, d])),
        _ => {
            let as_64 = bytes.try_into().map(|bytes| u128::from(u64::from_le_bytes(bytes)));
            match as_64.or_else(|_| bytes.try_into().map(u128::from_le_bytes)) {
                Ok(number) => number,
                Err(_) => return hex(bytes),
            }
        }
    };
    format!("{}, as a number {number}", hex(bytes))
}
