//! Spans of biniou: each byte is in one span, the first error is that of the readers, and damage never panics.

mod damage;

use fourfold::biniou::{
    self, ChunkReader, Dictionary, Options, StreamDeserializer, Value, from_slice,
};
use fourfold_inspect::spans::{self, Each, Span};

use crate::check::{first_error_of, terse_lines};
use crate::explained;
use crate::fixture::{Fixtures, assert_none, hex};

const FIXTURES: Fixtures = Fixtures("biniou");

/// Folders with biniou values.
const FOLDERS: [&str; 6] = ["data", "multi", "reader", "tree", "tree-reader", "typed"];

/// Explains values without names.
pub(crate) fn values(bytes: &[u8], path: &str, each: &mut Each<'_>) {
    spans::biniou::explain(bytes, &Options::new(), path, each);
}

/// Explains chunks without names.
pub(crate) fn chunks(bytes: &[u8], path: &str, each: &mut Each<'_>) {
    spans::biniou::explain_chunks(bytes, &Options::new(), path, each);
}

/// A violation of the order or coverage of spans, if there is one.
fn disorder(spans: &[Span], len: usize) -> Option<String> {
    let mut end = 0;
    for span in spans {
        if span.range.start != end || span.range.end < end {
            return Some(format!("{:?} after {end}", span.range));
        }
        if span.range.is_empty() && span.error.is_none() {
            return Some(format!("no bytes and no error at {end}"));
        }
        if span.value.contains('\n') || span.what.is_empty() {
            return Some(format!("{span:?}"));
        }
        end = span.range.end;
    }
    (end != len).then(|| format!("{end} of {len} bytes"))
}

/// Offset and text of the reader's first error for concatenated values.
fn first_error(bytes: &[u8]) -> Option<(usize, String)> {
    if bytes.is_empty() {
        return from_slice::<Value>(bytes).err().map(located);
    }
    let mut read = StreamDeserializer::<_, Value>::from_slice(bytes);
    read.find_map(Result::err).map(located)
}

fn located(error: biniou::Error) -> (usize, String) {
    (error.offset().unwrap(), error.kind().to_string())
}

/// A difference between the spans of these bytes and the reader's result, if there is one.
fn mistake(bytes: &[u8]) -> Option<String> {
    let spans = explained(values, bytes);
    if let Some(disorder) = disorder(&spans, bytes.len()) {
        return Some(disorder);
    }
    let (found, wanted) = (first_error_of(&spans), first_error(bytes));
    if found != wanted {
        return Some(format!("first error {found:?}, but the reader returns {wanted:?}"));
    }
    if let Err(error) = from_slice::<Value>(bytes) {
        // Trailing bytes are another value.
        let trailing = error.kind().to_string().contains("trailing byte");
        if !trailing && found != Some(located(error)) {
            return Some(format!("first error {found:?}, not that of from_slice"));
        }
    } else if found.is_some() {
        return Some(format!("first error {found:?} of a good value"));
    }
    None
}

fn assert_lines(bytes: &[u8], wanted: &[&str]) {
    assert_eq!(terse_lines(&explained(values, bytes)), wanted, "{}", hex(bytes));
    assert_eq!(mistake(bytes), None, "{}", hex(bytes));
}

fn seeds() -> Vec<(String, Vec<u8>)> {
    let mut seeds = Vec::new();
    for folder in FOLDERS {
        for name in FIXTURES.names(folder, "biniou") {
            let path = format!("{folder}/{name}.biniou");
            seeds.push((path.clone(), FIXTURES.bytes(&path)));
        }
    }
    assert_eq!(seeds.len(), 370);
    seeds
}

#[test]
fn spans_of_fixtures_agree_with_the_reader() {
    let mistakes: Vec<String> = seeds()
        .iter()
        .filter_map(|(path, bytes)| Some(format!("{path}: {}", mistake(bytes)?)))
        .collect();
    assert_none(&mistakes);
}

#[test]
fn only_several_values_have_numbers() {
    for name in FIXTURES.names("multi", "biniou") {
        let bytes = FIXTURES.bytes(&format!("multi/{name}.biniou"));
        let count = StreamDeserializer::<_, Value>::from_slice(&bytes).count();
        let spans = explained(values, &bytes);
        assert!(spans.iter().all(|span| !span.place.is_empty()), "{name}");
        let last = format!("[{}]", count - 1);
        assert!(spans.last().unwrap().place.to_string().starts_with(&last), "{name}");
    }
    assert_lines(
        &[16, 7, 18, 2, b'h', b'i'],
        &[
            "0..1 [0] tag uvint",
            "1..2 [0] uvint 7",
            "2..3 [1] tag string",
            "3..4 [1] length 2",
            "4..6 [1] string \"hi\"",
        ],
    );
}

