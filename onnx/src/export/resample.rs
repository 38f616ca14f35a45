//! Images in another size.
//!
//! Height and width are resampled one after the other: TenniS's formulas are products of one for each. Pixels are
//! picked by indices, and mixed by a matrix, which are constants.

use fourfold::tsm::DType;
use fourfold_tennis::ResizeType;

use super::site::{Lowered, Site, Value, exact, int};
use super::types::widened;
use crate::numbers::is_float;
use crate::proto::Attribute;

/// Which pixels of a line each new pixel is made of: index and weight. One that is outside of the line has none.
pub(super) type Line = Vec<Vec<(i64, f64)>>;

/// Where new pixel `index` is in the line.
type Place<'a> = &'a dyn Fn(i64) -> f64;

/// New pixels that have no pixel of the image after them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outside {
    /// They are its nearest pixels.
    Clamped,
    /// They are left out.
    Empty,
}

/// The line of a resized image.
fn resized(site: &mut Site<'_>, kind: ResizeType, from: i64, to: i64) -> Lowered<Line> {
    let scale = exact(from) / exact(to);
    let bias = scale / 2.0 - 0.5;
    let place = |index: i64| scale * exact(index) + bias;
    #[expect(clippy::cast_possible_truncation, reason = "TenniS computes these as float")]
    let hard = |index: i64| {
        let scale = exact(from) as f32 / exact(to) as f32;
        f64::from(scale * exact(index) as f32)
    };
    match kind {
        ResizeType::Hard => line(site, kind, [from, to], &hard, Outside::Clamped),
        ResizeType::Cubic => line(
            site,
            kind,
            [from, to],
            &|index| (exact(index) + 0.5) * scale - 0.5,
            Outside::Clamped,
        ),
        ResizeType::Nearest if from == to => line(site, kind, [from, to], &exact, Outside::Clamped),
        _ => line(site, kind, [from, to], &place, Outside::Clamped),
    }
}

/// The line of an image that is scaled by a number. Pixels of it that are not inside are left out.
pub(super) fn scaled(
    site: &mut Site<'_>,
    kind: ResizeType,
    [from, to]: [i64; 2],
    scale: f32,
) -> Lowered<Line> {
    let step = 1.0 / scale;
    #[expect(clippy::cast_possible_truncation, reason = "TenniS computes these as float")]
    line(site, kind, [from, to], &|index| f64::from(step * exact(index) as f32), Outside::Empty)
}

/// The line in which each new pixel is at a place.
fn line(
    site: &mut Site<'_>,
    kind: ResizeType,
    [from, to]: [i64; 2],
    place: Place<'_>,
    outside: Outside,
) -> Lowered<Line> {
    if from < 1 || to < 1 {
        return Err(format!("it resizes {from} pixels to {to}"));
    }
    let weights = match kind {
        ResizeType::Nearest | ResizeType::Hard => to,
        ResizeType::Linear | ResizeType::Cubic => from.saturating_mul(to),
    };
    let resizes = |reason| format!("it resizes {from} pixels to {to}: {reason}");
    site.reserve(weights).map_err(resizes)?;
    if kind == ResizeType::Cubic && from < 4 {
        return Err(format!("it resizes {from} pixels by cubic interpolation, which needs 4"));
    }
    let last = from - 1;
    let pixel = |index: i64| {
        let at = place(index);
        match kind {
            ResizeType::Linear => {
                let end = exact(last);
                if outside == Outside::Empty && !(at >= 0.0 && at < end) {
                    return Vec::new();
                }
                // So does TenniS: the last pixel is a hundred-thousandth of its neighbour.
                let at = if at < end { at.max(0.0) } else { end - 1e-5 };
                let (low, weight) = (whole(at), at - exact(whole(at)));
                match low < last {
                    true => vec![(low, 1.0 - weight), (low + 1, weight)],
                    false => vec![(low.clamp(0, last), 1.0)],
                }
            }
            ResizeType::Nearest | ResizeType::Hard => {
                let at = whole(if kind == ResizeType::Hard { at } else { at.round() });
                match outside == Outside::Empty && !(0..last).contains(&at) {
                    true => Vec::new(),
                    false => vec![(at.clamp(0, last), 1.0)],
                }
            }
            ResizeType::Cubic => cubic(at, from, outside),
        }
    };
    Ok((0..to).map(pixel).collect())
}

