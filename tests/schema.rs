//! Schemas in the languages of the formats: what is read, what is refused and where, what files import.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

#[allow(dead_code, reason = "the tests of other formats need the rest")]
#[path = "support/alloc.rs"]
mod alloc;
#[path = "schema/atd.rs"]
mod atd;
#[path = "schema/atd_check.rs"]
mod atd_check;
#[path = "schema/atd_compare.rs"]
mod atd_compare;
#[path = "schema/atd_files.rs"]
mod atd_files;
#[path = "schema/atd_random.rs"]
mod atd_random;
#[path = "schema/atd_rust.rs"]
mod atd_rust;
#[path = "schema/atd_text.rs"]
mod atd_text;
#[path = "schema/atdgen.rs"]
mod atdgen;
#[path = "schema/borrow.rs"]
mod borrow;
#[path = "schema/check.rs"]
mod check;
#[path = "ckb/mod.rs"]
mod ckb;
#[path = "schema/compare.rs"]
mod compare;
#[path = "schema/explain.rs"]
mod explain;
#[allow(dead_code, reason = "the tests of other formats need the rest")]
#[path = "support/fixture.rs"]
mod fixture;
#[path = "schema/format.rs"]
mod format;
#[path = "schema/hostile.rs"]
mod hostile;
#[path = "schema/lanes.rs"]
mod lanes;
#[path = "schema/made/mod.rs"]
mod made;
#[path = "schema/molecule.rs"]
mod molecule;
#[path = "schema/numbers.rs"]
mod numbers;
#[allow(dead_code, reason = "the tests of the format need the rest")]
#[path = "biniou/schema/mod.rs"]
mod ocaml_types;
#[path = "schema/pages.rs"]
mod pages;
#[allow(dead_code, reason = "the tests of other formats need the rest")]
#[path = "support/random.rs"]
mod random;
#[path = "schema/records.rs"]
mod records;
#[path = "schema/rows.rs"]
mod rows;
#[path = "schema/rust.rs"]
mod rust;
#[allow(dead_code, reason = "the tests of other formats need the rest")]
#[path = "support/spans.rs"]
mod spans;
#[path = "schema/values.rs"]
mod values;

mod support {
    pub(crate) use crate::fixture;
}

#[global_allocator]
static ALLOCATOR: alloc::Counting = alloc::Counting;
