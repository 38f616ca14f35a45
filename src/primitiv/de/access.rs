//! Parts of values, as they are handed to visitors. Does not know how a part is read.

use serde_core::de::{self, DeserializeSeed, Visitor};

use super::value::ValueReader;
use super::{State, refusal};
use crate::error::Segment;
use crate::glue::adjacent::Content;
use crate::glue::names::Names;
use crate::glue::session::UNBOUNDED;
use crate::primitiv::mark::Mark;
use crate::primitiv::{Error, ErrorKind, Result};

/// Reads one part and records its error. Iteration ends after an error, since the start of the next
/// part is unknown.
#[inline]
fn part<'de, T: DeserializeSeed<'de>>(
    state: &mut State<'de>,
    mark: Option<Mark>,
    seed: T,
    steps: impl Fn() -> [Option<Segment>; 2],
) -> Result<T::Value> {
    let offset = state.reader.offset();
    // What owns no memory keeps no raw part, whose way has to be known.
    let is_tracked = const { core::mem::needs_drop::<T::Value>() } && state.own.steps.is_some();
    let outer = if is_tracked { enter(state, steps()) } else { 0 };
    let value = seed.deserialize(ValueReader { state: &mut *state, mark });
    if is_tracked {
        leave(state, outer);
    }
    match value {
        Ok(value) => Ok(value),
        Err(error) => Err(inside(state.refused_at(error, offset), steps())),
    }
}

/// Keeps the steps to a part, where they are wanted. Returns how many there were before.
#[cold]
#[inline(never)]
fn enter(state: &mut State<'_>, steps: [Option<Segment>; 2]) -> usize {
    let Some(kept) = &mut state.own.steps else { return 0 };
    let outer = kept.len();
    kept.extend(steps.into_iter().flatten());
    outer
}

#[cold]
#[inline(never)]
fn leave(state: &mut State<'_>, outer: usize) {
    if let Some(kept) = &mut state.own.steps {
        kept.truncate(outer);
    }
}

#[cold]
#[inline(never)]
fn inside(error: Error, steps: [Option<Segment>; 2]) -> Error {
    steps.into_iter().flatten().rev().fold(error, Error::inside)
}

/// The steps into the key or value of a map's entry.
fn in_entry(index: usize, half: &'static str) -> [Option<Segment>; 2] {
    [Some(Segment::Index(index)), Some(Segment::Field(half.into()))]
}

/// The parts of a tuple or struct: as many as the type asks for.
pub(super) struct Parts<'a, 'de> {
    state: &'a mut State<'de>,
    next: usize,
    len: usize,
    names: Names,
    /// The mark on the next part.
    mark: Option<Mark>,
}

impl<'a, 'de> Parts<'a, 'de> {
    #[inline]
    pub(super) fn new(state: &'a mut State<'de>, len: usize, names: Names) -> Self {
        Parts { state, next: 0, len, names, mark: None }
    }

    /// With a mark on the first of them.
    #[inline]
    pub(super) fn marked(self, mark: Option<Mark>) -> Self {
        Parts { mark, ..self }
    }

    #[inline]
    pub(super) fn visit<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let offset = self.state.reader.offset();
        let value = visitor.visit_seq(&mut self)?;
        match self.names {
            // serde's list of a struct's fields has the aliases in it too, so the type may take fewer.
            Names::Fields(_) => Ok(value),
            _ if self.next == self.len => Ok(value),
            _ => self.check_all_taken(offset).map(|()| value),
        }
    }

    /// Refuses unread items, unless the type itself knows where they end. Such a type asks for more
    /// items than there can be; then its parts may know their ends, too.
    #[cold]
    fn check_all_taken(&self, offset: usize) -> Result<()> {
        let knows_end = match self.names {
            Names::Indices => self.len == UNBOUNDED || self.state.knows_end == Some(offset),
            Names::Slots | Names::Fields(_) => false,
        };
        if knows_end { Ok(()) } else { all_taken(self.len, self.next, offset) }
    }
}

impl<'de> de::SeqAccess<'de> for &mut Parts<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if self.next >= self.len {
            return Ok(None);
        }
        let (index, names) = (self.next, self.names);
        self.next += 1;
        if self.len == UNBOUNDED {
            self.state.knows_end = Some(self.state.reader.offset());
        }
        // A mark on a struct is one on its first field, which may be the tag.
        let mark = self.mark.take();
        part(self.state, mark, seed, move || [Some(names.segment(index)), None]).map(Some)
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some((self.len - self.next).min(self.state.reader.left()))
    }
}

/// The items of a sequence.
pub(super) struct Items<'a, 'de> {
    pub(super) state: &'a mut State<'de>,
    pub(super) next: usize,
    pub(super) count: usize,
    /// How many items to reserve memory for.
    pub(super) hint: usize,
}

impl Items<'_, '_> {
    #[inline]
    pub(super) fn all_taken(&self, offset: usize) -> Result<()> {
        all_taken(self.count, self.next, offset)
    }
}

/// Refuses items that the type did not take.
#[inline]
fn all_taken(announced: usize, given: usize, offset: usize) -> Result<()> {
    match announced == given {
        true => Ok(()),
        false => Err(Error::at(ErrorKind::Length { announced, given }, offset)),
    }
}

impl<'de> de::SeqAccess<'de> for &mut Items<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if self.next >= self.count {
            return Ok(None);
        }
        let index = self.next;
        self.next += 1;
        let item = part(self.state, None, seed, move || [Some(Segment::Index(index)), None]);
        if item.is_err() {
            self.next = self.count;
        }
        item.map(Some)
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.hint.saturating_sub(self.next))
    }
}

