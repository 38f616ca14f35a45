//! Dictionaries of name hashes: names from `.atd` files and from Rust types are those in the dumps of OCaml.

use std::fmt::Debug;

use fourfold::biniou::{Dictionary, ErrorKind, hash};
use fourfold_schema::atd;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::ocaml_types::fixture::FIXTURES;
use crate::ocaml_types::{Test, fixture, with_type};

/// Dumps with names that no schema declares as field or variant. They come from a JSON name, a comment and a built-in
/// type: the dumps were made with all words of the schemas.
const UNDECLARED: [(&str, &str); 3] = [
    ("reader/record-hash_of_json_name_refused", "jsonKind\nn"),
    ("reader/tuple-assoc_record_refused", "one"),
    ("tree/table_nested", "list"),
];

/// The error and its line.
fn refusal(text: &str) -> (String, usize) {
    let error = atd::names(text).unwrap_err();
    assert_eq!(error.offset(), None);
    match error.kind() {
        ErrorKind::Dictionary { what, line } => (what.clone(), *line),
        _ => panic!("{text}: {error}"),
    }
}

#[test]
fn syntax_errors_are_reported_with_their_line() {
    for (text, what, line) in [
        ("typ t = int", "expected `type`, found `typ`", 1),
        ("type t int", "expected `=` after the name of a type, found `int`", 1),
        ("\ntype 'a = int", "expected the name of a type, found `=`", 2),
        ("type (t) u = int", "expected a type parameter, found `t`", 1),
        ("type ('a t = int", "expected `)` after type parameters, found `t`", 1),
        ("type t =\n\n;", "expected a type, found `;`", 3),
        ("type t = \"int\"", "expected a type, found a string", 1),
        ("type t = type u = int", "expected a type, found `type`", 1),
        ("type t = of", "expected a type, found `of`", 1),
        ("type t = inherit", "expected a type, found `inherit`", 1),
        ("type t =", "expected a type, found the end", 1),
        ("type 'a t u = 'b", "expected `=` after the name of a type, found `u`", 1),
        ("type t = [ | lower ]", "expected the name of a variant, found `lower`", 1),
        ("from a as 'b import c", "expected the name of a module, found a type parameter", 1),
        ("from a\nimports c", "expected `import`, found `imports`", 2),
        ("type t = § ", "no token begins with '§'", 1),
        ("type t = int\n(* (* *) no end", "comment without an end", 2),
        ("type t = int <doc text=\"no\n end", "string without an end", 1),
        ("\ntype t = int <doc", "annotation without an end", 2),
    ] {
        assert_eq!(refusal(text), (what.to_owned(), line), "{text}");
    }
    let deep = format!("type t = {}int{}", "(".repeat(300), ")".repeat(300));
    assert_eq!(refusal(&deep).0, "types nest deeper than 256 levels");
}

#[test]
fn imports_and_parameters_have_no_names() {
    let text = r#"
        <doc text="a module">
        from other.module <ocaml from="x"> as short import one, 'a two <a>, ('a, 'b) three
        from more import four
        (* a comment (* in a comment *) with a "string *)" in it *)
        type ('a, 'b) pair = { first : 'a; ~second : 'b list <ocaml repr="array">; ?third : int option }
        type 'a choice = [ Left of 'a | Right <json name="r"> | inherit (pair) ]
    "#;
    // What follows `inherit` is a type, whose names are there already.
    let names = atd::names(text).unwrap();
    let mut found: Vec<&str> = names.names().collect();
    found.sort_unstable();
    assert_eq!(found, ["Left", "Right", "first", "second", "third"]);
    assert_eq!((names.len(), names.is_empty()), (5, false));
    assert_eq!(names.name(hash("third")), Some("third"));
    assert_eq!(names.name(hash("four")), None);
}

#[test]
fn an_empty_text_has_no_names() {
    let names = atd::names("").unwrap();
    assert_eq!((names.len(), names.is_empty()), (0, true));
}

#[test]
fn two_names_with_the_same_hash_in_a_text_are_refused() {
    let text = "type t = { azdwbie : int; c7diagq : int }";
    assert!(matches!(atd::names(text).unwrap_err().kind(), ErrorKind::Collision { .. }));
}

/// The hash does not show which of the two names is meant.
#[test]
fn names_with_the_same_hash_are_left_out() {
    #[derive(serde::Deserialize)]
    #[allow(dead_code)]
    struct Both {
        azdwbie: u8,
        c7diagq: u8,
        other: u8,
    }

    assert_eq!(hash("azdwbie"), hash("c7diagq"));
    let names = atd::names_of::<Both>();
    assert_eq!(names.names().collect::<Vec<_>>(), ["other"]);
}

