//! The smallest elements: tags, vints, hashes, numbers of fixed width. Each becomes a span, with an error or without.

use fourfold::Reader;
use fourfold::biniou::wire::{self, Tag, VINT_MORE};
use fourfold::biniou::{Error, ErrorKind, Result};

use super::{Outcome, Walk, named, text};
use crate::spans::hex;

/// The start of the next value is not known.
#[derive(Debug)]
pub(super) struct Stop;

impl<'de> Walk<'_, '_, '_, 'de> {
    /// The bytes taken since `before` are one span.
    pub(super) fn put(
        &mut self,
        before: Reader<'_>,
        what: &'static str,
        value: impl FnOnce() -> String,
    ) {
        let len = before.left() - self.reader.left();
        self.explanation.spans.put(len, what, value);
    }

    /// The bytes taken since `before` are one span with an error.
    pub(super) fn put_wrong(
        &mut self,
        before: Reader<'_>,
        what: &'static str,
        value: impl FnOnce() -> String,
        error: String,
    ) {
        let len = before.left() - self.reader.left();
        self.explanation.spans.put_wrong(len, what, value, error);
    }

    /// The next `len` bytes, or all that are left, are wrong.
    fn fail(&mut self, len: usize, what: &'static str, error: &Error) {
        let before = self.reader;
        let bytes = self.skip(len);
        self.put_wrong(before, what, || hex(bytes), text(error));
    }

    /// Takes as many of the next `len` bytes as are there.
    pub(super) fn skip(&mut self, len: usize) -> &'de [u8] {
        let len = len.min(self.reader.left());
        self.reader.take::<ErrorKind>(len).unwrap_or_default()
    }

    /// Takes the bytes of a vint, however long; returns whether it ends.
    fn skip_vint(&mut self) -> (&'de [u8], bool) {
        let mut ahead = self.reader;
        while let Ok([byte]) = ahead.take_array::<1, ErrorKind>() {
            if byte < VINT_MORE {
                return (self.skip(self.reader.left() - ahead.left()), true);
            }
        }
        (self.skip(self.reader.left()), false)
    }

    /// An element of fixed width, all of whose bytes are valid.
    pub(super) fn number<const N: usize>(
        &mut self,
        what: &'static str,
        show: impl FnOnce([u8; N]) -> String,
    ) -> Outcome {
        let before = self.reader;
        match self.reader.take_array::<N, ErrorKind>() {
            Ok(bytes) => {
                self.put(before, what, || show(bytes));
                Ok(())
            }
            Err(error) => {
                self.fail(N, what, &error);
                Err(Stop)
            }
        }
    }

    /// One byte, whose value may be invalid. What follows is still found.
    pub(super) fn byte<T>(
        &mut self,
        what: &'static str,
        take: impl FnOnce(&mut Reader<'_>) -> Result<T>,
        show: impl FnOnce(T) -> String,
    ) -> Outcome {
        let before = self.reader;
        let mut ahead = self.reader;
        match take(&mut ahead) {
            Ok(value) => {
                self.skip(1);
                self.put(before, what, || show(value));
            }
            Err(error) => {
                self.fail(1, what, &error);
                if before.left() == 0 {
                    return Err(Stop);
                }
            }
        }
        Ok(())
    }

    pub(super) fn tag(&mut self, what: &'static str) -> Outcome<Tag> {
        let before = self.reader;
        match wire::take_tag(&mut self.reader) {
            Ok(tag) => {
                self.put(before, what, || tag.name().to_string());
                Ok(tag)
            }
            Err(error) => {
                self.reader = before;
                self.fail(1, what, &error);
                Err(Stop)
            }
        }
    }

    /// The hash of a field or column, if that is what comes next and all of it is there.
    pub(super) fn next_hash(&self) -> Option<u32> {
        let bytes = self.reader.clone().take_array::<4, ErrorKind>().ok()?;
        Some(wire::hash_in(bytes))
    }

    /// The hashed name of a field or column, which is taken for one even without its first bit.
    pub(super) fn field_hash(&mut self, what: &'static str) -> Outcome<u32> {
        let before = self.reader;
        let checked = wire::take_field(&mut self.reader.clone());
        let Some(hash) = self.next_hash() else {
            if let Err(error) = &checked {
                self.fail(4, what, error);
            }
            return Err(Stop);
        };
        self.skip(4);
        let name = self.explanation.name(hash);
        let value = || named(name, hash);
        match &checked {
            Ok(_) => self.put(before, what, value),
            Err(error) => self.put_wrong(before, what, value, text(error)),
        }
        Ok(hash)
    }

    /// A vint; `None` if it is too large, though it ends.
    pub(super) fn vint(
        &mut self,
        what: &'static str,
        show: impl FnOnce(u128) -> String,
    ) -> Outcome<Option<u128>> {
        let before = self.reader;
        match wire::take_uvint(&mut self.reader) {
            Ok(number) => {
                let len = before.left() - self.reader.left();
                self.put(before, what, || show(number) + &overlong(number, len));
                Ok(Some(number))
            }
            Err(error) => {
                self.reader = before;
                let (bytes, ends) = self.skip_vint();
                if ends {
                    self.put_wrong(before, what, || hex(bytes), text(&error));
                    return Ok(None);
                }
                // The available bytes are valid unless there are too many; the error is that others are missing.
                if error.offset() == Some(before.offset()) {
                    self.put_wrong(before, what, || hex(bytes), text(&error));
                } else {
                    self.put(before, what, || hex(bytes));
                    self.explanation.spans.put_wrong(0, what, String::new, text(&error));
                }
                Err(Stop)
            }
        }
    }

    /// A length or count of things that take at least `size` bytes each. If it is beyond the rest of
    /// the input, that is an error, but what it counts still begins here.
    pub(super) fn length(&mut self, what: &'static str, size: usize) -> Outcome<usize> {
        let mut ahead = self.reader;
        let error = match wire::take_length(&mut ahead, size) {
            Err(error) if matches!(error.kind(), ErrorKind::Length { .. }) => Some(text(&error)),
            _ => None,
        };
        self.count(what, error)
    }

    /// A length or count that has been checked.
    pub(super) fn count(&mut self, what: &'static str, error: Option<String>) -> Outcome<usize> {
        let number = match error {
            None => self.vint(what, |number| number.to_string())?.ok_or(Stop)?,
            Some(error) => {
                let before = self.reader;
                let number = wire::take_uvint(&mut self.reader).map_err(|_| Stop)?;
                self.put_wrong(before, what, || number.to_string(), error);
                number
            }
        };
        Ok(usize::try_from(number).unwrap_or(usize::MAX))
    }
}

/// The note on a number that takes so many bytes.
fn overlong(number: u128, len: usize) -> String {
    // Each byte has 7 bits.
    let bits = u128::BITS - number.leading_zeros();
    let shortest = usize::try_from(bits.div_ceil(7)).unwrap_or_default().max(1);
    match len.saturating_sub(shortest) {
        0 => String::new(),
        1 => String::from(", 1 byte longer than need be"),
        extra => format!(", {extra} bytes longer than need be"),
    }
}
