use fourfold::biniou::with;
use serde::{Deserialize, Serialize};

pub type IntDefault = i64;
pub type IntSvint = i64;
pub type IntUvint = u64;
pub type IntInt8 = with::Int8<u8>;
pub type IntInt16 = with::Int16<u16>;
pub type IntInt32 = with::Int32<i32>;
pub type IntInt64 = with::Int64<i64>;
pub type Chr = with::Char<char>;
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
pub type IntList = Vec<i64>;
pub type UvintList = Vec<IntUvint>;
pub type Int8List = with::Int8<Vec<u8>>;
pub type Int16List = with::Int16<Vec<u16>>;
pub type Int32List = with::Int32<Vec<i32>>;
pub type Int64List = with::Int64<Vec<i64>>;
pub type IntArray = Vec<i64>;
pub type Flt32List = Vec<Flt32>;
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

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub struct TupDefault(pub i64, pub String, #[serde(default = "tup_default_2")] pub i64);

pub type Assoc = Vec<(String, i64)>;
pub type AssocObj = Vec<(String, i64)>;

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct EmptyDefaults {
    #[serde(default)]
    pub a: i64,
    #[serde(with = "with::optional", default)]
    pub b: Option<String>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Point {
    pub x: i64,
    pub y: i64,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct OptionalRecord {
    pub id: i64,
    #[serde(with = "with::optional", default)]
    pub nick: Option<String>,
    #[serde(with = "with::optional", default)]
    pub age: Option<i64>,
    #[serde(with = "with::optional", default)]
    pub r#where: Option<Point>,
    #[serde(with = "with::optional", default)]
    pub maybe: Option<Option<i64>>,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct DefaultRecord {
    pub name: String,
    #[serde(default, skip_serializing_if = "is_default")]
    pub count: i64,
    #[serde(default = "default_record_level", skip_serializing_if = "is_default_record_level")]
    pub level: i64,
    #[serde(default)]
    pub ratio: f64,
    #[serde(default = "default_record_scale")]
    pub scale: f64,
    #[serde(default)]
    pub label: String,
    #[serde(default = "default_record_title")]
    pub title: String,
    #[serde(default, skip_serializing_if = "is_default")]
    pub on: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extra: Option<i64>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct BaseRecord {
    pub base_id: i64,
    #[serde(default)]
    pub base_note: String,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct DerivedRecord {
    pub base_id: i64,
    #[serde(default)]
    pub base_note: String,
    pub derived_flag: bool,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
pub struct Outer {
    pub left: Point,
    pub right: InnerRecord,
    pub rest: Vec<Point>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
pub struct InnerRecord {
    pub deep: DeepRecord,
    #[serde(with = "with::optional", default)]
    pub tail: Option<Box<InnerRecord>>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
pub struct DeepRecord {
    pub value: f64,
    pub names: Vec<String>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Renamed {
    pub kind: String,
    pub tally: i64,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
pub struct AllScalars {
    pub a_default: i64,
    pub a_uvint: u64,
    #[serde(with = "with::int8")]
    pub a_int8: u8,
    #[serde(with = "with::int16")]
    pub a_int16: u16,
    #[serde(with = "with::int32")]
    pub a_int32: i32,
    #[serde(with = "with::int64")]
    pub a_int64: i64,
    #[serde(with = "with::char")]
    pub a_chr: char,
    pub a_flt: f64,
    pub a_flt32: f32,
    pub a_bool: bool,
    pub a_str: String,
    pub a_unit: (),
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PointPage {
    pub items: Vec<Point>,
    pub total: i64,
}

pub type PointTable = with::Table<Vec<Point>>;

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
pub struct Row {
    pub key: String,
    pub weight: f64,
    #[serde(with = "with::optional", default)]
    pub comment: Option<String>,
    #[serde(default)]
    pub hits: i64,
    #[serde(default)]
    pub labels: Vec<String>,
    pub at: Point,
    pub pos: (i64, i64),
}

pub type RowTable = with::Table<Vec<Row>>;

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct NestedRow {
    pub row_name: String,
    #[serde(with = "with::table")]
    pub cells: Vec<Point>,
}

pub type NestedTable = with::Table<Vec<NestedRow>>;

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
pub struct TableHolder {
    pub caption: String,
    #[serde(with = "with::table")]
    pub body: Vec<Point>,
    #[serde(with = "with::table", default)]
    pub more: Vec<Row>,
}

pub type TableList = Vec<PointTable>;

#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BasicColor {
    Red,
    Green,
    Blue,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Color {
    Red,
    Green,
    Blue,
    Rgb(i64, i64, i64),
    Gray(i64),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
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

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub enum TreeNode {
    Leaf(i64),
    Node(Box<TreeNode>, Box<TreeNode>),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub enum ClassicStatus {
    Idle,
    Busy(String),
    Failed(i64, String),
}

pub type ColorList = Vec<Color>;

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub struct StatusRecord {
    pub st: ClassicStatus,
    #[serde(with = "with::optional", default)]
    pub col: Option<Color>,
    #[serde(default = "status_record_fallback", skip_serializing_if = "is_status_record_fallback")]
    pub fallback: Color,
}

pub type WrappedInt = i64;
pub type WrappedPlain = String;

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct WrappedRecord {
    pub w: WrappedInt,
    pub ws: Vec<WrappedInt>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Chain {
    pub link: i64,
    #[serde(with = "with::optional", default)]
    pub next: Option<Box<Chain>>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rose {
    pub rose_label: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<Rose>,
}

pub type PointList = Vec<Point>;
pub type DefaultsTable = with::Table<Vec<EmptyDefaults>>;
pub type OptionalTable = with::Table<Vec<OptionalRecord>>;

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn tup_default_2() -> i64 {
    9
}

fn default_record_level() -> i64 {
    7
}

fn is_default_record_level(value: &i64) -> bool {
    *value == 7
}

fn default_record_scale() -> f64 {
    1.5
}

fn default_record_title() -> String {
    String::from("none")
}

fn status_record_fallback() -> Color {
    Color::Red
}

fn is_status_record_fallback(value: &Color) -> bool {
    matches!(value, Color::Red)
}
