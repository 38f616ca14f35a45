//! Parts of values, as they are handed to visitors. Does not know how a part is read.

use serde_core::de::{self, DeserializeSeed, Visitor};

use super::raw::RawReader;
use super::value::ValueReader;
use super::{State, refusal};
use crate::error::Segment;
use crate::glue::adjacent::Content;
use crate::glue::names::Names;
use crate::glue::nested::Owner;
use crate::glue::session::UNBOUNDED;
use crate::limits::Depth;
use crate::primitiv::mark::Mark;
use crate::primitiv::wire::{self, Headed};
use crate::primitiv::{Error, ErrorKind, Result};

/// Reads one part and records its error. Iteration ends after an error, since the start of the next
/// part is unknown.
#[inline]
fn part<'de, T: DeserializeSeed<'de>>(
    state: &mut State<'de>,
    mark: Option<Mark>,
    seed: T,
    step: PartStep,
) -> Result<T::Value> {
    let offset = state.reader.offset();
    // What owns no memory keeps no raw part, whose way has to be known.
    let is_tracked = const { core::mem::needs_drop::<T::Value>() } && state.own.steps.is_some();
    if is_tracked {
        state.enter_part(step);
    }
    let value = seed.deserialize(ValueReader { state: &mut *state, mark });
    if is_tracked {
        state.leave_part();
    }
    match value {
        Ok(value) => Ok(value),
        Err(error) => Err(state.part_failed(error, offset, step)),
    }
}

impl State<'_> {
    /// Keeps the step to a part, where steps are wanted.
    #[cold]
    #[inline(never)]
    fn enter_part(&mut self, step: PartStep) {
        if let Some(steps) = &mut self.own.steps {
            steps.push(step);
        }
    }

    #[cold]
    #[inline(never)]
    fn leave_part(&mut self) {
        if let Some(steps) = &mut self.own.steps {
            steps.pop();
        }
    }

    #[cold]
    #[inline(never)]
    fn part_failed(&mut self, error: Error, offset: usize, step: PartStep) -> Error {
        let error = self.refused_at(error, offset);
        step.segments().rev().fold(error, Error::inside)
    }
}

/// The step into a part.
#[derive(Clone, Copy, Debug)]
pub(super) enum PartStep {
    /// Of a tuple, struct or sequence.
    Of(Names, usize),
    /// The key or value of a map's entry.
    InEntry(usize, &'static str),
}

impl PartStep {
    /// The same in a path.
    pub(super) fn segments(self) -> impl DoubleEndedIterator<Item = Segment> {
        let (outer, inner) = match self {
            PartStep::Of(names, index) => (names.segment(index), None),
            PartStep::InEntry(index, half) => {
                (Segment::Index(index), Some(Segment::Field(half.into())))
            }
        };
        core::iter::once(outer).chain(inner)
    }
}

/// How many fields a struct has that may be an adjacently tagged enum.
pub(super) const TAG_AND_CONTENT: usize = 2;

/// The parts of a tuple or struct: as many as the type asks for.
pub(super) struct Parts<'a, 'de> {
    state: &'a mut State<'de>,
    next: usize,
    len: usize,
    names: Names,
    /// The mark on the next part.
    mark: Option<Mark>,
    offset: usize,
    /// How deep the value itself may be.
    depth: Depth,
}

impl<'a, 'de> Parts<'a, 'de> {
    /// Begins a tuple or struct. A mark on it is one on the first of its parts.
    #[inline]
    pub(super) fn begin(
        state: &'a mut State<'de>,
        mark: Option<Mark>,
        len: usize,
        names: Names,
    ) -> Result<Self> {
        let parts = Parts::begin_content(state, mark, len, names)?;
        if len == 0 { parts.take_nil() } else { Ok(parts) }
    }

    /// The same without a nil for no parts: the content of a variant, which is written itself.
    #[inline]
    pub(super) fn begin_content(
        state: &'a mut State<'de>,
        mark: Option<Mark>,
        len: usize,
        names: Names,
    ) -> Result<Self> {
        let depth = state.depth;
        state.enter()?;
        let offset = state.reader.offset();
        Ok(Parts { state, next: 0, len, names, mark, offset, depth })
    }

    /// Takes nil, which stands for a value without parts.
    #[cold]
    #[inline(never)]
    fn take_nil(self) -> Result<Self> {
        let mut nil = RawReader { state: &mut *self.state, mark: self.mark };
        let taken = nil.check_unmarked("a value without parts").and_then(|()| nil.take_nil());
        if taken.is_err() {
            self.state.depth = self.depth;
        }
        taken.map(|()| Parts { offset: self.state.reader.offset(), ..self })
    }

