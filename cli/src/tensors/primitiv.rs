//! Files of primitiv: 32-bit floats, column-major.
//!
//! A parameter has the parts of its key as its name, joined by dots: `encoder.lstm.w`; a statistic
//! that name and its own: `encoder.lstm.w:Adam.m1`. Dots and colons in a part are escaped.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::io;

use fourfold::primitiv::{self, Data, File, Key, Model, Parameter, Shape};

use super::name::{cut, escaped, split};
use super::{DType, ONLY, Order, Role, Tensor, Weights, matched};

pub(crate) fn read(bytes: &[u8]) -> Result<File<'_>, String> {
    File::from_slice(bytes).map_err(|error| error.to_string())
}

/// The tensors of a file. Of what is there twice the one that primitiv takes.
pub(crate) fn tensors<'a>(file: &'a File<'_>) -> Result<Vec<Tensor<'a>>, String> {
    let mut tensors = Vec::new();
    match &file.data {
        Data::Tensor(tensor) => tensors.push(named(ONLY.into(), tensor)),
        Data::Parameter(parameter) => of_parameter(ONLY, parameter, &mut tensors),
        Data::Model(model) => {
            for entry in model.sorted() {
                of_parameter(&key_name(entry.key()), entry.parameter(), &mut tensors);
            }
        }
        Data::Optimizer(_) | Data::Shape(_) => {
            return Err(format!("a file of type {} holds no tensors", file.data.data_type()));
        }
    }
    Ok(tensors)
}

fn of_parameter<'a>(name: &str, parameter: &'a Parameter<'_>, tensors: &mut Vec<Tensor<'a>>) {
    tensors.push(named(name.to_owned(), parameter.value()));
    let mut seen = HashSet::new();
    for stat in parameter.stats().iter().filter(|stat| seen.insert(stat.name.as_bytes())) {
        let name = format!("{name}:{}", escaped(stat.name.as_bytes(), &[]));
        tensors.push(named(name, &stat.value));
    }
}

pub(crate) fn key_name(key: &Key<'_>) -> String {
    let parts = key.parts().iter().map(|part| escaped(part.as_bytes(), &['.', ':']));
    parts.collect::<Vec<_>>().join(".")
}

fn named<'a>(name: String, tensor: &'a primitiv::Tensor<'_>) -> Tensor<'a> {
    let batch = Some(tensor.shape().batch()).filter(|batch| *batch > 1);
    let sizes = tensor.shape().dims().iter().copied().chain(batch);
    Tensor {
        name,
        dtype: DType::F32,
        shape: sizes.map(|size| usize::try_from(size).unwrap_or(usize::MAX)).collect(),
        order: Order::ColumnMajor,
        bytes: Cow::Borrowed(tensor.data()),
        role: if batch.is_some() { Role::Batch } else { Role::Weight },
    }
}

pub(crate) fn write(file: &File<'_>, writer: &mut dyn io::Write) -> io::Result<()> {
    Ok(file.to_writer(writer)?)
}

/// Puts tensors into their places: by name, of the same shape, none left over.
pub(crate) fn put_back<'a>(file: &mut File<'a>, given: &'a Weights<'_>) -> Result<(), String> {
    let changed: Vec<_> = matched(&tensors(file)?, given)?
        .into_iter()
        .map(|found| found.map(|tensor| tensor.in_order(Order::ColumnMajor)))
        .collect();
    let mut changed = changed.into_iter();
    match &mut file.data {
        Data::Tensor(tensor) => {
            if let Some(bytes) = changed.next().flatten() {
                *tensor = replaced(tensor, bytes)?;
            }
        }
        Data::Parameter(parameter) => fill(parameter, &mut changed)?,
        Data::Model(model) => {
            let keys: Vec<Key<'_>> =
                model.sorted().into_iter().map(|entry| entry.key().clone()).collect();
            for key in keys {
                if let Some(parameter) = model.get_mut(key.parts()) {
                    fill(parameter, &mut changed)?;
                }
            }
        }
        Data::Optimizer(_) | Data::Shape(_) => {}
    }
    Ok(())
}

