//! The documents of files without what they remember of the bytes that they were read from: which
//! numbers were spelled longer than they need be, and in which order things came.

use std::collections::HashSet;

use fourfold::biniou::{Table, Value};
use fourfold::primitiv::{
    Configs, Data, File, Key, Model, Name, Optimizer, Parameter, Result, Shape, Statistic, Tensor,
};

/// Behind so many, configs are too many to be canonical: no optimizer has them, and putting them in
/// would take too long.
const MOST_CONFIGS: usize = 4096;

/// The value with each vint as short as can be.
pub(super) fn value(value: Value) -> Value {
    let inner = |argument: Option<Box<Value>>| argument.map(|inner| Box::new(self::value(*inner)));
    let all = |items: Vec<Value>| items.into_iter().map(self::value).collect();
    match value {
        Value::Overlong(_, inner) => self::value(*inner),
        Value::Array(items) => Value::Array(all(items)),
        Value::Tuple(items) => Value::Tuple(all(items)),
        Value::Record(fields) => {
            let fields = fields.into_iter().map(|(hash, field)| (hash, self::value(field)));
            Value::Record(fields.collect())
        }
        Value::NumVariant(number, argument) => Value::NumVariant(number, inner(argument)),
        Value::Variant(hash, argument) => Value::Variant(hash, inner(argument)),
        Value::Table(table) => {
            let Table { columns, rows } = *table;
            Value::Table(Box::new(Table { columns, rows: rows.into_iter().map(all).collect() }))
        }
        Value::Shared(number, inner) => Value::Shared(number, Box::new(self::value(*inner))),
        other => other,
    }
}

/// The file as primitiv writes it: headers as short as can be, no 1s behind dims, nothing twice,
/// parameters in the order of their keys.
pub(super) fn file<'a>(file: &'a File<'_>) -> Result<File<'a>> {
    let data = match &file.data {
        Data::Shape(shape) => Data::Shape(self::shape(shape)?),
        Data::Tensor(tensor) => Data::Tensor(self::tensor(tensor)?),
        Data::Parameter(parameter) => Data::Parameter(self::parameter(parameter)?),
        Data::Model(model) => Data::Model(self::model(model)?),
        Data::Optimizer(optimizer) => Data::Optimizer(Optimizer {
            uint_configs: configs(&optimizer.uint_configs),
            float_configs: configs(&optimizer.float_configs),
        }),
    };
    Ok(File { version: file.version, data })
}

fn name<'a>(name: &'a Name<'_>) -> Name<'a> {
    Name::from(name.as_bytes())
}

fn shape(shape: &Shape) -> Result<Shape> {
    Shape::new(shape.dims())?.with_batch(shape.batch())
}

fn tensor<'a>(tensor: &'a Tensor<'_>) -> Result<Tensor<'a>> {
    Tensor::new(self::shape(tensor.shape())?, tensor.data())
}

fn parameter<'a>(parameter: &'a Parameter<'_>) -> Result<Parameter<'a>> {
    let mut plain = Parameter::new(tensor(parameter.value())?)?;
    let mut seen = HashSet::new();
    for stat in parameter.stats() {
        if seen.insert(stat.name.as_bytes()) {
            let stat = Statistic { name: name(&stat.name), value: tensor(&stat.value)? };
            plain.stats_mut().push(stat);
        }
    }
    Ok(plain)
}

fn model<'a>(model: &'a Model<'_>) -> Result<Model<'a>> {
    let mut plain = Model::new();
    for entry in model.sorted() {
        let key = Key::new(entry.key().parts().iter().map(name));
        plain.insert(key, parameter(entry.parameter())?)?;
    }
    Ok(plain)
}

fn configs<'a, T: fourfold::primitiv::Config>(configs: &'a Configs<'_, T>) -> Configs<'a, T> {
    let mut plain = Configs::new();
    let mut seen = HashSet::new();
    for (name, config) in configs.entries().iter().take(MOST_CONFIGS) {
        if seen.insert(name.as_bytes()) {
            plain.insert(self::name(name), *config);
        }
    }
    plain
}
