//! primitiv's own documents, and how they are passed through serde: as bytes, in pieces.
//!
//! A document reads and writes itself, without serde for its fields. To serde it is a newtype
//! struct with a reserved name around a sequence of byte strings, which this module's serializer
//! writes verbatim. Its deserializer passes the input to the document, which returns how much it
//! took; other formats return the byte strings.

mod canonical;
mod check;
mod configs;
mod file;
mod key;
mod model;
mod owned;
mod parameter;
mod pieces;
mod places;
mod saved;
mod serde;
mod settings;
mod shape;
mod submodel;
mod tensor;

pub use self::check::Mismatch;
pub use self::configs::{Config, Configs, Optimizer};
pub use self::file::{Data, DataType, File, Version};
pub use self::key::{Key, Name};
pub use self::model::{Entry, Model};
pub use self::owned::OwnedDocument;
pub use self::parameter::{Parameter, Statistic};
pub(super) use self::serde::{Alone, hand_over};
pub use self::settings::{Algorithm, Settings};
pub use self::shape::Shape;
pub use self::submodel::Submodel;
pub use self::tensor::Tensor;
use super::{Error, Result};
use crate::error::Segment;
use crate::read::Reader;

/// Which document a reserved name selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DocumentKind {
    File,
    Shape,
    Tensor,
    Parameter,
    Model,
    Optimizer,
}

/// What the reserved names begin with.
const RESERVED: &str = "fourfold.primitiv.";

impl DocumentKind {
    /// The document of a reserved name.
    #[inline]
    pub(super) fn of(name: &str) -> Option<Self> {
        Some(match name.strip_prefix(RESERVED)? {
            "File" => DocumentKind::File,
            "Shape" => DocumentKind::Shape,
            "Tensor" => DocumentKind::Tensor,
            "Parameter" => DocumentKind::Parameter,
            "Model" => DocumentKind::Model,
            "Optimizer" => DocumentKind::Optimizer,
            _ => return None,
        })
    }

    /// The error of the document at the position of `reader`.
    #[cold]
    fn error(self, mut reader: Reader<'_>, lenient: bool) -> Option<Error> {
        let reader = &mut reader;
        match self {
            DocumentKind::File => File::take(reader, lenient).err(),
            DocumentKind::Shape => Shape::take(reader, lenient).err(),
            DocumentKind::Tensor => Tensor::take(reader, lenient).err(),
            DocumentKind::Parameter => Parameter::take(reader, lenient).err(),
            DocumentKind::Model => Model::take(reader, lenient).err(),
            DocumentKind::Optimizer => Optimizer::take(reader, lenient).err(),
        }
    }
}

/// Adds the step into a field to an error.
#[inline]
fn within<T>(name: &'static str, result: Result<T>) -> Result<T> {
    result.map_err(|error| error.inside(Segment::Field(name.into())))
}

/// Adds the step into an item to an error.
#[inline]
fn within_item<T>(index: usize, result: Result<T>) -> Result<T> {
    result.map_err(|error| error.inside(Segment::Index(index)))
}
