//! Files that hold tensors, as rows of parts by path: tensors, and what else the format has.

use std::collections::{HashMap, HashSet};

use fourfold::primitiv::{self, Data};
use fourfold::tsm::{self, Module};

use super::difference::{Change, Difference};
use super::numbers;
use crate::tensors::tsm::{node_name, param_name};
use crate::tensors::{Container, DType, Names, ONLY, Role, Source, Tensor, Weights, are_alone};
use crate::write::hex;
use crate::write::plain::plain_bytes;

/// A file as the row of its parts.
#[derive(Debug)]
pub(super) struct Document<'a> {
    container: Container,
    parts: Vec<(String, Part<'a>)>,
}

#[derive(Debug)]
enum Part<'a> {
    Text(String),
    Tensor(Tensor<'a>),
}

impl std::fmt::Display for Part<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Part::Text(text) => f.write_str(text),
            Part::Tensor(tensor) => tensor.fmt(f),
        }
    }
}

/// One of the two files.
#[derive(Clone, Copy, Debug)]
pub(super) enum Side {
    Old,
    New,
}

impl<'a> Document<'a> {
    /// Two files, as far as both formats can hold it.
    ///
    /// # Errors
    ///
    /// A text, and which file it is about.
    pub(super) fn pair(
        old: &'a Source<'_>,
        new: &'a Source<'_>,
    ) -> Result<(Self, Self), (Side, String)> {
        let alike = old.container_of() == new.container_of();
        if alike {
            let (old, new) = (Document::whole(old), Document::whole(new));
            return Ok((old, new));
        }
        let mut old_weights = old.weights().map_err(|text| (Side::Old, text))?;
        let mut new_weights = new.weights().map_err(|text| (Side::New, text))?;
        // Attributes belong to a graph: other files hold them only if they were asked to.
        keep_known(&mut old_weights, &new_weights);
        keep_known(&mut new_weights, &old_weights);
        if let ([one], [two]) = (&mut *old_weights.tensors, &mut *new_weights.tensors) {
            if are_alone(one, two) {
                let named = if one.name == ONLY { &two.name } else { &one.name }.clone();
                (one.name, two.name) = (named.clone(), named);
            }
        }
        Ok((Document::of_weights(old_weights), Document::of_weights(new_weights)))
    }

    fn of_weights(weights: Weights<'a>) -> Self {
        let container = weights.container;
        let tensors = weights.tensors.into_iter();
        let parts = tensors.map(|tensor| (tensor.name.clone(), Part::Tensor(tensor)));
        Document::of_parts(container, parts)
    }

    /// Gives each part a path of its own: what a file has twice is compared in the order in which
    /// it comes.
    fn of_parts(container: Container, parts: impl IntoIterator<Item = (String, Part<'a>)>) -> Self {
        let mut paths = Names::default();
        let parts = parts.into_iter().map(|(path, part)| (paths.unique(path), part));
        Document { container, parts: parts.collect() }
    }

    /// Everything that a file says.
    fn whole(source: &'a Source<'_>) -> Self {
        let mut parts = Vec::new();
        match source {
            Source::Tsm(crate::tensors::tsm::Document(fourfold::tsm::File::Module(module))) => {
                of_module(module, &mut parts);
            }
            Source::Primitiv(file) => of_file(file, &mut parts),
            Source::Plain(weights) => {
                let note = |(key, text): (&String, &String)| {
                    (format!("__metadata__.{key}"), Part::Text(text.clone()))
                };
                parts.extend(weights.notes.iter().map(note));
            }
            Source::Tsm(_) => {}
        }
        // A file without tensors has said all.
        if let Ok(weights) = source.weights() {
            let is_graph = !parts.is_empty();
            let tensors = weights.tensors.into_iter();
            parts.extend(tensors.map(|tensor| {
                let text = is_graph.then(|| as_text(&tensor)).flatten();
                let path = tensor.name.clone();
                (path, text.unwrap_or(Part::Tensor(tensor)))
            }));
        }
        Document::of_parts(source.container_of(), parts)
    }
}

/// Leaves out the attributes that the other file has not.
fn keep_known(weights: &mut Weights<'_>, other: &Weights<'_>) {
    let known: HashSet<&str> = other.tensors.iter().map(|tensor| tensor.name.as_str()).collect();
    weights
        .tensors
        .retain(|tensor| tensor.role != Role::Attribute || known.contains(tensor.name.as_str()));
}

/// What an attribute says, if it is text.
fn as_text<'a>(tensor: &Tensor<'_>) -> Option<Part<'a>> {
    let is_text = tensor.role == Role::Attribute
        && tensor.dtype == DType::Tsm(tsm::DType::Char8)
        && tensor.shape.len() == 1;
    let text = std::str::from_utf8(&tensor.bytes).ok().filter(|_| is_text)?;
    Some(Part::Text(format!("{text:?}")))
}

