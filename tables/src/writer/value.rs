//! Values of arrays as serde deserializers: the input of the library's `make`.

use fourfold_schema::mol::NumberType;
use serde_core::de::value::UsizeDeserializer;
use serde_core::de::{
    DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer as _, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use serde_core::forward_to_deserialize_any;

use super::error::ValueError;
use super::view::{Data, Ints, View};

type Result<T> = std::result::Result<T, ValueError>;

/// How integers of more than a byte are passed to `make`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Numbers {
    /// As integers.
    Ints,
    /// As little-endian bytes.
    Bytes,
}

/// A range of values of an array, as a list.
#[derive(Clone, Copy)]
pub(super) struct Rows<'v> {
    pub(super) view: &'v View<'v>,
    pub(super) numbers: Numbers,
    pub(super) start: usize,
    pub(super) len: usize,
}

impl<'v> Rows<'v> {
    pub(super) fn get(self, row: usize) -> Cell<'v> {
        let row = self.start.saturating_add(row);
        Cell { view: self.view, numbers: self.numbers, row, is_some: false }
    }
}

/// A value of an array.
#[derive(Clone, Copy)]
pub(super) struct Cell<'v> {
    view: &'v View<'v>,
    numbers: Numbers,
    row: usize,
    /// Whether `visit_some` was called for it.
    is_some: bool,
}

impl<'v> Cell<'v> {
    fn of(self, view: &'v View<'v>, row: usize) -> Self {
        Cell { view, row, is_some: false, ..self }
    }

    fn show_option<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.is_some {
            return visitor.visit_some(self);
        }
        if self.view.is_null(self.row) {
            return visitor.visit_none();
        }
        match &self.view.data {
            Data::Option(value) => visitor.visit_some(self.of(value, self.row)),
            _ => visitor.visit_some(Cell { is_some: true, ..self }),
        }
    }

    fn show<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let Cell { view, numbers, row, is_some } = self;
        if view.is_option && !is_some {
            return self.show_option(visitor);
        }
        if view.is_null(row) {
            return Err(ValueError::null());
        }
        match &view.data {
            Data::Null => visitor.visit_unit(),
            Data::Bool(values) => visitor.visit_bool(values.value(row)),
            Data::Int(ints) => ints.show(row, numbers, visitor),
            Data::F32(values) => visitor.visit_f32(one(values, row)?),
            Data::F64(values) => visitor.visit_f64(one(values, row)?),
            Data::Decimal(values, ty) => of_digits(*ty, &one(values, row)?.to_string(), visitor),
            Data::Digits(values, ty) => of_digits(*ty, values.value(row), visitor),
            Data::FixedBytes(values) => visitor.visit_bytes(values.value(row)),
            Data::Bytes(values) => visitor.visit_bytes(values.value(row)),
            Data::Text(values) => visitor.visit_bytes(values.value(row).as_bytes()),
            Data::List(offsets, items) => {
                let place = |at| usize::try_from(one(offsets, at)?).map_err(|_| ValueError::null());
                let (start, end) = (place(row)?, place(row + 1)?);
                visitor.visit_seq(Items { items: self.of(items, start), start, end })
            }
            Data::FixedList(count, items) => {
                let start = row.saturating_mul(*count);
                let end = start.saturating_add(*count);
                visitor.visit_seq(Items { items: self.of(items, start), start, end })
            }
            Data::Struct(fields) => visitor.visit_map(Fields {
                record: self,
                fields: fields.iter().enumerate(),
                next: None,
            }),
            Data::Sum(sum) => {
                let (place, name, value) = sum.variant(row)?;
                let value = value.map(|view| self.of(view, row));
                visitor.visit_enum(Choice { place, name, value })
            }
            Data::Union(union, variants) => {
                let place = usize::try_from(union.type_id(row)).ok();
                let found = place.and_then(|place| Some((place, variants.get(place)?)));
                let Some((place, (name, view))) = found else { return Err(ValueError::null()) };
                let value = Some(self.of(view, union.value_offset(row)));
                visitor.visit_enum(Choice { place, name, value })
            }
            // An option.
            Data::Option(_) => self.show_option(visitor),
        }
    }
}

/// Passes a number on as its bytes.
fn of_digits<'de, V: Visitor<'de>>(ty: NumberType, digits: &str, visitor: V) -> Result<V::Value> {
    match ty.parse(digits) {
        Some(bytes) => visitor.visit_bytes(&bytes),
        None => {
            let (bits, sign) = (ty.size() * 8, if ty.is_signed() { "" } else { "un" });
            Err(ValueError::new(format!("invalid {sign}signed integer of {bits} bits: `{digits}`")))
        }
    }
}

