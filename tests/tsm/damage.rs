//! Damaged messages: no panics and bounded memory. Accepted messages are written with the same bytes.

use crate::round_trip::{Type, more, types};
use crate::support::damage::{Messages, assert_canonical, bounded, stable};
use crate::support::erased::check_each;
use crate::support::random::{Dice, transplant};
use crate::support::{random, zoo};
use fourfold::tsm::with::Raw;
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use std::cell::Cell;
use std::rc::Rc;

/// Mutations of messages of types with one encoding for each value, for all types together.
const MUTATIONS: usize = if cfg!(debug_assertions) { 40_000 } else { 1_400_000 };

/// Mutations of modules: random ones, and files of TenniS.
pub(crate) const MODULES: usize = if cfg!(debug_assertions) { 20_000 } else { 600_000 };

/// Mutations per type of the zoo.
const ZOO_MUTATIONS: usize = if cfg!(debug_assertions) { 60 } else { 5_000 };

/// Messages per type, small ones first.
const SEEDS: usize = if cfg!(debug_assertions) { 30 } else { 60 };

/// Maximum memory for each byte of a message: items of 32 bytes that are one byte in a file, in a vector that doubles as it
/// grows.
const MEMORY_PER_BYTE: usize = 64;
/// An error with its path, and 4,096 items without bytes.
const MEMORY: usize = 16 << 10;

/// A struct of all kinds of fields with one encoding. Sets and maps accept duplicates, so there are none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Deep {
    items: Vec<Item>,
    names: Option<Vec<String>>,
    bytes: ByteBuf,
    mixed: (u8, String),
    raw: Raw<[u8; 3]>,
    texts: [String; 2],
    spots: [(f32, f64); 2],
    unit: (),
    many: Vec<()>,
    id: u128,
    number: f64,
    sign: char,
    up: bool,
    next: Option<Box<Deep>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Item {
    Nothing,
    Number(u16),
    Text(String),
    Both(bool, Option<String>),
    Named { x: i8, rest: Vec<Item> },
}

/// A type with few fields, so that damage often hits the counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Shallow {
    up: bool,
    text: String,
    maybe: Option<bool>,
}

/// Types whose values have one encoding each.
fn canonical_types() -> Vec<Type> {
    macro_rules! types {
        ($($type:ty,)*) => {
            vec![$(Type::new::<$type>(stringify!($type), random::value_or_nan)),*]
        };
    }
    types! {
        Deep, Option<Deep>, Shallow, Option<Shallow>, Vec<Shallow>, Item, Vec<Item>, String,
        ByteBuf, char, bool, (), Option<()>, [u8; 3], Option<u32>, Option<Option<u8>>,
        Vec<()>, Vec<Vec<()>>, Vec<bool>, Vec<char>, Vec<f32>, Vec<[f32; 3]>, Vec<Option<u64>>,
        Vec<Vec<String>>, Vec<(u8, String)>, (String, u8), (u8, Option<u8>, Vec<u16>),
        [(u8, String); 2], [String; 3], Result<u8, String>, Result<(), Vec<()>>, Box<str>,
        Rc<[u16]>, Raw<[u8; 4]>, Vec<Raw<[u8; 2]>>, f32, f64, u128, Vec<std::net::IpAddr>,
        zoo::Shape, zoo::Record, zoo::Nest,
        zoo::Expression, zoo::Tree, zoo::Chain,
        zoo::Bytes, zoo::Nothings,
        more::AdjacentNewtypes, more::Tuple12, more::NestedBytes, more::Boxes,
    }
}

fn byte(dice: &mut Dice) -> u8 {
    const CORNERS: [u8; 10] = [0, 1, 2, 3, 4, 5, 0x20, 0x7f, 0x80, 0xff];
    match dice.below(3) {
        0 => dice.roll().to_le_bytes()[0],
        _ => CORNERS[dice.below(CORNERS.len())],
    }
}

pub(crate) fn bytes(dice: &mut Dice, count: usize) -> Vec<u8> {
    (0..count).map(|_| byte(dice)).collect()
}

