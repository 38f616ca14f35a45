//! `.mol` schemas, and values read and made with them. `derive-tests` compares with `moleculec`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use fourfold::molecule::Options;
use fourfold_schema::mol::{CommonKind, ErrorKind, Parts, Schema, Shape, Type};

use crate::fixture::{Fixtures, unhex};
use crate::numbers;

/// A type in one line.
pub(crate) fn line(ty: Type<'_>) -> String {
    let mut line = format!("{}: ", ty.name());
    match ty.shape() {
        Shape::Byte => line.push_str("byte"),
        Shape::Array(item, count) => write!(line, "array {} {count}", item.name()).unwrap(),
        Shape::Struct(fields) => write!(line, "struct {fields:?}").unwrap(),
        Shape::FixVec(item) => write!(line, "fixvec {}", item.name()).unwrap(),
        Shape::DynVec(item) => write!(line, "dynvec {}", item.name()).unwrap(),
        Shape::Table(fields) => write!(line, "table {fields:?}").unwrap(),
        Shape::Option(item) => write!(line, "option {}", item.name()).unwrap(),
        Shape::Union(items) => write!(line, "union {items:?}").unwrap(),
        other => panic!("{other:?}"),
    }
    match ty.size() {
        Some(size) => line + &format!(", {size} bytes"),
        None => line,
    }
}

fn lines(text: &str) -> Vec<String> {
    Schema::parse(text).unwrap().types().map(line).collect()
}

#[test]
fn every_kind_of_type_is_read_in_any_order() {
    let lines = lines(
        "syntax = 1;
        table Record { id: Id, tags: Tags, table: Choice, }
        table Empty { }
        union Choice { Id, Empty: 7, Tags, }
        vector Tags <Bytes>;
        vector Bytes <byte>;
        vector Points<Point>;
        option Maybe(Point);
        struct Point { x: Id, struct: byte, }
        array Pair [Point; 2];
        array Id [byte; 4];",
    );
    assert_eq!(
        lines,
        [
            "Record: table [id: Id, tags: Tags, table: Choice]",
            "Empty: table []",
            "Choice: union [Id: 0, Empty: 7, Tags: 8]",
            "Tags: dynvec Bytes",
            "Bytes: fixvec byte",
            "Points: fixvec Point",
            "Maybe: option Point",
            "Point: struct [x: Id, struct: byte], 5 bytes",
            "Pair: array Point 2, 10 bytes",
            "Id: array byte 4, 4 bytes",
        ]
    );
}

#[test]
fn ids_of_unions_go_on_from_the_one_before_and_are_sorted() {
    let ids = |items: &str| {
        let text = format!(
            "array a [byte; 1]; array b [byte; 2]; array c [byte; 3]; union U {{ {items} }}"
        );
        lines(&text).pop().unwrap()
    };
    assert_eq!(ids("a, b, c,"), "U: union [a: 0, b: 1, c: 2]");
    assert_eq!(ids("a: 5, b, c: 2,"), "U: union [c: 2, a: 5, b: 6]");
    assert_eq!(ids("a: 4294967295, byte: 0,"), "U: union [byte: 0, a: 4294967295]");
}

#[test]
fn comments_anywhere_document_the_nearest_declaration() {
    let schema = Schema::parse(
        "// The licence.\r\n\n# A number\n// of four bytes.\narray/* /* nested */ */Id[byte;4];// trailing\n\
         /* Of its own. */\n\n/*\n * Two\n * lines.\n */\ntable T {\n  // Above.\n  a: Id, // Trailing.\n  b: Id,\n}\n// end",
    )
    .unwrap();
    let id = schema.get("Id").unwrap();
    assert_eq!(id.docs(), "A number\nof four bytes.\ntrailing");
    assert_eq!(id.location().unwrap().to_string(), "line 5, column 24");
    let table = schema.get("T").unwrap();
    assert_eq!(table.docs(), "Two\nlines.");
    let Shape::Table(fields) = table.shape() else { panic!("{table:?}") };
    let docs: Vec<_> = fields.iter().map(|field| field.docs()).collect();
    assert_eq!(docs, ["Above.\nTrailing.", ""]);
    assert_eq!(fields.get(1).unwrap().location().to_string(), "line 15, column 3");
    assert_eq!(fields.get(2).map(|field| field.ty()), None);
}

