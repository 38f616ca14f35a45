use fourfold::molecule::with;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Byte2(pub [u8; 2]);

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Byte3(pub [u8; 3]);

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Byte4(pub [u8; 4]);

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Byte5(pub [u8; 5]);

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Byte6(pub [u8; 6]);

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Byte7(pub [u8; 7]);

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Byte8(pub [u8; 8]);

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Byte9(pub [u8; 9]);

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Byte10(pub [u8; 10]);

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Byte11(pub [u8; 11]);

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Byte12(pub [u8; 12]);

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Byte13(pub [u8; 13]);

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Byte14(pub [u8; 14]);

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Byte15(pub [u8; 15]);

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Byte16(pub [u8; 16]);

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Word(pub [u8; 2]);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Word2(pub [Word; 2]);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Word3(pub [Word; 3]);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Word4(pub [Word; 4]);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Word5(pub [Word; 5]);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Word6(pub [Word; 6]);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Word7(pub [Word; 7]);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Word8(pub [Word; 8]);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Byte3x3(pub [Byte3; 3]);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Byte5x3(pub [Byte5; 3]);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Byte7x3(pub [Byte7; 3]);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Byte9x3(pub [Byte9; 3]);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "struct.StructA")]
pub struct StructA {
    pub f1: u8,
    pub f2: u8,
    pub f3: Byte2,
    pub f4: Byte2,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "struct.StructB")]
pub struct StructB {
    pub f1: u8,
    pub f2: u8,
    pub f3: Byte2,
    pub f4: Byte3,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "struct.StructC")]
pub struct StructC {
    pub f1: u8,
    pub f2: u8,
    pub f3: Byte2,
    pub f4: Byte4,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "struct.StructD")]
pub struct StructD {
    pub f1: u8,
    pub f2: u8,
    pub f3: Byte2,
    pub f4: Byte5,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "struct.StructE")]
pub struct StructE {
    pub f1: u8,
    pub f2: Byte2,
    pub f3: u8,
    pub f4: Byte2,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "struct.StructF")]
pub struct StructF {
    pub f1: u8,
    pub f2: Byte3,
    pub f3: u8,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "struct.StructG")]
pub struct StructG {
    pub f1: Byte3,
    pub f2: u8,
    pub f3: Byte2,
    pub f4: Word2,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "struct.StructH")]
pub struct StructH {
    pub f1: Byte3,
    pub f2: u8,
    pub f3: Byte2,
    pub f4: Byte4,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "struct.StructI")]
pub struct StructI {
    pub f1: Byte3,
    pub f2: u8,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "struct.StructJ")]
pub struct StructJ {
    pub f1: Byte6,
    pub f2: u8,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct StructIx3(pub [StructI; 3]);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "struct.StructO")]
pub struct StructO {
    pub f1: StructIx3,
    pub f2: u8,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "struct.StructP")]
pub struct StructP {
    pub f1: StructJ,
    pub f2: u8,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "fixvec.Bytes")]
pub struct Bytes(pub Vec<u8>);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename = "fixvec.Words")]
pub struct Words(pub Vec<Word>);

