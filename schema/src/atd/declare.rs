//! Definitions into types, with inherited fields and the type arguments in place.

use core::mem;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use fourfold::biniou::wire::hash;

use super::annotation::{self, Annotated, OCAML, Place};
use super::check::Names;
use super::parse::{self, Annotations, Cell, Expression, Kind, Section, Word};
use super::rules::{
    check_definition, check_hashes, check_keyword, has_default, is_option, predefined,
};
use super::shape::{Body, Instance, Member, Members, Node, Part, Presence};
use super::{ErrorKind, Step, unfit, wrong_at};
use crate::common::{Mark, parts_first, shortened};

/// So many types, with all that they are given and consist of, are made of a short text, and so many more for each
/// type that is written.
const LEAST_LIMIT: usize = 1 << 18;
const LIMIT_PER_TYPE: usize = 16;

/// Types that parameters stand for.
type Given = Arc<[usize]>;

/// Types, the one of each definition, and those that are made of definitions with parameters.
pub(super) struct Made {
    pub(super) nodes: Vec<Node>,
    pub(super) roots: Vec<usize>,
    pub(super) instances: BTreeMap<usize, Instance>,
}

/// Makes all types of a text whose names have been checked.
pub(super) fn make(names: &Names<'_, '_>) -> Step<Made> {
    let limit = names.text.size.saturating_mul(LIMIT_PER_TYPE);
    let mut maker = Maker {
        names,
        nodes: Vec::new(),
        sources: Vec::new(),
        instances: BTreeMap::new(),
        known: BTreeMap::new(),
        steps: 0,
        limit: limit.saturating_add(LEAST_LIMIT),
    };
    maker.make()
}

/// A type as it is written.
#[derive(Clone)]
struct Source<'e, 't> {
    ty: &'e Expression<'t>,
    /// The definition that it is in, and what its parameters are.
    scope: usize,
    given: Given,
    /// Annotations where a type with parameters is used.
    outer: Vec<&'e [Section<'t>]>,
}

/// What distinguishes types: which expression, what parameters are, further annotations.
type Key = (usize, Given, Vec<usize>);

struct Maker<'n, 'e, 't> {
    names: &'n Names<'e, 't>,
    nodes: Vec<Node>,
    /// Of each node, but for parameters.
    sources: Vec<Option<Source<'e, 't>>>,
    instances: BTreeMap<usize, Instance>,
    known: BTreeMap<Key, usize>,
    steps: usize,
    limit: usize,
}

/// A field or variant as it is written, and the scope that its type is in.
struct Found<'e, 't> {
    name: Word<'t>,
    presence: parse::Presence,
    annotations: &'e Annotations<'t>,
    ty: Option<&'e Expression<'t>>,
    scope: usize,
    given: Given,
}

