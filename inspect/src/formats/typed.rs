//! Reads files with a schema: selects the type of a file.

use std::ops::ControlFlow;

use fourfold::Path;
use fourfold::biniou::{Dictionary, Options};
use fourfold_schema::suggestion;

use super::{Comparison, Confidence, ExplainOptions, FileKind, Format, Loaded, Reading, Sample};
use crate::failure::Failure;
use crate::input::Input;
use crate::model::{Fields, Node, Part, TYPE, Wrong};
use crate::spans::Span;

/// Maximum number of fitting types in an error.
const MOST_NAMED: usize = 5;

/// A schema in one schema language. Each implementation is in the module of its format.
pub trait SchemaKind: Sync {
    /// The format of its files.
    fn format(&self) -> Format;

    /// The names of all types that a file can be of.
    fn names(&self) -> Box<dyn Iterator<Item = &str> + '_>;

    /// Whether a file can be of the type of that name.
    fn has(&self, name: &str) -> bool;

    /// The names whose hashes are in its files.
    ///
    /// # Errors
    ///
    /// If two names have the same hash.
    fn dictionary(&self) -> Result<Dictionary, String> {
        Ok(Dictionary::new())
    }

    /// Whether spans depend on the type; otherwise they depend only on the file.
    fn explains_by_type(&self) -> bool {
        false
    }

    /// Calls `each` with the spans of a file of the named type, like [`FileKind::explain_each`].
    fn explain_each(
        &self,
        bytes: &[u8],
        _name: &str,
        how: ExplainOptions<'_>,
        path: &str,
        each: &mut dyn FnMut(Span) -> ControlFlow<()>,
    ) {
        self.format().kind().explain_each(bytes, how, path, each);
    }

    /// Loads and checks a file of the named type.
    ///
    /// # Errors
    ///
    /// What is wrong with the bytes.
    fn load<'a>(
        &'a self,
        bytes: &'a [u8],
        name: &'a str,
        options: &'a Options,
    ) -> Result<Box<dyn Loaded + 'a>, String>;

    /// The part at `path` of a file of the named type, like [`FileKind::part`].
    fn part<'a>(
        &'a self,
        bytes: &'a [u8],
        name: &str,
        path: &Path,
        options: &Options,
    ) -> Option<Part<'a>>;

    /// The bytes of a file of the named type that a JSON text describes.
    ///
    /// # Errors
    ///
    /// What is wrong with the text.
    fn make(
        &self,
        fields: &Fields<'_>,
        whole: &Node<'_>,
        name: &str,
        options: &Options,
    ) -> Result<Vec<u8>, Wrong>;

    /// The bytes of a file of one value of the named type. `value` is the JSON of the value alone.
    ///
    /// # Errors
    ///
    /// What is wrong with the value.
    fn make_value(&self, value: &Node<'_>, name: &str, options: &Options)
    -> Result<Vec<u8>, Wrong>;
}

/// The error for an unknown type name.
pub fn no_type(schema: &dyn SchemaKind, name: &str) -> String {
    format!("the schema has no type `{name}`{}", suggestion(name, schema.names()))
}

/// A schema, and the type of all files, if it is known.
pub struct Typed {
    schema: Box<dyn SchemaKind>,
    name: Option<String>,
}

impl Typed {
    /// # Errors
    ///
    /// If the schema has no such type.
    pub fn new(schema: impl SchemaKind + 'static, name: Option<String>) -> Result<Self, String> {
        match name.as_deref().filter(|ty| !schema.has(ty)) {
            Some(ty) => Err(no_type(&schema, ty)),
            None => Ok(Typed { schema: Box::new(schema), name }),
        }
    }

    pub fn format(&self) -> Format {
        self.schema.format()
    }

