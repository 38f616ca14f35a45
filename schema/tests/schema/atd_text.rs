//! `.atd` schemas printed as text: it is parsed as the same types, and atdgen generates the same OCaml code.

use std::fmt::Write as _;

use fourfold_schema::atd::{Schema, Shape, Type};

use crate::fixture::Fixtures;
use crate::{atd, atdgen, random};

const FIXTURES: Fixtures = Fixtures("biniou");

/// All types of a schema as text.
fn types(schema: &Schema) -> String {
    let mut text = String::new();
    for ty in schema.types() {
        writeln!(text, "{:?} {:?} = {}", ty.name(), ty.docs(), content(ty, 0)).unwrap();
    }
    text
}

/// The content of a type. Nested types are written by their name, or else by their content, which may be recursive.
fn content(ty: Type<'_>, depth: usize) -> String {
    let part = |ty: Type<'_>| match ty.location() {
        Some(_) => ty.name().unwrap().to_owned(),
        None if depth > 4 => format!("{ty:?}"),
        None => content(ty, depth + 1),
    };
    let parts = |parts: Vec<String>| parts.join("; ");
    match ty.shape() {
        Shape::Record(fields) => parts(
            fields
                .iter()
                .map(|field| {
                    let (name, json, docs) = (field.name(), field.json_name(), field.docs());
                    format!("{name} {json} {docs} {:?} {}", field.presence(), part(field.ty()))
                })
                .collect(),
        ),
        Shape::Sum(variants) => parts(
            variants
                .iter()
                .map(|variant| {
                    let (name, json, docs) = (variant.name(), variant.json_name(), variant.docs());
                    format!("{name} {json} {docs} {:?}", variant.argument().map(part))
                })
                .collect(),
        ),
        Shape::Tuple(cells) => parts(
            cells.iter().map(|cell| format!("{:?} {}", cell.default(), part(cell.ty()))).collect(),
        ),
        Shape::List(item) => format!("list of {}", part(item)),
        Shape::Object(item) => format!("object of {}", part(item)),
        Shape::Table(item) => format!("table of {}", part(item)),
        Shape::Option(item) => format!("option of {}", part(item)),
        Shape::Nullable(item) => format!("nullable of {}", part(item)),
        // One that wraps itself comes to no end.
        Shape::Wrap(_) => "wrap".to_owned(),
        shape => format!("{shape:?}"),
    }
}

/// Prints a schema, parses the text, and compares. Returns the text.
fn check(text: &str) -> Option<String> {
    let schema = Schema::parse(text).ok()?;
    let written = schema.to_string();
    let again = Schema::parse(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
    assert_eq!(again.to_string(), written, "{text}");
    assert_eq!(types(&again), types(&schema), "{text}\n{written}");
    Some(written)
}

#[test]
fn schemas_are_printed_in_one_form() {
    for (text, expected) in [
        ("(* nothing *)", ""),
        ("<doc text=\"a\"><x>(**)", "<doc text=\"a\"> <x>\n"),
        ("<doc text=\"a\"> type t=int", "<doc text=\"a\">\n\ntype t = int\n"),
        ("type t=int type\nu =t", "type t = int\n\ntype u = t\n"),
        ("type t = ()", "type t = ()\n"),
        ("type t = (int *)", "type t = (int)\n"),
        ("type t = (:int*<x>:int)", "type t = (int * <x> : int)\n"),
        ("type t = []", "type t = []\n"),
        (
            "type t <ocaml attr = \"a\"> = [A]<json open_enum>",
            "type t <ocaml attr=\"a\"> = [\n  | A\n] <json open_enum>\n",
        ),
        (
            "type ('a,'b) p = ('a*'b) type t = (int list,[A|B of{x:int}]<ocaml repr=\"classic\">) p list",
            "type ('a, 'b) p = ('a * 'b)\n\ntype t = (int list, [\n  | A\n  | B of {\n    x : int;\n  }\n] \
             <ocaml repr=\"classic\">) p list\n",
        ),
        (
            "type r = { ?x:int option;~y<ocaml default=\"1\">:int<biniou repr=\"int8\">;inherit s } type s={z:unit}",
            "type r = {\n  ?x : int option;\n  ~y <ocaml default=\"1\"> : int <biniou repr=\"int8\">;\n  \
             inherit s;\n}\n\ntype s = {\n  z : unit;\n}\n",
        ),
        (
            "type 'a t = [ inherit u | B<ocaml name=\"C\">of 'a ] type u = [ A ] <x a.b=\"c\" d>",
            "type 'a t = [\n  | inherit u\n  | B <ocaml name=\"C\"> of 'a\n]\n\ntype u = [\n  | A\n] \
             <x a.b=\"c\" d>\n",
        ),
        (
            "type t = int <doc text='\"\\\\\\'\\n\\r\\t\\b\\000\\x7f\\xffé\\\n   e'>",
            "type t = int <doc text=\"\\\"\\\\'\\n\\r\\t\\b\\x00\\x7f\\xffée\">\n",
        ),
    ] {
        assert_eq!(check(text).unwrap_or_else(|| panic!("{:?}", Schema::parse(text))), expected);
    }
}

#[test]
fn printed_schemas_are_parsed_as_the_same_types() {
    let fixtures = FIXTURES.names("schemas", "atd");
    assert_eq!(fixtures.len(), 4);
    let texts = fixtures.iter().map(|name| FIXTURES.text(&format!("schemas/{name}.atd")));
    for text in texts.chain(atd::TAKEN.iter().map(|text| (*text).to_owned())) {
        let written = check(&text).unwrap_or_else(|| panic!("{text}"));
        if atdgen::is_installed() {
            assert_eq!(atdgen::ocaml(&written), atdgen::ocaml(&text), "{written}");
            assert!(atdgen::ocaml(&text).is_some(), "{text}");
        }
    }
}

/// Random schemas with comments and blanks between all tokens.
#[test]
fn random_schemas_are_printed_and_parsed_again() {
    let mut written = 0;
    random::check("atd texts", 1_000, atdgen::schema, |_, text| {
        written += usize::from(check(&text).is_some());
    });
    assert!(written > 300, "{written} written");
    if !atdgen::is_installed() {
        return;
    }
    let mut compared = 0;
    random::check("OCaml of atd texts", 100, atdgen::schema, |_, text: String| {
        let Some(written) = check(&text) else { return };
        compared += 1;
        assert_eq!(atdgen::ocaml(&written), atdgen::ocaml(&text), "{text}\n{written}");
    });
    assert!(compared > 30, "{compared} compared");
}
