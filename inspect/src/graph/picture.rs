//! The content of a picture of a graph: boxes and the connections between them.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::family::Family;
use crate::write::count::grouped;
use crate::write::width::{columns as columns_of, ends, head};

/// Maximum number of columns of a line in a box.
pub(super) const MOST_COLUMNS: usize = 44;
/// Maximum number of columns of a line of a tooltip, and of attributes and of weights in it.
pub(super) const MOST_TITLE_COLUMNS: usize = 200;
const MOST_TITLE_LINES: usize = 64;
/// Maximum number of integers of a constant that is a setting, such as a shape or axes. Constants of more elements are
/// weights.
pub(super) const MOST_SETTINGS: usize = 64;
/// Maximum number of weights listed in a box.
const MOST_WEIGHTS: usize = 6;
/// Maximum number of attribute lines in a box.
const MOST_ATTRIBUTE_LINES: usize = 4;

#[derive(Debug, Default)]
pub struct Picture {
    pub title: String,
    /// A description of the picture in one sentence.
    pub summary: String,
    /// Whether the types of values between operators are not in the file, but can be inferred.
    pub lacks_types: bool,
    pub cards: Vec<Card>,
    pub wires: Vec<Wire>,
    /// Parts that are drawn once for several equal ones.
    pub repeats: Vec<Repeat>,
    /// What the colours of operators mean, if not their families.
    pub heat: Option<Heat>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// An input of the graph, or a `<param>` that is not an input.
    Input,
    /// An output of the graph.
    Output,
    #[default]
    Operator,
    /// A constant that is not folded into a box that uses it.
    Constant,
    /// Several boxes, drawn as one.
    Group,
}

/// A box.
#[derive(Debug, Default)]
pub struct Card {
    pub role: Role,
    /// The family of its operator. Inputs, outputs and constants are data.
    pub family: Family,
    /// The index of the node in the graph, if the box is a node.
    pub node: Option<usize>,
    /// The full name; empty for outputs.
    pub called: String,
    /// The first line: the operator.
    pub head: Line,
    /// The name, shortened.
    pub name: Line,
    /// All params.
    pub attributes: Vec<Attribute>,
    /// The params that are not their defaults, in lines, as many as fit.
    pub attribute_lines: Vec<Line>,
    /// All its constant inputs.
    pub weights: Vec<Weight>,
    /// The constant inputs in lines, as many as fit.
    pub weight_lines: Vec<Line>,
    /// The graphs in its attributes.
    pub graphs: Vec<Inner>,
    /// Its output: type and shape, as far as they are known.
    pub output: String,
    /// The number of elements of its weights.
    pub parameters: u64,
    /// The products that it adds up, if that is known.
    pub multiply_adds: Option<u64>,
    /// Why its shape is unknown, if there is a reason.
    pub unknown: Option<String>,
    /// Its step of the heat, if it has one.
    pub step: Option<usize>,
    /// The hash of what equal boxes have in common: the operator, all attributes, and constant inputs as far as they are
    /// no weights. Inputs and outputs of the graph and constants have no equal.
    pub identity: u64,
    /// Operators that are drawn directly below, in the same box.
    pub stacked: Vec<Card>,
}

/// A line in a box.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    pub text: String,
    pub source: Source,
}

/// Where the words of a text are from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// All words are from the file, or from its format.
    #[default]
    File,
    /// Some words, such as `input` or `graph of 3 nodes`, are from this library.
    Library,
}

/// A param or attribute: `stride 2`.
#[derive(Clone, Debug, Default)]
pub struct Attribute {
    pub name: String,
    /// Its type in the terms of ONNX; empty for params of tsm.
    pub ty: &'static str,
    /// The value, shortened, and where its words are from.
    pub value: Line,
    /// Whether the operator does the same without it.
    pub(super) is_default: bool,
}

/// A graph in an attribute.
#[derive(Clone, Debug)]
pub struct Inner {
    pub attribute: String,
    /// The path for `subgraph`.
    pub path: String,
}

/// A constant that is drawn in the box of the operator that uses it.
#[derive(Clone, Debug, Default)]
pub struct Weight {
    pub name: String,
    /// Its type and shape.
    pub shape: String,
    /// Its value, if that is a single number or a few integers.
    pub value: Option<String>,
    pub elements: u64,
    /// Its position among the inputs of the operator, and the name that the format gives to that input.
    pub position: usize,
    pub input: Option<&'static str>,
    /// The values of a setting, such as the axes of a reduction; weights have none.
    pub setting: Option<Vec<u8>>,
}

/// A part of a graph that is drawn once for equal ones, each of which takes the output of the one before it.
#[derive(Debug)]
pub struct Repeat {
    /// The boxes of the first of them.
    pub cards: Vec<usize>,
    /// The number of equal parts.
    pub count: usize,
}

