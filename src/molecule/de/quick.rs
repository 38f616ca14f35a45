//! The first attempt at a document: reads what nearly all documents are made of, and gives up at
//! anything else, faults among it. Then [`from_slice`](super::from_slice) begins anew and exactly.
//!
//! So nothing is noted for errors here, headers are checked as their parts are taken, and the depth
//! goes along by value. What a first attempt gives is what the exact reading would give. Types may go
//! on without a part that failed, which a note keeps in mind: such a document is read anew too. Two
//! things are no surprise: an empty slot, whose field is absent, and that a visitor refuses a scalar,
//! which it would do again; unless somebody reads why.
//!
//! Documents of `bench` read into owned values, in millions of instructions of callgrind: mesh 24.7 to
//! 4.3, log 24.5 to 20.1, saves 22.3 to 19.0, updates 60.1 to 33.0; with borrowed text, log 8.4 to 4.5
//! and saves 10.8 to 6.6.

mod compound;
mod fields;
mod items;
mod union;
mod value;
mod window;

use core::cell::Cell;

use serde_core::de::Deserialize;

use self::window::MOST_LEVELS;
use super::absent::NoneRead;
use crate::fast::{Bail, ErrorTextReads};
use crate::limits::Depth;
use crate::molecule::Options;
use crate::molecule::mark::{self, Mark, Target};
use crate::text;

/// What a first attempt keeps in mind.
struct Notes<'de> {
    /// All of it.
    document: &'de [u8],
    /// Whether nothing without a mark may be in doubt: what may be, is read anew.
    strict: bool,
    /// Whether the document has to be read anew.
    surprised: Cell<bool>,
    /// Whether anything dynamic was read since this was last cleared.
    dynamic: Cell<bool>,
    /// The option that was read last from an empty slot, since this was last cleared.
    none: Cell<Option<NoneRead>>,
}

impl<'de> Notes<'de> {
    /// The document from where `bytes` begin, which are some of it. A value that is shorter than its
    /// type, by padding, is read with what follows in view, as surely as one that is not.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn from(&self, bytes: &'de [u8]) -> &'de [u8] {
        let at = bytes.as_ptr().addr().wrapping_sub(self.document.as_ptr().addr());
        self.document.get(at..).unwrap_or(bytes)
    }
}

/// Reads a small fixed value without trailing fields, if it is one and holds no surprise.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn message<'de, T: Deserialize<'de>>(options: &Options, bytes: &'de [u8]) -> Option<T> {
    window::message(bytes, options.strict, Depth::new(options.max_depth))
}

/// Reads a document without trailing fields, if it holds no surprise.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn read<'de, T: Deserialize<'de>>(options: &Options, bytes: &'de [u8]) -> Option<T> {
    let (depth, strict) = (Depth::new(options.max_depth), options.strict);
    let (surprised, dynamic) = (Cell::new(false), Cell::new(false));
    let notes = Notes { document: bytes, strict, surprised, dynamic, none: Cell::new(None) };
    let quick = Quick { notes: &notes, bytes, depth, mark: None };
    let reads = ErrorTextReads::so_far();
    match T::deserialize(quick) {
        Ok(value) if !notes.surprised.get() && reads.are_all() => Some(value),
        _ => None,
    }
}

/// A deserializer for the value that takes all of `bytes`.
#[derive(Clone, Copy)]
struct Quick<'a, 'de> {
    notes: &'a Notes<'de>,
    bytes: &'de [u8],
    /// How deep its parts may be.
    depth: Depth,
    /// The mark that stands on the value.
    mark: Option<Mark>,
}

impl<'a, 'de> Quick<'a, 'de> {
    /// Gives up.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn surprise(self) -> Bail {
        self.notes.surprised.set(true);
        Bail
    }

    /// Gives up on these bytes: if there are none, on this field alone, which is absent.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn misfit<T>(self) -> Result<T, Bail> {
        if !self.bytes.is_empty() {
            self.notes.surprised.set(true);
        }
        Err(Bail)
    }

    /// Gives up on a container of that name, if it is in doubt under `strict`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn check_name(self, name: &'static str) -> Result<(), Bail> {
        match self.notes.strict && mark::check_strictly(name).is_err() {
            true => Err(self.surprise()),
            false => Ok(()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn saw_dynamic(self, seen: bool) {
        self.notes.dynamic.set(seen);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn has_seen_dynamic(self) -> bool {
        self.notes.dynamic.get()
    }

    /// A part of the value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn part(self, bytes: &'de [u8]) -> Self {
        Quick { bytes, mark: None, ..self }
    }

    /// One level further in.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn level(self) -> Result<Self, Bail> {
        match self.depth.enter() {
            Some(depth) => Ok(Quick { depth, ..self }),
            None => Err(self.surprise()),
        }
    }

    /// In one wrapper more.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn wrapper(self) -> Result<Self, Bail> {
        match self.depth.wrap() {
            Some(depth) => Ok(Quick { depth, ..self }),
            None => Err(self.surprise()),
        }
    }

    /// Whether nothing in a window can be too deep.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn has_room(self) -> bool {
        self.depth.has_room(MOST_LEVELS)
    }

    /// The bytes of a scalar.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn scalar<const N: usize>(self) -> Result<[u8; N], Bail> {
        match self.bytes.try_into() {
            Ok(bytes) if self.mark_fits(Target::Scalar("")) => Ok(bytes),
            _ => self.misfit(),
        }
    }

    /// Whether the mark, if there is one, fits such a value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn mark_fits(self, target: Target) -> bool {
        self.mark.is_none_or(|mark| mark.fits(target))
    }

    /// The content of text or bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn content(self) -> Result<&'de [u8], Bail> {
        match self.bytes.split_first_chunk() {
            Some((count, body))
                if self.mark_fits(Target::Text)
                    && usize::try_from(u32::from_le_bytes(*count)) == Ok(body.len()) =>
            {
                self.saw_dynamic(true);
                Ok(body)
            }
            _ => self.misfit(),
        }
    }

    /// The content as text.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn text(self) -> Result<&'de str, Bail> {
        let content = self.content()?;
        text::first(self.notes.from(content), content.len()).ok_or_else(|| self.surprise())
    }
}