#[test]
fn each_tag_is_explained() {
    assert_lines(
        &[
            20, 11, 0, 1, 1, 200, 2, 1, 0, 3, 255, 255, 255, 255, 4, 0, 0, 0, 0, 0, 0, 0, 9, 11,
            0x7f, 0xc0, 0, 0, 12, 0x3f, 0xe0, 0, 0, 0, 0, 0, 0, 16, 0x80, 1, 17, 3, 24, 0, 22,
            0x85, 18, 0,
        ],
        &[
            "0..1 tag tuple",
            "1..2 count of cells 11",
            "2..3 [0] tag bool",
            "3..4 [0] bool true",
            "4..5 [1] tag int8",
            "5..6 [1] int8 200",
            "6..7 [2] tag int16",
            "7..9 [2] int16 256",
            "9..10 [3] tag int32",
            "10..14 [3] int32 -1",
            "14..15 [4] tag int64",
            "15..23 [4] int64 9",
            "23..24 [5] tag float32",
            "24..28 [5] float32 NaN (7fc00000)",
            "28..29 [6] tag float64",
            "29..37 [6] float64 0.5",
            "37..38 [7] tag uvint",
            "38..40 [7] uvint 128",
            "40..41 [8] tag svint",
            "41..42 [8] svint -2",
            "42..43 [9] tag unit",
            "43..44 [9] unit ()",
            "44..45 [10] tag num_variant",
            "45..46 [10] num_variant 5, an argument follows",
            "46..47 [10] tag string",
            "47..48 [10] length 0",
        ],
    );
    assert_lines(
        &[23, 0, 0, 0, 0x41],
        &["0..1 tag variant", "1..5 variant hash #00000041, no argument"],
    );
    assert_lines(&[18, 1, 0xff], &["0..1 tag string", "1..2 length 1", "2..3 string ff"]);
}

#[test]
fn a_table_has_columns_then_rows() {
    let bytes = [25, 2, 2, 0x80, 0, 0, 0x78, 1, 0x80, 0, 0, 0x79, 0, 5, 1, 6, 0];
    assert_lines(
        &bytes,
        &[
            "0..1 tag table",
            "1..2 count of rows 2",
            "2..3 count of columns 2",
            "3..7 column hash #00000078",
            "7..8 tag of column int8",
            "8..12 column hash #00000079",
            "12..13 tag of column bool",
            "13..14 [0].#00000078 int8 5",
            "14..15 [0].#00000079 bool true",
            "15..16 [1].#00000078 int8 6",
            "16..17 [1].#00000079 bool false",
        ],
    );
    let options = Options::new().names(Dictionary::from_words("y").unwrap());
    let named = spans::all(|each| spans::biniou::explain(&bytes, &options, "", each));
    assert_eq!(named[5].value, "#00000079 y");
    assert_eq!(named[8].place.to_string(), "[0].y");
    assert_eq!(named[7].place.to_string(), "[0].#00000078");
    assert_lines(&[25, 0], &["0..1 tag table", "1..2 count of rows 0"]);
}

#[test]
fn a_reference_shows_its_target() {
    assert_lines(
        &[20, 2, 26, 0, 16, 7, 26, 4],
        &[
            "0..1 tag tuple",
            "1..2 count of cells 2",
            "2..3 [0] tag shared",
            "3..4 [0] shared value 0: here, as number 1",
            "4..5 [0] tag uvint",
            "5..6 [0] uvint 7",
            "6..7 [1] tag shared",
            "7..8 [1] reference 4 bytes back: shared value 1, at byte 3",
        ],
    );
    // No value was shared there, but the next cell is found.
    assert_lines(
        &[20, 2, 26, 1, 0, 1],
        &[
            "0..1 tag tuple",
            "1..2 count of cells 2",
            "2..3 [0] tag shared",
            "3..4 [0] reference 1 byte back ! reference 1 byte back leads to no shared value",
            "4..5 [1] tag bool",
            "5..6 [1] bool true",
        ],
    );
}

#[test]
fn long_vints_are_noted_without_an_error() {
    assert_lines(
        &[18, 0x82, 0x80, 0, b'h', b'i'],
        &["0..1 tag string", "1..4 length 2, 2 bytes longer than need be", "4..6 string \"hi\""],
    );
}

