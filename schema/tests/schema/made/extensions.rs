use fourfold::molecule::with;
use serde::{Deserialize, Serialize};

pub type BoolOpt = Option<Bool>;
pub type Byte32Opt = Option<Byte32>;

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bool(pub [u8; 1]);

/// The `BeUintN` is used to store a `N` bits unsigned integer
/// as a byte array in big endian.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BeUint32(pub [u8; 4]);

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BeUint64(pub [u8; 8]);

pub type Uint32Vec = with::FixVec<Vec<u32>>;
pub type Uint64Vec = with::FixVec<Vec<u64>>;
pub type Uint256Vec = with::FixVec<Vec<Uint256>>;
pub type CellOutputOpt = Option<CellOutput>;
pub type HeaderVec = with::FixVec<Vec<Header>>;
pub type OutPointVec = with::FixVec<Vec<OutPoint>>;
pub type Uint64VecOpt = Option<with::FixVec<Vec<u64>>>;

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
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

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "struct.HeaderView")]
pub struct HeaderView {
    pub hash: Byte32,
    pub data: Header,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct UncleBlockVecView {
    #[serde(with = "with::fixvec")]
    pub hashes: Vec<Byte32>,
    #[serde(with = "with::dynvec")]
    pub data: Vec<UncleBlock>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct TransactionView {
    pub hash: Byte32,
    pub witness_hash: Byte32,
    pub data: Transaction,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockExt {
    pub total_difficulty: Uint256,
    pub total_uncles_count: u64,
    pub received_at: u64,
    #[serde(with = "with::fixvec")]
    pub txs_fees: Vec<u64>,
    pub verified: Option<Bool>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockExtV1 {
    pub total_difficulty: Uint256,
    pub total_uncles_count: u64,
    pub received_at: u64,
    #[serde(with = "with::fixvec")]
    pub txs_fees: Vec<u64>,
    pub verified: Option<Bool>,
    #[serde(with = "with::fixvec")]
    pub cycles: Option<Vec<u64>>,
    #[serde(with = "with::fixvec")]
    pub txs_sizes: Option<Vec<u64>>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
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

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "struct.TransactionKey")]
pub struct TransactionKey {
    pub block_hash: Byte32,
    pub index: BeUint32,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "struct.NumberHash")]
pub struct NumberHash {
    pub number: u64,
    pub block_hash: Byte32,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "struct.TransactionInfo")]
pub struct TransactionInfo {
    pub block_number: u64,
    pub block_epoch: u64,
    pub key: TransactionKey,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct CellEntry {
    pub output: CellOutput,
    pub block_hash: Byte32,
    pub block_number: u64,
    pub block_epoch: u64,
    pub index: u32,
    pub data_size: u64,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct CellDataEntry {
    pub output_data: Bytes,
    pub output_data_hash: Byte32,
}

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

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct CompactBlock {
    pub header: Header,
    #[serde(with = "with::fixvec")]
    pub short_ids: Vec<ProposalShortId>,
    #[serde(with = "with::dynvec")]
    pub prefilled_transactions: Vec<IndexTransaction>,
    #[serde(with = "with::fixvec")]
    pub uncles: Vec<Byte32>,
    #[serde(with = "with::fixvec")]
    pub proposals: Vec<ProposalShortId>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct CompactBlockV1 {
    pub header: Header,
    #[serde(with = "with::fixvec")]
    pub short_ids: Vec<ProposalShortId>,
    #[serde(with = "with::dynvec")]
    pub prefilled_transactions: Vec<IndexTransaction>,
    #[serde(with = "with::fixvec")]
    pub uncles: Vec<Byte32>,
    #[serde(with = "with::fixvec")]
    pub proposals: Vec<ProposalShortId>,
    pub extension: Bytes,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct RelayTransaction {
    pub cycles: u64,
    pub transaction: Transaction,
}

pub type RelayTransactionVec = with::DynVec<Vec<RelayTransaction>>;

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct RelayTransactions {
    #[serde(with = "with::dynvec")]
    pub transactions: Vec<RelayTransaction>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct RelayTransactionHashes {
    #[serde(with = "with::fixvec")]
    pub tx_hashes: Vec<Byte32>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct GetRelayTransactions {
    #[serde(with = "with::fixvec")]
    pub tx_hashes: Vec<Byte32>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct GetBlockTransactions {
    pub block_hash: Byte32,
    #[serde(with = "with::fixvec")]
    pub indexes: Vec<u32>,
    #[serde(with = "with::fixvec")]
    pub uncle_indexes: Vec<u32>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockTransactions {
    pub block_hash: Byte32,
    #[serde(with = "with::dynvec")]
    pub transactions: Vec<Transaction>,
    #[serde(with = "with::dynvec")]
    pub uncles: Vec<UncleBlock>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct GetBlockProposal {
    pub block_hash: Byte32,
    #[serde(with = "with::fixvec")]
    pub proposals: Vec<ProposalShortId>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockProposal {
    #[serde(with = "with::dynvec")]
    pub transactions: Vec<Transaction>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexTransaction {
    pub index: u32,
    pub transaction: Transaction,
}

pub type IndexTransactionVec = with::DynVec<Vec<IndexTransaction>>;

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub enum BlockFilterMessage {
    GetBlockFilters(GetBlockFilters),
    BlockFilters(BlockFilters),
    GetBlockFilterHashes(GetBlockFilterHashes),
    BlockFilterHashes(BlockFilterHashes),
    GetBlockFilterCheckPoints(GetBlockFilterCheckPoints),
    BlockFilterCheckPoints(BlockFilterCheckPoints),
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "struct.GetBlockFilters")]
pub struct GetBlockFilters {
    pub start_number: u64,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockFilters {
    pub start_number: u64,
    #[serde(with = "with::fixvec")]
    pub block_hashes: Vec<Byte32>,
    #[serde(with = "with::dynvec")]
    pub filters: Vec<Bytes>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "struct.GetBlockFilterHashes")]
pub struct GetBlockFilterHashes {
    pub start_number: u64,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockFilterHashes {
    pub start_number: u64,
    pub parent_block_filter_hash: Byte32,
    #[serde(with = "with::fixvec")]
    pub block_filter_hashes: Vec<Byte32>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "struct.GetBlockFilterCheckPoints")]
pub struct GetBlockFilterCheckPoints {
    pub start_number: u64,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockFilterCheckPoints {
    pub start_number: u64,
    #[serde(with = "with::fixvec")]
    pub block_filter_hashes: Vec<Byte32>,
}

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
    #[serde(with = "with::fixvec")]
    pub block_locator_hashes: Vec<Byte32>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct GetBlocks {
    #[serde(with = "with::fixvec")]
    pub block_hashes: Vec<Byte32>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct SendHeaders {
    #[serde(with = "with::fixvec")]
    pub headers: Vec<Header>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct SendBlock {
    pub block: Block,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct FilteredBlock {
    pub header: Header,
    pub witnesses_root: Byte32,
    #[serde(with = "with::dynvec")]
    pub transactions: Vec<Transaction>,
    pub proof: MerkleProof,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct MerkleProof {
    #[serde(with = "with::fixvec")]
    pub indices: Vec<u32>,
    #[serde(with = "with::fixvec")]
    pub lemmas: Vec<Byte32>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct InIBD {}

pub type HeaderDigestVec = with::FixVec<Vec<HeaderDigest>>;

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifiableHeader {
    pub header: Header,
    pub uncles_hash: Byte32,
    pub extension: Option<Bytes>,
    pub parent_chain_root: HeaderDigest,
}

pub type VerifiableHeaderVec = with::DynVec<Vec<VerifiableHeader>>;
pub type FilteredBlockVec = with::DynVec<Vec<FilteredBlock>>;

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub enum LightClientMessage {
    /// A client asks the server for the last state of the chain.
    GetLastState(GetLastState),
    SendLastState(SendLastState),
    /// A client asks the server for the proof of the last state which the
    /// client known.
    GetLastStateProof(GetLastStateProof),
    SendLastStateProof(SendLastStateProof),
    /// A client asks the server for the proof of some blocks.
    GetBlocksProof(GetBlocksProof),
    SendBlocksProof(SendBlocksProof),
    /// A client asks the server for the proof of some transactions.
    GetTransactionsProof(GetTransactionsProof),
    SendTransactionsProof(SendTransactionsProof),
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct GetLastState {
    /// Whether the server is requested to push the state automatically.
    pub subscribe: Bool,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct SendLastState {
    /// The verifiable header for the tip block in the server.
    pub last_header: VerifiableHeader,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct GetLastStateProof {
    /// The last block hash known by the client.
    /// It could be different with the tip hash in the server.
    pub last_hash: Byte32,
    /// The hash of the last proved block.
    pub start_hash: Byte32,
    /// The block number of the last proved block.
    pub start_number: u64,
    /// How many continuous blocks before the tip block should be included at
    /// least, if possible?
    pub last_n_blocks: u64,
    /// All blocks, whose total difficulty is not less than this difficulty
    /// boundary, should be included in the proof.
    pub difficulty_boundary: Uint256,
    /// The sampled difficulties.
    #[serde(with = "with::fixvec")]
    pub difficulties: Vec<Uint256>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct SendLastStateProof {
    /// If the block whose hash is sent from the client is on the chain, then
    /// returns its verifiable header; otherwise, returns the verifiable
    /// header for the tip block in the server.
    pub last_header: VerifiableHeader,
    /// The MMR proof for the chain root whose hash is in the last header.
    /// Be empty if the block hash sent from the client isn't on the chain.
    #[serde(with = "with::fixvec")]
    pub proof: Vec<HeaderDigest>,
    /// Verifiable headers for all sampled blocks.
    #[serde(with = "with::dynvec")]
    pub headers: Vec<VerifiableHeader>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct GetBlocksProof {
    /// Refer to `GetLastStateProof.last_hash`.
    pub last_hash: Byte32,
    /// Block hashes for the blocks which require verifying.
    #[serde(with = "with::fixvec")]
    pub block_hashes: Vec<Byte32>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct SendBlocksProof {
    /// Refer to `SendLastStateProof.last_header`.
    pub last_header: VerifiableHeader,
    /// Refer to `SendLastStateProof.proof`.
    #[serde(with = "with::fixvec")]
    pub proof: Vec<HeaderDigest>,
    /// Block headers for the blocks which require verifying.
    #[serde(with = "with::fixvec")]
    pub headers: Vec<Header>,
    /// Block hashes for the blocks which were not found.
    #[serde(with = "with::fixvec")]
    pub missing_block_hashes: Vec<Byte32>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct SendBlocksProofV1 {
    /// Refer to `SendLastStateProof.last_header`.
    pub last_header: VerifiableHeader,
    /// Refer to `SendLastStateProof.proof`.
    #[serde(with = "with::fixvec")]
    pub proof: Vec<HeaderDigest>,
    /// Block headers for the blocks which require verifying.
    #[serde(with = "with::fixvec")]
    pub headers: Vec<Header>,
    /// Block hashes for the blocks which were not found.
    #[serde(with = "with::fixvec")]
    pub missing_block_hashes: Vec<Byte32>,
    /// Uncle hashes for the blocks which require verifying.
    #[serde(with = "with::fixvec")]
    pub blocks_uncles_hash: Vec<Byte32>,
    /// Block extension for the blocks which require verifying.
    #[serde(with = "with::dynvec")]
    pub blocks_extension: Vec<Option<Bytes>>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct GetTransactionsProof {
    /// Refer to `GetLastStateProof.last_hash`.
    pub last_hash: Byte32,
    /// Transaction hashes for the transactions which require verifying.
    #[serde(with = "with::fixvec")]
    pub tx_hashes: Vec<Byte32>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct SendTransactionsProof {
    /// Refer to `SendLastStateProof.last_header`.
    pub last_header: VerifiableHeader,
    /// Refer to `SendLastStateProof.proof`.
    #[serde(with = "with::fixvec")]
    pub proof: Vec<HeaderDigest>,
    /// A collection of filtered blocks, which include all requested
    /// transactions, and be verified in the proof.
    #[serde(with = "with::dynvec")]
    pub filtered_blocks: Vec<FilteredBlock>,
    /// Transaction hashes for the blocks which were not found.
    #[serde(with = "with::fixvec")]
    pub missing_tx_hashes: Vec<Byte32>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct SendTransactionsProofV1 {
    /// Refer to `SendLastStateProof.last_header`.
    pub last_header: VerifiableHeader,
    /// Refer to `SendLastStateProof.proof`.
    #[serde(with = "with::fixvec")]
    pub proof: Vec<HeaderDigest>,
    /// A collection of filtered blocks, which include all requested
    /// transactions, and be verified in the proof.
    #[serde(with = "with::dynvec")]
    pub filtered_blocks: Vec<FilteredBlock>,
    /// Transaction hashes for the blocks which were not found.
    #[serde(with = "with::fixvec")]
    pub missing_tx_hashes: Vec<Byte32>,
    /// Uncle hashes for the blocks which require verifying.
    #[serde(with = "with::fixvec")]
    pub blocks_uncles_hash: Vec<Byte32>,
    /// Block extension for the blocks which require verifying.
    #[serde(with = "with::dynvec")]
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
    #[serde(with = "with::dynvec")]
    pub signatures: Vec<Bytes>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct Identify {
    /// Flag
    pub flag: u64,
    /// Network Name
    pub name: Bytes,
    pub client_version: Bytes,
}

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Byte32(pub [u8; 32]);

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Uint256(pub [u8; 32]);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "fixvec.Bytes")]
pub struct Bytes(pub Vec<u8>);

pub type BytesOpt = Option<Bytes>;
pub type BytesOptVec = with::DynVec<Vec<Option<Bytes>>>;
pub type BytesVec = with::DynVec<Vec<Bytes>>;
pub type Byte32Vec = with::FixVec<Vec<Byte32>>;
pub type ScriptOpt = Option<Script>;

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ProposalShortId(pub [u8; 10]);

pub type UncleBlockVec = with::DynVec<Vec<UncleBlock>>;
pub type TransactionVec = with::DynVec<Vec<Transaction>>;
pub type ProposalShortIdVec = with::FixVec<Vec<ProposalShortId>>;
pub type CellDepVec = with::FixVec<Vec<CellDep>>;
pub type CellInputVec = with::FixVec<Vec<CellInput>>;
pub type CellOutputVec = with::DynVec<Vec<CellOutput>>;

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    pub code_hash: Byte32,
    pub hash_type: u8,
    pub args: Bytes,
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
pub struct CellOutput {
    pub capacity: u64,
    pub lock: Script,
    pub type_: Option<Script>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "struct.CellDep")]
pub struct CellDep {
    pub out_point: OutPoint,
    pub dep_type: u8,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct RawTransaction {
    pub version: u32,
    #[serde(with = "with::fixvec")]
    pub cell_deps: Vec<CellDep>,
    #[serde(with = "with::fixvec")]
    pub header_deps: Vec<Byte32>,
    #[serde(with = "with::fixvec")]
    pub inputs: Vec<CellInput>,
    #[serde(with = "with::dynvec")]
    pub outputs: Vec<CellOutput>,
    #[serde(with = "with::dynvec")]
    pub outputs_data: Vec<Bytes>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct Transaction {
    pub raw: RawTransaction,
    #[serde(with = "with::dynvec")]
    pub witnesses: Vec<Bytes>,
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
pub struct Block {
    pub header: Header,
    #[serde(with = "with::dynvec")]
    pub uncles: Vec<UncleBlock>,
    #[serde(with = "with::dynvec")]
    pub transactions: Vec<Transaction>,
    #[serde(with = "with::fixvec")]
    pub proposals: Vec<ProposalShortId>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockV1 {
    pub header: Header,
    #[serde(with = "with::dynvec")]
    pub uncles: Vec<UncleBlock>,
    #[serde(with = "with::dynvec")]
    pub transactions: Vec<Transaction>,
    #[serde(with = "with::fixvec")]
    pub proposals: Vec<ProposalShortId>,
    pub extension: Bytes,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct CellbaseWitness {
    pub lock: Script,
    pub message: Bytes,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct WitnessArgs {
    /// Lock args
    pub lock: Option<Bytes>,
    /// Type args for input
    pub input_type: Option<Bytes>,
    /// Type args for output
    pub output_type: Option<Bytes>,
}
