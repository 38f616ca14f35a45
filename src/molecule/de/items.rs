//! Reading the items of a fixvec, and packed values that fill a slot: each in one of two ways, see
//! [`Stretch`].

use core::marker::PhantomData;

use serde_core::de::{self, Deserialize, DeserializeSeed, Deserializer as _, Visitor};

use super::State;
use super::access::Names;
use super::packed::{Packed, Place, in_part, whole};
use super::stretch::Stretch;
use crate::molecule::wire::NUMBER_SIZE;
use crate::molecule::{Error, ErrorKind, Result};

/// Fixed values with parts.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Tuple(usize),
    TupleStruct(&'static str, usize),
    Struct(&'static str, &'static [&'static str]),
}

/// Reads a fixed value with parts that fills a slot.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn parts<'de, V: Visitor<'de>>(
    state: &mut State,
    bytes: &'de [u8],
    base: usize,
    trailing: bool,
    kind: Kind,
    visitor: V,
) -> Result<V::Value> {
    match state.exact {
        true => parts_exactly(state, bytes, base, trailing, kind, visitor),
        false => parts_of::<false, V>(state, bytes, base, trailing, kind, visitor),
    }
}

#[inline(never)]
fn parts_exactly<'de, V: Visitor<'de>>(
    state: &mut State,
    bytes: &'de [u8],
    base: usize,
    trailing: bool,
    kind: Kind,
    visitor: V,
) -> Result<V::Value> {
    parts_of::<true, V>(state, bytes, base, trailing, kind, visitor)
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn parts_of<'de, const EXACT: bool, V: Visitor<'de>>(
    state: &mut State,
    bytes: &'de [u8],
    base: usize,
    trailing: bool,
    kind: Kind,
    visitor: V,
) -> Result<V::Value> {
    whole(state, bytes, base, Place::Marked, trailing, |packed: Packed<'_, '_, 'de, EXACT>| {
        match kind {
            Kind::Tuple(len) => packed.deserialize_tuple(len, visitor),
            Kind::TupleStruct(name, len) => packed.deserialize_tuple_struct(name, len, visitor),
            Kind::Struct(name, fields) => packed.deserialize_struct(name, fields, visitor),
        }
    })
}

/// Reads the items of a fixvec, which begin at `at` of the input.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn items<'de, V: Visitor<'de>>(
    state: &mut State,
    (items, at): (&'de [u8], usize),
    place: Place,
    count: usize,
    trailing: bool,
    visitor: V,
) -> Result<V::Value> {
    match state.exact {
        true => items_exactly(state, (items, at), place, count, trailing, visitor),
        false => {
            let reader = Stretch::<false>::new(state, items, at);
            items_of(reader, place, count, trailing, visitor)
        }
    }
}

#[inline(never)]
fn items_exactly<'de, V: Visitor<'de>>(
    state: &mut State,
    (items, at): (&'de [u8], usize),
    place: Place,
    count: usize,
    trailing: bool,
    visitor: V,
) -> Result<V::Value> {
    items_of(Stretch::<true>::new(state, items, at), place, count, trailing, visitor)
}

/// The items of a fixvec.
struct Items<'a, 'de, const EXACT: bool> {
    reader: Stretch<'a, 'de, EXACT>,
    place: Place,
    next: usize,
    count: usize,
}

impl<'de, const EXACT: bool> Items<'_, 'de, EXACT> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if self.next >= self.count {
            return Ok(None);
        }
        self.next += 1;
        let result = seed.deserialize(Packed { reader: &mut self.reader, place: self.place });
        self.reader.unless_short(result).map(Some)
    }
}

impl<'de, const EXACT: bool> de::SeqAccess<'de> for &mut Items<'_, 'de, EXACT> {
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        self.read(seed)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        self.read(PhantomData)
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some((self.count - self.next).min(self.reader.rest().len()))
    }
}

/// Reads the items of a fixvec, and makes sure that the visitor took all of them.
#[cfg_attr(not(debug_assertions), inline(always))]
fn items_of<'de, const EXACT: bool, V: Visitor<'de>>(
    reader: Stretch<'_, 'de, EXACT>,
    place: Place,
    count: usize,
    trailing: bool,
    visitor: V,
) -> Result<V::Value> {
    let base = reader.offset() - NUMBER_SIZE;
    let mut items = Items { reader, place, next: 0, count };
    match visitor.visit_seq(&mut items) {
        Ok(value) => {
            all_taken(count, items.next, base)?;
            if !trailing {
                items.reader.finish()?;
            }
            Ok(value)
        }
        Err(error) => Err(in_part(error, base, Names::Indices, items.next)),
    }
}

/// Refuses items that a visitor has left in a fixvec.
#[inline]
pub(super) fn all_taken(found: usize, expected: usize, offset: usize) -> Result<()> {
    match found == expected {
        true => Ok(()),
        false => Err(Error::at(ErrorKind::ExtraItems { found, expected }, offset)),
    }
}
