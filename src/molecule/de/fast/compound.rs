//! Values with parts, as the fast reader takes them: which layout a struct, tuple or vector has.
//! Does not know how parts follow one another.

use serde_core::de::Visitor;

use super::fields::{DynItems, Fields};
use super::fixed::{FixedCursor, FixedReader, LAST_SLOT, SLOT, SMALL_SLOT, may_be_fixed};
use super::items::FixItems;
use super::{Bail, FastReader};
use crate::molecule::mark::Mark;

impl<'a, 'de> FastReader<'a, 'de> {
    /// Reads the fields of a struct's table. The tag of an adjacently tagged enum asks for an
    /// identifier, on which the fast reader bails.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn struct_table<V: Visitor<'de>>(
        self,
        most: usize,
        visitor: V,
    ) -> Result<V::Value, Bail> {
        self.table(|reader| Fields::at_most(reader, most), visitor)
    }

    /// Reads the fields of a table whose field count the type fixes; `defaults` says whether an
    /// absent field may have a default.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn tuple_table<V: Visitor<'de>>(
        self,
        count: usize,
        defaults: bool,
        visitor: V,
    ) -> Result<V::Value, Bail> {
        self.table(|reader| Fields::exactly(reader, count, defaults), visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn table<V: Visitor<'de>>(
        self,
        fields: impl FnOnce(Self) -> Result<Fields<'a, 'de>, Bail>,
        visitor: V,
    ) -> Result<V::Value, Bail> {
        if self.bytes.is_empty() {
            return Err(Bail);
        }
        let mut fields = fields(self.level()?)?;
        match visitor.visit_seq(&mut fields) {
            Ok(value) if fields.all_taken() => {
                self.saw_dynamic(true);
                Ok(value)
            }
            _ => Err(self.bail()),
        }
    }

    /// Reads a fixed value with parts.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn fixed<V: Visitor<'de>>(
        self,
        parts: usize,
        packs: bool,
        visitor: V,
    ) -> Result<V::Value, Bail> {
        if const { !may_be_fixed::<V::Value>() } {
            return self.bail_unless_absent();
        }
        if !self.has_depth_for_fixed() {
            return Err(self.bail());
        }
        /// Up to this size, copying from registers is cheaper than copying a result out of memory.
        const SMALL: usize = 32;
        let (bytes, size, strict) = (self.bytes, size_of::<V::Value>(), self.notes.strict);
        let ahead = match bytes.get(..size) {
            Some(all) => Some(all),
            None => self.notes.through_document_end(bytes).get(..size),
        };
        let value = match ahead {
            Some(ahead) if (1..=size).contains(&bytes.len()) => {
                fill::<SLOT, V>(ahead, bytes.len(), strict, parts, packs, visitor)
            }
            _ if size <= SMALL => {
                fill::<SMALL_SLOT, V>(bytes, bytes.len(), strict, parts, packs, visitor)
            }
            _ => fill_last(bytes, strict, parts, packs, visitor),
        };
        match value {
            Ok(value) => Ok(value),
            Err(Absent(true)) => Err(Bail),
            Err(Absent(false)) => Err(self.bail()),
        }
    }

    /// Reads a dynvec.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn dynvec<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Bail> {
        let mut items = DynItems::of(self.level()?)?;
        match visitor.visit_seq(&mut items) {
            Ok(value) if items.all_taken() => {
                self.saw_dynamic(true);
                Ok(value)
            }
            _ => Err(self.bail()),
        }
    }

    /// Reads a fixvec: the item count and the items.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn fixvec<V: Visitor<'de>>(
        self,
        count: u32,
        rest: &'de [u8],
        visitor: V,
    ) -> Result<V::Value, Bail> {
        let (reader, packs) = (self.level()?, self.mark.is_some());
        // The rule of `wire::Vector::parse_fixvec`, but for the even division, which the first item
        // shows. In one match with the depth, since a call of its own compiles to more code.
        let count = match usize::try_from(count) {
            // No item takes zero bytes.
            Ok(count @ 1..) if count <= rest.len() && reader.has_depth_for_fixed() => count,
            Ok(0) if rest.is_empty() && reader.has_depth_for_fixed() => 0,
            _ => return Err(self.bail()),
        };
        let mut items = FixItems::new(reader, rest, count, packs);
        match visitor.visit_seq(&mut items) {
            Ok(value) if items.all_taken() => {
                self.saw_dynamic(true);
                Ok(value)
            }
            _ => Err(self.bail()),
        }
    }

    /// Whether a struct or tuple struct is packed: the mark at its use decides, then its own.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn packs(self, name: &'static str) -> Result<bool, Bail> {
        self.check_name(name)?;
        match (self.mark, Mark::is_packed(name)) {
            (None, Ok(packed)) => Ok(packed),
            (Some(Mark::Struct), Ok(_)) => Ok(true),
            (Some(Mark::Table), Ok(_)) => Ok(false),
            _ => Err(self.bail()),
        }
    }
}

/// Whether a fixed value failed because its field is absent.
struct Absent(bool);

/// Reads a fixed value. `bytes` begin with its `len` bytes.
#[cfg_attr(not(debug_assertions), inline(always))]
fn fill<'de, const PLACE: u8, V: Visitor<'de>>(
    bytes: &'de [u8],
    len: usize,
    strict: bool,
    parts: usize,
    packs: bool,
    visitor: V,
) -> Result<V::Value, Absent> {
    let mut cursor = FixedCursor::new(bytes, strict);
    match FixedReader::<PLACE>::new(&mut cursor, packs).parts(parts, packs, visitor) {
        Ok(value) if cursor.left() == Some(bytes.len() - len) => Ok(value),
        // Unless the exact reader has to see another reason.
        Err(Bail) => Err(Absent(len == 0 && !cursor.needs_exact())),
        Ok(_) => Err(Absent(false)),
    }
}

/// The same near the end of the document.
#[inline(never)]
fn fill_last<'de, V: Visitor<'de>>(
    bytes: &'de [u8],
    strict: bool,
    parts: usize,
    packs: bool,
    visitor: V,
) -> Result<V::Value, Absent> {
    fill::<LAST_SLOT, V>(bytes, bytes.len(), strict, parts, packs, visitor)
}
