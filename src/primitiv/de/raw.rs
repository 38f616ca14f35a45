//! What reading values of all kinds has in common.

use alloc::vec::Vec;

use serde_core::de::Visitor;

use super::access::Parts;
use super::{Own, State};
use crate::error::{Fault, Segment};
use crate::glue::names::Names;
use crate::primitiv::error::{BYTES, TEXT, or_str_hint};
use crate::primitiv::mark::Mark;
use crate::primitiv::wire::{self, Fixed, Headed, WIDE};
use crate::primitiv::{Error, ErrorKind, Result};
#[cfg(feature = "any")]
use crate::{any::Part, glue::plain::Plain};

/// As [`ValueReader`], with nothing noted.
pub(super) struct RawReader<'a, 'de> {
    pub(super) state: &'a mut State<'de>,
    pub(super) mark: Option<Mark>,
}

impl<'de> RawReader<'_, 'de> {
    /// Refuses any mark: the value has one layout only.
    #[inline]
    pub(super) fn check_unmarked(&self, found: &'static str) -> Result<()> {
        match self.mark {
            None => Ok(()),
            Some(mark) => Err(mark.mismatch(found).or_offset(self.state.reader.offset())),
        }
    }

    /// Takes nil, as which every value without parts is written.
    #[inline]
    pub(super) fn take_nil(&mut self) -> Result<()> {
        wire::take_fixed::<0>(&mut self.state.reader, wire::NIL).map(|_| ())
    }

    /// Takes a 128-bit integer: a bin of 16 bytes.
    pub(super) fn take_wide(&mut self) -> Result<[u8; 16]> {
        let reader = &mut self.state.reader;
        let offset = reader.offset();
        let [len] = wire::take_fixed(reader, WIDE)?;
        match len == wire::WIDE_SIZE {
            true => reader.take_array(),
            false => Err(wire::wrong_marker(WIDE.marker.to_u8(), WIDE.name, offset)),
        }
    }

    /// Takes an integer of another width than this, if these options accept any.
    #[inline]
    pub(super) fn other_integer(&mut self, usual: Fixed) -> Result<Option<i128>> {
        let State { reader, own: Own { lenient, .. }, .. } = self.state;
        match *lenient && reader.peek().is_some_and(|first| first != usual.marker.to_u8()) {
            false => Ok(None),
            true => wire::take_integer(reader),
        }
    }

    /// Takes a str or bin, as the mark says.
    #[inline]
    pub(super) fn bytes(self, headed: Headed) -> Result<(&'de [u8], usize)> {
        if self.mark == Some(Mark::Named) {
            self.check_unmarked("text or bytes")?;
        }
        let headed = if self.mark.is_some() { Headed::Str } else { headed };
        let State { reader, own: Own { lenient, .. }, .. } = self.state;
        match wire::take_bytes(reader, headed, *lenient) {
            Ok((bytes, offset, _)) => Ok((bytes, offset)),
            Err(error) => Err(or_str_hint(error, TEXT)),
        }
    }

    /// Reads the parts of a tuple or struct.
    #[inline]
    pub(super) fn parts<V: Visitor<'de>>(
        self,
        len: usize,
        names: Names,
        visitor: V,
    ) -> Result<V::Value> {
        self.check_unmarked("a tuple or array")?;
        Parts::begin(self.state, None, len, names)?.visit(visitor)
    }

    /// Hands out the bytes of a part that is marked `any`: a bin.
    #[cfg(feature = "any")]
    #[cold]
    pub(super) fn any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.check_unmarked("a value that is marked `any`")?;
        let State { reader, own: Own { lenient, .. }, .. } = &mut *self.state;
        let (bytes, offset, _) = wire::take_bytes(reader, Headed::Bin, *lenient)?;
        self.state
            .in_wrapper(|state| visitor.visit_enum(Plain(Part::new(bytes, offset, state.limits()))))
    }

    /// Bytes that were written as a sequence: by types that read bytes and do not write them.
    #[cold]
    pub(super) fn listed_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.state.in_level(|state| {
            let State { reader, items, own: Own { lenient, .. }, .. } = state;
            let (count, _) = wire::take_count(reader, Headed::Array, 1)?;
            let mut bytes = Vec::with_capacity(items.claim(count));
            for index in 0..count {
                let byte = wire::take_byte(reader, *lenient);
                bytes.push(byte.map_err(|error| error.inside(Segment::Index(index)))?);
            }
            visitor.visit_byte_buf(bytes).map_err(|error: Error| match error.kind() {
                // A type that would borrow them.
                ErrorKind::Fault(Fault::Message(text)) if text.starts_with("invalid type") => {
                    error.or_hint(Some(BYTES))
                }
                _ => error,
            })
        })
    }

    /// Refuses a mark in the name of a container that is neither newtype nor enum.
    pub(super) fn check_name(&self, name: &'static str, found: &'static str) -> Result<()> {
        Mark::refuse(name, found).map_err(|error| error.or_offset(self.state.reader.offset()))
    }

    /// The mark in the name of a newtype, enum or struct.
    #[inline]
    pub(super) fn own_mark(&self, name: &'static str) -> Result<Option<Mark>> {
        Mark::of(name).map_err(|error| error.or_offset(self.state.reader.offset()))
    }
}
