//! `Deserialize` implementations written by hand, with requests that derives never make: they work or return an error.

use super::tagged::AdjacentAll;
use super::{Hex, assert_reason};
use fourfold::tsm::{
    Deserializer, Options, Serializer, from_reader, from_slice, take_from_slice, to_vec,
};
use serde::de::{Deserialize, MapAccess, SeqAccess, Visitor};
use serde::ser::Serialize;
use std::fmt;
use std::marker::PhantomData;

/// How a type written by hand reads a sequence, tuple or map of bytes.
trait Plan: fmt::Debug {
    fn read<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error>;
}

#[derive(Debug, PartialEq)]
struct By<P>(Vec<u8>, PhantomData<P>);

impl<'de, P: Plan> Deserialize<'de> for By<P> {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        P::read(from).map(|items| By(items, PhantomData))
    }
}

/// Reads some or all items, and requests another one after the last.
struct Taking(Option<usize>);

impl<'de> Visitor<'de> for Taking {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<u8>, A::Error> {
        let mut taken = Vec::new();
        while self.0.is_none_or(|most| taken.len() < most) {
            let hint = items.size_hint();
            match items.next_element()? {
                Some(item) => taken.push(item),
                None => {
                    assert!(hint.is_none_or(|hint| hint == 0), "{hint:?} to come");
                    for _ in 0..3 {
                        assert_eq!(items.next_element::<u8>()?, None, "more after the end");
                    }
                    break;
                }
            }
        }
        Ok(taken)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Vec<u8>, A::Error> {
        let mut taken = Vec::new();
        while self.0.is_none_or(|most| taken.len() < 2 * most) {
            let Some((key, value)) = entries.next_entry::<u8, u8>()? else {
                assert_eq!(entries.next_key::<u8>()?, None, "more after the end");
                break;
            };
            taken.extend([key, value]);
        }
        Ok(taken)
    }
}

macro_rules! plans {
    ($($name:ident $method:ident($($arg:expr),*) $take:expr;)*) => {$(
        #[derive(Debug, PartialEq)]
        struct $name;
        impl Plan for $name {
            fn read<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
                from.$method($($arg,)* Taking($take))
            }
        }
    )*};
}

plans! {
    WholeSeq deserialize_seq() None;
    TwoOfSeq deserialize_seq() Some(2);
    NoneOfSeq deserialize_seq() Some(0);
    WholeTuple deserialize_tuple(3) None;
    TwoOfTuple deserialize_tuple(3) Some(2);
    WholeMap deserialize_map() None;
    OneOfMap deserialize_map() Some(1);
    WholeStruct deserialize_struct("S", &["a", "b"]) None;
    TupleStruct deserialize_tuple_struct("S", 3) None;
    TwoOfTupleStruct deserialize_tuple_struct("S", 3) Some(2);
}

#[test]
fn readers_that_continue_after_the_end() {
    let items = |bytes: &[u8]| bytes.to_vec();
    assert_eq!(from_slice::<By<WholeSeq>>(&[2, 0, 0, 0, 7, 8]).unwrap().0, items(&[7, 8]));
    assert_eq!(from_slice::<By<WholeSeq>>(&[0; 4]).unwrap().0, items(&[]));
    assert_eq!(from_slice::<By<WholeTuple>>(&[7, 8, 9]).unwrap().0, items(&[7, 8, 9]));
    assert_eq!(from_slice::<By<TupleStruct>>(&[7, 8, 9]).unwrap().0, items(&[7, 8, 9]));
    assert_eq!(from_slice::<By<WholeMap>>(&[1, 0, 0, 0, 7, 8]).unwrap().0, items(&[7, 8]));
    assert_eq!(from_slice::<By<WholeStruct>>(&[7, 8]).unwrap().0, items(&[7, 8]));
    // The next bytes are not part of the sequence.
    let bytes = [2, 0, 0, 0, 7, 8, 9];
    assert_eq!(from_slice::<(By<WholeSeq>, u8)>(&bytes).unwrap().1, 9);
    assert_eq!(from_slice::<(By<WholeTuple>, u8)>(&[1, 2, 3, 9]).unwrap().1, 9);
    let bytes = [1, 0, 0, 0, 7, 8, 9];
    assert_eq!(from_slice::<(By<WholeMap>, u8)>(&bytes).unwrap().1, 9);
}

/// Unread items would be read as the next value.
#[test]
fn readers_that_stop_early() {
    #[track_caller]
    fn refused<P: Plan>(bytes: &[u8]) {
        for more in 0..6 {
            let bytes = [bytes, &vec![0; more]].concat();
            let error = from_slice::<(By<P>, Vec<u8>)>(&bytes).unwrap_err();
            assert_reason(&error, &Hex(&bytes));
            assert!(take_from_slice::<By<P>>(&bytes).is_err(), "{}", Hex(&bytes));
        }
    }
    refused::<TwoOfSeq>(&[3, 0, 0, 0, 0, 0, 0]);
    refused::<NoneOfSeq>(&[1, 0, 0, 0, 0]);
    refused::<OneOfMap>(&[2, 0, 0, 0, 0, 0, 0, 0]);
    refused::<TwoOfTuple>(&[0, 0, 0]);
    refused::<TwoOfTupleStruct>(&[0, 0, 0]);
    assert_eq!(from_slice::<By<TwoOfSeq>>(&[2, 0, 0, 0, 1, 2]).unwrap().0, [1, 2]);
    assert_eq!(from_slice::<By<OneOfMap>>(&[1, 0, 0, 0, 1, 2]).unwrap().0, [1, 2]);
    assert!(from_slice::<By<NoneOfSeq>>(&[0; 4]).unwrap().0.is_empty());
}

