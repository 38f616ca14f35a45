//! Access to items of sequences, cells of tuples, entries of maps, and variants. Knows counts and paths,
//! does not know how values are read.

use alloc::string::String;

use super::node::Node;
use super::reading::{Reading, TagAndMark};
use super::state::{State, without_key};
use crate::biniou::mark::Mark;
use crate::biniou::wire::{self, ENTRY_CELLS, Tag};
use crate::biniou::{Error, ErrorKind, Result};
use crate::error::Segment;
use crate::glue::de::{
    DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use crate::glue::value::Always;

/// The items of a sequence: of an ARRAY with one tag for all, of a TUPLE with one each.
pub(super) struct Items<'a, 'de> {
    pub(super) state: &'a mut State<'de>,
    pub(super) count: usize,
    pub(super) next: usize,
    /// The size hint: for how many items memory may be taken.
    pub(super) hint: usize,
    /// The common tag, and where it lies.
    pub(super) tag: Option<(Tag, usize)>,
    pub(super) mark: Option<Mark>,
    /// Where an item begins that failed and is not skipped yet.
    pub(super) unread: Option<usize>,
}

impl<'de> Items<'_, 'de> {
    /// Lets `visitor` take the items, and steps over those that it leaves.
    #[inline]
    pub(super) fn visit<V: Visitor<'de, Error>>(mut self, visitor: V) -> Result<V::Value> {
        let offset = self.state.reader.offset();
        let value = visitor.visit_seq(&mut self).map_err(|error| error.or_offset(offset))?;
        self.state.skip_unread(&mut self.unread, self.tag.map(|(tag, _)| tag))?;
        for _ in self.next..self.state.reachable(self.count) {
            match self.tag {
                Some((tag, _)) => self.state.skip(tag)?,
                None => self.state.skip_tagged()?,
            }
        }
        Ok(value)
    }
}

impl<'de> SeqAccess<'de> for Items<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de, Error>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>> {
        self.state.skip_unread(&mut self.unread, self.tag.map(|(tag, _)| tag))?;
        if self.next >= self.state.reachable(self.count) {
            return Ok(None);
        }
        let (index, offset) = (self.next, self.state.reader.offset());
        self.next += 1;
        let mark = self.mark;
        let result = match self.tag {
            Some((tag, at)) => {
                let tag_and_mark = TagAndMark::new(tag.byte(), mark);
                seed.deserialize(Node { input: self.state, tag_and_mark, at })
            }
            None => Node::tagged(self.state, mark).and_then(|node| seed.deserialize(node)),
        };
        match result {
            Ok(value) => {
                self.state.skip_if_unread(offset, self.tag.map(|(tag, _)| tag))?;
                Ok(Some(value))
            }
            Err(error) => {
                self.unread = Some(offset);
                Err(error.or_offset(offset).inside(Segment::Index(index)))
            }
        }
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.hint.saturating_sub(self.next))
    }
}

/// The cells of a TUPLE.
pub(super) struct Cells<'a, 'de> {
    pub(super) state: &'a mut State<'de>,
    pub(super) count: usize,
    pub(super) next: usize,
    /// The size hint: for how many cells memory may be taken.
    pub(super) hint: usize,
    /// How many the type takes.
    pub(super) len: usize,
    pub(super) mark: Option<Mark>,
    /// Whether it is a tuple struct, of whose slots errors speak.
    pub(super) is_struct: bool,
    /// Where a cell begins that failed and is not skipped yet.
    pub(super) unread: Option<usize>,
}

impl<'de> Cells<'_, 'de> {
    /// Lets `visitor` take the cells. Missing ones at the end get defaults if the type has them, and
    /// unknown ones are skipped, as by OCaml's readers.
    #[inline]
    pub(super) fn visit<V: Visitor<'de, Error>>(mut self, visitor: V) -> Result<V::Value> {
        let start = self.state.reader.offset();
        let value = match visitor.visit_seq(&mut self) {
            Ok(value) => value,
            Err(error) if error.offset().is_none() && self.count < self.len => {
                let found = self.count;
                return Err(Error::at(ErrorKind::MissingCells { found }, start));
            }
            Err(error) => return Err(error.or_offset(start)),
        };
        self.state.skip_unread(&mut self.unread, None)?;
        for _ in self.next..self.state.reachable(self.count) {
            self.state.skip_tagged()?;
        }
        Ok(value)
    }
}

