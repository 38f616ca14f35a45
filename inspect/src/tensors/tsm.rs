//! Modules of TenniS and its tensor files: row-major, little-endian.
//!
//! The value of a `<const>` is a weight with the name of its node. All other params are attributes, `node/param`;
//! fields after the first are `node/param[1]`.

use std::borrow::Cow;
use std::io;
use std::ptr;

use fourfold::tsm::{self, File, Header, Module, Node, PackedTensor, Param, Prototype};

use super::kind::Output;
use super::name::{Names, escaped};
use super::{
    Container, ContainerKind, DType, ONLY, Order, Request, Role, Source, Stored, Tensor, Weights,
    WriteSeek, matched,
};
use crate::failure::{Failure, describe};
use crate::hints::{hints, with_hint};
use crate::input::Input;
use crate::write::hex;
use crate::write::plain::plain_bytes;

/// Reads a file. If neither reader recognises it, the error has the messages of both.
pub(crate) fn read(bytes: &[u8]) -> Result<File<'_>, String> {
    File::from_slice(bytes).map_err(|error| {
        let error = describe(&error);
        match Module::from_slice(bytes).map_err(|error| describe(&error)) {
            Err(module) if module != error => {
                format!("neither a module ({module}) nor a packed tensor ({error})")
            }
            _ => error,
        }
    })
}

/// The free bytes of a header as hexadecimal digits, without trailing zeros.
pub(crate) fn data_in_use(header: &Header) -> Option<String> {
    let last = header.data.iter().rposition(|byte| *byte != 0)?;
    header.data.get(..=last).map(hex::digits)
}

/// The weight of a node: the value of a `<const>`.
pub fn weight<'n, 'a>(node: &'n Node<'a>) -> Option<&'n PackedTensor<'a>> {
    node.value().filter(|_| node.is_const())
}

/// The params of a node, and whether each is its [`weight`]: of equal names, TenniS uses the first.
pub fn params<'n, 'a>(
    node: &'n Node<'a>,
) -> impl Iterator<Item = (&'n Param<'a>, bool)> + use<'n, 'a> {
    let weight = weight(node);
    let is_weight = move |param: &Param<'_>| weight.is_some_and(|it| ptr::eq(it, &param.value));
    node.bubble.params.iter().map(move |param| (param, is_weight(param)))
}

/// The tensors that identify a node and are not content: of each, TenniS uses the first.
fn identity<'a>(node: &Node<'a>) -> [Option<*const tsm::Tensor<'a>>; 2] {
    ["#op", "#name"].map(|name| node.bubble.tensor(name).map(ptr::from_ref))
}

pub(super) struct Tsm;

impl ContainerKind for Tsm {
    fn name(&self) -> &'static str {
        "tsm"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["tsm", "t"]
    }

    fn is_plain(&self) -> bool {
        false
    }

    fn begins(&self, bytes: &[u8]) -> bool {
        File::is_module(bytes)
    }

    /// A tensor file has no signature, so the whole file is checked.
    fn is_whole(&self, bytes: &[u8]) -> bool {
        PackedTensor::from_slice(bytes).is_ok_and(|packed| !packed.fields.is_empty())
    }

    fn stored(&self, dtype: DType) -> Option<Stored> {
        dtype.to_tsm().map(|_| dtype.as_it_is())
    }

    fn order(&self, _: &Tensor<'_>, _: &[usize]) -> Order {
        Order::RowMajor
    }

    fn takes_original(&self) -> bool {
        true
    }

    fn read<'a>(&self, input: &'a Input) -> Result<Box<dyn Source + 'a>, String> {
        let bytes = &input.bytes;
        Ok(Box::new(read(bytes)?))
    }

    fn make<'a>(
        &self,
        weights: &'a Weights<'_>,
        request: &Request<'a>,
    ) -> Result<Box<dyn Output + 'a>, Failure> {
        let Some(original) = request.original else {
            if request.extension == Some("tsm") {
                let text = "a module consists of more than weights";
                return Err(Failure::Usage(with_hint(text, hints().original)));
            }
            return Ok(Box::new(packed(weights).map_err(|text| request.refused(text))?));
        };
        let file = read(&original.bytes);
        let mut file = file.map_err(|text| Failure::data(&original.name, text))?;
        put_back(&mut file, weights).map_err(|text| request.refused(text))?;
        Ok(Box::new(file))
    }
}

