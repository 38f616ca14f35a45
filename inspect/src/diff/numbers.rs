//! Compares the elements of two tensors.

use std::fmt;

use serde_json::{Map, Value, json};

use crate::model::{Kind, kind};
use crate::tensors::{Order, Tensor, index_of};

/// Equal blocks of this many bytes are skipped at once. Elements of any size, also of 6 bits, fill them.
const BLOCK: usize = 3 << 12;

/// A summary of the elements that differ.
#[derive(Clone, Debug)]
pub struct Apart {
    /// Number of elements that differ.
    differing: usize,
    /// Number of elements.
    count: usize,
    /// Number of elements that are NaN in one tensor only.
    nan: usize,
    largest: Option<Distance>,
    /// The largest distance in units in the last place, if the elements are floats.
    ulp: Option<u64>,
    /// The index of the first difference; then both numbers.
    first: Vec<usize>,
    old: String,
    new: String,
}

/// The largest absolute difference.
#[derive(Clone, Copy, Debug)]
enum Distance {
    Float(f64),
    Integer(u128),
}

impl Distance {
    #[allow(clippy::cast_precision_loss, reason = "only ever compared with a tolerance")]
    fn as_f64(self) -> f64 {
        match self {
            Distance::Float(distance) => distance,
            Distance::Integer(distance) => distance as f64,
        }
    }
}

impl fmt::Display for Distance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Distance::Float(distance) => write!(f, "{distance:?}"),
            Distance::Integer(distance) => write!(f, "{distance}"),
        }
    }
}

/// A number: an element, or half of a complex one.
#[derive(Clone, Copy)]
struct Number {
    kind: Kind,
    bits: u128,
}

impl Number {
    fn new(kind: Kind, bytes: &[u8]) -> Self {
        let bits = bytes.iter().rev().fold(0, |bits, byte| bits << 8 | u128::from(*byte));
        Number { kind, bits }
    }

    /// The number at that position of a block.
    fn at(kind: Kind, bytes: &[u8], position: usize) -> Option<Self> {
        kind.at(bytes, position, &mut [0]).map(|bytes| Number::new(kind, bytes))
    }

    /// The value, if it is a float.
    fn as_float(self) -> Option<f64> {
        self.kind.float(&self.bits.to_le_bytes())
    }

    fn sign_bit(self) -> u128 {
        match self.kind {
            Kind::Small(small) if !small.is_signed() => 0,
            kind => {
                let width = u32::try_from(kind.bits()).unwrap_or(0);
                1u128.checked_shl(width.wrapping_sub(1)).unwrap_or(0)
            }
        }
    }

    /// The sign, and a magnitude that grows by 1 from each float to the next. For an integer, its absolute value.
    fn rank(self) -> (bool, u128) {
        let negative = self.bits & self.sign_bit() != 0;
        match (self.kind, negative) {
            (Kind::Signed(_), true) => (true, self.sign_bit() * 2 - self.bits),
            _ if negative && self.as_float().is_some() => {
                let has_zero =
                    !matches!(self.kind, Kind::Small(small) if !small.has_negative_zero());
                // Below 0.0, which has rank 0, is -0.0.
                (true, (self.bits ^ self.sign_bit()) + u128::from(has_zero))
            }
            _ => (false, self.bits),
        }
    }

    /// The distance of two ranks.
    fn steps(self, other: Number) -> u128 {
        let ((negative, rank), (other_negative, other_rank)) = (self.rank(), other.rank());
        match negative == other_negative {
            true => rank.abs_diff(other_rank),
            false => rank.saturating_add(other_rank),
        }
    }

