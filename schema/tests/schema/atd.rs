//! `.atd` schemas: the types that are parsed, and the errors with their positions.

use fourfold_schema::atd::{CommonKind, ErrorKind, Int, Presence, Schema, Shape, Type};

use crate::atdgen;

/// Schemas that atdgen refuses, the error, and where it is.
const REFUSED: &[(&str, &str, u32, u32)] = &[
    ("type t = itn", "there is no type `itn`", 1, 10),
    ("typ t = int", "expected `type`, found `typ`", 1, 1),
    ("type t = int\ntype t = unit", "type `t` is declared twice, first at line 1, column 6", 2, 6),
    ("type int = t", "`int` is the name of a type that is always there", 1, 6),
    ("type end = int", "`end` is a keyword of OCaml", 1, 6),
    ("type t = { x : int; val : int }", "`val` is a keyword of OCaml", 1, 21),
    ("type t = int\r", "no token begins with '\\r'", 1, 13),
    ("type _ = int", "no token begins with '_'", 1, 6),
    ("type t = ' x y'", "expected a type, found a string", 1, 10),
    ("type t = int <doc text=\"\\q\">", "no escape of a string", 1, 25),
    ("type t = int <doc text=\"\\256\">", "no escape of a string", 1, 25),
    ("type t = int <doc", "annotation without an end", 1, 14),
    ("type t = int <doc text=\"", "string without an end", 1, 24),
    ("(* (* *)", "comment without an end", 1, 1),
    ("from a import b", "atdgen 2.10 has no imports", 1, 1),
    ("type t = a.b", "atdgen 2.10 has no imports", 1, 11),
    ("type t = (int, int) list", "`list` takes 1 type and is given 2", 1, 21),
    ("type t = list", "`list` takes 1 type and is given 0", 1, 10),
    ("type 'a p = 'a type t = (int, int) p", "`p` takes 1 type and is given 2", 1, 36),
    ("type t = 'a", "there is no type parameter `'a`", 1, 10),
    ("type 'a t = 'a <x>", "expected `type`, found `<`", 1, 16),
    ("type t = [ A | A ]", "`A` is there twice", 1, 16),
    ("type t = { x : int; x : int }", "`x` is there twice", 1, 21),
    ("type a = [A] type t = { inherit a }", "only a record can be inherited here", 1, 23),
    ("type 'a t = { inherit 'a }", "only a record can be inherited here", 1, 13),
    ("type a = { inherit b }\ntype b = { inherit a }", "type is defined by itself", 1, 10),
    ("type t = t", "type is defined by itself", 1, 10),
    ("type 'a t = 'a t", "type is defined by itself", 1, 13),
    ("type a = b type b = a", "type is defined by itself", 1, 10),
    (
        "type 'a t = { x : 'a list t option }",
        "types with parameters come to no end, or to more than 262224 types",
        1,
        13,
    ),
    ("type t = { }", "a record has one field at least", 1, 10),
    ("type t = [ A of { x : int } ]", "a record in a polymorphic variant needs a name", 1, 17),
    ("type t = int <biniou repr=\"int9\">", "annotation <biniou repr> has no such value", 1, 22),
    ("type t = int <biniou repr>", "annotation <biniou repr> has no value", 1, 22),
    (
        "type t = int <biniou repr=\"int8\" repr=\"int8\">",
        "annotation <biniou repr> is there twice",
        1,
        34,
    ),
    ("type t <biniou repr=\"int8\"> = int", "annotation <biniou repr> means nothing here", 1, 16),
    (
        "type t = int <biniou repr=\"int32\">",
        "<biniou repr=\"int32\"> also requires <ocaml repr=\"int32\">",
        1,
        10,
    ),
    (
        "type t = int <ocaml repr=\"int64\">",
        "<ocaml repr=\"int64\"> also requires <biniou repr=\"int64\">",
        1,
        10,
    ),
    (
        "type t = int <ocaml repr=\"char\">",
        "<ocaml repr=\"char\"> also requires <biniou repr=\"int8\">",
        1,
        10,
    ),
    (
        "type t = int <ocaml repr=\"float\">",
        "biniou has no integers for <ocaml repr=\"float\">",
        1,
        10,
    ),
    ("type t = int list <biniou repr=\"table\">", "a table is a list of records", 1, 10),
    ("type t = int shared", "atdgen 2.10 has no shared types", 1, 10),
    ("type t = { ?x : int }", "a `?` field is an option or nullable", 1, 13),
    (
        "type t = { ~x : (int * int) }",
        "this `~` field needs a default: `<ocaml default=\"..\">`",
        1,
        13,
    ),
    ("type t = { x <ocaml default=\"1\"> : int }", "only a `~` field has a default", 1, 21),
    (
        "type t = { x : int } <ocaml repr=\"object\">",
        "records that are objects in OCaml are not read",
        1,
        10,
    ),
    (
        "type t = int wrap <ocaml wrap=\"f\">",
        "a wrapped type needs `t`, `wrap` and `unwrap`",
        1,
        10,
    ),
    (
        "<doc text=\"{{\"> type t = int",
        "annotation <doc text> opens code with {{ that it does not close",
        1,
        6,
    ),
    (
        "type t <doc text=\"a\"> = int <doc text=\"b\">",
        "annotation <doc text> is there twice",
        1,
        34,
    ),
    (
        "type t = { azdwbie : int; c7diagq : int }",
        "`azdwbie` and `c7diagq` have the same hash, #6c312372; rename one of them",
        1,
        27,
    ),
    ("type t <ocaml predef=\"no\"> = int", "annotation <ocaml predef> has no such value", 1, 15),
    ("type a = int type t = { inherit a }", "only a record can be inherited here", 1, 23),
    (
        "type 'a p = 'a list\ntype t = int p <biniou repr=\"table\">",
        "a table is a list of records",
        1,
        13,
    ),
];

