//! Skips values without decoding them. Checks only what is needed to find the next value.
//!
//! ```
//! use fourfold::Reader;
//! use fourfold::biniou::skip::skip_value;
//! use fourfold::biniou::to_vec;
//!
//! let mut bytes = to_vec(&("skipped", [1, 2, 3]))?;
//! let len = bytes.len();
//! bytes.extend(to_vec(&7)?);
//! let mut reader = Reader::new(&bytes, 0);
//! skip_value(&mut reader, None, 128)?;
//! assert_eq!(reader.offset(), len);
//! # Ok::<(), fourfold::biniou::Error>(())
//! ```

use super::definitions::Definitions;
use super::wire::{self, Source, Tag};
use super::{Error, ErrorKind, Result};
use crate::limits::DepthMeter;
use crate::read::Reader;

/// What stepping over values keeps in mind.
pub(super) struct Skipper<'a, N> {
    pub(super) depth: DepthMeter,
    pub(super) notes: N,
    /// How many rows without columns may still come.
    pub(super) empty_rows: &'a mut usize,
}

/// What is noted of the values that are passed.
pub(super) trait Notes<P> {
    /// A string, whose length is at `place`.
    fn text(&mut self, place: P, bytes: usize);

    /// A shared value begins.
    fn begin(&mut self, start: P);

    /// It ends.
    fn end(&mut self, start: P, end: P);

    /// A reference.
    fn reference(&mut self, place: P, distance: u128);
}

impl Notes<usize> for &mut Definitions {
    #[inline]
    fn text(&mut self, place: usize, bytes: usize) {
        self.note_text(place, bytes);
    }

    fn begin(&mut self, start: usize) {
        Definitions::begin(self, start);
    }

    fn end(&mut self, start: usize, end: usize) {
        Definitions::end(self, start, end);
    }

    fn reference(&mut self, place: usize, distance: u128) {
        let target = wire::target(place, distance).unwrap_or_default();
        self.note_reference(target, place);
    }
}

/// Nothing is noted.
pub(super) struct Unnoted;

impl<P> Notes<P> for Unnoted {
    #[inline]
    fn text(&mut self, _: P, _: usize) {}

    fn begin(&mut self, _: P) {}

    fn end(&mut self, _: P, _: P) {}

    fn reference(&mut self, _: P, _: u128) {}
}

/// Skips a value that nests at most `max_depth` levels, and its tag if none is given. Checks only what is needed to find the
/// end.
///
/// # Errors
///
/// Those of finding the end, and `DepthLimit`.
pub fn skip_value(reader: &mut Reader<'_>, tag: Option<Tag>, max_depth: u16) -> Result<()> {
    skip_part(reader, tag, DepthMeter::new(max_depth))
}

/// The same for a value that is inside others.
#[inline(never)]
pub(super) fn skip_part(
    reader: &mut Reader<'_>,
    tag: Option<Tag>,
    depth: DepthMeter,
) -> Result<()> {
    let mut empty_rows = usize::MAX;
    let mut skipper = Skipper { depth, notes: Unnoted, empty_rows: &mut empty_rows };
    match tag {
        Some(tag) => skipper.value(reader, tag),
        None => skipper.tagged(reader),
    }
}

