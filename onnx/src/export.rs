//! Modules of TenniS as models of ONNX.

mod affine;
mod boxes;
mod build;
mod deformable;
mod dense;
mod detection;
mod elementwise;
mod filter;
mod image;
mod infos;
mod lower;
mod order;
mod pad;
mod priors;
mod quantized;
mod reduce;
mod refused;
mod resample;
mod reshape;
mod select;
mod site;
mod types;

use std::collections::{HashMap, HashSet};

use bytes::Bytes;
use fourfold::tsm::{DType, Module, Node, Tensor};
use fourfold_tennis::{AutoPad, Input, Operator, Output, Shapes};

use self::build::Builder;
use self::infos::{FreeSizes, add_value_infos, info};
pub use self::lower::REFUSED;
use self::order::order;
use self::refused::{name_of, refused_node};
use self::site::{Lowered, Site, Value, cut, onnx};
use crate::dtype::DataType;
use crate::proto::{Model, OperatorSet, ValueInfo};
use crate::refused::{Refused, RefusedNode, unknown_sizes};

/// The version of ONNX's operators that models need.
const OPSET: i64 = 17;
/// The version of the format that belongs to it.
const IR_VERSION: i64 = 8;

/// Why the padding of pools is refused where it is no pool's own.
const PADDING: &str = "padding that is computed depends on sizes that are unknown";

/// How a module is converted.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// Shapes of inputs, in place of those that the module states. Unknown sizes stay free.
    pub inputs: Vec<Input>,
}

impl Options {
    /// The shapes that the module states.
    #[must_use]
    pub fn new() -> Self {
        Options::default()
    }

    /// Other shapes of inputs.
    #[must_use]
    pub fn inputs(self, inputs: Vec<Input>) -> Self {
        Options { inputs }
    }
}

/// Converts a module. The model computes what the CPU backend of TenniS 1.3.0 computes.
///
/// Values are called as the nodes of the module are. Nodes that no output needs are left out.
///
/// # Errors
///
/// All nodes that have no counterpart in ONNX, before anything else is done with them.
///
/// # Examples
///
/// ```
/// use fourfold::tsm::{DType, ModuleBuilder};
/// use fourfold_onnx::{Options, export};
///
/// let mut graph = ModuleBuilder::new();
/// let x = graph.param("x");
/// graph.at(x).shape(&[-1, 3]).dtype(DType::Float32);
/// let y = graph.op("softmax", "y", [x]).set("dim", 1).node();
/// let model = export(&graph.build([x], [y])?, &Options::new())?;
///
/// let graph = model.graph.as_ref().unwrap();
/// assert_eq!((&*graph.node[0].op_type, &*graph.node[0].output[0]), ("Softmax", "y"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn export(module: &Module<'_>, options: &Options) -> Result<Model, Refused> {
    if module.outputs.is_empty() {
        // ONNX has no graph without outputs: no runtime loads one.
        let reason = "the module has no outputs; name at least one";
        return Err(Refused::one("", "module", reason));
    }
    let order = order(module)?;
    let operators = operators(module, &order)?;
    let shapes = Shapes::infer(module, &options.inputs).map_err(|_| {
        let errors = Shapes::errors(module, &options.inputs).into_iter();
        let nodes =
            errors.map(|error| RefusedNode::new(error.node, error.op, &error.kind.to_string()));
        Refused::all(nodes.collect())
    })?;
    let mut exporter = Exporter::new(module, &order, &shapes);
    let mut refused = Vec::new();
    for (&index, operator) in order.iter().zip(&operators) {
        match exporter.node(index, operator) {
            Err(reason) if !exporter.follows_unknown(index) => {
                refused.push(refused_node(module, index, &reason));
            }
            _ => {}
        }
    }
    match refused.is_empty() {
        true => exporter.finish(options),
        false => Err(with_examples(module, options, &shapes, refused)),
    }
}

/// The error for nodes of a module whose inputs may have unknown sizes.
fn with_examples(
    module: &Module<'_>,
    options: &Options,
    shapes: &Shapes,
    nodes: Vec<RefusedNode>,
) -> Refused {
    Refused::new(nodes, shapes.examples(module), |examples| {
        let inputs = [&options.inputs, examples].concat();
        export(module, &Options { inputs })
    })
}

/// The operators of nodes. All that TenniS does not have, or that are refused whatever their inputs are, are an error.
fn operators(module: &Module<'_>, order: &[u32]) -> Result<Vec<Operator>, Refused> {
    let (mut operators, mut refused) = (Vec::new(), Vec::new());
    for &index in order {
        let Some(node) = module.graph.get(index) else { continue };
        match Operator::of(node) {
            Ok(operator) => operators.push(operator),
            Err(error) => refused.push(refused_node(module, index, &error.kind.to_string())),
        }
    }
    match refused.is_empty() {
        true => Ok(operators),
        false => Err(Refused::all(refused)),
    }
}

