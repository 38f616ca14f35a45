//! Record batches written to files: bytes that are read and written again are the same.

mod official;
mod refused;

use fourfold::biniou::ChunkWriter;
use fourfold_tables::{Form, Options, Schema, Strings, Sums, Table, WideNumbers};

/// The bytes of a file after reading and writing it in batches of two rows.
pub(super) fn again(
    schema: &Schema,
    name: &str,
    options: Options,
    bytes: &[u8],
    form: Form,
) -> Result<Vec<u8>, String> {
    let table = Table::with_options(schema, name, options.batch_rows(2));
    let table = table.map_err(|error| error.to_string())?;
    let mut writer = table.write(Vec::new(), form);
    for batch in table.read(bytes) {
        let batch = batch.map_err(|error| error.to_string())?;
        writer.write(&batch).map_err(|error| error.to_string())?;
    }
    writer.finish().map_err(|error| error.to_string())
}

/// All options for how types become columns.
pub(super) fn choices() -> Vec<Options> {
    let mut choices = Vec::new();
    for sums in [Sums::Struct, Sums::Union] {
        for strings in [Strings::Text, Strings::Bytes] {
            for wide in [WideNumbers::Text, WideNumbers::Bytes] {
                for recursion in [1, 2] {
                    let choice = Options::new().sums(sums).strings(strings).wide_numbers(wide);
                    choices.push(choice.recursion(recursion));
                }
            }
        }
    }
    choices
}

#[track_caller]
pub(super) fn assert_same(schema: &Schema, name: &str, bytes: &[u8], form: Form) {
    for options in choices() {
        let made = again(schema, name, options.clone(), bytes, form);
        assert_eq!(made.as_deref(), Ok(bytes), "{name} {form:?} {options:?}");
    }
}

/// Encodes JSON.
pub(super) fn make(schema: &Schema, json: &str, name: &str) -> Vec<u8> {
    let mut reader = serde_json::Deserializer::from_str(json);
    match schema {
        Schema::Biniou(schema) => schema.make(&mut reader, name).unwrap(),
        Schema::Molecule(schema) => schema.make(&mut reader, name).unwrap(),
        _ => panic!("there are two formats"),
    }
}

/// Rows in all forms of biniou. The type `rows` is a list of `row`; `page`, if defined, is a table of it.
#[track_caller]
fn assert_all_forms(text: &str, rows: &[&str]) {
    let schema = Schema::biniou(text).unwrap();
    for rows in [rows, &[]] {
        let list = format!("[{}]", rows.join(","));
        let bytes = make(&schema, &list, "rows");
        assert_same(&schema, "rows", &bytes, Form::List);
        assert_same(&schema, "row", &bytes, Form::List);
        if text.contains("type page =") {
            let bytes = make(&schema, &list, "page");
            assert_same(&schema, "page", &bytes, Form::Table);
            assert_same(&schema, "row", &bytes, Form::Table);
        }
        let mut values = Vec::new();
        let mut stream = ChunkWriter::new(Vec::new());
        if !rows.is_empty() {
            stream.write_chunk(&make(&schema, &list, "rows")).unwrap();
        }
        for row in rows {
            values.extend(make(&schema, row, "row"));
        }
        let stream = stream.finish().unwrap();
        for name in ["row", "rows"] {
            assert_same(&schema, name, &values, Form::Values);
            assert_same(&schema, name, &stream, Form::Stream);
        }
    }
}

#[test]
fn plain_values_of_biniou() {
    assert_all_forms(
        r#"
        type row = {
            u : unit; b : bool; i : int; f : float; s : string;
            n <json name="N"> : int <biniou repr="uvint">;
            i8 : int <biniou repr="int8">; i16 : int <biniou repr="int16">;
            i32 : int <ocaml repr="int32"> <biniou repr="int32">; i64 : int <ocaml repr="int64"> <biniou repr="int64">;
            c : int <ocaml repr="char"> <biniou repr="int8">;
            f32 : float <biniou repr="float32">;
            e : empty;
        }
        type empty = { inherit nothing }
        type nothing = { ?x : int option }
        type rows = row list
        type page = row list <biniou repr="table">
        "#,
        &[
            r#"{"u":null,"b":true,"i":-7,"f":1.5,"s":"a","N":9,"i8":255,"i16":65535,"i32":-1,
                "i64":"-9223372036854775808","c":7,"f32":0.1,"e":{}}"#,
            r#"{"u":null,"b":false,"i":4611686018427387903,"f":-0.0,"s":"","N":-1,"i8":0,"i16":0,
                "i32":2147483647,"i64":"9223372036854775807","c":0,"f32":-3.5,"e":{"x":3}}"#,
            r#"{"u":null,"b":false,"i":0,"f":1e300,"s":"ü","N":0,"i8":1,"i16":1,
                "i32":0,"i64":"0","c":1,"f32":1e30,"e":{}}"#,
        ],
    );
}

