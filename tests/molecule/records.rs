//! Concatenated records: reading good and damaged ones from slices and readers, and writing.

use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::ops::Range;

use fourfold::molecule::with::{DynVec, Struct, Table};
use fourfold::molecule::{
    Error, ErrorKind, Frames, Options, RecordWriter, Records, count_records, from_slice, to_vec,
};
use fourfold::{Category, CommonKind};
use quickcheck::{Gen, QuickCheck};
use serde::{Deserialize, Serialize};

use crate::support::alloc::measure;
use crate::support::streams::{Failing, Slow};

/// `table Entry { code: byte, on: bool, name: Bytes }`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Entry {
    code: u8,
    on: bool,
    name: String,
}

/// The same type, borrowing its text.
#[derive(Debug, PartialEq, Deserialize)]
struct BorrowedEntry<'a> {
    code: u8,
    on: bool,
    name: &'a str,
}

/// `struct Tick { price: Uint16, kind: byte }`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "struct.Tick")]
struct Tick {
    price: u16,
    up: bool,
}

const TICK: NonZeroUsize = NonZeroUsize::new(3).unwrap();

fn entry(code: u8, name: &str) -> Entry {
    Entry { code, on: code % 2 == 0, name: name.to_owned() }
}

/// A table header for `Entry`, 16 bytes; then `code`, `on`, and the name, a fixvec.
fn bytes_of(entries: &[Entry]) -> Vec<u8> {
    entries.iter().flat_map(|entry| to_vec(entry).unwrap()).collect()
}

/// A record: its range, and its value or error.
type Outcome<T> = (Range<usize>, Result<T, String>);

fn outcome<T>((place, item): (Range<usize>, Result<T, Error>)) -> Outcome<T> {
    (place, item.map_err(|error| format!("{:?}: {error}", error.category())))
}

/// The records of a slice. Asserts that readers return the same in pieces of any size, and that frames have the same ranges.
#[track_caller]
fn read<T>(bytes: &[u8], size: Option<NonZeroUsize>) -> Vec<Outcome<T>>
where
    T: serde::de::DeserializeOwned + std::fmt::Debug + PartialEq,
{
    let mut records = Records::<_, T>::from_slice(bytes);
    let mut frames = Frames::from_slice(bytes);
    if let Some(size) = size {
        (records, frames) = (records.of_size(size), frames.of_size(size));
    }
    let first: Vec<_> = records.with_places().map(outcome).collect();
    let frames: Vec<_> = frames.with_places().map(outcome).collect();
    assert_eq!(frames.len(), first.len());
    for ((place, frame), (of_record, record)) in frames.iter().zip(&first) {
        assert_eq!(place, of_record);
        match frame {
            Ok(frame) => assert_eq!(*frame, &bytes[place.clone()]),
            Err(text) => assert_eq!(Err(text), record.as_ref()),
        }
    }
    for step in [1, 2, 3, 7, 64, usize::MAX] {
        // A slice has no limit.
        let options = Options::new().max_input(u64::MAX);
        let reader = Slow::new(bytes, step);
        let mut records = Records::<_, T>::from_reader(reader).with_options(options);
        if let Some(size) = size {
            records = records.of_size(size);
        }
        let slowly: Vec<_> = records.with_places().map(outcome).collect();
        assert_eq!(slowly, first, "{step} bytes at a time");
    }
    first
}

#[test]
fn records_are_in_order_with_their_ranges() {
    let entries = [entry(1, "one"), entry(2, ""), entry(3, "three")];
    let bytes = bytes_of(&entries);
    let places = [0..25, 25..47, 47..74];
    let expected: Vec<_> = places.into_iter().zip(entries.map(Ok)).collect();
    assert_eq!(read::<Entry>(&bytes, None), expected);
}

#[test]
fn empty_input_has_no_records() {
    assert_eq!(read::<Entry>(&[], None), []);
    assert_eq!(read::<Tick>(&[], Some(TICK)), []);
}

