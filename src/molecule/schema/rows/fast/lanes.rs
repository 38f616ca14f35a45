//! Tables and structs of simple fields, side by side. Knows what is usual of them.

use alloc::boxed::Box;
use alloc::vec;

use super::Op;
use crate::fast::lanes::{Lanes, Maybe, ROWS, Slots, if_highest};
use crate::molecule::wire::{self, NUMBER_SIZE};
use crate::schema::{LaneKind, Visit, word_of};

/// How rows of simple fields are read side by side.
#[derive(Debug)]
pub(super) struct Program {
    lanes: Lanes,
    /// Where each field begins in each row, and where the last one ends.
    bounds: Box<[Bounds]>,
}

type Bounds = [u32; ROWS];

impl Program {
    /// That of a table or struct, if all its fields are simple.
    pub(super) fn of(op: &Op) -> Option<Self> {
        let slots = |field: &Op| match field {
            Op::Option(inner) => Some(Slots::new(kind(inner)?, true)),
            field => Some(Slots::new(kind(field)?, false)),
        };
        let slots: Box<[Slots]> = match op {
            Op::Table(fields) => fields.iter().map(slots).collect::<Option<_>>()?,
            Op::Struct(fields, _) => {
                fields.iter().map(|(field, _)| slots(field)).collect::<Option<_>>()?
            }
            _ => return None,
        };
        let bounds = vec![[0; ROWS]; slots.len() + 1].into_boxed_slice();
        Some(Program { lanes: Lanes::new(slots), bounds })
    }

    /// Tells side by side of rows that begin there, the last one of which ends at the last of `starts`, until one is
    /// unusual: how many these are, and how many bytes they take. None, if `visitor` does not want that.
    pub(super) fn read<V: Visit>(
        &mut self,
        op: &Op,
        bytes: &[u8],
        starts: &[u32],
        visitor: &mut V,
    ) -> Option<(usize, usize)> {
        let Program { lanes, bounds } = self;
        lanes.read(bytes, visitor, |slots, bytes| {
            let count = gather(op, slots, bounds, bytes, starts);
            (count, starts.get(count).map_or(0, |behind| wire::stated(*behind)))
        })
    }
}

/// How a value is told that is simple.
fn kind(op: &Op) -> Option<LaneKind> {
    match op {
        Op::Byte => Some(LaneKind::Byte),
        Op::Bytes(_) | Op::ByteVec => Some(LaneKind::Bytes),
        _ => None,
    }
}

/// Gathers each wanted field of the rows in front of the first unusual one, and says how many these are.
#[inline(never)]
fn gather(
    op: &Op,
    slots: &mut [Slots],
    bounds: &mut [Bounds],
    bytes: &[u8],
    starts: &[u32],
) -> usize {
    match op {
        Op::Table(fields) => {
            let mut count = tables(bounds, bytes, starts);
            for ((field, slots), bounds) in fields.iter().zip(slots).zip(bounds.windows(2)) {
                count = column(field, slots, bounds, bytes, count);
            }
            count
        }
        Op::Struct(fields, _) => {
            let mut count = structs(fields, bounds, bytes, starts);
            for (((field, _), slots), bounds) in fields.iter().zip(slots).zip(bounds.windows(2)) {
                count = column(field, slots, bounds, bytes, count);
            }
            count
        }
        _ => 0,
    }
}

/// Finds the parts of tables in front of the first unusual one, and says how many these are.
fn tables(bounds: &mut [Bounds], bytes: &[u8], starts: &[u32]) -> usize {
    let rows = starts.iter().zip(starts.iter().skip(1));
    let find = |(at, (start, end)): (usize, (&u32, &u32))| {
        let row = bytes.get(wire::stated(*start)..wire::stated(*end));
        row.is_some_and(|row| wire::bounds(row, *start, at, bounds))
    };
    rows.enumerate().map(find).take_while(|is_usual| *is_usual).count()
}

/// The same of structs.
fn structs(fields: &[(Op, usize)], bounds: &mut [Bounds], bytes: &[u8], starts: &[u32]) -> usize {
    let sizes = || fields.iter().map(|(_, size)| u32::try_from(*size).unwrap_or(u32::MAX));
    let size = sizes().fold(0, u32::saturating_add);
    let rows = starts.iter().zip(starts.iter().skip(1));
    let find = |(at, (start, end)): (usize, (&u32, &u32))| {
        let (mut place, is_whole) = (*start, end.wrapping_sub(*start) == size);
        for (bounds, size) in bounds.iter_mut().zip(sizes().chain([0])) {
            set(bounds, at, place);
            place = place.wrapping_add(size);
        }
        is_whole && wire::stated(*end) <= bytes.len()
    };
    rows.enumerate().map(find).take_while(|is_usual| *is_usual).count()
}

