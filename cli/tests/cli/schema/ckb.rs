//! Numbers in JSON, and `--ckb`: the JSON of CKB's RPC.

use std::fs;

use serde_json::{Value, json};

use super::{SCHEMA, printed, refused};
use crate::command::{Folder, bytes, fixture, fourfold, fourfold_with};

fn made(json: &str, ty: &str, more: &[&str]) -> (i32, Vec<u8>, String) {
    let by = ["make", "-", "--schema", SCHEMA, "--type", ty];
    let run = fourfold_with(&[&by[..], more].concat(), json.as_bytes());
    (run.code, run.stdout, run.stderr)
}

fn dumped(bytes: &[u8], ty: &str, more: &[&str]) -> String {
    let by = ["dump", "-", "--schema", SCHEMA, "--type", ty];
    fourfold_with(&[&by[..], more].concat(), bytes).succeeded().text().to_owned()
}

fn out_point(index: &str) -> String {
    format!("{{\"tx_hash\": \"0x{}\", \"index\": {index}}}", "ab".repeat(32))
}

#[test]
fn numbers_are_numbers_in_all_forms() {
    let header = Vec::from_iter([[1; 4], [0x7e, 0xa9, 0x08, 0x1a]].concat())
        .into_iter()
        .chain([0xff; 8])
        .chain([0; 176])
        .chain([1])
        .chain([0; 15]);
    let header: Vec<u8> = header.collect();
    assert_eq!(header.len(), 208);
    let json: Value = serde_json::from_str(&dumped(&header, "Header", &["--json"])).unwrap();
    let raw = &json["value"]["raw"];
    assert_eq!(raw["compact_target"], json!(0x1a08_a97e));
    assert_eq!(raw["timestamp"], json!("18446744073709551615"));
    assert_eq!(json["value"]["nonce"], json!(1));
    let path = ["--path", "raw.compact_target"];
    assert_eq!(dumped(&header, "Header", &path), "436775294\n");
    assert_eq!(dumped(&header, "Header", &[&path[..], &["--json"]].concat()), "436775294\n");
    assert!(dumped(&header, "Header", &["--yaml"]).contains("timestamp: '18446744073709551615'\n"));
    let run = fourfold_with(&["explain", "-", "--schema", SCHEMA, "--type", "Header"], &header);
    assert!(run.text().contains("436775294"), "{}", run.text());
    assert!(run.text().contains("18446744073709551615"), "{}", run.text());

    let folder = Folder::new();
    let file = |name: &str, bytes: &[u8]| folder.write(name, bytes);
    let mut other = header.clone();
    other[4] = 0;
    let (old, new) = (file("old", &header), file("new", &other));
    let run = fourfold(&["diff", &old, &new, "--schema", SCHEMA, "--type", "Header"]);
    assert_eq!((run.code, run.text()), (3, "~ raw.compact_target: 436775294 → 436775168\n"));
}

#[test]
fn numbers_are_made_of_decimal_digits_alone() {
    for (index, number) in [("1", 1u32), ("\"1\"", 1), ("4294967295", u32::MAX), ("0", 0)] {
        let (code, made, stderr) = made(&out_point(index), "OutPoint", &[]);
        assert_eq!((code, stderr.as_str()), (0, ""), "{index}");
        assert_eq!(made[32..], number.to_le_bytes());
    }
    for index in
        ["4294967296", "-1", "1.5", "1e3", "true", "\"1e3\"", "\"01\"", "99999999999999999999999"]
    {
        let (code, _, stderr) = made(&out_point(index), "OutPoint", &[]);
        assert_eq!(code, 2);
        assert!(
            stderr.contains("expected a decimal integer from 0 to 4294967295 in index at line 1"),
            "{stderr}"
        );
    }
    let (_, _, stderr) = made(&out_point("\"0x00000001\""), "OutPoint", &[]);
    assert_eq!(
        stderr,
        "fourfold: standard input: invalid value: string \"0x00000001\", expected a decimal integer from 0 to \
         4294967295 in index at line 1 column 103; write 1, or use --ckb if this is JSON of CKB's RPC\n"
    );
    // If all numbers are RPC numbers, the hint suggests `--ckb` only.
    let (_, _, stderr) = made(&out_point("\"0x1\""), "OutPoint", &[]);
    assert!(stderr.ends_with("column 96; this is JSON of CKB's RPC: use --ckb\n"), "{stderr}");
    let whole = format!(
        "{{\"fourfold\": \"molecule\", \"type\": \"OutPoint\", \"value\": {}}}",
        out_point("\"0x2\"")
    );
    let (_, _, stderr) = made(&whole, "OutPoint", &[]);
    assert!(stderr.contains(" in value.index at line 1 "), "{stderr}");
    assert!(stderr.ends_with("; this is JSON of CKB's RPC: use --ckb\n"), "{stderr}");
    // Both fixes work.
    assert_eq!(made(&out_point("1"), "OutPoint", &[]).1[32..], [1, 0, 0, 0]);
    assert_eq!(made(&out_point("\"0x1\""), "OutPoint", &["--ckb"]).1[32..], [1, 0, 0, 0]);
}

