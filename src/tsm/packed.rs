//! Packed tensors: what a param holds, and what a standalone tensor file is.

use alloc::string::String;
use alloc::vec::Vec;

use super::document::{self, Pieces, put_list, take_list};
use super::{Element, Options, Result, Tensor};
use crate::read::Reader;
use crate::tensor::pieces::gather;
#[cfg(feature = "std")]
use crate::{io, limits, tensor::memory::Source};

/// One tensor or several: the value of a param, and all of a `.t` file.
///
/// On the wire a count, and the tensors. TenniS writes at least one, and an empty value as one void
/// field without dims, as [`default`](PackedTensor::default) does. It can be read with none, and
/// TenniS then mixes up what it has read before.
///
/// ```
/// use fourfold::tsm::{PackedTensor, Tensor};
///
/// let packed = PackedTensor::from(Tensor::scalar(7u8));
/// let bytes = packed.to_vec()?;
/// assert_eq!(bytes, [1, 0, 0, 0, 2, 1, 0, 0, 0, 1, 0, 0, 0, 7]);
/// assert_eq!(PackedTensor::from_slice(&bytes)?, packed);
/// # Ok::<(), fourfold::tsm::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedTensor<'de> {
    /// The tensors. Where one tensor is expected, it is the first.
    pub fields: Vec<Tensor<'de>>,
}

impl<'de> PackedTensor<'de> {
    /// Reads what a `.t` file holds.
    ///
    /// # Errors
    ///
    /// Those of [`tsm::from_slice`](crate::tsm::from_slice).
    pub fn from_slice(bytes: &'de [u8]) -> Result<Self> {
        document::from_slice(bytes, &Options::new(), PackedTensor::take)
    }

    /// Reads a `.t` file from `reader` to its end, 1 GiB at most; see
    /// [`Module::from_reader`](crate::tsm::Module::from_reader).
    ///
    /// # Errors
    ///
    /// Those of [`from_slice`](PackedTensor::from_slice), `Io` if the reader fails, `InputLimit` if it
    /// has more than 1 GiB.
    #[cfg(feature = "std")]
    pub fn from_reader<R: io::Read>(reader: R) -> Result<PackedTensor<'static>> {
        let options = Options::new();
        let bytes = limits::read_to_keep(reader, options.max_input)?;
        PackedTensor::from_source(&Source::of_bytes(bytes), &options)
    }

    /// Reads tensors that stay in `source`.
    #[cfg(feature = "std")]
    pub(super) fn from_source(source: &Source, options: &Options) -> Result<PackedTensor<'static>> {
        let packed = document::from_slice(source.as_slice(), options, PackedTensor::take)?;
        Ok(packed.within(source))
    }

    /// The bytes of a `.t` file.
    ///
    /// # Errors
    ///
    /// Those of [`tsm::to_vec`](crate::tsm::to_vec).
    pub fn to_vec(&self) -> Result<Vec<u8>> {
        gather(|out| self.put(out))
    }

    /// The first tensor.
    #[must_use]
    pub fn first(&self) -> Option<&Tensor<'de>> {
        self.fields.first()
    }

    /// The same tensors without the input's lifetime: borrowed bytes are copied.
    #[must_use]
    pub fn into_owned(self) -> PackedTensor<'static> {
        PackedTensor { fields: self.fields.into_iter().map(Tensor::into_owned).collect() }
    }

    /// The same tensors, borrowed from the input that they were read from.
    #[cfg(feature = "std")]
    pub(super) fn within(self, source: &Source) -> PackedTensor<'static> {
        PackedTensor { fields: self.fields.into_iter().map(|field| field.within(source)).collect() }
    }
}

impl Default for PackedTensor<'_> {
    /// One void tensor without dims: what TenniS writes where there is no value.
    fn default() -> Self {
        Tensor::default().into()
    }
}

impl<'de> From<Tensor<'de>> for PackedTensor<'de> {
    fn from(tensor: Tensor<'de>) -> Self {
        PackedTensor { fields: alloc::vec![tensor] }
    }
}

