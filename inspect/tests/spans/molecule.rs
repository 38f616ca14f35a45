//! Spans of Molecule without types: each byte is in one span, valid input has no error, damaged headers have the readers'
//! error, and damage never panics.

use std::collections::BTreeMap;

use fourfold::molecule::with::Table;
use fourfold::molecule::{count_records, from_slice, to_vec};
use fourfold_inspect::spans::molecule::{Layout, explain, layouts};
use fourfold_inspect::spans::{Span, all};

use crate::check::{first_error_of, terse_lines};
use crate::ckb::types::{Script, WitnessArgs};
use crate::fixture::{Fixtures, hex, unhex};
use crate::random::Dice;
use crate::{alloc, explained};

const FIXTURES: Fixtures = Fixtures("molecule");

const MUTATIONS: usize = if cfg!(debug_assertions) { 60_000 } else { 600_000 };

/// Memory for a span with its place, number and text.
const MEMORY_PER_BYTE: usize = 256;
const MEMORY: usize = 64 << 10;

/// A violation of the order or coverage of spans, if there is one.
fn disorder(spans: &[Span], len: usize) -> Option<String> {
    let mut end = 0;
    for span in spans {
        if span.range.start != end || span.range.end <= end {
            return Some(format!("{:?} after {end}", span.range));
        }
        if span.value.contains('\n') || span.what.is_empty() {
            return Some(format!("{span:?}"));
        }
        end = span.range.end;
    }
    (end != len).then(|| format!("{end} of {len} bytes"))
}

/// Good values, from every file of them.
fn good() -> Vec<(String, Vec<u8>)> {
    let mut values = Vec::new();
    let mut files = vec!["vectors.json".to_owned(), "spec_examples.json".to_owned()];
    files.extend(FIXTURES.names("values", "json").iter().map(|name| format!("values/{name}.json")));
    for file in files {
        for case in FIXTURES.json::<Vec<serde_json::Value>>(&file) {
            let name = format!("{file} {}", case["type"]);
            values.push((name, unhex(case["hex"].as_str().unwrap()).unwrap()));
        }
    }
    for folder in ["blocks", "genesis"] {
        for name in FIXTURES.names(folder, "bin") {
            let path = format!("{folder}/{name}.bin");
            values.push((path.clone(), FIXTURES.bytes(&path)));
        }
    }
    values
}

/// An input with the verdict of the official reader.
struct Damaged {
    /// The type of the input.
    of: String,
    is_good: bool,
    /// The kind of damage.
    class: String,
    bytes: Vec<u8>,
}

fn damaged() -> Vec<Damaged> {
    let mut inputs = Vec::new();
    for name in FIXTURES.names("bad", "txt") {
        let text = FIXTURES.text(&format!("bad/{name}.txt"));
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let words: Vec<&str> = line.split(' ').collect();
            let [strict, _, class, digits] = words[..] else { panic!("{line}") };
            inputs.push(Damaged {
                of: name.clone(),
                is_good: strict == "ok",
                class: class.to_owned(),
                bytes: unhex(digits.trim_start_matches('-')).unwrap(),
            });
        }
    }
    inputs
}

fn assert_lines(digits: &str, wanted: &[&str]) {
    let bytes = unhex(&digits.replace(' ', "")).unwrap();
    let spans = explained(explain, &bytes);
    assert_eq!(terse_lines(&spans), wanted, "{digits}");
    assert_eq!(disorder(&spans, bytes.len()), None, "{digits}");
}

#[test]
fn good_values_have_no_error() {
    let values = good();
    assert_eq!(values.len(), 937);
    for (name, bytes) in values {
        let spans = explained(explain, &bytes);
        assert_eq!(disorder(&spans, bytes.len()), None, "{name}");
        assert_eq!(first_error_of(&spans), None, "{name} {}", hex(&bytes));
        assert!(!layouts(&bytes).is_empty(), "{name}");
    }
}

