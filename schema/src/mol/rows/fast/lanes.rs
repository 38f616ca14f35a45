//! Tables and structs of simple fields, side by side.
//!
//! What a loop over rows calls for each of them is always inlined.

use fourfold::molecule::wire::{self, NUMBER_SIZE};

use super::super::offsets::{bounds as bounds_of, first_offsets, in_order};
use super::Op;
use crate::common::{LaneKind, Visit, word_of};
use crate::lanes::{Lanes, Maybe, ROWS, Slots, if_highest};

/// How rows of simple fields are read side by side.
#[derive(Debug)]
pub(super) struct Program {
    lanes: Lanes,
    fields: Fields,
}

/// Where the fields of rows are.
#[derive(Debug)]
struct Fields {
    /// The first ones, as long as each has one size.
    fixed: Box<[Fixed]>,
    /// What these make of the offsets of a table.
    first: Box<[u8]>,
    /// Where each other field of a table begins in each row, and where the last one ends.
    bounds: Box<[Bounds]>,
}

/// A field that is at the same place in each row.
#[derive(Debug)]
struct Fixed {
    kind: LaneKind,
    /// Where it begins, counted from where the row does.
    at: u32,
    size: usize,
}

type Bounds = [u32; ROWS];

impl Program {
    /// That of a table or struct, if all its fields are simple.
    pub(super) fn of(op: &Op) -> Option<Self> {
        let slots = |field: &Op| match field {
            Op::Option(inner) => Some(Slots::new(kind(inner)?, true)),
            field => Some(Slots::new(kind(field)?, false)),
        };
        let (slots, fields): (Box<[Slots]>, Fields) = match op {
            Op::Table(fields) => {
                (fields.iter().map(slots).collect::<Option<_>>()?, Fields::of_table(fields)?)
            }
            Op::Struct(fields, _) => {
                let fields = || fields.iter().map(|(field, _)| field);
                (fields().map(slots).collect::<Option<_>>()?, Fields::of_struct(fields())?)
            }
            _ => return None,
        };
        Some(Program { lanes: Lanes::new(slots), fields })
    }

    /// Visits rows side by side that begin there, the last one of which ends at the last of `starts`, until one is
    /// unusual: how many these are, and how many bytes they take. None, if `visitor` does not want that.
    pub(super) fn read<V: Visit>(
        &mut self,
        op: &Op,
        bytes: &[u8],
        starts: &[u32],
        visitor: &mut V,
    ) -> Option<(usize, usize)> {
        let Program { lanes, fields } = self;
        lanes.read(bytes, visitor, |slots, bytes| {
            let count = gather(op, slots, fields, bytes, starts);
            (count, starts.get(count).map_or(0, |after| wire::stated(*after)))
        })
    }
}

impl Fields {
    fn of_table(fields: &[Op]) -> Option<Self> {
        let (_, firsts) = fields.split_last()?;
        let sizes: Vec<usize> = firsts.iter().map_while(size).collect();
        let first = first_offsets(fields.len(), &sizes)?;
        let fixed = Fixed::all(firsts.iter(), wire::header_size(fields.len()))?;
        let bounds = vec![[0; ROWS]; fields.len() - fixed.len() + 1].into_boxed_slice();
        Some(Fields { fixed, first, bounds })
    }

    fn of_struct<'o>(fields: impl Iterator<Item = &'o Op>) -> Option<Self> {
        let fixed = Fixed::all(fields, 0)?;
        Some(Fields { fixed, first: Box::default(), bounds: Box::default() })
    }
}

impl Fixed {
    /// The fields before the first one of variable size, if the first one begins there.
    fn all<'o>(fields: impl Iterator<Item = &'o Op>, mut at: usize) -> Option<Box<[Self]>> {
        let sizes = fields.map_while(|field| Some((kind(field)?, size(field)?)));
        let fixed = sizes.map(|(kind, size)| {
            let field = Fixed { kind, at: u32::try_from(at).ok()?, size };
            at = at.checked_add(size)?;
            Some(field)
        });
        fixed.collect()
    }

    /// Keeps the words of the field in rows that begin there.
    fn gather(&self, slots: &mut Slots, bytes: &[u8], starts: &[u32]) {
        let places = starts.iter().map(|start| wire::stated(start.wrapping_add(self.at)));
        let words = slots.words().iter_mut().zip(places);
        match self.kind {
            LaneKind::Byte => words.for_each(|(word, at)| {
                *word = bytes.get(at).copied().unwrap_or_default().into();
            }),
            _ => words.for_each(|(word, at)| *word = word_of(at, self.size)),
        }
        slots.set_width(self.size);
    }
}

/// How many bytes a simple value takes, if all of its type take so many.
fn size(op: &Op) -> Option<usize> {
    match op {
        Op::Byte => Some(1),
        Op::Bytes(size) => Some(*size),
        _ => None,
    }
}

/// The lane of a simple value.
fn kind(op: &Op) -> Option<LaneKind> {
    match op {
        Op::Byte => Some(LaneKind::Byte),
        Op::Bytes(_) | Op::ByteVec => Some(LaneKind::Bytes),
        _ => None,
    }
}

