//! Files of primitiv as JSON, in both directions.

use std::borrow::Cow;
use std::collections::BTreeSet;

use fourfold::primitiv::{
    self, Configs, Data, Entry, File, Key, Model, Name, Optimizer, Parameter, Shape, Statistic,
    Width,
};

use super::{
    Elements, Fields, Items, Kind, Node, Part, Shape as Of, Tensor, Wrong, bytes_of, text_or_hex,
    u8, u32,
};
use crate::failure::describe;

const TYPE: &str = "type";
const DIMS: &str = "dims";
const DIMS_WIDTH: &str = "dims_width";
const BATCH: &str = "batch";
const SHAPE: &str = "shape";
const DATA: &str = "data";
const DATA_WIDTH: &str = "data_width";
const VALUE: &str = "value";
const STATS: &str = "stats";
const NAME: &str = "name";
const PARAMETERS: &str = "parameters";
const KEY: &str = "key";
const KEY_WIDTH: &str = "key_width";
const UINT_CONFIGS: &str = "uint_configs";
const UINT_CONFIGS_WIDTH: &str = "uint_configs_width";
const FLOAT_CONFIGS: &str = "float_configs";
const FLOAT_CONFIGS_WIDTH: &str = "float_configs_width";

/// The value of `type`.
const TENSOR: &str = "tensor";
const PARAMETER: &str = "parameter";
const MODEL: &str = "model";
const OPTIMIZER: &str = "optimizer";

/// Names whose length is encoded wider than necessary.
const STRS: [(&str, Width); 3] =
    [("$str8", Width::Eight), ("$str16", Width::Sixteen), ("$str32", Width::ThirtyTwo)];

/// The fields of an object in order.
type Parts<'a> = Vec<(Cow<'a, str>, Part<'a>)>;

pub fn file<'a>(file: &'a File<'_>) -> Part<'a> {
    let (which, fields) = match &file.data {
        Data::Shape(shape) => (SHAPE, shape_fields(shape)),
        Data::Tensor(value) => return tensor(value, vec![(TYPE.into(), Part::text(TENSOR))]),
        Data::Parameter(value) => (PARAMETER, parameter_fields(value)),
        Data::Model(model) => {
            (MODEL, vec![(PARAMETERS.into(), Part::Items(Items::Model(model.entries())))])
        }
        Data::Optimizer(optimizer) => {
            let (uints, floats) = (&optimizer.uint_configs, &optimizer.float_configs);
            let mut fields = vec![(UINT_CONFIGS.into(), configs(uints, Part::integer))];
            put_width(&mut fields, UINT_CONFIGS_WIDTH, uints.width());
            fields.push((FLOAT_CONFIGS.into(), configs(floats, super::float::part32)));
            put_width(&mut fields, FLOAT_CONFIGS_WIDTH, floats.width());
            (OPTIMIZER, fields)
        }
    };
    let mut all = vec![(TYPE.into(), Part::text(which))];
    all.extend(fields);
    Part::Map(all)
}

pub(super) fn entry<'a>(entry: &'a Entry<'_>) -> Part<'a> {
    let mut fields = vec![(KEY.into(), key(entry.key()))];
    put_width(&mut fields, KEY_WIDTH, entry.key().width());
    fields.extend(parameter_fields(entry.parameter()));
    Part::Map(fields)
}

fn put_width(fields: &mut Parts<'_>, name: &'static str, width: Width) {
    let bits = match width {
        Width::Shortest => return,
        Width::Eight => 8,
        Width::Sixteen => 16,
        Width::ThirtyTwo => 32,
    };
    fields.push((name.into(), Part::Integer(bits)));
}

fn shape_fields(shape: &Shape) -> Parts<'static> {
    let dims = shape.written_dims().iter().map(|dim| Part::integer(*dim)).collect();
    let mut fields = vec![(DIMS.into(), Part::List(dims))];
    put_width(&mut fields, DIMS_WIDTH, shape.width());
    if shape.batch() != 1 {
        fields.push((BATCH.into(), Part::integer(shape.batch())));
    }
    fields
}

