//! What the command asks of a container, of a file of it that was read, and of one that is to be written.

use std::io::{self, Seek, Write};

use super::{Container, DType, Order, Stored, Tensor, Weights};
use crate::failure::Failure;
use crate::input::Input;

/// A container of tensors. Each is a file of this room, and no verb asks which it is.
pub trait ContainerKind: Sync {
    fn name(&self) -> &'static str;

    /// What names of its files end with.
    fn extensions(&self) -> &'static [&'static str];

    /// Whether its files hold nothing but tensors.
    fn is_plain(&self) -> bool {
        true
    }

    /// Whether bytes begin as only its files do.
    fn begins(&self, bytes: &[u8]) -> bool;

    /// Where elements begin that take the rest of a file of so many bytes, and that reading does not look at;
    /// told by its first bytes, [`CONTENTS_LOOK`](super::CONTENTS_LOOK) of them.
    fn contents_start(&self, _front: &[u8], _len: u64) -> Option<u64> {
        None
    }

    /// Whether bytes without such a beginning are a file of it, from the first to the last.
    fn is_whole(&self, _bytes: &[u8]) -> bool {
        false
    }

    /// How it holds elements of a type. `None` if it cannot.
    fn stored(&self, dtype: DType) -> Option<Stored>;

    /// How the elements of a tensor lie in its files, where the tensor has that shape.
    fn order(&self, tensor: &Tensor<'_>, shape: &[usize]) -> Order;

    /// Refuses names that its files have no place for.
    ///
    /// # Errors
    ///
    /// A text that says why.
    fn check_name(&self, _name: &str) -> Result<(), String> {
        Ok(())
    }

    /// Whether a file of it can be made by filling another one.
    fn takes_original(&self) -> bool {
        false
    }

    /// Whether its files have the notes of `__metadata__`.
    fn keeps_notes(&self) -> bool {
        false
    }

    /// Whether writing goes back to what was written.
    fn seeks(&self) -> bool {
        false
    }

    /// Reads a file, whatever its bytes look like.
    ///
    /// # Errors
    ///
    /// What is wrong with the bytes.
    fn read<'a>(&self, bytes: &'a [u8]) -> Result<Box<dyn Source + 'a>, String>;

    /// What is to be written.
    ///
    /// # Errors
    ///
    /// If it has no place for the tensors.
    fn make<'a>(
        &self,
        weights: &'a Weights<'_>,
        request: &Request<'a>,
    ) -> Result<Box<dyn Output + 'a>, Failure>;
}

/// What a file is made for.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// Where the tensors come from.
    pub input: &'a Input,
    /// The file to fill.
    pub original: Option<&'a Input>,
    /// What the name of the output ends with.
    pub extension: Option<&'a str>,
}

impl Request<'_> {
    /// That the tensors do not fit.
    pub(super) fn refused(&self, text: impl std::fmt::Display) -> Failure {
        Failure::data(&self.input.name, text)
    }
}

/// A file that holds tensors, read.
pub trait Source {
    fn container(&self) -> Container;

    /// The tensors.
    ///
    /// # Errors
    ///
    /// A text if it is a file that cannot hold any.
    fn weights(&self) -> Result<Weights<'_>, String>;

    /// What it says beside its tensors, by path.
    fn texts(&self) -> Vec<(String, String)>;
}

/// A file that is to be written.
pub trait Output {
    /// Writes it. Only a container that says so [seeks](ContainerKind::seeks).
    fn write(&self, out: &mut dyn WriteSeek) -> io::Result<()>;
}

/// What is written to in several places.
pub trait WriteSeek: Write + Seek {}

impl<T: Write + Seek> WriteSeek for T {}
