//! biniou values with `.atd` schemas: bytes of OCaml as JSON, and bytes made from JSON.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use fourfold::biniou::ErrorKind;
use fourfold_schema::atd::Schema;
use serde_json::Value;

use crate::fixture::Fixtures;

const FIXTURES: Fixtures = Fixtures("biniou");

fn schema(name: &str) -> Schema {
    Schema::from_file(FIXTURES.path(&format!("schemas/{name}.atd"))).unwrap()
}

/// The fixtures of a folder: the file, the schema, the type.
fn typed(folder: &str) -> Vec<(String, Schema, String)> {
    let files = FIXTURES.names(folder, "biniou").into_iter();
    let typed = files.map(|file| {
        let (schema_name, rest) = file.split_once('.').expect("a schema");
        let (ty, _) = rest.split_once('-').expect("a type");
        (format!("{folder}/{file}"), schema(schema_name), ty.to_owned())
    });
    typed.collect()
}

pub(crate) fn to_json(schema: &Schema, bytes: &[u8], ty: &str) -> Result<String, String> {
    let value = schema.to_value(bytes, ty).map_err(|error| error.to_string())?;
    serde_json::to_string(&value).map_err(|error| error.to_string())
}

pub(crate) fn make(schema: &Schema, json: &str, ty: &str) -> Result<Vec<u8>, String> {
    let mut reader = serde_json::Deserializer::from_str(json);
    let bytes = schema.make(&mut reader, ty).map_err(|error| error.to_string())?;
    reader.end().map_err(|error| error.to_string())?;
    Ok(bytes)
}

/// Whether `ours` has all of `official`, and possibly more fields.
pub(crate) fn is_in(official: &Value, ours: &Value) -> bool {
    match (official, ours) {
        (Value::Object(official), Value::Object(ours)) => {
            official.iter().all(|(key, value)| ours.get(key).is_some_and(|it| is_in(value, it)))
        }
        (Value::Array(official), Value::Array(ours)) => {
            official.len() == ours.len() && official.iter().zip(ours).all(|(a, b)| is_in(a, b))
        }
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        _ => official == ours,
    }
}

#[test]
fn json_is_that_of_atdgen_and_makes_the_same_bytes() {
    let mut count = 0;
    for (file, schema, ty) in typed("typed") {
        let bytes = FIXTURES.bytes(&format!("{file}.biniou"));
        let ours = to_json(&schema, &bytes, &ty).unwrap_or_else(|error| panic!("{file}: {error}"));
        let official = FIXTURES.text(&format!("{file}.json"));
        let parsed = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        assert!(is_in(&parsed(&official), &parsed(&ours)), "{file}: {official} but {ours}");
        let again = make(&schema, &ours, &ty).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(again, bytes, "{file}: {ours}");
        // atdgen leaves out fields with their default.
        let made = make(&schema, &official, &ty).unwrap_or_else(|error| panic!("{file}: {error}"));
        let shown = to_json(&schema, &made, &ty).unwrap();
        assert!(is_in(&parsed(&official), &parsed(&shown)), "{file}: {official} but {shown}");
        count += 1;
    }
    assert!(count > 100, "{count} fixtures");
}

/// Files that only one of this crate and atdgen's readers accepts, and why.
const DIFFERENCES: [(&str, &str); 8] = [
    ("vint-ten_bytes_refused", "vints of all lengths are read"),
    ("record-unknown_shared_refused", "unknown values are skipped by their tags"),
    ("record-unknown_table_refused", "unknown values are skipped by their tags"),
    ("table-unknown_svint_column_refused", "unknown values are skipped by their tags"),
    ("table-unknown_string_column_refused", "unknown values are skipped by their tags"),
    ("table-unknown_columns_give_wrong_values", "unknown values are skipped by their tags"),
    ("tuple-default_cell_absent", "a cell that is not there is not shown"),
    ("scalar-trailing_bytes_ignored", "bytes after the value are refused"),
];

