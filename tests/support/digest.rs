//! The digests that dumps show instead of long bytes.

use base64::Engine as _;
use sha2::{Digest as _, Sha256};

use super::fixture::hex;

/// SHA-256 as hex digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Bytes as base64, with `=` at the end.
pub(crate) fn base64(bytes: &[u8]) -> String {
    base64::engine::general_purpose::STANDARD.encode(bytes)
}