struct Exporter<'a, 'de> {
    module: &'a Module<'de>,
    builder: Builder,
    /// The outputs of each node.
    values: HashMap<u32, Vec<Value>>,
    /// Nodes that compute the padding of pools from sizes that are unknown: ONNX's pools do this themselves.
    paddings: HashSet<u32>,
    shapes: &'a Shapes,
    /// What fields of packed outputs are called: that of a node, at an offset.
    fields: HashMap<(u32, i32), String>,
    /// What the module's outputs are called in the model.
    infos: Vec<ValueInfo>,
    /// Inputs, by their node.
    inputs: HashMap<u32, String>,
}

impl<'a, 'de> Exporter<'a, 'de> {
    fn new(module: &'a Module<'de>, order: &[u32], shapes: &'a Shapes) -> Self {
        let mut exporter = Exporter {
            module,
            builder: Builder::default(),
            values: HashMap::new(),
            paddings: HashSet::new(),
            shapes,
            fields: HashMap::new(),
            infos: Vec::new(),
            inputs: HashMap::new(),
        };
        for &index in &module.inputs {
            if !exporter.inputs.contains_key(&index)
                && let Some(node) = module.graph.get(index)
            {
                let name = exporter.builder.names.unique(&name_of(node));
                exporter.inputs.insert(index, name);
            }
        }
        for &index in order {
            let Some(node) = module.graph.get(index) else { continue };
            if let (Ok(Operator::Field { offset }), Some(&packed)) =
                (Operator::of(node), node.inputs.first())
                && !exporter.fields.contains_key(&(packed, offset))
            {
                let name = exporter.builder.names.unique(&name_of(node));
                exporter.fields.insert((packed, offset), name);
            }
        }
        exporter
    }

    /// What is known of an output, under a name.
    fn value(output: &Output, unknown: Option<&str>, name: String) -> Lowered<Value> {
        let because = unknown.map(|reason| format!(": {reason}")).unwrap_or_default();
        let shape = output.shape();
        let shape =
            shape.ok_or_else(|| unknown_sizes(&format!("its shape is unknown{because}")))?;
        let dtype = output.dtype();
        let dtype =
            dtype.ok_or_else(|| format!("its type is unknown{because}; state it in #dtype"))?;
        let shape = shape.iter().map(|size| size.map(i64::from)).collect();
        Ok(Value { name, dtype, shape, ints: output.integers() })
    }

    fn node(&mut self, index: u32, operator: &Operator) -> Lowered {
        let Some(node) = self.module.graph.get(index) else { return Ok(()) };
        if let Operator::Const = operator {
            return self.constant(index, node);
        }
        if let Operator::Field { offset } = operator {
            return self.field(index, node, *offset);
        }
        if let Operator::Pack = operator {
            let values = self.inputs_of(node)?;
            self.values.insert(index, values);
            return Ok(());
        }
        let known = self.shapes.node(index);
        let found = known.map(|known| known.outputs.as_slice()).unwrap_or_default();
        let unknown = known.and_then(|known| known.unknown.as_deref());
        if let Operator::Param = operator {
            let Some(name) = self.inputs.get(&index).cloned() else {
                return Err("it is not among the inputs of the module".into());
            };
            let value = found.first().ok_or("its shape is unknown")?;
            let value = Self::value(value, unknown, name)?;
            onnx(value.dtype)?;
            self.values.insert(index, vec![value]);
            return Ok(());
        }
        let names = self.names(index, node, found.len());
        let values =
            found.iter().zip(names).map(|(output, name)| Self::value(output, unknown, name));
        let outputs = values.collect::<Lowered<Vec<_>>>();
        // Shapes do not help where the operator itself is refused.
        let outputs = outputs.map_err(|reason| match lower::refused(operator) {
            Some(refused) => refused.to_owned(),
            None => reason,
        })?;
        // Also if it is refused, so that the nodes after it are examined.
        self.values.insert(index, outputs.clone());
        if outputs.iter().all(|output| output.count() == Some(0)) {
            // Nothing runs, either: TenniS takes a shape of 0 where ONNX does not, or divides by it.
            for Value { name, dtype, shape, .. } in &outputs {
                let dims = shape.iter().copied().flatten().collect();
                self.builder.named(name, onnx(*dtype)?, dims, Bytes::new());
            }
            Ok(())
        } else if let [Value { dtype: DType::Int32 | DType::Int64, ints: Some(ints), name, .. }] =
            &outputs[..]
            && let [output] = found
        {
            // Computed from shapes and constants, so that nothing runs.
            self.folded(name, &outputs, ints, output)
        } else if let Operator::OnnxPooling2dPadding { .. } = operator {
            self.paddings.insert(index);
            Ok(())
        } else if let Operator::Pooling2dV2 { format, kind, padding_type } = *operator
            && let Some((auto_pad, padding)) = self.padding_of(node)
        {
            let inputs = self.packed_inputs(node)?.concat();
            let mut site = Site::new(&mut self.builder, inputs, outputs);
            image::pool_of_computed(&mut site, (format, padding), (kind, padding_type), auto_pad)
        } else {
            let inputs = match operator {
                Operator::YoloPoster { .. } => boxes::fields(self.packed_inputs(node)?)?,
                _ => self.inputs_of(node)?,
            };
            lower::lower(&mut Site::new(&mut self.builder, inputs, outputs), operator)
        }
    }

