use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "int8.Byte")]
pub struct Byte(pub u8);

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
    pub items: Vec<Byte>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<Box<BytePage>>,
    pub kind: BytePageKind,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub enum BytePageKind {
    A,
    B(Byte),
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
    Right(Byte, f64),
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Marks {
    pub bytes: Vec<Byte>,
    pub pair: (Byte, Byte),
    pub mixed: (Byte, String),
    #[serde(default)]
    pub maybe: Optional<Byte>,
    pub deep: Vec<Option<Byte>>,
    #[serde(rename = "self")]
    pub self_: Vec<(MarksSelf,)>,
    pub rows: MarksRows,
    pub tables: Vec<MarksTables>,
}

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "char.MarksSelf")]
pub struct MarksSelf(pub char);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "table.MarksRows")]
pub struct MarksRows(pub Vec<Row>);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "table.MarksTables")]
pub struct MarksTables(pub Vec<Row>);

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
    #[serde(rename = "codeHash")]
    pub code_hash: Byte,
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
    Mark(Byte),
    Both(Byte, String),
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
    #[serde(default)]
    pub left: Optional<Box<Left>>,
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

/// A field that is left out for `None`.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
#[serde(rename = "optional.Optional")]
pub struct Optional<T>(pub Option<T>);

impl<T> Default for Optional<T> {
    fn default() -> Self {
        Optional(None)
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn sum_some_1() -> i64 {
    7
}
