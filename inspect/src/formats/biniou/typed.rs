//! Reads biniou files with a schema.

use std::io::Write;
use std::iter;
use std::ops::ControlFlow;

use fourfold::biniou::{Dictionary, File, Framing, Options, Result as Checked};
use fourfold::{Path, Segment};
use fourfold_schema::atd::{self, Schema};

use super::framing::{counted_by, ended};
use super::report::BiniouReport;
use super::{Biniou, root};
use crate::failure::{Failure, describe};
use crate::formats::{ExplainOptions, FileKind, Format, Loaded, Mismatch, Reading, SchemaKind};
use crate::model::{self, Document, Fields, Node, Part, Wrong};
use crate::spans::Span;
use crate::write::count::{are, counted};
use crate::write::report::{About, Report};

impl SchemaKind for Schema {
    fn format(&self) -> Format {
        Format::Biniou
    }

    fn names(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        Box::new(self.types().filter_map(|ty| ty.name()))
    }

    fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    fn dictionary(&self) -> Result<Dictionary, String> {
        Schema::dictionary(self).map_err(|error| describe(&error))
    }

    fn explain_each(
        &self,
        bytes: &[u8],
        name: &str,
        how: ExplainOptions<'_>,
        path: &str,
        each: &mut dyn FnMut(Span) -> ControlFlow<()>,
    ) {
        let mut error = first_error(self, bytes, name, how);
        self.format().kind().explain_each(bytes, how, path, &mut |mut span| {
            if let Some((_, text)) = error.take_if(|(at, _)| span.range.contains(at)) {
                span.error.get_or_insert(text);
            }
            each(span)
        });
    }

    fn load<'a>(
        &'a self,
        bytes: &'a [u8],
        name: &'a str,
        options: &'a Options,
    ) -> Result<Box<dyn Loaded + 'a>, Mismatch> {
        let file = options.file(bytes);
        let mut values = Values { schema: self, name, file, count: 0, unknown: 0 };
        let mut each = values.each().map_err(|error| Mismatch::of(&error, describe(&error)))?;
        for value in each.by_ref() {
            match value {
                Ok(_) => values.count += 1,
                Err(error) if values.file.framing() == Framing::Chunks => {
                    return Err(Mismatch::of(&error, describe(&error)));
                }
                Err(error) => return Err(Mismatch::of(&error, ended(&error, values.count))),
            }
        }
        values.unknown = each.stepped_over();
        Ok(Box::new(values))
    }

    fn part<'a>(
        &'a self,
        bytes: &'a [u8],
        name: &str,
        path: &Path,
        options: &Options,
    ) -> Option<Part<'a>> {
        let file = options.file(bytes);
        let mut values = self.values_of(&file, name).ok()?;
        if file.framing() == Framing::Chunks {
            return None;
        }
        let mut segments = path.segments();
        let first = values.next()?.ok()?;
        let value = match values.next() {
            None => first,
            Some(second) => match segments.next()? {
                Segment::Index(0) => first,
                Segment::Index(index) => {
                    iter::once(second).chain(&mut values).nth(index.checked_sub(1)?)?.ok()?
                }
                _ => return None,
            },
        };
        // The other values are checked, too: an error in one is reported when the whole file is read.
        let is_sound = values.by_ref().all(|value| value.is_ok()) && values.stepped_over() == 0;
        let part = segments.try_fold(value, inner).filter(|_| is_sound)?;
        model::biniou::check_typed(part).ok()?;
        Some(model::biniou::typed_part(part))
    }

    fn make(
        &self,
        fields: &Fields<'_>,
        whole: &Node<'_>,
        name: &str,
        options: &Options,
    ) -> Result<Vec<u8>, Wrong> {
        model::biniou::bytes(fields, whole, &|value| self.make_value(value, name, options))
    }

    fn make_value(
        &self,
        value: &Node<'_>,
        name: &str,
        options: &Options,
    ) -> Result<Vec<u8>, Wrong> {
        let mut reader = serde_json::Deserializer::from_str(value.source());
        // The depth of the text was checked before.
        reader.disable_recursion_limit();
        Schema::make_with(self, &mut reader, name, options)
            .map_err(|error| value.wrong_within(&error))
    }
}

