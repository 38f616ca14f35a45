//! Writes the fields of a struct or union item, or the items of a sequence. Maps are in `entries`.
//!
//! What is called for every value is always inlined, for the reason in [`ser`](super).

use serde_core::ser::{self, Serialize};

use super::encoder::Encoder;
use super::header::Header;
use super::position::{Position, Written};
use super::value::Value;
use super::{dynamic, unlike, wrong_length};
use crate::error::Segment;
use crate::forecast::Forecast;
use crate::molecule::error::{FIXVEC, place};
use crate::molecule::wire::{EMPTY_FIXVEC, number_bytes};
use crate::molecule::{Error, ErrorKind, Result};

/// Upper bound on the memory that is taken because of a size hint.
const MOST_EXPECTED: usize = 1 << 28;

/// Below this size, memory is not taken ahead.
const SMALL: usize = 4096;

/// A value whose fields, items or entries are being written.
///
/// `PACKED` is that of the [`Value`]. Only if `MARKED`, a mark may have made it a struct or fixvec,
/// where everything is packed.
#[derive(Debug)]
pub(in crate::molecule) struct Parts<'a, const PACKED: bool, const MARKED: bool> {
    pub(super) encoder: &'a mut Encoder,
    start: usize,
    /// Where the next value begins.
    pub(super) place: Position,
    /// How many values are complete.
    pub(super) count: usize,
    /// How many there must be; `None` for structs, since serde does not count skipped fields.
    exactly: Option<usize>,
    pub(super) shape: Shape,
    /// Where the entry of a map begins whose key is written and whose value is not.
    pub(super) entry: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    /// Concatenated fixed fields.
    Struct,
    Table(Header),
    DynVec(Header),
    /// Items of `item_size` bytes, the size of the first one. Those of a marked fixvec are packed.
    FixVec {
        item_size: usize,
        packed: bool,
    },
    /// A sequence without a mark and without an item yet. Its first item decides.
    Open {
        announced: usize,
    },
}

impl Shape {
    /// A fixvec by mark, without an item yet.
    pub(super) const MARKED_FIXVEC: Self = Shape::FixVec { item_size: 0, packed: true };
}