/// The entries of a map.
pub(super) struct Entries<'a, 'de> {
    pub(super) state: &'a mut State<'de>,
    /// Of the entry whose key comes next.
    pub(super) next: usize,
    pub(super) count: usize,
    /// How many entries to reserve memory for.
    pub(super) hint: usize,
}

impl Entries<'_, '_> {
    #[inline]
    pub(super) fn all_taken(&self, offset: usize) -> Result<()> {
        all_taken(self.count, self.next, offset)
    }
}

impl<'de> de::MapAccess<'de> for &mut Entries<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if self.next >= self.count {
            return Ok(None);
        }
        let index = self.next;
        let key = part(self.state, None, seed, move || in_entry(index, "key"));
        if key.is_err() {
            // Nobody knows where the next one begins.
            self.next = self.count;
        }
        key.map(Some)
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        let index = self.next;
        self.next += 1;
        part(self.state, None, seed, move || in_entry(index, "value"))
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.hint.saturating_sub(self.next))
    }
}

/// The fields of an adjacently tagged struct variant: serde asks for them by name or number, and
/// does not say how many there are, but passes over the first number that is none of them.
pub(super) struct NumberedFields<'a, 'de> {
    state: &'a mut State<'de>,
    /// The variant.
    content: Content,
    next: u32,
    asked: bool,
    ended: bool,
}

impl<'a, 'de> NumberedFields<'a, 'de> {
    pub(super) fn new(state: &'a mut State<'de>, content: Content) -> Self {
        NumberedFields { state, content, next: 0, asked: false, ended: false }
    }

    pub(super) fn visit<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let offset = self.state.reader.offset();
        let value = visitor.visit_map(&mut self);
        if !self.asked {
            self.state.adjacent.learn::<V::Value>(self.content);
            return Err(self.state.refused_at(refusal(), offset));
        }
        let value = value.map_err(|error| self.state.refused_at(error, offset))?;
        if self.ended && self.next == 0 {
            // A value without parts.
            de::Deserializer::deserialize_unit(ValueReader::new(self.state), de::IgnoredAny)?;
        }
        Ok(value)
    }
}

impl<'de> de::MapAccess<'de> for &mut NumberedFields<'_, 'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        self.asked = true;
        if self.ended {
            return Ok(None);
        }
        let mut as_identifier = false;
        match seed.deserialize(FieldNumber { number: self.next, as_identifier: &mut as_identifier })
        {
            Ok(key) => Ok(Some(key)),
            // A type that denies unknown fields has seen all of its own.
            Err(_) if as_identifier => {
                self.ended = true;
                Ok(None)
            }
            Err(error) => {
                self.ended = true;
                let offset = self.state.reader.offset();
                Err(self.state.refused_at(error, offset))
            }
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        let offset = self.state.reader.offset();
        let index = usize::try_from(self.next).unwrap_or(usize::MAX);
        let (state, ended) = (&mut *self.state, &mut self.ended);
        if let Some(steps) = &mut state.own.steps {
            steps.push(Segment::Slot(index));
        }
        let value = seed.deserialize(FieldValue { state: &mut *state, ended });
        if let Some(steps) = &mut state.own.steps {
            steps.pop();
        }
        match value {
            Ok(value) => {
                self.next += u32::from(!self.ended);
                Ok(value)
            }
            Err(error) => Err(self.state.refused_at(error, offset).inside(Segment::Slot(index))),
        }
    }
}

/// The number of a field, read as an identifier.
struct FieldNumber<'a> {
    number: u32,
    as_identifier: &'a mut bool,
}

impl<'de> de::Deserializer<'de> for FieldNumber<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value> {
        Err(refusal())
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        *self.as_identifier = true;
        visitor.visit_u64(self.number.into())
    }

    serde_core::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum ignored_any
    }
}

/// The value of a field; to pass over it means that it is not there.
struct FieldValue<'a, 'de> {
    state: &'a mut State<'de>,
    ended: &'a mut bool,
}

macro_rules! field_methods {
    ($($method:ident($($arg:ident: $type:ty),*))*) => {$(
        fn $method<V: Visitor<'de>>(self, $($arg: $type,)* visitor: V) -> Result<V::Value> {
            ValueReader::new(self.state).$method($($arg,)* visitor)
        }
    )*};
}

impl<'de> de::Deserializer<'de> for FieldValue<'_, 'de> {
    type Error = Error;

    field_methods! {
        deserialize_any() deserialize_bool() deserialize_i8() deserialize_i16()
        deserialize_i32() deserialize_i64() deserialize_i128() deserialize_u8()
        deserialize_u16() deserialize_u32() deserialize_u64() deserialize_u128()
        deserialize_f32() deserialize_f64() deserialize_char() deserialize_str()
        deserialize_string() deserialize_bytes() deserialize_byte_buf()
        deserialize_option() deserialize_unit() deserialize_seq() deserialize_map()
        deserialize_identifier()
        deserialize_unit_struct(name: &'static str)
        deserialize_newtype_struct(name: &'static str)
        deserialize_tuple(len: usize)
        deserialize_tuple_struct(name: &'static str, len: usize)
        deserialize_struct(name: &'static str, fields: &'static [&'static str])
        deserialize_enum(name: &'static str, variants: &'static [&'static str])
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        *self.ended = true;
        visitor.visit_unit()
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}
