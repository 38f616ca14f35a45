//! `at` reads one field of a message by its path: the same value and the same errors as `from_slice`.

use std::collections::BTreeMap;

use fourfold::molecule::{ErrorKind, Options, Path, at, from_slice, to_vec, with};
use fourfold_schema::mol::{self, Schema, path_of};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::alloc;
use crate::ckb::types::{Block, Byte32, Bytes, CellInput, OutPoint, RawHeader, Script};
use crate::fixture::Fixtures;
use crate::random::{self, Dice};

const FIXTURES: Fixtures = Fixtures("molecule");

fn path(text: &str) -> Path {
    Path::new(text).unwrap()
}

#[track_caller]
fn assert_at<T: DeserializeOwned + PartialEq + std::fmt::Debug>(
    bytes: &[u8],
    path: &Path,
    expected: &T,
) {
    assert_eq!(at::<T>(bytes, path).as_ref().map_err(ToString::to_string), Ok(expected), "{path}");
}

#[test]
fn fields_of_a_block_are_equal_to_those_of_the_whole_block() {
    let bytes = FIXTURES.bytes("blocks/block-40.bin");
    let block: Block = from_slice(&bytes).unwrap();
    let types = Schema::from_file(FIXTURES.path("schemas/blockchain.mol")).unwrap();
    let check = |text: &str, numbers: &str| {
        let named = [path_of::<Block>(text).unwrap(), types.path("Block", text).unwrap()];
        assert_eq!((&named[0], &named[0].to_string()), (&named[1], &text.to_owned()));
        (named, path(numbers))
    };
    for (i, transaction) in block.transactions.iter().enumerate() {
        let (named, numbers) =
            check(&format!("transactions[{i}].raw.version"), &format!("2[{i}].0.0"));
        for path in named.iter().chain([&numbers]) {
            assert_at(&bytes, path, &transaction.raw.version);
        }
        let (named, numbers) = check(&format!("transactions[{i}].raw"), &format!("2[{i}].0"));
        for path in named.iter().chain([&numbers]) {
            assert_at(&bytes, path, &transaction.raw);
        }
        for (j, output) in transaction.raw.outputs.iter().enumerate() {
            let text = format!("transactions[{i}].raw.outputs[{j}]");
            let (named, numbers) = check(&format!("{text}.lock"), &format!("2[{i}].0.4[{j}].1"));
            for path in named.iter().chain([&numbers]) {
                assert_at(&bytes, path, &output.lock);
            }
            // An option adds no step to the path.
            let (named, _) = check(&format!("{text}.type_"), "");
            let (hash, _) = check(&format!("{text}.type_.code_hash"), "");
            for (whole, hash) in named.iter().zip(&hash) {
                assert_at::<Option<Script>>(&bytes, whole, &output.type_);
                match &output.type_ {
                    Some(script) => assert_at::<Byte32>(&bytes, hash, &script.code_hash),
                    None => {
                        let error = at::<Byte32>(&bytes, hash).unwrap_err();
                        assert!(matches!(error.kind(), ErrorKind::AbsentValue), "{error}");
                        assert_eq!(error.path(), whole);
                    }
                }
            }
        }
        for (j, input) in transaction.raw.inputs.iter().enumerate() {
            let text = format!("transactions[{i}].raw.inputs[{j}]");
            let (named, numbers) = check(&text, &format!("2[{i}].0.3[{j}]"));
            for path in named.iter().chain([&numbers]) {
                assert_at::<CellInput>(&bytes, path, input);
            }
            // A path of numbers cannot lead into a struct, whose bytes do not show its fields.
            for path in check(&format!("{text}.previous_output"), "").0 {
                assert_at::<OutPoint>(&bytes, &path, &input.previous_output);
            }
            for path in check(&format!("{text}.previous_output.index"), "").0 {
                assert_at(&bytes, &path, &input.previous_output.index);
            }
        }
        for (j, witness) in transaction.witnesses.iter().enumerate() {
            let (named, numbers) =
                check(&format!("transactions[{i}].witnesses[{j}]"), &format!("2[{i}].1[{j}]"));
            for path in named.iter().chain([&numbers]) {
                assert_at::<Bytes>(&bytes, path, witness);
            }
        }
    }
    for path in check("header.raw", "").0 {
        assert_at::<RawHeader>(&bytes, &path, &block.header.raw);
    }
    for path in check("header.raw.parent_hash", "").0 {
        assert_at::<Byte32>(&bytes, &path, &block.header.raw.parent_hash);
    }
    assert_at(&bytes, &Path::default(), &block);
}

