//! Outputs of another shape than the input.

use fourfold::tsm::DType;

use super::elementwise::broadcast_shape;
use super::{Failure, Inputs, one, position, size, unknown, with_size, wrong};
use crate::output::{Output, Size, count};
use crate::value::Number;

pub(super) fn shape(inputs: Inputs<'_>) -> Result<Vec<Output>, Failure> {
    inputs.exactly(1)?;
    let sizes = inputs.shape(0)?;
    let values = sizes.iter().map(|size| size.map(|size| Number::Integer(size.into())));
    let count = size(i64::try_from(sizes.len()).unwrap_or(i64::MAX))?;
    Ok(vec![Output::new(Some(DType::Int32), vec![count]).with_values(values)])
}

pub(super) fn broadcast(inputs: Inputs<'_>) -> Result<Vec<Output>, Failure> {
    inputs.exactly(2)?;
    // TenniS takes the larger one of each size.
    let sizes =
        inputs.values(1)?.iter().map(|size| size.map(|size| size.max(1))).collect::<Vec<_>>();
    one(inputs.dtype(0)?, broadcast_shape(inputs.shape(0)?, &sizes)?)
}

/// The elements of x in another shape.
fn reshaped(inputs: Inputs<'_>, shape: Vec<Size>) -> Result<Vec<Output>, Failure> {
    let x = inputs.get(0)?;
    if let (Some(old), Some(new)) = (x.count(), count(&shape)) {
        if old != new {
            let new = Output::new(x.dtype(), shape);
            return wrong(format!("{x} cannot be reshaped to {new}"));
        }
    }
    Ok(vec![Output::new(x.dtype(), shape).with_values_of(x)])
}

/// `_reshape`, `_reshape_v2`: 0 is the size of x, a negative size is computed.
pub(super) fn reshape(
    inputs: Inputs<'_>,
    sizes: &[Size],
    has_param: bool,
) -> Result<Vec<Output>, Failure> {
    inputs.exactly(if has_param { 1 } else { 2 })?;
    let x = inputs.shape(0)?;
    let mut shape = Vec::with_capacity(sizes.len());
    let mut computed = None;
    for (at, size) in sizes.iter().enumerate() {
        shape.push(match size {
            Some(0) => match x.get(at) {
                Some(size) => *size,
                None => return wrong(format!("size {at} is 0, and x has {} dims", x.len())),
            },
            Some(..0) if computed.replace(at).is_some() => {
                return wrong("more than one size is negative");
            }
            Some(..0) => Some(1),
            size => *size,
        });
    }
    if let Some(at) = computed {
        // The product of the others divides the count of elements.
        let size = match (count(x), count(&shape)) {
            (Some(all), Some(others)) => match all.checked_div(others) {
                Some(computed) if computed * others == all => {
                    size(i64::try_from(computed).unwrap_or(i64::MAX))?
                }
                _ => return wrong(format!("{all} elements cannot be divided by {others}")),
            },
            // A size from a value that is not known may be any.
            _ if sizes.contains(&None) => None,
            _ => remaining(x, &shape),
        };
        shape = with_size(&shape, at, size);
    }
    reshaped(inputs, shape)
}

/// The computed size where all unknown sizes of x are kept, as batches are.
fn remaining(x: &[Size], shape: &[Size]) -> Size {
    let unknown_at = |sizes: &[Size]| -> Vec<usize> {
        let sizes = sizes.iter().enumerate().filter(|(_, size)| size.is_none());
        sizes.map(|(at, _)| at).collect()
    };
    let known = |sizes: &[Size]| -> Option<u64> {
        count(&sizes.iter().copied().filter(Option::is_some).collect::<Vec<_>>())
    };
    if unknown_at(x) != unknown_at(shape) {
        return None;
    }
    let (all, others) = (known(x)?, known(shape)?);
    let size = all.checked_div(others)?;
    if size.checked_mul(others)? == all { i32::try_from(size).ok() } else { None }
}

pub(super) fn flatten(inputs: Inputs<'_>, dim: i32) -> Result<Vec<Output>, Failure> {
    inputs.exactly(1)?;
    let x = inputs.shape(0)?;
    let Some(at) = from_end(dim, x.len()) else {
        return wrong(format!("there is no dim {dim} in {} dims", x.len()));
    };
    let shape = match x.get(..at).zip(x.get(at..)) {
        Some((kept, [])) => [kept, &[Some(1)]].concat(),
        Some((kept, others)) => [kept, &[product(others)?]].concat(),
        // Sizes of 1 are added, up to that dim.
        None if at < super::MAX_DIMS => {
            x.iter().copied().chain(std::iter::repeat_n(Some(1), at + 1 - x.len())).collect()
        }
        None => return wrong(format!("dim {dim} would make more than 7 dims")),
    };
    reshaped(inputs, shape)
}

/// A dim that may count from the end, and may be after it.
fn from_end(dim: i32, dims: usize) -> Option<usize> {
    let dims = i64::try_from(dims).ok()?;
    usize::try_from(if dim < 0 { i64::from(dim) + dims } else { i64::from(dim) }).ok()
}

