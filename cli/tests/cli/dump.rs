//! `fourfold dump`: what it prints.

use fourfold::tsm::{DType, Module, PackedTensor, Prototype, Tensor};

use crate::command::{Folder, Run, bytes, fixture, fourfold, fourfold_with, snapshot};

/// The output of a run that succeeds.
fn dumped(file: &str, arguments: &[&str]) -> String {
    let file = fixture(file);
    let mut all = vec!["dump", &file];
    all.extend(arguments);
    fourfold(&all).succeeded().text().to_owned()
}

const SAVE: &str = "biniou/data/save.player-one.biniou";
const SAVE_ATD: &str = "tests/fixtures/biniou/schemas/save.atd";

#[test]
fn output_matches_the_snapshots() {
    for (name, file, arguments) in [
        ("save", SAVE, &["--dict", SAVE_ATD][..]),
        ("save_hashes", SAVE, &[]),
        ("all_scalars", "biniou/typed/feat.all_scalars-a.biniou", &[]),
        ("row_table", "biniou/typed/feat.row_table-two.biniou", &[]),
        ("three_values", "biniou/multi/feat.shape-three.biniou", &[]),
        ("chunks", "biniou/stream/feat.int_list-ten_by_four.stream", &[]),
        ("shared_back", "biniou/tree-reader/shared_back.biniou", &[]),
        ("overlong", "biniou/tree-reader/uvint_overlong.biniou", &[]),
        ("attrs", "tsm/good/attrs.tsm", &[]),
        ("dtypes", "tsm/good/dtypes_matrix.tsm", &[]),
        ("float_bits", "tsm/good/float_bits.tsm", &[]),
        ("tensor_packed", "tsm/good/tensor_packed.t", &[]),
        ("duplicate_param", "tsm/odd/duplicate_param.tsm", &[]),
        ("model", "primitiv/saved/m_stats.model", &[]),
        ("wide_headers", "primitiv/crafted/e_key_array16_str16.model", &[]),
        ("optimizer", "primitiv/saved/o_rmsprop_specials.optimizer", &[]),
        ("shape", "primitiv/crafted/s_trailing_ones.shape", &[]),
        ("batch", "primitiv/saved/t_batch4_2x3.tensor", &[]),
    ] {
        for form in ["--tree", "--json", "--yaml"] {
            let all: Vec<&str> = arguments.iter().copied().chain([form]).collect();
            snapshot(&format!("dump_{name}{}", form.replace("--", "_")), &dumped(file, &all));
        }
        assert_eq!(dumped(file, arguments), dumped(file, &[arguments, &["--tree"]].concat()));
    }
}

#[test]
fn paths_select_nested_values() {
    let parts = [
        (SAVE, "score", "int64 -867969834472592626\n"),
        // By the hash if the name is known, and by the name if it is not.
        (SAVE, "inventory[1].slot", "int8 252\n"),
        ("biniou/multi/feat.shape-three.biniou", "[2][0].x", "1\n"),
        ("biniou/multi/feat.shape-three.biniou", "[2][0].#00000079", "2\n"),
        ("tsm/good/minimal.tsm", "graph[1].bubble.#op", "\"relu\"\n"),
        ("tsm/good/minimal.tsm", "graph[1].bubble[0]", "\"y\"\n"),
        ("tsm/good/minimal.tsm", "outputs[0]", "1\n"),
        ("tsm/good/mlp.tsm", "graph[4].bubble.value.data[0]", "1e-5\n"),
        // As in errors and in `explain`, whose paths follow the bytes.
        ("tsm/good/minimal.tsm", "graph[1].bubble[1].name", "\"#op\"\n"),
        ("tsm/good/minimal.tsm", "graph[1].bubble[1].value", "\"relu\"\n"),
        ("tsm/good/minimal.tsm", "graph[1].bubble[1].value[0].memory", "\"relu\"\n"),
        ("tsm/good/mlp.tsm", "graph[4].bubble[1].value[0].dtype", "\"float32\"\n"),
        ("primitiv/saved/o_adam.optimizer", "uint_configs[0].key", "\"Optimizer.epoch\"\n"),
        ("primitiv/saved/o_adam.optimizer", "uint_configs[0].value", "123456\n"),
        // A name with a dot, with and without quotes.
        ("primitiv/saved/o_adam.optimizer", "uint_configs.\"Optimizer.epoch\"", "123456\n"),
        ("primitiv/saved/o_adam.optimizer", "uint_configs.Optimizer.epoch", "123456\n"),
        (SAVE, "\"inventory\"[1].\"slot\"", "int8 252\n"),
        ("biniou/stream/feat.int_list-ten_by_four.stream", "[0][1]", "53231\n"),
        ("primitiv/saved/m_stats.model", "parameters[2].key", "[\"s\", \"c\"]\n"),
        ("primitiv/saved/m_stats.model", "parameters[2].stats[1].value.data[3]", "-4.0\n"),
        ("primitiv/saved/m_stats.model", "parameters[2].value.shape.dims[0]", "2\n"),
    ];
    for (file, path, expected) in parts {
        assert_eq!(dumped(file, &["--path", path]), expected, "{path}");
    }
    assert_eq!(
        dumped(SAVE, &["--path", "score", "--dict", SAVE_ATD, "--json"]),
        "{\"$int64\": -867969834472592626}\n"
    );
    let data =
        dumped("primitiv/saved/m_stats.model", &["--path", "parameters[1].value.data", "--json"]);
    assert_eq!(data, "[\n  3.0, 4.0\n]\n");
}