#[inline(always)]
fn set(bounds: &mut Bounds, row: usize, at: u32) {
    if let Some(bound) = bounds.get_mut(row % ROWS) {
        *bound = at;
    }
}

/// Gathers a field, if it is wanted, of the first rows up to the first unusual one, and says how many these are.
fn column(field: &Op, slots: &mut Slots, bounds: &[Bounds], bytes: &[u8], count: usize) -> usize {
    let [starts, ends] = bounds else { return 0 };
    // Slices of one length: then loops over them need not look whether they end.
    let (starts, ends) = (starts.get(..count), ends.get(..count));
    let (starts, ends) = (starts.unwrap_or_default(), ends.unwrap_or_default());
    let mut parts = starts.iter().zip(ends);
    if let (Op::Bytes(size), true) = (field, slots.is_wanted) {
        return arrays(slots, parts, *size);
    }
    if !wire::in_order(parts.clone()) {
        let ordered = parts.clone().take_while(|part| wire::in_order([*part].into_iter())).count();
        parts = starts.get(..ordered).unwrap_or_default().iter().zip(ends);
    }
    if !slots.is_wanted {
        return parts.len();
    }
    match field {
        Op::Option(inner) => match &**inner {
            Op::Bytes(size) => options(slots, parts, |start, len| array(*size, start, len)),
            Op::ByteVec => options(slots, parts, |start, len| fixvec(bytes, start, len)),
            Op::Byte => options(slots, parts, |start, len| byte(bytes, start, len)),
            _ => 0,
        },
        Op::ByteVec => values(slots, parts, |start, len| fixvec(bytes, start, len)),
        Op::Byte => values(slots, parts, |start, len| byte(bytes, start, len)),
        _ => 0,
    }
}

/// Whether a part is an array of that size, and its word.
#[inline(always)]
fn array(size: usize, start: usize, len: usize) -> (bool, u64) {
    (len == size, word_of(start, len))
}

/// Whether a part is a fixvec of bytes, and its word.
#[inline(always)]
fn fixvec(bytes: &[u8], start: usize, len: usize) -> (bool, u64) {
    let items = start + NUMBER_SIZE;
    let count = bytes.get(start..items).and_then(<[u8]>::first_chunk);
    let count = wire::stated(count.map_or(u32::MAX, |count| u32::from_le_bytes(*count)));
    let is_whole = count.wrapping_add(NUMBER_SIZE) == len;
    (is_whole, word_of(items, len.wrapping_sub(NUMBER_SIZE)))
}

/// Whether a part is a byte, and its word.
#[inline(always)]
fn byte(bytes: &[u8], start: usize, len: usize) -> (bool, u64) {
    let byte = bytes.get(start).copied();
    (byte.is_some() && len == 1, byte.unwrap_or_default().into())
}

/// Keeps the words of the usual parts in front of the first that is not, and says how many these are.
#[inline(always)]
fn values<'p>(
    slots: &mut Slots,
    parts: impl Iterator<Item = (&'p u32, &'p u32)>,
    look: impl Fn(usize, usize) -> (bool, u64),
) -> usize {
    slots.gather(parts, |(start, end)| {
        let (is_usual, word) = look(wire::stated(*start), wire::stated(end.wrapping_sub(*start)));
        is_usual.then_some(word)
    })
}

/// The same of options.
#[inline(always)]
fn options<'p>(
    slots: &mut Slots,
    parts: impl ExactSizeIterator<Item = (&'p u32, &'p u32)>,
    look: impl Fn(usize, usize) -> (bool, u64),
) -> usize {
    slots.gather_options(parts, |(start, end)| {
        let len = end.wrapping_sub(*start);
        let (is_usual, word) = look(wire::stated(*start), wire::stated(len));
        Maybe { there: if_highest(u64::from(len).wrapping_neg()), is_usual, word }
    })
}

/// Keeps the words of arrays of that size, up to the first part that has another one, and says how many these are: for
/// all of them at once, since nearly always all have it. Then they are in order, too.
fn arrays<'p>(
    slots: &mut Slots,
    parts: impl ExactSizeIterator<Item = (&'p u32, &'p u32)> + Clone,
    size: usize,
) -> usize {
    // The highest bit is not a bound's: see `wire::in_order`.
    let Some(len) = u32::try_from(size).ok().filter(|len| *len < 1 << (u32::BITS - 1)) else {
        return 0;
    };
    let other =
        |(start, end): (&u32, &u32)| (end.wrapping_sub(*start) ^ len) | (start >> (u32::BITS - 1));
    let count = parts.len();
    let mut others = 0;
    for (slot, (start, end)) in slots.words().iter_mut().zip(parts.clone()) {
        others |= other((start, end));
        *slot = word_of(wire::stated(*start), size);
    }
    slots.set_width(size);
    match others {
        0 => count,
        _ => parts.take_while(|part| other(*part) == 0).count(),
    }
}