#[test]
fn options_and_what_may_be_missing() {
    assert_all_forms(
        r#"
        type row = {
            o : int option; n : int nullable; oo : int option option; no : string option nullable;
            u : unit option; ?a : int option; ?b : int option option; ?c : int nullable;
            ?d : unit option; ~e : int; ~g : int option; ~h : string list;
            on : int nullable option;
        }
        type rows = row list
        type page = row list <biniou repr="table">
        "#,
        &[
            r#"{"o":"None","n":null,"oo":"None","no":null,"u":"None","e":0,"g":"None","h":[],"on":"None"}"#,
            r#"{"o":["Some",1],"n":2,"oo":["Some","None"],"no":"None","u":["Some",null],
                "a":3,"b":"None","c":4,"d":null,"e":5,"g":["Some",6],"h":["x"],"on":["Some",null]}"#,
            r#"{"o":["Some",1],"n":2,"oo":["Some",["Some",7]],"no":["Some","s"],"u":["Some",null],
                "a":3,"b":["Some",8],"c":4,"e":0,"g":"None","h":[],"on":["Some",9]}"#,
        ],
    );
    // Missing fields of a RECORD.
    assert_all_forms(
        "type row = { i : int; ~e : int; ~g : int option; ~u : unit; ?d : unit option }
         type rows = row list",
        &[
            r#"{"i":1}"#,
            r#"{"i":2,"e":0}"#,
            r#"{"i":3,"g":"None"}"#,
            r#"{"i":4,"g":["Some",1],"u":null,"d":null}"#,
        ],
    );
}

#[test]
fn tuples_lists_and_maps_of_biniou() {
    assert_all_forms(
        r#"
        type row = {
            t : (int * string option);
            d : (int * <ocaml default="7"> : int * <ocaml default="None"> : int option);
            l : int list list; r : inner list; ta : inner list <biniou repr="table">;
            m : (string * int) list <json repr="object">;
            mo : (string * int option) list <json repr="object">;
            w : int wrap <ocaml module="M">;
        }
        type inner = { x : int; ?y : string option }
        type rows = row list
        type page = row list <biniou repr="table">
        "#,
        &[
            r#"{"t":[1,"None"],"d":[1],"l":[],"r":[],"ta":[],"m":{},"mo":{},"w":1}"#,
            r#"{"t":[1,["Some","s"]],"d":[1,2],"l":[[],[1,2]],"r":[{"x":1},{"x":2,"y":"z"}],
                "ta":[{"x":1},{"x":2,"y":"z"}],"m":{"a":1,"b":2},"mo":{"c":"None","d":["Some",4]},"w":2}"#,
            r#"{"t":[1,"None"],"d":[1,2,"None"],"l":[[3]],"r":[],"ta":[{"x":5}],"m":{"a":1},"mo":{},"w":3}"#,
            r#"{"t":[1,"None"],"d":[1,2,["Some",3]],"l":[[3]],"r":[],"ta":[{"x":5}],"m":{"a":1},"mo":{},"w":3}"#,
        ],
    );
    // Rows that are tuples.
    assert_all_forms(
        "type row = (int * string)  type rows = row list",
        &["[1,\"a\"]", "[2,\"b\"]"],
    );
}

