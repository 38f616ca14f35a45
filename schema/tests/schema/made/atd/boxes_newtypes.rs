use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Sum {
    A,
    B(SumR),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub struct SumR {
    #[serde(default = "sum_r_sum", skip_serializing_if = "is_sum_r_sum")]
    pub sum: Box<Sum>,
    pub name: String,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub struct RSum {
    #[serde(default = "r_sum_sum", skip_serializing_if = "is_r_sum_sum")]
    pub sum: SumOfR,
    pub name: String,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub enum SumOfR {
    A,
    B(Box<RSum>),
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename = "none")]
pub struct None_(pub Option<Box<None_>>);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct NoneR {
    #[serde(default = "none_r_none", skip_serializing_if = "is_none_r_none")]
    pub none: None_,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Empty(pub Vec<Empty>);

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct EmptyR {
    #[serde(default = "empty_r_empty", skip_serializing_if = "is_empty_r_empty")]
    pub empty: Empty,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct DeepA {
    pub y: DeepRDeep,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct DeepRDeep(pub Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<Option<DeepR>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>);

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub struct DeepR {
    #[serde(default = "deep_r_x", skip_serializing_if = "is_deep_r_x")]
    pub x: Box<DeepRDeep>,
}

pub type Opt = Option<InOpt>;

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub enum InOpt {
    A,
    B(OptR),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub struct OptR {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub none: Box<Opt>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no: Box<Opt>,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub enum OfOpt {
    A,
    B(OfOptR),
}

pub type OfOptOpt = Option<Box<OfOpt>>;

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct OfOptR {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub none: OfOptOpt,
}

fn sum_r_sum() -> Box<Sum> {
    Box::new(Sum::A)
}

fn is_sum_r_sum(value: &Sum) -> bool {
    matches!(value, Sum::A)
}

fn r_sum_sum() -> SumOfR {
    SumOfR::A
}

fn is_r_sum_sum(value: &SumOfR) -> bool {
    matches!(value, SumOfR::A)
}

fn none_r_none() -> None_ {
    None_(Default::default())
}

fn is_none_r_none(value: &None_) -> bool {
    value.0.is_none()
}

fn empty_r_empty() -> Empty {
    Empty(Default::default())
}

fn is_empty_r_empty(value: &Empty) -> bool {
    value.0.is_empty()
}

fn deep_r_x() -> Box<DeepRDeep> {
    Box::new(DeepRDeep(Default::default()))
}

fn is_deep_r_x(value: &DeepRDeep) -> bool {
    value.0.is_none()
}
