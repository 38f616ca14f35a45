//! The picture of an ONNX model. Graphs in attributes are attributes of their node, and the values that they take from
//! outside are its inputs.

mod signature;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ptr;

use fourfold_onnx::proto::{Graph, Model, Node, Tensor, ValueInfo};
use fourfold_onnx::{DataType, Value};

use self::signature::Signature;
use super::family::Family;
use super::picture::{
    Attribute, Card, Inner, Line, MOST_COLUMNS, MOST_SETTINGS, Picture, Role, Weight, Wire,
};
use crate::tensors::onnx::{cost, text};
use crate::write::count::{counted, number};
use crate::write::plain::plain_bytes;
use crate::write::width::ends;

/// Maximum number of integers of a constant that are shown.
const MOST_SHOWN: usize = 8;
/// Maximum number of graphs that an error lists.
const MOST_NAMES: usize = 20;

pub(super) fn picture(model: &Model, title: &str) -> Picture {
    let mut picture = Picture { title: title.to_owned(), ..Picture::default() };
    if let Some(graph) = &model.graph {
        Drawing::new(graph, &[]).draw(&paths(&inner(model)), &mut picture);
    }
    picture
}

/// The picture of a graph in an attribute, by its path, such as `if_1/then_branch`.
///
/// # Errors
///
/// If there is no such graph.
pub(super) fn subgraph(model: &Model, title: &str, path: &str) -> Result<Picture, String> {
    let inner = inner(model);
    let Some(found) = inner.iter().find(|it| it.path == path) else {
        let names: Vec<&str> = inner.iter().map(|it| it.path.as_str()).collect();
        let path = plain(path);
        let (shown, hidden) = names.split_at(names.len().min(MOST_NAMES));
        return Err(match (shown, hidden.len()) {
            ([], _) => "it has no graphs in attributes; leave --subgraph out".into(),
            (_, 0) => format!("there is no graph {path}; it has {}", shown.join(", ")),
            (_, more) => {
                format!("there is no graph {path}; it has {} and {more} more", shown.join(", "))
            }
        });
    };
    let title = format!("{title}: {path}");
    let mut picture = Picture { title, ..Picture::default() };
    Drawing::new(found.graph, &found.around).draw(&paths(&inner), &mut picture);
    Ok(picture)
}

/// A graph in an attribute.
struct Subgraph<'g> {
    path: String,
    /// The graphs around it from the outermost one on.
    around: Vec<&'g Graph>,
    graph: &'g Graph,
}

/// The path of each graph in an attribute.
type Paths<'i> = HashMap<*const Graph, &'i str>;

fn paths<'i>(inner: &'i [Subgraph<'_>]) -> Paths<'i> {
    inner.iter().map(|it| (ptr::from_ref(it.graph), it.path.as_str())).collect()
}

/// The graphs in the attributes of nodes.
fn inner(model: &Model) -> Vec<Subgraph<'_>> {
    let mut inner = Vec::new();
    let mut counts = HashMap::new();
    model.graph.iter().for_each(|graph| collect(graph, "", &[], &mut counts, &mut inner));
    inner
}

/// Collects the graphs in the attributes of nodes. Readers limit how deep they are.
fn collect<'g>(
    graph: &'g Graph,
    prefix: &str,
    around: &[&'g Graph],
    counts: &mut HashMap<String, usize>,
    all: &mut Vec<Subgraph<'g>>,
) {
    let around = [around, &[graph]].concat();
    for node in &graph.node {
        for (attribute, inner) in text::subgraphs(node) {
            let [node, attribute] = [text::node_name(node), &attribute.name].map(text::short);
            let path = format!("{prefix}{}/{}", plain(&node), plain(&attribute));
            let count = counts.entry(path.clone()).or_insert(0_usize);
            *count += 1;
            // Names of nodes can be equal, and an attribute can have several graphs.
            let path = if *count > 1 { format!("{path}#{count}") } else { path };
            let inside = format!("{path}/");
            all.push(Subgraph { path, around: around.clone(), graph: inner });
            collect(inner, &inside, &around, counts, all);
        }
    }
}

