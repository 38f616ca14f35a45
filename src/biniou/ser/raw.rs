//! Writes a lazy value or a tree: its bytes as they are.

use serde_core::ser::Serialize;

use super::encoder::Encoder;
use super::prefix::Prefix;
use super::written::Written;
use crate::biniou::raw::{Measured, measure};
use crate::biniou::value::{self, VALUE};
use crate::biniou::{Error, Result};
use crate::raw::bytes_of;

/// A value that needs its bytes would be lost in a flattened type.
const IN_FLATTENED: (&str, &str) = (
    "a lazy value or `Value` in a flattened type cannot be read again",
    "move it out of the struct with `flatten`",
);

/// Writes the bytes, and counts what is in them.
#[cold]
#[inline(never)]
pub(super) fn put<T: ?Sized + Serialize>(
    encoder: &mut Encoder,
    prefix: Prefix,
    name: &str,
    value: &T,
) -> Result<Written> {
    encoder.refuse_flattened(IN_FLATTENED)?;
    let bytes = match name == VALUE {
        true => value::bytes_of(value, encoder.depth)?,
        false => bytes_of(value)?,
    };
    let measured = measure(&bytes).map_err(Error::without_offset)?;
    let Measured { tag, body, height, text, rows } = measured;
    encoder.depth.pass(height)?;
    encoder.spend_empty_rows(rows)?;
    prefix.put_alone(&mut encoder.out, tag);
    encoder.out.put_bytes(body);
    encoder.sharing.note_text(text);
    Ok(Written::of(tag))
}
