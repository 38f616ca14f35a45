//! What can be wrong with primitiv bytes, or with a value that should become some.

use super::Error;
use super::wire::{FLOAT32, FLOAT64, INT32, INT64, UINT32, UINT64, WIDE};
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

    /// The MessagePack marker is of another type, or of a width that primitiv does not read.
    #[error("marker {found:#04x} is not {expected}")]
    Marker {
        /// The first byte of the object.
        found: u8,
        /// The expected type.
        expected: &'static str,
    },
    /// A count announces more than the rest of the input can hold. Offset: of its marker.
    #[error("count {claimed} needs {} or more, {left} left", Bytes(.needed))]
    Count {
        /// The count.
        claimed: u32,
        /// Bytes that so many items need at least.
        needed: u64,
        /// Bytes after the count.
        left: usize,
    },
    /// An integer of another width does not fit the 32 bits of uint32.
    #[error("integer {found} does not fit uint32")]
    IntegerRange {
        /// The integer.
        found: i128,
    },
    /// An item of an array that is read as bytes is no byte.
    #[error("integer {found} is not a byte")]
    ByteRange {
        /// The integer.
        found: u32,
    },
    /// A float64 has no equal float32.
    #[error("float64 {found} has no equal float32")]
    InexactFloat {
        /// The number.
        found: f64,
    },
    /// An enum's variant index is none of the type's.
    #[error("unknown variant index {index}")]
    UnknownVariant {
        /// The index.
        index: u32,
    },

    /// The file is of a version that primitiv 0.1 does not read. Offset: of the first number that
    /// differs.
    #[error("file version {major}.{minor} is not 0.1")]
    Version {
        /// Major version.
        major: u32,
        /// Minor version.
        minor: u32,
    },
    /// The file's data type is none of the five.
    #[error("unknown data type {found:#x}")]
    DataType {
        /// The number in the file.
        found: u32,
    },
    /// The file does not hold the requested document.
    #[error("data type is {found:#x}, {expected:#x} was requested")]
    OtherData {
        /// The number in the file.
        found: u32,
        /// The number of the requested document.
        expected: u32,
    },
    /// Bytes that should be a model alone are a file, with its header. Read as a model it would be
    /// one without parameters, and the rest would be left over.
    #[error("a file of data type {found:#x} begins here, not a model alone")]
    FileHeader {
        /// The data type in the header.
        found: u32,
    },
    /// A shape has more than 8 dims, counting 1s at the end.
    #[error("shape has {found} dims, more than 8")]
    TooManyDims {
        /// How many.
        found: usize,
    },
    /// A dim is 0.
    #[error("dim is 0")]
    ZeroDim,
    /// A batch is 0.
    #[error("batch is 0")]
    ZeroBatch,
    /// The product of dims and batch does not fit 32 bits, where primitiv's own would wrap around.
    #[error("dims and batch multiply beyond 32 bits")]
    SizeOverflow,
    /// A tensor's data does not have the length of its shape.
    #[error("data has {}, the shape {shape} has {expected}", Bytes(.found))]
    DataLength {
        /// Bytes of data.
        found: usize,
        /// Four bytes for each element.
        expected: u64,
        /// The shape.
        shape: super::Shape,
    },
    /// A parameter's value is a batch.
    #[error("batch of a parameter's value is {found}, not 1")]
    ParameterBatch {
        /// The batch.
        found: u32,
    },
    /// A parameter's key has no segments.
    #[error("key is empty")]
    EmptyKey,
    /// A parameter and a submodel have the same address, which no primitiv model can hold.
    #[error("{name} is a parameter and a submodel")]
    KeyConflict {
        /// The address, segments joined by dots.
        name: alloc::string::String,
    },

    /// A map does not announce its length, as serde's `flatten` makes it: reading that calls `deserialize_any`.
    #[error("a map of unknown length, as serde's flatten makes it, could not be read back")]
    UnknownLength,
    /// A field was skipped, and primitiv cannot store that it is absent.
    #[error("field `{name}` is skipped, and primitiv cannot store an absent field")]
    SkippedField {
        /// The field's serde name.
        name: &'static str,
    },
    /// A sequence, map or tuple announced another number of items than it contained.
    #[error("{}", Announced(.announced, .given))]
    Length {
        /// The number that was announced.
        announced: usize,
        /// The number of items that came.
        given: usize,
    },
    /// A type has taken fewer items than there are, or than it has requested.
    #[error("{}, the type takes {taken}", Things(.found, "item"))]
    ItemsLeft {
        /// Number of items, or number that the type has requested.
        found: usize,
        /// Items that it has taken.
        taken: usize,
    },
    /// A length or count is beyond the 32 bits that MessagePack has for it.
    #[error("{size} is beyond the 32 bits of a messagepack length")]
    TooLarge {
        /// Bytes or items.
        size: usize,
    },
    /// A mark does not fit its value.
    #[error("{}", MarkMismatch(.mark, .found, fits(.mark)))]
    Mark {
        /// The mark's keyword.
        mark: &'static str,
        /// What the mark is on.
        found: &'static str,
    },
}

