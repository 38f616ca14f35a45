//! Writing a value with fields: a table, or a struct without a header.

use serde_core::ser::{self, Serialize};

use super::encoder::{Cursor, Encoder, Written};
use super::header::Header;
use super::{dynamic, refuse_in_packed, wrong_length};
use crate::error::Segment;
use crate::molecule::{Error, ErrorKind, Result};

/// A value whose fields are being written.
#[derive(Debug)]
pub(in crate::molecule) struct Fields<'a> {
    pub(super) encoder: &'a mut Encoder,
    /// Where the next field begins.
    pub(super) at: usize,
    /// Fields so far.
    pub(super) count: usize,
    /// How many there have to be; `None` of structs, whose skipped fields nobody counts.
    exactly: Option<usize>,
    shape: Shape,
}

#[derive(Clone, Copy, Debug)]
enum Shape {
    /// Fixed fields, no header; `outer` is whether structs were packed around it too.
    Packed { outer: bool },
    /// Anything, behind a header.
    Table(Header),
}

impl<'a> Fields<'a> {
    /// A struct, or a tuple where structs are packed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn packed(cursor: Cursor<'a>, exactly: Option<usize>) -> Result<Self> {
        let Cursor { encoder, at } = cursor;
        let outer = core::mem::replace(&mut encoder.packs, true);
        encoder.enter()?;
        Ok(Fields { encoder, at, count: 0, exactly, shape: Shape::Packed { outer } })
    }

    /// A table of `len` fields, and of as many more as are skipped.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn table(cursor: Cursor<'a>, len: usize, exactly: Option<usize>) -> Result<Self> {
        let Cursor { encoder, at } = cursor;
        refuse_in_packed(encoder, "a table")?;
        encoder.enter()?;
        let (header, at) = Header::reserve(encoder, at, len)?;
        Ok(Fields { encoder, at, count: 0, exactly, shape: Shape::Table(header) })
    }

    /// Writes the next field.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn put<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let cursor = Cursor { encoder: &mut *self.encoder, at: self.at };
        match self.shape {
            Shape::Packed { .. } => {
                let written = value.serialize(cursor)?;
                if written.is_dynamic() {
                    return Err(dynamic("a field", "a struct"));
                }
                self.at = written.end();
            }
            Shape::Table(header) => {
                header.put_offset(cursor.encoder, self.count, self.at)?;
                self.at = value.serialize(cursor)?.end();
            }
        }
        self.count += 1;
        Ok(())
    }

    /// Leaves the slot of a table's field empty.
    fn skip(&mut self) -> Result<()> {
        match self.shape {
            Shape::Table(header) => header.put_offset(self.encoder, self.count, self.at)?,
            Shape::Packed { .. } => return Err(Error::placeless(ErrorKind::SkippedField)),
        }
        self.count += 1;
        Ok(())
    }

    /// Completes the value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn close(self) -> Result<(&'a mut Encoder, Written)> {
        let Fields { encoder, at, count, exactly, shape } = self;
        if let Some(announced) = exactly.filter(|exactly| *exactly != count) {
            return Err(wrong_length(announced, count));
        }
        let written = match shape {
            Shape::Packed { outer } => {
                if count == 0 {
                    return Err(Error::placeless(ErrorKind::EmptyStruct));
                }
                encoder.packs = outer;
                Written::fixed(at)
            }
            Shape::Table(header) => Written::dynamic(header.finish(encoder, count, at)?),
        };
        encoder.leave();
        Ok((encoder, written))
    }

    /// Completes the value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish(self) -> Result<Written> {
        self.close().map(|(_, written)| written)
    }
}

/// Also where the type goes on without the field: what was written is no document any more.
#[cold]
#[inline(never)]
fn in_field(encoder: &mut Encoder, error: Error, key: &'static str) -> Error {
    encoder.failed = true;
    error.inside(Segment::Field(key.into()))
}

#[cold]
#[inline(never)]
fn in_slot(encoder: &mut Encoder, error: Error, slot: usize) -> Error {
    encoder.failed = true;
    error.inside(Segment::Slot(slot))
}

macro_rules! named {
    ($($trait:ident)*) => {$(
        impl ser::$trait for Fields<'_> {
            type Ok = Written;
            type Error = Error;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn serialize_field<T: ?Sized + Serialize>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<()> {
                self.put(value).map_err(|error| in_field(self.encoder, error, key))
            }

            fn skip_field(&mut self, key: &'static str) -> Result<()> {
                self.skip().map_err(|error| in_field(self.encoder, error, key))
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn end(self) -> Result<Written> {
                self.finish()
            }
        }
    )*};
}

macro_rules! numbered {
    ($($trait:ident)*) => {$(
        impl ser::$trait for Fields<'_> {
            type Ok = Written;
            type Error = Error;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn serialize_field<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
                let slot = self.count;
                self.put(value).map_err(|error| in_slot(self.encoder, error, slot))
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn end(self) -> Result<Written> {
                self.finish()
            }
        }
    )*};
}

named! { SerializeStruct SerializeStructVariant }

numbered! { SerializeTupleStruct SerializeTupleVariant }