impl<'de> SeqAccess<'de> for Cells<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de, Error>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>> {
        self.state.skip_unread(&mut self.unread, None)?;
        if self.next >= self.state.reachable(self.count.min(self.len)) {
            return Ok(None);
        }
        let (index, offset) = (self.next, self.state.reader.offset());
        self.next += 1;
        let node = Node::tagged(self.state, self.mark);
        match node.and_then(|node| seed.deserialize(node)) {
            Ok(value) => {
                self.state.skip_if_unread(offset, None)?;
                Ok(Some(value))
            }
            Err(error) => {
                self.unread = Some(offset);
                Err(error.or_offset(offset).inside(match self.is_struct {
                    true => Segment::Slot(index),
                    false => Segment::Index(index),
                }))
            }
        }
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.hint.saturating_sub(self.next))
    }
}

/// The entries of a map: an ARRAY of TUPLEs of a key and a value.
pub(super) struct Entries<'a, 'de> {
    state: &'a mut State<'de>,
    count: usize,
    next: usize,
    /// The size hint: for how many entries memory may be taken.
    hint: usize,
    /// Whether its keys are the names of a struct's fields.
    has_names: bool,
    /// How many cells of the entry are not read yet, and where the next one begins.
    unread: usize,
    unread_at: usize,
}

impl<'a, 'de> Entries<'a, 'de> {
    /// Takes the length and tag.
    pub(super) fn take(state: &'a mut State<'de>) -> Result<Self> {
        let count = wire::take_items(&mut state.reader)?;
        let offset = state.reader.offset();
        if count > 0 {
            let tag = wire::take_tag(&mut state.reader)?;
            if tag != Tag::Tuple {
                let (found, expected) = (tag.name(), "tuple");
                return Err(Error::at(ErrorKind::WrongTag { found, expected }, offset));
            }
        }
        let hint = state.items.claim(count);
        Ok(Entries { state, count, next: 0, hint, has_names: false, unread: 0, unread_at: 0 })
    }

    /// The same where a struct is asked for.
    pub(super) fn take_named(state: &'a mut State<'de>) -> Result<Self> {
        Ok(Entries { has_names: true, ..Self::take(state)? })
    }

    pub(super) fn visit<V: Visitor<'de, Error>>(mut self, visitor: V) -> Result<V::Value> {
        let offset = self.state.reader.offset();
        let value = visitor.visit_map(&mut self).map_err(|error| error.or_offset(offset))?;
        self.skip_unread()?;
        for _ in self.next..self.state.reachable(self.count) {
            self.state.skip(Tag::Tuple)?;
        }
        Ok(value)
    }

    /// Steps over what is left of an entry.
    #[inline]
    fn skip_unread(&mut self) -> Result<()> {
        if self.unread == 0 {
            return Ok(());
        }
        self.state.return_to(self.unread_at);
        self.skip_rest()
    }

    /// Steps over the cells that are left, from where the reader is.
    fn skip_rest(&mut self) -> Result<()> {
        for _ in 0..core::mem::take(&mut self.unread) {
            let skipped = self.state.skip_tagged();
            self.state.note_failure(skipped)?;
        }
        Ok(())
    }

    fn cell<T: DeserializeSeed<'de, Error>>(
        &mut self,
        seed: T,
        field: &'static str,
    ) -> Result<T::Value> {
        let (index, offset) = (self.next.saturating_sub(1), self.state.reader.offset());
        // Key and value are one level inside of the entry.
        let result = self
            .state
            .level(|state| Node::tagged(state, None).and_then(|node| seed.deserialize(node)));
        match result {
            Ok(value) => {
                self.state.skip_if_unread(offset, None)?;
                self.unread -= 1;
                self.unread_at = self.state.reader.offset();
                Ok(value)
            }
            Err(error) => Err(in_entry(error, offset, index, field)),
        }
    }
}

#[cold]
fn in_entry(error: Error, offset: usize, index: usize, field: &'static str) -> Error {
    error.or_offset(offset).inside(Segment::Field(field.into())).inside(Segment::Index(index))
}

impl<'de> MapAccess<'de> for Entries<'_, 'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de, Error>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>> {
        self.skip_unread()?;
        if self.next >= self.state.reachable(self.count) {
            return Ok(None);
        }
        let (index, offset) = (self.next, self.state.reader.offset());
        // Before anything can fail, so that iteration ends after errors.
        self.next += 1;
        let cells = wire::take_cells(&mut self.state.reader);
        let cells =
            self.state.note_failure(cells).map_err(|error| error.inside(Segment::Index(index)))?;
        (self.unread, self.unread_at) = (cells, self.state.reader.offset());
        if cells < ENTRY_CELLS {
            let error = Error::at(ErrorKind::MissingCells { found: cells }, offset);
            return Err(error.inside(Segment::Index(index)));
        }
        if self.has_names {
            let at = self.state.reader.offset();
            let mut ahead = self.state.reader;
            let tag = wire::take_tag(&mut ahead)?;
            if tag != Tag::String {
                let (found, expected) = (tag.name(), "the name of a field");
                let error = Error::at(ErrorKind::WrongTag { found, expected }, at);
                return Err(in_entry(error, at, index, "key"));
            }
        }
        self.cell(seed, "key").map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de, Error>>(&mut self, seed: V) -> Result<V::Value> {
        if self.state.reachable(self.unread) == 0 {
            return without_key();
        }
        let value = self.cell(seed, "value")?;
        self.skip_rest()?;
        Ok(value)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.hint.saturating_sub(self.next))
    }
}