/// What a mark fits.
fn fits(mark: &str) -> &'static str {
    match mark {
        "text" => "bytes",
        _ => "enums",
    }
}

/// How a number of that marker is read, if there is a way.
fn of_marker(found: u8, expected: &str) -> Option<&'static str> {
    use rmp::Marker as M;
    let integers = [UINT32.name, UINT64.name, INT32.name, INT64.name, WIDE.name];
    let is_near = match M::from_u8(found) {
        M::FixPos(_) => integers.contains(&expected),
        M::FixNeg(_) => [INT32.name, INT64.name, WIDE.name].contains(&expected),
        M::U8 | M::U16 | M::U32 | M::U64 => integers.contains(&expected),
        M::I8 | M::I16 | M::I32 | M::I64 => integers.contains(&expected),
        M::F64 => expected == FLOAT32.name,
        M::F32 => expected == FLOAT64.name,
        _ => false,
    };
    is_near.then_some("use `Options::lenient(true)` to read numbers of any width")
}

/// Adds a hint to the error for a str where something else is expected.
#[cold]
pub(super) fn or_str_hint(error: Error, hint: &'static str) -> Error {
    use rmp::Marker as M;
    match *error.kind() {
        ErrorKind::Marker { found, .. } => match M::from_u8(found) {
            M::FixStr(_) | M::Str8 | M::Str16 | M::Str32 => error.or_hint(Some(hint)),
            _ => error,
        },
        _ => error,
    }
}

/// The hint for bytes that are a str.
pub(super) const TEXT: &str = with_hint!("primitiv", text Text, "the field of the bytes");

/// The hint for enums whose variants are names.
pub(super) const NAMED: &str = with_hint!("primitiv", named Named, "the field of the enum");

/// The hint for bytes that are a list of numbers.
pub(super) const BYTES: &str = "use `#[serde(with = \"serde_bytes\")]` on the field, or `serde_bytes::Bytes` where \
                                there is no field";

/// The hint for types that need a self-describing format.
pub(super) const SELF_DESCRIBING: &str = concat!(
    with_hint!(
        "primitiv",
        any Any,
        "the field of that type (on the field that holds the struct with `flatten`)"
    ),
    "; or `Options::lenient(true)` for bytes of other MessagePack writers"
);

impl ErrorKind {
    /// A unit variant of an adjacently tagged enum: serde reads its content, which is not written, as a value of any type.
    pub const UNIT_CONTENT: Self = ErrorKind::Common(CommonKind::Unsupported {
        reason: "a unit variant of an adjacently tagged enum could not be read back",
        hint: Some(with_hint!("primitiv", any Any, "the field of the enum")),
    });
}

impl crate::error::sealed::Sealed for ErrorKind {}

impl Kind for ErrorKind {
    fn category(&self) -> Category {
        use ErrorKind as E;
        match self {
            E::Common(error) => error.category(),
            E::Count { .. } => Category::Eof,
            E::Marker { .. }
            | E::IntegerRange { .. }
            | E::ByteRange { .. }
            | E::InexactFloat { .. }
            | E::Version { .. }
            | E::DataType { .. }
            | E::TooManyDims { .. }
            | E::ZeroDim
            | E::ZeroBatch
            | E::SizeOverflow
            | E::DataLength { .. }
            | E::ParameterBatch { .. }
            | E::EmptyKey
            | E::KeyConflict { .. } => Category::Syntax,
            E::TooLarge { .. } => Category::Limit,
            _ => Category::Data,
        }
    }

    fn hint(&self) -> Hint {
        use ErrorKind as E;
        let hint = match self {
            E::Common(error) => return error.hint(),
            E::Marker { found, expected } => return of_marker(*found, expected).map(Into::into),
            E::InexactFloat { .. } => "use `f64`",
            E::FileHeader { .. } | E::OtherData { .. } => {
                "read it as `fourfold::primitiv::File`, which any of them is"
            }
            E::UnknownLength => concat!(
                with_hint!("primitiv", any Any, "the field that holds the struct with `flatten`"),
                "; in a `Serialize` implementation, pass the length to `serialize_map`"
            ),
            E::SkippedField { .. } => concat!(
                "remove `skip_serializing_if`, or ",
                with_hint!("primitiv", any Any, "the field that holds the struct")
            ),
            E::Length { .. } => Announced::HINT,
            E::ItemsLeft { .. } => "take all items in the `Deserialize` implementation",
            E::Mark { found, .. } => MarkMismatch::hint(found),
            _ => return None,
        };
        Some(hint.into())
    }

    crate::glue::macros::common_methods!();
}
