//! A walk through a traced type that reports mismatches.

use std::borrow::Cow;

use fourfold::{Error, Kind};

use super::{Fields, Graph, Id, Merged, Refused, Report, Shown};

/// A walk through the types of a graph. `K` is what a type is looked at as.
pub(crate) struct Walk<'g, K> {
    graph: Merged<'g>,
    pub(crate) report: Report<K>,
}

/// What is wrong has been noted.
pub(crate) struct Lost;

/// So many newtypes around each other are looked through.
pub(crate) const MOST_NEWTYPES: usize = 256;

/// A mark does not reach into a type with `flatten`, so it is written where the type is used.
const FLATTENED: &str = "mark the field that holds it `any`, or wrap it in `with::Any`";

impl<'g, K: Ord + Copy> Walk<'g, K> {
    pub(crate) fn new(graph: &'g Graph) -> Self {
        Walk { graph: graph.merged(), report: Report::new() }
    }

    /// Goes on to a part. [`leave`](Walk::leave) goes back to where it was.
    pub(crate) fn enter(&mut self, step: &str) -> usize {
        self.report.enter(step)
    }

    pub(crate) fn leave(&mut self, length: usize) {
        self.report.leave(length);
    }

    /// The type of a part, and what it shows. One that was never reached is an error.
    pub(crate) fn seen(&mut self, part: Option<Id>) -> Result<(Id, Shown), Lost> {
        let id = part.map(|id| self.graph.one_of(id)).ok_or(()).or_else(|()| self.unseen())?;
        match self.graph.shown(id) {
            Shown::Unseen => self.unseen(),
            shown => Ok((id, shown.clone())),
        }
    }

    pub(crate) fn shown(&self, id: Id) -> &Shown {
        self.graph.shown(id)
    }

    /// What a part shows.
    pub(crate) fn shown_of(&self, part: Option<Id>) -> &Shown {
        part.map_or(&Shown::Unseen, |id| self.shown(id))
    }

    /// The one of all types alike that represents them.
    pub(crate) fn one_of(&self, id: Id) -> Id {
        self.graph.one_of(id)
    }

    /// The item of a tuple whose items are all of one type: an array. It may never have been reached.
    pub(crate) fn array_item(&self, items: &[Option<Id>]) -> Option<Option<Id>> {
        let one = |item: &Option<Id>| item.map(|id| self.one_of(id));
        let (first, rest) = items.split_first()?;
        let item = one(first);
        rest.iter().all(|other| one(other) == item).then_some(item)
    }

    /// Whether fields are the tag and the content of an adjacently tagged enum. The content shows a type for each
    /// variant, so it looks as if it were none of them.
    pub(crate) fn is_adjacent(&self, fields: &Fields) -> bool {
        let mut fields = fields.iter();
        let (Some(tag), Some(content), None) = (fields.next(), fields.next(), fields.next()) else {
            return false;
        };
        let is_unit = |id: Option<Id>| matches!(self.shown_of(id), Shown::Unit);
        let is_tag = match self.shown_of(tag.value) {
            Shown::Enum(_, tags) => tags.iter().all(|tag| is_unit(tag.content)),
            _ => false,
        };
        let is_content = match content.value {
            None => true,
            Some(id) => matches!(self.shown(id), Shown::Untyped | Shown::Varied),
        };
        is_tag && content.is_seeded && is_content
    }

    fn unseen<T>(&mut self) -> Result<T, Lost> {
        let error = "cannot be seen: no value of the type was accepted on the way";
        Err(self.doubt(error.into(), None))
    }

    /// Reports a type that needs a self-describing format.
    pub(crate) fn untyped(&mut self, format: &str) -> Lost {
        let error = format!("calls `deserialize_any`, and {format} is not self-describing");
        self.lose(error, Some("mark it `any`"))
    }

    /// Reports a newtype that contains itself.
    pub(crate) fn endless(&mut self) -> Lost {
        self.lose("contains itself, so it has no values".into(), None)
    }

    /// Reports a type that is not always read as the same.
    pub(crate) fn varied(&mut self) -> Lost {
        let error = "is read as one type or another, which cannot be seen without a value";
        self.doubt(error.into(), None)
    }

