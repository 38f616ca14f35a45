//! `--path`: paths of nested values, which are the same in all subcommands.

use fourfold::biniou::ChunkWriter;
use fourfold::molecule::with::DynVec;
use fourfold::molecule::{RecordWriter, to_vec};
use serde_json::{Value, json};

use crate::command::{Folder, fixture, fourfold, fourfold_with};

const SCHEMA: &str = "vector Bytes <byte>; table Entry { id: byte, name: Bytes, } \
                      vector Names <Bytes>; union Any { Entry, Names, } table Box { any: Any, }";

/// 20 bytes each: the header is 12, the id one, the name a fixvec of three bytes.
fn log(count: u8) -> Vec<u8> {
    let mut writer = RecordWriter::new(Vec::new());
    for id in 0..count {
        writer.write(&(id, "abc")).unwrap();
    }
    writer.into_inner()
}

/// The exit code of a subcommand with a path into Molecule, and its output without the command's name.
fn of_type(ty: &str, bytes: &[u8], subcommand: &str, path: &str) -> (i32, String) {
    let folder = Folder::new();
    let schema = &folder.write("log.mol", SCHEMA);
    let all = [subcommand, "-", "--schema", schema, "--type", ty, "--path", path];
    let run = fourfold_with(&all, bytes);
    let message = run.stderr.strip_prefix("fourfold: standard input: ").unwrap_or(&run.stderr);
    (run.code, format!("{}{message}", run.text()))
}

fn dumped(bytes: &[u8], path: &str) -> (i32, String) {
    of_type("Entry", bytes, "dump", path)
}

fn found(text: &str) -> (i32, String) {
    (0, format!("{text}\n"))
}

fn refused(text: &str) -> (i32, String) {
    (1, format!("{text}\n"))
}

#[test]
fn the_only_record_has_no_number() {
    let reason = "the file has one value, where paths start: it has id, name";
    for path in ["[0]", "[1]", "[0].name", "[1].name", "[0].key", "[0].value", "[0].1", "[0][1]"] {
        let expected = refused(&format!("there is no {path}; {reason}"));
        assert_eq!(dumped(&log(1), path), expected);
    }
    for path in ["name", ".name", "\"name\"", "1", ".1"] {
        assert_eq!(dumped(&log(1), path), found("\"0x616263\""), "{path}");
    }
    for path in ["[1].name", "[1].\"name\"", "[1].1", "[1][1]"] {
        assert_eq!(dumped(&log(2), path), found("\"0x616263\""), "{path}");
    }
    // Molecule bytes have no names, so such steps are refused.
    for path in ["[0][0].name", "[0][0].key", "[0][0].value"] {
        let expected =
            refused(&format!("there is no {path}; [0][0] is the nearest, and has no parts"));
        assert_eq!(dumped(&log(2), path), expected);
    }
    // A number in a dynvec is the index of an item.
    let names = to_vec(&DynVec(&["ab", "c"][..])).unwrap();
    assert_eq!(of_type("Names", &names, "dump", "[0]"), found("\"0x6162\""));
    assert_eq!(of_type("Names", &names.repeat(2), "dump", "[1][0]"), found("\"0x6162\""));
}

#[test]
fn a_missing_record_number_is_suggested() {
    for subcommand in ["dump", "explain"] {
        let of_log = |path| of_type("Entry", &log(4), subcommand, path);
        let number = ", and a number comes first: [0].name";
        let message =
            |path: &str, more| refused(&format!("there is no {path}; the whole has 4 items{more}"));
        assert_eq!(of_log("name"), message("name", number));
        assert_eq!(of_log("nam"), message("nam", ""));
        assert_eq!(of_log("[9].name"), message("[9].name", ""));
        let inner = refused("there is no [2].nam; [2] has id, name (did you mean `name`?)");
        assert_eq!(of_log("[2].nam"), inner);
    }
}

