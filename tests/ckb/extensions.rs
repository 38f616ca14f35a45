//! `extensions.mol`: what a node stores, and what it says to its peers.

use fourfold::molecule::with::{DynVec, FixVec, dynvec, fixvec};
use serde::{Deserialize, Serialize};

use super::blockchain::*;
use super::hex;

/// A big-endian number, so that database keys sort.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BeUint32(#[serde(with = "hex")] pub [u8; 4]);

/// A big-endian number, so that database keys sort.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BeUint64(#[serde(with = "hex")] pub [u8; 8]);

/// A node of the mountain range over all headers.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename = "struct.HeaderDigest")]
pub struct HeaderDigest {
    pub children_hash: Byte32,
    pub total_difficulty: Uint256,
    pub start_number: u64,
    pub end_number: u64,
    pub start_epoch: u64,
    pub end_epoch: u64,
    pub start_timestamp: u64,
    pub end_timestamp: u64,
    pub start_compact_target: u32,
    pub end_compact_target: u32,
}

/// A header with its hash at hand.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename = "struct.HeaderView")]
pub struct HeaderView {
    pub hash: Byte32,
    pub data: Header,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct UncleBlockVecView {
    #[serde(with = "fixvec")]
    pub hashes: Vec<Byte32>,
    #[serde(with = "dynvec")]
    pub data: Vec<UncleBlock>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct TransactionView {
    pub hash: Byte32,
    pub witness_hash: Byte32,
    pub data: Transaction,
}

/// What a node notes about a block.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockExt {
    pub total_difficulty: Uint256,
    pub total_uncles_count: u64,
    pub received_at: u64,
    #[serde(with = "fixvec")]
    pub txs_fees: Vec<u64>,
    pub verified: Option<bool>,
}

/// `BlockExt`, grown by two options.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockExtV1 {
    pub total_difficulty: Uint256,
    pub total_uncles_count: u64,
    pub received_at: u64,
    #[serde(with = "fixvec")]
    pub txs_fees: Vec<u64>,
    pub verified: Option<bool>,
    #[serde(with = "fixvec")]
    pub cycles: Option<Vec<u64>>,
    #[serde(with = "fixvec")]
    pub txs_sizes: Option<Vec<u64>>,
}

/// Difficulty and rewards of an epoch.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename = "struct.EpochExt")]
pub struct EpochExt {
    pub previous_epoch_hash_rate: Uint256,
    pub last_block_hash_in_previous_epoch: Byte32,
    pub compact_target: u32,
    pub number: u64,
    pub base_block_reward: u64,
    pub remainder_reward: u64,
    pub start_number: u64,
    pub length: u64,
}

/// Where a transaction stands in its block.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename = "struct.TransactionKey")]
pub struct TransactionKey {
    pub block_hash: Byte32,
    pub index: BeUint32,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename = "struct.NumberHash")]
pub struct NumberHash {
    pub number: u64,
    pub block_hash: Byte32,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename = "struct.TransactionInfo")]
pub struct TransactionInfo {
    pub block_number: u64,
    pub block_epoch: u64,
    pub key: TransactionKey,
}

/// A live cell.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct CellEntry {
    pub output: CellOutput,
    pub block_hash: Byte32,
    pub block_number: u64,
    pub block_epoch: u64,
    pub index: u32,
    pub data_size: u64,
}

/// The data of a live cell.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct CellDataEntry {
    pub output_data: Bytes,
    pub output_data_hash: Byte32,
}

/// Fresh blocks and transactions; ids count from 0.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub enum RelayMessage {
    CompactBlock(CompactBlock),
    RelayTransactions(RelayTransactions),
    RelayTransactionHashes(RelayTransactionHashes),
    GetRelayTransactions(GetRelayTransactions),
    GetBlockTransactions(GetBlockTransactions),
    BlockTransactions(BlockTransactions),
    GetBlockProposal(GetBlockProposal),
    BlockProposal(BlockProposal),
}

/// A block whose known transactions are named by short ids.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct CompactBlock {
    pub header: Header,
    #[serde(with = "fixvec")]
    pub short_ids: Vec<ProposalShortId>,
    #[serde(with = "dynvec")]
    pub prefilled_transactions: Vec<IndexTransaction>,
    #[serde(with = "fixvec")]
    pub uncles: Vec<Byte32>,
    #[serde(with = "fixvec")]
    pub proposals: Vec<ProposalShortId>,
}

