//! Damaged messages: no panics and bounded memory. Strict reading accepts only bytes that the writer writes.

use crate::marks::marked::*;
use crate::round_trip::{Hex, Type};
use crate::support::damage::{Messages, assert_canonical, bounded, stable};
use crate::support::erased::{self, AnyType, Boxed, check_each};
use crate::support::format::Molecule;
use crate::support::random;
use crate::support::random::{Dice, transplant};
use fourfold::molecule::with::{Array, DynVec, FixVec, Struct, Table};
use fourfold::molecule::{self, Options};
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use std::cell::Cell;

/// Mutations of messages of types with one encoding for each value, for all types together.
const MUTATIONS: usize = if cfg!(debug_assertions) { 400_000 } else { 2_000_000 };

/// Mutations per type of the zoo.
const ZOO_MUTATIONS: usize = if cfg!(debug_assertions) { 300 } else { 10_000 };

/// Messages per type, small ones first.
const SEEDS: usize = 60;

/// Maximum memory for each byte of a message.
const MEMORY_PER_BYTE: usize = 32;
const MEMORY: usize = 16 << 10;

/// A table with all kinds of fields. Every sequence is marked, and there is no map: without a mark, an empty sequence or
/// map has two encodings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Deep {
    #[serde(with = "fourfold::molecule::with::dynvec")]
    items: Vec<Item>,
    names: Option<Names>,
    bytes: ByteBuf,
    mixed: (u8, String),
    packed: (u16, u32),
    cells: Table<(u8, u8)>,
    texts: [String; 2],
    spots: Array<Spot, 2>,
    unit: (),
    id: u128,
    number: f64,
    sign: char,
    next: Option<Box<Deep>>,
}

/// A type with few fields, so that damage often hits the header.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Shallow {
    up: bool,
    text: String,
    maybe: Option<bool>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Cells(u8, String, Option<Duo>);

/// Types whose values have one encoding each.
fn canonical_types() -> Vec<Type> {
    macro_rules! types {
        ($($type:ty,)*) => {
            vec![$(Type::new::<$type>(stringify!($type), random::value_or_nan)),*]
        };
    }
    types! {
        Deep, Option<Deep>, Shallow, Cells, Item, Option<Item>, Spot, Names, Points,
        Rows<Option<u8>>, Rows<Rows<Names>>, Rows<Shallow>, Rows<()>, Option<Names>,
        String, ByteBuf, char, bool, (), Option<()>, [u8; 3], Option<u32>,
        (u8, String), (String, u8), (u8, Option<u8>), (Option<u8>, Option<u8>), (u8, ()),
        (u8, u16), ((u8, u16), (u8, String)), ((u8, String), u8), (u8, (u8, (u8, String))),
        [(u8, String); 2], [(u8, u16); 2], [String; 3], (u64, u64, u64), [u64; 3],
        (u64, u64, Names), ((u64, u64, u64), (u8, String)), FixVec<Vec<(u64, u64, u64)>>,
        DynVec<Vec<(u8, String)>>, DynVec<Vec<(u8, (u8, u16), String)>>, (Duo, Points),
        DynVec<Vec<DynVec<Vec<Option<Names>>>>>, FixVec<Vec<(bool, char)>>, Table<(u8, u8)>,
        Table<(Table<(u8, u8)>, Table<(String, ())>)>, Struct<(bool, [u8; 2])>, Result<u8, String>,
    }
}

fn byte(dice: &mut Dice) -> u8 {
    const CORNERS: [u8; 8] = [0, 1, 4, 8, 12, 0x7f, 0x80, 0xff];
    match dice.below(3) {
        0 => dice.roll().to_le_bytes()[0],
        _ => CORNERS[dice.below(CORNERS.len())],
    }
}

fn number_at(message: &[u8], at: usize) -> Option<u32> {
    let bytes = message.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}

fn set_number(message: &mut [u8], at: usize, number: u32) {
    if let Some(bytes) = message.get_mut(at..at + 4) {
        bytes.copy_from_slice(&number.to_le_bytes());
    }
}

/// Corrects each number before `at` that could be an offset after it, or the full size. After that, most messages of
/// changed length are still well-formed.
fn repair(message: &mut [u8], at: usize, by: i32) {
    let mut word = 0;
    while word + 4 <= at {
        match number_at(message, word) {
            Some(number) if number as usize >= at && number as usize <= message.len() + 8 => {
                set_number(message, word, number.wrapping_add_signed(by));
            }
            _ => {}
        }
        word += 4;
    }
}

pub(crate) fn mutate(message: &mut Vec<u8>, others: &[Vec<u8>], dice: &mut Dice) {
    let len = message.len();
    let at = dice.below(len);
    // Numbers in headers are at multiples of four.
    let word = if dice.below(4) > 0 { at & !3 } else { at };
    match dice.below(12) {
        _ if len == 0 => message.push(byte(dice)),
        0 => message[at] ^= 1 << dice.below(8),
        1 => message[at] = byte(dice),
        2 => message.insert(dice.below(len + 1), byte(dice)),
        3 => drop(message.remove(at)),
        4 | 5 => {
            let by = [1, -1, 4, -4, 8, i32::MIN][dice.below(6)];
            if let Some(number) = number_at(message, word) {
                set_number(message, word, number.wrapping_add_signed(by));
            }
        }
        6 => {
            let other = dice.below(len) & !3;
            if let (Some(a), Some(b)) = (number_at(message, word), number_at(message, other)) {
                set_number(message, word, b);
                set_number(message, other, a);
            }
        }
        7 => transplant(message, at, others, dice),
        8 => message.truncate(at),
        9 => {
            let count = [1, 4, 8][dice.below(3)];
            let new: Vec<u8> = (0..count).map(|_| byte(dice)).collect();
            message.splice(word..word, new);
            repair(message, word, count);
        }
        10 => {
            let count = [1, 4, 8][dice.below(3)];
            let end = len.min(word + count);
            message.drain(word..end);
            repair(message, word, -i32::try_from(end - word).unwrap());
        }
        _ => {
            let other = number_at(message, dice.below(len) & !3);
            set_number(message, word, other.unwrap_or(u32::MAX));
        }
    }
}