/// Calls `each` with the path and the bytes of each nested value.
fn each_part<'a>(value: mol::Value<'a>, path: &str, each: &mut dyn FnMut(&str, &'a [u8])) {
    use mol::Parts;

    each(path, value.bytes());
    match value.parts() {
        Parts::List(list) => list
            .iter()
            .enumerate()
            .for_each(|(index, item)| each_part(item, &format!("{path}[{index}]"), each)),
        Parts::Record(record) => record.iter().for_each(|(field, part)| {
            let dot = if path.is_empty() { "" } else { "." };
            each_part(part, &format!("{path}{dot}{}", field.name()), each);
        }),
        Parts::Option(Some(inner)) => each_part(inner, path, each),
        Parts::Union(_, inner) => each_part(inner, path, each),
        _ => {}
    }
}

#[test]
fn every_path_leads_to_its_bytes() {
    let mut seen = 0;
    for (file, schema, ty) in [
        ("blocks/block-40.bin", "blockchain.mol", "Block"),
        ("blocks/blockv1-12.bin", "blockchain.mol", "BlockV1"),
    ] {
        let bytes = FIXTURES.bytes(file);
        let types = Schema::from_file(FIXTURES.path(&format!("schemas/{schema}"))).unwrap();
        let whole = types.to_value(&bytes, ty).unwrap();
        each_part(whole, "", &mut |text, expected| {
            let value = types.value_at(&bytes, ty, &path(text)).unwrap();
            // Of an option, what is in it is at the same place.
            assert_eq!(value.bytes().as_ptr(), expected.as_ptr(), "{text}");
            assert!(value.bytes() == expected, "{text}");
            seen += 1;
        });
    }
    assert!(seen > 2000, "{seen}");
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "struct.Point")]
struct Point {
    x: u16,
    y: [i8; 3],
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Name(u64, String);

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "union.Shape.Empty-3.Line-5.Text-8")]
enum Shape {
    Empty,
    Line { name: String, from: Point, to: Point },
    Text(Name),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Deep {
    id: u32,
    point: Point,
    points: Vec<Point>,
    names: Vec<Name>,
    hint: Option<Name>,
    shape: Shape,
    shapes: Vec<Shape>,
    map: BTreeMap<u8, String>,
    pair: (u8, String),
    packed: (u8, u32),
    inner: Option<Box<Deep>>,
}

/// Checks each nested value by its path.
fn check_deep(bytes: &[u8], value: &Deep, front: &str) {
    macro_rules! check {
        ($(($($text:tt)*) $part:expr;)*) => {{$(
            let text = format!("{front}{}", format_args!($($text)*));
            assert_at(bytes, &path_of::<Deep>(&text).unwrap(), $part);
        )*}};
    }
    let Deep { id, point, points, names, hint, shape, shapes, map, pair, packed, inner } = value;
    check! {
        ("id") id;
        ("point") point;
        ("point.x") &point.x;
        ("point.y") &point.y;
        ("point.y[2]") &point.y[2];
        ("points") points;
        ("names") names;
        ("hint") hint;
        ("shape") shape;
        ("map") map;
        ("pair[0]") &pair.0;
        ("pair[1]") &pair.1;
        ("packed[1]") &packed.1;
        ("inner") inner;
        ("0") id;
    }
    for (i, point) in points.iter().enumerate() {
        check! { ("points[{i}]") point; ("points[{i}].y[1]") &point.y[1]; }
    }
    for (i, name) in names.iter().enumerate() {
        check! { ("names[{i}]") name; ("names[{i}].0") &name.0; ("names[{i}].1") &name.1; }
    }
    for (i, (key, value)) in map.iter().enumerate() {
        check! { ("map[{i}].key") key; ("map[{i}].value") value; }
    }
    let shapes = shapes.iter().enumerate().map(|(i, shape)| (format!("shapes[{i}]"), shape));
    for (name_of, shape) in [("shape".to_owned(), shape)].into_iter().chain(shapes) {
        match shape {
            Shape::Line { name, from, to } => check! {
                ("{name_of}.name") name; ("{name_of}.from") from; ("{name_of}.to.x") &to.x; ("{name_of}.1.x") &from.x;
            },
            Shape::Text(Name(number, text)) => {
                check! { ("{name_of}.0") number; ("{name_of}.1") text; }
            }
            Shape::Empty => {
                let text = format!("{front}{name_of}.name");
                let error = at::<String>(bytes, &path_of::<Deep>(&text).unwrap()).unwrap_err();
                assert!(matches!(error.kind(), ErrorKind::OtherItem { id: 3 }), "{error}");
                assert_eq!(error.path().to_string(), format!("{front}{name_of}"));
            }
        }
    }
    match (hint, inner) {
        (Some(hint), _) => check! { ("hint.1") &hint.1; },
        (None, _) => {
            let path = path_of::<Deep>(&format!("{front}hint.1")).unwrap();
            let error = at::<String>(bytes, &path).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::AbsentValue), "{error}");
        }
    }
    if let Some(inner) = inner {
        check_deep(bytes, inner, &format!("{front}inner."));
    }
}

