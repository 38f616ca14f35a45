//! The two ways of reading a document, for which each rule is written once. Knows what differs
//! between them, does not know any layout.
//!
//! [`Fast`](super::fast::Fast) reads the usual kinds of document and bails on everything else, faults included. Then
//! [`Exact`] reads again and says what is wrong. Both give the same value. The fast reading checks
//! a header while its parts are taken, and records nothing for errors. A type may ignore an error
//! of a part, so a flag tells that the document has to be read again. Two errors set no flag: one
//! in an empty slot, since its field is absent, and a visitor that refuses a scalar inside a fixed
//! value, since it would refuse it again (unless it has read the error's text).

use core::cell::Cell;
use core::marker::PhantomData;

use super::absent::{Field, NoneRead};
use super::session::Exact;
use crate::glue::de::Shape;
use crate::glue::names::Names;
use crate::limits::Depth;
use crate::molecule::Options;
use crate::molecule::mark::{self, UnionIds};
use crate::molecule::raw;
use crate::molecule::{Error, Result};
use crate::raw::Route;

/// A slot that is not absent, for [`Reading::exactly`]: a constant, so that compilers need not look.
pub(super) const PRESENT: &[u8] = &[0];

/// How values are read.
pub(super) trait Reading<'de>: Copy {
    type Error;

    /// Has the exact reading do what nearly no document needs. The fast one bails: on the document,
    /// or if the slot is empty on this field alone, which is absent then.
    fn exactly<T>(
        self,
        slot: &'de [u8],
        read: impl FnOnce(Exact<'_, 'de>) -> Result<T>,
    ) -> Result<T, Self::Error>;

    /// Adds to the error of a part or visitor what the exact reading knows. The fast one bails, as
    /// [`exactly`](Reading::exactly) does.
    fn explain(
        self,
        slot: &'de [u8],
        error: Self::Error,
        add: impl FnOnce(Exact<'_, 'de>, Error) -> Error,
    ) -> Self::Error;

    /// What a name says of the value at `at`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn named<T>(self, at: &'de [u8], named: mark::Result<T>) -> Result<T, Self::Error> {
        match named {
            Ok(named) => Ok(named),
            Err(fault) => self.exactly(PRESENT, |exact| exact.fault(at, fault)),
        }
    }

    /// Under `strict`, refuses a container's name that looks like a mark and is none.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn check_name(self, at: &'de [u8], name: &'static str) -> Result<(), Self::Error> {
        match self.notes().strict {
            true => self.named(at, mark::check_strictly(name)),
            false => Ok(()),
        }
    }

    fn notes(&self) -> &Notes<'_, 'de>;

    /// The content of a slot as text.
    fn text(self, content: &'de [u8]) -> Result<&'de str, Self::Error>;

    /// The reading of a part.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn part(self) -> Self {
        self
    }

    /// Refuses a value that does not show its own end, if bytes may follow.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn check_shows_end(self, _: &'de [u8], _: &'static str) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Whether a field that was read as `None` from an empty slot counts as missing.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn presumes(self, _: &Field) -> bool {
        true
    }

    /// Reads a part of this shape, `bytes`. Meanwhile it is known which step leads to it, for parts that are kept
    /// raw.
    fn within<T>(
        self,
        bytes: &'de [u8],
        shape: Shape,
        step: impl FnOnce() -> (Names, usize),
        read: impl FnOnce() -> T,
    ) -> T;

    /// Records the first field of a type's table: it may be the tag of an adjacently tagged enum.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn note_first(self, _: impl FnOnce() -> Option<&'de [u8]>) {}

    /// Records the name of a struct, which may be an adjacently tagged enum, and its ids.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn note_name(self, _: &'static str, _: Option<UnionIds>) {}

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn note_skipped(self) {}

    /// Whether the slot holds the tag of an adjacently tagged enum that has just been read.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn has_read_tag(self, _: &'de [u8]) -> bool {
        false
    }
}

/// Something that only the exact reading keeps.
pub(super) trait Keep<T> {
    fn new(make: impl FnOnce() -> T) -> Self;

    fn get(&mut self) -> Option<&mut T>;
}

/// Not kept.
pub(super) struct Unkept<T>(PhantomData<T>);

impl<T> Keep<T> for Unkept<T> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn new(_: impl FnOnce() -> T) -> Self {
        Unkept(PhantomData)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn get(&mut self) -> Option<&mut T> {
        None
    }
}

/// A document that is to be read, or a part of one that was kept raw.
#[derive(Clone, Copy)]
pub(super) struct Source<'a, 'de> {
    pub(super) bytes: &'de [u8],
    pub(super) options: &'a Options,
    /// How deep its outermost value may nest.
    pub(super) depth: Depth,
    /// Where it begins in the whole document, and the way to it.
    pub(super) offset: usize,
    /// Where a record begins in its stream, which counts for parts that are kept raw. Errors count from the record.
    pub(super) start: usize,
    pub(super) route: Route<'a, 'de>,
    pub(super) form: Form,
    pub(super) surroundings: Surroundings,
}

