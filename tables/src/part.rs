//! Column types: the step between the types of schemas and those of Arrow.

mod biniou;
mod molecule;

use std::sync::Arc;

use arrow_schema::{DataType, Field, Fields, UnionFields, UnionMode};
use fourfold_schema::mol::NumberType;

pub(crate) use self::biniou::part as of_biniou;
pub(crate) use self::molecule::part as of_molecule;
use crate::{Error, Options, Result, Sums};

/// The type of a column or child column.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    pub(crate) kind: Kind,
    pub(crate) is_nullable: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    /// A type with a single value.
    Null,
    Bool,
    /// Integers, or bytes that represent little-endian integers.
    Int(Width),
    Float32,
    Float64,
    /// Little-endian integers as decimals of 38 digits.
    Decimal(NumberType),
    /// Little-endian integers as decimal digits.
    Digits(NumberType),
    FixedBytes(usize),
    Bytes,
    Text,
    List(Box<Part>),
    FixedList(Box<Part>, usize),
    /// Pairs: a struct of key and value.
    Map(Box<Part>),
    Struct(Vec<(String, Part)>),
    /// The names of variants, and the type of each one's value.
    Sum(Vec<(String, Option<Part>)>),
    /// The same as a union of Arrow.
    Union(Vec<(String, Option<Part>)>),
    /// An option whose value may be null: a nullable struct around the value.
    Option(Box<Part>),
    /// An encoded value.
    Encoded,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    U8,
    U16,
    U32,
    U64,
    I16,
    I32,
    I64,
}

/// The name of the column with the variant's name, unless a variant has that name.
const VARIANT: &str = "variant";
/// The name of the child of a nested option's struct.
const VALUE: &str = "value";

impl Kind {
    pub(crate) fn required(self) -> Part {
        Part { kind: self, is_nullable: false }
    }

    /// An optional value.
    pub(crate) fn optional(part: Part) -> Part {
        // Unions of Arrow have no nulls.
        let kind = match part.is_nullable || matches!(part.kind, Kind::Null | Kind::Union(_)) {
            true => Kind::Option(Box::new(part)),
            false => part.kind,
        };
        Part { kind, is_nullable: true }
    }

    /// One of several variants.
    pub(crate) fn of_variants(variants: Vec<(String, Option<Part>)>, options: &Options) -> Self {
        match options.sums {
            // Type ids of unions have seven bits.
            Sums::Union if variants.len() <= MOST_CHILDREN => Kind::Union(variants),
            _ => Kind::Sum(variants),
        }
    }

    fn data_type(&self) -> DataType {
        match self {
            Kind::Null => DataType::Null,
            Kind::Bool => DataType::Boolean,
            Kind::Int(Width::U8) => DataType::UInt8,
            Kind::Int(Width::U16) => DataType::UInt16,
            Kind::Int(Width::U32) => DataType::UInt32,
            Kind::Int(Width::U64) => DataType::UInt64,
            Kind::Int(Width::I16) => DataType::Int16,
            Kind::Int(Width::I32) => DataType::Int32,
            Kind::Int(Width::I64) => DataType::Int64,
            Kind::Float32 => DataType::Float32,
            Kind::Float64 => DataType::Float64,
            Kind::Decimal(_) => DataType::Decimal128(DECIMAL_DIGITS, 0),
            Kind::FixedBytes(size) => DataType::FixedSizeBinary(length(*size)),
            Kind::Bytes | Kind::Encoded => DataType::Binary,
            Kind::Text | Kind::Digits(_) => DataType::Utf8,
            Kind::List(item) => DataType::List(item.field(ITEM)),
            Kind::FixedList(item, count) => {
                DataType::FixedSizeList(item.field(ITEM), length(*count))
            }
            Kind::Map(entry) => DataType::Map(entry.field(ENTRIES), false),
            Kind::Struct(fields) => {
                DataType::Struct(fields.iter().map(|(name, part)| part.field(name)).collect())
            }
            Kind::Sum(variants) if is_enum(variants) => names_type(),
            Kind::Sum(variants) => DataType::Struct(sum_fields(variants)),
            Kind::Union(variants) => DataType::Union(union_fields(variants), UnionMode::Dense),
            Kind::Option(value) => DataType::Struct(Fields::from(vec![value.field(VALUE)])),
        }
    }

