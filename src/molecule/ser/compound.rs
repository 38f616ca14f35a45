//! Writing a value that has parts: one type for all of serde's compound traits.

mod parts;

use serde_core::ser::Serialize;

use super::encoder::{Encoder, Layout};
use super::probe;
use crate::molecule::wire::{self, MOST_RESERVED, NUMBER_SIZE};
use crate::molecule::{Error, ErrorKind, Result};

/// The longest tuple that serde knows; what is longer is an array, whose items are alike.
pub(super) const LONGEST_TUPLE: usize = 16;

/// A value whose parts are being written.
#[derive(Debug)]
pub(in crate::molecule) struct Compound<'a> {
    pub(super) encoder: &'a mut Encoder,
    /// Where the value begins in the document.
    pub(super) start: usize,
    /// Parts so far.
    pub(super) count: usize,
    /// Where the entry of a map begins whose key is written and whose value is not.
    pub(super) entry: Option<usize>,
    pub(super) shape: Shape,
    /// How many parts there have to be; `None` of structs, whose skipped fields nobody counts, and
    /// of vectors.
    exactly: Option<usize>,
    /// Whether the value has a place of its own, where a reader may take a tuple for a table.
    in_slot: bool,
    /// Whether a part is a packed tuple that passes for a table, should it get such a place.
    holds_lookalike: bool,
}

/// What the value is, as far as that is known.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    /// A struct, or a tuple where structs are packed: fixed parts, no header.
    Packed { packed_before: bool },
    /// An unmarked tuple or array, all of whose items were fixed so far.
    Tuple { len: usize, side: usize },
    /// A table or dynvec: `slots` offsets are reserved, later ones wait in `Encoder::offsets`
    /// from `side` on.
    Offsets { slots: usize, side: usize, items: Items },
    /// An unmarked sequence before its first item.
    Sequence { announced: Option<usize> },
    /// A fixvec whose items take `item_size` bytes each.
    FixVec { item_size: usize, packed_before: bool },
}

/// What the parts behind a header of offsets may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Items {
    /// Fields of a table: anything.
    Fields,
    /// Items of a dynvec: dynamic ones.
    Dynamic,
}

impl<'a> Compound<'a> {
    #[inline]
    fn new(encoder: &'a mut Encoder, shape: Shape) -> Result<Self> {
        encoder.depth.enter()?;
        let (start, in_slot) = (encoder.out.len(), encoder.in_slot);
        let (count, entry, exactly, holds_lookalike) = (0, None, None, false);
        Ok(Compound { encoder, start, count, entry, shape, exactly, in_slot, holds_lookalike })
    }

    /// Demands that `len` parts come.
    #[inline]
    pub(super) fn exactly(self, len: usize) -> Self {
        Compound { exactly: Some(len), ..self }
    }

    /// A struct, or a tuple where structs are packed.
    #[inline]
    pub(super) fn packed(encoder: &'a mut Encoder) -> Result<Self> {
        let packed_before = core::mem::replace(&mut encoder.packs, true);
        Self::new(encoder, Shape::Packed { packed_before })
    }

    /// A tuple or array.
    #[inline]
    pub(super) fn tuple(encoder: &'a mut Encoder, len: usize) -> Result<Self> {
        match len {
            0 => Self::table(encoder, 0),
            _ if encoder.packs => Self::packed(encoder),
            _ => {
                let side = encoder.offsets.len();
                Self::new(encoder, Shape::Tuple { len, side })
            }
        }
        .map(|compound| compound.exactly(len))
    }

    /// A table of `len` fields, and of as many more as are skipped.
    #[inline]
    pub(super) fn table(encoder: &'a mut Encoder, len: usize) -> Result<Self> {
        Self::refuse_in_packed(encoder, "a table")?;
        Self::offsets(encoder, len, Items::Fields)
    }

    /// A dynvec.
    #[inline]
    pub(super) fn dynvec(encoder: &'a mut Encoder, len: Option<usize>) -> Result<Self> {
        Self::refuse_in_packed(encoder, "a dynvec")?;
        Self::offsets(encoder, len.unwrap_or(0), Items::Dynamic)
    }