/// What is known of what surrounds the bytes that are read: a set of bits.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::molecule) struct Surroundings(pub(in crate::molecule) u16);

impl Surroundings {
    /// Something has said where they end, so that more input would not help.
    pub(in crate::molecule) const FRAMED: Self = Surroundings(raw::FRAMED);

    /// An exact reading has handed them out, and is perhaps still under way.
    pub(in crate::molecule) const EXACT: Self = Surroundings(raw::EXACT);

    /// The fast reader reads alone: nobody asks where a part lies, and nothing is read again.
    pub(in crate::molecule) const ALONE: Self = Surroundings(raw::ALONE);

    /// What counts for parts that are read later.
    pub(in crate::molecule) const KEPT: Self = Self::FRAMED.with(Self::EXACT);

    pub(in crate::molecule) const fn with(self, other: Self) -> Self {
        Surroundings(self.0 | other.0)
    }

    /// Those of a part so many steps further in: what is around it has said where it ends.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::molecule) const fn behind(self, steps: usize) -> Self {
        match steps {
            0 => self,
            _ => self.with(Self::FRAMED),
        }
    }

    pub(in crate::molecule) const fn are(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// How the outermost value stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::molecule) enum Form {
    /// In a slot of its own, as a document does.
    Slot,
    /// The same, and it has to be dynamic, as items of a dynvec have.
    Dynamic,
    /// As an item of a fixvec, where structs are packed.
    Packed,
}

impl<'a, 'de> Source<'a, 'de> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn whole(options: &'a Options, bytes: &'de [u8]) -> Self {
        Source {
            bytes,
            options,
            depth: Depth::new(options.max_depth),
            offset: 0,
            start: 0,
            route: Route::default(),
            form: Form::Slot,
            surroundings: Surroundings::default(),
        }
    }

    /// A record that begins there in a stream, and whose frame has said where it ends.
    pub(super) fn record(options: &'a Options, bytes: &'de [u8], start: usize) -> Self {
        Source { start, surroundings: Surroundings::FRAMED, ..Source::whole(options, bytes) }
    }

    /// Where `bytes`, a part of it that is kept raw, begin in all that its errors count from.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn place_of_raw(&self, bytes: &[u8]) -> usize {
        self.start.saturating_add(self.place(bytes))
    }

    /// Whether an exact reading surrounds this one, as far as that is not counted: with `std`, `UnderWay` counts it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_inside_exact(&self) -> bool {
        cfg!(not(feature = "std")) && self.surroundings.are(Surroundings::EXACT)
    }

    /// Where `bytes`, a part of it, begin in what is read.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn start_of(&self, bytes: &[u8]) -> usize {
        bytes.as_ptr().addr().wrapping_sub(self.bytes.as_ptr().addr())
    }

    /// Where `bytes`, a part of it, begin in the whole document.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn place(&self, bytes: &[u8]) -> usize {
        self.offset.wrapping_add(self.start_of(bytes))
    }
}

/// The step to a field or item that may be kept raw.
#[derive(Clone, Copy)]
pub(super) struct Noted {
    pub(super) names: Names,
    pub(super) index: usize,
    /// Address and length of its bytes.
    pub(super) bytes: (usize, usize),
}

impl Noted {
    /// What tells bytes of the input from others.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn place_of(bytes: &[u8]) -> (usize, usize) {
        (bytes.as_ptr().addr(), bytes.len())
    }
}

/// What both readings record about a document.
pub(super) struct Notes<'a, 'de> {
    pub(super) source: Source<'a, 'de>,
    pub(super) strict: bool,
    /// Whether the document needs the exact reader.
    pub(super) bailed: Cell<bool>,
    /// Whether anything dynamic was read since this was last cleared. It shows that an item is
    /// dynamic, since fixed values hold nothing dynamic.
    pub(super) dynamic: Cell<bool>,
    /// The last option that was read from an empty slot since this was last cleared.
    pub(super) none: Cell<Option<NoneRead>>,
    /// The last part that may be kept raw, for the fast reading.
    pub(super) noted: Cell<Option<Noted>>,
}

impl<'a, 'de> Notes<'a, 'de> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(source: Source<'a, 'de>) -> Self {
        let (bailed, dynamic, strict) = (Cell::new(false), Cell::new(false), source.options.strict);
        let (none, noted) = (Cell::new(None), Cell::new(None));
        Notes { source, strict, bailed, dynamic, none, noted }
    }

    /// Notes the step to a part that may be kept raw.
    #[inline(never)]
    pub(super) fn note(&self, names: Names, index: usize, bytes: &[u8]) {
        self.noted.set(Some(Noted { names, index, bytes: Noted::place_of(bytes) }));
    }

    /// Where `bytes`, a part of the document, begin in it.
    pub(super) fn offset(&self, bytes: &[u8]) -> usize {
        self.source.place(bytes)
    }

    /// The bytes from the start of `bytes`, a part of the document, to the end of what is read.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn through_end(&self, bytes: &'de [u8]) -> &'de [u8] {
        self.source.bytes.get(self.source.start_of(bytes)..).unwrap_or(bytes)
    }
}
