//! A tuple or array without a mark, as the exact reading takes it: a table if any item is dynamic,
//! packed otherwise. Knows how the two are told apart, does not know how items are read.
//!
//! Only the types of the items tell, and serde shows them one by one. If the first item is dynamic,
//! the tuple is a table. If it is fixed, the header decides for now, and the document is read again
//! if that was wrong (see [`from_slice`](crate::molecule::de::from_slice)).

use super::fields::Fields;
use super::packed::{PackedCursor, PackedReader, whole};
use super::{
    DeserializeSeed, Deserializer, Error, Exact, Result, SeqAccess, ValueReader, Visitor, hint,
};
use crate::error::Segment;
use crate::glue::de::{Request, by_read, for_each_request};
use crate::glue::mark::ANY;
use crate::glue::names::Names;
use crate::glue::nested::Owner;
use crate::limits::Depth;
use crate::molecule::ErrorKind;
use crate::molecule::de::Tuples;
use crate::molecule::de::parts::{FieldCount, PackedIn};
use crate::molecule::de::reading::Reading as _;
use crate::molecule::mark::Mark;
use crate::molecule::raw;
use crate::molecule::wire::Table;

/// Reads an unmarked tuple of at least one item.
pub(super) fn read<'de, V: Visitor<'de>>(
    reader: ValueReader<'_, 'de>,
    len: usize,
    visitor: V,
) -> Result<V::Value> {
    let exact = reader.reading;
    let goes_by_header = exact.session.tuples == Tuples::ByHeader;
    match goes_by_header && !Table::may_begin(reader.bytes, exact.trailing) {
        true => packed(reader, len, visitor),
        false => Tuple::new(reader.level()?, len).visit(visitor),
    }
}

/// Reads a tuple whose bytes cannot begin a table. A dynamic item means that it is a table with a
/// faulty header.
fn packed<'de, V: Visitor<'de>>(
    reader: ValueReader<'_, 'de>,
    len: usize,
    visitor: V,
) -> Result<V::Value> {
    let ValueReader { reading: exact, bytes, depth, .. } = reader;
    let value = whole(exact, bytes, depth, PackedIn::Tuple, |packed| {
        packed.parts(len, Names::Indices, PackedIn::Tuple, visitor)
    });
    value.map_err(|error| match error.kind().is_of_packed_tuple() {
        false => error,
        true => Table::parse(bytes, exact.offset(bytes), exact.trailing).err().unwrap_or(error),
    })
}

/// The items of a tuple without a mark.
struct Tuple<'a, 'de> {
    /// Of the whole tuple, with the depth that is left for its items.
    reader: ValueReader<'a, 'de>,
    len: usize,
    next: usize,
    shape: Shape<'a, 'de>,
    /// The unread bytes of a packed tuple.
    rest: &'de [u8],
    /// The first field of a table.
    first: &'de [u8],
    /// Where an item of a packed tuple was abandoned before its end.
    abandoned: Option<&'de [u8]>,
}

/// What the tuple turned out to be.
#[expect(clippy::large_enum_variant, reason = "there is one for each tuple that is being read")]
enum Shape<'a, 'de> {
    /// No item has been read.
    Undecided,
    Packed,
    Table {
        fields: Fields<'a, 'de>,
        /// Whether only the header says that it is a table.
        guessed: bool,
    },
}

impl<'a, 'de> Tuple<'a, 'de> {
    fn new(reader: ValueReader<'a, 'de>, len: usize) -> Self {
        let (rest, first) = (reader.bytes, reader.bytes);
        Tuple { reader, len, next: 0, shape: Shape::Undecided, rest, first, abandoned: None }
    }

    fn exact(&self) -> Exact<'a, 'de> {
        self.reader.reading
    }

