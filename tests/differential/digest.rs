//! The digest of what a visitor received.

/// Adds a number to a digest.
pub(crate) const fn mix(digest: u64, more: u64) -> u64 {
    // The order of the two matters.
    let mixed = (digest.rotate_left(5) ^ more).wrapping_add(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// Numbers for values other than numbers.
pub(crate) const UNIT: u64 = 2;
pub(crate) const NONE: u64 = 3;
pub(crate) const SOME: u64 = 5;
pub(crate) const SEQUENCE: u64 = 7;
pub(crate) const MAP: u64 = 11;
pub(crate) const VARIANT: u64 = 13;
pub(crate) const IDLE: u64 = 17;
/// A value that failed, whose parent continues.
pub(crate) const FAILED: u64 = 19;
