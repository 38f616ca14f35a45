//! Fixed values, as the fast reader takes them: scalars, and structs, tuples and arrays of scalars.
//! Does not know any header.
//!
//! If the input is as long as the Rust type, the compiler knows its length and the place of every
//! scalar, so one length check per value is left.

use core::borrow::BorrowMut;

use serde_core::de::{self, DeserializeSeed, Visitor};

use super::{Bail, Error, FAST, Result, ValueReader, sequence};
use crate::glue::de::for_each_number;
use crate::glue::names::Names;
use crate::molecule::de::parts::{PackedIn, may_be_fixed};
use crate::molecule::de::reading::Reading as _;
use crate::molecule::mark::{self, Mark};

/// How deep fixed values nest, newtypes included.
pub(super) const MAX_FIXED_DEPTH: u16 = 8;

/// The unread bytes of a fixed value.
#[derive(Clone, Copy)]
pub(super) struct FixedCursor<'de> {
    rest: &'de [u8],
    strict: bool,
    /// Whether a part failed. Its type may have ignored the error.
    failed: bool,
    /// Whether the exact reader has to see the value, even if its type ignores the error: a part
    /// asked the data for its type, or read nothing.
    needs_exact: bool,
}

impl<'de> FixedCursor<'de> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(bytes: &'de [u8], strict: bool) -> Self {
        FixedCursor { rest: bytes, strict, failed: false, needs_exact: false }
    }

    /// How many bytes are left, if no part failed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn left(&self) -> Option<usize> {
        match self.failed {
            true => None,
            false => Some(self.rest.len()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn needs_exact(&self) -> bool {
        self.needs_exact
    }
}

/// Where a fixed value lies: an item of a fixvec, the value of a slot, or one of these near the end
/// of the document. Each gets its own instantiation, since a function that is called from one place
/// only is inlined.
pub(super) const ITEM: u8 = 0;
pub(super) const SLOT: u8 = 1;
pub(super) const LAST_ITEM: u8 = 2;
pub(super) const LAST_SLOT: u8 = 3;
pub(super) const SMALL_SLOT: u8 = 4;
/// A scalar in a slot.
pub(super) const SCALAR: u8 = 5;
/// The whole document.
pub(super) const MESSAGE: u8 = 6;

/// Deserializes the fixed value at the cursor.
pub(super) struct FixedReader<'w, 'de, const PLACE: u8> {
    cursor: &'w mut FixedCursor<'de>,
    levels: u16,
    /// Whether unmarked structs are packed.
    packs: bool,
}

impl<'w, 'de, const PLACE: u8> FixedReader<'w, 'de, PLACE> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(cursor: &'w mut FixedCursor<'de>, packs: bool) -> Self {
        FixedReader { cursor, levels: 0, packs }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bail<T>(self) -> Result<T> {
        self.cursor.failed = true;
        Err(Bail)
    }

    /// Whether `strict` may refuse a container of that name.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_in_doubt(&self, name: &'static str) -> bool {
        self.cursor.strict && mark::check_strictly(name).is_err()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take<const N: usize>(self) -> Result<[u8; N]> {
        match self.cursor.rest.split_first_chunk() {
            Some((bytes, rest)) => {
                self.cursor.rest = rest;
                Ok(*bytes)
            }
            None => self.bail(),
        }
    }

    /// Reads the parts of a struct, tuple or array.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn parts<V: Visitor<'de>>(
        self,
        left: usize,
        packs: bool,
        visitor: V,
    ) -> Result<V::Value> {
        if left == 0 || self.levels >= MAX_FIXED_DEPTH {
            return self.bail();
        }
        let FixedReader { cursor, levels, .. } = self;
        let levels = levels + 1;
        let (value, left) = if FAST {
            let mut parts = Parts::<_, PLACE> { cursor: &mut *cursor, levels, packs, left };
            (visitor.visit_seq(&mut parts), parts.left)
        } else {
            // Small programs have no copy of the visitor for this place, and it finds the items of an array behind
            // one pointer instead of two.
            let mut parts = Parts::<_, PLACE> { cursor: *cursor, levels, packs, left };
            let value = visitor.visit_seq(&mut parts);
            *cursor = parts.cursor;
            (value, parts.left)
        };
        // A type that ignores the error would continue in the middle of the value.
        cursor.failed |= value.is_err() && left > 0;
        value
    }
}

/// The parts of a struct, tuple or array. `C` is a cursor, or borrows one.
struct Parts<C, const PLACE: u8> {
    cursor: C,
    levels: u16,
    packs: bool,
    left: usize,
}

impl<'de, C: BorrowMut<FixedCursor<'de>>, const PLACE: u8> Parts<C, PLACE> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn left(&self) -> usize {
        // No item takes zero bytes, so the input bounds what is reserved.
        self.left.min(self.cursor.borrow().rest.len())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(left) = self.left.checked_sub(1) else {
            return Ok(None);
        };
        self.left = left;
        let cursor = self.cursor.borrow_mut();
        let (levels, packs, ahead) = (self.levels, self.packs, cursor.rest.len());
        match seed.deserialize(FixedReader::<PLACE> { cursor: &mut *cursor, levels, packs }) {
            // Each part takes at least one byte.
            Ok(value) if cursor.rest.len() != ahead => Ok(Some(value)),
            part => {
                cursor.failed = true;
                cursor.needs_exact |= part.is_ok();
                Err(Bail)
            }
        }
    }
}

