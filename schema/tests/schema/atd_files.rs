//! Schemas of several `.atd` files: types of other modules, by `<ocaml from="..">`.

use std::fs;

use fourfold_schema::RustOptions;
use fourfold_schema::atd::{CommonKind, ErrorKind, Result, Schema};
use serde_json::json;
use tempfile::TempDir;

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn read(files: &[(&str, &str)]) -> Result<Schema> {
    Schema::from_file(folder(files).path().join(files[0].0))
}

fn rust(schema: &Schema) -> String {
    schema.to_rust(&RustOptions::new().with_derives([""; 0])).unwrap()
}

/// The names and modules of missing types.
fn missing(schema: &Schema) -> Vec<(&str, &str)> {
    schema.missing().collect()
}

const DIARY: (&str, &str) = (
    "diary.atd",
    "type reading <ocaml from=\"Units\"> = abstract
    type day = { name : string; readings : reading list }",
);

#[test]
fn types_of_other_files_are_read() {
    let files = [DIARY, ("units.atd", "type reading = { at : int; depth : float }")];
    let schema = read(&files).unwrap();
    let whole = Schema::parse(
        "type reading = { at : int; depth : float }
        type day = { name : string; readings : reading list }",
    );
    let whole = whole.unwrap();
    assert_eq!(rust(&schema), rust(&whole));
    assert!(schema.compare(&whole).is_empty() && missing(&schema).is_empty());
    let value = json!({"name": "monday", "readings": [{"at": 7, "depth": 2.5}]});
    let bytes = schema.make(&value, "day").unwrap();
    assert_eq!(bytes, whole.make(&value, "day").unwrap());
    let shown = schema.get("day").unwrap().name();
    assert_eq!(shown, Some("day"));
    assert_eq!(schema.dictionary().unwrap().len(), 4);
    // The printed schema still refers to the other file.
    assert!(schema.to_string().contains("type reading <ocaml from=\"Units\"> = abstract"));
}

