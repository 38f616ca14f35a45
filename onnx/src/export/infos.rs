//! Names, types and shapes of values.

use std::collections::{HashMap, HashSet};

use super::site::{Lowered, Value, onnx};
use crate::proto::{Dimension, Graph, Kind, Shape, Size, TensorType, Type, ValueInfo};

/// The name, type and shape of a value. Free sizes of inputs get names.
pub(super) fn info(value: &Value, of_input: Option<bool>) -> Lowered<ValueInfo> {
    let dim = |(at, size): (usize, &Option<i64>)| {
        let size = match (size, of_input) {
            (Some(size), _) => Some(Size::Value(*size)),
            (None, Some(true)) if at == 0 => Some(Size::Name("batch".to_owned())),
            (None, Some(_)) => Some(Size::Name(format!("{}_{at}", value.name))),
            (None, None) => None,
        };
        Dimension { value: size, ..Dimension::default() }
    };
    let shape = Shape { dim: value.shape.iter().enumerate().map(dim).collect() };
    let tensor = TensorType { elem_type: onnx(value.dtype)?.number(), shape: Some(shape) };
    let r#type = Type { value: Some(Kind::Tensor(tensor)), ..Type::default() };
    Ok(ValueInfo { name: value.name.clone(), r#type: Some(r#type), ..ValueInfo::default() })
}

/// Types and shapes of the values between, in the order of the nodes.
pub(super) fn add_value_infos(graph: &mut Graph, values: &HashMap<u32, Vec<Value>>) {
    let known: HashMap<&str, &Value> =
        values.values().flatten().map(|value| (value.name.as_str(), value)).collect();
    let ends: HashSet<&str> = graph.output.iter().map(|output| output.name.as_str()).collect();
    let outputs = graph.node.iter().flat_map(|node| &node.output);
    let between = outputs
        .filter(|name| !ends.contains(name.as_str()))
        .filter_map(|name| known.get(name.as_str()));
    let infos = between.filter_map(|value| info(value, None).ok()).collect();
    graph.value_info = infos;
}
