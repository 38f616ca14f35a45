//! Convolutions of pixels that an input moves.

use fourfold::tsm::DType;

use super::image::Window;
use super::site::{Lowered, Site, Value};
use crate::proto::Attribute;

/// Sizes of the convolution.
struct Sizes {
    groups: i64,
    /// The channels, height and width of x.
    x: [i64; 3],
    /// The channels of the result, height and width of the kernel.
    w: [i64; 3],
    /// Height and width of the result.
    y: [i64; 2],
}

impl Sizes {
    /// How many pixels a filter has in each channel.
    fn kernel(&self) -> i64 {
        let [_, high, broad] = self.w;
        high.saturating_mul(broad)
    }
}

/// A convolution of 1 by 1 pixel, whose channels are the pixels of a kernel.
pub(super) fn conv(site: &mut Site<'_>, window: Window, groups: i32) -> Lowered {
    let ([x, w, bias, offsets, mask], y) = (site.take()?, site.output()?);
    if x.dtype != DType::Float32 {
        return Err(format!("TenniS computes it for float32 only, x is {}", x.dtype));
    }
    let sizes = Sizes {
        groups: groups.into(),
        x: [x.size(1)?, x.size(2)?, x.size(3)?],
        w: [w.size(0)?, w.size(2)?, w.size(3)?],
        y: [y.size(2)?, y.size(3)?],
    };
    let [rows, columns] = sizes.y;
    site.reserve(sizes.kernel().saturating_mul(rows + columns).max(sizes.kernel()))?;
    check(&sizes, window, [&x, &w, &offsets, &mask])?;
    let ([channels, height, width], [out, _, _]) = (sizes.x, sizes.w);
    if bias.shape != [Some(out)] {
        return Err(format!("its bias does not have the shape [{out}]"));
    }
    let kernel = sizes.kernel();
    let grid = grid(site, &offsets, &sizes, window)?;
    // Groups of channels are images of their own.
    let images = site.reshaped(&x, &[-1, channels / sizes.groups, height, width]);
    let mask = site.reshaped(&mask, &[-1, 1, kernel * rows, columns]);
    let mode =
        vec![Attribute::string("mode", "bilinear"), Attribute::string("padding_mode", "zeros")];
    let pixels = site.step("GridSample", &[&images, &grid], mode);
    let pixels = site.step("Mul", &[&pixels, &mask], Vec::new());
    let dims = site.ints(&[-1, channels * kernel, rows, columns]);
    let pixels = site.step("Reshape", &[&pixels, &dims], Vec::new());
    let w = site.reshaped(&w, &[out, channels * kernel, 1, 1]);
    site.emit("Conv", &[&pixels, &w, &bias.name], Vec::new())
}

/// Refuses what TenniS refuses when it runs, or for which it reads beyond its inputs.
fn check(sizes: &Sizes, window: Window, [x, w, offsets, mask]: [&Value; 4]) -> Lowered {
    let [channels, _, _] = sizes.x;
    if sizes.groups < 1 || channels % sizes.groups != 0 {
        return Err(format!("{channels} channels are not {} groups", sizes.groups));
    }
    if w.size(1)? != channels {
        return Err(format!("x has {channels} channels, its kernel {}", w.size(1)?));
    }
    let [down, right] = window.padding;
    if [down, right].iter().any(|[before, after]| before != after || *before < 0) {
        return Err("TenniS has the same padding before and after, not below 0".into());
    }
    if sizes.kernel() < 1 || window.missing(x, w).iter().any(|&missing| missing > 0) {
        return Err("its kernel is empty or larger than its padded input".into());
    }
    let [rows, columns] = sizes.y;
    let numbers = sizes.groups * sizes.kernel();
    for (value, what, count) in [(offsets, "offsets", 2 * numbers), (mask, "mask", numbers)] {
        let expected = [count, rows, columns];
        let found = [value.size(1)?, value.size(2)?, value.size(3)?];
        if found != expected {
            return Err(format!("{found:?} {what} for each image, expected {expected:?}"));
        }
        if value.shape.first() != x.shape.first() {
            return Err(format!("x and {what} have other counts of images, or unknown ones"));
        }
    }
    Ok(())
}

/// The places of pixels in x as ONNX counts them: from -1 to 1, the column before the row.
fn grid(site: &mut Site<'_>, offsets: &Value, sizes: &Sizes, window: Window) -> Lowered<String> {
    let ([_, height, width], [_, high, broad], [rows, columns]) = (sizes.x, sizes.w, sizes.y);
    let kernel = sizes.kernel();
    let dims = site.ints(&[0, sizes.groups, kernel, 2, rows, columns]);
    let offsets = site.step("Reshape", &[&offsets.name, &dims], Vec::new());
    let [[top, _], [left, _]] = window.padding;
    let ([down, right], [row_gap, column_gap]) = (window.stride, window.dilation);
    let tops = (0..high).flat_map(|row| (0..broad).map(move |_| row * row_gap - top));
    let lefts = (0..high).flat_map(|_| (0..broad).map(|column| column * column_gap - left));
    let row = Places {
        index: 0,
        starts: tops.flat_map(|top| (0..rows).map(move |row| top + row * down)).collect(),
        dims: [kernel, rows, 1],
        size: height,
    };
    let column = Places {
        index: 1,
        starts: lefts.flat_map(|left| (0..columns).map(move |at| left + at * right)).collect(),
        dims: [kernel, 1, columns],
        size: width,
    };
    let (column, row) = (column.moved(site, &offsets)?, row.moved(site, &offsets)?);
    let grid = site.step("Concat", &[&column, &row], vec![Attribute::int("axis", -1)]);
    let dims = site.ints(&[-1, kernel * rows, columns, 2]);
    Ok(site.step("Reshape", &[&grid, &dims], Vec::new()))
}

/// Rows or columns.
struct Places {
    /// Which of the two offsets is theirs.
    index: i64,
    /// Where pixels are without offsets.
    starts: Vec<i64>,
    dims: [i64; 3],
    /// The size of x in this dim.
    size: i64,
}

impl Places {
    /// Those with offsets, in a dim of 1.
    #[expect(clippy::cast_precision_loss, reason = "TenniS computes these as float")]
    fn moved(&self, site: &mut Site<'_>, offsets: &str) -> Lowered<String> {
        let index = site.int(self.index);
        let offset = site.step("Gather", &[offsets, &index], vec![Attribute::int("axis", 3)]);
        let starts: Vec<f32> = self.starts.iter().map(|&start| start as f32).collect();
        let starts = site.numbers(DType::Float32, &starts, &self.dims)?;
        let place = site.step("Add", &[&offset, &starts], Vec::new());
        // What is far outside, or no number, is 0; runtimes count places as integers.
        let [before, after] =
            [-2.0, self.size as f64 + 1.0].map(|number| site.number(DType::Float32, number));
        let (before, after) = (before?, after?);
        let is_number = site.step("GreaterOrEqual", &[&place, &before], Vec::new());
        let place = site.step("Where", &[&is_number, &place, &before], Vec::new());
        let mut place = site.step("Min", &[&place, &after], Vec::new());
        for (op, number) in [("Add", 0.5), ("Div", self.size as f64 / 2.0), ("Sub", 1.0)] {
            let number = site.number(DType::Float32, number)?;
            place = site.step(op, &[&place, &number], Vec::new());
        }
        let last = site.ints(&[-1]);
        Ok(site.step("Unsqueeze", &[&place, &last], Vec::new()))
    }
}
