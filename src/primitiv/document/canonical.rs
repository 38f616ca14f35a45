//! A file without what it remembers of its bytes.

use alloc::collections::BTreeSet;

use super::{
    Config, Configs, Data, File, Key, Model, Name, Optimizer, Parameter, Shape, Statistic, Tensor,
};
use crate::primitiv::Result;

/// With more configs than these, they are too many to be canonical: no optimizer has them, and
/// inserting them would take too long.
const MOST_CONFIGS: usize = 4096;

impl File<'_> {
    /// The file as primitiv writes it: headers as short as possible, no trailing dims of 1, no
    /// duplicates, parameters in the order of their keys.
    ///
    /// Tensors borrow from this one. A [`File`] otherwise repeats the bytes that it was read from.
    ///
    /// ```
    /// use fourfold::primitiv::{File, Shape};
    ///
    /// let file = File::from(Shape::new(&[3, 2])?);
    /// assert_eq!(file.to_canonical()?, file);
    /// # Ok::<(), fourfold::primitiv::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of the constructors of its fields: for values that primitiv does not support.
    pub fn to_canonical(&self) -> Result<File<'_>> {
        let data = match &self.data {
            Data::Shape(shape) => Data::Shape(canonical_shape(shape)?),
            Data::Tensor(tensor) => Data::Tensor(canonical_tensor(tensor)?),
            Data::Parameter(parameter) => Data::Parameter(canonical_parameter(parameter)?),
            Data::Model(model) => Data::Model(canonical_model(model)?),
            Data::Optimizer(optimizer) => Data::Optimizer(Optimizer {
                uint_configs: canonical_configs(&optimizer.uint_configs),
                float_configs: canonical_configs(&optimizer.float_configs),
            }),
        };
        Ok(File { version: self.version, data })
    }
}

fn canonical_name<'a>(name: &'a Name<'_>) -> Name<'a> {
    Name::from(name.as_bytes())
}

fn canonical_shape(shape: &Shape) -> Result<Shape> {
    Shape::new(shape.dims())?.with_batch(shape.batch())
}

fn canonical_tensor<'a>(tensor: &'a Tensor<'_>) -> Result<Tensor<'a>> {
    Tensor::new(canonical_shape(tensor.shape())?, tensor.data())
}

fn canonical_parameter<'a>(parameter: &'a Parameter<'_>) -> Result<Parameter<'a>> {
    let mut canonical = Parameter::new(canonical_tensor(parameter.value())?)?;
    let mut seen = BTreeSet::new();
    for stat in parameter.stats() {
        if seen.insert(stat.name.as_bytes()) {
            let (name, value) = (canonical_name(&stat.name), canonical_tensor(&stat.value)?);
            canonical.stats_mut().push(Statistic { name, value });
        }
    }
    Ok(canonical)
}

fn canonical_model<'a>(model: &'a Model<'_>) -> Result<Model<'a>> {
    let mut canonical = Model::new();
    for entry in model.sorted() {
        let key = Key::new(entry.key().parts().iter().map(canonical_name));
        canonical.insert(key, canonical_parameter(entry.parameter())?)?;
    }
    Ok(canonical)
}

fn canonical_configs<'a, T: Config>(configs: &'a Configs<'_, T>) -> Configs<'a, T> {
    let mut canonical = Configs::new();
    let mut seen = BTreeSet::new();
    for (name, config) in configs.entries().iter().take(MOST_CONFIGS) {
        if seen.insert(name.as_bytes()) {
            canonical.insert(canonical_name(name), *config);
        }
    }
    canonical
}
