use fourfold::biniou::with;
use serde::{Deserialize, Serialize};

pub type Byte = with::Int8<u8>;

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pages {
    pub ints: IntPage,
    pub more: Vec<IntPage>,
    pub bytes: BytePage,
    pub lists: StringListPage,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub struct IntPage {
    pub items: Vec<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<Box<IntPage>>,
    pub kind: IntPageKind,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub enum IntPageKind {
    A,
    B(i64),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub struct BytePage {
    #[serde(with = "with::int8")]
    pub items: Vec<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<Box<BytePage>>,
    pub kind: BytePageKind,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub enum BytePageKind {
    A,
    B(#[serde(with = "with::int8")] u8),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub struct StringListPage {
    pub items: Vec<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<Box<StringListPage>>,
    pub kind: StringListPageKind,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub enum StringListPageKind {
    A,
    B(Vec<String>),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub enum Choice {
    Left(String),
    Right(#[serde(with = "with::int8")] u8, f64),
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Marks {
    #[serde(with = "with::int8")]
    pub bytes: Vec<u8>,
    #[serde(with = "with::int8")]
    pub pair: (u8, u8),
    pub mixed: (Byte, String),
    #[serde(with = "with::optional", default)]
    pub maybe: Option<Byte>,
    #[serde(with = "with::int8")]
    pub deep: Vec<Option<u8>>,
    #[serde(rename = "self", with = "with::char")]
    pub self_: Vec<(char,)>,
    #[serde(with = "with::table")]
    pub rows: Vec<Row>,
    pub tables: Vec<with::Table<Vec<Row>>>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Row {
    pub r: i64,
    #[serde(default)]
    pub left_out: i64,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "none")]
pub struct None_ {
    #[serde(default, skip_serializing_if = "is_default")]
    pub left_out: i64,
}

pub type Unused = None_;

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct AnyNamed {
    #[serde(rename = "codeHash", with = "with::int8")]
    pub code_hash: u8,
    #[serde(rename = "code_hash")]
    pub code_hash2: i64,
    pub type_: [(); 0],
    #[serde(rename = "crate")]
    pub crate_: (),
    #[serde(rename = "x'")]
    pub x_: (i64,),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Some_ {
    Some_(SomeSome),
    Other(SomeNamed),
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SomeSome {
    pub x: i64,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub struct SomeNamed {
    #[serde(rename = "codeHash")]
    pub code_hash: Box<Some_>,
    #[serde(rename = "code_hash")]
    pub code_hash2: i64,
    pub type_: [(); 0],
    #[serde(rename = "crate")]
    pub crate_: (),
    #[serde(rename = "x'")]
    pub x_: (i64,),
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
pub struct Hidden {
    pub inner: Vec<HiddenInner>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
pub struct HiddenInner {
    pub a: i64,
    pub b: HiddenInnerB,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
pub struct HiddenInnerB {
    pub c: f64,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Sum {
    Some_(i64, #[serde(default = "sum_some_1")] i64),
    None_,
    #[serde(rename = "V'1")]
    V1,
    Mark(#[serde(with = "with::int8")] u8),
    Both(#[serde(with = "with::int8")] u8, String),
    Kept(Pair),
}

pub type Pair = (i64, i64);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Long(pub i64,
        pub i64,
        pub i64,
        pub i64,
        pub i64,
        pub i64,
        pub i64,
        pub i64,
        pub i64,
        pub i64,
        pub i64,
        pub i64,
        pub i64);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Loop(pub Vec<(String, Loop)>);

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Left {
    pub right: Right,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Right {
    #[serde(with = "with::optional", default)]
    pub left: Option<Box<Left>>,
    pub both: RightBoth,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub enum RightBoth {
    Nothing,
    Left(Box<Left>),
}

/// Is `code` {{ not, nor here.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "vec")]
pub struct Vec_ {
    /// A field.
    pub string: String,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn sum_some_1() -> i64 {
    7
}
