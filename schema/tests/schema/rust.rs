//! Rust types generated from `.mol` schemas: their text, their bytes, and that the schema generated from them is equal.
//!
//! `UPDATE=1 cargo test -p fourfold-schema --test schema` writes the files in `made/` and `tests/ckb/types.rs` again.

use std::fmt::Write as _;
use std::{env, fs};

use fourfold::molecule;
use fourfold_schema::mol::{Mismatches, Schema};
use fourfold_schema::{RustBytes, RustOptions};
use serde::Deserialize;

use crate::fixture::{Fixtures, unhex};
use crate::made;

const FIXTURES: Fixtures = Fixtures("molecule");

const SCHEMAS: &str = "../tests/fixtures/molecule/schemas";

/// The schemas whose Rust types are in `made/`; `blockchain.mol` is what `extensions.mol` imports.
const NAMES: [&str; 5] = ["extensions", "lab", "protocols", "spec", "types"];

fn schema(name: &str) -> Schema {
    Schema::from_file(format!("{SCHEMAS}/{name}.mol")).unwrap()
}

/// Asserts that a file has this text; with `UPDATE`, writes the file.
pub(crate) fn keep(path: &str, text: &str) {
    if env::var_os("UPDATE").is_some() {
        return fs::write(path, text).unwrap();
    }
    let kept = fs::read_to_string(path).unwrap_or_default();
    assert_eq!(kept, text, "{path} is not up to date: run this test with UPDATE=1");
}

/// The names of the types in a text, in order.
pub(crate) fn declared(text: &str) -> Vec<&str> {
    let name = |line: &'_ str| -> Option<usize> {
        ["pub struct ", "pub enum ", "pub type "]
            .iter()
            .find_map(|it| line.strip_prefix(it))
            .map(str::len)
    };
    let lines = text.lines().filter_map(|line| name(line).map(|left| &line[line.len() - left..]));
    lines
        .map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap())
        .collect()
}

/// Whether a type is an integer in Rust.
fn is_integer(name: &str) -> bool {
    let bits = name.strip_prefix("Uint").or_else(|| name.strip_prefix("Int"));
    bits.is_some_and(|bits| matches!(bits, "16" | "32" | "64" | "128"))
}

#[test]
fn generated_types_are_those_in_the_files() {
    let mut all = String::new();
    for name in NAMES {
        let schema = schema(name);
        let text = schema.to_rust(&RustOptions::new());
        keep(&format!("tests/schema/made/{name}.rs"), &text);
        let names: Vec<&str> = schema.types().map(|ty| ty.name()).collect();
        let own: Vec<&str> = names.into_iter().filter(|name| !is_integer(name)).collect();
        let types = declared(&text);
        assert_eq!(own.len(), types.len(), "{name}");
        let pairs = own.iter().zip(types).map(|(own, ty)| format!("    {own:?} {ty}\n"));
        let pairs: String = pairs.collect();
        let mut files = vec![name.to_owned()];
        if name == "lab" {
            files.push("lab_newtypes".to_owned());
            let text = schema.to_rust(&RustOptions::new().with_newtypes());
            assert!(!text.replace("with::array", "").contains("with::"), "{text}");
            keep("tests/schema/made/lab_newtypes.rs", &text);
        }
        for file in files {
            let constant = file.to_uppercase();
            writeln!(all, "pub(crate) const {constant}: Types = types! {{ {file}\n{pairs}}};")
                .unwrap();
        }
    }
    keep("tests/schema/made/list.in", &all);
    let options = RustOptions::new().with_type("Bool", "bool").with_bytes_module("super::hex");
    keep("../tests/ckb/types.rs", &schema("extensions").to_rust(&options));
    for (name, bytes) in [("borrowed", RustBytes::Borrowed), ("cow", RustBytes::Cow)] {
        let text = schema("blockchain").to_rust(&RustOptions::new().with_bytes(bytes));
        keep(&format!("tests/schema/made/{name}.rs"), &text);
    }
}

/// Functions that check a type against a schema, generate its schema, and read and write its bytes.
type Checked = (
    fn(&Schema, &str) -> Result<(), Mismatches>,
    fn() -> Result<Schema, Mismatches>,
    fn(&[u8]) -> molecule::Result<Vec<u8>>,
);

