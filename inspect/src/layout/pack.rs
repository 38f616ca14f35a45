//! Connected components of a graph: split before the layout, and packed together afterwards.

use super::{Downward, Layout, Line, Per, Point, Size, Tip, Wire};

/// The distance between two components.
const GAP: f64 = 48.0;

/// A connected component: nodes and their edges.
pub(super) struct Part {
    pub(super) nodes: Vec<usize>,
    /// Upper and lower ends are indices into `nodes`.
    pub(super) edges: Vec<Downward>,
}

/// The components of a graph, in the order of their first nodes.
pub(super) fn components(count: usize, edges: &[Downward]) -> Vec<Part> {
    let mut adjacent = Per::<Vec<usize>>::new(count);
    for edge in edges {
        adjacent.push(edge.upper, edge.lower);
        adjacent.push(edge.lower, edge.upper);
    }
    let mut part_of = Per::<Option<usize>>::new(count);
    let mut parts: Vec<Part> = Vec::new();
    for first in 0..count {
        if part_of.at(first).is_some() {
            continue;
        }
        part_of.put(first, Some(parts.len()));
        let mut nodes = vec![first];
        let mut done = 0;
        while let Some(&node) = nodes.get(done) {
            done += 1;
            for &other in adjacent.list(node) {
                if part_of.at(other).is_none() {
                    part_of.put(other, Some(parts.len()));
                    nodes.push(other);
                }
            }
        }
        nodes.sort_unstable();
        parts.push(Part { nodes, edges: Vec::new() });
    }
    for edge in edges {
        let part = part_of.at(edge.upper).and_then(|part| parts.get_mut(part));
        let Some(Part { nodes, edges }) = part else { continue };
        let place = |node: usize| nodes.binary_search(&node).unwrap_or_default();
        edges.push(Downward { upper: place(edge.upper), lower: place(edge.lower), ..*edge });
    }
    parts
}

/// Packs drawings into rows, left to right and top to bottom.
pub(super) fn pack(count: usize, drawings: Vec<(Vec<usize>, Layout)>) -> Layout {
    let area: f64 = drawings.iter().map(|(_, one)| (one.width + GAP) * (one.height + GAP)).sum();
    let widest = drawings.iter().map(|(_, one)| one.width).fold(0.0, f64::max);
    let limit = widest.max(area.sqrt() * 1.3);
    let mut nodes = Per::<Point>::new(count);
    let mut columns = Per::<usize>::new(count);
    let mut all = Layout::default();
    if let [(_, only)] = drawings.as_slice() {
        all.starts.clone_from(&only.starts);
    }
    let (mut x, mut y, mut shelf) = (0.0f64, 0.0f64, 0.0f64);
    for (members, drawing) in drawings {
        if x > 0.0 && x + drawing.width > limit {
            y += shelf + GAP;
            (x, shelf) = (0.0, 0.0);
        }
        let moved = |point: Point| Point::new(point.x + x, point.y + y);
        for (node, point) in members.iter().zip(&drawing.nodes) {
            nodes.put(*node, moved(*point));
        }
        for (node, column) in members.iter().zip(&drawing.columns) {
            columns.put(*node, *column);
        }
        for wire in drawing.wires {
            let upper = members.get(wire.upper).copied().unwrap_or_default();
            let line = |line: Line| Line { from: moved(line.from), to: moved(line.to) };
            let tip = |tip: Tip| Tip { point: moved(tip.point), ..tip };
            let lines = wire.lines.into_iter().map(line).collect();
            let tips = wire.tips.into_iter().map(tip).collect();
            all.wires.push(Wire { upper, back: wire.back, lines, tips });
        }
        all.width = all.width.max(x + drawing.width);
        all.height = all.height.max(y + drawing.height);
        shelf = shelf.max(drawing.height);
        x += drawing.width + GAP;
    }
    all.nodes = (0..count).map(|node| nodes.at(node)).collect();
    all.columns = (0..count).map(|node| columns.at(node)).collect();
    all
}

/// The right end of a node's space.
pub(super) fn right_end(size: &Size, axis: f64) -> f64 {
    axis + size.right.max(size.half)
}
