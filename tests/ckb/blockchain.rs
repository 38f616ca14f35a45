//! `blockchain.mol`: blocks, transactions, scripts and cells.

use fourfold::molecule::with::{DynVec, FixVec, dynvec, fixvec};
use serde::{Deserialize, Serialize};

use super::hex;

/// A hash, or any other 32 bytes.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Byte32(#[serde(with = "hex")] pub [u8; 32]);

/// A 256 bit number, little-endian.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Uint256(#[serde(with = "hex")] pub [u8; 32]);

/// Bytes of any length: a fixvec of `byte`.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bytes(#[serde(with = "hex")] pub Vec<u8>);

/// The first ten bytes of a transaction hash.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ProposalShortId(#[serde(with = "hex")] pub [u8; 10]);

/// Names a program by hash, and gives its arguments.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    pub code_hash: Byte32,
    pub hash_type: u8,
    pub args: Bytes,
}

/// Points at one output of an earlier transaction.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename = "struct.OutPoint")]
pub struct OutPoint {
    pub tx_hash: Byte32,
    pub index: u32,
}

/// Spends the cell that `previous_output` points at.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename = "struct.CellInput")]
pub struct CellInput {
    pub since: u64,
    pub previous_output: OutPoint,
}

/// A cell without its data: capacity in shannons, who may spend it, what it must obey.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct CellOutput {
    pub capacity: u64,
    pub lock: Script,
    pub type_: Option<Script>,
}

/// A cell that scripts may read, or (`dep_type` 1) a list of such cells.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename = "struct.CellDep")]
pub struct CellDep {
    pub out_point: OutPoint,
    pub dep_type: u8,
}

/// A transaction without witnesses; the transaction hash covers this.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct RawTransaction {
    pub version: u32,
    #[serde(with = "fixvec")]
    pub cell_deps: Vec<CellDep>,
    #[serde(with = "fixvec")]
    pub header_deps: Vec<Byte32>,
    #[serde(with = "fixvec")]
    pub inputs: Vec<CellInput>,
    #[serde(with = "dynvec")]
    pub outputs: Vec<CellOutput>,
    #[serde(with = "dynvec")]
    pub outputs_data: Vec<Bytes>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct Transaction {
    pub raw: RawTransaction,
    #[serde(with = "dynvec")]
    pub witnesses: Vec<Bytes>,
}

/// A header without its nonce.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename = "struct.RawHeader")]
pub struct RawHeader {
    pub version: u32,
    pub compact_target: u32,
    pub timestamp: u64,
    pub number: u64,
    pub epoch: u64,
    pub parent_hash: Byte32,
    pub transactions_root: Byte32,
    pub proposals_hash: Byte32,
    pub extra_hash: Byte32,
    pub dao: Byte32,
}

/// 208 bytes, no header of its own: the block hash is the hash of exactly these.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename = "struct.Header")]
pub struct Header {
    pub raw: RawHeader,
    pub nonce: u128,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct UncleBlock {
    pub header: Header,
    #[serde(with = "fixvec")]
    pub proposals: Vec<ProposalShortId>,
}

/// A block, as it was before extensions.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    pub header: Header,
    #[serde(with = "dynvec")]
    pub uncles: Vec<UncleBlock>,
    #[serde(with = "dynvec")]
    pub transactions: Vec<Transaction>,
    #[serde(with = "fixvec")]
    pub proposals: Vec<ProposalShortId>,
}

/// A block with an extension; in compatible mode it also reads as a `Block`.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockV1 {
    pub header: Header,
    #[serde(with = "dynvec")]
    pub uncles: Vec<UncleBlock>,
    #[serde(with = "dynvec")]
    pub transactions: Vec<Transaction>,
    #[serde(with = "fixvec")]
    pub proposals: Vec<ProposalShortId>,
    pub extension: Bytes,
}

/// The first witness of a block's first transaction.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct CellbaseWitness {
    pub lock: Script,
    pub message: Bytes,
}

/// The usual content of a witness: arguments for the lock and the two type scripts.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct WitnessArgs {
    pub lock: Option<Bytes>,
    pub input_type: Option<Bytes>,
    pub output_type: Option<Bytes>,
}

// The vectors by name, for where no field carries the mark: at the top level, or in a vector.

pub type BytesOptVec = DynVec<Vec<Option<Bytes>>>;
pub type BytesVec = DynVec<Vec<Bytes>>;
pub type Byte32Vec = FixVec<Vec<Byte32>>;
pub type UncleBlockVec = DynVec<Vec<UncleBlock>>;
pub type TransactionVec = DynVec<Vec<Transaction>>;
pub type ProposalShortIdVec = FixVec<Vec<ProposalShortId>>;
pub type CellDepVec = FixVec<Vec<CellDep>>;
pub type CellInputVec = FixVec<Vec<CellInput>>;
pub type CellOutputVec = DynVec<Vec<CellOutput>>;
