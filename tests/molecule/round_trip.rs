//! All types of the zoo: a value survives, or it is refused.

pub(crate) use crate::support::assert_reason;
use crate::support::erased::{self, AnyType, TestType, check_each};
pub(crate) use crate::support::fixture::Hex;
use crate::support::format::Molecule;
pub(crate) use crate::support::outcome::Expected;
use crate::support::outcome::written;
use crate::support::zoo;
use fourfold::molecule::with::{Array, FixVec, Struct, Table};
use fourfold::molecule::{Options, from_slice, to_vec};
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, SocketAddrV4};

/// Values per type.
const CASES: usize = if cfg!(debug_assertions) { 300 } else { 4000 };

/// A type in Molecule.
pub(crate) type Type = AnyType<Molecule>;

pub(crate) type Value = erased::Value<Molecule>;

/// The expected result: without it, a writer that refuses everything would pass.
fn owed(value: &dyn Any) -> Expected {
    fn on<T: 'static>(value: &dyn Any, refused: impl FnOnce(&T) -> bool) -> Option<bool> {
        value.downcast_ref().map(refused)
    }
    // `Some(None)` would take no bytes, so it cannot be written.
    let refused = on(value, |v: &zoo::OptionOption| *v == Some(None))
        .or_else(|| on(value, |v: &zoo::OptionOptionText| matches!(v, Some(None | Some(None)))))
        .or_else(|| on(value, |v: &zoo::OptionNewtypeOption| *v == Some(zoo::NewtypeOption(None))))
        .or_else(|| on(value, |v: &zoo::VecOptionOption| v.contains(&Some(None))))
        .or_else(|| on(value, |v: &zoo::GenericOption| v.maybe.as_deref() == Some(&None)))
        .or_else(|| on(value, |v: &zoo::Chain| v.0.is_some()))
        // serde writes types with `flatten` as a map of unknown length.
        .or_else(|| on(value, |_: &zoo::FlattenStruct| true))
        .or_else(|| on(value, |_: &zoo::FlattenMap| true))
        .or_else(|| on(value, |_: &zoo::FlattenNested| true));
    // An empty slot is `None` or a skipped field, which differ for this type.
    let is_ambiguous = on(value, |v: &zoo::DefaultSome| v.level.is_none()).unwrap_or(false);
    match refused {
        _ if is_ambiguous => Expected::Either,
        Some(true) => Expected::Refusal,
        Some(false) | None => Expected::Bytes,
    }
}

/// Asserts that a written value survives with each reader, and is written with the same bytes again.
pub(crate) fn assert_outcome<T: TestType>(name: &'static str, value: &T, owed: Expected) {
    check_outcome(&Type::of::<T>(name), value, owed);
}

pub(crate) fn check_outcome(ty: &Type, value: &Value, owed: Expected) {
    let name = ty.name;
    let Some(bytes) = written(ty, value, owed) else {
        return;
    };
    let shown = Hex(&bytes);
    let read = ty.from_slice_with(&Options::new().compatible(true), &bytes).unwrap();
    assert_eq!(*read, *value, "compatible reading of {name} {shown}");

    // The option `strict` only adds errors.
    let strict = Options::new().strict(true);
    match value.to_vec_with(&strict) {
        Ok(same) => assert_eq!(Hex(&same), shown, "strict {name} {value:?}"),
        Err(error) => assert_reason(&error, &value),
    }
    match ty.from_slice_with(&strict, &bytes) {
        Ok(read) => assert_eq!(*read, *value, "strict reading of {name} {shown}"),
        Err(error) => assert_reason(&error, &value),
    }
}

#[test]
fn every_type_is_read_back_or_refused() {
    check_each(&erased::zoo(), |ty: &Type| {
        ty.check(CASES, |_, value| match ty.visible {
            true => check_outcome(ty, value, owed(value.as_any())),
            false => unseen(ty, value),
        });
    });
}

fn unseen(ty: &Type, value: &Value) {
    let name = ty.name;
    let bytes = match value.to_vec() {
        Ok(bytes) => bytes,
        Err(error) => {
            assert_reason(&error, &value);
            return;
        }
    };
    assert_ne!(owed(value.as_any()), Expected::Refusal, "{name} {value:?} is written");
    let read = ty.from_slice(&bytes);
    match &read {
        Ok(back) => assert_eq!(**back, *value, "{name} through {}", Hex(&bytes)),
        Err(error) => assert_reason(error, &value),
    }
    let other = ty.from_reader(&bytes);
    assert_eq!(read.ok(), other.ok(), "{name} {}", Hex(&bytes));
}