#[test]
fn a_record_is_read_without_the_others() {
    let mut bytes = log(3);
    // The first offset of the header, and the count of the name.
    (bytes[4], bytes[53]) = (13, 9);
    assert_eq!(dumped(&bytes, "[1].name"), found("\"0x616263\""));
    assert_eq!(dumped(&bytes, "[1]"), found("id: 1\nname: \"0x616263\""));
    assert_eq!(dumped(&bytes, "[2].id"), found("2"));
    // Nor the records after it, if damage hides their positions.
    bytes[40] = 3;
    assert_eq!(dumped(&bytes, "[1].name"), found("\"0x616263\""));
    for path in ["[0].name", "[2].name", "[3]", "[1].nam", "name", ""] {
        let (code, output) = dumped(&bytes, path);
        assert!(code == 2 && output.starts_with("record [0]: offset 13"), "{path}: {output}");
    }
    // Paths into a union differ from the JSON.
    let any = json!({"any": {"type": "Entry", "value": {"id": 7, "name": "0x61"}}});
    let folder = Folder::new();
    let schema = folder.write("log.mol", SCHEMA);
    let make = ["make", "-", "--schema", &schema, "--type", "Box"];
    let one = fourfold_with(&make, any.to_string().as_bytes()).stdout;
    for (bytes, path) in [(one.clone(), "any.value.id"), (one.repeat(2), "[1].any.value.id")] {
        assert_eq!(of_type("Box", &bytes, "dump", path), found("7"));
    }
}

#[test]
fn a_path_does_not_check_references_elsewhere() {
    let json = json!({"fourfold": "biniou", "value": {
        "a": {"$shared": [1, 1]}, "b": {"$reference": 1}, "c": 5,
    }});
    let mut bytes = fourfold_with(&["make", "-", "-o", "-"], json.to_string().as_bytes()).stdout;
    // The distance from the reference back to the shared value.
    assert_eq!((bytes[14], bytes[15]), (0x1a, 8));
    bytes[15] = 7;
    let run = |arguments: &[&str]| {
        let run = fourfold_with(&[arguments, &["--format", "biniou", "-"]].concat(), &bytes);
        (run.code, run.text().to_owned())
    };
    assert_eq!(run(&["dump", "--path", "c"]), found("5"));
    for whole in [&["dump"][..], &["verify"], &["dump", "--path", "b"], &["dump", "--path", "d"]] {
        assert_eq!(run(whole).0, 2, "{whole:?}");
    }
}

