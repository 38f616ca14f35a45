//! Random numbers: cheap, and the same for the same seed. Knows nothing of types.

/// SplitMix64.
#[derive(Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) const fn new(seed: u64) -> Self {
        Dice(seed)
    }

    pub(crate) fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.roll() % bound as u64).unwrap()
    }

    pub(crate) fn one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == 0
    }

    pub(crate) fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// Mostly a small one: those are tags, counts and flags.
    pub(crate) fn byte(&mut self) -> u8 {
        match self.below(3) {
            0 => self.roll().to_le_bytes()[0],
            _ => self.one_of(&[0, 1, 2, 3, 4, 5]),
        }
    }

    /// Fewer than `bound` bytes.
    pub(crate) fn bytes(&mut self, bound: usize) -> Vec<u8> {
        (0..self.below(bound)).map(|_| self.byte()).collect()
    }

    /// Changes a document in up to three places, or in none.
    pub(crate) fn damage(&mut self, bytes: &mut Vec<u8>) {
        for _ in 0..self.below(4) {
            let len = bytes.len();
            match self.below(8) {
                // Some formats have values without bytes.
                7 => bytes.clear(),
                0 => bytes.truncate(self.below(len + 1)),
                1 => bytes.push(self.byte()),
                2 => bytes.insert(self.below(len + 1), self.byte()),
                _ if len == 0 => {}
                3 => drop(bytes.remove(self.below(len))),
                4 => {
                    let byte = &mut bytes[self.below(len)];
                    *byte = byte.wrapping_add(self.one_of(&[1, 0xff]));
                }
                _ => bytes[self.below(len)] = self.byte(),
            }
        }
    }
}
