//! Parts of tables and dynvecs: where each begins and ends. Does not know what a part holds.

use super::absent::Field;
use crate::glue::names::Names;
use crate::glue::nested::Owner;
use crate::molecule::error::place;
use crate::molecule::wire::{self, NUMBER_SIZE, Table, header_size};

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

/// The parts of a table or dynvec, which are taken one by one.
#[derive(Clone, Copy)]
pub(super) struct Parts<'de> {
    bytes: &'de [u8],
    /// Full size and offsets.
    header: &'de [u8],
    /// Where the header has the end of the next part. Past the header, the next part is the last
    /// one.
    at: usize,
    /// Where the next part begins.
    start: usize,
}

impl<'de> Parts<'de> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(bytes: &'de [u8], header: &'de [u8]) -> Self {
        Parts { bytes, header, at: header_size(1), start: header.len() }
    }

    /// The first part.
    pub(super) fn first(self) -> Option<&'de [u8]> {
        Parts::new(self.bytes, self.header).take().ok().flatten()
    }

    /// The bytes from the start of part `index` on.
    pub(super) fn starting_at(&self, index: usize) -> Option<&'de [u8]> {
        let start = match index {
            0 => self.header.len(),
            _ => wire::number_at(self.header, header_size(index))?,
        };
        self.bytes.get(start..)
    }

    /// Length of the header.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn header_len(&self) -> usize {
        self.header.len()
    }

    /// The first `count` parts of more.
    pub(super) fn first_ones(self, count: usize) -> Self {
        let Parts { bytes, header, .. } = self;
        let end = wire::number_at(header, header_size(count)).unwrap_or(bytes.len());
        let header = header.get(..header_size(count)).unwrap_or(header);
        Parts { bytes: bytes.get(..end).unwrap_or(bytes), header, ..self }
    }

    pub(super) fn count(&self) -> usize {
        (self.header.len() / NUMBER_SIZE).saturating_sub(1)
    }

    /// The number of the next part.
    pub(super) fn index(&self) -> usize {
        (self.at / NUMBER_SIZE).saturating_sub(2)
    }

    /// The number of the part that was taken last.
    pub(super) fn last(&self) -> usize {
        self.index().saturating_sub(1)
    }

    /// The bytes from where the count is stated: the first offset.
    pub(super) fn at_count(&self) -> &'de [u8] {
        match self.count() {
            0 => self.bytes,
            _ => self.bytes.get(NUMBER_SIZE..).unwrap_or(self.bytes),
        }
    }

    /// How many parts are left.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn left(&self) -> usize {
        (self.header.len() + NUMBER_SIZE).saturating_sub(self.at) / NUMBER_SIZE
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn all_taken(&self) -> bool {
        self.at > self.header.len()
    }

    /// Ends the iteration after an error, so that callers that ignore the error terminate.
    #[cold]
    fn end(&mut self) {
        self.at = self.header.len() + NUMBER_SIZE;
    }

    /// The next part, if any. Fails if its end is wrong.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn take(&mut self) -> Result<Option<&'de [u8]>, WrongEnd> {
        let end = match wire::number_at(self.header, self.at) {
            Some(end) => end,
            None if self.all_taken() => return Ok(None),
            None => self.bytes.len(),
        };
        // Two separate bounds checks: one combined check would compute both bounds first.
        let part = self.bytes.get(..end).and_then(|part| part.get(self.start..));
        let Some(part) = part else {
            self.end();
            return Err(WrongEnd);
        };
        self.at += NUMBER_SIZE;
        self.start = end;
        Ok(Some(part))
    }
}

/// The offset behind a part, or its own, is wrong.
pub(super) struct WrongEnd;

impl<'de> From<Table<'de>> for Parts<'de> {
    fn from(table: Table<'de>) -> Self {
        let bytes = table.bytes();
        Parts::new(bytes, bytes.get(..table.start()).unwrap_or(bytes))
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
        // With aliases in the list, names and fields do not correspond.
        let names = match names {
            Names::Fields(list) if list.len() > count => Names::Slots,
            names => names,
        };
        FieldNotes { names, owner, list, absent: None, presumed: None }
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
