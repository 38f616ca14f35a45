//! Parameters: a tensor, and tensors that optimizers keep about it.

use alloc::vec::Vec;

use super::pieces::Pieces;
use super::{Name, Tensor, within, within_item};
use crate::primitiv::wire;
use crate::primitiv::{Error, ErrorKind, Result};
use crate::read::Reader;
use crate::tensor::memory::Memory;

/// The fewest bytes of a tensor, if any width is accepted: dims and batch (a byte each), and four
/// bytes of data as a str.
pub(super) const LEAST_TENSOR: u32 = 1 + 1 + 5;
/// The fewest bytes of a statistic: an empty name and a scalar.
const LEAST_STATISTIC: u32 = 1 + LEAST_TENSOR;

/// A parameter: its value, uint32 (the number of statistics), and each statistic's name and value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter<'de> {
    value: Tensor<'de>,
    stats: Vec<Statistic<'de>>,
}

/// A tensor that an optimizer keeps about a parameter, such as `Adam.m1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statistic<'de> {
    /// Its name.
    pub name: Name<'de>,
    /// Its value, of any shape and batch.
    pub value: Tensor<'de>,
}

impl<'de> Parameter<'de> {
    /// A parameter without statistics.
    ///
    /// # Errors
    ///
    /// `ParameterBatch` if the value is a batch.
    pub fn new(value: Tensor<'de>) -> Result<Self> {
        match value.shape().batch() {
            1 => Ok(Parameter { value, stats: Vec::new() }),
            found => Err(Error::placeless(ErrorKind::ParameterBatch { found })),
        }
    }

    /// Its value.
    #[must_use]
    pub const fn value(&self) -> &Tensor<'de> {
        &self.value
    }

    /// Replaces the value, and returns the old one.
    ///
    /// # Errors
    ///
    /// `ParameterBatch` if the value is a batch; nothing has changed then.
    pub fn replace_value(&mut self, value: Tensor<'de>) -> Result<Tensor<'de>> {
        let Parameter { value, .. } = Parameter::new(value)?;
        Ok(core::mem::replace(&mut self.value, value))
    }

    /// All statistics, in the order of the file. Of equal names primitiv takes the first.
    #[must_use]
    pub fn stats(&self) -> &[Statistic<'de>] {
        &self.stats
    }

    /// The statistics, to be changed.
    pub fn stats_mut(&mut self) -> &mut Vec<Statistic<'de>> {
        &mut self.stats
    }

    /// Drops all statistics: what primitiv writes with `with_stats` off.
    ///
    /// ```
    /// use fourfold::primitiv::{Parameter, Tensor};
    ///
    /// let mut parameter = Parameter::new(Tensor::scalar(0.5))?;
    /// parameter.insert_stat("Adam.m1", Tensor::scalar(0.25));
    /// parameter.clear_stats();
    /// assert_eq!(parameter, Parameter::new(Tensor::scalar(0.5))?);
    /// # Ok::<(), fourfold::primitiv::Error>(())
    /// ```
    pub fn clear_stats(&mut self) {
        self.stats.clear();
    }

    /// The statistic of a name: the first one, as for primitiv.
    pub fn stat(&self, name: impl AsRef<[u8]>) -> Option<&Tensor<'de>> {
        let name = name.as_ref();
        let stat = self.stats.iter().find(|stat| stat.name.as_bytes() == name);
        stat.map(|stat| &stat.value)
    }

    /// Inserts a statistic, and returns the previous one of that name.
    pub fn insert_stat(
        &mut self,
        name: impl Into<Name<'de>>,
        value: Tensor<'de>,
    ) -> Option<Tensor<'de>> {
        let name = name.into();
        if let Some(stat) = self.stats.iter_mut().find(|stat| stat.name == name) {
            return Some(core::mem::replace(&mut stat.value, value));
        }
        self.stats.push(Statistic { name, value });
        None
    }

    /// The same without the input's lifetime: borrowed bytes are copied.
    #[must_use]
    pub fn into_owned(self) -> Parameter<'static> {
        self.moved(&Memory::into_owned)
    }

    pub(super) fn moved<'to>(self, to: &impl Fn(Memory<'de>) -> Memory<'to>) -> Parameter<'to> {
        let stats = self.stats.into_iter();
        let stats = stats.map(|Statistic { name, value }| Statistic {
            name: name.into_owned(),
            value: value.moved(to),
        });
        Parameter { value: self.value.moved(to), stats: stats.collect() }
    }

    #[inline]
    pub(super) fn take(reader: &mut Reader<'de>, lenient: bool) -> Result<Self> {
        let (value, batch_at) = within("value", Tensor::take_with_batch_at(reader, lenient))?;
        let found = value.shape().batch();
        if found != 1 {
            let error = Error::at(ErrorKind::ParameterBatch { found }, batch_at);
            return within("value", within("shape", within("batch", Err(error))));
        }
        let stats = within("stats", Parameter::take_stats(reader, lenient))?;
        Ok(Parameter { value, stats })
    }

    #[inline]
    fn take_stats(reader: &mut Reader<'de>, lenient: bool) -> Result<Vec<Statistic<'de>>> {
        let start = reader.offset();
        let claimed = wire::take_uint32(reader, lenient)?;
        let count = wire::believe(claimed, LEAST_STATISTIC, reader.left(), start)?;
        let mut stats = Vec::with_capacity(count);
        for index in 0..count {
            stats.push(within_item(index, Statistic::take(reader, lenient))?);
        }
        Ok(stats)
    }

    #[inline]
    pub(super) fn put(&self, out: &mut Pieces<'_>) -> Result<()> {
        self.value.put(out)?;
        let count = wire::length(self.stats.len())?;
        out.put(&wire::uint32(count));
        self.stats.iter().try_for_each(|stat| {
            stat.name.put(out)?;
            stat.value.put(out)
        })
    }
}

impl<'de> Statistic<'de> {
    fn take(reader: &mut Reader<'de>, lenient: bool) -> Result<Self> {
        let name = within("name", Name::take(reader, lenient))?;
        let value = within("value", Tensor::take(reader, lenient))?;
        Ok(Statistic { name, value })
    }
}
