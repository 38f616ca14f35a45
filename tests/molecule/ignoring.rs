//! Types that ignore errors of what they contain, and types that refuse what the format accepts.

use std::fmt;
use std::marker::PhantomData;
use std::num::NonZeroU8;

use fourfold::molecule::{CommonKind, Error, ErrorKind, Options, from_slice, to_vec, with};
use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};
use serde::{Deserialize as DeriveDeserialize, Serialize};
use serde_bytes::ByteArray;

use crate::support::visits::visits;

/// Reads `T`; on an error, has its default.
#[derive(Debug, Default, PartialEq)]
struct Lenient<T>(T);

impl<'de, T: Deserialize<'de> + Default> Deserialize<'de> for Lenient<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Lenient(T::deserialize(deserializer).unwrap_or_default()))
    }
}

/// Reads all items, and ignores errors.
#[derive(Debug, PartialEq)]
struct Readable<T>(Vec<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Readable<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Items<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Items<T> {
            type Value = Readable<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("items")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
                let mut read = Vec::new();
                for _ in 0..items.size_hint().unwrap_or(0) {
                    read.extend(items.next_element().ok().flatten());
                }
                Ok(Readable(read))
            }
        }

        deserializer.deserialize_seq(Items(PhantomData))
    }
}

/// Exactly three numbers.
#[derive(Debug, Default, PartialEq)]
struct Three(Vec<u8>);

impl<'de> Deserialize<'de> for Three {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let numbers = Vec::<u8>::deserialize(deserializer)?;
        match numbers.len() {
            3 => Ok(Three(numbers)),
            count => Err(serde::de::Error::invalid_length(count, &"three numbers")),
        }
    }
}

/// Reads a value and stores nothing.
#[derive(Clone, Debug, PartialEq)]
struct Checked;

impl<'de> Deserialize<'de> for Checked {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u8::deserialize(deserializer).map(|_| Checked)
    }
}

#[derive(Debug, PartialEq, DeriveDeserialize)]
struct Two<A, B> {
    a: A,
    b: B,
}

/// A table of two fields.
fn two(a: &[u8], b: &[u8]) -> Vec<u8> {
    let size = |count: usize| u32::try_from(count).unwrap().to_le_bytes();
    let sizes = [size(12 + a.len() + b.len()), size(12), size(12 + a.len())];
    [sizes.as_flattened(), a, b].concat()
}

fn refused<T>(read: Result<T, Error>) -> Error {
    read.err().expect("an error")
}

#[test]
fn a_length_that_a_type_refuses_is_an_error() {
    let error = refused(from_slice::<Three>(&[2, 0, 0, 0, 1, 2]));
    assert_eq!(error.to_string(), "invalid length 2, expected three numbers at byte 0");
    let error = refused(from_slice::<Two<u8, ByteArray<4>>>(&two(&[1], &[3, 0, 0, 0, 1, 2, 3])));
    assert_eq!(
        error.to_string(),
        "invalid length 3, expected a byte array of length 4 in b at byte 13"
    );
}

#[test]
fn an_ignored_error_is_not_that_of_another_value() {
    let short = [2, 0, 0, 0, 1, 2];
    // In the same message, and in the next one.
    let error = refused(from_slice::<Two<Lenient<Option<NonZeroU8>>, Three>>(&two(&[0], &short)));
    assert_eq!(error.to_string(), "invalid length 2, expected three numbers in b at byte 13");
    let error = refused(from_slice::<Two<Lenient<bool>, Three>>(&two(&[9], &short)));
    assert_eq!(error.to_string(), "invalid length 2, expected three numbers in b at byte 13");
    from_slice::<Two<Lenient<Option<NonZeroU8>>, u8>>(&two(&[0], &[1])).unwrap();
    let error = refused(from_slice::<Three>(&short));
    assert_eq!(error.to_string(), "invalid length 2, expected three numbers at byte 0");
}

#[test]
fn items_of_a_damaged_header_are_not_left_out() {
    let mut bytes = to_vec(&["a", "b", "c"].map(str::to_owned).to_vec()).unwrap();
    assert_eq!(from_slice::<Readable<String>>(&bytes).unwrap().0, ["a", "b", "c"]);
    bytes[8] = 255;
    let error = refused(from_slice::<Readable<String>>(&bytes));
    assert!(matches!(error.kind(), ErrorKind::Common(CommonKind::Abandoned)), "{error}");
}

#[test]
fn a_field_whose_table_is_damaged_may_be_ignored() {
    for inner in [&two(&[1], &[])[..], &[8, 0, 0, 0, 8, 0, 0, 0][..], &[9, 0, 0, 0, 8, 0, 0, 0, 1]]
    {
        let read: Two<Lenient<Option<Two<u8, u8>>>, u8> = from_slice(&two(inner, &[7])).unwrap();
        assert_eq!(read, Two { a: Lenient(None), b: 7 }, "{inner:?}");
    }
}

#[derive(Debug, PartialEq, DeriveDeserialize)]
#[serde(rename = "struct.Packed")]
struct Packed {
    a: u8,
    b: bool,
}

