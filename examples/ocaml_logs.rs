//! Reads log records of an OCaml program with atdgen, counts them, and writes them as a TABLE, which stores names and tags
//! once instead of once per record.
//!
//! `cargo run --profile light --example ocaml_logs [FILE]`

use std::collections::BTreeMap;
use std::error::Error;

use fourfold::biniou::{self, with::Table, with::int8, with::int16};
use serde::{Deserialize, Serialize};

// type byte = int <biniou repr="int8">
// type address = { x0 : byte; x1 : byte; x2 : byte; x3 : byte }
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Address {
    #[serde(with = "int8")]
    x0: u8,
    #[serde(with = "int8")]
    x1: u8,
    #[serde(with = "int8")]
    x2: u8,
    #[serde(with = "int8")]
    x3: u8,
}

// type entry = { address : address; identity : string; userid : string; date : string;
//                request : string; code : int <biniou repr="int16">; size : int <biniou repr="uvint"> }
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Entry {
    address: Address,
    identity: String,
    userid: String,
    date: String,
    request: String,
    #[serde(with = "int16")]
    code: u16,
    size: u64,
}

// type logs = { logs : entry list }
#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Logs {
    logs: Vec<Entry>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let fixture =
        concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/biniou/data/log.logs-hundred.biniou");
    let path = std::env::args().nth(1).unwrap_or_else(|| fixture.into());
    let bytes = std::fs::read(path)?;
    let logs: Logs = biniou::from_slice(&bytes)?;

    let mut answers: BTreeMap<u16, (usize, u64)> = BTreeMap::new();
    for entry in &logs.logs {
        let (count, size) = answers.entry(entry.code).or_default();
        *count += 1;
        *size += entry.size;
    }
    println!("code  answers      bytes");
    for (code, (count, size)) in &answers {
        println!("{code:>4} {count:>8} {size:>10}");
    }

    // type log_table = entry list <ocaml repr="array"> <biniou repr="table">
    let table = biniou::to_vec(&Table(&logs.logs))?;
    let again: Table<Vec<Entry>> = biniou::from_slice(&table)?;
    println!("{} records", logs.logs.len());
    println!("{} bytes as a list of records", bytes.len());
    println!("{} bytes as a table, read back equal: {}", table.len(), again.0 == logs.logs);
    if again.0 != logs.logs || biniou::to_vec(&logs)? != bytes {
        return Err("the records read back differ".into());
    }
    Ok(())
}
