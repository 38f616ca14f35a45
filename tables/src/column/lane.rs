//! Values of several rows go into a column at once.

use std::iter;

use arrow_buffer::{BooleanBufferBuilder, i256};
use fourfold::schema::{Interest, Lane, LaneKind, Refusal};

use super::visit::{misfit, no_text, too_long, too_wide};
use super::{Column, Data};

/// Values that take no more bytes are copied as if all had so many: that needs no branch for each length.
const SHORT: usize = 64;

impl Column {
    /// Whether it takes such values at once.
    pub(super) fn fits_lane(&self, kind: LaneKind) -> bool {
        let fits = match kind {
            LaneKind::Bool => matches!(self.data, Data::Bool(_)),
            LaneKind::Byte => matches!(self.data, Data::U8(_)),
            LaneKind::Int => {
                matches!(self.data, Data::I64(_) | Data::I32(_) | Data::U16(_) | Data::U8(_))
            }
            LaneKind::Float64 => matches!(self.data, Data::F64(_)),
            LaneKind::Bytes => matches!(
                self.data,
                Data::Text(..)
                    | Data::Bytes(..)
                    | Data::FixedBytes(..)
                    | Data::U64(_)
                    | Data::U32(_)
                    | Data::U16(_)
                    | Data::I64(_)
                    | Data::I32(_)
                    | Data::I16(_)
                    | Data::Decimal(_)
            ),
            _ => false,
        };
        fits && self.interest == Interest::Parts
    }

    /// Appends the values. If not all are taken, those that are have to be forgotten.
    pub(super) fn take_lane(&mut self, lane: &Lane<'_>) -> Result<(), Refusal> {
        let taken = self.append_lane(lane);
        self.append_validity(lane);
        self.len += lane.len();
        taken
    }

    fn append_lane(&mut self, lane: &Lane<'_>) -> Result<(), Refusal> {
        match (&mut self.data, lane.kind()) {
            (Data::Bool(values), LaneKind::Bool) => append_bits(values, lane.bools(), lane.len()),
            (Data::U8(values), LaneKind::Byte) => values.extend(lane.octets()),
            (Data::I64(values), LaneKind::Int) => values.extend(lane.ints()),
            (Data::I32(values), LaneKind::Int) => narrow(values, lane, i32::BITS)?,
            (Data::U16(values), LaneKind::Int) => narrow(values, lane, u16::BITS)?,
            (Data::U8(values), LaneKind::Int) => narrow(values, lane, u8::BITS)?,
            (Data::F64(values), LaneKind::Float64) => values.extend(lane.floats()),
            (Data::Text(offsets, all), LaneKind::Bytes) => {
                let start = all.len();
                append(offsets, all, lane)?;
                check_text(all, start, offsets.iter().rev().take(lane.len()))?;
            }
            (Data::Bytes(offsets, all), LaneKind::Bytes) => append(offsets, all, lane)?,
            (Data::FixedBytes(all, size), LaneKind::Bytes) => {
                for (start, len) in lane.places() {
                    match part(lane.source(), start, len) {
                        Some(bytes) if bytes.len() == *size => all.extend_from_slice(bytes),
                        Some([]) if lane.present().is_some() => {
                            all.extend(iter::repeat_n(0, *size));
                        }
                        _ => return self.mismatch(),
                    }
                }
            }
            (Data::U64(values), LaneKind::Bytes) => numbers(values, lane, u64::from_le_bytes)?,
            (Data::U32(values), LaneKind::Bytes) => numbers(values, lane, u32::from_le_bytes)?,
            (Data::U16(values), LaneKind::Bytes) => numbers(values, lane, u16::from_le_bytes)?,
            (Data::I64(values), LaneKind::Bytes) => numbers(values, lane, i64::from_le_bytes)?,
            (Data::I32(values), LaneKind::Bytes) => numbers(values, lane, i32::from_le_bytes)?,
            (Data::I16(values), LaneKind::Bytes) => numbers(values, lane, i16::from_le_bytes)?,
            (Data::Decimal(values), LaneKind::Bytes) => {
                numbers(values, lane, |bytes| i256::from_parts(u128::from_le_bytes(bytes), 0))?;
            }
            _ => return self.mismatch(),
        }
        Ok(())
    }