/// The nested value at a segment, if JSON has the same segment.
fn inner<'a>(value: atd::Value<'a>, segment: &Segment) -> Option<atd::Value<'a>> {
    let mut shape = value.ty().shape();
    while let atd::Shape::Wrap(wrapped) = shape {
        shape = wrapped.shape();
    }
    match (value.parts(), segment) {
        (atd::Parts::Record(record), Segment::Field(name)) => {
            let mut fields = record.iter();
            fields.find(|(field, _)| field.json_name() == name).map(|(_, part)| part)
        }
        (atd::Parts::List(list), Segment::Index(index))
            if !matches!(shape, atd::Shape::Object(_)) =>
        {
            list.iter().nth(*index)
        }
        (atd::Parts::Tuple(list), Segment::Index(index)) => list.iter().nth(*index),
        _ => None,
    }
}

/// The offset and text of the first type error, if there is one.
fn first_error(
    schema: &Schema,
    bytes: &[u8],
    name: &str,
    how: ExplainOptions<'_>,
) -> Option<(usize, String)> {
    let file = how.options.file(bytes);
    // The offsets of values in a damaged stream are known only to its spans.
    let are_alike = how.is_chunks == (file.framing() == Framing::Chunks);
    let mut values = schema.values_of(&file, name).ok().filter(|_| are_alike)?;
    let error = values.find_map(Checked::err)?;
    Some((error.offset()?, error.kind().to_string()))
}

/// The values of a file, all of one type. Each use reads them again.
struct Values<'a> {
    schema: &'a Schema,
    name: &'a str,
    file: File<'a>,
    count: usize,
    /// Number of their parts that are not in the schema.
    unknown: usize,
}

impl<'a> Values<'a> {
    fn each(&self) -> Checked<atd::Values<'a>> {
        self.schema.values_of(&self.file, self.name)
    }

    /// `2 parts that are not in the schema`.
    fn unknown_parts(&self) -> Option<String> {
        let count = || {
            format!(
                "{} that {} not in the schema",
                counted(self.unknown, "part"),
                are(self.unknown)
            )
        };
        (self.unknown > 0).then(count)
    }

    /// All values as JSON, if each has a form in JSON.
    fn parts(&self) -> Result<Part<'_>, String> {
        for value in self.each().map_err(|error| describe(&error))? {
            model::biniou::check_typed(value.map_err(|error| describe(&error))?)
                .map_err(|text| format!("{text}; without --schema it is shown"))?;
        }
        Ok(model::biniou::typed(self.schema, &self.file, self.name, self.count))
    }
}

impl Loaded for Values<'_> {
    fn reading(&self) -> Reading {
        let what = match (self.file.framing(), self.count) {
            (Framing::Values, 1) => self.name.to_owned(),
            (framing, count) => format!("{} of {}", counted_by(framing, count), self.name),
        };
        Reading::Good { what, suspicions: self.unknown_parts().into_iter().collect() }
    }

    fn left_out(&self) -> Option<String> {
        let left_out = match self.unknown {
            1 => "is left out; without --schema it is shown",
            _ => "are left out; without --schema they are shown",
        };
        self.unknown_parts().map(|parts| format!("{parts} {left_out}"))
    }

    fn write_canonical(&self, out: &mut dyn Write) -> Result<(), String> {
        self.file.write_canonical(out).map_err(|error| describe(&error))
    }

    fn report<'s>(&'s self, about: &About<'s>) -> Result<Box<dyn Report + 's>, String> {
        Ok(Box::new(BiniouReport::of(&self.file, Some(self.name), about)?))
    }

    fn document<'s>(&'s self, about: &About<'s>) -> Result<Document<'s>, Failure> {
        let part = self.parts().map_err(|error| Failure::data(about.name, error))?;
        let root = root(self.file.framing());
        Ok(Document { name: Biniou.name(), ty: Some(self.name), is_one: true, root, part })
    }
}
