//! Writes values with parts into a slice. Does not know how parts are written.
//!
//! A failed part fails the whole value, even if its type ignores the error.

use core::marker::PhantomData;

use serde_core::ser::{self, Serialize};

use super::SliceWriter;
use crate::fast::Bail;
use crate::fast::buffer::SMALL_VALUE;
use crate::fast::slice::{Left, TypeDepth};
use crate::molecule::ser::fixed::FixedWriter;
use crate::molecule::wire::{self, ENTRY_FIELDS, offset};

/// A count that no value has.
const FAILED: usize = usize::MAX;

/// A table whose field count is known.
pub(in crate::molecule::ser) struct Table<'a, L> {
    /// The header, and the spare bytes behind the last field.
    head: &'a mut [u8],
    spare: &'a mut [u8],
    /// The length of both before the first field.
    size: usize,
    count: usize,
    len: usize,
    levels: PhantomData<L>,
}

impl<'a, L: TypeDepth> Table<'a, L> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(spare: &'a mut [u8], len: usize) -> Result<Self, Bail> {
        let size = spare.len();
        let (head, spare) = spare.split_at_mut_checked(wire::header_size(len)).ok_or(Bail)?;
        Ok(Table { head, spare, size, count: 0, len, levels: PhantomData })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Bail> {
        let spare = core::mem::take(&mut self.spare);
        let offset = offset(self.size - spare.len());
        let slot = wire::header_size(self.count);
        match self.head.get_mut(slot..).and_then(<[u8]>::first_chunk_mut) {
            Some(place) => *place = offset,
            None => {
                self.len = FAILED;
                return Err(Bail);
            }
        }
        match SliceWriter::<L>::of(spare).put_part(value) {
            Ok(left) => self.spare = left,
            Err(bail) => {
                self.len = FAILED;
                return Err(bail);
            }
        }
        self.count += 1;
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish(self) -> Left<'a> {
        match self.head.first_chunk_mut() {
            Some(place) if self.count == self.len => *place = offset(self.size - self.spare.len()),
            _ => return Err(Bail),
        }
        Ok(self.spare)
    }
}

/// A struct, tuple or array without a header.
pub(in crate::molecule::ser) struct Packed<'a> {
    spare: &'a mut [u8],
    /// The size of the parts so far.
    at: usize,
    count: usize,
    /// How many there must be; `None` for structs.
    exactly: Option<usize>,
    /// Whether it has a mark. Then structs in it are packed, too, and it may look like a table.
    marked: bool,
}

impl<'a> Packed<'a> {
    /// A struct by mark. `exactly` is the length of a tuple.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn marked(spare: &'a mut [u8], exactly: Option<usize>) -> Self {
        Packed { spare, at: 0, count: 0, exactly, marked: true }
    }

    /// A tuple or array without a mark.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn tuple(spare: &'a mut [u8], len: usize) -> Self {
        Packed { spare, at: 0, count: 0, exactly: Some(len), marked: false }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Bail> {
        let Some(bytes) = self.spare.first_chunk_mut::<SMALL_VALUE>() else { return self.fail() };
        match value.serialize(FixedWriter::new(bytes, self.marked).at(self.at)) {
            Ok(end) => self.at = end,
            Err(_) => return self.fail(),
        }
        self.count += 1;
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fail(&mut self) -> Result<(), Bail> {
        self.exactly = Some(FAILED);
        Err(Bail)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish(self) -> Left<'a> {
        let Packed { spare, at, count, exactly, marked } = self;
        if count == 0 || exactly.is_some_and(|exactly| exactly != count) {
            return Err(Bail);
        }
        let (bytes, left) = spare.split_at_mut_checked(at).ok_or(Bail)?;
        match marked || !wire::passes_for_table(bytes, count) {
            true => Ok(left),
            false => Err(Bail),
        }
    }
}

