//! Records as lines: `convert` to `.csv` and `.jsonl`, checked with other programs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use fourfold::{biniou, molecule};
use serde::Serialize;

use crate::command::{fixture, fourfold, fourfold_with, in_root};

const CELLS: &str = "\
array Uint64 [byte; 8]; array Uint128 [byte; 16]; array Byte32 [byte; 32]; vector Bytes <byte>;
option BytesOpt (Bytes); vector Numbers <Uint64>;
table Cell { amount: Uint128, capacity: Uint64, hash: Byte32, data: BytesOpt, numbers: Numbers, }
vector Cells <Cell>;";

#[derive(Serialize)]
struct Cell {
    amount: u128,
    capacity: u64,
    hash: [u8; 32],
    data: Option<Bytes>,
    numbers: Numbers,
}

#[derive(Serialize)]
#[serde(rename = "fixvec.Bytes")]
struct Bytes(Vec<u8>);

#[derive(Serialize)]
#[serde(rename = "fixvec.Numbers")]
struct Numbers(Vec<u64>);

const EVENTS: &str = "\
type point = { x : float; y : float <biniou repr=\"float32\"> }
type event = {
  id : int <ocaml repr=\"int64\"> <biniou repr=\"int64\">; text : string; ?note : string option;
  on : bool; at : point; tags : string list; counts : (string * int) list <json repr=\"object\">;
  kind : [ Small | Large ] }";

#[derive(Serialize)]
struct Point {
    x: f64,
    y: f32,
}

#[derive(Serialize)]
struct Event {
    #[serde(with = "biniou::with::int64")]
    id: i64,
    text: &'static str,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "without_option")]
    note: Option<&'static str>,
    on: bool,
    at: Point,
    tags: Vec<&'static str>,
    counts: Vec<(&'static str, i64)>,
    kind: Kind,
}

/// A field that is present has a value.
#[allow(clippy::ref_option, reason = "serde requires it")]
fn without_option<S: serde::Serializer>(text: &Option<&str>, out: S) -> Result<S::Ok, S::Error> {
    text.unwrap_or_default().serialize(out)
}

#[derive(Serialize)]
enum Kind {
    Small,
    Large,
}

/// A directory with both files and their schemas.
struct Sandbox(tempfile::TempDir);

impl Sandbox {
    fn new() -> Self {
        let sandbox = Sandbox(tempfile::tempdir().unwrap());
        let cell = |amount, capacity, byte, data: Option<&[u8]>, numbers: &[u64]| Cell {
            amount,
            capacity,
            hash: [byte; 32],
            data: data.map(|data| Bytes(data.to_vec())),
            numbers: Numbers(numbers.to_vec()),
        };
        let cells = [
            cell(u128::MAX, u64::MAX, 0xab, Some(b""), &[1, u64::MAX]),
            cell(9_007_199_254_740_993, 9_007_199_254_740_993, 0x00, None, &[]),
            cell(0, 0, 0x12, Some(&[0, 255]), &[0]),
        ];
        let event = |id, text, note, x, y, tags: &[&'static str], kind| Event {
            id,
            text,
            note,
            on: id > 0,
            at: Point { x, y },
            tags: tags.to_vec(),
            counts: vec![("a,b", 1), ("\"", -(1 << 62))],
            kind,
        };
        let events = vec![
            event(i64::MAX, "a,\"b\"\r\nc", Some(""), 0.1, 0.1, &["", ","], Kind::Large),
            event(i64::MIN, "", None, f64::NAN, f32::INFINITY, &[], Kind::Small),
            event(-1, " \u{1b}[31m é", Some("n"), f64::NEG_INFINITY, 1e-45, &["x"], Kind::Small),
            event(7, "null", None, 5e-324, f32::MAX, &[], Kind::Small),
            event(8, "0x1f", None, -0.0, 1e16, &[], Kind::Small),
            event(9, "1", None, 123_456_789_012_345_680.0, 0.0, &[], Kind::Small),
        ];
        for (name, bytes) in [
            ("cells.bin", molecule::to_vec(&molecule::with::DynVec(&cells[..])).unwrap()),
            ("cells.mol", CELLS.into()),
            ("events.biniou", biniou::to_vec(&events).unwrap()),
            ("events.atd", EVENTS.into()),
        ] {
            fs::write(sandbox.path(name), bytes).unwrap();
        }
        sandbox
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// The converted content of the file of that name.
    fn convert(&self, name: &str, ty: &str, output: &str, more: &[&str]) -> String {
        let ending = if name == "cells" { ("bin", "mol") } else { ("biniou", "atd") };
        let input = self.path(&format!("{name}.{}", ending.0));
        let schema = self.path(&format!("{name}.{}", ending.1));
        let out = self.path(output);
        let arguments = ["convert", &input, &out, "--schema", &schema, "--type", ty];
        let run = fourfold(&[&arguments[..], more].concat()).succeeded();
        assert!(run.text().starts_with(&format!("{out}: ")), "{run:?}");
        fs::read_to_string(out).unwrap()
    }
}

const CELLS_CSV: &str = r#"amount,capacity,hash,data,numbers
340282366920938463463374607431768211455,18446744073709551615,0xabababababababababababababababababababababababababababababababab,0x,"[1,18446744073709551615]"
9007199254740993,9007199254740993,0x0000000000000000000000000000000000000000000000000000000000000000,,[]
0,0,0x1212121212121212121212121212121212121212121212121212121212121212,0x00ff,[0]
"#;

const CELLS_JSONL: &str = r#"{"amount":"340282366920938463463374607431768211455","capacity":18446744073709551615,"hash":"0xabababababababababababababababababababababababababababababababab","data":"0x","numbers":[1,18446744073709551615]}
{"amount":"9007199254740993","capacity":9007199254740993,"hash":"0x0000000000000000000000000000000000000000000000000000000000000000","data":null,"numbers":[]}
{"amount":"0","capacity":0,"hash":"0x1212121212121212121212121212121212121212121212121212121212121212","data":"0x00ff","numbers":[0]}
"#;

#[test]
fn all_digits_are_kept() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.convert("cells", "Cells", "cells.csv", &[]), CELLS_CSV);
    assert_eq!(sandbox.convert("cells", "Cells", "cells.jsonl", &[]), CELLS_JSONL);
    assert_eq!(sandbox.convert("cells", "Cells", "cells.ndjson", &[]), CELLS_JSONL);
    assert_eq!(sandbox.convert("cells", "Cells", "cells.txt", &["--to", "jsonl"]), CELLS_JSONL);

