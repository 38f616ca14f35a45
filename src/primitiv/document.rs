//! primitiv's own documents.
//!
//! A document reads and writes itself, without serde for its fields. To serde it is its bytes, as a lazy value is, under a
//! reserved name: the serializer writes them as they are, and the deserializer finds where they end.

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
pub(super) use self::serde::DocumentKind;
use self::serde::{within, within_item};
pub use self::settings::{Algorithm, Settings};
pub use self::shape::Shape;
pub use self::submodel::Submodel;
pub use self::tensor::Tensor;
