//! Operators and shapes, compared with what TenniS has computed and with its rules.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

mod costs;
mod hostile;
mod operators;
#[path = "../support/random.rs"]
mod random;
mod rules;
mod runs;
mod values;