    /// Whether the type or shape of an input is unknown, for which its own node is refused.
    fn follows_unknown(&self, index: u32) -> bool {
        let inputs = self.module.graph.get(index).map(|node| node.inputs.as_slice());
        inputs.unwrap_or_default().iter().any(|input| !self.values.contains_key(input))
    }

    /// Names for the outputs of a node.
    fn names(&mut self, index: u32, node: &Node<'_>, count: usize) -> Vec<String> {
        let name = name_of(node);
        if count == 1 {
            return vec![self.builder.names.unique(&name)];
        }
        let offsets = 0..i32::try_from(count).unwrap_or(i32::MAX);
        let names = offsets.map(|offset| match self.fields.get(&(index, offset)) {
            Some(field) => field.clone(),
            None => self.builder.names.unique(&format!("{name}:{offset}")),
        });
        names.collect()
    }

    /// The params of the node that computes the padding of a pool, if the sizes that it needs are unknown.
    fn padding_of(&self, pool: &Node<'_>) -> Option<(AutoPad, [[i32; 2]; 4])> {
        let &[x, padding, ksize, stride] = pool.inputs.as_slice() else { return None };
        let padding =
            self.module.graph.get(padding).filter(|_| self.paddings.contains(&padding))?;
        match Operator::of(padding) {
            Ok(Operator::OnnxPooling2dPadding { auto_pad, padding: given })
                if padding.inputs == [x, ksize, stride] =>
            {
                Some((auto_pad, given))
            }
            _ => None,
        }
    }

    fn inputs_of(&self, node: &Node<'_>) -> Lowered<Vec<Value>> {
        if node.inputs.iter().any(|input| self.paddings.contains(input)) {
            return Err(unknown_sizes(PADDING));
        }
        let inputs =
            node.inputs.iter().map(|input| match self.values.get(input).map(Vec::as_slice) {
                Some([value]) => onnx(value.dtype).map(|_| value.clone()),
                Some(values) => Err(format!("its input is a packed tensor of {}", values.len())),
                None => Err("its input cannot be converted".to_owned()),
            });
        inputs.collect()
    }

    /// The tensors of inputs, of which some are packed.
    fn packed_inputs(&self, node: &Node<'_>) -> Lowered<Vec<Vec<Value>>> {
        let inputs = node.inputs.iter().map(|input| self.values.get(input).cloned());
        let inputs: Option<Vec<_>> = inputs.collect();
        inputs.ok_or_else(|| "its input cannot be converted".into())
    }

    fn folded(&mut self, name: &str, outputs: &[Value], ints: &[i64], output: &Output) -> Lowered {
        let bytes: Vec<u8> = match output.dtype() {
            Some(DType::Int32) => {
                let narrow = ints.iter().map(|&value| i32::try_from(value).map(i32::to_le_bytes));
                narrow
                    .collect::<Result<Vec<_>, _>>()
                    .map_err(|_| "a value is beyond int32")?
                    .concat()
            }
            _ => ints.iter().flat_map(|value| value.to_le_bytes()).collect(),
        };
        let sizes = outputs.first().and_then(Value::sizes).ok_or("its shape is unknown")?;
        let dtype = onnx(outputs.first().map_or(DType::Void, |value| value.dtype))?;
        self.builder.named(name, dtype, sizes, bytes.into());
        Ok(())
    }

