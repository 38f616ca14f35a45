//! Trees of biniou values: they keep all content of the bytes.

use std::fmt::Debug;

use fourfold::biniou::{
    ChunkReader, Options, StreamDeserializer, Value, from_reader, from_slice, from_value, to_value,
    to_vec, to_writer,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::schema::fixture::{self, FIXTURES};
use crate::schema::{Test, with_type};
use crate::support::fixture::{assert_none, hex, step};

/// Files that OCaml refuses: it has no integers for vints of more than 9 bytes.
const WIDE: [&str; 3] =
    ["reader/vint-ten_bytes_refused", "reader/vint-u64_max_refused", "tree-reader/uvint_ten_bytes"];

/// Files that only OCaml accepts: it ignores trailing bytes.
const TRAILING: [&str; 2] = ["reader/scalar-trailing_bytes_ignored", "tree-reader/trailing_bytes"];

/// A value in the notation of the fixtures' trees.
fn notation(value: &Value) -> serde_json::Value {
    let argument = |value: &Option<Box<Value>>| value.as_deref().map(notation);
    let all = |values: &[Value]| values.iter().map(notation).collect::<Vec<_>>();
    match value {
        Value::Unit => json!({ "unit": 0 }),
        Value::Bool(bit) => json!({ "bool": bit }),
        Value::Int8(number) => json!({ "int8": number }),
        Value::Int16(number) => json!({ "int16": number }),
        Value::Int32(number) => json!({ "int32": format!("{number:08x}") }),
        Value::Int64(number) => json!({ "int64": format!("{number:016x}") }),
        Value::Float32(float) => json!({ "float32": format!("{:08x}", float.to_bits()) }),
        Value::Float64(float) => json!({ "float64": format!("{:016x}", float.to_bits()) }),
        Value::Uvint(number) => json!({ "uvint": number.to_string() }),
        Value::Svint(number) => json!({ "svint": number.to_string() }),
        Value::String(bytes) => json!({ "string": hex(bytes) }),
        Value::Array(items) => match items.first() {
            None => json!({ "array": null }),
            Some(item) => json!({ "array": { "tag": item.tag() as u8, "items": all(items) } }),
        },
        Value::Tuple(cells) => json!({ "tuple": all(cells) }),
        Value::Record(fields) => {
            let fields = fields.iter().map(|(hash, value)| json!([name(*hash), notation(value)]));
            json!({ "record": fields.collect::<Vec<_>>() })
        }
        Value::NumVariant(number, value) => json!({ "num_variant": [number, argument(value)] }),
        Value::Variant(hash, value) => json!({ "variant": [name(*hash), argument(value)] }),
        Value::Table(table) if table.rows.is_empty() => json!({ "table": null }),
        Value::Table(table) => {
            let columns = table.columns.iter().map(|(hash, tag)| json!([name(*hash), *tag as u8]));
            let rows = table.rows.iter().map(|row| all(row));
            json!({ "table": {
                "columns": columns.collect::<Vec<_>>(),
                "rows": rows.collect::<Vec<_>>(),
            } })
        }
        Value::Shared(id, value) => json!({ "shared": { "id": id, "value": notation(value) } }),
        Value::Reference(id) => json!({ "shared": { "ref": id } }),
        // The notation does not show the width of a vint.
        Value::Overlong(_, value) => notation(value),
        other => panic!("no notation for {other:?}"),
    }
}

fn name(hash: u32) -> String {
    format!("{hash:08x}")
}

/// Reads a value from a slice and a stream, and checks that it is written with the same bytes.
fn round_trip(bytes: &[u8]) -> Result<Value, String> {
    let value: Value = from_slice(bytes).map_err(|e| e.to_string())?;
    let read: Value = from_reader(bytes).map_err(|e| format!("from_reader: {e}"))?;
    if read != value || value.clone() != value {
        return Err(format!("from_slice: {value:?}, from_reader: {read:?}"));
    }
    let vec = to_vec(&value).map_err(|e| format!("to_vec: {e}"))?;
    let mut written = Vec::new();
    to_writer(&mut written, &value).map_err(|e| format!("to_writer: {e}"))?;
    if vec != bytes || written != bytes {
        return Err(format!("to_vec: {}, to_writer: {}", hex(&vec), hex(&written)));
    }
    // `to_value` and `from_value` do not change a value.
    let twice = [to_value(&value), from_value(&value)];
    for again in twice {
        if again.as_ref().ok() != Some(&value) {
            return Err(format!("{value:?} becomes {again:?}"));
        }
    }
    Ok(value)
}

/// The value of an input, ignoring trailing bytes.
fn read(file: &str, bytes: &[u8]) -> Result<Value, String> {
    if !TRAILING.contains(&file) {
        return round_trip(bytes);
    }
    let lax = Options::new().allow_trailing(true);
    let value: Value = lax.from_slice(bytes).map_err(|e| e.to_string())?;
    let vec = to_vec(&value).map_err(|e| format!("to_vec: {e}"))?;
    assert!(bytes.starts_with(&vec) && vec.len() < bytes.len(), "{file}: {}", hex(&vec));
    let error = from_slice::<Value>(bytes).unwrap_err();
    assert_eq!(error.offset(), Some(vec.len()), "{file}: {error}");
    Ok(value)
}

/// The value, or `None` for an input that has to be refused, whose error has to be a reading error.
fn read_or_refuse(file: &str, bytes: &[u8], refused: bool) -> Result<Option<Value>, String> {
    if !refused || WIDE.contains(&file) {
        return read(file, bytes).map(Some);
    }
    match Options::new().allow_trailing(true).from_slice::<Value>(bytes) {
        Ok(value) => Err(format!("{value:?}, wanted an error")),
        Err(_) => Ok(None),
    }
}

/// Checks each file of a folder: equal to its tree, or refused where OCaml refuses it.
fn check_trees(folder: &str) -> usize {
    let names = FIXTURES.names(folder, "biniou");
    let mut failures = Vec::new();
    for file in names.iter().map(|name| format!("{folder}/{name}")) {
        let bytes = FIXTURES.bytes(&format!("{file}.biniou"));
        let refused = FIXTURES.exists(&format!("{file}.error"));
        // Ten thousand levels: has its own test.
        if file == "tree/deep_array_10000" {
            continue;
        }
        let outcome = read_or_refuse(&file, &bytes, refused).and_then(|value| {
            let (Some(value), false) = (value, refused) else {
                return Ok(());
            };
            let wanted: serde_json::Value = FIXTURES.json(&format!("{file}.json"));
            let found = notation(&value);
            if found == wanted { Ok(()) } else { Err(format!("{found}, wanted {wanted}")) }
        });
        if let Err(e) = outcome {
            failures.push(format!("{file} {}: {e}", hex(&bytes)));
        }
    }
    assert_none(&failures);
    names.len()
}

#[test]
fn trees_of_fixtures() {
    assert_eq!(check_trees("tree"), 77);
}

#[test]
fn trees_accepted_and_refused() {
    assert_eq!(check_trees("tree-reader"), 24);
}

/// Numbers wider than any integer of OCaml survive.
#[test]
fn wide_values_survive() {
    let bytes = FIXTURES.bytes("tree-reader/uvint_ten_bytes.biniou");
    assert_eq!(round_trip(&bytes).unwrap(), Value::Uvint(1 << 63));
    let bytes = FIXTURES.bytes("reader/vint-u64_max_refused.biniou");
    assert_eq!(round_trip(&bytes).unwrap(), Value::Uvint(u128::from(u64::MAX)));
}

#[test]
fn ten_thousand_levels_survive() {
    let bytes = FIXTURES.bytes("tree/deep_array_10000.biniou");
    let refused = from_slice::<Value>(&bytes).unwrap_err();
    assert!(refused.offset().is_some_and(|offset| offset < 1000), "{refused}");

    let work = move || {
        let deep = Options::new().max_depth(10_000);
        let value: Value = deep.from_slice(&bytes).unwrap();
        assert_eq!(deep.to_vec(&value).unwrap(), bytes);
        assert!(to_vec(&value).is_err());
        let shallow = Options::new().max_depth(9_999);
        assert!(shallow.from_slice::<Value>(&bytes).is_err());
        assert!(shallow.to_vec(&value).is_err());
        assert!(value == value.clone());
    };
    // Needs more stack than a test thread has.
    std::thread::Builder::new().stack_size(1 << 28).spawn(work).unwrap().join().unwrap();
}

/// The bytes of all fixtures whose name has no instructions for reading.
fn every_other_fixture() -> Vec<(String, Vec<u8>)> {
    let mut inputs = Vec::new();
    for folder in ["typed", "data", "reader"] {
        for file in FIXTURES.names(folder, "biniou").iter().map(|name| format!("{folder}/{name}")) {
            let bytes = FIXTURES.bytes(&format!("{file}.biniou"));
            inputs.push((file, bytes));
        }
    }
    for name in FIXTURES.names("stream", "stream") {
        let bytes = FIXTURES.bytes(&format!("stream/{name}.stream"));
        for (i, chunk) in ChunkReader::new(bytes.as_slice()).enumerate() {
            inputs.push((format!("stream/{name} #{i}"), chunk.unwrap()));
        }
    }
    inputs
}

#[test]
fn every_other_fixture_round_trips() {
    let mut refused = 0;
    let mut failures = Vec::new();
    let inputs = every_other_fixture();
    for (file, bytes) in &inputs {
        // Inputs that OCaml cannot dump have no tree.
        let dump = format!("{file}.txt");
        let no_tree =
            FIXTURES.exists(&dump) && FIXTURES.text(&dump).starts_with("cannot be dumped: ");
        match read_or_refuse(file, bytes, no_tree) {
            Ok(Some(_)) => {}
            Ok(None) => refused += 1,
            Err(e) => failures.push(format!("{file} {}: {e}", hex(bytes))),
        }
    }
    assert_none(&failures);
    assert_eq!((inputs.len(), refused), (282, 10));
}

#[test]
fn concatenated_values() {
    for name in FIXTURES.names("multi", "biniou") {
        let bytes = FIXTURES.bytes(&format!("multi/{name}.biniou"));
        let values = StreamDeserializer::from_slice(&bytes).collect::<Result<Vec<Value>, _>>();
        let mut written = Vec::new();
        for value in values.unwrap() {
            to_writer(&mut written, &value).unwrap();
        }
        assert_eq!(written, bytes, "{name}");
    }
}

/// Checks that a Rust value has the tree of its bytes, and that the tree has the value.
struct SameTree<'a>(&'a [u8]);

