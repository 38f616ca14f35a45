//! Converts values of an `.atd` type to Python objects, and back.

use std::sync::Arc;

use fourfold::biniou::Error;
use fourfold_schema::atd::{
    Float, Form as Json, Int, Parts, Presence, Record, Schema, Shape, Type, Value,
};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, Error as _, Expected, IntoDeserializer as _, MapAccess,
    SeqAccess, Unexpected, Visitor,
};
use serde::forward_to_deserialize_any;

use super::write::text_of;
use crate::error::{Refused, decode};
use crate::float::{exact_of, narrowed, widened};
use crate::given::atd_type;
use crate::input::{self, items};
use crate::levels;
use crate::numpy::{self, Array};
use crate::signals::{Shared, Signals, detached};

/// The object of one value, which must take all bytes. `hook` converts each dict, `place` an error of the bytes.
pub(super) fn value<'py>(
    py: Python<'py>,
    bytes: impl Shared,
    schema: &Arc<Schema>,
    name: &str,
    hook: Option<&Bound<'py, PyAny>>,
    place: impl FnOnce(Error) -> Error,
) -> PyResult<Bound<'py, PyAny>> {
    let bytes = Arc::new(bytes);
    let ty = check(py, Arc::clone(&bytes), schema, name, place)?;
    let mut reader = Reader { py, hook, signals: Signals::new(py), depth: 0 };
    Ok(reader.object(Value::unchecked(ty, &bytes))?)
}

/// The type of that name, of which the bytes are a value.
pub(super) fn check<'s>(
    py: Python<'_>,
    bytes: Arc<impl Shared>,
    schema: &'s Arc<Schema>,
    name: &str,
    place: impl FnOnce(Error) -> Error,
) -> PyResult<Type<'s>> {
    let ty = atd_type(schema, name)?;
    let (types, name) = (Arc::clone(schema), name.to_owned());
    let checked = detached(py, bytes.len(), move || types.to_value(&bytes, &name).map(drop))?;
    checked.map(|()| ty).map_err(|error| decode(py, &place(error)))
}

/// Converts values of an `.atd` type.
struct Reader<'py, 'h> {
    py: Python<'py>,
    hook: Option<&'h Bound<'py, PyAny>>,
    signals: Signals<'py>,
    /// How many values the next one is in.
    depth: u16,
}

impl<'py> Reader<'py, '_> {
    fn object(&mut self, value: Value<'_>) -> Result<Bound<'py, PyAny>, Refused> {
        self.signals.work(1)?;
        self.depth = self.depth.saturating_add(1);
        let object = self.parts(value)?;
        self.depth = self.depth.saturating_sub(1);
        Ok(object)
    }

    fn parts(&mut self, value: Value<'_>) -> Result<Bound<'py, PyAny>, Refused> {
        let py = self.py;
        Ok(match value.parts() {
            Parts::Bool(value) => PyBool::new(py, value).to_owned().into_any(),
            Parts::Int(number) => PyInt::new(py, number).into_any(),
            Parts::Float32(number) => PyFloat::new(py, widened(number)).into_any(),
            Parts::Float64(number) => PyFloat::new(py, number).into_any(),
            Parts::String(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => PyString::new(py, text).into_any(),
                Err(_) => PyBytes::new(py, bytes).into_any(),
            },
            Parts::Record(record) => self.record(record)?,
            Parts::Option(None) => py.None().into_bound(py),
            Parts::Option(Some(inner)) => {
                let inner = self.object(inner)?;
                if inner.is_none() {
                    let text =
                        "an option whose value is None, which Python cannot tell from no value";
                    return Err(
                        Refused::value(text).hint("read it by biniou.loads, as a NumVariant")
                    );
                }
                inner
            }
            Parts::List(list) | Parts::Tuple(list) => match value.form() {
                Ok(Json::Object(entries)) => {
                    let dict = PyDict::new(py);
                    let mut count = 0_usize;
                    for (name, value) in entries.iter() {
                        let value = self.object(value).map_err(|refused| refused.in_field(name))?;
                        dict.set_item(name, value)?;
                        count = count.saturating_add(1);
                    }
                    // A dict cannot repeat a key.
                    match dict.len() == count {
                        true => self.hooked(dict)?,
                        false => self.list(list.iter())?,
                    }
                }
                _ => self.list(list.iter())?,
            },
            Parts::Variant(variant, argument) => match (value.form(), argument) {
                (Ok(Json::Argument(inner)), _) => self.object(inner)?,
                (_, None) => PyString::intern(py, variant.json_name()).into_any(),
                (_, Some(argument)) => {
                    let name = PyString::intern(py, variant.json_name()).into_any();
                    let argument = self.object(argument).map_err(|refused| refused.at(1))?;
                    PyList::new(py, [name, argument])?.into_any()
                }
            },
            // A unit. `Parts` is `#[non_exhaustive]`.
            _ => py.None().into_bound(py),
        })
    }

    fn list<'a>(
        &mut self,
        items: impl Iterator<Item = Value<'a>>,
    ) -> Result<Bound<'py, PyAny>, Refused> {
        let list = PyList::empty(self.py);
        for (index, item) in items.enumerate() {
            list.append(self.object(item).map_err(|refused| refused.at(index))?)?;
        }
        Ok(list.into_any())
    }

    fn record(&mut self, record: Record<'_>) -> Result<Bound<'py, PyAny>, Refused> {
        let py = self.py;
        let dict = PyDict::new(py);
        let mut present = record.iter().peekable();
        for field in record.fields().iter() {
            let (name, key) = (field.json_name(), PyString::intern(py, field.json_name()));
            let found = present.next_if(|(there, _)| there.name() == field.name());
            match found {
                Some((_, value)) => {
                    dict.set_item(
                        key,
                        self.object(value).map_err(|refused| refused.in_field(name))?,
                    )?;
                }
                None if matches!(field.presence(), Presence::Optional) => {
                    dict.set_item(key, py.None())?;
                }
                None => {}
            }
        }
        self.hooked(dict)
    }

    fn hooked(&self, dict: Bound<'py, PyDict>) -> Result<Bound<'py, PyAny>, Refused> {
        match self.hook {
            Some(hook) => Ok(levels::call(hook, &dict, levels::left().saturating_sub(self.depth))?),
            None => Ok(dict.into_any()),
        }
    }
}

/// The bytes of an object of the given type.
///
/// `default` converts objects that are not supported.
pub(super) fn bytes_of<'py>(
    object: &Bound<'py, PyAny>,
    ty: Type<'_>,
    default: Option<&Bound<'py, PyAny>>,
) -> Result<Vec<u8>, Refused> {
    let (object, depth) = (numpy::plain(object)?, levels::left());
    ty.make(Source { ty, default, signals: &Signals::new(object.py()), depth, object })
}

