//! Damaged messages: no panics and bounded memory. An accepted message is written with the same bytes, or with shorter
//! headers.

use crate::models;
use crate::round_trip::{Hex, Type};
use crate::strict;
use crate::support::damage::{Messages, bounded, stable};
use crate::support::erased::{self, check_each};
use crate::support::random::{Dice, transplant};
use crate::support::{random, zoo};
use fourfold::primitiv::{ErrorKind, File, Options, to_vec};
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use std::cell::Cell;

/// Mutations of messages of derived types, all types together.
const MUTATIONS: usize = if cfg!(debug_assertions) { 30_000 } else { 1_000_000 };

/// Mutations of files.
const FILES: usize = if cfg!(debug_assertions) { 30_000 } else { 1_000_000 };

/// Mutations per type of the zoo.
const ZOO_MUTATIONS: usize = if cfg!(debug_assertions) { 60 } else { 10_000 };

/// Messages per type, small ones first.
const SEEDS: usize = if cfg!(debug_assertions) { 30 } else { 60 };

/// Maximum memory in addition to that for each byte. A nil of one byte may be an option or enum of 100 bytes in memory, in
/// a vector that doubles as it grows.
const MEMORY: usize = 32 << 10;
const MEMORY_PER_BYTE: usize = 256;
/// Files borrow large content. An entry of at least 11 bytes has a key, a name and a parameter.
const FILE_MEMORY_PER_BYTE: usize = 128;

/// A record with all kinds of fields that have one encoding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Deep {
    rows: Vec<Row>,
    bytes: ByteBuf,
    mixed: (u8, String),
    signed: (i8, i16, i32, i64, i128),
    unsigned: (u16, u32, u64, u128),
    floats: (f32, f64),
    nested: Option<Option<Option<bool>>>,
    nil_first: Vec<Option<Row>>,
    units: (Vec<()>, Option<()>),
    array: [Option<u8>; 4],
    sign: char,
    shape: zoo::Shape,
    next: Option<Box<Deep>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Row {
    maybe: Option<u16>,
    name: String,
    items: Vec<u8>,
}

/// A type with few fields, so that damage often hits a header.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Shallow {
    up: bool,
    text: String,
    maybe: Option<bool>,
}

/// Types whose values have one encoding, which are tested more often than others.
fn frequent_types() -> Vec<Type> {
    macro_rules! types {
        ($($type:ty,)*) => {
            vec![$(Type::new::<$type>(stringify!($type), random::value_or_nan)),*]
        };
    }
    types! {
        Deep, Option<Deep>, Shallow, Option<Shallow>, Vec<Row>, String, ByteBuf, char, bool,
        (), Option<()>, Option<Option<u32>>, Option<Option<()>>, [u8; 3], u8, u32, i64, u128,
        i128, f32, f64, Vec<()>, Vec<Option<u8>>, Vec<bool>, Vec<Vec<String>>, (u8, String),
        Result<u8, String>, Vec<Option<(Option<u8>, u8)>>, Vec<(u32, f32)>,
        zoo::Shape, zoo::Expression,
        zoo::Adjacent, zoo::Nest,
    }
}

/// A random byte, often a marker.
fn byte(dice: &mut Dice) -> u8 {
    const CORNERS: [u8; 40] = [
        0, 1, 2, 4, 8, 0x7f, 0x80, 0x81, 0x8f, 0x90, 0x91, 0x92, 0x9f, 0xa0, 0xa1, 0xbf, 0xc0,
        0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xca, 0xcb, 0xcc, 0xcd, 0xce, 0xcf, 0xd0, 0xd2,
        0xd3, 0xd4, 0xd9, 0xda, 0xdb, 0xdd, 0xdf, 0xff,
    ];
    match dice.below(3) {
        0 => dice.roll().to_le_bytes()[0],
        _ => CORNERS[dice.below(CORNERS.len())],
    }
}

/// A header or a number.
fn header(dice: &mut Dice) -> Vec<u8> {
    let number = match dice.below(4) {
        0 => dice.roll().to_be_bytes()[..4].to_vec(),
        1 => (1_u32 << dice.below(32)).to_be_bytes().to_vec(),
        _ => [0, 0, 0, dice.below(40).to_le_bytes()[0]].to_vec(),
    };
    match dice.below(12) {
        0 => [&[0xdd], &number[..]].concat(),
        1 => [&[0xdf], &number[..]].concat(),
        2 => [&[0xdb], &number[..]].concat(),
        3 => [&[0xc6], &number[..]].concat(),
        4 => [&[0xdc], &number[2..]].concat(),
        5 => [&[0xda], &number[2..]].concat(),
        6 => [&[0xc4], &number[3..]].concat(),
        7 => vec![0xd4, 0, 1, 0xc0],
        8 => vec![0xd4, 0, 1],
        _ => [&[0xce], &number[..]].concat(),
    }
}

