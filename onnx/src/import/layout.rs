//! Operators that move elements, or only name them otherwise.

use fourfold::tsm::{DType, Tensor};
use fourfold_tennis::Operator as Op;

use super::graph::Value;
use super::site::{Site, dim, int32, int32s, position, positions};
use super::tensors::tensor_of;
use super::{Done, Lowered, compare, whole};
use crate::refused::unknown_sizes;

pub(super) fn constant(site: &mut Site<'_, '_>) -> Done {
    let attributes = &site.attributes;
    let list =
        |tensor: fourfold::tsm::Result<Tensor<'static>>| tensor.map_err(|error| error.to_string());
    let tensor = if let Some(tensor) = attributes.tensor("value")? {
        tensor_of(tensor, site.folder)?
    } else if let Some(values) = attributes.floats("value_floats")? {
        list(Tensor::list(values))?
    } else if let Some(values) = attributes.ints("value_ints")? {
        list(Tensor::list(values))?
    } else if let Some(value) = attributes.int("value_int")? {
        list(Tensor::from_values(&[value], &[]))?
    } else if let Some(value) = attributes.float_if("value_float")? {
        list(Tensor::from_values(&[value], &[]))?
    } else {
        return Err("its value is text, or a tensor by its elements that are not 0".into());
    };
    let value = Value::constant(site.output_name(0), tensor);
    site.alias(value)
}

pub(super) fn constant_of_shape(site: &mut Site<'_, '_>) -> Done {
    let value = site.attributes.tensor("value")?;
    let value = value.map(|value| tensor_of(value, site.folder)).transpose()?;
    // A number is a tensor of one element in ONNX, and one without dims in TenniS.
    let value = value.map(|value| {
        let (mut prototype, memory) = value.into_parts();
        prototype.shape.clear();
        Tensor::new(prototype, memory).map_err(|error| error.to_string())
    });
    let value = value.transpose()?;
    let shape = site.narrow_input(0)?;
    // TenniS takes int32, and casts what is not.
    let narrow = whole::before_cast(site.graph, &shape, DType::Int64);
    let shape = narrow.filter(|x| x.output.dtype() == Some(DType::Int32)).unwrap_or(shape);
    site.emit(Op::ConstantOfShape { value }, &[&shape])
}

pub(super) fn shape(site: &mut Site<'_, '_>) -> Done {
    let x = site.narrow_input(0)?;
    let (start, end) = (site.attributes.int("start")?, site.attributes.int("end")?);
    if start.unwrap_or(0) == 0 && end.is_none() {
        return site.emit_narrow(Op::Shape, &[&x]);
    }
    let sizes = site.op(Op::Shape, &[&x])?;
    let start = site.constant(&[start.unwrap_or(0)], &[1])?;
    let end = site.constant(&[end.unwrap_or(i64::MAX)], &[1])?;
    site.emit_narrow(Op::SliceV3, &[&sizes, &start, &end])
}

pub(super) fn reshape(site: &mut Site<'_, '_>) -> Done {
    let x = site.narrow_input(0)?;
    let zero_is_size = site.attributes.flag("allowzero", false)?;
    let shape = site.narrow_input(1)?;
    let Some(sizes) = shape.tensor().and_then(|_| shape.integers()) else {
        // Sizes that are not known are those of a batch, and as such not 0.
        if zero_is_size && shape.output.sizes().is_none_or(|sizes| sizes.contains(&Some(0))) {
            return Err("TenniS takes 0 in a shape for the size that is there (allowzero)".into());
        }
        return site.emit_moved(Op::ReshapeV2, &[&x, &shape]);
    };
    if zero_is_size && sizes.contains(&0) {
        return Err("it makes a tensor without elements (allowzero)".into());
    }
    site.emit_moved(Op::Reshape { shape: int32s(&sizes)? }, &[&x])
}

pub(super) fn flatten(site: &mut Site<'_, '_>) -> Done {
    let x = site.narrow_input(0)?;
    match site.attributes.int("axis")?.unwrap_or(1) {
        1 => site.emit_moved(Op::Flatten { dim: 1 }, &[&x]),
        axis => site.emit_moved(Op::Flatten2d { dim: int32(axis)? }, &[&x]),
    }
}

