//! Detectors of objects: boxes, and what is at places of an image.

use fourfold::tsm::DType;

use super::site::{Lowered, Site, exact, int, product, to_type};
use super::types::{fractions, single};
use crate::dtype::DataType;
use crate::proto::Attribute;

/// The indices of boxes that do not overlap, and -1 up to the count that is asked for.
pub(super) fn non_max_suppression(
    site: &mut Site<'_>,
    most: i32,
    iou_threshold: f32,
    score_threshold: f32,
    mode: &str,
) -> Lowered {
    let [boxes, scores] = site.take()?;
    if boxes.dtype != DType::Float32 {
        let dtype = boxes.dtype;
        return Err(format!(
            "ONNX has no NonMaxSuppression for {dtype}; cast its inputs to float32"
        ));
    }
    if scores.dtype != DType::Float32 {
        return Err(format!("its scores are {}, TenniS takes float32", scores.dtype));
    }
    if most < 1 {
        return Err(format!("it selects {most} boxes, TenniS takes at least 1"));
    }
    if !(0.0..=1.0).contains(&iou_threshold) {
        return Err(format!(
            "its iou_threshold is {iou_threshold}, and runtimes take numbers from 0 to 1; set it to the nearest of these"
        ));
    }
    let corners = match mode {
        "xyxy" => boxes.name,
        // A corner and sizes.
        _ => {
            let [start, middle, end] = [0, 2, 4].map(|at| site.ints(&[at]));
            let axis = site.ints(&[1]);
            let corner = site.step("Slice", &[&boxes.name, &start, &middle, &axis], Vec::new());
            let sizes = site.step("Slice", &[&boxes.name, &middle, &end, &axis], Vec::new());
            let opposite = site.step("Add", &[&corner, &sizes], Vec::new());
            site.step("Concat", &[&corner, &opposite], vec![Attribute::int("axis", 1)])
        }
    };
    let (first, two) = (site.ints(&[0]), site.ints(&[0, 1]));
    let corners = site.step("Unsqueeze", &[&corners, &first], Vec::new());
    let scores = site.step("Unsqueeze", &[&scores.name, &two], Vec::new());
    let count = site.ints(&[most.into()]);
    let selected = suppressed(site, [&corners, &scores, &count], [iou_threshold, score_threshold])?;
    let index = site.int(2);
    let indices = site.step("Gather", &[&selected, &index], vec![Attribute::int("axis", 1)]);
    let indices = site.step("Cast", &[&indices], to_type(DType::Int32)?);
    let none = site.number(DType::Int32, -1.0)?;
    let none = site.step("Expand", &[&none, &count], Vec::new());
    let all = site.step("Concat", &[&indices, &none], vec![Attribute::int("axis", 0)]);
    site.emit("Slice", &[&all, &first, &count], Vec::new())
}

/// Batch, class and index of the boxes that do not overlap by more than a threshold, and whose score is more than another
/// one. The inputs are boxes, scores, and how many boxes a class has at most.
pub(super) fn suppressed(
    site: &mut Site<'_>,
    [boxes, scores, most]: [&str; 3],
    [overlap, score]: [f32; 2],
) -> Lowered<String> {
    let overlap = site.numbers(DType::Float32, &[overlap], &[1])?;
    let score = site.numbers(DType::Float32, &[score], &[1])?;
    let inputs = [boxes, scores, most, &overlap, &score];
    Ok(site.step("NonMaxSuppression", &inputs, Vec::new()))
}

/// The mean of samples in each part of boxes. A box is the index of an image, and two corners.
pub(super) fn roi_align(
    site: &mut Site<'_>,
    [height, width]: [i32; 2],
    spatial_scale: f32,
    sampling_ratio: i32,
) -> Lowered {
    let [x, rois] = site.take()?;
    single(x.dtype, "RoiAlign")?;
    let [start, border, end, axis] = [0, 1, 5, 1].map(|at| site.ints(&[at]));
    let images = site.step("Slice", &[&rois.name, &start, &border, &axis], Vec::new());
    let vector = site.ints(&[-1]);
    let images = site.step("Reshape", &[&images, &vector], Vec::new());
    let images = site.step("Cast", &[&images], to_type(DType::Int64)?);
    let corners = site.step("Slice", &[&rois.name, &border, &end, &axis], Vec::new());
    let attributes = vec![
        Attribute::string("coordinate_transformation_mode", "output_half_pixel"),
        Attribute::string("mode", "avg"),
        Attribute::int("output_height", height.into()),
        Attribute::int("output_width", width.into()),
        Attribute::int("sampling_ratio", sampling_ratio.max(0).into()),
        Attribute::float("spatial_scale", spatial_scale),
    ];
    site.emit("RoiAlign", &[&x.name, &corners, &images], attributes)
}