#[test]
fn values_may_borrow_from_a_slice() {
    let bytes = bytes_of(&[entry(1, "one"), entry(2, "two")]);
    let entries: Result<Vec<BorrowedEntry<'_>>, _> = Records::from_slice(&bytes).collect();
    assert_eq!(entries.unwrap()[1], BorrowedEntry { code: 2, on: true, name: "two" });
}

#[test]
fn the_offset_is_the_start_of_the_next_record() {
    let bytes = bytes_of(&[entry(1, "one"), entry(2, "")]);
    let mut records = Records::<_, Entry>::from_slice(&bytes);
    let mut from_reader = Records::<_, Entry>::from_reader(&*bytes);
    for offset in [0, 25, 47] {
        assert_eq!((records.offset(), from_reader.offset()), (offset, offset));
        assert_eq!(records.next().is_some(), from_reader.next().is_some());
    }
    // After an early end, reading continues from there.
    assert_eq!(Frames::from_slice(&bytes[25..]).count(), 1);
}

#[test]
fn records_of_one_size() {
    let bytes = [1, 0, 0, 2, 1, 1];
    let ticks =
        [(0..3, Ok(Tick { price: 1, up: false })), (3..6, Ok(Tick { price: 258, up: true }))];
    assert_eq!(read::<Tick>(&bytes, Some(TICK)), ticks);
    // The first bytes are not treated as a full size.
    let numbers = NonZeroUsize::new(4).unwrap();
    assert_eq!(read::<u32>(&[3, 0, 0, 0], Some(numbers)), [(0..4, Ok(3))]);
}