/// Gathers each wanted field of the rows before the first unusual one, and returns their number.
#[inline(never)]
fn gather(
    op: &Op,
    slots: &mut [Slots],
    fields: &mut Fields,
    bytes: &[u8],
    starts: &[u32],
) -> usize {
    let Fields { fixed, first, bounds } = fields;
    let (mut count, others) = match op {
        Op::Table(all) => {
            (tables(first, bounds, bytes, starts), all.get(fixed.len()..).unwrap_or_default())
        }
        Op::Struct(_, size) => (structs(*size, bytes, starts), [].as_slice()),
        _ => return 0,
    };
    let usual = starts.get(..count).unwrap_or_default();
    let mut slots = slots.iter_mut();
    for (field, slots) in fixed.iter().zip(&mut slots).filter(|(_, slots)| slots.is_wanted) {
        field.gather(slots, bytes, usual);
    }
    for ((field, slots), bounds) in others.iter().zip(slots).zip(bounds.windows(2)) {
        count = column(field, slots, bounds, bytes, count);
    }
    count
}

/// Finds the parts of tables before the first unusual one, and returns their number.
fn tables(first: &[u8], bounds: &mut [Bounds], bytes: &[u8], starts: &[u32]) -> usize {
    let rows = starts.iter().zip(starts.iter().skip(1));
    let find = |(at, (start, end)): (usize, (&u32, &u32))| {
        let row = bytes.get(wire::stated(*start)..wire::stated(*end));
        row.is_some_and(|row| bounds_of(row, *start, at, first, bounds))
    };
    rows.enumerate().map(find).take_while(|is_usual| *is_usual).count()
}

/// How many structs of that size are before the first unusual one.
fn structs(size: usize, bytes: &[u8], starts: &[u32]) -> usize {
    let rows = starts.iter().zip(starts.iter().skip(1));
    let is_usual = |(start, end): &(&u32, &u32)| {
        wire::stated(end.wrapping_sub(**start)) == size && wire::stated(**end) <= bytes.len()
    };
    rows.take_while(is_usual).count()
}

/// Gathers a field, if it is wanted, of the first rows up to the first unusual one, and returns their number.
fn column(field: &Op, slots: &mut Slots, bounds: &[Bounds], bytes: &[u8], count: usize) -> usize {
    let [starts, ends] = bounds else { return 0 };
    // Slices of one length: then loops over them need not look whether they end.
    let (starts, ends) = (starts.get(..count), ends.get(..count));
    let (starts, ends) = (starts.unwrap_or_default(), ends.unwrap_or_default());
    let mut parts = starts.iter().zip(ends);
    if let (Op::Bytes(size), true) = (field, slots.is_wanted) {
        return arrays(slots, parts, *size);
    }
    if !in_order(parts.clone()) {
        let ordered = parts.clone().take_while(|part| in_order([*part].into_iter())).count();
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

/// What is unusual about a part that is to be an array of that size, 0 if nothing is, and its word.
#[inline(always)]
fn array(size: usize, start: usize, len: u32) -> (u64, u64) {
    let len = wire::stated(len);
    (u64::from(len != size), word_of(start, len))
}

/// The same of a fixvec of bytes.
#[inline(always)]
fn fixvec(bytes: &[u8], start: usize, len: u32) -> (u64, u64) {
    let items = start + NUMBER_SIZE;
    let count = bytes.get(start..items).and_then(<[u8]>::first_chunk);
    let count = count.map_or(u32::MAX, |count| u32::from_le_bytes(*count));
    // In 64 bits no count is what is left of a part that is too short for one.
    let body = u64::from(len).wrapping_sub(u64::try_from(NUMBER_SIZE).unwrap_or(u64::MAX));
    (u64::from(count) ^ body, word_of(items, wire::stated(len).wrapping_sub(NUMBER_SIZE)))
}

/// The same of a byte.
#[inline(always)]
fn byte(bytes: &[u8], start: usize, len: u32) -> (u64, u64) {
    match bytes.get(start) {
        Some(byte) => (u64::from(len ^ 1), u64::from(*byte)),
        None => (1, 0),
    }
}

/// Keeps the words of the usual parts before the first that is not, and returns their number.
#[inline(always)]
fn values<'p>(
    slots: &mut Slots,
    parts: impl Iterator<Item = (&'p u32, &'p u32)>,
    look: impl Fn(usize, u32) -> (u64, u64),
) -> usize {
    slots.gather(parts, |(start, end)| {
        let (odd, word) = look(wire::stated(*start), end.wrapping_sub(*start));
        (odd == 0).then_some(word)
    })
}

/// The same of options.
#[inline(always)]
fn options<'p>(
    slots: &mut Slots,
    parts: impl ExactSizeIterator<Item = (&'p u32, &'p u32)> + Clone,
    look: impl Fn(usize, u32) -> (u64, u64),
) -> usize {
    slots.gather_options(parts, |(start, end)| {
        let len = end.wrapping_sub(*start);
        let (odd, word) = look(wire::stated(*start), len);
        Maybe { there: if_highest(u64::from(len).wrapping_neg()), odd, word }
    })
}

/// Keeps the words of arrays of that size, up to the first part that has another one, and returns their number: for
/// all of them at once, since nearly always all have it. Then they are in order, too.
fn arrays<'p>(
    slots: &mut Slots,
    parts: impl ExactSizeIterator<Item = (&'p u32, &'p u32)> + Clone,
    size: usize,
) -> usize {
    // The highest bit is not a bound's: see `in_order`.
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