    /// Lets `visitor` take the items, and checks that it took all of them.
    fn visit<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        match visitor.visit_seq(&mut self) {
            Ok(value) => self.finish().map(|()| value),
            Err(error) => {
                if let Shape::Table { guessed: true, .. } = self.shape {
                    self.contradict();
                }
                Err(self.explain(error))
            }
        }
    }

    /// Records that this is no table, since a type may ignore the error of this tuple.
    fn contradict(&self) {
        let (exact, bytes) = (self.exact(), self.reader.bytes);
        exact.note(|record| {
            record.contradicted.get_or_insert(exact.offset(bytes));
        });
    }

    fn finish(mut self) -> Result<()> {
        let (exact, bytes) = (self.exact(), self.reader.bytes);
        exact.note_abandoned(self.abandoned);
        match &mut self.shape {
            Shape::Undecided | Shape::Packed => exact
                .finish(self.rest)
                .map_err(|error| error.or_hint(hint::of_struct(bytes, self.len, Names::Indices))),
            Shape::Table { fields, guessed } => {
                let guessed = *guessed;
                fields.finish()?;
                // A table with only fixed items would have been written packed.
                if guessed && !exact.session.notes.dynamic.get() {
                    self.contradict();
                    return exact.fault(bytes, ErrorKind::AmbiguousTuple);
                }
                self.reader.saw_dynamic();
                Ok(())
            }
        }
    }

    #[cold]
    fn explain(mut self, error: Error) -> Error {
        let (exact, bytes) = (self.exact(), self.reader.bytes);
        match &mut self.shape {
            Shape::Table { fields, .. } => fields.fail(error),
            Shape::Packed if error.kind().is_of_packed_tuple() => self.header_fault(error),
            Shape::Undecided | Shape::Packed => exact.or_offset(bytes, error),
        }
    }

    /// The fault of a tuple that holds dynamic items but does not begin like a table.
    #[cold]
    fn header_fault(&self, error: Error) -> Error {
        let (exact, bytes) = (self.exact(), self.reader.bytes);
        if exact.session.notes.strict {
            return exact.error(bytes, ErrorKind::UNMARKED_TUPLE);
        }
        if exact.session.tuples == Tuples::Packed {
            return error;
        }
        let table = match Table::parse(bytes, exact.offset(bytes), exact.trailing) {
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
    fn first_is_dynamic(&mut self) -> Result<ValueReader<'a, 'de>> {
        if self.exact().session.notes.strict {
            return self.exact().fault(self.reader.bytes, ErrorKind::UNMARKED_TUPLE);
        }
        self.read_as_table(false)
    }

    /// The first item is fixed, as far as can be seen. Returns a reader for its slot if this is a
    /// table, `None` if it is packed.
    fn first_is_fixed(&mut self) -> Result<Option<ValueReader<'a, 'de>>> {
        if self.is_headed_like_table() {
            self.exact().note(|record| record.guessed = true);
            self.exact().session.notes.dynamic.set(false);
            return self.read_as_table(true).map(Some);
        }
        self.shape = Shape::Packed;
        Ok(None)
    }

    /// Reads the next item of a packed tuple.
    fn packed<T>(
        &mut self,
        depth: Depth,
        read: impl FnOnce(PackedReader<'_, 'a, 'de>) -> Result<T>,
    ) -> Result<T> {
        let start = self.rest;
        let mut cursor = PackedCursor::new(self.exact(), start);
        let result = read(PackedReader { cursor: &mut cursor, depth, within: PackedIn::Tuple });
        cursor.note_if_unread(start);
        self.rest = cursor.rest;
        self.abandoned = self.abandoned.or(cursor.abandoned);
        result
    }

    /// Whether the bytes have the header of a table that this tuple can be.
    fn is_headed_like_table(&self) -> bool {
        let (Exact { session, trailing }, bytes) = (self.exact(), self.reader.bytes);
        session.tuples == Tuples::ByHeader
            && Table::may_begin(bytes, trailing)
            && Table::parse(bytes, 0, trailing).is_ok_and(|table| {
                table.count() == self.len
                    || (session.options.compatible && table.count() > self.len)
            })
    }

    /// Reads the header of a table, and returns a reader for the first field.
    fn read_as_table(&mut self, guessed: bool) -> Result<ValueReader<'a, 'de>> {
        let (reader, count) = (self.reader, FieldCount::Exactly(self.len));
        let parts = reader.parts()?;
        let mut fields = Fields::new(reader, parts, count, Names::Indices, Owner::default())?;
        self.first = fields.take()?.unwrap_or(self.first);
        self.shape = Shape::Table { fields, guessed };
        Ok(reader.part(self.first))
    }

    /// The result of the first item.
    fn finish_first<T>(&mut self, result: Result<T>) -> Result<Option<T>> {
        let (exact, first) = (self.exact(), self.first);
        match &mut self.shape {
            Shape::Table { fields, .. } => fields.settle(first, result),
            // The header was at fault, so the error belongs to the tuple.
            Shape::Undecided => result.map(Some),
            Shape::Packed => result
                .map(Some)
                .map_err(|error| exact.or_offset(first, error).inside(Segment::Index(0))),
        }
    }
}

impl<'de> SeqAccess<'de> for Tuple<'_, 'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if self.next >= self.len {
            return Ok(None);
        }
        let (index, exact, depth) = (self.next, self.exact(), self.reader.depth);
        self.next += 1;
        match &mut self.shape {
            Shape::Undecided => {
                let result = exact.in_step(Segment::Index(index), || {
                    seed.deserialize(Undecided { tuple: self, depth })
                });
                self.finish_first(result)
            }
            Shape::Packed => {
                let start = self.rest;
                self.packed(depth, |packed| seed.deserialize(packed))
                    .map(Some)
                    .map_err(|error| exact.or_offset(start, error).inside(Segment::Index(index)))
            }
            Shape::Table { fields, .. } => fields.read(seed),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        // No packed item takes zero bytes, and every field of a table has an offset.
        Some((self.len - self.next).min(self.reader.bytes.len()))
    }
}

/// Deserializes the first item. The request decides how the tuple is read.
struct Undecided<'t, 'a, 'de> {
    tuple: &'t mut Tuple<'a, 'de>,
    /// How deep the item may nest.
    depth: Depth,
}

