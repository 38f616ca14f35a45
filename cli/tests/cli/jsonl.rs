//! `fourfold dump --jsonl`: one record per line, with the same content as `--json`.

use std::fs;

use fourfold::biniou::ChunkWriter;
use serde_json::{Value, json};

use crate::command::{Folder, all_fixtures, bytes, fixture, fourfold, fourfold_with, in_root};

/// The lines that a file is dumped to, as JSON values.
fn lines(arguments: &[&str]) -> Vec<Value> {
    fourfold(&[&["dump", "--jsonl"], arguments].concat()).succeeded().json_lines()
}

fn whole(arguments: &[&str]) -> Value {
    fourfold(&[&["dump", "--json"], arguments].concat()).succeeded().json()
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().unwrap().clone()
}

/// The items of a list, each in the form it has as a single value; any other value as it is.
fn items(value: &Value) -> Vec<Value> {
    if let Value::Array(items) = value {
        return items.clone();
    }
    let form = value.as_object().filter(|form| form.len() == 1).and_then(|form| form.iter().next());
    match form {
        Some((name, Value::Array(rows))) if name == "$table" => rows.clone(),
        Some((name, Value::Array(items))) if !name.contains("variant") && name.starts_with('$') => {
            match name.as_str() {
                "$tuple" | "$record" | "$shared" | "$overlong" => vec![value.clone()],
                _ => items.iter().map(|item| json!({ name: item })).collect(),
            }
        }
        _ => vec![value.clone()],
    }
}

/// The records of a file, from its JSON.
fn records(document: &Value) -> Vec<Value> {
    let of_values = |values: &Value| match (values.get("value"), values.get("values")) {
        (Some(value), _) => items(value),
        (None, Some(values)) => list(values),
        _ => vec![values.clone()],
    };
    match document.get("chunks") {
        Some(chunks) => list(chunks).iter().flat_map(of_values).collect(),
        None if document["fourfold"] == "biniou" => of_values(document),
        None => vec![document.clone()],
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn lines_have_the_records_of_json() {
    let mut count = 0;
    for (format, files) in all_fixtures().into_iter().filter(|(format, _)| *format != "molecule") {
        for file in files {
            let arguments = ["--format", format, file.as_str()];
            if fourfold(&[&["verify"], &arguments[..]].concat()).code == 0 {
                assert_eq!(lines(&arguments), records(&whole(&arguments)), "{file}");
                count += 1;
            }
        }
    }
    assert!(count > 100, "{count}");
}

/// A file without records is one line, from which `make` restores it.
#[test]
fn other_files_are_one_line() {
    for file in
        ["tsm/good/cnn_small.tsm", "tsm/good/tensor_packed.t", "primitiv/saved/m_flat300.model"]
    {
        let file = fixture(file);
        let run = fourfold(&["dump", "--jsonl", "--full", &file]);
        assert_eq!(run.text().matches('\n').count(), 1);
        let made = fourfold_with(&["make", "-", "-o", "-"], &run.stdout);
        assert!(made.stdout == bytes(&file), "{file}");
    }
    // Several files, too.
    let file = fixture("tsm/good/minimal.tsm");
    let run = fourfold(&["dump", "--jsonl", &file, &file]);
    let lines: Vec<&str> = run.text().lines().collect();
    assert_eq!((lines.len(), lines[0]), (2, lines[1]));
}

#[test]
fn types_and_paths_select_lines() {
    let log = fixture("biniou/data/log.log_list-three.biniou");
    let schema = fixture("biniou/schemas/log.atd");
    let typed = ["--schema", &schema, "--type", "log_list", &log];
    let entries = list(&whole(&typed)["value"]);
    assert_eq!(lines(&typed), entries);
    // Each line is the JSON of its type.
    let line = serde_json::to_string(&entries[1]).unwrap();
    let arguments = ["make", "-", "-o", "-", "--schema", &schema, "--type", "entry"];
    let made = fourfold_with(&arguments, line.as_bytes()).succeeded();
    let again = fourfold_with(
        &["dump", "--jsonl", "--schema", &schema, "--type", "entry", "-"],
        &made.stdout,
    );
    assert_eq!(serde_json::from_str::<Value>(again.text()).unwrap(), entries[1]);

    let block = fixture("molecule/genesis/mainnet.bin");
    let blockchain = fixture("molecule/schemas/blockchain.mol");
    let typed = ["--schema", &blockchain, "--type", "Block", &block];
    let document = whole(&typed);
    assert_eq!(lines(&typed), [document["value"].clone()]);
    let by_path = [&["--path", "transactions"], &typed[..]].concat();
    assert_eq!(lines(&by_path), list(&document["value"]["transactions"]));
    let one = [&["--path", "transactions[1].witnesses"], &typed[..]].concat();
    assert_eq!(lines(&one), list(&document["value"]["transactions"][1]["witnesses"]));
}

#[test]
fn molecule_records_and_lists_are_lines() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    let schema = "vector Bytes <byte>; table Note { id: byte, text: Bytes, } vector Notes <Note>; vector Ids <byte>;";
    fs::write(path("notes.mol"), schema).unwrap();
    let note =
        |id: u8| [&[20, 0, 0, 0, 12, 0, 0, 0, 13, 0, 0, 0, id, 3, 0, 0, 0][..], b"abc"].concat();
    let run = |name: &str, ty: &str, bytes: &[u8]| {
        fs::write(path(name), bytes).unwrap();
        lines(&["--schema", &path("notes.mol"), "--type", ty, &path(name)])
    };
    let expected = |id: u8| json!({ "id": id, "text": "0x616263" });
    let both = [expected(1), expected(2)];
    assert_eq!(run("records", "Note", &[note(1), note(2)].concat()), both);
    assert_eq!(run("one", "Note", &note(1)), both[..1]);
    let header = [52u32, 12, 32].iter().flat_map(|it| it.to_le_bytes()).collect();
    assert_eq!(run("list", "Notes", &[header, note(1), note(2)].concat()), both);
    // Bytes are one text, not a list.
    assert_eq!(run("ids", "Ids", &[2, 0, 0, 0, 7, 8]), [json!("0x0708")]);
}

/// The values of all chunks are lines, in order.
#[test]
fn chunks_are_lines() {
    let folder = Folder::new();
    let path = folder.path("chunks.stream");
    let mut stream = ChunkWriter::new(Vec::new());
    let log = fs::read(in_root(fixture("biniou/multi/feat.point-two.biniou"))).unwrap();
    for chunk in [&[0x13, 2, 0x10, 3, 4][..], &log, &[0xff, 0x00], &[0x18]] {
        stream.write_chunk(chunk).unwrap();
    }
    fs::write(&path, stream.finish().unwrap()).unwrap();
    let arguments = ["--format", "biniou", &path];
    let found = lines(&arguments);
    assert_eq!(found, records(&whole(&arguments)));
    assert_eq!(found.len(), 2 + 2 + 1 + 1);
    assert_eq!(found[4], json!({ "bytes": "ff00" }));
}
