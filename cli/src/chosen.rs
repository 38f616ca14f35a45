//! The format of a file, and its type in a schema.

use fourfold::biniou::Options;
use fourfold_inspect::formats::{FileKind, Format, Note, OfType, Selection, Typed};
use fourfold_inspect::package;
use fourfold_inspect::tensors::Container;

use crate::choice::Choice;
use crate::failure::{ExitStatus, Failure, warn};
use crate::input::Input;
use crate::inputs::Found;
use crate::many::{BAD, Outcome, SHOWN};

/// The format of a file, and its type if it is read with a schema.
pub(crate) struct Chosen<'t> {
    pub(crate) format: Format,
    of_type: Option<OfType<'t>>,
    note: Option<Note>,
}

impl Chosen<'_> {
    pub(crate) fn kind(&self) -> &dyn FileKind {
        match &self.of_type {
            Some(of_type) => of_type,
            None => self.format.kind(),
        }
    }

    /// Why the file is read without a type of the given schema.
    pub(crate) fn mismatch(&self) -> Option<&Note> {
        self.note.as_ref().filter(|note| note.is_mismatch())
    }

    /// Prints the note about the type.
    pub(crate) fn warn(&self, input: &Input) {
        if let Some(note) = &self.note {
            warn_of(note, input);
        }
    }

    /// Prints the note if several types fit, for output that contains the type.
    pub(crate) fn warn_if_several(&self, input: &Input) {
        if let Some(note @ Note::First { .. }) = &self.note {
            warn_of(note, input);
        }
    }

    /// The result for a file that was shown: bad if no type fits.
    pub(crate) fn outcome(&self, outcome: Outcome) -> Outcome {
        match self.mismatch() {
            Some(_) => (ExitStatus::BadData, BAD),
            None => outcome,
        }
    }
}

/// Prints the note about the type of a file.
pub(crate) fn warn_of(note: &Note, input: &Input) {
    let hint = match note {
        Note::First { .. } => "; select another one with `--type`",
        _ => "",
    };
    warn(&format!("{}: {note}{hint}", input.name));
}

/// The container of tensors that a file is, if no format is requested and no type of the schema fits, and the result of
/// showing it.
pub(crate) fn container(
    choice: Choice,
    typed: Option<&Typed>,
    input: &Input,
    options: &Options,
) -> Option<(Container, Outcome)> {
    let container = Container::plain(&input.bytes).filter(|_| choice.format.is_none())?;
    match typed.map(|typed| typed.select(input, options)) {
        None => Some((container, (ExitStatus::Good, SHOWN))),
        Some(Selection { of_type: None, note: Some(note), .. }) => {
            warn_of(&note, input);
            Some((container, (ExitStatus::BadData, BAD)))
        }
        Some(_) => None,
    }
}

/// The content of a file that is a package, if neither a format nor a schema is requested.
///
/// # Errors
///
/// What is wrong with its bytes.
pub(crate) fn package<'i>(
    choice: Choice,
    typed: Option<&Typed>,
    input: &'i Input,
) -> Result<Option<package::Value<'i>>, Failure> {
    if choice.format.is_some() || typed.is_some() || !package::is_package(&input.bytes) {
        return Ok(None);
    }
    package::open(input).map(Some)
}

impl Found {
    /// The format of the file and its type, or the result for a file of unknown format that was found in a directory.
    /// `detect` returns the format of a file without a schema.
    ///
    /// # Errors
    ///
    /// If the format is unknown.
    pub(crate) fn choose<'t>(
        &self,
        choice: Choice,
        typed: Option<&'t Typed>,
        input: &Input,
        options: &Options,
        detect: impl FnOnce(Choice, &Input, &Options) -> Result<Format, Failure>,
    ) -> Result<Result<Chosen<'t>, Outcome>, Failure> {
        let Some(typed) = typed else {
            let format = self.known(detect(choice, input, options))?;
            return Ok(format.map(|format| Chosen { format, of_type: None, note: None }));
        };
        let Selection { format, of_type, note } = typed.select(input, options);
        Ok(Ok(Chosen { format: format?, of_type, note }))
    }
}
