//! Descriptions of a node's params: short ones such as `stride 2` for boxes, and exact ones such as
//! `int32 [1, 1, 2, 2]`.

use fourfold::tsm::{DType, Element, Node, PackedTensor, Param, Tensor};
use fourfold_tennis::{Operator, PoolType, ResizeType};

use super::picture::{Attribute, Line};
use crate::tensors::params;
use crate::write::float::float;
use crate::write::listing::brackets;
use crate::write::plain::plain_bytes;
use crate::write::width::ends;

/// Maximum number of elements that are shown; of larger tensors, the type and shape are shown.
const MOST_ELEMENTS: usize = 8;
/// Maximum number of elements of an exact description.
const MOST_EXACT: usize = 64;
/// Maximum number of columns of one param's text.
const MOST_COLUMNS: usize = 32;

/// Params that TenniS needs, with values that change nothing.
const NEUTRAL: &[(&str, &str)] = &[("padding", "0"), ("stride", "1"), ("dilation", "1")];

/// The params of a node except for names, prototypes and weights, in the order of the file.
pub(super) fn attributes(node: &Node<'_>) -> Vec<Attribute> {
    let space = Space::of(node);
    let settings =
        params(node).filter(|(param, is_weight)| !is_weight && !param.name().starts_with(b"#"));
    settings
        .map(|(param, _)| {
            let name = plain_bytes(param.name());
            let value = param_text(param, space);
            let is_neutral = NEUTRAL.contains(&(&*name, &*value));
            let meaning = (name == "type").then(|| type_name(node)).flatten();
            let value = match meaning {
                Some(meaning) => format!("{value} ({meaning})"),
                None => value,
            };
            let is_default = is_neutral || is_default(node, param);
            Attribute { name, ty: "", value: Line::of_file(value), is_default }
        })
        .collect()
}

