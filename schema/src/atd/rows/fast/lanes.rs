//! Records of simple fields, side by side.
//!
//! First it is found where fields begin, row by row: the next one waits for the size of the one before, and for nothing
//! else. Then the values of each wanted field are taken, where nothing has to wait.
//!
//! What a loop over rows calls for each of them is always inlined.

mod look;

use fourfold::biniou::wire::vint::{NOTHING, joined, long_uvint};
use fourfold::biniou::wire::{VINT_MORE, Zigzag as _};

use self::look::{Look, WINDOW};
use super::super::bytes::Bytes;
use super::{HEAD, Item, Op, Part, integer};
use crate::atd::shape::Int;
use crate::common::{LaneKind, Visit, word_of};
use crate::lanes::{Lanes, Maybe, ROWS, Slots, if_highest};

/// What is before the value of an option: that there is one, and its tag.
const OPTION: usize = 2;

/// What the fields of a record usually look like.
#[derive(Debug)]
pub(super) struct Program {
    /// What a row begins with: how many fields there are.
    count: u8,
    fields: Box<[Field]>,
    lanes: Lanes,
}

#[derive(Debug)]
struct Field {
    /// The key and the tag.
    head: [u8; HEAD],
    /// Of an option, the tag of its value.
    tag: Option<u8>,
    op: Simple,
    /// What it has looked like last, with its value.
    usual: Look,
    /// What it looks like without one, if it is an option.
    none: Look,
    /// Where it begins in each row.
    places: Box<[u32; ROWS]>,
}

/// A value without parts.
#[derive(Clone, Copy, Debug)]
enum Simple {
    Bool,
    Svint,
    /// Another integer.
    Int(Int),
    Float64,
    String,
}

impl Program {
    /// That of a record with these fields, if all are simple.
    pub(super) fn of(parts: &[Part]) -> Option<Self> {
        let fields = parts.iter().map(Field::of).collect::<Option<Box<[_]>>>()?;
        let slots = parts.iter().zip(&fields);
        let slots = slots
            .map(|(part, field)| Slots::new(field.op.kind(), part.may_miss || field.tag.is_some()));
        let lanes = Lanes::new(slots.collect());
        // More take another byte.
        let count = u8::try_from(fields.len()).ok().filter(|count| *count < VINT_MORE)?;
        Some(Program { count, fields, lanes })
    }

    /// Visits rows side by side: how many these are, and how many bytes they take. None, if `visitor` does not want
    /// that.
    pub(super) fn read<V: Visit>(
        &mut self,
        bytes: &[u8],
        most: usize,
        visitor: &mut V,
    ) -> Option<(usize, usize)> {
        let Program { count, fields, lanes } = self;
        lanes.read(bytes, visitor, |slots, bytes| {
            let (found, end) = find(*count, fields, bytes, most.min(ROWS));
            let wanted = fields.iter().zip(slots).filter(|(_, slots)| slots.is_wanted);
            let rows = wanted.fold(found, |rows, (field, slots)| field.take(slots, bytes, rows));
            // A row that is not taken begins with the count, before its first field.
            let first = fields.first().and_then(|field| field.places.get(rows));
            let after = first.filter(|_| rows < found).map_or(end, |first| low(*first) - 1);
            (rows, after)
        })
    }
}

impl Field {
    fn of(part: &Part) -> Option<Self> {
        let (tag, op) = match &part.op {
            // An option in one that may be left out has two ways to be nothing.
            Op::Option(_) if part.may_miss => return None,
            Op::Option(inner) => {
                let Item { tag, op } = &**inner;
                (Some(*tag), op)
            }
            op => (None, op),
        };
        let op = match op {
            Op::Bool => Simple::Bool,
            Op::Svint => Simple::Svint,
            Op::Int(int) => Simple::Int(*int),
            Op::Float64 => Simple::Float64,
            Op::String => Simple::String,
            _ => return None,
        };
        let head = part.head;
        let none = tag.map_or(Look::NEVER, |_| Look::none(head));
        let places = Box::new([0; ROWS]);
        Some(Field { head, tag, op, usual: Look::NEVER, none, places })
    }

    /// How many bytes the field takes that begins there and does not look as usual. None, if it is unusual.
    #[inline(never)]
    fn look_again(&mut self, bytes: &[u8], at: u32) -> Option<u32> {
        let rest = bytes.get(low(at)..)?;
        let look = Look::of(self.head, self.tag, rest.first_chunk()?)?;
        if let Some(size) = look.size(bytes, at) {
            self.usual = look;
            return Some(size);
        }
        if !matches!(self.op, Simple::String) {
            return None;
        }
        // Its length takes more than a byte.
        let front = self.front();
        let (length, size) = long_length(rest.get(front..)?)?;
        let size = length.checked_add(front + size).filter(|size| *size <= rest.len())?;
        u32::try_from(size).ok()
    }

    /// How many bytes are before the value.
    fn front(&self) -> usize {
        if self.tag.is_some() { HEAD + OPTION } else { HEAD }
    }

