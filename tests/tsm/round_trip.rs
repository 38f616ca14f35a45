//! No third outcome, over the zoo: a written value has the specified layout and is read back equal,
//! or it is refused.

mod access;
mod lies;
pub(crate) mod modules;
pub(crate) mod more;
pub(crate) mod tagged;

use crate::model;
use crate::support::fact;
use crate::support::format::{self, Tsm, assert_read_alike};
use crate::support::random;
use crate::support::random::Dice;
use crate::support::zoo;
use fourfold::tsm::with::Raw;
use fourfold::tsm::{
    self, Deserializer, Error, Options, Serializer, from_reader, from_slice, take_from_slice,
    to_vec, to_writer,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::{self, Debug};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, SocketAddrV4};

/// Values per type.
const CASES: usize = if cfg!(debug_assertions) { 100 } else { 2000 };

pub(crate) trait Document:
    Serialize + DeserializeOwned + PartialEq + Debug + 'static
{
}
impl<T: Serialize + DeserializeOwned + PartialEq + Debug + 'static> Document for T {}

/// Every error has a reason.
pub(crate) fn assert_reason(error: &Error, about: &dyn Debug) {
    let (kind, text) = (error.kind().to_string(), error.to_string());
    assert!(!kind.trim().is_empty(), "no reason: {about:?}");
    assert!(text.contains(kind.as_str()), "{text} does not say {kind}: {about:?}");
    assert_eq!(text.lines().count(), 1, "{text}");
    if let Some(offset) = error.offset() {
        assert!(fact(&text).ends_with(&format!("at byte {offset}")), "{text}");
    }
}

/// What the model writes is written, byte for byte, and read back equal by every way in; what
/// the model refuses is refused.
///
/// The bytes, if there are any.
#[track_caller]
pub(crate) fn assert_outcome<T: Document>(name: &str, value: &T) -> Option<Vec<u8>> {
    let bytes = match (to_vec(value), model::bytes_of(value)) {
        (Ok(bytes), Ok(model)) => {
            assert_eq!(Hex(&bytes), Hex(&model), "{name} {value:?}");
            bytes
        }
        (Err(error), Err(_)) => {
            assert_reason(&error, value);
            let written = to_writer(Vec::new(), value);
            assert!(written.is_err(), "only to_vec refuses {name} {value:?}");
            return None;
        }
        (Err(error), Ok(_)) => panic!("{name} {value:?} is refused: {error}"),
        (Ok(bytes), Err(why)) => panic!("{name} {value:?} is written as {}: {why}", Hex(&bytes)),
    };
    assert_written_alike(name, value, &bytes);
    assert_read_back(name, value, &bytes);
    Some(bytes)
}

#[track_caller]
fn assert_written_alike<T: Document>(name: &str, value: &T, bytes: &[u8]) {
    // Equal hash tables are written alike as long as they are not moved.
    format::assert_written_alike::<Tsm, T>(name, value, bytes);
    let again = Options::new().max_depth(1000).to_vec(value).unwrap();
    assert_eq!(Hex(&again), Hex(bytes), "Options of {name} {value:?}");
}

#[track_caller]
fn assert_read_back<T: Document>(name: &str, value: &T, bytes: &[u8]) {
    let shown = Hex(bytes);
    let back: T = from_slice(bytes)
        .unwrap_or_else(|error| panic!("{name} {value:?} as {shown} is not read: {error}"));
    assert_eq!(&back, value, "{name} through {shown}");
    if !name.contains("Hash") {
        let again = to_vec(&back).unwrap();
        assert_eq!(Hex(&again), shown, "{name} {value:?} written again");
    }
    assert_read_alike::<Tsm, T>(name, value, bytes);
    let (read, rest) = take_from_slice::<T>(bytes).unwrap();
    assert_eq!(&read, value, "take_from_slice of {name} {shown}");
    assert!(rest.is_empty(), "{name} {shown} leaves {}", Hex(rest));
}

fn visible<T: Document>(name: &str, make: fn(&mut Dice) -> T) {
    let mut written = 0;
    random::check(name, CASES, make, |_, value| {
        written += usize::from(assert_outcome(name, &value).is_some());
    });
    // A hundred refusals prove little, where not every value has to be refused.
    assert!(written > 0 || NEVER_WRITTEN.contains(&name), "not one {name} is written");
}

/// serde passes these on as maps of unknown length, or their innermost always skips a field.
const NEVER_WRITTEN: [&str; 4] = ["FlattenStruct", "FlattenMap", "FlattenOption", "SkipsIf"];