/// Four pixels around a place, by the weights that TenniS has.
fn cubic(at: f64, from: i64, outside: Outside) -> Vec<(i64, f64)> {
    const A: f64 = -0.75;
    let mut low = whole(at.floor());
    let mut t = at - at.floor();
    if outside == Outside::Empty && (low < 1 || low >= from - 3) {
        return Vec::new();
    }
    if low < 1 {
        (low, t) = (1, 0.0);
    }
    if low >= from - 3 {
        (low, t) = (from - 3, 0.0);
    }
    let first = ((A * (t + 1.0) - 5.0 * A) * (t + 1.0) + 8.0 * A) * (t + 1.0) - 4.0 * A;
    let second = ((A + 2.0) * t - (A + 3.0)) * t * t + 1.0;
    let third = ((A + 2.0) * (1.0 - t) - (A + 3.0)) * (1.0 - t) * (1.0 - t) + 1.0;
    let fourth = 1.0 - first - second - third;
    (low - 1..).zip([first, second, third, fourth]).collect()
}

#[expect(clippy::cast_possible_truncation, reason = "as C++ cuts the fraction")]
fn whole(at: f64) -> i64 {
    at as i64
}

/// Whether each new pixel is one of the line, or outside of it.
fn is_picked(line: &Line) -> bool {
    line.iter().all(|pixel| matches!(pixel[..], [] | [(_, 1.0)]))
}

/// x with `dim` resampled. What a line leaves out is 0.
fn resample(site: &mut Site<'_>, x: &Value, dim: usize, line: &Line) -> Lowered<Value> {
    let mut shape = x.shape.clone();
    if let Some(size) = shape.get_mut(dim) {
        *size = Some(int(line.len()));
    }
    let name =
        if is_picked(line) { picked(site, x, dim, line)? } else { mixed(site, x, dim, line)? };
    Ok(Value { name, shape, ints: None, ..x.clone() })
}

fn picked(site: &mut Site<'_>, x: &Value, dim: usize, line: &Line) -> Lowered<String> {
    let indices: Vec<i64> =
        line.iter().filter_map(|pixel| pixel.first().map(|pixel| pixel.0)).collect();
    let size = x.shape.get(dim).copied().flatten();
    let is_all =
        size == Some(int(indices.len())) && indices.iter().copied().eq(0..int(indices.len()));
    if indices.is_empty() {
        return Err("none of its pixels is inside the image".into());
    }
    let before = int(line.iter().take_while(|pixel| pixel.is_empty()).count());
    let after = int(line.len() - indices.len()) - before;
    let name = match is_all {
        true => x.name.clone(),
        false => {
            let indices = site.ints(&indices);
            site.step("Gather", &[&x.name, &indices], vec![Attribute::int("axis", int(dim))])
        }
    };
    if before + after == 0 {
        return Ok(name);
    }
    let pads = |at: i64| (0..x.rank()).map(move |other| if other == dim { at } else { 0 });
    let pads: Vec<i64> = pads(before).chain(pads(after)).collect();
    let of = widened(x.dtype);
    let (pads, zero) = (site.ints(&pads), site.number(of, 0.0)?);
    let name = site.recast(name, x.dtype, of)?;
    let name = site.step("Pad", &[&name, &pads, &zero], Vec::new());
    site.recast(name, of, x.dtype)
}

fn mixed(site: &mut Site<'_>, x: &Value, dim: usize, line: &Line) -> Lowered<String> {
    let from = x.size(dim)?;
    let to = int(line.len());
    // One column for each new pixel, so that the dim is the last one of the product.
    let mut weights = vec![0.0; usize::try_from(from * to).unwrap_or(0)];
    for (column, pixel) in line.iter().enumerate() {
        for &(row, weight) in pixel {
            let at = usize::try_from(row * to).ok().map(|start| start + column);
            if let Some(place) = at.and_then(|at| weights.get_mut(at)) {
                *place += weight;
            }
        }
    }
    let weights = site.numbers(x.dtype, &weights, &[from, to])?;
    let last = x.rank().saturating_sub(1);
    if dim == last {
        return Ok(site.step("MatMul", &[&x.name, &weights], Vec::new()));
    }
    let mut order: Vec<i64> = (0..int(x.rank())).collect();
    order.swap(dim, last);
    let perm = || vec![Attribute::ints("perm", order.clone())];
    let turned = site.step("Transpose", &[&x.name], perm());
    let product = site.step("MatMul", &[&turned, &weights], Vec::new());
    Ok(site.step("Transpose", &[&product], perm()))
}

