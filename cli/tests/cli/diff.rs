//! Differences by path, within a format and across.

use fourfold::tsm;

use crate::command::{Folder, fixture, fourfold, fourfold_with, snapshot, some_fixtures};
use crate::convert::fixtures;

/// The output, after a check that the exit code agrees with it.
#[track_caller]
fn diff(arguments: &[&str]) -> String {
    let run = fourfold(&[&["diff"], arguments].concat());
    assert_eq!(run.stderr, "", "{arguments:?}");
    let equal = run.stdout.is_empty() || run.text().contains("\"equal\": true");
    assert_eq!(run.code, if equal { 0 } else { 3 }, "{arguments:?}");
    String::from_utf8(run.stdout).unwrap()
}

/// No file differs from itself, valid or not.
#[test]
fn every_file_equals_itself() {
    let words = fixture("biniou/schemas/save.atd");
    let options =
        ["--tolerance", "0", "--json", "--max-depth", "200", "--dict", &words, "--format"];
    for (format, files) in some_fixtures() {
        let verified = fourfold(
            &[&["verify", "--max-depth", "200", "--format", format], &*borrowed(&files)].concat(),
        );
        let mut verdicts = verified.text().lines();
        for file in &files {
            let run = fourfold(&["diff", file, file]);
            let is_equal = run.code == 0 && run.stdout.is_empty() && run.stderr.is_empty();
            let is_refused = [1, 2].contains(&run.code) && run.stderr.lines().count() == 1;
            assert!(is_equal || is_refused, "{file}: {} {}", run.text(), run.stderr);

            let run = fourfold(&[&["diff", file, file], &options[..], &[format]].concat());
            let is_equal = run.code == 0 && run.text().contains("\"equal\": true");
            // Molecule files are not verified, but their bytes can be compared.
            let verdict = verdicts.next().unwrap_or("molecule: good ");
            let is_good = verdict.contains(": good ");
            assert_eq!(is_equal, is_good, "{file}: {} {}", run.text(), run.stderr);
            assert!(is_equal || run.code == 2, "{file}: {} {}", run.text(), run.stderr);
        }
    }
}

fn borrowed(files: &[String]) -> Vec<&str> {
    files.iter().map(String::as_str).collect()
}

#[test]
fn duplicates_are_compared_in_order() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    let optimizer = |name: &str, uint: u32, float: &str| {
        let json = format!(
            r#"{{"fourfold": "primitiv", "type": "optimizer",
                "uint_configs": {{"a": {uint}}}, "float_configs": {{"a": {float}}}}}"#
        );
        fourfold_with(&["make", "-", "-o", &path(name)], json.as_bytes()).succeeded();
        path(name)
    };
    let one = optimizer("one", 1, "0.5");
    assert_eq!(diff(&[&one, &one]), "");
    assert_eq!(diff(&[&one, &optimizer("two", 2, "0.5")]), "~ uint_configs.a: 1 → 2\n");
    assert_eq!(diff(&[&one, &optimizer("three", 1, "1.5")]), "~ float_configs.a: 0.5 → 1.5\n");

    // A node with two ops: TenniS uses the first, the second is a plain tensor.
    let twice = fixture("tsm/odd/duplicate_op_param.tsm");
    assert_eq!(diff(&[&twice, &twice]), "");
    assert_eq!(diff(&[&twice, &twice, "--json", "--tolerance", "1"]), EQUAL);
}

const EQUAL: &str = "{\n  \"equal\": true,\n  \"differences\": []\n}\n";

/// A stream of these chunks, each a list of one int8.
fn stream(chunks: &[u8]) -> Vec<u8> {
    let mut stream = fourfold::biniou::ChunkWriter::new(Vec::new());
    for chunk in chunks {
        stream.write_chunk(&[19, 1, 1, *chunk]).unwrap();
    }
    stream.finish().unwrap()
}

