//! All types of the zoo: a value survives, or it is refused.

pub(crate) mod kinds;
pub(crate) mod nil;

pub(crate) use crate::support::assert_reason;
use crate::support::erased::{self, AnyType, Reader, TestType, check_each};
pub(crate) use crate::support::fixture::Hex;
use crate::support::format::Primitiv;
pub(crate) use crate::support::outcome::Expected;
use crate::support::outcome::written;
use crate::support::zoo;
use fourfold::primitiv::Options;
use std::any::Any;

/// Values per type.
const CASES: usize = if cfg!(debug_assertions) { 200 } else { 4000 };

/// A type in primitiv.
pub(crate) type Type = AnyType<Primitiv>;

pub(crate) type Value = erased::Value<Primitiv>;

/// Types of random values, by name.
macro_rules! types {
    ($($name:ident: $type:ty;)*) => {
        vec![$(crate::round_trip::Type::new::<$type>(stringify!($name), crate::support::random::value)),*]
    };
}
pub(crate) use types;

/// The expected result: without it, a writer that refuses everything would pass.
fn owed(value: &dyn Any) -> Expected {
    fn refused<T: 'static>(value: &dyn Any, refused: impl FnOnce(&T) -> bool) -> Option<bool> {
        value.downcast_ref().map(refused)
    }
    // A skipped field is refused; this type always skips one.
    let refused = refused(value, |_: &zoo::SkipsIf| true)
        .or_else(|| {
            refused(value, |v: &zoo::SkippedVariant| {
                matches!(
                    v,
                    zoo::SkippedVariant::Hidden | zoo::SkippedVariant::Two { maybe: None, .. }
                )
            })
        })
        // Types with `flatten` are refused: the format has no names.
        .or_else(|| refused(value, |_: &zoo::FlattenStruct| true))
        .or_else(|| refused(value, |_: &zoo::FlattenMap| true))
        .or_else(|| refused(value, |_: &zoo::FlattenNested| true))
        .unwrap_or(false);
    if refused { Expected::Refusal } else { Expected::Bytes }
}

/// Like [`check_outcome`], for a value written by hand.
#[track_caller]
pub(crate) fn assert_outcome<T: TestType>(
    name: &'static str,
    value: &T,
    owed: Expected,
) -> Option<Vec<u8>> {
    check_outcome(&Type::of::<T>(name), value, owed)
}

/// Asserts that a written value survives with each reader, and is written with the same bytes again.
///
/// Returns the bytes, if it was not refused.
pub(crate) fn check_outcome(ty: &Type, value: &Value, owed: Expected) -> Option<Vec<u8>> {
    let bytes = written(ty, value, owed)?;
    assert_all_readers(ty, value, &bytes);
    Some(bytes)
}

/// Asserts that every reading function returns the value.
fn assert_all_readers(ty: &Type, value: &Value, bytes: &[u8]) {
    let (name, shown) = (ty.name, Hex(bytes));
    // More lenient readers read the same value.
    let read = ty
        .from_slice_with(&Options::new().lenient(true), bytes)
        .unwrap_or_else(|error| panic!("lenient reading of {name} {shown}: {error}"));
    assert_eq!(*read, *value, "lenient reading of {name} {shown}");

    let three = [bytes; 3].concat();
    let (read, rest) = ty
        .take_from_slice(&three)
        .unwrap_or_else(|error| panic!("take_from_slice of {name} {shown} three times: {error}"));
    assert_eq!(*read, *value, "take_from_slice of {name} {shown}");
    assert_eq!(rest.len(), 2 * bytes.len(), "take_from_slice of {name} {shown}");
    let lax = Options::new().allow_trailing(true);
    for reader in [Reader::Options(&lax), Reader::OptionsStream(&lax)] {
        assert_eq!(*ty.read(&reader, &three).unwrap(), *value, "{name} {shown}");
    }
    if !bytes.is_empty() {
        for error in [ty.from_slice(&three).unwrap_err(), ty.from_reader(&three).unwrap_err()] {
            assert_eq!(error.offset(), Some(bytes.len()), "{name} {shown}: {error}");
        }
    }
}

#[test]
fn every_type_is_read_back_or_refused() {
    check_each(&erased::zoo(), |ty| if ty.visible { visible(ty) } else { unseen(ty) });
}

/// Checks a type whose values serde shows completely.
pub(crate) fn visible(ty: &Type) {
    ty.check(CASES, |_, value| {
        check_outcome(ty, value, owed(value.as_any()));
    });
}

/// Checks a type whose values serde does not show completely: they survive, or the writer or reader refuses them.
pub(crate) fn unseen(ty: &Type) {
    ty.check(CASES, |_, value| {
        let Some(bytes) = equal_or_refused(ty, value, &Options::new()) else {
            return;
        };
        let (read, other) = (ty.from_slice(&bytes), ty.from_reader(&bytes));
        assert_eq!(read.ok(), other.ok(), "from_reader of {} {}", ty.name, Hex(&bytes));
    });
}

/// Returns the bytes, if the value is written.
fn equal_or_refused(ty: &Type, value: &Value, options: &Options) -> Option<Vec<u8>> {
    let name = ty.name;
    let bytes = match value.to_vec_with(options) {
        Ok(bytes) => bytes,
        Err(error) => {
            assert_reason(&error, &value);
            return None;
        }
    };
    assert_ne!(owed(value.as_any()), Expected::Refusal, "{name} {value:?} is written");
    match ty.from_slice_with(options, &bytes) {
        Ok(back) => assert_eq!(*back, *value, "{name} through {}", Hex(&bytes)),
        Err(error) => assert_reason(&error, &value),
    }
    Some(bytes)
}

/// Types that call `deserialize_any` survive or are refused.
#[test]
fn unseen_types_are_read_leniently_or_refused() {
    use crate::support::zoo::*;
    use serde_json::Value;

    let types: Vec<Type> = vec![
        Type::new("FlattenNested", FlattenNested::sample),
        Type::new("Untagged", Untagged::sample),
        Type::new("UntaggedItems", UntaggedItems::sample),
        Type::new("Internal", Internal::sample),
        Type::new("AdjacentLoose", AdjacentLoose::sample),
        Type::new("WriteOnly", WriteOnly::sample),
        Type::new("Json", |dice| unnumbered(json(dice))),
    ];
    let lenient = Options::new().lenient(true);
    check_each(&types, |ty| {
        ty.check(CASES, |_, value| {
            equal_or_refused(ty, value, &lenient);
        });
    });

    /// With numbers of arbitrary precision, serde writes text, which is read back as text.
    fn unnumbered(value: Value) -> Value {
        match value {
            Value::Number(_) => Value::Null,
            Value::Array(items) => items.into_iter().map(unnumbered).collect(),
            Value::Object(fields) => {
                fields.into_iter().map(|(key, value)| (key, unnumbered(value))).collect()
            }
            other => other,
        }
    }
}