impl Test for SameTree<'_> {
    fn run<T: Serialize + DeserializeOwned + PartialEq + Debug>(&self) -> Result<(), String> {
        let decoded: T = step("from_slice", from_slice(self.0))?;
        let tree: Value = step("the tree", from_slice(self.0))?;
        let from_tree: T = step("from_value", from_value(&tree))?;
        if from_tree != decoded {
            return Err(format!("{decoded:?}, from_value: {from_tree:?}"));
        }
        // Values with defaults have other bytes.
        let bytes = step("to_vec", to_vec(&decoded))?;
        let tree: Value = step("the tree of to_vec", from_slice(&bytes))?;
        let to_tree = step("to_value", to_value(&decoded))?;
        if to_tree != tree {
            return Err(format!("{tree:?}, to_value: {to_tree:?}"));
        }
        Ok(())
    }
}

#[test]
fn trees_of_rust_values() {
    let mut failures = Vec::new();
    for folder in ["typed", "data"] {
        for name in FIXTURES.names(folder, "biniou") {
            let bytes = FIXTURES.bytes(&format!("{folder}/{name}.biniou"));
            if let Err(e) = with_type(fixture::type_of(&name), &SameTree(&bytes)) {
                failures.push(format!("{folder}/{name} {}: {e}", hex(&bytes)));
            }
        }
    }
    assert_none(&failures);
}