impl<'a, const PACKED: bool, const MARKED: bool> Parts<'a, PACKED, MARKED> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn new(
        encoder: &'a mut Encoder,
        start: usize,
        place: Position,
        exactly: Option<usize>,
        shape: Shape,
    ) -> Self {
        Parts { encoder, start, place, count: 0, exactly, shape, entry: None }
    }

    /// A struct without a header.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn packed(
        encoder: &'a mut Encoder,
        place: Position,
        exactly: Option<usize>,
    ) -> Self {
        let start = place.at();
        let place = encoder.enter_packed(place);
        let place = if PACKED { place } else { place.go_to(0) };
        Self::new(encoder, start, place, exactly, Shape::Struct)
    }

    /// A table or dynvec with at least `len` items: serde does not count skipped fields.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn headed(
        encoder: &'a mut Encoder,
        place: Position,
        len: usize,
        exactly: Option<usize>,
        shape: fn(Header) -> Shape,
    ) -> Result<Self> {
        let place = encoder.enter(place)?;
        let start = place.at();
        let (header, at) = Header::reserve(encoder, start, len);
        Ok(Self::new(encoder, start, place.go_to(at), exactly, shape(header)))
    }

    /// A fixvec by mark, or a sequence without a mark.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn counted(
        encoder: &'a mut Encoder,
        place: Position,
        exactly: Option<usize>,
        shape: Shape,
    ) -> Result<Self> {
        let place = encoder.enter(place)?;
        let start = place.at();
        let place = place.go_to(encoder.put(start, &EMPTY_FIXVEC));
        Ok(Self::new(encoder, start, place, exactly, shape))
    }

    /// Whether everything inside is packed. A constant where no mark can be.
    #[inline]
    pub(super) fn is_packed(&self) -> bool {
        let packed = matches!(self.shape, Shape::Struct | Shape::FixVec { packed: true, .. });
        PACKED || (MARKED && packed)
    }

    /// Whether this is a struct without a header. A constant where no mark can be.
    #[inline]
    fn is_struct(&self) -> bool {
        PACKED || (MARKED && matches!(self.shape, Shape::Struct))
    }

    /// Where the next value begins in the frame. Each item of a fixvec has the whole frame.
    #[inline]
    pub(super) fn frame_place(&self) -> Position {
        match self.shape {
            Shape::FixVec { .. } if !PACKED => self.place.go_to(0),
            _ => self.place,
        }
    }

    /// Writes the next value; `segment` is its step in the path of an error.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put<T: ?Sized + Serialize>(
        &mut self,
        value: &T,
        segment: impl FnOnce(usize) -> Segment,
    ) -> Result<()> {
        match self.write(value) {
            Ok(place) => {
                self.place = place;
                self.count += 1;
                Ok(())
            }
            Err(error) => Err(failed(self.encoder, error, segment(self.count))),
        }
    }

    /// Writes the next value, and returns the position after it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn write<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<Position> {
        match self.shape {
            Shape::Table(header) | Shape::DynVec(header) if !PACKED => {
                header.put_offset(self.encoder, self.count, self.place.at());
            }
            _ => {}
        }
        let written = match self.is_packed() {
            true => value.serialize(Value::<true, false>::new(self.encoder, self.frame_place()))?,
            false => value.serialize(Value::<false, false>::new(self.encoder, self.place))?,
        };
        if self.is_struct() {
            return self.take_field(written);
        }
        let end = match self.shape {
            Shape::Struct | Shape::Table(_) => self.encoder.finish_in_slot(written)?,
            Shape::DynVec(_) if written.is_dynamic() => written.at(),
            Shape::DynVec(_) => return Err(not_dynamic(self.count)),
            Shape::FixVec { item_size, packed } => self.take_item(written, item_size, packed)?,
            Shape::Open { announced } if written.is_dynamic() => {
                let (start, at) = (self.start, self.place.at());
                let (header, end) = become_dynvec(self.encoder, start, at, written.at(), announced);
                self.shape = Shape::DynVec(header);
                end
            }
            Shape::Open { .. } => self.take_item(written, 0, false)?,
        };
        Ok(self.place.go_to(end))
    }

    /// Takes a field of a struct, and returns the position after it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take_field(&mut self, written: Written) -> Result<Position> {
        match written.pending_byte() {
            Some(byte) => Ok(self.place.go_to(self.encoder.put_packed(written.at(), [byte]))),
            None if written.is_dynamic() => Err(dynamic("a field", place::STRUCT)),
            None => Ok(self.place.go_to(written.at())),
        }
    }

    /// Takes an item of a fixvec, and returns where it ends.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take_item(&mut self, written: Written, item_size: usize, packed: bool) -> Result<usize> {
        if written.is_dynamic() {
            return Err(not_fixed(self.count));
        }
        let at = self.place.at();
        let end = match self.is_packed() {
            true => self.encoder.finish_packed(at, written)?,
            false => self.encoder.finish(written),
        };
        if self.count == 0 {
            self.shape = Shape::FixVec { item_size: end.wrapping_sub(at), packed };
        } else if end != at.wrapping_add(item_size) {
            return Err(unlike(self.count));
        }
        Ok(end)
    }

    /// Writes all `items` and completes the sequence. serde's own sequences call this.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn collect<I>(mut self, mut items: I) -> Result<Written>
    where
        I: Iterator,
        I::Item: Serialize,
    {
        if let Some(first) = items.next() {
            self.put(&first, Segment::Index)?;
            let least = items.size_hint().0;
            if let Shape::FixVec { item_size, .. } = self.shape {
                let expected = least.saturating_mul(item_size).min(MOST_EXPECTED);
                if expected > SMALL {
                    self.encoder.out.expect(self.place.at(), expected);
                }
            }
            let forecast = Forecast { at: self.place.at(), count: self.count };
            loop {
                let (at, count) = (self.place.at(), self.count);
                if let Shape::DynVec(_) = self.shape {
                    forecast.look_ahead(&mut self.encoder.out, at, count, &items);
                }
                let Some(item) = items.next() else { break };
                self.put(&item, Segment::Index)?;
            }
        }
        self.close().map(|(_, written)| written)
    }

    /// Leaves the slot of a field empty.
    fn skip(&mut self) -> Result<()> {
        let Shape::Table(header) = self.shape else {
            return Err(Error::placeless(ErrorKind::SkippedField));
        };
        header.put_offset(self.encoder, self.count, self.place.at());
        self.count += 1;
        Ok(())
    }

    /// Completes the value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn close(self) -> Result<(&'a mut Encoder, Written)> {
        let is_struct = self.is_struct();
        let Parts { encoder, start, place, count, exactly, shape, entry } = self;
        match exactly {
            Some(announced) if announced != count || entry.is_some() => {
                return Err(wrong_length(announced, count));
            }
            _ => {}
        }
        let end = place.at();
        let written = match shape {
            _ if is_struct && count == 0 => return Err(Error::placeless(ErrorKind::EmptyStruct)),
            _ if PACKED => Written::fixed(end),
            _ if is_struct => Written::fixed(encoder.finish_packed(start, Written::fixed(end))?),
            Shape::Table(header) | Shape::DynVec(header) => {
                let end = header.finish(encoder, count, end)?;
                Written::dynamic(end)
            }
            Shape::FixVec { .. } => {
                encoder.out.patch(start, number_bytes(count));
                Written::dynamic(end)
            }
            Shape::Open { .. } if encoder.strict => {
                return Err(Error::placeless(ErrorKind::UNMARKED_SEQUENCE));
            }
            Shape::Struct | Shape::Open { .. } => Written::dynamic(end),
        };
        Ok((encoder, written))
    }
}

