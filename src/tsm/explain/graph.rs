//! Modules: the header, inputs and outputs, nodes.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::tensor::{count, counted, packed};
use crate::spans::walk::Walk;
use crate::spans::{hex, text};
use crate::tsm::bubble::NAME;
use crate::tsm::wire::{HEADER_CODE_OFFSET, HEADER_DATA, INDEX_SIZE, MAGIC};
use crate::tsm::{Diagnostic, DiagnosticKind};

/// What the nodes are called, as far as a look ahead goes.
#[derive(Default)]
pub(super) struct Names<'de> {
    names: Vec<Option<&'de [u8]>>,
    is_known: bool,
}

impl<'de> Names<'de> {
    /// The names that a walk has met.
    pub(super) fn known(self) -> Self {
        Names { is_known: true, ..self }
    }

    fn meet(&mut self, name: Option<&'de [u8]>) {
        if !self.is_known {
            self.names.push(name);
        }
    }

    fn of(&self, node: u32) -> Option<&'de [u8]> {
        *self.names.get(usize::try_from(node).ok()?)?
    }
}

/// Explains a module and the bytes after it. `Some` if the module is complete.
pub(super) fn module<'de>(walk: &mut Walk<'de, '_>, names: &mut Names<'de>) -> Option<()> {
    whole(walk, names)?;
    walk.trailing();
    Some(())
}

fn whole<'de>(walk: &mut Walk<'de, '_>, names: &mut Names<'de>) -> Option<()> {
    walk.field("header", header)?;
    walk.field("inputs", |walk| indices(walk, names, "count of inputs"))?;
    walk.field("outputs", |walk| indices(walk, names, "count of outputs"))?;
    walk.field("graph", |walk| {
        let count = count(walk, "count of nodes")?;
        walk.items(count, |walk, _| node(walk, names))
    })
}

fn header(walk: &mut Walk<'_, '_>) -> Option<()> {
    walk.field("fake", |walk| {
        let fake = u32::from_le_bytes(walk.look_at("reserved")?);
        walk.emit(size_of::<u32>(), "reserved", || fake.to_string());
        Some(())
    })?;
    walk.field("code", |walk| {
        let code = u32::from_le_bytes(walk.look_at("code of a module")?);
        let value = || match code {
            MAGIC => format!("{code:#x}"),
            _ => format!("{code:#x}, not {MAGIC:#x}"),
        };
        walk.emit(size_of::<u32>(), "code of a module", value);
        Some(())
    })?;
    walk.field("data", |walk| {
        let data = walk.look(HEADER_DATA, "free bytes")?;
        let value = || match data.iter().rposition(|byte| *byte != 0) {
            None => String::from("zeros"),
            Some(last) => hex(data.get(..=last).unwrap_or_default()),
        };
        walk.emit(HEADER_DATA, "free bytes", value);
        Some(())
    })
}

/// Explains a list of nodes.
fn indices(walk: &mut Walk<'_, '_>, names: &Names<'_>, what: &'static str) -> Option<()> {
    let count = count(walk, what)?;
    walk.items(count, |walk, _| {
        let index = u32::from_le_bytes(walk.look_at("index of a node")?);
        walk.emit(INDEX_SIZE, "index of a node", || match names.of(index) {
            Some(name) => format!("{index}, {}", text(name)),
            None => index.to_string(),
        });
        Some(())
    })
}

fn node<'de>(walk: &mut Walk<'de, '_>, names: &mut Names<'de>) -> Option<()> {
    let mut name = None;
    walk.field("bubble", |walk| {
        let count = count(walk, "count of params")?;
        walk.items(count, |walk, _| {
            let own = walk.field("name", |walk| counted(walk, "length of the name", "name"))?;
            let value = walk.field("value", packed)?;
            if own == NAME.as_bytes() {
                // Of equal names the first counts.
                name.get_or_insert(value);
            }
            Some(())
        })
    })?;
    names.meet(name.flatten());
    walk.field("inputs", |walk| indices(walk, names, "count of inputs"))
}

/// Why a module of valid bytes is refused, and where, as text. The reader returns one of several
/// errors of a node, not always the first one; nothing before that node is wrong.
pub(super) fn errors(refusals: Vec<(usize, Diagnostic)>) -> Vec<(usize, String)> {
    let foremost = refusals.first().map_or(0, |(offset, _)| *offset);
    let refusals = refusals.into_iter();
    refusals.map(|(offset, diagnostic)| (offset.max(foremost), diagnostic.to_string())).collect()
}

/// The error of the code in the header, and its offset.
pub(super) fn wrong_code(bytes: &[u8]) -> Option<(usize, String)> {
    let found = bytes.get(HEADER_CODE_OFFSET..).and_then(<[u8]>::first_chunk);
    let found = found.map(|code| u32::from_le_bytes(*code)).filter(|code| *code != MAGIC)?;
    Some((HEADER_CODE_OFFSET, Diagnostic::of_module(DiagnosticKind::Code { found }).to_string()))
}
