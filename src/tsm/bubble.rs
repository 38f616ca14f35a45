//! Params by name: all that a node is, except for its inputs.

use alloc::vec::Vec;
use core::fmt;

use super::document::{Pieces, put_list, take_list, within};
use super::wire::{self, NAME_LIMIT};
use super::{DType, Error, ErrorKind, PackedTensor, Result, Tensor};
use crate::read::Reader;
use crate::tensor::memory::Memory;
#[cfg(feature = "std")]
use crate::tensor::memory::Source;

/// The param that names the operator.
pub(super) const OP: &str = "#op";
/// The param that names the node.
pub(super) const NAME: &str = "#name";
/// The param with the shape that a node's output has, as far as it is known.
pub(super) const SHAPE: &str = "#shape";
/// The param with the type of a node's output.
pub(super) const DTYPE: &str = "#dtype";
/// The param that older versions used for the number of outputs of a node.
pub(super) const OUTPUT_COUNT: &str = "#output_count";
/// The param with what a `<const>` is.
pub(super) const VALUE: &str = "value";

/// A param: its name and value.
///
/// On the wire a count of bytes, the name, and the value. The name is bytes, and below 32 of them
/// by the format's description. TenniS reads longer ones; so does this, but makes none.
#[derive(Clone, PartialEq, Eq)]
pub struct Param<'de> {
    name: Memory<'de>,
    /// The value.
    pub value: PackedTensor<'de>,
}

impl<'de> Param<'de> {
    /// A param.
    ///
    /// # Errors
    ///
    /// `ParamName` for names of 32 bytes and more.
    ///
    /// # Examples
    ///
    /// ```
    /// use fourfold::tsm::{Param, Tensor, to_vec};
    ///
    /// let param = Param::new("dim", Tensor::scalar(1i32))?;
    /// assert_eq!(to_vec(&param)?[..7], *b"\x03\0\0\0dim");
    /// assert!(Param::new("a name that is longer than 31 bytes", Tensor::scalar(1i32)).is_err());
    /// # Ok::<(), fourfold::tsm::Error>(())
    /// ```
    pub fn new(name: impl AsRef<[u8]>, value: impl Into<PackedTensor<'de>>) -> Result<Self> {
        let name = name.as_ref();
        match name.len() {
            len if len < NAME_LIMIT => {
                Ok(Param { name: name.to_vec().into(), value: value.into() })
            }
            found => Err(Error::placeless(ErrorKind::ParamName { found })),
        }
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &[u8] {
        &self.name
    }

    /// The name, if it is UTF-8.
    #[must_use]
    pub fn name_str(&self) -> Option<&str> {
        core::str::from_utf8(&self.name).ok()
    }

    pub(super) fn take(reader: &mut Reader<'de>) -> Result<Self> {
        let name = |reader: &mut Reader<'de>| -> Result<&'de [u8]> {
            let len = wire::take_length(reader)?;
            reader.take(len)
        };
        let name = within("name", name(reader))?;
        let value = within("value", PackedTensor::take(reader))?;
        Ok(Param { name: name.into(), value })
    }

    pub(super) fn put(&self, out: &mut Pieces<'_>) -> Result<()> {
        out.put(&wire::count_bytes(self.name.len())?);
        out.put_data(&self.name)?;
        self.value.put(out)
    }

    /// The same param without the input's lifetime: borrowed bytes are copied.
    #[must_use]
    pub fn into_owned(self) -> Param<'static> {
        Param { name: self.name.into_owned(), value: self.value.into_owned() }
    }

    /// The same param, borrowed from the input that it was read from.
    #[cfg(feature = "std")]
    pub(super) fn within(self, source: &Source) -> Param<'static> {
        Param { name: self.name.within(source), value: self.value.within(source) }
    }
}

impl fmt::Debug for Param<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\": ", self.name.escape_ascii())?;
        self.value.fmt(f)
    }
}

/// The params of a node, in the order of the file.
///
/// On the wire a count, and the params. Names that begin with `#` are TenniS's own: `#op` and
/// `#name` must be there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bubble<'de> {
    /// The params.
    pub params: Vec<Param<'de>>,
}

impl<'de> Bubble<'de> {
    /// The value of the first param of that name, which is the one that TenniS takes.
    #[must_use]
    pub fn get(&self, name: impl AsRef<[u8]>) -> Option<&PackedTensor<'de>> {
        let name = name.as_ref();
        self.params.iter().find(|param| param.name() == name).map(|param| &param.value)
    }

    /// The first tensor of that param.
    #[must_use]
    pub fn tensor(&self, name: impl AsRef<[u8]>) -> Option<&Tensor<'de>> {
        self.get(name).and_then(PackedTensor::first)
    }

    /// Replaces the value of that name, or appends it.
    ///
    /// # Errors
    ///
    /// `ParamName` for names of 32 bytes and more.
    pub fn set(
        &mut self,
        name: impl AsRef<[u8]>,
        value: impl Into<PackedTensor<'de>>,
    ) -> Result<()> {
        let param = Param::new(name, value)?;
        match self.params.iter_mut().find(|old| old.name == param.name) {
            Some(old) => *old = param,
            None => self.params.push(param),
        }
        Ok(())
    }

    /// The bytes of a param that is text as TenniS has it: char8 with one dim.
    pub(super) fn text(&self, name: &str) -> Option<&[u8]> {
        match self.tensor(name) {
            Some(tensor) if is_text(tensor) => Some(tensor.bytes()),
            _ => None,
        }
    }

    /// The same params without the input's lifetime: borrowed bytes are copied.
    #[must_use]
    pub fn into_owned(self) -> Bubble<'static> {
        Bubble { params: self.params.into_iter().map(Param::into_owned).collect() }
    }

    /// The same params, borrowed from the input that they were read from.
    #[cfg(feature = "std")]
    pub(super) fn within(self, source: &Source) -> Bubble<'static> {
        Bubble { params: self.params.into_iter().map(|param| param.within(source)).collect() }
    }
}

/// Whether TenniS takes this for text.
pub(super) fn is_text(tensor: &Tensor<'_>) -> bool {
    tensor.dtype() == DType::Char8 && tensor.shape().len() == 1
}

impl<'de> Bubble<'de> {
    pub(super) fn take(reader: &mut Reader<'de>) -> Result<Self> {
        Ok(Bubble { params: take_list(reader, Param::take)? })
    }

    pub(super) fn put(&self, out: &mut Pieces<'_>) -> Result<()> {
        put_list(out, &self.params, Param::put)
    }
}
