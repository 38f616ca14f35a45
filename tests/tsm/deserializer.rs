//! For all types of the zoo, and for damaged messages, a `Deserializer` and `from_slice` return the same value or the same
//! error.

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

/// An error of the type itself, after all bytes are read, has the offset 0 in `from_slice` and no offset in a
/// `Deserializer`.
fn outcome<T>(read: tsm::Result<T>) -> Result<T, String> {
    read.map_err(|error| match error.offset() {
        Some(_) => error.to_string(),
        None => format!("{error} at byte 0"),
    })
}