    fn distance(self, other: Number) -> Option<Distance> {
        match (self.as_float(), other.as_float()) {
            (Some(one), Some(two)) => Some(Distance::Float((one - two).abs())),
            _ if matches!(self.kind, Kind::Raw(_)) => None,
            _ => Some(Distance::Integer(self.steps(other))),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (negative, rank) = self.rank();
        match (self.kind, self.as_float()) {
            (Kind::Float32, _) => {
                write!(f, "{:?}", f32::from_bits(u32::try_from(self.bits).unwrap_or_default()))
            }
            (_, Some(value)) => write!(f, "{value:?}"),
            (Kind::Raw(_), _) => write!(f, "{:#x}", self.bits),
            _ if negative => write!(f, "-{rank}"),
            _ => write!(f, "{rank}"),
        }
    }
}

/// The difference of two numbers; `None` if they count as equal.
fn differs(one: Number, two: Number, tolerance: Option<f64>) -> Option<Step> {
    if one.bits == two.bits {
        return None;
    }
    let nans = [one, two].map(|number| number.as_float().is_some_and(f64::is_nan));
    match nans {
        [true, true] => None,
        [false, false] => {
            let distance = one.distance(two);
            let within =
                distance.zip(tolerance).is_some_and(|(distance, most)| distance.as_f64() <= most);
            (!within).then_some(Step::Far(distance))
        }
        _ => Some(Step::OneIsNan),
    }
}

/// How two numbers differ.
enum Step {
    OneIsNan,
    Far(Option<Distance>),
}

/// Whether two floats count as equal.
pub(super) fn are_same(old: f64, new: f64, tolerance: Option<f64>) -> bool {
    let number = |value: f64| Number::new(Kind::Float64, &value.to_le_bytes());
    differs(number(old), number(new), tolerance).is_none()
}

/// Compares the elements of two tensors of the same type and shape.
pub(super) fn compare(old: &Tensor<'_>, new: &Tensor<'_>, tolerance: Option<f64>) -> Option<Apart> {
    // Both in one order: that of the first, if the shapes are equal.
    let order = if old.shape == new.shape { old.order } else { Order::RowMajor };
    let (old_bytes, new_bytes) = (old.in_order(order), new.in_order(order));
    if old_bytes == new_bytes {
        return None;
    }
    let kind = kind(old.dtype).of_numbers();
    // Complex elements have two numbers.
    let lanes = (old.dtype.bits() / kind.bits().max(1)).max(1);
    let mut apart = Apart {
        differing: 0,
        count: kind.count(&old_bytes) / lanes,
        nan: 0,
        largest: None,
        ulp: None,
        first: Vec::new(),
        old: String::new(),
        new: String::new(),
    };
    let per_block = kind.count(old_bytes.chunks(BLOCK).next().unwrap_or_default()) / lanes;
    let blocks = old_bytes.chunks(BLOCK).zip(new_bytes.chunks(BLOCK)).enumerate();
    for (block, (old_block, new_block)) in blocks.filter(|(_, (one, two))| one != two) {
        for at in 0..kind.count(old_block) / lanes {
            let mut other = false;
            for lane in at * lanes..(at + 1) * lanes {
                let numbers = [old_block, new_block].map(|bytes| Number::at(kind, bytes, lane));
                let [Some(one), Some(two)] = numbers else { continue };
                let Some(step) = differs(one, two, tolerance) else { continue };
                if apart.differing == 0 && !other {
                    apart.first = place(block * per_block + at, old, order);
                    (apart.old, apart.new) = (one.to_string(), two.to_string());
                }
                other = true;
                apart.add(one, two, &step);
            }
            apart.differing += usize::from(other);
        }
    }
    (apart.differing > 0).then_some(apart)
}

/// The index of an element.
fn place(at: usize, tensor: &Tensor<'_>, order: Order) -> Vec<usize> {
    match order {
        Order::RowMajor => index_of(at, &tensor.shape),
        Order::ColumnMajor => {
            let reversed: Vec<usize> = tensor.shape.iter().rev().copied().collect();
            let mut index = index_of(at, &reversed);
            index.reverse();
            index
        }
    }
}

impl Apart {
    fn add(&mut self, one: Number, two: Number, step: &Step) {
        match step {
            Step::OneIsNan => self.nan += 1,
            Step::Far(distance) => {
                let larger = |old: &Distance, new: &Distance| match (old, new) {
                    (Distance::Integer(old), Distance::Integer(new)) => new > old,
                    _ => new.as_f64() > old.as_f64(),
                };
                self.largest = match (self.largest, *distance) {
                    (Some(old), Some(new)) if !larger(&old, &new) => Some(old),
                    (old, new) => new.or(old),
                };
                if one.as_float().is_some() {
                    let steps = u64::try_from(one.steps(two)).unwrap_or(u64::MAX);
                    self.ulp = self.ulp.max(Some(steps));
                }
            }
        }
    }

