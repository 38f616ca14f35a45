//! Reads the params of a node, and writes them.

use fourfold::tsm::{Node, Result, Tensor};

use crate::error::{Error, ErrorKind};
use crate::value::{Number, Value, numbers, text};

/// The params of a node, to be read by an operator.
#[derive(Clone, Copy)]
pub(crate) struct Params<'a, 'de> {
    pub(crate) node: &'a Node<'de>,
}

impl Params<'_, '_> {
    /// A param that TenniS requires.
    pub(crate) fn required<T: Value>(self, param: &'static str) -> Result<T, Error> {
        self.optional(param)?.ok_or_else(|| self.missing::<T>(param))
    }

    /// A param with a default.
    pub(crate) fn or<T: Value>(self, param: &'static str, default: T) -> Result<T, Error> {
        Ok(self.optional(param)?.unwrap_or(default))
    }

    /// A factor that is 1 if it is missing, and always written.
    pub(crate) fn one(self, param: &'static str) -> Result<f32, Error> {
        self.or(param, 1.0)
    }

    /// A flag that is off if it is missing, and always written.
    pub(crate) fn off(self, param: &'static str) -> Result<bool, Error> {
        self.or(param, false)
    }

    /// A param that may be missing.
    pub(crate) fn optional<T: Value>(self, param: &'static str) -> Result<Option<T>, Error> {
        let Some(tensor) = self.node.bubble.tensor(param) else { return Ok(None) };
        let refused = || self.refused::<T>(param, tensor);
        T::read(tensor).map(Some).ok_or_else(refused)
    }

    /// A param that has two names: TenniS reads `dialations`, too.
    pub(crate) fn dilation<T: Value>(self, param: &'static str) -> Result<T, Error> {
        match self.optional(param)? {
            Some(value) => Ok(value),
            None => self.optional("dialations")?.ok_or_else(|| self.missing::<T>(param)),
        }
    }

    /// A list whose integers are beyond int32 as a rule, where they mean the end.
    pub(crate) fn clamped(self, param: &'static str) -> Result<Vec<i32>, Error> {
        let Some(tensor) = self.node.bubble.tensor(param) else {
            return Err(self.missing::<Vec<i32>>(param));
        };
        let values = numbers(tensor).map(|values| values.map(Number::clamped).collect());
        values.ok_or_else(|| self.refused::<Vec<i32>>(param, tensor))
    }

    fn missing<T: Value>(self, param: &'static str) -> Error {
        Error::new(self.node, ErrorKind::Missing { param, expected: T::EXPECTED })
    }

    fn refused<T: Value>(self, param: &'static str, tensor: &Tensor<'_>) -> Error {
        let found = found(tensor);
        Error::new(self.node, ErrorKind::Param { param, found, expected: T::EXPECTED })
    }
}

/// A few values of a tensor, or its type and shape.
fn found(tensor: &Tensor<'_>) -> String {
    match text(tensor) {
        Some(text) if text.len() <= 32 => format!("{text:?}"),
        _ if tensor.count() == 1 => match <i32 as Value>::read(tensor) {
            Some(value) => value.to_string(),
            None => tensor.dtype().to_string(),
        },
        _ => format!("{} {:?}", tensor.dtype(), tensor.shape()),
    }
}

/// The params of an operator, to be written.
pub(crate) type Written = Vec<(&'static str, Tensor<'static>)>;

/// A field of an operator.
pub(crate) trait Field: Sized {
    fn put(&self, param: &'static str, written: &mut Written) -> Result<()>;
}

impl<T: Value> Field for T {
    fn put(&self, param: &'static str, written: &mut Written) -> Result<()> {
        written.push((param, self.write()?));
        Ok(())
    }
}

impl<T: Value> Field for Option<T> {
    fn put(&self, param: &'static str, written: &mut Written) -> Result<()> {
        self.as_ref().map_or(Ok(()), |value| value.put(param, written))
    }
}
