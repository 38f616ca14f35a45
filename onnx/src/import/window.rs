//! Windows that move over images: kernels, strides, dilations and pads of ONNX in two dims.

use super::Lowered;
use super::graph::Value;
use super::site::{Site, int32};
use crate::refused::unknown_sizes;

/// How pads are found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AutoPad {
    /// They are given.
    NotSet,
    SameUpper,
    SameLower,
}

/// A window in one dim.
#[derive(Clone, Copy)]
pub(super) struct Side {
    /// The size of x, if it is known.
    pub(super) length: Option<i64>,
    pub(super) kernel: i64,
    pub(super) stride: i64,
    pub(super) dilation: i64,
    pub(super) pads: [i64; 2],
}

impl Side {
    /// The elements that a kernel with gaps covers.
    pub(super) fn covered(self) -> Lowered<i64> {
        let covered =
            (self.kernel - 1).checked_mul(self.dilation).and_then(|gaps| gaps.checked_add(1));
        covered.ok_or_else(|| "its windows are too large".into())
    }

    /// What is left after the last whole window; `None` if the size is unknown and there may be some.
    pub(super) fn rest(self) -> Lowered<Option<i64>> {
        let covered = self.covered()?;
        match self.length {
            _ if self.stride == 1 => Ok(Some(0)),
            Some(length) => match length + self.pads.iter().sum::<i64>() - covered {
                steps @ 0.. => Ok(Some(steps % self.stride)),
                _ => Err("its window is larger than its padded input".into()),
            },
            None => Ok(None),
        }
    }

    /// The pads of as many outputs as inputs divided by the stride.
    fn same(self, auto_pad: AutoPad) -> Lowered<[i64; 2]> {
        let covered = self.covered()?;
        let all = match self.length {
            _ if self.stride == 1 => covered - 1,
            Some(length) => {
                ((length + self.stride - 1) / self.stride - 1) * self.stride + covered - length
            }
            None => {
                return Err(unknown_sizes("its pads depend on sizes that are unknown (auto_pad)"));
            }
        };
        let all = all.max(0);
        Ok(match auto_pad {
            AutoPad::SameLower => [all - all / 2, all / 2],
            _ => [all / 2, all - all / 2],
        })
    }
}

/// A window in two dims.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) sides: [Side; 2],
    pub(super) auto_pad: AutoPad,
    /// Whether x has one dim of its own, and a dim of 1 was added.
    pub(super) is_line: bool,
}

/// The most that a param of a window is: sums and products of them do not overflow.
pub(super) const MOST: i64 = 1 << 24;

impl Window {
    /// The window of a node whose kernel has these sizes.
    pub(super) fn of(site: &Site<'_, '_>, x: &Value, kernel: &[i64]) -> Lowered<Self> {
        let rank = x.rank()?;
        let dims = kernel.len();
        if rank != dims + 2 || !matches!(dims, 1 | 2) {
            return Err(format!(
                "TenniS has images of two dims; x has {rank} dims, the kernel {dims}"
            ));
        }
        let attributes = &site.attributes;
        let list = |name: &str, default: i64, count: usize| -> Lowered<Vec<i64>> {
            let values =
                attributes.ints(name)?.map_or_else(|| vec![default; count], <[i64]>::to_vec);
            match values.len() == count
                && values.iter().all(|value| (default..=MOST).contains(value))
            {
                true => Ok(values),
                false => Err(format!(
                    "{name} are {values:?}; TenniS takes {count} of at least {default}"
                )),
            }
        };
        let strides = list("strides", 1, dims)?;
        let dilations = list("dilations", 1, dims)?;
        let pads = list("pads", 0, dims * 2)?;
        let (auto_pad, pads) = match attributes.text("auto_pad", "NOTSET")? {
            "NOTSET" => (AutoPad::NotSet, pads),
            "VALID" => (AutoPad::NotSet, vec![0; dims * 2]),
            "SAME_UPPER" => (AutoPad::SameUpper, vec![0; dims * 2]),
            "SAME_LOWER" => (AutoPad::SameLower, vec![0; dims * 2]),
            other => return Err(format!("auto_pad is {other:?}")),
        };
        if kernel.iter().any(|size| !(1..=MOST).contains(size)) {
            return Err(format!("its kernel has the sizes {kernel:?}"));
        }
        let get = |values: &[i64], at: usize| values.get(at).copied().unwrap_or_default();
        let side = |at: usize| Side {
            length: x.size(at + 2),
            kernel: get(kernel, at),
            stride: get(&strides, at),
            dilation: get(&dilations, at),
            pads: [get(&pads, at), get(&pads, at + dims)],
        };
        let one = Side { length: Some(1), kernel: 1, stride: 1, dilation: 1, pads: [0, 0] };
        let is_line = dims == 1;
        let sides = if is_line { [one, side(0)] } else { [side(0), side(1)] };
        Ok(Window { sides, auto_pad, is_line })
    }

    /// The same window with pads that are given.
    pub(super) fn with_pads(self) -> Lowered<Self> {
        if self.auto_pad == AutoPad::NotSet {
            return Ok(self);
        }
        let mut sides = self.sides;
        for side in &mut sides {
            side.pads = side.same(self.auto_pad)?;
        }
        Ok(Window { sides, auto_pad: AutoPad::NotSet, ..self })
    }

    /// The param `padding`.
    pub(super) fn padding(&self) -> Lowered<[[i32; 2]; 4]> {
        let [height, width] = self.sides;
        let pair = |[before, after]: [i64; 2]| Ok::<_, String>([int32(before)?, int32(after)?]);
        Ok([[0, 0], [0, 0], pair(height.pads)?, pair(width.pads)?])
    }

    /// A param with a number for each dim.
    pub(super) fn four(&self, of: impl Fn(Side) -> i64) -> Lowered<[i32; 4]> {
        let [height, width] = self.sides.map(of);
        Ok([1, 1, int32(height)?, int32(width)?])
    }
}
