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
            return match V::LISTENS {
                true => visit_fixed(ty, bytes, base, visitor),
                false => Ok(()),
            };
        }
        let shape = ty.shape();
        let inside = match shape {
            Shape::Option(_) => depth.wrap(),
            _ => depth.enter(),
        };
        let Some(depth) = inside else {
            return Err(Error::at(depth.reached(), base));
        };
        match shape {
            Shape::FixVec(item) => {
                let (count, items) = wire::parse_number(bytes, base)?;
                let (count, size) = (wire::stated(count), item.size().unwrap_or(1));
                let start = base.saturating_add(NUMBER_SIZE);
                wire::exactly(items, size.saturating_mul(count), start)?;
                match V::LISTENS {
                    true => visit_items(item, size, items, start, visitor),
                    false => Ok(()),
                }
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
            // These have a size.
            Shape::Byte | Shape::Array(..) | Shape::Struct(_) => Ok(()),
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
}

/// Visits a value whose size is that of its type, which is all that there is to check.
fn visit_fixed<V: Visit>(ty: Type<'_>, bytes: &[u8], base: usize, visitor: &mut V) -> Result<()> {
    match visitor.interest() {
        Interest::Parts => {}
        Interest::Nothing => return Ok(()),
        Interest::Bytes => return refusal_at(visitor.encoded(&[], bytes), base),
    }
    match ty.shape() {
        Shape::Byte => {
            visitor.byte(bytes.first().copied().unwrap_or_default());
            Ok(())
        }
        Shape::Array(item, _) => visit_items(item, item.size().unwrap_or(1), bytes, base, visitor),
        Shape::Struct(fields) => {
            let (mut rest, mut at) = (bytes, base);
            for (index, field) in fields.iter().enumerate() {
                let size = field.ty().size().unwrap_or_default();
                let (part, after) = rest.split_at_checked(size).unwrap_or_default();
                let part = visit_fixed(field.ty(), part, at, visitor.part(index));
                part.map_err(|error| error.inside(Segment::named(field.name())))?;
                (rest, at) = (after, at.saturating_add(size));
            }
            visitor.record();
            Ok(())
        }
        // These have no size.
        _ => Ok(()),
    }
}

/// Visits items of one size that follow one another.
fn visit_items<V: Visit>(
    item: Type<'_>,
    size: usize,
    bytes: &[u8],
    base: usize,
    visitor: &mut V,
) -> Result<()> {
    if item.is_byte() {
        return refusal_at(visitor.bytes(bytes), base);
    }
    let items = bytes.chunks_exact(size.max(1));
    let count = items.len();
    for (index, bytes) in items.enumerate() {
        let at = base.saturating_add(index.saturating_mul(size));
        let item = visit_fixed(item, bytes, at, visitor.part(0));
        item.map_err(|error| error.inside(Segment::Index(index)))?;
    }
    refusal_at(visitor.list(count), base)
}
