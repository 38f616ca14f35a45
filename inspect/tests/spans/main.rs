//! `explain`: each byte of a file is in one span, and errors are those of the reader.

#![allow(
    clippy::cast_possible_truncation,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reports by panicking, and its numbers are small"
)]

#[allow(dead_code, reason = "the tests of other packages need the rest")]
#[path = "../../../tests/support/alloc.rs"]
mod alloc;
mod biniou;
mod check;
#[path = "../../../tests/ckb/mod.rs"]
mod ckb;
mod contents;
mod damage;
#[allow(dead_code, reason = "the tests of other packages need the rest")]
#[path = "../../../tests/support/fixture.rs"]
mod fixture;
mod linear;
mod molecule;
mod one_by_one;
mod picture;
mod primitiv;
#[allow(dead_code, reason = "the tests of other packages need the rest")]
#[path = "../../../tests/support/random.rs"]
mod random;
mod tsm;
mod typed;

use fourfold_inspect::spans::{Each, Span, all};

#[global_allocator]
static ALLOCATOR: alloc::Counting = alloc::Counting;

/// The `explain` of a format.
type Explain = fn(&[u8], &str, &mut Each<'_>);

/// All spans of a file.
fn explained(explain: Explain, bytes: &[u8]) -> Vec<Span> {
    all(|each| explain(bytes, "", each))
}