/// TenniS removes one dim after the other, the last one first, so that positions in ascending order are those of x.
pub(super) fn squeeze(site: &mut Site<'_, '_>) -> Done {
    let x = site.narrow_input(0)?;
    let axes = match site.attribute_or_input("axes", 1, 13)? {
        None => None,
        Some(axes) => match (axes.as_slice(), x.rank()) {
            ([], _) => return site.alias(x),
            ([axis], Err(_)) => Some(vec![int32(*axis)?]),
            (axes, rank) => Some(dims(positions(axes, rank?)?)?),
        },
    };
    site.emit_moved(Op::Squeeze { axes }, &[&x])
}

fn dims(positions: Vec<usize>) -> Lowered<Vec<i32>> {
    positions.into_iter().map(dim).collect()
}

/// TenniS adds one dim after the other, so that positions in ascending order are those of the result.
pub(super) fn unsqueeze(site: &mut Site<'_, '_>) -> Done {
    let x = site.narrow_input(0)?;
    let axes = site.attribute_or_input("axes", 1, 13)?.ok_or("axes are missing")?;
    let axes = match axes.as_slice() {
        [] => return site.alias(x),
        [axis] if x.rank().is_err() => vec![int32(*axis)?],
        axes => dims(positions(axes, x.rank()? + axes.len())?)?,
    };
    site.emit_moved(Op::Unsqueeze { axes }, &[&x])
}

pub(super) fn transpose(site: &mut Site<'_, '_>) -> Done {
    let x = site.narrow_input(0)?;
    let permute = match site.attributes.ints("perm")? {
        Some(perm) => int32s(perm)?,
        None => dims((0..x.rank()?).rev().collect())?,
    };
    if permute.is_empty() {
        return site.alias(x);
    }
    let transpose = Op::Transpose { permute: Some(permute) };
    if x.dtype()? == DType::Boolean {
        let x = compare::byte(site, &x)?;
        let turned = site.op(transpose, &[&x])?;
        return site.emit(Op::Cast { dtype: DType::Boolean }, &[&turned]);
    }
    site.emit_moved(transpose, &[&x])
}

/// Constants of int64 are int32 beside values that are.
pub(super) fn concat(site: &mut Site<'_, '_>) -> Done {
    let axis = int32(site.attributes.int("axis")?.ok_or("attribute axis is missing")?)?;
    let all: Vec<Value> =
        (0..site.inputs.len()).map(|index| site.narrow_input(index)).collect::<Lowered<_>>()?;
    let narrowed = match all.iter().any(|value| value.is_narrow) {
        true => all.iter().map(|value| narrowed(site, value)).collect::<Option<Vec<_>>>(),
        false => None,
    };
    let all = match narrowed {
        Some(narrowed) => narrowed,
        None => all.iter().map(|value| site.graph.widened(value)).collect(),
    };
    if let Some(parts) = whole::stacked(site.graph, &all, axis) {
        return site.emit(Op::Stack { axis }, &parts.iter().collect::<Vec<_>>());
    }
    let inputs: Vec<&Value> = all.iter().collect();
    site.emit_moved(Op::Concat { dim: axis }, &inputs)
}

/// A value as int32, if it is int32 in TenniS or a constant that is small.
fn narrowed(site: &mut Site<'_, '_>, value: &Value) -> Option<Value> {
    if value.is_narrow {
        return Some(value.clone());
    }
    let tensor = value.tensor().filter(|tensor| tensor.dtype() == DType::Int64)?;
    let integers = int32s(&value.integers()?).ok()?;
    let tensor = Tensor::from_values(&integers, tensor.shape()).ok()?;
    Some(site.tensor(tensor).narrowed(true))
}