    /// Reports what the format has nothing for.
    pub(crate) fn lose(&mut self, error: String, fix: Option<&str>) -> Lost {
        self.report.add(Refused::All, error, fix.map(ToOwned::to_owned));
        Lost
    }

    /// Reports what the format has nothing for in some values.
    pub(crate) fn doubt(&mut self, error: String, fix: Option<&str>) -> Lost {
        self.report.add(Refused::Some, error, fix.map(ToOwned::to_owned));
        Lost
    }

    /// Reports what is refused of some values, with any schema.
    pub(crate) fn doubt_values(&mut self, error: &str, fix: &str) {
        self.report.add(Refused::Values, error.to_owned(), Some(fix.to_owned()));
    }

    /// Reports what hides the type from a schema.
    pub(crate) fn hide(&mut self, error: String, fix: Option<&str>) -> Lost {
        self.report.add(Refused::None, error, fix.map(ToOwned::to_owned));
        Lost
    }

    /// Reports the unit variants of an adjacently tagged enum, by the error of writing one.
    pub(crate) fn refuse_units<E: Kind>(&mut self, fields: &Fields, error: &E) {
        let content = content_of(fields).filter(|_| self.is_adjacent(fields));
        let Some(content) = content.filter(|id| self.graph.has_units(*id)) else { return };
        let is_all =
            matches!(self.shown(content), Shown::Untyped) && !self.graph.has_asked(content);
        let refused = if is_all { Refused::All } else { Refused::Values };
        self.report.add(refused, error.to_string(), error.hint().map(Cow::into_owned));
    }

    /// Whether a map's keys are names of fields: it is a struct with `flatten`, or read as those are.
    pub(crate) fn names_fields(&self, key: Option<Id>) -> bool {
        matches!(self.shown_of(key), Shown::Identifier)
    }

    /// Reports a struct with `flatten`.
    pub(crate) fn flattened(&mut self, format: &str) -> Lost {
        let error =
            format!("is read as a map of fields, as `flatten` does, and {format} has no names");
        self.lose(error, Some(FLATTENED))
    }

    /// Notes an error of the format.
    pub(crate) fn refuse<T, E: Kind>(&mut self, refused: Result<T, Error<E>>) -> Result<T, Lost> {
        refused.map_err(|error| self.lose(error.kind().to_string(), error.hint().as_deref()))
    }
}

/// The type of the content of an adjacently tagged enum.
fn content_of(fields: &Fields) -> Option<Id> {
    fields.iter().nth(1)?.value
}

/// So deep a type is compared: one that contains itself is as deep as the schema.
const MAX_DEPTH: usize = 256;

/// The comparison of a type with a schema. `K` is a part of the type and one of the schema.
#[derive(Debug)]
pub(crate) struct Way<K> {
    pub(crate) report: Report<K>,
    depth: usize,
}

impl<K: Ord + Copy> Way<K> {
    pub(crate) fn new() -> Self {
        Way { report: Report::new(), depth: 0 }
    }

    #[cold]
    pub(crate) fn add(&mut self, error: String, fix: Option<String>) {
        self.report.add(Refused::All, error, fix);
    }

    /// Goes on to a part, unless that is too deep, which is reported. [`leave`](Way::leave) goes back to where it was.
    pub(crate) fn enter(&mut self, step: &str) -> Option<usize> {
        let length = self.report.enter(step);
        if self.depth >= MAX_DEPTH {
            let error = format!("the schema nests deeper than {MAX_DEPTH} levels here");
            self.add(error, Some("check what is inside by itself".to_owned()));
            self.report.leave(length);
            return None;
        }
        self.depth += 1;
        Some(length)
    }

    pub(crate) fn leave(&mut self, length: usize) {
        self.depth -= 1;
        self.report.leave(length);
    }
}

/// Items by their places.
pub(crate) fn numbered(items: &[Option<Id>]) -> Vec<(String, Option<Id>)> {
    items.iter().enumerate().map(|(at, item)| (at.to_string(), *item)).collect()
}

/// Fields by their names.
pub(crate) fn named(fields: &Fields) -> Vec<(String, Option<Id>)> {
    fields.iter().map(|field| (field.name.to_owned(), field.value)).collect()
}
