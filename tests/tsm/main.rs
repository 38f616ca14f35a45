//! Tests of the public API of `fourfold::tsm`.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

mod adjacent;
mod damage;
mod deserializer;
mod documents;
mod elsewhere;
#[path = "../support/exchange.rs"]
mod exchange;
mod file;
#[cfg(feature = "any")]
mod hints;
mod interop;
mod items;
mod limits;
mod marks;
mod model;
mod prefix;
mod regression;
mod reject;
mod round_trip;
mod stubborn;
#[path = "../support/mod.rs"]
mod support;
#[path = "../support/through_erased.rs"]
mod through_erased;
mod vectors;
mod windows;

support::format::formats! { tsm Tsm }

#[global_allocator]
static ALLOCATOR: support::alloc::Counting = support::alloc::Counting;
