//! A `Serialize` for every schema: writes a random value, the same one each time.

use serde::ser::{
    Error, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTuple, SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use crate::schema::{
    FIELDS, Parts, Scalar, Schema, Shape, VARIANTS, Variant, WrongLength, for_each_number,
};
use crate::support::random::Dice;

/// A value of a schema.
#[derive(Clone, Copy)]
pub(crate) struct Value<'s> {
    schema: &'s Schema,
    seed: u64,
}

impl<'s> Value<'s> {
    pub(crate) const fn new(schema: &'s Schema, seed: u64) -> Self {
        Value { schema, seed }
    }

    /// A nested value.
    fn inner(&self, schema: &'s Schema, index: u64) -> Self {
        let seed = Dice::new(self.seed.wrapping_add(index).wrapping_mul(31)).roll();
        Value { schema, seed }
    }

    /// One value of each type of the elements.
    fn each(&self, parts: &'s Parts) -> impl Iterator<Item = Self> {
        (0..).zip(&parts.types).map(|(index, schema)| self.inner(schema, index))
    }

    /// Random bits, mostly a small number.
    fn bits(&self) -> u64 {
        let mut dice = Dice::new(self.seed);
        let bits = dice.roll();
        if dice.one_in(3) { bits } else { bits % 5 }
    }

    /// A number below `bound`.
    fn choice(&self, bound: usize) -> usize {
        usize::try_from(self.bits() % bound as u64).unwrap()
    }
}

impl Parts {
    fn announced(&self, count: usize) -> usize {
        count + usize::from(self.wrong_length == Some(WrongLength::Count))
    }

    /// Whether writing continues after this element.
    fn written<E>(&self, part: Result<(), E>) -> Result<(), E> {
        match self.swallows {
            true => Ok(()),
            false => part,
        }
    }
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match &self.schema.shape {
            Shape::Scalar(scalar) => write_scalar(*scalar, self.bits(), to),
            Shape::Text | Shape::Identifier => {
                let text: String = "ein längerer Text".chars().take(self.choice(10)).collect();
                to.serialize_str(&text)
            }
            Shape::Bytes => to.serialize_bytes(&b"some bytes"[..self.choice(10)]),
            Shape::Unit | Shape::Any | Shape::Ignored | Shape::Idle => to.serialize_unit(),
            Shape::UnitStruct(name) => to.serialize_unit_struct(name),
            Shape::Option(_) if self.bits() % 3 == 0 => to.serialize_none(),
            Shape::Option(inner) => to.serialize_some(&self.inner(inner, 1)),
            Shape::Newtype(name, _, inner) => {
                to.serialize_newtype_struct(name, &self.inner(inner, 1))
            }
            Shape::Sequence(parts) => self.sequence(parts, to),
            Shape::Tuple(parts) => {
                let mut tuple = to.serialize_tuple(parts.announced(parts.types.len()))?;
                for part in self.each(parts) {
                    parts.written(tuple.serialize_element(&part))?;
                }
                tuple.end()
            }
            Shape::TupleStruct(name, parts) => {
                let count = parts.announced(parts.types.len());
                let mut tuple = to.serialize_tuple_struct(name, count)?;
                for part in self.each(parts) {
                    parts.written(tuple.serialize_field(&part))?;
                }
                tuple.end()
            }
            Shape::Map(parts) => self.map(parts, to),
            Shape::Struct(name, parts) => {
                let count = parts.announced(parts.types.len());
                let mut fields = to.serialize_struct(name, count)?;
                for (field, part) in FIELDS.into_iter().zip(self.each(parts)) {
                    let is_skipped =
                        parts.wrong_length == Some(WrongLength::Field) && field == FIELDS[1];
                    parts.written(match is_skipped {
                        true => fields.skip_field(field),
                        false => fields.serialize_field(field, &part),
                    })?;
                }
                fields.end()
            }
            Shape::Enum(name, _, variants) => self.variant(name, variants, to),
            Shape::Lenient(inner) => Value::new(inner, self.seed).serialize(to),
            Shape::Refusing(_) if self.schema.picky && self.bits() % 2 == 1 => {
                Err(Error::custom("refused"))
            }
            Shape::Refusing(inner) => Value::new(inner, self.seed).serialize(to),
        }
    }
}

impl Value<'_> {
    /// Mostly few items, sometimes as many as a reader reads at once.
    fn sequence<S: Serializer>(&self, parts: &Parts, to: S) -> Result<S::Ok, S::Error> {
        let count = match self.seed % 11 {
            10 => 40 + self.choice(30),
            _ => self.choice(5),
        };
        let items = (0..count as u64).map(|index| self.inner(&parts.types[0], index));
        // As `Vec` does, or as a type that announces its own count.
        if self.seed % 2 == 0 && parts.wrong_length.is_none() {
            return to.collect_seq(items.collect::<Vec<_>>());
        }
        let mut sequence = to.serialize_seq(Some(parts.announced(count)))?;
        for item in items {
            parts.written(sequence.serialize_element(&item))?;
        }
        sequence.end()
    }

    fn map<S: Serializer>(&self, parts: &Parts, to: S) -> Result<S::Ok, S::Error> {
        let count = self.choice(4);
        let mut map = to.serialize_map(Some(parts.announced(count)))?;
        for index in 0..count as u64 {
            parts.written(map.serialize_key(&self.inner(&parts.types[0], 2 * index)))?;
            if parts.wrong_length != Some(WrongLength::Values) {
                let value = self.inner(&parts.types[1], 2 * index + 1);
                parts.written(map.serialize_value(&value))?;
            }
        }
        map.end()
    }

    fn variant<S: Serializer>(
        &self,
        name: &'static str,
        variants: &[Variant],
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let index = self.choice(variants.len());
        let (id, variant) = (u32::try_from(index).unwrap(), VARIANTS[index]);
        match &variants[index] {
            Variant::Unit => to.serialize_unit_variant(name, id, variant),
            Variant::Newtype(inner) => {
                to.serialize_newtype_variant(name, id, variant, &self.inner(inner, 1))
            }
            Variant::Tuple(parts) => {
                let count = parts.announced(parts.types.len());
                let mut tuple = to.serialize_tuple_variant(name, id, variant, count)?;
                for part in self.each(parts) {
                    parts.written(tuple.serialize_field(&part))?;
                }
                tuple.end()
            }
            Variant::Struct(parts) => {
                let count = parts.announced(parts.types.len());
                let mut fields = to.serialize_struct_variant(name, id, variant, count)?;
                for (field, part) in FIELDS.into_iter().zip(self.each(parts)) {
                    parts.written(fields.serialize_field(field, &part))?;
                }
                fields.end()
            }
        }
    }
}

macro_rules! scalar_writer {
    ($($scalar:ident $type:ident $deserialize:ident $visit:ident $serialize:ident),*) => {
        #[allow(
            clippy::cast_lossless,
            clippy::cast_possible_truncation,
            clippy::cast_possible_wrap,
            reason = "of all bits the lowest"
        )]
        fn write_scalar<S: Serializer>(
            scalar: Scalar,
            bits: u64,
            to: S,
        ) -> Result<S::Ok, S::Error> {
            match scalar {
                $(Scalar::$scalar => to.$serialize(bits as $type),)*
                Scalar::F32 => to.serialize_f32(f32::from_bits(bits as u32)),
                Scalar::F64 => to.serialize_f64(f64::from_bits(bits)),
                Scalar::Bool => to.serialize_bool(bits % 2 == 1),
                Scalar::Char => to.serialize_char(char::from_u32(bits as u32).unwrap_or('é')),
            }
        }
    };
}
for_each_number!(scalar_writer);