impl<N> Skipper<'_, N> {
    /// Skips a tag and its value.
    #[inline]
    pub(super) fn tagged<'de, S: Source<'de>>(&mut self, source: &mut S) -> Result<(), S::Error>
    where
        N: Notes<S::Place>,
    {
        let tag = wire::take_tag(source)?;
        self.value(source, tag)
    }

    /// Skips a value whose tag is known.
    #[inline]
    pub(super) fn value<'de, S: Source<'de>>(
        &mut self,
        source: &mut S,
        tag: Tag,
    ) -> Result<(), S::Error>
    where
        N: Notes<S::Place>,
    {
        match tag {
            Tag::String => {
                let place = source.place();
                let (text, _) = wire::take_string(source)?;
                self.notes.text(place, text.len());
                Ok(())
            }
            Tag::Uvint | Tag::Svint => source.take_uvint().map(drop),
            Tag::Bool => wire::take_bool(source).map(drop),
            Tag::Unit => wire::take_unit(source),
            _ => match tag.fixed_size() {
                Some(size) => source.take(size).map(drop),
                None => self.compound(source, tag),
            },
        }
    }

    // Not inlined, so that the rest needs no memory of its own.
    #[inline(never)]
    fn compound<'de, S: Source<'de>>(&mut self, source: &mut S, tag: Tag) -> Result<(), S::Error>
    where
        N: Notes<S::Place>,
    {
        let start = source.place();
        match tag {
            Tag::Array => self.level(source, start, |skipper, source| {
                let count = wire::take_items(source)?;
                if count > 0 {
                    let tag = wire::take_tag(source)?;
                    for _ in 0..count {
                        skipper.value(source, tag)?;
                    }
                }
                Ok(())
            }),
            Tag::Tuple => self.level(source, start, |skipper, source| {
                for _ in 0..wire::take_cells(source)? {
                    skipper.tagged(source)?;
                }
                Ok(())
            }),
            Tag::Record => self.level(source, start, |skipper, source| {
                for _ in 0..wire::take_fields(source)? {
                    wire::take_field(source)?;
                    skipper.tagged(source)?;
                }
                Ok(())
            }),
            Tag::Table => self.level(source, start, Self::table),
            Tag::NumVariant => match wire::take_num_variant(source)? {
                (_, true) => self.argument(source),
                (_, false) => Ok(()),
            },
            Tag::Variant => match wire::take_variant(source)? {
                (_, true) => self.argument(source),
                (_, false) => Ok(()),
            },
            Tag::Shared => match wire::take_shared(source)? {
                None => {
                    self.notes.begin(start);
                    self.argument(source)?;
                    self.notes.end(start, source.place());
                    Ok(())
                }
                // A reference is only its offset.
                Some(distance) => {
                    self.notes.reference(start, distance);
                    Ok(())
                }
            },
            // The other tags hold nothing.
            _ => Ok(()),
        }
    }

    /// Skips the value after a variant's name, or of a SHARED that is no reference.
    fn argument<'de, S: Source<'de>>(&mut self, source: &mut S) -> Result<(), S::Error>
    where
        N: Notes<S::Place>,
    {
        let start = source.place();
        self.level(source, start, Self::tagged)
    }

    /// Skips what is a level deeper in the value that begins at `start`.
    fn level<'de, S: Source<'de>>(
        &mut self,
        source: &mut S,
        start: S::Place,
        step: impl FnOnce(&mut Self, &mut S) -> Result<(), S::Error>,
    ) -> Result<(), S::Error> {
        if self.depth.try_enter().is_none() {
            return Err(source.fail(start, || self.depth.error().into()));
        }
        step(self, source)?;
        self.depth.leave();
        Ok(())
    }

    fn table<'de, S: Source<'de>>(&mut self, source: &mut S) -> Result<(), S::Error>
    where
        N: Notes<S::Place>,
    {
        let start = source.place();
        let (rows, columns) = wire::take_table_counts(source)?;
        if columns == 0 {
            return spend(self.empty_rows, rows).map_err(|kind| source.fail(start, || kind));
        }
        let tags = wire::take_column_tags(source, columns)?;
        for _ in 0..rows {
            for tag in &tags {
                self.value(source, *tag)?;
            }
        }
        Ok(())
    }
}

/// Subtracts `rows` of a table without columns from how many more a message may have: at first
/// [`MOST_EMPTY_ROWS`](wire::MOST_EMPTY_ROWS). Such rows take no bytes, so their count is not limited by the input.
///
/// # Errors
///
/// `EmptyRows` at `offset` if that is too many.
pub fn spend_empty_rows(left: &mut usize, rows: usize, offset: usize) -> Result<()> {
    spend(left, rows).map_err(|kind| Error::at(kind, offset))
}

fn spend(left: &mut usize, rows: usize) -> Result<(), ErrorKind> {
    match left.checked_sub(rows) {
        Some(rest) => {
            *left = rest;
            Ok(())
        }
        None => {
            let rows = u128::try_from(rows).unwrap_or(u128::MAX);
            Err(ErrorKind::EmptyRows { rows })
        }
    }
}
