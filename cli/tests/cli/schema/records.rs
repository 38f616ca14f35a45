//! Files of Molecule records: counted without types, and read one by one with them.

use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fourfold::molecule::RecordWriter;
use serde_json::{Value, json};

use super::printed;
use crate::command::{Folder, fourfold, fourfold_with};

const SCHEMA: &str =
    "vector Bytes <byte>; table Entry { id: byte, name: Bytes, } array Id [byte; 4];";

/// 20 bytes each: the header is 12, the id one, the name a fixvec of three bytes.
const NAMES: [&str; 3] = ["one", "two", "six"];

fn log(count: usize) -> Vec<u8> {
    let mut writer = RecordWriter::new(Vec::new());
    for (id, name) in (0..=9u8).cycle().zip(NAMES.into_iter().cycle()).take(count) {
        writer.write(&(id, name)).unwrap();
    }
    writer.into_inner()
}

/// A folder with a schema and a file of these bytes.
struct Files {
    folder: Folder,
}

impl Files {
    fn with(bytes: &[u8]) -> Self {
        let folder = Folder::new();
        folder.write("entry.mol", SCHEMA);
        folder.write("log.bin", bytes);
        Files { folder }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path(name)
    }

    /// Exit code and output, with file names instead of paths.
    fn run(&self, subcommand: &[&str]) -> (i32, String) {
        let run = fourfold(&[subcommand, &[&self.path("log.bin")]].concat());
        let text = format!("{}{}", run.text(), run.stderr);
        (run.code, text.replace(&self.path(""), ""))
    }

    /// The same with the schema and the type `Entry`.
    fn typed(&self, subcommand: &str) -> (i32, String) {
        self.run(&[subcommand, "--schema", &self.path("entry.mol"), "--type", "Entry"])
    }
}

#[test]
fn records_are_counted_without_types() {
    let files = Files::with(&log(3));
    let (code, text) = files.run(&["info"]);
    assert_eq!(code, 0, "{text}");
    let lines = "log.bin: Molecule, 60 bytes\n  can be: 3 concatenated tables or dynvecs\n";
    assert!(text.starts_with(lines), "{text}");
    let (text, _) = printed(&["info", "--json", &files.path("log.bin")]);
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&report["records"], &report["format"]), (&json!(3), &json!("molecule")));
    let (code, text) = files.run(&["detect"]);
    assert!(code == 0 && text.starts_with("log.bin: molecule\n"), "{text}");
    let (code, text) = files.run(&["verify"]);
    assert!(
        code == 1
            && text
                == "fourfold: log.bin: Molecule (3 records by their full sizes) cannot be checked \
                        without a schema that has its type; give a `.mol` file with `--schema`\n",
        "{text}"
    );
    // One message is not reported as records, nor are records whose last one is truncated.
    for bytes in [log(1), log(3)[..59].to_vec()] {
        let files = Files::with(&bytes);
        assert!(!files.run(&["verify", "--format", "molecule"]).1.contains("records"));
    }
    // Only the beginning of a long file is read, except for the full sizes.
    let files = Files::with(&log(100_000));
    let (code, text) = files.run(&["info"]);
    assert!(code == 0 && text.contains("can be: 100000 concatenated tables or dynvecs"), "{text}");
    assert!(files.run(&["detect"]).1.starts_with("log.bin: molecule\n"));
}

#[test]
fn records_before_an_error_are_counted() {
    let mut short = log(3);
    short[40] = 3;
    for (bytes, message) in [
        (&log(3)[..59], "input ends early: 20 bytes needed, 19 left at byte 40"),
        (&short, "full size 3 of a record is less than the 4 bytes of a full size at byte 40"),
    ] {
        let files = Files::with(bytes);
        let (code, text) = files.run(&["info", "--format", "molecule"]);
        let line = format!("\n  begins with 2 records, then: {message}\n");
        assert!(code == 0 && text.contains(&line), "{text}");
        let (_, text) = files.run(&["info", "--json", "--format", "molecule"]);
        let report: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(report["begins_with"], json!({"records": 2, "error": message}));
        assert_eq!(report.get("records"), None);
    }
    // Not printed for good records, or if the first record is truncated.
    for bytes in [log(3), log(1), log(2)[..39].to_vec()] {
        let (_, text) = Files::with(&bytes).run(&["info", "--format", "molecule"]);
        assert!(!text.contains("begins with"), "{text}");
    }
}