/// An object that is written with a type.
struct Source<'py, 's, 'd> {
    object: Bound<'py, PyAny>,
    ty: Type<'s>,
    default: Option<&'d Bound<'py, PyAny>>,
    signals: &'d Signals<'py>,
    /// How many more levels `default` may be called in. The library counts those of the type.
    depth: u16,
}

/// The type itself, or the one that it wraps.
fn bare(mut ty: Type<'_>) -> Shape<'_> {
    /// More than a schema nests.
    const MOST: usize = 256;
    for _ in 0..MOST {
        match ty.shape() {
            Shape::Wrap(inner) => ty = inner,
            shape => return shape,
        }
    }
    Shape::Abstract
}

/// The type of a field's value: of `?field` that in the option.
fn written<'s>(ty: Type<'s>, presence: &Presence) -> Type<'s> {
    match (presence, ty.shape()) {
        (Presence::Optional, Shape::Option(inner) | Shape::Nullable(inner)) => inner,
        _ => ty,
    }
}

/// What an object is written as.
enum Form<'py, 's> {
    None,
    Some(Type<'s>),
    Unit,
    Bool(bool),
    Int(Bound<'py, PyInt>),
    Float(f64),
    Float32(f32),
    Text(Bound<'py, PyString>),
    Bytes(Bound<'py, PyBytes>),
    Dict(Bound<'py, PyDict>),
    Parts(Vec<Bound<'py, PyAny>>),
}

/// An integer of more than 64 bits, for a message.
fn large(number: &Bound<'_, PyInt>) -> PyResult<String> {
    /// Python refuses to print the digits of longer ones.
    const MOST: u64 = 256;
    let bits: u64 = number.call_method0("bit_length")?.extract()?;
    Ok(match bits {
        ..=MOST => format!("integer `{number}`"),
        _ => format!("integer of {bits} bits"),
    })
}

/// An integer that is written as a float.
fn float_of<'py, 's>(number: &Bound<'py, PyInt>) -> Result<Form<'py, 's>, Refused> {
    let inexact = || Refused::value("an integer that no float is equal to");
    exact_of(number)?.map(Form::Float).ok_or_else(inexact)
}

impl<'py, 's, 'd> Source<'py, 's, 'd> {
    /// The object with a type that is in its own.
    fn with(&self, ty: Type<'s>) -> Self {
        Source { object: self.object.clone(), ty, depth: self.depth.saturating_sub(1), ..*self }
    }

    fn part(&self, object: &Bound<'py, PyAny>, ty: Type<'s>) -> Result<Self, Refused> {
        self.signals.work(1)?;
        let depth = self.depth.saturating_sub(1);
        Ok(Source { object: numpy::plain(object)?, ty, depth, ..*self })
    }

    /// What `default` returns for the object.
    fn converted(self, default: &Bound<'py, PyAny>) -> Result<Self, Refused> {
        let too_deep = || Refused::value(levels::too_deep());
        let depth = self.depth.checked_sub(1).ok_or_else(too_deep)?;
        let object = numpy::plain(&levels::call(default, &self.object, depth)?)?;
        Ok(Source { object, depth, ..self })
    }

    /// `None` if the object has a type that is not supported.
    fn form(&self) -> Result<Option<Form<'py, 's>>, Refused> {
        let (object, shape) = (&self.object, bare(self.ty));
        if let Shape::Option(inner) = shape {
            return Ok(match object.is_none() {
                true => Some(Form::None),
                // What `default` returns may be `None`, so it takes the place of the option, not of the value in it.
                false => (!self.needs_default(inner)?).then_some(Form::Some(inner)),
            });
        }
        if object.is_none() {
            return Ok((shape == Shape::Unit).then_some(Form::Unit));
        }
        if let Ok(flag) = object.cast::<PyBool>() {
            return Ok((shape == Shape::Bool).then(|| Form::Bool(flag.is_true())));
        }
        Ok(match shape {
            Shape::Int(_) => numpy::integer(object)?.map(Form::Int),
            Shape::Float(size) => match object.cast::<PyFloat>() {
                // A cast would change the bits of NaN, and the library refuses finite numbers that become infinite.
                Ok(number) if size == Float::Float32 && !number.value().is_finite() => {
                    Some(Form::Float32(narrowed(number)?))
                }
                Ok(number) => Some(Form::Float(number.value())),
                Err(_) => numpy::integer(object)?.map(|number| float_of(&number)).transpose()?,
            },
            Shape::String if input::is_bytes(object) => Some(Form::Bytes(input::buffer(object)?)),
            Shape::String => object.cast::<PyString>().ok().cloned().map(Form::Text),
            Shape::Sum(_) if object.is_instance_of::<PyString>() => {
                object.cast::<PyString>().ok().cloned().map(Form::Text)
            }
            Shape::Record(_) => object.cast::<PyDict>().ok().cloned().map(Form::Dict),
            Shape::Object(_) if object.is_instance_of::<PyDict>() => {
                object.cast::<PyDict>().ok().cloned().map(Form::Dict)
            }
            Shape::List(_)
            | Shape::Object(_)
            | Shape::Table(_)
            | Shape::Tuple(_)
            | Shape::Sum(_) => self.parts()?.map(Form::Parts),
            _ => None,
        })
    }

    /// What the visitor expects, with the objects of Python in place of those of JSON.
    fn expected(&self, visitor: &dyn Expected) -> String {
        match bare(self.ty) {
            Shape::Unit => "None".to_owned(),
            Shape::Bool => "bool".to_owned(),
            Shape::Int(Int::Int64) => "an integer of 64 bits".to_owned(),
            Shape::String => "text or bytes".to_owned(),
            Shape::Record(_) => "a dict with a key for each field".to_owned(),
            Shape::Object(_) => "a dict, or a list of pairs".to_owned(),
            _ => visitor.to_string(),
        }
    }

    /// Whether `default` has to convert the object before it can be written with this type, which is in its own.
    fn needs_default(&self, ty: Type<'s>) -> Result<bool, Refused> {
        Ok(self.default.is_some() && self.depth > 0 && self.with(ty).form()?.is_none())
    }

    /// The items of a list or tuple, or those of an array's first axis.
    fn parts(&self) -> Result<Option<Vec<Bound<'py, PyAny>>>, Refused> {
        if let Ok(list) = self.object.cast::<PyList>() {
            return Ok(Some(list.iter().collect()));
        }
        if let Ok(tuple) = self.object.cast::<PyTuple>() {
            return Ok(Some(tuple.iter().collect()));
        }
        match Array::of(&self.object)? {
            Some(array) if !array.is_scalar() => Ok(Some(array.items()?)),
            _ => Ok(None),
        }
    }
}

impl<'de> Deserializer<'de> for Source<'_, '_, '_> {
    type Error = Refused;

    fn deserialize_any<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Refused> {
        let form = loop {
            match (self.form()?, self.default) {
                (Some(form), _) => break form,
                (None, Some(default)) => self = self.converted(default)?,
                (None, None) => {
                    let expected = format!("expected {}", self.expected(&visitor));
                    return Err(Refused::type_of(&self.object, &expected));
                }
            }
        };
        match form {
            Form::None => visitor.visit_none(),
            Form::Some(inner) => visitor.visit_some(self.with(inner)),
            Form::Unit => visitor.visit_unit(),
            Form::Bool(flag) => visitor.visit_bool(flag),
            Form::Int(number) => match number.extract::<i64>() {
                Ok(small) => visitor.visit_i64(small),
                Err(_) => {
                    let (found, expected) = (large(&number)?, self.expected(&visitor));
                    Err(Refused::invalid_value(Unexpected::Other(&found), &&*expected))
                }
            },
            Form::Float(number) => visitor.visit_f64(number),
            Form::Float32(number) => visitor.visit_f32(number),
            Form::Text(text) => visitor.visit_str(&text_of(&text)?),
            Form::Bytes(bytes) => visitor.visit_bytes(bytes.as_bytes()),
            Form::Dict(dict) => {
                let entries = items(&dict)?.into_iter();
                visitor.visit_map(Entries { entries, whole: self, value: None })
            }
            Form::Parts(parts) => {
                let parts = parts.into_iter().enumerate();
                visitor.visit_seq(Parted { parts, whole: self, name: None })
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Refused> {
        let inner = match bare(self.ty) {
            Shape::Nullable(inner) => inner,
            _ => self.ty,
        };
        while !self.object.is_none() {
            match self.default {
                Some(default) if self.needs_default(inner)? => self = self.converted(default)?,
                _ => return visitor.visit_some(self.with(inner)),
            }
        }
        visitor.visit_none()
    }

    /// An item too many, which the caller refuses.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
    }
}

/// The items of a list.
struct Parted<'py, 's, 'd> {
    parts: std::iter::Enumerate<std::vec::IntoIter<Bound<'py, PyAny>>>,
    whole: Source<'py, 's, 'd>,
    /// The name of the variant, if it is one.
    name: Option<String>,
}

impl<'de> SeqAccess<'de> for Parted<'_, '_, '_> {
    type Error = Refused;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Refused> {
        let Some((index, part)) = self.parts.next() else { return Ok(None) };
        let ty = match bare(self.whole.ty) {
            Shape::List(item) | Shape::Object(item) | Shape::Table(item) => Some(item),
            Shape::Tuple(cells) => cells.get(index).map(|cell| cell.ty()),
            Shape::Sum(variants) => {
                if index == 0 {
                    let Ok(name) = part.cast::<PyString>() else {
                        let expected = "the first item of a variant is its name";
                        return Err(Refused::type_of(&part, expected).at(index));
                    };
                    let name = text_of(name).map_err(|refused| refused.at(index))?;
                    self.name = Some(name.as_ref().to_owned());
                    let name: StrDeserializer<'_, Refused> = name.as_ref().into_deserializer();
                    return seed.deserialize(name).map(Some);
                }
                let named = |name: &str| Some(name) == self.name.as_deref();
                let mut known = variants.iter().filter(|variant| named(variant.json_name()));
                known.find_map(|variant| variant.argument())
            }
            _ => None,
        };
        // The reader counts items that are too many, and refuses them.
        let ty = ty.unwrap_or(self.whole.ty);
        let part = self.whole.part(&part, ty).map_err(|refused| refused.at(index))?;
        seed.deserialize(part).map(Some).map_err(|refused| refused.at(index))
    }
}

/// The entries of a dict.
struct Entries<'py, 's, 'd> {
    entries: std::vec::IntoIter<(Bound<'py, PyAny>, Bound<'py, PyAny>)>,
    whole: Source<'py, 's, 'd>,
    /// The name and value of the entry that was begun.
    value: Option<(String, Bound<'py, PyAny>)>,
}

impl<'de> MapAccess<'de> for Entries<'_, '_, '_> {
    type Error = Refused;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Refused> {
        let Some((key, value)) = self.entries.next() else { return Ok(None) };
        let Ok(name) = key.cast::<PyString>() else {
            return Err(Refused::type_of(&key, "names are str"));
        };
        let name = text_of(name)?.into_owned();
        let text: StrDeserializer<'_, Refused> = name.as_str().into_deserializer();
        let key = seed.deserialize(text)?;
        self.value = Some((name, value));
        Ok(Some(key))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Refused> {
        let Some((name, value)) = self.value.take() else {
            return Err(Refused::custom("an entry without a key"));
        };
        let ty = match bare(self.whole.ty) {
            Shape::Record(fields) => {
                let field = fields.iter().find(|field| field.json_name() == name);
                field.map(|field| written(field.ty(), field.presence()))
            }
            Shape::Object(item) => match bare(item) {
                Shape::Tuple(cells) => cells.get(1).map(|cell| cell.ty()),
                _ => None,
            },
            _ => None,
        };
        let Some(ty) = ty else {
            return Err(Refused::custom("an entry of a type without entries"));
        };
        let value = self.whole.part(&value, ty).and_then(|value| seed.deserialize(value));
        value.map_err(|refused| refused.in_field(&name))
    }
}
