//! ONNX models as text: types, attributes, and a summary of the graph.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use bytes::Bytes;
use fourfold_onnx::proto::{
    Attribute, Dimension, Graph, Kind, Model, Node, Size, Tensor, Type, ValueInfo,
};
use fourfold_onnx::{DataType, Value};

use super::hash;
use crate::input::Input;
use crate::tensors::{DType, Small, hash_of};
use crate::write::count::counted;
use crate::write::float::float;
use crate::write::plain::plain_bytes;
use crate::write::width::ends;

/// Maximum number of items of a list that are shown.
const MOST_ITEMS: usize = 64;
/// Maximum number of columns of a text.
const MOST_COLUMNS: usize = 200;
/// The name of the set of operators whose name is empty in files.
const ONNX_SET: &str = "ai.onnx";

/// Reads a model. The bytes that tensors share are those of the returned ones.
///
/// # Errors
///
/// What is wrong with the bytes.
pub(crate) fn read(input: &Input) -> Result<(Model, Bytes), String> {
    let whole = Bytes::from_owner(input.bytes.clone());
    let model = Model::read(whole.clone()).map_err(|error| error.to_string())?;
    Ok((model, whole))
}

/// The type of elements. `None` if there is no equal one.
pub(crate) const fn dtype(dtype: DataType) -> Option<DType> {
    Some(match dtype {
        DataType::Float => DType::F32,
        DataType::Double => DType::F64,
        DataType::Float16 => DType::F16,
        DataType::Bfloat16 => DType::Bf16,
        DataType::Uint8 => DType::U8,
        DataType::Int8 => DType::I8,
        DataType::Uint16 => DType::U16,
        DataType::Int16 => DType::I16,
        DataType::Uint32 => DType::U32,
        DataType::Int32 => DType::I32,
        DataType::Uint64 => DType::U64,
        DataType::Int64 => DType::I64,
        DataType::Bool => DType::Bool,
        DataType::Complex64 => DType::C64,
        DataType::Complex128 => DType::C128,
        DataType::Float8E4m3fn => DType::Small(Small::E4M3Fn),
        DataType::Float8E4m3fnuz => DType::Small(Small::E4M3Fnuz),
        DataType::Float8E5m2 => DType::Small(Small::E5M2),
        DataType::Float8E5m2fnuz => DType::Small(Small::E5M2Fnuz),
        DataType::Float8E8m0 => DType::Small(Small::E8M0Fnu),
        DataType::Float4E2m1 => DType::Small(Small::E2M1Fn),
        DataType::Float6E2m3 => DType::Small(Small::E2M3Fn),
        DataType::Float6E3m2 => DType::Small(Small::E3M2Fn),
        _ => return None,
    })
}

fn dtype_name(number: i32) -> String {
    match DataType::of(number) {
        Some(known) => dtype(known).map_or(known.name(), DType::name).to_owned(),
        None => format!("type {number}"),
    }
}

/// Type and shape: `float32 [1, 3]`.
pub(crate) fn tensor_text(tensor: &Tensor) -> String {
    format!("{} {}", dtype_name(tensor.data_type), list(&tensor.dims, ToString::to_string))
}

/// The value of a tensor, if it is a single number.
pub(crate) fn single(tensor: &Tensor) -> Option<String> {
    fn of<const SIZE: usize>(bytes: &[u8]) -> Option<[u8; SIZE]> {
        bytes.first_chunk().copied()
    }
    let is_single = tensor.count().is_ok_and(|count| count == 1);
    let bytes = tensor.elements(None).ok().filter(|_| is_single)?;
    Some(match tensor.dtype().ok()? {
        DataType::Float => float(f32::from_le_bytes(of(&bytes)?)),
        DataType::Double => float(f64::from_le_bytes(of(&bytes)?)),
        DataType::Float16 => float(half::f16::from_le_bytes(of(&bytes)?)),
        DataType::Int64 => i64::from_le_bytes(of(&bytes)?).to_string(),
        DataType::Int32 => i32::from_le_bytes(of(&bytes)?).to_string(),
        DataType::Uint8 => u8::from_le_bytes(of(&bytes)?).to_string(),
        DataType::Bool => (u8::from_le_bytes(of(&bytes)?) != 0).to_string(),
        _ => return None,
    })
}

