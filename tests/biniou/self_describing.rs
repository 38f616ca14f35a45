//! Types that need a self-describing format: values survive or are refused, and each refusal names a fix.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Debug;

use fourfold::biniou::with::{Int8, Table};
use fourfold::biniou::{
    CommonKind, Dictionary, Error, ErrorKind, Options, from_slice, hash, to_value, to_vec,
};
use serde::de::{self, DeserializeOwned};
use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::support::visits::visits;

/// A depth limit that disables the fast path of writers.
const EXACT: Options = Options::new().max_depth(40);

#[track_caller]
fn back<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> Vec<u8> {
    back_by(&Options::new(), value)
}

#[track_caller]
fn back_by<T>(options: &Options, value: &T) -> Vec<u8>
where
    T: Serialize + DeserializeOwned + PartialEq + Debug,
{
    let bytes = options.to_vec(value).unwrap();
    assert_eq!(options.clone().max_depth(40).to_vec(value).unwrap(), bytes);
    assert_eq!(&options.from_slice::<T>(&bytes).unwrap(), value);
    bytes
}

#[track_caller]
fn unsupported(error: &Error) -> &'static str {
    match error.kind() {
        ErrorKind::Common(CommonKind::Unsupported { reason, .. }) => reason,
        kind => panic!("{kind}"),
    }
}

/// Asserts that both ways of writing refuse a value, and returns the error.
#[track_caller]
fn unwritten<T: Serialize>(value: &T) -> (&'static str, String) {
    let (fast, exact) = (to_vec(value).unwrap_err(), EXACT.to_vec(value).unwrap_err());
    assert_eq!(fast.to_string(), exact.to_string());
    (unsupported(&fast), fast.path().to_string())
}

/// Asserts that a value is written but refused by the reader, and returns the error.
#[track_caller]
fn unread<T: Serialize + DeserializeOwned + Debug>(value: &T) -> (String, usize) {
    let error = from_slice::<T>(&to_vec(value).unwrap()).unwrap_err();
    (error.kind().to_string(), error.offset().unwrap())
}

/// Like `serde_json::Value`, it calls `deserialize_any`.
#[derive(Clone, Debug, PartialEq)]
enum Any {
    Number(u64),
    Text(String),
    Bytes(Vec<u8>),
    List(Vec<Any>),
    Map(Vec<(Any, Any)>),
}

fn text(text: &str) -> Any {
    Any::Text(text.into())
}

impl Serialize for Any {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Any::Number(number) => serializer.serialize_u64(*number),
            Any::Text(text) => serializer.serialize_str(text),
            Any::Bytes(bytes) => serializer.serialize_bytes(bytes),
            Any::List(items) => serializer.collect_seq(items),
            Any::Map(entries) => {
                serializer.collect_map(entries.iter().map(|(key, value)| (key, value)))
            }
        }
    }
}

visits! { Any, "anything", deserialize_any():
    visit_u64 |number| {
        Ok(Any::Number(number))
    }
    visit_str |text| {
        Ok(Any::Text(text.into()))
    }
    visit_bytes |bytes| {
        Ok(Any::Bytes(bytes.into()))
    }
    visit_seq |items| {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Any::List(list))
    }
    visit_map |entries| {
        let mut map = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            map.push(entry);
        }
        Ok(Any::Map(map))
    }
}

const PAIRS: &str = "a list of pairs could be a map";

/// A map has the bytes of a list of pairs.
#[test]
fn maps_are_not_read_back_as_lists() {
    let pair = |key: Any| (key, text("a"));
    for key in [Any::Number(1), text("k"), Any::Bytes(vec![0xff]), Any::List(vec![Any::Number(1)])]
    {
        assert_eq!(unread(&Any::Map(vec![pair(key.clone())])), (PAIRS.into(), 1));
        assert_eq!(unread(&Any::List(vec![Any::Number(1), Any::Map(vec![pair(key)])])).0, PAIRS);
    }
    // Lists that cannot be maps survive.
    back(&Any::List(vec![Any::List(vec![Any::Number(1), Any::Number(2)])]));
    back(&Any::List(vec![Any::Number(1), text("a"), Any::List(vec![text("b"), Any::Number(2)])]));
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Shape {
        Triangles(Vec<(u8, u8, u8)>),
        Pairs(Vec<(u8, u8)>),
    }
    back(&Shape::Triangles(vec![(1, 2, 3), (4, 5, 6)]));
    assert_eq!(unread(&Shape::Pairs(vec![(1, 2)])).0, PAIRS);
}

