//! Reads files with a schema: selects the type of a file.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use fourfold::biniou::{Dictionary, Options};
use fourfold::{Error, Kind, Path};
use fourfold_schema::suggestion;

use super::selection::{Note, Selection};
use super::{
    Candidate, Comparison, Confidence, Detected, Evidence, ExplainOptions, FileKind, Format,
    Loaded, Reading, Sample, Verdict, format_of,
};
use crate::failure::Failure;
use crate::input::Input;
use crate::model::{Fields, Node, Part, TYPE, Wrong};
use crate::spans::Span;
use crate::tensors::Container;

/// Why a file is not of a type.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// The offset of the first byte that does not fit.
    pub at: usize,
    /// The error.
    pub text: String,
    /// For the choice of the closest type.
    pub(crate) fit: Fit,
}

/// How much of a file is as it would be in a file of the type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fit {
    /// Up to where the bytes fit.
    pub(crate) up_to: usize,
    /// Whether the bytes state the number of fields that the type has.
    pub(crate) has_count: bool,
}

impl Mismatch {
    /// The mismatch of an error of the library. An error without an offset is one of the beginning.
    pub(crate) fn of<K: Kind + 'static>(error: &Error<K>, text: String) -> Self {
        let at = error.offset().unwrap_or_default();
        Mismatch { at, text, fit: Fit { up_to: at, has_count: false } }
    }
}

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
    ) -> Result<Box<dyn Loaded + 'a>, Mismatch>;

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

/// A schema, and the type and format of all files, if they are requested.
pub struct Typed {
    schema: Box<dyn SchemaKind>,
    name: Option<String>,
    is_format_requested: bool,
}

impl Typed {
    /// # Errors
    ///
    /// If the schema has no such type.
    pub fn new(schema: impl SchemaKind + 'static, name: Option<String>) -> Result<Self, String> {
        match name.as_deref().filter(|ty| !schema.has(ty)) {
            Some(ty) => Err(no_type(&schema, ty)),
            None => Ok(Typed { schema: Box::new(schema), name, is_format_requested: false }),
        }
    }

    /// With a requested format, which a file that no type fits is read as, too.
    ///
    /// # Errors
    ///
    /// If the schema is for another format.
    pub fn in_format(mut self, requested: Option<Format>) -> Result<Self, String> {
        let of_schema = self.format();
        if let Some(other) = requested.filter(|format| *format != of_schema) {
            let (of_schema, other) = (of_schema.name(), other.name());
            return Err(format!(
                "the schema is for {of_schema}, but the requested format is {other}"
            ));
        }
        self.is_format_requested = requested.is_some();
        Ok(self)
    }

    pub fn format(&self) -> Format {
        self.schema.format()
    }

