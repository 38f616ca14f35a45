//! Access to items of sequences, cells of tuples, entries of maps, and variants. Knows counts, does not
//! know how values are read.

use alloc::boxed::Box;

use super::input::Input;
use super::template::Template;
use super::template_reader;
use super::{Bail, Result};
use crate::biniou::de::node::Node;
use crate::biniou::de::reading::{Reading, TagAndMark};
use crate::biniou::mark::Mark;
use crate::biniou::wire::{self, ENTRY_CELLS, Source, Tag};
use crate::glue::de::{
    DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use crate::glue::value::Always;

/// The items of an ARRAY, with one tag for all.
pub(super) struct Items<'a, 's, 'n, 'de, O> {
    input: &'a mut Input<'s, 'n, 'de, O>,
    tag: u8,
    left: usize,
    /// The size hint: for how many items memory may be taken.
    hint: usize,
    mark: Option<Mark>,
    template_use: TemplateUse,
}

/// Whether the items of an ARRAY are read by a template.
enum TemplateUse {
    Unknown,
    Yes(Box<Template>),
    No,
}

/// For fewer items a template does not pay.
const LEAST_ITEMS: usize = 8;

impl<'a, 's, 'n, 'de, O> Items<'a, 's, 'n, 'de, O> {
    /// Takes the length and tag.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn take(input: &'a mut Input<'s, 'n, 'de, O>, mark: Option<Mark>) -> Result<Self> {
        let left = wire::take_items(input)?;
        let tag = match left {
            0 => 0,
            _ => input.take_byte()?,
        };
        let hint = input.claim(left);
        let template_use = match input.state.uses_templates && left >= LEAST_ITEMS {
            true => TemplateUse::Unknown,
            false => TemplateUse::No,
        };
        Ok(Items { input, tag, left, hint, mark, template_use })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn visit<V: Visitor<'de, Bail>>(mut self, visitor: V) -> Result<V::Value> {
        let value = visitor.visit_seq(&mut self)?;
        match self.left {
            0 => Ok(value),
            _ => self.input.bail(),
        }
    }

    /// Reads an item by the template. Gives the seed back if there is none for it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn by_template<T: DeserializeSeed<'de, Bail>>(
        &mut self,
        seed: T,
    ) -> Result<Result<T::Value>, T> {
        if let TemplateUse::Unknown = self.template_use {
            self.template_use = match self.input.template(self.tag) {
                Some(template) => TemplateUse::Yes(template),
                None => TemplateUse::No,
            };
        }
        let (TemplateUse::Yes(template), Some(item)) =
            (&self.template_use, self.input.item_bytes())
        else {
            return Err(seed);
        };
        if !template.fits(item) {
            return Err(seed);
        }
        let types = self.input.state.types;
        match template_reader::read::<O, _>(item, self.mark, template, types, seed) {
            Ok(Some(value)) => {
                let size = template.size();
                self.input.advance(size);
                Ok(Ok(value))
            }
            Ok(None) => {
                self.input.state.template_bailed.set(true);
                Ok(self.input.bail())
            }
            Err(Bail) => Ok(self.input.bail()),
        }
    }
}

impl<'de, O> SeqAccess<'de> for Items<'_, '_, '_, 'de, O> {
    type Error = Bail;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element_seed<T: DeserializeSeed<'de, Bail>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        let seed = match const { may_fit_template::<T::Value>() } {
            true => match self.by_template(seed) {
                Ok(value) => return value.map(Some),
                Err(seed) => seed,
            },
            false => seed,
        };
        let tag_and_mark = TagAndMark::new(self.tag, self.mark);
        let read = |input: &mut Input<'_, '_, 'de, O>| {
            seed.deserialize(Node { input, tag_and_mark, at: () })
        };
        self.input.value(read).map(Some)
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.left.min(self.hint))
    }
}

/// Whether items of a type may have a fixed size: not if they own memory, since that has any size.
#[cfg_attr(not(debug_assertions), inline(always))]
const fn may_fit_template<T>() -> bool {
    !core::mem::needs_drop::<T>() && size_of::<T>() > size_of::<u64>()
}

/// The cells of a TUPLE, with a tag each.
pub(super) struct Cells<'a, 's, 'n, 'de, O> {
    pub(super) input: &'a mut Input<'s, 'n, 'de, O>,
    pub(super) left: usize,
    /// The size hint: for how many cells memory may be taken.
    pub(super) hint: usize,
    pub(super) mark: Option<Mark>,
}

impl<'de, O> Cells<'_, '_, '_, 'de, O> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn visit<V: Visitor<'de, Bail>>(mut self, visitor: V) -> Result<V::Value> {
        let value = visitor.visit_seq(&mut self)?;
        match self.left {
            0 => Ok(value),
            _ => self.input.bail(),
        }
    }
}

