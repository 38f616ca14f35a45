//! Streams: without end, in bits, with interruptions, failing.

use crate::models;
use crate::round_trip::{Hex, assert_reason};
use crate::support::alloc::measure_value;
use crate::support::format::Primitiv;
use crate::support::random;
use crate::support::streams::{Failing, Slow, assert_failing_streams, assert_slow_streams};
use crate::support::zoo::{Key, Nest, Record};
use fourfold::Category;
use fourfold::primitiv::{Options, to_vec, to_writer};
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use std::io::{self, Read};

/// Returns the same bytes again and again, and counts them.
struct Endless<'a> {
    bytes: &'a [u8],
    given: u64,
}

impl Read for Endless<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let start = usize::try_from(self.given % self.bytes.len() as u64).unwrap();
        let endless = self.bytes[start..].iter().chain(self.bytes.iter().cycle());
        for (to, from) in buffer.iter_mut().zip(endless) {
            *to = *from;
        }
        self.given += buffer.len() as u64;
        Ok(buffer.len())
    }
}

#[test]
fn a_reader_without_end() {
    const LIMIT: u64 = 1 << 20;
    fn stops<T: DeserializeOwned + Debug>(bytes: &[u8]) {
        for trailing in [false, true] {
            let mut endless = Endless { bytes, given: 0 };
            let options = Options::new().max_input(LIMIT).allow_trailing(trailing);
            let (read, stats) = measure_value(|| options.from_reader::<_, T>(&mut endless));
            let error = read.unwrap_err();
            assert_eq!(error.category(), Category::Limit, "{error}");
            assert!(endless.given <= 2 * LIMIT, "{} bytes read", endless.given);
            assert!(stats.peak <= 4 << 20, "{stats:?}");
        }
    }
    stops::<Vec<u8>>(&[0]);
    stops::<Vec<u8>>(&[0xdd, 0xff, 0xff, 0xff, 0xff]);
    stops::<String>(&[0xdb, 0xff, 0xff, 0xff, 0xff]);
    stops::<Option<u8>>(&[0xd4, 0, 1]);
    stops::<()>(&[0xc0]);
    stops::<Nest>(&[0x91]);
    stops::<Record>(&[0xce, 0, 0, 0, 0]);
    stops::<u32>(&[0xce, 0, 0, 0, 1]);
}

#[test]
fn the_limit_of_input_is_exact() {
    let bytes = to_vec("x".repeat(100).as_str()).unwrap();
    assert_eq!(bytes.len(), 102);
    let read = |limit| {
        let options = Options::new().max_input(limit);
        options.from_reader::<_, String>(bytes.as_slice())
    };
    assert_eq!(read(102).unwrap().len(), 100);
    assert_eq!(read(u64::MAX).unwrap().len(), 100);
    assert_eq!(read(101).unwrap_err().category(), Category::Limit);
    assert_eq!(read(0).unwrap_err().category(), Category::Limit);
}

const STEPS: [usize; 7] = [1, 2, 3, 7, 64, 4096, usize::MAX];

#[test]
fn slow_and_interrupted_streams() {
    let values: Vec<Key> = (0..500).map(|id| Key { id, name: id.to_string() }).collect();
    let error = assert_slow_streams::<Primitiv, _>(&values);
    assert!(error.is_eof(), "{error}");
}

#[test]
fn documents_to_slow_streams() {
    random::check("slow", 40, models::any, |_, tree| {
        let file = models::build_file(&tree);
        let bytes = file.to_vec().unwrap();
        for step in STEPS {
            let mut written = Slow::new(Vec::new(), step);
            file.to_writer(&mut written).unwrap();
            to_writer(&mut written, &file).unwrap();
            assert_eq!(Hex(&written.stream), Hex(&bytes.repeat(2)), "{step} bytes at a time");
        }
    });
}

#[test]
fn failing_streams() {
    assert_failing_streams::<Primitiv>(&[0, 1, 4, 100], assert_reason);
    random::check("failing", 40, models::any, |_, tree| {
        let file = models::build_file(&tree);
        let len = file.to_vec().unwrap().len();
        for left in [0, 1, 14, 15, len - 1] {
            for full in [false, true] {
                let error = file.to_writer(Failing { left, full }).unwrap_err();
                assert_eq!(error.category(), Category::Io, "{error}");
                let error = to_writer(Failing { left, full }, &file).unwrap_err();
                assert_eq!(error.category(), Category::Io, "{error}");
            }
        }
        file.to_writer(Failing { left: len, full: false }).unwrap();
    });
}
