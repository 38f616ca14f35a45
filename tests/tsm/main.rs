//! Tests of `fourfold::tsm`, through its public face.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

mod documents;
mod notation;
mod reject;
#[path = "../support/mod.rs"]
mod support;
mod with;

#[global_allocator]
static ALLOCATOR: support::alloc::Counting = support::alloc::Counting;
