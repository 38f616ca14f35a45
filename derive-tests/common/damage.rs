//! Damages bytes of Molecule values.

use crate::random::{Dice, Source as _};

/// Makes one or two changes, most of which keep the length.
pub(crate) fn damage(mut bytes: Vec<u8>, g: &mut Dice) -> Vec<u8> {
    for _ in 0..=g.below(2) {
        let at = g.below(bytes.len() + 1);
        match g.below(16) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(..at)),
            2 => bytes.insert(at, g.draw()),
            3 if at < bytes.len() => drop(bytes.remove(at)),
            4 => bytes.extend([0; 4]),
            5..7 => put_field(&mut bytes),
            7..11 if at < bytes.len() => bytes[at] ^= 1 << g.below(8),
            _ => put_number(&mut bytes, g),
        }
    }
    bytes
}

/// Overwrites a number that may be a size, an offset, a count or an id. Most of these are near the start.
fn put_number(bytes: &mut [u8], g: &mut Dice) {
    let len = u32::try_from(bytes.len()).unwrap();
    let mut numbers = bytes.len() / 4;
    if g.one_in(2) {
        numbers = numbers.min(9);
    }
    if numbers == 0 {
        return;
    }
    let number = number_at(bytes, 4 * g.below(numbers));
    let old = u32::from_le_bytes(*number);
    let new = match g.below(8) {
        0 => 0,
        1 => u32::MAX,
        2 => len,
        3 => old.wrapping_add(4),
        4 => old.wrapping_sub(4),
        5 => old.wrapping_add(1),
        6 => 4,
        _ => g.draw::<u32>() % (len + 1),
    };
    *number = new.to_le_bytes();
}

/// Adds an empty field to a table, as a later version of its schema may.
fn put_field(bytes: &mut Vec<u8>) {
    if bytes.len() < 8 {
        return;
    }
    let header = u32::from_le_bytes(*number_at(bytes, 4)) as usize;
    if header % 4 != 0 || !(8..=bytes.len()).contains(&header) {
        return;
    }
    let full_size = u32::try_from(bytes.len() + 4).unwrap().to_le_bytes();
    for at in (0..header).step_by(4) {
        let number = number_at(bytes, at);
        *number = u32::from_le_bytes(*number).wrapping_add(4).to_le_bytes();
    }
    bytes.splice(header..header, full_size);
}

fn number_at(bytes: &mut [u8], at: usize) -> &mut [u8; 4] {
    bytes[at..].first_chunk_mut().unwrap()
}