/// For `deserialize_any`, UTF-8 strings are text, as the guide documents.
#[test]
fn strings_are_text_where_they_can_be() {
    back(&text("ab"));
    back(&Any::Bytes(vec![0xff, 0x61]));
    let bytes = to_vec(&Any::Bytes(b"ab".into())).unwrap();
    assert_eq!(bytes, to_vec("ab").unwrap());
    assert_eq!(from_slice::<Any>(&bytes).unwrap(), text("ab"));
}

/// As `uuid::Uuid` in a binary format.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Id([u8; 16]);

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = serde_bytes::ByteArray::<16>::deserialize(deserializer)?;
        Ok(Id(bytes.into_array()))
    }
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Flat<T> {
    id: u8,
    #[serde(flatten)]
    rest: T,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Field<T> {
    x: T,
}

/// Bytes in a flattened type are refused, also if they are text.
#[test]
fn bytes_in_flattened_types() {
    const REASON: &str = "bytes in a flattened type could come back as text";
    for id in [[0; 16], [0xff; 16], *b"0123456789abcdef"] {
        back(&Field { x: Id(id) });
        let (reason, path) = unwritten(&Flat { id: 1, rest: Field { x: Id(id) } });
        assert_eq!((reason, path.as_str()), (REASON, "[1].value"));
        let (reason, _) = unwritten(&Flat { id: 1, rest: Field { x: vec![Some(Id(id))] } });
        assert_eq!(reason, REASON);
    }
    back(&Flat { id: 1, rest: Field { x: "text".to_string() } });
}

/// A name that serde treats as a field may be a key of a flattened map.
#[test]
fn keys_of_flattened_maps() {
    back(&Flat { id: 1, rest: BTreeMap::from([(7u32, 1u8), (300, 2)]) });
    back(&Flat { id: 1, rest: BTreeMap::from([(-7i64, 1u8), (i64::MAX, 2)]) });
    back(&Flat { id: 1, rest: BTreeMap::from([(true, 1u8)]) });
    back(&Flat { id: 1, rest: BTreeMap::from([('c', 1u8)]) });
    let (reason, _) = unread(&Flat { id: 1, rest: BTreeMap::from([((1u8, 2u8), 1u8)]) });
    assert_eq!(reason, "found tuple, expected string");
    let (reason, _) = unwritten(&Flat { id: 1, rest: Field { x: vec![(1u8, 2u8)] } });
    assert_eq!(reason, "a list of pairs in a flattened type could be a map");
}

/// serde writes `[u8]` as a list of numbers, and reads `&[u8]` and other borrowing types as bytes.
#[test]
fn lists_of_numbers_are_read_as_bytes() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Borrows<'a> {
        #[serde(borrow)]
        bytes: Cow<'a, [u8]>,
    }

    for bytes in [&[][..], &[1, 2], &[127, 128, 255], &[9; 300]] {
        let value = Borrows { bytes: bytes.into() };
        let written = to_vec(&value).unwrap();
        assert_eq!(from_slice::<Borrows<'_>>(&written).unwrap(), value);
        assert_eq!(from_slice::<serde_bytes::ByteBuf>(&to_vec(bytes).unwrap()).unwrap(), bytes);
        // With the mark `int8`, each item is a byte.
        let written = to_vec(&Int8(bytes)).unwrap();
        assert_eq!(from_slice::<Int8<&[u8]>>(&written).unwrap(), Int8(bytes));
        assert_eq!(from_slice::<&[u8]>(&written).unwrap(), bytes);
    }
    let bytes = to_vec(&[1u8, 2][..]).unwrap();
    let error = from_slice::<&[u8]>(&bytes).unwrap_err();
    let reason = "a list of numbers cannot be borrowed as bytes";
    assert_eq!((unsupported(&error), error.offset()), (reason, Some(0)));
    // Numbers that are not bytes.
    let error = from_slice::<serde_bytes::ByteBuf>(&to_vec(&[300u16][..]).unwrap()).unwrap_err();
    assert_eq!(error.path().to_string(), "[0]");
    from_slice::<serde_bytes::ByteBuf>(&to_vec(&["x"][..]).unwrap()).unwrap_err();
}

