//! One node of ONNX, and the nodes of TenniS that are made of it.

use std::collections::HashSet;

use fourfold::tsm::{DType, Element, Tensor};
use fourfold_tennis::{Operator, Output};

use super::attributes::Attributes;
use super::graph::{Conversion, Graph, MOST_NUMBERS, Value};
use super::kernels::check_kernel;
use super::{Done, Lowered};
use crate::external::Folder;
use crate::proto::Node;

/// The node that is being taken over.
pub(super) struct Site<'a, 'g> {
    pub(super) graph: &'g mut Graph,
    pub(super) node: &'a Node,
    pub(super) attributes: Attributes<'a>,
    pub(super) folder: Option<&'a Folder>,
    /// The version of ONNX's operators.
    pub(super) opset: i64,
    /// The inputs; `None` for those that are left out.
    pub(super) inputs: Vec<Option<Value>>,
    /// The results, in the order of the node's outputs.
    pub(super) results: Vec<Value>,
    /// Names of the model's outputs.
    pub(super) outputs: &'g HashSet<&'a str>,
}

impl<'a> Site<'a, '_> {
    /// An input that may be left out, as TenniS has it: shapes and indices are int32.
    pub(super) fn narrow(&self, index: usize) -> Option<Value> {
        self.inputs.get(index).cloned().flatten()
    }

    /// An input that may be left out.
    pub(super) fn optional(&mut self, index: usize) -> Option<Value> {
        let value = self.narrow(index)?;
        Some(self.graph.widened(&value))
    }

    /// An input.
    pub(super) fn input(&mut self, index: usize) -> Lowered<Value> {
        self.optional(index).ok_or_else(|| format!("input {index} is missing"))
    }

    /// An input as TenniS has it: shapes and indices are int32.
    pub(super) fn narrow_input(&self, index: usize) -> Lowered<Value> {
        self.narrow(index).ok_or_else(|| format!("input {index} is missing"))
    }

    /// The integers of an input, which have to be known; `None` if it is left out.
    pub(super) fn integers(&self, index: usize, what: &str) -> Lowered<Option<Vec<i64>>> {
        let Some(value) = self.narrow(index) else { return Ok(None) };
        let known = value.integers().map(Some);
        known.ok_or_else(|| match value.tensor() {
            Some(tensor) => format!(
                "its {what} are {} integers, TenniS takes at most {MOST_NUMBERS}",
                tensor.count()
            ),
            None => format!("its {what} are computed when the model runs, TenniS has constants"),
        })
    }

    /// Integers that are an attribute before `since`, and an input from then on.
    pub(super) fn attribute_or_input(
        &self,
        name: &str,
        index: usize,
        since: i64,
    ) -> Lowered<Option<Vec<i64>>> {
        match self.opset < since {
            true => Ok(self.attributes.ints(name)?.map(<[i64]>::to_vec)),
            false => self.integers(index, name),
        }
    }

    /// The name of an output; empty if it is not used.
    pub(super) fn output_name(&self, index: usize) -> &'a str {
        self.node.output.get(index).map_or("", String::as_str)
    }

    /// A node between.
    pub(super) fn op(&mut self, operator: Operator, inputs: &[&Value]) -> Lowered<Value> {
        let name = format!("{}/{}", self.output_name(0), operator.name().trim_start_matches('_'));
        self.make(&name, false, operator, inputs)
    }

    /// The last node, which has the name of the first output.
    pub(super) fn emit(&mut self, operator: Operator, inputs: &[&Value]) -> Done {
        let value = self.make(self.output_name(0), true, operator, inputs)?;
        self.alias(value)
    }

    /// As [`emit`](Site::emit), for an operator that only moves elements: int32 for int64 stays.
    pub(super) fn emit_moved(&mut self, operator: Operator, inputs: &[&Value]) -> Done {
        match inputs.first().is_some_and(|input| input.is_narrow) {
            true => self.emit_narrow(operator, inputs),
            false => self.emit(operator, inputs),
        }
    }

    /// The last node, of an operator that has int32 where ONNX has int64.
    pub(super) fn emit_narrow(&mut self, operator: Operator, inputs: &[&Value]) -> Done {
        // An output of the model has the type that ONNX has.
        if self.outputs.contains(self.output_name(0)) {
            let value = self.op(operator, inputs)?;
            return self.emit(Operator::Cast { dtype: DType::Int64 }, &[&value]);
        }
        let value = self.make(self.output_name(0), true, operator, inputs)?;
        self.alias(value.narrowed(true))
    }

    /// The outputs that are tensors of a packed value.
    pub(super) fn emit_fields(
        &mut self,
        packed: Operator,
        inputs: &[&Value],
        narrow: &[usize],
    ) -> Done {
        // TenniS calls the tensors of `y` `y:0`, `y:1` and so on.
        let base = match self.output_name(0).strip_suffix(":0") {
            Some(base) if !base.is_empty() => base.to_owned(),
            _ => format!("{}/{}", self.output_name(0), packed.name()),
        };
        let outputs = self.infer_fields(&packed, inputs)?;
        let name = self.graph.names.unique(&base);
        let packed = self.graph.node(name, packed, inputs, Output::default());
        for (index, name) in self.node.output.iter().enumerate() {
            let offset = i32::try_from(index).map_err(|_| "it has too many outputs")?;
            let field = Operator::Field { offset };
            let output = outputs.get(index).cloned().unwrap_or_default();
            let is_narrow = narrow.contains(&index);
            let is_output = self.outputs.contains(name.as_str());
            let value = match name.as_str() {
                "" => {
                    let name = self.graph.names.unique(&format!("{base}/field"));
                    self.graph.node(name, field, &[&packed], output)
                }
                name if is_narrow && is_output => {
                    let between = self.graph.names.unique(&format!("{name}/field"));
                    let value = self.graph.node(between, field, &[&packed], output.clone());
                    let cast = Operator::Cast { dtype: DType::Int64 };
                    let output = output.with_dtype(DType::Int64);
                    self.graph.node(name.to_owned(), cast, &[&value], output)
                }
                name => {
                    let value = self.graph.node(name.to_owned(), field, &[&packed], output);
                    value.narrowed(is_narrow)
                }
            };
            self.results.push(value);
        }
        Ok(())
    }

    /// Tensors of a packed value, between.
    pub(super) fn fields(
        &mut self,
        packed: Operator,
        inputs: &[&Value],
        count: usize,
    ) -> Lowered<Vec<Value>> {
        let outputs = self.infer_fields(&packed, inputs)?;
        let name = self.graph.names.unique(&format!("{}/{}", self.output_name(0), packed.name()));
        let packed = self.graph.node(name.clone(), packed, inputs, Output::default());
        let mut fields = Vec::with_capacity(count);
        for index in 0..count {
            let offset = i32::try_from(index).map_err(|_| "it has too many parts")?;
            let name = self.graph.names.unique(&format!("{name}/field"));
            let output = outputs.get(index).cloned().unwrap_or_default();
            fields.push(self.graph.node(name, Operator::Field { offset }, &[&packed], output));
        }
        Ok(fields)
    }

    /// The outputs of an operator that has several.
    fn infer_fields(&self, packed: &Operator, inputs: &[&Value]) -> Lowered<Vec<Output>> {
        check_kernel(packed, inputs)?;
        if inputs.iter().all(|input| self.graph.is_fixed(input)) {
            return Err(
                "its inputs are constants, of whose results TenniS takes none; fold them before, \
                        by optimized_model_filepath of onnxruntime.SessionOptions"
                    .into(),
            );
        }
        self.infer(packed, inputs)
    }

    /// The first output is a value that is there.
    pub(super) fn alias(&mut self, value: Value) -> Done {
        self.results.push(value);
        Ok(())
    }

    fn make(
        &mut self,
        name: &str,
        is_last: bool,
        operator: Operator,
        inputs: &[&Value],
    ) -> Lowered<Value> {
        check_kernel(&operator, inputs)?;
        let output = self.infer(&operator, inputs)?.into_iter().next().unwrap_or_default();
        let name = if is_last { name.to_owned() } else { self.graph.names.unique(name) };
        Ok(self.graph.node(name, operator, inputs, output))
    }

    /// What TenniS computes of the inputs; unknown outputs have the type of the first input.
    fn infer(&self, operator: &Operator, inputs: &[&Value]) -> Lowered<Vec<Output>> {
        let known: Vec<&Output> = inputs.iter().map(|input| &input.output).collect();
        match operator.outputs(&known).map_err(|reason| format!("TenniS refuses it: {reason}"))? {
            Some(outputs) => Ok(outputs),
            None => {
                let dtype = inputs.first().and_then(|input| input.output.dtype());
                Ok(vec![Output::shapeless(dtype)])
            }
        }
    }

    /// A tensor that the model does not have.
    pub(super) fn constant<T: Element>(&mut self, values: &[T], shape: &[i32]) -> Lowered<Value> {
        let tensor = Tensor::from_values(values, shape).map_err(|error| error.to_string())?;
        Ok(self.tensor(tensor))
    }

    /// The same, of any type.
    pub(super) fn tensor(&mut self, tensor: Tensor<'static>) -> Value {
        let name = self.graph.names.unique(&format!("{}/constant", self.output_name(0)));
        Value::constant(&name, tensor)
    }

    /// A number of a type that TenniS computes with, without dims. Integers have whole numbers.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "rounded to the type"
    )]
    pub(super) fn number(&mut self, dtype: DType, value: f64) -> Lowered<Value> {
        match dtype {
            DType::Float32 => self.constant(&[value as f32], &[]),
            DType::Float64 => self.constant(&[value], &[]),
            DType::Int8 => self.constant(&[value as i8], &[]),
            DType::Int16 => self.constant(&[value as i16], &[]),
            DType::Int32 => self.constant(&[value as i32], &[]),
            DType::Int64 => self.constant(&[value as i64], &[]),
            DType::UInt8 => self.constant(&[value as u8], &[]),
            DType::UInt16 => self.constant(&[value as u16], &[]),
            DType::UInt32 => self.constant(&[value as u32], &[]),
            DType::UInt64 => self.constant(&[value as u64], &[]),
            other => Err(format!("TenniS has no arithmetic of {other}; cast its input to float")),
        }
    }

    /// A vector in a shape of which one size is -1.
    pub(super) fn along(&mut self, vector: &Value, shape: &[i32]) -> Lowered<Value> {
        let count = vector.tensor().map(|tensor| tensor.count());
        let sizes = shape.iter().map(|&size| match (size, count) {
            (-1, Some(count)) => dim(count),
            (size, _) => Ok(size),
        });
        let sizes: Vec<i32> = sizes.collect::<Lowered<_>>()?;
        self.reshaped(vector, &sizes)
    }

    /// A constant in another shape; another value by a node.
    pub(super) fn reshaped(&mut self, value: &Value, shape: &[i32]) -> Lowered<Value> {
        let reshaped = self.converted(value, Conversion::Reshaped(shape.to_vec()), |tensor| {
            let (mut prototype, memory) = tensor.clone().into_parts();
            prototype.shape = shape.to_vec();
            let tensor = Tensor::new(prototype, memory).map_err(|error| error.to_string())?;
            Ok(vec![tensor])
        })?;
        match reshaped.and_then(|mut reshaped| reshaped.pop()) {
            Some(reshaped) => Ok(reshaped),
            None => self.op(Operator::Reshape { shape: shape.to_vec() }, &[value]),
        }
    }

    /// Tensors that are made of one, once; `None` for other values.
    pub(super) fn converted(
        &mut self,
        value: &Value,
        conversion: Conversion,
        make: impl FnOnce(&Tensor<'static>) -> Lowered<Vec<Tensor<'static>>>,
    ) -> Lowered<Option<Vec<Value>>> {
        let name = format!("{}/constant", self.output_name(0));
        self.graph.converted(value, conversion, &name, make)
    }
}