/// Schemas with their error.
#[test]
fn each_error_is_reported_with_its_line_and_column() {
    let cases: &[(&str, &str)] = &[
        (
            "",
            "expected `array`, `struct`, `vector`, `table`, `option` or `union`, found the end at line 1, column 1",
        ),
        ("  \n import x", "expected `;` after an import, found the end at line 2, column 10"),
        ("import../x;", "expected a space after `import`, found `.` at line 1, column 7"),
        (
            "import x; table t { }",
            "an import is relative to the file of the schema, and this is a text: read the schema from its file at line 1, column 8",
        ),
        ("syntax = one;", "expected a version, found `one` at line 1, column 10"),
        (
            "syntax = 99999999999999999999;array a[byte;1];",
            "version is too large at line 1, column 10",
        ),
        (
            "array a[byte;1]; syntax = 1;",
            "expected `array`, `struct`, `vector`, `table`, `option` or `union`, found `syntax` at line 1, column 18",
        ),
        (
            "Array a [byte; 1];",
            "expected `array`, `struct`, `vector`, `table`, `option` or `union`, found `Array` at line 1, column 1",
        ),
        ("array _a [byte; 1];", "expected the name of the type, found `_a` at line 1, column 7"),
        ("array é [byte; 1];", "expected the name of the type, found `é` at line 1, column 7"),
        (
            "array a [byte, 1];",
            "expected `;` and the count of items, found `,` at line 1, column 14",
        ),
        ("array a [byte; 0];", "expected a count of 1 or more, found `0` at line 1, column 16"),
        ("array a [byte; 07];", "expected a count of 1 or more, found `07` at line 1, column 16"),
        ("array a [byte; -1];", "expected a count of 1 or more, found `-` at line 1, column 16"),
        (
            "array a [byte; 1]",
            "expected `;` after a declaration, found the end at line 1, column 18",
        ),
        ("array a [byte; 99999999999999999999];", "count is too large at line 1, column 16"),
        (
            "array a [b; 2]; array b [byte; 18446744073709551615];",
            "array is too large at line 1, column 7",
        ),
        ("vector v (byte);", "expected `<`, found `(` at line 1, column 10"),
        ("option o (byte>;", "expected `)` after the type, found `>` at line 1, column 15"),
        ("struct s { }", "expected the name of a field, found `}` at line 1, column 12"),
        ("union u { }", "expected the type of an item, found `}` at line 1, column 11"),
        (
            "table t { a: byte }",
            "expected `,` after each field and item, found `}` at line 1, column 19",
        ),
        (
            "table t { a byte, }",
            "expected `:` after the name of a field, found `byte` at line 1, column 13",
        ),
        ("table t { a: 4, }", "expected the type of the field, found `4` at line 1, column 14"),
        ("union u { byte: 01, }", "expected the id of the item, found `01` at line 1, column 17"),
        (
            "union u { byte: 4294967296, }",
            "id 4294967296 does not fit 32 bits at line 1, column 17",
        ),
        (
            "union u { byte: 4294967295, u, }",
            "id 4294967296 does not fit 32 bits at line 1, column 29",
        ),
        (
            "array a [byte; 1]; union u { a: 3, byte: 3, }",
            "id 3 is that of two items at line 1, column 42",
        ),
        ("table t { }\n/* a /* b */", "comment without an end at line 2, column 1"),
        (
            "table t { }\r",
            "expected `array`, `struct`, `vector`, `table`, `option` or `union`, found '\\r' at line 1, column 12",
        ),
        (
            "\u{feff}table t { }",
            "expected `array`, `struct`, `vector`, `table`, `option` or `union`, found '\\u{feff}' at line 1, column 1",
        ),
        ("table t { a: b, }", "there is no type `b` at line 1, column 14"),
        (
            "table t { }\ntable t { }",
            "type `t` is declared twice, first at line 1, column 7 at line 2, column 7",
        ),
        (
            "table t { }\ntable T { }",
            "type `T` differs only in capital letters from `t` at line 1, column 7 at line 2, column 7",
        ),
        ("table Byte { }", "`Byte` is the name of a type that is always there at line 1, column 7"),
        (
            "table t { a: u, }\noption u (v);\nvector v <t>;",
            "type contains itself: t, u, v, t at line 1, column 7",
        ),
        ("vector v <v>;", "type contains itself: v, v at line 1, column 8"),
        (
            "vector v <byte>; array a [v; 2];",
            "`v` has no fixed size, and an array takes only types that have one at line 1, column 27",
        ),
        (
            "option o (byte); struct s { a: byte, b: o, }",
            "`o` has no fixed size, and a struct takes only types that have one at line 1, column 41",
        ),
    ];
    for (text, error) in cases {
        assert_eq!(Schema::parse(text).unwrap_err().to_string(), *error, "{text}");
    }
}