/// Lists of values with a common beginning and end are compared by index in between.
#[test]
fn values_in_a_row_are_compared() {
    let folder = Folder::new();
    let diff = |old: &[u8], new: &[u8]| {
        let values = |name: &str, numbers: &[u8]| {
            let path = folder.path(name);
            let bytes: Vec<u8> = numbers.iter().flat_map(|number| [1, *number]).collect();
            std::fs::write(&path, bytes).unwrap();
            path
        };
        let (old, new) = (values("old", old), values("new", new));
        let run = fourfold(&["diff", "--format", "biniou", &old, &new]);
        assert_eq!(run.stderr, "");
        run.text().to_owned()
    };
    assert_eq!(diff(&[1, 2, 3], &[1, 2, 3]), "");
    assert_eq!(diff(&[1, 2, 3], &[1, 9, 3]), "~ [1]: int8 0x02 → int8 0x09\n");
    assert_eq!(diff(&[1, 2, 3], &[1, 9, 2, 3]), "+ [1]: int8 0x09\n");
    assert_eq!(diff(&[1, 1, 1], &[1, 1]), "- [2]: int8 0x01\n");
    assert_eq!(diff(&[1, 2, 3, 4], &[1, 7, 4]), "~ [1]: int8 0x02 → int8 0x07\n- [2]: int8 0x03\n");
    assert_eq!(diff(&[1], &[2, 1]), "+ [0]: int8 0x02\n");
}

#[test]
fn chunks_of_a_stream_are_compared() {
    let folder = Folder::new();
    let path = |name: &str, bytes: &[u8]| folder.write(name, bytes);
    let old = path("old", &stream(&[1, 2, 3]));
    let new = path("new", &stream(&[1, 5, 3, 4]));
    let text = "+ [1]: array of 1\n~ [2][0]: int8 0x02 → int8 0x05\n";
    let found = diff(&[&old, &new]);
    assert!(
        found == "~ [1][0]: int8 0x02 → int8 0x05\n+ [3]: array of 1\n" || found == text,
        "{found}"
    );
    assert_eq!(diff(&[&old, &path("same", &stream(&[1, 2, 3]))]), "");
    let plain: Vec<u8> = [1, 2, 3].iter().flat_map(|item| [19, 1, 1, *item]).collect();
    let plain = path("plain", &plain);
    assert_eq!(diff(&[&old, &plain]), "~ framing: a stream of chunks → values\n");
    // A chunk without a value is reported; the offset is counted from the start of the file.
    let mut bad = fourfold::biniou::ChunkWriter::new(Vec::new());
    bad.write_chunk(&[0, 1]).unwrap();
    bad.write_chunk(&[0, 2]).unwrap();
    let bad = path("bad.stream", &bad.finish().unwrap());
    let run = fourfold(&["diff", &bad, &bad, "--format", "biniou"]);
    let text = format!("fourfold: {bad}: bool is 2, neither 0 nor 1 in [1] at byte 21\n");
    assert_eq!((run.code, run.stderr), (2, text));
}

