//! A module: the header, the inputs and outputs, and the graph.

mod build;
mod check;
mod cycles;
mod diagnostic;
#[cfg(feature = "mmap")]
mod file;
mod index;
mod layout;

use alloc::vec::Vec;

pub use self::build::{ModuleBuilder, NodeBuilder, NodeId};
pub use self::diagnostic::{Diagnostic, DiagnosticKind, Severity};
pub use self::index::Entry;
use super::document::{self, Pieces, put_indices, take_index, take_list, within};
use super::{Error, ErrorKind, Graph, Header, Node, Options, Result};
use crate::read::Reader;
use crate::tensor::pieces::{self, gather};
#[cfg(feature = "std")]
use crate::{io, limits, tensor::memory::Source};

#[doc = include_str!("module/guide.md")]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Module<'de> {
    /// The first 128 bytes.
    pub header: Header,
    /// The nodes that are inputs: positions in [`Graph::nodes`]. Each `<param>` that an output
    /// needs is among them.
    pub inputs: Vec<u32>,
    /// The nodes whose outputs are the module's: positions in [`Graph::nodes`].
    pub outputs: Vec<u32>,
    /// The nodes.
    pub graph: Graph<'de>,
}

impl<'de> Module<'de> {
    /// Reads what a `.tsm` file holds; the same as [`tsm::from_slice`](crate::tsm::from_slice).
    ///
    /// # Errors
    ///
    /// Those of [`tsm::from_slice`](crate::tsm::from_slice), and `Refused` with the first
    /// [diagnostic](Module::check) that TenniS refuses a module for.
    pub fn from_slice(bytes: &'de [u8]) -> Result<Self> {
        Module::read(&Options::new(), bytes)
    }

    /// Reads a `.tsm` file from `reader` to its end, 1 GiB at most.
    ///
    /// The bytes are in memory once: names and tensors share them, and they live as long as one of
    /// these.
    ///
    /// # Errors
    ///
    /// Those of [`from_slice`](Module::from_slice), `Io` if the reader fails, `InputLimit` if it has
    /// more than 1 GiB.
    #[cfg(feature = "std")]
    pub fn from_reader<R: io::Read>(reader: R) -> Result<Module<'static>> {
        Module::from_reader_with(reader, &Options::new())
    }

    /// As [`from_reader`](Module::from_reader), with other options: more bytes, for example.
    ///
    /// # Errors
    ///
    /// Those of [`Options::from_reader`].
    #[cfg(feature = "std")]
    pub fn from_reader_with<R: io::Read>(reader: R, options: &Options) -> Result<Module<'static>> {
        let bytes = limits::read_to_keep(reader, options.max_input)?;
        Module::from_source(&Source::of_bytes(bytes), options)
    }

    /// Reads a module that borrows from `source`.
    #[cfg(feature = "std")]
    fn from_source(source: &Source, options: &Options) -> Result<Module<'static>> {
        let Module { header, inputs, outputs, graph } = Module::read(options, source.as_slice())?;
        Ok(Module { header, inputs, outputs, graph: graph.within(source) })
    }

    /// The bytes of a `.tsm` file; the same as those of [`tsm::to_vec`](crate::tsm::to_vec), whose
    /// errors come through serde and so have the same text, but no kind of their own.
    ///
    /// # Errors
    ///
    /// `Refused` with the first [diagnostic](Module::check) that TenniS refuses a module for.
    pub fn to_vec(&self) -> Result<Vec<u8>> {
        gather(|out| self.put(out))
    }

    /// Writes the bytes of a `.tsm` file to `writer`, tensor by tensor and never all of them in memory.
    ///
    /// # Errors
    ///
    /// Those of [`to_vec`](Module::to_vec), and `Io` if the writer fails.
    #[cfg(feature = "std")]
    pub fn to_writer<W: io::Write>(&self, writer: W) -> Result<()> {
        pieces::write(writer, |out| self.put(out))
    }

    /// The nodes that are inputs, in the order of the arguments.
    pub fn input_nodes(&self) -> impl Iterator<Item = &Node<'de>> {
        self.inputs.iter().filter_map(|&index| self.graph.get(index))
    }

    /// The nodes whose outputs are the module's, in their order.
    pub fn output_nodes(&self) -> impl Iterator<Item = &Node<'de>> {
        self.outputs.iter().filter_map(|&index| self.graph.get(index))
    }

    /// The same module without the input's lifetime: borrowed bytes are copied.
    #[must_use]
    pub fn into_owned(self) -> Module<'static> {
        let Module { header, inputs, outputs, graph } = self;
        Module { header, inputs, outputs, graph: graph.into_owned() }
    }
}

impl<'de> Module<'de> {
    pub(super) fn read(options: &Options, bytes: &'de [u8]) -> Result<Self> {
        document::from_slice(bytes, options, Module::take)
    }

    /// Takes a module that TenniS does not refuse.
    pub(super) fn take(reader: &mut Reader<'de>) -> Result<Self> {
        let start = reader.offset();
        let module = Module::take_unchecked(reader)?;
        let Some(diagnostic) = module.refusal() else { return Ok(module) };
        let (offset, path) = module.place(&diagnostic);
        let error = Error::at(ErrorKind::Refused(diagnostic), offset).moved(start);
        Err(path.into_iter().flatten().fold(error, Error::inside))
    }

    fn take_unchecked(reader: &mut Reader<'de>) -> Result<Self> {
        let header = within("header", Header::take(reader))?;
        let inputs = within("inputs", take_list(reader, take_index))?;
        let outputs = within("outputs", take_list(reader, take_index))?;
        let graph = within("graph", Graph::take(reader))?;
        Ok(Module { header, inputs, outputs, graph })
    }

    pub(super) fn put(&self, out: &mut Pieces<'_>) -> Result<()> {
        self.accept()?;
        self.header.put(out)?;
        put_indices(out, &self.inputs)?;
        put_indices(out, &self.outputs)?;
        self.graph.put(out)
    }
}

/// Whether a module could be read, but for what TenniS refuses.
pub(super) fn is_sound(bytes: &[u8]) -> bool {
    Module::take_unchecked(&mut Reader::new(bytes, 0)).is_ok()
}
