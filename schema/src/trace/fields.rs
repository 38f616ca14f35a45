//! Fields of values that are made up: by names, and in which order.

use serde_core::de::value::StrDeserializer;
use serde_core::de::{DeserializeSeed, IntoDeserializer as _, MapAccess, SeqAccess, Visitor};

use super::maker::Maker;
use super::{Failure, Field, Fields, Graph, Id};

/// Fields by name, those with something to show first.
pub(super) struct StructFields<'g, 'c> {
    maker: Maker<'g>,
    order: std::vec::IntoIter<(usize, &'static str)>,
    requests: &'c mut Requests,
}

/// What has been requested of a struct.
#[derive(Debug, Default)]
pub(super) struct Requests {
    /// How often a name was requested.
    count: usize,
    /// The field whose name was taken last.
    last: usize,
    /// The fields that were made.
    made: Vec<usize>,
}

impl Fields {
    /// Notes that a struct was not made of them.
    fn note_failure(&mut self, failure: &Failure, requests: &Requests) {
        match failure {
            Failure::Duplicate(name) => {
                self.note_other_name(name, requests);
            }
            _ => self.in_order |= requests.count == 0,
        }
    }

    /// Notes that the last field that was requested is the one of that name, which was made before: it has several names,
    /// which are next to each other.
    fn note_other_name(&mut self, name: &'static str, requests: &Requests) -> Option<()> {
        let is_named = |at: &&usize| self.list.get(**at).is_some_and(|field| field.name == name);
        let nearest = || requests.made.iter().min_by_key(|at| at.abs_diff(requests.last));
        let own = *requests.made.iter().find(is_named).or_else(nearest)?;
        self.is_doubtful = true;
        let known = self.list.get(own)?.name;
        let other = self.list.get_mut(requests.last)?;
        (other.is_refused, other.is_made) = (true, false);
        if other.name == name {
            other.name = known;
            self.list.get_mut(own)?.name = name;
        }
        Some(())
    }
}

impl<'g, 'c> StructFields<'g, 'c> {
    /// Makes a struct: by names, or in order if names were never requested.
    pub(super) fn make<'de, V: Visitor<'de>>(
        maker: Maker<'g>,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        let Maker { graph, at, mode } = maker;
        if graph.is_to_leave_out(at, mode) {
            return super::defaults::make(graph, at, visitor);
        }
        let (order, in_order) = order(graph, at);
        if in_order {
            let maker = Maker { graph, at, mode };
            return visitor.visit_seq(InOrder { maker, next: 0..order.len() });
        }
        let mut requests = Requests::default();
        let maker = Maker { graph: &mut *graph, at, mode };
        let made = StructFields::make_some(maker, order, &mut requests, visitor);
        match (&made, graph.fields(at)) {
            (Ok(_), Some(fields)) => fields.is_doubtful = false,
            (Err(failure), Some(fields)) => fields.note_failure(failure, &requests),
            (_, None) => {}
        }
        // Of what is around it, nothing is missing or there twice.
        made.or(Err(Failure::Refused))
    }

    /// Makes a struct of these fields.
    pub(super) fn make_some<'de, V: Visitor<'de>>(
        maker: Maker<'g>,
        order: Vec<(usize, &'static str)>,
        requests: &'c mut Requests,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        visitor.visit_map(StructFields { maker, order: order.into_iter(), requests })
    }

    fn field(&mut self, at: usize) -> Option<&mut Field> {
        self.maker.graph.fields(self.maker.at)?.list.get_mut(at)
    }

    /// Begins a field, and returns its name.
    fn next_name(&mut self) -> Option<&'static str> {
        self.requests.count += 1;
        let (at, name) = self.order.next()?;
        self.requests.last = at;
        if let Some(field) = self.field(at) {
            field.is_refused = !field.is_made;
            let is_news = !core::mem::replace(&mut field.is_begun, true);
            self.maker.graph.shown += usize::from(is_news);
        }
        Some(name)
    }

    /// Notes that the value of the last field has been requested, and whether with a seed.
    fn note_request(&mut self, is_seeded: bool) {
        if let Some(field) = self.field(self.requests.last) {
            field.is_refused = false;
            field.is_seeded |= is_seeded;
        }
    }

    /// Notes that the last field has been made.
    fn note_value(&mut self) {
        let last = self.requests.last;
        if let Some(field) = self.field(last) {
            field.is_made = true;
        }
        self.requests.made.push(last);
    }
}

/// The order in which to make fields: new ones first; those that have more to show; and those that were never
/// made last, since a refusal ends the struct.
fn order(graph: &mut Graph, at: Id) -> (Vec<(usize, &'static str)>, bool) {
    let Fields { list, in_order, .. } = graph.fields(at).cloned().unwrap_or_default();
    let rank = |field: &Field| match (field.is_begun, field.is_made) {
        (false, _) => 0,
        (true, true) if graph.is_live(field.value) => 1,
        (true, true) => 2,
        (true, false) => 3,
    };
    let fields = list.iter().enumerate().filter(|(_, field)| !field.is_refused);
    let mut order: Vec<(usize, &'static str, usize)> =
        fields.map(|(at, field)| (at, field.name, rank(field))).collect();
    order.sort_by_key(|(.., rank)| *rank);
    (order.into_iter().map(|(at, name, _)| (at, name)).collect(), in_order)
}

impl<'de> MapAccess<'de> for StructFields<'_, '_> {
    type Error = Failure;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Failure> {
        let Some(name) = self.next_name() else {
            return Ok(None);
        };
        let name: StrDeserializer<'static, Failure> = name.into_deserializer();
        Ok(Some(seed.deserialize(name)?))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Failure> {
        self.note_request(size_of::<S>() > 0);
        let Maker { graph, at, mode } = &mut self.maker;
        let value = graph.part(*at, self.requests.last, *mode, seed)?;
        self.note_value();
        Ok(value)
    }
}

/// Fields without names.
struct InOrder<'g> {
    maker: Maker<'g>,
    next: core::ops::Range<usize>,
}

impl<'de> SeqAccess<'de> for InOrder<'_> {
    type Error = Failure;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Failure> {
        let Some(next) = self.next.next() else {
            return Ok(None);
        };
        let Maker { graph, at, mode } = &mut self.maker;
        Ok(Some(graph.part(*at, next, *mode, seed)?))
    }
}
