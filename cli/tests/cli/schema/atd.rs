//! `--schema` with an `.atd` file: biniou values with their types.

use std::fs;

use fourfold::biniou::ChunkWriter;
use serde_json::Value;

use super::{printed, refused};
use crate::command::{Folder, fixture, fixtures, fourfold, fourfold_with, in_root};

/// Good fixtures, each with the schema and the type in its name.
fn typed() -> Vec<(String, String, String)> {
    let files = fixtures("biniou/data", &["biniou"]);
    let typed = files.into_iter().map(|file| {
        let (_, name) = file.rsplit_once('/').unwrap();
        let (schema, rest) = name.split_once('.').unwrap();
        let (ty, _) = rest.split_once('-').unwrap();
        let schema = fixture(&format!("biniou/schemas/{schema}.atd"));
        (file.clone(), schema, ty.to_owned())
    });
    typed.collect()
}

/// Whether two JSON values are equal; numbers can be spelled differently.
fn is_same(one: &Value, two: &Value) -> bool {
    match (one, two) {
        (Value::Number(one), Value::Number(two)) => one.as_f64() == two.as_f64(),
        (Value::Array(one), Value::Array(two)) => {
            one.len() == two.len() && one.iter().zip(two).all(|(one, two)| is_same(one, two))
        }
        (Value::Object(one), Value::Object(two)) => {
            one.len() == two.len()
                && one
                    .iter()
                    .zip(two)
                    .all(|((key, one), (other, two))| key == other && is_same(one, two))
        }
        _ => one == two,
    }
}

#[test]
fn values_have_the_json_of_atdgen_and_survive() {
    let folder = Folder::new();
    let (json, made) = (&folder.path("it.json"), &folder.path("it.biniou"));
    let files = typed();
    assert!(files.len() >= 8);
    for (file, schema, ty) in files {
        let by = ["--schema", &schema, "--type", &ty];
        printed(&[&["dump", "--json", &file, "-o", json], &by[..]].concat());
        let shown: Value = serde_json::from_str(&fs::read_to_string(json).unwrap()).unwrap();
        let theirs = in_root(file.replace(".biniou", ".json"));
        let theirs: Value = serde_json::from_str(&fs::read_to_string(theirs).unwrap()).unwrap();
        assert_eq!(shown["fourfold"], "biniou");
        assert_eq!(shown["type"], *ty);
        assert!(is_same(&shown["value"], &theirs), "{file}");

        printed(&["make", json, "-o", made, "--schema", &schema]);
        assert!(fs::read(made).unwrap() == fs::read(in_root(&file)).unwrap(), "{file}");
        let (stdout, _) = printed(&[&["verify", &file], &by[..]].concat());
        assert!(stdout.contains(&format!("good (biniou, {ty}, ")), "{stdout}");
    }
}

