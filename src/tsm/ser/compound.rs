//! Writing a value that has parts: one type for all of serde's compound traits.

use core::ops::ControlFlow;

use serde_core::ser::{self, Serialize};

use super::encoder::{Cursor, Encoder};
use super::output::Output;
use super::window;
use crate::error::{Fault, Segment};
use crate::limits::Reach;
use crate::scalar::{self, Scalar};
use crate::tsm::{Error, ErrorKind, Result};

/// Memory for so many bytes of items is taken at once; who announces more and gives fewer takes no
/// more than this.
const MOST_EXPECTED: usize = 1 << 28;

/// After so many items of one size, the others are taken to have it too.
const ENOUGH: usize = 32;

/// Memory for fewer bytes than these is not worth a question.
const SMALL: usize = 4096;

/// A value whose parts are being written, one behind the other.
#[derive(Debug)]
pub(super) struct Compound<'a, O> {
    encoder: &'a mut Encoder<O>,
    /// Where the next part begins.
    at: usize,
    reach: Reach,
    announced: usize,
    given: usize,
    /// Where the entry at hand began, of a map.
    entry: usize,
    /// Whether a part was refused, so that an unknown piece of it is written.
    failed: bool,
}

impl<'a, O: Output> Compound<'a, O> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(cursor: Cursor<'a, O>, announced: usize) -> Result<Self> {
        let Cursor { encoder, at, reach } = cursor.enter()?;
        Ok(Compound { encoder, at, reach, announced, given: 0, entry: 0, failed: false })
    }

    /// Where the next part begins.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn cursor(&mut self) -> Cursor<'_, O> {
        let Compound { ref mut encoder, at, reach, .. } = *self;
        Cursor { encoder, at, reach }
    }

    /// Writes the next part.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put<T: ?Sized + Serialize>(
        &mut self,
        value: &T,
        segment: impl FnOnce(usize) -> Segment,
    ) -> Result<()> {
        match self.cursor().put_part(value) {
            Ok(end) => {
                self.at = end;
                self.given += 1;
                Ok(())
            }
            Err(error) => Err(self.fail(error, segment)),
        }
    }

    #[cold]
    #[inline(never)]
    fn fail(&mut self, error: Error, segment: impl FnOnce(usize) -> Segment) -> Error {
        self.failed = true;
        error.inside(segment(self.given))
    }

    /// Writes the next item of a sequence, which has to show that it is there.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_item<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let start = self.at;
        self.put(value, Segment::Index)?;
        self.unless_empty(start)
    }

    /// Writes all items of a sequence.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn put_all<I: Iterator<Item: Serialize>>(&mut self, mut items: I) -> Result<()> {
        let Some(first) = items.next() else { return Ok(()) };
        let start = self.at;
        self.put_item(&first)?;
        let size = self.at.wrapping_sub(start);
        let Some(unlike) = self.put_alike(&first, &mut items, size)? else { return Ok(()) };
        self.put_item(&unlike)?;
        items.try_for_each(|item| self.put_item(&item))
    }

    /// Writes items as fast as their type allows: the compiler knows for most types which way that
    /// is. Gives back the first one that is unlike `first`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_alike<T, I>(&mut self, first: &T, items: &mut I, size: usize) -> Result<Option<T>>
    where
        T: Serialize,
        I: Iterator<Item = T>,
    {
        if first.serialize(Scalar::<1>).is_ok() {
            return Ok(self.put_scalars::<1, T, I>(items));
        }
        if first.serialize(Scalar::<2>).is_ok() {
            return Ok(self.put_scalars::<2, T, I>(items));
        }
        if first.serialize(Scalar::<4>).is_ok() {
            return Ok(self.put_scalars::<4, T, I>(items));
        }
        if first.serialize(Scalar::<8>).is_ok() {
            return Ok(self.put_scalars::<8, T, I>(items));
        }
        self.put_windows(items, size)
    }

    /// Writes scalars of `N` bytes, and gives back the first item that is none.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_scalars<const N: usize, T, I>(&mut self, items: &mut I) -> Option<T>
    where
        T: Serialize,
        I: Iterator<Item = T>,
    {
        self.expect(items, N);
        loop {
            let Some(room) = self.encoder.out.room(self.at, N) else { return items.next() };
            let (filled, next) = scalar::fill::<N, T, I>(room, items);
            self.at += filled * N;
            self.given += filled;
            if let ControlFlow::Break(rest) = next {
                return rest;
            }
        }
    }

    /// Writes items that fit a window, and gives back the first one that does not.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_windows<T, I>(&mut self, items: &mut I, size: usize) -> Result<Option<T>>
    where
        T: Serialize,
        I: Iterator<Item = T>,
    {
        if !window::fits(self.reach) {
            return Ok(items.next());
        }
        let (mut alike, mut left) = (true, ENOUGH);
        while let Some(item) = items.next() {
            let written = self.encoder.out.put_window(self.at, |room| window::write(room, &item));
            let end = match written.map_err(|error| self.fail(error, Segment::Index))? {
                Some(end) if end != self.at => end,
                _ => return Ok(Some(item)),
            };
            alike &= end.wrapping_sub(self.at) == size;
            (self.at, self.given) = (end, self.given + 1);
            left = left.wrapping_sub(1);
            if left == 0 && alike {
                self.expect(items, size);
            }
        }
        Ok(None)
    }

    /// Takes memory for the items that are left, of `size` bytes each.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn expect<I: Iterator>(&mut self, items: &I, size: usize) {
        let expected = items.size_hint().0.saturating_mul(size);
        if expected > SMALL {
            self.encoder.out.expect(self.at, expected.min(MOST_EXPECTED));
        }
    }

    /// Counts the item or entry that began at `start`, if it took no bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn unless_empty(&mut self, start: usize) -> Result<()> {
        if self.at != start {
            return Ok(());
        }
        self.encoder.spend_empty_item().map_err(|error| self.fail_last(error))
    }

    #[cold]
    #[inline(never)]
    fn fail_last(&mut self, error: Error) -> Error {
        self.failed = true;
        error.inside(Segment::Index(self.given.saturating_sub(1)))
    }

    /// Writes the key or value of an entry.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_half<T: ?Sized + Serialize>(&mut self, half: &T, field: &'static str) -> Result<()> {
        match self.cursor().put_part(half) {
            Ok(end) => {
                self.at = end;
                Ok(())
            }
            Err(error) => {
                let error = error.inside(Segment::Field(field.into()));
                Err(self.fail(error, Segment::Index))
            }
        }
    }

    /// Refuses a field that is left out.
    #[cold]
    fn skip(&mut self, name: &'static str) -> Result<()> {
        let error = Error::placeless(ErrorKind::SkippedField { name });
        Err(self.fail(error, |_| Segment::Field(name.into())))
    }

    /// Completes the value, and tells the place behind it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn finish(self) -> Result<usize> {
        let Compound { at, announced, given, failed, .. } = self;
        if failed {
            return Err(Error::placeless(Fault::Abandoned));
        }
        if given != announced {
            return Err(wrong_length(announced, given));
        }
        Ok(at)
    }
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

/// The traits whose parts have numbers.
macro_rules! serialize_items {
    ($($trait:ident $method:ident $segment:ident,)*) => {$(
        impl<O: Output> ser::$trait for Compound<'_, O> {
            type Ok = usize;
            type Error = Error;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
                self.put(value, Segment::$segment)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn end(self) -> Result<usize> {
                self.finish()
            }
        }
    )*};
}

serialize_items! {
    SerializeTuple serialize_element Index,
    SerializeTupleStruct serialize_field Slot,
    SerializeTupleVariant serialize_field Slot,
}

/// The traits whose parts have names.
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
                self.put(value, |_| Segment::Field(key.into()))
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
        self.entry = self.at;
        self.put_half(key, "key")
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        self.put_half(value, "value")?;
        self.given += 1;
        self.unless_empty(self.entry)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(self) -> Result<usize> {
        self.finish()
    }
}
