//! ONNX models, and modules of TenniS as such models.
#![doc = include_str!("../README.md")]

mod attribute;
mod dtype;
mod error;
mod export;
mod external;
mod model;
pub mod proto;
mod tensor;

pub use self::attribute::Value;
pub use self::dtype::DataType;
pub use self::error::{Error, Result};
pub use self::export::{Options, REFUSED, Refused, RefusedNode, export};
pub use self::external::Folder;
pub use self::proto::{Attribute, Graph, Model, Node, Tensor, ValueInfo};
