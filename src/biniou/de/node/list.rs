//! Reading a value that is a list: items, cells, bytes, and the format's own tree. Knows what follows a
//! list's tag, does not know which type asked.

use alloc::vec::Vec;

use serde_core::Deserialize;

use super::Node;
use crate::biniou::de::access::{Cells, Items};
use crate::biniou::de::table::Table;
use crate::biniou::value;
use crate::biniou::wire::{self, Tag};
use crate::biniou::{Error, Result};
use crate::error::Fault;
use crate::glue::de::Visitor;
use crate::glue::plain::Plain;

impl<'de> Node<'_, 'de> {
    /// Reads the items of a sequence.
    pub(super) fn items<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
        let Node { state, tag, mark, .. } = self;
        match tag {
            Tag::Array => state.level(|state| {
                let count = wire::take_items(&mut state.reader)?;
                let at = state.reader.offset();
                let tag = match count {
                    0 => None,
                    _ => Some((wire::take_tag(&mut state.reader)?, at)),
                };
                let hint = state.items.claim(count);
                Items { state, count, next: 0, hint, tag, mark, unread: None }.visit(visitor)
            }),
            Tag::Tuple => state.level(|state| {
                let count = wire::take_cells(&mut state.reader)?;
                let hint = state.items.claim(count);
                Items { state, count, next: 0, hint, tag: None, mark, unread: None }.visit(visitor)
            }),
            _ => state.level(|state| Table::take(state)?.visit(state, visitor)),
        }
    }

    /// Reads the cells of a tuple; a type takes `len` of them, and others are skipped.
    pub(super) fn cells<V: Visitor<'de, Error>>(
        self,
        len: usize,
        slots: bool,
        visitor: V,
    ) -> Result<V::Value> {
        let Node { state, mark, .. } = self;
        state.level(|state| {
            let count = wire::take_cells(&mut state.reader)?;
            let hint = state.items.claim(count.min(len));
            Cells { state, count, next: 0, hint, len, mark, slots, unread: None }.visit(visitor)
        })
    }

    /// Reads a list of numbers as bytes, since serde writes `&[u8]` and `Cow<[u8]>` as such a list.
    #[cold]
    pub(super) fn numbers<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
        let state = &mut *self.state;
        let mut ahead = state.reader;
        let count = wire::take_items(&mut ahead)?;
        if count == 0 || wire::take_tag(&mut ahead)? == Tag::Int8 {
            // Each is a byte as it stands there.
            let bytes = ahead.take(count)?;
            state.level(|state| {
                state.reader = ahead;
                Ok(())
            })?;
            return visitor.visit_borrowed_bytes(bytes);
        }
        let bytes = Vec::<u8>::deserialize(Plain(self))?;
        visitor.visit_byte_buf(bytes).map_err(|_: Error| {
            let reason = "a list of numbers cannot be borrowed as bytes; mark it `int8`, or use \
                          `serde_bytes`";
            Error::placeless(Fault::Unsupported(reason))
        })
    }

    /// Reads a node of the format's own tree.
    pub(super) fn own_tree<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
        let Node { state, tag, .. } = self;
        let node = state.own_tree(tag);
        state.failed |= node.is_err();
        value::visit(node?, visitor)
    }
}
