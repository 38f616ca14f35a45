//! The Rust types of elements, and casts between them and bytes.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use bytemuck::PodCastError;

use crate::tensor::memory;
use crate::tsm::{DType, ErrorKind};

/// A Rust type that a tensor's elements can be read as. Only the types here are.
///
/// | Rust | dtype |
/// |---|---|
/// | `i8 i16 i32 i64`, `u8 u16 u32 u64`, `f32 f64` | the one of that name |
/// | `u8` · `u16` · `u32` | also `char8`, `unknown8`, `bool` · `char16`, `unknown16` · `char32`, `unknown32` |
/// | `u64` · `u128` | also `unknown64`, `ptr` · `unknown128` |
/// | `i8` | also `sink8q0` to `sink8q7` |
/// | `bool` | `bool` |
/// | `half::f16` (feature `half`) | `float16` |
/// | `Complex<f32>`, `Complex<f64>` (feature `num-complex`) | `complex64`, `complex128` |
/// | `Complex<f16>` (both) | `complex32` |
pub trait Element: sealed::Stored {
    /// The type of a tensor of such values.
    const DTYPE: DType;

    /// Whether elements of type `dtype` can be read as this.
    #[must_use]
    fn fits(dtype: DType) -> bool;
}

pub(super) mod sealed {
    use super::{Cow, ErrorKind, Vec};

    /// How the values are stored in memory.
    pub trait Stored: Copy + 'static {
        /// The values in place.
        fn cast(bytes: &[u8]) -> Result<&[Self], ErrorKind>;

        /// The values as a copy, at any alignment.
        fn copy(bytes: &[u8]) -> Result<Vec<Self>, ErrorKind>;

        /// The bytes of the values.
        fn bytes(values: &[Self]) -> Cow<'_, [u8]>;
    }
}

use sealed::Stored;

/// Whether values in memory have the byte order of the format.
const NATIVE: bool = cfg!(target_endian = "little");

/// `type, dtype it is written as, further ones it is read from, one value in the other byte order`
macro_rules! elements {
    ($($type:ty, $dtype:ident $(| $also:ident)*, $swap:expr;)*) => {$(
        impl Element for $type {
            const DTYPE: DType = DType::$dtype;

            fn fits(dtype: DType) -> bool {
                matches!(dtype, DType::$dtype $(| DType::$also)*)
            }
        }

        impl Stored for $type {
            fn cast(bytes: &[u8]) -> Result<&[Self], ErrorKind> {
                // An empty slice is always aligned.
                if bytes.is_empty() {
                    return Ok(&[]);
                }
                match bytemuck::try_cast_slice(bytes) {
                    Ok(values) if NATIVE || size_of::<$type>() == 1 => Ok(values),
                    Ok(_) => Err(ErrorKind::ByteOrder),
                    Err(error) => Err(refused::<$type>(error, bytes.len())),
                }
            }

            fn copy(bytes: &[u8]) -> Result<Vec<Self>, ErrorKind> {
                let mut values: Vec<$type> = memory::copied(bytes);
                let (expected, found) = (size_of_val(values.as_slice()), bytes.len());
                if expected != found {
                    return Err(ErrorKind::MemorySize { expected, found });
                }
                if !NATIVE {
                    values.iter_mut().for_each(|value| *value = $swap(*value));
                }
                Ok(values)
            }

            fn bytes(values: &[Self]) -> Cow<'_, [u8]> {
                if NATIVE {
                    return Cow::Borrowed(bytemuck::cast_slice(values));
                }
                let values: Vec<$type> = values.iter().map(|value| $swap(*value)).collect();
                Cow::Owned(bytemuck::cast_slice(&values).to_vec())
            }
        }
    )*};
}

elements! {
    i8, Int8 | Sink8Q0 | Sink8Q1 | Sink8Q2 | Sink8Q3 | Sink8Q4 | Sink8Q5 | Sink8Q6 | Sink8Q7,
        i8::swap_bytes;
    u8, UInt8 | Char8 | Unknown8 | Boolean, u8::swap_bytes;
    i16, Int16, i16::swap_bytes;
    u16, UInt16 | Char16 | Unknown16, u16::swap_bytes;
    i32, Int32, i32::swap_bytes;
    u32, UInt32 | Char32 | Unknown32, u32::swap_bytes;
    i64, Int64, i64::swap_bytes;
    u64, UInt64 | Unknown64 | Ptr, u64::swap_bytes;
    u128, Unknown128, u128::swap_bytes;
    f32, Float32, |value: f32| f32::from_bits(value.to_bits().swap_bytes());
    f64, Float64, |value: f64| f64::from_bits(value.to_bits().swap_bytes());
}

#[cfg(feature = "half")]
elements! {
    half::f16, Float16, |value: half::f16| half::f16::from_bits(value.to_bits().swap_bytes());
}

#[cfg(feature = "num-complex")]
elements! {
    num_complex::Complex<f32>, Complex64, |value: num_complex::Complex<f32>| {
        let swapped = |part: f32| f32::from_bits(part.to_bits().swap_bytes());
        num_complex::Complex::new(swapped(value.re), swapped(value.im))
    };
    num_complex::Complex<f64>, Complex128, |value: num_complex::Complex<f64>| {
        let swapped = |part: f64| f64::from_bits(part.to_bits().swap_bytes());
        num_complex::Complex::new(swapped(value.re), swapped(value.im))
    };
}

#[cfg(all(feature = "half", feature = "num-complex"))]
elements! {
    num_complex::Complex<half::f16>, Complex32, |value: num_complex::Complex<half::f16>| {
        let swapped = |part: half::f16| half::f16::from_bits(part.to_bits().swap_bytes());
        num_complex::Complex::new(swapped(value.re), swapped(value.im))
    };
}

impl Element for bool {
    const DTYPE: DType = DType::Boolean;

    fn fits(dtype: DType) -> bool {
        dtype == DType::Boolean
    }
}

/// The one type that not all bytes are values of.
impl Stored for bool {
    fn cast(bytes: &[u8]) -> Result<&[Self], ErrorKind> {
        match bytes.iter().find(|byte| **byte > 1) {
            Some(&found) => Err(ErrorKind::Bool { found }),
            None => bytemuck::checked::try_cast_slice(bytes)
                .map_err(|_| ErrorKind::Misaligned { align: align_of::<bool>() }),
        }
    }

    fn copy(bytes: &[u8]) -> Result<Vec<Self>, ErrorKind> {
        bool::cast(bytes).map(<[bool]>::to_vec)
    }

    fn bytes(values: &[Self]) -> Cow<'_, [u8]> {
        Cow::Borrowed(bytemuck::cast_slice(values))
    }
}

#[cold]
fn refused<T>(error: PodCastError, found: usize) -> ErrorKind {
    match error {
        PodCastError::TargetAlignmentGreaterAndInputNotAligned => {
            ErrorKind::Misaligned { align: align_of::<T>() }
        }
        _ => ErrorKind::MemorySize { expected: found / size_of::<T>() * size_of::<T>(), found },
    }
}
