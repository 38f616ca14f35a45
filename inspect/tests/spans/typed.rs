//! Spans of Molecule with a schema, for good and damaged values.

use std::collections::BTreeMap;

use fourfold::molecule::{Error, Path};
use fourfold_inspect::spans::molecule::explain_typed;
use fourfold_inspect::spans::{Span, all};
use fourfold_schema::mol::{Schema, Type, Values};

use crate::check::{assert_covered, assert_verdict, lines};
use crate::fixture::{Fixtures, unhex};
use crate::random::{Dice, transplant};

const FIXTURES: Fixtures = Fixtures("molecule");

const DAMAGES: usize = if cfg!(debug_assertions) { 4_000 } else { 400_000 };

/// Bytes with the name of their type, such as `lab.Event`.
type Typed = (String, Vec<u8>);

fn good() -> Vec<Typed> {
    let mut files = FIXTURES.names("values", "json");
    files.iter_mut().for_each(|name| *name = format!("values/{name}.json"));
    files.extend(["vectors.json".into(), "spec_examples.json".into()]);
    let mut all = Vec::new();
    for file in files {
        for case in FIXTURES.json::<Vec<serde_json::Value>>(&file) {
            let bytes = unhex(case["hex"].as_str().unwrap()).unwrap();
            all.push((case["type"].as_str().unwrap().to_owned(), bytes));
        }
    }
    all
}

fn bad() -> Vec<Typed> {
    let mut all = Vec::new();
    for file in FIXTURES.names("bad", "txt") {
        let text = FIXTURES.text(&format!("bad/{file}.txt"));
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let digits = line.split(' ').nth(3).unwrap();
            all.push((file.clone(), unhex(digits.trim_matches('-')).unwrap()));
        }
    }
    all
}

/// The schemas of the fixtures, by their names.
fn schemas() -> BTreeMap<String, Schema> {
    let read = |name: String| {
        let schema = Schema::from_file(FIXTURES.path(&format!("schemas/{name}.mol"))).unwrap();
        (name, schema)
    };
    FIXTURES.names("schemas", "mol").into_iter().map(read).collect()
}

/// The spans of the value at a path.
fn spans_at(schema: &Schema, bytes: &[u8], name: &str, path: &str) -> Vec<Span> {
    all(|each| explain_typed(schema, bytes, name, path, each).unwrap())
}

