//! Filters of images in NHWC, which come before a network.

use fourfold_tennis::ResizeType;

use super::site::{Lowered, Site, defined, int, product};
use super::types::numbers;
use super::{pad, resample};
use crate::numbers::is_float;

/// One channel three times.
pub(super) fn force_color(site: &mut Site<'_>) -> Lowered {
    let [x] = site.take()?;
    numbers(x.dtype)?;
    let last = x.rank().checked_sub(1).ok_or("its input has no dims")?;
    match x.size(last)? {
        3 => site.emit("Identity", &[&x.name], Vec::new()),
        1 => {
            let mut shape = vec![1; last];
            shape.push(3);
            let shape = site.ints(&shape);
            site.emit("Expand", &[&x.name, &shape], Vec::new())
        }
        channels => Err(format!("it has {channels} channels, TenniS takes 1 or 3")),
    }
}

/// The sum of the channels, each by its weight: those of blue, green and red if none are given.
pub(super) fn force_gray(site: &mut Site<'_>, scale: Option<&[f32]>) -> Lowered {
    const BLUE_GREEN_RED: &[f32] = &[0.114, 0.587, 0.299];
    let [x] = site.take()?;
    let last = x.rank().checked_sub(1).ok_or("its input has no dims")?;
    let channels = x.size(last)?;
    if channels == 1 {
        return site.emit("Identity", &[&x.name], Vec::new());
    }
    if !is_float(x.dtype) {
        let reason = "it cuts sums to {dtype}, whose last bit depends on how TenniS is compiled; cast its input to float";
        return Err(reason.replace("{dtype}", &x.dtype.to_string()));
    }
    let scale = scale.filter(|scale| !scale.is_empty()).unwrap_or(BLUE_GREEN_RED);
    if int(scale.len()) != channels {
        return Err(format!("it has {channels} channels, but {} weights", scale.len()));
    }
    let weights = site.numbers(x.dtype, scale, &[channels, 1])?;
    site.emit("MatMul", &[&x.name, &weights], Vec::new())
}

/// An image cut or padded with zeros around its center.
pub(super) fn center_crop(site: &mut Site<'_>, [width, height]: [i32; 2]) -> Lowered {
    let [x] = site.take()?;
    let rows = pad::around(i64::from(height) - x.size(1)?);
    let columns = pad::around(i64::from(width) - x.size(2)?);
    pad::pad_by(site, &x, &[[0, 0], rows, columns, [0, 0]], 0.0)
}

/// An image in another size, which follows from its params and the size of x.
pub(super) fn scale_resize(site: &mut Site<'_>, kind: ResizeType) -> Lowered {
    let ([x], y) = (site.take()?, site.output()?);
    resample::resize(site, &x, &[-1, y.size(1)?, y.size(2)?, -1], kind)
}

/// An image scaled into a size, with a number where it has no pixels.
#[expect(clippy::cast_precision_loss, reason = "TenniS computes these as float")]
pub(super) fn letterbox(site: &mut Site<'_>, kind: ResizeType, outer: f32) -> Lowered {
    let ([x], y) = (site.take()?, site.output()?);
    let scale = |dim: usize| Ok::<_, String>(y.size(dim)? as f32 / x.size(dim)? as f32);
    let scale = scale(2)?.min(scale(1)?);
    let mut line = |dim: usize| resample::scaled(site, kind, [x.size(dim)?, y.size(dim)?], scale);
    let (rows, columns) = (line(1)?, line(2)?);
    let inside = resample::both(site, &x, 1, kind, [&rows, &columns])?.name;
    if outer == 0.0 {
        return site.finish(&inside);
    }
    defined(x.dtype, outer)?;
    site.reserve(product([int(rows.len()), int(columns.len())]).unwrap_or(i64::MAX))?;
    let outside = rows
        .iter()
        .flat_map(|row| columns.iter().map(|column| row.is_empty() || column.is_empty()));
    let outer = if is_float(x.dtype) { outer } else { outer.trunc() };
    let numbers: Vec<f32> = outside.map(|outside| if outside { outer } else { 0.0 }).collect();
    let numbers = site.numbers(x.dtype, &numbers, &[int(rows.len()), int(columns.len()), 1])?;
    site.emit("Add", &[&inside, &numbers], Vec::new())
}
