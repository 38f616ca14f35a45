//! Products of matrices, and what is made of them.

use fourfold::tsm::DType;
use fourfold_tennis::Direction;

use super::site::{Lowered, Site, Value, int, product};
use super::types::{floats, fractions, products, single};
use crate::proto::Attribute;

/// Why weights in an order of TenniS's own are refused.
pub(super) const PACKED: &str =
    "its weights are packed for one kind of processor; convert the module from before packing";

/// TenniS takes all dims of x but the first one as one.
pub(super) fn inner_prod(site: &mut Site<'_>, transpose: bool, kernel_packed: bool) -> Lowered {
    let [x, w] = site.take()?;
    products(x.dtype)?;
    if kernel_packed {
        return Err(PACKED.into());
    }
    let x = match x.rank() {
        2 => x.name,
        _ => site.step("Flatten", &[&x.name], vec![Attribute::int("axis", 1)]),
    };
    site.emit("Gemm", &[&x, &w.name], vec![Attribute::int("transB", transpose.into())])
}

pub(super) fn gemm(
    site: &mut Site<'_>,
    (alpha, beta): (f32, f32),
    (trans_a, trans_b): (bool, bool),
) -> Lowered {
    let [a, b, c] = site.take()?;
    products(a.dtype)?;
    let is_constant = |value: &Value| site.builder.find(&value.name).is_some();
    if trans_b && !is_constant(&b) && (!trans_a || is_constant(&a)) {
        return Err("TenniS does not transpose its b, which is no constant; set transB to false, \
                    and transpose b by _transpose before"
            .into());
    }
    let attributes = vec![
        Attribute::float("alpha", alpha),
        Attribute::float("beta", beta),
        Attribute::int("transA", trans_a.into()),
        Attribute::int("transB", trans_b.into()),
    ];
    site.emit("Gemm", &[&a.name, &b.name, &c.name], attributes)
}

pub(super) fn matmul(site: &mut Site<'_>) -> Lowered {
    let [a, b] = site.take()?;
    products(a.dtype)?;
    match (a.rank(), b.rank()) {
        (_, 2) | (4, 4) => site.emit("MatMul", &[&a.name, &b.name], Vec::new()),
        (a, b) => Err(format!("its inputs have {a} and {b} dims, which TenniS does not multiply")),
    }
}

/// Gates are in the order that ONNX has, too. States with fewer than 3 dims are taken for zeros.
pub(super) fn lstm(site: &mut Site<'_>, direction: Direction, hidden_size: i32) -> Lowered {
    let inputs: [Value; 6] = site.take()?;
    let [x, w, r, b, h, c] = &inputs;
    single(x.dtype, "LSTM")?;
    let direction = match direction {
        Direction::Forward => "forward",
        Direction::Bidirectional => "bidirectional",
    };
    let directions = if direction == "forward" { 1 } else { 2 };
    if w.size(0)? != directions {
        return Err(format!(
            "its weights are for {} directions, its direction is {direction}",
            w.size(0)?
        ));
    }
    let state = |state: &Value| if state.rank() < 3 { String::new() } else { state.name.clone() };
    let attributes = vec![
        Attribute::string("direction", direction),
        Attribute::int("hidden_size", hidden_size.into()),
    ];
    site.emit("LSTM", &[&x.name, &w.name, &r.name, &b.name, "", &state(h), &state(c)], attributes)
}

/// Normalization by mean and variance, then scale and bias if there are any.
pub(super) fn batch_norm(site: &mut Site<'_>, dim: i32, epsilon: f32) -> Lowered {
    let x = site.input(0)?;
    fractions(x.dtype, "BatchNormalization")?;
    let dim = x.dim(dim)?;
    let (mean, variance) = (site.input(1)?, site.input(2)?);
    let scaled = match site.inputs.len() {
        3 => None,
        _ => Some((site.input(3)?, site.input(4)?)),
    };
    // Of a mean that is a constant, the file has all elements, so that as many more are no surprise.
    let is_constant = site.builder.find(&mean.name).is_some();
    if dim == 1 && (is_constant || scaled.is_some()) {
        let (scale, bias) = match scaled {
            Some((scale, bias)) => (scale.name, bias.name),
            None => {
                let count = mean.count().ok_or("its mean has an unknown size")?;
                let channels = usize::try_from(count).unwrap_or(0);
                (
                    site.numbers(x.dtype, &vec![1.0; channels], &[count])?,
                    site.numbers(x.dtype, &vec![0.0; channels], &[count])?,
                )
            }
        };
        let epsilon = vec![Attribute::float("epsilon", epsilon)];
        let inputs = [&x.name, &scale, &bias, &mean.name, &variance.name].map(String::as_str);
        return site.emit("BatchNormalization", &inputs, epsilon);
    }
    let rank = x.rank();
    let epsilon = site.number(x.dtype, epsilon.into())?;
    let mean = site.along(&mean, dim, rank)?;
    let variance = site.along(&variance, dim, rank)?;
    let centered = site.step("Sub", &[&x.name, &mean], Vec::new());
    let variance = site.step("Add", &[&variance, &epsilon], Vec::new());
    let deviation = site.step("Sqrt", &[&variance], Vec::new());
    let Some((scale, bias)) = scaled else {
        return site.emit("Div", &[&centered, &deviation], Vec::new());
    };
    let (scale, bias) = (site.along(&scale, dim, rank)?, site.along(&bias, dim, rank)?);
    let normal = site.step("Div", &[&centered, &deviation], Vec::new());
    let scaled = site.step("Mul", &[&normal, &scale], Vec::new());
    site.emit("Add", &[&scaled, &bias], Vec::new())
}

