//! A whole file as JSON: the format's name, and the format's own keys.

use std::iter;

use fourfold::molecule::count_records;

use super::{FORMAT, Node, Part, TYPE, VALUE, VALUES, Wrong, biniou, tensors};
use crate::failure::{Failure, unchecked};
use crate::tensors::Weights;

/// A file that was read.
#[derive(Debug)]
pub struct Document<'a> {
    /// The name of the format or container.
    pub name: &'static str,
    /// The name of its type in the schema.
    pub ty: Option<&'a str>,
    /// Whether such a file always has exactly one value, so that paths need not name it.
    pub is_one: bool,
    pub root: Root,
    pub part: Part<'a>,
}

/// The part in which paths start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// Names are as they are in the file.
    Plain,
    /// The same, in the only value of a file format that numbers its values if there are several: a number at the
    /// start of a path is that of a value, not of one of its parts.
    Unnumbered,
    /// Names are as they are in the file. A path may also follow the bytes, which have lists of name and value.
    Listed,
    /// A name matches its hash, and a hash matches the name.
    Hashed,
    /// The same, in a list of chunks, which have no step of their own: `[0]` is the content of the first.
    Chunks,
}

impl Root {
    /// Whether names match their hashes.
    pub const fn has_hashes(self) -> bool {
        matches!(self, Root::Hashed | Root::Chunks)
    }
}

/// The error for JSON of a file without types.
pub fn needs_schema(node: &Node<'_>) -> Wrong {
    node.wrong("Molecule files contain no types").with_hint("pass a `.mol` file with `--schema`")
}

/// The error of a subcommand that needs the types of a Molecule file.
pub fn no_molecule(subcommand: &str, name: &str, bytes: &[u8]) -> Failure {
    let records = records_of(bytes);
    Failure::Usage(format!(
        "{name}: {subcommand} needs the types of a Molecule file{records}, and the file does not contain them; \
         pass a `.mol` file with `--schema`, or use `fourfold explain --layout` for the structure"
    ))
}

/// The error of a check of a Molecule file without its types.
pub fn no_check(name: &str, bytes: &[u8]) -> Failure {
    Failure::Usage(format!("{name}: Molecule{} {}", records_of(bytes), unchecked()))
}

/// The number of records in a Molecule file, if it has several.
fn records_of(bytes: &[u8]) -> String {
    let count = count_records(bytes);
    count.map(|count| format!(" ({count} records by their full sizes)")).unwrap_or_default()
}

impl<'a> Document<'a> {
    /// The value that paths start from: all keys of the format, or the only value.
    pub fn inside(&self) -> &Part<'a> {
        match &self.part {
            Part::Map(fields) => match fields.as_slice() {
                [(_, only)] if self.is_one => only,
                _ => &self.part,
            },
            _ => &self.part,
        }
    }

    /// Whether paths start in a list of concatenated values, and not in the only value.
    pub fn is_row(&self) -> bool {
        let is_values = |part: &Part<'_>| match part {
            Part::Map(fields) => matches!(fields.as_slice(), [(key, _)] if key == VALUES),
            _ => false,
        };
        self.root == Root::Chunks || is_values(&self.part)
    }

    /// The values of the file in order, created lazily: records, concatenated values, and the content of chunks;
    /// otherwise the only value.
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

    /// A file that contains only tensors.
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

    /// With the keys for the format and the type at the start.
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