/// A graph that is drawn.
struct Drawing<'g> {
    graph: &'g Graph,
    /// The types of values, as far as they are known.
    types: HashMap<&'g str, &'g ValueInfo>,
    /// Constants that are drawn in the boxes that use them.
    constants: HashMap<&'g str, Weight>,
    /// Those of the graphs around this one, and the names of all other values there.
    outer: HashMap<&'g str, Weight>,
    around: HashSet<&'g str>,
    /// The sizes of values, as far as they are known.
    dims: HashMap<&'g str, Vec<u64>>,
    outputs: HashSet<&'g str>,
}

impl<'g> Drawing<'g> {
    /// With the graphs around it, whose values it uses.
    fn new(graph: &'g Graph, around: &[&'g Graph]) -> Self {
        let (mut types, mut outer, mut dims) = (HashMap::new(), HashMap::new(), HashMap::new());
        let mut names = HashSet::new();
        if let Some((last, around)) = around.split_last() {
            let around = Drawing::new(last, around);
            (types, outer, dims, names) = (around.types, around.outer, around.dims, around.around);
            let inputs = last.input.iter().map(|value| value.name.as_str());
            let outputs = last.node.iter().flat_map(|node| &node.output).map(String::as_str);
            let values = inputs.chain(outputs);
            names.extend(values.filter(|name| !around.constants.contains_key(name)));
            outer.extend(around.constants);
        }
        let values = graph.value_info.iter().chain(&graph.input).chain(&graph.output);
        types.extend(values.map(|value| (value.name.as_str(), value)));
        dims.extend(cost::dims(graph));
        let outputs = graph.output.iter().map(|value| value.name.as_str()).collect();
        let constants = HashMap::new();
        let mut drawing = Drawing { graph, types, constants, outer, around: names, dims, outputs };
        for tensor in &graph.initializer {
            drawing.constants.insert(&tensor.name, weight(&tensor.name, tensor));
        }
        for tensor in &graph.sparse_initializer {
            if let Some(values) = &tensor.values {
                let shape = format!("sparse {}", text::tensor_text(values));
                let weight = weight(&values.name, values);
                let weight = Weight { shape, value: None, setting: None, ..weight };
                drawing.constants.insert(&values.name, weight);
            }
        }
        for node in &graph.node {
            if let (Some(value), Some(name)) = (text::constant(node), node.output.first()) {
                drawing.constants.insert(name, constant(name, node, value));
            }
        }
        drawing
    }

    /// Whether a node is drawn in the boxes that use it.
    fn is_folded(&self, node: &Node) -> bool {
        text::constant(node).is_some()
            && node.output.iter().all(|name| !self.outputs.contains(&**name))
    }

    fn draw(&self, paths: &Paths<'_>, picture: &mut Picture) {
        // The box of each value, and its position among the outputs of the box.
        let mut boxes = HashMap::<&str, (usize, usize)>::new();
        for input in self.graph.input.iter().filter(|it| !self.constants.contains_key(&*it.name)) {
            boxes.insert(&input.name, (picture.cards.len(), 0));
            picture.cards.push(self.value(Role::Input, "input", &input.name));
        }
        let drawn: BTreeSet<&str> =
            self.graph.initializer.iter().map(|tensor| tensor.name.as_str()).collect();
        for name in drawn.into_iter().filter(|name| self.outputs.contains(name)) {
            boxes.insert(name, (picture.cards.len(), 0));
            let output = self.constants.get(name).map(|weight| weight.shape.clone());
            let card = self.value(Role::Constant, "initializer", name);
            picture.cards.push(Card { output: output.unwrap_or_default(), ..card });
        }
        self.draw_outer(picture, &mut boxes);
        let nodes = || self.graph.node.iter().enumerate().filter(|(_, node)| !self.is_folded(node));
        let first = picture.cards.len();
        for (at, node) in nodes() {
            let outputs = node.output.iter().enumerate();
            for (output, name) in outputs.filter(|(_, name)| !name.is_empty()) {
                boxes.entry(name).or_insert((picture.cards.len(), output));
            }
            picture.cards.push(self.node(at, node, paths));
        }
        for (to, (_, node)) in (first..).zip(nodes()) {
            let mut weights = Vec::new();
            let mut outside = BTreeSet::new();
            text::subgraphs(node).for_each(|(_, graph)| outer(graph, &mut outside));
            let signature = Signature::of(node);
            let inputs = node.input.iter().map(String::as_str).chain(outside);
            for (input, name) in inputs.enumerate() {
                match (boxes.get(name), self.constants.get(name).or(self.outer.get(name))) {
                    (Some((from, output)), _) => {
                        picture.wires.push(Wire { from: *from, to, output: *output, input });
                    }
                    (None, Some(constant)) => {
                        let own = node.input.get(input);
                        let (position, input) = (input, own.and_then(|_| signature.input(input)));
                        weights.push(Weight { position, input, ..constant.clone() });
                    }
                    (None, None) => {}
                }
            }
            if let Some(card) = picture.cards.get_mut(to) {
                card.set_weights(weights);
            }
        }
        for output in &self.graph.output {
            if let Some((from, position)) = boxes.get(&*output.name) {
                picture.push_output(*from, *position, "output", plain(&output.name));
            }
        }
        let is_operator = |card: &Card| card.role == Role::Operator && card.output.is_empty();
        picture.lacks_types =
            self.graph.value_info.is_empty() && picture.cards.iter().any(is_operator);
        picture.summary = format!(
            "{}, {}, {}; inside boxes: {}",
            counted(self.graph.node.len(), "node"),
            counted(picture.cards.iter().filter(|card| card.role == Role::Input).count(), "input"),
            counted(self.graph.output.len(), "output"),
            counted(
                self.constants.keys().filter(|name| !boxes.contains_key(**name)).count(),
                "constant"
            ),
        );
    }

    /// Adds boxes for values of the graphs around this one.
    fn draw_outer(&self, picture: &mut Picture, boxes: &mut HashMap<&'g str, (usize, usize)>) {
        let own = self.graph.node.iter().flat_map(|node| &node.output).map(String::as_str);
        let own: HashSet<&str> = own.chain(self.constants.keys().copied()).collect();
        let mut used = BTreeSet::new();
        outer(self.graph, &mut used);
        for name in used.into_iter().filter(|name| !own.contains(name)) {
            if self.around.contains(name) && !boxes.contains_key(name) {
                boxes.insert(name, (picture.cards.len(), 0));
                picture.cards.push(self.value(Role::Input, "outer value", name));
            }
        }
    }

    /// A box for a value that is no output of a node.
    fn value(&self, role: Role, head: &str, name: &str) -> Card {
        let output = self.type_of(name);
        Card { output, ..Card::new(role, Family::Data, head, plain(name)) }
    }

    fn node(&self, at: usize, node: &Node, paths: &Paths<'_>) -> Card {
        let operator = text::operator(node);
        // Operators of other sets are never one of ONNX's with the same name: their text has the set before it.
        let family = Family::of_onnx(&operator);
        let types = node.output.iter().map(|name| self.type_of(name));
        let types: Vec<String> = types.filter(|text| !text.is_empty()).collect();
        let mut card = Card {
            node: Some(at),
            output: ends(&types.join("; "), MOST_COLUMNS).into_owned(),
            multiply_adds: cost::multiply_adds(node, &self.dims),
            graphs: graphs(node, paths),
            ..Card::new(Role::Operator, family, &operator, plain(text::node_name(node)))
        };
        let signature = Signature::of(node);
        let attributes = node.attribute.iter().map(|attribute| {
            let (ty, value) = (text::attribute_type(attribute), text::attribute_value(attribute));
            Attribute {
                name: text::shown(attribute.name.as_bytes()),
                ty,
                value: if ty.is_empty() { Line::own(value) } else { Line::of_file(value) },
                is_default: signature.is_default(attribute),
            }
        });
        card.set_attributes(attributes.collect());
        card.identify(&(&node.op_type, &node.domain, &node.overload));
        node.attribute.iter().for_each(|it| card.identify(&text::attribute_to_compare(it)));
        card
    }

    fn type_of(&self, name: &str) -> String {
        self.types.get(name).map(|value| text::type_text(value.r#type.as_ref())).unwrap_or_default()
    }
}

/// The graphs in the attributes of a node.
fn graphs(node: &Node, paths: &Paths<'_>) -> Vec<Inner> {
    let graphs = text::subgraphs(node).filter_map(|(attribute, graph)| {
        let path = (*paths.get(&ptr::from_ref(graph))?).to_owned();
        Some(Inner { attribute: text::shown(attribute.name.as_bytes()), path })
    });
    graphs.collect()
}

/// The values that a graph takes from outside, or may take.
fn outer<'g>(graph: &'g Graph, names: &mut BTreeSet<&'g str>) {
    for node in &graph.node {
        names.extend(node.input.iter().map(String::as_str));
        text::subgraphs(node).for_each(|(_, graph)| outer(graph, names));
    }
    names.extend(graph.output.iter().map(|value| value.name.as_str()));
}

