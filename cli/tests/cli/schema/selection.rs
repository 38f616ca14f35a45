//! The type that is selected if none is given.

use std::fs;

use super::printed;
use crate::command::{fixture, fourfold, fourfold_with, in_root};

/// A file of biniou, its schema, and the types that fit, of which the first is selected.
fn several() -> [(String, String, &'static str); 2] {
    let schema = |name: &str| fixture(&format!("biniou/schemas/{name}.atd"));
    let data = |name: &str| fixture(&format!("biniou/data/{name}.biniou"));
    [
        (data("log.log_list-three"), schema("log"), "log_list, log_table"),
        (data("mesh.mesh-fifty"), schema("mesh"), "mesh, mesh_array"),
    ]
}

#[test]
fn the_first_type_that_fits_is_selected() {
    for (file, schema, names) in several() {
        let first = names.split(", ").next().unwrap();
        let note = format!(
            "fourfold: {file}: read as {first}, the first of 2 types that fit: {names}; select another one with `--type`\n"
        );
        for subcommand in [&["dump"][..], &["dump", "--json"], &["verify"], &["explain"], &["info"]]
        {
            let by = [subcommand, &[&file, "--schema", &schema]].concat();
            let (text, stderr) = printed(&by);
            assert_eq!(stderr, note, "{by:?}");
            let (typed, stderr) = printed(&[&by[..], &["--type", first]].concat());
            assert_eq!((text, &*stderr), (typed, ""), "{by:?}");
        }
    }
}

#[test]
fn a_type_that_fits_both_files_is_selected_for_a_comparison() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (schema, text, number) = (path("s.mol"), path("text"), path("number"));
    fs::write(&schema, "array Four [byte; 4]; vector Text <byte>;").unwrap();
    // An empty text, which is four bytes too.
    fs::write(&text, [0; 4]).unwrap();
    fs::write(&number, [1, 0, 0, 0, 7]).unwrap();
    let run = fourfold(&["diff", &text, &number, "--schema", &schema]);
    let note = "read as Text, the only type of the schema that fits both files";
    assert_eq!(
        (run.code, run.stderr),
        (3, format!("fourfold: {text}: {note}\nfourfold: {number}: {note}\n"))
    );
}

#[test]
fn a_file_that_no_type_fits_is_shown_without_types_and_with_names() {
    let folder = tempfile::tempdir().unwrap();
    let schema = folder.path().join("log.atd");
    let schema = schema.to_str().unwrap();
    let log = fs::read_to_string(in_root(fixture("biniou/schemas/log.atd"))).unwrap();
    fs::write(schema, log.replace("code : int", "code : string")).unwrap();
    let file = fixture("biniou/data/log.log_list-three.biniou");
    let best = "no type of the schema fits; log_list fits best: ";

    for subcommand in [&["dump"][..], &["dump", "--json"], &["explain"], &["info"]] {
        let by = [subcommand, &[&file]].concat();
        let (named, _) = printed(&[&by[..], &["--dict", schema]].concat());
        let run = fourfold(&[&by[..], &["--schema", schema]].concat());
        assert_eq!((run.code, run.text()), (2, &*named), "{by:?}");
        assert!(run.stderr.starts_with(&format!("fourfold: {file}: {best}")), "{}", run.stderr);
        assert!(run.stderr.contains(" in [0].code at byte "), "{}", run.stderr);
    }
    let run = fourfold(&["verify", "--schema", schema, &file]);
    assert_eq!((run.code, &*run.stderr), (2, ""));
    assert!(run.text().starts_with(&format!("{file}: {best}")), "{}", run.text());
}

#[test]
fn a_file_of_another_format_is_shown_without_the_schema() {
    let schema = fixture("biniou/schemas/log.atd");
    let file = fixture("primitiv/saved/m_empty.model");
    let (named, _) = printed(&["info", &file]);
    let run = fourfold(&["info", "--schema", &schema, &file]);
    let note = format!(
        "fourfold: {file}: the schema is for biniou, and this file can be read as primitiv\n"
    );
    assert_eq!((run.code, run.text()), (2, &*named));
    assert_eq!(run.stderr, note);
}

