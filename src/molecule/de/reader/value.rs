//! The reader of a value in a slot: bytes whose length is known from outside, such as a table's
//! field. Knows which layout a type has, does not know how parts follow one another.

use super::entries::DynEntries;
use super::union::Union;
use super::{Deserializer, Error, Result, Visitor, Way, shape_of};
#[cfg(feature = "any")]
use crate::glue::mark::ANY;
use crate::glue::names::Names;
use crate::limits::Depth;
use crate::molecule::de::absent::NoneRead;
use crate::molecule::de::parts::{FieldCount, PackedIn};
use crate::molecule::de::reading::{PRESENT, Reading as _};
use crate::molecule::de::session::Exact;
use crate::molecule::mark::{self, Mark, Target, UnionIds};
use crate::molecule::raw;
use crate::molecule::wire::{self, EMPTY_TABLE};
use crate::molecule::{self, ErrorKind};

/// Deserializes the value that takes all of `bytes`.
#[derive(Clone, Copy)]
pub(in crate::molecule::de) struct ValueReader<'a, 'de> {
    pub(super) reading: Way<'a, 'de>,
    pub(super) bytes: &'de [u8],
    /// How deep its parts may nest.
    pub(super) depth: Depth,
    /// The mark on the value.
    pub(super) mark: Option<Mark>,
}

impl<'a, 'de> ValueReader<'a, 'de> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::molecule::de) fn new(
        reading: Way<'a, 'de>,
        bytes: &'de [u8],
        depth: Depth,
    ) -> Self {
        ValueReader { reading, bytes, depth, mark: None }
    }

    /// A reader for a part of the value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn part(self, bytes: &'de [u8]) -> Self {
        ValueReader { reading: self.reading.part(), bytes, mark: None, ..self }
    }

    /// A reader one level deeper.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn level(self) -> Result<Self> {
        match self.depth.enter() {
            Some(depth) => Ok(ValueReader { depth, ..self }),
            None => self.surely(|exact| exact.too_deep(self.bytes)),
        }
    }

    /// A reader one wrapper deeper.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn wrapper(self) -> Result<Self> {
        match self.depth.wrap() {
            Some(depth) => Ok(ValueReader { depth, ..self }),
            None => self.surely(|exact| exact.too_deep(self.bytes)),
        }
    }

    /// See [`Reading::exactly`](crate::molecule::de::reading::Reading::exactly).
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn exactly<T>(
        self,
        read: impl FnOnce(Exact<'_, 'de>) -> molecule::Result<T>,
    ) -> Result<T> {
        self.reading.exactly(self.bytes, read)
    }

    /// The same of a value that is not absent.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn surely<T>(
        self,
        read: impl FnOnce(Exact<'_, 'de>) -> molecule::Result<T>,
    ) -> Result<T> {
        self.reading.exactly(PRESENT, read)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn saw_dynamic(self) {
        self.reading.notes().dynamic.set(true);
    }

    /// Refuses a mark that does not fit the value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn check_mark(self, target: Target) -> Result<()> {
        match self.mark {
            Some(mark) if !mark.fits(target) => {
                self.exactly(|exact| exact.fault(self.bytes, mark.mismatch(target)))
            }
            _ => Ok(()),
        }
    }

    /// Whether a struct or tuple struct is packed: the mark at its use decides, then its own.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn packs(self, name: &'static str) -> Result<bool> {
        self.check_mark(Target::Struct)?;
        let own = self.reading.named(self.bytes, Mark::is_packed(name))?;
        self.reading.check_name(self.bytes, name)?;
        Ok(self.mark.map_or(own, |mark| mark == Mark::Struct))
    }

    /// The content of text or bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn content(self, target: Target) -> Result<&'de [u8]> {
        self.check_mark(target)?;
        let content = match wire::byte_items(self.bytes) {
            Some(content) => content,
            None => self.exactly(|exact| {
                let (bytes, offset) = (self.bytes, exact.offset(self.bytes));
                wire::parse_bytes(bytes, offset, exact.trailing)
            })?,
        };
        self.saw_dynamic();
        Ok(content)
    }

    /// The number at the start of the value, and what follows it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn number(self) -> Result<(u32, &'de [u8])> {
        match wire::split_number(self.bytes) {
            Some(split) => Ok(split),
            None => self.exactly(|exact| wire::parse_number(self.bytes, exact.offset(self.bytes))),
        }
    }
}

macro_rules! scalars {
    ($($method:ident $request:ident $type:ident,)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.check_mark(Target::Scalar(stringify!($type)))?;
            super::scalar!(self, $request $method(visitor))
        }
    )*};
}

impl<'de> Deserializer<'de> for ValueReader<'_, 'de> {
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_human_readable(&self) -> bool {
        false
    }

