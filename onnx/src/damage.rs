//! Where bytes stop being messages of the schema. `prost` reports the names of the messages, not the place.

use bytes::Bytes;
use prost::{DecodeError, Message};

use crate::error::Error;
use crate::proto::{Attribute, Function, Graph, Model, Node, SparseTensor, Tensor};

/// Messages inside which the place is looked for. Others are small.
#[derive(Clone, Copy)]
enum Part {
    Model,
    Graph,
    Node,
    Attribute,
    Tensor,
    SparseTensor,
    Function,
}

impl Part {
    fn read(self, bytes: Bytes) -> Result<(), DecodeError> {
        match self {
            Part::Model => Model::decode(bytes).map(drop),
            Part::Graph => Graph::decode(bytes).map(drop),
            Part::Node => Node::decode(bytes).map(drop),
            Part::Attribute => Attribute::decode(bytes).map(drop),
            Part::Tensor => Tensor::decode(bytes).map(drop),
            Part::SparseTensor => SparseTensor::decode(bytes).map(drop),
            Part::Function => Function::decode(bytes).map(drop),
        }
    }

    /// The message of a field.
    fn field(self, number: u64) -> Option<Self> {
        Some(match (self, number) {
            (Part::Model, 7) | (Part::Attribute, 6 | 11) => Part::Graph,
            (Part::Model, 25) => Part::Function,
            (Part::Graph, 1) | (Part::Function, 7) => Part::Node,
            (Part::Graph, 5) | (Part::Attribute, 5 | 10) | (Part::SparseTensor, 1 | 2) => {
                Part::Tensor
            }
            (Part::Graph, 15) | (Part::Attribute, 22 | 23) => Part::SparseTensor,
            (Part::Node, 5) | (Part::Function, 11) => Part::Attribute,
            _ => return None,
        })
    }
}

/// A field of a message.
struct Field {
    number: u64,
    /// Where its content begins, if it has a length.
    content: Option<usize>,
    /// Where it ends; beyond the message if it is cut off.
    end: u64,
}

impl Field {
    /// The field at `at`, if there is one.
    fn at(bytes: &[u8], at: usize) -> Option<Self> {
        let (key, start) = varint(bytes, at)?;
        let (content, end) = match key & 7 {
            0 => (None, varint(bytes, start)?.1.try_into().ok()?),
            1 => (None, u64::try_from(start).ok()?.checked_add(8)?),
            5 => (None, u64::try_from(start).ok()?.checked_add(4)?),
            2 => {
                let (length, content) = varint(bytes, start)?;
                (Some(content), u64::try_from(content).ok()?.checked_add(length)?)
            }
            3 => (None, group(bytes, start, key >> 3)?.try_into().ok()?),
            _ => return None,
        };
        Some(Field { number: key >> 3, content, end })
    }
}

/// Where a group of fields ends whose first field is at `at`. `prost` skips groups, as all other fields that it does not
/// have.
fn group(bytes: &[u8], mut at: usize, number: u64) -> Option<usize> {
    /// `prost` stops there, too.
    const DEEPEST: usize = 100;
    let mut open = vec![number];
    while let Some(&number) = open.last() {
        let (key, start) = varint(bytes, at)?;
        at = match key & 7 {
            3 if open.len() >= DEEPEST => return None,
            3 => {
                open.push(key >> 3);
                start
            }
            4 if key >> 3 == number => {
                open.pop();
                start
            }
            _ => Field::at(bytes, at)?.end.try_into().ok()?,
        };
    }
    Some(at)
}

/// A number of 7 bits in each byte, and where it ends.
fn varint(bytes: &[u8], at: usize) -> Option<(u64, usize)> {
    let mut value = 0;
    for (index, byte) in bytes.get(at..)?.iter().take(10).enumerate() {
        value |= u64::from(byte & 0x7f).checked_shl(u32::try_from(index).ok()? * 7)?;
        if byte & 0x80 == 0 {
            return Some((value, at + index + 1));
        }
    }
    None
}

/// The most messages inside each other, as `prost` has it.
const DEEPEST: usize = 100;

/// The error of bytes that are no model, with the place.
pub(crate) fn error(bytes: &Bytes, error: &DecodeError) -> Error {
    let text = error.to_string();
    let text = innermost(text.strip_prefix("failed to decode Protobuf message: ").unwrap_or(&text));
    let (mut part, mut message, mut base) = (Part::Model, bytes.clone(), 0);
    for _ in 0..DEEPEST {
        let (at, field) = broken(part, &message);
        let inner = field.as_ref().and_then(|field| {
            let end = usize::try_from(field.end).ok().filter(|&end| end <= message.len())?;
            Some((part.field(field.number)?, field.content?..end))
        });
        let Some((next, range)) = inner else {
            let left = message.len() - at;
            let cut = field
                .filter(|field| usize::try_from(field.end).is_ok_and(|end| end > message.len()));
            let reason = match cut {
                Some(field) => format!(
                    "a field of {} bytes, of which {left} are there",
                    field.end - u64::try_from(at).unwrap_or(0)
                ),
                None => text,
            };
            return Error::Decode { reason, offset: base + at };
        };
        base += range.start;
        (part, message) = (next, message.slice(range));
    }
    Error::Decode { reason: text, offset: base }
}

/// The text with the innermost of its fields only: the offset leads to it, and the fields around it are written after
/// it, without indices.
fn innermost(text: &str) -> String {
    let is_field = |part: &str| part.contains('.') && !part.contains(' ');
    let mut parts = text.split(": ").peekable();
    let field = parts.next_if(|part| is_field(part));
    while parts.next_if(|part| is_field(part)).is_some() {}
    field.into_iter().chain(parts).collect::<Vec<_>>().join(": ")
}

/// Where the first field is that cannot be read.
fn broken(part: Part, message: &Bytes) -> (usize, Option<Field>) {
    let mut at = 0;
    while at < message.len() {
        let Some(field) = Field::at(message, at) else { return (at, None) };
        let end = usize::try_from(field.end).unwrap_or(usize::MAX);
        if end > message.len() || part.read(message.slice(at..end)).is_err() {
            return (at, Some(field));
        }
        at = end;
    }
    (0, None)
}
