//! Tensors and prototypes as serde types. Does not know bytes.

use core::marker::PhantomData;

use serde_core::de::{Deserialize, Deserializer};
use serde_core::ser::{Serialize, SerializeStruct as _, Serializer};

use super::dims::{Dims, measure};
use super::{Prototype, Tensor};
use crate::glue::macros::Inner;
use crate::tensor::memory::Memory;
use crate::tsm::fields::{Counted, read_fields};
use crate::tsm::refusal::{PROTOTYPE, TENSOR};
use crate::tsm::with::{RawBytes, RawLen};
use crate::tsm::{DType, ErrorKind};

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
    /// Joins the parts, of which another format may have cut some.
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
