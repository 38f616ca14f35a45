//! The content of a module's picture: boxes and the connections between them.

use fourfold::tsm::{DType, Module, Node, PackedTensor};

use super::attributes;
use super::family::Family;
use crate::tensors::weight;
use crate::write::count::counted;
use crate::write::listing::brackets;
use crate::write::plain::plain_bytes;
use crate::write::width::ends;

/// Maximum number of columns of a line in a box.
pub(super) const MOST_COLUMNS: usize = 44;
/// Maximum number of weights listed in a box.
const MOST_WEIGHTS: usize = 6;
/// Maximum number of attribute lines in a box.
const MOST_ATTRIBUTE_LINES: usize = 4;

#[derive(Debug, Default)]
pub struct Picture {
    pub title: String,
    /// A description of the picture in one sentence.
    pub summary: String,
    pub cards: Vec<Card>,
    pub wires: Vec<Wire>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// An input of the module, or a `<param>` that is not an input.
    Input,
    /// An output of the module.
    Output,
    Operator,
    /// A `<const>` that is not folded into a box that uses it.
    Constant,
    /// Several boxes, drawn as one.
    Group,
}

/// A box.
#[derive(Debug)]
pub struct Card {
    pub role: Role,
    /// The family of its operator. Inputs, outputs and constants are data.
    pub family: Family,
    /// The index of the node in the graph, if the box is a node.
    pub node: Option<usize>,
    /// The full name; empty for outputs.
    pub called: String,
    /// The first line: the operator.
    pub head: String,
    /// The name, shortened.
    pub name: String,
    /// All params: `stride 2`.
    pub attributes: Vec<String>,
    /// The params in lines, as many as fit.
    pub attribute_lines: Vec<String>,
    /// Its weights.
    pub weights: Vec<String>,
    /// Its output: type and shape, as far as they are known.
    pub output: String,
}

/// A connection.
#[derive(Clone, Copy, Debug)]
pub struct Wire {
    pub from: usize,
    pub to: usize,
}

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
            for &index in &node.inputs {
                match (place(index), module.graph.get(index)) {
                    (Some(from), _) => picture.wires.push(Wire { from, to }),
                    (None, Some(constant)) => weights.push(constant),
                    (None, None) => {}
                }
            }
            if let Some(card) = picture.cards.get_mut(to) {
                card.weights = weight_lines(&card.called, &weights);
            }
        }
        for (position, &index) in module.outputs.iter().enumerate() {
            let Some(from) = place(index) else { continue };
            picture.wires.push(Wire { from, to: picture.cards.len() });
            picture.cards.push(Card {
                role: Role::Output,
                family: Family::Data,
                node: None,
                called: String::new(),
                head: match module.outputs.len() {
                    1 => "output".into(),
                    _ => format!("output {position}"),
                },
                name: String::new(),
                attributes: Vec::new(),
                attribute_lines: Vec::new(),
                weights: Vec::new(),
                output: String::new(),
            });
        }
        let constants = places.iter().filter(|place| place.is_none()).count();
        picture.summary = format!(
            "{}, {}, {}; in the boxes that use them: {}",
            counted(nodes.len(), "node"),
            counted(module.inputs.len(), "input"),
            counted(module.outputs.len(), "output"),
            counted(constants, "constant"),
        );
        picture
    }

    /// The families of its boxes, in the order of the legend.
    pub fn families(&self) -> Vec<Family> {
        let is_there = |family: &Family| self.cards.iter().any(|card| card.family == *family);
        Family::ALL.into_iter().filter(is_there).collect()
    }
}

fn card(at: usize, node: &Node<'_>, is_input: bool) -> Card {
    let called = plain_bytes(node.name_bytes().unwrap_or_default());
    let op = plain_bytes(node.op_bytes().unwrap_or_default());
    let name = ends(&called, MOST_COLUMNS).into_owned();
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
        Role::Input if is_input => format!("input, {}", ends(&op, MOST_COLUMNS)),
        Role::Input => "<param>, not an input".into(),
        _ if op.is_empty() => "(no operator)".into(),
        _ => ends(&op, MOST_COLUMNS).into_owned(),
    };
    let output = match weight(node) {
        Some(value) => tensors(value),
        None => prototype(node.dtype(), node.shape().as_deref()),
    };
    let attributes = attributes::attributes(node);
    let attribute_lines = attributes::in_lines(&attributes, MOST_COLUMNS, MOST_ATTRIBUTE_LINES);
    Card {
        role,
        family,
        node: Some(at),
        called,
        head,
        name,
        attributes,
        attribute_lines,
        weights: Vec::new(),
        output,
    }
}

impl Card {
    /// The lines between the first one and the weights.
    pub fn lines(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.name).filter(|name| !name.is_empty()).chain(&self.attribute_lines)
    }

    /// The tooltip: everything that is known of the box.
    pub fn title(&self) -> String {
        let called = std::iter::once(&self.called).filter(|called| !called.is_empty());
        called.chain(&self.attributes).map(String::as_str).collect::<Vec<_>>().join("\n")
    }
}

fn weight_lines(user: &str, weights: &[&Node<'_>]) -> Vec<String> {
    let line = |node: &&Node<'_>| {
        let value = node.value().map(tensors).unwrap_or_else(|| "no value".into());
        let name = plain_bytes(node.name_bytes().unwrap_or_default());
        // Most names begin with the name of the node that uses them.
        let own = name.strip_prefix(user).and_then(|rest| rest.strip_prefix(['.', '/', '_', ':']));
        let name = own.filter(|own| !own.is_empty()).unwrap_or(&name);
        let left = MOST_COLUMNS.saturating_sub(value.chars().count() + 2).max(12);
        format!("{}: {value}", ends(name, left))
    };
    let mut lines: Vec<String> = weights.iter().take(MOST_WEIGHTS).map(line).collect();
    if weights.len() > MOST_WEIGHTS {
        lines.push(format!("and {} more", weights.len() - MOST_WEIGHTS));
    }
    lines
}

/// The type and shape of the first tensor, and the number of further ones.
pub fn tensors(value: &PackedTensor<'_>) -> String {
    match value.fields.split_first() {
        None => "no tensor".into(),
        Some((first, rest)) => {
            let first = prototype(Some(first.dtype()), Some(first.shape()));
            if rest.is_empty() { first } else { format!("{first} and {} more", rest.len()) }
        }
    }
}

/// `float32 [1, 3, ?, ?]`, as far as that is known.
pub fn prototype(dtype: Option<DType>, shape: Option<&[i32]>) -> String {
    // More than TenniS allows, but possible in a file.
    const MOST: usize = 8;
    [dtype.map(|dtype| dtype.to_string()), shape.map(|shape| brackets(shape, MOST))]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" ")
}
