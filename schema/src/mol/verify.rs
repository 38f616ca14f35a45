//! Checks that bytes are a value of a type, and reports their content to a visitor.

use fourfold::Segment;
use fourfold::molecule::wire::{self, NUMBER_SIZE, Table};
use fourfold::molecule::{Error, ErrorKind, Options, Result};

use super::{Fields, Shape, Type, Value};
use crate::common::{Ignore, Interest, Visit, refusal_at};
use crate::depth::Depth;

/// Checks values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Check {
    compatible: bool,
    limit: u16,
}

impl Check {
    pub(super) const fn new(options: &Options) -> Self {
        Check { compatible: options.is_compatible(), limit: options.depth_limit() }
    }

    /// How deep a whole may nest.
    pub(super) const fn depth(&self) -> Depth {
        Depth::new(self.limit)
    }

    /// Checks a whole.
    pub(super) fn whole(&self, value: Value<'_>) -> Result<()> {
        self.value(value, 0, self.depth())
    }

    /// Checks a record that begins at `start`.
    pub(super) fn record(&self, value: Value<'_>, start: usize) -> Result<()> {
        // Its full size determines where it ends.
        self.whole(value).map_err(|error| error.map_kind(ErrorKind::in_item).moved(start))
    }

    /// Checks a value that begins at `base`, with all that is in it.
    pub(super) fn value(&self, value: Value<'_>, base: usize, depth: Depth) -> Result<()> {
        self.visit(value, base, depth, &mut Ignore)
    }

    /// The same, and calls `visitor` for what is in it.
    pub(super) fn visit<V: Visit>(
        &self,
        value: Value<'_>,
        base: usize,
        depth: Depth,
        visitor: &mut V,
    ) -> Result<()> {
        let (ty, bytes) = (value.ty(), value.bytes());
        match visitor.interest() {
            Interest::Nothing => return Ok(()),
            Interest::Bytes => {
                self.value(value, base, depth)?;
                return refusal_at(visitor.encoded(&[], bytes), base);
            }
            Interest::Parts => {}
        }
        if let Some(size) = ty.size() {
            if !depth.has_room(ty.height()) {
                return Err(Error::at(depth.reached(), base));
            }
            wire::exactly(bytes, size, base)?;
            if !V::LISTENS {
                return Ok(());
            }
        }
        let shape = ty.shape();
        let inside = match shape {
            Shape::Byte => Some(depth),
            Shape::Option(_) => depth.wrap(),
            _ => depth.enter(),
        };
        let depth = inside.ok_or_else(|| Error::at(depth.reached(), base))?;
        match shape {
            Shape::Byte => {
                visitor.byte(bytes.first().copied().unwrap_or_default());
                Ok(())
            }
            Shape::Array(item, _) => self.items(item, bytes, base, depth, visitor),
            Shape::FixVec(item) => {
                let (count, items) = wire::parse_number(bytes, base)?;
                let (count, size) = (wire::stated(count), item.size().unwrap_or(1));
                let start = base.saturating_add(NUMBER_SIZE);
                wire::exactly(items, size.saturating_mul(count), start)?;
                self.items(item, items, start, depth, visitor)
            }
            Shape::Struct(fields) => {
                let (mut rest, mut at) = (bytes, base);
                fields.iter().enumerate().try_for_each(|(index, field)| {
                    let size = field.ty().size().unwrap_or_default();
                    let (part, after) = rest.split_at_checked(size).unwrap_or_default();
                    let part = Value::unchecked(field.ty(), part);
                    let part = self.visit(part, at, depth, visitor.part(index));
                    (rest, at) = (after, at.saturating_add(size));
                    part.map_err(|error| error.inside(Segment::named(field.name())))
                })?;
                visitor.record();
                Ok(())
            }
            Shape::DynVec(ty) => {
                let parts = wire::Parts::from(Table::parse(bytes, base)?);
                (0..parts.count()).try_for_each(|index| {
                    let Some((start, bytes)) = parts.get(index) else { return Ok(()) };
                    let item = Value::unchecked(ty, bytes);
                    let item = self.visit(item, base.saturating_add(start), depth, visitor.part(0));
                    item.map_err(|error| error.inside(Segment::Index(index)))
                })?;
                refusal_at(visitor.list(parts.count()), base)
            }
            Shape::Table(fields) => {
                let parts = wire::Parts::from(self.table(bytes, base, fields)?);
                fields.iter().enumerate().try_for_each(|(index, field)| {
                    let Some((start, bytes)) = parts.get(index) else { return Ok(()) };
                    let part = Value::unchecked(field.ty(), bytes);
                    let part =
                        self.visit(part, base.saturating_add(start), depth, visitor.part(index));
                    part.map_err(|error| error.inside(Segment::named(field.name())))
                })?;
                visitor.record();
                Ok(())
            }
            Shape::Option(_) if bytes.is_empty() => {
                visitor.none();
                Ok(())
            }
            Shape::Option(ty) => {
                self.visit(Value::unchecked(ty, bytes), base, depth, visitor.some())
            }
            Shape::Union(items) => {
                let (id, bytes) = wire::parse_number(bytes, base)?;
                let Some((index, item)) = items.place_of(id) else {
                    return Err(Error::at(ErrorKind::UnknownId { id }, base));
                };
                visitor.variant(index);
                let base = base.saturating_add(NUMBER_SIZE);
                let value = Value::unchecked(item.ty(), bytes);
                self.visit(value, base, depth, visitor.part(index))
            }
        }
    }

    pub(super) fn table<'a>(
        &self,
        bytes: &'a [u8],
        base: usize,
        fields: Fields<'_>,
    ) -> Result<Table<'a>> {
        if self.compatible && fields.is_empty() {
            // Whatever follows are fields of a later version.
            return Table::parse_full_size(bytes, base);
        }
        let table = Table::parse(bytes, base)?;
        let (found, expected) = (table.count(), fields.len());
        let kind = match found < expected {
            true => ErrorKind::MissingFields { found },
            false if found == expected || self.compatible => return Ok(table),
            false => ErrorKind::ExtraFields { found, expected },
        };
        Err(Error::at(kind, table.count_offset()))
    }

    /// Visits items of one size, which are all of `bytes`.
    fn items<V: Visit>(
        &self,
        item: Type<'_>,
        bytes: &[u8],
        base: usize,
        depth: Depth,
        visitor: &mut V,
    ) -> Result<()> {
        if item.is_byte() {
            return refusal_at(visitor.bytes(bytes), base);
        }
        if !depth.has_room(item.height()) {
            return Err(Error::at(depth.reached(), base));
        }
        if !V::LISTENS {
            return Ok(());
        }
        let size = item.size().unwrap_or(1).max(1);
        let items = bytes.chunks_exact(size);
        let count = items.len();
        for (index, bytes) in items.enumerate() {
            let at = base.saturating_add(index.saturating_mul(size));
            let item = self.visit(Value::unchecked(item, bytes), at, depth, visitor.part(0));
            item.map_err(|error| error.inside(Segment::Index(index)))?;
        }
        refusal_at(visitor.list(count), base)
    }
}
