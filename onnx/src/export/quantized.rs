//! Integers of 8 bits in place of floats.

use fourfold::tsm::DType;

use super::elementwise::{is_float, need};
use super::image::{self, Window};
use super::site::{Lowered, Site, Value, int};
use crate::dtype::DataType;
use crate::proto::Attribute;

/// x as int8 by a scale for each item of its first dim.
///
/// For one item of float, TenniS rounds eight elements at a time with halves to even; those that remain, several items
/// and double with halves away from 0.
pub(super) fn quantize(site: &mut Site<'_>, scales: &[f32]) -> Lowered {
    let [x] = site.take()?;
    need(is_float(x.dtype), x.dtype)?;
    let mut dims = vec![1; x.rank()];
    if let Some(items) = dims.first_mut() {
        *items = int(scales.len());
    }
    let numbers: Vec<f64> = scales.iter().map(|&scale| scale.into()).collect();
    let numbers = site.numbers(x.dtype, &numbers, &dims)?;
    let product = site.step("Mul", &[&x.name, &numbers], Vec::new());
    let rounded = match x.dtype {
        DType::Float32 if scales.len() == 1 => by_eights(site, &x, &product)?,
        _ => away(site, x.dtype, &product)?,
    };
    let (least, most) = (site.number(x.dtype, -128.0)?, site.number(x.dtype, 127.0)?);
    let clipped = site.step("Clip", &[&rounded, &least, &most], Vec::new());
    site.emit("Cast", &[&clipped], vec![Attribute::int("to", DataType::Int8.number().into())])
}

/// Halves are rounded to even but for the last elements, of which there are fewer than 8.
fn by_eights(site: &mut Site<'_>, x: &Value, product: &str) -> Lowered<String> {
    // Whatever the sizes are that are unknown.
    if x.shape.iter().flatten().any(|size| size % 8 == 0) {
        return Ok(site.step("Round", &[product], Vec::new()));
    }
    let count = x
        .count()
        .ok_or("how it rounds depends on sizes that are unknown; give the input's shape")?;
    let [start, border, end] = [0, count - count % 8, count].map(|at| site.ints(&[at]));
    let (shape, vector) = (site.step("Shape", &[product], Vec::new()), site.ints(&[-1]));
    let vector = site.step("Reshape", &[product, &vector], Vec::new());
    let most = site.step("Slice", &[&vector, &start, &border], Vec::new());
    let most = site.step("Round", &[&most], Vec::new());
    let last = site.step("Slice", &[&vector, &border, &end], Vec::new());
    let last = away(site, x.dtype, &last)?;
    let all = site.step("Concat", &[&most, &last], vec![Attribute::int("axis", 0)]);
    Ok(site.step("Reshape", &[&all, &shape], Vec::new()))
}

/// Rounded with halves away from 0: in double, in which a half is added exactly.
fn away(site: &mut Site<'_>, dtype: DType, name: &str) -> Lowered<String> {
    let value = |name: String, dtype| Value { name, dtype, shape: Vec::new(), ints: None };
    let wide = site.cast(&value(name.to_owned(), dtype), DType::Float64)?;
    let half = site.number(DType::Float64, 0.5)?;
    let (sign, size) =
        (site.step("Sign", &[&wide], Vec::new()), site.step("Abs", &[&wide], Vec::new()));
    let size = site.step("Add", &[&size, &half], Vec::new());
    let size = site.step("Floor", &[&size], Vec::new());
    let rounded = site.step("Mul", &[&size, &sign], Vec::new());
    site.cast(&value(rounded, DType::Float64), dtype)
}

/// A convolution of int8, whose sums are floats by a scale for each channel.
pub(super) fn conv(
    site: &mut Site<'_>,
    window: Window,
    padding_value: f32,
    scales: &[f32],
) -> Lowered {
    let [x, w] = site.take()?;
    need(x.dtype == DType::Int8 && w.dtype == DType::Int8, x.dtype)?;
    let (x, pads) = image::padded(site, &x, window, padding_value)?;
    let sums = site.step("ConvInteger", &[&x, &w.name], window.attributes(pads));
    let to = vec![Attribute::int("to", DataType::Float.number().into())];
    let sums = site.step("Cast", &[&sums], to);
    let numbers: Vec<f64> = scales.iter().map(|&scale| scale.into()).collect();
    let numbers = site.numbers(DType::Float32, &numbers, &[int(scales.len()), 1, 1])?;
    site.emit("Mul", &[&sums, &numbers], Vec::new())
}
