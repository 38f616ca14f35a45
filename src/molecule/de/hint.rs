//! Hints in errors: how else the bytes could be read. Knows the layouts, does not change what is
//! read.

use super::State;
use super::access::{FieldCount, Names};
use super::packed::{Kind, PackedIn, whole};
use crate::glue::de::Visitor;
use crate::glue::nested;
use crate::molecule::Error;
use crate::molecule::mark::Mark;
use crate::molecule::wire::{NUMBER_SIZE, Table, Vector};

type Hint = Option<&'static str>;

impl State {
    /// Reads without keeping what the reading records, since only its success matters.
    pub(super) fn without_notes<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let noted = (self.abandoned, self.asked_types);
        let result = read(self);
        (self.abandoned, self.asked_types) = noted;
        result
    }
}

/// For bytes without the header of the expected table: tries to read the type as a struct. Not
/// inside nested documents, since the cost would multiply with each level.
#[cold]
#[inline(never)]
pub(super) fn of_table<'de, V: Visitor<'de, Error>>(
    state: &mut State,
    (bytes, base): (&'de [u8], usize),
    fields: FieldCount,
    names: Names,
    visitor: V,
) -> Hint {
    if bytes.is_empty() || nested::exact_readings_around() > 1 {
        return None;
    }
    let value = state.without_notes(|state| {
        whole(state, bytes, base, PackedIn::Marked, false, |packed| {
            packed.parts(fields.most(), names, PackedIn::Marked, visitor)
        })
    });
    match (value, names) {
        (Err(_), _) => None,
        (Ok(_), Names::Indices) => Some(
            "a table was tried: if the schema says struct or array, leave out the mark `table`",
        ),
        (Ok(_), _) => Some("a table was tried: if the schema says struct, mark it `struct.`"),
    }
}

/// For bytes that are not the expected struct.
#[cold]
#[inline(never)]
pub(super) fn of_struct(bytes: &[u8], kind: Kind) -> Hint {
    let (len, hint) = match kind {
        Kind::Tuple(len) => {
            (len, "a struct was tried, and there is a table's header: mark it `table`")
        }
        Kind::TupleStruct(_, len) => (len, LEAVE_OUT_STRUCT),
        Kind::Struct(_, fields) => (fields.len(), LEAVE_OUT_STRUCT),
    };
    let table = Table::parse(bytes, 0, false).ok()?;
    (1..=len).contains(&table.count()).then_some(hint)
}

const LEAVE_OUT_STRUCT: &str =
    "a struct was tried, and there is a table's header: leave out the mark `struct`";

/// For bytes that are not the vector that the mark states.
#[cold]
#[inline(never)]
pub(super) fn of_vector(bytes: &[u8], mark: Mark) -> Hint {
    match mark {
        Mark::FixVec if Table::parse(bytes, 0, false).is_ok() => Some(
            "a fixvec was tried, and there is a dynvec's header: mark it `dynvec` if its items are dynamic",
        ),
        Mark::DynVec if Vector::parse_fixvec(bytes, 0, false).is_ok() => Some(
            "a dynvec was tried, and there is a fixvec's header: mark it `fixvec` if its items are fixed",
        ),
        _ => None,
    }
}

/// For a union with an unknown id and `payload` bytes behind it.
#[cold]
pub(super) fn of_union(id: u32, payload: usize, is_marked: bool) -> Hint {
    match usize::try_from(id) {
        Ok(id) if id == payload.saturating_add(NUMBER_SIZE) => {
            Some("a union was tried, and the number is the size of all, as in a table")
        }
        _ if is_marked => None,
        _ => Some("if the schema gives ids, mark the enum `union.`"),
    }
}