impl<'de> Undecided<'_, '_, 'de> {
    /// Reads a dynamic item, which is the first of a table.
    fn read_dynamic<V: Visitor<'de>>(self, request: Request, visitor: V) -> Result<V::Value> {
        let Undecided { tuple, depth } = self;
        let reader = tuple.first_is_dynamic()?;
        ValueReader { depth, ..reader }.read(request, visitor)
    }

    /// Reads an item that is fixed, as far as can be seen.
    fn read_fixed<V: Visitor<'de>>(self, request: Request, visitor: V) -> Result<V::Value> {
        let Undecided { tuple, depth } = self;
        match tuple.first_is_fixed()? {
            Some(reader) => ValueReader { depth, ..reader }.read(request, visitor),
            None => tuple.packed(depth, |packed| packed.read(request, visitor)),
        }
    }

    /// Reads a newtype struct, which is what it holds, unless it is marked.
    fn read_newtype<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        let request = Request::NewtypeStruct(name);
        if name == ANY || raw::is_reserved(name) {
            return self.read_dynamic(request, visitor);
        }
        let ValueReader { reading: exact, bytes, .. } = self.tuple.reader;
        let in_first = |error: Error| error.inside(Segment::Index(0));
        exact.check_name(bytes, name).map_err(in_first)?;
        match exact.named(bytes, Mark::of_newtype(name)).map_err(in_first)? {
            None => {
                let Undecided { tuple, depth } = self;
                let Some(depth) = depth.wrap() else {
                    return exact.too_deep(bytes).map_err(in_first);
                };
                visitor.visit_newtype_struct(Undecided { tuple, depth })
            }
            Some(Mark::Struct) => self.read_fixed(request, visitor),
            Some(Mark::Table | Mark::FixVec | Mark::DynVec) => self.read_dynamic(request, visitor),
        }
    }
}

impl<'de> Deserializer<'de> for Undecided<'_, '_, 'de> {
    type Error = Error;

    fn read<V: Visitor<'de>>(self, request: Request, visitor: V) -> Result<V::Value> {
        let is_fixed = match request {
            Request::NewtypeStruct(name) => return self.read_newtype(name, visitor),
            // A tuple as the first item is taken for a packed one. The writer follows the same rule.
            Request::Tuple(len) => Mark::of_tuple(None, len).is_none(),
            Request::TupleStruct(name, _) | Request::Struct(name, _) => {
                self.tuple.exact().packs(self.tuple.reader.bytes, name)?
            }
            Request::Any() | Request::Bool() | Request::Char() => true,
            Request::I8() | Request::I16() | Request::I32() | Request::I64() => true,
            Request::U8() | Request::U16() | Request::U32() | Request::U64() => true,
            Request::I128() | Request::U128() | Request::F32() | Request::F64() => true,
            _ => false,
        };
        match is_fixed {
            true => self.read_fixed(request, visitor),
            false => self.read_dynamic(request, visitor),
        }
    }

    for_each_request!(by_read);
}
