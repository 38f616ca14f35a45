//! Products of matrices, and what is made of them.

use fourfold::tsm::Tensor;
use fourfold_tennis::{Direction, Operator as Op};

use super::graph::{Conversion, Value};
use super::site::{Site, int32};
use super::slices::backward_all;
use super::{Done, Lowered};

pub(super) fn gemm(site: &mut Site<'_, '_>) -> Done {
    let alpha = site.attributes.float("alpha", 1.0)?;
    let beta = site.attributes.float("beta", 1.0)?;
    let trans_a = site.attributes.flag("transA", false)?;
    let mut trans_b = site.attributes.flag("transB", false)?;
    let (a, mut b) = (site.input(0)?, site.input(1)?);
    // TenniS forgets it, but for a constant.
    if trans_b && b.tensor().is_none() {
        b = site.op(Op::Transpose { permute: Some(vec![1, 0]) }, &[&b])?;
        trans_b = false;
    }
    let c = match site.optional(2) {
        Some(c) => c,
        None if alpha == 1.0 && !trans_a => {
            let product = Op::InnerProd { transpose: trans_b, kernel_packed: false };
            return site.emit(product, &[&a, &b]);
        }
        None => site.number(a.dtype()?, 0.0)?,
    };
    site.emit(Op::Gemm { alpha, beta, trans_a, trans_b }, &[&a, &b, &c])
}

/// TenniS has products with a matrix. Others are products of numbers, added up.
pub(super) fn matmul(site: &mut Site<'_, '_>) -> Done {
    let (a, b) = (site.input(0)?, site.input(1)?);
    let (a_rank, b_rank) = (a.rank()?, b.rank()?);
    if a_rank >= 2 && b_rank == 2 {
        return site.emit(Op::Matmul, &[&a, &b]);
    }
    if a_rank == 4
        && b_rank == 4
        && [&a, &b].iter().all(|x| x.size(0) == Some(1) && x.size(1) == Some(1))
    {
        return site.emit(Op::Matmul, &[&a, &b]);
    }
    if a_rank < 2 || b_rank < 2 {
        return vectors(site, &a, &b, (a_rank, b_rank));
    }
    if a_rank.max(b_rank) > 6 {
        return Err("its products would have more than TenniS's 7 dims".into());
    }
    // [.., m, k, 1] by [.., 1, k, n], added up in the dim of k.
    let columns = site.op(Op::Unsqueeze { axes: vec![-1] }, &[&a])?;
    let axes = vec![i32::try_from(b_rank - 2).map_err(|_| "it has too many dims")?];
    let rows = site.op(Op::Unsqueeze { axes }, &[&b])?;
    let products = site.op(Op::Mul, &[&columns, &rows])?;
    site.emit(Op::ReduceSum { dims: -2, keep_dims: false }, &[&products])
}

/// A product with a vector: a matrix of one row or column.
fn vectors(site: &mut Site<'_, '_>, a: &Value, b: &Value, ranks: (usize, usize)) -> Done {
    let (row, column) = (vec![0], vec![1]);
    match ranks {
        (1, 1) => {
            let products = site.op(Op::Mul, &[a, b])?;
            site.emit(Op::ReduceSum { dims: 0, keep_dims: false }, &[&products])
        }
        (1, 2) => {
            let a = site.op(Op::Unsqueeze { axes: row.clone() }, &[a])?;
            let product = site.op(Op::Matmul, &[&a, b])?;
            site.emit(Op::Squeeze { axes: Some(row) }, &[&product])
        }
        (2.., 1) => {
            let b = site.op(Op::Unsqueeze { axes: column }, &[b])?;
            let product = site.op(Op::Matmul, &[a, &b])?;
            site.emit(Op::Squeeze { axes: Some(vec![-1]) }, &[&product])
        }
        (a, b) => Err(format!("TenniS does not multiply {a} dims by {b}")),
    }
}