    /// Begins a struct, whose own mark is also one on its first field: that may be the tag of an enum.
    #[inline]
    pub(super) fn begin_struct(
        state: &'a mut State<'de>,
        mark: Option<Mark>,
        owner: Owner,
        fields: &'static [&'static str],
    ) -> Result<Self> {
        if mark == Some(Mark::Text) {
            let error = Mark::Text.mismatch("a struct");
            return Err(error.or_offset(state.reader.offset()));
        }
        if fields.len() == TAG_AND_CONTENT {
            state.adjacent.expect_tag(owner, fields, state.reader.offset());
        }
        Parts::begin(state, mark, fields.len(), Names::Fields(fields))
    }

    #[inline]
    pub(super) fn visit<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let value = visitor.visit_seq(&mut self);
        self.state.depth = self.depth;
        match value {
            Ok(value) => match self.check_all_taken() {
                Ok(()) => Ok(value),
                Err(error) => Err(error),
            },
            Err(error) => Err(error),
        }
    }

    /// Refuses unread items. serde's list of a struct's fields has the aliases in it too, so the type may take
    /// fewer.
    #[inline]
    fn check_all_taken(&self) -> Result<()> {
        match self.names.is_list() || self.next == self.len {
            true => Ok(()),
            false => self.check_end(),
        }
    }

    /// Refuses unread items, unless the type itself knows where they end. Such a type asks for more
    /// items than there can be; then its parts may know their ends, too.
    #[cold]
    #[inline(never)]
    fn check_end(&self) -> Result<()> {
        let knows_end = match self.names {
            Names::Indices => self.len == UNBOUNDED || self.state.knows_end == Some(self.offset),
            Names::Fields(_) => false,
        };
        match knows_end {
            true => Ok(()),
            false => all_taken(self.len, self.next, self.offset),
        }
    }
}

impl<'de> de::SeqAccess<'de> for &mut Parts<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if self.next >= self.len {
            return Ok(None);
        }
        let step = PartStep::Of(self.names, self.next);
        self.next += 1;
        if self.len == UNBOUNDED {
            self.state.knows_end = Some(self.state.reader.offset());
        }
        // A mark on a struct is one on its first field, which may be the tag.
        let mark = self.mark.take();
        match part(self.state, mark, seed, step) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(error),
        }
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some((self.len - self.next).min(self.state.reader.left()))
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

/// The items of a sequence, or the entries of a map.
pub(super) struct Counted<'a, 'de> {
    state: &'a mut State<'de>,
    /// Of the entry whose key comes next.
    next: usize,
    count: usize,
    /// For how many memory may be reserved.
    hint: usize,
    offset: usize,
    /// How deep the value itself may be.
    depth: Depth,
}

impl<'a, 'de> Counted<'a, 'de> {
    /// Takes the header of a value whose items take at least `size` bytes each.
    #[inline(never)]
    pub(super) fn begin(state: &'a mut State<'de>, headed: Headed, size: u32) -> Result<Self> {
        let (depth, offset) = (state.depth, state.reader.offset());
        state.enter()?;
        match wire::take_count(&mut state.reader, headed, size) {
            Ok((count, _)) => {
                let hint = state.items.claim(count);
                Ok(Counted { state, next: 0, count, hint, offset, depth })
            }
            Err(error) => {
                state.depth = depth;
                Err(error)
            }
        }
    }

    /// What a visitor has made of them, unless it left some.
    #[inline]
    pub(super) fn end<T>(self, value: Result<T>) -> Result<T> {
        self.state.depth = self.depth;
        match value {
            Ok(value) => match all_taken(self.count, self.next, self.offset) {
                Ok(()) => Ok(value),
                Err(error) => Err(error),
            },
            Err(error) => Err(error.or_offset(self.offset)),
        }
    }

    #[inline]
    fn hint(&self) -> Option<usize> {
        Some(self.hint.saturating_sub(self.next))
    }
}

impl<'de> de::SeqAccess<'de> for &mut Counted<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if self.next >= self.count {
            return Ok(None);
        }
        let step = PartStep::Of(Names::Indices, self.next);
        self.next += 1;
        match part(self.state, None, seed, step) {
            Ok(item) => Ok(Some(item)),
            Err(error) => {
                self.next = self.count;
                Err(error)
            }
        }
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        self.hint()
    }
}

impl<'de> de::MapAccess<'de> for &mut Counted<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if self.next >= self.count {
            return Ok(None);
        }
        match part(self.state, None, seed, PartStep::InEntry(self.next, "key")) {
            Ok(key) => Ok(Some(key)),
            Err(error) => {
                // Nobody knows where the next one begins.
                self.next = self.count;
                Err(error)
            }
        }
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        let step = PartStep::InEntry(self.next, "value");
        self.next += 1;
        part(self.state, None, seed, step)
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        self.hint()
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
        let step = PartStep::Of(Names::SLOTS, index);
        state.enter_part(step);
        let value = seed.deserialize(FieldValue { state: &mut *state, ended });
        state.leave_part();
        match value {
            Ok(value) => {
                self.next += u32::from(!self.ended);
                Ok(value)
            }
            Err(error) => Err(self.state.part_failed(error, offset, step)),
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
