//! Shapes, types and costs of all nodes of a module.

use std::collections::HashMap;
use std::fmt::Write as _;

use fourfold::tsm::{DType, Module, Node};

use crate::cost::multiply_adds;
use crate::error::{Error, ErrorKind};
use crate::input::Input;
use crate::memory::{Need, is_view, peak};
use crate::operator::Operator;
use crate::order::{Order, inputs_of};
use crate::output::Output;
use crate::rules::{Failure, Inputs, outputs};
use crate::value::Number;
use crate::values::with_values;

/// What is known of a node.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct NodeShapes {
    /// The outputs: several if they are packed, otherwise one.
    pub outputs: Vec<Output>,
    /// The products that it adds up: those of convolutions, products of matrices and LSTMs, 0 for other
    /// operators. `None` if they are unknown.
    pub multiply_adds: Option<u64>,
    /// The elements of tensors that are its inputs.
    pub parameters: u64,
    /// The bytes of these.
    pub parameter_bytes: u64,
    /// Why its shape is unknown.
    pub unknown: Option<String>,
}

impl NodeShapes {
    /// The first output, which is the only one unless outputs are packed.
    #[must_use]
    pub fn output(&self) -> Option<&Output> {
        self.outputs.first()
    }
}

/// What is known of all nodes of a module.
///
/// ```
/// use fourfold::tsm::{ModuleBuilder, Tensor};
/// use fourfold_tennis::{Input, Shapes};
///
/// let mut graph = ModuleBuilder::new();
/// let x = graph.param("x");
/// let w = graph.constant("w", Tensor::from_values(&[0.0f32; 6], &[3, 2])?);
/// let y = graph.op("inner_prod", "y", [x, w]).node();
/// let module = graph.build([x], [y])?;
///
/// let shapes = Shapes::infer(&module, &["8x3".parse::<Input>()?])?;
/// let y = shapes.node(2).unwrap();
/// assert_eq!(y.output().unwrap().to_string(), "float32 [8, 2]");
/// assert_eq!(y.multiply_adds, Some(8 * 3 * 2));
/// assert_eq!(shapes.parameters(), 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shapes {
    nodes: Vec<NodeShapes>,
    order: Vec<u32>,
    multiply_adds: Option<u64>,
    parameters: u64,
    parameter_bytes: u64,
    peak_bytes: Option<u64>,
}

impl Shapes {
    /// Computes the shapes of all nodes from those of the inputs, as the CPU backend of TenniS 1.3.0
    /// does. Inputs that are not given have the shape and type that the module states in `#shape` and
    /// `#dtype`.
    ///
    /// What cannot be computed is unknown, with the reason in [`NodeShapes::unknown`]: shapes that
    /// depend on values, operators that TenniS does not have.
    ///
    /// # Errors
    ///
    /// If TenniS refuses a param or the inputs of a node, such as a convolution for another number of
    /// channels; if a shape is given for an input that the module does not have.
    pub fn infer(module: &Module<'_>, inputs: &[Input]) -> Result<Self, Error> {
        let (order, run) = Run::of(module, inputs)?;
        let Run { mut nodes, needs, errors, .. } = run;
        if let Some(first) = errors.into_iter().next() {
            return Err(first);
        }
        for node in nodes.iter_mut().filter(|node| node.outputs.is_empty()) {
            node.outputs = vec![Output::default()];
            node.unknown = Some("the node is in a cycle, or after one".to_owned());
        }

        // What nodes of cycles cost is unknown.
        let is_whole = order.nodes.len() == nodes.len();
        let mut shapes = Shapes { multiply_adds: is_whole.then_some(0), ..Shapes::default() };
        for &index in order.nodes.get(..order.needed).unwrap_or_default() {
            let at = usize::try_from(index).ok();
            let Some(found) = at.and_then(|at| nodes.get(at)) else { continue };
            let total = shapes.multiply_adds.zip(found.multiply_adds);
            shapes.multiply_adds = total.and_then(|(total, found)| total.checked_add(found));
            if module.graph.get(index).is_some_and(Node::is_const) {
                let of = |number: Option<u64>| number.unwrap_or(0);
                let output = found.output();
                shapes.parameters += of(output.and_then(Output::count));
                shapes.parameter_bytes += of(output.and_then(Output::bytes));
            }
        }
        let peak = if is_whole { peak(module, &order, &needs) } else { None };
        shapes.peak_bytes = peak.and_then(|peak| peak.checked_add(shapes.parameter_bytes));
        Ok(Shapes { nodes, order: order.nodes, ..shapes })
    }

