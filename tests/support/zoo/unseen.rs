//! Types that show the writer less than the reader needs.
//!
//! A format without names or type tags cannot bring them back. It may refuse them, when
//! written or when read; it may not bring back something else.

use super::structs::{Key, Point};
use crate::support::random::Dice;
use crate::support::random::value;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// No tag: the reader has to recognise the content.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Untagged {
    Number(u32),
    Text(String),
    Pair(u8, u8),
    Record { a: u8, b: String },
    Unit,
}

impl Untagged {
    pub(crate) fn sample(g: &mut Dice) -> Self {
        match pick(g, 5) {
            0 => Untagged::Number(value(g)),
            1 => Untagged::Text(value(g)),
            2 => Untagged::Pair(value(g), value(g)),
            3 => Untagged::Record { a: value(g), b: value(g) },
            _ => Untagged::Unit,
        }
    }
}

/// Items of one sequence that look different on the wire.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct UntaggedItems {
    pub(crate) before: u8,
    pub(crate) items: Vec<Untagged>,
}

impl UntaggedItems {
    pub(crate) fn sample(g: &mut Dice) -> Self {
        UntaggedItems {
            before: value(g),
            items: (0..pick(g, 4)).map(|_| Untagged::sample(g)).collect(),
        }
    }
}

/// The tag is a field among the others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind")]
pub(crate) enum Internal {
    Unit,
    Record { a: u8, b: String },
    Key(Key),
}

impl Internal {
    pub(crate) fn sample(g: &mut Dice) -> Self {
        match pick(g, 3) {
            0 => Internal::Unit,
            1 => Internal::Record { a: value(g), b: value(g) },
            _ => Internal::Key(value(g)),
        }
    }
}

/// Tag and content, where the content may be missing or is read by `deserialize_any`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "value")]
pub(crate) enum AdjacentLoose {
    Unit,
    Number(u32),
    Maybe(Option<u8>),
    Record { a: u8, b: Vec<String> },
}

impl AdjacentLoose {
    pub(crate) fn sample(g: &mut Dice) -> Self {
        match pick(g, 4) {
            0 => AdjacentLoose::Unit,
            1 => AdjacentLoose::Number(value(g)),
            2 => AdjacentLoose::Maybe(value(g)),
            _ => AdjacentLoose::Record { a: value(g), b: value(g) },
        }
    }
}

/// A struct in a struct. The writer sees a map of unknown length, which is enough to refuse.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct FlattenStruct {
    pub(crate) id: u32,
    #[serde(flatten)]
    pub(crate) point: Point,
    pub(crate) after: String,
}

impl FlattenStruct {
    pub(crate) fn sample(g: &mut Dice) -> Self {
        FlattenStruct { id: value(g), point: value(g), after: value(g) }
    }
}

/// All that is not a field goes into a map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct FlattenMap {
    pub(crate) id: u32,
    #[serde(flatten)]
    pub(crate) rest: BTreeMap<String, u32>,
}

impl FlattenMap {
    pub(crate) fn sample(g: &mut Dice) -> Self {
        let mut rest: BTreeMap<String, u32> = value(g);
        // It would be the field.
        rest.remove("id");
        FlattenMap { id: value(g), rest }
    }
}

/// Flattened, with a record further in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct FlattenNested {
    #[serde(flatten)]
    pub(crate) inner: Inner,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Inner {
    pub(crate) key: Key,
    pub(crate) points: Vec<Point>,
}

impl FlattenNested {
    pub(crate) fn sample(g: &mut Dice) -> Self {
        FlattenNested { inner: value(g) }
    }
}

/// Types that leave out of what they write what they read, or the other way round: no format can restore it.
/// that back.
pub(crate) const TORN: [&str; 3] = ["ReadOnly", "WriteOnly", "TupleSkipsIf"];

/// Read, never written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ReadOnly {
    pub(crate) a: u8,
    #[serde(skip_serializing, default)]
    pub(crate) b: u8,
    pub(crate) c: u8,
    #[serde(skip_serializing, default)]
    pub(crate) d: Option<u8>,
}

/// Written, never read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct WriteOnly {
    pub(crate) a: u8,
    #[serde(skip_deserializing)]
    pub(crate) b: u8,
    pub(crate) c: u8,
}

impl WriteOnly {
    pub(crate) fn sample(g: &mut Dice) -> Self {
        WriteOnly { a: value(g), b: value(g), c: value(g) }
    }
}

/// A tuple has no names: where a field is skipped, the others move up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct TupleSkipsIf(
    #[serde(skip_serializing_if = "Option::is_none", default)] pub(crate) Option<u8>,
    #[serde(default)] pub(crate) u8,
    #[serde(skip_serializing_if = "Vec::is_empty", default)] pub(crate) Vec<u8>,
);

/// Another format's message. Keys and strings only: numbers print as they like.
pub(crate) fn json(g: &mut Dice) -> serde_json::Value {
    match pick(g, 6) {
        0 => serde_json::Value::Null,
        1 => serde_json::json!(value::<bool>(g)),
        2 => serde_json::json!(value::<u32>(g)),
        3 => serde_json::json!(value::<Vec<String>>(g)),
        4 => serde_json::json!(value::<BTreeMap<String, Option<bool>>>(g)),
        _ => serde_json::json!(value::<String>(g)),
    }
}

fn pick(g: &mut Dice, variants: usize) -> usize {
    value::<usize>(g) % variants
}
