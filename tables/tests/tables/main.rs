//! Rows of files as record batches: column types, values, and errors of damaged files.
//!
//! Expected values come from files that OCaml and the official Molecule implementation wrote, and from the library's
//! own readers and writers, which are tested against both.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

#[path = "../../../schema/tests/schema/atd_random/damage.rs"]
mod atd_damage;
#[allow(dead_code, reason = "the tests of the library need the rest")]
#[path = "../../../schema/tests/schema/atd_random/schemas.rs"]
mod atd_schemas;
#[path = "../../../schema/tests/schema/atd_random/values.rs"]
mod atd_values;
#[path = "../../../tests/ckb/mod.rs"]
mod ckb;
mod damage;
mod explode;
mod files;
#[allow(dead_code, reason = "the tests of the official compiler need the rest")]
#[path = "../../../derive-tests/common/schemas.rs"]
mod mol_schemas;
mod mol_values;
mod parquet_files;
mod python;
#[allow(dead_code, reason = "the tests of the library need the rest")]
#[path = "../../../tests/support/random.rs"]
mod random;
mod rows;
mod types;
mod values;
mod writer;
