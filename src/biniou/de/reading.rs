//! The two ways of reading, for which each rule of the format is written once: fast and exact. Knows in what
//! they differ, does not know the rules.
//!
//! The fast way is compiled for each type and reads what our own writer writes for it. It knows no offsets, paths
//! or reasons, and bails on everything else: on faults, and on what is correct but rare. Then the exact way,
//! which is compiled once, reads the document from its start, and what it says is final. So the fast way may
//! refuse any document, but what it accepts, the exact way has to accept with the same value.

use serde_core::de;

use super::node::Node;
use crate::biniou::Result;
use crate::biniou::mark::Mark;
use crate::biniou::wire::{Source, Tag};
#[cfg(feature = "any")]
use crate::glue::de::Request;
use crate::glue::de::Visitor;

/// A way of reading, at a value or between two.
pub(super) trait Reading<'de>: Source<'de, Error: de::Error> + Sized {
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

    /// Reads the items of an ARRAY or TUPLE.
    fn visit_items<V: Visitor<'de, Self::Error>>(
        node: Node<'_, 'de, Self>,
        visitor: V,
    ) -> Result<V::Value, Self::Error>;

    /// Reads the cells of a TUPLE, of which a type takes `len`.
    fn visit_cells<V: Visitor<'de, Self::Error>>(
        node: Node<'_, 'de, Self>,
        len: usize,
        is_struct: bool,
        visitor: V,
    ) -> Result<V::Value, Self::Error>;

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

    /// Reads a VARIANT.
    fn visit_variant<V: Visitor<'de, Self::Error>>(
        &mut self,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error>;
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
    /// A part that is marked `any`.
    #[cfg(feature = "any")]
    MarkedAny,
    /// A type that is marked `any` by its name.
    #[cfg(feature = "any")]
    NamedAny(Request),
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
