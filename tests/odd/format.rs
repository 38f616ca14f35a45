//! The four formats, each by all of its ways. Knows their public face, does not know their bytes.

use std::fmt;

use fourfold::Category;
use serde::Serialize;

use crate::draw::Marks;
use crate::known::Known;
use crate::marks;
use crate::schema::Type;
use crate::target::{Target, next_is};
use crate::write::Value;

/// A depth limit that hardly any schema reaches by itself, and that is too small for the ways that
/// are for small values: those do not count levels, and are not tried.
pub(crate) const DEPTH: u16 = 7;

/// An error, of which all is compared that a user sees.
#[derive(Clone, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) text: String,
    pub(crate) category: Category,
}

impl fmt::Debug for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.category, self.text)
    }
}

/// What reading or writing in one way came to.
pub(crate) type Outcome<T> = Result<T, Refusal>;

/// The same in each way. The first is what the others are compared with.
pub(crate) type Ways<T> = [(Way, Outcome<T>); 4];

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Way {
    /// `from_slice`, `to_vec`.
    Memory,
    /// `from_reader`, `to_writer`.
    Stream,
    /// `Deserializer`, `Serializer`.
    Bare,
    /// The first with a limit of [`DEPTH`].
    Shallow,
}

pub(crate) trait Format: Known {
    const MARKS: Marks;

    fn read<T: Target>(schema: &Type, bytes: &[u8]) -> Ways<u64>;

    fn write(value: &Value<'_>) -> Ways<Vec<u8>>;
}

/// A format whose documents end by themselves.
pub(crate) trait Chained: Format {
    /// Two values behind one another: by `take_from_slice`, and by one `Deserializer`.
    fn read_two<T: Target>(schemas: [&Type; 2], bytes: &[u8]) -> [Outcome<[u64; 2]>; 2];
}

macro_rules! formats {
    ($($format:ident $type:ident $marks:ident)*) => {$(
        pub(crate) struct $type;

        impl Format for $type {
            const MARKS: Marks = marks::$marks;

            fn read<T: Target>(schema: &Type, bytes: &[u8]) -> Ways<u64> {
                use fourfold::$format::{Deserializer, Options, Result, from_reader, from_slice};

                let outcome = |read: Result<T>| match read {
                    Ok(value) => Ok(value.digest()),
                    Err(error) => Err(refusal!(error)),
                };
                next_is(schema);
                let memory = outcome(from_slice(bytes));
                let stream = outcome(from_reader(bytes));
                let mut deserializer = Deserializer::from_slice(bytes);
                let bare = T::deserialize(&mut deserializer)
                    .and_then(|value| deserializer.end().map(|()| value));
                let is_placeless = bare.as_ref().is_err_and(|error| error.offset().is_none());
                let mut bare = outcome(bare);
                if let (true, Err(refusal)) = (is_placeless, &mut bare) {
                    // What the outermost type says of itself has no surroundings that give it a
                    // place; only a whole document's reader knows that it is the first byte.
                    refusal.text += " at byte 0";
                }
                let shallow = outcome(Options::new().max_depth(DEPTH).from_slice(bytes));
                ways(memory, stream, bare, shallow)
            }

            fn write(value: &Value<'_>) -> Ways<Vec<u8>> {
                use fourfold::$format::{Options, Serializer, to_vec, to_writer};

                let mut stream = Vec::new();
                let streamed = to_writer(&mut stream, value).map(|()| stream);
                let mut serializer = Serializer::new(Vec::new());
                let bare = value.serialize(&mut serializer).map(|_| serializer.into_inner());
                let shallow = Options::new().max_depth(DEPTH).to_vec(value);
                let [memory, stream, bare, shallow] = [to_vec(value), streamed, bare, shallow]
                    .map(|written| written.map_err(|error| refusal!(error)));
                ways(memory, stream, bare, shallow)
            }
        }
    )*};
}

macro_rules! refusal {
    ($error:ident) => {
        Refusal { text: $error.to_string(), category: $error.category() }
    };
}

formats! {
    biniou Biniou BINIOU
    molecule Molecule MOLECULE
    primitiv Primitiv PRIMITIV
    tsm Tsm TSM
}

fn ways<T>(
    memory: Outcome<T>,
    stream: Outcome<T>,
    bare: Outcome<T>,
    shallow: Outcome<T>,
) -> Ways<T> {
    [(Way::Memory, memory), (Way::Stream, stream), (Way::Bare, bare), (Way::Shallow, shallow)]
}

macro_rules! chained {
    ($($format:ident $type:ident)*) => {$(
        impl Chained for $type {
            fn read_two<T: Target>(schemas: [&Type; 2], bytes: &[u8]) -> [Outcome<[u64; 2]>; 2] {
                use fourfold::$format::{Deserializer, take_from_slice, from_slice};

                let [first, second] = schemas;
                next_is(first);
                let taken = take_from_slice::<T>(bytes).and_then(|(one, rest)| {
                    // Before the next one is read: a value without bytes tells of the last.
                    let one = one.digest();
                    next_is(second);
                    Ok([one, from_slice::<T>(rest)?.digest()])
                });
                let mut deserializer = Deserializer::from_slice(bytes);
                next_is(first);
                let read = T::deserialize(&mut deserializer).and_then(|one| {
                    let one = one.digest();
                    next_is(second);
                    let other = T::deserialize(&mut deserializer)?;
                    deserializer.end().map(|()| [one, other.digest()])
                });
                [taken, read].map(|outcome| outcome.map_err(|error| refusal!(error)))
            }
        }
    )*};
}

chained! {
    biniou Biniou
    primitiv Primitiv
    tsm Tsm
}
