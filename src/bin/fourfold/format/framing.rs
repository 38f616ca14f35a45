//! What is between the values of a biniou file. Every verb asks here.

use fourfold::biniou::{Options, StreamDeserializer, Value};
use serde::Serialize;
use serde::de::IgnoredAny;

use super::counted;

/// In front of a chunk, and behind the last one.
const CHUNK: u8 = 1;
pub(super) const END: u8 = 0;

/// How many bytes stand in front of what is in a chunk: the mark, and how long the chunk is.
const HEADER: usize = 9;

/// How the values of a file follow one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Framing {
    /// One behind the other; most often there is only one.
    None,
    /// Each value is a chunk of a `Bi_stream`.
    Chunks,
}

impl Framing {
    /// So many values: `stream of 3 chunks`.
    pub(super) fn counted(self, count: usize) -> String {
        match self {
            Framing::None => counted(count, "value"),
            Framing::Chunks => format!("stream of {}", counted(count, "chunk")),
        }
    }

    /// Values are the rule. A stream is a whole one: chunks up to an end mark behind which nothing
    /// stands, a value in each of them, or at least nothing that reads without chunks.
    pub(crate) fn of(bytes: &[u8], options: &Options) -> Self {
        if !is_stream(bytes) {
            return Framing::None;
        }
        // Values are stepped over: a large one would take many times its room.
        match chunks(bytes).all(|chunk| is_value(chunk, options)) || !are_values(bytes, options) {
            true => Framing::Chunks,
            false => Framing::None,
        }
    }

    /// The [`values`] of a file whose values follow one another so.
    pub(crate) fn values<'a>(
        self,
        bytes: &'a [u8],
        options: &'a Options,
    ) -> Box<dyn Iterator<Item = Given> + 'a> {
        if bytes.is_empty() {
            let nothing = options.from_slice(bytes).map_err(|error| error.to_string());
            return Box::new(std::iter::once(nothing));
        }
        if self == Framing::None {
            let values = StreamDeserializer::from_slice(bytes).with_options(options.clone());
            return Box::new(values.map(|value| value.map_err(|error| error.to_string())));
        }
        let mut is_bad = false;
        Box::new((0..).zip(chunks(bytes)).map_while(move |(at, chunk)| {
            let value = options.from_slice(chunk);
            let value = value.map_err(|error| format!("{error} of chunk [{at}]"));
            (!std::mem::replace(&mut is_bad, value.is_err())).then_some(value)
        }))
    }

    /// How many values there are up to the first that cannot be stepped over.
    pub(crate) fn count(self, bytes: &[u8], options: &Options) -> usize {
        match self {
            Framing::None => skipped(bytes, options).take_while(Result::is_ok).count(),
            Framing::Chunks => chunks(bytes).take_while(|chunk| is_value(chunk, options)).count(),
        }
    }
}

/// What stands where a chunk may begin.
pub(super) enum Begun<'a> {
    /// The mark of a chunk: how long it is, and all that follows.
    Chunk(usize, &'a [u8]),
    /// What so many bytes more could make one.
    Cut(usize),
    /// Anything else.
    Other,
}

impl<'a> Begun<'a> {
    pub(super) fn by(bytes: &'a [u8]) -> Self {
        match bytes.split_first_chunk::<HEADER>() {
            Some(([CHUNK, length @ ..], rest)) => {
                let length = usize::try_from(u64::from_be_bytes(*length));
                Begun::Chunk(length.unwrap_or(usize::MAX), rest)
            }
            None if bytes.first().is_none_or(|mark| *mark == CHUNK) => {
                Begun::Cut(HEADER - bytes.len())
            }
            _ => Begun::Other,
        }
    }
}

/// The chunks of a file, which are not looked into.
pub(crate) fn chunks(bytes: &[u8]) -> Chunks<'_> {
    Chunks { rest: bytes }
}

pub(crate) struct Chunks<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Chunks<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let Begun::Chunk(length, rest) = Begun::by(self.rest) else { return None };
        let (chunk, rest) = rest.split_at_checked(length)?;
        self.rest = rest;
        Some(chunk)
    }
}

/// Whether bytes are chunks, an end mark, and nothing else.
fn is_stream(bytes: &[u8]) -> bool {
    let mut chunks = chunks(bytes);
    chunks.by_ref().for_each(drop);
    chunks.rest == [END]
}

/// Whether bytes can be stepped over as one value.
pub(super) fn is_value(bytes: &[u8], options: &Options) -> bool {
    options.from_slice::<IgnoredAny>(bytes).is_ok()
}

/// The same, as values one behind the other.
fn are_values(bytes: &[u8], options: &Options) -> bool {
    skipped(bytes, options).all(|value| value.is_ok())
}

fn skipped<'a>(bytes: &'a [u8], options: &Options) -> StreamDeserializer<&'a [u8], IgnoredAny> {
    StreamDeserializer::from_slice(bytes).with_options(options.clone())
}

/// Whether the bytes of a file can be stepped over as values or chunks of such, however many there
/// are.
pub(super) fn can_be_passed(bytes: &[u8], options: &Options) -> bool {
    let is_value = |chunk| is_value(chunk, options);
    !bytes.is_empty()
        && (are_values(bytes, options) || (is_stream(bytes) && chunks(bytes).all(is_value)))
}

/// A value, or why there is none.
pub(crate) type Given = Result<Value, String>;

/// The values of a file, one at a time. The last one may be an error; of an empty file the first is.
pub(crate) fn values<'a>(
    bytes: &'a [u8],
    options: &'a Options,
) -> (Framing, Box<dyn Iterator<Item = Given> + 'a>) {
    let framing = Framing::of(bytes, options);
    (framing, framing.values(bytes, options))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], framing: Framing, count: usize) {
        let options = Options::new();
        let (found, values) = values(bytes, &options);
        assert_eq!((found, values.filter(Result::is_ok).count()), (framing, count));
    }

    #[test]
    fn values_are_told_from_chunks() {
        check(&[], Framing::None, 0);
        // An empty stream, and a value that ends early.
        check(&[0], Framing::Chunks, 0);
        check(&[1], Framing::None, 0);
        check(&[0, 1, 0, 0], Framing::None, 2);
        // One chunk of three bytes, a text: also an int8, three bools and an int32.
        check(&[1, 0, 0, 0, 0, 0, 0, 0, 3, 18, 1, b'a', 0], Framing::Chunks, 1);
        // The same with what is no value.
        check(&[1, 0, 0, 0, 0, 0, 0, 0, 3, 18, 9, b'a', 0], Framing::None, 5);
        // A chunk without a value in what cannot be anything else.
        check(&[1, 0, 0, 0, 0, 0, 0, 0, 1, 9, 0], Framing::Chunks, 0);
    }
}
