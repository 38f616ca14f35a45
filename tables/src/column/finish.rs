//! Turns filled columns into arrays.

use std::mem::take;
use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{
    Decimal128Type, Float32Type, Float64Type, Int16Type, Int32Type, Int64Type, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{
    ArrayRef, ArrowPrimitiveType, BinaryArray, BooleanArray, DictionaryArray, FixedSizeBinaryArray,
    FixedSizeListArray, ListArray, MapArray, NullArray, PrimitiveArray, StringArray, StructArray,
    UnionArray,
};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field, Fields};
use fourfold_schema::Interest;

use super::{Column, Data, Sum, Union};
use crate::explode::in_short;
use crate::part::length;

type Result<T> = std::result::Result<T, ArrowError>;

impl Column {
    /// Returns the values so far as an array of that type, and empties the column.
    pub(crate) fn finish(&mut self, ty: &DataType) -> Result<ArrayRef> {
        self.finish_in(ty, None)
    }

    /// Like `finish`, in a struct with those nulls. They are set in its fields, too: code that takes a field out of a
    /// struct may not look at the struct's nulls.
    fn finish_in(&mut self, ty: &DataType, outer: Option<&NullBuffer>) -> Result<ArrayRef> {
        let len = take(&mut self.len);
        self.rows = 0;
        let nulls = self.validity.take().map(|mut bits| NullBuffer::new(bits.finish()));
        let nulls = NullBuffer::union(nulls.as_ref(), outer);
        Ok(match &mut self.data {
            Data::Null => Arc::new(NullArray::new(len)),
            Data::Bool(values) => Arc::new(BooleanArray::new(values.finish(), nulls)),
            Data::U8(values) => primitive::<UInt8Type>(values, nulls)?,
            Data::U16(values) => primitive::<UInt16Type>(values, nulls)?,
            Data::U32(values) => primitive::<UInt32Type>(values, nulls)?,
            Data::U64(values) => primitive::<UInt64Type>(values, nulls)?,
            Data::I16(values) => primitive::<Int16Type>(values, nulls)?,
            Data::I32(values) => primitive::<Int32Type>(values, nulls)?,
            Data::I64(values) => primitive::<Int64Type>(values, nulls)?,
            Data::F32(values) => primitive::<Float32Type>(values, nulls)?,
            Data::F64(values) => primitive::<Float64Type>(values, nulls)?,
            Data::Decimal(values, ..) => {
                let values = ScalarBuffer::from(refilled(values));
                let array = PrimitiveArray::<Decimal128Type>::try_new(values, nulls)?;
                Arc::new(array.with_data_type(ty.clone()))
            }
            Data::FixedBytes(values, size) => {
                let values = Buffer::from_vec(refilled(values));
                Arc::new(FixedSizeBinaryArray::try_new(length(*size), values, nulls)?)
            }
            Data::Bytes(offsets, bytes) | Data::Encoded(offsets, bytes) => {
                let bytes = Buffer::from_vec(refilled(bytes));
                Arc::new(BinaryArray::try_new(ends(offsets), bytes, nulls)?)
            }
            Data::Text(offsets, bytes) | Data::Digits(offsets, bytes, _) => {
                let bytes = Buffer::from_vec(refilled(bytes));
                Arc::new(StringArray::try_new(ends(offsets), bytes, nulls)?)
            }
            Data::List(offsets) => {
                let DataType::List(field) = ty else { return type_mismatch(ty) };
                let items = items(&mut self.children, field)?;
                Arc::new(ListArray::try_new(Arc::clone(field), ends(offsets), items, nulls)?)
            }
            Data::FixedList(count) => {
                let DataType::FixedSizeList(field, _) = ty else { return type_mismatch(ty) };
                let items = items(&mut self.children, field)?;
                let field = Arc::clone(field);
                Arc::new(FixedSizeListArray::try_new(field, length(*count), items, nulls)?)
            }
            Data::Map(offsets) => {
                let DataType::Map(field, sorted) = ty else { return type_mismatch(ty) };
                let entries = items(&mut self.children, field)?;
                let Some(entries) = entries.as_struct_opt() else { return type_mismatch(ty) };
                let (field, entries) = (Arc::clone(field), entries.clone());
                Arc::new(MapArray::try_new(field, ends(offsets), entries, nulls, *sorted)?)
            }
            Data::Struct | Data::Option => {
                let DataType::Struct(fields) = ty else { return type_mismatch(ty) };
                Arc::new(record(&mut self.children, fields, nulls, len)?)
            }
            Data::Sum(sum) => sum.finish(&mut self.children, ty, nulls)?,
            Data::Union(union) => Arc::new(union.finish(&mut self.children)?),
        })
    }
}

