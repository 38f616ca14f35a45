//! Products of matrices, and what is made of them.

use super::{Failure, Inputs, agree, one, size, wrong};
use crate::kinds::Direction;
use crate::output::{Output, Size, count};

fn swapped([rows, columns]: [Size; 2], swap: bool) -> [Size; 2] {
    if swap { [columns, rows] } else { [rows, columns] }
}

/// Refuses a product of matrices that do not fit.
fn product([rows, k]: [Size; 2], [other_k, columns]: [Size; 2]) -> Result<Vec<Size>, Failure> {
    if agree(k, other_k) {
        return Ok(vec![rows, columns]);
    }
    let (k, other_k) = (k.unwrap_or(0), other_k.unwrap_or(0));
    wrong(format!("a has {k} columns, and b {other_k} rows"))
}

pub(super) fn gemm(
    inputs: Inputs<'_>,
    beta: f32,
    trans_a: bool,
    trans_b: bool,
) -> Result<Vec<Output>, Failure> {
    inputs.exactly(3)?;
    // c may have any type if it is not used.
    let typed: &[usize] = if beta == 0.0 { &[0, 1] } else { &[0, 1, 2] };
    let dtype = inputs.of_one_dtype(typed)?;
    let a = swapped(inputs.dims::<2>(0)?, trans_a);
    let b = swapped(inputs.dims::<2>(1)?, trans_b);
    let shape = product(a, b)?;
    let c = inputs.shape(2)?;
    let fits =
        c.iter().rev().zip(shape.iter().rev()).all(|(c, size)| *c == Some(1) || agree(*c, *size));
    if c.len() > 2 || !fits {
        return wrong("c cannot be broadcast to the product of a and b");
    }
    one(dtype, shape)
}

pub(super) fn inner_prod(inputs: Inputs<'_>, transpose: bool) -> Result<Vec<Output>, Failure> {
    inputs.exactly(2)?;
    let dtype = inputs.of_one_dtype(&[0, 1])?;
    let (rows, others) = match inputs.shape(0)?.split_first() {
        Some((rows, others)) => (*rows, others),
        None => return wrong("input 0 has no dims"),
    };
    let columns = match others.contains(&None) {
        true => None,
        false => {
            size(count(others).and_then(|count| i64::try_from(count).ok()).unwrap_or(i64::MAX))?
        }
    };
    one(dtype, product([rows, columns], swapped(inputs.dims::<2>(1)?, transpose))?)
}

pub(super) fn matmul(inputs: Inputs<'_>) -> Result<Vec<Output>, Failure> {
    let dtype = inputs.of_one_dtype(&[0, 1])?;
    let (a, b) = (inputs.shape(0)?, inputs.shape(1)?);
    let shape = match (a, b) {
        ([.., rows, k], [.., other_k, columns])
            if a.len() == b.len() && matches!(b.len(), 2 | 4) =>
        {
            let leading = [a, b].map(|shape| shape.get(..shape.len() - 2).unwrap_or_default());
            if leading.iter().any(|sizes| sizes.iter().any(|size| !agree(*size, Some(1)))) {
                return wrong("TenniS multiplies 4 dims only if the first two have the size 1");
            }
            let ones = vec![Some(1); b.len() - 2];
            [ones, product([*rows, *k], [*other_k, *columns])?].concat()
        }
        ([rows @ .., k], [other_k, columns]) => {
            product([None, *k], [*other_k, *columns])?;
            [rows, &[*columns]].concat()
        }
        _ => {
            let (a, b) = (a.len(), b.len());
            return wrong(format!("TenniS does not multiply {a} dims by {b}"));
        }
    };
    one(dtype, shape)
}

/// The outputs of all steps, that of the last one, and its state.
pub(super) fn lstm(
    inputs: Inputs<'_>,
    direction: Direction,
    hidden_size: i32,
) -> Result<Vec<Output>, Failure> {
    let dtype = inputs.dtype(0)?;
    let [steps, batch, features] = inputs.dims::<3>(0)?;
    let [_, _, columns] = inputs.dims::<3>(1)?;
    if !agree(features, columns) {
        return wrong("x and w have different counts of features");
    }
    let directions = Some(match direction {
        Direction::Forward => 1,
        Direction::Bidirectional => 2,
    });
    let last = vec![directions, batch, size(hidden_size)?];
    let all = [&[steps], &last[..]].concat();
    // The directions come before the batch in all of them.
    Ok([all, last.clone(), last].map(|shape| Output::new(dtype, shape)).into())
}
