//! Compares files of tensors: tensors by name, and other content by path.

use std::collections::{HashMap, HashSet};

use fourfold::tsm;

use super::difference::{Change, Difference};
use super::numbers;
use crate::tensors::{Container, DType, Names, ONLY, Role, Source, Tensor, Weights, are_alone};

/// A file as a list of parts with paths.
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
    /// The parts of two files, limited to what both formats can hold.
    ///
    /// # Errors
    ///
    /// A message, and the file that it is about.
    pub(super) fn pair(
        old: &'a dyn Source,
        new: &'a dyn Source,
    ) -> Result<(Self, Self), (Side, String)> {
        let alike = old.container() == new.container();
        if alike {
            let (old, new) = (Document::whole(old), Document::whole(new));
            return Ok((old, new));
        }
        let mut old_weights = old.weights().map_err(|text| (Side::Old, text))?;
        let mut new_weights = new.weights().map_err(|text| (Side::New, text))?;
        // Attributes belong to a graph: other files hold them only if they were converted with `--all`.
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
        let unread: Vec<_> = unread(&weights).collect();
        let tensors = weights.tensors.into_iter();
        let parts = tensors.map(|tensor| (tensor.name.clone(), Part::Tensor(tensor)));
        Document::of_parts(container, parts.chain(unread))
    }

    /// Makes the paths unique. Parts with equal paths are compared in the order of the file.
    fn of_parts(container: Container, parts: impl IntoIterator<Item = (String, Part<'a>)>) -> Self {
        let mut paths = Names::default();
        let parts = parts.into_iter().map(|(path, part)| (paths.unique(path), part));
        Document { container, parts: parts.collect() }
    }

    /// All content of a file.
    fn whole(source: &'a dyn Source) -> Self {
        let texts = source.texts().into_iter();
        let mut parts: Vec<_> = texts.map(|(path, text)| (path, Part::Text(text))).collect();
        // A file without tensors has only texts.
        if let Ok(weights) = source.weights() {
            let is_graph = !parts.is_empty();
            parts.extend(unread(&weights));
            let tensors = weights.tensors.into_iter();
            parts.extend(tensors.map(|tensor| {
                let text = is_graph.then(|| as_text(&tensor)).flatten();
                let path = tensor.name.clone();
                (path, text.unwrap_or(Part::Tensor(tensor)))
            }));
        }
        Document::of_parts(source.container(), parts)
    }
}

/// The tensors that cannot be read, so that a difference in them is not lost.
fn unread<'a>(weights: &Weights<'_>) -> impl Iterator<Item = (String, Part<'a>)> {
    weights.unread.iter().map(|it| (it.name.clone(), Part::Text(it.text())))
}

/// Removes the attributes that the other file does not have.
fn keep_known(weights: &mut Weights<'_>, other: &Weights<'_>) {
    let known: HashSet<&str> = other.tensors.iter().map(|tensor| tensor.name.as_str()).collect();
    weights
        .tensors
        .retain(|tensor| tensor.role != Role::Attribute || known.contains(tensor.name.as_str()));
}

/// The text of an attribute, if it is text.
fn as_text<'a>(tensor: &Tensor<'_>) -> Option<Part<'a>> {
    let is_text = tensor.role == Role::Attribute
        && tensor.dtype == DType::Tsm(tsm::DType::Char8)
        && tensor.shape.len() == 1;
    let text = std::str::from_utf8(&tensor.bytes).ok().filter(|_| is_text)?;
    Some(Part::Text(format!("{text:?}")))
}

/// The differences, in the order of the old file; added parts come last.
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

/// Compares the elements of two tensors that fit each other, as numbers of one type.
fn elements(one: &Tensor<'_>, two: &Tensor<'_>, tolerance: Option<f64>) -> Option<numbers::Apart> {
    // The tensor with more axes stores each element of the other as several numbers.
    match one.shape.len() >= two.shape.len() {
        true => numbers::compare(one, two, tolerance),
        false => numbers::compare(two, one, tolerance).map(numbers::Apart::reversed),
    }
}

/// Whether two texts are floats that count as equal.
fn within(one: &str, two: &str, tolerance: Option<f64>) -> bool {
    let (Ok(one), Ok(two)) = (one.parse(), two.parse()) else { return false };
    numbers::are_same(one, two, tolerance)
}
