//! The fixtures' schemas as Rust types, and the way from a type's name in a fixture to the type.

// `pub` items are used by the sibling test modules.
#![allow(unreachable_pub)]

use serde::Serialize;
use serde::de::DeserializeOwned;

pub mod compare;
pub mod fixture;
pub mod lab;
pub mod protocols;
pub mod spec;
pub mod types;

/// `blockchain.mol`: the node's types, and names for what is plain Rust there.
pub mod blockchain {
    pub use crate::ckb::types::*;

    pub type Uint32 = u32;
    pub type Uint64 = u64;
    pub type Uint128 = u128;
}

/// `extensions.mol`: the node's types, and names for what is plain Rust there.
pub mod extensions {
    pub use crate::ckb::types::*;

    pub type Bool = bool;
}

/// A test of one case, whatever its type.
pub trait Test {
    fn run<T: Serialize + DeserializeOwned>(&self) -> Result<(), String>;
}

/// Makes `with_type`, which runs a test with the Rust type of a name (`"types.Table6"`). A test is compiled for each type,
/// so a file of tests lists those that its fixtures have.
macro_rules! by_name {
    ($($schema:ident { $($name:ident),* $(,)? })*) => {
        pub(crate) fn with_type(
            name: &str,
            test: &impl $crate::schema::Test,
        ) -> Result<(), String> {
            match name {
                $($(
                    concat!(stringify!($schema), ".", stringify!($name)) => {
                        test.run::<$crate::schema::$schema::$name>()
                    }
                )*)*
                _ => Err(format!("no Rust type for {name}")),
            }
        }
    };
}
pub(crate) use by_name;

by_name! {
    blockchain {
        Uint32, Uint64, Uint128, Byte32, Uint256, Bytes, BytesOpt, BytesOptVec,
        BytesVec, Byte32Vec, ScriptOpt, ProposalShortId, UncleBlockVec, TransactionVec,
        ProposalShortIdVec, CellDepVec, CellInputVec, CellOutputVec, Script, OutPoint,
        CellInput, CellOutput, CellDep, RawTransaction, Transaction, RawHeader, Header,
        UncleBlock, Block, BlockV1, CellbaseWitness, WitnessArgs,
    }
    extensions {
        BoolOpt, Byte32Opt, Bool, BeUint32, BeUint64, Uint32Vec, Uint64Vec, Uint256Vec,
        CellOutputOpt, HeaderVec, OutPointVec, Uint64VecOpt, HeaderDigest, HeaderView,
        UncleBlockVecView, TransactionView, BlockExt, BlockExtV1, EpochExt,
        TransactionKey, NumberHash, TransactionInfo, CellEntry, CellDataEntry,
        RelayMessage, CompactBlock, CompactBlockV1, RelayTransaction,
        RelayTransactionVec, RelayTransactions, RelayTransactionHashes,
        GetRelayTransactions, GetBlockTransactions, BlockTransactions, GetBlockProposal,
        BlockProposal, IndexTransaction, IndexTransactionVec, BlockFilterMessage,
        GetBlockFilters, BlockFilters, GetBlockFilterHashes, BlockFilterHashes,
        GetBlockFilterCheckPoints, BlockFilterCheckPoints, SyncMessage, GetHeaders,
        GetBlocks, SendHeaders, SendBlock, FilteredBlock, MerkleProof, InIBD,
        HeaderDigestVec, VerifiableHeader, VerifiableHeaderVec, FilteredBlockVec,
        LightClientMessage, GetLastState, SendLastState, GetLastStateProof,
        SendLastStateProof, GetBlocksProof, SendBlocksProof, SendBlocksProofV1,
        GetTransactionsProof, SendTransactionsProof, SendTransactionsProofV1, Time,
        RawAlert, Alert, Identify,
    }
    types {
        Byte2, Byte3, Byte4, Byte5, Byte6, Byte7, Byte8, Byte9, Byte10, Byte11, Byte12,
        Byte13, Byte14, Byte15, Byte16, Word, Word2, Word3, Word4, Word5, Word6, Word7,
        Word8, Byte3x3, Byte5x3, Byte7x3, Byte9x3, StructA, StructB, StructC, StructD,
        StructE, StructF, StructG, StructH, StructI, StructJ, StructIx3, StructO,
        StructP, Bytes, Words, Byte3Vec, Byte7Vec, StructIVec, StructJVec, StructPVec,
        BytesVec, WordsVec, Table0, Table1, Table2, Table3, Table4, Table5, Table6,
        ByteOpt, WordOpt, StructAOpt, StructPOpt, BytesOpt, WordsOpt, BytesVecOpt,
        WordsVecOpt, Table0Opt, Table6Opt, Table6OptOpt, ByteOptVec, WordOptVec,
        WordsOptVec, BytesOptVec, UnionA, UnionB, UnionC, UnionD, TableA, Uint8, Int8,
        Uint16, Int16, Uint32, Int32, Uint64, Int64, TableB, AllInOne,
    }
    lab {
        Bool, Uint16, Int16, Uint32, Int32, Uint64, Int64, Uint128, Int128, Float32,
        Float64, Char, Byte33, Byte64, Bytes, String, ScalarStruct, ScalarTable,
        BigArrays, Point3, Triangle, Triangles, Mesh, Address, Log, LogVec, Logs, Row,
        Matrix, Cube, StringVec, Unit, UnitOpt, UnitVec, Uint32Opt, Uint32OptVec,
        Uint32OptOpt, RowOpt, MatrixOpt, StringOpt, StringOptVec, Point3x2, Grid,
        Nested, StringUint64Entry, StringUint64Map, Uint32Uint32Entry, Uint32Uint32Map,
        Maps, Shape, ShapeVec, ShapeOpt, Event, EventVec, Story, PersonV0, PersonV1,
        PersonV2, PersonV3, PersonV1Vec, PersonV3Vec, PersonV1Opt, PersonV3Opt,
        SubjectV1, SubjectV3, TeamV1, TeamV3,
    }
    spec {
        Byte3, Uint32, TwoUint32, OnlyAByte, ByteAndUint32, Bytes, Uint32Vec, BytesVec,
        MixedType, BytesVecOpt, HybridBytes,
    }
    protocols {
        PingPayload, PingMessage, Ping, Pong, NodeVec, Node2Vec, Uint16, PortOpt,
        DiscoveryPayload, DiscoveryMessage, GetNodes, GetNodes2, Nodes, Nodes2, Node,
        Node2, AddressVec, Address, IdentifyMessage, HolePunchingMessage,
        ConnectionRequest, ConnectionRequestDelivered, ConnectionSync,
    }
}

#[test]
fn unknown_names_fail() {
    struct Pass;
    impl Test for Pass {
        fn run<T: Serialize + DeserializeOwned>(&self) -> Result<(), String> {
            Ok(())
        }
    }
    assert_eq!(with_type("types.Table6", &Pass), Ok(()));
    assert_eq!(with_type("types.Table7", &Pass), Err("no Rust type for types.Table7".into()));
    assert!(with_type("Table6", &Pass).is_err());
}
