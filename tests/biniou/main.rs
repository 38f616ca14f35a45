//! Tests of `fourfold::biniou`, through its public face.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

mod asks;
mod attempts;
mod dictionary;
mod explain;
mod file;
mod goes_on;
mod hostile;
mod interop;
mod mutation;
mod reader;
mod regression;
mod reject;
mod rows;
mod schema;
mod streams;
mod stubborn;
#[path = "../support/mod.rs"]
mod support;
mod tree;
mod types;
mod value;
mod vectors;
mod view;
mod ways_out;
mod writing;
mod zoo;

support::format::face! { biniou Biniou }

#[global_allocator]
static ALLOCATOR: support::alloc::Counting = support::alloc::Counting;