#[test]
fn a_path_that_does_not_exist_has_a_suggestion() {
    for (file, path, expected) in [
        (
            "tsm/good/minimal.tsm",
            "graph[1].bubbel",
            "there is no graph[1].bubbel; graph[1] has bubble, inputs (did you mean `bubble`?)",
        ),
        ("tsm/good/minimal.tsm", "graph[2]", "there is no graph[2]; graph has 2 items"),
        (
            "tsm/good/minimal.tsm",
            "nodes",
            "there is no nodes; the whole has inputs, outputs, graph",
        ),
        (
            "tsm/good/minimal.tsm",
            "outputs[0].x",
            "there is no outputs[0].x; outputs[0] is the nearest, and has no parts",
        ),
        (
            "primitiv/saved/m_stats.model",
            "parameters[0].value.data[2]",
            "there is no parameters[0].value.data[2]; parameters[0].value has shape, data",
        ),
    ] {
        let file = fixture(file);
        let run = fourfold(&["dump", &file, "--path", path]);
        assert_eq!((run.code, run.text()), (1, ""));
        assert_eq!(run.stderr, format!("fourfold: {file}: {expected}\n"));
    }
}

/// A file of one tensor of `count` bytes, counted up from 0.
fn bytes_file(count: i32) -> Vec<u8> {
    let bytes: Vec<u8> = (0..count).map(|at| u8::try_from(at % 251).unwrap()).collect();
    let tensor = Tensor::new(Prototype::new(DType::UInt8, [count]), bytes).unwrap();
    PackedTensor::from(tensor).to_vec().unwrap()
}

fn dump_of(bytes: &[u8], arguments: &[&str]) -> Run {
    fourfold_with(&[&["dump", "-", "--format", "tsm"], arguments].concat(), bytes)
}

#[test]
fn big_tensors_are_summarised() {
    let small = bytes_file(64);
    assert!(dump_of(&small, &[]).text().ends_with(", 62, 63\n"));
    let big = bytes_file(65);
    assert_eq!(dump_of(&big, &[]).text(), "uint8 [65]: 65 elements, min 0, max 64, mean 32.0\n");
    assert!(dump_of(&big, &["--full"]).text().ends_with(", 63, 64\n"));
    assert!(dump_of(&big, &["--yaml"]).text().contains("$summary"));
    assert!(!dump_of(&big, &["--json"]).text().contains("$summary"));
    assert!(!dump_of(&bytes_file(65_536), &["--json"]).text().contains("$summary"));
    let bigger = dump_of(&bytes_file(65_537), &["--json"]);
    let expected = "{\n  \"fourfold\": \"tsm\",\n  \"tensor\": {\n    \"dtype\": \"uint8\",\n    \
                    \"shape\": [65537],\n    \"data\": {\"$summary\": {\"count\": 65537, \
                    \"min\": 0, \"max\": 250, \"mean\": ";
    assert!(bigger.text().starts_with(expected), "{}", bigger.text());
    assert!(!dump_of(&bytes_file(65_537), &["--json", "--full"]).text().contains("$summary"));
}

