//! Asserts that values survive or are refused, and compares the results of two ways of reading.

use std::fmt::{Debug, Display};

use super::assert_reason;
use super::erased::{AnyType, Value, Writer, assert_read_alike, assert_written_alike};
use super::fixture::Hex;
use super::format::Format;

/// The expected result of writing a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Expected {
    Bytes,
    Refusal,
    /// It is written and survives, or it is refused.
    Either,
}

/// Asserts that a written value survives with each reading function, and is written with the same bytes again.
/// Returns the bytes, if it was not refused.
pub(crate) fn written<F: Format, S>(
    ty: &AnyType<F, S>,
    value: &Value<F>,
    expected: Expected,
) -> Option<Vec<u8>> {
    let name = ty.name;
    let bytes = match value.to_vec() {
        Err(error) => {
            assert_reason(&error, &value);
            assert_ne!(expected, Expected::Bytes, "{name} {value:?} is refused: {error}");
            let written = value.write(&Writer::Stream);
            assert!(written.is_err(), "only to_vec refuses {name} {value:?}");
            return None;
        }
        Ok(bytes) => bytes,
    };
    let shown = Hex(&bytes);
    assert_ne!(expected, Expected::Refusal, "{name} {value:?} is written: {shown}");
    // The same hash table has the same bytes each time.
    assert_written_alike(name, value, &bytes);
    let back = ty
        .from_slice(&bytes)
        .unwrap_or_else(|error| panic!("{name} {value:?} as {shown} is not read: {error}"));
    assert_eq!(*back, *value, "{name} through {shown}");
    if !ty.has_hash_tables() {
        assert_eq!(Hex(&back.to_vec().unwrap()), shown, "{name} {value:?} written again");
    }
    assert_read_alike(ty, value, &bytes);
    Some(bytes)
}

/// Asserts that two results have the same value, or errors with the same text. Values that are not equal to themselves
/// (NaN) are compared by their `Debug` text.
#[track_caller]
pub(crate) fn assert_same<T: PartialEq + Debug, E: Display>(
    about: &dyn Display,
    one: &Result<T, E>,
    other: &Result<T, E>,
) {
    #[allow(clippy::eq_op, reason = "NaN")]
    match (one, other) {
        (Ok(one), Ok(other)) if one == one => assert_eq!(one, other, "{about}"),
        (Ok(one), Ok(other)) => assert_eq!(format!("{one:?}"), format!("{other:?}"), "{about}"),
        (Err(one), Err(other)) => assert_eq!(one.to_string(), other.to_string(), "{about}"),
        (Ok(one), Err(other)) => panic!("{about}: {one:?}, and {other}"),
        (Err(one), Ok(other)) => panic!("{about}: {one}, and {other:?}"),
    }
}
