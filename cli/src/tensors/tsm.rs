//! Modules of TenniS and its tensor files: row-major, little-endian.
//!
//! The value of a `<const>` is a weight and has the name of its node. All other params are
//! attributes, `node/param`; fields behind the first are `node/param[1]`.

use std::borrow::Cow;
use std::io;

use fourfold::tsm::{self, File, Module, PackedTensor, Prototype};

use super::kind::Made;
use super::name::{Names, escaped};
use super::{
    Asked, Container, ContainerKind, DType, ONLY, Order, Role, Source, Stored, Tensor, Weights,
    WriteSeek, matched,
};
use crate::failure::Failure;
use crate::write::hex;
use crate::write::plain::plain_bytes;

/// The params that say what a node is, not what it holds.
const IDENTITY: [&[u8]; 2] = [b"#op", b"#name"];

/// Which of those a node has had.
#[derive(Default)]
struct Seen([bool; 2]);

impl Seen {
    /// How many fields of the next param are no tensor of their own: TenniS takes the first field
    /// of the first param of that name.
    fn skipped(&mut self, name: &[u8]) -> usize {
        let mut pairs = IDENTITY.iter().zip(&mut self.0);
        match pairs.find(|(identity, _)| **identity == name) {
            Some((_, seen)) => usize::from(!std::mem::replace(seen, true)),
            None => 0,
        }
    }
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

    /// A tensor file has no first sign of its own: the whole file has to make sense.
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

    fn read<'a>(&self, bytes: &'a [u8]) -> Result<Box<dyn Source + 'a>, String> {
        Ok(Box::new(Document::read(bytes)?))
    }

    fn make<'a>(
        &self,
        weights: &'a Weights<'_>,
        asked: &Asked<'a>,
    ) -> Result<Box<dyn Made + 'a>, Failure> {
        let Some(original) = asked.original else {
            if asked.extension == Some("tsm") {
                let text = "a module is more than its weights: --like names the one to fill";
                return Err(Failure::Usage(text.into()));
            }
            return Ok(Box::new(packed(weights).map_err(|text| asked.refused(text))?));
        };
        let document = Document::read(&original.bytes);
        let mut document = document.map_err(|text| Failure::data(&original.name, text))?;
        document.put_back(weights).map_err(|text| asked.refused(text))?;
        Ok(Box::new(document))
    }
}

/// What such a file holds.
#[derive(Debug)]
struct Document<'a>(File<'a>);

impl Source for Document<'_> {
    fn container(&self) -> Container {
        Container::Tsm
    }

    fn weights(&self) -> Result<Weights<'_>, String> {
        Ok(Weights::new(Container::Tsm, self.tensors()))
    }

    fn texts(&self) -> Vec<(String, String)> {
        match &self.0 {
            File::Module(module) => texts(module),
            File::Tensor(_) => Vec::new(),
        }
    }
}

impl Made for Document<'_> {
    fn write(&self, out: &mut dyn WriteSeek) -> io::Result<()> {
        Ok(tsm::to_writer(out, &self.0)?)
    }
}

impl<'a> Document<'a> {
    fn read(bytes: &'a [u8]) -> Result<Self, String> {
        match File::from_slice(bytes) {
            // What holds no tensors is named by what a module lacks.
            Ok(File::Tensor(packed)) if packed.fields.is_empty() => {
                Module::from_slice(bytes).map(File::Module)
            }
            Err(_) => Module::from_slice(bytes).map(File::Module),
            read => read,
        }
        .map(Document)
        .map_err(|error| error.to_string())
    }

