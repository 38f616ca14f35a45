//! What the beginning of a long file of biniou says. Values have their lengths in front, so that one
//! which goes on behind the part that is looked at has to be told from bytes that are none.

use fourfold::biniou::{
    self, ChunkReader, ErrorKind, Options, StreamDeserializer, Tag, Value, take_from_slice,
};

use super::reading::{Reading, counted, missing};
use super::{Framing, Sample};

/// A value of which so many bytes were read is hardly one by chance.
const ENOUGH: usize = 16;

/// So many items of a long list are enough as well.
const ITEMS: u8 = 16;

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
    if goes_on(sample, rest, &error) {
        return match count {
            0 => Reading::good("beginning of a value"),
            _ => Reading::good(counted(count, "value")),
        };
    }
    if let Some(chunks) = chunks(sample, options) {
        return Reading::good(Framing::Chunks.counted(chunks));
    }
    match count {
        0 => Reading::Bad(error.to_string()),
        _ => Reading::Bad(format!("{error}, behind {}", counted(count, "value"))),
    }
}

/// Whether `rest` is the beginning of a value that ends behind what is looked at.
fn goes_on(sample: &Sample<'_>, rest: &[u8], error: &biniou::Error) -> bool {
    let missing = match error.kind() {
        ErrorKind::Length { needed, left, .. } => {
            usize::try_from(*needed).ok().map(|needed| needed.saturating_sub(*left))
        }
        kind => missing(kind),
    };
    let Some(missing) = missing.filter(|missing| sample.has_behind(*missing)) else {
        return false;
    };
    let start = sample.front.len() - rest.len();
    let read = error.offset().map_or(0, |offset| offset.saturating_sub(start));
    // Values were read in front of it, or within it, or it ends just where the file does.
    start >= ENOUGH || read >= ENOUGH || sample.ends_behind(missing) || has_items(rest)
}

/// Whether the first items of a list can be read where all of them cannot.
fn has_items(list: &[u8]) -> bool {
    let Some((&tag, rest)) = list.split_first() else { return false };
    if !matches!(Tag::from_byte(tag), Some(Tag::Array | Tag::Table)) {
        return false;
    }
    // The count is a vint: its last byte is the first without the high bit.
    let Some(end) = rest.iter().position(|byte| *byte < 0x80) else { return false };
    let items = rest.get(end + 1..).unwrap_or_default();
    let few = [&[tag, ITEMS], items].concat();
    take_from_slice::<Value>(&few).is_ok()
}

/// How many chunks there are, if there is nothing else, and a value in each.
fn chunks(sample: &Sample<'_>, options: &Options) -> Option<usize> {
    for (count, chunk) in ChunkReader::new(sample.front).enumerate() {
        match chunk {
            Ok(chunk) => options.from_slice::<Value>(&chunk).ok().map(drop)?,
            Err(error) => {
                let missing = missing(error.kind())?;
                return (count > 0 && sample.has_behind(missing)).then_some(count);
            }
        }
    }
    None
}
