//! Determines the rank of each node.

use super::{Downward, Per};

/// Ranks from 0 at the top: every edge leads downwards. Nodes are as high as their inputs allow, unless more edges
/// connect them to what is below.
pub(super) fn ranks(count: usize, edges: &[Downward]) -> Vec<usize> {
    let mut down = Per::<Vec<usize>>::new(count);
    let mut above = Per::<usize>::new(count);
    for edge in edges {
        down.push(edge.upper, edge.lower);
        above.change(edge.lower, |above| *above += 1);
    }
    let mut waiting = above.clone();
    let mut order: Vec<usize> = (0..count).filter(|node| above.at(*node) == 0).collect();
    let mut ranks = Per::<usize>::new(count);
    let mut done = 0;
    while let Some(&node) = order.get(done) {
        done += 1;
        let below = ranks.at(node) + 1;
        for &lower in down.list(node) {
            ranks.change(lower, |rank| *rank = below.max(*rank));
            waiting.change(lower, |waiting| *waiting -= 1);
            if waiting.at(lower) == 0 {
                order.push(lower);
            }
        }
    }
    for &node in order.iter().rev() {
        let lowers = down.list(node);
        let Some(first) = lowers.iter().map(|lower| ranks.at(*lower)).min() else { continue };
        if lowers.len() > above.at(node) {
            ranks.put(node, first.saturating_sub(1).max(ranks.at(node)));
        }
    }
    let top = (0..count).map(|node| ranks.at(node)).min().unwrap_or(0);
    (0..count).map(|node| ranks.at(node) - top).collect()
}
