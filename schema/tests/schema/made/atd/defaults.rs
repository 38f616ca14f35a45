use fourfold::biniou::with;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Color {
    Red,
    Green,
    Gray(i64),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tuple(pub i64, #[serde(default = "tuple_1")] pub i64, #[serde(default = "tuple_2")] pub String);

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct T {
    #[serde(default = "t_a", skip_serializing_if = "is_t_a")]
    pub a: i64,
    #[serde(with = "with::int16", default = "t_b", skip_serializing_if = "is_t_b")]
    pub b: u16,
    #[serde(with = "with::int32", default = "t_c")]
    pub c: i32,
    /// OCaml may leave it out for `'a'`. Here it has to be there.
    #[serde(with = "with::char")]
    pub d: char,
    #[serde(default = "t_e")]
    pub e: f64,
    #[serde(default = "t_f", skip_serializing_if = "is_t_f")]
    pub f: bool,
    #[serde(default = "t_g")]
    pub g: String,
    /// OCaml may leave it out for `[1; 2]`. Here it has to be there.
    pub h: Vec<i64>,
    /// OCaml may leave it out for `Some 3`. Here it has to be there.
    #[serde(with = "with::int8")]
    pub i: Option<u8>,
    #[serde(default = "t_j", skip_serializing_if = "is_t_j")]
    pub j: Color,
    /// OCaml may leave it out for `(1, ("x", None))`. Here it has to be there.
    pub k: (i64, (String, Option<i64>)),
    #[serde(default, skip_serializing_if = "is_default")]
    pub l: i64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub m: Vec<i64>,
    /// OCaml may leave it out for `f ()`. Here it has to be there.
    pub n: i64,
    /// OCaml may leave it out for `Green. Here it has to be there.
    pub o: Color,
    /// OCaml may leave it out for `256`. Here it has to be there.
    #[serde(with = "with::int8")]
    pub p: u8,
    /// OCaml may leave it out for `"1"`. Here it has to be there.
    pub q: i64,
    /// OCaml may leave it out for `1`. Here it has to be there.
    pub r: f64,
    /// OCaml may leave it out for `(1, 2, "y")`. Here it has to be there.
    pub s: Tuple,
    #[serde(default, skip_serializing_if = "is_default")]
    pub u: (),
    #[serde(with = "with::int64", default)]
    pub v: i64,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Is {
    #[serde(default = "is_default2", skip_serializing_if = "is_is_default")]
    pub default: i64,
}

pub type Int64 = with::Int64<i64>;

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn tuple_1() -> i64 {
    3
}

fn tuple_2() -> String {
    String::from("x")
}

fn t_a() -> i64 {
    -1
}

fn is_t_a(value: &i64) -> bool {
    *value == -1
}

fn t_b() -> u16 {
    496
}

fn is_t_b(value: &u16) -> bool {
    *value == 496
}

fn t_c() -> i32 {
    5
}

fn t_e() -> f64 {
    1000.0
}

fn t_f() -> bool {
    true
}

fn is_t_f(value: &bool) -> bool {
    *value
}

fn t_g() -> String {
    String::from("a\"b\n\u{202e}")
}

fn t_j() -> Color {
    Color::Green
}

fn is_t_j(value: &Color) -> bool {
    matches!(value, Color::Green)
}

fn is_default2() -> i64 {
    5
}

fn is_is_default(value: &i64) -> bool {
    *value == 5
}
