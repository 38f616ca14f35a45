//! The boxes of objects in what SSD predicts of its priors.

use fourfold::tsm::DType;

use super::detection::suppressed;
use super::site::{Lowered, Site, int, product, to_type};
use crate::proto::Attribute;

/// The params of `detection_output`.
pub(super) struct Detection {
    pub(super) classes: i32,
    pub(super) share_location: bool,
    pub(super) background: i32,
    pub(super) nms_threshold: f32,
    pub(super) nms_top_k: i32,
    pub(super) nms_eta: f32,
    pub(super) code_type: i32,
    pub(super) variance_encoded_in_target: bool,
    pub(super) keep_top_k: i32,
    pub(super) confidence_threshold: f32,
}

/// The code of boxes as a center and a size.
const CENTER_SIZE: i32 = 2;

impl Detection {
    /// The classes besides the background.
    fn labels(&self) -> Vec<i64> {
        (0..self.classes).filter(|&class| class != self.background).map(i64::from).collect()
    }

    fn check(&self) -> Lowered {
        if self.code_type != CENTER_SIZE {
            return Err(format!(
                "its code_type is {}; corners may be exchanged in it, and ONNX computes other \
                 overlaps of such boxes; only {CENTER_SIZE} (center and size) is possible",
                self.code_type
            ));
        }
        let (eta, threshold) = (self.nms_eta, self.nms_threshold);
        if eta.is_nan() || eta <= 0.0 || eta > 1.0 {
            return Err(format!("its nms_eta is {eta}, TenniS takes more than 0, and at most 1"));
        }
        if threshold.is_nan() || threshold < 0.0 {
            return Err(format!("its nms_threshold is {threshold}, TenniS takes at least 0"));
        }
        // Lower thresholds stay.
        if eta < 1.0 && threshold > 0.5 {
            return Err(format!("ONNX has no threshold that gets lower (nms_eta {eta})"));
        }
        if self.share_location && self.background == -1 {
            return Err("its background_label_id is -1, which TenniS takes for all classes".into());
        }
        match self.labels().is_empty() || self.nms_top_k == 0 || self.keep_top_k == 0 {
            true => Err("it has no classes, or keeps no boxes".into()),
            false => Ok(()),
        }
    }
}

