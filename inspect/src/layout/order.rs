//! Orders the spots of each rank: by medians of their neighbours, and by swapping adjacent spots, as long as that
//! reduces crossings.

use super::layers::Layers;
use super::{Per, length};

/// Number of passes over the ranks. Large drawings get fewer.
fn sweeps(spots: usize) -> usize {
    (200_000 / spots.max(1)).clamp(4, 24)
}

/// Maximum number of spots for which adjacent spots are also swapped.
const SWAPPED: usize = 10_000;

/// Orders the spots of each rank so that few edges cross.
pub(super) fn reduce_crossings(layers: &mut Layers) {
    let mut places = Per::<usize>::new(layers.spots.len());
    for rank in 0..layers.layers.len() {
        number(layers, rank, &mut places);
    }
    let mut best = layers.layers.clone();
    let mut fewest = crossings(layers, &places);
    let swapping = layers.spots.len() <= SWAPPED;
    for sweep in 0..sweeps(layers.spots.len()) {
        if fewest == 0 {
            break;
        }
        let ranks = 0..layers.layers.len();
        match sweep % 2 {
            0 => ranks.for_each(|rank| sort(layers, rank, Side::Up, &mut places)),
            _ => ranks.rev().for_each(|rank| sort(layers, rank, Side::Down, &mut places)),
        }
        if swapping {
            swap_neighbours(layers, &mut places);
        }
        let now = crossings(layers, &places);
        if now < fewest {
            fewest = now;
            best.clone_from(&layers.layers);
        }
    }
    layers.layers = best;
}

#[derive(Clone, Copy)]
enum Side {
    Up,
    Down,
}

fn number(layers: &Layers, rank: usize, places: &mut Per<usize>) {
    for (place, spot) in layers.layers.get(rank).into_iter().flatten().enumerate() {
        places.put(*spot, place);
    }
}

/// The positions of a spot's neighbours, from left to right.
fn neighbours(layers: &Layers, spot: usize, side: Side, places: &Per<usize>) -> Vec<usize> {
    let spot = layers.spot(spot);
    let neighbours = match side {
        Side::Up => &spot.up,
        Side::Down => &spot.down,
    };
    let mut found: Vec<usize> = neighbours.iter().map(|spot| places.at(*spot)).collect();
    found.sort_unstable();
    found
}

/// The median of the neighbours' positions; between two of them, nearer to the denser side.
fn median(places: &[usize]) -> Option<f64> {
    let at = |index: usize| length(places.get(index).copied().unwrap_or_default());
    let middle = places.len() / 2;
    match places.len() {
        0 => None,
        odd if odd % 2 == 1 => Some(at(middle)),
        2 => Some((at(0) + at(1)) / 2.0),
        even => {
            let left = at(middle - 1) - at(0);
            let right = at(even - 1) - at(middle);
            match left + right {
                all if all > 0.0 => Some((at(middle - 1) * right + at(middle) * left) / all),
                _ => Some((at(middle - 1) + at(middle)) / 2.0),
            }
        }
    }
}

/// Sorts a rank by medians. Spots without neighbours on that side stay where they are.
fn sort(layers: &mut Layers, rank: usize, side: Side, places: &mut Per<usize>) {
    let Some(layer) = layers.layers.get(rank) else { return };
    let medians: Vec<Option<f64>> =
        layer.iter().map(|spot| median(&neighbours(layers, *spot, side, places))).collect();
    let mut moving: Vec<(f64, usize)> =
        layer.iter().zip(&medians).filter_map(|(spot, median)| Some(((*median)?, *spot))).collect();
    moving.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut moving = moving.into_iter().map(|(_, spot)| spot);
    let sorted: Vec<usize> = layer
        .iter()
        .zip(&medians)
        .filter_map(|(spot, median)| if median.is_some() { moving.next() } else { Some(*spot) })
        .collect();
    if let Some(layer) = layers.layers.get_mut(rank) {
        *layer = sorted;
    }
    number(layers, rank, places);
}

/// Swaps adjacent spots if that reduces crossings.
fn swap_neighbours(layers: &mut Layers, places: &mut Per<usize>) {
    const ROUNDS: usize = 4;
    for _ in 0..ROUNDS {
        let mut swapped = false;
        for rank in 0..layers.layers.len() {
            let mut layer = std::mem::take(match layers.layers.get_mut(rank) {
                Some(layer) => layer,
                None => continue,
            });
            for right in 1..layer.len() {
                let (Some(&one), Some(&other)) = (layer.get(right - 1), layer.get(right)) else {
                    continue;
                };
                let (mut now, mut then) = (0, 0);
                for side in [Side::Up, Side::Down] {
                    let ones = neighbours(layers, one, side, places);
                    let others = neighbours(layers, other, side, places);
                    now += inversions(&ones, &others);
                    then += inversions(&others, &ones);
                }
                if then < now {
                    layer.swap(right - 1, right);
                    swapped = true;
                }
            }
            if let Some(place) = layers.layers.get_mut(rank) {
                *place = layer;
            }
            number(layers, rank, places);
        }
        if !swapped {
            return;
        }
    }
}

/// The number of pairs of a left value and a smaller right value; both lists are sorted.
fn inversions(left: &[usize], right: &[usize]) -> usize {
    let mut smaller = right.iter().peekable();
    let mut count = 0;
    let mut sum = 0;
    for place in left {
        while smaller.next_if(|other| *other < place).is_some() {
            count += 1;
        }
        sum += count;
    }
    sum
}

/// The number of crossing edges.
fn crossings(layers: &Layers, places: &Per<usize>) -> usize {
    let mut sum = 0usize;
    for (upper, lower) in layers.layers.iter().zip(layers.layers.iter().skip(1)) {
        // The number of edges that arrived at each position so far, as a Fenwick tree.
        let mut arrived = Per::<usize>::new(lower.len() + 1);
        let mut all = 0usize;
        for spot in upper {
            let ends = neighbours(layers, *spot, Side::Down, places);
            for end in &ends {
                let mut before = 0;
                let mut node = end + 1;
                while node > 0 {
                    before += arrived.at(node);
                    node &= node - 1;
                }
                sum = sum.saturating_add(all - before);
            }
            for end in ends {
                all += 1;
                let mut node = end + 1;
                while node <= lower.len() {
                    arrived.change(node, |count| *count += 1);
                    node += node & node.wrapping_neg();
                }
            }
        }
    }
    sum
}
