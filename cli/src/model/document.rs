//! A whole file as JSON: the format's name, and what the format puts beside it.

use fourfold::biniou::{Dictionary, Options};
use fourfold::primitiv::File;
use fourfold::tsm::File as TsmFile;

use super::{FORMAT, Node, Part, Wrong, biniou, primitiv, tensors, tsm};
use crate::failure::Failure;
use crate::formats::Format;
use crate::input::Input;
use crate::progress::patiently;
use crate::tensors::{Container, Source};

/// A file that was read.
#[derive(Debug)]
pub(crate) struct Document<'a> {
    name: &'static str,
    /// Whether one thing is all there is in such a file, so that paths need not name it.
    is_one: bool,
    part: Part<'a>,
}

/// Reads a file, and hands what is in it to `show`.
pub(crate) fn with_document<T>(
    format: Format,
    input: &Input,
    names: &Dictionary,
    options: &Options,
    show: impl FnOnce(&Document<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let bytes: &[u8] = &input.bytes;
    let is_one = format != Format::Primitiv;
    let show = |part: Part<'_>| show(&Document { name: format.name(), is_one, part });
    match format {
        Format::Molecule => Err(no_molecule("dump", &input.name)),
        Format::Biniou => {
            let document = patiently("reading", || biniou::document(bytes, names, options));
            show(document.map_err(|e| bad(input, e))?)
        }
        Format::Tsm => match TsmFile::from_slice(bytes).map_err(|e| bad(input, e))? {
            TsmFile::Module(module) => show(tsm::module(&module)),
            TsmFile::Tensor(tensor) => show(tsm::tensor_file(&tensor)),
        },
        Format::Primitiv => {
            let file = File::from_slice(bytes).map_err(|e| bad(input, e))?;
            show(primitiv::file(&file))
        }
    }
}

/// The same of a file that holds nothing but tensors.
pub(crate) fn with_weights<T>(
    container: Container,
    input: &Input,
    show: impl FnOnce(&Document<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let source = patiently("reading", || Source::read_as(container, input))?;
    let weights = source.weights().map_err(|text| bad(input, text))?;
    show(&Document { name: container.name(), is_one: false, part: tensors::file(&weights) })
}

fn bad(input: &Input, error: impl std::fmt::Display) -> Failure {
    Failure::data(&input.name, error)
}

/// What a verb says that cannot know what a Molecule file holds.
pub(crate) fn no_molecule(verb: &str, name: &str) -> Failure {
    Failure::Usage(format!(
        "{name}: {verb} needs the types of a Molecule file, and the file does not hold them; \
         `fourfold explain --layout` shows its structure"
    ))
}

impl<'a> Document<'a> {
    /// What paths start from: all that there is beside the format, or the one thing.
    pub(crate) fn root(&self) -> &Part<'a> {
        match &self.part {
            Part::Map(fields) => match fields.as_slice() {
                [(_, only)] if self.is_one => only,
                _ => &self.part,
            },
            _ => &self.part,
        }
    }

    /// Whether it is a stream of chunks.
    pub(crate) fn is_chunks(&self) -> bool {
        match &self.part {
            Part::Map(fields) => fields.iter().any(|(key, _)| key == biniou::CHUNKS),
            _ => false,
        }
    }

    /// With the format's name in front.
    pub(crate) fn whole(&self) -> Part<'a> {
        let name = || (FORMAT.into(), Part::text(self.name));
        match self.part.clone() {
            Part::Map(mut fields) => {
                fields.insert(0, name());
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

/// The bytes of the file that a JSON text stands for.
pub(crate) fn bytes(
    node: &Node<'_>,
    asked: Option<Format>,
    options: &Options,
) -> Result<Vec<u8>, Wrong> {
    let fields = node.fields()?;
    let Some(name) = fields.get(FORMAT) else {
        return Err(node.wrong(format!(
            "the key {FORMAT:?} with the format is missing: this is not what dump --json prints \
             of a whole file"
        )));
    };
    let text = name.to_text()?;
    let formats = [Format::Biniou, Format::Tsm, Format::Primitiv];
    let Some(format) = formats.into_iter().find(|format| format.name() == text) else {
        return Err(name.expected("\"biniou\", \"tsm\" or \"primitiv\""));
    };
    if let Some(asked) = asked.filter(|asked| *asked != format) {
        let (asked, format) = (asked.name(), format.name());
        return Err(name.wrong(format!("this is {format}, not {asked}")));
    }
    let bytes = match format {
        Format::Tsm => tsm::bytes(&fields, node)?,
        Format::Primitiv => primitiv::bytes(&fields, node)?,
        Format::Biniou | Format::Molecule => biniou::bytes(&fields, node, options)?,
    };
    fields.finish()?;
    Ok(bytes)
}
