//! Signed numbers as unsigned ones, for vints.

/// A signed number. A signed vint maps negative numbers to odd ones, so that small ones stay short.
pub trait Zigzag {
    /// The unsigned number of the same width.
    type Unsigned;

    /// The number that is written for it.
    fn zigzag(self) -> Self::Unsigned;

    /// The number for which that one is written.
    fn unzigzag(number: Self::Unsigned) -> Self;
}

macro_rules! zigzag {
    ($($signed:ident $unsigned:ident,)*) => {$(
        impl Zigzag for $signed {
            type Unsigned = $unsigned;

            #[inline]
            fn zigzag(self) -> $unsigned {
                let folded = (self << 1) ^ (self >> ($signed::BITS - 1));
                $unsigned::from_ne_bytes(folded.to_ne_bytes())
            }

            #[inline]
            fn unzigzag(number: $unsigned) -> $signed {
                let signs = (number & 1).wrapping_neg();
                $signed::from_ne_bytes(((number >> 1) ^ signs).to_ne_bytes())
            }
        }
    )*};
}

zigzag! { i8 u8, i16 u16, i32 u32, i64 u64, i128 u128, }
