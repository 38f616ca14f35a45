//! Steps over a value without decoding it, and remembers the shared values that it passes. Checks only what
//! is needed to find the next value.

use super::definitions::Definitions;
use super::wire::{self, Tag};
use super::{Error, ErrorKind, Result};
use crate::limits::DepthMeter;
use crate::read::Reader;

/// What stepping over values keeps in mind.
pub(super) struct Skipper<'a> {
    pub(super) depth: DepthMeter,
    pub(super) definitions: &'a mut Definitions,
    /// How many rows without columns may still come.
    pub(super) empty_rows: &'a mut usize,
}

/// Steps over a value of which nothing is remembered, and its tag if none is given.
pub(super) fn skip_value(
    reader: &mut Reader<'_>,
    tag: Option<Tag>,
    depth: DepthMeter,
) -> Result<()> {
    let (mut definitions, mut empty_rows) = (Definitions::default(), usize::MAX);
    let mut skipper = Skipper { depth, definitions: &mut definitions, empty_rows: &mut empty_rows };
    match tag {
        Some(tag) => skipper.value(reader, tag),
        None => skipper.tagged(reader),
    }
}

impl Skipper<'_> {
    /// Steps over a tag and its value.
    pub(super) fn tagged(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        let tag = wire::take_tag(reader)?;
        self.value(reader, tag)
    }

    /// Steps over a value whose tag is known.
    pub(super) fn value(&mut self, reader: &mut Reader<'_>, tag: Tag) -> Result<()> {
        match tag {
            Tag::Bool => wire::take_bool(reader).map(drop),
            Tag::Unit => wire::take_unit(reader),
            Tag::Uvint | Tag::Svint => wire::take_uvint(reader).map(drop),
            Tag::String => {
                let offset = reader.offset();
                let (text, _) = wire::take_string(reader)?;
                self.definitions.note_text(offset, text.len());
                Ok(())
            }
            _ => match tag.fixed_size() {
                Some(size) => reader.take::<ErrorKind>(size).map(drop),
                None => self.compound(reader, tag),
            },
        }
    }

    fn compound(&mut self, reader: &mut Reader<'_>, tag: Tag) -> Result<()> {
        let start = reader.offset();
        match tag {
            Tag::Array => self.level(reader, start, |skipper, reader| {
                let count = wire::take_items(reader)?;
                if count > 0 {
                    let tag = wire::take_tag(reader)?;
                    skipper.values(reader, count, tag)?;
                }
                Ok(())
            }),
            Tag::Tuple => self.level(reader, start, |skipper, reader| {
                for _ in 0..wire::take_cells(reader)? {
                    skipper.tagged(reader)?;
                }
                Ok(())
            }),
            Tag::Record => self.level(reader, start, |skipper, reader| {
                for _ in 0..wire::take_fields(reader)? {
                    wire::take_field(reader)?;
                    skipper.tagged(reader)?;
                }
                Ok(())
            }),
            Tag::Table => self.level(reader, start, Self::table),
            Tag::NumVariant => match wire::take_num_variant(reader)? {
                (_, true) => self.argument(reader),
                (_, false) => Ok(()),
            },
            Tag::Variant => match wire::take_variant(reader)? {
                (_, true) => self.argument(reader),
                (_, false) => Ok(()),
            },
            Tag::Shared => match wire::take_shared(reader)? {
                None => {
                    self.definitions.begin(start);
                    self.argument(reader)?;
                    self.definitions.end(start, reader.offset());
                    Ok(())
                }
                // A reference has no more than its offset.
                Some(distance) => {
                    let target = wire::target(start, distance).unwrap_or_default();
                    self.definitions.note_reference(target, start);
                    Ok(())
                }
            },
            // The other tags hold nothing.
            _ => Ok(()),
        }
    }

    /// Steps over the value behind a variant's name, or of a SHARED that is no reference.
    fn argument(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        let start = reader.offset();
        self.level(reader, start, Self::tagged)
    }

    /// Steps over what lies a level deeper in the value that begins at `start`.
    fn level<'de>(
        &mut self,
        reader: &mut Reader<'de>,
        start: usize,
        step: impl FnOnce(&mut Self, &mut Reader<'de>) -> Result<()>,
    ) -> Result<()> {
        self.depth.enter().map_err(|error: Error| error.or_offset(start))?;
        step(self, reader)?;
        self.depth.leave();
        Ok(())
    }

    fn values(&mut self, reader: &mut Reader<'_>, count: usize, tag: Tag) -> Result<()> {
        for _ in 0..count {
            self.value(reader, tag)?;
        }
        Ok(())
    }

    fn table(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        let start = reader.offset();
        let (rows, columns) = wire::take_table_counts(reader)?;
        if columns == 0 {
            return spend_empty_rows(self.empty_rows, rows, start);
        }
        let tags = wire::take_column_tags(reader, columns)?;
        for _ in 0..rows {
            for tag in &tags {
                self.value(reader, *tag)?;
            }
        }
        Ok(())
    }
}

/// Counts rows that take no bytes against what one document may have of them.
pub(super) fn spend_empty_rows(left: &mut usize, rows: usize, offset: usize) -> Result<()> {
    match left.checked_sub(rows) {
        Some(rest) => {
            *left = rest;
            Ok(())
        }
        None => {
            let rows = u128::try_from(rows).unwrap_or(u128::MAX);
            Err(Error::at(ErrorKind::EmptyRows { rows }, offset))
        }
    }
}
