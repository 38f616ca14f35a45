//! Writes a part that was kept raw. Knows what a writer counts, does not know how values are written.

use serde_core::ser::Serialize;

use super::prefix::Prefix;
use super::value::ValueWriter;
use crate::biniou::Result;
use crate::biniou::raw::{Measured, measure};
use crate::biniou::wire::Tag;
use crate::raw::bytes_of;

/// The bytes of a raw part would be lost in a flattened type.
const IN_FLATTENED: (&str, &str) = (
    "a raw part in a flattened type cannot be read again",
    "move it out of the struct with `flatten`",
);

/// Writes the bytes of the part, and counts what is in it.
#[cold]
#[inline(never)]
pub(super) fn put<F: Prefix, T: ?Sized + Serialize>(
    writer: ValueWriter<'_, F>,
    value: &T,
) -> Result<Option<Tag>> {
    let ValueWriter { encoder, prefix } = writer;
    encoder.refuse_flattened(IN_FLATTENED)?;
    let bytes = bytes_of(value)?;
    let Measured { tag, body, height, text, rows } = measure(&bytes)?;
    encoder.depth.pass(height)?;
    encoder.spend_empty_rows(rows)?;
    prefix.put(&mut encoder.out, tag, 0, 0);
    encoder.out.put_bytes(body);
    encoder.sharing.note_text(text);
    Ok(Some(tag))
}
