//! Rust types generated from `.atd` schemas: their text, and that they read and write the bytes of OCaml.
//!
//! `UPDATE=1 cargo test -p fourfold-schema --test schema` writes the files in `made/atd/` again.

use std::fmt::Write as _;

use fourfold::biniou::{Result, from_slice, to_vec};
use fourfold_schema::atd::{Error, Mismatches, Schema, Type};
use fourfold_schema::{RustBytes, RustOptions};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::atd_check::described;
use crate::fixture::Fixtures;
use crate::made::atd as made;
use crate::rust::{declared, keep};
use crate::values::make;

const FIXTURES: Fixtures = Fixtures("biniou");

const NAMES: [&str; 4] = ["feat", "log", "mesh", "save"];

/// Functions of a generated type.
pub(crate) struct Made {
    /// Reads the bytes of a value and writes them again.
    pub(crate) again: fn(&[u8]) -> Result<Vec<u8>>,
    pub(crate) check: fn(&Schema, &str) -> Result<(), Mismatches>,
    pub(crate) schema: fn() -> Result<Schema, Mismatches>,
}

/// Types by their names in the schema.
pub(crate) type Types = &'static [(&'static str, Made)];

fn schema(name: &str) -> Schema {
    Schema::parse(&FIXTURES.text(&format!("schemas/{name}.atd"))).unwrap()
}

fn rust(schema: &str, options: &RustOptions) -> String {
    let schema = Schema::parse(schema).unwrap_or_else(|error| panic!("{error}\n{schema}"));
    schema.to_rust(options).unwrap()
}

#[test]
fn generated_types_are_those_in_the_files() {
    let mut all = String::new();
    for name in NAMES {
        let schema = schema(name);
        let text = schema.to_rust(&RustOptions::new()).unwrap();
        keep(&format!("tests/schema/made/atd/{name}.rs"), &text);
        let names: Vec<&str> = schema.types().filter_map(Type::name).collect();
        let types = declared(&text);
        assert_eq!(names.len(), types.len(), "{name}");
        let pairs = names.iter().zip(types).map(|(own, ty)| format!("    {own:?} {ty}\n"));
        let pairs: String = pairs.collect();
        let newtypes = schema.to_rust(&RustOptions::new().with_newtypes()).unwrap();
        keep(&format!("tests/schema/made/atd/{name}_newtypes.rs"), &newtypes);
        for file in [name.to_owned(), format!("{name}_newtypes")] {
            let constant = file.to_uppercase();
            writeln!(all, "pub(crate) const {constant}: Types = types! {{ {file}\n{pairs}}};")
                .unwrap();
        }
    }
    keep("tests/schema/made/atd/list.in", &all);
    for (name, schema) in [("forms", FORMS), ("defaults", DEFAULTS), ("boxes", &boxes())] {
        let text = rust(schema, &RustOptions::new());
        keep(&format!("tests/schema/made/atd/{name}.rs"), &text);
        let text = rust(schema, &RustOptions::new().with_newtypes());
        assert!(!text.contains("with"), "{text}");
        keep(&format!("tests/schema/made/atd/{name}_newtypes.rs"), &text);
    }
}

/// A record without its defaulted fields. Its type is also the row of a table, so it is written with all fields.
const ROWS: [&str; 1] = ["typed/feat.empty_defaults-nothing_set"];

#[test]
fn bytes_of_ocaml_are_read_and_written_again() {
    let mut count = 0;
    for folder in ["typed", "data"] {
        for file in FIXTURES.names(folder, "biniou") {
            let path = format!("{folder}/{file}");
            let (schema, name) = file.split_once('-').unwrap().0.split_once('.').unwrap();
            let bytes = FIXTURES.bytes(&format!("{path}.biniou"));
            for (_, types) in made::all().into_iter().filter(|(it, _)| *it == schema) {
                let again = types.iter().find(|(it, _)| *it == name).unwrap().1.again;
                let written = again(&bytes).unwrap_or_else(|error| panic!("{path}: {error}"));
                match ROWS.contains(&&*path) {
                    true => assert_ne!(written, bytes, "{path}"),
                    false => assert_eq!(written, bytes, "{path}"),
                }
                assert_eq!(again(&written).unwrap(), written, "{path}");
                count += 1;
            }
        }
    }
    // Types with `with` modules, and types with newtypes.
    assert_eq!(count, 2 * 157);
}