#[test]
fn the_format_of_a_file_counts_more_than_a_type_of_its_length() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (schema, file) = (path("s.mol"), path("one.safetensors"));
    let header = r#"{"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}"#;
    let mut bytes = u64::try_from(header.len()).unwrap().to_le_bytes().to_vec();
    bytes.extend(header.as_bytes());
    bytes.push(7);
    fs::write(&file, &bytes).unwrap();
    fs::write(&schema, format!("array Whole [byte; {}];", bytes.len())).unwrap();
    let (shown, _) = printed(&["info", &file]);
    let run = fourfold(&["info", "--schema", &schema, &file]);
    let note = "the schema is for molecule, and this file can be read as safetensors";
    assert_eq!((run.code, run.text()), (2, &*shown));
    assert_eq!(run.stderr, format!("fourfold: {file}: {note}\n"));
    let run = fourfold(&["verify", "--schema", &schema, &file]);
    assert_eq!(
        (run.code, run.text()),
        (2, &*format!("{file}: {note}; read it without a schema\n"))
    );
    // A requested type is used.
    let run = fourfold(&["verify", "--schema", &schema, "--type", "Whole", &file]);
    assert_eq!(run.code, 0, "{}", run.text());
}

#[test]
fn a_type_of_fixed_size_is_not_the_closest_one_because_of_its_length() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (schema, file) = (path("s.mol"), path("damaged"));
    fs::write(&schema, "array Eight [byte; 8]; table Pair { a: byte, b: byte, }").unwrap();
    // A table whose first offset has a wrong bit.
    fs::write(&file, [14, 0, 0, 0, 12, 16, 0, 0, 13, 0, 0, 0, 1, 2]).unwrap();
    let run = fourfold(&["verify", "--schema", &schema, &file]);
    let note = "no type of the schema fits; Pair fits best: ";
    assert_eq!(run.code, 2);
    assert!(run.text().starts_with(&format!("{file}: {note}")), "{}", run.text());
}

#[test]
fn a_table_that_is_cut_off_or_too_long_is_the_closest_type() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (schema, file) = (path("s.mol"), path("damaged"));
    let types = [
        "vector Bytes <byte>; vector List <Bytes>;",
        "table One { a: Bytes, } option Maybe (Pair);",
        "table Pair { a: byte, b: byte, } table Other { a: Bytes, b: byte, }",
    ];
    fs::write(&schema, types.concat()).unwrap();
    let whole = [14, 0, 0, 0, 12, 0, 0, 0, 13, 0, 0, 0, 1, 2];
    let long = [&whole[..], &[0]].concat();
    // The second offset has a wrong bit.
    let damaged = [14, 0, 0, 0, 12, 0, 0, 0, 13, 1, 0, 0, 1, 2];
    for bytes in [&whole[..13], &long, &damaged] {
        fs::write(&file, bytes).unwrap();
        let run = fourfold(&["verify", "--schema", &schema, &file]);
        assert_eq!(run.code, 2);
        let note = format!("{file}: no type of the schema fits; Pair fits best: ");
        assert!(run.text().starts_with(&note), "{}", run.text());
    }
}

#[test]
fn tensors_are_shown_and_compared_beside_a_schema() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (npz, other, empty) = (path("one.npz"), path("other.npz"), path("empty"));
    for (model, made) in [("tsm/good/mlp.tsm", &npz), ("tsm/good/cnn_small.tsm", &other)] {
        assert_eq!(fourfold(&["convert", "--raw", &fixture(model), made]).code, 0);
    }
    fs::write(&empty, "").unwrap();
    let schema = fixture("biniou/schemas/log.atd");
    let by = |old, new| fourfold(&["diff", old, new, "--schema", &schema]);
    let run = by(&npz, &other);
    assert_eq!((run.code, run.text()), (2, fourfold(&["diff", &npz, &other]).text()));
    assert!(run.stderr.contains("this file can be read as npz\n"), "{}", run.stderr);
    for subcommand in [&["dump"][..], &["dump", "--json"], &["info"]] {
        let alone = [subcommand, &[&npz]].concat();
        let run = fourfold(&[&alone[..], &["--schema", &schema]].concat());
        assert_eq!((run.code, run.text()), (2, fourfold(&alone).text()), "{subcommand:?}");
        assert!(run.stderr.contains("this file can be read as npz\n"), "{}", run.stderr);
    }
    let run = by(&npz, &empty);
    assert_eq!(run.code, 2);
    assert!(run.stderr.ends_with("empty: empty file\n"), "{}", run.stderr);
}

