//! Horizontal positions of spots, by the method of Brandes and Köpf (2002). Spots that an edge connects are aligned in
//! blocks, four times: with the rank above or below, from the left or from the right. In each of the four, blocks are
//! as close together as their sizes allow. A fifth drawing has the mean of the two middle positions of each spot. In
//! some of the five, repeated layers drift to one side; of the narrow ones, that with the straightest edges is taken.
//! Every step takes time linear in spots and edges, except for sorting edges by position.

use super::Per;
use super::layers::{Layers, Spot};

/// The distance between two adjacent boxes.
const GAP: f64 = 26.0;
/// The distance between a box and a passing edge, or two passing edges.
const PASSING_GAP: f64 = 10.0;

/// A drawing that is wider than the narrowest one by this factor drifts to one side.
const DRIFTS: f64 = 1.1;

/// The axis of each spot; the leftmost ones are as far left as 0 allows.
pub(super) fn places(layers: &Layers) -> Vec<f64> {
    let rows = Rows::new(layers);
    let sides = [Side { up: true, mirrored: false }, Side { up: true, mirrored: true }];
    let sides = sides.into_iter().flat_map(|side| [side, Side { up: false, ..side }]);
    let mut found: Vec<(Side, Vec<f64>)> =
        sides.map(|side| (side, rows.compact(&rows.blocks(side), side))).collect();
    let extents: Vec<(f64, f64)> = found.iter().map(|(_, axes)| rows.extent(axes)).collect();
    let narrow = extents.iter().min_by(|(a, b), (c, d)| (b - a).total_cmp(&(d - c)));
    let (left, right) = narrow.copied().unwrap_or_default();
    for ((side, axes), (own_left, own_right)) in found.iter_mut().zip(&extents) {
        let by = if side.mirrored { right - own_right } else { left - own_left };
        axes.iter_mut().for_each(|axis| *axis += by);
    }
    let middle = |spot: usize| {
        let axes = found.iter().filter_map(|(_, axes)| axes.get(spot).copied());
        let mut axes: Vec<f64> = axes.collect();
        axes.sort_by(f64::total_cmp);
        axes.iter().skip(1).take(2).sum::<f64>() / 2.0
    };
    let middle: Vec<f64> = (0..layers.spots.len()).map(middle).collect();
    let all = std::iter::once(middle).chain(found.into_iter().map(|(_, axes)| axes));
    let all: Vec<Vec<f64>> = all.collect();
    let width = |axes: &Vec<f64>| {
        let (left, right) = rows.extent(axes);
        right - left
    };
    let most = all.iter().map(width).fold(f64::INFINITY, f64::min) * DRIFTS;
    let narrow = all.into_iter().filter(|axes| width(axes) <= most);
    let best = narrow.min_by(|one, other| rows.bends(one).total_cmp(&rows.bends(other)));
    let mut axes = best.unwrap_or_default();
    let (left, _) = rows.extent(&axes);
    axes.iter_mut().for_each(|axis| *axis -= left);
    axes
}

/// One of the four alignments.
#[derive(Clone, Copy)]
struct Side {
    /// With the rank above, else with the one below.
    up: bool,
    /// From the right.
    mirrored: bool,
}

/// The ranks, with the edges that may be vertical.
struct Rows<'a> {
    layers: &'a Layers,
    /// The position of each spot in its rank, from the left.
    positions: Per<usize>,
    /// For each spot those above it that it may be aligned with, from left to right.
    above: Per<Vec<usize>>,
    /// For each spot those below it.
    below: Per<Vec<usize>>,
    /// Whether each spot is a node, or the only edge that leaves a node.
    solid: Per<bool>,
    /// What all edges connect each spot with, above and below.
    above_is: Per<Ends>,
    below_is: Per<Ends>,
}

/// Which spots are at the other ends of edges.
#[derive(Clone, Copy, Default)]
struct Ends {
    /// Nodes, or only edges of nodes.
    solid: bool,
    passing: bool,
}

