//! The two ways of reading, for which each rule of the format is written once: fast and exact. Knows in what
//! they differ, does not know the rules.
//!
//! The fast way is compiled for each type and reads what our own writer writes for it. It knows no offsets, paths
//! or reasons, and bails on everything else: on faults, and on what is correct but rare. Then the exact way,
//! which is compiled once, reads the document from its start, and what it says is final. So the fast way may
//! refuse any document, but what it accepts, the exact way has to accept with the same value.

use serde_core::de;

use super::access::Items;
use super::node::Node;
use crate::biniou::Result;
use crate::biniou::mark::Mark;
use crate::biniou::wire::{Source, Tag};
use crate::error::Segment;
use crate::glue::de::{DeserializeSeed, Visitor};

/// A way of reading, at a value or between two.
pub(super) trait Reading<'de>: Source<'de, Error: de::Error> + Sized {
    /// What is noted of the parts of a value.
    type Parts: Default;

    /// The names of a type.
    type Names: Copy;

    /// What is known of the form that all items of an ARRAY have.
    type Template;

    /// Takes the byte of a tag.
    fn take_tag(&mut self) -> Result<u8, Self::Error>;

    /// Has the exact way decide, most of the time about an error. The fast way bails.
    fn exactly<T>(&mut self, decide: impl FnOnce() -> Result<T>) -> Result<T, Self::Error>;

    /// Reads what only the exact way reads. The fast way bails.
    fn rarely<V: Visitor<'de, Self::Error>>(
        node: Node<'_, 'de, Self>,
        rare: Rare,
        visitor: V,
    ) -> Result<V::Value, Self::Error>;

    /// Reads the value itself if it is shared.
    fn open<T>(
        node: Node<'_, 'de, Self>,
        read: impl FnOnce(Node<'_, 'de, Self>) -> Result<T, Self::Error>,
    ) -> Result<T, Self::Error>;

    /// Reads what is under the mark `shared`: the value of a SHARED, or a value that is not shared.
    fn under_shared<T>(
        node: Node<'_, 'de, Self>,
        read: impl FnOnce(Node<'_, 'de, Self>) -> Result<T, Self::Error>,
    ) -> Result<T, Self::Error>;

    /// Reads a value that takes bytes of its own around others.
    fn level<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Self::Error>,
    ) -> Result<T, Self::Error>;

    /// Reads what is in a newtype struct.
    fn wrapper<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Self::Error>,
    ) -> Result<T, Self::Error>;

    /// Reads a value with its tag in front, to its end.
    fn tagged<T>(
        &mut self,
        mark: Option<Mark>,
        read: impl FnOnce(Node<'_, 'de, Self>) -> Result<T, Self::Error>,
    ) -> Result<T, Self::Error>;

    /// Steps over a value that nobody wants.
    fn ignore(&mut self, tag: u8) -> Result<(), Self::Error>;

    /// Reads an integer, most likely one of this tag and of so many bits.
    fn visit_integer<V: Visitor<'de, Self::Error>>(
        node: Node<'_, 'de, Self>,
        likely: Tag,
        bits: u32,
        visitor: V,
    ) -> Result<V::Value, Self::Error>;

    /// Takes a string's length and bytes; also gives where these begin.
    fn take_string(&mut self) -> Result<(&'de [u8], Self::Place), Self::Error>;

    /// Takes a string that is text.
    fn take_text(node: Node<'_, 'de, Self>) -> Result<&'de str, Self::Error>;

    /// For how many items memory may be taken.
    fn claim(&mut self, count: usize) -> usize;

    /// The same for the cells of a tuple.
    fn claim_cells(&mut self, count: usize) -> usize;

    /// Takes how many cells a TUPLE has, of which a type takes `len`.
    fn take_cells_of(&mut self, len: usize) -> Result<usize, Self::Error>;

    /// Goes on to the next part of `left`: how many follow it, or `None` if there is none.
    fn next(
        &mut self,
        parts: &mut Self::Parts,
        left: usize,
        common: Option<Common<Self::Place>>,
    ) -> Result<Option<usize>, Self::Error>;

    /// Reads a part to its end: with a common tag or one of its own.
    fn part<T>(
        &mut self,
        parts: &mut Self::Parts,
        common: Option<Common<Self::Place>>,
        mark: Option<Mark>,
        segment: fn(usize) -> Segment,
        read: impl FnOnce(Node<'_, 'de, Self>) -> Result<T, Self::Error>,
    ) -> Result<T, Self::Error>;

    /// Steps over the `left` parts that a visitor has not taken.
    fn end(
        &mut self,
        parts: &mut Self::Parts,
        left: usize,
        common: Option<Common<Self::Place>>,
    ) -> Result<(), Self::Error>;

    /// Passes on what a visitor made of a value that begins at `place`, or its error with that place.
    fn placed<T>(
        &mut self,
        place: Self::Place,
        value: Result<T, Self::Error>,
    ) -> Result<T, Self::Error>;

    /// Says why a visitor failed on a tuple that has no more than `found` cells.
    fn missed<T>(
        &mut self,
        place: Self::Place,
        found: usize,
        value: Result<T, Self::Error>,
    ) -> Result<T, Self::Error>;

    /// What is known of so many items before they are read.
    fn template(&self, count: usize) -> Self::Template;

    /// Reads an item by the template. Gives the seed back if there is none for it.
    fn by_template<T: DeserializeSeed<'de, Self::Error>>(
        items: &mut Items<'_, 'de, Self>,
        seed: T,
    ) -> Result<Result<T::Value, Self::Error>, T>;

    /// The names in `list`.
    fn names_of(&mut self, list: &'static [&'static str]) -> Result<Self::Names, Self::Error>;

    /// The name of a variant, if the type has one for the hash.
    fn variant_name(
        &mut self,
        names: Self::Names,
        hash: u32,
    ) -> Result<Option<&'static str>, Self::Error>;

    /// Steps over the argument of a variant.
    fn skip_argument(&mut self) -> Result<(), Self::Error>;

    /// Reads the entries of a map.
    fn visit_entries<V: Visitor<'de, Self::Error>>(
        &mut self,
        visitor: V,
    ) -> Result<V::Value, Self::Error>;

    /// Reads the fields of a RECORD.
    fn visit_fields<V: Visitor<'de, Self::Error>>(
        &mut self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error>;
}

