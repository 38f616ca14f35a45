//! Hints in errors: how else the bytes could be read. Knows the layouts, does not change what is
//! read.

use crate::glue::names::Names;
use crate::molecule::mark::Mark;
use crate::molecule::wire::{self, NUMBER_SIZE, Table};

pub(super) type Hint = Option<&'static str>;

/// For bytes without the header of the expected table, which can be read as a struct.
pub(super) fn of_table(names: Names) -> &'static str {
    match names {
        Names::Indices => {
            "a table was tried: if the schema says struct or array, leave out the mark `table`"
        }
        Names::Fields(_) | Names::Slots => {
            "a table was tried: if the schema says struct, mark it `struct.`"
        }
    }
}

/// For bytes that are not the expected struct.
#[cold]
#[inline(never)]
pub(super) fn of_struct(bytes: &[u8], count: usize, names: Names) -> Hint {
    let hint = match names {
        Names::Indices => "a struct was tried, and there is a table's header: mark it `table`",
        Names::Fields(_) | Names::Slots => {
            "a struct was tried, and there is a table's header: leave out the mark `struct`"
        }
    };
    let table = Table::parse(bytes, 0, false).ok()?;
    (1..=count).contains(&table.count()).then_some(hint)
}

/// For bytes that are not the vector that the mark states.
#[cold]
#[inline(never)]
pub(super) fn of_vector(bytes: &[u8], mark: Mark) -> Hint {
    match mark {
        Mark::FixVec if Table::parse(bytes, 0, false).is_ok() => Some(
            "a fixvec was tried, and there is a dynvec's header: mark it `dynvec` if its items are dynamic",
        ),
        Mark::DynVec if wire::parse_fixvec(bytes, 0, false).is_ok() => Some(
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
