//! Which types are declared in Rust, under which names and in which order.

use std::collections::BTreeMap;

use super::part::{Key, Part, parts, root};
use super::role::{Roles, Use};
use crate::atd::ErrorKind;
use crate::atd::node::{Body, resolve};
use crate::atd::number::{Float, Int};
use crate::atd::schema::{Error, Result};
use crate::common::Location;
use crate::common::rust::{Names, type_name};

/// The newtype of a `?field`, if no field has an attribute for its layout.
pub(super) const OPTIONAL: &str = "Optional";

/// A type with arguments is named after the place where it is used, where its name would be longer.
const LONGEST_NAME: usize = 40;

/// A type that is declared.
pub(super) struct Declaration<'s> {
    pub(super) key: Key<'s>,
    pub(super) name: String,
    /// The name that the schema has for it.
    pub(super) defined: Option<&'s str>,
    pub(super) docs: &'s str,
    pub(super) parts: Vec<Part<'s>>,
    /// The definition or member that it is in.
    location: Location,
}

/// All types that are declared, each after the one that it was first used in.
///
/// # Errors
///
/// A type has values that no Rust type has.
pub(super) fn declarations<'s>(roles: &Roles<'s>) -> Result<Vec<Declaration<'s>>> {
    let mut declaring = Declaring { roles, given: Names::default(), known: BTreeMap::new() };
    if roles.options.newtypes {
        declaring.given.one(OPTIONAL.to_owned());
    }
    // Names of the schema come before those that are made up.
    let mut open: Vec<_> = declaring.defined();
    open.reverse();
    let mut declared = Vec::new();
    while let Some(mut declaration) = open.pop() {
        declaring.check(&declaration)?;
        declaration.parts = parts(roles, declaration.key);
        let mut found = Vec::new();
        for part in &declaration.parts {
            found.extend(declaring.found(&declaration, part)?);
        }
        open.extend(found.into_iter().rev());
        declared.push(declaration);
    }
    Ok(declared)
}

struct Declaring<'r, 's> {
    roles: &'r Roles<'s>,
    given: Names,
    /// The names of types of their own.
    known: BTreeMap<usize, String>,
}

