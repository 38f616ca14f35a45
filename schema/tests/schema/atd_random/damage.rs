//! Damages biniou messages, or writes them in another way, using only the tags.

use crate::random::{Dice, transplant};

const TAGS: [u8; 18] = [0, 1, 2, 3, 4, 11, 12, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26];

/// Changes some bytes. Parts of `others` may be inserted into this message.
pub(crate) fn damage(mut bytes: Vec<u8>, others: &[Vec<u8>], dice: &mut Dice) -> Vec<u8> {
    for _ in 0..=dice.below(2) {
        let at = dice.below(bytes.len() + 1);
        match dice.below(16) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, dice.one_of(&TAGS)),
            2 if at < bytes.len() => drop(bytes.remove(at)),
            3 => bytes.push(0),
            4..=6 if at < bytes.len() => bytes[at] ^= 1 << dice.below(8),
            7 => transplant(&mut bytes, at, others, dice),
            8..=10 => retag(&mut bytes, dice),
            // A number in more bytes than it needs.
            11 if at < bytes.len() && bytes[at] < 128 => {
                bytes[at] |= 128;
                let zeros = dice.one_of(&[0, 0, 1, 6, 7, 8]);
                let rest = (0..zeros).map(|_| 128).chain([0]);
                bytes.splice(at + 1..at + 1, rest);
            }
            // A number or tag that is one larger or smaller.
            12 if at < bytes.len() => bytes[at] = bytes[at].wrapping_add(1),
            13 if at < bytes.len() => bytes[at] = bytes[at].wrapping_sub(1),
            _ if at < bytes.len() => bytes[at] = dice.one_of(&[0, 1, 127, 128, 255]),
            _ => {}
        }
    }
    bytes
}

/// Replaces a byte that may be a tag by another tag.
fn retag(bytes: &mut [u8], dice: &mut Dice) {
    let tags: Vec<usize> = (0..bytes.len()).filter(|at| TAGS.contains(&bytes[*at])).collect();
    if !tags.is_empty() {
        bytes[tags[dice.below(tags.len())]] = dice.one_of(&TAGS);
    }
}
