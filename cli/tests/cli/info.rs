//! `fourfold info`.

use crate::command::{Folder, fixture, fourfold, fourfold_with, in_root, snapshot};

/// Name of the snapshot, fixture, further arguments.
const SHOWN: &[(&str, &str, &[&str])] = &[
    ("info-tsm-cnn", "tsm/good/cnn_small.tsm", &[]),
    ("info-tsm-cnn-input", "tsm/good/cnn_small.tsm", &["--input", "image=?x3x16x16"]),
    ("info-tsm-multi-io", "tsm/good/multi_io.tsm", &[]),
    ("info-tsm-multi-io-json", "tsm/good/multi_io.tsm", &["--json"]),
    ("info-tsm-names", "tsm/good/names.tsm", &[]),
    ("info-tsm-packed", "tsm/good/packed.tsm", &[]),
    ("info-tsm-diagnostics", "tsm/good/unreachable.tsm", &[]),
    ("info-tsm-cycle", "tsm/odd/cycle_of_two.tsm", &[]),
    ("info-tsm-empty", "tsm/good/empty.tsm", &[]),
    ("info-tensors", "tsm/good/tensor_packed.t", &[]),
    ("info-tensors-json", "tsm/good/tensor_packed.t", &["--json"]),
    ("info-primitiv-model", "primitiv/saved/z_xor_adam.model", &[]),
    ("info-primitiv-model-json", "primitiv/saved/z_xor_adam.model", &["--json"]),
    ("info-primitiv-stats", "primitiv/saved/p_stats_batch3.param", &[]),
    ("info-primitiv-optimizer", "primitiv/saved/o_adam.optimizer", &[]),
    ("info-primitiv-optimizer-json", "primitiv/saved/o_adam.optimizer", &["--json"]),
    ("info-primitiv-shape", "primitiv/saved/s_batch.shape", &[]),
    ("info-primitiv-tensor", "primitiv/saved/t_batch4_2x3.tensor", &[]),
    ("info-biniou-hashes", "biniou/data/log.log_list-three.biniou", &[]),
    (
        "info-biniou-names",
        "biniou/data/log.logs-hundred.biniou",
        &["--dict", "tests/fixtures/biniou/schemas/log.atd"],
    ),
    (
        "info-biniou-table",
        "biniou/data/log.log_table-fifty.biniou",
        &["--dict", "tests/fixtures/biniou/schemas/log.atd"],
    ),
    (
        "info-biniou-player",
        "biniou/data/save.player-one.biniou",
        &["--dict", "tests/fixtures/biniou/schemas/save.atd"],
    ),
    (
        "info-biniou-several",
        "biniou/multi/feat.shape-three.biniou",
        &["--dict", "tests/fixtures/biniou/schemas/feat.atd"],
    ),
    (
        "info-biniou-chunks",
        "biniou/stream/feat.int_list-ten_by_four.stream",
        &["--format", "biniou"],
    ),
    ("info-biniou-json", "biniou/multi/feat.shape-three.biniou", &["--json"]),
    ("info-molecule", "molecule/blocks/block-empty.bin", &["--format", "molecule"]),
];

#[test]
fn output_matches_the_snapshots() {
    for (name, file, more) in SHOWN {
        let file = fixture(file);
        let mut arguments = vec!["info", file.as_str()];
        arguments.extend(*more);
        let run = fourfold(&arguments).succeeded();
        snapshot(name, run.text());
        if more.contains(&"--json") {
            serde_json::from_slice::<serde_json::Value>(&run.stdout).unwrap();
        }
    }
}

#[test]
fn bad_files_are_refused_in_one_line() {
    let refused = [
        ("tsm/odd/huge_node_count.tsm", 2),
        ("tsm/odd/missing_name.tsm", 2),
        ("tsm/odd/truncated_in_tensor.tsm", 2),
        ("primitiv/crafted/x_cut_at_04.param", 1),
        ("primitiv/crafted/s_short_data.param", 2),
        ("tsm/odd/there_is_no_such_file.tsm", 1),
    ];
    for (file, _) in refused {
        let file = fixture(file);
        let format = if file.contains("primitiv") { "primitiv" } else { "tsm" };
        let run = fourfold(&["info", "--format", format, &file]);
        let code = if in_root(&file).exists() { 2 } else { 1 };
        assert_eq!(run.code, code, "{file}");
        assert!(run.stdout.is_empty());
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
        assert!(run.stderr.starts_with(&format!("fourfold: {file}: ")), "{}", run.stderr);
    }
}

/// No fixture, good or bad, makes the command crash.
#[test]
fn every_fixture_is_summarised_or_refused() {
    for folder in [
        "tsm/good",
        "tsm/odd",
        "primitiv/crafted",
        "primitiv/saved",
        "biniou/multi",
        "biniou/reader",
    ] {
        for entry in std::fs::read_dir(in_root(fixture(folder))).unwrap() {
            let path = entry.unwrap().path();
            let is_data = ["tsm", "t", "param", "model", "optimizer", "shape", "tensor", "biniou"];
            if !path
                .extension()
                .is_some_and(|extension| is_data.iter().any(|one| *one == extension))
            {
                continue;
            }
            let format = folder.split('/').next().unwrap();
            let run = fourfold(&["info", "--format", format, path.to_str().unwrap()]);
            assert!([0, 2].contains(&run.code), "{}: {}", path.display(), run.stderr);
            assert_eq!(run.code == 0, run.stderr.is_empty());
        }
    }
}

