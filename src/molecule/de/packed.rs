//! Fixed values one after another, as the exact reader takes them: fields of a struct, items of an
//! array or fixvec. Does not know any header.

use super::State;
use super::access::Names;
pub(super) use super::items::{Kind, all_taken, items, parts, unmarked_dynvec};
use super::packed_cursor::PackedCursor;
#[cfg(feature = "any")]
use crate::glue::de::Request;
use crate::glue::de::{DeserializeSeed, Deserializer, SeqAccess, Visitor};
use crate::glue::mark::ANY;
use crate::molecule::error::{TABLE, place};
use crate::molecule::mark::Mark;
use crate::molecule::{Error, ErrorKind, Result};

/// Deserializes the fixed value at `cursor`.
pub(super) struct PackedReader<'r, 'a, 'de> {
    pub(super) cursor: &'r mut PackedCursor<'a, 'de>,
    /// Why the value has to be fixed.
    pub(super) within: PackedIn,
}

/// How errors name a value marked `any`, which has no fixed size.
const MARKED_ANY: &str = "a value that is marked `any`";

/// What the fixed value is packed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PackedIn {
    /// A tuple without a mark, which may be a table with a faulty header.
    Tuple,
    /// A fixvec without a mark.
    FixVec,
    /// A marked struct or fixvec: unmarked structs in it are packed.
    Marked,
}

impl PackedIn {
    fn text(self) -> &'static str {
        match self {
            PackedIn::Tuple => place::PACKED_TUPLE,
            PackedIn::FixVec => place::FIXVEC,
            PackedIn::Marked => place::MARKED,
        }
    }
}

impl<'de> PackedReader<'_, '_, 'de> {
    #[cold]
    #[inline(never)]
    fn dynamic<T>(&self, found: &'static str) -> Result<T> {
        let within = self.within.text();
        Err(Error::at(ErrorKind::DynamicItem { found, place: within }, self.cursor.offset()))
    }

    /// Whether the name of a struct or tuple struct marks it as packed.
    #[inline]
    fn is_marked(&self, name: &'static str) -> Result<bool> {
        let offset = self.cursor.offset();
        self.cursor.state.check_name(name, offset)?;
        Mark::is_packed(name).map_err(|error| error.or_offset(offset))
    }

    /// Reads the parts of a struct, tuple or array.
    #[inline]
    pub(super) fn parts<V: Visitor<'de, Error>>(
        self,
        count: usize,
        names: Names,
        within: PackedIn,
        visitor: V,
    ) -> Result<V::Value> {
        let cursor = self.cursor;
        let base = cursor.offset();
        if count == 0 {
            return Err(Error::at(ErrorKind::EmptyStruct, base));
        }
        let mut parts = Parts { cursor: cursor.level()?, within, next: 0, count };
        let result = visitor.visit_seq(&mut parts);
        let (rest, next, abandoned_at) =
            (parts.cursor.rest(), parts.next, parts.cursor.abandoned_at());
        cursor.advance_to(rest);
        match result {
            Ok(value) => {
                cursor.state.note_abandoned(abandoned_at);
                Ok(value)
            }
            Err(error) => {
                if abandoned_at.is_some() || next < count {
                    cursor.mark_abandoned(base);
                }
                Err(in_part(error, base, names, next))
            }
        }
    }
}

/// Adds where an error happened. Errors of parts have an offset and belong to the part before
/// `next`; errors of visitors have none.
#[cold]
#[inline(never)]
pub(super) fn in_part(error: Error, base: usize, names: Names, next: usize) -> Error {
    match error.offset() {
        Some(_) => error.inside(names.segment(next.saturating_sub(1))),
        None => error.or_offset(base),
    }
}

/// The value of a `bool`'s byte, which lies at `offset`.
#[inline]
fn bool_of(byte: u8, offset: usize) -> Result<bool> {
    match byte {
        0 => Ok(false),
        1 => Ok(true),
        found => Err(Error::at(ErrorKind::InvalidBool { found }, offset)),
    }
}

macro_rules! deserialize_le {
    ($($method:ident $visit:ident $type:ty,)*) => {$(
        #[inline(always)]
        fn $method<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
            let offset = self.cursor.offset();
            let number = <$type>::from_le_bytes(self.cursor.take_array()?);
            visitor.$visit(number).map_err(|error: Error| error.or_offset(offset))
        }
    )*};
}

macro_rules! refuse_dynamic {
    ($($method:ident($($arg:ty),*) $found:literal,)*) => {$(
        fn $method<V: Visitor<'de, Error>>(self, $(_: $arg,)* _: V) -> Result<V::Value> {
            self.dynamic($found)
        }
    )*};
}

