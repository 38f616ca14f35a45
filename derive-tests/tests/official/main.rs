//! Compares `fourfold::molecule` with the official implementation, on every type of a CKB node.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

#[path = "../../../tests/ckb/mod.rs"]
mod ckb;
#[path = "../../common/damage.rs"]
mod damage;
mod generated;
mod hash;
#[allow(dead_code, reason = "tests of other formats use the rest")]
#[path = "../../../tests/support/random.rs"]
mod random;
mod round_trip;
mod schema;
mod to_official;
mod verdict;