    /// Whole shapes for the inputs of which sizes are unknown. These sizes are examples.
    #[must_use]
    pub fn examples(&self, module: &Module<'_>) -> Vec<Input> {
        let example = |index: &u32| {
            let name = module.graph.get(*index)?.name()?;
            let known = self.node(*index)?.output().and_then(Output::shape);
            let is_whole = known.is_some_and(|sizes| sizes.iter().all(Option::is_some));
            (!is_whole).then(|| Input::example(known).named(name))
        };
        module.inputs.iter().filter_map(example).collect()
    }

    /// All that [`infer`](Shapes::infer) refuses, other than nodes after one that it refuses.
    #[must_use]
    pub fn errors(module: &Module<'_>, inputs: &[Input]) -> Vec<Error> {
        match Run::of(module, inputs) {
            Ok((_, run)) => run.errors,
            Err(error) => vec![error],
        }
    }

    /// The node at that position of [`Graph::nodes`](fourfold::tsm::Graph::nodes).
    #[must_use]
    pub fn node(&self, index: u32) -> Option<&NodeShapes> {
        self.nodes.get(usize::try_from(index).ok()?)
    }

    /// All nodes, in the order of [`Graph::nodes`](fourfold::tsm::Graph::nodes).
    #[must_use]
    pub fn nodes(&self) -> &[NodeShapes] {
        &self.nodes
    }

    /// The positions of nodes in an order in which they can be computed: first those that an output
    /// needs. Nodes of cycles are missing.
    #[must_use]
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The sum of [`NodeShapes::multiply_adds`] of all nodes that an output needs; `None` if one is
    /// unknown.
    #[must_use]
    pub fn multiply_adds(&self) -> Option<u64> {
        self.multiply_adds
    }

    /// The elements of all tensors that an output needs.
    #[must_use]
    pub fn parameters(&self) -> u64 {
        self.parameters
    }

    /// The bytes of these.
    #[must_use]
    pub fn parameter_bytes(&self) -> u64 {
        self.parameter_bytes
    }

    /// The most memory that is in use at one time: tensors of the module, and outputs until their last
    /// use. Buffers inside of operators do not count. `None` if a size is unknown.
    #[must_use]
    pub fn peak_bytes(&self) -> Option<u64> {
        self.peak_bytes
    }
}

/// What is given for each node.
fn given<'a>(module: &Module<'_>, inputs: &'a [Input]) -> Result<Vec<Option<&'a Input>>, Error> {
    let mut given = vec![None; module.graph.nodes.len()];
    let mut unnamed = 0;
    let mut by_name: HashMap<&[u8], &u32> = HashMap::new();
    if inputs.iter().any(|input| input.name.is_some()) {
        for index in &module.inputs {
            if let Some(name) = module.graph.get(*index).and_then(Node::name_bytes) {
                by_name.entry(name).or_insert(index);
            }
        }
    }
    for input in inputs {
        let index = match &input.name {
            Some(name) => by_name.get(name.as_bytes()).copied(),
            None => {
                unnamed += 1;
                module.inputs.get(unnamed - 1)
            }
        };
        let at = index.and_then(|index| usize::try_from(*index).ok());
        match at.and_then(|at| given.get_mut(at)) {
            Some(place) => *place = Some(input),
            None => return Err(no_input(module, input.name.clone())),
        }
    }
    Ok(given)
}

/// The error for a name that no input has, or for one more shape without a name.
fn no_input(module: &Module<'_>, name: Option<String>) -> Error {
    let names = module.input_nodes().take(8).map(|node| node.name().unwrap_or("?"));
    let inputs = names.collect::<Vec<_>>().join(", ");
    match name {
        Some(node) => Error { node, op: "input".to_owned(), kind: ErrorKind::NoInput { inputs } },
        None => Error {
            node: String::new(),
            op: "model".to_owned(),
            kind: ErrorKind::TooManyShapes { inputs },
        },
    }
}

const NOTHING: Need = Need { bytes: Some(0), is_view: false, is_input: false };

/// The computation, node by node.
struct Run<'a, 'de> {
    module: &'a Module<'de>,
    given: Vec<Option<&'a Input>>,
    nodes: Vec<NodeShapes>,
    needs: Vec<Need>,
    /// How many outputs may still be kept: params state counts of them that may be anything.
    outputs_left: usize,
    /// The nodes that TenniS refuses, whose outputs are unknown.
    errors: Vec<Error>,
}