    fn constant(&mut self, index: u32, node: &Node<'_>) -> Lowered {
        let fields = node.value().map(|value| value.fields.as_slice()).unwrap_or_default();
        let names = self.names(index, node, fields.len());
        let values = fields.iter().zip(names).map(|(tensor, name)| {
            let dims: Vec<i64> = tensor.shape().iter().map(|&size| size.into()).collect();
            let shape = dims.iter().copied().map(Some).collect();
            let value = Value { name, dtype: tensor.dtype(), shape, ints: integers(tensor) };
            // Of a type that ONNX does not have, until a node needs it.
            if let Some(dtype) = DataType::of_tennis(tensor.dtype()) {
                let bytes = Bytes::copy_from_slice(tensor.bytes());
                self.builder.named(&value.name, dtype, dims, bytes);
            }
            value
        });
        let values = values.collect();
        self.values.insert(index, values);
        Ok(())
    }

    /// A tensor of a packed one.
    fn field(&mut self, index: u32, node: &Node<'_>, offset: i32) -> Lowered {
        if node.inputs.iter().any(|input| self.paddings.contains(input)) {
            return Err(unknown_sizes(PADDING));
        }
        let packed = node.inputs.first().and_then(|packed| self.values.get(packed));
        let packed = packed.ok_or("its input cannot be converted")?;
        let field = usize::try_from(offset).ok().and_then(|offset| packed.get(offset)).cloned();
        let field = field.ok_or_else(|| format!("its input has {} tensors", packed.len()))?;
        self.values.insert(index, vec![field]);
        Ok(())
    }

    fn finish(mut self, options: &Options) -> Result<Model, Refused> {
        let mut outputs = Vec::new();
        // Names that are taken: of inputs, and of outputs so far.
        let mut taken: HashSet<String> = self.inputs.values().cloned().collect();
        let module = self.module;
        let free = FreeSizes::of(module, self.shapes, &self.inputs);
        for &index in &module.outputs {
            if self.paddings.contains(&index) {
                let nodes = vec![refused_node(module, index, &unknown_sizes(PADDING))];
                return Err(with_examples(module, options, self.shapes, nodes));
            }
            let values = self.values.get(&index).cloned().unwrap_or_default();
            for (at, value) in values.into_iter().enumerate() {
                let is_constant = self.builder.find(&value.name).is_some();
                let is_free = !is_constant && taken.insert(value.name.clone());
                let name = match is_free {
                    true => value.name.clone(),
                    // An input, a constant, or the same output once more.
                    false => {
                        let name = self.builder.names.unique(&format!("{}/output", value.name));
                        let inputs = vec![value.name.clone()];
                        self.builder.node("Identity", inputs, vec![name.clone()], Vec::new());
                        name
                    }
                };
                outputs.push(name.clone());
                let size = |dim| {
                    let same = free.of_output(index, at, dim);
                    same.or_else(|| Some(format!("{name}_{dim}")))
                };
                let info = info(&Value { name: name.clone(), ..value }, size);
                self.infos.push(
                    info.map_err(|reason| {
                        Refused::all(vec![refused_node(module, index, &reason)])
                    })?,
                );
            }
        }
        let mut graph = self.builder.finish(&outputs);
        for &index in &module.inputs {
            let Some(name) = self.inputs.remove(&index) else { continue };
            let refused = |reason: String| {
                let nodes = vec![refused_node(module, index, &reason)];
                with_examples(module, options, self.shapes, nodes)
            };
            // One that no output needs has not been visited.
            let known = self
                .shapes
                .node(index)
                .and_then(|known| known.output().cloned())
                .unwrap_or_default();
            let value = Self::value(&known, None, name).map_err(refused)?;
            graph.input.push(info(&value, |dim| free.of_input(index, dim)).map_err(refused)?);
        }
        graph.output = self.infos;
        add_value_infos(&mut graph, &self.values, &free);
        graph.name = "module".to_owned();
        Ok(Model {
            ir_version: IR_VERSION,
            producer_name: env!("CARGO_PKG_NAME").to_owned(),
            producer_version: env!("CARGO_PKG_VERSION").to_owned(),
            opset_import: vec![OperatorSet { domain: String::new(), version: OPSET }],
            graph: Some(graph),
            ..Model::default()
        })
    }
}

/// The elements of a tensor as integers, if they are few.
fn integers(tensor: &Tensor<'_>) -> Option<Vec<i64>> {
    const MOST: usize = 64;
    if tensor.count() > MOST {
        return None;
    }
    Some(match tensor.dtype() {
        // TenniS casts sizes, which its front end may write as floats.
        DType::Float32 => {
            tensor.to_vec::<f32>().ok()?.into_iter().map(|at| cut(at.into())).collect()
        }
        DType::Float64 => tensor.to_vec::<f64>().ok()?.into_iter().map(cut).collect(),
        DType::Boolean => return None,
        _ => tensor.integers().ok()?,
    })
}
