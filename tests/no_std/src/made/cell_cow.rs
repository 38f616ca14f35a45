extern crate alloc;

#[allow(unused_imports)]
use alloc::{borrow::Cow, boxed::Box, string::String, vec, vec::Vec};
use fourfold::molecule::with;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Byte32(pub [u8; 32]);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "fixvec.Bytes")]
pub struct Bytes<'a>(#[serde(borrow)] pub Cow<'a, [u8]>);

pub type BytesVec<'a> = with::DynVec<Vec<Bytes<'a>>>;
pub type ScriptOpt<'a> = Option<Script<'a>>;

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
    pub index: u64,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename = "fixvec.OutPoints")]
pub struct OutPoints(pub Vec<OutPoint>);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct CellOutput<'a> {
    pub capacity: u64,
    #[serde(borrow)]
    pub lock: Script<'a>,
    #[serde(borrow)]
    pub type_: Option<Script<'a>>,
    pub points: OutPoints,
    #[serde(borrow, with = "with::dynvec")]
    pub notes: Vec<Bytes<'a>>,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename = "union.Thing.Script-0.CellOutput-4")]
pub enum Thing<'a> {
    #[serde(borrow)]
    Script(Script<'a>),
    #[serde(borrow)]
    CellOutput(CellOutput<'a>),
}
