//! Fixed values in a first attempt: scalars, and structs, tuples and arrays of them.
//!
//! Where the length of a stretch is the size of the Rust type, compilers know it, and with it the
//! place of every scalar: one check per value is left.

use core::marker::PhantomData;

use serde_core::de::{self, Deserialize, DeserializeSeed, Visitor};

use super::Bail;
use crate::fast::ErrorTextReads;
use crate::limits::Depth;
use crate::molecule::mark::{self, Mark};
use crate::molecule::wire::Table;

/// How deep values in a window nest, newtypes included.
pub(super) const MOST_LEVELS: u16 = 8;

/// Whether values of this type may have a fixed size: what owns memory has none, but for boxes of such,
/// which are left to the exact reader.
pub(super) const fn may_be_fixed<T>() -> bool {
    !core::mem::needs_drop::<T>()
}

/// What is left of the bytes of a fixed value.
pub(super) struct Window<'de> {
    rest: &'de [u8],
    strict: bool,
    /// Whether a part was refused; its type may have gone on without it.
    refused: bool,
    /// Whether a part is for the exact reading to see, whatever its type made of the refusal: it left
    /// the choice of its type to the data, or asked for nothing at all.
    strange: bool,
}

impl<'de> Window<'de> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(bytes: &'de [u8], strict: bool) -> Self {
        Window { rest: bytes, strict, refused: false, strange: false }
    }

    /// How much is left, if nothing was refused.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn left(&self) -> Option<usize> {
        match self.refused {
            true => None,
            false => Some(self.rest.len()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_strange(&self) -> bool {
        self.strange
    }
}

/// Where fixed values lie: items of a fixvec, values of slots, and either where the end of the document
/// is near. Each is compiled by itself: what is called from one place alone is inlined there.
pub(super) const ITEM: u8 = 0;
pub(super) const SLOT: u8 = 1;
pub(super) const LAST_ITEM: u8 = 2;
pub(super) const LAST_SLOT: u8 = 3;
pub(super) const SMALL_SLOT: u8 = 4;
/// All of a document.
const MESSAGE: u8 = 5;

/// Larger values are documents whose reading takes longer than a call.
const MESSAGE_SIZE: usize = 256;

/// A document that is one small fixed value, if it is one. Short enough to be compiled where it is
/// asked for, so that the value goes to its place from registers. For types that are never fixed, all
/// of it folds away.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn message<'de, T: Deserialize<'de>>(
    bytes: &'de [u8],
    strict: bool,
    depth: Depth,
) -> Option<T> {
    // So that nothing is compiled for other types.
    if const { size_of::<T>() > MESSAGE_SIZE || !may_be_fixed::<T>() } {
        return None;
    }
    // What is headed like a table is read as one first if it is an unmarked tuple.
    if !depth.has_room(MOST_LEVELS) || Table::may_begin(bytes, false) {
        return None;
    }
    let (mut window, reads) = (Window::new(bytes, strict), ErrorTextReads::so_far());
    match T::deserialize(Fixed::<MESSAGE>::new(&mut window, false)) {
        Ok(value) if window.left() == Some(0) && reads.are_all() => Some(value),
        Ok(_) | Err(Bail) => None,
    }
}

/// A deserializer for the fixed value that the window is at.
pub(super) struct Fixed<'w, 'de, const PLACE: u8> {
    window: &'w mut Window<'de>,
    levels: u16,
    /// Whether unmarked structs are packed.
    packs: bool,
}

impl<'w, 'de, const PLACE: u8> Fixed<'w, 'de, PLACE> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(window: &'w mut Window<'de>, packs: bool) -> Self {
        Fixed { window, levels: 0, packs }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn refuse<T>(self) -> Result<T, Bail> {
        self.window.refused = true;
        Err(Bail)
    }

    /// Whether a container of that name is in doubt under `strict`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn doubts(&self, name: &'static str) -> bool {
        self.window.strict && mark::check_strictly(name).is_err()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take<const N: usize>(self) -> Result<[u8; N], Bail> {
        match self.window.rest.split_first_chunk() {
            Some((bytes, rest)) => {
                self.window.rest = rest;
                Ok(*bytes)
            }
            None => self.refuse(),
        }
    }

    /// Reads the parts of a struct, tuple or array.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn parts<V: Visitor<'de>>(
        self,
        left: usize,
        packs: bool,
        visitor: V,
    ) -> Result<V::Value, Bail> {
        if left == 0 || self.levels >= MOST_LEVELS {
            return self.refuse();
        }
        let Fixed { window, levels, .. } = self;
        let mut parts = Parts::<PLACE> { window, levels: levels + 1, packs, left };
        let value = visitor.visit_seq(&mut parts);
        // Whoever goes on without the value would go on in the middle of it.
        parts.window.refused |= value.is_err() && parts.left > 0;
        value
    }
}

