//! Types of users: which values are read back equal, and which are refused with which reason.

use std::collections::BTreeMap;
use std::fmt::Debug;

use fourfold::primitiv::{Options, from_reader, from_slice, to_vec, to_writer};
use serde::de::DeserializeOwned;
use serde::ser::{SerializeMap as _, SerializeSeq as _, SerializeTuple as _};
use serde::{Deserialize, Serialize, Serializer};

use crate::support::fact;

#[track_caller]
fn assert_read_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T) {
    let bytes = to_vec(&value).unwrap();
    assert_eq!(from_slice::<T>(&bytes).unwrap(), value, "{bytes:02x?}");
    let mut written = Vec::new();
    to_writer(&mut written, &value).unwrap();
    assert_eq!(written, bytes);
    assert_eq!(from_reader::<_, T>(&*bytes).unwrap(), value);
    assert_eq!(Options::new().lenient(true).from_slice::<T>(&bytes).unwrap(), value);
    for cut in 0..bytes.len() {
        assert!(from_slice::<T>(&bytes[..cut]).is_err(), "{value:?} cut at {cut}");
    }
}

fn text<T>(result: fourfold::primitiv::Result<T>) -> String {
    result.map(drop).unwrap_err().to_string()
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Empty {}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct First {
    maybe: Option<u32>,
    after: bool,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Chain(Option<Box<Chain>>);

/// Whatever `Some` holds is distinguished from `None`.
#[test]
fn options() {
    assert_read_back(vec![None, Some(None), Some(Some(None)), Some(Some(Some(7u32)))]);
    assert_read_back((Some(()), None::<()>, Some(Empty {}), Some([0u8; 0]), true));
    assert_read_back(vec![Some(First { maybe: None, after: true }), None]);
    assert_read_back(Some((Some(None::<bool>), Some((None::<u8>, 1u8)))));
    assert_read_back(BTreeMap::from([
        (None, Some(())),
        (Some(None), None),
        (Some(Some(1u8)), None),
    ]));
    assert_read_back(Chain(Some(Box::new(Chain(Some(Box::new(Chain(None))))))));
    assert_eq!(to_vec(&Some(Some(None::<u8>))).unwrap(), [0xd4, 0, 1, 0xd4, 0, 1, 0xc0]);
    assert_eq!(
        text(from_slice::<Option<u8>>(&[0xd4, 0, 2])),
        "marker 0xd4 is not a value at byte 0"
    );
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
enum Hollow {
    Unit,
    Tuple(),
    Struct {},
    Inner(Empty),
    Maybe(Option<()>),
}

#[test]
fn values_without_elements() {
    assert_read_back(vec![(), (), ()]);
    assert_read_back((Empty {}, [0u8; 0], (), vec![Empty {}, Empty {}], 7u8));
    assert_read_back(vec![
        Hollow::Unit,
        Hollow::Tuple(),
        Hollow::Struct {},
        Hollow::Inner(Empty {}),
        Hollow::Maybe(Some(())),
        Hollow::Maybe(None),
    ]);
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(tag = "kind", content = "value")]
enum Adjacent {
    Number(u32),
    Pair(u8, String),
    Nothing {},
    Record {
        a: u8,
        b: Vec<String>,
        c: Option<bool>,
    },
    #[serde(rename = "x")]
    Maybe(Option<u8>),
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(tag = "kind", content = "value", deny_unknown_fields)]
enum Strict {
    Record { a: u8, b: bool },
}

#[test]
fn adjacently_tagged_enums() {
    assert_read_back(vec![
        Adjacent::Number(7),
        Adjacent::Pair(1, "x".into()),
        Adjacent::Nothing {},
        Adjacent::Record { a: 1, b: vec!["y".into()], c: None },
        Adjacent::Maybe(None),
        Adjacent::Maybe(Some(2)),
    ]);
    assert_read_back((Strict::Record { a: 1, b: true }, 7u8));
    let error = text(from_slice::<Adjacent>(&[0xce, 0, 0, 0, 9]));
    assert_eq!(error, "unknown variant index 9 in kind at byte 0");
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(untagged)]
enum Untagged {
    Number(u32),
    Pair(u8, u8),
}

#[test]
fn types_that_need_a_self_describing_format() {
    let number = to_vec(&Untagged::Number(1)).unwrap();
    let error = from_slice::<Untagged>(&number).unwrap_err();
    assert_eq!(error.offset(), Some(0));
    assert!(error.to_string().contains("primitiv is not self-describing"), "{error}");
    let items = to_vec(&(1u8, vec![Untagged::Pair(1, 2)])).unwrap();
    let error = from_slice::<(u8, Vec<Untagged>)>(&items).unwrap_err();
    assert!(error.to_string().contains(" in [1][0] at byte 6; "), "{error}");
}

#[derive(Serialize)]
struct Skips {
    a: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    maybe: Option<u8>,
}

#[derive(Serialize)]
struct Flattened {
    #[serde(flatten)]
    skips: Skips,
}

/// Types with another number of items than they announce.
enum Odd {
    Refused,
    Seq(usize, usize),
    Tuple(usize, usize),
    KeyOnly,
    GoesOn,
}

impl Serialize for Odd {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Odd::Refused => serializer.serialize_seq(Some(1))?.end(),
            Odd::Seq(announced, given) => {
                let mut seq = serializer.serialize_seq(Some(announced))?;
                (0..given).try_for_each(|_| seq.serialize_element(&1u8))?;
                seq.end()
            }
            Odd::Tuple(announced, given) => {
                let mut tuple = serializer.serialize_tuple(announced)?;
                (0..given).try_for_each(|_| tuple.serialize_element(&1u8))?;
                tuple.end()
            }
            Odd::KeyOnly => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_key(&1u8)?;
                map.end()
            }
            Odd::GoesOn => {
                let mut seq = serializer.serialize_seq(Some(2))?;
                let _ = seq.serialize_element(&Odd::Refused);
                seq.serialize_element(&1u8)?;
                seq.end()
            }
        }
    }
}

