//! Tests of `fourfold::molecule`, through its public face.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

#[path = "../ckb/mod.rs"]
mod ckb;
mod corpus;
mod evolution;
mod schema;
mod vectors;
