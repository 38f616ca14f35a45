//! The header of a safetensors file: a JSON object with the type, shape and offsets of each tensor, and metadata.
//!
//! Sizes are `u64` on all targets: the number of bits of a tensor of 512 MiB does not fit in 32 bits.

use std::collections::{BTreeMap, btree_map};
use std::fmt;
use std::ops::Range;

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde_json::error::Category;

use super::{METADATA, of_safetensors};
use crate::tensors::{DType, shortened, sizes};
use crate::write::count::{counted, number};

/// Maximum length of a header, as in other implementations.
const LONGEST: u64 = 100_000_000;

#[derive(Debug)]
pub(super) struct Header {
    /// The tensors in the order of their elements.
    pub(super) tensors: Vec<Entry>,
    /// The name and bytes of each tensor of an unknown type, with the reason.
    pub(super) unknown: Vec<(String, Range<u64>, String)>,
    pub(super) notes: BTreeMap<String, String>,
}

/// A tensor in the header.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) dtype: DType,
    pub(super) shape: Vec<u64>,
    /// Its bytes, counted from the first element of the file.
    pub(super) bytes: Range<u64>,
}

/// The text of the header, and the bytes of all elements.
pub(super) fn split(bytes: &[u8]) -> Result<(&[u8], &[u8]), String> {
    let early =
        |needed, left: usize| format!("input ends early: {} needed, {left} left", bytes_of(needed));
    let (len, rest) = bytes.split_first_chunk().ok_or_else(|| early(8, bytes.len()))?;
    let len = u64::from_le_bytes(*len);
    if len > LONGEST {
        return Err(format!("header of {len} bytes, {LONGEST} at most, at byte 0"));
    }
    let split = usize::try_from(len).ok().and_then(|len| rest.split_at_checked(len));
    split.ok_or_else(|| format!("{} at byte 8", early(len, rest.len())))
}

/// Parses a header that is followed by `all` bytes of elements.
pub(super) fn parse(text: &[u8], all: u64) -> Result<Header, String> {
    // The parser does not check the text that it skips.
    let text =
        std::str::from_utf8(text).map_err(|error| invalid("invalid UTF-8", error.valid_up_to()))?;
    let parsed: Fields = serde_json::from_str(text).map_err(|error| refused(text, &error))?;
    let mut fields: Vec<(String, Tensor)> = parsed.tensors.into_iter().collect();
    fields.sort_by_key(|(_, tensor)| tensor.data_offsets);
    let mut tensors = Vec::with_capacity(fields.len());
    let mut unknown = Vec::new();
    let mut start = 0;
    for (name, tensor) in fields {
        let checked = tensor.checked(start);
        let (dtype, end) = checked.map_err(|text| format!("{text} in {}", shortened(&name)))?;
        let (bytes, shape) = (start..end, tensor.shape);
        match dtype {
            Some(dtype) => tensors.push(Entry { name, dtype, shape, bytes }),
            None => {
                let text = format!("unknown type {}", shortened(&tensor.dtype));
                unknown.push((name, bytes, text));
            }
        }
        start = end;
    }
    if start != all {
        return Err(format!("the tensors have {}, {all} follow the header", bytes_of(start)));
    }
    Ok(Header { tensors, unknown, notes: parsed.notes.unwrap_or_default().0 })
}

fn bytes_of(count: u64) -> String {
    counted(count, "byte")
}

/// An error of the parser, which counts lines and columns.
fn refused(text: &str, error: &serde_json::Error) -> String {
    let lines = text.split_inclusive('\n');
    let before: usize = lines.take(error.line().saturating_sub(1)).map(str::len).sum();
    let what = error.to_string();
    let what = what.rsplit_once(" at line ").map_or(&*what, |(what, _)| what);
    let at = match error.classify() {
        Category::Eof => text.len(),
        // The byte before the position, also if it ends a line. In text that is skipped, a control character is after it.
        Category::Syntax => {
            let at = (before + error.column()).saturating_sub(1);
            let is_text = text.as_bytes().get(at).is_some_and(|byte| !byte.is_ascii_control());
            at + usize::from(is_text && what.starts_with("control character"))
        }
        Category::Data | Category::Io => before + error.column().saturating_sub(1),
    };
    invalid(what, at)
}

