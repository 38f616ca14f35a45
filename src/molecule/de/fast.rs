//! The fast reader: reads the usual kinds of document and bails on everything else, faults
//! included. Then [`from_slice`](super::from_slice) reads again with the exact reader. Knows the
//! bytes and marks, does not know offsets or error texts.
//!
//! Headers are checked while their parts are taken, and the depth is passed by value. The result is
//! the one that the exact reader would give. A type may ignore an error of a part, so a flag
//! records it, and the document is read again. Two errors set no flag: an empty slot, since its
//! field is absent, and a visitor that refuses a scalar, since it would refuse it again (unless it
//! has read the error's text).

/// The methods of a `SeqAccess` that gives out each part by `read`. Both are inlined, since visitors call
/// one or the other.
macro_rules! next_by_read {
    () => {
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn next_element_seed<T: serde_core::de::DeserializeSeed<'de>>(
            &mut self,
            seed: T,
        ) -> Result<Option<T::Value>, Bail> {
            self.read(seed)
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        fn next_element<T: serde_core::Deserialize<'de>>(&mut self) -> Result<Option<T>, Bail> {
            self.read(core::marker::PhantomData)
        }
    };
}

mod compound;
mod fields;
mod fixed;
mod items;
mod union;
mod value;

use core::cell::Cell;

use serde_core::de::Deserialize;

use self::fixed::MAX_FIXED_DEPTH;
use super::absent::NoneRead;
use crate::fast::{Bail, ErrorTextReads};
use crate::limits::Depth;
use crate::molecule::Options;
use crate::molecule::mark::{self, Mark, Target};
use crate::molecule::wire;
use crate::text;

/// What the fast reader records about a document.
struct Notes<'de> {
    /// The whole document.
    document: &'de [u8],
    /// Whether every doubtful name bails (`Options::strict`).
    strict: bool,
    /// Whether the document needs the exact reader.
    bailed: Cell<bool>,
    /// Whether anything dynamic was read since this was last cleared.
    dynamic: Cell<bool>,
    /// The last option that was read from an empty slot since this was last cleared.
    none: Cell<Option<NoneRead>>,
}

impl<'de> Notes<'de> {
    /// The bytes from the start of `bytes`, a part of the document, to the end of the document. A
    /// value that is shorter than its padded type is read from these, so that one check is enough
    /// for it, too.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn through_document_end(&self, bytes: &'de [u8]) -> &'de [u8] {
        let at = bytes.as_ptr().addr().wrapping_sub(self.document.as_ptr().addr());
        self.document.get(at..).unwrap_or(bytes)
    }
}

/// Reads a document that is one small fixed value. `None` leaves it to the other readers.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn message<'de, T: Deserialize<'de>>(options: &Options, bytes: &'de [u8]) -> Option<T> {
    fixed::message(bytes, options.strict, Depth::new(options.max_depth))
}

/// Reads a document without trailing bytes. `None` leaves it to the exact reader.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn read<'de, T: Deserialize<'de>>(options: &Options, bytes: &'de [u8]) -> Option<T> {
    let (depth, strict) = (Depth::new(options.max_depth), options.strict);
    let (bailed, dynamic) = (Cell::new(false), Cell::new(false));
    let notes = Notes { document: bytes, strict, bailed, dynamic, none: Cell::new(None) };
    let reader = FastReader { notes: &notes, bytes, depth, mark: None };
    let reads = ErrorTextReads::snapshot();
    match T::deserialize(reader) {
        Ok(value) if !notes.bailed.get() && reads.unchanged() => Some(value),
        _ => None,
    }
}

/// Deserializes the value that takes all of `bytes`.
#[derive(Clone, Copy)]
struct FastReader<'a, 'de> {
    notes: &'a Notes<'de>,
    bytes: &'de [u8],
    /// How deep its parts may nest.
    depth: Depth,
    /// The mark on the value.
    mark: Option<Mark>,
}

impl<'a, 'de> FastReader<'a, 'de> {
    /// Leaves the document to the exact reader.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bail(self) -> Bail {
        self.notes.bailed.set(true);
        Bail
    }

    /// Bails unless there are no bytes: then only this field fails, since it is absent.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bail_unless_absent<T>(self) -> Result<T, Bail> {
        if !self.bytes.is_empty() {
            self.notes.bailed.set(true);
        }
        Err(Bail)
    }

    /// Bails on a container whose name `strict` may refuse.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn check_name(self, name: &'static str) -> Result<(), Bail> {
        match self.notes.strict && mark::check_strictly(name).is_err() {
            true => Err(self.bail()),
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

    /// A reader for a part of the value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn part(self, bytes: &'de [u8]) -> Self {
        FastReader { bytes, mark: None, ..self }
    }

    /// A reader one level deeper.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn level(self) -> Result<Self, Bail> {
        match self.depth.enter() {
            Some(depth) => Ok(FastReader { depth, ..self }),
            None => Err(self.bail()),
        }
    }

    /// A reader one wrapper deeper.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn wrapper(self) -> Result<Self, Bail> {
        match self.depth.wrap() {
            Some(depth) => Ok(FastReader { depth, ..self }),
            None => Err(self.bail()),
        }
    }

    /// Whether no fixed value can be too deep here.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn has_depth_for_fixed(self) -> bool {
        self.depth.has_room(MAX_FIXED_DEPTH)
    }

    /// The bytes of a scalar.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn scalar<const N: usize>(self) -> Result<[u8; N], Bail> {
        match self.bytes.try_into() {
            Ok(bytes) if self.mark_fits(Target::Scalar("")) => Ok(bytes),
            _ => self.bail_unless_absent(),
        }
    }

    /// Whether the mark, if any, fits such a value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn mark_fits(self, target: Target) -> bool {
        self.mark.is_none_or(|mark| mark.fits(target))
    }

    /// The content of text or bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn content(self) -> Result<&'de [u8], Bail> {
        match wire::byte_items(self.bytes) {
            Some(body) if self.mark_fits(Target::Text) => {
                self.saw_dynamic(true);
                Ok(body)
            }
            _ => self.bail_unless_absent(),
        }
    }

    /// The content as text.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn text(self) -> Result<&'de str, Bail> {
        let content = self.content()?;
        text::first(self.notes.through_document_end(content), content.len())
            .ok_or_else(|| self.bail())
    }
}