/// For all images, image, class, score and corners of the boxes that do not overlap.
pub(super) fn detection_output(site: &mut Site<'_>, params: &Detection) -> Lowered {
    site.reserve(params.classes.into())?;
    params.check()?;
    let (x, conf, prior) = (site.input(0)?, site.input(1)?, site.input(2)?);
    let (images, priors) = (x.size(0)?, prior.size(2)? / 4);
    let parts = if params.share_location { 1 } else { i64::from(params.classes) };
    let shapes = [
        (&x, "locations", vec![images, priors.saturating_mul(parts).saturating_mul(4)]),
        (&conf, "scores", vec![images, priors.saturating_mul(params.classes.into())]),
        (&prior, "priors", vec![1, 2, priors * 4]),
    ];
    for (value, what, expected) in shapes {
        if value.sizes().as_ref() != Some(&expected) {
            return Err(format!("its {what} do not have the shape {expected:?}"));
        }
    }
    let labels = params.labels();
    let classes = int(labels.len());
    if images < 1 || priors < 1 {
        return Err("it has no images or no priors".into());
    }
    let count = match i64::from(params.nms_top_k) {
        ..0 => priors,
        most => most.min(priors),
    };
    site.reserve(images.saturating_mul(7))?;

    let prior = site.cast(&prior, DType::Float32)?;
    let x = site.cast(&x, DType::Float32)?;
    let x = shaped(site, &x, &[images, priors, parts, 4]);
    let corners = corners(site, &x, &prior, priors, params.variance_encoded_in_target)?;
    let corners = transposed(site, &corners, [0, 2, 1, 3]);
    let chosen = site.ints(&labels);
    let axis = |axis| vec![Attribute::int("axis", axis)];
    let corners = match params.share_location {
        true => corners,
        false => site.step("Gather", &[&corners, &chosen], axis(1)),
    };
    let conf = site.cast(&conf, DType::Float32)?;
    let conf = shaped(site, &conf, &[images, priors, params.classes.into()]);
    let conf = transposed(site, &conf, [0, 2, 1]);
    let conf = site.step("Gather", &[&conf, &chosen], axis(1));

    // The best of each class; each class of an image is a batch of its own.
    let [scores, order] = ["scores", "order"].map(|name| site.named(name));
    let most = site.ints(&[count]);
    site.builder.node(
        "TopK",
        vec![conf, most.clone()],
        vec![scores.clone(), order.clone()],
        Vec::new(),
    );
    let batches = product([images, classes]).ok_or("it has too many classes")?;
    let order = shaped(site, &order, &[images, classes, count, 1]);
    let whole = site.ints(&[images, classes, count, 4]);
    let order = site.step("Expand", &[&order, &whole], Vec::new());
    let all = site.ints(&[images, classes, priors, 4]);
    let corners = site.step("Expand", &[&corners, &all], Vec::new());
    let corners = site.step("GatherElements", &[&corners, &order], axis(2));
    let corners = shaped(site, &corners, &[batches, count, 4]);
    let scores = shaped(site, &scores, &[batches, 1, count]);
    let thresholds = [params.nms_threshold.min(1.0), params.confidence_threshold];
    let found = suppressed(site, [&corners, &scores, &most], thresholds)?;

    let mut column = |indices: &[i64]| {
        let indices = site.ints(indices);
        site.step("Gather", &[&found, &indices], axis(1))
    };
    let (batch, of_box, of_score) = (column(&[0]), column(&[0, 2]), column(&[0, 1, 2]));
    let corners = site.step("GatherND", &[&corners, &of_box], Vec::new());
    let score = site.step("GatherND", &[&scores, &of_score], Vec::new());
    let last = site.ints(&[1]);
    let score = site.step("Unsqueeze", &[&score, &last], Vec::new());
    let classes_of = site.ints(&[classes]);
    let image = site.step("Div", &[&batch, &classes_of], Vec::new());
    let class = site.step("Mod", &[&batch, &classes_of], Vec::new());
    let class = site.step("Gather", &[&chosen, &class], Vec::new());
    let [image, class] = [image, class].map(|ints| site.recast(ints, DType::Int64, DType::Float32));
    let rows = site.step("Concat", &[&image?, &class?, &score, &corners], axis(1));
    let rows = match i64::from(params.keep_top_k) {
        keep if keep > 0 && keep < classes.saturating_mul(count) => {
            best(site, &rows, images, keep)?
        }
        _ => rows,
    };
    let rows = or_none(site, &rows, images)?;
    let outer = site.ints(&[0, 1]);
    site.emit("Unsqueeze", &[&rows, &outer], Vec::new())
}

/// Two corners of each box, from its center and size as parts of those of its prior.
fn corners(
    site: &mut Site<'_>,
    x: &str,
    prior: &str,
    priors: i64,
    is_scaled: bool,
) -> Lowered<String> {
    let pairs = shaped(site, prior, &[2, priors, 1, 4]);
    let [boxes, variances] = [0, 1].map(|at| {
        let at = site.int(at);
        site.step("Gather", &[&pairs, &at], Vec::new())
    });
    let x = match is_scaled {
        true => x.to_owned(),
        false => site.step("Mul", &[&variances, x], Vec::new()),
    };
    let two = site.number(DType::Float32, 2.0)?;
    let ([start, end], [center, size]) = (halves(site, &boxes), halves(site, &x));
    let prior_size = site.step("Sub", &[&end, &start], Vec::new());
    let middle = site.step("Add", &[&start, &end], Vec::new());
    let middle = site.step("Div", &[&middle, &two], Vec::new());
    let center = site.step("Mul", &[&center, &prior_size], Vec::new());
    let center = site.step("Add", &[&center, &middle], Vec::new());
    let size = site.step("Exp", &[&size], Vec::new());
    let size = site.step("Mul", &[&size, &prior_size], Vec::new());
    let half = site.step("Div", &[&size, &two], Vec::new());
    let start = site.step("Sub", &[&center, &half], Vec::new());
    let end = site.step("Add", &[&center, &half], Vec::new());
    Ok(site.step("Concat", &[&start, &end], vec![Attribute::int("axis", -1)]))
}

