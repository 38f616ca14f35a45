//! Bytes that have been checked.

use fourfold::biniou::wire::VINT_MORE;

/// Bits of a number in each byte.
const VINT_BITS: u32 = VINT_MORE.trailing_zeros();

/// The vint at the front of bytes that have been checked, of which a length or count fits, and what follows it.
pub(super) fn split_vint(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let mut number = 0usize;
    for (index, byte) in bytes.iter().enumerate() {
        let shift = VINT_BITS.saturating_mul(u32::try_from(index).ok()?);
        number |= usize::from(byte & !VINT_MORE).checked_shl(shift).unwrap_or(0);
        if *byte < VINT_MORE {
            return Some((number, bytes.get(index + 1..)?));
        }
    }
    None
}
