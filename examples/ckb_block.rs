//! Reads the CKB mainnet genesis block into derived structs, prints it as JSON, and writes
//! the same bytes again.
//!
//! `cargo run --profile light --example ckb_block [-- --full]`

use std::error::Error;

use ckb::types::Block;
use fourfold::molecule;
use serde_json::Value;

#[path = "../tests/ckb/mod.rs"]
mod ckb;

/// The published hash of block 0.
const HEADER_HASH: &str = "92b197aa1fba0f63633922c61c92375c9c074a93e85963554f5499fe1450d0e5";

fn main() -> Result<(), Box<dyn Error>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/molecule/genesis/mainnet.bin");
    let bytes = std::fs::read(path)?;
    let block: Block = molecule::from_slice(&bytes)?;

    let mut json = serde_json::to_value(&block)?;
    if !std::env::args().any(|argument| argument == "--full") {
        shorten(&mut json);
    }
    println!("{json:#}");

    let again = molecule::to_vec(&block)?;
    let hash = ckb_hash(&molecule::to_vec(&block.header)?);
    println!("{} transactions", block.transactions.len());
    println!("{} bytes read, {} written, equal: {}", bytes.len(), again.len(), bytes == again);
    println!("header hash 0x{hash}");
    if bytes != again || hash != HEADER_HASH {
        return Err("the bytes written or the header hash differ".into());
    }
    Ok(())
}

/// CKB's hash: personalised blake2b with 32 bytes.
fn ckb_hash(bytes: &[u8]) -> String {
    let mut params = blake2b_simd::Params::new();
    params.hash_length(32).personal(b"ckb-default-hash").hash(bytes).to_hex().to_string()
}

/// Shortens long byte strings: the block has programs of more than a megabyte.
fn shorten(json: &mut Value) {
    const SHOWN: usize = 66;
    match json {
        Value::String(text) if text.len() > SHOWN => {
            let bytes = text.len() / 2 - 1;
            text.truncate(SHOWN);
            *text += &format!(".. ({bytes} bytes)");
        }
        Value::Array(items) => items.iter_mut().for_each(shorten),
        Value::Object(fields) => fields.values_mut().for_each(shorten),
        _ => {}
    }
}
