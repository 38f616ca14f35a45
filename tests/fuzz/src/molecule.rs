//! Molecule: the zoo, types with one encoding for each value, lazy values, records, and `explain`.

use fourfold::Path;
use fourfold::molecule::with::{DynVec, FixVec, Struct, Table};
use fourfold::molecule::{self, ErrorKind, Options, Result, at, from_slice};
use fourfold_inspect::spans::{all, molecule as spans};
use fourfold_schema::mol::path_of;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_bytes::ByteBuf;

mod records;

use crate::bound::Bound;
use crate::check::assert_covered;
use crate::parts::{self, Holder, Part, Parts, ReadResult};
use crate::support::zoo::{Key, Point};
use crate::zoo::{self, Format};

pub(crate) struct Molecule;

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

impl Parts for Molecule {
    /// There are no rules for lazy values alone.
    fn is_of_parts(_: &molecule::Error) -> bool {
        false
    }

    fn is_of_place(refused: &molecule::Error) -> bool {
        matches!(refused.kind(), ErrorKind::OffsetOrder { .. } | ErrorKind::OffsetBeyond { .. })
    }

    /// A reader of the whole list checks offsets first, and the bytes of a fixvec show the size of its items.
    fn in_order(list: &[u8], refused: &molecule::Error) -> bool {
        let first = list.first_chunk().map(|number| u32::from_le_bytes(*number) as usize);
        first == Some(list.len()) && !Self::is_of_place(refused)
    }

    /// Structs in a fixvec are packed.
    fn other_form<T: Part>(bytes: &[u8], is_field: bool) -> Option<ReadResult<Vec<T>, Self>> {
        Some(match is_field {
            true => from_slice(bytes).map(|holder: Holder<FixVec<Vec<T>>>| holder.value.0),
            false => from_slice(bytes).map(|FixVec(items)| items),
        })
    }

    fn write_other_form<T: Part>(items: Vec<T>) -> Option<Vec<u8>> {
        molecule::to_vec(&FixVec(items)).ok()
    }

    fn at<'p, W: Part, T: Part>(
        bytes: &[u8],
        names: Option<&'p str>,
        numbers: &'p str,
    ) -> Vec<(&'p str, ReadResult<T, Self>)> {
        let named = names.map(|names| (names, path_of::<W>(names)));
        let paths = named.into_iter().chain([(numbers, Path::new(numbers))]);
        paths.map(|(text, path)| (text, at(bytes, &path.unwrap()))).collect()
    }
}

/// Types with one encoding for each value.
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

/// Reads as a type of the zoo or, for larger numbers, as a type with one encoding for each value.
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

/// Explains each byte.
pub fn explain(input: &[u8]) {
    let bound = Bound { constant: 64 << 10, per_byte: 1024 };
    let spans = bound.hold("explain", input, || all(|each| spans::explain(input, "", each)));
    assert_covered("molecule", input.len(), &spans);
    assert!(!spans::layouts(input).is_empty());
}

/// Lazy values, compared with the whole message.
pub fn parts(input: &[u8]) {
    parts::molecule::read(input);
}

/// Reads records of the kind that the first byte selects.
pub fn records(input: &[u8]) {
    if let Some((&number, stream)) = input.split_first() {
        records::RECORDS[usize::from(number) % records::RECORDS.len()](stream);
    }
}

/// Records of each kind that [`records`] reads, and the number of the kind.
pub(crate) fn written_records(input: &[u8]) -> Vec<(u8, Vec<u8>)> {
    records::written(input)
}
