//! Tensors: a shape and its floats.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::pieces::Pieces;
use super::{Shape, within};
use crate::primitiv::wire::{self, Headed, Width};
use crate::primitiv::{Error, ErrorKind, Result};
use crate::read::Reader;
use crate::tensor::memory::{self, Memory};

/// How many bytes a float takes.
const FLOAT: usize = size_of::<f32>();

/// A tensor: its shape, then bin with little-endian floats.
///
/// The floats are in column-major order: element (i, j) of shape `[2,3]` is number i + 2 j. The
/// tensors of a batch follow one another.
#[derive(Clone, Debug)]
pub struct Tensor<'de> {
    shape: Shape,
    data: Memory<'de>,
    width: Width,
}

impl<'de> Tensor<'de> {
    /// A tensor of bytes as they are in a file: little-endian, column-major.
    ///
    /// # Errors
    ///
    /// `DataLength` unless there are four bytes for each element.
    pub fn new(shape: Shape, data: impl Into<Memory<'de>>) -> Result<Self> {
        let data = data.into();
        Tensor::check(&shape, data.len()).map_err(Error::placeless)?;
        wire::length(data.len())?;
        Ok(Tensor { shape, data, width: Width::Shortest })
    }

    /// A tensor of one float.
    #[must_use]
    pub fn scalar(value: f32) -> Self {
        let data = Memory::from(value.to_le_bytes().to_vec());
        Tensor { shape: Shape::scalar(), data, width: Width::Shortest }
    }

    /// A tensor of floats that are in column-major order already, the first index fastest.
    ///
    /// # Errors
    ///
    /// `DataLength` unless there is a float for each element.
    ///
    /// ```
    /// use fourfold::primitiv::{Shape, Tensor};
    ///
    /// // 0 10 20
    /// // 1 11 21
    /// let shape = Shape::new(&[2, 3])?;
    /// let tensor = Tensor::from_column_major(shape, &[0.0, 1.0, 10.0, 11.0, 20.0, 21.0])?;
    /// assert_eq!(tensor.at(&[1, 2], 0), Some(21.0));
    /// assert_eq!(tensor, Tensor::from_row_major(shape, &[0.0, 10.0, 20.0, 1.0, 11.0, 21.0])?);
    /// # Ok::<(), fourfold::primitiv::Error>(())
    /// ```
    pub fn from_column_major(shape: Shape, values: &[f32]) -> Result<Self> {
        Tensor::new(shape, values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>())
    }

    /// A tensor of floats in row-major order, the last index fastest, as C and Rust arrays have
    /// them: each tensor of the batch is transposed into column-major order.
    ///
    /// # Errors
    ///
    /// `DataLength` unless there is a float for each element.
    pub fn from_row_major(shape: Shape, values: &[f32]) -> Result<Self> {
        Tensor::check(&shape, values.len().saturating_mul(FLOAT)).map_err(Error::placeless)?;
        let mut reversed = [1; 8];
        let dims = shape.dims();
        for (kept, dim) in reversed.iter_mut().zip(dims.iter().rev()) {
            *kept = *dim;
        }
        let reversed = reversed.get(..dims.len()).unwrap_or_default();
        Tensor::from_column_major(shape, &transposed(values, reversed, shape.volume()))
    }

    /// Its shape.
    #[must_use]
    pub const fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Its bytes as in a file: little-endian floats in column-major order.
    #[must_use]
    pub fn data(&self) -> &[u8] {
        self.data.as_slice()
    }

    /// Its floats in column-major order, borrowed: `None` if they are not aligned, or the machine
    /// is big-endian.
    #[must_use]
    pub fn as_column_major(&self) -> Option<&[f32]> {
        match cfg!(target_endian = "little") {
            true => bytemuck::try_cast_slice(self.data()).ok(),
            false => None,
        }
    }

