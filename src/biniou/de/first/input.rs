//! What the first attempt keeps in mind, and how it takes bytes.

use alloc::boxed::Box;

use super::template::{Ahead, HEIGHT, Template};
use super::types::{Key, Type, Types};
use super::{GaveUp, Result};
use crate::biniou::Options;
use crate::biniou::definitions::Definitions;
use crate::biniou::skip::Skipper;
use crate::biniou::wire::Tag;
use crate::limits::{Depth, Room};
use crate::read::Reader;

/// How many types' names are found without a search.
const RECENT: usize = 16;

/// Bytes of a vint that are taken at once.
const VINT_WORD: usize = 8;
const VINT_MORE: u8 = 1 << 7;
const VINT_BITS: u32 = 7;

pub(super) struct Input<'n, 'de> {
    rest: &'de [u8],
    /// How many levels and wrappers more there may be.
    levels: u16,
    wrappers: u16,
    room: Room,
    pub(super) types: &'n Types,
    recent: [Option<&'n Type>; RECENT],
    /// Whether a dictionary may know the names of unknown fields.
    pub(super) has_names: bool,
    /// Whether something was met that the thorough reader has to see.
    pub(super) gave_up: bool,
    /// Whether items of sequences may be read through windows.
    pub(super) has_windows: bool,
    /// Whether a window met something that the reader without windows has to see.
    pub(super) was_surprised: bool,
    /// Of the items that were read through a window last.
    pub(super) template: Option<Box<Template>>,
}

impl<'n, 'de> Input<'n, 'de> {
    #[inline]
    pub(super) fn new(options: &Options, bytes: &'de [u8], types: &'n Types) -> Self {
        Input {
            rest: bytes,
            levels: options.max_depth,
            wrappers: options.max_depth,
            room: Room::new(bytes.len()),
            types,
            recent: [None; RECENT],
            has_names: options.names.is_some(),
            gave_up: false,
            has_windows: true,
            was_surprised: false,
            template: None,
        }
    }

    /// How many bytes are left.
    #[inline]
    pub(super) fn left(&self) -> usize {
        self.rest.len()
    }

    /// Gives the whole document up.
    #[cold]
    #[inline(never)]
    pub(super) fn give_up<T>(&mut self) -> Result<T> {
        self.gave_up = true;
        Err(GaveUp)
    }

    /// Notes a part's failure, since the type might go on without it.
    #[inline(always)]
    pub(super) fn note<T>(&mut self, part: Result<T>) -> Result<T> {
        match part {
            Ok(value) => Ok(value),
            Err(GaveUp) => self.give_up(),
        }
    }

    #[inline(always)]
    pub(super) fn take_array<const N: usize>(&mut self) -> Result<[u8; N]> {
        match self.rest.split_first_chunk::<N>() {
            Some((head, tail)) => {
                self.rest = tail;
                Ok(*head)
            }
            None => self.give_up(),
        }
    }

    #[inline(always)]
    pub(super) fn take(&mut self, len: usize) -> Result<&'de [u8]> {
        match self.rest.split_at_checked(len) {
            Some((head, tail)) => {
                self.rest = tail;
                Ok(head)
            }
            None => self.give_up(),
        }
    }

    /// Takes what stands in front of a field's value.
    #[inline(always)]
    pub(super) fn take_key_and_tag(&mut self) -> Option<(&'de Key, u8)> {
        let (key, rest) = self.rest.split_first_chunk()?;
        let (tag, rest) = rest.split_first()?;
        self.rest = rest;
        Some((key, *tag))
    }

    /// Takes a count if it is this one, in one byte.
    #[inline(always)]
    pub(super) fn takes_count(&mut self, expected: usize) -> bool {
        match *self.rest {
            [count, ref tail @ ..] if count < VINT_MORE && usize::from(count) == expected => {
                self.rest = tail;
                true
            }
            _ => false,
        }
    }

    /// Takes the byte of a tag, whatever it is.
    #[inline(always)]
    pub(super) fn take_byte(&mut self) -> Result<u8> {
        self.take_array().map(|[byte]| byte)
    }

    /// Takes an unsigned vint that fits.
    #[inline(always)]
    pub(super) fn take_uvint(&mut self) -> Result<u64> {
        match *self.rest {
            [byte, ref tail @ ..] if byte < VINT_MORE => {
                self.rest = tail;
                Ok(u64::from(byte))
            }
            [low, byte, ref tail @ ..] if byte < VINT_MORE => {
                self.rest = tail;
                Ok(u64::from(low & !VINT_MORE) | u64::from(byte) << VINT_BITS)
            }
            _ => self.take_long_uvint(),
        }
    }

