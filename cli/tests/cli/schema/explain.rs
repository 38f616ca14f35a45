//! `explain --schema`: the meaning of each byte, with types.

use std::fs;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::{SCHEMA, printed, refused};
use crate::command::{Folder, bytes, fixture, fourfold, fourfold_with};

#[test]
fn parts_of_molecule_have_the_names_of_the_schema() {
    let file = fixture("molecule/blocks/block-40.bin");
    let by = ["--schema", SCHEMA, "--type", "Block"];
    let path = ["--path", "transactions[3].raw.inputs[0]"];
    let (text, stderr) = printed(&[&["explain", "--json", &file], &by[..], &path].concat());
    assert_eq!(stderr, "");
    let parts: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let shown: Vec<_> = parts
        .iter()
        .map(|part| (part["path"].as_str().unwrap(), part["what"].as_str().unwrap()))
        .collect();
    assert_eq!(
        shown,
        [
            ("transactions[3].raw.inputs[0].since", "Uint64"),
            ("transactions[3].raw.inputs[0].previous_output.tx_hash", "Byte32"),
            ("transactions[3].raw.inputs[0].previous_output.index", "Uint32"),
        ]
    );

    let (text, stderr) = printed(&["explain", "--schema", SCHEMA, &file, "--wide"]);
    let only = "read as Block, the only type of the schema that fits";
    assert_eq!(stderr, format!("fourfold: {file}: {only}\n"));
    assert!(text.contains("full size of TransactionVec"), "{text}");
    let (page, _) = printed(&[&["explain", "--html", &file], &by[..], &path].concat());
    let data = page.split(|c: char| !c.is_ascii_alphanumeric() && !"+/=".contains(c));
    let decoded = data.filter_map(|piece| STANDARD.decode(piece).ok());
    let has = |piece: &[u8], word: &[u8]| piece.windows(word.len()).any(|it| it == word);
    assert!(decoded.into_iter().any(|it| has(&it, b"previous_output") && has(&it, b"Byte32")));
}

#[test]
fn a_damaged_byte_is_reported_with_its_field() {
    let folder = Folder::new();
    let path = &folder.path("broken.bin");
    let mut block = bytes(&fixture("molecule/genesis/mainnet.bin"));
    // The item count of a script's arguments.
    let at = {
        let file = fixture("molecule/genesis/mainnet.bin");
        let path = ["--path", "transactions[0].raw.outputs[7].lock.args"];
        let by = ["explain", "--json", "--schema", SCHEMA, "--type", "Block", &file];
        let (text, _) = printed(&[&by[..], &path].concat());
        let count: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        assert_eq!(count["what"], "item count of Bytes");
        usize::try_from(count["start"].as_u64().unwrap()).unwrap()
    };
    block[at] += 1;
    fs::write(path, block).unwrap();
    let run = fourfold(&["explain", "--json", "--schema", SCHEMA, "--type", "Block", path]);
    assert_eq!(run.code, 2);
    let parts = run.json_lines().into_iter();
    let wrong: Vec<Value> = parts.filter(|part| !part["error"].is_null()).collect();
    let [part] = &wrong[..] else { panic!("{wrong:?}") };
    assert_eq!(part["path"], "transactions[0].raw.outputs[7].lock.args");
    let error = part["error"].as_str().unwrap();
    let (code, verdict) = {
        let run = fourfold(&["verify", "--schema", SCHEMA, "--type", "Block", path]);
        (run.code, run.text().to_owned())
    };
    assert_eq!(code, 2);
    assert!(verdict.contains(error), "{verdict} {error}");

    // Bytes that fit no type are explained with the requested type.
    let (code, stderr) = refused(&["explain", "--schema", SCHEMA, "-"], &[1, 2, 3]);
    assert_eq!(code, 2);
    assert!(
        stderr.starts_with("fourfold: standard input: no type of the schema fits; "),
        "{stderr}"
    );
    let run = fourfold_with(&["explain", "--schema", SCHEMA, "--type", "Script", "-"], &[1, 2, 3]);
    assert_eq!(run.code, 2);
    assert!(run.text().contains("input ends early: 4 bytes needed, 3 left"), "{}", run.text());
}

#[test]
fn parts_of_biniou_have_the_names_of_the_schema() {
    let schema = fixture("biniou/schemas/log.atd");
    let file = fixture("biniou/data/log.log_list-three.biniou");
    let (by_schema, _) = printed(&["explain", "--schema", &schema, &file]);
    let (by_names, _) = printed(&["explain", "--dict", &schema, &file]);
    assert_eq!(by_schema, by_names);
    assert!(by_schema.contains("[1].request"), "{by_schema}");
    let (code, stderr) = refused(&["explain", "--chunks", "--schema", SCHEMA, &file], b"");
    assert_eq!(code, 1);
    assert!(
        stderr.contains("the schema is for molecule, but the requested format is biniou"),
        "{stderr}"
    );
}

#[test]
fn values_that_do_not_fit_the_type_are_errors() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    let (schema, values, stream) = (path("s.atd"), path("values"), path("stream"));
    fs::write(&schema, "type t = { at : int; name : string }  type other = int").unwrap();
    let json = |name: &str| format!(r#"{{"at": 1, "name": {name}}}"#);
    let (good, bad) = (json("\"a\""), json("true"));
    let make = |file: &str, key: &str, items: [&str; 3]| {
        let items = match key {
            "chunks" => items.map(|item| format!(r#"{{"value": {item}}}"#)),
            _ => items.map(str::to_owned),
        };
        let json = format!(r#"{{"fourfold": "biniou", "{key}": [{}]}}"#, items.join(", "));
        let made = fourfold_with(&["make", "-"], json.as_bytes());
        assert_eq!(made.code, 0, "{}", made.stderr);
        fs::write(file, made.stdout).unwrap();
    };
    let by = ["--schema", &schema, "--type", "t"];
    for (file, key) in [(&values, "values"), (&stream, "chunks")] {
        make(file, key, [&good, &bad, &bad]);
        let run = fourfold(&[&["explain", "--json", file], &by[..]].concat());
        assert_eq!((run.code, &*run.stderr), (2, ""));
        let parts = run.json_lines().into_iter();
        let wrong: Vec<Value> = parts.filter(|part| !part["error"].is_null()).collect();
        let [part] = &wrong[..] else { panic!("{wrong:?}") };
        assert_eq!(part["path"], "[1].name", "{key}");
        let error = part["error"].as_str().unwrap();
        assert_eq!(error, "found bool, expected string");
        let verdict = fourfold(&[&["verify", file], &by[..]].concat());
        assert_eq!(verdict.code, 2);
        let (message, at) = verdict.text().split_once(" at byte ").unwrap();
        assert!(message.contains(error), "{message}");
        let at: u64 = at.split(',').next().unwrap().trim().parse().unwrap();
        let range = ["start", "end"].map(|end| part[end].as_u64().unwrap());
        assert!((range[0]..range[1]).contains(&at), "{at} {part}");

        // The other entries are valid, and the bytes without the type have no errors.
        printed(&[&["explain", file, "--path", "[0]"], &by[..]].concat());
        let run = fourfold(&["explain", file, "--schema", &schema]);
        assert_eq!(run.code, 2, "{}", run.stderr);
        assert!(run.stderr.contains("t fits best: found bool, expected string"), "{}", run.stderr);
        assert!(!run.text().contains("\n!"), "{}", run.text());
        make(file, key, [&good, &good, &good]);
        printed(&[&["explain", file], &by[..]].concat());
    }
}
