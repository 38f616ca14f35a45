//! Images in another size.

use fourfold_tennis::{Operator as Op, ResizeType};

use super::graph::Value;
use super::resample::{Line, Mode, Place, Rounding, Sampling, is_same, resample};
use super::site::{Site, dim, int32s, position};
use super::{Done, Lowered};
use crate::numbers::is_float;
use crate::refused::unknown_sizes;

/// How the size is given.
enum Target {
    Scales(Vec<f64>),
    Sizes(Vec<i64>),
    /// Sizes of all dims, computed when the model runs.
    Computed(Value),
}

pub(super) fn resize(site: &mut Site<'_, '_>) -> Done {
    let x = site.input(0)?;
    let is_new = site.opset >= 11;
    let attributes = &site.attributes;
    let place = attributes
        .text("coordinate_transformation_mode", if is_new { "half_pixel" } else { "asymmetric" })?;
    let place = Place::of(place)
        .ok_or_else(|| format!("TenniS does not have {place} (coordinate_transformation_mode)"))?;
    let mode = match attributes.text("mode", "nearest")? {
        "nearest" => {
            let rounding =
                attributes.text("nearest_mode", if is_new { "round_prefer_floor" } else { "" })?;
            Mode::Nearest(
                Rounding::of(rounding).ok_or_else(|| format!("nearest_mode is {rounding:?}"))?,
            )
        }
        "linear" => Mode::Linear,
        "cubic" => {
            attributes.only("exclude_outside", 0)?;
            Mode::Cubic(attributes.float("cubic_coeff_a", -0.75)?)
        }
        other => return Err(format!("mode is {other:?}")),
    };
    attributes.only("antialias", 0)?;
    // These are for other modes.
    for name in ["exclude_outside", "extrapolation_value", "nearest_mode", "cubic_coeff_a"] {
        attributes.ignore(name);
    }
    match attributes.text("keep_aspect_ratio_policy", "stretch")? {
        "stretch" => {}
        policy => {
            return Err(format!("keep_aspect_ratio_policy is {policy:?}, TenniS has stretch"));
        }
    }
    let axes = attributes.ints("axes")?;
    let target = all_dims(&x, axes, target(site, is_new)?)?;
    resized(site, &x, Sampling { mode, place }, target)
}

/// TenniS's own operator where it computes the same; else by constants, if the sizes are known.
fn resized(site: &mut Site<'_, '_>, x: &Value, sampling: Sampling, target: Target) -> Done {
    match (kind(sampling, x, &target), lines(x, &target)) {
        (Ok(kind), Some(lines)) if is_exact(&lines) && is_own(site, x, &lines, sampling, kind)? => {
            emit(site, x, kind, target)
        }
        (_, Some(lines)) => resample(site, x, &lines, sampling),
        (Ok(kind), None) => {
            check_neighbours(x, sampling, &target)?;
            emit(site, x, kind, target)
        }
        (Err(reason), None) => Err(reason),
    }
}

/// Whether TenniS takes the pixels that ONNX takes.
fn is_own(
    site: &mut Site<'_, '_>,
    x: &Value,
    lines: &[Line],
    sampling: Sampling,
    kind: ResizeType,
) -> Lowered<bool> {
    match sampling.mode {
        Mode::Nearest(_) => is_same(site, lines, sampling, kind),
        Mode::Linear => Ok(has_neighbours(x, lines)),
        Mode::Cubic(_) => Ok(true),
    }
}

/// Whether each pixel has another one beside it, which TenniS reads: it resamples two dims that follow each other, also if
/// one of them stays.
fn has_neighbours(x: &Value, lines: &[Line]) -> bool {
    let beside = match *lines {
        [Line { at, .. }] => [at.checked_sub(1), at.checked_add(1)],
        _ => [None; 2],
    };
    lines.iter().all(|line| line.old > 1)
        && beside.into_iter().flatten().all(|at| x.size(at) != Some(1))
}

/// Refuses lines of one pixel, or perhaps of one, where sizes are unknown: TenniS reads beyond them in linear mode.
/// Sizes that are computed are those of height and width, and both change.
fn check_neighbours(x: &Value, sampling: Sampling, target: &Target) -> Lowered {
    let changes = |at: usize| match target {
        Target::Computed(_) => false,
        Target::Sizes(sizes) => {
            sizes.get(at).is_some_and(|&new| new >= 0 && x.size(at) != Some(new))
        }
        Target::Scales(scales) => scales.get(at).is_some_and(|&scale| scale != 1.0),
    };
    let rank = x.rank()?;
    let changed: Vec<usize> = (2..rank).filter(|&at| changes(at)).collect();
    let beside = match *changed {
        [at] => vec![Some(at - 1), Some(at + 1).filter(|&after| after < rank)],
        _ => Vec::new(),
    };
    let is_one = changed.iter().any(|&at| x.size(at) == Some(1))
        || beside.into_iter().flatten().any(|at| x.size(at).is_none_or(|size| size == 1));
    match sampling.mode {
        Mode::Linear if is_one => {
            Err(unknown_sizes("TenniS reads beyond a line of one pixel, and sizes are unknown"))
        }
        _ => Ok(()),
    }
}

