//! The tag of a value with what applies to the value, and how deep the value may nest: one number each, so that
//! functions get them in registers.

use crate::biniou::mark::Mark;
use crate::biniou::wire::Tag;
use crate::limits::Depth;

/// The tag of a value and its mark, and where the value is stored: tag, mark and flags, from the lowest byte on.
#[derive(Clone, Copy)]
pub(super) struct Head(u32);

impl Head {
    /// It is a field of a record, where an optional value is stored without an option around it.
    const IN_FIELD: u32 = 1 << 16;
    /// Its tag is stored once for all values of an array or column.
    const SHARES_TAG: u32 = 1 << 17;
    const NO_TAG: u32 = 1 << 18;
    const OWN_TAGS: u32 = 1 << 19;
    /// It is a cell of a row.
    const IN_ROW: u32 = 1 << 20;

    /// A row of the innermost table. No byte is its tag.
    pub(super) const ROW: Head = Head(Self::NO_TAG | 0xff);
    /// Of no value: items that have a tag each.
    pub(super) const OF_EACH: Head = Head(Self::NO_TAG | Self::OWN_TAGS | 0xff);

    /// No tag yet, and no mark.
    pub(super) const UNMARKED: Head = Head(0);

    /// That of a value whose tag comes just before it.
    #[inline]
    pub(super) fn new(tag: u8) -> Self {
        Head(u32::from(tag))
    }

    /// The mark alone, for values in it.
    #[inline]
    pub(super) fn to_mark(self) -> Self {
        Head(self.0 & 0xff00)
    }

    /// That of a value with this mark whose tag comes just before it.
    #[inline]
    pub(super) fn with_tag(self, tag: u8) -> Self {
        Head(self.0 | u32::from(tag))
    }

    /// That of a field of a record.
    #[inline]
    pub(super) fn of_field(tag: u8) -> Self {
        Head(u32::from(tag) | Self::IN_FIELD)
    }

    /// That of a cell of a row, whose tag is in the header of the table.
    pub(super) fn of_cell(tag: Tag) -> Self {
        Head(u32::from(tag.byte()) | Self::SHARES_TAG | Self::IN_ROW)
    }

    /// The same of an item or cell which shares its tag.
    #[inline]
    pub(super) fn shared(self) -> Self {
        Head(self.0 | Self::SHARES_TAG)
    }

    /// The same without its tag.
    pub(super) fn of_each(self) -> Self {
        Head(self.0 | Self::OF_EACH.0)
    }

    #[inline]
    pub(super) fn tag(self) -> u8 {
        self.0.to_le_bytes()[0]
    }

    #[inline]
    pub(super) fn is(self, tag: Tag) -> bool {
        self.tag() == tag.byte()
    }

    /// Whether it is this tag without a mark.
    #[inline]
    pub(super) fn is_plain(self, tag: Tag) -> bool {
        self.0 & 0xffff == u32::from(tag.byte())
    }

    #[inline]
    pub(super) fn has_mark(self) -> bool {
        self.0 & 0xff00 != 0
    }

    #[inline]
    pub(super) fn has(self, mark: Mark) -> bool {
        self.0 & 0xff00 == u32::from(Mark::to_code(Some(mark))) << 8
    }

    #[inline]
    pub(super) fn mark(self) -> Option<Mark> {
        Mark::from_code(self.0.to_le_bytes()[1])
    }

    #[inline]
    pub(super) fn with_mark(self, mark: Option<Mark>) -> Self {
        Head(self.0 & !0xff00 | u32::from(Mark::to_code(mark)) << 8)
    }

    #[inline]
    pub(super) fn in_field(self) -> bool {
        self.0 & Self::IN_FIELD != 0
    }

    /// Whether it is a field of a record or of a row.
    pub(super) fn has_name(self) -> bool {
        self.0 & (Self::IN_FIELD | Self::IN_ROW) != 0
    }

    #[inline]
    pub(super) fn shares_tag(self) -> bool {
        self.0 & Self::SHARES_TAG != 0
    }

    /// Whether it is `ROW` or `OF_EACH`.
    #[inline]
    pub(super) fn has_no_tag(self) -> bool {
        self.0 & Self::NO_TAG != 0
    }

    #[inline]
    pub(super) fn is_row(self) -> bool {
        self.0 & (Self::NO_TAG | Self::OWN_TAGS) == Self::NO_TAG
    }
}

/// How many levels and wrappers a value may have.
#[derive(Clone, Copy)]
pub(super) struct Levels(u32);

impl Levels {
    #[inline]
    pub(super) fn new(Depth { levels, wrappers }: Depth) -> Self {
        Levels(u32::from(levels) | u32::from(wrappers) << 16)
    }

    #[inline]
    pub(super) fn depth(self) -> Depth {
        let [a, b, c, d] = self.0.to_le_bytes();
        Depth { levels: u16::from_le_bytes([a, b]), wrappers: u16::from_le_bytes([c, d]) }
    }

    #[inline]
    pub(super) fn enter(self) -> Option<Self> {
        if self.0 & 0xffff == 0 { None } else { Some(Levels(self.0 - 1)) }
    }

    #[inline]
    pub(super) fn wrap(self) -> Option<Self> {
        self.0.checked_sub(1 << 16).map(Levels)
    }
}
