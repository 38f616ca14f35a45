//! All types of the zoo: a value has the specified layout and survives, or it is refused.

mod access;
pub(crate) mod modules;
pub(crate) mod more;
pub(crate) mod tagged;
mod wrong_lengths;

use crate::model::{self, Refusal};
pub(crate) use crate::support::assert_reason;
use crate::support::erased::{self, AnyType, Special, TestType, Value};
pub(crate) use crate::support::fixture::Hex;
use crate::support::format::Tsm;
use crate::support::outcome::{Expected, written};
use crate::support::zoo;
use fourfold::tsm::with::Raw;
use fourfold::tsm::{Deserializer, Options, Serializer, from_reader, from_slice, to_vec};
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, SocketAddrV4};

/// Values per type.
const CASES: usize = if cfg!(debug_assertions) { 100 } else { 2000 };

/// A type in tsm.
pub(crate) type Type = AnyType<Tsm, Model>;

/// The zoo, and types that are tested only with this format.
pub(crate) fn types() -> Vec<Type> {
    erased::zoo().into_iter().chain(more::types()).collect()
}

/// The bytes of a value according to the model.
pub(crate) struct Model(fn(&Value<Tsm>) -> Result<Vec<u8>, Refusal>);

impl Special for Model {
    fn of<T: TestType>() -> Self {
        Model(|value| model::bytes_of(value.as_any().downcast_ref::<T>().unwrap()))
    }
}

impl Model {
    pub(crate) fn bytes_of(&self, value: &Value<Tsm>) -> Result<Vec<u8>, Refusal> {
        (self.0)(value)
    }
}

/// Like [`check_outcome`], for a value written by hand.
#[track_caller]
pub(crate) fn assert_outcome<T: TestType>(name: &'static str, value: &T) -> Option<Vec<u8>> {
    check_outcome(&Type::of::<T>(name), value)
}

/// Asserts that the bytes are those of the model, and that the value survives with each reader; or that both refuse it.
///
/// Returns the bytes, if it was not refused.
fn check_outcome(ty: &Type, value: &Value<Tsm>) -> Option<Vec<u8>> {
    let name = ty.name;
    let (owed, model) = match ty.special.bytes_of(value) {
        Ok(model) => (Expected::Bytes, model),
        Err(_) => (Expected::Refusal, Vec::new()),
    };
    let bytes = written(ty, value, owed)?;
    let shown = Hex(&bytes);
    assert_eq!(shown, Hex(&model), "{name} {value:?}");
    let again = value.to_vec_with(&Options::new().max_depth(1000)).unwrap();
    assert_eq!(Hex(&again), shown, "Options of {name} {value:?}");
    let (read, rest) = ty.take_from_slice(&bytes).unwrap();
    assert_eq!(*read, *value, "take_from_slice of {name} {shown}");
    assert!(rest.is_empty(), "{name} {shown} leaves {}", Hex(rest));
    Some(bytes)
}

#[test]
fn every_type_is_read_back_or_refused() {
    erased::check_each(&types(), |ty| if ty.visible { visible(ty) } else { unseen(ty) });
}

fn visible(ty: &Type) {
    let mut written = 0;
    ty.check(CASES, |_, value| {
        written += usize::from(check_outcome(ty, value).is_some());
    });
    // At least one value has to be written, unless all have to be refused.
    assert!(written > 0 || NEVER_WRITTEN.contains(&ty.name), "not one is written");
}

/// serde writes these as maps of unknown length, or their innermost value always skips a field.
const NEVER_WRITTEN: [&str; 4] = ["FlattenStruct", "FlattenMap", "FlattenOption", "SkipsIf"];

fn unseen(ty: &Type) {
    let name = ty.name;
    ty.check(CASES, |_, value| {
        let bytes = match (value.to_vec(), ty.special.bytes_of(value)) {
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
        let read = ty.from_slice(&bytes);
        match &read {
            Ok(_) if hides(value.as_any()) => {}
            Ok(back) => assert_eq!(**back, *value, "{name} through {}", Hex(&bytes)),
            Err(error) => assert_reason(error, &value),
        }
        let other = ty.from_reader(&bytes);
        assert_eq!(read.ok(), other.ok(), "{name} {}", Hex(&bytes));
    });
}

/// Whether serde hides a skipped field: a tuple struct that skips one is written as a shorter one. The rest may be read as
/// another value: `None, 0, [0]` as `None, 1, []`.
fn hides(value: &dyn Any) -> bool {
    let tuple = value.downcast_ref::<zoo::TupleSkipsIf>();
    tuple.is_some_and(|tuple| tuple.0.is_none() || tuple.2.is_empty())
}

#[track_caller]
fn assert_bytes<T: TestType>(value: &T, bytes: &[u8]) {
    assert_eq!(assert_outcome("value", value).as_deref(), Some(bytes), "{value:?}");
}

/// Examples from the documents of TenniS, in case the model has the same error.
#[test]
fn examples_of_each_rule() {
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
    // Values without a count.
    assert_eq!(to_vec(&Raw([1_u8, 2, 3])).unwrap(), [1, 2, 3]);
    assert_eq!(from_slice::<Raw<[u8; 3]>>(&[1, 2, 3]).unwrap().0, [1, 2, 3]);
}

/// The format is not human-readable, so these types are written as numbers.
#[test]
fn ip_addresses_are_written_as_bytes() {
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

/// Types that borrow, and unsized types, which only the writer supports.
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
    // `&[u8]` is written as a sequence and read as bytes, with the same encoding.
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
    // With a reader, the value cannot borrow.
    let owned: (String, serde_bytes::ByteBuf) =
        from_reader(&bytes[..16]).expect("the first two fields");
    assert_eq!(owned, ("grün".into(), serde_bytes::ByteBuf::from([1, 2, 3])));

    assert_eq!(to_vec("hi").unwrap(), to_vec(&String::from("hi")).unwrap());
    let strings: &[&str] = &["a", "bc"];
    let owned = vec![String::from("a"), String::from("bc")];
    assert_eq!(to_vec(strings).unwrap(), to_vec(&owned).unwrap());
    assert_eq!(to_vec(&&&7_u8).unwrap(), [7]);
}
