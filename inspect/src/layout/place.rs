//! Horizontal positions of spots. Spots that should be vertically aligned form a column; columns then move towards
//! their neighbours, as far as the adjacent columns allow.

use std::collections::BTreeMap;

use super::Per;
use super::layers::{Layers, Spot};

/// The distance between two adjacent boxes.
const GAP: f64 = 26.0;
/// The distance between a box and a passing edge, or two passing edges.
const PASSING_GAP: f64 = 10.0;
/// Columns at this distance touch each other.
const TOUCHING: f64 = 1e-6;

/// The axis of each spot; the leftmost ones are as far left as 0 allows.
pub(super) fn places(layers: &Layers) -> Vec<f64> {
    let columns = Columns::new(layers);
    let places = columns.compute_places();
    (0..layers.spots.len()).map(|spot| places.at(columns.of.at(spot))).collect()
}

/// An edge between consecutive ranks that may be vertical.
struct Candidate {
    /// The priority: lower values first.
    class: u8,
    rank: usize,
    upper: usize,
    lower: usize,
}

/// Columns, their minimum distances, and the forces between them.
struct Columns {
    /// The column of each spot.
    of: Per<usize>,
    count: usize,
    /// For each column the columns to its right, with the minimum distance of the axes.
    right: Per<Vec<(usize, f64)>>,
    /// For each column the columns to its left.
    left: Per<Vec<(usize, f64)>>,
    /// For each column the connected columns, with weights.
    pulls: Per<Vec<(usize, f64)>>,
    /// The columns in topological order: each after all columns to its left.
    order: Vec<usize>,
    /// The space left of a column's axis.
    margin: Per<f64>,
}

impl Columns {
    fn new(layers: &Layers) -> Self {
        let below = aligned(layers);
        let mut of = Per::<usize>::new(layers.spots.len());
        let mut heads = Per::<bool>::from(vec![true; layers.spots.len()]);
        for lower in below.values() {
            heads.put(*lower, false);
        }
        let mut count = 0;
        for head in (0..layers.spots.len()).filter(|spot| heads.at(*spot)) {
            let mut spot = Some(head);
            while let Some(member) = spot {
                of.put(member, count);
                spot = below.get(&member).copied();
            }
            count += 1;
        }
        let mut columns = Columns {
            of,
            count,
            right: Per::new(count),
            left: Per::new(count),
            pulls: Per::new(count),
            order: Vec::new(),
            margin: Per::new(count),
        };
        columns.keep_apart(layers);
        columns.pull(layers);
        columns.sort();
        columns
    }

    fn keep_apart(&mut self, layers: &Layers) {
        for layer in &layers.layers {
            for (one, other) in layer.iter().zip(layer.iter().skip(1)) {
                let (left, right) = (layers.spot(*one), layers.spot(*other));
                let gap = if left.is_node && right.is_node { GAP } else { PASSING_GAP };
                let distance = left.right + gap + right.left;
                let (one, other) = (self.of.at(*one), self.of.at(*other));
                self.right.push(one, (other, distance));
                self.left.push(other, (one, distance));
            }
        }
        for (spot, Spot { left, .. }) in layers.spots.iter().enumerate() {
            self.margin.change(self.of.at(spot), |margin| *margin = margin.max(*left));
        }
    }

    fn pull(&mut self, layers: &Layers) {
        for (upper, spot) in layers.spots.iter().enumerate() {
            for lower in &spot.down {
                let (one, other) = (self.of.at(upper), self.of.at(*lower));
                if one != other {
                    let weight = match (spot.is_node, layers.spot(*lower).is_node) {
                        (true, true) => 3.0,
                        _ => 1.0,
                    };
                    self.pulls.push(one, (other, weight));
                    self.pulls.push(other, (one, weight));
                }
            }
        }
    }

