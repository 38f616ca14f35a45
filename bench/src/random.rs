//! Pseudorandom numbers, the same in every run.

/// A SplitMix64 generator.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Random(seed)
    }

    pub(crate) const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    pub(crate) fn byte(&mut self) -> u8 {
        self.array::<1>()[0]
    }

    pub(crate) fn short(&mut self) -> u16 {
        u16::from_le_bytes(self.array())
    }

    pub(crate) fn word(&mut self) -> u32 {
        u32::from_le_bytes(self.array())
    }

    pub(crate) fn array<const N: usize>(&mut self) -> [u8; N] {
        std::array::from_fn(|_| self.bits().to_le_bytes()[0])
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        self.word() % bound
    }

    pub(crate) fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    /// A number from 0 to 1, with few enough digits for an exact round trip through text.
    pub(crate) fn float(&mut self) -> f32 {
        f32::from(self.short()) / 65_536.0
    }

    /// One of `all`.
    #[allow(clippy::indexing_slicing, reason = "a remainder is in bounds")]
    pub(crate) fn pick<T: Copy, const N: usize>(&mut self, all: &[T; N]) -> T {
        all[usize::from(self.short()) % N]
    }

    pub(crate) fn maybe<T>(
        &mut self,
        percent: u32,
        make: impl FnOnce(&mut Self) -> T,
    ) -> Option<T> {
        self.chance(percent).then(|| make(self))
    }

    /// Fewer than `bound` values of `make`.
    pub(crate) fn some<T>(&mut self, bound: u32, make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let count = self.below(bound);
        self.many(count, make)
    }

    pub(crate) fn many<T>(&mut self, count: u32, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..count).map(|_| make(self)).collect()
    }
}
