//! `fourfold explain`: it covers every byte once, shows errors at their bytes, and fits lines into the terminal.

use serde_json::Value;

use crate::command::{
    Folder, bytes, command, fixture, fourfold, fourfold_with, snapshot, some_fixtures,
};

/// The first byte of each line of the output, and the lines of errors.
fn ranges(text: &str) -> Vec<(usize, usize)> {
    text.lines()
        .skip(2)
        .filter_map(|line| {
            let (start, rest) = line.trim_start_matches(['!', ' ']).split_once("..")?;
            let end = rest.split(' ').next()?;
            Some((start.parse().ok()?, end.parse().ok()?))
        })
        .collect()
}

/// `inspect/tests/spans` tests this for all fixtures.
#[test]
fn each_byte_is_in_one_line() {
    for (format, files) in some_fixtures() {
        for file in files {
            let run = fourfold(&["explain", "--format", format, &file]);
            assert!(run.stderr.is_empty(), "{file}: {}", run.stderr);
            let mut end = 0;
            for range in ranges(run.text()) {
                assert_eq!(range.0, end, "{file}");
                end = range.1;
            }
            assert_eq!(end, bytes(&file).len(), "{file}");

            let error = run.text().lines().any(|line| line.starts_with('!'));
            assert_eq!(run.code, if error { 2 } else { 0 }, "{file}");
            if format != "molecule" {
                let verified = fourfold(&["verify", "--format", format, &file]);
                assert_eq!(run.code, verified.code, "{file}: {}", verified.text());
            }
        }
    }
}

#[test]
fn output_of_small_files_matches_the_snapshots() {
    for (name, arguments) in [
        ("explain-biniou", &["biniou/typed/feat.outer-a.biniou"][..]),
        ("explain-biniou-table", &["biniou/typed/feat.point_table-three.biniou"]),
        ("explain-biniou-stream", &["biniou/stream/feat.int_list-ten_by_four.stream"]),
        ("explain-biniou-damaged", &["biniou/tree-reader/array_bad_element_tag.biniou"]),
        ("explain-tsm", &["tsm/good/minimal.tsm"]),
        ("explain-tsm-damaged", &["tsm/odd/truncated_in_tensor.tsm"]),
        ("explain-tsm-wrong-index", &["tsm/odd/node_input_out_of_range.tsm"]),
        ("explain-tensor", &["tsm/good/tensor_f32.t"]),
        ("explain-primitiv", &["primitiv/saved/p_mat2x3.param"]),
        ("explain-primitiv-damaged", &["primitiv/crafted/e_dim_fixint.param"]),
        ("explain-primitiv-cut", &["primitiv/crafted/x_cut_at_27.param"]),
        ("explain-layout", &["molecule/blocks/block-empty.bin", "--layout"]),
    ] {
        let file = fixture(arguments[0]);
        let run = fourfold(&[&["explain", &file], &arguments[1..]].concat());
        assert_eq!(run.stderr, "");
        snapshot(name, &format!("{}exit code {}\n", run.text(), run.code));
    }
}

#[test]
fn names_come_from_dictionaries() {
    let file = fixture("biniou/data/log.log_list-three.biniou");
    let schema = fixture("biniou/schemas/log.atd");
    let run = fourfold(&["explain", "--dict", &schema, &file]);
    assert_eq!(run.text(), fourfold(&["explain", "--wide", "--dict", &schema, &file]).text());
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    snapshot("explain-biniou-names", run.text());
}

