//! What conversions refuse.

use std::fmt::{self, Write as _};

use crate::error::Quoted;

/// In place of the operator of what is no node in ONNX.
pub(crate) const MODEL: &str = "model";
pub(crate) const TENSOR: &str = "tensor";
pub(crate) const INPUT: &str = "input";
pub(crate) const OUTPUT: &str = "output";

/// Why a model is not converted: all nodes that cannot be.
///
/// Printed as a line for each, with long names shortened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The nodes, in the order of the file or in that in which they run.
    pub nodes: Vec<RefusedNode>,
}

/// A node that cannot be converted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedNode {
    /// What the node is called.
    pub name: String,
    /// What it does; `input`, `output`, `tensor` or `model` if it is no node.
    pub op: String,
    /// Why it cannot be converted.
    pub reason: String,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.nodes.len();
        write!(f, "{count} node{} cannot be converted", if count == 1 { "" } else { "s" })?;
        self.nodes.iter().try_for_each(|node| write!(f, "\n  {node}"))
    }
}

impl RefusedNode {
    /// Whether it could be converted if more sizes of the inputs' shapes were known.
    #[must_use]
    pub fn needs_shapes(&self) -> bool {
        self.reason.ends_with("give the input's shape")
    }
}

impl fmt::Display for RefusedNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, reason) = (Quoted(&self.name), OneLine(&self.reason, 400));
        match self.op.as_str() {
            MODEL => write!(f, "{MODEL}: {reason}"),
            kind @ (TENSOR | INPUT | OUTPUT) => write!(f, "{kind} {name}: {reason}"),
            op => write!(f, "node {name} ({}): {reason}", OneLine(op, 50)),
        }
    }
}

/// Text without line breaks and other control characters, and without its middle if it is more than twice as many
/// characters: reasons end with what to do.
struct OneLine<'a>(&'a str, usize);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut write = |text: &str| {
            text.chars().try_for_each(|letter| match letter.is_control() {
                true => write!(f, "{}", letter.escape_debug()),
                false => f.write_char(letter),
            })
        };
        let mut letters = self.0.char_indices();
        let head = letters.nth(self.1).map(|(at, _)| self.0.split_at(at));
        let tail = letters.nth_back(self.1 - 1).map(|(at, _)| self.0.split_at(at));
        match head.zip(tail) {
            Some(((head, _), (_, tail))) => [head, "...", tail].into_iter().try_for_each(write),
            None => write(self.0),
        }
    }
}

impl std::error::Error for Refused {}

impl Refused {
    /// One node.
    pub(crate) fn one(name: String, op: String, reason: String) -> Self {
        Refused { nodes: vec![RefusedNode { name, op, reason }] }
    }
}