    /// The type of a file: the requested type, or else the first one that fits.
    pub fn select(&self, input: &Input, options: &Options) -> Selection<'_> {
        match &self.name {
            Some(name) => {
                let of_type = self.of_type(name);
                Selection { format: Ok(self.format()), of_type, note: None }
            }
            None => self.select_fitting(input, options),
        }
    }

    /// Like [`select`](Typed::select), but a requested type is selected only if it fits.
    pub fn select_fitting(&self, input: &Input, options: &Options) -> Selection<'_> {
        self.selection(self.fits(input, options), input, options)
    }

    /// The types of two files that are compared: the requested type, or else the first one that fits both. If none fits
    /// both, each file has the type that it has alone.
    pub fn select_both(
        &self,
        old: &Input,
        new: &Input,
        options: &Options,
    ) -> (Selection<'_>, Selection<'_>) {
        if self.name.is_some() {
            // A container of tensors is hardly of the type.
            let select = |input: &Input| match Container::plain(&input.bytes) {
                Some(_) => self.select_fitting(input, options),
                None => self.select(input, options),
            };
            return (select(old), select(new));
        }
        let (mut one, mut two) = (self.fits(old, options), self.fits(new, options));
        let others: BTreeSet<&str> = two.names.iter().copied().collect();
        let both: Vec<&str> =
            one.names.iter().copied().filter(|name| others.contains(name)).collect();
        if !both.is_empty() {
            (one.are_of_both, two.are_of_both) = (true, true);
            (one.names, two.names) = (both.clone(), both);
        }
        (self.selection(one, old, options), self.selection(two, new, options))
    }

    /// Checks a file against the requested type or all types.
    fn fits<'t>(&'t self, input: &Input, options: &Options) -> Fits<'t> {
        let other = self.other_format(input, options);
        let mut fits = Fits { names: Vec::new(), are_of_both: false, closest: None, other };
        // A type of fixed size fits any file of its length.
        if fits.other.is_some() && self.name.is_none() {
            return fits;
        }
        let mut check = |name: &'t str| match self.schema.load(&input.bytes, name, options) {
            Ok(_) => fits.names.push(name),
            Err(mismatch) => {
                // Of types that fit equally far, the first one remains.
                let is_closer = |(_, best): &(&str, Mismatch)| best.fit < mismatch.fit;
                if fits.closest.as_ref().is_none_or(is_closer) {
                    fits.closest = Some((name, mismatch));
                }
            }
        };
        match &self.name {
            Some(name) => check(name),
            None => self.schema.names().for_each(check),
        }
        fits
    }

    fn selection<'t>(&'t self, fits: Fits<'t>, input: &Input, options: &Options) -> Selection<'t> {
        if let (Some(other), []) = (fits.other, &fits.names[..]) {
            return self.selection_of_other(other, input);
        }
        let of_type = fits.names.first().and_then(|name| self.of_type(name));
        let format = match fits.names[..] {
            [] => self.without_type(input, options),
            _ => Ok(self.format()),
        };
        let owned = |name: &&str| (*name).to_owned();
        let note = match fits.names[..] {
            [] => Some(self.none_fits(fits.closest, format.as_ref().ok())),
            [_] if self.name.is_some() => None,
            [only] => Some(Note::Only { ty: only.to_owned(), fits_both: fits.are_of_both }),
            [first, ..] => {
                let fitting = fits.names.iter().map(owned).collect();
                Some(Note::First { ty: first.to_owned(), fitting, fits_both: fits.are_of_both })
            }
        };
        Selection { format, of_type, note }
    }

    /// The format that a file has by its signature and its reader, if it is not that of the schema.
    fn other_format(&self, input: &Input, options: &Options) -> Option<Detected> {
        if self.is_format_requested {
            return None;
        }
        if let Some(container) = Container::plain(&input.bytes) {
            let is_read = container.kind().read(input).is_ok();
            return is_read.then_some(Detected::Container(container));
        }
        let is_of = |format: &Format| {
            let kind = format.kind();
            kind.is_signed(&input.bytes) && kind.is_read(&input.bytes, options)
        };
        let mut others = Format::ALL.into_iter().filter(|format| *format != self.format());
        others.find(is_of).map(Detected::Format)
    }

    /// The selection for a file of another format.
    fn selection_of_other(&self, other: Detected, input: &Input) -> Selection<'_> {
        let of_schema = self.format().name();
        let note = Note::OtherFormat { format: other.name(), of_schema, closest: None };
        let format = match other {
            Detected::Format(format) => Ok(format),
            Detected::Container(_) => Err(Failure::data(&input.name, note.refusal())),
        };
        Selection { format, of_type: None, note: Some(note) }
    }

    /// The note for a file that no type fits, and that is read as `format`.
    fn none_fits(&self, closest: Option<(&str, Mismatch)>, format: Option<&Format>) -> Note {
        let of_schema = self.format();
        match (format, closest) {
            (Some(&format), closest) if format != of_schema => {
                // Damaged bytes of the schema's format may be readable as another one.
                let closest = closest.map(|(ty, mismatch)| (ty.to_owned(), mismatch.text));
                Note::OtherFormat { format: format.name(), of_schema: of_schema.name(), closest }
            }
            (_, Some((ty, Mismatch { at, text: error, .. }))) => {
                let is_requested = self.name.is_some();
                Note::None { ty: ty.to_owned(), at, error, is_requested }
            }
            (_, None) => Note::Empty,
        }
    }

    /// The format of a file that no type fits: the requested one, or else that of the schema, unless the bytes are of
    /// exactly one other. Damaged bytes are often readable as another format, so that its signature or several numbers
    /// must agree, or the name of the file.
    ///
    /// # Errors
    ///
    /// If the file is empty, or of a format that is not one of ours.
    fn without_type(&self, input: &Input, options: &Options) -> Result<Format, Failure> {
        if self.is_format_requested {
            return Ok(self.format());
        }
        let evidence = Evidence::of(&input.name, &Sample::of(&input.bytes), options);
        let named = Format::by_extension(&input.name);
        let is_certain = |candidate: &Candidate| {
            candidate.confidence >= Confidence::Agrees || named == Some(candidate.format)
        };
        match evidence.verdict() {
            Verdict::Determined(format) if evidence.named().any(is_certain) => Ok(*format),
            verdict @ (Verdict::Empty | Verdict::Unknown(Some(_))) => {
                format_of(input, verdict.clone())
            }
            _ => Ok(self.format()),
        }
    }

    /// The schema's format with the type of that name, if there is one.
    pub fn of_type<'t>(&'t self, name: &'t str) -> Option<OfType<'t>> {
        self.schema.has(name).then_some(OfType { schema: &*self.schema, name })
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

/// The types that a file fits.
struct Fits<'t> {
    names: Vec<&'t str>,
    /// Whether another file fits each of them, too.
    are_of_both: bool,
    /// Of the other types, the one whose first error is at the greatest offset, and that error.
    closest: Option<(&'t str, Mismatch)>,
    /// The other format that the file certainly has.
    other: Option<Detected>,
}

/// A format restricted to files of one type of a schema.
pub struct OfType<'t> {
    schema: &'t dyn SchemaKind,
    name: &'t str,
}

impl OfType<'_> {
    /// The name of the type.
    pub fn ty(&self) -> &str {
        self.name
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
        self.schema.load(bytes, self.name, options).map_err(|mismatch| mismatch.text)
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
