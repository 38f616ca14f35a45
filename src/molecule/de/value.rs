//! The exact reader of a value in a slot: bytes whose length is known from outside, such as a
//! table's field. Knows which layout a type has, does not know how parts follow one another.

use super::access::{FieldCount, Names, NumberedFields};
use super::entries::{DynEntries, FixEntries};
use super::hint;
use super::packed::{self, Kind, PackedIn, PackedReader, all_taken, unmarked_dynvec};
use super::packed_cursor::PackedCursor;
use super::tuple::{Tuple, packed_tuple};
use super::union::Union;
use super::{State, Tuples};
use crate::error::Fault;
#[cfg(feature = "any")]
use crate::glue::de::Request;
use crate::glue::de::{Deserializer, Visitor};
use crate::glue::nested::Owner;
use crate::molecule::mark::{self, Mark, Target, UnionIds};
use crate::molecule::wire::{self, Table, Vector};
use crate::molecule::{Error, ErrorKind, Result};
use crate::text;
#[cfg(feature = "any")]
use crate::{
    any::Part,
    any::unpack::{self, Unpacker},
    glue::mark::ANY,
};

/// Deserializes the value that takes all of `bytes`.
pub(super) struct ValueReader<'a, 'de> {
    pub(super) state: &'a mut State,
    pub(super) bytes: &'de [u8],
    /// Where `bytes` begin in the input.
    pub(super) base: usize,
    /// The mark on the value.
    pub(super) mark: Option<Mark>,
    /// Whether bytes may follow the value: only after the outermost one, if that is allowed.
    pub(super) trailing: bool,
}

impl<'a, 'de> ValueReader<'a, 'de> {
    #[inline]
    pub(super) fn new(state: &'a mut State, bytes: &'de [u8], base: usize) -> Self {
        ValueReader { state, bytes, base, mark: None, trailing: false }
    }

    /// Sets whether bytes may follow the value.
    #[inline]
    pub(super) fn allowing(self, trailing: bool) -> Self {
        ValueReader { trailing, ..self }
    }

    /// Refuses a mark that does not fit the value.
    #[inline]
    fn check_mark(&self, target: Target) -> Result<()> {
        match self.mark {
            Some(mark) => mark.check(target).map_err(|error| error.or_offset(self.base)),
            None => Ok(()),
        }
    }

    /// Refuses a value that does not show its own end, if bytes may follow.
    #[inline]
    fn check_shows_end(&self, found: &'static str) -> Result<()> {
        match self.trailing {
            true => Err(Error::at(ErrorKind::Endless { found }, self.base)),
            false => Ok(()),
        }
    }

    /// Reads a fixed value with parts.
    #[inline]
    fn packed<V: Visitor<'de, Error>>(self, kind: Kind, visitor: V) -> Result<V::Value> {
        let ValueReader { state, bytes, base, trailing, .. } = self;
        packed::parts(state, bytes, base, trailing, kind, visitor)
            .map_err(|error| error.or_hint(hint::of_struct(bytes, kind)))
    }

    /// Reads a fixed value that is no struct or tuple.
    #[inline(never)]
    fn scalar<T>(
        self,
        found: &'static str,
        read: impl FnOnce(PackedReader<'_, '_, 'de>) -> Result<T>,
    ) -> Result<T> {
        self.check_mark(Target::Scalar(found))?;
        packed::whole(self.state, self.bytes, self.base, PackedIn::Marked, self.trailing, read)
    }
}

