//! What [`Reading`] asks of the fast way. Knows cursors and accesses, does not know which tags a type may have.

use alloc::boxed::Box;
use core::cell::Cell;

use super::entries::Entries;
use super::input::{Input, RECENT};
use super::leaf;
use super::template::Template;
use super::types::Type;
use super::{Bail, Result};
use super::{record, template_reader};
use crate::biniou::de::access::Items;
use crate::biniou::de::node::Node;
use crate::biniou::de::reading::{Common, Rare, Reading, TagAndMark};
use crate::biniou::mark::Mark;
use crate::biniou::skip::{Skipper, Unnoted};
use crate::biniou::wire::{self, CELL_SIZE, Tag};
use crate::error::Segment;
use crate::glue::de::{DeserializeSeed, Visitor};
use crate::limits::DepthMeter;

impl<'n, 'de, O> Reading<'de> for Input<'_, 'n, 'de, O> {
    type Parts = ();
    type Names = &'n Type;
    type Template = TemplateUse;

    /// Takes any byte: who expects another tag bails.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take_tag(&mut self) -> Result<u8> {
        self.take_byte()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn exactly<T>(&mut self, _: impl FnOnce() -> crate::biniou::Result<T>) -> Result<T> {
        self.bail()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn rarely<V: Visitor<'de, Bail>>(node: Node<'_, 'de, Self>, _: Rare, _: V) -> Result<V::Value> {
        node.input.bail()
    }