/// The values. Reserves memory in their place for slightly more: the next batch has about as many.
fn refilled<T>(values: &mut Vec<T>) -> Vec<T> {
    let next = Vec::with_capacity(values.len() + values.len() / 16);
    std::mem::replace(values, next)
}

fn primitive<T: ArrowPrimitiveType>(
    values: &mut Vec<T::Native>,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef> {
    let values = ScalarBuffer::from(refilled(values));
    Ok(Arc::new(PrimitiveArray::<T>::try_new(values, nulls)?))
}

fn ends(offsets: &mut Vec<i32>) -> OffsetBuffer<i32> {
    let all = refilled(offsets);
    offsets.push(0);
    OffsetBuffer::new(ScalarBuffer::from(all))
}

/// The items of a list.
fn items(children: &mut [Column], field: &Field) -> Result<ArrayRef> {
    match children.first_mut() {
        Some(item) => item.finish(field.data_type()),
        None => type_mismatch(field.data_type()),
    }
}

/// The selected columns, as `fields` lists them.
fn record(
    children: &mut [Column],
    fields: &Fields,
    nulls: Option<NullBuffer>,
    len: usize,
) -> Result<StructArray> {
    let wanted = children.iter_mut().filter(|child| child.interest != Interest::Nothing);
    let arrays =
        wanted.zip(fields).map(|(child, field)| child.finish_in(field.data_type(), nulls.as_ref()));
    let arrays = arrays.collect::<Result<Vec<_>>>()?;
    StructArray::try_new_with_length(fields.clone(), arrays, nulls, len)
}

fn type_mismatch<T>(ty: &DataType) -> Result<T> {
    Err(ArrowError::SchemaError(format!("a column has a type other than {}", in_short(ty))))
}

impl Sum {
    fn finish(
        &mut self,
        children: &mut [Column],
        ty: &DataType,
        nulls: Option<NullBuffer>,
    ) -> Result<ArrayRef> {
        let is_enum = children.is_empty();
        let len = self.variants.len();
        let keys = ScalarBuffer::from(refilled(&mut self.variants));
        let keys = PrimitiveArray::<Int32Type>::try_new(keys, nulls.clone())?;
        let names: ArrayRef = Arc::new(DictionaryArray::try_new(keys, Arc::clone(&self.names))?);
        if is_enum {
            return Ok(names);
        }
        let DataType::Struct(fields) = ty else { return type_mismatch(ty) };
        let values = children.iter_mut().zip(fields.iter().skip(1));
        let values =
            values.map(|(child, field)| child.finish_in(field.data_type(), nulls.as_ref()));
        let arrays = std::iter::once(Ok(names)).chain(values).collect::<Result<Vec<_>>>()?;
        Ok(Arc::new(StructArray::try_new_with_length(fields.clone(), arrays, nulls, len)?))
    }
}

impl Union {
    fn finish(&mut self, children: &mut [Column]) -> Result<UnionArray> {
        let types = ScalarBuffer::from(refilled(&mut self.variants));
        let offsets = ScalarBuffer::from(refilled(&mut self.offsets));
        let children = children.iter_mut().zip(self.fields.iter());
        let children = children.map(|(child, (_, field))| child.finish(field.data_type()));
        let children = children.collect::<Result<Vec<_>>>()?;
        UnionArray::try_new(self.fields.clone(), types, Some(offsets), children)
    }
}
