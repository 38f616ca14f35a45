//! Access to the fields of a RECORD by name. Knows hashes, names and paths, does not know how values are
//! read.

use alloc::borrow::Cow;
use alloc::collections::BTreeSet;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::node::Node;
use super::reading::{Reading, TagAndMark};
use super::state::{State, without_key};
use crate::biniou::names::HashName;
use crate::biniou::wire;
use crate::biniou::{Error, ErrorKind, Result};
use crate::error::{Fault, Segment};
use crate::glue::de::{DeserializeSeed, MapAccess, Visitor};
use crate::glue::value::Always;

/// The fields of a RECORD.
pub(super) struct Fields<'a, 'de> {
    state: &'a mut State<'de>,
    /// The number by which the type's names are known; `None` if it asks the data for them.
    names: Option<usize>,
    /// Where the first one begins, and how many there are.
    start: usize,
    count: usize,
    left: usize,
    /// Where in the type's list the next name is likely to be.
    likely: usize,
    seen: Seen,
    /// The fields that have come of a type that asks the data for its names.
    hashes: BTreeSet<u32>,
    /// Where the value begins whose key was given out, until it is read.
    unread: Option<usize>,
    /// What the last key was called.
    key: Cow<'static, str>,
    /// Positions of fields that come again further on, in order.
    repeated: Vec<usize>,
}

impl<'a, 'de> Fields<'a, 'de> {
    /// Takes the length.
    pub(super) fn take(state: &'a mut State<'de>, names: Option<usize>) -> Result<Self> {
        let left = wire::take_fields(&mut state.reader)?;
        let repeated = match state.looks_ahead {
            true => repeated_fields(state, names, left),
            false => Vec::new(),
        };
        let (start, count) = (state.reader.offset(), left);
        let (seen, hashes, key) = (Seen::default(), BTreeSet::new(), Cow::Borrowed(""));
        let (likely, unread) = (0, None);
        Ok(Fields { state, names, start, count, left, likely, seen, hashes, unread, key, repeated })
    }

    /// Lets `visitor` take the fields, and steps over those that it leaves.
    #[inline]
    pub(super) fn visit<V: Visitor<'de, Error>>(mut self, visitor: V) -> Result<V::Value> {
        let value = self.take_all(visitor);
        if value.is_err() {
            self.look_for_duplicates();
        }
        value
    }

    #[inline]
    fn take_all<V: Visitor<'de, Error>>(&mut self, visitor: V) -> Result<V::Value> {
        let offset = self.state.reader.offset();
        let value = visitor.visit_map(&mut *self).map_err(|error| error.or_offset(offset))?;
        self.state.skip_unread(&mut self.unread, None)?;
        for _ in 0..self.state.reachable(self.left) {
            let offset = self.state.reader.offset();
            let hash = wire::take_field(&mut self.state.reader)?;
            // The type does not ask for it, but it may be the last one of a field that comes twice.
            self.known(hash, offset)?;
            self.state.skip_tagged()?;
        }
        Ok(value)
    }

    /// The name that the type has for a hash.
    #[inline]
    fn known(&mut self, hash: u32, offset: usize) -> Result<Option<&'static str>> {
        let Some(names) = self.names.and_then(|names| self.state.names.get(names)) else {
            return self.note(hash, offset);
        };
        let Some(index) = names.find(hash, self.likely) else { return Ok(None) };
        let (name, len) = (names.name(index), names.len());
        self.likely = index + 1;
        match self.seen.insert(index, len) {
            true => Ok(Some(name)),
            false => self.meet_duplicate(offset).map(|()| Some(name)),
        }
    }

    /// Notes a field of a type that asks the data for its names.
    #[cold]
    fn note(&mut self, hash: u32, offset: usize) -> Result<Option<&'static str>> {
        match self.hashes.insert(hash) {
            true => Ok(None),
            false => self.meet_duplicate(offset).map(|()| None),
        }
    }

    /// Has everything read again if a field comes twice, since what failed may be one that does not
    /// count.
    #[cold]
    fn look_for_duplicates(&mut self) {
        if !self.state.looks_ahead && !self.state.met_duplicate {
            self.state.return_to(self.start);
            let repeated = repeated_fields(self.state, self.names, self.count);
            self.state.met_duplicate = !repeated.is_empty();
        }
    }

    /// Has everything read again, unless this is the second time.
    #[cold]
    fn meet_duplicate(&mut self, offset: usize) -> Result<()> {
        if self.state.looks_ahead {
            return Ok(());
        }
        self.state.met_duplicate = true;
        Err(Error::at(Fault::Unsupported { reason: "a field comes twice", hint: None }, offset))
    }
}