#[test]
fn tensors_of_other_containers_are_summarised() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    let model = fixture("primitiv/saved/m_stats.model");
    for container in ["safetensors", "npz"] {
        let made = path(&format!("made.{container}"));
        assert_eq!(fourfold(&["convert", &model, &made]).code, 0);
        let text = fourfold(&["info", &made]).succeeded();
        assert!(text.text().starts_with(&format!("{made}: {container}, ")), "{}", text.text());
        let json = fourfold(&["info", "--json", &made]).json();
        let bytes = std::fs::read(&made).unwrap();
        assert_eq!(json["format"], *container);
        assert_eq!(json["bytes"], bytes.len());
        let list = json["tensors"]["list"].as_array().unwrap();
        assert_eq!(json["tensors"]["count"], list.len());
        for tensor in list {
            let (offset, len) = (&tensor["offset"], tensor["bytes"].as_u64().unwrap());
            assert!(offset.as_u64().unwrap() + len <= bytes.len() as u64, "{tensor}");
        }
        // The elements are those of the model.
        let dumped = fourfold(&["dump", "--json", "--full", &made]).json();
        assert_eq!(dumped["fourfold"], *container);
        assert_eq!(dumped["tensors"].as_object().unwrap().len(), list.len());
        let name = list[0]["name"].as_str().unwrap();
        let count = dumped["tensors"][name]["data"].as_array().unwrap().len();
        assert_eq!(list[0]["elements"], count);
        let one = fourfold(&["dump", "--path", &format!("tensors.{name}.shape"), "--json", &made]);
        assert_eq!(one.code, 0, "{}", one.stderr);
        // This file has no tensors to convert.
        let json = fourfold(&["dump", "--json", "--full", &made]);
        let run = fourfold_with(&["make", "-"], &json.stdout);
        assert_eq!(run.code, 2, "{}", run.stderr);
    }
    let run = fourfold(&["info", &path("made.npz"), "--format", "tsm"]);
    assert_eq!(run.code, 2, "{run:?}");
}

/// Element types that the other formats do not have: bfloat16 and 8-bit floats.
#[test]
fn types_that_only_safetensors_has_are_shown() {
    let header = r#"{"a":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]},"b":{"dtype":"F8_E5M2","shape":[1],"data_offsets":[4,5]}}"#;
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.as_bytes());
    bytes.extend([0x80, 0x3f, 0x20, 0xc0, 0x3c]);
    let run = fourfold_with(&["dump", "-"], &bytes).succeeded();
    assert_eq!(run.text(), "tensors:\n  a: bfloat16 [2]: 1.0, -2.5\n  b: float8_e5m2 [1]: 1.0\n");
    let run = fourfold_with(&["info", "-"], &bytes);
    let text = "standard input: safetensors, 125 bytes\n\ntensors: 2 tensors, 3 elements, 5 bytes\n  a  bfloat16     [2]  4 bytes\n  b  float8_e5m2  [1]  1 byte\n";
    assert_eq!(run.text().replace("\u{20}\n", "\n"), text.replace("125", &bytes.len().to_string()));
}

/// Other readers skip blanks of JSON, too.
#[test]
fn headers_of_safetensors_can_be_padded() {
    let folder = Folder::new();
    let header = "{ \"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}";
    for blanks in [" ", " \t\r\n ", &" ".repeat(100)] {
        let len = ((blanks.len() + header.len()) as u64).to_le_bytes();
        let bytes = [&len[..], blanks.as_bytes(), header.as_bytes(), b"\x07"].concat();
        let file = folder.write("a", bytes);
        let info = fourfold(&["info", &file]).succeeded();
        assert!(info.text().contains("1 tensor, 1 element, 1 byte"), "{}", info.text());
        let dump = fourfold(&["dump", &file]).succeeded();
        assert_eq!(dump.text(), "tensors:\n  a: uint8 [1]: 7\n");
        let detect = fourfold(&["detect", &file]);
        assert!(detect.text().contains(": safetensors\n"), "{}", detect.text());
    }
}

/// A header without tensors and metadata is the whole file.
#[test]
fn empty_safetensors_are_detected() {
    for (header, after, is_named) in
        [("{}", "", true), (" {} ", "", true), ("{}", "x", false), ("{}}", "", false)]
    {
        let bytes = [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), after.as_bytes()]
            .concat();
        let text = fourfold_with(&["detect", "-"], &bytes);
        let text = text.text();
        assert_eq!(text.contains(": safetensors\n"), is_named, "{header}{after}: {text}");
    }
}

