//! Converts Python objects to values of a Molecule type.

use fourfold::molecule::wire::NUMBER_SIZE;
use fourfold_schema::mol::{Fields, NumberType, Shape, Type};
use fourfold_schema::suggestion;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyInt, PyList, PyMemoryView, PyString, PyTuple};

use super::form::{Form, Key};
use crate::error::Refused;
use crate::input;
use crate::levels;
use crate::numpy::{self, Array};
use crate::signals::{Signals, drop_elsewhere};

/// The key for the bytes of fields that the schema does not have.
pub(super) const EXTRA: &str = "$extra";

/// The bytes of an integer.
fn number_of(
    object: &Bound<'_, PyInt>,
    ty: Type<'_>,
    number: NumberType,
) -> Result<Vec<u8>, Refused> {
    // `__format__` of a subclass of `int` may return another text.
    let digits = object.py().get_type::<PyInt>().call_method1("__format__", (object, "d"))?;
    let bytes = number.parse(digits.cast::<PyString>().map_err(PyErr::from)?.to_cow()?.as_ref());
    let wrong = || Refused::value(format!("integer out of range for {}", ty.name()));
    bytes.ok_or_else(wrong)
}

/// The value of an object for the given type, and about how many bytes it has. `default` converts objects that are not
/// supported.
pub(super) fn form<'py>(
    object: &Bound<'py, PyAny>,
    ty: Type<'_>,
    default: Option<&Bound<'py, PyAny>>,
) -> Result<(Form, usize), Refused> {
    let mut writer = Writer { default, signals: Signals::new(object.py()), len: 0 };
    let form = writer.form(object, ty, levels::left())?;
    Ok((form, writer.len))
}

struct Writer<'py, 'd> {
    default: Option<&'d Bound<'py, PyAny>>,
    signals: Signals<'py>,
    len: usize,
}

impl<'py> Writer<'py, '_> {
    fn form(
        &mut self,
        object: &Bound<'py, PyAny>,
        ty: Type<'_>,
        depth: u16,
    ) -> Result<Form, Refused> {
        self.signals.work(1)?;
        let too_deep = || Refused::value(levels::too_deep());
        let depth = depth.checked_sub(1).ok_or_else(too_deep)?;
        let form = match (self.of_object(object, ty, depth), self.default) {
            (Err(refused), Some(default)) if refused.is_type_of_whole() => {
                return self.form(&levels::call(default, object, depth)?, ty, depth);
            }
            (made, _) => made?,
        };
        let len = if let Form::Bytes(bytes) = &form { bytes.len() } else { 0 };
        self.len = self.len.saturating_add(len).saturating_add(NUMBER_SIZE);
        Ok(form)
    }

    fn of_object(
        &mut self,
        object: &Bound<'py, PyAny>,
        ty: Type<'_>,
        depth: u16,
    ) -> Result<Form, Refused> {
        match ty.shape() {
            Shape::Option(_) if object.is_none() => Ok(Form::Nothing),
            // `form` would call `default` for the value in the option, and that may return `None`.
            Shape::Option(inner) => self.of_object(object, inner, depth),
            Shape::Byte => match numpy::integer(object)?.map(|number| number.extract::<u8>()) {
                Some(Ok(byte)) => Ok(Form::Byte(byte)),
                Some(Err(_)) => Err(Refused::value("integer is not from 0 to 255")),
                None => Err(wanted(object, ty, "int")),
            },
            Shape::Array(item, size) if item.shape() == Shape::Byte => {
                bytes(object, ty, Some(size))
            }
            Shape::FixVec(item) if item.shape() == Shape::Byte => bytes(object, ty, None),
            Shape::Array(item, count) => self.list(object, ty, item, Some(count), depth),
            Shape::FixVec(item) | Shape::DynVec(item) => self.list(object, ty, item, None, depth),
            Shape::Struct(fields) | Shape::Table(fields) => self.record(object, ty, fields, depth),
            Shape::Union(items) => {
                let is_own = object.get_type().fully_qualified_name()? == "fourfold.molecule.Union";
                if !is_own {
                    return Err(wanted(object, ty, "fourfold.molecule.Union"));
                }
                let name: String = object.getattr("type")?.extract()?;
                let mut all = (0..).zip(items.iter());
                let Some((place, item)) = all.find(|(_, item)| item.ty().name() == name) else {
                    return Err(Refused::value(format!("the union {} has no {name:?}", ty.name())));
                };
                let value = self.form(&object.getattr("value")?, item.ty(), depth);
                Ok(Form::Union(
                    place,
                    Box::new(value.map_err(|refused| refused.in_field("value"))?),
                ))
            }
            _ => Err(Refused::value(format!("the type {} is not supported", ty.name()))),
        }
    }

    fn list(
        &mut self,
        object: &Bound<'py, PyAny>,
        ty: Type<'_>,
        item: Type<'_>,
        count: Option<usize>,
        depth: u16,
    ) -> Result<Form, Refused> {
        // The items themselves: a subclass of `list` or `tuple` may override `__iter__`.
        let items = match (object.cast::<PyList>(), object.cast::<PyTuple>()) {
            (Ok(list), _) => self.items(list.iter(), item, depth)?,
            (_, Ok(tuple)) => self.items(tuple.iter(), item, depth)?,
            _ => match Array::of(object)? {
                Some(array) if array.has_items()? => {
                    self.items(array.items()?.into_iter(), item, depth)?
                }
                _ => return Err(wanted(object, ty, "list")),
            },
        };
        match count {
            Some(count) if count != items.len() => {
                let text = format!("{} items, but {} has {count}", items.len(), ty.name());
                Err(Refused::value(text))
            }
            _ => Ok(Form::List(items)),
        }
    }

    fn items(
        &mut self,
        parts: impl Iterator<Item = Bound<'py, PyAny>>,
        item: Type<'_>,
        depth: u16,
    ) -> Result<Vec<Form>, Refused> {
        let mut items = Vec::new();
        for (index, part) in parts.enumerate() {
            match self.form(&part, item, depth) {
                Ok(form) => items.push(form),
                Err(refused) => {
                    drop_elsewhere(items);
                    return Err(refused.at(index));
                }
            }
        }
        Ok(items)
    }

    fn record(
        &mut self,
        object: &Bound<'py, PyAny>,
        ty: Type<'_>,
        fields: Fields<'_>,
        depth: u16,
    ) -> Result<Form, Refused> {
        let Ok(dict) = object.cast::<PyDict>() else { return Err(wanted(object, ty, "dict")) };
        let mut parts = Vec::new();
        let mut met = 0;
        for (place, field) in (0..).zip(fields.iter()) {
            let name = field.name();
            let part = match dict.get_item(name)? {
                Some(part) => {
                    met += 1;
                    self.form(&part, field.ty(), depth).map_err(|refused| refused.in_field(name))?
                }
                None if matches!(field.ty().shape(), Shape::Option(_)) => Form::Nothing,
                None => {
                    return Err(Refused::value(format!(
                        "the object lacks the field {name:?} of {}",
                        ty.name()
                    )));
                }
            };
            parts.push((Key::Place(place), part));
        }
        if let Some(extra) = dict.get_item(EXTRA)?.filter(|_| matches!(ty.shape(), Shape::Table(_)))
        {
            met += 1;
            parts.push((Key::Name(EXTRA), extra_form(&extra)?));
        }
        if met == dict.len() {
            return Ok(Form::Record(parts));
        }
        let is_table = matches!(ty.shape(), Shape::Table(_));
        let is_known = |name: &Bound<'_, PyAny>| {
            name.cast::<PyString>().ok().and_then(|name| name.to_cow().ok()).is_some_and(|name| {
                (is_table && name == EXTRA) || fields.iter().any(|field| field.name() == name)
            })
        };
        let unknown = dict.keys().iter().find(|name| !is_known(name));
        let unknown = unknown.map_or_else(String::new, |name| {
            let text = name.str().map(|name| name.to_string()).unwrap_or_default();
            let known = fields.iter().map(|field| field.name());
            format!(" {name:?}{}", suggestion(&text, known))
        });
        Err(Refused::value(format!("the schema's {} has no field{unknown}", ty.name())))
    }
}

