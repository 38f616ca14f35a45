//! What reading keeps of a value with parts: how many fields its type has, what errors say of them, what it
//! is packed in. Does not know where parts lie.

use super::absent::Field;
use crate::glue::names::Names;
use crate::glue::nested::Owner;
use crate::molecule::error::place;

/// How many fields a type has, as far as serde tells.
#[derive(Clone, Copy, Debug)]
pub(super) enum FieldCount {
    Exactly(usize),
    /// A struct's list of names also holds the aliases.
    AtMost(usize),
}

impl FieldCount {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn most(self) -> usize {
        match self {
            FieldCount::Exactly(count) | FieldCount::AtMost(count) => count,
        }
    }
}

/// What errors and absent fields need to know.
pub(super) struct FieldNotes {
    pub(super) names: Names,
    /// The type around the fields.
    pub(super) owner: Owner,
    /// The names that the type lists.
    pub(super) list: &'static [&'static str],
    /// The last field, if it was absent.
    pub(super) absent: Option<usize>,
    /// The last field, if it counts as missing although its type could be read.
    pub(super) presumed: Option<Field>,
}

impl FieldNotes {
    pub(super) fn new(names: Names, owner: Owner, count: usize) -> Self {
        let list = match names {
            Names::Fields(list) => list,
            Names::Slots | Names::Indices => &[],
        };
        FieldNotes { names: told(names, count), owner, list, absent: None, presumed: None }
    }
}

/// The names of `count` fields. With aliases in the list, names and fields do not correspond.
pub(super) fn told(names: Names, count: usize) -> Names {
    match names {
        Names::Fields(list) if list.len() > count => Names::Slots,
        names => names,
    }
}

/// Whether values of this type may have a fixed size. A type that owns memory has none. (A box of a
/// fixed value has, and is left to the exact reader.)
pub(super) const fn may_be_fixed<T>() -> bool {
    !core::mem::needs_drop::<T>()
}

/// What the fixed value is packed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PackedIn {
    /// A tuple without a mark, which may be a table with a faulty header.
    Tuple,
    /// A fixvec without a mark.
    FixVec,
    /// A marked struct or fixvec: unmarked structs in it are packed.
    Marked,
}

impl PackedIn {
    pub(super) fn text(self) -> &'static str {
        match self {
            PackedIn::Tuple => place::PACKED_TUPLE,
            PackedIn::FixVec => place::FIXVEC,
            PackedIn::Marked => place::MARKED,
        }
    }
}
