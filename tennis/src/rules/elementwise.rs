//! Outputs of the shape of an input, or of inputs that are broadcast.

use fourfold::tsm::DType;

use super::{Failure, Inputs, agree, one, position, wrong};
use crate::kinds::Format;
use crate::output::{Output, Size};

pub(super) fn same(inputs: Inputs<'_>) -> Result<Vec<Output>, Failure> {
    inputs.exactly(1)?;
    one(inputs.dtype(0)?, inputs.shape(0)?.to_vec())
}

/// An operator that works along a dim.
pub(super) fn normalized(inputs: Inputs<'_>, dim: i32) -> Result<Vec<Output>, Failure> {
    position(dim, inputs.shape(0)?.len())?;
    same(inputs)
}

pub(super) fn quantized(inputs: Inputs<'_>, scales: usize) -> Result<Vec<Output>, Failure> {
    inputs.exactly(1)?;
    let shape = inputs.shape(0)?;
    let items = shape.first().copied().flatten();
    if items.is_some_and(|items| usize::try_from(items) != Ok(scales)) {
        return wrong(format!("there are {scales} scales for {} items", items.unwrap_or(0)));
    }
    one(Some(DType::Int8), shape.to_vec())
}

pub(super) fn cast(inputs: Inputs<'_>, dtype: DType) -> Result<Vec<Output>, Failure> {
    inputs.exactly(1)?;
    one(Some(dtype), inputs.shape(0)?.to_vec())
}

pub(super) fn binary(inputs: Inputs<'_>) -> Result<Vec<Output>, Failure> {
    inputs.exactly(2)?;
    let dtype = match (inputs.dtype(0)?, inputs.dtype(1)?) {
        (Some(a), Some(b)) => match upcast(a, b) {
            Some(dtype) => Some(dtype),
            None => return wrong(format!("{a} and {b} have no common type")),
        },
        _ => None,
    };
    one(dtype, broadcast_shape(inputs.shape(0)?, inputs.shape(1)?)?)
}

pub(super) fn equal(inputs: Inputs<'_>) -> Result<Vec<Output>, Failure> {
    let outputs = binary(inputs)?;
    let shapes = outputs.iter().filter_map(Output::shape);
    Ok(shapes.map(|shape| Output::new(Some(DType::Boolean), shape.to_vec())).collect())
}

/// `where`: the first input is the condition.
pub(super) fn selected(inputs: Inputs<'_>) -> Result<Vec<Output>, Failure> {
    inputs.exactly(3)?;
    let dtype = inputs.of_one_dtype(&[1, 2])?;
    let values = broadcast_shape(inputs.shape(1)?, inputs.shape(2)?)?;
    one(dtype, broadcast_shape(inputs.shape(0)?, &values)?)
}

pub(super) fn biased(
    inputs: Inputs<'_>,
    format: Option<Format>,
    dim: Option<i32>,
) -> Result<Vec<Output>, Failure> {
    let of_format = |format| match format {
        Format::Nchw => 1,
        Format::Nhwc => 3,
    };
    match dim.or_else(|| format.map(of_format)) {
        Some(dim) => by_size(inputs, dim, 2),
        None => wrong("one of the params \"dim\" and \"format\" is needed"),
    }
}

/// An operator whose inputs after the first have a number for each index of a dim.
pub(super) fn by_size(inputs: Inputs<'_>, dim: i32, count: usize) -> Result<Vec<Output>, Failure> {
    inputs.exactly(count)?;
    let others: Vec<usize> = (0..count).collect();
    let dtype = inputs.of_one_dtype(&others)?;
    let x = inputs.shape(0)?;
    if dim < 0 {
        return wrong(format!("dim is {dim}, and negative ones are refused here"));
    }
    let size = x.get(position(dim, x.len())?).copied().flatten();
    for at in 1..count {
        // The shape of a parameter may be unknown.
        let Ok(shape) = inputs.shape(at) else { continue };
        match *shape {
            [found] if agree(found, size) => {}
            _ => {
                let size = size.map_or_else(|| "?".to_owned(), |size| size.to_string());
                return wrong(format!("input {at} does not have the shape [{size}]"));
            }
        }
    }
    one(dtype, x.to_vec())
}