/// Asserts that the spans agree with the reader; returns its error.
fn judged(schemas: &BTreeMap<String, Schema>, ty: &str, bytes: &[u8]) -> Option<Error> {
    let (schema, name) = ty.split_once('.').unwrap();
    let schema = &schemas[schema];
    let spans = spans_at(schema, bytes, name, "");
    let mut values = schema.values_of(bytes, name).unwrap();
    let about =
        format!("{ty} {}", bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
    assert_covered(&about, bytes.len(), &spans);
    match values.are_records() {
        true => assert_verdicts(&about, &spans, values.clone()),
        false => {
            let error = values.clone().find_map(Result::err);
            assert_verdict(&about, &spans, error.as_ref());
        }
    }
    values.find_map(Result::err)
}

/// Checks the spans of each record against the reader.
fn assert_verdicts(about: &str, spans: &[Span], values: Values<'_>) {
    let number = |span: &Span| {
        let place = span.place.to_string();
        let (number, _) = place.strip_prefix('[').and_then(|it| it.split_once(']')).unwrap();
        number.parse::<usize>().unwrap()
    };
    let mut records = spans.chunk_by(|one, next| number(one) == number(next)).enumerate();
    for value in values {
        let (index, spans) = records.next().unwrap();
        assert_eq!(number(&spans[0]), index, "{about}");
        let first = spans.iter().find(|span| span.error.is_some());
        match (first, value.err()) {
            (None, None) => {}
            (Some(span), Some(error)) => {
                assert_eq!(Some(span.range.start), error.offset(), "{about}: {span:?}, {error}");
                let shown = span.error.as_ref().unwrap();
                assert!(shown.starts_with(&error.kind().to_string()), "{about}: {span:?}, {error}");
            }
            (span, error) => panic!("{about}: {span:?}, {error:?}"),
        }
    }
    assert!(records.next().is_none(), "{about}");
}

#[test]
fn good_values_are_explained_without_an_error() {
    let (schemas, values) = (schemas(), good());
    assert!(values.len() > 900);
    for (ty, bytes) in values {
        assert!(judged(&schemas, &ty, &bytes).is_none(), "{ty}");
    }
    for block in FIXTURES.names("blocks", "bin") {
        let bytes = FIXTURES.bytes(&format!("blocks/{block}.bin"));
        let of = if block.contains("v1") { "blockchain.BlockV1" } else { "blockchain.Block" };
        assert!(judged(&schemas, of, &bytes).is_none(), "{block}");
    }
}

#[test]
fn errors_are_where_the_reader_finds_them() {
    let (schemas, values) = (schemas(), bad());
    let mut count = 0;
    for (ty, bytes) in &values {
        count += usize::from(judged(&schemas, ty, bytes).is_some());
    }
    assert!(count > 3_000, "{count}");

    let mut values: Vec<Typed> = good().into_iter().filter(|(_, it)| it.len() < 4096).collect();
    values.extend(bad());
    let all: Vec<Vec<u8>> = values.iter().map(|(_, bytes)| bytes.clone()).collect();
    let mut dice = Dice::of("damage of values by schemas");
    let mut refused = 0;
    for _ in 0..DAMAGES {
        let (ty, mut bytes) = values[dice.below(values.len())].clone();
        for _ in 0..=dice.below(3) {
            let at = dice.below(bytes.len() + 1);
            match (dice.below(4), bytes.get_mut(at)) {
                (0, _) => bytes.truncate(at),
                (1, Some(byte)) => *byte = u8::try_from(dice.below(256)).unwrap(),
                (2, Some(byte)) => *byte = u8::try_from(4 * dice.below(12)).unwrap(),
                _ => transplant(&mut bytes, at, &all, &mut dice),
            }
        }
        refused += usize::from(judged(&schemas, &ty, &bytes).is_some());
    }
    assert!(refused > DAMAGES / 2, "{refused}");
}

#[test]
fn a_nested_value_has_the_spans_of_the_whole() {
    let schemas = schemas();
    let bytes = FIXTURES.bytes("blocks/block-40.bin");
    let whole = spans_at(&schemas["blockchain"], &bytes, "Block", "");
    for path in [
        "header.raw.parent_hash",
        "transactions[7]",
        "transactions[3].raw.inputs[0].previous_output",
        "proposals",
        "no.such",
    ] {
        let found = spans_at(&schemas["blockchain"], &bytes, "Block", path);
        let is_part = |span: &Span| {
            let place = span.place.to_string();
            let rest = place.strip_prefix(path);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        let expected: Vec<Span> = whole.iter().filter(|span| is_part(span)).cloned().collect();
        assert_eq!(found.is_empty(), path == "no.such", "{path}");
        assert_eq!(found, expected, "{path}");
    }
}

#[test]
fn unions_options_and_what_is_missing_have_their_names() {
    let schema = Schema::parse(
        "array Uint32 [byte; 4]; array Int16 [byte; 2]; struct Pair { a: Uint32, b: Int16, }
         vector Bytes <byte>; vector Pairs <Pair>; option Maybe (Bytes); vector List <Bytes>;
         union Either { Pair: 5, List, } table T { pairs: Pairs, maybe: Maybe, either: Either, }",
    )
    .unwrap();
    let shown = |hex: &str, ty: &str| {
        let bytes = unhex(&hex.replace(' ', "")).unwrap();
        let spans = spans_at(&schema, &bytes, ty, "");
        let error = schema.to_value(&bytes, ty).err();
        assert_covered(hex, bytes.len(), &spans);
        assert_verdict(hex, &spans, error.as_ref());
        lines(&spans)
    };
    let t = "24000000 10000000 1a000000 1a000000 01000000 07000000 feff 05000000 01000000 0200";
    assert_eq!(
        shown(t, "T"),
        [
            "0..4 : full size of T = 36",
            "4..8 : offset in T = 16: pairs",
            "8..12 : offset in T = 26: maybe, no bytes",
            "12..16 : offset in T = 26: either",
            "16..20 pairs: item count of Pairs = 1 item of 6 bytes",
            "20..24 pairs[0].a: Uint32 = 7",
            "24..26 pairs[0].b: Int16 = -2",
            "26..30 either: item id of Either = 5: Pair",
            "30..34 either.a: Uint32 = 1",
            "34..36 either.b: Int16 = 2",
        ]
    );
    // The item has another type than that of the id, and bytes are missing.
    assert_eq!(
        shown("07000000 01", "Either"),
        ["0..4 : item id of Either = 7 ! unknown union id 7", "4..5 : bytes = 01"]
    );
    assert_eq!(
        shown("05000000", "Either"),
        [
            "0..4 : item id of Either = 5: Pair",
            "4..4 : Pair ! field or item ends early: 6 bytes needed, 0 left"
        ]
    );
    assert_eq!(
        shown("02000000 01000000 0200 01", "Pairs"),
        [
            "0..4 : item count of Pairs = 2 items of 6 bytes",
            "4..8 [0].a: Uint32 = 1 ! field or item ends early: 12 bytes needed, 7 left",
            "8..10 [0].b: Int16 = 2",
            "10..11 [1].a: Uint32 = 01",
        ]
    );
    assert_eq!(
        explain_typed(&schema, b"", "No", "", &mut |_| panic!()).unwrap_err().to_string(),
        "the schema has no type `No` (there are `Uint32`, `Int16`, `Pair`, `Bytes`, `Pairs`, `Maybe`, `List`, `Either` and 1 more)"
    );
}

/// A value beyond the depth limit ends there, with the error of readers.
#[test]
fn depth_is_limited() {
    let mut text = "vector V0 <byte>;".to_owned();
    for level in 1..=140 {
        text += &format!(" vector V{level} <V{}>;", level - 1);
    }
    let schema = Schema::parse(&text).unwrap();
    let mut bytes = vec![0; 4];
    for _ in 1..=140 {
        let size = u32::try_from(bytes.len() + 8).unwrap().to_le_bytes();
        bytes = [&size[..], &[8, 0, 0, 0], &bytes].concat();
    }
    let spans = spans_at(&schema, &bytes, "V140", "");
    let error = schema.to_value(&bytes, "V140").unwrap_err();
    assert!(error.to_string().contains("deep"), "{error}");
    assert_covered("deep", bytes.len(), &spans);
    let wrong: Vec<&Span> = spans.iter().filter(|span| span.error.is_some()).collect();
    let [span] = wrong[..] else { panic!("{wrong:?}") };
    assert_eq!(Some(span.range.start), error.offset());
    assert_eq!(span.error, Some(error.kind().to_string()));
}

/// Each record has its own errors, independent of other records.
#[test]
fn each_record_has_its_own_errors() {
    let schemas = schemas();
    let mut by_type: BTreeMap<String, Vec<Vec<u8>>> = BTreeMap::new();
    for (ty, bytes) in good().into_iter().chain(bad()).filter(|(_, it)| it.len() < 4096) {
        let (schema, name) = ty.split_once('.').unwrap();
        if schemas[schema].get(name).is_some_and(Type::shows_size) {
            by_type.entry(ty).or_default().push(bytes);
        }
    }
    let mut dice = Dice::of("damage of records by schemas");
    let mut counts = [0; 2];
    for (ty, values) in by_type.iter().cycle().take(DAMAGES / 2) {
        let chosen = (0..2 + dice.below(4)).map(|_| &*values[dice.below(values.len())]);
        let bytes = chosen.collect::<Vec<_>>().concat();
        let (schema, name) = ty.split_once('.').unwrap();
        if schemas[schema].values_of(&bytes, name).unwrap().are_records() {
            counts[usize::from(judged(&schemas, ty, &bytes).is_some())] += 1;
        }
    }
    assert!(counts.iter().all(|count| *count > DAMAGES / 100), "{counts:?}");
}

#[test]
fn records_are_explained_one_by_one() {
    let schema =
        Schema::parse("vector Bytes <byte>; table Entry { id: byte, name: Bytes, }").unwrap();
    let record = |id: &str| format!("14000000 0c000000 0d000000 {id} 03000000 6f6e65");
    let shown = |records: &[&str], path: &str| {
        let bytes = unhex(&records.concat().replace(' ', "")).unwrap();
        lines(&spans_at(&schema, &bytes, "Entry", path))
    };
    let (one, two) = (record("07"), record("08"));
    // The name of the second record ends too early, and the last record is truncated.
    let early = two.replace("03000000", "09000000");
    let cut = "14000000 0c000000 0d000000 09 0300";
    let all = shown(&[&one, &early, &two, cut], "");
    assert_eq!(
        all[..13],
        [
            "0..4 [0]: full size of Entry = 20",
            "4..8 [0]: offset in Entry = 12: id",
            "8..12 [0]: offset in Entry = 13: name",
            "12..13 [0].id: byte = 7",
            "13..17 [0].name: item count of Bytes = 3 items of 1 byte",
            "17..20 [0].name: text = \"one\"",
            "20..24 [1]: full size of Entry = 20",
            "24..28 [1]: offset in Entry = 12: id, at byte 32",
            "28..32 [1]: offset in Entry = 13: name, at byte 33",
            "32..33 [1].id: byte = 8",
            "33..37 [1].name: item count of Bytes = 9 items of 1 byte",
            "37..40 [1].name: text = \"one\" ! field or item ends early: 9 bytes needed, 3 left",
            "40..44 [2]: full size of Entry = 20",
        ]
    );
    assert_eq!(
        all[18..],
        [
            "60..64 [3]: full size of Entry = 20 ! input ends early: 20 bytes needed, 15 left",
            "64..68 [3]: offset in Entry = 12: id, at byte 72",
            "68..72 [3]: offset in Entry = 13: name, at byte 73",
            "72..73 [3].id: byte = 9",
            "73..75 [3].name: item count of Bytes = 0300 ! input ends early: 4 bytes needed, 2 left",
        ]
    );
    let name = [
        "53..57 [2].name: item count of Bytes = 3 items of 1 byte",
        "57..60 [2].name: text = \"one\"",
    ];
    assert_eq!(shown(&[&one, &early, &two, cut], "[2].name"), name);
    // Fewer bytes than a full size, and a full size smaller than itself.
    assert_eq!(
        shown(&[&one, &two, "1400"], "[2]"),
        ["40..42 [2]: full size of Entry = 1400 ! input ends early: 4 bytes needed, 2 left"]
    );
    assert_eq!(
        shown(&[&one, &two, "03000000"], "[2]"),
        [
            "40..44 [2]: full size of Entry = 3 ! full size 3 of a record is less than the 4 bytes of a full size",
        ]
    );
    // A single record is a value.
    assert_eq!(shown(&[&one], "id"), ["12..13 id: byte = 7"]);
    assert_eq!(shown(&[], ""), ["0..0 : Entry ! input ends early: 4 bytes needed, 0 left"]);
}

#[test]
fn places_are_paths_of_at() {
    let mut seen = 0;
    for (file, schema, ty) in [
        ("blocks/block-40.bin", "blockchain.mol", "Block"),
        ("blocks/blockv1-12.bin", "blockchain.mol", "BlockV1"),
    ] {
        let bytes = FIXTURES.bytes(file);
        let types = Schema::from_file(FIXTURES.path(&format!("schemas/{schema}"))).unwrap();
        for span in spans_at(&types, &bytes, ty, "") {
            let text = span.place.to_string();
            for path in [&types.path(ty, &text).unwrap(), &Path::new(&text).unwrap()] {
                let value = types.value_at(&bytes, ty, path).unwrap();
                let start = value.bytes().as_ptr().addr() - bytes.as_ptr().addr();
                let part = start..start + value.bytes().len();
                assert!(part.start <= span.range.start && span.range.end <= part.end, "{text}");
                seen += 1;
            }
        }
    }
    assert!(seen > 2000, "{seen}");
}
