//! The graph of a module or an ONNX model: positions, drawings of parts, and details of each of its boxes.

use std::collections::{BTreeMap, BTreeSet};

use fourfold::tsm::{self, Module, Node};
use fourfold_inspect::failure::describe;
use fourfold_inspect::graph::colours::{DARK, LIGHT, Theme};
use fourfold_inspect::graph::group::Groups;
use fourfold_inspect::graph::heat::{self, Cost};
use fourfold_inspect::graph::picture::{Card, Inner, Picture, Role, Shade};
use fourfold_inspect::graph::svg::{Area, Drawing};
use fourfold_inspect::graph::{Shape, attributes, near, picture, repeats, subgraph};
use fourfold_inspect::input::Input;
use fourfold_inspect::tensors::params;
use fourfold_inspect::write::plain::{plain, plain_bytes};
use fourfold_inspect::write::width::ends;
use serde::{Deserialize, Serialize};

use crate::file::File;
use crate::params::{COLUMNS, Param, Text, param, params_of};
use crate::summary::without_name;

/// A graph with the positions of its boxes.
pub(crate) struct Graph {
    picture: Picture,
    drawing: Drawing,
    groups: Groups,
    /// The inputs of the module; none for models of ONNX, whose shapes are those that they state.
    inputs: Vec<Stated>,
    /// All boxes as they are with open groups.
    open: Vec<Open>,
    /// The box of each node that has one, by the index of the node.
    box_of: BTreeMap<usize, usize>,
    /// The box to begin at: the selected one, else an input if there is one.
    first: usize,
    /// The path of the graph, if it is in an attribute.
    path: Option<String>,
}

/// What is drawn of a graph.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Selection {
    /// Only the nodes near those of this name.
    around: Option<String>,
    /// The number of connections from these nodes.
    steps: usize,
    /// The groups that are one box each.
    closed: BTreeSet<String>,
    /// Whether equal parts that follow each other are drawn once.
    is_folded: bool,
    /// The path of a graph in an attribute of an ONNX model, to draw that one.
    subgraph: Option<String>,
    /// What the colours show instead of families.
    heat: Option<Cost>,
    /// The shapes of the module's inputs, such as `1x3x224x224`; empty for those that it states.
    shapes: Vec<String>,
    /// The name of the box or group to begin at.
    focus: Option<String>,
}

/// A box, which a closed group can contain.
struct Open {
    /// The name, and the first line.
    called: String,
    head: String,
    /// Its own box in the drawing, or that of the closed group.
    at: usize,
}

/// The name of a box in a closed group, and the groups that contain it.
#[derive(Debug, Serialize)]
pub(crate) struct Inside<'g> {
    name: &'g str,
    groups: Vec<&'g str>,
}

/// An input of a module, with the type and shape that the module states.
#[derive(Debug, Serialize)]
struct Stated {
    name: String,
    /// The name as it is in the file, if that is text.
    #[serde(skip)]
    own_name: Option<String>,
    shape: String,
}

/// The description of a graph.
#[derive(Debug, Serialize)]
pub(crate) struct About<'g> {
    summary: &'g str,
    width: f64,
    height: f64,
    /// The index of the box to begin at.
    first: usize,
    /// The meanings of the colours of its boxes.
    shades: Vec<Kind>,
    /// The groups whose prefix has one part, two parts, ...
    levels: Vec<Vec<&'g str>>,
    inputs: &'g [Stated],
    /// Whether types and shapes are not in the file, but can be inferred.
    lacks_types: bool,
}

