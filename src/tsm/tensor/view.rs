//! Elements as Rust values: in place if they are aligned, else as a copy.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::Tensor;
use super::dims::Dims;
use super::element::Element;
use crate::tsm::{DType, Error, ErrorKind, Result};

impl Tensor<'static> {
    /// A tensor of these values, row-major.
    ///
    /// # Errors
    ///
    /// Those of [`Prototype::bytes`](super::Prototype::bytes), and `MemorySize` if the shape wants
    /// another number of values.
    ///
    /// # Examples
    ///
    /// ```
    /// use fourfold::tsm::{DType, Tensor};
    ///
    /// let tensor = Tensor::from_values(&[1i32, 2, 3, 4, 5, 6], &[2, 3])?;
    /// assert_eq!((tensor.dtype(), tensor.shape()), (DType::Int32, &[2, 3][..]));
    /// # Ok::<(), fourfold::tsm::Error>(())
    /// ```
    pub fn from_values<T: Element>(values: &[T], shape: &[i32]) -> Result<Self> {
        let memory = T::bytes(values).into_owned().into();
        Tensor::checked(T::DTYPE, shape, memory).map_err(Error::placeless)
    }

    /// A single number in the way of TenniS: with the shape \[1\].
    ///
    /// The Python front end of TenniS stores numbers without dims; readers take both.
    #[must_use]
    pub fn scalar<T: Element>(value: T) -> Self {
        let memory = T::bytes(&[value]).into_owned().into();
        Tensor { dtype: T::DTYPE, dims: Dims::one(1), memory }
    }

    /// A tensor of these values with one dim.
    ///
    /// # Errors
    ///
    /// `ElementCount` if there are more than 2,147,483,647.
    pub fn list<T: Element>(values: &[T]) -> Result<Self> {
        let count = i32::try_from(values.len());
        let count = count.map_err(|_| Error::placeless(ErrorKind::ElementCount))?;
        Tensor::from_values(values, &[count])
    }
}

