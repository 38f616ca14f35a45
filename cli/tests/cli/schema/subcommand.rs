//! `fourfold schema`: checking, comparing and joining schemas.

use std::fs;
use std::path::{Path, PathBuf};

use fourfold_schema::RustOptions;
use fourfold_schema::atd::Schema as Atd;
use fourfold_schema::mol::Schema;

use crate::command::{Folder, fourfold, in_root};

fn schemas(folder: &str, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(in_root(folder)).unwrap();
    let paths = entries.map(|entry| Path::new(folder).join(entry.unwrap().file_name()));
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|own| own == extension)).collect();
    paths.sort();
    assert!(!paths.is_empty());
    paths
}

#[test]
fn good_schemas_are_reported_with_their_number_of_types() {
    for path in schemas("tests/fixtures/molecule/schemas", "mol") {
        let path = path.to_str().unwrap();
        let run = fourfold(&["schema", "check", path]);
        let count = Schema::from_file(in_root(path)).unwrap().types().len();
        assert_eq!(run.text(), format!("{path}: good ({count} types)\n"));
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    }
    let folder = Folder::with(&[("one.atd", "type t = int list")]);
    let run = fourfold(&["schema", "check", &folder.path("one.atd")]);
    assert_eq!(run.text(), format!("{}: good (1 type)\n", folder.path("one.atd")));
}

#[test]
fn errors_of_schemas_have_their_position() {
    let folder = Folder::with(&[
        ("bad.mol", "array Word [byte; 4];\ntable T {\n\ta: Word,\n\t/* 重み */ b: Wrod,\n}\n"),
        ("bad.atd", "type t = { x : itn }"),
        ("outer.mol", "import inner;\narray Half [byte; 2];\n"),
        ("inner.mol", "table T { a: Word }"),
        ("good.mol", "array Word [byte; 4];"),
    ]);
    let [mol, atd, outer, inner, good] =
        ["bad.mol", "bad.atd", "outer.mol", "inner.mol", "good.mol"].map(|name| folder.path(name));
    let run = fourfold(&["schema", "check", &mol, &atd, &outer, &good]);
    assert_eq!(
        run.text(),
        format!(
            "{mol}: bad: there is no type `Wrod` at line 4, column 14\n \
             4 | \\t/* 重み */ b: Wrod,\n   |                 ^\n\
             {atd}: bad: there is no type `itn` at line 1, column 16\n \
             1 | type t = {{ x : itn }}\n   |                ^\n\
             {inner}: bad: expected `,` after each field and item, found `}}` at line 1, column 19\n \
             1 | table T {{ a: Word }}\n   |                   ^\n\
             {good}: good (1 type)\n",
        )
    );
    assert_eq!((run.code, run.stderr.as_str()), (2, ""));
}

#[test]
fn a_schema_that_cannot_be_read_does_not_stop_the_others() {
    let folder = Folder::with(&[("good.mol", "array Word [byte; 4];")]);
    let good = folder.path("good.mol");
    let run = fourfold(&["schema", "check", "no/such.mol", &good]);
    assert_eq!((run.code, run.text()), (1, &*format!("{good}: good (1 type)\n")));
    assert!(run.stderr.starts_with("fourfold: cannot read no/such.mol: "), "{}", run.stderr);
}