/// Equal sizes are TenniS's `chunk`, others its `split`.
pub(super) fn split(site: &mut Site<'_, '_>) -> Done {
    let x = site.input(0)?;
    let axis = int32(site.attributes.int("axis")?.unwrap_or(0))?;
    let count = site.node.output.len();
    let asked = site.attributes.int("num_outputs")?;
    if asked.is_some_and(|asked| usize::try_from(asked) != Ok(count)) {
        return Err(format!("num_outputs is {}, it has {count} outputs", asked.unwrap_or(0)));
    }
    let chunks = Op::Chunk { chunks: dim(count)?, dim: axis };
    if let Some(sizes) = site.attribute_or_input("split", 1, 13)? {
        if sizes.len() != count {
            return Err(format!("it has {} sizes for {count} outputs", sizes.len()));
        }
        if sizes.iter().any(|&size| size < 0) {
            return Err(format!("its sizes are {sizes:?}, and none may be negative"));
        }
        if sizes.windows(2).all(|pair| matches!(pair, [one, two] if one == two)) {
            return site.emit_fields(chunks, &[&x], &[]);
        }
        let sizes = int32s(&sizes)?;
        let sizes = site.constant(&sizes, &[dim(sizes.len())?])?;
        return site.emit_fields(Op::Split { axis }, &[&x, &sizes], &[]);
    }
    // The last one is smaller in both, but TenniS has none without elements.
    match asked.is_none() || x.size(position(axis.into(), x.rank()?)?).is_some() {
        true => site.emit_fields(chunks, &[&x], &[]),
        false => Err(unknown_sizes("the sizes of its outputs are unknown")),
    }
}

pub(super) fn expand(site: &mut Site<'_, '_>) -> Done {
    let (x, shape) = (site.input(0)?, site.narrow_input(1)?);
    let shape = narrowed(site, &shape).unwrap_or(shape);
    site.emit(Op::Broadcast, &[&x, &shape])
}

pub(super) fn tile(site: &mut Site<'_, '_>) -> Done {
    let (x, repeats) = (site.input(0)?, site.narrow_input(1)?);
    match repeats.tensor().and_then(|_| repeats.integers()) {
        Some(repeats) => site.emit(Op::Tile { repeats: int32s(&repeats)? }, &[&x]),
        None => site.emit(Op::TileV2, &[&x, &repeats]),
    }
}

pub(super) fn gather(site: &mut Site<'_, '_>) -> Done {
    let (x, indices) = (site.narrow_input(0)?, site.narrow_input(1)?);
    let axis = site.attributes.int("axis")?.unwrap_or(0);
    // TenniS takes a negative axis for that of another size where indices are negative.
    let axis = if axis < 0 { dim(position(axis, x.rank()?)?)? } else { int32(axis)? };
    site.emit_moved(Op::Gather { axis }, &[&x, &indices])
}

/// Indices that are constants and not negative: TenniS does not count these from the end.
fn known_indices(site: &mut Site<'_, '_>, indices: &Value) -> Lowered<Value> {
    let tensor = indices.tensor().ok_or(
        "its indices are computed when the model runs, and TenniS does not take negative ones",
    )?;
    let shape = tensor.shape().to_vec();
    let integers =
        indices.integers().ok_or("it has more than 1024 indices, or they are no integers")?;
    match integers.iter().all(|&index| index >= 0) {
        true => site.constant(&int32s(&integers)?, &shape),
        false => Err(
            "an index is negative, and TenniS does not count from the end; add the size of its dim"
                .into(),
        ),
    }
}

pub(super) fn gather_nd(site: &mut Site<'_, '_>) -> Done {
    site.attributes.only("batch_dims", 0)?;
    let (x, indices) = (site.narrow_input(0)?, site.input(1)?);
    let indices = known_indices(site, &indices)?;
    site.emit_moved(Op::Gatherv2, &[&x, &indices])
}

/// TenniS replaces whole rows.
pub(super) fn scatter_nd(site: &mut Site<'_, '_>) -> Done {
    match site.attributes.text("reduction", "none")? {
        "none" => {}
        other => return Err(format!("reduction is {other:?}, TenniS replaces elements")),
    }
    let (x, indices, updates) = (site.input(0)?, site.input(1)?, site.input(2)?);
    if indices.rank()? != 2 || indices.size(1) != Some(1) {
        return Err("TenniS replaces whole rows, by indices of the shape [n, 1]".into());
    }
    let indices = known_indices(site, &indices)?;
    site.emit(Op::ScatterNd, &[&x, &indices, &updates])
}

