//! Tables and structs of simple fields, side by side. Knows what is usual of them.

use alloc::boxed::Box;
use alloc::vec;

use super::Op;
use crate::fast::lanes::{Lanes, ROWS, Slots};
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

    /// Tells side by side of rows that begin there and are so long, until one is unusual: how many these are, and how
    /// many bytes they take. None, if `visitor` does not want that.
    pub(super) fn read<V: Visit>(
        &mut self,
        op: &Op,
        bytes: &[u8],
        places: &[(usize, usize)],
        visitor: &mut V,
    ) -> Option<(usize, usize)> {
        let Program { lanes, bounds } = self;
        lanes.read(bytes, visitor, |slots, bytes| {
            let count = gather(op, slots, bounds, bytes, places);
            let last = count.checked_sub(1).and_then(|last| places.get(last));
            (count, last.map_or(0, |(start, len)| start.saturating_add(*len)))
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
    places: &[(usize, usize)],
) -> usize {
    match op {
        Op::Table(fields) => {
            let mut count = tables(bounds, bytes, places);
            for ((field, slots), bounds) in fields.iter().zip(slots).zip(bounds.windows(2)) {
                count = column(field, slots, bounds, bytes, count);
            }
            count
        }
        Op::Struct(fields, _) => {
            let mut count = structs(fields, bounds, bytes, places);
            for (((field, _), slots), bounds) in fields.iter().zip(slots).zip(bounds.windows(2)) {
                count = column(field, slots, bounds, bytes, count);
            }
            count
        }
        _ => 0,
    }
}

/// Finds the parts of tables in front of the first unusual one.
fn tables(bounds: &mut [Bounds], bytes: &[u8], places: &[(usize, usize)]) -> usize {
    for (at, (start, len)) in places.iter().take(ROWS).enumerate() {
        let row = bytes.get(*start..).and_then(|row| row.get(..*len));
        let (Some(row), Ok(start)) = (row, u32::try_from(*start)) else { return at };
        let keep = |bounds: &mut Bounds, offset: u32| set(bounds, at, start.wrapping_add(offset));
        if !wire::bounds(row, bounds, keep) {
            return at;
        }
    }
    places.len()
}

/// The same of structs.
fn structs(
    fields: &[(Op, usize)],
    bounds: &mut [Bounds],
    bytes: &[u8],
    places: &[(usize, usize)],
) -> usize {
    let size = fields.iter().map(|(_, size)| size).sum::<usize>();
    for (at, (start, len)) in places.iter().take(ROWS).enumerate() {
        let is_whole = bytes.get(*start..).is_some_and(|row| row.len() >= size);
        let (true, Ok(mut start)) = (is_whole && *len == size, u32::try_from(*start)) else {
            return at;
        };
        let sizes = fields.iter().map(|(_, size)| u32::try_from(*size).unwrap_or_default());
        for (bounds, size) in bounds.iter_mut().zip(sizes.chain([0])) {
            set(bounds, at, start);
            start = start.wrapping_add(size);
        }
    }
    places.len()
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
    if !slots.is_wanted {
        return count;
    }
    let array = |size: usize| move |start, len| (len == size).then(|| word_of(start, size));
    let fixvec = |start: usize, len: usize| {
        let items = wire::byte_items(bytes.get(start..)?.get(..len)?)?;
        Some(word_of(start + NUMBER_SIZE, items.len()))
    };
    let byte = |start: usize, len: usize| {
        let byte = bytes.get(start).filter(|_| len == 1);
        byte.map(|byte| u64::from(*byte))
    };
    // Slices of one length: then loops over them need not look whether they end.
    let (starts, ends) = (starts.get(..count), ends.get(..count));
    let places = starts.unwrap_or_default().iter().zip(ends.unwrap_or_default());
    match field {
        Op::Option(inner) => match &**inner {
            Op::Bytes(size) => options(slots, places, array(*size)),
            Op::ByteVec => options(slots, places, fixvec),
            Op::Byte => options(slots, places, byte),
            _ => 0,
        },
        Op::Bytes(size) => arrays(slots, places, *size),
        Op::ByteVec => values(slots, places, fixvec),
        Op::Byte => values(slots, places, byte),
        _ => 0,
    }
}

/// Keeps the words of the values that have one, up to the first that has none, and says how many these are.
#[inline(always)]
fn values<'p>(
    slots: &mut Slots,
    places: impl Iterator<Item = (&'p u32, &'p u32)>,
    word: impl Fn(usize, usize) -> Option<u64>,
) -> usize {
    let mut count = 0;
    for (slot, (start, end)) in slots.words().iter_mut().zip(places) {
        let len = wire::stated(end.wrapping_sub(*start));
        let Some(word) = word(wire::stated(*start), len) else { break };
        *slot = word;
        count += 1;
    }
    count
}

/// The same of arrays of that size: for all of them at once, since nearly always all have it.
fn arrays<'p>(
    slots: &mut Slots,
    places: impl ExactSizeIterator<Item = (&'p u32, &'p u32)> + Clone,
    size: usize,
) -> usize {
    let Ok(len) = u32::try_from(size) else { return 0 };
    let count = places.len();
    let mut others = 0;
    for (slot, (start, end)) in slots.words().iter_mut().zip(places.clone()) {
        others |= end.wrapping_sub(*start) ^ len;
        *slot = word_of(wire::stated(*start), size);
    }
    match others {
        0 => count,
        _ => places.take_while(|(start, end)| end.wrapping_sub(**start) == len).count(),
    }
}

/// The same of options.
#[inline(always)]
fn options<'p>(
    slots: &mut Slots,
    places: impl Iterator<Item = (&'p u32, &'p u32)>,
    word: impl Fn(usize, usize) -> Option<u64>,
) -> usize {
    let (mut count, mut present) = (0, 0);
    for (slot, (start, end)) in slots.words().iter_mut().zip(places) {
        *slot = 0;
        if start != end {
            let len = wire::stated(end.wrapping_sub(*start));
            let Some(word) = word(wire::stated(*start), len) else { break };
            *slot = word;
            present |= 1 << (count % ROWS);
        }
        count += 1;
    }
    slots.set_present(present);
    count
}