/// Whichever file is first: two kinds that cannot be compared, or the error of the one without a format.
#[test]
fn files_without_a_format_are_not_compared_with_a_schema() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let model = fixture("primitiv/saved/m_stats.model");
    let [schema, id, bad, empty, weights] =
        ["s.mol", "id.bin", "bad.bin", "empty", "w.npz"].map(path);
    fs::write(&schema, "array Id [byte; 4];").unwrap();
    fs::write(&id, b"\xf3\xe1\x07\xfe").unwrap();
    assert_eq!(fourfold(&["convert", &model, &weights]).code, 0);
    fs::write(&empty, "").unwrap();
    fs::write(&bad, b"\xf3\xe1\x07\xfe\xee").unwrap();
    let last = |code: i32, old: &str, new: &str| {
        let run = fourfold(&["diff", old, new, "--schema", &schema]);
        assert_eq!(run.code, code, "{}", run.stderr);
        run.stderr.lines().last().unwrap_or_default().to_owned()
    };
    let apart = |old, new| format!("fourfold: {old} and {new} have nothing that can be compared");
    assert_eq!(last(1, &weights, &id), apart("tensors", "molecule"));
    assert_eq!(last(1, &id, &weights), apart("molecule", "tensors"));
    for known in [&bad, &id] {
        assert_eq!(last(2, known, &empty), format!("fourfold: {empty}: empty file"));
        assert_eq!(last(2, &empty, known), format!("fourfold: {empty}: empty file"));
    }
    // Both files have tensors.
    for (old, new) in [(&weights, &model), (&model, &weights)] {
        let run = fourfold(&["diff", old, new, "--schema", &schema]);
        assert_eq!(run.text(), fourfold(&["diff", old, new]).text());
        assert!(!run.stderr.contains("compared"), "{}", run.stderr);
    }
}

#[test]
fn a_requested_format_is_used_for_a_file_that_no_type_fits() {
    let folder = tempfile::tempdir().unwrap();
    let schema = folder.path().join("s.mol");
    let schema = schema.to_str().unwrap();
    fs::write(schema, "array Id [byte; 4];").unwrap();
    let (mlp, other) = (fixture("tsm/good/mlp.tsm"), fixture("tsm/good/chain.tsm"));
    let requested = ["--schema", schema, "--format", "molecule"];
    for subcommand in [&["explain", &mlp][..], &["verify", &mlp], &["info", &mlp]] {
        let run = fourfold(&[subcommand, &requested].concat());
        assert_eq!(run.code, 2, "{subcommand:?}");
        let shown = format!("{}{}", run.text(), run.stderr);
        assert!(shown.contains("no type of the schema fits; Id fits best: "), "{shown}");
    }
    // As bytes, not as tensors.
    let run = fourfold(&[&["diff", &mlp, &other][..], &requested].concat());
    let bytes = fourfold(&["diff", &mlp, &other, "--format", "molecule"]);
    assert_eq!((run.code, run.text(), bytes.code), (2, bytes.text(), 3));
    assert!(run.stderr.contains("no type of the schema fits; Id fits best: "), "{}", run.stderr);
    assert!(!run.stderr.contains("can be read as"), "{}", run.stderr);
}

#[test]
fn damaged_molecule_that_is_readable_as_biniou_remains_molecule() {
    let folder = tempfile::tempdir().unwrap();
    let schema = folder.path().join("s.mol");
    let schema = schema.to_str().unwrap();
    fs::write(schema, "array Id [byte; 4];").unwrap();
    let run = fourfold_with(&["verify", "--schema", schema, "-"], &[0, 1]);
    let error = "no type of the schema fits; \
                 Id fits best: input ends early: 4 bytes needed, 2 left at byte 0";
    assert_eq!(run.code, 2);
    assert_eq!(run.text(), format!("standard input: {error}\n"));
    // The extension of a file confirms what its bytes may be.
    let named = folder.path().join("cut.biniou");
    fs::write(&named, [0, 1]).unwrap();
    let run = fourfold(&["dump", "--schema", schema, named.to_str().unwrap()]);
    assert_eq!((run.code, run.text()), (2, "true\n"));
    assert!(run.stderr.contains("can be read as biniou; Id fits best: "), "{}", run.stderr);
}

#[test]
fn molecule_that_no_type_fits_has_its_layout_and_the_closest_type() {
    let folder = tempfile::tempdir().unwrap();
    let schema = folder.path().join("s.mol");
    let schema = schema.to_str().unwrap();
    fs::write(schema, "array Id [byte; 4]; vector Ids <Id>; vector Bytes <byte>;").unwrap();
    let cut = [2, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2];
    let explained = fourfold_with(&["explain", "--schema", schema, "-"], &cut);
    let layout = fourfold_with(&["explain", "--layout", "-"], &cut);
    assert_eq!((explained.code, explained.text()), (2, layout.text()));
    assert!(explained.stderr.contains("no type of the schema fits; "), "{}", explained.stderr);
    // Another schema is needed.
    assert!(explained.text().contains("without a schema that has its type"), "{explained:?}");
    let dumped = fourfold_with(&["dump", "--schema", schema, "-"], &cut);
    assert_eq!((dumped.code, dumped.text(), &dumped.stderr), (2, "", &explained.stderr));
}