pub(super) fn batch_scale(site: &mut Site<'_>, dim: i32) -> Lowered {
    let [x, scale, bias] = site.take()?;
    let (dim, rank) = (x.dim(dim)?, x.rank());
    let (scale, bias) = (site.along(&scale, dim, rank)?, site.along(&bias, dim, rank)?);
    let scaled = site.step("Mul", &[&x.name, &scale], Vec::new());
    site.emit("Add", &[&scaled, &bias], Vec::new())
}

/// `dim` counts, if both params are there.
pub(super) fn add_bias(
    site: &mut Site<'_>,
    format: Option<fourfold_tennis::Format>,
    dim: Option<i32>,
) -> Lowered {
    let [x, bias] = site.take()?;
    let dim = match (dim, format) {
        (Some(dim), _) => x.dim(dim)?,
        (None, Some(fourfold_tennis::Format::Nchw)) => 1,
        (None, Some(fourfold_tennis::Format::Nhwc)) => 3,
        (None, None) => return Err("it has neither of the params dim and format".into()),
    };
    let bias = site.along(&bias, dim, x.rank())?;
    site.emit("Add", &[&x.name, &bias], Vec::new())
}

pub(super) fn softmax(site: &mut Site<'_>, dim: i32) -> Lowered {
    let [x] = site.take()?;
    fractions(x.dtype, "Softmax")?;
    let axis = int(x.dim(dim)?);
    site.emit("Softmax", &[&x.name], vec![Attribute::int("axis", axis)])
}

/// Without `smooth`: ONNX's operator subtracts the largest element first, so that no exponential is infinite.
pub(super) fn rough_softmax(site: &mut Site<'_>, dim: i32) -> Lowered {
    let [x] = site.take()?;
    fractions(x.dtype, "Softmax")?;
    let dim = x.dim(dim)?;
    if x.size(dim)? == 1 {
        return ones(site, &x);
    }
    let axes = site.ints(&[int(dim)]);
    let exponentials = site.step("Exp", &[&x.name], Vec::new());
    let sum = site.step("ReduceSum", &[&exponentials, &axes], Vec::new());
    site.emit("Div", &[&exponentials, &sum], Vec::new())
}

/// 1 for each element of x: what TenniS returns for a dim of 1, whatever is there.
fn ones(site: &mut Site<'_>, x: &Value) -> Lowered {
    let shape = site.step("Shape", &[&x.name], Vec::new());
    let one = site.number(x.dtype, 1.0)?;
    site.emit("Expand", &[&one, &shape], Vec::new())
}

pub(super) fn l2_norm(site: &mut Site<'_>, dim: i32, epsilon: f32) -> Lowered {
    let [x] = site.take()?;
    fractions(x.dtype, "LpNormalization")?;
    let dim = x.dim(dim)?;
    if x.size(dim)? == 1 {
        return ones(site, &x);
    }
    let axes = site.ints(&[int(dim)]);
    let epsilon = site.number(x.dtype, epsilon.into())?;
    let squares = site.step("Mul", &[&x.name, &x.name], Vec::new());
    let sum = site.step("ReduceSum", &[&squares, &axes], Vec::new());
    let sum = site.step("Add", &[&sum, &epsilon], Vec::new());
    let norm = site.step("Sqrt", &[&sum], Vec::new());
    site.emit("Div", &[&x.name, &norm], Vec::new())
}

/// What x, less its mean, is divided by.
#[derive(Clone, Copy)]
pub(super) enum Deviation {
    /// The standard deviation, but at least that of one unit in all elements.
    AtLeast,
    /// The standard deviation and a number.
    And(f32),
}

/// Each item of the batch less its mean, by its deviation; both are doubles in TenniS.
pub(super) fn whitened(site: &mut Site<'_>, by: Deviation) -> Lowered {
    let [x] = site.take()?;
    floats(x.dtype)?;
    let axes: Vec<i64> = (1..int(x.rank())).collect();
    if axes.is_empty() {
        // Each item is its own mean.
        return site.emit("Sub", &[&x.name, &x.name], Vec::new());
    }
    let of = |axes: &[i64]| vec![Attribute::ints("axes", axes)];
    let double = site.cast(&x, DType::Float64)?;
    let mean = site.step("ReduceMean", &[&double], of(&axes));
    let centered = site.step("Sub", &[&double, &mean], Vec::new());
    let squares = site.step("Mul", &[&centered, &centered], Vec::new());
    let variance = site.step("ReduceMean", &[&squares], of(&axes));
    let deviation = site.step("Sqrt", &[&variance], Vec::new());
    let deviation = match by {
        Deviation::And(epsilon) => {
            let epsilon = site.number(DType::Float64, epsilon.into())?;
            site.step("Add", &[&deviation, &epsilon], Vec::new())
        }
        Deviation::AtLeast => {
            let sizes = (1..x.rank()).map(|dim| x.size(dim)).collect::<Lowered<Vec<_>>>()?;
            let count = product(sizes).ok_or("it has more elements than int64 counts")?;
            #[expect(clippy::cast_precision_loss, reason = "as TenniS computes it")]
            let least = site.number(DType::Float64, 1.0 / (count as f64).sqrt())?;
            site.step("Max", &[&deviation, &least], Vec::new())
        }
    };
    site.emit_as(DType::Float64, "Div", &[&centered, &deviation], Vec::new())
}