fn wanted(object: &Bound<'_, PyAny>, ty: Type<'_>, class: &str) -> Refused {
    let expected = format!("the type {} takes {class}", ty.name());
    let array = match Array::of(object) {
        Ok(Some(array)) => array,
        Ok(None) => return Refused::type_of(object, &expected),
        Err(refused) => return refused,
    };
    let refused =
        Refused::type_error(format!("{} is not supported here ({expected})", array.name()));
    match (class, array.kind()) {
        ("int" | "list", 'f' | 'M' | 'm') => refused.hint("convert it by .astype('int64')"),
        ("bytes", 'b' | 'i' | 'u' | 'f') if !array.is_scalar() && array.size() > 1 => {
            refused.hint("convert it by .astype('uint8')")
        }
        ("bytes", _) => refused.hint("convert it by .tobytes()"),
        ("dict", 'V') if array.is_scalar() => {
            refused.hint("convert it by dict(zip(it.dtype.names, it.tolist()))")
        }
        _ => refused,
    }
}

/// Bytes, or an integer for a type with a number.
fn bytes(object: &Bound<'_, PyAny>, ty: Type<'_>, size: Option<usize>) -> Result<Form, Refused> {
    let bytes = match (numpy::integer(object)?, ty.number()) {
        (Some(object), Some(number)) => number_of(&object, ty, number)?,
        _ if is_buffer(object) => input::buffer(object)?.as_bytes().to_vec(),
        (_, is_number) => match Array::of(object)? {
            Some(array) if array.is_bytes()? => array.bytes()?.as_bytes().to_vec(),
            _ if is_number.is_some() => return Err(wanted(object, ty, "int")),
            _ => return Err(wanted(object, ty, "bytes")),
        },
    };
    match size {
        Some(size) if size != bytes.len() => {
            let found = bytes.len();
            let text = format!("{found} bytes, but {} has {size}", ty.name());
            Err(Refused::value(text))
        }
        _ => Ok(Form::Bytes(bytes)),
    }
}

fn is_buffer(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<PyBytes>()
        || object.is_instance_of::<PyByteArray>()
        || object.is_instance_of::<PyMemoryView>()
}

/// The bytes of fields that the schema does not have.
fn extra_form(extra: &Bound<'_, PyAny>) -> Result<Form, Refused> {
    use std::fmt::Write as _;
    let mut fields = Vec::new();
    for field in extra.try_iter()? {
        let bytes = input::buffer(&field?)?;
        let mut text = String::from("0x");
        for byte in bytes.as_bytes() {
            write!(text, "{byte:02x}").map_err(|_| Refused::value("out of memory"))?;
        }
        fields.push(Form::Text(text));
    }
    Ok(Form::List(fields))
}
