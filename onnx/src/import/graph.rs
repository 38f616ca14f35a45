//! The module on its way: nodes that may be left out at the end.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use fourfold::tsm::{DType, Module, ModuleBuilder, Tensor};
use fourfold_tennis::{Operator, Output, Size};

use super::Lowered;
use crate::names::Names;
use crate::refused::unknown_sizes;

/// The most numbers that are read of a tensor. Many nodes may have the same tensor.
pub(super) const MOST_NUMBERS: usize = 1024;

/// The most elements of all weights and indices that resize and pad images.
const MOST_SPENT: usize = 1 << 24;

/// The most bytes of weights that are copied.
const MOST_COPIED: usize = 1 << 30;

/// A value: what TenniS has for a value of ONNX.
#[derive(Clone)]
pub(super) struct Value {
    source: Source,
    pub(super) output: Output,
    /// ONNX has int64, where TenniS has int32: shapes and indices.
    pub(super) is_narrow: bool,
}

#[derive(Clone)]
enum Source {
    /// The output of a node.
    Node(usize),
    /// A tensor, which becomes a node where one is needed.
    Constant { name: Rc<str>, tensor: Rc<Tensor<'static>> },
}

impl Value {
    pub(super) fn constant(name: &str, tensor: Tensor<'static>) -> Self {
        let output = Output::of_tensor(&tensor);
        let source = Source::Constant { name: name.into(), tensor: Rc::new(tensor) };
        Value { source, output, is_narrow: false }
    }

    /// The same value, whether ONNX has int64 for it.
    pub(super) fn narrowed(self, is_narrow: bool) -> Self {
        Value { is_narrow, ..self }
    }

    pub(super) fn dtype(&self) -> Lowered<DType> {
        self.output.dtype().ok_or_else(|| "the type of its input is unknown".into())
    }

    pub(super) fn shape(&self) -> Lowered<&[Size]> {
        let shape = self.output.shape();
        shape.ok_or_else(|| unknown_sizes("the shape of its input is unknown"))
    }

    pub(super) fn rank(&self) -> Lowered<usize> {
        self.shape().map(<[Size]>::len)
    }

    /// The size of a dim.
    pub(super) fn size(&self, dim: usize) -> Option<i64> {
        self.output.shape()?.get(dim).copied().flatten().map(i64::from)
    }

    /// The tensor, if it is one.
    pub(super) fn tensor(&self) -> Option<&Tensor<'static>> {
        match &self.source {
            Source::Constant { tensor, .. } => Some(tensor),
            Source::Node(_) => None,
        }
    }

    /// The integers, if they are known and not many: they are sizes, positions and the like.
    pub(super) fn integers(&self) -> Option<Vec<i64>> {
        match self.tensor() {
            Some(tensor) if tensor.count() <= MOST_NUMBERS => tensor.integers().ok(),
            Some(_) => None,
            None => self.output.integers(),
        }
    }

    /// The numbers of a tensor of floats, if they are not many.
    pub(super) fn floats(&self) -> Option<Vec<f64>> {
        let tensor = self.tensor().filter(|tensor| tensor.count() <= MOST_NUMBERS)?;
        match tensor.dtype() {
            DType::Float32 => {
                Some(tensor.values::<f32>().ok()?.iter().map(|&value| value.into()).collect())
            }
            DType::Float64 => tensor.to_vec::<f64>().ok(),
            _ => None,
        }
    }

    /// The truth value of a tensor of one.
    pub(super) fn truth(&self) -> Option<bool> {
        let tensor = self.tensor().filter(|tensor| tensor.dtype() == DType::Boolean)?;
        match tensor.bytes() {
            [byte] => Some(*byte != 0),
            _ => None,
        }
    }

    /// The only number of a tensor of floats.
    pub(super) fn float(&self) -> Option<f64> {
        self.tensor().filter(|tensor| tensor.count() == 1)?;
        self.floats()?.first().copied()
    }
}

/// What is made of a tensor.
#[derive(PartialEq, Eq, Hash)]
pub(super) enum Conversion {
    /// The same elements in another shape.
    Reshaped(Vec<i32>),
    /// As many tensors of a part of the first dim each.
    Divided(i32),
    /// The number that all elements are, if they are equal floats.
    Uniform,
    /// Zeros in a shape that goes with it.
    Zeros([i32; 2]),
}