/// The type of a value: `float32 [batch, 3, ?]`; empty if it is unknown.
pub(crate) fn type_text(ty: Option<&Type>) -> String {
    let size = |dimension: &Dimension| match &dimension.value {
        Some(Size::Value(size)) => size.to_string(),
        Some(Size::Name(name)) if !name.is_empty() => shown(name.as_bytes()),
        _ => "?".into(),
    };
    match ty.and_then(|ty| ty.value.as_ref()) {
        None => String::new(),
        Some(Kind::Tensor(tensor)) => match &tensor.shape {
            Some(shape) => format!("{} {}", dtype_name(tensor.elem_type), list(&shape.dim, size)),
            None => dtype_name(tensor.elem_type),
        },
        Some(Kind::SparseTensor(tensor)) => format!("sparse {}", dtype_name(tensor.elem_type)),
        Some(Kind::Sequence(element)) => {
            format!("sequence of {}", type_text(element.elem_type.as_ref()))
        }
        Some(Kind::Optional(element)) => {
            format!("optional {}", type_text(element.elem_type.as_ref()))
        }
        Some(Kind::Map(_)) => "map".into(),
        Some(Kind::Opaque(opaque)) => shown(opaque.name.as_bytes()),
    }
}

/// Name and value: `strides [2, 2]`.
pub(crate) fn attribute_text(attribute: &Attribute) -> String {
    format!("{} {}", shown(attribute.name.as_bytes()), attribute_value(attribute))
}

/// The type of an attribute in ONNX's terms; empty if the text of its value is not all from the file and from ONNX.
pub(crate) fn attribute_type(attribute: &Attribute) -> &'static str {
    match attribute.value() {
        Some(Value::Float(_)) => "float",
        Some(Value::Int(_)) => "int",
        Some(Value::String(_)) => "string",
        Some(Value::Floats(_)) => "floats",
        Some(Value::Ints(_)) => "ints",
        Some(Value::Strings(_)) => "strings",
        Some(Value::Tensor(_)) => "tensor",
        Some(Value::Tensors(_)) => "tensors",
        Some(Value::Type(_)) => "type",
        Some(Value::Types(_)) => "types",
        _ => "",
    }
}

/// The value of an attribute: `[2, 2]`.
pub(crate) fn attribute_value(attribute: &Attribute) -> String {
    let text = |bytes: &Bytes| shown(bytes);
    match attribute.value() {
        None => match attribute.ref_attr_name.as_str() {
            "" => "without a value".into(),
            name => format!("that of {}", shown(name.as_bytes())),
        },
        Some(Value::Float(value)) => float(value),
        Some(Value::Int(value)) => value.to_string(),
        Some(Value::String(value)) => text(value),
        Some(Value::Floats(values)) => list(values, |value| float(*value)),
        Some(Value::Ints(values)) => list(values, ToString::to_string),
        Some(Value::Strings(values)) => list(values, text),
        Some(Value::Tensor(tensor)) => single(tensor).unwrap_or_else(|| tensor_text(tensor)),
        Some(Value::Tensors(values)) => list(values, tensor_text),
        Some(Value::Graph(graph)) => graph_text(graph),
        Some(Value::Graphs(values)) => list(values, graph_text),
        Some(Value::Type(ty)) => type_text(Some(ty)),
        Some(Value::Types(values)) => list(values, |ty| type_text(Some(ty))),
        Some(Value::SparseTensor(_) | Value::SparseTensors(_)) => "sparse".into(),
        Some(_) => "of a kind without a text".into(),
    }
}

/// The text of an attribute to compare. Where the text is not all of the value, it ends with a hash of the value.
pub(crate) fn attribute_to_compare(attribute: &Attribute) -> String {
    let text = attribute_text(attribute);
    let is_whole = match attribute.value() {
        None | Some(Value::Float(_) | Value::Int(_)) => true,
        Some(Value::Floats(values)) => values.len() <= MOST_ITEMS,
        Some(Value::Ints(values)) => values.len() <= MOST_ITEMS,
        // An escaped byte has several columns.
        Some(Value::String(value)) => value.len() <= MOST_COLUMNS / 8,
        Some(_) => false,
    };
    match is_whole {
        true => text,
        false => {
            format!("{text} #{:016x}", hash_of(&hash::Of(attribute)))
        }
    }
}

