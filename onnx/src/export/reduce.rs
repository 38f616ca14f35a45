//! Operators that reduce dims to one number.

use fourfold::tsm::DType;

use super::site::{Lowered, Site, int, product};
use super::types::{numbers, promoted, widened};
use crate::numbers::is_float;
use crate::proto::Attribute;

/// The type in which sums are computed: onnxruntime's sums of int32 stop at the largest number. Those of integers
/// are cut afterwards, as they are in TenniS.
fn summed(dtype: DType) -> DType {
    if is_float(dtype) { dtype } else { DType::Int64 }
}

/// The sum of one dim.
pub(super) fn sum(site: &mut Site<'_>, dim: i32, keep: bool) -> Lowered {
    let [x] = site.take()?;
    numbers(x.dtype)?;
    let axes = site.ints(&[int(x.dim(dim)?)]);
    let of = summed(x.dtype);
    let name = site.cast(&x, of)?;
    site.emit_as(of, "ReduceSum", &[&name, &axes], vec![Attribute::int("keepdims", keep.into())])
}

/// The mean of dims, which follow each other: others are refused with the shapes.
pub(super) fn mean(site: &mut Site<'_>, dims: &[i32], keep: bool) -> Lowered {
    let [x] = site.take()?;
    numbers(x.dtype)?;
    let axes = dims.iter().map(|&dim| Ok(int(x.dim(dim)?))).collect::<Lowered<Vec<_>>>()?;
    let keep = Attribute::int("keepdims", keep.into());
    if dims.iter().any(|&dim| x.dim(dim).is_ok_and(|dim| x.shape.get(dim) == Some(&Some(0)))) {
        return Err("each mean is of no elements".into());
    }
    if is_float(x.dtype) {
        return site.emit("ReduceMean", &[&x.name], vec![Attribute::ints("axes", axes), keep]);
    }
    // The sum is cut to the type before it is divided.
    let (of, total) = (summed(x.dtype), site.ints(&axes));
    let sizes = axes.iter().map(|&axis| x.size(usize::try_from(axis).unwrap_or(0)));
    let count = product(sizes.collect::<Lowered<Vec<_>>>()?);
    let count = count.and_then(|count| i32::try_from(count).ok()).filter(|&count| count > 0);
    let count = count.ok_or("each mean is of no elements, or of more than int32 counts")?;
    let name = site.cast(&x, of)?;
    let sum = site.step("ReduceSum", &[&name, &total], vec![keep]);
    let cut = site.recast(sum, of, x.dtype)?;
    // The count may be larger than the type has numbers.
    let of = promoted(x.dtype);
    let cut = site.recast(cut, x.dtype, of)?;
    let count = site.number(of, count.into())?;
    site.emit_as(of, "Div", &[&cut, &count], Vec::new())
}

/// The largest element of one dim.
pub(super) fn max(site: &mut Site<'_>, dim: i32, keep: i32) -> Lowered {
    let [x] = site.take()?;
    numbers(x.dtype)?;
    if x.shape.get(x.dim(dim)?) == Some(&Some(0)) {
        return Err("it is the largest one of no elements".into());
    }
    let of = match widened(x.dtype) {
        DType::UInt32 => DType::Int64,
        DType::UInt64 => return Err("onnxruntime does not compare uint64".into()),
        other => other,
    };
    let attributes = vec![
        Attribute::ints("axes", [int(x.dim(dim)?)]),
        Attribute::int("keepdims", (keep == 1).into()),
    ];
    let name = site.cast(&x, of)?;
    site.emit_as(of, "ReduceMax", &[&name], attributes)
}
