//! Refusals of several formats: limits, and errors of `Serialize` implementations written by hand.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, SerializeTuple, Serializer};

use super::Refusals;
use crate::support::format::{Format, Options as _};

const IGNORED: &str = "the type ignored an error of a nested value; return that error from its `Serialize` or \
                       `Deserialize` implementation";

/// The limits of depth and input, with the offset of a value that is too deep for the reader.
pub(crate) fn limits<F: Format>(too_deep: usize) {
    let mut rows = Refusals::<F>::new();
    let deep = vec![vec![vec![1_u8]]];
    let bytes = F::to_vec(&deep).unwrap();
    let (flat, deeper) = (F::options().max_depth(2), F::options().max_depth(3));
    let (fact, fix) = ("nested deeper than 2 levels in [0][0]", "`Options::max_depth`");
    let hint = "use `Options::max_depth` to allow more";
    rows.result(flat.to_vec(&deep), &format!("{fact}; {hint}")).by(
        fix,
        deeper.to_vec(&deep).unwrap(),
        bytes.clone(),
    );
    let read = flat.from_slice::<Vec<Vec<Vec<u8>>>>(&bytes);
    rows.result(read, &format!("{fact} at byte {too_deep}; {hint}")).by(
        fix,
        deeper.from_slice(&bytes).unwrap(),
        deep.clone(),
    );
    rows.result(
        F::options().max_input(5).from_reader::<Vec<Vec<Vec<u8>>>>(&*bytes),
        "input is longer than 5 bytes at byte 5; use `Options::max_input` to allow more",
    )
    .by(
        "`Options::max_input`",
        F::options().max_input(100).from_reader(&*bytes).unwrap(),
        deep,
    );
    assert_eq!(rows.rows(), 3);
}

/// Announces another number of elements than it has.
struct Counts(usize, usize);

impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut seq = to.serialize_seq(Some(self.0))?;
        (0..self.1).try_for_each(|_| seq.serialize_element(&1_u8))?;
        seq.end()
    }
}

struct KeyOnly;

impl Serialize for KeyOnly {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(1))?;
        map.serialize_key(&1_u8)?;
        map.end()
    }
}

/// The same with entries.
struct CountsEntries(usize, usize);

impl Serialize for CountsEntries {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(self.0))?;
        (0..self.1).try_for_each(|_| map.serialize_entry(&1_u8, "x"))?;
        map.end()
    }
}

struct Tuple;

impl Serialize for Tuple {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut tuple = to.serialize_tuple(2)?;
        tuple.serialize_element(&1_u8)?;
        tuple.end()
    }
}

/// Ignores or returns the error of its only element.
struct Nested<T> {
    ignores: bool,
    inner: T,
}

impl<T: Serialize> Serialize for Nested<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut seq = to.serialize_seq(Some(1))?;
        let result = seq.serialize_element(&self.inner);
        if !self.ignores {
            result?;
        }
        seq.end()
    }
}

const GIVEN: &str = "pass the number of items that follow to the serializer";

fn announced(announced: usize, given: usize, place: &str) -> String {
    let items = if announced == 1 { "item" } else { "items" };
    format!(
        "{announced} {items} announced and {given} given{place}; {GIVEN}, in the `Serialize` implementation"
    )
}

/// Refusals of `Serialize` implementations written by hand: a key without a value, and an ignored error.
pub(crate) fn serialize_by_hand<F: Format>() {
    let mut rows = Refusals::<F>::new();
    let _ = rows.written(&KeyOnly, &announced(1, 0, ""));
    let given = || Nested { ignores: false, inner: Counts(1, 1) };
    rows.written(&Nested { ignores: true, inner: KeyOnly }, IGNORED).by(
        "return that error",
        F::to_vec(&given()).unwrap(),
        F::to_vec(&[[1_u8].as_slice()].as_slice()).unwrap(),
    );
    assert_eq!(rows.rows(), 2);
}

/// Counts, for a format that writes them before the items. `extra` is the position at which an additional item is refused.
pub(crate) fn counts<F: Format>(extra: &str) {
    let mut rows = Refusals::<F>::new();
    for (promised, items, place) in [(1, 0, ""), (0, 1, extra), (2, 1, "")] {
        rows.written(&Counts(promised, items), &announced(promised, items, place)).by(
            GIVEN,
            F::to_vec(&Counts(items, items)).unwrap(),
            F::to_vec(&vec![1_u8; items]).unwrap(),
        );
    }
    for (promised, entries) in [(3, 2), (2, 3)] {
        let text = F::to_vec(&CountsEntries(promised, entries)).unwrap_err().to_string();
        let announced = format!("{promised} items announced and {entries} given");
        assert!(text.starts_with(&announced), "{text}");
    }
    let _ = rows.written(&Tuple, &announced(2, 1, ""));
    let _ = rows.written(&Nested { ignores: true, inner: Counts(1, 0) }, IGNORED);
    assert_eq!(rows.rows(), 5);
}
