//! Where a reader is in a message, and values without nested ones.
//!
//! `inline(always)` for the reasons in `value`.

use serde_core::de::Visitor;

use super::document::{Document, Result};
use super::head::{Head, Levels};
use super::number;
use super::shared_or_marked::{ByValue, Kind, Open, Sign};
use super::value::Value;
use crate::biniou::mark::{Mark, Target};
use crate::biniou::wire::Tag;
use crate::failed::Failed;
use crate::text;

/// The bytes to come, what all values share, and how deep the next one may nest.
///
/// Each access has its own and passes a copy to each value. Functions that are not inlined never get the one of the
/// access, so it stays in registers. A value that fails leaves it unchanged, unless the value was read to its end.
#[derive(Clone, Copy)]
pub(super) struct Input<'a, 't, 'de> {
    pub(super) rest: &'de [u8],
    pub(super) document: &'a Document<'t, 'de>,
    pub(super) depth: Levels,
}

impl<'a, 't, 'de> Input<'a, 't, 'de> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn level(self) -> Result<Self> {
        match self.depth.enter() {
            Some(depth) => Ok(Input { depth, ..self }),
            None => Err(self.document.too_deep(self.rest)),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn wrapper(self) -> Result<Self> {
        match self.depth.wrap() {
            Some(depth) => Ok(Input { depth, ..self }),
            None => Err(self.document.too_deep(self.rest)),
        }
    }

    /// Reads the value after a tag, at the start of `rest`, and skips it if its type has read nothing or has ignored an
    /// error. Only rows without columns take no bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn value<T>(
        &mut self,
        rest: &'de [u8],
        head: Head,
        read: impl FnOnce(Value<'_, 'a, 't, 'de>) -> Result<T>,
    ) -> Result<T> {
        let mut copy = Input { rest, ..*self };
        let value = read(Value { input: &mut copy, head });
        if value.is_ok() {
            self.rest = match copy.rest.len() == rest.len() {
                false => copy.rest,
                true => self.document.skip_unread(copy.rest, head, self.depth)?,
            };
        }
        value
    }

    /// Reads a value that begins with its tag and has this mark.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn tagged<T>(
        &mut self,
        mark: Head,
        read: impl FnOnce(Value<'_, 'a, 't, 'de>) -> Result<T>,
    ) -> Result<T> {
        let (tag, rest) = self.document.tag(self.rest)?;
        self.value(rest, mark.with_tag(tag), read)
    }

    /// What follows a value that ends before `end`, in so many SHARED.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn close(self, shared: usize, end: &'de [u8]) -> &'de [u8] {
        match shared {
            0 => end,
            _ => self.document.close(shared, end),
        }
    }
}

impl<'a, 't, 'de> Value<'_, 'a, 't, 'de> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn by_value(&self) -> ByValue<'a, 't, 'de> {
        ByValue { input: *self.input, head: self.head }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn check_mark(&self, target: Target) -> Result<()> {
        match self.head.has_mark() {
            false => Ok(()),
            true => self.by_value().check_mark(target),
        }
    }

    /// Refuses a mark in the name of a container that is no newtype struct.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn check_name(&self, name: &'static str, target: Target) -> Result<()> {
        Mark::refuse(name, target).map_err(|error| self.by_value().keep(error))
    }

    /// Reads a value that has this tag, or one of `others`: itself, or that of a SHARED.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn opened<T>(
        self,
        tag: Tag,
        others: &'static [Tag],
        expected: &'static str,
        read: impl FnOnce(&mut Input<'a, 't, 'de>, Head) -> Result<T>,
    ) -> Result<T> {
        // One by one, so that they stay in registers.
        let Input { rest, document, depth } = *self.input;
        let (rest, depth, head, shared) = match self.head.is(tag) {
            true => (rest, depth, self.head, 0),
            false => {
                let Open { input, head, shared } = self.by_value().open(tag, others, expected)?;
                (input.rest, input.depth, head, shared)
            }
        };
        let mut input = Input { rest, document, depth };
        let value = read(&mut input, head);
        let end = input.close(shared, input.rest);
        if value.is_ok() {
            self.input.rest = end;
        }
        value
    }

    /// The bytes of a value that is shared, marked or invalid.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shared_or_marked_bytes(&mut self, kind: &'static Kind) -> Result<&'de [u8]> {
        let Input { rest, document, depth } = *self.input;
        let bytes = document.shared_or_marked_bytes(rest, self.head, depth, kind)?;
        self.input.rest = document.after.get();
        Ok(bytes)
    }

    /// A value of fixed size.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn fixed<const N: usize>(&mut self, kind: &'static Kind) -> Result<[u8; N]> {
        if self.head.is_plain(kind.tag)
            || (self.head.is(kind.tag) && Mark::allows(self.head.mark(), kind.target))
        {
            if let Some((bytes, rest)) = self.input.rest.split_first_chunk() {
                self.input.rest = rest;
                return Ok(*bytes);
            }
        }
        Ok(self.shared_or_marked_bytes(kind)?.first_chunk().copied().unwrap_or([0; N]))
    }

    /// The bytes of a string.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn string(&mut self, kind: &'static Kind) -> Result<&'de [u8]> {
        if self.head.is_plain(Tag::String) {
            if let Some((len, rest)) = number::length(self.input.rest) {
                if let Some((bytes, rest)) = rest.split_at_checked(len) {
                    self.input.rest = rest;
                    return Ok(bytes);
                }
            }
        }
        self.shared_or_marked_bytes(kind)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn text(&mut self) -> Result<&'de str> {
        let Input { rest, document, depth } = *self.input;
        if self.head.is_plain(Tag::String) {
            if let Some((len, rest)) = number::length(rest) {
                if let (Some(text), Some(rest)) = (text::first(rest, len), rest.get(len..)) {
                    self.input.rest = rest;
                    return Ok(text);
                }
            }
        }
        let text = document.shared_or_marked_text(rest, self.head, depth)?;
        self.input.rest = document.after.get();
        Ok(text)
    }

    /// Reads an integer, most likely one of this tag and of so many bits.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn integer<V: Visitor<'de>>(
        self,
        likely: Tag,
        bits: u32,
        visitor: V,
    ) -> Result<V::Value> {
        let Input { rest, document, depth } = *self.input;
        if bits > u64::BITS {
            let number = document.wide_integer(rest, self.head, depth)?;
            self.input.rest = document.after.get();
            return number.visit(visitor);
        }
        let mut found = None;
        if self.head.is_plain(likely) {
            if let (number, size @ 1..) = number::uvint_of_bits(rest, bits) {
                found = rest.get(size..).map(|rest| match likely {
                    Tag::Svint => (number::bits(number::unzigzag(number)), Sign::Signed, rest),
                    _ => (number, Sign::Unsigned, rest),
                });
            }
        }
        let (bits, sign, rest) = match found {
            Some(found) => found,
            None => {
                let (bits, sign) = document.shared_or_marked_integer(rest, self.head, depth);
                (bits, sign, document.after.get())
            }
        };
        match sign {
            Sign::Failed => return Err(Failed),
            _ => self.input.rest = rest,
        }
        match sign {
            Sign::Signed => visitor.visit_i64(i64::from_ne_bytes(bits.to_ne_bytes())),
            _ => visitor.visit_u64(bits),
        }
    }
}
