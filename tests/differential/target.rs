//! Types for calls without a seed: each reads the schema that was set as the next.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use serde::de::{Deserialize, DeserializeOwned, DeserializeSeed, Deserializer};

use crate::read::read;
use crate::schema::{Schema, Type};

thread_local! {
    /// What the next value without a seed is of.
    static NEXT: RefCell<Option<Type>> = const { RefCell::new(None) };
    /// The result of the last value without bytes.
    static LAST: Cell<u64> = const { Cell::new(0) };
}

/// A value of the schema that was set as the next. It stores only a digest.
pub(crate) trait Target: DeserializeOwned {
    fn digest(self) -> u64;
}

/// Sets the schema of the next value without a seed.
pub(crate) fn next_is(schema: &Type) {
    NEXT.set(Some(Rc::clone(schema)));
}

/// Readers may read a value twice, so its schema is set again after its nested values were read.
fn read_next<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let schema = NEXT.with_borrow(|next| Rc::clone(next.as_ref().unwrap()));
    let digest = read(&schema, deserializer);
    next_is(&schema);
    digest
}

/// A `Copy` value of that many words.
#[derive(Clone, Copy)]
pub(crate) struct Copied<const WORDS: usize>([u64; WORDS]);

impl<'de, const WORDS: usize> Deserialize<'de> for Copied<WORDS> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_next(deserializer).map(|digest| Copied([digest; WORDS]))
    }
}

impl<const WORDS: usize> Target for Copied<WORDS> {
    fn digest(self) -> u64 {
        assert!(self.0.iter().all(|word| *word == self.0[0]), "copied by half: {:x?}", self.0);
        self.0[0]
    }
}

/// A value that needs a drop.
pub(crate) struct Dropping(Box<u64>);

impl<'de> Deserialize<'de> for Dropping {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_next(deserializer).map(|digest| Dropping(Box::new(digest)))
    }
}

impl Target for Dropping {
    fn digest(self) -> u64 {
        *self.0
    }
}

/// A value without bytes. The digest is that of the last one.
#[derive(Clone, Copy)]
pub(crate) struct Empty;

impl<'de> Deserialize<'de> for Empty {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        LAST.set(read_next(deserializer)?);
        Ok(Empty)
    }
}

impl Target for Empty {
    fn digest(self) -> u64 {
        LAST.get()
    }
}

/// A value of this schema.
#[derive(Clone, Copy)]
pub(crate) struct Seed<'s>(pub(crate) &'s Schema);

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = u64;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<u64, D::Error> {
        read(self.0, deserializer)
    }
}

/// The same without bytes.
#[derive(Clone, Copy)]
pub(crate) struct EmptySeed<'s>(pub(crate) &'s Schema);

impl<'de> DeserializeSeed<'de> for EmptySeed<'_> {
    type Value = Empty;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Empty, D::Error> {
        LAST.set(read(self.0, deserializer)?);
        Ok(Empty)
    }
}