    /// Takes the values of the first rows up to the first unusual one, and returns their number.
    fn take(&self, slots: &mut Slots, bytes: &[u8], rows: usize) -> usize {
        let integer = |int| move |place, _| integer_word(int, bytes, place);
        match self.op {
            Simple::String => self.words(slots, bytes, rows, |place, word| {
                let [length, ..] = word.to_le_bytes();
                let (length, size) = match length {
                    ..VINT_MORE => (usize::from(length), 1),
                    _ => long_length(bytes.get(place..)?)?,
                };
                Some(word_of(place + size, length))
            }),
            Simple::Svint => {
                let found = self.words(slots, bytes, rows, |_, word| Some(word));
                match unzigzag_all(slots.words().get_mut(..found).unwrap_or_default()) {
                    true => found,
                    false => self.words(slots, bytes, rows, integer(Int::Svint)),
                }
            }
            Simple::Int(int) => self.words(slots, bytes, rows, integer(int)),
            Simple::Float64 => self.words(slots, bytes, rows, |_, word| Some(word.swap_bytes())),
            Simple::Bool => self.words(slots, bytes, rows, |_, word| Some(word & 1)),
        }
    }

    /// Takes what `word` makes of each value: of its place, and of the eight bytes that begin there, the first one in the
    /// lowest bits; of 0, if there is no value.
    #[inline(always)]
    fn words(
        &self,
        slots: &mut Slots,
        bytes: &[u8],
        rows: usize,
        word: impl Fn(usize, u64) -> Option<u64>,
    ) -> usize {
        let places = self.places.iter().take(rows).map(|place| low(*place));
        let window = |place: usize| -> Option<&[u8; WINDOW]> {
            bytes.get(place..place + WINDOW)?.first_chunk()
        };
        match self.tag {
            None => slots.gather(places, |place| {
                let (_, value) = window(place)?.split_first_chunk::<HEAD>()?;
                word(place + HEAD, u64::from_le_bytes(*value.first_chunk()?))
            }),
            Some(_) => slots.gather_options(places, |place| {
                let Some([_, _, _, _, _, some, _, value @ ..]) = window(place) else {
                    return Maybe::UNUSUAL;
                };
                let value = value.first_chunk().map_or(0, |value| u64::from_le_bytes(*value));
                // The highest bit of `SOME` is its only one.
                let there = if_highest(u64::from(*some) << (u64::BITS - u8::BITS));
                let word = word(place + HEAD + OPTION, value & there);
                Maybe { there, odd: word.is_none().into(), word: word.unwrap_or(0) }
            }),
        }
    }
}

/// Makes the numbers of the words that they begin. Returns whether each is in its word as a whole.
fn unzigzag_all(words: &mut [u64]) -> bool {
    let mut ends = u64::MAX;
    for word in words {
        let (number, last) = joined(*word);
        *word = self::word(i64::unzigzag(number));
        // The highest bit is whether there is none: without a branch for each.
        ends &= last | last.wrapping_neg();
    }
    ends >> (u64::BITS - 1) == 1
}

impl Simple {
    /// Its lane.
    const fn kind(self) -> LaneKind {
        match self {
            Simple::Bool => LaneKind::Bool,
            Simple::Svint | Simple::Int(_) => LaneKind::Int,
            Simple::Float64 => LaneKind::Float64,
            Simple::String => LaneKind::Bytes,
        }
    }
}

/// Finds the fields of the rows before the first unusual one: how many these are, and how many bytes they take.
#[inline(never)]
fn find(count: u8, fields: &mut [Field], bytes: &[u8], most: usize) -> (usize, usize) {
    let mut at = 0;
    for row in 0..most {
        match find_row(count, fields, bytes, row, at) {
            Some(after) => at = after,
            None => return (row, low(at)),
        }
    }
    (most, low(at))
}

/// Finds the fields of the row that begins there, and gives where the next one does.
#[inline(always)]
fn find_row(count: u8, fields: &mut [Field], bytes: &[u8], row: usize, mut at: u32) -> Option<u32> {
    if bytes.get(low(at)) != Some(&count) {
        return None;
    }
    at += 1;
    for field in fields {
        if let Some(place) = field.places.get_mut(row % ROWS) {
            *place = at;
        }
        let size = match field.usual.size(bytes, at) {
            Some(size) => size,
            None => match field.none.size(bytes, at) {
                Some(size) => size,
                None => field.look_again(bytes, at)?,
            },
        };
        // The windows of a field that begins after the bytes are not there.
        at = at.wrapping_add(size);
    }
    (low(at) <= bytes.len()).then_some(at)
}

/// The length of a long string, and the size of that.
#[inline(never)]
fn long_length(value: &[u8]) -> Option<(usize, usize)> {
    match long_uvint(value) {
        NOTHING => None,
        (length, size) => Some((usize::try_from(length).ok()?, size)),
    }
}

/// The word of an integer that begins there.
#[inline(never)]
fn integer_word(int: Int, bytes: &[u8], place: usize) -> Option<u64> {
    Some(word(integer(int, &mut Bytes(bytes.get(place..)?)).ok()?))
}

/// The word of an integer.
#[inline(always)]
fn word(number: i64) -> u64 {
    u64::from_ne_bytes(number.to_ne_bytes())
}

/// A place.
#[inline(always)]
fn low(place: u32) -> usize {
    usize::try_from(place).unwrap_or(usize::MAX)
}
