//! Access to items of sequences, cells of tuples, entries of maps, and variants. Knows counts, does not know
//! how values are read.

use super::node::Node;
use super::reading::{Common, Reading};
use super::state::{State, without_key};
use crate::biniou::mark::Mark;
use crate::biniou::wire::{self, ENTRY_CELLS, Tag};
use crate::biniou::{Error, ErrorKind, Result};
use crate::error::Segment;
use crate::glue::de::{
    DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use crate::glue::value::Always;

/// The items of an ARRAY, with one tag for all.
pub(super) struct Items<'a, 'de, R: Reading<'de>> {
    pub(super) input: &'a mut R,
    pub(super) left: usize,
    /// The size hint: for how many items memory may be taken.
    hint: usize,
    /// The common tag, if there is an item.
    pub(super) common: Common<R::Place>,
    pub(super) mark: Option<Mark>,
    parts: R::Parts,
    pub(super) template: R::Template,
}

impl<'a, 'de, R: Reading<'de>> Items<'a, 'de, R> {
    /// Takes the length and tag.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn take(input: &'a mut R, mark: Option<Mark>) -> Result<Self, R::Error> {
        let left = wire::take_items(input)?;
        let at = input.place();
        let tag = match left {
            0 => 0,
            _ => input.take_tag()?,
        };
        let (hint, template) = (input.claim(left), input.template(left));
        let (common, parts) = (Common { tag, at }, R::Parts::default());
        Ok(Items { input, left, hint, common, mark, parts, template })
    }

    /// Lets `visitor` take the items, and steps over those that it leaves.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn visit<V: Visitor<'de, R::Error>>(
        mut self,
        visitor: V,
    ) -> Result<V::Value, R::Error> {
        let place = self.input.place();
        let value = visitor.visit_seq(&mut self);
        let value = self.input.placed(place, value)?;
        self.input.end(&mut self.parts, self.left, Some(self.common))?;
        Ok(value)
    }
}

impl<'de, R: Reading<'de>> SeqAccess<'de> for Items<'_, 'de, R> {
    type Error = R::Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element_seed<T: DeserializeSeed<'de, R::Error>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, R::Error> {
        let Some(left) = self.input.next(&mut self.parts, self.left, Some(self.common))? else {
            return Ok(None);
        };
        self.left = left;
        let seed = match R::by_template(self, seed) {
            Ok(value) => return value.map(Some),
            Err(seed) => seed,
        };
        let read = |node: Node<'_, 'de, R>| seed.deserialize(node);
        let (common, mark) = (Some(self.common), self.mark);
        self.input.part(&mut self.parts, common, mark, Segment::Index, read).map(Some)
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.left.min(self.hint))
    }
}

/// The cells of a TUPLE, with a tag each.
pub(super) struct Cells<'a, 'de, R: Reading<'de>> {
    input: &'a mut R,
    /// How many are still to be handed out, and how many others there are.
    left: usize,
    others: usize,
    /// The size hint: for how many cells memory may be taken.
    hint: usize,
    mark: Option<Mark>,
    /// What errors call a cell.
    segment: fn(usize) -> Segment,
    parts: R::Parts,
}

impl<'a, 'de, R: Reading<'de>> Cells<'a, 'de, R> {
    /// Reads the cells of a sequence.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn visit_all<V: Visitor<'de, R::Error>>(
        input: &'a mut R,
        mark: Option<Mark>,
        visitor: V,
    ) -> Result<V::Value, R::Error> {
        let left = wire::take_cells(input)?;
        let hint = input.claim(left);
        let (segment, parts) = (Segment::Index, R::Parts::default());
        Cells { input, left, others: 0, hint, mark, segment, parts }.visit(None, visitor)
    }

    /// Reads the cells of a tuple of `len`. Missing ones at the end get defaults if the type has them, and unknown
    /// ones are skipped, as by OCaml's readers.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn visit_some<V: Visitor<'de, R::Error>>(
        input: &'a mut R,
        len: usize,
        mark: Option<Mark>,
        segment: fn(usize) -> Segment,
        visitor: V,
    ) -> Result<V::Value, R::Error> {
        let count = input.take_cells_of(len)?;
        let (left, parts) = (count.min(len), R::Parts::default());
        let (hint, found) = (input.claim_cells(left), (count < len).then_some(count));
        Cells { input, left, others: count - left, hint, mark, segment, parts }
            .visit(found, visitor)
    }

    /// `found` is how many there are if some are missing.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit<V: Visitor<'de, R::Error>>(
        mut self,
        found: Option<usize>,
        visitor: V,
    ) -> Result<V::Value, R::Error> {
        let place = self.input.place();
        let value = visitor.visit_seq(&mut self);
        let value = match found {
            None => value,
            Some(found) => self.input.missed(place, found, value),
        };
        let value = self.input.placed(place, value)?;
        self.input.end(&mut self.parts, self.left + self.others, None)?;
        Ok(value)
    }
}