/// A VARIANT, whose hash is read.
pub(super) struct Variant<'a, 'de> {
    state: &'a mut State<'de>,
    /// Its name, if it is one of the type's.
    name: Option<&'static str>,
    hash: u32,
    argument: bool,
    offset: usize,
}

impl<'a, 'de> Variant<'a, 'de> {
    /// Takes the hash of a variant of the type whose names are known by a number.
    pub(super) fn take(state: &'a mut State<'de>, names: usize) -> Result<Self> {
        let offset = state.reader.offset();
        let (hash, argument) = wire::take_variant(&mut state.reader)?;
        let names = state.names.get(names);
        let name = names.and_then(|names| Some(names.name(names.find(hash, 0)?)));
        Ok(Variant { state, name, hash, argument, offset })
    }

    pub(super) fn visit<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
        let Variant { state, name, hash, argument, offset } = self;
        let start = state.reader.offset();
        let variant = Variant { state: &mut *state, name, hash, argument, offset };
        let value = visitor.visit_enum(variant).map_err(|error| error.or_offset(offset))?;
        if argument && state.reader.offset() == start {
            // The type has not looked at the argument.
            state.level(State::skip_tagged)?;
        }
        Ok(value)
    }

    /// Reads a variant's argument as a map of one entry.
    pub(super) fn visit_as_map<V: Visitor<'de, Error>>(
        state: &mut State<'de>,
        name: String,
        visitor: V,
    ) -> Result<V::Value> {
        let offset = state.reader.offset();
        visitor
            .visit_map(NamedArgument { state, name: Some(name) })
            .map_err(|error| error.or_offset(offset))
    }

    /// Refuses an argument too many, or one that is missing.
    fn expect_argument(&self, expected: bool) -> Result<()> {
        if self.argument == expected {
            return Ok(());
        }
        let name = self.name.unwrap_or_default();
        let found = if self.argument { "an argument too many" } else { "no argument" };
        Err(Error::at(ErrorKind::Argument { name, found }, self.offset))
    }

    /// Reads the argument, a level inside.
    fn argument<T>(self, read: impl FnOnce(Node<'_, 'de, State<'de>>) -> Result<T>) -> Result<T> {
        self.expect_argument(true)?;
        self.state.level(|state| {
            let offset = state.reader.offset();
            Node::tagged(state, None).and_then(read).map_err(|error| error.or_offset(offset))
        })
    }
}

impl<'de> EnumAccess<'de> for Variant<'_, 'de> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'de, Error>>(self, seed: T) -> Result<(T::Value, Self)> {
        let Variant { name, hash, offset, .. } = self;
        let variant = match name {
            Some(name) => seed.deserialize(Always::new(name)),
            // A number that no variant has. Only `#[serde(other)]` takes it.
            None => seed.deserialize(Always::new(u64::MAX)),
        };
        match variant {
            Ok(variant) => Ok((variant, self)),
            Err::<_, Error>(_) => Err(Error::at(ErrorKind::UnknownVariant { hash }, offset)),
        }
    }
}

impl<'de> VariantAccess<'de> for Variant<'_, 'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        match self.name {
            // `#[serde(other)]` may have taken a variant with an argument, which is skipped.
            None if self.argument => self.state.level(State::skip_tagged),
            _ => self.expect_argument(false),
        }
    }

    #[inline]
    fn newtype_variant_seed<T: DeserializeSeed<'de, Error>>(self, seed: T) -> Result<T::Value> {
        self.argument(|node| seed.deserialize(node))
    }

    #[inline]
    fn tuple_variant<V: Visitor<'de, Error>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.argument(|node| Deserializer::deserialize_tuple_struct(node, "", len, visitor))
    }

    #[inline]
    fn struct_variant<V: Visitor<'de, Error>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.argument(|node| Deserializer::deserialize_struct(node, "", fields, visitor))
    }
}

/// A variant's argument under its name.
struct NamedArgument<'a, 'de> {
    state: &'a mut State<'de>,
    name: Option<String>,
}

impl<'de> MapAccess<'de> for NamedArgument<'_, 'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de, Error>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>> {
        match self.name.take() {
            Some(name) => seed.deserialize(Always::new(name)).map(Some),
            None => Ok(None),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de, Error>>(&mut self, seed: V) -> Result<V::Value> {
        seed.deserialize(Node::tagged(self.state, None)?)
    }
}
