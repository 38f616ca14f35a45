//! The picture of a module of tsm.

use fourfold::tsm::{Module, Node, PackedTensor};

use super::attributes;
use super::family::Family;
use super::picture::{Card, MOST_SETTINGS, Picture, Role, Weight, Wire};
use crate::tensors::{params, weight};
use crate::write::count::{counted, number};
use crate::write::plain::plain_bytes;

impl Picture {
    pub fn of(module: &Module<'_>, title: &str) -> Self {
        let nodes = &module.graph.nodes;
        let flags = |indices: &mut dyn Iterator<Item = u32>| {
            let mut flags = vec![false; nodes.len()];
            for index in indices {
                if let Some(flag) = usize::try_from(index).ok().and_then(|at| flags.get_mut(at)) {
                    *flag = true;
                }
            }
            flags
        };
        let is_input = flags(&mut module.inputs.iter().copied());
        let is_output = flags(&mut module.outputs.iter().copied());
        let is_used = flags(&mut nodes.iter().flat_map(|node| node.inputs.iter().copied()));
        let is = |flags: &[bool], at: usize| flags.get(at).copied().unwrap_or(false);
        let folded = |at: usize, node: &Node<'_>| {
            node.is_const()
                && node.inputs.is_empty()
                && is(&is_used, at)
                && !is(&is_output, at)
                && !is(&is_input, at)
        };

        let mut picture = Picture { title: title.to_owned(), ..Picture::default() };
        let mut places: Vec<Option<usize>> = Vec::with_capacity(nodes.len());
        for (at, node) in nodes.iter().enumerate() {
            places.push((!folded(at, node)).then_some(picture.cards.len()));
            if !folded(at, node) {
                picture.cards.push(card(at, node, is(&is_input, at)));
            }
        }
        let place = |index: u32| {
            usize::try_from(index).ok().and_then(|at| places.get(at).copied()).flatten()
        };
        for (node, to) in nodes.iter().zip(&places) {
            let Some(to) = *to else { continue };
            let mut weights = Vec::new();
            for (input, &index) in node.inputs.iter().enumerate() {
                match (place(index), module.graph.get(index)) {
                    (Some(from), _) => picture.wires.push(Wire { from, to, output: 0, input }),
                    (None, Some(constant)) => weights.push(weight_of(constant, input)),
                    (None, None) => {}
                }
            }
            if let Some(card) = picture.cards.get_mut(to) {
                card.set_weights(weights);
            }
        }
        for (position, &index) in module.outputs.iter().enumerate() {
            let Some(from) = place(index) else { continue };
            let head = match module.outputs.len() {
                1 => "output".to_owned(),
                _ => format!("output {position}"),
            };
            let name = module.graph.get(index).and_then(Node::name_bytes).unwrap_or_default();
            picture.push_output(from, 0, &head, plain_bytes(name));
        }
        let constants = places.iter().filter(|place| place.is_none()).count();
        picture.summary = format!(
            "{}, {}, {}; inside boxes: {}",
            counted(nodes.len(), "node"),
            counted(module.inputs.len(), "input"),
            counted(module.outputs.len(), "output"),
            counted(constants, "constant"),
        );
        picture
    }
}

fn card(at: usize, node: &Node<'_>, is_input: bool) -> Card {
    let called = plain_bytes(node.name_bytes().unwrap_or_default());
    let op = plain_bytes(node.op_bytes().unwrap_or_default());
    let role = match (is_input || node.is_param(), node.is_const()) {
        (true, _) => Role::Input,
        (false, true) => Role::Constant,
        (false, false) => Role::Operator,
    };
    let family = match role {
        Role::Operator => Family::of(node.op_bytes().unwrap_or_default()),
        _ => Family::Data,
    };
    let head = match role {
        Role::Input if is_input && node.is_param() => "input".into(),
        Role::Input if is_input => format!("input, {op}"),
        Role::Input => "<param>, not an input".into(),
        _ => op,
    };
    let output = match weight(node) {
        Some(value) => attributes::tensors(value).text,
        None => attributes::prototype(node.dtype(), node.shape().as_deref()),
    };
    let mut card = Card { node: Some(at), output, ..Card::new(role, family, &head, called) };
    card.set_attributes(attributes::attributes(node));
    card.identify(&node.op_bytes().unwrap_or_default());
    for (param, _) in params(node).filter(|(param, _)| !param.name().starts_with(b"#")) {
        card.identify(&param.name());
        for tensor in &param.value.fields {
            card.identify(&(tensor.dtype().code(), tensor.shape(), tensor.bytes()));
        }
    }
    card
}

/// A constant, for the box of an operator that uses it.
fn weight_of(node: &Node<'_>, position: usize) -> Weight {
    let name = plain_bytes(node.name_bytes().unwrap_or_default());
    let fields = node.value().into_iter().flat_map(|value| &value.fields);
    let elements = fields.map(|tensor| number(tensor.count())).fold(0, u64::saturating_add);
    let shape =
        node.value().map_or_else(|| "no value".into(), |value| attributes::tensors(value).text);
    let setting = node.value().and_then(|value| setting(value));
    let value = node.value().and_then(attributes::single);
    Weight { name, shape, value, elements, position, input: None, setting }
}

/// The bytes of a single number, or of a few integers.
fn setting(value: &PackedTensor<'_>) -> Option<Vec<u8>> {
    let [tensor] = value.fields.as_slice() else { return None };
    let most = if tensor.integers().is_ok() { MOST_SETTINGS } else { 1 };
    (tensor.count() <= most).then(|| tensor.bytes().to_vec())
}
