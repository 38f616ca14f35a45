//! Reads and writes messages of random schemas. The types make all requests that serde allows. All ways of reading and
//! writing have the same results.
//!
//! A failure is shrunk, and prints its seed: `FOURFOLD_SEED=1234 FOURFOLD_CASES=1 cargo test --test
//! differential` tests only that case; a larger `FOURFOLD_CASES` tests more than the default.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

mod damage;
mod digest;
mod draw;
mod format;
mod known;
mod marks;
mod parts;
mod properties;
mod read;
mod report;
mod schema;
#[path = "../support/mod.rs"]
mod support;
mod target;
mod write;

support::format::formats! { biniou Biniou, molecule Molecule, primitiv Primitiv, tsm Tsm }

use properties::{reading_agrees, reading_two_agrees, writing_agrees};
use support::format::for_formats;

for_formats! { { reading_agrees writing_agrees } }

/// Formats whose messages can be concatenated.
mod chained {
    use super::*;

    for_formats! { [biniou Biniou, primitiv Primitiv, tsm Tsm] { reading_two_agrees } }
}

/// A failure is reported for the smallest value, not for the generated one.
#[test]
fn failures_are_shrunk() {
    use support::random::{check, value};

    let failure = std::panic::catch_unwind(|| {
        check("numbers", 200, value::<Vec<u32>>, |_, numbers| {
            assert!(numbers.iter().all(|number| *number < 1000), "a large one");
        });
    });
    let text = *failure.unwrap_err().downcast::<String>().unwrap();
    assert!(text.contains("of 200 of numbers: [4294967295]\n"), "{text}");
    assert!(text.ends_with("a large one"), "{text}");
}
