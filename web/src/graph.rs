//! The graph of a module: the picture, and details of each of its boxes.

use fourfold::tsm::{Module, Node, PackedTensor};
use fourfold_inspect::failure::describe;
use fourfold_inspect::graph::colours::{DARK, LIGHT, Theme};
use fourfold_inspect::graph::picture::{self, Picture, Role};
use fourfold_inspect::graph::{attributes, draw, near};
use fourfold_inspect::input::Input;
use fourfold_inspect::tensors::params;
use fourfold_inspect::write::plain::{plain, plain_bytes};
use fourfold_inspect::write::width::ends;
use serde::Serialize;

use crate::file::File;
use crate::summary::without_name;

/// Number of columns shown of a text.
const COLUMNS: usize = 400;

/// Tensors up to this number of elements need no statistics.
const FEW: usize = 8;

/// A picture of a graph, or of a part of it.
#[derive(Debug, Serialize)]
pub(crate) struct Drawn {
    svg: String,
    summary: String,
    /// The boxes, in the order of the picture.
    boxes: Vec<Drawing>,
    /// The source and target box of each connection.
    wires: Vec<(usize, usize)>,
    /// The families of its boxes.
    families: Vec<Kind>,
}

/// A family of operators.
#[derive(Debug, Serialize)]
struct Kind {
    name: &'static str,
    /// The colours of its boxes, light and dark.
    fill: [&'static str; 2],
    border: [&'static str; 2],
}

/// A box.
#[derive(Debug, Serialize)]
struct Drawing {
    node: Option<usize>,
    called: String,
    head: String,
    role: &'static str,
    attributes: Vec<String>,
    output: String,
}

/// A node, and its constant inputs.
#[derive(Debug, Serialize)]
pub(crate) struct NodeReport {
    name: String,
    op: String,
    inputs: Vec<String>,
    params: Vec<Param>,
}

/// A param, or the value of a constant input.
#[derive(Debug, Serialize)]
struct Param {
    name: String,
    what: String,
    /// The offsets of its larger tensors' elements in the file.
    offsets: Vec<usize>,
}

/// Draws the graph; of a large one the part within `steps` connections of the nodes named `around`.
///
/// # Errors
///
/// If the file is not a module, or the graph is too large to draw.
pub(crate) fn drawn(input: &Input, around: Option<&str>, steps: usize) -> Result<Drawn, String> {
    let module = Module::from_slice(&input.bytes).map_err(|error| describe(&error))?;
    let mut picture = Picture::of(&module, &input.name);
    if let Some(name) = around.filter(|name| !near::keep_near(&mut picture, name, steps)) {
        return Err(format!("there is no node {}", ends(&plain(name), COLUMNS)));
    }
    let svg = draw(&picture, Theme::Auto, &input.name)
        .map_err(|failure| without_name(&failure, input))?
        .text;
    let boxes = picture.cards.iter().map(|card| Drawing {
        node: card.node,
        called: ends(&card.called, COLUMNS).into_owned(),
        head: card.head.clone(),
        role: match card.role {
            Role::Input => "input",
            Role::Output => "output",
            Role::Operator => "operator",
            Role::Constant => "constant",
        },
        attributes: card
            .attributes
            .iter()
            .map(|attribute| ends(attribute, COLUMNS).into_owned())
            .collect(),
        output: card.output.clone(),
    });
    let boxes = boxes.collect();
    let wires = picture.wires.iter().map(|wire| (wire.from, wire.to)).collect();
    let families = picture.families().into_iter().map(|family| {
        let [light, dark] = [&LIGHT, &DARK].map(|colours| colours.paint(family));
        let (fill, border) = ([light.fill, dark.fill], [light.border, dark.border]);
        Kind { name: family.name(), fill, border }
    });
    let families = families.collect();
    Ok(Drawn { svg, summary: picture.summary, boxes, wires, families })
}

/// The details of a node.
///
/// # Errors
///
/// If there is no such node, or the file is not a module.
pub(crate) fn node(file: &File, input: &Input, index: usize) -> Result<NodeReport, String> {
    let module = Module::from_slice(&input.bytes).map_err(|error| describe(&error))?;
    let node = module.graph.nodes.get(index).ok_or("no node")?;
    let mut shown_params: Vec<Param> = params(node)
        .filter(|(param, _)| param.name() != b"#op" && param.name() != b"#name")
        .map(|(param, _)| {
            let what = attributes::param(node, param);
            self::param(file, shown(param.name()), what, &param.value)
        })
        .collect();
    let inputs = || node.inputs.iter().filter_map(|index| module.graph.get(*index));
    for constant in inputs().filter(|input| input.is_const()) {
        if let Some(value) = constant.value() {
            shown_params.push(param(file, name(constant), picture::tensors(value), value));
        }
    }
    Ok(NodeReport {
        name: name(node),
        op: shown(node.op_bytes().unwrap_or_default()),
        inputs: inputs().map(name).collect(),
        params: shown_params,
    })
}

fn param(file: &File, name: String, what: String, value: &PackedTensor<'_>) -> Param {
    let larger = value.fields.iter().filter(|tensor| tensor.count() > FEW);
    let offsets = larger.filter_map(|tensor| file.buffer.offset_of(tensor.bytes()));
    Param { name, what: ends(&what, COLUMNS).into_owned(), offsets: offsets.collect() }
}

fn name(node: &Node<'_>) -> String {
    shown(node.name_bytes().unwrap_or_default())
}

fn shown(bytes: &[u8]) -> String {
    ends(&plain_bytes(bytes), COLUMNS).into_owned()
}
