//! `from_slice` reads the fields of structs in their order where possible, a `Deserializer` reads them by name. For any
//! bytes, both return the same value, or both an error.

use std::cell::Cell;

use fourfold::biniou::with::{Char, Float32, Int8, Int16, Int32, Int64, Svint, Table};
use fourfold::biniou::{from_slice, to_vec};
use serde::de::Error;
use serde::{Deserialize, Serialize};

use crate::damage::messages;
use crate::round_trip::Hex;
use crate::support::erased::{self, AnyType, TestType, check_each};
use crate::support::format::Biniou;
use crate::support::random::{self, Dice};
use crate::support::visits::visits;

type Type = AnyType<Biniou>;

/// Damaged messages per type.
const MUTATIONS: usize = if cfg!(debug_assertions) { 150 } else { 10_000 };

/// Asserts that both agree, and returns whether they accepted the bytes.
#[track_caller]
fn agree<T: TestType>(name: &'static str, bytes: &[u8]) -> bool {
    results_agree(&Type::of::<T>(name), bytes)
}

#[track_caller]
fn results_agree(ty: &Type, bytes: &[u8]) -> bool {
    let (name, shown) = (ty.name, Hex(bytes));
    match (ty.from_slice(bytes), ty.deserialize(bytes)) {
        (Ok(ours), Ok(theirs)) => {
            // NaNs are compared by their `Debug` text.
            let same = *ours == *theirs || format!("{ours:?}") == format!("{theirs:?}");
            assert!(same, "{name} {shown}: {ours:?}, {theirs:?}");
            true
        }
        (Err(ours), Err(theirs)) => {
            assert_eq!(ours.kind().to_string(), theirs.kind().to_string(), "{name} from {shown}");
            // A `Deserializer` returns errors of the outermost type without an offset.
            if theirs.offset().is_some() {
                assert_eq!(ours.to_string(), theirs.to_string(), "{name} from {shown}");
            }
            false
        }
        (ours, theirs) => panic!("{name} from {shown}: {ours:?}, {theirs:?}"),
    }
}

fn check<T: TestType>(name: &'static str, draw: impl Fn(&mut Dice) -> T + 'static) {
    check_damaged(&Type::new(name, draw));
}

/// Checks good and damaged messages of a type.
fn check_damaged(ty: &Type) {
    let mut messages = messages(ty);
    if messages.seeds.is_empty() {
        return;
    }
    for seed in &messages.seeds {
        results_agree(ty, seed);
    }
    for _ in 0..MUTATIONS {
        results_agree(ty, &messages.next());
    }
}

#[test]
fn types_of_the_zoo() {
    check_each(&erased::zoo(), check_damaged);
}

/// A record of fixed size, which has a fast path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Corner {
    x: f32,
    y: f64,
    up: bool,
    pair: (f32, [f64; 2]),
    marked: (Int8<u8>, Int16<u16>, Int32<i32>, Int64<i64>),
    narrow: Float32<f64>,
    same: Inner,
    inner: Inner,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Inner {
    a: Wrapped,
    b: f32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Wrapped(f32);

/// A record without a fixed size, because of its integers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Loose {
    x: f32,
    n: u32,
    letter: Char<char>,
}

/// Ignores the error of a `Corner`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
struct Lenient(Inner);

impl<'de> Deserialize<'de> for Lenient {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let inner = Inner::deserialize(deserializer);
        Ok(Lenient(inner.unwrap_or(Inner { a: Wrapped(-1.0), b: -1.0 })))
    }
}

/// Requests the second number of the type that the first one selects.
#[derive(Clone, Debug, PartialEq)]
struct Moody {
    up: bool,
    bits: u32,
}

impl Serialize for Moody {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.up, f32::from_bits(self.bits), 0.0_f64).serialize(serializer)
    }
}

visits! { Moody, "a truth and two numbers", deserialize_tuple(3):
    visit_seq |seq| {
        let up = seq.next_element()?.unwrap_or_default();
        let bits = match up {
            false => seq.next_element::<f32>()?.map(f32::to_bits),
            true => seq
                .next_element::<Int32<i32>>()?
                .map(|Int32(bits)| u32::from_ne_bytes(bits.to_ne_bytes())),
        };
        seq.next_element::<f64>()?;
        Ok(Moody { up, bits: bits.unwrap_or_default() })
    }
}

