//! Tests of `fourfold::primitiv`, through its public face.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

mod canonical;
mod dialect;
mod documents;
mod fixtures;
mod hostile;
mod lenient;
mod optimizers;
mod reject;
mod sha256;
#[path = "../support/mod.rs"]
mod support;
mod with;

#[global_allocator]
static ALLOCATOR: support::alloc::Counting = support::alloc::Counting;