impl<'de, R: Reading<'de>> SeqAccess<'de> for Cells<'_, 'de, R> {
    type Error = R::Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element_seed<T: DeserializeSeed<'de, R::Error>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, R::Error> {
        let Some(left) = self.input.next(&mut self.parts, self.left, None)? else {
            return Ok(None);
        };
        self.left = left;
        let read = |node: Node<'_, 'de, R>| seed.deserialize(node);
        self.input.part(&mut self.parts, None, self.mark, self.segment, read).map(Some)
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.left.min(self.hint))
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
        let count = wire::take_entries(state)?;
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
        let result = self.state.in_step(Segment::Index(index), |state| {
            state.in_step(Segment::Field(field.into()), |state| {
                state.level(|state| {
                    Node::tagged(state, None).and_then(|node| seed.deserialize(node))
                })
            })
        });
        match result {
            Ok(value) => {
                self.state.skip_if_unread(offset, None)?;
                self.unread -= 1;
                self.unread_at = self.state.reader.offset();
                Ok(value)
            }
            Err(error) => Err(error.or_offset(offset).in_entry(index, field)),
        }
    }
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
                return Err(error.in_entry(index, "key"));
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
pub(super) struct Variant<'a, 'de, R: Reading<'de>> {
    input: &'a mut R,
    /// Its name, if it is one of the type's.
    name: Option<&'static str>,
    hash: u32,
    argument: bool,
    place: R::Place,
}

impl<'a, 'de, R: Reading<'de>> Variant<'a, 'de, R> {
    /// Reads one of `variants`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn visit<V: Visitor<'de, R::Error>>(
        input: &'a mut R,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, R::Error> {
        let names = input.names_of(variants)?;
        let place = input.place();
        let (hash, argument) = wire::take_variant(input)?;
        let name = input.variant_name(names, hash)?;
        let left = input.left();
        let variant = Variant { input: &mut *input, name, hash, argument, place };
        let value = visitor.visit_enum(variant);
        let value = input.placed(place, value)?;
        if argument && input.left() == left {
            // The type has not looked at the argument.
            input.skip_argument()?;
        }
        Ok(value)
    }

    /// Refuses an argument too many, or one that is missing.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn expect_argument(&mut self, expected: bool) -> Result<(), R::Error> {
        let (name, argument) = (self.name, self.argument);
        if argument == expected {
            return Ok(());
        }
        Err(self.input.fault(self.place, || {
            let name = name.unwrap_or_default();
            let found = if argument { "an argument too many" } else { "no argument" };
            ErrorKind::Argument { name, found }
        }))
    }

    /// Reads the argument, a level inside.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn argument<T>(
        mut self,
        read: impl FnOnce(Node<'_, 'de, R>) -> Result<T, R::Error>,
    ) -> Result<T, R::Error> {
        self.expect_argument(true)?;
        self.input.level(|input| {
            let place = input.place();
            let value = input.tagged(None, read);
            input.placed(place, value)
        })
    }
}

impl<'de, R: Reading<'de>> EnumAccess<'de> for Variant<'_, 'de, R> {
    type Error = R::Error;
    type Variant = Self;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn variant_seed<T: DeserializeSeed<'de, R::Error>>(
        self,
        seed: T,
    ) -> Result<(T::Value, Self), R::Error> {
        let variant = match self.name {
            Some(name) => seed.deserialize(Always::new(name)),
            // A number that no variant has. Only `#[serde(other)]` takes it.
            None => seed.deserialize(Always::new(u64::MAX)),
        };
        let Variant { hash, place, .. } = self;
        match variant {
            Ok(variant) => Ok((variant, self)),
            Err(_) => Err(self.input.fault(place, || ErrorKind::UnknownVariant { hash })),
        }
    }
}

impl<'de, R: Reading<'de>> VariantAccess<'de> for Variant<'_, 'de, R> {
    type Error = R::Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn unit_variant(mut self) -> Result<(), R::Error> {
        match self.name {
            // `#[serde(other)]` may have taken a variant with an argument, which is skipped.
            None if self.argument => self.input.skip_argument(),
            _ => self.expect_argument(false),
        }
    }

    #[inline]
    fn newtype_variant_seed<T: DeserializeSeed<'de, R::Error>>(
        self,
        seed: T,
    ) -> Result<T::Value, R::Error> {
        self.argument(|node| seed.deserialize(node))
    }

    #[inline]
    fn tuple_variant<V: Visitor<'de, R::Error>>(
        self,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, R::Error> {
        self.argument(|node| node.deserialize_tuple_struct("", len, visitor))
    }

    #[inline]
    fn struct_variant<V: Visitor<'de, R::Error>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, R::Error> {
        self.argument(|node| node.deserialize_struct("", fields, visitor))
    }
}