#[test]
fn a_path_selects_one_part() {
    let file = fixture("primitiv/saved/z_xor_adam.model");
    let lines = fourfold(&["explain", "--json", &file]).json_lines();
    let path = lines.iter().find_map(|line| {
        let path = line["path"].as_str().unwrap();
        path.ends_with(".data").then_some(path)
    });
    let path = path.and_then(|path| path.strip_suffix(".data")).unwrap();
    let expected: Vec<&Value> = lines
        .iter()
        .filter(|line| {
            let rest = line["path"].as_str().unwrap().strip_prefix(path);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        })
        .collect();
    assert!(expected.len() > 1 && expected.len() < lines.len(), "{path}");

    let shown = fourfold(&["explain", "--json", "--path", path, &file]).json_lines();
    assert_eq!(shown.iter().collect::<Vec<_>>(), expected);

    let none = fourfold(&["explain", "--path", "no.such[3]", &file]);
    assert_eq!((none.code, none.text()), (1, ""));
    let near = "the whole has version, data_type, parameters";
    assert_eq!(none.stderr, format!("fourfold: {file}: there is no no.such[3]; {near}\n"));
}

/// The output for a terminal of this width.
fn explained(columns: &str, arguments: &[&str]) -> String {
    let mut command = command(arguments);
    let output = command.env("COLUMNS", columns).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn lines_fit_a_terminal() {
    for (format, files) in some_fixtures() {
        for file in files {
            let text = explained("100", &["explain", "--format", format, &file]);
            for line in text.lines().skip(1).filter(|line| !line.starts_with("!  ")) {
                assert!(line.chars().count() <= 100, "{file}: {line}");
            }
        }
    }
}

/// A file of nested records: `outer.middle.inner` with a text.
fn nested(text: &str) -> (Folder, String, String) {
    use fourfold::biniou::{Value, hash, to_vec};

    let names = ["outermost_of_records", "middle_of_records", "innermost_of_records"];
    let value = names
        .iter()
        .rev()
        .fold(Value::from(text), |inner, name| Value::Record(vec![(hash(name), inner)]));
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    let (file, words) = (path("nested.biniou"), path("words"));
    std::fs::write(&file, to_vec(&value).unwrap()).unwrap();
    std::fs::write(&words, names.join("\n")).unwrap();
    (folder, file, words)
}

const INNERMOST: &str = "outermost_of_records.middle_of_records.innermost_of_records";

#[test]
fn paths_names_and_values_are_whole_in_a_pipe() {
    let long = "a word of many ".repeat(250);
    let (_folder, file, words) = nested(&long);
    let run = fourfold(&["explain", "--dict", &words, &file]);
    let line = run.text().lines().last().unwrap();
    assert!(line.contains(INNERMOST) && line.ends_with(&format!("  {long:?}")), "{line}");
    // Only the hex column is shortened, for values of more than 64 bytes.
    assert_eq!(run.text().matches('…').count(), 1, "{}", run.text());
    let json = fourfold(&["explain", "--json", "--dict", &words, &file]);
    let last: Value = serde_json::from_str(json.text().lines().last().unwrap()).unwrap();
    assert_eq!(last["value"], format!("{long:?}"));

    // No line has megabytes.
    let (_folder, file, words) = nested(&"x".repeat(3 << 20));
    let run = fourfold(&["explain", "--dict", &words, &file]);
    let line = run.text().lines().last().unwrap();
    assert!(line.ends_with(&format!("\"{}…\" (3145728 bytes)", "x".repeat(4096))), "{line}");
    let help = fourfold(&["explain", "--help"]);
    assert!(help.text().contains("4,096 characters"), "{}", help.text());
}

#[test]
fn paths_are_as_long_as_the_terminal_allows() {
    let (_folder, file, words) = nested("short");
    let arguments = ["explain", "--dict", &words, &file];
    let text = explained("120", &arguments);
    assert!(text.contains(INNERMOST), "{text}");
    // A long path leaves less space for bytes and values.
    let (_folder, file, words) = nested("a text that takes more than its part of a line");
    let text = explained("120", &["explain", "--dict", &words, &file]);
    assert!(text.lines().last().unwrap().contains(INNERMOST), "{text}");
    assert!(text.lines().skip(1).all(|line| line.chars().count() <= 120), "{text}");
    assert!(explained("80", &arguments).contains("outermost"));
}

#[test]
fn control_characters_of_files_are_escaped() {
    // A parameter with a statistic named `ESC [31m NEWLINE`.
    let mut model = bytes(&fixture("primitiv/saved/p_mat2x3.param"));
    // The count of statistics is the last number.
    let end = model.len();
    assert_eq!(model[end - 5..], [0xce, 0, 0, 0, 0]);
    model[end - 1] = 1;
    model.extend_from_slice(b"\xa6\x1b[31m\n");
    let run = fourfold_with(&["explain", "-"], &model);
    assert_eq!(run.code, 2);
    assert!(run.text().chars().all(|c| c == '\n' || !c.is_control()), "{}", run.text());
    assert!(run.text().contains("[31m"), "{}", run.text());
}

/// `count` bools with their tags. The last one is invalid.
fn bools(count: usize) -> Vec<u8> {
    let mut bytes = vec![0; 2 * count];
    bytes[2 * count - 1] = 7;
    bytes
}

#[test]
fn a_long_explanation_is_counted_at_its_end() {
    let run = fourfold_with(&["explain", "--format", "biniou", "-"], &bools(5_000));
    assert_eq!((run.code, run.stderr.as_str()), (2, ""));
    let lines: Vec<&str> = run.text().lines().collect();
    assert_eq!(lines.len(), 2 + 10_000 + 1 + 1);
    assert_eq!(lines[0], "standard input: biniou, 10000 bytes");
    assert_eq!(lines[2], "      0..1      00     [0]     tag   bool");
    assert_eq!(lines[10_000], "   9998..9999   00     [4999]  tag   bool");
    assert_eq!(lines[10_003], "10000 parts, 1 error");

    // The counts of a short file are in the first line.
    let run = fourfold_with(&["explain", "--format", "biniou", "-"], &bools(2_000));
    assert_eq!(run.text().lines().count(), 2 + 4_000 + 1);
    let counted = "standard input: biniou, 4000 bytes, 4000 parts, 1 error\n";
    assert!(run.text().starts_with(counted), "{}", run.text());
}

#[test]
fn a_part_is_shown_without_the_others() {
    let arguments = ["explain", "--format", "biniou", "--path", "[4321]", "-"];
    let run = fourfold_with(&arguments, &bools(100_000));
    // The error after this value is not counted.
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let lines: Vec<&str> = run.text().lines().collect();
    assert_eq!(lines[0], "standard input: biniou, 200000 bytes, 2 parts");
    assert_eq!(lines[2], "  8642..8643  00     [4321]  tag   bool");
    assert_eq!(lines.len(), 4);
}

#[test]
fn any_file_has_a_layout() {
    let run = fourfold(&["explain", "--layout", &fixture("tsm/NOTES.md")]);
    assert_eq!(run.stderr, "");
    assert!(run.text().contains(": molecule ("), "{}", run.text());
}

#[test]
fn files_that_can_only_be_molecule_are_explained() {
    let folder = Folder::new();
    let path = &folder.write("two", [2, 0, 0, 0, 9, 9]);
    let plain = fourfold(&["explain", path]).succeeded();
    assert_eq!(plain.text(), fourfold(&["explain", "--layout", path]).text());
    // A file that can be of another format too is refused.
    std::fs::write(path, [0; 4]).unwrap();
    assert_eq!(fourfold(&["explain", path]).code, 1);
}

#[test]
fn html_file_names_select_the_page() {
    let folder = Folder::new();
    let file = fixture("tsm/good/minimal.tsm");
    let page = fourfold(&["explain", "--html", &file]);
    for name in ["page.html", "PAGE.HTM"] {
        let path = folder.path(name);
        fourfold(&["explain", &file, "-o", &path]).succeeded();
        assert_eq!(std::fs::read(&path).unwrap(), page.stdout, "{name}");
    }
    let path = folder.path("lines.html");
    fourfold(&["explain", "--json", &file, "-o", &path]);
    assert!(std::fs::read(&path).unwrap().starts_with(b"{"));
}