fn mutate(message: &mut Vec<u8>, others: &[Vec<u8>], dice: &mut Dice) {
    let len = message.len();
    let at = dice.below(len);
    match dice.below(13) {
        _ if len == 0 => message.push(byte(dice)),
        0 => message[at] ^= 1 << dice.below(8),
        1 | 2 => message[at] = byte(dice),
        3 => message.insert(dice.below(len + 1), byte(dice)),
        4 => drop(message.remove(at)),
        5 => message[at] = message[at].wrapping_add([1, 255, 2, 254][dice.below(4)]),
        6 => drop(message.splice(at..=at, header(dice))),
        7 => transplant(message, at, others, dice),
        8 => message.truncate(at),
        9 => drop(message.splice(at..at, header(dice))),
        10 => {
            let end = at + dice.below((len - at).min(40) + 1);
            let again = message[at..end].to_vec();
            message.splice(at..at, again);
        }
        // Makes the next header longer than necessary.
        _ => widen(message, at),
    }
}

/// The wider form of the first header from `at` on, if there is one.
fn widen(message: &mut Vec<u8>, at: usize) {
    let Some(at) = (at..message.len()).find(|&at| wider(message[at]).is_some()) else {
        return;
    };
    let (marker, width, fixed) = wider(message[at]).unwrap();
    let old = match fixed {
        Some(length) => vec![length],
        None => message.get(at + 1..at + 1 + width / 2).unwrap_or_default().to_vec(),
    };
    let mut new = vec![marker];
    new.resize((1 + width).saturating_sub(old.len()), 0);
    new.extend(&old);
    let end = if fixed.is_some() { at + 1 } else { (at + 1 + old.len()).min(message.len()) };
    message.splice(at..end, new);
}

/// The next wider marker, the width of its length, and the length if the old marker contains it.
fn wider(marker: u8) -> Option<(u8, usize, Option<u8>)> {
    Some(match marker {
        0x80..=0x8f => (0xde, 2, Some(marker - 0x80)),
        0x90..=0x9f => (0xdc, 2, Some(marker - 0x90)),
        0xa0..=0xbf => (0xd9, 1, Some(marker - 0xa0)),
        0xc4 | 0xc5 => (marker + 1, if marker == 0xc4 { 2 } else { 4 }, None),
        0xd9 | 0xda => (marker + 1, if marker == 0xd9 { 2 } else { 4 }, None),
        0xdc | 0xde => (marker + 1, 4, None),
        _ => return None,
    })
}

/// The objects of a message with the shortest headers, and without unnecessary marks of `Some`. `None` if the message is not
/// a sequence of complete objects.
fn shortest(mut message: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    while let Some((&marker, rest)) = message.split_first() {
        let (kind, width, plain) = match marker {
            0x80..=0x9f | 0xc0 | 0xc2 | 0xc3 | 0x00..=0x7f | 0xe0..=0xff => (0, 0, 0),
            0xa0..=0xbf => (0, 0, usize::from(marker - 0xa0)),
            0xca | 0xce | 0xd2 => (0, 0, 4),
            0xcb | 0xcf | 0xd3 => (0, 0, 8),
            0xcc | 0xd0 => (0, 0, 1),
            0xcd | 0xd1 => (0, 0, 2),
            0xd4 => {
                let (mark, after) = rest.split_at_checked(2)?;
                if mark == [0, 1] && !matches!(after.first(), Some(0xc0 | 0xd4)) {
                    message = after;
                    continue;
                }
                (0, 0, 2)
            }
            0xc4..=0xc6 => (0xc4, 1 << (marker - 0xc4), 0),
            0xd9..=0xdb => (0xa0, 1 << (marker - 0xd9), 0),
            0xdc | 0xdd => (0x90, 2 << (marker - 0xdc), 0),
            0xde | 0xdf => (0x80, 2 << (marker - 0xde), 0),
            _ => return None,
        };
        if kind == 0 {
            let (object, after) = message.split_at_checked(1 + plain)?;
            bytes.extend(object);
            message = after;
            continue;
        }
        let (length, after) = rest.split_at_checked(width)?;
        let length = length.iter().fold(0_u32, |length, &byte| length << 8 | u32::from(byte));
        let low = length.to_be_bytes();
        let fixed = match kind {
            0xa0 => 32,
            0x80 | 0x90 => 16,
            _ => 0,
        };
        match (kind, length) {
            (_, _) if length < fixed => bytes.push(kind + low[3]),
            (0xc4, 0..=0xff) => bytes.extend([0xc4, low[3]]),
            (0xc4, 0..=0xffff) => bytes.extend([0xc5, low[2], low[3]]),
            (0xc4, _) => bytes.extend([&[0xc6], &low[..]].concat()),
            (0xa0, 0..=0xff) => bytes.extend([0xd9, low[3]]),
            (0xa0, 0..=0xffff) => bytes.extend([0xda, low[2], low[3]]),
            (0xa0, _) => bytes.extend([&[0xdb], &low[..]].concat()),
            (0x90, 0..=0xffff) => bytes.extend([0xdc, low[2], low[3]]),
            (0x90, _) => bytes.extend([&[0xdd], &low[..]].concat()),
            (_, 0..=0xffff) => bytes.extend([0xde, low[2], low[3]]),
            (_, _) => bytes.extend([&[0xdf], &low[..]].concat()),
        }
        let text = if matches!(kind, 0xa0 | 0xc4) { length } else { 0 };
        let (text, after) = after.split_at_checked(usize::try_from(text).ok()?)?;
        bytes.extend(text);
        message = after;
    }
    Some(bytes)
}