/// A value, or its error.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
enum Outcome {
    Good(f32),
    Bad(String),
}

impl<'de> Deserialize<'de> for Outcome {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f32::deserialize(deserializer).and_then(|number| match number < 0.0 {
            true => Err(D::Error::custom("below zero")),
            false => Ok(number),
        });
        Ok(number.map_or_else(|error| Outcome::Bad(error.to_string()), Outcome::Good))
    }
}

/// From 0 to 60 items, so that some of them have enough bytes after them.
fn many<T>(g: &mut Dice, make: impl Fn(&mut Dice) -> T) -> Vec<T> {
    let count = random::value::<usize>(g) % 60;
    (0..count).map(|_| make(g)).collect()
}

#[test]
fn items_of_one_size() {
    check::<Vec<Corner>>("Corners", |g| many(g, random::value_or_nan));
    check::<(Vec<Corner>, [u8; 32])>("CornersAnd", |g| (many(g, random::value), [7; 32]));
    check::<Vec<Vec<(f64, f64)>>>("Lines", |g| many(g, |g| many(g, random::value)));
    check::<Vec<Loose>>("Loose", |g| many(g, random::value));
    check::<Table<Vec<Inner>>>("Table", |g| Table(many(g, random::value)));
    check::<Vec<Lenient>>("Lenient", |g| many(g, |g| Lenient(random::value(g))));
    check::<Vec<(Lenient, f64)>>("LenientFirst", |g| {
        many(g, |g| (Lenient(random::value(g)), random::value(g)))
    });
    let moody = |up| move |g: &mut Dice| Moody { up, bits: random::value(g) };
    check::<Vec<Moody>>("Moody", move |g| many(g, moody(false)));
    check::<Vec<Moody>>("Moodier", move |g| {
        let up = random::value(g);
        many(g, moody(up))
    });
    check::<Vec<Outcome>>("Outcome", |g| many(g, |g| Outcome::Good(random::value(g))));
    check::<Vec<(f64, Outcome)>>("OutcomeLast", |g| {
        many(g, |g| (random::value(g), Outcome::Good(random::value(g))))
    });
}

/// One item differs from the others in size, order or kind.
#[test]
fn one_item_differs_from_the_others() {
    let inner = |n: f32| Inner { a: Wrapped(n), b: -n };
    let items: Vec<Inner> = (0..60_u8).map(|n| inner(n.into())).collect();
    let bytes = to_vec(&items).unwrap();
    let item = 1 + 2 * 9;
    let body = |n: usize| 3 + item * n..3 + item * (n + 1);
    assert_eq!(bytes.len(), body(59).end);
    // The fields in reverse order.
    let mut turned = bytes.clone();
    turned[body(30)].copy_within(10..19, 1);
    turned[body(30)][10..19].copy_from_slice(&bytes[body(30)][1..10]);
    assert!(agree::<Vec<Inner>>("turned", &turned));
    assert_eq!(from_slice::<Vec<Inner>>(&turned).unwrap(), items);
    // One field more, and one less.
    let mut more = bytes.clone();
    more[body(30)][0] = 3;
    more.splice(body(30).end..body(30).end, [0x80, 0, 0, 1, 24, 0]);
    assert!(agree::<Vec<Inner>>("more", &more));
    let mut less = bytes.clone();
    less[body(30)][0] = 1;
    less.drain(body(30).start + 10..body(30).end);
    assert!(!agree::<Vec<Inner>>("less", &less));
    // Another name, another tag, a count that has two bytes, everywhere.
    for place in [1, 4, 5, 10, 13, 14] {
        for byte in [0, 3, 11, 12, 0x80, 0xff] {
            let mut wrong = bytes.clone();
            wrong[body(30).start + place] = byte;
            agree::<Vec<Inner>>("wrong", &wrong);
            (0..60).for_each(|n| wrong[body(n).start + place] = byte);
            agree::<Vec<Inner>>("all wrong", &wrong);
        }
    }
}

