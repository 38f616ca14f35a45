//! `fourfold.tsm`: modules, nodes, and tensor files.

mod build;
mod module;
mod node;
mod packed;
mod shapes;
mod value;

pub(crate) use self::build::{ModuleBuilder, NodeId};
pub(crate) use self::module::Module;
pub(crate) use self::node::Node;
pub(crate) use self::packed::{tsm_dump, tsm_dumps, tsm_load, tsm_loads};
pub(crate) use self::shapes::NodeShape;
pub(crate) use crate::dtype::dtypes;