    /// Swaps old and new.
    pub fn reversed(mut self) -> Self {
        std::mem::swap(&mut self.old, &mut self.new);
        self
    }

    pub fn to_json(&self) -> Map<String, Value> {
        let mut object = Map::new();
        object.insert("differing".into(), json!(self.differing));
        object.insert("count".into(), json!(self.count));
        if self.nan > 0 {
            object.insert("one_is_nan".into(), json!(self.nan));
        }
        if let Some(distance) = self.largest {
            let number = match distance {
                // JSON has no infinity.
                Distance::Float(distance) if !distance.is_finite() => json!(distance.to_string()),
                Distance::Float(distance) => json!(distance),
                Distance::Integer(distance) => json!(distance),
            };
            object.insert("max_abs".into(), number);
        }
        object.extend(self.ulp.map(|ulp| ("max_ulp".to_owned(), json!(ulp))));
        object.insert("first".into(), json!(self.first));
        object.insert("old".into(), json!(self.old));
        object.insert("new".into(), json!(self.new));
        object
    }
}

/// `3 of 6 elements differ, max abs 0.5, max ulp 4194304, first at [0, 1]: 1.0 → 1.5`.
impl fmt::Display for Apart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} elements differ", self.differing, self.count)?;
        if self.nan > 0 {
            write!(f, ", {} where one is NaN", self.nan)?;
        }
        if let Some(distance) = self.largest {
            write!(f, ", max abs {distance}")?;
        }
        if let Some(ulp) = self.ulp {
            write!(f, ", max ulp {ulp}")?;
        }
        write!(f, ", first at {:?}: {} → {}", self.first, self.old, self.new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn single(value: f32) -> Number {
        Number::new(Kind::Float32, &value.to_le_bytes())
    }

    #[test]
    fn steps_between_floats_are_ulps() {
        assert_eq!(single(1.0).steps(single(1.0 + f32::EPSILON)), 1);
        assert_eq!(single(0.0).steps(single(-0.0)), 1);
        assert_eq!(single(f32::from_bits(1)).steps(single(-f32::from_bits(1))), 3);
        assert_eq!(single(f32::MAX).steps(single(f32::INFINITY)), 1);
        assert_eq!(single(1.0).steps(single(1.5)), 1 << 22);
    }

    #[test]
    fn distances_of_integers_are_exact() {
        let number = |value: i64| Number::new(Kind::Signed(8), &value.to_le_bytes());
        assert_eq!(number(i64::MIN).steps(number(i64::MAX)), u128::from(u64::MAX));
        assert_eq!(number(-1).steps(number(1)), 2);
        assert_eq!(number(i64::MIN).to_string(), "-9223372036854775808");
    }

    #[test]
    fn nan_differs_from_numbers_only() {
        let (one, two) = (single(f32::NAN), single(f32::from_bits(0x7fc0_0001)));
        assert!(differs(one, two, None).is_none());
        assert!(matches!(differs(one, single(1.0), Some(9.0)), Some(Step::OneIsNan)));
        assert!(differs(single(1.0), single(1.5), Some(0.5)).is_none());
        assert!(differs(single(1.0), single(1.75), Some(0.5)).is_some());
        assert!(differs(single(0.0), single(-0.0), None).is_some());
        assert!(differs(single(0.0), single(-0.0), Some(0.0)).is_none());
    }
}
