//! The names of nested values in an error's path.

use crate::error::Segment;

/// The nested values of a struct, a tuple struct, or a tuple or sequence. Two words, which are passed in registers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Names {
    Fields(&'static [&'static str]),
    Indices,
}

impl Names {
    /// Those of a tuple struct.
    pub(crate) const SLOTS: Names = Names::Fields(&[]);

    /// Whether they are names of fields.
    pub(crate) const fn is_list(self) -> bool {
        matches!(self, Names::Fields([_, ..]))
    }

    #[cold]
    pub(crate) fn segment(self, index: usize) -> Segment {
        match self {
            Names::Fields(names) => match names.get(index) {
                Some(name) => Segment::Field((*name).into()),
                None => Segment::Slot(index),
            },
            Names::Indices => Segment::Index(index),
        }
    }
}
