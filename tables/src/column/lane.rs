//! Appends the values of several rows to a column at once.

use std::{iter, mem};

use arrow_buffer::BooleanBufferBuilder;
use fourfold_schema::{Interest, Lane, LaneKind, Refusal};

use super::visit::{self, decimal, digits, no_text, too_long, too_wide, type_mismatch};
use super::{Column, Data};

impl Column {
    /// Whether the column takes lanes of that kind.
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
                    | Data::Decimal(..)
                    | Data::Digits(..)
            ),
            _ => false,
        };
        fits && self.interest == Interest::Parts
    }

    /// Appends the values. After an error, the caller removes those that were appended.
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
                for bytes in values_of(lane) {
                    match bytes? {
                        Some(bytes) if bytes.len() == *size => all.extend_from_slice(bytes),
                        Some(_) => return self.mismatch(),
                        None => all.extend(iter::repeat_n(0, *size)),
                    }
                }
            }
            (Data::U64(values), LaneKind::Bytes) => numbers(values, lane, u64::from_le_bytes)?,
            (Data::U32(values), LaneKind::Bytes) => numbers(values, lane, u32::from_le_bytes)?,
            (Data::U16(values), LaneKind::Bytes) => numbers(values, lane, u16::from_le_bytes)?,
            (Data::I64(values), LaneKind::Bytes) => numbers(values, lane, i64::from_le_bytes)?,
            (Data::I32(values), LaneKind::Bytes) => numbers(values, lane, i32::from_le_bytes)?,
            (Data::I16(values), LaneKind::Bytes) => numbers(values, lane, i16::from_le_bytes)?,
            (Data::Decimal(values, ty, _), LaneKind::Bytes) => {
                for bytes in values_of(lane) {
                    values.push(bytes?.map_or(Ok(0), |bytes| decimal(*ty, bytes))?);
                }
            }
            (Data::Digits(offsets, all, ty), LaneKind::Bytes) => {
                for bytes in values_of(lane) {
                    match bytes? {
                        Some(bytes) => digits(*ty, bytes, offsets, all)?,
                        None => visit::append(offsets, all, &[])?,
                    }
                }
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

    /// Appends rows whose fields were appended from lanes.
    pub(super) fn push_records(&mut self, count: usize) {
        self.len += count;
        if let Some(validity) = &mut self.validity {
            validity.append_n(count, true);
        }
        self.rows = self.len;
    }
}

/// The bytes of each value, as arrays of fixed size.
fn values_of<'a>(
    lane: &Lane<'a>,
) -> impl Iterator<Item = Result<Option<&'a [u8]>, Refusal>> + use<'a> {
    let (source, is_option) = (lane.source(), lane.present().is_some());
    lane.places().map(move |(start, len)| {
        let bytes =
            source.get(start..).and_then(|source| source.get(..len)).ok_or_else(type_mismatch)?;
        Ok((!is_option || !bytes.is_empty()).then_some(bytes))
    })
}

fn append_bits(to: &mut BooleanBufferBuilder, bits: u64, count: usize) {
    to.append_packed_range(0..count, &bits.to_le_bytes());
}

/// Whether one of the first `count` values is missing.
fn is_any_null(present: u64, count: usize) -> bool {
    usize::try_from(present.count_ones()).is_ok_and(|present| present < count)
}

/// Appends integers, which may not fit.
fn narrow<T: TryFrom<i64>>(values: &mut Vec<T>, lane: &Lane<'_>, bits: u32) -> Result<(), Refusal> {
    for value in lane.ints() {
        values.push(T::try_from(value).map_err(|_| too_wide(value, bits))?);
    }
    Ok(())
}

/// Appends numbers decoded from the bytes of each value.
fn numbers<const N: usize, T: Default>(
    values: &mut Vec<T>,
    lane: &Lane<'_>,
    of_bytes: impl Fn([u8; N]) -> T,
) -> Result<(), Refusal> {
    let source = lane.source();
    let number = |start: usize| source.get(start..start + N).and_then(<[u8]>::first_chunk::<N>);
    if lane.width() == Some(N) {
        values.extend(
            lane.places()
                .map(|(start, _)| number(start).map_or_else(T::default, |it| of_bytes(*it))),
        );
        return Ok(());
    }
    let is_option = lane.present().is_some();
    for (start, len) in lane.places() {
        values.push(match (len, number(start)) {
            (0, _) if is_option => T::default(),
            (len, Some(bytes)) if len == N => of_bytes(*bytes),
            _ => return Err(type_mismatch()),
        });
    }
    Ok(())
}

/// Appends the bytes of each value, and their ends.
fn append(offsets: &mut Vec<i32>, all: &mut Vec<u8>, lane: &Lane<'_>) -> Result<(), Refusal> {
    let start = all.len();
    // If no value has a higher bit, none is longer.
    let (mut end, mut bits) = (start, 0);
    offsets.extend(lane.lengths().map(|len| {
        bits |= len;
        end += usize::try_from(len).unwrap_or(usize::MAX);
        let [a, b, c, d, ..] = end.to_le_bytes();
        i32::from_le_bytes([a, b, c, d])
    }));
    // All previous offsets are smaller.
    i32::try_from(end).map_err(|_| too_long("bytes"))?;
    match bits {
        0..=16 => copy_all::<16>(all, lane, end - start),
        17..=32 => copy_all::<32>(all, lane, end - start),
        _ => copy_all::<64>(all, lane, end - start),
    }
    Ok(())
}

/// Appends the bytes of each value, `more` in total. Values of at most `SHORT` bytes are copied as `SHORT` bytes,
/// which needs no branch for each length.
fn copy_all<const SHORT: usize>(all: &mut Vec<u8>, lane: &Lane<'_>, more: usize) {
    let source = lane.source();
    let whole = all.len() + more;
    all.resize(whole + SHORT, 0);
    let mut to = all.get_mut(whole - more..).unwrap_or_default();
    for (start, len) in lane.places() {
        match source.get(start..start + SHORT).and_then(<[u8]>::first_chunk::<SHORT>) {
            Some(from) if len <= SHORT => match to.first_chunk_mut() {
                Some(to) => *to = *from,
                None => break,
            },
            _ => copy(source.get(start..), to, len),
        }
        let Some(rest) = mem::take(&mut to).get_mut(len..) else { break };
        to = rest;
    }
    all.truncate(whole);
}

#[inline(never)]
fn copy(from: Option<&[u8]>, to: &mut [u8], len: usize) {
    if let (Some(from), Some(to)) = (from.and_then(|from| from.get(..len)), to.get_mut(..len)) {
        to.copy_from_slice(from);
    }
}

/// Whether the bytes from `start` on are UTF-8, and each value in them, too; `ends` are the ends of the values.
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
