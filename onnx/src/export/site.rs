//! One node of TenniS, and the nodes of ONNX that are made of it.

use fourfold::tsm::DType;

use super::build::Builder;
use crate::dtype::DataType;
use crate::numbers::is_float;
use crate::proto::Attribute;
use crate::refused::unknown_sizes;

/// Why a node is refused, or that it is done.
pub(super) type Lowered<T = ()> = Result<T, String>;

/// A value in the graph.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) name: String,
    pub(super) dtype: DType,
    /// Its dims; `None` for those that are known when the model runs.
    pub(super) shape: Vec<Option<i64>>,
    /// Its elements as integers, if they are known.
    pub(super) ints: Option<Vec<i64>>,
}

impl Value {
    pub(super) fn rank(&self) -> usize {
        self.shape.len()
    }

    /// All dims, if all are known.
    pub(super) fn sizes(&self) -> Option<Vec<i64>> {
        self.shape.iter().copied().collect()
    }

    /// The size of a dim.
    pub(super) fn size(&self, dim: usize) -> Lowered<i64> {
        let known = self.shape.get(dim).copied().flatten();
        known
            .ok_or_else(|| unknown_sizes(&format!("the size of dim {dim} of its input is unknown")))
    }

    /// How many elements there are.
    pub(super) fn count(&self) -> Option<i64> {
        product(self.sizes()?)
    }

    /// A dim that may be counted from the end.
    pub(super) fn dim(&self, dim: i32) -> Lowered<usize> {
        dim_of(dim, self.rank())
    }

    /// Its elements, which TenniS takes as int32.
    pub(super) fn known(&self, what: &str) -> Lowered<&[i64]> {
        let known = self.ints.as_deref();
        let known = known.ok_or_else(|| unknown_sizes(&format!("ONNX needs constant {what}")))?;
        match known.iter().find(|&&value| i32::try_from(value).is_err()) {
            None => Ok(known),
            Some(value) => {
                Err(format!("its {what}: TenniS takes {value} for an integer of 32 bits"))
            }
        }
    }
}

/// The product of sizes, if it is no larger than int64.
pub(super) fn product(sizes: impl IntoIterator<Item = i64>) -> Option<i64> {
    sizes.into_iter().try_fold(1_i64, i64::checked_mul)
}

/// A dim of `rank` that may be counted from the end.
pub(super) fn dim_of(dim: i32, rank: usize) -> Lowered<usize> {
    let fixed = i64::from(dim) + if dim < 0 { int(rank) } else { 0 };
    let fixed = usize::try_from(fixed).ok().filter(|&fixed| fixed < rank);
    fixed.ok_or_else(|| format!("dim {dim} is beyond the {rank} dims of its input"))
}

/// A count as an integer of ONNX.
pub(super) fn int(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// A size or an index as a number of TenniS's formulas.
#[expect(clippy::cast_precision_loss, reason = "sizes are of 32 bits")]
pub(super) fn exact(size: i64) -> f64 {
    size as f64
}

/// The type that ONNX has for one of TenniS.
pub(super) fn onnx(dtype: DType) -> Lowered<DataType> {
    DataType::of_tennis(dtype).ok_or_else(|| format!("ONNX has no type for {dtype}"))
}

/// The attribute of a `Cast`.
pub(super) fn to_type(dtype: DType) -> Lowered<Vec<Attribute>> {
    Ok(vec![Attribute::int("to", onnx(dtype)?.number().into())])
}

/// A number without its fraction. Of fewer bits, or without a sign, it is the last bits.
#[expect(clippy::cast_possible_truncation, reason = "as C++ casts")]
pub(super) fn cut(value: f64) -> i64 {
    value as i64
}

/// Refuses a param of which C++ leaves open what it becomes as an integer. Types of less than 32 bits are cast by way of
/// these.
pub(super) fn defined(dtype: DType, value: f32) -> Lowered {
    let (least, beyond) = match dtype {
        _ if is_float(dtype) => return Ok(()),
        DType::Int64 | DType::UInt32 => (-(2_f32.powi(63)), 2_f32.powi(63)),
        DType::UInt64 => (-(2_f32.powi(63)), 2_f32.powi(64)),
        _ => (-(2_f32.powi(31)), 2_f32.powi(31)),
    };
    match (least..beyond).contains(&value) {
        true => Ok(()),
        false => Err(format!(
            "what its param {value} is as {dtype} depends on how TenniS is compiled; set it to a \
             number of this type"
        )),
    }
}

/// The most elements of all constants that are computed: a few params may ask for any.
const MOST_COMPUTED: i64 = 1 << 20;

/// The node that is being made.
pub(super) struct Site<'a> {
    pub(super) builder: &'a mut Builder,
    /// How many nodes there were before.
    start: usize,
    pub(super) inputs: Vec<Value>,
    pub(super) outputs: Vec<Value>,
}