/// A tensor, so that it lives as long as its address is used, and what was made of it.
type Converted = (Rc<Tensor<'static>>, Vec<Value>);

/// A node that is not written yet.
struct Step {
    name: String,
    operator: Operator,
    inputs: Vec<usize>,
    output: Output,
    tensor: Option<Rc<Tensor<'static>>>,
    /// Type and shape of an input of the module.
    input: Option<(DType, Option<Vec<i32>>)>,
}

impl Step {
    /// Whether it is neither an input nor a tensor.
    fn is_between(&self) -> bool {
        self.tensor.is_none() && self.input.is_none()
    }
}

/// A constant that several nodes may use.
struct Shared {
    uses: usize,
    copies: usize,
    name: String,
    tensor: Rc<Tensor<'static>>,
}

/// Whether TenniS packs the constant in place when it loads a module. Then other nodes cannot use it.
fn is_packed(operator: &Operator, input: usize) -> bool {
    match operator {
        Operator::Conv2d { .. } | Operator::InnerProd { .. } => input == 1,
        Operator::Conv2dV2 { .. } => input == 2,
        Operator::Gemm { .. } => input < 2,
        _ => false,
    }
}

/// The nodes.
#[derive(Default)]
pub(super) struct Graph {
    pub(super) names: Names,
    steps: Vec<Step>,
    /// Whether each step is the same whatever the inputs of the module are.
    fixed: Vec<bool>,
    /// The nodes of tensors, by the tensors' addresses, which live as long as the steps.
    constants: HashMap<*const Tensor<'static>, usize>,
    /// Nodes that cast others to int64.
    wide: HashMap<usize, usize>,
    /// Elements of constants that are made of sizes.
    spent: usize,
    /// What was made of tensors, by their addresses.
    converted: HashMap<(*const Tensor<'static>, Conversion), Converted>,
}

impl Graph {
    /// An input of the module, whose name is unique already.
    pub(super) fn input(&mut self, name: &str, dtype: DType, shape: Option<Vec<i32>>) -> Value {
        let sizes = shape.iter().flatten().map(|&size| (size >= 0).then_some(size)).collect();
        let output = match shape {
            Some(_) => Output::new(Some(dtype), sizes),
            None => Output::shapeless(Some(dtype)),
        };
        let step = self.push(Step {
            name: name.to_owned(),
            operator: Operator::Param,
            inputs: Vec::new(),
            output: output.clone(),
            tensor: None,
            input: Some((dtype, shape)),
        });
        Value { source: Source::Node(step), output, is_narrow: false }
    }

    /// Adds a node with a name that is unique already.
    pub(super) fn node(
        &mut self,
        name: String,
        operator: Operator,
        inputs: &[&Value],
        output: Output,
    ) -> Value {
        let inputs = inputs.iter().map(|input| self.step_of(input)).collect();
        let kept = output.clone();
        let step = Step { name, operator, inputs, output: kept, tensor: None, input: None };
        Value { source: Source::Node(self.push(step)), output, is_narrow: false }
    }

    /// The value as int64, if it is int64 in ONNX.
    pub(super) fn widened(&mut self, value: &Value) -> Value {
        if !value.is_narrow {
            return value.clone();
        }
        let from = self.step_of(value);
        let output = value.output.clone().with_dtype(DType::Int64);
        let step = match self.wide.get(&from) {
            Some(&step) => step,
            None => {
                let base = self.steps.get(from).map_or("", |step| step.name.as_str());
                let name = self.names.unique(&format!("{base}/int64"));
                let operator = Operator::Cast { dtype: DType::Int64 };
                let inputs = vec![from];
                let kept = output.clone();
                let step = self.push(Step {
                    name,
                    operator,
                    inputs,
                    output: kept,
                    tensor: None,
                    input: None,
                });
                self.wide.insert(from, step);
                step
            }
        };
        Value { source: Source::Node(step), output, is_narrow: false }
    }

    /// Tensors that are made of one, which are the same for all nodes that have it. `None` for other values.
    pub(super) fn converted(
        &mut self,
        value: &Value,
        conversion: Conversion,
        name: &str,
        make: impl FnOnce(&Tensor<'static>) -> Lowered<Vec<Tensor<'static>>>,
    ) -> Lowered<Option<Vec<Value>>> {
        let Source::Constant { tensor, .. } = &value.source else { return Ok(None) };
        let key = (Rc::as_ptr(tensor), conversion);
        if let Some((_, made)) = self.converted.get(&key) {
            return Ok(Some(made.clone()));
        }
        let tensors = make(tensor)?.into_iter();
        let made: Vec<Value> =
            tensors.map(|made| Value::constant(&self.names.unique(name), made)).collect();
        self.converted.insert(key, (Rc::clone(tensor), made.clone()));
        Ok(Some(made))
    }

    /// Counts elements of constants that are made of claims: sizes of images.
    pub(super) fn spend(&mut self, count: usize) -> Lowered {
        self.spent = self.spent.saturating_add(count);
        match self.spent <= MOST_SPENT {
            true => Ok(()),
            false => Err(format!(
                "weights and indices of images have more than {MOST_SPENT} elements; resize and pad them before the model"
            )),
        }
    }

    /// The operator that computes a value, and its inputs.
    pub(super) fn maker(&self, value: &Value) -> Option<(&Operator, &[usize])> {
        let Source::Node(step) = value.source else { return None };
        self.steps.get(step).map(|step| (&step.operator, step.inputs.as_slice()))
    }

    /// The value of a node.
    pub(super) fn value(&self, step: usize) -> Option<Value> {
        let output = self.steps.get(step)?.output.clone();
        Some(Value { source: Source::Node(step), output, is_narrow: false })
    }

    /// Whether a value is that of a node.
    pub(super) fn is(&self, value: &Value, step: usize) -> bool {
        match &value.source {
            Source::Node(own) => *own == step,
            Source::Constant { tensor, .. } => {
                self.constants.get(&Rc::as_ptr(tensor)) == Some(&step)
            }
        }
    }

    /// The tensor of a node.
    pub(super) fn tensor(&self, step: usize) -> Option<Value> {
        let step = self.steps.get(step)?;
        let tensor = Rc::clone(step.tensor.as_ref()?);
        let source = Source::Constant { name: step.name.as_str().into(), tensor };
        Some(Value { source, output: step.output.clone(), is_narrow: false })
    }

    /// Whether a value is the same whatever the inputs of the module are. TenniS computes these when it loads it.
    pub(super) fn is_fixed(&self, value: &Value) -> bool {
        match value.source {
            Source::Node(step) => self.fixed.get(step) == Some(&true),
            Source::Constant { .. } => true,
        }
    }

    fn push(&mut self, step: Step) -> usize {
        let are_fixed = step.inputs.iter().all(|&input| self.fixed.get(input) == Some(&true));
        self.fixed.push(step.input.is_none() && are_fixed);
        self.steps.push(step);
        self.steps.len() - 1
    }

    /// The position of the node of a value.
    fn step_of(&mut self, value: &Value) -> usize {
        let (name, tensor) = match &value.source {
            Source::Node(step) => return *step,
            Source::Constant { name, tensor } => (name, tensor),
        };
        if let Some(&step) = self.constants.get(&Rc::as_ptr(tensor)) {
            return step;
        }
        let step = self.push(Step {
            name: name.as_ref().to_owned(),
            operator: Operator::Const,
            inputs: Vec::new(),
            output: value.output.clone(),
            tensor: Some(Rc::clone(tensor)),
            input: None,
        });
        self.constants.insert(Rc::as_ptr(tensor), step);
        step
    }

    /// The value under the name of an output of the module: a node that is none yet gets the name.
    fn named(&mut self, value: &Value, name: &str, outputs: &HashSet<&str>) -> usize {
        let value = self.widened(value);
        let at = self.step_of(&value);
        match self.steps.get_mut(at) {
            Some(step) if step.name == name => at,
            Some(step) if step.is_between() && !outputs.contains(step.name.as_str()) => {
                name.clone_into(&mut step.name);
                at
            }
            _ => {
                let copy =
                    self.node(name.to_owned(), Operator::Copy, &[&value], value.output.clone());
                self.step_of(&copy)
            }
        }
    }

    /// The constants of which nodes need copies.
    fn shared(&self, is_needed: &[bool], outputs: &[usize]) -> Lowered<HashMap<usize, Shared>> {
        let mut shared: HashMap<usize, Shared> = HashMap::new();
        let mut add = |at: usize, is_packed: bool| {
            if let Some(Step { name, tensor: Some(tensor), .. }) = self.steps.get(at) {
                let new =
                    || Shared { uses: 0, copies: 0, name: name.clone(), tensor: Rc::clone(tensor) };
                let entry = shared.entry(at).or_insert_with(new);
                entry.uses += 1;
                entry.copies += usize::from(is_packed);
            }
        };
        for (step, _) in self.steps.iter().zip(is_needed).filter(|(_, is_needed)| **is_needed) {
            for (index, &at) in step.inputs.iter().enumerate() {
                add(at, is_packed(&step.operator, index));
            }
        }
        outputs.iter().for_each(|&at| add(at, false));
        let mut bytes = 0_usize;
        for constant in shared.values_mut() {
            // If no other node uses it, one of them needs no copy.
            constant.copies -= usize::from(constant.copies == constant.uses);
            let copied = constant.copies.saturating_mul(constant.tensor.bytes().len());
            bytes = bytes.saturating_add(copied);
        }
        shared.retain(|_, constant| constant.copies > 0);
        match bytes <= MOST_COPIED {
            true => Ok(shared),
            false => Err(format!(
                "{bytes} bytes of weights are shared by nodes, TenniS needs copies of these, and at \
                 most {MOST_COPIED} are made; export the model with weights that are not shared"
            )),
        }
    }

    /// The module: inputs, and what outputs need.
    pub(super) fn finish(
        mut self,
        inputs: &[Value],
        outputs: &[(&str, Value)],
    ) -> Lowered<Module<'static>> {
        // Tensors of one owner are moved, not copied.
        self.converted.clear();
        let inputs: Vec<usize> = inputs.iter().map(|input| self.step_of(input)).collect();
        let names: HashSet<&str> = outputs.iter().map(|(name, _)| *name).collect();
        let outputs: Vec<usize> =
            outputs.iter().map(|(name, value)| self.named(value, name, &names)).collect();
        let mut is_needed = vec![false; self.steps.len()];
        let mut open = outputs.clone();
        while let Some(step) = open.pop() {
            if let (Some(needed), Some(step)) = (is_needed.get_mut(step), self.steps.get(step))
                && !std::mem::replace(needed, true)
            {
                open.extend(&step.inputs);
            }
        }
        // TenniS runs a module that needs none of its inputs only if it has none.
        let is_used = inputs.iter().any(|&input| is_needed.get(input) == Some(&true));
        let inputs = if is_used { inputs } else { Vec::new() };
        for &input in &inputs {
            if let Some(needed) = is_needed.get_mut(input) {
                *needed = true;
            }
        }
        let mut shared = self.shared(&is_needed, &outputs)?;
        let mut names = self.names;
        let mut builder = ModuleBuilder::new();
        let mut ids = Vec::with_capacity(self.steps.len());
        for (step, is_needed) in self.steps.into_iter().zip(is_needed) {
            if !is_needed {
                ids.push(None);
                continue;
            }
            let mut used = Vec::with_capacity(step.inputs.len());
            for (at, input) in step.inputs.iter().enumerate() {
                match shared.get_mut(input) {
                    Some(constant) if constant.copies > 0 && is_packed(&step.operator, at) => {
                        constant.copies -= 1;
                        let tensor = Tensor::clone(&constant.tensor);
                        used.push(builder.constant(&names.unique(&constant.name), tensor));
                    }
                    _ => used.extend(ids.get(*input).copied().flatten()),
                }
            }
            ids.push(Some(match (step.tensor, step.input) {
                (Some(tensor), _) => builder.constant(&step.name, Rc::unwrap_or_clone(tensor)),
                (None, Some((dtype, shape))) => {
                    let id = builder.param(&step.name);
                    let node = builder.at(id).dtype(dtype);
                    match shape {
                        Some(shape) => node.shape(&shape).node(),
                        None => node.node(),
                    }
                }
                (None, None) => {
                    let added = step.operator.add_to(&mut builder, &step.name, used);
                    added.map_err(|error| error.to_string())?
                }
            }));
        }
        let ids_of = |steps: Vec<usize>| -> Vec<_> {
            steps.into_iter().filter_map(|step| ids.get(step).copied().flatten()).collect()
        };
        builder.build(ids_of(inputs), ids_of(outputs)).map_err(|error| error.to_string())
    }
}