impl Source for File<'_> {
    fn container(&self) -> Container {
        Container::Tsm
    }

    fn weights(&self) -> Result<Weights<'_>, String> {
        match self {
            File::Tensor(packed) if packed.fields.is_empty() => {
                Err("a packed tensor without fields contains no tensors".into())
            }
            _ => Ok(Weights::new(Container::Tsm, tensors(self))),
        }
    }

    fn texts(&self) -> Vec<(String, String)> {
        match self {
            File::Module(module) => texts(module),
            File::Tensor(_) => Vec::new(),
        }
    }
}

impl Output for File<'_> {
    fn write(&self, out: &mut dyn WriteSeek) -> io::Result<()> {
        Ok(tsm::to_writer(out, self)?)
    }
}

/// All tensors except for ops and names, in the order of the file.
fn tensors<'f>(file: &'f File<'_>) -> Vec<Tensor<'f>> {
    let nodes = match file {
        File::Tensor(packed) => {
            let field = |(at, tensor)| named(field_name(ONLY, at), tensor, Role::Weight);
            return packed.fields.iter().enumerate().map(field).collect();
        }
        File::Module(module) => &module.graph.nodes,
    };
    let (mut names, mut tensors) = (Names::default(), Vec::new());
    for node in nodes {
        let (name, identity) = (node_name(node), identity(node));
        for (param, is_weight) in params(node) {
            let (base, role) = match is_weight {
                true => (name.clone(), Role::Weight),
                false => (param_name(&name, param), Role::Attribute),
            };
            for (at, field) in param.value.fields.iter().enumerate() {
                if !identity.contains(&Some(ptr::from_ref(field))) {
                    tensors.push(named(names.unique(field_name(&base, at)), field, role));
                }
            }
        }
    }
    tensors
}

/// Mutable references to those tensors, in the same order.
fn places<'f, 'a>(file: &'f mut File<'a>) -> Vec<&'f mut tsm::Tensor<'a>> {
    match file {
        File::Tensor(packed) => packed.fields.iter_mut().collect(),
        File::Module(module) => {
            let mut places = Vec::new();
            for node in &mut module.graph.nodes {
                let identity = identity(node);
                let params = node.bubble.params.iter_mut();
                let fields = params.flat_map(|param| &mut param.value.fields);
                places.extend(fields.filter(|field| !identity.contains(&Some(&raw const **field))));
            }
            places
        }
    }
}

/// Replaces tensors: by name, with the same type and shape, all of them.
///
/// # Errors
///
/// A text that lists tensors that are missing, unknown, or of another type or shape.
pub fn put_back<'a>(file: &mut File<'a>, weights: &'a Weights<'_>) -> Result<(), String> {
    let changed: Vec<_> = matched(&tensors(file), weights)?
        .into_iter()
        .map(|found| found.map(|tensor| tensor.in_order(Order::RowMajor)))
        .collect();
    for (place, bytes) in places(file).into_iter().zip(changed) {
        if let Some(bytes) = bytes {
            let tensor = tsm::Tensor::new(place.prototype(), bytes);
            *place = tensor.map_err(|error| describe(&error))?;
        }
    }
    Ok(())
}

