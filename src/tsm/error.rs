//! What can be wrong with tsm bytes, or with a value that should become some.

use super::{DType, Diagnostic};
use crate::count::{Announced, Bytes, Things};
use crate::error::{Category, CommonKind, Hint, Kind};
use crate::glue::mark::{MarkMismatch, with_hint};

/// What is wrong, with the numbers that show it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An error that every format shares.
    #[error(transparent)]
    Common(#[from] CommonKind),

    /// A count is negative.
    #[error("count {found} is negative")]
    Count {
        /// The count.
        found: i32,
    },
    /// There are more items than the rest of the input can hold.
    #[error("count {claimed} is beyond what {} can hold", Bytes(.left))]
    CountBeyond {
        /// The count.
        claimed: usize,
        /// Bytes after it.
        left: usize,
    },
    /// A `bool` is a byte of 0 or 1.
    #[error("bool is {found}, neither 0 nor 1")]
    Bool {
        /// The byte.
        found: u8,
    },
    /// A `char` is a Unicode scalar value.
    #[error("{found:#x} is not a unicode scalar value")]
    Char {
        /// The number.
        found: u32,
    },
    /// The byte before an optional value is 0 or 1.
    #[error("option flag is {found}, neither 0 nor 1")]
    OptionFlag {
        /// The number.
        found: i8,
    },
    /// An enum's variant is none of the type's.
    #[error("unknown variant {index}")]
    Variant {
        /// The number.
        index: i32,
    },
    /// More items of zero bytes than a reader believes.
    #[error("more than {limit} items of zero bytes")]
    EmptyItems {
        /// How many there may be in one value.
        limit: usize,
    },
    /// There are more items than the type takes.
    #[error("{}, the type takes {taken}", Things(.found, "item"))]
    ExtraItems {
        /// Items that are there.
        found: usize,
        /// Items that the type has taken.
        taken: usize,
    },
    /// A type needs a self-describing format, and tsm is not.
    #[error(
        "the type calls `deserialize_any` (as untagged, internally tagged, `flatten` and `Value` do), and \
         tsm is not self-describing"
    )]
    SelfDescribing,
    /// Raw bytes of unknown length.
    #[error("the mark `raw` is on a type that does not state how many bytes to read")]
    RawLength,

    /// A count or the number of a variant is beyond the int32 that there is for it.
    #[error("{size} is beyond an int32")]
    TooLarge {
        /// The number.
        size: usize,
    },
    /// A map does not announce its length, as serde's `flatten` makes it: reading that calls `deserialize_any`.
    #[error("a map of unknown length, as serde's flatten makes it, could not be read back")]
    UnknownLength,
    /// A field was skipped, and tsm cannot store that it is absent.
    #[error("field `{name}` is skipped, and tsm cannot store an absent field")]
    SkippedField {
        /// The field.
        name: &'static str,
    },
    /// A compound value announced another number of elements than it contained.
    #[error("{}", Announced(.announced, .given))]
    Length {
        /// The number that was passed to `serialize_seq` and its like.
        announced: usize,
        /// The number of items that came.
        given: usize,
    },
    /// A mark does not fit its value.
    #[error("{}", MarkMismatch(.mark, .found, "bytes and arrays"))]
    Mark {
        /// The mark's keyword.
        mark: &'static str,
        /// What the mark is on.
        found: &'static str,
    },

    /// There is no dtype of that code.
    #[error("unknown dtype {code}")]
    DType {
        /// The code.
        code: u8,
    },
    /// A tensor has more dims than TenniS holds.
    #[error("{found} dims, 7 at most")]
    DimCount {
        /// How many there are.
        found: usize,
    },
    /// A dim is negative.
    #[error("dim {found} is negative")]
    NegativeDim {
        /// The dim.
        found: i32,
    },
    /// A tensor has more elements than TenniS counts, or a machine addresses.
    #[error("more than 2147483647 elements")]
    ElementCount,
    /// A tensor's bytes do not fit its shape and dtype.
    #[error("{} where {expected} belong", Bytes(.found))]
    MemorySize {
        /// How many the shape and dtype want.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// The name of a param is too long.
    #[error("a name of {found} bytes, 31 at most")]
    ParamName {
        /// Its bytes.
        found: usize,
    },
    /// A module is not sound.
    #[error("{0}")]
    Refused(Diagnostic),
    /// A node was passed to a `ModuleBuilder` that has fewer nodes: it belongs to another.
    #[error("node {index} belongs to another graph, this one has {nodes}")]
    ForeignNode {
        /// The node.
        index: u32,
        /// How many nodes there are.
        nodes: usize,
    },
    /// A tensor's elements are not of the requested type.
    #[error("elements are {found}, {expected} was requested")]
    Element {
        /// What they are.
        found: DType,
        /// The requested type.
        expected: DType,
    },
    /// A tensor's elements are not aligned as Rust requires.
    #[error("elements are not aligned to {align} bytes")]
    Misaligned {
        /// The required alignment.
        align: usize,
    },
    /// A tensor's elements are little-endian, and the machine is not.
    #[error("elements are little-endian")]
    ByteOrder,
}

/// The hint for sequences of too many items without bytes.
pub(super) const EMPTY_ITEMS: &str =
    with_hint!("tsm", any Any, "the field that holds the sequence");

impl crate::error::sealed::Sealed for ErrorKind {}

impl Kind for ErrorKind {
    fn category(&self) -> Category {
        use ErrorKind as E;
        match self {
            E::Common(error) => error.category(),
            // The rest of the input is too short for what it claims.
            E::CountBeyond { .. } => Category::Eof,
            E::Count { .. }
            | E::Bool { .. }
            | E::Char { .. }
            | E::OptionFlag { .. }
            | E::DType { .. }
            | E::DimCount { .. }
            | E::NegativeDim { .. }
            | E::ElementCount
            | E::MemorySize { .. }
            | E::Refused(_) => Category::Syntax,
            E::EmptyItems { .. } | E::TooLarge { .. } => Category::Limit,
            _ => Category::Data,
        }
    }

    fn hint(&self) -> Hint {
        use ErrorKind as E;
        let hint = match self {
            E::Common(error) => return error.hint(),
            E::SelfDescribing => with_hint!(
                "tsm",
                any Any,
                "the field of that type (on the field that holds the struct with `flatten`)"
            ),
            E::UnknownLength => concat!(
                with_hint!("tsm", any Any, "the field that holds the struct with `flatten`"),
                "; in a `Serialize` implementation, pass the length to `serialize_map`"
            ),
            E::RawLength => {
                "use an array such as `[u8; 32]`, or `fourfold::tsm::with::RawLen(len)` in a `Deserialize` \
                 implementation, or remove the mark"
            }
            E::SkippedField { .. } => concat!(
                "remove `skip_serializing_if`, or ",
                with_hint!("tsm", any Any, "the field that holds the struct")
            ),
            E::Length { .. } => Announced::HINT,
            E::Mark { found, .. } => MarkMismatch::hint(found),
            _ => return None,
        };
        Some(hint.into())
    }

    crate::glue::macros::common_methods!();
}
