//! The fast reading: reads the usual kinds of document and bails on everything else, faults included.
//! Compiled for each type, with serde's own traits. Knows what may be left to the exact reading.
//!
//! The files in `reader/` are those of [`exact`](super::exact), too. There they mean other traits and
//! another error: what they take from `super`.

#[path = "reader/compound.rs"]
mod compound;
#[path = "reader/entries.rs"]
mod entries;
#[path = "reader/fields.rs"]
mod fields;
mod fixed;
mod items;
#[path = "reader/union.rs"]
mod union;
#[path = "reader/value.rs"]
mod value;

use serde_core::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor, value::StrDeserializer,
};

use self::fixed::{FixedCursor, FixedReader, MAX_FIXED_DEPTH, MESSAGE, packed};
use self::items::fixvec;
use self::value::ValueReader;
use super::parts::{FieldCount, PackedIn, may_be_fixed};
use super::reading::{Form, Noted, Notes, Reading, Source, Surroundings, Unkept as Kept};
use super::session::Exact;
use crate::fast::{Bail, ErrorTextReads, FAST};
use crate::glue::de::Shape;
use crate::glue::names::Names;
use crate::glue::plain::Plain;
use crate::molecule::raw::LIST;
use crate::molecule::wire::{self, Table};
use crate::molecule::{self, ErrorKind};
use crate::raw::{Found, Step, hand_over, may_be_raw};
use crate::text;

type Error = Bail;
type Result<T> = core::result::Result<T, Bail>;
type Way<'a, 'de> = Fast<'a, 'de>;

const EXACT: bool = false;

/// The methods of a `SeqAccess` that gives out each part by `read`. Both are inlined, since visitors
/// call one or the other.
macro_rules! sequence {
    ([$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> super::SeqAccess<'de> for &mut $type {
            type Error = Error;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn next_element_seed<T: DeserializeSeed<'de>>(
                &mut self,
                seed: T,
            ) -> Result<Option<T::Value>> {
                self.read(seed)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn next_element<T: serde_core::Deserialize<'de>>(&mut self) -> Result<Option<T>> {
                self.read(core::marker::PhantomData)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn size_hint(&self) -> Option<usize> {
                Some(self.left())
            }
        }
    };
}
use sequence;

/// Reads a number, bool or char that takes all of a slot, by the method for it.
macro_rules! scalar {
    ($reader:ident, $request:ident $method:ident($visitor:ident)) => {
        super::fixed::scalar($reader, |fixed| fixed.$method($visitor))
    };
}
use scalar;

