//! Concatenated records, compared with a walk over their full sizes.

use std::num::NonZeroUsize;
use std::ops::Range;

use fourfold::Category;
use fourfold::molecule::with::{DynVec, Struct};
use fourfold::molecule::{
    Error, Frames, Options, Raw, RecordWriter, Records, count_records, from_slice,
};

use super::Molecule;
use crate::draws::Draws;
use crate::parts::{Part, outcome_text};
use crate::support::fixture::hex;
use crate::support::random::once;
use crate::support::streams::Slow;
use crate::support::zoo::{Key, Nest, Record};
use crate::zoo::Format as _;

/// Records of each kind, and how they are written.
macro_rules! records {
    ($($type:ty, $size:expr;)*) => {
        pub(super) const RECORDS: &[fn(&[u8])] =
            &[$(|stream| each::<$type>(stringify!($type), stream, NonZeroUsize::new($size))),*];

        /// Records of each kind, with its number.
        pub(super) fn written(input: &[u8]) -> Vec<(u8, Vec<u8>)> {
            let written = [$(write::<$type>(input, NonZeroUsize::new($size))),*];
            (0..).zip(written).collect()
        }
    };
}

// The common size of all records, or 0 if each begins with its size.
records! {
    Key, 0;
    (u8, String), 0;
    DynVec<Vec<Option<String>>>, 0;
    Record, 0;
    DynVec<Vec<Nest>>, 0;
    u32, 4;
    Struct<(u16, bool)>, 3;
    [u8; 32], 32;
}

fn write<T: Part>(input: &[u8], size: Option<NonZeroUsize>) -> Vec<u8> {
    let mut writer = RecordWriter::new(Vec::new());
    if let Some(size) = size {
        writer = writer.of_size(size);
    }
    let mut draws = Draws::new(input);
    for _ in 0..3 {
        if let Ok(value) = once::<T>(&mut draws, 12, false) {
            // An empty list has no full size.
            let _ = writer.write(&value);
        }
    }
    writer.into_inner()
}

/// The range of each record, and the start of a record without an end.
fn walk(stream: &[u8], size: Option<NonZeroUsize>) -> (Vec<Range<usize>>, Option<usize>) {
    let (mut places, mut at) = (Vec::new(), 0);
    while at < stream.len() {
        let rest = &stream[at..];
        let full_size = || rest.first_chunk().map(|number| u32::from_le_bytes(*number) as usize);
        let len = size.map(NonZeroUsize::get).or_else(full_size);
        match len {
            Some(len) if len <= rest.len() && (len >= 4 || size.is_some()) => {
                places.push(at..at + len);
                at += len;
            }
            _ => return (places, Some(at)),
        }
    }
    (places, None)
}

/// The range, and the value or error, of each record.
fn shown<T: std::fmt::Debug>(
    records: impl Iterator<Item = (Range<usize>, Result<T, Error>)>,
) -> Vec<String> {
    records
        .map(|(place, record)| {
            let category = record.as_ref().err().map(Error::category);
            format!("{place:?}: {category:?} {}", outcome_text(&record))
        })
        .collect()
}

fn each<T: Part>(name: &str, stream: &[u8], size: Option<NonZeroUsize>) {
    let of = format!("{name} of {}", hex(stream));
    let (places, cut) = walk(stream, size);
    let (mut frames, mut records) = (Frames::from_slice(stream), Records::from_slice(stream));
    if let Some(size) = size {
        (frames, records) = (frames.of_size(size), records.of_size(size));
    }
    let items = places.len() + usize::from(cut.is_some());

    let found: Vec<_> = frames.clone().with_places().take(items + 1).collect();
    assert_eq!(found.len(), items, "{of}");
    for (place, (found, frame)) in places.iter().zip(&found) {
        assert_eq!((place, frame.as_ref().ok()), (found, Some(&&stream[place.clone()])), "{of}");
    }
    if let (Some(at), Some((place, Err(error)))) = (cut, found.last()) {
        assert_eq!((place, error.offset()), (&(at..at), Some(at)), "{of}");
        assert!(matches!(error.category(), Category::Eof | Category::Syntax), "{error} {of}");
    }
    let is_several = size.is_none() && places.len() > 1 && places.iter().any(|it| it.len() > 4);
    if size.is_none() {
        let counted = (is_several && cut.is_none()).then_some(places.len());
        assert_eq!(count_records(stream), counted, "{of}");
    }

    let read: Vec<(_, Result<T, _>)> = records.with_places().take(items + 1).collect();
    assert_eq!(read.len(), items, "{of}");
    for ((place, record), expected) in read.iter().zip(&places) {
        assert_eq!(place, expected, "{of}");
        assert_record(&of, place.start, record, &from_slice(&stream[place.clone()]));
    }
    if let (Some(_), Some((_, frame)), Some((_, record))) = (cut, found.last(), read.last()) {
        assert_eq!(
            frame.as_ref().err().map(ToString::to_string),
            record.as_ref().err().map(ToString::to_string)
        );
    }

    let expected = shown(read.into_iter());
    for pace in [1, 5, usize::MAX] {
        // A slice has no limit.
        let options = Options::new().max_input(u64::MAX);
        let mut records = Records::<_, T>::from_reader(Slow::new(stream, pace));
        if let Some(size) = size {
            records = records.of_size(size);
        }
        let records = records.with_options(options).with_places().take(items + 1);
        let read = Molecule::BOUND.hold(name, stream, || shown(records));
        assert_eq!(read, expected, "{pace} bytes at a time, {of}");
    }
    let mut frames = Frames::from_reader(stream);
    if let Some(size) = size {
        frames = frames.of_size(size);
    }
    for place in &places {
        let frame = frames.next_frame().map(Result::unwrap);
        assert_eq!(frame, Some(&stream[place.clone()]), "{of}");
    }
    // Also if the limit ends the stream.
    let end = frames.next_frame().and_then(Result::err).and_then(|error| error.offset());
    assert_eq!(end, cut, "{of}");
    assert!(frames.next_frame().is_none(), "{of}");

    let mut writer = RecordWriter::new(Vec::new());
    if let Some(size) = size {
        writer = writer.of_size(size);
    }
    for place in &places {
        let raw: Raw<'_> = from_slice(&stream[place.clone()]).unwrap();
        assert_eq!(writer.write(&raw).unwrap(), *place, "{of}");
    }
    let end = places.last().map_or(0, |place| place.end);
    assert_eq!(hex(&writer.into_inner()), hex(&stream[..end]), "{of}");
}

/// Asserts that a record has the value or error of its bytes, with its offset, and that the error is not EOF.
fn assert_record<T: Part>(
    of: &str,
    start: usize,
    record: &Result<T, Error>,
    alone: &Result<T, Error>,
) {
    match (record, alone) {
        (Err(error), Err(alone)) => {
            assert_eq!(error.offset(), alone.offset().map(|offset| start + offset), "{of}");
            assert_eq!(error.path(), alone.path(), "{of}");
            assert!(!error.is_eof(), "{error} {of}");
            if !alone.is_eof() {
                assert_eq!(error.kind().to_string(), alone.kind().to_string(), "{of}");
            }
        }
        _ => assert_eq!(outcome_text(record), outcome_text(alone), "{of}"),
    }
}
