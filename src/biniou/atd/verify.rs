//! Whether bytes are a value of a type. Knows what atdgen's readers take, does not keep anything.

use alloc::borrow::ToOwned;

use super::Schema;
use super::shape::{Cells, Fields, Float, Int, Presence, Shape, Type, Variants};
use super::value::{Value, take_int};
use crate::biniou::skip::{skip_value, spend_empty_rows};
use crate::biniou::wire::{self, Tag};
use crate::biniou::{Error, ErrorKind, Options, Result};
use crate::error::{Fault, Segment};
use crate::limits::{Depth, DepthMeter};
use crate::read::Reader;
use crate::schema::shortened;

impl Schema {
    /// Checks that `bytes` are a value of the type of that name, and nothing else.
    ///
    /// Takes what the readers take that atdgen makes, but for bytes behind the value: an integer may have another
    /// width, a field that the schema has not and further cells of a tuple are stepped over, of equal fields the
    /// last counts. SHARED is refused, as atdgen does. What is stepped over is checked, too: those readers do not
    /// look at the byte of a bool or unit there, and cannot step over a column of a table. A [`Value`] is a view of
    /// the bytes, which decodes what is asked for.
    ///
    /// ```
    /// use fourfold::biniou::{atd::Schema, to_vec};
    /// use serde::Serialize;
    ///
    /// #[derive(Serialize)]
    /// struct Entry { id: i32, name: &'static str }
    ///
    /// let schema = Schema::parse("type entry = { id : int; name <json name=\"n\"> : string }")?;
    /// let bytes = to_vec(&Entry { id: 7, name: "x" })?;
    /// let entry = schema.to_value(&bytes, "entry")?;
    /// assert_eq!(serde_json::to_string(&entry)?, r#"{"id":7,"n":"x"}"#);
    ///
    /// let error = schema.to_value(&bytes[..8], "entry").unwrap_err();
    /// assert!(error.is_eof());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Every fault of the bytes, with its offset and path; `NoType` if there is no such type.
    pub fn to_value<'a>(&'a self, bytes: &'a [u8], name: &str) -> Result<Value<'a>> {
        self.to_value_with(bytes, name, &Options::new())
    }

    /// The same with `options`, of which `max_depth` counts.
    ///
    /// # Errors
    ///
    /// Those of [`to_value`](Schema::to_value).
    pub fn to_value_with<'a>(
        &'a self,
        bytes: &'a [u8],
        name: &str,
        options: &Options,
    ) -> Result<Value<'a>> {
        let ty = self.need(name)?;
        let (value, taken) = Check::new(options).next(bytes, 0, ty)?;
        Reader::behind(bytes, taken).finish()?;
        Ok(value)
    }

    /// The type of that name, which somebody has asked for.
    pub(super) fn need(&self, name: &str) -> Result<Type<'_>> {
        self.get(name).ok_or_else(|| Error::placeless(ErrorKind::NoType { name: shortened(name) }))
    }
}

/// Checks values that follow one another.
#[derive(Debug)]
pub(super) struct Check {
    limit: u16,
    /// How many rows without columns may still come.
    empty_rows: usize,
    stepped_over: usize,
}

impl Check {
    pub(super) fn new(options: &Options) -> Self {
        let empty_rows = usize::try_from(wire::MOST_EMPTY_ROWS).unwrap_or(usize::MAX);
        Check { limit: options.max_depth, empty_rows, stepped_over: 0 }
    }

    /// How many parts the schema has not, in the values so far.
    pub(super) const fn stepped_over(&self) -> usize {
        self.stepped_over
    }

