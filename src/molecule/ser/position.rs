//! Where a value begins, and what is known after it is written. Each is one number, so that it
//! stays in a register. Does not know serde.

#[cfg(feature = "any")]
use crate::limits::Depth;

/// An offset in a document, and how many more levels and wrappers the parts of a value there may
/// have.
///
/// The lowest 32 bits are the offset, which is as wide as Molecule's own numbers. The next 16 bits
/// count wrappers, the others levels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position(u64);

const AT: u64 = 0xffff_ffff;
const WRAPPER: u64 = 1 << 32;
const WRAPPERS: u64 = 0xffff << 32;
const LEVEL: u64 = 1 << 48;

impl Position {
    /// The start of a document.
    #[inline]
    pub(super) fn first(max_depth: u16) -> Self {
        let depth = u64::from(max_depth);
        Position(depth * LEVEL + depth * WRAPPER)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn at(self) -> usize {
        usize::try_from(self.0 & AT).unwrap_or(usize::MAX)
    }

    /// Another offset at the same depth.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn go_to(self, at: usize) -> Self {
        Position(self.0 & !AT | low(at))
    }

    /// The position of parts, inside a value that takes bytes itself.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn enter(self) -> Option<Self> {
        self.0.checked_sub(LEVEL).map(Position)
    }

    /// The position inside a `Some` or newtype struct.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn wrap(self) -> Option<Self> {
        match self.0 & WRAPPERS {
            0 => None,
            _ => Some(Position(self.0 - WRAPPER)),
        }
    }

    /// How deep values may nest from here on.
    #[cfg(feature = "any")]
    pub(super) fn depth(self) -> Depth {
        let [_, _, wrappers, levels] = [0, 16, 32, 48].map(|bit| self.0 >> bit & 0xffff);
        let [levels, wrappers] = [levels, wrappers].map(|n| u16::try_from(n).unwrap_or(0));
        Depth { levels, wrappers }
    }
}

/// No document is so long that its offsets need more bits.
#[cfg_attr(not(debug_assertions), inline(always))]
fn low(at: usize) -> u64 {
    u64::try_from(at).unwrap_or(AT) & AT
}

/// A value that was written, or that is pending: its bytes are in the frame and will be written
/// where it begins.
///
/// The bytes of small fixed values are pending, so that the caller decides how to write them: many
/// at once, or without a branch on an option. It is one number, which is returned beside an error
/// without going through memory.
#[derive(Clone, Copy, Debug)]
pub(in crate::molecule) struct Written(u64);

/// The value is dynamic, so its size does not follow from its type. This tells a fixvec from a
/// dynvec.
const DYNAMIC: u64 = 1 << 32;

/// The value is an unmarked packed tuple or array whose bytes look like a table.
const LOOKALIKE: u64 = 1 << 33;

/// The value is an unmarked tuple or array that is a table.
const TUPLE: u64 = 1 << 34;

/// The lowest bit of the number of pending bytes.
const PENDING: u32 = 40;

impl Written {
    /// A fixed value that ends at `at`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn fixed(at: usize) -> Self {
        Written(low(at))
    }

    /// A dynamic value that ends at `at`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn dynamic(at: usize) -> Self {
        Written(low(at) | DYNAMIC)
    }

    /// A fixed value that begins at `at`; its `size` bytes are in the frame.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn pending(at: usize, size: usize) -> Self {
        Written(low(at) | low(size) << PENDING)
    }

    /// The same with other facts.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn having(self, facts: u64) -> Self {
        Written(self.0 & !(DYNAMIC | LOOKALIKE | TUPLE) | facts)
    }

    /// The same as a value that may be absent, or follows an id.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn made_dynamic(self) -> Self {
        self.having(DYNAMIC)
    }

    /// A packed tuple that looks like a table.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn looking_like_table(self) -> Self {
        self.having(LOOKALIKE)
    }

    /// A tuple that is a table although it has no mark.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn as_tuple(self) -> Self {
        self.having(DYNAMIC | TUPLE)
    }

    /// The same value, moved on by `bytes`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn moved(self, bytes: usize) -> Self {
        Written(self.0 + low(bytes))
    }

    /// Where the value ends, or where it begins if it is pending.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn at(self) -> usize {
        usize::try_from(self.0 & AT).unwrap_or(usize::MAX)
    }

    /// How many bytes are pending.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn size(self) -> usize {
        usize::try_from(self.0 >> PENDING).unwrap_or(usize::MAX)
    }

    /// Whether the value, which began at `start`, takes no bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_empty(self, start: usize) -> bool {
        self.size() == 0 && self.at() == start
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_dynamic(self) -> bool {
        self.0 & DYNAMIC != 0
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn looks_like_table(self) -> bool {
        self.0 & LOOKALIKE != 0
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_tuple(self) -> bool {
        self.0 & TUPLE != 0
    }

    /// Whether the value is written and has no special facts.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_usual(self) -> bool {
        self.0 & !(AT | DYNAMIC) == 0
    }

    /// The same of a dynamic value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_usual_dynamic(self) -> bool {
        self.0 >> 32 == DYNAMIC >> 32
    }

    /// Whether this is a fixed value with pending bytes and no special facts.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_fixed_and_pending(self) -> bool {
        self.size() > 0 && self.0 & (DYNAMIC | LOOKALIKE | TUPLE) == 0
    }

    /// Whether this is a fixed value with `size` pending bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_pending(self, size: usize) -> bool {
        self.size() == size && !self.is_dynamic()
    }
}
