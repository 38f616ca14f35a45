//! Types of Molecule as columns.

use fourfold_schema::mol::{Fields, Shape, Type};

use super::{Kind, Making, Part, Width};
use crate::{Error, Result, WideNumbers};

pub(crate) fn part<'s>(ty: Type<'s>, making: &mut Making<'_, Type<'s>>) -> Result<Part> {
    if let Shape::Option(inner) = ty.shape() {
        let inner = part(inner, making)?;
        // An option of an option has the same bytes as one option.
        return Ok(match inner.is_nullable {
            true => inner,
            false => Kind::optional(inner),
        });
    }
    if making.is_cut(ty) {
        return Ok(Kind::Encoded.required());
    }
    if let Shape::Array(_, length) = ty.shape() {
        if i32::try_from(length).is_err() {
            return Err(Error::TooLong { name: ty.name().into(), length });
        }
    }
    let kind = making.inside(ty, |making| {
        Ok(match ty.shape() {
            Shape::Array(item, count) if is_byte(item) => array(ty, count, making),
            Shape::Array(item, count) => Kind::FixedList(Box::new(part(item, making)?), count),
            Shape::FixVec(item) if is_byte(item) => Kind::Bytes,
            Shape::FixVec(item) | Shape::DynVec(item) => Kind::List(Box::new(part(item, making)?)),
            Shape::Struct(fields) | Shape::Table(fields) => record(fields, making)?,
            Shape::Union(items) => {
                let items = items
                    .iter()
                    .map(|item| Ok((item.ty().name().to_owned(), Some(part(item.ty(), making)?))));
                let items = items.collect::<Result<Vec<_>>>()?;
                Kind::of_variants(items, making.options)
            }
            _ => Kind::Int(Width::U8),
        })
    })?;
    Ok(kind.required())
}

fn is_byte(ty: Type<'_>) -> bool {
    ty.shape() == Shape::Byte
}

/// An array of bytes: an integer, if its name is that of one.
fn array(ty: Type<'_>, count: usize, making: &Making<'_, Type<'_>>) -> Kind {
    match ty.integer() {
        Some("u16") => Kind::Int(Width::U16),
        Some("i16") => Kind::Int(Width::I16),
        Some("u32") => Kind::Int(Width::U32),
        Some("i32") => Kind::Int(Width::I32),
        Some("u64") => Kind::Int(Width::U64),
        Some("i64") => Kind::Int(Width::I64),
        _ => match (making.options.wide(), ty.number()) {
            (WideNumbers::Text, Some(number)) if number.size() > 8 => Kind::Digits(number),
            (WideNumbers::Decimal, Some(number)) if number.size() > 8 => Kind::Decimal(number),
            _ => Kind::FixedBytes(count),
        },
    }
}

fn record<'s>(fields: Fields<'s>, making: &mut Making<'_, Type<'s>>) -> Result<Kind> {
    if fields.is_empty() {
        return Ok(Kind::Null);
    }
    let fields =
        fields.iter().map(|field| Ok((field.name().to_owned(), part(field.ty(), making)?)));
    fields.collect::<Result<_>>().map(Kind::Struct)
}
