//! Damaged messages: never a panic, never much memory, and what is accepted as a tree is
//! written back byte for byte.

use crate::marks::*;
use crate::round_trip::{Hex, assert_reason};
use crate::support::damage::{Messages, bounded, stable};
use crate::support::erased::{self, AnyType, Boxed, check_each};
use crate::support::format::Biniou;
use crate::support::random::{Dice, transplant};
use crate::support::{random, zoo};
use fourfold::biniou::with::{Char, Float32, Int8, Int16, Int32, Int64, Optional, Shared, Table};
use fourfold::biniou::{self, Category, StreamDeserializer, Value, from_slice, to_vec};
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

type Type = AnyType<Biniou>;

/// Mutations of messages, for all types together. Each is read as its type and as a tree.
const MUTATIONS: usize = if cfg!(debug_assertions) { 60_000 } else { 1_000_000 };

/// Mutations of trees. Each is read as a tree and as messages of every type.
const TREES: usize = if cfg!(debug_assertions) { 40_000 } else { 1_000_000 };

/// Mutations per type of the zoo.
const ZOO_MUTATIONS: usize = if cfg!(debug_assertions) { 60 } else { 10_000 };

/// Messages per type, small ones first.
const SEEDS: usize = if cfg!(debug_assertions) { 30 } else { 60 };

/// Maximum memory for a message, in addition to that for each byte. A byte may expand to 64 items by references, and
/// vectors double as they grow. 4,096 rows without columns take no bytes.
const MEMORY: usize = 512 << 10;
const MEMORY_PER_BYTE: usize = 64 * 32;
/// A tree does not expand references. Its nodes take 32 bytes, in vectors that double.
const TREE_MEMORY_PER_BYTE: usize = 256;

/// A record with all kinds of fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Deep {
    rows: Table<Vec<Row>>,
    points: Option<Points>,
    bytes: ByteBuf,
    mixed: (u8, String),
    numbers: (Int8<u8>, Int16<u16>, Int32<i32>, Int64<i64>),
    floats: (f32, f64, Float32<f32>),
    options: Vec<Optional<Option<u8>>>,
    shared: Vec<Shared<Rc<Vec<u16>>>>,
    map: BTreeMap<String, Vec<()>>,
    unit: (),
    id: u128,
    sign: char,
    level: Level,
    shape: zoo::Shape,
    #[serde(with = "fourfold::biniou::with::optional", default)]
    next: Option<Box<Deep>>,
}

/// A type with few fields, so that damage often hits the header.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Shallow {
    up: bool,
    text: String,
    maybe: Option<bool>,
}

/// Several definitions and many references to each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Web {
    nodes: Vec<Shared<Rc<Knot>>>,
    last: Option<Shared<Rc<Knot>>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Knot {
    id: u8,
    links: Vec<Shared<Rc<Knot>>>,
}

fn web(g: &mut Dice) -> Web {
    let count = 1 + random::value::<usize>(g) % 12;
    let mut nodes: Vec<Shared<Rc<Knot>>> = Vec::new();
    for _ in 0..count {
        let mut links = Vec::new();
        for _ in 0..random::value::<usize>(g) % 3 {
            let at = random::value::<usize>(g) % nodes.len().max(1);
            links.extend(nodes.get(at).cloned());
        }
        nodes.push(Shared(Rc::new(Knot { id: random::value(g), links })));
    }
    Web { last: nodes.last().cloned(), nodes }
}

/// Types that are tested more often than others.
fn frequent_types() -> Vec<Type> {
    macro_rules! types {
        ($($type:ty,)*) => {
            vec![
                $(Type::new::<$type>(stringify!($type), random::value_or_nan),)*
                Type::new::<Web>("Web", web),
            ]
        };
    }
    types! {
        Deep, Option<Deep>, Shallow, Option<Shallow>, Row, Table<Vec<Row>>, Points, Optionals,
        Table<Vec<Optionals>>, AtUse, String, ByteBuf, char, bool, (), Option<()>, [u8; 3],
        Option<Option<u32>>, u8, i64, u128, f32, f64, Int8<u8>, Char<Option<char>>, Vec<()>,
        Vec<Option<u8>>, Vec<bool>, Vec<i64>, Vec<f64>, Vec<Vec<String>>, (u8, String),
        BTreeMap<u8, String>, BTreeMap<String, Shallow>, Result<u8, String>,
        zoo::Shape, zoo::Record, zoo::Expression,
    }
}