#[test]
fn an_option_selects_arrays_that_are_numbers() {
    let folder = Folder::new();
    let schema = &folder.path("s.mol");
    fs::write(
        schema,
        "array Id [byte; 2]; array Delta [byte; 2]; struct S { id: Id, delta: Delta, }",
    )
    .unwrap();
    let by = ["-", "--schema", schema, "--type", "S"];
    let numbers = ["--number", "Id", "--number", "Delta=signed"];
    let bytes = [2, 1, 0xfe, 0xff];
    let dump = |more: &[&str]| {
        let run =
            fourfold_with(&[&["dump", "--json", "--path", ""], &by[..], more].concat(), &bytes);
        run.text().to_owned()
    };
    assert_eq!(dump(&[]), "{\"id\": \"0x0201\", \"delta\": \"0xfeff\"}\n");
    assert_eq!(dump(&numbers), "{\"id\": 258, \"delta\": -2}\n");
    let made = fourfold_with(&[&["make"], &by[..], &numbers].concat(), dump(&numbers).as_bytes());
    assert_eq!(made.stdout, bytes);
    for (option, message) in [
        ("S", "s.mol: `S` is not an array of 1 to 32 bytes, so it cannot be a number\n"),
        (
            "Nothing",
            "s.mol: `Nothing` is not an array of 1 to 32 bytes, so it cannot be a number\n",
        ),
        ("Id=unsigned", "--number Id=unsigned: expected NAME or NAME=signed\n"),
    ] {
        let (code, text) = refused(&[&["dump"], &by[..], &["--number", option]].concat(), &bytes);
        assert_eq!(code, 1);
        assert!(text.ends_with(message), "{text}");
    }
    let (code, text) = refused(&["dump", "-", "--number", "Id"], &bytes);
    assert_eq!((code, text.as_str()), (1, "fourfold: --number needs a schema: give --schema\n"));
}

/// A transaction as the RPC prints it.
const TRANSACTION: &str = r#"{
  "version": "0x0",
  "cell_deps": [
    {
      "out_point": {
        "tx_hash": "0xa4037a893eb48e18ed4ef61034ce26eba9c585f15c9cee102ae58505565eccc3",
        "index": "0xa"
      },
      "dep_type": "dep_group"
    }
  ],
  "header_deps": ["0x7978ec7ce5b507cfb52e149e36b1a23f6062ed150503c85bbf825da3599095ed"],
  "inputs": [
    {
      "since": "0xffffffffffffffff",
      "previous_output": {
        "tx_hash": "0x365698b50ca0da75dca2c87f9e7b563811d3b5813736b8cc62cc3b106faceb17",
        "index": "0x0"
      }
    }
  ],
  "outputs": [
    {
      "capacity": "0x2540be400",
      "lock": {
        "code_hash": "0x28e83a1277d48add8e72fadaa9248559e1b632bab2bd60b27955ebc4c03800a5",
        "hash_type": "data1",
        "args": "0x"
      },
      "type": null
    },
    {
      "capacity": "0x2540be400",
      "lock": {
        "code_hash": "0x28e83a1277d48add8e72fadaa9248559e1b632bab2bd60b27955ebc4c03800a5",
        "hash_type": "type",
        "args": "0xff"
      },
      "type": {
        "code_hash": "0x28e83a1277d48add8e72fadaa9248559e1b632bab2bd60b27955ebc4c03800a5",
        "hash_type": "data2",
        "args": "0x00"
      }
    }
  ],
  "outputs_data": ["0x", "0x00ff"],
  "witnesses": ["0x636b62"]
}
"#;