#[test]
fn damaged_headers_are_mostly_found() {
    let mut found = BTreeMap::<String, usize>::new();
    for input in damaged() {
        let spans = explained(explain, &input.bytes);
        let bytes = hex(&input.bytes);
        assert_eq!(disorder(&spans, input.bytes.len()), None, "{} {bytes}", input.of);
        let error = first_error_of(&spans);
        if input.is_good {
            assert_eq!(error, None, "{} {bytes}", input.of);
        }
        *found.entry(input.class).or_default() += usize::from(error.is_some());
    }
    // The share of inputs with this damage; some of them have no header, or a short one.
    for (class, least) in [
        ("hole-after-header", 90),
        ("offset-far", 230),
        ("offset-swapped", 130),
        ("offset", 110),
        ("first-offset", 180),
        ("first-offset-far", 210),
        ("total-size", 110),
        ("truncated", 180),
        ("trailing", 160),
    ] {
        assert!(found[class] >= least, "{class}: {}", found[class]);
    }
    // Numbers alone are not treated as damaged headers.
    for class in ["bare-number", "bare-numbers", "zeros", "ones", "empty"] {
        assert_eq!(found[class], 0, "{class}");
    }
}

#[test]
fn the_first_error_is_that_of_the_reader() {
    let mut agreed = 0;
    for input in damaged() {
        let error = match &*input.of {
            "blockchain.Script" => from_slice::<Script>(&input.bytes).err(),
            "blockchain.WitnessArgs" => from_slice::<WitnessArgs>(&input.bytes).err(),
            _ => continue,
        };
        let (Some(error), Some(first)) = (error, first_error_of(&explained(explain, &input.bytes)))
        else {
            continue;
        };
        // Errors that depend on the type are not found without it.
        if error.path().is_empty() && !error.to_string().starts_with("table has ") {
            let expected = (error.offset().unwrap(), error.kind().to_string());
            assert_eq!(first, expected, "{}", hex(&input.bytes));
            agreed += 1;
        }
    }
    assert!(agreed > 200, "{agreed}");
}

