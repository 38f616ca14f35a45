//! `lab.mol`: every kind of scalar, containers in containers, maps, and tables that grew.
//!
//! Vectors carry every kind of mark in turn: on the field, on a newtype, as a wrapper.

use fourfold::molecule::with::{Array, DynVec, FixVec, array, dynvec, fixvec};
use serde::{Deserialize, Serialize};

pub type Bool = bool;
pub type Uint16 = u16;
pub type Int16 = i16;
pub type Uint32 = u32;
pub type Int32 = i32;
pub type Uint64 = u64;
pub type Int64 = i64;
pub type Uint128 = u128;
pub type Int128 = i128;
pub type Float32 = f32;
pub type Float64 = f64;
pub type Char = char;
pub type Byte33 = Array<u8, 33>;
pub type Byte64 = Array<u8, 64>;
pub use std::string::String;

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "fixvec.Bytes")]
pub struct Bytes(pub Vec<u8>);

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "struct.ScalarStruct")]
pub struct ScalarStruct {
    pub b: bool,
    pub u8_: u8,
    pub u16_: u16,
    pub u32_: u32,
    pub u64_: u64,
    pub u128_: u128,
    pub i16_: i16,
    pub i32_: i32,
    pub i64_: i64,
    pub i128_: i128,
    pub f32_: f32,
    pub f64_: f64,
    pub c: char,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct ScalarTable {
    pub b: bool,
    pub u8_: u8,
    pub u16_: u16,
    pub u32_: u32,
    pub u64_: u64,
    pub u128_: u128,
    pub i16_: i16,
    pub i32_: i32,
    pub i64_: i64,
    pub i128_: i128,
    pub f32_: f32,
    pub f64_: f64,
    pub c: char,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "struct.BigArrays")]
pub struct BigArrays {
    #[serde(with = "array")]
    pub a: [u8; 33],
    #[serde(with = "array")]
    pub b: [u8; 64],
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "struct.Point3")]
pub struct Point3 {
    pub x: f32,
    pub y: f32,
    pub z: f32,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "struct.Triangle")]
pub struct Triangle {
    pub v0: Point3,
    pub v1: Point3,
    pub v2: Point3,
    pub normal: Point3,
}

pub type Triangles = FixVec<Vec<Triangle>>;

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Mesh {
    #[serde(with = "fixvec")]
    pub triangles: Vec<Triangle>,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "struct.Address")]
pub struct Address {
    pub x0: u8,
    pub x1: u8,
    pub x2: u8,
    pub x3: u8,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Log {
    pub address: Address,
    pub code: u16,
    pub identity: String,
    pub userid: String,
    pub date: String,
    pub request: String,
    pub size: u64,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "dynvec.LogVec")]
pub struct LogVec(pub Vec<Log>);

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Logs {
    pub logs: LogVec,
}

pub type Row = FixVec<Vec<u32>>;
pub type Matrix = DynVec<Vec<Row>>;

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "dynvec.Cube")]
pub struct Cube(pub Vec<Matrix>);

pub type StringVec = DynVec<Vec<String>>;

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Unit {}

pub type UnitOpt = Option<Unit>;
pub type UnitVec = DynVec<Vec<Unit>>;
pub type Uint32Opt = Option<u32>;
pub type Uint32OptVec = DynVec<Vec<Option<u32>>>;
pub type Uint32OptOpt = Option<Option<u32>>;
pub type RowOpt = Option<Row>;
pub type MatrixOpt = Option<Matrix>;
pub type StringOpt = Option<String>;
pub type StringOptVec = DynVec<Vec<Option<String>>>;
pub type Point3x2 = [Point3; 2];
pub type Grid = [[Point3; 2]; 3];

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Nested {
    pub cube: Cube,
    #[serde(with = "dynvec")]
    pub words: Vec<String>,
    pub unit: Unit,
    pub unit_opt: Option<Unit>,
    #[serde(with = "dynvec")]
    pub units: Vec<Unit>,
    #[serde(with = "dynvec")]
    pub numbers: Vec<Option<u32>>,
    #[serde(with = "fixvec")]
    pub row: Option<Vec<u32>>,
    #[serde(with = "dynvec")]
    pub matrix: Option<Vec<Row>>,
    #[serde(with = "dynvec")]
    pub names: Vec<Option<String>>,
    pub grid: Grid,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct StringUint64Entry {
    pub key: String,
    pub value: u64,
}

pub type StringUint64Map = DynVec<Vec<StringUint64Entry>>;

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "struct.Uint32Uint32Entry")]
pub struct Uint32Uint32Entry {
    pub key: u32,
    pub value: u32,
}

pub type Uint32Uint32Map = FixVec<Vec<Uint32Uint32Entry>>;

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Maps {
    #[serde(with = "dynvec")]
    pub names: Vec<StringUint64Entry>,
    #[serde(with = "fixvec")]
    pub numbers: Vec<Uint32Uint32Entry>,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub enum Shape {
    Point3(Point3),
    Triangle(Triangle),
    Bytes(Bytes),
    StringVec(#[serde(with = "dynvec")] Vec<String>),
    Unit(Unit),
    Uint32Opt(Option<u32>),
    #[serde(rename = "byte")]
    Byte(u8),
}

pub type ShapeVec = DynVec<Vec<Shape>>;
pub type ShapeOpt = Option<Shape>;

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(
    rename = "union.Event.Log-1.Bytes-7.Unit-100.Uint64-65536.ScalarTable-2147483648.Shape-4294967295"
)]
pub enum Event {
    Log(Log),
    Bytes(Bytes),
    Unit(Unit),
    Uint64(u64),
    ScalarTable(ScalarTable),
    Shape(Shape),
}

pub type EventVec = DynVec<Vec<Event>>;

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Story {
    pub events: EventVec,
    pub last: Option<Shape>,
    pub shapes: ShapeVec,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct PersonV0 {
    pub name: String,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct PersonV1 {
    pub name: String,
    pub age: u8,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct PersonV2 {
    pub name: String,
    pub age: u8,
    pub email: Option<String>,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct PersonV3 {
    pub name: String,
    pub age: u8,
    pub email: Option<String>,
    #[serde(with = "fixvec")]
    pub scores: Vec<u32>,
    pub home: Address,
}

pub type PersonV1Vec = DynVec<Vec<PersonV1>>;
pub type PersonV3Vec = DynVec<Vec<PersonV3>>;
pub type PersonV1Opt = Option<PersonV1>;
pub type PersonV3Opt = Option<PersonV3>;

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "union.SubjectV1.PersonV1-5.Bytes-6")]
pub enum SubjectV1 {
    PersonV1(PersonV1),
    Bytes(Bytes),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "union.SubjectV3.Bytes-6.Unit-9.PersonV3-5")]
pub enum SubjectV3 {
    PersonV3(PersonV3),
    Bytes(Bytes),
    Unit(Unit),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct TeamV1 {
    pub lead: PersonV1,
    #[serde(with = "dynvec")]
    pub members: Vec<PersonV1>,
    pub deputy: Option<PersonV1>,
    pub subject: SubjectV1,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct TeamV3 {
    pub lead: PersonV3,
    #[serde(with = "dynvec")]
    pub members: Vec<PersonV3>,
    pub deputy: Option<PersonV3>,
    pub subject: SubjectV3,
    pub budget: u64,
}