#[test]
fn reading_continues_after_an_error() {
    assert_lines(
        &[21, 2, 0, 0, 0, 0x78, 0, 7, 0x80, 0, 0, 0x79, 24, 1],
        &[
            "0..1 tag record",
            "1..2 count of fields 2",
            "2..6 #00000078 field hash #00000078 ! field tag 00000078 does not begin with a 1 bit",
            "6..7 #00000078 tag bool",
            "7..8 #00000078 bool 07 ! bool is 7, neither 0 nor 1",
            "8..12 #00000079 field hash #00000079",
            "12..13 #00000079 tag unit",
            "13..14 #00000079 unit 01 ! unit is 1, not 0",
        ],
    );
    // A count that is too large, and the present items.
    assert_lines(
        &[19, 9, 1, 5, 6],
        &[
            "0..1 tag array",
            "1..2 count of items 9 ! length 9 needs 9 bytes or more, 3 left",
            "2..3 tag of items int8",
            "3..4 [0] int8 5",
            "4..5 [1] int8 6",
            "5..5 [2] int8 ! input ends early: 1 byte needed, 0 left",
        ],
    );
    assert_lines(
        &[18, 9, b'h', b'i'],
        &[
            "0..1 tag string",
            "1..2 length 9 ! length 9 needs 9 bytes or more, 2 left",
            "2..4 start of string \"hi\"",
        ],
    );
    // A number that is too large, with a known end.
    let mut bytes = vec![20, 2, 16];
    bytes.extend([0xff; 20]);
    bytes.extend([1, 0, 1]);
    assert_lines(
        &bytes,
        &[
            "0..1 tag tuple",
            "1..2 count of cells 2",
            "2..3 [0] tag uvint",
            "3..24 [0] uvint ffffffffffffffffffffffffffffffffffffffff01 ! vint is longer than 128 bits",
            "24..25 [1] tag bool",
            "25..26 [1] bool true",
        ],
    );
}

#[test]
fn values_of_unknown_position_are_not_explained() {
    assert_lines(
        &[20, 2, 99, 1, 2, 3],
        &[
            "0..1 tag tuple",
            "1..2 count of cells 2",
            "2..3 [0] tag 63 ! unknown tag 99",
            "3..6 not read",
        ],
    );
    assert_lines(&[], &["0..0 tag ! input ends early: 1 byte needed, 0 left"]);
    assert_lines(
        &[3, 1, 2],
        &["0..1 tag int32", "1..3 int32 0102 ! input ends early: 4 bytes needed, 2 left"],
    );
    assert_lines(
        &[16, 0x80],
        &[
            "0..1 tag uvint",
            "1..2 uvint 80",
            "2..2 uvint ! input ends early: 1 byte needed, 0 left",
        ],
    );
    // The first value is good, the rest is invalid.
    assert_lines(
        &[0, 1, 99, 5],
        &[
            "0..1 [0] tag bool",
            "1..2 [0] bool true",
            "2..3 [1] tag 63 ! unknown tag 99",
            "3..4 not read",
        ],
    );
}

#[test]
fn chunks_are_explained_one_by_one() {
    let mut count = 0;
    for extension in ["stream", "broken"] {
        for name in FIXTURES.names("stream", extension) {
            let path = format!("stream/{name}.{extension}");
            let bytes = FIXTURES.bytes(&path);
            assert_eq!(chunk_mistake(&bytes), None, "{path}");
            let error = first_error_of(&explained(chunks, &bytes));
            assert_eq!(error.is_some(), extension == "broken", "{path}: {error:?}");
            count += 1;
        }
    }
    assert_eq!(count, 7);

    let bytes =
        [1, 0, 0, 0, 0, 0, 0, 0, 3, 99, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 4, 0, 1, 0, 0, 0, 5, 5];
    assert_eq!(
        terse_lines(&explained(chunks, &bytes)),
        [
            "0..1 [0] chunk mark 1",
            "1..9 [0] length of chunk 3",
            "9..10 [0] tag 63 ! unknown tag 99",
            "10..12 [0] not read",
            "12..13 [1] chunk mark 1",
            "13..21 [1] length of chunk 4",
            "21..22 [1][0] tag bool",
            "22..23 [1][0] bool true",
            "23..24 [1][1] tag bool",
            "24..25 [1][1] bool false",
            "25..26 end of chunks 0",
            "26..28 not read",
        ]
    );
    assert_eq!(
        terse_lines(&explained(chunks, &[1, 0, 0, 0, 0, 0, 0, 0, 9, 0, 1])),
        [
            "0..1 [0] chunk mark 1",
            "1..9 [0] length of chunk 9",
            "9..9 [0] chunk ! input ends early: 9 bytes needed, 2 left",
            "9..10 [0] tag bool",
            "10..11 [0] bool true",
        ]
    );
    assert_eq!(
        terse_lines(&explained(chunks, &[2, 7])),
        ["0..1 chunk mark 2 ! chunk mark is 2, neither 1 nor 0", "1..2 not read"]
    );
}

/// A difference between the spans of a stream of chunks and the reader's first error, if there is one.
fn chunk_mistake(bytes: &[u8]) -> Option<String> {
    let spans = explained(chunks, bytes);
    if let Some(disorder) = disorder(&spans, bytes.len()) {
        return Some(disorder);
    }
    let mut error = None;
    let mut start = 0;
    for chunk in ChunkReader::new(bytes) {
        match chunk {
            Ok(chunk) => {
                error = first_error(&chunk).map(|(at, what)| (start + 9 + at, what));
                start += 9 + chunk.len();
            }
            Err(found) => error = Some(located(found)),
        }
        if error.is_some() {
            break;
        }
    }
    let first = first_error_of(&spans);
    (first != error).then(|| format!("first error {first:?}, but the reader returns {error:?}"))
}
