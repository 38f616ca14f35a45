//! Values as serde shows them to formats such as JSON: in the form of atdgen's JSON. Knows that form, does not know
//! bytes.

use serde_core::ser::{Error as _, Serialize, SerializeMap as _, Serializer};

use super::shape::{Int, Shape};
use super::value::{List, Parts, Record, Value};

/// The variants of an option.
pub(super) const NONE: &str = "None";
pub(super) const SOME: &str = "Some";

/// The JSON of `atdgen -j -j-std`, but for what the [module](super) says.
impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let shape = self.ty().unwrapped();
        match self.parts() {
            Parts::Unit => serializer.serialize_unit(),
            Parts::Bool(value) => serializer.serialize_bool(value),
            Parts::Int(number) if shape == Shape::Int(Int::Int64) => {
                serializer.collect_str(&number)
            }
            Parts::Int(number) => serializer.serialize_i64(number),
            Parts::Float32(number) => float(f64::from(number), serializer),
            Parts::Float64(number) => float(number, serializer),
            Parts::String(bytes) => match core::str::from_utf8(bytes) {
                Ok(text) => serializer.serialize_str(text),
                Err(_) => serializer.collect_seq(bytes),
            },
            Parts::List(list) if matches!(shape, Shape::Object(_)) && has_keys(list) => {
                let mut map = serializer.serialize_map(Some(list.len()))?;
                for pair in list.iter() {
                    if let Some((key, value)) = entry(pair) {
                        map.serialize_entry(&key, &value)?;
                    }
                }
                map.end()
            }
            Parts::List(list) | Parts::Tuple(list) => serializer.collect_seq(list.iter()),
            Parts::Record(record) => record.serialize(serializer),
            Parts::Variant(variant, None) => serializer.serialize_str(variant.json_name()),
            Parts::Variant(variant, Some(argument)) => {
                if is_bare(shape, argument) {
                    return argument.serialize(serializer);
                }
                (variant.json_name(), argument).serialize(serializer)
            }
            Parts::Option(inner) => match (shape, inner) {
                (Shape::Nullable(_), None) => serializer.serialize_none(),
                (Shape::Nullable(_), Some(inner)) if is_null(inner) => {
                    Err(S::Error::custom("JSON cannot tell null inside of a nullable from none"))
                }
                (Shape::Nullable(_), Some(inner)) => serializer.serialize_some(&inner),
                (_, None) => serializer.serialize_str(NONE),
                (_, Some(inner)) => (SOME, inner).serialize(serializer),
            },
        }
    }
}

fn float<S: Serializer>(number: f64, serializer: S) -> Result<S::Ok, S::Error> {
    match number.is_finite() {
        true => serializer.serialize_f64(number),
        false => Err(S::Error::custom("JSON has no NaN and no infinity")),
    }
}

fn is_null(value: Value<'_>) -> bool {
    matches!(value.parts(), Parts::Unit)
        || matches!(value.ty().unwrapped(), Shape::Nullable(_))
            && matches!(value.parts(), Parts::Option(None))
}

/// Whether the argument of a variant stands alone, as the text that no other variant is named by.
fn is_bare(shape: Shape<'_>, argument: Value<'_>) -> bool {
    let Shape::Sum(variants) = shape else { return false };
    let Parts::String(bytes) = argument.parts() else { return false };
    let is_name =
        |text: &str| variants.iter().any(|it| it.argument().is_none() && it.json_name() == text);
    variants.is_open() && core::str::from_utf8(bytes).is_ok_and(|text| !is_name(text))
}

/// Whether all items are pairs with text in front.
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

/// The fields that are there.
impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(field, value)| (field.json_name(), value)))
    }
}
