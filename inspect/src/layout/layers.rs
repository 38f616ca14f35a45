//! The ranks as rows of spots: nodes, and passing edges.

use std::collections::BTreeMap;

use super::{Downward, Size};

/// The space of a passing edge on each side.
const PASSING: f64 = 6.0;

/// A node in its rank, or an edge that passes the rank.
#[derive(Clone, Debug, Default)]
pub(super) struct Spot {
    pub(super) rank: usize,
    /// Whether it is a node. The spots of the nodes are the first ones, with the same indices.
    pub(super) is_node: bool,
    /// The space left of its axis.
    pub(super) left: f64,
    /// The space right of its axis.
    pub(super) right: f64,
    /// The connected spots in the rank above.
    pub(super) up: Vec<usize>,
    /// The connected spots in the rank below.
    pub(super) down: Vec<usize>,
}

impl Spot {
    /// The spot of a passing edge.
    pub(super) fn passing() -> Self {
        Spot { left: PASSING, right: PASSING, ..Spot::default() }
    }
}

/// The start of edges with a common trunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Root {
    pub(super) upper: usize,
    /// Whether they were reversed.
    pub(super) back: bool,
}

/// The common path of edges from one node.
#[derive(Clone, Debug, Default)]
pub(super) struct Trunk {
    /// The passing spots, one per rank, from the first rank below the node.
    pub(super) spots: Vec<usize>,
    /// The edges, by index, each with the spot where it branches off.
    pub(super) edges: Vec<(usize, usize)>,
}

/// A graph, rank by rank.
#[derive(Clone, Debug, Default)]
pub(super) struct Layers {
    pub(super) spots: Vec<Spot>,
    /// The spots of each rank from left to right.
    pub(super) layers: Vec<Vec<usize>>,
    pub(super) trunks: BTreeMap<Root, Trunk>,
}

impl Layers {
    pub(super) fn new(sizes: &[Size], edges: &[Downward], ranks: &[usize]) -> Self {
        let spot_of = |(size, rank): (&Size, &usize)| Spot {
            rank: *rank,
            is_node: true,
            left: size.half,
            right: size.right,
            ..Spot::default()
        };
        let mut built =
            Layers { spots: sizes.iter().zip(ranks).map(spot_of).collect(), ..Layers::default() };
        for (position, edge) in edges.iter().enumerate() {
            let root = Root { upper: edge.upper, back: edge.back };
            let trunk = built.trunks.entry(root).or_default();
            trunk.edges.push((position, edge.upper));
        }
        let mut trunks = std::mem::take(&mut built.trunks);
        for (Root { upper, .. }, trunk) in &mut trunks {
            let rank_of = |node: usize| ranks.get(node).copied().unwrap_or_default();
            let lower_of = |position: usize| edges.get(position).map_or(0, |edge| edge.lower);
            let start = rank_of(*upper) + 1;
            let lowest = trunk.edges.iter().map(|(position, _)| rank_of(lower_of(*position))).max();
            let mut last = *upper;
            for rank in start..lowest.unwrap_or(start) {
                let spot = built.spots.len();
                built.spots.push(Spot { rank, ..Spot::passing() });
                built.connect(last, spot);
                trunk.spots.push(spot);
                last = spot;
            }
            for (position, parting) in &mut trunk.edges {
                let lower = lower_of(*position);
                let passed = rank_of(lower).saturating_sub(start);
                let spot = passed.checked_sub(1).and_then(|last| trunk.spots.get(last));
                *parting = spot.copied().unwrap_or(*upper);
                built.connect(*parting, lower);
            }
        }
        built.trunks = trunks;
        built.fill();
        built
    }

    fn connect(&mut self, upper: usize, lower: usize) {
        if let Some(spot) = self.spots.get_mut(upper) {
            spot.down.push(lower);
        }
        if let Some(spot) = self.spots.get_mut(lower) {
            spot.up.push(upper);
        }
    }

    /// Puts the spots in their ranks, in depth-first order from the top.
    fn fill(&mut self) {
        let ranks = self.spots.iter().map(|spot| spot.rank + 1).max().unwrap_or(0);
        self.layers = vec![Vec::new(); ranks];
        let mut seen = vec![false; self.spots.len()];
        let tops = (0..self.spots.len()).filter(|spot| self.spot(*spot).up.is_empty());
        let mut waiting: Vec<usize> = tops.collect();
        waiting.reverse();
        while let Some(spot) = waiting.pop() {
            match seen.get_mut(spot) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            let Some(Spot { rank, down, .. }) = self.spots.get(spot) else { continue };
            waiting.extend(down.iter().rev());
            if let Some(layer) = self.layers.get_mut(*rank) {
                layer.push(spot);
            }
        }
    }

    pub(super) fn spot(&self, spot: usize) -> &Spot {
        const NONE: &Spot = &Spot {
            rank: 0,
            is_node: false,
            left: 0.0,
            right: 0.0,
            up: Vec::new(),
            down: Vec::new(),
        };
        self.spots.get(spot).unwrap_or(NONE)
    }
}
