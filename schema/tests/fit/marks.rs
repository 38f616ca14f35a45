//! Marks on what they fit and what they do not: the exact words, and that values agree.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::rc::Rc;

use fourfold::biniou::with as marks;
use fourfold::primitiv::with::{Named, Owned, Text};
use fourfold::primitiv::{Model, with as primitiv_with};
use fourfold::tsm::with::{Any, Raw, RawBytes, RawLen};
use serde::de::{self, DeserializeOwned, Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use serde_bytes::ByteBuf;
use serde_json::json;

use crate::support::format::{Biniou, Primitiv, Tsm};
use crate::{Checks, loss};

/// Checks what is said of a type: nothing, if the value comes back.
fn says<F: Checks, T: Serialize + DeserializeOwned + PartialEq>(value: &T, expected: &str) {
    let said = F::check::<T>().mismatches().map(ToString::to_string).unwrap_or_default();
    assert_eq!(said, expected);
    let lost = loss::<F, T>(value);
    assert_eq!(lost.is_some(), !expected.is_empty(), "{expected}: {lost:?}");
}

/// A container of each kind, of that name.
macro_rules! named {
    ($module:ident $name:literal) => {
        mod $module {
            #![allow(dead_code, reason = "not each is used under each name")]

            use super::*;

            #[derive(Serialize, Deserialize, Debug, PartialEq)]
            #[serde(rename = $name)]
            pub(super) struct Unit;

            #[derive(Serialize, Deserialize, Debug, PartialEq)]
            #[serde(rename = $name)]
            pub(super) struct Newtype<T>(pub(super) T);

            #[derive(Serialize, Deserialize, Debug, PartialEq)]
            #[serde(rename = $name)]
            pub(super) struct Pair(pub(super) u8, pub(super) u8);

            #[derive(Serialize, Deserialize, Debug, PartialEq)]
            #[serde(rename = $name)]
            pub(super) struct Point {
                pub(super) x: u8,
                pub(super) y: u8,
            }

            #[derive(Serialize, Deserialize, Debug, PartialEq)]
            #[serde(rename = $name)]
            pub(super) enum Event {
                Quit,
                Key(u8),
            }
        }
    };
}

named! { int8 "int8.Name" }
named! { table "table.Name" }
named! { raw "raw.Name" }
named! { rw "rw.Name" }
named! { plain "Name" }
named! { text "text.Name" }
named! { named "named.Name" }

/// Its length stands in front.
#[derive(Debug, PartialEq)]
struct Counted(Vec<u8>);

impl Serialize for Counted {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (u8::try_from(self.0.len()).unwrap(), RawBytes(&self.0)).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Counted {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Parts;

        impl<'de> Visitor<'de> for Parts {
            type Value = Counted;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("bytes after their length")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Counted, A::Error> {
                let missing = || de::Error::invalid_length(0, &Parts);
                let len: u8 = parts.next_element()?.ok_or_else(missing)?;
                let bytes = parts.next_element_seed(RawLen(len.into()))?.ok_or_else(missing)?;
                Ok(Counted(Cow::into_owned(bytes)))
            }
        }

        deserializer.deserialize_tuple(2, Parts)
    }
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Tagged<T> {
    id: u8,
    inner: T,
    rest: Vec<T>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(tag = "t", content = "c", rename = "named.Adjacent")]
enum Adjacent {
    Number(u8),
    Text(String),
    Quit {},
}

#[test]
fn raw_fits_arrays() {
    says::<Tsm, _>(&Raw([1u8, 2]), "");
    says::<Tsm, _>(&Raw(Some([1u8, 2])), "");
    says::<Tsm, _>(&Raw(plain::Newtype([1u8, 2])), "");
    says::<Tsm, _>(&raw::Newtype([1u8, 2]), "");
    says::<Tsm, _>(&Counted(vec![1, 2, 3]), "");
    says::<Tsm, _>(&Raw((1u16, "x".to_owned())), "");
    let misfit =
        |what: &str| format!("the mark `raw` fits bytes and arrays, not {what}: remove the mark");
    says::<Tsm, _>(&Raw(vec![1u8]), &misfit("a sequence"));
    says::<Tsm, _>(&Raw("x".to_owned()), &misfit("text"));
    says::<Tsm, _>(&Raw(1u8), &misfit("a number"));
    says::<Tsm, _>(&Raw(1.5f64), &misfit("a number"));
    says::<Tsm, _>(&Raw(true), &misfit("a bool"));
    says::<Tsm, _>(&Raw('x'), &misfit("a char"));
    says::<Tsm, _>(&Raw(()), &misfit("a unit"));
    says::<Tsm, _>(&Raw(plain::Unit), &misfit("a unit"));
    says::<Tsm, _>(&Raw(BTreeMap::from([(1u8, 2u8)])), &misfit("a map"));
    says::<Tsm, _>(&Raw(plain::Point { x: 1, y: 2 }), &misfit("a struct"));
    says::<Tsm, _>(&Raw(plain::Pair(1, 2)), &misfit("a struct"));
    says::<Tsm, _>(&Raw(plain::Event::Quit), &misfit("an enum"));
    says::<Tsm, _>(&raw::Point { x: 1, y: 2 }, &misfit("a struct"));
    says::<Tsm, _>(&raw::Pair(1, 2), &misfit("a tuple struct"));
    says::<Tsm, _>(&raw::Unit, &misfit("a unit struct"));
    says::<Tsm, _>(&raw::Event::Key(1), &misfit("an enum"));
    says::<Tsm, _>(
        &Raw(ByteBuf::from([1, 2])),
        "the mark `raw` is on a type that does not state how many bytes to read: use an array such as `[u8; 32]`, or `fourfold::tsm::with::RawLen(len)` in a `Deserialize` implementation, or remove the mark",
    );
    says::<Tsm, _>(
        &Raw(Any(json!(1))),
        "the mark `any` does not fit a value with another mark: remove one of the two marks",
    );
    says::<Tsm, _>(
        &rw::Newtype(1u8),
        "container name `rw.Name` is not the mark `raw.`, but nearly: use `#[serde(rename = \"raw.Name\")]`, or another name",
    );
}

#[test]
fn text_fits_bytes_and_named_fits_enums() {
    says::<Primitiv, _>(&Text(ByteBuf::from([1, 255])), "");
    says::<Primitiv, _>(&Text(Some(ByteBuf::from([1, 255]))), "");
    says::<Primitiv, _>(&Text("x".to_owned()), "");
    says::<Primitiv, _>(&Text('x'), "");
    says::<Primitiv, _>(&text::Newtype(ByteBuf::from([1])), "");
    says::<Primitiv, _>(&Named(plain::Event::Key(1)), "");
    says::<Primitiv, _>(&Named(Some(plain::Event::Quit)), "");
    says::<Primitiv, _>(&named::Event::Quit, "");
    says::<Primitiv, _>(&Adjacent::Text("x".into()), "");
    says::<Primitiv, _>(&Named(named::Event::Quit), "");
    let text = |what: &str| format!("the mark `text` fits bytes, not {what}: remove the mark");
    says::<Primitiv, _>(&Text(vec![1u8]), &text("a sequence"));
    says::<Primitiv, _>(&Text([1u8, 2]), &text("a tuple or array"));
    says::<Primitiv, _>(&Text(1u8), &text("u8"));
    says::<Primitiv, _>(&Text(()), &text("a unit"));
    says::<Primitiv, _>(&Text(BTreeMap::from([(1u8, 2u8)])), &text("a map"));
    says::<Primitiv, _>(&Text(plain::Event::Quit), &text("an enum"));
    says::<Primitiv, _>(&text::Event::Quit, &text("an enum"));
    says::<Primitiv, _>(&text::Point { x: 1, y: 2 }, &text("a struct"));
    says::<Primitiv, _>(&text::Pair(1, 2), &text("a tuple struct"));
    says::<Primitiv, _>(&text::Unit, &text("a unit struct"));
    let named = |what: &str| format!("the mark `named` fits enums, not {what}: remove the mark");
    says::<Primitiv, _>(&Named("x".to_owned()), &named("text"));
    says::<Primitiv, _>(&Named(ByteBuf::from([1])), &named("bytes"));
    says::<Primitiv, _>(&Named(1u8), &named("u8"));
    says::<Primitiv, _>(&named::Point { x: 1, y: 2 }, &format!("x: {}", named("u8")));
    says::<Primitiv, _>(
        &Text(named::Newtype(1u8)),
        "the mark `named` does not fit a value with another mark: remove one of the two marks",
    );
    says::<Primitiv, _>(&Owned(Model::new()), "");
    says::<Primitiv, _>(&Text(Owned(Model::new())), &text("a document"));
}

#[test]
fn marks_of_biniou_fit_numbers_lists_and_options() {
    says::<Biniou, _>(&marks::Int8(1u8), "");
    says::<Biniou, _>(&marks::Int8(Some(vec![[1i64, 2]])), "");
    says::<Biniou, _>(&marks::Int8(plain::Newtype(plain::Pair(1, 2))), "");
    says::<Biniou, _>(&marks::Float32(vec![0.5f64]), "");
    says::<Biniou, _>(&marks::Char(vec!['x']), "");
    says::<Biniou, _>(&int8::Newtype(1u8), "");
    says::<Biniou, _>(&marks::Table(vec![plain::Newtype(plain::Point { x: 1, y: 2 })]), "");
    says::<Biniou, _>(
        &table::Newtype([plain::Point { x: 1, y: 2 }, plain::Point { x: 3, y: 4 }]),
        "",
    );
    says::<Biniou, _>(&marks::Shared(Rc::new("x".to_owned())), "");
    // Outside of a record it is an option as others.
    says::<Biniou, _>(&vec![marks::Optional(Some(1u8)), marks::Optional(None)], "");
    let int8 = |what: &str| {
        format!("the mark `int8` fits integers and lists of them, not {what}: remove the mark")
    };
    says::<Biniou, _>(&marks::Int8("x".to_owned()), &int8("text"));
    says::<Biniou, _>(&marks::Int8(true), &int8("a bool"));
    says::<Biniou, _>(&marks::Int8(vec![Some(1.5f32)]), &format!("[]: {}", int8("a float")));
    says::<Biniou, _>(&marks::Int8(BTreeMap::from([(1u8, 2u8)])), &int8("a map"));
    says::<Biniou, _>(&marks::Int8(plain::Point { x: 1, y: 2 }), &int8("a struct"));
    says::<Biniou, _>(&marks::Int8(plain::Event::Quit), &int8("an enum"));
    says::<Biniou, _>(&marks::Int8(plain::Unit), &int8("a unit"));
    says::<Biniou, _>(&marks::Int8(ByteBuf::from([1])), &int8("bytes"));
    says::<Biniou, _>(&int8::Point { x: 1, y: 2 }, &int8("a struct"));
    says::<Biniou, _>(&int8::Pair(1, 2), &int8("a tuple struct"));
    says::<Biniou, _>(&int8::Unit, &int8("a unit struct"));
    says::<Biniou, _>(&int8::Event::Key(1), &int8("an enum"));
    let table =
        |what: &str| format!("the mark `table` fits lists of records, not {what}: remove the mark");
    let rows = |what: &str| format!("[]: {}", table(what));
    says::<Biniou, _>(&marks::Table(vec![1u8]), &rows("a sequence of integers"));
    says::<Biniou, _>(
        &marks::Table(vec![Some(plain::Point { x: 1, y: 2 })]),
        &rows("a sequence of options"),
    );
    says::<Biniou, _>(&marks::Table(vec![plain::Event::Quit]), &rows("a sequence of enums"));
    says::<Biniou, _>(&marks::Table(vec![plain::Pair(1, 2)]), &rows("a sequence of tuple structs"));
    says::<Biniou, _>(&marks::Table(vec![table::Newtype(vec![1u8])]), &rows("a row of a table"));
    says::<Biniou, _>(&marks::Table("x".to_owned()), &table("text"));
    says::<Biniou, _>(
        &marks::Table(marks::Int8(vec![1u8])),
        "the mark `int8` does not fit a value with another mark: remove one of the two marks",
    );
    says::<Biniou, _>(&marks::Int8(Any(json!(1))), &int8("a value that is marked `any`"));
    let optional = "the mark `optional` fits options in records, not an integer: remove the mark";
    says::<Biniou, _>(&marks::Optional(1u8), optional);
}

/// Two names of one hash cannot be told apart.
#[test]
fn names_with_one_hash_are_told() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    enum Wrong {
        Record { azdwbie: u8, c7diagq: u8 },
    }
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(rename_all = "lowercase")]
    enum Variants {
        Azdwbie,
        C7diagq,
    }
    let same = "`azdwbie` and `c7diagq` have the same hash, #6c312372: \
                use `#[serde(rename = \"c7diagq_\")]` on `c7diagq`";
    says::<Biniou, _>(&Wrong::Record { azdwbie: 1, c7diagq: 2 }, &format!("Record: {same}"));
    says::<Biniou, _>(&[Variants::Azdwbie, Variants::C7diagq], &format!("[]: {same}"));
}

