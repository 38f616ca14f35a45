//! `at` reads one value of a message by its path: the same value and the same errors as reading the whole message.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::rc::Rc;

use fourfold::biniou::with::{Shared, Table};
use fourfold::biniou::{
    Dictionary, ErrorKind, File, Framing, Options, Path, Segment, Value, at, from_slice, hash,
    to_vec, with,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::support::alloc;
use crate::support::fixture::Fixtures;
use crate::support::random::{self, Dice};

const FIXTURES: Fixtures = Fixtures("biniou");

fn path(text: &str) -> Path {
    Path::new(text).unwrap()
}

#[track_caller]
fn assert_at<T: DeserializeOwned + PartialEq + Debug>(bytes: &[u8], text: &str, expected: &T) {
    let found = at::<T>(bytes, &path(text)).map_err(|error| error.to_string());
    assert_eq!(found.as_ref(), Ok(expected), "{text}");
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Row {
    id: u32,
    name: String,
    weight: f64,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Pair(u64, String);

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
enum Shape {
    Empty,
    Line { name: String, to: (i32, f64) },
    Text(Pair),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Deep {
    id: i64,
    rows: Vec<Row>,
    #[serde(with = "with::table")]
    table: Vec<Row>,
    pairs: Vec<Pair>,
    hint: Option<Pair>,
    #[serde(with = "with::optional", default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    shape: Shape,
    shapes: Vec<Shape>,
    map: BTreeMap<String, u32>,
    floats: Vec<f64>,
    inner: Option<Box<Deep>>,
}

/// Checks each nested value by its path.
fn check_deep(bytes: &[u8], value: &Deep, front: &str) {
    macro_rules! check {
        ($(($($text:tt)*) $part:expr;)*) => {{
            $(assert_at(bytes, &format!("{front}{}", format_args!($($text)*)), $part);)*
        }};
    }
    let Deep { id, rows, table, pairs, hint, shape, shapes, map, floats, inner, note } = value;
    check! {
        ("id") id;
        ("rows") rows;
        ("pairs") pairs;
        ("hint") hint;
        ("shape") shape;
        ("shapes") shapes;
        ("map") map;
        ("floats") floats;
        ("inner") inner;
        ("#{:08x}", hash("id")) id;
    }
    match note {
        Some(note) => check! { ("note") note; },
        None => check! { ("note") &None::<String>; },
    }
    for (list, rows) in [("rows", rows), ("table", table)] {
        for (i, row) in rows.iter().enumerate() {
            check! {
                ("{list}[{i}]") row;
                ("{list}[{i}].id") &row.id;
                ("{list}[{i}].name") &row.name;
                ("{list}[{i}].weight") &row.weight;
                ("{list}[{i}].more") &None::<u8>;
            }
        }
    }
    for (i, pair) in pairs.iter().enumerate() {
        check! { ("pairs[{i}]") pair; ("pairs[{i}].0") &pair.0; ("pairs[{i}][1]") &pair.1; }
    }
    for (i, (key, value)) in map.iter().enumerate() {
        check! { ("map[{i}].key") key; ("map[{i}].value") value; }
    }
    for (i, float) in floats.iter().enumerate() {
        check! { ("floats[{i}]") float; }
    }
    let shapes = shapes.iter().enumerate().map(|(i, shape)| (format!("shapes[{i}]"), shape));
    for (place, shape) in [("shape".to_owned(), shape)].into_iter().chain(shapes) {
        match shape {
            Shape::Line { name, to } => check! {
                ("{place}.name") name; ("{place}.to") to; ("{place}.to[1]") &to.1;
            },
            Shape::Text(Pair(number, text)) => check! {
                ("{place}.0") number; ("{place}.1") text;
            },
            Shape::Empty => {
                let error = at::<u8>(bytes, &path(&format!("{front}{place}.name"))).unwrap_err();
                assert!(matches!(error.kind(), ErrorKind::AbsentValue), "{error}");
                assert_eq!(error.path().to_string(), format!("{front}{place}"));
            }
        }
    }
    match hint {
        Some(hint) => check! { ("hint.1") &hint.1; },
        None => {
            let error = at::<String>(bytes, &path(&format!("{front}hint.1"))).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::AbsentValue), "{error}");
        }
    }
    if let Some(inner) = inner {
        check_deep(bytes, inner, &format!("{front}inner."));
    }
}

#[test]
fn at_reads_every_nested_value_of_random_values() {
    let mut dice = Dice::of("parts of biniou by paths");
    for depth in 0..60 {
        let mut value: Deep = random::value(&mut dice);
        for _ in 0..depth % 4 {
            value = Deep { inner: Some(Box::new(value)), ..random::value(&mut dice) };
        }
        check_deep(&to_vec(&value).unwrap(), &value, "");
    }
}

/// Calls `each` with the path and value of each nested value of a tree.
fn each_part(value: &Value, path: &mut Vec<Segment>, each: &mut dyn FnMut(&[Segment], &Value)) {
    each(path, value);
    let mut part = |segment: Segment, part: &Value| {
        path.push(segment);
        each_part(part, path, each);
        path.pop();
    };
    match value {
        Value::Array(items) | Value::Tuple(items) => {
            for (index, item) in items.iter().enumerate() {
                part(Segment::Index(index), item);
            }
        }
        Value::Record(fields) => {
            for (index, (hash, field)) in fields.iter().enumerate() {
                // If a field is repeated, the last one counts.
                if fields[index + 1..].iter().any(|(other, _)| other == hash) {
                    continue;
                }
                part(Segment::Field(format!("#{hash:08x}").into()), field);
            }
        }
        Value::NumVariant(_, Some(inner)) | Value::Variant(_, Some(inner)) => {
            each_part(inner, path, each);
        }
        Value::Table(table) => {
            for (index, row) in table.rows.iter().enumerate() {
                for ((hash, _), cell) in table.columns.iter().zip(row) {
                    let mut path = path.clone();
                    path.push(Segment::Index(index));
                    path.push(Segment::Field(format!("#{hash:08x}").into()));
                    each_part(cell, &mut path, each);
                }
            }
        }
        _ => {}
    }
}

#[test]
fn at_reads_every_nested_value_of_files() {
    let mut parts = 0;
    for folder in ["typed", "data", "tree"] {
        for name in FIXTURES.names(folder, "biniou") {
            let bytes = FIXTURES.bytes(&format!("{folder}/{name}.biniou"));
            let file = File::from_slice(&bytes);
            let Ok(whole) = from_slice::<Value>(&bytes) else { continue };
            if file.framing() == Framing::Chunks || format!("{whole:?}").contains("Shared") {
                continue;
            }
            each_part(&whole, &mut Vec::new(), &mut |segments, value| {
                let path: Path = segments.iter().cloned().collect();
                let inner = match value {
                    // A variant adds no step to a path.
                    Value::NumVariant(_, Some(_)) | Value::Variant(_, Some(_)) => None,
                    value => Some(value),
                };
                let Ok(found) = at::<Value>(&bytes, &path) else { panic!("{name}: {path}") };
                parts += 1;
                // For a variant, the path leads to its argument.
                assert!(
                    inner.is_none_or(|inner| *inner == found || holds(&found, inner)),
                    "{name}: {path}: {found:?}, {value:?}"
                );
            });
        }
    }
    assert!(parts > 500, "{parts}");
}

/// Whether `outer` is `inner` within variants.
fn holds(outer: &Value, inner: &Value) -> bool {
    match outer {
        Value::NumVariant(_, Some(value)) | Value::Variant(_, Some(value)) => {
            **value == *inner || holds(value, inner)
        }
        _ => false,
    }
}

#[test]
fn shared_values_are_those_of_the_whole_message() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Both {
        first: Shared<Rc<Vec<String>>>,
        second: Vec<Shared<Rc<Vec<String>>>>,
    }
    let list = Rc::new(vec!["a".to_owned(), "bc".to_owned()]);
    let other = Rc::new(vec!["d".to_owned()]);
    let second = vec![Shared(other.clone()), Shared(list.clone()), Shared(other)];
    let bytes = to_vec(&Both { first: Shared(list), second }).unwrap();
    // References to a value before the selected one, and into it.
    assert_at(&bytes, "first[1]", &"bc".to_owned());
    assert_at(&bytes, "second[0][0]", &"d".to_owned());
    assert_at(&bytes, "second[1][1]", &"bc".to_owned());
    assert_at(&bytes, "second[2][0]", &"d".to_owned());
    let texts = |all: &[&str]| all.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    assert_at(&bytes, "second[1]", &texts(&["a", "bc"]));
    assert_at(&bytes, "second", &vec![texts(&["d"]), texts(&["a", "bc"]), texts(&["d"])]);

    // TUPLE of a reference to nothing; SHARED TUPLE of itself.
    for (bytes, text) in [
        (
            &[20, 1, 26, 1, 16, 0][..],
            "reference 1 byte back leads to no shared value in [0] at byte 3",
        ),
        (
            &[26, 0, 20, 2, 26, 4, 16, 0],
            "shared value is part of itself in [0] at byte 5; read it as `fourfold::biniou::Value`, which stores each shared value once",
        ),
    ] {
        let path = path("[0][1]");
        assert_eq!(at::<u8>(bytes, &path).unwrap_err().to_string(), text);
    }
}

#[test]
fn of_equal_fields_the_last_counts() {
    // RECORD of `x` = 1, `y` = 2, `x` = 3, each a uvint.
    let mut bytes = vec![21, 3];
    for (name, number) in [("x", 1), ("y", 2), ("x", 3)] {
        bytes.extend((hash(name) | 1 << 31).to_be_bytes());
        bytes.extend([16, number]);
    }
    assert_at(&bytes, "x", &3u8);
    assert_at(&bytes, "y", &2u8);
    assert_at(&bytes, "z", &None::<u8>);
    let error = at::<u8>(&bytes, &path("z")).unwrap_err();
    assert_eq!(error.to_string(), "field `z` is missing at byte 1");
    // So the record is read to its end, but nothing after it.
    let cut = at::<u8>(&bytes[..bytes.len() - 1], &path("y")).unwrap_err();
    assert!(cut.is_eof(), "{cut}");
    bytes.extend([0xff; 3]);
    assert_at(&bytes, "y", &2u8);
}

#[test]
fn errors_are_those_of_the_whole_message() {
    let value = Deep {
        id: 7,
        rows: vec![Row { id: 1, name: "one".into(), weight: 1.5 }; 2],
        table: vec![Row { id: 2, name: "two".into(), weight: 2.5 }; 2],
        pairs: vec![Pair(1, "a".into()), Pair(2, "b".into())],
        hint: Some(Pair(3, "c".into())),
        note: Some("note".into()),
        shape: Shape::Line { name: "line".into(), to: (1, 2.0) },
        shapes: vec![Shape::Empty, Shape::Text(Pair(4, "d".into()))],
        map: BTreeMap::from([("k".into(), 5)]),
        floats: vec![1.0, 2.0],
        inner: None,
    };
    let good = to_vec(&value).unwrap();
    type Read = fn(&[u8], &Path) -> Option<(Option<usize>, String)>;
    fn read<T: DeserializeOwned>(bytes: &[u8], path: &Path) -> Option<(Option<usize>, String)> {
        at::<T>(bytes, path).err().map(|error| (error.offset(), error.to_string()))
    }
    let readers: &[(&str, Read)] = &[
        ("id", read::<i64>),
        ("rows[1].name", read::<String>),
        ("rows[1]", read::<Row>),
        ("table[1].weight", read::<f64>),
        ("table[0]", read::<Row>),
        ("pairs[1].1", read::<String>),
        ("hint.0", read::<u64>),
        ("note", read::<String>),
        ("shape.to[1]", read::<f64>),
        ("shapes[1].1", read::<String>),
        ("map[0].value", read::<u32>),
        ("floats[1]", read::<f64>),
    ];
    let (mut same, mut placed, mut other) = (0, 0, 0);
    for place in 0..good.len() {
        for change in [1, 2, 0x80, 0xff] {
            let mut bad = good.clone();
            bad[place] ^= change;
            let whole = from_slice::<Deep>(&bad).err();
            for (text, reader) in readers {
                let Some((offset, text_of_error)) = reader(&bad, &path(text)) else { continue };
                let Some(whole) = whole.as_ref() else {
                    // When the whole message is read, an option may be missing.
                    assert!(
                        text_of_error.contains("is missing"),
                        "{place} {change}: {text_of_error}"
                    );
                    continue;
                };
                // In skipped values, errors have an offset but no path.
                let kind = whole.kind().to_string();
                match whole.offset() == offset && text_of_error.starts_with(&kind) {
                    true if whole.to_string() == text_of_error => same += 1,
                    true => placed += 1,
                    false => other += 1,
                }
            }
        }
    }
    assert!(same > 500 && placed > 1000 && same + placed > other, "{same}, {placed}, {other}");
    for len in 0..good.len() {
        for (text, reader) in readers {
            assert!(reader(&good[..len], &path(text)).is_some(), "{text} {len}");
        }
    }
}

#[test]
fn errors_on_the_path_have_their_place() {
    let list = to_vec(&(7u8, vec!["a", "b"])).unwrap();
    let chunk = [1, 0, 0, 0, 0, 0, 0, 0, 2, 16, 7, 0];
    let cases: &[(&[u8], &str, &str)] = &[
        (&list, "[1][2]", "item 2 does not exist: there are 2, counted from 0 in [1] at byte 5"),
        (
            &list,
            "[2]",
            "tuple has 2 cells, the type has more at byte 1; use `#[serde(default)]` on the last fields",
        ),
        (&list, "name", "found tuple, expected record at byte 0"),
        (&list, "[0].x", "found uvint, expected record in [0] at byte 2"),
        (&list, "[1].0", "found array, expected tuple in [1] at byte 4"),
        (&list[..7], "[1][0]", "length 2 needs 2 bytes or more, 1 left in [1] at byte 5"),
        (&[20, 1, 5, 0], "[0]", "unknown tag 5 in [0] at byte 2"),
        (&[24, 0], "[0]", "found unit, expected array, tuple or table at byte 0"),
        (
            &[22, 0],
            "[0]",
            "there is no value in this option or variant, and the path leads into it at byte 0",
        ),
        (&[], "[0]", "input ends early: 1 byte needed, 0 left at byte 0"),
        (
            &chunk,
            "[0]",
            "these bytes are a stream of 1 chunk and not one value at byte 0; read it with `fourfold::biniou::ChunkReader`",
        ),
    ];
    for (bytes, text, expected) in cases {
        assert_eq!(at::<u8>(bytes, &path(text)).unwrap_err().to_string(), *expected, "{text}");
    }
    // 200 tuples of one cell around each other.
    let deep = [20, 1].repeat(200);
    let error = at::<u8>(&deep, &path(&"[0]".repeat(200))).unwrap_err();
    assert_eq!(error.offset(), Some(257));
    assert_eq!(error.kind().to_string(), "nested deeper than 128 levels");
}

/// Items of an array and cells of a table begin after the common tag.
#[test]
fn refused_values_have_the_offset_of_their_start() {
    let list = to_vec(&vec![300u32, 301]).unwrap();
    let table = to_vec(&Table(vec![Row { id: 300, name: "x".into(), weight: 0.5 }])).unwrap();
    let tuple = to_vec(&(300u32, "x")).unwrap();
    #[derive(Deserialize, Debug)]
    #[allow(dead_code, reason = "refused")]
    struct Narrow {
        id: u8,
    }
    let cases = [
        (&list, "[0]", from_slice::<Vec<u8>>(&list).unwrap_err()),
        (&table, "[0].id", from_slice::<Vec<Narrow>>(&table).unwrap_err()),
        (&tuple, "[0]", from_slice::<(u8, String)>(&tuple).unwrap_err()),
    ];
    for (bytes, text, whole) in cases {
        let error = at::<u8>(bytes, &path(text)).unwrap_err();
        assert_eq!((error.offset(), error.to_string()), (whole.offset(), whole.to_string()));
    }
}

/// The tag of items and cells is stored once, before the first one.
#[test]
fn an_error_of_a_shared_tag_has_the_offset_of_the_tag() {
    #[derive(Deserialize, Debug)]
    #[allow(dead_code, reason = "refused")]
    struct Number {
        y: u8,
    }
    let list = [19, 3, 18, 0, 1, 65, 1, 66];
    let table = [25, 1, 2, 0x80, 0, 0, 0x78, 1, 0x80, 0, 0, 0x79, 18, 7, 1, 65];
    let whole = from_slice::<Vec<Number>>(&table).unwrap_err();
    assert_eq!((whole.offset(), whole.path().to_string()), (Some(12), "[0].y".to_owned()));
    let cases: &[(&[u8], &str, usize)] =
        &[(&list, "[0]", 2), (&list, "[2]", 2), (&list, "[2].x", 2), (&table, "[0].y", 12)];
    for (bytes, text, offset) in cases {
        let error = at::<u8>(bytes, &path(text)).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::WrongTag { .. }), "{text}: {error}");
        assert_eq!(error.offset(), Some(*offset), "{text}");
    }
}

