//! The traits of a format and of a loaded file.

use std::io::{self, Write};
use std::ops::{ControlFlow, Range};

use fourfold::Path;
use fourfold::biniou::{Dictionary, Options};

use super::{Confidence, Damage, Reading, Sample};
use crate::failure::Failure;
use crate::input::ReadAt;
use crate::model::{Document, Fields, Node, Part, Wrong};
use crate::spans::Span;
use crate::tensors::Container;
use crate::write::report::{About, Report};

/// A format. Front ends use only this trait and never check which format it is.
pub trait FileKind: Sync {
    fn name(&self) -> &'static str;

    /// The usual extensions of its files.
    fn extensions(&self) -> &'static [&'static str];

    /// Whether its files store the types of their values.
    fn has_types(&self) -> bool {
        true
    }

    /// Whether its files have hashes instead of names.
    fn has_hashes(&self) -> bool {
        false
    }

    /// The beginning of the error for a file of this format that is not a module.
    fn without_graph(&self) -> String {
        format!("this is {}", self.name())
    }

    /// Whether its files can be models whose inputs have shapes.
    fn has_inputs(&self) -> bool {
        false
    }

    fn comparison(&self) -> Comparison;

    /// Whether the bytes have its signature.
    fn is_signed(&self, _bytes: &[u8]) -> bool {
        false
    }

    /// The ranges of a file that hold only elements of tensors: see [`contents`](super::contents).
    ///
    /// # Errors
    ///
    /// Those of `read`.
    fn contents(&self, _len: u64, _read: &mut ReadAt<'_>) -> io::Result<Vec<Range<u64>>> {
        Ok(Vec::new())
    }

    /// The confidence before the strict reader is called, and its facts.
    fn evidence(&self, sample: &Sample<'_>) -> (Confidence, Vec<String>);

    /// The confidence if the strict reader accepts the bytes.
    fn confidence_if_read(&self, _sample: &Sample<'_>) -> Confidence {
        Confidence::Fits
    }

    /// Reads the beginning of a longer file.
    fn glance(&self, sample: &Sample<'_>, options: &Options) -> Reading;

    /// The damage of bytes that the strict reader refuses, if enough of them were read to recognise the format.
    fn damage(&self, _sample: &Sample<'_>, _options: &Options) -> Option<Damage> {
        None
    }

    /// Reads a whole file.
    fn read(&self, bytes: &[u8], options: &Options) -> Reading {
        match self.load(bytes, options) {
            Ok(file) => file.reading(),
            Err(text) => Reading::Bad(text),
        }
    }

    /// Whether a whole file can be read, without building its values.
    fn is_read(&self, bytes: &[u8], options: &Options) -> bool {
        matches!(self.read(bytes, options), Reading::Good { .. })
    }

    /// Loads a file. One loaded file is enough for all operations of a subcommand.
    ///
    /// # Errors
    ///
    /// What is wrong with the bytes.
    fn load<'a>(
        &'a self,
        bytes: &'a [u8],
        options: &'a Options,
    ) -> Result<Box<dyn Loaded + 'a>, String>;

    /// The part at `path`, if it can be read without the whole file as JSON. After `None`, the caller searches the whole
    /// file.
    fn part<'a>(
        &'a self,
        _bytes: &'a [u8],
        _path: &Path,
        _names: &'a Dictionary,
        _options: &Options,
    ) -> Option<Part<'a>> {
        None
    }

    /// Whether the bytes are a stream of chunks.
    fn is_chunks(&self, _bytes: &[u8], _options: &Options) -> bool {
        false
    }

    /// Calls `each` with the spans of the part at `path` and of its nested parts, until `each` breaks.
    fn explain_each(
        &self,
        bytes: &[u8],
        how: ExplainOptions<'_>,
        path: &str,
        each: &mut dyn FnMut(Span) -> ControlFlow<()>,
    );

    /// The bytes of the file that a JSON text describes.
    ///
    /// # Errors
    ///
    /// What is wrong with the text.
    fn make(
        &self,
        fields: &Fields<'_>,
        whole: &Node<'_>,
        options: &Options,
    ) -> Result<Vec<u8>, Wrong>;
}

/// How two files of a format are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Byte by byte.
    Bytes,
    /// As values of biniou.
    Values,
    /// As files that hold tensors.
    Tensors(Container),
}

/// Options for `explain_each`.
#[derive(Clone, Copy, Debug)]
pub struct ExplainOptions<'a> {
    pub options: &'a Options,
    /// Whether the bytes are a stream of chunks, perhaps a damaged one.
    pub is_chunks: bool,
}

/// A loaded file.
pub trait Loaded {
    /// The description of the file, and suspicions about it. If values are read one at a time, their errors are found only
    /// here.
    fn reading(&self) -> Reading;

    /// What [`document`](Loaded::document) omits, if anything.
    fn left_out(&self) -> Option<String> {
        None
    }

    /// Writes the values in the canonical encoding.
    ///
    /// # Errors
    ///
    /// Why it cannot be written.
    fn write_canonical(&self, out: &mut dyn Write) -> Result<(), String>;

    /// A summary of the content.
    ///
    /// # Errors
    ///
    /// What is wrong with its values.
    fn report<'s>(&'s self, about: &About<'s>) -> Result<Box<dyn Report + 's>, String>;

    /// The complete content, as JSON.
    ///
    /// # Errors
    ///
    /// If the format has no JSON without a schema, or a value is invalid.
    fn document<'s>(&'s self, about: &About<'s>) -> Result<Document<'s>, Failure>;
}
