//! Damaged messages: never a panic, never much memory or time, and what is accepted as a tree is
//! written back byte for byte.

use crate::marks::*;
use crate::round_trip::{Hex, assert_reason};
use crate::support::random::Dice;
use crate::support::random::transplant;
use crate::support::{alloc, random};
use fourfold::biniou::with::{Char, Float32, Int8, Int16, Int32, Int64, Optional, Shared, Table};
use fourfold::biniou::{self, Category, StreamDeserializer, Value, from_slice, to_vec, view};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Mutations of messages that are read as what they were, and as trees, all types together.
const MUTATIONS: usize = if cfg!(debug_assertions) { 60_000 } else { 1_000_000 };

/// Mutations of trees, which are read as trees and as messages of every kind.
const TREES: usize = if cfg!(debug_assertions) { 40_000 } else { 1_000_000 };

/// Mutations per type of the zoo.
const ZOO_MUTATIONS: usize = if cfg!(debug_assertions) { 60 } else { 10_000 };

/// Messages per type, small ones first.
const SEEDS: usize = if cfg!(debug_assertions) { 30 } else { 60 };

/// No message is read into more than this, whatever it claims. Shared values are expanded,
/// so that a byte may expand to 64 items, and a vector of items doubles as it grows. Four thousand
/// rows without columns take no bytes.
const MEMORY: usize = 512 << 10;
const MEMORY_PER_BYTE: usize = 64 * 32;
/// A tree keeps its sharing. Its nodes take 32 bytes, in vectors that double.
const TREE_MEMORY_PER_BYTE: usize = 256;
/// Whatever takes so long does not end; a slow machine, perhaps an emulated one, takes seconds.
const TIME: Duration = Duration::from_secs(60);

/// A record of everything.
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
    shape: crate::support::zoo::Shape,
    #[serde(with = "fourfold::biniou::with::optional", default)]
    next: Option<Box<Deep>>,
}

/// Few fields, so that damage hits the header.
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

/// Calls a macro with types that are worth more than their share.
macro_rules! for_each_busy_type {
    ($callback:ident) => {
        $callback! {
            Deep, Option<Deep>, Shallow, Option<Shallow>, Row, Table<Vec<Row>>, Points, Optionals,
            Table<Vec<Optionals>>, AtUse, String, ByteBuf, char, bool, (), Option<()>, [u8; 3],
            Option<Option<u32>>, u8, i64, u128, f32, f64, Int8<u8>, Char<Option<char>>, Vec<()>,
            Vec<Option<u8>>, Vec<bool>, Vec<i64>, Vec<f64>, Vec<Vec<String>>, (u8, String),
            BTreeMap<u8, String>, BTreeMap<String, Shallow>, Result<u8, String>,
            crate::support::zoo::Shape, crate::support::zoo::Record, crate::support::zoo::Expression,
        }
    };
}

/// Often a tag.
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

/// A number as a vint, perhaps longer than it need be.
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
        // A value made shared, a reference, a row more, a value around all.
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

/// Messages of a type, and their outcomes.
pub(crate) struct Messages {
    pub(crate) seeds: Vec<Vec<u8>>,
    dice: Dice,
}

impl Messages {
    pub(crate) fn of<T: Serialize>(name: &str, make: impl Fn(&mut Dice) -> T) -> Self {
        let values = random::cases(name, SEEDS, make);
        Messages {
            seeds: values.filter_map(|value| to_vec(&value).ok()).collect(),
            dice: Dice::of(name),
        }
    }

    pub(crate) fn next(&mut self) -> Vec<u8> {
        let mut message = self.seeds[self.dice.below(self.seeds.len())].clone();
        for _ in 0..=self.dice.below(3) {
            mutate(&mut message, &self.seeds, &mut self.dice);
        }
        message
    }
}