fn unseen<T: Document>(name: &str, make: fn(&mut Dice) -> T) {
    random::check(name, CASES, make, |_, value| {
        let bytes = match (to_vec(&value), model::bytes_of(&value)) {
            (Ok(bytes), Ok(model)) => {
                assert_eq!(Hex(&bytes), Hex(&model), "{name} {value:?}");
                bytes
            }
            (Err(error), _) => {
                assert_reason(&error, &value);
                return;
            }
            (Ok(_), Err(why)) => panic!("{name} {value:?} is written: {why}"),
        };
        let read: tsm::Result<T> = from_slice(&bytes);
        match &read {
            Ok(_) if hides(&value) => {}
            Ok(back) => assert_eq!(back, &value, "{name} through {}", Hex(&bytes)),
            Err(error) => assert_reason(error, &value),
        }
        let other: tsm::Result<T> = from_reader(bytes.as_slice());
        assert_eq!(read.ok(), other.ok(), "{name} {}", Hex(&bytes));
    });
}

/// A tuple struct that skips a field is written as a shorter one, without any notice. The rest may
/// happen to read as another value: `None, 0, [0]` as `None, 1, []`.
fn hides(value: &dyn Any) -> bool {
    let tuple = value.downcast_ref::<zoo::TupleSkipsIf>();
    tuple.is_some_and(|tuple| tuple.0.is_none() || tuple.2.is_empty())
}

/// One test per type.
macro_rules! outcomes {
    ($($word:ident $name:ident = $make:expr;)*) => {$(
        #[test]
        #[allow(non_snake_case, reason = "the name of a type")]
        fn $name() {
            #[allow(unused_imports, reason = "not every generator is by hand")]
            use crate::support::random::{value, value_or_nan};
            #[allow(unused_imports, reason = "not every generator is by hand")]
            use super::list::*;
            super::$word::<super::list::$name>(stringify!($name), $make);
        }
    )*};
}

/// The types that every format is run over.
mod shared {
    mod types {
        crate::support::zoo::for_each_zoo_type!(outcomes);
    }
    use super::{unseen, visible};
    use crate::support::zoo as list;
}

/// The types that only this format is run over.
mod own {
    mod types {
        crate::round_trip::more::for_each_type!(outcomes);
    }
    use super::{more as list, unseen, visible};
}

/// Bytes as hex, for messages and comparisons that are read by people.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Hex<'a>(pub(crate) &'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.0.len())?;
        for (index, byte) in self.0.iter().take(2000).enumerate() {
            let gap = if index % 4 == 0 { " " } else { "" };
            write!(f, "{gap}{byte:02x}")?;
        }
        Ok(())
    }
}

impl Debug for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[track_caller]
fn assert_bytes<T: Document>(value: &T, bytes: &[u8]) {
    assert_eq!(assert_outcome("value", value).as_deref(), Some(bytes), "{value:?}");
}

/// The model could be wrong in the same way. These are from the papers.
#[test]
fn every_rule_once() {
    assert_bytes(&0x0102_u16, &[2, 1]);
    assert_bytes(&-2_i32, &[0xfe, 0xff, 0xff, 0xff]);
    assert_bytes(&u64::MAX, &[0xff; 8]);
    let wide = [16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1];
    assert_bytes(&0x0102_0304_0506_0708_090a_0b0c_0d0e_0f10_u128, &wide);
    assert_bytes(&i128::MIN, &[&[0; 15][..], &[0x80]].concat());
    assert_bytes(&1.5_f32, &[0, 0, 0xc0, 0x3f]);
    assert_bytes(&-2.0_f64, &[0, 0, 0, 0, 0, 0, 0, 0xc0]);
    assert_bytes(&true, &[1]);
    assert_bytes(&'€', &[0xac, 0x20, 0, 0]);
    assert_bytes(&String::from("hé"), &[3, 0, 0, 0, b'h', 0xc3, 0xa9]);
    assert_bytes(&serde_bytes::ByteBuf::from([7, 8]), &[2, 0, 0, 0, 7, 8]);
    assert_bytes(&vec![1_u16, 2], &[2, 0, 0, 0, 1, 0, 2, 0]);
    assert_bytes(&BTreeMap::from([(1_u8, 2_u16)]), &[1, 0, 0, 0, 1, 2, 0]);
    assert_bytes(&(), &[]);
    assert_bytes(&zoo::UnitStruct, &[]);
    assert_bytes(&zoo::Newtype(5), &[5, 0, 0, 0]);
    assert_bytes(&None::<u16>, &[0]);
    assert_bytes(&Some(5_u16), &[1, 5, 0]);
    assert_bytes(&Some(None::<u8>), &[1, 0]);
    assert_bytes(&zoo::Shape::Nothing, &[0, 0, 0, 0]);
    assert_bytes(&zoo::Shape::Circle(9), &[1, 0, 0, 0, 9, 0, 0, 0]);
    let points = [&[2, 0, 0, 0][..], &[1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0]].concat();
    let point = |x, y| zoo::Point { x, y };
    assert_bytes(&zoo::Shape::Line(point(1, 2), point(3, 4)), &points);
    let label = zoo::Shape::Label { at: point(1, 2), text: "t".into() };
    let bytes = [3, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, b't'];
    assert_bytes(&label, &bytes);
    assert_bytes(&[1_u8, 2, 3], &[1, 2, 3]);
    assert_bytes(&(1_u8, String::from("a"), 2_u16), &[1, 1, 0, 0, 0, b'a', 2, 0]);
    assert_bytes(&zoo::Pair(1, 2), &[1, 2, 0]);
    // What has no count of its own.
    assert_eq!(to_vec(&Raw([1_u8, 2, 3])).unwrap(), [1, 2, 3]);
    assert_eq!(from_slice::<Raw<[u8; 3]>>(&[1, 2, 3]).unwrap().0, [1, 2, 3]);
}