#[test]
fn a_hash_is_eight_digits() {
    let record = [21, 1, 0x80, 0, 0, 0x78, 16, 7];
    assert_at(&record, "#00000078", &7u8);
    for text in ["#+0000078", "#0000078", "#000000078", "#0000007g", "00000078x"] {
        let error = at::<u8>(&record, &path(text)).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::MissingField { .. }), "{text}: {error}");
    }
}

/// Items of a fixed width before the selected one are not read.
#[test]
fn items_of_a_fixed_width_are_skipped_at_once() {
    let bools = [19, 3, 0, 7, 8, 1];
    assert_at(&bools, "[2]", &true);
    assert_eq!(from_slice::<Vec<bool>>(&bools).unwrap_err().offset(), Some(3));
    // Each cell of a tuple has a tag.
    assert_eq!(at::<bool>(&[20, 2, 0, 7, 0, 1], &path("[1]")).unwrap_err().offset(), Some(3));
}

#[test]
fn marks_and_names_apply_to_nested_values() {
    let names = Options::new().names(Dictionary::from_words("id\nname\nweight").unwrap());
    let rows = Table(vec![Row { id: 1, name: "x".into(), weight: 0.5 }]);
    let bytes = to_vec(&(rows,)).unwrap();
    let row: serde_json::Value = names.at(&bytes, &path("[0][0]")).unwrap();
    assert_eq!(row, serde_json::json!({"id": 1, "name": "x", "weight": 0.5}));
    assert!(at::<u8>(&bytes, &path("[0][0]")).is_err());
}

#[test]
fn at_allocates_nothing() {
    let rows: Vec<Row> = (0..100).map(|id| Row { id, name: "name".into(), weight: 0.5 }).collect();
    let bytes = to_vec(&(7u8, rows.clone(), Table(rows))).unwrap();
    // A table's columns are kept.
    for (text, kept) in [("[1][99].id", 0), ("[2][99].id", 3)] {
        let path = path(text);
        assert_eq!(at::<u32>(&bytes, &path).unwrap(), 99);
        let memory = alloc::measure(|| at::<u32>(&bytes, &path).unwrap());
        assert!(memory.count <= kept, "{text}: {memory:?}");
    }
    let name = path("[1][50].name");
    let memory = alloc::measure(|| at::<&str>(&bytes, &name).unwrap());
    assert_eq!(memory.count, 0, "{memory:?}");
}
