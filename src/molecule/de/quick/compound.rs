//! Values with parts in a first attempt.

use serde_core::de::Visitor;

use super::fields::{DynItems, Fields};
use super::items::FixItems;
use super::window::{Fixed, LAST_SLOT, SLOT, SMALL_SLOT, Window, may_be_fixed};
use super::{Bail, Quick};
use crate::molecule::mark::Mark;

impl<'a, 'de> Quick<'a, 'de> {
    /// Reads the fields of a struct's table. What may be the tag of an enum is left to the exact
    /// reading, which sees an identifier.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn struct_table<V: Visitor<'de>>(
        self,
        most: usize,
        visitor: V,
    ) -> Result<V::Value, Bail> {
        self.table(|quick| Fields::at_most(quick, most), visitor)
    }

    /// Reads the fields of a table of which the type knows how many there are, and whether they may have
    /// defaults.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn tuple_table<V: Visitor<'de>>(
        self,
        count: usize,
        defaults: bool,
        visitor: V,
    ) -> Result<V::Value, Bail> {
        self.table(|quick| Fields::exactly(quick, count, defaults), visitor)
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
            _ => Err(self.surprise()),
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
            return self.misfit();
        }
        if !self.has_room() {
            return Err(self.surprise());
        }
        /// As many bytes are copied faster from registers than from where a call has left them.
        const SMALL: usize = 32;
        let (bytes, size, strict) = (self.bytes, size_of::<V::Value>(), self.notes.strict);
        let ahead = match bytes.get(..size) {
            Some(all) => Some(all),
            None => self.notes.from(bytes).get(..size),
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
            Err(Absent(false)) => Err(self.surprise()),
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
            _ => Err(self.surprise()),
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
        let (quick, packs) = (self.level()?, self.mark.is_some());
        let count = match usize::try_from(count) {
            // No item is empty.
            Ok(count @ 1..) if count <= rest.len() && quick.has_room() => count,
            Ok(0) if rest.is_empty() && quick.has_room() => 0,
            _ => return Err(self.surprise()),
        };
        let mut items = FixItems::new(quick, rest, count, packs);
        match visitor.visit_seq(&mut items) {
            Ok(value) if items.all_taken() => {
                self.saw_dynamic(true);
                Ok(value)
            }
            _ => Err(self.surprise()),
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
            _ => Err(self.surprise()),
        }
    }
}

/// Whether a fixed value could not be read because its field is absent.
struct Absent(bool);

/// Reads a fixed value of which `bytes` begin with the `len` that are its own.
#[cfg_attr(not(debug_assertions), inline(always))]
fn fill<'de, const PLACE: u8, V: Visitor<'de>>(
    bytes: &'de [u8],
    len: usize,
    strict: bool,
    parts: usize,
    packs: bool,
    visitor: V,
) -> Result<V::Value, Absent> {
    let mut window = Window::new(bytes, strict);
    match Fixed::<PLACE>::new(&mut window, packs).parts(parts, packs, visitor) {
        Ok(value) if window.left() == Some(bytes.len() - len) => Ok(value),
        // If the exact reading has no other reason.
        Err(Bail) => Err(Absent(len == 0 && !window.is_strange())),
        Ok(_) => Err(Absent(false)),
    }
}

/// The same where the end of the document is near.
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