/// From a schema to Rust and back. Aliases are no types in Rust, and what only OCaml uses is lost: wraps, code for
/// defaults, lists as arrays.
#[test]
fn schemas_of_generated_types_are_equal_to_the_original() {
    let mut count = 0;
    for (name, types) in made::all() {
        let written = schema(name);
        for (name, Made { check, schema, .. }) in types {
            let fail = |error: Mismatches| panic!("{name}:\n{error}");
            check(&written, name).unwrap_or_else(fail);
            let made = schema().unwrap_or_else(|error| panic!("{name}:\n{error}"));
            let root = made.types().last().unwrap();
            assert_eq!(described(root), described(written.get(name).unwrap()), "{name}:\n{made}");
            check(&made, root.name().unwrap()).unwrap_or_else(fail);
            count += 1;
        }
    }
    assert_eq!(count, 2 * 103);
}

/// Kinds of types that the fixtures do not have.
const FORMS: &str = r#"
type byte = int <biniou repr="int8">
type 'a page = { items : 'a list; ~next : 'a page option; kind : [ A | B of 'a ] }
type pages = { ints : int page; more : int page list; bytes : byte page; lists : string list page }
type ('a, 'b) either = [ Left of 'a | Right of 'b ]
type choice = (string, (byte * float)) either
type marks = {
    bytes : byte list; pair : (byte * byte); mixed : (byte * string); ?maybe : byte option;
    deep : byte option list; self : (int <ocaml repr="char"> <biniou repr="int8">) list;
    rows : row list <ocaml repr="array"> <biniou repr="table">;
    tables : row list <ocaml repr="array"> <biniou repr="table"> list;
}
type row = { r : int; ~left_out : int }
type none = row phantom type 'a phantom = { ~left_out : int } type unused = none list <ocaml repr="array"> <biniou repr="table"> phantom
type 'a named = { codeHash : 'a; code_hash : int; type_ : (); crate : unit; x' : (int *) }
type any_named = byte named
type some_ = [ Some_ of { x : int } | Other of some_ named ] <ocaml repr="classic">
type hidden = { inner : { a : int; b : { c : float } } list }
type sum = [ Some_ of (int * <ocaml default="7"> : int) | None_ | V'1 | Mark of byte | Both of (byte * string) | Kept of pair ]
type pair = (int * int)
type long = (int * int * int * int * int * int * int * int * int * int * int * int * int)
type loop = (string * loop) list
type left = { right : right } type right = { ?left : left option; both : [ Nothing | Left of left ] }
type vec <doc text="Is {{code}} \\{{ not,\rnor \xe2\x80\xaehere."> = { string <doc text="A field."> : string } <ocaml field_prefix="v_">
"#;

/// Defaults as OCaml has them.
const DEFAULTS: &str = r#"
type color = [ Red | Green <ocaml name="Verde"> | Gray of int ]
type tuple = (int * <ocaml default="3"> : int * <ocaml default="\"x\""> : string)
type t = {
    ~a <ocaml default="-1"> : int;
    ~b <ocaml default="(0x1F_0)"> : int <biniou repr="int16">;
    ~c <ocaml default="5l"> : int <ocaml repr="int32"> <biniou repr="int32">;
    ~d <ocaml default="'a'"> : int <ocaml repr="char"> <biniou repr="int8">;
    ~e <ocaml default="1e3"> : float;
    ~f <ocaml default="true"> : bool;
    ~g <ocaml default="\"a\\\"b\\n\\xe2\\x80\\xae\""> : string;
    ~h <ocaml default="[1; 2]"> : int list;
    ~i <ocaml default="Some 3"> : int <biniou repr="int8"> option;
    ~j <ocaml default="`Verde"> : color;
    ~k <ocaml default="(1, (\"x\", None))"> : (int * (string * int option));
    ~l <ocaml default="0"> : int;
    ~m <ocaml default="[||]"> : int list <ocaml repr="array">;
    ~n <ocaml default="f\r()"> : int;
    ~o <ocaml default="`Green"> : color;
    ~p <ocaml default="256"> : int <biniou repr="int8">;
    ~q <ocaml default="\"1\""> : int wrap <ocaml t="string" wrap="string_of_int" unwrap="int_of_string">;
    ~r <ocaml default="1"> : float;
    ~s <ocaml default="(1, 2, \"y\")"> : tuple;
    ~u : unit;
    ~v : int64;
}
type is = { ~default <ocaml default="5"> : int }
type int64 = int <ocaml repr="int64"> <biniou repr="int64">
"#;

/// A missing field gets the default of the schema, and is left out again where OCaml leaves it out.
#[test]
fn defaults_are_those_of_the_schema() {
    let schema = Schema::parse(DEFAULTS).unwrap();
    let required = r#"{"d":98,"h":[5],"i":"None","k":[0,["","None"]],"n":1,"o":"Green","p":1,"q":2,"r":1.5,"s":[1]}"#;
    let bytes = make(&schema, required, "t").unwrap();
    let value: made::defaults::T = from_slice(&bytes).unwrap();
    assert_eq!(
        format!("{value:?}"),
        "T { a: -1, b: 496, c: 5, d: 'b', e: 1000.0, f: true, g: \"a\\\"b\\n\\u{202e}\", h: [5], i: None, \
         j: Green, k: (0, (\"\", None)), l: 0, m: [], n: 1, o: Green, p: 1, q: 2, r: 1.5, \
         s: Tuple(1, 3, \"x\"), u: (), v: 0 }",
    );
    let written = r#"{"c":5,"d":98,"e":1000.0,"g":"a\"b\n\u202e","h":[5],"i":"None","k":[0,["","None"]],
        "n":1,"o":"Green","p":1,"q":2,"r":1.5,"s":[1,3,"x"],"v":"0"}"#;
    assert_eq!(to_vec(&value).unwrap(), make(&schema, written, "t").unwrap());
    let error = from_slice::<made::defaults::T>(&make(&schema, "[1]", "tuple").unwrap());
    assert!(error.is_err());
    let short = make(&schema, "[4]", "tuple").unwrap();
    let tuple: made::defaults::Tuple = from_slice(&short).unwrap();
    assert_eq!(format!("{tuple:?}"), "Tuple(4, 3, \"x\")");
}

