//! One format or crate on one data set, as something that can be timed.

use std::hint::black_box;
use std::rc::Rc;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::Outcome;
use crate::allocator::peak;
use crate::data::Data;

/// Which rows count for ratios to the best.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A format of this library.
    Ours,
    /// Another row-oriented crate with serde.
    Serde,
    /// A crate with its own derives or code, or one that splits values into columns.
    Other,
    /// Not a format: a lower bound.
    LowerBound,
}

/// Reads a borrowed value, and writes it as JSON if the caller wants to compare it.
pub(crate) type Borrow = fn(&[u8], Option<&mut String>) -> Outcome<()>;

/// A format with a type. `V` is the set's type, or a copy with attributes that would slow down other crates.
pub(crate) struct Format<V> {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) values: Rc<Vec<V>>,
    pub(crate) write: fn(&V) -> Outcome<Vec<u8>>,
    pub(crate) read: fn(&[u8]) -> Outcome<V>,
    pub(crate) borrow: Option<Borrow>,
}

/// Something that can be timed.
pub(crate) trait Run {
    fn name(&self) -> &'static str;
    fn kind(&self) -> Kind;
    fn has(&self, column: Column) -> bool;

    /// Seconds for all messages of the set, repeated for at least `least`, with the results dropped.
    fn turn(&self, column: Column, least: Duration) -> Outcome<f64>;

    /// The number of messages.
    fn count(&self) -> usize;
    /// The number of bytes of all messages.
    fn size(&self) -> usize;

    /// Peak memory of writing a message, relative to its bytes, and of reading it, relative to its value.
    fn memory(&self) -> Outcome<Option<(f64, f64)>>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    Write,
    Read,
    Borrow,
    /// Copies the bytes into a new `Vec`.
    Copy,
}

/// A format with its messages.
struct Ready<V> {
    format: Format<V>,
    messages: Vec<Vec<u8>>,
}

/// Writes all messages, and checks that they are read back.
///
/// # Errors
///
/// If the format refuses a value, or reads back another one.
pub(crate) fn ready<V: Data>(format: Format<V>) -> Outcome<Box<dyn Run>> {
    let mut messages = Vec::new();
    for value in format.values.iter() {
        let bytes = (format.write)(value)?;
        if (format.read)(&bytes)? != *value {
            return Err("the value read differs from the value written".into());
        }
        if let Some(borrow) = format.borrow {
            let mut shown = String::new();
            borrow(&bytes, Some(&mut shown))?;
            // Readers without a serde value show nothing.
            if !shown.is_empty() && shown != serde_json::to_string(value)? {
                return Err("the borrowed value differs".into());
            }
        }
        messages.push(bytes);
    }
    Ok(Box::new(Ready { format, messages }))
}

impl<V: Data> Run for Ready<V> {
    fn name(&self) -> &'static str {
        self.format.name
    }

    fn kind(&self) -> Kind {
        self.format.kind
    }

    fn has(&self, column: Column) -> bool {
        column != Column::Borrow || self.format.borrow.is_some()
    }

    fn turn(&self, column: Column, least: Duration) -> Outcome<f64> {
        let Ready { format, messages } = self;
        Ok(time(least, || match column {
            Column::Write => {
                format.values.iter().for_each(|value| keep((format.write)(black_box(value))));
            }
            Column::Read => messages.iter().for_each(|bytes| keep((format.read)(black_box(bytes)))),
            Column::Borrow => {
                if let Some(borrow) = format.borrow {
                    messages.iter().for_each(|bytes| keep(borrow(black_box(bytes), None)));
                }
            }
            Column::Copy => messages.iter().for_each(|bytes| keep(black_box(bytes).clone())),
        }))
    }

    fn count(&self) -> usize {
        self.messages.len()
    }

    fn size(&self) -> usize {
        self.messages.iter().map(Vec::len).sum()
    }

    fn memory(&self) -> Outcome<Option<(f64, f64)>> {
        let ([value], [bytes]) = (self.format.values.as_slice(), self.messages.as_slice()) else {
            return Ok(None);
        };
        let written = peak(|| (self.format.write)(value))?.peak;
        let read = peak(|| (self.format.read)(bytes))?.peak;
        let own = peak(|| Outcome::Ok(value.clone()))?.peak;
        Ok(Some((share(written, bytes.len())?, share(read, own)?)))
    }
}

/// Copies the set's values in memory: a lower bound for reading owned values.
pub(crate) struct Copies<V> {
    pub(crate) name: &'static str,
    pub(crate) values: Rc<Vec<V>>,
    pub(crate) copy: fn(&V) -> V,
}

impl<V: Data> Run for Copies<V> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn kind(&self) -> Kind {
        Kind::LowerBound
    }

    fn has(&self, column: Column) -> bool {
        column == Column::Read
    }

    fn turn(&self, _: Column, least: Duration) -> Outcome<f64> {
        let Copies { values, copy, .. } = self;
        Ok(time(least, || values.iter().for_each(|value| keep(copy(black_box(value))))))
    }

    fn count(&self) -> usize {
        self.values.len()
    }

    fn size(&self) -> usize {
        0
    }

    fn memory(&self) -> Outcome<Option<(f64, f64)>> {
        Ok(None)
    }
}

/// For `Format::borrow`.
pub(crate) fn show<V: Serialize>(value: &V, seen: Option<&mut String>) -> Outcome<()> {
    black_box(value);
    if let Some(seen) = seen {
        *seen = serde_json::to_string(value)?;
    }
    Ok(())
}

fn keep<V>(made: V) {
    drop(black_box(made));
}

fn share(part: usize, whole: usize) -> Outcome<f64> {
    Ok(f64::from(u32::try_from(part)?) / f64::from(u32::try_from(whole)?))
}

/// Seconds for `work` once, repeated for at least `least`.
fn time(least: Duration, work: impl Fn()) -> f64 {
    let start = Instant::now();
    let mut count = 0u32;
    loop {
        work();
        count += 1;
        let taken = start.elapsed();
        if taken >= least {
            return taken.as_secs_f64() / f64::from(count);
        }
    }
}
