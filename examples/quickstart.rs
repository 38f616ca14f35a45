//! Reads a file of each format with derived types, and writes the same bytes again. Then damages a byte to show an error.
//!
//! `cargo run --example quickstart`

use std::error::Error;
use std::io::{self, Write};

use ckb::types::Block;
use fourfold::{biniou, molecule, primitiv, tsm};
use serde::{Deserialize, Serialize};

#[path = "../tests/ckb/mod.rs"]
mod ckb;

/// `type logs = { logs : entry list }` of `tests/fixtures/biniou/schemas/log.atd`.
#[derive(Serialize, Deserialize)]
struct Logs {
    logs: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    address: Address,
    identity: String,
    userid: String,
    date: String,
    request: String,
    #[serde(with = "biniou::with::int16")]
    code: u16,
    size: u64,
}

#[derive(Serialize, Deserialize)]
struct Address {
    #[serde(with = "biniou::with::int8")]
    x0: u8,
    #[serde(with = "biniou::with::int8")]
    x1: u8,
    #[serde(with = "biniou::with::int8")]
    x2: u8,
    #[serde(with = "biniou::with::int8")]
    x3: u8,
}

fn fixture(path: &str) -> io::Result<Vec<u8>> {
    std::fs::read(format!("{}/tests/fixtures/{path}", env!("CARGO_MANIFEST_DIR")))
}

/// Prints one line. Fails if the bytes written are not the bytes read.
fn report(
    out: &mut impl Write,
    what: &str,
    contents: &str,
    [read, written]: [&[u8]; 2],
) -> Result<(), Box<dyn Error>> {
    if read != written {
        return Err(format!("{what}: the {} bytes written differ", written.len()).into());
    }
    writeln!(out, "{what:<25}  {contents:<14}  {:>7} bytes read, the same written", read.len())?;
    Ok(())
}

/// Writes the report to `out`.
pub(crate) fn run(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let genesis = fixture("molecule/genesis/mainnet.bin")?;
    let block: Block = molecule::from_slice(&genesis)?;
    let contents = format!("{} transactions", block.transactions.len());
    report(out, "Molecule, CKB's block 0", &contents, [&genesis, &molecule::to_vec(&block)?])?;

    let bytes = fixture("biniou/data/log.logs-hundred.biniou")?;
    let logs: Logs = biniou::from_slice(&bytes)?;
    let contents = format!("{} records", logs.logs.len());
    report(out, "biniou, a log from OCaml", &contents, [&bytes, &biniou::to_vec(&logs)?])?;

    let bytes = fixture("tsm/good/cnn_small.tsm")?;
    let module: tsm::Module<'_> = tsm::from_slice(&bytes)?;
    let contents = format!("{} nodes", module.graph.nodes.len());
    report(out, "tsm, a TenniS module", &contents, [&bytes, &tsm::to_vec(&module)?])?;

    let bytes = fixture("primitiv/saved/z_xor_adam.model")?;
    let model: primitiv::Model<'_> = primitiv::File::from_slice(&bytes)?.try_into()?;
    let contents = format!("{} parameters", model.len());
    let written = primitiv::File::from(model).to_vec()?;
    report(out, "primitiv, a trained model", &contents, [&bytes, &written])?;

    let mut damaged = genesis;
    *damaged.get_mut(420).ok_or("block 0 is shorter than it was")? = 13;
    match molecule::from_slice::<Block>(&damaged) {
        Ok(_) => return Err("the damaged block was read".into()),
        Err(error) => writeln!(out, "block 0 with another byte 420: {error}")?,
    }
    Ok(())
}

#[allow(dead_code, reason = "a test of the README calls `run`")]
fn main() -> Result<(), Box<dyn Error>> {
    run(&mut io::stdout().lock())
}
