//! A `Deserializer` that was read to its end has read what `from_slice` reads, or refuses with
//! the same words: of every type of the zoo, and of messages that are damaged.

use crate::damage::messages;
use crate::round_trip::{Hex, Type, types};
use crate::support::erased::check_each;
use crate::support::outcome::assert_same;
use fourfold::tsm;

/// Messages per type.
const CASES: usize = if cfg!(debug_assertions) { 120 } else { 5_000 };

#[test]
fn a_deserializer_reads_what_from_slice_reads() {
    check_each(&types(), both);
}

fn both(ty: &Type) {
    let mut messages = messages(ty);
    // Some types are never written.
    messages.seeds.push(vec![1, 0, 0, 0, 1, 0, 0, 0]);
    let damaged: Vec<Vec<u8>> = (0..CASES).map(|_| messages.next()).collect();
    for bytes in messages.seeds.iter().chain(&damaged) {
        let (whole, steps) = (ty.from_slice(bytes), ty.deserialize(bytes));
        assert_same(&Hex(bytes), &outcome(whole), &outcome(steps));
    }
}

/// An error of the type itself, after all bytes are read, is at the beginning for `from_slice` and
/// has no place for a `Deserializer`.
fn outcome<T>(read: tsm::Result<T>) -> Result<T, String> {
    read.map_err(|error| match error.offset() {
        Some(_) => error.to_string(),
        None => format!("{error} at byte 0"),
    })
}