#[test]
fn an_error_shows_its_line_and_no_long_names() {
    let error = Schema::parse("table t { }\r\ntable u { a: b }\r\ntable v { }").unwrap_err();
    assert_eq!(error.line(), "table u { a: b }");
    assert!(
        matches!(error.kind(), ErrorKind::Common(CommonKind::Expected { found, .. }) if found == "`}`")
    );

    let name = "n".repeat(1 << 20);
    let error = Schema::parse(&format!("table t {{ a: {name}, }}")).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("there is no type `{}…` at line 1, column 14", &name[..64])
    );
    assert_eq!(error.line().len(), 400);
}

/// Other large schemas are in `hostile`.
#[test]
fn a_long_circle_is_shortened_and_fields_may_have_the_same_name() {
    let count: usize = 100_000;
    let circle = (0..count).rev().map(|at| {
        let inside = at.checked_sub(1).unwrap_or(count - 1);
        format!("option T{at} (T{inside});\n")
    });
    assert_eq!(
        Schema::parse(&circle.collect::<String>()).unwrap_err().to_string(),
        "type contains itself: T99999, T99998, T99997, T99996, T99995, T99994, T99993, T99992, …, T99999 \
         at line 1, column 8"
    );
    let fields = "a: byte, ".repeat(count);
    assert!(lines(&format!("struct s {{ {fields} }}"))[0].ends_with("100000 bytes"));
}

