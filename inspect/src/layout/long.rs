//! Edges that cross very many ranks: if all edges need too many spots, the longest ones get none. Such an edge is one
//! line from box to box.

use std::collections::BTreeMap;

use super::layers::Root;
use super::pack::Part;
use super::{Downward, Layout, Line, Point, Size, Tip, Wire};

/// The maximum number of ranks that edges with spots pass, so that all of them need at most `most` spots. It is the
/// same for all components, so that their order does not matter.
pub(super) fn limit(parts: &[(Part, Vec<usize>)], most: usize) -> usize {
    let edges =
        || parts.iter().flat_map(|(part, ranks)| part.edges.iter().map(|edge| (edge, &**ranks)));
    let mut limit = edges().map(|(edge, ranks)| passed(edge, ranks)).max().unwrap_or(0);
    let needed = |limit: usize| {
        let spots = parts.iter().map(|(part, ranks)| spots(&part.edges, ranks, limit));
        spots.fold(0, usize::saturating_add)
    };
    while needed(limit) > most {
        limit /= 2;
    }
    limit
}

/// The edges with spots, and the longer ones without.
pub(super) fn split(
    edges: Vec<Downward>,
    ranks: &[usize],
    limit: usize,
) -> (Vec<Downward>, Vec<Downward>) {
    edges.into_iter().partition(|edge| passed(edge, ranks) <= limit)
}

/// The number of ranks between both ends of an edge.
fn passed(edge: &Downward, ranks: &[usize]) -> usize {
    let rank = |node: usize| ranks.get(node).copied().unwrap_or_default();
    rank(edge.lower).saturating_sub(rank(edge.upper) + 1)
}

/// The number of spots of edges that pass at most `limit` ranks. Edges with a common trunk share its spots.
fn spots(edges: &[Downward], ranks: &[usize], limit: usize) -> usize {
    let mut trunks = BTreeMap::<Root, usize>::new();
    for edge in edges {
        let passed = passed(edge, ranks);
        if (1..=limit).contains(&passed) {
            let trunk = trunks.entry(Root { upper: edge.upper, back: edge.back }).or_default();
            *trunk = passed.max(*trunk);
        }
    }
    trunks.into_values().fold(0, usize::saturating_add)
}

/// Adds a line for each of these edges.
pub(super) fn draw(sizes: &[Size], edges: &[Downward], layout: &mut Layout) {
    let at = |node: usize| layout.nodes.get(node).copied().unwrap_or_default();
    let wire = |edge: &Downward| {
        let (upper, to) = (at(edge.upper), at(edge.lower));
        let height = sizes.get(edge.upper).map_or(0.0, |size| size.height);
        let from = Point::new(upper.x, upper.y + height);
        let point = if edge.back { from } else { to };
        let tip = Tip { edge: edge.number, point, upwards: edge.back };
        let lines = vec![Line { from, to }];
        Wire { upper: edge.upper, back: edge.back, lines, tips: vec![tip] }
    };
    let wires: Vec<Wire> = edges.iter().map(wire).collect();
    layout.wires.extend(wires);
}
