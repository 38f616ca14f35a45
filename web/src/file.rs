//! The open file: its bytes, names and schema.

use fourfold::biniou::{Dictionary, Options};
use fourfold_inspect::failure::{Failure, describe};
use fourfold_inspect::formats::{self, FileKind, Format, Note, OfType, SchemaKind, Typed};
use fourfold_inspect::input::{Input, without_mark};
use fourfold_inspect::package;
use fourfold_inspect::tensors::Container;
use fourfold_schema::mol::Schema;
use fourfold_schema::{atd, is_atd, is_mol};

use crate::memory::Buffer;
use crate::source::{Contents, Reader};

/// A file, names and types.
pub(crate) struct File {
    pub(crate) reader: Reader,
    pub(crate) buffer: Buffer,
    contents: Contents,
    pub(crate) options: Options,
    pub(crate) names: Dictionary,
    schema: Option<SchemaText>,
    typed: Option<Typed>,
    selected: Selected,
    /// The names of the schema's types.
    pub(crate) types: Vec<String>,
}

/// The text of a schema, which is parsed again when a type is chosen.
struct SchemaText {
    name: String,
    text: String,
}

/// The result of selecting the type of the file.
#[derive(Default)]
struct Selected {
    /// The format; `None` if it is unknown or there is no schema.
    format: Option<Format>,
    /// The type; `None` if the file is read without one.
    ty: Option<String>,
    note: Option<Note>,
    /// The types that fit.
    fitting: Vec<String>,
}

/// The format that a file is read as.
pub(crate) enum Kind<'f> {
    /// One of the formats.
    Format(Format),
    /// One of the formats with a type.
    Typed(OfType<'f>),
    /// A tensor container of another format.
    Container(Container),
    /// A package of SeetaFace.
    Package,
}

impl Kind<'_> {
    /// The operations of the format, if it is one.
    pub(crate) fn file_kind(&self) -> Option<&dyn FileKind> {
        match self {
            Kind::Format(format) => Some(format.kind()),
            Kind::Typed(of_type) => Some(of_type),
            Kind::Container(_) | Kind::Package => None,
        }
    }

    pub(crate) fn name(&self) -> &'static str {
        match self {
            Kind::Format(format) => format.name(),
            Kind::Typed(of_type) => of_type.name(),
            Kind::Container(container) => container.name(),
            Kind::Package => package::NAME,
        }
    }
}

impl File {
    /// Loads a file, except for ranges that no reader needs.
    ///
    /// # Errors
    ///
    /// If it cannot be read; `no memory` if it does not fit in memory.
    pub(crate) fn open(reader: Reader, name: String, len: usize) -> Result<Self, String> {
        let contents = Contents::find(&reader, len).map_err(|error| error.to_string())?;
        let mut buffer = Buffer::new(name, len).ok_or("no memory")?;
        contents.load_others(&reader, &mut buffer).map_err(|error| error.to_string())?;
        Ok(File {
            reader,
            buffer,
            contents,
            options: Options::new(),
            names: Dictionary::new(),
            schema: None,
            typed: None,
            selected: Selected::default(),
            types: Vec::new(),
        })
    }

