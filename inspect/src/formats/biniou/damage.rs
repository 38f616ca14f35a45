//! Whether bytes that no reader reads to the end are damaged biniou: how far they were followed, and whether
//! chance would have got that far.

use std::ops::ControlFlow;

use fourfold::biniou::{ChunkStart, Options, Tag};
use fourfold::{Category, Span};
use serde::de::IgnoredAny;

use super::glance::text_len;
use crate::formats::Damage;

/// So many bits that could have been others are no chance.
const ENOUGH: u32 = 64;

/// A tag is one of 18 out of 256 bytes.
const OF_TAG: u32 = 4;
/// A bool is one of 2.
const OF_BOOL: u32 = 7;
/// A reference points to a shared value before it.
const OF_REFERENCE: u32 = 8;
/// A chunk ends where its value does.
const OF_CHUNK: u32 = 16;
/// A text is no chance, but one long text proves no more than a word.
const MOST_OF_TEXT: u32 = 32;

/// So many nested parts that say nothing by themselves are enough, if they are followed nearly to the end.
const PARTS: usize = 64;

/// What stops the reading of damaged bytes, as values and as chunks.
pub(super) fn of(bytes: &[u8], options: &Options) -> Option<Damage> {
    let as_values = || {
        let mut followed = Followed::new(bytes);
        options.explain_each(bytes, "", |span| followed.take(span));
        let values = options.file(bytes).values::<IgnoredAny>();
        let error = values.filter_map(Result::err).next()?;
        // What is nested too deep is not damaged.
        followed.damage(error.category() == Category::Limit)
    };
    of_chunks(bytes, options).or_else(as_values)
}

/// The same for bytes that begin as a stream of chunks does.
pub(super) fn of_chunks(bytes: &[u8], options: &Options) -> Option<Damage> {
    if !matches!(ChunkStart::of(bytes), ChunkStart::Whole { .. } | ChunkStart::Cut { .. }) {
        return None;
    }
    let mut followed = Followed::new(bytes);
    options.explain_chunks_each(bytes, "", |span| followed.take(span));
    followed.damage(false)
}

/// The parts of a file up to the first fault.
struct Followed<'a> {
    bytes: &'a [u8],
    /// How many steps lead to a whole value.
    level: Option<usize>,
    bits: u32,
    parts: usize,
    fault: Option<(usize, String)>,
}

impl<'a> Followed<'a> {
    const fn new(bytes: &'a [u8]) -> Self {
        Followed { bytes, level: None, bits: 0, parts: 0, fault: None }
    }

    fn take(&mut self, span: Span) -> ControlFlow<()> {
        if let Some(text) = span.fault {
            self.fault = Some((span.range.start, text));
            // What is there of a chunk that is cut off is still looked at.
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
        let (at, text) = self.fault?;
        let len = self.bytes.len();
        let is_followed = self.parts >= PARTS && at >= len - len / 8;
        (self.bits >= ENOUGH || is_followed)
            .then_some(Damage { at: (!is_limit).then_some(at), text })
    }
}

/// How many bits of a nested part would be others by chance. Zeros, which all files are full of, have none, and
/// numbers may be any bytes.
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
