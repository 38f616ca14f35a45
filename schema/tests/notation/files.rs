//! The grammar of section 4 of TenniS's document on files that TenniS wrote, and on unusual files.

use std::collections::BTreeMap;

use fourfold_schema::notation::Tree;
use serde::Deserialize;

use super::{FIXTURES, section_4};
use crate::support::digest::{base64, sha256};
use crate::support::fixture::{assert_none, hex};

/// A dump of a module.
#[derive(Deserialize)]
struct Module {
    header: Header,
    inputs: Vec<u32>,
    outputs: Vec<u32>,
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Header {
    fake: u32,
    code: u32,
    data: String,
}

#[derive(Deserialize)]
struct Node {
    params: BTreeMap<String, Vec<Field>>,
    inputs: Vec<u32>,
}

/// A field of a packed tensor. For a long memory, the dump has the digest.
#[derive(Debug, PartialEq, Deserialize)]
struct Field {
    dtype: u8,
    shape: Vec<i64>,
    nbytes: usize,
    base64: Option<String>,
    sha256: Option<String>,
}

/// The longest memory whose bytes are in a dump.
const SHOWN: usize = 256;

/// Bytes in the form that dumps have for names.
fn name(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.starts_with("hex:") => text.to_owned(),
        _ => format!("hex:{}", hex(bytes)),
    }
}

/// The fields of a packed tensor in the form of the dumps, where one without fields is as TenniS loads it.
fn fields(packed: &Tree<'_>) -> Vec<Field> {
    let fields = packed.get("fields").and_then(Tree::as_array).unwrap();
    assert_eq!(packed.int("size"), i64::try_from(fields.len()).ok());
    if fields.is_empty() {
        return vec![Field {
            dtype: 0,
            shape: vec![],
            nbytes: 0,
            base64: Some(String::new()),
            sha256: None,
        }];
    }
    fields
        .iter()
        .map(|field| {
            let memory = field.get("memory").and_then(Tree::as_bytes).unwrap();
            let shape = field.get("proto.shape").unwrap();
            Field {
                dtype: u8::try_from(field.int("proto.dtype").unwrap()).unwrap(),
                shape: ints(shape),
                nbytes: memory.len(),
                base64: (memory.len() <= SHOWN).then(|| base64(memory)),
                sha256: (memory.len() > SHOWN).then(|| sha256(memory)),
            }
        })
        .collect()
}

/// The notation has signed integers only, the dumps have none.
fn unsigned(int: i64) -> u32 {
    u32::from_le_bytes(i32::try_from(int).unwrap().to_le_bytes())
}

fn ints(tree: &Tree<'_>) -> Vec<i64> {
    tree.as_scalars().unwrap().iter().map(|item| item.int("").unwrap()).collect()
}

fn indices(tree: &Tree<'_>, path: &str) -> Vec<u32> {
    ints(tree.get(path).unwrap()).into_iter().map(unsigned).collect()
}

#[test]
fn section_4_reads_and_writes_every_module() {
    let notation = section_4("<header><module>");
    let names = FIXTURES.names("good", "tsm");
    assert!(names.len() >= 20);
    for file in names {
        let bytes = FIXTURES.bytes(&format!("good/{file}.tsm"));
        let tree = notation.decode(&bytes).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(notation.encode(&tree).unwrap(), bytes, "{file}");

        let dump: Module = FIXTURES.json(&format!("good/{file}.json"));
        assert_eq!(tree.int("header.fake").map(unsigned), Some(dump.header.fake));
        assert_eq!(tree.int("header.code"), Some(dump.header.code.into()));
        let data = tree.get("header.data").and_then(Tree::as_bytes).unwrap();
        assert_eq!(hex(data), dump.header.data);
        assert_eq!(indices(&tree, "module.inputs.indexs"), dump.inputs);
        assert_eq!(indices(&tree, "module.outputs.indexs"), dump.outputs);

        let nodes = tree.get("module.graph.nodes").and_then(Tree::as_array).unwrap();
        assert_eq!(nodes.len(), dump.nodes.len(), "{file}");
        for (index, (node, dump)) in nodes.iter().zip(&dump.nodes).enumerate() {
            assert_eq!(indices(node, "inputs.indexs"), dump.inputs, "{file} {index}");
            let params = node.get("bubble.params").and_then(Tree::as_array).unwrap();
            let params: BTreeMap<_, _> = params
                .iter()
                .map(|param| {
                    let bytes = param.get("name.data").and_then(Tree::as_bytes).unwrap();
                    (name(bytes), fields(param.get("value").unwrap()))
                })
                .collect();
            assert_eq!(params, dump.params, "{file} {index}");
        }
    }
}

#[test]
fn section_4_reads_and_writes_every_tensor() {
    let notation = section_4("<packed_tensor>");
    let names = FIXTURES.names("good", "t");
    assert!(names.len() >= 6);
    for file in names {
        let bytes = FIXTURES.bytes(&format!("good/{file}.t"));
        let tree = notation.decode(&bytes).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(notation.encode(&tree).unwrap(), bytes, "{file}");
        let dump: Vec<Field> = FIXTURES.json(&format!("good/{file}.json"));
        assert_eq!(fields(&tree), dump, "{file}");
    }
}

