//! Packed values: numbers, and structs, tuples and arrays of them, concatenated without a header.
//!
//! `inline(always)` is on what each number passes through, so that a struct is copied rather than read: inlined, the
//! numbers of a window need no check. Not in debug builds, where one function would hold the locals of all on the stack.

use core::marker::PhantomData;
use core::mem::needs_drop;

use serde_core::de::{Deserialize, DeserializeSeed, Deserializer, SeqAccess, Visitor};

use super::document::{Context, Result};
use super::layout::checked_name;
use super::value::Value;
use crate::failed::Failed;
use crate::glue::macros::for_each_number;
use crate::glue::mark::ANY;
use crate::glue::names::Names;
use crate::limits::Depth;
use crate::molecule::error::{TABLE, place};
use crate::molecule::mark::{self, Mark, RAW_PART};
use crate::molecule::raw;

/// How errors name a value marked `any`, which has no fixed size.
const MARKED_ANY: &str = "a value that is marked `any`";

/// What a packed value is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PackedIn {
    /// A tuple without a mark.
    Tuple,
    /// A fixvec without a mark.
    FixVec,
    /// A marked struct or fixvec: unmarked structs in it are packed, too.
    Marked,
}

impl PackedIn {
    #[cold]
    fn text(self) -> &'static str {
        match self {
            PackedIn::Tuple => place::PACKED_TUPLE,
            PackedIn::FixVec => place::FIXVEC,
            PackedIn::Marked => place::MARKED,
        }
    }
}

/// The call of a packed value: one of four copies of the code, since what is called from one place is inlined. A *window* is a
/// slice as long as the type is in memory: each number is at a constant place in it, so no check is left.
pub(super) const SLOT_WINDOW: u8 = 0;
pub(super) const ITEM_WINDOW: u8 = 1;
/// In a slot, without a window: a small type with padding, or that owns memory.
const SMALL: u8 = 2;
/// Anywhere else.
pub(super) const CHECKED: u8 = 3;

/// Up to this size in memory, copying a value from registers is cheaper than from the result of a call.
const SMALL_SIZE: usize = 32;

const fn is_window(site: u8) -> bool {
    matches!(site, SLOT_WINDOW | ITEM_WINDOW)
}

/// How many levels and wrappers a value may have in a window, where they are not counted: its type bounds them.
const WINDOW_DEPTH: u16 = 8;

/// Whether a window is tried for a `T` that may nest so deep. A type that owns memory rarely has a fixed size, and is
/// read without one.
#[inline]
pub(super) fn may_have_window<T>(depth: Depth) -> bool {
    !needs_drop::<T>() && depth.has_room(WINDOW_DEPTH)
}

/// Deserializes the packed value at the start of `rest`, and leaves what follows it.
pub(super) struct Packed<'c, 'de, C, const SITE: u8> {
    pub(super) rest: &'c mut &'de [u8],
    pub(super) context: C,
    /// How deep its fields or items may nest.
    pub(super) depth: Depth,
    pub(super) within: PackedIn,
}

/// Reads a packed struct, tuple or array. Returns what follows it, too.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn packed<'de, C: Context<'de>, V: Visitor<'de>>(
    value: Value<'de, C>,
    count: usize,
    names: Names,
    within: PackedIn,
    visitor: V,
) -> (Result<V::Value>, &'de [u8]) {
    let Value { context, bytes, depth, .. } = value;
    match bytes.get(..size_of::<V::Value>()) {
        Some(mut rest) if rest.len() == bytes.len() && may_have_window::<V::Value>(depth) => {
            let packed = Packed::<C, SLOT_WINDOW> { rest: &mut rest, context, depth, within };
            (packed.parts(count, names, within, visitor), rest)
        }
        _ if size_of::<V::Value>() <= SMALL_SIZE => {
            let mut rest = bytes;
            let packed = Packed::<C, SMALL> { rest: &mut rest, context, depth, within };
            (packed.parts(count, names, within, visitor), rest)
        }
        _ => checked(context, bytes, depth, count, names, within, visitor),
    }
}

#[inline(never)]
fn checked<'de, C: Context<'de>, V: Visitor<'de>>(
    context: C,
    bytes: &'de [u8],
    depth: Depth,
    count: usize,
    names: Names,
    within: PackedIn,
    visitor: V,
) -> (Result<V::Value>, &'de [u8]) {
    let mut rest = bytes;
    let packed = Packed::<C, CHECKED> { rest: &mut rest, context, depth, within };
    (packed.parts(count, names, within, visitor), rest)
}