#[test]
fn layouts_are_candidates_in_order() {
    let shown = |digits: &str| {
        let found = layouts(&unhex(&digits.replace(' ', "")).unwrap());
        found.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(shown(""), ["no bytes, as of an option that is none"]);
    assert_eq!(shown("07"), ["byte"]);
    assert_eq!(shown("00000000"), ["fixvec without items", "array or struct of 4 bytes"]);
    assert_eq!(shown("04000000"), ["table or dynvec without items", "array or struct of 4 bytes"]);
    assert_eq!(
        shown("02000000 01000000 02000000"),
        ["fixvec of 2 items of 4 bytes", "array or struct of 12 bytes"]
    );
    assert_eq!(shown("01000000 07"), ["fixvec of 1 byte", "array or struct of 5 bytes"]);
    // A number of 64 bits rather than a fixvec of one zero.
    assert_eq!(
        shown("01000000 00000000"),
        ["array or struct of 8 bytes", "fixvec of 1 item of 4 bytes"]
    );
    assert_eq!(
        shown("03000000 09000000 08000000 07"),
        [
            "union of id 3 with a table or dynvec of 1 item",
            "fixvec of 3 items of 3 bytes",
            "array or struct of 13 bytes"
        ]
    );
    assert_eq!(
        shown("1e000000 0c000000 15000000 09000000 08000000 07 09000000 08000000 07"),
        ["dynvec or table of 2 items, each of them one of 1", "array or struct of 30 bytes"]
    );
}

#[test]
fn each_layout_is_explained() {
    assert_lines("", &[]);
    assert_lines("07", &["0..1 byte 7"]);
    assert_lines("0700", &["0..2 bytes 0700, as a number 7"]);
    assert_lines("070000", &["0..3 bytes 070000"]);
    assert_lines("0700000000000000", &["0..8 bytes 0700000000000000, as a number 7"]);
    assert_lines(
        "00000000",
        &["0..4 candidates: fixvec without items, or array or struct 00000000"],
    );
    assert_lines(
        "04000000",
        &["0..4 candidates: table or dynvec without items, or array or struct 04000000"],
    );
    assert_lines(
        "02000000 0100 0200",
        &[
            "0..4 candidate fixvec: item count 2 items of 2 bytes",
            "4..6 [0] candidate fixvec: item 0100, as a number 1",
            "6..8 [1] candidate fixvec: item 0200, as a number 2",
        ],
    );
    assert_lines(
        "03000000 09000000 08000000 07",
        &[
            "0..4 candidate union: item id 3",
            "4..8 candidate table or dynvec: full size 9",
            "8..12 candidate table or dynvec: offset 8: item 0, at byte 12",
            "12..13 0 byte 7",
        ],
    );
    assert_lines(
        "1e000000 0c000000 15000000 09000000 08000000 07 09000000 08000000 07",
        &[
            "0..4 candidate dynvec or table: full size 30",
            "4..8 candidate dynvec or table: offset 12: item 0",
            "8..12 candidate dynvec or table: offset 21: item 1",
            "12..16 [0] candidate table or dynvec: full size 9",
            "16..20 [0] candidate table or dynvec: offset 8: item 0, at byte 20",
            "20..21 [0].0 byte 7",
            "21..25 [1] candidate table or dynvec: full size 9",
            "25..29 [1] candidate table or dynvec: offset 8: item 0, at byte 29",
            "29..30 [1].0 byte 7",
        ],
    );
    // The bytes of a fixvec may be a table, as in a witness.
    assert_lines(
        "09000000 09000000 08000000 07",
        &[
            "0..4 candidate fixvec: item count 9 items of 1 byte, which may hold a value",
            "4..8 candidate table or dynvec: full size 9",
            "8..12 candidate table or dynvec: offset 8: item 0, at byte 12",
            "12..13 0 byte 7",
        ],
    );
    // A union whose table has a damaged offset.
    assert_lines(
        "03000000 10000000 0c000000 ff000000 07 08 09 0a",
        &[
            "0..4 candidate union: item id 3",
            "4..8 candidate table or dynvec: full size 16",
            "8..12 candidate table or dynvec: offset 12: item 0, at byte 16",
            "12..16 candidate table or dynvec: offset 255: item 1 ! offset 255 is beyond the full size 16",
            "16..20 candidate table or dynvec: items not separable items 0 to 1, 0708090a",
        ],
    );
}

#[test]
fn a_damaged_header_still_shows_its_items() {
    // A table of 16 | "hi" | 7 | 8 with each of its numbers damaged.
    assert_lines(
        "18000000 10000000 16000000 17000000 02000000 6869 07 08",
        &[
            "0..4 candidate table or dynvec: full size 24",
            "4..8 candidate table or dynvec: offset 16: item 0",
            "8..12 candidate table or dynvec: offset 22: item 1",
            "12..16 candidate table or dynvec: offset 23: item 2",
            "16..20 0 candidate fixvec: item count 2 items of 1 byte",
            "20..22 0 candidate fixvec: text \"hi\"",
            "22..23 1 byte 7",
            "23..24 2 byte 8",
        ],
    );
    assert_lines(
        "18000000 11000000 16000000 17000000 02000000 6869 07 08",
        &[
            "0..4 candidate table or dynvec: full size 24",
            "4..8 candidate table or dynvec: offset 17: item 0 ! offset 17 is not a multiple of 4",
            "8..12 candidate table or dynvec: offset 22: item 1",
            "12..16 candidate table or dynvec: offset 23: item 2",
            "16..20 0 candidate fixvec: item count 2 items of 1 byte",
            "20..22 0 candidate fixvec: text \"hi\"",
            "22..23 1 byte 7",
            "23..24 2 byte 8",
        ],
    );
    assert_lines(
        "18000000 10000000 16000100 17000000 02000000 6869 07 08",
        &[
            "0..4 candidate table or dynvec: full size 24",
            "4..8 candidate table or dynvec: offset 16: item 0",
            "8..12 candidate table or dynvec: offset 65558: item 1 ! offset 65558 is beyond the full size 24",
            "12..16 candidate table or dynvec: offset 23: item 2",
            "16..23 candidate table or dynvec: items not separable items 0 to 1, 02000000686907",
            "23..24 2 byte 8",
        ],
    );
    assert_lines(
        "18000000 10000000 16000000 15000000 02000000 6869 07 08",
        &[
            "0..4 candidate table or dynvec: full size 24",
            "4..8 candidate table or dynvec: offset 16: item 0",
            "8..12 candidate table or dynvec: offset 22: item 1",
            "12..16 candidate table or dynvec: offset 21: item 2 ! offset 21 is before the previous offset 22",
            "16..20 0 candidate fixvec: item count 2 items of 1 byte",
            "20..22 0 candidate fixvec: text \"hi\"",
            "22..24 candidate table or dynvec: items not separable items 1 to 2, 0708",
        ],
    );
    // The full size is wrong: it is damaged, or bytes are missing or added.
    assert_lines(
        "ff000000 10000000 16000000 17000000 02000000 6869 07",
        &[
            "0..4 candidate table or dynvec: full size 255 ! input ends early: 255 bytes needed, 23 left",
            "4..8 candidate table or dynvec: offset 16: item 0",
            "8..12 candidate table or dynvec: offset 22: item 1",
            "12..16 candidate table or dynvec: offset 23: item 2, no bytes",
            "16..20 0 candidate fixvec: item count 2 items of 1 byte",
            "20..22 0 candidate fixvec: text \"hi\"",
            "22..23 1 byte 7",
        ],
    );
    assert_lines(
        "18000000 10000000 16000000 17000000 02000000 68",
        &[
            "0..4 candidate table or dynvec: full size 24 ! input ends early: 24 bytes needed, 21 left",
            "4..8 candidate table or dynvec: offset 16: item 0",
            "8..12 candidate table or dynvec: offset 22: item 1, after the end",
            "12..16 candidate table or dynvec: offset 23: item 2, after the end",
            "16..21 0 bytes 0200000068",
        ],
    );
    assert_lines(
        "18000000 10000000 16000000 17000000 02000000 6869 07 08 ffff",
        &[
            "0..4 candidate table or dynvec: full size 24 ! full size 24 differs from the 26 bytes given",
            "4..8 candidate table or dynvec: offset 16: item 0",
            "8..12 candidate table or dynvec: offset 22: item 1",
            "12..16 candidate table or dynvec: offset 23: item 2",
            "16..20 0 candidate fixvec: item count 2 items of 1 byte",
            "20..22 0 candidate fixvec: text \"hi\"",
            "22..23 1 byte 7",
            "23..24 2 byte 8",
            "24..26 not read",
        ],
    );
    // One offset is not enough evidence.
    assert_lines("ff000000 08000000 07", &["0..9 bytes ff0000000800000007"]);
    // Nor is a number of 64 bits.
    assert_lines("0800000000000000", &["0..8 bytes 0800000000000000, as a number 8"]);
}

#[test]
fn depth_has_the_limit_of_readers() {
    for (levels, deep) in [(127, false), (128, false), (129, true), (2000, true)] {
        // Nested tables of one field.
        let mut bytes = vec![7; 3];
        for _ in 0..levels {
            let full_size = u32::try_from(bytes.len() + 8).unwrap();
            bytes.splice(..0, [full_size.to_le_bytes(), 8u32.to_le_bytes()].concat());
        }
        let spans = explained(explain, &bytes);
        assert_eq!(disorder(&spans, bytes.len()), None, "{levels}");
        let wanted = deep.then(|| (128 * 8, String::from("nested deeper than 128 levels")));
        assert_eq!(first_error_of(&spans), wanted, "{levels}");
    }
}

#[test]
fn damage_never_panics() {
    let seeds: Vec<Vec<u8>> =
        good().into_iter().map(|(_, bytes)| bytes).filter(|bytes| bytes.len() < 2000).collect();
    let mut dice = Dice::of("explained");
    let mut below = |limit: usize| dice.below(limit);
    for _ in 0..MUTATIONS {
        let mut bytes = seeds[below(seeds.len())].clone();
        for _ in 0..=below(3) {
            let at = below(bytes.len());
            // Mostly small numbers, as in headers.
            let byte = u8::try_from([0, 4, 8, 12, below(256), 255][below(6)]).unwrap();
            match below(5) {
                0 => bytes.truncate(at),
                1 => bytes.insert(at, byte),
                _ if at < bytes.len() => bytes[at & !3] = byte,
                _ => bytes.push(byte),
            }
        }
        let spans = explained(explain, &bytes);
        assert_eq!(disorder(&spans, bytes.len()), None, "{}", hex(&bytes));
        assert!(!layouts(&bytes).is_empty());
    }
}

#[test]
fn memory_is_proportional_to_the_bytes() {
    let numbers = |numbers: &[u32]| -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    };
    let full = 100_000;
    let mut headers = numbers(&[full, full]);
    headers.resize(100_000, 0xff);
    let mut offsets = numbers(&[full]);
    offsets.extend(full.to_le_bytes().repeat(24_999));
    let mut bytes_of = numbers(&[50_000]);
    bytes_of.extend([7; 100_000]);
    let mut nested = vec![7; 3];
    for _ in 0..20_000 {
        let full_size = u32::try_from(nested.len() + 8).unwrap();
        nested.extend([full_size.to_le_bytes(), 8u32.to_le_bytes()].as_flattened());
    }
    let hostile = [
        headers,
        offsets,
        bytes_of,
        nested,
        numbers(&[u32::MAX; 25_000]),
        numbers(&[0; 25_000]),
        numbers(&[4; 25_000]),
        numbers(&[8; 25_000]),
        numbers(&(0..25_000).map(|index| full - 4 * index).collect::<Vec<_>>()),
        numbers(&(0..25_000).map(|index| 4 * index).collect::<Vec<_>>()),
        numbers(&[u32::MAX, 8, u32::MAX, 12, 12, 12]),
    ];
    for bytes in hostile {
        let shown = hex(&bytes[..24]);
        let (spans, stats) = alloc::measure_value(|| explained(explain, &bytes));
        assert_eq!(disorder(&spans, bytes.len()), None, "{shown}");
        let most = MEMORY + MEMORY_PER_BYTE * bytes.len();
        assert!(stats.peak <= most, "{} bytes for {} of {shown}", stats.peak, bytes.len());
        // Bytes are parsed a constant number of times, not once for each candidate of each level.
        assert!(stats.total <= 4 * most, "{} bytes in all for {shown}", stats.total);
        let peak = alloc::measure(|| layouts(&bytes)).peak;
        assert!(peak <= MEMORY, "{peak} bytes for layouts of {shown}");
    }
}

