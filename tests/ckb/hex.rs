//! For `#[serde(with = "hex")]`: bytes are `"0x..."` in human-readable formats, and plain bytes in others.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{SerializeTuple, Serializer};

/// The shapes that bytes have in Rust: `[u8; N]` and `Vec<u8>`.
pub trait Bytes: AsRef<[u8]> + TryFrom<Vec<u8>> {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
}

pub fn serialize<T: Bytes, S: Serializer>(bytes: &T, serializer: S) -> Result<S::Ok, S::Error> {
    if serializer.is_human_readable() {
        serializer.collect_str(&Hex(bytes.as_ref()))
    } else {
        bytes.write(serializer)
    }
}

pub fn deserialize<'de, T: Bytes, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    if deserializer.is_human_readable() {
        let text = String::deserialize(deserializer)?;
        let bytes = parse(&text).ok_or_else(|| D::Error::custom("expected 0x and hex digits"))?;
        let len = bytes.len();
        T::try_from(bytes).map_err(|_| D::Error::custom(format_args!("{len} bytes do not fit")))
    } else {
        T::read(deserializer)
    }
}

/// An array: `N` concatenated bytes.
impl<const N: usize> Bytes for [u8; N] {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tuple = serializer.serialize_tuple(N)?;
        for byte in self {
            tuple.serialize_element(byte)?;
        }
        tuple.end()
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_tuple(N, ArrayVisitor)
    }
}

/// A vector: a length, then the bytes.
impl Bytes for Vec<u8> {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self)
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_byte_buf(VecVisitor)
    }
}

struct ArrayVisitor<const N: usize>;

impl<'de, const N: usize> Visitor<'de> for ArrayVisitor<N> {
    type Value = [u8; N];

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{N} bytes")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<[u8; N], A::Error> {
        let mut array = [0; N];
        for (i, byte) in array.iter_mut().enumerate() {
            *byte = seq.next_element()?.ok_or_else(|| A::Error::invalid_length(i, &self))?;
        }
        Ok(array)
    }
}

struct VecVisitor;

impl Visitor<'_> for VecVisitor {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes")
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
        Ok(bytes.to_vec())
    }

    fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Vec<u8>, E> {
        Ok(bytes)
    }
}

/// Shows bytes as `0x` and two lower-case digits each.
struct Hex<'a>(&'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("0x")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Parses the text of [`Hex`], also with upper-case digits.
fn parse(text: &str) -> Option<Vec<u8>> {
    let digits = text.strip_prefix("0x")?.as_bytes();
    let value = |digit: u8| char::from(digit).to_digit(16);
    let byte = |pair: &[u8]| match *pair {
        [high, low] => u8::try_from(value(high)? << 4 | value(low)?).ok(),
        _ => None,
    };
    digits.chunks(2).map(byte).collect()
}
