//! Errors and warnings of a module that its bytes do not show.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::count::Things;
use crate::tsm::DType;

/// How bad a [`Diagnostic`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Severity {
    /// TenniS loads the module, but running or saving it may have unexpected results.
    Suspicious,
    /// TenniS does not load the module, or crashes. Neither reading nor writing accepts it.
    Refused,
}

/// One thing that is wrong with a module.
///
/// [`Display`](fmt::Display) is one line, such as `node 3: no #name`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The node that it is about: a position in [`Graph::nodes`](crate::tsm::Graph::nodes). `None`
    /// if it is about the module.
    pub node: Option<usize>,
    /// What it is.
    pub kind: DiagnosticKind,
}

impl Diagnostic {
    pub(in crate::tsm) fn of_module(kind: DiagnosticKind) -> Self {
        Diagnostic { node: None, kind }
    }

    pub(super) fn of_node(node: usize, kind: DiagnosticKind) -> Self {
        Diagnostic { node: Some(node), kind }
    }

    /// How bad it is.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.kind.severity()
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.node {
            Some(node) => write!(f, "node {node}: {}", self.kind),
            None => self.kind.fmt(f),
        }
    }
}

/// What a [`Diagnostic`] is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DiagnosticKind {
    /// The header's code is not that of a module. Refused.
    #[error("code {found:#x} is not that of a module")]
    Code {
        /// The code.
        found: u32,
    },
    /// An input of the module is no node. Refused.
    #[error("inputs[{position}] is node {index}, of {nodes}")]
    InputIndex {
        /// Its position in the list.
        position: usize,
        /// The index.
        index: u32,
        /// How many nodes there are.
        nodes: usize,
    },
    /// An output of the module is no node. Refused.
    #[error("outputs[{position}] is node {index}, of {nodes}")]
    OutputIndex {
        /// Its position in the list.
        position: usize,
        /// The index.
        index: u32,
        /// How many nodes there are.
        nodes: usize,
    },
    /// An input of a node is no node. Refused.
    #[error("inputs[{position}] is node {index}, of {nodes}")]
    NodeInputIndex {
        /// Its position in the list.
        position: usize,
        /// The index.
        index: u32,
        /// How many nodes there are.
        nodes: usize,
    },
    /// A param that every node has is missing. Refused.
    #[error("no {param}")]
    Missing {
        /// `#op` or `#name`.
        param: &'static str,
    },
    /// A param that every node has is no text, char8 with one dim. Refused.
    #[error("{param} is {dtype} with {dims} dims, not text")]
    NotText {
        /// `#op` or `#name`.
        param: &'static str,
        /// The type of its elements.
        dtype: DType,
        /// How many dims it has.
        dims: usize,
    },
    /// `#output_count` is there and is not 1. Refused.
    #[error("#output_count is not 1")]
    OutputCount,
    /// `#shape` has elements that TenniS does not convert to int32: void (also of a param without a tensor), ptr, unknown8
    /// to 128, complex32 to 128 or sink8q0 to 7. Refused.
    #[error("#shape is {dtype}, which cannot be converted to int32")]
    ShapeType {
        /// The type of its elements.
        dtype: DType,
    },
    /// An output needs a `<param>` that is not among the inputs. Refused.
    #[error("a <param> that an output needs is not among the inputs")]
    UnlistedParam,
    /// An output needs an operator that has nothing to work on. Refused.
    #[error("an operator that an output needs has no inputs")]
    NoInputs,

    /// Nodes are their own inputs, by way of each other. TenniS hangs on saving them and crashes on
    /// running them, if an output needs them.
    #[error("a cycle of {}", Listed(.nodes))]
    Cycle {
        /// The nodes of the cycle, in the order of their positions.
        nodes: Vec<usize>,
    },
    /// An output leads to a cycle, be it by way of a `<param>` or `<const>` with inputs. TenniS loads the
    /// module, and does not come to an end of saving it.
    #[error("an output leads to its cycle: TenniS loads the module and never ends saving it")]
    EndlessSave,
    /// An input of the module has an input that TenniS does not save, since no output leads to it. TenniS
    /// loads the module and refuses to save it.
    #[error(
        "no output leads to it or to node {index}, its input, which is not among the module's inputs: \
         TenniS loads the module and cannot save it"
    )]
    UnsavedInput {
        /// The node that would be left out.
        index: u32,
    },
    /// No output needs the node. TenniS drops it on saving.
    #[error("no output needs it")]
    Unreachable,
    /// Another node has the same name.
    #[error("has the name of node {first}")]
    DuplicateName {
        /// The first node of that name.
        first: usize,
    },
    /// A param is there twice. The first counts in TenniS, the last in its Python front end.
    #[error("param \"{name}\" is there more than once")]
    DuplicateParam {
        /// The name, with escapes for what is not ASCII.
        name: Box<str>,
    },
    /// The name of a param is longer than the format's description allows.
    #[error("a param has a name of {len} bytes")]
    LongParamName {
        /// Its bytes.
        len: usize,
    },
    /// A param holds no tensor, which TenniS reads wrongly after one of several.
    #[error("param \"{name}\" holds no tensor")]
    NoFields {
        /// The name, with escapes for what is not ASCII.
        name: Box<str>,
    },
    /// A param holds pointers, whose size depends on the machine that TenniS runs on.
    #[error("param \"{name}\" holds pointers")]
    Pointers {
        /// The name, with escapes for what is not ASCII.
        name: Box<str>,
    },
    /// A `<const>` without a value. TenniS loads it and fails to run it.
    #[error("a <const> without a value")]
    NoValue,
    /// A `<param>`, `<const>` or `<var>` with inputs, which mean nothing. TenniS follows them when it
    /// saves the module.
    #[error("has {} and is no operator", Things(.count, "input"))]
    IdleInputs {
        /// How many.
        count: usize,
    },
    /// The name of the operator is empty.
    #[error("#op is empty")]
    EmptyOp,
    /// The operator is `<var>`, which TenniS does not run.
    #[error("a <var>, which cannot be run")]
    Variable,
    /// `#shape` is not int32 but other numbers, or has more dims than a tensor can.
    #[error("#shape is {dtype} with {count} values")]
    Shape {
        /// The type of its elements.
        dtype: DType,
        /// How many sizes there are.
        count: usize,
    },
    /// An input of the module is no `<param>`.
    #[error("inputs[{position}] is no <param>")]
    InputNotParam {
        /// Its position in the list.
        position: usize,
    },
    /// A node is there twice among the inputs of the module.
    #[error("inputs[{position}] is there more than once")]
    RepeatedInput {
        /// Its position in the list.
        position: usize,
    },
    /// There are nodes and no outputs.
    #[error("no outputs")]
    NoOutputs,
}

impl DiagnosticKind {
    /// How bad it is.
    #[must_use]
    pub fn severity(&self) -> Severity {
        use DiagnosticKind as K;
        match self {
            K::Code { .. }
            | K::InputIndex { .. }
            | K::OutputIndex { .. }
            | K::NodeInputIndex { .. }
            | K::Missing { .. }
            | K::NotText { .. }
            | K::OutputCount
            | K::ShapeType { .. }
            | K::UnlistedParam
            | K::NoInputs => Severity::Refused,
            _ => Severity::Suspicious,
        }
    }
}

/// The first of many numbers.
struct Listed<'a>(&'a [usize]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 8;
        let label = if self.0.len() == 1 { "node" } else { "nodes" };
        let shown: Vec<String> =
            self.0.iter().take(MOST).map(alloc::string::ToString::to_string).collect();
        write!(f, "{label} {}", shown.join(", "))?;
        match self.0.len().checked_sub(MOST) {
            Some(more) if more > 0 => write!(f, " and {more} more"),
            _ => Ok(()),
        }
    }
}