/// An integer as TenniS has it.
pub(super) fn int32(value: i64) -> Lowered<i32> {
    i32::try_from(value).map_err(|_| format!("{value} is beyond TenniS's integers of 32 bits"))
}

pub(super) fn int32s(values: &[i64]) -> Lowered<Vec<i32>> {
    values.iter().copied().map(int32).collect()
}

/// The position of a dim, which may be counted from the end.
pub(super) fn position(axis: i64, rank: usize) -> Lowered<usize> {
    let from_start = if axis < 0 { axis + i64::try_from(rank).unwrap_or(0) } else { axis };
    let position = usize::try_from(from_start).ok().filter(|&position| position < rank);
    position.ok_or_else(|| format!("axis {axis} is not in {rank} dims"))
}

/// Positions of dims in ascending order.
pub(super) fn positions(axes: &[i64], rank: usize) -> Lowered<Vec<usize>> {
    let mut positions: Vec<usize> =
        axes.iter().map(|&axis| position(axis, rank)).collect::<Lowered<_>>()?;
    positions.sort_unstable();
    match positions.windows(2).any(|pair| matches!(pair, [one, two] if one == two)) {
        true => Err(format!("axes {axes:?} have a dim twice")),
        false => Ok(positions),
    }
}

/// A position of a dim as a param.
pub(super) fn dim(position: usize) -> Lowered<i32> {
    i32::try_from(position).map_err(|_| "it has too many dims".into())
}
