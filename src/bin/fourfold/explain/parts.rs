//! The spans of a file, from the library, and those of one part of it.

use fourfold::Span;
use fourfold::biniou::{self, Dictionary};
use fourfold::{molecule, primitiv, tsm};

use crate::format::{self, Format};

/// All spans: each byte once.
pub(super) fn spans(format: Format, bytes: &[u8], dictionary: &Dictionary) -> Vec<Span> {
    match format {
        Format::Molecule => molecule::explain(bytes),
        Format::Biniou if format::is_chunks(bytes) => chunks(bytes, dictionary),
        Format::Biniou => biniou::explain_with(bytes, dictionary),
        Format::Tsm => tsm::explain(bytes),
        Format::Primitiv => primitiv::explain(bytes),
    }
}

/// The spans of a stream of chunks, which may be damaged.
pub(super) fn chunks(bytes: &[u8], dictionary: &Dictionary) -> Vec<Span> {
    biniou::explain_chunks_with(bytes, dictionary)
}

/// The spans of the part and of what is inside it.
pub(super) fn of_path(spans: Vec<Span>, path: &str) -> Vec<Span> {
    let path = path.trim_start_matches('.');
    spans
        .into_iter()
        .filter(|span| {
            let place = span.place.to_string();
            match place.strip_prefix(path) {
                Some(inner) => path.is_empty() || inner.is_empty() || inner.starts_with(['.', '[']),
                None => false,
            }
        })
        .collect()
}

/// The part that a byte belongs to, for a message: ` (length of [0].name)`.
pub(crate) fn place_of(format: Format, bytes: &[u8], at: usize) -> String {
    let spans = spans(format, bytes, &Dictionary::new());
    let index = spans.partition_point(|span| span.range.end <= at);
    match spans.get(index) {
        Some(span) if span.place.is_empty() => format!(" ({})", span.what),
        Some(span) => format!(" ({} of {})", span.what, span.place),
        None => String::new(),
    }
}
