//! The cursor of the fast way and the state of a document. Knows bytes and limits, does not know serde.

use alloc::boxed::Box;
use core::cell::Cell;
use core::marker::PhantomData;

use super::leaf;
use super::template::{ItemBytes, MAX_DEPTH, Template};
use super::types::{Key, Type, Types};
use super::{Bail, Result};
use crate::biniou::de::reading::TagAndMark;
use crate::biniou::wire::{Bytes, Source, Tag, VINT_MORE, Zigzag as _};
use crate::biniou::{ErrorKind, Options};
use crate::limits::{Depth, ItemBudget};

/// How many types' names are found without a search.
pub(super) const RECENT: usize = 16;

/// All records around this value have all their fields, in order.
///
/// `visit_seq` and `visit_map` of a type call different code, so each is called once and compilers
/// inline it.
pub(super) enum Ordered {}

/// Some records around this value may lack fields or have another order.
pub(super) enum Mixed {}

/// The bytes to come, and what belongs to the whole document.
///
/// An access has its own cursor and gives each part a copy. Functions that are not inlined never see
/// the cursor of the access, so it stays in registers.
pub(super) struct Input<'s, 'n, 'de, O> {
    pub(super) rest: Bytes<'de>,
    pub(super) depth: Depth,
    pub(super) state: &'s State<'n>,
    /// [`Ordered`] or [`Mixed`].
    order: PhantomData<O>,
}

impl<O> Clone for Input<'_, '_, '_, O> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn clone(&self) -> Self {
        *self
    }
}

impl<O> Copy for Input<'_, '_, '_, O> {}

/// What belongs to the whole document.
pub(super) struct State<'n> {
    pub(super) items: Cell<ItemBudget>,
    pub(super) types: &'n Types,
    /// The types that were read last, by the addresses of their lists.
    pub(super) recent: [Cell<Option<&'n Type>>; RECENT],
    /// Whether a dictionary may know the names of unknown fields.
    pub(super) has_names: bool,
    /// Whether the fast way has bailed.
    pub(super) bailed: Cell<bool>,
    /// Whether items of sequences may be read by a template.
    pub(super) uses_templates: bool,
    /// Whether the reader by a template has bailed; then the document is read again without templates.
    pub(super) template_bailed: Cell<bool>,
    /// How the last item began for which no template could be made.
    without_template: Cell<Option<(u8, RecordStart)>>,
}

/// The count and the first key of a record: the same for all records of one type.
type RecordStart = [u8; 1 + size_of::<Key>()];

impl<'n> State<'n> {
    #[inline(never)]
    pub(super) fn new(options: &Options, bytes: &[u8], types: &'n Types) -> Self {
        State {
            items: Cell::new(ItemBudget::new(bytes.len())),
            types,
            recent: [const { Cell::new(None) }; RECENT],
            has_names: options.names.is_some(),
            bailed: Cell::new(false),
            uses_templates: true,
            template_bailed: Cell::new(false),
            without_template: Cell::new(None),
        }
    }

    /// Begins the same document again, this time without templates.
    #[cold]
    #[inline(never)]
    pub(super) fn begin_without_templates(&mut self, bytes: &[u8]) {
        self.uses_templates = false;
        self.bailed.set(false);
        self.items.set(ItemBudget::new(bytes.len()));
    }

    /// Makes a template of an item, if it can be.
    #[cold]
    #[inline(never)]
    fn template_of(&self, tag: u8, item: &ItemBytes) -> Option<Box<Template>> {
        // Making a template costs as much as reading an item, so the same failure is not repeated.
        let beginning = item.first_chunk().map(|beginning| (tag, *beginning));
        if beginning == self.without_template.get() {
            return None;
        }
        let template = Template::of(tag, item);
        if template.is_none() {
            self.without_template.set(beginning);
        }
        template
    }

    #[cold]
    #[inline(never)]
    fn bail(&self) {
        self.bailed.set(true);
    }
}

