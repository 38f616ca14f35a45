//! The parts of values that are made up, and which of them is next.

use serde_core::de::value::{StrDeserializer, U32Deserializer};
use serde_core::de::{
    DeserializeSeed, EnumAccess, IntoDeserializer as _, MapAccess, SeqAccess, VariantAccess,
    Visitor,
};

use super::fields::StructFields;
use super::maker::{Maker, Mode};
use super::{Failure, Fields, Graph, Id, Shown, Variant, Variants};

/// A sequence has no more items than this, whatever they show.
const MOST_ITEMS: usize = 256;

/// The function that reads the type of a seed.
pub(super) fn address_of<'de, S: DeserializeSeed<'de>>() -> usize {
    let read: fn(S, Maker<'_>) -> Result<S::Value, Failure> = |seed, maker| seed.deserialize(maker);
    (read as *const ()).addr()
}

/// The function that reads what is in an option.
pub(super) fn some_address<'de, V: Visitor<'de>>() -> usize {
    let read: fn(V, Maker<'_>) -> Result<V::Value, Failure> =
        |visitor, maker| visitor.visit_some(maker);
    (read as *const ()).addr()
}

/// The function that reads what is in a newtype struct.
pub(super) fn newtype_address<'de, V: Visitor<'de>>() -> usize {
    let read: fn(V, Maker<'_>) -> Result<V::Value, Failure> =
        |visitor, maker| visitor.visit_newtype_struct(maker);
    (read as *const ()).addr()
}

impl Shown {
    /// The part at that place of the list that [`parts`](Shown::parts) makes. All items of a sequence are one part.
    fn part_mut(&mut self, nth: usize) -> Option<&mut Option<Id>> {
        match self {
            Shown::Newtype(_, part) | Shown::Option(part) | Shown::Sequence(part) => Some(part),
            Shown::Map(key, value) => Some(if nth == 0 { key } else { value }),
            Shown::Tuple(items) | Shown::TupleStruct(_, items) => items.get_mut(nth),
            Shown::Struct(_, fields) => Some(&mut fields.list.get_mut(nth)?.value),
            Shown::Enum(_, variants) => Some(&mut variants.list.get_mut(nth)?.content),
            _ => None,
        }
    }
}

impl Graph {
    /// Makes the `nth` part of a value.
    pub(super) fn part<'de, S: DeserializeSeed<'de>>(
        &mut self,
        holder: Id,
        nth: usize,
        mode: Mode,
        seed: S,
    ) -> Result<S::Value, Failure> {
        let part = self.id(address_of::<S>());
        self.link(holder, part, nth);
        let made = seed.deserialize(self.begin(part, mode)?);
        self.end(part);
        made
    }

    /// Notes the id of a part.
    pub(super) fn link(&mut self, id: Id, part: Id, nth: usize) {
        let Some(node) = self.nodes.get_mut(id.0) else {
            return;
        };
        if let Some(known @ None) = node.shown.part_mut(nth) {
            *known = Some(part);
            self.shown += 1;
        }
    }

    fn wants_items(&self, at: Id) -> bool {
        self.nodes.get(at.0).is_some_and(|node| node.wants_items)
    }
}

/// How many items are still to come.
enum More {
    Exactly(usize),
    /// Another one for as long as they show something new, but not more than so many; and how much
    /// had been shown before the last.
    WhileNew(usize, Option<usize>),
}

impl More {
    fn of(maker: &Maker<'_>) -> Self {
        match maker.mode {
            Mode::Full => More::WhileNew(MOST_ITEMS, None),
            Mode::Minimal => More::Exactly(usize::from(maker.graph.wants_items(maker.at))),
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

/// Items of a sequence or tuple, or entries of a map.
pub(super) struct Items<'g, 'c> {
    maker: Maker<'g>,
    more: More,
    begun: &'c mut usize,
}

impl<'g, 'c> Items<'g, 'c> {
    /// So many, or as many as it takes. Counts them in `begun`, from 0.
    pub(super) fn new(maker: Maker<'g>, len: Option<usize>, begun: &'c mut usize) -> Self {
        let more = len.map_or_else(|| More::of(&maker), More::Exactly);
        Items { maker, more, begun }
    }

    fn another(&mut self) -> Option<usize> {
        let nth = self.more.another(self.maker.graph.shown).then_some(*self.begun)?;
        *self.begun += 1;
        Some(nth)
    }
}

impl<'de> SeqAccess<'de> for Items<'_, '_> {
    type Error = Failure;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Failure> {
        let Some(nth) = self.another() else { return Ok(None) };
        let Maker { graph, at, mode } = &mut self.maker;
        Ok(Some(graph.part(*at, nth, *mode, seed)?))
    }
}

impl<'de> MapAccess<'de> for Items<'_, '_> {
    type Error = Failure;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Failure> {
        let Some(_) = self.another() else { return Ok(None) };
        let Maker { graph, at, mode } = &mut self.maker;
        Ok(Some(graph.part(*at, 0, *mode, seed)?))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Failure> {
        let Maker { graph, at, mode } = &mut self.maker;
        graph.part(*at, 1, *mode, seed)
    }
}

impl Variant {
    pub(super) fn new(name: &'static str) -> Self {
        Variant { name, content: None, is_begun: false, smallest: None, open: 0, tries: 0 }
    }
}

impl Graph {
    fn variants(&mut self, at: Id) -> Option<&mut Variants> {
        match &mut self.nodes.get_mut(at.0)?.shown {
            Shown::Enum(_, variants) => Some(variants),
            _ => None,
        }
    }

    /// Chooses a variant to make. `None` if each would contain the enum without end.
    pub(super) fn choose(&mut self, at: Id, mode: Mode) -> Option<usize> {
        let Shown::Enum(_, variants) = self.shown(at) else {
            return None;
        };
        let rank = |variant: &Variant| match mode {
            // What shows most; then in turn.
            Mode::Full if !variant.is_begun => (0, 0),
            Mode::Full if variant.content.is_some() && self.is_live(variant.content) => {
                (1, variant.tries)
            }
            Mode::Full => (2, variant.tries),
            // What ends, for sure or perhaps. Enums in the smallest value have smaller ones.
            Mode::Minimal => variant.smallest.map_or((1, variant.tries), |smallest| (0, smallest)),
        };
        let ends = |variant: &Variant| {
            mode == Mode::Full || variant.smallest.is_some() || variant.open == 0
        };
        let candidates = variants.list.iter().enumerate().filter(|(_, variant)| ends(variant));
        let (index, _) = candidates.min_by_key(|(_, variant)| rank(variant))?;

        let variant = self.variants(at)?.list.get_mut(index)?;
        variant.tries += 1;
        variant.open += 1;
        let is_news = !core::mem::replace(&mut variant.is_begun, true);
        self.shown += usize::from(is_news);
        Some(index)
    }

    /// The variant chosen has been made of so many parts, or not.
    pub(super) fn chosen(&mut self, at: Id, index: usize, parts: Option<usize>) {
        if let Some(variant) = self.variants(at).and_then(|variants| variants.list.get_mut(index)) {
            variant.open -= 1;
            variant.smallest = match (variant.smallest, parts) {
                (Some(known), Some(parts)) => Some(known.min(parts)),
                (known, parts) => known.or(parts),
            };
        }
    }
}

/// The variant of an enum that was chosen.
pub(super) struct VariantOf<'g> {
    pub(super) maker: Maker<'g>,
    pub(super) index: usize,
}

impl<'g> VariantOf<'g> {
    /// Notes the content of the variant. Returns its maker.
    fn content(self, shown: Shown) -> Maker<'g> {
        let Maker { graph, at, mode } = self.maker;
        let known = graph.variants(at).and_then(|variants| variants.list.get(self.index)?.content);
        let content = known.unwrap_or_else(|| graph.node());
        graph.link(at, content, self.index);
        graph.note(content, shown);
        Maker { graph, at: content, mode }
    }
}

impl<'de> EnumAccess<'de> for VariantOf<'_> {
    type Error = Failure;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(
        mut self,
        seed: S,
    ) -> Result<(S::Value, Self), Failure> {
        let Maker { graph, at, .. } = &mut self.maker;
        let variants = graph.variants(*at).ok_or(Failure::Refused)?;
        let is_last = self.index + 1 == variants.list.len();
        let number = u32::try_from(self.index).ok().filter(|_| is_last);
        if let (Some(number), None) = (number, variants.has_numbers) {
            variants.has_numbers = Some(false);
            let number: U32Deserializer<Failure> = number.into_deserializer();
            let seen = seed.deserialize(number);
            graph.shown += 1;
            let tried = graph.variants(*at).ok_or(Failure::Refused)?;
            tried.has_numbers = Some(seen.is_ok());
            if let (Err(_), Some(variant)) = (&seen, tried.list.get_mut(self.index)) {
                // It has that name, and another number: it is still to be seen.
                variant.is_begun = false;
            }
            return Ok((seen?, self));
        }
        let name = variants.list.get(self.index).map(|variant| variant.name).unwrap_or_default();
        let name: StrDeserializer<'static, Failure> = name.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> VariantAccess<'de> for VariantOf<'_> {
    type Error = Failure;

    fn unit_variant(self) -> Result<(), Failure> {
        self.content(Shown::Unit);
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Failure> {
        let Maker { graph, at, mode } = self.content(Shown::Newtype("", None));
        graph.part(at, 0, mode, seed)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Failure> {
        let maker = self.content(Shown::Tuple(vec![None; len]));
        visitor.visit_seq(Items::new(maker, Some(len), &mut 0))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        StructFields::make(self.content(Shown::Struct("", Fields::new(fields))), visitor)
    }
}
