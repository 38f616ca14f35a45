//! Nested marks and misplaced marks are refused by each way of writing and reading. Types that marks fit are tested in
//! `marks/marked.rs`.

pub(crate) mod marked;

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

/// A message that is too large for the fast paths.
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

/// Asserts that a mark is refused by fast paths, by exact ones, and in a large message.
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
    // In a slot: without the count that `ByteBuf` has before it.
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
        // The error is that of the mark on the field.
        always_refused(&FixVec(slots.clone()), bytes, "fixvec", "a struct");
        always_refused(&DynVec(fields.clone()), bytes, "dynvec", "a struct");
    }
}

/// Two marks for structs are allowed: the one on the field has precedence.
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

/// Names that look like marks are accepted, and refused by `strict`.
macro_rules! strangers {
    ($($name:literal: $type:item $value:expr;)*) => {$({
        #[derive(Debug, PartialEq, Serialize, Deserialize)]
        #[serde(rename = $name)]
        $type

        let strict = Options::new().strict(true);
        let text = format!("container name `{}` looks like a mark and is none", $name);
        let plain = $name.replace('.', "_");
        let hint = format!("use a name without a dot, as `#[serde(rename = \"{plain}\")]`");
        let text = |place: &str| format!("{text}{place}; {hint}");
        let bytes = to_vec(&$value).unwrap();
        assert_eq!(from_slice::<Stranger>(&bytes).unwrap(), $value);
        assert_eq!(strict.to_vec(&$value).unwrap_err().to_string(), text(""));
        assert_eq!(strict.from_slice::<Stranger>(&bytes).unwrap_err().to_string(), text(" at byte 0"));
        let many = to_vec(&vec![$value, $value]).unwrap();
        assert_eq!(strict.to_vec(&vec![$value, $value]).unwrap_err().to_string(), text(" in [0]"));
        let error = strict.from_slice::<Vec<Stranger>>(&many).unwrap_err();
        let place = format!(" in [0] at byte {}", error.offset().unwrap());
        assert_eq!(error.to_string(), text(&place));
    })*};
}

#[test]
fn strict_refuses_names_that_look_like_marks() {
    strangers! {
        "foo.Bar": struct Stranger(u32); Stranger(7);
        "configuration.Bar": struct Stranger(u32); Stranger(7);
        "foo.Fields": struct Stranger { a: u8, b: u8 } Stranger { a: 1, b: 2 };
        "foo.Choice": enum Stranger { A(u8) } Stranger::A(1);
        "foo.Unit": struct Stranger; Stranger;
        "packed.Slots": struct Stranger(u8, u8); Stranger(1, 2);
    }
    // Another format's mark is one.
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "int8.Level")]
    struct Level(u8);
    let strict = Options::new().strict(true);
    assert_eq!(strict.to_vec(&Level(7)).unwrap(), [7]);
    assert_eq!(strict.from_slice::<Level>(&[7]).unwrap(), Level(7));
}

/// Also in packed structs, and in an unmarked tuple whose layout is not determined yet.
#[test]
fn strict_checks_names_in_packed_values() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "foo.Inner")]
    struct Inner {
        a: u8,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "struct.Outer")]
    struct Outer {
        inner: Inner,
    }
    let strict = Options::new().strict(true);
    let outer = Outer { inner: Inner { a: 1 } };
    assert_eq!(to_vec(&outer).unwrap(), [1]);
    assert_eq!(from_slice::<Outer>(&[1]).unwrap(), outer);
    let error = strict.to_vec(&outer).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NoMark { name: "foo.Inner" }), "{error}");
    assert_eq!(error.path(), "inner");
    let error = strict.from_slice::<Outer>(&[1]).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NoMark { name: "foo.Inner" }), "{error}");
    assert_eq!((error.path().to_string().as_str(), error.offset()), ("inner", Some(0)));
}

/// The first 256 bytes of a packed value are stored in another buffer than the rest: values across this limit stay in
/// order.
#[test]
fn bytes_and_wider_values_stay_in_order_in_long_packed_values() {
    #[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[serde(rename = "struct.Long")]
    struct Long<const N: usize> {
        #[serde(with = "serde_big_array::BigArray")]
        before: [u8; N],
        narrow: (u8, u8, u8, u16, u8, u8),
        wide: (u8, u8, u8, u64, u8, (u8, u32, u8)),
        bytes: [u8; 32],
        after: u16,
    }

    fn counting<const N: usize>(first: u8) -> [u8; N] {
        let mut next = first..=u8::MAX;
        [(); N].map(|()| next.next().unwrap_or_default())
    }

    fn check<const N: usize>() {
        let long = Long {
            before: counting(0),
            narrow: (1, 2, 3, 0x0504, 6, 7),
            wide: (8, 9, 10, 0x1211_100f_0e0d_0c0b, 19, (20, 0x1817_1615, 25)),
            bytes: counting(26),
            after: 0x3b3a,
        };
        let mut expected: Vec<u8> = long.before.to_vec();
        expected.extend(1..=0x3b);
        assert_eq!(to_vec(&long).unwrap(), expected, "{N}");
        assert_eq!(from_slice::<Long<N>>(&expected).unwrap(), long);
        // The same with a value before it.
        let pair = to_vec(&vec![long.clone(), long]).unwrap();
        assert_eq!(pair, [&[2, 0, 0, 0], expected.as_slice(), expected.as_slice()].concat());
    }

    // Lengths with which a value begins, ends at or crosses the limit.
    macro_rules! check_all {
        ($($length:literal)*) => { $(check::<$length>();)* };
    }
    check_all! {
        1 31 32 33 197 198 199 220 223 224 225 232 238 239 240 241 242 243 244 245 246 247 248 249
        250 251 252 253 254 255 256 257 300
    }
}