    /// Its floats in column-major order, copied only if they cannot be borrowed.
    #[must_use]
    pub fn column_major(&self) -> Cow<'_, [f32]> {
        match self.as_column_major() {
            Some(values) => Cow::Borrowed(values),
            None => Cow::Owned(self.to_column_major()),
        }
    }

    /// A copy of its floats in column-major order.
    #[must_use]
    pub fn to_column_major(&self) -> Vec<f32> {
        let mut values: Vec<f32> = memory::copied(self.data());
        if cfg!(target_endian = "big") {
            let swapped = |value: f32| f32::from_bits(value.to_bits().swap_bytes());
            values.iter_mut().for_each(|value| *value = swapped(*value));
        }
        values
    }

    /// A copy of its floats in row-major order, each tensor of the batch transposed.
    #[must_use]
    pub fn to_row_major(&self) -> Vec<f32> {
        transposed(&self.column_major(), self.shape.dims(), self.shape.volume())
    }

    /// The element at an index, of one tensor of the batch. Indices left out are 0.
    #[must_use]
    pub fn at(&self, index: &[u32], batch: u32) -> Option<f32> {
        let dims = self.shape.dims();
        let mut position = 0;
        for i in (0..index.len().max(dims.len())).rev() {
            let (dim, i) = (dims.get(i).unwrap_or(&1), index.get(i).unwrap_or(&0));
            if i >= dim {
                return None;
            }
            position = position * u64::from(*dim) + u64::from(*i);
        }
        if batch >= self.shape.batch() {
            return None;
        }
        position += u64::from(batch) * u64::from(self.shape.volume());
        let start = usize::try_from(position).ok()?.checked_mul(FLOAT)?;
        let bytes = self.data().get(start..)?.first_chunk()?;
        Some(f32::from_le_bytes(*bytes))
    }

    /// How wide the length of the data is written.
    #[must_use]
    pub const fn width(&self) -> Width {
        self.width
    }

    /// The same with a length of data that is written as wide as that, or wider if it must be.
    #[must_use]
    pub fn with_width(self, width: Width) -> Self {
        Tensor { width, ..self }
    }

    /// The same without the input's lifetime: borrowed bytes are copied.
    #[must_use]
    pub fn into_owned(self) -> Tensor<'static> {
        self.moved(&Memory::into_owned)
    }

    /// The same with its bytes elsewhere.
    pub(super) fn moved<'to>(self, to: &impl Fn(Memory<'de>) -> Memory<'to>) -> Tensor<'to> {
        Tensor { shape: self.shape, data: to(self.data), width: self.width }
    }

    #[inline]
    fn check(shape: &Shape, found: usize) -> Result<(), ErrorKind> {
        let expected = shape.bytes();
        match u64::try_from(found) {
            Ok(same) if same == expected => Ok(()),
            _ => Err(ErrorKind::DataLength { found, expected, shape: *shape }),
        }
    }

    pub(super) fn take(reader: &mut Reader<'de>, lenient: bool) -> Result<Self> {
        Tensor::take_with_batch_at(reader, lenient).map(|(tensor, _)| tensor)
    }

    /// Takes a tensor; also returns the position of its batch.
    #[inline]
    pub(super) fn take_with_batch_at(
        reader: &mut Reader<'de>,
        lenient: bool,
    ) -> Result<(Self, usize)> {
        let (shape, batch_at) = within("shape", Shape::take_with_batch_at(reader, lenient))?;
        let (data, width) = within("data", Tensor::take_data(&shape, reader, lenient))?;
        Ok((Tensor { shape, data: Memory::from(data), width }, batch_at))
    }

    #[inline]
    fn take_data(
        shape: &Shape,
        reader: &mut Reader<'de>,
        lenient: bool,
    ) -> Result<(&'de [u8], Width)> {
        let start = reader.offset();
        let (len, width) = wire::take_size(reader, Headed::Bin, lenient)?;
        let len = usize::try_from(len).unwrap_or(usize::MAX);
        Tensor::check(shape, len).map_err(|kind| Error::at(kind, start))?;
        Ok((reader.take(len)?, width))
    }

    #[inline]
    pub(super) fn put(&self, out: &mut Pieces<'_>) -> Result<()> {
        self.shape.put(out)?;
        out.put_bytes(Headed::Bin, self.data(), self.width)
    }
}

/// Floats whose first index is the fastest, put in the order in which the last one is.
fn transposed(values: &[f32], dims: &[u32], volume: u32) -> Vec<f32> {
    let size = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
    let mut out = Vec::with_capacity(values.len());
    for one in values.chunks(size(volume).max(1)) {
        let mut index = [0; 8];
        for _ in 0..one.len() {
            // The position of the element by its index, the first one fastest.
            let position = dims.iter().zip(index).rev().fold(0, |at, (dim, i)| at * size(*dim) + i);
            out.push(one.get(position).copied().unwrap_or_default());
            for (dim, i) in dims.iter().zip(&mut index).rev() {
                *i += 1;
                if *i < size(*dim) {
                    break;
                }
                *i = 0;
            }
        }
    }
    out
}

