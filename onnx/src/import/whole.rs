//! Operators of TenniS that exporters write as several nodes.

use fourfold::tsm::DType;
use fourfold_tennis::Operator as Op;

use super::graph::{Graph, Value};

/// x, where a value is the square root of it.
pub(super) fn under_root(graph: &Graph, root: &Value) -> Option<Value> {
    match graph.maker(root)? {
        (Op::Sqrt, &[x]) => graph.value(x),
        _ => None,
    }
}

/// `l2_norm`, where a divisor is the square root of a sum of the squares of x and a small number.
pub(super) fn l2_norm(graph: &Graph, x: &Value, divisor: &Value) -> Option<Op> {
    let sum = under_root(graph, divisor)?;
    let (Op::Add, &[sum, epsilon]) = graph.maker(&sum)? else { return None };
    let (sum, epsilon) = (graph.value(sum)?, graph.tensor(epsilon)?.float()?);
    let (&Op::ReduceSum { dims: dim, keep_dims: true }, &[squares]) = graph.maker(&sum)? else {
        return None;
    };
    let squares = graph.value(squares)?;
    let (Op::Square, &[base]) = graph.maker(&squares)? else { return None };
    let at = usize::try_from(dim).ok()?;
    // TenniS has 1 where there is one element.
    let is_norm = graph.is(x, base) && epsilon > 0.0 && x.size(at).is_some_and(|size| size > 1);
    #[expect(clippy::cast_possible_truncation, reason = "a param of 32 bits")]
    let epsilon = epsilon as f32;
    is_norm.then_some(Op::L2Norm { dim, epsilon })
}

/// x and `softmax` without `smooth`, where a quotient is the exponential of x divided by its sum.
pub(super) fn rough_softmax(
    graph: &Graph,
    exponential: &Value,
    sum: &Value,
) -> Option<(Value, Op)> {
    let (Op::Exp, &[x]) = graph.maker(exponential)? else { return None };
    let (&Op::ReduceSum { dims: dim, keep_dims: true }, &[base]) = graph.maker(sum)? else {
        return None;
    };
    let x = graph.value(x)?;
    let at = usize::try_from(dim).ok()?;
    // TenniS has 1 where there is one element.
    let is_softmax = graph.is(exponential, base) && x.size(at).is_some_and(|size| size > 1);
    is_softmax.then_some((x, Op::Softmax { dim, smooth: false }))
}

/// x, where a value is x cast to `dtype`.
pub(super) fn before_cast(graph: &Graph, value: &Value, dtype: DType) -> Option<Value> {
    match graph.maker(value)? {
        (Op::Cast { dtype: to }, &[x]) if *to == dtype => graph.value(x),
        _ => None,
    }
}

/// The inputs of `stack`, where all values have got a dim at `axis`.
pub(super) fn stacked(graph: &Graph, values: &[Value], axis: i32) -> Option<Vec<Value>> {
    let one = |value: &Value| match graph.maker(value)? {
        (Op::Unsqueeze { axes }, &[x]) if axes[..] == [axis] && !value.is_narrow => graph.value(x),
        _ => None,
    };
    values.iter().map(one).collect()
}
