//! How deep values, and brackets in a text, may nest.

use fourfold::CommonKind;

/// Default limit for both.
pub(crate) const DEFAULT_MAX_DEPTH: u16 = 128;

/// Levels and wrappers that may still be entered. Wrappers (options, names of other types) take no bytes and are counted
/// apart, against the same limit. It is passed by value, so nothing has to be undone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Depth {
    levels: u16,
    wrappers: u16,
    limit: u16,
}

impl Depth {
    pub(crate) const fn new(limit: u16) -> Self {
        Depth { levels: limit, wrappers: limit, limit }
    }

    /// How many levels may be entered.
    pub(crate) const fn levels(self) -> u16 {
        self.levels
    }

    /// The depth one level deeper.
    pub(crate) fn enter(self) -> Option<Self> {
        Some(Depth { levels: self.levels.checked_sub(1)?, ..self })
    }

    /// The depth one wrapper deeper.
    pub(crate) fn wrap(self) -> Option<Self> {
        Some(Depth { wrappers: self.wrappers.checked_sub(1)?, ..self })
    }

    /// Whether `height` more levels and wrappers may be entered.
    pub(crate) fn has_room(self, height: u16) -> bool {
        self.levels.min(self.wrappers) >= height
    }

    pub(crate) const fn reached(self) -> CommonKind {
        CommonKind::DepthLimit { limit: self.limit }
    }
}
