//! Edges that cross very many ranks: if all edges need too many spots, the longest ones get none. Such an edge is one
//! line from box to box.

use std::collections::BTreeMap;

use super::layers::Root;
use super::{Downward, Layout, Line, Point, Size, Tip, Wire};

/// The edges with spots, and the longer ones without. Spots are at most `most`.
pub(super) fn split(
    edges: Vec<Downward>,
    ranks: &[usize],
    most: usize,
) -> (Vec<Downward>, Vec<Downward>) {
    let rank = |node: usize| ranks.get(node).copied().unwrap_or_default();
    let passed = |edge: &Downward| rank(edge.lower).saturating_sub(rank(edge.upper) + 1);
    // Edges with a common trunk share its spots.
    let needed = |longest: usize| {
        let mut trunks = BTreeMap::<Root, usize>::new();
        for edge in edges.iter().filter(|edge| (1..=longest).contains(&passed(edge))) {
            let trunk = trunks.entry(Root { upper: edge.upper, back: edge.back }).or_default();
            *trunk = passed(edge).max(*trunk);
        }
        trunks.into_values().sum::<usize>()
    };
    let mut longest = edges.iter().map(passed).max().unwrap_or(0);
    while needed(longest) > most {
        longest /= 2;
    }
    edges.into_iter().partition(|edge| passed(edge) <= longest)
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