/// A family of operators, or a step of the heat.
#[derive(Debug, Serialize)]
struct Kind {
    /// The class of its boxes.
    name: String,
    /// The least and greatest number of a step.
    range: Option<(u64, Option<u64>)>,
    /// The colours of its boxes, light and dark.
    fill: [&'static str; 2],
    border: [&'static str; 2],
}

/// A node with its constant inputs, or another box.
#[derive(Debug, Serialize)]
pub(crate) struct BoxReport<'g> {
    name: String,
    head: Text,
    output: &'g str,
    /// Its parameters and multiply-adds, if it is an operator or a group, as far as they are known.
    parameters: Option<u64>,
    multiply_adds: Option<u64>,
    /// Why its shape is unknown.
    unknown: Option<&'g str>,
    inputs: Vec<End<'g>>,
    consumers: Vec<End<'g>>,
    params: Vec<Param>,
    /// The prefixes of the groups that it belongs to.
    groups: Vec<&'g str>,
    /// The prefix of the closed group that it is.
    group: Option<&'g str>,
    /// The graphs in its attributes.
    graphs: Vec<Subgraph<'g>>,
}

/// A graph in an attribute, and its path.
#[derive(Debug, Serialize)]
struct Subgraph<'g> {
    attribute: &'g str,
    path: &'g str,
}

/// The other end of a connection.
#[derive(Debug, Serialize)]
struct End<'g> {
    name: String,
    /// The index of its box, if it has one.
    at: Option<usize>,
    /// The type and shape of what it passes, if that is known.
    output: &'g str,
}

impl Graph {
    /// Lays out the graph, or a part of it.
    ///
    /// # Errors
    ///
    /// If the file has no graph, or there is no node of that name.
    pub(crate) fn new(input: &Input, selection: &Selection) -> Result<Self, String> {
        let inputs = inputs(input)?;
        let shapes = shapes(&inputs, &selection.shapes)?;
        let picture = match &selection.subgraph {
            Some(path) => subgraph(input, &input.name, path),
            None => picture(input, &input.name, &shapes),
        };
        let mut picture = picture.map_err(|failure| without_name(&failure, input))?;
        let groups = Groups::of(&picture);
        let around = selection.around.as_deref();
        let missing = around.filter(|name| !near::keep_near(&mut picture, name, selection.steps));
        if let Some(name) = missing {
            return Err(format!("there is no node {}", ends(&plain(name), COLUMNS)));
        }
        let nodes: Vec<Option<usize>> = picture.cards.iter().map(|card| card.node).collect();
        let texts = picture.cards.iter().map(|card| (card.called.clone(), card.head.text.clone()));
        let texts: Vec<(String, String)> = texts.collect();
        let mut places = groups.close(&mut picture, &selection.closed);
        if let Some(cost) = selection.heat {
            heat::colour(&mut picture, cost)?;
        }
        if selection.is_folded {
            let new = repeats::fold(&mut picture);
            for place in &mut places {
                *place = new.get(*place).copied().unwrap_or_default();
            }
        }
        let open = texts.into_iter().zip(&places);
        let open = open.map(|((called, head), at)| Open { called, head, at: *at }).collect();
        let box_of = nodes.into_iter().zip(places).filter_map(|(node, at)| Some((node?, at)));
        let (drawing, box_of) = (Drawing::new(&picture), box_of.collect());
        let position = |is: &dyn Fn(&Card) -> bool| picture.cards.iter().position(is);
        let focused = selection.focus.as_deref().and_then(|name| {
            let inside = |card: &Card| groups.containing(&card.called).contains(&name);
            position(&|card: &Card| card.called == name).or_else(|| position(&inside))
        });
        // The upper left input.
        let boxes = picture.cards.iter().zip(drawing.boxes()).enumerate();
        let upper = boxes.filter(|(_, (card, _))| card.role == Role::Input);
        let upper_left = upper.min_by(|(_, (_, one)), (_, (_, other))| {
            let [left, top, ..] = *one;
            let [other_left, other_top, ..] = *other;
            top.total_cmp(&other_top).then(left.total_cmp(&other_left))
        });
        let first = focused.or(upper_left.map(|(at, _)| at)).unwrap_or(0);
        let path = selection.subgraph.clone();
        Ok(Graph { picture, drawing, groups, inputs, open, box_of, first, path })
    }

