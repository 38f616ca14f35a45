//! What can be wrong with Molecule bytes, or with a value that should become some.

mod hint;

pub(super) use self::hint::{ANY, ANY_UNMARKED, FIXVEC, with};
use crate::count::{Announced, Bytes, Things};
use crate::error::{Category, CommonKind, Hint, Kind};
use crate::glue::mark::MarkMismatch;

/// What is wrong, with the numbers that show it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An error that every format shares.
    #[error(transparent)]
    Common(#[from] CommonKind),

    /// A table or dynvec states another size than its bytes have. Offset: of the full size.
    #[error("full size {stated} differs from the {} given", Bytes(.actual))]
    FullSize {
        /// The full size in the header.
        stated: usize,
        /// Bytes that are there.
        actual: usize,
    },
    /// A record's full size is smaller than the field itself, so that the start of the next record is
    /// unknown. Offset: of the full size.
    #[error("full size {stated} of a record is less than the 4 bytes of a full size")]
    ShortFullSize {
        /// The full size.
        stated: usize,
    },
    /// The first offset of a header is the header's length: the full size and one offset at least.
    #[error("offset {found} leaves no room for a header of 8 bytes or more")]
    FirstOffset {
        /// The first offset.
        found: usize,
    },
    /// The first offset of a header is the header's length, so it is a multiple of 4.
    #[error("offset {found} is not a multiple of 4")]
    OddOffset {
        /// The first offset.
        found: usize,
    },
    /// The header that the first offset announces is longer than the value.
    #[error("offset {found} announces a header longer than the full size {full_size}")]
    HeaderBeyond {
        /// The first offset.
        found: usize,
        /// The full size in the header.
        full_size: usize,
    },
    /// An item would begin before the previous one.
    #[error("offset {found} is before the previous offset {previous}")]
    OffsetOrder {
        /// The offset.
        found: usize,
        /// The previous offset.
        previous: usize,
    },
    /// An item would begin after the end of the value.
    #[error("offset {found} is beyond the full size {full_size}")]
    OffsetBeyond {
        /// The offset.
        found: usize,
        /// The full size in the header.
        full_size: usize,
    },
    /// A field or item ends before its value does. More input would not help.
    #[error("field or item ends early: {} needed, {left} left", Bytes(.needed))]
    ShortItem {
        /// Bytes that the value needs from here on.
        needed: usize,
        /// Bytes that are there.
        left: usize,
    },
    /// A fixvec's items cannot fill its bytes evenly.
    #[error("{count} items cannot fill {} evenly", Bytes(.body))]
    ItemCount {
        /// The item count in the header.
        count: usize,
        /// Bytes after the header.
        body: usize,
    },
    /// A table has fewer fields than the type: it is of an older version.
    #[error("table has {}, the type has more", Things(.found, "field"))]
    MissingFields {
        /// Fields in the table.
        found: usize,
    },
    /// A table has more fields than the type: it is of a newer version, which
    /// `Options::compatible` accepts.
    #[error("table has {}, the type has {expected}", Things(.found, "field"))]
    ExtraFields {
        /// Fields in the table.
        found: usize,
        /// Fields of the type.
        expected: usize,
    },
    /// A vector has more items than the type takes.
    #[error("vector has {}, the type takes {expected}", Things(.found, "item"))]
    ExtraItems {
        /// Items in the vector.
        found: usize,
        /// Items that the type has taken.
        expected: usize,
    },
    /// A field takes zero bytes, but is neither an `Option` nor has a default.
    #[error("field is absent, it takes zero bytes")]
    Absent,
    /// A union's id is none of the type's.
    #[error("unknown union id {id}")]
    UnknownId {
        /// The id.
        id: u32,
    },
    /// A `bool` is a byte of 0 or 1.
    #[error("bool is {found}, neither 0 nor 1")]
    InvalidBool {
        /// The byte.
        found: u8,
    },
    /// A `char` is a Unicode scalar value.
    #[error("{found:#x} is not a unicode scalar value")]
    InvalidChar {
        /// The number.
        found: u32,
    },

    /// A struct, an array or the items of a fixvec hold something without a fixed size.
    #[error("{found} is dynamic where {place} needs fixed sizes")]
    DynamicItem {
        /// What was met.
        found: &'static str,
        /// Where fixed sizes are demanded.
        place: &'static str,
    },
    /// The items of a dynvec have a fixed size: the vector is a fixvec.
    #[error("item has a fixed size, so the vector is a fixvec and no dynvec")]
    FixedItem,
    /// The items of one sequence are not all dynamic, or not all fixed of one size.
    #[error("items of one sequence are not all alike: item {index} differs from those before")]
    UnlikeItems {
        /// The first one that differs.
        index: usize,
    },
    /// A marked struct without fields would take zero bytes.
    #[error("a struct without fields takes zero bytes, which molecule does not have")]
    EmptyStruct,
    /// A field of a marked struct was skipped.
    #[error("a field of a struct cannot be skipped")]
    SkippedField,
    /// `Some` of something that takes zero bytes would be read back as `None`.
    #[error("`Some` of nothing takes zero bytes, as `None` does")]
    SomeNone,
    /// A map whose length is not known, as `#[serde(flatten)]` makes them, can be written but not
    /// read: Molecule has no type tags.
    #[error("a map of unknown length, as serde's flatten makes it, could not be read back")]
    UnknownLength,
    /// A sequence, map or struct announced another number of items than it contained.
    #[error("{}", Announced(.announced, .given))]
    Length {
        /// The number that was passed to `serialize_seq` and its like.
        announced: usize,
        /// The number of items that came.
        given: usize,
    },
    /// A size or count is beyond the 32 bits that Molecule has for it.
    #[error("{size} is beyond the 32 bits of a molecule number")]
    TooLarge {
        /// The size in bytes or the count of items.
        size: usize,
    },
    /// A tuple or array without a mark has fixed items only, so it is packed, but its bytes are those of
    /// a table, and would be read as one.
    #[error("a packed tuple has the bytes of a table")]
    AmbiguousTuple,
    /// A mark does not fit its value.
    #[error("{}", MarkMismatch(.mark, .found, fits(.mark)))]
    Mark {
        /// The mark's keyword.
        mark: &'static str,
        /// What the mark is on.
        found: &'static str,
    },
    /// Under `Options::strict`, the name of a container has a dot after a word that is no mark.
    #[error("container name `{name}` looks like a mark and is none")]
    NoMark {
        /// The container's serde name.
        name: &'static str,
    },
    /// The list of ids in a `union.` mark is unsound.
    #[error("the mark `{mark}` {error}")]
    UnionMark {
        /// The serde name of the enum, which holds the mark.
        mark: &'static str,
        /// What is wrong with it.
        error: alloc::string::String,
        /// The same mark with a sound list: ids that are missing are the smallest free ones.
        sound: alloc::string::String,
    },
    /// A mark is missing: on an empty dynvec, which without it would be written again as a fixvec, and
    /// under `Options::strict` wherever the type does not determine the layout.
    #[error("{found} needs a mark")]
    Unmarked {
        /// What is not marked.
        found: &'static str,
        /// The marks to choose from.
        mark: &'static str,
    },
    /// No type of the schema has this name.
    #[error("the schema has no type `{name}`{suggestion}")]
    NoType {
        /// The requested name.
        name: alloc::string::String,
        /// Similar names, or the names of the first types.
        suggestion: alloc::string::String,
    },
    /// The bytes of a value do not begin with their own size, so that as a record it would not show where
    /// the next one begins.
    #[error("record of {} does not begin with that as its full size", Bytes(.size))]
    NoFullSize {
        /// Bytes of the value.
        size: usize,
    },
    /// A value takes another number of bytes than all records were to have.
    #[error("record of {} among records of {expected}", Bytes(.size))]
    RecordSize {
        /// Bytes of the value.
        size: usize,
        /// Bytes of each record.
        expected: usize,
    },
    /// A path leads to a field or item that does not exist. Offset: of the number that determines how many there are.
    #[error("field or item {index} does not exist: there are {found}, counted from 0")]
    NoItem {
        /// The index of the field or item.
        index: usize,
        /// How many there are.
        found: usize,
    },
    /// A path leads into a value that takes zero bytes.
    #[error("the path leads into an absent value, which takes zero bytes")]
    AbsentValue,
    /// A path has a name, and was not resolved with a type or schema: bytes have no names.
    #[error("the position of `{name}` is unknown")]
    UnresolvedName {
        /// The name.
        name: alloc::string::String,
    },
    /// A union has another item than the one that a path leads into. Offset: of the id.
    #[error("the union has the item of id {id}, and the path leads into another one")]
    OtherItem {
        /// The id.
        id: u32,
    },
    /// A path leads nowhere in the type that a schema has for the value.
    #[error("{error}")]
    NoPath {
        /// Why.
        error: alloc::borrow::Cow<'static, str>,
    },
    /// Trailing bytes are allowed, but this value does not show its own end.
    #[error("{found} does not show its end, so trailing bytes cannot be detected")]
    Endless {
        /// What was met.
        found: &'static str,
    },
}

