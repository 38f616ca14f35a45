//! The description of a random type.

use std::fmt;
use std::rc::Rc;

pub(crate) type Type = Rc<Schema>;

/// A type: what it requests from a deserializer, and what it does with the result.
#[derive(Clone)]
pub(crate) struct Schema {
    pub(crate) shape: Shape,
    /// Refuses odd numbers, odd lengths, units and `None`.
    pub(crate) picky: bool,
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.picky { "picky " } else { "" })?;
        self.shape.fmt(f)
    }
}

impl Schema {
    /// The nested types.
    fn inner(&self) -> impl Iterator<Item = &Schema> {
        let types: Vec<&Type> = match &self.shape {
            Shape::Option(inner)
            | Shape::Newtype(_, _, inner)
            | Shape::Lenient(inner)
            | Shape::Refusing(inner) => vec![inner],
            Shape::Sequence(parts)
            | Shape::Tuple(parts)
            | Shape::TupleStruct(_, parts)
            | Shape::Map(parts)
            | Shape::Struct(_, parts) => parts.types.iter().collect(),
            Shape::Enum(_, _, variants) => variants.iter().flat_map(Variant::inner).collect(),
            Shape::Scalar(_)
            | Shape::Text
            | Shape::Bytes
            | Shape::Unit
            | Shape::UnitStruct(_)
            | Shape::Any
            | Shape::Identifier
            | Shape::Ignored
            | Shape::Idle => Vec::new(),
        };
        types.into_iter().map(Rc::as_ref)
    }

    /// Whether `is_so` returns true for the type or a nested type.
    pub(crate) fn any(&self, is_so: impl Fn(&Schema) -> bool) -> bool {
        fn any(schema: &Schema, is_so: &dyn Fn(&Schema) -> bool) -> bool {
            is_so(schema) || schema.inner().any(|inner| any(inner, is_so))
        }
        any(self, &is_so)
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Shape {
    Scalar(Scalar),
    Text,
    Bytes,
    Unit,
    UnitStruct(&'static str),
    Option(Type),
    Newtype(&'static str, Inner, Type),
    Sequence(Parts),
    Tuple(Parts),
    TupleStruct(&'static str, Parts),
    /// The elements are the types of keys and of values.
    Map(Parts),
    Struct(&'static str, Parts),
    Enum(&'static str, Content, Vec<Variant>),
    Any,
    Identifier,
    Ignored,
    /// Ignores the error of a value.
    Lenient(Type),
    /// Reads a value, and refuses every second one.
    Refusing(Type),
    /// Requests nothing.
    Idle,
}

/// Calls a macro with each type of number: its variant, the type, and the methods to request, visit and write it.
macro_rules! for_each_number {
    ($callback:ident) => {
        $callback! {
            U8 u8 deserialize_u8 visit_u8 serialize_u8,
            U16 u16 deserialize_u16 visit_u16 serialize_u16,
            U32 u32 deserialize_u32 visit_u32 serialize_u32,
            U64 u64 deserialize_u64 visit_u64 serialize_u64,
            U128 u128 deserialize_u128 visit_u128 serialize_u128,
            I8 i8 deserialize_i8 visit_i8 serialize_i8,
            I16 i16 deserialize_i16 visit_i16 serialize_i16,
            I32 i32 deserialize_i32 visit_i32 serialize_i32,
            I64 i64 deserialize_i64 visit_i64 serialize_i64,
            I128 i128 deserialize_i128 visit_i128 serialize_i128
        }
    };
}
pub(crate) use for_each_number;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Scalar {
    U8,
    U16,
    U32,
    U64,
    U128,
    I8,
    I16,
    I32,
    I64,
    I128,
    F32,
    F64,
    Bool,
    Char,
}

/// How a newtype struct reads its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Inner {
    Read,
    /// Continues without it if it fails.
    Lenient,
    /// Reads it, and then refuses it.
    Refused,
    /// Does not request it.
    Idle,
}

/// How an enum reads the content of its variant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Content {
    Read,
    /// With a seed, if it is a newtype variant.
    Seed,
    /// Continues without it if it fails.
    Lenient,
    /// Requests only the variant.
    Idle,
    /// Does not request the variant.
    NoVariant,
}

#[derive(Clone, Debug)]
pub(crate) enum Variant {
    Unit,
    Newtype(Type),
    Tuple(Parts),
    Struct(Parts),
}

impl Variant {
    fn inner(&self) -> &[Type] {
        match self {
            Variant::Unit => &[],
            Variant::Newtype(inner) => std::slice::from_ref(inner),
            Variant::Tuple(parts) | Variant::Struct(parts) => &parts.types,
        }
    }
}

/// The elements of a compound value, and how it reads them.
#[derive(Clone)]
pub(crate) struct Parts {
    pub(crate) types: Vec<Type>,
    /// Maximum number of requested elements; a struct requests all.
    pub(crate) most: usize,
    /// Ignores errors of elements.
    pub(crate) swallows: bool,
    /// Returns an error after the last element.
    pub(crate) refuses: bool,
    pub(crate) take: Take,
    /// A struct requests more names than it has fields.
    pub(crate) aliased: bool,
    pub(crate) wrong_length: Option<WrongLength>,
}

impl fmt::Debug for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} by {:?}", self.types, self.take)?;
        if self.most != Parts::ALL {
            write!(f, " taking {}", self.most)?;
        }
        for (is, word) in [
            (self.swallows, "swallows"),
            (self.refuses, "refuses"),
            (self.aliased, "aliased"),
            (self.wrong_length.is_some(), "misannounces"),
        ] {
            f.write_str(if is { " " } else { "" })?;
            f.write_str(if is { word } else { "" })?;
        }
        self.wrong_length.map_or(Ok(()), |wrong_length| write!(f, " {wrong_length:?}"))
    }
}

impl Parts {
    /// More than the elements of any sequence.
    pub(crate) const ALL: usize = 300;

    /// The names of fields that a struct of these elements requests.
    pub(crate) fn fields(&self) -> &'static [&'static str] {
        &FIELDS[..self.types.len() + usize::from(self.aliased)]
    }
}

/// The method that reads an element. Readers have fast paths for values that can be read twice: small ones that need no
/// drop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Take {
    /// `next_element_seed`.
    Seed,
    /// The same, for a value without bytes.
    EmptySeed,
    /// `next_element`, here and below, of `Copy` values.
    Copied8,
    Copied16,
    Copied80,
    Copied304,
    Dropping,
    /// A value without bytes.
    Empty,
}

/// How the written elements differ from those that were announced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum WrongLength {
    /// Announces one more element than it writes.
    Count,
    /// Writes a map's keys and no values.
    Values,
    /// Skips a field that it has announced.
    Field,
}

/// Names of fields: as many as the largest struct has, and an alias.
pub(crate) const FIELDS: [&str; 5] = ["a", "b", "c", "d", "e"];
pub(crate) const VARIANTS: [&str; 3] = ["A", "B", "C"];