#[test]
fn names_and_depth_are_options() {
    let folder = Folder::new();
    let path = |name: &str, bytes: &[u8]| folder.write(name, bytes);
    use fourfold::biniou::{Value as V, hash, to_vec};
    let record = |age: i128, kind: &str| {
        let kind = V::Variant(hash(kind), Some(Box::new(V::Unit)));
        to_vec(&V::Record(vec![(hash("age"), V::Svint(age)), (hash("kind"), kind)])).unwrap()
    };
    let (old, new) = (path("old", &record(1, "Elf")), path("new", &record(2, "Orc")));
    let words = path("words", b"age\nkind\nElf\n");
    let text = "~ age: svint 1 → svint 2\n~ kind: <Elf: unit unit> → <#00390cb2: unit unit>\n";
    let orc = format!("#{:08x}", hash("Orc"));
    assert_eq!(diff(&[&old, &new, "--dict", &words]), text.replace("#00390cb2", &orc));

    let nested = |levels: usize, last: u8| [[19, 1].repeat(levels - 1), vec![19, last]].concat();
    let (deep, other) =
        (path("deep", &nested(1000, 0)), path("other", &[nested(999, 1), vec![0, 1]].concat()));
    let run = fourfold(&["diff", "--format", "biniou", &deep, &deep]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("nested deeper than 128 levels"), "{}", run.stderr);
    let deeper = ["--format", "biniou", "--max-depth", "1001"];
    assert_eq!(diff(&[&deeper[..], &[&deep, &deep]].concat()), "");
    assert_eq!(fourfold(&[&["diff", &deep, &other], &deeper[..]].concat()).code, 3);
    let run = fourfold(&["detect", "--max-depth", "1001", &deep]);
    assert_eq!((run.code, run.text().lines().next()), (0, Some(&*format!("{deep}: biniou"))));
    for subcommand in ["verify", "info", "dump", "explain"] {
        assert_eq!(fourfold(&[subcommand, "--format", "biniou", &deep]).code, 2, "{subcommand}");
        fourfold(&[&[subcommand, &deep], &deeper[..]].concat()).succeeded();
    }
    // The largest depth that `--max-depth` accepts.
    let deepest = path("deepest", &nested(65_000, 0));
    for arguments in [&["diff", &deepest, &deepest][..], &["verify", "--canonical", &deepest]] {
        let options = ["--format", "biniou", "--max-depth", "65535"];
        fourfold(&[arguments, &options].concat()).succeeded();
    }
    let json = fourfold(&[
        "dump",
        "--json",
        "--format",
        "biniou",
        "--max-depth",
        "400",
        &path("d", &nested(400, 0)),
    ]);
    let back = fourfold_with(&["make", "-", "--max-depth", "400"], &json.stdout);
    assert_eq!((back.code, back.stdout), (0, nested(400, 0)), "{}", back.stderr);
}

#[test]
fn output_matches_the_snapshots() {
    let [minimal, passthrough, multi, saved, attrs, packed] =
        ["minimal", "passthrough", "multi_io", "multi_io_saved", "attrs", "packed"]
            .map(|name| fixture(&format!("tsm/good/{name}.tsm")));
    let primitiv = |name: &str| fixture(&format!("primitiv/saved/{name}"));
    let mut text = String::new();
    for (old, new) in [
        (minimal, passthrough),
        (multi, saved),
        (attrs, packed),
        (primitiv("o_adam.optimizer"), primitiv("o_adam_default.optimizer")),
        (primitiv("s_4.shape"), primitiv("s_batch.shape")),
        (primitiv("p_stats_1.param"), primitiv("p_stats_1_left_out.param")),
        (primitiv("t_mat3x2.tensor"), primitiv("p_mat2x3.param")),
        (primitiv("m_flat15.model"), primitiv("m_flat16.model")),
        (
            fixture("biniou/data/log.log_list-three.biniou"),
            fixture("biniou/data/save.player-one.biniou"),
        ),
    ] {
        text += &format!("$ fourfold diff {old} {new}\n{}", diff(&[&old, &new]));
    }
    snapshot("diff", &text);
}

/// An npy file with these floats.
fn npy(values: &[f32]) -> Vec<u8> {
    let header =
        format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({},), }}\n", values.len());
    let mut bytes = b"\x93NUMPY\x01\0".to_vec();
    bytes.extend(u16::try_from(header.len()).unwrap().to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    bytes
}