#[test]
fn refused_when_written() {
    assert_eq!(
        fact(&text(to_vec(&vec![Skips { a: 1, maybe: None }]))),
        "field `maybe` is skipped, and primitiv cannot store an absent field in [0].maybe"
    );
    assert!(to_vec(&Skips { a: 1, maybe: Some(2) }).is_ok());
    assert_eq!(
        fact(&text(to_vec(&Flattened { skips: Skips { a: 1, maybe: None } }))),
        "a map of unknown length, as serde's flatten makes it, could not be read back"
    );
    for (announced, given) in [(0, 1), (2, 1), (2, 3)] {
        let expected = format!("{announced} items announced and {given} given");
        assert!(text(to_vec(&Odd::Seq(announced, given))).starts_with(&expected));
        // A tuple may have more: the type determines its end.
        let tuple = to_vec(&Odd::Tuple(announced, given));
        match given < announced {
            true => assert!(text(tuple).starts_with(&expected)),
            false => assert_eq!(tuple.unwrap(), [0xce, 0, 0, 0, 1].repeat(given)),
        }
    }
    assert_eq!(
        text(to_vec(&Odd::KeyOnly)),
        "1 item announced and 0 given; pass the number of items that follow to the serializer, in the `Serialize` implementation"
    );
    assert_eq!(
        text(to_vec(&Odd::GoesOn)),
        "the type ignored an error of a nested value; return that error from its `Serialize` or `Deserialize` implementation"
    );
    // Nothing of a refused value reaches the writer, if it is short.
    let mut written = Vec::new();
    assert!(to_writer(&mut written, &(1u8, Odd::Refused)).is_err());
    assert!(written.is_empty());
}

/// A type that continues after an error would read on at a wrong place.
#[test]
fn a_swallowed_error_is_none() {
    #[derive(Debug, Default, PartialEq)]
    struct Forgiving(Vec<u8>);

    impl<'de> Deserialize<'de> for Forgiving {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            Ok(Vec::deserialize(deserializer).map(Forgiving).unwrap_or_default())
        }
    }

    let bytes = [0x92, 0xce, 0, 0, 0, 1, 0xc3];
    let error = text(from_slice::<Forgiving>(&bytes));
    assert_eq!(
        error,
        "the type ignored an error of a nested value at byte 6; return that error from its `Serialize` or `Deserialize` implementation"
    );
}

/// primitiv's own parameter file, as a plain type.
#[test]
fn a_file_as_a_plain_type() {
    type Tensor = (Vec<u32>, u32, serde_bytes::ByteBuf);
    type Stats = (fourfold::primitiv::with::Text<serde_bytes::ByteBuf>, Tensor);
    let bytes = crate::vectors::FIXTURES.bytes("saved/p_stats_1.param");
    let ((major, minor, kind), value, count, stat): ((u32, u32, u32), Tensor, u32, Stats) =
        from_slice(&bytes).unwrap();
    assert_eq!((major, minor, kind, count), (0, 1, 0x200, 1));
    assert_eq!((value.0, value.1, value.2.len()), (vec![2, 2], 1, 16));
    assert_eq!(stat.0.0, *b"m1");
    assert_eq!(stat.1.2[..4], 0.1f32.to_le_bytes());
}
