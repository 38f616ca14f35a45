//! Checks that bytes are a value of a type, as atdgen's readers do, and reports their content to a visitor.

use fourfold::biniou::skip::{skip_value, spend_empty_rows};
use fourfold::biniou::wire::{self, Tag};
use fourfold::biniou::{Error, ErrorKind, Options, Result};
use fourfold::{CommonKind, Reader, Segment};

use super::Schema;
use super::columns::{Column, Head, Met, take_columns};
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

    /// Checks bytes that are at `base`.
    pub(super) fn bytes<'c, 'r>(&'c mut self, bytes: &'r [u8], base: usize) -> Checking<'c, 'r> {
        Checking { check: self, reader: Reader::new(bytes, base) }
    }

    /// The value that `bytes` begin with, which are at `base`, and how long it is.
    pub(super) fn next<'a>(
        &mut self,
        bytes: &'a [u8],
        base: usize,
        ty: Type<'a>,
    ) -> Result<(Value<'a>, usize)> {
        let depth = self.depth();
        let mut checking = self.bytes(bytes, base);
        let tag = wire::take_tag(&mut checking.reader)?;
        checking.value((base, tag), ty, depth, &mut Ignore)?;
        let taken = bytes.len().saturating_sub(checking.reader.left());
        Ok((Value::of(ty, (tag, bytes.get(1..taken).unwrap_or_default())), taken))
    }

    /// How deep a whole may nest.
    pub(super) const fn depth(&self) -> Depth {
        Depth::new(self.limit)
    }

    /// Counts rows that take no bytes.
    pub(super) fn empty_rows(&mut self, rows: usize, start: usize) -> Result<()> {
        spend_empty_rows(&mut self.empty_rows, rows, start)
    }
}

/// Bytes that are being checked.
pub(super) struct Checking<'c, 'r> {
    check: &'c mut Check,
    pub(super) reader: Reader<'r>,
}

impl Checking<'_, '_> {
    /// Checks a tag and its value.
    #[inline]
    pub(super) fn part<V: Visit>(
        &mut self,
        ty: Type<'_>,
        depth: Depth,
        visitor: &mut V,
    ) -> Result<()> {
        let head = (self.reader.offset(), wire::take_tag(&mut self.reader)?);
        self.value(head, ty, depth, visitor)
    }

    /// Checks a value whose tag, which is at `start`, is known.
    #[inline]
    pub(super) fn value<V: Visit>(
        &mut self,
        head: Head,
        ty: Type<'_>,
        depth: Depth,
        visitor: &mut V,
    ) -> Result<()> {
        if visitor.interest() != Interest::Parts {
            return self.passed(head, ty, depth, visitor);
        }
        match (ty.body(), head.1) {
            (Body::Int(int @ Int::Int32), Tag::Int32)
            | (Body::Int(int @ Int::Int64), Tag::Int64)
            | (Body::Int(int @ Int::Char), Tag::Int8)
            | (
                Body::Int(int @ (Int::Svint | Int::Uvint | Int::Int8 | Int::Int16)),
                Tag::Svint | Tag::Uvint | Tag::Int8 | Tag::Int16,
            ) => {
                let start = self.reader.offset();
                match take_int(&mut self.reader, head.1, *int)? {
                    Some(number) => refusal_at(visitor.int(number), start),
                    None => Err(Error::at(ErrorKind::IntRange, start)),
                }
            }
            (Body::String, Tag::String) => {
                let (bytes, start) = wire::take_string(&mut self.reader)?;
                refusal_at(visitor.bytes(bytes), start)
            }
            (Body::Float(Float::Float64), Tag::Float64) => {
                visitor.float64(f64::from_be_bytes(self.reader.take_array::<8, ErrorKind>()?));
                Ok(())
            }
            (Body::Float(Float::Float32), Tag::Float32) => {
                visitor.float32(f32::from_be_bytes(self.reader.take_array::<4, ErrorKind>()?));
                Ok(())
            }
            (Body::Bool, Tag::Bool) => {
                visitor.bool(wire::take_bool(&mut self.reader)?);
                Ok(())
            }
            (Body::Unit, Tag::Unit) => {
                wire::take_unit(&mut self.reader)?;
                visitor.unit();
                Ok(())
            }
            _ => self.compound(head, ty, depth, visitor),
        }
    }

