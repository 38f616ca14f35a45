//! Spans of primitiv files.

use fourfold::primitiv::{File, Model, Parameter, Shape, Tensor};
use fourfold_inspect::spans::{Span, primitiv};

use crate::alloc::measure_value;
use crate::check::{assert_covered, assert_verdict, lines, wrong_spans};
use crate::damage::Messages;
use crate::fixture::Fixtures;

const FIXTURES: Fixtures = Fixtures("primitiv");

/// Mutations of files.
const MUTATIONS: usize = if cfg!(debug_assertions) { 10_000 } else { 1_000_000 };

/// Objects may take one byte each; spans are larger.
const MEMORY_PER_BYTE: usize = 1024;
const MEMORY: usize = 32 << 10;

/// The files of the fixtures.
fn fixtures() -> Vec<String> {
    let mut files = Vec::new();
    for folder in ["saved", "crafted"] {
        for extension in ["shape", "tensor", "param", "model", "optimizer"] {
            let names = FIXTURES.names(folder, extension).into_iter();
            files.extend(names.map(|name| format!("{folder}/{name}.{extension}")));
        }
    }
    assert_eq!(files.len(), 73 + 94);
    files
}

/// Explains, and compares with the errors of the reader.
fn explained(name: &str, bytes: &[u8]) -> Vec<Span> {
    let (spans, memory) = measure_value(|| crate::explained(primitiv::explain, bytes));
    assert!(memory.peak <= MEMORY + MEMORY_PER_BYTE * bytes.len(), "{name}: {memory:?}");
    assert_covered(name, bytes.len(), &spans);
    assert_verdict(name, &spans, File::from_slice(bytes).err().as_ref());
    spans
}

#[test]
fn fixtures_are_explained_to_their_ends() {
    let mut errors = Vec::new();
    for file in fixtures() {
        let spans = explained(&file, &FIXTURES.bytes(&file));
        assert!(spans.iter().all(|span| span.what != "not read"), "{file}");
        errors.extend(wrong_spans(&spans).into_iter().map(|error| format!("{file}: {error}")));
    }
    let expected: Vec<&str> = include_str!("primitiv/crafted.txt").lines().collect();
    assert_eq!(errors, expected);
}

#[test]
fn spans_of_a_model() {
    let mut model = Model::new();
    let tensor = Tensor::from_column_major(Shape::new(&[2]).unwrap(), &[0.5, -1.0]).unwrap();
    let mut parameter = Parameter::new(tensor.clone()).unwrap();
    parameter.insert_stat("m", tensor);
    model.insert(["a", "w"], parameter).unwrap();
    let bytes = File::from(model).to_vec().unwrap();
    assert_eq!(
        lines(&explained("model", &bytes)),
        [
            "0..5 version: major version = uint32 0",
            "5..10 version: minor version = uint32 1",
            "10..15 data_type: data type = uint32 0x300, Model",
            "15..20 parameters: count of parameters = uint32 1",
            "20..21 parameters[0].key: count of segments = array of 2",
            "21..22 parameters[0].key[0]: length of the name = str of 1 byte",
            r#"22..23 parameters[0].key[0]: name = "a""#,
            "23..24 parameters[0].key[1]: length of the name = str of 1 byte",
            r#"24..25 parameters[0].key[1]: name = "w""#,
            "25..26 parameters[0].value.shape.dims: count of dims = array of 1",
            "26..31 parameters[0].value.shape.dims[0]: dim = uint32 2",
            "31..36 parameters[0].value.shape.batch: batch = uint32 1",
            "36..38 parameters[0].value.data: length of the data = bin of 8 bytes",
            "38..46 parameters[0].value.data: data = float32 [2]x1, 8 bytes: 0.5, -1.0",
            "46..51 parameters[0].stats: count of statistics = uint32 1",
            "51..52 parameters[0].stats[0].name: length of the name = str of 1 byte",
            r#"52..53 parameters[0].stats[0].name: name = "m""#,
            "53..54 parameters[0].stats[0].value.shape.dims: count of dims = array of 1",
            "54..59 parameters[0].stats[0].value.shape.dims[0]: dim = uint32 2",
            "59..64 parameters[0].stats[0].value.shape.batch: batch = uint32 1",
            "64..66 parameters[0].stats[0].value.data: length of the data = bin of 8 bytes",
            "66..74 parameters[0].stats[0].value.data: data = float32 [2]x1, 8 bytes: 0.5, -1.0",
        ]
    );
}

