//! Types that the common zoo does not have, floats, bytes, and wrong length announcements.

use super::{Expected, Hex, assert_outcome, assert_reason, types, visible};
use crate::support::erased::{TestType, check_each};
use crate::support::random::{self, value, value_or_nan};
use crate::support::zoo::{self, Empty, Key, Point, Shape, Suit};
use fourfold::primitiv::{Category, Options, from_slice, to_vec};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_bytes::{ByteArray, ByteBuf, Bytes};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::CString;
use std::marker::PhantomData;
use std::num::{NonZeroI8, NonZeroI128, NonZeroU16, NonZeroU64};
use std::ops::RangeTo;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Values at several positions, each followed by another value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Positions<T> {
    first: T,
    between: u16,
    many: BTreeMap<String, Vec<T>>,
    last: (T, T),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum MapKey {
    Unit,
    Number(i64),
    Pair(u8, String),
    Named { key: Key, at: (u8, u8) },
}

/// A tag and a content that are read by `deserialize_any`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", content = "c")]
enum Adjoining {
    Text(String),
    Wide(u128),
    Items(Vec<(u8, Option<bool>)>),
    Two(u8, u8),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Wide {
    a: (u8, u16, u32, u64, u128, usize),
    b: (i8, i16, i32, i64, i128, isize),
    c: (bool, char, f32, f64),
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct SkipsBoth {
    a: u8,
    #[serde(skip)]
    b: Option<u8>,
    #[serde(skip_serializing_if = "is_never", default)]
    c: u32,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_never(_: &u32) -> bool {
    false
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "T: DeserializeOwned, E: DeserializeOwned"))]
struct Two<T, E> {
    #[serde(rename = "type")]
    kind: Result<T, E>,
    r#fn: Box<[T]>,
    end: E,
}

/// A recursive type through each kind of container.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Everything {
    End,
    List(Vec<Everything>),
    Map(BTreeMap<String, Everything>),
    Option(Option<Box<Everything>>),
    Tuple(Box<(Everything, Everything)>),
    Array(Box<[Everything; 2]>),
    Struct { inner: Box<Everything>, shared: Rc<Everything> },
    Result(Box<Result<Everything, Everything>>),
    Pair(Box<Everything>, u8),
}

#[test]
fn kinds_of_types() {
    let types = types! {
        numbers_at_positions: Positions<u64>;
        strings_at_positions: Positions<String>;
        shapes_at_positions: Positions<Shape>;
        lists_at_positions: Positions<Vec<Option<u8>>>;
        empty_at_positions: Positions<Empty>;
        units_at_positions: Positions<()>;
        wide_numbers: Wide;
        negative_numbers: Vec<(i8, i16, i32, i64, i128)>;
        unsigned_numbers: Vec<(u8, u16, u32, u64, u128)>;
        keys_of_every_kind: BTreeMap<MapKey, MapKey>;
        keys_of_lists: BTreeMap<Vec<u8>, BTreeSet<(char, bool)>>;
        keys_of_options: BTreeMap<Option<String>, u8>;
        adjoining: Adjoining;
        optional_adjoining: Vec<Option<Adjoining>>;
        skips_both: SkipsBoth;
        two_parameters: Two<Key, Vec<u8>>;
        two_others: Two<(), Option<Suit>>;
        everything_in_everything: Everything;
        array_of_32: [u64; 32];
        array_of_32_strings: [String; 32];
        array_of_32_pairs: [(u8, Suit); 32];
        array_of_arrays: [[[u8; 3]; 2]; 2];
        array_of_nothing: [Empty; 5];
        big_array: serde_big_array::Array<u32, 40>;
        tuple_of_12: (u8, u8, u8, u8, u8, u8, i8, i8, i8, i8, i8, String);
        tuple_nested: ((((((u8,),),),),), [(u8, (u8,)); 1]);
        byte_arrays: Vec<ByteArray<4>>;
        byte_buffers: BTreeMap<ByteBuf, Option<ByteBuf>>;
        strings_in_c: CString;
        durations: Vec<Duration>;
        ranges: (RangeTo<u8>, std::ops::Range<Option<u8>>);
        not_zero: (NonZeroI8, NonZeroI128, NonZeroU16, Option<NonZeroU64>);
        results: Vec<Result<(), Result<u8, String>>>;
        boxes: Box<Rc<Arc<Box<Key>>>>;
        cows: Vec<Cow<'static, str>>;
        text_in_boxes: (Box<str>, Rc<str>, Arc<str>, Box<[Box<str>]>);
    };
    check_each(&types, visible);
}

/// Mutexes cannot be compared.
#[test]
fn mutexes() {
    random::check("mutex", 50, value::<(u64, Option<String>)>, |_, number| {
        let bytes = to_vec(&Mutex::new(number.clone())).unwrap();
        assert_eq!(bytes, to_vec(&number).unwrap());
        let read: Mutex<(u64, Option<String>)> = from_slice(&bytes).unwrap();
        assert_eq!(read.into_inner().unwrap(), number);
    });
}

/// All bits of floats survive, also those of NaNs.
#[test]
fn floats_keep_their_bits() {
    for bits in [0, 1 << 31, 0x7fc0_0000, 0x7f80_0001, 0xffff_ffff, 0x7f80_0000, 1, 0xff80_0001] {
        let float = f32::from_bits(bits);
        let bytes = to_vec(&float).unwrap();
        assert_eq!(Hex(&bytes), Hex(&[&[0xca], &bits.to_be_bytes()[..]].concat()));
        assert_eq!(from_slice::<f32>(&bytes).unwrap().to_bits(), bits);
        let lenient = Options::new().lenient(true);
        assert_eq!(lenient.from_slice::<f32>(&bytes).unwrap().to_bits(), bits);
        let pair = (Some(float), [float; 2]);
        let (one, two): (Option<f32>, [f32; 2]) = from_slice(&to_vec(&pair).unwrap()).unwrap();
        assert_eq!(one.map(f32::to_bits), Some(bits));
        assert_eq!(two.map(f32::to_bits), [bits; 2]);
    }
    for bits in [0, 1 << 63, 0x7ff8 << 48, 0x7ff0_0000_0000_0001, u64::MAX, 1] {
        let float = f64::from_bits(bits);
        let bytes = to_vec(&float).unwrap();
        assert_eq!(Hex(&bytes), Hex(&[&[0xcb], &bits.to_be_bytes()[..]].concat()));
        assert_eq!(from_slice::<f64>(&bytes).unwrap().to_bits(), bits);
        let lenient = Options::new().lenient(true);
        assert_eq!(lenient.from_slice::<f64>(&bytes).unwrap().to_bits(), bits);
    }
    random::check("floats", 500, value_or_nan::<Vec<(f32, f64)>>, |_, value| {
        let bits = |items: &[(f32, f64)]| -> Vec<(u32, u64)> {
            items.iter().map(|(a, b)| (a.to_bits(), b.to_bits())).collect()
        };
        let back: Vec<(f32, f64)> = from_slice(&to_vec(&value).unwrap()).unwrap();
        assert_eq!(bits(&back), bits(&value));
    });
}

/// primitiv's encoding: `ce` and four bytes for 32-bit integers, shortest headers, no framing.
#[test]
fn primitivs_own_types() {
    let bytes = to_vec(&(1_u32, 0x0102_0304_u32)).unwrap();
    assert_eq!(Hex(&bytes), Hex(&[0xce, 0, 0, 0, 1, 0xce, 1, 2, 3, 4]));
    assert_eq!(Hex(&to_vec(&0_u32).unwrap()), Hex(&[0xce, 0, 0, 0, 0]));
    let key = Key { id: 1, name: "ab".into() };
    assert_eq!(Hex(&to_vec(&key).unwrap()), Hex(&[0xce, 0, 0, 0, 1, 0xa2, b'a', b'b']));
    for (len, header) in [
        (0, &[0xa0][..]),
        (31, &[0xbf]),
        (32, &[0xd9, 32]),
        (255, &[0xd9, 255]),
        (256, &[0xda, 1, 0]),
        (65535, &[0xda, 255, 255]),
        (65536, &[0xdb, 0, 1, 0, 0]),
    ] {
        let bytes = assert_outcome("str", &"x".repeat(len), Expected::Bytes).unwrap();
        assert_eq!(Hex(&bytes[..bytes.len() - len]), Hex(header), "str of {len}");
    }
    for (len, header) in [
        (0, &[0xc4, 0][..]),
        (255, &[0xc4, 255]),
        (256, &[0xc5, 1, 0]),
        (65535, &[0xc5, 255, 255]),
        (65536, &[0xc6, 0, 1, 0, 0]),
    ] {
        let bytes =
            assert_outcome("bin", &ByteBuf::from(vec![0xff; len]), Expected::Bytes).unwrap();
        assert_eq!(Hex(&bytes[..bytes.len() - len]), Hex(header), "bin of {len}");
    }
    for (len, header) in [
        (0_u32, &[0x90][..]),
        (15, &[0x9f]),
        (16, &[0xdc, 0, 16]),
        (65535, &[0xdc, 255, 255]),
        (65536, &[0xdd, 0, 1, 0, 0]),
    ] {
        let items: Vec<u32> = (0..len).collect();
        let bytes = assert_outcome("array", &items, Expected::Bytes).unwrap();
        let rest = bytes.len() - 5 * items.len();
        assert_eq!(Hex(&bytes[..rest]), Hex(header), "array of {len}");
    }
    for (len, header) in [
        (0_u32, &[0x80][..]),
        (15, &[0x8f]),
        (16, &[0xde, 0, 16]),
        (65535, &[0xde, 255, 255]),
        (65536, &[0xdf, 0, 1, 0, 0]),
    ] {
        let items: BTreeMap<u32, f32> = (0..len).map(|n| (n, 0.5)).collect();
        let bytes = assert_outcome("map", &items, Expected::Bytes).unwrap();
        let rest = bytes.len() - 10 * items.len();
        assert_eq!(Hex(&bytes[..rest]), Hex(header), "map of {len}");
    }
    assert_eq!(Hex(&to_vec(&(true, false)).unwrap()), Hex(&[0xc3, 0xc2]));
    assert_eq!(Hex(&to_vec(&None::<u32>).unwrap()), Hex(&[0xc0]));
}

/// Types that borrow, and unsized types, which only the writer supports.
#[test]
fn borrowed_and_unsized() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Borrowed<'a> {
        text: &'a str,
        // Without a mark, it is written as a sequence and read as bytes.
        #[serde(with = "serde_bytes")]
        bytes: &'a [u8],
        maybe: Option<&'a str>,
        #[serde(borrow)]
        cow: Cow<'a, str>,
        #[serde(borrow)]
        many: Vec<&'a str>,
        #[serde(borrow)]
        map: BTreeMap<&'a str, &'a Bytes>,
        last: &'a Bytes,
    }
    let value = Borrowed {
        text: "text",
        bytes: &[1, 2, 0xff],
        maybe: Some(""),
        cow: "cow".into(),
        many: vec!["a", "", "€"],
        map: BTreeMap::from([("key", Bytes::new(b"value"))]),
        last: Bytes::new(&[7; 300]),
    };
    let bytes = to_vec(&value).unwrap();
    let read: Borrowed<'_> = from_slice(&bytes).unwrap();
    assert_eq!(read, value);
    assert!(matches!(read.cow, Cow::Borrowed(_)));
    let inside = |part: &[u8]| bytes.as_ptr_range().contains(&part.as_ptr());
    assert!(inside(read.text.as_bytes()) && inside(read.bytes) && inside(read.last));
    assert!(read.many[..1].iter().all(|part| inside(part.as_bytes())));

    assert_eq!(to_vec("text").unwrap(), to_vec(&String::from("text")).unwrap());
    assert_eq!(to_vec(&[1_u8, 2][..]).unwrap(), to_vec(&vec![1_u8, 2]).unwrap());
    assert_eq!(to_vec(&Some("x")).unwrap(), to_vec(&Some(String::from("x"))).unwrap());
    let object: &dyn Fn() -> Point = &|| Point { x: 1, y: -1 };
    assert_outcome("point", &object(), Expected::Bytes);
}