#[test]
fn a_truncated_number_is_not_an_error_of_another_field() {
    type Message = Two<Lenient<Option<(u8, u16)>>, Packed>;
    let error = refused(from_slice::<Message>(&two(&[1], &[1, 9])));
    assert_eq!(error.to_string(), "bool is 9, neither 0 nor 1 in b.b at byte 14");
}

#[test]
fn an_item_does_not_read_beyond_its_end() {
    // Items of nine bytes where the type has ten, and a text that begins with 7.
    let items = [&[1, 0, 0, 0][..], &[1, 0, 0, 0, 2, 0, 0, 0, 1]].concat();
    let bytes = two(&items, &[1, 0, 0, 0, 7]);
    let error = refused(from_slice::<Two<with::FixVec<Vec<(u32, u32, u8, bool)>>, String>>(&bytes));
    assert_eq!(error.offset(), Some(16), "{error}");
    assert!(error.to_string().starts_with("field or item ends early"), "{error}");
}

#[test]
fn vectors_of_tuples_are_read_where_bytes_may_follow() {
    let open = Options::new().allow_trailing(true);
    let vector = [2, 0, 0, 0, 1, 2, 3, 4];
    let read: with::FixVec<Vec<[u8; 2]>> = open.from_slice(&vector).unwrap();
    assert_eq!(read.0, [[1, 2], [3, 4]]);
    let read: with::FixVec<Vec<Checked>> = open.from_slice(&vector).unwrap();
    assert_eq!(read.0, [Checked, Checked]);
    let padded = [1, 0, 0, 0, 7, 1, 0, 0, 0, 255];
    let read: with::FixVec<Vec<(u8, u32)>> = open.from_slice(&padded).unwrap();
    assert_eq!(read.0, [(7, 1)]);
}

#[test]
fn types_with_aliases_are_read_where_bytes_may_follow() {
    #[derive(Debug, PartialEq, DeriveDeserialize)]
    struct Renamed {
        #[serde(alias = "old")]
        a: u8,
    }
    let open = Options::new().allow_trailing(true);
    let bytes = [9, 0, 0, 0, 8, 0, 0, 0, 7, 255];
    assert_eq!(open.from_slice::<Renamed>(&bytes).unwrap(), Renamed { a: 7 });
    let error = refused(open.from_slice::<Two<u8, u8>>(&bytes));
    assert_eq!(error.kind().to_string(), "table has 1 field, the type has more");
    assert_eq!(error.offset(), Some(4));
}

#[test]
fn a_compatible_reader_takes_newer_tables_of_types_with_aliases() {
    #[derive(Debug, PartialEq, DeriveDeserialize)]
    struct Renamed {
        #[serde(alias = "old")]
        a: u8,
        b: bool,
    }
    let compatible = Options::new().compatible(true);
    for count in 2..6u32 {
        let header = 4 * (count + 1);
        let offsets = (0..count).map(|index| header + index);
        let numbers = std::iter::once(header + count).chain(offsets);
        let mut bytes: Vec<u8> = numbers.flat_map(u32::to_le_bytes).collect();
        bytes.extend(std::iter::repeat_n(1, usize::try_from(count).unwrap()));
        assert_eq!(compatible.from_slice::<Renamed>(&bytes).unwrap(), Renamed { a: 1, b: true });
    }
}

#[test]
fn an_absent_item_is_not_the_end_of_an_array() {
    #[derive(Debug)]
    struct Collected;

    visits! { Collected, "two texts", deserialize_tuple(2):
        visit_seq |items| {
            while items.next_element::<String>()?.is_some() {}
            Ok(Collected)
        }
    }
    let text = [1, 0, 0, 0, 7];
    from_slice::<Collected>(&two(&text, &text)).unwrap();
    let error = refused(from_slice::<Collected>(&two(&text, &[])));
    assert!(matches!(error.kind(), ErrorKind::Absent), "{error}");
    assert_eq!(error.offset(), Some(17), "{error}");
}

#[test]
fn a_variant_may_skip_fields_of_what_it_contains() {
    #[derive(Debug, PartialEq, Serialize, DeriveDeserialize)]
    struct Older {
        a: u8,
        b: u8,
    }
    #[derive(Debug, PartialEq)]
    struct Newer(u8);

    visits! { Newer, "a number and something", deserialize_struct("Newer", &["a", "b"]):
        visit_seq |items| {
            let first = items.next_element()?.unwrap_or_default();
            items.next_element::<serde::de::IgnoredAny>()?;
            Ok(Newer(first))
        }
    }
    #[derive(Debug, PartialEq, Serialize, DeriveDeserialize)]
    #[serde(tag = "t", content = "c")]
    enum Tagged<T> {
        Fields { inner: T, last: u8 },
    }
    let bytes = to_vec(&Tagged::Fields { inner: Older { a: 1, b: 2 }, last: 3 }).unwrap();
    let read: Tagged<Newer> = from_slice(&bytes).unwrap();
    assert_eq!(read, Tagged::Fields { inner: Newer(1), last: 3 });
}