/// Reads within bounds, and on a panic reports the input.
fn read<T: DeserializeOwned>(name: &str, message: &[u8], per_byte: usize) -> biniou::Result<T> {
    let start = Instant::now();
    let (read, memory) = alloc::measure_value(|| {
        catch_unwind(AssertUnwindSafe(|| from_slice::<T>(message)))
            .unwrap_or_else(|_| panic!("reading {name} from {} panics", Hex(message)))
    });
    let shown = Hex(message);
    assert!(memory.peak <= MEMORY + per_byte * message.len(), "{name} {shown} {memory:?}");
    assert!(start.elapsed() < TIME, "{name} {shown} takes {:?}", start.elapsed());
    if let Err(error) = &read {
        assert_reason(error, &shown);
        // Errors of the bytes have an offset in them.
        let offset = error.offset().unwrap_or_else(|| panic!("{name} {shown}: {error}"));
        assert!(offset <= message.len(), "{name} {shown}: {error}");
    }
    read
}

/// Whatever is a tree is that very tree.
fn tree(message: &[u8]) -> bool {
    let read = read::<Value>("Value", message, TREE_MEMORY_PER_BYTE);
    let stream: biniou::Result<Vec<Value>> =
        StreamDeserializer::from_reader(message).take(2).collect();
    match &read {
        Err(error) => {
            // A stream continues where a single value has to end.
            let longer = error.to_string().contains("trailing");
            assert!(longer || stream.is_err() || message.is_empty(), "{}", Hex(message));
        }
        Ok(value) => {
            let written = to_vec(value).unwrap_or_else(|error| {
                panic!("{} is read, not written: {error}: {value:?}", Hex(message))
            });
            assert_eq!(Hex(&written), Hex(message), "written otherwise: {value:?}");
            assert_eq!(stream.unwrap(), std::slice::from_ref(value), "{}", Hex(message));
            assert!(!view(value).is_empty(), "{}", Hex(message));
        }
    }
    read.is_ok()
}

/// What is accepted has no third outcome either.
fn typed<T: Serialize + DeserializeOwned>(name: &str, word: &str, message: &[u8]) -> bool {
    let Ok(value) = read::<T>(name, message, MEMORY_PER_BYTE) else {
        return false;
    };
    let Ok(written) = to_vec(&value) else {
        return true;
    };
    let back: T = match from_slice(&written) {
        Ok(back) => back,
        // The writer could not detect it.
        Err(_) if word == "unseen" => return true,
        Err(error) => {
            panic!("{name} from {} as {} is not read: {error}", Hex(message), Hex(&written))
        }
    };
    // Hash tables come in any order.
    if word != "unseen" && !name.contains("Hash") {
        let again = to_vec(&back).unwrap();
        assert_eq!(Hex(&again), Hex(&written), "{name} from {}", Hex(message));
    }
    true
}

/// How many of the mutations were accepted, typed and as trees.
fn damage<T: Serialize + DeserializeOwned>(
    name: &str,
    mutations: usize,
    make: impl Fn(&mut Dice) -> T,
) -> (usize, usize) {
    let mut messages = Messages::of(name, make);
    let (mut accepted, mut trees) = (0, 0);
    for _ in 0..mutations {
        let message = messages.next();
        let is_read = typed::<T>(name, "", &message);
        let is_tree = tree(&message);
        accepted += usize::from(is_read);
        trees += usize::from(is_tree);
    }
    (accepted, trees)
}

#[test]
fn damaged_messages() {
    macro_rules! count {
        ($($type:ty,)*) => { [$(stringify!($type)),*].len() };
    }
    let share = MUTATIONS.div_ceil(for_each_busy_type!(count) + 1);
    let (mut done, mut accepted, mut trees) = (0, 0, 0);
    let mut add = |(typed, tree): (usize, usize)| {
        done += share;
        accepted += typed;
        trees += tree;
    };
    macro_rules! run {
        ($($type:ty,)*) => {
            $( add(damage::<$type>(stringify!($type), share, random::value_or_nan)); )*
        };
    }
    for_each_busy_type!(run);
    add(damage("Web", share, web));
    println!("{done} mutations, {accepted} accepted, {trees} as trees");
    // Damage to the payload makes another value. If none passed, nothing was compared.
    assert!(accepted > done / 50, "{accepted} of {done}");
    assert!(trees > done / 20, "{trees} of {done}");
}

