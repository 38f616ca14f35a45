//! Selects one part of a biniou file without reading the rest as JSON.

use fourfold::biniou::{Framing, Node, Options};
use fourfold::{Path, Segment};
use serde::de::IgnoredAny;

/// The part at `path`. `None` if it is not found by names and positions alone, or if it contains shared values or
/// references, whose numbers refer to the whole file.
pub(super) fn of_file<'a>(bytes: &'a [u8], path: &Path, options: &Options) -> Option<Node<'a>> {
    if path.segments().any(is_escaped) || options.file(bytes).framing() == Framing::Chunks {
        return None;
    }
    let node = match options.take_from_slice::<IgnoredAny>(bytes).ok()? {
        (_, []) => options.outline_at(bytes, path).ok()?,
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
            let (value, _) = value.split_at_checked(value.len().checked_sub(rest.len())?)?;
            // An error in another value is reported when the whole file is read.
            while !rest.is_empty() {
                rest = options.take_from_slice::<IgnoredAny>(rest).ok()?.1;
            }
            match inner.is_empty() {
                true => options.outline(value).ok()?.values().iter().next()?,
                false => options.outline_at(value, &inner).ok()?,
            }
        }
    };
    (!node.has_shared()).then_some(node)
}

/// Whether a name is escaped in JSON.
fn is_escaped(segment: &Segment) -> bool {
    matches!(segment, Segment::Field(name) if name.starts_with('$'))
}
