//! Items of a fixvec, which are of one size. The first one shows it, so that an error can say which
//! item differs. Does not know what an item holds.

use super::packed::{PackedCursor, PackedReader};
use super::{DeserializeSeed, Error, Result, SeqAccess, ValueReader, Visitor};
use crate::error::Fault;
use crate::glue::names::Names;
use crate::limits::Depth;
use crate::molecule::ErrorKind;
use crate::molecule::de::parts::PackedIn;
use crate::molecule::wire;

/// Reads the items of a fixvec.
pub(super) fn fixvec<'de, V: Visitor<'de>>(
    reader: ValueReader<'_, 'de>,
    within: PackedIn,
    (count, items): (usize, &'de [u8]),
    visitor: V,
) -> Result<V::Value> {
    let ValueReader { reading: exact, bytes, depth, .. } = reader;
    let cursor = PackedCursor::new(exact, items);
    let mut items = Items { cursor, depth, within, next: 0, count, size: None };
    match visitor.visit_seq(&mut items) {
        Ok(value) => {
            exact.note_abandoned(items.cursor.abandoned);
            exact.check_taken(bytes, count, items.next)?;
            exact.finish(items.cursor.rest).map(|()| value)
        }
        Err(error) => Err(exact.in_parts(bytes, error, Names::Indices, items.next)),
    }
}

/// The items.
struct Items<'a, 'de> {
    cursor: PackedCursor<'a, 'de>,
    depth: Depth,
    within: PackedIn,
    next: usize,
    count: usize,
    /// The size of each item, as the first one has shown.
    size: Option<usize>,
}

impl<'de> SeqAccess<'de> for Items<'_, 'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if self.next >= self.count {
            return Ok(None);
        }
        let (index, start) = (self.next, self.cursor.rest);
        self.next += 1;
        let (cursor, depth, within) = (&mut self.cursor, self.depth, self.within);
        let item = seed.deserialize(PackedReader { cursor, depth, within });
        self.cursor.note_if_unread(start);
        let item = item?;
        self.cursor.check_alike(&mut self.size, start, index)?;
        Ok(Some(item))
    }

    fn size_hint(&self) -> Option<usize> {
        Some((self.count - self.next).min(self.cursor.rest.len()))
    }
}

/// The error for an empty dynvec without a mark: it would be written again as an empty fixvec. With
/// fixed items it is a fixvec whose items are missing, so the first item is read to find out.
#[cold]
pub(super) fn empty_dynvec<'de, V: Visitor<'de>>(
    reader: ValueReader<'_, 'de>,
    visitor: V,
) -> Result<V::Value> {
    const EITHER: &str = "dynvec, if its items are dynamic";
    let ValueReader { reading: exact, bytes, .. } = reader;
    if exact.session.notes.strict {
        return exact.fault(bytes, ErrorKind::UNMARKED_SEQUENCE);
    }
    let unmarked =
        |mark| exact.error(bytes, ErrorKind::Unmarked { found: "an empty dynvec", mark });
    let none = bytes.get(bytes.len()..).unwrap_or(bytes);
    let header = (bytes.len(), none);
    exact.session.tuple.set(None);
    let item = exact.without_notes(|| fixvec(reader, PackedIn::FixVec, header, visitor).err());
    let is_tuple =
        exact.session.tuple.get().is_some_and(|depth| depth.levels == reader.depth.levels);
    let mark = match item.as_ref().map(Error::kind) {
        Some(ErrorKind::DynamicItem { .. }) => "dynvec",
        // In a tuple, the next part may be dynamic.
        Some(ErrorKind::Fault(Fault::UnexpectedEnd { .. })) if is_tuple => EITHER,
        Some(ErrorKind::Fault(Fault::UnexpectedEnd { .. })) => {
            return Err(wire::parse_fixvec(bytes, exact.offset(bytes), false)
                .err()
                .unwrap_or_else(|| unmarked(EITHER)));
        }
        _ => EITHER,
    };
    Err(unmarked(mark))
}