impl<'a> Site<'a> {
    pub(super) fn new(builder: &'a mut Builder, inputs: Vec<Value>, outputs: Vec<Value>) -> Self {
        Site { start: builder.count(), builder, inputs, outputs }
    }

    /// An input.
    pub(super) fn input(&self, index: usize) -> Lowered<Value> {
        let input = self.inputs.get(index).cloned();
        input.ok_or_else(|| format!("input {index} is missing, it has {}", self.inputs.len()))
    }

    /// The inputs, of which there are `COUNT`.
    pub(super) fn take<const COUNT: usize>(&self) -> Lowered<[Value; COUNT]> {
        let inputs = <[Value; COUNT]>::try_from(self.inputs.clone());
        inputs.map_err(|inputs| format!("it has {} inputs, TenniS takes {COUNT}", inputs.len()))
    }

    /// The output, of a node that has one.
    pub(super) fn output(&self) -> Lowered<Value> {
        self.outputs.first().cloned().ok_or_else(|| "it has no output".to_owned())
    }

    /// A name for a value between.
    pub(super) fn named(&mut self, name: &str) -> String {
        let base = self.outputs.first().map_or("", |output| output.name.as_str());
        self.builder.names.unique(&format!("{base}/{name}"))
    }

    /// A node between: returns the name of its output.
    pub(super) fn step(&mut self, op: &str, inputs: &[&str], attributes: Vec<Attribute>) -> String {
        let output = self.named(op);
        let inputs = inputs.iter().map(|&name| name.to_owned()).collect();
        self.builder.node(op, inputs, vec![output.clone()], attributes);
        output
    }

    /// The last node, whose outputs are those of TenniS's node.
    pub(super) fn emit(
        &mut self,
        op: &str,
        inputs: &[&str],
        attributes: Vec<Attribute>,
    ) -> Lowered {
        let inputs = inputs.iter().map(|&name| name.to_owned()).collect();
        let outputs = self.outputs.iter().map(|output| output.name.clone()).collect();
        self.builder.node(op, inputs, outputs, attributes);
        Ok(())
    }

    /// Makes a value the output of TenniS's node: the node that made it, if it was the last one here.
    pub(super) fn finish(&mut self, name: &str) -> Lowered {
        let output = self.output()?.name;
        let is_own = self.builder.count() > self.start;
        match is_own && self.builder.rename_last(name, &output) {
            true => Ok(()),
            false => self.emit("Identity", &[name], Vec::new()),
        }
    }

    /// As [`emit`](Site::emit), for a node that computes in type `of`: the result is cast.
    pub(super) fn emit_as(
        &mut self,
        of: DType,
        op: &str,
        inputs: &[&str],
        attributes: Vec<Attribute>,
    ) -> Lowered {
        let output = self.output()?;
        if of == output.dtype {
            return self.emit(op, inputs, attributes);
        }
        let result = self.step(op, inputs, attributes);
        self.emit("Cast", &[&result], to_type(output.dtype)?)
    }

    /// The name of a value, cast to a type.
    pub(super) fn cast(&mut self, value: &Value, to: DType) -> Lowered<String> {
        self.recast(value.name.clone(), value.dtype, to)
    }

    /// As [`cast`](Site::cast), of what a node between returns.
    pub(super) fn recast(&mut self, name: String, from: DType, to: DType) -> Lowered<String> {
        match from == to {
            true => Ok(name),
            false => Ok(self.step("Cast", &[&name], to_type(to)?)),
        }
    }

