//! Enums of every kind of variant and every visible representation.

use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use std::collections::BTreeMap;

use super::structs::{Key, NewtypeOption, Point};

/// Units only. serde numbers variants by position, whatever the values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) enum Suit {
    Clubs = 9,
    Diamonds = 1,
    Hearts = 300,
    Spades = 0,
}

/// One variant of each kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Shape {
    Nothing,
    Circle(u32),
    Line(Point, Point),
    Label { at: Point, text: String },
}

/// Variants around values that take little or no space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Hollow {
    Unit,
    UnitInside(()),
    OptionInside(Option<u8>),
    NewtypeInside(NewtypeOption),
    VecInside(Vec<u16>),
    NoTuple(),
    NoStruct {},
    MapInside(BTreeMap<u8, u8>),
    Array([u8; 0]),
}

/// Variants around every other kind of thing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Carrier {
    Scalar(i64),
    Text(String),
    Bytes(ByteBuf),
    Strings(Vec<String>),
    Fixed((u8, u16)),
    Mixed((u8, String)),
    Array([u16; 3]),
    Record(Key),
    Map(BTreeMap<String, u8>),
    Enum(Shape),
    Tuple(u8, u16),
    TupleMixed(u8, Option<String>, Vec<Shape>),
    Struct { shape: Shape, next: Option<Suit> },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Only {
    One { only: Shape },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Either<A, B> {
    Left(A),
    Right(B),
    Both(A, B),
}

/// The first variant ends the recursion when the generator runs out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Expression {
    Number(i64),
    Negative(Box<Expression>),
    Sum(Box<Expression>, Box<Expression>),
    Call { name: String, args: Vec<Expression> },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "renamed-enum", rename_all = "kebab-case", rename_all_fields = "UPPERCASE")]
pub(crate) enum RenamedEnum {
    FirstOne,
    #[serde(rename = "2")]
    Second(u8),
    #[serde(alias = "drittes", alias = "troisième")]
    Third {
        one_field: u8,
        #[serde(alias = "other")]
        another: String,
    },
    Fourth(Option<u8>),
}

/// Skipped variants are last, so that the others keep their number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum SkippedVariant {
    One(u8),
    Two {
        #[serde(skip_serializing_if = "Option::is_none")]
        maybe: Option<String>,
        always: u8,
        #[serde(skip)]
        never: u8,
    },
    #[serde(skip)]
    Hidden,
}

/// Tag and content. Not with unit variants, whose content is not written, nor with struct
/// variants, which serde reads by taking whatever comes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "value")]
pub(crate) enum Adjacent {
    Number(u32),
    Pair(u8, String),
    Record(Key),
    Texts(Vec<String>),
}
