//! The text of every refusal, and its hint applied.

use std::collections::BTreeMap;
use std::rc::Rc;

use fourfold::biniou::{
    ChunkReader, ChunkWriter, Dictionary, Options, Value, from_slice, to_vec, with,
};
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use serde_json::json;

use crate::support::format::Biniou;
use crate::support::hints::common;
use crate::support::hints::places::{Alone, Plain, Point, Untagged, self_describing_in_each_place};
use crate::support::hints::{Refusals, attribute, wrapper};

/// A hint to mark a value.
fn marked(module: &str, wrapper: &str, field: &str) -> String {
    format!(
        "use `#[serde(with = \"fourfold::biniou::with::{module}\")]` on {field}, or \
         `fourfold::biniou::with::{wrapper}(value)` where there is no field"
    )
}

fn any(field: &str) -> String {
    marked("any", "Any", field)
}

/// The field of a type that needs a self-describing format.
const UNTYPED: &str = "the field of that type (on the field that holds the struct with `flatten`)";

fn names() -> String {
    let any = any(UNTYPED);
    format!(
        "{any}; or pass names with `Options::names`, as `Dictionary::of_value(&value)` returns them"
    )
}

/// The options that a hint about names suggests.
fn with_names<T: Serialize>(value: &T) -> Options {
    Options::new().names(Dictionary::of_value(value).unwrap())
}

#[test]
fn types_that_need_a_self_describing_format() {
    let pairs = any(UNTYPED) + "; or a type that is a list or a map, such as `Vec<(K, V)>`";
    let text = |place: &str| match place.split_once(':').unwrap() {
        ("pairs", place) => format!("a list of pairs could be a map{place}; {pairs}"),
        (hash, place) => format!("unknown field name (hash #{hash}){place}; {}", names()),
    };
    self_describing_in_each_place! {
        Biniou, "fourfold::biniou::with::any", fourfold::biniou::with::Any, text,
        [
            "00000061: at byte 2", "00000061: in value at byte 8", "00000061: at byte 4",
            "00000061: in value at byte 10", "00000061: in [0] at byte 4",
            "00000061: in value[0] at byte 10", "00000061: in [0].value at byte 8",
            "00000061: in value[0].value at byte 14", "00000061: in [1] at byte 6",
            "00000061: in [0] at byte 4", "00000061: in 1 at byte 6", "00000061: at byte 7",
            "00000061: in 1 at byte 11", "00000061: in value at byte 13",
            "00000061: in value.inner[0] at byte 22", "4709e154: at byte 2",
            "4709e154: in value at byte 8", "4709e154: in value[0] at byte 10", "pairs: at byte 1",
            "pairs: in value at byte 7",
        ]
    }

    let mut rows = Refusals::<Biniou>::new();
    let fix = "`Options::names`";
    let record = Untagged::Record { a: 7 };
    let bytes = to_vec(&record).unwrap();
    rows.back(&record, &text("00000061: at byte 2")).by(
        fix,
        with_names(&record).from_slice(&bytes).unwrap(),
        record.clone(),
    );
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    enum Kind {
        Plain,
        Laden(u8),
    }
    let bytes = to_vec(&Kind::Laden(1)).unwrap();
    rows.read::<serde_json::Value>(
        &bytes,
        &format!("unknown variant name (hash #02de0258) at byte 1; {}", names()),
    )
    .by(fix, with_names(&Kind::Laden(1)).from_slice(&bytes).unwrap(), json!({ "Laden": 1 }));
    let _ = Kind::Plain;
    assert_eq!(rows.rows(), 2);
}

