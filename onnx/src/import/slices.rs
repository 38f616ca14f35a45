//! Slices.

use fourfold_tennis::Operator as Op;

use super::graph::Value;
use super::site::{Site, dim, int32, position};
use super::{Done, Lowered};

/// Starts and ends may be computed when the model runs; axes and steps are constants.
pub(super) fn slice(site: &mut Site<'_, '_>) -> Done {
    let x = site.narrow_input(0)?;
    if site.opset < 10 {
        let starts = site.attributes.ints("starts")?.ok_or("starts are missing")?;
        let ends = site.attributes.ints("ends")?.ok_or("ends are missing")?;
        let axes = match site.attributes.ints("axes")? {
            Some(axes) => axes.to_vec(),
            None => (0..).take(starts.len()).collect(),
        };
        let steps = vec![1; axes.len()];
        return known(site, &x, [starts.to_vec(), ends.to_vec(), axes, steps]);
    }
    let (starts, ends) = (site.narrow_input(1)?, site.narrow_input(2)?);
    let count = [&starts, &ends].iter().find_map(|value| value.size(0));
    let axes = match site.integers(3, "axes")? {
        Some(axes) => axes,
        None => (0..count.ok_or("it has no axes, and starts of an unknown count")?).collect(),
    };
    let steps = site.integers(4, "steps")?.unwrap_or_else(|| vec![1; axes.len()]);
    match (starts.integers(), ends.integers()) {
        (Some(starts), Some(ends)) => known(site, &x, [starts, ends, axes, steps]),
        _ => computed(site, &x, (starts, ends), (axes, steps)),
    }
}

/// A slice of constants: axes in ascending order, as TenniS wants them, and without what it counts otherwise.
fn known(site: &mut Site<'_, '_>, x: &Value, lists: [Vec<i64>; 4]) -> Done {
    let [starts, ends, axes, steps] = lists;
    if [starts.len(), ends.len(), steps.len()] != [axes.len(); 3] {
        return Err("starts, ends, axes and steps have different counts".into());
    }
    if axes.is_empty() {
        return site.alias(x.clone());
    }
    let rank = x.rank()?;
    let mut items = Vec::with_capacity(axes.len());
    for (((start, end), axis), step) in starts.into_iter().zip(ends).zip(axes).zip(steps) {
        let at = position(axis, rank)?;
        let [start, end] = match step {
            0 => return Err("a step is 0".into()),
            1.. => [start, end],
            _ => backward(start, end, x.size(at))?,
        };
        items.push((at, [clamp(start), clamp(end), int32(step)?]));
    }
    items.sort_unstable();
    if items.windows(2).any(|pair| matches!(pair, [one, two] if one.0 == two.0)) {
        return Err("it slices a dim twice".into());
    }
    let column = |index: usize| -> Vec<i32> {
        items.iter().filter_map(|(_, item)| item.get(index).copied()).collect()
    };
    let axes: Vec<i32> = items.iter().map(|(at, _)| dim(*at)).collect::<Lowered<_>>()?;
    let size = [dim(axes.len())?];
    let starts = site.constant(&column(0), &size)?;
    let ends = site.constant(&column(1), &size)?;
    let steps = column(2);
    let axes = site.constant(&axes, &size)?;
    // Most exporters leave out steps of 1 or not; the module has them if the model has.
    if site.narrow(4).is_none() && steps.iter().all(|&step| step == 1) {
        return site.emit_moved(Op::SliceV3, &[x, &starts, &ends, &axes]);
    }
    let steps = site.constant(&steps, &size)?;
    site.emit_moved(Op::SliceV3, &[x, &starts, &ends, &axes, &steps])
}

/// The nearest integer of 32 bits: beyond is the end.
fn clamp(value: i64) -> i32 {
    i32::try_from(value).unwrap_or(if value < 0 { i32::MIN } else { i32::MAX })
}

/// Start and end of a slice backward. TenniS takes the end that is the first element for the one before it.
fn backward(start: i64, end: i64, size: Option<i64>) -> Lowered<[i64; 2]> {
    let Some(size) = size else {
        // All elements before the last one, or before a position that is not negative.
        return match (start, end) {
            (start, end) if start >= -1 && end <= i64::from(i32::MIN) => Ok([start, end]),
            _ => Err("it goes backward in a dim of an unknown size".into()),
        };
    };
    let start = if start < 0 { (start + size).max(0) } else { start };
    Ok([start, if (-size..0).contains(&end) { end + size } else { end }])
}

/// A slice whose starts or ends are computed when the model runs.
fn computed(
    site: &mut Site<'_, '_>,
    x: &Value,
    (starts, ends): (Value, Value),
    (axes, steps): (Vec<i64>, Vec<i64>),
) -> Done {
    let rank = x.rank()?;
    let axes: Vec<usize> = axes.iter().map(|&axis| position(axis, rank)).collect::<Lowered<_>>()?;
    if axes.windows(2).any(|pair| matches!(pair, [one, two] if one >= two)) {
        return Err("its axes are not in ascending order".into());
    }
    if steps.len() != axes.len() || steps.iter().any(|&step| step < 1) {
        return Err("its steps are not above 0".into());
    }
    let axes: Vec<i32> = axes.into_iter().map(dim).collect::<Lowered<_>>()?;
    let steps: Vec<i32> = steps.into_iter().map(int32).collect::<Lowered<_>>()?;
    let size = [dim(axes.len())?];
    let axes = site.constant(&axes, &size)?;
    let steps = site.constant(&steps, &size)?;
    site.emit_moved(Op::SliceV3, &[x, &starts, &ends, &axes, &steps])
}

/// Starts, ends, axes and steps of a slice that has all items of the first dim in the opposite order.
pub(super) fn backward_all(site: &mut Site<'_, '_>) -> Lowered<[Value; 4]> {
    Ok([
        site.constant(&[-1], &[1])?,
        site.constant(&[i32::MIN], &[1])?,
        site.constant(&[0], &[1])?,
        site.constant(&[-1], &[1])?,
    ])
}
