//! The bytes of vints, computed at once and without branches, since processors cannot predict how long a
//! number is.

use crate::biniou::wire::{VINT_BITS, VINT_MORE, VINT_MORES};

/// From here on, a vint takes more than eight bytes.
pub(super) const LONG: u64 = 1 << (8 * VINT_BITS);

/// An integer that is not negative. The fewer bits its type has, the less is to compute.
pub(in crate::biniou) trait Uvint: Copy + Into<u64> {
    /// The bytes of a number below [`LONG`] as a vint, the first one lowest, and how many these are.
    fn spread(self) -> (u64, usize);
}

/// In a byte, only the highest bit goes to the second byte of the vint.
impl Uvint for u8 {
    #[inline]
    fn spread(self) -> (u64, usize) {
        let high = u64::from(self & VINT_MORE);
        (u64::from(self) + (high << 1), 1 + usize::from(self >> VINT_BITS))
    }
}

macro_rules! uvint {
    ($($type:ident $groups:literal,)*) => {$(
        impl Uvint for $type {
            #[inline]
            fn spread(self) -> (u64, usize) {
                let number = self.into();
                let size = size(number);
                // All bytes but the last one have the bit for more.
                (spread(number, $groups) | VINT_MORES & !(u64::MAX << (8 * (size - 1))), size)
            }
        }
    )*};
}

uvint! { u16 2, u32 4, u64 7, }

/// Spreads groups of seven bits over bytes, the lowest first. Adding what is above a group to itself
/// moves it up by one bit.
#[inline]
fn spread(number: u64, groups: u32) -> u64 {
    (0..groups).fold(number, |word, group| word + (word & (u64::MAX << (VINT_BITS + 8 * group))))
}

/// How many bytes the vint has.
#[inline]
fn size(number: u64) -> usize {
    let bits = u64::BITS - (number | 1).leading_zeros();
    usize::try_from(bits.div_ceil(VINT_BITS)).unwrap_or(0)
}

/// The bytes of an unsigned vint of 57 to 64 bits, and how many these are.
#[inline]
pub(super) fn spread_long_uvint(number: u64) -> ([u8; 16], usize) {
    let low = number & (LONG - 1);
    let (word, _) = low.spread();
    let high = number >> (8 * VINT_BITS);
    let more = high >= u64::from(VINT_MORE);
    let word = u128::from(word | VINT_MORES);
    let ends = u128::from(high) << u64::BITS | u128::from(more) << (u64::BITS + u8::BITS);
    ((word | ends).to_le_bytes(), 9 + usize::from(more))
}
