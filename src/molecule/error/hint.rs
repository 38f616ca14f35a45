//! The fix for each kind of error: an attribute or wrapper that can be pasted.

use alloc::format;

use super::{ErrorKind, place};
use crate::count::Announced;
use crate::error::Hint;
use crate::glue::mark::MarkMismatch;

/// A mark at one use: by an attribute, and by a wrapper for the places that attributes do not reach.
macro_rules! with {
    ($module:literal $wrapper:literal) => {
        crate::molecule::error::with!($module $wrapper "on the field")
    };
    ($module:literal $wrapper:literal $place:literal) => {
        concat!(
            "`#[serde(with = \"fourfold::molecule::with::",
            $module,
            "\")]` ",
            $place,
            ", or `fourfold::molecule::with::",
            $wrapper,
            "(value)` elsewhere"
        )
    };
}
pub(in crate::molecule) use with;

/// The mark that has to go where a dynamic value is to be.
macro_rules! unmark {
    () => {
        "remove the mark `struct` or `fixvec` from the type or vector around it"
    };
}

/// For a value that needs a self-describing format.
///
/// A struct with `flatten` is such a value as a whole: no attribute on the struct or in it helps.
macro_rules! any {
    () => {
        concat!("use ", with!("any" "Any" "on the field that holds the whole value"))
    };
}

/// For a value that needs a self-describing format.
pub(in crate::molecule) const ANY: &str = any!();

/// The same where values have a fixed size, as MessagePack does not.
pub(in crate::molecule) const ANY_UNMARKED: &str = concat!(any!(), ", and ", unmark!());

/// For a fixed item that is written to a dynvec. Of bytes that have one there is no fix.
pub(in crate::molecule) const FIXVEC: &str = concat!(
    "use ",
    with!("fixvec" "FixVec"),
    "; for untagged enums and `Value`, use ",
    with!("any" "Any")
);

/// The fix of an error of that kind.
#[cold]
pub(super) fn of(kind: &ErrorKind) -> Hint {
    use ErrorKind as E;
    let hint = match kind {
        E::Common(error) => return error.hint(),
        E::ExtraFields { .. } => "use `Options::compatible(true)` to accept more fields",
        E::Absent => "make it an `Option`, or use `#[serde(default)]` on the field",
        E::DynamicItem { found: "an item" | "a key" | "a value", place: place::FIXVEC } => concat!(
            "use ",
            with!("dynvec" "DynVec"),
            "; for untagged enums and `Value`, use ",
            with!("any" "Any")
        ),
        E::DynamicItem { place: place::FIXVEC, .. } => return None,
        E::DynamicItem { place: place::STRUCT | place::MARKED, .. } => unmark!(),
        E::AmbiguousTuple => concat!("use ", with!("structure" "Struct")),
        E::DynamicItem { .. } => concat!(
            "for tuples and arrays of fixed items, use ",
            with!("structure" "Struct"),
            "; for those with a dynamic item, use ",
            with!("table" "Table")
        ),
        E::UnlikeItems { .. } | E::UnknownLength => ANY,
        E::EmptyStruct => {
            "remove the mark `struct` or `fixvec` from it or around it: then it is a table"
        }
        E::SkippedField => concat!(unmark!(), ": tables can leave fields out"),
        E::SomeNone => "use `fourfold::molecule::with::Table((value,))` for the inner option",
        E::Length { .. } => Announced::HINT,
        E::Mark { found, .. } => MarkMismatch::hint(found),
        E::NoMark { name } => {
            let plain = name.replace('.', "_");
            return Some(
                format!("use a name without a dot, as `#[serde(rename = \"{plain}\")]`").into(),
            );
        }
        E::UnionMark { sound, .. } => {
            return Some(
                format!("use `#[serde(rename = \"{sound}\")]`, with the schema's ids").into(),
            );
        }
        E::Unmarked { mark: "table", .. } => concat!("use ", with!("table" "Table")),
        E::Unmarked { mark: "dynvec", .. } => concat!("use ", with!("dynvec" "DynVec")),
        E::Unmarked { .. } => concat!(
            "if its items are dynamic, use ",
            with!("dynvec" "DynVec"),
            "; if they have a fixed size, use ",
            with!("fixvec" "FixVec")
        ),
        E::NoFullSize { .. } => {
            "use `fourfold::molecule::with::Table((value,))` for each record, or \
             `RecordWriter::of_size` if all have one size"
        }
        E::RecordSize { .. } => {
            "use `fourfold::molecule::with::Table((value,))` for each record, without \
             `RecordWriter::of_size`"
        }
        E::UnresolvedName { .. } => {
            "use `Schema::path` or `path_of`, or numbers of fields as in `0.1[2]`"
        }
        E::Endless { .. } => "use the bytes of this value alone, without `Options::allow_trailing`",
        _ => return None,
    };
    Some(hint.into())
}
