//! Each attribute of serde, and each kind of enum.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Rows;

pub(super) fn rows(rows: &mut impl Rows) {
    enums(rows);
    tagged(rows);
    containers(rows);
    fields(rows);
    skipped(rows);
    flattened(rows);
    by_hand(rows);
}

/// Types of these rows, with the usual derives.
macro_rules! types {
    ($($(#[$meta:meta])* $kind:ident $name:ident $body:tt)*) => {$(
        #[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
        $(#[$meta])* $kind $name $body
    )*};
}

types! {
    enum External { Unit, Newtype(u32), Tuple(u8, String), Struct { a: u8, b: String } }
    enum EmptyParts { Tuple(), Struct {} }

    #[serde(tag = "t")]
    enum InternalUnits { A, B }
    #[serde(tag = "t")]
    enum InternalStructs { A { x: u8 }, B { name: String, more: Option<u8> } }
    #[serde(tag = "t")]
    enum InternalNewtypes { A(Inner) }
    #[serde(tag = "t", content = "c")]
    enum AdjacentUnits { A, B }
    #[serde(tag = "t", content = "c")]
    enum AdjacentNewtypes { A(u8), B(String) }
    #[serde(tag = "t", content = "c")]
    enum AdjacentTuples { A(u8, String), B(u8, u8) }
    #[serde(tag = "t", content = "c")]
    enum AdjacentStructs { A { x: u8 }, B { name: String, more: Option<u8> } }
    #[serde(tag = "t", content = "c")]
    enum AdjacentMixed { Unit, Newtype(u32), Tuple(u8, String), Struct { a: u8 }, Empty {} }
    #[serde(untagged)]
    enum Untagged { Number(i64), Text(String), List(Vec<i64>) }
    #[serde(untagged)]
    enum UntaggedStructs { A { x: u8 }, B { name: String } }
    enum UntaggedVariant { A(u8), #[serde(untagged)] B(String) }
    enum Other { A, B, #[serde(other)] Else }
    enum SkippedLast { A, B(u8), #[serde(skip)] #[allow(dead_code)] C }
    enum SkippedFirst { #[serde(skip)] #[allow(dead_code)] C, A(u8), B(u8) }

    struct Inner { x: u8, name: String }
    #[serde(rename = "AnotherName")]
    struct Renamed { a: u8 }
    #[serde(rename_all = "SCREAMING-KEBAB-CASE")]
    struct RenamedAll { first_field: u8, second_field: String }
    #[serde(rename_all = "camelCase", rename_all_fields = "PascalCase")]
    enum RenamedFields { FirstVariant { first_field: u8 }, SecondVariant }
    #[serde(tag = "type")]
    struct TaggedStruct { a: u8, b: String }
    #[serde(transparent)]
    struct Transparent { only: Vec<u8>, #[serde(skip)] not: u8 }
    #[serde(deny_unknown_fields)]
    struct Denies { a: u8, b: Option<u8> }
    #[serde(default)]
    struct DefaultAll { a: u8, b: String }
    #[serde(expecting = "a point")]
    struct Expecting { a: u8 }
    #[serde(from = "u32", into = "u32")]
    struct FromInto { a: u16, b: u16 }
    #[serde(try_from = "String", into = "String")]
    struct Checked { text: String }

    struct RenamedField { #[serde(rename = "type")] kind: u8, #[serde(rename = "ключ")] key: u8 }
    struct Alias { #[serde(alias = "b", alias = "c")] a: u8, d: u8 }
    struct DefaultField { #[serde(default)] a: u8, #[serde(default = "seven")] b: u8 }
    struct With { #[serde(with = "as_text")] a: u32, b: u8 }
    struct WithBoth {
        #[serde(serialize_with = "as_text::serialize", deserialize_with = "as_text::deserialize")] a: u32,
    }
    struct Getters { #[serde(with = "RemoteDef")] a: Remote }
    struct WithRemote { #[serde(with = "PlainDef")] a: Plain }

    struct Skip { a: u8, #[serde(skip)] not: u8, b: u8 }
    struct SkipNone { a: u8, #[serde(skip_serializing_if = "Option::is_none")] b: Option<u8>, c: u8 }
    struct SkipNoneDefault {
        a: u8,
        #[serde(default, skip_serializing_if = "Option::is_none")] b: Option<String>,
    }
    struct SkipEmpty { a: u8, #[serde(default, skip_serializing_if = "Vec::is_empty")] b: Vec<u8> }
    struct SkipOther { a: u8, #[serde(default = "seven", skip_serializing_if = "is_seven")] b: u8 }
    struct SkipOtherDefault { a: u8, #[serde(default, skip_serializing_if = "is_seven")] b: u8 }
    struct DoubleOption {
        #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "some")]
        a: Option<Option<u8>>,
        b: u8,
    }
    struct OnlyWritten { a: u8, #[serde(skip_deserializing)] b: u8 }
    struct OnlyRead { a: u8, #[serde(default, skip_serializing)] b: u8 }
    struct OneName { #[serde(rename(serialize = "b"))] a: u8 }

    struct Flatten { a: u8, #[serde(flatten)] inner: Inner }
    struct FlattenOption { a: u8, #[serde(flatten)] inner: Option<Inner> }
    struct FlattenMap { a: u8, #[serde(flatten)] rest: BTreeMap<String, u32> }
    struct FlattenTexts { a: u8, #[serde(flatten)] rest: BTreeMap<String, String> }
    struct FlattenNested { a: u8, #[serde(flatten)] inner: Outer }
    struct Outer { inner: Inner, list: Vec<Inner> }
    struct FlattenEnum { a: u8, #[serde(flatten)] kind: External }
    struct FlattenTagged { a: u8, #[serde(flatten)] kind: InternalStructs }
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(bound = "T: Serialize + DeserializeOwned")]
struct Bounded<T> {
    a: T,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct SkipInTuple(u8, #[serde(default, skip_serializing_if = "Option::is_none")] Option<u8>);

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "named.SkippedFirst")]
enum SkippedFirstNamed {
    #[serde(skip)]
    #[allow(dead_code)]
    C,
    A(u8),
    B(u8),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "union.SkippedFirst.A-0.B-1")]
enum SkippedFirstUnion {
    #[serde(skip)]
    #[allow(dead_code)]
    C,
    A(u8),
    B(u8),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Borrows<'a> {
    #[serde(borrow)]
    text: Cow<'a, str>,
    plain: &'a str,
    #[serde(with = "serde_bytes")]
    bytes: &'a [u8],
}

impl From<u32> for FromInto {
    fn from(both: u32) -> Self {
        let [a, b, c, d] = both.to_be_bytes();
        FromInto { a: u16::from_be_bytes([a, b]), b: u16::from_be_bytes([c, d]) }
    }
}

impl From<FromInto> for u32 {
    fn from(FromInto { a, b }: FromInto) -> u32 {
        u32::from(a) << 16 | u32::from(b)
    }
}

impl TryFrom<String> for Checked {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        if text.is_empty() { Err("empty") } else { Ok(Checked { text }) }
    }
}

impl From<Checked> for String {
    fn from(from: Checked) -> String {
        from.text
    }
}

impl Default for DefaultAll {
    fn default() -> Self {
        DefaultAll { a: 7, b: "text".into() }
    }
}

fn seven() -> u8 {
    7
}

fn is_seven(number: &u8) -> bool {
    *number == 7
}

fn some<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<u8>>, D::Error> {
    Deserialize::deserialize(deserializer).map(Some)
}

mod as_text {
    use super::*;

    pub(super) fn serialize<S: Serializer>(number: &u32, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(number)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// A type of another crate with private fields.
#[derive(Clone, Debug, PartialEq)]
struct Remote {
    secret: u8,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Remote")]
struct RemoteDef {
    #[serde(getter = "Remote::secret")]
    secret: u8,
}

impl Remote {
    fn secret(&self) -> u8 {
        self.secret
    }
}

impl From<RemoteDef> for Remote {
    fn from(RemoteDef { secret }: RemoteDef) -> Self {
        Remote { secret }
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Plain {
    a: u8,
    b: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Plain")]
struct PlainDef {
    a: u8,
    b: String,
}

fn inner() -> Inner {
    Inner { x: 1, name: "text".into() }
}

fn externals() -> Vec<External> {
    use External::*;
    vec![Unit, Newtype(7), Tuple(1, "text".into()), Struct { a: 1, b: String::new() }]
}

fn internals() -> Vec<InternalStructs> {
    use InternalStructs::*;
    vec![
        A { x: 1 },
        B { name: "text".into(), more: None },
        B { name: String::new(), more: Some(1) },
    ]
}

fn adjacents() -> Vec<AdjacentMixed> {
    use AdjacentMixed::*;
    vec![Unit, Newtype(7), Tuple(1, "text".into()), Struct { a: 1 }, Empty {}]
}

fn enums(rows: &mut impl Rows) {
    rows.group("Enums");
    rows.row("an enum: unit, newtype, tuple and struct variants", externals());
    rows.row("`Vec` of such an enum", vec![vec![], externals()]);
    rows.row(
        "variants without parts: `A()`, `B {}`",
        vec![EmptyParts::Tuple(), EmptyParts::Struct {}],
    );
    rows.row("`other` on a variant", vec![Other::A, Other::B, Other::Else]);
    rows.row("`skip` on the last variant", vec![SkippedLast::A, SkippedLast::B(1)]);
    rows.row("`skip` on another variant", vec![SkippedFirst::A(1), SkippedFirst::B(2)]);
    rows.marked(
        "molecule",
        "ids in the mark `union.`",
        vec![SkippedFirstUnion::A(1), SkippedFirstUnion::B(2)],
    );
    rows.marked(
        "primitiv",
        "the mark `named.`",
        vec![SkippedFirstNamed::A(1), SkippedFirstNamed::B(2)],
    );
}

fn tagged(rows: &mut impl Rows) {
    rows.group("Enums by `tag`, `content` and `untagged`");
    rows.row("`tag`: unit variants", vec![InternalUnits::A, InternalUnits::B]);
    rows.row("`tag`: struct variants", internals());
    rows.row("`tag`: newtype variants of structs", vec![InternalNewtypes::A(inner())]);
    rows.row("`tag`, `content`: unit variants", vec![AdjacentUnits::A, AdjacentUnits::B]);
    rows.row(
        "`tag`, `content`: newtype variants",
        vec![AdjacentNewtypes::A(1), AdjacentNewtypes::B("text".into())],
    );
    rows.row(
        "`tag`, `content`: tuple variants",
        vec![AdjacentTuples::A(1, "text".into()), AdjacentTuples::B(1, 2)],
    );
    use AdjacentStructs::{A, B};
    rows.row(
        "`tag`, `content`: struct variants",
        vec![
            A { x: 1 },
            B { name: "text".into(), more: None },
            B { name: String::new(), more: Some(1) },
        ],
    );
    rows.row("`tag`, `content`: all kinds in one enum", adjacents());
    rows.row("`tag`, `content`: a `Vec` of such an enum", vec![vec![], adjacents()]);
    rows.row(
        "`untagged`: numbers, text, lists",
        vec![Untagged::Number(-1), Untagged::Text("text".into()), Untagged::List(vec![1, 2])],
    );
    rows.row(
        "`untagged`: struct variants",
        vec![UntaggedStructs::A { x: 1 }, UntaggedStructs::B { name: "text".into() }],
    );
    rows.row(
        "`untagged` on one variant",
        vec![UntaggedVariant::A(1), UntaggedVariant::B("text".into())],
    );
}

fn containers(rows: &mut impl Rows) {
    rows.group("Attributes of containers");
    rows.row("`rename`", vec![Renamed { a: 1 }]);
    rows.row("`rename_all`", vec![RenamedAll { first_field: 1, second_field: "text".into() }]);
    rows.row(
        "`rename_all_fields`",
        vec![RenamedFields::FirstVariant { first_field: 1 }, RenamedFields::SecondVariant],
    );
    rows.row("`tag` on a struct", vec![TaggedStruct { a: 1, b: "text".into() }]);
    rows.row("`transparent`", vec![Transparent { only: vec![1, 2], not: 0 }]);
    rows.row("`deny_unknown_fields`", vec![Denies { a: 1, b: None }, Denies { a: 1, b: Some(2) }]);
    rows.row("`default`", vec![DefaultAll::default(), DefaultAll { a: 0, b: String::new() }]);
    rows.row("`expecting`", vec![Expecting { a: 1 }]);
    rows.row("`from`, `into`", vec![FromInto { a: 1, b: 2 }]);
    rows.row("`try_from`", vec![Checked { text: "text".into() }]);
    rows.row("`bound`", vec![Bounded { a: vec![1u8] }]);
    rows.row("`remote`", vec![WithRemote { a: Plain { a: 1, b: "text".into() } }]);
}

fn fields(rows: &mut impl Rows) {
    rows.group("Attributes of fields");
    rows.row("`rename`", vec![RenamedField { kind: 1, key: 2 }]);
    rows.row("`alias`", vec![Alias { a: 1, d: 2 }]);
    rows.row("`default`", vec![DefaultField { a: 0, b: 7 }, DefaultField { a: 1, b: 0 }]);
    rows.row("`with`", vec![With { a: 7, b: 1 }]);
    rows.row("`serialize_with`, `deserialize_with`", vec![WithBoth { a: 7 }]);
    rows.row("`getter`", vec![Getters { a: Remote { secret: 7 } }]);
    rows.borrowed("`borrow`", vec![Borrows { text: "text".into(), plain: "", bytes: &[0xff] }]);
}

fn skipped(rows: &mut impl Rows) {
    rows.group("Fields that are not always there");
    rows.row("`skip`", vec![Skip { a: 1, not: 0, b: 2 }]);
    rows.row(
        "`skip_serializing_if = \"Option::is_none\"`",
        vec![SkipNone { a: 1, b: None, c: 2 }, SkipNone { a: 1, b: Some(3), c: 2 }],
    );
    rows.row(
        "`skip_serializing_if = \"Option::is_none\"` with `default`",
        vec![SkipNoneDefault { a: 1, b: None }, SkipNoneDefault { a: 1, b: Some("text".into()) }],
    );
    rows.row(
        "`skip_serializing_if = \"Vec::is_empty\"` with `default`",
        vec![SkipEmpty { a: 1, b: vec![] }, SkipEmpty { a: 1, b: vec![1] }],
    );
    rows.row(
        "`skip_serializing_if` with the same `default = \"..\"`",
        vec![SkipOther { a: 1, b: 7 }, SkipOther { a: 1, b: 0 }],
    );
    rows.row(
        "`skip_serializing_if` with another `default`",
        vec![SkipOtherDefault { a: 1, b: 7 }, SkipOtherDefault { a: 1, b: 0 }],
    );
    let doubles = [None, Some(None), Some(Some(1))];
    rows.row(
        "`Option<Option<T>>`: absent, null, value (`double_option`)",
        doubles.map(|a| DoubleOption { a, b: 1 }).to_vec(),
    );
    rows.row(
        "`skip_serializing_if` in a tuple struct",
        vec![SkipInTuple(1, None), SkipInTuple(1, Some(2))],
    );
    rows.row("`skip_deserializing` alone", vec![OnlyWritten { a: 1, b: 0 }]);
    rows.row("`skip_serializing` alone, with `default`", vec![OnlyRead { a: 1, b: 0 }]);
    rows.row("`rename` of one side", vec![OneName { a: 1 }]);
}

fn flattened(rows: &mut impl Rows) {
    rows.group("`flatten`");
    rows.row("`flatten`: a struct", vec![Flatten { a: 1, inner: inner() }]);
    rows.row(
        "`flatten`: an `Option` of a struct",
        vec![FlattenOption { a: 1, inner: None }, FlattenOption { a: 1, inner: Some(inner()) }],
    );
    let maps = [BTreeMap::new(), BTreeMap::from([("k".to_owned(), 7), ("l".to_owned(), 8)])];
    rows.row("`flatten`: a map of numbers", maps.map(|rest| FlattenMap { a: 1, rest }).to_vec());
    let rest = BTreeMap::from([("k".to_owned(), "text".to_owned())]);
    rows.row("`flatten`: a map of text", vec![FlattenTexts { a: 1, rest }]);
    let nested = Outer { inner: inner(), list: vec![inner()] };
    rows.row("`flatten`: a struct with structs in it", vec![FlattenNested { a: 1, inner: nested }]);
    let enums = externals().into_iter().skip(1).map(|kind| FlattenEnum { a: 1, kind });
    rows.row("`flatten`: an enum", enums.collect());
    let enums = internals().into_iter().map(|kind| FlattenTagged { a: 1, kind });
    rows.row("`flatten`: an enum with `tag`", enums.collect());
}

/// A struct that is written as a map, like types with a `Serialize` by hand.
#[derive(Deserialize, Debug, PartialEq)]
struct ByMap {
    a: u8,
    b: String,
}

impl Serialize for ByMap {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("a", &self.a)?;
        map.serialize_entry("b", &self.b)?;
        map.end()
    }
}

/// A tuple with more items than it announced, like types that write a count of varying length.
#[derive(Debug, PartialEq)]
struct MoreItems(u16);

impl Serialize for MoreItems {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeTuple;
        let mut tuple = serializer.serialize_tuple(1)?;
        let [low, high] = self.0.to_le_bytes();
        tuple.serialize_element(&low)?;
        tuple.serialize_element(&high)?;
        tuple.end()
    }
}

impl<'de> Deserialize<'de> for MoreItems {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <[u8; 2]>::deserialize(deserializer).map(|bytes| MoreItems(u16::from_le_bytes(bytes)))
    }
}

fn by_hand(rows: &mut impl Rows) {
    rows.group("Written by hand");
    rows.row("a struct by `serialize_map`, read by derive", vec![ByMap { a: 1, b: "text".into() }]);
    rows.row("a tuple with more items than announced", vec![MoreItems(0x0102)]);
}