/// Some structs are written as maps of their fields.
#[test]
fn structs_that_are_written_as_maps() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Point {
        x: u8,
        #[serde(default)]
        name: String,
    }

    impl Serialize for Point {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut map = serializer.serialize_map(None)?;
            map.serialize_entry("x", &self.x)?;
            if !self.name.is_empty() {
                map.serialize_entry("name", &self.name)?;
            }
            map.end()
        }
    }

    back(&Point { x: 1, name: "one".into() });
    back(&vec![Point { x: 1, name: String::new() }, Point { x: 2, name: "two".into() }]);
    // A list of pairs whose first elements are not text has no names: numbers are not treated as positions.
    let error = from_slice::<Point>(&to_vec(&vec![(0u8, 7u8)]).unwrap()).unwrap_err();
    let found = ErrorKind::WrongTag { found: "uvint", expected: "the name of a field" };
    assert_eq!(error.kind().to_string(), found.to_string());
    assert_eq!((error.offset(), error.path().to_string().as_str()), (Some(4), "[0].key"));
}

/// `serde_json::value::RawValue` writes a struct, and reads a newtype struct of that name.
#[test]
fn raw_values() {
    const NAME: &str = "$serde_json::private::RawValue";

    #[derive(Debug, PartialEq)]
    struct Raw(String);

    impl Serialize for Raw {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut raw = serializer.serialize_struct(NAME, 1)?;
            raw.serialize_field(NAME, &self.0)?;
            raw.end()
        }
    }

    visits! { Raw, "JSON", deserialize_newtype_struct(NAME):
        visit_map |fields| {
            match fields.next_key::<String>()?.as_deref() {
                Some(NAME) => fields.next_value().map(Raw),
                _ => Err(de::Error::missing_field(NAME)),
            }
        }
    }

    back(&Raw("{\"a\": [1, 2]}".into()));
    back(&vec![Some(Raw("1".into())), None]);
}

/// Extensions of MessagePack, as `rmpv::Value` writes them, would be read back as lists.
#[test]
fn extensions_are_refused() {
    #[derive(Serialize)]
    #[serde(rename = "_ExtStruct")]
    struct Extension((i8, serde_bytes::ByteBuf));

    let extension = || Extension((7, serde_bytes::ByteBuf::from([1, 2])));
    let reason = "an extension type of MessagePack has no form of its own";
    assert_eq!(unwritten(&extension()), (reason, String::new()));
    assert_eq!(unwritten(&vec![extension()]), (reason, "[0]".into()));

    #[derive(Serialize)]
    #[serde(rename = "_ExtStruct")]
    struct Short(u8);
    assert_eq!(unwritten(&[Some(Short(1))]).0, reason);
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Shape {
    Empty,
    Circle { radius: f64 },
    Group { name: String, parts: Vec<Shape>, colour: Option<Colour> },
    Point(Point),
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Colour {
    Red,
    Rgb(u8, u8, u8),
    Named { name: String },
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Point {
    x: i32,
    y: i32,
}

fn shapes() -> Vec<Shape> {
    let group = |colour| Shape::Group {
        name: "group".into(),
        parts: vec![Shape::Empty, Shape::Circle { radius: 1.5 }],
        colour,
    };
    let mut shapes = vec![Shape::Empty, Shape::Point(Point { x: -1, y: 2 }), group(None)];
    shapes.extend(
        [Colour::Red, Colour::Rgb(1, 2, 3), Colour::Named { name: "sea".into() }]
            .map(|colour| group(Some(colour))),
    );
    shapes
}

/// The names come from the value.
#[test]
fn internally_tagged_enums_are_read_back_with_the_names_of_the_value() {
    let shapes = shapes();
    for shape in &shapes {
        let names = Dictionary::of_value(shape).unwrap();
        back_by(&Options::new().names(names), shape);
    }
    let names = Dictionary::of_value(&shapes).unwrap();
    let mut found: Vec<&str> = names.names().collect();
    found.sort_unstable();
    assert_eq!(
        found,
        ["Named", "Red", "Rgb", "colour", "kind", "name", "parts", "radius", "x", "y",]
    );
    back_by(&Options::new().names(names), &shapes);

    let reason = "unknown field name (hash #00000078)";
    let names = Dictionary::from_words("kind").unwrap();
    let bytes = to_vec(&shapes[1]).unwrap();
    let error = Options::new().names(names).from_slice::<Shape>(&bytes).unwrap_err();
    assert_eq!(error.kind().to_string(), reason);
}

#[test]
fn names_of_values() {
    // A tree has hashes, not names.
    let tree = to_value(&Point { x: 1, y: 2 }).unwrap();
    assert!(Dictionary::of_value(&(tree, 1u8, "x", Some(()))).unwrap().is_empty());
    assert_eq!(Dictionary::of_value(&Some(Colour::Red)).unwrap().name(hash("Red")), Some("Red"));

    #[derive(Serialize)]
    struct Twins {
        azdwbie: u8,
        c7diagq: u8,
    }
    let error = Dictionary::of_value(&Twins { azdwbie: 1, c7diagq: 2 }).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Collision { .. }), "{error}");

    #[derive(Serialize)]
    struct Deeper(Vec<Deeper>);
    let nest = |levels| (0..levels).fold(Deeper(Vec::new()), |inner, _| Deeper(vec![inner]));
    Dictionary::of_value(&nest(60)).unwrap();
    let error = Dictionary::of_value(&nest(200)).unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::Common(CommonKind::DepthLimit { limit: 128 })),
        "{error}"
    );
}