/// Types with `with` modules and types with newtypes write the same bytes: from messages without defaulted fields, with
/// other values, and with the defaults written out.
#[test]
fn newtypes_have_the_same_defaults() {
    let schema = Schema::parse(DEFAULTS).unwrap();
    let required = r#""h":[],"k":[0,["","None"]],"n":1,"o":"Green","q":2,"r":1.5,"s":[1]"#;
    for json in [
        r#""d":98,"i":"None","p":1"#,
        r#""b":0,"c":0,"d":0,"i":"None","p":0,"v":"-1""#,
        r#""b":496,"c":5,"d":97,"i":["Some",3],"p":255,"v":"0""#,
    ] {
        let json = &format!("{{{json},{required}}}");
        let bytes = make(&schema, json, "t").unwrap();
        let value: made::defaults::T = from_slice(&bytes).unwrap();
        let newtypes: made::defaults_newtypes::T = from_slice(&bytes).unwrap();
        assert_eq!(to_vec(&newtypes).unwrap(), to_vec(&value).unwrap(), "{json}");
        // Other formats see the content of a newtype.
        let [newtypes, value] = [json_of(&newtypes), json_of(&value)];
        assert_eq!(newtypes, value);
    }
}

fn json_of(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap()
}

/// Types that contain themselves, with defaults: the box is around the field, or in its type.
fn boxes() -> String {
    format!(
        r#"
type sum = [ A | B of sum_r ] type sum_r = {{ ~sum <ocaml default="`A"> : sum; name : string }}
type r_sum = {{ ~sum <ocaml default="`A"> : sum_of_r; name : string }} type sum_of_r = [ A | B of r_sum ]
type none = none option type none_r = {{ ~none : none }}
type empty = empty list type empty_r = {{ ~empty : empty }}
type 'a deep = 'a{} type deep_a = {{ y : deep_r deep }} type deep_r = {{ ~x : deep_r deep }}
type opt = in_opt option type in_opt = [ A | B of opt_r ]
type opt_r = {{ ~none : opt; ~no <ocaml default="None"> : opt }}
type of_opt = [ A | B of of_opt_r ] type of_opt_opt = of_opt option
type of_opt_r = {{ ~none : of_opt_opt }}
"#,
        " option".repeat(48),
    )
}

