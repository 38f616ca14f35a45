//! Writes a value with fields: a table, or a struct without a header. Does not know how fields are
//! written.

use serde_core::ser::{self, Serialize};

use super::encoder::Encoder;
use super::frame::Frame;
use super::header::Header;
use super::packed::Parts;
use super::position::{Position, Written};
use super::value::ValueWriter;
use super::{in_field, in_slot, wrong_length};
use crate::molecule::{Error, ErrorKind, Result};

/// A table whose fields are being written.
#[derive(Debug)]
pub(in crate::molecule) struct Table<'a> {
    encoder: &'a mut Encoder,
    /// Where the next field begins.
    place: Position,
    header: Header,
    /// How many fields are written.
    count: usize,
    /// How many there must be; `None` for structs, since serde does not count skipped fields.
    exactly: Option<usize>,
}

impl<'a> Table<'a> {
    /// A table of `len` fields, and more if fields are skipped.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(
        encoder: &'a mut Encoder,
        place: Position,
        len: usize,
        exactly: Option<usize>,
    ) -> Result<Self> {
        let place = encoder.frame.enter(place)?;
        let (header, at) = Header::reserve(encoder, place.at(), len)?;
        Ok(Table { encoder, place: place.go_to(at), header, count: 0, exactly })
    }

    /// Writes the next field.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put<T: ?Sized + Serialize>(
        &mut self,
        value: &T,
        explain: impl FnOnce(&mut Frame, Error) -> Error,
    ) -> Result<()> {
        let Table { encoder, place, header, count, .. } = self;
        header.put_offset(encoder, *count, place.at());
        let written = value.serialize(ValueWriter::new(encoder, *place));
        match written.and_then(|written| encoder.complete_in_slot(value, written)) {
            Ok(end) => {
                *place = place.go_to(end);
                *count += 1;
                Ok(())
            }
            Err(error) => Err(explain(&mut encoder.frame, error)),
        }
    }

    /// Leaves the slot of a field empty.
    fn skip(&mut self) -> Result<()> {
        self.header.put_offset(self.encoder, self.count, self.place.at());
        self.count += 1;
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn close(self) -> Result<(&'a mut Encoder, Written)> {
        let Table { encoder, place, header, count, exactly } = self;
        if let Some(announced) = exactly.filter(|exactly| *exactly != count) {
            return Err(wrong_length(announced, count));
        }
        let end = header.finish(encoder, count, place.at())?;
        Ok((encoder, Written::dynamic(end)))
    }
}

impl Table<'_> {
    fn frame(&mut self) -> &mut Frame {
        &mut self.encoder.frame
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn count(&self) -> usize {
        self.count
    }
}

/// A struct or tuple struct whose fields are being written.
#[derive(Debug)]
pub(in crate::molecule) enum Fields<'a> {
    Struct { encoder: &'a mut Encoder, start: usize, parts: Parts },
    Table(Table<'a>),
}

impl<'a> Fields<'a> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn packed(
        encoder: &'a mut Encoder,
        place: Position,
        exactly: Option<usize>,
    ) -> Result<Self> {
        let parts = Parts::new(&encoder.frame, place.go_to(0), exactly)?;
        Ok(Fields::Struct { encoder, start: place.at(), parts })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn table(
        encoder: &'a mut Encoder,
        place: Position,
        len: usize,
        exactly: Option<usize>,
    ) -> Result<Self> {
        Table::new(encoder, place, len, exactly).map(Fields::Table)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put<T: ?Sized + Serialize>(
        &mut self,
        value: &T,
        explain: impl FnOnce(&mut Frame, Error) -> Error,
    ) -> Result<()> {
        match self {
            Fields::Struct { encoder, parts, .. } => parts.put(&mut encoder.frame, value, explain),
            Fields::Table(fields) => fields.put(value, explain),
        }
    }

    fn skip(&mut self) -> Result<()> {
        match self {
            Fields::Struct { .. } => Err(Error::placeless(ErrorKind::SkippedField)),
            Fields::Table(fields) => fields.skip(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn close(self) -> Result<(&'a mut Encoder, Written)> {
        match self {
            Fields::Struct { encoder, start, parts } => {
                let written = encoder.hold_packed(start, Written::fixed(parts.finish()?))?;
                Ok((encoder, written))
            }
            Fields::Table(fields) => fields.close(),
        }
    }

    fn frame(&mut self) -> &mut Frame {
        match self {
            Fields::Struct { encoder, .. } => &mut encoder.frame,
            Fields::Table(fields) => fields.frame(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn count(&self) -> usize {
        match self {
            Fields::Struct { parts, .. } => parts.count(),
            Fields::Table(fields) => fields.count(),
        }
    }
}

macro_rules! named {
    ($($trait:ident $type:ty;)*) => {$(
        impl<'a> ser::$trait for $type {
            type Ok = Written;
            type Error = Error;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn serialize_field<T: ?Sized + Serialize>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<()> {
                self.put(value, |frame, error| in_field(frame, error, key))
            }

            fn skip_field(&mut self, key: &'static str) -> Result<()> {
                self.skip().map_err(|error| in_field(self.frame(), error, key))
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn end(self) -> Result<Written> {
                self.close().map(|(_, written)| written)
            }
        }
    )*};
}

macro_rules! numbered {
    ($($trait:ident $type:ty;)*) => {$(
        impl<'a> ser::$trait for $type {
            type Ok = Written;
            type Error = Error;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn serialize_field<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
                let slot = self.count();
                self.put(value, |frame, error| in_slot(frame, error, slot))
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn end(self) -> Result<Written> {
                self.close().map(|(_, written)| written)
            }
        }
    )*};
}

named! {
    SerializeStruct Fields<'a>;
    SerializeStructVariant Table<'a>;
}

numbered! {
    SerializeTupleStruct Fields<'a>;
    SerializeTupleVariant Table<'a>;
}
