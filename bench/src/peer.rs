//! One format on one set of data: what can be timed, whatever the types behind it.

use std::hint::black_box;
use std::rc::Rc;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::Outcome;
use crate::allocator::peak;
use crate::data::Data;

/// What a ratio to "the best" looks at, and what not.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A format of this library.
    Ours,
    /// Another that goes through serde and lays values out one after another.
    Serde,
    /// One with derives or code of its own, or that splits values into columns.
    Apart,
    /// No format at all: what cannot be beaten.
    Floor,
}

/// Reads what stays in the input. Shows it as JSON to whoever wants to compare.
pub(crate) type Borrow = fn(&[u8], Option<&mut String>) -> Outcome<()>;

/// A format with a type. `V` is the set's own, unless the format needs marks that cost others time.
pub(crate) struct Peer<V> {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) values: Rc<Vec<V>>,
    pub(crate) write: fn(&V) -> Outcome<Vec<u8>>,
    pub(crate) read: fn(&[u8]) -> Outcome<V>,
    pub(crate) borrow: Option<Borrow>,
}

/// What is timed.
pub(crate) trait Run {
    fn name(&self) -> &'static str;
    fn kind(&self) -> Kind;
    fn has(&self, column: Column) -> bool;

    /// Seconds for every document of the set once. Drops what it makes, and goes on for `least`.
    fn turn(&self, column: Column, least: Duration) -> Outcome<f64>;

    /// How many documents there are, and how many bytes they take together.
    fn count(&self) -> usize;
    fn size(&self) -> usize;

    /// The most memory that a document takes while it is written, to its bytes; and the most that
    /// it takes while it is read, to what the value itself takes.
    fn memory(&self) -> Outcome<Option<(f64, f64)>>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    Write,
    Read,
    Borrow,
    /// Bytes into a new `Vec`.
    Copy,
}

/// A peer whose documents are written, and compared once.
struct Ready<V> {
    peer: Peer<V>,
    documents: Vec<Vec<u8>>,
}

/// Writes all documents.
///
/// # Errors
///
/// If the format refuses the values, or does not bring them back.
pub(crate) fn ready<V: Data>(peer: Peer<V>) -> Outcome<Box<dyn Run>> {
    let mut documents = Vec::new();
    for value in peer.values.iter() {
        let bytes = (peer.write)(value)?;
        if (peer.read)(&bytes)? != *value {
            return Err("the value does not come back".into());
        }
        if let Some(borrow) = peer.borrow {
            let mut shown = String::new();
            borrow(&bytes, Some(&mut shown))?;
            // Who reads in place shows nothing.
            if !shown.is_empty() && shown != serde_json::to_string(value)? {
                return Err("the borrowed value is another".into());
            }
        }
        documents.push(bytes);
    }
    Ok(Box::new(Ready { peer, documents }))
}

impl<V: Data> Run for Ready<V> {
    fn name(&self) -> &'static str {
        self.peer.name
    }

    fn kind(&self) -> Kind {
        self.peer.kind
    }

    fn has(&self, column: Column) -> bool {
        column != Column::Borrow || self.peer.borrow.is_some()
    }

    fn turn(&self, column: Column, least: Duration) -> Outcome<f64> {
        let Ready { peer, documents } = self;
        Ok(time(least, || match column {
            Column::Write => {
                peer.values.iter().for_each(|value| keep((peer.write)(black_box(value))));
            }
            Column::Read => documents.iter().for_each(|bytes| keep((peer.read)(black_box(bytes)))),
            Column::Borrow => {
                if let Some(borrow) = peer.borrow {
                    documents.iter().for_each(|bytes| keep(borrow(black_box(bytes), None)));
                }
            }
            Column::Copy => documents.iter().for_each(|bytes| keep(black_box(bytes).clone())),
        }))
    }

    fn count(&self) -> usize {
        self.documents.len()
    }

    fn size(&self) -> usize {
        self.documents.iter().map(Vec::len).sum()
    }

    fn memory(&self) -> Outcome<Option<(f64, f64)>> {
        let ([value], [bytes]) = (self.peer.values.as_slice(), self.documents.as_slice()) else {
            return Ok(None);
        };
        let written = peak(|| (self.peer.write)(value))?.peak;
        let read = peak(|| (self.peer.read)(bytes))?.peak;
        let own = peak(|| Outcome::Ok(value.clone()))?.peak;
        Ok(Some((share(written, bytes.len())?, share(read, own)?)))
    }
}

/// The set's values copied from memory: reading owned values cannot be much faster.
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
        Kind::Floor
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

/// For a peer's `borrow`.
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

/// Seconds for `work` once, done as often as `least` asks.
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