    pub(crate) fn about(&self) -> About<'_> {
        let shades = self.picture.legend().into_iter().map(|(shade, _)| {
            let [light, dark] = [&LIGHT, &DARK].map(|colours| colours.paint(shade));
            let (fill, border) = ([light.fill, dark.fill], [light.border, dark.border]);
            let range = match (shade, &self.picture.heat) {
                (Shade::Heat(step), Some(heat)) => Some(heat.range(step)),
                _ => None,
            };
            Kind { name: shade.class(), range, fill, border }
        });
        let [width, height] = self.drawing.extent();
        About {
            summary: &self.picture.summary,
            width,
            height,
            first: self.first,
            shades: shades.collect(),
            levels: self.groups.levels(),
            inputs: &self.inputs,
            lacks_types: self.picture.lacks_types,
        }
    }

    /// For each box its left and upper end, width, height, and the position of its colour in the list of `about`.
    pub(crate) fn boxes(&self) -> Vec<f32> {
        let shades = self.picture.legend();
        let shade_of = |card: &Card| shades.iter().position(|(one, _)| *one == card.shade());
        let boxes = self.drawing.boxes().zip(&self.picture.cards);
        let numbers = boxes.flat_map(|([left, top, width, height], card)| {
            let shade = shade_of(card).and_then(|at| u8::try_from(at).ok()).unwrap_or_default();
            [left, top, width, height, f64::from(shade)]
        });
        numbers.map(narrow).collect()
    }

    /// Both ends of all lines of connections.
    pub(crate) fn lines(&self) -> Vec<f32> {
        self.drawing.lines().flatten().map(narrow).collect()
    }

    /// The source and target box of each connection.
    pub(crate) fn wires(&self) -> Vec<u32> {
        let ends = self.picture.wires.iter().flat_map(|wire| [wire.from, wire.to]);
        ends.map(index).collect()
    }

    /// The drawing of an area, as elements of SVG.
    pub(crate) fn part(&self, area: &Area) -> String {
        self.drawing.part(&self.picture, area)
    }

    /// The whole drawing.
    pub(crate) fn svg(&self) -> String {
        self.drawing.write(&self.picture, Theme::Auto).text
    }

    /// The boxes whose name or first line contains a text, in any case, also those in closed groups: for each the box
    /// in the drawing, and its position among all.
    pub(crate) fn find(&self, text: &str) -> Vec<u32> {
        let wanted = text.to_lowercase();
        let has = |text: &str| text.to_lowercase().contains(&wanted);
        let found =
            self.open.iter().enumerate().filter(|(_, one)| has(&one.called) || has(&one.head));
        found.flat_map(|(position, one)| [one.at, position]).map(index).collect()
    }

    /// A box in closed groups, by its position among all.
    ///
    /// # Errors
    ///
    /// If there is no such box.
    pub(crate) fn inside(&self, position: usize) -> Result<Inside<'_>, String> {
        let Open { called, .. } = self.open.get(position).ok_or("no box")?;
        Ok(Inside { name: called, groups: self.groups.containing(called) })
    }

    /// The details of a box.
    ///
    /// # Errors
    ///
    /// If there is no such box, or the file is not a module.
    pub(crate) fn report(
        &self,
        file: &File,
        input: &Input,
        at: usize,
    ) -> Result<BoxReport<'_>, String> {
        let card = self.picture.cards.get(at).ok_or("no box")?;
        let end = |at| End { name: self.name(at), at: Some(at), output: self.output(at) };
        let ends_of =
            |ends: &mut dyn Iterator<Item = usize>| -> Vec<End<'_>> { ends.map(end).collect() };
        let has_costs = matches!(card.role, Role::Operator | Role::Group);
        let wires = || self.picture.wires.iter();
        let consumers = wires().filter(|wire| wire.from == at).map(|wire| wire.to);
        let mut sources = wires().filter(|wire| wire.to == at).map(|wire| wire.from);
        let mut report = BoxReport {
            name: self.name(at),
            head: Text::from(&card.head),
            output: &card.output,
            parameters: has_costs.then_some(card.parameters),
            multiply_adds: card.multiply_adds.filter(|_| has_costs),
            unknown: card.unknown.as_deref(),
            inputs: Vec::new(),
            consumers: ends_of(&mut consumers.collect::<BTreeSet<_>>().into_iter()),
            params: Vec::new(),
            groups: self.groups.containing(&card.called),
            group: (card.role == Role::Group).then_some(&card.called),
            graphs: card
                .graphs
                .iter()
                .map(|Inner { attribute, path }| Subgraph { attribute, path })
                .collect(),
        };
        let Some(node) = card.node else {
            report.inputs = ends_of(&mut sources.collect::<BTreeSet<_>>().into_iter());
            return Ok(report);
        };
        if !tsm::File::is_module(&input.bytes) {
            report.inputs = ends_of(&mut sources);
            report.params = params_of(card, self.path.as_deref(), file, input);
            return Ok(report);
        }
        let module = Module::from_slice(&input.bytes).map_err(|error| describe(&error))?;
        let node = module.graph.nodes.get(node).ok_or("no node")?;
        let shown_params = params(node)
            .filter(|(own, _)| own.name() != b"#op" && own.name() != b"#name")
            .map(|(own, _)| {
                let what = attributes::exact(&own.value);
                param(file, shown(own.name()), &what, &own.value)
            });
        report.params = shown_params.collect();
        for &number in &node.inputs {
            let Some(input) = module.graph.get(number) else { continue };
            let place = usize::try_from(number).ok().and_then(|node| self.box_of.get(&node));
            let at = place.copied();
            let output = at.map_or("", |at| self.output(at));
            report.inputs.push(End { name: name(input), at, output });
            if let Some(value) = input.value().filter(|_| input.is_const()) {
                report.params.push(param(file, name(input), &attributes::tensors(value), value));
            }
        }
        Ok(report)
    }

    /// The type and shape of a box's output, if they are known.
    fn output(&self, at: usize) -> &str {
        self.picture.cards.get(at).map_or("", |card| &card.output)
    }

    /// The name of a box; its first line if it has none.
    fn name(&self, at: usize) -> String {
        let card = self.picture.cards.get(at);
        let text = card.map_or("", |card| match card.called.as_str() {
            "" => &card.head.text,
            called => called,
        });
        ends(text, COLUMNS).into_owned()
    }
}

