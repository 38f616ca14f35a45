//! Writes the parts of a value in MessagePack. Does not know how a part is written.

use serde_core::ser::{self, Serialize};

use super::header::{Headed, Header};
use super::{AnyValue, Packer};
use crate::error::{Error, Fault, Kind, Segment};
use crate::limits::Depth;

/// The items, entries or fields of a value.
pub(crate) struct Parts<'a, K> {
    pub(super) packer: &'a mut Packer<K>,
    pub(super) frame: Frame,
}

/// The state of a value whose parts are being written.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    pub(super) outer: Depth,
    /// Where the header is, or will be inserted when the count is known.
    pub(super) start: usize,
    pub(super) headed: Headed,
    pub(super) announced: Option<usize>,
    pub(super) given: usize,
    /// Whether an entry lacks its value.
    pub(super) lacks_value: bool,
}

impl<'a, K: Kind> Parts<'a, K> {
    /// Continues a value from its state.
    pub(crate) fn again(packer: &'a mut Packer<K>, frame: Frame) -> Self {
        Parts { packer, frame }
    }

    pub(crate) fn frame(&self) -> Frame {
        self.frame
    }

    pub(crate) fn put(&mut self, value: &dyn AnyValue<K>) -> Result<(), Error<K>> {
        let index = self.frame.given;
        self.frame.given += 1;
        self.packer.put_part(value, || Segment::Index(index))
    }

    pub(crate) fn put_field(
        &mut self,
        key: &'static str,
        value: &dyn AnyValue<K>,
    ) -> Result<(), Error<K>> {
        self.frame.given += 1;
        ser::Serializer::serialize_str(&mut *self.packer, key)?;
        self.packer.put_part(value, || Segment::Field(key.into()))
    }

    pub(crate) fn finish(self) -> Result<(), Error<K>> {
        let Parts { packer, frame } = self;
        let Frame { outer, start, headed, announced, given, lacks_value } = frame;
        packer.limits.depth = outer;
        match announced {
            _ if lacks_value => Err(wrong_count(given, given.saturating_add(1))),
            Some(expected) if expected != given => Err(wrong_count(given, expected)),
            Some(_) => Ok(()),
            None => {
                let header = Header::new(headed, given)?;
                packer.out.splice(start..start, header.as_slice().iter().copied());
                Ok(())
            }
        }
    }
}

#[cold]
fn wrong_count<K: Kind>(found: usize, expected: usize) -> Error<K> {
    Error::placeless(Fault::PartCount { found, expected })
}

macro_rules! parts {
    ($($trait:ident $method:ident,)*) => {$(
        impl<K: Kind> ser::$trait for Parts<'_, K> {
            type Ok = ();
            type Error = Error<K>;

            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Error<K>> {
                self.put(&value)
            }

            fn end(self) -> Result<(), Error<K>> {
                self.finish()
            }
        }
    )*};
}

parts! {
    SerializeSeq serialize_element,
    SerializeTuple serialize_element,
    SerializeTupleStruct serialize_field,
    SerializeTupleVariant serialize_field,
}

macro_rules! named_parts {
    ($($trait:ident)*) => {$(
        impl<K: Kind> ser::$trait for Parts<'_, K> {
            type Ok = ();
            type Error = Error<K>;

            fn serialize_field<T: ?Sized + Serialize>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<(), Error<K>> {
                self.put_field(key, &value)
            }

            fn end(self) -> Result<(), Error<K>> {
                self.finish()
            }
        }
    )*};
}

named_parts! { SerializeStruct SerializeStructVariant }

impl<K: Kind> ser::SerializeMap for Parts<'_, K> {
    type Ok = ();
    type Error = Error<K>;

    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<(), Error<K>> {
        let index = self.frame.given;
        if core::mem::replace(&mut self.frame.lacks_value, true) {
            self.packer.failed = true;
            return Err(wrong_count(index, index.saturating_add(1)));
        }
        self.packer.put_part(&key, || Segment::Index(index))
    }

    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Error<K>> {
        if !core::mem::take(&mut self.frame.lacks_value) {
            let index = self.frame.given;
            self.packer.failed = true;
            return Err(wrong_count(index.saturating_add(1), index));
        }
        self.put(&value)
    }

    fn end(self) -> Result<(), Error<K>> {
        self.finish()
    }
}
