extern crate alloc;

#[allow(unused_imports)]
use alloc::{borrow::Cow, boxed::Box, string::String, vec, vec::Vec};
use fourfold::biniou::with;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    Empty,
    Named(String),
    Group(Vec<Box<Shape>>),
    Over(Box<Shape>, Box<Shape>),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Drawing {
    pub title: String,
    pub shapes: Vec<Shape>,
    /// OCaml may leave it out for `["a"; "b"]`. Here it has to be there.
    pub tags: Vec<String>,
    #[serde(with = "with::optional", default)]
    pub next: Option<Box<Drawing>>,
}
