//! Images in another size, dim by dim: pixels are picked by indices, or mixed by a matrix, which are constants.

use fourfold::tsm::DType;
use fourfold_tennis::{Operator as Op, ResizeType};

use super::graph::Value;
use super::site::{Site, dim};
use super::{Done, Lowered};

/// How a new pixel is made of old ones.
#[derive(Clone, Copy)]
pub(super) struct Sampling {
    pub(super) mode: Mode,
    pub(super) place: Place,
}

/// Which old pixels a new one is made of.
#[derive(Clone, Copy)]
pub(super) enum Mode {
    Nearest(Rounding),
    Linear,
    /// Four, of which the outer ones have this weight.
    Cubic(f32),
}

impl Mode {
    /// ONNX's name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Mode::Nearest(_) => "nearest",
            Mode::Linear => "linear",
            Mode::Cubic(_) => "cubic",
        }
    }
}

/// Names that ONNX has for values.
macro_rules! names {
    ($($(#[$doc:meta])* $type:ident { $($name:ident = $text:literal,)+ })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub(super) enum $type {
            $($name,)+
        }

        impl $type {
            pub(super) fn of(name: &str) -> Option<Self> {
                match name {
                    $($text => Some($type::$name),)+
                    _ => None,
                }
            }

            /// ONNX's name.
            pub(super) fn name(self) -> &'static str {
                match self {
                    $($type::$name => $text,)+
                }
            }
        }
    )+};
}

names! {
    /// Where a new pixel is between the old ones.
    Place {
        HalfPixel = "half_pixel",
        HalfPixelSymmetric = "half_pixel_symmetric",
        PytorchHalfPixel = "pytorch_half_pixel",
        AlignCorners = "align_corners",
        Asymmetric = "asymmetric",
        TfHalfPixelForNn = "tf_half_pixel_for_nn",
    }
    /// Which old pixel is the nearest. In version 10 it has no name, and depends on the direction.
    Rounding {
        PreferFloor = "round_prefer_floor",
        PreferCeil = "round_prefer_ceil",
        Floor = "floor",
        Ceil = "ceil",
        FloorOrCeil = "",
    }
}

/// A dim that changes.
#[derive(Clone, Copy)]
pub(super) struct Line {
    pub(super) at: usize,
    pub(super) old: i64,
    pub(super) new: i64,
    pub(super) scale: f32,
}

impl Line {
    /// The old and the new size, if they are not too large.
    fn sizes(self) -> Lowered<[usize; 2]> {
        const MOST: i64 = 1 << 20;
        let size = |size: i64| usize::try_from(size).ok().filter(|_| (1..=MOST).contains(&size));
        match (size(self.old), size(self.new)) {
            (Some(old), Some(new)) => Ok([old, new]),
            _ => Err(format!("it resizes {} pixels to {}", self.old, self.new)),
        }
    }
}

/// The last node, after one or more for each dim.
pub(super) fn resample(
    site: &mut Site<'_, '_>,
    x: &Value,
    lines: &[Line],
    sampling: Sampling,
) -> Done {
    let mut x = x.clone();
    for &line in lines {
        x = match sampling.mode {
            Mode::Nearest(_) => {
                site.graph.spend(line.sizes()?[1])?;
                let pixels = (0..line.new).flat_map(|index| pixel(line, sampling, index));
                let indices: Vec<i32> = pixels.map(|(index, _)| index).collect();
                let indices = site.constant(&indices, &[dim(indices.len())?])?;
                site.op(Op::Gather { axis: dim(line.at)? }, &[&x, &indices])?
            }
            Mode::Linear | Mode::Cubic(_) => mixed(site, &x, line, sampling)?,
        };
    }
    site.emit(Op::Copy, &[&x])
}

/// x by a matrix that has a column for each new pixel.
fn mixed(site: &mut Site<'_, '_>, x: &Value, line: Line, sampling: Sampling) -> Lowered<Value> {
    if x.dtype()? != DType::Float32 {
        return Err("TenniS mixes pixels of float only; cast its input to float".into());
    }
    let [old, new] = line.sizes()?;
    let count = old.checked_mul(new).ok_or("its images are too large")?;
    site.graph.spend(count)?;
    let mut weights = vec![0.0_f32; count];
    for (column, index) in (0..line.new).enumerate() {
        for (index, weight) in pixel(line, sampling, index) {
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

/// Whether TenniS, as this kind, picks the same pixels: it computes their places in another way, which may round to
/// other ones.
#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "as TenniS")]
pub(super) fn is_same(
    site: &mut Site<'_, '_>,
    lines: &[Line],
    sampling: Sampling,
    kind: ResizeType,
) -> Lowered<bool> {
    for &line in lines {
        let picked = |index: i64| match kind {
            ResizeType::Hard => (line.old as f32 / line.new as f32 * index as f32) as i64,
            _ => {
                let scale = line.old as f64 / line.new as f64;
                (scale * index as f64 + (scale / 2.0 - 0.5)).round() as i64
            }
        };
        let is_picked = |index: i64| {
            let picked = picked(index).clamp(0, line.old - 1);
            pixel(line, sampling, index).iter().all(|&(index, _)| i64::from(index) == picked)
        };
        site.graph.spend(line.sizes()?[1])?;
        if !(0..line.new).all(is_picked) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The old pixels of a new one, with their weights, as ONNX's runtimes compute it: with floats of 32 bits.
#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "few pixels")]
fn pixel(line: Line, sampling: Sampling, index: i64) -> Vec<(i32, f32)> {
    let (old, new) = (line.old as f32, line.new as f32);
    let (at, last) = (index as f32, (line.old - 1) as f32);
    let half = (at + 0.5) / line.scale - 0.5;
    let place = match sampling.place {
        // The only pixel.
        Place::PytorchHalfPixel | Place::AlignCorners if line.new == 1 => 0.0,
        Place::HalfPixel | Place::PytorchHalfPixel => half,
        Place::HalfPixelSymmetric => old / 2.0 * (1.0 - new / (line.scale * old)) + half,
        Place::AlignCorners => at * last / (new - 1.0),
        Place::Asymmetric => at / line.scale,
        Place::TfHalfPixelForNn => (at + 0.5) / line.scale,
    };
    let clamped = |at: f32| at.clamp(0.0, last) as i32;
    match sampling.mode {
        Mode::Nearest(rounding) => {
            let nearest = match rounding {
                Rounding::PreferFloor => (place - 0.5).ceil(),
                Rounding::PreferCeil => (place + 0.5).floor(),
                Rounding::FloorOrCeil if line.scale < 1.0 => place.ceil(),
                Rounding::Floor | Rounding::FloorOrCeil => place.floor(),
                Rounding::Ceil => place.ceil(),
            };
            vec![(clamped(nearest), 1.0)]
        }
        Mode::Linear => {
            let place = place.clamp(0.0, last);
            // Less than a whole number, one more may be rounded to the one after it.
            let (low, weight) = (place.floor(), place - place.floor());
            vec![(clamped(low), 1.0 - weight), (clamped(low + 1.0), weight)]
        }
        Mode::Cubic(a) => {
            let (low, t) = (place.floor(), place - place.floor());
            let near = |t: f32| ((a + 2.0) * t - (a + 3.0)) * t * t + 1.0;
            let far = |t: f32| ((a * t - 5.0 * a) * t + 8.0 * a) * t - 4.0 * a;
            let weights = [far(t + 1.0), near(t), near(1.0 - t), far(2.0 - t)];
            let places = [-1.0, 0.0, 1.0, 2.0].map(|step| clamped(low + step));
            places.into_iter().zip(weights).collect()
        }
    }
}
