//! Values as serde serializes them for formats such as JSON.

use serde_core::ser::{Error as _, Serialize, SerializeMap as _, SerializeStruct as _, Serializer};

use super::{Number, Parts, Record, Value};

/// Bytes as text: `0x`, then two digits for each.
struct Hex<'a>(&'a [u8]);

/// So many bytes become text at a time.
const CHUNK: usize = 64;

impl Hex<'_> {
    /// The digits of at most [`CHUNK`] bytes, in the memory after `front`.
    fn digits<'t>(bytes: &[u8], text: &'t mut [u8], front: usize) -> &'t str {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let digit = |nibble: u8| DIGITS.get(usize::from(nibble)).copied().unwrap_or_default();
        let pairs = text.get_mut(front..).unwrap_or_default().chunks_exact_mut(2);
        for (byte, pair) in bytes.iter().zip(pairs) {
            pair.copy_from_slice(&[digit(byte >> 4), digit(byte & 15)]);
        }
        let written = text.get(..front + 2 * bytes.len()).unwrap_or_default();
        core::str::from_utf8(written).unwrap_or_default()
    }
}

impl Serialize for Hex<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut short = [0; 2 + 2 * CHUNK];
        if let Some(front) = short.first_chunk_mut() {
            *front = *b"0x";
        }
        if self.0.len() <= CHUNK {
            return serializer.serialize_str(Self::digits(self.0, &mut short, 2));
        }
        let mut text = String::with_capacity(2 * self.0.len() + 2);
        text.push_str("0x");
        for bytes in self.0.chunks(CHUNK) {
            text.push_str(Self::digits(bytes, &mut short, 0));
        }
        serializer.serialize_str(&text)
    }
}

/// As a number where all readers of JSON hold it exactly, else its decimal digits as text.
impl Serialize for Number<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.exact() {
            Some(number) => match u64::try_from(number) {
                Ok(number) => serializer.serialize_u64(number),
                Err(_) => serializer.serialize_i64(number),
            },
            None => serializer.collect_str(self),
        }
    }
}

/// A byte is a number, and so is an array of bytes that has the name or comment of one
/// ([`Type::number`](super::Type::number)), from 2^53 on as text of decimal digits; another array or vector of bytes is text of the form `0x00ff`, with the bytes unchanged;
/// other arrays and vectors are lists; structs and tables have their fields in order; an option is its value or
/// nothing; a union is `type`, `id` and `value`.
impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.parts() {
            Parts::Byte(byte) => serializer.serialize_u8(byte),
            Parts::Number(number) => number.serialize(serializer),
            Parts::Bytes(bytes) => Hex(bytes).serialize(serializer),
            Parts::List(list) => serializer.collect_seq(list.iter()),
            Parts::Record(record) => record.serialize(serializer),
            Parts::Option(None) => serializer.serialize_none(),
            Parts::Option(Some(value)) => serializer.serialize_some(&value),
            Parts::Union(item, value) => {
                let mut fields = serializer.serialize_struct("Union", 3)?;
                fields.serialize_field(TYPE, item.ty().name())?;
                fields.serialize_field(ID, &item.id())?;
                fields.serialize_field(VALUE, &value)?;
                fields.end()
            }
        }
    }
}

/// The fields, and `$extra` with the bytes of unknown fields. Bytes that are no fields are refused.
impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.has_unknown_bytes() {
            let text = "a table without fields has bytes that are no fields of a later version: \
                        only its bytes show them";
            return Err(S::Error::custom(text));
        }
        let has_extra = self.extra().next().is_some();
        let count = self.fields().len() + usize::from(has_extra);
        let mut map = serializer.serialize_map(Some(count))?;
        for (field, value) in self.iter() {
            map.serialize_entry(field.name(), &value)?;
        }
        if has_extra {
            map.serialize_entry(EXTRA, &Extra(*self))?;
        }
        map.end()
    }
}

/// The key of unknown fields. No name of a field begins so.
pub(super) const EXTRA: &str = "$extra";

/// The keys of a union.
pub(super) const TYPE: &str = "type";
pub(super) const ID: &str = "id";
pub(super) const VALUE: &str = "value";

struct Extra<'a>(Record<'a>);

impl Serialize for Extra<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.extra().map(Hex))
    }
}
