//! A whole file as JSON: the format's name, and what the format puts beside it.

use std::iter;

use fourfold::molecule::count_records;

use super::{FORMAT, Part, TYPE, VALUE, VALUES, biniou, tensors};
use crate::failure::Failure;
use crate::tensors::Weights;

/// A file that was read.
#[derive(Debug)]
pub struct Document<'a> {
    /// Of the format, or of the container.
    pub name: &'static str,
    /// What a schema calls the type of it.
    pub ty: Option<&'a str>,
    /// Whether one thing is all there is in such a file, so that paths need not name it.
    pub is_one: bool,
    pub root: Root,
    pub part: Part<'a>,
}

/// What a path begins in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// Names are as they are in the file.
    Plain,
    /// The same, in the only value of a file that would number its values if it had several: a number in front is
    /// that of a value, and none of its parts.
    Unnumbered,
    /// Names are as they are in the file, and a path may follow the bytes, which have lists of name and value.
    Listed,
    /// A name may stand for its hash, and a hash for the name.
    Hashed,
    /// The same, in a list of chunks, which take no step: `[0]` is what is in the first.
    Chunks,
}

impl Root {
    /// Whether names and their hashes are one.
    pub const fn has_hashes(self) -> bool {
        matches!(self, Root::Hashed | Root::Chunks)
    }
}

/// What is missing where a file holds no types.
pub const NEEDS_SCHEMA: &str =
    "files of Molecule hold no types: give those of a `.mol` file with `--schema`";

/// What a verb says that cannot know what a Molecule file holds.
pub fn no_molecule(subcommand: &str, name: &str, bytes: &[u8]) -> Failure {
    let records = count_records(bytes)
        .map(|count| format!("; by their full sizes there are {count} records"));
    let records = records.unwrap_or_default();
    Failure::Usage(format!(
        "{name}: {subcommand} needs the types of a Molecule file, and the file does not hold them: give those of a \
         `.mol` file with `--schema`, or see the structure by `fourfold explain --layout`{records}"
    ))
}

impl<'a> Document<'a> {
    /// What paths start from: all that there is beside the format, or the one thing.
    pub fn inside(&self) -> &Part<'a> {
        match &self.part {
            Part::Map(fields) => match fields.as_slice() {
                [(_, only)] if self.is_one => only,
                _ => &self.part,
            },
            _ => &self.part,
        }
    }

    /// Whether paths begin in a list of what stands one behind the other in the file, and not in the only value.
    pub fn is_row(&self) -> bool {
        let is_values = |part: &Part<'_>| match part {
            Part::Map(fields) => matches!(fields.as_slice(), [(key, _)] if key == VALUES),
            _ => false,
        };
        self.root == Root::Chunks || is_values(&self.part)
    }

    /// The values of the file, one after another, each of which is made when it is asked for: records, values that stand
    /// one behind the other, and what is in chunks. Else the one thing that there is.
    pub fn values(&self) -> impl Iterator<Item = Part<'a>> {
        let chunks = match &self.part {
            Part::Map(fields) => match fields.as_slice() {
                [(key, Part::Items(chunks))] if key == biniou::CHUNKS => Some(chunks.iter()),
                _ => None,
            },
            _ => None,
        };
        let others = chunks.is_none().then(|| self.part.clone());
        let of_chunks = chunks.into_iter().flatten();
        of_chunks.chain(others).flat_map(|part| {
            let (list, one) = match part {
                Part::Map(mut fields) => match (fields.pop(), fields.is_empty()) {
                    (Some((key, Part::Items(list))), true) if key == VALUES => (Some(list), None),
                    (Some((key, one)), true) if key == VALUE => (None, Some(one)),
                    (last, _) => {
                        fields.extend(last);
                        (None, Some(Part::Map(fields)))
                    }
                },
                other => (None, Some(other)),
            };
            list.into_iter().flat_map(|list| list.iter()).chain(one)
        })
    }

    /// A file that holds nothing but tensors.
    pub fn of_weights(weights: &'a Weights<'_>) -> Self {
        let part = tensors::file(weights);
        Document {
            name: weights.container.name(),
            ty: None,
            is_one: false,
            root: Root::Plain,
            part,
        }
    }

    /// With the format's name in front, and the type's.
    pub fn whole(&self) -> Part<'a> {
        let name = || (FORMAT.into(), Part::text(self.name));
        match self.part.clone() {
            Part::Map(mut fields) => {
                let ty = self.ty.map(|ty| (TYPE.into(), Part::text(ty)));
                fields.splice(0..0, iter::once(name()).chain(ty));
                Part::Map(fields)
            }
            Part::Tensor(mut tensor) => {
                tensor.head.insert(0, name());
                Part::Tensor(tensor)
            }
            other => other,
        }
    }
}
