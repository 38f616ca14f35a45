//! `fourfold detect`: the format of every fixture, or honest doubt.

use serde_json::Value;

use crate::command::{all_fixtures, fixture, fourfold, fourfold_with, snapshot};

/// The formats that `detect --json` says fit, file by file.
fn formats(files: &[String]) -> Vec<Vec<String>> {
    let mut arguments = vec!["detect", "--json"];
    arguments.extend(files.iter().map(String::as_str));
    let run = fourfold(&arguments);
    assert_eq!(run.stderr, "");
    let objects: Vec<Value> =
        run.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects.len(), files.len());
    objects
        .iter()
        .map(|object| {
            let formats = object["formats"].as_array().unwrap();
            formats.iter().map(|name| name.as_str().unwrap().to_owned()).collect()
        })
        .collect()
}

#[test]
fn fixtures_are_named_or_doubted() {
    for (format, files) in all_fixtures() {
        let (mut named, mut doubted, mut unknown) = (0, 0, 0);
        for (file, found) in files.iter().zip(formats(&files)) {
            match &found[..] {
                // Without a mark, nothing speaks for a file that its reader refuses.
                [] => {
                    assert!(
                        fourfold(&["verify", "--format", format, file]).code != 0,
                        "{file} reads, but is unknown"
                    );
                    unknown += 1;
                }
                [one] => {
                    assert_eq!(one, format, "{file}");
                    named += 1;
                }
                several => {
                    assert!(several.iter().any(|one| one == format), "{file}: {several:?}");
                    doubted += 1;
                }
            }
        }
        assert!(named > 9 * doubted, "{format}: {named} named, {doubted} doubted");
        assert!(named > 2 * unknown, "{format}: {named} named, {unknown} unknown");
    }
}

#[test]
fn says_what_speaks_for_a_format() {
    let mut text = String::new();
    for file in [
        "molecule/blocks/block-empty.bin",
        "biniou/typed/feat.point_table-three.biniou",
        "biniou/multi/feat.point-two.biniou",
        "biniou/stream/feat.int_list-ten_by_four.stream",
        "biniou/tree-reader/tag_5.biniou",
        "tsm/good/minimal.tsm",
        "tsm/good/tensor_scalar.t",
        "tsm/odd/truncated_in_node.tsm",
        "tsm/odd/code_zero.tsm",
        "primitiv/saved/p_mat2x3.param",
        "primitiv/crafted/h_version_0_2.param",
        "primitiv/crafted/h_type_unknown_0x500.param",
        "tsm/NOTES.md",
        "molecule/blocks/block-40.bin",
    ] {
        let run = fourfold(&["detect", &fixture(file)]);
        text.push_str(run.text());
        text.push_str(&format!("exit code {}\n\n", run.code));
    }
    snapshot("detect", &text);
}

#[test]
fn several_formats_are_several() {
    // No fields of a packed tensor, no items of a fixvec, two values `false`.
    let run = fourfold_with(&["detect", "-"], &[0, 0, 0, 0]);
    assert_eq!(run.code, 3);
    assert!(
        run.text().starts_with("standard input: perhaps molecule or biniou or tsm\n"),
        "{run:?}"
    );
    let run = fourfold_with(&["verify", "-"], &[0, 0, 0, 0]);
    assert_eq!((run.code, run.text()), (1, ""));
    assert_eq!(
        run.stderr,
        "fourfold: standard input: its bytes may be molecule or biniou or tsm; say which with \
         `--format`\n"
    );
}

#[test]
fn one_number_that_fits_settles_nothing() {
    // Two items of one byte, or any other file that begins with a 2.
    let run = fourfold_with(&["detect", "-"], &[2, 0, 0, 0, 9, 9]);
    assert_eq!(run.code, 3);
    assert!(run.text().starts_with("standard input: perhaps molecule\n"), "{run:?}");
}

#[test]
fn what_may_be_molecule_can_be_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("four");
    std::fs::write(&path, [4, 0, 0, 0]).unwrap();
    let path = path.to_str().unwrap();
    for arguments in [
        &["verify", path][..],
        &["dump", path],
        &["explain", path],
        &["info", path],
        &["diff", path, path],
    ] {
        let run = fourfold(arguments);
        assert_eq!((run.code, run.text()), (1, ""), "{arguments:?}");
        let hint = "its bytes may be molecule; `fourfold explain --layout` shows their structure, \
                    and info and diff take `--format molecule`\n";
        assert_eq!(run.stderr, format!("fourfold: {path}: {hint}"), "{arguments:?}");
    }
    for arguments in [
        &["explain", "--layout", path][..],
        &["info", "--format", "molecule", path],
        &["diff", "--format", "molecule", path, path],
    ] {
        let run = fourfold(arguments);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{arguments:?}");
    }
}

#[test]
fn nothing_is_nothing() {
    let run = fourfold_with(&["detect", "-"], b"");
    assert_eq!(run.code, 2);
    assert!(run.text().starts_with("standard input: unknown\n"), "{run:?}");
}
