//! What each byte is: follows the grammar past damage, as long as the next value is found.

mod atom;
mod chunks;
mod node;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::ControlFlow;

use self::atom::Stop;
use super::budget::Budget;
use super::names::HashName;
use super::{Dictionary, Error, Options};
use crate::error::Segment;
use crate::limits::{DEFAULT_MAX_DEPTH, DepthMeter};
use crate::read::Reader;
use crate::spans::{Each, Span, Spans, collect};

/// What each byte of biniou values is: of one value, or of several concatenated ones.
///
/// Every byte is in one span. If there is one value, the spans' places are the paths into it; of
/// several, each is at `[0]`, `[1]` and so on. Names are not in the bytes, so that fields are
/// called by their hashes; see [`explain_with`]. A stream of chunks wants [`explain_chunks`].
///
/// Never fails: the span has the error where it is. There is an error if and only if a
/// [`StreamDeserializer`](super::StreamDeserializer) of [`Value`](super::Value)s returns an error,
/// and the first is that error, at its offset; an input without bytes has one too. After an error
/// the walk continues as long as it is known where the next value begins; the rest is `not read`.
/// Numbers with more bytes than needed are accepted, with a note in `value`.
///
/// ```
/// use fourfold::biniou::explain;
///
/// // RECORD of 1 field: #00000078 is svint -5
/// let spans = explain(&[21, 1, 0x80, 0, 0, 0x78, 17, 9]);
/// let lines: Vec<String> = spans
///     .iter()
///     .map(|span| format!("{:?} {}: {} {}", span.range, span.place, span.what, span.value))
///     .collect();
/// assert_eq!(lines, [
///     "0..1 : tag record",
///     "1..2 : count of fields 1",
///     "2..6 #00000078: field hash #00000078",
///     "6..7 #00000078: tag svint",
///     "7..8 #00000078: svint -5",
/// ]);
///
/// let damaged = explain(&[20, 2, 0, 7, 24, 0]);
/// let errors: Vec<_> = damaged.iter().filter_map(|span| span.error.as_deref()).collect();
/// assert_eq!(errors, ["bool is 7, neither 0 nor 1"]);
/// ```
///
/// Long text is shortened, and [available as a whole](Span::value_up_to):
///
/// ```
/// use fourfold::biniou::{explain, to_vec};
///
/// let text = "a long line ".repeat(10);
/// let bytes = to_vec(&text)?;
/// let spans = explain(&bytes);
/// let string = spans.last().unwrap();
/// assert!(string.value.ends_with("…\" (120 bytes)"));
/// assert_eq!(string.value_up_to(4096, &bytes), format!("{text:?}"));
/// # Ok::<(), fourfold::biniou::Error>(())
/// ```
#[must_use]
pub fn explain(bytes: &[u8]) -> Vec<Span> {
    explain_with(bytes, &Dictionary::new())
}

/// What each byte of biniou values is, like [`explain`], with the names that `names` has for their
/// hashes.
///
/// ```
/// use fourfold::biniou::{explain_with, Dictionary};
///
/// let names = Dictionary::from_words("x")?;
/// let spans = explain_with(&[21, 1, 0x80, 0, 0, 0x78, 17, 9], &names);
/// assert_eq!(spans[2].value, "#00000078 x");
/// assert_eq!(spans[4].place.to_string(), "x");
/// # Ok::<(), fourfold::biniou::Error>(())
/// ```
#[must_use]
pub fn explain_with(bytes: &[u8], names: &Dictionary) -> Vec<Span> {
    collect(|each| values(bytes, names, DEFAULT_MAX_DEPTH, "", each))
}

/// What each byte of biniou values is, like [`explain_with`], one span after another: memory does
/// not grow with the input.
///
/// `each` is called with the spans of the value at `path`, written as a [`Place`](crate::Place) is,
/// and of everything inside it; an empty path selects everything. Other values are skipped. `each`
/// ends the walk with [`ControlFlow::Break`].
///
/// There are two differences if an input has more than 2<sup>20</sup> values: if the first value
/// alone has, it is taken for the only one, and the others are at `[1]` and so on; and references to
/// later shared values are neither found nor reported as wrong.
///
/// ```
/// use core::ops::ControlFlow;
/// use fourfold::biniou::{explain_each, Dictionary};
///
/// // ARRAY of 3 int8
/// let mut lines = Vec::new();
/// explain_each(&[19, 3, 1, 7, 8, 9], &Dictionary::new(), "[1]", |span| {
///     lines.push(format!("{:?} {}: {}", span.range, span.place, span.value));
///     ControlFlow::Continue(())
/// });
/// assert_eq!(lines, ["4..5 [1]: 8"]);
/// ```
pub fn explain_each(
    bytes: &[u8],
    names: &Dictionary,
    path: &str,
    mut each: impl FnMut(Span) -> ControlFlow<()>,
) {
    values(bytes, names, DEFAULT_MAX_DEPTH, path, &mut each);
}

