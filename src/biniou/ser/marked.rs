//! Writes numbers whose width is selected by a mark. Out of line and compiled once: only marked types call it.

use super::encoder::Encoder;
use super::prefix::Prefix;
use super::written::Written;
use crate::biniou::mark::{Mark, Target};
use crate::biniou::wire::{Tag, Zigzag as _};
use crate::biniou::{Error, Result};

/// Writes an unsigned integer.
pub(super) fn put_unsigned(encoder: &mut Encoder, prefix: Prefix, value: u128) -> Result<Written> {
    match i128::try_from(value) {
        Ok(value) => put_integer(encoder, prefix, value),
        Err(_) if prefix.mark() == Some(Mark::Uvint) => {
            prefix.put_wide(&mut encoder.out, Tag::Uvint, value)
        }
        Err(_) => {
            prefix.check(Target::Integer)?;
            Err(inexact(prefix, &value))
        }
    }
}

/// Writes an integer.
pub(super) fn put_integer(encoder: &mut Encoder, prefix: Prefix, value: i128) -> Result<Written> {
    prefix.check(Target::Integer)?;
    let out = &mut encoder.out;
    let written = match prefix.mark() {
        Some(Mark::Int8) => {
            u8::try_from(value).map(|number| prefix.put_bytes(out, Tag::Int8, number.to_be_bytes()))
        }
        Some(Mark::Int16) => u16::try_from(value)
            .map(|number| prefix.put_bytes(out, Tag::Int16, number.to_be_bytes())),
        Some(Mark::Int32) => i32::try_from(value)
            .map(|number| prefix.put_bytes(out, Tag::Int32, number.to_be_bytes())),
        Some(Mark::Int64) => i64::try_from(value)
            .map(|number| prefix.put_bytes(out, Tag::Int64, number.to_be_bytes())),
        Some(Mark::Uvint) => {
            u128::try_from(value).map(|number| prefix.put_wide(out, Tag::Uvint, number))
        }
        _ => Ok(prefix.put_wide(out, Tag::Svint, value.zigzag())),
    };
    written.unwrap_or_else(|_| Err(inexact(prefix, &value)))
}

/// Writes a float, which has to fit 32 bits exactly.
pub(super) fn put_float(encoder: &mut Encoder, prefix: Prefix, value: f64) -> Result<Written> {
    prefix.check(Target::Float)?;
    #[allow(clippy::cast_possible_truncation, reason = "what does not fit is refused below")]
    let narrow = value as f32;
    // By bits, so that the payload of a NaN counts too.
    match f64::from(narrow).to_bits() == value.to_bits() {
        true => prefix.put_bytes(&mut encoder.out, Tag::Float32, narrow.to_be_bytes()),
        false => Err(inexact(prefix, &value)),
    }
}

/// Writes a char as int8.
pub(super) fn put_char(encoder: &mut Encoder, prefix: Prefix, value: char) -> Result<Written> {
    prefix.check(Target::Char)?;
    let Ok(byte) = u8::try_from(value) else { return Err(inexact(prefix, &value)) };
    let reason = "a char marked `char` in a flattened type would come back as a number";
    encoder.refuse_flattened((reason, "remove the mark"))?;
    prefix.put_byte(&mut encoder.out, Tag::Int8, byte)
}

#[cold]
fn inexact(prefix: Prefix, value: &dyn core::fmt::Debug) -> Error {
    prefix.mark().unwrap_or(Mark::Svint).inexact(value)
}
