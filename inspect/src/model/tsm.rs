//! Modules and tensors of TenniS as JSON, in both directions.

use std::collections::BTreeSet;

use fourfold::tsm::{self, Bubble, DType, Header, Module, PackedTensor, Prototype};
use serde::Serialize;

use super::{
    Elements, Fields, Items, Kind, Node, Part, Shape, Tensor, Wrong, bytes_of, hex_of, text_or_hex,
    u32,
};
use crate::failure::describe;
use crate::tensors::data_in_use;

/// The key of a packed tensor's file.
const TENSOR: &str = "tensor";
const HEADER: &str = "header";
const FAKE: &str = "fake";
const DATA: &str = "data";
const INPUTS: &str = "inputs";
const OUTPUTS: &str = "outputs";
const GRAPH: &str = "graph";
const BUBBLE: &str = "bubble";
const DTYPE: &str = "dtype";
const SHAPE: &str = "shape";

/// Longer text is shown as numbers, which can be left out.
const LONGEST_TEXT: usize = 1 << 16;

pub fn module<'a>(module: &'a Module<'_>) -> Part<'a> {
    let mut fields = Vec::new();
    if let Some(header) = header(&module.header) {
        fields.push((HEADER.into(), header));
    }
    fields.push((INPUTS.into(), indices(&module.inputs)));
    fields.push((OUTPUTS.into(), indices(&module.outputs)));
    fields.push((GRAPH.into(), Part::Items(Items::Graph(&module.graph.nodes))));
    Part::Map(fields)
}

pub(super) fn node<'a>(node: &'a tsm::Node<'_>) -> Part<'a> {
    Part::map([(BUBBLE, bubble(&node.bubble)), (INPUTS, indices(&node.inputs))])
}

pub fn tensor_file<'a>(tensor: &'a PackedTensor<'_>) -> Part<'a> {
    Part::map([(TENSOR, packed(tensor))])
}

/// The fields that are not zero.
fn header(header: &Header) -> Option<Part<'static>> {
    let mut fields = Vec::new();
    if header.fake != 0 {
        fields.push((FAKE.into(), Part::integer(header.fake)));
    }
    if let Some(data) = data_in_use(header) {
        fields.push((DATA.into(), Part::text(data)));
    }
    (!fields.is_empty()).then_some(Part::Map(fields))
}

fn indices(indices: &[u32]) -> Part<'_> {
    Part::Items(Items::Numbers(indices))
}

/// An object if all names of params are unique text, else a list of pairs.
fn bubble<'a>(bubble: &'a Bubble<'_>) -> Part<'a> {
    let mut seen = BTreeSet::new();
    let params = &bubble.params;
    match params.iter().all(|param| param.name_str().is_some_and(|name| seen.insert(name))) {
        true => {
            let field = |name: &'a str| std::borrow::Cow::Borrowed(name);
            let fields = params
                .iter()
                .filter_map(|param| Some((field(param.name_str()?), packed(&param.value))));
            Part::Map(fields.collect())
        }
        false => {
            let pairs = params
                .iter()
                .map(|param| Part::List(vec![text_or_hex(param.name()), packed(&param.value)]));
            Part::List(pairs.collect())
        }
    }
}

/// The only field, as in most cases, or a list of fields.
fn packed<'a>(tensor: &'a PackedTensor<'_>) -> Part<'a> {
    match tensor.fields.as_slice() {
        [field] => self::tensor(field),
        fields => Part::List(fields.iter().map(self::tensor).collect()),
    }
}

fn tensor<'a>(tensor: &'a tsm::Tensor<'_>) -> Part<'a> {
    let (dtype, shape) = (tensor.dtype(), tensor.shape());
    if dtype == DType::Char8 && shape.len() == 1 && tensor.bytes().len() <= LONGEST_TEXT {
        if let Ok(text) = std::str::from_utf8(tensor.bytes()) {
            return Part::text(text);
        }
    }
    let sizes = shape.iter().map(|size| Part::integer(*size)).collect();
    Part::Tensor(Box::new(Tensor {
        title: format!("{} {shape:?}", dtype.name()),
        head: vec![(DTYPE.into(), Part::text(dtype.name())), (SHAPE.into(), Part::List(sizes))],
        elements: Elements::new(kind(dtype), tensor.bytes()),
    }))
}

/// The type of elements.
pub(super) const fn kind(dtype: DType) -> Kind {
    match dtype {
        DType::Void => Kind::Void,
        DType::Float16 => Kind::Float16,
        DType::Float32 => Kind::Float32,
        DType::Float64 => Kind::Float64,
        DType::Boolean => Kind::Bool,
        DType::Complex32 | DType::Complex64 | DType::Complex128 => Kind::Complex(dtype.size() / 2),
        DType::Int8
        | DType::Int16
        | DType::Int32
        | DType::Int64
        | DType::Sink8Q0
        | DType::Sink8Q1
        | DType::Sink8Q2
        | DType::Sink8Q3
        | DType::Sink8Q4
        | DType::Sink8Q5
        | DType::Sink8Q6
        | DType::Sink8Q7 => Kind::Signed(dtype.size()),
        DType::Unknown8
        | DType::Unknown16
        | DType::Unknown32
        | DType::Unknown64
        | DType::Unknown128 => Kind::Raw(dtype.size()),
        _ => Kind::Unsigned(dtype.size()),
    }
}