/// What a mark fits.
fn fits(mark: &str) -> &'static str {
    match mark {
        "struct" => "structs, tuples, arrays and fixed values",
        "table" => "structs, tuples, arrays and units",
        "fixvec" => "sequences, maps, text and bytes",
        "dynvec" => "sequences and maps",
        _ => "enums",
    }
}

/// How errors name places that allow no dynamic value.
pub(super) mod place {
    pub(in crate::molecule) const FIXVEC: &str = "a fixvec";
    /// A marked struct that is no item.
    pub(in crate::molecule) const STRUCT: &str = "a struct";
    /// Whatever is inside a marked struct or fixvec.
    pub(in crate::molecule) const MARKED: &str = "a struct or marked fixvec";
    pub(in crate::molecule) const PACKED_TUPLE: &str = "a tuple without a table's header";
}

/// How errors name a table where no dynamic value may be.
pub(super) const TABLE: &str = "a table";

impl ErrorKind {
    /// A sequence without items, which no mark calls a fixvec or dynvec.
    pub(super) const UNMARKED_SEQUENCE: Self =
        ErrorKind::Unmarked { found: "an empty sequence", mark: "fixvec or dynvec" };

    /// A tuple that is a table, which no mark calls one.
    pub(super) const UNMARKED_TUPLE: Self =
        ErrorKind::Unmarked { found: "a tuple or array with a dynamic item", mark: "table" };

