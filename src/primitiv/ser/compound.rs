//! Writes compound values: one type for all of serde's compound traits.

use serde_core::ser::{self, Serialize};

use super::encoder::Encoder;
use super::output::Sink;
use crate::error::{CommonKind, Segment};
use crate::primitiv::{Error, ErrorKind, Result};

/// A compound value that is being written.
#[derive(Debug)]
pub struct Compound<'a, W> {
    pub(super) encoder: &'a mut Encoder<W>,
    /// Elements so far.
    count: usize,
    /// The announced number of elements; for unknown lengths, where the items begin.
    announced: usize,
    kind: Kind,
    /// Whether a map's key is written and its value is not.
    in_entry: bool,
    /// Whether a value without elements is written as nil: tuples and structs, which would take no bytes
    /// otherwise.
    nil_if_empty: bool,
}

/// How many elements a value may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// As many as were announced.
    Exact,
    /// As many or more.
    Open,
    /// Any number: structs, whose type fixes it.
    Any,
    /// Any number, which is inserted before them at the end.
    Uncounted,
}

impl<'a, W: Sink> Compound<'a, W> {
    #[inline]
    fn new(encoder: &'a mut Encoder<W>, kind: Kind, announced: usize) -> Result<Self> {
        encoder.depth.enter()?;
        encoder.tagged = None;
        let (count, in_entry, nil_if_empty) = (0, false, false);
        Ok(Compound { encoder, count, announced, kind, in_entry, nil_if_empty })
    }

    /// A sequence whose header is inserted at the end.
    pub(super) fn uncounted(encoder: &'a mut Encoder<W>, start: usize) -> Result<Self> {
        Self::new(encoder, Kind::Uncounted, start)
    }

    /// A sequence or map, whose header is written.
    #[inline]
    pub(super) fn items(encoder: &'a mut Encoder<W>, len: usize) -> Result<Self> {
        Self::new(encoder, Kind::Exact, len)
    }

    /// A tuple or array: only its items. It may have more items than it announced, since there is no
    /// count and the type determines its end.
    #[inline]
    pub(super) fn tuple(encoder: &'a mut Encoder<W>, len: usize) -> Result<Self> {
        Ok(Compound { nil_if_empty: true, ..Self::new(encoder, Kind::Open, len)? })
    }

    /// The same with exactly as many elements as were announced.
    #[inline]
    pub(super) fn exact(self) -> Self {
        Compound { kind: Kind::Exact, ..self }
    }

    /// A struct: only its fields.
    #[inline]
    pub(super) fn fields(encoder: &'a mut Encoder<W>) -> Result<Self> {
        Ok(Compound { nil_if_empty: true, ..Self::new(encoder, Kind::Any, 0)? })
    }

    /// The content of a variant. Its index is written, so it needs no nil if it is empty.
    #[inline]
    pub(super) fn of_variant(self) -> Self {
        Compound { nil_if_empty: false, ..self }
    }

    /// Writes the next element.
    #[inline]
    fn put<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let result = match self.check_count() {
            Ok(()) => value.serialize(&mut *self.encoder),
            refused => refused,
        };
        // Recorded, since a type may ignore the error and the bytes are no value any more.
        self.encoder.failed |= result.is_err();
        self.count += 1;
        result
    }

    /// Refuses elements beyond the announced number.
    #[inline]
    fn check_count(&self) -> Result<()> {
        match self.kind == Kind::Exact && self.count >= self.announced {
            true => Err(length(self.announced, self.count.saturating_add(1))),
            false => Ok(()),
        }
    }

    /// Completes the value.
    #[inline]
    fn finish(self) -> Result<()> {
        let is_complete = match self.kind {
            Kind::Any => {
                self.encoder.tagged = None;
                true
            }
            Kind::Exact => self.count == self.announced && !self.in_entry,
            Kind::Open => self.count >= self.announced,
            Kind::Uncounted => false,
        };
        let stands_for_itself = self.count > 0 || !self.nil_if_empty;
        if !is_complete || !stands_for_itself || self.encoder.failed {
            return self.finish_unusual(is_complete);
        }
        self.encoder.depth.leave();
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn finish_unusual(self, is_complete: bool) -> Result<()> {
        let Compound { encoder, count, announced, kind, in_entry, nil_if_empty } = self;
        if encoder.failed {
            return Err(Error::placeless(CommonKind::Abandoned));
        }
        let given = if in_entry { count.saturating_sub(1) } else { count };
        match kind {
            Kind::Uncounted => encoder.put_count(announced, count)?,
            _ if !is_complete => return Err(length(announced, given)),
            _ if nil_if_empty && count == 0 => encoder.put_nil("a value without elements")?,
            _ => {}
        }
        encoder.depth.leave();
        Ok(())
    }
}

/// The error for another number of elements than was announced.
#[cold]
fn length(announced: usize, given: usize) -> Error {
    Error::placeless(ErrorKind::Length { announced, given })
}

/// The traits whose elements have no names.
macro_rules! serialize_items {
    ($($trait:ident $method:ident $segment:ident,)*) => {$(
        impl<W: Sink> ser::$trait for Compound<'_, W> {
            type Ok = ();
            type Error = Error;

            #[inline]
            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
                let index = self.count;
                match self.put(value) {
                    Ok(()) => Ok(()),
                    Err(error) => Err(error.inside(Segment::$segment(index))),
                }
            }

            #[inline]
            fn end(self) -> Result<()> {
                self.finish()
            }
        }
    )*};
}

serialize_items! {
    SerializeSeq serialize_element Index,
    SerializeTuple serialize_element Index,
    SerializeTupleStruct serialize_field Slot,
    SerializeTupleVariant serialize_field Slot,
}

/// The traits whose elements have names.
macro_rules! serialize_fields {
    ($($trait:ident)*) => {$(
        impl<W: Sink> ser::$trait for Compound<'_, W> {
            type Ok = ();
            type Error = Error;

            #[inline]
            fn serialize_field<T: ?Sized + Serialize>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<()> {
                match self.put(value) {
                    Ok(()) => Ok(()),
                    Err(error) => Err(error.inside(Segment::Field(key.into()))),
                }
            }

            #[cold]
            fn skip_field(&mut self, name: &'static str) -> Result<()> {
                self.encoder.failed = true;
                let error = Error::placeless(ErrorKind::SkippedField { name });
                Err(error.inside(Segment::Field(name.into())))
            }

            #[inline]
            fn end(self) -> Result<()> {
                self.finish()
            }
        }
    )*};
}

serialize_fields! { SerializeStruct SerializeStructVariant }

impl<W: Sink> ser::SerializeMap for Compound<'_, W> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<()> {
        let index = self.count;
        let result = match self.in_entry {
            true => Err(Error::placeless(CommonKind::Abandoned)),
            false => self.put(key),
        };
        self.encoder.failed |= result.is_err();
        self.in_entry = true;
        result.map_err(|error| error.in_entry(index, "key"))
    }

    #[inline]
    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let index = self.count.saturating_sub(1);
        let result = match self.in_entry {
            true => value.serialize(&mut *self.encoder),
            false => Err(Error::placeless(CommonKind::Abandoned)),
        };
        self.encoder.failed |= result.is_err();
        self.in_entry = false;
        result.map_err(|error| error.in_entry(index, "value"))
    }

    #[inline]
    fn end(self) -> Result<()> {
        self.finish()
    }
}
