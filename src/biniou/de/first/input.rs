//! What the first attempt keeps in mind, and how it takes bytes.

use alloc::boxed::Box;
use core::marker::PhantomData;

use super::leaf;
use super::node::Head;
use super::template::{Ahead, HEIGHT, Template};
use super::types::{Key, Type, Types};
use super::{Bail, Result};
use crate::biniou::Options;
use crate::biniou::de::node::integer::Integer;
use crate::biniou::definitions::Definitions;
use crate::biniou::skip::Skipper;
use crate::biniou::wire::{Tag, VINT_MORE};
use crate::limits::{DepthMeter, ItemBudget};
use crate::read::Reader;

/// How many types' names are found without a search.
const RECENT: usize = 16;

/// All records around the place have all their fields, in order.
///
/// What is compiled for such places is called from one place in each type's `visit_seq`, since
/// `visit_map` has its own, and so is inlined there: an update of the game takes 53,852 instructions
/// and not 58,880.
pub(super) enum Ordered {}

/// Some may not.
pub(super) enum Mixed {}

/// The bytes to come, and what belongs to the whole document.
///
/// Whoever hands out parts has one of his own, and gives each part a copy of that: what no function
/// sees that is not inlined, stays in registers.
pub(super) struct Input<'s, 'n, 'de, O> {
    rest: &'de [u8],
    pub(super) state: &'s mut State<'n>,
    /// Whether the place is an [`Ordered`] or a [`Mixed`] one.
    order: PhantomData<O>,
}

/// What belongs to the whole document.
pub(super) struct State<'n> {
    /// How many levels and wrappers more there may be.
    levels: u16,
    wrappers: u16,
    room: ItemBudget,
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
    /// Of the items that were read through a window last, or of those that would have been: arrays
    /// within each other have one for all of them.
    pub(super) template: Option<Box<Template>>,
    /// How items begin of which there was no template.
    windowless: Option<(u8, Beginning)>,
}

/// The count and the first key of a record: those of one type have them in common.
type Beginning = [u8; 1 + size_of::<Key>()];

impl<'n> State<'n> {
    #[inline]
    pub(super) fn new(options: &Options, bytes: &[u8], types: &'n Types) -> Self {
        State {
            levels: options.max_depth,
            wrappers: options.max_depth,
            room: ItemBudget::new(bytes.len()),
            types,
            recent: [None; RECENT],
            has_names: options.names.is_some(),
            gave_up: false,
            has_windows: true,
            was_surprised: false,
            template: None,
            windowless: None,
        }
    }

    /// Whether items like the one at hand are read through windows.
    #[cold]
    #[inline(never)]
    pub(super) fn begin_windows(&mut self, tag: u8, item: Option<&Ahead>) -> bool {
        let Some(item) = item.filter(|_| self.levels.min(self.wrappers) >= HEIGHT) else {
            return false;
        };
        // A template that is made in vain costs as much as an item.
        let beginning = item.first_chunk().map(|beginning| (tag, *beginning));
        if beginning == self.windowless {
            return false;
        }
        self.template = Template::of(tag, item);
        if self.template.is_none() {
            self.windowless = beginning;
        }
        self.template.is_some()
    }

    #[cold]
    #[inline(never)]
    fn give_up(&mut self) {
        self.gave_up = true;
    }
}

impl<'s, 'n, 'de, O> Input<'s, 'n, 'de, O> {
    #[inline]
    pub(super) fn new(bytes: &'de [u8], state: &'s mut State<'n>) -> Self {
        Input { rest: bytes, state, order: PhantomData }
    }

    /// Reads a value behind its tag with a copy, and goes on where that has come to. Each takes a byte
    /// at least, or nobody has looked at it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn value<T>(
        &mut self,
        read: impl FnOnce(&mut Input<'_, 'n, 'de, O>) -> Result<T>,
    ) -> Result<T> {
        let ahead = self.left();
        match self.part(read) {
            Ok(_) if self.left() == ahead => self.give_up(),
            value => value,
        }
    }

    /// Reads what may be nothing with a copy, and goes on where that has come to.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn part<T>(
        &mut self,
        read: impl FnOnce(&mut Input<'_, 'n, 'de, O>) -> Result<T>,
    ) -> Result<T> {
        let mut copy = Input { rest: self.rest, state: &mut *self.state, order: PhantomData };
        let part = read(&mut copy);
        self.rest = copy.rest;
        self.note(part)
    }

    /// The same where fields may come in any order.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn mixed<T>(
        &mut self,
        read: impl FnOnce(&mut Input<'_, 'n, 'de, Mixed>) -> Result<T>,
    ) -> Result<T> {
        let mut copy = Input { rest: self.rest, state: &mut *self.state, order: PhantomData };
        let part = read(&mut copy);
        self.rest = copy.rest;
        part
    }

    /// How many bytes are left.
    #[inline]
    pub(super) fn left(&self) -> usize {
        self.rest.len()
    }

