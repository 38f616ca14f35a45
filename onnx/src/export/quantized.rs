//! Integers of 8 bits in place of floats.

use fourfold::tsm::DType;

use super::image::{self, Window};
use super::site::{Lowered, Site, int, to_type};
use super::types::floats;

/// x as int8 by a scale for each item of its first dim, with halves away from 0.
pub(super) fn quantize(site: &mut Site<'_>, scales: &[f32]) -> Lowered {
    let [x] = site.take()?;
    floats(x.dtype)?;
    let mut dims = vec![1; x.rank()];
    if let Some(items) = dims.first_mut() {
        *items = int(scales.len());
    }
    let scales = site.numbers(x.dtype, scales, &dims)?;
    let name = site.step("Mul", &[&x.name, &scales], Vec::new());
    // In double, in which a half is added exactly.
    let double = site.recast(name, x.dtype, DType::Float64)?;
    let rounded = rounded(site, &double)?;
    let [least, most] = [-128.0, 127.0].map(|at| site.number(DType::Float64, at));
    let clipped = site.step("Clip", &[&rounded, &least?, &most?], Vec::new());
    site.emit("Cast", &[&clipped], to_type(DType::Int8)?)
}

/// A double without its fraction, with halves away from 0.
pub(super) fn rounded(site: &mut Site<'_>, double: &str) -> Lowered<String> {
    let half = site.number(DType::Float64, 0.5)?;
    let sign = site.step("Sign", &[double], Vec::new());
    let size = site.step("Abs", &[double], Vec::new());
    let size = site.step("Add", &[&size, &half], Vec::new());
    let size = site.step("Floor", &[&size], Vec::new());
    Ok(site.step("Mul", &[&size, &sign], Vec::new()))
}

/// A convolution of int8, whose sums are floats by a scale for each channel.
pub(super) fn conv(
    site: &mut Site<'_>,
    window: Window,
    padding_value: f32,
    scales: &[f32],
) -> Lowered {
    let [x, w] = site.take()?;
    if window.missing(&x, &w).iter().any(|&missing| missing > 0) {
        return Err("its kernel is larger than its padded input".into());
    }
    let (x, pads) = image::padded(site, &x, window, padding_value)?;
    let sums = site.step("ConvInteger", &[&x, &w.name], window.attributes(pads));
    let sums = site.step("Cast", &[&sums], to_type(DType::Float32)?);
    let scales = site.numbers(DType::Float32, scales, &[int(scales.len()), 1, 1])?;
    site.emit("Mul", &[&sums, &scales], Vec::new())
}
