//! Schema languages: parsing, errors with their position, imports, values, rows and generated Rust types.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

#[allow(dead_code, reason = "the tests of other formats need the rest")]
#[path = "../../../tests/support/alloc.rs"]
mod alloc;
mod at;
mod atd;
mod atd_check;
mod atd_compare;
mod atd_files;
mod atd_random;
mod atd_rust;
mod atd_text;
mod atdgen;
mod borrow;
mod check;
#[path = "../../../tests/ckb/mod.rs"]
mod ckb;
mod compare;
mod dictionary;
#[allow(dead_code, reason = "the tests of other formats need the rest")]
#[path = "../../../tests/support/fixture.rs"]
mod fixture;
mod format;
mod hostile;
mod lanes;
mod made;
mod molecule;
mod near;
mod numbers;
#[allow(dead_code, reason = "the tests of the format need the rest")]
#[path = "../../../tests/biniou/schema/mod.rs"]
mod ocaml_types;
mod pages;
#[allow(dead_code, reason = "the tests of other formats need the rest")]
#[path = "../../../tests/support/random.rs"]
mod random;
mod records;
mod rows;
mod rust;
mod values;
#[path = "../../../tests/support/visits.rs"]
mod visits;

mod support {
    pub(crate) use crate::{fixture, visits};
}

#[global_allocator]
static ALLOCATOR: alloc::Counting = alloc::Counting;
