//! What the two ways of reading are to the one source for both ([`value`](super::value)): the fast way bails on
//! anything unusual, the exact one explains. Knows neither.

use serde_core::de::{self, Deserialize, Visitor};

use super::decoder::Decoder;
use super::parts::parts;
use super::value::Value;
use crate::glue::names::Names;
use crate::glue::nested::Owner;
use crate::tsm::Result;

/// The way in which the next value is read.
///
/// An error is made by the exact way only, in a closure that the fast one drops: so nothing of it is left
/// there.
pub(super) trait Reading<'de>: Sized {
    type Error: de::Error;

    /// Where the next byte lies, for errors. The fast way does not know.
    fn offset(&self) -> usize;

    /// How many bytes are left.
    fn left(&self) -> usize;

    /// Takes the bytes of a number.
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Self::Error>;

    /// Does what nearly no value needs; the fast way bails.
    fn exactly<T>(
        &mut self,
        read: impl FnOnce(&mut Decoder<'de>) -> Result<T>,
    ) -> Result<T, Self::Error>;

    /// Reads a value that has parts.
    fn level<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Self::Error>,
    ) -> Result<T, Self::Error>;

    /// Reads what is in a `Some` or newtype struct.
    fn wrapper<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Self::Error>,
    ) -> Result<T, Self::Error>;

    /// Refuses parts that a type has left, unless those of the tuple around it know their own end.
    fn check_end(
        &self,
        names: Names,
        most: usize,
        next: usize,
        offset: usize,
    ) -> Result<(), Self::Error>;

    /// Says of the error of a value that it began at `offset`.
    fn failed(&mut self, error: Self::Error, offset: usize) -> Self::Error;

    /// The same of a part.
    fn part_failed(
        &mut self,
        error: Self::Error,
        offset: usize,
        names: Names,
        index: usize,
    ) -> Self::Error;

    /// Reads a part by a faster way, if there is one for its type.
    #[inline(always)]
    fn read_fast<T: Deserialize<'de>>(&mut self) -> Option<T> {
        None
    }

    /// Reads what is in a newtype struct of this name, which may be that of a document.
    #[inline(always)]
    fn newtype<V: Visitor<'de>>(
        &mut self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        self.wrapper(|reader| visitor.visit_newtype_struct(Value(reader)))
    }

    /// Reads the fields of a struct, which may be an adjacently tagged enum.
    #[inline(always)]
    fn fields<V: Visitor<'de>>(
        &mut self,
        _owner: Owner,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        parts(self, names.len(), Names::Fields(names), visitor)
    }
}
