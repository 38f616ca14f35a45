//! Operators that leave all elements as they are, in another shape or order.

use super::site::{Lowered, Site, Value, dim_of, int};
use super::types::numbers;
use crate::proto::Attribute;

/// x in a shape of ONNX, where 0 keeps a dim and -1 is computed.
fn reshape_to(site: &mut Site<'_>, x: &Value, shape: &[i64]) -> Lowered {
    let shape = site.ints(shape);
    site.emit("Reshape", &[&x.name, &shape], Vec::new())
}

pub(super) fn reshape(site: &mut Site<'_>, shape: &[i32]) -> Lowered {
    let [x] = site.take()?;
    let shape: Vec<i64> =
        shape.iter().map(|&size| if size < 0 { -1 } else { size.into() }).collect();
    if shape.iter().filter(|&&size| size < 0).count() > 1 {
        return Err("it has more than one size to be computed".into());
    }
    reshape_to(site, &x, &shape)
}

/// The shape is an input.
pub(super) fn reshape_v2(site: &mut Site<'_>) -> Lowered {
    let [x, shape] = site.take()?;
    if shape.ints.is_some() {
        let rank = x.rank();
        let fixed: Vec<i64> = shape
            .known("sizes")?
            .iter()
            .enumerate()
            .map(|(dim, &size)| if size < 0 || (size == 0 && dim >= rank) { -1 } else { size })
            .collect();
        return reshape_to(site, &x, &fixed);
    }
    let shape = site.cast(&shape, fourfold::tsm::DType::Int64)?;
    site.emit("Reshape", &[&x.name, &shape], Vec::new())
}

/// All dims from `dim` as one.
pub(super) fn flatten(site: &mut Site<'_>, dim: i32) -> Lowered {
    let [x] = site.take()?;
    let rank = x.rank();
    let dim = if dim < 0 { dim_of(dim, rank)? } else { usize::try_from(dim).unwrap_or(usize::MAX) };
    if dim > 1000 {
        return Err(format!("it has dim {dim}"));
    }
    match (dim + 1).cmp(&rank) {
        std::cmp::Ordering::Equal => site.emit("Identity", &[&x.name], Vec::new()),
        std::cmp::Ordering::Less if dim == 1 => {
            site.emit("Flatten", &[&x.name], vec![Attribute::int("axis", 1)])
        }
        std::cmp::Ordering::Less => {
            let mut shape = vec![0; dim];
            shape.push(-1);
            reshape_to(site, &x, &shape)
        }
        std::cmp::Ordering::Greater => {
            let axes: Vec<i64> = (int(rank)..=int(dim)).collect();
            unsqueezed(site, &x, &axes)
        }
    }
}

/// A matrix of the dims before `dim`, and of the others.
pub(super) fn flatten2d(site: &mut Site<'_>, dim: i32) -> Lowered {
    let [x] = site.take()?;
    let rank = int(x.rank());
    let dim = i64::from(dim) + if dim < 0 { rank } else { 0 };
    site.emit("Flatten", &[&x.name], vec![Attribute::int("axis", dim.clamp(0, rank))])
}

pub(super) fn transpose(site: &mut Site<'_>, permute: Option<&[i32]>) -> Lowered {
    let [x] = site.take()?;
    numbers(x.dtype)?;
    let rank = x.rank();
    let Some(permute) = permute.filter(|permute| !permute.is_empty()) else {
        return match rank {
            0 | 1 => site.emit("Identity", &[&x.name], Vec::new()),
            _ => Err("it has no param permute, and TenniS takes the last dim twice".into()),
        };
    };
    if permute.len() < rank {
        return Err(format!("it permutes {} dims, its input has {rank}", permute.len()));
    }
    let axes: Vec<i64> = (0..int(permute.len() - rank)).collect();
    let name = match axes.is_empty() {
        true => x.name,
        false => {
            let axes = site.ints(&axes);
            site.step("Unsqueeze", &[&x.name, &axes], Vec::new())
        }
    };
    let perm: Vec<i64> = permute.iter().map(|&dim| dim.into()).collect();
    site.emit("Transpose", &[&name], vec![Attribute::ints("perm", perm)])
}

/// x with dims of 1 at `axes` of the result.
fn unsqueezed(site: &mut Site<'_>, x: &Value, axes: &[i64]) -> Lowered {
    if axes.is_empty() {
        return site.emit("Identity", &[&x.name], Vec::new());
    }
    let axes = site.ints(axes);
    site.emit("Unsqueeze", &[&x.name, &axes], Vec::new())
}

/// TenniS adds one dim after the other.
pub(super) fn unsqueeze(site: &mut Site<'_>, axes: &[i32]) -> Lowered {
    let [x] = site.take()?;
    let mut is_new = vec![false; x.rank()];
    for &axis in axes {
        let rank = int(is_new.len());
        let at = i64::from(axis) + if axis < 0 { rank + 1 } else { 0 };
        match usize::try_from(at).ok().filter(|&at| at <= is_new.len()) {
            Some(at) => is_new.insert(at, true),
            None => return Err(format!("it adds dim {axis} to {rank} dims")),
        }
    }
    let new = is_new.iter().enumerate().filter(|(_, is_new)| **is_new);
    let axes: Vec<i64> = new.map(|(at, _)| int(at)).collect();
    unsqueezed(site, &x, &axes)
}

