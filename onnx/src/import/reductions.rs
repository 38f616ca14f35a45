//! Sums, means and the largest values of dims.

use fourfold::tsm::DType;
use fourfold_tennis::Operator as Op;

use super::elementwise::{emit_reversed, reversed};
use super::graph::Value;
use super::site::{Site, dim, int32, position, positions};
use super::{Done, Lowered};
use crate::numbers::is_float;

/// What a reduction computes of several dims.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Sum,
    Mean,
    Max,
    Min,
    /// The sum of absolute values.
    L1,
    /// The square root of the sum of squares.
    L2,
    SumSquare,
}

/// The dims that are reduced, in ascending order; `None` if there are none, so that x stays.
fn axes(site: &Site<'_, '_>, x: &Value, since: i64) -> Lowered<Option<Vec<usize>>> {
    let keeps = site.attributes.flag("noop_with_empty_axes", false)?;
    let axes = site.attribute_or_input("axes", 1, since)?.filter(|axes| !axes.is_empty());
    match axes {
        Some(axes) => positions(&axes, x.rank()?).map(Some),
        None if keeps => Ok(None),
        None => Ok(Some((0..x.rank()?).collect())),
    }
}

/// `since` is the version from which axes are an input.
pub(super) fn reduce(site: &mut Site<'_, '_>, kind: Kind, since: i64) -> Done {
    let x = site.input(0)?;
    let keeps = site.attributes.flag("keepdims", true)?;
    let Some(axes) = axes(site, &x, since)? else {
        return match kind {
            Kind::Sum | Kind::Mean | Kind::Max | Kind::Min => site.alias(x),
            _ => Err("it has no axes, and computes each element by itself".into()),
        };
    };
    if axes.is_empty() {
        return Err("it reduces a tensor without dims".into());
    }
    if matches!(kind, Kind::Max | Kind::Min | Kind::Mean)
        && let Some(axis) = axes.iter().find(|&&axis| x.size(axis) == Some(0))
    {
        return Err(format!("dim {axis} has no elements, of which TenniS has another result"));
    }
    let x = match kind {
        Kind::Min => reversed(site, &x)?,
        Kind::L1 => site.op(Op::Abs, &[&x])?,
        Kind::L2 | Kind::SumSquare => site.op(Op::Square, &[&x])?,
        Kind::Sum | Kind::Mean | Kind::Max => x,
    };
    let mut steps = steps(kind, &axes, keeps)?;
    let last = steps.pop().ok_or("it has no axes")?;
    if kind == Kind::Mean && !steps.is_empty() && !is_float(x.dtype()?) {
        return Err("TenniS has one mean for each run of dims, and cuts fractions of integers; cast its input to float".into());
    }
    let mut reduced = x;
    for step in steps {
        reduced = site.op(step, &[&reduced])?;
    }
    match kind {
        Kind::Min => {
            reduced = site.op(last, &[&reduced])?;
            emit_reversed(site, &reduced)
        }
        Kind::L2 => {
            reduced = site.op(last, &[&reduced])?;
            site.emit(Op::Sqrt, &[&reduced])
        }
        _ => site.emit(last, &[&reduced]),
    }
}

/// TenniS takes the mean of dims that follow each other, and one dim otherwise: the last dims first, so that the
/// others keep their positions.
fn steps(kind: Kind, axes: &[usize], keeps: bool) -> Lowered<Vec<Op>> {
    if kind != Kind::Mean {
        let one = |&axis: &usize| {
            let dim = dim(axis)?;
            Ok(match kind {
                Kind::Max | Kind::Min => Op::Max { dim, keep_dims: keeps.into() },
                _ => Op::ReduceSum { dims: dim, keep_dims: keeps },
            })
        };
        return axes.iter().rev().map(one).collect();
    }
    let groups = axes.chunk_by(|one, two| one + 1 == *two).rev();
    let mean = |group: &[usize]| {
        let dims = group.iter().copied().map(dim).collect::<Lowered<_>>()?;
        Ok(Op::ReduceMean { dims, keep_dims: keeps })
    };
    groups.map(mean).collect()
}