/// Input that begins with two tables or dynvecs is records; other input is one value.
#[test]
fn records_are_explained_as_far_as_their_ends_are_known() {
    let entry = to_vec(&("hi", 7u8)).unwrap();
    let shown = |rest: &[u8]| {
        let spans = explained(explain, &[&entry, &entry, rest].concat());
        assert_eq!(disorder(&spans, 38 + rest.len()), None);
        terse_lines(&spans)[12..].to_vec()
    };
    assert_eq!(terse_lines(&explained(explain, &entry.repeat(2)))[11], "37..38 [1].1 byte 7");
    assert_eq!(
        shown(&entry[..14]),
        [
            "38..42 [2] candidate table or dynvec: full size 19 ! input ends early: 19 bytes needed, 14 left",
            "42..46 [2] candidate table or dynvec: offset 12: item 0, at byte 50",
            "46..50 [2] candidate table or dynvec: offset 18: item 1, at byte 56, after the end",
            "50..52 [2].0 bytes 0200, as a number 2",
        ]
    );
    assert_eq!(shown(&[9]), ["38..39 [2] byte 9 ! input ends early: 4 bytes needed, 1 left"]);
    assert_eq!(
        shown(&[3, 0, 0, 0, 1, 2, 3]),
        [
            "38..45 [2] bytes 03000000010203 ! full size 3 of a record is less than the 4 bytes of a full size"
        ]
    );
    // Fewer than two tables or dynvecs at the beginning.
    for bytes in [&[&entry[..], &[5, 0, 0, 0, 1, 2]].concat()[..], &[5, 0, 0, 0, 1, 4, 0, 0, 0, 2]]
    {
        assert!(
            terse_lines(&explained(explain, bytes)).iter().all(|line| !line.contains("[1]")),
            "{bytes:?}"
        );
    }
}

