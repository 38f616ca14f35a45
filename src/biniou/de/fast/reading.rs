//! What [`Reading`] asks of the fast way. Knows cursors and accesses, does not know which tags a type may have.

use super::input::Input;
use super::parts::{Cells, Entries, Items, MOST_CELLS, Variant};
use super::record;
use super::{Bail, Result};
use crate::biniou::de::node::Node;
use crate::biniou::de::reading::{Rare, Reading, TagAndMark};
use crate::biniou::mark::Mark;
use crate::biniou::wire::{self, CELL_SIZE, Tag};
use crate::glue::de::Visitor;

impl<'s, 'n, 'de, O> Reading<'de> for Input<'s, 'n, 'de, O> {
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

    #[cold]
    fn ignore(&mut self, tag: u8) -> Result<()> {
        self.skip(tag)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit_integer<V: Visitor<'de, Bail>>(
        node: Node<'_, 'de, Self>,
        likely: Tag,
        bits: u32,
        visitor: V,
    ) -> Result<V::Value> {
        if bits > u64::BITS {
            return node.input.take_wide(node.tag_and_mark)?.visit(visitor);
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
        node.input.take_text(node.tag_and_mark)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit_items<V: Visitor<'de, Bail>>(
        node: Node<'_, 'de, Self>,
        visitor: V,
    ) -> Result<V::Value> {
        let mark = node.mark();
        match node.tag_and_mark.is(Tag::Array) {
            true => node.input.level(|input| Items::take(input, mark)?.visit(visitor)),
            false => node.input.level(|input| {
                let left = wire::take_cells(input)?;
                let hint = input.claim(left);
                Cells { input, left, hint, mark }.visit(visitor)
            }),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit_cells<V: Visitor<'de, Bail>>(
        node: Node<'_, 'de, Self>,
        len: usize,
        _: bool,
        visitor: V,
    ) -> Result<V::Value> {
        let mark = node.mark();
        node.input.level(|input| {
            if input.takes_count(len, CELL_SIZE) || wire::take_cells(input)? == len {
                return Cells { input, left: len, hint: len.min(MOST_CELLS), mark }.visit(visitor);
            }
            input.bail()
        })
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

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit_variant<V: Visitor<'de, Bail>>(
        &mut self,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        Variant::visit(self, variants, visitor)
    }
}
