//! The bytes before a value: nothing, its tag, or the key of a field and the tag.

use super::output::Output;
use super::vint::{self, Uvint};
use super::written::Written;
use crate::biniou::mark::{Mark, Target};
use crate::biniou::wire::{self, Tag};
use crate::biniou::{Error, Result};
use crate::buffer::SHORT;

/// The bytes before a value, and its mark. All in one number, which is passed in a register. Its bytes:
/// the key of a field, by how many bits a whole prefix is shifted to become this one, its size, the mark,
/// and whether the value is a row.
#[derive(Clone, Copy, Debug)]
pub(in crate::biniou) struct Prefix(u64);

const KEY: u64 = 0xffff_ffff;
const KEY_BITS: u32 = 32;
const SHIFT_AT: u32 = 32;
const SIZE_AT: u32 = 40;
const MARK_AT: u32 = 48;
const ROW: u64 = 1 << 56;

/// The longest prefix: key and tag.
const WHOLE: u64 = 5;
const WHOLE_BITS: u32 = 40;

/// A value of so many bytes and the longest prefix are written as one word.
const SMALL: usize = 3;

impl Prefix {
    const fn of_size(size: u64) -> Self {
        Prefix((((WHOLE - size) * 8) << SHIFT_AT) | (size << SIZE_AT))
    }

    /// An item of an ARRAY or a cell of a TABLE: the tag of all is elsewhere.
    pub(super) const UNTAGGED: Self = Self::of_size(0);

    pub(super) const TAGGED: Self = Self::of_size(1);

    /// A field of a record.
    #[inline]
    pub(super) fn of_field(hash: u32) -> Self {
        let key = u32::from_le_bytes(wire::field_key(hash));
        Prefix(Self::of_size(WHOLE).0 | u64::from(key))
    }

    /// A row of a TABLE: no bytes.
    pub(super) fn of_row() -> Self {
        Prefix(Self::UNTAGGED.with_mark(Some(Mark::Table)).0 | ROW)
    }

    /// The same prefix for a value with this mark.
    #[inline]
    pub(super) fn with_mark(self, mark: Option<Mark>) -> Self {
        let code = u64::from(Mark::to_code(mark));
        Prefix(self.0 & ((1 << MARK_AT) - 1) | code << MARK_AT)
    }

    /// The same mark before a value whose tag is elsewhere.
    #[inline]
    pub(super) fn without_tag(self) -> Self {
        Self::UNTAGGED.with_mark(self.mark())
    }

    #[inline]
    pub(super) fn mark(self) -> Option<Mark> {
        let [_, _, _, _, _, _, code, _] = self.0.to_le_bytes();
        Mark::from_code(code)
    }

    #[inline]
    pub(super) fn is_row(self) -> bool {
        self.0 & ROW != 0
    }

    #[inline]
    pub(super) fn is_field(self) -> bool {
        self.0 & KEY != 0
    }

    /// How many bytes it has.
    #[inline]
    pub(super) fn size(self) -> usize {
        let [_, _, _, _, _, size, _, _] = self.0.to_le_bytes();
        usize::from(size)
    }

    /// The bytes and those of a small value, the first one lowest.
    #[inline]
    fn word(self, tag: Tag, body: u64) -> u64 {
        let [_, _, _, _, shift, ..] = self.0.to_le_bytes();
        (self.0 & KEY | u64::from(tag.byte()) << KEY_BITS | body << WHOLE_BITS) >> shift
    }

    /// Writes it, and a value of `size` bytes, at most `MOST`, little-endian.
    #[inline]
    pub(super) fn put<const MOST: usize>(
        self,
        out: &mut Output,
        tag: Tag,
        body: u64,
        size: usize,
    ) -> Result<Written> {
        match MOST <= SMALL {
            true => out.put(self.word(tag, body).to_le_bytes(), self.size() + size),
            false => {
                let all = u128::from(self.word(tag, 0)) | u128::from(body) << (8 * self.size());
                out.put(all.to_le_bytes(), self.size() + size);
            }
        }
        Ok(Written::of(tag))
    }

    /// The same for a value of one byte.
    #[inline]
    pub(super) fn put_byte(self, out: &mut Output, tag: Tag, byte: u8) -> Result<Written> {
        self.put::<1>(out, tag, byte.into(), 1)
    }

