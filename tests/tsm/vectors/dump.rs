//! The canonical dumps of the fixtures.

use fourfold::tsm::{Module, Node, PackedTensor, Tensor};
use serde_json::{Map, Value, json};

use crate::support::digest::{base64, sha256};

/// The dump of a module, as the manifest of the fixtures describes it.
pub(crate) fn module(module: &Module<'_>) -> Value {
    let header = &module.header;
    let data: String = header.data.iter().map(|byte| format!("{byte:02x}")).collect();
    json!({
        "header": { "fake": header.fake, "code": header.code, "data": data },
        "inputs": module.inputs,
        "outputs": module.outputs,
        "nodes": module.graph.nodes.iter().map(node).collect::<Vec<_>>(),
    })
}

fn node(node: &Node<'_>) -> Value {
    let mut params: Vec<_> = node.bubble.params.iter().collect();
    params.sort_by_key(|param| param.name().to_vec());
    let params: Map<String, Value> =
        params.iter().map(|param| (text(param.name()), packed(&param.value))).collect();
    json!({
        "op": text(node.op_bytes().unwrap()),
        "name": text(node.name_bytes().unwrap()),
        "params": params,
        "inputs": node.inputs,
    })
}

/// The dump of a packed tensor; one without fields is as TenniS loads it.
pub(crate) fn packed(packed: &PackedTensor<'_>) -> Value {
    match &packed.fields[..] {
        [] => Value::Array(vec![tensor(&Tensor::default())]),
        fields => fields.iter().map(tensor).collect(),
    }
}

fn tensor(tensor: &Tensor<'_>) -> Value {
    let bytes = tensor.bytes();
    let mut dump = json!({
        "dtype": tensor.dtype().code(),
        "shape": tensor.shape(),
        "nbytes": bytes.len(),
    });
    match bytes.len() {
        0..=256 => dump["base64"] = base64(bytes).into(),
        _ => dump["sha256"] = sha256(bytes).into(),
    }
    dump
}

fn text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.starts_with("hex:") => text.to_owned(),
        _ => format!("hex:{}", crate::support::fixture::hex(bytes)),
    }
}