fn graph_text(graph: &Graph) -> String {
    let nodes = counted(graph.node.len(), "node");
    match operators(&graph.node).as_str() {
        "" => format!("graph of {nodes}"),
        operators => format!("graph of {nodes}: {operators}"),
    }
}

/// The operators of nodes, each with its number: `Conv 12, Relu 9`.
fn operators(nodes: &[Node]) -> String {
    let mut counts = BTreeMap::<String, usize>::new();
    for node in nodes {
        *counts.entry(operator(node)).or_default() += 1;
    }
    let counts: Vec<String> =
        counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
    cut(&counts).join(", ")
}

/// The operator of a node, with its set if that is not ONNX's.
pub(crate) fn operator(node: &Node) -> String {
    let name = shown(node.op_type.as_bytes());
    match node.domain.as_str() {
        "" | ONNX_SET => name,
        set => format!("{}.{name}", shown(set.as_bytes())),
    }
}

/// The name of a node, or that of its first output.
pub(crate) fn node_name(node: &Node) -> &str {
    let output = node.output.iter().find(|output| !output.is_empty());
    match node.name.as_str() {
        "" => output.map_or("", String::as_str),
        name => name,
    }
}

/// The value of a node `Constant`.
pub(crate) fn constant(node: &Node) -> Option<Value<'_>> {
    let is_constant = node.op_type == "Constant" && matches!(&*node.domain, "" | ONNX_SET);
    node.attribute.iter().find_map(Attribute::value).filter(|_| is_constant)
}

/// The graphs in the attributes of a node.
pub(crate) fn subgraphs(node: &Node) -> impl Iterator<Item = (&Attribute, &Graph)> {
    node.attribute
        .iter()
        .flat_map(|it| it.g.as_deref().into_iter().chain(&it.graphs).map(move |graph| (it, graph)))
}

/// What a model is, in rows: name and text.
pub(crate) fn summary(model: &Model) -> Vec<(&'static str, String)> {
    let sets = model.opset_import.iter().map(|set| match set.domain.as_str() {
        "" => format!("{ONNX_SET} {}", set.version),
        name => format!("{} {}", shown(name.as_bytes()), set.version),
    });
    let sets: Vec<String> = sets.collect();
    let producer = format!("{} {}", model.producer_name, model.producer_version);
    let mut rows = vec![
        ("version", format!("ONNX IR {}", model.ir_version)),
        ("operator sets", cut(&sets).join(", ")),
        ("producer", shown(producer.trim().as_bytes())),
    ];
    if let Some(graph) = &model.graph {
        let is_constant: HashSet<&str> =
            graph.initializer.iter().map(|tensor| tensor.name.as_str()).collect();
        let values = |list: &[ValueInfo]| {
            let list = list.iter().filter(|value| !is_constant.contains(value.name.as_str()));
            let text = list.map(|value| {
                format!("{} {}", shown(value.name.as_bytes()), type_text(value.r#type.as_ref()))
            });
            cut(&text.collect::<Vec<_>>()).join("; ")
        };
        rows.push(("inputs", values(&graph.input)));
        rows.push(("outputs", values(&graph.output)));
        rows.push(("operators", operators(&graph.node)));
    }
    rows.retain(|(_, text)| !text.is_empty());
    rows
}

/// Text of a file on one line, without its middle if it is long.
pub(crate) fn shown(bytes: &[u8]) -> String {
    ends(&plain_bytes(bytes.get(..bytes.len().min(1 << 16)).unwrap_or_default()), MOST_COLUMNS)
        .into_owned()
}

/// A name without its middle if it is long.
pub(crate) fn short(name: &str) -> Cow<'_, str> {
    ends(name, MOST_COLUMNS)
}

fn list<T>(items: &[T], text: impl Fn(&T) -> String) -> String {
    let texts: Vec<String> = items.iter().take(MOST_ITEMS).map(text).collect();
    let more = if items.len() > MOST_ITEMS { ", …" } else { "" };
    format!("[{}{more}]", texts.join(", "))
}

/// The first items, and the number of further ones.
fn cut(items: &[String]) -> Vec<String> {
    let more = items.len().checked_sub(MOST_ITEMS).filter(|more| *more > 0);
    items.iter().take(MOST_ITEMS).cloned().chain(more.map(|more| format!("{more} more"))).collect()
}