/// `None` if not a single value of the type can be written.
pub(crate) fn messages<S>(ty: &AnyType<Molecule, S>) -> Option<Messages> {
    let seeds = ty.messages(SEEDS);
    (!seeds.is_empty()).then(|| Messages::new(ty.name, seeds, mutate))
}

fn read(ty: &Type, options: &Options, message: &[u8]) -> molecule::Result<Boxed<Molecule>> {
    let most = MEMORY + MEMORY_PER_BYTE * message.len();
    bounded(ty.name, message, most, || ty.from_slice_with(options, message))
}

/// Returns the number of accepted mutations.
fn canonical(ty: &Type, mutations: usize) -> usize {
    let name = ty.name;
    let mut messages = messages(ty).unwrap();
    let (strict, compatible) = (Options::new(), Options::new().compatible(true));
    let mut accepted = 0;
    for _ in 0..mutations {
        let message = messages.next();
        let lenient = read(ty, &compatible, &message);
        if let Ok(value) = read(ty, &strict, &message) {
            accepted += 1;
            assert_canonical(name, &message, &value);
            let lenient = lenient.unwrap().to_vec().unwrap();
            assert_eq!(lenient, message, "{name} is read otherwise if compatible");
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
    assert!(accepted > done / 50, "{accepted} of {done}");
}

/// Types whose values have several encodings: an accepted value survives, or the writer refuses it.
#[test]
fn accepted_messages_survive() {
    check_each(&erased::zoo(), |ty: &Type| {
        let Some(mut messages) = messages(ty) else {
            return;
        };
        let (strict, compatible) = (Options::new(), Options::new().compatible(true));
        for _ in 0..ZOO_MUTATIONS {
            let message = messages.next();
            let lenient = ty.from_slice_with(&compatible, &message);
            let read = ty.from_slice_with(&strict, &message);
            assert!(
                read.is_err() || lenient.is_ok(),
                "{} {} only if strict",
                ty.name,
                Hex(&message)
            );
            stable(ty, &message, read);
        }
    });
}

/// Types whose message can end with an option whose length no header states: the message may be truncated where the
/// option begins.
const END_IN_OPTION: [&str; 22] = [
    "OptionU8",
    "OptionText",
    "OptionUnit",
    "OptionPair",
    "OptionMixed",
    "OptionVec",
    "OptionStruct",
    "OptionEnum",
    "OptionOption",
    "OptionOptionText",
    "OptionNewtypeOption",
    "NewtypeOption",
    "Chain",
    "Level",
    "Clear",
    "Hollow",
    "EitherOption",
    "RenamedEnum",
    "in_option",
    "fixvec_in_option",
    "packed_in_option",
    "table_in_option",
];

/// The same, with the mark around the option.
const MARKS_AROUND_OPTION: [&str; 4] =
    ["around_option", "fixvec_around_option", "packed_around_option", "table_around_option"];

/// Types whose message can end with an unmarked vector of fixed-size items: the first four bytes of a vector of four items
/// are the other encoding of an empty one.
const END_IN_VECTOR: [&str; 13] = [
    "VecU8",
    "VecU64",
    "VecBool",
    "VecChar",
    "VecPair",
    "VecArray",
    "Set",
    "Deque",
    "Hollow",
    "EitherOption",
    "packed_in_vec",
    "packed_by_name_in_vec",
    "array_in_vec",
];

#[test]
fn prefixes_of_messages_are_refused() {
    check_each(&erased::zoo(), prefixes);
}

#[test]
fn prefixes_of_messages_with_marks_are_refused() {
    check_each(&marked_types(), prefixes);
    prefixes(&Type::new::<Deep>("Deep", random::value));
    prefixes(&Type::new::<Shallow>("Shallow", random::value));
    prefixes(&Type::new::<Cells>("Cells", random::value));
}

fn prefixes(ty: &Type) {
    const EMPTY: [u8; 4] = [4, 0, 0, 0];
    let name = ty.name;
    let compatible = Options::new().compatible(true);
    ty.check(SEEDS, |_, value| {
        let Ok(message) = value.to_vec() else {
            return;
        };
        for cut in 0..message.len() {
            let prefix = &message[..cut];
            let read = [ty.from_slice(prefix), ty.from_slice_with(&compatible, prefix)];
            for value in read.into_iter().flatten() {
                let written = value.to_vec().unwrap();
                let option = END_IN_OPTION.contains(&name) || MARKS_AROUND_OPTION.contains(&name);
                let none = option && written == prefix;
                let vector = END_IN_VECTOR.contains(&name)
                    && prefix.ends_with(&EMPTY)
                    && written.ends_with(&[0; 4])
                    && written[..cut - 4] == prefix[..cut - 4];
                let (whole, part) = (Hex(&message), Hex(prefix));
                assert!(none || vector, "{name} is read from {part} of {whole}");
            }
        }
    });
}
