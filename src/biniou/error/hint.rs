//! The fix for each kind of error: an attribute or wrapper that can be pasted.

use alloc::format;

use super::ErrorKind;
use crate::count::Announced;
use crate::error::Hint;
use crate::glue::mark::{MarkMismatch, with_hint};

/// For types that call `deserialize_any`.
macro_rules! any {
    () => {
        with_hint!(
            "biniou",
            any Any,
            "the field of that type (on the field that holds the struct with `flatten`)"
        )
    };
}

/// For types that need the data to have maps, bytes and extension types.
pub(in crate::biniou) const ANY: &str = any!();

/// For what a struct with `flatten` cannot hold.
pub(in crate::biniou) const FLATTEN: &str =
    with_hint!("biniou", any Any, "the field that holds the struct with `flatten`");

/// For types that call `deserialize_any` where a list of pairs and a map have the same bytes.
pub(in crate::biniou) const PAIRS: &str =
    concat!(any!(), "; or a type that is a list or a map, such as `Vec<(K, V)>`");

/// For types that need names.
pub(in crate::biniou) const NAMES: &str = concat!(
    any!(),
    "; or pass names with `Options::names`, as `Dictionary::of_value(&value)` returns them"
);

/// For shared values that types cannot hold.
pub(in crate::biniou) const VALUE: &str =
    "read it as `fourfold::biniou::Value`, which stores each shared value once";

/// For lists that cannot be a TABLE.
pub(in crate::biniou) const WITHOUT_TABLE: &str = "remove the mark `table`";

/// The integers that a type without a mark reads.
const INTEGERS: &str = "uvint, svint, int8 or int16";

/// The fix of an error of that kind.
#[cold]
pub(super) fn of(kind: &ErrorKind) -> Hint {
    use ErrorKind as E;
    let hint = match kind {
        E::Common(error) => return error.hint(),
        E::Chunks { .. } => "read it with `fourfold::biniou::ChunkReader`",
        E::WrongTag { found, expected } => return of_tag(found, expected).map(Into::into),
        E::NoName { .. } => NAMES,
        E::Collision { second, .. } => {
            return Some(format!("use `#[serde(rename = \"{second}_\")]` on `{second}`").into());
        }
        E::MissingCells { .. } => "use `#[serde(default)]` on the last fields",
        E::Mark { found, .. } => MarkMismatch::hint(found),
        E::Inexact { mark, value } => of_number(mark, value),
        E::Rows { what, .. } if *what == E::SKIPPED => {
            "remove `skip_serializing_if`, or use `#[serde(default, with = \
             \"fourfold::biniou::with::optional\")]` in its place"
        }
        E::Rows { .. } => WITHOUT_TABLE,
        E::LengthMismatch { .. } => Announced::HINT,
        _ => return None,
    };
    Some(hint.into())
}

/// How a type reads a node of the tag `found`, if there is a way.
fn of_tag(found: &str, expected: &str) -> Option<&'static str> {
    Some(match (found, expected) {
        ("int32", INTEGERS) => with_hint!("biniou", int32 Int32, "the field of the number"),
        ("int64", INTEGERS) => with_hint!("biniou", int64 Int64, "the field of the number"),
        ("float32", "float64") => with_hint!("biniou", float32 Float32, "the field of the number"),
        ("float64", "float32") => "use `f64`, without the mark `float32`",
        ("int8", "string") => {
            concat!("for a `char`, ", with_hint!("biniou", char Char, "the field of the char"))
        }
        ("table", "tuple") => with_hint!("biniou", table Table, "the field of the array"),
        ("int32", "int64") => with_hint!("biniou", int32 Int32, "the field of the number"),
        ("int64", "int32") => with_hint!("biniou", int64 Int64, "the field of the number"),
        ("uvint" | "svint" | "int8" | "int16", "int32" | "int64") => "remove the mark",
        ("num_variant", _) => "use `Option<T>`",
        (_, "num_variant") => {
            "use `#[serde(default, with = \"fourfold::biniou::with::optional\")]` on a field that is \
             left out for `None`"
        }
        _ => return None,
    })
}

/// The narrowest mark that holds a number which `mark` does not.
fn of_number(mark: &str, value: &str) -> &'static str {
    macro_rules! wider {
        ($module:ident $wrapper:ident) => {
            concat!(
                with_hint!("biniou", $module $wrapper, "the field of the number"),
                ", or remove the mark"
            )
        };
    }
    let number = value.parse::<i128>().ok();
    match (mark, number) {
        ("int8", Some(0..=0xffff)) => wider!(int16 Int16),
        ("int8" | "int16", Some(number)) if i32::try_from(number).is_ok() => wider!(int32 Int32),
        ("int8" | "int16" | "int32", Some(number)) if i64::try_from(number).is_ok() => {
            wider!(int64 Int64)
        }
        ("uvint", Some(i128::MIN..0)) => wider!(svint Svint),
        _ => "remove the mark",
    }
}
