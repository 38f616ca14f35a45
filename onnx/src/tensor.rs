//! Elements of tensors.

use bytes::Bytes;

use crate::dtype::DataType;
use crate::error::{Error, Problem, Result};
use crate::external::{EXTERNAL, Folder, Range};
use crate::proto::Tensor;

impl Tensor {
    /// The type of elements.
    ///
    /// # Errors
    ///
    /// `Tensor` if ONNX has no such type.
    pub fn dtype(&self) -> Result<DataType> {
        DataType::of(self.data_type).ok_or_else(|| self.error(Problem::DataType(self.data_type)))
    }

    /// How many elements the shape has.
    ///
    /// # Errors
    ///
    /// `Tensor` if a size is negative, or if there are more than a `usize` counts.
    pub fn count(&self) -> Result<usize> {
        let mut sizes = self.dims.iter().map(|&size| usize::try_from(size).ok());
        // Whatever the other sizes are, a size of 0 makes the tensor empty.
        if sizes.clone().all(|size| size.is_some()) && self.dims.contains(&0) {
            return Ok(0);
        }
        let count = sizes.try_fold(1_usize, |count, size| count.checked_mul(size?));
        count.ok_or_else(|| self.error(Problem::Shape(self.dims.clone())))
    }

    /// The bytes of all elements in little-endian order, shared with the model if they are its raw bytes.
    ///
    /// Types of less than 8 bits are packed, the first element in the lowest bits. `folder` is where the model
    /// is; without one, elements in other files are an error.
    ///
    /// # Errors
    ///
    /// `Tensor` if the elements are strings, if there are not as many as the shape has, or if they are in a
    /// file that cannot be read or is not inside the folder.
    ///
    /// # Examples
    ///
    /// ```
    /// use fourfold_onnx::{DataType, Tensor};
    ///
    /// let number = DataType::Int16.number();
    /// let tensor = Tensor { dims: vec![2], data_type: number, int32_data: vec![1, -1], ..Tensor::default() };
    /// assert_eq!(*tensor.elements(None)?, [1, 0, 255, 255]);
    /// # Ok::<(), fourfold_onnx::Error>(())
    /// ```
    pub fn elements(&self, folder: Option<&Folder>) -> Result<Bytes> {
        let dtype = self.dtype()?;
        let count = self.count()?;
        if dtype == DataType::String {
            return Err(self.error(Problem::Strings));
        }
        let needed = count.checked_mul(dtype.bits()).map(|bits| bits.div_ceil(8));
        let needed = needed.ok_or_else(|| self.error(Problem::Shape(self.dims.clone())))?;
        let bytes = if self.data_location == EXTERNAL {
            let range = Range::of(&self.external_data).map_err(|problem| self.error(problem))?;
            range.read(folder, needed).map_err(|problem| self.error(problem))?
        } else if let Some(raw) = &self.raw_data {
            raw.clone()
        } else {
            return self.typed(dtype, count);
        };
        match bytes.len() {
            found if found == needed => Ok(bytes),
            found => Err(self.error(Problem::Bytes { found, needed })),
        }
    }

    /// The bytes of elements in one of the typed fields.
    fn typed(&self, dtype: DataType, count: usize) -> Result<Bytes> {
        let (found, needed, bytes): (usize, usize, Vec<u8>) = match dtype {
            DataType::Float => gather(&self.float_data, count, |item| item.to_le_bytes()),
            DataType::Complex64 => {
                gather(&self.float_data, count.saturating_mul(2), |item| item.to_le_bytes())
            }
            DataType::Double => gather(&self.double_data, count, |item| item.to_le_bytes()),
            DataType::Complex128 => {
                gather(&self.double_data, count.saturating_mul(2), |item| item.to_le_bytes())
            }
            DataType::Int64 => gather(&self.int64_data, count, |item| item.to_le_bytes()),
            DataType::Uint64 => gather(&self.uint64_data, count, |item| item.to_le_bytes()),
            DataType::Uint32 => {
                gather(&self.uint64_data, count, |item| low::<8, 4>(item.to_le_bytes()))
            }
            DataType::Int32 => gather(&self.int32_data, count, |item| item.to_le_bytes()),
            _ if dtype.bits() == 16 => {
                gather(&self.int32_data, count, |item| low::<4, 2>(item.to_le_bytes()))
            }
            _ if dtype.bits() == 6 => {
                let (found, needed, bytes) =
                    gather(&self.int32_data, count, |item| low::<4, 1>(item.to_le_bytes()));
                (found, needed, pack_six_bits(&bytes))
            }
            // A byte in each, as in the raw bytes.
            _ => {
                let bytes = count.saturating_mul(dtype.bits()).div_ceil(8);
                gather(&self.int32_data, bytes, |item| low::<4, 1>(item.to_le_bytes()))
            }
        };
        match found == needed {
            true => Ok(bytes.into()),
            false => Err(self.error(Problem::Count { found, needed })),
        }
    }

    fn error(&self, problem: Problem) -> Error {
        Error::Tensor { name: self.name.clone(), problem }
    }
}

/// How many items there are and should be, and the bytes of all.
fn gather<T: Copy, const SIZE: usize>(
    items: &[T],
    needed: usize,
    bytes: impl Fn(T) -> [u8; SIZE],
) -> (usize, usize, Vec<u8>) {
    match items.len() == needed {
        true => (needed, needed, items.iter().flat_map(|&item| bytes(item)).collect()),
        false => (items.len(), needed, Vec::new()),
    }
}

/// Elements of 6 bits without the 2 bits after each.
fn pack_six_bits(items: &[u8]) -> Vec<u8> {
    let mut packed = Vec::with_capacity(items.len());
    for group in items.chunks(4) {
        let bits = group.iter().rev().fold(0_u32, |bits, &item| bits << 6 | u32::from(item & 0x3f));
        packed.extend(bits.to_le_bytes().iter().take((group.len() * 6).div_ceil(8)));
    }
    packed
}

/// The first bytes of a number in little-endian order.
fn low<const WIDE: usize, const SIZE: usize>(bytes: [u8; WIDE]) -> [u8; SIZE] {
    let mut low = [0; SIZE];
    low.iter_mut().zip(bytes).for_each(|(low, byte)| *low = byte);
    low
}