/// A damaged stream: its bytes, the range and text of each error, and the number of records.
type Case = (&'static str, Vec<u8>, &'static [(usize, Range<usize>, &'static str)], usize);

/// An error in a record does not end the stream, unless the end of the record is unknown.
#[test]
fn damaged_streams() {
    let whole = bytes_of(&[entry(1, "one"), entry(2, ""), entry(3, "three")]);
    let with = |at: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[at] = byte;
        bytes
    };
    let cases: [Case; 12] = [
        (
            "a bool that is none",
            with(17, 7),
            &[(0, 0..25, "Syntax: bool is 7, neither 0 nor 1 in on at byte 17")],
            3,
        ),
        (
            "the same in the second one",
            with(25 + 17, 7),
            &[(1, 25..47, "Syntax: bool is 7, neither 0 nor 1 in on at byte 42")],
            3,
        ),
        (
            "offsets beyond",
            with(25 + 8, 255),
            &[(1, 25..47, "Syntax: offset 255 is beyond the full size 22 at byte 33")],
            3,
        ),
        (
            "no text",
            with(47 + 22, 255),
            &[(2, 47..74, "Syntax: invalid utf-8 in name at byte 69")],
            3,
        ),
        (
            "a name that is longer than the last record: more input would not help",
            with(47 + 18, 6),
            &[(
                2,
                47..74,
                "Syntax: field or item ends early: 6 bytes needed, 5 left in name at byte 69",
            )],
            3,
        ),
        (
            "a full size that is too small for a full size",
            with(25, 3),
            &[(
                1,
                25..25,
                "Syntax: full size 3 of a record is less than the 4 bytes of a full size at byte 25",
            )],
            2,
        ),
        (
            "none at all",
            with(0, 0),
            &[(
                0,
                0..0,
                "Syntax: full size 0 of a record is less than the 4 bytes of a full size at byte 0",
            )],
            1,
        ),
        (
            "a full size beyond the input",
            with(25 + 3, 1),
            &[(1, 25..25, "Eof: input ends early: 16777238 bytes needed, 49 left at byte 25")],
            2,
        ),
        (
            "a last record that is cut",
            whole[..73].to_vec(),
            &[(2, 47..47, "Eof: input ends early: 27 bytes needed, 26 left at byte 47")],
            3,
        ),
        (
            "a last record that is cut within its full size",
            whole[..50].to_vec(),
            &[(2, 47..47, "Eof: input ends early: 4 bytes needed, 3 left at byte 47")],
            3,
        ),
        (
            "a full size that is smaller than the record, so that another seems to begin",
            [4, 0, 0, 0].iter().copied().chain(whole[25..47].iter().copied()).collect(),
            &[(0, 0..4, "Data: table has 0 fields, the type has more at byte 0")],
            2,
        ),
        (
            "two errors",
            {
                let mut bytes = with(17, 9);
                bytes[47 + 17] = 8;
                bytes
            },
            &[
                (0, 0..25, "Syntax: bool is 9, neither 0 nor 1 in on at byte 17"),
                (2, 47..74, "Syntax: bool is 8, neither 0 nor 1 in on at byte 64"),
            ],
            3,
        ),
    ];
    for (about, bytes, errors, count) in cases {
        let records = read::<Entry>(&bytes, None);
        let found: Vec<_> = records
            .iter()
            .enumerate()
            .filter_map(|(at, (place, record))| {
                Some((at, place.clone(), record.as_ref().err()?.as_str()))
            })
            .collect();
        assert_eq!((&found[..], records.len()), (errors, count), "{about}");
    }
}

#[test]
fn a_last_record_of_one_size_that_is_cut() {
    let expected = [
        (0..3, Ok(Tick { price: 1, up: true })),
        (3..6, Err("Syntax: bool is 2, neither 0 nor 1 in up at byte 5".to_owned())),
        (6..6, Err("Eof: input ends early: 3 bytes needed, 2 left at byte 6".to_owned())),
    ];
    assert_eq!(read::<Tick>(&[1, 0, 1, 1, 0, 2, 1, 0], Some(TICK)), expected);
}

#[test]
fn an_iterator_that_has_ended_returns_none() {
    let bytes = [3, 0, 0, 0, 4, 0, 0, 0];
    let mut records = Records::<_, ()>::from_slice(&bytes);
    let mut from_reader = Records::<_, ()>::from_reader(&bytes[..]);
    assert!(records.next().unwrap().is_err() && from_reader.next().unwrap().is_err());
    assert!(records.next().is_none() && from_reader.next().is_none());
    assert_eq!((records.offset(), from_reader.offset()), (0, 0));
}

/// Under these options, not others.
#[test]
fn options_apply_to_each_record() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Older {
        code: u8,
    }

    let bytes = bytes_of(&[entry(1, "one"), entry(2, "two")]);
    let refused = |older: &Result<Older, Error>| {
        matches!(
            older.as_ref().unwrap_err().kind(),
            ErrorKind::ExtraFields { found: 3, expected: 1 }
        )
    };
    assert!(Records::<_, Older>::from_slice(&bytes).all(|older| refused(&older)));
    let compatible = Options::new().compatible(true);
    let records = Records::<_, Older>::from_slice(&bytes).with_options(compatible);
    let older: Result<Vec<_>, _> = records.collect();
    assert_eq!(older.unwrap(), [Older { code: 1 }, Older { code: 2 }]);
}

/// `max_input` limits each record of a reader, not the stream.
#[test]
fn long_records_are_refused_by_their_full_size() {
    let bytes = bytes_of(&[entry(1, "one"), entry(2, ""), entry(3, "three")]);
    let limited = |most| {
        let options = Options::new().max_input(most);
        Records::<_, Entry>::from_reader(&*bytes).with_options(options).collect::<Vec<_>>()
    };
    assert!(limited(27).iter().all(Result::is_ok));
    let records = limited(26);
    let error = records[2].as_ref().unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::Common(CommonKind::InputLimit { limit: 26 })),
        "{error}"
    );
    assert_eq!((records.len(), error.offset()), (3, Some(47)));
    // A slice is in memory already.
    let options = Options::new().max_input(1);
    assert!(Records::<_, Entry>::from_slice(&bytes).with_options(options).all(|it| it.is_ok()));
    let mut frames = Frames::from_reader(&[0; 8][..]).of_size(TICK).max_input(2);
    assert_eq!(frames.next_frame().unwrap().unwrap_err().category(), Category::Limit);
}