    /// A unit variant of an adjacently tagged enum: serde reads its content, which is not written, as a value of any type.
    pub const UNIT_CONTENT: Self = ErrorKind::Common(CommonKind::Unsupported {
        reason: "a unit variant of an adjacently tagged enum could not be read back",
        hint: Some(ANY),
    });

    /// Whether a tuple has a dynamic item and was taken for a packed one.
    pub(super) fn is_of_packed_tuple(&self) -> bool {
        matches!(self, ErrorKind::DynamicItem { place, .. } if *place == place::PACKED_TUPLE)
    }

    /// The same error of a field or item whose length is known, so that more input would not help: `ShortItem` for
    /// `UnexpectedEnd`.
    #[must_use]
    pub fn in_item(self) -> Self {
        match self {
            ErrorKind::Common(CommonKind::UnexpectedEnd { needed, left }) => {
                ErrorKind::ShortItem { needed, left }
            }
            kind => kind,
        }
    }
}

impl crate::error::sealed::Sealed for ErrorKind {
    const STRUCTS_WITH_NAMES: bool = cfg!(feature = "any");
}

impl Kind for ErrorKind {
    fn category(&self) -> Category {
        use ErrorKind as E;
        match self {
            E::Common(error) => error.category(),
            E::FullSize { .. }
            | E::ShortFullSize { .. }
            | E::FirstOffset { .. }
            | E::OddOffset { .. }
            | E::HeaderBeyond { .. }
            | E::OffsetOrder { .. }
            | E::OffsetBeyond { .. }
            | E::ItemCount { .. }
            | E::ShortItem { .. }
            | E::InvalidBool { .. }
            | E::InvalidChar { .. } => Category::Syntax,
            E::TooLarge { .. } => Category::Limit,
            _ => Category::Data,
        }
    }

    fn hint(&self) -> Hint {
        hint::of(self)
    }

    crate::glue::macros::common_methods!();
}