/// The best rows of each image, in the order that they have.
fn best(site: &mut Site<'_>, rows: &str, images: i64, keep: i64) -> Lowered<String> {
    // Nodes for each image take as much as elements do.
    site.reserve(images.saturating_mul(1024))?;
    let (first, score) = (site.int(0), site.int(2));
    let axis = |axis| vec![Attribute::int("axis", axis)];
    let owners = site.step("Gather", &[rows, &first], axis(1));
    let keep = site.ints(&[keep]);
    let mut all = Vec::new();
    for image in 0..images {
        let image =
            site.numbers::<i32>(DType::Float32, &[i32::try_from(image).unwrap_or(0)], &[])?;
        let is_own = site.step("Equal", &[&owners, &image], Vec::new());
        let own = site.step("Compress", &[rows, &is_own], axis(0));
        let scores = site.step("Gather", &[&own, &score], axis(1));
        let count = site.step("Shape", &[&scores], Vec::new());
        let count = site.step("Min", &[&count, &keep], Vec::new());
        let [values, order, sorted, unused] =
            ["values", "order", "sorted", "unused"].map(|name| site.named(name));
        let inputs = vec![scores, count.clone()];
        site.builder.node("TopK", inputs, vec![values, order.clone()], Vec::new());
        let ascending = vec![Attribute::int("largest", 0)];
        site.builder.node("TopK", vec![order, count], vec![sorted.clone(), unused], ascending);
        all.push(site.step("Gather", &[&own, &sorted], Vec::new()));
    }
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    Ok(site.step("Concat", &all, axis(0)))
}

/// Rows; if there are none, a row of -1 for each image, as TenniS has it.
fn or_none(site: &mut Site<'_>, rows: &str, images: i64) -> Lowered<String> {
    let numbers =
        (0..images).flat_map(|image| (0..7).map(move |at| if at == 0 { image } else { -1 }));
    let numbers: Vec<i32> = numbers.filter_map(|number| i32::try_from(number).ok()).collect();
    let none = site.numbers(DType::Float32, &numbers, &[images, 7])?;
    let (first, images) = (site.ints(&[0]), site.ints(&[images]));
    let count = site.step("Shape", &[rows], vec![Attribute::int("end", 1)]);
    let is_empty = site.step("Equal", &[&count, &first], Vec::new());
    let end = site.step("Cast", &[&is_empty], to_type(DType::Int64)?);
    let end = site.step("Mul", &[&end, &images], Vec::new());
    let none = site.step("Slice", &[&none, &first, &end], Vec::new());
    Ok(site.step("Concat", &[rows, &none], vec![Attribute::int("axis", 0)]))
}

/// The first two of the last four numbers, and the other two.
fn halves(site: &mut Site<'_>, x: &str) -> [String; 2] {
    [[0, 1], [2, 3]].map(|indices| {
        let indices = site.ints(&indices);
        site.step("Gather", &[x, &indices], vec![Attribute::int("axis", -1)])
    })
}

fn shaped(site: &mut Site<'_>, x: &str, shape: &[i64]) -> String {
    let shape = site.ints(shape);
    site.step("Reshape", &[x, &shape], Vec::new())
}

fn transposed<const DIMS: usize>(site: &mut Site<'_>, x: &str, order: [i64; DIMS]) -> String {
    site.step("Transpose", &[x], vec![Attribute::ints("perm", order)])
}
