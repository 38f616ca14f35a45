//! What a type requests, and what its visitor gets: the same in all formats, with the mark `any`, with `Deserializer`, and
//! with the exact readers.

use std::collections::BTreeMap;
use std::fmt;

use fourfold::biniou::with::Any;
use serde::de::{self, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::support::format::{Format, for_formats};

for_formats! {
    {
        a_struct_is_its_fields
        a_map_may_be_nil
        names_are_borrowed_where_they_are_kept
        numbers_keep_their_width
        unread_values_are_skipped
    }
}

/// Requests a struct, and would accept a number as well.
#[derive(Debug, PartialEq)]
struct StructOrNumber(u64);

struct Asking;

impl<'de> Visitor<'de> for Asking {
    type Value = StructOrNumber;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a struct, or a number")
    }

    fn visit_u64<E>(self, number: u64) -> Result<StructOrNumber, E> {
        Ok(StructOrNumber(number))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<StructOrNumber, A::Error> {
        let mut sum = 0;
        while let Some((_, value)) = map.next_entry::<String, u64>()? {
            sum += value;
        }
        Ok(StructOrNumber(sum))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<StructOrNumber, A::Error> {
        let mut sum = 0;
        while let Some(value) = seq.next_element::<u64>()? {
            sum += value;
        }
        Ok(StructOrNumber(sum))
    }
}

impl<'de> Deserialize<'de> for StructOrNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct("StructOrNumber", &["a", "b"], Asking)
    }
}

/// A type that requests a struct gets its fields, by name or in order.
fn a_struct_is_its_fields<F: Format>() {
    fn read<F: Format, T: Serialize>(value: T) -> Result<u64, String> {
        let bytes = F::to_vec(&Any(value)).unwrap();
        let read = F::from_slice::<Any<StructOrNumber>>(&bytes);
        read.map(|value| value.0.0).map_err(|error| error.to_string())
    }
    assert_eq!(read::<F, _>(BTreeMap::from([("a", 1), ("b", 2)])), Ok(3));
    assert_eq!(read::<F, _>([1, 2]), Ok(3));
}

/// A map may be nothing, for types that take that.
fn a_map_may_be_nil<F: Format>() {
    let bytes = F::to_vec(&Any(())).unwrap();
    assert_eq!(F::from_slice::<Any<Map<String, Value>>>(&bytes).unwrap().0, Map::new());
    assert!(F::from_slice::<Any<BTreeMap<String, u8>>>(&bytes).is_err());
}

/// A struct with flattened structs stores its keys, and may borrow them.
#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Flat<'a> {
    id: u8,
    #[serde(flatten, borrow)]
    rest: BTreeMap<&'a str, Value>,
}

fn names_are_borrowed_where_they_are_kept<F: Format>() {
    let rest = BTreeMap::from([("a", json!(1)), ("b", json!([null]))]);
    let value = Any(Flat { id: 7, rest });
    let bytes = F::to_vec(&value).unwrap();
    let read = F::from_slice::<Any<Flat<'_>>>(&bytes).unwrap();
    assert_eq!(read, value);
    let range = bytes.as_ptr_range();
    assert!(read.0.rest.keys().all(|key| range.contains(&key.as_ptr())));
}

/// For `deserialize_any`, a number has the width with which it was written.
#[derive(Debug, PartialEq)]
struct Kind(&'static str);

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            "u8" => serializer.serialize_u8(7),
            "u16" => serializer.serialize_u16(700),
            "u32" => serializer.serialize_u32(70_000),
            "u64" => serializer.serialize_u64(1 << 40),
            "i8" => serializer.serialize_i8(-7),
            "i16" => serializer.serialize_i16(-700),
            "i32" => serializer.serialize_i32(-70_000),
            "i64" => serializer.serialize_i64(-1 << 40),
            "f32" => serializer.serialize_f32(0.5),
            _ => serializer.serialize_f64(0.1),
        }
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KindVisitor;

        macro_rules! visits {
            ($($visit:ident $type:ident,)*) => {$(
                fn $visit<E: de::Error>(self, _: $type) -> Result<Kind, E> {
                    Ok(Kind(stringify!($type)))
                }
            )*};
        }

        impl Visitor<'_> for KindVisitor {
            type Value = Kind;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number")
            }

            visits! {
                visit_u8 u8, visit_u16 u16, visit_u32 u32, visit_u64 u64, visit_i8 i8,
                visit_i16 i16, visit_i32 i32, visit_i64 i64, visit_f32 f32, visit_f64 f64,
            }
        }

        deserializer.deserialize_any(KindVisitor)
    }
}

fn numbers_keep_their_width<F: Format>() {
    for kind in ["u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f32", "f64"] {
        let bytes = F::to_vec(&Any(Kind(kind))).unwrap();
        assert_eq!(F::from_slice::<Any<Kind>>(&bytes).unwrap().0, Kind(kind));
    }
}

/// Unread items and unknown fields are skipped.
fn unread_values_are_skipped<F: Format>() {
    #[derive(Serialize)]
    struct Many {
        a: (u8, Option<&'static str>),
        b: u8,
    }

    #[derive(Deserialize, Debug, PartialEq)]
    struct Few {
        b: u8,
    }

    let bytes = F::to_vec(&Any(Many { a: (1, Some("x")), b: 2 })).unwrap();
    assert_eq!(F::from_slice::<Any<Few>>(&bytes).unwrap().0, Few { b: 2 });
    F::from_slice::<Any<IgnoredAny>>(&bytes).unwrap();
}