fn tensor<'a>(tensor: &'a primitiv::Tensor<'_>, mut head: Parts<'a>) -> Part<'a> {
    let shape = tensor.shape();
    head.push((SHAPE.into(), Part::Map(shape_fields(shape))));
    put_width(&mut head, DATA_WIDTH, tensor.width());
    let title = match shape.batch() {
        1 => format!("float {:?}", shape.dims()),
        batch => format!("float {:?}x{batch}", shape.dims()),
    };
    let elements = Elements::new(Kind::Float32, tensor.data());
    Part::Tensor(Box::new(Tensor { title, head, elements }))
}

fn parameter_fields<'a>(parameter: &'a Parameter<'_>) -> Parts<'a> {
    let mut fields = vec![(VALUE.into(), tensor(parameter.value(), Vec::new()))];
    if !parameter.stats().is_empty() {
        let stat = |stat: &'a Statistic<'_>| {
            Part::map([(NAME, name(&stat.name)), (VALUE, tensor(&stat.value, Vec::new()))])
        };
        fields.push((STATS.into(), Part::List(parameter.stats().iter().map(stat).collect())));
    }
    fields
}

fn name<'a>(name: &'a Name<'_>) -> Part<'a> {
    let part = text_or_hex(name.as_bytes());
    match STRS.iter().find(|(_, width)| *width == name.width()) {
        Some((form, _)) => Part::form(form, part),
        None => part,
    }
}

fn key<'a>(key: &'a Key<'_>) -> Part<'a> {
    Part::List(key.parts().iter().map(name).collect())
}

/// An object if all names are plain and unique, else a list of pairs.
fn configs<'a, T: primitiv::Config>(
    configs: &'a Configs<'_, T>,
    part: impl Fn(T) -> Part<'static>,
) -> Part<'a> {
    let mut seen = BTreeSet::new();
    let entries = configs.entries();
    let plain = entries.iter().all(|(name, _)| {
        name.width() == Width::Shortest && name.as_str().is_some_and(|name| seen.insert(name))
    });
    match plain {
        true => {
            let field = |(name, value): &'a (Name<'_>, T)| {
                Some((Cow::Borrowed(name.as_str()?), part(*value)))
            };
            Part::Map(entries.iter().filter_map(field).collect())
        }
        false => {
            let pair =
                |(name, value): &'a (Name<'_>, T)| Part::List(vec![self::name(name), part(*value)]);
            Part::List(entries.iter().map(pair).collect())
        }
    }
}

/// The bytes of a file.
pub fn bytes(fields: &Fields<'_>, whole: &Node<'_>) -> Result<Vec<u8>, Wrong> {
    let which = fields.need(TYPE)?;
    let data = match &*which.to_text()? {
        SHAPE => Data::Shape(write_shape(fields, whole)?),
        TENSOR => Data::Tensor(write_tensor(fields, whole)?),
        PARAMETER => Data::Parameter(write_parameter(fields)?),
        MODEL => Data::Model(write_model(&fields.need(PARAMETERS)?)?),
        OPTIMIZER => {
            let uints = write_configs(&fields.need(UINT_CONFIGS)?, u32)?;
            let floats = write_configs(&fields.need(FLOAT_CONFIGS)?, super::float::read32)?;
            Data::Optimizer(Optimizer {
                uint_configs: uints.with_width(width(fields, UINT_CONFIGS_WIDTH)?),
                float_configs: floats.with_width(width(fields, FLOAT_CONFIGS_WIDTH)?),
            })
        }
        _ => {
            let types = "\"shape\", \"tensor\", \"parameter\", \"model\" or \"optimizer\"";
            return Err(which.expected(types));
        }
    };
    let file = File { version: primitiv::Version::default(), data };
    file.to_vec().map_err(|error| whole.wrong(describe(&error)))
}

