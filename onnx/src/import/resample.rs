//! Images in another size, dim by dim: pixels are picked by indices, or mixed by a matrix, which are constants.

use fourfold::tsm::DType;
use fourfold_tennis::Operator as Op;

use super::graph::Value;
use super::site::{Site, dim};
use super::{Done, Lowered};

/// How a new pixel is made of old ones.
#[derive(Clone, Copy)]
pub(super) struct Sampling<'a> {
    pub(super) mode: &'a str,
    /// Where a new pixel is between the old ones.
    pub(super) place: &'a str,
    /// Which old pixel is the nearest.
    pub(super) rounding: &'a str,
    /// The weight of the outer ones of four pixels.
    pub(super) cubic: f32,
}

/// A dim that changes.
#[derive(Clone, Copy)]
pub(super) struct Line {
    pub(super) at: usize,
    pub(super) old: i64,
    pub(super) new: i64,
    pub(super) scale: f32,
}

/// The last node, after one or more for each dim.
pub(super) fn resample(
    site: &mut Site<'_, '_>,
    x: &Value,
    lines: &[Line],
    sampling: Sampling<'_>,
) -> Done {
    let mut x = x.clone();
    for &line in lines {
        let pixels = pixels(line, sampling)?;
        x = match sampling.mode {
            "nearest" => {
                let indices: Vec<i32> = pixels.iter().flatten().map(|(index, _)| *index).collect();
                site.graph.spend(indices.len())?;
                let indices = site.constant(&indices, &[dim(indices.len())?])?;
                site.op(Op::Gather { axis: dim(line.at)? }, &[&x, &indices])?
            }
            _ => mixed(site, &x, line, &pixels)?,
        };
    }
    site.emit(Op::Copy, &[&x])
}

/// x by a matrix that has a column for each new pixel.
fn mixed(
    site: &mut Site<'_, '_>,
    x: &Value,
    line: Line,
    pixels: &[Vec<(i32, f32)>],
) -> Lowered<Value> {
    if x.dtype()? != DType::Float32 {
        return Err("TenniS mixes pixels of float only; cast its input to float".into());
    }
    let (old, new) = (usize::try_from(line.old).unwrap_or(0), pixels.len());
    let count = old.checked_mul(new).ok_or("its images are too large")?;
    site.graph.spend(count)?;
    let mut weights = vec![0.0_f32; count];
    for (column, pixel) in pixels.iter().enumerate() {
        for &(index, weight) in pixel {
            let at = usize::try_from(index).unwrap_or(0) * new + column;
            if let Some(place) = weights.get_mut(at) {
                *place += weight;
            }
        }
    }
    let weights = site.constant(&weights, &[dim(old)?, dim(new)?])?;
    let last = x.rank()?.saturating_sub(1);
    if line.at == last {
        return site.op(Op::Matmul, &[x, &weights]);
    }
    let mut permute: Vec<i32> = (0..=last).map(dim).collect::<Lowered<_>>()?;
    permute.swap(line.at, last);
    let turn = Op::Transpose { permute: Some(permute) };
    let turned = site.op(turn.clone(), &[x])?;
    let product = site.op(Op::Matmul, &[&turned, &weights])?;
    site.op(turn, &[&product])
}

/// The old pixels of each new one, with their weights.
fn pixels(line: Line, sampling: Sampling<'_>) -> Lowered<Vec<Vec<(i32, f32)>>> {
    const MOST: i64 = 1 << 20;
    if !(1..=MOST).contains(&line.old) || !(1..=MOST).contains(&line.new) {
        return Err(format!("it resizes {} pixels to {}", line.old, line.new));
    }
    (0..line.new).map(|index| pixel(line, sampling, index)).collect()
}

/// As ONNX's runtimes compute it: with floats of 32 bits.
#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "few pixels")]
fn pixel(line: Line, sampling: Sampling<'_>, index: i64) -> Lowered<Vec<(i32, f32)>> {
    let (new, last) = (line.new as f32, (line.old - 1) as f32);
    let at = index as f32;
    let half = (at + 0.5) / line.scale - 0.5;
    let place = match sampling.place {
        "half_pixel" => half,
        "pytorch_half_pixel" => {
            if line.new > 1 {
                half
            } else {
                0.0
            }
        }
        "align_corners" => {
            if line.new > 1 {
                at * last / (new - 1.0)
            } else {
                0.0
            }
        }
        "asymmetric" => at / line.scale,
        "tf_half_pixel_for_nn" => (at + 0.5) / line.scale,
        other => {
            return Err(format!("TenniS does not have {other} (coordinate_transformation_mode)"));
        }
    };
    let clamped = |at: f32| at.clamp(0.0, last) as i32;
    Ok(match sampling.mode {
        "nearest" => {
            let nearest = match sampling.rounding {
                "round_prefer_floor" => (place - 0.5).ceil(),
                "round_prefer_ceil" => (place + 0.5).floor(),
                "floor" => place.floor(),
                "ceil" => place.ceil(),
                other => return Err(format!("nearest_mode is {other:?}")),
            };
            vec![(clamped(nearest), 1.0)]
        }
        "linear" => {
            let place = place.clamp(0.0, last);
            let weight = place - place.floor();
            vec![(clamped(place), 1.0 - weight), (clamped(place + 1.0), weight)]
        }
        "cubic" => {
            let (a, low, t) = (sampling.cubic, place.floor(), place - place.floor());
            let near = |t: f32| ((a + 2.0) * t - (a + 3.0)) * t * t + 1.0;
            let far = |t: f32| ((a * t - 5.0 * a) * t + 8.0 * a) * t - 4.0 * a;
            let weights = [far(t + 1.0), near(t), near(1.0 - t), far(2.0 - t)];
            let places = [-1.0, 0.0, 1.0, 2.0].map(|step| clamped(low + step));
            places.into_iter().zip(weights).collect()
        }
        mode => return Err(format!("mode is {mode:?}")),
    })
}