#[test]
fn concatenated_values_and_chunks_are_each_of_the_type() {
    let folder = Folder::new();
    let schema = folder.write("level.atd", "type level = { at : int <biniou repr=\"int8\"> }");
    let make = ["make", "-", "--schema", &schema];
    let level = |at: u8| {
        let text = format!(r#"{{"fourfold":"biniou","type":"level","value":{{"at":{at}}}}}"#);
        fourfold_with(&make, text.as_bytes()).stdout
    };
    let mut stream = ChunkWriter::new(Vec::new());
    stream.write_chunk(&level(3)).unwrap();
    stream.write_chunk(&level(4)).unwrap();
    let stream = stream.finish().unwrap();
    let both = [level(1), level(2)].concat();
    for (bytes, contents, key, shown) in [
        (&level(7), "level", "value", r#"{"at":7}"#),
        (&both, "2 values of level", "values", r#"[{"at":1},{"at":2}]"#),
        (
            &stream,
            "stream of 2 chunks of level",
            "chunks",
            r#"[{"value":{"at":3}},{"value":{"at":4}}]"#,
        ),
    ] {
        let run = fourfold_with(&["dump", "--json", "-", "--schema", &schema], bytes);
        let message =
            "fourfold: standard input: read as level, the only type of the schema that fits\n";
        assert_eq!((run.code, &*run.stderr), (0, message));
        let json = run.json();
        assert_eq!(json[key].to_string(), shown);
        assert!(fourfold_with(&make, &run.stdout).stdout == *bytes, "{shown}");
        let run = fourfold_with(&["verify", "-", "--schema", &schema], bytes);
        let good = format!("standard input: good (biniou, {contents}, {} bytes)\n", bytes.len());
        assert_eq!(run.text(), good);
    }

    // Errors have the offset in the file.
    let verify = ["verify", "-", "--schema", &schema, "--type", "level"];
    let mut cut = both.clone();
    cut.pop();
    let run = fourfold_with(&verify, &cut);
    let text = "length 1 needs 6 bytes or more, 5 left at byte 9, after 1 value\n";
    assert_eq!((run.code, run.text()), (2, &*format!("standard input: {text}")));
    let mut broken = stream.clone();
    *broken.iter_mut().rev().nth(2).unwrap() = 18;
    let run = fourfold_with(&verify, &broken);
    let text =
        "standard input: found string, expected uvint, svint, int8 or int16 in [1].at at byte 32\n";
    assert_eq!((run.code, run.text()), (2, text));
    let run = fourfold_with(&verify, b"");
    let text = "standard input: input ends early: 1 byte needed, 0 left at byte 0\n";
    assert_eq!((run.code, run.text()), (2, text));
}

#[test]
fn paths_select_nested_values() {
    let (_, schema, ty) = typed().swap_remove(0);
    let file = fixture("biniou/data/log.log_list-three.biniou");
    let by = ["--schema", &schema, "--type", &ty, "--path", "[1].code"];
    let (text, stderr) = printed(&[&["dump", &file], &by[..]].concat());
    assert_eq!((&*text, &*stderr), ("201\n", ""));
}

#[test]
fn files_of_another_schema_are_refused() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    let (atd, mol) = (path("one.atd"), path("one.mol"));
    fs::write(&atd, "type one = int  type text = string").unwrap();
    fs::write(&mol, "array One [byte; 1];").unwrap();

    let dump = ["dump", "-", "--schema", &atd];
    let (code, stderr) = refused(&[&dump[..], &["--format", "molecule"]].concat(), &[17, 0]);
    let text = format!(
        "fourfold: {atd}: the schema is for biniou, but the requested format is molecule\n"
    );
    assert_eq!((code, stderr), (1, text));
    let (code, stderr) = refused(&[&dump[..], &["--type", "two"]].concat(), &[17, 0]);
    assert_eq!(
        (code, stderr),
        (
            1,
            format!("fourfold: {atd}: the schema has no type `two` (there are `one` and `text`)\n")
        )
    );
    let none = "fourfold: standard input: no type of the schema fits; one fits best: found tuple, expected uvint, svint, int8 or int16 at byte 0\n";
    assert_eq!(refused(&dump, &[20, 0]), (2, none.into()));

    let json = r#"{"fourfold": "biniou", "type": "one", "value": 7}"#;
    let made = fourfold_with(&["make", "-", "--schema", &atd], json.as_bytes());
    assert_eq!((made.code, &made.stdout[..]), (0, &[17, 14][..]));
    let wrong = |json: &str, more: &[&str], message: &str| {
        let (code, text) = refused(&[&["make", "-"], more].concat(), json.as_bytes());
        assert_eq!((code, text), (2, format!("fourfold: standard input: {message}\n")));
    };
    let needs = "this is the JSON of a schema type in type at line 1 column 32; \
                 pass the schema with `--schema`";
    wrong(json, &[], needs);
    let other = "this is biniou, which needs no schema in fourfold at line 1 column 14";
    wrong(json, &["--schema", &mol], other);
    let molecule = json.replace("biniou", "molecule");
    let other = "this is molecule, and the schema is one of biniou in fourfold at line 1 column 14";
    wrong(&molecule, &["--schema", &atd], other);
    let not = "this is one, not text in type at line 1 column 32";
    wrong(json, &["--schema", &atd, "--type", "text"], not);
    let seven = json.replace('7', "\"7\"");
    let text =
        "invalid type: string \"7\", expected an integer of 63 bits in value at line 1 column 50";
    wrong(&seven, &["--schema", &atd], text);
}

#[test]
fn json_of_a_value_alone_becomes_a_file() {
    let folder = Folder::new();
    let made = &folder.path("it.biniou");
    for (file, schema, ty) in typed() {
        let theirs = file.replace(".biniou", ".json");
        printed(&["make", &theirs, "-o", made, "--schema", &schema, "--type", &ty]);
        assert!(fs::read(made).unwrap() == fs::read(in_root(&file)).unwrap(), "{file}");
    }

    let file = fixture("molecule/blocks/block-40.bin");
    let by = ["--schema", super::SCHEMA, "--type", "Block"];
    let (json, _) = printed(&[&["dump", "--json", "--path", "", &file], &by[..]].concat());
    assert!(json.starts_with("{\n  \"header\":"), "{json}");
    let make = [&["make", "-"], &by[..]].concat();
    let made = fourfold_with(&make, json.as_bytes());
    assert!(made.stdout == fs::read(in_root(&file)).unwrap(), "{}", made.stderr);
    let (code, text) = refused(&[&make[..4], &["--type", "Bytes"]].concat(), b"[1,");
    assert_eq!((code, text.contains(" at line 1 column 3")), (2, true), "{text}");

    let names = "this JSON does not name its type at line 1 column 1; use `--type`";
    for json in ["7", "[]", "{}", r#"{"type": "Block"}"#] {
        let text = format!("fourfold: standard input: {names}\n");
        assert_eq!(refused(&make[..4], json.as_bytes()), (2, text));
    }
    let (code, text) = refused(&make, b" {\n \"uncles\": 7}");
    let place = "at line 2 column 12\n";
    assert_eq!(code, 2);
    assert!(text.ends_with(place), "{text}");
}

#[test]
fn byte_order_marks_are_skipped() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    let (words, atd, file) = (path("words.txt"), path("names.atd"), path("it.biniou"));
    fs::write(&words, "\u{feff}first\nsecond\n").unwrap();
    fs::write(&atd, "\u{feff}type t = { first : int }").unwrap();
    let json = r#"{"fourfold": "biniou", "value": {"first": 7}}"#;
    let made = fourfold_with(&["make", "-"], json.as_bytes());
    fs::write(&file, &made.stdout).unwrap();
    for names in [words, atd] {
        let (text, _) = printed(&["dump", "--dict", &names, &file]);
        assert_eq!(text, "first: 7\n", "{names}");
    }
    let marked = fourfold_with(&["make", "-"], format!("\u{feff}{json}").as_bytes());
    assert_eq!((marked.code, marked.stdout), (0, made.stdout), "{}", marked.stderr);
    let wrong = format!("\u{feff}{}", json.replace('7', "?"));
    let run = fourfold_with(&["make", "-"], wrong.as_bytes());
    assert!(run.stderr.ends_with(" at line 1 column 43\n"), "{}", run.stderr);
}

#[test]
fn floats_keep_all_their_digits() {
    let folder = Folder::new();
    let schema = &folder.write("f.atd", "type floats = float list");
    let list: Vec<f64> = vec![
        0.1,
        -0.0,
        1.0,
        1e300,
        5e-324,
        123_456_789.123_456_79,
        f64::MAX,
        1.797_693_134_862_315_5e308,
        2.225_073_858_507_201e-308,
        0.3,
    ];
    let bytes = fourfold::biniou::to_vec(&list).unwrap();
    let run = fourfold_with(&["dump", "--json", "-", "--schema", schema], &bytes);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let made = fourfold_with(&["make", "-", "--schema", schema], &run.stdout);
    assert!(made.stdout == bytes, "{}", run.text());
    // JSON has no such number: it is text, which the schema does not accept as a float.
    let bytes = fourfold::biniou::to_vec(&vec![f64::NAN]).unwrap();
    let run = fourfold_with(&["dump", "--json", "-", "--schema", schema], &bytes);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let made = fourfold_with(&["make", "-", "--schema", schema], &run.stdout);
    assert_eq!(made.code, 2);
    assert!(
        made.stderr.contains("invalid type: string \"nan\", expected a number"),
        "{}",
        made.stderr
    );
    assert_eq!(fourfold(&["dump", "--schema", schema, "no/such"]).code, 1);
}

#[test]
fn types_of_other_files_are_in_the_folder_of_the_schema_or_included() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    let write = |name: &str, text: &str| fs::write(folder.path(name), text).unwrap();
    fs::create_dir(path("lib")).unwrap();
    write(
        "diary.atd",
        "type reading <ocaml from=\"Units\"> = abstract\n\
         type 'a page <ocaml from=\"Pages\"> = abstract\n\
         type day = { name : string; readings : reading list }\n\
         type book = { days : day page }\n",
    );
    write("lib/units.atd", "type reading = { at : int; depth : float }");
    write("lib/pages.atd", "type 'a page = { items : 'a list }");
    write(
        "day.json",
        r#"{"days":{"items":[{"name":"monday","readings":[{"at":7,"depth":2.5}]}]}}"#,
    );
    let (schema, json, made, lib) = (path("diary.atd"), path("day.json"), path("day"), path("lib"));
    let by = ["--schema", &schema, "--type", "book"];
    let included = ["--include", &lib];

    // One line lists all missing types and the fix.
    let missing = "types of other modules were not found: `reading` of Units, `page` of Pages";
    let run = fourfold(&["schema", "rust", &schema]);
    let expected = format!(
        "fourfold: {schema}: {missing} at line 1, column 6; use --include DIR, or --with abstract=TYPE\n"
    );
    assert!(run.code == 2 && run.stderr.starts_with(&expected), "{}", run.stderr);
    fourfold(&["schema", "rust", &schema, "--with", "abstract=Mine"]).succeeded();
    let run = fourfold(&[&["make", &json, "-o", &made], &by[..]].concat());
    let expected = format!("fourfold: {schema}: {missing}; name their folder with --include\n");
    assert!(run.code == 2 && run.stderr.starts_with(&expected), "{}", run.stderr);

    let (rust, _) = printed(&["schema", "rust", &schema, "--include", &lib]);
    assert!(rust.contains("pub struct Reading {") && rust.contains("pub days: DayPage,"), "{rust}");
    let (good, _) = printed(&["schema", "check", &schema, "--include", &lib]);
    assert_eq!(good, format!("{schema}: good (3 types)\n"));
    let (by, included) = (&by[..], &included[..]);
    printed(&[&["make", &json, "-o", &made], by, included].concat());
    let (shown, _) = printed(&[&["dump", "--json", &made], by, included].concat());
    assert!(shown.contains("\"depth\": 2.5"), "{shown}");
    let (verified, _) = printed(&[&["verify", &made], by, included].concat());
    assert!(verified.contains("good (biniou, book"), "{verified}");
    let (explained, _) = printed(&[&["explain", &made], by, included].concat());
    assert!(explained.contains("depth"), "{explained}");

    // Files in the schema's folder need no option, not even for names of hashes.
    for name in ["units.atd", "pages.atd"] {
        fs::rename(folder.path(format!("lib/{name}")), folder.path(name)).unwrap();
    }
    printed(&[&["verify", &made], by].concat());
    let (shown, _) = printed(&["dump", &made, "--dict", &schema]);
    assert!(shown.contains("depth"), "{shown}");
    write("old.atd", "type day = { name : string }");
    let run = fourfold(&["schema", "compare", &schema, &path("old.atd")]);
    assert!(run.code == 3 && run.text().contains("readings"), "{}", run.text());
    write("a.mol", "array A [byte; 2];");
    let mol = path("a.mol");
    let run = fourfold(&["verify", &made, "--schema", &mol, "--include", &lib]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("--include is for `.atd` schemas"), "{}", run.stderr);
}
