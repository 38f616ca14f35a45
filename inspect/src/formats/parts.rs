//! The spans of a file or of one of its parts.

mod near;
mod spelled;

use std::ops::{ControlFlow, Range};

use fourfold::biniou::Options;

use super::{ExplainOptions, FileKind};
use crate::spans::Span;

/// The name of spans that hold the hash of a field name.
const FIELD_HASH: &str = "field hash";

/// The spans of a file. Each use computes them again, one at a time.
#[derive(Clone, Copy)]
pub struct Parts<'a> {
    kind: &'a dyn FileKind,
    bytes: &'a [u8],
    how: ExplainOptions<'a>,
}

impl<'a> Parts<'a> {
    pub fn new(kind: &'a dyn FileKind, bytes: &'a [u8], options: &'a Options) -> Self {
        let is_chunks = kind.is_chunks(bytes, options);
        Parts { kind, bytes, how: ExplainOptions { options, is_chunks } }
    }

    /// The spans of a stream of chunks, which may be damaged.
    pub const fn of_chunks(kind: &'a dyn FileKind, bytes: &'a [u8], options: &'a Options) -> Self {
        Parts { kind, bytes, how: ExplainOptions { options, is_chunks: true } }
    }

    /// Calls `each` with the spans of the part at `path`, a path as in the bytes, and of its nested parts, until `each`
    /// breaks.
    pub fn each(self, path: &str, mut each: impl FnMut(Span) -> ControlFlow<()>) {
        self.kind.explain_each(self.bytes, self.how, path, &mut each);
    }

    /// The bytes of the part at `path`, without the hash of its field name.
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

    /// The first span at `path` for which `is_it` returns true.
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

    /// The path as in the bytes of the part at `path`, if it exists.
    pub fn path(self, path: &str) -> Option<String> {
        let path = match path.strip_prefix('.') {
            // The dot is not followed by a name.
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

    /// Converts a path of `dump` with names to one as in the bytes, which have lists of name and value:
    /// `graph[3].bubble.value.data` is `graph[3].bubble[1].value[0].memory`.
    fn physical(self, path: &str) -> Option<String> {
        // Names may contain dots and brackets. The longest matching name counts, which is the one with
        // the shortest list; of equal names the last.
        path.match_indices('.').find_map(|(dot, _)| {
            let (list, named) = path.split_at_checked(dot)?;
            self.entry(list, named.strip_prefix('.')?)
        })
    }

    /// The same for the entry `named` of a list.
    fn entry(self, list: &str, named: &str) -> Option<String> {
        let mut found: Option<(usize, String)> = None;
        self.each(list, |span| {
            if span.what == "name" {
                let place = span.place.to_string();
                let entry = place.strip_suffix(".name").or_else(|| place.strip_suffix(".key"));
                // The value of the span may be shortened, so read the name from the bytes.
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

/// The path as in the bytes of `rest` within an entry.
fn inside(entry: &str, rest: &str) -> String {
    match rest {
        "" => entry.to_owned(),
        ".data" => format!("{entry}.value[0].memory"),
        _ if rest.starts_with('.') => format!("{entry}.value[0]{rest}"),
        _ => format!("{entry}.value{rest}"),
    }
}

/// The part that contains a byte, for a message: ` (length of [0].name)`.
pub fn place_of(kind: &dyn FileKind, bytes: &[u8], at: usize, options: &Options) -> String {
    let parts = Parts::new(kind, bytes, options);
    match parts.find("", |span| span.range.end > at) {
        Some(span) if span.place.is_empty() => format!(" ({})", span.what),
        Some(span) => format!(" ({} of {})", span.what, span.place),
        None => String::new(),
    }
}
