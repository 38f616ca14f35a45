//! `info --schema` and `diff --schema`: counts by type, and differences of fields.

use std::fs;

use serde_json::{Value, json};

use super::{SCHEMA, printed, refused};
use crate::command::{Folder, bytes, fixture, fourfold, fourfold_with};

fn entry<'v>(report: &'v Value, ty: &str) -> &'v Value {
    report["types"].as_array().unwrap().iter().find(|entry| entry["type"] == ty).unwrap()
}

#[test]
fn values_are_counted_by_type() {
    let file = fixture("molecule/blocks/block-40.bin");
    let by = ["--schema", SCHEMA, "--type", "Block"];
    let (text, _) = printed(&[&["info", "--json", &file], &by[..]].concat());
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["type"], "Block");
    assert_eq!(report["bytes"], bytes(&file).len());
    // The same counts as in the JSON.
    let (dump, _) = printed(&[&["dump", "--json", &file], &by[..]].concat());
    let block: Value = serde_json::from_str(&dump).unwrap();
    let transactions = block["value"]["transactions"].as_array().unwrap();
    let of = |name: &str| {
        let lists = transactions.iter().map(|it| it["raw"][name].as_array().unwrap().len());
        lists.sum::<usize>()
    };
    let items = |ty: &str| &entry(&report, ty)["items"];
    assert_eq!(entry(&report, "Transaction")["values"], transactions.len());
    assert_eq!(entry(&report, "CellInput")["values"], of("inputs"));
    assert_eq!(entry(&report, "CellInput")["bytes"], 44 * of("inputs"));
    assert_eq!(entry(&report, "CellOutput")["values"], of("outputs"));
    assert_eq!(*items("CellOutputVec"), of("outputs"));
    let outputs = transactions.iter().flat_map(|it| it["raw"]["outputs"].as_array().unwrap());
    let some = outputs.filter(|output| !output["type_"].is_null()).count();
    assert_eq!(*items("ScriptOpt"), some);

    let (text, _) = printed(&[&["info", &file], &by[..]].concat());
    assert!(text.starts_with(&format!("{file}: Molecule, Block, 20,921 bytes\n")), "{text}");
    let line = text.lines().find(|line| line.trim().starts_with("CellInputVec")).unwrap();
    assert_eq!(line, "  CellInputVec        fixvec   40 values   3,064 bytes  66 items");

    let schema = fixture("biniou/schemas/log.atd");
    let file = fixture("biniou/data/log.logs-hundred.biniou");
    let (text, stderr) = printed(&["info", "--schema", &schema, &file]);
    assert!(text.contains("biniou, 1 value of logs, "), "{text}");
    assert!(text.contains("\"request\": string"), "{text}");
    assert!(stderr.contains("read as logs, the only type"), "{stderr}");
    let (text, _) = printed(&["info", "--json", "--schema", &schema, &file]);
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["type"], "logs");
}

#[test]
fn differences_have_the_paths_of_fields() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    let file = fixture("molecule/blocks/block-40.bin");
    let by = ["--schema", SCHEMA, "--type", "Block"];
    let (dump, _) = printed(&[&["dump", "--json", &file], &by[..]].concat());
    let changed = |name: &str, change: &dyn Fn(&mut Value)| {
        let mut block: Value = serde_json::from_str(&dump).unwrap();
        change(&mut block["value"]);
        let made = fourfold_with(&["make", "-", "--schema", SCHEMA], block.to_string().as_bytes());
        assert_eq!(made.code, 0, "{}", made.stderr);
        fs::write(path(name), made.stdout).unwrap();
        path(name)
    };
    let diff = |other: &str, more: &[&str]| {
        let run = fourfold(&[&["diff", &file, other], &by[..], more].concat());
        (run.code, run.text().to_owned() + &run.stderr)
    };
    let same = changed("same", &|_| {});
    assert_eq!(diff(&same, &[]), (0, String::new()));

    let number = changed("number", &|block| {
        block["transactions"][3]["raw"]["inputs"][0]["since"] = json!(1);
        block["header"]["nonce"] = json!("340282366920938463463374607431768211454");
    });
    let (code, text) = diff(&number, &[]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((code, lines.len()), (3, 2), "{text}");
    assert!(lines[0].starts_with("~ header.nonce: "), "{text}");
    assert!(lines[1].starts_with("~ transactions[3].raw.inputs[0].since: "), "{text}");
    assert!(lines[0].ends_with(" → \"340282366920938463463374607431768211454\""), "{text}");
    assert!(lines[1].ends_with(" → 1"), "{text}");

    // An item removed from the middle of a list is one difference.
    let gone = changed("gone", &|block| {
        block["transactions"].as_array_mut().unwrap().remove(7);
    });
    assert_eq!(diff(&gone, &[]), (3, "- transactions[7]: 2 fields\n".into()));
    let back = fourfold(&[&["diff", &gone, &file], &by[..]].concat());
    assert_eq!((back.code, back.text()), (3, "+ transactions[7]: 2 fields\n"));

    let long = changed("long", &|block| {
        block["transactions"][2]["witnesses"][0] = json!(format!("0x{}", "00".repeat(600)));
    });
    let other = changed("other", &|block| {
        let digits = format!("0x{}ff{}", "00".repeat(500), "00".repeat(99));
        block["transactions"][2]["witnesses"][0] = json!(digits);
    });
    let run = fourfold(&[&["diff", &long, &other], &by[..]].concat());
    let (zeros, after) = ("00".repeat(8), "00".repeat(15));
    assert_eq!(
        run.text(),
        format!(
            "~ transactions[2].witnesses[0]: …{zeros}00{after}… (600 bytes, from byte 492 on) → \
             …{zeros}ff{after}… (600 bytes, from byte 492 on)\n"
        )
    );
    let (code, text) = diff(&number, &["--json"]);
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((code, report["differences"].as_array().unwrap().len()), (3, 2));

    // In JSON they are whole.
    let report = fourfold(&[&["diff", &long, &other, "--json"], &by[..]].concat()).json();
    let whole = |value: &Value| serde_json::from_str::<String>(value.as_str().unwrap()).unwrap();
    let [old, new] = ["old", "new"].map(|side| whole(&report["differences"][0][side]));
    assert!(old == format!("0x{}", "00".repeat(600)), "{old}");
    assert!(new == format!("0x{}ff{}", "00".repeat(500), "00".repeat(99)), "{new}");

    // A hash is compared as one value.
    let digits = "5c".repeat(32);
    let hash = changed("hash", &|block| {
        block["header"]["raw"]["parent_hash"] = json!(format!("0x{digits}"));
    });
    let (code, text) = diff(&hash, &[]);
    assert_eq!(code, 3);
    assert!(text.starts_with("~ header.raw.parent_hash: \"0x"), "{text}");
    let (old, new) = text.trim_end().rsplit_once(" → ").unwrap();
    assert_eq!(new, format!("\"0x{digits}\""));
    assert!(old.ends_with('"') && !old.contains('…'), "{old}");

    let script = folder.write("script", [4, 0, 0, 0]);
    let (code, stderr) = refused(&[&["diff", &file, &script], &by[..]].concat(), b"");
    assert_eq!(code, 2);
    assert!(stderr.starts_with(&format!("fourfold: {script}: ")), "{stderr}");
}