/// The inputs of a module.
fn inputs(input: &Input) -> Result<Vec<Stated>, String> {
    if !tsm::File::is_module(&input.bytes) {
        return Ok(Vec::new());
    }
    let module = Module::from_slice(&input.bytes).map_err(|error| describe(&error))?;
    let stated = module.input_nodes().map(|node| Stated {
        name: name(node),
        own_name: node.name().map(str::to_owned),
        shape: attributes::prototype(node.dtype(), node.shape().as_deref()),
    });
    Ok(stated.collect())
}

/// The shapes of inputs, from texts in the same order. Empty texts are left out.
fn shapes(inputs: &[Stated], texts: &[String]) -> Result<Vec<Shape>, String> {
    let given = inputs.iter().zip(texts).filter(|(_, text)| !text.trim().is_empty());
    let shapes = given.map(|(input, text)| {
        let shape = text.replace('×', "x").parse::<Shape>();
        let shape = shape.ok().filter(|shape| shape.name.is_none());
        let name = input.own_name.clone();
        let refused = || {
            let (text, name) = (plain(text), &input.name);
            format!("{} is no shape for {name}, such as 1x3x224x224", ends(&text, COLUMNS))
        };
        Ok(Shape { name, ..shape.ok_or_else(refused)? })
    });
    shapes.collect()
}

/// A length in pixels; the drawing has no more digits.
fn narrow(length: f64) -> f32 {
    #[expect(clippy::cast_possible_truncation, reason = "pixels need no more digits")]
    let narrow = length as f32;
    narrow
}

fn index(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

fn name(node: &Node<'_>) -> String {
    shown(node.name_bytes().unwrap_or_default())
}

fn shown(bytes: &[u8]) -> String {
    ends(&plain_bytes(bytes), COLUMNS).into_owned()
}
