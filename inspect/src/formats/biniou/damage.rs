//! Recognises damaged biniou: decides whether the parts before the first error are more than chance.

use std::ops::ControlFlow;

use fourfold::Category;
use fourfold::biniou::{ChunkStart, Options, Tag};
use serde::de::IgnoredAny;

use super::glance::text_len;
use crate::formats::Damage;
use crate::spans::Span;
use crate::spans::biniou::{explain, explain_chunks};

/// At least this many bits of evidence are no chance.
const ENOUGH: u32 = 64;

/// 18 of 256 bytes are tags.
const OF_TAG: u32 = 4;
/// 2 of 256 bytes are bools.
const OF_BOOL: u32 = 7;
/// A reference refers to an earlier shared value.
const OF_REFERENCE: u32 = 8;
/// A chunk ends at the end of its value.
const OF_CHUNK: u32 = 16;
/// A text counts by its length, up to this.
const MOST_OF_TEXT: u32 = 32;

/// This many nested parts are enough if they reach nearly to the end, even without other evidence.
const PARTS: usize = 64;

/// The damage of a file, read as chunks or as values.
pub(super) fn of(bytes: &[u8], options: &Options) -> Option<Damage> {
    let as_values = || {
        let mut followed = Followed::new(bytes);
        explain(bytes, options, "", &mut |span| followed.take(span));
        let values = options.file(bytes).values::<IgnoredAny>();
        let error = values.filter_map(Result::err).next()?;
        // A value that is nested too deep is not damaged.
        followed.damage(error.category() == Category::Limit)
    };
    of_chunks(bytes, options).or_else(as_values)
}

/// The damage of a stream of chunks.
pub(super) fn of_chunks(bytes: &[u8], options: &Options) -> Option<Damage> {
    if !matches!(ChunkStart::of(bytes), ChunkStart::Whole { .. } | ChunkStart::Cut { .. }) {
        return None;
    }
    let mut followed = Followed::new(bytes);
    explain_chunks(bytes, options, "", &mut |span| followed.take(span));
    followed.damage(false)
}

/// The parts of a file up to the first error.
struct Followed<'a> {
    bytes: &'a [u8],
    /// The length of the path of a whole value.
    level: Option<usize>,
    bits: u32,
    parts: usize,
    error: Option<(usize, String)>,
}

impl<'a> Followed<'a> {
    const fn new(bytes: &'a [u8]) -> Self {
        Followed { bytes, level: None, bits: 0, parts: 0, error: None }
    }

    fn take(&mut self, span: Span) -> ControlFlow<()> {
        if let Some(text) = span.error {
            self.error = Some((span.range.start, text));
            // The beginning of a truncated chunk is still read.
            return match span.what == "chunk" {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            };
        }
        let steps = span.place.segments().len();
        let level = *self.level.get_or_insert(steps);
        let bytes = self.bytes.get(span.range.clone()).unwrap_or_default();
        if steps > level {
            self.parts += 1;
            self.bits = self.bits.saturating_add(bits(&span.what, bytes));
        } else if span.what == "chunk mark" && span.range.start > 0 {
            self.bits = self.bits.saturating_add(OF_CHUNK);
        }
        ControlFlow::Continue(())
    }

    fn damage(self, is_limit: bool) -> Option<Damage> {
        let (at, text) = self.error?;
        let len = self.bytes.len();
        let is_followed = self.parts >= PARTS && at >= len - len / 8;
        (self.bits >= ENOUGH || is_followed)
            .then_some(Damage { at: (!is_limit).then_some(at), text })
    }
}

/// The evidence of a nested part in bits. Zeros count nothing, since they are common in all files; numbers count nothing,
/// since they may be any bytes.
fn bits(what: &str, bytes: &[u8]) -> u32 {
    if bytes.iter().all(|byte| *byte == 0) {
        return 0;
    }
    match what {
        "tag" | "tag of items" | "tag of column" => OF_TAG,
        "string" => {
            u32::try_from(text_len(bytes)).map_or(MOST_OF_TEXT, |len| len.min(MOST_OF_TEXT))
        }
        "reference" => OF_REFERENCE,
        _ if what == Tag::Bool.name() => OF_BOOL,
        _ => 0,
    }
}
