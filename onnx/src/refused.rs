//! What conversions refuse.

use std::collections::HashSet;
use std::fmt::{self, Write as _};

use fourfold_tennis::Input;

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
    /// Whole shapes for the inputs of which sizes are unknown, if with them no node with [`Remedy::Shapes`] is refused.
    /// Sizes that the graph does not have are examples.
    pub examples: Vec<Input>,
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
    /// What may help.
    pub remedy: Option<Remedy>,
}

/// What may help a node that cannot be converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// The unknown sizes of inputs: by `Options::inputs`, or `import_with`.
    Shapes,
}

/// The end of reasons that unknown sizes of inputs are. It becomes the node's [`Remedy`].
const GIVE_SHAPE: &str = "; give the input's shape";

/// The reason for a node that depends on sizes that follow from those of inputs.
pub(crate) fn unknown_sizes(text: &str) -> String {
    format!("{text}{GIVE_SHAPE}")
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.nodes.len();
        write!(f, "{count} node{} cannot be converted", if count == 1 { "" } else { "s" })?;
        self.nodes.iter().try_for_each(|node| write!(f, "\n  {node}"))
    }
}

impl RefusedNode {
    pub(crate) fn new(name: impl Into<String>, op: impl Into<String>, reason: &str) -> Self {
        let (reason, remedy) = match reason.strip_suffix(GIVE_SHAPE) {
            Some(reason) => (reason, Some(Remedy::Shapes)),
            None => (reason, None),
        };
        RefusedNode { name: name.into(), op: op.into(), reason: reason.to_owned(), remedy }
    }
}

impl fmt::Display for RefusedNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, reason) = (Quoted(&self.name), OneLine(&self.reason, 400));
        match self.op.as_str() {
            MODEL => write!(f, "{MODEL}: {reason}"),
            kind @ (TENSOR | INPUT | OUTPUT) => write!(f, "{kind} {name}: {reason}"),
            op => write!(f, "node {name} ({}): {reason}", OneLine(op, 50)),
        }?;
        match self.remedy {
            Some(Remedy::Shapes) => f.write_str(GIVE_SHAPE),
            None => Ok(()),
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
    /// Nodes of a graph. `examples` are whole shapes for the inputs of which sizes are unknown; `again` converts the
    /// graph with them. They are kept if they help.
    pub(crate) fn new<T>(
        mut nodes: Vec<RefusedNode>,
        examples: Vec<Input>,
        again: impl FnOnce(&[Input]) -> Result<T, Refused>,
    ) -> Self {
        if examples.is_empty() {
            // All sizes of inputs are known: those that are unknown depend on values.
            nodes.iter_mut().for_each(|node| node.remedy = None);
        }
        let (may_help, others): (Vec<&RefusedNode>, Vec<&RefusedNode>) =
            nodes.iter().partition(|node| node.remedy.is_some());
        let id = |node: &RefusedNode| (node.name.clone(), node.op.clone());
        let others: HashSet<_> = others.into_iter().map(id).collect();
        let helps = !may_help.is_empty()
            && match again(&examples) {
                Ok(_) => true,
                Err(left) => left.nodes.iter().all(|node| others.contains(&id(node))),
            };
        Refused { nodes, examples: if helps { examples } else { Vec::new() } }
    }

    /// Nodes that shapes do not help.
    pub(crate) fn all(nodes: Vec<RefusedNode>) -> Self {
        Refused { nodes, examples: Vec::new() }
    }

    /// One node that shapes do not help.
    pub(crate) fn one(name: impl Into<String>, op: impl Into<String>, reason: &str) -> Self {
        Refused::all(vec![RefusedNode::new(name, op, reason)])
    }
}
