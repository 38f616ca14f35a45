//! Nodes that cannot be converted.

use std::fmt;

use fourfold::tsm::{Module, Node};

/// The nodes that cannot be converted, all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The nodes, in the order in which they run.
    pub nodes: Vec<RefusedNode>,
}

/// A node that cannot be converted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedNode {
    /// What the node is called.
    pub name: String,
    /// What it does.
    pub op: String,
    /// Why it cannot be converted.
    pub reason: String,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.nodes.len();
        write!(f, "{count} node{} cannot be converted to ONNX", if count == 1 { "" } else { "s" })?;
        self.nodes.iter().try_for_each(|node| write!(f, "\n  {node}"))
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
    pub(super) fn one(name: String, op: String, reason: String) -> Self {
        Refused { nodes: vec![RefusedNode { name, op, reason }] }
    }
}

pub(super) fn refused_node(module: &Module<'_>, index: u32, reason: String) -> RefusedNode {
    let node = module.graph.get(index);
    let op = node.and_then(Node::op_bytes).unwrap_or_default().escape_ascii().to_string();
    RefusedNode { name: node.map_or_else(String::new, name_of), op, reason }
}

/// What a node is called, in UTF-8.
pub(super) fn name_of(node: &Node<'_>) -> String {
    let bytes = || node.name_bytes().unwrap_or_default().escape_ascii().to_string();
    node.name().map_or_else(bytes, str::to_owned)
}
