//! How deep values may be that are made.

use fourfold::biniou::Options;
use serde_core::de::Error;

use crate::depth::Depth;

/// How many levels are left of those that a value may have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Levels {
    pub(super) left: Depth,
    limit: u16,
}

impl Levels {
    pub(super) fn of(options: &Options) -> Self {
        let limit = options.depth_limit();
        Levels { left: Depth::new(limit), limit }
    }

    pub(super) fn enter(self) -> Option<Self> {
        Some(Levels { left: self.left.enter()?, ..self })
    }

    pub(super) fn wrap(self) -> Option<Self> {
        Some(Levels { left: self.left.wrap()?, ..self })
    }

    #[cold]
    pub(super) fn too_deep<E: Error>(self) -> E {
        E::custom(format!("nested deeper than {} levels", self.limit))
    }
}