    /// The value that `bytes` begin with, which lie at `base`, and how long it is.
    pub(super) fn next<'a>(
        &mut self,
        bytes: &'a [u8],
        base: usize,
        ty: Type<'a>,
    ) -> Result<(Value<'a>, usize)> {
        let mut reader = Reader::new(bytes, base);
        let tag = wire::take_tag(&mut reader)?;
        self.value(&mut reader, base, tag, ty, Depth::new(self.limit))?;
        let taken = bytes.len().saturating_sub(reader.left());
        Ok((Value::new(ty, tag, bytes.get(1..taken).unwrap_or_default()), taken))
    }

    /// Checks a tag and its value.
    fn tagged(&mut self, reader: &mut Reader<'_>, ty: Type<'_>, depth: Depth) -> Result<()> {
        let start = reader.offset();
        let tag = wire::take_tag(reader)?;
        self.value(reader, start, tag, ty, depth)
    }

    /// Checks a value whose tag, which stands at `start`, is known.
    fn value(
        &mut self,
        reader: &mut Reader<'_>,
        start: usize,
        tag: Tag,
        ty: Type<'_>,
        depth: Depth,
    ) -> Result<()> {
        let shape = ty.shape();
        let inside = match shape {
            Shape::Option(_) | Shape::Nullable(_) | Shape::Wrap(_) => depth.wrap(),
            _ => depth.enter(),
        };
        let is_plain = matches!(
            shape,
            Shape::Unit | Shape::Bool | Shape::Int(_) | Shape::Float(_) | Shape::String
        );
        let depth = match inside {
            Some(depth) => depth,
            None if is_plain => depth,
            None => return Err(Error::at(Fault::DepthLimit { limit: self.limit }, start)),
        };
        let expected = match (shape, tag) {
            (Shape::Unit, Tag::Unit) => return wire::take_unit(reader),
            (Shape::Bool, Tag::Bool) => return wire::take_bool(reader).map(drop),
            (Shape::Int(Int::Int32), Tag::Int32)
            | (Shape::Int(Int::Int64), Tag::Int64)
            | (Shape::Int(Int::Char), Tag::Int8)
            | (
                Shape::Int(Int::Svint | Int::Uvint | Int::Int8 | Int::Int16),
                Tag::Svint | Tag::Uvint | Tag::Int8 | Tag::Int16,
            ) => {
                let Shape::Int(int) = shape else { return Ok(()) };
                let start = reader.offset();
                return match take_int(reader, tag, int)? {
                    Some(_) => Ok(()),
                    None => Err(Error::at(ErrorKind::IntRange, start)),
                };
            }
            (Shape::Float(Float::Float32), Tag::Float32) => {
                return reader.take::<ErrorKind>(4).map(drop);
            }
            (Shape::Float(Float::Float64), Tag::Float64) => {
                return reader.take::<ErrorKind>(8).map(drop);
            }
            (Shape::String, Tag::String) => return wire::take_string(reader).map(drop),
            (Shape::List(item) | Shape::Object(item) | Shape::Table(item), Tag::Array) => {
                return self.items(reader, item, depth);
            }
            (Shape::Table(item), Tag::Table) => {
                let Shape::Record(fields) = item.shape() else { return Ok(()) };
                return self.table(reader, fields, depth);
            }
            (Shape::Tuple(cells), Tag::Tuple) => return self.cells(reader, cells, depth),
            (Shape::Record(fields), Tag::Record) => return self.fields(reader, fields, depth),
            (Shape::Sum(variants), Tag::Variant) => return self.variant(reader, variants, depth),
            (Shape::Option(inner) | Shape::Nullable(inner), Tag::NumVariant) => {
                return match wire::take_option(reader)? {
                    true => self.tagged(reader, inner, depth),
                    false => Ok(()),
                };
            }
            (Shape::Wrap(inner), _) => return self.value(reader, start, tag, inner, depth),
            (Shape::Abstract, _) => {
                return Err(Error::at(ErrorKind::AbstractType, start));
            }
            (Shape::Int(Int::Svint | Int::Uvint | Int::Int8 | Int::Int16), _) => {
                "uvint, svint, int8 or int16"
            }
            (Shape::Table(_), _) => "table or array",
            _ => ty.tag().map_or("another tag", Tag::name),
        };
        Err(Error::at(ErrorKind::WrongTag { found: tag.name(), expected }, start))
    }

    fn items(&mut self, reader: &mut Reader<'_>, item: Type<'_>, depth: Depth) -> Result<()> {
        let count = wire::take_items(reader)?;
        if count == 0 {
            return Ok(());
        }
        let start = reader.offset();
        let tag = wire::take_tag(reader)?;
        (0..count).try_for_each(|index| {
            let checked = self.value(reader, start, tag, item, depth);
            checked.map_err(|error| error.inside(Segment::Index(index)))
        })
    }

    fn cells(&mut self, reader: &mut Reader<'_>, cells: Cells<'_>, depth: Depth) -> Result<()> {
        let start = reader.offset();
        let found = wire::take_cells(reader)?;
        if found < cells.least() {
            return Err(Error::at(ErrorKind::MissingCells { found }, start));
        }
        (0..found).try_for_each(|index| match cells.get(index) {
            Some(cell) => {
                let checked = self.tagged(reader, cell.ty(), depth);
                checked.map_err(|error| error.inside(Segment::Index(index)))
            }
            None => self.skip(reader, None),
        })
    }

    fn fields(&mut self, reader: &mut Reader<'_>, fields: Fields<'_>, depth: Depth) -> Result<()> {
        let start = reader.offset();
        let mut met = alloc::vec![false; fields.len()];
        let mut next = 0;
        for _ in 0..wire::take_fields(reader)? {
            match fields.with_hash_at(wire::take_field(reader)?, next) {
                Some((index, field)) => {
                    next = index + 1;
                    mark(&mut met, index);
                    let checked = self.tagged(reader, field.written(), depth);
                    checked.map_err(|error| error.inside(segment(field.name())))?;
                }
                None => self.skip(reader, None)?,
            }
        }
        check_required(fields, &met, start)
    }

    fn table(&mut self, reader: &mut Reader<'_>, fields: Fields<'_>, depth: Depth) -> Result<()> {
        let start = reader.offset();
        let (rows, count) = wire::take_table_counts(reader)?;
        if rows == 0 {
            return Ok(());
        }
        let mut met = alloc::vec![false; fields.len()];
        let mut columns = alloc::vec::Vec::new();
        for _ in 0..count {
            let field = fields.with_hash(wire::take_field(reader)?);
            if let Some((index, _)) = field {
                mark(&mut met, index);
            }
            let at = reader.offset();
            columns.push((field, at, wire::take_tag(reader)?));
        }
        check_required(fields, &met, start)?;
        if columns.is_empty() {
            return spend_empty_rows(&mut self.empty_rows, rows, start);
        }
        // Each row is a level of its own.
        let Some(depth) = depth.enter() else {
            return Err(Error::at(Fault::DepthLimit { limit: self.limit }, start));
        };
        for row in 0..rows {
            for (field, at, tag) in &columns {
                let Some((_, field)) = field else {
                    self.skip(reader, Some(*tag))?;
                    continue;
                };
                let checked = self.value(reader, *at, *tag, field.ty(), depth);
                checked.map_err(|error| {
                    error.inside(segment(field.name())).inside(Segment::Index(row))
                })?;
            }
        }
        Ok(())
    }

    fn variant(
        &mut self,
        reader: &mut Reader<'_>,
        variants: Variants<'_>,
        depth: Depth,
    ) -> Result<()> {
        let start = reader.offset();
        let (hash, has_argument) = wire::take_variant(reader)?;
        let Some(variant) = variants.with_hash(hash) else {
            return Err(Error::at(ErrorKind::UnknownVariant { hash }, start));
        };
        match (variant.argument(), has_argument) {
            (Some(ty), true) => {
                let checked = self.tagged(reader, ty, depth);
                checked.map_err(|error| error.inside(segment(variant.name())))
            }
            (None, false) => Ok(()),
            (argument, _) => {
                let found = if argument.is_some() { "no argument" } else { "an argument" };
                let name = shortened(variant.name());
                Err(Error::at(ErrorKind::SchemaArgument { name, found }, start))
            }
        }
    }

    /// Steps over what the schema has not.
    fn skip(&mut self, reader: &mut Reader<'_>, tag: Option<Tag>) -> Result<()> {
        self.stepped_over = self.stepped_over.saturating_add(1);
        skip_value(reader, tag, DepthMeter::new(self.limit))
    }
}

fn mark(met: &mut [bool], index: usize) {
    if let Some(met) = met.get_mut(index) {
        *met = true;
    }
}

fn segment(name: &str) -> Segment {
    Segment::Field(name.to_owned().into())
}

fn check_required(fields: Fields<'_>, met: &[bool], start: usize) -> Result<()> {
    let missing = fields
        .iter()
        .zip(met)
        .find(|(field, met)| !**met && field.presence() == &Presence::Required);
    match missing {
        None => Ok(()),
        Some((field, _)) => {
            let name = shortened(field.name());
            Err(Error::at(ErrorKind::MissingField { name }, start))
        }
    }
}
