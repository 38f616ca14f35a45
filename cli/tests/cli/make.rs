//! `fourfold make`: the output of `dump` becomes the same bytes again.

mod random;

use std::path::{Path, PathBuf};

use fourfold::biniou::{self, ChunkReader, StreamDeserializer, Value};
use fourfold::primitiv::File;
use fourfold::tsm::{Module, PackedTensor};

use crate::command::{Folder, Run, bytes, fixture, fourfold, fourfold_with, in_root};

fn made(json: &str) -> Run {
    fourfold_with(&["make", "-", "-o", "-"], json.as_bytes())
}

/// The bytes after `dump` and then `make`.
fn there_and_back(bytes: &[u8], format: &str) -> Vec<u8> {
    let json =
        fourfold_with(&["dump", "-", "--json", "--full", "--format", format], bytes).succeeded();
    let back =
        fourfold_with(&["make", "-", "-o", "-", "--format", format], &json.stdout).succeeded();
    back.stdout
}

fn is_biniou(bytes: &[u8]) -> bool {
    let mut chunks = ChunkReader::new(bytes);
    let are_chunks = chunks.by_ref().all(|chunk| chunk.is_ok()) && chunks.into_inner().is_empty();
    let mut values = StreamDeserializer::<_, Value>::from_slice(bytes);
    are_chunks || (!bytes.is_empty() && values.all(|value| value.is_ok()))
}

fn is_tsm(bytes: &[u8]) -> bool {
    Module::from_slice(bytes).is_ok() || PackedTensor::from_slice(bytes).is_ok()
}

fn is_primitiv(bytes: &[u8]) -> bool {
    File::from_slice(bytes).is_ok()
}

fn files(directory: &Path, extensions: &[&str], found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, extensions, found);
        } else if path.extension().is_some_and(|own| extensions.iter().any(|one| own == *one)) {
            found.push(path);
        }
    }
}

