//! The positions of nodes, params and tensors in a module's bytes, computed from their sizes.

use super::Module;
use super::diagnostic::{Diagnostic, DiagnosticKind as K};
use crate::error::Segment;
use crate::tsm::bubble::{OUTPUT_COUNT, SHAPE};
use crate::tsm::wire::{COUNT_SIZE, DTYPE_SIZE, HEADER_CODE_OFFSET, HEADER_SIZE, INDEX_SIZE};
use crate::tsm::{Bubble, Node, PackedTensor, Param, Tensor};

impl Tensor<'_> {
    /// The bytes before the elements.
    pub(super) fn head(&self) -> usize {
        list(self.shape().len()).saturating_add(DTYPE_SIZE)
    }

    /// How many bytes this takes.
    pub(super) fn size(&self) -> usize {
        self.head().saturating_add(self.bytes().len())
    }
}

impl PackedTensor<'_> {
    pub(in crate::tsm) fn size(&self) -> usize {
        self.fields.iter().map(Tensor::size).fold(COUNT_SIZE, usize::saturating_add)
    }
}

impl Param<'_> {
    /// The bytes before the value.
    fn head(&self) -> usize {
        COUNT_SIZE.saturating_add(self.name().len())
    }

    /// The bytes before the tensors.
    pub(super) fn before_fields(&self) -> usize {
        self.head().saturating_add(COUNT_SIZE)
    }

    pub(super) fn size(&self) -> usize {
        self.head().saturating_add(self.value.size())
    }
}

impl Bubble<'_> {
    fn size(&self) -> usize {
        self.params.iter().map(Param::size).fold(COUNT_SIZE, usize::saturating_add)
    }

    /// Where the first param of that name begins, from the start of the bubble.
    fn offset_of(&self, name: &str) -> usize {
        let before = self.params.iter().take_while(|param| param.name() != name.as_bytes());
        before.map(Param::size).fold(COUNT_SIZE, usize::saturating_add)
    }
}

impl Node<'_> {
    pub(super) fn size(&self) -> usize {
        self.bubble.size().saturating_add(self.inputs_size())
    }

    /// The bytes after the bubble.
    pub(super) fn inputs_size(&self) -> usize {
        list(self.inputs.len())
    }
}

/// A list of uint32 or int32 after its count.
fn list(count: usize) -> usize {
    count.saturating_mul(INDEX_SIZE).saturating_add(COUNT_SIZE)
}

impl Module<'_> {
    /// Where the first node begins.
    pub(super) fn nodes_offset(&self) -> usize {
        HEADER_SIZE
            .saturating_add(list(self.inputs.len()))
            .saturating_add(list(self.outputs.len()))
            .saturating_add(COUNT_SIZE)
    }

    /// The position of a diagnostic, from the start of the module, and the path there, innermost
    /// first.
    pub(super) fn place(&self, diagnostic: &Diagnostic) -> (usize, [Option<Segment>; 4]) {
        let before = self.graph.nodes.iter().take(diagnostic.node.unwrap_or_default());
        let start = before.map(Node::size).fold(self.nodes_offset(), usize::saturating_add);
        let field = |name: &'static str| Some(Segment::Field(name.into()));
        let item = |position: usize| Some(Segment::Index(position));
        let inputs = HEADER_SIZE + COUNT_SIZE;
        let outputs = HEADER_SIZE.saturating_add(list(self.inputs.len())) + COUNT_SIZE;
        let Some((at, node)) = diagnostic.node.and_then(|at| Some((at, self.graph.nodes.get(at)?)))
        else {
            return match diagnostic.kind {
                K::Code { .. } => {
                    (HEADER_CODE_OFFSET, [field("code"), field("header"), None, None])
                }
                K::InputIndex { position, .. } => (
                    inputs.saturating_add(position.saturating_mul(INDEX_SIZE)),
                    [item(position), field("inputs"), None, None],
                ),
                K::OutputIndex { position, .. } => (
                    outputs.saturating_add(position.saturating_mul(INDEX_SIZE)),
                    [item(position), field("outputs"), None, None],
                ),
                _ => (0, [None, None, None, None]),
            };
        };
        match diagnostic.kind {
            K::NodeInputIndex { position, .. } => (
                start
                    .saturating_add(node.bubble.size())
                    .saturating_add(COUNT_SIZE)
                    .saturating_add(position.saturating_mul(INDEX_SIZE)),
                [item(position), field("inputs"), item(at), field("graph")],
            ),
            K::NotText { param, .. } => (
                start.saturating_add(node.bubble.offset_of(param)),
                [field("bubble"), item(at), field("graph"), None],
            ),
            K::OutputCount => (
                start.saturating_add(node.bubble.offset_of(OUTPUT_COUNT)),
                [field("bubble"), item(at), field("graph"), None],
            ),
            K::ShapeType { .. } => (
                start.saturating_add(node.bubble.offset_of(SHAPE)),
                [field("bubble"), item(at), field("graph"), None],
            ),
            _ => (start, [item(at), field("graph"), None, None]),
        }
    }
}
