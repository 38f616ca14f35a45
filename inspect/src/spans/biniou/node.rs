//! Values: what follows each tag.

use fourfold::biniou::skip::spend_empty_rows;
use fourfold::biniou::wire::{self, Tag, Zigzag as _};
use fourfold::biniou::{Error, ErrorKind};
use fourfold::{CommonKind, Reader, Segment};

use super::atom::Stop;
use super::{Outcome, Walk, field, named, text};
use crate::spans::{self, LOOKED_AT, byte_count};

/// The least bytes of an item, a cell (its tag and value) and a field (its hash, tag and value).
const ITEM_SIZE: usize = 1;
const CELL_SIZE: usize = 2;
const FIELD_SIZE: usize = 6;

impl Walk<'_, '_, '_, '_> {
    /// Explains a tag and its value.
    pub(super) fn tagged(&mut self) -> Outcome {
        let tag = self.tag("tag")?;
        self.untagged(tag)
    }

    /// Explains a value whose tag is elsewhere.
    fn untagged(&mut self, tag: Tag) -> Outcome {
        let what = tag.name();
        match tag {
            Tag::Bool => {
                self.byte(what, |reader| wire::take_bool(reader), |value| value.to_string())
            }
            Tag::Unit => self.byte(what, |reader| wire::take_unit(reader), |()| String::from("()")),
            Tag::Int8 => self.number(what, |bytes| u8::from_be_bytes(bytes).to_string()),
            Tag::Int16 => self.number(what, |bytes| u16::from_be_bytes(bytes).to_string()),
            Tag::Int32 => self.number(what, |bytes| i32::from_be_bytes(bytes).to_string()),
            Tag::Int64 => self.number(what, |bytes| i64::from_be_bytes(bytes).to_string()),
            Tag::Float32 => self.number(what, |bytes| {
                let number = f32::from_be_bytes(bytes);
                float(number.is_nan(), format!("{number:?}"), &bytes)
            }),
            Tag::Float64 => self.number(what, |bytes| {
                let number = f64::from_be_bytes(bytes);
                float(number.is_nan(), format!("{number:?}"), &bytes)
            }),
            Tag::Uvint => self.vint(what, |number| number.to_string()).map(drop),
            Tag::Svint => self.vint(what, |number| i128::unzigzag(number).to_string()).map(drop),
            Tag::String => self.string(),
            Tag::Array => self.level(Self::array),
            Tag::Tuple => self.level(Self::tuple),
            Tag::Record => self.level(Self::record),
            Tag::Table => self.level(Self::table),
            Tag::NumVariant => self.num_variant(),
            Tag::Variant => self.variant(),
            Tag::Shared => self.shared(),
            _ => Err(Stop),
        }
    }

    /// Explains what is nested one level deeper.
    fn level(&mut self, explain: impl FnOnce(&mut Self) -> Outcome) -> Outcome {
        let Some(levels) = self.levels.checked_sub(1) else {
            let limit = self.explanation.options.depth_limit();
            let error = CommonKind::DepthLimit { limit }.to_string();
            self.put_wrong(self.reader, "value", String::new, error);
            return Err(Stop);
        };
        self.levels = levels;
        explain(self)?;
        self.levels += 1;
        Ok(())
    }

    /// Explains an element of the current value.
    fn within(
        &mut self,
        segment: impl FnOnce() -> Segment,
        explain: impl FnOnce(&mut Self) -> Outcome,
    ) -> Outcome {
        let spans = &mut self.explanation.spans;
        spans.enter(segment);
        let outcome = explain(self);
        self.explanation.spans.leave();
        // What follows is not selected.
        if self.explanation.spans.is_stopped() { Err(Stop) } else { outcome }
    }

    fn string(&mut self) -> Outcome {
        let length = self.length("length", 1)?;
        let before = self.reader;
        let is_cut = length > before.left();
        let bytes = self.skip(length);
        // The error is that of the length.
        if !bytes.is_empty() {
            let what = if is_cut { "start of string" } else { "string" };
            self.put(before, what, || spans::text(bytes));
        }
        if is_cut { Err(Stop) } else { Ok(()) }
    }

    fn array(&mut self) -> Outcome {
        let count = self.length("count of items", ITEM_SIZE)?;
        if count == 0 {
            return Ok(());
        }
        let tag = self.tag("tag of items")?;
        self.items(count, tag.fixed_size(), |walk| walk.untagged(tag))
    }

    fn tuple(&mut self) -> Outcome {
        for index in 0..self.length("count of cells", CELL_SIZE)? {
            self.within(|| Segment::Index(index), Self::tagged)?;
        }
        Ok(())
    }

    fn record(&mut self) -> Outcome {
        for _ in 0..self.length("count of fields", FIELD_SIZE)? {
            match self.next_hash() {
                // The field that it names has the hash.
                Some(hash) => {
                    let name = self.explanation.name(hash);
                    self.within(
                        || field(name, hash),
                        |walk| {
                            walk.field_hash("field hash")?;
                            walk.tagged()
                        },
                    )?;
                }
                None => drop(self.field_hash("field hash")?),
            }
        }
        Ok(())
    }

