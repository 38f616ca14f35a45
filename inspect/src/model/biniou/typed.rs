//! Values with a schema to JSON, in the form in which the library shows them. The items of lists are converted
//! lazily, so long lists take no memory.

use fourfold::biniou::{File, Framing};
use fourfold_schema::atd::{Form, List, Parts, Schema, Value};

use super::CHUNKS;
use crate::model::items::Listed;
use crate::model::{Items, Part, VALUE, VALUES, float};

/// A value, with everything in it except for the items of lists.
pub fn part(value: Value<'_>) -> Part<'_> {
    match value.parts() {
        Parts::Float32(float) if !float.is_finite() => return float::view32(float),
        Parts::Float64(float) if !float.is_finite() => return float::view64(float),
        _ => {}
    }
    // Values without JSON were refused before.
    match value.form().unwrap_or(Form::Null) {
        Form::Bool(value) => Part::Bool(value),
        Form::Int(number) => Part::integer(number),
        Form::Float(number) => Part::Float64(number),
        Form::Text(text) => Part::Text(text),
        Form::Bytes(bytes) => Part::Items(Items::Bytes(bytes)),
        Form::List(list) => Part::Items(Items::Typed(list)),
        Form::Object(entries) => {
            Part::Map(entries.iter().map(|(name, it)| (name.into(), part(it))).collect())
        }
        Form::Variant(name, argument) => Part::List(vec![Part::text(name), part(argument)]),
        Form::Nullable(inner) | Form::Argument(inner) => part(inner),
        // There are no others.
        _ => Part::Null,
    }
}

/// # Errors
///
/// Why a value has no JSON.
pub fn check(value: Value<'_>) -> Result<(), String> {
    match value.form()? {
        Form::List(list) => list.iter().try_for_each(check),
        Form::Object(entries) => entries.iter().try_for_each(|(_, part)| check(part)),
        Form::Variant(_, inner) | Form::Nullable(inner) | Form::Argument(inner) => check(inner),
        _ => Ok(()),
    }
}

impl<'a> Listed<'a> for List<'a> {
    fn len(&self) -> usize {
        List::len(*self)
    }

    fn iter(&self) -> Box<dyn Iterator<Item = Part<'a>> + 'a> {
        Box::new(List::iter(*self).map(part))
    }
}

/// The first `count` values of a file, which were checked.
pub fn document<'a>(
    schema: &'a Schema,
    file: &'a File<'a>,
    name: &'a str,
    count: usize,
) -> Part<'a> {
    let values = Values { schema, file, name, count };
    match (file.framing(), count) {
        (Framing::Chunks, _) => Part::map([(CHUNKS, Part::Items(Items::TypedValues(values)))]),
        (Framing::Values, 1) => Part::map([(VALUE, values.get(0).unwrap_or(Part::Null))]),
        (Framing::Values, _) => Part::map([(VALUES, Part::Items(Items::TypedValues(values)))]),
    }
}

/// The values of a file.
#[derive(Clone, Copy, Debug)]
pub struct Values<'a> {
    schema: &'a Schema,
    file: &'a File<'a>,
    name: &'a str,
    count: usize,
}

impl<'a> Listed<'a> for Values<'a> {
    fn len(&self) -> usize {
        self.count
    }

    fn iter(&self) -> Box<dyn Iterator<Item = Part<'a>> + 'a> {
        let Values { schema, file, name, .. } = *self;
        let is_chunk = file.framing() == Framing::Chunks;
        let values = schema.values_of(file, name).into_iter().flatten().filter_map(Result::ok);
        Box::new(values.map(move |value| match is_chunk {
            true => Part::map([(VALUE, part(value))]),
            false => part(value),
        }))
    }
}
