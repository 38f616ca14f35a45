//! `--schema`: files of Molecule and biniou with their types.

mod atd;
mod ckb;
mod explain;
mod format;
mod hostile;
mod info;
mod lists;
mod records;
mod selection;
mod subcommand;
mod unknown;

use std::fs;

use crate::command::{Folder, fixture, fourfold, fourfold_with, in_root};

const SCHEMA: &str = "tests/fixtures/molecule/schemas/blockchain.mol";

/// Standard output and standard error of a run that succeeds.
fn printed(arguments: &[&str]) -> (String, String) {
    let run = fourfold(arguments);
    assert_eq!(run.code, 0, "{arguments:?}: {}", run.stderr);
    (run.text().to_owned(), run.stderr)
}

/// Exit code and standard error of a run that fails.
fn refused(arguments: &[&str], stdin: &[u8]) -> (i32, String) {
    let run = fourfold_with(arguments, stdin);
    assert_ne!(run.code, 0, "{arguments:?}: {}", run.text());
    (run.code, run.stderr)
}

#[test]
fn blocks_survive_as_json() {
    let folder = Folder::new();
    let (json, made) = (&folder.path("block.json"), &folder.path("block.bin"));
    for (file, name) in [
        ("molecule/genesis/mainnet.bin", "Block"),
        ("molecule/blocks/block-40.bin", "Block"),
        ("molecule/blocks/block-empty.bin", "Block"),
        ("molecule/blocks/blockv1-12.bin", "BlockV1"),
    ] {
        let file = fixture(file);
        let typed = ["--schema", SCHEMA, "--type", name];
        printed(&[&["dump", "--json", &file, "-o", json], &typed[..]].concat());
        printed(&["make", json, "-o", made, "--schema", SCHEMA]);
        assert!(fs::read(made).unwrap() == fs::read(in_root(&file)).unwrap(), "{file}");
        let (stdout, _) = printed(&[&["verify", "--canonical", &file], &typed[..]].concat());
        assert!(stdout.contains(&format!("good (molecule, {name}, ")), "{stdout}");
    }
}

#[test]
fn paths_select_nested_values_and_an_inferred_type_is_reported() {
    let file = fixture("molecule/genesis/mainnet.bin");
    let path = ["--path", "transactions[0].raw.outputs[0].lock"];
    let (text, stderr) = printed(&[&["dump", "--schema", SCHEMA, &file], &path[..]].concat());
    assert_eq!(
        text,
        "code_hash: \"0x0000000000000000000000000000000000000000000000000000000000000000\"\n\
         hash_type: 0\nargs: \"0x\"\n"
    );
    assert_eq!(
        stderr,
        format!("fourfold: {file}: read as Block, the only type of the schema that fits\n")
    );
    let (_, stderr) = printed(&["dump", "--schema", SCHEMA, "--type", "Block", &file]);
    assert_eq!(stderr, "");
}

#[test]
fn damage_is_reported_with_field_and_byte() {
    let mut bytes = fs::read(in_root(fixture("molecule/genesis/mainnet.bin"))).unwrap();
    bytes[240] ^= 1;
    let folder = Folder::new();
    let path = &folder.write("broken.bin", bytes);
    let run = fourfold(&["verify", path, "--schema", SCHEMA, "--type", "Block"]);
    let (code, text) = (run.code, run.text().replace(path, "broken.bin"));
    assert_eq!(
        (code, &*text),
        (
            2,
            "broken.bin: full size 1235434 differs from the 1235435 bytes given in transactions[0] at byte 244\n"
        )
    );
}

#[test]
fn errors_in_arguments_and_json_are_reported() {
    let file = fixture("molecule/blocks/block-empty.bin");
    let (code, stderr) = refused(&["dump", &file, "--schema", SCHEMA, "--type", "Blok"], b"");
    assert_eq!(
        (code, &*stderr),
        (
            1,
            &*format!(
                "fourfold: {SCHEMA}: the schema has no type `Blok` (did you mean `Block`?)\n"
            )
        )
    );

    let folder = Folder::new();
    let schema = &folder
        .write("small.mol", "array Id [byte; 4];\noption Maybe (Id);\nstruct Same { id: Id }");
    let (code, stderr) = refused(&["verify", &file, "--schema", schema], b"");
    let stderr = stderr.replace(schema, "small.mol");
    let text = "expected `,` after each field and item, found `}` at line 3, column 22";
    let picture = " 3 | struct Same { id: Id }\n   |                      ^\n";
    assert_eq!((code, stderr), (2, format!("fourfold: small.mol: {text}\n{picture}")));

    fs::write(schema, "array Id [byte; 4];\noption Maybe (Id);\nstruct Same { id: Id, }").unwrap();
    let dump = ["dump", "-", "--schema", schema];
    let none = "fourfold: standard input: no type of the schema fits; Id fits best: input ends early: 4 bytes needed, 3 left at byte 0\n";
    assert_eq!(refused(&dump, &[1, 2, 3]), (2, none.into()));

    let make = ["make", "-", "--schema", schema];
    let whole = r#"{"fourfold": "molecule", "type": "Same", "value": {"id": "0x01020304"}}"#;
    assert_eq!(fourfold_with(&make, whole.as_bytes()).stdout, [1, 2, 3, 4]);
    for (from, to, message) in [
        (
            "Same",
            "Some",
            "the schema has no type `Some` (did you mean `Same`?) in type at line 1 column 34",
        ),
        ("id", "di", "unknown field `di` (there is only `id`) in value at line 1 column 55"),
        (
            "04\"",
            "\"",
            "invalid value: string \"0x010203\", expected 0x and 8 hexadecimal digits in value.id at line 1 column 67",
        ),
        ("molecule", "tsm", "this is tsm, which needs no schema in fourfold at line 1 column 14"),
    ] {
        let (code, text) = refused(&make, whole.replace(from, to).as_bytes());
        assert_eq!((code, text), (2, format!("fourfold: standard input: {message}\n")));
    }
    let (code, text) = refused(&["make", "-"], whole.as_bytes());
    let message = "Molecule files contain no types in fourfold at line 1 column 14; \
                   pass a `.mol` file with `--schema`";
    assert_eq!((code, text), (2, format!("fourfold: standard input: {message}\n")));
}