#[test]
fn damaged_containers_have_the_same_error_everywhere() {
    let damaged = [&16u64.to_le_bytes()[..], br#"{"a":{"b":"c"}} "#].concat();
    let info = fourfold_with(&["info", "-"], &damaged);
    assert!(info.stderr.contains("missing field `dtype` at byte "), "{}", info.stderr);
    let run = fourfold_with(&["verify", "-"], &damaged);
    assert_eq!((run.code, format!("fourfold: {}", run.text())), (2, info.stderr));
}

/// A tensor without elements can have any other sizes.
#[test]
#[cfg(target_pointer_width = "64")]
fn sizes_of_64_bits_are_shown() {
    let header =
        format!(r#"{{"a":{{"dtype":"U8","shape":[{},0],"data_offsets":[0,0]}}}}"#, u64::MAX);
    let bytes = [&(header.len() as u64).to_le_bytes()[..], header.as_bytes()].concat();
    let run = fourfold_with(&["info", "-"], &bytes).succeeded();
    assert!(run.text().contains("[18446744073709551615, 0]"), "{}", run.text());
    let run = fourfold_with(&["info", "--json", "-"], &bytes).succeeded();
    assert!(run.text().contains("18446744073709551615"), "{}", run.text());
}

/// TenniS uses the first of two params with one name, so no subcommand counts the second as a weight.
#[test]
fn weights_are_those_of_convert() {
    let tensor = |number: u8| format!(r#"{{"dtype":"int8","shape":[1],"data":[{number}]}}"#);
    let (first, second) = (tensor(1), tensor(2));
    let json = format!(
        r##"{{"fourfold":"tsm","inputs":[],"outputs":[0],"graph":[{{"bubble":
        [["#op","<const>"],["#name","w"],["value",{first}],["value",{second}]],"inputs":[]}}]}}"##
    );
    let module = fourfold_with(&["make", "-"], json.as_bytes()).succeeded();
    let report = fourfold_with(&["info", "--json", "-"], &module.stdout).json();
    let names = |list: &str| -> Vec<String> {
        let list = report[list]["list"].as_array().unwrap().iter();
        list.map(|tensor| tensor["name"].as_str().unwrap().to_owned()).collect()
    };
    let (weights, settings) = (names("weights"), names("settings"));
    assert_eq!((&*weights, &*settings), (&["w".into()][..], &["w/value".into()][..]));
    let folder = Folder::new();
    let made = folder.path("made.npz");
    let converted = |more: &[&str]| -> Vec<String> {
        let arguments = [&["convert", "-", &made], more].concat();
        let run = fourfold_with(&arguments, &module.stdout);
        let names = run.text().lines().map(|line| line.split(':').next().unwrap().to_owned());
        names.collect()
    };
    assert_eq!(converted(&[]), weights);
    assert_eq!(converted(&["--all"]), [weights, settings].concat());
}

#[test]
fn counts_of_one_are_singular() {
    let table = r#"{"fourfold":"biniou","value":{"$table":[{"x":{"$variant":"A"}}]}}"#;
    let bytes = fourfold_with(&["make", "-"], table.as_bytes()).stdout;
    let run = fourfold_with(&["info", "-", "--format", "biniou"], &bytes);
    assert!(run.text().contains("table of 1 row {"), "{}", run.text());
    assert!(run.text().contains("(1 time)"), "{}", run.text());
}

#[test]
fn shapes_of_inputs_lead_to_those_of_all_nodes() {
    let model = fixture("tsm/good/cnn_small.tsm");
    let report = fourfold(&["info", &model, "--json", "--input", "4x3x16x16"]).json();
    let shapes = &report["shapes"];
    assert_eq!(shapes["multiply_adds"], 4 * 137_536);
    let rows = shapes["nodes"].as_array().unwrap();
    let prob = rows.iter().find(|row| row["name"] == "prob").unwrap();
    assert_eq!(prob["outputs"][0]["shape"], serde_json::json!([4, 10]));
    fourfold(&["info", &model, "--input", "-1x3x16x16"]).succeeded();

    // What does not fit is an error with the node and its inputs, or the inputs of the module.
    let tensors = fixture("tsm/good/tensor_packed.t");
    let biniou = fixture("biniou/multi/feat.shape-three.biniou");
    for (file, input, code, said) in [
        (&model, "1x4x16x16", 2, "node \"block0.conv\" (conv2d): w takes 3 channels, x has 4"),
        (&model, "mask=1", 2, "input \"mask\": the module has no such input; its inputs: image"),
        (&tensors, "1", 2, "which have no inputs"),
        (&biniou, "1", 1, "--input is for modules of tsm"),
        (&model, "1xa", 1, "write a shape as 1x3x224x224"),
        (&model, "image=", 1, "? is a size that varies"),
        (&model, "--json", 1, "? is a size that varies"),
    ] {
        let run = fourfold(&["info", file, "--input", input]);
        assert_eq!(run.code, code, "{}", run.stderr);
        assert!(run.stderr.contains(said), "{}", run.stderr);
    }
}
