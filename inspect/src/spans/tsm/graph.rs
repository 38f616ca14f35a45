//! Modules: the header, inputs and outputs, nodes.

use fourfold::tsm::Header;

use super::tensor::{count, counted, packed};
use crate::spans::walk::Walk;
use crate::spans::{hex, text};

/// The free bytes at the end of a header.
const HEADER_DATA: usize = 120;

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
            Header::CODE => format!("{code:#x}"),
            _ => format!("{code:#x}, not {:#x}", Header::CODE),
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
        walk.emit(size_of::<u32>(), "index of a node", || match names.of(index) {
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
            if own == b"#name" {
                // Of equal names the first counts.
                name.get_or_insert(value);
            }
            Some(())
        })
    })?;
    names.meet(name.flatten());
    walk.field("inputs", |walk| indices(walk, names, "count of inputs"))
}
