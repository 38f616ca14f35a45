//! Checks that bytes are a value of a type, as atdgen's readers do, and reports their content to a visitor.

use fourfold::biniou::skip::{skip_value, spend_empty_rows};
use fourfold::biniou::wire::{self, Tag};
use fourfold::biniou::{Error, ErrorKind, Options, Result};
use fourfold::{CommonKind, Reader, Segment};

use super::Schema;
use super::columns::{Column, Met, take_columns};
use super::shape::{Body, Cells, Fields, Float, Int, Shape, Type, Variants};
use super::value::{Value, take_int};
use crate::common::{Ignore, Interest, Visit, refusal_at, shortened, suggestion};
use crate::depth::Depth;

impl Schema {
    /// Checks that `bytes` are a value of the type of that name, and nothing else.
    ///
    /// Takes what the readers take that atdgen makes, but for bytes after the value: an integer may have another
    /// width, unknown fields and further cells of a tuple are skipped, of equal fields the
    /// last counts. SHARED is refused, as atdgen does. What is stepped over is checked, too: those readers do not
    /// look at the byte of a bool or unit there, and cannot step over a column of a table. A [`Value`] is a view of
    /// the bytes, which decodes what is requested.
    ///
    /// ```
    /// use fourfold::biniou::to_vec;
    /// use fourfold_schema::atd::Schema;
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
    /// Every error of the bytes, with its offset and path; `NoType` if there is no such type.
    pub fn to_value<'a>(&'a self, bytes: &'a [u8], name: &str) -> Result<Value<'a>> {
        let ty = self.need(name)?;
        let (value, taken) = Check::new(&Options::new()).next(bytes, 0, ty)?;
        Reader::after(bytes, taken).finish()?;
        Ok(value)
    }

    /// The type of that name, or the error.
    pub(super) fn need(&self, name: &str) -> Result<Type<'_>> {
        self.get(name).ok_or_else(|| Error::placeless(self.no_type(name)))
    }

    /// What is wrong with the name of a type that is not there.
    pub(super) fn no_type(&self, name: &str) -> ErrorKind {
        let suggestion = suggestion(name, self.types().filter_map(Type::name));
        ErrorKind::NoType { name: shortened(name), suggestion }
    }
}

/// Checks values that follow one another. A copy has what has been counted so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Check {
    limit: u16,
    /// How many rows without columns may still come.
    empty_rows: usize,
    /// Number of unknown fields in the values so far.
    pub(super) stepped_over: usize,
}

impl Check {
    pub(super) fn new(options: &Options) -> Self {
        let empty_rows = usize::try_from(wire::MOST_EMPTY_ROWS).unwrap_or(usize::MAX);
        Check { limit: options.depth_limit(), empty_rows, stepped_over: 0 }
    }

