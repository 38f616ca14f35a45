//! Damaged messages: memory, time and outcome of reading them.

use std::panic::{AssertUnwindSafe, catch_unwind};

use fourfold::{Error, Kind};

use super::alloc::measure_value;
use super::assert_reason;
use super::erased::{AnyType, Boxed};
use super::fixture::Hex;
use super::format::{Format, Outcome};
use super::random::Dice;

/// Changes a message. Bytes of other messages of its type may be inserted.
pub(crate) type Mutate = fn(&mut Vec<u8>, &[Vec<u8>], &mut Dice);

/// Messages and their mutations.
pub(crate) struct Messages {
    pub(crate) seeds: Vec<Vec<u8>>,
    dice: Dice,
    mutate: Mutate,
}

impl Messages {
    pub(crate) fn new(name: &str, seeds: Vec<Vec<u8>>, mutate: Mutate) -> Self {
        Messages { seeds, dice: Dice::of(name), mutate }
    }

    /// A message with one to three changes.
    pub(crate) fn next(&mut self) -> Vec<u8> {
        let mut message = self.seeds[self.dice.below(self.seeds.len())].clone();
        for _ in 0..=self.dice.below(3) {
            (self.mutate)(&mut message, &self.seeds, &mut self.dice);
        }
        message
    }
}

/// Reads with at most this many bytes of memory, and reports the input of a panic. Errors have a reason, and an offset in
/// the message.
pub(crate) fn bounded<T, K: Kind>(
    name: &str,
    message: &[u8],
    most: usize,
    read: impl FnOnce() -> Result<T, Error<K>>,
) -> Result<T, Error<K>> {
    let shown = Hex(message);
    let (read, memory) = measure_value(|| {
        catch_unwind(AssertUnwindSafe(read))
            .unwrap_or_else(|_| panic!("reading {name} from {shown} panics"))
    });
    assert!(memory.peak <= most, "{name} {shown} {memory:?}");
    if let Err(error) = &read {
        assert_reason(error, &shown);
        let is_inside = error.offset().is_some_and(|offset| offset <= message.len());
        assert!(is_inside, "{name} {shown}: {error}");
    }
    read
}

/// Asserts that an accepted value survives and is written with the same bytes again, or is refused by the writer.
/// Returns the bytes, if it was not refused.
pub(crate) fn stable<F: Format, S>(
    ty: &AnyType<F, S>,
    message: &[u8],
    read: Outcome<F, Boxed<F>>,
) -> Option<Vec<u8>> {
    let (name, shown) = (ty.name, Hex(message));
    let written = read.ok()?.to_vec().ok()?;
    let back = match ty.from_slice(&written) {
        Ok(back) => back,
        // The writer could not detect it.
        Err(_) if !ty.visible => return None,
        Err(error) => panic!("{name} from {shown} as {} is not read: {error}", Hex(&written)),
    };
    if ty.visible && !ty.has_hash_tables() {
        let again = back.to_vec().unwrap();
        assert_eq!(Hex(&again), Hex(&written), "{name} from {shown}");
    }
    Some(written)
}

/// Asserts that an accepted value is written with the bytes that were read.
pub(crate) fn assert_canonical<F: Format>(name: &str, message: &[u8], value: &Boxed<F>) {
    let shown = Hex(message);
    let written = value
        .to_vec()
        .unwrap_or_else(|error| panic!("{name} {shown} is read, not written: {error}"));
    assert_eq!(Hex(&written), shown, "{name} is written otherwise");
}
