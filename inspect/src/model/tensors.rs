//! Files with only tensors as JSON, in one direction: `convert` writes such files.

use std::borrow::Cow;

use super::{Elements, Kind, Part, Tensor};
use crate::tensors::{self, DType, Order, Weights};

/// All tensors by name, row-major, and the file's metadata.
pub(super) fn file<'a>(weights: &'a Weights<'_>) -> Part<'a> {
    let mut fields = Vec::new();
    if !weights.notes.is_empty() {
        let notes = weights.notes.iter();
        let notes = notes.map(|(key, text)| (escaped(key), Part::text(text.as_str())));
        fields.push(("metadata".into(), Part::Map(notes.collect())));
    }
    let tensors = weights.tensors.iter().map(|it| (escaped(&it.name), tensor(it)));
    fields.push(("tensors".into(), Part::Map(tensors.collect())));
    Part::Map(fields)
}

/// A name that begins like a form has another `$` before it.
fn escaped(name: &str) -> Cow<'_, str> {
    match name.starts_with('$') {
        true => format!("${name}").into(),
        false => name.into(),
    }
}

fn tensor<'a>(tensor: &'a tensors::Tensor<'_>) -> Part<'a> {
    let sizes = tensor.shape.iter().map(|size| Part::Unsigned(*size as u128)).collect();
    Part::Tensor(Box::new(Tensor {
        title: tensor.to_string(),
        head: vec![
            ("dtype".into(), Part::text(tensor.dtype.to_string())),
            ("shape".into(), Part::List(sizes)),
        ],
        elements: Elements::new(kind(tensor.dtype), tensor.in_order(Order::RowMajor)),
    }))
}

/// The type of elements.
pub const fn kind(dtype: DType) -> Kind {
    match dtype {
        DType::Bf16 => Kind::Bfloat16,
        DType::Small(small) => Kind::Small(small),
        dtype => match dtype.to_tsm() {
            Some(dtype) => super::tsm::kind(dtype),
            None => Kind::Raw(dtype.bits() / 8),
        },
    }
}
