//! What the fast reader does for each request of serde: scalars, text, options, and which layout a
//! container has. Does not know how parts follow one another.

use serde_core::de::{self, Visitor};

use super::fields::{Entries, Fields};
use super::union::Union;
use super::{Bail, FastReader, NoneRead};
use crate::glue::de::Shape;
use crate::molecule::mark::{self, Mark, Target, UnionIds};
use crate::molecule::wire::{self, EMPTY_TABLE, Table};

macro_rules! deserialize_le {
    ($($method:ident $visit:ident $type:ty,)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Bail> {
            visitor.$visit(<$type>::from_le_bytes(self.scalar()?))
        }
    )*};
}

impl<'de> de::Deserializer<'de> for FastReader<'_, 'de> {
    type Error = Bail;

    deserialize_le! {
        deserialize_i8 visit_i8 i8, deserialize_i16 visit_i16 i16,
        deserialize_i32 visit_i32 i32, deserialize_i64 visit_i64 i64,
        deserialize_i128 visit_i128 i128, deserialize_u8 visit_u8 u8,
        deserialize_u16 visit_u16 u16, deserialize_u32 visit_u32 u32,
        deserialize_u64 visit_u64 u64, deserialize_u128 visit_u128 u128,
        deserialize_f32 visit_f32 f32, deserialize_f64 visit_f64 f64,
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Bail> {
        match self.scalar()? {
            [0] => visitor.visit_bool(false),
            [1] => visitor.visit_bool(true),
            _ => Err(self.bail()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Bail> {
        match char::from_u32(u32::from_le_bytes(self.scalar()?)) {
            Some(char) => visitor.visit_char(char),
            None => Err(self.bail()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Bail> {
        Err(self.bail())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Bail> {
        visitor.visit_borrowed_str(self.text()?)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Bail> {
        visitor.visit_borrowed_str(self.text()?)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Bail> {
        visitor.visit_borrowed_bytes(self.content()?)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Bail> {
        self.deserialize_bytes(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Bail> {
        let value = match self.bytes {
            [] => {
                self.notes.none.set(Some(NoneRead::of(
                    const { Shape::of::<V::Value>() },
                    self.depth.wrappers,
                )));
                visitor.visit_none()
            }
            _ => visitor.visit_some(self.wrapper()?),
        };
        self.saw_dynamic(true);
        value
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Bail> {
        match self.bytes == EMPTY_TABLE && self.mark_fits(Target::Unit) {
            true => {
                self.saw_dynamic(true);
                visitor.visit_unit()
            }
            false => self.bail_unless_absent(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Bail> {
        self.check_name(name)?;
        match mark::refuse_on_unit(name) {
            Ok(()) => self.deserialize_unit(visitor),
            Err(_) => Err(self.bail()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Bail> {
        self.check_name(name)?;
        match Mark::one_of(self.mark, name) {
            Ok(mark) => visitor.visit_newtype_struct(FastReader { mark, ..self.wrapper()? }),
            Err(_) => Err(self.bail()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Bail> {
        let Some((first, rest)) = wire::split_number(self.bytes) else {
            return self.bail_unless_absent();
        };
        match self.mark {
            Some(Mark::DynVec) => self.dynvec(visitor),
            // An empty vector would be written again as a fixvec.
            None if wire::is_full_size(first, self.bytes) && !rest.is_empty() => {
                self.dynvec(visitor)
            }
            None if first == 0 && self.notes.strict => Err(self.bail()),
            None | Some(Mark::FixVec) => self.fixvec(first, rest, visitor),
            Some(_) => Err(self.bail()),
        }
    }

    /// A tuple whose bytes begin like a table is read as a table, as the exact reader does if the
    /// first item is fixed. If all items are fixed, it is no table, and the document is read again.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Bail> {
        match self.mark {
            Some(Mark::Struct) => self.fixed(len, true, visitor),
            Some(Mark::Table) => self.tuple_table(len, false, visitor),
            Some(_) => Err(self.bail()),
            None if len == 0 => self.tuple_table(0, false, visitor),
            // Under `strict`, a tuple that is a table has a mark.
            None if self.notes.strict || !Table::may_begin(self.bytes, false) => {
                self.fixed(len, false, visitor)
            }
            None => {
                self.saw_dynamic(false);
                let mut fields = Fields::exactly(self.level()?, len, false)?;
                match visitor.visit_seq(&mut fields) {
                    Ok(value) if fields.all_taken() && self.has_seen_dynamic() => Ok(value),
                    _ => Err(self.bail()),
                }
            }
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Bail> {
        match self.packs(name)? {
            true => self.fixed(len, true, visitor),
            false => self.tuple_table(len, true, visitor),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Bail> {
        if self.bytes.is_empty() || !matches!(self.mark, None | Some(Mark::DynVec)) {
            return self.bail_unless_absent();
        }
        let mut entries = Entries::of(self.level()?)?;
        match visitor.visit_map(&mut entries) {
            Ok(value) if entries.all_taken() => {
                self.saw_dynamic(true);
                Ok(value)
            }
            _ => Err(self.bail()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Bail> {
        match self.packs(name)? {
            true => self.fixed(fields.len(), true, visitor),
            false if UnionIds::in_name(name).is_ok() => self.struct_table(fields.len(), visitor),
            false => Err(self.bail()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Bail> {
        self.check_name(name)?;
        let Ok(ids) = UnionIds::of(name) else { return Err(self.bail()) };
        let (None, Some((id, rest))) = (self.mark, wire::split_number(self.bytes)) else {
            return self.bail_unless_absent();
        };
        let value = visitor.visit_enum(Union { id, ids, variants, payload: self.part(rest) });
        self.saw_dynamic(true);
        value
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_identifier<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Bail> {
        Err(self.bail())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Bail> {
        self.saw_dynamic(true);
        visitor.visit_unit()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_human_readable(&self) -> bool {
        false
    }
}
