//! Fixed values one after another: scalars, and structs, tuples and arrays of scalars. Does not know
//! any header.

use super::{
    DeserializeSeed, Deserializer, Error, Exact, Result, ValueReader, Visitor, hint, sequence,
};
use crate::glue::de::{Request, for_each_number};
use crate::glue::mark::ANY;
use crate::glue::names::Names;
use crate::limits::Depth;
use crate::molecule::ErrorKind;
use crate::molecule::de::parts::PackedIn;
use crate::molecule::de::reading::Reading as _;
use crate::molecule::error::{ANY_UNMARKED, TABLE};
use crate::molecule::mark::{Mark, RAW_PART};
use crate::molecule::raw;

/// How errors name a value marked `any`, which has no fixed size.
const MARKED_ANY: &str = "a value that is marked `any`";

/// The unread bytes of fixed values.
pub(super) struct PackedCursor<'a, 'de> {
    pub(super) exact: Exact<'a, 'de>,
    pub(super) rest: &'de [u8],
    /// Where a value failed before its end, so that the start of the next one is unknown. A type
    /// may ignore such an error.
    pub(super) abandoned: Option<&'de [u8]>,
}

impl<'a, 'de> PackedCursor<'a, 'de> {
    pub(super) fn new(exact: Exact<'a, 'de>, bytes: &'de [u8]) -> Self {
        PackedCursor { exact, rest: bytes, abandoned: None }
    }

    /// Records the value at `start` as abandoned if nothing of it was read: each value takes at
    /// least one byte.
    pub(super) fn note_if_unread(&mut self, start: &'de [u8]) {
        if self.rest.len() == start.len() {
            self.abandoned = self.abandoned.or(Some(start));
        }
    }

    /// Refuses an item of a fixvec, which began at `start`, of another size than the first one.
    pub(super) fn check_alike(
        &mut self,
        size: &mut Option<usize>,
        start: &'de [u8],
        index: usize,
    ) -> Result<()> {
        let taken = start.len() - self.rest.len();
        match *size.get_or_insert(taken) == taken {
            true => Ok(()),
            false => {
                self.abandoned = self.abandoned.or(Some(start));
                self.exact.fault(start, ErrorKind::UnlikeItems { index })
            }
        }
    }
}

/// Reads a fixed value that takes all of `bytes`.
pub(super) fn whole<'a, 'de, T>(
    exact: Exact<'a, 'de>,
    bytes: &'de [u8],
    depth: Depth,
    within: PackedIn,
    read: impl FnOnce(PackedReader<'_, 'a, 'de>) -> Result<T>,
) -> Result<T> {
    let mut cursor = PackedCursor::new(exact, bytes);
    let value = read(PackedReader { cursor: &mut cursor, depth, within })?;
    exact.note_abandoned(cursor.abandoned);
    exact.finish(cursor.rest).map(|()| value)
}

/// Reads a fixed value that is no struct or tuple: one function for all that may be asked for.
#[inline(never)]
pub(super) fn scalar<'de, V: Visitor<'de>>(
    reader: ValueReader<'_, 'de>,
    request: Request,
    visitor: V,
) -> Result<V::Value> {
    let ValueReader { reading, bytes, depth, .. } = reader;
    whole(reading, bytes, depth, PackedIn::Marked, |packed| packed.dispatch(request, visitor))
}

/// Reads a struct, tuple or array that is packed.
pub(super) fn packed<'de, V: Visitor<'de>>(
    reader: ValueReader<'_, 'de>,
    count: usize,
    names: Names,
    within: PackedIn,
    visitor: V,
) -> Result<V::Value> {
    let ValueReader { reading, bytes, depth, .. } = reader;
    whole(reading, bytes, depth, within, |packed| packed.parts(count, names, within, visitor))
        .map_err(|error| error.or_hint(hint::of_struct(bytes, count, names)))
}

/// Deserializes the fixed value at the cursor.
pub(super) struct PackedReader<'c, 'a, 'de> {
    pub(super) cursor: &'c mut PackedCursor<'a, 'de>,
    /// How deep its parts may nest.
    pub(super) depth: Depth,
    /// Why the value has to be fixed.
    pub(super) within: PackedIn,
}

impl<'de> PackedReader<'_, '_, 'de> {
    #[cold]
    fn fault<T>(&self, kind: impl Into<ErrorKind>) -> Result<T> {
        self.cursor.exact.fault(self.cursor.rest, kind)
    }

    fn dynamic<T>(&self, found: &'static str) -> Result<T> {
        self.fault(ErrorKind::DynamicItem { found, place: self.within.text() })
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        match self.cursor.rest.split_first_chunk() {
            Some((bytes, rest)) => {
                self.cursor.rest = rest;
                Ok(*bytes)
            }
            None => self.cursor.exact.ends_early(self.cursor.rest, N),
        }
    }

    /// Gives the error of a value that begins at `start` its place.
    fn placed<T>(&self, start: &'de [u8], value: Result<T>) -> Result<T> {
        value.map_err(|error| self.cursor.exact.or_offset(start, error))
    }