    /// Columns are disjoint and go from top to bottom, so the left-right order has no cycles.
    fn sort(&mut self) {
        let mut waiting = Per::<usize>::new(self.count);
        (0..self.count).for_each(|column| waiting.put(column, self.left.list(column).len()));
        self.order = (0..self.count).filter(|column| waiting.at(*column) == 0).collect();
        let mut done = 0;
        while let Some(&column) = self.order.get(done) {
            done += 1;
            for (other, _) in self.right.list(column) {
                waiting.change(*other, |waiting| *waiting -= 1);
                if waiting.at(*other) == 0 {
                    self.order.push(*other);
                }
            }
        }
    }

    fn compute_places(&self) -> Per<f64> {
        let mut places = Per::<f64>::new(self.count);
        for &column in &self.order {
            places.put(column, self.leftmost(column, &places).max(self.margin.at(column)));
        }
        let work = self.count.max(1);
        for _ in 0..(400_000 / work).clamp(6, 40) {
            for &column in self.order.iter().rev() {
                self.relax(column, &mut places);
            }
            self.move_together(&mut places);
            for &column in &self.order {
                self.relax(column, &mut places);
            }
            self.move_together(&mut places);
        }
        let edge = |column: usize| places.at(column) - self.margin.at(column);
        let left = (0..self.count).map(edge).fold(f64::INFINITY, f64::min);
        (0..self.count).map(|column| places.at(column) - left).collect::<Vec<_>>().into()
    }

    fn leftmost(&self, column: usize, places: &Per<f64>) -> f64 {
        let limits = self.left.list(column).iter();
        limits.map(|(other, apart)| places.at(*other) + apart).fold(f64::NEG_INFINITY, f64::max)
    }

    fn rightmost(&self, column: usize, places: &Per<f64>) -> f64 {
        let limits = self.right.list(column).iter();
        limits.map(|(other, apart)| places.at(*other) - apart).fold(f64::INFINITY, f64::min)
    }

    /// The sum of the forces on a column, and their weight.
    fn force(&self, column: usize, places: &Per<f64>) -> (f64, f64) {
        let own = places.at(column);
        self.pulls.list(column).iter().fold((0.0, 0.0), |(force, all), (other, weight)| {
            (force + (places.at(*other) - own) * weight, all + weight)
        })
    }

    /// Moves a column towards its neighbours, as far as there is space.
    fn relax(&self, column: usize, places: &mut Per<f64>) {
        let (force, weight) = self.force(column, places);
        if weight > 0.0 {
            let wanted = places.at(column) + force / weight;
            let (low, high) = (self.leftmost(column, places), self.rightmost(column, places));
            places.put(column, wanted.min(high).max(low));
        }
    }

    /// Moves columns that touch each other together, since none of them can move alone.
    fn move_together(&self, places: &mut Per<f64>) {
        let touching = |one: usize, (other, apart): (usize, f64), places: &Per<f64>| {
            (places.at(other) - places.at(one) - apart).abs() < TOUCHING
        };
        let mut seen = Per::<bool>::new(self.count);
        for &first in &self.order {
            if seen.at(first) {
                continue;
            }
            seen.put(first, true);
            let mut group = vec![first];
            let mut done = 0;
            while let Some(&column) = group.get(done) {
                done += 1;
                let right = self.right.list(column).iter();
                let right =
                    right.filter(|(other, apart)| touching(column, (*other, *apart), places));
                let left = self.left.list(column).iter();
                let left = left.filter(|(other, apart)| touching(*other, (column, *apart), places));
                for (other, _) in right.chain(left) {
                    if !seen.at(*other) {
                        seen.put(*other, true);
                        group.push(*other);
                    }
                }
            }
            if group.len() > 1 {
                self.shift(&group, places);
            }
        }
    }

