//! What the parts of a value are called in an error's path. Knows names, does not know bytes.

use crate::error::Segment;

/// Of a struct, a tuple struct, or a tuple or sequence.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Names {
    Fields(&'static [&'static str]),
    Slots,
    Indices,
}

impl Names {
    #[cold]
    pub(crate) fn segment(self, index: usize) -> Segment {
        match self {
            Names::Fields(names) => match names.get(index) {
                Some(name) => Segment::Field((*name).into()),
                None => Segment::Slot(index),
            },
            Names::Slots => Segment::Slot(index),
            Names::Indices => Segment::Index(index),
        }
    }
}
