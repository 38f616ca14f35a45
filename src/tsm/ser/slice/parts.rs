//! The parts of a value in a slice. Knows counts, does not know the document.
//!
//! If a part bails, the whole value does, even if its type goes on without the part.

use core::marker::PhantomData;

use serde_core::ser::{self, Serialize};

use super::SliceWriter;
use crate::fast::Bail;
use crate::fast::slice::{Left, TypeDepth};

/// A struct or tuple.
pub(in crate::tsm::ser) struct Parts<'a, L> {
    slice: &'a mut [u8],
    /// How many are to come. `None` once one bailed.
    left: Option<usize>,
    levels: PhantomData<L>,
}

impl<'a, L: TypeDepth> Parts<'a, L> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(slice: &'a mut [u8], len: usize) -> Self {
        Parts { slice, left: Some(len), levels: PhantomData }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Bail> {
        let slice = core::mem::take(&mut self.slice);
        let left = self.left.and_then(|left| left.checked_sub(1));
        match SliceWriter::<L>::of(slice).put_part(value) {
            Ok(slice) if left.is_some() => {
                (self.slice, self.left) = (slice, left);
                Ok(())
            }
            Ok(_) | Err(_) => self.bail(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bail(&mut self) -> Result<(), Bail> {
        self.left = None;
        Err(Bail)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn finish(self) -> Left<'a> {
        match self.left {
            Some(0) => Ok(self.slice),
            _ => Err(Bail),
        }
    }
}

macro_rules! serialize_parts {
    ($($trait:ident $method:ident ($($key:ty)?),)*) => {$(
        impl<'a, L: TypeDepth> ser::$trait for Parts<'a, L> {
            type Ok = &'a mut [u8];
            type Error = Bail;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn $method<T: ?Sized + Serialize>(
                &mut self,
                $(_: $key,)?
                value: &T,
            ) -> Result<(), Bail> {
                self.put(value)
            }

            $(#[cold]
            fn skip_field(&mut self, _: $key) -> Result<(), Bail> {
                self.bail()
            })?

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn end(self) -> Left<'a> {
                self.finish()
            }
        }
    )*};
}

serialize_parts! {
    SerializeTuple serialize_element (),
    SerializeTupleStruct serialize_field (),
    SerializeTupleVariant serialize_field (),
    SerializeStruct serialize_field (&'static str),
    SerializeStructVariant serialize_field (&'static str),
}

/// A map: keys and values in turn.
pub(in crate::tsm::ser) struct Entries<'a, L> {
    parts: Parts<'a, L>,
    /// How many bytes were left before this entry, once its key is written.
    entry: Option<usize>,
}

impl<'a, L: TypeDepth> Entries<'a, L> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(slice: &'a mut [u8], len: usize) -> Self {
        // If the number of keys and values overflows, they fit no slice.
        let left = len.checked_mul(2);
        Entries { parts: Parts { slice, left, levels: PhantomData }, entry: None }
    }
}

impl<'a, L: TypeDepth> ser::SerializeMap for Entries<'a, L> {
    type Ok = &'a mut [u8];
    type Error = Bail;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<(), Bail> {
        match self.entry.replace(self.parts.slice.len()) {
            None => self.parts.put(key),
            Some(_) => self.parts.bail(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Bail> {
        let size = self.entry.take();
        self.parts.put(value)?;
        match size {
            // The exact way counts entries without bytes.
            Some(size) if self.parts.slice.len() < size => Ok(()),
            _ => self.parts.bail(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(self) -> Left<'a> {
        self.parts.finish()
    }
}