/// Positions of the fields that come again further on, as far as the type takes them. The search ends
/// at a field that cannot be skipped: its fault is reported when it is read, with its path.
#[cold]
fn repeated_fields(state: &mut State<'_>, names: Option<usize>, count: usize) -> Vec<usize> {
    let (start, outer) = (state.reader, state.depth);
    let mut fields = Vec::new();
    for _ in 0..count {
        let position = state.reader.offset();
        let Ok(hash) = wire::take_field(&mut state.reader) else { break };
        fields.push((hash, position));
        if state.skip_beside(None).is_err() {
            break;
        }
    }
    state.depth = outer;
    state.reader = start;
    let names = names.and_then(|names| state.names.get(names));
    let is_taken = |hash| names.is_none_or(|names| names.find(hash, 0).is_some());
    let mut positions: Vec<usize> = repeated(fields)
        .into_iter()
        .filter_map(|(hash, position)| is_taken(hash).then_some(position))
        .collect();
    positions.sort_unstable();
    positions
}

/// Which of the hashes, each with its place, come again further on.
pub(super) fn repeated(mut hashes: Vec<(u32, usize)>) -> Vec<(u32, usize)> {
    hashes.sort_unstable();
    let behind = hashes.iter().skip(1);
    let pairs = hashes.iter().zip(behind).filter(|((hash, _), (next, _))| hash == next);
    pairs.map(|(earlier, _)| *earlier).collect()
}

impl<'de> MapAccess<'de> for Fields<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de, Error>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>> {
        self.state.skip_unread(&mut self.unread, None)?;
        while self.state.reachable(self.left) > 0 {
            let offset = self.state.reader.offset();
            // Before anything can fail, so that iteration ends after errors.
            self.left -= 1;
            let hash = wire::take_field(&mut self.state.reader);
            let hash = self.state.note_failure(hash)?;
            if !self.repeated.is_empty() && self.repeated.binary_search(&offset).is_ok() {
                let skipped = self.state.skip_tagged();
                self.state.note_failure(skipped)?;
                continue;
            }
            self.unread = Some(self.state.reader.offset());
            if let Some(name) = self.known(hash, offset)? {
                self.key = Cow::Borrowed(name);
                return seed.deserialize(Always::new(name)).map(Some);
            }
            let name = name_or_hash(self.state, hash, self.names.is_some(), offset)?;
            self.key = Cow::Owned(name.clone());
            return seed.deserialize(Always::new(name)).map(Some);
        }
        Ok(None)
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de, Error>>(&mut self, seed: V) -> Result<V::Value> {
        if self.state.failed {
            return without_key();
        }
        let offset = self.state.reader.offset();
        let step = Segment::Field(self.key.clone());
        let result = self.state.take_tag().and_then(|tag| {
            let tag_and_mark = TagAndMark::of_field(tag);
            self.state
                .in_step(step, |input| seed.deserialize(Node { input, tag_and_mark, at: offset }))
        });
        match result {
            Ok(value) => {
                self.state.skip_if_unread(offset, None)?;
                self.unread = None;
                Ok(value)
            }
            Err(error) => {
                let key = core::mem::take(&mut self.key);
                Err(error.or_offset(offset).inside(Segment::Field(key)))
            }
        }
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

/// The name of a field that the type does not have: the one that the user has told, else its hash. A
/// type that asks the data for names cannot use a hash.
#[cold]
pub(super) fn name_or_hash(
    state: &State<'_>,
    hash: u32,
    has_names: bool,
    offset: usize,
) -> Result<String> {
    match state.told_name(hash) {
        Some(name) => Ok(name.to_string()),
        None if has_names => Ok(HashName::new(hash).into()),
        None => Err(Error::at(ErrorKind::NoName { of: "field", hash }, offset)),
    }
}

/// Which fields of a record have come.
#[derive(Default)]
struct Seen {
    first: u128,
    others: Vec<bool>,
}

impl Seen {
    /// Notes a field; `false` if it has come before.
    #[inline]
    fn insert(&mut self, index: usize, len: usize) -> bool {
        let bit = u32::try_from(index).ok().and_then(|index| 1u128.checked_shl(index));
        match bit {
            Some(bit) => {
                let new = self.first & bit == 0;
                self.first |= bit;
                new
            }
            None => {
                self.others.resize(len, false);
                match self.others.get_mut(index) {
                    Some(seen) => !core::mem::replace(seen, true),
                    None => true,
                }
            }
        }
    }
}
