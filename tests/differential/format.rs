//! Reads and writes values with each function of the four formats.

use fourfold::{Error, Kind};

use crate::draw::Marks;
use crate::known::Known;
use crate::marks;
use crate::schema::Type;
use crate::support::format::Options as _;
pub(crate) use crate::support::format::{
    Biniou, Chained, Format, Molecule, Primitiv, Refusal, Tsm,
};
use crate::target::{Target, next_is};
use crate::write::Value;

/// A depth limit that hardly any schema reaches. It disables the fast paths for small values, which do not count levels.
pub(crate) const DEPTH: u16 = 7;

/// The result of one way of reading or writing.
pub(crate) type Outcome<T> = Result<T, Refusal>;

/// The results of all ways. The others are compared with the first.
pub(crate) type Ways<T> = [(Way, Outcome<T>); 4];

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Way {
    /// `from_slice`, `to_vec`.
    Memory,
    /// `from_reader`, `to_writer`.
    Stream,
    /// `Deserializer`, `Serializer`.
    Bare,
    /// As `Memory`, with a limit of [`DEPTH`].
    Shallow,
}

/// A format, with its names and known differences.
pub(crate) trait Differential: Format + Known {
    const MARKS: Marks;
}

impl Differential for Biniou {
    const MARKS: Marks = marks::BINIOU;
}

impl Differential for Molecule {
    const MARKS: Marks = marks::MOLECULE;
}

impl Differential for Primitiv {
    const MARKS: Marks = marks::PRIMITIV;
}

impl Differential for Tsm {
    const MARKS: Marks = marks::TSM;
}

pub(crate) fn read<F: Format, T: Target>(schema: &Type, bytes: &[u8]) -> Ways<u64> {
    fn outcome<T: Target, K: Kind>(read: Result<T, Error<K>>) -> Outcome<u64> {
        read.map(Target::digest).map_err(Refusal::from)
    }

    next_is(schema);
    let memory = outcome(F::from_slice::<T>(bytes));
    let stream = outcome(F::from_reader::<T>(bytes));
    let bare = F::deserialize::<T>(bytes);
    let is_placeless = bare.as_ref().is_err_and(|error| error.offset().is_none());
    let mut bare = outcome(bare);
    if let (true, Err(refusal)) = (is_placeless, &mut bare) {
        // A `Deserializer` returns an error of the outermost type without an offset. `from_slice` adds that of the
        // first byte.
        refusal.text += " at byte 0";
    }
    let shallow = outcome(F::options().max_depth(DEPTH).from_slice::<T>(bytes));
    ways(memory, stream, bare, shallow)
}

pub(crate) fn write<F: Format>(value: &Value<'_>) -> Ways<Vec<u8>> {
    let mut stream = Vec::new();
    let streamed = F::to_writer(&mut stream, value).map(|()| stream);
    let shallow = F::options().max_depth(DEPTH).to_vec(value);
    let [memory, stream, bare, shallow] =
        [F::to_vec(value), streamed, F::serialize(value), shallow]
            .map(|written| written.map_err(Refusal::from));
    ways(memory, stream, bare, shallow)
}

/// Two concatenated values: by `take_from_slice`, and by one `Deserializer`.
pub(crate) fn read_two<F: Chained, T: Target>(
    schemas: [&Type; 2],
    bytes: &[u8],
) -> [Outcome<[u64; 2]>; 2] {
    let [first, second] = schemas;
    // Computed before the next value is read: a value without bytes has the digest of the last one.
    let digest = |one: T| {
        let one = one.digest();
        next_is(second);
        one
    };
    next_is(first);
    let taken = F::take_from_slice::<T>(bytes).and_then(|(one, rest)| {
        let one = digest(one);
        Ok([one, F::from_slice::<T>(rest)?.digest()])
    });
    next_is(first);
    let read = F::deserialize_two::<T, T, u64>(bytes, digest);
    let read = read.map(|(one, other)| [one, other.digest()]);
    [taken, read].map(|outcome| outcome.map_err(Refusal::from))
}

fn ways<T>(
    memory: Outcome<T>,
    stream: Outcome<T>,
    bare: Outcome<T>,
    shallow: Outcome<T>,
) -> Ways<T> {
    [(Way::Memory, memory), (Way::Stream, stream), (Way::Bare, bare), (Way::Shallow, shallow)]
}