#[test]
fn bytes_that_readers_of_atdgen_accept_are_accepted() {
    let text = FIXTURES.text("MANIFEST.md");
    let section = text.lines().skip_while(|line| *line != "## reader/").skip(1);
    let section = section.take_while(|line| !line.starts_with("## "));
    let rows = section.filter_map(|line| {
        let mut cells = line.strip_prefix('|')?.split('|').map(str::trim);
        let (file, ty) = (cells.next()?, cells.next()?);
        Some((file, ty.split_once('.')?))
    });
    let mut different = Vec::new();
    let mut count = 0;
    for (file, (name, ty)) in rows {
        let bytes = FIXTURES.bytes(&format!("reader/{file}.biniou"));
        let ours = to_json(&schema(name), &bytes, ty);
        let is_alike = match (&ours, FIXTURES.exists(&format!("reader/{file}.json"))) {
            (Ok(ours), true) => {
                let official = FIXTURES.text(&format!("reader/{file}.json"));
                let parsed = |text: &str| serde_json::from_str::<Value>(text).unwrap();
                is_in(&parsed(&official), &parsed(ours))
            }
            (ours, taken) => ours.is_ok() == taken,
        };
        if !is_alike {
            different.push(file);
        }
        count += 1;
    }
    different.sort_unstable();
    let mut expected = DIFFERENCES.map(|(file, _)| file);
    expected.sort_unstable();
    assert_eq!((different, count > 80), (expected.to_vec(), true));
}

/// Whether OCaml with atdgen is installed.
pub(crate) fn is_ocaml_installed() -> bool {
    let found = |tool| Command::new(tool).arg("-version").output().is_ok();
    let is_installed = ["atdgen", "ocamlfind", "ocamlopt"].into_iter().all(found);
    if !is_installed {
        assert!(env::var_os("CI").is_none(), "this test needs OCaml, and CI never skips it");
        println!("no OCaml with atdgen here: its values are skipped");
    }
    is_installed
}

/// Runs a program that has to succeed; returns its output.
pub(crate) fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

/// The OCaml program that reads and writes the types of the fixtures' schemas.
fn checker() -> Option<PathBuf> {
    if !is_ocaml_installed() {
        return None;
    }
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("interop-biniou-schema");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/interop/biniou/build.sh");
    run(Command::new(script).arg(&out));
    Some(out.join("checker"))
}

