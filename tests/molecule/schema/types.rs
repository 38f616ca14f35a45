//! `types.mol`: arrays, vectors, options, unions and tables in many combinations.

use fourfold::molecule::with::{DynVec, FixVec};
use serde::{Deserialize, Serialize};

pub type Byte2 = [u8; 2];
pub type Byte3 = [u8; 3];
pub type Byte4 = [u8; 4];
pub type Byte5 = [u8; 5];
pub type Byte6 = [u8; 6];
pub type Byte7 = [u8; 7];
pub type Byte8 = [u8; 8];
pub type Byte9 = [u8; 9];
pub type Byte10 = [u8; 10];
pub type Byte11 = [u8; 11];
pub type Byte12 = [u8; 12];
pub type Byte13 = [u8; 13];
pub type Byte14 = [u8; 14];
pub type Byte15 = [u8; 15];
pub type Byte16 = [u8; 16];
pub type Word = [u8; 2];
pub type Word2 = [Word; 2];
pub type Word3 = [Word; 3];
pub type Word4 = [Word; 4];
pub type Word5 = [Word; 5];
pub type Word6 = [Word; 6];
pub type Word7 = [Word; 7];
pub type Word8 = [Word; 8];
pub type Byte3x3 = [Byte3; 3];
pub type Byte5x3 = [Byte5; 3];
pub type Byte7x3 = [Byte7; 3];
pub type Byte9x3 = [Byte9; 3];

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "struct.StructA")]
pub struct StructA {
    pub f1: u8,
    pub f2: u8,
    pub f3: Byte2,
    pub f4: Byte2,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "struct.StructB")]
pub struct StructB {
    pub f1: u8,
    pub f2: u8,
    pub f3: Byte2,
    pub f4: Byte3,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "struct.StructC")]
pub struct StructC {
    pub f1: u8,
    pub f2: u8,
    pub f3: Byte2,
    pub f4: Byte4,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "struct.StructD")]
pub struct StructD {
    pub f1: u8,
    pub f2: u8,
    pub f3: Byte2,
    pub f4: Byte5,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "struct.StructE")]
pub struct StructE {
    pub f1: u8,
    pub f2: Byte2,
    pub f3: u8,
    pub f4: Byte2,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "struct.StructF")]
pub struct StructF {
    pub f1: u8,
    pub f2: Byte3,
    pub f3: u8,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "struct.StructG")]
pub struct StructG {
    pub f1: Byte3,
    pub f2: u8,
    pub f3: Byte2,
    pub f4: Word2,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "struct.StructH")]
pub struct StructH {
    pub f1: Byte3,
    pub f2: u8,
    pub f3: Byte2,
    pub f4: Byte4,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "struct.StructI")]
pub struct StructI {
    pub f1: Byte3,
    pub f2: u8,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "struct.StructJ")]
pub struct StructJ {
    pub f1: Byte6,
    pub f2: u8,
}

pub type StructIx3 = [StructI; 3];

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "struct.StructO")]
pub struct StructO {
    pub f1: StructIx3,
    pub f2: u8,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "struct.StructP")]
pub struct StructP {
    pub f1: StructJ,
    pub f2: u8,
}