fn product(sizes: &[Size]) -> Result<Size, Failure> {
    if sizes.iter().any(Option::is_none) {
        return Ok(None);
    }
    size(count(sizes).and_then(|count| i64::try_from(count).ok()).unwrap_or(i64::MAX))
}

pub(super) fn flatten2d(inputs: Inputs<'_>, dim: i32) -> Result<Vec<Output>, Failure> {
    inputs.exactly(1)?;
    let x = inputs.shape(0)?;
    let at = from_end(dim, x.len()).unwrap_or(0).min(x.len());
    let (first, last) = x.split_at_checked(at).unwrap_or((x, &[]));
    reshaped(inputs, vec![product(first)?, product(last)?])
}

pub(super) fn squeeze(inputs: Inputs<'_>, axes: &[i32]) -> Result<Vec<Output>, Failure> {
    inputs.exactly(1)?;
    let mut shape = inputs.shape(0)?.to_vec();
    if axes.is_empty() {
        if shape.contains(&None) {
            return unknown("sizes of input 0 that may be 1 are unknown");
        }
        shape.retain(|size| *size != Some(1));
    }
    // From the last one, so that positions before it stay.
    for &axis in axes.iter().rev() {
        let at = position(axis, shape.len())?;
        match shape.get(at) {
            Some(Some(1) | None) => shape.remove(at),
            _ => return wrong(format!("the size of dim {axis} is not 1")),
        };
    }
    reshaped(inputs, shape)
}

pub(super) fn unsqueeze(inputs: Inputs<'_>, axes: &[i32]) -> Result<Vec<Output>, Failure> {
    inputs.exactly(1)?;
    let mut shape = inputs.shape(0)?.to_vec();
    if axes.len() + shape.len() > super::MAX_DIMS {
        return wrong(format!("{} axes make more than 7 dims", axes.len()));
    }
    for &axis in axes {
        // One more place than there are dims: after the last one.
        let places = shape.len() + 1;
        let last = i32::try_from(shape.len()).unwrap_or(i32::MAX);
        match axis {
            _ if axis < -last || axis > last => {
                return wrong(format!("there is no place {axis} in {} dims", shape.len()));
            }
            _ => shape.insert(position(axis, places)?, Some(1)),
        }
    }
    reshaped(inputs, shape)
}

pub(super) fn expand(
    inputs: Inputs<'_>,
    front: i32,
    end: i32,
    inverse: bool,
) -> Result<Vec<Output>, Failure> {
    inputs.exactly(2)?;
    let x = inputs.shape(0)?;
    let Some(dims) = inputs.values(1)?.first().copied().flatten() else {
        return unknown("the count of dims is unknown");
    };
    let missing = usize::try_from(dims).ok().and_then(|dims| dims.checked_sub(x.len()));
    let Some(missing) = missing.filter(|missing| x.len() + missing <= super::MAX_DIMS) else {
        return wrong(format!("{} dims cannot be expanded to {dims}", x.len()));
    };
    // A negative limit is none.
    let at_most =
        |limit: i32, missing: usize| usize::try_from(limit).unwrap_or(missing).min(missing);
    let (front, end) = if inverse {
        let end = at_most(end, missing);
        (at_most(front, missing - end), end)
    } else {
        let front = at_most(front, missing);
        (front, at_most(end, missing - front))
    };
    if front + end < missing {
        return wrong(format!("{} dims cannot be expanded to {dims}", x.len()));
    }
    let ones = |count| std::iter::repeat_n(Some(1), count);
    reshaped(inputs, ones(front).chain(x.iter().copied()).chain(ones(end)).collect())
}

pub(super) fn transpose(
    inputs: Inputs<'_>,
    permute: Option<&[i32]>,
) -> Result<Vec<Output>, Failure> {
    inputs.exactly(1)?;
    let x = inputs.shape(0)?;
    let shape = match permute.filter(|permute| !permute.is_empty()) {
        Some(permute) => {
            let Some(leading) = permute.len().checked_sub(x.len()) else {
                return wrong(format!(
                    "{} dims cannot be transposed by {}",
                    x.len(),
                    permute.len()
                ));
            };
            let padded: Vec<_> =
                std::iter::repeat_n(Some(1), leading.min(8)).chain(x.iter().copied()).collect();
            let mut used = vec![false; padded.len()];
            let mut shape = Vec::with_capacity(padded.len());
            for &dim in permute {
                let at = usize::try_from(dim).unwrap_or(usize::MAX);
                match (padded.get(at), used.get_mut(at)) {
                    (Some(size), Some(used)) if !*used => {
                        *used = true;
                        shape.push(*size);
                    }
                    _ => return wrong(format!("{dim} in \"permute\" is no dim or comes twice")),
                }
            }
            shape
        }
        // TenniS copies the last dim to the one before it, instead of swapping the two.
        None => match x {
            [.., _, last] => with_size(x, x.len() - 2, *last),
            _ => x.to_vec(),
        },
    };
    if shape.contains(&Some(0)) {
        return wrong("a dim has the size 0");
    }
    one(inputs.dtype(0)?, shape)
}