/// x with two dims from `dim` resampled.
pub(super) fn both(
    site: &mut Site<'_>,
    x: &Value,
    dim: usize,
    kind: ResizeType,
    [rows, columns]: [&Line; 2],
) -> Lowered<Value> {
    let is_mixed = [rows, columns].iter().any(|line| !is_picked(line));
    if kind == ResizeType::Linear
        && !is_float(x.dtype)
        && [x.size(dim)?, x.size(dim + 1)?].contains(&1)
    {
        return Err(format!(
            "it resizes one row or column of {} by linear interpolation, for which TenniS mixes in what is after it; \
             cast its input to float32 before",
            x.dtype
        ));
    }
    if is_mixed && !is_float(x.dtype) {
        return mixed_integers(site, x, dim, [rows, columns]);
    }
    let high = resample(site, x, dim, rows)?;
    resample(site, &high, dim + 1, columns)
}

/// Integers mixed of four pixels in double, in the order in which TenniS adds them: what is cut off depends on it.
fn mixed_integers(site: &mut Site<'_>, x: &Value, dim: usize, lines: [&Line; 2]) -> Lowered<Value> {
    type Pair = [(i64, f64); 2];
    let [rows, columns] = lines.map(|line| {
        let pairs = line.iter().map(|pixel| Pair::try_from(pixel.as_slice()).ok());
        pairs.collect::<Option<Vec<Pair>>>()
    });
    let (Some(rows), Some(columns)) = (rows, columns) else {
        return Err(format!(
            "it mixes pixels of type {} by cubic interpolation, or some of them are outside the image; \
             cast its input to float32 before",
            x.dtype
        ));
    };
    let (high, broad) = (int(rows.len()), int(columns.len()));
    site.reserve(high.saturating_mul(broad).saturating_mul(4))?;
    let double = site.cast(x, DType::Float64)?;
    let mut sum: Option<String> = None;
    let pixels = |line: &[Pair], end: usize| -> Vec<(i64, f64)> {
        line.iter().filter_map(|pair| pair.get(end).copied()).collect()
    };
    let picked = |site: &mut Site<'_>, name: &str, pixels: &[(i64, f64)], dim: usize| {
        let indices: Vec<i64> = pixels.iter().map(|pixel| pixel.0).collect();
        let indices = site.ints(&indices);
        site.step("Gather", &[name, &indices], vec![Attribute::int("axis", int(dim))])
    };
    let mut weights_shape = vec![high, broad];
    weights_shape.resize(x.rank() - dim, 1);
    for row in [0, 1].map(|end| pixels(&rows, end)) {
        let line = picked(site, &double, &row, dim);
        for column in [0, 1].map(|end| pixels(&columns, end)) {
            let four = picked(site, &line, &column, dim + 1);
            let weights: Vec<f64> =
                row.iter().flat_map(|row| column.iter().map(|column| row.1 * column.1)).collect();
            let weights = site.numbers(DType::Float64, &weights, &weights_shape)?;
            let product = site.step("Mul", &[&four, &weights], Vec::new());
            sum = Some(match sum {
                None => product,
                Some(sum) => site.step("Add", &[&sum, &product], Vec::new()),
            });
        }
    }
    let mut shape = x.shape.clone();
    shape.iter_mut().skip(dim).zip([high, broad]).for_each(|(size, to)| *size = Some(to));
    let name = site.recast(sum.unwrap_or(double), DType::Float64, x.dtype)?;
    Ok(Value { name, dtype: x.dtype, shape, ints: None })
}

/// x resized to `sizes`, of which negative ones keep a dim: TenniS resizes two dims that follow each other.
pub(super) fn resize(site: &mut Site<'_>, x: &Value, sizes: &[i64], kind: ResizeType) -> Lowered {
    if sizes.len() != x.rank() {
        return Err(format!("it has {} sizes, its input has {} dims", sizes.len(), x.rank()));
    }
    let Some(dim) = resized_dim(x, sizes)? else {
        return Err("it resizes other dims than two that follow each other".into());
    };
    let is_same = |dim: usize| Ok::<_, String>(sizes.get(dim) == Some(&x.size(dim)?));
    if is_same(dim)? && is_same(dim + 1)? {
        return site.emit("Identity", &[&x.name], Vec::new());
    }
    let mut line = |dim: usize| {
        let to = sizes.get(dim).copied().unwrap_or(0);
        resized(site, kind, x.size(dim)?, to)
    };
    let (rows, columns) = (line(dim)?, line(dim + 1)?);
    let resized = both(site, x, dim, kind, [&rows, &columns])?;
    site.finish(&resized.name)
}

