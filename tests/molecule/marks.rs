//! Marks in marks, and marks where they do not belong: refused by each way to write and to read.

use fourfold::molecule::with::{DynVec, FixVec, Struct, Table};
use fourfold::molecule::{Deserializer, Error, ErrorKind, Options, from_slice, to_vec};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "fixvec.P")]
struct FixVecFields {
    a: u8,
    b: u8,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "dynvec.P")]
struct DynVecSlots(u8, u8);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "struct.N")]
struct Newtype<T>(T);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "struct.P")]
struct Packed {
    a: u8,
    b: u8,
}

/// More than the quick ways have room for.
fn surroundings<T>(value: T) -> (Vec<String>, T) {
    (vec!["text".into(); 100], value)
}

fn refused<T: Debug>(result: Result<T, Error>, mark: &str, found: &str) -> usize {
    let error = result.unwrap_err();
    match error.kind() {
        ErrorKind::Mark { mark: m, found: f } => assert_eq!((*m, *f), (mark, found), "{error}"),
        _ => panic!("{error}"),
    }
    error.offset().unwrap_or(0)
}

/// By the quick ways, the exact ones, and inside something large.
fn always_refused<T>(value: &T, bytes: &[u8], mark: &str, found: &str)
where
    T: Clone + Debug + PartialEq + Serialize + DeserializeOwned,
{
    refused(to_vec(value), mark, found);
    refused(to_vec(&vec![value]), mark, found);
    refused(to_vec(&surroundings(value)), mark, found);
    refused(Options::new().strict(true).to_vec(value), mark, found);
    assert_eq!(refused(from_slice::<T>(bytes), mark, found), 0);
    let mut exact = Deserializer::from_slice(bytes);
    assert_eq!(refused(T::deserialize(&mut exact), mark, found), 0);
    let outer = to_vec(&surroundings(serde_bytes::ByteBuf::from(bytes))).unwrap();
    // As a slot: what `ByteBuf` counts in front of it goes.
    let at = outer.len() - bytes.len() - 4;
    let mut slot = outer[..at].to_vec();
    slot.extend_from_slice(bytes);
    let size = u32::try_from(slot.len()).unwrap().to_le_bytes();
    slot[..4].copy_from_slice(&size);
    let error = from_slice::<(Vec<String>, T)>(&slot);
    assert_eq!(refused(error, mark, found), at);
}

const TABLE: [u8; 14] = [14, 0, 0, 0, 12, 0, 0, 0, 13, 0, 0, 0, 1, 2];

#[test]
fn a_vectors_mark_on_a_struct_under_another_mark() {
    let (fields, slots) = (FixVecFields { a: 1, b: 2 }, DynVecSlots(1, 2));
    for bytes in [&[1, 2][..], &TABLE] {
        always_refused(&fields, bytes, "fixvec", "a struct");
        always_refused(&Newtype(fields.clone()), bytes, "fixvec", "a struct");
        always_refused(&Struct(fields.clone()), bytes, "fixvec", "a struct");
        always_refused(&Table(fields.clone()), bytes, "fixvec", "a struct");
        always_refused(&Struct(slots.clone()), bytes, "dynvec", "a struct");
        always_refused(&Table(slots.clone()), bytes, "dynvec", "a struct");
        // The one at the use speaks first.
        always_refused(&FixVec(slots.clone()), bytes, "fixvec", "a struct");
        always_refused(&DynVec(fields.clone()), bytes, "dynvec", "a struct");
    }
}

/// Two marks for structs do not contradict each other: that at the use decides.
#[test]
fn a_structs_mark_under_another_for_structs() {
    let packed = Packed { a: 1, b: 2 };
    assert_eq!(to_vec(&Newtype(packed.clone())).unwrap(), [1, 2]);
    assert_eq!(from_slice::<Newtype<Packed>>(&[1, 2]).unwrap().0, packed);
    assert_eq!(to_vec(&Table(packed.clone())).unwrap(), TABLE);
    assert_eq!(from_slice::<Table<Packed>>(&TABLE).unwrap().0, packed);
    let mut exact = Deserializer::from_slice(&TABLE);
    assert_eq!(Table::<Packed>::deserialize(&mut exact).unwrap().0, packed);
}
