//! Compares the bytes of two files without types, such as Molecule. The path of a difference is that of its byte in the
//! layout that `explain` shows.

use std::fmt::Write as _;

use super::difference::Difference;
use crate::spans::all;
use crate::spans::molecule::explain;
use crate::write::hex;

/// Maximum number of bytes shown on a line.
const SHOWN: usize = 16;

/// The ranges of bytes that differ, and the lengths if they differ.
pub(super) fn compare(old: &[u8], new: &[u8]) -> Vec<Difference> {
    let spans = all(|each| explain(old, "", each));
    let mut differences = Vec::new();
    if old.len() != new.len() {
        differences.push(Difference::changed("length", old.len(), new.len()));
    }
    let mut pairs = old.iter().zip(new).enumerate();
    while let Some((start, _)) = pairs.by_ref().find(|(_, (one, two))| one != two) {
        let end = pairs.by_ref().find(|(_, (one, two))| one == two).map(|(at, _)| at);
        let end = end.unwrap_or(old.len().min(new.len()));
        let mut path = match end - start {
            1 => format!("byte {start}"),
            _ => format!("bytes {start}..{end}"),
        };
        let span = spans.get(spans.partition_point(|span| span.range.end <= start));
        if let Some(span) = span.filter(|span| !span.place.is_empty()) {
            let _ = write!(path, " in {}", span.place);
        }
        let part = |bytes: &[u8]| hex::cells(bytes.get(start..end).unwrap_or_default(), SHOWN);
        differences.push(Difference::changed(path, part(old), part(new)));
    }
    differences
}
