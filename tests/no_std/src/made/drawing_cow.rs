extern crate alloc;

#[allow(unused_imports)]
use alloc::{borrow::Cow, boxed::Box, string::String, vec, vec::Vec};
use fourfold::biniou::with;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shape<'a> {
    Empty,
    Named(#[serde(borrow)] Cow<'a, str>),
    Group(#[serde(borrow)] Vec<Box<Shape<'a>>>),
    Over(#[serde(borrow)] Box<Shape<'a>>, #[serde(borrow)] Box<Shape<'a>>),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Drawing<'a> {
    #[serde(borrow)]
    pub title: Cow<'a, str>,
    #[serde(borrow)]
    pub shapes: Vec<Shape<'a>>,
    /// OCaml may leave it out for `["a"; "b"]`. Here it has to be there.
    #[serde(borrow)]
    pub tags: Vec<Cow<'a, str>>,
    #[serde(borrow, with = "with::optional", default)]
    pub next: Option<Box<Drawing<'a>>>,
}
