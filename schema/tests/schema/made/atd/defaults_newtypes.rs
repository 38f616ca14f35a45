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
    #[serde(default = "t_b", skip_serializing_if = "is_t_b")]
    pub b: TB,
    #[serde(default = "t_c")]
    pub c: TC,
    /// OCaml may leave it out for `'a'`. Here it has to be there.
    pub d: TD,
    #[serde(default = "t_e")]
    pub e: f64,
    #[serde(default = "t_f", skip_serializing_if = "is_t_f")]
    pub f: bool,
    #[serde(default = "t_g")]
    pub g: String,
    /// OCaml may leave it out for `[1; 2]`. Here it has to be there.
    pub h: Vec<i64>,
    /// OCaml may leave it out for `Some 3`. Here it has to be there.
    pub i: Option<TI>,
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
    pub p: TP,
    /// OCaml may leave it out for `"1"`. Here it has to be there.
    pub q: i64,
    /// OCaml may leave it out for `1`. Here it has to be there.
    pub r: f64,
    /// OCaml may leave it out for `(1, 2, "y")`. Here it has to be there.
    pub s: Tuple,
    #[serde(default, skip_serializing_if = "is_default")]
    pub u: (),
    #[serde(default = "t_v")]
    pub v: Int64,
}

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "int16.TB")]
pub struct TB(pub u16);

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "int32.TC")]
pub struct TC(pub i32);

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "char.TD")]
pub struct TD(pub char);

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "int8.TI")]
pub struct TI(pub u8);

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "int8.TP")]
pub struct TP(pub u8);

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Is {
    #[serde(default = "is_default2", skip_serializing_if = "is_is_default")]
    pub default: i64,
}

#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "int64.Int64")]
pub struct Int64(pub i64);

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

fn t_b() -> TB {
    TB(496)
}

fn is_t_b(value: &TB) -> bool {
    matches!(value, TB(496))
}

fn t_c() -> TC {
    TC(5)
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

fn t_v() -> Int64 {
    Int64(0)
}

fn is_default2() -> i64 {
    5
}

fn is_is_default(value: &i64) -> bool {
    *value == 5
}
