//! Draws activations, normalisations and biases in one box with the operator before them.

use super::family::Family;
use super::picture::{Card, Line, Picture, Role, Wire};

/// Maximum number of operators in one box.
const MOST_STACKED: usize = 4;
/// Operators that add a constant to the output of another operator, or multiply it by one.
const BIASES: &[&str] = &["Add", "add_bias", "batch_scale"];

/// Stacks each activation, normalisation or bias below the box before it, if nothing else uses that box and the operator
/// has no other inputs but constants.
pub fn stack(picture: &mut Picture) {
    let count = picture.cards.len();
    // The other end of the wires of each box, and their number. A wire from a later output counts twice, so that a row
    // follows the first output of the one above it.
    let (mut sources, mut users) = (vec![(0, 0); count], vec![(0, 0); count]);
    for wire in &picture.wires {
        let ends = [sources.get_mut(wire.to), users.get_mut(wire.from)];
        for (end, other) in ends.into_iter().flatten().zip([wire.from, wire.to]) {
            *end = (other, end.1 + 1 + usize::from(wire.output > 0));
        }
    }
    let mut repeat_of = vec![None; count];
    for (number, repeat) in picture.repeats.iter().enumerate() {
        for card in &repeat.cards {
            if let Some(own) = repeat_of.get_mut(*card) {
                *own = Some(number);
            }
        }
    }
    let follower = |upper: usize| {
        let &(lower, 1) = users.get(upper)? else { return None };
        let [one, other] = [upper, lower].map(|card| picture.cards.get(card));
        let fits = sources.get(lower) == Some(&(upper, 1))
            && repeat_of.get(upper) == repeat_of.get(lower)
            && may_follow(one?, other?);
        fits.then_some(lower)
    };
    let next: Vec<Option<usize>> = (0..count).map(follower).collect();
    let mut is_follower = vec![false; count];
    next.iter().flatten().for_each(|lower| {
        if let Some(is) = is_follower.get_mut(*lower) {
            *is = true;
        }
    });
    // The box that each box is drawn in.
    let mut owners: Vec<usize> = (0..count).collect();
    for first in (0..count).filter(|card| is_follower.get(*card) == Some(&false)) {
        let (mut owner, mut size, mut last) = (first, 1, first);
        while let Some(lower) = next.get(last).copied().flatten() {
            (owner, size) = if size < MOST_STACKED { (owner, size + 1) } else { (lower, 1) };
            if let Some(own) = owners.get_mut(lower) {
                *own = owner;
            }
            last = lower;
        }
    }
    merge(picture, &owners, &next);
}

fn may_follow(upper: &Card, lower: &Card) -> bool {
    let is_operator = |card: &Card| card.role == Role::Operator;
    let fits = match lower.family {
        Family::Activation | Family::Normalisation => true,
        _ => BIASES.contains(&&*lower.head.text) && !lower.weights.is_empty(),
    };
    is_operator(upper) && is_operator(lower) && fits && upper.family != Family::Activation
}

/// Moves each box into its owner, below the ones before it.
fn merge(picture: &mut Picture, owners: &[usize], next: &[Option<usize>]) {
    let is_owner = |card: usize| owners.get(card) == Some(&card);
    let mut cards: Vec<Option<Card>> = picture.cards.drain(..).map(Some).collect();
    let mut places = Vec::with_capacity(owners.len());
    for first in 0..owners.len() {
        places.push(picture.cards.len());
        let Some(mut card) =
            cards.get_mut(first).filter(|_| is_owner(first)).and_then(Option::take)
        else {
            continue;
        };
        let mut last = first;
        while let Some(lower) = next.get(last).copied().flatten().filter(|it| !is_owner(*it)) {
            let stacked = cards.get_mut(lower).and_then(Option::take);
            card.stacked.extend(stacked.map(|lower| Card { name: Line::default(), ..lower }));
            last = lower;
        }
        picture.cards.push(card);
    }
    let place = |card: usize| owners.get(card).and_then(|owner| places.get(*owner)).copied();
    let owner = |card: usize| owners.get(card).copied();
    picture.wires.retain(|wire| wire.from == wire.to || owner(wire.from) != owner(wire.to));
    for wire in &mut picture.wires {
        let [from, to] = [wire.from, wire.to].map(|card| place(card).unwrap_or_default());
        *wire = Wire { from, to, ..*wire };
    }
    for repeat in &mut picture.repeats {
        repeat.cards.retain(|card| is_owner(*card));
        repeat.cards.iter_mut().for_each(|card| *card = place(*card).unwrap_or_default());
    }
}
