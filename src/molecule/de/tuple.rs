//! A tuple or array without a mark, as the exact reader takes it: a table if any item is dynamic,
//! packed otherwise. Knows how the two are told apart, does not know how items are read.
//!
//! Only the types of the items tell, and serde shows them one by one. If the first item is dynamic,
//! the tuple is a table. If it is fixed, the header decides for now, and the document is read again
//! if that was wrong (see [`from_slice`](super::from_slice)).

use super::Tuples;
use super::access::{FieldCount, Fields, Names};
use super::packed::{PackedIn, PackedReader, whole};
use super::packed_cursor::PackedCursor;
use super::value::ValueReader;
use crate::error::Segment;
#[cfg(feature = "any")]
use crate::glue::de::Request;
use crate::glue::de::{DeserializeSeed, Deserializer, SeqAccess, Visitor};
use crate::glue::mark::ANY;
use crate::molecule::mark::Mark;
use crate::molecule::wire::Table;
use crate::molecule::{Error, ErrorKind, Result};

/// Reads a tuple whose bytes cannot begin a table.
#[inline(never)]
pub(super) fn packed_tuple<'de, V: Visitor<'de, Error>>(
    reader: ValueReader<'_, 'de>,
    len: usize,
    visitor: V,
) -> Result<V::Value> {
    let ValueReader { state, bytes, base, trailing, .. } = reader;
    whole(state, bytes, base, PackedIn::Tuple, trailing, |packed| {
        packed.parts(len, Names::Indices, PackedIn::Tuple, visitor)
    })
    .map_err(|error| explain_packed(error, bytes, base, trailing))
}

/// A dynamic item means that it is a table with a faulty header.
#[cold]
#[inline(never)]
fn explain_packed(error: Error, bytes: &[u8], base: usize, trailing: bool) -> Error {
    match error.kind().is_of_packed_tuple() {
        false => error,
        true => Table::parse(bytes, base, trailing).err().unwrap_or(error),
    }
}

/// The items of a tuple without a mark.
pub(super) struct Tuple<'a, 'de> {
    reader: ValueReader<'a, 'de>,
    len: usize,
    next: usize,
    shape: Shape<'de>,
    /// The unread bytes of a packed tuple.
    rest: &'de [u8],
    /// The first field of a table and its offset.
    first: (&'de [u8], usize),
    /// Where an item of a packed tuple was abandoned before its end.
    abandoned_at: Option<usize>,
}

/// What the tuple turned out to be.
enum Shape<'de> {
    /// No item has been read.
    Undecided,
    Packed,
    Table {
        fields: Fields<'de>,
        /// Whether only the header says that it is a table.
        guessed: bool,
    },
}

impl<'a, 'de> Tuple<'a, 'de> {
    pub(super) fn new(reader: ValueReader<'a, 'de>, len: usize) -> Self {
        let first = (reader.bytes, reader.base);
        let rest = reader.bytes;
        Tuple { reader, len, next: 0, shape: Shape::Undecided, rest, first, abandoned_at: None }
    }

