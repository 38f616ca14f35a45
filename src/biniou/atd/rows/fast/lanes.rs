//! Records of simple fields, side by side. Knows what is usual of them.

use alloc::boxed::Box;

use super::{HEAD, Item, Op, Part, integer, zigzag};
use crate::biniou::atd::shape::Int;
use crate::biniou::wire::vint::{NOTHING, long_uvint, size_of_uvint};
use crate::biniou::wire::{Bytes, NONE, SOME, Source as _, VINT_MORE};
use crate::fast::lanes::{Lanes, ROWS, Slots};
use crate::schema::{LaneKind, Visit, word_of};

/// A field is looked at in so many bytes: its head, what stands in front of the value of an option, and the longest
/// number. So the last rows of a file are read one by one.
const WINDOW: usize = HEAD + OPTION + VALUE;
/// Whether there is a value, and its tag.
const OPTION: usize = 2;
const VALUE: usize = 10;

/// Of a word those bytes that a head has.
const HEAD_MASK: u64 = u64::MAX >> (u64::BITS - u8::BITS * 5);

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
    /// The key and the tag, the first byte in the lowest bits.
    head: u64,
    /// Of an option, the tag of its value.
    tag: Option<u8>,
    op: Simple,
    /// If it is one that is rarer.
    int: Int,
}

/// A value without parts.
#[derive(Clone, Copy, Debug)]
enum Simple {
    Bool,
    Svint,
    /// Another integer.
    Int,
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

    /// Tells of rows side by side: how many these are, and how many bytes they take. None, if `visitor` does not want
    /// that.
    pub(super) fn read<V: Visit>(
        &mut self,
        bytes: &[u8],
        most: usize,
        visitor: &mut V,
    ) -> Option<(usize, usize)> {
        let Program { count, fields, lanes } = self;
        lanes.read(bytes, visitor, |slots, bytes| gather(*count, fields, slots, bytes, most))
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
        let (op, int) = match op {
            Op::Bool => (Simple::Bool, Int::Svint),
            Op::Svint => (Simple::Svint, Int::Svint),
            Op::Int(int) => (Simple::Int, *int),
            Op::Float64 => (Simple::Float64, Int::Svint),
            Op::String => (Simple::String, Int::Svint),
            _ => return None,
        };
        let [a, b, c, d, e] = part.head;
        Some(Field { head: u64::from_le_bytes([a, b, c, d, e, 0, 0, 0]), tag, op, int })
    }
}

impl Simple {
    /// How it is told.
    const fn kind(self) -> LaneKind {
        match self {
            Simple::Bool => LaneKind::Bool,
            Simple::Svint | Simple::Int => LaneKind::Int,
            Simple::Float64 => LaneKind::Float64,
            Simple::String => LaneKind::Bytes,
        }
    }
}

/// Gathers the fields of the rows in front of the first unusual one: how many these are, and how many bytes they take.
#[inline(never)]
fn gather(
    head: u8,
    fields: &[Field],
    slots: &mut [Slots],
    bytes: &[u8],
    most: usize,
) -> (usize, usize) {
    let mut rest = bytes;
    let most = most.min(ROWS);
    for row in 0..most {
        let behind = match rest.split_first() {
            Some((found, fields_of_row)) if *found == head => {
                gather_row(fields, slots, row, bytes.len(), fields_of_row)
            }
            _ => None,
        };
        let Some(behind) = behind else { return (row, bytes.len() - rest.len()) };
        rest = behind;
    }
    (most, bytes.len() - rest.len())
}

/// Gathers all fields of a row behind their count, and gives what lies behind them. `whole` is how many bytes there
/// were in front of the first row.
#[inline(always)]
fn gather_row<'a>(
    fields: &[Field],
    slots: &mut [Slots],
    row: usize,
    whole: usize,
    mut rest: &'a [u8],
) -> Option<&'a [u8]> {
    for (field, slots) in fields.iter().zip(slots) {
        let window: &[u8; WINDOW] = rest.first_chunk()?;
        let (head, _) = window.split_first_chunk()?;
        if u64::from_le_bytes(*head) & HEAD_MASK != field.head {
            return None;
        }
        let (_, behind) = window.split_first_chunk::<HEAD>()?;
        let (at, value) = match (field.tag, behind) {
            (None, value) => (HEAD, value),
            (Some(_), [NONE, ..]) => {
                slots.set_none(row);
                rest = rest.get(HEAD + 1..)?;
                continue;
            }
            (Some(tag), [SOME, found, value @ ..]) if *found == tag => (HEAD + OPTION, value),
            _ => return None,
        };
        let value: &[u8; VALUE] = value.first_chunk()?;
        let (word, size) = match field.op {
            Simple::String => {
                let (length, front) = match value {
                    [length @ ..VINT_MORE, ..] => (usize::from(*length), 1),
                    _ => long_length(value)?,
                };
                if length > rest.len() {
                    return None;
                }
                (word_of(whole - rest.len() + at + front, length), front + length)
            }
            Simple::Svint if slots.is_wanted => svint(value)?,
            Simple::Svint => (0, size_of_uvint(value)?),
            Simple::Float64 => {
                let (float, _) = value.split_first_chunk()?;
                (u64::from_be_bytes(*float), float.len())
            }
            Simple::Bool => match value {
                [bit @ 0..=1, ..] => (u64::from(*bit), 1),
                _ => return None,
            },
            Simple::Int => rare(field.int, value)?,
        };
        rest = rest.get(at + size..)?;
        slots.set(row, word);
    }
    Some(rest)
}

/// The word of a number, and how many bytes it takes.
#[inline(always)]
fn svint(value: &[u8; VALUE]) -> Option<(u64, usize)> {
    match long_uvint(value) {
        NOTHING => None,
        (number, size) => Some((u64::from_ne_bytes(zigzag(number).ok()?.to_ne_bytes()), size)),
    }
}

/// The length of a long string, and how many bytes say it.
#[inline(never)]
fn long_length(value: &[u8; VALUE]) -> Option<(usize, usize)> {
    match long_uvint(value) {
        NOTHING => None,
        (length, size) => Some((usize::try_from(length).ok()?, size)),
    }
}

/// The word of an integer that is rarer, and how many bytes it takes.
#[inline(never)]
fn rare(int: Int, value: &[u8; VALUE]) -> Option<(u64, usize)> {
    let mut near = Bytes(value);
    let number = integer(int, &mut near).ok()?;
    Some((u64::from_ne_bytes(number.to_ne_bytes()), VALUE - near.left()))
}