#[cfg_attr(not(debug_assertions), inline(always))]
fn shape_of<'de, V: Visitor<'de>>(_: &V) -> Shape {
    const { Shape::of::<V::Value>() }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn shape_of_seed<'de, T: DeserializeSeed<'de>>(_: &T) -> Shape {
    const { Shape::of::<T::Value>() }
}

/// Has `seed` read the number of a variant.
#[cfg_attr(not(debug_assertions), inline(always))]
fn variant_by_id<'de, T: DeserializeSeed<'de>>(seed: T, id: u32) -> Result<T::Value> {
    seed.deserialize(id.into_deserializer())
}

/// The same with the name of a variant.
#[cfg_attr(not(debug_assertions), inline(always))]
fn variant_by_name<'de, T: DeserializeSeed<'de>>(seed: T, name: &'static str) -> Result<T::Value> {
    seed.deserialize(StrDeserializer::new(name))
}

/// Has `seed` read an id that no variant has, which `#[serde(other)]` takes.
fn other_variant<'de, T: DeserializeSeed<'de>>(_: T) -> Result<T::Value> {
    Err(Bail)
}

/// Functions for what is left to the exact reading.
macro_rules! leave {
    ($($(#[$attr:meta])* $function:ident($($arg:ty),*))*) => {$(
        $(#[$attr])*
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $function<'de, V: Visitor<'de>>(
            reader: ValueReader<'_, 'de>,
            $(_: $arg,)*
            _: V,
        ) -> Result<V::Value> {
            Err(reader.reading.bail())
        }
    )*};
}

leave! {
    any() identifier() fixvec_map() empty_dynvec()
    #[cfg(feature = "any")]
    marked_any()
}

/// Reads a key or value of a map's entry.
#[cfg_attr(not(debug_assertions), inline(always))]
fn in_entry<'de, T: DeserializeSeed<'de>>(
    reader: ValueReader<'_, 'de>,
    _: (usize, &'static str),
    seed: T,
) -> Result<T::Value> {
    seed.deserialize(reader)
}

/// Hands out the bytes of a part that is kept raw: of a field or item of the outermost value, or of that itself,
/// since only the way to those is known.
#[cfg_attr(not(debug_assertions), inline(always))]
fn raw<'de, V: Visitor<'de>>(
    reader: ValueReader<'_, 'de>,
    name: &'static str,
    visitor: V,
) -> Result<V::Value> {
    let ValueReader { reading, bytes, depth, .. } = reader;
    if name == LIST && wire::list_parts(bytes).is_none() {
        return Err(reading.bail_on(bytes));
    }
    let Notes { source, noted, .. } = reading.0;
    let place = Noted::place_of(bytes);
    let step = match noted.take() {
        _ if place == Noted::place_of(source.bytes) => None,
        // Slots without bytes may begin where others do.
        Some(Noted { names, index, bytes: noted })
            if noted == place && !bytes.is_empty() && depth.levels + 1 == source.depth.levels =>
        {
            Some(Step::from(names.segment(index)))
        }
        _ if source.surroundings.are(Surroundings::ALONE) => None,
        _ => return Err(reading.bail()),
    };
    let offset = source.place_of_raw(bytes);
    let steps = step.into_iter();
    let settings = source.options.settings(depth, source.surroundings.behind(steps.len()));
    let part = Found { bytes, offset, settings, route: source.route };
    visitor.visit_enum(Plain(hand_over(part, steps)))
}

/// The header of a table is wrong.
#[cfg_attr(not(debug_assertions), inline(always))]
fn no_table<'de, V: Visitor<'de>>(
    _: ValueReader<'_, 'de>,
    error: Bail,
    _: &'static str,
    _: FieldCount,
    _: Names,
    _: V,
) -> Bail {
    error
}

/// The content of an adjacently tagged enum is missing.
fn without_content<'de, T: DeserializeSeed<'de>>(reading: Fast<'_, 'de>, _: T) -> Result<T::Value> {
    Err(reading.bail())
}

/// A tuple whose bytes begin like a table is read as a table, as the exact reading does if the first
/// item is fixed. If all items are fixed, it is no table, and the document is read again.
#[cfg_attr(not(debug_assertions), inline(always))]
fn tuple<'de, V: Visitor<'de>>(
    reader: ValueReader<'_, 'de>,
    len: usize,
    visitor: V,
) -> Result<V::Value> {
    let ValueReader { reading, bytes, .. } = reader;
    // Under `strict`, a tuple that is a table has a mark.
    if reading.0.strict || !Table::may_begin(bytes, false) {
        return packed(reader, len, Names::Indices, PackedIn::Tuple, visitor);
    }
    reading.0.dynamic.set(false);
    let value = reader.table_of(None, FieldCount::Exactly(len), Names::Indices, visitor)?;
    match reading.0.dynamic.get() {
        true => Ok(value),
        false => Err(reading.bail()),
    }
}

/// Bails on what is unusual.
#[derive(Clone, Copy)]
pub(super) struct Fast<'a, 'de>(pub(super) &'a Notes<'a, 'de>);

impl<'de> Fast<'_, 'de> {
    /// The first `size` bytes from the start of `bytes`, a part of the document. A value that is shorter
    /// than its padded type is read with the bytes behind it in view, so that one check is enough for
    /// it, too.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn ahead(self, bytes: &'de [u8], size: usize) -> Option<&'de [u8]> {
        match bytes.get(..size) {
            None => self.0.through_end(bytes).get(..size),
            ahead => ahead,
        }
    }

    /// Leaves the document to the exact reader.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn bail(self) -> Bail {
        self.0.bailed.set(true);
        Bail
    }

    /// The same, but for an empty slot only its field fails, since it is absent.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bail_on(self, slot: &[u8]) -> Bail {
        match slot.is_empty() {
            true => Bail,
            false => self.bail(),
        }
    }
}

impl<'de> Reading<'de> for Fast<'_, 'de> {
    type Error = Bail;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn exactly<T>(
        self,
        slot: &'de [u8],
        _: impl FnOnce(Exact<'_, 'de>) -> molecule::Result<T>,
    ) -> Result<T> {
        Err(self.bail_on(slot))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn explain(
        self,
        slot: &'de [u8],
        _: Bail,
        _: impl FnOnce(Exact<'_, 'de>, molecule::Error) -> molecule::Error,
    ) -> Bail {
        self.bail_on(slot)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn notes(&self) -> &Notes<'_, 'de> {
        self.0
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn within<T>(
        self,
        bytes: &'de [u8],
        shape: Shape,
        step: impl FnOnce() -> (Names, usize),
        read: impl FnOnce() -> T,
    ) -> T {
        if may_be_raw::<ErrorKind>(shape) {
            let (names, index) = step();
            self.0.note(names, index, bytes);
        }
        read()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn text(self, content: &'de [u8]) -> Result<&'de str> {
        text::first(self.0.through_end(content), content.len()).ok_or_else(|| self.bail())
    }
}

/// Larger values take longer to read than a call takes.
const MESSAGE_SIZE: usize = 256;

/// Reads a document that is one small fixed value. Short enough to be inlined into the caller, so
/// that the value is returned in registers. For types that are never fixed, the compiler removes
/// all of it.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn message<'de, T: Deserialize<'de>>(source: Source<'_, 'de>) -> Option<T> {
    // The constant keeps other types from being compiled here.
    if const { size_of::<T>() > MESSAGE_SIZE || !may_be_fixed::<T>() } {
        return None;
    }
    // An unmarked tuple whose bytes begin like a table is read as a table first.
    let Source { bytes, form, .. } = source;
    if form == Form::Dynamic {
        return None;
    }
    let packs = form == Form::Packed;
    match packs || !Table::may_begin(bytes, false) {
        true => fixed(source, packs),
        false => None,
    }
}

/// Reads an item of a fixvec.
#[cfg_attr(not(debug_assertions), inline(always))]
fn item<'de, T: Deserialize<'de>>(source: Source<'_, 'de>) -> Option<T> {
    // The constant keeps other types from being compiled here.
    match const { may_be_fixed::<T>() } {
        true => fixed(source, true),
        false => None,
    }
}

/// Reads a fixed value.
#[cfg_attr(not(debug_assertions), inline(always))]
fn fixed<'de, T: Deserialize<'de>>(source: Source<'_, 'de>, packs: bool) -> Option<T> {
    let Source { bytes, options, depth, .. } = source;
    if !depth.has_room(MAX_FIXED_DEPTH) {
        return None;
    }
    let (mut cursor, reads) = (FixedCursor::new(bytes, options.strict), ErrorTextReads::snapshot());
    match T::deserialize(FixedReader::<MESSAGE>::new(&mut cursor, packs)) {
        Ok(value) if cursor.left() == Some(0) && counts(source, reads) => Some(value),
        Ok(_) | Err(Bail) => None,
    }
}

/// Whether what was read counts: nobody has made a value of an error's text, or nobody else is there to read.
#[cfg_attr(not(debug_assertions), inline(always))]
fn counts(source: Source<'_, '_>, reads: ErrorTextReads) -> bool {
    source.surroundings.are(Surroundings::ALONE) || reads.unchanged()
}

/// Reads a document without trailing bytes. `None` leaves it to the exact reading.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn document<'de, T: Deserialize<'de>>(source: Source<'_, 'de>) -> Option<T> {
    if source.form == Form::Packed {
        return item(source);
    }
    let notes = Notes::new(source);
    let reader = ValueReader::new(Fast(&notes), source.bytes, source.depth);
    let reads = ErrorTextReads::snapshot();
    match T::deserialize(reader) {
        Ok(_) if source.form == Form::Dynamic && !notes.dynamic.get() => None,
        Ok(value) if !notes.bailed.get() && counts(source, reads) => Some(value),
        Ok(_) | Err(Bail) => None,
    }
}
