//! Tests of `fourfold::tsm`, through its public face.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

mod deserializer;
mod documents;
mod elsewhere;
mod erased;
mod explain;
mod file;
mod hostile;
mod items;
mod limits;
mod model;
mod mutation;
mod notation;
mod prefix;
mod regression;
mod reject;
mod stubborn;
#[path = "../support/mod.rs"]
mod support;
mod uncounted;
mod windows;
mod with;
mod zoo;

support::format::face! { tsm Tsm }

#[global_allocator]
static ALLOCATOR: support::alloc::Counting = support::alloc::Counting;
