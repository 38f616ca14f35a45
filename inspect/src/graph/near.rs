//! Selects the part of a picture around some boxes.

use std::collections::BTreeMap;

use super::picture::{Picture, Wire};
use crate::write::plain::plain_bytes;

/// Removes boxes that are more than `steps` connections away from every box of that name; `false` if there is no such
/// box.
pub fn keep_near(picture: &mut Picture, name: &str, steps: usize) -> bool {
    let named = |(at, card): (usize, &super::picture::Card)| (card.called == name).then_some(at);
    let mut found: Vec<usize> = picture.cards.iter().enumerate().filter_map(named).collect();
    if found.is_empty() {
        return false;
    }
    let mut adjacent = BTreeMap::<usize, Vec<usize>>::new();
    for Wire { from, to, .. } in &picture.wires {
        adjacent.entry(*from).or_default().push(*to);
        adjacent.entry(*to).or_default().push(*from);
    }
    let mut kept: BTreeMap<usize, usize> = found.iter().map(|card| (*card, 0)).collect();
    for _ in 0..steps {
        let mut next = Vec::new();
        for card in found {
            for other in adjacent.get(&card).into_iter().flatten() {
                if kept.insert(*other, 0).is_none() {
                    next.push(*other);
                }
            }
        }
        found = next;
    }
    kept.values_mut().enumerate().for_each(|(place, new)| *new = place);
    let mut at = 0;
    picture.cards.retain(|_| {
        at += 1;
        kept.contains_key(&(at - 1))
    });
    let wires = std::mem::take(&mut picture.wires).into_iter();
    let wires = wires.filter_map(|wire| {
        Some(Wire { from: *kept.get(&wire.from)?, to: *kept.get(&wire.to)?, ..wire })
    });
    picture.wires = wires.collect();
    let name = plain_bytes(name.as_bytes());
    picture.summary += &format!("; drawn within {steps} connections of {name}");
    true
}