/// Three numbers that are the header of a table of three fields: full size 24, offsets 16, 24 and 24, then eight bytes of
/// the first field.
const LIKE_A_TABLE: [u64; 3] = [24 | 16 << 32, 24 | 24 << 32, 7];

#[test]
fn packed_items_that_look_like_a_table_survive() {
    let array = LIKE_A_TABLE;
    let tuple = (array[0], array[1], array[2]);
    assert_outcome("alone", &array, Expected::Refusal);
    assert_outcome("alone", &tuple, Expected::Refusal);
    assert_outcome("in a vector", &vec![array; 3], Expected::Bytes);
    assert_outcome("among others", &vec![[1, 2, 3], array, [4; 3]], Expected::Bytes);
    assert_outcome("in an option", &Some(tuple), Expected::Refusal);
    assert_outcome("nested", &((tuple, 1_u8), array), Expected::Bytes);
}

/// A tuple with a fixed first and a dynamic later item is distinguished from a packed tuple by its header, which these
/// packed tuples have, too.
#[test]
fn a_packed_and_a_mixed_tuple_in_one_message() {
    let array = LIKE_A_TABLE;
    let tuple = (array[0], array[1], array[2]);
    let mixed = || (5_u8, String::from("five"));
    assert_outcome("array first", &(array, mixed()), Expected::Refusal);
    assert_outcome("mixed first", &(mixed(), array), Expected::Refusal);
    assert_outcome("tuple first", &(tuple, mixed()), Expected::Refusal);
    assert_outcome("both in vectors", &(vec![array], vec![mixed()]), Expected::Bytes);
    assert_outcome("the other way", &(vec![mixed()], vec![array]), Expected::Bytes);
    assert_outcome("inside of it", &(array, vec![7_u8]), Expected::Refusal);
    assert_outcome("as its last", &(5_u8, vec![array]), Expected::Bytes);
    assert_outcome("nested", &(5_u8, (tuple, mixed())), Expected::Refusal);

    let plain = [1_u64, 2, 3];
    assert_outcome("plain", &(plain, mixed()), Expected::Bytes);
    assert_outcome("plain", &(vec![mixed()], vec![plain]), Expected::Bytes);
    let short = [24 | 16 << 32, 24 | 23 << 32, 7_u64];
    assert_outcome("offsets out of order", &(short, mixed()), Expected::Bytes);
}

/// A mark determines the layout, and so does a type with only one possible layout.
#[test]
fn marks_select_the_layout_of_values_that_look_like_tables() {
    let array = LIKE_A_TABLE;
    let tuple = (array[0], array[1], array[2]);
    let mixed = || (5_u8, String::from("five"));
    assert_outcome("alone", &Struct(tuple), Expected::Bytes);
    assert_outcome("alone", &Struct(Array(array)), Expected::Bytes);
    assert_outcome("table", &Table(tuple), Expected::Bytes);
    assert_outcome("items", &FixVec(vec![tuple]), Expected::Bytes);
    assert_outcome("first", &Table((Struct(tuple), mixed())), Expected::Bytes);
    assert_outcome("all", &Table((Struct(array), Table(mixed()))), Expected::Bytes);
    assert_outcome("last", &Table((mixed(), Struct(array))), Expected::Bytes);
    assert_outcome("fixvec", &Table((FixVec(vec![tuple]), mixed())), Expected::Bytes);
    // Half of the marks are enough.
    assert_outcome("packed", &(Struct(tuple), mixed()), Expected::Bytes);
    assert_outcome("tables", &Table((array, Table(mixed()))), Expected::Refusal);

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Wide {
        a: u64,
        b: u64,
        c: u64,
    }
    let [a, b, c] = array;
    let wide = Wide { a, b, c };
    assert_outcome("table", &wide, Expected::Bytes);
    assert_outcome("packed", &Struct(wide.clone()), Expected::Bytes);
    assert_outcome("items", &FixVec(vec![wide.clone()]), Expected::Bytes);
    assert_outcome("in a table", &Table((FixVec(vec![wide.clone()]), mixed())), Expected::Bytes);
    assert_outcome("after text", &(String::new(), Struct(wide)), Expected::Bytes);
}