/// Also in fields that are nested in options, sequences, maps and variants.
#[test]
fn all_nested_names_of_a_type_are_found() {
    use serde::Deserialize;
    use std::collections::BTreeMap;

    #[derive(Deserialize)]
    struct Nothing;

    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Leaf<const N: u8> {
        leaf: u8,
    }

    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Slots(u8, InSlot);

    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct InSlot {
        in_slot: i8,
    }

    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct InMap {
        in_map: Nothing,
    }

    #[derive(Deserialize)]
    #[allow(dead_code)]
    enum Choice {
        Named { deep: Vec<InVariant> },
        Cells(u8, Leaf<1>),
        Bare,
    }

    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct InVariant {
        in_variant: char,
    }

    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct All {
        bytes: serde_bytes::ByteBuf,
        map: BTreeMap<String, InMap>,
        slots: Slots,
        choice: Option<Choice>,
    }

    let names = atd::names_of::<All>();
    let mut found: Vec<&str> = names.names().collect();
    found.sort_unstable();
    let expected = [
        "Bare",
        "Cells",
        "Named",
        "bytes",
        "choice",
        "deep",
        "in_map",
        "in_slot",
        "in_variant",
        "leaf",
        "map",
        "slots",
    ];
    assert_eq!(found, expected);
}

/// Calls a test with the file and the names of each dump that OCaml's `Bi_io.view` wrote.
fn for_each_dump(mut test: impl FnMut(&str, &[&str])) {
    let mut dumps = 0;
    for folder in ["typed", "data", "reader", "tree"] {
        for name in FIXTURES.names(folder, "txt") {
            let file = format!("{folder}/{name}");
            let text = FIXTURES.text(&format!("{file}.txt"));
            if !text.starts_with("cannot be dumped: ") {
                test(&file, &names_in(&text));
                dumps += 1;
            }
        }
    }
    assert!(dumps > 250, "{dumps}");
}

/// The names in a dump: strings before a colon or after the mark of a variant.
fn names_in(dump: &str) -> Vec<&str> {
    let (mut names, mut rest) = (Vec::new(), dump);
    while let Some((before, string)) = rest.split_once('"') {
        let mut is_escaped = false;
        let is_end = |c: char| {
            let is_end = c == '"' && !is_escaped;
            is_escaped = c == '\\' && !is_escaped;
            is_end
        };
        let (name, after) = string.split_at(string.find(is_end).unwrap());
        rest = &after[1..];
        if rest.starts_with(':') || before.ends_with('<') {
            names.push(name);
        }
    }
    names
}

fn has_all(dictionary: &Dictionary, names: &[&str]) -> bool {
    names.iter().all(|name| dictionary.name(hash(name)) == Some(name))
}

#[test]
fn names_from_the_schemas() {
    let names = FIXTURES.names("schemas", "atd");
    assert_eq!(names, ["feat", "log", "mesh", "save"]);
    let schemas = names.iter().map(|name| FIXTURES.text(&format!("schemas/{name}.atd")));
    let declared = atd::names(&schemas.collect::<String>()).unwrap();
    let mut undeclared = 0;
    for_each_dump(|file, names| {
        let Some((_, words)) = UNDECLARED.iter().find(|(name, _)| *name == file) else {
            return assert!(has_all(&declared, names), "{file}: {names:?}");
        };
        undeclared += 1;
        assert!(!has_all(&declared, names), "{file} has declared names only");
        let mut all = declared.clone();
        all.merge(&Dictionary::from_words(words).unwrap()).unwrap();
        assert!(has_all(&all, names), "{file}: {names:?}");
    });
    assert_eq!(undeclared, UNDECLARED.len());
}

/// The names of a value are those of its Rust type.
struct OwnNames<'a>(&'a [&'a str]);

impl Test for OwnNames<'_> {
    fn run<T: Serialize + DeserializeOwned + PartialEq + Debug>(&self) -> Result<(), String> {
        let dictionary = atd::names_of::<T>();
        has_all(&dictionary, self.0).then_some(()).ok_or_else(|| format!("{:?}", self.0))
    }
}

#[test]
fn names_from_the_types() {
    for_each_dump(|file, names| {
        let (folder, name) = file.split_once('/').unwrap();
        if matches!(folder, "typed" | "data") {
            assert_eq!(with_type(fixture::type_of(name), &OwnNames(names)), Ok(()), "{file}");
        }
    });
}
