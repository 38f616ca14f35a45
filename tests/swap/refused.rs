//! After an error, nothing more is written of a value.

use std::cell::Cell;
use std::io::{self, Write};

use serde::ser::{Error as _, Serialize, Serializer};

use crate::support::format::{Format, Options as _, for_formats};

for_formats! {{
    nothing_of_a_short_value_that_fails_is_written
    nothing_is_written_after_an_error
    a_sequence_of_unknown_length_that_fails_is_not_written
}}

thread_local! {
    static HAS_FAILED: Cell<bool> = const { Cell::new(false) };
}

/// A value whose `Serialize` returns an error.
struct Refused;

impl Serialize for Refused {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        HAS_FAILED.set(true);
        Err(S::Error::custom("not this one"))
    }
}

/// Counts the bytes that it gets before and after a value has failed.
#[derive(Default)]
struct Sink {
    before: usize,
    after: usize,
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match HAS_FAILED.get() {
            false => self.before += bytes.len(),
            true => self.after += bytes.len(),
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The number of bytes that a writer gets before and after a value fails.
fn written<F: Format, T: Serialize>(value: &T) -> (usize, usize) {
    HAS_FAILED.set(false);
    let mut sink = Sink::default();
    assert!(F::to_writer(&mut sink, value).is_err());
    assert!(HAS_FAILED.replace(false));
    assert!(F::options().to_writer(Sink::default(), value).is_err());
    (sink.before, sink.after)
}

fn nothing_of_a_short_value_that_fails_is_written<F: Format>() {
    assert_eq!(written::<F, _>(&(7_u8, "text", Refused)), (0, 0));
}

fn nothing_is_written_after_an_error<F: Format>() {
    let (before, after) = written::<F, _>(&("long ".repeat(1 << 16), "short", Refused));
    assert_eq!(after, 0);
    // Whether messages are built in memory.
    assert_eq!(before == 0, matches!(F::NAME, "biniou" | "molecule"), "{before}");
}

fn a_sequence_of_unknown_length_that_fails_is_not_written<F: Format>() {
    /// Items of unknown number.
    struct Uncounted;

    impl Serialize for Uncounted {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_seq((0..9).filter(|_| true).map(Refusing))
        }
    }

    /// A number; the last one is refused.
    struct Refusing(i32);

    impl Serialize for Refusing {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            match self.0 {
                8 => Refused.serialize(serializer),
                index => serializer.serialize_i32(index),
            }
        }
    }

    assert_eq!(written::<F, _>(&(1_u8, Uncounted)), (0, 0));
}