/// A tuple with a dynamic first item is a table. Its packed items must not look like tables, but items of their fixvecs
/// may.
#[test]
fn a_dynamic_first_item_makes_a_table() {
    let array = LIKE_A_TABLE;
    let empty = String::new;
    assert_outcome("string", &(empty(), array), Expected::Refusal);
    assert_outcome("option", &(Some(1_u8), array), Expected::Refusal);
    assert_outcome("vectors", &(vec![1_u8], vec![array]), Expected::Bytes);
    assert_outcome("array", &([empty()], array), Expected::Refusal);
    assert_outcome("array last", &(array, [empty()]), Expected::Refusal);
}

/// Pairs of numbers that are or are not a header.
#[test]
fn tuples_that_nearly_look_like_tables_survive() {
    let mut corners = vec![0_u64];
    for full in [23, 24, 25, 32] {
        for offset in [0, 8, 12, 16, 20, 24, 25] {
            corners.push(full | offset << 32);
            corners.push(offset | full << 32);
        }
    }
    for &a in &corners {
        for &b in &corners {
            assert_outcome("alone", &(a, b, 7_u64), Expected::Either);
            let pair = ((a, b, 7_u64), (1_u8, vec![2_u8]));
            assert_outcome("with a mixed one", &pair, Expected::Either);
            assert_outcome("itself mixed", &(a, b, vec![a, b]), Expected::Either);
        }
    }
}

#[test]
fn a_skipped_variant_cannot_be_written() {
    assert_outcome("skipped", &zoo::SkippedVariant::Hidden, Expected::Refusal);
}

/// Molecule is not human-readable, so these types are written as numbers.
#[test]
fn ip_addresses_are_written_as_bytes() {
    fn assert_bytes<T: TestType>(value: &T, bytes: &[u8]) {
        assert_eq!(to_vec(value).unwrap(), bytes, "{value:?}");
        assert_outcome("address", value, Expected::Bytes);
    }
    let four = Ipv4Addr::new(127, 0, 0, 1);
    assert_bytes(&four, &[127, 0, 0, 1]);
    assert_bytes(&Some(four), &[127, 0, 0, 1]);
    assert_bytes(&vec![four], &[1, 0, 0, 0, 127, 0, 0, 1]);
    assert_bytes(&FixVec(vec![four]), &[1, 0, 0, 0, 127, 0, 0, 1]);
    assert_bytes(&Struct((four, 1_u8)), &[127, 0, 0, 1, 1]);
    assert_bytes(&Array([four]), &[127, 0, 0, 1]);
    assert_bytes(&IpAddr::V4(four), &[0, 0, 0, 0, 127, 0, 0, 1]);
    let socket = SocketAddrV4::new(four, 0x0102);
    assert_bytes(&socket, &[127, 0, 0, 1, 2, 1]);
    assert_bytes(&SocketAddr::V4(socket), &[0, 0, 0, 0, 127, 0, 0, 1, 2, 1]);
    let table = [16, 0, 0, 0, 12, 0, 0, 0, 16, 0, 0, 0, 127, 0, 0, 1];
    assert_bytes(&(four, None::<u8>), &table);
    let entry = [&[24, 0, 0, 0, 8, 0, 0, 0], &table[..]].concat();
    assert_bytes(&BTreeMap::from([(four, None::<u8>)]), &entry);
    assert_outcome("entry", &BTreeMap::from([(1_u8, socket)]), Expected::Bytes);
    assert_outcome("table", &Table((four, socket)), Expected::Bytes);
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
        #[serde(borrow)]
        many: Vec<&'a str>,
    }
    let value = Borrowed {
        text: "grün",
        bytes: &[1, 2, 3],
        maybe: Some(""),
        cow: Cow::Borrowed("cow"),
        many: vec!["a", "", "b"],
    };
    // `&[u8]` is written as a sequence and read as bytes, with the same encoding.
    let bytes = to_vec(&value).unwrap();
    let back: Borrowed<'_> = from_slice(&bytes).unwrap();
    assert_eq!(back, value);
    assert!(matches!(back.cow, Cow::Borrowed("cow")));
    let inside = bytes.as_ptr_range();
    assert!(inside.contains(&back.text.as_ptr()), "text is not borrowed");

    assert_eq!(to_vec("hi").unwrap(), to_vec(&String::from("hi")).unwrap());
    let strings: &[&str] = &["a", "bc"];
    let owned = vec![String::from("a"), String::from("bc")];
    assert_eq!(to_vec(strings).unwrap(), to_vec(&owned).unwrap());
    let object: &dyn ToString = &"x";
    assert_eq!(to_vec(&object.to_string()).unwrap(), [1, 0, 0, 0, b'x']);
}