    /// Integers as a constant with one dim, as ONNX takes shapes and axes.
    pub(super) fn ints(&mut self, values: &[i64]) -> String {
        let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
        self.builder.constant(DataType::Int64, &[int(values.len())], bytes.into())
    }

    /// An integer without dims.
    pub(super) fn int(&mut self, value: i64) -> String {
        self.builder.constant(DataType::Int64, &[], value.to_le_bytes().to_vec().into())
    }

    /// A number of type `dtype`, cast as C++ casts it, without dims.
    pub(super) fn number(&mut self, dtype: DType, value: f64) -> Lowered<String> {
        self.numbers(dtype, &[value], &[])
    }

    /// Numbers of type `dtype`.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "as C++ casts")]
    pub(super) fn numbers<T: Copy + Into<f64>>(
        &mut self,
        dtype: DType,
        values: &[T],
        dims: &[i64],
    ) -> Lowered<String> {
        let mut bytes: Vec<u8> = Vec::with_capacity(values.len() * dtype.size());
        for &value in values {
            let value = value.into();
            match dtype {
                DType::Int8 => bytes.extend((cut(value) as i8).to_le_bytes()),
                DType::UInt8 => bytes.extend((cut(value) as u8).to_le_bytes()),
                DType::Int16 => bytes.extend((cut(value) as i16).to_le_bytes()),
                DType::UInt16 => bytes.extend((cut(value) as u16).to_le_bytes()),
                DType::Int32 => bytes.extend((cut(value) as i32).to_le_bytes()),
                DType::UInt32 => bytes.extend((cut(value) as u32).to_le_bytes()),
                DType::Int64 => bytes.extend(cut(value).to_le_bytes()),
                DType::UInt64 if value < 0.0 => bytes.extend(cut(value).to_le_bytes()),
                DType::UInt64 => bytes.extend((value as u64).to_le_bytes()),
                DType::Float32 => bytes.extend((value as f32).to_le_bytes()),
                DType::Float64 => bytes.extend(value.to_le_bytes()),
                DType::Boolean => bytes.push(u8::from(value != 0.0)),
                other => return Err(format!("TenniS does not compute it for {other}")),
            }
        }
        Ok(self.builder.constant(onnx(dtype)?, dims, bytes.into()))
    }

    /// Takes so many of the elements that a model may have in constants that are computed.
    pub(super) fn reserve(&mut self, elements: i64) -> Lowered {
        let taken = &mut self.builder.computed;
        *taken = taken.saturating_add(elements);
        match *taken <= MOST_COMPUTED {
            true => Ok(()),
            false => Err(format!(
                "it takes {elements} of the {MOST_COMPUTED} elements that constants of a model may \
                 have in all; give the input a smaller shape"
            )),
        }
    }

    /// A value in another shape: a constant as a constant, another one by a node.
    pub(super) fn reshaped(&mut self, value: &Value, dims: &[i64]) -> String {
        if value.shape.iter().copied().eq(dims.iter().copied().map(Some)) {
            return value.name.clone();
        }
        let constant = self.builder.find(&value.name).and_then(|tensor| {
            let dtype = DataType::of(tensor.data_type)?;
            let same = dims.iter().all(|&dim| dim >= 0)
                && product(dims.to_vec()) == product(tensor.dims.clone());
            same.then(|| tensor.raw_data.clone().map(|bytes| (dtype, bytes)))?
        });
        match constant {
            Some((dtype, bytes)) => self.builder.constant(dtype, dims, bytes),
            None => {
                let shape = self.ints(dims);
                self.step("Reshape", &[&value.name, &shape], Vec::new())
            }
        }
    }

    /// A vector for dim `dim` of a value with `rank` dims, to be broadcast with it.
    pub(super) fn along(&mut self, vector: &Value, dim: usize, rank: usize) -> Lowered<String> {
        let count = vector.count().ok_or("a vector has an unknown size")?;
        let mut dims = vec![1; rank.saturating_sub(dim)];
        if let Some(first) = dims.first_mut() {
            *first = count;
        }
        Ok(self.reshaped(vector, &dims))
    }
}