/// `CompactBlock` with an extension.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct CompactBlockV1 {
    pub header: Header,
    #[serde(with = "fixvec")]
    pub short_ids: Vec<ProposalShortId>,
    #[serde(with = "dynvec")]
    pub prefilled_transactions: Vec<IndexTransaction>,
    #[serde(with = "fixvec")]
    pub uncles: Vec<Byte32>,
    #[serde(with = "fixvec")]
    pub proposals: Vec<ProposalShortId>,
    pub extension: Bytes,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct RelayTransaction {
    pub cycles: u64,
    pub transaction: Transaction,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct RelayTransactions {
    #[serde(with = "dynvec")]
    pub transactions: Vec<RelayTransaction>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct RelayTransactionHashes {
    #[serde(with = "fixvec")]
    pub tx_hashes: Vec<Byte32>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct GetRelayTransactions {
    #[serde(with = "fixvec")]
    pub tx_hashes: Vec<Byte32>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct GetBlockTransactions {
    pub block_hash: Byte32,
    #[serde(with = "fixvec")]
    pub indexes: Vec<u32>,
    #[serde(with = "fixvec")]
    pub uncle_indexes: Vec<u32>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockTransactions {
    pub block_hash: Byte32,
    #[serde(with = "dynvec")]
    pub transactions: Vec<Transaction>,
    #[serde(with = "dynvec")]
    pub uncles: Vec<UncleBlock>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct GetBlockProposal {
    pub block_hash: Byte32,
    #[serde(with = "fixvec")]
    pub proposals: Vec<ProposalShortId>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockProposal {
    #[serde(with = "dynvec")]
    pub transactions: Vec<Transaction>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexTransaction {
    pub index: u32,
    pub transaction: Transaction,
}

/// Filters for light clients; some items are structs.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub enum BlockFilterMessage {
    GetBlockFilters(GetBlockFilters),
    BlockFilters(BlockFilters),
    GetBlockFilterHashes(GetBlockFilterHashes),
    BlockFilterHashes(BlockFilterHashes),
    GetBlockFilterCheckPoints(GetBlockFilterCheckPoints),
    BlockFilterCheckPoints(BlockFilterCheckPoints),
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename = "struct.GetBlockFilters")]
pub struct GetBlockFilters {
    pub start_number: u64,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockFilters {
    pub start_number: u64,
    #[serde(with = "fixvec")]
    pub block_hashes: Vec<Byte32>,
    #[serde(with = "dynvec")]
    pub filters: Vec<Bytes>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename = "struct.GetBlockFilterHashes")]
pub struct GetBlockFilterHashes {
    pub start_number: u64,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockFilterHashes {
    pub start_number: u64,
    pub parent_block_filter_hash: Byte32,
    #[serde(with = "fixvec")]
    pub block_filter_hashes: Vec<Byte32>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename = "struct.GetBlockFilterCheckPoints")]
pub struct GetBlockFilterCheckPoints {
    pub start_number: u64,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockFilterCheckPoints {
    pub start_number: u64,
    #[serde(with = "fixvec")]
    pub block_filter_hashes: Vec<Byte32>,
}

/// Headers and blocks while catching up; the ids have a gap.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename = "union.SyncMessage.GetHeaders-0.SendHeaders-1.GetBlocks-2.SendBlock-3.InIBD-8")]
pub enum SyncMessage {
    GetHeaders(GetHeaders),
    SendHeaders(SendHeaders),
    GetBlocks(GetBlocks),
    SendBlock(SendBlock),
    InIBD(InIBD),
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct GetHeaders {
    pub hash_stop: Byte32,
    #[serde(with = "fixvec")]
    pub block_locator_hashes: Vec<Byte32>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct GetBlocks {
    #[serde(with = "fixvec")]
    pub block_hashes: Vec<Byte32>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct SendHeaders {
    #[serde(with = "fixvec")]
    pub headers: Vec<Header>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct SendBlock {
    pub block: Block,
}

/// Some transactions of a block, and the proof that they are in it.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct FilteredBlock {
    pub header: Header,
    pub witnesses_root: Byte32,
    #[serde(with = "dynvec")]
    pub transactions: Vec<Transaction>,
    pub proof: MerkleProof,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct MerkleProof {
    #[serde(with = "fixvec")]
    pub indices: Vec<u32>,
    #[serde(with = "fixvec")]
    pub lemmas: Vec<Byte32>,
}

/// "Initial block download": a table without fields.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct InIBD {}

/// A header with what its `extra_hash` covers.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifiableHeader {
    pub header: Header,
    pub uncles_hash: Byte32,
    pub extension: Option<Bytes>,
    pub parent_chain_root: HeaderDigest,
}

/// Proofs on request; ids count from 0.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub enum LightClientMessage {
    GetLastState(GetLastState),
    SendLastState(SendLastState),
    GetLastStateProof(GetLastStateProof),
    SendLastStateProof(SendLastStateProof),
    GetBlocksProof(GetBlocksProof),
    SendBlocksProof(SendBlocksProof),
    GetTransactionsProof(GetTransactionsProof),
    SendTransactionsProof(SendTransactionsProof),
}

/// `subscribe` asks for every later state as well.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct GetLastState {
    pub subscribe: bool,
}

/// The tip of the chain.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct SendLastState {
    pub last_header: VerifiableHeader,
}

/// Asks for sampled headers that prove the work up to `last_hash`.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct GetLastStateProof {
    pub last_hash: Byte32,
    pub start_hash: Byte32,
    pub start_number: u64,
    pub last_n_blocks: u64,
    pub difficulty_boundary: Uint256,
    #[serde(with = "fixvec")]
    pub difficulties: Vec<Uint256>,
}

/// The sampled headers; the proof is empty if the hash asked for is unknown.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct SendLastStateProof {
    pub last_header: VerifiableHeader,
    #[serde(with = "fixvec")]
    pub proof: Vec<HeaderDigest>,
    #[serde(with = "dynvec")]
    pub headers: Vec<VerifiableHeader>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct GetBlocksProof {
    pub last_hash: Byte32,
    #[serde(with = "fixvec")]
    pub block_hashes: Vec<Byte32>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct SendBlocksProof {
    pub last_header: VerifiableHeader,
    #[serde(with = "fixvec")]
    pub proof: Vec<HeaderDigest>,
    #[serde(with = "fixvec")]
    pub headers: Vec<Header>,
    #[serde(with = "fixvec")]
    pub missing_block_hashes: Vec<Byte32>,
}

/// `SendBlocksProof`, grown by uncles and extensions.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct SendBlocksProofV1 {
    pub last_header: VerifiableHeader,
    #[serde(with = "fixvec")]
    pub proof: Vec<HeaderDigest>,
    #[serde(with = "fixvec")]
    pub headers: Vec<Header>,
    #[serde(with = "fixvec")]
    pub missing_block_hashes: Vec<Byte32>,
    #[serde(with = "fixvec")]
    pub blocks_uncles_hash: Vec<Byte32>,
    #[serde(with = "dynvec")]
    pub blocks_extension: Vec<Option<Bytes>>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct GetTransactionsProof {
    pub last_hash: Byte32,
    #[serde(with = "fixvec")]
    pub tx_hashes: Vec<Byte32>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct SendTransactionsProof {
    pub last_header: VerifiableHeader,
    #[serde(with = "fixvec")]
    pub proof: Vec<HeaderDigest>,
    #[serde(with = "dynvec")]
    pub filtered_blocks: Vec<FilteredBlock>,
    #[serde(with = "fixvec")]
    pub missing_tx_hashes: Vec<Byte32>,
}

/// `SendTransactionsProof`, grown by uncles and extensions.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct SendTransactionsProofV1 {
    pub last_header: VerifiableHeader,
    #[serde(with = "fixvec")]
    pub proof: Vec<HeaderDigest>,
    #[serde(with = "dynvec")]
    pub filtered_blocks: Vec<FilteredBlock>,
    #[serde(with = "fixvec")]
    pub missing_tx_hashes: Vec<Byte32>,
    #[serde(with = "fixvec")]
    pub blocks_uncles_hash: Vec<Byte32>,
    #[serde(with = "dynvec")]
    pub blocks_extension: Vec<Option<Bytes>>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct Time {
    pub timestamp: u64,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct RawAlert {
    pub notice_until: u64,
    pub id: u32,
    pub cancel: u32,
    pub priority: u32,
    pub message: Bytes,
    pub min_version: Option<Bytes>,
    pub max_version: Option<Bytes>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct Alert {
    pub raw: RawAlert,
    #[serde(with = "dynvec")]
    pub signatures: Vec<Bytes>,
}

/// Who a node is, in the handshake.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct Identify {
    pub flag: u64,
    pub name: Bytes,
    pub client_version: Bytes,
}

// The vectors by name, for where no field carries the mark: at the top level, or in a vector.

pub type Uint32Vec = FixVec<Vec<u32>>;
pub type Uint64Vec = FixVec<Vec<u64>>;
pub type Uint256Vec = FixVec<Vec<Uint256>>;
pub type HeaderVec = FixVec<Vec<Header>>;
pub type OutPointVec = FixVec<Vec<OutPoint>>;
pub type RelayTransactionVec = DynVec<Vec<RelayTransaction>>;
pub type IndexTransactionVec = DynVec<Vec<IndexTransaction>>;
pub type HeaderDigestVec = FixVec<Vec<HeaderDigest>>;
pub type VerifiableHeaderVec = DynVec<Vec<VerifiableHeader>>;
pub type FilteredBlockVec = DynVec<Vec<FilteredBlock>>;
