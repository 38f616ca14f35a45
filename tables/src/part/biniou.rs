//! Types of biniou as columns.

use fourfold_schema::atd::{Fields, Float, Int, Presence, Shape, Type};

use super::{Kind, Making, Part, Width};
use crate::{Result, Strings};

pub(crate) fn part<'s>(ty: Type<'s>, making: &mut Making<'_, Shape<'s>>) -> Result<Part> {
    match ty.shape() {
        _ if is_endless(ty) => return Ok(Kind::Encoded.required()),
        Shape::Option(inner) | Shape::Nullable(inner) => {
            return Ok(Kind::optional(part(inner, making)?));
        }
        Shape::Wrap(inner) if !making.is_cut(ty.shape()) => {
            return making.inside(ty.shape(), |making| part(inner, making));
        }
        _ => {}
    }
    // Rows of a table have no tag of their own, so the whole table is cut.
    let is_cut = match ty.shape() {
        Shape::Table(row) => making.is_cut(row.shape()),
        _ => making.is_cut(ty.shape()),
    };
    if is_cut {
        return Ok(Kind::Encoded.required());
    }
    let kind = making.inside(ty.shape(), |making| {
        Ok(match ty.shape() {
            Shape::Unit => Kind::Null,
            Shape::Bool => Kind::Bool,
            Shape::Int(int) => Kind::Int(match int {
                Int::Int8 | Int::Char => Width::U8,
                Int::Int16 => Width::U16,
                Int::Int32 => Width::I32,
                _ => Width::I64,
            }),
            Shape::Float(Float::Float32) => Kind::Float32,
            Shape::Float(_) => Kind::Float64,
            Shape::String => match making.options.strings {
                Strings::Text => Kind::Text,
                Strings::Bytes => Kind::Bytes,
            },
            Shape::Record(fields) => record(fields, making)?,
            Shape::Tuple(cells) => {
                let cells = cells.iter().enumerate().map(|(index, cell)| {
                    let value = part(cell.ty(), making)?;
                    let value = match cell.default() {
                        // The field may be missing.
                        Some(_) => Kind::optional(value),
                        None => value,
                    };
                    Ok((index.to_string(), value))
                });
                Kind::Struct(cells.collect::<Result<_>>()?)
            }
            Shape::List(item) | Shape::Table(item) => Kind::List(Box::new(part(item, making)?)),
            Shape::Object(item) => {
                let entry = part(item, making)?;
                match as_entry(entry) {
                    Ok(entry) => Kind::Map(Box::new(entry)),
                    Err(item) => Kind::List(Box::new(item)),
                }
            }
            Shape::Sum(variants) => {
                let variants = variants.iter().map(|variant| {
                    let value = variant.argument().map(|ty| part(ty, making)).transpose()?;
                    Ok((variant.name().to_owned(), value))
                });
                let variants = variants.collect::<Result<Vec<_>>>()?;
                Kind::of_variants(variants, making.options)
            }
            // Bytes in an OCaml-only encoding are rejected when they are read.
            _ => Kind::Encoded,
        })
    })?;
    Ok(kind.required())
}

/// Whether a type is an infinite chain of options.
fn is_endless(ty: Type<'_>) -> bool {
    /// More than the nested options of any real schema.
    const MOST: usize = 300;
    let mut ty = ty;
    for _ in 0..MOST {
        match ty.shape() {
            Shape::Option(inner) | Shape::Nullable(inner) | Shape::Wrap(inner) => ty = inner,
            _ => return false,
        }
    }
    true
}

fn record<'s>(fields: Fields<'s>, making: &mut Making<'_, Shape<'s>>) -> Result<Kind> {
    if fields.is_empty() {
        return Ok(Kind::Null);
    }
    let fields = fields.iter().map(|field| {
        let value = part(field.ty(), making)?;
        let value = match field.presence() {
            // The field may be missing, which differs from a null value.
            Presence::Default(_) => Kind::optional(value),
            // An infinite chain of options has no inner value that could be null.
            Presence::Optional if !value.is_nullable => Kind::optional(value),
            _ => value,
        };
        Ok((field.name().to_owned(), value))
    });
    fields.collect::<Result<_>>().map(Kind::Struct)
}

/// The entry of a map: a pair whose key is text.
fn as_entry(part: Part) -> Result<Part, Part> {
    match part.kind {
        Kind::Struct(mut cells) if matches!(&*cells, [(_, key), _] if matches!(key.kind, Kind::Text | Kind::Bytes) && !key.is_nullable) =>
        {
            for ((name, _), new) in cells.iter_mut().zip(["key", "value"]) {
                new.clone_into(name);
            }
            Ok(Kind::Struct(cells).required())
        }
        _ => Err(part),
    }
}
