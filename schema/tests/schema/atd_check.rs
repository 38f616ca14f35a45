//! Rust types checked against `.atd` schemas: matching types pass, and mismatches are reported. Schemas generated from
//! Rust types are accepted by OCaml.

#[path = "atd_check/made.rs"]
mod made;
#[path = "atd_check/mutated.rs"]
mod mutated;

use std::fmt::Debug;

use fourfold::biniou;
use fourfold::biniou::with::{Float32, Int8, Int16, Svint, Table, Uvint};
use fourfold_schema::atd::{self, Mismatches, Schema};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub(crate) use self::made::described;
use crate::ocaml_types::fixture::FIXTURES;
use crate::ocaml_types::{Test, with_type};

/// The schemas of the fixtures, with their names.
fn written() -> Vec<(String, Schema)> {
    let names = FIXTURES.names("schemas", "atd");
    let schema = |name: String| {
        let schema = Schema::parse(&FIXTURES.text(&format!("schemas/{name}.atd"))).unwrap();
        (name, schema)
    };
    names.into_iter().map(schema).collect()
}

/// Runs a test for each type of the fixtures' schemas; returns their number.
fn for_each_type<T: Test>(test: impl Fn(String, Schema) -> T) -> usize {
    let mut count = 0;
    for (file, schema) in written() {
        for ty in schema.types() {
            let name = ty.name().unwrap().to_owned();
            with_type(&format!("{file}.{name}"), &test(name, schema.clone())).unwrap();
            count += 1;
        }
    }
    count
}

struct Checked(String, Schema);

impl Test for Checked {
    fn run<T: Serialize + DeserializeOwned + PartialEq + Debug>(&self) -> Result<(), String> {
        let Checked(name, schema) = self;
        schema.check::<T>(name).map_err(|mismatches| format!("{name}:\n{mismatches}"))?;
        atd::check::<T>().into_result().map_err(|mismatches| format!("{name}:\n{mismatches}"))
    }
}

#[test]
fn types_of_the_fixtures_match_their_schemas() {
    assert_eq!(for_each_type(Checked), 103);
}

fn check<T: DeserializeOwned>(schema: &str, name: &str, expected: &[&str]) {
    let schema = Schema::parse(schema).unwrap();
    let found = schema.check::<T>(name).map_or_else(|error| error.to_string(), |()| String::new());
    let found: Vec<&str> = found.lines().collect();
    assert_eq!(found, expected);
}