    /// A fixvec by mark: structs in it are packed.
    #[inline]
    pub(super) fn fixvec(encoder: &'a mut Encoder) -> Result<Self> {
        Self::refuse_in_packed(encoder, "a fixvec")?;
        let packed_before = core::mem::replace(&mut encoder.packs, true);
        let compound = Self::new(encoder, Shape::FixVec { item_size: 0, packed_before })?;
        wire::reserve(&mut compound.encoder.out, NUMBER_SIZE);
        Ok(compound)
    }

    /// A sequence without a mark.
    #[inline]
    pub(super) fn sequence(encoder: &'a mut Encoder, announced: Option<usize>) -> Result<Self> {
        Self::refuse_in_packed(encoder, "a sequence")?;
        Self::new(encoder, Shape::Sequence { announced })
    }

    /// A map: a dynvec of tables of a key and a value.
    #[inline]
    pub(super) fn map(encoder: &'a mut Encoder, len: Option<usize>) -> Result<Self> {
        let count = Self::known_length(len)?;
        Self::dynvec(encoder, len).map(|compound| compound.exactly(count))
    }

    /// A map by the mark `fixvec`: a fixvec of structs of a key and a value.
    #[inline]
    pub(super) fn packed_map(encoder: &'a mut Encoder, len: Option<usize>) -> Result<Self> {
        let count = Self::known_length(len)?;
        Self::fixvec(encoder).map(|compound| compound.exactly(count))
    }

    /// serde's `flatten` gives no length; reading such a map needs type tags.
    #[inline]
    fn known_length(len: Option<usize>) -> Result<usize> {
        len.ok_or_else(|| Error::placeless(ErrorKind::UnknownLength))
    }

    #[inline]
    fn refuse_in_packed(encoder: &Encoder, found: &'static str) -> Result<()> {
        match encoder.packs {
            true => Err(dynamic(found, "a struct or marked fixvec")),
            false => Ok(()),
        }
    }

    #[inline]
    fn offsets(encoder: &'a mut Encoder, slots: usize, items: Items) -> Result<Self> {
        let slots = slots.min(MOST_RESERVED);
        let side = encoder.offsets.len();
        let mut compound = Self::new(encoder, Shape::Offsets { slots, side, items })?;
        compound.reserve_header(slots)?;
        Ok(compound)
    }

    /// Reserves a header at the end of the document.
    #[inline]
    fn reserve_header(&mut self, slots: usize) -> Result<()> {
        let size = wire::header_size(slots);
        wire::number(size)?;
        wire::reserve(&mut self.encoder.out, size);
        Ok(())
    }