    /// The type of a file: the requested type, or else the only one that fits.
    ///
    /// # Errors
    ///
    /// If none fits, or several do.
    pub fn of(&self, bytes: &[u8], options: &Options) -> Result<OfType<'_>, String> {
        let schema = &*self.schema;
        if let Some(name) = &self.name {
            return Ok(OfType { schema, name, is_guess: false });
        }
        let fits = |name: &&str| schema.load(bytes, name, options).is_ok();
        let mut fitting = schema.names().filter(fits);
        match (fitting.next(), fitting.next()) {
            (Some(name), None) => Ok(OfType { schema, name, is_guess: true }),
            (None, _) => {
                Err("no type of the schema fits; select one with `--type` to see why".into())
            }
            (Some(first), Some(second)) => {
                let all = [first, second].into_iter().chain(fitting);
                let mut names: Vec<&str> = all.take(MOST_NAMED + 1).collect();
                if names.len() > MOST_NAMED {
                    names.truncate(MOST_NAMED);
                    names.push("…");
                }
                Err(format!("several types fit, select one with `--type`: {}", names.join(", ")))
            }
        }
    }

    /// Like [`of`](Typed::of), for an input.
    ///
    /// # Errors
    ///
    /// Those of [`of`](Typed::of).
    pub fn of_input(&self, input: &Input, options: &Options) -> Result<OfType<'_>, Failure> {
        self.of(&input.bytes, options).map_err(|text| Failure::data(&input.name, text))
    }

    /// Like [`of`](Typed::of), but the type is determined only if spans depend on it.
    ///
    /// # Errors
    ///
    /// Those of [`of`](Typed::of).
    pub fn for_spans(&self, input: &Input, options: &Options) -> Result<OfType<'_>, Failure> {
        match self.schema.explains_by_type() {
            true => self.of_input(input, options),
            false => {
                let name = self.name.as_deref().unwrap_or_default();
                Ok(OfType { schema: &*self.schema, name, is_guess: false })
            }
        }
    }

    /// The names whose hashes are in files.
    ///
    /// # Errors
    ///
    /// If two names have the same hash.
    pub fn dictionary(&self) -> Result<Dictionary, String> {
        self.schema.dictionary()
    }

    /// The bytes of the file that a JSON text describes. The text names the type.
    ///
    /// # Errors
    ///
    /// What is wrong with the text.
    pub fn make(
        &self,
        fields: &Fields<'_>,
        whole: &Node<'_>,
        options: &Options,
    ) -> Result<Vec<u8>, Wrong> {
        let node = fields.need(TYPE)?;
        let name = node.to_text()?;
        if !self.schema.has(&name) {
            return Err(node.wrong(no_type(&*self.schema, &name)));
        }
        if let Some(requested) = self.name.as_ref().filter(|requested| **requested != name) {
            return Err(node.wrong(format!("this is {name}, not {requested}")));
        }
        self.schema.make(fields, whole, &name, options)
    }

    /// The bytes of a file of one value. The JSON of a value alone does not name its type.
    ///
    /// # Errors
    ///
    /// If no type was requested, or the value is invalid.
    pub fn make_value(&self, value: &Node<'_>, options: &Options) -> Result<Vec<u8>, Wrong> {
        match &self.name {
            Some(name) => self.schema.make_value(value, name, options),
            None => Err(value.wrong("this JSON does not name its type").with_hint("use `--type`")),
        }
    }
}

/// A format restricted to files of one type of a schema.
pub struct OfType<'t> {
    schema: &'t dyn SchemaKind,
    name: &'t str,
    /// Whether the type was not requested but determined.
    is_guess: bool,
}

impl OfType<'_> {
    /// The name of the type.
    pub fn ty(&self) -> &str {
        self.name
    }

    /// A note with the type, if it was determined.
    pub fn guess(&self) -> Option<String> {
        let name = self.name;
        self.is_guess.then(|| format!("read as {name}, the only type of the schema that fits"))
    }

    fn untyped(&self) -> &'static dyn FileKind {
        self.schema.format().kind()
    }
}

impl FileKind for OfType<'_> {
    fn name(&self) -> &'static str {
        self.untyped().name()
    }

    fn extensions(&self) -> &'static [&'static str] {
        self.untyped().extensions()
    }

    fn has_hashes(&self) -> bool {
        self.untyped().has_hashes()
    }

    fn comparison(&self) -> Comparison {
        self.untyped().comparison()
    }

    fn evidence(&self, sample: &Sample<'_>) -> (Confidence, Vec<String>) {
        self.untyped().evidence(sample)
    }

    fn glance(&self, sample: &Sample<'_>, options: &Options) -> Reading {
        self.untyped().glance(sample, options)
    }

    fn load<'a>(
        &'a self,
        bytes: &'a [u8],
        options: &'a Options,
    ) -> Result<Box<dyn Loaded + 'a>, String> {
        self.schema.load(bytes, self.name, options)
    }

    fn part<'a>(
        &'a self,
        bytes: &'a [u8],
        path: &Path,
        _: &'a Dictionary,
        options: &Options,
    ) -> Option<Part<'a>> {
        self.schema.part(bytes, self.name, path, options)
    }

    fn is_chunks(&self, bytes: &[u8], options: &Options) -> bool {
        self.untyped().is_chunks(bytes, options)
    }

    fn explain_each(
        &self,
        bytes: &[u8],
        how: ExplainOptions<'_>,
        path: &str,
        each: &mut dyn FnMut(Span) -> ControlFlow<()>,
    ) {
        self.schema.explain_each(bytes, self.name, how, path, each);
    }

    fn make(
        &self,
        fields: &Fields<'_>,
        whole: &Node<'_>,
        options: &Options,
    ) -> Result<Vec<u8>, Wrong> {
        self.schema.make(fields, whole, self.name, options)
    }
}