/// The sigmoid of all numbers of a box but for its sizes. The params are outputs, too.
pub(super) fn yolo(site: &mut Site<'_>, classes: i32, mask: &[i32], anchors: &[f32]) -> Lowered {
    let [x] = site.take()?;
    fractions(x.dtype, "Sigmoid")?;
    let numbers = i64::from(classes) + 5;
    let channels = x.size(1)?;
    if numbers < 5 {
        return Err(format!("it has {classes} classes"));
    }
    site.reserve(channels)?;
    let is_size = |channel| f64::from(u8::from((2..4).contains(&(channel % numbers))));
    let is_size: Vec<f64> = (0..channels).map(is_size).collect();
    let is_size = site.numbers(DType::Boolean, &is_size, &[channels, 1, 1])?;
    let sigmoid = site.step("Sigmoid", &[&x.name], Vec::new());
    let chosen = site.step("Where", &[&is_size, &x.name, &sigmoid], Vec::new());
    site.finish(&chosen)?;
    let ints = |values: &[i32]| values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let params: [(DataType, Vec<u8>); 3] = [
        (DataType::Int32, ints(&[classes])),
        (DataType::Int32, ints(mask)),
        (DataType::Float, anchors.iter().flat_map(|value| value.to_le_bytes()).collect()),
    ];
    for (output, (dtype, bytes)) in site.outputs.clone().into_iter().skip(1).zip(params) {
        let dims = output.sizes().ok_or("the shape of a param is unknown")?;
        site.builder.named(&output.name, dtype, dims, bytes.into());
    }
    Ok(())
}

/// The params of `prior_box`.
pub(super) struct PriorBox<'a> {
    pub(super) min_size: &'a [f32],
    pub(super) max_size: &'a [f32],
    pub(super) ratios: Vec<f32>,
    pub(super) clip: bool,
    pub(super) variance: Option<&'a [f32]>,
    pub(super) offset: f32,
    /// Height and width, or both in one.
    pub(super) image: (Option<i32>, Option<i32>, Option<i32>),
    pub(super) step: (Option<i32>, Option<i32>, Option<f32>),
}

/// The default boxes of each pixel, and their variances, as a constant.
pub(super) fn prior_box(site: &mut Site<'_>, params: &PriorBox<'_>) -> Lowered {
    let x = site.input(0)?;
    let [height, width] = [x.size(2)?, x.size(3)?];
    let output = site.output()?;
    site.reserve(output.size(2)?.saturating_mul(2))?;
    let priors = Priors::of(site, params, [height, width])?;
    let count = height * width * int(priors.boxes.len());
    let mut numbers: Vec<f32> = Vec::new();
    for row in 0..height {
        for column in 0..width {
            priors.add([row, column], &mut numbers);
        }
    }
    let variances = (0..count).flat_map(|_| priors.variance);
    let bytes = numbers.into_iter().chain(variances).flat_map(f32::to_le_bytes).collect::<Vec<_>>();
    site.builder.named(&output.name, DataType::Float, vec![1, 2, count * 4], bytes.into());
    Ok(())
}

/// What `prior_box` computes with.
struct Priors {
    /// Height and width of each box, in pixels of the image.
    boxes: Vec<[f32; 2]>,
    /// Height and width of the image.
    image: [f64; 2],
    /// Pixels of the image for one of the input.
    step: [f32; 2],
    offset: f32,
    clip: bool,
    variance: [f32; 4],
}

impl Priors {
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "as TenniS")]
    fn of(site: &Site<'_>, params: &PriorBox<'_>, [height, width]: [i64; 2]) -> Lowered<Self> {
        let &PriorBox { min_size, max_size, ref ratios, clip, variance, offset, image, step } =
            params;
        let [image_height, image_width] = match image {
            (Some(height), Some(width), None) => [i64::from(height), i64::from(width)],
            (None, None, Some(size)) => [i64::from(size); 2],
            (None, None, None) => {
                let image = site.input(1)?;
                [image.size(2)?, image.size(3)?]
            }
            _ => return Err("TenniS takes either img_size, or img_h and img_w".into()),
        };
        let step = match step {
            (Some(down), Some(right), None) => [down as f32, right as f32],
            (None, None, Some(step)) => [step; 2],
            (None, None, None) => {
                [image_height as f32 / height as f32, image_width as f32 / width as f32]
            }
            _ => return Err("TenniS takes either step, or step_h and step_w".into()),
        };
        let variance = match variance {
            None | Some([]) => [0.1; 4],
            Some(&[one]) => [one; 4],
            Some(four) => four
                .try_into()
                .map_err(|_| format!("it has {} variances, TenniS takes 1 or 4", four.len()))?,
        };
        if !max_size.is_empty() && max_size.len() != min_size.len() {
            let (most, least) = (max_size.len(), min_size.len());
            return Err(format!("it has {most} sizes max_size, but {least} of min_size"));
        }
        let mut boxes = Vec::new();
        for (at, least) in min_size.iter().enumerate() {
            // TenniS computes with sizes that are integers.
            let least = *least as i32;
            boxes.push([least as f32; 2]);
            if let Some(most) = max_size.get(at) {
                boxes.push([(f64::from(least) * f64::from(*most as i32)).sqrt() as f32; 2]);
            }
            let others = ratios.iter().filter(|&&ratio| (f64::from(ratio) - 1.0).abs() >= 1e-6);
            boxes.extend(
                others.map(|ratio| [least as f32 / ratio.sqrt(), least as f32 * ratio.sqrt()]),
            );
        }
        Ok(Priors {
            boxes,
            image: [image_height as f64, image_width as f64],
            step,
            offset,
            clip,
            variance,
        })
    }

    /// Adds the boxes of a pixel, with two corners each, as parts of the image.
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "as TenniS")]
    fn add(&self, [row, column]: [i64; 2], numbers: &mut Vec<f32>) {
        let ([down, right], [image_height, image_width]) = (self.step, self.image);
        let y = f64::from((row as f32 + self.offset) * down);
        let x = f64::from((column as f32 + self.offset) * right);
        for &[height, width] in &self.boxes {
            let (high, broad) = (f64::from(height) / 2.0, f64::from(width) / 2.0);
            let corners = [
                (x - broad) / image_width,
                (y - high) / image_height,
                (x + broad) / image_width,
                (y + high) / image_height,
            ];
            let corners = corners.map(|corner| corner as f32);
            numbers.extend(corners.map(|at| if self.clip { at.clamp(0.0, 1.0) } else { at }));
        }
    }
}

