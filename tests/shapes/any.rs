//! Values embedded as MessagePack: types that need a self-describing format are read back from all
//! formats and positions, and hostile input is refused.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;
use std::marker::PhantomData;

use fourfold::biniou::with::{self, Any};
use fourfold::{CommonKind, Error, Kind};
use serde::de::DeserializeOwned;
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::support::format::{Format, Options as _, both_ways, for_formats};

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "kind")]
enum Tagged {
    Unit,
    Named { x: i64, note: Option<String> },
    Newtype(Point),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(untagged)]
enum Untagged {
    Number(u64),
    Negative(i64),
    Real(f64),
    Text(String),
    List(Vec<Untagged>),
    Point(Point),
    Nothing,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Point {
    x: u8,
    y: u8,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Flattened {
    id: u32,
    #[serde(flatten)]
    point: Point,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
enum External {
    Unit,
    Newtype(u8),
    Tuple(u8, String),
    Struct { a: Option<u8>, b: Vec<External> },
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Unit;

/// A number of any length, written as text and read from text or a number, like decimal types.
#[derive(Clone, Debug, PartialEq)]
struct Decimal(String);

impl Serialize for Decimal {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl serde::de::Visitor<'_> for Visitor {
            type Value = Decimal;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a decimal")
            }

            fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Decimal, E> {
                Ok(Decimal(value.to_string()))
            }

            fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<Decimal, E> {
                Ok(Decimal(value.to_owned()))
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}

/// A marked value in each position.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Positions<T> {
    before: u8,
    #[serde(bound(serialize = "T: Serialize", deserialize = "T: Deserialize<'de>"))]
    #[serde(with = "with::any")]
    field: T,
    option: Option<Any<T>>,
    list: Vec<Any<T>>,
    nested: Vec<Vec<Option<Any<T>>>>,
    map: BTreeMap<String, Any<T>>,
    variant: Around<T>,
    boxed: Box<Any<T>>,
    newtype: Wrapper<T>,
    after: String,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
enum Around<T> {
    Newtype(Any<T>),
    Tuple(u8, Any<T>),
    Struct {
        #[serde(bound(serialize = "T: Serialize", deserialize = "T: Deserialize<'de>"))]
        #[serde(with = "with::any")]
        content: T,
    },
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(bound(serialize = "T: Serialize", deserialize = "T: Deserialize<'de>"))]
struct Wrapper<T>(#[serde(with = "with::any")] T);

fn positions<T: Clone>(value: &T) -> Positions<T> {
    let any = || Any(value.clone());
    Positions {
        before: 1,
        field: value.clone(),
        option: Some(any()),
        list: vec![any(), any()],
        nested: vec![vec![], vec![None, Some(any())]],
        map: BTreeMap::from([("key".into(), any())]),
        variant: Around::Tuple(2, any()),
        boxed: Box::new(any()),
        newtype: Wrapper(value.clone()),
        after: "end".into(),
    }
}

/// The same values for all writers and readers.
fn for_all(take: &mut impl Take) {
    take.take(&json!({ "a": [1, -2, 2.5, null, true, "text", {}], "b": { "c": [] } }));
    take.take(&json!(null));
    take.take(&json!("text"));
    for tagged in [
        Tagged::Unit,
        Tagged::Named { x: -5, note: None },
        Tagged::Named { x: 5, note: Some("n".into()) },
        Tagged::Newtype(Point { x: 1, y: 2 }),
    ] {
        take.take(&tagged);
    }
    for untagged in [
        Untagged::Number(u64::MAX),
        Untagged::Negative(i64::MIN),
        Untagged::Real(0.5),
        Untagged::Text("é".repeat(300)),
        Untagged::List((0..20).map(Untagged::Number).collect()),
        Untagged::Point(Point { x: 3, y: 4 }),
        Untagged::Nothing,
    ] {
        take.take(&untagged);
    }
    let rest = (0..17).map(|n| (format!("key {n}"), json!([n]))).collect();
    take.take(&Flattened { id: 70_000, point: Point { x: 1, y: 2 }, rest });
    for external in [
        External::Unit,
        External::Newtype(200),
        External::Tuple(1, "t".into()),
        External::Struct { a: None, b: vec![External::Unit, External::Newtype(1)] },
    ] {
        take.take(&external);
    }
    take.take(&Decimal("12345678901234567890.5".into()));
    take.take(&Unit);
    take.take(&());
    take.take(&(u64::MAX, 'é', 1.5f32, -129i16, i32::MIN));
    take.take(&(serde_bytes::ByteBuf::from(vec![255; 300]), serde_bytes::ByteBuf::from(b"ab")));
    take.take(&HashMap::from([(1u8, -1i8)]));
    take.take(&vec![Some(1u16), None]);
    take.take(&(0..300u16).collect::<Vec<_>>());
    take.take(&std::net::IpAddr::from([127, 0, 0, 1]));
    take.take(&std::time::Duration::new(1, 2));
    take.take(&Ok::<u8, String>(1));
}

trait Take {
    fn take<T: Serialize + DeserializeOwned + Clone + Debug + PartialEq>(&mut self, value: &T);
}

/// The bytes are those of `rmp-serde` with names, and other formats see the plain value.
#[test]
fn bytes() {
    struct Compare;

    impl Take for Compare {
        fn take<T: Serialize + DeserializeOwned + Clone + Debug + PartialEq>(&mut self, value: &T) {
            let expected = rmp_serde::to_vec_named(value).unwrap();
            let count = u32::try_from(expected.len()).unwrap().to_le_bytes();
            let bytes = fourfold::molecule::to_vec(&Any(value)).unwrap();
            assert_eq!(bytes, [&count[..], &expected].concat());
            assert_eq!(fourfold::tsm::to_vec(&Any(value)).unwrap(), bytes);
            if let Ok(plain) = serde_json::to_string(value) {
                assert_eq!(serde_json::to_string(&Any(value)).unwrap(), plain);
                let field = serde_json::to_string(&Wrapper(value)).unwrap();
                assert_eq!(field, plain);
            }
            assert_eq!(rmp_serde::to_vec_named(&Any(value)).unwrap(), expected);
            assert_eq!(rmp_serde::from_slice::<Any<T>>(&expected).unwrap().0, *value);
        }
    }

    for_all(&mut Compare);
    Compare.take(&(0..70_000u32).collect::<Vec<_>>());
    Compare.take(&(0..70_000u32).map(|n| (n, ())).collect::<HashMap<_, _>>());
    Compare.take(&"long".repeat(20_000));
    Compare.take(&serde_bytes::ByteBuf::from(vec![0; 70_000]));
    let plain = serde_json::from_str::<Any<Value>>("[1]").unwrap();
    assert_eq!(plain.0, json!([1]));
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Borrowed<'a> {
    #[serde(borrow)]
    text: &'a str,
    #[serde(borrow)]
    cow: Cow<'a, str>,
    #[serde(with = "serde_bytes")]
    bytes: &'a [u8],
}

/// `depth` nested values.
fn nested(depth: usize) -> Value {
    (1..depth).fold(json!([]), |inner, _| json!([inner]))
}

/// Hostile embedded bytes, and the error.
const HOSTILE: &[(&[u8], &str)] = &[
    (b"", "value in messagepack ends after its 0 bytes"),
    (b"\xc1", "no messagepack: wrong msgpack marker Reserved"),
    (b"\xcd\x01", "value in messagepack ends after its 2 bytes"),
    (b"\xc0\xc0", "no messagepack: bytes after the value"),
    (b"\x92\x01", "value in messagepack ends after its 2 bytes"),
    (b"\xdd\xff\xff\xff\xff", "value in messagepack ends after its 5 bytes"),
    (b"\xdf\xff\xff\xff\xff", "value in messagepack ends after its 5 bytes"),
    (b"\xdb\xff\xff\xff\xff", "value in messagepack ends after its 5 bytes"),
    (b"\xc6\xff\xff\xff\xff", "value in messagepack ends after its 5 bytes"),
    (
        b"\xa2a\xff",
        "string found to be invalid utf8: invalid utf-8 sequence of 1 bytes from index 1",
    ),
    (b"\x82\xa1a\x01\xa1b\xc1", "no messagepack: wrong msgpack marker Reserved"),
    (b"\x81\xa1a\x92\xc0\x81\xa1c\xd9", "value in messagepack ends after its 9 bytes"),
];

for_formats! {
    {
        every_position
        borrowed
        depth
        hostile_embedded_values
        errors_of_a_type
        some_of_unit_is_refused
        keys_and_values_that_do_not_alternate_are_refused
        wide_numbers
        wide_numbers_that_are_buffered
        unit_structs
        unknown_names_of_fields_are_skipped
        kinds_have_categories
    }
}

struct Through<F>(PhantomData<F>);

impl<F: Format> Take for Through<F> {
    fn take<T>(&mut self, value: &T)
    where
        T: Serialize + DeserializeOwned + Clone + Debug + PartialEq,
    {
        both_ways::<F, _>(&Any(value.clone()));
        let mut positions = positions(value);
        both_ways::<F, _>(&positions);
        positions.option = None;
        positions.list.clear();
        positions.variant = Around::Newtype(Any(value.clone()));
        both_ways::<F, _>(&positions);
        positions.variant = Around::Struct { content: value.clone() };
        both_ways::<F, _>(&vec![positions.clone(), positions]);
        both_ways::<F, _>(&(1u8, Any(value.clone()), String::from("end")));
    }
}

fn every_position<F: Format>() {
    for_all(&mut Through::<F>(PhantomData));
}

fn borrowed<F: Format>() {
    let value = Any(Borrowed { text: "abc", cow: "d".into(), bytes: &[255, 0] });
    let bytes = F::to_vec(&value).unwrap();
    let read: Any<Borrowed<'_>> = F::from_slice(&bytes).unwrap();
    assert_eq!(read, value);
    assert!(bytes.as_ptr_range().contains(&read.0.text.as_ptr()));
}

fn depth<F: Format>() {
    // The list is a level, the newtype is not.
    let value = vec![Any(nested(9))];
    let (just, less) = (F::options().max_depth(10), F::options().max_depth(9));
    let bytes = just.to_vec(&value).unwrap();
    assert_eq!(just.from_slice::<Vec<Any<Value>>>(&bytes).unwrap(), value);
    let error = less.to_vec(&value).unwrap_err();
    assert!(matches!(error.kind().common(), Some(CommonKind::DepthLimit { limit: 9 })), "{error}");
    let error = less.from_slice::<Vec<Any<Value>>>(&bytes).unwrap_err();
    assert!(matches!(error.kind().common(), Some(CommonKind::DepthLimit { limit: 9 })), "{error}");
    assert_eq!(error.offset(), Some(bytes.len() - 9), "{error}");

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Endless(Option<Box<Endless>>);
    let deep = (0..200).fold(Endless(None), |inner, _| Endless(Some(Box::new(inner))));
    let error = F::to_vec(&Any(deep)).unwrap_err();
    assert!(
        matches!(error.kind().common(), Some(CommonKind::DepthLimit { limit: 128 })),
        "{error}"
    );
    // Skipped values as well.
    let deep = F::options().max_depth(1000).to_vec(&Any(nested(500))).unwrap();
    let error = F::from_slice::<Any<serde::de::IgnoredAny>>(&deep).unwrap_err();
    assert!(
        matches!(error.kind().common(), Some(CommonKind::DepthLimit { limit: 128 })),
        "{error}"
    );
}

fn hostile_embedded_values<F: Format>() {
    for (part, text) in HOSTILE {
        let bytes = F::to_vec(serde_bytes::Bytes::new(part)).unwrap();
        let start = bytes.len() - part.len();
        let error = F::from_slice::<Any<Value>>(&bytes).unwrap_err();
        assert_eq!(error.to_string(), format!("{text} at byte {start}"));
        let around = vec![serde_bytes::ByteBuf::from(*part)];
        let bytes = F::to_vec(&around).unwrap();
        let start = bytes.len() - part.len();
        let error = F::from_slice::<Vec<Any<Value>>>(&bytes).unwrap_err();
        assert_eq!(error.offset(), Some(start), "{error}");
        assert_eq!(error.path(), "[0]", "{error}");
    }
    // Hostile counts reserve no memory, and truncated bytes are refused.
    for len in 0..200 {
        let claims = vec![0xdd; len];
        let bytes = F::to_vec(serde_bytes::Bytes::new(&claims)).unwrap();
        F::from_slice::<Any<Value>>(&bytes).unwrap_err();
        F::from_slice::<Any<Vec<Vec<Vec<u64>>>>>(&bytes).unwrap_err();
    }
}

fn errors_of_a_type<F: Format>() {
    #[derive(Serialize)]
    struct Wrong {
        x: u8,
        y: &'static str,
    }
    let bytes = F::to_vec(&(7u8, Any((1u8, [Wrong { x: 1, y: "no" }])))).unwrap();
    let error = F::from_slice::<(u8, Any<(u8, Vec<Point>)>)>(&bytes).unwrap_err();
    assert_eq!(error.path(), "[1]");
    assert_eq!(error.offset(), Some(bytes.len() - 12), "{error}");
    assert_eq!(error.kind().to_string(), "wrong msgpack marker FixStr(2)");
}

/// `Some(())`, which MessagePack cannot represent, is refused by the writer.
fn some_of_unit_is_refused<F: Format>() {
    for error in [
        F::to_vec(&Any(Some(None::<u8>))).unwrap_err(),
        F::to_vec(&Any(Some(Value::Null))).unwrap_err(),
    ] {
        assert!(error.to_string().starts_with("`Some` of nothing is nil"), "{error}");
    }
}

/// A map whose keys and values do not alternate is refused.
fn keys_and_values_that_do_not_alternate_are_refused<F: Format>() {
    /// Keys, which are text, and values.
    #[derive(Clone)]
    struct Halves(Option<usize>, &'static [Result<&'static str, u8>]);

    impl Serialize for Halves {
        fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
            let mut map = s.serialize_map(self.0)?;
            for half in self.1 {
                match half {
                    Ok(key) => map.serialize_key(key)?,
                    Err(value) => map.serialize_value(value)?,
                }
            }
            map.end()
        }
    }

    for announced in [None, Some(0), Some(1), Some(2)] {
        for (halves, refusal) in [
            (&[Ok("a")][..], "0 items, not 1"),
            (&[Err(1)], "1 item, not 0"),
            (&[Ok("a"), Err(1), Ok("b")], "1 item, not 2"),
            (&[Ok("a"), Ok("b"), Err(1), Err(2)], "0 items, not 1"),
            (&[Err(1), Ok("a")], "1 item, not 0"),
        ] {
            let error = F::to_vec(&Any(Halves(announced, halves))).unwrap_err();
            assert!(error.to_string().starts_with(refusal), "{error}");
        }
    }
    let sound = Halves(None, &[Ok("a"), Err(1), Ok("b"), Err(2)]);
    let bytes = F::to_vec(&Any(sound)).unwrap();
    assert_eq!(bytes, F::to_vec(&Any(BTreeMap::from([("a", 1u8), ("b", 2)]))).unwrap());
}

/// Integers of all widths are read as those of 128 bits, which are written as integers of 64.
fn wide_numbers<F: Format>() {
    for value in [0, 1, 127, 128, 300, 70_000, u64::MAX] {
        let bytes = F::to_vec(&Any(value)).unwrap();
        assert_eq!(F::from_slice::<Any<u128>>(&bytes).unwrap().0, value.into());
        assert_eq!(F::to_vec(&Any(u128::from(value))).unwrap(), bytes);
        assert_eq!(F::to_vec(&Any(i128::from(value))).unwrap(), bytes);
    }
    for value in [i64::MAX, 0, -1, -33, -129, -70_000, i64::MIN] {
        let bytes = F::to_vec(&Any(value)).unwrap();
        assert_eq!(F::from_slice::<Any<i128>>(&bytes).unwrap().0, value.into());
        assert_eq!(F::to_vec(&Any(i128::from(value))).unwrap(), bytes);
    }
    let text = "an integer of more than 64 bits has no form in messagepack in [0]";
    for error in [
        F::to_vec(&Any([u128::MAX])).unwrap_err(),
        F::to_vec(&Any([u128::from(u64::MAX) + 1])).unwrap_err(),
        F::to_vec(&Any([i128::from(u64::MAX) + 1])).unwrap_err(),
        F::to_vec(&Any([i128::from(i64::MIN) - 1])).unwrap_err(),
    ] {
        assert!(error.to_string().starts_with(text), "{}: {error}", F::NAME);
    }
}

/// Untagged enums and flattened maps buffer their input, and serde has no integers of 128 bits there. What is written
/// is an integer, so it is never read as text.
fn wide_numbers_that_are_buffered<F: Format>() {
    #[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[serde(untagged)]
    enum Amount {
        Number(u128),
        Name(String),
    }
    #[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[serde(untagged)]
    enum Either {
        Name { x: String },
        Number { x: u128 },
    }
    #[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
    struct Flat {
        #[serde(flatten)]
        all: BTreeMap<String, u128>,
    }

    fn refused<F: Format, T: Serialize + DeserializeOwned + Debug>(value: &T) -> String {
        let bytes = F::to_vec(&Any(value)).unwrap();
        F::from_slice::<Any<T>>(&bytes).unwrap_err().to_string()
    }
    assert!(refused::<F, _>(&Amount::Number(5)).starts_with("data did not match any variant"));
    assert!(
        refused::<F, _>(&Either::Number { x: 5 }).starts_with("data did not match any variant")
    );
    let flat = Flat { all: BTreeMap::from([("a".to_owned(), 5)]) };
    assert!(refused::<F, _>(&flat).starts_with("u128 is not supported"));
    // Widths that serde has are read as what they are.
    both_ways::<F, _>(&Any(Untagged::Number(5)));
}

/// A unit struct is an array of nothing, as `rmp-serde` has it: serde's buffers that are read by
/// reference take nothing but nil for one.
fn unit_structs<F: Format>() {
    #[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[serde(untagged)]
    enum Untagged {
        Unit(Unit),
        Number(u8),
        Field { x: Unit },
    }
    #[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[serde(tag = "kind")]
    enum Internal {
        Unit(Unit),
        Field { x: Unit, y: Option<Unit> },
    }
    #[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
    struct Fields {
        x: Unit,
        y: Option<Unit>,
    }
    #[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
    struct Flat<T> {
        id: u8,
        #[serde(flatten)]
        rest: T,
    }

    let fields = Fields { x: Unit, y: Some(Unit) };
    both_ways::<F, _>(&Any(vec![Some(Unit), None]));
    both_ways::<F, _>(&Any(Some(Some(Unit))));
    both_ways::<F, _>(&Any(Internal::Unit(Unit)));
    both_ways::<F, _>(&Any(Internal::Field { x: Unit, y: Some(Unit) }));
    both_ways::<F, _>(&Any(Flat { id: 1, rest: fields.clone() }));
    both_ways::<F, _>(&Any(Untagged::Number(1)));
    let nil = F::to_vec(&Any(())).unwrap();
    assert_eq!(F::from_slice::<Any<Unit>>(&nil).unwrap(), Any(Unit));

    for value in [Untagged::Unit(Unit), Untagged::Field { x: Unit }] {
        let bytes = F::to_vec(&Any(value)).unwrap();
        let error = F::from_slice::<Any<Untagged>>(&bytes).unwrap_err();
        assert!(error.to_string().starts_with("data did not match any variant"), "{error}");
    }
    let map = BTreeMap::from([("x".to_owned(), Unit)]);
    let bytes = F::to_vec(&Any(Flat { id: 1, rest: map })).unwrap();
    let error = F::from_slice::<Any<Flat<BTreeMap<String, Unit>>>>(&bytes).unwrap_err();
    assert!(error.to_string().contains("expected unit struct Unit"), "{error}");
}

fn unknown_names_of_fields_are_skipped<F: Format>() {
    let bytes = F::to_vec(&Any(BTreeMap::from([("x", 1u8), ("y", 2), ("z", 3)]))).unwrap();
    assert_eq!(F::from_slice::<Any<Point>>(&bytes).unwrap().0, Point { x: 1, y: 2 });
}

fn kinds_have_categories<F: Format>() {
    let bytes = F::to_vec(serde_bytes::Bytes::new(b"\x92\x01")).unwrap();
    let error: Error<F::Kind> = F::from_slice::<Any<Value>>(&bytes).unwrap_err();
    assert!(!error.is_eof(), "more bytes would not help");
}