impl<'a> Rows<'a> {
    fn new(layers: &'a Layers) -> Self {
        let count = layers.spots.len();
        let mut positions = Per::<usize>::new(count);
        for layer in &layers.layers {
            layer.iter().enumerate().for_each(|(place, spot)| positions.put(*spot, place));
        }
        let solid: Vec<bool> = layers.spots.iter().map(|spot| spot.is_node).collect();
        let mut solid = Per::from(solid);
        for (root, trunk) in &layers.trunks {
            if layers.spot(root.upper).down.len() == 1 && trunk.edges.len() == 1 {
                trunk.spots.iter().for_each(|spot| solid.put(*spot, true));
            }
        }
        let ends = |spots: &[usize]| {
            spots.iter().fold(Ends::default(), |ends, spot| Ends {
                solid: ends.solid || solid.at(*spot),
                passing: ends.passing || !layers.spot(*spot).is_node,
            })
        };
        let above_is: Vec<Ends> = layers.spots.iter().map(|spot| ends(&spot.up)).collect();
        let below_is: Vec<Ends> = layers.spots.iter().map(|spot| ends(&spot.down)).collect();
        let (above_is, below_is) = (above_is.into(), below_is.into());
        let (above, below) = (Per::new(count), Per::new(count));
        let mut rows = Rows { layers, positions, above, below, solid, above_is, below_is };
        for (upper, lower) in layers.layers.iter().zip(layers.layers.iter().skip(1)) {
            rows.connect(upper, lower);
        }
        rows
    }

    /// Finds the edges between two ranks that may be vertical: passing edges first, then those from node to node, then
    /// the ends of passing edges that skip nodes. No edge of a node crosses a passing one.
    fn connect(&mut self, upper: &[usize], lower: &[usize]) {
        let layers = self.layers;
        let passing_above = |spot: usize| match layers.spot(spot) {
            Spot { is_node: false, up, .. } => {
                up.first().copied().filter(|above| !layers.spot(*above).is_node)
            }
            _ => None,
        };
        // The passing edges on the left and right of each position.
        let (mut start, mut left) = (0, 0);
        while start < lower.len() {
            let rest = lower.iter().skip(start);
            let found = rest.enumerate().find_map(|(at, spot)| Some((at, passing_above(*spot)?)));
            let (end, right) = match found {
                Some((at, above)) => (start + at + 1, self.positions.at(above)),
                None => (lower.len(), upper.len()),
            };
            for &spot in lower.iter().take(end).skip(start) {
                let inner = passing_above(spot);
                let mut above = layers.spot(spot).up.clone();
                above.sort_unstable_by_key(|above| self.positions.at(*above));
                above.dedup();
                for above in above {
                    let (from, to) = (layers.spot(above), layers.spot(spot));
                    let may_align = match (from.is_node, to.is_node) {
                        (false, false) => inner == Some(above),
                        (true, true) => true,
                        (true, false) => self.solid.at(spot) || !self.below_is.at(above).solid,
                        (false, true) => {
                            !self.below_is.at(above).passing
                                && (self.solid.at(above) || !self.above_is.at(spot).solid)
                        }
                    };
                    let crosses = !(left..=right).contains(&self.positions.at(above));
                    if may_align && (!crosses || inner == Some(above)) {
                        self.above.push(spot, above);
                        self.below.push(above, spot);
                    }
                }
            }
            (start, left) = (end, right);
        }
    }