/// Parts of x around landmarks, which are places between 0 and 1. What is outside of x is 0.
pub(super) fn shape_index_patch(site: &mut Site<'_>) -> Lowered {
    let ([x, places], y) = (site.take()?, site.output()?);
    fractions(x.dtype, "such operator")?;
    let [channels, height, width] = [x.size(1)?, x.size(2)?, x.size(3)?];
    let [rows, landmarks, columns] = [y.size(2)?, y.size(3)?, y.size(4)?];
    if [places.size(2)?, places.size(3)?] != [1, 1] {
        return Err("its landmarks have other dims than 2".into());
    }
    site.reserve(rows.saturating_add(columns))?;
    let picked = product([landmarks, rows, columns]).ok_or("it has too many pixels")?;
    let shape = site.ints(&[0, landmarks, 2]);
    let places = site.step("Reshape", &[&places.name, &shape], Vec::new());
    let pair =
        |site: &mut Site<'_>, [x_of, y_of]: [f64; 2]| site.numbers(x.dtype, &[x_of, y_of], &[2]);
    let last = pair(site, [exact(width - 1), exact(height - 1)])?;
    let half = pair(site, [exact(columns - 1) / 2.0, exact(rows - 1) / 2.0])?;
    let round = site.number(x.dtype, 0.5)?;
    let first = site.step("Mul", &[&places, &last], Vec::new());
    let first = site.step("Sub", &[&first, &half], Vec::new());
    let first = site.step("Add", &[&first, &round], Vec::new());
    let first = site.step("Cast", &[&first], to_type(DType::Int64)?);
    // With a border of zeros, to which all places outside are moved.
    let pads = site.ints(&[0, 0, 1, 1, 0, 0, 1, 1]);
    let bordered = site.step("Pad", &[&x.name, &pads], Vec::new());
    let pixels = site.ints(&[0, channels, -1]);
    let pixels = site.step("Reshape", &[&bordered, &pixels], Vec::new());
    let axis = vec![Attribute::int("axis", 2)];
    let line = |site: &mut Site<'_>, at: i64, length: i64, size: i64, shape: [i64; 4]| {
        let at = site.ints(&[at]);
        let first = site.step("Gather", &[&first, &at], axis.clone());
        let steps: Vec<i64> = (1..=length).collect();
        let steps = site.ints(&steps);
        let line = site.step("Add", &[&first, &steps], Vec::new());
        let (least, most) = (site.int(0), site.int(size + 1));
        let line = site.step("Clip", &[&line, &least, &most], Vec::new());
        let shape = site.ints(&shape);
        site.step("Reshape", &[&line, &shape], Vec::new())
    };
    let column = line(site, 0, columns, width, [0, landmarks, 1, columns]);
    let row = line(site, 1, rows, height, [0, landmarks, rows, 1]);
    let stride = site.int(width + 2);
    let row = site.step("Mul", &[&row, &stride], Vec::new());
    let index = site.step("Add", &[&row, &column], Vec::new());
    let shape = site.ints(&[0, 1, picked]);
    let index = site.step("Reshape", &[&index, &shape], Vec::new());
    let shape = site.ints(&[1, channels, 1]);
    let index = site.step("Expand", &[&index, &shape], Vec::new());
    let picked = site.step("GatherElements", &[&pixels, &index], vec![Attribute::int("axis", 2)]);
    let shape = site.ints(&[0, channels, landmarks, rows, columns]);
    let parts = site.step("Reshape", &[&picked, &shape], Vec::new());
    site.emit("Transpose", &[&parts], vec![Attribute::ints("perm", [0, 1, 3, 2, 4])])
}
