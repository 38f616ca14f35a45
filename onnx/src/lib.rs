//! ONNX models; modules of TenniS as such models, and back.
#![doc = include_str!("../README.md")]

mod attribute;
mod damage;
mod dtype;
mod error;
mod export;
mod external;
mod import;
mod model;
mod names;
mod numbers;
pub mod proto;
mod refused;
mod tensor;

pub use self::attribute::Value;
pub use self::dtype::DataType;
pub use self::error::{Error, Problem, Result};
pub use self::export::{Options, REFUSED, export};
pub use self::external::Folder;
pub use self::import::{COUNTERPARTS, Counterpart, import, import_with};
pub use self::proto::{Attribute, Graph, Model, Node, Tensor, ValueInfo};
pub use self::refused::{Refused, RefusedNode, Remedy};