/// An error at a byte of the text.
fn invalid(what: &str, at: usize) -> String {
    format!("invalid header: {} at byte {}", shortened(what), size_of::<u64>() + at)
}

/// The values of the JSON object.
#[derive(Default)]
struct Fields {
    tensors: BTreeMap<String, Tensor>,
    notes: Option<Notes>,
}

#[derive(Default)]
struct Notes(BTreeMap<String, String>);

#[derive(Deserialize)]
struct Tensor {
    dtype: String,
    shape: Vec<u64>,
    data_offsets: (u64, u64),
}

impl Tensor {
    /// The type if it is known, and where the elements end, which have to begin at `start`.
    fn checked(&self, start: u64) -> Result<(Option<DType>, u64), String> {
        let Tensor { dtype, shape, data_offsets: (from, to) } = self;
        if *from != start {
            return Err(format!("the elements begin at {from}, expected {start},"));
        }
        let Some(dtype) = of_safetensors(dtype) else {
            return match from <= to {
                true => Ok((None, *to)),
                false => Err(format!("data_offsets are [{from}, {to}]")),
            };
        };
        let count = shape.iter().try_fold(1u64, |count, size| count.checked_mul(*size));
        let bits = count.and_then(|count| count.checked_mul(number(dtype.bits())));
        let sizes = || sizes(shape);
        let bits = bits.ok_or_else(|| format!("{dtype} {} is too large for any file", sizes()))?;
        if bits % 8 != 0 {
            return Err(format!("{dtype} {} needs {bits} bits, not a multiple of 8,", sizes()));
        }
        let needed = bits / 8;
        if start.checked_add(needed) != Some(*to) {
            return Err(format!(
                "{dtype} {} needs {}, data_offsets are [{from}, {to}]",
                sizes(),
                bytes_of(needed)
            ));
        }
        Ok((Some(dtype), *to))
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;

        impl<'de> Visitor<'de> for Object {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of tensors")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Fields::default();
                while let Some(name) = map.next_key::<String>()? {
                    if name != METADATA {
                        put(&mut fields.tensors, name, &mut map)?;
                    } else if fields.notes.is_some() {
                        return Err(A::Error::duplicate_field(METADATA));
                    } else {
                        let notes: Option<_> = map.next_value()?;
                        fields.notes = Some(notes.unwrap_or_default());
                    }
                }
                Ok(fields)
            }
        }

        deserializer.deserialize_map(Object)
    }
}

impl<'de> Deserialize<'de> for Notes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;

        impl<'de> Visitor<'de> for Object {
            type Value = Notes;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Notes, A::Error> {
                let mut notes = Notes::default();
                while let Some(name) = map.next_key()? {
                    put(&mut notes.0, name, &mut map)?;
                }
                Ok(notes)
            }
        }

        deserializer.deserialize_map(Object)
    }
}

