extern crate alloc;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
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
    #[serde(default = "drawing_tags")]
    pub tags: Vec<String>,
    #[serde(with = "with::optional", default)]
    pub next: Option<Box<Drawing>>,
}

fn drawing_tags() -> Vec<String> {
    vec![String::from("a"), String::from("b")]
}
