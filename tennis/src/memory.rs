//! How much memory a module takes at its peak.

use fourfold::tsm::Module;

use crate::operator::Operator as Op;
use crate::order::{Order, inputs_of};

/// What a node needs memory for.
#[derive(Clone, Copy)]
pub(crate) struct Need {
    /// The bytes of its outputs, if they are known.
    pub(crate) bytes: Option<u64>,
    /// Whether its outputs are parts of its inputs, in the same memory.
    pub(crate) is_view: bool,
    /// Whether its outputs are there from the beginning.
    pub(crate) is_input: bool,
}

/// Whether TenniS copies nothing.
pub(crate) fn is_view(operator: &Op) -> bool {
    matches!(
        operator,
        Op::Copy
            | Op::Expand { .. }
            | Op::Field { .. }
            | Op::Flatten { .. }
            | Op::Flatten2d { .. }
            | Op::Pack
            | Op::Reshape { .. }
            | Op::ReshapeV2
            | Op::Squeeze { .. }
            | Op::Unsqueeze { .. }
    )
}

/// The most bytes that outputs take at one time, without tensors of the module.
///
/// Nodes are computed in the order that is given. An output is freed after its last use. `None` if a
/// size is unknown.
pub(crate) fn peak(module: &Module<'_>, order: &Order, needs: &[Need]) -> Option<u64> {
    let nodes = order.nodes.get(..order.needed)?;
    let need = |node: u32| needs.get(usize::try_from(node).ok()?).copied();

    // Positions in the order; outputs of the module are not freed.
    let mut last_uses: Vec<usize> = vec![0; needs.len()];
    let last_use = |uses: &[usize], node: u32| {
        usize::try_from(node).ok().and_then(|node| uses.get(node)).copied()
    };
    let used = |uses: &mut Vec<usize>, node: u32, at: usize| {
        if let Some(last) = usize::try_from(node).ok().and_then(|node| uses.get_mut(node)) {
            *last = at.max(*last);
        }
    };
    module.outputs.iter().for_each(|&output| used(&mut last_uses, output, usize::MAX));
    for (at, &node) in nodes.iter().enumerate().rev() {
        // A view keeps its inputs as long as it is used itself.
        let until = if need(node)?.is_view { last_use(&last_uses, node)?.max(at) } else { at };
        for &input in inputs_of(module, node) {
            used(&mut last_uses, input, until);
        }
    }

    let mut freed: Vec<u64> = vec![0; nodes.len()];
    let mut bytes = 0u64;
    for (at, &node) in nodes.iter().enumerate() {
        let size = owned(need(node)?)?;
        if need(node)?.is_input {
            bytes = bytes.checked_add(size)?;
        }
        if let Some(freed) = freed.get_mut(last_use(&last_uses, node)?.max(at)) {
            *freed = freed.checked_add(size)?;
        }
    }
    let mut peak = bytes;
    for (&node, freed) in nodes.iter().zip(freed) {
        if !need(node)?.is_input {
            bytes = bytes.checked_add(owned(need(node)?)?)?;
        }
        peak = peak.max(bytes);
        bytes = bytes.checked_sub(freed)?;
    }
    Some(peak)
}

/// The bytes that a node takes beyond those of its inputs.
fn owned(need: Need) -> Option<u64> {
    if need.is_view { Some(0) } else { need.bytes }
}