    let lines = sandbox.convert("events", "event", "events.jsonl", &[]);
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(
        lines[0],
        r#"{"id":9223372036854775807,"text":"a,\"b\"\r\nc","note":"","on":true,"at":{"x":0.1,"y":0.1},"tags":["",","],"counts":{"a,b":1,"\"":-4611686018427387904},"kind":"Large"}"#
    );
    let floats: Vec<&str> = lines
        .iter()
        .map(|line| line.split(r#""at":"#).nth(1).unwrap().split(r#","tags"#).next().unwrap())
        .collect();
    let expected = [
        r#"{"x":0.1,"y":0.1}"#,
        r#"{"x":"nan","y":"inf"}"#,
        r#"{"x":"-inf","y":1e-45}"#,
        r#"{"x":5e-324,"y":3.4028235e38}"#,
        r#"{"x":-0.0,"y":1e16}"#,
        r#"{"x":1.2345678901234568e17,"y":0.0}"#,
    ];
    assert_eq!(floats, expected);
}

/// The schema is an input, so nothing is written over it.
#[test]
fn a_schema_is_not_written_over() {
    let sandbox = Sandbox::new();
    let (input, schema) = (sandbox.path("events.biniou"), sandbox.path("events.atd"));
    let arguments =
        ["convert", &input, &schema, "--to", "csv", "--schema", &schema, "--type", "event"];
    let run = fourfold(&arguments);
    assert_eq!(run.code, 1, "{run:?}");
    assert_eq!(fs::read_to_string(&schema).unwrap(), EVENTS);
    let output = sandbox.path("x.csv");
    let arguments =
        ["convert", &input, &output, "--schema", &schema, "--type", "event", "--number", "x"];
    let run = fourfold(&arguments);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.stderr.contains("--number is for `.mol` schemas"), "{run:?}");
}

#[test]
fn lists_become_rows_and_columns_are_chosen() {
    let sandbox = Sandbox::new();
    let text = sandbox.convert(
        "cells",
        "Cells",
        "numbers.csv",
        &["--explode", "numbers", "--column", "capacity", "--column", "numbers"],
    );
    let all = "capacity,numbers\n18446744073709551615,1\n18446744073709551615,18446744073709551615\n0,0\n";
    assert_eq!(text, all);
    // CSV readers skip empty lines; an empty text is not null.
    let notes = sandbox.convert("events", "event", "notes.csv", &["--column", "note"]);
    assert_eq!(notes, "note\n\"\"\n\"\"\nn\n\"\"\n\"\"\n\"\"\n");
    let notes =
        sandbox.convert("events", "event", "notes.csv", &["--column", "note", "--column", "on"]);
    assert!(notes.starts_with("note,on\n\"\",true\n,false\n"), "{notes}");
}

#[test]
fn pipes_are_read_and_written() {
    let log = fixture("biniou/data/log.log_list-three.biniou");
    let schema = fixture("biniou/schemas/log.atd");
    let bytes = fs::read(in_root(&log)).unwrap();
    let options = ["--schema", &schema, "--type", "entry", "--column", "code"];
    for (form, lines) in [
        ("csv", "code\n301\n201\n400\n"),
        ("jsonl", "{\"code\":301}\n{\"code\":201}\n{\"code\":400}\n"),
    ] {
        let run =
            fourfold_with(&[&["convert", "-", "-", "--to", form], &options[..]].concat(), &bytes);
        assert_eq!((run.code, run.text(), run.stderr.as_str()), (0, lines, ""), "{form}");
    }
    let run = fourfold(&[&["convert", &log, "-", "--to", "parquet"], &options[..]].concat());
    assert_eq!((run.code, &run.stdout[..4]), (0, &b"PAR1"[..]));
    let run = fourfold(&["convert", &log, "-", "--to", "csv"]);
    assert_eq!((run.code, run.text()), (1, ""));
    assert!(run.stderr.contains("records need a schema"), "{run:?}");
}

/// Python's standard modules, which do not use types, read the same values.
#[test]
fn python_reads_the_lines() {
    let sandbox = Sandbox::new();
    for (name, ty) in [("cells", "Cells"), ("events", "event")] {
        sandbox.convert(name, ty, &format!("{name}.csv"), &[]);
        sandbox.convert(name, ty, &format!("{name}.jsonl"), &[]);
    }
    run_script(Path::new("python3"), "tests/interop/lines.py", &sandbox);
}

/// pyarrow and DuckDB read them with inferred types.
#[test]
fn pyarrow_and_duckdb_read_the_lines() {
    let named = std::env::var_os("FOURFOLD_PYTHON").map(PathBuf::from);
    let python = named.unwrap_or_else(|| "python3".into());
    let found =
        Command::new(&python).args(["-c", "import duckdb, pyarrow.csv, pyarrow.json"]).output();
    if !found.is_ok_and(|output| output.status.success()) {
        let text = "lines are read by Python with pyarrow and duckdb, and CI never skips that";
        assert!(std::env::var_os("CI").is_none(), "{text}");
        println!("no Python with pyarrow and duckdb here (see FOURFOLD_PYTHON): skipped");
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.convert("cells", "Cells", "cells.csv", &[]);
    sandbox.convert("cells", "Cells", "cells.jsonl", &[]);
    run_script(&python, "tests/interop/lines_arrow.py", &sandbox);
}

#[track_caller]
fn run_script(python: &Path, script: &str, sandbox: &Sandbox) {
    let output = Command::new(python).arg(in_root(script)).arg(sandbox.0.path()).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
}
