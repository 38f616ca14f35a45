//! Detectors of objects: boxes, whose count depends on what is found.

use fourfold::tsm::DType;

use super::{Failure, Inputs, agree, one, size, unknown, wrong};
use crate::operator::Operator;
use crate::output::{Output, Size};

pub(super) fn outputs(operator: &Operator, inputs: Inputs<'_>) -> Result<Vec<Output>, Failure> {
    match operator {
        Operator::PriorBox { min_size, max_size, aspect_ratio, flip, .. } => {
            let [_, _, height, width] = inputs.dims::<4>(0)?;
            let priors = priors(min_size.len(), max_size.len(), aspect_ratio, *flip);
            let numbers = match (height, width) {
                (Some(height), Some(width)) => {
                    size(i128::from(height) * i128::from(width) * priors * 4)?
                }
                _ => None,
            };
            one(Some(DType::Float32), vec![Some(1), Some(2), numbers])
        }
        Operator::DetectionOutput { num_classes, share_location, .. } => {
            if !matches!(inputs.nodes.len(), 3 | 4) {
                return wrong(format!("the count of inputs is {}", inputs.nodes.len()));
            }
            detections(inputs, *num_classes, *share_location)
        }
        Operator::NonMaxSuppressionV3 { max_output_size, .. } => {
            inputs.exactly(2)?;
            let [boxes, sides] = inputs.dims::<2>(0)?;
            let [scores] = inputs.dims::<1>(1)?;
            if !agree(sides, Some(4)) || !agree(boxes, scores) {
                return wrong("the boxes do not have 4 numbers, or there are more scores or fewer");
            }
            one(Some(DType::Int32), vec![size(*max_output_size)?])
        }
        Operator::Proposal { min_level, max_level, .. } => {
            let levels = i64::from(*max_level) - i64::from(*min_level) + 1;
            let Some(typed) = inputs.nodes.len().checked_sub(3) else {
                return wrong(format!("the count of inputs is {}", inputs.nodes.len()));
            };
            let rois = Output::new(inputs.dtype(typed)?, vec![None, Some(5)]);
            repeated(inputs, rois, levels)
        }
        Operator::RoiAlign { pool_h, pool_w, .. } => {
            inputs.exactly(2)?;
            let dtype = inputs.of_one_dtype(&[0, 1])?;
            let [_, channels, _, _] = inputs.dims::<4>(0)?;
            let rois = inputs.shape(1)?.first().copied().flatten();
            one(dtype, vec![rois, channels, size(*pool_h)?, size(*pool_w)?])
        }
        Operator::Yolo { classes, mask, .. } => {
            inputs.exactly(1)?;
            let x = inputs.dims::<4>(0)?;
            let [_, channels, ..] = x;
            let masks = i64::try_from(mask.len()).unwrap_or(i64::MAX);
            let expected = size(i128::from(masks) * (i128::from(*classes) + 5))?;
            if !agree(channels, expected) {
                let (found, expected) = (channels.unwrap_or(0), expected.unwrap_or(0));
                return wrong(format!("x has {found} channels, expected {expected}"));
            }
            // The params follow, of the shapes that they have.
            let param = |name, dtype| match inputs.node.bubble.tensor(name) {
                Some(tensor) => {
                    Output::new(Some(dtype), tensor.shape().iter().copied().map(Some).collect())
                }
                None => Output::shapeless(Some(dtype)),
            };
            Ok(vec![
                Output::new(inputs.dtype(0)?, x.into()),
                param("classes", DType::Int32),
                param("mask", DType::Int32),
                param("anchors", DType::Float32),
            ])
        }
        Operator::YoloPoster { .. } => {
            let last = inputs.nodes.len().saturating_sub(1);
            let Some(batch) = inputs.shape(last)?.first().copied().flatten() else {
                return unknown("the size of the batch is unknown");
            };
            let boxes = Output::new(Some(DType::Float32), vec![None, Some(6)]);
            repeated(inputs, boxes, batch.into())
        }
        _ => unknown("it detects nothing"),
    }
}

/// Several packed outputs of the same shape.
fn repeated(inputs: Inputs<'_>, output: Output, count: i64) -> Result<Vec<Output>, Failure> {
    match usize::try_from(count) {
        Ok(0) | Err(_) => wrong(format!("it would have {count} outputs")),
        Ok(count) if count > inputs.most_outputs => unknown(format!("it has {count} outputs")),
        Ok(count) => Ok(vec![output; count]),
    }
}

/// How many boxes there are for each pixel.
fn priors(min_sizes: usize, max_sizes: usize, ratios: &[f32], flip: bool) -> i128 {
    let count = |count: usize| i128::try_from(count).unwrap_or(0);
    count(prior_ratios(ratios, flip).len()) * count(min_sizes) + count(max_sizes)
}

/// The ratios of width to height that the boxes of `prior_box` have: 1, and each of `ratios` that is not there yet, with
/// its reciprocal if `flip` says so.
#[must_use]
pub fn prior_ratios(ratios: &[f32], flip: bool) -> Vec<f32> {
    let mut known = vec![1.0f32];
    // Ratios are few; more of them than any model has do not matter.
    for ratio in ratios.iter().take(256) {
        if !known.iter().any(|other| (other - ratio).abs() < 1e-6) {
            known.push(*ratio);
            if flip {
                known.push(1.0 / ratio);
            }
        }
    }
    known
}

/// `detection_output`: locations, confidences and priors have to fit.
fn detections(
    inputs: Inputs<'_>,
    classes: i32,
    share_location: bool,
) -> Result<Vec<Output>, Failure> {
    let size_of = |input: usize, dim: usize| -> Result<Size, Failure> {
        Ok(inputs.shape(input)?.get(dim).copied().flatten())
    };
    let numbers = size_of(2, 2)?.map(|numbers| i64::from(numbers) / 4);
    let locations = if share_location { 1 } else { i64::from(classes) };
    for (input, name, per_prior) in
        [(0, "locations", locations * 4), (1, "confidences", i64::from(classes))]
    {
        if let (Some(priors), Some(found)) = (numbers, size_of(input, 1)?) {
            let expected = i128::from(priors) * i128::from(per_prior);
            if i128::from(found) != expected {
                return wrong(format!("there are {found} {name}, expected {expected}"));
            }
        }
    }
    one(Some(DType::Float32), vec![Some(1), Some(1), None, Some(7)])
}
