//! Reads the beginning of a long biniou file.
//!
//! Lengths precede values, so a value that continues after the sample must be distinguished from arbitrary bytes.

use std::ops::ControlFlow;

use fourfold::biniou::{self, ChunkStart, Framing, Options, StreamDeserializer, Tag, Value};
use serde::de::IgnoredAny;

use super::framing::{counted_by, ended};
use crate::formats::reading::missing;
use crate::formats::{Reading, Sample};
use crate::spans::Span;
use crate::spans::biniou::explain;
use crate::write::count::counted;

/// A value with this many valid bytes is unlikely to be chance.
const ENOUGH: usize = 16;

/// This many items of a long list are enough as well.
const ITEMS: u8 = 16;

/// Maximum number of parts read in a long value.
const PARTS: usize = 1 << 16;

/// This many bytes of a long string show whether it is text.
const TEXT: usize = 1 << 12;

/// Reads the first values, or the first chunks.
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

/// Whether `rest` is the beginning of a value that ends after the sample.
fn goes_on(sample: &Sample<'_>, rest: &[u8], error: &biniou::Error, options: &Options) -> bool {
    let missing = missing(error.kind());
    let Some(missing) = missing.filter(|missing| sample.may_have_more(*missing)) else {
        return false;
    };
    let start = sample.front.len() - rest.len();
    let read = error.offset().map_or(0, |offset| offset.saturating_sub(start));
    // Values were read before or within it, or it ends exactly at the end of the file.
    start >= ENOUGH
        || read >= ENOUGH
        || sample.ends_after(missing)
        || has_items(rest, options)
        || has_parts(sample, start, options)
}

/// Whether the first items of a truncated list can be read.
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

/// Whether the parts of the value at `start` confirm it. Long texts are skipped, even beyond the sample if the whole file
/// is in memory.
fn has_parts(sample: &Sample<'_>, start: usize, options: &Options) -> bool {
    let bytes = sample.all.unwrap_or(sample.front).get(start..).unwrap_or_default();
    let (mut weight, mut count, mut is_wrong) = (0, 0, false);
    explain(bytes, options, "", &mut |span| {
        // If the rest is not available, lengths may exceed the sample, and the last part is truncated.
        let may_be_cut = sample.all.is_none()
            && (span.what.starts_with("count of ")
                || span.what == "length"
                || span.range.end == bytes.len());
        is_wrong = span.error.is_some() && !may_be_cut;
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

/// Number of bytes of a part that count as evidence: all bytes of a text, none of other strings, and no zeros, which are
/// common in files of any format.
fn weigh(span: &Span, bytes: &[u8]) -> usize {
    let bytes = bytes.get(span.range.clone()).unwrap_or_default();
    match &*span.what {
        "string" | "start of string" => text_len(bytes.get(..TEXT).unwrap_or(bytes)),
        _ => bytes.iter().filter(|byte| **byte != 0).count(),
    }
}

/// The length of a text that may be truncated; 0 if the bytes are not text.
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

/// Reads the first chunks, if each holds a value and nothing follows them.
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
    sample.may_have_more(missing).then(|| Reading::good(counted_by(Framing::Chunks, count)))
}

/// Whether a byte is the end mark of a stream.
fn is_end(byte: u8) -> bool {
    matches!(ChunkStart::of(&[byte]), ChunkStart::End { .. })
}

/// Whether `front` is the beginning of a chunk of that length with a value in it.
fn is_first_chunk(sample: &Sample<'_>, front: &[u8], length: usize, options: &Options) -> bool {
    let missing_of_chunk = length - front.len();
    if !sample.may_have_more(missing_of_chunk) {
        return false;
    }
    let chunk = sample.part(front, length);
    let Err(error) = options.from_slice::<IgnoredAny>(front) else { return false };
    // The end mark is the last byte of the file.
    let is_only = sample.ends_after(missing_of_chunk + 1)
        && sample.all.and_then(<[u8]>::last).is_some_and(|last| is_end(*last))
        && missing(error.kind()).is_some_and(|missing| chunk.may_have_more(missing));
    is_only || goes_on(&chunk, front, &error, options)
}
