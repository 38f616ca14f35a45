//! Finds nodes that are inputs of themselves, in linear time and without recursion.

use alloc::vec::Vec;

use crate::tsm::Graph;

/// What is known about a node so far.
#[derive(Clone, Copy, Default)]
struct Mark {
    /// When it was met, from 1; 0 if it was not.
    met: usize,
    /// The earliest node that can be reached from it and that is still open.
    earliest: usize,
    /// Whether it is among the open nodes.
    open: bool,
}

/// A node whose inputs are being looked at.
struct Visit {
    node: usize,
    next: usize,
}

/// The sets of nodes that can reach each other, and the nodes that are inputs of themselves, in the
/// order of their first nodes. (Tarjan's algorithm, with a stack of its own.)
pub(super) fn cycles(graph: &Graph<'_>) -> Vec<Vec<usize>> {
    let mut marks = alloc::vec![Mark::default(); graph.nodes.len()];
    let mut open = Vec::new();
    let mut visits: Vec<Visit> = Vec::new();
    let mut met = 0;
    let mut found = Vec::new();
    for start in 0..graph.nodes.len() {
        if marks.get(start).is_some_and(|mark| mark.met > 0) {
            continue;
        }
        meet(&mut marks, &mut open, &mut visits, &mut met, start);
        while let Some(visit) = visits.last_mut() {
            let node = visit.node;
            let inputs = graph.nodes.get(node).map_or(&[][..], |node| &node.inputs);
            if let Some(&input) = inputs.get(visit.next) {
                visit.next += 1;
                let input = usize::try_from(input).unwrap_or(usize::MAX);
                let Some(&mark) = marks.get(input) else { continue };
                if mark.met == 0 {
                    meet(&mut marks, &mut open, &mut visits, &mut met, input);
                } else if mark.open {
                    lower(&mut marks, node, mark.met);
                }
                continue;
            }
            visits.pop();
            let mark = marks.get(node).copied().unwrap_or_default();
            if let Some(visit) = visits.last() {
                lower(&mut marks, visit.node, mark.earliest);
            }
            if mark.earliest == mark.met {
                let set = close(&mut marks, &mut open, node);
                let own = u32::try_from(node).is_ok_and(|node| inputs.contains(&node));
                if set.len() > 1 || own {
                    found.push(set);
                }
            }
        }
    }
    found.sort_unstable();
    found
}

fn meet(
    marks: &mut [Mark],
    open: &mut Vec<usize>,
    visits: &mut Vec<Visit>,
    met: &mut usize,
    node: usize,
) {
    *met += 1;
    if let Some(mark) = marks.get_mut(node) {
        *mark = Mark { met: *met, earliest: *met, open: true };
    }
    open.push(node);
    visits.push(Visit { node, next: 0 });
}

fn lower(marks: &mut [Mark], node: usize, earliest: usize) {
    if let Some(mark) = marks.get_mut(node) {
        mark.earliest = mark.earliest.min(earliest);
    }
}

/// Takes the open nodes from `first` on.
fn close(marks: &mut [Mark], open: &mut Vec<usize>, first: usize) -> Vec<usize> {
    let mut set = Vec::new();
    while let Some(node) = open.pop() {
        if let Some(mark) = marks.get_mut(node) {
            mark.open = false;
        }
        set.push(node);
        if node == first {
            break;
        }
    }
    set.sort_unstable();
    set
}