/// A module for writing; unlike the library's own type, with params of any name.
#[derive(Serialize)]
struct Written {
    header: Header,
    inputs: Vec<u32>,
    outputs: Vec<u32>,
    graph: Vec<WrittenNode>,
}

#[derive(Serialize)]
struct WrittenNode {
    bubble: Vec<WrittenParam>,
    inputs: Vec<u32>,
}

#[derive(Serialize)]
struct WrittenParam {
    /// Bytes, written as a vector.
    name: Vec<u8>,
    value: PackedTensor<'static>,
}

/// The bytes of a file.
pub fn bytes(fields: &Fields<'_>, whole: &Node<'_>) -> Result<Vec<u8>, Wrong> {
    if let Some(node) = fields.get(TENSOR) {
        let tensor = write_packed(&node)?;
        return tensor.to_vec().map_err(|error| node.wrong(describe(&error)));
    }
    let header = match fields.get(HEADER) {
        Some(node) => write_header(&node)?,
        None => Header::default(),
    };
    let module = Written {
        header,
        inputs: fields.need(INPUTS)?.items(u32)?,
        outputs: fields.need(OUTPUTS)?.items(u32)?,
        graph: fields.need(GRAPH)?.items(write_node)?,
    };
    let bytes = tsm::to_vec(&module).map_err(|error| whole.wrong(describe(&error)))?;
    match Module::from_slice(&bytes) {
        Ok(_) => Ok(bytes),
        Err(error) => {
            let text = match error.path().is_empty() {
                true => error.kind().to_string(),
                false => format!("{} in {}", error.kind(), error.path()),
            };
            Err(whole.wrong(format!("this is not a module: {text}")))
        }
    }
}

fn write_header(node: &Node<'_>) -> Result<Header, Wrong> {
    let fields = node.fields()?;
    let mut header = Header::default();
    if let Some(fake) = fields.get(FAKE) {
        header.fake = u32(&fake)?;
    }
    if let Some(data) = fields.get(DATA) {
        let bytes = hex_of(&data)?;
        match header.data.get_mut(..bytes.len()) {
            Some(start) => start.copy_from_slice(&bytes),
            None => return Err(data.wrong("a header has 120 free bytes")),
        }
    }
    fields.finish()?;
    Ok(header)
}

fn write_node(node: &Node<'_>) -> Result<WrittenNode, Wrong> {
    let fields = node.fields()?;
    let bubble = fields.need(BUBBLE)?;
    let bubble = match bubble.shape() {
        Shape::Object => {
            let params = bubble.fields()?;
            let param = |(name, value): (&str, Node<'_>)| {
                Ok(WrittenParam { name: name.into(), value: write_packed(&value)? })
            };
            params.iter().map(param).collect::<Result<_, _>>()?
        }
        _ => bubble.items(|pair| {
            let name = |node: &Node<'_>| bytes_of(node, "a name");
            let (name, value) = pair.pair("a list of name and tensor", name, write_packed)?;
            Ok(WrittenParam { name, value })
        })?,
    };
    let inputs = fields.need(INPUTS)?.items(u32)?;
    fields.finish()?;
    Ok(WrittenNode { bubble, inputs })
}

fn write_packed(node: &Node<'_>) -> Result<PackedTensor<'static>, Wrong> {
    match node.shape() {
        Shape::List => node.items(write_tensor).map(PackedTensor::from),
        _ => write_tensor(node).map(PackedTensor::from),
    }
}

fn write_tensor(node: &Node<'_>) -> Result<tsm::Tensor<'static>, Wrong> {
    let refused = |error: tsm::Error| node.wrong(describe(&error));
    match node.shape() {
        Shape::Text => tsm::Tensor::text(&node.to_text()?).map_err(refused),
        Shape::Object => {
            let fields = node.fields()?;
            let name = fields.need(DTYPE)?;
            let text = name.to_text()?;
            let Some(dtype) = DType::ALL.iter().copied().find(|dtype| dtype.name() == text) else {
                return Err(name.expected("the name of a type, such as \"float32\""));
            };
            let size =
                |node: &Node<'_>| node.narrow(node.integer(i32::MIN.into(), i32::MAX.into())?);
            let shape: Vec<i32> = fields.need(SHAPE)?.items(size)?;
            let bytes = kind(dtype).bytes(&fields.need(DATA)?)?;
            fields.finish()?;
            tsm::Tensor::new(Prototype::new(dtype, shape), bytes).map_err(refused)
        }
        _ => Err(node.expected("a tensor: text, or an object of dtype, shape and data")),
    }
}
