//! Reads and writes files of Molecule records with a schema.

use std::io::Write;

use fourfold_schema::mol::{Schema, Value, Values};

use super::Molecule;
use super::typed_report::TypedReport;
use crate::failure::{Failure, describe};
use crate::formats::{FileKind, Loaded, Mismatch, Reading};
use crate::model::molecule::Show;
use crate::model::{self, Document, Node, Part, Root, VALUES, Wrong};
use crate::write::count::counted;
use crate::write::report::{About, Report};

/// Checked records. Each use reads them again.
pub(super) struct Records<'a> {
    values: Values<'a>,
    name: &'a str,
    count: usize,
    show: Show,
}

impl<'a> Records<'a> {
    /// # Errors
    ///
    /// The first invalid record, its error, and the number of invalid records. Later records are checked as long as their
    /// start is known.
    pub(super) fn checked(values: Values<'a>, name: &'a str, show: Show) -> Result<Self, Mismatch> {
        let (mut count, mut bad, mut first) = (0, 0, None);
        for value in values.clone() {
            if let Err(error) = value {
                bad += 1;
                first.get_or_insert_with(|| {
                    Mismatch::of(&error, format!("record [{count}]: {}", describe(&error)))
                });
            }
            count += 1;
        }
        match first {
            None => Ok(Records { values, name, count, show }),
            Some(mismatch) if bad == 1 => Err(mismatch),
            Some(mismatch) => {
                let records = counted(count, "record");
                let text = format!("{}; {bad} of {records} are bad", mismatch.text);
                Err(Mismatch { text, ..mismatch })
            }
        }
    }

    fn each(&self) -> impl Iterator<Item = Value<'a>> + use<'a> {
        self.values.clone().filter_map(Result::ok)
    }
}

impl Loaded for Records<'_> {
    fn reading(&self) -> Reading {
        Reading::good(format!("{} of {}", counted(self.count, "record"), self.name))
    }

    fn write_canonical(&self, out: &mut dyn Write) -> Result<(), String> {
        // Bytes that the strict reader accepts are canonical.
        let mut records = self.each();
        records
            .try_for_each(|value| out.write_all(value.bytes()))
            .map_err(|error| error.to_string())
    }

    fn report<'s>(&'s self, about: &About<'s>) -> Result<Box<dyn Report + 's>, String> {
        Ok(Box::new(TypedReport::of_records(self.name, self.count, self.each(), about)))
    }

    fn document<'s>(&'s self, _: &About<'s>) -> Result<Document<'s>, Failure> {
        let part =
            Part::map([(VALUES, model::molecule::records(&self.values, self.count, self.show))]);
        let (name, ty) = (Molecule.name(), Some(self.name));
        Ok(Document { name, ty, is_one: true, root: Root::Plain, part })
    }
}

/// The bytes of a file of records, each made by `make`.
///
/// # Errors
///
/// If the type cannot be a record, if there are no records, or if `make` fails.
pub fn make(
    schema: &Schema,
    values: &Node<'_>,
    name: &str,
    make: impl Fn(&Node<'_>) -> Result<Vec<u8>, Wrong>,
) -> Result<Vec<u8>, Wrong> {
    if schema.get(name).is_some_and(|ty| !ty.shows_size()) {
        let text = format!("{name} is not a table or dynvec, so its values cannot be records");
        return Err(values.wrong(text));
    }
    let mut bytes = Vec::new();
    values.each(&mut |value| {
        bytes.extend(make(value)?);
        Ok(())
    })?;
    match bytes.is_empty() {
        true => Err(values.wrong("without records there is no file of them")),
        false => Ok(bytes),
    }
}
