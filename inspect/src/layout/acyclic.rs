//! Determines which edges to reverse so that the graph has no cycles.

use super::{Edge, Per};

#[derive(Clone, Copy, Default, PartialEq)]
enum Visit {
    #[default]
    Not,
    Open,
    Done,
}

/// Whether each edge closes a cycle, in a depth-first search from the nodes without incoming edges and, for the rest,
/// from the first ones.
pub(super) fn back_edges(count: usize, edges: impl Iterator<Item = Edge>) -> Vec<bool> {
    let edges: Vec<Edge> = edges.collect();
    let mut out = Per::<Vec<usize>>::new(count);
    let mut has_input = Per::<bool>::new(count);
    for (number, edge) in edges.iter().enumerate() {
        out.push(edge.from, number);
        has_input.put(edge.to, true);
    }
    let mut back = Per::<bool>::new(edges.len());
    let mut visits = Per::<Visit>::new(count);
    // An explicit stack: chains are longer than a thread's stack.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let roots = (0..count).filter(|node| !has_input.at(*node)).chain(0..count);
    for root in roots {
        if visits.at(root) != Visit::Not {
            continue;
        }
        visits.put(root, Visit::Open);
        open.push((root, 0));
        while let Some((node, next)) = open.last_mut() {
            let Some(&number) = out.list(*node).get(*next) else {
                visits.put(*node, Visit::Done);
                open.pop();
                continue;
            };
            *next += 1;
            let to = edges.get(number).map_or(0, |edge| edge.to);
            match visits.at(to) {
                Visit::Open => back.put(number, true),
                Visit::Done => {}
                Visit::Not => {
                    visits.put(to, Visit::Open);
                    open.push((to, 0));
                }
            }
        }
    }
    (0..edges.len()).map(|number| back.at(number)).collect()
}
