//! Tests of the public API of `fourfold::molecule`.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

mod absent;
mod at;
#[path = "../ckb/mod.rs"]
mod ckb;
mod corpus;
mod damage;
mod deserializer;
mod evolution;
#[cfg(feature = "any")]
mod hints;
mod ignoring;
mod limits;
mod marks;
mod once;
mod own;
#[cfg(feature = "rayon")]
mod parallel;
mod raw;
mod records;
mod regression;
mod reject;
mod round_trip;
mod schema;
mod small;
mod stubborn;
#[path = "../support/mod.rs"]
mod support;
mod ten_shapes;
mod unions;
mod vectors;
mod wire;

support::format::formats! { molecule Molecule }

#[global_allocator]
static ALLOCATOR: support::alloc::Counting = support::alloc::Counting;