/// Name, file extensions, and whether the library can read a file.
type Format = (&'static str, &'static [&'static str], fn(&[u8]) -> bool);

#[test]
fn every_fixture_survives_byte_for_byte() {
    let formats: [Format; 3] = [
        ("biniou", &["biniou", "stream", "broken"], is_biniou),
        ("tsm", &["tsm", "t"], is_tsm),
        ("primitiv", &["param", "model", "optimizer", "shape", "tensor"], is_primitiv),
    ];
    let mut good = 0;
    for (format, extensions, is_good) in formats {
        let mut paths = Vec::new();
        let root = in_root(fixture(format));
        files(&root, extensions, &mut paths);
        assert!(paths.len() > 80, "{format}");
        let refuse_or_return = |path: &PathBuf| {
            let bytes = std::fs::read(path).unwrap();
            let file = path.to_str().unwrap();
            if is_good(&bytes) {
                assert!(there_and_back(&bytes, format) == bytes, "{file}");
                return 1;
            }
            let run = fourfold(&["dump", file, "--format", format]);
            assert_eq!((run.code, run.text(), run.stderr.lines().count()), (2, "", 1), "{file}");
            0
        };
        let halves = paths.split_at(paths.len() / 2);
        good += std::thread::scope(|scope| {
            let other = scope.spawn(|| halves.1.iter().map(refuse_or_return).sum::<u32>());
            halves.0.iter().map(refuse_or_return).sum::<u32>() + other.join().unwrap()
        });
    }
    assert!(good >= 500, "{good}");
}

#[test]
fn names_are_hashed_again() {
    let file = fixture("biniou/data/save.player-one.biniou");
    let dict = fixture("biniou/schemas/save.atd");
    let json = fourfold(&["dump", &file, "--json", "--dict", &dict]);
    assert!(json.text().contains("\"inventory\": ["));
    assert_eq!(made(json.text()).stdout, bytes(&file));
}

/// JSON of every special form, and its bytes.
#[test]
fn every_form_of_biniou_can_be_written_by_hand() {
    let value = |json: &str| format!("{{\"fourfold\": \"biniou\", \"value\": {json}}}");
    for (json, expected) in [
        ("null", &[24, 0][..]),
        ("true", &[0, 1]),
        ("-5", &[17, 9]),
        ("0.5", &[12, 0x3f, 0xe0, 0, 0, 0, 0, 0, 0]),
        ("-0.0", &[12, 0x80, 0, 0, 0, 0, 0, 0, 0]),
        ("5e-1", &[12, 0x3f, 0xe0, 0, 0, 0, 0, 0, 0]),
        (r#"{"$float64": 1}"#, &[12, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0]),
        (r#"{"$float64": "nan"}"#, &[12, 0x7f, 0xf8, 0, 0, 0, 0, 0, 0]),
        (r#"{"$float64": "nan:fff0000000000001"}"#, &[12, 0xff, 0xf0, 0, 0, 0, 0, 0, 1]),
        (r#"{"$float64": "-inf"}"#, &[12, 0xff, 0xf0, 0, 0, 0, 0, 0, 0]),
        (r#"{"$float32": 0.5}"#, &[11, 0x3f, 0, 0, 0]),
        (r#"{"$float32": "inf"}"#, &[11, 0x7f, 0x80, 0, 0]),
        (r#"{"$float32": "nan:7f800001"}"#, &[11, 0x7f, 0x80, 0, 1]),
        (r#"{"$float32": [0.5, "nan"]}"#, &[19, 2, 11, 0x3f, 0, 0, 0, 0x7f, 0xc0, 0, 0]),
        (r#"{"$int8": 255}"#, &[1, 255]),
        (r#"{"$int8": [1, 2]}"#, &[19, 2, 1, 1, 2]),
        (r#"[{"$int8": 1}, {"$int8": 2}]"#, &[19, 2, 1, 1, 2]),
        (r#"{"$int16": 258}"#, &[2, 1, 2]),
        (r#"{"$int32": -1}"#, &[3, 255, 255, 255, 255]),
        (r#"{"$int64": -9223372036854775808}"#, &[4, 0x80, 0, 0, 0, 0, 0, 0, 0]),
        (r#"{"$uvint": 128}"#, &[16, 0x80, 1]),
        (r#""h\u00e9""#, &[18, 3, b'h', 0xc3, 0xa9]),
        (r#"{"$hex": "ff00"}"#, &[18, 2, 255, 0]),
        ("[]", &[19, 0]),
        ("[1, 2]", &[19, 2, 17, 2, 4]),
        (r#"{"$tuple": [1, null]}"#, &[20, 2, 17, 2, 24, 0]),
        ("{}", &[21, 0]),
        (r#"{"x": 1}"#, &[21, 1, 0x80, 0, 0, 0x78, 17, 2]),
        (r##"{"#00000078": 1}"##, &[21, 1, 0x80, 0, 0, 0x78, 17, 2]),
        (
            r#"{"$record": [["x", 1], ["x", 2]]}"#,
            &[21, 2, 0x80, 0, 0, 0x78, 17, 2, 0x80, 0, 0, 0x78, 17, 4],
        ),
        (r#"{"$num_variant": 0}"#, &[22, 0]),
        (r#"{"$num_variant": [1, null]}"#, &[22, 0x81, 24, 0]),
        (r#"{"$variant": "x"}"#, &[23, 0, 0, 0, 0x78]),
        (r#"{"$variant": ["x", 1]}"#, &[23, 0x80, 0, 0, 0x78, 17, 2]),
        (
            r#"{"$table": [{"x": {"$int8": 1}}, {"x": {"$int8": 2}}]}"#,
            &[25, 2, 1, 0x80, 0, 0, 0x78, 1, 1, 2],
        ),
        (r#"{"$table": []}"#, &[25, 0]),
        (r#"{"$table": [{}, {}]}"#, &[25, 2, 0]),
        (r#"{"$shared": [1, {"$reference": 1}]}"#, &[26, 0, 26, 2]),
        (r#"{"$overlong": [[1, 0], {"$uvint": 5}]}"#, &[16, 0x85, 0]),
    ] {
        let run = made(&value(json));
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{json}");
        assert_eq!(run.stdout, expected, "{json}");
        let back = fourfold_with(&["dump", "-", "--json", "--format", "biniou"], expected);
        let again = made(back.text());
        assert_eq!(again.stdout, expected, "{}", back.text());
    }

    // Names that look like hashes and forms.
    for (key, name) in [("$$int8", "$int8"), ("$#00000078", "#00000078"), ("$$$", "$$")] {
        let run = made(&value(&format!("{{{key:?}: 1}}")));
        let expected = Value::Record(vec![(biniou::hash(name), Value::Svint(1))]);
        assert_eq!(run.stdout, biniou::to_vec(&expected).unwrap());
    }

    let several = made(r#"{"fourfold": "biniou", "values": [true, null]}"#);
    assert_eq!(several.stdout, [0, 1, 24, 0]);
    let chunks = made(
        r#"{"fourfold": "biniou", "chunks": [{"value": true}, {"values": [true, null]}, {"bytes": "ff"}]}"#,
    );
    let head = |length: u8| [1, 0, 0, 0, 0, 0, 0, 0, length];
    let expected = [&head(2)[..], &[0, 1], &head(4), &[0, 1, 24, 0], &head(1), &[255, 0]].concat();
    assert_eq!(chunks.stdout, expected);
}

/// Invalid JSON, with the expected errors.
#[test]
fn errors_in_json_have_line_and_column() {
    for (json, expected) in [
        ("", "EOF while parsing a value at line 1 column 0"),
        (
            "{\n  \"fourfold\": \"tsm\",\n  \"inputs\": [0\n",
            "EOF while parsing a list at line 4 column 0",
        ),
        ("[1]", "expected an object, found a list at line 1 column 1"),
        (
            "{}",
            "the key \"fourfold\" of whole files in `dump --json` is missing at line 1 column 1; for JSON \
             of one value, pass `--schema` and `--type`",
        ),
        (
            r#"{"fourfold": "molecule"}"#,
            "Molecule files contain no types in fourfold at line 1 column 14; pass a `.mol` file with `--schema`",
        ),
        (
            r#"{"fourfold": "biniou"}"#,
            "there is neither \"value\" nor \"values\" nor \"chunks\" at line 1 column 1",
        ),
        (
            r#"{"fourfold": "biniou", "value": 1, "value": 2}"#,
            "duplicate key \"value\" at line 1 column 1",
        ),
        (
            r#"{"fourfold": "biniou", "value": 1, "x": 2}"#,
            "unexpected key \"x\" in x at line 1 column 41",
        ),
        (
            "{\"fourfold\": \"biniou\",\n \"value\": {\"$int8\": 256}}",
            "expected an integer from 0 to 255, found 256 in value.$int8 at line 2 column 21",
        ),
        (
            r#"{"fourfold": "biniou", "value": [1, {"$int8": 1}]}"#,
            "a value of type int8 among values of type svint in value[1] at line 1 column 37",
        ),
        (
            r#"{"fourfold": "biniou", "value": {"$nothing": 1}}"#,
            "unknown form \"$nothing\" in value.$nothing at line 1 column 46; write a name that begins so \
             with another $ before it",
        ),
        (
            r##"{"fourfold": "biniou", "value": {"#xyz": 1}}"##,
            "invalid hash \"#xyz\": expected \"#\" and 8 digits, below #80000000 in value.#xyz at line 1 column 42",
        ),
        (
            r#"{"fourfold": "biniou", "value": {"$hex": "f"}}"#,
            "expected hexadecimal digits, two per byte, found \"f\" in value.$hex at line 1 column 42",
        ),
        (
            r#"{"fourfold": "biniou", "value": {"$reference": 1}}"#,
            "this value has no encoding: a reference follows the shared value of its number in \
             value at line 1 column 33",
        ),
        (
            r#"{"fourfold": "biniou", "value": {"$float64": 1e999}}"#,
            "1e999 is beyond f64 in value.$float64 at line 1 column 46",
        ),
        (
            r#"{"fourfold": "biniou", "value": {"$table": [{"x": 1}, {"y": 1}]}}"#,
            "the rows of a table have the same names in one order in value.$table[1] at line 1 column 55",
        ),
        (
            r#"{"fourfold": "biniou", "value": {"$int8": []}}"#,
            "an empty array has no item type in value.$int8 at line 1 column 43; write []",
        ),
        (
            r#"{"fourfold": "biniou", "value": "\ud800"}"#,
            "this text has escapes of invalid characters in value at line 1 column 33",
        ),
        (
            r#"{"fourfold": "tsm", "inputs": [], "outputs": []}"#,
            "the key \"graph\" is missing at line 1 column 1",
        ),
        (
            r#"{"fourfold": "tsm", "inputs": [], "outputs": [], "graph": [{"bubble": {}, "inputs": []}]}"#,
            "this is not a module: node 0: no #op in graph[0] at line 1 column 1",
        ),
        (
            r#"{"fourfold": "tsm", "tensor": {"dtype": "FLOAT99", "shape": [], "data": []}}"#,
            "expected the name of a type, such as \"float32\", found \"FLOAT99\" in tensor.dtype at line 1 column 41",
        ),
        (
            r#"{"fourfold": "tsm", "tensor": {"dtype": "int8", "shape": [3], "data": [1, 2]}}"#,
            "2 bytes where 3 belong in tensor at line 1 column 31",
        ),
        (
            r#"{"fourfold": "tsm", "tensor": {"dtype": "int8", "shape": [1], "data": [128]}}"#,
            "expected an integer from -128 to 127, found 128 in tensor.data[0] at line 1 column 72",
        ),
        (
            r#"{"fourfold": "tsm", "tensor": {"dtype": "int8", "shape": [1], "data": {"$summary": {}}}}"#,
            "the elements were left out in tensor.data at line 1 column 71; dump the file with `--full`",
        ),
        (
            r#"{"fourfold": "tsm", "tensor": {"dtype": "complex64", "shape": [1], "data": [[1.0]]}}"#,
            "expected a list of two floats, found a list in tensor.data[0] at line 1 column 77",
        ),
        (
            r#"{"fourfold": "primitiv", "type": "weights"}"#,
            "expected \"shape\", \"tensor\", \"parameter\", \"model\" or \"optimizer\", found \"weights\" in \
             type at line 1 column 34",
        ),
        (
            r#"{"fourfold": "primitiv", "type": "shape", "dims": [2], "dims_width": 7}"#,
            "expected 8, 16 or 32, found 7 in dims_width at line 1 column 70",
        ),
        (
            r#"{"fourfold": "primitiv", "type": "tensor", "shape": {"dims": [0]}, "data": []}"#,
            "dim is 0 in shape at line 1 column 53",
        ),
    ] {
        let run = made(json);
        assert_eq!(run.stderr, format!("fourfold: standard input: {expected}\n"), "{json}");
        assert_eq!((run.code, run.text()), (2, ""));
    }
    // No subcommand accepts an empty file, so none is made.
    let run = made(r#"{"fourfold": "biniou", "values": []}"#);
    assert_eq!((run.code, run.stderr.contains("a biniou file has at least one value")), (2, true));
    let run = fourfold_with(&["make", "-", "-o", "-"], b"{\"\xff\"}");
    assert_eq!((run.code, run.stderr.contains("invalid utf-8 at byte 2")), (2, true));
}

#[test]
fn the_requested_format_must_be_that_of_the_json() {
    let json = br#"{"fourfold": "biniou", "value": 1}"#;
    let run = fourfold_with(&["make", "-", "-o", "-", "--format", "biniou"], json);
    assert_eq!((run.code, &*run.stdout), (0, &[17, 2][..]));
    let run = fourfold_with(&["make", "-", "-o", "-", "--format", "tsm"], json);
    assert_eq!((run.code, run.text()), (2, ""));
    assert!(run.stderr.contains("this is biniou, not tsm"), "{}", run.stderr);
    let run = fourfold_with(&["make", "-", "-o", "-", "--format", "molecule"], json);
    assert_eq!((run.code, run.text()), (1, ""));
}

#[test]
fn unlimited_nesting_is_refused() {
    for (open, close) in
        [("[", "]"), ("{\"a\":", "}"), ("{\"$tuple\":[", "]}"), ("{\"$shared\":[1,", "]}")]
    {
        for depth in [129, 100_000] {
            let value = format!("{}1{}", open.repeat(depth), close.repeat(depth));
            let run = made(&format!("{{\"fourfold\":\"biniou\",\"value\":{value}}}"));
            assert_eq!(
                (run.code, run.text(), run.stderr.lines().count()),
                (2, "", 1),
                "{open} {depth}"
            );
        }
    }
    let value = format!("{}1{}", "[".repeat(128), "]".repeat(128));
    assert_eq!(made(&format!("{{\"fourfold\":\"biniou\",\"value\":{value}}}")).code, 0);
}

#[test]
fn a_file_is_written_as_a_whole_or_not_at_all() {
    let directory = Folder::new();
    let out = directory.path("out.biniou");
    let json = directory.path("in.json");
    let make = |text: &str| {
        std::fs::write(&json, text).unwrap();
        fourfold(&["make", &json, "-o", &out]).code
    };
    assert_eq!(make(r#"{"fourfold": "biniou", "value": 1}"#), 0);
    assert_eq!(std::fs::read(&out).unwrap(), [17, 2]);
    assert_eq!(make(r#"{"fourfold": "biniou", "value": [1, "x"]}"#), 2);
    assert_eq!(std::fs::read(&out).unwrap(), [17, 2]);
    assert_eq!(std::fs::read_dir(directory.root()).unwrap().count(), 2);
    let run = fourfold(&["make", "no such file", "-o", &out]);
    assert_eq!(run.code, 1);
}

/// Deeply nested bytes, each level after other bytes.
fn nested(around: &[u8], levels: usize, inner: &[u8]) -> Vec<u8> {
    [around.repeat(levels), inner.to_vec()].concat()
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn deep_values_survive_with_the_same_depth() {
    let with_name = |tag: &[u8], mark: u32| {
        let hash = biniou::hash("a") | mark;
        [tag, &hash.to_be_bytes()].concat()
    };
    let record = [&[21, 1][..], &(biniou::hash("a") | 1 << 31).to_be_bytes()].concat();
    let cases: [(&str, Vec<u8>, usize); 6] = [
        ("tuples", vec![20, 1], 520),
        ("tuples, deeper", vec![20, 1], 3_990),
        ("lists", vec![19, 1], 2_000),
        ("records", record, 1_500),
        ("variants", with_name(&[23], 1 << 31), 1_500),
        ("vints that are too long", vec![20, 0x81, 0], 800),
    ];
    for (what, around, levels) in cases {
        let bytes = nested(&around, levels, &[17, 2]);
        let run = |arguments: &[&str], input: &[u8]| {
            let run =
                fourfold_with(&[arguments, &["--max-depth", "4000"]].concat(), input).succeeded();
            run.stdout
        };
        let json = run(&["dump", "--json", "--full", "--format", "biniou", "-"], &bytes);
        assert!(json.len() < levels * 300 + 1_000, "{what}: {} bytes", json.len());
        for form in ["--tree", "--yaml"] {
            let text = run(&["dump", form, "--full", "--format", "biniou", "-"], &bytes);
            assert!(text.len() < levels * 300 + 1_000, "{what} {form}: {} bytes", text.len());
        }
        assert_eq!(run(&["make", "-"], &json), bytes, "{what}");
    }
    let json =
        format!("{{\"fourfold\":\"biniou\",\"value\":{}{}}}", "[".repeat(2_000), "]".repeat(2_000));
    let run = fourfold_with(&["make", "-"], json.as_bytes());
    let text =
        "lists and objects are nested deeper than 1024 levels; use `--max-depth` to allow more";
    assert!(run.code == 2 && run.stderr.contains(text), "{}", run.stderr);
}

#[test]
fn deep_values_with_a_schema_survive() {
    let folder = Folder::new();
    let schema = &folder.write(
        "s.atd",
        "type t = [ Leaf | Node of t | Pair of (t * int) ] type r = { ?r : r option }",
    );
    let leaf = [&[23][..], &biniou::hash("Leaf").to_be_bytes()].concat();
    let node = [&[23][..], &(biniou::hash("Node") | 1 << 31).to_be_bytes()].concat();
    for levels in [100, 500, 1_500] {
        let bytes = nested(&node, levels, &leaf);
        let by = ["--schema", schema, "--type", "t", "--max-depth", "4000"];
        let json = fourfold_with(&[&["dump", "--json", "-"], &by[..]].concat(), &bytes).succeeded();
        let made = fourfold_with(&[&["make", "-"], &by[..]].concat(), &json.stdout).succeeded();
        assert_eq!(made.stdout, bytes);
    }
    let by = ["--schema", schema, "--type", "t"];
    let json = format!("{}\"Leaf\"{}", "[\"Node\",".repeat(300), "]".repeat(300));
    let run = fourfold_with(&[&["make", "-"], &by[..]].concat(), json.as_bytes());
    assert!(
        run.code == 2 && run.stderr.contains("nested deeper than 128 levels"),
        "{}",
        run.stderr
    );
}