#[test]
fn a_transaction_has_the_json_of_the_rpc() {
    let (code, bytes, stderr) = made(TRANSACTION, "Transaction", &["--ckb"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let json = dumped(&bytes, "Transaction", &["--ckb"]);
    assert_eq!(json, TRANSACTION);
    assert_eq!(dumped(&bytes, "Transaction", &["--ckb", "--json"]), TRANSACTION);
    // Without `--ckb`, names and numbers differ.
    let own: Value = serde_json::from_str(&dumped(&bytes, "Transaction", &["--json"])).unwrap();
    assert_eq!(own["value"]["raw"]["outputs"][1]["type_"]["hash_type"], json!(4));
    assert_eq!(own["value"]["raw"]["cell_deps"][0]["out_point"]["index"], json!(10));
    let path = |path: &str| dumped(&bytes, "Transaction", &["--ckb", "--path", path]);
    assert_eq!(path("outputs[1].type.hash_type"), "\"data2\"\n");
    assert_eq!(path("inputs[0].since"), "\"0xffffffffffffffff\"\n");
    let lines = dumped(&bytes.repeat(2), "Transaction", &["--ckb", "--jsonl"]);
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let shown: Value = serde_json::from_str(TRANSACTION).unwrap();
    assert_eq!(lines, [shown.clone(), shown]);
    let yaml = dumped(&bytes, "Transaction", &["--ckb", "--yaml"]);
    assert!(yaml.contains("dep_type: dep_group\n"), "{yaml}");

    // RPC responses have the hash as a field.
    let with_hash =
        |hash: &str| TRANSACTION.replacen('{', &format!("{{\"hash\": \"0x{hash}\","), 1);
    let (_, _, stderr) = made(&with_hash(&"00".repeat(32)), "Transaction", &["--ckb"]);
    let (_, found) = stderr.split_once("the hash of this Transaction is 0x").unwrap();
    assert!(
        stderr
            .ends_with("in hash at line 1 column 10; correct it, or leave the key \"hash\" out\n"),
        "{stderr}"
    );
    let (code, again, stderr) =
        made(&with_hash(found.get(..64).unwrap()), "Transaction", &["--ckb"]);
    assert_eq!((code, again == bytes), (0, true), "{stderr}");
    // The hash does not cover witnesses.
    let (code, _, stderr) = made(
        &with_hash(found.get(..64).unwrap()).replace("0x636b62", "0x"),
        "Transaction",
        &["--ckb"],
    );
    assert_eq!(code, 0, "{stderr}");
}

#[test]
fn values_that_the_rpc_refuses_are_refused() {
    for (from, to, message) in [
        (
            "\"0xa\"",
            "\"0x0a\"",
            "hexadecimal digits without zeros before them, found \"0x0a\" in cell_deps[0].out_point.index",
        ),
        ("\"0xa\"", "\"0x\"", "expected 0x and 1 to 8 hexadecimal digits"),
        ("\"0xa\"", "\"a\"", "expected 0x and 1 to 8 hexadecimal digits"),
        ("\"0xa\"", "\"10\"", "expected 0x and 1 to 8 hexadecimal digits"),
        ("\"0xa\"", "10", "expected 0x and 1 to 8 hexadecimal digits"),
        ("\"0xa\"", "\"0x123456789\"", "expected 0x and 1 to 8 hexadecimal digits"),
        ("\"0xa\"", "\"0x+a\"", "expected 0x and 1 to 8 hexadecimal digits"),
        (
            "dep_group",
            "dep_groups",
            "expected \"code\" or \"dep_group\", found \"dep_groups\" in cell_deps[0].dep_type",
        ),
        (
            "data1",
            "data128",
            "expected \"data\", \"type\", \"data1\", \"data2\" and so on to \"data127\"",
        ),
        ("\"data1\"", "\"data0\"", "expected \"data\","),
        ("\"data1\"", "\"0x2\"", "expected \"data\","),
        ("\"data1\"", "2", "expected text, found 2 in outputs[0].lock.hash_type"),
        ("0x7978ec", "0x7978EC", "expected 0x and 64 lower-case hexadecimal digits"),
        ("0x7978ec", "0x78ec", "expected 0x and 64 lower-case hexadecimal digits"),
        ("0x636b62", "0x636b6", "expected 0x and hexadecimal digits, two for each byte"),
        ("\"since\"", "\"sinces\"", "the key \"since\" is missing in inputs[0]"),
        ("\"version\"", "\"versions\"", "the key \"version\" is missing"),
        ("\"witnesses\"", "\"more\": 1, \"witnesses\"", "unexpected key \"more\""),
        ("\"witnesses\"", "\"version\": \"0x0\", \"witnesses\"", "duplicate key \"version\""),
        ("\"type\": null", "\"type_\": null", "unexpected key \"type_\" in outputs[0].type_"),
    ] {
        assert!(TRANSACTION.contains(from), "{from}");
        let (code, _, text) = made(&TRANSACTION.replacen(from, to, 1), "Transaction", &["--ckb"]);
        assert_eq!(code, 2, "{from} {to}");
        assert!(text.contains(message), "{to}: {text}");
    }
    // Hex digits can be uppercase where the RPC accepts that, and optional fields can be absent.
    for (from, to) in [
        ("0xa\"", "0xA\""),
        ("0x00ff", "0x00FF"),
        ("\"args\": \"0x\"\n      },\n      \"type\": null", "\"args\": \"0x\"\n      }"),
    ] {
        assert!(TRANSACTION.contains(from), "{from}");
        let (code, _, stderr) = made(&TRANSACTION.replacen(from, to, 1), "Transaction", &["--ckb"]);
        assert_eq!(code, 0, "{stderr}");
    }
}

#[test]
fn blocks_survive() {
    for (file, ty) in [
        ("molecule/genesis/mainnet.bin", "Block"),
        ("molecule/blocks/block-40.bin", "Block"),
        ("molecule/blocks/block-empty.bin", "Block"),
        ("molecule/blocks/blockv1-12.bin", "BlockV1"),
    ] {
        let path = fixture(file);
        let by = ["--schema", SCHEMA, "--type", ty, "--ckb"];
        let (json, _) = printed(&[&["dump", &path], &by[..]].concat());
        let block: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(block.get("extension").is_some(), ty == "BlockV1");
        assert!(block["header"].get("raw").is_none() && block["header"]["nonce"].is_string());
        let (code, made, stderr) = made(&json, ty, &["--ckb"]);
        assert_eq!(code, 0, "{stderr}");
        assert!(made == bytes(&fixture(file)), "{file}");
    }
    // The RPC has one type for both block versions.
    let (json, _) = printed(&[
        "dump",
        &fixture("molecule/blocks/blockv1-12.bin"),
        "--schema",
        SCHEMA,
        "--type",
        "BlockV1",
        "--ckb",
    ]);
    let (_, _, stderr) = made(&json, "Block", &["--ckb"]);
    assert!(stderr.contains("a Block has no extension in extension at line "), "{stderr}");
    assert!(stderr.ends_with("; use --type BlockV1\n"), "{stderr}");
    let (json, _) = printed(&[
        "dump",
        &fixture("molecule/blocks/block-40.bin"),
        "--schema",
        SCHEMA,
        "--type",
        "Block",
        "--ckb",
    ]);
    let (_, _, stderr) = made(&json, "BlockV1", &["--ckb"]);
    assert!(stderr.ends_with("; use --type Block for a block without one\n"), "{stderr}");
    let absent = json.replacen('{', "{\"extension\": null,", 1);
    assert_eq!(made(&absent, "Block", &["--ckb"]).0, 0);
}

#[test]
fn types_that_the_rpc_does_not_have_follow_the_same_rules() {
    let extensions = "tests/fixtures/molecule/schemas/extensions.mol";
    let cases: Vec<Value> = ["blockchain", "extensions"]
        .iter()
        .flat_map(|name| -> Vec<Value> {
            serde_json::from_slice(&bytes(&fixture(&format!("molecule/values/{name}.json"))))
                .unwrap()
        })
        .collect();
    let mut types = std::collections::BTreeSet::new();
    for case in cases {
        let (_, ty) = case["type"].as_str().unwrap().split_once('.').unwrap();
        // One of each type.
        if !types.insert(ty.to_owned()) {
            continue;
        }
        let digits = case["hex"].as_str().unwrap();
        let bytes: Vec<u8> = (0..digits.len() / 2)
            .map(|at| u8::from_str_radix(digits.get(2 * at..2 * at + 2).unwrap(), 16).unwrap())
            .collect();
        let by = ["-", "--schema", extensions, "--type", ty, "--ckb"];
        let json = fourfold_with(&[&["dump"], &by[..]].concat(), &bytes);
        assert_eq!(json.code, 0, "{ty}: {}", json.stderr);
        let made = fourfold_with(&[&["make"], &by[..]].concat(), &json.stdout);
        assert_eq!(made.code, 0, "{ty}: {}{}", made.stderr, json.text());
        assert!(made.stdout == bytes, "{ty}: {}", json.text());
    }
    assert!(types.len() > 60, "{}", types.len());

    // A number of 32 bytes, and a signed one, which the RPC does not have.
    let folder = Folder::new();
    let schema = &folder.path("s.mol");
    fs::write(
        schema,
        "array Uint256 [byte; 32]; array Int16 [byte; 2]; struct RawS { hash_type: byte, type: byte, }
         struct S { raw: RawS, a: Uint256, b: Int16, dep_type: byte, type_: byte, }",
    )
    .unwrap();
    let bytes = [&[3, 1, 0, 1][..], &[0; 30], &[0xfe, 0xff, 9, 16]].concat();
    let by = ["-", "--schema", schema, "--type", "S", "--ckb"];
    let json = fourfold_with(&[&["dump"], &by[..]].concat(), &bytes);
    // Enum values without a name are numbers, and `raw` is not flattened if its fields would be duplicates.
    assert_eq!(
        json.text(),
        "{\n  \"raw\": {\"hash_type\": \"0x3\", \"type\": \"0x1\"},\n  \"a\": \"0x100\",\n  \"b\": -2,\n  \
         \"dep_type\": \"0x9\",\n  \"type\": \"0x10\"\n}\n"
    );
    let made = fourfold_with(&[&["make"], &by[..]].concat(), &json.stdout);
    assert_eq!(made.stdout, bytes, "{}", made.stderr);
}

#[test]
fn records_keep_the_names_of_format_and_type() {
    let (_, script, _) = made(
        &format!(
            "{{\"code_hash\": \"0x{}\", \"hash_type\": 1, \"args\": \"0x\"}}",
            "00".repeat(32)
        ),
        "Script",
        &[],
    );
    let json = dumped(&script.repeat(2), "Script", &["--ckb"]);
    let shown: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(shown["type"], json!("Script"));
    assert_eq!(shown["values"][1]["hash_type"], json!("type"));
    assert_eq!(made(&json, "Script", &["--ckb"]).1, script.repeat(2));
    let (code, stderr) = refused(&["dump", "-", "--ckb"], &script);
    assert_eq!(
        (code, stderr.as_str()),
        (1, "fourfold: --ckb needs a `.mol` schema: give --schema\n")
    );
    let log = fixture("biniou/schemas/log.atd");
    let (code, _) = refused(&["make", "-", "--ckb", "--schema", &log], b"1");
    assert_eq!(code, 1);
}