/// Colours of operators by a number, such as that of their parameters.
#[derive(Debug)]
pub struct Heat {
    /// The noun of the number.
    pub noun: &'static str,
    /// The least number of each step except the first one, whose number is 0.
    pub from: Vec<u64>,
}

/// What the colour of a box means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shade {
    Family(Family),
    /// A step of the heat: 0 for nothing.
    Heat(usize),
}

/// A connection.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wire {
    pub from: usize,
    pub to: usize,
    /// The position of the value among the outputs of `from`, and among the inputs of `to`.
    pub output: usize,
    pub input: usize,
}

impl Picture {
    /// The meanings of the colours in it, and their names in legends.
    pub fn legend(&self) -> Vec<(Shade, String)> {
        let cards = || self.cards.iter().flat_map(Card::parts);
        let has = |shade: Shade| cards().any(|card| card.shade() == shade);
        let families = Family::ALL.into_iter();
        let families = families.map(|family| (Shade::Family(family), family.name().to_owned()));
        let steps = self.heat.iter().flat_map(|heat| {
            (0..=heat.from.len()).map(|step| (Shade::Heat(step), heat.name(step)))
        });
        families.chain(steps).filter(|(shade, _)| has(*shade)).collect()
    }

    /// Adds a box for an output of the graph that is this output of the box `from`.
    pub(super) fn push_output(&mut self, from: usize, output: usize, head: &str, called: String) {
        self.wires.push(Wire { from, to: self.cards.len(), output, input: 0 });
        self.cards.push(Card::new(Role::Output, Family::Data, head, called));
    }
}

impl Card {
    pub(super) fn new(role: Role, family: Family, head: &str, called: String) -> Self {
        let text = ends(head, MOST_COLUMNS).into_owned();
        let name = Line::of_file(ends(&called, MOST_COLUMNS));
        let head = match role {
            Role::Operator if head.is_empty() => Line::own("(no operator)"),
            Role::Operator | Role::Group => Line::of_file(text),
            Role::Input | Role::Output | Role::Constant => Line::own(text),
        };
        Card { role, family, called, head, name, ..Card::default() }
    }

    /// The box itself, and what is drawn below it.
    pub fn parts(&self) -> impl DoubleEndedIterator<Item = &Card> {
        std::iter::once(self).chain(&self.stacked)
    }

    /// The operator whose output is the output of the box.
    pub fn last(&self) -> &Card {
        self.stacked.last().unwrap_or(self)
    }

    pub fn shade(&self) -> Shade {
        self.step.map_or(Shade::Family(self.family), Shade::Heat)
    }

    /// Sets the attributes, and the lines that show them.
    pub(super) fn set_attributes(&mut self, attributes: Vec<Attribute>) {
        let shown = attributes.iter().filter(|attribute| !attribute.is_default);
        let shown: Vec<Line> = shown.map(Attribute::line).collect();
        self.attribute_lines = in_lines(&shown, MOST_COLUMNS, MOST_ATTRIBUTE_LINES);
        self.attributes = attributes;
    }

    /// Sets the constant inputs, and the lines that show them.
    pub(super) fn set_weights(&mut self, weights: Vec<Weight>) {
        self.parameters = weights.iter().fold(0, |sum, one| sum.saturating_add(one.elements));
        let shown = weights.iter().take(MOST_WEIGHTS).map(|one| one.line(&self.called));
        self.weight_lines = shown.map(Line::of_file).collect();
        if let Some(more) = weights.len().checked_sub(MOST_WEIGHTS).filter(|more| *more > 0) {
            self.weight_lines.push(Line::own(format!("and {more} more")));
        }
        for Weight { position, shape, setting, .. } in &weights {
            self.identify(&(position, shape, setting));
        }
        self.weights = weights;
    }

    /// Adds something that equal boxes have in common.
    pub(super) fn identify(&mut self, part: &impl std::hash::Hash) {
        let mut hash = DefaultHasher::new();
        (self.identity, part).hash(&mut hash);
        self.identity = hash.finish();
    }

    /// Adds the identity, parameters and multiply-adds of a box that is in this one.
    pub(super) fn add(&mut self, other: &Card) {
        self.identify(&(other.identity, &other.output));
        self.parameters = self.parameters.saturating_add(other.parameters);
        let both = self.multiply_adds.zip(other.multiply_adds);
        self.multiply_adds = both.map(|(one, other)| one.saturating_add(other));
    }

    /// The lines between the first one and the weights.
    pub fn lines(&self) -> impl Iterator<Item = &Line> {
        let name = [&self.name].into_iter().filter(|name| !name.text.is_empty());
        name.chain(&self.attribute_lines)
    }

