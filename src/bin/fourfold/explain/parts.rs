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
    let is_there = spans.iter().any(|span| is_inside(&span.place.to_string(), path));
    let physical = if is_there { None } else { physical(&spans, path) };
    let path = physical.as_deref().unwrap_or(path);
    spans.into_iter().filter(|span| is_inside(&span.place.to_string(), path)).collect()
}

fn is_inside(place: &str, path: &str) -> bool {
    let inner = place.strip_prefix(path);
    inner.is_some_and(|inner| path.is_empty() || inner.is_empty() || inner.starts_with(['.', '[']))
}

/// The place that `dump` calls by a name where the bytes have lists of name and value:
/// `graph[3].bubble.value.data` is `graph[3].bubble[1].value[0].memory`.
fn physical(spans: &[Span], path: &str) -> Option<String> {
    let found = spans.iter().filter(|span| span.what == "name").filter_map(|span| {
        let place = span.place.to_string();
        let entry = place.strip_suffix(".name").or_else(|| place.strip_suffix(".key"))?;
        let (list, _) = entry.rsplit_once('[')?;
        let name = span.value.strip_prefix('"')?.strip_suffix('"')?;
        let rest = path.strip_prefix(list)?.strip_prefix('.')?.strip_prefix(name)?;
        let is_whole = rest.is_empty() || rest.starts_with(['.', '[']);
        is_whole.then(|| (name.len(), entry.to_owned(), rest))
    });
    // Names may have dots and brackets: the longest that fits is meant, and of equals the last.
    let (_, entry, rest) = found.max_by_key(|(length, ..)| *length)?;
    Some(match rest {
        "" => entry,
        ".data" => format!("{entry}.value[0].memory"),
        _ if rest.starts_with('.') => format!("{entry}.value[0]{rest}"),
        _ => format!("{entry}.value{rest}"),
    })
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
