//! Modules of TenniS and its tensor files: row-major, little-endian.
//!
//! The value of a `<const>` is a weight and has the name of its node. All other params are
//! attributes, `node/param`; fields behind the first are `node/param[1]`.

use std::borrow::Cow;
use std::io;

use fourfold::tsm::{self, File, Module, PackedTensor, Prototype};

use super::name::{Names, escaped};
use super::{DType, ONLY, Order, Role, Tensor, Weights, matched};

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

/// Whether bytes are a tensor file, from the first to the last.
pub(super) fn is_packed(bytes: &[u8]) -> bool {
    PackedTensor::from_slice(bytes).is_ok_and(|packed| !packed.fields.is_empty())
}

/// What such a file holds.
#[derive(Debug)]
pub(crate) struct Document<'a>(pub(crate) File<'a>);

impl<'a> Document<'a> {
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Self, String> {
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

    pub(crate) fn write(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        Ok(tsm::to_writer(writer, &self.0)?)
    }

    /// All tensors but ops and names, in the order of the file.
    pub(crate) fn tensors(&self) -> Vec<Tensor<'_>> {
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
    pub(crate) fn put_back(&mut self, given: &'a Weights<'_>) -> Result<(), String> {
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

/// What the param of a node of that name is called, as text.
pub(crate) fn param_name(node: &str, param: &tsm::Param<'_>) -> String {
    format!("{node}/{}", escaped(param.name(), &[]))
}

/// What the node is called, as text.
pub(crate) fn node_name(node: &tsm::Node<'_>) -> String {
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
pub(crate) fn packed<'a>(weights: &'a Weights<'_>) -> Result<Document<'a>, String> {
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
