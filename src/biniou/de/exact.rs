//! The exact way: what it does where the two ways differ. Knows the state and accesses, does not know which
//! tags a type may have.

use super::access::{Entries, Items};
use super::node::Node;
use super::node::integer;
use super::rare;
use super::reading::{Common, Rare, Reading, TagAndMark};
use super::record::Fields;
use super::state::State;
use crate::biniou::mark::{Mark, Target};
use crate::biniou::wire::{self, Source, Tag};
use crate::biniou::{Error, ErrorKind, Result};
use crate::error::Segment;
use crate::glue::de::{DeserializeSeed, Visitor};
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
    type Parts = Parts;
    type Names = usize;
    type Template = ();

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
        let outer = self.enter()?;
        let result = read(self);
        // Also after an error: some types go on without the value that failed.
        self.depth = outer;
        self.note_failure(result)
    }

    #[inline]
    fn wrapper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let outer = self.wrap()?;
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

    #[inline]
    fn claim(&mut self, count: usize) -> usize {
        self.items.claim(count)
    }

    #[inline]
    fn claim_cells(&mut self, count: usize) -> usize {
        self.items.claim(count)
    }

    #[inline]
    fn take_cells_of(&mut self, _: usize) -> Result<usize> {
        wire::take_cells(self)
    }

    fn next(
        &mut self,
        parts: &mut Parts,
        left: usize,
        common: Option<Common<usize>>,
    ) -> Result<Option<usize>> {
        self.skip_unread(&mut parts.unread, tag_of(common))?;
        Ok(self.reachable(left).checked_sub(1))
    }

    #[inline]
    fn part<T>(
        &mut self,
        parts: &mut Parts,
        common: Option<Common<usize>>,
        mark: Option<Mark>,
        segment: fn(usize) -> Segment,
        read: impl FnOnce(Node<'_, 'de, Self>) -> Result<T>,
    ) -> Result<T> {
        let (index, offset) = (parts.next, self.reader.offset());
        parts.next += 1;
        self.steps.push(segment(index));
        let value = match common {
            Some(Common { tag, at }) => {
                let tag_and_mark = TagAndMark::new(tag, mark);
                read(Node { input: &mut *self, tag_and_mark, at })
            }
            None => Node::tagged(&mut *self, mark).and_then(read),
        };
        self.steps.pop();
        match value {
            Ok(value) => self.skip_if_unread(offset, tag_of(common)).map(|()| value),
            Err(error) => {
                parts.unread = Some(offset);
                Err(error.or_offset(offset).inside(segment(index)))
            }
        }
    }

    fn end(&mut self, parts: &mut Parts, left: usize, common: Option<Common<usize>>) -> Result<()> {
        let tag = tag_of(common);
        self.skip_unread(&mut parts.unread, tag)?;
        for _ in 0..self.reachable(left) {
            match tag {
                Some(tag) => self.skip(tag)?,
                None => self.skip_tagged()?,
            }
        }
        Ok(())
    }

    #[inline]
    fn placed<T>(&mut self, place: usize, value: Result<T>) -> Result<T> {
        value.map_err(|error| error.or_offset(place))
    }

    #[cold]
    fn missed<T>(&mut self, place: usize, found: usize, value: Result<T>) -> Result<T> {
        value.map_err(|error| match error.offset() {
            None => Error::at(ErrorKind::MissingCells { found }, place),
            Some(_) => error,
        })
    }

    fn template(&self, _: usize) {}

    #[inline]
    fn by_template<T: DeserializeSeed<'de, Error>>(
        _: &mut Items<'_, 'de, Self>,
        seed: T,
    ) -> Result<Result<T::Value>, T> {
        Err(seed)
    }

    #[inline]
    fn names_of(&mut self, list: &'static [&'static str]) -> Result<usize> {
        self.names.of(list)
    }

    #[inline]
    fn variant_name(&mut self, names: usize, hash: u32) -> Result<Option<&'static str>> {
        let names = self.names.get(names);
        Ok(names.and_then(|names| Some(names.name(names.find(hash, 0)?))))
    }

    #[cold]
    fn skip_argument(&mut self) -> Result<()> {
        self.level(State::skip_tagged)
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
}

/// What is noted of the parts of a value: the number of the next one, and where a part begins that failed and
/// is not skipped yet.
#[derive(Default)]
pub(super) struct Parts {
    next: usize,
    unread: Option<usize>,
}

/// The tag that stands in front of all parts.
fn tag_of(common: Option<Common<usize>>) -> Option<Tag> {
    common.and_then(|common| Tag::from_byte(common.tag))
}

/// The tags that an integer may have under a mark, as errors name them.
fn expected(mark: Option<Mark>) -> &'static str {
    match mark {
        Some(Mark::Int32) => Tag::Int32.name(),
        Some(Mark::Int64) => Tag::Int64.name(),
        _ => "uvint, svint, int8 or int16",
    }
}
