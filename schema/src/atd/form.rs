//! Values as serde serializes them for formats such as JSON: in the form of atdgen's JSON.

use std::borrow::Cow;

use serde_core::ser::{Error as _, Serialize, SerializeMap, Serializer};

use super::shape::{Int, Shape};
use super::value::{List, Parts, Record, Value};

/// The variants of an option.
pub(super) const NONE: &str = "None";
pub(super) const SOME: &str = "Some";

/// What a value is in JSON, one level of it: in the form that its [`Serialize`] shows.
///
/// ```
/// use fourfold::biniou::to_vec;
/// use fourfold_schema::atd::{Form, Schema};
///
/// let schema = Schema::parse("type names = (string * int) list <json repr=\"object\">")?;
/// let bytes = to_vec(&vec![("one", 1), ("two", 2)])?;
/// let Form::Object(entries) = schema.to_value(&bytes, "names")?.form()? else { panic!() };
/// let names: Vec<&str> = entries.iter().map(|(name, _)| name).collect();
/// assert_eq!(names, ["one", "two"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Form<'a> {
    /// A unit, or none of a nullable.
    Null,
    /// A bool.
    Bool(bool),
    /// A number.
    Int(i64),
    /// A number. One that is not finite has no JSON, so that [`Serialize`] refuses it.
    Float(f64),
    /// Text.
    Text(Cow<'a, str>),
    /// A list of numbers: a string that is not UTF-8.
    Bytes(&'a [u8]),
    /// A list.
    List(List<'a>),
    /// An object.
    Object(Entries<'a>),
    /// A list of the name of a variant and its argument.
    Variant(&'a str, Value<'a>),
    /// What the value in a nullable is.
    Nullable(Value<'a>),
    /// What the argument is of a variant without its name.
    Argument(Value<'a>),
}

impl<'a> Value<'a> {
    /// What it is in JSON.
    ///
    /// # Errors
    ///
    /// Why it has no JSON.
    pub fn form(self) -> Result<Form<'a>, &'static str> {
        let shape = self.ty().unwrapped();
        Ok(match self.parts() {
            Parts::Unit => Form::Null,
            Parts::Bool(value) => Form::Bool(value),
            Parts::Int(number) if shape == Shape::Int(Int::Int64) => {
                Form::Text(number.to_string().into())
            }
            Parts::Int(number) => Form::Int(number),
            Parts::Float32(number) => Form::Float(f64::from(number)),
            Parts::Float64(number) => Form::Float(number),
            Parts::String(bytes) => match core::str::from_utf8(bytes) {
                Ok(text) => Form::Text(text.into()),
                Err(_) => Form::Bytes(bytes),
            },
            Parts::List(list) if matches!(shape, Shape::Object(_)) && has_keys(list) => {
                Form::Object(Entries(Source::Pairs(list)))
            }
            Parts::List(list) | Parts::Tuple(list) => Form::List(list),
            Parts::Record(record) => Form::Object(Entries(Source::Fields(record))),
            Parts::Variant(variant, None) => Form::Text(variant.json_name().into()),
            Parts::Variant(_, Some(argument)) if is_bare(shape, argument) => {
                Form::Argument(argument)
            }
            Parts::Variant(variant, Some(argument)) => Form::Variant(variant.json_name(), argument),
            Parts::Option(inner) => match (shape, inner) {
                (Shape::Nullable(_), None) => Form::Null,
                (Shape::Nullable(_), Some(inner)) if is_null(inner) => {
                    return Err("JSON cannot distinguish null in a nullable from none");
                }
                (Shape::Nullable(_), Some(inner)) => Form::Nullable(inner),
                (_, None) => Form::Text(NONE.into()),
                (_, Some(inner)) => Form::Variant(SOME, inner),
            },
        })
    }
}

/// The fields of an object.
#[derive(Clone, Copy, Debug)]
pub struct Entries<'a>(Source<'a>);

#[derive(Clone, Copy, Debug)]
enum Source<'a> {
    /// The fields of a record that are there.
    Fields(Record<'a>),
    /// Pairs of text and value.
    Pairs(List<'a>),
}

impl<'a> Entries<'a> {
    /// How many there are.
    fn count(self) -> usize {
        match self.0 {
            Source::Fields(record) => record.iter().count(),
            Source::Pairs(list) => list.len(),
        }
    }

    /// Their names and values, in order.
    pub fn iter(self) -> impl Iterator<Item = (&'a str, Value<'a>)> {
        let (record, list) = match self.0 {
            Source::Fields(record) => (Some(record), None),
            Source::Pairs(list) => (None, Some(list)),
        };
        let fields = record.into_iter().flat_map(Record::iter);
        let pairs = list.into_iter().flat_map(|list| list.iter().filter_map(entry));
        fields.map(|(field, value)| (field.json_name(), value)).chain(pairs)
    }
}

/// The JSON of `atdgen -j -j-std`, with the exceptions of the [module](super).
impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.form().map_err(S::Error::custom)? {
            // None of a nullable is that in formats which distinguish them.
            Form::Null if matches!(self.parts(), Parts::Option(_)) => serializer.serialize_none(),
            Form::Null => serializer.serialize_unit(),
            Form::Bool(value) => serializer.serialize_bool(value),
            Form::Int(number) => serializer.serialize_i64(number),
            Form::Float(number) if number.is_finite() => serializer.serialize_f64(number),
            Form::Float(_) => Err(S::Error::custom("JSON has no NaN and no infinity")),
            Form::Text(text) => serializer.serialize_str(&text),
            Form::Bytes(bytes) => serializer.collect_seq(bytes),
            Form::List(list) => serializer.collect_seq(list.iter()),
            Form::Object(entries) => {
                let mut map = serializer.serialize_map(Some(entries.count()))?;
                entries.iter().try_for_each(|(name, value)| map.serialize_entry(name, &value))?;
                map.end()
            }
            Form::Variant(name, argument) => (name, argument).serialize(serializer),
            Form::Nullable(inner) => serializer.serialize_some(&inner),
            Form::Argument(inner) => inner.serialize(serializer),
        }
    }
}

fn is_null(value: Value<'_>) -> bool {
    matches!(value.parts(), Parts::Unit)
        || matches!(value.ty().unwrapped(), Shape::Nullable(_))
            && matches!(value.parts(), Parts::Option(None))
}

/// Whether the argument of a variant is written alone, as the text that no other variant is named by.
fn is_bare(shape: Shape<'_>, argument: Value<'_>) -> bool {
    let Shape::Sum(variants) = shape else { return false };
    let Parts::String(bytes) = argument.parts() else { return false };
    let is_name =
        |text: &str| variants.iter().any(|it| it.argument().is_none() && it.json_name() == text);
    variants.is_open() && core::str::from_utf8(bytes).is_ok_and(|text| !is_name(text))
}

/// Whether all items are pairs whose first cell is text.
fn has_keys(list: List<'_>) -> bool {
    list.iter().all(|pair| entry(pair).is_some())
}

fn entry<'a>(pair: Value<'a>) -> Option<(&'a str, Value<'a>)> {
    let Parts::Tuple(cells) = pair.parts() else { return None };
    let mut cells = cells.iter();
    let Parts::String(key) = cells.next()?.parts() else { return None };
    let value = cells.next()?;
    match cells.next() {
        Some(_) => None,
        None => Some((core::str::from_utf8(key).ok()?, value)),
    }
}
