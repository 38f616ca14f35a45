//! No third outcome, over the zoo: what is written reads back equal, or it is refused.

pub(crate) mod kinds;
pub(crate) mod nil;

use crate::support::fact;
use crate::support::format::{Primitiv, assert_read_alike, assert_written_alike};
use crate::support::random;
use crate::support::random::Dice;
use crate::support::zoo;
use fourfold::primitiv::{
    CommonKind, Error, ErrorKind, Options, from_reader, from_slice, take_from_slice, to_vec,
    to_writer,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::any::Any;
use std::fmt::{self, Debug};

/// Values per type.
const CASES: usize = if cfg!(debug_assertions) { 200 } else { 4000 };

pub(crate) trait Document:
    Serialize + DeserializeOwned + PartialEq + Debug + 'static
{
}
impl<T: Serialize + DeserializeOwned + PartialEq + Debug + 'static> Document for T {}

/// What the writer owes a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Owed {
    Bytes,
    Refusal,
}

/// Without these expectations, a writer that refuses everything would pass.
fn owed(value: &dyn Any) -> Owed {
    fn refused<T: 'static>(value: &dyn Any, refused: impl FnOnce(&T) -> bool) -> Option<bool> {
        value.downcast_ref().map(refused)
    }
    // A field that is skipped has no place; here there always is one.
    let refused = refused(value, |_: &zoo::SkipsIf| true)
        .or_else(|| {
            refused(value, |v: &zoo::SkippedVariant| {
                matches!(
                    v,
                    zoo::SkippedVariant::Hidden | zoo::SkippedVariant::Two { maybe: None, .. }
                )
            })
        })
        // Nothing shows the names of fields.
        .or_else(|| refused(value, |_: &zoo::FlattenStruct| true))
        .or_else(|| refused(value, |_: &zoo::FlattenMap| true))
        .or_else(|| refused(value, |_: &zoo::FlattenNested| true))
        .unwrap_or(false);
    if refused { Owed::Refusal } else { Owed::Bytes }
}

/// Every error has a reason.
pub(crate) fn assert_reason(error: &Error, about: &dyn Debug) {
    let (kind, text) = (error.kind().to_string(), error.to_string());
    assert!(!kind.trim().is_empty(), "no reason: {about:?}");
    assert!(text.starts_with(kind.as_str()), "{text} does not say {kind}: {about:?}");
    // serde's error for an unknown name has that name in it unchanged.
    let own = !matches!(error.kind(), ErrorKind::Common(CommonKind::Message(_)));
    assert!(!own || text.lines().count() == 1, "{text}");
    if let Some(offset) = error.offset() {
        assert!(fact(&text).ends_with(&format!("at byte {offset}")), "{text}");
    }
    if !error.path().is_empty() {
        assert!(text.contains(&format!(" in {}", error.path())), "{text}");
    }
}

/// What is written reads back equal, by every way in, and is written the same again.
///
/// The bytes, if there are any.
#[track_caller]
pub(crate) fn assert_outcome<T: Document>(name: &str, value: &T, owed: Owed) -> Option<Vec<u8>> {
    let bytes = match to_vec(value) {
        Err(error) => {
            assert_reason(&error, value);
            assert_ne!(owed, Owed::Bytes, "{name} {value:?} is refused: {error}");
            let written = to_writer(Vec::new(), value);
            assert!(written.is_err(), "only to_vec refuses {name} {value:?}");
            return None;
        }
        Ok(bytes) => bytes,
    };
    let shown = Hex(&bytes);
    assert_ne!(owed, Owed::Refusal, "{name} {value:?} is written: {shown}");

    // Equal hash tables are written alike as long as they are not moved.
    assert_written_alike::<Primitiv, T>(name, value, &bytes);

    let back: T = from_slice(&bytes)
        .unwrap_or_else(|error| panic!("{name} {value:?} as {shown} is not read: {error}"));
    assert_eq!(&back, value, "{name} through {shown}");
    if !name.contains("Hash") {
        let again = to_vec(&back).unwrap();
        assert_eq!(Hex(&again), shown, "{name} {value:?} written again");
    }
    assert_all_readers(name, value, &bytes);
    Some(bytes)
}