#[test]
fn elements_are_compared_as_numbers() {
    let folder = Folder::new();
    let old = &folder.path("old.npy");
    let first = [1.0, f32::NAN, 0.0, f32::INFINITY, 5.0];
    std::fs::write(old, npy(&first)).unwrap();
    let against = |values: &[f32], options: &[&str]| {
        let run = fourfold_with(&[&["diff", old, "-"], options].concat(), &npy(values));
        assert_eq!(run.stderr, "");
        (run.code, run.text().trim_end().to_owned())
    };
    // Any NaN is NaN.
    let same = [1.0, f32::from_bits(0xffc0_0001), 0.0, f32::INFINITY, 5.0];
    assert_eq!(against(&same, &[]), (0, String::new()));
    let zero = [1.0, f32::NAN, -0.0, f32::INFINITY, 5.0];
    let text = "~ value: float32 [5], 1 of 5 elements differ, max abs 0.0, max ulp 1, first at [2]: 0.0 → -0.0";
    assert_eq!(against(&zero, &[]), (3, text.into()));
    assert_eq!(against(&zero, &["--tolerance", "0"]), (0, String::new()));
    let other = [1.5, 2.0, 0.0, f32::INFINITY, 5.25];
    let text = "~ value: float32 [5], 3 of 5 elements differ, 1 where one is NaN, max abs 0.5, max ulp 4194304, first at [0]: 1.0 → 1.5";
    assert_eq!(against(&other, &[]), (3, text.into()));
    let text = "~ value: float32 [5], 2 of 5 elements differ, 1 where one is NaN, max abs 0.5, max ulp 4194304, first at [0]: 1.0 → 1.5";
    assert_eq!(against(&other, &["--tolerance", "0.25"]), (3, text.into()));
    let json = against(&other, &["--json"]).1;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let expected = serde_json::json!({
        "equal": false,
        "differences": [{
            "path": "value", "kind": "changed", "tensor": "float32 [5]",
            "differing": 3, "count": 5, "one_is_nan": 1, "max_abs": 0.5, "max_ulp": 4194304,
            "first": [0], "old": "1.0", "new": "1.5",
        }],
    });
    assert_eq!(json, expected);
    let finite = [1.0, f32::NAN, 0.0, 1.0, 5.0];
    assert!(against(&finite, &[]).1.contains("max abs inf"));
    let json = against(&finite, &["--json"]).1;
    assert!(json.contains("\"max_abs\": \"inf\""), "{json}");
}

#[test]
fn converted_files_are_equal() {
    let folder = Folder::new();
    let mut files = fixtures("tsm/good", &["tsm", "t"]);
    files.extend(fixtures("primitiv/saved", &["model", "param", "tensor"]));
    for file in files {
        for container in ["safetensors", "npz"] {
            let made = &folder.path(format!("made.{container}"));
            let run = fourfold(&["convert", "--raw", &file, made]);
            if run.code != 0 {
                assert!(run.stderr.contains("too long for a zip file"), "{}", run.stderr);
                continue;
            }
            assert_eq!(diff(&[&file, made]), "", "{file} as {container}");
            assert_eq!(diff(&[made, &file]), "", "{file} as {container}");
        }
    }
}

/// A file of one tensor does not store a name.
#[test]
fn a_tensor_alone_is_compared_by_any_name() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    let model = fixture("primitiv/saved/m_name_of_31_bytes.model");
    for (from, to) in [(model.as_str(), "x.npy"), (model.as_str(), "x.tensor"), (&model, "x.t")] {
        assert_eq!(fourfold(&["convert", from, &path(to)]).code, 0, "{to}");
        assert_eq!(
            fourfold(&["diff", from, &path(to), "--json"]).code,
            3 * i32::from(to == "x.tensor")
        );
        let back = path("back.model");
        assert_eq!(fourfold(&["convert", &path(to), &back, "--like", from]).code, 0, "{to}");
        assert_eq!(diff(&[from, &back]), "");
    }
}

#[test]
fn values_of_biniou_are_compared_by_path() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    let write = |name: &str, value: &fourfold::biniou::Value| {
        std::fs::write(path(name), fourfold::biniou::to_vec(value).unwrap()).unwrap();
    };
    use fourfold::biniou::Value as V;
    let list = |numbers: &[i128]| V::Array(numbers.iter().map(|n| V::Svint(*n)).collect());
    let record = |fields: Vec<(u32, V)>| V::Record(fields);
    write(
        "old",
        &record(vec![
            (1, list(&[1, 2, 3, 4])),
            (2, V::Float64(1.0)),
            (3, V::from("gone")),
            (5, V::Variant(7, Some(Box::new(V::Int8(1))))),
        ]),
    );
    write(
        "new",
        &record(vec![
            (5, V::Variant(7, Some(Box::new(V::Int8(2))))),
            (4, V::Bool(true)),
            (2, V::Float64(1.25)),
            (1, list(&[1, 9, 2, 3, 4])),
        ]),
    );
    let text = "\
+ #00000001[1]: svint 9
~ #00000002: float64 1. → float64 1.25
- #00000003: string \"gone\"
~ #00000005.<#00000007>: int8 0x01 → int8 0x02
+ #00000004: bool true
";
    let (old, new) = (path("old"), path("new"));
    assert_eq!(diff(&[&old, &new]), text);
    let near = diff(&[&old, &new, "--tolerance", "0.25"]);
    assert!(!near.contains("float64"), "{near}");
    assert_eq!(diff(&[&old, &old, "--json"]), "{\n  \"equal\": true,\n  \"differences\": []\n}\n");
}

