//! Why a node is no operator of TenniS.

use fourfold::tsm::Node;

/// What is wrong with a node, and which node it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("node {node:?} ({op}): {kind}")]
pub struct Error {
    /// What the node is called.
    pub node: String,
    /// What the node does.
    pub op: String,
    /// What is wrong.
    pub kind: ErrorKind,
}

/// What is wrong with a node.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// TenniS cannot run the node.
    #[error("the CPU backend of TenniS 1.3.0 has no such operator")]
    UnknownOperator,
    /// A param that TenniS requires is missing.
    #[error("no param {param:?}; set it to {expected}")]
    Missing {
        /// The name of the param.
        param: &'static str,
        /// What the operator takes.
        expected: &'static str,
    },
    /// A param has another type, another shape, or a value that TenniS refuses.
    #[error("param {param:?} is {found}; expected {expected}")]
    Param {
        /// The name of the param.
        param: &'static str,
        /// Its value, or its type and shape.
        found: String,
        /// What the operator takes.
        expected: &'static str,
    },
    /// TenniS refuses inputs of such shapes, types or values.
    #[error("{message}; inputs: {inputs}")]
    Inputs {
        /// What is wrong.
        message: String,
        /// The type and shape of each input.
        inputs: String,
    },
    /// A shape is given for an input that the module does not have.
    #[error("the module has no such input; its inputs: {inputs}")]
    NoInput {
        /// The names of the inputs that the module has.
        inputs: String,
    },
}

impl Error {
    pub(crate) fn new(node: &Node<'_>, kind: ErrorKind) -> Self {
        let text = |bytes: Option<&[u8]>| bytes.unwrap_or_default().escape_ascii().to_string();
        Error {
            node: node.name().map_or_else(|| text(node.name_bytes()), str::to_owned),
            op: node.op().map_or_else(|| text(node.op_bytes()), str::to_owned),
            kind,
        }
    }
}
