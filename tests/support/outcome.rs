//! Compares the results of two ways of reading the same bytes.

use std::fmt::{Debug, Display};

/// The same value or the same error, word for word. Values that are not equal to themselves
/// (NaN) have to look the same.
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
