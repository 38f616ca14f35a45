//! What is known of a value once it is written.

use crate::biniou::wire::Tag;

/// The tag of a value that was written; or that it is an optional field, which was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::biniou) struct Written(usize);

impl Written {
    /// No tag: these are bytes.
    pub(super) const ABSENT: Self = Written(usize::MAX);

    #[inline]
    pub(super) fn of(tag: Tag) -> Self {
        Written(usize::from(tag.byte()))
    }

    pub(super) fn tag(self) -> Option<Tag> {
        u8::try_from(self.0).ok().and_then(Tag::from_byte)
    }
}
