//! Whether names mean something: types, parameters, what is inherited. Knows definitions as they are written, and
//! not what types are made of them.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use super::parse::{Expression, Kind, Member, Text, Word};
use super::{ErrorKind, Step, Wrong, wrong_at};
use crate::schema::{Fault, Mark, shortened};

/// The types that are always there, and how many types each takes.
pub(super) const PREDEFINED: &[(&str, usize)] = &[
    ("unit", 0),
    ("bool", 0),
    ("int", 0),
    ("float", 0),
    ("string", 0),
    ("abstract", 0),
    ("list", 1),
    ("option", 1),
    ("nullable", 1),
    ("shared", 1),
    ("wrap", 1),
];

fn predefined(name: &str) -> Option<usize> {
    PREDEFINED.iter().find(|(known, _)| *known == name).map(|(_, takes)| *takes)
}

/// Definitions by name.
#[derive(Debug)]
pub(super) struct Names<'e, 't> {
    pub(super) text: &'e Text<'t>,
    ids: BTreeMap<&'t str, usize>,
    /// Of each definition, the places of its parameters by their names.
    parameters: Vec<BTreeMap<&'t str, usize>>,
}

impl<'e, 't> Names<'e, 't> {
    pub(super) fn new(text: &'e Text<'t>) -> Step<Self> {
        if let Some(mark) = text.imports.iter().min_by_key(|mark| mark.offset) {
            return Err(wrong_at(ErrorKind::Import, *mark));
        }
        let mut ids = BTreeMap::new();
        for (id, definition) in text.definitions.iter().enumerate() {
            let Word { text: name, mark } = definition.name;
            if predefined(name).is_some() {
                return Err(wrong_at(ErrorKind::Reserved { name: name.into() }, mark));
            }
            ids.entry(name).or_insert(id);
        }
        let parameters = text.definitions.iter().map(|definition| {
            let mut places = BTreeMap::new();
            for (place, name) in definition.parameters.iter().enumerate() {
                places.entry(*name).or_insert(place);
            }
            places
        });
        Ok(Names { text, ids, parameters: parameters.collect() })
    }

    /// The place of a parameter in the definition.
    pub(super) fn parameter(&self, definition: usize, name: &str) -> Option<usize> {
        self.parameters.get(definition)?.get(name).copied()
    }

    pub(super) fn id(&self, name: &str) -> Option<usize> {
        self.ids.get(name).copied()
    }

    /// Checks all definitions.
    pub(super) fn check(&self) -> Step<()> {
        let mut inherited = Inherited { names: self, fine: BTreeSet::new() };
        for (id, definition) in self.text.definitions.iter().enumerate() {
            inherited.expression(&definition.body, id)?;
        }
        Ok(())
    }
}

/// Which definitions may be inherited, as far as that is known.
struct Inherited<'n, 'e, 't> {
    names: &'n Names<'e, 't>,
    /// Those that come to an end, as records (`true`) or sum types.
    fine: BTreeSet<(usize, bool)>,
}

impl<'e, 't> Inherited<'_, 'e, 't> {
    /// Checks a type of the definition `scope`.
    fn expression(&mut self, ty: &'e Expression<'t>, scope: usize) -> Step<()> {
        match &ty.kind {
            Kind::Sum(members) => {
                self.members(members, scope)?;
                self.inheritance(ty, false)
            }
            Kind::Record(members) => {
                self.members(members, scope)?;
                self.inheritance(ty, true)
            }
            Kind::Tuple(cells) => {
                cells.iter().try_for_each(|cell| self.expression(&cell.ty, scope))
            }
            Kind::Name(word, arguments) => {
                let of_definition = |id| self.names.text.definitions.get(id);
                let takes = match predefined(word.text) {
                    Some(takes) => takes,
                    None => match self.names.id(word.text).and_then(of_definition) {
                        Some(definition) => definition.parameters.len(),
                        None => return Err(undeclared(*word)),
                    },
                };
                if takes != arguments.len() {
                    let (name, given) = (shortened(word.text), arguments.len());
                    return Err(wrong_at(ErrorKind::Arguments { name, takes, given }, word.mark));
                }
                arguments.iter().try_for_each(|ty| self.expression(ty, scope))
            }
            Kind::Parameter(name) if self.names.parameter(scope, name).is_some() => Ok(()),
            Kind::Parameter(name) => {
                Err(wrong_at(ErrorKind::Parameter { name: shortened(name) }, ty.mark))
            }
        }
    }

    fn members(&mut self, members: &'e [Member<'t>], scope: usize) -> Step<()> {
        let mut known = BTreeSet::new();
        for member in members {
            match member {
                Member::Own(name, _, _, ty) => {
                    if !known.insert(name.text) {
                        let name = (shortened(name.text), name.mark);
                        return Err(wrong_at(ErrorKind::Repeated { name: name.0 }, name.1));
                    }
                    if let Some(ty) = ty {
                        self.expression(ty, scope)?;
                    }
                }
                Member::Inherit(ty) => self.expression(ty, scope)?,
            }
        }
        Ok(())
    }

    /// Checks that all that a type inherits comes to an end, and is of its kind.
    fn inheritance(&mut self, ty: &'e Expression<'t>, is_record: bool) -> Step<()> {
        // Definitions that are being looked at, each with what it inherits that is left to look at.
        let mut way: Vec<(Option<usize>, Vec<usize>)> = Vec::new();
        let mut open = BTreeSet::new();
        let mut next = Vec::new();
        self.parents(ty, is_record, ty.mark, &mut next)?;
        way.push((None, next));
        while let Some((id, left)) = way.last_mut() {
            let Some(parent) = left.pop() else {
                if let Some(id) = *id {
                    open.remove(&id);
                    self.fine.insert((id, is_record));
                }
                way.pop();
                continue;
            };
            if self.fine.contains(&(parent, is_record)) {
                continue;
            }
            if !open.insert(parent) {
                return Err(wrong_at(ErrorKind::Cyclic, ty.mark));
            }
            let mut next = Vec::new();
            if let Some(definition) = self.names.text.definitions.get(parent) {
                self.parents(&definition.body, is_record, ty.mark, &mut next)?;
            }
            way.push((Some(parent), next));
        }
        Ok(())
    }

    /// The definitions that a type is, or inherits from.
    fn parents(
        &self,
        ty: &Expression<'t>,
        is_record: bool,
        mark: Mark,
        found: &mut Vec<usize>,
    ) -> Step<()> {
        match &ty.kind {
            Kind::Sum(members) if !is_record => self.inherits(members, is_record, mark, found),
            Kind::Record(members) if is_record => self.inherits(members, is_record, mark, found),
            Kind::Name(word, _) if predefined(word.text).is_none() => {
                found.push(self.names.id(word.text).ok_or_else(|| undeclared(*word))?);
                Ok(())
            }
            _ => {
                let expected = if is_record { "record" } else { "sum type" };
                Err(wrong_at(ErrorKind::Inherit { expected }, mark))
            }
        }
    }

    fn inherits(
        &self,
        members: &[Member<'t>],
        is_record: bool,
        mark: Mark,
        found: &mut Vec<usize>,
    ) -> Step<()> {
        members.iter().try_for_each(|member| match member {
            Member::Own(..) => Ok(()),
            Member::Inherit(ty) => self.parents(ty, is_record, mark, found),
        })
    }
}

fn undeclared(word: Word<'_>) -> Wrong {
    wrong_at(Fault::Undeclared { name: shortened(word.text) }, word.mark)
}
