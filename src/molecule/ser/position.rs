//! Where a value begins, and what comes back when it is written. Each goes from function to function as one
//! number, so that it stays in a register.

#[cfg(feature = "any")]
use crate::limits::Depth;

/// A place in a document, and how many more levels and wrappers there may be around the parts of a value
/// there.
///
/// The lowest 32 bits are the place, which is as far as Molecule's own numbers go; the next 16 bits count
/// wrappers, the others levels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position(u64);

const AT: u64 = 0xffff_ffff;
const WRAPPER: u64 = 1 << 32;
const WRAPPERS: u64 = 0xffff << 32;
const LEVEL: u64 = 1 << 48;

impl Position {
    /// The beginning of a document.
    #[inline]
    pub(super) fn first(max_depth: u16) -> Self {
        let depth = u64::from(max_depth);
        Position(depth * LEVEL + depth * WRAPPER)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn at(self) -> usize {
        usize::try_from(self.0 & AT).unwrap_or(usize::MAX)
    }

    /// Another place, which is as deep.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn go_to(self, at: usize) -> Self {
        Position(self.0 & !AT | low(at))
    }

    /// The place of parts: inside of a value that takes bytes around others.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn enter(self) -> Option<Self> {
        self.0.checked_sub(LEVEL).map(Position)
    }

    /// The place inside of a `Some` or newtype struct.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn wrap(self) -> Option<Self> {
        match self.0 & WRAPPERS {
            0 => None,
            _ => Some(Position(self.0 - WRAPPER)),
        }
    }

    /// Whether so many levels, and so many wrappers, can be entered.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn reaches(self, height: u16) -> bool {
        let height = u64::from(height);
        self.0 >= height * LEVEL && self.0 & WRAPPERS >= height * WRAPPER
    }

    /// How far in values may go from here on.
    #[cfg(feature = "any")]
    pub(super) fn depth(self) -> Depth {
        let [_, _, wrappers, levels] = [0, 16, 32, 48].map(|bit| self.0 >> bit & 0xffff);
        let [levels, wrappers] = [levels, wrappers].map(|n| u16::try_from(n).unwrap_or(0));
        Depth { levels, wrappers }
    }
}

/// No document is so long that its places need more bits.
#[cfg_attr(not(debug_assertions), inline(always))]
fn low(at: usize) -> u64 {
    u64::try_from(at).unwrap_or(AT) & AT
}

/// A value that was written, or whose bytes are in the frame, still to be written where it begins.
///
/// Those of small fixed values are handed over so that whoever asked for them decides how they are written:
/// many of them at once, or without a jump that depends on whether an option has a value. All of it is one
/// number, which comes back beside an error without going through memory.
#[derive(Clone, Copy, Debug)]
pub(in crate::molecule) struct Written(u64);

/// The size of the value does not follow from its type: what tells a fixvec from a dynvec.
const DYNAMIC: u64 = 1 << 32;

/// It is a tuple or array without a mark that is packed, and passes for a table.
const LOOKALIKE: u64 = 1 << 33;

/// It is a tuple or array without a mark that is a table.
const TUPLE: u64 = 1 << 34;

/// The lowest bit of the number of bytes that are to be written.
const PENDING: u32 = 40;

impl Written {
    /// A value of a fixed size that ends at `at`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn fixed(at: usize) -> Self {
        Written(low(at))
    }

    /// A dynamic value that ends at `at`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn dynamic(at: usize) -> Self {
        Written(low(at) | DYNAMIC)
    }

    /// A fixed value that begins at `at` and has so many bytes, which are in the frame.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn pending(at: usize, size: usize) -> Self {
        Written(low(at) | low(size) << PENDING)
    }

    /// The same with other facts.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn having(self, facts: u64) -> Self {
        Written(self.0 & !(DYNAMIC | LOOKALIKE | TUPLE) | facts)
    }

    /// The same as a value that may be absent, or comes behind an id.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn made_dynamic(self) -> Self {
        self.having(DYNAMIC)
    }

    /// A packed tuple that passes for a table.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn looking_like_table(self) -> Self {
        self.having(LOOKALIKE)
    }

    /// A tuple that is a table, although no mark says so.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn as_tuple(self) -> Self {
        self.having(DYNAMIC | TUPLE)
    }

    /// The same value where it was moved to, so many bytes on.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn moved(self, bytes: usize) -> Self {
        Written(self.0 + low(bytes))
    }

    /// Where the value ends, or begins if it is still to be written.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn at(self) -> usize {
        usize::try_from(self.0 & AT).unwrap_or(usize::MAX)
    }

    /// How many bytes are to be written.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn size(self) -> usize {
        usize::try_from(self.0 >> PENDING).unwrap_or(usize::MAX)
    }

    /// Whether the value takes no bytes; it began at `start`.
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

    /// Whether this is all written, and nothing special is known of it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_usual(self) -> bool {
        self.0 & !(AT | DYNAMIC) == 0
    }

    /// Whether this is a fixed value of so many bytes that are still to be written.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_pending(self, size: usize) -> bool {
        self.size() == size && !self.is_dynamic()
    }
}