    /// What kind of type it is, for an error.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Kind::Null => "empty",
            Kind::Bool => "a bool",
            Kind::Int(_) | Kind::Decimal(_) | Kind::Digits(_) => "an integer",
            Kind::Float32 | Kind::Float64 => "a float",
            Kind::FixedBytes(_) | Kind::Bytes | Kind::Encoded => "bytes",
            Kind::Text => "a string",
            Kind::List(_) | Kind::FixedList(..) | Kind::Map(_) => "a list",
            Kind::Struct(_) => "a record",
            Kind::Sum(_) => "an enumeration of names",
            Kind::Union(_) => "a union",
            Kind::Option(_) => "an option",
        }
    }
}

/// Maximum number of children of an Arrow union.
const MOST_CHILDREN: usize = 128;

/// The names of children that Arrow's own writers use.
pub(crate) const ITEM: &str = "item";
pub(crate) const ENTRIES: &str = "entries";

/// Digits of a decimal of 128 bits.
pub(crate) const DECIMAL_DIGITS: u8 = 38;

/// Arrow's lengths are `i32`. Longer arrays are rejected before.
pub(crate) fn length(size: usize) -> i32 {
    i32::try_from(size).unwrap_or(i32::MAX)
}

/// The type of the names of variants.
pub(crate) fn names_type() -> DataType {
    DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
}

/// Whether no variant has a value.
pub(crate) fn is_enum(variants: &[(String, Option<Part>)]) -> bool {
    variants.iter().all(|(_, part)| part.is_none())
}

/// The children of a sum type: the name, then the values of the variants.
pub(crate) fn sum_fields(variants: &[(String, Option<Part>)]) -> Fields {
    let mut name = VARIANT.to_owned();
    while variants.iter().any(|(other, part)| part.is_some() && *other == name) {
        name.push('_');
    }
    let first = Arc::new(Field::new(name, names_type(), false));
    let values = variants.iter().filter_map(|(name, part)| {
        let part = part.as_ref()?;
        Some(Arc::new(Field::new(name, part.kind.data_type(), true)))
    });
    std::iter::once(first).chain(values).collect()
}

/// The children of a union.
pub(crate) fn union_fields(variants: &[(String, Option<Part>)]) -> UnionFields {
    let fields = variants.iter().zip(0..=i8::MAX).map(|((name, part), id)| {
        let field = match part {
            Some(part) => part.field(name),
            None => Arc::new(Field::new(name, DataType::Null, true)),
        };
        (id, field)
    });
    fields.collect()
}

impl Part {
    /// The field `name` of this type.
    pub(crate) fn field(&self, name: &str) -> Arc<Field> {
        Arc::new(Field::new(name, self.kind.data_type(), self.may_be_null()))
    }

    /// Whether Arrow reports a null for some value: in a union, if the variant's value is null.
    fn may_be_null(&self) -> bool {
        let is_null = |part: &Option<Part>| part.as_ref().is_none_or(Part::may_be_null);
        self.is_nullable
            || match &self.kind {
                Kind::Null => true,
                Kind::Union(variants) => variants.iter().any(|(_, part)| is_null(part)),
                _ => false,
            }
    }
}

/// State while a column type is made from a schema type.
pub(crate) struct Making<'o, T> {
    options: &'o Options,
    /// The requested type.
    name: &'o str,
    /// The types that contain the current one.
    around: Vec<T>,
    /// Number of columns so far.
    count: usize,
}

impl<'o, T: PartialEq + Copy> Making<'o, T> {
    pub(crate) fn new(options: &'o Options, name: &'o str) -> Self {
        Making { options, name, around: Vec::new(), count: 0 }
    }

    /// Whether values of the type become encoded bytes, since the type contains itself at the recursion limit.
    fn is_cut(&self, ty: T) -> bool {
        let times = self.around.iter().filter(|around| **around == ty).count();
        times >= self.options.recursion.max(1)
    }

    /// Runs `make` with `ty` as a containing type.
    fn inside<R>(&mut self, ty: T, make: impl FnOnce(&mut Self) -> Result<R>) -> Result<R> {
        self.count += 1;
        if self.count > MOST_PARTS {
            return Err(Error::TooManyColumns { name: self.name.into(), limit: MOST_PARTS });
        }
        if self.around.len() >= MOST_LEVELS {
            return Err(Error::TooDeep { name: self.name.into(), limit: MOST_LEVELS });
        }
        self.around.push(ty);
        let made = make(self);
        self.around.pop();
        made
    }
}

/// Maximum nesting of columns: the limit for reading values.
const MOST_LEVELS: usize = 128;

/// Maximum number of columns of a table, nested ones included.
const MOST_PARTS: usize = 10_000;
