//! Images transformed by a matrix.
//!
//! Where each new pixel is in the image is computed in float, and what is mixed of the pixels around in double, in the
//! order in which TenniS adds them: what is cut off of integers depends on it.

use fourfold::tsm::DType;
use fourfold_tennis::ResizeType;

use super::elementwise::limits;
use super::quantized::rounded;
use super::site::{Lowered, Site, Value, defined, exact, int, product, to_type};
use super::types::{numbers, selected};
use crate::proto::Attribute;

/// x in the size that is an input, by a matrix that is another one. `outer` is the number of pixels outside of x,
/// which are otherwise the nearest ones.
pub(super) fn sample(
    site: &mut Site<'_>,
    kind: ResizeType,
    dim: i32,
    outer: Option<f32>,
) -> Lowered {
    let ([x, _, matrix], y) = (site.take()?, site.output()?);
    numbers(x.dtype)?;
    let image = Image::of(site, &x, x.dim(dim)?)?;
    let least = match kind {
        ResizeType::Nearest | ResizeType::Hard => 1,
        ResizeType::Linear => 2,
        ResizeType::Cubic => 4,
    };
    let [height, width] = image.sizes;
    if height < least || width < least {
        return Err(format!(
            "its image is {height} by {width}: TenniS mixes {least} by {least} pixels, and reads beyond it"
        ));
    }
    let [row, column] = places(site, &matrix, [y.size(image.dim)?, y.size(image.dim + 1)?])?;
    let (name, of, inside) = match kind {
        ResizeType::Nearest | ResizeType::Hard => {
            let (row, is_row) = nearest(site, kind, &row, height)?;
            let (column, is_column) = nearest(site, kind, &column, width)?;
            let (name, of) = (image.pick(site, &row, &column)?, selected(x.dtype));
            (site.recast(name, x.dtype, of)?, of, [is_row, is_column])
        }
        ResizeType::Linear | ResizeType::Cubic => {
            let line = if kind == ResizeType::Linear { linear } else { cubic };
            let (rows, columns) = (line(site, &row, height)?, line(site, &column, width)?);
            let name = match kind {
                ResizeType::Linear => image.mix_linear(site, &rows, &columns)?,
                _ => image.mix_cubic(site, &rows, &columns)?,
            };
            (clamped(site, &name, x.dtype)?, selected(x.dtype), [rows.inside, columns.inside])
        }
    };
    let name = match outer {
        None => name,
        Some(outer) => {
            // First a number of x's type.
            defined(x.dtype, outer)?;
            let outer = site.number(x.dtype, outer.into())?;
            let outer = site.recast(outer, x.dtype, of)?;
            let [is_row, is_column] = inside;
            let inside = site.step("And", &[&is_row, &is_column], Vec::new());
            let inside = image.over_pixels(site, &inside);
            site.step("Where", &[&inside, &name, &outer], Vec::new())
        }
    };
    let name = site.recast(name, of, x.dtype)?;
    site.finish(&name)
}

/// Where each new pixel is in the image, in double: its row and its column.
fn places(site: &mut Site<'_>, matrix: &Value, [height, width]: [i64; 2]) -> Lowered<[String; 2]> {
    site.reserve(height.saturating_add(width))?;
    #[expect(clippy::cast_precision_loss, reason = "TenniS computes these as float")]
    let counted = |size: i64| (0..size).map(|index| index as f32).collect::<Vec<f32>>();
    let row = site.numbers(DType::Float32, &counted(height), &[height, 1])?;
    let column = site.numbers(DType::Float32, &counted(width), &[1, width])?;
    if matrix.shape != [Some(3), Some(3)] {
        return Err("its matrix does not have the shape [3, 3]".into());
    }
    let matrix = site.cast(matrix, DType::Float32)?;
    let all = site.ints(&[9]);
    let matrix = site.step("Reshape", &[&matrix, &all], Vec::new());
    let mut place = |first: i64| {
        let mut number = |at: i64| {
            let index = site.int(first + at);
            site.step("Gather", &[&matrix, &index], Vec::new())
        };
        let [of_column, of_row, moved] = [0, 1, 2].map(&mut number);
        let by_column = site.step("Mul", &[&of_column, &column], Vec::new());
        let by_row = site.step("Mul", &[&of_row, &row], Vec::new());
        let sum = site.step("Add", &[&by_column, &by_row], Vec::new());
        let place = site.step("Add", &[&sum, &moved], Vec::new());
        site.recast(place, DType::Float32, DType::Float64)
    };
    Ok([place(3)?, place(0)?])
}

/// The pixels of one dim that new pixels are mixed of.
struct Line {
    /// Indices, as int32, and weights, as double.
    pixels: Vec<(String, String)>,
    /// Whether TenniS takes the place for one inside of the image, without its last pixels.
    inside: String,
}