/// A box does not change which fields are left out.
#[test]
fn defaults_in_boxes_are_those_of_the_schema() {
    fn check<T: Serialize + DeserializeOwned>(name: &str, json: &str, written: &str) {
        let schema = Schema::parse(&boxes()).unwrap();
        let value: T = from_slice(&make(&schema, json, name).unwrap()).unwrap();
        let bytes = to_vec(&value).unwrap();
        assert_eq!(bytes, make(&schema, written, name).unwrap(), "{name}: {json}");
    }
    use made::boxes::{DeepR, EmptyR, NoneR, OfOptR, OptR, RSum, SumR};
    use made::boxes_newtypes as newtypes;
    check::<newtypes::SumR>("sum_r", r#"{"name":"x"}"#, r#"{"name":"x"}"#);
    check::<newtypes::OptR>("opt_r", "{}", "{}");
    for json in [r#"{"name":"x"}"#, r#"{"sum":["B",{"name":"y"}],"name":"x"}"#] {
        check::<SumR>("sum_r", json, json);
        check::<RSum>("r_sum", json, json);
    }
    for json in ["{}", r#"{"none":["Some","None"]}"#] {
        check::<NoneR>("none_r", json, json);
    }
    for json in ["{}", r#"{"empty":[[]]}"#] {
        check::<EmptyR>("empty_r", json, json);
    }
    for json in ["{}", r#"{"x":["Some","None"]}"#] {
        check::<DeepR>("deep_r", json, json);
    }
    check::<OptR>("opt_r", "{}", "{}");
    check::<OfOptR>("of_opt_r", "{}", "{}");
}

#[test]
fn types_without_a_rust_type_are_refused_with_their_position() {
    let refusal = |schema: &str| -> Error {
        Schema::parse(schema).unwrap().to_rust(&RustOptions::new()).unwrap_err()
    };
    for (schema, text, line) in [
        (
            "type t = {\n x : int;\n y : abstract list }",
            "the content of `abstract` is defined in OCaml: name a Rust type for it at line 3, column 2",
            " y : abstract list }",
        ),
        (
            "type a = abstract",
            "the content of `abstract` is defined in OCaml: name a Rust type for it at line 1, column 6",
            "type a = abstract",
        ),
        (
            "type t = [ A | B of t wrap ]\ntype u = u wrap wrap",
            "type is defined by itself at line 2, column 6",
            "type u = u wrap wrap",
        ),
    ] {
        let error = refusal(schema);
        assert_eq!((error.to_string().as_str(), error.line()), (text, line));
    }
    // An unused type with a parameter has no Rust type.
    let unused = Schema::parse("type 'a p = { x : abstract }").unwrap();
    assert_eq!(unused.to_rust(&RustOptions::new()).unwrap(), "");
    let chosen = RustOptions::new().with_type("abstract", "crate::Mine");
    // No alias is declared for a type that the options replace.
    let named = Schema::parse("type a = abstract type n = int type t = { x : a; y : n }").unwrap();
    let text = named.to_rust(&chosen.clone().with_type("int", "i32")).unwrap();
    assert!(
        text.contains("pub x: crate::Mine,\n    pub y: i32,") && !text.contains("pub type"),
        "{text}"
    );
    let schema = Schema::parse("type t = abstract list").unwrap();
    assert_eq!(schema.to_rust(&chosen).unwrap(), "pub type T = Vec<crate::Mine>;\n");
}

#[test]
fn options_select_user_types_and_borrowed_strings() {
    let schema = r#"
        type id = int <biniou repr="int64"> <ocaml repr="int64">
        type note = { id : id; ids : id list; ?text : string option; ~next : note option; size : int }
        type notes = note list
        type size = { size : int }
    "#;
    let options = RustOptions::new().with_type("id", "Id").with_type("int", "u16");
    let options = options.with_bytes(RustBytes::Cow).with_derives(["Debug"]);
    assert_eq!(
        rust(schema, &options),
        r#"use fourfold::biniou::with;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

#[derive(Serialize, Deserialize, Debug)]
pub struct Note<'a> {
    pub id: Id,
    pub ids: Vec<Id>,
    #[serde(borrow, with = "with::optional", default)]
    pub text: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub next: Option<Box<Note<'a>>>,
    pub size: u16,
}

pub type Notes<'a> = Vec<Note<'a>>;

#[derive(Serialize, Deserialize, Debug)]
pub struct Size {
    pub size: u16,
}
"#
    );
    // As they are called in OCaml, and as bytes.
    let options = RustOptions::new().with_type("string", "serde_bytes::ByteBuf");
    assert_eq!(rust("type s = string list", &options), "pub type S = Vec<serde_bytes::ByteBuf>;\n");
}

