//! Computes the fees of many blocks in a file, without reading witnesses, headers or data.
//!
//! Writes 200 blocks after CKB's genesis block, each spending the output of the block before, and reads the file record
//! by record. Of a transaction it reads the inputs and the capacities of outputs, and hashes its bytes without copying.
//!
//! `cargo run --profile light --example ckb_lazy`

use std::collections::HashMap;
use std::error::Error;

use ckb::types::{Block, Byte32, Bytes, CellInput, CellOutput, OutPoint, RawTransaction, Script};
use fourfold::molecule::{self, Frames, Lazy, List, Path, Raw, RecordWriter, Records};
use serde::Deserialize;
use serde::de::IgnoredAny;

#[path = "../tests/ckb/mod.rs"]
mod ckb;

/// A block of which only the transactions are read.
#[derive(Deserialize)]
struct LazyBlock<'a> {
    #[serde(rename = "header")]
    _header: IgnoredAny,
    #[serde(rename = "uncles")]
    _uncles: IgnoredAny,
    #[serde(borrow)]
    transactions: List<'a, LazyTransaction<'a>>,
    #[serde(rename = "proposals")]
    _proposals: IgnoredAny,
}

/// A transaction of which the hash and some fields are read.
#[derive(Deserialize)]
struct LazyTransaction<'a> {
    #[serde(borrow)]
    raw: Lazy<'a, LazyRawTransaction<'a>>,
    #[serde(rename = "witnesses")]
    _witnesses: Raw<'a>,
}

#[derive(Deserialize)]
struct LazyRawTransaction<'a> {
    #[serde(rename = "version")]
    _version: IgnoredAny,
    #[serde(rename = "cell_deps")]
    _cell_deps: IgnoredAny,
    #[serde(rename = "header_deps")]
    _header_deps: IgnoredAny,
    #[serde(borrow)]
    inputs: List<'a, CellInput>,
    outputs: List<'a, LazyOutput>,
    #[serde(rename = "outputs_data")]
    _outputs_data: IgnoredAny,
}

#[derive(Deserialize)]
struct LazyOutput {
    capacity: u64,
    #[serde(rename = "lock")]
    _lock: IgnoredAny,
    #[serde(rename = "type_")]
    _type: IgnoredAny,
}

/// The published hashes of the transactions of block 0.
const TRANSACTIONS: [&str; 2] = [
    "e2fb199810d49a4d8beec56718ba2593b665db9d52299a0f9e6e75416d73ff5c",
    "71a7ba8fc96349fea0ed3a5c47992e3b4084b031a42264a018e0072e8172e46c",
];

const BLOCKS: u64 = 200;

fn main() -> Result<(), Box<dyn Error>> {
    let genesis =
        concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/molecule/genesis/mainnet.bin");
    let genesis = std::fs::read(genesis)?;
    let first: LazyBlock<'_> = molecule::from_slice(&genesis)?;
    for (transaction, known) in first.transactions.iter().zip(TRANSACTIONS) {
        let hash = hex(hash(&transaction?.raw.bytes()));
        println!("a transaction of block 0: 0x{hash}");
        if hash != known {
            return Err("the hash of the raw bytes is wrong".into());
        }
    }

    let file = chain(genesis)?;
    let mut capacities: HashMap<([u8; 32], u32), u64> = HashMap::new();
    let (mut blocks, mut transactions, mut all_fees) = (0, 0, 0);
    for block in Records::<_, LazyBlock<'_>>::from_slice(&file) {
        let block = block?;
        let mut fees = 0;
        for transaction in &block.transactions {
            let transaction = transaction?;
            let raw = transaction.raw.get()?;
            let mut spent = 0;
            for input in &raw.inputs {
                let OutPoint { tx_hash, index } = input?.previous_output;
                // The input of the first block refers to no cell.
                spent += capacities.remove(&(tx_hash.0, index)).unwrap_or_default();
            }
            let (own, mut made) = (hash(&transaction.raw.bytes()), 0);
            for (index, output) in (0..).zip(&raw.outputs) {
                let capacity = output?.capacity;
                capacities.insert((own, index), capacity);
                made += capacity;
            }
            fees += u64::saturating_sub(spent, made);
            transactions += 1;
        }
        blocks += 1;
        all_fees += fees;
    }
    println!("{blocks} blocks in {} bytes, {transactions} transactions", file.len());
    println!("fees: {all_fees} shannons");

    // Reads one field of a message, without the rest.
    let capacity = Path::new("2[0].0.4[0].0")?;
    let block = Frames::from_slice(&file).next().ok_or("no record")??;
    let capacity: u64 = molecule::at(block, &capacity)?;
    println!("the first output of block 0 has {capacity} shannons");
    if all_fees != BLOCKS * FEE {
        return Err("the fees differ from those that were paid".into());
    }
    Ok(())
}

/// CKB's hash: personalised blake2b with 32 bytes. The hash of a transaction does not cover its witnesses.
fn hash(bytes: &[u8]) -> [u8; 32] {
    let mut params = blake2b_simd::Params::new();
    let hash = params.hash_length(32).personal(b"ckb-default-hash").hash(bytes);
    let mut bytes = [0; 32];
    bytes.copy_from_slice(hash.as_bytes());
    bytes
}

fn hex(hash: [u8; 32]) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The fee of each block.
const FEE: u64 = 1_000;

/// The first block and 200 more, as concatenated records.
fn chain(genesis: Vec<u8>) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut previous = Block::default();
    previous.transactions.push(transaction(vec![], 1 << 40));
    let mut file = RecordWriter::new(genesis);
    file.write(&previous)?;
    for _ in 0..BLOCKS {
        let spent = previous.transactions.first().ok_or("no transaction")?;
        let tx_hash = Byte32(hash(&molecule::to_vec(&spent.raw)?));
        let capacity = spent.raw.outputs.first().map_or(0, |output| output.capacity);
        let input = CellInput { since: 0, previous_output: OutPoint { tx_hash, index: 0 } };
        let mut block = Block::default();
        block.transactions.push(transaction(vec![input], capacity - FEE));
        file.write(&block)?;
        previous = block;
    }
    Ok(file.into_inner())
}

/// A transaction with one output, and a witness that is never read.
fn transaction(inputs: Vec<CellInput>, capacity: u64) -> ckb::types::Transaction {
    let lock = Script { hash_type: 1, args: Bytes(vec![7; 20]), ..Script::default() };
    let output = CellOutput { capacity, lock, type_: None };
    let raw = RawTransaction { inputs, outputs: vec![output], ..RawTransaction::default() };
    ckb::types::Transaction { raw, witnesses: vec![Bytes(vec![0; 1000])] }
}