#[test]
fn values_of_biniou_are_compared_by_their_names() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    let schema = path("one.atd");
    let text = "type shape = [ Circle of float | Empty ]  type t = { ?a : int option; shapes : shape list }";
    fs::write(&schema, text).unwrap();
    let file = |name: &str, value: Value| {
        let json = json!({"fourfold": "biniou", "type": "t", "value": value}).to_string();
        let made = fourfold_with(&["make", "-", "--schema", &schema], json.as_bytes());
        assert_eq!(made.code, 0, "{}", made.stderr);
        fs::write(path(name), made.stdout).unwrap();
        path(name)
    };
    let one = file("one", json!({"shapes": [["Circle", 1.5], "Empty"]}));
    let two = file("two", json!({"a": 7, "shapes": [["Circle", 1.75], "Empty"]}));
    let by = ["--schema", &schema, "--type", "t"];
    let run = fourfold(&[&["diff", &one, &two], &by[..]].concat());
    assert_eq!(run.text(), "~ shapes[0][1]: 1.5 → 1.75\n+ a: 7\n");
    let near = [&["diff", &one, &two, "--tolerance", "0.5"], &by[..]].concat();
    assert_eq!(fourfold(&near).text(), "+ a: 7\n");
}

#[test]
fn long_texts_are_whole_in_json() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    let schema = folder.write("text.atd", "type t = string");
    let texts = ["a", "b"].map(|end| format!("{}{end}", "long ".repeat(100)));
    let files = [path("old"), path("new")];
    for (file, text) in files.iter().zip(&texts) {
        fs::write(file, fourfold::biniou::to_vec(text).unwrap()).unwrap();
    }
    for (by, front) in [(&["--schema", &*schema, "--type", "t"][..], ""), (&[], "string ")] {
        let diff = [&["diff", &*files[0], &files[1]], by].concat();
        let run = fourfold(&diff);
        assert_eq!((run.code, run.text().len() < 300), (3, true), "{}", run.text());
        let run = fourfold(&[&diff[..], &["--json"]].concat());
        let report = run.json();
        let [old, new] = ["old", "new"].map(|side| report["differences"][0][side].clone());
        assert_eq!((run.code, old), (3, json!(format!("{front}{:?}", texts[0]))));
        assert_eq!(new, json!(format!("{front}{:?}", texts[1])));
    }
}

/// Duplicate keys come from a list of pairs: all of them are compared.
#[test]
fn duplicate_keys_are_kept() {
    let folder = Folder::new();
    let schema =
        &folder.write("pairs.atd", "type pairs = (string * int) list <json repr=\"object\">");
    let json = r#"{"fourfold": "biniou", "type": "pairs", "value": {"a": 1, "b": 2, "a": 3}}"#;
    let made = fourfold_with(&["make", "-", "--schema", schema], json.as_bytes());
    assert_eq!(made.code, 0, "{}", made.stderr);
    let run = fourfold_with(&["dump", "--json", "-", "--schema", schema], &made.stdout);
    assert_eq!(run.text(), json.to_owned() + "\n");
    let again = fourfold_with(&["make", "-", "--schema", schema], &run.stdout);
    assert!(again.stdout == made.stdout);
}
