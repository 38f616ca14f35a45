extern crate alloc;

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use fourfold::biniou::with;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shape<'a> {
    Empty,
    Named(#[serde(borrow)] Cow<'a, str>),
    Group(#[serde(borrow)] Vec<Box<Shape<'a>>>),
    Over(
        #[serde(borrow)] Box<Shape<'a>>,
        #[serde(borrow)] Box<Shape<'a>>,
    ),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Drawing<'a> {
    #[serde(borrow)]
    pub title: Cow<'a, str>,
    #[serde(borrow)]
    pub shapes: Vec<Shape<'a>>,
    #[serde(borrow, default = "drawing_tags")]
    pub tags: Vec<Cow<'a, str>>,
    #[serde(borrow, with = "with::optional", default)]
    pub next: Option<Box<Drawing<'a>>>,
}

fn drawing_tags() -> Vec<Cow<'static, str>> {
    vec![Cow::Borrowed("a"), Cow::Borrowed("b")]
}
