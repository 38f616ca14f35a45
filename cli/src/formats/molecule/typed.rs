//! Molecule with a schema: what the bytes are as one of its types.

use std::io::Write;
use std::ops::ControlFlow;

use fourfold::Span;
use fourfold::biniou::Options;
use fourfold::molecule::Schema;
use fourfold::molecule::schema::Value;

use super::Molecule;
use super::report::MoleculeReport;
use crate::failure::Failure;
use crate::formats::{
    About, Comparison, Explained, FileKind, Loaded, Reading, Report, Sample, Standing,
};
use crate::model::{Document, Fields, Node, Part, Root, TYPE, Wrong};

/// So many types that fit are named.
const MOST_NAMED: usize = 5;

/// What stands for the value in JSON.
const VALUE: &str = "value";

/// The format of files that are of the types of a schema.
pub(crate) struct Typed {
    schema: Schema,
    /// The type of all files, if it is known.
    name: Option<String>,
}

impl Typed {
    pub(crate) const fn new(schema: Schema, name: Option<String>) -> Self {
        Typed { schema, name }
    }

    /// Says as what a file is read, if nobody has said so before.
    pub(crate) fn told(&self, file: &dyn Loaded) -> Option<String> {
        match file.reading() {
            Reading::Good { what, .. } if self.name.is_none() => {
                Some(format!("read as {what}, the only type of the schema that fits"))
            }
            _ => None,
        }
    }

    fn value<'a>(&'a self, bytes: &'a [u8]) -> Result<Value<'a>, String> {
        if let Some(name) = &self.name {
            return self.schema.to_value(bytes, name).map_err(|error| error.to_string());
        }
        let names = self.schema.types().map(|ty| ty.name());
        let mut fitting = names.filter_map(|name| self.schema.to_value(bytes, name).ok());
        match (fitting.next(), fitting.next()) {
            (Some(value), None) => Ok(value),
            (None, _) => Err("no type of the schema fits".into()),
            (Some(first), Some(second)) => {
                let all = [first, second].into_iter().chain(fitting);
                let mut names: Vec<&str> = all.map(|value| value.ty().name()).collect();
                if names.len() > MOST_NAMED {
                    names.truncate(MOST_NAMED);
                    names.push("…");
                }
                Err(format!("several types fit, say which with `--type`: {}", names.join(", ")))
            }
        }
    }
}

impl FileKind for Typed {
    fn name(&self) -> &'static str {
        Molecule.name()
    }

    fn extensions(&self) -> &'static [&'static str] {
        Molecule.extensions()
    }

    fn comparison(&self) -> Comparison {
        Molecule.comparison()
    }

    fn evidence(&self, sample: &Sample<'_>) -> (Standing, Vec<String>) {
        Molecule.evidence(sample)
    }

    fn glance(&self, sample: &Sample<'_>, options: &Options) -> Reading {
        Molecule.glance(sample, options)
    }

    fn load<'a>(&'a self, bytes: &'a [u8], _: &'a Options) -> Result<Box<dyn Loaded + 'a>, String> {
        Ok(Box::new(self.value(bytes)?))
    }

    fn explain_each(
        &self,
        bytes: &[u8],
        how: Explained<'_>,
        path: &str,
        each: &mut dyn FnMut(Span) -> ControlFlow<()>,
    ) {
        Molecule.explain_each(bytes, how, path, each);
    }

    fn make(&self, fields: &Fields<'_>, _: &Node<'_>, _: &Options) -> Result<Vec<u8>, Wrong> {
        let node = fields.need(TYPE)?;
        let name = node.to_text()?;
        if self.schema.get(&name).is_none() {
            return Err(node.expected("a type of the schema"));
        }
        if let Some(asked) = self.name.as_ref().filter(|asked| **asked != name) {
            return Err(node.wrong(format!("this is {name}, not {asked}")));
        }
        let value = fields.need(VALUE)?;
        let mut reader = serde_json::Deserializer::from_str(value.source());
        self.schema.make(&mut reader, &name).map_err(|error| value.wrong_within(&error))
    }
}

impl Loaded for Value<'_> {
    fn reading(&self) -> Reading {
        Reading::good(self.ty().name())
    }

    fn write_canonical(&self, out: &mut dyn Write) -> Result<(), String> {
        // What a strict reader takes, a writer would write in the same way.
        out.write_all(self.bytes()).map_err(|error| error.to_string())
    }

    fn report<'s>(&'s self, about: &About<'s>) -> Result<Box<dyn Report + 's>, String> {
        Ok(Box::new(MoleculeReport::of(about)))
    }

    fn document<'s>(&'s self, _: &About<'_>) -> Result<Document<'s>, Failure> {
        let value = serde_json::to_value(self).map_err(std::io::Error::from)?;
        let part = Part::map([(VALUE, Part::of_json(value))]);
        let ty = Some(self.ty().name());
        Ok(Document { name: Molecule.name(), ty, is_one: true, root: Root::Plain, part })
    }
}
