//! Tensors and prototypes as serde types, and their check by the reader of this format, since code that is generic over
//! formats can refuse a value only with a text.

use core::marker::PhantomData;

use serde_core::de::{Deserialize, Deserializer};
use serde_core::ser::{Serialize, SerializeStruct as _, Serializer};

use super::dims::{Dims, measure};
use super::{Prototype, Tensor};
use crate::error::Segment;
use crate::glue::macros::Inner;
use crate::read::Reader;
use crate::tensor::memory::Memory;
use crate::tsm::fields::{Counted, read_fields};
use crate::tsm::wire::{self, DTYPE_SIZE, INDEX_SIZE, MAX_DIMS, MOST_EMPTY_ITEMS};
use crate::tsm::with::{RawBytes, RawLen};
use crate::tsm::{DType, Error, ErrorKind, Result};

/// The name of the newtype struct around a [`Prototype`].
pub(in crate::tsm) const PROTOTYPE: &str = "fourfold.tsm.prototype";

/// The name of the one around a [`Tensor`], which begins as its prototype does.
pub(in crate::tsm) const TENSOR: &str = "fourfold.tsm.tensor";

/// Refuses the prototype at the start of `bytes` for what a tensor cannot have. Bytes that end early are no concern
/// here.
pub(in crate::tsm) fn check_prototype(bytes: &[u8]) -> Result<()> {
    let mut reader = Reader::new(bytes, 0);
    let Ok([code]) = reader.take_array::<DTYPE_SIZE, ErrorKind>() else { return Ok(()) };
    let Some(dtype) = DType::from_code(code) else {
        let error = Error::at(ErrorKind::DType { code }, 0);
        return Err(error.inside(Segment::Field("dtype".into())));
    };
    let in_shape = |error: Error| error.inside(Segment::Field("shape".into()));
    // Of a count that is wrong by itself, the reader of counts speaks.
    let Ok(found) = wire::take_count(&mut reader, MOST_EMPTY_ITEMS) else { return Ok(()) };
    if found > MAX_DIMS {
        return Err(in_shape(Error::at(ErrorKind::DimCount { found }, DTYPE_SIZE)));
    }
    let mut dims = Dims::default();
    for position in 0..found {
        let offset = reader.offset();
        let Ok(dim) = reader.take_array::<INDEX_SIZE, ErrorKind>() else { return Ok(()) };
        let found = i32::from_le_bytes(dim);
        if found < 0 {
            let error = Error::at(ErrorKind::NegativeDim { found }, offset);
            return Err(in_shape(error.inside(Segment::Index(position))));
        }
        dims.push(found);
    }
    let measured = measure(dtype, dims.as_slice());
    measured.map(drop).map_err(|kind| in_shape(Error::at(kind, DTYPE_SIZE)))
}

impl Serialize for Prototype {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let refused = serde_core::ser::Error::custom;
        measure(self.dtype, &self.shape).map_err(refused)?;
        let inside =
            InPrototype { dtype: self.dtype, dims: Dims::new(&self.shape).map_err(refused)? };
        serializer.serialize_newtype_struct(PROTOTYPE, &inside)
    }
}

impl<'de> Deserialize<'de> for Prototype {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let inner = Inner::<InPrototype>::new();
        let inside = deserializer.deserialize_newtype_struct(PROTOTYPE, inner)?;
        Ok(Prototype::new(inside.dtype, inside.dims.as_slice()))
    }
}

/// What is inside of the mark.
struct InPrototype {
    dtype: DType,
    dims: Dims,
}

impl InPrototype {
    fn checked(dtype: DType, dims: Dims) -> Result<Self, ErrorKind> {
        measure(dtype, dims.as_slice()).map(|_| InPrototype { dtype, dims })
    }
}

impl Serialize for InPrototype {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Prototype", 2)?;
        fields.serialize_field("dtype", &self.dtype)?;
        fields.serialize_field("shape", &self.dims)?;
        fields.end()
    }
}

read_fields! {
    InPrototype as InPrototype, "a prototype" = InPrototype::checked;
    dtype: DType, PhantomData::<DType>;
    shape: Dims, PhantomData::<Dims>;
}

impl Serialize for Tensor<'_> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(TENSOR, &Written(self))
    }
}

/// What is inside of the mark, as it is written.
struct Written<'a>(&'a Tensor<'a>);

impl Serialize for Written<'_> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Written(Tensor { dtype, dims, memory }) = self;
        let mut fields = serializer.serialize_struct("Tensor", 3)?;
        fields.serialize_field("dtype", dtype)?;
        fields.serialize_field("shape", dims)?;
        fields.serialize_field("memory", &RawBytes(memory))?;
        fields.end()
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Tensor<'a> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let inner = Inner::<InTensor<'de>>::new();
        deserializer.deserialize_newtype_struct(TENSOR, inner).map(|InTensor(tensor)| tensor)
    }
}

/// What is inside of the mark, as it is read.
struct InTensor<'de>(Tensor<'de>);

impl<'de> InTensor<'de> {
    /// Combines type, shape and elements, and checks that their sizes agree.
    #[inline]
    fn checked(
        dtype: DType,
        dims: Dims,
        memory: impl Into<Memory<'de>>,
    ) -> Result<Self, ErrorKind> {
        let (_, expected) = measure(dtype, dims.as_slice())?;
        Tensor::of_len(dtype, dims, expected, memory.into()).map(InTensor)
    }
}

read_fields! {
    InTensor<'a> as InTensor<'de>, "a tensor" = InTensor::checked;
    dtype: DType, PhantomData::<DType>;
    shape: Dims, PhantomData::<Dims>;
    memory: Counted<'de>, match measure(dtype, shape.as_slice()) {
        Ok((_, bytes)) => RawLen(bytes),
        Err(kind) => return Err(A::Error::custom(kind)),
    };
}
