//! Values of outputs that shapes are computed from: few integers, as a rule.

use fourfold::tsm::DType;

use crate::operator::Operator as Op;
use crate::output::{MOST_VALUES, Output, Size};
use crate::rules::{Inputs, positions};
use crate::value::{Number, numbers};

type Values = Vec<Option<Number>>;

/// The same output with its values, if they can be computed.
pub(crate) fn with_values(operator: &Op, inputs: Inputs<'_>, output: Output) -> Output {
    // Pads are sliced and transposed as a matrix.
    let most_dims = if matches!(operator, Op::SliceV3 | Op::Transpose { .. }) { 2 } else { 1 };
    if output.values().is_some() || output.shape().is_none_or(|shape| shape.len() > most_dims) {
        return output;
    }
    match values(operator, inputs, &output) {
        // As many as the shape has.
        Some(values) if u64::try_from(values.len()).ok() == output.count() => {
            output.with_values(values)
        }
        _ => output,
    }
}

fn values(operator: &Op, inputs: Inputs<'_>, output: &Output) -> Option<Values> {
    let x = || inputs.numbers(0).ok();
    Some(match operator {
        Op::Dims => {
            vec![Some(Number::Integer(i64::try_from(inputs.shape(0).ok()?.len()).ok()?))]
        }
        Op::Copy | Op::Broadcast => x()?.to_vec(),
        Op::Cast { .. } | Op::ToFloat => cast(x()?, output.dtype()?),
        Op::Concat { .. } | Op::Stack { .. } => {
            let all = (0..inputs.nodes.len()).map(|at| inputs.numbers(at).ok());
            all.collect::<Option<Vec<_>>>()?.concat()
        }
        Op::Gather { .. } => {
            let x = x()?;
            let indices = inputs.numbers(1).ok()?.iter();
            indices.map(|index| picked(x, (*index)?.to_i32())).collect()
        }
        Op::SliceV3 => {
            let (x, rows) = (x()?, *inputs.shape(0).ok()?.first()?);
            let rows = usize::try_from(rows?).ok()?;
            let width = x.len().checked_div(rows)?;
            let rows = positions(operator, inputs, rows)?.into_iter();
            rows.filter_map(|at| x.get(at * width..(at + 1) * width)).flatten().copied().collect()
        }
        Op::Transpose { permute: Some(permute) } if permute[..] == [1, 0] => {
            let &[_, Some(width)] = inputs.shape(0).ok()? else { return None };
            let (x, width) = (x()?, usize::try_from(width).ok()?);
            (0..width).flat_map(|at| x.iter().skip(at).step_by(width)).copied().collect()
        }
        Op::Slice { .. } | Op::SliceV2 | Op::StridedSlice { .. } => {
            let x = x()?;
            let positions = positions(operator, inputs, x.len())?.into_iter();
            positions.map(|at| x.get(at).copied().flatten()).collect()
        }
        Op::Ceil => rounded(x()?, f64::ceil),
        Op::Floor => rounded(x()?, f64::floor),
        Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Maximum => {
            let dtype = output.dtype()?;
            let [a, b] = [cast(x()?, dtype), cast(inputs.numbers(1).ok()?, dtype)];
            combined(operator, &a, &b, dtype)
        }
        Op::Range => {
            let [first, step] = [x()?, inputs.numbers(2).ok()?].map(|values| *values.first()?);
            counted(first?, step?, output.shape()?)?
        }
        Op::ConstantOfShape { value } => {
            let value = value.as_ref().and_then(|value| numbers(value)?.next());
            let count = usize::try_from(output.count()?).ok()?;
            vec![value; count.min(MOST_VALUES + 1)]
        }
        _ => return None,
    })
}

fn picked(x: &[Option<Number>], index: i32) -> Option<Number> {
    let at = match usize::try_from(index) {
        Ok(at) => at,
        Err(_) => x.len().checked_sub(usize::try_from(index.unsigned_abs()).ok()?)?,
    };
    x.get(at).copied().flatten()
}

