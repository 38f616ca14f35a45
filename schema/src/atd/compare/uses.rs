//! Where types are used: which ones are rows of tables, and which contain tables.

use crate::atd::node::{Body, Node, resolve};
use crate::atd::shape::Type;
use crate::common::leading_to;

/// Of each type, by its number.
pub(super) struct Uses {
    are_rows: Vec<bool>,
    are_records: Vec<bool>,
    have_tables: Vec<bool>,
}

impl Uses {
    pub(super) fn of(nodes: &[Node]) -> Self {
        let none = vec![false; nodes.len()];
        let (mut are_rows, mut are_records) = (none.clone(), none);
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
        for (id, node) in nodes.iter().enumerate() {
            if node.name.is_some() {
                set(&mut are_records, bare(nodes, id));
            }
            for part in node.body.parts() {
                match node.body {
                    Body::Table(_) => set(&mut are_rows, bare(nodes, part)),
                    // Who uses the name decides.
                    Body::Alias(_) | Body::Wrap(_) => {}
                    _ => set(&mut are_records, bare(nodes, part)),
                }
                if let Some(users) = users.get_mut(part) {
                    users.push(id);
                }
            }
        }
        let tables = nodes.iter().enumerate();
        let tables = tables.filter(|(_, node)| matches!(node.body, Body::Table(_)));
        let have_tables = leading_to(&users, tables.map(|(id, _)| id).collect());
        Uses { are_rows, are_records, have_tables }
    }

    /// Whether values of it are rows of tables.
    pub(super) fn is_row(&self, id: usize) -> bool {
        self.are_rows.get(id).copied().unwrap_or_default()
    }

    /// Whether values of it are elsewhere.
    pub(super) fn is_record(&self, id: usize) -> bool {
        self.are_records.get(id).copied().unwrap_or_default()
    }

    /// Whether there may be a table in values of a type.
    pub(super) fn has(&self, ty: Type<'_>) -> bool {
        self.have_tables.get(ty.bare().0).copied().unwrap_or_default()
    }
}

fn set(flags: &mut [bool], id: usize) {
    if let Some(flag) = flags.get_mut(id) {
        *flag = true;
    }
}

/// The type with aliases and wraps resolved.
fn bare(nodes: &[Node], id: usize) -> usize {
    resolve(nodes, id).last().map_or(id, |(id, _)| id)
}
