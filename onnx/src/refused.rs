//! What conversions refuse.

use std::fmt;

/// Why a model is not converted: all nodes that cannot be.
///
/// Printed as a line for each.
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
    /// What it does. Inputs and tensors of a graph are nodes, too.
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
        write!(f, "node {:?} ({}): {}", self.name, OneLine(&self.op), OneLine(&self.reason))
    }
}

/// Text without line breaks and other control characters.
struct OneLine<'a>(&'a str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|letter| match letter.is_control() {
            true => write!(f, "{}", letter.escape_debug()),
            false => write!(f, "{letter}"),
        })
    }
}

impl std::error::Error for Refused {}

impl Refused {
    /// One node.
    pub(crate) fn one(name: String, op: String, reason: String) -> Self {
        Refused { nodes: vec![RefusedNode { name, op, reason }] }
    }
}