/// A newtype is named after its definition or, without one, after its field or variant.
#[test]
fn newtypes_have_the_marks_of_fields() {
    let schema = r#"
        type byte = int <biniou repr="int8">
        type optional = { ?byte : byte option; ?name : string option }
        type rows = optional list <ocaml repr="array"> <biniou repr="table">
        type other = [ Wide of int <biniou repr="int16"> | Rows of rows | Both of (byte * byte list) ]
        type t = { ~first : byte; ~list : byte list; second_Byte : byte; others : rows; free : byte2 }
        type byte2 = byte
    "#;
    let options = RustOptions::new().with_newtypes().with_bytes(RustBytes::Cow);
    let options = options.with_derives(["Debug", "Default"]);
    assert_eq!(
        rust(schema, &options),
        r#"use serde::{Deserialize, Serialize};
use std::borrow::Cow;

#[derive(Serialize, Deserialize, Debug, Default)]
#[serde(rename = "int8.Byte")]
pub struct Byte(pub u8);

#[derive(Serialize, Deserialize, Debug, Default)]
#[serde(rename = "optional")]
pub struct Optional2<'a> {
    #[serde(default)]
    pub byte: Optional<Byte>,
    #[serde(borrow, default)]
    pub name: Optional<Cow<'a, str>>,
}

#[derive(Serialize, Deserialize, Debug, Default)]
#[serde(rename = "table.Rows")]
pub struct Rows<'a>(#[serde(borrow)] pub Vec<Optional2<'a>>);

#[derive(Serialize, Deserialize, Debug, Default)]
pub enum Other<'a> {
    Wide(OtherWide),
    Rows(#[serde(borrow)] Rows<'a>),
    Both(Byte, Vec<Byte>),
}

#[derive(Serialize, Deserialize, Debug, Default)]
#[serde(rename = "int16.OtherWide")]
pub struct OtherWide(pub u16);

#[derive(Serialize, Deserialize, Debug, Default)]
pub struct T<'a> {
    #[serde(default = "t_first", skip_serializing_if = "is_t_first")]
    pub first: Byte,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub list: Vec<Byte>,
    #[serde(rename = "second_Byte")]
    pub second_byte: Byte,
    #[serde(borrow)]
    pub others: Rows<'a>,
    pub free: Byte,
}

pub type Byte2 = Byte;

/// A field that is left out for `None`.
#[derive(Serialize, Deserialize, Debug)]
#[serde(rename = "optional.Optional")]
pub struct Optional<T>(pub Option<T>);

impl<T> Default for Optional<T> {
    fn default() -> Self {
        Optional(None)
    }
}

fn t_first() -> Byte {
    Byte(0)
}

fn is_t_first(value: &Byte) -> bool {
    matches!(value, Byte(0))
}
"#
    );
}

/// Deeply nested schemas, and short schemas of which much code is generated.
#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn hostile_schemas_end() {
    let chain = |first: &str, each: &str| {
        (1..20_000).fold(format!("type t0 = {first}\n"), |text, at| {
            text + &each.replace("NEW", &format!("t{at}")).replace("OLD", &format!("t{}", at - 1))
        })
    };
    let instances = (1..300).fold("type 'a p0 = 'a list\n".to_owned(), |text, at| {
        text + &format!("type 'a p{at} = 'a list p{}\n", at - 1)
    });
    let doubled = (1..17).fold("type 'a p0 = ('a * 'a)\n".to_owned(), |text, at| {
        text + &format!("type 'a p{at} = ('a p{0} * 'a p{0})\n", at - 1)
    });
    let each = |one: &str| -> String {
        (0..20_000).map(|at| one.replace("AT", &at.to_string())).collect()
    };
    let schemas = [
        chain("int <biniou repr=\"int8\">", "type NEW = OLD list\n"),
        chain("int", "type NEW = (OLD * OLD)\n"),
        chain("int <biniou repr=\"int8\">", "type NEW = (OLD * OLD)\n"),
        chain("int", "type NEW = { x : OLD; ?y : NEW option }\n"),
        chain("t19999 list", "type NEW = OLD option\n"),
        format!("{instances} type t = int p299"),
        format!("{doubled} type t = int p16"),
        format!("type t = int{}", " list".repeat(200)),
        format!("type t = ({} int)", "int * ".repeat(50_000)),
        format!("type t = ({} int)", "[ A ] * ".repeat(50_000)),
        format!("type t = {{ {} }}", each("fAT : [ A of t | B ];")),
        format!(
            "type s = [ {} ] type r = {{ {} }}",
            each("| VAT "),
            each("~fAT <ocaml default=\"V9\"> : s;")
        ),
    ];
    let options = [RustOptions::new(), RustOptions::new().with_newtypes()];
    let all =
        schemas.iter().enumerate().flat_map(|it| options.iter().map(move |options| (it, options)));
    for ((number, schema), options) in all {
        let text = rust(schema, options);
        assert!(text.len() < 60 * schema.len().max(1_000), "{number}: {} bytes", text.len());
        let longest = text.lines().map(str::len).max().unwrap();
        assert!(longest < 400, "{number}: {longest} letters in a line");
    }
}
