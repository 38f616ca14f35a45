//! Reads Molecule files with a schema.

use std::io::Write;
use std::ops::ControlFlow;

use fourfold::biniou::Options;
use fourfold::molecule::Frames;
use fourfold::{Path, Segment};
use fourfold_schema::mol::{Field, Schema, Shape, Type, Value};

use super::Molecule;
use super::records::{self, Records};
use super::typed_report::TypedReport;
use crate::failure::{Failure, describe};
use crate::formats::{
    ExplainOptions, FileKind, Fit, Format, Loaded, Mismatch, Reading, SchemaKind,
};
use crate::model::molecule::Show;
use crate::model::{self, Document, Fields, Node, Part, Root, VALUE, VALUES, Wrong};
use crate::spans::Span;
use crate::spans::molecule::explain_typed;
use crate::write::report::{About, Report};

impl SchemaKind for Schema {
    fn format(&self) -> Format {
        Format::Molecule
    }

    fn names(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        Box::new(self.types().map(|ty| ty.name()))
    }

    fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    fn explain_each(
        &self,
        bytes: &[u8],
        name: &str,
        _: ExplainOptions<'_>,
        path: &str,
        each: &mut dyn FnMut(Span) -> ControlFlow<()>,
    ) {
        // The type exists: `Typed` has checked its name.
        let _ = explain_typed(self, bytes, name, path, each);
    }

    fn load<'a>(
        &'a self,
        bytes: &'a [u8],
        name: &'a str,
        _: &'a Options,
    ) -> Result<Box<dyn Loaded + 'a>, Mismatch> {
        load(self, bytes, name, model::molecule::value)
    }

    fn part<'a>(
        &'a self,
        bytes: &'a [u8],
        name: &str,
        path: &Path,
        _: &Options,
    ) -> Option<Part<'a>> {
        let ty = self.get(name)?;
        let mut segments = path.segments();
        let are_records = self.values_of(bytes, name).ok()?.are_records();
        let (value, path) = match (segments.next(), are_records) {
            (Some(Segment::Index(index)), true) => {
                let record = Frames::from_slice(bytes).nth(*index)?.ok()?;
                (record, &segments.cloned().collect())
            }
            (_, true) => return None,
            (Some(Segment::Index(_)), false) if has_no_number(ty) => return None,
            _ => (bytes, path),
        };
        if passes_union(ty, path) {
            return None;
        }
        self.value_at(value, name, path).ok().map(model::molecule::value)
    }

    fn make(
        &self,
        fields: &Fields<'_>,
        _: &Node<'_>,
        name: &str,
        options: &Options,
    ) -> Result<Vec<u8>, Wrong> {
        match fields.get(VALUES) {
            None => self.make_value(&fields.need(VALUE)?, name, options),
            Some(values) => {
                records::make(self, &values, name, |value| self.make_value(value, name, options))
            }
        }
    }

    fn make_value(&self, value: &Node<'_>, name: &str, _: &Options) -> Result<Vec<u8>, Wrong> {
        let mut reader = serde_json::Deserializer::from_str(value.source());
        Schema::make(self, &mut reader, name).map_err(|error| value.wrong_within(&error))
    }
}

/// Loads a file of the named type, with values shown by `show`.
///
/// # Errors
///
/// What is wrong with the bytes.
pub fn load<'a>(
    schema: &'a Schema,
    bytes: &'a [u8],
    name: &'a str,
    show: Show,
) -> Result<Box<dyn Loaded + 'a>, Mismatch> {
    let mismatch = |error| {
        let mismatch = Mismatch::of(&error, describe(&error));
        match schema.get(name) {
            Some(ty) => Mismatch { fit: fit(schema, bytes, ty, mismatch.at), ..mismatch },
            None => mismatch,
        }
    };
    let values = schema.values_of(bytes, name).map_err(mismatch)?;
    if values.are_records() {
        return Ok(Box::new(Records::checked(values, name, show)?));
    }
    let value = schema.to_value(bytes, name).map_err(mismatch)?;
    Ok(Box::new(One { value, show }))
}