/// Integers that are cast to a narrow type may change, so that they are no longer known.
fn cast(x: &[Option<Number>], dtype: DType) -> Values {
    x.iter().map(|value| kept(to_class(dtype, (*value)?)?, dtype)).collect()
}

fn to_class(dtype: DType, value: Number) -> Option<Number> {
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "as C++")]
    Some(match (dtype, value) {
        (DType::Float32 | DType::Float64, Number::Integer(value)) => Number::Float(value as f64),
        (DType::Int8 | DType::Int16 | DType::Int32 | DType::Int64, Number::Float(value)) => {
            Number::Integer(value as i64)
        }
        (DType::Boolean, _) => return None,
        (_, value) => value,
    })
}

/// The number, if the type holds it.
fn kept(value: Number, dtype: DType) -> Option<Number> {
    let holds = match (dtype, value) {
        (DType::Int8, Number::Integer(value)) => i8::try_from(value).is_ok(),
        (DType::UInt8, Number::Integer(value)) => u8::try_from(value).is_ok(),
        (DType::Int16, Number::Integer(value)) => i16::try_from(value).is_ok(),
        (DType::UInt16, Number::Integer(value)) => u16::try_from(value).is_ok(),
        (DType::Int32, Number::Integer(value)) => i32::try_from(value).is_ok(),
        (DType::UInt32, Number::Integer(value)) => u32::try_from(value).is_ok(),
        (DType::Int64, Number::Integer(_)) => true,
        (DType::Float32 | DType::Float64, Number::Float(_)) => true,
        _ => false,
    };
    #[expect(clippy::cast_possible_truncation, reason = "the precision of the type")]
    let value = match (dtype, value) {
        (DType::Float32, Number::Float(value)) => Number::Float((value as f32).into()),
        (_, value) => value,
    };
    holds.then_some(value)
}

fn rounded(x: &[Option<Number>], round: fn(f64) -> f64) -> Values {
    let round = |value| match value {
        Number::Float(value) => Number::Float(round(value)),
        integer => integer,
    };
    x.iter().map(|value| value.map(round)).collect()
}

/// The values of two inputs, of which one may be repeated.
fn combined(operator: &Op, a: &Values, b: &Values, dtype: DType) -> Values {
    let at = |values: &Values, at: usize| match values.as_slice() {
        [one] => *one,
        several => several.get(at).copied().flatten(),
    };
    let count = a.len().max(b.len());
    let value =
        |position: usize| kept(combine(operator, at(a, position)?, at(b, position)?)?, dtype);
    (0..count).map(value).collect()
}

fn combine(operator: &Op, a: Number, b: Number) -> Option<Number> {
    Some(match (a, b) {
        (Number::Integer(a), Number::Integer(b)) => Number::Integer(match operator {
            Op::Add => a.checked_add(b)?,
            Op::Sub => a.checked_sub(b)?,
            Op::Mul => a.checked_mul(b)?,
            Op::Div => a.checked_div(b)?,
            Op::Mod => a.checked_rem(b)?,
            Op::Maximum => a.max(b),
            _ => return None,
        }),
        (Number::Float(a), Number::Float(b)) => Number::Float(match operator {
            Op::Add => a + b,
            Op::Sub => a - b,
            Op::Mul => a * b,
            // By 0, TenniS has the largest or the least number.
            Op::Div if b != 0.0 => a / b,
            Op::Maximum => a.max(b),
            _ => return None,
        }),
        _ => return None,
    })
}

/// Numbers from the first, as many as the shape has.
fn counted(first: Number, step: Number, shape: &[Size]) -> Option<Values> {
    let &[Some(count)] = shape else { return None };
    let (Number::Integer(first), Number::Integer(step)) = (first, step) else { return None };
    let value = |at: i64| Some(Number::Integer(first.checked_add(at.checked_mul(step)?)?));
    Some((0..i64::from(count)).take(MOST_VALUES + 1).map(value).collect())
}