#[test]
fn values_of_a_file_are_found_by_path() {
    let bytes = FIXTURES.bytes("good/minimal.tsm");
    let tree = section_4("<header><module>").decode(&bytes).unwrap();
    let op = tree.get("module.graph.nodes[1].bubble.params[0]").unwrap();
    let texts = ["name.data", "value.fields[0].memory"]
        .map(|path| String::from_utf8_lossy(op.get(path).and_then(Tree::as_bytes).unwrap()));
    assert!(texts == ["#op", "relu"] || texts == ["#name", "y"], "{texts:?}");
}

/// The unusual files that violate the grammar, and the error. The notation refuses unknown dtypes, which TenniS reads
/// as dtypes without bytes. It does not check `code` and indices.
const UNUSUAL: [(&str, &str); 23] = [
    (
        "count_overflows_to_zero",
        "input ends early: 17179869184 bytes needed, 8 left in module.graph.nodes[1].bubble.params[2].value.fields[0].memory at byte 279",
    ),
    (
        "count_wraps_to_1",
        "input ends early: 17179869188 bytes needed, 12 left in module.graph.nodes[1].bubble.params[2].value.fields[0].memory at byte 279",
    ),
    ("gzip_like", "64 trailing bytes at byte 140"),
    ("header_only", "input ends early: 4 bytes needed, 0 left in module.inputs.size at byte 128"),
    (
        "huge_dims",
        "count -1 is negative in module.graph.nodes[1].bubble.params[2].value.fields[0].proto.shape at byte 271",
    ),
    (
        "huge_field_count",
        "count -1 is negative in module.graph.nodes[1].bubble.params[2].value.fields at byte 266",
    ),
    ("huge_input_count", "count -1 is negative in module.inputs.indexs at byte 132"),
    (
        "huge_name_length",
        "input ends early: 2147483647 bytes needed, 3 left in module.graph.nodes[1].bubble.params[2].name.data at byte 261",
    ),
    (
        "huge_node_count",
        "input ends early: 17179869176 bytes needed, 147 left in module.graph.nodes at byte 148",
    ),
    ("huge_param_count", "count -1 is negative in module.graph.nodes[0].bubble.params at byte 148"),
    (
        "huge_tensor",
        "input ends early: 8000000000 bytes needed, 8 left in module.graph.nodes[1].bubble.params[2].value.fields[0].memory at byte 279",
    ),
    (
        "negative_dim",
        "count -4 is negative in module.graph.nodes[1].bubble.params[2].value.fields[0].memory at byte 275",
    ),
    ("trailing_byte", "1 trailing byte at byte 295"),
    ("trailing_module", "295 trailing bytes at byte 295"),
    (
        "truncated_before_nodes",
        "input ends early: 4 bytes needed, 0 left in module.graph.size at byte 144",
    ),
    ("truncated_header", "input ends early: 120 bytes needed, 52 left in header.data at byte 8"),
    (
        "truncated_in_inputs",
        "input ends early: 4 bytes needed, 2 left in module.inputs.indexs at byte 132",
    ),
    (
        "truncated_in_node",
        "input ends early: 4 bytes needed, 3 left in module.graph.nodes[0].bubble.params[1].value.fields[0].proto.shape at byte 197",
    ),
    (
        "truncated_in_tensor",
        "input ends early: 256 bytes needed, 164 left in module.graph.nodes[1].bubble.params[2].value.fields[0].memory at byte 279",
    ),
    (
        "truncated_last_byte",
        "input ends early: 4 bytes needed, 3 left in module.graph.nodes[1].inputs.indexs at byte 291",
    ),
    (
        "unknown_dtype_255",
        "unknown dtype -1 in module.graph.nodes[1].bubble.params[2].value.fields[0].memory at byte 279",
    ),
    (
        "unknown_dtype_33",
        "unknown dtype 33 in module.graph.nodes[1].bubble.params[2].value.fields[0].memory at byte 275",
    ),
    ("zero_length", "input ends early: 4 bytes needed, 0 left in header.fake at byte 0"),
];

#[test]
#[cfg(target_pointer_width = "64")] // a 32-bit `usize` ends at four gigabytes
fn unusual_files_are_refused_with_their_offset() {
    let notation = section_4("<header><module>");
    let mut failures = Vec::new();
    for file in FIXTURES.names("odd", "tsm") {
        let bytes = FIXTURES.bytes(&format!("odd/{file}.tsm"));
        let expected = UNUSUAL.iter().find(|(name, _)| *name == file).map(|(_, error)| *error);
        match (notation.decode(&bytes), expected) {
            (Ok(tree), None) => assert_eq!(notation.encode(&tree).unwrap(), bytes, "{file}"),
            (Err(error), Some(expected)) if error.to_string() == expected => {}
            (decoded, _) => failures.push(format!("{file}: {:?}", decoded.map(|_| "reads"))),
        }
    }
    assert_none(&failures);
}