sequence!(['de, C: BorrowMut<FixedCursor<'de>>, const PLACE: u8] Parts<C, PLACE>);

macro_rules! deserialize_le {
    ($($method:ident $visit:ident $type:ty,)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            visitor.$visit(<$type>::from_le_bytes(self.take()?))
        }
    )*};
}

/// Types without a fixed size.
macro_rules! bail_unless_fixed {
    ($($method:ident($($arg:ty),*))*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method<V: Visitor<'de>>(self, $(_: $arg,)* _: V) -> Result<V::Value> {
            self.bail()
        }
    )*};
}

impl<'de, const PLACE: u8> de::Deserializer<'de> for FixedReader<'_, 'de, PLACE> {
    type Error = Bail;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_human_readable(&self) -> bool {
        false
    }

    for_each_number!(deserialize_le);

    bail_unless_fixed! {
        deserialize_str() deserialize_string() deserialize_bytes() deserialize_byte_buf()
        deserialize_option() deserialize_unit()
        deserialize_unit_struct(&'static str) deserialize_seq() deserialize_map()
        deserialize_enum(&'static str, &'static [&'static str])
        deserialize_identifier() deserialize_ignored_any()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value> {
        self.cursor.needs_exact = true;
        self.bail()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.cursor.rest.split_first() {
            Some((byte @ (0 | 1), rest)) => {
                self.cursor.rest = rest;
                visitor.visit_bool(*byte == 1)
            }
            _ => self.bail(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let FixedReader { cursor, levels, packs } = self;
        let bytes = FixedReader::<PLACE> { cursor: &mut *cursor, levels, packs }.take()?;
        match char::from_u32(u32::from_le_bytes(bytes)) {
            Some(char) => visitor.visit_char(char),
            None => {
                cursor.failed = true;
                Err(Bail)
            }
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        let FixedReader { levels, packs, .. } = self;
        let packs = match Mark::of_newtype(name) {
            _ if self.is_in_doubt(name) => return self.bail(),
            Ok(None) => packs,
            Ok(Some(Mark::Struct)) => true,
            Ok(Some(_)) | Err(_) => return self.bail(),
        };
        if levels >= MAX_FIXED_DEPTH {
            return self.bail();
        }
        visitor.visit_newtype_struct(FixedReader::<PLACE> { levels: levels + 1, packs, ..self })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        let packs = self.packs;
        self.parts(len, packs, visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        match Mark::is_packed(name) {
            Ok(packed) if (packed || self.packs) && !self.is_in_doubt(name) => {
                self.parts(len, true, visitor)
            }
            Ok(_) | Err(_) => self.bail(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match Mark::is_packed(name) {
            Ok(packed) if (packed || self.packs) && !self.is_in_doubt(name) => {
                self.parts(fields.len(), true, visitor)
            }
            Ok(_) | Err(_) => self.bail(),
        }
    }
}

/// Reads a fixed value that is no struct or tuple.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn scalar<'de, T>(
    reader: ValueReader<'_, 'de>,
    read: impl FnOnce(FixedReader<'_, 'de, SCALAR>) -> Result<T>,
) -> Result<T> {
    let ValueReader { reading, bytes, .. } = reader;
    let mut cursor = FixedCursor::new(bytes, reading.notes().strict);
    match read(FixedReader::new(&mut cursor, true)) {
        Ok(value) if cursor.left() == Some(0) => Ok(value),
        _ if cursor.needs_exact() => Err(reading.bail()),
        _ => Err(reading.bail_on(bytes)),
    }
}

/// Reads a struct, tuple or array that is packed.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn packed<'de, V: Visitor<'de>>(
    reader: ValueReader<'_, 'de>,
    parts: usize,
    _: Names,
    within: PackedIn,
    visitor: V,
) -> Result<V::Value> {
    /// Up to this size, copying from registers is cheaper than copying a result out of memory.
    const SMALL: usize = 32;
    let ValueReader { reading, bytes, depth, .. } = reader;
    // The constant keeps other types from being compiled here.
    if const { !may_be_fixed::<V::Value>() } {
        return Err(reading.bail_on(bytes));
    }
    if !depth.has_room(MAX_FIXED_DEPTH) {
        return Err(reading.bail());
    }
    let (size, strict) = (size_of::<V::Value>(), reading.notes().strict);
    let packs = within == PackedIn::Marked;
    let value = match reading.ahead(bytes, size) {
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
        Err(Absent(false)) => Err(reading.bail()),
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
) -> core::result::Result<V::Value, Absent> {
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
) -> core::result::Result<V::Value, Absent> {
    fill::<LAST_SLOT, V>(bytes, bytes.len(), strict, parts, packs, visitor)
}