pub type Byte3Vec = with::FixVec<Vec<Byte3>>;
pub type Byte7Vec = with::FixVec<Vec<Byte7>>;
pub type StructIVec = with::FixVec<Vec<StructI>>;
pub type StructJVec = with::FixVec<Vec<StructJ>>;
pub type StructPVec = with::FixVec<Vec<StructP>>;
pub type BytesVec = with::DynVec<Vec<Bytes>>;
pub type WordsVec = with::DynVec<Vec<Words>>;

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct Table0 {}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct Table1 {
    pub f1: u8,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct Table2 {
    pub f1: u8,
    pub f2: Word2,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct Table3 {
    pub f1: u8,
    pub f2: Word2,
    pub f3: StructA,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct Table4 {
    pub f1: u8,
    pub f2: Word2,
    pub f3: StructA,
    pub f4: Bytes,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct Table5 {
    pub f1: u8,
    pub f2: Word2,
    pub f3: StructA,
    pub f4: Bytes,
    #[serde(with = "with::dynvec")]
    pub f5: Vec<Bytes>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct Table6 {
    pub f1: u8,
    pub f2: Word2,
    pub f3: StructA,
    pub f4: Bytes,
    #[serde(with = "with::dynvec")]
    pub f5: Vec<Bytes>,
    pub f6: Table5,
}

pub type ByteOpt = Option<u8>;
pub type WordOpt = Option<Word>;
pub type StructAOpt = Option<StructA>;
pub type StructPOpt = Option<StructP>;
pub type BytesOpt = Option<Bytes>;
pub type WordsOpt = Option<Words>;
pub type BytesVecOpt = Option<with::DynVec<Vec<Bytes>>>;
pub type WordsVecOpt = Option<with::DynVec<Vec<Words>>>;
pub type Table0Opt = Option<Table0>;
pub type Table6Opt = Option<Table6>;
pub type Table6OptOpt = Option<Option<Table6>>;
pub type ByteOptVec = with::DynVec<Vec<Option<u8>>>;
pub type WordOptVec = with::DynVec<Vec<Option<Word>>>;
pub type WordsOptVec = with::DynVec<Vec<Option<Words>>>;
pub type BytesOptVec = with::DynVec<Vec<Option<Bytes>>>;

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename = "union.UnionA.Byte-2.Word-3.StructA-7.Bytes-11.Words-4278190081.Table0-4278190082.Table6-4278190083.Table6Opt-4278190084")]
pub enum UnionA {
    Byte(u8),
    Word(Word),
    StructA(StructA),
    Bytes(Bytes),
    Words(Words),
    Table0(Table0),
    Table6(Table6),
    Table6Opt(Option<Table6>),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename = "union.UnionB.Byte-2.Word-4")]
pub enum UnionB {
    Byte(u8),
    Word(Word),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub enum UnionC {
    Word(Word),
    Byte(u8),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename = "union.UnionD.Word-2.Byte-4")]
pub enum UnionD {
    Word(Word),
    Byte(u8),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub struct TableA {
    pub f1: Word2,
    pub f2: StructA,
    pub f3: Bytes,
    #[serde(with = "with::dynvec")]
    pub f4: Vec<Bytes>,
    pub f5: Table1,
    pub f6: Option<Bytes>,
    pub f7: UnionA,
    pub f8: u8,
}

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Uint8(pub [u8; 1]);

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Int8(pub [u8; 1]);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct TableB {
    pub f1: Uint8,
    pub f2: Int8,
    pub f3: u16,
    pub f4: i16,
    pub f5: u32,
    pub f6: i32,
    pub f7: u64,
    pub f8: i64,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub struct AllInOne {
    pub f0: u8,
    pub f1: Byte2,
    pub f2: Byte3,
    pub f3: Byte4,
    pub f4: Byte5,
    pub f5: Byte6,
    pub f6: Byte7,
    pub f7: Byte8,
    pub f8: Byte9,
    pub f9: Byte10,
    pub f10: Byte11,
    pub f11: Byte12,
    pub f12: Byte13,
    pub f13: Byte14,
    pub f14: Byte15,
    pub f15: Byte16,
    pub f16: Word,
    pub f17: Word2,
    pub f18: Word3,
    pub f19: Word4,
    pub f20: Word5,
    pub f21: Word6,
    pub f22: Word7,
    pub f23: Word8,
    pub f24: Byte3x3,
    pub f25: Byte5x3,
    pub f26: Byte7x3,
    pub f27: Byte9x3,
    pub f28: StructA,
    pub f29: StructB,
    pub f30: StructC,
    pub f31: StructD,
    pub f32: StructE,
    pub f33: StructF,
    pub f34: StructG,
    pub f35: StructH,
    pub f36: StructI,
    pub f37: StructJ,
    pub f38: StructIx3,
    pub f39: StructO,
    pub f40: StructP,
    pub f41: Bytes,
    pub f42: Words,
    #[serde(with = "with::fixvec")]
    pub f43: Vec<Byte3>,
    #[serde(with = "with::fixvec")]
    pub f44: Vec<Byte7>,
    #[serde(with = "with::fixvec")]
    pub f45: Vec<StructI>,
    #[serde(with = "with::fixvec")]
    pub f46: Vec<StructJ>,
    #[serde(with = "with::fixvec")]
    pub f47: Vec<StructP>,
    #[serde(with = "with::dynvec")]
    pub f48: Vec<Bytes>,
    #[serde(with = "with::dynvec")]
    pub f49: Vec<Words>,
    pub f50: Table0,
    pub f51: Table1,
    pub f52: Table2,
    pub f53: Table3,
    pub f54: Table4,
    pub f55: Table5,
    pub f56: Table6,
    pub f57: Option<u8>,
    pub f58: Option<Word>,
    pub f59: Option<StructA>,
    pub f60: Option<StructP>,
    pub f61: Option<Bytes>,
    pub f62: Option<Words>,
    #[serde(with = "with::dynvec")]
    pub f63: Option<Vec<Bytes>>,
    #[serde(with = "with::dynvec")]
    pub f64: Option<Vec<Words>>,
    pub f65: Option<Table0>,
    pub f66: Option<Table6>,
    pub f67: Option<Option<Table6>>,
    #[serde(with = "with::dynvec")]
    pub f68: Vec<Option<u8>>,
    #[serde(with = "with::dynvec")]
    pub f69: Vec<Option<Word>>,
    #[serde(with = "with::dynvec")]
    pub f70: Vec<Option<Words>>,
    #[serde(with = "with::dynvec")]
    pub f71: Vec<Option<Bytes>>,
    pub f72: UnionA,
    pub f73: TableA,
    pub f74: TableB,
    pub f75: UnionB,
    pub f76: UnionD,
}
