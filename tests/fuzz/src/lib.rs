//! What is fuzzed: a function of bytes for each target, which panics if a promise of the library is
//! broken. `targets/` passes them to libFuzzer, `tests/replay.rs` replays the corpora, and
//! `examples/quick.rs` mutates those without any of it.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a target reports by panicking"
)]

mod bound;
#[allow(dead_code, reason = "the tests need the rest")]
#[path = "../../../inspect/tests/spans/check.rs"]
mod check;
mod draws;
mod parts;
mod zoo;

pub mod biniou;
pub mod corpus;
pub mod molecule;
pub mod mutate;
pub mod path;
pub mod primitiv;
pub mod tsm;

#[path = "../../support/mod.rs"]
mod support;

#[global_allocator]
static ALLOCATOR: support::alloc::Counting = support::alloc::Counting;

/// A target of bytes.
pub type Target = fn(&[u8]);

/// Every target and its name, which is that of its file and of its corpus.
pub const TARGETS: [(&str, Target); 19] = [
    ("biniou_decode", biniou::decode),
    ("biniou_encode", biniou::encode),
    ("biniou_names", biniou::names),
    ("biniou_parts", biniou::parts),
    ("biniou_tree", biniou::tree),
    ("molecule_decode", molecule::decode),
    ("molecule_encode", molecule::encode),
    ("molecule_explain", molecule::explain),
    ("molecule_parts", molecule::parts),
    ("molecule_records", molecule::records),
    ("path_text", path::text),
    ("primitiv_decode", primitiv::decode),
    ("primitiv_encode", primitiv::encode),
    ("primitiv_file", primitiv::file),
    ("primitiv_parts", primitiv::parts),
    ("tsm_decode", tsm::decode),
    ("tsm_encode", tsm::encode),
    ("tsm_module", tsm::module),
    ("tsm_notation", tsm::notation),
];

/// How many types the targets `*_decode` and `*_encode` choose from by their first byte.
pub fn types() -> usize {
    zoo::count()
}

/// What the target `*_encode` of a format writes for that input.
pub fn written(format: &str, input: &[u8]) -> Option<Vec<u8>> {
    match format {
        "biniou" => biniou::written(input),
        "molecule" => molecule::written(input),
        "primitiv" => primitiv::written(input),
        _ => tsm::written(input),
    }
}

/// How many types the targets `*_parts` choose from by their first byte.
#[must_use]
pub fn types_of_parts() -> usize {
    parts::count()
}

/// Messages with lazy values for the target `*_parts` of a format, each with the name of its form: of the type of that
/// number, as far as the format supports it.
#[must_use]
pub fn parts(format: &str, number: u8, input: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    match format {
        "biniou" => parts::biniou::written(number, input),
        "molecule" => parts::molecule::written(number, input),
        _ => parts::primitiv::written(number, input),
    }
}

/// Records for the target `molecule_records`: of each kind by its number.
#[must_use]
pub fn records(input: &[u8]) -> Vec<(u8, Vec<u8>)> {
    molecule::written_records(input)
}