    /// For each spot the first one of its block.
    fn blocks(&self, Side { up, mirrored }: Side) -> Vec<usize> {
        let count = self.layers.spots.len();
        let mut roots: Per<usize> = (0..count).collect::<Vec<_>>().into();
        let candidates = if up { &self.above } else { &self.below };
        let rows = self.layers.layers.iter();
        let rows: Vec<&Vec<usize>> = if up { rows.collect() } else { rows.rev().collect() };
        for row in rows {
            // Vertical edges do not cross each other, so each is beyond the previous one.
            let mut last: Option<usize> = None;
            let mut align = |spot: usize| {
                let others = candidates.list(spot);
                let Some(most) = others.len().checked_sub(1) else { return };
                let (low, high) = (most / 2, most.div_ceil(2));
                for at in if mirrored { [high, low] } else { [low, high] } {
                    let Some(&other) = others.get(at) else { continue };
                    let position = self.positions.at(other);
                    let is_beyond = last.is_none_or(|last| match mirrored {
                        false => position > last,
                        true => position < last,
                    });
                    if is_beyond {
                        roots.put(spot, roots.at(other));
                        last = Some(position);
                        return;
                    }
                }
            };
            match mirrored {
                false => row.iter().for_each(|spot| align(*spot)),
                true => row.iter().rev().for_each(|spot| align(*spot)),
            }
        }
        (0..count).map(|spot| roots.at(spot)).collect()
    }

    /// The axes if blocks are as far left as possible, or mirrored. Blocks then move towards their neighbours on the
    /// other side, so that no space remains between them.
    fn compact(&self, blocks: &[usize], Side { mirrored, .. }: Side) -> Vec<f64> {
        let block_of = |spot: usize| blocks.get(spot).copied().unwrap_or_default();
        let mut after = Per::<Vec<(usize, f64)>>::new(blocks.len());
        let mut waiting = Per::<usize>::new(blocks.len());
        for row in &self.layers.layers {
            for (one, other) in row.iter().zip(row.iter().skip(1)) {
                let distance = self.distance(*one, *other);
                let (one, other) = match mirrored {
                    false => (block_of(*one), block_of(*other)),
                    true => (block_of(*other), block_of(*one)),
                };
                after.push(one, (other, distance));
                waiting.change(other, |waiting| *waiting += 1);
            }
        }
        let mut order: Vec<usize> = (0..blocks.len())
            .filter(|block| block_of(*block) == *block && waiting.at(*block) == 0)
            .collect();
        let mut axes = Per::<f64>::new(blocks.len());
        let mut done = 0;
        while let Some(&block) = order.get(done) {
            done += 1;
            let axis = axes.at(block);
            for &(other, distance) in after.list(block) {
                axes.change(other, |other| *other = other.max(axis + distance));
                waiting.change(other, |waiting| *waiting -= 1);
                if waiting.at(other) == 0 {
                    order.push(other);
                }
            }
        }
        for &block in order.iter().rev() {
            let limits =
                after.list(block).iter().map(|(other, distance)| axes.at(*other) - distance);
            if let Some(limit) = limits.min_by(f64::total_cmp) {
                axes.put(block, limit);
            }
        }
        let sign = if mirrored { -1.0 } else { 1.0 };
        (0..blocks.len()).map(|spot| sign * axes.at(block_of(spot))).collect()
    }

    /// The minimum distance of the axes of two adjacent spots.
    fn distance(&self, one: usize, other: usize) -> f64 {
        let (left, right) = (self.layers.spot(one), self.layers.spot(other));
        let gap = if left.is_node && right.is_node { GAP } else { PASSING_GAP };
        left.right + gap + right.left
    }

    /// How far edges lead to the side, in sum.
    fn bends(&self, axes: &[f64]) -> f64 {
        let axis = |spot: usize| axes.get(spot).copied().unwrap_or_default();
        let spots = self.layers.spots.iter().enumerate();
        let edges =
            spots.flat_map(|(upper, spot)| spot.down.iter().map(move |lower| (upper, *lower)));
        edges.map(|(upper, lower)| (axis(upper) - axis(lower)).abs()).sum()
    }

    fn extent(&self, axes: &[f64]) -> (f64, f64) {
        let spots = self.layers.spots.iter().zip(axes);
        spots.fold((f64::INFINITY, f64::NEG_INFINITY), |(left, right), (spot, axis)| {
            (left.min(axis - spot.left), right.max(axis + spot.right))
        })
    }
}
