//! Writing a value that has parts: one type for all of serde's compound traits.

use serde_core::ser::{self, Serialize};

use super::encoder::Encoder;
use super::output::Output;
use super::scalar::{Bytes, Scalar};
use super::window::Window;
use crate::error::{Fault, Segment};
use crate::tsm::{Error, ErrorKind, Result};

/// A value whose parts are being written, one behind the other.
#[derive(Debug)]
pub struct Compound<'a, O> {
    encoder: &'a mut Encoder<O>,
    announced: usize,
    given: usize,
    /// Where the entry at hand began, of a map.
    entry: u64,
    /// Whether a part was refused, so that an unknown piece of it is written.
    failed: bool,
    /// Whether all items so far were for a [`Window`].
    windowed: bool,
}

impl<'a, O: Output> Compound<'a, O> {
    #[inline]
    pub(super) fn new(encoder: &'a mut Encoder<O>, announced: usize) -> Result<Self> {
        encoder.depth.enter()?;
        Ok(Compound { encoder, announced, given: 0, entry: 0, failed: false, windowed: true })
    }

    /// Writes the next part.
    #[inline]
    fn put<T: ?Sized + Serialize>(
        &mut self,
        value: &T,
        segment: impl FnOnce(usize) -> Segment,
    ) -> Result<()> {
        match value.serialize(&mut *self.encoder) {
            Ok(()) => {
                self.given += 1;
                Ok(())
            }
            Err(error) => Err(self.fail(error, segment)),
        }
    }

    #[cold]
    fn fail(&mut self, error: Error, segment: impl FnOnce(usize) -> Segment) -> Error {
        self.failed = true;
        error.inside(segment(self.given))
    }

    /// Writes the next item of a sequence, which has to show that it is there.
    #[inline]
    fn put_item<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        if self.windowed && !core::mem::needs_drop::<T>() {
            self.windowed = Window::write(&mut self.encoder.out, &self.encoder.depth, value)?;
            if self.windowed && !core::mem::needs_drop::<T>() {
                self.given += 1;
                return Ok(());
            }
        }
        let start = self.encoder.out.position();
        self.put(value, Segment::Index)?;
        self.unless_empty(start)
    }

    /// Writes all items of a sequence.
    #[inline]
    pub(super) fn put_all<I: Iterator<Item: Serialize>>(&mut self, mut items: I) -> Result<()> {
        while let Some(item) = items.next() {
            // The compiler knows this answer for most types.
            let number = item.serialize(Scalar);
            self.windowed &= number.is_err();
            self.put_item(&item)?;
            if matches!(number, Ok(Bytes::One(_))) {
                return self.put_bytes(items);
            }
        }
        Ok(())
    }

    /// Writes items that seem to be single bytes: all at once, as far as they are.
    #[inline]
    fn put_bytes<I: Iterator<Item: Serialize>>(&mut self, mut items: I) -> Result<()> {
        let Some(mut bytes) = self.encoder.out.lend() else {
            return items.try_for_each(|item| self.put_item(&item));
        };
        let (mut end, mut behind) = (bytes.len(), None);
        bytes.extend(items.map(|item| match (item.serialize(Scalar), &behind) {
            (Ok(Bytes::One(byte)), None) => {
                end += 1;
                self.given += 1;
                byte
            }
            // Whatever type that is: the encoder writes it, and the filler is cut off.
            (_, None | Some(Ok(()))) => {
                behind = Some(self.put_item(&item));
                0
            }
            (_, Some(Err(_))) => 0,
        }));
        bytes.truncate(end);
        self.encoder.out.give_back(bytes);
        behind.unwrap_or(Ok(()))
    }

    /// Counts the item or entry that began at `start`, if it took no bytes.
    #[inline]
    fn unless_empty(&mut self, start: u64) -> Result<()> {
        if self.encoder.out.position() != start {
            return Ok(());
        }
        self.encoder.spend_empty_item().map_err(|error| self.fail_last(error))
    }

    #[cold]
    fn fail_last(&mut self, error: Error) -> Error {
        self.failed = true;
        error.inside(Segment::Index(self.given.saturating_sub(1)))
    }

    /// Writes the key or value of an entry.
    #[inline]
    fn put_half<T: ?Sized + Serialize>(&mut self, half: &T, field: &'static str) -> Result<()> {
        match half.serialize(&mut *self.encoder) {
            Ok(()) => Ok(()),
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

    /// Completes the value.
    #[inline]
    fn finish(self) -> Result<()> {
        let Compound { encoder, announced, given, failed, .. } = self;
        if failed {
            return Err(Error::placeless(Fault::Abandoned));
        }
        if given != announced {
            return Err(Error::placeless(ErrorKind::Length { announced, given }));
        }
        encoder.depth.leave();
        Ok(())
    }
}

impl<O: Output> ser::SerializeSeq for Compound<'_, O> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        self.put_item(value)
    }

    #[inline]
    fn end(self) -> Result<()> {
        self.finish()
    }
}

/// The traits whose parts have numbers.
macro_rules! serialize_items {
    ($($trait:ident $method:ident $segment:ident,)*) => {$(
        impl<O: Output> ser::$trait for Compound<'_, O> {
            type Ok = ();
            type Error = Error;

            #[inline]
            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
                self.put(value, Segment::$segment)
            }

            #[inline]
            fn end(self) -> Result<()> {
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
            type Ok = ();
            type Error = Error;

            #[inline]
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

            #[inline]
            fn end(self) -> Result<()> {
                self.finish()
            }
        }
    )*};
}

serialize_fields! { SerializeStruct SerializeStructVariant }

impl<O: Output> ser::SerializeMap for Compound<'_, O> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<()> {
        self.entry = self.encoder.out.position();
        self.put_half(key, "key")
    }

    #[inline]
    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        self.put_half(value, "value")?;
        self.given += 1;
        self.unless_empty(self.entry)
    }

    #[inline]
    fn end(self) -> Result<()> {
        self.finish()
    }
}
