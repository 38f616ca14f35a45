//! Random values of any type that derives `Deserialize`.
//!
//! The generator is itself a deserializer: the type says what it wants to read, and gets
//! something random of that kind. So a test type needs its derives and nothing more, and
//! what cannot be deserialized by asking (untagged, internally tagged, flattened) cannot be
//! generated either and needs a generator written by hand.

use quickcheck::{Arbitrary, Gen};
use serde::de::value::Error;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer,
    MapAccess, SeqAccess, VariantAccess, Visitor,
};
use std::fmt::Debug;

/// Values inside of values, beyond which everything is as small as its type allows.
const DEEPEST: u8 = 16;

/// Some values are invalid (a `Duration` past its range, a `NonZero` of zero). The type
/// refuses them, and the next draw is another one.
const ATTEMPTS: usize = 10_000;

/// A random value. Its size follows `g.size()`; floats are never NaN, since tests compare.
pub(crate) fn value<T: DeserializeOwned>(g: &mut Gen) -> T {
    draw(g, false)
}

/// As [`value`], with NaNs of any payload among the floats.
pub(crate) fn value_or_nan<T: DeserializeOwned>(g: &mut Gen) -> T {
    draw(g, true)
}

fn draw<T: DeserializeOwned>(source: &mut Gen, nan: bool) -> T {
    let mut last = None;
    for _ in 0..ATTEMPTS {
        let budget = source.size();
        match once(source, budget, nan) {
            Ok(value) => return value,
            Err(error) => last = Some(error),
        }
    }
    let name = std::any::type_name::<T>();
    panic!("no valid {name} in {ATTEMPTS} draws, the last one: {last:?}");
}

/// One draw of a value from any source, of about as many items as `budget`.
///
/// # Errors
///
/// What the type says of a value that it refuses.
pub(crate) fn once<T: DeserializeOwned>(
    source: &mut impl Source,
    budget: usize,
    nan: bool,
) -> Result<T, Error> {
    T::deserialize(Random { budget, depth: 0, nan, source })
}

/// Where random numbers come from: quickcheck, or what a fuzzer makes up.
pub(crate) trait Source {
    fn draw<T: Number>(&mut self) -> T;
}

impl Source for Gen {
    fn draw<T: Number>(&mut self) -> T {
        T::arbitrary(self)
    }
}

/// What a source draws.
pub(crate) trait Number: Arbitrary {
    /// How many bytes a source of bytes spends on one.
    const BYTES: usize;

    /// The number of these bits; no more than there is room for.
    fn of_bits(bits: u128) -> Self;
}

impl Number for char {
    const BYTES: usize = 3;

    fn of_bits(bits: u128) -> Self {
        char::from_u32(u32::of_bits(bits & 0x1f_ffff)).unwrap_or('\u{fffd}')
    }
}

macro_rules! numbers {
    ($($type:ident $bytes:literal)*) => {$(
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_possible_wrap,
            reason = "of all bits the lowest"
        )]
        impl Number for $type {
            const BYTES: usize = $bytes;

            fn of_bits(bits: u128) -> Self {
                bits as $type
            }
        }
    )*};
}
// A `usize` is a choice between a few.
numbers! { u8 1 u16 2 u32 4 u64 8 u128 16 i8 1 i16 2 i32 4 i64 8 i128 16 usize 1 }

/// `count` values, small ones first, so that the first failure is a small one.
///
/// The same name gives the same values in every run.
pub(crate) fn cases<T>(
    name: &str,
    count: usize,
    make: impl Fn(&mut Gen) -> T,
) -> impl Iterator<Item = T> {
    const LARGEST: usize = 120;
    let seed = seed(name);
    (0..count).map(move |case| {
        let size = 1 + case * LARGEST / count;
        make(&mut Gen::from_size_and_seed(size, seed ^ case as u64))
    })
}

/// A number that differs from name to name (FNV-1a).
pub(crate) fn seed(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// A type that derives `Deserialize`, as quickcheck wants its arguments.
#[derive(Clone, Debug)]
pub(crate) struct Any<T>(pub(crate) T);

impl<T: Clone + Debug + DeserializeOwned + 'static> Arbitrary for Any<T> {
    fn arbitrary(g: &mut Gen) -> Self {
        Any(value(g))
    }
}

/// A deserializer without input.
///
/// `budget` bounds how many items may still be made below this point. It is shared out
/// among siblings, and where it has run out, sequences are empty, options are `None` and
/// enums take their first variant (which must not recurse), so that recursive types end.
struct Random<'g, G> {
    source: &'g mut G,
    budget: usize,
    depth: u8,
    nan: bool,
}

impl<G: Source> Random<'_, G> {
    fn below(&mut self, bound: usize) -> usize {
        self.source.draw::<usize>() % bound
    }

    fn nested(&mut self, budget: usize) -> Random<'_, G> {
        Random {
            budget: if self.depth < DEEPEST { budget } else { 0 },
            depth: self.depth.saturating_add(1),
            nan: self.nan,
            source: &mut *self.source,
        }
    }

    /// Mostly a few, sometimes all that the budget allows.
    fn count(&mut self) -> usize {
        let limit = match self.below(16) {
            0 => self.budget,
            1..8 => self.budget.min(2),
            _ => self.budget.min(9),
        };
        self.below(limit + 1)
    }

    fn sequence(&mut self, left: usize) -> Sequence<'_, G> {
        let share = self.budget.saturating_sub(left) / left.max(1);
        Sequence { random: self.nested(share), left }
    }

    fn character(&mut self) -> char {
        const CORNERS: [char; 12] = [
            'a',
            'Z',
            '\0',
            '"',
            '\u{7f}',
            'é',
            '\u{7ff}',
            '€',
            '\u{d7ff}',
            '\u{e000}',
            '\u{1d11e}',
            char::MAX,
        ];
        match self.below(4) {
            0 => self.source.draw::<char>(),
            _ => CORNERS[self.below(CORNERS.len())],
        }
    }

    /// Short, with a rare long one for lengths that no longer fit seven or eight bits.
    fn length(&mut self) -> usize {
        match self.below(64) {
            0 if self.budget > 0 => 120 + self.below(160),
            most => most % 7,
        }
    }

    fn text(&mut self) -> String {
        (0..self.length()).map(|_| self.character()).collect()
    }

    fn bytes(&mut self) -> Vec<u8> {
        (0..self.length()).map(|_| self.source.draw::<u8>()).collect()
    }
}