#[test]
fn at_reads_every_field_of_random_values() {
    let mut dice = Dice::of("parts by paths");
    for depth in 0..60 {
        let mut value: Deep = random::value(&mut dice);
        for _ in 0..depth % 4 {
            value = Deep { inner: Some(Box::new(value)), ..random::value(&mut dice) };
        }
        check_deep(&to_vec(&value).unwrap(), &value, "");
    }
}

#[test]
fn errors_along_the_path_are_those_of_reading_the_whole_message() {
    let value = Deep {
        id: 7,
        point: Point { x: 1, y: [2, 3, 4] },
        points: vec![Point { x: 5, y: [6, 7, 8] }; 3],
        names: vec![Name(9, "nine".into()), Name(10, "ten".into())],
        hint: Some(Name(11, "eleven".into())),
        shape: Shape::Line {
            name: "line".into(),
            from: Point { x: 1, y: [0; 3] },
            to: Point { x: 2, y: [0; 3] },
        },
        shapes: vec![Shape::Text(Name(1, "one".into())), Shape::Empty],
        map: BTreeMap::from([(1, "one".into()), (2, "two".into())]),
        pair: (3, "three".into()),
        packed: (4, 5),
        inner: None,
    };
    let good = to_vec(&value).unwrap();
    macro_rules! readers {
        ($($text:literal $type:ty,)*) => {
            [$((path_of::<Deep>($text).unwrap(), read::<$type> as Read),)*]
        };
    }
    type Read = fn(&[u8], &Path) -> Option<(Option<usize>, String)>;
    fn read<T: DeserializeOwned>(bytes: &[u8], path: &Path) -> Option<(Option<usize>, String)> {
        at::<T>(bytes, path).err().map(|error| (error.offset(), error.to_string()))
    }
    let readers: Vec<(Path, Read)> = readers![
        "id" u32, "point.y" [i8; 3], "points[1]" Point, "points[2].x" u16, "names[0].0" u64,
        "names[0].1" String, "names[1]" Name, "hint.1" String, "shape.name" String, "shape" Shape,
        "shapes[0].1" String, "shapes[1]" Shape, "map[0].key" u8, "map[1].value" String,
        "pair[1]" String, "packed" (u8, u32),
    ]
    .into();
    let (mut same, mut other) = (0, 0);
    for at in 0..good.len() {
        for change in [1, 4, 0x80, 0xff] {
            let mut bad = good.clone();
            bad[at] ^= change;
            let whole = from_slice::<Deep>(&bad).err();
            for (path, read) in &readers {
                let Some((offset, text)) = read(&bad, path) else { continue };
                // An error in a field is also an error of the message, where another error may be reported first.
                let whole = whole.as_ref().unwrap_or_else(|| panic!("{at} {change}: {text}"));
                match whole.offset() == offset && whole.to_string() == text {
                    true => same += 1,
                    false => other += 1,
                }
            }
        }
    }
    for len in 0..good.len() {
        let whole = from_slice::<Deep>(&good[..len]).unwrap_err();
        for (path, read) in &readers {
            let (offset, text) = read(&good[..len], path).unwrap();
            assert_eq!((whole.offset(), whole.to_string()), (offset, text), "{path} {len}");
        }
    }
    assert!(same > 1000 && same > 4 * other, "{same} and {other}");
}