pub(crate) type Types = &'static [(&'static str, Checked)];

#[test]
fn generated_types_match_their_schemas() {
    let mut count = 0;
    for (name, types) in made::all() {
        let schema = schema(name);
        for (ty, (check, ..)) in types {
            if let Err(mismatches) = check(&schema, ty) {
                panic!("{name}, {ty}:\n{mismatches}");
            }
            count += 1;
        }
    }
    assert!(count > 150, "{count} types");
}

#[test]
fn values_are_read_and_written_again() {
    #[derive(Deserialize)]
    struct Case {
        r#type: String,
        hex: String,
    }

    let mut count = 0;
    for (name, types) in made::all() {
        for case in FIXTURES.json::<Vec<Case>>(&format!("values/{name}.json")) {
            let (_, ty) = case.r#type.split_once('.').unwrap();
            // Integers have no type of their own.
            let Some((_, (.., again))) = types.iter().find(|(it, _)| *it == ty) else { continue };
            let bytes = unhex(&case.hex).unwrap();
            assert_eq!(again(&bytes).unwrap(), bytes, "{name}, {ty}");
            count += 1;
        }
    }
    assert!(count > 900, "{count} values");
}

/// Up to the order of types and comments.
#[test]
fn schemas_of_generated_types_are_equal_to_the_original() {
    for (name, types) in made::all() {
        let schema = schema(name);
        for (ty, (_, schema_of, _)) in types {
            let made = schema_of().unwrap_or_else(|errors| panic!("{name}, {ty}:\n{errors}"));
            assert_eq!(made.types().last().unwrap().name(), *ty, "{name}:\n{made}");
            for part in made.types() {
                let written = schema.get(part.name());
                let written = written.unwrap_or_else(|| panic!("{name}, {ty}: {}", part.name()));
                let line = crate::molecule::line;
                assert_eq!(line(part), line(written), "{name}, {ty}");
            }
        }
    }
}

#[test]
fn each_kind_of_type_is_generated() {
    let schema = Schema::parse(
        "array Uint32 [byte; 4]; array Uint8 [byte; 1]; array signature [byte; 65];
         array Points [Point; 3]; struct Point { x: Uint32, y: Uint32, }
         vector Bytes <byte>; vector PointVec <Point>; vector names <Bytes>; vector BytesVec <Bytes>;
         vector BytesVecVec <BytesVec>; option PointVecOpt (PointVec); option Maybe (Point);
         # All that is known.
         table all { type: PointVecOpt, self: Maybe, codeHash: signature, code_hash: names, crate: BytesVecVec, }
         union Plain { Point, all, }
         union Numbered { Point: 7, all, }
         table Vec { string: Bytes, }",
    );
    let text = schema.unwrap().to_rust(&RustOptions::new());
    assert_eq!(
        text,
        r#"use fourfold::molecule::with;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Uint8(pub [u8; 1]);

#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[serde(rename = "signature")]
pub struct Signature(#[serde(with = "with::array")] pub [u8; 65]);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Points(pub [Point; 3]);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "struct.Point")]
pub struct Point {
    pub x: u32,
    pub y: u32,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "fixvec.Bytes")]
pub struct Bytes(pub Vec<u8>);

pub type PointVec = with::FixVec<Vec<Point>>;

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename = "dynvec.names")]
pub struct Names(pub Vec<Bytes>);

pub type BytesVec = with::DynVec<Vec<Bytes>>;
pub type BytesVecVec = with::DynVec<Vec<with::DynVec<Vec<Bytes>>>>;
pub type PointVecOpt = Option<with::FixVec<Vec<Point>>>;

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct Maybe(pub Option<Point>);

/// All that is known.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename = "all")]
pub struct All {
    #[serde(with = "with::fixvec")]
    pub r#type: Option<Vec<Point>>,
    #[serde(rename = "self")]
    pub self_: Maybe,
    #[serde(rename = "codeHash")]
    pub code_hash: Signature,
    #[serde(rename = "code_hash")]
    pub code_hash2: Names,
    #[serde(rename = "crate", with = "with::dynvec")]
    pub crate_: Vec<with::DynVec<Vec<Bytes>>>,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub enum Plain {
    Point(Point),
    All(All),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename = "union.Numbered.Point-7.All-8")]
