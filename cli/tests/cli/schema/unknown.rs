//! `--schema` with an `.atd` file, and values with fields that the schema lacks: they are reported, never lost silently.

use std::fs;

use fourfold::biniou;
use serde::Serialize;

use crate::command::fourfold;

#[derive(Serialize)]
struct Older {
    at: i64,
    pair: (i64, i64),
    rows: biniou::with::Table<Vec<OldRow>>,
}

#[derive(Serialize)]
struct OldRow {
    x: f64,
}

#[derive(Serialize)]
struct Newer {
    at: i64,
    pair: (i64, i64, i64),
    rows: biniou::with::Table<Vec<NewRow>>,
    note: String,
}

#[derive(Serialize)]
struct NewRow {
    x: f64,
    y: bool,
}

const SCHEMA: &str = "type row = { x : float }
type whole = { at : int; pair : (int * int); rows : row list <ocaml repr=\"array\"> <biniou repr=\"table\"> }";

/// A folder with the schema, an older file, and newer ones.
struct Files(tempfile::TempDir);

impl Files {
    fn new() -> Self {
        let files = Files(tempfile::tempdir().unwrap());
        fs::write(files.path("s.atd"), SCHEMA).unwrap();
        let row = || OldRow { x: 0.5 };
        let rows = biniou::with::Table(vec![row(), row()]);
        files.save("older", &Older { at: 7, pair: (1, 2), rows });
        for (name, at, third, y, note) in [
            ("newer", 7, 3, true, "a"),
            ("note", 7, 3, true, "b"),
            ("cell", 7, 4, true, "a"),
            ("column", 7, 3, false, "a"),
            ("at", 8, 3, true, "a"),
        ] {
            let row = || NewRow { x: 0.5, y };
            let rows = biniou::with::Table(vec![row(), row()]);
            files.save(name, &Newer { at, pair: (1, 2, third), rows, note: note.into() });
        }
        files
    }

    fn save(&self, name: &str, value: &impl Serialize) {
        fs::write(self.path(name), biniou::to_vec(value).unwrap()).unwrap();
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// Exit code, output and warnings of a subcommand for some of them.
    fn run(&self, subcommand: &[&str], names: &[&str]) -> (i32, String, String) {
        let (paths, schema): (Vec<_>, _) =
            (names.iter().map(|name| self.path(name)).collect(), self.path("s.atd"));
        let paths = paths.iter().map(String::as_str);
        let by = ["--schema", &*schema, "--type", "whole"];
        let run = fourfold(&subcommand.iter().copied().chain(paths).chain(by).collect::<Vec<_>>());
        let folder = format!("{}/", self.0.path().display());
        (run.code, run.text().replace(&folder, ""), run.stderr.replace(&folder, ""))
    }
}

#[test]
fn verify_and_dump_report_fields_that_the_schema_does_not_have() {
    let files = Files::new();
    let (code, text, _) = files.run(&["verify"], &["older", "newer"]);
    let [older, newer] = ["older", "newer"].map(|name| fs::read(files.path(name)).unwrap().len());
    let good = format!(
        "older: good (biniou, whole, {older} bytes)\n\
         newer: good (biniou, whole, {newer} bytes); suspicious: 4 parts that are not in the schema\n"
    );
    assert_eq!((code, text), (0, good));

    let (code, text, stderr) = files.run(&["dump", "--json"], &["older"]);
    assert_eq!((code, &*stderr), (0, ""));
    let (code, same, stderr) = files.run(&["dump", "--json"], &["newer"]);
    let left = "fourfold: newer: 4 parts that are not in the schema are left out; without --schema they are shown\n";
    assert_eq!((code, &*stderr), (0, left));
    assert_eq!(same, text);

    files.save("one", &biniou::Value::Record(vec![(1, biniou::Value::Unit)]));
    fs::write(files.path("s.atd"), "type whole = { ?at : int option }").unwrap();
    let (code, _, stderr) = files.run(&["dump"], &["one"]);
    let left = "fourfold: one: 1 part that is not in the schema is left out; without --schema it is shown\n";
    assert_eq!((code, &*stderr), (0, left));
}

#[test]
fn differences_in_unknown_fields_are_reported() {
    let files = Files::new();
    let hash = biniou::hash("note");
    for (other, changes) in [
        ("note", format!("~ #{hash:08x}: string \"a\" → string \"b\"\n")),
        ("cell", "~ pair[2]: svint 3 → svint 4\n".into()),
        (
            "column",
            ["[0]", "[1]"]
                .map(|at| {
                    format!("~ rows{at}.#{:08x}: bool true → bool false\n", biniou::hash("y"))
                })
                .concat(),
        ),
        ("at", "~ at: svint 7 → svint 8\n".into()),
    ] {
        assert_eq!(files.run(&["diff"], &["newer", other]), (3, changes, String::new()));
    }
    assert_eq!(files.run(&["diff"], &["newer", "newer"]), (0, String::new(), String::new()));
    let (code, text, _) = files.run(&["diff"], &["older", "newer"]);
    assert_eq!(code, 3);
    assert!(text.contains(&format!("+ #{hash:08x}: string \"a\"\n")), "{text}");
}

#[test]
fn numbers_that_json_does_not_have_are_compared() {
    let files = Files::new();
    fs::write(files.path("s.atd"), "type whole = { x : float; y : int }").unwrap();
    let save = |name: &str, x: f64, y: i64| {
        #[derive(Serialize)]
        struct Whole {
            x: f64,
            y: i64,
        }
        files.save(name, &Whole { x, y });
    };
    save("nan", f64::NAN, 1);
    save("other", f64::NAN, 2);
    save("infinite", f64::INFINITY, 1);
    save("one", 1.0, 1);
    assert_eq!(files.run(&["diff"], &["nan", "nan"]), (0, String::new(), String::new()));
    let y = "~ y: 1 → 2\n".to_owned();
    assert_eq!(files.run(&["diff"], &["nan", "other"]), (3, y, String::new()));
    for (old, new) in [("nan", "infinite"), ("infinite", "one"), ("one", "nan")] {
        let (code, text, _) = files.run(&["diff"], &[old, new]);
        assert_eq!(code, 3);
        assert!(text.starts_with("~ x: "), "{text}");
    }
    let shown = |form: &str, name: &str| {
        let (code, text, stderr) = files.run(&["dump", form], &[name]);
        assert_eq!((code, &*stderr), (0, ""));
        text
    };
    assert_eq!(shown("--tree", "nan"), "x: nan\ny: 1\n");
    assert!(shown("--yaml", "nan").ends_with("x: .nan\n  'y': 1\n"), "{}", shown("--yaml", "nan"));
    assert!(shown("--yaml", "infinite").ends_with("x: .inf\n  'y': 1\n"));
    assert!(shown("--json", "infinite").contains("\"x\": \"inf\""));
}

/// A number that JSON cannot represent does not hide the others.
#[test]
fn records_with_a_nan_are_shown_with_the_others() {
    let files = Files::new();
    let schema = "type entry = { id : int; score : float } type whole = entry list";
    fs::write(files.path("s.atd"), schema).unwrap();
    #[derive(Serialize)]
    struct Entry {
        id: i64,
        score: f64,
    }
    let scores = [0.0, f64::NAN, f64::NEG_INFINITY, f64::from_bits(0x7ff8_0000_0000_0001)];
    let entries: Vec<Entry> = (0..).zip(scores).map(|(id, score)| Entry { id, score }).collect();
    files.save("log", &entries);
    let shown = |form: &str| files.run(&["dump", form], &["log"]).1;
    for (form, parts) in [
        ("--tree", ["score: 0.0", "score: nan", "score: -inf", "score: \"nan:7ff8000000000001\""]),
        ("--yaml", ["score: 0.0", "score: .nan", "score: -.inf", "score: 'nan:7ff8000000000001'"]),
        (
            "--jsonl",
            [
                "{\"id\":0,\"score\":0.0}\n",
                "{\"id\":1,\"score\":\"nan\"}\n",
                "{\"id\":2,\"score\":\"-inf\"}\n",
                "{\"id\":3,\"score\":\"nan:7ff8000000000001\"}\n",
            ],
        ),
    ] {
        let text = shown(form);
        for part in parts {
            assert!(text.contains(part), "{form} {part}: {text}");
        }
    }
    assert_eq!(files.run(&["dump", "--path", "[1].score"], &["log"]).1, "nan\n");
    fs::write(files.path("s.atd"), "type whole = float <biniou repr=\"float32\"> list").unwrap();
    files.save("short", &vec![1.5f32, f32::NAN, f32::INFINITY]);
    assert_eq!(files.run(&["dump"], &["short"]).1, "[1.5, nan, inf]\n");
    fs::write(files.path("s.atd"), "type whole = { a : (float option * int) }").unwrap();
    #[derive(Serialize)]
    struct Deep {
        a: (Option<f64>, i64),
    }
    files.save("deep", &Deep { a: (Some(f64::NAN), 1) });
    let (code, text, stderr) = files.run(&["dump"], &["deep"]);
    assert!(code == 0 && text.contains("nan") && stderr.is_empty(), "{text}{stderr}");
}
