//! Resolves names of types and type parameters.

use std::collections::{BTreeMap, BTreeSet};

use super::annotation::Annotated;
use super::parse::{Definition, Expression, Kind, Member, Text, Word};
use super::source::Source;
use super::{ErrorKind, Step, wrong_at};
use crate::common::{CommonKind, shortened};

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
    /// By their text and name.
    ids: BTreeMap<(usize, &'e str), usize>,
    /// Definitions that only name a type of another text, and the one there.
    elsewhere: BTreeMap<usize, usize>,
    /// Those whose text was not found, with the module that it would be.
    pub(super) missing: Vec<(usize, &'e str)>,
    /// What each definition is called in the schema.
    called: Vec<String>,
    /// Of each definition, the places of its parameters by their names.
    parameters: Vec<BTreeMap<&'t str, usize>>,
}

impl<'e, 't> Names<'e, 't> {
    pub(super) fn new(text: &'e Text<'t>, sources: &'e [Source]) -> Step<Self> {
        if let Some(mark) = text.imports.iter().min_by_key(|mark| mark.offset) {
            return Err(wrong_at(ErrorKind::Import, *mark));
        }
        let mut ids = BTreeMap::new();
        for (id, definition) in text.definitions.iter().enumerate() {
            let Word { text: name, mark } = definition.name;
            if predefined(name).is_some() {
                return Err(wrong_at(ErrorKind::Reserved { name: name.into() }, mark));
            }
            ids.entry((mark.text, name)).or_insert(id);
        }
        let parameters = text.definitions.iter().map(|definition| {
            let mut places = BTreeMap::new();
            for (place, name) in definition.parameters.iter().enumerate() {
                places.entry(*name).or_insert(place);
            }
            places
        });
        let parameters = parameters.collect();
        let (elsewhere, missing, called) = (BTreeMap::new(), Vec::new(), Vec::new());
        let mut names = Names { text, ids, elsewhere, missing, called, parameters };
        names.link(sources)?;
        names.call(sources);
        Ok(names)
    }

    /// Finds the definitions in other texts that those of this one stand for.
    fn link(&mut self, sources: &'e [Source]) -> Step<()> {
        let mut links = BTreeMap::new();
        for (id, definition) in self.text.definitions.iter().enumerate() {
            let Some((module, name)) = origin(definition)? else { continue };
            let source = sources.get(definition.name.mark.text);
            let there = source.and_then(|source| source.modules.get(module));
            match there.and_then(|text| self.ids.get(&(*text, name))) {
                Some(there) => drop(links.insert(id, *there)),
                None => self.missing.push((id, module)),
            }
        }
        for (id, first) in &links {
            let Some(Definition { name, parameters, .. }) = self.text.definitions.get(*id) else {
                continue;
            };
            let (mut end, mut left) = (first, links.len());
            while let Some(next) = links.get(end) {
                left = left.checked_sub(1).ok_or_else(|| wrong_at(ErrorKind::Cyclic, name.mark))?;
                end = next;
            }
            let takes = self.text.definitions.get(*end).map_or(0, |it| it.parameters.len());
            let given = parameters.len();
            if takes != given {
                let wrong = ErrorKind::Arguments { name: shortened(name.text), takes, given };
                return Err(wrong_at(wrong, name.mark));
            }
            self.elsewhere.insert(*id, *end);
        }
        Ok(())
    }

    /// Types of other texts are called as the first text calls them, or else `Module.name`.
    fn call(&mut self, sources: &[Source]) {
        let mut of_first = BTreeMap::new();
        for (id, there) in &self.elsewhere {
            match self.text.definitions.get(*id) {
                Some(definition) if definition.name.mark.text == 0 => {
                    of_first.entry(*there).or_insert(definition.name.text);
                }
                _ => {}
            }
        }
        let called = self.text.definitions.iter().enumerate().map(|(id, definition)| {
            let Word { text: name, mark } = definition.name;
            match (mark.text, of_first.get(&id), sources.get(mark.text)) {
                (0, _, _) | (_, None, None) => name.into(),
                (_, Some(called), _) => (*called).into(),
                (_, None, Some(source)) => format!("{}.{name}", source.module),
            }
        });
        self.called = called.collect();
    }

    /// The definition that one is, which may be in another text.
    pub(super) fn meant(&self, id: usize) -> usize {
        self.elsewhere.get(&id).copied().unwrap_or(id)
    }

    pub(super) fn called(&self, id: usize) -> &str {
        self.called.get(id).map_or("", |name| name)
    }

    /// The place of a parameter in the definition.
    pub(super) fn parameter(&self, definition: usize, name: &str) -> Option<usize> {
        self.parameters.get(definition)?.get(name).copied()
    }

    /// The definition that a name means in its text.
    pub(super) fn id(&self, name: Word<'t>) -> Option<usize> {
        self.ids.get(&(name.mark.text, name.text)).copied()
    }

    /// Checks the names in all definitions.
    pub(super) fn check(&self) -> Step<()> {
        let mut definitions = self.text.definitions.iter().enumerate();
        definitions.try_for_each(|(id, definition)| self.expression(&definition.body, id))
    }

    /// Checks the names in a type of the definition `scope`.
    fn expression(&self, ty: &Expression<'t>, scope: usize) -> Step<()> {
        match &ty.kind {
            Kind::Sum(members) | Kind::Record(members) => self.members(members, scope),
            Kind::Tuple(cells) => {
                cells.iter().try_for_each(|cell| self.expression(&cell.ty, scope))
            }
            Kind::Name(word, arguments) => {
                let of_definition = |id| self.text.definitions.get(id);
                let takes = match predefined(word.text) {
                    Some(takes) => takes,
                    None => match self.id(*word).and_then(of_definition) {
                        Some(definition) => definition.parameters.len(),
                        None => {
                            let name = shortened(word.text);
                            return Err(wrong_at(CommonKind::Undeclared { name }, word.mark));
                        }
                    },
                };
                if takes != arguments.len() {
                    let (name, given) = (shortened(word.text), arguments.len());
                    return Err(wrong_at(ErrorKind::Arguments { name, takes, given }, word.mark));
                }
                arguments.iter().try_for_each(|ty| self.expression(ty, scope))
            }
            Kind::Parameter(name) if self.parameter(scope, name).is_some() => Ok(()),
            Kind::Parameter(name) => {
                Err(wrong_at(ErrorKind::Parameter { name: shortened(name) }, ty.mark))
            }
        }
    }

    fn members(&self, members: &[Member<'t>], scope: usize) -> Step<()> {
        let mut known = BTreeSet::new();
        for member in members {
            let ty = match member {
                Member::Own(Word { text, mark }, ..) if !known.insert(*text) => {
                    return Err(wrong_at(ErrorKind::Repeated { name: shortened(text) }, *mark));
                }
                Member::Own(.., ty) => ty.as_ref(),
                Member::Inherit(ty) => Some(ty),
            };
            ty.map_or(Ok(()), |ty| self.expression(ty, scope))?;
        }
        Ok(())
    }
}

/// The module that has an abstract type, and its name there.
fn origin<'e>(definition: &'e Definition<'_>) -> Step<Option<(&'e str, &'e str)>> {
    let is_abstract =
        matches!(&definition.body.kind, Kind::Name(word, _) if word.text == "abstract");
    if !is_abstract {
        return Ok(None);
    }
    let Some((module, name)) = Annotated::new(&definition.annotations).origin()? else {
        return Ok(None);
    };
    Ok(Some((module, name.unwrap_or(definition.name.text))))
}