#[test]
fn changes_are_listed_with_their_compatibility() {
    let folder = Folder::with(&[
        ("old.mol", "array Word [byte; 4]; table T { a: Word, }"),
        ("same.mol", "// As before.\narray Word [byte; 4];\ntable T { a: Word, }"),
        ("name.mol", "array Word [byte; 4]; table T { b: Word, }"),
        ("more.mol", "array Word [byte; 4]; table T { a: Word, b: Word, }"),
        ("bad.mol", "table T { a: Word, }"),
    ]);
    let old = folder.path("old.mol");
    for (name, code, expected) in [
        ("same.mol", 0, "no changes\n"),
        ("name.mol", 0, "T: field `b` was `a`: safe\n"),
        (
            "more.mol",
            3,
            "T: field `b` is added at the end: older readers read newer values only if they are compatible \
             ones, newer readers refuse older values\n",
        ),
        ("bad.mol", 2, ""),
        ("no.mol", 1, ""),
    ] {
        let run = fourfold(&["schema", "compare", &old, &folder.path(name)]);
        assert_eq!((run.code, run.text()), (code, expected), "{name}");
        assert_eq!(run.stderr.is_empty(), matches!(code, 0 | 3), "{name}: {}", run.stderr);
    }
}

#[test]
fn a_schema_and_its_imports_become_one() {
    let folder = Folder::new();
    let whole = folder.path("whole.mol");
    for path in schemas("tests/fixtures/molecule/schemas", "mol") {
        let path = path.to_str().unwrap();
        let printed = fourfold(&["schema", "mol", path]);
        assert_eq!((printed.code, printed.stderr.as_str()), (0, ""));
        let run = fourfold(&["schema", "mol", path, "-o", &whole]);
        assert_eq!((run.code, run.text()), (0, ""));
        assert_eq!(fs::read(&whole).unwrap(), printed.stdout);
        let (before, after) = (in_root(path), Schema::from_file(&whole).unwrap());
        assert!(after.compare(&Schema::from_file(before).unwrap()).is_empty(), "{path}");
    }
    let text = fs::read(&whole).unwrap();
    assert_eq!(fourfold(&["schema", "mol", &whole, "-o", &whole]).code, 1);
    assert!(fs::read(&whole).unwrap() == text);
}

#[test]
fn options_change_the_generated_rust_types() {
    let text = "array Bool [byte; 1]; vector Bytes <byte>; table Note { text: Bytes, seen: Bool, }";
    let folder = Folder::with(&[("note.mol", text)]);
    let path = folder.path("note.mol");
    let schema = Schema::parse(text).unwrap();
    let run = fourfold(&["schema", "rust", &path]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert_eq!(run.text(), schema.to_rust(&RustOptions::new()));

    let target = folder.path("note.rs");
    let options =
        ["--with", "Bool=bool", "--bytes", "cow", "--bytes-with", "hex", "--derive", "Debug,Eq"];
    let run = fourfold(&[&["schema", "rust", &path, "-o", &target], &options[..]].concat());
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let expected = "use serde::{Deserialize, Serialize};
use std::borrow::Cow;

#[derive(Serialize, Deserialize, Debug, Eq)]
#[serde(rename = \"fixvec.Bytes\")]
pub struct Bytes<'a>(#[serde(borrow, with = \"hex\")] pub Cow<'a, [u8]>);

#[derive(Serialize, Deserialize, Debug, Eq)]
pub struct Note<'a> {
    #[serde(borrow)]
    pub text: Bytes<'a>,
    pub seen: bool,
}
";
    assert_eq!(fs::read_to_string(&target).unwrap(), expected);
    // The schema is not overwritten.
    assert_eq!(fourfold(&["schema", "rust", &path, "-o", &path]).code, 1);
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    let run = fourfold(&["schema", "rust", &path, "--with", "Bool"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("expected NAME=TYPE, such as Bool=bool"), "{}", run.stderr);
}

