//! Writing the entries of a map, each a key and a value.

use serde_core::ser::{self, Serialize};

use super::compound::{Compound, Shape, dynamic, unlike};
use super::encoder::Layout;
use crate::error::Segment;
use crate::molecule::wire::{self, ENTRY_FIELDS, NUMBER_SIZE};
use crate::molecule::{Error, ErrorKind, Result};

impl Compound<'_> {
    /// Begins an entry of a map and writes its key.
    fn put_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<()> {
        if let Shape::FixVec { .. } = self.shape {
            // The entry's size is checked once its value is there.
            self.encoder.in_slot = false;
            self.entry = Some(self.encoder.out.len());
            return match key.serialize(&mut *self.encoder)? {
                Layout::Fixed => Ok(()),
                Layout::Dynamic => Err(dynamic("a key", "a fixvec")),
            };
        }
        let start = self.encoder.out.len();
        self.put_offset(start)?;
        let header = wire::header_size(ENTRY_FIELDS);
        wire::reserve(&mut self.encoder.out, header);
        wire::patch(&mut self.encoder.out, start + wire::header_size(0), wire::number(header)?);
        self.encoder.in_slot = true;
        key.serialize(&mut *self.encoder)?;
        self.entry = Some(start);
        Ok(())
    }

    /// Writes the value of an entry and completes it.
    fn put_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let Some(start) = self.entry.take() else {
            let (announced, given) = (self.count + 1, self.count);
            return Err(Error::placeless(ErrorKind::Length { announced, given }));
        };
        if let Shape::FixVec { .. } = self.shape {
            return self.put_packed_value(value);
        }
        self.encoder.in_slot = true;
        let offset = wire::number(self.encoder.out.len() - start)?;
        wire::patch(&mut self.encoder.out, start + wire::header_size(1), offset);
        value.serialize(&mut *self.encoder)?;
        let full_size = wire::number(self.encoder.out.len() - start)?;
        wire::patch(&mut self.encoder.out, start, full_size);
        self.count += 1;
        Ok(())
    }

    fn put_packed_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let layout = value.serialize(&mut *self.encoder)?;
        let body = self.encoder.out.len() - self.start - NUMBER_SIZE;
        let Shape::FixVec { item_size, .. } = &mut self.shape else { return Ok(()) };
        if self.count == 0 {
            *item_size = body;
        }
        self.count += 1;
        match layout {
            Layout::Dynamic => Err(dynamic("a value", "a fixvec")),
            Layout::Fixed if item_size.checked_mul(self.count) == Some(body) => Ok(()),
            Layout::Fixed => Err(unlike(self.count - 1)),
        }
    }
}

impl ser::SerializeMap for Compound<'_> {
    type Ok = Layout;
    type Error = Error;

    #[inline]
    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<()> {
        let index = self.count;
        let result = self.put_key(key);
        self.encoder.failed |= result.is_err();
        result.map_err(|error| in_entry(error, index, "key"))
    }

    #[inline]
    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let index = self.count;
        let result = self.put_value(value);
        self.encoder.failed |= result.is_err();
        result.map_err(|error| in_entry(error, index, "value"))
    }

    #[inline]
    fn end(self) -> Result<Layout> {
        self.finish()
    }
}

#[cold]
fn in_entry(error: Error, index: usize, field: &'static str) -> Error {
    error.inside(Segment::Field(field.into())).inside(Segment::Index(index))
}