/// Scalars. Nearly always, the slot holds exactly their bytes.
macro_rules! deserialize_le {
    ($($method:ident $visit:ident $type:ident,)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
            match (self.mark, self.bytes.try_into()) {
                (None, Ok(bytes)) => visitor.$visit($type::from_le_bytes(bytes)),
                _ => self.scalar(stringify!($type), |packed| packed.$method(visitor)),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for ValueReader<'_, 'de> {
    type Error = Error;

    #[cfg(feature = "any")]
    fn read<V: Visitor<'de, Error>>(self, request: Request, visitor: V) -> Result<V::Value> {
        match request.is_any() {
            true => self.any_by(|part| part.read(request, visitor)),
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

    #[inline]
    fn deserialize_bool<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
        self.scalar("bool", |packed| packed.deserialize_bool(visitor))
    }

    #[inline]
    fn deserialize_char<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
        self.scalar("char", |packed| packed.deserialize_char(visitor))
    }

    /// An error for all types but one: the fields of an adjacently tagged struct variant, of which
    /// serde only says that they are the content of a tag.
    #[cold]
    #[inline(never)]
    fn deserialize_any<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
        let ValueReader { state, bytes, base, .. } = self;
        let Some((_, id)) = state.content.take().filter(|(content, _)| *content == base) else {
            return Err(state.refuse_unknown_type(base));
        };
        let variant = (Owner::new(state.tag_of, visitor.shape()), id);
        let value = state.level(base, |state| {
            let table = Table::parse(bytes, base, false)?;
            visitor
                .visit_map(NumberedFields { state, table, next: 0, variant })
                .map_err(|error| error.or_offset(base))
        })?;
        state.saw_dynamic = true;
        Ok(value)
    }

    #[inline]
    fn deserialize_str<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
        self.check_mark(Target::Text)?;
        let (bytes, offset) = Vector::parse_bytes(self.bytes, self.base, self.trailing)?;
        self.state.saw_dynamic = true;
        visitor.visit_borrowed_str(text::utf8::<ErrorKind>(bytes, offset)?)
    }

    #[inline]
    fn deserialize_string<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    #[inline]
    fn deserialize_bytes<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
        self.check_mark(Target::Bytes)?;
        let (bytes, _) = Vector::parse_bytes(self.bytes, self.base, self.trailing)?;
        self.state.saw_dynamic = true;
        visitor.visit_borrowed_bytes(bytes)
    }

    #[inline]
    fn deserialize_byte_buf<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    #[inline(never)]
    fn deserialize_option<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
        self.check_shows_end("an option")?;
        let ValueReader { state, bytes, base, mark, trailing } = self;
        let value = match bytes {
            [] => {
                state.note_none(visitor.shape());
                visitor.visit_none()
            }
            _ => state.wrapper(base, |state| {
                visitor.visit_some(ValueReader { state, bytes, base, mark, trailing })
            }),
        };
        state.saw_dynamic = true;
        value
    }

    #[inline]
    fn deserialize_unit<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
        self.check_mark(Target::Unit)?;
        self.empty_table()?;
        visitor.visit_unit()
    }

    #[inline]
    fn deserialize_unit_struct<V: Visitor<'de, Error>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        mark::refuse_on_unit(name).map_err(|error| error.or_offset(self.base))?;
        self.state.check_name(name, self.base)?;
        self.deserialize_unit(visitor)
    }

    #[inline(never)]
    fn deserialize_newtype_struct<V: Visitor<'de, Error>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        #[cfg(feature = "any")]
        if name == ANY {
            return self.any(visitor);
        }
        let ValueReader { state, bytes, base, mark, trailing } = self;
        let mark = Mark::one_of(mark, name).map_err(|error| error.or_offset(base))?;
        state.check_name(name, base)?;
        state.wrapper(base, |state| {
            visitor.visit_newtype_struct(ValueReader { state, bytes, base, mark, trailing })
        })
    }

    #[inline(never)]
    fn deserialize_seq<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
        self.check_mark(Target::Sequence)?;
        let ValueReader { bytes, base, .. } = self;
        let vector = match self.mark {
            Some(Mark::DynVec) => Vector::Dyn(self.dynvec_table()?),
            Some(_) => {
                let (count, items) = self.fixvec_items()?;
                Vector::Fix { count, items }
            }
            None => {
                self.check_shows_end("an unmarked sequence")?;
                Vector::parse(bytes, base)?
            }
        };
        if self.mark.is_none() && self.state.strict && vector.count() == 0 {
            return Err(Error::at(ErrorKind::UNMARKED_SEQUENCE, base));
        }
        match vector {
            Vector::Dyn(table) if table.count() == 0 && self.mark.is_none() => {
                Err(unmarked_dynvec(self.state, (bytes, base), visitor))
            }
            Vector::Dyn(table) => self.dynvec(table, visitor),
            Vector::Fix { count, items } => self.fixvec(count, items, visitor),
        }
    }

    #[inline(never)]
    fn deserialize_tuple<V: Visitor<'de, Error>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.check_mark(Target::Tuple)?;
        match self.mark {
            Some(Mark::Struct) => self.packed(Kind::Tuple(len), visitor),
            Some(_) => self.table_of(true, "", FieldCount::Exactly(len), Names::Indices, visitor),
            None if len == 0 => self.table(FieldCount::Exactly(0), Names::Indices, visitor),
            None if self.is_surely_packed() => packed_tuple(self, len, visitor),
            None => {
                let ValueReader { state, bytes, base, trailing, .. } = self;
                state.level(base, |state| {
                    let reader = ValueReader::new(state, bytes, base).allowing(trailing);
                    Tuple::new(reader, len).visit(visitor)
                })
            }
        }
    }

    #[inline(never)]
    fn deserialize_tuple_struct<V: Visitor<'de, Error>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        match self.packs(name)? {
            true => self.packed(Kind::TupleStruct(name, len), visitor),
            false => self.table_of(true, name, FieldCount::Exactly(len), Names::Slots, visitor),
        }
    }

    #[inline(never)]
    fn deserialize_map<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
        self.check_mark(Target::Map)?;
        let header = match self.mark {
            Some(Mark::FixVec) => {
                self.fixvec_items().map(|(count, items)| Vector::Fix { count, items })
            }
            _ => self.dynvec_table().map(Vector::Dyn),
        };
        let ValueReader { state, base, trailing, .. } = self;
        let value = state.level(base, |state| match header? {
            Vector::Fix { count, items: (items, at) } => {
                let cursor = PackedCursor::new(state, items, at);
                let mut entries = FixEntries { cursor, next: 0, count };
                let value = visitor.visit_map(&mut entries).map_err(|e| e.or_offset(base))?;
                entries.cursor.note_abandoned();
                all_taken(count, entries.next, base)?;
                if !trailing {
                    entries.cursor.finish()?;
                }
                Ok(value)
            }
            Vector::Dyn(table) => {
                let mut entries = DynEntries { state, table, next: 0, value: (&[], base) };
                let value = visitor.visit_map(&mut entries).map_err(|e| e.or_offset(base))?;
                all_taken(table.count(), entries.next, base)?;
                Ok(value)
            }
        })?;
        state.saw_dynamic = true;
        Ok(value)
    }

    #[inline(never)]
    fn deserialize_struct<V: Visitor<'de, Error>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match self.packs(name)? {
            true => self.packed(Kind::Struct(name, fields), visitor),
            false => {
                // An adjacently tagged enum has its name here, and its tag is the first field.
                self.state.tag_ids =
                    UnionIds::in_name(name).map_err(|error| error.or_offset(self.base))?;
                self.state.tag_of = name;
                self.table_of(
                    true,
                    name,
                    FieldCount::AtMost(fields.len()),
                    Names::Fields(fields),
                    visitor,
                )
            }
        }
    }

    #[inline(never)]
    fn deserialize_enum<V: Visitor<'de, Error>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.check_mark(Target::Enum)?;
        let ValueReader { state, bytes, base, trailing, .. } = self;
        let ids = UnionIds::of(name).map_err(|error| error.or_offset(base))?;
        state.check_name(name, base)?;
        let (id, (rest, offset)) = wire::parse_number(bytes, base)?;
        let payload = ValueReader::new(&mut *state, rest, offset).allowing(trailing);
        let value = visitor
            .visit_enum(Union { id, id_offset: base, ids, variants, payload })
            .map_err(|error| error.or_offset(base));
        state.saw_dynamic = true;
        value
    }

    /// The tag of an adjacently tagged enum. serde writes it as a unit variant, which is a union
    /// without payload, and reads it as an identifier. Other identifiers are text.
    #[inline(never)]
    fn deserialize_identifier<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
        let ValueReader { state, bytes, base, .. } = self;
        if state.tag_at.take() != Some(base) {
            return ValueReader::new(state, bytes, base).deserialize_str(visitor);
        }
        let (id, (payload, offset)) = wire::parse_number(bytes, base)?;
        if !payload.is_empty() {
            return Err(Error::at(Fault::TrailingBytes { count: payload.len() }, offset));
        }
        state.saw_dynamic = true;
        state.content = Some((offset, id));
        let variant = match state.tag_ids.take() {
            None => visitor.visit_u32(id),
            Some(ids) => match ids.variant(id).map_err(|error| error.or_offset(base))? {
                Some(name) => visitor.visit_borrowed_str(name),
                None => visitor.visit_u64(u64::MAX),
            },
        };
        variant.map_err(|_: Error| Error::at(ErrorKind::UnknownId { id }, base))
    }

    #[inline]
    fn deserialize_ignored_any<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
        self.state.saw_dynamic = true;
        self.state.skipped = true;
        visitor.visit_unit()
    }
}