/// The value of a node `Constant`.
fn constant(name: &str, node: &Node, value: Value<'_>) -> Weight {
    match value {
        Value::Tensor(tensor) => weight(name, tensor),
        _ => {
            let texts = node.attribute.iter().map(text::attribute_text);
            let setting = node.attribute.iter().map(text::attribute_to_compare);
            Weight {
                name: plain(name),
                shape: texts.collect::<Vec<_>>().join(", "),
                setting: Some(setting.collect::<String>().into_bytes()),
                ..Weight::default()
            }
        }
    }
}

fn weight(name: &str, tensor: &Tensor) -> Weight {
    let elements = tensor.count().map_or(0, number);
    Weight {
        name: plain(name),
        shape: text::tensor_text(tensor),
        value: text::single(tensor).or_else(|| few_integers(tensor)),
        elements,
        setting: setting(tensor),
        ..Weight::default()
    }
}

fn plain(name: &str) -> String {
    plain_bytes(name.as_bytes())
}

/// The bytes of a single number, or of a few integers.
fn setting(tensor: &Tensor) -> Option<Vec<u8>> {
    let most = match tensor.dtype().ok()? {
        DataType::Int64 | DataType::Int32 | DataType::Bool => MOST_SETTINGS,
        _ => 1,
    };
    tensor.count().ok().filter(|count| *count <= most)?;
    tensor.elements(None).ok().map(|bytes| bytes.to_vec())
}

/// The values of a list of few integers, such as a shape.
fn few_integers(tensor: &Tensor) -> Option<String> {
    tensor.count().ok().filter(|count| *count <= MOST_SHOWN)?;
    let bytes = setting(tensor)?;
    let values: Vec<String> = match tensor.dtype().ok()? {
        DataType::Int64 => numbers(&bytes, i64::from_le_bytes),
        DataType::Int32 => numbers(&bytes, i32::from_le_bytes),
        _ => return None,
    };
    Some(format!("[{}]", values.join(", ")))
}

fn numbers<const SIZE: usize, T: ToString>(
    bytes: &[u8],
    number: impl Fn([u8; SIZE]) -> T,
) -> Vec<String> {
    let chunks = bytes.chunks_exact(SIZE).filter_map(|chunk| chunk.try_into().ok());
    chunks.map(|chunk| number(chunk).to_string()).collect()
}
