//! The exact way: what it does where the two ways differ. Knows the state and accesses, does not know which
//! tags a type may have.

use super::access::{Cells, Entries, Items, Variant};
use super::node::Node;
use super::node::integer;
use super::rare;
use super::reading::{Rare, Reading, TagAndMark};
use super::record::Fields;
use super::state::State;
use crate::biniou::mark::{Mark, Target};
use crate::biniou::wire::{self, Source, Tag};
use crate::biniou::{Error, ErrorKind, Result};
use crate::glue::de::Visitor;
use crate::text;

impl<'de> Source<'de> for State<'de> {
    type Error = Error;
    type Place = usize;

    #[inline]
    fn place(&self) -> usize {
        self.reader.offset()
    }

    #[inline]
    fn left(&self) -> usize {
        self.reader.left()
    }

    #[inline]
    fn take(&mut self, len: usize) -> Result<&'de [u8]> {
        self.reader.take(len)
    }

    #[inline]
    fn take_array<const N: usize>(&mut self) -> Result<[u8; N]> {
        self.reader.take_array()
    }

    #[cold]
    fn fault(&mut self, place: usize, kind: impl FnOnce() -> ErrorKind) -> Error {
        self.reader.fault(place, kind)
    }
}

impl<'de> Reading<'de> for State<'de> {
    #[inline]
    fn take_tag(&mut self) -> Result<u8> {
        wire::take_tag(&mut self.reader).map(Tag::byte)
    }

    #[cold]
    fn exactly<T>(&mut self, decide: impl FnOnce() -> Result<T>) -> Result<T> {
        let offset = self.reader.offset();
        self.note_failure(decide()).map_err(|error| error.or_offset(offset))
    }

    #[inline(never)]
    fn rarely<V: Visitor<'de, Error>>(
        node: Node<'_, 'de, Self>,
        rare: Rare,
        visitor: V,
    ) -> Result<V::Value> {
        rare::read(node, rare, visitor)
    }

    #[inline]
    fn open<T>(
        node: Node<'_, 'de, Self>,
        read: impl FnOnce(Node<'_, 'de, Self>) -> Result<T>,
    ) -> Result<T> {
        let Node { input, tag_and_mark, at } = node;
        let result = match tag_and_mark.is(Tag::Shared) {
            true => input.shared(|input, tag, at| {
                let tag_and_mark = tag_and_mark.with_tag(tag.byte());
                // A shared value may be shared itself.
                Self::open(Node { input, tag_and_mark, at }, read)
            }),
            false => read(Node { input: &mut *input, tag_and_mark, at }),
        };
        input.note_failure(result)
    }

    fn under_shared<T>(
        node: Node<'_, 'de, Self>,
        read: impl FnOnce(Node<'_, 'de, Self>) -> Result<T>,
    ) -> Result<T> {
        let Node { input, tag_and_mark, at } = node;
        let plain = |tag| TagAndMark::new(tag, None);
        let result = match tag_and_mark.is(Tag::Shared) {
            true => input
                .shared(|input, tag, at| read(Node { input, tag_and_mark: plain(tag.byte()), at })),
            false => {
                let tag_and_mark = plain(tag_and_mark.tag());
                read(Node { input: &mut *input, tag_and_mark, at })
            }
        };
        input.note_failure(result)
    }

    #[inline]
    fn level<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let (outer, offset) = (self.depth, self.reader.offset());
        if let Err(error) = self.depth.enter() {
            self.failed = true;
            return Err(Error::or_offset(error, offset));
        }
        let result = read(self);
        // Also after an error: some types go on without the value that failed.
        self.depth = outer;
        self.note_failure(result)
    }

    #[inline]
    fn wrapper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let (outer, offset) = (self.depth, self.reader.offset());
        if let Err(error) = self.depth.wrap() {
            self.failed = true;
            return Err(Error::or_offset(error, offset));
        }
        let result = read(self);
        self.depth = outer;
        result
    }

    #[inline]
    fn tagged<T>(
        &mut self,
        mark: Option<Mark>,
        read: impl FnOnce(Node<'_, 'de, Self>) -> Result<T>,
    ) -> Result<T> {
        let at = self.reader.offset();
        let value = read(Node::tagged(self, mark)?)?;
        self.skip_if_unread(at, None).map(|()| value)
    }

    #[inline]
    fn ignore(&mut self, tag: u8) -> Result<()> {
        // A tag that was taken is one.
        let Some(tag) = Tag::from_byte(tag) else { return Ok(()) };
        let skipped = self.skip(tag);
        self.note_failure(skipped)
    }

    #[inline]
    fn visit_integer<V: Visitor<'de, Error>>(
        mut node: Node<'_, 'de, Self>,
        _: Tag,
        _: u32,
        visitor: V,
    ) -> Result<V::Value> {
        node.check_mark(Target::Integer)?;
        let integer = Self::open(node, |node| {
            let (mark, tag) = (node.mark(), Tag::from_byte(node.tag_and_mark.tag()));
            let integer = tag.map(|tag| integer::take(node.input, tag, mark)).transpose()?;
            integer.flatten().map_or_else(|| node.wrong_tag(expected(mark)), Ok)
        })?;
        integer.visit(visitor)
    }

    #[inline]
    fn take_string(&mut self) -> Result<(&'de [u8], usize)> {
        let start = self.reader.offset();
        let (bytes, offset) = wire::take_string(&mut self.reader)?;
        self.definitions.note_text(start, bytes.len());
        Ok((bytes, offset))
    }

    #[inline]
    fn take_text(node: Node<'_, 'de, Self>) -> Result<&'de str> {
        let (bytes, offset) = node.string()?;
        text::utf8(bytes, offset)
    }

    #[inline(never)]
    fn visit_items<V: Visitor<'de, Error>>(
        node: Node<'_, 'de, Self>,
        visitor: V,
    ) -> Result<V::Value> {
        let (mark, is_array) = (node.mark(), node.tag_and_mark.is(Tag::Array));
        node.input.level(|state| {
            let (count, tag) = match is_array {
                true => {
                    let count = wire::take_items(state)?;
                    let at = state.reader.offset();
                    match count {
                        0 => (count, None),
                        _ => (count, Some((wire::take_tag(state)?, at))),
                    }
                }
                false => (wire::take_cells(state)?, None),
            };
            let hint = state.items.claim(count);
            Items { state, count, next: 0, hint, tag, mark, unread: None }.visit(visitor)
        })
    }

    /// A type takes `len` cells, and others are skipped.
    #[inline(never)]
    fn visit_cells<V: Visitor<'de, Error>>(
        node: Node<'_, 'de, Self>,
        len: usize,
        is_struct: bool,
        visitor: V,
    ) -> Result<V::Value> {
        let mark = node.mark();
        node.input.level(|state| {
            let count = wire::take_cells(state)?;
            let hint = state.items.claim(count.min(len));
            Cells { state, count, next: 0, hint, len, mark, is_struct, unread: None }.visit(visitor)
        })
    }

    #[inline(never)]
    fn visit_entries<V: Visitor<'de, Error>>(&mut self, visitor: V) -> Result<V::Value> {
        self.level(|state| Entries::take(state)?.visit(visitor))
    }

    #[inline(never)]
    fn visit_fields<V: Visitor<'de, Error>>(
        &mut self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let names = self.names.of(fields)?;
        self.level(|state| Fields::take(state, Some(names))?.visit(visitor))
    }

    #[inline(never)]
    fn visit_variant<V: Visitor<'de, Error>>(
        &mut self,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let names = self.names.of(variants)?;
        Variant::take(self, names)?.visit(visitor)
    }
}

/// The tags that an integer may have under a mark, as errors name them.
fn expected(mark: Option<Mark>) -> &'static str {
    match mark {
        Some(Mark::Int32) => Tag::Int32.name(),
        Some(Mark::Int64) => Tag::Int64.name(),
        _ => "uvint, svint, int8 or int16",
    }
}
