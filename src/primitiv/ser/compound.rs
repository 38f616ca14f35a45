//! Writing a value that has parts: one type for all of serde's compound traits.

use serde_core::ser::{self, Serialize};

use super::encoder::Encoder;
use super::output::Sink;
use crate::error::{Fault, Segment};
use crate::flatten::is_field_name;
use crate::primitiv::wire::Headed;
use crate::primitiv::{Error, ErrorKind, Result};

/// A value whose parts are being written.
#[derive(Debug)]
pub struct Compound<'a, W> {
    encoder: &'a mut Encoder<W>,
    /// Parts so far.
    count: usize,
    /// How many there have to be; `None` of structs.
    announced: Option<usize>,
    /// Whether a map's key is written and its value is not.
    in_entry: bool,
    /// Whether nil stands for the value if it has no parts: of tuples and structs, which would take
    /// no bytes otherwise.
    nil_if_empty: bool,
    /// Whether the parts are the bytes of a document.
    verbatim: bool,
    /// Whether there may be more parts than were announced.
    open: bool,
    /// Of a sequence or map that did not know its count: what it is, and where its items begin.
    uncounted: Option<(Headed, usize)>,
}

impl<'a, W: Sink> Compound<'a, W> {
    #[inline]
    fn new(encoder: &'a mut Encoder<W>, announced: Option<usize>) -> Result<Self> {
        encoder.depth.enter()?;
        Ok(Compound {
            encoder,
            count: 0,
            announced,
            in_entry: false,
            nil_if_empty: false,
            verbatim: false,
            open: false,
            uncounted: None,
        })
    }

    /// A sequence or map whose header is put in front of it once all of it is there.
    pub(super) fn uncounted(
        encoder: &'a mut Encoder<W>,
        headed: Headed,
        start: usize,
    ) -> Result<Self> {
        Ok(Compound { uncounted: Some((headed, start)), ..Self::new(encoder, None)? })
    }

    /// A sequence or map, whose header is written.
    #[inline]
    pub(super) fn items(encoder: &'a mut Encoder<W>, len: usize) -> Result<Self> {
        Self::new(encoder, Some(len))
    }

    /// A tuple or array: its items and nothing else. It may have more of them than it announced: there is
    /// no count, and the type knows where they end.
    #[inline]
    pub(super) fn tuple(encoder: &'a mut Encoder<W>, len: usize) -> Result<Self> {
        Ok(Compound { nil_if_empty: true, open: true, ..Self::new(encoder, Some(len))? })
    }

    /// One whose parts are as many as were announced.
    #[inline]
    pub(super) fn exact(self) -> Self {
        Compound { open: false, ..self }
    }

    /// A struct: its fields and nothing else.
    #[inline]
    pub(super) fn fields(encoder: &'a mut Encoder<W>) -> Result<Self> {
        Ok(Compound { nil_if_empty: true, ..Self::new(encoder, None)? })
    }

    /// The pieces of a document.
    pub(super) fn verbatim(encoder: &'a mut Encoder<W>) -> Self {
        Compound {
            encoder,
            count: 0,
            announced: None,
            in_entry: false,
            nil_if_empty: false,
            verbatim: true,
            open: false,
            uncounted: None,
        }
    }

    /// The content of a variant, whose index is written: that shows even without parts.
    #[inline]
    pub(super) fn of_variant(self) -> Self {
        Compound { nil_if_empty: false, ..self }
    }

    /// Writes the next part.
    #[inline]
    fn put<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let result = self.unless_more().and_then(|()| value.serialize(&mut *self.encoder));
        // Also where the type goes on: what has been written makes no value any more.
        self.encoder.failed |= result.is_err();
        self.count += 1;
        result
    }

    /// Refuses a part beyond those that were announced.
    #[inline]
    fn unless_more(&self) -> Result<()> {
        match self.announced {
            Some(announced) if self.count >= announced && !self.open => {
                let given = self.count.saturating_add(1);
                Err(Error::placeless(ErrorKind::Length { announced, given }))
            }
            _ => Ok(()),
        }
    }

    /// Completes the value.
    #[inline]
    fn finish(self) -> Result<()> {
        let Compound { encoder, count, announced, in_entry, nil_if_empty, verbatim, open, .. } =
            self;
        if encoder.failed {
            return Err(Error::placeless(Fault::Abandoned));
        }
        if let Some((headed, start)) = self.uncounted {
            if in_entry {
                let given = count.saturating_sub(1);
                return Err(Error::placeless(ErrorKind::Length { announced: count, given }));
            }
            encoder.put_count(headed, start, count)?;
        }
        let announced = announced.filter(|announced| !open || count < *announced);
        if let Some(announced) = announced.filter(|announced| *announced != count || in_entry) {
            let given = if in_entry { count.saturating_sub(1) } else { count };
            return Err(Error::placeless(ErrorKind::Length { announced, given }));
        }
        if nil_if_empty && count == 0 {
            encoder.put_nil("a value without parts")?;
        }
        if !verbatim {
            encoder.depth.leave();
        }
        Ok(())
    }
}

/// The traits whose parts have no names.
macro_rules! serialize_items {
    ($($trait:ident $method:ident $segment:ident,)*) => {$(
        impl<W: Sink> ser::$trait for Compound<'_, W> {
            type Ok = ();
            type Error = Error;

            #[inline]
            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
                let index = self.count;
                self.put(value).map_err(|error| error.inside(Segment::$segment(index)))
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

/// The traits whose parts have names.
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
                self.put(value).map_err(|error| error.inside(Segment::Field(key.into())))
            }

            #[cold]
            fn skip_field(&mut self, name: &'static str) -> Result<()> {
                self.encoder.failed = true;
                Err(Error::placeless(ErrorKind::SkippedField { name }))
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
        if self.uncounted.is_some() && is_field_name(key) {
            self.encoder.failed = true;
            return Err(Error::placeless(ErrorKind::UnknownLength));
        }
        let index = self.count;
        let result = match self.in_entry {
            true => Err(Error::placeless(Fault::Abandoned)),
            false => self.put(key),
        };
        self.encoder.failed |= result.is_err();
        self.in_entry = true;
        result.map_err(|error| in_entry(error, index, "key"))
    }

    #[inline]
    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let index = self.count.saturating_sub(1);
        let result = match self.in_entry {
            true => value.serialize(&mut *self.encoder),
            false => Err(Error::placeless(Fault::Abandoned)),
        };
        self.encoder.failed |= result.is_err();
        self.in_entry = false;
        result.map_err(|error| in_entry(error, index, "value"))
    }

    #[inline]
    fn end(self) -> Result<()> {
        self.finish()
    }
}

#[cold]
fn in_entry(error: Error, index: usize, field: &'static str) -> Error {
    error.inside(Segment::Field(field.into())).inside(Segment::Index(index))
}