/// `{"m": [("a", 1), ("b", 2)], "v": (1, 2, 3), "b": [1, 2]}`, alone, among several values, and in chunks.
fn tuples() -> [(Vec<u8>, &'static str); 3] {
    let json = json!({"fourfold": "biniou", "value": {
        "m": [{"$tuple": ["a", 1]}, {"$tuple": ["b", 2]}],
        "v": {"$tuple": [1, 2, 3]},
        "b": {"$int8": [1, 2]},
        "r": {"$variant": ["V", {"$record": [["x", 1], ["x", 5]]}]},
    }});
    let value = fourfold_with(&["make", "-", "-o", "-"], json.to_string().as_bytes()).stdout;
    let mut chunks = ChunkWriter::new(Vec::new());
    chunks.write_chunk(&value).unwrap();
    chunks.write_chunk(&value).unwrap();
    let chunks = chunks.finish().unwrap();
    [(value.clone(), ""), (value.repeat(2), "[1]."), (chunks, "[1].")]
}

#[test]
fn cells_have_the_same_paths_in_every_container() {
    let run = |subcommand, bytes: &[u8], path: &str| {
        let all = [subcommand, "-", "--format", "biniou", "--json", "--path", path];
        let run = fourfold_with(&all, bytes);
        (run.code, format!("{}{}", run.text(), run.stderr))
    };
    for (bytes, front) in tuples() {
        for (path, shown) in [
            ("m[0].key", "\"a\""),
            ("m[0].\"key\"", "\"a\""),
            ("m[1].value", "2"),
            ("m[0].0", "\"a\""),
            ("m[0][0]", "\"a\""),
            ("v.2", "3"),
            ("b[1]", "{\"$int8\": 2}"),
            ("r.x", "5"),
        ] {
            let path = format!("{front}{path}");
            assert_eq!(run("dump", &bytes, &path), found(shown), "{path}");
            let (code, output) = run("explain", &bytes, &path);
            let last: Value = serde_json::from_str(output.lines().last().unwrap()).unwrap();
            let digit = shown.trim_matches(['"', '}']).chars().last().unwrap();
            let value = last["value"].as_str().unwrap().trim_matches('"');
            assert!(code == 0 && value.ends_with(digit), "{path}: {output}");
        }
        for (path, near) in [
            ("v.key", "v has 3 items"),
            ("v.3", "v has 3 items"),
            ("m.0", "m has 2 items"),
            ("m.key", "m has 2 items, and a number comes first: m[0].key"),
            ("m[0].kay", "m[0] has 2 items"),
        ] {
            let (path, near) =
                (format!("{front}{path}"), near.replace(": m", &format!(": {front}m")));
            let message = format!("fourfold: standard input: there is no {path}; {front}{near}");
            for subcommand in ["dump", "explain"] {
                assert_eq!(run(subcommand, &bytes, &path), refused(&message));
            }
        }
    }
}

#[test]
fn names_and_hashes_select_the_same_value() {
    let file = fixture("biniou/data/save.player-one.biniou");
    let hash = format!("#{:08x}", fourfold::biniou::hash("slot"));
    let by_hash = format!("inventory[1].{hash}");
    for names in [&[][..], &["--dict", "tests/fixtures/biniou/schemas/save.atd"]] {
        let explain = |path| fourfold(&[&["explain", &file, "--path", path], names].concat());
        let (one, two) = (explain("inventory[1].slot"), explain(&by_hash));
        assert_eq!((one.code, two.code, one.text()), (0, 0, two.text()));
        assert!(one.text().ends_with(" 252\n"), "{}", one.text());
    }
}

#[test]
fn errors_in_a_path_have_an_offset() {
    for (path, wrong) in [
        ("[", "a number is missing between brackets at byte 1 of the path"),
        ("\"a", "the quotes have no end at byte 0 of the path"),
        ("[1]..", "a name or number is missing at byte 4 of the path"),
        ("m[\"x\"]", "a number is missing between brackets at byte 2 of the path"),
        (".", "a name or number is missing at byte 1 of the path"),
        ("..m", "a name or number is missing at byte 1 of the path"),
        (".[0]", "a name or number is missing at byte 1 of the path"),
        (".m[", "a number is missing between brackets at byte 3 of the path"),
    ] {
        let message = format!("invalid path `{path}`: {wrong}");
        let model = fixture("tsm/good/minimal.tsm");
        for subcommand in ["dump", "explain"] {
            let of_model = fourfold(&[subcommand, &model, "--path", path]);
            let text = format!("fourfold: {model}: {message}\n");
            assert_eq!((of_model.code, of_model.stderr), (1, text));
            assert_eq!(of_type("Entry", &log(1), subcommand, path), refused(&message));
            assert_eq!(of_type("Entry", &log(4), subcommand, path), refused(&message));
        }
    }
}

/// Numbers have no sign, and an invalid path gets no hint about record numbers.
#[test]
fn signs_and_extra_dots_are_errors() {
    for subcommand in ["dump", "explain"] {
        for path in ["[+1].name", "..name"] {
            let (code, output) = of_type("Entry", &log(3), subcommand, path);
            assert_eq!(code, 1, "{subcommand} {path}: {output}");
            assert!(
                output.starts_with(&format!("invalid path `{path}`: ")),
                "{subcommand}: {output}"
            );
            assert!(!output.contains("number comes first"), "{subcommand}: {output}");
        }
    }
}

/// The nearest existing value is named for large values, too.
#[test]
fn the_nearest_value_in_large_files() {
    let explained = |bytes: &[u8], format: &str, path: &str| {
        let run = fourfold_with(&["explain", "-", "--format", format, "--path", path], bytes);
        run.stderr.strip_prefix("fourfold: standard input: ").unwrap_or(&run.stderr).to_owned()
    };
    let texts = to_vec(&vec!["a"; 150_000]).unwrap();
    let output = explained(&texts, "molecule", "[999999]");
    assert_eq!(output, "there is no [999999]; the whole is the nearest\n");

    #[derive(serde::Serialize)]
    struct Record {
        a: Vec<i64>,
        b: u8,
    }
    let record = fourfold::biniou::to_vec(&Record { a: vec![1 << 40; 300_000], b: 1 }).unwrap();
    let output = explained(&record, "biniou", "c");
    assert_eq!(output, "there is no c; the whole is the nearest\n");
}
