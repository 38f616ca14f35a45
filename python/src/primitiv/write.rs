//! Converts Python objects to primitiv files.

use std::collections::HashSet;

use fourfold::primitiv::{
    Configs, Data, Key, Model, Name, Optimizer, Parameter, Shape, Statistic, Tensor,
};
use fourfold_inspect::failure::describe;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyTuple};

use crate::array::{Order, bytes_of, is_array, of_object, shape_of};
use crate::error::{Refused, in_range};
use crate::float::narrowed;
use crate::input::items;
use crate::numpy::{Array, plain};

const EXPECTED: &str =
    "supported: numpy.ndarray of float32, dict, and the classes of fourfold.primitiv";

/// The contents of a file with this object.
pub(super) fn data(object: &Bound<'_, PyAny>) -> Result<Data<'static>, Refused> {
    if let Ok(model) = object.cast::<PyDict>() {
        return self::model(model).map(Data::Model);
    }
    match own_class(object)?.as_deref() {
        Some("Shape") => {
            let py = object.py();
            let dims: Vec<u32> = in_range(py, object.getattr("dims")?.extract(), "a size")?;
            let batch: u32 = in_range(py, object.getattr("batch")?.extract(), "the batch")?;
            let shape = Shape::new(&dims).and_then(|shape| shape.with_batch(batch));
            Ok(Data::Shape(shape.map_err(refused)?))
        }
        Some("Parameter") => parameter(object).map(Data::Parameter),
        Some("Optimizer") => optimizer(object).map(Data::Optimizer),
        _ => tensor(object).map(Data::Tensor),
    }
}

fn refused(error: fourfold::primitiv::Error) -> Refused {
    Refused::value(describe(&error))
}

/// The name of the class, if it is one of `fourfold.primitiv`.
fn own_class(object: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    let class = object.get_type();
    match class.module()? == "fourfold.primitiv" {
        true => Ok(Some(class.name()?.to_string())),
        false => Ok(None),
    }
}

fn tensor(object: &Bound<'_, PyAny>) -> Result<Tensor<'static>, Refused> {
    let py = object.py();
    let (array, is_batch) = match own_class(object)?.as_deref() {
        Some("Batch") => (object.getattr(intern!(py, "array"))?, true),
        _ => (object.clone(), false),
    };
    if !is_array(&array)? {
        let refused = Refused::type_of(&array, EXPECTED);
        return Err(match array.is_instance_of::<PyList>() || array.is_instance_of::<PyTuple>() {
            true => refused.hint("convert it by numpy.array(it, 'float32')"),
            false => refused,
        });
    }
    let array = of_object(&array)?;
    let dtype = array.getattr(intern!(py, "dtype"))?.getattr(intern!(py, "str"))?;
    let dtype: String = dtype.extract()?;
    if dtype != "<f4" {
        return Err(no_float32(&array)?);
    }
    let mut dims: Vec<u32> = shape_of(&array)?;
    let batch = if is_batch { dims.pop().unwrap_or(1) } else { 1 };
    let shape = Shape::new(&dims).and_then(|shape| shape.with_batch(batch)).map_err(refused)?;
    Tensor::new(shape, bytes_of(&array, Order::ColumnMajor)?).map_err(refused)
}

fn no_float32(array: &Bound<'_, PyAny>) -> Result<Refused, Refused> {
    let Some(array) = Array::of(array)? else { return Ok(Refused::type_of(array, EXPECTED)) };
    let text = format!("{}: primitiv has only float32", array.name());
    Ok(match array.kind() {
        'c' => Refused::type_error(text)
            .hint("use .real.astype('float32') and .imag.astype('float32')"),
        _ if array.has_fields()? => Refused::type_error(text),
        _ => Refused::type_error(text).hint("convert it by .astype('float32')"),
    })
}

fn parameter(object: &Bound<'_, PyAny>) -> Result<Parameter<'static>, Refused> {
    let value = tensor(&object.getattr("value")?).map_err(|error| error.in_field("value"))?;
    let mut parameter = Parameter::new(value).map_err(refused)?;
    let stats = object.getattr("stats")?;
    for (own, stat) in items(stats.cast::<PyDict>().map_err(PyErr::from)?)? {
        let name = name_of(&own)?;
        let value = tensor(&stat).map_err(|error| error.in_field(&shown(&own)))?;
        parameter.stats_mut().push(Statistic { name, value });
    }
    let names = parameter.stats().iter().map(|stat| &stat.name);
    refuse_twins(names)?;
    Ok(parameter)
}

fn name_of(name: &Bound<'_, PyAny>) -> Result<Name<'static>, Refused> {
    if let Ok(text) = name.cast::<PyString>() {
        return match text.to_cow() {
            Ok(text) => Ok(Name::from(text.into_owned())),
            Err(_) => Err(Refused::value("a name with a surrogate, which UTF-8 cannot encode")),
        };
    }
    match name.cast::<PyBytes>() {
        Ok(bytes) => Ok(Name::from(bytes.as_bytes().to_vec())),
        Err(_) => Err(Refused::type_of(name, "names are str, or bytes")),
    }
}

/// Refuses a name that is given both as `str` and as `bytes`.
fn refuse_twins<'n>(names: impl Iterator<Item = &'n Name<'static>>) -> Result<(), Refused> {
    let mut met = HashSet::new();
    for name in names {
        if !met.insert(name.as_bytes()) {
            return Err(Refused::value(TWINS).in_field(&String::from_utf8_lossy(name.as_bytes())));
        }
    }
    Ok(())
}

const TWINS: &str = "the name is given both as str and as bytes";

fn shown(name: &Bound<'_, PyAny>) -> String {
    name.str().map_or_else(|_| "?".into(), |name| name.to_string())
}

/// The depth limit of nested models.
const MOST_DEPTH: usize = 128;

fn model(dict: &Bound<'_, PyDict>) -> Result<Model<'static>, Refused> {
    let mut model = Model::new();
    fill(&mut model, dict, &mut Vec::new())?;
    Ok(model)
}

fn fill(
    model: &mut Model<'static>,
    dict: &Bound<'_, PyDict>,
    way: &mut Vec<Name<'static>>,
) -> Result<(), Refused> {
    if way.len() > MOST_DEPTH {
        return Err(Refused::value(format!("nested deeper than {MOST_DEPTH} levels")));
    }
    for (own, part) in items(dict)? {
        way.push(name_of(&own)?);
        put(model, &part, way).map_err(|error| error.in_field(&shown(&own)))?;
        way.pop();
    }
    Ok(())
}

fn put(
    model: &mut Model<'static>,
    part: &Bound<'_, PyAny>,
    way: &mut Vec<Name<'static>>,
) -> Result<(), Refused> {
    let parameter = match part.cast::<PyDict>() {
        Ok(dict) if dict.is_empty() => {
            return Err(Refused::value("a nested model must have parameters"));
        }
        Ok(dict) => return fill(model, dict, way),
        Err(_) if own_class(part)?.as_deref() == Some("Parameter") => self::parameter(part)?,
        Err(_) => Parameter::new(tensor(part)?).map_err(refused)?,
    };
    match model.insert(Key::new(way.iter().cloned()), parameter).map_err(refused)? {
        None => Ok(()),
        Some(_) => Err(Refused::value(TWINS)),
    }
}

/// The configs of an optimizer.
pub(super) fn optimizer(object: &Bound<'_, PyAny>) -> Result<Optimizer<'static>, Refused> {
    let uints = object.getattr("uint_configs")?;
    let floats = object.getattr("float_configs")?;
    let mut uint_configs = Vec::new();
    for (own, value) in items(uints.cast::<PyDict>().map_err(PyErr::from)?)? {
        let wrong = |_| Refused::value("not an unsigned 32-bit integer").in_field(&shown(&own));
        let value = plain(&value).map_err(|refused| refused.in_field(&shown(&own)))?;
        uint_configs.push((name_of(&own)?, value.extract::<u32>().map_err(wrong)?));
    }
    let mut float_configs = Vec::new();
    for (own, value) in items(floats.cast::<PyDict>().map_err(PyErr::from)?)? {
        let wide: f64 = value
            .extract()
            .map_err(|_| Refused::type_of(&value, "configs are float").in_field(&shown(&own)))?;
        // Python's floats have 64 bits: written as the nearest of 32.
        let near = narrowed(&value)?;
        if near.is_infinite() && wide.is_finite() {
            return Err(Refused::value("float out of the 32-bit range").in_field(&shown(&own)));
        }
        float_configs.push((name_of(&own)?, near));
    }
    refuse_twins(uint_configs.iter().map(|(name, _)| name))?;
    refuse_twins(float_configs.iter().map(|(name, _)| name))?;
    Ok(Optimizer {
        uint_configs: Configs::from_entries(uint_configs),
        float_configs: Configs::from_entries(float_configs),
    })
}