#[test]
fn each_record_is_checked() {
    let good = |count, size| format!("log.bin: good (molecule, {count} of Entry, {size} bytes)\n");
    let (code, text) = Files::with(&log(3)).typed("verify");
    assert_eq!((code, text), (0, good("3 records", 60)));
    let (code, text) = Files::with(&log(1)).typed("verify");
    assert_eq!((code, &*text), (0, "log.bin: good (molecule, Entry, 20 bytes)\n"));
    assert_eq!(Files::with(&log(70_000)).typed("verify").1, good("70000 records", 1_400_000));

    let with = |errors: &[(usize, u8)]| {
        let mut bytes = log(3);
        errors.iter().for_each(|(at, byte)| bytes[*at] = *byte);
        bytes
    };
    let cases = [
        // The count of the name.
        (with(&[(33, 2)]), "record [1]: 1 trailing byte in name at byte 39"),
        // The first offset.
        (with(&[(4, 13)]), "record [0]: offset 13 is not a multiple of 4 at byte 4"),
        (
            with(&[(4, 13), (44, 14)]),
            "record [0]: offset 13 is not a multiple of 4 at byte 4; 2 of 3 records are bad",
        ),
        (
            log(3)[..59].to_vec(),
            "record [2]: input ends early: 20 bytes needed, 19 left at byte 40",
        ),
        (
            with(&[(40, 3)]),
            "record [2]: full size 3 of a record is less than the 4 bytes of a full size at byte 40",
        ),
    ];
    for (bytes, message) in cases {
        let files = Files::with(&bytes);
        assert_eq!(files.typed("verify"), (2, format!("log.bin: {message}\n")));
        for subcommand in ["info", "dump"] {
            assert_eq!(files.typed(subcommand), (2, format!("fourfold: log.bin: {message}\n")));
        }
    }
    // Values that do not store their size cannot be records.
    let files = Files::with(&[4, 0, 0, 0, 4, 0, 0, 0]);
    let (code, text) = files.run(&["verify", "--schema", &files.path("entry.mol"), "--type", "Id"]);
    assert_eq!((code, &*text), (2, "log.bin: 4 trailing bytes at byte 4\n"));
}

#[test]
fn records_are_counted_by_type() {
    let files = Files::with(&log(3));
    let (code, text) = files.typed("info");
    assert_eq!(code, 0);
    assert!(text.starts_with("log.bin: Molecule, 3 records of Entry, 60 bytes\n"), "{text}");
    let line = text.lines().find(|line| line.trim().starts_with("Bytes")).unwrap();
    assert!(line.contains("3 values") && line.contains("9 items"), "{line}");
    let schema = files.path("entry.mol");
    let (text, stderr) = printed(&["info", "--json", "--schema", &schema, &files.path("log.bin")]);
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&report["records"], &report["types"][0]["values"]), (&json!(3), &json!(3)));
    assert!(stderr.contains("read as Entry, the only type of the schema that fits"), "{stderr}");
}

#[test]
fn records_survive_as_json() {
    let files = Files::with(&log(3));
    let (file, schema) = (files.path("log.bin"), files.path("entry.mol"));
    let typed = ["--schema", &schema, "--type", "Entry"];
    let (text, _) = printed(&[&["dump", "--json", &file], &typed[..]].concat());
    let dumped: Value = serde_json::from_str(&text).unwrap();
    let entry = |id: u8, name: &str| {
        let digits: String = name.bytes().map(|byte| format!("{byte:02x}")).collect();
        json!({"id": id, "name": format!("0x{digits}")})
    };
    let values = json!([entry(0, "one"), entry(1, "two"), entry(2, "six")]);
    assert_eq!(dumped, json!({"fourfold": "molecule", "type": "Entry", "values": values}));
    let made = files.path("made.bin");
    let json = files.path("log.json");
    fs::write(&json, text).unwrap();
    printed(&["make", &json, "-o", &made, "--schema", &schema]);
    assert!(fs::read(Path::new(&made)).unwrap() == log(3));

    let path = ["dump", "--path", "[1].name", &file];
    assert_eq!(printed(&[&path, &typed[..]].concat()).0, "\"0x74776f\"\n");
    let (yaml, _) = printed(&[&["dump", "--yaml", &file], &typed[..]].concat());
    assert_eq!(yaml.matches("name:").count(), 3, "{yaml}");

    // Files that could not be read as records are not written.
    let make = ["make", "-", "--schema", &schema];
    for (ty, values, message) in [
        (
            "Id",
            json!(["0x01020304"]),
            "Id is not a table or dynvec, so its values cannot be records",
        ),
        ("Entry", json!([]), "without records there is no file of them"),
    ] {
        let json = json!({"fourfold": "molecule", "type": ty, "values": values}).to_string();
        let run = fourfold_with(&make, json.as_bytes());
        assert!(run.code == 2 && run.stderr.contains(message), "{}", run.stderr);
    }
}