#[test]
fn tables_of_another_version_along_the_path_are_refused() {
    #[derive(Deserialize, Debug)]
    #[allow(dead_code)]
    struct Two {
        id: u32,
        name: String,
    }
    #[derive(Deserialize, Debug)]
    #[allow(dead_code)]
    struct Outer {
        items: Vec<Two>,
    }
    let name = path_of::<Outer>("items[0].name").unwrap();
    let newer = to_vec(&(vec![(1u32, "one", "more")],)).unwrap();
    let error = at::<String>(&newer, &name).unwrap_err();
    assert_eq!(error.to_string(), from_slice::<Outer>(&newer).unwrap_err().to_string());
    assert!(matches!(error.kind(), ErrorKind::ExtraFields { found: 3, expected: 2 }), "{error}");
    assert_eq!(Options::new().compatible(true).at::<String>(&newer, &name).unwrap(), "one");
    // A path of numbers does not state the number of fields.
    assert_eq!(at::<String>(&newer, &path("0[0].1")).unwrap(), "one");

    let older = to_vec(&(vec![with::Table((1u32,))],)).unwrap();
    for options in [Options::new(), Options::new().compatible(true)] {
        let error = options.at::<u32>(&older, &path_of::<Outer>("items[0].id").unwrap());
        let error = error.unwrap_err();
        let whole = options.from_slice::<Outer>(&older).unwrap_err();
        assert_eq!(error.to_string(), whole.to_string());
        assert!(matches!(error.kind(), ErrorKind::MissingFields { found: 1 }), "{error}");
    }
}

#[test]
fn absent_values_are_reported() {
    #[derive(Serialize, Deserialize, Debug)]
    struct Maybe {
        inner: Option<Name>,
        number: Option<u32>,
    }
    let bytes = to_vec(&Maybe { inner: None, number: None }).unwrap();
    let inner = path_of::<Maybe>("inner").unwrap();
    assert_eq!(at::<Option<Name>>(&bytes, &inner).unwrap(), None);
    let text = "field is absent, it takes zero bytes";
    let error = at::<Name>(&bytes, &inner).unwrap_err();
    assert_eq!(error.without_hint().to_string(), format!("{text} in inner at byte 12"));
    let error = at::<u32>(&bytes, &path("1")).unwrap_err();
    assert_eq!(error.without_hint().to_string(), format!("{text} in 1 at byte 12"));
    for text in ["inner.0", "inner.1"] {
        let error = at::<u64>(&bytes, &path_of::<Maybe>(text).unwrap()).unwrap_err();
        let expected =
            "the path leads into an absent value, which takes zero bytes in inner at byte 12";
        assert_eq!(error.to_string(), expected);
    }
    let error = at::<u64>(&bytes, &path("0[1]")).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::AbsentValue), "{error}");
}

