//! Molecule values whose lists are printed item by item.

use std::collections::BTreeMap;
use std::fs;

use fourfold_schema::mol::Schema;
use serde_json::Value;

use crate::command::{Folder, fixture, fourfold_with, in_root};

/// The largest value of each type in the fixtures.
fn values() -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::<String, Vec<u8>>::new();
    let folder = in_root(fixture("molecule/values"));
    for entry in fs::read_dir(folder).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        for case in serde_json::from_str::<Vec<Value>>(&text).unwrap() {
            let digits = case["hex"].as_str().unwrap();
            let byte = |at| u8::from_str_radix(digits.get(at..at + 2).unwrap(), 16).unwrap();
            let bytes: Vec<u8> = (0..digits.len()).step_by(2).map(byte).collect();
            let known = all.entry(case["type"].as_str().unwrap().to_owned()).or_default();
            if bytes.len() > known.len() {
                *known = bytes;
            }
        }
    }
    all
}

/// Lists that are printed item by item equal the library's JSON, and `make` reads them.
#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn lists_equal_those_of_the_library() {
    let values = values();
    assert!(values.len() > 20, "{}", values.len());
    for (ty, bytes) in values {
        let (schema, name) = ty.split_once('.').unwrap();
        let path = fixture(&format!("molecule/schemas/{schema}.mol"));
        let by = ["--schema", &path, "--type", name];
        let run = fourfold_with(&[&["dump", "--json", "-"], &by[..]].concat(), &bytes);
        assert_eq!(run.code, 0, "{ty}: {}", run.stderr);
        let shown = run.json();
        let schema = Schema::from_file(in_root(&path)).unwrap();
        let value = schema.to_value(&bytes, name).unwrap();
        assert_eq!(shown["value"], serde_json::to_value(value).unwrap(), "{ty}");
        let made = fourfold_with(&[&["make", "-"], &by[..]].concat(), &run.stdout);
        assert!(made.stdout == bytes, "{ty}: {}", made.stderr);
        for form in ["--tree", "--yaml"] {
            let run = fourfold_with(&[&["dump", form, "-"], &by[..]].concat(), &bytes);
            assert_eq!(run.code, 0, "{ty}: {}", run.stderr);
        }
    }
}

const SCHEMA: &str =
    "array Uint32 [byte; 4]; struct Pair { a: Uint32, b: Uint32, } vector Pairs <Pair>;
    vector Bytes <byte>; table Note { id: Uint32, text: Bytes, } vector Notes <Note>;
    table Log { notes: Notes, }";

#[test]
fn paths_and_output_formats_work_in_lists() {
    let folder = Folder::new();
    let schema = folder.write("log.mol", SCHEMA);
    let by = ["--schema", &schema, "--type", "Pairs"];
    let bytes = [&2u32.to_le_bytes()[..], &[7; 8], &[9; 8]].concat();
    let dump = |more: &[&str]| {
        let run = fourfold_with(&[&["dump", "-"], &by[..], more].concat(), &bytes);
        (run.code, run.text().to_owned() + &run.stderr)
    };
    let missing = "fourfold: standard input: there is no [2]; the whole has 2 items\n";
    for (arguments, code, text) in [
        (&["--path", "[1].a"][..], 0, "151587081\n"),
        (&["--path", "[1]", "--json"], 0, "{\"a\": 151587081, \"b\": 151587081}\n"),
        (&["--path", "[2]"], 1, missing),
        (&[], 0, "[0]:\n  a: 117901063\n  b: 117901063\n[1]:\n  a: 151587081\n  b: 151587081\n"),
        (&["--yaml", "--path", "[0]"], 0, "a: 117901063\nb: 117901063\n"),
    ] {
        assert_eq!(dump(arguments), (code, text.into()), "{arguments:?}");
    }
}

/// Memory does not grow with the items of a list, of any type.
#[test]
#[ignore = "slow: `.ci/run` runs it"]
#[cfg(target_os = "linux")]
fn memory_does_not_grow_with_items() {
    use std::process::{Command, Stdio};

    const KIBIBYTES: usize = 100 << 10;
    const ITEMS: u32 = 200_000;
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    fs::write(path("log.mol"), SCHEMA).unwrap();
    let pairs = [ITEMS.to_le_bytes().to_vec(), vec![7; 8 * ITEMS as usize]].concat();
    // A table with a header of 12 bytes, an id, and an empty text.
    let note: Vec<u8> = [20u32, 12, 16, 0, 0].iter().flat_map(|it| it.to_le_bytes()).collect();
    let header = 4 * (ITEMS + 1);
    let offsets = (0..ITEMS).flat_map(|at| (header + 20 * at).to_le_bytes());
    let mut notes: Vec<u8> =
        (header + 20 * ITEMS).to_le_bytes().into_iter().chain(offsets).collect();
    notes.extend(note.repeat(ITEMS as usize));
    let size = u32::try_from(notes.len()).unwrap() + 8;
    let log = [&size.to_le_bytes()[..], &8u32.to_le_bytes(), &notes].concat();
    for (name, bytes) in [("Pairs", pairs), ("Log", log)] {
        fs::write(path(name), bytes).unwrap();
        for form in ["--json", "--jsonl", "--tree", "--yaml"] {
            let output = Command::new("sh")
                .args(["-c", &format!("ulimit -d {KIBIBYTES}; exec \"$0\" \"$@\"")])
                .arg(env!("CARGO_BIN_EXE_fourfold"))
                .args(["dump", form, &path(name), "--schema", &path("log.mol"), "--type", name])
                .stdout(Stdio::null())
                .output()
                .unwrap();
            assert_eq!(output.status.code(), Some(0), "{name} {form}: {output:?}");
        }
    }
}