/// The first of the two dims that TenniS resizes: the first one that differs, or after which all but the next one are
/// the same.
fn resized_dim(x: &Value, sizes: &[i64]) -> Lowered<Option<usize>> {
    let is_same = |dim: usize, size: i64| Ok::<_, String>(size < 0 || x.size(dim)? == size);
    let are_same = |from: usize| -> Lowered<bool> {
        for (dim, &size) in sizes.iter().enumerate().skip(from) {
            if !is_same(dim, size)? {
                return Ok(false);
            }
        }
        Ok(true)
    };
    for (dim, &size) in sizes.iter().enumerate() {
        if size == 0 {
            return Ok(None);
        }
        if size < 0 || (is_same(dim, size)? && !are_same(dim + 2)?) {
            continue;
        }
        let next = sizes.get(dim + 1).is_some_and(|&size| size > 0);
        return Ok((next && are_same(dim + 2)?).then_some(dim));
    }
    Ok(None)
}

/// The sizes of an output of which only the first is unknown. TenniS refuses to change it along with the third or
/// a later one.
fn batch_kept(x: &Value, output: &[Option<i64>]) -> Option<Vec<i64>> {
    let differs = |at: usize| matches!((x.shape.get(at), output.get(at)), (Some(Some(old)), Some(Some(new))) if old != new);
    let (_, others) = output.split_first()?;
    let others: Vec<i64> = others.iter().copied().collect::<Option<_>>()?;
    (2..output.len()).any(differs).then(|| [&[-1], others.as_slice()].concat())
}

/// The sizes are an input.
pub(super) fn resize2d(site: &mut Site<'_>, kind: ResizeType) -> Lowered {
    let [x, sizes] = site.take()?;
    let sizes = match (&sizes.ints, batch_kept(&x, &site.output()?.shape)) {
        (None, Some(kept)) => kept,
        _ => sizes.known("sizes")?.to_vec(),
    };
    resize(site, &x, &sizes, kind)
}

/// Height and width are an input. TenniS does not use its param align_corners.
pub(super) fn nearest_neighbor(site: &mut Site<'_>, dim: i32) -> Lowered {
    let [x, size] = site.take()?;
    let dim = x.dim(dim)?;
    let size = size.known("sizes")?.to_vec();
    let mut sizes = vec![-1; x.rank()];
    sizes.iter_mut().skip(dim).zip(size).for_each(|(place, size)| *place = size);
    resize(site, &x, &sizes, ResizeType::Nearest)
}

/// A scale for each dim is an input.
pub(super) fn sample_v2(site: &mut Site<'_>, kind: ResizeType, scales: &[f32]) -> Lowered {
    let x = site.input(0)?;
    let mut sizes = Vec::new();
    for (dim, &scale) in scales.iter().enumerate() {
        let known = x.shape.get(dim).copied().flatten();
        sizes.push(match known {
            Some(size) => times(size, scale),
            None if (scale - 1.0).abs() < f32::EPSILON => -1,
            None => x.size(dim)?,
        });
    }
    resize(site, &x, &sizes, kind)
}

/// A size by a scale, as TenniS computes it.
#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "as TenniS")]
fn times(size: i64, scale: f32) -> i64 {
    (size as f32 * scale).floor() as i64
}

/// x by a scale, in two dims. What is beyond the last pixels is 0.
pub(super) fn sample(site: &mut Site<'_>, scale: f32, kind: ResizeType, dim: i32) -> Lowered {
    let [x] = site.take()?;
    let dim = x.dim(dim)?;
    if scale.is_nan() || scale < 1e-5 {
        return Err(format!("its scale is {scale}, TenniS takes at least 0.00001"));
    }
    let mut line = |dim: usize| {
        let from = x.size(dim)?;
        scaled(site, kind, [from, times(from, scale)], scale)
    };
    let (rows, columns) = (line(dim)?, line(dim + 1)?);
    let resized = both(site, &x, dim, kind, [&rows, &columns])?;
    site.finish(&resized.name)
}
