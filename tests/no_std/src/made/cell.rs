extern crate alloc;

#[allow(unused_imports)]
use alloc::{borrow::Cow, boxed::Box, string::String, vec, vec::Vec};
use fourfold::molecule::with;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Byte32(pub [u8; 32]);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "fixvec.Bytes")]
pub struct Bytes(pub Vec<u8>);

pub type BytesVec = with::DynVec<Vec<Bytes>>;
pub type ScriptOpt = Option<Script>;

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
    pub index: u64,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename = "fixvec.OutPoints")]
pub struct OutPoints(pub Vec<OutPoint>);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct CellOutput {
    pub capacity: u64,
    pub lock: Script,
    pub type_: Option<Script>,
    pub points: OutPoints,
    #[serde(with = "with::dynvec")]
    pub notes: Vec<Bytes>,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename = "union.Thing.Script-0.CellOutput-4")]
pub enum Thing {
    Script(Script),
    CellOutput(CellOutput),
}
