//! ONNX models: their initializers, and the values of nodes `Constant`. Those of graphs in attributes have names
//! such as `if_1/then_branch/weight`.

mod check;
pub(crate) mod cost;
mod hash;
pub(crate) mod text;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;

use bytes::Bytes;
use fourfold_onnx::proto::{Graph, Model};
use fourfold_onnx::{Folder, Problem, Value};

use super::kind::{Errors, Output};
use super::name::Names;
use super::{
    Container, ContainerKind, DType, Order, Request, Role, Source, Stored, Tensor, Unread, Weights,
};
use crate::failure::Failure;
use crate::input::Input;

pub(super) struct Onnx;

impl ContainerKind for Onnx {
    fn name(&self) -> &'static str {
        "onnx"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["onnx"]
    }

    fn begins(&self, bytes: &[u8]) -> bool {
        begins(bytes)
    }

    fn is_written(&self) -> bool {
        false
    }

    fn stored(&self, dtype: DType) -> Option<Stored> {
        (!matches!(dtype, DType::Tsm(_))).then_some(dtype.as_it_is())
    }

    fn order(&self, _: &Tensor<'_>, _: &[usize]) -> Order {
        Order::RowMajor
    }

    fn read<'a>(&self, input: &'a Input) -> Result<Box<dyn Source + 'a>, String> {
        let (model, whole) = text::read(input)?;
        let mut reading = Reading {
            bytes: &input.bytes,
            whole,
            folder: input.path.as_deref().map(Folder::of),
            names: Names::default(),
            tensors: Vec::new(),
            unread: Vec::new(),
        };
        if let Some(graph) = &model.graph {
            reading.graph(graph, "");
        }
        let Reading { folder, tensors, unread, .. } = reading;
        Ok(Box::new(File { model, folder, tensors, unread }))
    }

    fn make<'a>(
        &self,
        _: &'a Weights<'_>,
        request: &Request<'a>,
    ) -> Result<Box<dyn Output + 'a>, Failure> {
        Err(request.refused("tensors are not written as ONNX; use safetensors or npz"))
    }
}

/// A model with its tensors.
struct File<'a> {
    model: Model,
    folder: Option<Folder>,
    tensors: Vec<Read<'a>>,
    unread: Vec<Unread>,
}

/// A tensor, and its elements if they are not in the bytes of the model.
struct Read<'a> {
    tensor: Tensor<'a>,
    elsewhere: Option<Bytes>,
}

impl Read<'_> {
    fn tensor(&self) -> Tensor<'_> {
        let tensor = self.tensor.borrowed();
        match &self.elsewhere {
            Some(bytes) => Tensor { bytes: Cow::Borrowed(bytes), ..tensor },
            None => tensor,
        }
    }
}

impl Source for File<'_> {
    fn container(&self) -> Container {
        Container::Onnx
    }

    fn weights(&self) -> Result<Weights<'_>, String> {
        let tensors = self.tensors.iter().map(Read::tensor).collect();
        let notes = self.model.metadata_props.iter().map(|it| (it.key.clone(), it.value.clone()));
        let notes: BTreeMap<String, String> = notes.collect();
        Ok(Weights { container: Container::Onnx, tensors, notes, unread: self.unread.clone() })
    }

    fn beside(&self) -> Vec<(PathBuf, Bytes)> {
        self.folder.as_ref().map(Folder::files).unwrap_or_default()
    }

    fn summary(&self) -> Vec<(&'static str, String)> {
        let mut rows = text::summary(&self.model);
        let total = self.model.graph.as_ref().and_then(cost::total).filter(|total| *total > 0);
        rows.extend(total.map(|total| ("multiply-adds", total.to_string())));
        rows
    }

    fn errors(&self) -> Errors {
        self.model.graph.as_ref().map(check::errors).unwrap_or_default()
    }

    fn texts(&self) -> Vec<(String, String)> {
        let rows = text::summary(&self.model).into_iter();
        let mut texts: Vec<_> = rows.map(|(name, text)| (name.to_owned(), text)).collect();
        for node in self.model.graph.iter().flat_map(|graph| &graph.node) {
            let attributes: Vec<String> =
                node.attribute.iter().map(text::attribute_to_compare).collect();
            let [inputs, outputs] = [&node.input, &node.output].map(|names| {
                names.iter().map(|it| text::shown(it.as_bytes())).collect::<Vec<_>>().join(", ")
            });
            let (operator, attributes) = (text::operator(node), attributes.join("; "));
            let text = format!("{outputs} = {operator}({inputs}) {attributes}");
            texts.push((format!("node.{}", text::node_name(node)), text));
        }
        texts
    }
}

/// Collects the tensors of graphs.
struct Reading<'a> {
    bytes: &'a [u8],
    /// The bytes that tensors share.
    whole: Bytes,
    folder: Option<Folder>,
    names: Names,
    tensors: Vec<Read<'a>>,
    unread: Vec<Unread>,
}