impl<'a, 'de> Run<'a, 'de> {
    /// All nodes.
    fn of(module: &'a Module<'de>, inputs: &'a [Input]) -> Result<(Order, Self), Error> {
        let order = Order::of(module);
        let mut run = Run {
            module,
            given: given(module, inputs)?,
            nodes: vec![NodeShapes::default(); module.graph.nodes.len()],
            // No more than the file has bytes for, so to speak.
            outputs_left: 4096 + 8 * module.graph.nodes.len(),
            needs: vec![NOTHING; module.graph.nodes.len()],
            errors: Vec::new(),
        };
        for &index in &order.nodes {
            run.node(index);
        }
        Ok((order, run))
    }

    fn node(&mut self, index: u32) {
        let Some(node) = self.module.graph.get(index) else { return };
        let (found, need) = self.found(index, node).unwrap_or_else(|error| {
            self.errors.push(error);
            (NodeShapes { outputs: vec![Output::default()], ..NodeShapes::default() }, NOTHING)
        });
        self.outputs_left = self.outputs_left.saturating_sub(found.outputs.len());
        let at = usize::try_from(index).unwrap_or(usize::MAX);
        if let (Some(place), Some(old)) = (self.nodes.get_mut(at), self.needs.get_mut(at)) {
            (*place, *old) = (found, need);
        }
    }

    fn found(&self, index: u32, node: &Node<'_>) -> Result<(NodeShapes, Need), Error> {
        let operator = match Operator::of(node) {
            Ok(operator) => operator,
            Err(Error { kind: ErrorKind::UnknownOperator, .. }) => {
                let found = NodeShapes {
                    outputs: vec![stated(node)],
                    unknown: Some("TenniS has no such operator".to_owned()),
                    ..NodeShapes::default()
                };
                return Ok((found.clone(), Need { bytes: bytes(&found.outputs), ..NOTHING }));
            }
            Err(error) => return Err(error),
        };
        match operator {
            Operator::Param => {
                let outputs = vec![self.param(index, node)];
                let need = Need { bytes: bytes(&outputs), is_view: false, is_input: true };
                Ok((of_leaf(outputs, "the module does not state the shape of this input"), need))
            }
            Operator::Const => match node.value().and_then(|value| value.first()) {
                Some(_) => Ok((of_leaf(of_const(node), ""), NOTHING)),
                None => {
                    let kind = ErrorKind::Missing { param: "value", expected: "a tensor" };
                    Err(Error::new(node, kind))
                }
            },
            operator => {
                let found = self.computed(index, node, &operator)?;
                let bytes = bytes(&found.outputs);
                Ok((found, Need { bytes, is_view: is_view(&operator), is_input: false }))
            }
        }
    }

    /// What is given for an input, or stated in the module.
    fn param(&self, index: u32, node: &Node<'_>) -> Output {
        let given = usize::try_from(index).ok().and_then(|index| *self.given.get(index)?);
        let stated = stated(node);
        // TenniS takes float32 if nothing is stated.
        let dtype = stated.dtype().or(Some(DType::Float32));
        match (given, stated.shape()) {
            (Some(input), _) => {
                let output = Output::new(input.dtype.or(dtype), input.shape.clone());
                match &input.values {
                    Some(values) => {
                        output.with_values(values.iter().map(|value| Some(Number::Integer(*value))))
                    }
                    None => output,
                }
            }
            (None, Some(shape)) => Output::new(dtype, shape.to_vec()),
            (None, None) => Output::shapeless(dtype),
        }
    }

    fn computed(
        &self,
        index: u32,
        node: &Node<'_>,
        operator: &Operator,
    ) -> Result<NodeShapes, Error> {
        let inputs: Vec<&[Output]> =
            inputs_of(self.module, index).iter().map(|input| self.outputs_of(*input)).collect();
        let inputs = Inputs { node, nodes: &inputs, most_outputs: self.outputs_left.min(4096) };
        let result = match operator {
            Operator::Field { offset } => field(inputs, *offset),
            operator => outputs(operator, inputs),
        };
        let (outputs, unknown) = match result {
            Ok(outputs) => (outputs, None),
            Err(Failure::Unknown(reason)) => (vec![stated(node)], Some(reason)),
            Err(Failure::Wrong(message)) => {
                return Err(Error::new(
                    node,
                    ErrorKind::Inputs { message, inputs: listed(inputs) },
                ));
            }
        };
        let outputs: Vec<_> = match <[Output; 1]>::try_from(outputs) {
            Ok([output]) => vec![with_values(operator, inputs, output)],
            Err(outputs) => outputs,
        };
        let constants = inputs_of(self.module, index)
            .iter()
            .filter(|input| self.module.graph.get(**input).is_some_and(Node::is_const));
        let constants = constants.filter_map(|input| self.outputs_of(*input).first());
        let (parameters, parameter_bytes) =
            constants.fold((0u64, 0u64), |(count, bytes), tensor| {
                let of = |number: Option<u64>| number.unwrap_or(0);
                (count.saturating_add(of(tensor.count())), bytes.saturating_add(of(tensor.bytes())))
            });
        Ok(NodeShapes {
            multiply_adds: multiply_adds(operator, inputs, &outputs),
            outputs,
            parameters,
            parameter_bytes,
            unknown,
        })
    }

