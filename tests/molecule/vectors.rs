//! Bytes of the official implementation and their values: both ways are exact.

use fourfold::molecule::{from_reader, from_slice, to_vec, to_writer};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, from_value, json, to_value};

use crate::ckb::types::{Block, Byte32, Bytes, Header, ProposalShortId};
use crate::schema::compare::{ckb_hash, compare};
use crate::schema::fixture::{self, Case, hex};
use crate::schema::{Test, with_type};
use crate::support::fixture::step;

/// Checks that the bytes are read as the value and the value is written as the bytes, with slices and streams.
struct RoundTrip<'a> {
    bytes: &'a [u8],
    value: &'a Value,
}

impl Test for RoundTrip<'_> {
    fn run<T: Serialize + DeserializeOwned>(&self) -> Result<(), String> {
        let from_slice: T = step("from_slice", from_slice(self.bytes))?;
        let from_reader: T = step("from_reader", from_reader(self.bytes))?;
        for (source, decoded) in [("from_slice", &from_slice), ("from_reader", &from_reader)] {
            self.check_value(source, to_value(decoded))?;
        }

        let mut written = Vec::new();
        step("to_writer", to_writer(&mut written, &from_reader))?;
        self.check_bytes("to_writer", &written)?;
        self.check_bytes("to_vec", &step("to_vec", to_vec(&from_slice))?)
    }
}

impl RoundTrip<'_> {
    fn check_value(&self, source: &str, json: serde_json::Result<Value>) -> Result<(), String> {
        let decoded = step(source, json)?;
        step(source, compare(&decoded, self.value))
    }

    fn check_bytes(&self, source: &str, written: &[u8]) -> Result<(), String> {
        match written == self.bytes {
            true => Ok(()),
            false => Err(format!("{source}: {}", hex(written))),
        }
    }
}

/// Runs all cases of a file, and returns their number.
fn check(file: &str) -> usize {
    let cases: Vec<Case> = fixture::json(file);
    let mut failures = Vec::new();
    for (i, Case { name, value, hex: bytes }) in cases.iter().enumerate() {
        if let Err(e) = with_type(name, &RoundTrip { bytes, value }) {
            failures.push(format!("{file} #{i} {name} {}: {e}", hex(bytes)));
        }
    }
    fixture::assert_none(&failures);
    cases.len()
}

#[test]
fn official_vectors() {
    assert_eq!(check("vectors.json"), 86);
}

#[test]
fn specification_examples() {
    assert_eq!(check("spec_examples.json"), 30);
}

#[test]
fn values_of_blockchain() {
    assert_eq!(check("values/blockchain.json"), 141);
}

#[test]
fn values_of_extensions() {
    assert_eq!(check("values/extensions.json"), 167);
}

#[test]
fn values_of_lab() {
    assert_eq!(check("values/lab.json"), 284);
}

#[test]
fn values_of_protocols() {
    assert_eq!(check("values/protocols.json"), 52);
}

#[test]
fn values_of_spec() {
    assert_eq!(check("values/spec.json"), 45);
}

#[test]
fn values_of_types() {
    assert_eq!(check("values/types.json"), 128);
}

/// A `.bin` file and its `.json` file.
fn check_file(name: &str) -> (Vec<u8>, Value) {
    let bytes = fixture::bytes(&format!("{name}.bin"));
    let json: Value = fixture::json(&format!("{name}.json"));
    let case = RoundTrip { bytes: &bytes, value: &json["value"] };
    if let Err(e) = with_type(json["type"].as_str().unwrap(), &case) {
        fixture::assert_none(&[format!("{name}: {e}")]);
    }
    (bytes, json)
}

#[test]
fn blocks() {
    for name in ["block-empty", "block-40", "blockv1-12"] {
        check_file(&format!("blocks/{name}"));
    }
}

#[test]
fn genesis() {
    let (bytes, json) = check_file("genesis/mainnet");
    assert_eq!(json["len"], bytes.len());
    assert_eq!(bytes.len(), 1_236_271);

    let block: Block = from_slice(&bytes).unwrap();
    let header = to_vec(&block.header).unwrap();
    let hash = "0x92b197aa1fba0f63633922c61c92375c9c074a93e85963554f5499fe1450d0e5";
    assert_eq!(header, bytes[20..228]);
    assert_eq!(ckb_hash(&header), hash);
    assert_eq!(json["header_hash"], hash);
    assert_eq!(from_slice::<Header>(&bytes[20..228]).unwrap(), block.header);
}

#[test]
fn json_of_the_node_types() {
    let block: Block = from_slice(&fixture::bytes("blocks/block-40.bin")).unwrap();
    assert_eq!(from_value::<Block>(to_value(&block).unwrap()).unwrap(), block);

    assert_eq!(to_value(Bytes(vec![0, 0xab])).unwrap(), "0x00ab");
    assert_eq!(from_value::<Bytes>(json!("0x00aB")).unwrap(), Bytes(vec![0, 0xab]));
    assert_eq!(from_value::<Bytes>(json!("0x")).unwrap(), Bytes(vec![]));
    for text in ["", "00", "0x0", "0x0g", "0x+1", "0x\u{e9}"] {
        assert!(from_value::<Bytes>(json!(text)).is_err(), "{text}");
    }
    assert_eq!(from_value::<Byte32>(json!(format!("0x{:064}", 0))).unwrap(), Byte32::default());
    assert!(from_value::<ProposalShortId>(json!("0x00")).is_err());
}
