//! `from_slice` and a [`Deserializer`] return the same values and errors, and `small` reads nothing else.

use crate::damage::Messages;
use crate::marks::marked::*;
use crate::round_trip::{Hex, Value};
use crate::support::random;
use crate::support::random::Dice;
use fourfold::molecule::with::{Array, DynVec, FixVec, Struct, Table};
use fourfold::molecule::{self, Deserializer, from_slice, small};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Mutations per type.
const MUTATIONS: usize = if cfg!(debug_assertions) { 300 } else { 10_000 };

/// Reads with the public deserializer.
fn by_deserializer<T: Value>(message: &[u8]) -> molecule::Result<T> {
    let mut deserializer = Deserializer::from_slice(message);
    let value = T::deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// Checks that all ways agree on a message.
fn agree<T: Value>(name: &str, message: &[u8]) {
    let (value, other) = (from_slice::<T>(message), by_deserializer::<T>(message));
    // NaN is printed like itself.
    let same = match (&value, &other) {
        (Ok(value), Ok(other)) if value == other => true,
        _ => format!("{value:?}") == format!("{other:?}"),
    };
    assert!(same, "{name} {}: {value:?} and {other:?}", Hex(message));
    if let Ok(small) = small::from_slice::<T>(message) {
        let same = value
            .as_ref()
            .is_ok_and(|value| *value == small || format!("{value:?}") == format!("{small:?}"));
        assert!(same, "{name} {}: {small:?} alone, and {value:?}", Hex(message));
    }
}

fn compare<T: Value>(name: &str, make: impl Fn(&mut Dice) -> T) {
    let mut messages = Messages::of(name, make);
    if messages.is_empty() {
        return;
    }
    for _ in 0..MUTATIONS {
        agree::<T>(name, &messages.next());
    }
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
