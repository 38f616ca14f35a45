//! Values that are refused because they could not be read back, and the fix of each refusal.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::path::Path;

use fourfold::biniou::with::{Table, table};
use fourfold::biniou::{Dictionary, ErrorKind, Options, from_reader, from_slice, to_vec};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A depth limit that disables the fast path of writers.
const EXACT: Options = Options::new().max_depth(40);

/// Asserts that both ways of writing refuse a value with the same error, and returns it.
#[track_caller]
fn refused<T: ?Sized + Serialize>(value: &T) -> fourfold::biniou::Error {
    let (fast, exact) = (to_vec(value).unwrap_err(), EXACT.to_vec(value).unwrap_err());
    assert_eq!(fast.to_string(), exact.to_string());
    fast
}

/// Asserts that a value written in both ways survives, and returns its bytes.
#[track_caller]
fn back<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> Vec<u8> {
    let bytes = to_vec(value).unwrap();
    assert_eq!(EXACT.to_vec(value).unwrap(), bytes);
    assert_eq!(&from_slice::<T>(&bytes).unwrap(), value);
    let mut exact = fourfold::biniou::Deserializer::from_slice(&bytes);
    assert_eq!(&T::deserialize(&mut exact).unwrap(), value);
    bytes
}

/// Two of its variants have the same hash.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(non_camel_case_types, reason = "these names collide")]
enum Twins {
    azdwbie,
    c7diagq,
    Other(u8),
}

#[derive(Serialize)]
#[serde(rename = "Twins")]
#[allow(non_camel_case_types, reason = "these names collide")]
enum Laden {
    azdwbie(String),
    c7diagq { text: String },
    Other(u8, u8),
}

#[track_caller]
fn collides<T: ?Sized + Serialize>(value: &T, path: &str) {
    let error = refused(value);
    match error.kind() {
        ErrorKind::Collision { first, second, hash: 0x6c31_2372 } => {
            assert_eq!([first.as_str(), second], ["azdwbie", "c7diagq"]);
        }
        kind => panic!("{kind}"),
    }
    assert_eq!(error.path().to_string(), path);
}

/// A reader cannot distinguish the variants, so the writer refuses the second name.
#[test]
fn variants_with_the_same_hash_are_refused() {
    use Twins::{Other, azdwbie, c7diagq};

    collides(&vec![azdwbie, c7diagq], "[1]");
    collides(&[azdwbie, c7diagq][..], "[1]");
    collides(&vec![azdwbie, Other(1), azdwbie, Other(2), c7diagq], "[4]");
    let mut many = vec![Other(1); 1000];
    many.extend([azdwbie, Other(7), c7diagq]);
    collides(&many, "[1002]");
    collides(&(vec![azdwbie], String::new(), vec![Other(1), c7diagq]), "[2][1]");
    collides(&vec![vec![azdwbie], vec![Other(3)], vec![Other(3), c7diagq]], "[2][1]");
    let laden =
        vec![Laden::Other(1, 2), Laden::azdwbie("x".into()), Laden::c7diagq { text: "y".into() }];
    collides(&laden, "[2]");
    // One of the two, and other variants, are written.
    assert_eq!(to_vec(&vec![Other(1), azdwbie, azdwbie]).unwrap()[..3], [19, 3, 23]);
}

/// Variants of enums with different names may have the same hash.
#[test]
fn variants_of_different_enums_may_have_the_same_hash() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[allow(non_camel_case_types, reason = "these names collide")]
    enum One {
        azdwbie,
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[allow(non_camel_case_types, reason = "these names collide")]
    enum Another {
        c7diagq,
    }

    back(&(vec![One::azdwbie, One::azdwbie], vec![Another::c7diagq, Another::c7diagq]));
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Row {
    x: i32,
    name: String,
}

const NO_ROWS: [Row; 0] = [];

fn row(x: i32) -> Row {
    Row { x, name: format!("row {x}") }
}

/// An array is a list whose length is known: as a TABLE it has the bytes of a `Vec`.
#[test]
fn a_table_may_be_an_array() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Has<T> {
        #[serde(with = "table")]
        #[serde(bound(serialize = "T: Serialize", deserialize = "T: Deserialize<'de>"))]
        rows: T,
    }

    let bytes = back(&Table([row(1), row(2), row(3)]));
    assert_eq!(bytes, to_vec(&Table(vec![row(1), row(2), row(3)])).unwrap());
    assert_eq!(back(&Table(NO_ROWS)), [25, 0]);
    back(&Has { rows: [row(1), row(2)] });
    back(&Has { rows: NO_ROWS });
    back(&vec![Table([row(1)]), Table([row(2)])]);
    back(&Some(Table([row(1), row(2)])));
    // A tuple of structs with the same fields is a table, too.
    back(&Table((row(1), row(2))));

    // Missing rows are refused and additional rows are skipped, like cells of a tuple.
    let rows = |count| to_vec(&Table((0..count).map(row).collect::<Vec<_>>())).unwrap();
    let error = from_slice::<Table<[Row; 3]>>(&rows(2)).unwrap_err();
    assert_eq!(error.kind().to_string(), "invalid length 2, expected an array of length 3");
    assert_eq!(from_slice::<Table<[Row; 3]>>(&rows(4)).unwrap().0, [row(0), row(1), row(2)]);
    // Like a `Vec` marked `table`, an array is read from an ARRAY of RECORD.
    let plain = to_vec(&vec![row(1), row(2)]).unwrap();
    assert_eq!(from_slice::<Table<[Row; 2]>>(&plain).unwrap().0, [row(1), row(2)]);
    // Rows that differ are refused, as those of any table.
    #[derive(Serialize)]
    struct Other {
        y: i32,
    }
    let error = refused(&Table((row(1), Other { y: 1 })));
    assert!(matches!(error.kind(), ErrorKind::Rows { row: 1, .. }), "{error}");
    assert_eq!(error.path().to_string(), "[1].y");
}

