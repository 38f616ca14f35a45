//! What a module of valid bytes is refused for, and at which bytes.

use fourfold::tsm::{
    Bubble, Diagnostic, DiagnosticKind, Graph, Header, Module, PackedTensor, Param, Severity,
    take_from_slice,
};

/// A module as its fields, whatever they mean.
pub(super) type Unchecked<'de> = (Header, Vec<u32>, Vec<u32>, Graph<'de>);

/// Everything that TenniS refuses a module for, and its offsets. The reader returns one of several errors of a node, not
/// always the first one; nothing before that node is wrong.
pub(super) fn refusals(bytes: &[u8]) -> Vec<(usize, String)> {
    let Ok(((header, inputs, outputs, graph), _)) = take_from_slice::<Unchecked<'_>>(bytes) else {
        return Vec::new();
    };
    let module = Module { header, inputs, outputs, graph };
    let mut refusals = module.check();
    refusals.retain(|diagnostic| diagnostic.severity() == Severity::Refused);
    let offsets = offsets(&module, &refusals);
    let foremost = offsets.first().copied().unwrap_or_default();
    let placed = offsets.into_iter().zip(refusals);
    placed.map(|(offset, refusal)| (offset.max(foremost), refusal.to_string())).collect()
}

/// The error of the code in the header, and its offset.
pub(super) fn wrong_code(bytes: &[u8]) -> Option<(usize, String)> {
    let found = bytes.get(Header::CODE_RANGE)?.first_chunk().map(|code| u32::from_le_bytes(*code));
    let found = found.filter(|code| *code != Header::CODE)?;
    Some((Header::CODE_RANGE.start, DiagnosticKind::Code { found }.to_string()))
}

/// The bytes of a header, and of a count, index or dim.
const HEADER: usize = 128;
const NUMBER: usize = 4;

/// The offsets of refusals. They come in the order of their nodes, so that each node is measured once.
fn offsets(module: &Module<'_>, refusals: &[Diagnostic]) -> Vec<usize> {
    let inputs = HEADER;
    let outputs = inputs + list(module.inputs.len());
    let mut end = outputs + list(module.outputs.len()) + NUMBER;
    let mut nodes = module.graph.nodes.iter().enumerate();
    let (mut last, mut start, mut node_inputs) = (None, 0, 0);
    let offset_of = |refusal: &Diagnostic| {
        while refusal.node > last {
            let Some((index, node)) = nodes.next() else { break };
            (last, start) = (Some(index), end);
            node_inputs = start + bubble(&node.bubble);
            end = node_inputs + list(node.inputs.len());
        }
        let param = match &refusal.kind {
            DiagnosticKind::Code { .. } => return Header::CODE_RANGE.start,
            DiagnosticKind::InputIndex { position, .. } => return inputs + list(*position),
            DiagnosticKind::OutputIndex { position, .. } => return outputs + list(*position),
            DiagnosticKind::NodeInputIndex { position, .. } => {
                return node_inputs + list(*position);
            }
            DiagnosticKind::NotText { param, .. } => param,
            DiagnosticKind::OutputCount => "#output_count",
            DiagnosticKind::ShapeType { .. } => "#shape",
            _ => return start,
        };
        let node = refusal.node.and_then(|index| module.graph.nodes.get(index));
        start + node.map_or(0, |node| offset_of_param(&node.bubble, param))
    };
    refusals.iter().map(offset_of).collect()
}

/// The offset of the first param of that name from the start of its node.
fn offset_of_param(bubble: &Bubble<'_>, name: &str) -> usize {
    let before = bubble.params.iter().take_while(|param| param.name() != name.as_bytes());
    NUMBER + before.map(param).sum::<usize>()
}

/// The size of a list of numbers, and the offset of the number after so many of them.
fn list(count: usize) -> usize {
    NUMBER + NUMBER * count
}

fn bubble(bubble: &Bubble<'_>) -> usize {
    NUMBER + bubble.params.iter().map(param).sum::<usize>()
}

fn param(param: &Param<'_>) -> usize {
    NUMBER + param.name().len() + packed(&param.value)
}

fn packed(packed: &PackedTensor<'_>) -> usize {
    let sizes =
        packed.fields.iter().map(|tensor| 1 + list(tensor.shape().len()) + tensor.bytes().len());
    NUMBER + sizes.sum::<usize>()
}