/// What asks the data is told at each place, but for what is marked.
#[test]
fn what_asks_the_data_has_to_be_marked() {
    let untyped = |format: &str, path: &str| {
        format!("{path}calls `deserialize_any`, and {format} is not self-describing: mark it `any`")
    };
    let value = Tagged { id: 1, inner: json!([1, "x"]), rest: vec![json!({ "a": null })] };
    let lines =
        |format: &str| format!("{}\n{}", untyped(format, "inner: "), untyped(format, "rest[]: "));
    says::<Tsm, _>(&value, &lines("tsm"));
    says::<Primitiv, _>(&value, &lines("primitiv"));
    let marked = Tagged { id: 1, inner: Any(json!([1])), rest: vec![Any(json!("x"))] };
    says::<Tsm, _>(&marked, "");
    says::<Primitiv, _>(&marked, "");

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Field {
        #[serde(with = "primitiv_with::any")]
        any: serde_json::Value,
        map: BTreeMap<String, Option<[serde_json::Value; 2]>>,
    }
    let map = BTreeMap::from([("k".to_owned(), Some([json!(1), json!(2)]))]);
    let value = Field { any: json!([1]), map };
    says::<Primitiv, _>(&value, &untyped("primitiv", "map[][]: "));
    says::<Tsm, _>(&value, &untyped("tsm", "map[][]: "));

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    enum Deep {
        Tuple(u8, serde_json::Value),
        Struct { value: serde_json::Value },
        Newtype(serde_json::Value),
        Again(Option<Box<Deep>>),
    }
    let value = Deep::Again(Some(Box::new(Deep::Newtype(json!(1)))));
    let paths = ["Tuple.1: ", "Struct.value: ", "Newtype: "];
    says::<Tsm, _>(&value, &paths.map(|path| untyped("tsm", path)).join("\n"));

    // No adjacently tagged enum, though it looks like one.
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    enum Kind {
        One,
        Two,
    }
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Kinded {
        kind: Kind,
        value: serde_json::Value,
    }
    let value = Kinded { kind: Kind::Two, value: json!({ "a": Kind::One }) };
    says::<Tsm, _>(&value, &untyped("tsm", "value: "));
    says::<Primitiv, _>(&value, &untyped("primitiv", "value: "));
}