impl<'s> Declaring<'_, 's> {
    fn defined(&mut self) -> Vec<Declaration<'s>> {
        let types = &self.roles.schema.types;
        let mut defined = Vec::new();
        for named in types.declared().map(|id| types.get(id)) {
            let name: &'s str = &named.name;
            let is_there = named.location.line() == 0;
            let root = root(self.roles, name);
            let is_chosen = matches!(self.roles.usage(root), Use::Chosen(_));
            if is_there || named.shape.has_parameters || is_chosen {
                continue;
            }
            let end = self.roles.end(root);
            let own = self.roles.is_own(end).then(|| self.roles.first(end));
            let rust = self.given.one(type_name(name));
            let key = match own {
                Some(own) if !self.known.contains_key(&own) => {
                    self.known.insert(own, rust.clone());
                    Key::Own(own)
                }
                _ => Key::Alias(name),
            };
            defined.push(Declaration {
                key,
                name: rust,
                defined: Some(name),
                docs: &named.docs,
                parts: Vec::new(),
                location: named.location.clone(),
            });
        }
        defined
    }

    /// The declaration of a type that is found in another one for the first time.
    fn found(
        &mut self,
        inside: &Declaration<'s>,
        part: &Part<'s>,
    ) -> Result<Option<Declaration<'s>>> {
        let location = match part.member {
            Some(member) => self.roles.schema.location(member.mark),
            None => inside.location.clone(),
        };
        let own = match part.usage {
            Use::Own(own) if !self.known.contains_key(&own) => own,
            Use::Inline(end) if matches!(self.roles.body(end), Some(Body::Abstract)) => {
                return Err(self.refused(self.unknown(), location));
            }
            _ => return Ok(None),
        };
        let wanted = self.instance(own, LONGEST_NAME).unwrap_or_else(|| match part.member {
            Some(member) => format!("{}_{}", inside.name, member.name),
            None => format!("{}_item", inside.name),
        });
        let name = self.given.one(type_name(&wanted));
        self.known.insert(own, name.clone());
        let (key, parts) = (Key::Own(own), Vec::new());
        Ok(Some(Declaration { key, name, defined: None, docs: "", parts, location }))
    }

    /// Refuses a type that is nothing but itself.
    fn check(&self, declaration: &Declaration<'s>) -> Result<()> {
        let Key::Own(own) = declaration.key else { return Ok(()) };
        let last = resolve(&self.roles.schema.nodes, own).last();
        match last.map(|(_, node)| &node.body) {
            Some(Body::Wrap(_) | Body::Alias(_)) => {
                Err(self.refused(ErrorKind::Cyclic, declaration.location.clone()))
            }
            _ => Ok(()),
        }
    }

    /// Why a type is abstract, as far as the schema shows that.
    fn unknown(&self) -> ErrorKind {
        let missing = self.roles.schema.missing();
        let missing = missing.filter(|(name, _)| self.roles.options.chosen(name).is_none());
        let mut names = String::new();
        for (name, module) in missing {
            let comma = if names.is_empty() { "" } else { ", " };
            names.push_str(&format!("{comma}`{name}` of {module}"));
        }
        match names.is_empty() {
            true => ErrorKind::Abstract,
            false => ErrorKind::Missing { names },
        }
    }

    #[cold]
    fn refused(&self, kind: ErrorKind, location: Location) -> Error {
        let before = usize::try_from(location.line()).unwrap_or_default().saturating_sub(1);
        let mut sources = self.roles.schema.sources.iter();
        let source = sources.find(|source| source.file.as_deref() == location.file());
        let text = source.map_or("", |source| &source.text);
        let line = text.lines().nth(before).unwrap_or_default();
        Error::new(kind, location, line)
    }

    /// The name of a type with arguments: `IntPage` of `int page`. `None` if it is longer than `longest`.
    fn instance(&self, id: usize, longest: usize) -> Option<String> {
        let instance = self.roles.schema.instances.get(&id)?;
        let given = instance.given.iter().map(|given| self.given_name(*given, longest));
        let name = given.collect::<Option<String>>()? + &type_name(&instance.name);
        (name.len() <= longest).then_some(name)
    }

    /// The name of an argument in the name of a type.
    fn given_name(&self, id: usize, longest: usize) -> Option<String> {
        // Each level takes some letters, so this comes to an end.
        let longest = longest.checked_sub(1)?;
        let end = self.roles.end(id);
        let of = |id: &usize, word: &str| Some(self.given_name(*id, longest)? + word);
        if let Some(name) = self.roles.node(id).and_then(|node| node.name.as_deref()) {
            return Some(type_name(name));
        }
        let plain = match self.roles.body(end)? {
            _ if self.roles.schema.instances.contains_key(&end) => {
                return self.instance(end, longest);
            }
            Body::List(item) | Body::Object(item) => return of(item, "List"),
            Body::Table(item) => return of(item, "Table"),
            Body::Option(inner) | Body::Nullable(inner) => return of(inner, "Opt"),
            Body::Wrap(inner) => return of(inner, ""),
            Body::Unit => "Unit",
            Body::Bool => "Bool",
            Body::Int(Int::Svint) => "Int",
            Body::Int(Int::Uvint) => "Uint",
            Body::Int(Int::Int8) => "Int8",
            Body::Int(Int::Int16) => "Int16",
            Body::Int(Int::Char) => "Char",
            Body::Int(Int::Int32) => "Int32",
            Body::Int(Int::Int64) => "Int64",
            Body::Float(Float::Float32) => "Float32",
            Body::Float(Float::Float64) => "Float",
            Body::String => "String",
            _ => return None,
        };
        Some(plain.to_owned())
    }
}
