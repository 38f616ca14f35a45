//! `feat.atd`: one type per feature of the mapping.

use fourfold::biniou::with::{self, Char, Int8, Int16, Int32, Int64, Svint, Table, Uvint};
use serde::{Deserialize, Serialize};

pub type IntDefault = i64;
pub type IntSvint = Svint<i64>;
pub type IntUvint = Uvint<i64>;
pub type IntInt8 = Int8<i64>;
pub type IntInt16 = Int16<i64>;
pub type IntInt32 = Int32<i32>;
pub type IntInt64 = Int64<i64>;
pub type Chr = Char<char>;
pub type Flt = f64;
pub type Flt64 = f64;
pub type Flt32 = f32;
pub type Boolean = bool;
pub type Str = String;
pub type Nothing = ();

pub type IntOpt = Option<i64>;
pub type IntNullable = Option<i64>;
pub type OptOpt = Option<Option<i64>>;
pub type OptNullable = Option<Option<String>>;
pub type UnitOpt = Option<()>;

// A mark on a sequence is a mark on its items.
pub type IntList = Vec<i64>;
pub type UvintList = Vec<Uvint<i64>>;
pub type Int8List = Int8<Vec<i64>>;
pub type Int16List = Vec<Int16<i64>>;
pub type Int32List = Int32<Vec<i64>>;
pub type Int64List = Vec<Int64<i64>>;
pub type IntArray = Vec<i64>;
pub type Flt32List = Vec<f32>;
pub type Flt64List = Vec<f64>;
pub type BoolList = Vec<bool>;
pub type StrList = Vec<String>;
pub type UnitList = Vec<()>;
pub type OptList = Vec<Option<i64>>;
pub type Matrix = Vec<Vec<i64>>;
pub type Matrix3 = Vec<Vec<Vec<f64>>>;

pub type Pair = (i64, String);
pub type Triple = (bool, f64, Option<String>);
pub type NestedTuple = ((i64, i64), (String, (bool, ())));
pub type TupleList = Vec<(i64, String)>;
pub type Assoc = Vec<(String, i64)>;
pub type AssocObj = Vec<(String, i64)>;

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub struct TupDefault(pub i64, pub String, #[serde(default = "nine")] pub i64);

fn nine() -> i64 {
    9
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub struct EmptyDefaults {
    #[serde(default)]
    pub a: i64,
    #[serde(default, with = "with::optional")]
    pub b: Option<String>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub struct Point {
    pub x: i64,
    pub y: i64,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub struct OptionalRecord {
    pub id: i64,
    #[serde(default, with = "with::optional")]
    pub nick: Option<String>,
    #[serde(default, with = "with::optional")]
    pub age: Option<i64>,
    #[serde(default, with = "with::optional")]
    pub r#where: Option<Point>,
    #[serde(default, with = "with::optional")]
    pub maybe: Option<Option<i64>>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub struct DefaultRecord {
    pub name: String,
    #[serde(default)]
    pub count: i64,
    #[serde(default = "seven")]
    pub level: i64,
    #[serde(default)]
    pub ratio: f64,
    #[serde(default = "one_and_a_half")]
    pub scale: f64,
    #[serde(default)]
    pub label: String,
    #[serde(default = "none")]
    pub title: String,
    #[serde(default)]
    pub on: bool,
    #[serde(default)]
    pub tags: Vec<String>,
    #[serde(default)]
    pub extra: Option<i64>,
}

fn seven() -> i64 {
    7
}

fn one_and_a_half() -> f64 {
    1.5
}

fn none() -> String {
    "none".into()
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub struct BaseRecord {
    pub base_id: i64,
    #[serde(default)]
    pub base_note: String,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub struct DerivedRecord {
    pub base_id: i64,
    #[serde(default)]
    pub base_note: String,
    pub derived_flag: bool,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub struct Outer {
    pub left: Point,
    pub right: InnerRecord,
    pub rest: Vec<Point>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub struct InnerRecord {
    pub deep: DeepRecord,
    #[serde(default, with = "with::optional")]
    pub tail: Option<Box<InnerRecord>>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub struct DeepRecord {
    pub value: f64,
    pub names: Vec<String>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub struct Renamed {
    pub kind: String,
    pub tally: i64,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub struct AllScalars {
    pub a_default: i64,
    #[serde(with = "with::uvint")]
    pub a_uvint: i64,
    #[serde(with = "with::int8")]
    pub a_int8: i64,
    #[serde(with = "with::int16")]
    pub a_int16: i64,
    #[serde(with = "with::int32")]
    pub a_int32: i32,
    #[serde(with = "with::int64")]
    pub a_int64: i64,
    #[serde(with = "with::char")]
    pub a_chr: char,
    pub a_flt: f64,
    #[serde(with = "with::float32")]
    pub a_flt32: f64,
    pub a_bool: bool,
    pub a_str: String,
    pub a_unit: (),
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub struct Page<T> {
    pub items: Vec<T>,
    pub total: i64,
}

pub type PointPage = Page<Point>;

pub type PointTable = Table<Vec<Point>>;

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub struct Row {
    pub key: String,
    pub weight: f64,
    #[serde(default, with = "with::optional")]
    pub comment: Option<String>,
    #[serde(default)]
    pub hits: i64,
    #[serde(default)]
    pub labels: Vec<String>,
    pub at: Point,
    pub pos: (i64, i64),
}

pub type RowTable = Table<Vec<Row>>;

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub struct NestedRow {
    pub row_name: String,
    #[serde(with = "with::table")]
    pub cells: Vec<Point>,
}

pub type NestedTable = Table<Vec<NestedRow>>;

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub struct TableHolder {
    pub caption: String,
    pub body: PointTable,
    #[serde(default, with = "with::table")]
    pub more: Vec<Row>,
}

pub type TableList = Vec<PointTable>;

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub enum BasicColor {
    Red,
    Green,
    Blue,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub enum Color {
    Red,
    Green,
    Blue,
    Rgb(i64, i64, i64),
    Gray(i64),
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub enum Shape {
    Empty,
    Circle(f64),
    Rect(f64, f64),
    Poly(Vec<Point>),
    Named(String, Box<Shape>),
    #[serde(rename = "Rec_arg")]
    RecArg(Point),
    #[serde(rename = "Opt_arg")]
    OptArg(Option<i64>),
    #[serde(rename = "Unit_arg")]
    UnitArg(()),
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub enum TreeNode {
    Leaf(i64),
    Node(Box<TreeNode>, Box<TreeNode>),
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub enum ClassicStatus {
    Idle,
    Busy(String),
    Failed(i64, String),
}

pub type ColorList = Vec<Color>;

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub struct StatusRecord {
    pub st: ClassicStatus,
    #[serde(default, with = "with::optional")]
    pub col: Option<Color>,
    #[serde(default = "red")]
    pub fallback: Color,
}

fn red() -> Color {
    Color::Red
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub struct WrappedInt(pub i64);

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub struct WrappedPlain(pub String);

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub struct WrappedRecord {
    pub w: WrappedInt,
    pub ws: Vec<WrappedInt>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub struct Chain {
    pub link: i64,
    #[serde(default, with = "with::optional")]
    pub next: Option<Box<Chain>>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub struct Rose {
    pub rose_label: String,
    #[serde(default)]
    pub children: Vec<Rose>,
}

pub type PointList = Vec<Point>;

// A newtype with the mark in its name is the same as the wrapper.
#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(rename = "table.DefaultsTable")]
pub struct DefaultsTable(pub Vec<EmptyDefaults>);

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(rename = "table.OptionalTable")]
pub struct OptionalTable(pub Vec<OptionalRecord>);