/// Whether scales are those of the sizes, by which TenniS resamples.
#[expect(clippy::cast_precision_loss, reason = "few pixels")]
fn is_exact(lines: &[Line]) -> bool {
    lines.iter().all(|line| line.old as f32 * line.scale == line.new as f32)
}

/// The dims that change, if their sizes are known. A dim that is computed when the model runs stays.
#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "few pixels")]
fn lines(x: &Value, target: &Target) -> Option<Vec<Line>> {
    let sized = |at: usize, new: i64| {
        let old = x.size(at)?;
        Some((new >= 0 && old != new).then_some(Line {
            at,
            old,
            new,
            scale: new as f32 / old as f32,
        }))
    };
    let lines: Option<Vec<_>> = match target {
        Target::Computed(_) => None,
        Target::Sizes(sizes) => {
            let sizes = sizes.iter().enumerate();
            sizes.map(|(at, &new)| if new < 0 { Some(None) } else { sized(at, new) }).collect()
        }
        Target::Scales(scales) => {
            let line = |(at, &scale): (usize, &f64)| {
                if scale == 1.0 {
                    return Some(None);
                }
                let (old, scale) = (x.size(at)?, scale as f32);
                Some(Some(Line { at, old, new: (old as f32 * scale).floor() as i64, scale }))
            };
            scales.iter().enumerate().map(line).collect()
        }
    };
    Some(lines?.into_iter().flatten().collect())
}

pub(super) fn upsample(site: &mut Site<'_, '_>) -> Done {
    let x = site.input(0)?;
    let mode = match site.attributes.text("mode", "nearest")? {
        "nearest" => Mode::Nearest(Rounding::Floor),
        "linear" => Mode::Linear,
        other => return Err(format!("mode is {other:?}")),
    };
    let scales: Vec<f64> = match site.opset < 9 {
        true => {
            let scales = site.attributes.floats("scales")?.ok_or("scales are missing")?;
            scales.iter().map(|&scale| scale.into()).collect()
        }
        false => constant_scales(&site.input(1)?)?,
    };
    if let Some(scale) = scales.iter().find(|&&scale| scale < 1.0) {
        return Err(format!(
            "it scales by {scale}, and ONNX has scales of at least 1 here; use Resize"
        ));
    }
    let sampling = Sampling { mode, place: Place::Asymmetric };
    resized(site, &x, sampling, Target::Scales(scales))
}

fn constant_scales(scales: &Value) -> Lowered<Vec<f64>> {
    scales.floats().ok_or_else(|| "its scales are computed when the model runs".into())
}

fn target(site: &mut Site<'_, '_>, is_new: bool) -> Lowered<Target> {
    if !is_new {
        return Ok(Target::Scales(constant_scales(&site.input(1)?)?));
    }
    let is_empty = |value: &Value| value.size(0) == Some(0);
    if let Some(sizes) = site.narrow(3).filter(|sizes| !is_empty(sizes)) {
        return Ok(match sizes.integers() {
            Some(sizes) => Target::Sizes(sizes),
            None => Target::Computed(sizes),
        });
    }
    match site.optional(2).filter(|scales| !is_empty(scales)) {
        Some(scales) => Ok(Target::Scales(constant_scales(&scales)?)),
        None => Err("it has neither scales nor sizes".into()),
    }
}

/// Scales or sizes of all dims, where they are given for some.
fn all_dims(x: &Value, axes: Option<&[i64]>, target: Target) -> Lowered<Target> {
    let Some(axes) = axes else { return Ok(target) };
    let rank = x.rank()?;
    let axes: Vec<usize> = axes.iter().map(|&axis| position(axis, rank)).collect::<Lowered<_>>()?;
    let at = |dim: usize| axes.iter().position(|&axis| axis == dim);
    Ok(match target {
        Target::Scales(scales) => Target::Scales(
            (0..rank)
                .map(|dim| at(dim).and_then(|at| scales.get(at).copied()).unwrap_or(1.0))
                .collect(),
        ),
        Target::Sizes(sizes) => Target::Sizes(
            (0..rank)
                .map(|dim| at(dim).and_then(|at| sizes.get(at).copied()).unwrap_or(-1))
                .collect(),
        ),
        Target::Computed(_) => {
            return Err("its sizes are computed when the model runs, for some dims".into());
        }
    })
}