fn write_all(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

fn names(path: &Path) -> Result<Vec<String>, String> {
    let schema = Schema::from_file(path).map_err(|error| error.to_string())?;
    Ok(schema.types().map(|ty| ty.name().to_owned()).collect())
}

#[test]
fn each_import_is_read_once_after_the_file_that_names_it() {
    let folder = tempfile::tempdir().unwrap();
    write_all(
        folder.path(),
        &[
            ("top/main.mol", "import a; import ../common/deep/b; import a//;\n; vector Main <A>;"),
            ("top/a.mol", "import ../common/c; table A { c: C, }"),
            ("common/deep/b.mol", "import ../c; import ../../top/a; table B { a: A, c: C, }"),
            ("common/c.mol", "import deep/b; table C { }"),
        ],
    );
    let main = folder.path().join("top/main.mol");
    assert_eq!(names(&main).unwrap(), ["Main", "A", "B", "C"]);

    let place = |file: &str| folder.path().join(file).display().to_string();
    let schema = Schema::from_file(&main).unwrap();
    let location = |name: &str| schema.get(name).unwrap().location().unwrap().to_string();
    assert_eq!(location("Main"), format!("line 2, column 10 of {}", place("top/main.mol")));
    assert_eq!(location("C"), format!("line 1, column 22 of {}", place("top/../common/c.mol")));
}

#[test]
fn errors_in_imports_are_reported_with_their_place() {
    let folder = tempfile::tempdir().unwrap();
    write_all(
        folder.path(),
        &[
            ("circle.mol", "import back; table T { }"),
            ("back.mol", "\n import\n./* */circle; table U { }"),
            ("round.mol", "import forth; table T { }"),
            ("forth.mol", "import round; table U { }"),
            ("missing.mol", "import nothing; table T { }"),
            ("twice.mol", "import other; table T { }"),
            ("other.mol", "table t { }"),
            ("first.mol", "syntax = 2; import second; import other; table S { }"),
            ("second.mol", "syntax = 3; table U { }"),
            ("plain.mol", "import second; table S { }"),
            ("same.mol", "syntax = 3; import second; import other; table S { }"),
        ],
    );
    fs::write(folder.path().join("bytes.mol"), [b'#', 0xff]).unwrap();
    let refused = |file: &str| {
        let error = names(&folder.path().join(file)).unwrap_err();
        error.replace(&format!("{}/", folder.path().display()), "")
    };
    assert_eq!(
        refused("round.mol"),
        "import of the outermost file at line 1, column 8 of forth.mol"
    );
    assert_eq!(
        refused("circle.mol"),
        "expected the path of a schema, without `.mol`, found `.` at line 3, column 1 of back.mol"
    );
    assert!(
        refused("missing.mol").starts_with("cannot read nothing.mol: "),
        "{}",
        refused("missing.mol")
    );
    assert!(refused("missing.mol").ends_with(" at line 1, column 8 of missing.mol"));
    assert_eq!(
        refused("twice.mol"),
        "type `t` differs only in capital letters from `T` at line 1, column 21 of twice.mol \
         at line 1, column 7 of other.mol"
    );
    assert_eq!(
        refused("first.mol"),
        "syntax 3 differs from the 2 of the other files at line 1, column 10 of second.mol"
    );
    assert_eq!(
        refused("plain.mol"),
        "syntax 3 differs from the 1 of the other files at line 1, column 10 of second.mol"
    );
    assert_eq!(names(&folder.path().join("same.mol")).unwrap(), ["S", "U", "t"]);
    assert!(refused("bytes.mol").starts_with("cannot read bytes.mol: "));
    assert!(refused("absent.mol").starts_with("cannot read absent.mol: "));
}

#[test]
fn the_schemas_of_the_fixtures_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/molecule/schemas");
    let mut counts = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let count = names(&path).unwrap().len();
        counts.push((path.file_name().unwrap().to_str().unwrap().to_owned(), count));
    }
    counts.sort();
    assert_eq!(counts.len(), 6, "{counts:?}");
    assert!(counts.iter().all(|(_, count)| *count > 3), "{counts:?}");
}

const FIXTURES: Fixtures = Fixtures("molecule");

/// The schemas of the fixtures, by their names.
pub(crate) fn schemas() -> BTreeMap<String, Schema> {
    let read = |name: String| {
        let schema = Schema::from_file(FIXTURES.path(&format!("schemas/{name}.mol"))).unwrap();
        (name, schema)
    };
    FIXTURES.names("schemas", "mol").into_iter().map(read).collect()
}

/// A type's schema and name, of `schema.Name`.
fn named<'s, 'n>(schemas: &'s BTreeMap<String, Schema>, ty: &'n str) -> (&'s Schema, &'n str) {
    let (schema, name) = ty.split_once('.').unwrap();
    (&schemas[schema], name)
}