    /// All tensors but ops and names, in the order of the file.
    fn tensors(&self) -> Vec<Tensor<'_>> {
        let mut names = Names::default();
        match &self.0 {
            File::Tensor(packed) => {
                let field = |(at, tensor)| named(field_name(ONLY, at), tensor, Role::Weight);
                packed.fields.iter().enumerate().map(field).collect()
            }
            File::Module(module) => {
                let mut tensors = Vec::new();
                for node in &module.graph.nodes {
                    let name = node_name(node);
                    let mut value = node.is_const();
                    let mut seen = Seen::default();
                    for param in &node.bubble.params {
                        let skipped = seen.skipped(param.name());
                        let is_value = param.name() == b"value" && std::mem::take(&mut value);
                        let (base, role) = match is_value {
                            true => (name.clone(), Role::Weight),
                            false => (param_name(&name, param), Role::Attribute),
                        };
                        for (at, field) in param.value.fields.iter().enumerate().skip(skipped) {
                            let name = names.unique(field_name(&base, at));
                            tensors.push(named(name, field, role));
                        }
                    }
                }
                tensors
            }
        }
    }

    /// The places of those tensors, in the same order.
    fn places(&mut self) -> Vec<&mut tsm::Tensor<'a>> {
        match &mut self.0 {
            File::Tensor(packed) => packed.fields.iter_mut().collect(),
            File::Module(module) => {
                let mut places = Vec::new();
                for node in &mut module.graph.nodes {
                    let mut seen = Seen::default();
                    for param in &mut node.bubble.params {
                        let skipped = seen.skipped(param.name());
                        places.extend(param.value.fields.iter_mut().skip(skipped));
                    }
                }
                places
            }
        }
    }

    /// Puts tensors into their places: by name, of the same type and shape, none left over.
    fn put_back(&mut self, given: &'a Weights<'_>) -> Result<(), String> {
        let changed: Vec<_> = matched(&self.tensors(), given)?
            .into_iter()
            .map(|found| found.map(|tensor| tensor.in_order(Order::RowMajor)))
            .collect();
        for (place, bytes) in self.places().into_iter().zip(changed) {
            if let Some(bytes) = bytes {
                let tensor = tsm::Tensor::new(place.prototype(), bytes);
                *place = tensor.map_err(|error| error.to_string())?;
            }
        }
        Ok(())
    }
}

/// What a module says beside its tensors. Nodes go by name: where they stand plays no role.
fn texts(module: &Module<'_>) -> Vec<(String, String)> {
    let mut texts = Vec::new();
    let mut text = |path: String, text: String| texts.push((path, text));
    if module.header.fake != 0 {
        text("header.fake".into(), format!("{:#x}", module.header.fake));
    }
    if let Some(last) = module.header.data.iter().rposition(|byte| *byte != 0) {
        let data = module.header.data.get(..=last).unwrap_or(&module.header.data);
        text("header.data".into(), hex::digits(data));
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

/// What the param of a node of that name is called, as text.
fn param_name(node: &str, param: &tsm::Param<'_>) -> String {
    format!("{node}/{}", escaped(param.name(), &[]))
}

/// What the node is called, as text.
fn node_name(node: &tsm::Node<'_>) -> String {
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

/// Makes a tensor file: of one tensor, or of those that a tensor file's fields are called.
fn packed<'a>(weights: &'a Weights<'_>) -> Result<Document<'a>, String> {
    let mut tensors: Vec<&Tensor<'_>> = Vec::new();
    for at in 0..weights.tensors.len() {
        let wanted = field_name(ONLY, at);
        tensors.extend(weights.tensors.iter().find(|tensor| tensor.name == wanted));
    }
    if let [only] = weights.tensors.as_slice() {
        tensors = vec![only];
    }
    if tensors.is_empty() || tensors.len() < weights.tensors.len() {
        return Err(format!(
            "{} tensors with names of their own: a tensor file holds one, or `{ONLY}`, \
             `{ONLY}[1]` and so on; a module needs --like",
            weights.tensors.len(),
        ));
    }
    let field = |tensor: &&'a Tensor<'_>| {
        let within = |text: String| format!("{text} in {}", tensor.name);
        let missing = || within(format!("{} has no place in tsm", tensor.dtype));
        let dtype = tensor.dtype.to_tsm().ok_or_else(missing)?;
        let shape = tensor.shape.iter().map(|size| i32::try_from(*size));
        let shape: Result<Vec<i32>, _> = shape.collect();
        let shape = shape.map_err(|_| within("a size beyond 2,147,483,647".into()))?;
        let made = tsm::Tensor::new(Prototype::new(dtype, shape), tensor.in_order(Order::RowMajor));
        made.map_err(|error| within(error.to_string()))
    };
    let fields: Result<Vec<_>, String> = tensors.iter().map(field).collect();
    Ok(Document(File::Tensor(PackedTensor::from(fields?))))
}
