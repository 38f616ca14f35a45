//! biniou: values and streams of chunks, past damage as long as the next value is found.

mod atom;
mod chunks;
mod node;

use fourfold::biniou::wire::MOST_EMPTY_ROWS;
use fourfold::biniou::{Error, Options};
use fourfold::{Reader, Segment};

use self::atom::Stop;
use super::{Each, Spans};

/// Explains values: one, or several concatenated ones.
///
/// If there is one value, the spans' places are the paths into it; of several, each is at `[0]`, `[1]` and so on. Names are
/// not in the bytes, so that fields are called by their hashes, or by the names of `options`. The depth of `options` is the
/// limit. A stream of chunks needs [`explain_chunks`].
///
/// There is an error if and only if a [`StreamDeserializer`](fourfold::biniou::StreamDeserializer) of
/// [`Value`](fourfold::biniou::Value)s returns an error, and the first is that error, at its offset; an input without bytes
/// has one too. After an error the walk continues as long as it is known where the next value begins; the rest is
/// `not read`. Numbers with more bytes than needed are accepted, with a note in `value`.
///
/// There are two differences if an input has more than 2<sup>20</sup> values: if the first value alone has, it is taken for
/// the only one, and the others are at `[1]` and so on; and references to later shared values are neither found nor
/// reported as wrong.
///
/// ```
/// use fourfold::biniou::{Dictionary, Options};
/// use fourfold_inspect::spans::{all, biniou};
///
/// // RECORD of 1 field: #00000078 is svint -5
/// let bytes = [21, 1, 0x80, 0, 0, 0x78, 17, 9];
/// let lines = |options: &Options| -> Vec<String> {
///     let spans = all(|each| biniou::explain(&bytes, options, "", each)).into_iter();
///     spans.map(|s| format!("{:?} {}: {} {}", s.range, s.place, s.what, s.value)).collect()
/// };
/// assert_eq!(lines(&Options::new()), [
///     "0..1 : tag record",
///     "1..2 : count of fields 1",
///     "2..6 #00000078: field hash #00000078",
///     "6..7 #00000078: tag svint",
///     "7..8 #00000078: svint -5",
/// ]);
/// let options = Options::new().names(Dictionary::from_words("x")?);
/// assert_eq!(lines(&options)[4], "7..8 x: svint -5");
/// # Ok::<(), fourfold::biniou::Error>(())
/// ```
pub fn explain(bytes: &[u8], options: &Options, path: &str, each: &mut Each<'_>) {
    let mut explanation = Explanation::new(Spans::new(path, each), options);
    let _ = explanation.values(Reader::new(bytes, 0));
    explanation.spans.finish(bytes.len());
}

/// Explains a stream of chunks, as [`ChunkReader`](fourfold::biniou::ChunkReader) reads it: the marks and lengths of the
/// chunks, which are at `[0]`, `[1]` and so on, and the value in each, as [`explain`] explains it.
///
/// A chunk has a length, so that damage in one does not hide the next. What follows the end mark is `not read`. The first
/// byte does not show whether bytes are chunks or values: `01` begins a chunk and an int8. If only one of the two
/// explanations has no error, the bytes are that.
///
/// ```
/// use fourfold::biniou::Options;
/// use fourfold_inspect::spans::{all, biniou};
///
/// // One chunk of 5 bytes: ARRAY of 2 int8; the end.
/// let bytes = [1, 0, 0, 0, 0, 0, 0, 0, 5, 19, 2, 1, 7, 8, 0];
/// let spans = all(|each| biniou::explain_chunks(&bytes, &Options::new(), "", each)).into_iter();
/// let lines: Vec<String> =
///     spans.map(|s| format!("{:?} {}: {} {}", s.range, s.place, s.what, s.value)).collect();
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
pub fn explain_chunks(bytes: &[u8], options: &Options, path: &str, each: &mut Each<'_>) {
    let mut explanation = Explanation::new(Spans::new(path, each), options);
    let _ = explanation.chunks(Reader::new(bytes, 0));
    explanation.spans.finish(bytes.len());
}

/// How many rows without columns each byte of a value adds to those that later values may have.
const EMPTY_ROWS_PER_BYTE: usize = 64;

/// After which errors the walk continues: only while the next value is still found.
type Outcome<T = ()> = Result<T, Stop>;

/// Spans under construction.
struct Explanation<'n, 's> {
    spans: Spans<'s>,
    options: &'n Options,
    /// How many more rows without columns are accepted.
    empty_rows: usize,
}

/// A value that is being explained: the reader is where the spans end.
struct Walk<'e, 'n, 's, 'de> {
    explanation: &'e mut Explanation<'n, 's>,
    reader: Reader<'de>,
    /// How many levels may still be entered.
    levels: u16,
    /// Where the shared values so far begin, `LOOKED_AT` at most: ascending, because they are met in
    /// file order.
    definitions: Vec<usize>,
}

/// How many rows without columns are accepted at first.
fn most_empty_rows() -> usize {
    usize::try_from(MOST_EMPTY_ROWS).unwrap_or(usize::MAX)
}

impl<'n, 's> Explanation<'n, 's> {
    fn new(spans: Spans<'s>, options: &'n Options) -> Self {
        Explanation { spans, options, empty_rows: most_empty_rows() }
    }

    /// The name of a hash, if it is known.
    fn name(&self, hash: u32) -> Option<&'n str> {
        self.options.dictionary()?.name(hash)
    }
}

impl Explanation<'_, '_> {
    /// Explains all bytes of the reader as concatenated values.
    fn values(&mut self, mut reader: Reader<'_>) -> Outcome {
        self.empty_rows = most_empty_rows();
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
        let mut looking = Explanation::new(Spans::looking(), self.options);
        let outcome = looking.value(&mut reader);
        outcome.is_ok() && !looking.spans.is_stopped() && reader.left() > 0
    }

    /// Explains a value, which shares nothing with others.
    fn value(&mut self, reader: &mut Reader<'_>) -> Outcome {
        let levels = self.options.depth_limit();
        let mut walk = Walk { explanation: self, reader: *reader, levels, definitions: Vec::new() };
        let outcome = walk.tagged();
        let taken = reader.left() - walk.reader.left();
        *reader = walk.reader;
        let earned = taken.saturating_mul(EMPTY_ROWS_PER_BYTE);
        self.empty_rows = self.empty_rows.saturating_add(earned).min(most_empty_rows());
        outcome
    }
}

/// A hash as text.
fn hash_name(hash: u32) -> String {
    format!("#{hash:08x}")
}

/// A hash, with its name if that is known.
fn named(name: Option<&str>, hash: u32) -> String {
    let hash = hash_name(hash);
    name.map_or(hash.clone(), |name| format!("{hash} {name}"))
}

/// The step into the field or column of a hash.
fn field(name: Option<&str>, hash: u32) -> Segment {
    Segment::Field(name.map_or_else(|| hash_name(hash), String::from).into())
}

/// The text of an error, without the offset and path.
fn text(error: &Error) -> String {
    error.kind().to_string()
}
