//! A [`Deserializer`] that was read to its end has read what [`from_slice`] reads, or refuses with
//! the same words: of every type of the zoo, and of messages that are damaged. But for one thing: it cannot
//! start over.

use crate::damage::Messages;
use crate::round_trip::{Document, Hex};
use crate::support::outcome::assert_same;
use crate::support::random::Dice;
use crate::support::zoo::{self, for_each_zoo_type};
use fourfold::primitiv::{self, Deserializer, from_slice};

/// Messages per type.
const CASES: usize = if cfg!(debug_assertions) { 120 } else { 5_000 };

fn step_by_step<T: Document>(bytes: &[u8]) -> primitiv::Result<T> {
    let mut deserializer = Deserializer::from_slice(bytes);
    let value = T::deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// An error of the type itself, after all bytes are read, is at the beginning for `from_slice` and
/// has no place for a `Deserializer`.
fn outcome<T>(read: primitiv::Result<T>) -> Result<T, String> {
    read.map_err(|error| match error.offset() {
        Some(_) => error.to_string(),
        None => format!("{error} at byte 0"),
    })
}

fn both<T: Document>(name: &str, make: fn(&mut Dice) -> T) {
    let mut messages = Messages::of(name, make);
    for _ in 0..CASES {
        let bytes = messages.next();
        let (whole, steps) = (from_slice::<T>(&bytes), step_by_step::<T>(&bytes));
        assert_same(&format_args!("{name} {}", Hex(&bytes)), &outcome(whole), &outcome(steps));
    }
}

macro_rules! tests {
    ($($word:ident $name:ident = $make:expr;)*) => {$(
        #[test]
        #[allow(non_snake_case, reason = "the name of a type")]
        fn $name() {
            #[allow(unused_imports, reason = "not every generator is by hand")]
            use crate::support::{random::value, zoo::*};
            both::<zoo::$name>(stringify!($name), $make);
        }
    )*};
}

for_each_zoo_type!(tests);
