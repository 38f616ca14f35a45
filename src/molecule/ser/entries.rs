//! Writes the entries of a map: tables of key and value in a dynvec, or by mark structs in a fixvec.

use serde_core::ser::{Serialize, SerializeMap};

use super::encoder::Encoder;
use super::header::Header;
use super::parts::{Parts, Shape};
use super::position::Written;
use super::value::Value;
use super::{dynamic, unlike, wrong_length};
use crate::molecule::error::place;
use crate::molecule::wire::ENTRY_FIELDS;
use crate::molecule::{Error, Result};

impl<const MARKED: bool> Parts<'_, false, MARKED> {
    /// Begins an entry and writes its key.
    #[inline]
    fn put_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<()> {
        if self.entry.is_some() {
            return Err(wrong_length(self.count, self.count + 1));
        }
        let entry = self.place.at();
        if let Shape::DynVec(header) = self.shape {
            header.put_offset(self.encoder, self.count, entry);
            let header = Header::of_entry(entry);
            let at = header.begin(self.encoder);
            header.put_offset(self.encoder, 0, at);
            self.place = self.place.go_to(at);
        }
        self.put_half(key, "a key")?;
        self.entry = Some(entry);
        Ok(())
    }

    /// Writes the value of an entry and completes it.
    #[inline]
    fn put_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let Some(entry) = self.entry.take() else {
            return Err(wrong_length(self.count + 1, self.count));
        };
        if let Shape::DynVec(_) = self.shape {
            Header::of_entry(entry).put_offset(self.encoder, 1, self.place.at());
        }
        self.put_half(value, "a value")?;
        let size = self.place.at().wrapping_sub(entry);
        match self.shape {
            Shape::FixVec { item_size, packed } if self.count == 0 || size == item_size => {
                self.shape = Shape::FixVec { item_size: size, packed };
            }
            Shape::FixVec { .. } => return Err(unlike(self.count)),
            _ => {
                let header = Header::of_entry(entry);
                header.finish(self.encoder, ENTRY_FIELDS, self.place.at())?;
            }
        }
        self.count += 1;
        Ok(())
    }

    /// Writes a key or a value, as errors name it by `found`.
    #[inline]
    fn put_half<T: ?Sized + Serialize>(&mut self, half: &T, found: &'static str) -> Result<()> {
        let end = match self.is_packed() {
            true => {
                let written =
                    half.serialize(Value::<true, false>::new(self.encoder, self.frame_place()))?;
                if written.is_dynamic() {
                    return Err(dynamic(found, place::FIXVEC));
                }
                self.encoder.finish_packed(self.place.at(), written)?
            }
            false => {
                let written =
                    half.serialize(Value::<false, false>::new(self.encoder, self.place))?;
                self.encoder.finish_in_slot(written)?
            }
        };
        self.place = self.place.go_to(end);
        Ok(())
    }
}

/// Notes the error, since a type may ignore it, and adds the steps to its path.
#[cold]
#[inline(never)]
fn failed(encoder: &mut Encoder, error: Error, index: usize, half: &'static str) -> Error {
    encoder.failed = true;
    error.in_entry(index, half)
}

impl<const MARKED: bool> SerializeMap for Parts<'_, false, MARKED> {
    type Ok = Written;
    type Error = Error;

    #[inline]
    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<()> {
        let index = self.count;
        self.put_key(key).map_err(|error| failed(self.encoder, error, index, "key"))
    }

    #[inline]
    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let index = self.count;
        self.put_value(value).map_err(|error| failed(self.encoder, error, index, "value"))
    }

    #[inline]
    fn end(self) -> Result<Written> {
        self.close().map(|(_, written)| written)
    }
}
