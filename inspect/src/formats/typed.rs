//! Files that are read by a schema: which of its types a file is of. Knows no language of schemas.

use std::ops::ControlFlow;

use fourfold::biniou::{Dictionary, Options};
use fourfold::schema::suggestion;
use fourfold::{Path, Span};

use super::{Comparison, Explained, FileKind, Format, Loaded, Reading, Sample, Standing};
use crate::failure::Failure;
use crate::input::Input;
use crate::model::{Fields, Node, Part, TYPE, Wrong};

/// So many types that fit are named.
const MOST_NAMED: usize = 5;

/// A schema of one language. Each is a file in the room of its format.
pub trait SchemaKind: Sync {
    /// The format of its files.
    fn format(&self) -> Format;

    /// The names of all types that a file can be of.
    fn names(&self) -> Box<dyn Iterator<Item = &str> + '_>;

    /// Whether a file can be of the type of that name.
    fn has(&self, name: &str) -> bool;

    /// The names that its files have hashes of.
    ///
    /// # Errors
    ///
    /// If two of them cannot be told apart.
    fn dictionary(&self) -> Result<Dictionary, String> {
        Ok(Dictionary::new())
    }

    /// Whether spans are told by a type; else by what the file says of itself.
    fn explains_by_type(&self) -> bool {
        false
    }

    /// Hands on the spans of a file of the type of that name, as [`FileKind::explain_each`] does.
    fn explain_each(
        &self,
        bytes: &[u8],
        _name: &str,
        how: Explained<'_>,
        path: &str,
        each: &mut dyn FnMut(Span) -> ControlFlow<()>,
    ) {
        self.format().kind().explain_each(bytes, how, path, each);
    }

    /// Checks all of a file that is of the type of that name.
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

    /// The part of a file of the type of that name, as [`FileKind::part`] gives it.
    fn part<'a>(
        &'a self,
        bytes: &'a [u8],
        name: &str,
        path: &Path,
        options: &Options,
    ) -> Option<Part<'a>>;

    /// The bytes of a file of the type of that name, which a JSON text stands for.
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

    /// The bytes of a file of one value of the type of that name, whose JSON stands alone.
    ///
    /// # Errors
    ///
    /// What is wrong with the value.
    fn make_value(&self, value: &Node<'_>, name: &str, options: &Options)
    -> Result<Vec<u8>, Wrong>;
}

/// What is wrong with a name of a type.
pub fn no_type(schema: &dyn SchemaKind, name: &str) -> String {
    format!("the schema has no type `{name}`{}", suggestion(name, schema.names()))
}

/// A schema, and the type that all files are of, if it is known.
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

    /// As what a file is read: of the type that was asked for, else of the only one that fits.
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
                Err("no type of the schema fits; say which with `--type` to see why".into())
            }
            (Some(first), Some(second)) => {
                let all = [first, second].into_iter().chain(fitting);
                let mut names: Vec<&str> = all.take(MOST_NAMED + 1).collect();
                if names.len() > MOST_NAMED {
                    names.truncate(MOST_NAMED);
                    names.push("…");
                }
                Err(format!("several types fit, say which with `--type`: {}", names.join(", ")))
            }
        }
    }

    /// The same of an input.
    ///
    /// # Errors
    ///
    /// Those of [`of`](Typed::of).
    pub fn of_input(&self, input: &Input, options: &Options) -> Result<OfType<'_>, Failure> {
        self.of(&input.bytes, options).map_err(|text| Failure::data(&input.name, text))
    }

    /// The same where the type is not asked for, unless spans need it.
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

    /// The names that files have hashes of.
    ///
    /// # Errors
    ///
    /// If two of them cannot be told apart.
    pub fn dictionary(&self) -> Result<Dictionary, String> {
        self.schema.dictionary()
    }

    /// The bytes of the file that a JSON text stands for, which names the type.
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
        if let Some(asked) = self.name.as_ref().filter(|asked| **asked != name) {
            return Err(node.wrong(format!("this is {name}, not {asked}")));
        }
        self.schema.make(fields, whole, &name, options)
    }

    /// The same of a value whose JSON stands alone, so nothing in it names the type.
    ///
    /// # Errors
    ///
    /// If nobody else has named it; and what is wrong with the value.
    pub fn make_value(&self, value: &Node<'_>, options: &Options) -> Result<Vec<u8>, Wrong> {
        match &self.name {
            Some(name) => self.schema.make_value(value, name, options),
            None => Err(value.wrong("this JSON does not name its type").with_hint("use `--type`")),
        }
    }
}

/// The format of files that are of one type of a schema.
pub struct OfType<'t> {
    schema: &'t dyn SchemaKind,
    name: &'t str,
    /// Whether nobody has said that it is this one.
    is_guess: bool,
}

impl OfType<'_> {
    /// The name of the type.
    pub fn ty(&self) -> &str {
        self.name
    }

    /// Which type it is, if nobody has said so before.
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

    fn evidence(&self, sample: &Sample<'_>) -> (Standing, Vec<String>) {
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
        how: Explained<'_>,
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
