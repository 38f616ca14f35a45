//! `blockchain.mol`.

use crate::ckb::types::*;
use crate::schema::schema;

schema! { blockchain
    array Uint32 (u32, u32::to_le_bytes)
    array Uint64 (u64, u64::to_le_bytes)
    array Uint128 (u128, u128::to_le_bytes)
    array Byte32 (Byte32, |bytes| bytes.0)
    array Uint256 (Uint256, |bytes| bytes.0)
    vector Bytes (u8)
    option BytesOpt (Bytes)
    vector BytesOptVec (Option<Bytes>)
    vector BytesVec (Bytes)
    vector Byte32Vec (Byte32)
    option ScriptOpt (Script)
    array ProposalShortId (ProposalShortId, |bytes| bytes.0)
    vector UncleBlockVec (UncleBlock)
    vector TransactionVec (Transaction)
    vector ProposalShortIdVec (ProposalShortId)
    vector CellDepVec (CellDep)
    vector CellInputVec (CellInput)
    vector CellOutputVec (CellOutput)
    table Script { code_hash, hash_type, args }
    struct OutPoint { tx_hash, index }
    struct CellInput { since, previous_output }
    table CellOutput { capacity, lock, type_ }
    struct CellDep { out_point, dep_type }
    table RawTransaction { version, cell_deps, header_deps, inputs, outputs, outputs_data }
    table Transaction { raw, witnesses }
    struct RawHeader {
        version, compact_target, timestamp, number, epoch, parent_hash, transactions_root,
        proposals_hash, extra_hash, dao,
    }
    struct Header { raw, nonce }
    table UncleBlock { header, proposals }
    table Block { header, uncles, transactions, proposals }
    table BlockV1 { header, uncles, transactions, proposals, extension }
    table CellbaseWitness { lock, message }
    table WitnessArgs { lock, input_type, output_type }
}
