//! Uses every module and wrapper of `with`, alone, nested, and on user-defined types.

use std::collections::BTreeMap;

use fourfold::molecule::with::{
    Array, DynVec, FixVec, Struct, Table, array, dynvec, fixvec, structure, table,
};
use fourfold::molecule::{Options, from_reader, from_slice, to_vec, to_writer};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Modules by name and by path, next to a module of another crate.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Modules {
    #[serde(with = "dynvec")]
    lines: Vec<String>,
    #[serde(with = "fourfold::molecule::with::fixvec")]
    numbers: Vec<u32>,
    #[serde(with = "structure")]
    pair: (u8, u16),
    #[serde(with = "table")]
    labelled: (u8, String),
    #[serde(with = "array")]
    signature: [u8; 65],
    #[serde(with = "serde_bytes")]
    bytes: Vec<u8>,

    #[serde(with = "dynvec")]
    optional: Option<Vec<Vec<u8>>>,
    #[serde(with = "fixvec")]
    map: BTreeMap<u8, u32>,
    #[serde(with = "structure")]
    point: Point,
    #[serde(with = "table")]
    boxed: Box<[String; 2]>,
}

/// A table, unless a field has another mark.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Point {
    x: u8,
    y: u8,
}

/// Wrappers, in places without attributes.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Wrappers {
    lines: Option<DynVec<Vec<String>>>,
    numbers: BTreeMap<String, FixVec<Vec<u32>>>,
    #[serde(with = "fixvec")]
    pairs: Vec<Struct<(u8, u16)>>,
    #[serde(with = "dynvec")]
    labelled: Vec<Table<(u8, String)>>,
    signatures: Generic<Array<u8, 65>>,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Generic<T>(T);

/// Marks in container names.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "union.Named.Struct-1.DynVec-2.FixVec-3")]
enum Named {
    Struct(NamedStruct),
    DynVec(NamedDynVec),
    FixVec(NamedFixVec),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "struct.NamedStruct")]
struct NamedStruct {
    a: u8,
    b: [Point; 2],
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "dynvec.NamedDynVec")]
struct NamedDynVec(Vec<String>);

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "fixvec.NamedFixVec")]
struct NamedFixVec(Vec<u16>);

/// Writes and reads a value with slices and streams, also in strict mode.
fn check<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: T) {
    const STRICT: Options = Options::new().strict(true);
    let bytes = to_vec(&value).unwrap();
    assert_eq!(STRICT.to_vec(&value).unwrap(), bytes);
    let mut written = Vec::new();
    to_writer(&mut written, &value).unwrap();
    assert_eq!(written, bytes);

    assert_eq!(STRICT.from_slice::<T>(&bytes).unwrap(), value);
    assert_eq!(from_slice::<T>(&bytes).unwrap(), value);
    assert_eq!(from_reader::<_, T>(&bytes[..]).unwrap(), value);
}

#[test]
fn all_modules_and_wrappers_round_trip() {
    let word = || "word".to_owned();
    let point = || Point { x: 1, y: 2 };
    check(Modules {
        lines: vec![],
        numbers: vec![],
        pair: (1, 2),
        labelled: (1, word()),
        signature: [7; 65],
        bytes: vec![],
        optional: Some(vec![vec![1]]),
        map: BTreeMap::from([(1, 2)]),
        point: point(),
        boxed: Box::new([word(), word()]),
    });
    check(Wrappers {
        lines: Some(DynVec(vec![])),
        numbers: BTreeMap::from([(word(), FixVec(vec![]))]),
        pairs: vec![Struct((1, 2))],
        labelled: vec![Table((1, word()))],
        signatures: Generic(Array([7; 65])),
    });
    check(Named::Struct(NamedStruct { a: 1, b: [point(), point()] }));
    check(Named::DynVec(NamedDynVec(vec![])));
    check(Named::FixVec(NamedFixVec(vec![])));

    // The top-level value has no field, so it needs a wrapper.
    assert_eq!(to_vec(&DynVec(vec![word()])).unwrap()[..12], [16, 0, 0, 0, 8, 0, 0, 0, 4, 0, 0, 0]);
    assert_eq!(to_vec(&FixVec(vec![point()])).unwrap(), [1, 0, 0, 0, 1, 2]);
    assert_eq!(to_vec(&Struct(point())).unwrap(), [1, 2]);
    assert_eq!(to_vec(&Table((1_u8,))).unwrap(), [9, 0, 0, 0, 8, 0, 0, 0, 1]);
    assert_eq!(to_vec(&Array([1_u8; 40])).unwrap(), [1; 40]);
}