/// The activations of gates, cells and outputs.
const OWN: [&[u8]; 3] = [b"Sigmoid", b"Tanh", b"Tanh"];

/// TenniS takes states of fewer than 3 dims for zeros.
pub(super) fn lstm(site: &mut Site<'_, '_>) -> Done {
    let hidden_size = int32(site.attributes.int("hidden_size")?.ok_or("hidden_size is missing")?)?;
    site.attributes.only("input_forget", 0)?;
    site.attributes.only("layout", 0)?;
    let activations = site.attributes.texts("activations")?.unwrap_or_default();
    if activations.iter().zip(OWN.iter().cycle()).any(|(name, own)| !name.eq_ignore_ascii_case(own))
    {
        return Err("TenniS has the activations Sigmoid, Tanh and Tanh only".into());
    }
    for name in ["activation_alpha", "activation_beta", "clip"] {
        if site.node.attribute.iter().any(|attribute| attribute.name == name) {
            return Err(format!("TenniS does not have the attribute {name}"));
        }
    }
    // TenniS computes `reverse` as forward.
    let (direction, is_reverse) = match site.attributes.text("direction", "forward")? {
        "forward" => (Direction::Forward, false),
        "reverse" => (Direction::Forward, true),
        "bidirectional" => (Direction::Bidirectional, false),
        other => return Err(format!("direction is {other:?}, which ONNX does not have")),
    };
    if site.inputs.get(4).is_some_and(Option::is_some) {
        return Err("TenniS does not have lengths of sequences".into());
    }
    if site.inputs.get(7).is_some_and(Option::is_some) {
        return Err("TenniS does not have peepholes".into());
    }
    let (x, w, r) = (site.input(0)?, site.input(1)?, site.input(2)?);
    let directions = if direction == Direction::Forward { 1 } else { 2 };
    let b = match site.optional(3) {
        Some(b) => b,
        None => zeros(site, &w, [directions, hidden_size.saturating_mul(8)])?,
    };
    let mut states = Vec::new();
    for index in [5, 6] {
        states.push(match site.optional(index) {
            Some(state) => state,
            None => site.number(x.dtype()?, 0.0)?,
        });
    }
    let lstm = Op::Lstm { direction, hidden_size };
    if !is_reverse {
        let inputs: Vec<&Value> = [&x, &w, &r, &b].into_iter().chain(&states).collect();
        return site.emit_fields(lstm, &inputs, &[]);
    }
    let [starts, ends, axes, steps] = backward_all(site)?;
    let x = site.op(Op::SliceV3, &[&x, &starts, &ends, &axes, &steps])?;
    let inputs: Vec<&Value> = [&x, &w, &r, &b].into_iter().chain(&states).collect();
    let mut fields = site.fields(lstm, &inputs, 3)?.into_iter();
    let y = fields.next().ok_or("it has no outputs")?;
    site.emit(Op::SliceV3, &[&y, &starts, &ends, &axes, &steps])?;
    site.results.extend(fields);
    Ok(())
}

/// Zeros for the bias of weights.
fn zeros(site: &mut Site<'_, '_>, w: &Value, shape: [i32; 2]) -> Lowered<Value> {
    const MOST: i32 = 1 << 20;
    let count: i32 = shape.iter().fold(1, |count, size| count.saturating_mul(*size));
    let count = usize::try_from(count).ok().filter(|_| count <= MOST);
    let count = count.ok_or("hidden_size is too large; give the bias (B)")?;
    let zeros = site.converted(w, Conversion::Zeros(shape), |_| {
        let zeros = Tensor::from_values(&vec![0.0_f32; count], &shape);
        Ok(vec![zeros.map_err(|error| error.to_string())?])
    })?;
    let zeros = zeros.and_then(|mut zeros| zeros.pop());
    zeros.ok_or_else(|| "its weights are computed when the model runs; give the bias (B)".into())
}