impl<'de> From<Vec<Tensor<'de>>> for PackedTensor<'de> {
    fn from(fields: Vec<Tensor<'de>>) -> Self {
        PackedTensor { fields }
    }
}

impl<'de> PackedTensor<'de> {
    pub(super) fn take(reader: &mut Reader<'de>) -> Result<Self> {
        Ok(PackedTensor { fields: take_list(reader, Tensor::take)? })
    }

    pub(super) fn put(&self, out: &mut Pieces<'_>) -> Result<()> {
        put_list(out, &self.fields, Tensor::put)
    }
}

/// What can be the value of a param: numbers and booleans, lists of them, text, tensors.
///
/// A number becomes a tensor of shape \[1\], a list one of one dim, text one of char8, as in
/// TenniS. `1` is an int32, `1.0` a float64: use `1.0f32` for the float32 that TenniS prefers.
///
/// Only the types here have it; a type of your own becomes a [`PackedTensor`] by a `From` of its own.
pub trait IntoPacked<'de>: sealed::Sealed {
    /// The value.
    ///
    /// # Errors
    ///
    /// `ElementCount` for lists and text that are longer than TenniS can count.
    fn into_packed(self) -> Result<PackedTensor<'de>>;
}

/// One of no fields becomes one void field: TenniS reads no fields as what the param before had.
impl<'de> IntoPacked<'de> for PackedTensor<'de> {
    fn into_packed(self) -> Result<PackedTensor<'de>> {
        match self.fields.is_empty() {
            true => Ok(Tensor::default().into()),
            false => Ok(self),
        }
    }
}

impl<'de> IntoPacked<'de> for Tensor<'de> {
    fn into_packed(self) -> Result<PackedTensor<'de>> {
        Ok(self.into())
    }
}

impl<'de> IntoPacked<'de> for Vec<Tensor<'de>> {
    fn into_packed(self) -> Result<PackedTensor<'de>> {
        PackedTensor::from(self).into_packed()
    }
}

impl<'de, T: Element> IntoPacked<'de> for T {
    fn into_packed(self) -> Result<PackedTensor<'de>> {
        Ok(Tensor::scalar(self).into())
    }
}

impl<'de, T: Element> IntoPacked<'de> for &[T] {
    fn into_packed(self) -> Result<PackedTensor<'de>> {
        Tensor::list(self).map(Into::into)
    }
}

impl<'de, T: Element, const N: usize> IntoPacked<'de> for [T; N] {
    fn into_packed(self) -> Result<PackedTensor<'de>> {
        self.as_slice().into_packed()
    }
}

impl<'de, T: Element, const N: usize> IntoPacked<'de> for &[T; N] {
    fn into_packed(self) -> Result<PackedTensor<'de>> {
        self.as_slice().into_packed()
    }
}

impl<'de, T: Element> IntoPacked<'de> for Vec<T> {
    fn into_packed(self) -> Result<PackedTensor<'de>> {
        self.as_slice().into_packed()
    }
}

impl<'de> IntoPacked<'de> for &str {
    fn into_packed(self) -> Result<PackedTensor<'de>> {
        Tensor::text(self).map(Into::into)
    }
}

impl<'de> IntoPacked<'de> for String {
    fn into_packed(self) -> Result<PackedTensor<'de>> {
        self.as_str().into_packed()
    }
}

mod sealed {
    pub trait Sealed {}
}

impl sealed::Sealed for PackedTensor<'_> {}
impl sealed::Sealed for Tensor<'_> {}
impl sealed::Sealed for Vec<Tensor<'_>> {}
impl<T: Element> sealed::Sealed for T {}
impl<T: Element> sealed::Sealed for &[T] {}
impl<T: Element, const N: usize> sealed::Sealed for [T; N] {}
impl<T: Element, const N: usize> sealed::Sealed for &[T; N] {}
impl<T: Element> sealed::Sealed for Vec<T> {}
impl sealed::Sealed for &str {}
impl sealed::Sealed for String {}