/// The parts of a struct, tuple or array.
struct Parts<'w, 'de, const PLACE: u8> {
    window: &'w mut Window<'de>,
    levels: u16,
    packs: bool,
    left: usize,
}

impl<'de, const PLACE: u8> Parts<'_, 'de, PLACE> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Bail> {
        let Some(left) = self.left.checked_sub(1) else {
            return Ok(None);
        };
        self.left = left;
        let (levels, packs, ahead) = (self.levels, self.packs, self.window.rest.len());
        let part = Fixed::<PLACE> { window: &mut *self.window, levels, packs };
        match seed.deserialize(part) {
            // Each takes a byte at least.
            Ok(value) if self.window.rest.len() != ahead => Ok(Some(value)),
            part => {
                self.window.refused = true;
                self.window.strange |= part.is_ok();
                Err(Bail)
            }
        }
    }
}

impl<'de, const PLACE: u8> de::SeqAccess<'de> for &mut Parts<'_, 'de, PLACE> {
    type Error = Bail;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Bail> {
        self.read(seed)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>, Bail> {
        self.read(PhantomData)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn size_hint(&self) -> Option<usize> {
        // No item takes zero bytes, so the input bounds what is reserved.
        Some(self.left.min(self.window.rest.len()))
    }
}

macro_rules! deserialize_le {
    ($($method:ident $visit:ident $type:ty,)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Bail> {
            visitor.$visit(<$type>::from_le_bytes(self.take()?))
        }
    )*};
}

/// What has no fixed size.
macro_rules! surprises {
    ($($method:ident($($arg:ty),*))*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method<V: Visitor<'de>>(self, $(_: $arg,)* _: V) -> Result<V::Value, Bail> {
            self.refuse()
        }
    )*};
}

impl<'de, const PLACE: u8> de::Deserializer<'de> for Fixed<'_, 'de, PLACE> {
    type Error = Bail;

    deserialize_le! {
        deserialize_i8 visit_i8 i8, deserialize_i16 visit_i16 i16,
        deserialize_i32 visit_i32 i32, deserialize_i64 visit_i64 i64,
        deserialize_i128 visit_i128 i128, deserialize_u8 visit_u8 u8,
        deserialize_u16 visit_u16 u16, deserialize_u32 visit_u32 u32,
        deserialize_u64 visit_u64 u64, deserialize_u128 visit_u128 u128,
        deserialize_f32 visit_f32 f32, deserialize_f64 visit_f64 f64,
    }

    surprises! {
        deserialize_str() deserialize_string() deserialize_bytes() deserialize_byte_buf()
        deserialize_option() deserialize_unit()
        deserialize_unit_struct(&'static str) deserialize_seq() deserialize_map()
        deserialize_enum(&'static str, &'static [&'static str])
        deserialize_identifier() deserialize_ignored_any()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Bail> {
        self.window.strange = true;
        self.refuse()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Bail> {
        match self.window.rest.split_first() {
            Some((byte @ (0 | 1), rest)) => {
                self.window.rest = rest;
                visitor.visit_bool(*byte == 1)
            }
            _ => self.refuse(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Bail> {
        let Fixed { window, levels, packs } = self;
        let bytes = Fixed::<PLACE> { window: &mut *window, levels, packs }.take()?;
        match char::from_u32(u32::from_le_bytes(bytes)) {
            Some(char) => visitor.visit_char(char),
            None => {
                window.refused = true;
                Err(Bail)
            }
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Bail> {
        let Fixed { levels, packs, .. } = self;
        let packs = match Mark::of_newtype(name) {
            _ if self.doubts(name) => return self.refuse(),
            Ok(None) => packs,
            Ok(Some(Mark::Struct)) => true,
            Ok(Some(_)) | Err(_) => return self.refuse(),
        };
        if levels >= MOST_LEVELS {
            return self.refuse();
        }
        visitor.visit_newtype_struct(Fixed::<PLACE> { levels: levels + 1, packs, ..self })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Bail> {
        let packs = self.packs;
        self.parts(len, packs, visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Bail> {
        match Mark::is_packed(name) {
            Ok(packed) if (packed || self.packs) && !self.doubts(name) => {
                self.parts(len, true, visitor)
            }
            Ok(_) | Err(_) => self.refuse(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Bail> {
        match Mark::is_packed(name) {
            Ok(packed) if (packed || self.packs) && !self.doubts(name) => {
                self.parts(fields.len(), true, visitor)
            }
            Ok(_) | Err(_) => self.refuse(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_human_readable(&self) -> bool {
        false
    }
}
