//! The parts of made-up values. Knows how many are made, does not know which kinds of types there are.

use alloc::vec::Vec;

use serde_core::de::{
    DeserializeSeed, EnumAccess, IntoDeserializer, MapAccess, SeqAccess, VariantAccess, Visitor,
    value::StrDeserializer,
};

use super::Trace;
use super::kinds::{Key, Mode};
use crate::biniou::{Error, Result};

/// A sequence has no more items than this, whatever they show.
const MOST_ITEMS: usize = 256;

/// Items of a sequence or tuple.
pub(super) struct Items<'t> {
    trace: &'t mut Trace,
    more: More,
}

/// How many parts are still to come.
enum More {
    Exactly(usize),
    /// Another one for as long as they show something new, but not more than so many; and how much
    /// had been shown before the last.
    WhileNew(usize, Option<usize>),
}

impl More {
    fn while_new(mode: Mode) -> Self {
        match mode {
            Mode::Full => More::WhileNew(MOST_ITEMS, None),
            Mode::Spare => More::Exactly(0),
        }
    }

    /// Whether another one comes, now that so much has been shown.
    fn another(&mut self, shown: usize) -> bool {
        match self {
            More::Exactly(left) | More::WhileNew(left, _) if *left == 0 => false,
            More::Exactly(left) => {
                *left -= 1;
                true
            }
            More::WhileNew(left, before) => {
                *left -= 1;
                before.replace(shown) != Some(shown)
            }
        }
    }
}

impl<'t> Items<'t> {
    pub(super) fn none(trace: &'t mut Trace) -> Self {
        Items::exactly(0, trace)
    }

    pub(super) fn some(trace: &'t mut Trace) -> Self {
        Items { more: More::while_new(trace.mode), trace }
    }

    pub(super) fn exactly(len: usize, trace: &'t mut Trace) -> Self {
        Items { more: More::Exactly(len), trace }
    }
}

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        match self.more.another(self.trace.kinds.begun) {
            true => seed.deserialize(&mut *self.trace).map(Some),
            false => Ok(None),
        }
    }
}

/// Entries of a map.
pub(super) struct Entries<'t> {
    items: Items<'t>,
}

impl<'t> Entries<'t> {
    pub(super) fn none(trace: &'t mut Trace) -> Self {
        Entries { items: Items::none(trace) }
    }

    pub(super) fn some(trace: &'t mut Trace) -> Self {
        Entries { items: Items::some(trace) }
    }
}

impl<'de> MapAccess<'de> for Entries<'_> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        self.items.next_element_seed(seed)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        seed.deserialize(&mut *self.items.trace)
    }
}

/// Fields of a struct, by name.
pub(super) struct Fields<'t> {
    key: Key,
    names: &'static [&'static str],
    order: alloc::vec::IntoIter<usize>,
    /// The one whose name was taken last.
    at: usize,
    trace: &'t mut Trace,
}

impl<'t> Fields<'t> {
    pub(super) fn new(key: Key, names: &'static [&'static str], trace: &'t mut Trace) -> Self {
        let order: Vec<usize> = trace.kinds.order(key);
        Fields { key, names, order: order.into_iter(), at: 0, trace }
    }
}

impl<'de> MapAccess<'de> for Fields<'_> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Some(index) = self.order.next() else {
            return Ok(None);
        };
        self.at = index;
        self.trace.kinds.offer(self.key, index);
        let name = self.names.get(index).copied().unwrap_or_default();
        let name: StrDeserializer<'static, Error> = name.into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        self.trace.kinds.accept(self.key, self.at);
        let value = seed.deserialize(&mut *self.trace)?;
        self.trace.kinds.made(self.key, self.at);
        Ok(value)
    }
}

/// The variant of an enum that was chosen.
pub(super) struct Variant<'t> {
    name: &'static str,
    trace: &'t mut Trace,
}

impl<'t> Variant<'t> {
    pub(super) fn new(name: &'static str, trace: &'t mut Trace) -> Self {
        Variant { name, trace }
    }
}

impl<'de> EnumAccess<'de> for Variant<'_> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self)> {
        let name: StrDeserializer<'static, Error> = self.name.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value> {
        seed.deserialize(self.trace)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        visitor.visit_seq(Items::exactly(len, self.trace))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let name = self.name;
        serde_core::Deserializer::deserialize_struct(self.trace, name, fields, visitor)
    }
}