/// Three records: a good one, one with a name that ends too early, a good one.
fn damaged() -> Vec<u8> {
    let mut bytes = log(3);
    bytes[33] = 9;
    bytes
}

#[test]
fn each_record_is_explained_at_its_place() {
    let files = Files::with(&damaged());
    let schema = files.path("entry.mol");
    let by = ["explain", "--schema", &schema, "--type", "Entry"];
    let (code, text) = files.run(&by);
    let lines = "\
log.bin: molecule, 60 bytes, 18 parts, 1 error
  offset  bytes        path      what                 value
   0..4   14 00 00 00  [0]       full size of Entry   20
   4..8   0c 00 00 00  [0]       offset in Entry      12: id
   8..12  0d 00 00 00  [0]       offset in Entry      13: name
  12..13  00           [0].id    byte                 0
  13..17  03 00 00 00  [0].name  item count of Bytes  3 items of 1 byte
  17..20  6f 6e 65     [0].name  text                 \"one\"
  20..24  14 00 00 00  [1]       full size of Entry   20
  24..28  0c 00 00 00  [1]       offset in Entry      12: id, at byte 32
  28..32  0d 00 00 00  [1]       offset in Entry      13: name, at byte 33
  32..33  01           [1].id    byte                 1
  33..37  09 00 00 00  [1].name  item count of Bytes  9 items of 1 byte
! 37..40  74 77 6f     [1].name  text                 \"two\"
!        field or item ends early: 9 bytes needed, 3 left
  40..44  14 00 00 00  [2]       full size of Entry   20
  44..48  0c 00 00 00  [2]       offset in Entry      12: id, at byte 52
  48..52  0d 00 00 00  [2]       offset in Entry      13: name, at byte 53
  52..53  02           [2].id    byte                 2
  53..57  03 00 00 00  [2].name  item count of Bytes  3 items of 1 byte
  57..60  73 69 78     [2].name  text                 \"six\"
";
    assert_eq!((code, &*text), (2, lines));

    let parts = |path: &str| -> Vec<Value> {
        let run =
            fourfold(&[&by[..], &["--json", "--path", path, &files.path("log.bin")]].concat());
        run.json_lines()
    };
    let spans = parts("[1].name");
    assert_eq!((&spans[0]["start"], &spans[0]["path"]), (&json!(33), &json!("[1].name")));
    let error = "field or item ends early: 9 bytes needed, 3 left";
    assert_eq!((&spans[1]["error"], spans.len()), (&json!(error), 2));
    assert_eq!(parts("[2]").len(), 6);
    let run = fourfold(&[&by[..], &["--html", &files.path("log.bin")]].concat());
    assert_eq!(run.code, 2);
    let data = run.text().split(|c: char| !c.is_ascii_alphanumeric() && !"+/=".contains(c));
    let decoded = data.filter_map(|piece| STANDARD.decode(piece).ok());
    let has = |piece: &[u8]| piece.windows(error.len()).any(|it| it == error.as_bytes());
    assert!(decoded.into_iter().any(|it| has(&it)));

    // Without types only headers are known: that of the last record is truncated.
    let files = Files::with(&log(3)[..59]);
    let (code, text) = files.run(&["explain", "--layout"]);
    assert!(code == 2 && text.contains("[1].1  candidate fixvec: text"), "{text}");
    let line = text.lines().find(|line| line.starts_with('!')).unwrap();
    assert!(line.starts_with("! 40..44") && line.contains("[2] "), "{text}");
    assert!(text.contains("!        input ends early: 20 bytes needed, 19 left\n"), "{text}");
}

#[test]
fn damaged_ends_of_records_are_explained() {
    let errors = |bytes: &[u8]| {
        let (code, text) = Files::with(bytes).typed("explain");
        let errors = text.lines().skip_while(|line| !line.starts_with('!'));
        (code, errors.map(|line| line.trim_end().to_owned()).collect::<Vec<_>>())
    };
    assert_eq!(errors(&log(3)), (0, vec![]));
    assert_eq!(errors(&log(1)), (0, vec![]));
    assert!(Files::with(&log(1)).typed("explain").1.contains("  id    byte"));
    let (code, lines) = errors(&[]);
    assert_eq!((code, &*lines[1]), (2, "!        input ends early: 4 bytes needed, 0 left"));
    // After an invalid full size, the start of the next record is unknown.
    let mut short = log(3);
    short[20] = 3;
    let (code, lines) = errors(&short[..40]);
    assert_eq!(code, 2);
    assert_eq!(lines[1], "!        full size 20 differs from the 40 bytes given");
    short[20] = 20;
    short[40] = 3;
    let (code, lines) = errors(&short);
    assert_eq!(code, 2);
    assert!(lines[0].starts_with("! 40..44") && lines[0].contains("[2] "), "{lines:?}");
    let error = "full size 3 of a record is less than the 4 bytes of a full size";
    assert_eq!(lines[1].trim_start_matches(['!', ' ']), error);
}