#[test]
fn schemas_that_atdgen_refuses_are_refused_with_their_position() {
    for (text, kind, line, column) in REFUSED {
        let error = Schema::parse(text).expect_err(text);
        let at = error.location().expect("a place");
        let found = (error.kind().to_string(), at.line(), at.column());
        assert_eq!(found, ((*kind).to_owned(), *line, *column), "{text}");
    }
    if atdgen::is_installed() {
        let (taken, _) = atdgen::verdicts(REFUSED.iter().map(|(text, ..)| *text));
        assert_eq!(taken, Vec::<&str>::new(), "atdgen takes these");
    }
}

/// Unusual text that atdgen accepts.
pub(crate) const TAKEN: &[&str] = &[
    "",
    "(* \"*)\" (* *) it's *)",
    "<doc text=\"a {{b}} \\\\{{ c\">",
    "type t = ()",
    "type t = (int *)",
    "type t = (: int * <x> : int)",
    "type t = []",
    "type _a' = int type __ = _a'",
    "type t = { x : { y : int }; }",
    "type t = [ A of { y : int } ] <ocaml repr=\"classic\">",
    "type t = t wrap",
    "type t = { x : abstract } type u = abstract",
    "type t = foo <biniou repr=\"bogus\"> type foo = int",
    "type t = int list <json repr=\"bogus\">",
    "type a = { x : int } type b = { inherit a; inherit a; x : string }",
    "type ('a, 'b) p = ('a * 'b) type t = (int list, [ A | B ]) p list",
    "type 'a t = [ Leaf of 'a | Node of ('a t * 'a t) ] type u = int t",
    "type t = int <doc text='A \"b\" \\x41\\065\\n'>",
];

#[test]
fn unusual_schemas_are_accepted() {
    for text in TAKEN {
        Schema::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
    if atdgen::is_installed() {
        let (official, refused) = atdgen::verdicts(TAKEN.iter().copied());
        assert_eq!(official.len(), TAKEN.len(), "{refused:?}");
    }
}

fn shape<'s>(schema: &'s Schema, name: &str) -> Shape<'s> {
    schema.get(name).unwrap_or_else(|| panic!("no type {name}")).shape()
}