fn width(fields: &Fields<'_>, name: &str) -> Result<Width, Wrong> {
    let Some(node) = fields.get(name) else { return Ok(Width::Shortest) };
    match u8(&node) {
        Ok(8) => Ok(Width::Eight),
        Ok(16) => Ok(Width::Sixteen),
        Ok(32) => Ok(Width::ThirtyTwo),
        _ => Err(node.expected("8, 16 or 32")),
    }
}

fn write_shape(fields: &Fields<'_>, node: &Node<'_>) -> Result<Shape, Wrong> {
    let refused = |error: primitiv::Error| node.wrong(describe(&error));
    let dims = fields.need(DIMS)?.items(u32)?;
    let mut shape = Shape::new(&dims).map_err(refused)?.with_written_dims(dims.len());
    if let Some(batch) = fields.get(BATCH) {
        shape = shape.with_batch(u32(&batch)?).map_err(refused)?;
    }
    Ok(shape.with_width(width(fields, DIMS_WIDTH)?))
}

fn write_tensor(fields: &Fields<'_>, node: &Node<'_>) -> Result<primitiv::Tensor<'static>, Wrong> {
    let shape = fields.need(SHAPE)?;
    let shape_fields = shape.fields()?;
    let shape = write_shape(&shape_fields, &shape)?;
    shape_fields.finish()?;
    let data = Kind::Float32.bytes(&fields.need(DATA)?)?;
    let tensor = primitiv::Tensor::new(shape, data);
    let tensor = tensor.map_err(|error| node.wrong(describe(&error)))?;
    Ok(tensor.with_width(width(fields, DATA_WIDTH)?))
}

fn write_value(fields: &Fields<'_>) -> Result<primitiv::Tensor<'static>, Wrong> {
    let node = fields.need(VALUE)?;
    let inner = node.fields()?;
    let tensor = write_tensor(&inner, &node)?;
    inner.finish()?;
    Ok(tensor)
}

fn write_parameter(fields: &Fields<'_>) -> Result<Parameter<'static>, Wrong> {
    let value = write_value(fields)?;
    let node = fields.need(VALUE)?;
    let parameter = Parameter::new(value).map_err(|error| node.wrong(describe(&error)));
    let mut parameter = parameter?;
    if let Some(stats) = fields.get(STATS) {
        *parameter.stats_mut() = stats.items(|node| {
            let fields = node.fields()?;
            let name = write_name(&fields.need(NAME)?)?;
            let value = write_value(&fields)?;
            fields.finish()?;
            Ok(Statistic { name, value })
        })?;
    }
    Ok(parameter)
}

fn write_model(node: &Node<'_>) -> Result<Model<'static>, Wrong> {
    let entries = node.items(|entry| {
        let fields = entry.fields()?;
        let key = Key::new(fields.need(KEY)?.items(write_name)?);
        let key = key.with_width(width(&fields, KEY_WIDTH)?);
        let parameter = write_parameter(&fields)?;
        fields.finish()?;
        Ok((key, parameter))
    })?;
    Model::from_entries(entries).map_err(|error| node.wrong(describe(&error)))
}

fn write_name(node: &Node<'_>) -> Result<Name<'static>, Wrong> {
    if node.shape() == Of::Object {
        let fields = node.fields()?;
        for (form, width) in STRS {
            if let Some(inner) = fields.get(form) {
                let name = Name::from(bytes_of(&inner, "a name")?);
                fields.finish()?;
                return Ok(name.with_width(width));
            }
        }
    }
    bytes_of(node, "a name").map(Name::from)
}

fn write_configs<T: primitiv::Config>(
    node: &Node<'_>,
    value: impl Fn(&Node<'_>) -> Result<T, Wrong>,
) -> Result<Configs<'static, T>, Wrong> {
    let entries = match node.shape() {
        Of::Object => {
            let fields = node.fields()?;
            let entry =
                |(name, node): (&str, Node<'_>)| Ok((Name::from(name.to_owned()), value(&node)?));
            fields.iter().map(entry).collect::<Result<_, _>>()?
        }
        _ => node.items(|pair| pair.pair("a list of name and value", write_name, &value))?,
    };
    Ok(Configs::from_entries(entries))
}