#[cfg(feature = "any")]
impl<'de> ValueReader<'_, 'de> {
    /// Reads a value whose type is marked `any` by its name.
    #[cold]
    #[inline(never)]
    fn any_by<T>(self, read: impl FnOnce(&mut Unpacker<'de, ErrorKind>) -> Result<T>) -> Result<T> {
        self.check_mark(Target::NamedAny)?;
        let (bytes, offset) = Vector::parse_bytes(self.bytes, self.base, self.trailing)?;
        self.state.saw_dynamic = true;
        unpack::part_by(Part::new(bytes, offset, self.state.depth.limits()), read)
    }

    /// Hands out the bytes of a part marked `any`: a fixvec.
    #[cold]
    fn any<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
        self.check_mark(Target::Any)?;
        let (bytes, offset) = Vector::parse_bytes(self.bytes, self.base, self.trailing)?;
        self.state.saw_dynamic = true;
        self.state.wrapper(self.base, |state| {
            visitor.visit_enum(Part::new(bytes, offset, state.depth.limits()))
        })
    }
}

impl ValueReader<'_, '_> {
    /// Whether an unmarked tuple cannot be a table here: its first number is not a full size.
    #[inline]
    fn is_surely_packed(&self) -> bool {
        self.state.tuples == Tuples::ByHeader && !Table::may_begin(self.bytes, self.trailing)
    }

    /// Whether a struct or tuple struct is packed: the mark at its use decides, then its own.
    #[inline]
    fn packs(&self, name: &'static str) -> Result<bool> {
        self.check_mark(Target::Struct)?;
        let own = Mark::is_packed(name).map_err(|error| error.or_offset(self.base))?;
        self.state.check_name(name, self.base)?;
        Ok(self.mark.map_or(own, |mark| mark == Mark::Struct))
    }
}
