//! Why a node is no operator of TenniS.

use std::fmt;

use fourfold::tsm::Node;

/// What is wrong with a node, and which node it is.
///
/// Printed with long names shortened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What the node is called. Empty if it is no node that is wrong.
    pub node: String,
    /// What the node does; `input` or `model` if it is no node that is wrong.
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
    #[error("{message}; inputs: {}", Shown(.inputs))]
    Inputs {
        /// What is wrong.
        message: String,
        /// The type and shape of each input.
        inputs: String,
    },
    /// A shape is given for an input that the module does not have.
    #[error("the module has no such input; its inputs: {}", Shown(.inputs))]
    NoInput {
        /// The names of the inputs that the module has.
        inputs: String,
    },
    /// More shapes are given than the module has inputs.
    #[error("shapes are given for more inputs than the module has; its inputs: {}", Shown(.inputs))]
    TooManyShapes {
        /// The names of the inputs that the module has.
        inputs: String,
    },
}

impl std::error::Error for Error {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Error { node, op, kind } = self;
        match kind {
            ErrorKind::NoInput { .. } => write!(f, "input \"{}\": {kind}", Shown(node)),
            ErrorKind::TooManyShapes { .. } => kind.fmt(f),
            _ => write!(f, "node \"{}\" ({}): {kind}", Shown(node), Shown(op)),
        }
    }
}

/// A name with its control characters escaped, and without its middle if it is long.
struct Shown<'a>(&'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LONGEST_END: usize = 100;
        let mut letters = self.0.char_indices();
        let head = letters.nth(LONGEST_END).map(|(at, _)| self.0.split_at(at));
        let tail = letters.nth_back(LONGEST_END - 1).map(|(at, _)| self.0.split_at(at));
        match head.zip(tail) {
            Some(((head, _), (_, tail))) => {
                write!(f, "{}...{}", head.escape_debug(), tail.escape_debug())
            }
            None => write!(f, "{}", self.0.escape_debug()),
        }
    }
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