/// x by its norm in a dim, and 0 where that is 0.
pub(super) fn normalize(site: &mut Site<'_, '_>) -> Done {
    let x = site.input(0)?;
    let dims = dim(position(site.attributes.int("axis")?.unwrap_or(-1), x.rank()?)?)?;
    let sum = Op::ReduceSum { dims, keep_dims: true };
    let norm = match site.attributes.int("p")?.unwrap_or(2) {
        1 => {
            let sizes = site.op(Op::Abs, &[&x])?;
            site.op(sum, &[&sizes])?
        }
        2 => {
            let squares = site.op(Op::Square, &[&x])?;
            let squares = site.op(sum, &[&squares])?;
            site.op(Op::Sqrt, &[&squares])?
        }
        p => return Err(format!("p is {p}, ONNX has norms for 1 and 2")),
    };
    // 1 in place of 0.
    let zero = site.number(x.dtype()?, 0.0)?;
    let is_zero = site.op(Op::Equal, &[&norm, &zero])?;
    let one = site.op(Op::Cast { dtype: x.dtype()? }, &[&is_zero])?;
    let norm = site.op(Op::Add, &[&norm, &one])?;
    site.emit(Op::Div, &[&x, &norm])
}

/// The index of the largest value, or of the smallest: `Kind::Max` or `Kind::Min`.
pub(super) fn arg(site: &mut Site<'_, '_>, kind: Kind) -> Done {
    let x = site.input(0)?;
    site.attributes.only("select_last_index", 0)?;
    let keeps = site.attributes.flag("keepdims", true)?;
    let axis = dim(position(site.attributes.int("axis")?.unwrap_or(0), x.rank()?)?)?;
    let x = match kind {
        Kind::Min => reversed(site, &x)?,
        _ => x,
    };
    // TenniS compares the bits of x as int32, which is another order for negative floats.
    let x = match x.dtype()? {
        DType::Int32 => x,
        _ => {
            let largest = site.op(Op::Max { dim: axis, keep_dims: 1 }, &[&x])?;
            let is_largest = site.op(Op::Equal, &[&x, &largest])?;
            site.op(Op::Cast { dtype: DType::Int32 }, &[&is_largest])?
        }
    };
    match keeps {
        false => site.emit_narrow(Op::Argmax { dim: axis }, &[&x]),
        true => {
            let index = site.op(Op::Argmax { dim: axis }, &[&x])?;
            site.emit_narrow(Op::Unsqueeze { axes: vec![axis] }, &[&index])
        }
    }
}

/// TenniS has the largest values of the last dim.
pub(super) fn top_k(site: &mut Site<'_, '_>) -> Done {
    let x = site.input(0)?;
    let number = match site.opset < 10 {
        true => site.attributes.int("k")?,
        false => site.integers(1, "k")?.and_then(|k| k.first().copied()),
    };
    let number = int32(number.ok_or("k is missing")?)?;
    site.attributes.ignore("sorted");
    if !site.attributes.flag("largest", true)? {
        return Err("TenniS has the largest values only".into());
    }
    let rank = x.rank()?;
    if position(site.attributes.int("axis")?.unwrap_or(-1), rank)? + 1 != rank {
        return Err("TenniS has the largest values of the last dim only".into());
    }
    if x.size(rank - 1).is_some_and(|size| size < number.into()) {
        return Err(format!("k is {number}, more than the last dim has"));
    }
    site.emit_fields(Op::Topkv2 { number, sorted: 1 }, &[&x], &[1])
}

/// Before version 13, all dims from an axis on are one.
pub(super) fn softmax(site: &mut Site<'_, '_>) -> Done {
    let x = site.input(0)?;
    let axis = site.attributes.int("axis")?;
    if site.opset >= 13 {
        return site.emit(Op::Softmax { dim: int32(axis.unwrap_or(-1))?, smooth: true }, &[&x]);
    }
    let rank = x.rank()?;
    let axis = position(axis.unwrap_or(1), rank)?;
    if (axis + 1..rank).all(|at| x.size(at) == Some(1)) {
        return site.emit(Op::Softmax { dim: dim(axis)?, smooth: true }, &[&x]);
    }
    let flat = site.op(Op::Flatten2d { dim: dim(axis)? }, &[&x])?;
    let prob = site.op(Op::Softmax { dim: 1, smooth: true }, &[&flat])?;
    let shape = site.op(Op::Shape, &[&x])?;
    site.emit(Op::ReshapeV2, &[&prob, &shape])
}
