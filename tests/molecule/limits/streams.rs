//! Streams that misbehave: without end, in bits, with interruptions, failing.

use crate::round_trip::assert_reason;
use crate::support::alloc::measure_value;
use crate::support::streams::{Failing, Slow};
use crate::support::zoo::Record;
use fourfold::Category;
use fourfold::molecule::{Options, from_reader, to_vec, to_writer};
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use std::io::{self, Read};

/// Gives bytes without end, and counts them.
struct Endless {
    byte: u8,
    given: u64,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        buffer.fill(self.byte);
        self.given += buffer.len() as u64;
        Ok(buffer.len())
    }
}

#[test]
fn a_reader_without_end() {
    const LIMIT: u64 = 1 << 20;
    fn stops<T: DeserializeOwned + Debug>(byte: u8) {
        let mut endless = Endless { byte, given: 0 };
        let options = Options::new().max_input(LIMIT);
        let (read, stats) = measure_value(|| options.from_reader::<_, T>(&mut endless));
        let error = read.unwrap_err();
        assert_eq!(error.category(), Category::Limit, "{error}");
        assert!(endless.given <= 2 * LIMIT, "{} bytes read", endless.given);
        assert!(stats.peak <= 4 << 20, "{stats:?}");
    }
    stops::<Vec<u8>>(0);
    stops::<Vec<u8>>(0xff);
    stops::<String>(b' ');
    stops::<Option<u8>>(1);
    stops::<()>(4);
    stops::<Record>(0);
    stops::<Vec<String>>(0xff);
}

#[test]
fn the_limit_of_input_is_exact() {
    let bytes = to_vec(&vec![1_u8; 100]).unwrap();
    let read = |limit| {
        let options = Options::new().max_input(limit);
        options.from_reader::<_, Vec<u8>>(bytes.as_slice())
    };
    assert_eq!(read(104).unwrap(), [1; 100]);
    assert_eq!(read(105).unwrap(), [1; 100]);
    assert_eq!(read(u64::MAX).unwrap(), [1; 100]);
    assert_eq!(read(103).unwrap_err().category(), Category::Limit);
    assert_eq!(read(0).unwrap_err().category(), Category::Limit);
}

#[test]
fn slow_and_interrupted_streams() {
    let values: Vec<(u32, String)> = (0..500).map(|n| (n, n.to_string())).collect();
    let bytes = to_vec(&values).unwrap();
    for step in [1, 2, 3, 7, 64, 4096, usize::MAX] {
        let read = from_reader::<_, Vec<(u32, String)>>(Slow::new(bytes.as_slice(), step));
        assert_eq!(read.unwrap(), values, "{step} bytes at a time");
        let mut written = Slow::new(Vec::new(), step);
        to_writer(&mut written, &values).unwrap();
        assert_eq!(written.stream, bytes, "{step} bytes at a time");
    }
    // The end is the end, wherever it comes.
    let cut = &bytes[..bytes.len() - 1];
    assert!(from_reader::<_, Vec<(u32, String)>>(Slow::new(cut, 5)).is_err());
}

#[test]
fn failing_streams() {
    let value = vec![String::from("text"); 100];
    for left in [0, 1, 4, 100] {
        for full in [false, true] {
            let error = to_writer(Failing { left, full }, &value).unwrap_err();
            assert_eq!(error.category(), Category::Io, "{error}");
            assert!(!error.is_eof(), "{error}");
            assert_reason(&error, &left);
        }
        let reader = Failing { left, full: false };
        let error = from_reader::<_, Vec<String>>(reader).unwrap_err();
        assert_eq!(error.category(), Category::Io, "{error}");
        assert!(error.to_string().contains("the line is cut"), "{error}");
        let other: io::Error = error.into();
        assert!(other.to_string().contains("the line is cut"), "{other}");
    }
    // What cannot be written is not begun.
    let mut written = Vec::new();
    assert!(to_writer(&mut written, &(1_u8, Some(None::<u8>))).is_err());
    assert!(written.is_empty(), "{written:?} of a refused value");
}