/// The texts of a module other than tensors. Nodes are identified by name, so their positions do not matter.
fn texts(module: &Module<'_>) -> Vec<(String, String)> {
    let mut texts = Vec::new();
    let mut text = |path: String, text: String| texts.push((path, text));
    if module.header.fake != 0 {
        text("header.fake".into(), format!("{:#x}", module.header.fake));
    }
    if let Some(data) = data_in_use(&module.header) {
        text("header.data".into(), data);
    }
    let mut used = Names::default();
    let nodes = module.graph.nodes.iter();
    let names: Vec<String> = nodes.map(|node| used.unique(node_name(node))).collect();
    let listed = |indices: &[u32]| {
        let name = |index: &u32| {
            let name = usize::try_from(*index).ok().and_then(|index| names.get(index));
            name.map_or_else(|| index.to_string(), Clone::clone)
        };
        format!("[{}]", indices.iter().map(name).collect::<Vec<_>>().join(", "))
    };
    text("inputs".into(), listed(&module.inputs));
    text("outputs".into(), listed(&module.outputs));
    for (node, name) in module.graph.nodes.iter().zip(&names) {
        let op = plain_bytes(node.op_bytes().unwrap_or_default());
        text(format!("{name}/#op"), format!("\"{op}\""));
        text(format!("{name}/#inputs"), listed(&node.inputs));
        for param in node.bubble.params.iter().filter(|param| param.value.fields.is_empty()) {
            text(param_name(name, param), "no fields".into());
        }
    }
    texts
}

/// The name of a node's param, as text.
fn param_name(node: &str, param: &Param<'_>) -> String {
    format!("{node}/{}", escaped(param.name(), &[]))
}

/// The name of a node, as text.
fn node_name(node: &Node<'_>) -> String {
    escaped(node.name_bytes().unwrap_or_default(), &[])
}

fn field_name(base: &str, at: usize) -> String {
    match at {
        0 => base.to_owned(),
        _ => format!("{base}[{at}]"),
    }
}

fn named<'a>(name: String, tensor: &'a tsm::Tensor<'_>, role: Role) -> Tensor<'a> {
    Tensor {
        name,
        dtype: DType::of_tsm(tensor.dtype()),
        shape: tensor.shape().iter().map(|size| usize::try_from(*size).unwrap_or(0)).collect(),
        order: Order::RowMajor,
        bytes: Cow::Borrowed(tensor.bytes()),
        role,
    }
}

/// Makes a tensor file: of one tensor, or of tensors with the names of a tensor file's fields.
fn packed<'a>(weights: &'a Weights<'_>) -> Result<File<'a>, String> {
    let mut tensors: Vec<&Tensor<'_>> = Vec::new();
    for at in 0..weights.tensors.len() {
        let wanted = field_name(ONLY, at);
        tensors.extend(weights.tensors.iter().find(|tensor| tensor.name == wanted));
    }
    if let [only] = weights.tensors.as_slice() {
        tensors = vec![only];
    }
    if tensors.is_empty() || tensors.len() < weights.tensors.len() {
        let text = format!(
            "{} tensors with names of their own: a tensor file holds one, or `{ONLY}`, \
             `{ONLY}[1]` and so on",
            weights.tensors.len(),
        );
        return Err(with_hint(text, hints().original));
    }
    let field = |tensor: &&'a Tensor<'_>| {
        let within = |text: String| format!("{text} in {}", tensor.name);
        let missing = || within(format!("{} cannot be stored in tsm", tensor.dtype));
        let dtype = tensor.dtype.to_tsm().ok_or_else(missing)?;
        let shape = tensor.shape.iter().map(|size| i32::try_from(*size));
        let shape: Result<Vec<i32>, _> = shape.collect();
        let shape = shape.map_err(|_| within("a size larger than 2,147,483,647".into()))?;
        let made = tsm::Tensor::new(Prototype::new(dtype, shape), tensor.in_order(Order::RowMajor));
        made.map_err(|error| within(describe(&error)))
    };
    let fields: Result<Vec<_>, String> = tensors.iter().map(field).collect();
    Ok(File::Tensor(PackedTensor::from(fields?)))
}