    /// Lets `visitor` take the items, and checks that it took all of them.
    #[inline]
    pub(super) fn visit<V: Visitor<'de, Error>>(mut self, visitor: V) -> Result<V::Value> {
        match visitor.visit_seq(&mut self) {
            Ok(value) => self.finish().map(|()| value),
            Err(error) => {
                if let Shape::Table { guessed: true, .. } = self.shape {
                    // Recorded, since a type may ignore the error of this tuple.
                    self.reader.state.contradicted.get_or_insert(self.reader.base);
                }
                Err(self.explain(error))
            }
        }
    }

    #[inline]
    fn finish(self) -> Result<()> {
        let Tuple { reader, shape, rest, abandoned_at, .. } = self;
        reader.state.note_abandoned(abandoned_at);
        match shape {
            Shape::Undecided | Shape::Packed if reader.trailing => Ok(()),
            Shape::Undecided | Shape::Packed => {
                let read = reader.bytes.len() - rest.len();
                PackedCursor::new(reader.state, rest, reader.base + read).finish()
            }
            Shape::Table { fields, guessed } => {
                fields.finish(reader.state)?;
                // A table with only fixed items would have been written packed.
                if guessed && !reader.state.saw_dynamic {
                    reader.state.contradicted.get_or_insert(reader.base);
                    return Err(Error::at(ErrorKind::AmbiguousTuple, reader.base));
                }
                reader.state.saw_dynamic = true;
                Ok(())
            }
        }
    }

    #[cold]
    fn explain(&self, error: Error) -> Error {
        match &self.shape {
            Shape::Table { fields, .. } => fields.explain(error, self.reader.base),
            Shape::Packed if error.kind().is_of_packed_tuple() => self.header_fault(error),
            Shape::Undecided | Shape::Packed => error.or_offset(self.reader.base),
        }
    }

    /// The fault of a tuple that holds dynamic items but does not begin like a table.
    #[cold]
    fn header_fault(&self, error: Error) -> Error {
        let ValueReader { state, bytes, base, trailing, .. } = &self.reader;
        if state.strict {
            return unmarked(*base);
        }
        if state.tuples == Tuples::Packed {
            return error;
        }
        let table = match Table::parse(bytes, *base, *trailing) {
            Ok(table) => table,
            Err(fault) => return fault,
        };
        let (found, expected) = (table.count(), self.len);
        let kind = match found < expected {
            true => ErrorKind::MissingFields { found },
            false => ErrorKind::ExtraFields { found, expected },
        };
        Error::at(kind, table.count_offset())
    }

    /// The first item is dynamic, so this is a table.
    #[inline]
    fn first_is_dynamic(&mut self) -> Result<ValueReader<'_, 'de>> {
        if self.reader.state.strict {
            return Err(unmarked(self.reader.base));
        }
        self.read_as_table(false)
    }

    /// The first item is fixed, as far as can be seen. Returns a reader for its slot if this is a
    /// table, `None` if it is packed.
    #[inline]
    fn first_is_fixed(&mut self) -> Result<Option<ValueReader<'_, 'de>>> {
        if self.is_headed_like_table() {
            self.reader.state.guessed = true;
            self.reader.state.saw_dynamic = false;
            return self.read_as_table(true).map(Some);
        }
        self.shape = Shape::Packed;
        Ok(None)
    }

    /// Reads the next item of a packed tuple.
    #[inline]
    fn packed<T>(
        &mut self,
        read: impl FnOnce(PackedReader<'_, '_, 'de>) -> Result<T>,
    ) -> Result<T> {
        let offset = self.offset();
        let mut cursor = PackedCursor::new(self.reader.state, self.rest, offset);
        let result = read(PackedReader { cursor: &mut cursor, within: PackedIn::Tuple });
        cursor.note_if_unread(offset);
        self.rest = cursor.rest();
        self.abandoned_at = self.abandoned_at.or(cursor.abandoned_at());
        result
    }

    /// Where the next item of a packed tuple lies in the input.
    #[inline]
    fn offset(&self) -> usize {
        self.reader.base + (self.reader.bytes.len() - self.rest.len())
    }

    /// Whether the bytes have the header of a table that this tuple can be.
    #[inline]
    fn is_headed_like_table(&self) -> bool {
        let ValueReader { state, bytes, trailing, .. } = &self.reader;
        state.tuples == Tuples::ByHeader
            && Table::may_begin(bytes, *trailing)
            && Table::parse(bytes, 0, *trailing).is_ok_and(|table| {
                table.count() == self.len || (state.compatible && table.count() > self.len)
            })
    }

    /// Reads the header of a table, and returns a reader for the first field.
    fn read_as_table(&mut self, guessed: bool) -> Result<ValueReader<'_, 'de>> {
        let ValueReader { state, bytes, base, trailing, .. } = &mut self.reader;
        let table = Table::parse(bytes, *base, *trailing)?;
        let mut fields = Fields::new(state, table, FieldCount::Exactly(self.len), Names::Indices)?;
        self.first = fields.take(state)?.unwrap_or((&[], *base));
        self.shape = Shape::Table { fields, guessed };
        let (bytes, offset) = self.first;
        Ok(ValueReader::new(state, bytes, offset))
    }
}

#[cold]
fn unmarked(offset: usize) -> Error {
    Error::at(ErrorKind::UNMARKED_TUPLE, offset)
}

impl<'de> SeqAccess<'de> for Tuple<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de, Error>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>> {
        if self.next >= self.len {
            return Ok(None);
        }
        let index = self.next;
        self.next += 1;
        let state = &mut *self.reader.state;
        match &mut self.shape {
            Shape::Undecided => {
                let result = seed.deserialize(Undecided { tuple: self });
                self.finish_first(result)
            }
            Shape::Packed => {
                let offset = self.offset();
                self.packed(|packed| seed.deserialize(packed))
                    .map(Some)
                    .map_err(|error| error.or_offset(offset).inside(Segment::Index(index)))
            }
            Shape::Table { fields, .. } => fields.next(state, seed),
        }
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        // No packed item takes zero bytes, and every field of a table has an offset.
        Some((self.len - self.next).min(self.reader.bytes.len()))
    }
}

impl Tuple<'_, '_> {
    /// The result of the first item.
    #[inline]
    fn finish_first<T>(&mut self, result: Result<T>) -> Result<Option<T>> {
        let (bytes, offset) = self.first;
        match &mut self.shape {
            Shape::Table { fields, .. } => fields.absent_or_error(result, bytes, offset),
            // The header was at fault, so the error belongs to the tuple.
            Shape::Undecided => result.map(Some),
            Shape::Packed => {
                result.map(Some).map_err(|error| error.or_offset(offset).inside(Segment::Index(0)))
            }
        }
    }
}

/// Deserializes the first item. The request decides how the tuple is read.
struct Undecided<'t, 'a, 'de> {
    tuple: &'t mut Tuple<'a, 'de>,
}