#[test]
fn summaries_count_nan_and_infinities() {
    let floats = (0..100u8).map(|at| if at % 4 == 0 { f32::NAN } else { f32::from(at) - 50.0 });
    let floats: Vec<u8> = floats.flat_map(f32::to_le_bytes).collect();
    let tensor = Tensor::new(Prototype::new(DType::Float32, [10, 10]), floats).unwrap();
    let bytes = PackedTensor::from(tensor).to_vec().unwrap();
    let run = dump_of(&bytes, &[]);
    assert_eq!(
        run.text(),
        "float32 [10, 10]: 100 elements, min -49.0, max 49.0, mean 0.0, 25 NaN\n"
    );
}

#[test]
fn names_come_from_word_lists_and_schemas() {
    let directory = Folder::new();
    let words = &directory.write("words.txt", "x\n$y\n");
    let text = dumped("biniou/typed/feat.point-small.biniou", &["--json", "--dict", words]);
    assert_eq!(text, "{\"fourfold\": \"biniou\", \"value\": {\"x\": 1, \"#00000079\": -2}}\n");

    // The extension of a schema may be in capital letters.
    let atd = &directory.write("SAVE.ATD", bytes(SAVE_ATD));
    let path = ["--json", "--path", "score", "--dict"];
    assert_eq!(
        dumped(SAVE, &[&path[..], &[atd]].concat()),
        dumped(SAVE, &[&path[..], &[SAVE_ATD]].concat())
    );

    directory.write("words.txt", "bool_a\nint_z\n");
    let run = fourfold(&["dump", &fixture(SAVE), "--dict", "no such file"]);
    assert_eq!(run.code, 1);
    let run = fourfold(&["dump", &fixture("tsm/good/minimal.tsm"), "--dict", words]);
    assert_eq!((run.code, run.text()), (1, ""));
    assert!(run.stderr.contains("--dict has names for biniou only"), "{}", run.stderr);
}

