//! Modules: the header, inputs and outputs, nodes. Knows no tensors.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::tensor::{count, counted, packed};
use crate::explain::{Span, hex, text};
use crate::tsm::bubble::NAME;
use crate::tsm::module;
use crate::tsm::wire::{HEADER_DATA, INDEX_SIZE, MAGIC};
use crate::walk::Walk;

/// What is known when all is told.
#[derive(Default)]
pub(super) struct Told<'de> {
    /// What the nodes are called.
    names: Vec<Option<&'de [u8]>>,
    /// Where indices of nodes stand, in the order of the file.
    links: Vec<(usize, u32)>,
}

impl Told<'_> {
    /// Says of each index what the node is called.
    pub(super) fn name_links(&self, spans: &mut [Span]) {
        let mut spans = spans.iter_mut();
        for (offset, node) in &self.links {
            let name = usize::try_from(*node).ok().and_then(|node| *self.names.get(node)?);
            let span = spans.find(|span| span.range.start == *offset);
            if let (Some(span), Some(name)) = (span, name) {
                span.value = format!("{node}, {}", text(name));
            }
        }
    }
}

/// Tells of a module and of what stands behind it.
pub(super) fn module<'de>(walk: &mut Walk<'de>, bytes: &[u8]) -> Told<'de> {
    let mut told = Told::default();
    if whole(walk, &mut told).is_some() {
        refusals(walk, bytes);
        walk.trailing();
    }
    told
}

fn whole<'de>(walk: &mut Walk<'de>, told: &mut Told<'de>) -> Option<()> {
    walk.field("header", header)?;
    walk.field("inputs", |walk| indices(walk, told, "count of inputs"))?;
    walk.field("outputs", |walk| indices(walk, told, "count of outputs"))?;
    walk.field("graph", |walk| {
        let count = count(walk, "count of nodes")?;
        walk.items(count, |walk, _| node(walk, told))
    })
}

fn header(walk: &mut Walk<'_>) -> Option<()> {
    walk.field("fake", |walk| {
        let fake = u32::from_le_bytes(walk.look_at("reserved")?);
        walk.tell(size_of::<u32>(), "reserved", fake.to_string());
        Some(())
    })?;
    walk.field("code", |walk| {
        let code = u32::from_le_bytes(walk.look_at("code of a module")?);
        let value = match code {
            MAGIC => format!("{code:#x}"),
            _ => format!("{code:#x}, not {MAGIC:#x}"),
        };
        walk.tell(size_of::<u32>(), "code of a module", value);
        Some(())
    })?;
    walk.field("data", |walk| {
        let data = walk.look(HEADER_DATA, "free bytes")?;
        let value = match data.iter().rposition(|byte| *byte != 0) {
            None => String::from("zeros"),
            Some(last) => hex(data.get(..=last).unwrap_or_default()),
        };
        walk.tell(HEADER_DATA, "free bytes", value);
        Some(())
    })
}

/// Tells of a list of nodes.
fn indices(walk: &mut Walk<'_>, told: &mut Told<'_>, what: &'static str) -> Option<()> {
    let count = count(walk, what)?;
    walk.items(count, |walk, _| {
        let index = u32::from_le_bytes(walk.look_at("index of a node")?);
        told.links.push((walk.offset(), index));
        walk.tell(INDEX_SIZE, "index of a node", index.to_string());
        Some(())
    })
}

fn node<'de>(walk: &mut Walk<'de>, told: &mut Told<'de>) -> Option<()> {
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
    told.names.push(name.flatten());
    walk.field("inputs", |walk| indices(walk, told, "count of inputs"))
}

/// Adds what a module of sound bytes is refused for. The reader names one of several faults of a
/// node that need not be the foremost; nothing is in front of that.
fn refusals(walk: &mut Walk<'_>, bytes: &[u8]) {
    let refusals = module::refusals(bytes).unwrap_or_default();
    let foremost = refusals.first().map_or(0, |(offset, _)| *offset);
    for (offset, finding) in refusals {
        walk.remark(offset.max(foremost), finding.to_string());
    }
}