#[test]
fn a_reader_that_fails_ends_it_with_its_own_reason() {
    // 4 bytes of a full size 0 never come: the reader fails within them.
    let mut records = Records::<_, Entry>::from_reader(Failing { left: 3, full: false });
    let error = records.next().unwrap().unwrap_err();
    assert_eq!((error.category(), error.offset()), (Category::Io, Some(3)));
    assert_eq!(io::Error::from(error).to_string(), "the line is cut");
    assert!(records.next().is_none());

    let bytes = bytes_of(&[entry(1, "one")]);
    let reader = bytes.chain(Failing { left: 0, full: false });
    let mut records = Records::<_, Entry>::from_reader(reader);
    assert_eq!(records.next().unwrap().unwrap(), entry(1, "one"));
    assert_eq!(records.next().unwrap().unwrap_err().offset(), Some(25));
}

/// A record is returned without requesting bytes after it from the reader.
#[test]
fn a_record_is_returned_as_soon_as_it_is_complete() {
    struct OneByOne<'a>(&'a [Vec<u8>]);

    impl Read for OneByOne<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let (first, rest) = self.0.split_first().expect("called before it had to be");
            self.0 = rest;
            buffer[..first.len()].copy_from_slice(first);
            Ok(first.len())
        }
    }

    let messages = [bytes_of(&[entry(1, "one")]), bytes_of(&[entry(2, "two"), entry(3, "")])];
    let mut records = Records::<_, Entry>::from_reader(OneByOne(&messages));
    for code in 1..=3 {
        assert_eq!(records.next().unwrap().unwrap().code, code);
    }
}

/// An endless stream of records.
struct Endless {
    record: Vec<u8>,
    at: usize,
    left: usize,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = buffer.len().min(self.left);
        for byte in &mut buffer[..count] {
            *byte = self.record[self.at % self.record.len()];
            self.at += 1;
        }
        self.left -= count;
        Ok(count)
    }
}

/// The memory in addition to the current record.
const SOME: usize = 80 << 10;

#[test]
fn memory_is_bounded_by_the_current_record() {
    let record = to_vec(&entry(2, "a name of some length")).unwrap();
    let left = 1000 * record.len();
    let mut records = Records::<_, Entry>::from_reader(Endless { record, at: 0, left });
    let stats = measure(|| assert!(records.by_ref().all(|record| record.is_ok())));
    assert!(stats.peak < SOME, "{stats:?}");
    assert_eq!(records.offset(), left);
    // A large record takes memory only while it is the current one.
    let large = to_vec(&entry(2, &"x".repeat(1 << 20))).unwrap();
    let small = bytes_of(&vec![entry(2, ""); 1000]);
    let mut frames = Frames::from_reader(large.as_slice().chain(&*small));
    let stats = measure(|| {
        assert_eq!(frames.next_frame().unwrap().unwrap().len(), large.len());
        while frames.next_frame().is_some_and(|frame| frame.is_ok()) {}
    });
    assert!(stats.peak < 3 * large.len(), "{stats:?}");
    assert!(usize::try_from(stats.current).unwrap() < SOME, "{stats:?}");
}

/// Memory is reserved only for bytes that arrive.
#[test]
fn hostile_sizes_take_no_memory() {
    for claimed in [u32::MAX, 1 << 30, (1 << 30) + 1] {
        let bytes = [&claimed.to_le_bytes()[..], &[0; 10]].concat();
        let stats = measure(|| {
            assert!(Records::<_, Vec<u8>>::from_slice(&bytes).next().unwrap().is_err());
            assert!(Records::<_, Vec<u8>>::from_reader(&*bytes).next().unwrap().is_err());
        });
        assert!(stats.total < SOME, "{claimed}: {stats:?}");
    }
    let size = NonZeroUsize::new(usize::MAX).unwrap();
    let stats = measure(|| {
        assert!(Records::<_, u8>::from_reader(&[1][..]).of_size(size).next().unwrap().is_err());
        assert!(Records::<_, u8>::from_slice(&[1]).of_size(size).next().unwrap().is_err());
    });
    assert!(stats.total < SOME, "{stats:?}");
}