pub enum Numbered {
    Point(Point),
    All(All),
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename = "Vec")]
pub struct Vec_ {
    pub string: Bytes,
}
"#
    );
}

/// Where types without newtypes need a `with` module on a field, in an option or around the items of a vector.
#[test]
fn newtypes_have_the_marks_of_fields() {
    let schema = Schema::parse(
        "array Byte33 [byte; 33]; vector Byte33Vec <Byte33>; vector Bytes <byte>;
         vector BytesVec <Bytes>; option BytesVecOpt (BytesVec); vector BytesVecVec <BytesVec>;
         # What is left.
         vector BytesVecOptVec <BytesVecOpt>;
         table T { a: BytesVec, b: BytesVecOpt, c: BytesVecVec, d: BytesVecOptVec, e: Byte33Vec, }
         union U { BytesVec, BytesVecOpt, }",
    );
    let options = RustOptions::new().with_newtypes().with_bytes(RustBytes::Cow).with_derives([]);
    assert_eq!(
        schema.unwrap().to_rust(&options),
        r#"use fourfold::molecule::with;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

#[derive(Serialize, Deserialize)]
pub struct Byte33(#[serde(with = "with::array")] pub [u8; 33]);

#[derive(Serialize, Deserialize)]
#[serde(rename = "fixvec.Byte33Vec")]
pub struct Byte33Vec(pub Vec<Byte33>);

#[derive(Serialize, Deserialize)]
#[serde(rename = "fixvec.Bytes")]
pub struct Bytes<'a>(#[serde(borrow)] pub Cow<'a, [u8]>);

#[derive(Serialize, Deserialize)]
#[serde(rename = "dynvec.BytesVec")]
pub struct BytesVec<'a>(#[serde(borrow)] pub Vec<Bytes<'a>>);

pub type BytesVecOpt<'a> = Option<BytesVec<'a>>;

#[derive(Serialize, Deserialize)]
#[serde(rename = "dynvec.BytesVecVec")]
pub struct BytesVecVec<'a>(#[serde(borrow)] pub Vec<BytesVec<'a>>);

/// What is left.
#[derive(Serialize, Deserialize)]
#[serde(rename = "dynvec.BytesVecOptVec")]
pub struct BytesVecOptVec<'a>(#[serde(borrow)] pub Vec<Option<BytesVec<'a>>>);

#[derive(Serialize, Deserialize)]
pub struct T<'a> {
    #[serde(borrow)]
    pub a: BytesVec<'a>,
    #[serde(borrow)]
    pub b: Option<BytesVec<'a>>,
    #[serde(borrow)]
    pub c: BytesVecVec<'a>,
    #[serde(borrow)]
    pub d: BytesVecOptVec<'a>,
    pub e: Byte33Vec,
}

#[derive(Serialize, Deserialize)]
pub enum U<'a> {
    #[serde(borrow)]
    BytesVec(BytesVec<'a>),
    #[serde(borrow)]
    BytesVecOpt(Option<BytesVec<'a>>),
}
"#
    );
}

/// The documentation of the only type in the text, line by line.
pub(crate) fn docs(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.trim_start().strip_prefix("///")).collect()
}

/// Control characters are replaced, and direction marks removed, which rustc refuses in comments.
#[test]
fn comments_become_docs_that_rustc_takes() {
    let made = |comment: &str| {
        let schema = Schema::parse(&format!("/* {comment} */ table T {{ }}")).unwrap();
        schema.to_rust(&RustOptions::new())
    };
    assert_eq!(docs(&made("one\rtwo\u{7}\u{85}\tthree")), [" one two three"]);
    let turned =
        "\u{202a}a\u{202b}b\u{202c}c\u{202d}d\u{202e}e\u{2066}f\u{2067}g\u{2068}h\u{2069}i";
    assert_eq!(docs(&made(turned)), [" abcdefghi"]);
}

