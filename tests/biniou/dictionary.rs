//! Names of hashes: from words, from ATD, whose grammar is checked, and of Rust types.

use fourfold::biniou::{Dictionary, ErrorKind, hash};

/// What is wrong, and in which line.
fn refusal(atd: &str) -> (String, usize) {
    let error = Dictionary::from_atd(atd).unwrap_err();
    assert_eq!(error.offset(), None);
    match error.kind() {
        ErrorKind::Dictionary { what, line } => (what.clone(), *line),
        _ => panic!("{atd}: {error}"),
    }
}

#[test]
fn what_is_no_atd_is_refused_with_its_line() {
    for (atd, what, line) in [
        ("typ t = int", "expected `type`, found `typ`", 1),
        ("type t int", "expected `=` behind the name of a type, found `int`", 1),
        ("\ntype 'a = int", "expected the name of a type, found `=`", 2),
        ("type (t) u = int", "expected a type parameter, found `t`", 1),
        ("type ('a t = int", "expected `)` behind type parameters, found `t`", 1),
        ("type t =\n\n;", "expected a type, found `;`", 3),
        ("type t = \"int\"", "expected a type, found a string", 1),
        ("type t = type u = int", "expected a type, found `type`", 1),
        ("type t = of", "expected a type, found `of`", 1),
        ("type t = inherit", "expected a type, found `inherit`", 1),
        ("type t =", "expected a type, found the end", 1),
        ("type 'a t u = 'b", "expected `=` behind the name of a type, found `u`", 1),
        ("type t = [ | lower ]", "expected the name of a variant, found `lower`", 1),
        ("from a as 'b import c", "expected the name of a module, found a type parameter", 1),
        ("from a\nimports c", "expected `import`, found `imports`", 2),
        ("type t = § ", "no token begins with '§'", 1),
        ("type t = int\n(* (* *) no end", "comment without an end", 2),
        ("type t = int <doc text=\"no\n end", "string without an end", 1),
        ("\ntype t = int <doc", "annotation without an end", 2),
    ] {
        assert_eq!(refusal(atd), (what.to_owned(), line), "{atd}");
    }
    let deep = format!("type t = {}int{}", "(".repeat(300), ")".repeat(300));
    assert_eq!(refusal(&deep).0, "types nest deeper than 256 levels");
}

#[test]
fn imports_and_parameters_have_no_names() {
    let atd = r#"
        <doc text="a module">
        from other.module <ocaml from="x"> as short import one, 'a two <a>, ('a, 'b) three
        from more import four
        (* a comment (* in a comment *) with a "string *)" in it *)
        type ('a, 'b) pair = { first : 'a; ~second : 'b list <ocaml repr="array">; ?third : int option }
        type 'a choice = [ Left of 'a | Right <json name="r"> | inherit (pair) ]
    "#;
    // After `inherit` there is a type, whose names are already known.
    let names = Dictionary::from_atd(atd).unwrap();
    let mut found: Vec<&str> = names.names().collect();
    found.sort_unstable();
    assert_eq!(found, ["Left", "Right", "first", "second", "third"]);
    assert_eq!((names.len(), names.is_empty()), (5, false));
    assert_eq!(names.name(hash("third")), Some("third"));
    assert_eq!(names.name(hash("four")), None);
}

#[test]
fn an_empty_text_has_no_names() {
    for names in [Dictionary::from_atd("").unwrap(), Dictionary::from_words("\n\n").unwrap()] {
        assert_eq!((names.len(), names.is_empty()), (0, true));
    }
}

/// Two names with one hash are ambiguous.
#[test]
fn of_two_names_with_one_hash_none_is_collected() {
    #[derive(serde::Deserialize)]
    #[allow(dead_code)]
    struct Both {
        azdwbie: u8,
        c7diagq: u8,
        other: u8,
    }

    assert_eq!(hash("azdwbie"), hash("c7diagq"));
    let names = Dictionary::of::<Both>();
    assert_eq!(names.names().collect::<Vec<_>>(), ["other"]);
    let mut all = Dictionary::from_words("azdwbie").unwrap();
    all.merge(&names).unwrap();
    let error = all.insert("c7diagq").unwrap_err();
    match error.kind() {
        ErrorKind::Collision { first, second, hash: found } => {
            let found = (first.as_str(), second.as_str(), *found);
            assert_eq!(found, ("azdwbie", "c7diagq", hash("azdwbie")));
        }
        _ => panic!("{error}"),
    }
    assert_eq!(all.len(), 2);
}

/// All nested types of a type are visited, whatever they are in.
#[test]
fn the_names_of_a_type_are_found_in_all_that_it_holds() {
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

    let names = Dictionary::of::<All>();
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