#[test]
fn shortest_headers() {
    for (long, short) in [
        (
            &[0xd9, 1, b'x', 0xda, 0, 0, 0xdb, 0, 0, 0, 1, b'y'][..],
            &[0xa1, b'x', 0xa0, 0xa1, b'y'][..],
        ),
        (&[0xc5, 0, 1, 7, 0xc6, 0, 0, 0, 0], &[0xc4, 1, 7, 0xc4, 0]),
        (&[0xdc, 0, 1, 0xdd, 0, 0, 0, 2, 0xc0, 0xc2], &[0x91, 0x92, 0xc0, 0xc2]),
        (&[0xde, 0, 0, 0xdf, 0, 0, 0, 16], &[0x80, 0xde, 0, 16]),
        (&[0xd4, 0, 1, 0xc0, 0xd4, 0, 1, 0xa0], &[0xd4, 0, 1, 0xc0, 0xa0]),
    ] {
        assert_eq!(Hex(&shortest(long).unwrap()), Hex(short));
        assert_eq!(Hex(&shortest(short).unwrap()), Hex(short));
    }
    random::check("shortest", 200, models::any, |_, tree| {
        let bytes = strict::write(&tree);
        assert_eq!(Hex(&shortest(&bytes).unwrap()), Hex(&bytes));
        if bytes.len() > 3000 {
            return;
        }
        let mut longer = bytes.clone();
        (0..bytes.len()).rev().step_by(97).for_each(|at| widen(&mut longer, at));
        if let Ok((read, [])) = strict::read(&longer, tree.number()) {
            assert!(read != tree || shortest(&longer).unwrap() == bytes, "{}", Hex(&longer));
        }
    });
}

pub(crate) fn messages(ty: &Type) -> Messages {
    let mut seeds = ty.messages(SEEDS);
    // For a type that is never written, messages of other types are damaged.
    if seeds.is_empty() {
        seeds.push(to_vec(&(1_u8, "x", [Some(2_u8), None])).unwrap());
    }
    Messages::new(ty.name, seeds, mutate)
}

/// Reads a message as its type. An accepted value survives, or the writer refuses it.
fn typed(ty: &Type, message: &[u8], options: &Options) -> Option<Vec<u8>> {
    let most = MEMORY + MEMORY_PER_BYTE * message.len();
    stable(ty, message, bounded(ty.name, message, most, || ty.from_slice_with(options, message)))
}

/// Returns the numbers of accepted mutations, in strict and lenient reading.
fn damage(ty: &Type, mutations: usize) -> (usize, usize) {
    let name = ty.name;
    let mut messages = messages(ty);
    let (strict, lenient) = (Options::new(), Options::new().lenient(true));
    let (mut accepted, mut more) = (0, 0);
    for _ in 0..mutations {
        let message = messages.next();
        let strictly = typed(ty, &message, &strict);
        let leniently = typed(ty, &message, &lenient);
        if let Some(written) = &strictly {
            let wanted = shortest(&message)
                .unwrap_or_else(|| panic!("{name} is read from {}", Hex(&message)));
            // Bytes are also read from an array of integers, but written as bin.
            if !(name == "ByteBuf" || name.contains("Deep")) {
                assert_eq!(Hex(written), Hex(&wanted), "{name} from {}", Hex(&message));
            }
            assert_eq!(strictly, leniently, "{name} from {}", Hex(&message));
        }
        accepted += usize::from(strictly.is_some());
        more += usize::from(leniently.is_some());
    }
    (accepted, more)
}

