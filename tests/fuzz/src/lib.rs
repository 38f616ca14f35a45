//! The fuzz targets: functions of bytes that panic if a property of the library does not hold. `targets/` passes them to
//! libFuzzer, `tests/replay.rs` replays the corpora, and `examples/quick.rs` mutates the corpora without libFuzzer.

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

/// A target: a function of bytes.
pub type Target = fn(&[u8]);

/// All targets with their names, which are those of their files and corpora.
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

/// The number of types of the targets `*_decode` and `*_encode`, which the first byte selects.
pub fn types() -> usize {
    zoo::count()
}

/// The bytes that the target `*_encode` of a format writes for an input.
pub fn written(format: &str, input: &[u8]) -> Option<Vec<u8>> {
    match format {
        "biniou" => biniou::written(input),
        "molecule" => molecule::written(input),
        "primitiv" => primitiv::written(input),
        _ => tsm::written(input),
    }
}

/// The number of types of the targets `*_parts`, which the first byte selects.
#[must_use]
pub fn types_of_parts() -> usize {
    parts::count()
}

/// Messages for the target `*_parts` of a format, each with the name of its form: values of the type with that number, as
/// far as the format supports it.
#[must_use]
pub fn parts(format: &str, number: u8, input: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    match format {
        "biniou" => parts::biniou::written(number, input),
        "molecule" => parts::molecule::written(number, input),
        _ => parts::primitiv::written(number, input),
    }
}

/// Records for the target `molecule_records`, each with the number of its kind.
#[must_use]
pub fn records(input: &[u8]) -> Vec<(u8, Vec<u8>)> {
    molecule::written_records(input)
}
