//! Numbers as serde shows them: as numbers if other formats may hold them, else as text.

use alloc::format;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use serde_core::de::{self, Deserialize, Deserializer, MapAccess, Unexpected, Visitor};
use serde_core::ser::{Serialize, Serializer};

use crate::hexadecimal;

/// A float32: a number, or the eight hexadecimal digits of its bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Single(pub(super) f32);

/// A float64: a number, or the sixteen hexadecimal digits of its bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Double(pub(super) f64);

/// A uvint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unsigned(pub(super) u128);

/// An svint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Signed(pub(super) i128);

impl Serialize for Single {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.is_finite() {
            // With all digits of an f64, so that rounding it once more changes nothing.
            true => serializer.serialize_f64(f64::from(self.0)),
            false => serializer.serialize_str(&format!("{:08x}", self.0.to_bits())),
        }
    }
}

impl Serialize for Double {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.is_finite() {
            true => serializer.serialize_f64(self.0),
            false => serializer.serialize_str(&format!("{:016x}", self.0.to_bits())),
        }
    }
}

impl Serialize for Unsigned {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Few formats have more than 64 bits.
        match u64::try_from(self.0) {
            Ok(number) => serializer.serialize_u64(number),
            Err(_) => serializer.serialize_u128(self.0),
        }
    }
}

impl Serialize for Signed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match i64::try_from(self.0) {
            Ok(number) => serializer.serialize_i64(number),
            Err(_) => serializer.serialize_i128(self.0),
        }
    }
}

/// Builds a number from what the other format has.
///
/// Each method returns the result for the number; `None` if it does not fit.
pub(super) trait Number: Sized {
    const WHAT: &'static str;
    fn from_unsigned(number: u128) -> Option<Self>;
    fn from_signed(number: i128) -> Option<Self>;
    fn from_float(number: f64) -> Option<Self>;
    /// A float of 32 bits, whose bits matter even if it is no number.
    fn from_single(number: f32) -> Option<Self> {
        Self::from_float(f64::from(number))
    }
    /// Text where a number could be: the bits of a float.
    fn from_text(text: &str) -> Option<Self>;
    /// The digits of a number, as some formats hand them out.
    fn from_digits(digits: &str) -> Option<Self>;
}

impl Number for Double {
    const WHAT: &'static str = "a float or the 16 hexadecimal digits of its bits";

    fn from_unsigned(number: u128) -> Option<Self> {
        // Decimal digits are rounded once, as a cast would be.
        f64::from_str(&format!("{number}")).ok().map(Double)
    }

    fn from_signed(number: i128) -> Option<Self> {
        f64::from_str(&format!("{number}")).ok().map(Double)
    }

    fn from_float(number: f64) -> Option<Self> {
        Some(Double(number))
    }

    fn from_text(text: &str) -> Option<Self> {
        let bits = u64::from_str_radix(hexadecimal(text, 16)?, 16).ok()?;
        Some(Double(f64::from_bits(bits)))
    }

    fn from_digits(digits: &str) -> Option<Self> {
        f64::from_str(digits).ok().map(Double)
    }
}

impl Number for Single {
    const WHAT: &'static str = "a float of 32 bits or the 8 hexadecimal digits of its bits";

    fn from_unsigned(number: u128) -> Option<Self> {
        Double::from_unsigned(number).and_then(|Double(number)| Single::from_float(number))
    }

    fn from_signed(number: i128) -> Option<Self> {
        Double::from_signed(number).and_then(|Double(number)| Single::from_float(number))
    }

    fn from_single(number: f32) -> Option<Self> {
        Some(Single(number))
    }

    fn from_float(number: f64) -> Option<Self> {
        #[expect(clippy::cast_possible_truncation, reason = "rounds, as `0.1` means the nearest")]
        let near = number as f32;
        (near.is_finite() || !number.is_finite()).then_some(Single(near))
    }

    fn from_text(text: &str) -> Option<Self> {
        let bits = u32::from_str_radix(hexadecimal(text, 8)?, 16).ok()?;
        Some(Single(f32::from_bits(bits)))
    }

    fn from_digits(digits: &str) -> Option<Self> {
        f64::from_str(digits).ok().and_then(Single::from_float)
    }
}

/// `text` if it is that many digits.
fn hexadecimal(text: &str, digits: usize) -> Option<&str> {
    hexadecimal::digits(text).filter(|text| text.len() == digits)
}

impl Number for Unsigned {
    const WHAT: &'static str = "an integer that is not negative";

    fn from_unsigned(number: u128) -> Option<Self> {
        Some(Unsigned(number))
    }

    fn from_signed(number: i128) -> Option<Self> {
        u128::try_from(number).ok().map(Unsigned)
    }

    fn from_float(_: f64) -> Option<Self> {
        None
    }

    fn from_text(_: &str) -> Option<Self> {
        None
    }

    fn from_digits(digits: &str) -> Option<Self> {
        u128::from_str(digits).ok().map(Unsigned)
    }
}

impl Number for Signed {
    const WHAT: &'static str = "an integer";

    fn from_unsigned(number: u128) -> Option<Self> {
        i128::try_from(number).ok().map(Signed)
    }

    fn from_signed(number: i128) -> Option<Self> {
        Some(Signed(number))
    }

    fn from_float(_: f64) -> Option<Self> {
        None
    }

    fn from_text(_: &str) -> Option<Self> {
        None
    }

    fn from_digits(digits: &str) -> Option<Self> {
        i128::from_str(digits).ok().map(Signed)
    }
}

/// Accepts any type, since only the other format determines whether it is text.
macro_rules! deserialize_numbers {
    ($($type:ident)*) => {$(
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_any(Numbers(core::marker::PhantomData))
            }
        }
    )*};
}

deserialize_numbers! { Single Double Unsigned Signed }

struct Numbers<N>(core::marker::PhantomData<N>);

impl<N: Number> Numbers<N> {
    fn take<E: de::Error>(self, number: Option<N>, found: Unexpected<'_>) -> Result<N, E> {
        number.ok_or_else(|| E::invalid_value(found, &self))
    }
}

impl<'de, N: Number> Visitor<'de> for Numbers<N> {
    type Value = N;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(N::WHAT)
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<N, E> {
        self.take(N::from_unsigned(number.into()), Unexpected::Unsigned(number))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<N, E> {
        self.take(N::from_signed(number.into()), Unexpected::Signed(number))
    }

    fn visit_u128<E: de::Error>(self, number: u128) -> Result<N, E> {
        self.take(N::from_unsigned(number), Unexpected::Other("a large integer"))
    }

    fn visit_i128<E: de::Error>(self, number: i128) -> Result<N, E> {
        self.take(N::from_signed(number), Unexpected::Other("a large integer"))
    }

    fn visit_f32<E: de::Error>(self, number: f32) -> Result<N, E> {
        self.take(N::from_single(number), Unexpected::Float(number.into()))
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<N, E> {
        self.take(N::from_float(number), Unexpected::Float(number))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<N, E> {
        self.take(N::from_text(text), Unexpected::Str(text))
    }

    /// serde_json's numbers of arbitrary precision: one entry, with the digits.
    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<N, A::Error> {
        match entries.next_entry::<String, String>()? {
            Some((_, digits)) => self.take(N::from_digits(&digits), Unexpected::Str(&digits)),
            None => Err(de::Error::invalid_type(Unexpected::Map, &self)),
        }
    }
}
