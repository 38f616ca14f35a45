//! A schema as a whole: from its text or file to its types by name.

use std::collections::BTreeMap;

use fourfold::biniou::Dictionary;

use super::annotation::Annotated;
use super::check::{Names, PREDEFINED};
use super::parse::{self, Definition, Text};
use super::shape::{Body, Float, Instance, Int, Node, Type};
use super::source::Source;
use super::{CommonKind, ErrorKind, Location, Step, Wrong, declare, dictionary, wrong_at};
use crate::common::{Cursor, Mark, Named, Types, shortened};

/// What is wrong with a schema, and where.
pub type Error = crate::common::Error<ErrorKind>;

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
    /// What it was read from: the file itself, then those that it takes types from.
    pub(super) sources: Vec<Source>,
    /// Types whose file was not found: their names, and the modules that have them.
    pub(super) missing: Vec<(String, String)>,
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
        read(Vec::from([Source::new(None, text)]))
    }

    /// Reads a schema from a file, and what it takes from others. Each may have 1 GiB.
    ///
    /// `type reading <ocaml from="Units" t="value"> = abstract` is the type `value` of `units.atd` in the same folder;
    /// without `t` it is `reading` there. Types of that file that this one has no name for are called `Units.value`.
    /// Where there is no such file or type, it stays abstract, and is among those that are
    /// [`missing`](Schema::missing).
    ///
    /// # Errors
    ///
    /// Those of [`parse`](Schema::parse), of each file alone; `Unreadable`; `Cyclic` for a type that comes from
    /// itself; `Arguments` if it has other parameters there.
    pub fn from_file(path: impl AsRef<std::path::Path>) -> Result<Self> {
        Self::from_file_including(path, [""; 0])
    }

    /// Reads a schema as [`from_file`](Schema::from_file) does. Files that it takes types from are in its folder, or
    /// else in the first of the folders `include` that has them.
    ///
    /// # Errors
    ///
    /// Those of [`from_file`](Schema::from_file).
    pub fn from_file_including<P: AsRef<std::path::Path>>(
        path: impl AsRef<std::path::Path>,
        include: impl IntoIterator<Item = P>,
    ) -> Result<Self> {
        super::source::read(path.as_ref(), include, crate::common::Within::Anywhere)
    }

    /// Reads a schema as [`from_file`](Schema::from_file) does, but no file outside of `folder`, by whatever names
    /// and links.
    ///
    /// # Errors
    ///
    /// Those of [`from_file`](Schema::from_file), and `Outside`.
    pub fn from_file_within(
        path: impl AsRef<std::path::Path>,
        folder: impl AsRef<std::path::Path>,
    ) -> Result<Self> {
        super::source::read(path.as_ref(), [""; 0], crate::common::Within::Folder(folder.as_ref()))
    }

    /// Types that are in other modules of OCaml, by `<ocaml from="..">`, and whose file was not found: the name of
    /// each, and the module. They are abstract here.
    pub fn missing(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.missing.iter().map(|(name, module)| (&**name, &**module))
    }

    /// Where a mark is.
    pub(super) fn location(&self, mark: Mark) -> Location {
        location(&self.sources, mark)
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
    pub fn dictionary(&self) -> fourfold::biniou::Result<Dictionary> {
        let mut names = Dictionary::new();
        for source in &self.sources {
            names.merge(&dictionary::names(&source.text)?)?;
        }
        Ok(names)
    }

    /// All types that are defined, in the order of the text, but for those with parameters.
    pub fn types(&self) -> impl Iterator<Item = Type<'_>> {
        let defined = self.types.declared().map(|id| self.types.get(id));
        let defined = defined.filter(|it| it.location.line() > 0 && !it.shape.has_parameters);
        defined.map(|named| Type::new(self, named.shape.id))
    }
}

/// Reads the texts of a schema as one: the first has those of the others that it names.
pub(super) fn read(sources: Vec<Source>) -> Result<Schema> {
    let refuse = |wrong: Wrong| {
        let (kind, mark) = *wrong;
        let text = sources.get(mark.text).map_or("", |source| &source.text);
        Error::new(kind, location(&sources, mark), Cursor::new(text).line(mark))
    };
    let parsed = joined(&sources).map_err(refuse)?;
    let names = Names::new(&parsed, &sources).map_err(refuse)?;
    let mut types = named(&names, &sources).map_err(refuse)?;
    names.check().map_err(refuse)?;
    let mut made = declare::make(&names).map_err(refuse)?;
    for ((at, definition), root) in parsed.definitions.iter().enumerate().zip(made.roots) {
        if let Some(id) = types.id(known_as(&names, at, definition)) {
            types.get_mut(id).shape.id = root;
        }
    }
    for (name, body) in plain() {
        if let Some(id) = types.id(name) {
            types.get_mut(id).shape.id = made.nodes.len();
            made.nodes.push(Node { body, name: None });
        }
    }
    let name = |(at, module): &(usize, &str)| {
        let definition = parsed.definitions.get(*at);
        (definition.map_or("", |it| it.name.text).into(), (*module).into())
    };
    let missing = names.missing.iter().map(name).collect();
    let declare::Made { nodes, instances, .. } = made;
    Ok(Schema { types, nodes, instances, missing, sources })
}

/// All texts as one, with the head of the first.
fn joined(sources: &[Source]) -> Step<Text<'_>> {
    let mut texts = sources.iter().enumerate();
    let mut next = || texts.next().map(|(at, source)| parse::parse_one(&source.text, at));
    let mut first = next().unwrap_or_else(|| parse::parse(""))?;
    while let Some(text) = next() {
        let text = text?;
        first.size = first.size.saturating_add(text.size);
        first.imports.extend(text.imports);
        first.definitions.extend(text.definitions);
    }
    Ok(first)
}

fn location(sources: &[Source], mark: Mark) -> Location {
    Location::new(sources.get(mark.text).and_then(|source| source.file.as_ref()), mark)
}

/// What a definition is called among all types.
fn known_as<'n>(names: &'n Names<'_, '_>, at: usize, definition: &'n Definition<'_>) -> &'n str {
    match definition.name.mark.text {
        0 => definition.name.text,
        _ => names.called(at),
    }
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
fn named(names: &Names<'_, '_>, sources: &[Source]) -> Step<Types<Root>> {
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
    let definitions = &names.text.definitions;
    for (at, definition) in definitions.iter().enumerate() {
        let name = definition.name;
        let there = names.meant(at);
        // The first text has another name for it, or a third text has it.
        let is_known = name.mark.text > 0 && (there != at || types.id(names.called(at)).is_some());
        if is_known && names.id(name) == Some(at) {
            continue;
        }
        let mut docs = docs(definition)?;
        if let Some(there) = definitions.get(there).filter(|_| docs.is_empty() && there != at) {
            docs = self::docs(there)?;
        }
        let known = types.add(Named {
            name: known_as(names, at, definition).into(),
            shape: Root { id: 0, has_parameters: !definition.parameters.is_empty() },
            docs,
            location: location(sources, name.mark),
        });
        if let Err(known) = known {
            let first = types.get(known).location.clone();
            return Err(wrong_at(
                CommonKind::Redeclared { name: shortened(name.text), first },
                name.mark,
            ));
        }
    }
    Ok(types)
}

/// The text of `<doc text="..">` at the name of a type, or else after what it is.
fn docs(definition: &Definition<'_>) -> Step<String> {
    let own = Annotated::new(&definition.annotations).docs()?;
    match own.is_empty() {
        true => Annotated::new(&definition.body.annotations).docs(),
        false => Ok(own),
    }
}
