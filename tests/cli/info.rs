//! `fourfold info`.

use std::path::Path;

use crate::command::{fixture, fourfold, fourfold_with, snapshot};

/// Name of the snapshot, fixture, further arguments.
const SHOWN: &[(&str, &str, &[&str])] = &[
    ("info-tsm-cnn", "tsm/good/cnn_small.tsm", &[]),
    ("info-tsm-multi-io", "tsm/good/multi_io.tsm", &[]),
    ("info-tsm-multi-io-json", "tsm/good/multi_io.tsm", &["--json"]),
    ("info-tsm-names", "tsm/good/names.tsm", &[]),
    ("info-tsm-packed", "tsm/good/packed.tsm", &[]),
    ("info-tsm-findings", "tsm/good/unreachable.tsm", &[]),
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
fn everything_is_summed_up() {
    for (name, file, more) in SHOWN {
        let file = fixture(file);
        let mut arguments = vec!["info", file.as_str()];
        arguments.extend(*more);
        let run = fourfold(&arguments);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{name}");
        snapshot(name, run.text());
        if more.contains(&"--json") {
            serde_json::from_slice::<serde_json::Value>(&run.stdout).unwrap();
        }
    }
}

#[test]
fn standard_input_is_a_file_too() {
    let bytes = std::fs::read("tests/fixtures/tsm/good/minimal.tsm").unwrap();
    let run = fourfold_with(&["info", "-"], &bytes);
    assert_eq!(run.code, 0);
    assert!(run.text().starts_with("standard input: tsm module, 265 bytes\n"));
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
        let code = if Path::new(&file).exists() { 2 } else { 1 };
        assert_eq!(run.code, code, "{file}");
        assert!(run.stdout.is_empty());
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
        assert!(run.stderr.starts_with(&format!("fourfold: {file}: ")), "{}", run.stderr);
    }
}

/// No file of the fixtures, good or bad, is answered with a crash.
#[test]
fn every_fixture_is_answered() {
    for folder in [
        "tsm/good",
        "tsm/odd",
        "primitiv/crafted",
        "primitiv/saved",
        "biniou/multi",
        "biniou/reader",
    ] {
        for entry in std::fs::read_dir(format!("tests/fixtures/{folder}")).unwrap() {
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