/// Every reading function returns the value.
#[track_caller]
fn assert_all_readers<T: Document>(name: &str, value: &T, bytes: &[u8]) {
    let shown = Hex(bytes);
    assert_read_alike::<Primitiv, T>(name, value, bytes);

    // Readers that accept more read this as the same value.
    let lenient = Options::new().lenient(true);
    let read: T = lenient
        .from_slice(bytes)
        .unwrap_or_else(|error| panic!("lenient reading of {name} {shown}: {error}"));
    assert_eq!(&read, value, "lenient reading of {name} {shown}");

    let three = [bytes; 3].concat();
    let (read, rest) = take_from_slice::<T>(&three)
        .unwrap_or_else(|error| panic!("take_from_slice of {name} {shown} three times: {error}"));
    assert_eq!(&read, value, "take_from_slice of {name} {shown}");
    assert_eq!(rest.len(), 2 * bytes.len(), "take_from_slice of {name} {shown}");
    let lax = Options::new().allow_trailing(true);
    assert_eq!(&lax.from_slice::<T>(&three).unwrap(), value, "{name} {shown}");
    assert_eq!(&lax.from_reader::<_, T>(&*three).unwrap(), value, "{name} {shown}");
    if !bytes.is_empty() {
        let error = from_slice::<T>(&three).unwrap_err();
        assert_eq!(error.offset(), Some(bytes.len()), "{name} {shown}: {error}");
        let error = from_reader::<_, T>(&*three).unwrap_err();
        assert_eq!(error.offset(), Some(bytes.len()), "{name} {shown}: {error}");
    }
}

/// The bytes of every value that serde shows in full.
pub(crate) fn visible<T: Document>(name: &str, make: fn(&mut Dice) -> T) {
    random::check(name, CASES, make, |_, value| {
        assert_outcome(name, &value, owed(&value));
    });
}

/// Values of which serde shows only a part are read back equal, or are refused, by writer or reader.
pub(crate) fn unseen<T: Document>(name: &str, make: fn(&mut Dice) -> T) {
    random::check(name, CASES, make, |_, value| {
        let Some(bytes) = equal_or_refused(name, &value, &Options::new()) else {
            return;
        };
        let shown = Hex(&bytes);
        let (read, other) = (from_slice::<T>(&bytes), from_reader::<_, T>(bytes.as_slice()));
        assert_eq!(read.ok(), other.ok(), "from_reader of {name} {shown}");
    });
}

/// What is written, if it is.
#[track_caller]
pub(crate) fn equal_or_refused<T: Document>(
    name: &str,
    value: &T,
    options: &Options,
) -> Option<Vec<u8>> {
    let bytes = match options.to_vec(value) {
        Ok(bytes) => bytes,
        Err(error) => {
            assert_reason(&error, value);
            return None;
        }
    };
    assert_ne!(owed(value), Owed::Refusal, "{name} {value:?} is written");
    match options.from_slice::<T>(&bytes) {
        Ok(back) => assert_eq!(&back, value, "{name} through {}", Hex(&bytes)),
        Err(error) => assert_reason(&error, value),
    }
    Some(bytes)
}

/// A type that calls `deserialize_any` gets the same or nothing.
mod lenient {
    use super::{CASES, Document, equal_or_refused, random};
    use crate::support::random::Dice;
    use fourfold::primitiv::Options;

    fn unseen<T: Document>(name: &str, make: fn(&mut Dice) -> T) {
        let lenient = Options::new().lenient(true);
        random::check(name, CASES, make, |_, value| {
            equal_or_refused(name, &value, &lenient);
        });
    }

    macro_rules! types {
        ($($name:ident)*) => {$(
            #[test]
            #[allow(non_snake_case, reason = "the name of a type")]
            fn $name() {
                use crate::support::zoo;
                unseen::<zoo::$name>(stringify!($name), zoo::$name::sample);
            }
        )*};
    }
    types! { FlattenNested Untagged UntaggedItems Internal AdjacentLoose WriteOnly }

    #[test]
    fn json() {
        unseen::<serde_json::Value>("Json", |g| unnumbered(crate::support::zoo::json(g)));
    }

    /// Numbers of any precision are text to serde, and are read back as such.
    fn unnumbered(value: serde_json::Value) -> serde_json::Value {
        use serde_json::Value;
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

/// One test per type.
macro_rules! outcomes {
    ($($word:ident $name:ident = $make:expr;)*) => {$(
        #[test]
        #[allow(non_snake_case, reason = "the name of a type")]
        fn $name() {
            #[allow(unused_imports, reason = "not every generator is by hand")]
            use crate::support::{random::value, zoo::*};
            $word::<zoo::$name>(stringify!($name), $make);
        }
    )*};
}

mod types {
    use super::{unseen, visible};
    use crate::support::zoo::{self, for_each_zoo_type};

    for_each_zoo_type!(outcomes);
}

/// Bytes as hex, for messages and comparisons that are read by people.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Hex<'a>(pub(crate) &'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes ", self.0.len())?;
        self.0.iter().take(4000).try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Debug for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