/// A struct.
pub(in crate::molecule::ser) enum Fields<'a, L> {
    Packed(Packed<'a>),
    Table(Table<'a, L>),
}

impl<'a, L: TypeDepth> Fields<'a, L> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Bail> {
        match self {
            Fields::Packed(parts) => parts.put(value),
            Fields::Table(parts) => parts.put(value),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fail(&mut self) -> Result<(), Bail> {
        match self {
            Fields::Packed(parts) => parts.fail(),
            Fields::Table(parts) => parts.fail(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish(self) -> Left<'a> {
        match self {
            Fields::Packed(parts) => parts.finish(),
            Fields::Table(parts) => parts.finish(),
        }
    }
}

impl<L: TypeDepth> Table<'_, L> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fail(&mut self) -> Result<(), Bail> {
        self.len = FAILED;
        Err(Bail)
    }
}

macro_rules! parts {
    ($($trait:ident $kind:ident [$($levels:ident)?] $method:ident)*) => {$(
        impl<'a $(, $levels: TypeDepth)?> ser::$trait for $kind<'a $(, $levels)?> {
            type Ok = &'a mut [u8];
            type Error = Bail;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Bail> {
                self.put(value)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn end(self) -> Left<'a> {
                self.finish()
            }
        }
    )*};
}

parts! {
    SerializeTuple Packed [] serialize_element
    SerializeTupleStruct Fields [L] serialize_field
    SerializeTupleVariant Table [L] serialize_field
}

macro_rules! named {
    ($($trait:ident $kind:ident)*) => {$(
        impl<'a, L: TypeDepth> ser::$trait for $kind<'a, L> {
            type Ok = &'a mut [u8];
            type Error = Bail;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn serialize_field<T: ?Sized + Serialize>(
                &mut self,
                _: &'static str,
                value: &T,
            ) -> Result<(), Bail> {
                self.put(value)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn skip_field(&mut self, _: &'static str) -> Result<(), Bail> {
                self.fail()
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn end(self) -> Left<'a> {
                self.finish()
            }
        }
    )*};
}

named! { SerializeStruct Fields SerializeStructVariant Table }

/// A map that is a dynvec of tables.
pub(in crate::molecule::ser) struct Entries<'a, L> {
    /// The header, and the spare bytes behind the last key or value.
    head: &'a mut [u8],
    spare: &'a mut [u8],
    /// The length of both before the first entry.
    size: usize,
    count: usize,
    len: usize,
    /// The header of the entry whose key is written and whose value is not, and the spare length
    /// before it.
    entry: Option<(&'a mut [u8], usize)>,
    levels: PhantomData<L>,
}

impl<'a, L: TypeDepth> Entries<'a, L> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(spare: &'a mut [u8], len: usize) -> Result<Self, Bail> {
        let size = spare.len();
        let (head, spare) = spare.split_at_mut_checked(wire::header_size(len)).ok_or(Bail)?;
        Ok(Entries { head, spare, size, count: 0, len, entry: None, levels: PhantomData })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<(), Bail> {
        let spare = core::mem::take(&mut self.spare);
        let size = spare.len();
        let slot = wire::header_size(self.count);
        let place = self.head.get_mut(slot..).and_then(<[u8]>::first_chunk_mut).ok_or(Bail)?;
        *place = offset(self.size - size);
        let (head, spare) =
            spare.split_at_mut_checked(wire::header_size(ENTRY_FIELDS)).ok_or(Bail)?;
        self.spare = key.serialize(SliceWriter::<L>::of(spare).inside()?)?;
        match self.entry.replace((head, size)) {
            None => Ok(()),
            Some(_) => Err(Bail),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Bail> {
        let (head, size) = self.entry.take().ok_or(Bail)?;
        let spare = core::mem::take(&mut self.spare);
        let value_at = offset(size - spare.len());
        self.spare = value.serialize(SliceWriter::<L>::of(spare).inside()?)?;
        let first = offset(wire::header_size(ENTRY_FIELDS));
        for (place, number) in head.chunks_exact_mut(first.len()).zip([
            offset(size - self.spare.len()),
            first,
            value_at,
        ]) {
            place.copy_from_slice(&number);
        }
        self.count += 1;
        Ok(())
    }
}

impl<'a, L: TypeDepth> ser::SerializeMap for Entries<'a, L> {
    type Ok = &'a mut [u8];
    type Error = Bail;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<(), Bail> {
        self.put_key(key).inspect_err(|_| self.len = FAILED)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Bail> {
        self.put_value(value).inspect_err(|_| self.len = FAILED)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(self) -> Left<'a> {
        match self.head.first_chunk_mut() {
            Some(place) if self.count == self.len && self.entry.is_none() => {
                *place = offset(self.size - self.spare.len());
            }
            _ => return Err(Bail),
        }
        Ok(self.spare)
    }
}
