//! Concatenated values: rows without columns and references are limited for all values together. Tests count items, not
//! time.

use std::cell::Cell;
use std::io::{self, Read};

use fourfold::biniou::with::{Shared, Table};
use fourfold::biniou::{
    Deserializer, Error, ErrorKind, Serializer, StreamDeserializer, Value, from_slice,
    take_from_slice, to_vec,
};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

/// The number of rows without columns that any input may have, and the additional number for each byte.
const FIRST: usize = 4096;
const PER_BYTE: usize = 64;

/// The number of bytes to which references of any input may expand.
const FIRST_EXPANSION: usize = 1 << 15;

thread_local! {
    static HANDED_OUT: Cell<usize> = const { Cell::new(0) };
}

/// A row without columns that counts itself.
#[derive(Debug, PartialEq)]
struct Row;

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Nothing {}

        let Nothing {} = Nothing::deserialize(deserializer)?;
        HANDED_OUT.set(HANDED_OUT.get() + 1);
        Ok(Row)
    }
}

fn handed_out<T>(read: impl FnOnce() -> T) -> (T, usize) {
    HANDED_OUT.set(0);
    let result = read();
    (result, HANDED_OUT.get())
}

/// The number of values before the first error, and the error.
fn take_all<T>(values: impl Iterator<Item = Result<T, Error>>) -> (usize, Option<Error>) {
    let mut count = 0;
    for value in values {
        match value {
            Ok(_) => count += 1,
            Err(error) => return (count, Some(error)),
        }
    }
    (count, None)
}

/// The same with a `Deserializer`.
fn one_by_one<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> (usize, Option<Error>) {
    let mut deserializer = Deserializer::from_slice(bytes);
    take_all(std::iter::from_fn(|| match deserializer.end() {
        Ok(()) => None,
        Err(_) => Some(T::deserialize(&mut deserializer)),
    }))
}

/// Asserts that each way of reading a stream returns the same values and the same error.
#[track_caller]
fn read<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> (usize, Option<Error>, usize) {
    let (first, most) = handed_out(|| take_all(StreamDeserializer::<_, T>::from_slice(bytes)));
    let others: [&dyn Fn() -> (usize, Option<Error>); 2] =
        [&|| take_all(StreamDeserializer::<_, T>::from_reader(bytes)), &|| one_by_one::<T>(bytes)];
    for other in others {
        let ((count, error), handed_out) = handed_out(other);
        assert_eq!((count, handed_out), (first.0, most));
        assert_eq!(error.map(|error| error.to_string()), first.1.as_ref().map(Error::to_string));
    }
    (first.0, first.1, most)
}

/// 150 tables of 4,096 rows in 600 bytes: only the first one is allowed without more bytes.
#[test]
fn rows_without_columns_are_counted_for_all_values() {
    let table = [25, 0x80, 32, 0];
    let bytes = table.repeat(150);
    let (count, error, handed_out) = read::<Table<Vec<Row>>>(&bytes);
    let error = error.unwrap();
    assert_eq!((count, handed_out, error.offset()), (1, FIRST, Some(5)));
    assert!(matches!(error.kind(), ErrorKind::EmptyRows { rows: 4096 }), "{error}");
    // As trees.
    let (count, error, _) = read::<Value>(&bytes);
    assert_eq!((count, error.unwrap().offset()), (1, Some(5)));
    // Nothing is allocated for skipped values.
    let (count, ..) = read::<IgnoredAny>(&table);
    assert_eq!(count, 1);
    // Each call has its own budget.
    assert_eq!(take_from_slice::<Vec<Row>>(&bytes).unwrap().1.len(), 596);
}

/// A reader of a stream does not have all bytes of a value when it finds the damage.
#[test]
fn damage_is_reported_as_in_a_slice() {
    let many = [&[19, 0xa0, 0x9c, 1, 0][..], &[1; 5], &[7], &[1; 19_994]].concat();
    for bytes in [&many[..], &[19, 2, 96, 92], &[20, 3, 99, 0, 0, 0, 0, 0, 0, 0]] {
        let expected = from_slice::<Value>(bytes).unwrap_err();
        assert!(!expected.is_eof(), "{expected}");
        for size in [1, 4, 8192] {
            let pieces = Pieces { bytes, size };
            let mut stream = StreamDeserializer::<_, Value>::from_reader(pieces);
            let error = stream.next().unwrap().unwrap_err();
            assert_eq!(error.to_string(), expected.to_string(), "{size} bytes at once");
        }
    }
}