#[test]
fn imports_may_rename_types_and_be_nested() {
    let schema = read(&[
        (
            "a.atd",
            "type 'a page <ocaml from=\"Lib.Pages\"> = abstract
            type t <ocaml_biniou from=\"Units\" t=\"reading\"> = abstract
            type again <ocaml from=\"Units\" t=\"reading\"> = abstract
            type day = { p : int page; q : t page; r : again }",
        ),
        (
            "Pages.atd",
            "type time = int type 'a inner = ('a * time) type 'a page = { it : 'a inner list }",
        ),
        ("units.atd", "type reading <ocaml from=\"Base\" t=\"r\"> = abstract"),
        ("base.atd", "type time = { s : string } type r <doc text=\"One.\"> = { time : time }"),
    ]);
    let schema = schema.unwrap();
    let names: Vec<_> = schema.types().filter_map(|ty| ty.name()).collect();
    assert_eq!(names, ["t", "again", "day", "Pages.time", "Base.time"]);
    assert_eq!(schema.get("t").unwrap().docs(), "One.");
    let place = schema.get("Base.time").unwrap().location().unwrap().to_string();
    assert!(place.starts_with("line 1, column 6 of ") && place.ends_with("base.atd"), "{place}");
    let value = json!({
        "p": {"it": [[1, 2]]}, "q": {"it": [[{"time": {"s": "x"}}, 3]]}, "r": {"time": {"s": "y"}},
    });
    let bytes = schema.make(&value, "day").unwrap();
    let shown = serde_json::to_value(schema.to_value(&bytes, "day").unwrap()).unwrap();
    assert_eq!(shown, value);
    let text = rust(&schema);
    for part in
        ["pub struct IntPage", "pub type Again = T;", "rename = \"time\")]\npub struct BaseTime"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn all_missing_types_are_named() {
    let files = [
        (
            "a.atd",
            "type reading <ocaml from=\"Units\"> = abstract
            type x <ocaml from=\"Other\"> = abstract
            type z <ocaml module=\"Units\"> = abstract
            type t = { r : reading; x : x }",
        ),
        ("units.atd", "type more = int"),
    ];
    let schema = read(&files).unwrap();
    assert_eq!(missing(&schema), [("reading", "Units"), ("x", "Other")]);
    let error = schema.to_rust(&RustOptions::new()).unwrap_err();
    let expected =
        "types of other modules were not found: `reading` of Units, `x` of Other at line 1";
    assert!(error.to_string().starts_with(expected), "{error}");
    let chosen = RustOptions::new().with_type("abstract", "Mine");
    assert!(schema.to_rust(&chosen).unwrap().contains("pub r: Mine,"));
    // A schema parsed from text has no folder of other files.
    assert_eq!(missing(&Schema::parse(DIARY.1).unwrap()), [("reading", "Units")]);
    // A module name is no path out of the folder.
    for module in ["../units", "/etc/units", "", ".", "Units.", "\u{e9}"] {
        let text = format!("type reading <ocaml from=\"{module}\"> = abstract");
        let schema = read(&[("b/a.atd", &text), ("units.atd", "type reading = int")]).unwrap();
        assert_eq!(missing(&schema), [("reading", module)]);
    }
}

#[test]
fn errors_in_another_file_name_the_file() {
    for (units, kind, file) in [
        (
            "type reading = { at : itn }",
            ErrorKind::Common(CommonKind::Undeclared { name: "itn".into() }),
            "units.atd",
        ),
        (
            "type 'a reading = 'a list",
            ErrorKind::Arguments { name: "reading".into(), takes: 1, given: 0 },
            "diary.atd",
        ),
        ("type reading <ocaml from=\"Diary\"> = abstract", ErrorKind::Cyclic, "diary.atd"),
        ("type reading <ocaml from=\"Units\"> = abstract", ErrorKind::Cyclic, "diary.atd"),
    ] {
        let error = read(&[DIARY, ("units.atd", units)]).unwrap_err();
        assert_eq!(error.kind(), &kind);
        let found = error.location().unwrap().file().unwrap();
        assert!(found.ends_with(file), "{found}");
    }
    // Modules may import from each other, unless a type is imported from itself.
    let text = "type reading = { d : d } type d <ocaml from=\"Diary\" t=\"text\"> = abstract";
    let diary = format!("{} type text = string", DIARY.1);
    let schema = read(&[("diary.atd", &diary), ("units.atd", text)]).unwrap();
    assert!(rust(&schema).contains("pub d: Text"), "{}", rust(&schema));
    // An imported type cannot be inherited: for atdgen it is abstract.
    let text =
        "type reading <ocaml from=\"Units\"> = abstract type t = { inherit reading; x : int }";
    let error = read(&[("a.atd", text), ("units.atd", "type reading = { y : int }")]).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Inherit { expected: "record" });
}

#[test]
fn only_the_given_folders_are_searched_in_order() {
    let folder = folder(&[
        ("a/diary.atd", DIARY.1),
        ("b/units.atd", "type reading = int"),
        ("c/units.atd", "type reading = string"),
    ]);
    let in_folder = |name: &str| folder.path().join(name);
    let path = in_folder("a/diary.atd");
    let found = |include: &[&str]| {
        let include = include.iter().map(|it| in_folder(it));
        let schema = Schema::from_file_including(&path, include).unwrap();
        schema.get("reading").map(|ty| format!("{:?}", ty.shape())).unwrap()
    };
    assert_eq!(found(&[]), "Abstract");
    assert!(found(&["b", "c"]).starts_with("Int"));
    assert_eq!(found(&["d", "c", "b"]), "String");
    fs::write(in_folder("a/units.atd"), "type reading = bool").unwrap();
    assert_eq!(found(&["b", "c"]), "Bool");
    assert!(Schema::from_file_within(&path, in_folder("a")).is_ok());
    #[cfg(unix)]
    {
        fs::remove_file(in_folder("a/units.atd")).unwrap();
        std::os::unix::fs::symlink(in_folder("b/units.atd"), in_folder("a/units.atd")).unwrap();
        let error = Schema::from_file_within(&path, in_folder("a")).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Common(CommonKind::Outside { .. })), "{error}");
    }
}
