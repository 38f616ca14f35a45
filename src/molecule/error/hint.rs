//! The fix for each kind of error: an attribute or wrapper that can be pasted.

use super::{ErrorKind, TABLE, place};
use crate::count::Announced;
use crate::error::Hint;
use crate::glue::mark::Misfit;

/// How a value of any type is marked so that it is self-describing.
macro_rules! with_any {
    () => {
        "`#[serde(with = \"fourfold::molecule::with::any\")]` on the field of that type, or \
         `fourfold::molecule::with::Any(value)` where there is no field"
    };
}

/// For types that need a self-describing format.
pub(in crate::molecule) const ANY: &str = concat!("use ", with_any!());

/// What is written where a value is dynamic that its type does not mark.
const DYNVEC: &str = concat!(
    "use `#[serde(with = \"fourfold::molecule::with::dynvec\")]` on the vector, or for untagged enums \
     and `Value` ",
    with_any!()
);

/// The fix of an error of that kind.
#[cold]
pub(super) fn of(kind: &ErrorKind) -> Hint {
    use ErrorKind as E;
    let hint = match kind {
        E::Fault(fault) => return fault.hint(),
        E::ExtraFields { .. } => "use `Options::compatible(true)` to accept more fields",
        E::Absent => "make it an `Option`, or use `#[serde(default)]` on the field",
        E::DynamicItem { found: TABLE, place: place::FIXVEC } => {
            "if the schema says struct, mark its type `struct.`"
        }
        E::DynamicItem { place: place::FIXVEC, .. } => DYNVEC,
        E::DynamicItem { place: place::STRUCT, .. } => {
            "if the schema says table, leave out the mark `struct`"
        }
        E::DynamicItem { place: place::MARKED, .. } => {
            "if the schema says table or dynvec, so must the mark"
        }
        E::FixedItem => "mark it `fixvec`, or the items `table`",
        E::UnlikeItems { .. } => "with::Table around each makes tables of them",
        E::EmptyStruct => "without the mark `struct` it is a table",
        E::SkippedField => "remove skip_serializing_if, or the mark `struct`",
        E::SomeNone => "with::Table((value,)) takes some",
        E::UnknownLength => ANY,
        E::Length { .. } => Announced::HINT,
        E::AmbiguousTuple => "mark it `struct`, and tuples that are tables `table`",
        E::Mark { found, .. } => Misfit::hint(found),
        E::NoMark { .. } => "write a keyword, a dot and the type's name, or a name without a dot",
        E::NoFullSize { .. } => {
            "write a table or a marked dynvec, put with::Table((value,)) around it, or write records of \
             one size by RecordWriter::of_size"
        }
        E::RecordSize { .. } => {
            "give all of them one size, or write tables without RecordWriter::of_size"
        }
        E::Untold { .. } => {
            "take the path from Schema::path or path_of, or write numbers of fields"
        }
        _ => return None,
    };
    Some(hint.into())
}