/// The tag that all items of an ARRAY have, and where it lies.
#[derive(Clone, Copy)]
pub(super) struct Common<P> {
    pub(super) tag: u8,
    pub(super) at: P,
}

/// What only the exact way reads.
#[derive(Clone, Copy)]
pub(super) enum Rare {
    /// What the type asks the data for.
    Any,
    /// The name of a field that is no text, or in a field itself: the tag of an adjacently tagged enum, which
    /// is a variant where records are maps.
    Identifier,
    /// A list of numbers as bytes.
    Numbers,
    /// The rows of a TABLE.
    Rows,
    /// A RECORD as a map.
    NamedEntries,
    /// A map as a struct.
    NamedFields,
    /// A node of the format's own tree.
    OwnTree,
    /// Text in the format of `serde_json`.
    RawValue,
    /// A part that is kept raw, by its reserved name.
    Raw(&'static str),
    /// A part that is marked `any`.
    #[cfg(feature = "any")]
    MarkedAny,
}

/// The tag of a value, the mark that stands on it, and whether it is a field. One number, so that
/// functions get it and a pointer in registers.
#[derive(Clone, Copy)]
pub(super) struct TagAndMark(u32);

impl TagAndMark {
    const IN_FIELD: u32 = 1 << 16;

    /// The byte of the tag, which may be none, and the mark that stands on the value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(tag: u8, mark: Option<Mark>) -> Self {
        TagAndMark(u32::from_le_bytes([tag, Mark::to_code(mark), 0, 0]))
    }

    /// That of a field of a record, where an optional one is bare.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn of_field(tag: u8) -> Self {
        TagAndMark(u32::from(tag) | Self::IN_FIELD)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn tag(self) -> u8 {
        self.0.to_le_bytes()[0]
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is(self, tag: Tag) -> bool {
        self.tag() == tag.byte()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn mark(self) -> Option<Mark> {
        Mark::from_code(self.0.to_le_bytes()[1])
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn in_field(self) -> bool {
        self.0 & Self::IN_FIELD != 0
    }

    /// Whether it is a tag without a mark.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_plain(self, tag: Tag) -> bool {
        self.0 & !Self::IN_FIELD == u32::from(tag.byte())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn with_tag(self, tag: u8) -> Self {
        let [_, others @ ..] = self.0.to_le_bytes();
        let [mark, in_field, _] = others;
        TagAndMark(u32::from_le_bytes([tag, mark, in_field, 0]))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn with_mark(self, mark: Option<Mark>) -> Self {
        TagAndMark(TagAndMark::new(self.tag(), mark).0 | self.0 & Self::IN_FIELD)
    }
}