/// TenniS removes one dim after the other, the last one of `axes` first.
pub(super) fn squeeze(site: &mut Site<'_>, axes: Option<&[i32]>) -> Lowered {
    let [x] = site.take()?;
    let mut dims: Vec<i64> = (0..int(x.rank())).collect();
    let mut removed = Vec::new();
    match axes.filter(|axes| !axes.is_empty()) {
        Some(axes) => {
            for &axis in axes.iter().rev() {
                let at = dim_of(axis, dims.len())?;
                removed.push(dims.remove(at));
            }
        }
        None => {
            for (dim, size) in x.shape.iter().enumerate() {
                let size = size.map_or_else(|| x.size(dim), Ok)?;
                if size == 1 {
                    removed.push(int(dim));
                }
            }
        }
    }
    if removed.is_empty() {
        return site.emit("Identity", &[&x.name], Vec::new());
    }
    if axes.is_none_or(<[i32]>::is_empty) {
        return site.emit("Squeeze", &[&x.name], Vec::new());
    }
    removed.sort_unstable();
    let axes = site.ints(&removed);
    site.emit("Squeeze", &[&x.name, &axes], Vec::new())
}

/// Dims of 1 before or after those of x, up to a count.
pub(super) fn expand(site: &mut Site<'_>, front: i32, end: i32, inverse: bool) -> Lowered {
    let [x, count] = site.take()?;
    let count = count.known("count of dims")?.first().copied().unwrap_or(-1);
    let missing = count - int(x.rank());
    if missing < 0 {
        return Err(format!("it expands {} dims to {count}", x.rank()));
    }
    let limited =
        |limit: i32, missing: i64| if limit < 0 { missing } else { missing.min(limit.into()) };
    let (before, after) = match inverse {
        false => {
            let before = limited(front, missing);
            (before, limited(end, missing - before))
        }
        true => {
            let after = limited(end, missing);
            (limited(front, missing - after), after)
        }
    };
    if before + after != missing {
        return Err(format!(
            "it expands {} dims to {count}, with at most {front} before and {end} after",
            x.rank()
        ));
    }
    let axes: Vec<i64> = (0..before).chain(count - after..count).collect();
    unsqueezed(site, &x, &axes)
}

pub(super) fn concat(site: &mut Site<'_>, dim: i32) -> Lowered {
    let first = site.input(0)?;
    if site.inputs.len() == 1 {
        return site.emit("Identity", &[&first.name], Vec::new());
    }
    let names: Vec<String> = site.inputs.iter().map(|input| input.name.clone()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let axis = int(first.dim(dim)?);
    site.emit("Concat", &names, vec![Attribute::int("axis", axis)])
}

pub(super) fn stack(site: &mut Site<'_>, axis: i32) -> Lowered {
    let rank = site.input(0)?.rank();
    let axis = int(dim_of(axis, rank + 1)?);
    let axes = site.ints(&[axis]);
    let inputs = site.inputs.clone();
    let each = inputs.iter().map(|input| site.step("Unsqueeze", &[&input.name, &axes], Vec::new()));
    let names: Vec<String> = each.collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    site.emit("Concat", &names, vec![Attribute::int("axis", axis)])
}

/// x divided in a dim, the first pieces one larger if it does not come out even.
pub(super) fn chunk(site: &mut Site<'_>, dim: i32) -> Lowered {
    let [x] = site.take()?;
    let dim = x.dim(dim)?;
    let sizes = site.outputs.iter().map(|output| output.size(dim)).collect::<Lowered<Vec<_>>>()?;
    let sizes = site.ints(&sizes);
    site.emit("Split", &[&x.name, &sizes], vec![Attribute::int("axis", int(dim))])
}

/// x divided in a dim into sizes that are an input.
pub(super) fn split(site: &mut Site<'_>, dim: i32) -> Lowered {
    let [x, sizes] = site.take()?;
    numbers(x.dtype)?;
    let dim = x.dim(dim)?;
    let sizes = sizes.known("sizes")?;
    let total: i64 = sizes.iter().sum();
    if let Some(size) = x.shape.get(dim).copied().flatten().filter(|&size| size != total) {
        return Err(format!("its sizes are {total} in all, dim {dim} of its input has {size}"));
    }
    let sizes = site.ints(sizes);
    site.emit("Split", &[&x.name, &sizes], vec![Attribute::int("axis", int(dim))])
}

pub(super) fn tile(site: &mut Site<'_>, repeats: &[i64]) -> Lowered {
    let x = site.input(0)?;
    numbers(x.dtype)?;
    let axes: Vec<i64> = (0..int(repeats.len().saturating_sub(x.rank()))).collect();
    let name = match axes.is_empty() {
        true => x.name.clone(),
        false => {
            let axes = site.ints(&axes);
            site.step("Unsqueeze", &[&x.name, &axes], Vec::new())
        }
    };
    let mut all = vec![1; x.rank().saturating_sub(repeats.len())];
    all.extend(repeats);
    let repeats = site.ints(&all);
    site.emit("Tile", &[&name, &repeats], Vec::new())
}