#[test]
fn sums_of_biniou() {
    let variants = r#"
        type sum = [ A | B <json name="b"> of int | C of int option | D of unit | E of (int * int) | F of sum list ]
        type color = [ Red | Green ]
    "#;
    assert_all_forms(
        &format!(
            "{variants} type row = {{ s : sum; o : sum option; c : color; ?co : color option; l : sum list }}
             type rows = row list  type page = row list <biniou repr=\"table\">"
        ),
        &[
            r#"{"s":"A","o":"None","c":"Red","l":[]}"#,
            r#"{"s":["b",1],"o":["Some","A"],"c":"Green","co":"Red","l":["A",["b",2],"A",["C","None"]]}"#,
            r#"{"s":["C",["Some",1]],"o":["Some",["D",null]],"c":"Red","l":[["E",[1,2]],["D",null]]}"#,
            r#"{"s":["F",[["F",["A",["F",[]]]]]],"o":["Some",["C","None"]],"c":"Red","co":"Green","l":[]}"#,
        ],
    );
    // Rows that are variants. Arrow has no batches of a union.
    let schema = Schema::biniou(&format!("{variants} type rows = sum list")).unwrap();
    let bytes =
        make(&schema, r#"["A",["b",1],["C","None"],["D",null],["E",[1,2]],["F",["A"]]]"#, "rows");
    assert_eq!(again(&schema, "sum", Options::new(), &bytes, Form::List), Ok(bytes));
    let error = again(&schema, "sum", Options::new(), &[19, 0], Form::Table).unwrap_err();
    assert_eq!(error, "rows of `sum` are not records, so they cannot be a TABLE: write a list");
}

#[test]
fn recursive_types_of_biniou() {
    assert_all_forms(
        r#"
        type row = { v : int; ?next : row option; kids : row list; o : row option; t : tab; w : wr }
        type tab = inner list <biniou repr="table">
        type inner = { i : int; deep : tab }
        type wr = (int * wr list) wrap <ocaml module="M">
        type rows = row list
        type page = row list <biniou repr="table">
        "#,
        &[
            r#"{"v":1,"kids":[],"o":"None","t":[],"w":[1,[]]}"#,
            r#"{"v":1,"next":{"v":2,"next":{"v":3,"next":{"v":4,"kids":[],"o":"None","t":[],"w":[1,[]]},"kids":[],"o":"None","t":[],"w":[1,[]]},
                "kids":[],"o":"None","t":[],"w":[1,[]]},
                "kids":[{"v":5,"kids":[{"v":6,"kids":[],"o":"None","t":[],"w":[1,[]]}],"o":"None","t":[],"w":[1,[]]}],
                "o":["Some",{"v":7,"kids":[],"o":["Some",{"v":8,"kids":[],"o":"None","t":[],"w":[1,[]]}],"t":[],"w":[1,[]]}],
                "t":[{"i":1,"deep":[{"i":2,"deep":[{"i":3,"deep":[]},{"i":4,"deep":[]}]}]}],"w":[1,[[2,[[3,[[4,[]]]]]]]]}"#,
        ],
    );
}