/// The candidate of records is first if and only if there are records.
#[test]
fn layouts_of_records() {
    let entry = to_vec(&("hi", 7u8)).unwrap();
    for bytes in [entry.clone(), entry.repeat(2), entry.repeat(3), entry.repeat(2)[1..].to_vec()] {
        let (first, expected) = (layouts(&bytes)[0], count_records(&bytes));
        assert_eq!(first == Layout::Records { count: expected.unwrap_or(1) }, expected.is_some());
    }
}

/// Records are explained one by one, at paths with their numbers.
#[test]
fn records_are_explained() {
    let bytes = [to_vec(&Table((7u8,))).unwrap(), to_vec(&Table(("hi",))).unwrap()].concat();
    assert_eq!(
        terse_lines(&explained(explain, &bytes)),
        [
            "0..4 [0] candidate table or dynvec: full size 9",
            "4..8 [0] candidate table or dynvec: offset 8: item 0",
            "8..9 [0].0 byte 7",
            "9..13 [1] candidate table or dynvec: full size 14",
            "13..17 [1] candidate table or dynvec: offset 8: item 0, at byte 17",
            "17..21 [1].0 candidate fixvec: item count 2 items of 1 byte",
            "21..23 [1].0 candidate fixvec: text \"hi\"",
        ]
    );
    let part = all(|each| explain(&bytes, "[1].0", each));
    assert_eq!(part.iter().map(|span| span.range.clone()).collect::<Vec<_>>(), [17..21, 21..23]);
}
