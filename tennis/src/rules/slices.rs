//! Slices: where they begin, and how many elements they have.

use super::{Failure, Inputs, agree, one, position, unknown, wrong};
use crate::operator::Operator;
use crate::output::{Output, Size};
use crate::value::Number;

/// `slice`: a negative size is up to the end.
pub(super) fn slice(
    inputs: Inputs<'_>,
    begin: &[i32],
    sizes: &[i32],
) -> Result<Vec<Output>, Failure> {
    inputs.exactly(1)?;
    let known = |values: &[i32]| values.iter().copied().map(Some).collect::<Vec<_>>();
    sliced(inputs, &known(begin), &known(sizes))
}

pub(super) fn slice_v2(inputs: Inputs<'_>) -> Result<Vec<Output>, Failure> {
    inputs.exactly(3)?;
    sliced(inputs, &clamped(inputs, 1)?, &clamped(inputs, 2)?)
}

/// The values of an input, as slices take them.
fn clamped(inputs: Inputs<'_>, at: usize) -> Result<Vec<Size>, Failure> {
    let values = inputs.numbers(at)?.iter();
    Ok(values.map(|value| value.map(Number::clamped)).collect())
}

fn sliced(inputs: Inputs<'_>, begin: &[Size], sizes: &[Size]) -> Result<Vec<Output>, Failure> {
    let x = inputs.shape(0)?;
    if begin.len() != x.len() || sizes.len() != x.len() {
        let (begin, sizes) = (begin.len(), sizes.len());
        return wrong(format!("there are {begin} offsets and {sizes} sizes for {} dims", x.len()));
    }
    let dims =
        x.iter().zip(begin).zip(sizes).map(|((old, begin), size)| match (*old, *begin, *size) {
            (_, Some(..0), _) => wrong("an offset is negative"),
            (Some(old), Some(begin), _) if begin >= old => {
                wrong(format!("offset {begin} is not in a dim of the size {old}"))
            }
            (Some(old), Some(begin), Some(..0)) => Ok(Some(old - begin)),
            (Some(old), Some(begin), Some(size)) if size > old - begin => {
                wrong(format!("a dim of the size {old} ends before offset {begin} and size {size}"))
            }
            (_, _, Some(size @ 0..)) => Ok(Some(size)),
            _ => Ok(None),
        });
    one(inputs.dtype(0)?, dims.collect::<Result<_, _>>()?)
}

/// One of the items between the brackets of a slice. Unknown numbers are `None`.
#[derive(Clone, Copy)]
struct Item {
    begin: Size,
    end: Size,
    step: Size,
    /// Whether `begin` and `end` are left out.
    from_first: bool,
    to_last: bool,
}

impl Item {
    /// The first position and the count, in a dim of a known size.
    fn range(self, size: i32) -> Result<Option<(i64, i64)>, Failure> {
        let Some(step) = self.step.map(i64::from) else { return Ok(None) };
        let size = i64::from(size);
        if step == 0 {
            return wrong("a step is 0");
        }
        let backward = step < 0;
        let begin = match self.begin.map(i64::from) {
            _ if self.from_first => {
                if backward {
                    size - 1
                } else {
                    0
                }
            }
            None => return Ok(None),
            Some(begin) if !backward && begin >= size || backward && begin < -size => {
                return Ok(Some((0, 0)));
            }
            Some(begin) if !backward && begin < -size => 0,
            Some(begin) if backward && begin >= size => size - 1,
            Some(begin @ ..0) => begin + size,
            Some(begin) => begin,
        };
        let end = match self.end.map(i64::from) {
            _ if self.to_last => {
                if backward {
                    -1
                } else {
                    size
                }
            }
            None => return Ok(None),
            Some(end) if !backward && end <= -size || backward && end > size => {
                return Ok(Some((0, 0)));
            }
            Some(end) if !backward && end > size => size,
            Some(end) if backward && end <= -size => -1,
            Some(end @ ..0) => end + size,
            Some(end) => end,
        };
        let distance = if backward { begin - end } else { end - begin };
        let count = if distance > 0 { (distance - 1) / step.abs() + 1 } else { 0 };
        Ok(Some((begin, count)))
    }

    fn count(self, size: Size) -> Result<Size, Failure> {
        let Some(known) = size else { return Ok(None) };
        self.range(known)?.map_or(Ok(None), |(_, count)| super::size(count))
    }
}

/// A slice with its masks, whose bits are items.
struct Slice {
    items: Vec<Item>,
    ellipsis: i32,
    new_axis: i32,
    shrink_axis: i32,
}

/// Whether the bit of an item is set. There are at most 7 dims, so that few bits matter.
fn has(mask: i32, item: usize) -> bool {
    u32::try_from(item)
        .ok()
        .and_then(|item| mask.checked_shr(item))
        .is_some_and(|mask| mask & 1 == 1)
}

impl Slice {
    fn of(operator: &Operator, inputs: Inputs<'_>) -> Result<Self, Failure> {
        match operator {
            Operator::StridedSlice {
                begin,
                end,
                stride,
                begin_mask,
                end_mask,
                ellipsis_mask,
                new_axis_mask,
                shrink_axis_mask,
            } => {
                inputs.exactly(1)?;
                let steps = stride.clone().unwrap_or_else(|| vec![1; begin.len()]);
                if begin.len() != end.len() || begin.len() != steps.len() || begin.is_empty() {
                    return wrong(
                        "\"begin\", \"end\" and \"stride\" have different lengths, or none",
                    );
                }
                let count = u32::try_from(begin.len()).unwrap_or(u32::MAX);
                if ellipsis_mask.checked_shr(count).is_some_and(|beyond| beyond != 0) {
                    return wrong("\"ellipsis_mask\" has an item that is not in \"begin\"");
                }
                let items = begin.iter().zip(end).zip(steps).enumerate();
                let items = items.map(|(at, ((begin, end), step))| Item {
                    begin: Some(*begin),
                    end: Some(*end),
                    step: Some(step),
                    from_first: has(*begin_mask, at),
                    to_last: has(*end_mask, at),
                });
                Ok(Slice {
                    items: items.collect(),
                    ellipsis: *ellipsis_mask,
                    new_axis: *new_axis_mask,
                    shrink_axis: *shrink_axis_mask,
                })
            }
            _ => Slice::of_inputs(inputs),
        }
    }

