//! Values: what stands behind each tag.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::atom::Stop;
use super::{Outcome, Walk, text};
use crate::biniou::skip::spend_empty_rows;
use crate::biniou::wire::{self, Tag};
use crate::biniou::{Error, ErrorKind};
use crate::count::Bytes;
use crate::error::Segment;
use crate::explain;

/// A cell of a TUPLE takes at least so many bytes: a tag and one more.
const CELL_SIZE: usize = 2;

/// A field of a RECORD takes at least so many bytes: a hash, a tag and one more.
const FIELD_SIZE: usize = 6;

impl Walk<'_, '_, '_> {
    /// Explains a tag and its value.
    pub(super) fn tagged(&mut self) -> Outcome {
        let tag = self.tag("tag")?;
        self.untagged(tag)
    }

    /// Explains a value whose tag stands elsewhere.
    fn untagged(&mut self, tag: Tag) -> Outcome {
        let what = tag.name();
        match tag {
            Tag::Bool => self.byte(what, wire::take_bool, |value| value.to_string()),
            Tag::Unit => self.byte(what, wire::take_unit, |()| String::from("()")),
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
            Tag::Svint => self.vint(what, |number| wire::unzigzag(number).to_string()).map(drop),
            Tag::String => self.string(),
            Tag::Array => self.level(Self::array),
            Tag::Tuple => self.level(Self::tuple),
            Tag::Record => self.level(Self::record),
            Tag::Table => self.level(Self::table),
            Tag::NumVariant => self.num_variant(),
            Tag::Variant => self.variant(),
            Tag::Shared => self.shared(),
        }
    }

    /// Explains what is nested one level deeper.
    fn level(&mut self, explain: impl FnOnce(&mut Self) -> Outcome) -> Outcome {
        if let Err(error) = self.depth.enter::<ErrorKind>() {
            self.put_fault(self.reader, "value", String::new(), text(&error));
            return Err(Stop);
        }
        explain(self)?;
        self.depth.leave();
        Ok(())
    }

    /// Explains a part of the value at hand.
    fn within(&mut self, segment: Segment, explain: impl FnOnce(&mut Self) -> Outcome) -> Outcome {
        self.explanation.spans.enter(segment);
        let outcome = explain(self);
        self.explanation.spans.leave();
        outcome
    }

    fn string(&mut self) -> Outcome {
        let length = self.length("length", 1)?;
        let before = self.reader;
        let is_cut = length > before.left();
        let bytes = self.skip(length);
        // What is missing has been said of the length.
        if !bytes.is_empty() {
            let what = if is_cut { "start of string" } else { "string" };
            self.put(before, what, explain::text(bytes));
        }
        if is_cut { Err(Stop) } else { Ok(()) }
    }

    fn array(&mut self) -> Outcome {
        let count = self.length("count of items", 1)?;
        if count == 0 {
            return Ok(());
        }
        let tag = self.tag("tag of items")?;
        for index in 0..count {
            self.within(Segment::Index(index), |walk| walk.untagged(tag))?;
        }
        Ok(())
    }

    fn tuple(&mut self) -> Outcome {
        for index in 0..self.length("count of cells", CELL_SIZE)? {
            self.within(Segment::Index(index), Self::tagged)?;
        }
        Ok(())
    }

    fn record(&mut self) -> Outcome {
        for _ in 0..self.length("count of fields", FIELD_SIZE)? {
            match self.next_hash() {
                // The hash stands in the field that it names.
                Some(hash) => self.within(self.explanation.field(hash), |walk| {
                    walk.field_hash("field hash")?;
                    walk.tagged()
                })?,
                None => drop(self.field_hash("field hash")?),
            }
        }
        Ok(())
    }

    fn table(&mut self) -> Outcome {
        let fault = self.row_fault();
        let row_count = self.count("count of rows", fault)?;
        if row_count == 0 {
            return Ok(());
        }
        let column_count = self.length("count of columns", wire::COLUMN_SIZE)?;
        if column_count == 0 {
            return Ok(());
        }

        let mut columns = Vec::new();
        for _ in 0..column_count {
            let hash = self.field_hash("column hash")?;
            columns.push((self.explanation.field(hash), self.tag("tag of column")?));
        }
        for index in 0..row_count {
            self.within(Segment::Index(index), |walk| {
                for (field, tag) in &columns {
                    walk.within(field.clone(), |walk| walk.untagged(*tag))?;
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// What is wrong with the row count that comes next, which only shows beside the column count.
    fn row_fault(&mut self) -> Option<String> {
        let start = self.reader.offset();
        let counts = wire::take_table_counts(&mut self.reader.clone());
        let spent = counts.and_then(|(rows, columns)| match columns {
            0 => spend_empty_rows(&mut self.empty_rows, rows, start),
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
        let name = self.explanation.hash(hash);
        self.number::<4>("variant hash", |_| argument(name, has_argument))?;
        match has_argument {
            true => self.level(Self::tagged),
            false => Ok(()),
        }
    }

    fn shared(&mut self) -> Outcome {
        let start = self.reader.offset();
        match wire::take_uvint(&mut self.reader.clone()) {
            Ok(0) => {
                self.definitions.push(start);
                let number = self.definitions.len();
                self.vint("shared value", |_| format!("0: here, as number {number}"))?;
                self.level(Self::tagged)
            }
            Ok(distance) => self.reference(start, distance),
            // Too large for a distance; if it ends, what follows is found nevertheless.
            Err(_) => self.vint("reference", |number| number.to_string()).map(drop),
        }
    }

    fn reference(&mut self, start: usize, distance: u128) -> Outcome {
        let back = usize::try_from(distance).ok();
        let target = back.and_then(|back| start.checked_sub(back));
        let found = target.and_then(|target| {
            let index = self.definitions.binary_search(&target).ok()?;
            Some((target, index + 1))
        });
        let shown = format!("{} back", Bytes(&distance));
        if let Some((target, number)) = found {
            let show = |_| format!("{shown}: shared value {number}, at byte {target}");
            return self.vint("reference", show).map(drop);
        }
        let before = self.reader;
        let error = Error::at(ErrorKind::Reference { distance }, start);
        wire::take_uvint(&mut self.reader).map_err(|_| Stop)?;
        self.put_fault(before, "reference", shown, text(&error));
        Ok(())
    }
}

/// A number or name of a variant, and whether an argument follows.
fn argument(variant: impl core::fmt::Display, has_argument: bool) -> String {
    match has_argument {
        true => format!("{variant}, an argument follows"),
        false => format!("{variant}, no argument"),
    }
}

/// The number, or all bits of one that is none.
fn float(is_nan: bool, number: String, bytes: &[u8]) -> String {
    match is_nan {
        true => format!("NaN ({})", explain::hex(bytes)),
        false => number,
    }
}