/// Reads the value of a name that is not in the map yet.
fn put<'de, A: MapAccess<'de>, T: Deserialize<'de>>(
    values: &mut BTreeMap<String, T>,
    name: String,
    map: &mut A,
) -> Result<(), A::Error> {
    match values.entry(name) {
        btree_map::Entry::Vacant(place) => place.insert(map.next_value()?),
        btree_map::Entry::Occupied(place) => {
            return Err(A::Error::custom(format_args!("duplicate field `{}`", place.key())));
        }
    };
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The name, shape and bytes of each tensor.
    type Tensors = Vec<(String, Vec<u64>, Range<u64>)>;

    fn parsed(header: &str, all: u64) -> Result<Tensors, String> {
        let header = parse(header.as_bytes(), all)?;
        let tensors = header.tensors.into_iter();
        Ok(tensors.map(|one| (one.name, one.shape, one.bytes)).collect())
    }

    fn tensor(name: &str, dtype: &str, shape: &str, from: u64, to: u64) -> String {
        format!(r#""{name}":{{"dtype":"{dtype}","shape":{shape},"data_offsets":[{from},{to}]}}"#)
    }

    #[test]
    fn tensors_can_be_larger_than_32_bits_can_count() {
        let large = 5 << 30;
        let header = format!(
            "{{{},{}}}",
            tensor("b", "F4", "[3, 2]", large, large + 3),
            tensor("a", "F32", "[1310720, 1024]", 0, large)
        );
        let expected =
            [("a", vec![1_310_720, 1024], 0..large), ("b", vec![3, 2], large..large + 3)];
        let expected = expected.map(|(name, shape, bytes)| (name.to_owned(), shape, bytes));
        assert_eq!(parsed(&header, large + 3), Ok(expected.to_vec()));
    }

    #[test]
    fn tensors_fill_the_file_without_gaps() {
        let errors: [(&[String], u64, &str); 10] = [
            (&[], 1, "the tensors have 0 bytes, 1 follow the header"),
            (&[tensor("a", "U8", "[1]", 0, 1)], 2, "the tensors have 1 byte, 2 follow the header"),
            (&[tensor("a", "F32", "[2]", 1, 9)], 9, "the elements begin at 1, expected 0, in a"),
            (
                &[tensor("a", "F32", "[2]", 0, 8), tensor("b", "U8", "[4]", 6, 10)],
                10,
                "the elements begin at 6, expected 8, in b",
            ),
            (
                &[tensor("a", "F32", "[2]", 0, 7)],
                7,
                "float32 [2] needs 8 bytes, data_offsets are [0, 7] in a",
            ),
            (
                &[tensor("a", "U8", "[0]", 0, 0), tensor("b", "U8", "[1]", 0, u64::MAX)],
                1,
                "uint8 [1] needs 1 byte, data_offsets are [0, 18446744073709551615] in b",
            ),
            (
                &[tensor("a", "F4", "[3]", 0, 2)],
                2,
                "float4_e2m1fn [3] needs 12 bits, not a multiple of 8, in a",
            ),
            (
                &[tensor("a", "U8", "[4294967296, 4294967296, 0]", 0, 0)],
                0,
                "uint8 [4294967296, 4294967296, 0] is too large for any file in a",
            ),
            (&[tensor("a", "F5", "[]", 0, 1)], 2, "the tensors have 1 byte, 2 follow the header"),
            (
                &[tensor("a", "U8", "[1]", 0, 1), tensor("b", "F5", "[]", 1, 0)],
                1,
                "data_offsets are [1, 0] in b",
            ),
        ];
        for (tensors, all, error) in errors {
            let header = format!("{{{}}}", tensors.join(","));
            assert_eq!(parsed(&header, all), Err(error.to_owned()));
        }
    }

    #[test]
    fn errors_of_the_json_have_their_byte() {
        let errors = [
            (
                "[]",
                "invalid header: invalid type: sequence, expected an object of tensors at byte 8",
            ),
            ("{\n\"a\":{}}", "invalid header: missing field `dtype` at byte 15"),
            ("", "invalid header: EOF while parsing a value at byte 8"),
            ("{\"a\":", "invalid header: EOF while parsing a value at byte 13"),
            ("{\"a\":\n ", "invalid header: EOF while parsing a value at byte 15"),
            (
                "{\"a\nb\":",
                "invalid header: control character (\\u0000-\\u001F) found while parsing a string at byte 11",
            ),
            (
                "{\"a\":{\"x\":\"b\n\"}}",
                "invalid header: control character (\\u0000-\\u001F) found while parsing a string at byte 20",
            ),
            (
                "{\"a\":{\"x\":\"\t\"}}",
                "invalid header: control character (\\u0000-\\u001F) found while parsing a string at byte 19",
            ),
            ("{\n\"a\": tru\n}", "invalid header: expected ident at byte 18"),
            (
                "\n[]",
                "invalid header: invalid type: sequence, expected an object of tensors at byte 9",
            ),
            (
                r#"{"__metadata__":null,"__metadata__":{}}"#,
                "invalid header: duplicate field `__metadata__` at byte 42",
            ),
            (
                r#"{"a":{"dtype":"U8","shape":[],"data_offsets":[0,0]},"a":{}}"#,
                "invalid header: duplicate field `a` at byte 62",
            ),
            (
                r#"{"__metadata__":{"a":"b","a":"b"}}"#,
                "invalid header: duplicate field `a` at byte 35",
            ),
            (
                r#"{"a":{"dtype":"U8","shape":[-1],"data_offsets":[0,1]}}"#,
                "invalid header: invalid value: integer `-1`, expected u64 at byte 37",
            ),
        ];
        for (header, error) in errors {
            assert_eq!(parsed(header, 0), Err(error.to_owned()), "{header}");
        }
    }

    /// Also those of keys and values that are skipped.
    #[test]
    fn headers_are_utf8() {
        for (header, at) in [(&b"{\"\xff\":1}"[..], 10), (b"{\"a\":{\"x\":\"\xc3(\"}}", 19)] {
            let error = format!("invalid header: invalid UTF-8 at byte {at}");
            assert_eq!(parse(header, 0).unwrap_err(), error);
        }
    }

    /// Names, types and shapes can be as long as the header.
    #[test]
    fn errors_are_short() {
        let (long, sizes) = ("a".repeat(1 << 20), format!("[{}1]", "1,".repeat(1 << 20)));
        let shortened = format!("{}…{}", "a".repeat(99), "a".repeat(100));
        let ones = format!("[{}…]", "1, ".repeat(16));
        let json = |text: &str| format!("{{{text}}}");
        let errors = [
            (
                json(&tensor(&long, "U8", "[]", 1, 2)),
                format!("the elements begin at 1, expected 0, in {shortened}"),
            ),
            (
                json(&tensor("a", "U8", &sizes, 0, 9)),
                format!("uint8 {ones} needs 1 byte, data_offsets are [0, 9] in a"),
            ),
            (
                json(&tensor("a", "F4", &sizes, 0, 9)),
                format!("float4_e2m1fn {ones} needs 4 bits, not a multiple of 8, in a"),
            ),
        ];
        for (header, error) in errors {
            assert_eq!(parsed(&header, 1), Err(error));
        }
        let unknown = json(&tensor("a", &long, "[]", 0, 1));
        let unknown = parse(unknown.as_bytes(), 1).unwrap().unknown;
        assert_eq!(unknown, [("a".to_owned(), 0..1, format!("unknown type {shortened}"))]);
        let skipped = parsed(&json(&format!("\"a\":\"{long}\"")), 1).unwrap_err();
        assert!(skipped.starts_with("invalid header: invalid type: string \"aaa"), "{skipped}");
        assert!(skipped.len() < 300, "{skipped}");
    }

    #[test]
    fn a_header_is_not_longer_than_the_file() {
        let errors: [(&[u8], &str); 4] = [
            (b"\x01\0\0\0\0\0\0\0", "input ends early: 1 byte needed, 0 left at byte 8"),
            (b"\x02\0\0", "input ends early: 8 bytes needed, 3 left"),
            (b"\x03\0\0\0\0\0\0\0{}", "input ends early: 3 bytes needed, 2 left at byte 8"),
            (
                b"\xff\xff\xff\xff\0\0\0\0{}",
                "header of 4294967295 bytes, 100000000 at most, at byte 0",
            ),
        ];
        for (bytes, error) in errors {
            assert_eq!(split(bytes), Err(error.to_owned()));
        }
    }
}