/// Integers of any width in one to eleven bytes, at the end of the input and before other bytes.
#[test]
fn integers_of_any_length() {
    fn width<T: TestType>(alone: &[u8], followed: &[u8]) {
        agree::<(T,)>("alone", alone);
        for end in 0..=followed.len() {
            agree::<(T, f64)>("followed", &followed[..end]);
        }
    }

    for len in 1..=11 {
        for (fill, last) in [(0, 0), (0, 1), (0x7f, 0), (0x7f, 1), (0x7f, 3), (0x7f, 0x7f)] {
            let mut vint = vec![0x80 | fill; len];
            vint[len - 1] = last;
            for tag in [16, 17] {
                let alone = [&[20, 1, tag], vint.as_slice()].concat();
                let float = [12, 0x40, 9, 0x21, 0xfb, 0, 0, 0, 0];
                let followed = [&[20, 2, tag], vint.as_slice(), &float].concat();
                macro_rules! widths {
                    ($($type:ident)*) => { $( width::<$type>(&alone, &followed); )* };
                }
                widths! { u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 }
            }
        }
    }
}

/// Values of a fixed size that have a fast path although their type is no number.
#[test]
fn units_and_bytes_in_windows() {
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Nothing;

    check::<Vec<(f64, (), Nothing)>>("units", |g| {
        (0..30).map(|_| (random::value(g), (), Nothing)).collect()
    });
    let marked: Vec<_> =
        (0..30_u8).map(|n| (f64::from(n), Int8(n), Int16(300 + u16::from(n)))).collect();
    let bytes = to_vec(&marked).unwrap();
    assert!(agree::<Vec<(f64, u8, u16)>>("bytes", &bytes));
    assert!(agree::<Vec<(f64, i64, i32)>>("wider", &bytes));
    assert!(!agree::<Vec<(f64, u8, u8)>>("narrower", &bytes));
    let units = to_vec(&vec![(1.5, ()); 30]).unwrap();
    for (place, byte) in (0..units.len()).flat_map(|place| [0, 1, 24].map(|byte| (place, byte))) {
        let mut wrong = units.clone();
        wrong[place] = byte;
        agree::<Vec<(f64, ())>>("wrong", &wrong);
    }
}

/// Texts of the lengths at which other code paths begin, also with redundant bytes in their length.
#[test]
fn texts_of_any_length() {
    for len in [0, 1, 3, 4, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 127, 128, 129, 300, 16_384] {
        for text in ["a".repeat(len), "ä".repeat(len.div_ceil(2))] {
            let bytes = to_vec(&text).unwrap();
            assert!(agree::<String>("text", &bytes));
            let count = bytes.len() - text.len() - 1;
            let mut longer = bytes.clone();
            longer[count] |= 0x80;
            longer.splice(count + 1..=count, [0x80, 0]);
            assert!(agree::<String>("longer count", &longer));
            assert!(!agree::<String>("cut", &bytes[..bytes.len() - 1]) || len == 0);
            let mut wrong = bytes.clone();
            if let Some(last) = wrong[count + 1..].last_mut() {
                *last = 0xff;
                assert!(!agree::<String>("no text", &wrong));
            }
        }
    }
}

/// Numbers beyond 64 bits do not cause a second reading.
#[test]
fn wide_numbers_are_read_once() {
    thread_local! {
        static TIMES: Cell<usize> = const { Cell::new(0) };
    }
    #[derive(Debug, PartialEq, Serialize)]
    struct Counted(u8);

    impl<'de> Deserialize<'de> for Counted {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            TIMES.set(TIMES.get() + 1);
            u8::deserialize(deserializer).map(Counted)
        }
    }

    let half = 1 << 64;
    for unsigned in [0, 127, 128, half - 1, half, half + 1, u128::MAX >> 1, u128::MAX] {
        for signed in [0, -1, half.cast_signed(), (half / 2).cast_signed(), i128::MIN, i128::MAX] {
            let value = (Counted(7), unsigned, [signed, -1 - signed], Svint(u64::MAX / 2));
            let bytes = to_vec(&value).unwrap();
            TIMES.set(0);
            let read: (Counted, u128, [i128; 2], Svint<u64>) = from_slice(&bytes).unwrap();
            assert_eq!((read, TIMES.get()), (value, 1), "{}", Hex(&bytes));
            // One number too large for its type, and a vint without its end.
            assert!(
                from_slice::<(Counted, u64, [i128; 2], u64)>(&bytes).is_err() || unsigned < half
            );
            assert!(!agree::<(u8, u128, [i128; 2])>("cut", &bytes[..bytes.len() - 1]));
        }
    }
}
