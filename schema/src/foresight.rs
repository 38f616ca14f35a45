//! Limits of the types that fast row readers are made for.

/// A row is not usual, or its bytes are wrong: another reader finds which. It has no size, so that results of numbers fit in
/// registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failed;

/// How much of a type a reader of usual rows foresees: how deep values may still nest, and how many parts they may still
/// have.
#[derive(Debug)]
pub(crate) struct Foresight {
    depth: u16,
    parts: usize,
}

impl Foresight {
    const DEPTH: u16 = 16;
    const PARTS: usize = 4096;

    /// Nothing is foreseen under a limit of depth that such rows may reach: they do not measure themselves.
    pub(crate) fn under(max_depth: u16) -> Option<Self> {
        let has_room = max_depth >= 2 * Self::DEPTH;
        has_room.then_some(Foresight { depth: Self::DEPTH, parts: Self::PARTS })
    }

    /// What `make` makes of a part, if that is foreseen.
    pub(crate) fn part<T>(&mut self, make: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.depth = self.depth.checked_sub(1)?;
        self.parts = self.parts.checked_sub(1)?;
        let made = make(self);
        self.depth += 1;
        made
    }
}