    /// One of more than two bytes: the groups of seven bits are found and joined eight at a time.
    #[inline(never)]
    fn take_long_uvint(&mut self) -> Result<u64> {
        const LAST: u64 = u64::from_ne_bytes([VINT_MORE; VINT_WORD]);
        let Some((word, behind)) = self.rest.split_first_chunk::<VINT_WORD>() else {
            return self.take_uvint_bytewise();
        };
        let word = u64::from_le_bytes(*word);
        let last = !word & LAST;
        // The bits up to and with the byte that is the last; all if there is none.
        let own = (last ^ last.wrapping_sub(1)) & !LAST;
        let mut bits = word & own;
        bits = ((bits & 0x7f00_7f00_7f00_7f00) >> 1) | (bits & 0x007f_007f_007f_007f);
        bits = ((bits & 0x3fff_0000_3fff_0000) >> 2) | (bits & 0x0000_3fff_0000_3fff);
        bits = ((bits & 0x0fff_ffff_0000_0000) >> 4) | (bits & 0x0000_0000_0fff_ffff);
        if last != 0 {
            let taken = usize::try_from(last.trailing_zeros() / u8::BITS).unwrap_or(0) + 1;
            self.rest = self.rest.get(taken..).unwrap_or_default();
            return Ok(bits);
        }
        // 56 bits, and one or two bytes more.
        let high = match *behind {
            [byte, ref tail @ ..] if byte < VINT_MORE => {
                self.rest = tail;
                u64::from(byte)
            }
            [low, byte @ 0..=1, ref tail @ ..] => {
                self.rest = tail;
                u64::from(low & !VINT_MORE) | (u64::from(byte) << VINT_BITS)
            }
            _ => return self.give_up(),
        };
        Ok(bits | (high << (VINT_BITS * 8)))
    }

    /// One at the end of the input.
    #[cold]
    fn take_uvint_bytewise(&mut self) -> Result<u64> {
        let mut number = 0u64;
        for shift in (0..VINT_WORD).zip((0..).step_by(7)).map(|(_, shift)| shift) {
            let byte = self.take_byte()?;
            number |= u64::from(byte & !VINT_MORE) << shift;
            if byte < VINT_MORE {
                return Ok(number);
            }
        }
        self.give_up()
    }

    /// Takes a count of things, each of which takes at least `size` bytes.
    #[inline(always)]
    pub(super) fn take_length(&mut self, size: usize) -> Result<usize> {
        let claimed = self.take_uvint()?;
        match usize::try_from(claimed) {
            Ok(length) if length.checked_mul(size).is_some_and(|bytes| bytes <= self.left()) => {
                Ok(length)
            }
            _ => self.give_up(),
        }
    }

    /// Takes a string's length and bytes.
    #[inline(always)]
    pub(super) fn take_string(&mut self) -> Result<&'de [u8]> {
        if let [length, ref tail @ ..] = *self.rest {
            if let (true, Some((text, rest))) =
                (length < VINT_MORE, tail.split_at_checked(length.into()))
            {
                self.rest = rest;
                return Ok(text);
            }
        }
        self.take_long_string()
    }

    #[inline(never)]
    fn take_long_string(&mut self) -> Result<&'de [u8]> {
        let length = match usize::try_from(self.take_uvint()?) {
            Ok(length) => length,
            Err(_) => return self.give_up(),
        };
        self.take(length)
    }

    /// Reads a value that takes bytes of its own around others.
    #[inline(always)]
    pub(super) fn level<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let Some(levels) = self.levels.checked_sub(1) else { return self.give_up() };
        self.levels = levels;
        let part = read(self);
        self.levels = levels + 1;
        self.note(part)
    }

    /// Reads what is in a newtype struct.
    #[inline(always)]
    pub(super) fn wrapper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let Some(wrappers) = self.wrappers.checked_sub(1) else { return self.give_up() };
        self.wrappers = wrappers;
        let part = read(self);
        self.wrappers = wrappers + 1;
        self.note(part)
    }

    /// The bytes of an item that is read through a window, if there are as many as one may have.
    #[inline(always)]
    pub(super) fn ahead(&self) -> Option<&'de Ahead> {
        self.rest.first_chunk()
    }

    /// Steps over an item that was read through a window.
    #[inline(always)]
    pub(super) fn pass(&mut self, size: usize) {
        self.rest = self.rest.get(size..).unwrap_or_default();
    }

    /// Whether items like the next one are read through windows.
    #[cold]
    #[inline(never)]
    pub(super) fn begin_windows(&mut self, tag: u8) -> bool {
        self.template = match self.ahead() {
            Some(item) if self.levels.min(self.wrappers) >= HEIGHT => Template::of(tag, item),
            _ => None,
        };
        self.template.is_some()
    }

    /// How many items there is room for.
    #[inline(always)]
    pub(super) fn claim(&mut self, count: usize) -> usize {
        self.room.claim(count)
    }

    /// The names in `list`, with their hashes.
    #[inline(always)]
    pub(super) fn type_of(&mut self, list: &'static [&'static str]) -> Result<&'n Type> {
        // Lists of two types differ in their addresses, by 16 at least.
        let slot = self.recent.get_mut((list.as_ptr().addr() / 16) % RECENT);
        match slot {
            Some(Some(known)) if known.is_of(list) => Ok(known),
            slot => match self.types.of(list) {
                Some(found) => {
                    if let Some(slot) = slot {
                        *slot = Some(found);
                    }
                    Ok(found)
                }
                None => self.give_up(),
            },
        }
    }

    /// Steps over a value. Shared ones in it concern nobody, since none outside is read here.
    #[cold]
    pub(super) fn skip(&mut self, tag: u8) -> Result<()> {
        let Some(tag) = Tag::from_byte(tag) else { return self.give_up() };
        let mut reader = Reader::new(self.rest, 0);
        let mut skipper = Skipper {
            depth: Depth::new(self.levels),
            definitions: &mut Definitions::default(),
            // How many such rows a document may have, the thorough reader counts.
            empty_rows: &mut 0,
        };
        match skipper.value(&mut reader, tag) {
            Ok(()) => self.take(reader.offset()).map(drop),
            Err(_) => self.give_up(),
        }
    }
}