/// TenniS's way of resampling, where it is the same.
fn kind(sampling: Sampling, x: &Value, target: &Target) -> Lowered<ResizeType> {
    let Sampling { mode, place } = sampling;
    let is_half = match place {
        Place::HalfPixel => true,
        Place::PytorchHalfPixel => has_many_pixels(x, target)?,
        _ => false,
    };
    let unknown = |reason: &str| {
        Err(unknown_sizes(&format!("{reason}, other than by constants for known sizes")))
    };
    match mode {
        Mode::Linear if is_half => match is_float(x.dtype()?) {
            true => Ok(ResizeType::Linear),
            // The last pixel of TenniS is a little less.
            false => Err("TenniS mixes pixels of float only; cast its input to float".into()),
        },
        Mode::Nearest(rounding) if place == Place::Asymmetric && is_floor(rounding, target) => {
            Ok(ResizeType::Hard)
        }
        Mode::Nearest(Rounding::PreferCeil) if is_half => Ok(ResizeType::Nearest),
        Mode::Nearest(Rounding::PreferFloor) if is_half => match has_no_ties(x, target) {
            true => Ok(ResizeType::Nearest),
            false => unknown("TenniS rounds halves up (nearest_mode)"),
        },
        Mode::Nearest(rounding) => {
            let (place, rounding) = (place.name(), rounding.name());
            unknown(&format!("TenniS does not have nearest pixels of {place} and {rounding:?}"))
        }
        Mode::Linear | Mode::Cubic(_) => {
            let (mode, place) = (mode.name(), place.name());
            unknown(&format!("TenniS does not resample as {mode} with {place}"))
        }
    }
}

/// Whether the nearest pixel is the one before, and TenniS computes it by whole scales of sizes that are unknown: it
/// multiplies by their reciprocals.
#[expect(clippy::cast_possible_truncation, reason = "as TenniS multiplies")]
fn is_floor(rounding: Rounding, target: &Target) -> bool {
    let Target::Scales(scales) = target else { return rounding == Rounding::Floor };
    let are_upward = scales.iter().all(|&scale| scale >= 1.0);
    let are_exact = scales.iter().all(|&scale| 1.0 / scale as f32 * scale as f32 >= 1.0);
    match rounding {
        Rounding::Floor => are_exact,
        Rounding::FloorOrCeil => are_exact && are_upward,
        _ => false,
    }
}

/// Whether no dim is resized to one pixel, which PyTorch takes from the start.
fn has_many_pixels(x: &Value, target: &Target) -> Lowered<bool> {
    let sizes = match target {
        Target::Scales(scales) => return Ok(scales.iter().all(|&scale| scale >= 1.0)),
        Target::Sizes(sizes) => sizes.iter().map(|&size| Some(size)).collect(),
        // TenniS resizes height and width only, and refuses others when it runs.
        Target::Computed(sizes) => sizes.output.sizes().unwrap_or_default(),
    };
    let is_many = |at: usize| match sizes.get(at).copied().flatten() {
        Some(size) => Ok(size != 1 || x.size(at) == Some(1)),
        None if at < 2 => Ok(true),
        None => Err(unknown_sizes(
            "the new sizes are unknown, and PyTorch takes another pixel where one is 1",
        )),
    };
    (0..x.rank()?).map(is_many).try_fold(true, |all, is_many| Ok(all && is_many?))
}

/// Whether no new pixel is in the middle of two old ones: the old size over the new one, reduced, is odd.
fn has_no_ties(x: &Value, target: &Target) -> bool {
    let odd = |old: i64, new: i64| old > 0 && new > 0 && old / common(old, new) % 2 == 1;
    match target {
        Target::Scales(scales) => scales.iter().all(|&scale| scale >= 1.0 && scale.fract() == 0.0),
        Target::Sizes(sizes) => sizes
            .iter()
            .enumerate()
            .all(|(at, &new)| new < 0 || x.size(at).is_some_and(|old| odd(old, new))),
        Target::Computed(_) => false,
    }
}

/// The greatest common divisor.
fn common(mut one: i64, mut two: i64) -> i64 {
    while two != 0 {
        (one, two) = (two, one % two);
    }
    one
}

fn emit(site: &mut Site<'_, '_>, x: &Value, kind: ResizeType, target: Target) -> Done {
    match target {
        Target::Computed(sizes) => site.emit(Op::Resize2d { kind }, &[x, &sizes]),
        Target::Sizes(sizes) => {
            let sizes = int32s(&sizes)?;
            let count = dim(sizes.len())?;
            let sizes = site.constant(&sizes, &[count])?;
            site.emit(Op::Resize2d { kind }, &[x, &sizes])
        }
        Target::Scales(scales) => scaled(site, x, kind, &scales),
    }
}

/// TenniS resamples by the sizes, ONNX by the scales: they have to be the same.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "as TenniS multiplies"
)]
fn scaled(site: &mut Site<'_, '_>, x: &Value, kind: ResizeType, scales: &[f64]) -> Done {
    for (at, &scale) in scales.iter().enumerate() {
        let is_whole = scale >= 1.0 && scale.fract() == 0.0;
        let is_exact = x.size(at).is_some_and(|old| (old as f64 * scale).fract() == 0.0);
        if !is_whole && !is_exact {
            return Err(format!("it scales by {scale}, where sizes are rounded; give sizes"));
        }
    }
    let scales: Vec<f32> = scales.iter().map(|&scale| scale as f32).collect();
    let count = dim(scales.len())?;
    let scales = site.constant(&scales, &[count])?;
    site.emit(Op::Sample2dV2 { kind }, &[x, &scales])
}