    /// The tooltip: everything that is known of the box.
    pub fn title(&self) -> String {
        let called = [&self.called].into_iter().filter(|called| !called.is_empty()).cloned();
        let more = |count: usize| {
            let more = count.checked_sub(MOST_TITLE_LINES).filter(|more| *more > 0);
            more.map(|more| format!("and {more} more"))
        };
        let attributes = self.attributes.iter().take(MOST_TITLE_LINES);
        let attributes = attributes.map(|attribute| attribute.line().text);
        let attributes = attributes.chain(more(self.attributes.len()));
        let weights = self.weights.iter().take(MOST_TITLE_LINES).map(Weight::title);
        let weights = weights.chain(more(self.weights.len()));
        let output = [&self.output].into_iter().filter(|output| !output.is_empty());
        let lines = called.chain(attributes).chain(weights);
        let lines = lines.chain(output.map(|output| format!("-> {output}")));
        let lines = lines.map(|line| ends(&line, MOST_TITLE_COLUMNS).into_owned());
        lines.collect::<Vec<_>>().join("\n")
    }
}

impl Line {
    pub(super) fn of_file(text: impl Into<String>) -> Self {
        Line { text: text.into(), source: Source::File }
    }

    pub(super) fn own(text: impl Into<String>) -> Self {
        Line { text: text.into(), source: Source::Library }
    }
}

impl Attribute {
    /// Name and value.
    fn line(&self) -> Line {
        let Line { text: value, source } = &self.value;
        let text = match value.as_str() {
            "" => self.name.clone(),
            value => format!("{} {value}", self.name),
        };
        Line { text, source: *source }
    }
}

impl Shade {
    /// The class in SVG and DOT.
    pub fn class(self) -> String {
        match self {
            Shade::Family(family) => family.name().into(),
            Shade::Heat(step) => format!("heat{step}"),
        }
    }
}

impl Heat {
    /// The least and greatest number of a step. The last one has no greatest.
    pub fn range(&self, step: usize) -> (u64, Option<u64>) {
        let from = |step: usize| self.from.get(step).copied();
        let least = step.checked_sub(1).and_then(from).unwrap_or(0);
        (least, from(step).map(|next| next.saturating_sub(1)))
    }

    /// The name of a step in legends.
    fn name(&self, step: usize) -> String {
        match self.range(step) {
            (0, _) => format!("no {}", self.noun),
            (least, None) => format!("{} or more {}", grouped(least), self.noun),
            (least, Some(greatest)) if least == greatest => grouped(least),
            (least, Some(greatest)) => format!("{} to {}", grouped(least), grouped(greatest)),
        }
    }
}

impl Weight {
    fn title(&self) -> String {
        let left = MOST_TITLE_COLUMNS.saturating_sub(columns_of(&self.shape) + 2).max(60);
        let input = self.input.map(|input| format!("{input} = ")).unwrap_or_default();
        format!("{input}{}: {}", ends(&self.name, left - input.len()), self.shape)
    }

    /// The line in the box of that name. Most names begin with the name of the operator that uses them; TenniS's
    /// Python front end writes `_const_` before it.
    fn line(&self, user: &str) -> String {
        let name = self.name.strip_prefix("_const_").unwrap_or(&self.name);
        let own = name.strip_prefix(user).and_then(|rest| rest.strip_prefix(['.', '/', '_', ':']));
        let name = own.filter(|own| !own.is_empty()).unwrap_or(&self.name);
        let name = self.input.unwrap_or(name);
        let (what, sign) = match &self.value {
            Some(value) => (value, " ="),
            None => (&self.shape, ":"),
        };
        let left = MOST_COLUMNS.saturating_sub(what.chars().count() + 2).max(12);
        format!("{}{sign} {what}", ends(name, left))
    }
}

/// The attributes on `most` lines of `columns` each, with the number of those that do not fit.
fn in_lines(attributes: &[Line], columns: usize, most: usize) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for (at, Line { text, source }) in attributes.iter().enumerate() {
        // Words of the library are at the start.
        let text = match source {
            Source::File => ends(text, columns),
            Source::Library => head(text, columns),
        };
        let full = lines.len() == most;
        match lines.last_mut() {
            // Words of the library are in lines of their own.
            Some(line)
                if line.source == *source
                    && *source == Source::File
                    && columns_of(&line.text) + 2 + columns_of(&text) <= columns =>
            {
                line.text = format!("{}, {text}", line.text);
            }
            _ if full => {
                lines.push(Line::own(format!("and {} more", attributes.len() - at)));
                break;
            }
            _ => lines.push(Line { text: text.into_owned(), source: *source }),
        }
    }
    lines
}