impl Reading<'_> {
    /// Adds those of a graph, with that prefix, and of the graphs in it. Readers limit how deep these are.
    fn graph(&mut self, graph: &Graph, prefix: &str) {
        for tensor in &graph.initializer {
            self.tensor(tensor, format!("{prefix}{}", tensor.name));
        }
        for tensor in &graph.sparse_initializer {
            let name = tensor.values.as_ref().map_or("", |values| values.name.as_str());
            let name = self.names.unique(format!("{prefix}{name}"));
            self.unread.push(Unread::new(name, "a sparse tensor", &hash::Of(tensor)));
        }
        for node in &graph.node {
            if let Some(Value::Tensor(value)) = text::constant(node) {
                self.tensor(value, format!("{prefix}{}", text::node_name(node)));
            }
            for (attribute, graph) in text::subgraphs(node) {
                // Each tensor inside has the whole prefix.
                let [node, attribute] = [text::node_name(node), &attribute.name].map(text::short);
                self.graph(graph, &format!("{prefix}{node}/{attribute}/"));
            }
        }
    }

    fn tensor(&mut self, tensor: &fourfold_onnx::Tensor, name: String) {
        let name = self.names.unique(name);
        match self.read(tensor) {
            Ok((dtype, shape, elements)) => {
                let (order, role) = (Order::RowMajor, Role::Weight);
                let inside = self.inside(&elements);
                let elsewhere = inside.is_none().then_some(elements);
                let bytes = Cow::Borrowed(inside.unwrap_or_default());
                let tensor = Tensor { name, dtype, shape, order, bytes, role };
                self.tensors.push(Read { tensor, elsewhere });
            }
            Err((reason, is_damaged)) => {
                let unread = Unread::new(name, reason, &hash::Of(tensor));
                self.unread.push(Unread { is_damaged, ..unread });
            }
        }
    }
}

impl<'a> Reading<'a> {
    /// The type, shape and elements of a tensor, or why it is not read, and whether that is damage.
    fn read(
        &self,
        tensor: &fourfold_onnx::Tensor,
    ) -> Result<(DType, Vec<usize>, Bytes), (String, bool)> {
        let reason = |error: fourfold_onnx::Error| match error {
            fourfold_onnx::Error::Tensor { problem, .. } => {
                (problem.to_string(), !matches!(problem, Problem::Strings))
            }
            error => (error.to_string(), true),
        };
        let elements = tensor.elements(self.folder.as_ref()).map_err(reason)?;
        let dtype = tensor.dtype().map_err(reason)?;
        let own = text::dtype(dtype);
        let dtype = own.ok_or_else(|| (format!("elements are {}", dtype.name()), false))?;
        let sizes = tensor.dims.iter().map(|size| usize::try_from(*size));
        let shape = sizes.collect::<Result<_, _>>().map_err(|error| (error.to_string(), true))?;
        Ok((dtype, shape, elements))
    }

    /// The same bytes in the file, if they are shared with it.
    fn inside(&self, elements: &Bytes) -> Option<&'a [u8]> {
        let start = elements.as_ptr().addr().checked_sub(self.whole.as_ptr().addr())?;
        self.bytes.get(start..start.checked_add(elements.len())?)
    }
}

/// Whether bytes begin like a model: its version is first, then other fields in any order, then the graph.
pub(crate) fn begins(bytes: &[u8]) -> bool {
    const VERSIONS: std::ops::RangeInclusive<u64> = 1..=32;
    const VARINT_FIELD_1: u64 = 1 << 3;
    let Some((VARINT_FIELD_1, rest)) = varint(bytes) else { return false };
    let Some((version, mut rest)) = varint(rest) else { return false };
    if !VERSIONS.contains(&version) {
        return false;
    }
    while let Some((key, after)) = varint(rest) {
        match (key >> 3, key & 7) {
            // The graph: its first field is a node, or its name.
            (7, 2) => {
                return varint(after).is_some_and(|(_, graph)| matches!(graph, [0x0a | 0x12, ..]));
            }
            (5, 0) => match varint(after) {
                Some((_, next)) => rest = next,
                None => return false,
            },
            (2..=4 | 6 | 8 | 14 | 20 | 25, 2) => {
                let next = varint(after).and_then(|(len, text)| {
                    let (field, next) = text.split_at_checked(usize::try_from(len).ok()?)?;
                    let is_text = !matches!(key >> 3, 2..=4) || std::str::from_utf8(field).is_ok();
                    is_text.then_some(next)
                });
                match next {
                    Some(next) => rest = next,
                    None => return false,
                }
            }
            _ => return false,
        }
    }
    false
}

/// A number of Protocol Buffers, and the bytes after it.
fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut number = 0;
    for (at, byte) in bytes.iter().enumerate().take(9) {
        number |= u64::from(byte & 0x7f) << (7 * at);
        if *byte < 0x80 {
            return Some((number, bytes.get(at + 1..)?));
        }
    }
    None
}
