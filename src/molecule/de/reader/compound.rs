//! Values with parts: which headers they have, and whether all parts were taken. Does not know how
//! parts follow one another.

use super::fields::{Fields, Items};
use super::{EXACT, Error, Result, ValueReader, Visitor, fixvec, no_table, shape_of};
use crate::glue::names::Names;
use crate::glue::nested::Owner;
use crate::molecule::de::hint;
use crate::molecule::de::parts::{FieldCount, PackedIn};
use crate::molecule::de::reading::{PRESENT, Reading};
use crate::molecule::mark::Mark;
use crate::molecule::wire::{self, Parts};

impl<'a, 'de> ValueReader<'a, 'de> {
    /// Gives an error of the value or of its visitor its place.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn place(self, error: Error) -> Error {
        self.reading.explain(PRESENT, error, |exact, error| exact.or_offset(self.bytes, error))
    }

    /// The same of an error in a union or its payload: what failed there has bailed if it must.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn place_inner<T>(self, value: Result<T>) -> Result<T> {
        value.map_err(|error| {
            self.reading.explain(&[], error, |exact, error| exact.or_offset(self.bytes, error))
        })
    }

    /// Reads a table: of a type with this name, or of a variant.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn table<V: Visitor<'de>>(
        self,
        name: Option<&'static str>,
        count: FieldCount,
        names: Names,
        visitor: V,
    ) -> Result<V::Value> {
        let value = self.table_of(name, count, names, visitor)?;
        self.saw_dynamic();
        Ok(value)
    }

    /// The same, but does not record that it is dynamic.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn table_of<V: Visitor<'de>>(
        self,
        name: Option<&'static str>,
        count: FieldCount,
        names: Names,
        visitor: V,
    ) -> Result<V::Value> {
        let owner = Owner::new(name.unwrap_or_default(), shape_of(&visitor));
        let reader = self.level()?;
        let parts = match (reader.table_parts(count), name) {
            (Ok(parts), _) => parts,
            (Err(error), Some(name)) => {
                return Err(no_table(reader, error, name, count, names, visitor));
            }
            (Err(error), None) => return Err(error),
        };
        self.reading.note_first(|| match names {
            Names::Fields([_, _]) => parts.first(),
            _ => None,
        });
        let mut fields = Fields::new(reader, parts, count, names, owner)?;
        match visitor.visit_seq(&mut fields) {
            Ok(value) => fields.finish().map(|()| value),
            Err(error) => Err(fields.fail(error)),
        }
    }

    /// Whether a sequence is a dynvec: by its mark, or as its bytes show.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_dynvec(self) -> Result<bool> {
        match self.mark {
            Some(mark) => Ok(mark == Mark::DynVec),
            None => {
                self.reading.check_shows_end(self.bytes, "an unmarked sequence")?;
                let (first, _) = self.number()?;
                Ok(wire::is_dynvec(first, self.bytes))
            }
        }
    }

    /// The header of a dynvec.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn dynvec_header(self) -> Result<Parts<'de>> {
        self.parts().map_err(|error| {
            self.reading.explain(self.bytes, error, |_, error| {
                error.or_hint(hint::of_vector(self.bytes, Mark::DynVec))
            })
        })
    }

    /// Reads a dynvec.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn dynvec<V: Visitor<'de>>(self, parts: Parts<'de>, visitor: V) -> Result<V::Value> {
        let mut items = Items::new(self.level()?, parts);
        match visitor.visit_seq(&mut items) {
            Ok(value) => {
                self.check_all_taken(&items.parts)?;
                self.saw_dynamic();
                Ok(value)
            }
            Err(error) => Err(self.place(error)),
        }
    }

    /// The item count of a fixvec, and its items.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn fixvec_header(self) -> Result<(usize, &'de [u8])> {
        match wire::lazy_fixvec(self.bytes) {
            Some(header) if !EXACT => Ok(header),
            _ => self.exactly(|exact| exact.fixvec_header(self.bytes, self.mark)),
        }
    }

    /// Reads the items of a fixvec.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn fixvec<V: Visitor<'de>>(
        self,
        items: (usize, &'de [u8]),
        visitor: V,
    ) -> Result<V::Value> {
        let within = if self.mark.is_some() { PackedIn::Marked } else { PackedIn::FixVec };
        let value = fixvec(self.level()?, within, items, visitor)?;
        self.saw_dynamic();
        Ok(value)
    }
}