    fn outputs_of(&self, node: u32) -> &[Output] {
        let found = usize::try_from(node).ok().and_then(|node| self.nodes.get(node));
        found.map_or(&[], |found| &found.outputs)
    }
}

/// An input or a tensor.
fn of_leaf(outputs: Vec<Output>, reason: &str) -> NodeShapes {
    let is_unknown = outputs.first().is_none_or(|output| output.shape().is_none());
    let unknown = is_unknown.then(|| reason.to_owned());
    NodeShapes { outputs, multiply_adds: Some(0), unknown, ..NodeShapes::default() }
}

fn of_const(node: &Node<'_>) -> Vec<Output> {
    let tensors = node.value().map_or(&[][..], |value| &value.fields);
    tensors.iter().map(Output::of_tensor).collect()
}

/// What `#shape` and `#dtype` state.
fn stated(node: &Node<'_>) -> Output {
    match node.shape() {
        Some(shape) => {
            let size = |size: i32| (size >= 0).then_some(size);
            Output::new(node.dtype(), shape.into_iter().map(size).collect())
        }
        None => Output::shapeless(node.dtype()),
    }
}

/// A tensor of a packed one.
fn field(inputs: Inputs<'_>, offset: i32) -> Result<Vec<Output>, Failure> {
    let packed = inputs.nodes.first().copied().unwrap_or_default();
    let at = usize::try_from(offset).ok();
    match at.and_then(|at| packed.get(at)) {
        Some(output) => Ok(vec![output.clone()]),
        // Of what is unknown, the count of fields is, too.
        None if matches!(packed, [output] if output.shape().is_none()) => {
            Err(Failure::Unknown("the input is unknown".to_owned()))
        }
        None => Err(Failure::Wrong(format!("there is no field {offset} of {}", packed.len()))),
    }
}

/// The bytes of all outputs.
fn bytes(outputs: &[Output]) -> Option<u64> {
    outputs.iter().try_fold(0u64, |sum, output| sum.checked_add(output.bytes()?))
}

/// The types and shapes of inputs, for errors.
fn listed(inputs: Inputs<'_>) -> String {
    let mut list = String::new();
    for (at, outputs) in inputs.nodes.iter().take(8).enumerate() {
        let comma = if at == 0 { "" } else { ", " };
        match outputs.first() {
            Some(output) => _ = write!(list, "{comma}{output}"),
            None => _ = write!(list, "{comma}?"),
        }
    }
    match inputs.nodes.len() {
        0 => "none".to_owned(),
        1..=8 => list,
        count => format!("{list} and {} more", count - 8),
    }
}

/// How many outputs are listed of a node without a module.
const MOST_OUTPUTS: usize = 4096;

impl Operator {
    /// The outputs of a node that does this, from those of its inputs: several if they are packed. `None` if
    /// something is unknown that they depend on.
    ///
    /// # Errors
    ///
    /// Why TenniS refuses the inputs.
    ///
    /// ```
    /// use fourfold::tsm::DType;
    /// use fourfold_tennis::{Operator, Output};
    ///
    /// let x = Output::new(Some(DType::Float32), vec![None, Some(3), Some(8), Some(8)]);
    /// let outputs = Operator::Flatten { dim: 1 }.outputs(&[&x]);
    /// assert_eq!(outputs.unwrap().unwrap()[0].to_string(), "float32 [?, 192]");
    ///
    /// let refused = Operator::Matmul.outputs(&[&x, &x]).unwrap_err();
    /// assert_eq!(refused, "TenniS multiplies 4 dims only if the first two have the size 1");
    /// ```
    pub fn outputs(&self, inputs: &[&Output]) -> Result<Option<Vec<Output>>, String> {
        let nodes: Vec<&[Output]> =
            inputs.iter().map(|input| std::slice::from_ref(*input)).collect();
        let node = &Node::default();
        let inputs = Inputs { node, nodes: &nodes, most_outputs: MOST_OUTPUTS };
        match outputs(self, inputs) {
            Ok(outputs) => Ok(Some(match <[Output; 1]>::try_from(outputs) {
                Ok([output]) => vec![with_values(self, inputs, output)],
                Err(outputs) => outputs,
            })),
            Err(Failure::Unknown(_)) => Ok(None),
            Err(Failure::Wrong(reason)) => Err(reason),
        }
    }
}