#[test]
fn a_skipped_variant_cannot_be_written() {
    assert_reason(&to_vec(&zoo::SkippedVariant::Hidden).unwrap_err(), &"skipped");
}

/// The name of the field that is left out is in the reason.
#[test]
fn a_skipped_field_is_named() {
    let skips = zoo::SkipsIf { a: Some(1), b: 2, c: vec![3], d: "d".into(), e: 5, f: None };
    let error = to_vec(&skips).unwrap_err();
    assert_reason(&error, &skips);
    assert!(error.to_string().contains('f'), "{error}");
    let named = |skips: &zoo::SkipsIf, name: &str| {
        let text = to_vec(&vec![skips]).unwrap_err().to_string();
        assert!(text.contains(name), "{text} does not say {name}");
    };
    let full = zoo::SkipsIf { f: Some(Box::new(skips.clone())), ..skips };
    named(&full, "[0].f");
    let error = to_vec(&zoo::SkippedVariant::Two { maybe: None, always: 1, never: 0 });
    assert!(error.unwrap_err().to_string().contains("maybe"));
}

/// The format is not for people to read, and types that care write themselves as numbers.
#[test]
fn addresses_are_bytes() {
    let four = Ipv4Addr::new(127, 0, 0, 1);
    assert_bytes(&four, &[127, 0, 0, 1]);
    assert_bytes(&vec![four], &[1, 0, 0, 0, 127, 0, 0, 1]);
    assert_bytes(&IpAddr::V4(four), &[0, 0, 0, 0, 127, 0, 0, 1]);
    let socket = SocketAddrV4::new(four, 0x0102);
    assert_bytes(&socket, &[127, 0, 0, 1, 2, 1]);
    assert_bytes(&SocketAddr::V4(socket), &[0, 0, 0, 0, 127, 0, 0, 1, 2, 1]);
    assert!(!serde::Serializer::is_human_readable(&&mut Serializer::new(Vec::new())));
    assert!(!serde::Deserializer::is_human_readable(&&mut Deserializer::from_slice(&[])));
}

/// Types that borrow, and what only the writer can have.
#[test]
fn borrowed_and_unsized() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Borrowed<'a> {
        text: &'a str,
        bytes: &'a [u8],
        maybe: Option<&'a str>,
        #[serde(borrow)]
        cow: Cow<'a, str>,
        #[serde(borrow, with = "serde_bytes")]
        raw: Cow<'a, [u8]>,
        #[serde(borrow)]
        many: Vec<&'a str>,
        #[serde(borrow)]
        map: BTreeMap<&'a str, &'a [u8]>,
    }
    let value = Borrowed {
        text: "grün",
        bytes: &[1, 2, 3],
        maybe: Some(""),
        cow: Cow::Borrowed("cow"),
        raw: Cow::Borrowed(&[4]),
        many: vec!["a", "", "b"],
        map: BTreeMap::from([("k", &[5, 6][..])]),
    };
    // `&[u8]` is a sequence when written and bytes when read: the same on the wire.
    let bytes = to_vec(&value).unwrap();
    assert_eq!(bytes, model::bytes_of(&value).unwrap());
    let back: Borrowed<'_> = from_slice(&bytes).unwrap();
    assert_eq!(back, value);
    assert!(matches!(back.cow, Cow::Borrowed("cow")));
    assert!(matches!(back.raw, Cow::Borrowed([4])));
    let inside = bytes.as_ptr_range();
    assert!(inside.contains(&back.text.as_ptr()), "text is not borrowed");
    assert!(inside.contains(&back.bytes.as_ptr()), "bytes are not borrowed");
    assert!(inside.contains(&back.many[2].as_ptr()), "an item is not borrowed");
    // From a reader there is nothing to borrow from, and text is the same.
    let owned: (String, serde_bytes::ByteBuf) =
        from_reader(&bytes[..16]).expect("the first two fields");
    assert_eq!(owned, ("grün".into(), serde_bytes::ByteBuf::from([1, 2, 3])));

    assert_eq!(to_vec("hi").unwrap(), to_vec(&String::from("hi")).unwrap());
    let strings: &[&str] = &["a", "bc"];
    let owned = vec![String::from("a"), String::from("bc")];
    assert_eq!(to_vec(strings).unwrap(), to_vec(&owned).unwrap());
    assert_eq!(to_vec(&&&7_u8).unwrap(), [7]);
}
