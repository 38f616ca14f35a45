//! Access to the parts of tuples and structs, read fast or exactly. Knows how many a type takes, does not know
//! how values are read.

use core::marker::PhantomData;

use serde_core::de::{self, Deserialize, DeserializeSeed, Visitor};

use super::reading::Reading;
use super::value::Value;
use crate::glue::names::Names;
use crate::tsm::Result;

/// Reads the parts of a tuple or struct.
#[inline(always)]
pub(super) fn parts<'de, R: Reading<'de>, V: Visitor<'de>>(
    reader: &mut R,
    most: usize,
    names: Names,
    visitor: V,
) -> Result<V::Value, R::Error> {
    reader.level(|reader| Parts { reader, next: 0, most, names }.visit(visitor))
}

/// The parts of a tuple or struct, whose number the type knows. serde's list of fields contains aliases,
/// too, so a struct may take fewer.
struct Parts<'a, R> {
    reader: &'a mut R,
    next: usize,
    most: usize,
    names: Names,
}

impl<R> Parts<'_, R> {
    #[inline(always)]
    fn visit<'de, V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, R::Error>
    where
        R: Reading<'de>,
    {
        let offset = self.reader.offset();
        let value = match visitor.visit_seq(&mut self) {
            Ok(value) => value,
            Err(error) => return Err(self.reader.failed(error, offset)),
        };
        if !self.names.is_list() && self.next != self.most {
            self.reader.check_end(self.names, self.most, self.next, offset)?;
        }
        Ok(value)
    }
}

impl<'de, R: Reading<'de>> de::SeqAccess<'de> for &mut Parts<'_, R> {
    type Error = R::Error;

    #[inline(always)]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>, R::Error> {
        if self.next < self.most {
            if let Some(value) = self.reader.read_fast() {
                self.next += 1;
                return Ok(Some(value));
            }
        }
        self.next_element_seed(PhantomData)
    }

    #[inline(always)]
    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, R::Error> {
        if self.next >= self.most {
            return Ok(None);
        }
        let (index, offset) = (self.next, self.reader.offset());
        self.next += 1;
        match seed.deserialize(Value(&mut *self.reader)) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(self.reader.part_failed(error, offset, self.names, index)),
        }
    }

    #[inline(always)]
    fn size_hint(&self) -> Option<usize> {
        Some(self.most.saturating_sub(self.next).min(self.reader.left()))
    }
}
