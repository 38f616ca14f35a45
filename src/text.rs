//! Bytes of the input as text. Knows UTF-8 and nothing of any format.

use core::str::Utf8Error;

use crate::error::{Error, Fault};

/// Checks that `bytes`, which begin at `offset` of the input, are UTF-8.
#[inline(always)]
pub(crate) fn utf8<K: From<Fault>>(bytes: &[u8], offset: usize) -> Result<&str, Error<K>> {
    checked(bytes).map_err(|error| Error::at(Fault::InvalidUtf8, offset + error.valid_up_to()))
}

/// The same as [`core::str::from_utf8`].
///
/// Most text in files is ASCII, which is found out much faster: a log of 10,000 records is read with
/// borrowed text in 33 % fewer instructions by tsm (callgrind over `cargo run -p bench --release --
/// --data log --peer fourfold::tsm`).
#[inline(always)]
#[allow(unsafe_code, reason = "what is ASCII need not be looked at a second time")]
pub(crate) fn checked(bytes: &[u8]) -> Result<&str, Utf8Error> {
    if bytes.is_ascii() {
        // SAFETY: ASCII is UTF-8.
        return Ok(unsafe { core::str::from_utf8_unchecked(bytes) });
    }
    beyond_ascii(bytes)
}

#[inline(never)]
fn beyond_ascii(bytes: &[u8]) -> Result<&str, Utf8Error> {
    core::str::from_utf8(bytes)
}
