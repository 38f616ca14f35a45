//! A schema as a whole: from its text or file to its types by name.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::annotation::Annotated;
use super::check::{Names, PREDEFINED};
use super::declare;
use super::parse::{self, Text};
use super::shape::{Body, Float, Instance, Int, Node, Type};
use super::{ErrorKind, Fault, Location, Step, Wrong, wrong_at};
use crate::biniou::Dictionary;
use crate::schema::{Cursor, Named, Types, shortened};

/// What is wrong with a schema, and where.
pub type Error = crate::schema::Error<ErrorKind>;

/// A result of this module.
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// The types that an `.atd` file defines.
#[derive(Clone, Debug)]
pub struct Schema {
    /// Those with names, and where they are among all.
    pub(super) types: Types<Root>,
    pub(super) nodes: Vec<Node>,
    /// Those of the nodes that are made of definitions with parameters.
    pub(super) instances: BTreeMap<usize, Instance>,
    pub(super) file: Option<Arc<str>>,
    /// What it was read from.
    pub(super) text: Arc<str>,
}

/// A type that has a name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Root {
    pub(super) id: usize,
    /// One with parameters has no values.
    pub(super) has_parameters: bool,
}

impl Schema {
    /// Reads a schema.
    ///
    /// # Errors
    ///
    /// Whatever `atdgen -b` refuses, with the line and column.
    pub fn parse(text: &str) -> Result<Self> {
        read(text, None)
    }

    /// Reads a schema from a file, which may have 1 GiB.
    ///
    /// # Errors
    ///
    /// Those of [`parse`](Schema::parse), and `Unreadable`.
    #[cfg(feature = "std")]
    pub fn from_file(path: impl AsRef<std::path::Path>) -> Result<Self> {
        let path = path.as_ref();
        let text = crate::schema::text_of(path).map_err(Error::placeless)?;
        read(&text, Some(path.to_string_lossy().into()))
    }

    /// The type of that name: one that is defined without parameters, or `unit`, `bool`, `int`, `float`,
    /// `string` or `abstract`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Type<'_>> {
        let root = self.types.get(self.types.id(name)?).shape;
        (!root.has_parameters).then(|| Type::new(self, root.id))
    }

    /// The names that values have hashes of: those of fields and variants.
    ///
    /// # Errors
    ///
    /// `Collision` if two names have one hash, which atdgen refuses only within one type.
    pub fn dictionary(&self) -> crate::biniou::Result<Dictionary> {
        Dictionary::from_atd(&self.text)
    }

    /// All types that are defined, in the order of the text, but for those with parameters.
    pub fn types(&self) -> impl Iterator<Item = Type<'_>> {
        let defined = self.types.declared().map(|id| self.types.get(id));
        let defined = defined.filter(|it| it.location.line() > 0 && !it.shape.has_parameters);
        defined.map(|named| Type::new(self, named.shape.id))
    }
}

fn read(text: &str, file: Option<Arc<str>>) -> Result<Schema> {
    let refuse = |wrong: Wrong| {
        let (kind, mark) = *wrong;
        Error::new(kind, Location::new(file.as_ref(), mark), Cursor::new(text).line(mark))
    };
    let parsed = parse::parse(text).map_err(refuse)?;
    let names = Names::new(&parsed).map_err(refuse)?;
    let mut types = named(&parsed, file.as_ref()).map_err(refuse)?;
    names.check().map_err(refuse)?;
    let mut made = declare::make(&names).map_err(refuse)?;
    for (definition, root) in parsed.definitions.iter().zip(made.roots) {
        if let Some(id) = types.id(definition.name.text) {
            types.get_mut(id).shape.id = root;
        }
    }
    for (name, body) in plain() {
        if let Some(id) = types.id(name) {
            types.get_mut(id).shape.id = made.nodes.len();
            made.nodes.push(Node { body, name: None });
        }
    }
    let declare::Made { nodes, instances, .. } = made;
    Ok(Schema { types, nodes, instances, file, text: text.into() })
}

/// The types that are there without a definition.
fn plain() -> [(&'static str, Body); 6] {
    [
        ("unit", Body::Unit),
        ("bool", Body::Bool),
        ("int", Body::Int(Int::Svint)),
        ("float", Body::Float(Float::Float64)),
        ("string", Body::String),
        ("abstract", Body::Abstract),
    ]
}

/// All names, without their types.
fn named(text: &Text<'_>, file: Option<&Arc<str>>) -> Step<Types<Root>> {
    let shape = Root { id: 0, has_parameters: false };
    let plain = |name: &str| Named {
        name: name.into(),
        shape,
        docs: String::new(),
        location: Location::default(),
    };
    let mut predefined = PREDEFINED.iter().filter(|(_, takes)| *takes == 0);
    let first = predefined.next().map_or("unit", |(name, _)| name);
    let mut types = Types::new(plain(first));
    for (name, _) in predefined {
        // No two of them have one name.
        let _ = types.add(plain(name));
    }
    for definition in &text.definitions {
        let name = definition.name;
        let own = Annotated::new(&definition.annotations).docs()?;
        let docs = match own.is_empty() {
            true => Annotated::new(&definition.body.annotations).docs()?,
            false => own,
        };
        let known = types.add(Named {
            name: name.text.into(),
            shape: Root { id: 0, has_parameters: !definition.parameters.is_empty() },
            docs,
            location: Location::new(file, name.mark),
        });
        if let Err(known) = known {
            let first = types.get(known).location.clone();
            return Err(wrong_at(
                Fault::Redeclared { name: shortened(name.text), first },
                name.mark,
            ));
        }
    }
    Ok(types)
}