/// TenniS takes one index in the dim.
pub(super) fn gather_elements(site: &mut Site<'_, '_>) -> Done {
    let (x, indices) = (site.input(0)?, site.narrow_input(1)?);
    let rank = x.rank()?;
    let axis = position(site.attributes.int("axis")?.unwrap_or(0), rank)?;
    let is_equal = |at: usize| x.size(at).is_some() && x.size(at) == indices.size(at);
    if indices.size(axis) != Some(1) || !(0..rank).all(|at| at == axis || is_equal(at)) {
        return Err("TenniS takes one index in the dim, and the sizes of x in all others".into());
    }
    site.emit(Op::GatherElements { axis: dim(axis)? }, &[&x, &indices])
}

/// The numbers from a start, below a limit.
pub(super) fn range(site: &mut Site<'_, '_>) -> Done {
    let (start, limit, delta) = (site.input(0)?, site.input(1)?, site.input(2)?);
    let is_forward = match (delta.integers().as_deref(), delta.float()) {
        (Some([delta]), _) => *delta > 0,
        (_, Some(delta)) => delta > 0.0,
        _ => {
            return Err(
                "its step is computed when the model runs, and TenniS has steps above 0 only"
                    .into(),
            );
        }
    };
    match is_forward {
        true => site.emit(Op::Range, &[&start, &limit, &delta]),
        false => Err("its step is not above 0, where TenniS counts otherwise".into()),
    }
}

pub(super) fn pad(site: &mut Site<'_, '_>) -> Done {
    let x = site.input(0)?;
    let mode = site.attributes.text("mode", "constant")?;
    let pads = site.attribute_or_input("pads", 1, 11)?.ok_or("pads are missing")?;
    let padding_value = match site.opset < 11 {
        true => site.attributes.float("value", 0.0)?,
        false => number(site.optional(2).as_ref())?,
    };
    let rank = x.rank()?;
    let axes = match site.integers(3, "axes")? {
        Some(axes) => axes.iter().map(|&axis| position(axis, rank)).collect::<Lowered<_>>()?,
        None => (0..rank).collect::<Vec<_>>(),
    };
    if pads.len() != axes.len() * 2 {
        return Err(format!("it has {} pads for {} dims", pads.len(), axes.len()));
    }
    let (before, after) = pads.split_at(axes.len());
    let mut padding = vec![[0_i32; 2]; rank];
    for ((&axis, &before), &after) in axes.iter().zip(before).zip(after) {
        if let Some(pair) = padding.get_mut(axis) {
            *pair = [int32(before)?, int32(after)?];
        }
    }
    let is_cut = |pair: &[i32; 2]| pair.iter().any(|&pad| pad < 0);
    if padding.iter().any(is_cut) && x.output.count().is_none() {
        return Err("it cuts dims of unknown sizes".into());
    }
    match mode {
        "constant" if rank == 4 && padding.first().is_some_and(is_cut) => Err(
            "it cuts the batch of 4 dims, where TenniS writes beyond its memory; cut it by Slice"
                .into(),
        ),
        "constant" => pad_by(site, x, &padding, padding_value),
        "reflect" | "edge" | "wrap" => pad_with_own(site, x, &padding, mode),
        mode => Err(format!("mode is {mode:?}")),
    }
}

/// Pads with elements of x, which are picked.
fn pad_with_own(site: &mut Site<'_, '_>, x: Value, padding: &[[i32; 2]], mode: &str) -> Done {
    let mut padded = x.clone();
    for (at, &[before, after]) in padding.iter().enumerate().filter(|(_, pair)| **pair != [0, 0]) {
        let size = x.size(at).ok_or_else(|| {
            unknown_sizes(&format!("it pads a dim of unknown size in mode {mode}"))
        })?;
        let (before, after) = (i64::from(before), i64::from(after));
        let most = match mode {
            "edge" => i64::MAX,
            "reflect" => size - 1,
            _ => size,
        };
        if size < 1 || ![before, after].iter().all(|pad| (0..=most).contains(pad)) {
            return Err(format!(
                "it pads a dim of {size} by {before} and {after} in mode {mode}, which reaches beyond it"
            ));
        }
        let (first, end) = (-before, size + after);
        site.graph.spend(usize::try_from(end - first).unwrap_or(usize::MAX))?;
        let pick = |index: i64| match mode {
            "edge" => index.clamp(0, size - 1),
            "wrap" => index.rem_euclid(size),
            _ if index < 0 => -index,
            _ if index >= size => 2 * (size - 1) - index,
            _ => index,
        };
        let indices = int32s(&(first..end).map(pick).collect::<Vec<_>>())?;
        let indices = site.constant(&indices, &[dim(indices.len())?])?;
        padded = site.op(Op::Gather { axis: dim(at)? }, &[&padded, &indices])?;
    }
    site.emit(Op::Copy, &[&padded])
}

