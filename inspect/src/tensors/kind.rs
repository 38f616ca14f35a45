//! The interfaces of a container, of a file that was read, and of one to be written.

use std::io::{self, Seek, Write};
use std::path::PathBuf;

use bytes::Bytes;

use super::{Container, DType, Order, Stored, Tensor, Weights};
use crate::failure::Failure;
use crate::input::Input;
use crate::write::count::counted;

/// A container of tensors. Each is a submodule; subcommands use only this interface.
pub trait ContainerKind: Sync {
    fn name(&self) -> &'static str;

    /// The file name extensions.
    fn extensions(&self) -> &'static [&'static str];

    /// Whether its files contain only tensors.
    fn is_plain(&self) -> bool {
        true
    }

    /// Whether bytes begin with its signature.
    fn begins(&self, bytes: &[u8]) -> bool;

    /// Where elements begin that take the rest of a file of `len` bytes, and that reading does not look at.
    /// Determined by the first bytes, [`CONTENTS_LOOK`](super::CONTENTS_LOOK) of them.
    fn contents_start(&self, _front: &[u8], _len: u64) -> Option<u64> {
        None
    }

    /// Whether bytes without a signature are a complete file of it.
    fn is_whole(&self, _bytes: &[u8]) -> bool {
        false
    }

    /// Whether tensors can be written as such a file.
    fn is_written(&self) -> bool {
        true
    }

    /// How it stores elements of a type. `None` if it cannot.
    fn stored(&self, dtype: DType) -> Option<Stored>;

    /// The memory order of a tensor's elements in its files, where the tensor has that shape.
    fn order(&self, tensor: &Tensor<'_>, shape: &[usize]) -> Order;

    /// Returns an error for names that its files cannot store.
    ///
    /// # Errors
    ///
    /// The reason as text.
    fn check_name(&self, _name: &str) -> Result<(), String> {
        Ok(())
    }

    /// Whether a file of it is written by replacing the tensors of an original.
    fn takes_original(&self) -> bool {
        false
    }

    /// Whether its files have the notes of `__metadata__`.
    fn keeps_notes(&self) -> bool {
        false
    }

    /// Whether its files note the types of elements that are stored as other numbers.
    fn notes_dtypes(&self) -> bool {
        false
    }

    /// Whether writing seeks backwards.
    fn seeks(&self) -> bool {
        false
    }

    /// Reads a file, without detection.
    ///
    /// # Errors
    ///
    /// The error in the bytes.
    fn read<'a>(&self, input: &'a Input) -> Result<Box<dyn Source + 'a>, String>;

    /// Prepares a file to be written.
    ///
    /// # Errors
    ///
    /// If it cannot store the tensors.
    fn make<'a>(
        &self,
        weights: &'a Weights<'_>,
        request: &Request<'a>,
    ) -> Result<Box<dyn Output + 'a>, Failure>;
}

/// The request to write a file.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The source of the tensors.
    pub input: &'a Input,
    /// The original file whose tensors are replaced.
    pub original: Option<&'a Input>,
    /// The file name extension of the output.
    pub extension: Option<&'a str>,
}

impl Request<'_> {
    /// The failure for tensors that do not fit.
    pub(super) fn refused(&self, text: impl std::fmt::Display) -> Failure {
        Failure::data(&self.input.name, text)
    }
}

/// A tensor file that was read.
pub trait Source: Send + Sync {
    fn container(&self) -> Container;

    /// The tensors.
    ///
    /// # Errors
    ///
    /// A text if such a file cannot contain tensors.
    fn weights(&self) -> Result<Weights<'_>, String>;

    /// The files beside it, from which elements of its tensors are: where each is, and its bytes.
    fn beside(&self) -> Vec<(PathBuf, Bytes)> {
        Vec::new()
    }

    /// What the file is besides its tensors, in rows: name and text.
    fn summary(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// What is wrong with the file besides its tensors, although it can be read.
    fn errors(&self) -> Errors {
        Errors::default()
    }

    /// The texts of the file other than tensors, by path.
    fn texts(&self) -> Vec<(String, String)>;
}

/// Errors of a file: the first, and how many there are.
#[derive(Default)]
pub struct Errors {
    first: Option<String>,
    count: usize,
}

impl Errors {
    /// Adds one. `text` is called only for the first.
    pub(crate) fn add(&mut self, text: impl FnOnce() -> String) {
        self.first.get_or_insert_with(text);
        self.count = self.count.saturating_add(1);
    }

    /// The first, with the number of others; `None` without errors.
    pub(crate) fn into_text(self) -> Option<String> {
        let others = self.count.saturating_sub(1);
        self.first.map(|first| match others {
            0 => first,
            _ => format!("{first}, and {}", counted(others, "more error")),
        })
    }
}

/// A file to be written.
pub trait Output {
    /// Writes it. Uses `seek` only if the container [seeks](ContainerKind::seeks).
    fn write(&self, out: &mut dyn WriteSeek) -> io::Result<()>;
}

/// Output that can seek.
pub trait WriteSeek: Write + Seek {}

impl<T: Write + Seek> WriteSeek for T {}