impl PartialEq for Tensor<'_> {
    /// Whether shapes and bits are equal.
    fn eq(&self, other: &Self) -> bool {
        self.shape == other.shape && self.data == other.data
    }
}

impl Eq for Tensor<'_> {}

#[cfg(feature = "ndarray")]
mod ndarray_0_17 {
    use ndarray::{Array, ArrayBase, CowArray, Data, Dimension, IxDyn, ShapeBuilder as _};

    use super::{Cow, Error, ErrorKind, Result, Shape, Tensor, Vec};

    impl Tensor<'_> {
        /// Its floats as an array in Fortran order, whose axes are the dims, without trailing 1s.
        /// If there is a batch of more than 1, it is the last axis. Copied only if they cannot be
        /// borrowed.
        ///
        /// ```
        /// use fourfold::primitiv::{Shape, Tensor};
        ///
        /// let tensor = Tensor::from_row_major(Shape::new(&[2, 3])?, &[0., 1., 2., 10., 11., 12.])?;
        /// let view = tensor.view();
        /// assert_eq!(view.shape(), [2, 3]);
        /// assert_eq!(view[[1, 2]], 12.);
        /// # Ok::<(), fourfold::primitiv::Error>(())
        /// ```
        #[must_use]
        pub fn view(&self) -> CowArray<'_, f32, IxDyn> {
            let batch = Some(self.shape.batch()).filter(|batch| *batch > 1);
            let axes = self.shape.dims().iter().copied().chain(batch);
            let axes: Vec<_> = axes.map(|dim| usize::try_from(dim).unwrap_or(0)).collect();
            let axes = IxDyn(&axes).f();
            // That the floats fill the shape was checked.
            let array = match self.column_major() {
                Cow::Borrowed(values) => {
                    ndarray::ArrayView::from_shape(axes, values).map(CowArray::from)
                }
                Cow::Owned(values) => Array::from_shape_vec(axes, values).map(CowArray::from),
            };
            array.unwrap_or_else(|_| Array::default(IxDyn(&[0])).into())
        }

        /// A tensor of an array in any memory order; all of its axes become dims, and the batch is
        /// 1.
        ///
        /// # Errors
        ///
        /// `TooManyDims`, `ZeroDim`, `SizeOverflow`, as [`Shape::new`].
        pub fn from_array<S, D>(array: &ArrayBase<S, D>) -> Result<Tensor<'static>>
        where
            S: Data<Elem = f32>,
            D: Dimension,
        {
            let dims = dims_of(array.shape())?;
            Tensor::from_column_major(Shape::new(&dims)?, &column_major_of(array))
        }

        /// A tensor of an array in any memory order, whose last axis is the batch: what
        /// [`view`](Tensor::view) shows of a batch of more than 1.
        ///
        /// # Errors
        ///
        /// `ZeroBatch`, and those of [`from_array`](Tensor::from_array).
        ///
        /// ```
        /// use fourfold::primitiv::Tensor;
        /// use ndarray::arr2;
        ///
        /// let batch = Tensor::from_array_of_batch(&arr2(&[[1., 2., 3.], [10., 20., 30.]]))?;
        /// assert_eq!(batch.shape().to_string(), "[2]x3");
        /// assert_eq!(batch.at(&[1], 2), Some(30.));
        /// # Ok::<(), fourfold::primitiv::Error>(())
        /// ```
        pub fn from_array_of_batch<S, D>(array: &ArrayBase<S, D>) -> Result<Tensor<'static>>
        where
            S: Data<Elem = f32>,
            D: Dimension,
        {
            let axes = dims_of(array.shape())?;
            let (batch, dims) =
                axes.split_last().map_or((1, &[][..]), |(last, rest)| (*last, rest));
            let shape = Shape::new(dims)?.with_batch(batch)?;
            Tensor::from_column_major(shape, &column_major_of(array))
        }
    }

    fn dims_of(axes: &[usize]) -> Result<Vec<u32>> {
        let dim = |axis: &usize| {
            u32::try_from(*axis).map_err(|_| Error::placeless(ErrorKind::SizeOverflow))
        };
        axes.iter().map(dim).collect()
    }

    /// The floats of an array, the first axis fastest.
    fn column_major_of<S: Data<Elem = f32>, D: Dimension>(array: &ArrayBase<S, D>) -> Vec<f32> {
        // The logical order of the transposed array has the first axis fastest.
        array.t().iter().copied().collect()
    }
}