#[test]
fn rust_types_require_all_types_of_the_schema() {
    let folder = Folder::with(&[
        ("a.mol", "vector Bytes <byte>;"),
        ("a.atd", "type t = { x : int; y : string }"),
    ]);
    for (file, good, bad) in [
        ("a.mol", &["Bytes", "byte"][..], &["Bytez", "string"][..]),
        ("a.atd", &["t", "unit", "bool", "int", "float", "string", "abstract"], &["T", "byte"]),
    ] {
        let path = folder.path(file);
        let run =
            |name: &str| fourfold(&["schema", "rust", &path, "--with", &format!("{name}=Mine")]);
        for name in good {
            let run = run(name);
            assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{name}");
        }
        for name in bad {
            let run = run(name);
            let message = format!("fourfold: {path}: the schema has no type `{name}` (");
            assert_eq!((run.code, run.text()), (1, ""));
            assert!(run.stderr.starts_with(&message), "{}", run.stderr);
        }
    }
    let derive = |traits: &str| {
        let run = fourfold(&["schema", "rust", &folder.path("a.atd"), "--derive", traits]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.text().to_owned()
    };
    assert_eq!(derive("Debug, Clone "), derive("Debug,Clone"));
}

#[test]
fn rust_types_have_the_attributes_for_other_derives() {
    let folder = Folder::with(&[
        (
            "a.mol",
            "vector Bytes <byte>; vector BytesVec <Bytes>; table Notes { list: BytesVec, text: Bytes, }",
        ),
        ("a.atd", "type t = [ A of int | B ] type r = { type_ : t list }"),
    ]);
    let run = |file: &str, attributes: &[&str]| {
        let path = folder.path(file);
        let mut arguments = vec!["schema", "rust", &path, "--derive", "Debug,ts_rs::TS"];
        attributes.iter().for_each(|it| arguments.extend(["--attribute", it]));
        let run = fourfold(&arguments);
        (run.code, run.text().to_owned(), run.stderr)
    };
    let (code, text, stderr) =
        run("a.mol", &["Notes.list=ts(as = \"Vec<Bytes>\")", "Bytes=ts(rename = \"Bytes\")"]);
    assert_eq!((code, &*stderr), (0, ""));
    for part in [
        "    #[serde(with = \"with::dynvec\")]\n    #[ts(as = \"Vec<Bytes>\")]\n    pub list: Vec<Bytes>,\n",
        "#[serde(rename = \"fixvec.Bytes\")]\n#[ts(rename = \"Bytes\")]\npub struct Bytes",
    ] {
        assert!(text.contains(part), "{text}");
    }
    let (code, text, _) = run("a.atd", &["T.B=ts(skip)", "R=ts(export)", "R.type_=doc(hidden)"]);
    assert_eq!(code, 0);
    for part in ["    #[ts(skip)]\n    B,\n", "#[ts(export)]\npub struct R {\n    #[doc(hidden)]\n"]
    {
        assert!(text.contains(part), "{text}");
    }
    let path = folder.path("a.mol");
    let (code, text, stderr) = run("a.mol", &["Notes.lists=ts(skip)"]);
    let expected = format!(
        "fourfold: {path}: --attribute Notes.lists: there is no such type, field or variant in its Rust types\n"
    );
    assert_eq!((code, &*text, &*stderr), (1, "", &*expected));
    for attribute in ["Notes", "Notes.list", "=ts(skip)", "Notes.list="] {
        let (code, text, stderr) = run("a.mol", &[attribute]);
        assert_eq!((code, &*text), (1, ""));
        let expected = "expected TYPE[.FIELD]=ATTRIBUTE, such as 'Notes.list=ts(skip)'";
        assert!(stderr.contains(expected) && !stderr.contains("Bool=bool"), "{stderr}");
    }
    // Attributes of newtypes: for the type, and for its value.
    let text = newtypes(&path);
    for part in [
        "#[serde(rename = \"fixvec.Bytes\")]\n#[ts(rename = \"Bytes\")]\npub struct Bytes(#[ts(as = \"Vec<u8>\")] pub Vec<u8>);\n",
        "#[serde(rename = \"dynvec.BytesVec\")]\n#[ts(rename = \"BytesVec\")]\npub struct BytesVec(pub Vec<Bytes>);\n",
        "#[ts(rename = \"Notes\")]\npub struct Notes {\n    pub list: BytesVec,\n    pub text: Bytes,\n}\n",
    ] {
        assert!(text.contains(part), "{text}");
    }
    // Without `std`, in a separate file.
    let run = fourfold(&["schema", "rust", &path, "--no-std"]);
    assert!(
        run.text().starts_with("extern crate alloc;\n\n#[allow(unused_imports)]\nuse alloc::"),
        "{}",
        run.text()
    );
}

/// The types of a schema, with attributes of ts-rs.
fn newtypes(path: &str) -> String {
    let mut arguments = vec!["schema", "rust", path, "--newtypes", "--derive", "ts_rs::TS"];
    for attribute in ["*=ts(rename = \"{}\")", "Bytes.0=ts(as = \"Vec<u8>\")"] {
        arguments.extend(["--attribute", attribute]);
    }
    let run = fourfold(&arguments);
    assert_eq!((run.code, &*run.stderr), (0, ""));
    run.text().to_owned()
}

#[test]
fn rust_types_are_written_for_atd_files() {
    let text =
        "type level = int <biniou repr=\"int8\"> type t = { x : level; ?name : string option }";
    let folder = Folder::with(&[("a.atd", text), ("b.atd", "type t = {\n  x : abstract }")]);
    let [path, hidden] = ["a.atd", "b.atd"].map(|it| folder.path(it));
    let run = fourfold(&["schema", "rust", &path]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert_eq!(run.text(), Atd::parse(text).unwrap().to_rust(&RustOptions::new()).unwrap());
    let run = fourfold(&[
        "schema", "rust", &path, "--with", "level=u8", "--bytes", "cow", "--derive", "Debug",
    ]);
    let expected = "use fourfold::biniou::with;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

#[derive(Serialize, Deserialize, Debug)]
pub struct T<'a> {
    pub x: u8,
    #[serde(borrow, with = \"with::optional\", default)]
    pub name: Option<Cow<'a, str>>,
}
";
    assert_eq!((run.code, run.text()), (0, expected));
    let run = fourfold(&["schema", "rust", &hidden]);
    let place = "name a Rust type for it at line 2, column 3";
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains(place), "{}", run.stderr);
    assert_eq!(fourfold(&["schema", "rust", &hidden, "--with", "abstract=Mine"]).code, 0);
}

