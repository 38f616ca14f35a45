//! `Deserialize` runs once for each value, except for records that are read again by name. Also tests struct variants of
//! adjacently tagged enums, for which serde shows no names.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt::Debug;

use fourfold::biniou::with::{Shared, Table};
use fourfold::biniou::{
    Deserializer, Dictionary, Lazy, Options, Value, from_slice, hash, to_value, to_vec,
};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};

use crate::support::visits::visits;

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

/// Counts how often it is deserialized.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct Counted<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Counted<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        CALLS.set(CALLS.get() + 1);
        T::deserialize(deserializer).map(Counted)
    }
}

/// Asserts the number of calls in which `bytes` with one `Counted` are read; a `Deserializer` needs one.
#[track_caller]
fn calls<T: DeserializeOwned + PartialEq + Debug>(bytes: &[u8], expected: usize) -> T {
    CALLS.set(0);
    let value: T = from_slice(bytes).unwrap();
    assert_eq!(CALLS.replace(0), expected);
    assert_eq!(T::deserialize(&mut Deserializer::from_slice(bytes)).unwrap(), value);
    assert_eq!(CALLS.get(), 1);
    value
}

#[track_caller]
fn once<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    assert_eq!(&calls::<T>(&to_vec(value).unwrap(), 1), value);
}

fn record(fields: &[(&str, Value)]) -> Vec<u8> {
    let fields = fields.iter().map(|(name, value)| (hash(name), value.clone())).collect();
    to_vec(&Value::Record(fields)).unwrap()
}

fn int(number: u8) -> Value {
    Value::Uvint(number.into())
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Three {
    a: Counted<u8>,
    b: u8,
    c: Option<u8>,
}

fn three() -> Three {
    Three { a: Counted(1), b: 2, c: None }
}

#[test]
fn values_are_read_once() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum Choice<T> {
        New(T),
        Tuple(u8, T),
        Struct { x: u8, y: T },
    }
    let number = Counted(7u32);
    once(&number);
    once(&vec![number]);
    once(&(1, number, "text".to_owned()));
    once(&Some(number));
    once(&BTreeMap::from([(number, 1)]));
    once(&BTreeMap::from([(1, number)]));
    once(&Choice::New(number));
    once(&Choice::Tuple(1, number));
    once(&Choice::Struct { x: 1, y: number });
    once(&three());
    once(&Counted(vec![three().b]));
    once(&Table(vec![three()]));
    once(&Shared(std::rc::Rc::new(three())));
    assert_eq!(calls::<Counted<f64>>(&to_vec(&f64::MAX).unwrap(), 1), Counted(f64::MAX));
    // Fields that are left out; unknown fields before and after those of the type.
    assert_eq!(calls::<Three>(&record(&[("a", int(1))]), 1), Three { b: 0, ..three() });
    assert_eq!(calls::<Three>(&record(&[("b", int(2)), ("a", int(1))]), 1), three());
    let more = ["x", "y", "z"].map(|name| (name, int(1)));
    assert_eq!(calls::<Three>(&record(&[&more[..], &[("a", int(1))]].concat()), 1).a, Counted(1));
}

/// Cases that cannot be detected while fields are read in order.
#[test]
fn values_that_are_read_again() {
    let a = ("a", int(1));
    // An unknown field instead of one that is left out, and another order.
    assert_eq!(calls::<Three>(&record(&[a.clone(), ("x", int(1)), ("b", int(2))]), 2), three());
    let turned = record(&[a.clone(), ("c", to_value(&Some(3)).unwrap()), ("b", int(2))]);
    assert_eq!(calls::<Three>(&turned, 2), Three { c: Some(3), ..three() });

    #[derive(Debug, PartialEq, Deserialize)]
    struct Optional {
        a: Counted<u8>,
        b: Option<u8>,
    }
    let value = Optional { a: Counted(1), b: None };
    assert_eq!(calls::<Optional>(&record(std::slice::from_ref(&a)), 2), value);

    #[derive(Debug, PartialEq, Deserialize)]
    struct Alias {
        a: Counted<u8>,
        #[serde(alias = "c", default)]
        b: u8,
        #[serde(default)]
        d: u8,
    }
    for (name, b, d) in [("b", 2, 0), ("c", 2, 0), ("d", 0, 2)] {
        let bytes = record(&[a.clone(), (name, int(2))]);
        assert_eq!(calls::<Alias>(&bytes, 2), Alias { a: Counted(1), b, d });
    }

    // A visitor without `visit_seq`.
    let both = to_vec(&Value::Tuple(vec![int(1), Value::Record(vec![(hash("a"), int(1))])]));
    let read = calls::<(Counted<u8>, ByMap)>(&both.unwrap(), 2);
    assert_eq!(read, (Counted(1), ByMap(1)));

    /// A field whose type is an identifier: it could be the tag of an adjacently tagged enum.
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(variant_identifier)]
    enum Word {
        One,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Tagged {
        a: Counted<u8>,
        word: Word,
    }
    let bytes = record(&[a, ("word", Value::String(b"One".to_vec()))]);
    assert_eq!(calls::<Tagged>(&bytes, 2), Tagged { a: Counted(1), word: Word::One });
}

#[derive(Debug, PartialEq)]
struct ByMap(u8);