/// Takes the first item of a dynvec, from `at` to `end`, and returns where it ends then. By value, so
/// that the sequence can stay in registers.
#[inline(never)]
fn become_dynvec(
    encoder: &mut Encoder,
    start: usize,
    at: usize,
    end: usize,
    announced: usize,
) -> (Header, usize) {
    let (header, moved) = Header::insert(encoder, start, announced, at, end);
    header.put_offset(encoder, 0, at + moved);
    (header, end + moved)
}

/// Notes the error, since a type may ignore it, and adds the step to its path.
#[cold]
#[inline(never)]
pub(super) fn failed(encoder: &mut Encoder, error: Error, segment: Segment) -> Error {
    encoder.failed = true;
    error.inside(segment)
}

/// The error for a dynamic item of a fixvec.
#[cold]
#[inline(never)]
fn not_fixed(index: usize) -> Error {
    match index {
        0 => dynamic("an item", place::FIXVEC),
        index => unlike(index),
    }
}

/// The error for a fixed item of a dynvec.
#[cold]
#[inline(never)]
fn not_dynamic(index: usize) -> Error {
    match index {
        0 => Error::placeless(ErrorKind::FixedItem).or_hint(Some(FIXVEC)),
        index => unlike(index),
    }
}

macro_rules! parts {
    ($($trait:ident { $($methods:tt)* })*) => {$(
        impl<const PACKED: bool, const MARKED: bool> ser::$trait for Parts<'_, PACKED, MARKED> {
            type Ok = Written;
            type Error = Error;

            $($methods)*

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn end(self) -> Result<Written> {
                self.close().map(|(_, written)| written)
            }
        }
    )*};
}

macro_rules! named {
    () => {
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn serialize_field<T: ?Sized + Serialize>(
            &mut self,
            key: &'static str,
            value: &T,
        ) -> Result<()> {
            self.put(value, |_| Segment::Field(key.into()))
        }

        fn skip_field(&mut self, key: &'static str) -> Result<()> {
            self.skip().map_err(|error| failed(self.encoder, error, Segment::Field(key.into())))
        }
    };
}

macro_rules! numbered {
    ($method:ident $segment:ident) => {
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
            self.put(value, Segment::$segment)
        }
    };
}

parts! {
    SerializeStruct { named! {} }
    SerializeStructVariant { named! {} }
    SerializeSeq { numbered! { serialize_element Index } }
    SerializeTupleStruct { numbered! { serialize_field Slot } }
    SerializeTupleVariant { numbered! { serialize_field Slot } }
}
