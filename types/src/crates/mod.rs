//! Types of other crates, by kind.

mod adaptors;
mod collections;
mod network;
mod numbers;
mod text;
mod times;
mod values;

use crate::run::Run;

pub fn rows(run: &mut Run) {
    text::rows(run);
    numbers::rows(run);
    times::rows(run);
    network::rows(run);
    collections::rows(run);
    adaptors::rows(run);
    values::rows(run);
}
