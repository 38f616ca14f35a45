//! CKB blocks: the genesis block of the main network, with the first programs, and a block of 1,000 transactions.
//! The types are those of `tests/ckb`; serde_molecule needs other attributes.

use std::error::Error;

use node::types::*;

use crate::random::Random;

#[path = "../../../tests/ckb/mod.rs"]
pub(crate) mod node;

pub(crate) use node::types::Block;

super::owned_only!(Block);

pub(crate) fn genesis() -> Result<Block, Box<dyn Error>> {
    let path =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/molecule/genesis/mainnet.bin");
    Ok(fourfold::molecule::from_slice(&std::fs::read(path)?)?)
}

pub(crate) fn block() -> Block {
    let r = &mut Random::new(6);
    let header = Header {
        raw: RawHeader {
            version: 0,
            compact_target: r.word(),
            timestamp: r.bits(),
            number: r.bits(),
            epoch: r.bits(),
            parent_hash: hash(r),
            transactions_root: hash(r),
            proposals_hash: hash(r),
            extra_hash: hash(r),
            dao: hash(r),
        },
        nonce: u128::from_le_bytes(r.array()),
    };
    let uncle =
        |r: &mut Random| UncleBlock { header: header.clone(), proposals: r.many(20, proposal) };
    Block {
        uncles: r.many(2, uncle),
        transactions: r.many(1_000, transaction),
        proposals: r.many(500, proposal),
        header,
    }
}

fn transaction(r: &mut Random) -> Transaction {
    let signature = |r: &mut Random| Bytes(r.many(85, Random::byte));
    Transaction {
        raw: RawTransaction {
            version: 0,
            cell_deps: r.many(2, |r| CellDep { out_point: out_point(r), dep_type: 1 }),
            header_deps: vec![],
            inputs: r.many(2, |r| CellInput { since: 0, previous_output: out_point(r) }),
            outputs: r.many(2, |r| CellOutput {
                capacity: r.bits(),
                lock: script(r),
                type_: r.maybe(50, script),
            }),
            outputs_data: r.many(2, |r| Bytes(r.some(33, Random::byte))),
        },
        witnesses: r.many(2, signature),
    }
}

fn script(r: &mut Random) -> Script {
    Script { code_hash: hash(r), hash_type: 1, args: Bytes(r.many(20, Random::byte)) }
}

fn out_point(r: &mut Random) -> OutPoint {
    OutPoint { tx_hash: hash(r), index: r.below(4) }
}

fn hash(r: &mut Random) -> Byte32 {
    Byte32(r.array())
}

fn proposal(r: &mut Random) -> ProposalShortId {
    ProposalShortId(r.array())
}

/// The same types with serde_molecule's attributes.
pub(crate) mod marked {
    use std::error::Error;

    use serde::{Deserialize, Serialize};
    use serde_molecule::{dynvec_serde, struct_serde};

    type Byte32 = [u8; 32];
    type ProposalShortId = [u8; 10];

    #[derive(Serialize, Deserialize, Clone, PartialEq)]
    pub(crate) struct Script {
        code_hash: Byte32,
        hash_type: u8,
        args: Vec<u8>,
    }

    #[derive(Serialize, Deserialize, Clone, PartialEq)]
    pub(crate) struct OutPoint {
        tx_hash: Byte32,
        index: u32,
    }

    #[derive(Serialize, Deserialize, Clone, PartialEq)]
    pub(crate) struct CellInput {
        since: u64,
        #[serde(with = "struct_serde")]
        previous_output: OutPoint,
    }

    #[derive(Serialize, Deserialize, Clone, PartialEq)]
    pub(crate) struct CellOutput {
        capacity: u64,
        lock: Script,
        type_: Option<Script>,
    }

    #[derive(Serialize, Deserialize, Clone, PartialEq)]
    pub(crate) struct CellDep {
        #[serde(with = "struct_serde")]
        out_point: OutPoint,
        dep_type: u8,
    }

    #[derive(Serialize, Deserialize, Clone, PartialEq)]
    pub(crate) struct RawTransaction {
        version: u32,
        cell_deps: Vec<CellDep>,
        header_deps: Vec<Byte32>,
        inputs: Vec<CellInput>,
        #[serde(with = "dynvec_serde")]
        outputs: Vec<CellOutput>,
        #[serde(with = "dynvec_serde")]
        outputs_data: Vec<Vec<u8>>,
    }

    #[derive(Serialize, Deserialize, Clone, PartialEq)]
    pub(crate) struct Transaction {
        raw: RawTransaction,
        #[serde(with = "dynvec_serde")]
        witnesses: Vec<Vec<u8>>,
    }

    #[derive(Serialize, Deserialize, Clone, PartialEq)]
    pub(crate) struct RawHeader {
        version: u32,
        compact_target: u32,
        timestamp: u64,
        number: u64,
        epoch: u64,
        parent_hash: Byte32,
        transactions_root: Byte32,
        proposals_hash: Byte32,
        extra_hash: Byte32,
        dao: Byte32,
    }

    #[derive(Serialize, Deserialize, Clone, PartialEq)]
    pub(crate) struct Header {
        #[serde(with = "struct_serde")]
        raw: RawHeader,
        nonce: u128,
    }

    #[derive(Serialize, Deserialize, Clone, PartialEq)]
    pub(crate) struct UncleBlock {
        #[serde(with = "struct_serde")]
        header: Header,
        proposals: Vec<ProposalShortId>,
    }

    #[derive(Serialize, Deserialize, Clone, PartialEq)]
    pub(crate) struct Block {
        #[serde(with = "struct_serde")]
        header: Header,
        #[serde(with = "dynvec_serde")]
        uncles: Vec<UncleBlock>,
        #[serde(with = "dynvec_serde")]
        transactions: Vec<Transaction>,
        proposals: Vec<ProposalShortId>,
    }

    crate::data::owned_only!(Block);

    pub(crate) fn block(from: &super::Block) -> Result<Block, Box<dyn Error>> {
        // Both have the same bytes.
        Ok(serde_molecule::from_slice(&fourfold::molecule::to_vec(from)?, false)?)
    }
}
