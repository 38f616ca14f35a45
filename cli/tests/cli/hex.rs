//! `--hex`: bytes as hexadecimal digits, as explorers and RPC show them.

use std::fs;

use crate::command::{fixture, fourfold, fourfold_with, in_root};

const PAGE: &str = "array Uint32 [byte; 4];
array Byte32 [byte; 32];
vector Bytes <byte>;
vector Indexes <Uint32>;
table BackLink { tx_hash: Byte32, index: Indexes, checksum: Uint32, }
vector BackLinks <BackLink>;
table Page { index: Indexes, checksum: Uint32, content_type: Bytes, filename: Bytes, backlinks: BackLinks, }
";

/// A folder with a schema, a file of hex digits, and one of the bytes.
struct Files(tempfile::TempDir);

impl Files {
    fn new() -> Self {
        let files = Files(tempfile::tempdir().unwrap());
        let digits = [
            "0x7f000000180000002000000024000000320000003b0000000100000001000000070000000a000000",
            "746578742f706c61696e05000000612e74787444000000080000003c0000001000000030000000380000",
            "000101010101010101010101010101010101010101010101010101010101010101010000000200000009000000",
        ];
        let text = digits.concat();
        let pairs = text.as_bytes()[2..].chunks(2);
        let byte =
            |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
        let bytes: Vec<u8> = pairs.map(byte).collect();
        fs::write(files.path("page.mol"), PAGE).unwrap();
        fs::write(files.path("page.hex"), &text).unwrap();
        fs::write(files.path("upper.hex"), text.to_uppercase()).unwrap();
        fs::write(files.path("quoted.hex"), format!("\"{text}\"\n")).unwrap();
        fs::write(files.path("lines.hex"), digits.join("\r\n").replace("0x", "")).unwrap();
        fs::write(files.path("page.bin"), bytes).unwrap();
        files
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// Exit code, output and warnings of a subcommand with the schema.
    fn run(&self, arguments: &[&str]) -> (i32, Vec<u8>, String) {
        let by = ["--schema", &self.path("page.mol"), "--type", "Page"];
        let run = fourfold(&[arguments, &by].concat());
        (run.code, run.stdout, run.stderr)
    }
}

#[test]
fn hex_digits_are_decoded() {
    let files = Files::new();
    let bytes = files.path("page.bin");
    for subcommand in [&["dump"][..], &["dump", "--json"], &["info"], &["explain"], &["verify"]] {
        let (code, expected, stderr) = files.run(&[subcommand, &[&bytes]].concat());
        assert_eq!((code, &*stderr), (0, ""));
        for name in ["page.hex", "upper.hex", "quoted.hex", "lines.hex"] {
            let path = files.path(name);
            let (code, printed, stderr) = files.run(&[subcommand, &[&path, "--hex"]].concat());
            let printed = String::from_utf8(printed).unwrap().replace(&path, &bytes);
            assert_eq!((code, &*stderr), (0, ""), "{subcommand:?}");
            assert_eq!(printed.as_bytes(), expected, "{subcommand:?} {name}");
        }
    }
    let (code, printed, _) =
        files.run(&["diff", &files.path("page.hex"), &files.path("lines.hex"), "--hex"]);
    assert_eq!((code, printed.len()), (0, 0));
    let run = fourfold_with(&["detect", "--hex", "-"], b"0x12 01 61");
    assert!(run.text().starts_with("standard input: biniou"), "{}", run.text());
}

#[test]
fn hex_text_without_the_option_is_reported() {
    let files = Files::new();
    for name in ["page.hex", "upper.hex", "quoted.hex", "lines.hex"] {
        let path = files.path(name);
        let run = fourfold(&["detect", &path]);
        let expected = format!(
            "{path}: unknown file format (looks like hex text); use `--hex` to read its bytes"
        );
        assert_eq!(run.code, 2);
        assert!(run.text().starts_with(&expected), "{}", run.text());
        let (code, _, stderr) = files.run(&["dump", &path]);
        let expected = format!("fourfold: {path}: this is hex text; use --hex to read its bytes\n");
        assert!(code == 2 && stderr.starts_with(&expected), "{stderr}");
    }
    // A file that only begins with hex digits is not taken for hex text.
    for (text, message) in [
        (&b"0x7f0"[..], "5 bytes"),
        (b"0x12016", "5 hexadecimal digits: the last byte has only one"),
        (b"0x12zz", "'z' is not a hexadecimal digit at byte 4"),
    ] {
        let run = fourfold_with(&["detect", "--hex", "-"], text);
        assert_eq!(run.code, 2);
        assert!(message == "5 bytes" || run.stderr.contains(message), "{}", run.stderr);
    }
}

#[test]
fn output_can_be_hex_digits() {
    let files = Files::new();
    let (bytes, made) = (files.path("page.bin"), files.path("made.hex"));
    let (_, json, _) = files.run(&["dump", "--json", &bytes]);
    fs::write(files.path("page.json"), json).unwrap();
    let (code, printed, stderr) = files.run(&["make", &files.path("page.json"), "--hex"]);
    assert_eq!((code, &*stderr), (0, ""));
    let text = fs::read_to_string(files.path("page.hex")).unwrap();
    assert_eq!(String::from_utf8(printed).unwrap(), format!("{text}\n"));
    assert_eq!(files.run(&["make", &files.path("page.json"), "--hex", "-o", &made]).0, 0);
    assert_eq!(fs::read_to_string(made).unwrap(), format!("{text}\n"));

    // The bytes of one field are a value of its type.
    let raw = |path: &str| files.run(&["dump", &bytes, "--path", path, "--raw"]).1;
    assert_eq!(raw("filename"), b"\x05\0\0\0a.txt");
    assert_eq!(raw("checksum"), [7, 0, 0, 0]);
    let link = raw("backlinks[0]");
    let by = ["--schema", &files.path("page.mol"), "--type", "BackLink"];
    let run = fourfold_with(&[&["verify", "-"], &by[..]].concat(), &link);
    assert_eq!(run.code, 0, "{}", run.text());
    let (code, printed, _) =
        files.run(&["dump", &files.path("page.hex"), "--hex", "--path", "filename", "--raw"]);
    assert_eq!((code, &*printed), (0, &b"0x05000000612e747874\n"[..]));
    let (code, _, stderr) = files.run(&["dump", &bytes, "--path", "filenam", "--raw"]);
    assert!(code == 1 && stderr.contains("filenam"), "{stderr}");
    assert_eq!(files.run(&["dump", &bytes, "--raw"]).0, 1);
}

#[test]
fn raw_bytes_of_biniou_fields_are_values() {
    let log = fixture("biniou/data/log.log_list-three.biniou");
    let dict = fixture("biniou/schemas/log.atd");
    let bytes = fs::read(in_root(&log)).unwrap();
    let item = fourfold(&["dump", &log, "--path", "[2]", "--raw"]);
    assert_eq!(item.stdout, bytes[266..]);
    for path in ["[1].request", "[0].address"] {
        let run = fourfold(&["dump", &log, "--path", path, "--raw", "--dict", &dict]).succeeded();
        assert!(bytes.windows(run.stdout.len()).any(|window| window == run.stdout));
        let verified = fourfold_with(&["verify", "--format", "biniou", "-"], &run.stdout);
        assert_eq!(verified.code, 0, "{path}: {}", verified.text());
        let shown = fourfold_with(
            &["dump", "--format", "biniou", "-", "--json", "--dict", &dict],
            &run.stdout,
        );
        let part = fourfold(&["dump", &log, "--path", path, "--json", "--dict", &dict]);
        let text = shown.text().split_once("\"value\": ").unwrap().1;
        let same = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(same(text), format!("{}}}", same(part.text())), "{path}");
    }
}

#[test]
fn records_of_digits_become_rows() {
    let files = Files::new();
    let out = files.path("log.jsonl");
    let bytes = fs::read(in_root(fixture("biniou/data/log.log_list-three.biniou"))).unwrap();
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    fs::write(files.path("log.hex"), digits).unwrap();
    let schema = fixture("biniou/schemas/log.atd");
    let by = ["--schema", &schema, "--type", "entry", "--hex"];
    let path = files.path("log.hex");
    let run = fourfold(&[&["convert", &path, &out], &by[..4]].concat());
    let expected = format!("fourfold: {path}: this is hex text; use --hex to read its bytes\n");
    assert!(run.code == 2 && run.stderr.starts_with(&expected), "{}", run.stderr);
    fourfold(&[&["convert", &path, &out], &by[..]].concat()).succeeded();
    assert_eq!(fs::read_to_string(out).unwrap().lines().count(), 3);
}