impl<'e, 't> Maker<'_, 'e, 't> {
    fn make(&mut self) -> Step<Made> {
        let text = self.names.text;
        let head = Annotated::new(&text.annotations);
        annotation::check_places(&text.annotations, Place::Module)?;
        head.docs()?;
        let mut parameters: Vec<usize> = Vec::new();
        let mut roots = Vec::new();
        for (at, definition) in text.definitions.iter().enumerate() {
            check_definition(definition)?;
            let count = definition.parameters.len();
            while parameters.len() < count {
                parameters.push(self.nodes.len());
                self.nodes.push(Node { body: Body::Parameter, name: None });
                self.sources.push(None);
            }
            let given: Given = parameters.iter().take(count).copied().collect();
            let scope = self.names.meant(at);
            let body = text.definitions.get(scope).map_or(&definition.body, |there| &there.body);
            let mut id = self.resolve(body, scope, &given, Vec::new())?;
            if count == 0 {
                let called = self.names.called(scope);
                if let Some(node) = self.nodes.get_mut(id) {
                    node.name = Some(called.into());
                }
                let name = definition.name;
                // Another name of the first text for a type of another one.
                if scope != at && name.mark.text == 0 && name.text != called {
                    let node = Node { body: Body::Alias(id), name: Some(name.text.into()) };
                    id = self.nodes.len();
                    self.nodes.push(node);
                    self.sources.push(None);
                }
            }
            roots.push(id);
        }
        let mut next = 0;
        while let Some(source) = self.sources.get(next).cloned() {
            if let Some(source) = source {
                let body = self.body(&source)?;
                if let Some(node) = self.nodes.get_mut(next) {
                    node.body = body;
                }
            }
            next += 1;
        }
        self.shorten_aliases()?;
        (0..self.nodes.len()).try_for_each(|id| self.check_parts(id))?;
        let (nodes, instances) = (&mut self.nodes, &mut self.instances);
        Ok(Made { nodes: mem::take(nodes), roots, instances: mem::take(instances) })
    }

    /// The type that an expression is.
    fn resolve(
        &mut self,
        ty: &'e Expression<'t>,
        scope: usize,
        given: &Given,
        outer: Vec<&'e [Section<'t>]>,
    ) -> Step<usize> {
        if let Kind::Parameter(name) = ty.kind {
            let at = self.names.parameter(scope, name);
            let id = at.and_then(|at| given.get(at).copied());
            return id
                .ok_or_else(|| wrong_at(ErrorKind::Parameter { name: shortened(name) }, ty.mark));
        }
        let given = if ty.is_open { Arc::clone(given) } else { Given::from([]) };
        let layers = outer.iter().map(|sections| sections.as_ptr().addr()).collect();
        let key = (core::ptr::from_ref(ty).addr(), Arc::clone(&given), layers);
        if let Some(id) = self.known.get(&key) {
            return Ok(*id);
        }
        self.steps(1 + given.len() + outer.len(), ty.mark)?;
        let id = self.nodes.len();
        self.nodes.push(Node { body: Body::Abstract, name: None });
        self.sources.push(Some(Source { ty, scope, given, outer }));
        self.known.insert(key, id);
        Ok(id)
    }

    fn step(&mut self, mark: Mark) -> Step<()> {
        self.steps(1, mark)
    }

    /// Counts what is made, so that it comes to an end.
    fn steps(&mut self, count: usize, mark: Mark) -> Step<()> {
        self.steps = self.steps.saturating_add(count);
        match self.steps > self.limit {
            true => Err(wrong_at(ErrorKind::Endless { limit: self.limit }, mark)),
            false => Ok(()),
        }
    }

    fn body(&mut self, source: &Source<'e, 't>) -> Step<Body> {
        let Source { ty, scope, given, outer } = source;
        annotation::check_places(&ty.annotations, Place::Type)?;
        let annotated = Annotated { outer, own: &ty.annotations };
        match &ty.kind {
            Kind::Sum(_) => self.sum(source, annotated),
            Kind::Record(_) => self.record(source, annotated),
            Kind::Tuple(cells) => {
                self.steps(cells.len(), ty.mark)?;
                let part = |cell: &'e Cell<'t>| {
                    annotation::check_places(&cell.annotations, Place::Cell)?;
                    let annotated = Annotated::new(&cell.annotations);
                    annotated.docs()?;
                    let default = annotated.text(OCAML, "default")?;
                    Ok(Part { ty: self.resolve(&cell.ty, *scope, given, Vec::new())?, default })
                };
                Ok(Body::Tuple(cells.iter().map(part).collect::<Step<_>>()?))
            }
            Kind::Name(name, arguments) => {
                let arguments = arguments
                    .iter()
                    .map(|ty| self.resolve(ty, *scope, given, Vec::new()))
                    .collect::<Step<Vec<_>>>()?;
                match self.names.id(*name) {
                    Some(id) => self.defined(self.names.meant(id), arguments, source),
                    None => predefined(*name, arguments.first().copied(), annotated, ty.mark),
                }
            }
            // Such an expression is what it is given.
            Kind::Parameter(_) => Ok(Body::Parameter),
        }
    }

    /// The type that a name of the text means.
    fn defined(&mut self, id: usize, arguments: Vec<usize>, source: &Source<'e, 't>) -> Step<Body> {
        let Some(definition) = self.names.text.definitions.get(id) else {
            return Ok(Body::Abstract);
        };
        let is_parameter =
            |id: &usize| matches!(self.nodes.get(*id), Some(Node { body: Body::Parameter, .. }));
        // Annotations go over to the type that is made, unless that is the definition itself.
        let mut outer = Vec::new();
        if !arguments.iter().all(is_parameter) {
            outer.clone_from(&source.outer);
            if !source.ty.annotations.is_empty() {
                outer.push(&source.ty.annotations);
            }
        }
        let given: Given = arguments.into();
        let made = self.resolve(&definition.body, id, &given, outer)?;
        // What is nothing but a parameter is made elsewhere.
        let is_parameter = matches!(definition.body.kind, Kind::Parameter(_));
        if !definition.parameters.is_empty() && !is_parameter {
            let given = if definition.body.is_open { given } else { Given::from([]) };
            let instance = Instance { name: self.names.called(id).into(), given };
            self.instances.entry(made).or_insert(instance);
        }
        Ok(Body::Alias(made))
    }

    fn record(&mut self, source: &Source<'e, 't>, annotated: Annotated<'_, 't>) -> Step<Body> {
        let mark = source.ty.mark;
        let kinds = [("record", true), ("object", false)];
        if !annotated.choice("ocaml", "repr", &kinds, true)? {
            return unfit("records that are objects in OCaml are not read", mark);
        }
        let prefix = annotated.text(OCAML, "field_prefix")?.unwrap_or_default();
        let found = self.members(source)?;
        if found.is_empty() {
            return unfit("a record has one field at least", mark);
        }
        let mut fields = Vec::new();
        for field in found {
            annotation::check_places(field.annotations, Place::Field)?;
            let annotated = Annotated::new(field.annotations);
            let default = annotated.text(OCAML, "default")?;
            annotated.flag(OCAML, "mutable")?;
            let presence = match field.presence {
                parse::Presence::Default => Presence::Default(default),
                _ if default.is_some() => {
                    let mark = annotated.value(OCAML, "default")?.map_or(mark, |(_, mark)| mark);
                    return unfit("only a `~` field has a default", mark);
                }
                parse::Presence::Required => Presence::Required,
                parse::Presence::Optional => Presence::Optional,
            };
            let own = || format!("{prefix}{}", field.name.text).into();
            let in_ocaml = annotated.text(OCAML, "name")?.unwrap_or_else(own);
            check_keyword(&in_ocaml, field.name.mark)?;
            fields.push(self.member(&field, presence, annotated)?);
        }
        check_hashes(&fields)?;
        Ok(Body::Record(Members::new(fields)))
    }

    fn sum(&mut self, source: &Source<'e, 't>, annotated: Annotated<'_, 't>) -> Step<Body> {
        let kinds = [("poly", true), ("classic", false)];
        let is_poly = annotated.choice("ocaml", "repr", &kinds, true)?;
        let mut variants = Vec::new();
        for variant in self.members(source)? {
            annotation::check_places(variant.annotations, Place::Variant)?;
            let annotated = Annotated::new(variant.annotations);
            annotated.value(OCAML, "name")?;
            if let Some(ty) = variant.ty.filter(|ty| is_poly && matches!(ty.kind, Kind::Record(_)))
            {
                return unfit("a record in a polymorphic variant needs a name", ty.mark);
            }
            variants.push(self.member(&variant, Presence::Required, annotated)?);
        }
        check_hashes(&variants)?;
        let is_open = annotated.flag(&["json"], "open_enum").unwrap_or_default()
            && variants.iter().filter(|variant| variant.ty.is_some()).count() == 1;
        Ok(Body::Sum(Members::new(variants), is_open))
    }

    fn member(
        &mut self,
        found: &Found<'e, 't>,
        presence: Presence,
        annotated: Annotated<'_, 't>,
    ) -> Step<Member> {
        let ty = match found.ty {
            Some(ty) => Some(self.resolve(ty, found.scope, &found.given, Vec::new())?),
            None => None,
        };
        Ok(Member {
            name: found.name.text.into(),
            json: annotated.json_name()?.map(Arc::from),
            ocaml: annotated.text(OCAML, "name")?,
            hash: hash(found.name.text),
            ty,
            presence,
            docs: annotated.docs()?,
            mark: found.name.mark,
        })
    }

    /// All fields or variants, with those that are inherited. Of two with one name the last one counts.
    fn members(&mut self, source: &Source<'e, 't>) -> Step<Vec<Found<'e, 't>>> {
        let mark = source.ty.mark;
        let (members, is_record) = parts(source.ty).unwrap_or_default();
        let mut found = Vec::new();
        let mut seen = BTreeSet::new();
        let mut open = Vec::from([(members, source.scope, Arc::clone(&source.given), Vec::new())]);
        let mut inherited = BTreeSet::new();
        while let Some((members, scope, given, names)) = open.pop() {
            let Some((last, before)) = members.split_last() else {
                names.iter().for_each(|id| _ = inherited.remove(id));
                continue;
            };
            open.push((before, scope, Arc::clone(&given), names));
            match last {
                parse::Member::Own(name, presence, annotations, ty) => {
                    if seen.insert(name.text) {
                        let (name, presence) = (*name, *presence);
                        let ty = ty.as_ref();
                        found.push(Found { name, presence, annotations, ty, scope, given });
                    }
                }
                parse::Member::Inherit(ty) => {
                    let (mut ty, mut scope, mut given, mut names) = (ty, scope, given, Vec::new());
                    while let Kind::Name(name, arguments) = &ty.kind {
                        self.step(mark)?;
                        let arguments = arguments
                            .iter()
                            .map(|ty| self.resolve(ty, scope, &given, Vec::new()))
                            .collect::<Step<Vec<_>>>()?;
                        let Some(id) = self.names.id(*name) else { break };
                        let Some(definition) = self.names.text.definitions.get(id) else { break };
                        if !inherited.insert(id) {
                            return Err(wrong_at(ErrorKind::Cyclic, mark));
                        }
                        names.push(id);
                        (ty, scope, given) = (&definition.body, id, arguments.into());
                    }
                    match parts(ty) {
                        Some((members, kind)) if kind == is_record => {
                            open.push((members, scope, given, names));
                        }
                        _ => {
                            let expected = if is_record { "record" } else { "sum type" };
                            return Err(wrong_at(ErrorKind::Inherit { expected }, mark));
                        }
                    }
                }
            }
            self.step(mark)?;
        }
        found.reverse();
        Ok(found)
    }

    /// Refuses types that are nothing but names for themselves. Each alias becomes one of the type at
    /// the end of its chain.
    fn shorten_aliases(&mut self) -> Step<()> {
        let count = self.nodes.len();
        let target = |id: usize| match self.nodes.get(id).map(|node| &node.body) {
            Some(Body::Alias(next)) => vec![*next],
            _ => Vec::new(),
        };
        let order = parts_first(count, 0..count, target, |open, _| {
            Err(wrong_at(ErrorKind::Cyclic, self.mark(open.first().copied().unwrap_or_default())))
        })?;
        for id in order {
            let Some(Node { body: Body::Alias(next), .. }) = self.nodes.get(id) else { continue };
            let (mut end, mut name) = (*next, None);
            if let Some(node) = self.nodes.get(*next) {
                name.clone_from(&node.name);
                if let Body::Alias(after) = node.body {
                    end = after;
                }
            }
            if let Some(node) = self.nodes.get_mut(id) {
                node.body = Body::Alias(end);
                node.name = node.name.take().or(name);
            }
        }
        Ok(())
    }

    /// Checks what a type requires of the types in it.
    fn check_parts(&self, id: usize) -> Step<()> {
        match self.nodes.get(id).map(|node| &node.body) {
            Some(Body::Record(fields)) => fields.list.iter().try_for_each(|field| {
                let body = field.ty.and_then(|ty| self.meant(ty));
                let what = match field.presence {
                    Presence::Optional if !is_option(body) => {
                        "a `?` field is an option or nullable"
                    }
                    Presence::Default(None) if !has_default(body) => {
                        "this `~` field needs a default: `<ocaml default=\"..\">`"
                    }
                    _ => return Ok(()),
                };
                unfit(what, field.mark)
            }),
            Some(Body::Table(item)) if !matches!(self.meant(*item), Some(Body::Record(_))) => {
                unfit("a table is a list of records", self.mark(id))
            }
            _ => Ok(()),
        }
    }

    /// The type with aliases resolved.
    fn meant(&self, id: usize) -> Option<&Body> {
        let mut body = &self.nodes.get(id)?.body;
        while let Body::Alias(next) = body {
            body = &self.nodes.get(*next)?.body;
        }
        Some(body)
    }

    fn mark(&self, id: usize) -> Mark {
        let source = self.sources.get(id).and_then(Option::as_ref);
        source.map_or_else(Mark::default, |source| source.ty.mark)
    }
}

/// The fields of a record (`true`), or the variants of a sum type.
fn parts<'e, 't>(ty: &'e Expression<'t>) -> Option<(&'e [parse::Member<'t>], bool)> {
    match &ty.kind {
        Kind::Record(members) => Some((members, true)),
        Kind::Sum(members) => Some((members, false)),
        _ => None,
    }
}
