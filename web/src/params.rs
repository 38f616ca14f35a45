//! The params of a box of a graph, and its constant inputs.

use std::collections::HashMap;

use fourfold::tsm::PackedTensor;
use fourfold_inspect::graph::picture::{Attribute, Card, Line, Source, Weight};
use fourfold_inspect::input::Input;
use fourfold_inspect::write::width::ends;
use serde::Serialize;

use crate::file::File;
use crate::tensors;

/// Number of columns shown of a text.
pub(crate) const COLUMNS: usize = 400;

/// Tensors up to this number of elements need no statistics.
const FEW: usize = 8;

/// A text, and whether it has words of the library, which the page translates.
#[derive(Debug, Serialize)]
pub(crate) struct Text {
    text: String,
    is_own: bool,
}

impl From<&Line> for Text {
    fn from(line: &Line) -> Self {
        let is_own = line.source == Source::Library;
        Text { text: ends(&line.text, COLUMNS).into_owned(), is_own }
    }
}

/// A param, or the value of a constant input.
#[derive(Debug, Serialize)]
pub(crate) struct Param {
    name: String,
    what: Text,
    /// The offsets of its larger tensors' elements in the file.
    offsets: Vec<usize>,
}

/// The attributes and constant inputs of a box of an ONNX model: their types and values. Tensors of a graph in an
/// attribute have its path before their names.
pub(crate) fn params_of(card: &Card, path: Option<&str>, file: &File, input: &Input) -> Vec<Param> {
    let attributes = card.attributes.iter().map(|Attribute { name, ty, value, .. }| {
        let space = if ty.is_empty() { "" } else { " " };
        let text = format!("{ty}{space}{}", value.text);
        (name, Line { text, source: value.source }, None)
    });
    let is_large = |weight: &&Weight| !usize::try_from(weight.elements).is_ok_and(|it| it <= FEW);
    let places = match card.weights.iter().find(is_large) {
        Some(_) => tensors::places(file, input),
        None => HashMap::new(),
    };
    let inside = path.map(|path| format!("{path}/")).unwrap_or_default();
    // A constant is of the drawn graph, or of one around it.
    let prefixes: Vec<&str> =
        inside.rmatch_indices('/').filter_map(|(at, _)| inside.get(..=at)).chain([""]).collect();
    let place = |name: &str| {
        prefixes.iter().find_map(|prefix| places.get(&format!("{prefix}{name}"))).copied()
    };
    let weights = card.weights.iter().map(|weight| {
        let value = weight.value.as_ref().map(|value| format!(" = {value}")).unwrap_or_default();
        let text = format!("{}{value}", weight.shape);
        let offset = Some(weight).filter(is_large).and_then(|weight| place(&weight.name));
        (&weight.name, Line { text, source: Source::File }, offset)
    });
    let params = attributes.chain(weights).map(|(name, what, offset)| Param {
        name: ends(name, COLUMNS).into_owned(),
        what: Text::from(&what),
        offsets: offset.into_iter().collect(),
    });
    params.collect()
}

/// A param of a module, or the value of a constant input.
pub(crate) fn param(file: &File, name: String, what: &Line, value: &PackedTensor<'_>) -> Param {
    let larger = value.fields.iter().filter(|tensor| tensor.count() > FEW);
    let offsets = larger.filter_map(|tensor| file.buffer.offset_of(tensor.bytes()));
    Param { name, what: Text::from(what), offsets: offsets.collect() }
}