/// The index of the pixel at a place, as int32: halves away from 0, or without the fraction. And whether TenniS takes
/// it for one inside of the image, without the last pixel.
fn nearest(
    site: &mut Site<'_>,
    kind: ResizeType,
    place: &str,
    size: i64,
) -> Lowered<(String, String)> {
    let place = match kind {
        ResizeType::Hard => place.to_owned(),
        _ => rounded(site, place)?,
    };
    let index = site.step("Cast", &[&place], to_type(DType::Int32)?);
    let [zero, last] = [0.0, exact(size - 1)].map(|at| site.number(DType::Int32, at));
    let (zero, last) = (zero?, last?);
    let inside = between(site, &index, [&zero, &last]);
    let index = site.step("Max", &[&index, &zero], Vec::new());
    Ok((site.step("Min", &[&index, &last], Vec::new()), inside))
}

/// The pixels before and after a place.
fn linear(site: &mut Site<'_>, place: &str, size: i64) -> Lowered<Line> {
    let [zero, one, last, end] = [0.0, 1.0, exact(size - 1), exact(size - 1) - 1e-5]
        .map(|at| site.number(DType::Float64, at));
    let (zero, one, last, end) = (zero?, one?, last?, end?);
    let inside = between(site, place, [&zero, &last]);
    let is_after_start = site.step("GreaterOrEqual", &[place, &zero], Vec::new());
    let place = site.step("Where", &[&is_after_start, place, &zero], Vec::new());
    let is_before_end = site.step("Less", &[&place, &last], Vec::new());
    let place = site.step("Where", &[&is_before_end, &place, &end], Vec::new());
    let (low, weight) = fraction(site, &place, &place)?;
    let rest = site.step("Sub", &[&one, &weight], Vec::new());
    let high = moved(site, &low, 1)?;
    Ok(Line { pixels: vec![(low, rest), (high, weight)], inside })
}

/// Four pixels around a place, by the weights that TenniS has.
fn cubic(site: &mut Site<'_>, place: &str, size: i64) -> Lowered<Line> {
    const A: f64 = -0.75;
    let floor = site.step("Floor", &[place], Vec::new());
    let (low, t) = fraction(site, &floor, place)?;
    let [first, last] = [1.0, exact(size - 3)].map(|at| site.number(DType::Int32, at));
    let (first, last) = (first?, last?);
    let inside = between(site, &low, [&first, &last]);
    let zero = site.number(DType::Float64, 0.0)?;
    let t = site.step("Where", &[&inside, &t, &zero], Vec::new());
    let low = site.step("Max", &[&low, &first], Vec::new());
    let low = site.step("Min", &[&low, &last], Vec::new());

    let one = site.number(DType::Float64, 1.0)?;
    let more = site.step("Add", &[&t, &one], Vec::new());
    let less = site.step("Sub", &[&one, &t], Vec::new());
    // ((A t - 5 A) t + 8 A) t - 4 A
    let mut outer = site.number(DType::Float64, A)?;
    for number in [-5.0 * A, 8.0 * A, -4.0 * A] {
        let number = site.number(DType::Float64, number)?;
        outer = site.step("Mul", &[&outer, &more], Vec::new());
        outer = site.step("Add", &[&outer, &number], Vec::new());
    }
    // ((A + 2) t - (A + 3)) t t + 1
    let [scale, bias] = [A + 2.0, A + 3.0].map(|number| site.number(DType::Float64, number));
    let (scale, bias) = (scale?, bias?);
    let mut inner = |t: &str| {
        let weight = site.step("Mul", &[&scale, t], Vec::new());
        let weight = site.step("Sub", &[&weight, &bias], Vec::new());
        let weight = site.step("Mul", &[&weight, t], Vec::new());
        let weight = site.step("Mul", &[&weight, t], Vec::new());
        site.step("Add", &[&weight, &one], Vec::new())
    };
    let (second, third) = (inner(&t), inner(&less));
    let mut rest = one.clone();
    for weight in [&outer, &second, &third] {
        rest = site.step("Sub", &[&rest, weight], Vec::new());
    }
    let mut pixels = Vec::new();
    for (by, weight) in [-1, 0, 1, 2].into_iter().zip([outer, second, third, rest]) {
        pixels.push((moved(site, &low, by)?, weight));
    }
    Ok(Line { pixels, inside })
}

/// Whether `least` <= value < `end`.
fn between(site: &mut Site<'_>, value: &str, [least, end]: [&str; 2]) -> String {
    let is_after = site.step("GreaterOrEqual", &[value, least], Vec::new());
    let is_before = site.step("Less", &[value, end], Vec::new());
    site.step("And", &[&is_after, &is_before], Vec::new())
}

/// A number as int32, and what `place` has more than that.
fn fraction(site: &mut Site<'_>, number: &str, place: &str) -> Lowered<(String, String)> {
    let whole = site.step("Cast", &[number], to_type(DType::Int32)?);
    let double = site.step("Cast", &[&whole], to_type(DType::Float64)?);
    let fraction = site.step("Sub", &[place, &double], Vec::new());
    Ok((whole, fraction))
}