    /// The value that `bytes` begin with, which are at `base`, and how long it is.
    pub(super) fn next<'a>(
        &mut self,
        bytes: &'a [u8],
        base: usize,
        ty: Type<'a>,
    ) -> Result<(Value<'a>, usize)> {
        let mut reader = Reader::new(bytes, base);
        let tag = wire::take_tag(&mut reader)?;
        self.value(&mut reader, base, tag, ty, self.depth(), &mut Ignore)?;
        let taken = bytes.len().saturating_sub(reader.left());
        Ok((Value::new(ty, tag, bytes.get(1..taken).unwrap_or_default()), taken))
    }

    /// How deep a whole may nest.
    pub(super) const fn depth(&self) -> Depth {
        Depth::new(self.limit)
    }

    /// Checks a tag and its value.
    #[inline]
    pub(super) fn part<V: Visit>(
        &mut self,
        reader: &mut Reader<'_>,
        ty: Type<'_>,
        depth: Depth,
        visitor: &mut V,
    ) -> Result<()> {
        let start = reader.offset();
        let tag = wire::take_tag(reader)?;
        self.value(reader, start, tag, ty, depth, visitor)
    }

    /// Checks a value whose tag, which is at `start`, is known.
    #[inline]
    pub(super) fn value<V: Visit>(
        &mut self,
        reader: &mut Reader<'_>,
        start: usize,
        tag: Tag,
        ty: Type<'_>,
        depth: Depth,
        visitor: &mut V,
    ) -> Result<()> {
        if visitor.interest() != Interest::Parts {
            return self.passed(reader, start, tag, ty, depth, visitor);
        }
        match (ty.body(), tag) {
            (Body::Int(int @ Int::Int32), Tag::Int32)
            | (Body::Int(int @ Int::Int64), Tag::Int64)
            | (Body::Int(int @ Int::Char), Tag::Int8)
            | (
                Body::Int(int @ (Int::Svint | Int::Uvint | Int::Int8 | Int::Int16)),
                Tag::Svint | Tag::Uvint | Tag::Int8 | Tag::Int16,
            ) => {
                let start = reader.offset();
                match take_int(reader, tag, *int)? {
                    Some(number) => refusal_at(visitor.int(number), start),
                    None => Err(Error::at(ErrorKind::IntRange, start)),
                }
            }
            (Body::String, Tag::String) => {
                let (bytes, start) = wire::take_string(reader)?;
                refusal_at(visitor.bytes(bytes), start)
            }
            (Body::Float(Float::Float64), Tag::Float64) => {
                visitor.float64(f64::from_be_bytes(reader.take_array::<8, ErrorKind>()?));
                Ok(())
            }
            (Body::Float(Float::Float32), Tag::Float32) => {
                visitor.float32(f32::from_be_bytes(reader.take_array::<4, ErrorKind>()?));
                Ok(())
            }
            (Body::Bool, Tag::Bool) => {
                visitor.bool(wire::take_bool(reader)?);
                Ok(())
            }
            (Body::Unit, Tag::Unit) => {
                wire::take_unit(reader)?;
                visitor.unit();
                Ok(())
            }
            _ => self.compound(reader, start, tag, ty, depth, visitor),
        }
    }

    /// Checks a value that has parts.
    // Not inlined, so that the others need no memory of their own.
    #[inline(never)]
    fn compound<V: Visit>(
        &mut self,
        reader: &mut Reader<'_>,
        start: usize,
        tag: Tag,
        ty: Type<'_>,
        depth: Depth,
        visitor: &mut V,
    ) -> Result<()> {
        let inside = match ty.body() {
            Body::Option(_) | Body::Nullable(_) | Body::Wrap(_) => depth.wrap(),
            // These are of no depth, so that only their tag can be wrong.
            Body::Unit | Body::Bool | Body::Int(_) | Body::Float(_) | Body::String => Some(depth),
            _ => depth.enter(),
        };
        let Some(depth) = inside else {
            return Err(Error::at(depth.reached(), start));
        };
        match (ty.body(), tag) {
            (Body::List(item) | Body::Object(item) | Body::Table(item), Tag::Array) => {
                self.items(reader, ty.other(*item), depth, visitor)
            }
            (Body::Table(item), Tag::Table) => {
                let row = ty.other(*item);
                let Body::Record(members) = row.body() else { return Ok(()) };
                self.table(reader, Fields::new(row, members), depth, visitor)
            }
            (Body::Tuple(_), Tag::Tuple) => {
                let Shape::Tuple(cells) = ty.shape() else { return Ok(()) };
                self.cells(reader, cells, depth, visitor)
            }
            (Body::Record(members), Tag::Record) => {
                self.fields(reader, Fields::new(ty, members), depth, visitor)
            }
            (Body::Sum(..), Tag::Variant) => {
                let Shape::Sum(variants) = ty.shape() else { return Ok(()) };
                self.variant(reader, variants, depth, visitor)
            }
            (Body::Option(inner) | Body::Nullable(inner), Tag::NumVariant) => {
                if wire::take_option(reader)? {
                    return self.part(reader, ty.other(*inner), depth, visitor.some());
                }
                visitor.none();
                Ok(())
            }
            (Body::Wrap(inner), _) => {
                self.value(reader, start, tag, ty.other(*inner), depth, visitor)
            }
            _ => Err(wrong_tag(ty, tag, start)),
        }
    }

    /// Checks a value of which not the parts are wanted.
    fn passed<V: Visit>(
        &mut self,
        reader: &mut Reader<'_>,
        start: usize,
        tag: Tag,
        ty: Type<'_>,
        depth: Depth,
        visitor: &mut V,
    ) -> Result<()> {
        if visitor.interest() == Interest::Nothing {
            let skipped = skip_value(reader, Some(tag), depth.levels());
            return skipped.map_err(|error| self.at_limit(error));
        }
        let from = *reader;
        self.value(reader, start, tag, ty, depth, &mut Ignore)?;
        refusal_at(visitor.encoded(&[tag.byte()], from.up_to(reader)), start)
    }

    fn items<V: Visit>(
        &mut self,
        reader: &mut Reader<'_>,
        item: Type<'_>,
        depth: Depth,
        visitor: &mut V,
    ) -> Result<()> {
        let place = reader.offset();
        let count = wire::take_items(reader)?;
        if count > 0 {
            let start = reader.offset();
            let tag = wire::take_tag(reader)?;
            for index in 0..count {
                let checked = self.value(reader, start, tag, item, depth, visitor.part(0));
                checked.map_err(|error| error.inside(Segment::Index(index)))?;
            }
        }
        refusal_at(visitor.list(count), place)
    }

    fn cells<V: Visit>(
        &mut self,
        reader: &mut Reader<'_>,
        cells: Cells<'_>,
        depth: Depth,
        visitor: &mut V,
    ) -> Result<()> {
        let start = reader.offset();
        let found = wire::take_cells(reader)?;
        if found < cells.least() {
            return Err(Error::at(ErrorKind::MissingCells { found }, start));
        }
        for index in 0..found {
            match cells.get(index) {
                Some(cell) => {
                    let part = visitor.part(index);
                    let part = if cell.default().is_some() { part.some() } else { part };
                    let checked = self.part(reader, cell.ty(), depth, part);
                    checked.map_err(|error| error.inside(Segment::Index(index)))?;
                }
                None => self.skip(reader, None)?,
            }
        }
        visitor.record();
        Ok(())
    }

    fn fields<V: Visit>(
        &mut self,
        reader: &mut Reader<'_>,
        fields: Fields<'_>,
        depth: Depth,
        visitor: &mut V,
    ) -> Result<()> {
        let start = reader.offset();
        let mut met = Met::new(fields);
        let mut next = 0;
        for _ in 0..wire::take_fields(reader)? {
            match fields.with_hash_at(wire::take_field(reader)?, next) {
                Some((index, field)) => {
                    next = index + 1;
                    met.insert(index);
                    let part = visitor.part(index);
                    let part = if field.is_required() { part } else { part.some() };
                    let checked = self.part(reader, field.written(), depth, part);
                    checked.map_err(|error| error.inside(Segment::named(field.name())))?;
                }
                None => self.skip(reader, None)?,
            }
        }
        met.check_required(fields, start)?;
        visitor.record();
        Ok(())
    }

    fn table<V: Visit>(
        &mut self,
        reader: &mut Reader<'_>,
        fields: Fields<'_>,
        depth: Depth,
        visitor: &mut V,
    ) -> Result<()> {
        let start = reader.offset();
        let (rows, count) = wire::take_table_counts(reader)?;
        if rows > 0 {
            let columns = take_columns(reader, fields, count, start)?;
            if count == 0 {
                self.empty_rows(rows, start)?;
            }
            // Each row is a level of its own.
            let Some(depth) = depth.enter().or_else(|| (count == 0).then_some(depth)) else {
                return Err(Error::at(depth.reached(), start));
            };
            for row in 0..rows {
                let checked = self.row(reader, &columns, depth, visitor.part(0));
                checked.map_err(|error| error.inside(Segment::Index(row)))?;
            }
        }
        refusal_at(visitor.list(rows), start)
    }

    /// Counts rows that take no bytes.
    pub(super) fn empty_rows(&mut self, rows: usize, start: usize) -> Result<()> {
        spend_empty_rows(&mut self.empty_rows, rows, start)
    }

    /// Checks a row of a table.
    pub(super) fn row<V: Visit>(
        &mut self,
        reader: &mut Reader<'_>,
        columns: &[Column<'_>],
        depth: Depth,
        visitor: &mut V,
    ) -> Result<()> {
        for (field, at, tag) in columns {
            let Some((index, field)) = field else {
                self.skip(reader, Some(*tag))?;
                continue;
            };
            let part = visitor.part(*index);
            // That of a `?field` is an option itself.
            let is_plain = field.is_required() || field.is_optional();
            let part = if is_plain { part } else { part.some() };
            let checked = self.value(reader, *at, *tag, field.ty(), depth, part);
            checked.map_err(|error| error.inside(Segment::named(field.name())))?;
        }
        visitor.record();
        Ok(())
    }

    fn variant<V: Visit>(
        &mut self,
        reader: &mut Reader<'_>,
        variants: Variants<'_>,
        depth: Depth,
        visitor: &mut V,
    ) -> Result<()> {
        let start = reader.offset();
        let (hash, has_argument) = wire::take_variant(reader)?;
        let Some((index, variant)) = variants.place_of(hash) else {
            return Err(Error::at(ErrorKind::UnknownVariant { hash }, start));
        };
        visitor.variant(index);
        match (variant.argument(), has_argument) {
            (Some(ty), true) => {
                let checked = self.part(reader, ty, depth, visitor.part(index));
                checked.map_err(|error| error.inside(Segment::named(variant.name())))
            }
            (None, false) => Ok(()),
            (argument, _) => {
                let found = if argument.is_some() { "no argument" } else { "an argument" };
                let name = shortened(variant.name());
                Err(Error::at(ErrorKind::SchemaArgument { name, found }, start))
            }
        }
    }

    /// An error of a value inside others, with the limit for the whole.
    #[cold]
    fn at_limit(&self, error: Error) -> Error {
        error.map_kind(|kind| match kind {
            ErrorKind::Common(CommonKind::DepthLimit { .. }) => {
                CommonKind::DepthLimit { limit: self.limit }.into()
            }
            kind => kind,
        })
    }

    /// Skips what is not in the schema.
    fn skip(&mut self, reader: &mut Reader<'_>, tag: Option<Tag>) -> Result<()> {
        self.stepped_over = self.stepped_over.saturating_add(1);
        skip_value(reader, tag, self.limit)
    }
}

/// The error of a value that begins at `start` with a tag that does not fit its type.
#[cold]
fn wrong_tag(ty: Type<'_>, tag: Tag, start: usize) -> Error {
    let expected = match ty.body() {
        Body::Abstract | Body::Parameter => return Error::at(ErrorKind::AbstractType, start),
        Body::Int(Int::Svint | Int::Uvint | Int::Int8 | Int::Int16) => {
            "uvint, svint, int8 or int16"
        }
        Body::Table(_) => "table or array",
        _ => ty.tag().map_or("another tag", Tag::name),
    };
    Error::at(ErrorKind::WrongTag { found: tag.name(), expected }, start)
}