    /// The same for a number of fixed width.
    #[inline]
    pub(super) fn put_bytes<const N: usize>(
        self,
        out: &mut Output,
        tag: Tag,
        bytes: [u8; N],
    ) -> Result<Written> {
        let body = bytes.iter().rev().fold(0, |body, byte| body << 8 | u64::from(*byte));
        self.put::<N>(out, tag, body, N)
    }

    /// Writes the key of a field alone.
    #[inline]
    pub(super) fn put_key(self, out: &mut Output) {
        out.put((self.0 & KEY).to_le_bytes(), self.size().saturating_sub(1));
    }

    /// Writes it alone.
    #[inline]
    pub(super) fn put_alone(self, out: &mut Output, tag: Tag) {
        out.put(self.word(tag, 0).to_le_bytes(), self.size());
    }

    /// Writes it, and an unsigned vint.
    #[inline]
    pub(super) fn put_uvint<U: Uvint>(
        self,
        out: &mut Output,
        tag: Tag,
        number: U,
    ) -> Result<Written> {
        let wide = number.into();
        if wide >= vint::LONG {
            return self.put_long_uvint(out, tag, wide);
        }
        let (word, size) = number.spread();
        match size_of::<U>() < SMALL {
            true => self.put::<SMALL>(out, tag, word, size),
            false => self.put::<8>(out, tag, word, size),
        }
    }

    /// An unsigned vint of more than eight bytes.
    #[cold]
    #[inline(never)]
    fn put_long_uvint(self, out: &mut Output, tag: Tag, number: u64) -> Result<Written> {
        let (bytes, size) = vint::spread_long_uvint(number);
        self.put_alone(out, tag);
        out.put(bytes, size);
        Ok(Written::of(tag))
    }

    /// Writes it, and a vint of any size.
    pub(super) fn put_wide(self, out: &mut Output, tag: Tag, number: u128) -> Result<Written> {
        if let Ok(number) = u64::try_from(number) {
            return self.put_uvint(out, tag, number);
        }
        self.put_alone(out, tag);
        out.edit(|out| wire::put_uvint(out, number));
        Ok(Written::of(tag))
    }

    /// Writes it, the length of a string, and the string. The caller has counted it (`Sharing::note_text`).
    #[inline]
    pub(super) fn put_string(self, out: &mut Output, bytes: &[u8]) -> Result<Written> {
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let head = self.word(Tag::String, length);
        if bytes.len() > SHORT || !out.put_short(head.to_le_bytes(), self.size() + 1, bytes) {
            self.put_long_string(out, bytes);
        }
        Ok(Written::of(Tag::String))
    }

    #[inline(never)]
    fn put_long_string(self, out: &mut Output, bytes: &[u8]) {
        self.put_length(out, Tag::String, bytes.len());
        out.put_bytes(bytes);
    }

    /// Writes it, and a length or count.
    #[inline]
    pub(super) fn put_length(self, out: &mut Output, tag: Tag, length: usize) {
        match wire::short_length(length) {
            Some(byte) => drop(self.put_byte(out, tag, byte)),
            None => self.put_long_length(out, tag, length),
        }
    }

    #[inline(never)]
    fn put_long_length(self, out: &mut Output, tag: Tag, length: usize) {
        // Lossless: no `usize` has more than 64 bits.
        drop(self.put_uvint(out, tag, u64::try_from(length).unwrap_or(u64::MAX)));
    }

    /// Refuses the mark if it does not fit the value. A row is a struct.
    #[inline(never)]
    pub(super) fn check(self, target: Target) -> Result<()> {
        match self.mark() {
            None => Ok(()),
            Some(mark) if mark.fits(target) && !self.is_row() => Ok(()),
            Some(_) => Err(self.mismatch(target)),
        }
    }

    /// The error for a mark that does not fit the value.
    #[cold]
    #[inline(never)]
    pub(super) fn mismatch(self, target: Target) -> Error {
        let mark = self.mark().unwrap_or(Mark::Table);
        mark.mismatch(if self.is_row() { Target::ListOf(target.list()) } else { target })
    }
}