    /// Gives the whole document up.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn give_up<T>(&mut self) -> Result<T> {
        self.state.give_up();
        Err(Bail)
    }

    /// Notes a part's failure, since the type might go on without it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn note<T>(&mut self, part: Result<T>) -> Result<T> {
        match part {
            Ok(value) => Ok(value),
            Err(Bail) => self.give_up(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn take_array<const N: usize>(&mut self) -> Result<[u8; N]> {
        match self.rest.split_first_chunk::<N>() {
            Some((head, tail)) => {
                self.rest = tail;
                Ok(*head)
            }
            None => self.give_up(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
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
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn take_key_and_tag(&mut self) -> Option<(&'de Key, u8)> {
        let (key, rest) = self.rest.split_first_chunk()?;
        let (tag, rest) = rest.split_first()?;
        self.rest = rest;
        Some((key, *tag))
    }

    /// Takes a count if it is this one, in one byte, and there are `least` bytes for each.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn takes_count(&mut self, expected: usize, least: usize) -> bool {
        let is_short = expected < usize::from(VINT_MORE);
        match self.rest.split_first() {
            Some((count, tail))
                if is_short
                    && usize::from(*count) == expected
                    && tail.len() >= expected * least =>
            {
                self.rest = tail;
                true
            }
            _ => false,
        }
    }

    /// Takes the byte of a tag, whatever it is.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn take_byte(&mut self) -> Result<u8> {
        self.take_array().map(|[byte]| byte)
    }

    /// Steps over a part that was found and takes so many bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn step(&mut self, size: usize) -> Result<()> {
        match self.rest.get(size..) {
            Some(rest) if size != 0 => {
                self.rest = rest;
                Ok(())
            }
            _ => self.give_up(),
        }
    }

    /// Takes an unsigned vint that fits.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn take_uvint(&mut self) -> Result<u64> {
        let (number, size) = leaf::uvint(self.rest);
        self.step(size).map(|()| number)
    }

    /// Takes an unsigned integer of `bits` bits that may stand for `head`: its bits, and whether it is
    /// a signed one in truth.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn take_unsigned(&mut self, head: Head, bits: u32) -> Result<(u64, bool)> {
        if head.is_plain(Tag::Uvint) {
            if let (number, size @ 1..) = leaf::uvint_of_bits(self.rest, bits) {
                return self.step(size).map(|()| (number, false));
            }
        }
        self.take_integer(head)
    }

    /// The same for a signed one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn take_signed(&mut self, head: Head, bits: u32) -> Result<(u64, bool)> {
        if head.is_plain(Tag::Svint) {
            if let (number, size @ 1..) = leaf::uvint_of_bits(self.rest, bits) {
                return self.step(size).map(|()| (leaf::unzigzag(number), true));
            }
        }
        self.take_integer(head)
    }

    /// Takes an integer of any size.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take_integer(&mut self, head: Head) -> Result<(u64, bool)> {
        let (bits, size) = leaf::integer(self.rest, head);
        self.step(size.bytes()).map(|()| (bits, size.is_signed()))
    }

    /// Takes an integer that may be of more than 64 bits.
    #[inline]
    pub(super) fn take_wide(&mut self, head: Head) -> Result<Integer> {
        let (number, size) = leaf::wide_integer(self.rest, head);
        self.step(size).map(|()| number)
    }

    /// Takes a count of things, each of which takes at least `size` bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
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
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn take_string(&mut self) -> Result<&'de [u8]> {
        match leaf::string(self.rest) {
            Some((string, rest)) => {
                self.rest = rest;
                Ok(string)
            }
            None => self.give_up(),
        }
    }

    /// The same for one that is text, behind a tag.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn take_text(&mut self, head: Head) -> Result<&'de str> {
        let found = match head.is_plain(Tag::String) {
            true => leaf::text(self.rest),
            false => None,
        };
        match found {
            Some((text, rest)) => {
                self.rest = rest;
                Ok(text)
            }
            None => self.give_up(),
        }
    }

    /// Reads a value that takes bytes of its own around others.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn level<T>(
        &mut self,
        read: impl FnOnce(&mut Input<'_, 'n, 'de, O>) -> Result<T>,
    ) -> Result<T> {
        let Some(levels) = self.state.levels.checked_sub(1) else { return self.give_up() };
        self.state.levels = levels;
        let part = self.part(read);
        self.state.levels = levels + 1;
        part
    }

    /// Reads what is in a newtype struct.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn wrapper<T>(
        &mut self,
        read: impl FnOnce(&mut Input<'_, 'n, 'de, O>) -> Result<T>,
    ) -> Result<T> {
        let Some(wrappers) = self.state.wrappers.checked_sub(1) else { return self.give_up() };
        self.state.wrappers = wrappers;
        let part = self.part(read);
        self.state.wrappers = wrappers + 1;
        part
    }

    /// The bytes of an item that is read through a window, if there are as many as one may have.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn ahead(&self) -> Option<&'de Ahead> {
        self.rest.first_chunk()
    }

    /// Steps over an item that was read through a window.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn pass(&mut self, size: usize) {
        self.rest = self.rest.get(size..).unwrap_or_default();
    }

    /// How many items there is room for.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn claim(&mut self, count: usize) -> usize {
        self.state.room.claim(count)
    }

    /// The names in `list`, with their hashes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn type_of(&mut self, list: &'static [&'static str]) -> Result<&'n Type> {
        // Lists of two types differ in their addresses, by 16 at least.
        let slot = self.state.recent.get_mut((list.as_ptr().addr() / 16) % RECENT);
        match slot {
            Some(Some(known)) if known.is_of(list) => Ok(known),
            slot => match self.state.types.of(list) {
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
            depth: DepthMeter::new(self.state.levels),
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