#[test]
fn types_have_the_content_of_the_text() {
    let schema = Schema::parse(
        "type t <doc text=\"the type\"> = {
            plain <json name=\"p\"> <doc text=\"a field\"> : int;
            ?maybe : text option;
            ~some <ocaml default=\"7\"> : int <biniou repr=\"int8\">;
            ~many : t list;
        }
        type text = string
        type 'a page = { inherit t; items : 'a list; plain : 'a }
        type pages = text page list <ocaml repr=\"array\"> <biniou repr=\"table\">
        type base = [ A | B of (int * <ocaml default=\"1\"> : int) ]
        type sum = [ inherit base | C <json name=\"c\"> of sum option | A of unit ]",
    )
    .unwrap();
    let names: Vec<_> = schema.types().map(|ty| ty.name().unwrap()).collect();
    assert_eq!(names, ["t", "text", "pages", "base", "sum"]);
    assert!(schema.get("page").is_none() && schema.get("u").is_none());
    assert_eq!(shape(&schema, "int"), Shape::Int(Int::Svint));
    assert_eq!(schema.get("int").unwrap().location(), None);

    let t = schema.get("t").unwrap();
    assert_eq!(
        (t.docs(), t.location().unwrap().to_string()),
        ("the type", "line 1, column 6".into())
    );
    let Shape::Record(fields) = t.shape() else { panic!("{t:?}") };
    assert_eq!(format!("{fields:?}"), "[plain: int, maybe: text option, some: int, many: t list]");
    let plain = fields.get(0).unwrap();
    assert_eq!((plain.json_name(), plain.docs()), ("p", "a field"));
    assert_eq!(plain.location().to_string(), "line 2, column 13");
    let presences: Vec<_> = fields.iter().map(|field| field.presence().clone()).collect();
    let default = Presence::Default(Some("7".into()));
    assert_eq!(
        presences,
        [Presence::Required, Presence::Optional, default, Presence::Default(None)]
    );
    assert_eq!(fields.get(2).unwrap().ty().shape(), Shape::Int(Int::Int8));

    let Shape::Table(row) = shape(&schema, "pages") else { panic!("no table") };
    let Shape::Record(fields) = row.shape() else { panic!("{row:?}") };
    // The last of two fields with one name counts.
    let expected = "[maybe: text option, some: int, many: t list, items: text list, plain: text]";
    assert_eq!((row.name(), format!("{fields:?}").as_str()), (None, expected));

    let Shape::Sum(variants) = shape(&schema, "sum") else { panic!("no sum") };
    assert_eq!(format!("{variants:?}"), "[B of tuple, C of sum option, A of unit]");
    assert_eq!(variants.get(1).unwrap().json_name(), "c");
    let Some(Shape::Tuple(cells)) = variants.get(0).unwrap().argument().map(Type::shape) else {
        panic!("no tuple")
    };
    assert_eq!((cells.len(), cells.least()), (2, 1));
}

/// Each is parsed or refused in bounded time, with an error of one line. Others are in `hostile`.
#[test]
fn hostile_schemas_end() {
    const MANY: usize = if cfg!(debug_assertions) { 40_000 } else { 200_000 };
    let diamond = (1..80).fold("type a0 = { x : int }".to_owned(), |text, at| {
        let before = at - 1;
        format!("{text} type a{at} = {{ inherit a{before}; inherit a{before} }}")
    });
    let pairs = (1..80).fold("type 'a p0 = ('a * 'a)".to_owned(), |text, at| {
        format!("{text} type 'a p{at} = ('a p{} * 'a p{}) p0", at - 1, at - 1)
    });
    let aliases = (0..MANY / 5).fold(String::new(), |text, at| {
        text + &format!("type t{at} = t{} type r{at} = {{ ?x : t0 }} ", at + 1)
    });
    let chain = (0..MANY / 5)
        .fold(String::new(), |text, at| text + &format!("type t{at} = {{ inherit t{} }} ", at + 1));
    let last = MANY / 5;
    let texts = [
        "type t = ".repeat(MANY),
        "(".repeat(MANY),
        format!("type t = int <doc text=\"{}", "{{".repeat(MANY)),
        format!("type t = int <doc text=\"{}\">", "{{{}}}".repeat(MANY)),
        format!("type t = {{ {} }}", "x : int; ".repeat(MANY)),
        format!("{diamond} type 'a e = {{ x : 'a list e }}"),
        pairs,
        format!("{aliases} type t{last} = int option"),
        format!("{chain} type t{last} = {{ x : int }}"),
        format!("{chain} type t{last} = t0"),
        format!("type ({} 'z) t = int", "'a, ".repeat(MANY)),
        "type 'a t = 'a list t list".to_owned(),
        "type ('a, 'b) t = { x : ('b list, 'a) t option }".to_owned(),
    ];
    for (number, text) in texts.iter().enumerate() {
        if let Err(error) = Schema::parse(text) {
            let shown = error.to_string();
            assert!(shown.len() < 400 && !shown.contains('\n'), "{number}: {shown}");
        }
    }
}

#[test]
fn files_are_named_in_errors() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.atd");
    let error = Schema::from_file(&path).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Common(CommonKind::Unreadable { .. })), "{error}");
    std::fs::write(&path, "type t = u").unwrap();
    let error = Schema::from_file(&path).unwrap_err();
    assert_eq!(error.location().unwrap().file(), path.to_str());
    std::fs::write(&path, "type t = int").unwrap();
    assert_eq!(Schema::from_file(&path).unwrap().types().count(), 1);
}