/// What a module says beside its tensors. Nodes go by name: where they stand plays no role.
fn of_module<'a>(module: &Module<'_>, parts: &mut Vec<(String, Part<'a>)>) {
    let mut text = |path: String, text: String| parts.push((path, Part::Text(text)));
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
}

/// What a file of primitiv says beside its tensors.
fn of_file<'a>(file: &primitiv::File<'_>, parts: &mut Vec<(String, Part<'a>)>) {
    let mut text = |path: String, text: String| parts.push((path, Part::Text(text)));
    text("data_type".into(), file.data.data_type().to_string());
    match &file.data {
        Data::Shape(shape) => text("shape".into(), shape.to_string()),
        Data::Optimizer(optimizer) => {
            let mut seen = HashSet::new();
            for (name, value) in optimizer.uint_configs.entries() {
                if seen.insert(name.as_bytes()) {
                    text(format!("uint_configs.{name}"), value.to_string());
                }
            }
            let mut seen = HashSet::new();
            for (name, value) in optimizer.float_configs.entries() {
                if seen.insert(name.as_bytes()) {
                    text(format!("float_configs.{name}"), format!("{value:?}"));
                }
            }
        }
        Data::Tensor(_) | Data::Parameter(_) | Data::Model(_) => {}
    }
}

/// The differences, in the order of the old file; what is new comes last.
pub(super) fn compare(
    old: &Document<'_>,
    new: &Document<'_>,
    tolerance: Option<f64>,
) -> Vec<Difference> {
    let by_path: HashMap<&str, &Part<'_>> =
        new.parts.iter().map(|(path, part)| (path.as_str(), part)).collect();
    let mut known = HashSet::new();
    let mut differences = Vec::new();
    for (path, part) in &old.parts {
        known.insert(path.as_str());
        match (part, by_path.get(path.as_str())) {
            (part, None) => differences.push(Difference::removed(path, part)),
            (Part::Tensor(one), Some(Part::Tensor(two))) => {
                let alike = one.fits(two, new.container) || two.fits(one, old.container);
                if !alike {
                    differences.push(Difference::changed(path, one, two));
                } else if let Some(apart) = elements(one, two, tolerance) {
                    let change = Change::Elements { what: one.to_string(), apart };
                    differences.push(Difference { path: path.clone(), change });
                }
            }
            (Part::Text(one), Some(Part::Text(two))) => {
                if one != two && !within(one, two, tolerance) {
                    differences.push(Difference::changed(path, one, two));
                }
            }
            (one, Some(two)) => differences.push(Difference::changed(path, one, two)),
        }
    }
    let added = new.parts.iter().filter(|(path, _)| !known.contains(path.as_str()));
    differences.extend(added.map(|(path, part)| Difference::added(path, part)));
    differences
}

/// Compares elements in the type and shape that both can be looked at in.
fn elements(one: &Tensor<'_>, two: &Tensor<'_>, tolerance: Option<f64>) -> Option<numbers::Apart> {
    // The one with more axes holds the numbers that elements of the other are made of.
    match one.shape.len() >= two.shape.len() {
        true => numbers::compare(one, two, tolerance),
        false => numbers::compare(two, one, tolerance).map(numbers::Apart::reversed),
    }
}

/// Whether two texts are floats, and near enough.
fn within(one: &str, two: &str, tolerance: Option<f64>) -> bool {
    let (Ok(one), Ok(two)) = (one.parse(), two.parse()) else { return false };
    numbers::are_same(one, two, tolerance)
}