/// Values that a struct with `flatten` cannot contain.
#[test]
fn values_in_flattened_types() {
    #[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
    struct Inner<T> {
        inner: T,
    }

    let mut rows = Refusals::<Biniou>::new();
    let hint = any("the field that holds the struct with `flatten`");
    fn flat<T>(inner: T) -> Alone<Inner<T>> {
        Alone { rest: Inner { inner } }
    }
    let bytes = || flat(ByteBuf::from(b"ab"));
    rows.written(
        &bytes(),
        &format!("bytes in a flattened type could come back as text in [0].value; {hint}"),
    )
    .passes(wrapper!(fourfold::biniou::with::Any, bytes()));
    rows.written(
        &Plain { value: bytes() },
        &format!("bytes in a flattened type could come back as text in value[0].value; {hint}"),
    )
    .passes(
        attribute!(#[serde(with = "fourfold::biniou::with::any")] Alone<Inner<ByteBuf>> = bytes()),
    );
    let map = || flat(BTreeMap::from([(1_u8, 2_u8)]));
    rows.written(&Plain { value: map() }, &format!("a map in a flattened type would come back as a list in value[0].value; {hint}"))
        .passes(attribute!(#[serde(with = "fourfold::biniou::with::any")] Alone<Inner<BTreeMap<u8, u8>>> = map()));
    let pairs = || flat(vec![(1_u8, 2_u8)]);
    rows.written(&Plain { value: pairs() }, &format!("a list of pairs in a flattened type could be a map in value[0].value; {hint}"))
        .passes(attribute!(#[serde(with = "fourfold::biniou::with::any")] Alone<Inner<Vec<(u8, u8)>>> = pairs()));
    let part = || flat(with::Any(7_u8));
    rows.written(&Plain { value: part() }, &format!("a value marked `any` in a flattened type is text when it comes back in value[0].value; {hint}"))
        .passes(attribute!(#[serde(with = "fourfold::biniou::with::any")] Alone<Inner<with::Any<u8>>> = part()));
    rows.written(
        &flat(7_u128),
        "flattened types cannot hold 128-bit integers in [0].value; use `u64` or `i64`",
    )
    .passes(("`u64`", flat(7_u64)));
    rows.written(&flat(with::Char('a')), "a char marked `char` in a flattened type would come back as a number in [0].value; remove the mark")
        .passes(("remove the mark", flat('a')));

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Unflattened<T> {
        value: Value,
        #[serde(skip)]
        rest: Option<T>,
    }
    let value = || Value::String(b"text".to_vec());
    rows.written(&flat(value()), "a lazy value or `Value` in a flattened type cannot be read again in [0].value; move it out of the struct with `flatten`")
        .passes(("move it out", Unflattened::<u8> { value: value(), rest: None }));
    rows.back(
        &Alone { rest: Inner { inner: Point { x: 1 } } },
        &format!("unknown field name (hash #00000078) in [0].value at byte 13; {}", names()),
    )
    .passes(wrapper!(fourfold::biniou::with::Any, flat(Point { x: 1 })));
    assert_eq!(rows.rows(), 9);
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Named {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        first: Option<u8>,
        second: u8,
    },
}

#[test]
fn names_of_adjacently_tagged_enums() {
    let mut rows = Refusals::<Biniou>::new();
    let value = || Adjacent::Named { first: None, second: 2 };
    let named = Options::new().names(Dictionary::from_words("first\nsecond").unwrap());
    let reason = "a field of an adjacently tagged enum is left out, and needs its name";
    let text = format!("{reason} in c.first; {}", names());
    rows.written(&value(), &text).passes(wrapper!(fourfold::biniou::with::Any, value())).by(
        "`Options::names`",
        named.from_slice(&named.to_vec(&value()).unwrap()).unwrap(),
        value(),
    );
    rows.written(&Plain { value: value() }, &text.replace("in c", "in value.c")).passes(
        attribute!(
            #[serde(with = "fourfold::biniou::with::any")]
            Adjacent = value()
        ),
    );

    #[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[serde(rename = "_ExtStruct")]
    struct Extension((i8, ByteBuf));
    let extension = || Extension((5, ByteBuf::from(b"ab")));
    let text = format!("an extension type of MessagePack has no form of its own; {}", any(UNTYPED));
    rows.written(&extension(), &text).passes(wrapper!(fourfold::biniou::with::Any, extension()));
    rows.written(&Plain { value: extension() }, &text.replacen(';', " in value;", 1)).passes(
        attribute!(
            #[serde(with = "fourfold::biniou::with::any")]
            Extension = extension()
        ),
    );
    assert_eq!(rows.rows(), 4);
}

#[test]
fn numbers_that_a_mark_cannot_hold() {
    let mut rows = Refusals::<Biniou>::new();
    let field = "the field of the number";
    let wider = |mark: &str, value: &str, module, wrapper| {
        format!(
            "{mark} cannot hold {value} exactly; {}, or remove the mark",
            marked(module, wrapper, field)
        )
    };
    let fix = "remove the mark";
    rows.written(&with::Int8(300), &wider("int8", "300", "int16", "Int16"))
        .passes(wrapper!(fourfold::biniou::with::Int16, 300))
        .passes((fix, 300));
    rows.written(&with::Int8(-1), &wider("int8", "-1", "int32", "Int32"))
        .passes(wrapper!(fourfold::biniou::with::Int32, -1))
        .passes((fix, -1));
    rows.written(&with::Int16(-1), &wider("int16", "-1", "int32", "Int32")).passes(attribute!(
        #[serde(with = "fourfold::biniou::with::int32")]
        i32 = -1
    ));
    rows.written(&with::Int32(1_u64 << 40), &wider("int32", "1099511627776", "int64", "Int64"))
        .passes(wrapper!(fourfold::biniou::with::Int64, 1_u64 << 40))
        .passes(attribute!(
            #[serde(with = "fourfold::biniou::with::int64")]
            u64 = 1 << 40
        ));
    rows.written(
        &with::Int64(u64::MAX),
        "int64 cannot hold 18446744073709551615 exactly; remove the mark",
    )
    .passes((fix, u64::MAX));
    rows.written(&with::Uvint(-1), &wider("uvint", "-1", "svint", "Svint"))
        .passes(wrapper!(fourfold::biniou::with::Svint, -1))
        .passes(attribute!(
            #[serde(with = "fourfold::biniou::with::svint")]
            i32 = -1
        ));
    rows.written(
        &with::Svint(u128::MAX),
        "svint cannot hold 340282366920938463463374607431768211455 exactly; remove the mark",
    )
    .passes((fix, u128::MAX));
    rows.written(&with::Float32(0.1), "float32 cannot hold 0.1 exactly; remove the mark")
        .passes((fix, 0.1));
    rows.written(&with::Char('€'), "char cannot hold '€' exactly; remove the mark")
        .passes((fix, '€'));
    rows.written(
        &Plain { value: vec![with::Int8(-1)] },
        &wider("int8", "-1", "int32", "Int32").replacen(';', " in value[0];", 1),
    )
    .passes(attribute!(#[serde(with = "fourfold::biniou::with::int32")] Vec<i32> = vec![-1]));
    assert_eq!(rows.rows(), 10);
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Row {
    x: i32,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    gone: Option<u8>,
}

fn row(gone: Option<u8>) -> Row {
    Row { x: 1, gone }
}

#[test]
fn marks_and_tables() {
    let mut rows = Refusals::<Biniou>::new();
    let fix = "remove the mark";
    let mismatch = |mark: &str, fits: &str, found: &str| {
        format!("the mark `{mark}` fits {fits}, not {found}; remove the mark")
    };
    let integers = "integers and lists of them";
    rows.written(&with::Int8("text".to_owned()), &mismatch("int8", integers, "text"))
        .passes((fix, "text".to_owned()));
    rows.written(
        &with::Float32(1_u8),
        &mismatch("float32", "floats and lists of them", "an integer"),
    )
    .passes((fix, 1_u8));
    rows.written(&with::Char(1_u8), &mismatch("char", "chars and lists of them", "an integer"))
        .passes((fix, 1_u8));
    rows.written(&with::Table(vec![1_u8]), "the mark `table` fits lists of records, not a sequence of integers in [0]; remove the mark").passes((fix, vec![1_u8]));
    rows.written(&with::Optional(1_u8), &mismatch("optional", "options in records", "an integer"))
        .passes((fix, 1_u8));
    rows.written(
        &with::Int8(with::Int16(7_u8)),
        "the mark `int16` does not fit a value with another mark; remove one of the two marks",
    )
    .passes(("remove one of the two marks", with::Int16(7_u8)));
    rows.written(
        &with::Int8(with::Any(7_u8)),
        "the mark `any` does not fit a value with another mark; remove one of the two marks",
    )
    .passes(("remove one of the two marks", with::Any(7_u8)));
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(rename = "int9.Level")]
    struct Misspelt(u8);
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(rename = "int8.Level")]
    struct Spelt(u8);
    rows.written(&Misspelt(1), "container name `int9.Level` is not the mark `int8.`, but nearly; use `#[serde(rename = \"int8.Level\")]`, or another name").passes(("#[serde(rename = \"int8.Level\")]", Spelt(1)));

    // Rows that differ.
    let differs = |what: &str, path: &str| {
        format!("row 1 of a table differs from the first: {what}{path}; remove the mark `table`")
    };
    #[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[serde(untagged)]
    enum Loose {
        Number(u8),
        Text(String),
    }
    let loose =
        || [Loose::Number(1), Loose::Text("t".to_owned())].map(|value| Plain { value }).to_vec();
    rows.written(&with::Table(loose()), &differs("another tag", " in [1].value"))
        .passes((fix, loose()));
    let skipping = || vec![row(Some(1)), row(None)];
    #[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
    struct OptionalRow {
        x: i32,
        #[serde(default, with = "fourfold::biniou::with::optional")]
        gone: Option<u8>,
    }
    let optional = vec![OptionalRow { x: 1, gone: Some(1) }, OptionalRow { x: 1, gone: None }];
    #[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
    struct KeptRow {
        x: i32,
        gone: Option<u8>,
    }
    let kept = vec![KeptRow { x: 1, gone: Some(1) }, KeptRow { x: 1, gone: None }];
    rows.written(&with::Table(skipping()), "row 1 of a table differs from the first: a field is skipped in [1].gone; remove `skip_serializing_if`, or use `#[serde(default, with = \"fourfold::biniou::with::optional\")]` in its place")
        .passes(("#[serde(default, with = \"fourfold::biniou::with::optional\")]", with::Table(optional)))
        .passes(("remove `skip_serializing_if`", with::Table(kept)));
    #[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
    struct Empty {}
    let many = || vec![Empty {}; 5000];
    rows.written(
        &with::Table(many()),
        "5000 rows without columns are more than a reader accepts; remove the mark `table`",
    )
    .passes((fix, many()));
    rows.written(&Plain { value: with::Table(many()) }, "5000 rows without columns are more than a reader accepts in value; remove the mark `table`").passes((fix, Plain { value: many() }));
    assert_eq!(rows.rows(), 12);
}

#[test]
fn names_of_one_hash() {
    #[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
    struct Fields {
        azdwbie: u8,
        c7diagq: u8,
    }
    #[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
    struct RenamedFields {
        azdwbie: u8,
        #[serde(rename = "c7diagq_")]
        c7diagq: u8,
    }
    #[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[allow(non_camel_case_types, reason = "these names collide")]
    enum Twins {
        azdwbie,
        c7diagq,
    }
    #[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[allow(non_camel_case_types, reason = "these names collide")]
    enum RenamedTwins {
        azdwbie,
        #[serde(rename = "c7diagq_")]
        c7diagq,
    }
    let mut rows = Refusals::<Biniou>::new();
    let fix = "#[serde(rename = \"c7diagq_\")]";
    let text = |path: &str| {
        format!(
            "`azdwbie` and `c7diagq` have the same hash, #6c312372{path}; use `{fix}` on `c7diagq`"
        )
    };
    rows.written(&Fields { azdwbie: 1, c7diagq: 2 }, &text(" in c7diagq"))
        .passes((fix, RenamedFields { azdwbie: 1, c7diagq: 2 }));
    rows.written(&Plain { value: vec![Twins::azdwbie, Twins::c7diagq] }, &text(" in value[1]"))
        .passes((fix, Plain { value: vec![RenamedTwins::azdwbie, RenamedTwins::c7diagq] }));
    rows.read::<Twins>(&to_vec(&RenamedTwins::azdwbie).unwrap(), &text(" at byte 0"))
        .passes((fix, RenamedTwins::azdwbie));
    assert_eq!(rows.rows(), 3);
}

/// Bytes of other writers that are read with a mark, or as another type.
#[test]
fn tags_of_other_writers() {
    let mut rows = Refusals::<Biniou>::new();
    let number = "the field of the number";
    let integers = "uvint, svint, int8 or int16";
    let int32 = to_vec(&with::Int32(7)).unwrap();
    rows.read::<i32>(
        &int32,
        &format!(
            "found int32, expected {integers} at byte 0; {}",
            marked("int32", "Int32", number)
        ),
    )
    .reads(&int32, wrapper!(fourfold::biniou::with::Int32, 7));
    let int64 = to_vec(&Plain { value: with::Int64(7) }).unwrap();
    rows.read::<Plain<i64>>(
        &int64,
        &format!(
            "found int64, expected {integers} in value at byte 6; {}",
            marked("int64", "Int64", number)
        ),
    )
    .reads(
        &int64,
        attribute!(
            #[serde(with = "fourfold::biniou::with::int64")]
            i64 = 7
        ),
    );
    let float32 = to_vec(&Plain { value: 0.5_f32 }).unwrap();
    rows.read::<Plain<f64>>(
        &float32,
        &format!(
            "found float32, expected float64 in value at byte 6; {}",
            marked("float32", "Float32", number)
        ),
    )
    .reads(
        &float32,
        attribute!(
            #[serde(with = "fourfold::biniou::with::float32")]
            f64 = 0.5
        ),
    );
    let float64 = to_vec(&0.1_f64).unwrap();
    rows.read::<f32>(
        &float64,
        "found float64, expected float32 at byte 0; use `f64`, without the mark `float32`",
    )
    .reads(&float64, ("use `f64`", 0.1_f64));
    rows.read::<with::Float32<f64>>(
        &float64,
        "found float64, expected float32 at byte 0; use `f64`, without the mark `float32`",
    )
    .reads(&float64, ("without the mark", 0.1_f64));
    rows.read::<with::Int32<i32>>(
        &to_vec(&7).unwrap(),
        "found svint, expected int32 at byte 0; remove the mark",
    )
    .reads(&to_vec(&7).unwrap(), ("remove the mark", 7));
    let int64 = to_vec(&with::Int64(7)).unwrap();
    rows.read::<with::Int64<i64>>(
        &int32,
        &format!("found int32, expected int64 at byte 0; {}", marked("int32", "Int32", number)),
    )
    .reads(&int32, wrapper!(fourfold::biniou::with::Int32, 7));
    rows.read::<with::Int32<i32>>(
        &int64,
        &format!("found int64, expected int32 at byte 0; {}", marked("int64", "Int64", number)),
    )
    .reads(&int64, wrapper!(fourfold::biniou::with::Int64, 7));
    let char = to_vec(&Plain { value: with::Char('a') }).unwrap();
    rows.read::<Plain<char>>(
        &char,
        &format!(
            "found int8, expected string in value at byte 6; for a `char`, {}",
            marked("char", "Char", "the field of the char")
        ),
    )
    .reads(
        &char,
        attribute!(
            #[serde(with = "fourfold::biniou::with::char")]
            char = 'a'
        ),
    );
    let table = to_vec(&with::Table(vec![Point { x: 1 }, Point { x: 2 }])).unwrap();
    rows.read::<[Point; 2]>(
        &table,
        &format!(
            "found table, expected tuple at byte 0; {}",
            marked("table", "Table", "the field of the array")
        ),
    )
    .reads(&table, wrapper!(fourfold::biniou::with::Table, [Point { x: 1 }, Point { x: 2 }]));
    let some = to_vec(&Plain { value: Some(7) }).unwrap();
    rows.read::<Plain<i32>>(
        &some,
        &format!("found num_variant, expected {integers} in value at byte 6; use `Option<T>`"),
    )
    .reads(&some, ("`Option<T>`", Plain { value: Some(7) }));
    let bare = to_vec(&Plain { value: 7 }).unwrap();
    rows.read::<Plain<Option<i32>>>(&bare, "found svint, expected num_variant in value at byte 6; use `#[serde(default, with = \"fourfold::biniou::with::optional\")]` on a field that is left out for `None`")
        .reads(&bare, attribute!(#[serde(default, with = "fourfold::biniou::with::optional")] Option<i32> = Some(7)));

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Short(i32, i32);
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Defaulted(i32, #[serde(default)] i32);
    let one = to_vec(&(7,)).unwrap();
    rows.read::<Short>(
        &one,
        "tuple has 1 cell, the type has more at byte 2; use `#[serde(default)]` on the last fields",
    )
    .reads(&one, ("#[serde(default)]", Defaulted(7, 0)));

    let numbers = to_vec(&vec![200, 3]).unwrap();
    let hint = marked("int8", "Int8", "the field of the bytes")
        + "; or `#[serde(with = \"serde_bytes\")]`";
    let text = format!("a list of numbers cannot be borrowed as bytes at byte 0; {hint}");
    let marked = to_vec(&with::Int8([200_u8, 3].as_slice())).unwrap();
    let bytes: &[u8] = &[200, 3];
    let string = to_vec(&serde_bytes::Bytes::new(bytes)).unwrap();
    let (fix, of_marked) = wrapper!(fourfold::biniou::with::Int8, bytes);
    rows.result(from_slice::<&[u8]>(&numbers), &text)
        .by(fix, from_slice::<with::Int8<&[u8]>>(&marked).unwrap(), of_marked)
        .by("`#[serde(with = \"serde_bytes\")]`", from_slice::<&[u8]>(&string).unwrap(), bytes);

    let mut stream = ChunkWriter::new(Vec::new());
    stream.write_chunk(b"ab").unwrap();
    let stream = stream.finish().unwrap();
    rows.read::<Vec<i32>>(&stream, "these bytes are a stream of 1 chunk and not one value at byte 0; read it with `fourfold::biniou::ChunkReader`")
        .by("`fourfold::biniou::ChunkReader`", ChunkReader::new(&*stream).map(Result::unwrap).collect::<Vec<_>>(), vec![b"ab".to_vec()]);
    assert_eq!(rows.rows(), 15);
}

#[test]
fn shared_values() {
    let mut rows = Refusals::<Biniou>::new();
    let value = "read it as `fourfold::biniou::Value`, which stores each shared value once";
    let cycle = [26, 0, 20, 2, 17, 2, 26, 6];
    rows.read::<Vec<i8>>(
        &cycle,
        &format!("shared value is part of itself in [1] at byte 7; {value}"),
    )
    .by(
        "`fourfold::biniou::Value`",
        to_vec(&from_slice::<Value>(&cycle).unwrap()).unwrap(),
        cycle.to_vec(),
    );

    let one = Rc::new(vec![u64::MAX; 100]);
    let shared: Vec<_> = (0..5000).map(|_| with::Shared(one.clone())).collect();
    let text = "references to shared values expand to more than 737152 bytes; remove the mark `shared`: each value is then written in full";
    rows.written(&shared, text).passes(("remove the mark `shared`", vec![one; 5000]));
    assert_eq!(rows.rows(), 2);
}

/// Errors of a `Serialize` implementation written by hand.
#[test]
fn serialize_by_hand() {
    common::serialize_by_hand::<Biniou>();
}

#[test]
fn limits() {
    common::limits::<Biniou>(5);
}

/// Values with the mark `any` that MessagePack cannot represent.
#[test]
fn values_marked_any() {
    let mut rows = Refusals::<Biniou>::new();
    let text = "`Some` of nothing is nil in messagepack, as `None` is; use a tuple in the option, `Some((value,))`";
    rows.written(&with::Any(Some(None::<u8>)), text)
        .passes(("`Some((value,))`", with::Any(Some((None::<u8>,)))));
    assert_eq!(rows.rows(), 1);
}
