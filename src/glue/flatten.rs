//! Telling serde's `flatten` from maps that are counted by hand. Knows serde's calls, does not know bytes.

/// Whether a key of a map is text that is given as it lies, a `str` and no `String` or `&str`: the name of
/// a field. serde's `flatten` writes a struct so, as a map of unknown length, and reads it by asking the
/// data for its type. A map that somebody counts gives keys of a type of their own.
#[inline(always)]
pub(crate) fn is_field_name<T: ?Sized>(key: &T) -> bool {
    size_of::<&T>() > size_of::<&u8>() && align_of_val(key) == align_of::<u8>()
}
