//! Marks on types that they fit and on others: the exact errors of `check`, and that values agree.

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

/// Asserts the mismatches of a type: none exactly if the value survives a round trip.
fn check<F: Checks, T: Serialize + DeserializeOwned + PartialEq>(value: &T, expected: &str) {
    let found = F::check::<T>().mismatches().map(ToString::to_string).unwrap_or_default();
    assert_eq!(found, expected);
    let lost = loss::<F, T>(value);
    assert_eq!(lost.is_some(), !expected.is_empty(), "{expected}: {lost:?}");
}

/// A container of each kind with this serde name.
macro_rules! named {
    ($module:ident $name:literal) => {
        mod $module {
            #![allow(dead_code, reason = "not every container is used with every name")]

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

/// Raw bytes after their length.
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
    check::<Tsm, _>(&Raw([1u8, 2]), "");
    check::<Tsm, _>(&Raw(Some([1u8, 2])), "");
    check::<Tsm, _>(&Raw(plain::Newtype([1u8, 2])), "");
    check::<Tsm, _>(&raw::Newtype([1u8, 2]), "");
    check::<Tsm, _>(&Counted(vec![1, 2, 3]), "");
    check::<Tsm, _>(&Raw((1u16, "x".to_owned())), "");
    let mismatch =
        |what: &str| format!("the mark `raw` fits bytes and arrays, not {what}: remove the mark");
    check::<Tsm, _>(&Raw(vec![1u8]), &mismatch("a sequence"));
    check::<Tsm, _>(&Raw("x".to_owned()), &mismatch("text"));
    check::<Tsm, _>(&Raw(1u8), &mismatch("a number"));
    check::<Tsm, _>(&Raw(1.5f64), &mismatch("a number"));
    check::<Tsm, _>(&Raw(true), &mismatch("a bool"));
    check::<Tsm, _>(&Raw('x'), &mismatch("a char"));
    check::<Tsm, _>(&Raw(()), &mismatch("a unit"));
    check::<Tsm, _>(&Raw(plain::Unit), &mismatch("a unit"));
    check::<Tsm, _>(&Raw(BTreeMap::from([(1u8, 2u8)])), &mismatch("a map"));
    check::<Tsm, _>(&Raw(plain::Point { x: 1, y: 2 }), &mismatch("a struct"));
    check::<Tsm, _>(&Raw(plain::Pair(1, 2)), &mismatch("a struct"));
    check::<Tsm, _>(&Raw(plain::Event::Quit), &mismatch("an enum"));
    check::<Tsm, _>(&raw::Point { x: 1, y: 2 }, &mismatch("a struct"));
    check::<Tsm, _>(&raw::Pair(1, 2), &mismatch("a tuple struct"));
    check::<Tsm, _>(&raw::Unit, &mismatch("a unit struct"));
    check::<Tsm, _>(&raw::Event::Key(1), &mismatch("an enum"));
    check::<Tsm, _>(
        &Raw(ByteBuf::from([1, 2])),
        "the mark `raw` is on a type that does not state how many bytes to read: use an array such as `[u8; 32]`, or `fourfold::tsm::with::RawLen(len)` in a `Deserialize` implementation, or remove the mark",
    );
    check::<Tsm, _>(
        &Raw(Any(json!(1))),
        "the mark `any` does not fit a value with another mark: remove one of the two marks",
    );
    check::<Tsm, _>(
        &rw::Newtype(1u8),
        "container name `rw.Name` is not the mark `raw.`, but nearly: use `#[serde(rename = \"raw.Name\")]`, or another name",
    );
}

#[test]
fn text_fits_bytes_and_named_fits_enums() {
    check::<Primitiv, _>(&Text(ByteBuf::from([1, 255])), "");
    check::<Primitiv, _>(&Text(Some(ByteBuf::from([1, 255]))), "");
    check::<Primitiv, _>(&Text("x".to_owned()), "");
    check::<Primitiv, _>(&Text('x'), "");
    check::<Primitiv, _>(&text::Newtype(ByteBuf::from([1])), "");
    check::<Primitiv, _>(&Named(plain::Event::Key(1)), "");
    check::<Primitiv, _>(&Named(Some(plain::Event::Quit)), "");
    check::<Primitiv, _>(&named::Event::Quit, "");
    check::<Primitiv, _>(&Adjacent::Text("x".into()), "");
    check::<Primitiv, _>(&Named(named::Event::Quit), "");
    let text = |what: &str| format!("the mark `text` fits bytes, not {what}: remove the mark");
    check::<Primitiv, _>(&Text(vec![1u8]), &text("a sequence"));
    check::<Primitiv, _>(&Text([1u8, 2]), &text("a tuple or array"));
    check::<Primitiv, _>(&Text(1u8), &text("u8"));
    check::<Primitiv, _>(&Text(()), &text("a unit"));
    check::<Primitiv, _>(&Text(BTreeMap::from([(1u8, 2u8)])), &text("a map"));
    check::<Primitiv, _>(&Text(plain::Event::Quit), &text("an enum"));
    check::<Primitiv, _>(&text::Event::Quit, &text("an enum"));
    check::<Primitiv, _>(&text::Point { x: 1, y: 2 }, &text("a struct"));
    check::<Primitiv, _>(&text::Pair(1, 2), &text("a tuple struct"));
    check::<Primitiv, _>(&text::Unit, &text("a unit struct"));
    let named = |what: &str| format!("the mark `named` fits enums, not {what}: remove the mark");
    check::<Primitiv, _>(&Named("x".to_owned()), &named("text"));
    check::<Primitiv, _>(&Named(ByteBuf::from([1])), &named("bytes"));
    check::<Primitiv, _>(&Named(1u8), &named("u8"));
    check::<Primitiv, _>(&named::Point { x: 1, y: 2 }, &format!("x: {}", named("u8")));
    check::<Primitiv, _>(
        &Text(named::Newtype(1u8)),
        "the mark `named` does not fit a value with another mark: remove one of the two marks",
    );
    check::<Primitiv, _>(&Owned(Model::new()), "");
    check::<Primitiv, _>(&Text(Owned(Model::new())), &text("a document"));
}

#[test]
fn marks_of_biniou_fit_numbers_lists_and_options() {
    check::<Biniou, _>(&marks::Int8(1u8), "");
    check::<Biniou, _>(&marks::Int8(Some(vec![[1i64, 2]])), "");
    check::<Biniou, _>(&marks::Int8(plain::Newtype(plain::Pair(1, 2))), "");
    check::<Biniou, _>(&marks::Float32(vec![0.5f64]), "");
    check::<Biniou, _>(&marks::Char(vec!['x']), "");
    check::<Biniou, _>(&int8::Newtype(1u8), "");
    check::<Biniou, _>(&marks::Table(vec![plain::Newtype(plain::Point { x: 1, y: 2 })]), "");
    check::<Biniou, _>(
        &table::Newtype([plain::Point { x: 1, y: 2 }, plain::Point { x: 3, y: 4 }]),
        "",
    );
    check::<Biniou, _>(&marks::Shared(Rc::new("x".to_owned())), "");
    // Outside of a record, `optional` changes nothing.
    check::<Biniou, _>(&vec![marks::Optional(Some(1u8)), marks::Optional(None)], "");
    let int8 = |what: &str| {
        format!("the mark `int8` fits integers and lists of them, not {what}: remove the mark")
    };
    check::<Biniou, _>(&marks::Int8("x".to_owned()), &int8("text"));
    check::<Biniou, _>(&marks::Int8(true), &int8("a bool"));
    check::<Biniou, _>(&marks::Int8(vec![Some(1.5f32)]), &format!("[]: {}", int8("a float")));
    check::<Biniou, _>(&marks::Int8(BTreeMap::from([(1u8, 2u8)])), &int8("a map"));
    check::<Biniou, _>(&marks::Int8(plain::Point { x: 1, y: 2 }), &int8("a struct"));
    check::<Biniou, _>(&marks::Int8(plain::Event::Quit), &int8("an enum"));
    check::<Biniou, _>(&marks::Int8(plain::Unit), &int8("a unit"));
    check::<Biniou, _>(&marks::Int8(ByteBuf::from([1])), &int8("bytes"));
    check::<Biniou, _>(&int8::Point { x: 1, y: 2 }, &int8("a struct"));
    check::<Biniou, _>(&int8::Pair(1, 2), &int8("a tuple struct"));
    check::<Biniou, _>(&int8::Unit, &int8("a unit struct"));
    check::<Biniou, _>(&int8::Event::Key(1), &int8("an enum"));
    let table =
        |what: &str| format!("the mark `table` fits lists of records, not {what}: remove the mark");
    let rows = |what: &str| format!("[]: {}", table(what));
    check::<Biniou, _>(&marks::Table(vec![1u8]), &rows("a sequence of integers"));
    check::<Biniou, _>(
        &marks::Table(vec![Some(plain::Point { x: 1, y: 2 })]),
        &rows("a sequence of options"),
    );
    check::<Biniou, _>(&marks::Table(vec![plain::Event::Quit]), &rows("a sequence of enums"));
    check::<Biniou, _>(
        &marks::Table(vec![plain::Pair(1, 2)]),
        &rows("a sequence of tuple structs"),
    );
    check::<Biniou, _>(&marks::Table(vec![table::Newtype(vec![1u8])]), &rows("a row of a table"));
    check::<Biniou, _>(&marks::Table("x".to_owned()), &table("text"));
    check::<Biniou, _>(
        &marks::Table(marks::Int8(vec![1u8])),
        "the mark `int8` does not fit a value with another mark: remove one of the two marks",
    );
    check::<Biniou, _>(&marks::Int8(Any(json!(1))), &int8("a value that is marked `any`"));
    let optional = "the mark `optional` fits options in records, not an integer: remove the mark";
    check::<Biniou, _>(&marks::Optional(1u8), optional);
}

/// biniou writes only the hash of a name.
#[test]
fn names_with_the_same_hash_are_reported() {
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
    check::<Biniou, _>(&Wrong::Record { azdwbie: 1, c7diagq: 2 }, &format!("Record: {same}"));
    check::<Biniou, _>(&[Variants::Azdwbie, Variants::C7diagq], &format!("[]: {same}"));
}

/// `check` reports each place that calls `deserialize_any`, except where it is marked `any`.
#[test]
fn types_that_need_a_self_describing_format_have_to_be_marked() {
    let untyped = |format: &str, path: &str| {
        format!("{path}calls `deserialize_any`, and {format} is not self-describing: mark it `any`")
    };
    let value = Tagged { id: 1, inner: json!([1, "x"]), rest: vec![json!({ "a": null })] };
    let lines =
        |format: &str| format!("{}\n{}", untyped(format, "inner: "), untyped(format, "rest[]: "));
    check::<Tsm, _>(&value, &lines("tsm"));
    check::<Primitiv, _>(&value, &lines("primitiv"));
    let marked = Tagged { id: 1, inner: Any(json!([1])), rest: vec![Any(json!("x"))] };
    check::<Tsm, _>(&marked, "");
    check::<Primitiv, _>(&marked, "");

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Field {
        #[serde(with = "primitiv_with::any")]
        any: serde_json::Value,
        map: BTreeMap<String, Option<[serde_json::Value; 2]>>,
    }
    let map = BTreeMap::from([("k".to_owned(), Some([json!(1), json!(2)]))]);
    let value = Field { any: json!([1]), map };
    check::<Primitiv, _>(&value, &untyped("primitiv", "map[][]: "));
    check::<Tsm, _>(&value, &untyped("tsm", "map[][]: "));

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    enum Deep {
        Tuple(u8, serde_json::Value),
        Struct { value: serde_json::Value },
        Newtype(serde_json::Value),
        Again(Option<Box<Deep>>),
    }
    let value = Deep::Again(Some(Box::new(Deep::Newtype(json!(1)))));
    let paths = ["Tuple.1: ", "Struct.value: ", "Newtype: "];
    check::<Tsm, _>(&value, &paths.map(|path| untyped("tsm", path)).join("\n"));

    // A tag and a content, but not an adjacently tagged enum.
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
    check::<Tsm, _>(&value, &untyped("tsm", "value: "));
    check::<Primitiv, _>(&value, &untyped("primitiv", "value: "));
}

/// Each field has its own mismatch, also if another field has the same type.
#[test]
fn each_field_of_the_same_type_is_reported() {
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

    fn paths_of_mismatches<F: Checks>() -> Vec<String> {
        let mismatches = F::check::<Fields>().into_result().unwrap_err();
        mismatches.iter().map(|mismatch| mismatch.path().to_owned()).collect()
    }
    let expected = ["a", "b", "c.0", "d.0", "f.One", "f.Other", "g.inner", "g.rest[]"];
    assert_eq!(paths_of_mismatches::<Biniou>(), expected);
    assert_eq!(paths_of_mismatches::<Tsm>(), expected);
    assert_eq!(paths_of_mismatches::<Primitiv>(), expected);
}

/// Tracing needs a value that the type accepts.
#[test]
fn a_type_that_refuses_all_values_is_reported() {
    #[derive(Debug, PartialEq)]
    struct Never;

    impl<'de> Deserialize<'de> for Never {
        fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
            Err(de::Error::custom("never"))
        }
    }

    #[derive(Deserialize)]
    #[allow(dead_code, reason = "only its type is checked")]
    struct Holder {
        before: u8,
        never: Option<Never>,
        after: Option<(u8, u8)>,
    }
    let found = fourfold_schema::tsm::check::<Holder>().into_result().unwrap_err();
    assert_eq!(
        found.to_string(),
        "never: cannot be seen: no value of the type was accepted on the way"
    );
}
