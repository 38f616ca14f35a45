//! Writes compound values: one type for all of serde's compound traits.
//!
//! What is called for every value is always inlined, for the reason in [`encoder`](super::encoder).

use serde_core::ser::{self, Serialize};

use super::encoder::{Cursor, Encoder};
use super::output::Output;
use crate::error::{CommonKind, Segment};
use crate::limits::Depth;
use crate::tsm::error::EMPTY_ITEMS;
use crate::tsm::wire::{self, COUNT_SIZE};
use crate::tsm::{Error, ErrorKind, Result};

/// A compound value that is being written.
#[derive(Debug)]
pub(super) struct Compound<'a, O> {
    pub(super) encoder: &'a mut Encoder<O>,
    /// Where the next element begins.
    pub(super) at: usize,
    pub(super) depth: Depth,
    announced: usize,
    pub(super) given: usize,
    /// Where the entry began whose key is written and whose value is not, of a map.
    entry: Option<usize>,
    /// Whether an element was refused, so that an unknown part of it is written.
    pub(super) failed: bool,
    /// The position of the count, of a sequence of unknown length.
    count_at: Option<usize>,
}

impl<'a, O: Output> Compound<'a, O> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(cursor: Cursor<'a, O>, announced: usize) -> Result<Self> {
        let Cursor { encoder, at, depth } = cursor.enter()?;
        let (given, entry, failed, count_at) = (0, None, false, None);
        Ok(Compound { encoder, at, depth, announced, given, entry, failed, count_at })
    }

    /// A sequence of unknown length, whose count is inserted before it once it is complete.
    #[cold]
    pub(super) fn uncounted(cursor: Cursor<'a, O>) -> Result<Self> {
        let count_at = cursor.at;
        cursor.encoder.out.hold(count_at);
        let cursor = cursor.put_ahead([0; COUNT_SIZE])?;
        Ok(Compound { count_at: Some(count_at), ..Compound::new(cursor, 0)? })
    }

    /// Where the next element begins.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn cursor(&mut self) -> Cursor<'_, O> {
        let Compound { ref mut encoder, at, depth, .. } = *self;
        Cursor { encoder, at, depth }
    }

    /// Writes the next element.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put<T: ?Sized + Serialize>(
        &mut self,
        value: &T,
        explain: impl FnOnce(Error, usize) -> Error,
    ) -> Result<()> {
        match self.cursor().put_value(value) {
            Ok(end) => {
                self.at = end;
                self.given += 1;
                Ok(())
            }
            Err(error) => {
                self.failed = true;
                Err(explain(error, self.given))
            }
        }
    }

    /// Writes the next item of a sequence, which has to show that it is there.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn put_item<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let start = self.at;
        self.put(value, in_item)?;
        self.check_empty(start)
    }

    /// Counts the item or entry that began at `start`, if it took no bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn check_empty(&mut self, start: usize) -> Result<()> {
        if self.at != start {
            return Ok(());
        }
        let spent = self.encoder.empty_items.spend();
        self.failed |= spent.is_err();
        spent.map_err(|error| {
            in_item(error.or_hint(Some(EMPTY_ITEMS)), self.given.saturating_sub(1))
        })
    }

    /// Writes the key or value of an entry.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_half<T: ?Sized + Serialize>(&mut self, half: &T, field: &'static str) -> Result<()> {
        match self.cursor().put_value(half) {
            Ok(end) => {
                self.at = end;
                Ok(())
            }
            Err(error) => {
                self.failed = true;
                Err(error.in_entry(self.given, field))
            }
        }
    }

    /// The error for keys and values that do not come in turn.
    #[cold]
    #[inline(never)]
    fn out_of_turn(&mut self, field: &'static str) -> Error {
        self.failed = true;
        wrong_length(self.announced, self.given).in_entry(self.given, field)
    }

    /// Refuses a field that is left out.
    #[cold]
    fn skip(&mut self, name: &'static str) -> Result<()> {
        self.failed = true;
        Err(in_field(Error::placeless(ErrorKind::SkippedField { name }), name))
    }

    /// Completes the value, and returns the position after it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn finish(self) -> Result<usize> {
        let Compound { at, announced, given, failed, entry, count_at, .. } = self;
        if failed {
            return Err(Error::placeless(CommonKind::Abandoned));
        }
        if let Some(count_at) = count_at {
            return self.put_count(count_at);
        }
        if given != announced || entry.is_some() {
            return Err(wrong_length(announced, given));
        }
        Ok(at)
    }

    /// Inserts the count, which is known now, before the items.
    #[cold]
    fn put_count(self, count_at: usize) -> Result<usize> {
        let Compound { encoder, at, given, .. } = self;
        encoder.out.patch(count_at, wire::count_bytes(given)?);
        encoder.out.release(at).map(|()| at)
    }

    /// Completes a tuple. It may have more items than it announced: there is no count, and the type
    /// determines its end.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish_tuple(self) -> Result<usize> {
        let announced = self.announced.max(self.given);
        Compound { announced, ..self }.finish()
    }
}

#[cold]
#[inline(never)]
pub(super) fn in_item(error: Error, index: usize) -> Error {
    error.inside(Segment::Index(index))
}

#[cold]
#[inline(never)]
fn in_slot(error: Error, slot: usize) -> Error {
    error.inside(Segment::Slot(slot))
}

#[cold]
#[inline(never)]
fn in_field(error: Error, name: &'static str) -> Error {
    error.inside(Segment::Field(name.into()))
}

#[cold]
#[inline(never)]
fn wrong_length(announced: usize, given: usize) -> Error {
    Error::placeless(ErrorKind::Length { announced, given })
}

impl<O: Output> ser::SerializeSeq for Compound<'_, O> {
    type Ok = usize;
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        self.put_item(value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(self) -> Result<usize> {
        self.finish()
    }
}

/// The traits whose elements have numbers.
macro_rules! serialize_items {
    ($($trait:ident $method:ident $explain:ident $finish:ident,)*) => {$(
        impl<O: Output> ser::$trait for Compound<'_, O> {
            type Ok = usize;
            type Error = Error;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
                self.put(value, $explain)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn end(self) -> Result<usize> {
                self.$finish()
            }
        }
    )*};
}

serialize_items! {
    SerializeTuple serialize_element in_item finish_tuple,
    SerializeTupleStruct serialize_field in_slot finish,
    SerializeTupleVariant serialize_field in_slot finish,
}

/// The traits whose elements have names.
macro_rules! serialize_fields {
    ($($trait:ident)*) => {$(
        impl<O: Output> ser::$trait for Compound<'_, O> {
            type Ok = usize;
            type Error = Error;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn serialize_field<T: ?Sized + Serialize>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<()> {
                self.put(value, |error, _| in_field(error, key))
            }

            fn skip_field(&mut self, key: &'static str) -> Result<()> {
                self.skip(key)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn end(self) -> Result<usize> {
                self.finish()
            }
        }
    )*};
}

serialize_fields! { SerializeStruct SerializeStructVariant }

impl<O: Output> ser::SerializeMap for Compound<'_, O> {
    type Ok = usize;
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<()> {
        match self.entry.replace(self.at) {
            None => self.put_half(key, "key"),
            Some(_) => Err(self.out_of_turn("key")),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let Some(start) = self.entry.take() else { return Err(self.out_of_turn("value")) };
        self.put_half(value, "value")?;
        self.given += 1;
        self.check_empty(start)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(self) -> Result<usize> {
        self.finish()
    }
}