#[test]
fn damaged_messages() {
    let types = frequent_types();
    let share = MUTATIONS.div_ceil(types.len());
    let counts = Cell::new((0, 0));
    check_each(&types, |ty| {
        let ((accepted, more), (strictly, leniently)) = (counts.get(), damage(ty, share));
        counts.set((accepted + strictly, more + leniently));
    });
    let (done, (accepted, more)) = (share * types.len(), counts.get());
    println!("{done} mutations, {accepted} accepted, {more} leniently");
    // Damage in content makes another value. If none was accepted, nothing was compared.
    assert!(accepted > done / 50, "{accepted} of {done}");
    assert!(more > accepted, "{more} of {done}");
}

#[test]
fn damaged_messages_of_the_zoo() {
    check_each(&erased::zoo(), |ty| {
        let mut messages = messages(ty);
        for number in 0..ZOO_MUTATIONS {
            let options = Options::new().lenient(number % 4 == 0);
            typed(ty, &messages.next(), &options);
        }
    });
}

/// Compared with the independent reader: both accept the same files with the same content, except for sizes that overflow
/// and trailing bytes, which primitiv accepts.
#[test]
fn damaged_files() {
    let trees = random::cases("files", 4 * SEEDS, models::any);
    let seeds: Vec<Vec<u8>> =
        trees.map(|tree| strict::write(&tree)).filter(|bytes| bytes.len() < 3000).collect();
    let fixtures = strict::fixtures().into_iter().map(|(name, _)| strict::FIXTURES.bytes(&name));
    let fixtures = fixtures.filter(|bytes| !bytes.is_empty() && bytes.len() < 3000);
    let mut messages = Messages::new("files", seeds.into_iter().chain(fixtures).collect(), mutate);
    let (strictly, trailing) = (Options::new(), Options::new().allow_trailing(true));
    let lenient = Options::new().lenient(true);
    let (mut accepted, mut wrapping, mut followed) = (0, 0, 0);
    for _ in 0..FILES {
        let message = messages.next();
        let shown = Hex(&message);
        let number = message.get(11..15).map_or([0; 4], |bytes| bytes.try_into().unwrap());
        let wanted = strict::read(&message, u32::from_be_bytes(number));
        let read = |options: &Options| {
            let read = || options.from_slice::<File<'_>>(&message);
            bounded("File", &message, MEMORY + FILE_MEMORY_PER_BYTE * message.len(), read)
        };
        let file = read(&strictly);
        let long = read(&trailing);
        let other = read(&lenient);
        match (&wanted, &long) {
            (Ok((wanted, rest)), Ok(long)) => {
                assert_eq!(&models::tree(&long.data), wanted, "{shown}");
                let used = &message[..message.len() - rest.len()];
                assert_eq!(Hex(&long.to_vec().unwrap()), Hex(used), "of {shown}");
                match &file {
                    Ok(file) => assert!(rest.is_empty() && file == long, "{shown}"),
                    Err(error) => {
                        assert!(!rest.is_empty(), "{shown}: {error}");
                        assert_eq!(error.offset(), Some(used.len()), "{shown}: {error}");
                        followed += 1;
                    }
                }
            }
            (Ok(_), Err(error)) => {
                let wraps = matches!(error.kind(), ErrorKind::SizeOverflow);
                assert!(wraps, "primitiv reads {shown}, not we: {error}");
                wrapping += 1;
            }
            (Err(_), Err(_)) => {}
            (Err(error), Ok(_)) => panic!("we read {shown}, not primitiv: {error}"),
        }
        assert!(file.is_err() || long.is_ok(), "{shown}");
        match (&file, &other) {
            (Ok(file), Ok(other)) => assert!(file == other, "lenient: {shown}"),
            (Ok(_), Err(error)) => panic!("lenient reading refuses {shown}: {error}"),
            // Files of other writers are written in primitiv's encoding.
            (Err(_), Ok(other)) => {
                let written = other.to_vec().unwrap();
                let number = other.data.data_type().number();
                let (read, rest) = strict::read(&written, number)
                    .unwrap_or_else(|error| panic!("{error} in {} of {shown}", Hex(&written)));
                assert_eq!((read, rest.len()), (models::tree(&other.data), 0), "{shown}");
            }
            (Err(_), Err(_)) => {}
        }
        accepted += usize::from(file.is_ok());
    }
    println!("{FILES} mutations, {accepted} accepted, {wrapping} wrap around, {followed} continue");
    assert!(accepted > FILES / 50, "{accepted} of {FILES}");
    assert!(followed > FILES / 1000, "{followed} of {FILES}");
}