/// A struct of which only the type is used.
macro_rules! holder {
    ($name:ident { $($(#[$attribute:meta])* $field:ident: $type:ty),* $(,)? }) => {
        #[derive(Deserialize)]
        #[allow(dead_code, reason = "only its type is used")]
        struct $name {
            $($(#[$attribute])* $field: $type,)*
        }
    };
}

#[test]
fn mismatches_name_the_fix() {
    let int = |repr: &str| format!("type t = int <biniou repr=\"{repr}\">");
    let mark_with = |wants: &str, is: &str, mark: &str| {
        format!("the schema has {wants}, the type is {is}: mark it with `biniou::with::{mark}`")
    };
    check::<u32>("type t = int", "t", &[&mark_with("an svint", "a uvint", "svint")]);
    check::<i32>(&int("uvint"), "t", &[&mark_with("a uvint", "an svint", "uvint")]);
    check::<u8>(&int("int8"), "t", &[&mark_with("an int8", "a uvint", "int8")]);
    check::<Int8<u16>>(&int("int16"), "t", &[&mark_with("an int16", "an int8", "int16")]);
    check::<char>(
        "type t = int <ocaml repr=\"char\"> <biniou repr=\"int8\">",
        "t",
        &[&mark_with("an int8", "a string", "char")],
    );
    check::<Int16<i32>>(
        "type t = int <ocaml repr=\"int32\"> <biniou repr=\"int32\">",
        "t",
        &[&mark_with("an int32", "an int16", "int32")],
    );
    check::<i64>(
        "type t = int <ocaml repr=\"int64\"> <biniou repr=\"int64\">",
        "t",
        &[&mark_with("an int64", "an svint", "int64")],
    );
    check::<f64>(
        "type t = float <biniou repr=\"float32\">",
        "t",
        &[&mark_with("a float32", "a float64", "float32")],
    );
    let float = "the schema has a float64, the type is a float32: make it an `f64` without a mark";
    check::<f32>("type t = float", "t", &[float]);
    check::<Float32<f64>>("type t = float", "t", &[float]);
    check::<Vec<i64>>(
        "type t = int option list",
        "t",
        &["[]: the schema has an option, the type is an svint: make it an `Option`"],
    );
    check::<Option<Vec<u8>>>(
        "type t = string",
        "t",
        &["the schema has a string, the type is an option: make it no `Option`"],
    );
    check::<[i64; 3]>(
        "type t = int list",
        "t",
        &["the schema has a list, the type is a tuple of 3 cells: make it a `Vec`"],
    );
    check::<Vec<i64>>(
        "type t = (int * int)",
        "t",
        &["the schema has a tuple of 2 cells, the type is a list: make it a tuple"],
    );
    check::<(i64, Svint<u8>, i8)>(
        "type t = (int * int)",
        "t",
        &["the schema has a tuple of 2 cells, the type is a tuple of 3 cells"],
    );
    check::<std::rc::Rc<str>>(
        "type t = string",
        "u",
        &["the schema has no type `u` (there is only `t`)"],
    );
    check::<std::collections::BTreeMap<u8, (i8, Uvint<i8>)>>(
        "type t = (string * (int * int)) list <json repr=\"object\">",
        "t",
        &[
            "[].0: the schema has a string, the type is a uvint",
            &format!("[].1.1: {}", mark_with("an svint", "a uvint", "svint")),
        ],
    );
}

holder! { Row { x: i64, y: i64 } }
holder! { Turned { y: i64, x: i64 } }
holder! { Wide { x: i64, y: i64, z: u8 } }
holder! { Narrow { y: f32 } }

#[test]
fn records_are_compared_by_the_names_of_fields() {
    let schema = "type row = { x : int; y : int } type rows = row list <ocaml repr=\"array\"> <biniou repr=\"table\">";
    check::<Row>(schema, "row", &[]);
    check::<Turned>(schema, "row", &["the fields are in another order: their order is x, y"]);
    check::<Wide>(schema, "row", &["z: the schema has no such field"]);
    check::<Narrow>(
        schema,
        "row",
        &["field `x` is missing: add x", "y: the schema has an svint, the type is a float32"],
    );
    check::<Table<Vec<Row>>>(schema, "rows", &[]);
    check::<Table<[Row; 2]>>(schema, "rows", &[]);
    check::<Vec<Row>>(
        schema,
        "rows",
        &["the schema has a table, the type is a list: mark it with `biniou::with::table`"],
    );
    let list = "type row = { x : int; y : int } type rows = row list";
    check::<Table<Vec<Row>>>(
        list,
        "rows",
        &["the schema has a list, the type is a table: leave out the mark `table`"],
    );
}

holder! { Plain { a: Option<i64>, b: i64, c: Option<String> } }
holder! { Loose {
    #[serde(with = "biniou::with::optional", default)] a: Option<i64>,
    #[serde(default)] b: i64,
    #[serde(with = "biniou::with::optional", default)] c: Option<String>,
} }
holder! { Strict {
    #[serde(with = "biniou::with::optional")] a: Option<i64>,
    b: i64,
    #[serde(default)] c: Option<String>,
} }

/// A field that the schema may leave out needs a default in Rust, and the reverse.
#[test]
fn fields_that_only_one_side_may_leave_out_are_reported() {
    let loose = "type t = { ?a : int option; ~b : int; ~c : string nullable }";
    let whole = "type t = { a : int option; b : int; c : string option }";
    let marked = "mark it with `biniou::with::optional`, and add `#[serde(default)]`";
    let a = format!("a: the schema leaves it out for `None`: {marked}");
    let b = "b: the schema may leave it out, the type refuses that: add `#[serde(default)]`";
    let c = "c: the schema does not leave it out for `None`: leave out the mark `optional`";
    check::<Plain>(loose, "t", &[&a, b]);
    check::<Loose>(loose, "t", &[c]);
    check::<Strict>(
        loose,
        "t",
        &[
            "a: is left out for `None`, and refused where it is not there: add `#[serde(default)]`",
            b,
        ],
    );
    check::<Plain>(whole, "t", &[]);
    check::<Loose>(whole, "t", &[&c.replace("c:", "a:"), c]);
    let bare = "type t = { ?a : int option; b : int; c : string option }";
    let other = "c: the schema has a string, the type is an option: make it no `Option`";
    check::<Plain>("type t = { a : int option; b : int; c : string }", "t", &[other]);
    check::<Plain>(bare, "t", &[&a]);
    holder! { NoOption { a: i64, b: i64, c: Option<String> } }
    check::<NoOption>(
        bare,
        "t",
        &[&format!("a: the schema leaves it out for `None`: make it an `Option`, {marked}")],
    );
}

#[derive(Deserialize)]
#[allow(dead_code, reason = "only its type is used")]
enum Shape {
    Empty,
    Circle(f64),
    Rect { width: f64, height: f64 },
    Pair(i64, u64),
    More(Box<Shape>),
}

#[test]
fn variants_are_compared_by_their_names() {
    let rect = "type rect = { width : float; height : float }";
    let same = "type shape = [ More of shape | Pair of (int * int <biniou repr=\"uvint\">) | Rect of rect \
                | Circle of float | Empty ]";
    check::<Shape>(&format!("{rect} {same}"), "shape", &[]);
    check::<Shape>(
        "type shape = [ Empty of unit | Circle | Pair of (int * int * int) | More of shape option | Other ]",
        "shape",
        &[
            "variant `Other` is missing: add Other",
            "Empty: the schema has a unit, the type no argument",
            "Circle: the schema has no argument, the type has one",
            "Rect: the schema has no such variant",
            "Pair: the schema has a tuple of 3 cells, the type is a tuple of 2 cells",
            "More: the schema has an option, the type is a sum type: make it an `Option`",
        ],
    );
}

/// Only the serialized name counts.
#[test]
fn aliases_of_fields_are_ignored() {
    #[derive(Deserialize)]
    #[allow(dead_code, reason = "only its type is used")]
    struct Person {
        #[serde(alias = "age", alias = "zeit")]
        years: i64,
        #[serde(default, alias = "called", rename = "name")]
        first: String,
    }
    check::<Person>("type t = { years : int; ~name : string }", "t", &[]);
    check::<Person>(
        "type t = { ~age : int; name : string }",
        "t",
        &["field `age` is missing: add age", "years: the schema has no such field"],
    );
    check::<Person>(
        "type t = { ~years : int; name : string }",
        "t",
        &["years: the schema may leave it out, the type refuses that: add `#[serde(default)]`"],
    );
    let made = atd::schema_of::<Person>().unwrap().to_string();
    assert_eq!(made, "type person = {\n  years : int;\n  ~name : string;\n}\n");
}

/// A mark is an attribute of a field, so each field without it is reported, also if others have the same type.
#[test]
fn each_field_of_the_same_type_is_reported() {
    #[derive(Deserialize)]
    #[allow(dead_code, reason = "only its type is used")]
    struct Two<T> {
        a: T,
        b: T,
    }
    #[derive(Deserialize)]
    #[allow(dead_code, reason = "only its type is used")]
    struct Pages {
        first: Two<u32>,
        second: Two<u32>,
        third: Two<Vec<u32>>,
    }
    #[derive(Deserialize)]
    #[allow(dead_code, reason = "only its type is used")]
    enum Item {
        One(Vec<u32>),
        Other(Vec<u32>),
        Record { a: Vec<u32>, b: Vec<u32> },
        Pair(Vec<u32>, Vec<u32>),
    }
    #[derive(Deserialize)]
    #[allow(dead_code, reason = "only its type is used")]
    struct Tree {
        a: u32,
        b: u32,
        inside: Vec<Tree>,
        more: Vec<Tree>,
    }
    #[derive(Deserialize)]
    #[allow(dead_code, reason = "only its type is used")]
    struct Nested(Vec<Nested>, u32);

    let check = |ty: &str, result: Result<(), Mismatches>, paths: &[&str]| {
        let mismatches = result.expect_err("a mark is missing");
        let found: Vec<&str> = mismatches.iter().map(|mismatch| mismatch.path()).collect();
        assert_eq!(found, paths, "{ty}");
        let svint = "the schema has an svint, the type is a uvint";
        assert!(mismatches.iter().all(|it| it.message() == svint), "{mismatches}");
    };
    macro_rules! check {
        ($type:ty, $schema:literal, $paths:expr) => {
            let schema = Schema::parse(&format!("type t = {}", $schema)).unwrap();
            check($schema, schema.check::<$type>("t"), &$paths);
        };
    }
    check!(Two<u32>, "{ a : int; b : int }", ["a", "b"]);
    check!(Two<Vec<u32>>, "{ a : int list; b : int list }", ["a[]", "b[]"]);
    check!(Two<Option<u32>>, "{ a : int option; b : int option }", ["a", "b"]);
    check!(Two<UserId>, "{ a : int; b : int }", ["a", "b"]);
    check!(Two<(u32, u32)>, "{ a : (int * int); b : (int * int) }", ["a.0", "a.1", "b.0", "b.1"]);
    check!((Vec<u32>, Vec<u32>), "(int list * int list)", ["0[]", "1[]"]);
    check!(
        Two<std::collections::BTreeMap<u32, u32>>,
        "{ a : (int * int) list; b : (int * int) list }",
        ["a[].0", "a[].1", "b[].0", "b[].1"]
    );
    check!(
        Pages,
        "{ first : p; second : p; third : q } \
         type p = { a : int; b : int } type q = { a : int list; b : int list }",
        ["first.a", "first.b", "third.a[]", "third.b[]"]
    );
    check!(
        Item,
        "[ One of int list | Other of int list | Record of r | Pair of (int list * int list) ] \
         type r = { a : int list; b : int list }",
        ["One[]", "Other[]", "Record.a[]", "Record.b[]", "Pair.0[]", "Pair.1[]"]
    );
    check!(Tree, "{ a : int; b : int; inside : t list; more : t list }", ["a", "b"]);
    check!(Nested, "(t list * int)", ["1"]);
    check!(Two<Nested>, "{ a : n; b : n } type n = (n list * int)", ["a.1", "b.1"]);
}

fn refused(made: Result<Schema, Mismatches>) -> String {
    made.expect_err("no schema").to_string()
}

/// Rust types that a schema cannot express are reported with their path.
#[test]
fn types_without_a_schema_are_reported() {
    #[derive(Deserialize)]
    #[serde(tag = "kind", content = "value")]
    #[allow(dead_code, reason = "only its type is used")]
    enum Adjacent {
        One(u8),
        Two,
    }
    #[derive(Deserialize)]
    #[allow(dead_code, reason = "only its type is used")]
    enum Small {
        #[serde(rename = "small")]
        Small,
    }
    #[derive(Deserialize)]
    struct Empty {}
    #[derive(Deserialize)]
    #[serde(rename_all = "PascalCase")]
    #[allow(dead_code, reason = "only its type is used")]
    struct Whole {
        adjacent: Adjacent,
        small: Vec<Small>,
        one: (u8,),
        any: biniou::Value,
        empty: Option<Empty>,
        json: serde_json::Value,
    }
    let untyped = "calls `deserialize_any`, and biniou has no names and no maps: mark it `any` if it can be a struct, an enum or a map";
    assert_eq!(refused(atd::schema_of::<Whole>()), format!("Json: {untyped}"));
    #[derive(Deserialize)]
    #[allow(dead_code, reason = "only its type is used")]
    struct Rest {
        #[serde(rename = "Adjacent")]
        adjacent: Adjacent,
        small: Vec<Small>,
        one: (u8,),
        any: biniou::Value,
        r#type: u8,
        wide: [[[u8; 32]; 32]; 32],
        empty: Option<Empty>,
        shared: biniou::with::Shared<std::rc::Rc<String>>,
    }
    let lines = [
        "Adjacent: OCaml has no such name for a field: \
         rename it: fields begin with a small letter, have letters, digits and `_`, and are not `of`, `type` or `inherit`",
        "Adjacent.value: the type here depends on the tag of the enum, which a schema cannot express: \
         leave out `tag` and `content` of the enum",
        "small[].small: OCaml has no such name for a variant: \
         rename it: variants begin with a capital letter, and have letters, digits and `_`",
        "one: a tuple of OCaml has at least two cells",
        "any: any value may be here, which a schema cannot express",
        "type: OCaml has no such name for a field: \
         rename it: fields begin with a small letter, have letters, digits and `_`, and are not `of`, `type` or `inherit`",
        "wide: has too many cells for a tuple of OCaml: make it a `Vec`",
        "empty: a record of OCaml has at least one field",
        "shared: atdgen 2.10 has no shared types: leave out the mark `shared`",
    ];
    assert_eq!(refused(atd::schema_of::<Rest>()), lines.join("\n"));
}

#[derive(Deserialize)]
#[allow(dead_code, reason = "only its type is used")]
struct UserId(u32);

#[derive(Deserialize)]
#[allow(dead_code, reason = "only its type is used")]
struct List(Vec<(UserId, Option<List>)>);

#[derive(Deserialize)]
#[serde(rename = "table.HTTPRows")]
#[allow(dead_code, reason = "only its type is used")]
struct Rows(Vec<Row>);

#[derive(Deserialize)]
#[serde(rename = "option")]
#[allow(dead_code, reason = "only its type is used")]
struct Choice {
    r#method: char,
    method_: bool,
    rows: Rows,
    shape: Shape,
    list: List,
    page: Page<u8>,
    other: Page<Vec<bool>>,
}

#[derive(Deserialize)]
#[allow(dead_code, reason = "only its type is used")]
struct Page<T> {
    items: Vec<T>,
    #[serde(default)]
    total: Option<T>,
}

/// Each Rust type with a name has a unique name in the schema.
#[test]
fn names_follow_the_rules_of_ocaml() {
    let schema = atd::schema_of::<Vec<Choice>>().unwrap();
    let expected = "\
type row = {
  x : int;
  y : int;
}

type http_rows = row list <ocaml repr=\"array\"> <biniou repr=\"table\">

type shape_rect = {
  width : float;
  height : float;
}

type shape = [
  | Empty
  | Circle of float
  | Rect of shape_rect
  | Pair of (int * int <biniou repr=\"uvint\">)
  | More of shape
]

type user_id = int <biniou repr=\"uvint\">

type list_ = (user_id * list_ option) list

type page = {
  items : int <biniou repr=\"uvint\"> list;
  total : int <biniou repr=\"uvint\"> option;
}

type page2 = {
  items : bool list list;
  total : bool list option;
}

type option_ = {
  method <ocaml name=\"method__\"> : string;
  method_ : bool;
  rows : http_rows;
  shape : shape;
  list : list_;
  page : page;
  other : page2;
}

type t = option_ list
";
    assert_eq!(schema.to_string(), expected);
}
