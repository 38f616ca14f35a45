//! For all types of the zoo, and for damaged messages, a `Deserializer` and `from_slice` return the same value or the same
//! error.

use crate::damage::messages;
use crate::round_trip::{Hex, Type};
use crate::support::erased::{self, check_each};
use crate::support::outcome::assert_same;
use fourfold::primitiv;

/// Messages per type.
const CASES: usize = if cfg!(debug_assertions) { 120 } else { 5_000 };

#[test]
fn a_deserializer_reads_what_from_slice_reads() {
    check_each(&erased::zoo(), |ty: &Type| {
        let mut messages = messages(ty);
        for _ in 0..CASES {
            let bytes = messages.next();
            let (whole, steps) = (ty.from_slice(&bytes), ty.deserialize(&bytes));
            assert_same(&Hex(&bytes), &outcome(whole), &outcome(steps));
        }
    });
}

/// An error of the type itself, after all bytes are read, has the offset 0 in `from_slice` and no offset in a
/// `Deserializer`.
fn outcome<T>(read: primitiv::Result<T>) -> Result<T, String> {
    read.map_err(|error| match error.offset() {
        Some(_) => error.to_string(),
        None => format!("{error} at byte 0"),
    })
}