    /// Checks a value that has parts.
    // Not inlined, so that the others need no memory of their own.
    #[inline(never)]
    fn compound<V: Visit>(
        &mut self,
        head: Head,
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
            return Err(Error::at(depth.reached(), head.0));
        };
        match (ty.body(), head.1) {
            (Body::List(item) | Body::Object(item) | Body::Table(item), Tag::Array) => {
                self.items(ty.other(*item), depth, visitor)
            }
            (Body::Table(item), Tag::Table) => {
                let row = ty.other(*item);
                let Body::Record(members) = row.body() else { return Ok(()) };
                self.table(Fields::new(row, members), depth, visitor)
            }
            (Body::Tuple(_), Tag::Tuple) => {
                let Shape::Tuple(cells) = ty.shape() else { return Ok(()) };
                self.cells(cells, depth, visitor)
            }
            (Body::Record(members), Tag::Record) => {
                self.fields(Fields::new(ty, members), depth, visitor)
            }
            (Body::Sum(..), Tag::Variant) => {
                let Shape::Sum(variants) = ty.shape() else { return Ok(()) };
                self.variant(variants, depth, visitor)
            }
            (Body::Option(inner) | Body::Nullable(inner), Tag::NumVariant) => {
                if wire::take_option(&mut self.reader)? {
                    return self.part(ty.other(*inner), depth, visitor.some());
                }
                visitor.none();
                Ok(())
            }
            (Body::Wrap(inner), _) => self.value(head, ty.other(*inner), depth, visitor),
            _ => Err(wrong_tag(ty, head)),
        }
    }

    /// Checks a value of which not the parts are wanted.
    fn passed<V: Visit>(
        &mut self,
        head: Head,
        ty: Type<'_>,
        depth: Depth,
        visitor: &mut V,
    ) -> Result<()> {
        if visitor.interest() == Interest::Nothing {
            let skipped = skip_value(&mut self.reader, Some(head.1), depth.levels());
            return skipped.map_err(|error| self.at_limit(error));
        }
        let from = self.reader;
        self.value(head, ty, depth, &mut Ignore)?;
        refusal_at(visitor.encoded(&[head.1.byte()], from.up_to(&self.reader)), head.0)
    }

    fn items<V: Visit>(&mut self, item: Type<'_>, depth: Depth, visitor: &mut V) -> Result<()> {
        let place = self.reader.offset();
        let count = wire::take_items(&mut self.reader)?;
        if count > 0 {
            let head = (self.reader.offset(), wire::take_tag(&mut self.reader)?);
            for index in 0..count {
                let checked = self.value(head, item, depth, visitor.part(0));
                checked.map_err(|error| error.inside(Segment::Index(index)))?;
            }
        }
        refusal_at(visitor.list(count), place)
    }

    fn cells<V: Visit>(&mut self, cells: Cells<'_>, depth: Depth, visitor: &mut V) -> Result<()> {
        let start = self.reader.offset();
        let found = wire::take_cells(&mut self.reader)?;
        if found < cells.least() {
            return Err(Error::at(ErrorKind::MissingCells { found }, start));
        }
        for index in 0..found {
            match cells.get(index) {
                Some(cell) => {
                    let part = visitor.part(index);
                    let part = if cell.default().is_some() { part.some() } else { part };
                    let checked = self.part(cell.ty(), depth, part);
                    checked.map_err(|error| error.inside(Segment::Index(index)))?;
                }
                None => self.skip(None)?,
            }
        }
        visitor.record();
        Ok(())
    }

    fn fields<V: Visit>(
        &mut self,
        fields: Fields<'_>,
        depth: Depth,
        visitor: &mut V,
    ) -> Result<()> {
        let start = self.reader.offset();
        let mut met = Met::new(fields);
        let mut next = 0;
        for _ in 0..wire::take_fields(&mut self.reader)? {
            match fields.with_hash_at(wire::take_field(&mut self.reader)?, next) {
                Some((index, field)) => {
                    next = index + 1;
                    met.insert(index);
                    let part = visitor.part(index);
                    let part = if field.is_required() { part } else { part.some() };
                    let checked = self.part(field.written(), depth, part);
                    checked.map_err(|error| error.inside(Segment::named(field.name())))?;
                }
                None => self.skip(None)?,
            }
        }
        met.check_required(fields, start)?;
        visitor.record();
        Ok(())
    }

    fn table<V: Visit>(&mut self, fields: Fields<'_>, depth: Depth, visitor: &mut V) -> Result<()> {
        let start = self.reader.offset();
        let (rows, count) = wire::take_table_counts(&mut self.reader)?;
        if rows > 0 {
            let columns = take_columns(&mut self.reader, fields, count, start)?;
            if count == 0 {
                self.check.empty_rows(rows, start)?;
            }
            // Each row is a level of its own.
            let Some(depth) = depth.enter().or_else(|| (count == 0).then_some(depth)) else {
                return Err(Error::at(depth.reached(), start));
            };
            for row in 0..rows {
                let checked = self.row(&columns, depth, visitor.part(0));
                checked.map_err(|error| error.inside(Segment::Index(row)))?;
            }
        }
        refusal_at(visitor.list(rows), start)
    }

    /// Checks a row of a table.
    pub(super) fn row<V: Visit>(
        &mut self,
        columns: &[Column<'_>],
        depth: Depth,
        visitor: &mut V,
    ) -> Result<()> {
        for (field, head) in columns {
            let Some((index, field)) = field else {
                self.skip(Some(head.1))?;
                continue;
            };
            let part = visitor.part(*index);
            // That of a `?field` is an option itself.
            let is_plain = field.is_required() || field.is_optional();
            let part = if is_plain { part } else { part.some() };
            let checked = self.value(*head, field.ty(), depth, part);
            checked.map_err(|error| error.inside(Segment::named(field.name())))?;
        }
        visitor.record();
        Ok(())
    }

    fn variant<V: Visit>(
        &mut self,
        variants: Variants<'_>,
        depth: Depth,
        visitor: &mut V,
    ) -> Result<()> {
        let start = self.reader.offset();
        let (hash, has_argument) = wire::take_variant(&mut self.reader)?;
        let Some((index, variant)) = variants.place_of(hash) else {
            return Err(Error::at(ErrorKind::UnknownVariant { hash }, start));
        };
        visitor.variant(index);
        match (variant.argument(), has_argument) {
            (Some(ty), true) => {
                let checked = self.part(ty, depth, visitor.part(index));
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
                CommonKind::DepthLimit { limit: self.check.limit }.into()
            }
            kind => kind,
        })
    }

    /// Skips what is not in the schema.
    fn skip(&mut self, tag: Option<Tag>) -> Result<()> {
        self.check.stepped_over = self.check.stepped_over.saturating_add(1);
        skip_value(&mut self.reader, tag, self.check.limit)
    }
}

/// The error of a value with a tag that does not fit its type.
#[cold]
fn wrong_tag(ty: Type<'_>, (start, tag): Head) -> Error {
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