fn fill<'a>(
    parameter: &mut Parameter<'a>,
    changed: &mut impl Iterator<Item = Option<Cow<'a, [u8]>>>,
) -> Result<(), String> {
    if let Some(bytes) = changed.next().flatten() {
        let value = replaced(parameter.value(), bytes)?;
        parameter.replace_value(value).map_err(|error| error.to_string())?;
    }
    let mut seen = HashSet::new();
    for stat in parameter.stats_mut() {
        if !seen.insert(stat.name.as_bytes().to_vec()) {
            continue;
        }
        if let Some(bytes) = changed.next().flatten() {
            stat.value = replaced(&stat.value, bytes)?;
        }
    }
    Ok(())
}

/// Other elements for a tensor, whose shape is written as it was.
fn replaced<'a>(
    old: &primitiv::Tensor<'_>,
    bytes: Cow<'a, [u8]>,
) -> Result<primitiv::Tensor<'a>, String> {
    primitiv::Tensor::new(*old.shape(), bytes).map_err(|error| error.to_string())
}

/// Makes a model: a parameter of each tensor, its key the parts of its name.
pub(crate) fn model<'a>(weights: &'a Weights<'_>) -> Result<File<'a>, String> {
    let mut model = Model::new();
    for (name, parameter) in parameters(weights)? {
        let key = Key::from(split(name, Some('.'))?);
        let inserted = model.insert(key, parameter);
        inserted.map_err(|error| format!("{error} in {name}"))?;
    }
    Ok(File::from(model))
}

/// Makes a file of one parameter.
pub(crate) fn parameter<'a>(weights: &'a Weights<'_>) -> Result<File<'a>, String> {
    let mut parameters = parameters(weights)?.into_values();
    match (parameters.next(), parameters.next()) {
        (Some(parameter), None) => Ok(File::from(parameter)),
        _ => Err(format!("{} tensors: a file of a parameter holds one", weights.tensors.len())),
    }
}

/// Makes a file of one tensor.
pub(crate) fn tensor<'a>(weights: &'a Weights<'_>) -> Result<File<'a>, String> {
    match weights.tensors.as_slice() {
        [tensor] => Ok(File::from(made(tensor)?)),
        several => Err(format!("{} tensors: a file of a tensor holds one", several.len())),
    }
}

/// The parameters by name, each with its statistics.
fn parameters<'a, 'b>(
    weights: &'a Weights<'b>,
) -> Result<BTreeMap<&'a str, Parameter<'a>>, String> {
    let mut parameters = BTreeMap::new();
    let mut stats = Vec::new();
    for tensor in &weights.tensors {
        let value = made(tensor)?;
        match cut(&tensor.name, ':') {
            (name, Some(stat)) => stats.push((tensor, name, stat, value)),
            (name, None) => {
                let parameter = Parameter::new(value);
                let parameter = parameter.map_err(|error| format!("{error} in {name}"))?;
                parameters.insert(name, parameter);
            }
        }
    }
    for (tensor, name, stat, value) in stats {
        let Some(parameter) = parameters.get_mut(name) else {
            return Err(format!("{} is a statistic of {name}, which is not there", tensor.name));
        };
        parameter.insert_stat(split(stat, None)?.concat(), value);
    }
    Ok(parameters)
}

fn made<'a>(tensor: &'a Tensor<'_>) -> Result<primitiv::Tensor<'a>, String> {
    let within = |text: String| format!("{text} in {}", tensor.name);
    if tensor.dtype != DType::F32 {
        return Err(within(format!("{}, where primitiv holds F32 only", tensor.dtype)));
    }
    let sizes: Result<Vec<u32>, _> = tensor.shape.iter().map(|size| u32::try_from(*size)).collect();
    let sizes = sizes.map_err(|_| within("a size beyond 32 bits".into()))?;
    let shape = match (tensor.role, sizes.split_last()) {
        (Role::Batch, Some((batch, dims))) => {
            Shape::new(dims).and_then(|shape| shape.with_batch(*batch))
        }
        _ => Shape::new(&sizes),
    };
    let shape = shape.map_err(|error| within(error.to_string()))?;
    let made = primitiv::Tensor::new(shape, tensor.in_order(Order::ColumnMajor));
    made.map_err(|error| within(error.to_string()))
}
