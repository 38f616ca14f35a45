//! What is between the values of a biniou file. Every verb asks here.

use fourfold::biniou::{ChunkReader, Options, StreamDeserializer, Value};
use serde::Serialize;

use super::counted;

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
        let mut chunks = ChunkReader::new(bytes).max_input(u64::MAX);
        let are_values = chunks
            .all(|chunk| chunk.is_ok_and(|chunk| options.from_slice::<Value>(&chunk).is_ok()));
        match are_values || plain(bytes, options).any(|value| value.is_err()) {
            true => Framing::Chunks,
            false => Framing::None,
        }
    }
}

/// The chunks of a file, which are not looked into.
pub(crate) fn chunks(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    ChunkReader::new(bytes).max_input(u64::MAX).map_while(Result::ok)
}

/// Whether bytes are chunks, an end mark, and nothing else.
fn is_stream(bytes: &[u8]) -> bool {
    let mut reader = ChunkReader::new(bytes).max_input(u64::MAX);
    reader.all(|chunk| chunk.is_ok()) && !bytes.is_empty() && reader.into_inner().is_empty()
}

fn plain<'a>(
    bytes: &'a [u8],
    options: &Options,
) -> impl Iterator<Item = fourfold::biniou::Result<Value>> + use<'a> {
    StreamDeserializer::from_slice(bytes).with_options(options.clone())
}

/// A value, or why there is none.
type Given = Result<Value, String>;

/// The values of a file, one at a time. The last one may be an error; of an empty file the first is.
pub(crate) fn values<'a>(
    bytes: &'a [u8],
    options: &'a Options,
) -> (Framing, Box<dyn Iterator<Item = Given> + 'a>) {
    let framing = Framing::of(bytes, options);
    if bytes.is_empty() {
        let nothing = options.from_slice(bytes).map_err(|error| error.to_string());
        return (framing, Box::new(std::iter::once(nothing)));
    }
    if framing == Framing::None {
        let values = plain(bytes, options).map(|value| value.map_err(|error| error.to_string()));
        return (framing, Box::new(values));
    }
    let mut is_bad = false;
    let values = (0..).zip(chunks(bytes)).map_while(move |(at, chunk)| {
        let value = options.from_slice(&chunk);
        let value = value.map_err(|error| format!("{error} of chunk [{at}]"));
        (!std::mem::replace(&mut is_bad, value.is_err())).then_some(value)
    });
    (framing, Box::new(values))
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