#[test]
fn damaged_files_have_the_errors_of_the_reader() {
    let files = fixtures().into_iter().map(|file| FIXTURES.bytes(&file));
    let seeds = files.filter(|file| file.len() < 1000).collect();
    let mut messages = Messages::new("explained", seeds);
    let (mut good, mut several) = (0, 0);
    for _ in 0..MUTATIONS {
        let spans = explained("mutated", &messages.next());
        let errors = spans.iter().filter(|span| span.error.is_some()).count();
        good += usize::from(errors == 0);
        several += usize::from(errors > 1);
    }
    println!("{good} good, {several} with several errors");
    assert!(good > MUTATIONS / 40 && several > MUTATIONS / 40);
}

/// After an unknown data type, objects of any kind are explained.
#[test]
fn an_unknown_data_type() {
    let mut bytes = FIXTURES.bytes("crafted/h_type_unknown_0x500.param");
    bytes.truncate(15);
    bytes.extend(
        b"\x92\xa2hi\xc4\x01\xff\x81\x07\xcb\x3f\xe0\0\0\0\0\0\0\xc0\xc1\xd4\0\x01\xdb\0\0",
    );
    assert_eq!(
        lines(&explained("objects", &bytes)[2..]),
        [
            "10..15 data_type: data type = uint32 0x500 ! unknown data type 0x500",
            "15..16 : object = array of 2",
            "16..17 : object = str of 2 bytes",
            r#"17..19 : content = "hi""#,
            "19..21 : object = bin of 1 byte",
            "21..22 : content = ff",
            "22..23 : object = map of 1",
            "23..24 : object = integer 7",
            "24..33 : object = float64 0.5",
            "33..34 : object = nil",
            "34..35 : object = no object ! marker 0xc1 begins no object",
            "35..38 : object = ext",
            "38..39 : object = marker 0xdb",
            "39..41 : length of an object = 0000 ! input ends early: 4 bytes needed, 2 left",
        ]
    );
}

/// Without the version, the kind of file is unknown.
#[test]
fn bytes_without_a_version() {
    assert_eq!(
        lines(&explained("text", b"Lorem ipsum")),
        [
            "0..1 version: major version = integer 76 ! marker 0x4c is not uint32 (0xce); \
             file version 76.111 is not 0.1",
            "1..2 version: minor version = integer 111 ! marker 0x6f is not uint32 (0xce)",
            "2..3 data_type: data type = integer 114 ! marker 0x72 is not uint32 (0xce)",
            "3..11 : not read",
        ]
    );
}

/// An object of another type is skipped with its content.
#[test]
fn objects_of_another_type() {
    let bytes = File::from(Shape::new(&[3]).unwrap()).to_vec().unwrap();
    for (object, shown) in [
        (&b"\x92\x91\xc0\x81\xa1k\xc3"[..], "array of 2"),
        (b"\xc8\0\x02\x07ab", "ext"),
        (b"\xc1", "no object"),
        (b"\xca\x3f\x80\0\0", "float32 1.0"),
        (b"\xc2", "false"),
    ] {
        let bytes = [&bytes[..16], object, &bytes[21..]].concat();
        let end = 16 + object.len();
        assert_eq!(
            lines(&explained(shown, &bytes)[4..]),
            [
                format!(
                    "16..{end} dims[0]: dim = {shown} ! marker {:#04x} is not uint32 (0xce)",
                    object[0],
                ),
                format!("{end}..{} batch: batch = uint32 1", end + 5),
            ]
        );
    }
}

/// A truncated file has the reader's error, and the spans before it are unchanged.
#[test]
fn truncated_files_have_the_error_of_the_reader() {
    for file in ["saved/p_stats_1.param", "saved/o_adam.optimizer", "saved/m_stats.model"] {
        let bytes = FIXTURES.bytes(file);
        let whole = lines(&explained(file, &bytes));
        for len in 0..bytes.len() {
            let spans = explained(file, &bytes[..len]);
            // A count is an error if the items cannot be in the file; a marker may be the last byte.
            let wrong = spans.iter().position(|span| span.error.is_some()).unwrap();
            let alone = spans[wrong].range.start.saturating_sub(1);
            let found = lines(&spans[..wrong]);
            let same = found.iter().zip(&whole).take_while(|(found, whole)| found == whole).count();
            assert!(same == wrong || spans[same].range.start == alone, "{file} cut at {len}");
        }
    }
}

/// Deeply nested objects are explained without nesting, in linear time.
#[test]
fn deep_objects() {
    const DEEP: usize = 50_000;
    let shape = File::from(Shape::new(&[3]).unwrap()).to_vec().unwrap();
    let mut unknown = shape[..15].to_vec();
    unknown[13] = 5;
    for (front, spans) in [(&unknown[..], 3 + DEEP), (&shape[..15], 6), (&shape[..16], 6)] {
        let bytes = [front, &[0x91; DEEP]].concat();
        let spans_of_file = explained("deep", &bytes);
        assert!(spans_of_file.len() <= spans, "{} spans", spans_of_file.len());
    }
}