/// The error for a file of OCaml's `Bi_stream`, whose first byte is also the tag of an int8.
#[test]
fn the_error_for_a_stream_names_the_stream() {
    let folder = Path::new("tests/fixtures/biniou/stream");
    let stream = std::fs::read(folder.join("feat.int_list-ten_by_four.stream")).unwrap();
    let text = "these bytes are a stream of 3 chunks and not one value";
    #[track_caller]
    fn named<T: DeserializeOwned + Debug>(bytes: &[u8], chunks: usize) -> String {
        let errors = [from_slice::<T>(bytes), from_reader(bytes), EXACT.from_slice(bytes)];
        let [first, others @ ..] = errors.map(Result::unwrap_err);
        assert!(matches!(first.kind(), ErrorKind::Chunks { count } if *count == chunks), "{first}");
        assert_eq!((first.offset(), first.category()), (Some(0), fourfold::Category::Data));
        assert!(others.iter().all(|other| other.to_string() == first.to_string()));
        first.kind().to_string()
    }
    assert_eq!(named::<Vec<i32>>(&stream, 3), text);
    // Also if the first two bytes are a valid value, and for types that accept any value.
    assert_eq!(named::<u8>(&stream, 3), text);
    assert_eq!(named::<fourfold::biniou::Value>(&stream, 3), text);
    let one = named::<String>(&[1, 0, 0, 0, 0, 0, 0, 0, 0, 0], 1);
    assert!(one.contains("a stream of 1 chunk and"), "{one}");

    // A type that requests the first value, and accepts others, gets it.
    assert_eq!(Options::new().allow_trailing(true).from_slice::<u8>(&stream).unwrap(), 0);
    // Incomplete streams have another error: truncated, with a trailing byte, without a chunk.
    let cut = &stream[..stream.len() - 1];
    let longer = [&stream[..], &[0]].concat();
    for bytes in [cut, &longer, &[0], &[1, 7], &[1, 0, 0, 0, 0, 0, 0, 0, 9, 0], &[]] {
        let error = from_slice::<Vec<i32>>(bytes).unwrap_err();
        assert!(!matches!(error.kind(), ErrorKind::Chunks { .. }), "{error}");
    }
}

/// `flatten` loses the names of structs and enums. `safetensors::tensor::Metadata` is such a type.
#[test]
fn flattened_maps_of_structs() {
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    enum Dtype {
        F32,
    }

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Info {
        dtype: Dtype,
        shape: Vec<usize>,
        data_offsets: (usize, usize),
    }

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Metadata {
        #[serde(rename = "__metadata__", skip_serializing_if = "Option::is_none")]
        metadata: Option<Vec<String>>,
        #[serde(flatten)]
        tensors: BTreeMap<String, Info>,
    }

    let info = Info { dtype: Dtype::F32, shape: vec![2, 3], data_offsets: (0, 24) };
    for metadata in [None, Some(vec!["made by hand".to_owned()])] {
        let value = Metadata { metadata, tensors: [("weight".to_owned(), info.clone())].into() };
        let error = from_slice::<Metadata>(&to_vec(&value).unwrap()).unwrap_err();
        assert!(error.to_string().starts_with("unknown field name"), "{error}");
        let named = Options::new().names(Dictionary::of_value(&value).unwrap());
        assert_eq!(named.from_slice::<Metadata>(&named.to_vec(&value).unwrap()).unwrap(), value);
        #[cfg(feature = "any")]
        back(&fourfold::biniou::with::Any(value));
    }
}