/// The shape that two shapes are broadcast to.
pub(super) fn broadcast_shape(a: &[Size], b: &[Size]) -> Result<Vec<Size>, Failure> {
    let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    let leading = long.len() - short.len();
    let padded = std::iter::repeat_n(&Some(1), leading).chain(short);
    long.iter().zip(padded).map(|(a, b)| broadcast_size(*a, *b)).collect()
}

fn broadcast_size(a: Size, b: Size) -> Result<Size, Failure> {
    match (a, b) {
        (Some(1), other) | (other, Some(1)) => Ok(other),
        (Some(a), Some(b)) if a != b => wrong(format!("sizes {a} and {b} cannot be broadcast")),
        (Some(size), _) | (_, Some(size)) => Ok(Some(size)),
        (None, None) => Ok(None),
    }
}

/// The type to which TenniS casts the inputs of an operator with two of them, if there is one.
///
/// ```
/// use fourfold::tsm::DType;
/// use fourfold_tennis::upcast;
///
/// assert_eq!(upcast(DType::Int64, DType::Float32), Some(DType::Float64));
/// // Not what one would expect.
/// assert_eq!(upcast(DType::UInt8, DType::UInt16), Some(DType::Int16));
/// ```
#[must_use]
pub fn upcast(a: DType, b: DType) -> Option<DType> {
    if a == b {
        return Some(a);
    }
    match (class(a)?, class(b)?) {
        (Class::Bool, _) => Some(b),
        (_, Class::Bool) => Some(a),
        (Class::Float, Class::Float) => Some(if a.size() < b.size() { b } else { a }),
        (Class::Float, _) => Some(float_for(a, b)),
        (_, Class::Float) => Some(float_for(b, a)),
        (Class::Char, Class::Char) => Some(if a.size() < b.size() { b } else { a }),
        (Class::Unsigned, Class::Unsigned) if a.size().min(b.size()) == 1 => {
            // With 2 and 8 bytes, a byte gets a sign.
            let size = a.size().max(b.size());
            integer(size, size == 2 || size == 8)
        }
        // A char is a signed integer here.
        (a_class, b_class) => {
            let signed = a_class != Class::Unsigned || b_class != Class::Unsigned;
            integer(a.size().max(b.size()), signed)
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Class {
    Bool,
    Signed,
    Unsigned,
    Char,
    Float,
}

/// `None` for types that TenniS does not cast.
fn class(dtype: DType) -> Option<Class> {
    Some(match dtype {
        DType::Boolean => Class::Bool,
        DType::Int8 | DType::Int16 | DType::Int32 | DType::Int64 => Class::Signed,
        DType::UInt8 | DType::UInt16 | DType::UInt32 | DType::UInt64 => Class::Unsigned,
        DType::Char8 | DType::Char16 | DType::Char32 => Class::Char,
        DType::Float16 | DType::Float32 | DType::Float64 => Class::Float,
        _ => return None,
    })
}

/// The float that holds integers as wide as `other`.
fn float_for(float: DType, other: DType) -> DType {
    match (float, other) {
        (DType::Float32, DType::Char32) => DType::Float64,
        _ if other.size() == 8 => DType::Float64,
        (DType::Float16, _) if other.size() == 4 => DType::Float32,
        _ => float,
    }
}

fn integer(size: usize, signed: bool) -> Option<DType> {
    Some(match (size, signed) {
        (1, true) => DType::Int8,
        (1, false) => DType::UInt8,
        (2, true) => DType::Int16,
        (2, false) => DType::UInt16,
        (4, true) => DType::Int32,
        (4, false) => DType::UInt32,
        (8, true) => DType::Int64,
        (8, false) => DType::UInt64,
        _ => return None,
    })
}
