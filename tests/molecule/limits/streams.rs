//! Streams that misbehave: without end, in bits, with interruptions, failing.

use crate::round_trip::assert_reason;
use crate::support::alloc::measure_value;
use crate::support::format::Molecule;
use crate::support::streams::{assert_failing_streams, assert_slow_streams};
use crate::support::zoo::Record;
use fourfold::Category;
use fourfold::molecule::{Options, to_vec, to_writer};
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use std::io::{self, Read};

/// Returns bytes without end, and counts them.
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
    assert_slow_streams::<Molecule, _>(&values);
}

#[test]
fn failing_streams() {
    assert_failing_streams::<Molecule>(&[0, 1, 4, 100], assert_reason);
    // What cannot be written is not begun.
    let mut written = Vec::new();
    assert!(to_writer(&mut written, &(1_u8, Some(None::<u8>))).is_err());
    assert!(written.is_empty(), "{written:?} of a refused value");
}
