extern crate alloc;

#[allow(unused_imports)]
use alloc::{borrow::Cow, boxed::Box, string::String, vec, vec::Vec};
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
    #[serde(default)]
    pub next: Optional<Box<Drawing>>,
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
