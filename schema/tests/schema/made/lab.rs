use fourfold::molecule::with;
use serde::{Deserialize, Serialize};

/// Test types. Integers and floats are little-endian byte arrays.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bool(pub [u8; 1]);

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Float32(pub [u8; 4]);

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Float64(pub [u8; 8]);

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Char(pub [u8; 4]);

#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Byte33(#[serde(with = "with::array")] pub [u8; 33]);

#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Byte64(#[serde(with = "with::array")] pub [u8; 64]);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "fixvec.Bytes")]
pub struct Bytes(pub Vec<u8>);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "fixvec.String")]
pub struct String_(pub Vec<u8>);

/// Every scalar as a struct (no header) and as a table (header).
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "struct.ScalarStruct")]
pub struct ScalarStruct {
    pub b: Bool,
    pub u8_: u8,
    pub u16_: u16,
    pub u32_: u32,
    pub u64_: u64,
    pub u128_: u128,
    pub i16_: i16,
    pub i32_: i32,
    pub i64_: i64,
    pub i128_: i128,
    pub f32_: Float32,
    pub f64_: Float64,
    pub c: Char,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct ScalarTable {
    pub b: Bool,
    pub u8_: u8,
    pub u16_: u16,
    pub u32_: u32,
    pub u64_: u64,
    pub u128_: u128,
    pub i16_: i16,
    pub i32_: i32,
    pub i64_: i64,
    pub i128_: i128,
    pub f32_: Float32,
    pub f64_: Float64,
    pub c: Char,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
#[serde(rename = "struct.BigArrays")]
pub struct BigArrays {
    pub a: Byte33,
    pub b: Byte64,
}

/// Meshes
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "struct.Point3")]
pub struct Point3 {
    pub x: Float32,
    pub y: Float32,
    pub z: Float32,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "struct.Triangle")]
pub struct Triangle {
    pub v0: Point3,
    pub v1: Point3,
    pub v2: Point3,
    pub normal: Point3,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename = "fixvec.Triangles")]
pub struct Triangles(pub Vec<Triangle>);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct Mesh {
    pub triangles: Triangles,
}

/// Access logs
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "struct.Address")]
pub struct Address {
    pub x0: u8,
    pub x1: u8,
    pub x2: u8,
    pub x3: u8,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct Log {
    pub address: Address,
    pub code: u16,
    pub identity: String_,
    pub userid: String_,
    pub date: String_,
    pub request: String_,
    pub size: u64,
}

pub type LogVec = with::DynVec<Vec<Log>>;

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct Logs {
    #[serde(with = "with::dynvec")]
    pub logs: Vec<Log>,
}

/// Containers in containers
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename = "fixvec.Row")]
pub struct Row(pub Vec<u32>);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename = "dynvec.Matrix")]
pub struct Matrix(pub Vec<Row>);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename = "dynvec.Cube")]
pub struct Cube(pub Vec<Matrix>);

pub type StringVec = with::DynVec<Vec<String_>>;

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct Unit {}

pub type UnitOpt = Option<Unit>;
pub type UnitVec = with::DynVec<Vec<Unit>>;
pub type Uint32Opt = Option<u32>;
pub type Uint32OptVec = with::DynVec<Vec<Option<u32>>>;
pub type Uint32OptOpt = Option<Option<u32>>;
pub type RowOpt = Option<Row>;
pub type MatrixOpt = Option<Matrix>;
pub type StringOpt = Option<String_>;
pub type StringOptVec = with::DynVec<Vec<Option<String_>>>;

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Point3x2(pub [Point3; 2]);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Grid(pub [Point3x2; 3]);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct Nested {
    pub cube: Cube,
    #[serde(with = "with::dynvec")]
    pub words: Vec<String_>,
    pub unit: Unit,
    pub unit_opt: Option<Unit>,
    #[serde(with = "with::dynvec")]
    pub units: Vec<Unit>,
    #[serde(with = "with::dynvec")]
    pub numbers: Vec<Option<u32>>,
    pub row: Option<Row>,
    pub matrix: Option<Matrix>,
    #[serde(with = "with::dynvec")]
    pub names: Vec<Option<String_>>,
    pub grid: Grid,
}

/// Maps as vectors of pairs
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct StringUint64Entry {
    pub key: String_,
    pub value: u64,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename = "dynvec.StringUint64Map")]
pub struct StringUint64Map(pub Vec<StringUint64Entry>);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "struct.Uint32Uint32Entry")]
pub struct Uint32Uint32Entry {
    pub key: u32,
    pub value: u32,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename = "fixvec.Uint32Uint32Map")]
pub struct Uint32Uint32Map(pub Vec<Uint32Uint32Entry>);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct Maps {
    pub names: StringUint64Map,
    pub numbers: Uint32Uint32Map,
}

/// Unions
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    Point3(Point3),
    Triangle(Triangle),
    Bytes(Bytes),
    StringVec(with::DynVec<Vec<String_>>),
    Unit(Unit),
    Uint32Opt(Option<u32>),
    Byte(u8),
}

pub type ShapeVec = with::DynVec<Vec<Shape>>;
pub type ShapeOpt = Option<Shape>;

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename = "union.Event.Log-1.Bytes-7.Unit-100.Uint64-65536.ScalarTable-2147483648.Shape-4294967295")]
pub enum Event {
    Log(Log),
    Bytes(Bytes),
    Unit(Unit),
    Uint64(u64),
    ScalarTable(ScalarTable),
    Shape(Shape),
}

pub type EventVec = with::DynVec<Vec<Event>>;

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct Story {
    #[serde(with = "with::dynvec")]
    pub events: Vec<Event>,
    pub last: Option<Shape>,
    #[serde(with = "with::dynvec")]
    pub shapes: Vec<Shape>,
}

/// Evolution: a table may only grow at its end.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct PersonV0 {
    pub name: String_,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct PersonV1 {
    pub name: String_,
    pub age: u8,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct PersonV2 {
    pub name: String_,
    pub age: u8,
    pub email: Option<String_>,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct PersonV3 {
    pub name: String_,
    pub age: u8,
    pub email: Option<String_>,
    pub scores: Row,
    pub home: Address,
}

pub type PersonV1Vec = with::DynVec<Vec<PersonV1>>;
pub type PersonV3Vec = with::DynVec<Vec<PersonV3>>;
pub type PersonV1Opt = Option<PersonV1>;
pub type PersonV3Opt = Option<PersonV3>;

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename = "union.SubjectV1.PersonV1-5.Bytes-6")]
pub enum SubjectV1 {
    PersonV1(PersonV1),
    Bytes(Bytes),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename = "union.SubjectV3.PersonV3-5.Bytes-6.Unit-9")]
pub enum SubjectV3 {
    PersonV3(PersonV3),
    Bytes(Bytes),
    Unit(Unit),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub struct TeamV1 {
    pub lead: PersonV1,
    #[serde(with = "with::dynvec")]
    pub members: Vec<PersonV1>,
    pub deputy: Option<PersonV1>,
    pub subject: SubjectV1,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub struct TeamV3 {
    pub lead: PersonV3,
    #[serde(with = "with::dynvec")]
    pub members: Vec<PersonV3>,
    pub deputy: Option<PersonV3>,
    pub subject: SubjectV3,
    pub budget: u64,
}
