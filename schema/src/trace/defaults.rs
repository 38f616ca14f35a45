//! Finds the fields that may be absent: structs are made without them.

use serde_core::de::{Deserialize, Visitor};

use super::fields::{Requests, StructFields};
use super::maker::{Maker, Mode};
use super::{Failure, Field, Fields, Graph, Id, Missing, Quest, Shown};

impl Graph {
    /// What a type shows, and which of its fields need not be there.
    pub(crate) fn with_defaults<'de, T: Deserialize<'de>>() -> Self {
        let mut graph = Graph::of::<T>();
        (graph.quest, graph.parts) = (Quest::Defaults, 0);
        graph.search::<T>();
        graph
    }

    /// Whether this struct is to be made without some fields.
    pub(super) fn is_to_leave_out(&self, at: Id, mode: Mode) -> bool {
        self.quest == Quest::Defaults && mode == Mode::Full && self.shown(at).has_untried()
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

    /// Those that have been tried.
    fn tried(&mut self) -> Vec<(usize, &'static str)> {
        let list = self.list.iter().enumerate();
        let tried = list.filter(|(_, it)| !it.is_refused && it.missing != Missing::Untried);
        tried.map(|(at, field)| (at, field.name)).collect()
    }

    /// Notes what a type did without all that had not been tried.
    fn note_missing(&mut self, found: Missing) {
        self.untried().for_each(|field| field.missing = found);
    }

    /// Notes that a type refuses to be without the field of this name.
    fn note_refused(&mut self, name: &str) {
        if let Some(field) = self.untried().find(|field| field.name == name) {
            return field.missing = Missing::Refused;
        }
        self.note_missing(Missing::Unknown);
    }
}

impl Shown {
    pub(super) fn has_untried(&self) -> bool {
        let is_untried = |field: &Field| field.missing == Missing::Untried;
        matches!(self, Shown::Struct(_, fields) if !fields.in_order && fields.iter().any(is_untried))
    }
}

/// Makes a struct without the fields that have not been tried. The type names the first that it misses.
pub(super) fn make<'de, V: Visitor<'de>>(
    graph: &mut Graph,
    at: Id,
    visitor: V,
) -> Result<V::Value, Failure> {
    let order = graph.fields(at).map(Fields::tried).unwrap_or_default();
    // Types with very many fields are not tried for ever.
    graph.parts = graph.parts.saturating_add(order.len());
    let maker = Maker { graph: &mut *graph, at, mode: Mode::Minimal };
    let made = StructFields::make_some(maker, order, &mut Requests::default(), visitor);
    match (&made, graph.fields(at)) {
        (Ok(_), Some(fields)) => fields.note_missing(Missing::Taken),
        (Err(Failure::Missing(name)), Some(fields)) => fields.note_refused(name),
        (Err(_), Some(fields)) => fields.note_missing(Missing::Unknown),
        (_, None) => {}
    }
    graph.shown += 1;
    // Of what is around it, nothing is missing.
    made.or(Err(Failure::Refused))
}