impl<'de, O> Source<'de> for Input<'_, '_, 'de, O> {
    type Error = Bail;
    type Place = ();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn place(&self) {}

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn left(&self) -> usize {
        self.rest.left()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take(&mut self, len: usize) -> Result<&'de [u8]> {
        let taken = self.rest.take(len);
        self.bail_on_error(taken)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take_array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let taken = self.rest.take_array();
        self.bail_on_error(taken)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fault(&mut self, (): (), _: impl FnOnce() -> ErrorKind) -> Bail {
        self.state.bail();
        Bail
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take_uvint(&mut self) -> Result<u128> {
        let taken = self.rest.take_uvint();
        self.bail_on_error(taken)
    }
}

impl<'s, 'n, 'de, O> Input<'s, 'n, 'de, O> {
    #[inline]
    pub(super) fn new(bytes: &'de [u8], depth: Depth, state: &'s State<'n>) -> Self {
        Input { rest: Bytes(bytes), depth, state, order: PhantomData }
    }

    /// Reads a value behind its tag. It takes at least one byte; if it takes none, the type has not
    /// looked at it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn value<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let ahead = self.left();
        let mut copy = *self;
        let value = read(&mut copy);
        self.rest = copy.rest;
        if value.is_err() || self.left() == ahead {
            return self.bail();
        }
        value
    }

    /// Reads a part that may have no bytes, and may nest so deep.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn part<T>(
        &mut self,
        depth: Option<Depth>,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let Some(depth) = depth else { return self.bail() };
        let mut copy = Input { depth, ..*self };
        let part = read(&mut copy);
        self.rest = copy.rest;
        if part.is_err() {
            self.state.bail();
        }
        part
    }

    /// The same where fields may come in any order.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn mixed<T>(
        &mut self,
        read: impl FnOnce(&mut Input<'s, 'n, 'de, Mixed>) -> Result<T>,
    ) -> Result<T> {
        let Input { rest, depth, state, .. } = *self;
        let mut copy = Input { rest, depth, state, order: PhantomData };
        let part = read(&mut copy);
        self.rest = copy.rest;
        part
    }

    /// Leaves the whole document to the exact way.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn bail<T>(&self) -> Result<T> {
        self.state.bail();
        Err(Bail)
    }

    /// Bails if a part failed, since its type might go on without it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn bail_on_error<T>(&self, part: Result<T>) -> Result<T> {
        match part {
            Ok(value) => Ok(value),
            Err(Bail) => self.bail(),
        }
    }

    /// Takes what stands in front of a field's value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn take_key_and_tag(&mut self) -> Option<(&'de Key, u8)> {
        let (key, rest) = self.rest.0.split_first_chunk()?;
        let (tag, rest) = rest.split_first()?;
        self.rest.0 = rest;
        Some((key, *tag))
    }

    /// Takes a count if it is this one, in one byte, and there are `least` bytes for each.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn takes_count(&mut self, expected: usize, least: usize) -> bool {
        let is_short = expected < usize::from(VINT_MORE);
        match self.rest.0.split_first() {
            Some((count, tail))
                if is_short
                    && usize::from(*count) == expected
                    && tail.len() >= expected * least =>
            {
                self.rest.0 = tail;
                true
            }
            _ => false,
        }
    }

    /// Takes a byte, such as that of a tag.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn take_byte(&mut self) -> Result<u8> {
        self.take_array().map(|[byte]| byte)
    }

    /// Steps over a part that was found and takes so many bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn step(&mut self, size: usize) -> Result<()> {
        match self.rest.0.get(size..) {
            Some(rest) if size != 0 => {
                self.rest.0 = rest;
                Ok(())
            }
            _ => self.bail(),
        }
    }

    /// Takes an integer, most likely one of this tag and of `bits` bits. Returns its bits, and whether it is
    /// signed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn take_integer(
        &mut self,
        tag_and_mark: TagAndMark,
        likely: Tag,
        bits: u32,
    ) -> Result<(u64, bool)> {
        if tag_and_mark.is_plain(likely) {
            if let (number, size @ 1..) = leaf::uvint_of_bits(self.rest.0, bits) {
                return self.step(size).map(|()| match likely {
                    Tag::Svint => (leaf::bits(i64::unzigzag(number)), true),
                    _ => (number, false),
                });
            }
        }
        let (bits, size) = leaf::integer(self.rest.0, tag_and_mark);
        self.step(size.bytes()).map(|()| (bits, size.is_signed()))
    }

    /// The bytes that an item may have, if there are so many.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn item_bytes(&self) -> Option<&'de ItemBytes> {
        self.rest.0.first_chunk()
    }

    /// Steps over an item that was read by a template.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn advance(&mut self, size: usize) {
        self.rest.0 = self.rest.0.get(size..).unwrap_or_default();
    }

    /// Makes a template of the item at hand, if it can be.
    #[cold]
    pub(super) fn template_of(&self, tag: u8) -> Option<Box<Template>> {
        let item = self.item_bytes().filter(|_| self.depth.has_room(MAX_DEPTH))?;
        self.state.template_of(tag, item)
    }
}