#[test]
fn tables_are_compared_by_column() {
    use fourfold::biniou::{Table, Tag, Value as V};
    let folder = Folder::new();
    let table = |name: &str, columns: &[(u32, Tag)], rows: &[&[V]]| {
        let rows = rows.iter().map(|row| row.to_vec()).collect();
        let table = V::Table(Box::new(Table { columns: columns.to_vec(), rows }));
        folder.write(name, fourfold::biniou::to_vec(&table).unwrap())
    };
    let (int, float) = (V::Svint(1), V::Float64(1.0));
    let old = table("old", &[(1, Tag::Svint), (2, Tag::Float64)], &[&[int.clone(), float.clone()]]);
    let turned = &[(2, Tag::Float64), (1, Tag::Svint)];
    assert_eq!(diff(&[&old, &table("same", turned, &[&[float.clone(), int.clone()]])]), "");
    let near = table("near", turned, &[&[V::Float64(1.25), int.clone()]]);
    assert_eq!(diff(&[&old, &near]), "~ [0].#00000002: float64 1. → float64 1.25\n");
    assert_eq!(diff(&[&old, &near, "--tolerance", "0.5"]), "");
    let next = table("next", turned, &[&[V::Float64(1.0 + f64::EPSILON), int.clone()]]);
    let text = "~ [0].#00000002: float64 1.0 → float64 1.0000000000000002\n";
    assert_eq!(diff(&[&old, &next]), text);
    let other = table("other", &[(3, Tag::Bool), (1, Tag::Int8)], &[&[V::Bool(true), V::Int8(1)]]);
    let text = "\
- [].#00000002: column of float64
+ [].#00000003: column of bool
~ [0].#00000001: svint 1 → int8 0x01
";
    assert_eq!(diff(&[&old, &other]), text);
}

/// Texts are shown where they differ, not only from their beginning.
#[test]
fn long_texts_are_shown_where_they_differ() {
    let folder = Folder::new();
    let path = |name: &str, text: &str| folder.write(name, fourfold::biniou::to_vec(text).unwrap());
    let check = |old: &str, new: &str, text: &str| {
        assert_eq!(diff(&["--format", "biniou", &path("old", old), &path("new", new)]), text);
    };
    let long = "a".repeat(100);
    check(
        &format!("{long}b"),
        &format!("{long}c"),
        "~ value: ..aaaaaaaaaaaaaaaab (101 bytes, from byte 84 on) → ..aaaaaaaaaaaaaaaac (101 bytes, \
         from byte 84 on)\n",
    );
    check(
        &format!("a{long}"),
        &format!("b{long}"),
        &format!("~ value: a{0}.. (101 bytes) → b{0}.. (101 bytes)\n", "a".repeat(63)),
    );
    // Short, but long with its escapes.
    let short = "é".repeat(20);
    check(
        &format!("{short}b"),
        &format!("{short}c"),
        &"~ value: ..EEEEEEEEb (41 bytes, from byte 24 on) → ..EEEEEEEEc (41 bytes, from byte 24 on)\n"
            .replace('E', "\\xc3\\xa9"),
    );
}

#[test]
fn bytes_of_molecule_are_compared() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    std::fs::write(path("a"), [4, 0, 0, 0]).unwrap();
    std::fs::write(path("b"), [5, 0, 1, 2, 9]).unwrap();
    assert_eq!(
        diff(&[&path("a"), &path("b"), "--format", "molecule"]),
        "~ length: 4 → 5\n~ byte 0: 04 → 05\n~ bytes 2..4: 00 00 → 01 02\n"
    );
}