/// One method per integer type: corners and small numbers as often as random bits.
macro_rules! integers {
    ($($method:ident $visit:ident $type:ident,)*) => {$(
        fn $method<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
            visitor.$visit(match self.below(8) {
                0 => 0,
                1 => 1,
                2 => $type::MAX,
                3 => $type::MIN,
                4 => self.below(16) as $type,
                // Small and negative, or close to the largest.
                5 => (0 as $type).wrapping_sub(self.below(16) as $type),
                _ => self.source.draw::<$type>(),
            })
        }
    )*};
}

macro_rules! floats {
    ($($method:ident $visit:ident $type:ident $bits:ident,)*) => {$(
        fn $method<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
            let number = match self.below(10) {
                0 => 0.0,
                1 => -0.0,
                2 => 1.5,
                3 => $type::MAX,
                4 => $type::MIN_POSITIVE,
                5 => $type::INFINITY,
                6 => $type::NEG_INFINITY,
                7 if self.nan => $type::NAN,
                _ => $type::from_bits(self.source.draw::<$bits>()),
            };
            visitor.$visit(if number.is_nan() && !self.nan { -2.5 } else { number })
        }
    )*};
}

#[allow(
    clippy::cast_lossless,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "the casts are of numbers below 16"
)]
impl<'de, G: Source> Deserializer<'de> for Random<'_, G> {
    type Error = Error;

    integers! {
        deserialize_i8 visit_i8 i8,
        deserialize_i16 visit_i16 i16,
        deserialize_i32 visit_i32 i32,
        deserialize_i64 visit_i64 i64,
        deserialize_i128 visit_i128 i128,
        deserialize_u8 visit_u8 u8,
        deserialize_u16 visit_u16 u16,
        deserialize_u32 visit_u32 u32,
        deserialize_u64 visit_u64 u64,
        deserialize_u128 visit_u128 u128,
    }

    floats! {
        deserialize_f32 visit_f32 f32 u32,
        deserialize_f64 visit_f64 f64 u64,
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        panic!("a type that takes whatever comes has to be generated by hand")
    }

    fn deserialize_bool<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_bool(self.below(2) == 1)
    }

    fn deserialize_char<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_char(self.character())
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_string(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_string(self.text())
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_byte_buf(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_byte_buf(self.bytes())
    }

    fn deserialize_option<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        if self.budget == 0 || self.below(3) == 0 {
            return visitor.visit_none();
        }
        let budget = self.budget - 1;
        visitor.visit_some(self.nested(budget))
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        let count = self.count();
        visitor.visit_seq(self.sequence(count))
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        mut self,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_seq(self.sequence(len))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_tuple(len, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        let count = self.count();
        // A key and a value share what is meant for one entry.
        self.budget /= 2;
        visitor.visit_map(self.sequence(count))
    }

    // Fields in order. `fields` lists aliases too; the type stops asking when it has all.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_tuple(fields.len(), visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if variants.is_empty() {
            return Err(Error::custom(format_args!("{name} has no variants")));
        }
        let index = match self.budget {
            0 => 0,
            _ => self.below(variants.len()),
        };
        let budget = self.budget.saturating_sub(1);
        visitor.visit_enum(Variant { name: variants[index], random: self.nested(budget) })
    }

    // Asked for by adjacently tagged enums, without saying how many names there are. An
    // index past the last one is refused by the type and drawn again.
    fn deserialize_identifier<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_u64(self.below(4) as u64)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    // Binary formats are not, and a type may look different for those that are.
    fn is_human_readable(&self) -> bool {
        false
    }
}

/// The items of a sequence, tuple or struct, or the entries of a map.
struct Sequence<'g, G> {
    random: Random<'g, G>,
    left: usize,
}

impl<G: Source> Sequence<'_, G> {
    fn item<'de, S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        seed.deserialize(Random { source: &mut *self.random.source, ..self.random })
    }
}

impl<'de, G: Source> SeqAccess<'de> for Sequence<'_, G> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        self.item(seed).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

impl<'de, G: Source> MapAccess<'de> for Sequence<'_, G> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        self.next_element_seed(seed)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        self.item(seed)
    }
}

struct Variant<'g, G> {
    name: &'static str,
    random: Random<'g, G>,
}

impl<'de, 'g, G: Source> EnumAccess<'de> for Variant<'g, G> {
    type Error = Error;
    type Variant = Random<'g, G>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Random<'g, G>), Error> {
        let variant = seed.deserialize(IntoDeserializer::<Error>::into_deserializer(self.name))?;
        Ok((variant, self.random))
    }
}

impl<'de, G: Source> VariantAccess<'de> for Random<'_, G> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Error> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_tuple(len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_tuple(fields.len(), visitor)
    }
}
