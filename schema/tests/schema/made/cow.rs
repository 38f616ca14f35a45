use fourfold::molecule::with;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Byte32(pub [u8; 32]);

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Uint256(pub [u8; 32]);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "fixvec.Bytes")]
pub struct Bytes<'a>(#[serde(borrow)] pub Cow<'a, [u8]>);

pub type BytesOpt<'a> = Option<Bytes<'a>>;
pub type BytesOptVec<'a> = with::DynVec<Vec<Option<Bytes<'a>>>>;
pub type BytesVec<'a> = with::DynVec<Vec<Bytes<'a>>>;
pub type Byte32Vec = with::FixVec<Vec<Byte32>>;
pub type ScriptOpt<'a> = Option<Script<'a>>;

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ProposalShortId(pub [u8; 10]);

pub type UncleBlockVec = with::DynVec<Vec<UncleBlock>>;
pub type TransactionVec<'a> = with::DynVec<Vec<Transaction<'a>>>;
pub type ProposalShortIdVec = with::FixVec<Vec<ProposalShortId>>;
pub type CellDepVec = with::FixVec<Vec<CellDep>>;
pub type CellInputVec = with::FixVec<Vec<CellInput>>;
pub type CellOutputVec<'a> = with::DynVec<Vec<CellOutput<'a>>>;

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct Script<'a> {
    pub code_hash: Byte32,
    pub hash_type: u8,
    #[serde(borrow)]
    pub args: Bytes<'a>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "struct.OutPoint")]
pub struct OutPoint {
    pub tx_hash: Byte32,
    pub index: u32,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "struct.CellInput")]
pub struct CellInput {
    pub since: u64,
    pub previous_output: OutPoint,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct CellOutput<'a> {
    pub capacity: u64,
    #[serde(borrow)]
    pub lock: Script<'a>,
    #[serde(borrow)]
    pub type_: Option<Script<'a>>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "struct.CellDep")]
pub struct CellDep {
    pub out_point: OutPoint,
    pub dep_type: u8,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct RawTransaction<'a> {
    pub version: u32,
    #[serde(with = "with::fixvec")]
    pub cell_deps: Vec<CellDep>,
    #[serde(with = "with::fixvec")]
    pub header_deps: Vec<Byte32>,
    #[serde(with = "with::fixvec")]
    pub inputs: Vec<CellInput>,
    #[serde(borrow, with = "with::dynvec")]
    pub outputs: Vec<CellOutput<'a>>,
    #[serde(borrow, with = "with::dynvec")]
    pub outputs_data: Vec<Bytes<'a>>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct Transaction<'a> {
    #[serde(borrow)]
    pub raw: RawTransaction<'a>,
    #[serde(borrow, with = "with::dynvec")]
    pub witnesses: Vec<Bytes<'a>>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
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

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "struct.Header")]
pub struct Header {
    pub raw: RawHeader,
    pub nonce: u128,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct UncleBlock {
    pub header: Header,
    #[serde(with = "with::fixvec")]
    pub proposals: Vec<ProposalShortId>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct Block<'a> {
    pub header: Header,
    #[serde(with = "with::dynvec")]
    pub uncles: Vec<UncleBlock>,
    #[serde(borrow, with = "with::dynvec")]
    pub transactions: Vec<Transaction<'a>>,
    #[serde(with = "with::fixvec")]
    pub proposals: Vec<ProposalShortId>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockV1<'a> {
    pub header: Header,
    #[serde(with = "with::dynvec")]
    pub uncles: Vec<UncleBlock>,
    #[serde(borrow, with = "with::dynvec")]
    pub transactions: Vec<Transaction<'a>>,
    #[serde(with = "with::fixvec")]
    pub proposals: Vec<ProposalShortId>,
    #[serde(borrow)]
    pub extension: Bytes<'a>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct CellbaseWitness<'a> {
    #[serde(borrow)]
    pub lock: Script<'a>,
    #[serde(borrow)]
    pub message: Bytes<'a>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct WitnessArgs<'a> {
    /// Lock args
    #[serde(borrow)]
    pub lock: Option<Bytes<'a>>,
    /// Type args for input
    #[serde(borrow)]
    pub input_type: Option<Bytes<'a>>,
    /// Type args for output
    #[serde(borrow)]
    pub output_type: Option<Bytes<'a>>,
}
