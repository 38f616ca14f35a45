//! Items of a fixvec, and packed values that fill a slot, as the exact reader takes them. Does not
//! know what an item holds.

use super::State;
use super::access::Names;
use super::packed::{PackedIn, PackedReader, in_part, whole};
use super::packed_cursor::PackedCursor;
use crate::error::{Fault, Segment};
use crate::glue::de::{DeserializeSeed, Deserializer as _, SeqAccess, Visitor};
use crate::molecule::wire::{NUMBER_SIZE, Vector};
use crate::molecule::{Error, ErrorKind, Result};

/// Fixed values with parts.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Tuple(usize),
    TupleStruct(&'static str, usize),
    Struct(&'static str, &'static [&'static str]),
}

/// Reads a fixed value with parts that fills a slot.
#[inline(never)]
pub(super) fn parts<'de, V: Visitor<'de, Error>>(
    state: &mut State,
    bytes: &'de [u8],
    base: usize,
    trailing: bool,
    kind: Kind,
    visitor: V,
) -> Result<V::Value> {
    whole(state, bytes, base, PackedIn::Marked, trailing, |packed| match kind {
        Kind::Tuple(len) => packed.deserialize_tuple(len, visitor),
        Kind::TupleStruct(name, len) => packed.deserialize_tuple_struct(name, len, visitor),
        Kind::Struct(name, fields) => packed.deserialize_struct(name, fields, visitor),
    })
}

/// Reads the items of a fixvec, which begin at `at` of the input, and checks that the visitor took
/// all of them.
#[inline(never)]
pub(super) fn items<'de, V: Visitor<'de, Error>>(
    state: &mut State,
    (items, at): (&'de [u8], usize),
    within: PackedIn,
    count: usize,
    trailing: bool,
    visitor: V,
) -> Result<V::Value> {
    let base = at - NUMBER_SIZE;
    let cursor = PackedCursor::new(state, items, at);
    let mut items = Items { cursor, within, next: 0, count, size: None };
    match visitor.visit_seq(&mut items) {
        Ok(value) => {
            items.cursor.note_abandoned();
            all_taken(count, items.next, base)?;
            if !trailing {
                items.cursor.finish()?;
            }
            Ok(value)
        }
        Err(error) => Err(in_part(error, base, Names::Indices, items.next)),
    }
}

/// The error for an empty dynvec without a mark: it would be written again as an empty fixvec. With
/// fixed items it is a fixvec whose items are missing, so the first item is read to find out.
#[cold]
#[inline(never)]
pub(super) fn unmarked_dynvec<'de, V: Visitor<'de, Error>>(
    state: &mut State,
    (bytes, base): (&'de [u8], usize),
    visitor: V,
) -> Error {
    const EITHER: &str = "dynvec, if its items are dynamic";
    let unmarked = |mark| Error::at(ErrorKind::Unmarked { found: "an empty dynvec", mark }, base);
    let at = base + NUMBER_SIZE;
    let item = state
        .without_notes(|state| {
            items(state, (&[], at), PackedIn::FixVec, bytes.len(), false, visitor)
        })
        .err();
    let mark = match item.as_ref().map(|error| (error.kind(), error.path().segments().nth(1))) {
        Some((ErrorKind::DynamicItem { .. }, _)) => "dynvec",
        // In a tuple, the next part may be dynamic.
        Some((ErrorKind::Fault(Fault::UnexpectedEnd { .. }), Some(Segment::Index(_)))) => EITHER,
        Some((ErrorKind::Fault(Fault::UnexpectedEnd { .. }), _)) => {
            return Vector::parse_fixvec(bytes, base, false)
                .err()
                .unwrap_or_else(|| unmarked(EITHER));
        }
        _ => EITHER,
    };
    unmarked(mark)
}

/// The items of a fixvec.
struct Items<'a, 'de> {
    cursor: PackedCursor<'a, 'de>,
    within: PackedIn,
    next: usize,
    count: usize,
    /// The size of each item, as the first one has shown.
    size: Option<usize>,
}

impl<'de> Items<'_, 'de> {
    #[inline]
    fn read<T: DeserializeSeed<'de, Error>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if self.next >= self.count {
            return Ok(None);
        }
        let (index, start) = (self.next, self.cursor.offset());
        self.next += 1;
        let item = seed.deserialize(PackedReader { cursor: &mut self.cursor, within: self.within });
        self.cursor.note_if_unread(start);
        let size = self.cursor.offset() - start;
        match item {
            Ok(_) if *self.size.get_or_insert(size) != size => {
                self.cursor.mark_abandoned(start);
                Err(Error::at(ErrorKind::UnlikeItems { index }, start))
            }
            item => item.map(Some),
        }
    }
}

impl<'de> SeqAccess<'de> for Items<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de, Error>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>> {
        self.read(seed)
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some((self.count - self.next).min(self.cursor.rest().len()))
    }
}

/// Refuses items that a visitor has left unread.
#[inline]
pub(super) fn all_taken(found: usize, expected: usize, offset: usize) -> Result<()> {
    match found == expected {
        true => Ok(()),
        false => Err(Error::at(ErrorKind::ExtraItems { found, expected }, offset)),
    }
}