/// Text that is not UTF-8 is refused with path and offset.
#[test]
fn text_is_checked() {
    let error = from_slice::<String>(&[0xa3, b'a', 0xff, b'b']).unwrap_err();
    assert_eq!(error.offset(), Some(2), "{error}");
    let error = from_slice::<Vec<&str>>(&[0x92, 0xa0, 0xa2, 0xc3, 0x28]).unwrap_err();
    assert_eq!(error.offset(), Some(3), "{error}");
    assert_eq!(error.path().to_string(), "[1]", "{error}");
}

/// Every value takes a byte, so counts of items are limited by the input.
#[test]
fn every_value_takes_a_byte() {
    fn takes_some<T: TestType + Clone>(item: T) {
        assert!(!to_vec(&item).unwrap().is_empty(), "{item:?} takes no bytes");
        assert_outcome("many", &vec![item.clone(); 5000], Expected::Bytes);
        assert_outcome("map", &BTreeMap::from([(1_u8, item)]), Expected::Bytes);
        for count in [1_u32, 4097, 1 << 20, u32::MAX] {
            let bytes = [&[0xdd][..], &count.to_be_bytes()].concat();
            let error = from_slice::<Vec<T>>(&bytes).unwrap_err();
            assert_reason(&error, &count);
            assert_eq!(error.category(), Category::Eof, "{error}");
        }
    }
    takes_some(());
    takes_some(Empty {});
    takes_some(zoo::UnitStruct);
    takes_some(zoo::EmptyTuple());
    takes_some([0_u64; 0]);
    takes_some(PhantomData::<u64>);
    takes_some((Empty {}, Empty {}));
    takes_some([(); 3]);
    takes_some(None::<()>);
    takes_some(zoo::Skips { a: 0, b: String::new(), c: 0, d: 7 });
    takes_some(Hidden { skipped: 0 });
    takes_some(Suit::Clubs);
}

/// A struct without a field that is written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Hidden {
    #[serde(skip)]
    skipped: u8,
}

/// Without a mark, `&[u8]` is written as a sequence and read as bytes.
#[test]
fn borrowed_bytes_without_a_mark() {
    let bytes = to_vec(&[1_u8, 2][..]).unwrap();
    let error = from_slice::<&[u8]>(&bytes).unwrap_err();
    assert_reason(&error, &bytes);
    assert_eq!(error.offset(), Some(0), "{error}");
    assert_eq!(from_slice::<Vec<u8>>(&bytes).unwrap(), [1, 2]);
}