/// What the code of a param `type` means.
fn type_name(node: &Node<'_>) -> Option<&'static str> {
    use Operator as Op;
    match Operator::of(node).ok()? {
        Op::Pooling2d { kind, .. }
        | Op::Pooling2dV2 { kind, .. }
        | Op::GlobalPooling2d { kind, .. } => Some(match kind {
            PoolType::Max => "max",
            PoolType::Avg => "average",
        }),
        Op::AffineSample2d { kind, .. }
        | Op::NhwcLetterbox { kind, .. }
        | Op::NhwcScaleResize2d { kind, .. }
        | Op::Resize2d { kind, .. }
        | Op::Sample2d { kind, .. }
        | Op::Sample2dV2 { kind, .. } => Some(match kind {
            ResizeType::Linear => "linear",
            ResizeType::Cubic => "cubic",
            ResizeType::Nearest => "nearest",
            ResizeType::Hard => "hard",
        }),
        _ => None,
    }
}

/// Whether TenniS computes the same without the param.
fn is_default(node: &Node<'_>, param: &Param<'_>) -> bool {
    /// More than any operator has: each is compared with the node without it.
    const MOST_PARAMS: usize = 64;
    if node.bubble.params.len() > MOST_PARAMS {
        return false;
    }
    let Ok(operator) = Operator::of(node) else { return false };
    let mut without = node.clone();
    without.bubble.params.retain(|other| other.name() != param.name());
    Operator::of(&without).is_ok_and(|same| same == operator)
}

/// The type and all values of a param, if they are at most 64; else types and shapes.
pub fn exact(value: &PackedTensor<'_>) -> Line {
    let [tensor] = value.fields.as_slice() else {
        return tensors(value);
    };
    let dtype = tensor.dtype();
    if let (DType::Char8, Ok(text)) = (dtype, tensor.to_text()) {
        return Line::of_file(format!("{dtype} {}", plain_bytes(text.as_bytes())));
    }
    match elements(tensor, MOST_EXACT) {
        Some(values) => Line::of_file(format!("{dtype} {}", nested(&values, tensor.shape()))),
        None => {
            let shape = brackets(tensor.shape(), MOST_ELEMENTS);
            Line::own(format!("{dtype} of shape {shape}"))
        }
    }
}

/// Values as nested lists.
fn nested(values: &[String], shape: &[i32]) -> String {
    match (shape, values) {
        ([], [one]) => one.clone(),
        ([] | [_], _) => list(values),
        ([count, inner @ ..], _) => {
            let count = usize::try_from(*count).unwrap_or(0).max(1);
            let rows = values.chunks((values.len() / count).max(1)).map(|row| nested(row, inner));
            list(&rows.collect::<Vec<_>>())
        }
    }
}

fn param_text(param: &Param<'_>, space: Space) -> String {
    match param.value.fields.as_slice() {
        [tensor] => value(&plain_bytes(param.name()), tensor, space),
        _ => tensors(&param.value).text,
    }
}

/// Which two of four dims are the height and width of an image.
#[derive(Clone, Copy)]
enum Space {
    /// `NCHW`.
    Last,
    /// `NHWC`.
    Middle,
    Unknown,
}

impl Space {
    fn of(node: &Node<'_>) -> Self {
        let format = node.bubble.tensor("format").and_then(|format| format.to_text().ok());
        match format.as_deref() {
            Some("NCHW") => Space::Last,
            Some("NHWC") => Space::Middle,
            _ => Space::Unknown,
        }
    }

    /// Height and width of four items, if the other two are neutral.
    fn pick<T: PartialEq>(self, items: [T; 4], neutral: &T) -> Option<[T; 2]> {
        let [first, second, third, last] = items;
        match self {
            Space::Last if first == *neutral && second == *neutral => Some([third, last]),
            Space::Middle if first == *neutral && last == *neutral => Some([second, third]),
            _ => None,
        }
    }
}

fn value(name: &str, tensor: &Tensor<'_>, space: Space) -> String {
    if let Some(short) = spatial(name, tensor, space) {
        return short;
    }
    if let (DType::Char8, Ok(text)) = (tensor.dtype(), tensor.to_text()) {
        return ends(&plain_bytes(text.as_bytes()), MOST_COLUMNS).into_owned();
    }
    let Some(values) = elements(tensor, MOST_ELEMENTS) else {
        return prototype(Some(tensor.dtype()), Some(tensor.shape()));
    };
    match (values.as_slice(), tensor.shape()) {
        ([one], [] | [1]) => one.clone(),
        // A nested list, such as padding.
        (_, [_, inner]) => match usize::try_from(*inner).unwrap_or(0) {
            0 => "[]".into(),
            inner => format!("[{}]", values.chunks(inner).map(list).collect::<Vec<_>>().join(", ")),
        },
        _ => list(&values),
    }
}

fn list(values: &[String]) -> String {
    format!("[{}]", values.join(", "))
}

fn elements(tensor: &Tensor<'_>, most: usize) -> Option<Vec<String>> {
    fn texts<T: Element>(tensor: &Tensor<'_>, text: impl Fn(&T) -> String) -> Option<Vec<String>> {
        Some(tensor.values::<T>().ok()?.iter().map(text).collect())
    }
    if tensor.count() > most {
        return None;
    }
    match tensor.dtype() {
        DType::Boolean => texts(tensor, bool::to_string),
        DType::Float32 => texts(tensor, |value: &f32| float(*value)),
        DType::Float64 => texts(tensor, |value: &f64| float(*value)),
        DType::Float16 => texts(tensor, |value: &half::f16| float(*value)),
        _ => Some(tensor.integers().ok()?.iter().map(ToString::to_string).collect()),
    }
}

/// A spatial param: `2` for both height and width, `2x1` for one each. `None` for other params, and for other values.
fn spatial(name: &str, tensor: &Tensor<'_>, space: Space) -> Option<String> {
    let neutral = match name {
        "padding" => 0,
        "stride" | "dilation" | "ksize" => 1,
        _ => return None,
    };
    let values = tensor.integers().ok().filter(|values| values.len() <= MOST_ELEMENTS)?;
    let [height, width] = match (values.as_slice(), tensor.shape()) {
        (&[first, second, third, last], [4]) => {
            space.pick([first, second, third, last], &neutral)?
        }
        (&[a, b, c, d, e, f, g, h], [4, 2]) => {
            let neutral = (neutral, neutral);
            match space.pick([(a, b), (c, d), (e, f), (g, h)], &neutral)? {
                [(top, bottom), (left, right)] if top == bottom && left == right => [top, left],
                [(top, bottom), (left, right)] => {
                    return Some(format!("{top}+{bottom} x {left}+{right}"));
                }
            }
        }
        _ => return None,
    };
    Some(if height == width { height.to_string() } else { format!("{height}x{width}") })
}

/// The type and shape of the first tensor, and the number of further ones.
pub fn tensors(value: &PackedTensor<'_>) -> Line {
    Line::own(match value.fields.split_first() {
        None => "no tensor".into(),
        Some((first, rest)) => {
            let first = prototype(Some(first.dtype()), Some(first.shape()));
            if rest.is_empty() { first } else { format!("{first} and {} more", rest.len()) }
        }
    })
}

/// `float32 [1, 3, ?, ?]`, as far as that is known.
pub fn prototype(dtype: Option<DType>, shape: Option<&[i32]>) -> String {
    // More than TenniS allows, but possible in a file.
    const MOST: usize = 8;
    [dtype.map(|dtype| dtype.to_string()), shape.map(|shape| brackets(shape, MOST))]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" ")
}

/// The value of a constant, if that is a single element or a few integers.
pub(super) fn single(value: &PackedTensor<'_>) -> Option<String> {
    match value.fields.as_slice() {
        [only]
            if only.count() == 1 || (only.count() <= MOST_ELEMENTS && only.integers().is_ok()) =>
        {
            Some(self::value("", only, Space::Unknown))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(tensor: Tensor<'_>) -> String {
        exact(&PackedTensor::from(tensor)).text
    }

    #[test]
    fn exact_params_have_a_type_and_all_values() {
        let int = |shape: &[i32], values: &[i32]| of(Tensor::from_values(values, shape).unwrap());
        assert_eq!(int(&[4], &[1, 1, 2, 2]), "int32 [1, 1, 2, 2]");
        assert_eq!(int(&[], &[3]), "int32 3");
        assert_eq!(int(&[1], &[3]), "int32 [3]");
        assert_eq!(int(&[2, 2], &[0, 1, 2, 3]), "int32 [[0, 1], [2, 3]]");
        assert_eq!(int(&[2, 1, 2], &[0, 1, 2, 3]), "int32 [[[0, 1]], [[2, 3]]]");
        assert_eq!(int(&[0, 3], &[]), "int32 []");
        assert_eq!(int(&[65], &[0; 65]), "int32 of shape [65]");
        assert_eq!(of(Tensor::list(&[0.5f32, -1e-7]).unwrap()), "float32 [0.5, -0.0000001]");
        assert_eq!(of(Tensor::text("NCHW").unwrap()), "char8 NCHW");
    }
}
