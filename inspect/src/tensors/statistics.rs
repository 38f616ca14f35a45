//! Statistics of a tensor's numbers. They are added piece by piece, so a tensor need not be in memory.

use serde::Serialize;

use super::DType;

/// Number of bars of a histogram.
pub const BARS: usize = 64;

/// The statistics of a tensor's numbers.
#[derive(Clone, Debug, Serialize)]
pub struct Statistics {
    /// The number of numbers; a complex number counts as two.
    pub count: u64,
    pub nan: u64,
    pub positive_infinity: u64,
    pub negative_infinity: u64,
    pub zero: u64,
    /// Of the finite numbers.
    pub min: Option<f64>,
    pub max: Option<f64>,
    pub mean: Option<f64>,
    /// The standard deviation of the population, not of a sample.
    pub deviation: Option<f64>,
}

/// The count of finite numbers in equal intervals of their range.
#[derive(Clone, Debug, Serialize)]
pub struct Histogram {
    pub min: f64,
    pub max: f64,
    pub counts: Vec<u64>,
}

/// Statistics in progress.
#[derive(Clone, Debug)]
pub struct Summing {
    dtype: DType,
    statistics: Statistics,
    finite: f64,
    mean: f64,
    /// The sum of the squared differences to the mean.
    squares: f64,
}

impl Summing {
    /// For elements of that type; `None` if they are not numbers.
    pub fn new(dtype: DType) -> Option<Self> {
        let statistics = Statistics {
            count: 0,
            nan: 0,
            positive_infinity: 0,
            negative_infinity: 0,
            zero: 0,
            min: None,
            max: None,
            mean: None,
            deviation: None,
        };
        let summing = Summing { dtype, statistics, finite: 0.0, mean: 0.0, squares: 0.0 };
        are_numbers(dtype).then_some(summing)
    }

    /// Adds bytes, which are whole elements.
    pub fn add(&mut self, bytes: &[u8]) {
        let found = &mut self.statistics;
        let (mut min, mut max) =
            (found.min.unwrap_or(f64::INFINITY), found.max.unwrap_or(f64::NEG_INFINITY));
        // Sums of differences stay small if the numbers are far from zero.
        let mut shift = (self.finite > 0.0).then_some(self.mean);
        let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
        each(self.dtype, bytes, |number| {
            found.count += 1;
            if number.is_finite() {
                min = min.min(number);
                max = max.max(number);
                found.zero += u64::from(number == 0.0);
                count += 1.0;
                let far = number - *shift.get_or_insert(number);
                sum += far;
                squares += far * far;
            } else if number.is_nan() {
                found.nan += 1;
            } else if number > 0.0 {
                found.positive_infinity += 1;
            } else {
                found.negative_infinity += 1;
            }
        });
        if let Some(shift) = shift.filter(|_| count > 0.0) {
            (found.min, found.max) = (Some(min), Some(max));
            // The parallel form of Welford's method.
            let (all, mean) = (self.finite + count, shift + sum / count);
            let step = if self.finite > 0.0 { mean - self.mean } else { 0.0 };
            self.squares += squares - sum * sum / count + step * step * self.finite * count / all;
            self.mean = if self.finite > 0.0 { self.mean + step * count / all } else { mean };
            self.finite = all;
        }
    }

    pub fn finish(self) -> Statistics {
        let mut found = self.statistics;
        if self.finite > 0.0 {
            found.mean = Some(self.mean).filter(|mean| mean.is_finite());
            let deviation = (self.squares.max(0.0) / self.finite).sqrt();
            found.deviation = Some(deviation).filter(|deviation| deviation.is_finite());
        }
        found
    }
}

/// A histogram in progress.
#[derive(Clone, Debug)]
pub struct Counting {
    dtype: DType,
    histogram: Histogram,
}

impl Counting {
    /// For elements of that type and their statistics; `None` if no number is finite.
    pub fn new(dtype: DType, statistics: &Statistics) -> Option<Self> {
        let (min, max) = (statistics.min?, statistics.max?);
        let histogram = Histogram { min, max, counts: vec![0; BARS] };
        are_numbers(dtype).then_some(Counting { dtype, histogram })
    }

    /// Adds bytes, which are whole elements.
    pub fn add(&mut self, bytes: &[u8]) {
        let Histogram { min, max, counts } = &mut self.histogram;
        // Halved, so that the range of the widest numbers is finite.
        let (low, width) = (*min / 2.0, *max / 2.0 - *min / 2.0);
        #[expect(clippy::cast_precision_loss, reason = "there are few bars")]
        let bars = BARS as f64;
        each(self.dtype, bytes, |number| {
            if number.is_finite() {
                let place = if width > 0.0 { (number / 2.0 - low) / width * bars } else { 0.0 };
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "it is between 0 and the number of bars, and casts saturate"
                )]
                let bar = (place as usize).min(BARS - 1);
                if let Some(count) = counts.get_mut(bar) {
                    *count += 1;
                }
            }
        });
    }

    pub fn finish(self) -> Histogram {
        self.histogram
    }
}

/// Whether elements of that type are numbers.
const fn are_numbers(dtype: DType) -> bool {
    !matches!(dtype, DType::Tsm(_))
}

