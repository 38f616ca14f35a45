//! Requests of few types: values of any type (`deserialize_any`), identifiers, lazy values, trees, and bytes from a list of
//! numbers.

use alloc::vec::Vec;

use serde_core::de::{Deserialize, Deserializer as _, Visitor};

use super::document::Result;
use super::fields::{Entries, Fields};
use super::input::Input;
use super::shared_or_marked;
use super::value::Value;
use crate::biniou::ErrorKind;
use crate::biniou::error::PAIRS;
use crate::biniou::mark::{Mark, Target};
use crate::biniou::raw::{self, LIST};
use crate::biniou::value::VALUE;
use crate::biniou::wire::{self, ITEM_SIZE, Tag};
use crate::error::CommonKind;
use crate::failed::Failed;
use crate::glue::mark::with_hint;
use crate::raw::{Found, Settings, hand_over};
use crate::text;

impl<'de> Value<'_, '_, '_, 'de> {
    /// Passes the bytes of a lazy value or a tree to its type, after checking that they are a value.
    #[inline(never)]
    pub(super) fn raw<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        self.check_mark(Target::Raw)?;
        let Input { rest, document, depth } = *self.input;
        if self.head.is_row() {
            return Err(self.by_value().wrong_tag("a value"));
        }
        let tag = document.known_tag(rest, self.head.tag())?;
        if name == LIST && !matches!(tag, Tag::Array | Tag::Tuple | Tag::Table) {
            return Err(self.by_value().wrong_tag("array, tuple or table"));
        }
        let (end, reference) = match name == VALUE {
            true => (document.check_tree(rest, tag, depth)?, None),
            false => document.skip_lazy(rest, tag.byte(), depth, name == LIST)?,
        };
        if let Some(at) = reference {
            let kind = if name == LIST { raw::IN_LIST } else { raw::OUTSIDE };
            return Err(document.fail(document.from(at), kind));
        }
        self.input.rest = end;
        let start = document.offset_of(rest);
        let flags =
            if document.is_whole && start == 1 && !self.head.shares_tag() { raw::WHOLE } else { 0 };
        let settings =
            Settings { flags, depth: depth.depth(), max_depth: document.options.max_depth };
        let len = rest.len() - end.len();
        // The tag of an item comes before the first one.
        let (bytes, settings) = match self.head.shares_tag() {
            false => (document.from(start.saturating_sub(1)).get(..len + 1), settings),
            true => (rest.get(..len), raw::headed(settings, tag)),
        };
        let (bytes, offset) =
            (bytes.unwrap_or_default(), document.base.saturating_add(start).saturating_sub(1));
        let part = Found { bytes, offset, settings };
        visitor.visit_enum(hand_over(part))
    }

    /// Reads a value that is marked `any`: a string.
    #[cfg(feature = "any")]
    #[cold]
    #[inline(never)]
    pub(super) fn marked_any<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let bytes = self.string(shared_or_marked::ANY_VALUE)?;
        let Input { document, depth, .. } = self.input.wrapper()?;
        let max_depth = document.options.max_depth;
        // A reference can lead to them, so they may not end where `self.input` continues.
        let offset = document.offset_within(bytes);
        let limits = crate::any::Limits { depth: depth.depth(), max_depth };
        let part = crate::any::Part::<ErrorKind>::new(bytes, offset, limits);
        document.kept(visitor.visit_enum(part))
    }

    /// The key of a flattened map, or a field whose type is an identifier. The latter can be the tag of an adjacently tagged
    /// enum, which only an access by name reads as a variant.
    #[cold]
    #[inline(never)]
    pub(super) fn identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.head.in_field() && !self.input.document.by_name {
            return Err(self.input.document.read_again());
        }
        match Tag::from_byte(self.head.tag()) {
            Some(Tag::Int32 | Tag::Int64) if self.head.mark().is_none() => self.any(visitor),
            Some(Tag::Uvint | Tag::Svint | Tag::Int8 | Tag::Int16) => self.deserialize_i64(visitor),
            Some(Tag::Bool) => self.deserialize_bool(visitor),
            _ => self.deserialize_str(visitor),
        }
    }

    /// Reads a list of numbers as bytes, since serde writes `&[u8]` and `Cow<[u8]>` as a list.
    #[cold]
    #[inline(never)]
    pub(super) fn numbers<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let Input { rest, document, .. } = *self.input;
        let (count, items) = document.length(rest, ITEM_SIZE)?;
        let is_bytes = items.first() == Some(&Tag::Int8.byte());
        let bytes = match count {
            0 => Some((&[][..], items)),
            _ if is_bytes => items.get(1..).and_then(|items| items.split_at_checked(count)),
            _ => None,
        };
        if let Some((bytes, rest)) = bytes {
            self.input.level()?;
            self.input.rest = rest;
            return visitor.visit_borrowed_bytes(bytes);
        }
        let bytes = Vec::<u8>::deserialize(self)?;
        visitor.visit_byte_buf(bytes).map_err(|_: Failed| {
            let reason = "a list of numbers cannot be borrowed as bytes";
            let hint = Some(concat!(
                with_hint!("biniou", int8 Int8, "the field of the bytes"),
                "; or `#[serde(with = \"serde_bytes\")]`"
            ));
            document.not_borrowed(CommonKind::Unsupported { reason, hint })
        })
    }

    /// Reads a value by its tag. Variants become a name or a map of one entry, as in JSON.
    #[cold]
    #[inline(never)]
    pub(super) fn any<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let Input { rest, document, depth } = *self.input;
        if self.head.is_row() {
            return self.deserialize_map(visitor);
        }
        match document.known_tag(rest, self.head.tag())? {
            Tag::Bool => self.deserialize_bool(visitor),
            Tag::Int8 | Tag::Int16 | Tag::Uvint | Tag::Svint => {
                let number = document.wide_integer(rest, self.head, depth)?;
                self.input.rest = document.after.get();
                number.visit(visitor)
            }
            tag @ (Tag::Int32 | Tag::Int64) => {
                let mark = if tag == Tag::Int32 { Mark::Int32 } else { Mark::Int64 };
                self.head = self.head.with_mark(Some(mark));
                self.deserialize_i64(visitor)
            }
            Tag::Float32 => self.deserialize_f32(visitor),
            Tag::Float64 => self.deserialize_f64(visitor),
            Tag::String => {
                let bytes = self.string(shared_or_marked::TEXT)?;
                match text::checked(bytes) {
                    Ok(text) => visitor.visit_borrowed_str(text),
                    Err(_) => visitor.visit_borrowed_bytes(bytes),
                }
            }
            Tag::Array => {
                let (count, items) = document.length(rest, ITEM_SIZE)?;
                let first = items.strip_prefix(&[Tag::Tuple.byte()]).filter(|_| count > 0);
                match first.is_some_and(wire::is_pair) {
                    true => {
                        let reason = "a list of pairs could be a map";
                        let hint = Some(PAIRS);
                        Err(document.fail(rest, CommonKind::Unsupported { reason, hint }))
                    }
                    false => self.deserialize_seq(visitor),
                }
            }
            Tag::Tuple | Tag::Table => self.deserialize_seq(visitor),
            Tag::Record => self.entries(true, visitor),
            Tag::NumVariant => self.deserialize_option(visitor),
            Tag::Variant => {
                let mut reader = document.reader(rest);
                let (hash, argument) = document.kept(wire::take_variant(&mut reader))?;
                let Some(name) = document.name_in_options(hash) else {
                    return Err(document.fail(rest, ErrorKind::NoName { of: "variant", hash }));
                };
                if !argument {
                    self.input.rest = reader.rest();
                    return visitor.visit_str(name);
                }
                let inside = Input { rest: reader.rest(), ..self.input.level()? };
                let fields = Fields::of_variant(inside, name);
                let mut entries = Entries { fields, numbers_fields: false };
                let value = visitor.visit_map(&mut entries);
                let value = entries.fields.end(value)?;
                self.input.rest = entries.fields.input.rest;
                Ok(value)
            }
            Tag::Unit => self.deserialize_unit(visitor),
            Tag::Shared => {
                let mut input = self.input.level()?;
                let (tag, rest, shared) = document.open(rest)?;
                input.rest = rest;
                let head = self.head.to_mark().with_tag(tag);
                let value = Value { input: &mut input, head }.any(visitor);
                let end = document.close(shared, input.rest);
                let value = value?;
                self.input.rest = end;
                Ok(value)
            }
        }
    }
}