#[test]
fn bytes_and_floats_are_kept_bit_by_bit() {
    let schema = Schema::biniou(
        r#"type row = { s : string; m : (string * int) list <json repr="object">; f : float; g : float <biniou repr="float32"> }"#,
    )
    .unwrap();
    let one = make(&schema, r#"{"s":"$$","m":{"ab":1},"f":1.5,"g":2.5}"#, "row");
    let find =
        |bytes: &[u8], part: &[u8]| bytes.windows(part.len()).position(|it| it == part).unwrap();
    for (double, single) in [
        (f64::NAN.to_bits(), f32::NAN.to_bits()),
        // Signaling NaNs.
        (0x7ff0_0000_0000_0001, 0x7f80_0001),
        (0xfff0_dead_beef_0001, 0xff80_beef),
        (f64::INFINITY.to_bits(), f32::NEG_INFINITY.to_bits()),
    ] {
        let mut bytes = one.clone();
        let at = find(&bytes, &1.5f64.to_be_bytes());
        bytes[at..at + 8].copy_from_slice(&double.to_be_bytes());
        let at = find(&bytes, &2.5f32.to_be_bytes());
        bytes[at..at + 4].copy_from_slice(&single.to_be_bytes());
        assert_same(&schema, "row", &bytes, Form::Values);
        // Strings that are not UTF-8.
        let at = find(&bytes, b"$$");
        bytes[at..at + 2].copy_from_slice(&[0xff, 0]);
        let at = find(&bytes, b"ab");
        bytes[at..at + 2].copy_from_slice(&[0xfe, 0x80]);
        let options = Options::new().strings(Strings::Bytes);
        assert_eq!(again(&schema, "row", options, &bytes, Form::Values), Ok(bytes));
    }
}

/// A number of 256 bits.
const WIDE: &str = "6811299366900952671974763824040465167839410862684739061144563765171360567055";

#[test]
fn values_of_molecule() {
    let schema = Schema::molecule(
        "
        array Uint16 [byte; 2]; array Uint32 [byte; 4]; array Uint64 [byte; 8];
        array Uint128 [byte; 16]; array Uint256 [byte; 32]; array Int32 [byte; 4];
        array Byte3 [byte; 3]; array Words [Uint16; 2]; vector Bytes <byte>; vector Names <Bytes>;
        option BytesOpt (Bytes); option OptOpt (BytesOpt); option U16Opt (Uint16);
        struct Point { x: byte, y: Uint16, } vector Points <Point>; table None {}
        union Any { Bytes : 7, Point, U16Opt : 9, None, }
        vector Anys <Any>; option AnyOpt (Any); vector OptVec <BytesOpt>;
        table Row {
            b: byte, a: Uint16, c: Uint32, d: Uint64, e: Uint128, f: Uint256, g: Byte3, h: Words,
            i: Bytes, j: Names, k: BytesOpt, l: OptOpt, m: U16Opt, n: Point, o: Points, p: None,
            q: Any, r: Anys, s: AnyOpt, t: OptVec, z: Int32,
        }
        vector Rows <Row>; array Pair [Point; 2];
        ",
    )
    .unwrap();
    let row = |any: &str, option: &str| {
        format!(
            r#"{{"b":1,"a":513,"c":67305985,"d":"{}","e":"{}","f":"{}",
            "g":"0x010203","h":[256,770],"i":"0x","j":["0x","0x01"],"k":{option},"l":{option},
            "m":null,"n":{{"x":1,"y":770}},"o":[{{"x":1,"y":770}}],"p":{{}},
            "q":{any},"r":[{any},{{"type":"None","value":{{}}}}],"s":{any},"t":[null,{option}],"z":-1}}"#,
            u64::MAX,
            u128::MAX,
            WIDE
        )
    };
    let point = r#"{"type":"Point","value":{"x":9,"y":256}}"#;
    let rows = [
        row(point, "null"),
        row(r#"{"type":"Bytes","value":"0x0102"}"#, r#""0x07""#),
        row(r#"{"type":"U16Opt","value":null}"#, "null"),
        row(r#"{"type":"U16Opt","value":513}"#, r#""0x""#),
    ];
    for rows in [&rows[..], &[]] {
        let list = make(&schema, &format!("[{}]", rows.join(",")), "Rows");
        assert_same(&schema, "Rows", &list, Form::List);
        let records: Vec<u8> = rows.iter().flat_map(|row| make(&schema, row, "Row")).collect();
        assert_same(&schema, "Row", &records, Form::Values);
    }
    // Decimals have 38 digits.
    let rows = rows.map(|row| row.replace(&u128::MAX.to_string(), &"9".repeat(38)));
    let rows = rows.map(|row| row.replace(WIDE, "100000000000000000001"));
    let list = make(&schema, &format!("[{}]", rows.join(",")), "Rows");
    let decimals = Options::new().wide_numbers(WideNumbers::Decimal);
    assert_eq!(again(&schema, "Rows", decimals, &list, Form::List), Ok(list));
    assert_same(&schema, "Points", &[2, 0, 0, 0, 1, 2, 3, 4, 5, 6], Form::List);
    assert_same(&schema, "Points", &[0, 0, 0, 0], Form::List);
    assert_same(&schema, "Point", &[1, 2, 3, 4, 5, 6], Form::Values);
    assert_same(&schema, "Pair", &[1, 2, 3, 4, 5, 6], Form::Values);
    // A file of one row, and forms that the type does not support.
    let any = make(&schema, point, "Any");
    assert_eq!(again(&schema, "Any", Options::new(), &any, Form::Values), Ok(any));
    let refused = |name: &str, bytes: &[u8], form| {
        again(&schema, name, Options::new(), bytes, form).unwrap_err()
    };
    for (name, form, text) in [
        (
            "Row",
            Form::List,
            "`Row` is not a vector: name a vector of it, or write concatenated values",
        ),
        (
            "Rows",
            Form::Values,
            "`Rows` is a vector: write a list, or name `Row` for concatenated values",
        ),
        ("Row", Form::Table, "Molecule has no TABLE: write a list, or concatenated values"),
        (
            "Rows",
            Form::Stream,
            "Molecule has no streams of chunks: write a list, or concatenated values",
        ),
    ] {
        assert_eq!(refused(name, &[], form), text);
    }
    let table = Table::new(&schema, "Pair").unwrap();
    let batch = table.read(&[1, 2, 3, 4, 5, 6][..]).next().unwrap().unwrap();
    let mut writer = table.write(Vec::new(), Form::Values);
    writer.write(&batch.slice(0, 1)).unwrap();
    let error = writer.finish().unwrap_err();
    assert_eq!(error.to_string(), "`Pair` is an array of 2, and 1 rows are not a multiple of it");
    let table = Table::new(&schema, "Any").unwrap();
    let error = table.write(Vec::new(), Form::Values).finish().unwrap_err();
    assert_eq!(error.to_string(), "a file of `Any` has exactly one row, and none was written");
}