    fn table(&mut self) -> Outcome {
        let error = self.row_error();
        let row_count = self.count("count of rows", error)?;
        if row_count == 0 {
            return Ok(());
        }
        let column_count = self.length("count of columns", wire::COLUMN_SIZE)?;
        if column_count == 0 {
            return Ok(());
        }

        let columns = self.reader;
        let mut row_size = Some(0usize);
        for _ in 0..column_count {
            self.field_hash("column hash")?;
            let size = self.tag("tag of column")?.fixed_size();
            row_size = row_size.and_then(|sum| sum.checked_add(size?));
        }
        self.items(row_count, row_size, |walk| {
            // There may be as many columns as bytes: they stay where they are.
            let mut columns = columns;
            for _ in 0..column_count {
                let (hash, tag) = column(&mut columns).ok_or(Stop)?;
                let name = walk.explanation.name(hash);
                walk.within(|| field(name, hash), |walk| walk.untagged(tag))?;
            }
            Ok(())
        })
    }

    /// Explains items. If all have the same size, unselected ones are skipped.
    fn items(
        &mut self,
        count: usize,
        size: Option<usize>,
        mut explain: impl FnMut(&mut Self) -> Outcome,
    ) -> Outcome {
        let mut index = 0;
        loop {
            index += self.pass(index, count, size);
            if index >= count {
                return Ok(());
            }
            self.within(|| Segment::Index(index), &mut explain)?;
            index += 1;
        }
    }

    /// Skips items of the same size up to the next selected one. Returns how many.
    fn pass(&mut self, index: usize, count: usize, size: Option<usize>) -> usize {
        let Some(size @ 1..) = size else { return 0 };
        let next = self.explanation.spans.first_wanted(index).min(count);
        let items = next.saturating_sub(index).min(self.reader.left() / size);
        if items > 0 {
            self.skip(items * size);
            self.explanation.spans.pass(items * size);
        }
        items
    }

    /// The error of the next row count, which only shows together with the column count.
    fn row_error(&mut self) -> Option<String> {
        let start = self.reader.offset();
        let counts = wire::take_table_counts(&mut self.reader.clone());
        let spent = counts.and_then(|(rows, columns)| match columns {
            0 => spend_empty_rows(&mut self.explanation.empty_rows, rows, start),
            _ => Ok(()),
        });
        match spent {
            Err(error) if error.offset() == Some(start) => match error.kind() {
                ErrorKind::Length { .. } | ErrorKind::EmptyRows { .. } => Some(text(&error)),
                _ => None,
            },
            _ => None,
        }
    }

    fn num_variant(&mut self) -> Outcome {
        let has_argument =
            wire::take_num_variant(&mut self.reader.clone()).is_ok_and(|(_, argument)| argument);
        self.number("num_variant", |[byte]| argument(byte & !wire::NUM_ARGUMENT, has_argument))?;
        match has_argument {
            true => self.level(Self::tagged),
            false => Ok(()),
        }
    }

    fn variant(&mut self) -> Outcome {
        let (hash, has_argument) = wire::take_variant(&mut self.reader.clone()).unwrap_or_default();
        let name = self.explanation.name(hash);
        self.number::<4>("variant hash", |_| argument(named(name, hash), has_argument))?;
        match has_argument {
            true => self.level(Self::tagged),
            false => Ok(()),
        }
    }

    fn shared(&mut self) -> Outcome {
        let start = self.reader.offset();
        match wire::take_shared(&mut self.reader.clone()) {
            Ok(None) => {
                let is_known = self.definitions.len() < LOOKED_AT;
                if is_known {
                    self.definitions.push(start);
                }
                let number = self.definitions.len();
                self.vint("shared value", |_| match is_known {
                    true => format!("0: here, as number {number}"),
                    false => String::from("0: here"),
                })?;
                self.level(Self::tagged)
            }
            Ok(Some(distance)) => self.reference(start, distance),
            // Too large for a distance. If the vint ends, what follows is still found.
            Err(_) => self.vint("reference", |number| number.to_string()).map(drop),
        }
    }

    fn reference(&mut self, start: usize, distance: u128) -> Outcome {
        let target = wire::target(start, distance);
        let found = target.and_then(|target| {
            let index = self.definitions.binary_search(&target).ok()?;
            Some((target, index + 1))
        });
        let shown = || format!("{} back", byte_count(distance));
        if let Some((target, number)) = found {
            let show = |_| format!("{}: shared value {number}, at byte {target}", shown());
            return self.vint("reference", show).map(drop);
        }
        // It may be one of those that are not known any more.
        let last_known = self.definitions.get(LOOKED_AT - 1);
        if last_known.is_some_and(|last| target.is_some_and(|target| target > *last)) {
            return self.vint("reference", |_| shown()).map(drop);
        }
        let before = self.reader;
        let error = Error::at(ErrorKind::Reference { distance }, start);
        wire::take_uvint(&mut self.reader).map_err(|_| Stop)?;
        self.put_wrong(before, "reference", shown, text(&error));
        Ok(())
    }
}

/// A column's hash and tag, which were found right before.
fn column(reader: &mut Reader<'_>) -> Option<(u32, Tag)> {
    let hash = wire::hash_in(reader.take_array::<4, ErrorKind>().ok()?);
    Some((hash, wire::take_tag(reader).ok()?))
}

/// A number or name of a variant, and whether an argument follows.
fn argument(variant: impl std::fmt::Display, has_argument: bool) -> String {
    match has_argument {
        true => format!("{variant}, an argument follows"),
        false => format!("{variant}, no argument"),
    }
}

/// The number, or all bits of one that is none.
fn float(is_nan: bool, number: String, bytes: &[u8]) -> String {
    match is_nan {
        true => format!("NaN ({})", spans::hex(bytes)),
        false => number,
    }
}
