//! Converts blocks to official entities and back, like code that uses the generated types.

use std::error::Error;

use molecule::prelude::{Builder, Byte, Entity};

use super::ckb::node::types as ours;

#[allow(
    dead_code,
    elided_lifetimes_in_paths,
    unreachable_pub,
    clippy::all,
    clippy::cast_possible_truncation,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "generated code"
)]
pub(crate) mod generated {
    include!(concat!(env!("OUT_DIR"), "/blockchain.rs"));
}

/// Builds a block's entity and returns its bytes.
pub(crate) fn write(block: &ours::Block) -> Vec<u8> {
    let built = block.to_official();
    let bytes = built.as_bytes();
    drop(built);
    // The only reference, so the bytes are moved, not copied.
    bytes.into()
}

/// Verifies the bytes and reads every field.
pub(crate) fn read(bytes: &[u8]) -> Result<ours::Block, Box<dyn Error>> {
    let reader = <generated::BlockReader<'_> as molecule::prelude::Reader<'_>>::from_slice(bytes)?;
    ours::Block::from_official(reader)
}

type Outcome<T> = Result<T, Box<dyn Error>>;

/// A value with a generated entity and reader.
trait Official: Sized {
    type Entity;
    type Reader<'a>;

    fn to_official(&self) -> Self::Entity;
    fn from_official(reader: Self::Reader<'_>) -> Outcome<Self>;
}

impl Official for u8 {
    type Entity = Byte;
    type Reader<'a> = molecule::prelude::ByteReader<'a>;

    fn to_official(&self) -> Byte {
        Byte::new(*self)
    }

    fn from_official(reader: Self::Reader<'_>) -> Outcome<Self> {
        let [byte] = reader.as_slice().try_into()?;
        Ok(byte)
    }
}

/// Arrays: conversions to bytes and from bytes.
macro_rules! array {
    ($($ours:ty => $entity:ident $reader:ident, $to:expr, $from:expr;)*) => {$(
        impl Official for $ours {
            type Entity = generated::$entity;
            type Reader<'a> = generated::$reader<'a>;

            fn to_official(&self) -> Self::Entity {
                let to: fn(&$ours) -> _ = $to;
                generated::$entity::new_builder().set(to(self).map(Byte::new)).build()
            }

            fn from_official(reader: Self::Reader<'_>) -> Outcome<Self> {
                Ok($from(reader.raw_data().try_into()?))
            }
        }
    )*};
}

array! {
    u32 => Uint32 Uint32Reader, |number| number.to_le_bytes(), u32::from_le_bytes;
    u64 => Uint64 Uint64Reader, |number| number.to_le_bytes(), u64::from_le_bytes;
    u128 => Uint128 Uint128Reader, |number| number.to_le_bytes(), u128::from_le_bytes;
    ours::Byte32 => Byte32 Byte32Reader, |hash| hash.0, ours::Byte32;
    ours::ProposalShortId => ProposalShortId ProposalShortIdReader, |id| id.0, ours::ProposalShortId;
}

impl Official for ours::Bytes {
    type Entity = generated::Bytes;
    type Reader<'a> = generated::BytesReader<'a>;

    fn to_official(&self) -> Self::Entity {
        generated::Bytes::new_builder().set(self.0.iter().copied().map(Byte::new).collect()).build()
    }

    fn from_official(reader: Self::Reader<'_>) -> Outcome<Self> {
        Ok(ours::Bytes(reader.raw_data().to_vec()))
    }
}

impl Official for Option<ours::Script> {
    type Entity = generated::ScriptOpt;
    type Reader<'a> = generated::ScriptOptReader<'a>;

    fn to_official(&self) -> Self::Entity {
        let script = self.as_ref().map(Official::to_official);
        generated::ScriptOpt::new_builder().set(script).build()
    }

    fn from_official(reader: Self::Reader<'_>) -> Outcome<Self> {
        reader.to_opt().map(Official::from_official).transpose()
    }
}

macro_rules! vector {
    ($($item:ident $entity:ident $reader:ident;)*) => {$(
        impl Official for Vec<ours::$item> {
            type Entity = generated::$entity;
            type Reader<'a> = generated::$reader<'a>;

            fn to_official(&self) -> Self::Entity {
                let items = self.iter().map(Official::to_official).collect();
                generated::$entity::new_builder().set(items).build()
            }

            fn from_official(reader: Self::Reader<'_>) -> Outcome<Self> {
                reader.iter().map(Official::from_official).collect()
            }
        }
    )*};
}

vector! {
    Byte32 Byte32Vec Byte32VecReader;
    Bytes BytesVec BytesVecReader;
    CellDep CellDepVec CellDepVecReader;
    CellInput CellInputVec CellInputVecReader;
    CellOutput CellOutputVec CellOutputVecReader;
    ProposalShortId ProposalShortIdVec ProposalShortIdVecReader;
    Transaction TransactionVec TransactionVecReader;
    UncleBlock UncleBlockVec UncleBlockVecReader;
}

macro_rules! record {
    ($($name:ident $reader:ident { $($field:ident),* })*) => {$(
        impl Official for ours::$name {
            type Entity = generated::$name;
            type Reader<'a> = generated::$reader<'a>;

            fn to_official(&self) -> Self::Entity {
                generated::$name::new_builder()$(.$field(self.$field.to_official()))*.build()
            }

            fn from_official(reader: Self::Reader<'_>) -> Outcome<Self> {
                Ok(ours::$name { $($field: Official::from_official(reader.$field())?),* })
            }
        }
    )*};
}

record! {
    Script ScriptReader { code_hash, hash_type, args }
    OutPoint OutPointReader { tx_hash, index }
    CellInput CellInputReader { since, previous_output }
    CellOutput CellOutputReader { capacity, lock, type_ }
    CellDep CellDepReader { out_point, dep_type }
    RawTransaction RawTransactionReader {
        version, cell_deps, header_deps, inputs, outputs, outputs_data
    }
    Transaction TransactionReader { raw, witnesses }
    RawHeader RawHeaderReader {
        version, compact_target, timestamp, number, epoch,
        parent_hash, transactions_root, proposals_hash, extra_hash, dao
    }
    Header HeaderReader { raw, nonce }
    UncleBlock UncleBlockReader { header, proposals }
    Block BlockReader { header, uncles, transactions, proposals }
}