    fn shift(&self, group: &[usize], places: &mut Per<f64>) {
        let (mut force, mut weight) = (0.0, 0.0);
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        let mut members = group.to_vec();
        members.sort_unstable();
        for &column in group {
            let (own, count) = self.force(column, places);
            force += own;
            weight += count;
            let free = |other: usize| members.binary_search(&other).is_err();
            for (other, apart) in self.left.list(column) {
                if free(*other) {
                    low = low.max(places.at(*other) + apart - places.at(column));
                }
            }
            for (other, apart) in self.right.list(column) {
                if free(*other) {
                    high = high.min(places.at(*other) - apart - places.at(column));
                }
            }
        }
        if weight > 0.0 {
            let by = (force / weight).min(high).max(low);
            group.iter().for_each(|column| places.change(*column, |place| *place += by));
        }
    }
}

/// For each spot, the spot that is aligned below it, if there is one.
fn aligned(layers: &Layers) -> BTreeMap<usize, usize> {
    let classes = Classes::new(layers);
    let mut candidates = Vec::new();
    for (upper, spot) in layers.spots.iter().enumerate() {
        for &lower in &spot.down {
            if let Some(class) = classes.of(upper, lower) {
                candidates.push(Candidate { class, rank: spot.rank, upper, lower });
            }
        }
    }
    candidates.sort_by_key(|candidate| (candidate.class, candidate.rank));
    let mut below = BTreeMap::new();
    let mut taken = Per::<bool>::new(layers.spots.len());
    // The vertical edges below each rank by the positions of their ends: none may cross another.
    let mut vertical = vec![BTreeMap::<usize, usize>::new(); layers.layers.len()];
    for Candidate { rank, upper, lower, .. } in candidates {
        let Some(vertical) = vertical.get_mut(rank) else { continue };
        let (start, end) = (classes.places.at(upper), classes.places.at(lower));
        let left = vertical.range(..start).next_back().is_none_or(|(_, other)| *other < end);
        let right = vertical.range(start + 1..).next().is_none_or(|(_, other)| *other > end);
        if left && right && !taken.at(lower) && !below.contains_key(&upper) {
            vertical.insert(start, end);
            taken.put(lower, true);
            below.insert(upper, lower);
        }
    }
    below
}

/// Which edges between consecutive ranks may be vertical, and their priority.
struct Classes<'a> {
    layers: &'a Layers,
    places: Per<usize>,
    /// The positions of the connected nodes above each spot, from left to right.
    above: Per<Vec<usize>>,
    /// The positions of those below.
    below: Per<Vec<usize>>,
}

impl<'a> Classes<'a> {
    fn new(layers: &'a Layers) -> Self {
        let count = layers.spots.len();
        let mut places = Per::<usize>::new(count);
        for layer in &layers.layers {
            layer.iter().enumerate().for_each(|(place, spot)| places.put(*spot, place));
        }
        let nodes = |spots: &[usize]| {
            let nodes = spots.iter().filter(|spot| layers.spot(**spot).is_node);
            let mut found: Vec<usize> = nodes.map(|spot| places.at(*spot)).collect();
            found.sort_unstable();
            found
        };
        let above: Vec<_> = layers.spots.iter().map(|spot| nodes(&spot.up)).collect();
        let below: Vec<_> = layers.spots.iter().map(|spot| nodes(&spot.down)).collect();
        Classes { layers, places, above: above.into(), below: below.into() }
    }

    /// First edges between passing spots, then those from node to node, then the ends of passing edges without
    /// branches.
    fn of(&self, upper: usize, lower: usize) -> Option<u8> {
        let (above, below) = (self.layers.spot(upper), self.layers.spot(lower));
        match (above.is_node, below.is_node) {
            (false, false) => Some(0),
            (true, true) => {
                let middle = is_middle(self.below.list(upper), self.places.at(lower))
                    && is_middle(self.above.list(lower), self.places.at(upper));
                middle.then_some(1)
            }
            _ => (above.down.len() == 1 && below.up.len() == 1).then_some(2),
        }
    }
}

/// Whether a position has as many others to its left as to its right.
fn is_middle(sorted: &[usize], place: usize) -> bool {
    let left = sorted.partition_point(|other| *other < place);
    let right = sorted.len() - sorted.partition_point(|other| *other <= place);
    left == right
}
