//! The length of a list or record, which is corrected if what follows changes it.

use alloc::vec::Vec;

use super::encoder::Encoder;
use super::written::Written;
use crate::biniou::error::FLATTEN;
use crate::biniou::skip::skip_part;
use crate::biniou::wire::{self, Tag};
use crate::biniou::{ErrorKind, Result};
use crate::limits::DepthMeter;
use crate::read::Reader;

/// The place of a length. The functions that change it take only this, by value, so that the rest of the
/// state stays in registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct LengthSlot {
    /// Where the length is.
    pub(super) start: usize,
    /// Whether the tag is before it, and not elsewhere.
    pub(super) has_tag: bool,
    /// The length that is there for now.
    pub(super) announced: usize,
}

impl LengthSlot {
    /// Where the tag of an ARRAY's items is: after the length.
    fn items_at(self) -> usize {
        self.start + wire::uvint_size(u128::try_from(self.announced).unwrap_or(u128::MAX))
    }

    /// Writes a tag before each item, since the one that begins at `last` has another.
    #[cold]
    #[inline(never)]
    pub(super) fn array_becomes_tuple(
        self,
        encoder: &mut Encoder,
        tag: Written,
        next: Written,
        last: usize,
    ) -> Result<()> {
        let (Some(tag), Some(next)) = (tag.tag(), next.tag()) else { return Ok(()) };
        let tag_at = self.items_at();
        let Encoder { out, sharing, .. } = encoder;
        let items = out.written_from(tag_at).to_vec();
        out.truncate(tag_at);
        let mut starts = Vec::new();
        // The common tag becomes the first item's.
        let mut reader = Reader::new(&items, tag_at);
        reader.take::<ErrorKind>(1)?;
        let mut rest = items.as_slice();
        while reader.offset() < last {
            let from = reader.offset();
            skip_part(&mut reader, Some(tag), DepthMeter::new(u16::MAX))?;
            starts.push(from);
            out.put_bytes(&[tag.byte()]);
            let tagless = usize::from(starts.len() == 1);
            rest = rest.get(tagless..).unwrap_or_default();
            let (item, tail) = rest.split_at_checked(reader.offset() - from).unwrap_or_default();
            out.put_bytes(item);
            rest = tail;
        }
        starts.push(last);
        out.put_bytes(&[next.byte()]);
        out.put_bytes(rest);
        sharing.spread(&starts);
        let tag_at = self.start.checked_sub(1).filter(|_| self.has_tag);
        if let Some(tag) = tag_at.and_then(|at| out.change_from(at).first_mut()) {
            *tag = Tag::Tuple.byte();
        }
        Ok(())
    }

    /// Refuses, in a flattened type, a list of pairs that would be read back as a map.
    #[cold]
    #[inline(never)]
    pub(super) fn refuse_pairs(self, encoder: &Encoder) -> Result<()> {
        let items = encoder.out.written_from(self.items_at() + 1);
        match wire::is_pair(items) {
            false => Ok(()),
            true => {
                let reason = "a list of pairs in a flattened type could be a map";
                encoder.refuse_flattened((reason, FLATTEN))
            }
        }
    }

    /// Corrects the length of a sequence that did not announce it, or of a record that leaves fields out.
    #[cold]
    #[inline(never)]
    pub(super) fn patch_length(self, encoder: &mut Encoder, count: usize) {
        let old = wire::uvint_size(u128::try_from(self.announced).unwrap_or(u128::MAX));
        let mut length = Vec::new();
        wire::put_length(&mut length, count);
        let by = isize::try_from(length.len()).unwrap_or(0) - isize::try_from(old).unwrap_or(0);
        if by != 0 {
            encoder.sharing.moved(self.start + 1, by);
            let place = self.start..self.start + old;
            encoder.out.edit(|out| drop(out.splice(place, length)));
        } else if let Some(place) = encoder.out.change_from(self.start).get_mut(..old) {
            place.copy_from_slice(&length);
        }
    }
}
