//! Elements added around, or cut off.

use fourfold::tsm::DType;

use super::site::{Lowered, Site, Value, defined, int};
use super::types::{numbers, widened};
use crate::proto::Attribute;

/// x padded or cut in each dim by numbers that are known.
pub(super) fn pad_by(site: &mut Site<'_>, x: &Value, pads: &[[i64; 2]], value: f32) -> Lowered {
    if pads.len() != x.rank() {
        return Err(format!("it pads {} dims, its input has {}", pads.len(), x.rank()));
    }
    for (dim, [before, after]) in pads.iter().enumerate() {
        if let Some(length) = x.shape.get(dim).copied().flatten()
            && (length + before.min(after) < 1 || length + before + after < 1)
        {
            return Err(format!("it cuts all of dim {dim}"));
        }
    }
    if pads.iter().all(|pair| *pair == [0, 0]) {
        return site.emit("Identity", &[&x.name], Vec::new());
    }
    if let [[before, after], _, _, _] = pads
        && (*before < 0 || *after < 0)
    {
        return Err(format!(
            "it pads the batch of 4 dims by {before} and {after}, and TenniS cuts nothing off there: \
             it writes beyond its memory; cut the batch by slice"
        ));
    }
    numbers(x.dtype)?;
    let flat: Vec<i64> =
        (0..2).flat_map(|end| pads.iter().filter_map(move |pair| pair.get(end).copied())).collect();
    let pads = site.ints(&flat);
    padded(site, x, &pads, value)
}

/// So many elements more, half of them before.
pub(super) fn around(more: i64) -> [i64; 2] {
    [more / 2, more - more / 2]
}

/// The padding that is an input.
pub(super) fn pad(site: &mut Site<'_>, value: f32) -> Lowered {
    let [x, padding] = site.take()?;
    if padding.ints.is_some() {
        let known = padding.known("padding")?.chunks_exact(2);
        let pairs: Vec<[i64; 2]> = known.filter_map(|pair| pair.try_into().ok()).collect();
        return pad_by(site, &x, &pairs, value);
    }
    numbers(x.dtype)?;
    let flat = site.step("Transpose", &[&padding.name], vec![Attribute::ints("perm", [1, 0])]);
    let flat = site.recast(flat, padding.dtype, DType::Int64)?;
    let shape = site.ints(&[int(x.rank()) * 2]);
    let flat = site.step("Reshape", &[&flat, &shape], Vec::new());
    padded(site, &x, &flat, value)
}

/// The last nodes of padding; `pads` is what all dims have before, then after.
fn padded(site: &mut Site<'_>, x: &Value, pads: &str, value: f32) -> Lowered {
    let of = widened(x.dtype);
    defined(x.dtype, value)?;
    let name = site.cast(x, of)?;
    let value = site.number(of, value.into())?;
    site.emit_as(of, "Pad", &[&name, pads, &value], Vec::new())
}

/// x cut or padded to a shape: around the center, or from an offset. Sizes of 0 and less keep a dim.
pub(super) fn crop_nd(site: &mut Site<'_>, shift: Option<&[i32]>) -> Lowered {
    let [x, shape] = site.take()?;
    let shape = shape.known("sizes")?.to_vec();
    let shift = shift.filter(|shift| !shift.is_empty());
    if shape.len() != x.rank() || shift.is_some_and(|shift| shift.len() != x.rank()) {
        return Err(format!("it crops {} dims, its input has {}", shape.len(), x.rank()));
    }
    let pads = shape.iter().enumerate().map(|(dim, &size)| {
        let offset = shift.and_then(|shift| shift.get(dim)).map(|&offset| i64::from(offset));
        Ok(match (size > 0, offset) {
            (false, None) => [0, 0],
            (false, Some(offset)) => [-offset, offset],
            (true, None) => around(size - x.size(dim)?),
            (true, Some(offset)) => [-offset, offset + size - x.size(dim)?],
        })
    });
    let pads = pads.collect::<Lowered<Vec<_>>>()?;
    pad_by(site, &x, &pads, 0.0)
}

/// x cut or padded to the sizes of the second input, in the dims from `axis`.
pub(super) fn crop_to(site: &mut Site<'_>, axis: i32, offset: Option<&[i32]>) -> Lowered {
    let [x, y] = site.take()?;
    let axis = x.dim(axis)?;
    let pads = (0..x.rank()).map(|dim| match dim.checked_sub(axis) {
        None => Ok([0, 0]),
        Some(at) => {
            let offset = offset.filter(|offset| !offset.is_empty());
            let before = match offset {
                Some(offset) => {
                    -offset.get(at).copied().map(i64::from).ok_or("it has too few offsets")?
                }
                None => 0,
            };
            Ok([before, y.size(dim)? - x.size(dim)? - before])
        }
    });
    let pads = pads.collect::<Lowered<Vec<_>>>()?;
    pad_by(site, &x, &pads, 0.0)
}

/// x cut around its center to at most a shape, which may have fewer dims.
pub(super) fn limit(site: &mut Site<'_>, shape: &[i32]) -> Lowered {
    let [x] = site.take()?;
    let Some(free) = x.rank().checked_sub(shape.len()) else {
        return Err(format!("it limits {} dims, its input has {}", shape.len(), x.rank()));
    };
    let pads = (0..x.rank()).map(|dim| {
        let limit =
            dim.checked_sub(free).and_then(|at| shape.get(at)).map_or(-1, |&limit| limit.into());
        if limit <= 0 {
            return Ok([0, 0]);
        }
        Ok(around((limit - x.size(dim)?).min(0)))
    });
    let pads = pads.collect::<Lowered<Vec<_>>>()?;
    pad_by(site, &x, &pads, 0.0)
}

/// x padded to multiples of sizes, which may be of fewer dims.
pub(super) fn divided(site: &mut Site<'_>, sizes: &[i32], value: f32) -> Lowered {
    let [x] = site.take()?;
    let Some(free) = x.rank().checked_sub(sizes.len()) else {
        return Err(format!("it pads {} dims, its input has {}", sizes.len(), x.rank()));
    };
    let pads = (0..x.rank()).map(|dim| {
        let size =
            dim.checked_sub(free).and_then(|at| sizes.get(at)).map_or(1, |&size| i64::from(size));
        match size {
            1 => Ok([0, 0]),
            2.. => Ok([0, (size - x.size(dim)? % size) % size]),
            _ => Err(format!("it pads to multiples of {size}")),
        }
    });
    let pads = pads.collect::<Lowered<Vec<_>>>()?;
    pad_by(site, &x, &pads, value)
}
