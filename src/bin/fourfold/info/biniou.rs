//! How many values a biniou file has, and of what shape.

use std::fmt;

use fourfold::biniou::{self, ChunkReader, Dictionary, StreamDeserializer, Value};
use serde::Serialize;

use super::shape::{Drawn, Named, Shape};
use super::{counted, named, number};
use crate::failure::Failure;
use crate::input::Input;

/// What is between values.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum Framing {
    /// Nothing.
    None,
    /// Each value is a chunk of a `Bi_stream`.
    Chunks,
}

/// Values one behind the other, and their common shape.
#[derive(Debug)]
pub(super) struct Report<'a> {
    file: String,
    bytes: u64,
    framing: Framing,
    values: u64,
    shape: Shape,
    names: &'a Dictionary,
    depth: usize,
}

impl<'a> Report<'a> {
    pub(super) fn of(input: &Input, names: &'a Dictionary, depth: usize) -> Result<Self, Failure> {
        let bytes: &[u8] = &input.bytes;
        let plain = sum(StreamDeserializer::<_, Value>::from_slice(bytes));
        let (framing, summed) = match plain {
            Ok(sum) => (Framing::None, sum),
            Err(error) => match chunks(bytes) {
                Some(sum) => (Framing::Chunks, sum),
                None => return Err(Failure::data(&input.name, error)),
            },
        };
        let (shape, values) = summed;
        if bytes.is_empty() {
            return Err(Failure::data(&input.name, "there is no value at byte 0"));
        }
        let (file, bytes) = (input.name.clone(), number(bytes.len()));
        Ok(Report { file, bytes, framing, values, shape, names, depth })
    }
}

/// The common shape of values, and how many there are. Only one at a time is in memory.
fn sum(values: impl Iterator<Item = biniou::Result<Value>>) -> biniou::Result<(Shape, u64)> {
    let (mut shape, mut count) = (Shape::default(), 0);
    for value in values {
        shape.add(&value?);
        count += 1;
    }
    Ok((shape, count))
}

/// The same of the values in chunks, if there is a whole stream of them and nothing else.
fn chunks(bytes: &[u8]) -> Option<(Shape, u64)> {
    let mut rest = bytes;
    let chunks = ChunkReader::new(&mut rest).map(|chunk| biniou::from_slice(&chunk?));
    let summed = sum(chunks).ok()?;
    rest.is_empty().then_some(summed)
}

impl Serialize for Report<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Plain<'a> {
            file: &'a str,
            format: &'static str,
            bytes: u64,
            framing: Framing,
            values: u64,
            shape: Named<'a>,
        }
        let Report { file, bytes, framing, values, shape, names, depth: _ } = self;
        let shape = Named { shape, names };
        Plain { file, format: "biniou", bytes: *bytes, framing: *framing, values: *values, shape }
            .serialize(serializer)
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = match self.framing {
            Framing::None => format!("biniou, {}", counted(self.values, "value")),
            Framing::Chunks => format!("biniou, a stream of {}", counted(self.values, "chunk")),
        };
        writeln!(f, "{}", named(&self.file, values, self.bytes))?;
        let (shape, names, depth) = (&self.shape, self.names, self.depth);
        writeln!(f, "\n{}", Drawn { shape, names, indent: 0, depth })
    }
}