/// Indices of other pixels.
fn moved(site: &mut Site<'_>, index: &str, by: i64) -> Lowered<String> {
    let by = site.number(DType::Int32, exact(by))?;
    Ok(site.step("Add", &[index, &by], Vec::new()))
}

/// x with height and width as one dim.
struct Image {
    name: String,
    dtype: DType,
    /// The dim of height.
    dim: usize,
    sizes: [i64; 2],
    /// How many dims follow width.
    inner: usize,
}

impl Image {
    fn of(site: &mut Site<'_>, x: &Value, dim: usize) -> Lowered<Self> {
        let sizes = [x.size(dim)?, x.size(dim + 1)?];
        if x.shape.contains(&Some(0)) {
            return Err("its input has no elements".into());
        }
        let pixels = product(sizes).filter(|&pixels| i32::try_from(pixels).is_ok());
        let pixels = pixels.ok_or("its image has more pixels than int32 counts")?;
        let inner = x.rank() - dim - 2;
        // 0 keeps a dim.
        let mut shape = vec![0; dim];
        shape.push(pixels);
        for at in dim + 2..x.rank() {
            shape.push(x.size(at)?);
        }
        let shape = site.ints(&shape);
        let name = site.step("Reshape", &[&x.name, &shape], Vec::new());
        Ok(Image { name, dtype: x.dtype, dim, sizes, inner })
    }

    /// The pixels of a row and a column.
    fn pick(&self, site: &mut Site<'_>, row: &str, column: &str) -> Lowered<String> {
        let [_, width] = self.sizes;
        let width = site.number(DType::Int32, exact(width))?;
        let start = site.step("Mul", &[row, &width], Vec::new());
        let index = site.step("Add", &[&start, column], Vec::new());
        let axis = vec![Attribute::int("axis", int(self.dim))];
        Ok(site.step("Gather", &[&self.name, &index], axis))
    }

    /// The same in double.
    fn pick_double(&self, site: &mut Site<'_>, row: &str, column: &str) -> Lowered<String> {
        let pixel = self.pick(site, row, column)?;
        site.recast(pixel, self.dtype, DType::Float64)
    }

    /// A number for each pixel, in the shape of pixels: channels may follow their width.
    fn over_pixels(&self, site: &mut Site<'_>, name: &str) -> String {
        if self.inner == 0 {
            return name.to_owned();
        }
        let axes: Vec<i64> = (0..self.inner).map(|at| int(at) + 2).collect();
        let axes = site.ints(&axes);
        site.step("Unsqueeze", &[name, &axes], Vec::new())
    }

    /// Four pixels: the sum of each by the product of its weights, row by row.
    fn mix_linear(&self, site: &mut Site<'_>, rows: &Line, columns: &Line) -> Lowered<String> {
        let mut products = Vec::new();
        for (row, of_row) in &rows.pixels {
            for (column, of_column) in &columns.pixels {
                let pixel = self.pick_double(site, row, column)?;
                let weight = site.step("Mul", &[of_row, of_column], Vec::new());
                let weight = self.over_pixels(site, &weight);
                products.push(site.step("Mul", &[&weight, &pixel], Vec::new()));
            }
        }
        sum(site, products)
    }

    /// Sixteen pixels: the sum of each by one weight and the other, column by column.
    fn mix_cubic(&self, site: &mut Site<'_>, rows: &Line, columns: &Line) -> Lowered<String> {
        let mut products = Vec::new();
        for (column, of_column) in &columns.pixels {
            let of_column = self.over_pixels(site, of_column);
            for (row, of_row) in &rows.pixels {
                let pixel = self.pick_double(site, row, column)?;
                let of_row = self.over_pixels(site, of_row);
                let part = site.step("Mul", &[&pixel, &of_column], Vec::new());
                products.push(site.step("Mul", &[&part, &of_row], Vec::new()));
            }
        }
        sum(site, products)
    }
}

/// A double as a number of a type, which what is no number is the largest one of; in the type in which it is selected.
fn clamped(site: &mut Site<'_>, double: &str, dtype: DType) -> Lowered<String> {
    #[expect(clippy::cast_precision_loss, reason = "as C++ casts the limits")]
    let limits = limits(dtype).unwrap_or(match dtype {
        DType::UInt64 => [0.0, u64::MAX as f64],
        DType::Float32 => [f32::MIN.into(), f32::MAX.into()],
        _ => [f64::MIN, f64::MAX],
    });
    let [least, most] = limits.map(|limit| site.number(DType::Float64, limit));
    let (least, most) = (least?, most?);
    let is_less = site.step("Less", &[double, &most], Vec::new());
    let number = site.step("Where", &[&is_less, double, &most], Vec::new());
    let number = site.step("Max", &[&number, &least], Vec::new());
    let number = site.recast(number, DType::Float64, dtype)?;
    site.recast(number, dtype, selected(dtype))
}

fn sum(site: &mut Site<'_>, products: Vec<String>) -> Lowered<String> {
    let sum =
        products.into_iter().reduce(|sum, product| site.step("Add", &[&sum, &product], Vec::new()));
    sum.ok_or_else(|| "it has no pixels".into())
}
