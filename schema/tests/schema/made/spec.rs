use fourfold::molecule::with;
use serde::{Deserialize, Serialize};

/// The types that the encoding specification uses in its examples.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Byte3(pub [u8; 3]);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TwoUint32(pub [u32; 2]);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "struct.OnlyAByte")]
pub struct OnlyAByte {
    pub f1: u8,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "struct.ByteAndUint32")]
pub struct ByteAndUint32 {
    pub f1: u8,
    pub f2: u32,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "fixvec.Bytes")]
pub struct Bytes(pub Vec<u8>);

pub type Uint32Vec = with::FixVec<Vec<u32>>;
pub type BytesVec = with::DynVec<Vec<Bytes>>;

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct MixedType {
    pub f1: Bytes,
    pub f2: u8,
    pub f3: u32,
    pub f4: Byte3,
    pub f5: Bytes,
}

pub type BytesVecOpt = Option<with::DynVec<Vec<Bytes>>>;

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub enum HybridBytes {
    Byte3(Byte3),
    Bytes(Bytes),
    BytesVec(with::DynVec<Vec<Bytes>>),
    BytesVecOpt(Option<with::DynVec<Vec<Bytes>>>),
}
