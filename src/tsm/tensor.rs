//! One tensor: its prototype, and the bytes of its elements.

mod dims;
mod element;
mod text;
mod view;

use alloc::vec::Vec;
use core::fmt;

use self::dims::{Dims, measure};
pub use self::element::Element;
use super::document::{Pieces, put_list, within, within_item};
use super::wire::{self, MAX_DIMS, MOST_EMPTY_ITEMS};
use super::{DType, Error, ErrorKind, Result};
use crate::read::Reader;
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

/// Takes the type and the dims, and computes how many bytes follow.
fn take_prototype(reader: &mut Reader<'_>) -> Result<(DType, Dims, usize)> {
    let offset = reader.offset();
    let [code] = within("dtype", reader.take_array())?;
    let dtype = DType::from_code(code).ok_or_else(|| Error::at(ErrorKind::DType { code }, offset));
    let dtype = within("dtype", dtype)?;
    let start = reader.offset();
    let shape = |reader: &mut Reader<'_>| -> Result<(Dims, usize)> {
        let found = wire::take_count(reader, MOST_EMPTY_ITEMS)?;
        if found > MAX_DIMS {
            return Err(Error::at(ErrorKind::DimCount { found }, start));
        }
        let mut dims = Dims::default();
        for position in 0..found {
            let offset = reader.offset();
            let dim = within_item(position, reader.take_array().map(i32::from_le_bytes))?;
            if dim < 0 {
                let error = Error::at(ErrorKind::NegativeDim { found: dim }, offset);
                return within_item(position, Err(error));
            }
            dims.push(dim);
        }
        let (_, bytes) = measure(dtype, dims.as_slice()).map_err(|kind| Error::at(kind, start))?;
        Ok((dims, bytes))
    };
    let (dims, bytes) = within("shape", shape(reader))?;
    Ok((dtype, dims, bytes))
}

fn put_prototype(out: &mut Pieces<'_>, dtype: DType, shape: &[i32]) -> Result<()> {
    out.put(&[dtype.code()]);
    put_list(out, shape, |size, out| {
        out.put(&size.to_le_bytes());
        Ok(())
    })
}

impl Prototype {
    pub(super) fn take(reader: &mut Reader<'_>) -> Result<Self> {
        take_prototype(reader).map(|(dtype, dims, _)| Prototype::new(dtype, dims.as_slice()))
    }

    pub(super) fn put(&self, out: &mut Pieces<'_>) -> Result<()> {
        self.measure().map_err(Error::placeless)?;
        put_prototype(out, self.dtype, &self.shape)
    }
}

impl<'de> Tensor<'de> {
    pub(super) fn take(reader: &mut Reader<'de>) -> Result<Self> {
        let (dtype, dims, bytes) = take_prototype(reader)?;
        let memory = within("memory", reader.take(bytes))?;
        Ok(Tensor { dtype, dims, memory: memory.into() })
    }

    pub(super) fn put(&self, out: &mut Pieces<'_>) -> Result<()> {
        put_prototype(out, self.dtype, self.shape())?;
        out.put_data(&self.memory)
    }
}
