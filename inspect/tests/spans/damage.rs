//! Damages messages.

use crate::random::{Dice, transplant};

/// Bytes and numbers that formats use as counts, tags and markers.
const BYTES: [u8; 18] =
    [0, 1, 2, 3, 4, 5, 8, 12, 0x20, 0x7f, 0x80, 0x91, 0xa1, 0xc0, 0xc4, 0xca, 0xce, 0xff];
const NUMBERS: [u32; 10] = [0, 1, 2, 3, 7, 4096, 4097, i32::MAX as u32, 1 << 31, u32::MAX];

/// Messages that are changed at random.
pub(crate) struct Messages {
    seeds: Vec<Vec<u8>>,
    dice: Dice,
}

impl Messages {
    pub(crate) fn new(name: &str, seeds: Vec<Vec<u8>>) -> Self {
        Messages { seeds, dice: Dice::of(name) }
    }

    pub(crate) fn next(&mut self) -> Vec<u8> {
        let mut message = self.seeds[self.dice.below(self.seeds.len())].clone();
        for _ in 0..=self.dice.below(3) {
            mutate(&mut message, &self.seeds, &mut self.dice);
        }
        message
    }
}

pub(crate) fn byte(dice: &mut Dice) -> u8 {
    match dice.below(3) {
        0 => dice.roll().to_le_bytes()[0],
        _ => dice.one_of(&BYTES),
    }
}

pub(crate) fn bytes(dice: &mut Dice, count: usize) -> Vec<u8> {
    (0..count).map(|_| byte(dice)).collect()
}

fn mutate(message: &mut Vec<u8>, others: &[Vec<u8>], dice: &mut Dice) {
    let len = message.len();
    let at = dice.below(len);
    match dice.below(10) {
        _ if len == 0 => message.push(byte(dice)),
        0 => message[at] ^= 1 << dice.below(8),
        1 | 2 => message[at] = byte(dice),
        3 => message.insert(at, byte(dice)),
        4 => drop(message.remove(at)),
        5 => {
            let number = dice.one_of(&NUMBERS);
            let number = dice.one_of(&[number.to_le_bytes(), number.to_be_bytes()]);
            if let Some(four) = message.get_mut(at..at + 4) {
                four.copy_from_slice(&number);
            }
        }
        6 => {
            // Adds or subtracts one, and adds or removes a byte after it.
            let by = dice.one_of(&[1, 0xff]);
            message[at] = message[at].wrapping_add(by);
            let end = len.min(at + 4 + dice.below(8));
            match by {
                1 => message.insert(end, byte(dice)),
                _ if end < len => drop(message.remove(end)),
                _ => {}
            }
        }
        7 => transplant(message, at, others, dice),
        8 => message.truncate(at),
        _ => {
            let end = len.min(at + 1 + dice.below(9));
            let again: Vec<u8> = message[at..end].to_vec();
            message.splice(at..at, again);
        }
    }
}
