//! Properties of all types of the zoo in all formats.

use fourfold::{Error, Kind};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

use crate::bound::Bound;
use crate::draws::Draws;
use crate::support::fixture::hex;
use crate::support::random::{Dice, once};
#[allow(clippy::wildcard_imports, reason = "generators are named without their module")]
use crate::support::zoo::*;

/// A format with its four functions.
pub(crate) trait Format {
    type Kind: Kind;

    const NAME: &'static str;

    /// Maximum memory for reading a type of the zoo.
    const BOUND: Bound;

    fn to_vec<T: Serialize>(value: &T) -> Result<Vec<u8>, Error<Self::Kind>>;
    fn from_slice<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Error<Self::Kind>>;
    fn from_reader<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Error<Self::Kind>>;

    /// Reading with options that accept more.
    fn more<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Error<Self::Kind>>;
}

/// A type and its fuzzed functions.
struct Entry {
    decode: fn(&[u8]),
    encode: fn(&[u8]),
    /// Writes a generated value.
    write: fn(&[u8]) -> Option<Vec<u8>>,
}

/// Maximum number of items of a generated value.
const BUDGET: usize = 60;

macro_rules! draw {
    (value, $type:ty, $input:expr) => {
        once::<$type>(&mut Draws::new($input), BUDGET, false).ok()
    };
    // Made by hand, out of a seed.
    ($first:ident $(:: $second:ident)?, $type:ty, $input:expr) => {{
        let mut seed = [0; 8];
        let len = $input.len().min(8);
        seed[..len].copy_from_slice(&$input[..len]);
        Some($first $(:: $second)? (&mut Dice::new(u64::from_le_bytes(seed))))
    }};
}

macro_rules! table {
    ($($word:ident $name:ident = $first:ident $(:: $second:ident)?;)*) => {
        &[$(Entry {
            decode: |message| {
                decode_as::<F, $name>(stringify!($name), stringify!($word), message);
            },
            encode: |input| {
                let drawn = draw!($first $(:: $second)?, $name, input);
                if let Some(value) = drawn {
                    encode_as::<F, $name>(stringify!($name), stringify!($word), &value);
                }
            },
            write: |input| F::to_vec(&draw!($first $(:: $second)?, $name, input)?).ok(),
        },)*]
    };
}

macro_rules! number {
    ($($word:ident $name:ident = $first:ident $(:: $second:ident)?;)*) => {
        [$(stringify!($name)),*].len()
    };
}

fn table<F: Format>() -> &'static [Entry] {
    for_each_zoo_type!(table)
}

pub(crate) fn count() -> usize {
    for_each_zoo_type!(number)
}

/// Reads as the type of the first byte.
pub(crate) fn decode<F: Format>(input: &[u8]) {
    if let Some((&number, message)) = input.split_first() {
        let table = table::<F>();
        (table[usize::from(number) % table.len()].decode)(message);
    }
}

/// Writes a value of the type of the first byte.
pub(crate) fn encode<F: Format>(input: &[u8]) {
    if let Some((&number, input)) = input.split_first() {
        let table = table::<F>();
        (table[usize::from(number) % table.len()].encode)(input);
    }
}

/// Reads with bounded memory. Asserts that an error has a reason, on one line, and an offset.
pub(crate) fn read<F: Format, T: DeserializeOwned>(
    name: &str,
    message: &[u8],
) -> Result<T, Error<F::Kind>> {
    let read = F::BOUND.hold(name, message, || F::from_slice::<T>(message));
    if let Err(error) = &read {
        assert_reason(error, message);
    }
    read
}

pub(crate) fn assert_reason<K: Kind>(error: &Error<K>, message: &[u8]) {
    let (kind, text) = (error.kind().to_string(), error.to_string());
    assert!(!kind.trim().is_empty() && text.contains(&kind), "{text} of {}", hex(message));
    assert_eq!(text.lines().count(), 1, "{text} of {}", hex(message));
    let place = error.offset();
    assert!(place.is_some_and(|at| at <= message.len()), "{text} of {}", hex(message));
}

/// Asserts that an accepted message has the same value with each function, and that the value survives.
pub(crate) fn decode_as<F, T>(name: &str, word: &str, message: &[u8])
where
    F: Format,
    T: Serialize + DeserializeOwned,
{
    let read = read::<F, T>(name, message);
    let streamed = F::from_reader::<T>(message);
    let more = F::more::<T>(message);
    let value = match (read, streamed) {
        (Ok(value), Ok(_)) => value,
        (Err(error), Err(other)) => {
            assert_eq!(error.to_string(), other.to_string(), "{name} of {}", hex(message));
            return;
        }
        (read, _) => panic!("{name} of {}: slice reads {}", hex(message), read.is_ok()),
    };
    let more = more.unwrap_or_else(|error| panic!("{name} of {}: {error}", hex(message)));
    let Ok(written) = F::to_vec(&value) else {
        return;
    };
    let back: T = match F::from_slice(&written) {
        Ok(back) => back,
        // The writer could not detect it.
        Err(_) if word == "unseen" => return,
        Err(error) => {
            panic!("{name} of {} as {} is not read: {error}", hex(message), hex(&written))
        }
    };
    // Hash tables have any order.
    if word != "unseen" && !name.contains("Hash") {
        let shown = hex(&written);
        assert_eq!(hex(&F::to_vec(&back).unwrap()), shown, "{name} of {}", hex(message));
        assert_eq!(hex(&F::to_vec(&more).unwrap()), shown, "{name} of {}", hex(message));
    }
}

/// The bytes that [`encode`] writes.
pub(crate) fn write<F: Format>(input: &[u8]) -> Option<Vec<u8>> {
    let (&number, input) = input.split_first()?;
    let table = table::<F>();
    (table[usize::from(number) % table.len()].write)(input)
}

/// Asserts that a value survives, or is refused with a reason.
pub(crate) fn encode_as<F, T>(name: &str, word: &str, value: &T)
where
    F: Format,
    T: Serialize + DeserializeOwned + PartialEq + Debug,
{
    let format = F::NAME;
    let written = match F::to_vec(value) {
        Ok(written) => written,
        Err(error) => {
            let text = error.to_string();
            assert!(!text.trim().is_empty() && text.lines().count() == 1, "{text}");
            return;
        }
    };
    match F::from_slice::<T>(&written) {
        Ok(_) if TORN.contains(&name) => {}
        // biniou has no maps: for `deserialize_any`, an empty one is an empty list, as its guide documents.
        Ok(_) if (format, name, written.as_slice()) == ("biniou", "Json", &[0x13, 0]) => {}
        Ok(back) => assert_eq!(&back, value, "{format} {name} through {}", hex(&written)),
        Err(_) if word == "unseen" => {}
        Err(error) => panic!("{format} {name} {value:?} as {}: {error}", hex(&written)),
    }
}

/// Asserts that an accepted message is written with the same bytes.
pub(crate) fn canonical<F, T>(name: &str, message: &[u8])
where
    F: Format,
    T: Serialize + DeserializeOwned,
{
    if let Ok(value) = read::<F, T>(name, message) {
        let written = F::to_vec(&value)
            .unwrap_or_else(|error| panic!("{name} of {} is not written: {error}", hex(message)));
        assert_eq!(hex(&written), hex(message), "{name} is written otherwise");
    }
}
