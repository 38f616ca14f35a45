//! Values of several parts that are written into the room there is.
//!
//! A part that does not fit spoils the value, also where its type goes on without it.

use core::marker::PhantomData;

use serde_core::ser::{self, Serialize};

use super::Room;
use crate::fast::Bail;
use crate::fast::slice::{Left, TypeDepth};

/// A struct or tuple.
pub(in crate::tsm::ser) struct Parts<'a, L> {
    room: &'a mut [u8],
    /// How many are to come, or nothing once one was refused.
    left: Option<usize>,
    levels: PhantomData<L>,
}

impl<'a, L: TypeDepth> Parts<'a, L> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(room: &'a mut [u8], len: usize) -> Self {
        Parts { room, left: Some(len), levels: PhantomData }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Bail> {
        let room = core::mem::take(&mut self.room);
        let left = self.left.and_then(|left| left.checked_sub(1));
        match Room::<L>::of(room).put_part(value) {
            Ok(room) if left.is_some() => {
                (self.room, self.left) = (room, left);
                Ok(())
            }
            Ok(_) | Err(_) => self.refuse(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn refuse(&mut self) -> Result<(), Bail> {
        self.left = None;
        Err(Bail)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn finish(self) -> Left<'a> {
        match self.left {
            Some(0) => Ok(self.room),
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
                self.refuse()
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
    /// The room there was before the entry at hand, once its key is written.
    entry: Option<usize>,
}

impl<'a, L: TypeDepth> Entries<'a, L> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(room: &'a mut [u8], len: usize) -> Self {
        // More halves than there are numbers fit no room.
        let left = len.checked_mul(2);
        Entries { parts: Parts { room, left, levels: PhantomData }, entry: None }
    }
}

impl<'a, L: TypeDepth> ser::SerializeMap for Entries<'a, L> {
    type Ok = &'a mut [u8];
    type Error = Bail;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<(), Bail> {
        match self.entry.replace(self.parts.room.len()) {
            None => self.parts.put(key),
            Some(_) => self.parts.refuse(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Bail> {
        let size = self.entry.take();
        self.parts.put(value)?;
        match size {
            // An entry without any bytes is counted elsewhere.
            Some(size) if self.parts.room.len() < size => Ok(()),
            _ => self.parts.refuse(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(self) -> Left<'a> {
        self.parts.finish()
    }
}