/// The function that emits spans: `values` or `chunks`.
type Emit = fn(&[u8], &Dictionary, u16, &str, &mut Each<'_>);

fn values(bytes: &[u8], names: &Dictionary, max_depth: u16, path: &str, each: &mut Each<'_>) {
    let mut explanation = Explanation::new(Spans::new(path, each), names, max_depth);
    let _ = explanation.values(Reader::new(bytes, 0));
    explanation.spans.finish(bytes.len());
}

/// What each byte of a stream of chunks is, as [`ChunkReader`](super::ChunkReader) reads it: the
/// marks and lengths of the chunks, which are at `[0]`, `[1]` and so on, and the biniou value in
/// each, as [`explain`] explains it.
///
/// A chunk has a length, so that damage in one does not hide the next. What follows the end mark is
/// `not read`. The first byte does not show whether bytes are chunks or values: `01` begins a chunk
/// and an int8. If only one of the two explanations has no error, the bytes are that.
///
/// ```
/// use fourfold::biniou::explain_chunks;
///
/// // one chunk of 5 bytes: ARRAY of 2 int8; the end
/// let spans = explain_chunks(&[1, 0, 0, 0, 0, 0, 0, 0, 5, 19, 2, 1, 7, 8, 0]);
/// let lines: Vec<String> = spans
///     .iter()
///     .map(|span| format!("{:?} {}: {} {}", span.range, span.place, span.what, span.value))
///     .collect();
/// assert_eq!(lines, [
///     "0..1 [0]: chunk mark 1",
///     "1..9 [0]: length of chunk 5",
///     "9..10 [0]: tag array",
///     "10..11 [0]: count of items 2",
///     "11..12 [0]: tag of items int8",
///     "12..13 [0][0]: int8 7",
///     "13..14 [0][1]: int8 8",
///     "14..15 : end of chunks 0",
/// ]);
/// ```
#[must_use]
pub fn explain_chunks(bytes: &[u8]) -> Vec<Span> {
    explain_chunks_with(bytes, &Dictionary::new())
}

/// What each byte of a stream of chunks is, like [`explain_chunks`], with the names that `names`
/// has for their hashes.
///
/// ```
/// use fourfold::biniou::{explain_chunks_with, Dictionary};
///
/// let spans = explain_chunks_with(&[0], &Dictionary::new());
/// assert_eq!(spans[0].what, "end of chunks");
/// ```
#[must_use]
pub fn explain_chunks_with(bytes: &[u8], names: &Dictionary) -> Vec<Span> {
    collect(|each| chunks(bytes, names, DEFAULT_MAX_DEPTH, "", each))
}

/// What each byte of a stream of chunks is, like [`explain_chunks_with`], one span after another, in
/// the same way as [`explain_each`].
///
/// ```
/// use core::ops::ControlFlow;
/// use fourfold::biniou::{explain_chunks_each, Dictionary};
///
/// let mut count = 0;
/// explain_chunks_each(&[0, 0, 0], &Dictionary::new(), "", |_| {
///     count += 1;
///     ControlFlow::Break(())
/// });
/// assert_eq!(count, 1);
/// ```
pub fn explain_chunks_each(
    bytes: &[u8],
    names: &Dictionary,
    path: &str,
    mut each: impl FnMut(Span) -> ControlFlow<()>,
) {
    chunks(bytes, names, DEFAULT_MAX_DEPTH, path, &mut each);
}

fn chunks(bytes: &[u8], names: &Dictionary, max_depth: u16, path: &str, each: &mut Each<'_>) {
    let mut explanation = Explanation::new(Spans::new(path, each), names, max_depth);
    let _ = explanation.chunks(Reader::new(bytes, 0));
    explanation.spans.finish(bytes.len());
}

impl Options {
    /// What each byte of biniou values is, like [`explain_each`](super::explain_each), with these names
    /// and this depth.
    ///
    /// ```
    /// use core::ops::ControlFlow;
    /// use fourfold::biniou::Options;
    ///
    /// // ARRAY of 1 ARRAY of 1 int8
    /// let bytes = [19, 1, 19, 1, 1, 7];
    /// let mut errors = Vec::new();
    /// Options::new().max_depth(1).explain_each(&bytes, "", |span| {
    ///     errors.extend(span.error);
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(errors, ["nested deeper than 1 level"]);
    /// ```
    pub fn explain_each(
        &self,
        bytes: &[u8],
        path: &str,
        mut each: impl FnMut(Span) -> ControlFlow<()>,
    ) {
        self.emit(values, bytes, path, &mut each);
    }

    /// What each byte of a stream of chunks is, like
    /// [`explain_chunks_each`](super::explain_chunks_each), with these names and this depth.
    ///
    /// ```
    /// use core::ops::ControlFlow;
    /// use fourfold::biniou::Options;
    ///
    /// let mut last = String::new();
    /// Options::new().explain_chunks_each(&[0], "", |span| {
    ///     last = span.what.to_string();
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(last, "end of chunks");
    /// ```
    pub fn explain_chunks_each(
        &self,
        bytes: &[u8],
        path: &str,
        mut each: impl FnMut(Span) -> ControlFlow<()>,
    ) {
        self.emit(chunks, bytes, path, &mut each);
    }

    fn emit(&self, emit: Emit, bytes: &[u8], path: &str, each: &mut Each<'_>) {
        let none = Dictionary::new();
        let names = self.names.as_deref().unwrap_or(&none);
        emit(bytes, names, self.max_depth, path, each);
    }
}

/// After which errors the walk continues: only while the next value is still found.
type Outcome<T = ()> = core::result::Result<T, Stop>;

/// Spans under construction.
struct Explanation<'n, 's> {
    spans: Spans<'s>,
    names: &'n Dictionary,
    max_depth: u16,
    /// How many more rows without columns are accepted.
    budget: Budget,
}

/// A value that is being explained: the reader is where the spans end.
struct Walk<'e, 'n, 's, 'de> {
    explanation: &'e mut Explanation<'n, 's>,
    reader: Reader<'de>,
    depth: DepthMeter,
    /// Where the shared values so far begin, `LOOKED_AT` at most: ascending, because they are met in
    /// file order.
    definitions: Vec<usize>,
}

impl<'n, 's> Explanation<'n, 's> {
    fn new(spans: Spans<'s>, names: &'n Dictionary, max_depth: u16) -> Self {
        Explanation { spans, names, max_depth, budget: Budget::new() }
    }
}

impl Explanation<'_, '_> {
    /// Explains all bytes of the reader as concatenated values.
    fn values(&mut self, mut reader: Reader<'_>) -> Outcome {
        self.budget = Budget::new();
        let mut index = 0;
        if !self.has_several(reader) {
            self.value(&mut reader)?;
            index = 1;
        }
        while reader.left() > 0 && !self.spans.is_stopped() {
            self.spans.enter(|| Segment::Index(index));
            let outcome = self.value(&mut reader);
            self.spans.leave();
            outcome?;
            index += 1;
        }
        Ok(())
    }

    /// Whether there are values after the first, as far as a look ahead shows.
    fn has_several(&self, mut reader: Reader<'_>) -> bool {
        let mut looking = Explanation::new(Spans::looking(), self.names, self.max_depth);
        let outcome = looking.value(&mut reader);
        outcome.is_ok() && !looking.spans.is_stopped() && reader.left() > 0
    }

    /// Explains a value, which shares nothing with others.
    fn value(&mut self, reader: &mut Reader<'_>) -> Outcome {
        let depth = DepthMeter::new(self.max_depth);
        let mut walk = Walk { explanation: self, reader: *reader, depth, definitions: Vec::new() };
        let outcome = walk.tagged();
        let taken = reader.left() - walk.reader.left();
        *reader = walk.reader;
        self.budget.next_value(taken, None);
        outcome
    }
}

/// A hash, with its name if that is known.
fn named(names: &Dictionary, hash: u32) -> String {
    match names.name(hash) {
        Some(name) => format!("{} {name}", HashName::new(hash).as_str()),
        None => HashName::new(hash).into(),
    }
}

/// The step into the field or column of a hash.
fn field(names: &Dictionary, hash: u32) -> Segment {
    Segment::Field(match names.name(hash) {
        Some(name) => String::from(name).into(),
        None => String::from(HashName::new(hash)).into(),
    })
}

/// The text of an error, without the offset and path.
fn text(error: &Error) -> String {
    format!("{}", error.kind())
}
