//! One part of a biniou file: which of its values it is in, and whether it can be shown alone.

use fourfold::biniou::{Framing, Options, Value};
use fourfold::{Path, Segment};
use serde::de::IgnoredAny;

/// The part that `path` leads to. Nothing if it is not found by names and numbers alone, or if it is shared or refers to
/// something: its numbers are those of the whole.
pub(super) fn of_file(bytes: &[u8], path: &Path, options: &Options) -> Option<Value> {
    if path.segments().any(is_spelled) || options.file(bytes).framing() == Framing::Chunks {
        return None;
    }
    let value = match options.take_from_slice::<IgnoredAny>(bytes).ok()? {
        (_, []) => options.at(bytes, path).ok()?,
        (_, rest) => {
            let mut segments = path.segments();
            let Segment::Index(index) = segments.next()? else { return None };
            let inner: Path = segments.cloned().collect();
            let mut rest = rest;
            let mut value = bytes;
            for _ in 0..*index {
                value = rest;
                rest = options.take_from_slice::<IgnoredAny>(value).ok()?.1;
            }
            // What is wrong with the others is told of the whole.
            while !rest.is_empty() {
                rest = options.take_from_slice::<IgnoredAny>(rest).ok()?.1;
            }
            match inner.is_empty() {
                true => options.take_from_slice(value).ok()?.0,
                false => options.at(value, &inner).ok()?,
            }
        }
    };
    (!refers(&value)).then_some(value)
}

/// Whether JSON spells a name otherwise.
fn is_spelled(segment: &Segment) -> bool {
    matches!(segment, Segment::Field(name) if name.starts_with('$'))
}

/// Whether a value has shared ones or references in it.
fn refers(value: &Value) -> bool {
    match value {
        Value::Shared(..) | Value::Reference(_) => true,
        Value::Array(items) | Value::Tuple(items) => items.iter().any(refers),
        Value::Record(fields) => fields.iter().any(|(_, field)| refers(field)),
        Value::Table(table) => table.rows.iter().flatten().any(refers),
        Value::NumVariant(_, Some(inner)) | Value::Variant(_, Some(inner)) => refers(inner),
        Value::Overlong(_, inner) => refers(inner),
        _ => false,
    }
}