impl Tensor<'_> {
    /// The elements in place.
    ///
    /// # Errors
    ///
    /// `Element` if they are not of such a type, `Misaligned` if their alignment is wrong (which is
    /// common: the format aligns nothing), `Bool` for a `bool` that is neither 0 nor 1, `ByteOrder`
    /// on big-endian machines. [`values`](Tensor::values) copies instead.
    pub fn as_slice<T: Element>(&self) -> Result<&[T]> {
        self.fitting::<T>().and_then(T::cast).map_err(Error::placeless)
    }

    /// The elements, in place if they are aligned, else as a copy.
    ///
    /// # Errors
    ///
    /// `Element` if they are not of such a type, `Bool` for a `bool` that is neither 0 nor 1.
    ///
    /// # Examples
    ///
    /// ```
    /// use fourfold::tsm::Tensor;
    ///
    /// let tensor = Tensor::from_values(&[1.0f32, 2.0], &[2])?;
    /// assert_eq!(*tensor.values::<f32>()?, [1.0, 2.0]);
    /// assert!(tensor.values::<i32>().is_err());
    /// # Ok::<(), fourfold::tsm::Error>(())
    /// ```
    pub fn values<T: Element>(&self) -> Result<Cow<'_, [T]>> {
        let bytes = self.fitting::<T>().map_err(Error::placeless)?;
        match T::cast(bytes) {
            Ok(values) => Ok(Cow::Borrowed(values)),
            Err(_) => T::copy(bytes).map(Cow::Owned).map_err(Error::placeless),
        }
    }

    /// The elements as a copy.
    ///
    /// # Errors
    ///
    /// Those of [`values`](Tensor::values).
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        self.fitting::<T>().and_then(T::copy).map_err(Error::placeless)
    }

    /// The bytes, if they can be read as `T`.
    fn fitting<T: Element>(&self) -> Result<&[u8], ErrorKind> {
        match self.dtype() {
            dtype if T::fits(dtype) => Ok(&self.memory),
            found => Err(ErrorKind::Element { found, expected: T::DTYPE }),
        }
    }

    /// The elements as integers, whatever integers they are.
    ///
    /// One writer of this format stores an attribute as int32 where another stores int64.
    ///
    /// # Errors
    ///
    /// `Element` if they are not integers or booleans, and if an unsigned one is beyond `i64`.
    ///
    /// # Examples
    ///
    /// ```
    /// use fourfold::tsm::Tensor;
    ///
    /// assert_eq!(Tensor::scalar(3i32).integers()?, [3]);
    /// assert_eq!(Tensor::scalar(3u8).integers()?, [3]);
    /// # Ok::<(), fourfold::tsm::Error>(())
    /// ```
    pub fn integers(&self) -> Result<Vec<i64>> {
        macro_rules! widened {
            ($type:ty) => {
                self.values::<$type>()?.iter().map(|value| i64::from(*value)).collect()
            };
        }
        let refused =
            || Error::placeless(ErrorKind::Element { found: self.dtype(), expected: DType::Int64 });
        Ok(match self.dtype() {
            DType::Int8 => widened!(i8),
            DType::UInt8 | DType::Boolean => widened!(u8),
            DType::Int16 => widened!(i16),
            DType::UInt16 => widened!(u16),
            DType::Int32 => widened!(i32),
            DType::UInt32 => widened!(u32),
            DType::Int64 => self.to_vec::<i64>()?,
            DType::UInt64 => {
                let narrow = |value: &u64| i64::try_from(*value).map_err(|_| refused());
                self.values::<u64>()?.iter().map(narrow).collect::<Result<_>>()?
            }
            _ => return Err(refused()),
        })
    }

    /// The elements as an array of the tensor's shape, in place if they are aligned.
    ///
    /// # Errors
    ///
    /// Those of [`values`](Tensor::values), and `ElementCount` for an empty shape whose other dims
    /// are larger than an array can have.
    ///
    /// # Examples
    ///
    /// ```
    /// use fourfold::tsm::Tensor;
    ///
    /// let tensor = Tensor::from_values(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2])?;
    /// assert_eq!(tensor.view::<f32>()?[[1, 0]], 3.0);
    /// # Ok::<(), fourfold::tsm::Error>(())
    /// ```
    #[cfg(feature = "ndarray")]
    pub fn view<T: Element>(&self) -> Result<ndarray::CowArray<'_, T, ndarray::IxDyn>> {
        let dims = self.shape().iter().map(|dim| usize::try_from(*dim).unwrap_or(0));
        let shape = ndarray::IxDyn(&dims.collect::<Vec<_>>());
        match self.values::<T>()? {
            Cow::Borrowed(values) => ndarray::ArrayView::from_shape(shape, values).map(Into::into),
            Cow::Owned(values) => ndarray::Array::from_shape_vec(shape, values).map(Into::into),
        }
        .map_err(|_| Error::placeless(ErrorKind::ElementCount))
    }
}

#[cfg(feature = "ndarray")]
impl Tensor<'static> {
    /// A tensor of an array's shape and values.
    ///
    /// # Errors
    ///
    /// `DimCount` and `ElementCount` for arrays that are more than TenniS holds.
    ///
    /// # Examples
    ///
    /// ```
    /// use fourfold::tsm::Tensor;
    ///
    /// let array = ndarray::arr2(&[[1u8, 2], [3, 4]]);
    /// assert_eq!(Tensor::from_array(&array)?.bytes(), [1, 2, 3, 4]);
    /// # Ok::<(), fourfold::tsm::Error>(())
    /// ```
    pub fn from_array<T, S, D>(array: &ndarray::ArrayBase<S, D>) -> Result<Self>
    where
        T: Element,
        S: ndarray::Data<Elem = T>,
        D: ndarray::Dimension,
    {
        let beyond = |_| Error::placeless(ErrorKind::ElementCount);
        let shape = array.shape().iter().map(|size| i32::try_from(*size).map_err(beyond));
        let shape = shape.collect::<Result<Vec<i32>>>()?;
        match array.as_slice() {
            Some(values) => Tensor::from_values(values, &shape),
            None => Tensor::from_values(&array.iter().copied().collect::<Vec<T>>(), &shape),
        }
    }
}