    /// Refuses a struct or tuple struct that is not packed: it is a table.
    fn check_packed(&self, name: &'static str) -> Result<()> {
        let PackedCursor { exact, rest, .. } = *self.cursor;
        match exact.packs(rest, name)? || self.within == PackedIn::Marked {
            true => Ok(()),
            false => self.dynamic(TABLE).map_err(|error| error.or_hint(Some(hint::packed(name)))),
        }
    }

    /// Reads the parts of a struct, tuple or array.
    pub(super) fn parts<V: Visitor<'de>>(
        self,
        count: usize,
        names: Names,
        within: PackedIn,
        visitor: V,
    ) -> Result<V::Value> {
        if count == 0 {
            return match names {
                Names::Indices => self.dynamic("an empty tuple or array"),
                Names::Fields(_) | Names::Slots => self.fault(ErrorKind::EmptyStruct),
            };
        }
        let PackedCursor { exact, rest: start, abandoned: before } = *self.cursor;
        let Some(depth) = self.depth.enter() else { return exact.too_deep(start) };
        let mut parts = Parts { cursor: self.cursor, depth, within, left: count };
        let value = visitor.visit_seq(&mut parts);
        let Parts { cursor, left, .. } = parts;
        value.map_err(|error| {
            // A type that ignores the error would continue in the middle of the value.
            if left > 0 || cursor.abandoned.is_some() {
                cursor.abandoned = before.or(Some(start));
            }
            exact.in_parts(start, error, names, count - left)
        })
    }
}

macro_rules! deserialize_le {
    ($($method:ident $visit:ident $type:ty,)*) => {$(
        fn $method<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
            let start = self.cursor.rest;
            let number = <$type>::from_le_bytes(self.take()?);
            self.placed(start, visitor.$visit(number))
        }
    )*};
}

macro_rules! refuse_dynamic {
    ($($method:ident($($arg:ty),*) $found:literal,)*) => {$(
            fn $method<V: Visitor<'de>>(
            self,
            $(_: $arg,)*
            _: V,
        ) -> Result<V::Value> {
            self.dynamic($found)
        }
    )*};
}

impl<'de> Deserializer<'de> for PackedReader<'_, '_, 'de> {
    type Error = Error;

    for_each_number!(deserialize_le);

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

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value> {
        let refused = self.cursor.exact.refuse_unknown_type(self.cursor.rest);
        let marked = self.within == PackedIn::Marked;
        refused.map_err(|error: Error| error.or_hint(marked.then_some(ANY_UNMARKED)))
    }

    fn deserialize_bool<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let start = self.cursor.rest;
        let [found] = self.take()?;
        match found {
            0 | 1 => self.placed(start, visitor.visit_bool(found == 1)),
            _ => self.cursor.exact.fault(start, ErrorKind::InvalidBool { found }),
        }
    }

    fn deserialize_char<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let start = self.cursor.rest;
        let found = u32::from_le_bytes(self.take()?);
        match char::from_u32(found) {
            Some(char) => self.placed(start, visitor.visit_char(char)),
            None => self.cursor.exact.fault(start, ErrorKind::InvalidChar { found }),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        let PackedCursor { exact, rest: start, .. } = *self.cursor;
        if name == ANY {
            return self.dynamic(MARKED_ANY);
        }
        if raw::is_reserved(name) {
            return self.dynamic(RAW_PART);
        }
        exact.check_name(start, name)?;
        let within = match exact.named(start, Mark::of_newtype(name))? {
            None => self.within,
            Some(Mark::Struct) => PackedIn::Marked,
            Some(Mark::Table) => return self.dynamic(TABLE),
            Some(Mark::FixVec) => return self.dynamic("a fixvec"),
            Some(Mark::DynVec) => return self.dynamic("a dynvec"),
        };
        let Some(depth) = self.depth.wrap() else { return exact.too_deep(start) };
        visitor
            .visit_newtype_struct(PackedReader { depth, within, ..self })
            .map_err(|error| exact.or_offset(start, error))
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        let (within, depth) = (self.within, self.depth);
        let met = &self.cursor.exact.session.tuple;
        met.set(met.get().or(Some(depth)));
        self.parts(len, Names::Indices, within, visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.check_packed(name)?;
        self.parts(len, Names::Slots, PackedIn::Marked, visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.check_packed(name)?;
        self.parts(fields.len(), Names::Fields(fields), PackedIn::Marked, visitor)
    }
}

/// The parts of a struct, tuple or array.
struct Parts<'c, 'a, 'de> {
    cursor: &'c mut PackedCursor<'a, 'de>,
    depth: Depth,
    within: PackedIn,
    /// How many are left; of a struct at most so many, since serde counts aliases as names.
    left: usize,
}

impl<'de> Parts<'_, '_, 'de> {
    fn read<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        let (start, depth, within) = (self.cursor.rest, self.depth, self.within);
        let part = seed.deserialize(PackedReader { cursor: &mut *self.cursor, depth, within });
        self.cursor.note_if_unread(start);
        part.map(Some)
    }

    fn left(&self) -> usize {
        // No item takes zero bytes, so the input bounds what is reserved.
        self.left.min(self.cursor.rest.len())
    }
}

sequence!(['de] Parts<'_, '_, 'de>);
