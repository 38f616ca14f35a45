//! Damages messages.

use crate::support::random::Dice;

/// A random byte, mostly a small one: tags, counts and flags are small.
fn byte(dice: &mut Dice) -> u8 {
    match dice.below(3) {
        2 => dice.roll().to_le_bytes()[0],
        _ => dice.one_of(&[0, 1, 2, 3, 4, 5]),
    }
}

/// Fewer than `bound` bytes.
pub(crate) fn bytes(dice: &mut Dice, bound: usize) -> Vec<u8> {
    (0..dice.below(bound)).map(|_| byte(dice)).collect()
}

/// Changes a message in up to three places, or in none.
pub(crate) fn damage(dice: &mut Dice, bytes: &mut Vec<u8>) {
    for _ in 0..dice.below(4) {
        let len = bytes.len();
        match dice.below(8) {
            // Some formats have values without bytes.
            7 => bytes.clear(),
            0 => bytes.truncate(dice.below(len + 1)),
            1 => bytes.push(byte(dice)),
            2 => bytes.insert(dice.below(len + 1), byte(dice)),
            _ if len == 0 => {}
            3 => drop(bytes.remove(dice.below(len))),
            4 => {
                let byte = &mut bytes[dice.below(len)];
                *byte = byte.wrapping_add(dice.one_of(&[1, 0xff]));
            }
            _ => bytes[dice.below(len)] = byte(dice),
        }
    }
}