    /// Writes the next part. Parts go to their final place, unless a header in front of them turns
    /// out to be longer than was announced.
    #[inline]
    fn put<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let result = self.put_part(value);
        // Also where the type goes on: what is in the buffer makes no document any more.
        self.encoder.failed |= result.is_err();
        result
    }

    #[inline]
    fn put_part<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        if let Shape::Tuple { .. } | Shape::Sequence { .. } = self.shape {
            self.settle_shape(value)?;
        }
        let before = self.encoder.out.len();
        self.encoder.in_slot = false;
        self.encoder.last_looks_like_table = false;
        if let Shape::Offsets { .. } = self.shape {
            self.encoder.in_slot = true;
            self.put_offset(before)?;
        }
        let layout = value.serialize(&mut *self.encoder)?;
        self.check_part(layout, before)?;
        self.holds_lookalike |= self.encoder.last_looks_like_table;
        self.count += 1;
        Ok(())
    }

    /// Decides what an unmarked tuple or sequence becomes with `value` as its next part.
    #[inline]
    fn settle_shape<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        match self.shape {
            Shape::Sequence { announced } => match probe::layout(value) {
                Layout::Fixed => {
                    wire::reserve(&mut self.encoder.out, NUMBER_SIZE);
                    self.shape = Shape::FixVec { item_size: 0, packed_before: self.encoder.packs };
                }
                Layout::Dynamic => {
                    let slots = announced.unwrap_or(0).min(MOST_RESERVED);
                    let side = self.encoder.offsets.len();
                    self.reserve_header(slots)?;
                    self.shape = Shape::Offsets { slots, side, items: Items::Dynamic };
                }
            },
            // The items of an array are like the first one.
            Shape::Tuple { len, .. } if len > LONGEST_TUPLE && self.count > 0 => {}
            Shape::Tuple { len, .. } => match probe::layout(value) {
                Layout::Fixed if len > LONGEST_TUPLE => {}
                Layout::Fixed => {
                    let offset = number(self.encoder.out.len() - self.start)?;
                    self.encoder.offsets.push(offset);
                }
                Layout::Dynamic => self.tuple_becomes_table(value)?,
            },
            Shape::Packed { .. } | Shape::Offsets { .. } | Shape::FixVec { .. } => {}
        }
        Ok(())
    }

    /// Puts a header in front of the fixed items that an unmarked tuple began with.
    #[cold]
    fn tuple_becomes_table<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let Shape::Tuple { len, side } = self.shape else { return Ok(()) };
        if self.encoder.strict {
            let found = "a tuple or array with a dynamic item";
            return Err(Error::placeless(ErrorKind::Unmarked { found, mark: "table" }));
        }
        if self.count > 0 || probe::is_dynamic_tuple(value) {
            self.encoder.wrote_mixed = true;
        }
        self.encoder.wrote_lookalike |= self.holds_lookalike;
        let header = wire::header_size(len);
        wire::number(header)?;
        wire::insert(&mut self.encoder.out, self.start, header);
        for slot in 0..self.count {
            let waiting = self.encoder.offsets.get(side + slot).copied().unwrap_or_default();
            let offset = number(header)?.saturating_add(waiting);
            let at = self.slot(slot);
            wire::patch(&mut self.encoder.out, at, offset.to_le_bytes());
        }
        self.encoder.offsets.truncate(side);
        self.shape = Shape::Offsets { slots: len, side, items: Items::Fields };
        Ok(())
    }

    /// Where the header of this value has the offset of part `slot`.
    #[inline]
    fn slot(&self, slot: usize) -> usize {
        self.start + wire::header_size(slot)
    }

    /// Notes that the next part begins at `position` of the document.
    #[inline]
    pub(super) fn put_offset(&mut self, position: usize) -> Result<()> {
        let Shape::Offsets { slots, .. } = self.shape else { return Ok(()) };
        let offset = number(position - self.start)?;
        if self.count < slots {
            let at = self.slot(self.count);
            wire::patch(&mut self.encoder.out, at, offset.to_le_bytes());
        } else {
            self.encoder.offsets.push(offset);
        }
        Ok(())
    }

    /// Refuses a part that the shape has no room for.
    #[inline]
    fn check_part(&mut self, layout: Layout, before: usize) -> Result<()> {
        match &mut self.shape {
            Shape::Packed { .. } if layout == Layout::Dynamic => {
                Err(dynamic("a field", "a struct"))
            }
            Shape::FixVec { item_size, .. } => {
                let size = self.encoder.out.len() - before;
                if layout == Layout::Dynamic {
                    return Err(dynamic("an item", "a fixvec"));
                }
                if self.count == 0 {
                    *item_size = size;
                }
                match *item_size == size {
                    true => Ok(()),
                    false => Err(unlike(self.count)),
                }
            }
            Shape::Tuple { .. } if layout == Layout::Dynamic => Err(unlike(self.count)),
            Shape::Offsets { items: Items::Dynamic, .. } if layout == Layout::Fixed => {
                match self.count {
                    0 => Err(Error::placeless(ErrorKind::FixedItem)),
                    index => Err(unlike(index)),
                }
            }
            _ => Ok(()),
        }
    }

    /// Leaves the slot of a table's field empty.
    fn skip(&mut self) -> Result<()> {
        let position = self.encoder.out.len();
        match self.shape {
            Shape::Offsets { .. } => self.put_offset(position)?,
            _ => return Err(Error::placeless(ErrorKind::SkippedField)),
        }
        self.count += 1;
        Ok(())
    }

    /// Completes the value.
    #[inline]
    pub(super) fn finish(self) -> Result<Layout> {
        self.close().map(|(_, layout)| layout)
    }

    /// Completes the value and gives the encoder back.
    #[inline]
    pub(super) fn close(mut self) -> Result<(&'a mut Encoder, Layout)> {
        let unfinished = self.entry.is_some();
        if let Some(announced) = self.exactly.filter(|exactly| *exactly != self.count || unfinished)
        {
            let given = self.count;
            return Err(Error::placeless(ErrorKind::Length { announced, given }));
        }
        let layout = match self.shape {
            Shape::Packed { packed_before } => {
                if self.count == 0 {
                    return Err(Error::placeless(ErrorKind::EmptyStruct));
                }
                self.encoder.packs = packed_before;
                Layout::Fixed
            }
            Shape::Tuple { len, side } => {
                self.encoder.offsets.truncate(side);
                let bytes = self.encoder.out.get(self.start..).unwrap_or_default();
                let looks_like_table = wire::passes_for_table(bytes, len);
                self.encoder.last_looks_like_table = looks_like_table;
                self.encoder.wrote_lookalike |= looks_like_table && self.in_slot;
                Layout::Fixed
            }
            Shape::Offsets { slots, side, .. } => {
                self.finish_offsets(slots, side)?;
                Layout::Dynamic
            }
            Shape::Sequence { .. } => {
                if self.encoder.strict {
                    let (found, mark) = ("an empty sequence", "fixvec or dynvec");
                    return Err(Error::placeless(ErrorKind::Unmarked { found, mark }));
                }
                self.encoder.out.extend_from_slice(&wire::EMPTY_FIXVEC);
                Layout::Dynamic
            }
            Shape::FixVec { packed_before, .. } => {
                let count = wire::number(self.count)?;
                wire::patch(&mut self.encoder.out, self.start, count);
                self.encoder.packs = packed_before;
                Layout::Dynamic
            }
        };
        self.encoder.depth.leave();
        Ok((self.encoder, layout))
    }

    /// Completes the header of a table or dynvec.
    #[inline]
    fn finish_offsets(&mut self, slots: usize, side: usize) -> Result<()> {
        if self.count < slots {
            let (announced, given) = (slots, self.count);
            return Err(Error::placeless(ErrorKind::Length { announced, given }));
        }
        if self.count > slots {
            self.lengthen_header(slots, side)?;
        }
        let full_size = wire::number(self.encoder.out.len() - self.start)?;
        wire::patch(&mut self.encoder.out, self.start, full_size);
        Ok(())
    }

    /// Makes room for the offsets that were not announced: serde counts no skipped fields, and
    /// some sequences do not know their length.
    #[cold]
    fn lengthen_header(&mut self, slots: usize, side: usize) -> Result<()> {
        let gap = wire::header_size(self.count) - wire::header_size(slots);
        let moved = number(gap)?;
        wire::number(self.encoder.out.len().saturating_add(gap))?;
        let Encoder { out, offsets, .. } = &mut *self.encoder;
        let header = self.start + NUMBER_SIZE..self.start + wire::header_size(slots);
        for number in out.get_mut(header).unwrap_or_default().chunks_exact_mut(NUMBER_SIZE) {
            if let Some(number) = number.first_chunk_mut() {
                *number = u32::from_le_bytes(*number).saturating_add(moved).to_le_bytes();
            }
        }
        wire::insert(out, self.start + wire::header_size(slots), gap);
        for (waiting, slot) in offsets.drain(side..).zip(slots..self.count) {
            let at = self.start + wire::header_size(slot);
            wire::patch(out, at, waiting.saturating_add(moved).to_le_bytes());
        }
        Ok(())
    }
}

/// A header number that is kept before it is written.
#[inline]
fn number(size: usize) -> Result<u32> {
    wire::number(size).map(u32::from_le_bytes)
}

#[cold]
pub(super) fn dynamic(found: &'static str, place: &'static str) -> Error {
    Error::placeless(ErrorKind::DynamicItem { found, place })
}

#[cold]
pub(super) fn unlike(index: usize) -> Error {
    Error::placeless(ErrorKind::UnlikeItems { index })
}