#[test]
fn records_are_compared_one_by_one() {
    let old = Files::with(&log(3));
    let (schema, file) = (old.path("entry.mol"), old.path("log.bin"));
    let diff = |bytes: &[u8], swap: Order| {
        let new = Files::with(bytes);
        let (one, two) = (file.clone(), new.path("log.bin"));
        let [one, two] = match swap {
            Order::Same => [one, two],
            Order::Swapped => [two, one],
        };
        let run = fourfold(&["diff", &one, &two, "--schema", &schema, "--type", "Entry"]);
        (run.code, format!("{}{}", run.text(), run.stderr.replace(&new.path(""), "")))
    };
    assert_eq!(diff(&log(3), Order::Same), (0, String::new()));
    let mut other = log(3);
    other[37] = b'T';
    let changed = "~ [1].name: \"0x74776f\" → \"0x54776f\"\n";
    assert_eq!(diff(&other, Order::Same), (3, changed.into()));
    let two = "{\"id\": 1, \"name\": \"0x74776f\"}";
    let gone = [&log(3)[..20], &log(3)[40..]].concat();
    assert_eq!(diff(&gone, Order::Same), (3, format!("- [1]: {two}\n")));
    // A file of one record is compared with one of several.
    let six = "{\"id\": 2, \"name\": \"0x736978\"}";
    assert_eq!(diff(&log(1), Order::Same), (3, format!("- [1]: {two}\n- [2]: {six}\n")));
    assert_eq!(diff(&log(1), Order::Swapped), (3, format!("+ [1]: {two}\n+ [2]: {six}\n")));
    // Damaged files are not compared.
    for (bytes, message) in [
        (
            damaged(),
            "record [1]: field or item ends early: 9 bytes needed, 3 left in name at byte 37",
        ),
        (vec![], "input ends early: 4 bytes needed, 0 left at byte 0"),
    ] {
        for order in [Order::Same, Order::Swapped] {
            assert_eq!(diff(&bytes, order), (2, format!("fourfold: log.bin: {message}\n")));
        }
    }
}

/// The order of the two files.
#[derive(Clone, Copy)]
enum Order {
    Same,
    Swapped,
}

/// A list is compared with a list, not with records.
#[test]
fn a_list_is_compared_with_lists() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    fs::write(path("names.mol"), "vector Bytes <byte>; vector Names <Bytes>;").unwrap();
    let names = |names: &[&str]| {
        fourfold::molecule::to_vec(&fourfold::molecule::with::DynVec(names)).unwrap()
    };
    fs::write(path("one"), names(&["a", "b"])).unwrap();
    fs::write(path("two"), [names(&["a", "b"]), names(&["c"])].concat()).unwrap();
    let (one, two, schema) = (path("one"), path("two"), path("names.mol"));
    let run = fourfold(&["diff", &one, &two, "--schema", &schema, "--type", "Names"]);
    assert_eq!((run.code, run.text()), (3, "+ [1]: [\"0x63\"]\n"), "{}", run.stderr);
}

/// Memory does not grow with the number of records, in any subcommand.
#[test]
#[ignore = "slow: `.ci/run` runs it"]
#[cfg(target_os = "linux")]
fn memory_does_not_grow_with_records() {
    use std::process::{Command, Stdio};

    const KIBIBYTES: usize = 60 << 10;
    let files = Files::with(&[4, 0, 0, 0].repeat(1_000_000));
    fs::write(files.path("entry.mol"), "table Entry { }").unwrap();
    let (file, schema) = (files.path("log.bin"), files.path("entry.mol"));
    for subcommand in [&["dump", "--json"][..], &["dump", "--path", "[999999]"], &["diff", &file]] {
        let output = Command::new("sh")
            .args(["-c", &format!("ulimit -d {KIBIBYTES}; exec \"$0\" \"$@\"")])
            .arg(env!("CARGO_BIN_EXE_fourfold"))
            .args(subcommand)
            .args([&file, "--schema", &schema, "--type", "Entry"])
            .stdout(Stdio::null())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{subcommand:?}: {output:?}");
    }
}
