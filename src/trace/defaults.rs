//! Which fields need not be there: structs are made without them. Knows no format.

use alloc::vec::Vec;

use serde_core::de::{Deserialize, Visitor};

use super::fields::{StructFields, fields_of, order};
use super::maker::{Maker, Mode};
use super::{Content, Failure, Field, Fields, Graph, Missing, Quest, Shown};

impl Graph {
    /// What a type shows, and which of its fields need not be there.
    pub(crate) fn with_defaults<'de, T: Deserialize<'de>>() -> Self {
        let mut graph = Graph::of::<T>();
        (graph.quest, graph.parts) = (Quest::Defaults, 0);
        graph.search::<T>();
        graph
    }
}

impl Field {
    /// Whether the type refuses to be without it.
    pub(crate) fn is_required(&self) -> bool {
        self.missing == Missing::Refused
    }

    /// Whether the type takes it that it is not there.
    pub(crate) fn has_default(&self) -> bool {
        self.missing == Missing::Taken
    }
}

impl Fields {
    fn untried(&mut self) -> impl Iterator<Item = &mut Field> {
        let list = if self.in_order { &mut [] } else { &mut self.list[..] };
        let is_untried = |it: &&mut Field| !it.is_refused && it.missing == Missing::Untried;
        list.iter_mut().filter(is_untried)
    }

    fn has_untried(&self) -> bool {
        !self.in_order && self.iter().any(|field| field.missing == Missing::Untried)
    }
}

impl Content {
    pub(super) fn has_untried(&self) -> bool {
        matches!(self, Content::Struct(fields) if fields.has_untried())
    }
}

impl Shown {
    pub(super) fn has_untried(&self) -> bool {
        match self {
            Shown::Struct(_, fields) => fields.has_untried(),
            Shown::Enum(_, variants) => variants.iter().any(|it| it.content.has_untried()),
            _ => false,
        }
    }
}

impl Maker<'_> {
    /// Whether this struct, or the one of this variant, is to be made without some fields.
    pub(super) fn is_to_leave_out(&self, variant: Option<usize>) -> bool {
        let has_untried = || match (self.graph.shown(self.at), variant) {
            (Shown::Struct(_, fields), None) => fields.has_untried(),
            (Shown::Enum(_, variants), Some(at)) => {
                variants.iter().nth(at).is_some_and(|variant| variant.content.has_untried())
            }
            _ => false,
        };
        self.graph.quest == Quest::Defaults && self.mode == Mode::Full && has_untried()
    }
}

/// Makes a struct without the fields that have not been tried. The type names the first that it misses.
pub(super) fn make<'de, V: Visitor<'de>>(
    maker: Maker<'_>,
    variant: Option<usize>,
    visitor: V,
) -> Result<V::Value, Failure> {
    let Maker { graph, at, .. } = maker;
    let untried: Option<Vec<&str>> = graph.change(at, |shown| {
        Some(fields_of(shown, variant)?.untried().map(|field| field.name).collect())
    });
    let untried = untried.unwrap_or_default();
    let (mut order, _) = order(graph, at, variant);
    order.retain(|(_, name)| !untried.contains(name));
    let maker = Maker { graph: &mut *graph, at, mode: Mode::Spare };
    let made = StructFields::make_some(maker, variant, order, &mut 0, visitor);
    let (missed, found) = match &made {
        Ok(_) => (None, Missing::Taken),
        Err(Failure::Missing(name)) if untried.contains(name) => (Some(*name), Missing::Refused),
        Err(_) => (None, Missing::Unknown),
    };
    graph.change(at, |shown| {
        let tried = fields_of(shown, variant)?.untried();
        tried
            .filter(|field| missed.is_none_or(|name| field.name == name))
            .for_each(|field| field.missing = found);
        Some(())
    });
    graph.shown += 1;
    // Of what is around it, nothing is missing.
    made.map_err(|_| Failure::Refused)
}