/// Values of each type.
const COUNT: usize = 100;

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn values_of_ocaml_survive_both_ways() {
    let Some(checker) = checker() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("values");
    let run = |arguments: &[&str]| {
        let output = Command::new(&checker).args(arguments).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let parsed = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    for name in run(&["types"]).lines() {
        let (schema_name, ty) = name.split_once('.').unwrap();
        let schema = schema(schema_name);
        let path = file.to_str().unwrap();
        let lines = run(&["write", name, &COUNT.to_string(), "3", path]);
        let bytes = fs::read(&file).unwrap();
        let mut rest = &bytes[..];
        let mut made = Vec::new();
        for line in lines.lines() {
            let (length, after) = rest.split_first_chunk().unwrap();
            let (frame, after) = after.split_at(u32::from_be_bytes(*length) as usize);
            rest = after;
            let ours =
                to_json(&schema, frame, ty).unwrap_or_else(|e| panic!("{name}: {e}: {line}"));
            assert!(is_in(&parsed(line), &parsed(&ours)), "{name}: {line} but {ours}");
            let again = make(&schema, &ours, ty).unwrap_or_else(|e| panic!("{name}: {e}: {ours}"));
            assert_eq!(again, frame, "{name}: {ours}");
            let bytes = make(&schema, line, ty).unwrap_or_else(|e| panic!("{name}: {e}: {line}"));
            made.extend(u32::try_from(bytes.len()).unwrap().to_be_bytes());
            made.extend(bytes);
        }
        // atdgen's readers read the bytes made from its JSON as the same value.
        fs::write(&file, made).unwrap();
        let again = run(&["read", name, path]);
        assert_eq!(again.lines().count(), COUNT, "{name}");
        for (line, again) in lines.lines().zip(again.lines()) {
            assert_eq!(parsed(again), parsed(line), "{name}");
        }
    }
}

/// Each with one error.
#[test]
fn bad_bytes_and_bad_json_are_refused() {
    let schema = Schema::parse(
        "type r = { x : int <biniou repr=\"int8\">; ?o : string option; l : t list }
        type t = [ A | B of (int * int) ]
        type n = unit nullable
        type f = float <biniou repr=\"float32\">
        type o = (string * int) list <json repr=\"object\">
        type e = [ Known | Other of string ] <json open_enum>
        type a = abstract
        type w = w wrap",
    )
    .unwrap();
    let error = |json: &str, ty: &str| make(&schema, json, ty).unwrap_err();
    for (ty, json, text) in [
        (
            "r",
            r#"{"x":256,"l":[]}"#,
            "invalid value: integer `256`, expected an integer from 0 to 255 at line 1 column 8",
        ),
        ("r", r#"{"l":[]}"#, "missing field `x` at line 1 column 8"),
        (
            "r",
            r#"{"x":1,"l":[],"y":1}"#,
            "unknown field `y` (there are `x`, `o` and `l`) at line 1 column 17",
        ),
        ("r", r#"{"x":1,"x":2}"#, "duplicate field `x` at line 1 column 13"),
        (
            "r",
            r#"{"x":1,"l":[["A",1]]}"#,
            "variant `A` with an argument, which it does not have at line 1 column 17",
        ),
        ("r", r#"{"x":1,"l":["B"]}"#, "variant `B` without its argument at line 1 column 15"),
        (
            "r",
            r#"{"x":1,"l":[["B",[1]]]}"#,
            "invalid length 1, expected a list of 2 at line 1 column 20",
        ),
        (
            "f",
            "1e300",
            "invalid value: floating point `1e+300`, expected a number at line 1 column 5",
        ),
        ("a", "1", "the schema calls this type abstract, so its values are unknown"),
        ("w", "1", "the schema calls this type abstract, so its values are unknown"),
        (
            "q",
            "1",
            "the schema has no type `q` (there are `r`, `t`, `n`, `f`, `o`, `e`, `a` and `w`)",
        ),
    ] {
        assert_eq!(error(json, ty), text, "{ty} {json}");
    }
    for (ty, json) in [
        ("r", r#"{"x":255,"o":"x","l":["A",["B",[1,2]]]}"#),
        ("o", r#"{"a":1,"a":2}"#),
        ("e", r#""Known""#),
        ("e", r#""Unknown""#),
        ("e", r#"["Other","Known"]"#),
    ] {
        let bytes = make(&schema, json, ty).unwrap();
        assert_eq!(to_json(&schema, &bytes, ty).as_deref(), Ok(json));
    }
    // `null` is `None`.
    let bytes = make(&schema, r#"{"x":1,"o":null,"l":[]}"#, "r").unwrap();
    assert_eq!(to_json(&schema, &bytes, "r").unwrap(), r#"{"x":1,"l":[]}"#);
    // `Some(())` and NaN, which JSON cannot represent.
    for (bytes, ty) in [(&[22, 128, 24, 0][..], "n"), (&[11, 127, 192, 0, 0], "f")] {
        assert!(schema.to_value(bytes, ty).is_ok());
        assert!(to_json(&schema, bytes, ty).unwrap_err().starts_with("JSON "));
    }
    // A string that is not UTF-8.
    let json = to_json(&schema, &[18, 2, b'a', 255], "string").unwrap();
    assert_eq!(
        (json.as_str(), make(&schema, &json, "string").unwrap()),
        ("[97,255]", vec![18, 2, b'a', 255])
    );

    let bytes = make(&schema, r#"{"x":1,"l":["A",["B",[1,2]]]}"#, "r").unwrap();
    for end in 0..bytes.len() {
        assert!(schema.to_value(&bytes[..end], "r").unwrap_err().is_eof(), "{end}");
    }
    let last = bytes.len() - 2;
    let mut bad = bytes.clone();
    bad[last] = 18;
    let error = schema.to_value(&bad, "r").unwrap_err();
    assert_eq!(error.path().to_string(), "l[1].B[1]");
    assert!(matches!(error.kind(), ErrorKind::WrongTag { found: "string", .. }), "{error}");
    assert_eq!(error.offset(), Some(last));
}

/// Values within the depth limit survive, deeper ones are refused.
#[test]
fn depth_is_limited() {
    let schema = Schema::parse("type t = t list  type o = o option").unwrap();
    let nested = |count: usize| format!("{}{}", "[".repeat(count), "]".repeat(count));
    let options =
        |count: usize| format!("{}\"None\"{}", r#"["Some","#.repeat(count), "]".repeat(count));
    for (ty, json, ok) in [
        ("t", nested(100), true),
        ("t", nested(129), false),
        ("o", options(100), true),
        ("o", options(128), false),
    ] {
        let mut reader = serde_json::Deserializer::from_str(&json);
        let made = schema.make(&mut reader, ty);
        assert_eq!(made.is_ok(), ok, "{ty} {}", json.len());
        if let Ok(bytes) = made {
            assert_eq!(to_json(&schema, &bytes, ty).unwrap(), json);
        }
    }
    let bytes: Vec<u8> =
        [19, 1].into_iter().chain([19, 1].repeat(100_000)).chain([19, 0]).collect();
    assert!(schema.to_value(&bytes, "t").unwrap_err().to_string().contains("nested deeper"));
}

/// What JSON cannot express: indices of fields, cells and variants; bytes; lists that grow.
#[test]
fn values_are_made_of_indices_and_bytes() {
    use fourfold_schema::atd::ListMaker;
    use serde::de::value::{BytesDeserializer, Error, MapDeserializer, SeqDeserializer};
    use serde::de::{Deserializer, IntoDeserializer, Visitor};

    /// Bytes that deserialize as bytes.
    #[derive(Clone, Copy)]
    struct Bytes(&'static [u8]);

    impl<'de> IntoDeserializer<'de, Error> for Bytes {
        type Deserializer = BytesDeserializer<'static, Error>;

        fn into_deserializer(self) -> Self::Deserializer {
            BytesDeserializer::new(self.0)
        }
    }

    /// A map of values by their indices, for all requests.
    struct Parts<'a>(&'a [(u64, Bytes)]);

    impl<'de> Deserializer<'de> for Parts<'_> {
        type Error = Error;

        fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            visitor.visit_map(MapDeserializer::new(self.0.iter().copied()))
        }

        serde::forward_to_deserialize_any! {
            bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
            option unit unit_struct newtype_struct seq tuple tuple_struct map struct enum
            identifier ignored_any
        }
    }

    impl<'a> IntoDeserializer<'_, Error> for Parts<'a> {
        type Deserializer = Self;

        fn into_deserializer(self) -> Self {
            self
        }
    }

    let schema = Schema::parse(
        r#"
        type row = { s <json name="S"> : string; t : table }
        type table = inner list <biniou repr="table">
        type inner = { x : int }
        type pair = (string * table)
        "#,
    )
    .unwrap();
    // A row has no tag that its bytes could begin with.
    let list = SeqDeserializer::<_, Error>::new([Bytes(&[21, 0])].into_iter());
    let error = schema.get("table").unwrap().make(list).unwrap_err();
    assert_eq!(error.to_string(), "bytes for a row of a table, which has no tag of its own");
    let made = |ty: &str, parts: &[(u64, &'static [u8])]| {
        let parts: Vec<_> = parts.iter().map(|(place, bytes)| (*place, Bytes(bytes))).collect();
        let ty = schema.get(ty).unwrap();
        ty.make(Parts(&parts)).map_err(|error| error.to_string())
    };
    // An empty array is accepted as a table where the value has its own tag.
    let row = made("row", &[(1, &[19, 0]), (0, b"\xff")]).unwrap();
    let shown = to_json(&schema, &row, "row").unwrap();
    assert_eq!((shown.as_str(), &row[row.len() - 2..]), (r#"{"S":[255],"t":[]}"#, &[19, 0][..]));
    assert_eq!(made("pair", &[(0, b"a"), (1, &[25, 0])]).unwrap(), [20, 2, 18, 1, b'a', 25, 0]);
    for (ty, parts, text) in [
        ("row", &[(0, &b"a"[..])][..], "missing field `t`"),
        ("row", &[(2, b"a")], "unknown field `2` (there are `S` and `t`)"),
        ("row", &[(0, b"a"), (0, b"a")], "duplicate field `S`"),
        ("pair", &[(1, &[25, 0])], "cell 1 where cell 0 is expected"),
        ("pair", &[(0, b"a")], "invalid length 1, expected a list of 2"),
        (
            "row",
            &[(0, b"a"), (1, &[18, 0])],
            "bytes that are no value of the type: found string, expected table or array at byte 0",
        ),
    ] {
        assert_eq!(made(ty, parts).unwrap_err(), text, "{ty}");
    }
    // The items of a column share a tag, so an array is refused.
    let rows = [[(0, Bytes(b"a")), (1, Bytes(&[19, 0]))]];
    let mut tables = ListMaker::table(schema.get("row").unwrap()).unwrap();
    let list = SeqDeserializer::new(rows.iter().map(|row| Parts(row)));
    let error: Error = tables.append(list).unwrap_err();
    assert_eq!(error.to_string(), "array where all values have another tag");
    assert_eq!((tables.count(), tables.body(), tables.head()), (0, &[][..], vec![25, 0]));
    assert!(ListMaker::table(schema.get("pair").unwrap()).is_none());
}