    fn append_validity(&mut self, lane: &Lane<'_>) {
        let len = self.len;
        match (&mut self.validity, lane.present()) {
            (Some(validity), Some(present)) => append_bits(validity, present, lane.len()),
            (Some(validity), None) => validity.append_n(lane.len(), true),
            (None, Some(present)) if is_any_null(present, lane.len()) => {
                let mut validity = BooleanBufferBuilder::new(len + lane.len());
                validity.append_n(len, true);
                append_bits(&mut validity, present, lane.len());
                self.validity = Some(validity);
            }
            (None, _) => {}
        }
    }

    /// Rows whose fields have been told by lanes.
    pub(super) fn push_records(&mut self, count: usize) {
        self.len += count;
        if let Some(validity) = &mut self.validity {
            validity.append_n(count, true);
        }
        self.rows = self.len;
    }
}

fn part(source: &[u8], start: usize, len: usize) -> Option<&[u8]> {
    source.get(start..)?.get(..len)
}

fn append_bits(to: &mut BooleanBufferBuilder, bits: u64, count: usize) {
    to.append_packed_range(0..count, &bits.to_le_bytes());
}

/// Whether one of so many values is not there.
fn is_any_null(present: u64, count: usize) -> bool {
    usize::try_from(present.count_ones()).is_ok_and(|present| present < count)
}

/// Appends integers that may not have room.
fn narrow<T: TryFrom<i64>>(values: &mut Vec<T>, lane: &Lane<'_>, bits: u32) -> Result<(), Refusal> {
    for value in lane.ints() {
        values.push(T::try_from(value).map_err(|_| too_wide(value, bits))?);
    }
    Ok(())
}

/// Appends what the bytes of each value are.
fn numbers<const N: usize, T: Default>(
    values: &mut Vec<T>,
    lane: &Lane<'_>,
    of_bytes: impl Fn([u8; N]) -> T,
) -> Result<(), Refusal> {
    let (source, are_options) = (lane.source(), lane.present().is_some());
    let fits =
        |len: u32| usize::try_from(len).is_ok_and(|len| len == N || (len == 0 && are_options));
    let mut fit = lane.lengths().fold(true, |fit, len| fit & fits(len));
    values.extend(lane.places().map(|(start, len)| {
        let bytes = source.get(start..).and_then(<[u8]>::first_chunk);
        match bytes.filter(|_| !are_options || len > 0) {
            Some(bytes) => of_bytes(*bytes),
            None => {
                fit &= len == 0;
                T::default()
            }
        }
    }));
    if fit { Ok(()) } else { Err(misfit()) }
}

/// Appends the bytes of each value, and where they end.
fn append(offsets: &mut Vec<i32>, all: &mut Vec<u8>, lane: &Lane<'_>) -> Result<(), Refusal> {
    let source = lane.source();
    let more: usize = lane.places().map(|(_, len)| len).sum();
    let (Ok(start), Ok(_)) =
        (u32::try_from(all.len()), i32::try_from(all.len().saturating_add(more)))
    else {
        return Err(too_long("bytes"));
    };
    all.reserve(more + SHORT);
    let mut end = start;
    offsets.extend(lane.lengths().map(|len| {
        end = end.wrapping_add(len);
        i32::from_ne_bytes(end.to_ne_bytes())
    }));
    for (start, len) in lane.places() {
        let from = source.get(start..).unwrap_or_default();
        match from.first_chunk::<SHORT>() {
            Some(from) if len <= SHORT => {
                let end = all.len() + len;
                all.extend_from_slice(from);
                all.truncate(end);
            }
            _ => all.extend_from_slice(from.get(..len).unwrap_or_default()),
        }
    }
    Ok(())
}

/// Whether what begins at `start` is text, and each value in it, whose ends are given.
fn check_text<'o>(
    all: &[u8],
    start: usize,
    mut ends: impl Iterator<Item = &'o i32>,
) -> Result<(), Refusal> {
    let new = all.get(start..).unwrap_or_default();
    if new.is_ascii() {
        return Ok(());
    }
    let text = std::str::from_utf8(new).map_err(|error| no_text(error.valid_up_to()))?;
    let is_end = |end: &i32| {
        usize::try_from(*end).is_ok_and(|end| text.is_char_boundary(end.saturating_sub(start)))
    };
    if ends.all(is_end) { Ok(()) } else { Err(no_text(0)) }
}