#[test]
fn paths_lead_into_the_item_that_a_union_has() {
    // A variant that contains its own enum, and an unknown id.
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    enum Chain {
        More(Box<Chain>),
        End { last: u16 },
    }
    let path = path_of::<Chain>("last").unwrap();
    let mut chain = Chain::End { last: 7 };
    for _ in 0..20 {
        assert_eq!(at::<u16>(&to_vec(&chain).unwrap(), &path).unwrap(), 7);
        chain = Chain::More(Box::new(chain));
    }
    let mut bytes = to_vec(&chain).unwrap();
    bytes[4] = 9;
    let error = at::<u16>(&bytes, &path).unwrap_err();
    assert_eq!(error.to_string(), "unknown union id 9 at byte 4");
    let schema = Schema::parse(
        "table A { x: byte, } table B { y: byte, x: byte, } struct C { z: byte, }
         union U { A, B, C, } table T { u: U, }",
    )
    .unwrap();
    let path = schema.path("T", "u.x").unwrap();
    for (id, item, found) in [(0u8, &[9, 0, 0, 0, 8, 0, 0, 0, 1][..], Ok(1u8)), (2, &[5], Err(2))] {
        let mut bytes =
            vec![12 + u8::try_from(item.len()).unwrap(), 0, 0, 0, 8, 0, 0, 0, id, 0, 0, 0];
        bytes.extend(item);
        match (at::<u8>(&bytes, &path), found) {
            (Ok(value), Ok(expected)) => assert_eq!(value, expected),
            (Err(error), Err(id)) => assert_eq!(
                error.to_string(),
                format!(
                    "the union has the item of id {id}, and the path leads into another one in u at byte 8"
                )
            ),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn paths_that_lead_nowhere_are_refused() {
    let cases = [
        (
            "what",
            "`Deep` has no `what`, but id, point, points, names, hint, shape, shapes, map, pair, packed, inner",
            0,
        ),
        ("point.z", "`Point` has no `z`, but x, y", 5),
        ("point.y[3]", "an array has no `[3]`", 7),
        ("points.x", "a fixvec has no `x`", 6),
        ("id.x", "`u32` has no `x`", 2),
        ("shape.other", "a table has no `other`, but name, from, to", 5),
        (
            "inner.inner.inner.what",
            "`Deep` has no `what`, but id, point, points, names, hint, shape, shapes, map, pair, packed, inner",
            17,
        ),
        ("a..b", "a name or number is missing", 2),
    ];
    for (text, reason, offset) in cases {
        let error = path_of::<Deep>(text).unwrap_err();
        assert_eq!(error.to_string(), format!("{reason} at byte {offset} of the path"), "{text}");
    }
    let schema = Schema::parse("struct P { x: byte, }").unwrap();
    assert_eq!(
        schema.path("Q", "x").unwrap_err().to_string(),
        "the schema has no type `Q` (there is only `P`)"
    );
    let error = schema.value_at(&[1], "P", &path("y")).unwrap_err();
    assert_eq!(error.to_string(), "`P` has no `y`, but x at byte 0");
}

#[test]
fn long_paths_take_no_stack() {
    let text = "inner.".repeat(50_000) + "id";
    let path = path_of::<Deep>(&text).unwrap();
    assert!(at::<u32>(&[], &path).is_err());
}

#[test]
fn trailing_bytes_are_allowed_by_an_option() {
    let trailing = Options::new().allow_trailing(true);
    let points = with::FixVec(vec![Point { x: 1, y: [2; 3] }; 2]);
    let mut bytes = to_vec(&points).unwrap();
    bytes.extend([0xff; 9]);
    let path = path_of::<with::FixVec<Vec<Point>>>("[1].x").unwrap();
    assert_eq!(trailing.at::<u16>(&bytes, &path).unwrap(), 1);
    let error = trailing.at::<Point>(&bytes, &Path::new("[1]").unwrap()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Endless { .. }), "{error}");
}

#[test]
fn at_allocates_nothing() {
    let bytes = FIXTURES.bytes("blocks/block-40.bin");
    let named = path_of::<Block>("transactions[39].raw.version").unwrap();
    let input = path_of::<Block>("transactions[1].raw.inputs[0].previous_output").unwrap();
    for path in [&named, &path("2[39].0.0")] {
        assert_eq!(alloc::measure(|| at::<u32>(&bytes, path).unwrap()).count, 0);
    }
    assert_eq!(alloc::measure(|| at::<OutPoint>(&bytes, &input).unwrap()).count, 0);
}
