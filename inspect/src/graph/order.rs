//! An order of a picture's boxes in which each follows its inputs, and the places where few connections cross it.

use std::collections::HashMap;
use std::ops::Range;

use super::picture::{Picture, Role, Wire};

/// The positions of boxes that are not in the order yet, and of those whose inputs are being added.
const UNSEEN: usize = usize::MAX;
const OPEN: usize = usize::MAX - 1;
/// A box is used in a large part of the graph if it is used after more than this fraction of all boxes.
const LONG: usize = 4;

pub(super) struct Order {
    cards: Vec<usize>,
    /// The position of each box.
    positions: Vec<usize>,
    /// Whether each box is an output of the graph.
    is_output: Vec<bool>,
    /// The connections to each box.
    inputs: Vec<Vec<Wire>>,
    /// The boxes that use each box.
    users: Vec<Vec<usize>>,
}

impl Order {
    /// An order that depends on connections only, so that it is the same in equal parts: each box follows its inputs
    /// and what they need. Boxes that are used in a large part of the graph come first, and outputs of the graph directly
    /// after the box that they are. `None` if there is a cycle.
    pub(super) fn of(picture: &Picture) -> Option<Self> {
        let count = picture.cards.len();
        let (mut inputs, mut users) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        for wire in &picture.wires {
            inputs.get_mut(wire.to)?.push(*wire);
            users.get_mut(wire.from)?.push(wire.to);
        }
        let is_output = picture.cards.iter().map(|card| card.role == Role::Output).collect();
        let mut order =
            Order { cards: Vec::new(), positions: Vec::new(), is_output, inputs, users };
        order.arrange(&[])?;
        let is_long = |card: &usize| {
            let last = order.users(*card).iter().map(|user| order.position(*user)).max();
            last.is_some_and(|last| last - order.position(*card) > count / LONG)
        };
        let first: Vec<usize> = order.cards.iter().copied().filter(is_long).collect();
        order.arrange(&first)?;
        Some(order)
    }

    /// Orders the boxes by a depth-first search from these ones, and then from those that no box uses.
    fn arrange(&mut self, first: &[usize]) -> Option<()> {
        let count = self.inputs.len();
        self.cards = Vec::with_capacity(count);
        self.positions = vec![UNSEEN; count];
        let ends = (0..count).filter(|card| {
            !self.is_output(*card) && self.users(*card).iter().all(|user| self.is_output(*user))
        });
        let roots: Vec<usize> = first.iter().copied().chain(ends).collect();
        // An explicit stack: chains are longer than a thread's stack.
        let mut open: Vec<(usize, usize)> = Vec::new();
        for root in roots {
            if self.position(root) == UNSEEN {
                *self.positions.get_mut(root)? = OPEN;
                open.push((root, 0));
            }
            while let Some((card, next)) = open.last_mut() {
                let card = *card;
                let source = self.inputs(card).get(*next).map(|wire| wire.from);
                *next += 1;
                let Some(source) = source else {
                    let outputs = self.users(card).iter().filter(|user| self.is_output(**user));
                    let added: Vec<usize> = [card].iter().chain(outputs).copied().collect();
                    for one in added {
                        *self.positions.get_mut(one)? = self.cards.len();
                        self.cards.push(one);
                    }
                    open.pop();
                    continue;
                };
                match self.position(source) {
                    UNSEEN => {
                        *self.positions.get_mut(source)? = OPEN;
                        open.push((source, 0));
                    }
                    OPEN => return None,
                    _ => {}
                }
            }
        }
        // A cycle that nothing outside of it uses.
        (self.cards.len() == count).then_some(())
    }

    fn is_output(&self, card: usize) -> bool {
        self.is_output.get(card) == Some(&true)
    }

    /// The boxes at these positions.
    pub(super) fn cards(&self, range: &Range<usize>) -> &[usize] {
        self.cards.get(range.clone()).unwrap_or_default()
    }

    pub(super) fn position(&self, card: usize) -> usize {
        self.positions.get(card).copied().unwrap_or(UNSEEN)
    }

    /// The connections to a box.
    pub(super) fn inputs(&self, card: usize) -> &[Wire] {
        self.inputs.get(card).map(Vec::as_slice).unwrap_or_default()
    }

    /// The boxes that use it.
    pub(super) fn users(&self, card: usize) -> &[usize] {
        self.users.get(card).map(Vec::as_slice).unwrap_or_default()
    }

    /// The positions whose box is used later, grouped by the set of the other boxes before them that are used later.
    pub(super) fn cuts(&self) -> Vec<Vec<usize>> {
        let count = self.cards.len();
        let mut ending = vec![0u64; count];
        let (mut groups, mut group_of) = (Vec::<Vec<usize>>::new(), HashMap::<u64, usize>::new());
        let mut used_later = 0u64;
        for (position, &card) in self.cards.iter().enumerate() {
            used_later = used_later.wrapping_sub(ending.get(position).copied().unwrap_or_default());
            let last = self.users(card).iter().map(|user| self.position(*user)).max();
            let Some(ending) = last.and_then(|last| ending.get_mut(last)) else { continue };
            let group = *group_of.entry(used_later).or_insert(groups.len());
            match groups.get_mut(group) {
                Some(group) => group.push(position),
                None => groups.push(vec![position]),
            }
            let own = scattered(card);
            *ending = ending.wrapping_add(own);
            used_later = used_later.wrapping_add(own);
        }
        groups
    }
}

/// A number for a box, such that sums of different sets differ.
fn scattered(card: usize) -> u64 {
    let mut mixed = (card as u64).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