    /// Whoever does not expect the tag of a shared value bails.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn open<T>(
        node: Node<'_, 'de, Self>,
        read: impl FnOnce(Node<'_, 'de, Self>) -> Result<T>,
    ) -> Result<T> {
        read(node)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn under_shared<T>(
        node: Node<'_, 'de, Self>,
        _: impl FnOnce(Node<'_, 'de, Self>) -> Result<T>,
    ) -> Result<T> {
        node.input.bail()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn level<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.part(self.depth.enter(), read)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn wrapper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.part(self.depth.wrap(), read)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tagged<T>(
        &mut self,
        mark: Option<Mark>,
        read: impl FnOnce(Node<'_, 'de, Self>) -> Result<T>,
    ) -> Result<T> {
        let tag_and_mark = TagAndMark::new(self.take_byte()?, mark);
        self.value(|input| read(Node { input, tag_and_mark, at: () }))
    }

    /// Shared values in it are not remembered, since the fast way bails on references.
    #[inline(never)]
    fn ignore(&mut self, tag: u8) -> Result<()> {
        let depth = DepthMeter::inside(self.depth);
        // The exact way counts how many such rows a document may have.
        let mut skipper = Skipper { depth, notes: Unnoted, empty_rows: &mut 0 };
        let skipped = match Tag::from_byte(tag) {
            Some(tag) => skipper.value(&mut self.rest, tag),
            None => Err(Bail),
        };
        self.bail_on_error(skipped)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit_integer<V: Visitor<'de, Bail>>(
        node: Node<'_, 'de, Self>,
        likely: Tag,
        bits: u32,
        visitor: V,
    ) -> Result<V::Value> {
        if bits > u64::BITS {
            let (number, size) = leaf::wide_integer(node.input.rest.0, node.tag_and_mark);
            return node.input.step(size).and_then(|()| number.visit(visitor));
        }
        match node.input.take_integer(node.tag_and_mark, likely, bits)? {
            (bits, false) => visitor.visit_u64(bits),
            (bits, true) => visitor.visit_i64(i64::from_ne_bytes(bits.to_ne_bytes())),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take_string(&mut self) -> Result<(&'de [u8], ())> {
        wire::take_string(self)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take_text(node: Node<'_, 'de, Self>) -> Result<&'de str> {
        let found = match node.tag_and_mark.is_plain(Tag::String) {
            true => leaf::text(node.input.rest.0),
            false => None,
        };
        match found {
            Some((text, rest)) => {
                node.input.rest.0 = rest;
                Ok(text)
            }
            None => node.input.bail(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn claim(&mut self, count: usize) -> usize {
        let mut items = self.state.items.get();
        let granted = items.claim(count);
        self.state.items.set(items);
        granted
    }

    /// Types of a known length seldom ask, so nothing is claimed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn claim_cells(&mut self, count: usize) -> usize {
        count.min(MAX_CELLS)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take_cells_of(&mut self, len: usize) -> Result<usize> {
        match self.takes_count(len, CELL_SIZE) || wire::take_cells(self)? == len {
            true => Ok(len),
            false => self.bail(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next(&mut self, (): &mut (), left: usize, _: Option<Common<()>>) -> Result<Option<usize>> {
        Ok(left.checked_sub(1))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn part<T>(
        &mut self,
        (): &mut (),
        common: Option<Common<()>>,
        mark: Option<Mark>,
        _: fn(usize) -> Segment,
        read: impl FnOnce(Node<'_, 'de, Self>) -> Result<T>,
    ) -> Result<T> {
        match common {
            Some(Common { tag, at }) => {
                let tag_and_mark = TagAndMark::new(tag, mark);
                self.value(|input| read(Node { input, tag_and_mark, at }))
            }
            None => self.tagged(mark, read),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(&mut self, (): &mut (), left: usize, _: Option<Common<()>>) -> Result<()> {
        match left {
            0 => Ok(()),
            _ => self.bail(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn placed<T>(&mut self, (): (), value: Result<T>) -> Result<T> {
        self.bail_on_error(value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn missed<T>(&mut self, (): (), _: usize, value: Result<T>) -> Result<T> {
        value
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn template(&self, count: usize) -> TemplateUse {
        match self.state.uses_templates && count >= LEAST_ITEMS {
            true => TemplateUse::Unknown,
            false => TemplateUse::No,
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn by_template<T: DeserializeSeed<'de, Bail>>(
        items: &mut Items<'_, 'de, Self>,
        seed: T,
    ) -> Result<Result<T::Value>, T> {
        if !const { may_fit_template::<T::Value>() } {
            return Err(seed);
        }
        let input = &mut *items.input;
        if let TemplateUse::Unknown = items.template {
            items.template = match input.template_of(items.common.tag) {
                Some(template) => TemplateUse::Yes(template),
                None => TemplateUse::No,
            };
        }
        let (TemplateUse::Yes(template), Some(item)) = (&items.template, input.item_bytes()) else {
            return Err(seed);
        };
        if !template.fits(item) {
            return Err(seed);
        }
        let types = input.state.types;
        match template_reader::read::<O, _>(item, items.mark, template, types, seed) {
            Ok(Some(value)) => {
                input.advance(template.size());
                Ok(Ok(value))
            }
            Ok(None) => {
                input.state.template_bailed.set(true);
                Ok(input.bail())
            }
            Err(Bail) => Ok(input.bail()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn names_of(&mut self, list: &'static [&'static str]) -> Result<&'n Type> {
        // Lists of two types differ in their addresses, by 16 at least.
        let slot = self.state.recent.get((list.as_ptr().addr() / 16) % RECENT);
        match slot.and_then(Cell::get) {
            Some(known) if known.is_of(list) => Ok(known),
            _ => match self.state.types.of(list) {
                Some(found) => {
                    if let Some(slot) = slot {
                        slot.set(Some(found));
                    }
                    Ok(found)
                }
                None => self.bail(),
            },
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn variant_name(&mut self, names: &'n Type, hash: u32) -> Result<Option<&'static str>> {
        match names.find(wire::field_key(hash), 0) {
            Some(index) => Ok(Some(names.name(index))),
            None => self.bail(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn skip_argument(&mut self) -> Result<()> {
        self.bail()
    }

    #[inline]
    fn visit_entries<V: Visitor<'de, Bail>>(&mut self, visitor: V) -> Result<V::Value> {
        self.level(|input| Entries::take(input)?.visit(visitor))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit_fields<V: Visitor<'de, Bail>>(
        &mut self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.level(|input| record::take(input, fields, visitor))
    }
}

/// Whether the items of an ARRAY are read by a template.
pub(super) enum TemplateUse {
    Unknown,
    Yes(Box<Template>),
    No,
}

/// For fewer items a template does not pay.
const LEAST_ITEMS: usize = 8;

/// Whether items of a type may have a fixed size: not if they own memory, since that has any size.
#[cfg_attr(not(debug_assertions), inline(always))]
const fn may_fit_template<T>() -> bool {
    !core::mem::needs_drop::<T>() && size_of::<T>() > size_of::<u64>()
}

/// The largest size hint for the cells of a tuple.
const MAX_CELLS: usize = 64;