/// How much of the bytes is as in a value of the type, if the first error is at that offset.
fn fit(schema: &Schema, bytes: &[u8], ty: Type<'_>, at: usize) -> Fit {
    match ty.shape() {
        // Any bytes of the right length are of these types. Another length is no sign of the type.
        _ if ty.size().is_some() => Fit { up_to: 0, has_count: false },
        Shape::FixVec(_) => Fit { up_to: 0, has_count: false },
        // The type itself is closer than an option of it.
        Shape::Option(inner) => Fit { has_count: false, ..fit(schema, bytes, inner, at) },
        shape => {
            // A file that is cut off has another full size, and is checked as if it had the right one.
            let up_to = match at {
                0 => with_full_size(bytes).map_or(0, |bytes| {
                    schema
                        .to_value(&bytes, ty.name())
                        .map_or_else(|error| error.offset().unwrap_or_default(), |_| bytes.len())
                }),
                at => at,
            };
            let fields = match shape {
                Shape::Table(fields) => Some(fields.len()),
                _ => None,
            };
            Fit { up_to, has_count: fields.is_some() && fields == items(bytes) }
        }
    }
}

/// The bytes with their length as their full size; `None` for large files, which are copied for each type.
fn with_full_size(bytes: &[u8]) -> Option<Vec<u8>> {
    const MOST: usize = 1 << 18;
    if bytes.len() > MOST {
        return None;
    }
    let mut bytes = bytes.to_vec();
    let size = u32::try_from(bytes.len()).ok()?;
    *bytes.first_chunk_mut()? = size.to_le_bytes();
    Some(bytes)
}

/// The number of items that the first offset of a table states.
fn items(bytes: &[u8]) -> Option<usize> {
    let first: [u8; 4] = *bytes.get(4..)?.first_chunk()?;
    let first = usize::try_from(u32::from_le_bytes(first)).ok()?;
    (first / 4).checked_sub(1)
}

/// The only value of a file.
struct One<'a> {
    value: Value<'a>,
    show: Show,
}

/// Whether `[0]` is not part of a path in a file of one such value, although values of the type may be records. For a
/// dynvec, `[0]` is an item.
fn has_no_number(ty: Type<'_>) -> bool {
    ty.shows_size() && !matches!(ty.shape(), Shape::DynVec(_))
}

/// Whether a path leads into a union, which has additional segments in JSON.
fn passes_union(mut ty: Type<'_>, path: &Path) -> bool {
    for segment in path.segments() {
        while let Shape::Option(inner) = ty.shape() {
            ty = inner;
        }
        let part = match (ty.shape(), segment) {
            (Shape::Union(_), _) => return true,
            (Shape::Struct(fields) | Shape::Table(fields), Segment::Field(name)) => {
                fields.iter().find(|field| field.name() == name).map(Field::ty)
            }
            (
                Shape::Struct(fields) | Shape::Table(fields),
                Segment::Slot(index) | Segment::Index(index),
            ) => fields.get(*index).map(Field::ty),
            (Shape::Array(item, _) | Shape::FixVec(item) | Shape::DynVec(item), _) => Some(item),
            _ => None,
        };
        match part {
            Some(part) => ty = part,
            None => return false,
        }
    }
    false
}

impl Loaded for One<'_> {
    fn reading(&self) -> Reading {
        Reading::good(self.value.ty().name())
    }

    fn write_canonical(&self, out: &mut dyn Write) -> Result<(), String> {
        // Bytes that the strict reader accepts are canonical.
        out.write_all(self.value.bytes()).map_err(|error| error.to_string())
    }

    fn report<'s>(&'s self, about: &About<'s>) -> Result<Box<dyn Report + 's>, String> {
        Ok(Box::new(TypedReport::of(self.value, about)))
    }

    fn document<'s>(&'s self, _: &About<'s>) -> Result<Document<'s>, Failure> {
        let part = Part::map([(VALUE, (self.show)(self.value))]);
        let ty = Some(self.value.ty().name());
        let root = if has_no_number(self.value.ty()) { Root::Unnumbered } else { Root::Plain };
        Ok(Document { name: Molecule.name(), ty, is_one: true, root, part })
    }
}
