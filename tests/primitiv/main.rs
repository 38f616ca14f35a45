//! Tests of the public API of `fourfold::primitiv`.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

mod adjacent;
mod canonical;
mod checkpoints;
mod damage;
mod deserializer;
mod documents;
#[path = "../support/exchange.rs"]
mod exchange;
#[cfg(feature = "any")]
mod hints;
mod interop;
mod lenient;
mod limits;
mod marks;
mod models;
mod optimizers;
mod raw;
mod regression;
mod reject;
mod round_trip;
mod spelling;
mod strict;
mod stubborn;
#[path = "../support/mod.rs"]
mod support;
#[path = "../support/through_erased.rs"]
mod through_erased;
mod vectors;

support::format::formats! { primitiv Primitiv }

#[global_allocator]
static ALLOCATOR: support::alloc::Counting = support::alloc::Counting;
