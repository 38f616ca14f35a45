//! `from_slice` makes a quick attempt first, and a [`Deserializer`] never does. Nobody can tell.

use crate::damage::Messages;
use crate::marks::marked::*;
use crate::round_trip::{Hex, Value};
use crate::support::random;
use crate::support::random::Dice;
use fourfold::molecule::with::{Array, DynVec, FixVec, Struct, Table};
use fourfold::molecule::{self, Deserializer, Error, ErrorKind, from_slice, small};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Mutations per type.
const MUTATIONS: usize = if cfg!(debug_assertions) { 300 } else { 10_000 };

/// The slow way.
fn exactly<T: Value>(message: &[u8]) -> molecule::Result<T> {
    let mut deserializer = Deserializer::from_slice(message);
    let value = T::deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// Whether both ways agree on a message. Where a packed tuple has been taken for a table, they need
/// not.
fn agree<T: Value>(name: &str, message: &[u8]) -> bool {
    let (quick, exact) = (from_slice::<T>(message), exactly::<T>(message));
    if let Ok(small) = small::from_slice::<T>(message) {
        let same = quick
            .as_ref()
            .is_ok_and(|quick| *quick == small || format!("{quick:?}") == format!("{small:?}"));
        assert!(same, "{name} {}: {small:?} alone, and {quick:?}", Hex(message));
    }
    match (quick, exact) {
        // NaN is printed like itself.
        (Ok(quick), Ok(exact)) => {
            let same = quick == exact || format!("{quick:?}") == format!("{exact:?}");
            assert!(same, "{name} {}: {quick:?} and {exact:?}", Hex(message));
            true
        }
        (Err(quick), Err(exact)) => {
            // What a type says of itself has no place, for lack of surroundings that know one.
            let place = exact.offset().map_or(" at byte 0", |_| "");
            let same = quick.to_string() == format!("{exact}{place}")
                && quick.offset() == exact.offset().or(Some(0))
                && format!("{:?} {:?}", quick.kind(), quick.path())
                    == format!("{:?} {:?}", exact.kind(), exact.path());
            let excused = cannot_know(&exact) || is_guessed(name, message);
            assert!(same || excused, "{name} {}: {quick} and {exact}", Hex(message));
            same
        }
        (Ok(_), Err(exact)) => {
            assert!(cannot_know(&exact), "{name} {}: accepted, and {exact}", Hex(message));
            false
        }
        (Err(quick), Ok(_)) => panic!("{name} {}: {quick}, and accepted", Hex(message)),
    }
}

/// A deserializer cannot start over.
fn cannot_know(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::AmbiguousTuple)
}

/// Whether that is a `Carrier` of a packed tuple whose bytes begin with their own size, as a table's do.
/// If both readings fail, `from_slice` tells of the other one.
fn is_guessed(name: &str, message: &[u8]) -> bool {
    let word = |at: usize| Some(u32::from_le_bytes(*message.get(at..)?.first_chunk()?));
    let (id, size) = (word(0), word(4).and_then(|size| usize::try_from(size).ok()));
    name == "Carrier" && matches!(id, Some(4 | 10)) && size == message.len().checked_sub(4)
}

fn compare<T: Value>(name: &str, make: impl Fn(&mut Dice) -> T) {
    let mut messages = Messages::of(name, make);
    if messages.is_empty() {
        return;
    }
    let differing = (0..MUTATIONS).filter(|_| !agree::<T>(name, &messages.next())).count();
    assert!(differing < MUTATIONS / 10, "{name} differs {differing} times");
    for cut in 0..40 {
        let message = messages.next();
        agree::<T>(name, message.get(..cut).unwrap_or(&message));
    }
}

mod zoo_types {
    use super::compare;
    use crate::support::zoo::{self, for_each_zoo_type};

    macro_rules! tests {
        ($($word:ident $name:ident = $make:expr;)*) => {$(
            #[test]
            #[allow(non_snake_case, reason = "the name of a type")]
            fn $name() {
                #[allow(unused_imports, reason = "not every generator is by hand")]
                use crate::support::{random::value, zoo::*};
                compare::<zoo::$name>(stringify!($name), $make);
            }
        )*};
    }
    for_each_zoo_type!(tests);
}

#[test]
fn of_marked_types() {
    use crate::support::zoo::{Either, Generic, Key, Pair, Point, Shape};
    type Strings = Vec<String>;

    macro_rules! marked {
        ($($name:ident: $marked:ty => $plain:ty;)*) => {
            $( compare::<$marked>(stringify!($name), random::value); )*
        };
    }
    for_each_marked_type!(marked);
}