/// Calls `take` with the numbers of elements; complex ones are two.
fn each(dtype: DType, bytes: &[u8], mut take: impl FnMut(f64)) {
    macro_rules! each {
        ($type:ty, $bytes:ident => $number:expr) => {
            for chunk in bytes.chunks_exact(size_of::<$type>()) {
                if let Some($bytes) = chunk.first_chunk().copied() {
                    take($number);
                }
            }
        };
    }
    match dtype {
        DType::I8 => each!(i8, it => i8::from_le_bytes(it).into()),
        DType::U8 | DType::Bool => each!(u8, it => u8::from_le_bytes(it).into()),
        DType::I16 => each!(i16, it => i16::from_le_bytes(it).into()),
        DType::U16 => each!(u16, it => u16::from_le_bytes(it).into()),
        DType::I32 => each!(i32, it => i32::from_le_bytes(it).into()),
        DType::U32 => each!(u32, it => u32::from_le_bytes(it).into()),
        DType::I64 => each!(i64, it => near(i64::from_le_bytes(it).into())),
        DType::U64 => each!(u64, it => near(u64::from_le_bytes(it).into())),
        DType::F16 => each!(half::f16, it => half::f16::from_le_bytes(it).into()),
        DType::Bf16 => each!(half::bf16, it => half::bf16::from_le_bytes(it).into()),
        DType::F32 | DType::C64 => each!(f32, it => f32::from_le_bytes(it).into()),
        DType::F64 | DType::C128 => each!(f64, it => f64::from_le_bytes(it)),
        DType::Small(small) => {
            small.each(bytes).for_each(|bits| take(small.value(bits).into()));
        }
        DType::Tsm(_) => {}
    }
}

/// The float that is nearest to an integer.
#[expect(clippy::cast_precision_loss, reason = "statistics need no more digits")]
const fn near(number: i128) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensors::Small;

    fn sum_up(dtype: DType, pieces: &[Vec<u8>]) -> (Statistics, Option<Histogram>) {
        let mut summing = Summing::new(dtype).unwrap();
        pieces.iter().for_each(|piece| summing.add(piece));
        let statistics = summing.finish();
        let counting = Counting::new(dtype, &statistics);
        let histogram = counting.map(|mut counting| {
            pieces.iter().for_each(|piece| counting.add(piece));
            counting.finish()
        });
        (statistics, histogram)
    }

    fn floats(numbers: &[f32]) -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    #[test]
    fn numbers_are_summed_up_by_pieces() {
        let (one, two) = (floats(&[1.0, 2.0, f32::NAN]), floats(&[3.0, 6.0, f32::INFINITY, 0.0]));
        let (found, histogram) = sum_up(DType::F32, &[one.clone(), two.clone()]);
        let (whole, _) = sum_up(DType::F32, &[[one, two].concat()]);
        assert_eq!((found.count, found.nan, found.positive_infinity, found.zero), (7, 1, 1, 1));
        assert_eq!((found.min, found.max, found.mean), (Some(0.0), Some(6.0), Some(2.4)));
        // The squares of 2.4, 1.4, 0.4, 0.6 and 3.6 add up to 21.2.
        let deviation = (21.2f64 / 5.0).sqrt();
        for found in [&found, &whole] {
            assert!((found.deviation.unwrap() - deviation).abs() < 1e-12);
        }
        let counts = histogram.unwrap().counts;
        assert_eq!(counts.iter().sum::<u64>(), 5);
        assert_eq!((counts[0], counts[BARS - 1]), (1, 1));
    }

    #[test]
    fn numbers_far_from_zero_keep_their_deviation() {
        let pieces: Vec<Vec<u8>> =
            (0..100).map(|at: i32| (1_000_000_000 + at % 2).to_le_bytes().to_vec()).collect();
        let (found, _) = sum_up(DType::I32, &pieces);
        assert_eq!(found.mean, Some(1_000_000_000.5));
        assert!((found.deviation.unwrap() - 0.5).abs() < 1e-6);
    }

    #[test]
    fn extremes_have_a_histogram() {
        let bytes: Vec<u8> =
            [f64::MIN, 0.0, f64::MAX].iter().flat_map(|it| it.to_le_bytes()).collect();
        let (found, histogram) = sum_up(DType::F64, &[bytes]);
        assert_eq!((found.min, found.max), (Some(f64::MIN), Some(f64::MAX)));
        let counts = histogram.unwrap().counts;
        assert_eq!((counts[0], counts[BARS / 2], counts[BARS - 1]), (1, 1, 1));
        // All equal, or none finite.
        let (_, histogram) = sum_up(DType::U8, &[vec![7; 10]]);
        assert_eq!(histogram.unwrap().counts[0], 10);
        let (found, histogram) = sum_up(DType::F32, &[floats(&[f32::NAN])]);
        assert!(found.mean.is_none() && histogram.is_none());
    }

    #[test]
    fn halves_are_numbers() {
        let bytes: Vec<u8> =
            [1.5f32, -2.0].iter().flat_map(|it| half::f16::from_f32(*it).to_le_bytes()).collect();
        assert_eq!(sum_up(DType::F16, &[bytes]).0.min, Some(-2.0));
        let bytes = half::bf16::from_f32(3.0).to_le_bytes().to_vec();
        assert_eq!(sum_up(DType::Bf16, &[bytes]).0.max, Some(3.0));
    }

    #[test]
    fn small_floats_are_numbers() {
        let (found, _) = sum_up(DType::Small(Small::E4M3Fn), &[vec![0x3c, 0x7f, 0xff, 0xb8]]);
        assert_eq!((found.count, found.nan), (4, 2));
        assert_eq!((found.min, found.max), (Some(-1.0), Some(1.5)));
        // 0.5, 6, -0.5 and 0, four bits each.
        let (found, _) = sum_up(DType::Small(Small::E2M1Fn), &[vec![0x71], vec![0x09]]);
        assert_eq!((found.count, found.zero), (4, 1));
        assert_eq!((found.min, found.max, found.mean), (Some(-0.5), Some(6.0), Some(1.5)));
    }
}