/// Where two fields have the same type, each is told.
#[test]
fn each_field_of_one_type_is_told() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Fields {
        a: Option<serde_json::Value>,
        b: Option<serde_json::Value>,
        c: (serde_json::Value, u8),
        d: (serde_json::Value, u8),
        e: Vec<Fields>,
        f: Event,
        g: Tagged<serde_json::Value>,
        h: Tagged<serde_json::Value>,
    }
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    enum Event {
        One(Option<serde_json::Value>),
        Other(Option<serde_json::Value>),
    }

    fn places<F: Checks>() -> Vec<String> {
        let mismatches = F::check::<Fields>().into_result().unwrap_err();
        mismatches.iter().map(|mismatch| mismatch.path().to_owned()).collect()
    }
    let expected = ["a", "b", "c.0", "d.0", "f.One", "f.Other", "g.inner", "g.rest[]"];
    assert_eq!(places::<Biniou>(), expected);
    assert_eq!(places::<Tsm>(), expected);
    assert_eq!(places::<Primitiv>(), expected);
}

/// No value can be made of what accepts none.
#[test]
fn what_accepts_nothing_is_told() {
    #[derive(Debug, PartialEq)]
    struct Never;

    impl<'de> Deserialize<'de> for Never {
        fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
            Err(de::Error::custom("never"))
        }
    }

    #[derive(Deserialize)]
    #[allow(dead_code, reason = "only its type is looked at")]
    struct Holder {
        before: u8,
        never: Option<Never>,
        after: Option<(u8, u8)>,
    }
    let said = fourfold_schema::tsm::check::<Holder>().into_result().unwrap_err();
    assert_eq!(
        said.to_string(),
        "never: cannot be seen: no value of the type was accepted on the way"
    );
}
