//! `spec.mol`: the examples of the encoding specification, marked field by field.

use fourfold::molecule::with::{DynVec, FixVec, dynvec, fixvec};
use serde::{Deserialize, Serialize};

pub type Byte3 = [u8; 3];
pub type Uint32 = u32;
pub type TwoUint32 = [u32; 2];
pub type Uint32Vec = FixVec<Vec<u32>>;
pub type BytesVec = DynVec<Vec<Bytes>>;
pub type BytesVecOpt = Option<BytesVec>;

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "struct.OnlyAByte")]
pub struct OnlyAByte {
    pub f1: u8,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "struct.ByteAndUint32")]
pub struct ByteAndUint32 {
    pub f1: u8,
    pub f2: u32,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Bytes(#[serde(with = "fixvec")] pub Vec<u8>);

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct MixedType {
    #[serde(with = "fixvec")]
    pub f1: Vec<u8>,
    pub f2: u8,
    pub f3: u32,
    pub f4: [u8; 3],
    #[serde(with = "fixvec")]
    pub f5: Vec<u8>,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub enum HybridBytes {
    Byte3([u8; 3]),
    Bytes(#[serde(with = "fixvec")] Vec<u8>),
    BytesVec(#[serde(with = "dynvec")] Vec<Bytes>),
    BytesVecOpt(#[serde(with = "dynvec")] Option<Vec<Bytes>>),
}