/// Methods for values that are fixed, as far as can be seen.
macro_rules! fixed_first {
    ($($method:ident($($arg:ident: $type:ty),*))*) => {$(
        #[inline]
        fn $method<V: Visitor<'de, Error>>(self, $($arg: $type,)* visitor: V) -> Result<V::Value> {
            match self.tuple.first_is_fixed()? {
                Some(reader) => reader.$method($($arg,)* visitor),
                None => self.tuple.packed(|packed| packed.$method($($arg,)* visitor)),
            }
        }
    )*};
}

/// Methods for values that are dynamic.
macro_rules! dynamic_first {
    ($($method:ident($($arg:ident: $type:ty),*))*) => {$(
        #[inline]
        fn $method<V: Visitor<'de, Error>>(self, $($arg: $type,)* visitor: V) -> Result<V::Value> {
            self.tuple.first_is_dynamic()?.$method($($arg,)* visitor)
        }
    )*};
}

impl<'de> Deserializer<'de> for Undecided<'_, '_, 'de> {
    type Error = Error;

    #[cfg(feature = "any")]
    fn read<V: Visitor<'de, Error>>(self, request: Request, visitor: V) -> Result<V::Value> {
        match request.is_any() {
            true => self.tuple.first_is_dynamic()?.read(request, visitor),
            false => self.dispatch(request, visitor),
        }
    }

    fixed_first! {
        deserialize_bool() deserialize_i8() deserialize_i16() deserialize_i32()
        deserialize_i64() deserialize_i128() deserialize_u8() deserialize_u16()
        deserialize_u32() deserialize_u64() deserialize_u128() deserialize_f32()
        deserialize_f64() deserialize_char()
        deserialize_any()
    }

    dynamic_first! {
        deserialize_str() deserialize_string() deserialize_bytes() deserialize_byte_buf()
        deserialize_option() deserialize_unit() deserialize_unit_struct(name: &'static str)
        deserialize_seq() deserialize_map()
        deserialize_enum(name: &'static str, variants: &'static [&'static str])
        deserialize_identifier() deserialize_ignored_any()
    }

    #[inline(never)]
    fn deserialize_newtype_struct<V: Visitor<'de, Error>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        let base = self.tuple.reader.base;
        let in_first = |error: Error| error.or_offset(base).inside(Segment::Index(0));
        if name == ANY {
            return self.tuple.first_is_dynamic()?.deserialize_newtype_struct(name, visitor);
        }
        self.tuple.reader.state.check_name(name, base).map_err(in_first)?;
        match Mark::of_newtype(name).map_err(in_first)? {
            None => {
                let tuple = self.tuple;
                let outer = tuple.reader.state.depth;
                tuple.reader.state.depth.wrap().map_err(in_first)?;
                let result = visitor.visit_newtype_struct(Undecided { tuple: &mut *tuple });
                tuple.reader.state.depth = outer;
                result
            }
            Some(Mark::Struct) => match self.tuple.first_is_fixed()? {
                Some(reader) => reader.deserialize_newtype_struct(name, visitor),
                None => {
                    self.tuple.packed(|packed| packed.deserialize_newtype_struct(name, visitor))
                }
            },
            Some(Mark::Table | Mark::FixVec | Mark::DynVec) => {
                self.tuple.first_is_dynamic()?.deserialize_newtype_struct(name, visitor)
            }
        }
    }

    /// A tuple as the first item is taken for a packed one. The writer follows the same rule.
    #[inline(never)]
    fn deserialize_tuple<V: Visitor<'de, Error>>(self, len: usize, visitor: V) -> Result<V::Value> {
        if len == 0 {
            return self.tuple.first_is_dynamic()?.deserialize_tuple(len, visitor);
        }
        match self.tuple.first_is_fixed()? {
            Some(reader) => reader.deserialize_tuple(len, visitor),
            None => self.tuple.packed(|packed| packed.deserialize_tuple(len, visitor)),
        }
    }

    #[inline(never)]
    fn deserialize_tuple_struct<V: Visitor<'de, Error>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        if !self.packs(name)? {
            return self.tuple.first_is_dynamic()?.deserialize_tuple_struct(name, len, visitor);
        }
        match self.tuple.first_is_fixed()? {
            Some(reader) => reader.deserialize_tuple_struct(name, len, visitor),
            None => self.tuple.packed(|packed| packed.deserialize_tuple_struct(name, len, visitor)),
        }
    }

    #[inline(never)]
    fn deserialize_struct<V: Visitor<'de, Error>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        if !self.packs(name)? {
            return self.tuple.first_is_dynamic()?.deserialize_struct(name, fields, visitor);
        }
        match self.tuple.first_is_fixed()? {
            Some(reader) => reader.deserialize_struct(name, fields, visitor),
            None => self.tuple.packed(|packed| packed.deserialize_struct(name, fields, visitor)),
        }
    }
}

impl Undecided<'_, '_, '_> {
    #[inline]
    fn packs(&self, name: &'static str) -> Result<bool> {
        let reader = &self.tuple.reader;
        reader.state.check_name(name, reader.base)?;
        Mark::is_packed(name).map_err(|error| error.or_offset(reader.base))
    }
}
