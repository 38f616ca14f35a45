//! Finds parts of a graph that follow each other and are equal except for names and the values of weights, such as
//! residual blocks, and draws one of them with their number. Equal parts have the same operators, attributes, settings in
//! constants, sizes of weights and shapes of outputs, and connect the same outputs with the same inputs.
//!
//! In an order in which each box follows its inputs, a cut is a place where the output of the box before it is used
//! later. Two cuts enclose a part with one input and one output if all other outputs that are used beyond them are the
//! same. Of the runs of equal parts, those that save the most boxes are replaced.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::ops::Range;

use super::order::Order;
use super::picture::{Card, Picture, Repeat, Role, Wire};

/// Maximum number of cuts in one of the equal parts.
const MOST_CUTS: usize = 100;
/// The minimum number of boxes that a run saves.
const LEAST_SAVED: usize = 2;
/// The base of hashes of sequences.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

/// Draws runs of equal parts once. Returns for each box its new index, which is that of its equal. A graph with a
/// cycle is left as it is.
pub fn fold(picture: &mut Picture) -> Vec<usize> {
    let count = picture.cards.len();
    let mut equal: Vec<usize> = (0..count).collect();
    let mut repeats = Vec::new();
    if let Some(order) = Order::of(picture) {
        for run in Search::new(picture, &order).runs() {
            let [first, others] = [&run.first, &run.others].map(|range| order.cards(range));
            for (card, own) in others.iter().zip(first.iter().cycle()) {
                if let Some(equal) = equal.get_mut(*card) {
                    *equal = *own;
                }
            }
            repeats.push(Repeat { cards: first.to_vec(), count: run.count });
        }
    }
    let mut places = Vec::with_capacity(count);
    let mut left = 0;
    for (card, equal) in equal.iter().enumerate() {
        places.push(left);
        left += usize::from(card == *equal);
    }
    let place = |card: usize| places.get(card).copied().unwrap_or_default();
    let is_drawn = |card: usize| equal.get(card) == Some(&card);
    let new = |card: usize| place(equal.get(card).copied().unwrap_or(card));
    picture.wires.retain(|wire| is_drawn(wire.to));
    for wire in &mut picture.wires {
        *wire = Wire { from: new(wire.from), to: new(wire.to), ..*wire };
    }
    let mut at = 0..count;
    picture.cards.retain(|_| at.next().is_some_and(is_drawn));
    for repeat in &mut repeats {
        repeat.cards.iter_mut().for_each(|card| *card = place(*card));
    }
    if left < count {
        picture.summary += &format!("; {} more boxes in repeated parts", count - left);
    }
    picture.repeats = repeats;
    (0..count).map(new).collect()
}

/// Equal parts, as ranges of positions in the order.
struct Run {
    first: Range<usize>,
    others: Range<usize>,
    count: usize,
}

/// A run of equal parts between cuts of one kind, which may begin at any of some cuts.
struct Candidate {
    /// The index of the list of cuts.
    cuts: usize,
    /// The first cut, and the number of following ones at which the run can begin as well.
    start: usize,
    also: usize,
    /// The number of cuts in each part, and of parts.
    period: usize,
    count: usize,
    /// The number of boxes that it saves.
    saved: usize,
}

struct Search<'p> {
    picture: &'p Picture,
    order: &'p Order,
    /// The positions before the cuts, for each set of other outputs that are used beyond them.
    cuts: Vec<Vec<usize>>,
    /// The hash of the contents of all boxes before each position.
    before: Vec<u64>,
    /// The powers of the base.
    powers: Vec<u64>,
}

impl<'p> Search<'p> {
    fn new(picture: &'p Picture, order: &'p Order) -> Self {
        let (mut before, mut powers) = (vec![0u64], vec![1u64]);
        let (mut hash, mut power) = (0u64, 1u64);
        for card in order.cards(&(0..picture.cards.len())) {
            let own = picture.cards.get(*card).map_or(0, |it| content(it, *card));
            hash = hash.wrapping_mul(BASE).wrapping_add(own);
            power = power.wrapping_mul(BASE);
            before.push(hash);
            powers.push(power);
        }
        Search { picture, order, cuts: order.cuts(), before, powers }
    }

    /// The runs to replace, none of which has a box in common with another one.
    fn runs(&self) -> Vec<Run> {
        let mut candidates: Vec<Candidate> = Vec::new();
        for (cuts, positions) in self.cuts.iter().enumerate() {
            self.collect(cuts, positions, &mut candidates);
        }
        candidates.sort_by_key(|it| (Reverse(it.saved), it.period, it.cuts, it.start));
        let mut is_used = vec![false; self.picture.cards.len()];
        let mut runs = Vec::new();
        for candidate in candidates {
            let Some(run) = self.run(&candidate) else { continue };
            let Some(used) = is_used.get_mut(run.first.start..run.others.end) else { continue };
            if !used.contains(&true) {
                used.fill(true);
                runs.push(run);
            }
        }
        runs
    }

