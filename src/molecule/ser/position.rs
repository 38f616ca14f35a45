//! Where a value begins, and how it ended. Each is one number, so that it stays in a register.

#[cfg(feature = "any")]
use crate::limits::Depth;

/// An offset in a message, and how many more levels and wrappers may nest in the value there.
///
/// In a message that is too long, offsets begin at zero again: the difference of two is a wrapping one.
///
/// The lowest 32 bits are the offset, which is as wide as Molecule's own numbers. The next 16 bits
/// count wrappers, the highest 16 levels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position(u64);

const AT: u64 = 0xffff_ffff;
const WRAPPER: u64 = 1 << 32;
const WRAPPERS: u64 = 0xffff << 32;
const LEVEL: u64 = 1 << 48;

impl Position {
    /// The start of a message.
    #[inline]
    pub(super) fn first(max_depth: u16) -> Self {
        let depth = u64::from(max_depth);
        Position(depth * LEVEL + depth * WRAPPER)
    }

    #[inline]
    pub(super) fn at(self) -> usize {
        usize::try_from(self.0 & AT).unwrap_or(usize::MAX)
    }

    /// Another offset at the same depth.
    #[inline]
    pub(super) fn go_to(self, at: usize) -> Self {
        Position(self.0 & !AT | low(at))
    }

    /// The position of the items of a value, one level deeper.
    #[inline]
    pub(super) fn enter(self) -> Option<Self> {
        self.0.checked_sub(LEVEL).map(Position)
    }

    /// The same, and whether that is too deep.
    #[inline]
    pub(super) fn enter_anyhow(self) -> (Self, bool) {
        (Position(self.0.wrapping_sub(LEVEL)), self.0 < LEVEL)
    }

    /// The position inside a `Some` or newtype struct.
    #[inline]
    pub(super) fn wrap(self) -> Option<Self> {
        match self.0 & WRAPPERS {
            0 => None,
            _ => Some(Position(self.0 - WRAPPER)),
        }
    }

    /// How deep values may nest from here on.
    #[cfg(feature = "any")]
    pub(super) fn depth(self) -> Depth {
        let [wrappers, levels] = [32, 48].map(|bit| self.0 >> bit & 0xffff);
        let [levels, wrappers] = [levels, wrappers].map(|n| u16::try_from(n).unwrap_or(0));
        Depth { levels, wrappers }
    }
}

/// The offset as the lowest bits. Longer messages are refused, so no bit is lost of a valid one.
#[inline]
fn low(at: usize) -> u64 {
    u64::try_from(at).unwrap_or(AT) & AT
}

/// A value that was serialized: where it ends, and what its container needs of it.
///
/// A single byte is returned instead of written, since arrays gather theirs.
#[derive(Clone, Copy, Debug)]
pub(in crate::molecule) struct Written(u64);

/// The size of the value does not follow from its type. This decides between fixvec and dynvec.
const DYNAMIC: u64 = 1 << 32;

/// The value is an unmarked packed tuple whose bytes are those of a table.
const LOOKALIKE: u64 = 1 << 33;

/// The value is a byte that is not written yet: eight of the higher bits.
const BYTE: u64 = 1 << 34;
const BYTE_SHIFT: u32 = 40;

impl Written {
    /// A fixed-size value that ends at `at`.
    #[inline]
    pub(super) fn fixed(at: usize) -> Self {
        Written(low(at))
    }

    /// A dynamic value that ends at `at`.
    #[inline]
    pub(super) fn dynamic(at: usize) -> Self {
        Written(low(at) | DYNAMIC)
    }

    /// An unmarked packed tuple that ends at `at` and has the bytes of a table.
    #[cold]
    pub(super) fn lookalike(at: usize) -> Self {
        Written(low(at) | LOOKALIKE)
    }

    /// A byte that begins at `at`.
    #[inline]
    pub(super) fn byte(at: usize, byte: u8) -> Self {
        Written(low(at) | BYTE | u64::from(byte) << BYTE_SHIFT)
    }

    /// Where the value ends, or where a byte that is not written yet begins.
    #[inline]
    pub(super) fn at(self) -> usize {
        usize::try_from(self.0 & AT).unwrap_or(usize::MAX)
    }

    #[inline]
    pub(super) fn is_dynamic(self) -> bool {
        self.0 & DYNAMIC != 0
    }

    #[inline]
    pub(super) fn is_lookalike(self) -> bool {
        self.0 & LOOKALIKE != 0
    }

    /// The byte that is not written yet.
    #[inline]
    pub(super) fn pending_byte(self) -> Option<u8> {
        (self.0 & BYTE != 0).then(|| u8::try_from(self.0 >> BYTE_SHIFT & 0xff).unwrap_or(0))
    }
}