/// rustdoc would compile it as a test.
#[test]
fn code_blocks_of_comments_are_removed() {
    let made = |comment: &str| {
        let schema = Schema::parse(&format!("/* {comment} */ table T {{ }}")).unwrap();
        schema.to_rust(&RustOptions::new())
    };
    for fence in [
        "```",
        "````text",
        "~~~",
        "~~~ ```",
        "> ```",
        ">~~~",
        "- ```",
        "* ~~~",
        "+ ```",
        "1. ```",
        "23) ~~~",
        "> - 1. > ```rust",
        "- [ ] ```",
        "[^note]: ```",
        "\u{202a}-\u{85}```",
    ] {
        assert_eq!(docs(&made(&format!("one\n{fence}\ntwo"))), [" one", " two"], "{fence}");
    }
    let text = "```x``` is code,\nas is - ```x```,\nand so ```\n-     no code\n\t> \t\t\tnor here";
    let lines =
        [" ```x``` is code,", " as is - ```x```,", " and so ```", " - no code", " > nor here"];
    assert_eq!(docs(&made(text)), lines);
}

/// Types nested 20,000 levels deep.
#[test]
fn types_of_deep_schemas_are_generated() {
    let mut text = String::from("vector T0 <byte>;\n");
    for number in 1..20_000 {
        writeln!(text, "option T{number} (T{});", number - 1).unwrap();
    }
    let text = Schema::parse(&text).unwrap().to_rust(&RustOptions::new());
    assert!(text.ends_with("pub struct T19999(pub Option<T19998>);\n"));
    let mut text = String::from("vector Bytes <byte>;\n");
    let mut name = String::from("Bytes");
    for _ in 0..1_000 {
        writeln!(text, "option {name}Opt ({name});").unwrap();
        name += "Opt";
    }
    let text = Schema::parse(&text).unwrap().to_rust(&RustOptions::new());
    assert!(text.ends_with(&format!("= {}Bytes{};\n", "Option<".repeat(1_000), ">".repeat(1_000))));
}

const CELL: &str = "array Uint64 [byte; 8];
array Byte32 [byte; 32];
vector Bytes <byte>;
vector BytesVec <Bytes>;
option ScriptOpt (Script);
table Script { code_hash: Byte32, hash_type: byte, args: Bytes, }
struct OutPoint { tx_hash: Byte32, index: Uint64, }
vector OutPoints <OutPoint>;
table CellOutput { capacity: Uint64, lock: Script, type_: ScriptOpt, points: OutPoints, notes: BytesVec, }
union Thing { Script, CellOutput: 4, }
";

const DRAWING: &str = r#"type shape = [ Empty | Named of string | Group of shape list | Over of (shape * shape) ]
type drawing = {
  title : string;
  shapes : shape list;
  ~tags <ocaml default="[\"a\"; \"b\"]"> : string list;
  ?next : drawing option;
}
"#;

/// The files in `tests/no_std` are compiled there, without the standard library; by `.ci/run` also for RISC-V and WebAssembly.
#[test]
fn text_without_the_standard_library_has_all_names_from_alloc() {
    let options = RustOptions::new().without_std();
    let cow = options.clone().with_bytes(RustBytes::Cow);
    let newtypes = options.clone().with_newtypes();
    let cell = Schema::parse(CELL).unwrap();
    let drawing = fourfold_schema::atd::Schema::parse(DRAWING).unwrap();
    for (name, text) in [
        ("cell", cell.to_rust(&options)),
        ("cell_cow", cell.to_rust(&cow)),
        ("cell_newtypes", cell.to_rust(&newtypes)),
        ("drawing", drawing.to_rust(&options).unwrap()),
        ("drawing_cow", drawing.to_rust(&cow).unwrap()),
        ("drawing_newtypes", drawing.to_rust(&newtypes).unwrap()),
    ] {
        keep(&format!("../tests/no_std/src/made/{name}.rs"), &text);
        assert!(text.starts_with("extern crate alloc;\n\n#[allow(unused_imports)]\nuse alloc::"));
        assert!(!text.contains("use std::"), "{text}");
    }
}
