//! Files of primitiv: 32-bit floats, column-major.
//!
//! A parameter is named by the parts of its key, joined by dots: `encoder.lstm.w`; a statistic by that name and its
//! own: `encoder.lstm.w:Adam.m1`. Dots and colons in a part are escaped.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::io;

use fourfold::primitiv::{self, Data, File, Key, Model, Parameter, Shape};

use super::kind::Output;
use super::name::{cut, escaped, split};
use super::{
    Container, ContainerKind, DType, ONLY, Order, Request, Role, Source, Stored, Tensor, Weights,
    WriteSeek, matched,
};
use crate::failure::{Failure, describe};
use crate::input::Input;

pub(super) struct Primitiv;

impl ContainerKind for Primitiv {
    fn name(&self) -> &'static str {
        "primitiv"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["model", "param", "tensor"]
    }

    fn is_plain(&self) -> bool {
        false
    }

    fn begins(&self, bytes: &[u8]) -> bool {
        File::sniff(bytes)
    }

    fn stored(&self, dtype: DType) -> Option<Stored> {
        (dtype == DType::F32).then_some(dtype.as_it_is())
    }

    fn order(&self, _: &Tensor<'_>, _: &[usize]) -> Order {
        Order::ColumnMajor
    }

    fn takes_original(&self) -> bool {
        true
    }

    fn read<'a>(&self, input: &'a Input) -> Result<Box<dyn Source + 'a>, String> {
        let bytes = &input.bytes;
        Ok(Box::new(read(bytes)?))
    }

    fn make<'a>(
        &self,
        weights: &'a Weights<'_>,
        request: &Request<'a>,
    ) -> Result<Box<dyn Output + 'a>, Failure> {
        let Some(original) = request.original else {
            let made = match request.extension {
                Some("param") => parameter(weights),
                Some("tensor") => tensor(weights),
                _ => model(weights),
            };
            return Ok(Box::new(made.map_err(|text| request.refused(text))?));
        };
        let file = read(&original.bytes);
        let mut file = file.map_err(|text| Failure::data(&original.name, text))?;
        put_back(&mut file, weights).map_err(|text| request.refused(text))?;
        Ok(Box::new(file))
    }
}

impl Source for File<'_> {
    fn container(&self) -> Container {
        Container::Primitiv
    }

    fn weights(&self) -> Result<Weights<'_>, String> {
        Ok(Weights::new(Container::Primitiv, tensors(self)?))
    }

    fn texts(&self) -> Vec<(String, String)> {
        let mut texts = vec![("data_type".into(), self.data.data_type().to_string())];
        match &self.data {
            Data::Shape(shape) => texts.push(("shape".into(), shape.to_string())),
            Data::Optimizer(optimizer) => {
                let mut seen = HashSet::new();
                for (name, value) in optimizer.uint_configs.entries() {
                    if seen.insert(name.as_bytes()) {
                        texts.push((format!("uint_configs.{name}"), value.to_string()));
                    }
                }
                let mut seen = HashSet::new();
                for (name, value) in optimizer.float_configs.entries() {
                    if seen.insert(name.as_bytes()) {
                        texts.push((format!("float_configs.{name}"), format!("{value:?}")));
                    }
                }
            }
            Data::Tensor(_) | Data::Parameter(_) | Data::Model(_) => {}
        }
        texts
    }
}

impl Output for File<'_> {
    fn write(&self, out: &mut dyn WriteSeek) -> io::Result<()> {
        Ok(self.to_writer(out)?)
    }
}

fn read(bytes: &[u8]) -> Result<File<'_>, String> {
    File::from_slice(bytes).map_err(|error| describe(&error))
}

/// The tensors of a file. Of duplicates, the one that primitiv uses.
fn tensors<'a>(file: &'a File<'_>) -> Result<Vec<Tensor<'a>>, String> {
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
            return Err(format!("a file of type {} contains no tensors", file.data.data_type()));
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

fn key_name(key: &Key<'_>) -> String {
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

/// Replaces tensors: by name, with the same shape, all of them.
fn put_back<'a>(file: &mut File<'a>, weights: &'a Weights<'_>) -> Result<(), String> {
    let changed: Vec<_> = matched(&tensors(file)?, weights)?
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
        parameter.replace_value(value).map_err(|error| describe(&error))?;
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

/// Replaces the elements of a tensor; the encoding of its shape is kept.
fn replaced<'a>(
    old: &primitiv::Tensor<'_>,
    bytes: Cow<'a, [u8]>,
) -> Result<primitiv::Tensor<'a>, String> {
    primitiv::Tensor::new(*old.shape(), bytes).map_err(|error| describe(&error))
}

/// Makes a model: a parameter of each tensor, its key from the parts of its name.
fn model<'a>(weights: &'a Weights<'_>) -> Result<File<'a>, String> {
    let mut model = Model::new();
    for (name, parameter) in parameters(weights)? {
        let key = Key::from(split(name, Some('.'))?);
        let inserted = model.insert(key, parameter);
        inserted.map_err(|error| format!("{} in {name}", describe(&error)))?;
    }
    Ok(File::from(model))
}

/// Makes a file of one parameter.
fn parameter<'a>(weights: &'a Weights<'_>) -> Result<File<'a>, String> {
    let mut parameters = parameters(weights)?.into_values();
    match (parameters.next(), parameters.next()) {
        (Some(parameter), None) => Ok(File::from(parameter)),
        _ => Err(format!("{} tensors: a parameter file has exactly one", weights.tensors.len())),
    }
}

/// Makes a file of one tensor.
fn tensor<'a>(weights: &'a Weights<'_>) -> Result<File<'a>, String> {
    match weights.tensors.as_slice() {
        [tensor] => Ok(File::from(made(tensor)?)),
        several => Err(format!("{} tensors: a tensor file has exactly one", several.len())),
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
                let parameter =
                    parameter.map_err(|error| format!("{} in {name}", describe(&error)))?;
                parameters.insert(name, parameter);
            }
        }
    }
    for (tensor, name, stat, value) in stats {
        let Some(parameter) = parameters.get_mut(name) else {
            return Err(format!("{} is a statistic of {name}, which is missing", tensor.name));
        };
        parameter.insert_stat(split(stat, None)?.concat(), value);
    }
    Ok(parameters)
}

fn made<'a>(tensor: &'a Tensor<'_>) -> Result<primitiv::Tensor<'a>, String> {
    let within = |text: String| format!("{text} in {}", tensor.name);
    if tensor.dtype != DType::F32 {
        return Err(within(format!("{}; primitiv stores only {}", tensor.dtype, DType::F32)));
    }
    let sizes: Result<Vec<u32>, _> = tensor.shape.iter().map(|size| u32::try_from(*size)).collect();
    let sizes = sizes.map_err(|_| within("a size of more than 32 bits".into()))?;
    let shape = match (tensor.role, sizes.split_last()) {
        (Role::Batch, Some((batch, dims))) => {
            Shape::new(dims).and_then(|shape| shape.with_batch(*batch))
        }
        _ => Shape::new(&sizes),
    };
    let shape = shape.map_err(|error| within(describe(&error)))?;
    let made = primitiv::Tensor::new(shape, tensor.in_order(Order::ColumnMajor));
    made.map_err(|error| within(describe(&error)))
}
