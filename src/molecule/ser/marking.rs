//! The mark on a value that is written, or none. Does not know layouts.

use super::frame::Frame;
use crate::molecule::mark::{Mark, Target, UnionIds};
use crate::molecule::wire::NUMBER_SIZE;
use crate::molecule::{Error, Result};

/// A mark, or no mark at no cost.
pub(in crate::molecule) trait Marking: Copy {
    /// Whether there never is a mark.
    const NEVER: bool;

    fn mark(self) -> Option<Mark>;

    /// The id in front of a union's payload.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn union_id(
        self,
        frame: &Frame,
        name: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Result<[u8; NUMBER_SIZE]> {
        self.check(Target::Enum)?;
        frame.check_name(name)?;
        let id = UnionIds::id_of(name, index, variant).map_err(Error::placeless)?;
        Ok(id.to_le_bytes())
    }

    /// Refuses a mark that does not fit the value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn check(self, target: Target) -> Result<()> {
        match self.mark() {
            Some(mark) => mark.check(target).map_err(Error::placeless),
            None => Ok(()),
        }
    }
}

/// No mark.
#[derive(Clone, Copy, Debug)]
pub(in crate::molecule) struct Plain;

impl Marking for Plain {
    const NEVER: bool = true;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn mark(self) -> Option<Mark> {
        None
    }
}

/// A mark decides where a type has more than one layout, and is refused where it has one.
impl Marking for Mark {
    const NEVER: bool = false;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn mark(self) -> Option<Mark> {
        Some(self)
    }
}