/// A value of the fixtures, with numbers instead of the hexadecimal digits of their bytes.
fn with_numbers(ty: Type<'_>, value: &serde_json::Value) -> serde_json::Value {
    use serde_json::Value;

    match (ty.shape(), value) {
        (Shape::Array(..), Value::String(digits)) => {
            let size = digits.len() / 2 - 1;
            let name = ty.name();
            let is = |sign: &str| name == format!("{sign}{}", size * 8);
            match (is("Uint"), is("Int")) {
                (false, false) => value.clone(),
                (_, is_signed) => numbers::as_json(&unhex(&digits[2..]).unwrap(), is_signed),
            }
        }
        (Shape::Option(inner), value) if !value.is_null() => with_numbers(inner, value),
        (Shape::Array(item, _) | Shape::FixVec(item) | Shape::DynVec(item), Value::Array(list)) => {
            list.iter().map(|value| with_numbers(item, value)).collect()
        }
        (Shape::Struct(fields) | Shape::Table(fields), Value::Object(object)) => {
            let field = |(key, value): (&String, &Value)| {
                let field = fields.iter().find(|field| field.name() == key).unwrap();
                (key.clone(), with_numbers(field.ty(), value))
            };
            Value::Object(object.iter().map(field).collect())
        }
        (Shape::Union(items), Value::Object(object)) => {
            let id = u32::try_from(object["id"].as_u64().unwrap()).unwrap();
            let mut object = object.clone();
            object["value"] = with_numbers(items.with_id(id).unwrap().ty(), &object["value"]);
            Value::Object(object)
        }
        _ => value.clone(),
    }
}

