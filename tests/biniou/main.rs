//! Tests of the public API of `fourfold::biniou`.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

mod at;
mod damage;
mod deserializer;
mod dictionary;
mod file;
#[cfg(feature = "any")]
mod hints;
mod interop;
mod limits;
mod marks;
mod once;
mod outline;
#[cfg(feature = "rayon")]
mod parallel;
mod raw;
mod reader;
mod refusals;
mod regression;
mod reject;
mod round_trip;
mod rows;
mod schema;
mod self_describing;
mod streams;
mod stubborn;
#[path = "../support/mod.rs"]
mod support;
mod swallowed_errors;
mod tree;
mod types;
mod unknown_fields;
mod value;
mod vectors;
mod wire;
mod writing;

support::format::formats! { biniou Biniou }

#[global_allocator]
static ALLOCATOR: support::alloc::Counting = support::alloc::Counting;
