//! The fields of a RECORD in the order of its type, without some of them.
//!
//! Most records are so. A struct then takes its fields by `visit_seq`, which compares four bytes for each name. What may
//! not be read in that way is found while or after it is: then the whole message is read again, all structs by name. So
//! no error is reported here that could have another reason.
//!
//! What is called for every value is always inlined, for the reasons in [`value`](super::value).

use serde_core::de::{Deserialize, DeserializeSeed, SeqAccess};

use super::document::Result;
use super::head::Head;
use super::input::Input;
use super::types::{Key, Type};
use crate::biniou::wire::{FIELD_SIZE, Tag, VINT_MORE};
use crate::error::Segment;
use crate::failed::Failed;

pub(super) struct InOrder<'a, 't, 'de> {
    pub(super) input: Input<'a, 't, 'de>,
    names: &'t Type,
    /// Of the fields to come.
    keys: &'t [Key],
    /// How many of these the record does not have. If one has failed, how many there were with it.
    absent: usize,
    /// Whether the record has all fields of the type.
    is_whole: bool,
    failed: bool,
    /// How many bytes there are from the first field on.
    first: usize,
}

impl<'a, 't, 'de> InOrder<'a, 't, 'de> {
    /// The fields of the RECORD at the input, if it begins with the first field of its type and has no more. `len`
    /// is the number of fields of the type: as a constant, it makes a loop unnecessary.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn begin(input: Input<'a, 't, 'de>, names: &'t Type, len: usize) -> Option<Self> {
        let keys = names.keys(len)?;
        let (count, rest) = input.rest.split_first()?;
        let count = usize::from(*count);
        let absent = len.checked_sub(count)?;
        let is_likely = len < usize::from(VINT_MORE)
            && rest.first_chunk() == keys.first()
            && !input.document.by_name;
        // Perhaps an adjacently tagged enum, which expects its tag to be a variant only if it takes it by name.
        let is_tagged = len == 2 && rest.get(size_of::<Key>()) == Some(&Tag::Variant.byte());
        if !is_likely || is_tagged {
            return None;
        }
        let (is_whole, first, input) = (absent == 0, rest.len(), Input { rest, ..input });
        Some(InOrder { input, names, keys, absent, is_whole, failed: false, first })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn end<T>(&mut self, value: Result<T>) -> Result<T> {
        // If none is left of the type's fields, and so many have come as the record has.
        if value.is_ok() && self.keys.is_empty() && self.absent == 0 {
            return value;
        }
        let names = if self.failed && self.is_whole { Some(self.names) } else { None };
        let Input { rest, document, .. } = self.input;
        Err(document.fail_in_order(rest.len(), self.first, names, self.absent))
    }
}

impl<'de> super::document::Document<'_, 'de> {
    /// The error of a record. If one of these names has failed, with it so many were to come.
    #[cold]
    fn fail_in_order(
        &self,
        rest: usize,
        first: usize,
        names: Option<&Type>,
        left: usize,
    ) -> Failed {
        let names = names.filter(|names| first >= names.list.len() * FIELD_SIZE);
        // Perhaps there are fewer bytes than so many fields have.
        let Some(names) = names else { return self.read_again() };
        let name = names.name(names.list.len().saturating_sub(left));
        let failed = self.inside(self.last(rest), Segment::Field(name.into()));
        self.place(self.last(first), failed)
    }
}

impl<'de> SeqAccess<'de> for &mut InOrder<'_, '_, 'de> {
    type Error = Failed;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        self.next_element_seed(core::marker::PhantomData)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let [key, others @ ..] = self.keys else { return Ok(None) };
        match self.input.rest.split_first_chunk() {
            Some(([a, b, c, d, tag], rest)) if [*a, *b, *c, *d] == *key => {
                self.keys = others;
                let head = Head::of_field(*tag);
                let value = self.input.value(rest, head, |value| seed.deserialize(value));
                if value.is_err() {
                    (self.absent, self.keys) = (self.keys.len() + 1, &[]);
                    self.failed = true;
                    // At the tag.
                    self.input.rest = self.input.document.last(rest.len() + 1);
                }
                value.map(Some)
            }
            // It is not there: the type has a default for it, or fails.
            _ if self.absent > 0 => {
                (self.keys, self.absent) = (others, self.absent - 1);
                Ok(None)
            }
            _ => {
                (self.absent, self.keys) = (1, &[]);
                Err(self.input.document.read_again())
            }
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn size_hint(&self) -> Option<usize> {
        Some(self.keys.len())
    }
}
