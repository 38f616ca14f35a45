//! The spans of a file, from the library, and those of one part of it.

mod near;
mod spelled;

use std::ops::{ControlFlow, Range};

use fourfold::Span;
use fourfold::biniou::Options;

use super::{Explained, FileKind};

/// What spans call the hash of a field's name.
const FIELD_HASH: &str = "field hash";

/// The bytes of a file and how they are explained: as often as need be, and never all at once.
#[derive(Clone, Copy)]
pub struct Parts<'a> {
    kind: &'a dyn FileKind,
    bytes: &'a [u8],
    how: Explained<'a>,
}

impl<'a> Parts<'a> {
    pub fn new(kind: &'a dyn FileKind, bytes: &'a [u8], options: &'a Options) -> Self {
        let is_chunks = kind.is_chunks(bytes, options);
        Parts { kind, bytes, how: Explained { options, is_chunks } }
    }

    /// Of a stream of chunks, which may be damaged.
    pub const fn of_chunks(kind: &'a dyn FileKind, bytes: &'a [u8], options: &'a Options) -> Self {
        Parts { kind, bytes, how: Explained { options, is_chunks: true } }
    }

    /// Hands on the spans of the part of that path, as it stands in the bytes, and of what is inside
    /// it: one after another, until `each` breaks off.
    pub fn each(self, path: &str, mut each: impl FnMut(Span) -> ControlFlow<()>) {
        self.kind.explain_each(self.bytes, self.how, path, &mut each);
    }

    /// The bytes of the part of that path, without the hash of the name that it has in a record.
    pub fn bytes_of(self, path: &str) -> Option<&'a [u8]> {
        let mut range: Option<Range<usize>> = None;
        self.each(path, |span| {
            if range.is_none() && span.what == FIELD_HASH {
                return ControlFlow::Continue(());
            }
            let start = range.as_ref().map_or(span.range.start, |range| range.start);
            range = Some(start..span.range.end);
            ControlFlow::Continue(())
        });
        self.bytes.get(range?)
    }

    /// The first span of that part that is looked for.
    fn find(self, path: &str, mut is_it: impl FnMut(&Span) -> bool) -> Option<Span> {
        let mut found = None;
        self.each(path, |span| match is_it(&span) {
            true => {
                found = Some(span);
                ControlFlow::Break(())
            }
            false => ControlFlow::Continue(()),
        });
        found
    }

    /// The path by which a part stands in the bytes, if there is one of that path.
    pub fn path(self, path: &str) -> Option<String> {
        let path = match path.strip_prefix('.') {
            // No name is behind the dot.
            Some(rest) if rest.is_empty() || rest.starts_with(['.', '[']) => return None,
            rest => rest.unwrap_or(path),
        };
        match self.find(path, |_| true) {
            Some(_) => Some(path.to_owned()),
            None => {
                let physical =
                    self.physical(path).filter(|path| self.find(path, |_| true).is_some());
                physical.or_else(|| self.respelled(path))
            }
        }
    }

    /// The place that `dump` calls by a name where the bytes have lists of name and value:
    /// `graph[3].bubble.value.data` is `graph[3].bubble[1].value[0].memory`.
    fn physical(self, path: &str) -> Option<String> {
        // Names may have dots and brackets: the longest that fits is meant, which is that of the
        // shortest list; and of equals the last.
        path.match_indices('.').find_map(|(dot, _)| {
            let (list, named) = path.split_at_checked(dot)?;
            self.entry(list, named.strip_prefix('.')?)
        })
    }

    /// The same, if the list is known.
    fn entry(self, list: &str, named: &str) -> Option<String> {
        let mut found: Option<(usize, String)> = None;
        self.each(list, |span| {
            if span.what == "name" {
                let place = span.place.to_string();
                let entry = place.strip_suffix(".name").or_else(|| place.strip_suffix(".key"));
                // What the span says of it may be shortened.
                let name =
                    self.bytes.get(span.range).and_then(|name| std::str::from_utf8(name).ok());
                if let (Some(entry), Some(name)) = (entry, name) {
                    let is_of_list = entry.rsplit_once('[').is_some_and(|(own, _)| own == list);
                    let rest = named.strip_prefix(name).filter(|rest| {
                        is_of_list && (rest.is_empty() || rest.starts_with(['.', '[']))
                    });
                    let is_longest = found.as_ref().is_none_or(|(known, _)| *known <= name.len());
                    if let Some(rest) = rest.filter(|_| is_longest) {
                        found = Some((name.len(), inside(entry, rest)));
                    }
                }
            }
            ControlFlow::Continue(())
        });
        found.map(|(_, path)| path)
    }
}

/// The path of what `dump` calls `rest` of an entry.
fn inside(entry: &str, rest: &str) -> String {
    match rest {
        "" => entry.to_owned(),
        ".data" => format!("{entry}.value[0].memory"),
        _ if rest.starts_with('.') => format!("{entry}.value[0]{rest}"),
        _ => format!("{entry}.value{rest}"),
    }
}

/// The part that a byte belongs to, for a message: ` (length of [0].name)`.
pub fn place_of(kind: &dyn FileKind, bytes: &[u8], at: usize, options: &Options) -> String {
    let parts = Parts::new(kind, bytes, options);
    match parts.find("", |span| span.range.end > at) {
        Some(span) if span.place.is_empty() => format!(" ({})", span.what),
        Some(span) => format!(" ({} of {})", span.what, span.place),
        None => String::new(),
    }
}
