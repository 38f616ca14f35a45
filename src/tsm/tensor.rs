//! One tensor: its prototype, and the bytes of its elements.

mod dims;
mod document;
mod element;
mod text;
mod view;

use alloc::vec::Vec;
use core::fmt;

use self::dims::{Dims, measure};
pub(super) use self::document::{PROTOTYPE, TENSOR, check_prototype};
pub use self::element::Element;
use super::{DType, Error, ErrorKind, Result};
use crate::tensor::memory::Memory;
#[cfg(feature = "std")]
use crate::tensor::memory::Source;

/// What a tensor is, without its elements: their type, and the shape.
///
/// On the wire the code of the type, a count, and the dims as int32: `05 02000000 02000000 03000000`
/// is int32 \[2, 3\].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Prototype {
    /// The type of the elements.
    pub dtype: DType,
    /// The size of each dim, outermost first: what the format calls `shape` or `sizes`. A tensor
    /// without dims has one element.
    pub shape: Vec<i32>,
}

impl Prototype {
    /// A prototype; whether a tensor can have it is checked when one is made.
    #[must_use]
    pub fn new(dtype: DType, shape: impl Into<Vec<i32>>) -> Self {
        Prototype { dtype, shape: shape.into() }
    }

    /// How many elements a tensor of this shape has: the product of the dims, 1 without dims.
    ///
    /// # Errors
    ///
    /// `DimCount` for more dims than the 7 that TenniS holds, `NegativeDim`, and `ElementCount` for
    /// more than 2,147,483,647 elements, which TenniS cannot count.
    pub fn count(&self) -> Result<usize> {
        self.measure().map(|(count, _)| count).map_err(Error::placeless)
    }

    /// How many bytes the elements take.
    ///
    /// # Errors
    ///
    /// Those of [`count`](Prototype::count), and `ElementCount` if a machine cannot address them.
    pub fn bytes(&self) -> Result<usize> {
        self.measure().map(|(_, bytes)| bytes).map_err(Error::placeless)
    }

    /// The count of elements and of bytes.
    pub(super) fn measure(&self) -> Result<(usize, usize), ErrorKind> {
        measure(self.dtype, &self.shape)
    }
}

/// A tensor: a [`Prototype`] and the bytes of the elements, row-major and little-endian.
///
/// There are always as many bytes as the prototype requires: all constructors check that.
///
/// On the wire the bytes follow the prototype without a count. Reading borrows them.
///
/// ```
/// use fourfold::tsm::{DType, Tensor, to_vec};
///
/// let tensor = Tensor::from_values(&[1.0f32, 2.0], &[2, 1])?;
/// assert_eq!(tensor.dtype(), DType::Float32);
/// assert_eq!(
///     to_vec(&tensor)?,
///     [10, 2, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40],
/// );
/// # Ok::<(), fourfold::tsm::Error>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Tensor<'de> {
    dtype: DType,
    dims: Dims,
    memory: Memory<'de>,
}

impl<'de> Tensor<'de> {
    /// A tensor of these bytes, which are little-endian.
    ///
    /// # Errors
    ///
    /// Those of [`Prototype::bytes`], and `MemorySize` if there are more bytes or fewer.
    ///
    /// # Examples
    ///
    /// ```
    /// use fourfold::tsm::{DType, Prototype, Tensor};
    ///
    /// let bytes = [1u8, 0, 2, 0];
    /// let tensor = Tensor::new(Prototype::new(DType::Int16, [2]), &bytes[..])?;
    /// assert_eq!(tensor.to_vec::<i16>()?, [1, 2]);
    /// assert!(Tensor::new(Prototype::new(DType::Int16, [3]), &bytes[..]).is_err());
    /// # Ok::<(), fourfold::tsm::Error>(())
    /// ```
    pub fn new(prototype: Prototype, memory: impl Into<Memory<'de>>) -> Result<Self> {
        Tensor::checked(prototype.dtype, &prototype.shape, memory.into()).map_err(Error::placeless)
    }

    fn checked(dtype: DType, shape: &[i32], memory: Memory<'de>) -> Result<Self, ErrorKind> {
        let (_, expected) = measure(dtype, shape)?;
        Tensor::of_len(dtype, Dims::new(shape)?, expected, memory)
    }

    /// A tensor of dims that were measured.
    fn of_len(
        dtype: DType,
        dims: Dims,
        expected: usize,
        memory: Memory<'de>,
    ) -> Result<Self, ErrorKind> {
        match memory.len() {
            found if found == expected => Ok(Tensor { dtype, dims, memory }),
            found => Err(ErrorKind::MemorySize { expected, found }),
        }
    }

    /// The type of the elements and the shape.
    #[must_use]
    pub fn prototype(&self) -> Prototype {
        Prototype::new(self.dtype, self.shape())
    }

    /// The type of the elements.
    #[must_use]
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// The size of each dim, outermost first.
    #[must_use]
    pub fn shape(&self) -> &[i32] {
        self.dims.as_slice()
    }

    /// How many elements there are.
    #[must_use]
    pub fn count(&self) -> usize {
        // That this can be computed was checked when the tensor was made.
        measure(self.dtype, self.shape()).map_or(0, |(count, _)| count)
    }

    /// The bytes of the elements, row-major and little-endian.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.memory
    }

    /// Whether there are no elements, or only ones without bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.memory.is_empty()
    }

    /// The prototype and the bytes.
    #[must_use]
    pub fn into_parts(self) -> (Prototype, Memory<'de>) {
        (self.prototype(), self.memory)
    }

    /// The same tensor without the input's lifetime: borrowed bytes are copied.
    #[must_use]
    pub fn into_owned(self) -> Tensor<'static> {
        Tensor { dtype: self.dtype, dims: self.dims, memory: self.memory.into_owned() }
    }

    /// The same tensor, borrowed from the input that it was read from.
    #[cfg(feature = "std")]
    pub(super) fn within(self, source: &Source) -> Tensor<'static> {
        Tensor { dtype: self.dtype, dims: self.dims, memory: self.memory.within(source) }
    }
}

impl fmt::Debug for Tensor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}, {:?}", self.dtype, self.shape(), self.memory)
    }
}
