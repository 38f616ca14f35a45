//! Floats of at most 8 bits. Those of less than a byte are packed: the first element has the lowest bits, as in
//! PyTorch and ONNX.

/// A type of floats, named after its bits of exponent and mantissa. `Fn`: finite, but for NaN; `Uz`: no negative zero;
/// `Fnu`: unsigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Small {
    E2M1Fn,
    E2M3Fn,
    E3M2Fn,
    E5M2,
    E5M2Fnuz,
    E4M3Fn,
    E4M3Fnuz,
    E8M0Fnu,
}

/// The bias of the exponents of 32-bit floats, and the number of bits after the exponent.
const BIAS: u32 = 127;
const MANTISSA: u32 = 23;

impl Small {
    pub const ALL: [Small; 8] = [
        Small::E2M1Fn,
        Small::E2M3Fn,
        Small::E3M2Fn,
        Small::E5M2,
        Small::E5M2Fnuz,
        Small::E4M3Fn,
        Small::E4M3Fnuz,
        Small::E8M0Fnu,
    ];

    /// The name in NumPy's extension `ml_dtypes`.
    pub const fn name(self) -> &'static str {
        match self {
            Small::E2M1Fn => "float4_e2m1fn",
            Small::E2M3Fn => "float6_e2m3fn",
            Small::E3M2Fn => "float6_e3m2fn",
            Small::E5M2 => "float8_e5m2",
            Small::E5M2Fnuz => "float8_e5m2fnuz",
            Small::E4M3Fn => "float8_e4m3fn",
            Small::E4M3Fnuz => "float8_e4m3fnuz",
            Small::E8M0Fnu => "float8_e8m0fnu",
        }
    }

    pub const fn bits(self) -> usize {
        match self {
            Small::E2M1Fn => 4,
            Small::E2M3Fn | Small::E3M2Fn => 6,
            _ => 8,
        }
    }

    /// The numbers of bits of exponent and mantissa, and the bias.
    const fn layout(self) -> (u32, u32, u32) {
        match self {
            Small::E2M1Fn => (2, 1, 1),
            Small::E2M3Fn => (2, 3, 1),
            Small::E3M2Fn => (3, 2, 3),
            Small::E5M2 => (5, 2, 15),
            Small::E5M2Fnuz => (5, 2, 16),
            Small::E4M3Fn => (4, 3, 7),
            Small::E4M3Fnuz => (4, 3, 8),
            Small::E8M0Fnu => (8, 0, 127),
        }
    }

    /// The bits of 1.0.
    pub(super) const fn one(self) -> u32 {
        let (_, mantissa, bias) = self.layout();
        bias << mantissa
    }

    pub const fn is_signed(self) -> bool {
        !matches!(self, Small::E8M0Fnu)
    }

    /// Whether there is a negative zero.
    pub const fn has_negative_zero(self) -> bool {
        !matches!(self, Small::E5M2Fnuz | Small::E4M3Fnuz | Small::E8M0Fnu)
    }

    /// The bits of the NaN that conversions to this type make, if it has one.
    pub const fn nan(self) -> Option<u8> {
        match self {
            Small::E2M1Fn | Small::E2M3Fn | Small::E3M2Fn => None,
            Small::E5M2 => Some(0x7e),
            Small::E4M3Fn => Some(0x7f),
            Small::E5M2Fnuz | Small::E4M3Fnuz => Some(0x80),
            Small::E8M0Fnu => Some(0xff),
        }
    }

    /// The number of these bits.
    pub fn value(self, bits: u8) -> f32 {
        let magnitude = if self.is_signed() { bits & 0x7f } else { bits };
        match self {
            Small::E5M2 if magnitude > 0x7c => return f32::NAN,
            Small::E5M2 if magnitude == 0x7c => return sign(bits) * f32::INFINITY,
            Small::E4M3Fn if magnitude == 0x7f => return f32::NAN,
            Small::E5M2Fnuz | Small::E4M3Fnuz | Small::E8M0Fnu if Some(bits) == self.nan() => {
                return f32::NAN;
            }
            // 2 to the power of -127, which has no implicit bit in 32 bits.
            Small::E8M0Fnu if bits == 0 => return f32::from_bits(1 << (MANTISSA - 1)),
            _ => {}
        }
        let (exponent_bits, mantissa_bits, bias) = self.layout();
        let bits = u32::from(bits);
        let exponent = (bits >> mantissa_bits) & ((1 << exponent_bits) - 1);
        // The implicit bit is missing in the smallest numbers.
        let implicit = u32::from(exponent > 0 || mantissa_bits == 0);
        let digits = bits & ((1 << mantissa_bits) - 1) | implicit << mantissa_bits;
        // The value of the last digit is a power of two.
        let last = BIAS + exponent.max(1) - bias - mantissa_bits;
        #[expect(clippy::cast_precision_loss, reason = "it has at most 4 digits")]
        let magnitude = f32::from_bits(last << MANTISSA) * digits as f32;
        let negative = self.is_signed() && bits >> (exponent_bits + mantissa_bits) & 1 == 1;
        if negative { -magnitude } else { magnitude }
    }

    /// The number of elements in these bytes.
    pub const fn count(self, bytes: &[u8]) -> usize {
        let (len, bits) = (bytes.len(), self.bits());
        // Divided first, so that the number of bits does not overflow.
        len / bits * 8 + len % bits * 8 / bits
    }

    /// The bits of the element at that position.
    pub fn bits_at(self, bytes: &[u8], position: usize) -> Option<u8> {
        if position >= self.count(bytes) {
            return None;
        }
        let bits = self.bits();
        // Eight elements take as many bytes as one has bits.
        let (start, bit) = (position / 8 * bits, position % 8 * bits);
        let low = *bytes.get(start + bit / 8)?;
        let high = bytes.get(start + bit / 8 + 1).copied().unwrap_or(0);
        let pair = u16::from_le_bytes([low, high]) >> (bit % 8);
        let [only, _] = pair.to_le_bytes();
        Some(only & (0xff >> (8 - bits)))
    }

    /// The bits of all elements.
    pub fn each(self, bytes: &[u8]) -> impl Iterator<Item = u8> + '_ {
        (0..self.count(bytes)).filter_map(move |position| self.bits_at(bytes, position))
    }
}

