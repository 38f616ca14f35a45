//! What is fuzzed: a function of bytes for each target, which panics if a promise of the library is
//! broken. `targets/` hands them to libFuzzer, `tests/replay.rs` replays the corpora, and
//! `examples/quick.rs` mutates those without any of it.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a target reports by panicking"
)]

mod bound;
mod draws;
mod zoo;

pub mod biniou;
pub mod corpus;
pub mod molecule;
pub mod mutate;
pub mod primitiv;
pub mod tsm;

#[path = "../../support/mod.rs"]
mod support;

#[global_allocator]
static ALLOCATOR: support::alloc::Counting = support::alloc::Counting;

/// A target of bytes.
pub type Target = fn(&[u8]);

/// Every target and its name, which is that of its file and of its corpus.
pub const TARGETS: [(&str, Target); 14] = [
    ("biniou_decode", biniou::decode),
    ("biniou_encode", biniou::encode),
    ("biniou_names", biniou::names),
    ("biniou_tree", biniou::tree),
    ("molecule_decode", molecule::decode),
    ("molecule_encode", molecule::encode),
    ("molecule_explain", molecule::explain),
    ("primitiv_decode", primitiv::decode),
    ("primitiv_encode", primitiv::encode),
    ("primitiv_file", primitiv::file),
    ("tsm_decode", tsm::decode),
    ("tsm_encode", tsm::encode),
    ("tsm_module", tsm::module),
    ("tsm_notation", tsm::notation),
];

/// How many types the targets `*_decode` and `*_encode` choose from by their first byte.
pub fn types() -> usize {
    zoo::count()
}

/// What the target `*_encode` of a format writes, given that input.
pub fn written(format: &str, input: &[u8]) -> Option<Vec<u8>> {
    match format {
        "biniou" => biniou::written(input),
        "molecule" => molecule::written(input),
        "primitiv" => primitiv::written(input),
        _ => tsm::written(input),
    }
}