impl<'de> Deserializer<'de> for PackedReader<'_, '_, 'de> {
    type Error = Error;

    #[cfg(feature = "any")]
    fn read<V: Visitor<'de, Error>>(self, request: Request, visitor: V) -> Result<V::Value> {
        match request.is_any() {
            true => self.dynamic(MARKED_ANY),
            false => self.dispatch(request, visitor),
        }
    }

    deserialize_le! {
        deserialize_i8 visit_i8 i8, deserialize_i16 visit_i16 i16,
        deserialize_i32 visit_i32 i32, deserialize_i64 visit_i64 i64,
        deserialize_i128 visit_i128 i128, deserialize_u8 visit_u8 u8,
        deserialize_u16 visit_u16 u16, deserialize_u32 visit_u32 u32,
        deserialize_u64 visit_u64 u64, deserialize_u128 visit_u128 u128,
        deserialize_f32 visit_f32 f32, deserialize_f64 visit_f64 f64,
    }

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
    #[inline(never)]
    fn deserialize_any<V: Visitor<'de, Error>>(self, _: V) -> Result<V::Value> {
        let offset = self.cursor.offset();
        Err(self.cursor.state.refuse_unknown_type(offset))
    }

    #[inline]
    fn deserialize_bool<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
        let offset = self.cursor.offset();
        let [byte] = self.cursor.take_array()?;
        let value = bool_of(byte, offset)?;
        visitor.visit_bool(value).map_err(|error: Error| error.or_offset(offset))
    }

    #[inline]
    fn deserialize_char<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
        let offset = self.cursor.offset();
        let found = u32::from_le_bytes(self.cursor.take_array()?);
        match char::from_u32(found) {
            Some(char) => visitor.visit_char(char).map_err(|error: Error| error.or_offset(offset)),
            None => Err(Error::at(ErrorKind::InvalidChar { found }, offset)),
        }
    }

    #[inline(never)]
    fn deserialize_newtype_struct<V: Visitor<'de, Error>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        let offset = self.cursor.offset();
        if name == ANY {
            return self.dynamic(MARKED_ANY);
        }
        self.cursor.state.check_name(name, offset)?;
        let within = match Mark::of_newtype(name).map_err(|error| error.or_offset(offset))? {
            None => self.within,
            Some(Mark::Struct) => PackedIn::Marked,
            Some(Mark::Table) => return self.dynamic(TABLE),
            Some(Mark::FixVec) => return self.dynamic("a fixvec"),
            Some(Mark::DynVec) => return self.dynamic("a dynvec"),
        };
        let cursor = self.cursor;
        cursor.wrap()?;
        let result = visitor.visit_newtype_struct(PackedReader { cursor: &mut *cursor, within });
        cursor.unwrap();
        result.map_err(|error| error.or_offset(offset))
    }

    #[inline(never)]
    fn deserialize_tuple<V: Visitor<'de, Error>>(self, len: usize, visitor: V) -> Result<V::Value> {
        let within = self.within;
        match len {
            0 => self.dynamic("an empty tuple or array"),
            _ => self.parts(len, Names::Indices, within, visitor),
        }
    }

    #[inline(never)]
    fn deserialize_tuple_struct<V: Visitor<'de, Error>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        match self.is_marked(name)? || self.within == PackedIn::Marked {
            true => self.parts(len, Names::Slots, PackedIn::Marked, visitor),
            false => self.dynamic(TABLE),
        }
    }

    #[inline(never)]
    fn deserialize_struct<V: Visitor<'de, Error>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match self.is_marked(name)? || self.within == PackedIn::Marked {
            true => self.parts(fields.len(), Names::Fields(fields), PackedIn::Marked, visitor),
            false => self.dynamic(TABLE),
        }
    }
}

/// The parts of a struct, tuple or array.
pub(super) struct Parts<'a, 'de> {
    cursor: PackedCursor<'a, 'de>,
    within: PackedIn,
    next: usize,
    /// How many parts there are; for a struct at most so many, since serde counts aliases as names.
    count: usize,
}

impl<'de> Parts<'_, 'de> {
    #[inline]
    fn read<T: DeserializeSeed<'de, Error>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if self.next >= self.count {
            return Ok(None);
        }
        self.next += 1;
        let start = self.cursor.offset();
        let part = seed.deserialize(PackedReader { cursor: &mut self.cursor, within: self.within });
        self.cursor.note_if_unread(start);
        part.map(Some)
    }
}

impl<'de> SeqAccess<'de> for Parts<'_, 'de> {
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
        // No item takes zero bytes, so the input bounds what is reserved.
        Some((self.count - self.next).min(self.cursor.rest().len()))
    }
}

/// Reads one fixed value that fills a slot.
#[inline]
pub(super) fn whole<'de, T>(
    state: &mut State,
    bytes: &'de [u8],
    base: usize,
    within: PackedIn,
    trailing: bool,
    read: impl FnOnce(PackedReader<'_, '_, 'de>) -> Result<T>,
) -> Result<T> {
    let mut cursor = PackedCursor::new(state, bytes, base);
    let value = read(PackedReader { cursor: &mut cursor, within })?;
    if !trailing {
        cursor.finish()?;
    }
    Ok(value)
}
