//! The exact reading: says what is wrong, and reads what nearly no document has. Compiled once, with
//! the traits of [`glue`](crate::glue::de). Knows what the fast reading leaves to it.
//!
//! The files in `reader/` are those of [`fast`](super::fast), too. There they mean other traits and
//! another error: what they take from `super`.

mod adjacent;
#[path = "reader/compound.rs"]
mod compound;
#[path = "reader/entries.rs"]
mod entries;
#[path = "reader/fields.rs"]
mod fields;
mod fixvec_map;
mod items;
mod packed;
mod tuple;
#[path = "reader/union.rs"]
mod union;
#[path = "reader/value.rs"]
mod value;

use self::adjacent::{content as any, identifier, without_content};
use self::fixvec_map::fixvec_map;
use self::items::{empty_dynvec, fixvec};
use self::packed::{packed, whole};
use self::tuple::read as tuple;
pub(super) use self::value::ValueReader;
use super::hint;
use super::parts::{FieldCount, PackedIn};
use super::reading::Reading as _;
use super::reading::{Notes, Surroundings};
use super::session::{Exact, Keeping as Kept, Session};
#[cfg(feature = "any")]
use crate::any::{Limits, Part};
use crate::error::Segment;
use crate::glue::de as glue;
use crate::glue::de::{
    Deserializer, EnumAccess, MapAccess, Request, SeqAccess, Shape, VariantAccess,
};
use crate::glue::names::Names;
use crate::glue::nested;
use crate::glue::value::Always;
use crate::limits::Depth;
#[cfg(feature = "any")]
use crate::molecule::ErrorKind;
#[cfg(feature = "any")]
use crate::molecule::mark::Target;
use crate::molecule::raw::LIST;
use crate::molecule::{Error, Result, wire};
use crate::raw::{Found, Step, hand_over};

type Way<'a, 'de> = Exact<'a, 'de>;

const EXACT: bool = true;

/// A visitor that returns this error.
pub(super) trait Visitor<'de>: glue::Visitor<'de, Error> {}

impl<'de, V: glue::Visitor<'de, Error>> Visitor<'de> for V {}

/// A seed that returns this error.
pub(super) trait DeserializeSeed<'de>: glue::DeserializeSeed<'de, Error> {}

impl<'de, T: glue::DeserializeSeed<'de, Error>> DeserializeSeed<'de> for T {}

/// Reads an item of a fixvec, which takes all of `bytes`.
pub(super) fn packed_item<'de, V: Visitor<'de>>(
    exact: Exact<'_, 'de>,
    bytes: &'de [u8],
    depth: Depth,
    request: Request,
    visitor: V,
) -> Result<V::Value> {
    whole(exact, bytes, depth, PackedIn::Marked, |packed| packed.read(request, visitor))
}

/// Reads a key or value of a map's entry.
fn in_entry<'de, T: DeserializeSeed<'de>>(
    reader: ValueReader<'_, 'de>,
    (index, half): (usize, &'static str),
    seed: T,
) -> Result<T::Value> {
    let exact = reader.reading;
    exact.in_step(Segment::Index(index), || {
        exact.in_step(Segment::Field(half.into()), || seed.deserialize(reader))
    })
}

/// Hands out the bytes of a part that is kept raw.
fn raw<'de, V: Visitor<'de>>(
    reader: ValueReader<'_, 'de>,
    name: &'static str,
    visitor: V,
) -> Result<V::Value> {
    let ValueReader { reading: exact, bytes, depth, .. } = reader;
    exact.check_shows_end(bytes, "a raw part")?;
    if name == LIST {
        wire::check_list(bytes, exact.offset(bytes))?;
    }
    let Session { notes: Notes { source, .. }, options, .. } = exact.session;
    let steps = exact.steps(|steps| steps.clone()).into_iter().map(Step::from);
    let surroundings = source.surroundings.behind(steps.len()).with(Surroundings::EXACT);
    let offset = source.place_of_raw(bytes);
    let settings = options.settings(depth, surroundings);
    visitor.visit_enum(hand_over(Found { bytes, offset, settings, route: source.route }, steps))
}

/// The methods of a `SeqAccess` that gives out each part by `read`.
macro_rules! sequence {
    ([$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> super::SeqAccess<'de> for $type {
            type Error = Error;

            fn next_element_seed<T: DeserializeSeed<'de>>(
                &mut self,
                seed: T,
            ) -> Result<Option<T::Value>> {
                self.read(seed)
            }

            fn size_hint(&self) -> Option<usize> {
                Some(self.left())
            }
        }
    };
}
use sequence;

/// Reads a number, bool or char that takes all of a slot. What is asked for goes along as data, so that this is
/// compiled once.
macro_rules! scalar {
    ($reader:ident, $request:ident $method:ident($visitor:ident)) => {
        super::packed::scalar($reader, crate::glue::de::Request::$request(), $visitor)
    };
}
use scalar;

fn shape_of<'de, V: Visitor<'de>>(visitor: &V) -> Shape {
    visitor.shape()
}

fn shape_of_seed<'de, T: DeserializeSeed<'de>>(seed: &T) -> Shape {
    seed.shape()
}

/// Has `seed` read the number of a variant.
fn variant_by_id<'de, T: DeserializeSeed<'de>>(seed: T, id: u32) -> Result<T::Value> {
    seed.deserialize(Always::new(id))
}

/// The same with the name of a variant.
fn variant_by_name<'de, T: DeserializeSeed<'de>>(seed: T, name: &'static str) -> Result<T::Value> {
    seed.deserialize(Always::new(name))
}

/// Has `seed` read an id that no variant has, which `#[serde(other)]` takes.
fn other_variant<'de, T: DeserializeSeed<'de>>(seed: T) -> Result<T::Value> {
    seed.deserialize(Always::new(u64::MAX))
}

/// The error for bytes without the header of the expected table: tries to read the type as a struct.
/// Not inside nested documents, since the cost would multiply with each level.
#[cold]
fn no_table<'de, V: Visitor<'de>>(
    reader: ValueReader<'_, 'de>,
    error: Error,
    name: &'static str,
    count: FieldCount,
    names: Names,
    visitor: V,
) -> Error {
    let ValueReader { reading, bytes, depth, .. } = reader;
    if bytes.is_empty() || nested::exact_readings_around() > 1 {
        return error;
    }
    let value = reading.without_notes(|| {
        whole(reading.part(), bytes, depth, PackedIn::Marked, |packed| {
            packed.parts(count.most(), names, PackedIn::Marked, visitor)
        })
    });
    error.or_hint(value.is_ok().then(|| hint::of_table(name, names)))
}

/// Hands out the bytes of a part marked `any`: a fixvec.
#[cfg(feature = "any")]
#[cold]
fn marked_any<'de, V: Visitor<'de>>(reader: ValueReader<'_, 'de>, visitor: V) -> Result<V::Value> {
    let content = reader.content(Target::Any)?;
    visitor.visit_enum(any_part(reader.wrapper()?, content))
}

#[cfg(feature = "any")]
fn any_part<'de>(reader: ValueReader<'_, 'de>, content: &'de [u8]) -> Part<'de, ErrorKind> {
    let ValueReader { reading: exact, depth, .. } = reader;
    let limits = Limits { depth, max_depth: exact.session.options.max_depth };
    Part::new(content, exact.offset(content), limits)
}