    /// Adds the longest runs with each number of cuts in a part.
    fn collect(&self, cuts: usize, positions: &[usize], candidates: &mut Vec<Candidate>) {
        let parts = self.parts(positions);
        let at = |cut: usize| positions.get(cut).copied().unwrap_or_default();
        for period in 1..=MOST_CUTS.min(parts.len() / 2) {
            let mut same = 0;
            let pairs =
                parts.iter().zip(parts.iter().skip(period)).map(|(one, other)| one == other);
            for (end, is_same) in pairs.chain([false]).enumerate() {
                if is_same {
                    same += 1;
                    continue;
                }
                let (start, count) = (end - same, same / period + 1);
                let saved = (at(start + period) - at(start)) * (count - 1);
                if saved >= LEAST_SAVED {
                    let also = same % period;
                    candidates.push(Candidate { cuts, start, also, period, count, saved });
                }
                same = 0;
            }
        }
    }

    /// A number for each part between two cuts; equal parts have equal numbers.
    fn parts(&self, positions: &[usize]) -> Vec<(usize, u64)> {
        let ranges =
            || positions.iter().zip(positions.iter().skip(1)).map(|(from, to)| from + 1..to + 1);
        let mut counts = HashMap::<u64, usize>::new();
        for range in ranges() {
            *counts.entry(self.contents(&range)).or_default() += 1;
        }
        let number = |(at, range): (usize, Range<usize>)| {
            let contents = self.contents(&range);
            match counts.get(&contents) {
                // Only parts that may have an equal are read.
                Some(2..) => (usize::MAX, contents ^ self.connections(&range)),
                _ => (at, contents),
            }
        };
        ranges().enumerate().map(number).collect()
    }

    /// The hash of the contents of the boxes at these positions.
    fn contents(&self, range: &Range<usize>) -> u64 {
        let at = |list: &[u64], at: usize| list.get(at).copied().unwrap_or_default();
        let shifted = at(&self.before, range.start).wrapping_mul(at(&self.powers, range.len()));
        at(&self.before, range.end).wrapping_sub(shifted)
    }

    /// The hash of the inputs of the boxes at these positions: how far before the box they are, or which box outside.
    fn connections(&self, range: &Range<usize>) -> u64 {
        let mut hash = DefaultHasher::new();
        for (position, card) in range.clone().zip(self.order.cards(range)) {
            for Wire { from: source, output, input, .. } in self.order.inputs(*card) {
                let from = self.order.position(*source);
                match from + 1 >= range.start {
                    true => (true, position - from, output, input).hash(&mut hash),
                    false => (false, *source, output, input).hash(&mut hash),
                }
            }
            hash.write_u8(0);
        }
        hash.finish()
    }

    /// Of the possible beginnings, the one whose first part has names with the longest common prefix.
    fn run(&self, candidate: &Candidate) -> Option<Run> {
        let Candidate { start, also, period, count, .. } = *candidate;
        let cuts = self.cuts.get(candidate.cuts)?;
        let runs = (start..=start + also).filter_map(|start| {
            let [from, to] = [start, start + period].map(|cut| cuts.get(cut).map(|at| at + 1));
            let (first, end) = (from?..to?, cuts.get(start + period * count)? + 1);
            Some(Run { others: first.end..end, first, count })
        });
        let mut run = runs.min_by_key(|run| Reverse(self.common_prefix(&run.first)))?;
        // The last part can be the last user of outputs that the others use, too, so that no cut of this kind follows.
        loop {
            let next = run.others.end..run.others.end + run.first.len();
            let is_equal = self.contents(&next) == self.contents(&run.first)
                && self.connections(&next) == self.connections(&run.first)
                && self.has_one_output(&next);
            if next.end > self.picture.cards.len() || !is_equal {
                return Some(run);
            }
            run.others.end = next.end;
            run.count += 1;
        }
    }

    /// Whether only the last of the boxes at these positions is used beyond them.
    fn has_one_output(&self, range: &Range<usize>) -> bool {
        let inner = self.order.cards(range).split_last().map(|(_, inner)| inner);
        let mut users = inner.into_iter().flatten().flat_map(|card| self.order.users(*card));
        users.all(|user| self.order.position(*user) < range.end)
    }

    fn common_prefix(&self, range: &Range<usize>) -> usize {
        let names = self.order.cards(range).iter().filter_map(|card| self.picture.cards.get(*card));
        let mut names = names.map(|card| card.called.as_bytes());
        let first = names.next().unwrap_or_default();
        let common = |one: &[u8]| first.iter().zip(one).take_while(|(one, two)| one == two).count();
        names.map(common).fold(first.len(), usize::min)
    }
}

/// The hash of what equal boxes have in common. Inputs and outputs of the graph and constants have no equal.
fn content(card: &Card, at: usize) -> u64 {
    let mut hash = DefaultHasher::new();
    match card.role {
        Role::Operator | Role::Group => (card.identity, &card.output).hash(&mut hash),
        Role::Input | Role::Output | Role::Constant => at.hash(&mut hash),
    }
    hash.finish()
}