fn count(dice: &mut Dice) -> [u8; 4] {
    const CORNERS: [u32; 10] = [0, 1, 2, 3, 7, 4096, 4097, i32::MAX as u32, 1 << 31, u32::MAX];
    let number = match dice.below(4) {
        0 => 1 << dice.below(32),
        1 => u32::from(byte(dice)),
        _ => CORNERS[dice.below(CORNERS.len())],
    };
    number.to_le_bytes()
}

pub(crate) fn mutate(message: &mut Vec<u8>, others: &[Vec<u8>], dice: &mut Dice) {
    let len = message.len();
    let at = dice.below(len);
    match dice.below(12) {
        _ if len == 0 => message.push(byte(dice)),
        0 => message[at] ^= 1 << dice.below(8),
        1 | 2 => message[at] = byte(dice),
        3 => message.insert(dice.below(len + 1), byte(dice)),
        4 => drop(message.remove(at)),
        5 | 6 => {
            // A count, an index or a size.
            let bytes = count(dice);
            if let Some(four) = message.get_mut(at..at + 4) {
                four.copy_from_slice(&bytes);
            }
        }
        7 => {
            // Adds or subtracts one, with or without adding or removing a byte after it.
            let by = [1, 0xff][dice.below(2)];
            message[at] = message[at].wrapping_add(by);
            let end = len.min(at + 4 + dice.below(8));
            match (dice.below(3), by) {
                (0, _) => {}
                (_, 1) => message.insert(end, byte(dice)),
                _ if end < len => drop(message.remove(end)),
                _ => {}
            }
        }
        8 => transplant(message, at, others, dice),
        9 => message.truncate(at),
        10 => {
            let end = len.min(at + 1 + dice.below(9));
            let again: Vec<u8> = message[at..end].to_vec();
            message.splice(at..at, again);
        }
        _ => {
            let end = len.min(at + 1 + dice.below(9));
            drop(message.drain(at..end));
        }
    }
}

pub(crate) fn messages(ty: &Type) -> Messages {
    Messages::new(ty.name, ty.messages(SEEDS), mutate)
}

/// Returns the number of accepted mutations.
fn canonical(ty: &Type, mutations: usize) -> usize {
    let name = ty.name;
    let mut messages = messages(ty);
    let mut accepted = 0;
    for _ in 0..mutations {
        let message = messages.next();
        let most = MEMORY + MEMORY_PER_BYTE * message.len();
        if let Ok(value) = bounded(name, &message, most, || ty.from_slice(&message)) {
            accepted += 1;
            assert_canonical(name, &message, &value);
        }
        // The unread bytes are not part of the value.
        if let Ok((value, rest)) = ty.take_from_slice(&message) {
            assert_canonical(name, &message[..message.len() - rest.len()], &value);
        }
    }
    accepted
}

#[test]
fn accepted_messages_are_canonical() {
    let types = canonical_types();
    let share = MUTATIONS.div_ceil(types.len());
    let (done, accepted) = (share * types.len(), Cell::new(0));
    check_each(&types, |ty| accepted.set(accepted.get() + canonical(ty, share)));
    let accepted = accepted.get();
    println!("{done} mutations, {accepted} accepted");
    // Damage in content makes another value. If none was accepted, nothing was compared.
    assert!(accepted > done / 20, "{accepted} of {done}");
}

/// Types whose values have several encodings: an accepted value survives, or the writer refuses it.
#[test]
fn accepted_messages_survive() {
    check_each(&types(), |ty| {
        let mut messages = messages(ty);
        // No value of the type can be written.
        if messages.seeds.is_empty() {
            return;
        }
        for _ in 0..ZOO_MUTATIONS {
            let message = messages.next();
            // Skipped items have no bytes, but take memory.
            let most = (256 << 10) + MEMORY_PER_BYTE * message.len();
            stable(ty, &message, bounded(ty.name, &message, most, || ty.from_slice(&message)));
        }
    });
}