/// TenniS pads two dims that follow each other at a time.
fn pad_by(site: &mut Site<'_, '_>, x: Value, padding: &[[i32; 2]], padding_value: f32) -> Done {
    let mut groups: Vec<Vec<[i32; 2]>> = Vec::new();
    let mut next = 0;
    while let Some(first) = (next..padding.len()).find(|&at| padding.get(at) != Some(&[0, 0])) {
        let pads =
            |at: usize| if (first..first + 2).contains(&at) { padding.get(at) } else { None };
        groups.push((0..padding.len()).map(|at| pads(at).copied().unwrap_or([0, 0])).collect());
        next = first + 2;
    }
    let Some(last) = groups.pop() else { return site.alias(x) };
    let mut x = x;
    let rows = dim(padding.len())?;
    for group in groups {
        let group = site.constant(group.as_flattened(), &[rows, 2])?;
        x = site.op(Op::Pad { padding_value }, &[&x, &group])?;
    }
    let last = site.constant(last.as_flattened(), &[rows, 2])?;
    site.emit(Op::Pad { padding_value }, &[&x, &last])
}

/// The number that a constant has; 0 if there is none.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "compared after it"
)]
fn number(value: Option<&Value>) -> Lowered<f32> {
    let Some(value) = value else { return Ok(0.0) };
    match (value.float(), value.integers().as_deref()) {
        (Some(number), _) if f64::from(number as f32) == number || number.is_nan() => {
            Ok(number as f32)
        }
        (_, Some([number])) if (*number as f32) as i64 == *number => Ok(*number as f32),
        _ => Err("the value of its padding is no constant of 32 bits".into()),
    }
}

/// Blocks of channels moved to height and width, or back.
pub(super) fn depth_to_space(site: &mut Site<'_, '_>) -> Done {
    let x = site.input(0)?;
    let block = site.attributes.int("blocksize")?.filter(|&block| block > 0);
    let block = block.ok_or("blocksize is not above 0")?;
    let [channels, height, width] = sizes(&x)?;
    let depth = channels / block.saturating_mul(block);
    let (shape, permute) = match site.attributes.text("mode", "DCR")? {
        "DCR" => ([0, block, block, depth, height, width], vec![0, 3, 4, 1, 5, 2]),
        "CRD" => ([0, depth, block, block, height, width], vec![0, 1, 4, 2, 5, 3]),
        mode => return Err(format!("mode is {mode:?}")),
    };
    let blocks = site.op(Op::Reshape { shape: int32s(&shape)? }, &[&x])?;
    let moved = site.op(Op::Transpose { permute: Some(permute) }, &[&blocks])?;
    let shape = int32s(&[0, depth, height.saturating_mul(block), width.saturating_mul(block)])?;
    site.emit(Op::Reshape { shape }, &[&moved])
}

pub(super) fn space_to_depth(site: &mut Site<'_, '_>) -> Done {
    let x = site.input(0)?;
    let block = site.attributes.int("blocksize")?.filter(|&block| block > 0);
    let block = block.ok_or("blocksize is not above 0")?;
    let [channels, height, width] = sizes(&x)?;
    let (rows, columns) = (height / block, width / block);
    let shape = int32s(&[0, channels, rows, block, columns, block])?;
    let blocks = site.op(Op::Reshape { shape }, &[&x])?;
    let permute = Some(vec![0, 3, 5, 1, 2, 4]);
    let moved = site.op(Op::Transpose { permute }, &[&blocks])?;
    let depth = channels.saturating_mul(block).saturating_mul(block);
    site.emit(Op::Reshape { shape: int32s(&[0, depth, rows, columns])? }, &[&moved])
}

/// Channels, height and width of an image.
fn sizes(x: &Value) -> Lowered<[i64; 3]> {
    match [x.size(1), x.size(2), x.size(3)] {
        [Some(channels), Some(height), Some(width)] if x.rank()? == 4 => {
            Ok([channels, height, width])
        }
        _ => Err("it needs the sizes of channels, height and width".into()),
    }
}
