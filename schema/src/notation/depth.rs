//! How deep values, and brackets in a text, may nest.

use fourfold::Fault;

/// Default limit for both.
pub(super) const DEFAULT_MAX_DEPTH: u16 = 128;

/// Levels that may still be entered. Wrappers (names of other types) take no bytes and are counted apart, against the
/// same limit. Each `enter` or `wrap` is followed by a `leave` or `unwrap`, unless an error ends everything.
#[derive(Clone, Copy, Debug)]
pub(super) struct Depth {
    levels: u16,
    wrappers: u16,
    limit: u16,
}

impl Depth {
    pub(super) const fn new(limit: u16) -> Self {
        Depth { levels: limit, wrappers: limit, limit }
    }

    pub(super) fn enter(&mut self) -> Result<(), Fault> {
        self.levels = self.levels.checked_sub(1).ok_or_else(|| self.reached())?;
        Ok(())
    }

    pub(super) fn leave(&mut self) {
        self.levels = self.levels.saturating_add(1);
    }

    pub(super) fn wrap(&mut self) -> Result<(), Fault> {
        self.wrappers = self.wrappers.checked_sub(1).ok_or_else(|| self.reached())?;
        Ok(())
    }

    pub(super) fn unwrap(&mut self) {
        self.wrappers = self.wrappers.saturating_add(1);
    }

    const fn reached(self) -> Fault {
        Fault::DepthLimit { limit: self.limit }
    }
}
