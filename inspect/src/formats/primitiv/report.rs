//! Reports the content of a primitiv file.

use std::fmt;

use fourfold::primitiv::{self, Data, File, Name, Optimizer, Parameter, Shape};
use serde::Serialize;

use crate::write::count::{counted_in_groups, number};
use crate::write::listing::{Tensor, Tensors, named};
use crate::write::plain::plain_bytes;
use crate::write::report::About;
use crate::write::table::{Side, Table};

#[derive(Debug, Serialize)]
pub(super) struct PrimitivReport {
    file: String,
    format: &'static str,
    bytes: u64,
    version: String,
    data_type: String,
    #[serde(flatten)]
    content: Content,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum Content {
    /// A shape, in primitiv's notation.
    Shape(String),
    Tensor(Tensor),
    /// One parameter, or those of a model.
    Parameters(Parameters),
    Optimizer(Configs),
}

#[derive(Debug, Default, Serialize)]
struct Parameters {
    values: Tensors,
    stats: Tensors,
}

#[derive(Debug, Serialize)]
struct Configs {
    /// The optimizer of primitiv with these configs.
    algorithm: Option<&'static str>,
    uint_configs: Vec<Config<u32>>,
    float_configs: Vec<Config<f32>>,
}

#[derive(Debug, Serialize)]
struct Config<T> {
    name: String,
    value: T,
    /// The value as text, if JSON has no number for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

impl PrimitivReport {
    pub(super) fn of(file: &File<'_>, about: &About<'_>) -> Self {
        let primitiv::Version { major, minor } = file.version;
        PrimitivReport {
            file: about.name.to_owned(),
            format: "primitiv",
            bytes: number(about.bytes.len()),
            version: format!("{major}.{minor}"),
            data_type: file.data.data_type().to_string(),
            content: Content::of(&file.data),
        }
    }
}

impl Content {
    fn of(data: &Data<'_>) -> Self {
        match data {
            Data::Shape(shape) => Content::Shape(shape.to_string()),
            Data::Tensor(value) => Content::Tensor(tensor(String::new(), value.shape())),
            Data::Parameter(one) => {
                let mut parameters = Parameters::default();
                parameters.push("value", one);
                Content::Parameters(parameters)
            }
            Data::Model(model) => {
                let mut parameters = Parameters::default();
                for entry in model.entries() {
                    let parts = entry.key().parts().iter();
                    let parts: Vec<String> =
                        parts.map(|part| plain_bytes(part.as_bytes())).collect();
                    parameters.push(&parts.join("."), entry.parameter());
                }
                Content::Parameters(parameters)
            }
            Data::Optimizer(optimizer) => Content::Optimizer(Configs::of(optimizer)),
        }
    }
}

impl Parameters {
    fn push(&mut self, name: &str, parameter: &Parameter<'_>) {
        self.values.push(tensor(name.into(), parameter.value().shape()));
        for stat in parameter.stats() {
            let name = format!("{name}: {}", plain_bytes(stat.name.as_bytes()));
            self.stats.push(tensor(name, stat.value.shape()));
        }
    }
}

impl Configs {
    fn of(optimizer: &Optimizer<'_>) -> Self {
        let uints = optimizer.uint_configs.entries().iter();
        let floats = optimizer.float_configs.entries().iter();
        Configs {
            algorithm: optimizer.settings().map(|settings| settings.algorithm.name()),
            uint_configs: uints.map(|(name, value)| Config::of(name, *value, None)).collect(),
            float_configs: floats
                .map(|(name, value)| Config::of(name, *value, non_finite(*value)))
                .collect(),
        }
    }
}

impl<T> Config<T> {
    fn of(name: &Name<'_>, value: T, text: Option<String>) -> Self {
        Config { name: plain_bytes(name.as_bytes()), value, text }
    }
}

/// The text of a float that JSON has no number for.
fn non_finite(value: f32) -> Option<String> {
    (!value.is_finite()).then(|| value.to_string())
}

/// All of primitiv's tensors hold float32.
fn tensor(name: String, shape: &Shape) -> Tensor {
    Tensor {
        name,
        dtype: "float32".into(),
        shape: shape.dims().iter().copied().map(i128::from).collect(),
        batch: shape.batch().into(),
        elements: shape.size().into(),
        bytes: shape.bytes(),
        offset: None,
    }
}

impl fmt::Display for PrimitivReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = format!("primitiv {}, version {}", self.data_type, self.version);
        writeln!(f, "{}\n", named(&self.file, what, self.bytes))?;
        match &self.content {
            Content::Shape(shape) => writeln!(f, "{shape}"),
            Content::Tensor(tensor) => {
                let Tensor { dtype, shape, batch, .. } = tensor;
                let (elements, bytes) = (
                    counted_in_groups(tensor.elements, "element"),
                    counted_in_groups(tensor.bytes, "byte"),
                );
                writeln!(f, "{dtype} {shape:?} x {batch}: {elements}, {bytes}, column-major")
            }
            Content::Parameters(Parameters { values, stats }) => {
                writeln!(f, "values, column-major: {}", values.sum("parameter"))?;
                values.fmt(f)?;
                writeln!(f, "\nstatistics: {}", stats.sum("element"))?;
                stats.fmt(f)
            }
            Content::Optimizer(configs) => {
                let algorithm = configs.algorithm.unwrap_or("not one of primitiv's own");
                writeln!(f, "algorithm: {algorithm}")?;
                let mut table = Table::new([Side::Left, Side::Left, Side::Left]);
                for Config { name, value, .. } in &configs.uint_configs {
                    table.row([name.clone(), "uint32".into(), value.to_string()]);
                }
                for Config { name, value, .. } in &configs.float_configs {
                    table.row([name.clone(), "float32".into(), value.to_string()]);
                }
                table.fmt(f)
            }
        }
    }
}