/// The value at that index. Arrays have one for each row.
#[inline]
fn one<T: Copy>(values: &[T], row: usize) -> Result<T> {
    values.get(row).copied().ok_or_else(ValueError::null)
}

impl Ints<'_> {
    fn show<'de, V: Visitor<'de>>(
        self,
        row: usize,
        numbers: Numbers,
        visitor: V,
    ) -> Result<V::Value> {
        /// Both representations of an integer.
        macro_rules! show {
            ($values:ident, $visit:ident, $wide:ty) => {{
                let number = one($values, row)?;
                match numbers {
                    Numbers::Ints => visitor.$visit(<$wide>::from(number)),
                    Numbers::Bytes => visitor.visit_bytes(&number.to_le_bytes()),
                }
            }};
        }
        match self {
            Ints::U8(values) => visitor.visit_u64(u64::from(one(values, row)?)),
            Ints::U16(values) => show!(values, visit_u64, u64),
            Ints::U32(values) => show!(values, visit_u64, u64),
            Ints::U64(values) => show!(values, visit_u64, u64),
            Ints::I16(values) => show!(values, visit_i64, i64),
            Ints::I32(values) => show!(values, visit_i64, i64),
            Ints::I64(values) => show!(values, visit_i64, i64),
        }
    }
}

impl<'de> Deserializer<'de> for Cell<'_> {
    type Error = ValueError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.show(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.show_option(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.view.data {
            // A record without fields.
            Data::Null => visitor.visit_map(Fields {
                record: self,
                fields: [].iter().enumerate(),
                next: None,
            }),
            _ => self.show(visitor),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct struct enum identifier ignored_any
    }
}

impl<'de> Deserializer<'de> for Rows<'_> {
    type Error = ValueError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_seq(RowAccess { rows: self, next: 0 })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}

struct RowAccess<'v> {
    rows: Rows<'v>,
    next: usize,
}

impl<'de> SeqAccess<'de> for RowAccess<'_> {
    type Error = ValueError;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let row = self.next;
        if row >= self.rows.len {
            return Ok(None);
        }
        self.next += 1;
        seed.deserialize(self.rows.get(row)).map(Some).map_err(|error| error.in_row(row))
    }
}

struct Items<'v> {
    /// The next item.
    items: Cell<'v>,
    start: usize,
    end: usize,
}

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = ValueError;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let item = self.items;
        if item.row >= self.end {
            return Ok(None);
        }
        self.items.row += 1;
        let value = seed.deserialize(item).map(Some);
        value.map_err(|error| error.in_item(item.row - self.start))
    }
}

type Named<'v> = (&'v str, View<'v>);

/// Fields and cells, by their indices.
struct Fields<'v> {
    record: Cell<'v>,
    fields: std::iter::Enumerate<std::slice::Iter<'v, Named<'v>>>,
    next: Option<&'v Named<'v>>,
}

impl<'de> MapAccess<'de> for Fields<'_> {
    type Error = ValueError;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Some((place, field)) = self.fields.next() else { return Ok(None) };
        self.next = Some(field);
        let place: UsizeDeserializer<ValueError> = place.into_deserializer();
        seed.deserialize(place).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        let Some((name, view)) = self.next.take() else { return Err(ValueError::null()) };
        let value = seed.deserialize(self.record.of(view, self.record.row));
        value.map_err(|error| error.in_field(name))
    }
}

/// A variant, by its index.
struct Choice<'v> {
    place: usize,
    name: &'v str,
    value: Option<Cell<'v>>,
}

impl<'de, 'v> EnumAccess<'de> for Choice<'v> {
    type Error = ValueError;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self)> {
        let place: UsizeDeserializer<ValueError> = self.place.into_deserializer();
        Ok((seed.deserialize(place)?, self))
    }
}

impl<'de> VariantAccess<'de> for Choice<'_> {
    type Error = ValueError;

    fn unit_variant(self) -> Result<()> {
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value> {
        let Some(value) = self.value else { return Err(ValueError::null()) };
        seed.deserialize(value).map_err(|error| error.in_field(self.name))
    }

    // A variant has one value, whatever its type is.
    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        match self.value {
            Some(value) => value.show(visitor).map_err(|error| error.in_field(self.name)),
            None => visitor.visit_unit(),
        }
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.tuple_variant(0, visitor)
    }
}