/// All functions return the same for damaged streams, and end.
#[test]
fn any_bytes_are_read_the_same_by_all_functions() {
    fn property(names: Vec<String>, damage: Vec<(usize, u8)>) -> bool {
        let entries: Vec<_> = names.iter().map(|name| entry(4, name)).collect();
        let mut bytes = bytes_of(&entries);
        for (at, byte) in damage.into_iter().take(3) {
            let at = at.checked_rem(bytes.len()).unwrap_or_default();
            if let Some(place) = bytes.get_mut(at) {
                *place = byte;
            }
        }
        let records = read::<Entry>(&bytes, None);
        // The value read is that at its place.
        records.iter().all(|(place, record)| match record {
            Ok(record) => *record == from_slice::<Entry>(&bytes[place.clone()]).unwrap(),
            Err(_) => true,
        })
    }
    QuickCheck::new()
        .rng(Gen::new(20))
        .tests(300)
        .quickcheck(property as fn(Vec<String>, Vec<(usize, u8)>) -> bool);
}

/// Records survive with readers and writers of any speed, and have the range that the writer returned.
#[test]
fn written_records_are_read_back() {
    fn property(names: Vec<String>, step: usize) -> bool {
        let entries: Vec<_> = names.iter().map(|name| entry(4, name)).collect();
        let mut writer = RecordWriter::new(Slow::new(Vec::new(), step % 9 + 1));
        let places: Vec<_> = entries.iter().map(|entry| writer.write(entry).unwrap()).collect();
        let end = writer.offset();
        let bytes = writer.into_inner().stream;
        assert_eq!(end, bytes.len());
        let records = read::<Entry>(&bytes, None);
        records == places.into_iter().zip(entries.into_iter().map(Ok)).collect::<Vec<_>>()
    }
    quickcheck::quickcheck(property as fn(Vec<String>, usize) -> bool);

    fn of_one_size(ticks: Vec<(u16, bool)>) -> bool {
        let ticks: Vec<_> = ticks.into_iter().map(|(price, up)| Tick { price, up }).collect();
        let mut writer = RecordWriter::new(Vec::new()).of_size(TICK);
        let places: Vec<_> = ticks.iter().map(|tick| writer.write(tick).unwrap()).collect();
        let records = read::<Tick>(&writer.into_inner(), Some(TICK));
        records == places.into_iter().zip(ticks.into_iter().map(Ok)).collect::<Vec<_>>()
    }
    quickcheck::quickcheck(of_one_size as fn(Vec<(u16, bool)>) -> bool);
}

/// A value without a full size is refused, and nothing of it is written.
#[test]
fn values_without_a_full_size_are_refused() {
    #[track_caller]
    fn assert_refused<T: ?Sized + Serialize>(value: &T, size: usize) {
        let mut writer = RecordWriter::new(Vec::new());
        writer.write(&()).unwrap();
        let error = writer.write(value).unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::NoFullSize { size: found } if *found == size),
            "{error}"
        );
        assert_eq!((error.category(), error.offset()), (Category::Data, None));
        // Others may follow.
        assert_eq!(writer.write(&()).unwrap(), 4..8);
        assert_eq!(writer.into_inner(), [4, 0, 0, 0, 4, 0, 0, 0]);
    }

    assert_refused(&7u8, 1);
    assert_refused(&None::<Entry>, 0);
    assert_refused("text", 8);
    assert_refused(&vec![1u16, 2], 8);
    assert_refused(&Tick { price: 1, up: true }, 3);
    assert_refused(&Struct((1u32, 2u32)), 8);
    assert_refused(&Ok::<Entry, ()>(entry(1, "one")), 29);
    // Without a mark an empty sequence is a fixvec.
    assert_refused(&Vec::<Entry>::new(), 4);

    let mut writer = RecordWriter::new(Vec::new());
    writer.write(&Table((7u8,))).unwrap();
    writer.write(&DynVec(Vec::<Entry>::new())).unwrap();
    writer.write(&[entry(1, "one")]).unwrap();
    writer.write(&Some(entry(1, "one"))).unwrap();
    assert_eq!(Frames::from_slice(&writer.into_inner()).filter(Result::is_ok).count(), 4);
}

