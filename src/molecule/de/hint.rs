//! Fixes for bytes that another mark would read.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;

use crate::error::Hint;
use crate::glue::names::Names;
use crate::molecule::error::with;
use crate::molecule::mark::Mark;
use crate::molecule::wire::{self, NUMBER_SIZE, Table};

/// For bytes without the header of the expected table, which can be read as a struct; `name` is that of the type.
pub(super) fn of_table(name: &'static str, names: Names) -> Cow<'static, str> {
    match names {
        Names::Indices => "if the schema says struct or array, remove the mark `table`".into(),
        Names::Fields(_) => packed(name),
    }
}

/// How a type is packed that is a table by itself.
#[cold]
pub(super) fn packed(name: &'static str) -> Cow<'static, str> {
    let own = name.split_once('.').map_or(name, |(_, own)| own);
    let on_use = with!("structure" "Struct");
    let on_type = format!("`#[serde(rename = \"struct.{own}\")]` on the type");
    format!("if the schema says struct, use {on_type}, or {on_use}").into()
}

/// For bytes that are not the expected struct.
#[cold]
#[inline(never)]
pub(super) fn of_struct(bytes: &[u8], count: usize, names: Names) -> Hint {
    let hint = match names {
        Names::Indices => concat!("if the schema says table, use ", with!("table" "Table")),
        Names::Fields(_) => "if the schema says table, remove the mark `struct`",
    };
    let table = Table::parse(bytes, 0).ok()?;
    (1..=count).contains(&table.count()).then(|| hint.into())
}

/// For bytes that are not the vector that the mark states.
#[cold]
#[inline(never)]
pub(super) fn of_vector(bytes: &[u8], mark: Mark) -> Hint {
    match mark {
        Mark::FixVec if Table::parse(bytes, 0).is_ok() => {
            Some(concat!("if its items are dynamic, use ", with!("dynvec" "DynVec")).into())
        }
        Mark::DynVec if wire::parse_fixvec(bytes, 0).is_ok() => {
            Some(concat!("if its items have a fixed size, use ", with!("fixvec" "FixVec")).into())
        }
        _ => None,
    }
}

/// For a union with an unknown id and `payload` bytes after it. The mark has each variant's index as its id, to be
/// replaced.
/// to be replaced.
#[cold]
pub(super) fn of_union(
    id: u32,
    payload: usize,
    name: &'static str,
    variants: &'static [&'static str],
    is_marked: bool,
) -> Hint {
    match usize::try_from(id) {
        Ok(id) if id == payload.saturating_add(NUMBER_SIZE) => {
            Some("the id is the size of all: if the schema says table, use a struct".into())
        }
        _ if is_marked => None,
        _ => {
            let list: String =
                (0..).zip(variants).map(|(id, name): (u32, _)| format!(".{name}-{id}")).collect();
            Some(format!("if the schema gives ids, use `#[serde(rename = \"union.{name}{list}\")]` with those").into())
        }
    }
}