/// All kinds of variants.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Unit,
    New(u8),
    Empty {},
    EmptyTuple(),
    Tuple(u8, String),
    Struct { x: u8, y: Option<String> },
    Text(String),
    Option(Option<u8>),
    Inner(Box<Adjacent>),
    Point(Point),
}

/// Named fields of an adjacently tagged enum are requested without their names: they are matched by their order, and
/// none may be left out, unless the names are set.
#[test]
fn adjacently_tagged_enums() {
    use Adjacent::*;

    let all = || {
        [
            Unit,
            New(1),
            Empty {},
            EmptyTuple(),
            Tuple(1, "x".into()),
            Struct { x: 1, y: None },
            Struct { x: 2, y: Some("y".into()) },
            Text("x".into()),
            Option(None),
            Option(Some(1)),
            Inner(Box::new(Unit)),
            Inner(Box::new(Tuple(2, String::new()))),
            Inner(Box::new(Struct { x: 3, y: None })),
        ]
    };
    for value in all() {
        back(&value);
    }
    // Elsewhere it is as large as what serde makes of two named fields, and has the variant's name, too.
    if cfg!(target_pointer_width = "64") {
        back(&Point(super::self_describing::Point { x: 1, y: 2 }));
    }
    back(&Vec::from(all()));
    back(&(Some(Vec::from(all())), std::collections::BTreeMap::from([(1, Vec::from(all()))])));
    let fields = || Struct { x: 1, y: None };
    // A variant with one named field looks like a newtype variant of a struct with the variant's name. Both survive.
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Only {
        x: u8,
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "t", content = "c")]
    enum Small {
        Unit,
        Only(Only),
        Field { x: u8 },
        Fields { x: u8, y: u8 },
    }
    back(&[Small::Unit, Small::Only(Only { x: 1 }), Small::Unit]);
    back(&[Small::Unit, Small::Fields { x: 1, y: 2 }, Small::Field { x: 1 }]);
    // As rows of a table, too.
    back(&Table(vec![Small::Field { x: 1 }]));
    back(&Table(vec![Small::Fields { x: 1, y: 2 }, Small::Fields { x: 3, y: 4 }]));

    // With the names of the value they are read back.
    back_by(&Options::new().names(Dictionary::from_words("x").unwrap()), &Small::Field { x: 1 });
    for value in [fields(), Inner(Box::new(Struct { x: 2, y: Some("y".into()) }))] {
        back_by(&Options::new().names(Dictionary::of_value(&value).unwrap()), &value);
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "t", content = "c")]
    enum Partly {
        Skips {
            #[serde(default, skip_serializing_if = "std::option::Option::is_none")]
            x: std::option::Option<u8>,
            y: u8,
        },
        Marked {
            x: u8,
            #[serde(default, with = "fourfold::biniou::with::optional")]
            y: std::option::Option<u8>,
        },
    }
    let reason = "a field of an adjacently tagged enum is left out, and needs its name";
    back(&[Partly::Skips { x: Some(1), y: 2 }, Partly::Marked { x: 1, y: Some(2) }]);
    for (value, path) in [
        (Partly::Skips { x: None, y: 2 }, "[0].c.x"),
        (Partly::Marked { x: 1, y: None }, "[0].c.y"),
    ] {
        assert_eq!(unwritten(&[&value]), (reason, path.into()));
        assert_eq!(unwritten(&Table([&value])), (reason, path.into()));
        back_by(&Options::new().names(Dictionary::from_words("x\ny").unwrap()), &value);
    }
}