/// Trees of every type of the zoo, one grafted upon the other.
#[test]
fn damaged_trees() {
    let mut seeds: Vec<Vec<u8>> = Vec::new();
    macro_rules! zoo {
        ($($word:ident $name:ident = $make:expr;)*) => {{
            #[allow(unused_imports, reason = "not every generator is by hand")]
            use crate::support::{random::value, zoo::*};
            $(
                let messages = Messages::of::<crate::support::zoo::$name>(stringify!($name), $make);
                seeds.extend(messages.seeds.into_iter().take(8));
            )*
        }};
    }
    crate::support::zoo::for_each_zoo_type!(zoo);
    seeds.extend(Messages::of("Web", web).seeds);
    seeds.extend(Messages::of("Deep", random::value_or_nan::<Deep>).seeds);
    seeds.retain(|seed| seed.len() < 2000);
    assert!(seeds.iter().all(|seed| tree(seed)));

    let mut messages = Messages { seeds, dice: Dice::of("trees") };
    let mut accepted = 0;
    for _ in 0..TREES {
        let message = messages.next();
        accepted += usize::from(tree(&message));
    }
    println!("{TREES} mutations, {accepted} accepted");
    assert!(accepted > TREES / 20, "{accepted} of {TREES}");
}

mod zoo_types {
    use super::{Messages, ZOO_MUTATIONS, typed};
    use crate::support::zoo::{self, for_each_zoo_type};

    macro_rules! tests {
        ($($word:ident $name:ident = $make:expr;)*) => {$(
            #[test]
            #[allow(non_snake_case, reason = "the name of a type")]
            fn $name() {
                #[allow(unused_imports, reason = "not every generator is by hand")]
                use crate::support::{random::value, zoo::*};
                let (name, word) = (stringify!($name), stringify!($word));
                let mut messages = Messages::of::<zoo::$name>(name, $make);
                for _ in 0..ZOO_MUTATIONS {
                    typed::<zoo::$name>(name, word, &messages.next());
                }
            }
        )*};
    }
    for_each_zoo_type!(tests);
}

/// A truncated message is an EOF error.
fn prefixes<T: Serialize + DeserializeOwned + Debug>(name: &str, make: impl Fn(&mut Dice) -> T) {
    const LARGEST: usize = if cfg!(debug_assertions) { 24 } else { 400 };
    random::check(name, SEEDS, make, |_, value| {
        let Ok(message) = to_vec(&value) else {
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
            match from_slice::<T>(prefix) {
                Ok(read) => panic!("{name} is read as {read:?} from {part} of {whole}"),
                Err(error) => assert_reason(&error, &part),
            }
            let mut stream = StreamDeserializer::<_, Value>::from_reader(prefix);
            let cut_short = stream.next().is_some_and(|read| read.is_err_and(|e| e.is_eof()));
            assert!(cut_short || cut == 0, "{part} of {whole} in a stream");
        }
    });
}

#[test]
fn no_prefix_is_a_message() {
    macro_rules! zoo {
        ($($word:ident $name:ident = $make:expr;)*) => {{
            #[allow(unused_imports, reason = "not every generator is by hand")]
            use crate::support::{random::value, zoo::*};
            $( prefixes::<crate::support::zoo::$name>(stringify!($name), $make); )*
        }};
    }
    crate::support::zoo::for_each_zoo_type!(zoo);
}

#[test]
fn no_prefix_of_a_marked_message_is_a_message() {
    use crate::support::zoo::{
        Collections, Either, Empty, Generic, Key, List, Newtype, Pair, Point, Record, Scalars,
    };
    use fourfold::biniou::with::{Svint, Uvint};
    use std::collections::{BTreeSet, VecDeque};
    use std::sync::Arc;

    macro_rules! marked {
        ($($name:ident: $marked:ty => $plain:ty;)*) => {
            $( prefixes::<$marked>(stringify!($name), random::value); )*
        };
    }
    for_each_marked_type!(marked);
    prefixes::<Deep>("Deep", random::value);
    prefixes("Web", web);
}