/// Keys without values, values without keys.
#[test]
fn keys_and_values_that_do_not_alternate() {
    #[derive(Debug)]
    struct Turns<const KEYS: bool>;
    struct V<const KEYS: bool>;
    impl<'de, const KEYS: bool> Visitor<'de> for V<KEYS> {
        type Value = Turns<KEYS>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a map")
        }
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Turns<KEYS>, A::Error> {
            for _ in 0..2 {
                if KEYS {
                    map.next_key::<u8>()?;
                } else {
                    map.next_value::<u8>()?;
                }
            }
            Ok(Turns)
        }
    }
    impl<'de, const KEYS: bool> Deserialize<'de> for Turns<KEYS> {
        fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            from.deserialize_map(V::<KEYS>)
        }
    }
    // No panic and no read beyond the end.
    for bytes in [&[2, 0, 0, 0, 1, 2, 3, 4][..], &[0; 4], &[1, 0, 0, 0, 1, 2], &[2, 0, 0, 0, 1, 1]]
    {
        let _ = from_slice::<Turns<true>>(bytes);
        let _ = from_slice::<Turns<false>>(bytes);
        let _ = from_slice::<(Turns<false>, Turns<true>)>(bytes);
    }
    assert!(from_slice::<Turns<false>>(&[0; 4]).is_err());
}

/// Several values through one serializer and one deserializer.
#[test]
fn concatenated_values() {
    let mut serializer = Serializer::new(Vec::new());
    (1_u8, "one").serialize(&mut serializer).unwrap();
    vec![2_u16].serialize(&mut serializer).unwrap();
    Some('c').serialize(&mut serializer).unwrap();
    let bytes = serializer.into_inner();
    let mut deserializer = Deserializer::from_slice(&bytes);
    assert_eq!(<(u8, &str)>::deserialize(&mut deserializer).unwrap(), (1, "one"));
    assert!(deserializer.end().is_err());
    let mut deserializer = Deserializer::from_slice(&bytes);
    <(u8, &str)>::deserialize(&mut deserializer).unwrap();
    assert_eq!(Vec::<u16>::deserialize(&mut deserializer).unwrap(), [2]);
    assert_eq!(Option::<char>::deserialize(&mut deserializer).unwrap(), Some('c'));
    deserializer.end().unwrap();

    // Serializer and deserializer count items without bytes in the same way.
    let units = vec![(); 4096];
    let mut serializer = Serializer::new(Vec::new());
    units.serialize(&mut serializer).unwrap();
    let second = units.serialize(&mut serializer);
    let bytes = [0_u8, 16, 0, 0].repeat(2);
    let mut deserializer = Deserializer::from_slice(&bytes);
    assert_eq!(Vec::<()>::deserialize(&mut deserializer).unwrap(), units);
    let read = Vec::<()>::deserialize(&mut deserializer);
    assert_eq!(second.is_ok(), read.is_ok(), "{second:?} but {read:?}");
}

/// Each of these makes the reader begin again or inspect later bytes; many of them are read in linear time.
#[test]
fn many_adjacently_tagged_values() {
    const COUNT: usize = 100_000;
    let mut all = vec![AdjacentAll::Unit; COUNT];
    all.extend((0..100).map(AdjacentAll::Number));
    let bytes = to_vec(&all).unwrap();
    assert_eq!(bytes.len(), 4 + 4 * COUNT + 800);
    assert!(from_slice::<Vec<AdjacentAll>>(&bytes).unwrap() == all);
    assert!(from_reader::<_, Vec<AdjacentAll>>(bytes.as_slice()).unwrap() == all);
    let (taken, rest) = take_from_slice::<Vec<AdjacentAll>>(&bytes).unwrap();
    assert!(taken == all && rest.is_empty());
    let lenient = Options::new().allow_trailing(true);
    assert!(lenient.from_slice::<Vec<AdjacentAll>>(&bytes).unwrap() == all);
    // Damage at the end and a missing last byte are refused.
    let error = from_slice::<Vec<AdjacentAll>>(&bytes[..bytes.len() - 1]).unwrap_err();
    assert!(error.is_eof(), "{error}");
    let mut bytes = bytes;
    let at = bytes.len() - 8;
    bytes[at] = 99;
    let error = from_slice::<Vec<AdjacentAll>>(&bytes).unwrap_err();
    assert_eq!(error.offset(), Some(at), "{error}");
}

/// The index of a variant is an int32, so larger numbers are refused.
#[test]
fn the_number_of_a_variant() {
    struct Variant(u32);
    impl Serialize for Variant {
        fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            to.serialize_newtype_variant("E", self.0, "v", &7_u8)
        }
    }
    assert_eq!(to_vec(&Variant(258)).unwrap(), [2, 1, 0, 0, 7]);
    assert_eq!(to_vec(&Variant(i32::MAX as u32)).unwrap(), [0xff, 0xff, 0xff, 0x7f, 7]);
    for index in [1 << 31, u32::MAX] {
        let error = to_vec(&Variant(index)).unwrap_err();
        assert!(error.to_string().contains(&index.to_string()), "{error}");
    }
}
