//! The content of a document as JSON, for comparison with the JSON file of a fixture.

use fourfold::primitiv::{
    Algorithm, Configs, Data, DataType, File, Name, Optimizer, Parameter, Shape, Tensor,
};
use serde_json::{Value, json};

use crate::support::digest::sha256;

/// Longer names are shown as a digest.
const LONGEST_NAME: usize = 1024;
/// More floats are shown as a digest.
const MOST_SHOWN: usize = 64;

/// The content of a file without `loaded_as` and without decimal values, whose bits are compared.
pub(crate) fn file(file: &File<'_>) -> Value {
    let version = [file.version.major, file.version.minor];
    let data_type = file.data.data_type();
    let mut json = json!({ "version": version, "data_type": data_type.number() });
    let (name, content) = match &file.data {
        Data::Shape(value) => ("shape", json!({ "shape": shape(value) })),
        Data::Tensor(value) => ("tensor", json!({ "tensor": tensor(value) })),
        Data::Parameter(value) => ("parameter", parameter(value)),
        Data::Model(model) => {
            let parameters = model.sorted().into_iter().map(|entry| {
                let key: Vec<Value> = entry.key().parts().iter().map(text).collect();
                let mut json = parameter(entry.parameter());
                json["key"] = json!(key);
                json
            });
            ("model", json!({ "parameters": parameters.collect::<Vec<_>>() }))
        }
        Data::Optimizer(value) => ("optimizer", optimizer(value)),
    };
    json["type"] = json!(name);
    merge(&mut json, content);
    json
}

fn merge(into: &mut Value, from: Value) {
    let Value::Object(from) = from else { panic!("{from} is no object") };
    into.as_object_mut().unwrap().extend(from);
}

fn text(name: &Name<'_>) -> Value {
    let bytes = name.as_bytes();
    match name.as_str() {
        Some(_) if bytes.len() > LONGEST_NAME => {
            json!({ "len": bytes.len(), "sha256": sha256(bytes) })
        }
        Some(text) => json!(text),
        None => json!({ "hex": crate::support::fixture::hex(name.as_bytes()) }),
    }
}

fn shape(shape: &Shape) -> Value {
    json!({ "dims": shape.dims(), "batch": shape.batch() })
}

fn tensor(tensor: &Tensor<'_>) -> Value {
    let floats = tensor.to_column_major();
    if floats.len() > MOST_SHOWN {
        let (shape, digest) = (shape(tensor.shape()), sha256(tensor.data()));
        return json!({ "shape": shape, "len": floats.len(), "sha256": digest });
    }
    let bits: Vec<String> = floats.iter().map(|float| bits(*float)).collect();
    json!({ "shape": shape(tensor.shape()), "len": floats.len(), "bits": bits })
}

fn bits(float: f32) -> String {
    format!("{:08x}", float.to_bits())
}

/// Statistics by their names, each once.
fn parameter(parameter: &Parameter<'_>) -> Value {
    let mut names: Vec<_> = parameter.stats().iter().map(|stat| &stat.name).collect();
    names.sort();
    names.dedup();
    let stats = names
        .into_iter()
        .map(|name| json!({ "name": text(name), "value": tensor(parameter.stat(name).unwrap()) }));
    json!({ "value": tensor(parameter.value()), "stats": stats.collect::<Vec<_>>() })
}

fn names<'a, T: fourfold::primitiv::Config>(configs: &'a Configs<'_, T>) -> Vec<&'a Name<'a>> {
    let mut names: Vec<_> = configs.entries().iter().map(|(name, _)| name).collect();
    names.sort();
    names.dedup();
    names
}

fn optimizer(optimizer: &Optimizer<'_>) -> Value {
    let Optimizer { uint_configs, float_configs } = optimizer;
    let uints = names(uint_configs)
        .into_iter()
        .map(|name| json!({ "name": text(name), "value": uint_configs.get(name).unwrap() }));
    let floats = names(float_configs)
        .into_iter()
        .map(|name| json!({ "name": text(name), "bits": bits(float_configs.get(name).unwrap()) }));
    json!({ "uint_configs": listed(uints.collect()), "float_configs": listed(floats.collect()) })
}

/// A list of configs. For long lists, the fixtures have a digest of an unknown text, so only the length is compared.
fn listed(configs: Vec<Value>) -> Value {
    match configs.len() {
        count if count > MOST_SHOWN => json!({ "count": count }),
        _ => json!(configs),
    }
}

/// The configs as primitiv's own class reads them.
pub(crate) fn loaded_as(optimizer: &Optimizer<'_>) -> Option<Value> {
    let settings = optimizer.settings()?;
    let mut json = self::optimizer(&Optimizer::from(settings));
    json["class"] = json!(Algorithm::name(&settings.algorithm));
    Some(json)
}

/// The JSON of a fixture without its decimal values.
pub(crate) fn without_values(mut json: Value) -> Value {
    match &mut json {
        Value::Object(fields) => {
            if fields.contains_key("bits") {
                fields.shift_remove("value");
                fields.shift_remove("values");
            }
            if fields.contains_key("count") {
                fields.shift_remove("sha256");
            }
            for field in fields.values_mut() {
                *field = without_values(field.take());
            }
        }
        Value::Array(items) => {
            for item in items {
                *item = without_values(item.take());
            }
        }
        _ => {}
    }
    json
}

/// The data type in a file's name.
pub(crate) fn data_type_of(name: &str) -> DataType {
    match name.rsplit('.').next() {
        Some("shape") => DataType::Shape,
        Some("tensor") => DataType::Tensor,
        Some("param") => DataType::Parameter,
        Some("model") => DataType::Model,
        Some("optimizer") => DataType::Optimizer,
        _ => panic!("{name} is no document"),
    }
}