pub type Bytes = FixVec<Vec<u8>>;
pub type Words = FixVec<Vec<Word>>;
pub type Byte3Vec = FixVec<Vec<Byte3>>;
pub type Byte7Vec = FixVec<Vec<Byte7>>;
pub type StructIVec = FixVec<Vec<StructI>>;
pub type StructJVec = FixVec<Vec<StructJ>>;
pub type StructPVec = FixVec<Vec<StructP>>;
pub type BytesVec = DynVec<Vec<Bytes>>;
pub type WordsVec = DynVec<Vec<Words>>;

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Table0 {}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Table1 {
    pub f1: u8,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Table2 {
    pub f1: u8,
    pub f2: Word2,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Table3 {
    pub f1: u8,
    pub f2: Word2,
    pub f3: StructA,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Table4 {
    pub f1: u8,
    pub f2: Word2,
    pub f3: StructA,
    pub f4: Bytes,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Table5 {
    pub f1: u8,
    pub f2: Word2,
    pub f3: StructA,
    pub f4: Bytes,
    pub f5: BytesVec,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Table6 {
    pub f1: u8,
    pub f2: Word2,
    pub f3: StructA,
    pub f4: Bytes,
    pub f5: BytesVec,
    pub f6: Table5,
}

pub type ByteOpt = Option<u8>;
pub type WordOpt = Option<Word>;
pub type StructAOpt = Option<StructA>;
pub type StructPOpt = Option<StructP>;
pub type BytesOpt = Option<Bytes>;
pub type WordsOpt = Option<Words>;
pub type BytesVecOpt = Option<BytesVec>;
pub type WordsVecOpt = Option<WordsVec>;
pub type Table0Opt = Option<Table0>;
pub type Table6Opt = Option<Table6>;
pub type Table6OptOpt = Option<Table6Opt>;
pub type ByteOptVec = DynVec<Vec<ByteOpt>>;
pub type WordOptVec = DynVec<Vec<WordOpt>>;
pub type WordsOptVec = DynVec<Vec<WordsOpt>>;
pub type BytesOptVec = DynVec<Vec<BytesOpt>>;

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "union.UnionA.byte-2.Word-3.StructA-7.Bytes-11.Words-4278190081.\
                  Table0-4278190082.Table6-4278190083.Table6Opt-4278190084")]
pub enum UnionA {
    #[serde(rename = "byte")]
    Byte(u8),
    Word(Word),
    StructA(StructA),
    Bytes(Bytes),
    Words(Words),
    Table0(Table0),
    Table6(Table6),
    Table6Opt(Table6Opt),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "union.UnionB.byte-2.Word-4")]
pub enum UnionB {
    #[serde(rename = "byte")]
    Byte(u8),
    Word(Word),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub enum UnionC {
    Word(Word),
    #[serde(rename = "byte")]
    Byte(u8),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "union.UnionD.Word-2.byte-4")]
pub enum UnionD {
    Word(Word),
    #[serde(rename = "byte")]
    Byte(u8),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct TableA {
    pub f1: Word2,
    pub f2: StructA,
    pub f3: Bytes,
    pub f4: BytesVec,
    pub f5: Table1,
    pub f6: BytesOpt,
    pub f7: UnionA,
    pub f8: u8,
}

pub type Uint8 = u8;
pub type Int8 = i8;
pub type Uint16 = u16;
pub type Int16 = i16;
pub type Uint32 = u32;
pub type Int32 = i32;
pub type Uint64 = u64;
pub type Int64 = i64;

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct TableB {
    pub f1: Uint8,
    pub f2: Int8,
    pub f3: Uint16,
    pub f4: Int16,
    pub f5: Uint32,
    pub f6: Int32,
    pub f7: Uint64,
    pub f8: Int64,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
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
    pub f43: Byte3Vec,
    pub f44: Byte7Vec,
    pub f45: StructIVec,
    pub f46: StructJVec,
    pub f47: StructPVec,
    pub f48: BytesVec,
    pub f49: WordsVec,
    pub f50: Table0,
    pub f51: Table1,
    pub f52: Table2,
    pub f53: Table3,
    pub f54: Table4,
    pub f55: Table5,
    pub f56: Table6,
    pub f57: ByteOpt,
    pub f58: WordOpt,
    pub f59: StructAOpt,
    pub f60: StructPOpt,
    pub f61: BytesOpt,
    pub f62: WordsOpt,
    pub f63: BytesVecOpt,
    pub f64: WordsVecOpt,
    pub f65: Table0Opt,
    pub f66: Table6Opt,
    pub f67: Table6OptOpt,
    pub f68: ByteOptVec,
    pub f69: WordOptVec,
    pub f70: WordsOptVec,
    pub f71: BytesOptVec,
    pub f72: UnionA,
    pub f73: TableA,
    pub f74: TableB,
    pub f75: UnionB,
    pub f76: UnionD,
}