impl<'de, O> SeqAccess<'de> for Cells<'_, '_, '_, 'de, O> {
    type Error = Bail;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element_seed<T: DeserializeSeed<'de, Bail>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        let mark = self.mark;
        self.input.tagged(mark, |node| seed.deserialize(node)).map(Some)
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.left.min(self.hint))
    }
}

/// The largest size hint for the cells of a tuple. Types of a known length seldom ask.
pub(super) const MOST_CELLS: usize = 64;

/// The entries of a map: an ARRAY of TUPLEs of a key and a value.
pub(super) struct Entries<'a, 's, 'n, 'de, O> {
    input: &'a mut Input<'s, 'n, 'de, O>,
    left: usize,
    hint: usize,
    /// Whether a key was given out and its value is to come.
    lacks_value: bool,
}

impl<'a, 's, 'n, 'de, O> Entries<'a, 's, 'n, 'de, O> {
    /// Takes the length and tag.
    #[inline]
    pub(super) fn take(input: &'a mut Input<'s, 'n, 'de, O>) -> Result<Self> {
        let left = wire::take_items(input)?;
        if left > 0 && input.take_byte()? != Tag::Tuple.byte() {
            return input.bail();
        }
        let hint = input.claim(left);
        Ok(Entries { input, left, hint, lacks_value: false })
    }

    #[inline]
    pub(super) fn visit<V: Visitor<'de, Bail>>(mut self, visitor: V) -> Result<V::Value> {
        let value = visitor.visit_map(&mut self)?;
        match (self.left, self.lacks_value) {
            (0, false) => Ok(value),
            _ => self.input.bail(),
        }
    }

    /// Reads a cell, a level inside of the entry.
    #[inline]
    fn cell<T: DeserializeSeed<'de, Bail>>(&mut self, seed: T) -> Result<T::Value> {
        self.input.level(|input| input.tagged(None, |node| seed.deserialize(node)))
    }
}

impl<'de, O> MapAccess<'de> for Entries<'_, '_, '_, 'de, O> {
    type Error = Bail;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de, Bail>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        if self.lacks_value {
            // Iteration ends after an error.
            (self.left, self.lacks_value) = (0, false);
            return self.input.bail();
        }
        self.left = left;
        if usize::from(self.input.take_byte()?) != ENTRY_CELLS {
            return self.input.bail();
        }
        self.lacks_value = true;
        self.cell(seed).map(Some)
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de, Bail>>(&mut self, seed: V) -> Result<V::Value> {
        if !core::mem::take(&mut self.lacks_value) {
            return self.input.bail();
        }
        self.cell(seed)
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.left.min(self.hint))
    }
}

/// A VARIANT, whose hash is read.
pub(super) struct Variant<'a, 's, 'n, 'de, O> {
    input: &'a mut Input<'s, 'n, 'de, O>,
    name: &'static str,
    argument: bool,
}

impl<'s, 'n, 'de, O> Variant<'_, 's, 'n, 'de, O> {
    /// Takes the hash of one of `variants`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn visit<V: Visitor<'de, Bail>>(
        input: &mut Input<'s, 'n, 'de, O>,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let names = input.type_of(variants)?;
        let (hash, argument) = wire::take_variant(input)?;
        let Some(index) = names.find(wire::field_key(hash), 0) else {
            return input.bail();
        };
        let name = names.name(index);
        let left = input.left();
        let value = visitor.visit_enum(Variant { input: &mut *input, name, argument });
        if argument && input.left() == left {
            // The type has not looked at the argument.
            return input.bail();
        }
        input.bail_on_error(value)
    }

    /// Reads the argument, a level inside.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn argument<T>(
        self,
        read: impl FnOnce(Node<'_, 'de, Input<'s, 'n, 'de, O>>) -> Result<T>,
    ) -> Result<T> {
        match self.argument {
            true => self.input.level(|input| input.tagged(None, read)),
            false => self.input.bail(),
        }
    }
}

impl<'de, O> EnumAccess<'de> for Variant<'_, '_, '_, 'de, O> {
    type Error = Bail;
    type Variant = Self;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn variant_seed<T: DeserializeSeed<'de, Bail>>(self, seed: T) -> Result<(T::Value, Self)> {
        let variant = seed.deserialize(Always::new(self.name))?;
        Ok((variant, self))
    }
}

impl<'de, O> VariantAccess<'de> for Variant<'_, '_, '_, 'de, O> {
    type Error = Bail;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn unit_variant(self) -> Result<()> {
        match self.argument {
            false => Ok(()),
            true => self.input.bail(),
        }
    }

    #[inline]
    fn newtype_variant_seed<T: DeserializeSeed<'de, Bail>>(self, seed: T) -> Result<T::Value> {
        self.argument(|node| seed.deserialize(node))
    }

    #[inline]
    fn tuple_variant<V: Visitor<'de, Bail>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.argument(|node| node.deserialize_tuple(len, visitor))
    }

    #[inline]
    fn struct_variant<V: Visitor<'de, Bail>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.argument(|node| node.deserialize_struct("", fields, visitor))
    }
}