visits! { ByMap, "fields", deserialize_struct("ByMap", &["a"]):
    visit_map |map| {
        map.next_key::<IgnoredAny>()?;
        map.next_value().map(ByMap)
    }
}

/// Messages nested in bytes of messages: the number of calls does not double with each level.
#[test]
fn messages_in_messages_are_read_again_once() {
    #[derive(Debug, Default)]
    struct Inner;
    impl<'de> Deserialize<'de> for Inner {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            CALLS.set(CALLS.get() + 1);
            let bytes = serde_bytes::ByteBuf::deserialize(deserializer)?;
            if !bytes.is_empty() {
                from_slice::<Level>(&bytes).map_err(serde::de::Error::custom)?;
            }
            Ok(Inner)
        }
    }
    #[derive(Debug, Default, Deserialize)]
    #[serde(default)]
    #[allow(dead_code)]
    struct Level {
        inner: Inner,
        b: u8,
        c: u8,
    }
    const LEVELS: usize = 60;
    let mut bytes = Vec::new();
    for _ in 0..LEVELS {
        bytes = record(&[("inner", Value::String(bytes)), ("c", int(1)), ("b", int(1))]);
    }
    CALLS.set(0);
    let _: Level = from_slice(&bytes).unwrap();
    assert_eq!(CALLS.get(), 2 * LEVELS);
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", content = "c")]
enum Shape {
    Dot,
    Box { width: u8, names: Vec<String>, inner: Option<Box<Shape>> },
    Empty {},
}

/// The bytes that serde writes: the tag, then a record of the variant's fields.
fn tagged(variant: &str, fields: &[(&str, Value)]) -> Value {
    let fields = fields.iter().map(|(name, value)| (hash(name), value.clone())).collect();
    let tag = Value::Variant(hash(variant), None);
    Value::Record(vec![(hash("t"), tag), (hash("c"), Value::Record(fields))])
}

#[test]
fn struct_variants_of_adjacently_tagged_enums() {
    let boxed = |width, inner: Option<Value>| {
        let names = to_value(&vec!["n"]).unwrap();
        let inner = Value::NumVariant(0, inner.map(Box::new));
        tagged("Box", &[("width", int(width)), ("names", names), ("inner", inner)])
    };
    let value = |width, inner: Option<Shape>| Shape::Box {
        width,
        names: vec!["n".to_owned()],
        inner: inner.map(Box::new),
    };
    let dot = Value::Record(vec![(hash("t"), Value::Variant(hash("Dot"), None))]);
    for (bytes, expected) in [
        (boxed(1, None), value(1, None)),
        (boxed(1, Some(dot.clone())), value(1, Some(Shape::Dot))),
        (boxed(2, Some(boxed(3, None))), value(2, Some(value(3, None)))),
        (boxed(2, Some(tagged("Empty", &[]))), value(2, Some(Shape::Empty {}))),
    ] {
        let read = |tree: &Value| to_vec(tree).unwrap();
        assert_eq!(from_slice::<Shape>(&read(&bytes)).unwrap(), expected);
        let deserialized = Shape::deserialize(&mut Deserializer::from_slice(&read(&bytes)));
        assert_eq!(deserialized.unwrap(), expected);
        let some = read(&Value::NumVariant(0, Some(Box::new(bytes.clone()))));
        assert_eq!(from_slice::<Option<Shape>>(&some).unwrap(), Some(expected.clone()));
        let list = read(&Value::Array(vec![bytes.clone(), bytes.clone()]));
        assert_eq!(from_slice::<Vec<Shape>>(&list).unwrap(), [expected.clone(), expected.clone()]);
        let lazy = read(&bytes);
        assert_eq!(from_slice::<Lazy<'_, Shape>>(&lazy).unwrap().get().unwrap(), expected);
    }
    // If fields are left out, or are more than the type has, the others cannot be identified.
    let width = ("width", int(1));
    let names = ("names", to_value(&vec!["n"]).unwrap());
    let other = ("other", int(1));
    for fields in [
        vec![width.clone(), names.clone()],
        vec![width.clone(), ("inner", Value::NumVariant(0, None))],
        vec![width, names, ("inner", Value::NumVariant(0, None)), other],
    ] {
        let bytes = to_vec(&tagged("Box", &fields)).unwrap();
        for read in [from_slice(&bytes), Shape::deserialize(&mut Deserializer::from_slice(&bytes))]
        {
            let error: fourfold::biniou::Error = read.unwrap_err();
            assert!(error.to_string().starts_with("unknown field name"), "{error}");
        }
        let named = ["width", "names", "inner", "other"].join("\n");
        let named = Options::new().names(Dictionary::from_words(&named).unwrap());
        let read = named.from_slice::<Shape>(&bytes);
        assert_eq!(read.is_ok(), fields.len() != 2 || fields[1].0 == "names", "{read:?}");
    }
    // If the tag comes last, serde has to buffer a record whose names are unknown.
    let Value::Record(mut fields) = boxed(1, None) else { panic!() };
    fields.reverse();
    let error = from_slice::<Shape>(&to_vec(&Value::Record(fields)).unwrap()).unwrap_err();
    assert!(error.to_string().starts_with("unknown field name"), "{error}");
}
