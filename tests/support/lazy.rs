//! Errors of lazy values, compared with those of reading the whole message at once.

use fourfold::{Error, Kind};

/// Kind, offset and path.
pub(crate) fn facts<K: Kind>(error: &Error<K>) -> (String, Option<usize>, String) {
    (error.kind().to_string(), error.offset(), error.path().to_string())
}

/// Whether the path of a lazy value's error is the end of that of the whole message's.
pub(crate) fn is_inside<K: Kind>(part: &Error<K>, whole: &Error<K>) -> bool {
    let whole: Vec<_> = whole.path().segments().collect();
    whole.ends_with(&part.path().segments().collect::<Vec<_>>())
}

/// Asserts that the error of a lazy value is that of reading at once, with a path that begins at the lazy value.
#[track_caller]
pub(crate) fn assert_alike<K: Kind>(part: &Error<K>, whole: &Error<K>) {
    assert_eq!((facts(part).0, part.offset()), (facts(whole).0, whole.offset()));
    assert!(is_inside(part, whole), "{part}, and {whole}");
}
