//! Molecule: the zoo, types with one spelling for each value, and what `explain` says.

use fourfold::molecule::with::{DynVec, FixVec, Struct, Table};
use fourfold::molecule::{self, ErrorKind, Options, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_bytes::ByteBuf;

use crate::bound::Bound;
use crate::support::spans::assert_covered;
use crate::support::zoo::{Key, Point};
use crate::zoo::{self, Format};

struct Molecule;

impl Format for Molecule {
    type Kind = ErrorKind;

    const NAME: &'static str = "molecule";
    const BOUND: Bound = Bound { constant: 64 << 10, per_byte: 64 };

    fn to_vec<T: Serialize>(value: &T) -> Result<Vec<u8>> {
        molecule::to_vec(value)
    }

    fn from_slice<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
        molecule::from_slice(bytes)
    }

    fn from_reader<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
        molecule::from_reader(bytes)
    }

    fn more<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
        Options::new().compatible(true).from_slice(bytes)
    }
}

/// Types with one spelling for each value.
const CANONICAL: &[fn(&[u8])] = &[
    |bytes| zoo::canonical::<Molecule, String>("String", bytes),
    |bytes| zoo::canonical::<Molecule, ByteBuf>("ByteBuf", bytes),
    |bytes| zoo::canonical::<Molecule, (u8, String)>("(u8, String)", bytes),
    |bytes| zoo::canonical::<Molecule, (u16, bool, char)>("(u16, bool, char)", bytes),
    |bytes| zoo::canonical::<Molecule, [String; 3]>("[String; 3]", bytes),
    |bytes| zoo::canonical::<Molecule, Option<Key>>("Option<Key>", bytes),
    |bytes| zoo::canonical::<Molecule, Vec<u16>>("Vec<u16>", bytes),
    |bytes| zoo::canonical::<Molecule, Vec<Vec<String>>>("Vec<Vec<String>>", bytes),
    |bytes| zoo::canonical::<Molecule, DynVec<Vec<Key>>>("DynVec<Vec<Key>>", bytes),
    |bytes| zoo::canonical::<Molecule, FixVec<Vec<(u8, u32)>>>("FixVec<Vec<(u8, u32)>>", bytes),
    |bytes| zoo::canonical::<Molecule, Table<(u8, Point)>>("Table<(u8, Point)>", bytes),
    |bytes| zoo::canonical::<Molecule, Struct<(bool, [u8; 2])>>("Struct<..>", bytes),
    |bytes| zoo::canonical::<Molecule, std::result::Result<Key, String>>("Result<..>", bytes),
    |bytes| {
        zoo::canonical::<Molecule, DynVec<Vec<DynVec<Vec<Option<String>>>>>>("DynVec<..>", bytes);
    },
];

pub(crate) fn written(input: &[u8]) -> Option<Vec<u8>> {
    zoo::write::<Molecule>(input)
}

/// Reads as a type of the zoo, or, past those, as one with a single spelling for each value.
pub fn decode(input: &[u8]) {
    zoo::decode::<Molecule>(input);
    if let Some((&number, message)) = input.split_first() {
        CANONICAL[usize::from(number) % CANONICAL.len()](message);
    }
}

/// Writes a type of the zoo.
pub fn encode(input: &[u8]) {
    zoo::encode::<Molecule>(input);
}

/// Tells what each byte is.
pub fn explain(input: &[u8]) {
    let bound = Bound { constant: 64 << 10, per_byte: 1024 };
    let spans = bound.hold("explain", input, || molecule::explain(input));
    assert_covered("molecule", input.len(), &spans);
    assert!(!molecule::layouts(input).is_empty());
}
