//! Finds the differences of two files, by path.

mod bytes;
mod difference;
mod document;
mod numbers;
mod parts;
mod values;

use fourfold::biniou::{Dictionary, Options};

pub use self::difference::{Change, Difference, Reader, write};
use self::document::{Document, Side};
pub use self::numbers::Apart;
use crate::failure::Failure;
use crate::formats::{self, Comparison, FileKind as _, Format, Note, OfType, Typed, container};
use crate::input::Input;
use crate::package;
use crate::tensors::{Container, read_as};
use crate::write::report::About;

/// Compares two files.
#[derive(Clone, Copy, Debug)]
pub struct Comparer<'a> {
    /// The largest absolute difference at which two numbers count as equal.
    pub tolerance: Option<f64>,
    /// Names for hashes.
    pub names: &'a Dictionary,
    pub options: &'a Options,
    pub reader: Reader,
}

impl Comparer<'_> {
    /// Compares two files, both read as `format` if it is given.
    ///
    /// # Errors
    ///
    /// If a file is not valid in its format, or the formats cannot be compared.
    pub fn compare(
        self,
        format: Option<Format>,
        old: &Input,
        new: &Input,
    ) -> Result<Vec<Difference>, Failure> {
        let options = self.options;
        let detect = |input| formats::detect(input, options);
        let alike = |comparison| match comparison {
            Comparison::Bytes => Ok(bytes::compare(&old.bytes, &new.bytes)),
            Comparison::Values => values::compare(old, new, &self),
            Comparison::Tensors(container) => self.tensors((old, container), (new, container)),
        };
        if let Some(format) = format {
            return alike(format.kind().comparison());
        }
        if package::is_package(&old.bytes) && package::is_package(&new.bytes) {
            let (old, new) = (package::open(old)?, package::open(new)?);
            let (old, new) = (package::whole(&old), package::whole(&new));
            return Ok(parts::compare(&old, &new, self.tolerance, self.reader));
        }
        match (container(old, options), container(new, options)) {
            (Ok(one), Ok(two)) => self.tensors((old, one), (new, two)),
            (Err(_), Err(_)) => match (detect(old)?, detect(new)?) {
                (one, two) if one == two => alike(one.kind().comparison()),
                (one, two) => Err(apart(one.name(), two.name())),
            },
            (Ok(_), Err(_)) => Err(apart("tensors", detect(new)?.name())),
            (Err(_), Ok(_)) => Err(apart(detect(old)?.name(), "tensors")),
        }
    }

    /// Compares two files with a schema: as values of a type if there is one that fits both, else without types and with
    /// `names`. `each` gets the notes about the types.
    ///
    /// # Errors
    ///
    /// Those of [`compare`](Comparer::compare), or if the files have different types.
    pub fn compare_with(
        self,
        typed: &Typed,
        old: &Input,
        new: &Input,
        names: impl FnOnce() -> Result<Dictionary, Failure>,
        each: &mut dyn FnMut(&Note, &Input),
    ) -> Result<Vec<Difference>, Failure> {
        let (one, two) = typed.select_both(old, new, self.options);
        let notes = [(&one.note, old), (&two.note, new)];
        for (note, input) in notes {
            note.iter().for_each(|note| each(note, input));
        }
        if let (Some(one), Some(two)) = (one.of_type, two.of_type) {
            return self.compare_typed((&one, old), (&two, new), names);
        }
        // Containers have no format. Their tensors are compared with those of any other file.
        let is_container = |input: &Input| Container::plain(&input.bytes).is_some();
        let has_tensors =
            |format: Format| matches!(format.kind().comparison(), Comparison::Tensors(_));
        let format = match (one.format, two.format) {
            (Ok(one), Ok(two)) if one != two => return Err(apart(one.name(), two.name())),
            (Ok(one), Ok(_)) => Some(one),
            (Err(_), Err(_)) => None,
            (Err(_), Ok(format)) if is_container(old) => match has_tensors(format) {
                true => None,
                false => return Err(apart("tensors", format.name())),
            },
            (Ok(format), Err(_)) if is_container(new) => match has_tensors(format) {
                true => None,
                false => return Err(apart(format.name(), "tensors")),
            },
            (Err(error), Ok(_)) | (Ok(_), Err(error)) => return Err(error),
        };
        Comparer { names: &names()?, ..self }.compare(format, old, new)
    }

    /// Compares two files of one type of a schema. If their JSON is incomplete, biniou values are compared instead, with
    /// `names`.
    ///
    /// # Errors
    ///
    /// If a file does not have its type, or the types differ.
    fn compare_typed(
        self,
        (old_type, old): (&OfType<'_>, &Input),
        (new_type, new): (&OfType<'_>, &Input),
        names: impl FnOnce() -> Result<Dictionary, Failure>,
    ) -> Result<Vec<Difference>, Failure> {
        if old_type.ty() != new_type.ty() {
            return Err(apart(old_type.ty(), new_type.ty()));
        }
        let refused = |input: &Input, text| Failure::data(&input.name, text);
        let one = old_type.load(&old.bytes, self.options).map_err(|text| refused(old, text))?;
        let two = new_type.load(&new.bytes, self.options).map_err(|text| refused(new, text))?;
        let is_whole = one.left_out().is_none() && two.left_out().is_none();
        let documents = is_whole
            .then(|| Ok((one.document(&self.about(old))?, two.document(&self.about(new))?)));
        let are_values = old_type.comparison() == Comparison::Values;
        match documents {
            Some(Ok((one, two))) => Ok(parts::compare(&one, &two, self.tolerance, self.reader)),
            Some(Err(failure)) if !are_values => Err(failure),
            // The JSON is incomplete.
            _ => values::compare(old, new, &Comparer { names: &names()?, ..self }),
        }
    }

    /// Compares two files of tensors.
    fn tensors(
        self,
        (old, old_container): (&Input, Container),
        (new, new_container): (&Input, Container),
    ) -> Result<Vec<Difference>, Failure> {
        let sources = (read_as(old_container, old)?, read_as(new_container, new)?);
        let (old_part, new_part) =
            Document::pair(&*sources.0, &*sources.1).map_err(|(side, text)| match side {
                Side::Old => Failure::data(&old.name, text),
                Side::New => Failure::data(&new.name, text),
            })?;
        Ok(document::compare(&old_part, &new_part, self.tolerance))
    }

    fn about<'i>(&self, input: &'i Input) -> About<'i>
    where
        Self: 'i,
    {
        About {
            name: &input.name,
            bytes: &input.bytes,
            names: self.names,
            depth: usize::MAX,
            inputs: &[],
        }
    }
}

fn apart(one: &str, two: &str) -> Failure {
    Failure::Usage(format!("{one} and {two} have nothing that can be compared"))
}
