extern crate alloc;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
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
    #[serde(default = "drawing_tags")]
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

fn drawing_tags() -> Vec<String> {
    vec![String::from("a"), String::from("b")]
}