#[test]
fn help_has_every_exit_code() {
    let help = fourfold(&["diff", "--help"]);
    let codes = help.text().split("Exit code: ").nth(1).unwrap().replace('\n', " ");
    assert_eq!(
        codes.trim_end(),
        "0 if they are equal, 3 if they differ, 2 if one is not in its format, 1 if one cannot be \
         read or they have nothing that can be compared."
    );
}

#[test]
fn files_of_different_formats_are_refused() {
    let tsm = fixture("tsm/good/minimal.tsm");
    let run = fourfold(&["diff", &tsm, &fixture("biniou/data/save.player-one.biniou")]);
    assert_eq!((run.code, run.stderr.lines().count()), (1, 1), "{}", run.stderr);
    assert_eq!(fourfold(&["diff", &tsm, &fixture("not-there")]).code, 1);
    assert_eq!(fourfold(&["diff", "-", "-"]).code, 1);
    assert_eq!(fourfold(&["diff", &tsm, &tsm, "--tolerance", "-1"]).code, 1);
    for file in fixtures("tsm/odd", &["tsm"]) {
        let run = fourfold(&["diff", &tsm, &file]);
        assert!([2, 3].contains(&run.code), "{file}: {}", run.stderr);
        assert_eq!(run.stderr.lines().count(), usize::from(run.code == 2), "{file}");
    }
    for file in fixtures("primitiv/crafted", &["model", "param", "tensor", "optimizer"]) {
        let run = fourfold(&["diff", &file, &file]);
        assert!([0, 2].contains(&run.code), "{file}: {}", run.stderr);
    }
}

/// Fixed-point numbers are the integers that `dump` shows; elements of unknown types have no distance.
#[test]
fn elements_have_the_numbers_of_dump() {
    let file = |dtype: &str, data: &str| {
        let json = format!(
            r#"{{"fourfold":"tsm","tensor":{{"dtype":"{dtype}","shape":[2],"data":[{data}]}}}}"#
        );
        let run = fourfold_with(&["make", "-"], json.as_bytes()).succeeded();
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), run.stdout).unwrap();
        file
    };
    let [signed, bits] = [tsm::DType::Sink8Q3, tsm::DType::Unknown8].map(tsm::DType::name);
    for (dtype, old, new, elements) in [
        (signed, "7, -3", "7, 4", "max abs 7, first at [1]: -3 → 4"),
        (bits, "7, 253", "7, 4", "first at [1]: 0xfd → 0x4"),
    ] {
        let (old_file, new_file) = (file(dtype, old), file(dtype, new));
        let paths = [&old_file, &new_file].map(|file| file.path().to_str().unwrap());
        let dumped = fourfold(&["dump", "--format", "tsm", paths[0]]);
        assert!(dumped.text().trim_end().ends_with(&format!(": {old}")), "{}", dumped.text());
        let run = fourfold(&["diff", "--format", "tsm", paths[0], paths[1]]);
        let expected = format!("~ value: {dtype} [2], 1 of 2 elements differ, {elements}\n");
        assert_eq!((run.code, run.text()), (3, expected.as_str()), "{}", run.stderr);
    }
}

/// Tensors are not read as the requested type.
#[test]
fn a_container_is_not_of_a_requested_type() {
    let folder = Folder::new();
    let npz = folder.path("w.npz");
    fourfold(&["convert", &fixture("primitiv/saved/z_xor_adam.model"), &npz]).succeeded();
    let schema = fixture("molecule/schemas/blockchain.mol");
    let block = fixture("molecule/genesis/mainnet.bin");
    let run = |old: &str, new: &str| {
        fourfold(&["diff", "--schema", &schema, "--type", "Block", old, new])
    };
    let apart = run(&npz, &block);
    assert_eq!(apart.code, 1, "{}", apart.stderr);
    let (note, error) = apart.stderr.trim_end().split_once('\n').unwrap();
    assert!(
        note.ends_with("the schema is for molecule, and this file can be read as npz"),
        "{note}"
    );
    assert_eq!(error, "fourfold: tensors and molecule have nothing that can be compared");
    let same = run(&npz, &npz);
    assert_eq!((same.code, same.text()), (2, ""), "the file is not of the type: {}", same.stderr);
}