#[test]
fn damaged_and_foreign_files_are_refused() {
    let file = fixture("tsm/odd/negative_dim.tsm");
    let run = fourfold(&["dump", &file]);
    assert_eq!((run.code, run.text()), (2, ""));
    assert_eq!(
        run.stderr,
        format!(
            "fourfold: {file}: dim -1 is negative in graph[1].bubble[2].value[0].shape[0] at byte 271\n"
        )
    );
    let run = fourfold(&["dump", "no such file"]);
    assert_eq!(run.code, 1);
    let run = fourfold(&["dump", "Cargo.toml", "--format", "molecule"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("explain --layout"), "{}", run.stderr);
    let run = fourfold(&["dump", "Cargo.toml", "--json", "--yaml"]);
    assert_eq!(run.code, 1);
}

#[test]
fn control_characters_are_escaped() {
    let text = "\u{1b}[31m\n\u{202e}";
    let bytes = fourfold::biniou::to_vec(text).unwrap();
    let run = fourfold_with(&["dump", "-", "--format", "biniou"], &bytes);
    assert_eq!(run.text(), "\"\\u{1b}[31m\\n\\u{202e}\"\n");
    let bytes = fourfold::biniou::to_vec("\u{7f}\u{9b}1m").unwrap();
    let run = fourfold_with(&["dump", "-", "--format", "biniou", "--json"], &bytes);
    let expected = "{\"fourfold\": \"biniou\", \"value\": \"\\u007f\\u009b1m\"}\n";
    assert_eq!(run.text(), expected);
    // Characters that change the text direction are escaped too, in the JSON of every subcommand.
    let bytes = fourfold::biniou::to_vec("\u{202e}\u{2028}é").unwrap();
    let run = fourfold_with(&["dump", "-", "--format", "biniou", "--json"], &bytes);
    let expected = "{\"fourfold\": \"biniou\", \"value\": \"\\u202e\\u2028é\"}\n";
    assert_eq!(run.text(), expected);
    assert_eq!(fourfold_with(&["make", "-", "-o", "-"], &run.stdout).stdout, bytes);
    let folder = Folder::new();
    let path = folder.write("a\u{9b}\u{202e}.bin", &bytes);
    for subcommand in [["detect", "--json"], ["info", "--json"], ["explain", "--json"]] {
        let run = fourfold(&[subcommand[0], subcommand[1], &path]);
        assert!(!run.text().contains(['\u{9b}', '\u{202e}', '\u{2028}']), "{}", run.text());
    }
}

#[test]
fn a_module_is_as_the_library_reads_it() {
    let bytes = bytes(&fixture("tsm/good/cnn_small.tsm"));
    let module = Module::from_slice(&bytes).unwrap();
    let text = dumped("tsm/good/cnn_small.tsm", &["--json"]);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let nodes = json["graph"].as_array().unwrap();
    assert_eq!(nodes.len(), module.graph.nodes.len());
    for (node, shown) in module.graph.nodes.iter().zip(nodes) {
        assert_eq!(shown["bubble"]["#name"].as_str(), node.name());
        assert_eq!(shown["bubble"]["#op"].as_str(), node.op());
        let data = |name: &str| shown["bubble"][name]["data"].as_array();
        for param in &node.bubble.params {
            let Ok(values) = param.value.fields[0].values::<f32>() else { continue };
            let data = data(param.name_str().unwrap()).unwrap();
            assert_eq!(data.len(), values.len());
            for (shown, value) in data.iter().zip(&*values) {
                assert_eq!(shown.to_string().parse::<f32>().unwrap().to_bits(), value.to_bits());
            }
        }
    }
}

#[test]
fn dumps_are_written_to_files() {
    let folder = Folder::new();
    let path = &folder.path("out");
    let file = fixture("tsm/good/attrs.tsm");
    for form in ["--tree", "--json", "--yaml"] {
        let run = fourfold(&["dump", &file, form, "-o", path]);
        assert_eq!((run.code, run.text(), run.stderr.as_str()), (0, "", ""));
        assert_eq!(std::fs::read(path).unwrap(), fourfold(&["dump", &file, form]).stdout, "{form}");
    }
}

/// A YAML reader gets the same numbers and texts as a JSON reader.
#[test]
fn yaml_reads_as_json_does() {
    for file in [
        SAVE,
        "biniou/typed/feat.all_scalars-a.biniou",
        "biniou/typed/feat.row_table-two.biniou",
        "biniou/stream/feat.int_list-ten_by_four.stream",
        "tsm/good/attrs.tsm",
        "tsm/good/dtypes_matrix.tsm",
        "tsm/good/float_bits.tsm",
        "tsm/good/names.tsm",
        "primitiv/saved/m_stats.model",
        "primitiv/saved/o_rmsprop_specials.optimizer",
    ] {
        let json: serde_json::Value =
            serde_json::from_str(&dumped(file, &["--json", "--full"])).unwrap();
        let yaml = dumped(file, &["--yaml", "--full"]);
        let is_odd = |line: &&str| {
            let number = line.rsplit(' ').next().unwrap();
            number.parse::<f64>().is_ok_and(f64::is_finite)
                && number.contains('e')
                && !(number.contains('.') && (number.contains("e+") || number.contains("e-")))
        };
        assert_eq!(yaml.lines().find(is_odd), None, "{file}");
        if file.contains("dtypes") {
            // This reader does not support 128-bit integers.
            continue;
        }
        let yaml: serde_norway::Value =
            serde_norway::from_str(&yaml).unwrap_or_else(|error| panic!("{file}: {error}"));
        same(&json, &yaml, file);
    }
}

/// Up to 60 levels of objects are indented, deeper ones are in brackets. The reader here accepts 127.
#[test]
fn deep_yaml_reads_as_json_does() {
    let record = [&[21, 1][..], &(fourfold::biniou::hash("a") | 1 << 31).to_be_bytes()].concat();
    for (what, around) in [("lists", vec![19, 1]), ("records", record)] {
        for levels in [60, 98, 99, 100, 101, 102, 110, 120] {
            let inner = fourfold::biniou::to_vec(&[0.5, 1e300]).unwrap();
            let bytes = [around.repeat(levels), inner].concat();
            let run = |form| {
                let dump = ["dump", "-", "--format", "biniou", form];
                fourfold_with(&dump, &bytes).succeeded().text().to_owned()
            };
            let (json, yaml) = (run("--json"), run("--yaml"));
            let indents = yaml.lines().map(|line| line.len() - line.trim_start().len());
            assert!(indents.max().unwrap() <= 202, "{yaml}");
            let is_flow = yaml.lines().last().unwrap().contains(['{', '[']);
            assert!(is_flow || levels < 110, "{what}, {levels} levels: {yaml}");
            assert!(!is_flow || levels > 60, "{what}, {levels} levels: {yaml}");
            let json: serde_json::Value = serde_json::from_str(&json).unwrap();
            let yaml: serde_norway::Value = serde_norway::from_str(&yaml).unwrap();
            same(&json, &yaml, what);
        }
    }
}

/// Characters that YAML does not allow are escaped.
#[test]
fn characters_that_yaml_forbids_are_escaped() {
    for (letter, shown) in
        [('\u{fffd}', "'\u{fffd}'"), ('\u{fffe}', r#""\ufffe""#), ('\u{ffff}', r#""\uffff""#)]
    {
        let bytes = fourfold::biniou::to_vec(&letter.to_string()).unwrap();
        let run = fourfold_with(&["dump", "-", "--format", "biniou", "--yaml"], &bytes);
        assert_eq!(run.text(), format!("fourfold: biniou\nvalue: {shown}\n"));
    }
}

fn same(json: &serde_json::Value, yaml: &serde_norway::Value, file: &str) {
    use serde_json::Value as J;
    use serde_norway::Value as Y;

    match (json, yaml) {
        (J::Null, Y::Null) => {}
        (J::Bool(one), Y::Bool(two)) => assert_eq!(one, two, "{file}"),
        (J::String(one), Y::String(two)) => assert_eq!(one, two, "{file}"),
        (J::Number(one), Y::Number(two)) => {
            assert_eq!(one.to_string().parse::<f64>().unwrap(), two.as_f64().unwrap(), "{file}");
        }
        // The YAML reader has no integers of this width.
        (J::Number(one), Y::String(two)) => assert_eq!(&one.to_string(), two, "{file}"),
        (J::Array(one), Y::Sequence(two)) => {
            assert_eq!(one.len(), two.len(), "{file}");
            one.iter().zip(two).for_each(|(one, two)| same(one, two, file));
        }
        (J::Object(one), Y::Mapping(two)) => {
            assert_eq!(one.len(), two.len(), "{file}");
            one.iter().for_each(|(key, one)| same(one, &two[key.as_str()], file));
        }
        (json, yaml) => panic!("{file}: {json} {yaml:?}"),
    }
}

/// The nested values of a JSON value whose paths consist of names and numbers, with these paths.
fn parts<'j>(
    value: &'j serde_json::Value,
    path: &str,
    found: &mut Vec<(String, &'j serde_json::Value)>,
) {
    if !path.is_empty() {
        found.push((path.to_owned(), value));
    }
    match value {
        serde_json::Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                parts(item, &format!("{path}[{index}]"), found);
            }
        }
        serde_json::Value::Object(fields) if !fields.keys().any(|key| key.starts_with('$')) => {
            for (key, field) in fields {
                let dot = if path.is_empty() { "" } else { "." };
                parts(field, &format!("{path}{dot}{key}"), found);
            }
        }
        _ => {}
    }
}

#[test]
fn a_nested_value_equals_that_of_the_whole_file() {
    const BLOCKCHAIN: &str = "tests/fixtures/molecule/schemas/blockchain.mol";
    const LOG_ATD: &str = "tests/fixtures/biniou/schemas/log.atd";
    let files: &[(&str, &[&str])] = &[
        ("molecule/blocks/block-40.bin", &["--schema", BLOCKCHAIN, "--type", "Block"]),
        (SAVE, &[]),
        (SAVE, &["--dict", SAVE_ATD]),
        (SAVE, &["--schema", SAVE_ATD, "--type", "player"]),
        ("biniou/data/log.log_list-three.biniou", &["--schema", LOG_ATD, "--type", "log_list"]),
        ("biniou/data/log.log_list-three.biniou", &[]),
        ("biniou/multi/feat.shape-three.biniou", &[]),
        ("biniou/multi/feat.point-two.biniou", &[]),
        ("biniou/tree-reader/shared_back.biniou", &[]),
    ];
    for (file, arguments) in files {
        let json = |more: &[&str]| -> serde_json::Value {
            let all = [arguments, more, &["--json"]].concat();
            serde_json::from_str(&dumped(file, &all)).unwrap()
        };
        let whole = json(&[]);
        let inside = whole.get("value").or(whole.get("values")).unwrap();
        let mut found = Vec::new();
        parts(inside, "", &mut found);
        for (path, expected) in found.iter().step_by((found.len() / 30).max(1)) {
            assert_eq!(json(&["--path", path]), **expected, "{file} {arguments:?} {path}");
        }
    }
}

#[test]
fn siblings_of_a_nested_value_are_not_read() {
    let mut bytes = bytes(&fixture("molecule/blocks/block-40.bin"));
    // The count of proposals, at the fourth offset of the header.
    let proposals = u32::from_le_bytes(bytes[16..20].try_into().unwrap());
    bytes[proposals as usize] ^= 0xff;
    let folder = Folder::new();
    let file = &folder.write("block.bin", &bytes);
    let schema = "tests/fixtures/molecule/schemas/blockchain.mol";
    let dump = ["dump", file, "--schema", schema, "--type", "Block", "--path"];
    assert_eq!(fourfold(&dump[..6]).code, 2);
    let run = fourfold(&[&dump[..], &["transactions[1].raw.version"]].concat());
    let intact = dumped(
        "molecule/blocks/block-40.bin",
        &[&dump[2..], &["transactions[1].raw.version"]].concat(),
    );
    assert_eq!((run.code, run.text(), run.stderr.as_str()), (0, &*intact, ""));
    // A path that is not found that way is looked up in the whole value, which is refused.
    let run = fourfold(&[&dump[..], &["transactions[1].raw.versoin"]].concat());
    assert_eq!(run.code, 2);
}

/// Options and variants by number, and lists as tuples: the output of `ppx_deriving_biniou`.
#[test]
fn files_of_other_writers_are_shown_and_survive() {
    for (bytes, tree) in [
        (&[22, 0x81, 17, 6][..], "Some1 3\n"),
        (&[22, 0], "None\n"),
        (&[22, 0x81, 20, 2, 17, 2, 22, 0], "Some1 tuple\n  [0]: 1\n  [1]: None\n"),
        (&[20, 2, 22, 3, 22, 0x85, 17, 2], "tuple\n  [0]: None3\n  [1]: Some5 1\n"),
    ] {
        let as_biniou = ["--format", "biniou", "-"];
        let shown = fourfold_with(&[&["dump", "--tree"], &as_biniou[..]].concat(), bytes);
        assert_eq!((shown.code, shown.text()), (0, tree), "{}", shown.stderr);
        let json = fourfold_with(&[&["dump", "--json"], &as_biniou[..]].concat(), bytes);
        assert_eq!(fourfold_with(&["make", "-"], &json.stdout).stdout, bytes);
        let explained = fourfold_with(&[&["explain"], &as_biniou[..]].concat(), bytes);
        assert!(explained.text().contains("num_variant"), "{}", explained.text());
        let detected = fourfold_with(&["detect", "-"], bytes);
        assert!(detected.text().starts_with("standard input: biniou"), "{}", detected.text());
    }
}

/// The bytes of a value are not written of safetensors and npz, where elements may be compressed.
#[test]
fn raw_values_of_containers_are_refused() {
    let folder = Folder::new();
    let schema = ["--schema", "tests/fixtures/molecule/schemas/blockchain.mol"];
    for container in ["safetensors", "npz"] {
        let file = folder.path(format!("w.{container}"));
        let model = fixture("primitiv/saved/m_stats.model");
        fourfold(&["convert", &model, &file]).succeeded();
        let json = fourfold(&["info", "--json", &file]).json();
        let tensor = format!("tensors.{}", json["tensors"]["list"][0]["name"].as_str().unwrap());
        let out = folder.path("raw.out");
        for schema in [&[][..], &schema] {
            let run = fourfold(
                &[&["dump", &file, "--path", &tensor, "--raw", "-o", &out], schema].concat(),
            );
            let refused = format!(
                "fourfold: {file}: --raw does not read {container}; `--json --full` prints all elements of a tensor"
            );
            assert_eq!((run.code, run.stderr.lines().last()), (1, Some(&*refused)));
            assert!(!std::fs::exists(&out).unwrap());
            let fixed = ["dump", &file, "--path", &tensor, "--json", "--full"];
            let elements = fourfold(&[&fixed, schema].concat()).json();
            let count = elements["data"].as_array().unwrap().len();
            assert_eq!(json["tensors"]["list"][0]["elements"], count);
        }
    }
}
