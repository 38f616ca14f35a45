//! Values with a header, as the exact reader takes them: tables and vectors. Knows what a header must
//! say, does not know how parts follow one another.

use super::State;
use super::access::{DynItems, FieldCount, Fields, Names, TableAccess};
use super::hint;
use super::packed::{self, PackedIn, all_taken};
use super::value::ValueReader;
use crate::glue::de::Visitor;
use crate::glue::nested::Owner;
use crate::molecule::mark::Mark;
use crate::molecule::wire::{Table, Vector};
use crate::molecule::{Error, Result};

impl<'a, 'de> ValueReader<'a, 'de> {
    /// Reads the table of a variant.
    #[inline]
    pub(super) fn table<V: Visitor<'de, Error>>(
        self,
        fields: FieldCount,
        names: Names,
        visitor: V,
    ) -> Result<V::Value> {
        self.table_of(false, "", fields, names, visitor)
    }

    /// Reads a table; `may_be_struct` says whether its type could be marked as a struct.
    #[inline]
    pub(super) fn table_of<V: Visitor<'de, Error>>(
        self,
        may_be_struct: bool,
        name: &'static str,
        fields: FieldCount,
        names: Names,
        visitor: V,
    ) -> Result<V::Value> {
        let ValueReader { state, bytes, base, trailing, .. } = self;
        let owner = Owner::new(name, visitor.shape());
        let value = state.level(base, |state| {
            let table = match parse_table(state, bytes, base, trailing, fields) {
                Ok(table) => table,
                Err(error) if may_be_struct => {
                    let hint = hint::of_table(state, (bytes, base), fields, names, visitor);
                    return Err(error.or_hint(hint));
                }
                Err(error) => return Err(error),
            };
            // The tag of an adjacently tagged enum is the first of two fields.
            state.tag_at = match names {
                Names::Fields([_, _]) => table.item(0).map(|(_, offset)| offset),
                _ => None,
            };
            let mut fields = Fields::new(state, table, fields, names)?;
            fields.owner = owner;
            TableAccess { state, fields }.visit(base, visitor)
        })?;
        state.saw_dynamic = true;
        Ok(value)
    }

    /// Reads a table without fields.
    pub(super) fn empty_table(self) -> Result<()> {
        let ValueReader { state, bytes, base, trailing, .. } = self;
        let table = parse_table(state, bytes, base, trailing, FieldCount::Exactly(0))?;
        Fields::new(state, table, FieldCount::Exactly(0), Names::Slots)?;
        state.saw_dynamic = true;
        Ok(())
    }

    /// Checks the header of a dynvec.
    pub(super) fn dynvec_table(&self) -> Result<Table<'de>> {
        Table::parse(self.bytes, self.base, self.trailing)
            .map_err(|error| error.or_hint(hint::of_vector(self.bytes, Mark::DynVec)))
    }

    /// Checks the header of a fixvec.
    pub(super) fn fixvec_items(&self) -> Result<(usize, (&'de [u8], usize))> {
        Vector::parse_fixvec(self.bytes, self.base, self.trailing)
            .map_err(|error| error.or_hint(hint::of_vector(self.bytes, Mark::FixVec)))
    }

    /// Reads a dynvec whose header is checked.
    #[inline]
    pub(super) fn dynvec<V: Visitor<'de, Error>>(
        self,
        table: Table<'de>,
        visitor: V,
    ) -> Result<V::Value> {
        let ValueReader { state, base, .. } = self;
        let value = state.level(base, |state| {
            let mut items = DynItems { state, table, next: 0, start: table.start() };
            let value = visitor.visit_seq(&mut items).map_err(|error| error.or_offset(base))?;
            all_taken(table.count(), items.next, base)?;
            Ok(value)
        })?;
        state.saw_dynamic = true;
        Ok(value)
    }

    /// Reads a fixvec whose header is checked.
    #[inline]
    pub(super) fn fixvec<V: Visitor<'de, Error>>(
        self,
        count: usize,
        (items, at): (&'de [u8], usize),
        visitor: V,
    ) -> Result<V::Value> {
        let ValueReader { state, base, mark, trailing, .. } = self;
        let within = if mark.is_some() { PackedIn::Marked } else { PackedIn::FixVec };
        let value = state.level(base, |state| {
            packed::items(state, (items, at), within, count, trailing, visitor)
        })?;
        state.saw_dynamic = true;
        Ok(value)
    }
}

/// Checks the header of a table. If it has no fields, a compatible reader checks the full size
/// only, as the official one does.
#[inline]
fn parse_table<'de>(
    state: &State,
    bytes: &'de [u8],
    base: usize,
    trailing: bool,
    fields: FieldCount,
) -> Result<Table<'de>> {
    match fields.most() {
        0 if state.compatible => Table::parse_full_size(bytes, base, trailing),
        _ => Table::parse(bytes, base, trailing),
    }
}