#[test]
fn json_of_values_is_that_of_the_official_implementation() {
    #[derive(serde::Deserialize)]
    struct Case {
        r#type: String,
        value: serde_json::Value,
        hex: String,
    }

    let schemas = schemas();
    let mut files = FIXTURES.names("values", "json");
    files.iter_mut().for_each(|name| *name = format!("values/{name}.json"));
    files.extend(["vectors.json".into(), "spec_examples.json".into()]);
    let mut count = 0;
    for file in files {
        for case in FIXTURES.json::<Vec<Case>>(&file) {
            let (schema, name) = named(&schemas, &case.r#type);
            let bytes = unhex(&case.hex).unwrap();
            let value = schema.to_value(&bytes, name).unwrap();
            let expected = with_numbers(value.ty(), &case.value);
            assert_eq!(serde_json::to_value(value).unwrap(), expected, "{file}: {}", case.hex);
            assert_eq!(value.bytes(), bytes);
            // JSON of the fixtures has the hexadecimal digits of a number's bytes, which are refused as a number.
            let made = schema.make(case.value.clone(), name);
            assert_eq!(made.is_ok(), expected == case.value, "{file}: {}", case.hex);
            assert_eq!(schema.make(expected, name).unwrap(), bytes, "{file}: {}", case.hex);
            count += 1;
        }
    }
    assert!(count > 900, "{count}");
}

#[test]
fn damaged_values_have_the_verdict_of_the_official_implementation() {
    let schemas = schemas();
    let (mut good, mut bad) = (0, 0);
    for file in FIXTURES.names("bad", "txt") {
        let (schema, name) = named(&schemas, &file);
        for line in FIXTURES.text(&format!("bad/{file}.txt")).lines() {
            let words: Vec<_> = line.split(' ').collect();
            let [strict, compatible, _, hex] = words[..] else { continue };
            if strict.starts_with('#') {
                continue;
            }
            let bytes = unhex(hex.trim_matches('-')).unwrap();
            for (verdict, compatible) in [(strict, false), (compatible, true)] {
                let options = Options::new().compatible(compatible);
                let value = schema.to_value_with(&bytes, name, &options);
                assert_eq!(value.is_ok(), verdict == "ok", "{file}: {verdict} {hex}: {value:?}");
                match value {
                    Ok(value) => {
                        // An accepted value has JSON, of which the same bytes are made.
                        match serde_json::to_string(&value) {
                            Ok(shown) => {
                                let made = made(schema, name, &shown).unwrap();
                                assert_eq!(made, bytes, "{file}: {hex}: {shown}");
                            }
                            Err(error) => {
                                let is_empty = matches!(name, "Unit" | "Table0" | "Table0Opt");
                                assert!(compatible && is_empty, "{file}: {hex}: {error}");
                            }
                        }
                        good += 1;
                    }
                    Err(error) => {
                        assert!(error.offset().is_some_and(|at| at <= bytes.len()), "{error}");
                        bad += 1;
                    }
                }
            }
        }
    }
    assert!(good > 2_000 && bad > 15_000, "{good} good, {bad} bad");
}

/// Makes the bytes of a value from JSON.
fn made(schema: &Schema, name: &str, json: &str) -> Result<Vec<u8>, String> {
    let mut reader = serde_json::Deserializer::from_str(json);
    let bytes = schema.make(&mut reader, name).map_err(|error| error.to_string())?;
    reader.end().map_err(|error| error.to_string()).map(|()| bytes)
}

const SMALL: &str = "vector Bytes <byte>; vector Names <Bytes>; struct Point { x: byte, y: byte, }
    vector Points <Point>; array Pair [Point; 2]; option Maybe (Bytes);
    union Any { Bytes: 3, Point, Names: 9, Bytes: 10, } table Entry { names: Names, any: Any, maybe: Maybe, }
    table Empty { }";

#[test]
fn fields_come_in_any_order_and_options_may_be_left_out() {
    let schema = Schema::parse(SMALL).unwrap();
    let whole = r#"{"names": ["0x01", "0x"], "any": {"type": "Point", "id": 4, "value": {"x": 1, "y": 2}}, "maybe": null}"#;
    let bytes = made(&schema, "Entry", whole).unwrap();
    assert_eq!(schema.to_value(&bytes, "Entry").unwrap().bytes(), bytes);
    for other in [
        r#"{"any": {"type": "Point", "value": {"y": 2, "x": 1}}, "names": ["0x01", "0x"]}"#,
        r#"{"maybe": null, "any": {"id": 4, "value": {"x": 1, "y": 2}}, "names": ["0x01", "0x"]}"#,
    ] {
        assert_eq!(made(&schema, "Entry", other).unwrap(), bytes, "{other}");
    }
    // Structs whose fields are in another order.
    let json = r#"{"y": 2, "x": 1}"#;
    assert_eq!(made(&schema, "Pair", &format!("[{json}, {json}]")).unwrap(), [1, 2, 1, 2]);
    // Fields of a later version.
    let json = whole.replace("null", r#""0xff", "$extra": ["0xabcd", "0x"]"#);
    let bytes = made(&schema, "Entry", &json).unwrap();
    assert!(schema.to_value(&bytes, "Entry").is_err());
    let options = Options::new().compatible(true);
    let value = schema.to_value_with(&bytes, "Entry", &options).unwrap();
    let shown = serde_json::to_value(value).unwrap();
    assert_eq!(shown, serde_json::from_str::<serde_json::Value>(&json).unwrap());
}

/// In compatible mode, a table without fields accepts any bytes, as the official reader does. Its JSON makes the same
/// bytes, or there is an error.
#[test]
fn bytes_of_a_table_without_fields_are_not_lost() {
    let schema = Schema::parse("table Empty {} vector Empties <Empty>;").unwrap();
    let options = Options::new().compatible(true);
    let shown = |bytes: &[u8], ty: &str| {
        let value = schema.to_value_with(bytes, ty, &options).unwrap();
        serde_json::to_string(&value).map_err(|error| error.to_string())
    };
    for (bytes, json) in [
        (&[4, 0, 0, 0][..], "{}"),
        (&[8, 0, 0, 0, 8, 0, 0, 0], r#"{"$extra":["0x"]}"#),
        (&[13, 0, 0, 0, 12, 0, 0, 0, 12, 0, 0, 0, 7], r#"{"$extra":["0x","0x07"]}"#),
    ] {
        assert_eq!(shown(bytes, "Empty").as_deref(), Ok(json));
        assert_eq!(made(&schema, "Empty", json).unwrap(), bytes);
    }
    let refused = "a table without fields has bytes that are no fields of a later version: \
                   only its bytes show them";
    for (bytes, ty) in [
        (&[5, 0, 0, 0, 9][..], "Empty"),
        (&[8, 0, 0, 0, 0, 0, 0, 0], "Empty"),
        (&[12, 0, 0, 0, 12, 0, 0, 0, 13, 0, 0, 0], "Empty"),
        (&[13, 0, 0, 0, 8, 0, 0, 0, 5, 0, 0, 0, 9], "Empties"),
    ] {
        assert_eq!(shown(bytes, ty).unwrap_err(), refused, "{bytes:?}");
    }
}

/// Types, JSON, and the error.
#[test]
fn errors_in_json_are_reported_with_line_and_column() {
    let schema = Schema::parse(SMALL).unwrap();
    let cases = [
        (
            "Missing",
            "1",
            "the schema has no type `Missing` (there are `Bytes`, `Names`, `Point`, `Points`, `Pair`, `Maybe`, `Any`, `Entry` and 1 more)",
        ),
        (
            "byte",
            "256",
            "invalid value: integer `256`, expected a byte, from 0 to 255 at line 1 column 3",
        ),
        (
            "byte",
            "-1",
            "invalid type: integer `-1`, expected a byte, from 0 to 255 at line 1 column 2",
        ),
        (
            "Bytes",
            "[1]",
            "invalid type: sequence, expected 0x and hexadecimal digits, two for each byte at line 1 column 0",
        ),
        (
            "Bytes",
            r#""ff""#,
            "invalid value: string \"ff\", expected 0x and hexadecimal digits, two for each byte at line 1 column 4",
        ),
        (
            "Bytes",
            r#""0xf""#,
            "invalid value: string \"0xf\", expected 0x and hexadecimal digits, two for each byte at line 1 column 5",
        ),
        (
            "Bytes",
            r#""0x+1""#,
            "invalid value: string \"0x+1\", expected 0x and hexadecimal digits, two for each byte at line 1 column 6",
        ),
        (
            "Pair",
            r#"[{"x": 1, "y": 2}]"#,
            "invalid length 1, expected a list of 2 at line 1 column 18",
        ),
        ("Point", r#"{"x": 1}"#, "missing field `y` at line 1 column 8"),
        (
            "Point",
            r#"{"x": 1, "z": 1}"#,
            "unknown field `z` (there are `x` and `y`) at line 1 column 12",
        ),
        ("Point", r#"{"x": 1, "x": 1, "y": 1}"#, "duplicate field `x` at line 1 column 15"),
        (
            "Point",
            r#"{"x": 1, "y": 1, "$extra": []}"#,
            "unknown field `$extra` (there are `x` and `y`) at line 1 column 25",
        ),
        (
            "Any",
            r#"{"value": "0x", "id": 3}"#,
            "`type` or `id` of a union must come before `value` at line 1 column 8",
        ),
        (
            "Any",
            r#"{"id": 5, "value": "0x"}"#,
            "no item of the union has this type and id at line 1 column 17",
        ),
        (
            "Any",
            r#"{"type": "Bytes", "value": "0x"}"#,
            "several items of the union have this type: give its `id` at line 1 column 25",
        ),
        ("Any", r#"{"id": 3}"#, "missing field `value` at line 1 column 9"),
        (
            "Any",
            r#"{"id": 3, "value": "0x", "value": "0x"}"#,
            "`value` is not expected here at line 1 column 32",
        ),
    ];
    for (name, json, error) in cases {
        assert_eq!(made(&schema, name, json).unwrap_err(), error, "{json}");
    }
}

/// Types, bytes, and the error.
#[test]
fn errors_in_values_have_their_path_and_offset() {
    let schema = Schema::parse(SMALL).unwrap();
    let cases: &[(&str, &[u8], &str)] = &[
        (
            "Missing",
            &[],
            "the schema has no type `Missing` (there are `Bytes`, `Names`, `Point`, `Points`, `Pair`, `Maybe`, `Any`, `Entry` and 1 more)",
        ),
        ("byte", &[], "input ends early: 1 byte needed, 0 left at byte 0"),
        ("Pair", &[1, 2, 3, 4, 5], "1 trailing byte at byte 4"),
        ("Bytes", &[2, 0, 0, 0, 1], "field or item ends early: 2 bytes needed, 1 left at byte 4"),
        ("Points", &[1, 0, 0, 0, 1, 2, 3], "1 trailing byte at byte 6"),
        (
            "Points",
            &[255; 6],
            "field or item ends early: 8589934590 bytes needed, 2 left at byte 4",
        ),
        ("Maybe", &[9], "input ends early: 4 bytes needed, 1 left at byte 0"),
        ("Any", &[4, 0, 0, 0, 1], "field or item ends early: 2 bytes needed, 1 left at byte 4"),
        ("Any", &[7, 0, 0, 0, 1], "unknown union id 7 at byte 0"),
        (
            "Names",
            &[12, 0, 0, 0, 8, 0, 0, 0, 1, 0, 0, 0],
            "field or item ends early: 1 byte needed, 0 left in [0] at byte 12",
        ),
        (
            "Empty",
            &[8, 0, 0, 0, 8, 0, 0, 0],
            "table has 1 field, the type has 0 at byte 4; use `Options::compatible(true)` to accept more fields",
        ),
        ("Entry", &[4, 0, 0, 0], "table has 0 fields, the type has more at byte 0"),
        (
            "Entry",
            &[24, 0, 0, 0, 16, 0, 0, 0, 20, 0, 0, 0, 24, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0],
            "unknown union id 1 in any at byte 20",
        ),
    ];
    for (name, bytes, error) in cases {
        assert_eq!(schema.to_value(bytes, name).unwrap_err().to_string(), *error, "{bytes:?}");
    }
}

#[test]
fn depth_of_fixed_size_types_is_limited() {
    let mut text = String::from("array T0 [byte; 1]; option O0 (byte);");
    for number in 1..300 {
        write!(text, "array T{number} [T{}; 1]; option O{number} (O{});", number - 1, number - 1)
            .unwrap();
    }
    text.push_str("vector V <T127>;");
    let schema = Schema::parse(&text).unwrap();
    // Items of one size have no headers to check.
    for vector in [&[0, 0, 0, 0][..], &[1, 0, 0, 0, 7]] {
        assert!(schema.to_value(vector, "V").is_ok());
    }
    for kind in ["T", "O"] {
        let read = |depth: usize| schema.to_value(&[7], &format!("{kind}{depth}")).map(|_| ());
        assert!(read(127).is_ok());
        let error = read(128).unwrap_err().to_string();
        assert_eq!(
            error,
            "nested deeper than 128 levels at byte 0; use `Options::max_depth` to allow more"
        );
    }
}

#[test]
fn items_of_a_large_list_are_read_alone() {
    let schema = Schema::parse(
        "array Id [byte; 4]; vector Ids <Id>; table Row { id: Id, } vector Rows <Row>;",
    )
    .unwrap();
    let count = 100_000u32;
    let mut bytes = count.to_le_bytes().to_vec();
    bytes.extend((0..count).flat_map(u32::to_le_bytes));
    let Parts::List(list) = schema.to_value(&bytes, "Ids").unwrap().parts() else { panic!() };
    assert_eq!(list.len(), 100_000);
    assert_eq!(list.get(77_777).unwrap().bytes(), 77_777u32.to_le_bytes());
    assert_eq!(list.get(100_000), None);
    assert!(list.iter().map(|value| value.bytes()).eq((0..count).map(u32::to_le_bytes)));

    let rows: Vec<(u32,)> = (0..1_000).map(|id| (id,)).collect();
    let rows = fourfold::molecule::with::DynVec(
        rows.into_iter().map(fourfold::molecule::with::Table).collect::<Vec<_>>(),
    );
    let bytes = fourfold::molecule::to_vec(&rows).unwrap();
    let Parts::List(list) = schema.to_value(&bytes, "Rows").unwrap().parts() else { panic!() };
    assert_eq!(list.get(999).unwrap().get("id").unwrap().bytes(), 999u32.to_le_bytes());
}