/// A reader of at most `size` bytes at once.
struct Pieces<'a> {
    bytes: &'a [u8],
    size: usize,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = self.size.min(buffer.len());
        self.bytes.read(&mut buffer[..size])
    }
}

/// Each value is a list of 200 rows and 60 references to it, 130 bytes or so.
#[test]
fn references_are_counted_for_all_values() {
    let mut value = vec![20, 61, 26, 0, 25, 0xc8, 1, 0];
    for _ in 0..60 {
        let distance = value.len() + 1 - 3;
        value.extend([26]);
        let [low, high] = [distance & 0x7f, distance >> 7].map(|part| u8::try_from(part).unwrap());
        match high {
            0 => value.push(low),
            _ => value.extend([low | 0x80, high]),
        }
    }
    let one = take_from_slice::<Vec<Vec<Row>>>(&value).unwrap().0;
    assert_eq!((one.len(), one.iter().map(Vec::len).sum::<usize>()), (61, 61 * 200));
    let bytes = value.repeat(6_000 / value.len());
    let (count, error, handed_out) = read::<Vec<Vec<Row>>>(&bytes);
    let error = error.unwrap();
    assert!(matches!(error.kind(), ErrorKind::Expansion { .. }), "{error}");
    let most = FIRST + FIRST_EXPANSION + 2 * PER_BYTE * (count + 1) * value.len();
    assert!(count >= 1 && handed_out <= most, "{handed_out} in {count}");
}

/// Any number of values is read if each adds enough bytes.
#[test]
fn a_long_stream_of_small_values_reads() {
    let rows = [25, 100, 0].repeat(500);
    let (count, error, handed_out) = read::<Table<Vec<Row>>>(&rows);
    assert_eq!((count, handed_out, error.map(drop)), (500, 50_000, None));
    // A TUPLE of a text of ten bytes and nine references to it.
    let mut shared = vec![20, 10, 26, 0, 18, 10];
    shared.extend(b"0123456789");
    for place in 0..9 {
        shared.extend([26, 14 + 2 * place]);
    }
    let bytes = shared.repeat(500);
    let (count, error, _) = read::<Vec<String>>(&bytes);
    assert_eq!((count, error.map(drop)), (500, None));
    // Unused budget is kept: tables of 4,096 rows, each after a value that adds enough.
    let text = to_vec(&"x".repeat(FIRST / PER_BYTE)).unwrap();
    let bytes = [&[25, 0x80, 32, 0][..], &text].concat().repeat(10);
    let mut deserializer = Deserializer::from_slice(&bytes);
    for _ in 0..10 {
        assert_eq!(Vec::<Row>::deserialize(&mut deserializer).unwrap().len(), FIRST);
        IgnoredAny::deserialize(&mut deserializer).unwrap();
    }
    deserializer.end().unwrap();
}

/// A serializer refuses values that no stream reader accepts.
#[test]
fn a_serializer_counts_as_readers_do() {
    #[derive(Serialize)]
    struct Nothing {}

    let table = || Table((0..FIRST).map(|_| Nothing {}).collect::<Vec<_>>());
    let mut serializer = Serializer::new(Vec::new());
    table().serialize(&mut serializer).unwrap();
    let error = table().serialize(&mut serializer).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::EmptyRows { rows: 4096 }), "{error}");
    "x".repeat(FIRST / PER_BYTE).serialize(&mut serializer).unwrap();
    table().serialize(&mut serializer).unwrap();
    assert_eq!(serializer.into_inner().len(), 4 + 2 + FIRST / PER_BYTE + 4);

    // Expansion beyond a value's own budget is taken from the first 32 KiB.
    let rc = std::rc::Rc::new(vec![1u8; 600]);
    let list = vec![Shared(rc); 140];
    let mut serializer = Serializer::new(Vec::new());
    let written = (0..10).position(|_| list.serialize(&mut serializer).is_err());
    let bytes = serializer.into_inner();
    let (count, error) = take_all(StreamDeserializer::<_, Vec<Vec<u8>>>::from_slice(&bytes));
    assert_eq!((Some(count), written, error.map(drop)), (Some(1), Some(1), None));
}