    /// `slice_v3`: starts, ends, axes and steps are inputs.
    fn of_inputs(inputs: Inputs<'_>) -> Result<Self, Failure> {
        let dims = inputs.shape(0)?.len();
        let (starts, ends) = (clamped(inputs, 1)?, clamped(inputs, 2)?);
        let axes = match inputs.nodes.len() {
            ..4 => (0..starts.len()).map(Some).collect(),
            _ => {
                let axes = clamped(inputs, 3)?.into_iter().map(|axis| match axis {
                    Some(axis @ ..0) => wrong(format!(
                        "axis {axis} is negative, for which TenniS writes beyond its own lists; \
                         add {dims} to it"
                    )),
                    axis => axis.map(|axis| position(axis, dims)).transpose(),
                });
                axes.collect::<Result<Vec<_>, _>>()?
            }
        };
        let Some(axes) = axes.into_iter().collect::<Option<Vec<usize>>>() else {
            return unknown("the axes are unknown");
        };
        let steps = match inputs.nodes.len() {
            ..5 => vec![Some(1); starts.len()],
            _ => clamped(inputs, 4)?,
        };
        let count = starts.len();
        if count == 0 || [ends.len(), axes.len(), steps.len()].iter().any(|other| *other != count) {
            return wrong("starts, ends, axes and steps have different lengths, or none");
        }
        if axes.iter().zip(axes.iter().skip(1)).any(|(a, b)| a >= b) {
            return wrong("the axes are not in increasing order");
        }
        let whole = Item { begin: None, end: None, step: Some(1), from_first: true, to_last: true };
        let mut items = vec![whole; dims.min(axes.last().map_or(0, |last| last + 1))];
        for (((begin, end), axis), step) in starts.into_iter().zip(ends).zip(&axes).zip(steps) {
            let item = Item { begin, end, step, from_first: false, to_last: false };
            match items.get_mut(*axis) {
                Some(place) => *place = item,
                None => return wrong(format!("there is no dim {axis} in {dims} dims")),
            }
        }
        Ok(Slice { items, ellipsis: 0, new_axis: 0, shrink_axis: 0 })
    }

    fn shape(&self, x: &[Size]) -> Result<Vec<Size>, Failure> {
        let of = |mask: i32| (0..self.items.len()).filter(|at| has(mask, *at)).count();
        let named = self.items.len()
            - (0..self.items.len())
                .filter(|at| has(self.ellipsis, *at) || has(self.new_axis, *at))
                .count();
        let Some(unnamed) = x.len().checked_sub(named) else {
            return wrong(format!("{named} items slice {} dims", x.len()));
        };
        if of(self.ellipsis & self.new_axis) > 0 {
            return wrong("an item is an ellipsis and a new dim");
        }
        if of(self.ellipsis) > 1 {
            return wrong("there is more than one ellipsis");
        }
        let mut dims = x.iter().copied();
        let mut shape = Vec::new();
        for (at, item) in self.items.iter().enumerate() {
            let sliced = if has(self.ellipsis, at) {
                // TenniS leaves a dim where an ellipsis has none.
                if unnamed > 0 {
                    shape.extend(dims.by_ref().take(unnamed));
                    continue;
                }
                Some(1)
            } else if has(self.new_axis, at) {
                item.count(Some(1))?
            } else {
                item.count(dims.next().flatten())?
            };
            if !has(self.shrink_axis, at) {
                shape.push(sliced);
            } else if !agree(sliced, Some(1)) {
                let size = sliced.unwrap_or(0);
                return wrong(format!(
                    "item {at} has {size} elements, and its dim cannot be removed"
                ));
            }
        }
        shape.extend(dims);
        Ok(shape)
    }
}

/// `strided_slice` and `slice_v3`.
pub(super) fn strided(operator: &Operator, inputs: Inputs<'_>) -> Result<Vec<Output>, Failure> {
    let slice = Slice::of(operator, inputs)?;
    one(inputs.dtype(0)?, slice.shape(inputs.shape(0)?)?)
}

/// The positions that a slice of one dim takes, of so many.
pub(crate) fn positions(
    operator: &Operator,
    inputs: Inputs<'_>,
    count: usize,
) -> Option<Vec<usize>> {
    let size = i32::try_from(count).ok()?;
    let (begin, step, taken) = match operator {
        Operator::Slice { .. } | Operator::SliceV2 => {
            let begin = match operator {
                Operator::Slice { begin, .. } => *begin.first()?,
                _ => (*clamped(inputs, 1).ok()?.first()?)?,
            };
            let [output] = &super::outputs(operator, inputs).ok()?[..] else { return None };
            (i64::from(begin), 1, i64::try_from(output.count()?).ok()?)
        }
        _ => {
            let slice = Slice::of(operator, inputs).ok()?;
            let [item] = &slice.items[..] else { return None };
            if slice.ellipsis | slice.new_axis != 0 {
                return None;
            }
            let (begin, taken) = item.range(size).ok()??;
            (begin, i64::from(item.step?), taken)
        }
    };
    let positions =
        (0..taken.min(i64::from(size))).map(|at| usize::try_from(begin + at * step).ok());
    positions.collect()
}
