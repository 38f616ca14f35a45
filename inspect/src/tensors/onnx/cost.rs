//! The multiply-adds of ONNX's operators, where the file states the shapes of values.

use std::collections::HashMap;

use fourfold_onnx::Value;
use fourfold_onnx::proto::{Graph, Kind, Node, Size, Tensor, ValueInfo};

use super::text;

/// Operators that add up products whose number is not computed here.
const UNKNOWN: &[&str] = &[
    "Attention",
    "CausalConvWithState",
    "DFT",
    "DeformConv",
    "Einsum",
    "LinearAttention",
    "STFT",
    "SequenceMap",
];

/// The sizes of the values of a graph, if all of them are numbers.
pub(crate) fn dims(graph: &Graph) -> impl Iterator<Item = (&str, Vec<u64>)> {
    let values = graph.value_info.iter().chain(&graph.input).chain(&graph.output);
    let values = values.filter_map(|value| Some((value.name.as_str(), of_value(value)?)));
    let tensors = graph.initializer.iter().map(|tensor| (tensor.name.as_str(), tensor));
    let constants = graph.node.iter().filter_map(|node| match text::constant(node)? {
        Value::Tensor(tensor) => Some((node.output.first()?.as_str(), tensor)),
        _ => None,
    });
    let tensors = tensors.chain(constants);
    values.chain(tensors.filter_map(|(name, tensor)| Some((name, of_tensor(tensor)?))))
}

fn of_tensor(tensor: &Tensor) -> Option<Vec<u64>> {
    tensor.dims.iter().map(|size| u64::try_from(*size).ok()).collect()
}

fn of_value(value: &ValueInfo) -> Option<Vec<u64>> {
    let Kind::Tensor(tensor) = value.r#type.as_ref()?.value.as_ref()? else { return None };
    let sizes = tensor.shape.as_ref()?.dim.iter().map(|dimension| match dimension.value {
        Some(Size::Value(size)) => u64::try_from(size).ok(),
        _ => None,
    });
    sizes.collect()
}

/// The products that a node adds up. `None` if the sizes of its values are unknown, or what it does.
pub(crate) fn multiply_adds(node: &Node, dims: &HashMap<&str, Vec<u64>>) -> Option<u64> {
    let of = |names: &[String], at: usize| dims.get(names.get(at)?.as_str()).map(Vec::as_slice);
    let input = |at: usize| of(&node.input, at);
    let product = |sizes: &[u64]| sizes.iter().copied().fold(1, u64::saturating_mul);
    let output = || of(&node.output, 0).map(product);
    // A filter without its first dim, which is that of the outputs; of transposed ones, that of the inputs.
    let filter = |at: usize| input(at)?.split_first().map(|(_, rest)| product(rest));
    let is_onnx = matches!(&*node.domain, "" | "ai.onnx");
    let has_graph = text::subgraphs(node).next().is_some();
    let (values, products) = match node.op_type.as_str() {
        _ if !is_onnx || has_graph => return None,
        "Conv" | "ConvInteger" => (output()?, filter(1)?),
        "QLinearConv" => (output()?, filter(3)?),
        "ConvTranspose" => (product(input(0)?), filter(1)?),
        "MatMul" | "MatMulInteger" | "QLinearMatMul" => (output()?, *input(0)?.last()?),
        "Gemm" => {
            let transposed = node.attribute.iter().any(|it| it.name == "transA" && it.i == Some(1));
            (output()?, *input(0)?.get(usize::from(!transposed))?)
        }
        "LSTM" | "GRU" | "RNN" => {
            let (inputs, hidden) = (product(input(1)?), product(input(2)?));
            (product(input(0)?.get(..2)?), inputs.saturating_add(hidden))
        }
        name if UNKNOWN.contains(&name) => return None,
        _ => (0, 0),
    };
    Some(values.saturating_mul(products))
}

/// The sum for all nodes of a graph. `None` if it is unknown for one of them.
pub(super) fn total(graph: &Graph) -> Option<u64> {
    let dims = dims(graph).collect();
    let mut nodes = graph.node.iter().map(|node| multiply_adds(node, &dims));
    nodes.try_fold(0, |total, of_node| Some(u64::saturating_add(total, of_node?)))
}