/// A random byte, often a tag.
fn byte(dice: &mut Dice) -> u8 {
    const CORNERS: [u8; 26] = [
        0, 1, 2, 3, 4, 5, 10, 11, 12, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 0x7f, 0x80,
        0x81, 0xfe, 0xff,
    ];
    match dice.below(3) {
        0 => dice.roll().to_le_bytes()[0],
        _ => CORNERS[dice.below(CORNERS.len())],
    }
}

/// A random number as a vint, possibly with redundant bytes.
fn vint(dice: &mut Dice) -> Vec<u8> {
    let mut number = match dice.below(4) {
        0 => u128::from(dice.roll()) * u128::from(dice.roll()),
        1 => 1 << dice.below(127),
        _ => dice.below(300) as u128,
    };
    let mut bytes = Vec::new();
    while number > 0x7f {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
    if dice.below(3) == 0 {
        *bytes.last_mut().unwrap() |= 0x80;
        bytes.resize(bytes.len() + dice.below(20), 0x80);
        bytes.push(0);
    }
    bytes
}

fn mutate(message: &mut Vec<u8>, others: &[Vec<u8>], dice: &mut Dice) {
    let len = message.len();
    let at = dice.below(len);
    match dice.below(12) {
        _ if len == 0 => message.push(byte(dice)),
        0 => message[at] ^= 1 << dice.below(8),
        1 | 2 => message[at] = byte(dice),
        3 => message.insert(dice.below(len + 1), byte(dice)),
        4 => drop(message.remove(at)),
        5 => message[at] = message[at].wrapping_add([1, 255, 2, 254][dice.below(4)]),
        6 => drop(message.splice(at..=at, vint(dice))),
        7 => transplant(message, at, others, dice),
        8 => message.truncate(at),
        // Makes a value shared; adds a reference or a row; wraps the message in a value.
        9 => drop(message.splice(at..at, [26, 0])),
        10 => {
            let distance = u8::try_from(dice.below(at.min(120) + 1)).unwrap();
            message.splice(at..=at, [26, distance]);
        }
        _ => {
            let around = [[22, 0x80], [20, 1], [26, 0], [19, 1]][dice.below(4)];
            message.splice(0..0, around);
        }
    }
}

pub(crate) fn messages(ty: &Type) -> Messages {
    Messages::new(ty.name, ty.messages(SEEDS), mutate)
}

fn read(ty: &Type, message: &[u8], per_byte: usize) -> biniou::Result<Boxed<Biniou>> {
    bounded(ty.name, message, MEMORY + per_byte * message.len(), || ty.from_slice(message))
}

/// Reads a message as a tree. If that succeeds, the tree is written with the same bytes.
fn tree(message: &[u8]) -> bool {
    let read = read(&Type::of::<Value>("Value"), message, TREE_MEMORY_PER_BYTE);
    let stream: biniou::Result<Vec<Value>> =
        StreamDeserializer::from_reader(message).take(2).collect();
    match &read {
        Err(error) => {
            // A stream accepts further values, a single value does not.
            let longer = error.to_string().contains("trailing");
            assert!(longer || stream.is_err() || message.is_empty(), "{}", Hex(message));
        }
        Ok(value) => {
            let value: &Value = value.as_any().downcast_ref().unwrap();
            let written = to_vec(value).unwrap_or_else(|error| {
                panic!("{} is read, not written: {error}: {value:?}", Hex(message))
            });
            assert_eq!(Hex(&written), Hex(message), "written otherwise: {value:?}");
            assert_eq!(stream.unwrap(), std::slice::from_ref(value), "{}", Hex(message));
        }
    }
    read.is_ok()
}

/// Reads a message as its type. If that succeeds, the value survives or the writer refuses it.
fn typed(ty: &Type, message: &[u8]) -> bool {
    let read = read(ty, message, MEMORY_PER_BYTE);
    let is_read = read.is_ok();
    stable(ty, message, read);
    is_read
}

#[test]
fn damaged_messages() {
    let types = frequent_types();
    let share = MUTATIONS.div_ceil(types.len());
    let (accepted, trees) = (Cell::new(0), Cell::new(0));
    check_each(&types, |ty| {
        let mut messages = messages(ty);
        for _ in 0..share {
            let message = messages.next();
            accepted.set(accepted.get() + usize::from(typed(ty, &message)));
            trees.set(trees.get() + usize::from(tree(&message)));
        }
    });
    let (done, accepted, trees) = (share * types.len(), accepted.get(), trees.get());
    println!("{done} mutations, {accepted} accepted, {trees} as trees");
    // Damage in content makes another value. If none was accepted, nothing was compared.
    assert!(accepted > done / 50, "{accepted} of {done}");
    assert!(trees > done / 20, "{trees} of {done}");
}

/// Trees of all types of the zoo, with parts of one inserted into another.
#[test]
fn damaged_trees() {
    let seeds_of = |ty: &Type| messages(ty).seeds;
    let mut seeds: Vec<Vec<u8>> =
        erased::zoo().iter().flat_map(|ty| seeds_of(ty).into_iter().take(8)).collect();
    seeds.extend(seeds_of(&Type::new::<Web>("Web", web)));
    seeds.extend(seeds_of(&Type::new::<Deep>("Deep", random::value_or_nan)));
    seeds.retain(|seed| seed.len() < 2000);
    assert!(seeds.iter().all(|seed| tree(seed)));

    let mut messages = Messages::new("trees", seeds, mutate);
    let mut accepted = 0;
    for _ in 0..TREES {
        let message = messages.next();
        accepted += usize::from(tree(&message));
    }
    println!("{TREES} mutations, {accepted} accepted");
    assert!(accepted > TREES / 20, "{accepted} of {TREES}");
}

#[test]
fn damaged_messages_of_the_zoo() {
    check_each(&erased::zoo(), |ty| {
        let mut messages = messages(ty);
        for _ in 0..ZOO_MUTATIONS {
            typed(ty, &messages.next());
        }
    });
}

#[test]
fn prefixes_of_messages_are_refused() {
    check_each(&erased::zoo(), prefixes);
}

#[test]
fn prefixes_of_messages_with_marks_are_refused() {
    check_each(&marked_types(), prefixes);
    prefixes(&Type::new::<Deep>("Deep", random::value));
    prefixes(&Type::new::<Web>("Web", web));
}

/// A truncated message is an EOF error.
fn prefixes(ty: &Type) {
    const LARGEST: usize = if cfg!(debug_assertions) { 24 } else { 400 };
    let name = ty.name;
    ty.check(SEEDS, |_, value| {
        let Ok(message) = value.to_vec() else {
            return;
        };
        let step = 1 + message.len() / LARGEST;
        for cut in (0..message.len()).step_by(step) {
            let prefix = &message[..cut];
            let (whole, part) = (Hex(&message), Hex(prefix));
            let Err(error) = from_slice::<Value>(prefix) else {
                panic!("Value is read from {part} of {whole}");
            };
            assert!(error.is_eof(), "{part} of {whole}: {error}");
            assert_eq!(error.category(), Category::Eof, "{part} of {whole}: {error}");
            match ty.from_slice(prefix) {
                Ok(read) => panic!("{name} is read as {read:?} from {part} of {whole}"),
                Err(error) => assert_reason(&error, &part),
            }
            let mut stream = StreamDeserializer::<_, Value>::from_reader(prefix);
            let cut_short = stream.next().is_some_and(|read| read.is_err_and(|e| e.is_eof()));
            assert!(cut_short || cut == 0, "{part} of {whole} in a stream");
        }
    });
}