impl<'de, C: Context<'de>, const SITE: u8> Packed<'_, 'de, C, SITE> {
    /// Reads an array of bytes that the input is too short for.
    #[cold]
    #[inline(never)]
    fn cut_bytes<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        let within = self.within;
        self.parts(len, Names::Indices, within, visitor)
    }

    #[cold]
    fn dynamic<T>(self, found: &'static str) -> Result<T> {
        let Packed { rest, within, .. } = self;
        Err(self.context.explain()?.dynamic(rest, found, within.text()))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        match self.rest.split_first_chunk() {
            Some((bytes, rest)) => {
                *self.rest = rest;
                Ok(*bytes)
            }
            None => Err(self.context.fail_short(N)),
        }
    }

    /// The mark in the name of a container.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn named<T>(&self, name: &'static str, found: mark::Result<T>) -> Result<T> {
        match checked_name(name, found, self.context.is_strict()) {
            Ok(mark) => Ok(mark),
            Err(error) => Err(self.context.explain()?.fail(self.rest, error)),
        }
    }

    /// Reads the fields of a struct or tuple struct of that name, unless it is a table.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fields<V: Visitor<'de>>(
        self,
        name: &'static str,
        count: usize,
        names: Names,
        visitor: V,
    ) -> Result<V::Value> {
        let is_packed = self.named(name, Mark::is_packed(name))?;
        match is_packed || self.within == PackedIn::Marked {
            true => self.parts(count, names, PackedIn::Marked, visitor),
            false => {
                let Packed { rest, within, .. } = self;
                Err(self.context.explain()?.unpacked(rest, name, within.text()))
            }
        }
    }

    /// Reads the fields of a struct, or the items of a tuple or array.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn parts<V: Visitor<'de>>(
        self,
        count: usize,
        names: Names,
        within: PackedIn,
        visitor: V,
    ) -> Result<V::Value> {
        let Packed { rest, context, depth, .. } = self;
        let depth = match depth.enter() {
            _ if is_window(SITE) => depth,
            Some(depth) => depth,
            None => return Err(context.explain()?.too_deep(rest)),
        };
        if count == 0 {
            let place = self.within.text();
            return Err(context.explain()?.nothing_packed(rest, names, place));
        }
        let start = *rest;
        let mut parts =
            Parts::<C, SITE> { rest: start, context, depth, within, failing: None, left: count };
        let value = visitor.visit_seq(&mut parts);
        *rest = parts.rest;
        match value {
            Ok(value) => {
                if let (Some(part), Some(document)) = (parts.failing, context.document()) {
                    // Its visitor has ignored the error.
                    document.mark_end_unknown(part);
                }
                Ok(value)
            }
            Err(Failed) => {
                let Parts { rest, failing, left, .. } = parts;
                let (rest, number) = (rest.len(), count - left);
                let document = context.explain()?;
                Err(match failing {
                    Some(part) => document.in_packed_part(part, rest, names, number, left),
                    None => document.left_packed(start, left),
                })
            }
        }
    }
}

macro_rules! numbers {
    ($($method:ident $visit:ident $type:ty,)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
            visitor.$visit(<$type>::from_le_bytes(self.take()?))
        }
    )*};
}

macro_rules! refuse_dynamic {
    ($($method:ident($($arg:ty),*) $found:literal,)*) => {$(
        #[cold]
        fn $method<V: Visitor<'de>>(self, $(_: $arg,)* _: V) -> Result<V::Value> {
            self.dynamic($found)
        }
    )*};
}

impl<'de, C: Context<'de>, const SITE: u8> Deserializer<'de> for Packed<'_, 'de, C, SITE> {
    type Error = Failed;

    for_each_number!(numbers);

    refuse_dynamic! {
        deserialize_str() "text", deserialize_string() "text",
        deserialize_bytes() "bytes", deserialize_byte_buf() "bytes",
        deserialize_option() "an option",
        deserialize_unit() "a unit", deserialize_unit_struct(&'static str) "a unit struct",
        deserialize_seq() "a sequence", deserialize_map() "a map",
        deserialize_enum(&'static str, &'static [&'static str]) "an enum",
        deserialize_identifier() "an identifier",
        deserialize_ignored_any() "a value to be skipped",
    }

    #[cold]
    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value> {
        let Packed { rest, context, within, .. } = self;
        Err(context.explain()?.no_types(rest, within == PackedIn::Marked))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_bool<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let start = *self.rest;
        match self.take()? {
            [byte @ (0 | 1)] => visitor.visit_bool(byte == 1),
            [found] => Err(self.context.explain()?.bad_bool(start, found)),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_char<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let start = *self.rest;
        let found = u32::from_le_bytes(self.take()?);
        match char::from_u32(found) {
            Some(char) => visitor.visit_char(char),
            None => Err(self.context.explain()?.bad_char(start, found)),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        if name == ANY {
            return self.dynamic(MARKED_ANY);
        }
        if raw::is_reserved(name) {
            return self.dynamic(RAW_PART);
        }
        let within = match self.named(name, Mark::of_newtype(name))? {
            None => self.within,
            Some(Mark::Struct) => PackedIn::Marked,
            Some(Mark::Table) => return self.dynamic(TABLE),
            Some(Mark::FixVec) => return self.dynamic("a fixvec"),
            Some(Mark::DynVec) => return self.dynamic("a dynvec"),
        };
        let depth = match self.depth.wrap() {
            _ if is_window(SITE) => self.depth,
            Some(depth) => depth,
            None => return Err(self.context.explain()?.too_deep(self.rest)),
        };
        visitor.visit_newtype_struct(Packed::<C, SITE> { depth, within, ..self })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        let within = self.within;
        // The length of an array of bytes is checked once. A copy out of the way finds the error of one that is cut.
        if size_of::<V::Value>() == len && self.rest.len() < len {
            return self.cut_bytes(len, visitor);
        }
        self.parts(len, Names::Indices, within, visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.fields(name, len, Names::SLOTS, visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.fields(name, fields.len(), Names::Fields(fields), visitor)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// The fields of a struct, or the items of a tuple or array.
struct Parts<'de, C, const SITE: u8> {
    rest: &'de [u8],
    context: C,
    depth: Depth,
    within: PackedIn,
    /// The bytes from the start of the one that is being read, or that could not be read.
    failing: Option<&'de [u8]>,
    /// How many are left; of a struct at most so many, since serde counts aliases as names.
    left: usize,
}

impl<'de, C: Context<'de>, const SITE: u8> SeqAccess<'de> for &mut Parts<'de, C, SITE> {
    type Error = Failed;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        let Parts { ref mut rest, context, depth, within, .. } = **self;
        self.failing = Some(*rest);
        let part = seed.deserialize(Packed::<C, SITE> { rest, context, depth, within })?;
        self.failing = None;
        Ok(Some(part))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        self.next_element_seed(PhantomData)
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        // No item takes zero bytes, so the input bounds what is reserved.
        Some(self.left.min(self.rest.len()))
    }
}
