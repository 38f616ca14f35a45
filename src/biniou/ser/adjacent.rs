//! Finds adjacently tagged enums while they are written: records of two fields whose first field is a unit variant.

/// An adjacently tagged enum is a record of so many fields: the tag and the content.
pub(super) const ADJACENT_FIELDS: usize = 2;

/// What is known of the record whose fields are being written, if it may be such an enum.
#[derive(Debug)]
pub(super) struct Adjacent {
    /// Where the record begins whose tag is expected.
    record: usize,
    /// Where the field begins that may be the tag or the content; `usize::MAX` if none may be.
    start: usize,
    /// The variant that the tag was.
    variant: Option<&'static str>,
}

impl Adjacent {
    pub(super) const NONE: Adjacent =
        Adjacent { record: usize::MAX, start: usize::MAX, variant: None };

    /// Expects the tag in the first field of `record`, `T`, which begins at `start`. serde has a type for such
    /// tags, of two names and a number, so fields of other sizes are none.
    #[inline]
    pub(super) fn expect_tag<T: ?Sized>(&mut self, value: &T, record: usize, start: usize) {
        let fits =
            !core::mem::needs_drop::<T>() && size_of_val(value) == size_of::<(&str, u32, &str)>();
        *self = Adjacent { record, start: if fits { start } else { usize::MAX }, variant: None };
    }

    /// Expects the content in the second field of `record`, `T`, which begins at `start`. A record in the first
    /// field may have expected a tag of its own since.
    ///
    /// serde passes references to all fields of the variant. If there is one reference, it may also be a
    /// struct with the name of the variant, which can be read. So a single field is not expected.
    #[inline]
    pub(super) fn expect_content<T: ?Sized>(&mut self, value: &T, record: usize, start: usize) {
        let fits = !core::mem::needs_drop::<T>() && size_of_val(value) > size_of::<usize>();
        let has_tag = self.record == record && self.variant.is_some();
        self.start = if fits && has_tag { start } else { usize::MAX };
    }

    /// Notes a unit variant that begins at `start`: it may be the tag.
    #[inline]
    pub(super) fn note_variant(&mut self, variant: &'static str, start: usize) {
        if self.start == start {
            self.variant = Some(variant);
        }
    }

    /// Whether a struct that begins at `start` is the content: it has the name of the variant.
    #[inline]
    pub(super) fn is_content(&self, name: &'static str, start: usize) -> bool {
        self.start == start && self.variant == Some(name)
    }
}
