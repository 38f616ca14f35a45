//! What the command asks of a format, and of a file of it that was read.

use std::fmt::Display;
use std::io::{self, Write};
use std::ops::{ControlFlow, Range};

use fourfold::biniou::{Dictionary, Options};
use fourfold::{Path, Span};
use serde::Serialize;

use super::{Damage, Reading, Sample, Standing};
use crate::failure::Failure;
use crate::model::{Document, Fields, Node, Part, Wrong};
use crate::tensors::Container;
use crate::write::plain::write_json_lines;

/// Fills a slice with the bytes of a file from that offset on.
pub type ReadAt<'r> = dyn FnMut(u64, &mut [u8]) -> io::Result<()> + 'r;

/// A format. Each is a file of this room, and no verb asks which it is.
pub trait FileKind: Sync {
    fn name(&self) -> &'static str;

    /// What whoever names files of it lets their names end with.
    fn extensions(&self) -> &'static [&'static str];

    /// Whether its files say of what types their values are.
    fn has_types(&self) -> bool {
        true
    }

    /// Whether its files have hashes where others have names.
    fn has_hashes(&self) -> bool {
        false
    }

    /// What a message calls a file of it that is no module.
    fn without_graph(&self) -> String {
        format!("this is {}", self.name())
    }

    fn comparison(&self) -> Comparison;

    /// Whether its own mark stands at its place.
    fn is_signed(&self, _bytes: &[u8]) -> bool {
        false
    }

    /// Which ranges of a file that is not in memory no rule looks at: see [`contents`](super::contents).
    ///
    /// # Errors
    ///
    /// Those of `read`.
    fn contents(&self, _len: u64, _read: &mut ReadAt<'_>) -> io::Result<Vec<Range<u64>>> {
        Ok(Vec::new())
    }

    /// What speaks for it before a strict reader is asked: how much, and one fact each.
    fn evidence(&self, sample: &Sample<'_>) -> (Standing, Vec<String>);

    /// How much speaks for it if a strict reader reads the bytes.
    fn standing_of_read(&self, _sample: &Sample<'_>) -> Standing {
        Standing::Fits
    }

    /// What a strict reader says about the beginning of a longer file.
    fn glance(&self, sample: &Sample<'_>, options: &Options) -> Reading;

    /// Where bytes that a strict reader refuses go wrong, if enough of them read for the format to be theirs.
    fn damage(&self, _sample: &Sample<'_>, _options: &Options) -> Option<Damage> {
        None
    }

    /// What it says about all bytes of a file.
    fn read(&self, bytes: &[u8], options: &Options) -> Reading {
        match self.load(bytes, options) {
            Ok(file) => file.reading(),
            Err(text) => Reading::Bad(text),
        }
    }

    /// Whether it reads them; makes no more of them than that takes.
    fn is_read(&self, bytes: &[u8], options: &Options) -> bool {
        matches!(self.read(bytes, options), Reading::Good { .. })
    }

    /// Reads a file. What is loaded once serves all that a verb does.
    ///
    /// # Errors
    ///
    /// What is wrong with the bytes.
    fn load<'a>(
        &'a self,
        bytes: &'a [u8],
        options: &'a Options,
    ) -> Result<Box<dyn Loaded + 'a>, String>;

    /// The part of a file that `path` leads to, if it can be had without the rest as JSON. If not, whether it is there is
    /// seen in the whole.
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

    /// Hands on the spans of the part of that path and of what is inside it, until `each` breaks off.
    fn explain_each(
        &self,
        bytes: &[u8],
        how: Explained<'_>,
        path: &str,
        each: &mut dyn FnMut(Span) -> ControlFlow<()>,
    );

    /// The bytes of the file that a JSON text stands for.
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

/// How spans are told.
#[derive(Clone, Copy, Debug)]
pub struct Explained<'a> {
    pub options: &'a Options,
    /// Whether the bytes are a stream of chunks, perhaps a damaged one.
    pub is_chunks: bool,
}

/// A file that was read.
pub trait Loaded {
    /// As what it reads, and what is suspicious about it. A file whose values are read one at a time may
    /// turn out to be bad only here.
    fn reading(&self) -> Reading;

    /// What [`document`](Loaded::document) leaves out, if it does.
    fn left_out(&self) -> Option<String> {
        None
    }

    /// Writes it as whoever has just the values would.
    ///
    /// # Errors
    ///
    /// Why it cannot be written.
    fn write_canonical(&self, out: &mut dyn Write) -> Result<(), String>;

    /// What is in it, in short.
    ///
    /// # Errors
    ///
    /// What is wrong with its values.
    fn report<'s>(&'s self, about: &About<'s>) -> Result<Box<dyn Report + 's>, String>;

    /// All that is in it, as JSON.
    ///
    /// # Errors
    ///
    /// If the format has no such form, or the values are wrong.
    fn document<'s>(&'s self, about: &About<'s>) -> Result<Document<'s>, Failure>;
}

/// What a report says of a file beside what was read.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// The file.
    pub name: &'a str,
    pub bytes: &'a [u8],
    /// Names for hashes.
    pub names: &'a Dictionary,
    /// How many levels of values are shown.
    pub depth: usize,
}

/// What is in a file: as text, and as JSON of the same content.
pub trait Report: Display {
    fn write_json(&self, out: &mut dyn Write) -> io::Result<()>;
}

impl<T: Serialize + Display> Report for T {
    fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        write_json_lines(out, self)?;
        out.write_all(b"\n")
    }
}