#[test]
fn values_of_another_size_are_refused() {
    let mut writer = RecordWriter::new(Vec::new()).of_size(TICK);
    for (refused, expected) in [
        (writer.write(&1u16), 2),
        (writer.write(&1u32), 4),
        (writer.write(&entry(1, "one")), 25),
        (writer.write(&None::<u8>), 0),
    ] {
        let error = refused.unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::RecordSize { size, expected: 3 } if *size == expected),
            "{error}"
        );
    }
    assert_eq!((writer.offset(), writer.into_inner().len()), (0, 0));
}

/// The writer's options apply to each record, and nothing is written of a record that they refuse.
#[test]
fn options_apply_to_each_written_record() {
    let mut writer = RecordWriter::new(Vec::new()).with_options(Options::new().strict(true));
    let error = writer.write(&(vec![1u8], Vec::<u8>::new())).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Unmarked { .. }), "{error}");
    assert!(writer.into_inner().is_empty());
}

/// Records after an incomplete one could not be read.
#[test]
fn a_writer_that_failed_refuses_more_records() {
    for left in [0, 3, 25, 30] {
        let mut writer = RecordWriter::new(Failing { left, full: false });
        let whole = (0..2).take_while(|_| writer.write(&entry(1, "one")).is_ok()).count();
        assert_eq!((whole, writer.offset()), (left / 25, left / 25 * 25));
        let error = writer.write(&()).unwrap_err();
        assert_eq!(error.category(), Category::Io);
        assert_eq!(error.to_string(), "an earlier record was not written completely");
    }
}

#[test]
fn records_are_appended_to_a_file() {
    let file = tempfile::NamedTempFile::new().unwrap();
    for name in ["one", "two"] {
        let append = std::fs::File::options().append(true).open(file.path()).unwrap();
        let mut writer = RecordWriter::new(io::BufWriter::new(append));
        assert_eq!(writer.write(&entry(1, name)).unwrap(), 0..25);
        writer.flush().unwrap();
    }
    let names = |reader| {
        let records = Records::<_, Entry>::from_reader(reader);
        records.map(|record| record.map(|entry| entry.name)).collect::<Vec<_>>()
    };
    let read = names(std::fs::File::open(file.path()).unwrap());
    assert!(matches!(&read[..], [Ok(one), Ok(two)] if one == "one" && two == "two"), "{read:?}");
}

/// A file is detected as records if their full sizes add up to its length.
#[test]
fn records_are_detected() {
    let one = to_vec(&entry(1, "one")).unwrap();
    let empty = vec![4, 0, 0, 0];
    let damaged = [10, 0, 0, 0, 9, 9, 9, 9, 9, 9].repeat(2);
    let cases: [(Vec<u8>, Option<usize>); 10] = [
        (vec![], None),
        (one.clone(), None),
        (one.repeat(2), Some(2)),
        ([one.clone(), empty.clone()].concat(), Some(2)),
        // Only full sizes: rather numbers.
        (empty.repeat(5), None),
        (one.repeat(3)[..74].to_vec(), None),
        ([one.clone(), vec![0]].concat(), None),
        ([one.clone(), vec![3, 0, 0, 0]].concat(), None),
        ([vec![0; 4], one].concat(), None),
        (damaged, Some(2)),
    ];
    for (bytes, expected) in cases {
        assert_eq!(count_records(&bytes), expected, "{bytes:?}");
    }
}