#[test]
fn changes_of_atd_files_are_listed() {
    let folder = Folder::with(&[
        ("older.atd", "type t = { x : int }"),
        ("newer.atd", "type t = { x : int; y : string }"),
        ("other.mol", "array Word [byte; 4];"),
    ]);
    let [older, newer, other] = ["older.atd", "newer.atd", "other.mol"].map(|it| folder.path(it));
    let run = fourfold(&["schema", "compare", &older, &newer]);
    let changes = Atd::from_file(&older).unwrap().compare(&Atd::from_file(&newer).unwrap());
    assert_eq!(changes.iter().len(), 1, "{changes}");
    assert_eq!((run.text(), run.code), (&*format!("{changes}\n"), 3));
    let run = fourfold(&["schema", "compare", &newer, &newer]);
    assert_eq!((run.text(), run.code), ("no changes\n", 0));
    let run = fourfold(&["schema", "compare", &older, &other]);
    let text = format!("{older} and {other}: one is an .atd schema, the other is not");
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains(&text), "{}", run.stderr);
}

#[test]
fn atd_files_are_formatted() {
    for path in schemas("tests/fixtures/biniou/schemas", "atd") {
        let path = path.to_str().unwrap();
        let printed = fourfold(&["schema", "atd", path]);
        let schema = Atd::from_file(in_root(path)).unwrap();
        assert_eq!((printed.code, printed.text()), (0, &*schema.to_string()), "{path}");
    }
    let run = fourfold(&["schema", "atd", "tests/fixtures/molecule/schemas/blockchain.mol"]);
    assert_eq!((run.code, run.stderr.lines().count()), (2, 3), "{}", run.stderr);
}