    scalars! {
        deserialize_bool Bool bool, deserialize_char Char char, deserialize_i8 I8 i8,
        deserialize_i16 I16 i16, deserialize_i32 I32 i32, deserialize_i64 I64 i64,
        deserialize_i128 I128 i128, deserialize_u8 U8 u8, deserialize_u16 U16 u16,
        deserialize_u32 U32 u32, deserialize_u64 U64 u64, deserialize_u128 U128 u128,
        deserialize_f32 F32 f32, deserialize_f64 F64 f64,
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        super::any(self, visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let content = self.content(Target::Text)?;
        visitor.visit_borrowed_str(self.reading.text(content)?)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_bytes(self.content(Target::Bytes)?)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.reading.check_shows_end(self.bytes, "an option")?;
        let value = match self.bytes {
            [] => {
                let none = NoneRead::of(shape_of(&visitor), self.depth.wrappers);
                self.reading.notes().none.set(Some(none));
                visitor.visit_none()
            }
            _ => visitor.visit_some(self.wrapper()?),
        };
        self.saw_dynamic();
        value
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.check_mark(Target::Unit)?;
        if self.bytes != EMPTY_TABLE {
            // It may have bytes behind it or, for a compatible reader, fields.
            self.fit(self.table_parts(FieldCount::Exactly(0))?, FieldCount::Exactly(0))?;
        }
        self.saw_dynamic();
        visitor.visit_unit()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        self.reading.named(self.bytes, mark::refuse_on_unit(name))?;
        self.reading.check_name(self.bytes, name)?;
        self.deserialize_unit(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        #[cfg(feature = "any")]
        if name == ANY {
            return super::marked_any(self, visitor);
        }
        if raw::is_reserved(name) {
            self.check_mark(Target::Raw)?;
            self.saw_dynamic();
            return super::raw(self, name, visitor);
        }
        let mark = self.reading.named(self.bytes, Mark::one_of(self.mark, name))?;
        self.reading.check_name(self.bytes, name)?;
        visitor.visit_newtype_struct(ValueReader { mark, ..self.wrapper()? })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.check_mark(Target::Sequence)?;
        // One call each, so that compilers inline what a visitor does.
        match self.is_dynvec()? {
            true => {
                let header = self.dynvec_header()?;
                match header.left() {
                    0 if self.mark.is_none() => super::empty_dynvec(self, visitor),
                    _ => self.dynvec(header, visitor),
                }
            }
            false => {
                let items = self.fixvec_header()?;
                if items.0 == 0 && self.mark.is_none() && self.reading.notes().strict {
                    let kind = ErrorKind::UNMARKED_SEQUENCE;
                    return self.surely(|exact| exact.fault(self.bytes, kind));
                }
                self.fixvec(items, visitor)
            }
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.check_mark(Target::Tuple)?;
        match Mark::of_tuple(self.mark, len) {
            Some(Mark::Struct) => {
                super::packed(self, len, Names::Indices, PackedIn::Marked, visitor)
            }
            None => super::tuple(self, len, visitor),
            _ => self.table(Some(""), FieldCount::Exactly(len), Names::Indices, visitor),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        match self.packs(name)? {
            true => super::packed(self, len, Names::Slots, PackedIn::Marked, visitor),
            false => self.table(Some(name), FieldCount::Exactly(len), Names::Slots, visitor),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.check_mark(Target::Map)?;
        if self.mark == Some(Mark::FixVec) {
            return super::fixvec_map(self, visitor);
        }
        let reader = self.level()?;
        let mut entries = DynEntries::new(reader, self.dynvec_header()?);
        match visitor.visit_map(&mut entries) {
            Ok(value) => {
                self.check_all_taken(&entries.items)?;
                self.saw_dynamic();
                Ok(value)
            }
            Err(error) => Err(self.place(error)),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        if self.packs(name)? {
            return super::packed(
                self,
                fields.len(),
                Names::Fields(fields),
                PackedIn::Marked,
                visitor,
            );
        }
        // An adjacently tagged enum has its name here, and its tag is the first field.
        let ids = self.reading.named(self.bytes, UnionIds::in_name(name))?;
        self.reading.note_name(name, ids);
        self.table(Some(name), FieldCount::AtMost(fields.len()), Names::Fields(fields), visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.check_mark(Target::Enum)?;
        let ids = self.reading.named(self.bytes, UnionIds::of(name))?;
        self.reading.check_name(self.bytes, name)?;
        let (id, payload) = self.number()?;
        let payload = ValueReader { bytes: payload, ..self };
        let value = visitor.visit_enum(Union { slot: self, id, name, ids, variants, payload });
        self.saw_dynamic();
        self.place_inner(value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        super::identifier(self, visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.saw_dynamic();
        self.reading.note_skipped();
        visitor.visit_unit()
    }
}
