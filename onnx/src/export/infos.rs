//! Names, types and shapes of values.

use std::collections::{HashMap, HashSet};

use fourfold::tsm::Module;
use fourfold_tennis::{Input, NodeShapes, Output, Shapes};

use super::site::{Lowered, Value, onnx};
use crate::proto::{Dimension, Graph, Kind, Shape, Size, TensorType, Type, ValueInfo};

/// The name, type and shape of a value. `name` is what its free sizes are called.
pub(super) fn info(value: &Value, name: impl Fn(usize) -> Option<String>) -> Lowered<ValueInfo> {
    let dim = |(at, size): (usize, &Option<i64>)| {
        let value = size.map(Size::Value).or_else(|| name(at).map(Size::Name));
        Dimension { value, ..Dimension::default() }
    };
    let shape = Shape { dim: value.shape.iter().enumerate().map(dim).collect() };
    let tensor = TensorType { elem_type: onnx(value.dtype)?.number(), shape: Some(shape) };
    let r#type = Type { value: Some(Kind::Tensor(tensor)), ..Type::default() };
    Ok(ValueInfo { name: value.name.clone(), r#type: Some(r#type), ..ValueInfo::default() })
}

/// Names of the free sizes of inputs, and of outputs that have the same sizes.
pub(super) struct FreeSizes {
    /// Of inputs, by node and dim.
    inputs: HashMap<(u32, usize), String>,
    /// The same, by the numbers that they are in the trials.
    numbers: HashMap<Vec<i32>, String>,
    /// What all shapes are if each free size is a number of its own: small, odd, even and huge ones, so that no size is
    /// equal by chance, by rounding or up to a limit. Those that TenniS refuses are left out.
    trials: Vec<Shapes>,
}

/// The numbers of the free size at a position in the trials.
fn numbers_of(at: i32) -> [i32; 5] {
    [1 + at, 2 + 3 * at, 1021 + 2 * at, 4096 + 6 * at, (1 << 24) + 5 * at]
}

impl FreeSizes {
    /// The sizes that `shapes` leaves free. `names` are those of inputs.
    pub(super) fn of(module: &Module<'_>, shapes: &Shapes, names: &HashMap<u32, String>) -> Self {
        let known = |index: u32| shapes.node(index).and_then(NodeShapes::output);
        let sizes = |index: u32| known(index).and_then(Output::shape).unwrap_or_default();
        let is_free = |index: &&u32| sizes(**index).first() == Some(&None);
        let one_batch = module.inputs.iter().filter(is_free).count() == 1;
        let (mut inputs, mut own) = (HashMap::new(), HashMap::new());
        for &index in &module.inputs {
            let called = names.get(&index).map_or("", String::as_str);
            for (dim, _) in sizes(index).iter().enumerate().filter(|(_, size)| size.is_none()) {
                let name = match dim {
                    0 if one_batch => "batch".to_owned(),
                    dim => format!("{called}_{dim}"),
                };
                // More of them than any module has get no names at outputs.
                if let Some(at) = i32::try_from(inputs.len()).ok().filter(|&at| at < 1 << 20) {
                    own.insert((index, dim), numbers_of(at));
                }
                inputs.insert((index, dim), name);
            }
        }
        let trial = |trial: usize| {
            let given = module.inputs.iter().map(|&index| {
                let sizes = sizes(index).iter().enumerate();
                let size = |(dim, size): (usize, &Option<i32>)| {
                    size.or_else(|| own.get(&(index, dim))?.get(trial).copied())
                };
                let dtype = known(index).and_then(Output::dtype);
                Input { dtype, ..Input::new(sizes.map(size).collect()) }
            });
            Shapes::infer(module, &given.collect::<Vec<_>>()).ok()
        };
        let all = if inputs.is_empty() { 0 } else { numbers_of(0).len() };
        let (used, trials): (Vec<usize>, Vec<Shapes>) =
            (0..all).filter_map(|at| Some((at, trial(at)?))).unzip();
        // Without the large ones, too little is known.
        let trials = if used.ends_with(&[2, 3, 4]) { trials } else { Vec::new() };
        let numbers = inputs.iter().filter_map(|(place, name)| {
            let numbers = own.get(place)?;
            let numbers = used.iter().filter_map(|&trial| numbers.get(trial).copied());
            Some((numbers.collect(), name.clone()))
        });
        FreeSizes { numbers: numbers.collect(), inputs, trials }
    }

    /// The name of a free size of an input.
    pub(super) fn of_input(&self, index: u32, dim: usize) -> Option<String> {
        self.inputs.get(&(index, dim)).cloned()
    }

    /// The name of the input's size that a free size of an output of a node is.
    pub(super) fn of_output(&self, index: u32, output: usize, dim: usize) -> Option<String> {
        let size = |trial: &Shapes| *trial.node(index)?.outputs.get(output)?.shape()?.get(dim)?;
        let sizes: Option<Vec<i32>> = self.trials.iter().map(size).collect();
        self.numbers.get(&sizes?).cloned()
    }
}

/// Types and shapes of the values between, in the order of the nodes.
pub(super) fn add_value_infos(
    graph: &mut Graph,
    values: &HashMap<u32, Vec<Value>>,
    free: &FreeSizes,
) {
    let outputs = values.iter().flat_map(|(index, values)| {
        values.iter().enumerate().map(|(at, value)| (value.name.as_str(), (*index, at, value)))
    });
    let known: HashMap<&str, (u32, usize, &Value)> = outputs.collect();
    let ends: HashSet<&str> = graph.output.iter().map(|output| output.name.as_str()).collect();
    let outputs = graph.node.iter().flat_map(|node| &node.output);
    let between = outputs
        .filter(|name| !ends.contains(name.as_str()))
        .filter_map(|name| known.get(name.as_str()));
    let infos = between
        .filter_map(|(index, at, value)| info(value, |dim| free.of_output(*index, *at, dim)).ok());
    graph.value_info = infos.collect();
}
