//! Random mutations, for systems without libFuzzer.

/// A small random number generator; the same seed has the same mutations.
pub struct Dice(u64);

impl Dice {
    /// Begins with a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Dice(seed)
    }

    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, or 0 if `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.roll() % bound.max(1) as u64).unwrap_or_default()
    }

    fn byte(&mut self) -> u8 {
        const CORNERS: [u8; 16] =
            [0, 1, 2, 3, 4, 8, 12, 16, 20, 25, 26, 0x7f, 0x80, 0x81, 0xc0, 0xff];
        match self.below(2) {
            0 => self.roll().to_le_bytes()[0],
            _ => CORNERS[self.below(CORNERS.len())],
        }
    }

    /// Changes a message a little, perhaps with a piece of another.
    pub fn damage(&mut self, message: &mut Vec<u8>, other: &[u8]) {
        for _ in 0..=self.below(3) {
            let len = message.len();
            let at = self.below(len + 1);
            let end = len.min(at + self.below(9));
            match self.below(9) {
                0 if at < len => message[at] ^= 1 << self.below(8),
                1 | 2 if at < len => message[at] = self.byte(),
                3 => message.truncate(at),
                4 => drop(message.drain(at..end)),
                5 => {
                    let again = message[at..end].to_vec();
                    message.splice(at..at, again);
                }
                6 => {
                    let from = self.below(other.len() + 1);
                    let to = from + self.below(other.len() - from + 1);
                    message.splice(at..end, other[from..to].iter().copied());
                }
                7 if at + 4 <= len => {
                    let number = 1_u32.checked_shl(self.below(33) as u32).unwrap_or(u32::MAX);
                    let bytes = if self.below(2) == 0 {
                        number.to_le_bytes()
                    } else {
                        number.to_be_bytes()
                    };
                    message[at..at + 4].copy_from_slice(&bytes);
                }
                _ => message.insert(at, self.byte()),
            }
        }
    }
}
