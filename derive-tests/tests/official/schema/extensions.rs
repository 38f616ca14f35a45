//! `extensions.mol`.

use fourfold::molecule::with::FixVec;

use crate::ckb::types::*;
use crate::schema::schema;

schema! { extensions
    option BoolOpt (bool)
    option Byte32Opt (Byte32)
    array Bool (bool, |bit| [bit.into()])
    array BeUint32 (BeUint32, |bytes| bytes.0)
    array BeUint64 (BeUint64, |bytes| bytes.0)
    vector Uint32Vec (u32)
    vector Uint64Vec (u64)
    vector Uint256Vec (Uint256)
    option CellOutputOpt (CellOutput)
    vector HeaderVec (Header)
    vector OutPointVec (OutPoint)
    option Uint64VecOpt (Vec<u64>, FixVec<Option<Vec<u64>>>)
    struct HeaderDigest {
        children_hash, total_difficulty, start_number, end_number, start_epoch, end_epoch,
        start_timestamp, end_timestamp, start_compact_target, end_compact_target,
    }
    struct HeaderView { hash, data }
    table UncleBlockVecView { hashes, data }
    table TransactionView { hash, witness_hash, data }
    table BlockExt { total_difficulty, total_uncles_count, received_at, txs_fees, verified }
    table BlockExtV1 {
        total_difficulty, total_uncles_count, received_at, txs_fees, verified, cycles,
        txs_sizes,
    }
    struct EpochExt {
        previous_epoch_hash_rate, last_block_hash_in_previous_epoch, compact_target, number,
        base_block_reward, remainder_reward, start_number, length,
    }
    struct TransactionKey { block_hash, index }
    struct NumberHash { number, block_hash }
    struct TransactionInfo { block_number, block_epoch, key }
    table CellEntry { output, block_hash, block_number, block_epoch, index, data_size }
    table CellDataEntry { output_data, output_data_hash }
    union RelayMessage {
        CompactBlock, RelayTransactions, RelayTransactionHashes, GetRelayTransactions,
        GetBlockTransactions, BlockTransactions, GetBlockProposal, BlockProposal,
    }
    table CompactBlock { header, short_ids, prefilled_transactions, uncles, proposals }
    table CompactBlockV1 {
        header, short_ids, prefilled_transactions, uncles, proposals, extension,
    }
    table RelayTransaction { cycles, transaction }
    vector RelayTransactionVec (RelayTransaction)
    table RelayTransactions { transactions }
    table RelayTransactionHashes { tx_hashes }
    table GetRelayTransactions { tx_hashes }
    table GetBlockTransactions { block_hash, indexes, uncle_indexes }
    table BlockTransactions { block_hash, transactions, uncles }
    table GetBlockProposal { block_hash, proposals }
    table BlockProposal { transactions }
    table IndexTransaction { index, transaction }
    vector IndexTransactionVec (IndexTransaction)
    union BlockFilterMessage {
        GetBlockFilters, BlockFilters, GetBlockFilterHashes, BlockFilterHashes,
        GetBlockFilterCheckPoints, BlockFilterCheckPoints,
    }
    struct GetBlockFilters { start_number }
    table BlockFilters { start_number, block_hashes, filters }
    struct GetBlockFilterHashes { start_number }
    table BlockFilterHashes { start_number, parent_block_filter_hash, block_filter_hashes }
    struct GetBlockFilterCheckPoints { start_number }
    table BlockFilterCheckPoints { start_number, block_filter_hashes }
    union SyncMessage { GetHeaders, SendHeaders, GetBlocks, SendBlock, InIBD }
    table GetHeaders { hash_stop, block_locator_hashes }
    table GetBlocks { block_hashes }
    table SendHeaders { headers }
    table SendBlock { block }
    table FilteredBlock { header, witnesses_root, transactions, proof }
    table MerkleProof { indices, lemmas }
    table InIBD {}
    vector HeaderDigestVec (HeaderDigest)
    table VerifiableHeader { header, uncles_hash, extension, parent_chain_root }
    vector VerifiableHeaderVec (VerifiableHeader)
    vector FilteredBlockVec (FilteredBlock)
    union LightClientMessage {
        GetLastState, SendLastState, GetLastStateProof, SendLastStateProof, GetBlocksProof,
        SendBlocksProof, GetTransactionsProof, SendTransactionsProof,
    }
    table GetLastState { subscribe }
    table SendLastState { last_header }
    table GetLastStateProof {
        last_hash, start_hash, start_number, last_n_blocks, difficulty_boundary, difficulties,
    }
    table SendLastStateProof { last_header, proof, headers }
    table GetBlocksProof { last_hash, block_hashes }
    table SendBlocksProof { last_header, proof, headers, missing_block_hashes }
    table SendBlocksProofV1 {
        last_header, proof, headers, missing_block_hashes, blocks_uncles_hash, blocks_extension,
    }
    table GetTransactionsProof { last_hash, tx_hashes }
    table SendTransactionsProof { last_header, proof, filtered_blocks, missing_tx_hashes }
    table SendTransactionsProofV1 {
        last_header, proof, filtered_blocks, missing_tx_hashes, blocks_uncles_hash,
        blocks_extension,
    }
    table Time { timestamp }
    table RawAlert { notice_until, id, cancel, priority, message, min_version, max_version }
    table Alert { raw, signatures }
    table Identify { flag, name, client_version }
}