    /// Loads the other ranges, too.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub(crate) fn load(&mut self) -> Result<(), String> {
        self.contents.load(&self.reader, &mut self.buffer).map_err(|error| error.to_string())
    }

    pub(crate) fn is_loaded(&self) -> bool {
        self.contents.is_loaded()
    }

    /// The number of bytes that are not loaded.
    pub(crate) fn left(&self) -> usize {
        self.contents.len()
    }

    /// Adds names and types from a `.mol` or `.atd` file, or names from a word list.
    ///
    /// # Errors
    ///
    /// Errors in the text.
    pub(crate) fn take_schema(&mut self, name: String, text: &str) -> Result<(), String> {
        let text = without_mark(text);
        let (is_atd, is_mol) = (is_atd(&name), is_mol(&name));
        let words = match is_atd {
            true => fourfold_schema::atd::names(text),
            false if is_mol => Ok(Dictionary::new()),
            false => Dictionary::from_words(text),
        };
        let mut names = self.names.clone();
        let merged = words.and_then(|words| names.merge(&words));
        merged.map_err(|error| describe(&error))?;
        if is_atd || is_mol {
            let schema = SchemaText { name, text: text.to_owned() };
            let (typed, types) = schema.read(None)?;
            // Reading with a type needs all bytes.
            self.load()?;
            (self.typed, self.types, self.schema) = (Some(typed), types, Some(schema));
        }
        self.names = names;
        self.options = Options::new().names(self.names.clone());
        self.select();
        Ok(())
    }

    /// Chooses the type of the file; without a name, the first one that fits.
    ///
    /// # Errors
    ///
    /// If there is no such type.
    pub(crate) fn choose_type(&mut self, name: Option<String>) -> Result<(), String> {
        if let Some(schema) = &self.schema {
            self.typed = Some(schema.read(name)?.0);
            self.select();
        }
        Ok(())
    }

    /// Selects the type of the file, which takes a reading with each type.
    fn select(&mut self) {
        let Some(typed) = &self.typed else { return };
        let (format, ty, note) = self.buffer.lend(|input| {
            let selection = typed.select_fitting(input, &self.options);
            let ty = selection.of_type.as_ref().map(|of_type| of_type.ty().to_owned());
            (selection.format.ok(), ty, selection.note)
        });
        let fitting = match &note {
            Some(Note::First { fitting, .. }) => fitting.clone(),
            Some(Note::Only { ty, .. }) => vec![ty.clone()],
            // A requested type changes nothing about the others.
            Some(Note::None { is_requested: true, .. }) | None => {
                std::mem::take(&mut self.selected.fitting)
            }
            Some(_) => Vec::new(),
        };
        self.selected = Selected { format, ty, note, fitting };
    }

    /// The types that fit.
    pub(crate) fn fitting(&self) -> &[String] {
        &self.selected.fitting
    }

    /// How the type of the file was selected, or why it has none.
    pub(crate) fn note(&self) -> Option<&Note> {
        self.selected.note.as_ref()
    }

    /// The format that the file is read as, with its type if it has one.
    ///
    /// # Errors
    ///
    /// If the format is unknown.
    pub(crate) fn kind(&self, input: &Input) -> Result<Kind<'_>, Failure> {
        let of_type = |name| self.typed.as_ref()?.of_type(name);
        match self.selected.ty.as_deref().and_then(of_type) {
            Some(of_type) => Ok(Kind::Typed(of_type)),
            None => self.kind_without_type(input),
        }
    }

    /// The format for showing parts: with the requested type, whose first error is then shown, even if it does not fit.
    ///
    /// # Errors
    ///
    /// If the format is unknown.
    pub(crate) fn kind_for_spans(&self, input: &Input) -> Result<Kind<'_>, Failure> {
        match (self.note(), &self.typed) {
            (Some(Note::None { ty, is_requested: true, .. }), Some(typed)) => typed
                .of_type(ty)
                .map_or_else(|| self.kind(input), |of_type| Ok(Kind::Typed(of_type))),
            _ => self.kind(input),
        }
    }

    /// The format without a type.
    ///
    /// # Errors
    ///
    /// If the format is unknown.
    pub(crate) fn kind_without_type(&self, input: &Input) -> Result<Kind<'_>, Failure> {
        if let Some(container) = Container::plain(&input.bytes) {
            return Ok(Kind::Container(container));
        }
        if package::is_package(&input.bytes) {
            return Ok(Kind::Package);
        }
        let detect = || formats::detect_or_layouts(input, &self.options);
        self.selected.format.map_or_else(detect, Ok).map(Kind::Format)
    }

    /// The schema, with the requested type.
    pub(crate) fn typed(&self) -> Option<&Typed> {
        self.typed.as_ref()
    }
}

impl SchemaText {
    /// Parses the schema with that type, and returns the names of all types.
    fn read(&self, ty: Option<String>) -> Result<(Typed, Vec<String>), String> {
        match is_atd(&self.name) {
            true => {
                let schema = atd::Schema::parse(&self.text).map_err(|error| error.to_string())?;
                let types = type_names(&schema);
                Ok((Typed::new(schema, ty)?, types))
            }
            false => {
                let schema = Schema::parse(&self.text).map_err(|error| error.to_string())?;
                let types = type_names(&schema);
                Ok((Typed::new(schema, ty)?, types))
            }
        }
    }
}

fn type_names(schema: &impl SchemaKind) -> Vec<String> {
    schema.names().map(str::to_owned).collect()
}
