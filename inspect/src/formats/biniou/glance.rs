//! What the beginning of a long file of biniou says. Values have their lengths in front, so that one
//! which goes on behind the part that is looked at has to be told from bytes that are none.

use std::ops::ControlFlow;

use fourfold::Span;
use fourfold::biniou::{self, ChunkStart, Framing, Options, StreamDeserializer, Tag, Value};
use serde::de::IgnoredAny;

use super::framing::{counted_by, ended};
use crate::formats::reading::missing;
use crate::formats::{Reading, Sample};
use crate::write::count::counted;

/// A value of which so many bytes were read is hardly one by chance.
const ENOUGH: usize = 16;

/// So many items of a long list are enough as well.
const ITEMS: u8 = 16;

/// How many parts behind a long one are looked at.
const PARTS: usize = 1 << 16;

/// As much of a long string shows whether it is a text.
const TEXT: usize = 1 << 12;

/// The first values, or the first chunks.
pub(super) fn biniou(sample: &Sample<'_>, options: &Options) -> Reading {
    let mut count = 0;
    let mut values =
        StreamDeserializer::<_, Value>::from_slice(sample.front).with_options(options.clone());
    let error = loop {
        match values.next() {
            Some(Ok(_)) => count += 1,
            Some(Err(error)) => break error,
            None => return Reading::good(counted(count, "value")),
        }
    };
    let rest = sample.front.get(values.offset()..).unwrap_or_default();
    if goes_on(sample, rest, &error, options) {
        return match count {
            0 => Reading::good("beginning of a value"),
            _ => Reading::good(counted(count, "value")),
        };
    }
    if let Some(good) = chunks(sample, options) {
        return good;
    }
    Reading::Bad(ended(&error, count))
}

/// Whether `rest` is the beginning of a value that ends behind what is looked at.
fn goes_on(sample: &Sample<'_>, rest: &[u8], error: &biniou::Error, options: &Options) -> bool {
    let missing = missing(error.kind());
    let Some(missing) = missing.filter(|missing| sample.has_behind(*missing)) else {
        return false;
    };
    let start = sample.front.len() - rest.len();
    let read = error.offset().map_or(0, |offset| offset.saturating_sub(start));
    // Values were read in front of it, or within it, or it ends just where the file does.
    start >= ENOUGH
        || read >= ENOUGH
        || sample.ends_behind(missing)
        || has_items(rest, options)
        || has_parts(sample, start, options)
}

/// Whether the first items of a list can be read where all of them cannot.
fn has_items(list: &[u8], options: &Options) -> bool {
    let Some((&tag, rest)) = list.split_first() else { return false };
    if !matches!(Tag::from_byte(tag), Some(Tag::Array | Tag::Table)) {
        return false;
    }
    // The count is a vint: its last byte is the first without the high bit.
    let Some(end) = rest.iter().position(|byte| *byte < 0x80) else { return false };
    let items = rest.get(end + 1..).unwrap_or_default();
    let few = [&[tag, ITEMS], items].concat();
    options.take_from_slice::<Value>(&few).is_ok()
}

/// Whether the parts of what begins at `start` bear it out, long texts among them, which are stepped
/// over. Where the whole file lies in memory, so are those that go on behind what is looked at.
fn has_parts(sample: &Sample<'_>, start: usize, options: &Options) -> bool {
    let bytes = sample.all.unwrap_or(sample.front).get(start..).unwrap_or_default();
    let (mut weight, mut count, mut is_wrong) = (0, 0, false);
    options.explain_each(bytes, "", |span| {
        // Where the rest is not at hand, lengths are beyond what is there, and the end is cut.
        let may_be_cut = sample.all.is_none()
            && (span.what.starts_with("count of ")
                || span.what == "length"
                || span.range.end == bytes.len());
        is_wrong = span.fault.is_some() && !may_be_cut;
        weight += weigh(&span, bytes);
        count += 1;
        match is_wrong || weight >= ENOUGH || count >= PARTS {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    let is_at_end = sample.all.is_some() && count < PARTS;
    !is_wrong && (weight >= ENOUGH || is_at_end)
}

/// How many bytes of a part are hardly there by chance: all of a text, none of other strings, and no
/// zeros, which are all over files of any format.
fn weigh(span: &Span, bytes: &[u8]) -> usize {
    let bytes = bytes.get(span.range.clone()).unwrap_or_default();
    match &*span.what {
        "string" | "start of string" => text_len(bytes.get(..TEXT).unwrap_or(bytes)),
        _ => bytes.iter().filter(|byte| **byte != 0).count(),
    }
}

/// How long a text is whose end may be cut off; 0 if it is none.
pub(super) fn text_len(bytes: &[u8]) -> usize {
    let valid = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => {
            let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
            std::str::from_utf8(valid).unwrap_or_default()
        }
        Err(_) => return 0,
    };
    let is_odd = |letter: char| letter.is_control() && !letter.is_whitespace();
    if valid.contains(is_odd) { 0 } else { valid.len() }
}

/// The first chunks, if there is nothing else, and a value in each.
fn chunks(sample: &Sample<'_>, options: &Options) -> Option<Reading> {
    let (mut rest, mut count) = (sample.front, 0);
    let missing = loop {
        match ChunkStart::of(rest) {
            ChunkStart::Whole { chunk, rest: next } => {
                options.from_slice::<IgnoredAny>(chunk).ok()?;
                (rest, count) = (next, count + 1);
            }
            ChunkStart::Cut { chunk, length } if count == 0 => {
                let is_good = is_first_chunk(sample, chunk, length, options);
                return is_good.then(|| Reading::good("beginning of a stream of chunks"));
            }
            ChunkStart::Cut { chunk, length } => break length - chunk.len(),
            ChunkStart::CutHeader { missing } if count > 0 => break missing,
            _ => return None,
        }
    };
    sample.has_behind(missing).then(|| Reading::good(counted_by(Framing::Chunks, count)))
}

/// Whether a byte is the mark behind the last chunk.
fn is_end(byte: u8) -> bool {
    matches!(ChunkStart::of(&[byte]), ChunkStart::End { .. })
}

/// Whether a chunk of that length begins with `front`, and a value with its first byte.
fn is_first_chunk(sample: &Sample<'_>, front: &[u8], length: usize, options: &Options) -> bool {
    let missing_of_chunk = length - front.len();
    if !sample.has_behind(missing_of_chunk) {
        return false;
    }
    let chunk = sample.part(front, length);
    let Err(error) = options.from_slice::<IgnoredAny>(front) else { return false };
    // The end mark stands just where the file ends.
    let is_only = sample.ends_behind(missing_of_chunk + 1)
        && sample.all.and_then(<[u8]>::last).is_some_and(|last| is_end(*last))
        && missing(error.kind()).is_some_and(|missing| chunk.has_behind(missing));
    is_only || goes_on(&chunk, front, &error, options)
}
