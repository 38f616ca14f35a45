//! What is known of an output: its type, its shape and, if they are few, its values.

use std::fmt;
use std::sync::Arc;

use fourfold::tsm::{DType, Tensor};

use crate::value::{Number, numbers};

/// The size of a dim, if it is known.
pub type Size = Option<i32>;

/// How many values are kept: shapes and indices have few.
pub(crate) const MOST_VALUES: usize = 16;

/// What is known of an output of a node.
///
/// Printed as `float32 [1, 3, ?, ?]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Output {
    dtype: Option<DType>,
    shape: Option<Vec<Size>>,
    values: Option<Arc<[Option<Number>]>>,
}

impl Output {
    /// An output of that type and shape.
    #[must_use]
    pub fn new(dtype: Option<DType>, shape: Vec<Size>) -> Self {
        Output { dtype, shape: Some(shape), values: None }
    }

    /// An output of which only the type is known.
    #[must_use]
    pub fn shapeless(dtype: Option<DType>) -> Self {
        Output { dtype, shape: None, values: None }
    }

    /// What is known of a tensor.
    #[must_use]
    pub fn of_tensor(tensor: &Tensor<'_>) -> Self {
        let shape = tensor.shape().iter().copied().map(Some).collect();
        let output = Output::new(Some(tensor.dtype()), shape);
        match numbers(tensor) {
            Some(values) if tensor.count() <= MOST_VALUES => output.with_values(values.map(Some)),
            _ => output,
        }
    }

    /// The same output with its values, unless these are many.
    pub(crate) fn with_values(self, values: impl IntoIterator<Item = Option<Number>>) -> Self {
        let values: Vec<_> = values.into_iter().take(MOST_VALUES + 1).collect();
        let values = (values.len() <= MOST_VALUES).then(|| values.into());
        Output { values, ..self }
    }

    /// The same output with the values of another one.
    pub(crate) fn with_values_of(self, other: &Output) -> Self {
        Output { values: other.values.clone(), ..self }
    }

    /// The type of the elements, if it is known.
    #[must_use]
    pub fn dtype(&self) -> Option<DType> {
        self.dtype
    }

    /// The size of each dim, outermost first; `None` if not even the count of dims is known.
    #[must_use]
    pub fn shape(&self) -> Option<&[Size]> {
        self.shape.as_deref()
    }

    /// The same output of another type.
    #[must_use]
    pub fn with_dtype(self, dtype: DType) -> Self {
        Output { dtype: Some(dtype), ..self }
    }

    /// The integers that it has, if they are few and all known.
    #[must_use]
    pub fn integers(&self) -> Option<Vec<i64>> {
        let values = self.values()?.iter().map(|value| match value {
            Some(Number::Integer(value)) => Some(*value),
            _ => None,
        });
        values.collect()
    }

    /// The integers that it has, if they are few; `None` for each that is unknown.
    #[must_use]
    pub fn sizes(&self) -> Option<Vec<Option<i64>>> {
        let values = self.values()?.iter().map(|value| match value {
            Some(Number::Integer(value)) => Some(Some(*value)),
            Some(Number::Float(_)) => None,
            None => Some(None),
        });
        values.collect()
    }

    pub(crate) fn values(&self) -> Option<&[Option<Number>]> {
        self.values.as_deref()
    }

    /// How many elements there are, if all sizes are known.
    #[must_use]
    pub fn count(&self) -> Option<u64> {
        count(self.shape()?)
    }

    /// How many bytes the elements take, if type and sizes are known.
    #[must_use]
    pub fn bytes(&self) -> Option<u64> {
        self.count()?.checked_mul(u64::try_from(self.dtype?.size()).ok()?)
    }
}

/// The product of sizes, if all are known and it is a number of 64 bits.
pub(crate) fn count(sizes: &[Size]) -> Option<u64> {
    let mut sizes = sizes.iter().map(|size| u64::try_from((*size)?).ok());
    sizes.try_fold(1, |product: u64, size| product.checked_mul(size?))
}

impl fmt::Display for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.dtype {
            Some(dtype) => write!(f, "{dtype} ")?,
            None => f.write_str("? ")?,
        }
        let Some(shape) = &self.shape else { return f.write_str("?") };
        f.write_str("[")?;
        for (at, size) in shape.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            match size {
                Some(size) => write!(f, "{comma}{size}")?,
                None => write!(f, "{comma}?")?,
            }
        }
        f.write_str("]")
    }
}
