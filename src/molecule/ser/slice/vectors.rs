//! Writes vectors of known length into a slice. Does not know how items are written.

use serde_core::ser::Serialize;

use super::{DEPTH, SliceWriter};
use crate::fast::Bail;
use crate::fast::scalar::Scalar;
use crate::fast::slice::{Left, TypeDepth, put_scalars};
use crate::molecule::ser::fixed::FixedWriter;
use crate::molecule::ser::probe::{self, Layout};
use crate::molecule::wire::{self, NUMBER_SIZE, offset};

impl<'a, L: TypeDepth> SliceWriter<'a, L> {
    /// A fixvec that begins with `first`. With a mark, structs in it are packed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn fixvec<T: Serialize>(
        self,
        first: &T,
        rest: impl Iterator<Item = T>,
        count: usize,
        packs: bool,
    ) -> Left<'a> {
        let (head, spare) = self.bytes.split_first_chunk_mut().ok_or(Bail)?;
        *head = offset(count);
        if first.serialize(Scalar::<1>).is_ok() {
            return put_scalars::<1, T>(spare, first, rest, count);
        }
        if first.serialize(Scalar::<2>).is_ok() {
            return put_scalars::<2, T>(spare, first, rest, count);
        }
        if first.serialize(Scalar::<4>).is_ok() {
            return put_scalars::<4, T>(spare, first, rest, count);
        }
        if first.serialize(Scalar::<8>).is_ok() {
            return put_scalars::<8, T>(spare, first, rest, count);
        }
        put_fixed(spare, first, rest, count, packs)
    }

    /// A dynvec that begins with `first`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn dynvec<T: Serialize>(
        self,
        first: &T,
        rest: impl Iterator<Item = T>,
        count: usize,
    ) -> Left<'a> {
        let size = self.bytes.len();
        let header = wire::header_size(count);
        let (head, spare) = self.bytes.split_at_mut_checked(header).ok_or(Bail)?;
        let (full_size, offsets) = head.split_first_chunk_mut().ok_or(Bail)?;
        let mut slots = offsets.chunks_exact_mut(NUMBER_SIZE);
        let spare = put_dynamic::<T, L>(spare, first, slots.next(), size)?;
        let spare = rest
            .into_iter()
            .try_fold(spare, |spare, item| put_dynamic::<T, L>(spare, &item, slots.next(), size))?;
        match slots.next() {
            None => *full_size = offset(size - spare.len()),
            Some(_) => return Err(Bail),
        }
        Ok(spare)
    }
}

/// Writes an item of a dynvec and its offset. `size` is the spare length before the first offset.
#[cfg_attr(not(debug_assertions), inline(always))]
fn put_dynamic<'a, T: Serialize, L: TypeDepth>(
    spare: &'a mut [u8],
    item: &T,
    slot: Option<&mut [u8]>,
    size: usize,
) -> Left<'a> {
    let slot = slot.and_then(<[u8]>::first_chunk_mut).ok_or(Bail)?;
    *slot = offset(size - spare.len());
    match probe::layout(item, DEPTH) {
        Layout::Dynamic => item.serialize(SliceWriter::<L>::of(spare).inside()?),
        Layout::Fixed => Err(Bail),
    }
}

/// Writes `count` fixed items.
#[cfg_attr(not(debug_assertions), inline(always))]
fn put_fixed<'a, T: Serialize>(
    spare: &'a mut [u8],
    first: &T,
    mut rest: impl Iterator<Item = T>,
    count: usize,
    packs: bool,
) -> Left<'a> {
    if count == 0 {
        return Err(Bail);
    }
    let bytes = spare.first_chunk_mut().ok_or(Bail)?;
    let size = first.serialize(FixedWriter::new(bytes, packs))?;
    let mut spare = spare.get_mut(size..).ok_or(Bail)?;
    for _ in 1..count {
        let Some(item) = rest.next() else { return Err(Bail) };
        let bytes = spare.first_chunk_mut().ok_or(Bail)?;
        if item.serialize(FixedWriter::new(bytes, packs))? != size {
            return Err(Bail);
        }
        spare = spare.get_mut(size..).ok_or(Bail)?;
    }
    match rest.next() {
        None => Ok(spare),
        Some(_) => Err(Bail),
    }
}