fn sign(bits: u8) -> f32 {
    if bits & 0x80 == 0 { 1.0 } else { -1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest number, the smallest one above zero, and 1.
    #[test]
    fn extremes_are_those_of_the_specifications() {
        for (small, largest, least, one) in [
            (Small::E2M1Fn, (0x7, 6.0), (0x1, 0.5), 0x2),
            (Small::E2M3Fn, (0x1f, 7.5), (0x1, 0.125), 0x8),
            (Small::E3M2Fn, (0x1f, 28.0), (0x1, 0.0625), 0xc),
            (Small::E5M2, (0x7b, 57344.0), (0x1, 2f32.powi(-16)), 0x3c),
            (Small::E5M2Fnuz, (0x7f, 57344.0), (0x1, 2f32.powi(-17)), 0x40),
            (Small::E4M3Fn, (0x7e, 448.0), (0x1, 2f32.powi(-9)), 0x38),
            (Small::E4M3Fnuz, (0x7f, 240.0), (0x1, 2f32.powi(-10)), 0x40),
            (Small::E8M0Fnu, (0xfe, 2f32.powi(127)), (0x0, 2f32.powi(-127)), 0x7f),
        ] {
            for (bits, value) in [largest, least, (one, 1.0)] {
                assert_eq!(small.value(bits), value, "{small:?} {bits:#x}");
                if small.is_signed() {
                    let sign = 1u8 << (small.bits() - 1);
                    assert_eq!(small.value(bits | sign), -value, "{small:?} {bits:#x}");
                }
            }
        }
    }

    /// Bits in the order of their magnitude are numbers in that order, so that none is missing between the extremes.
    #[test]
    fn numbers_grow_with_their_bits() {
        for small in Small::ALL {
            let most = if small.is_signed() { 1u16 << (small.bits() - 1) } else { 256 };
            let bits = 0..u8::try_from(most - 1).unwrap();
            let values: Vec<f32> = bits.map(|bits| small.value(bits)).collect();
            let finite: Vec<f32> =
                values.iter().copied().filter(|value| value.is_finite()).collect();
            assert!(finite.is_sorted_by(|one, next| one < next), "{small:?} {finite:?}");
            let others = values.len() - finite.len();
            assert_eq!(others, if small == Small::E5M2 { 3 } else { 0 }, "{small:?}");
        }
    }

    #[test]
    fn special_values_have_their_bits() {
        let nans = |small: Small| {
            let all = (0..=0xff).filter(|bits| small.bits() == 8 || *bits >> small.bits() == 0);
            all.filter(|bits| small.value(*bits).is_nan()).collect::<Vec<u8>>()
        };
        for small in [Small::E2M1Fn, Small::E2M3Fn, Small::E3M2Fn] {
            assert!(nans(small).is_empty());
        }
        assert_eq!(nans(Small::E5M2), [0x7d, 0x7e, 0x7f, 0xfd, 0xfe, 0xff]);
        assert_eq!(nans(Small::E4M3Fn), [0x7f, 0xff]);
        assert_eq!(nans(Small::E5M2Fnuz), [0x80]);
        assert_eq!(nans(Small::E4M3Fnuz), [0x80]);
        assert_eq!(nans(Small::E8M0Fnu), [0xff]);
        assert_eq!(Small::E5M2.value(0x7c), f32::INFINITY);
        assert_eq!(Small::E5M2.value(0xfc), f32::NEG_INFINITY);
        for small in Small::ALL.into_iter().filter(|small| small.has_negative_zero()) {
            let zero = small.value(1 << (small.bits() - 1));
            assert!(zero == 0.0 && zero.is_sign_negative(), "{small:?}");
        }
    }

    #[test]
    fn less_than_a_byte_begins_with_the_lowest_bits() {
        let all: Vec<u8> = Small::E2M1Fn.each(&[0x21, 0x43]).collect();
        assert_eq!(all, [1, 2, 3, 4]);
        // 1, 2, 3 and 60, six bits each.
        let word = (1u32 | 2 << 6 | 3 << 12 | 60 << 18).to_le_bytes();
        let all: Vec<u8> = Small::E3M2Fn.each(&word[..3]).collect();
        assert_eq!(all, [1, 2, 3, 60]);
        assert_eq!(Small::E2M3Fn.bits_at(&[0xff; 6], 7), Some(0x3f));
        assert_eq!(Small::E2M3Fn.bits_at(&[0xff; 6], 8), None);
    }
}
