//! The nodes of modules that cannot be converted.

use fourfold::tsm::{Module, Node};

use crate::refused::RefusedNode;

pub(super) fn refused_node(module: &Module<'_>, index: u32, reason: &str) -> RefusedNode {
    let node = module.graph.get(index);
    let op = node.and_then(Node::op_bytes).unwrap_or_default().escape_ascii().to_string();
    RefusedNode::new(node.map_or_else(String::new, name_of), op, reason)
}

/// What a node is called, in UTF-8.
pub(super) fn name_of(node: &Node<'_>) -> String {
    let bytes = || node.name_bytes().unwrap_or_default().escape_ascii().to_string();
    node.name().map_or_else(bytes, str::to_owned)
}
