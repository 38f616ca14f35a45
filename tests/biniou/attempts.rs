//! Two ways in agree: `from_slice` begins with a fast attempt, a `Deserializer` never does. Whatever
//! the bytes, both give the same value, or the same kind of error at the same place.

use std::fmt::Debug;

use fourfold::biniou::with::{Char, Float32, Int8, Int16, Int32, Int64, Table};
use fourfold::biniou::{self, Deserializer, from_slice, to_vec};
use quickcheck::Gen;
use serde::de::{DeserializeOwned, Error, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};

use crate::mutation::Messages;
use crate::support::random;
use crate::zoo::Hex;

/// Damaged messages per type.
const MUTATIONS: usize = if cfg!(debug_assertions) { 150 } else { 10_000 };

/// Is read without a first attempt: one is not worth anything where the text of an error was read.
struct Thorough<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Thorough<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        assert!(!D::Error::custom("nothing").to_string().is_empty());
        T::deserialize(deserializer).map(Thorough)
    }
}

/// This one looks at each record before it reads it, so it may see another fault first.
fn ahead<T: DeserializeOwned>(bytes: &[u8]) -> biniou::Result<T> {
    let mut deserializer = Deserializer::from_slice(bytes);
    let value = T::deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// Whether there is a value.
#[track_caller]
fn agree<T: DeserializeOwned + PartialEq + Debug>(name: &str, bytes: &[u8]) -> bool {
    let shown = Hex(bytes);
    // NaN looks like NaN.
    let same = |a: &T, b: &T| a == b || format!("{a:?}") == format!("{b:?}");
    let (ours, ahead) = (from_slice::<T>(bytes), ahead::<T>(bytes));
    match (&ours, &ahead) {
        (Ok(ours), Ok(ahead)) => assert!(same(ours, ahead), "{name} {shown}: {ours:?}, {ahead:?}"),
        (Err(_), Err(_)) => {}
        _ => panic!("{name} from {shown}: {ours:?}, {ahead:?}"),
    }
    match (ours, from_slice::<Thorough<T>>(bytes)) {
        (Ok(ours), Ok(Thorough(theirs))) => {
            assert!(same(&ours, &theirs), "{name} {shown}: {ours:?}, {theirs:?}");
            true
        }
        (Err(ours), Err(theirs)) => {
            assert_eq!(ours.to_string(), theirs.to_string(), "{name} from {shown}");
            assert_eq!(ours.offset(), theirs.offset(), "{name} from {shown}");
            assert_eq!(ours.path(), theirs.path(), "{name} from {shown}");
            assert_eq!(format!("{:?}", ours.kind()), format!("{:?}", theirs.kind()));
            false
        }
        (ours, theirs) => {
            panic!("{name} from {shown}: {ours:?}, {:?}", theirs.map(|Thorough(value)| value))
        }
    }
}

/// Messages of a type as they are, and damaged.
fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(
    name: &str,
    make: impl Fn(&mut Gen) -> T,
) {
    let mut messages = Messages::of(name, make);
    if messages.seeds.is_empty() {
        return;
    }
    for seed in &messages.seeds {
        agree::<T>(name, seed);
    }
    for _ in 0..MUTATIONS {
        agree::<T>(name, &messages.next());
    }
}

#[test]
fn types_of_the_zoo() {
    macro_rules! zoo {
        ($($word:ident $name:ident = $make:expr;)*) => {{
            #[allow(unused_imports, reason = "not every generator is by hand")]
            use crate::support::{random::value, zoo::*};
            $( check::<crate::support::zoo::$name>(stringify!($name), $make); )*
        }};
    }
    crate::support::zoo::for_each_zoo_type!(zoo);
}

/// A record that is read through a window.
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

/// One that is none: its integers have any width.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Loose {
    x: f32,
    n: u32,
    letter: Char<char>,
}

/// Goes on without a corner that it cannot read.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
struct Lenient(Inner);

impl<'de> Deserialize<'de> for Lenient {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let inner = Inner::deserialize(deserializer);
        Ok(Lenient(inner.unwrap_or(Inner { a: Wrapped(-1.0), b: -1.0 })))
    }
}

/// Asks for the second number as the first one says.
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

impl<'de> Deserialize<'de> for Moody {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Moods;
        impl<'de> Visitor<'de> for Moods {
            type Value = Moody;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a truth and two numbers")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Moody, A::Error> {
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
        deserializer.deserialize_tuple(3, Moods)
    }
}

/// Keeps what is wrong.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
enum Told {
    Good(f32),
    Bad(String),
}

impl<'de> Deserialize<'de> for Told {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f32::deserialize(deserializer).and_then(|number| match number < 0.0 {
            true => Err(D::Error::custom("below zero")),
            false => Ok(number),
        });
        Ok(number.map_or_else(|error| Told::Bad(error.to_string()), Told::Good))
    }
}

/// From 0 to 60 items, so that some of them have bytes enough behind them.
fn many<T>(g: &mut Gen, make: impl Fn(&mut Gen) -> T) -> Vec<T> {
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
    let moody = |up| move |g: &mut Gen| Moody { up, bits: random::value(g) };
    check::<Vec<Moody>>("Moody", |g| many(g, moody(false)));
    check::<Vec<Moody>>("Moodier", |g| {
        let up = random::value(g);
        many(g, moody(up))
    });
    check::<Vec<Told>>("Told", |g| many(g, |g| Told::Good(random::value(g))));
    check::<Vec<(f64, Told)>>("ToldLast", |g| {
        many(g, |g| (random::value(g), Told::Good(random::value(g))))
    });
}

/// An item that is unlike the first in size, order or kind, or has another after it that is not.
#[test]
fn an_item_unlike_the_others() {
    let inner = |n: f32| Inner { a: Wrapped(n), b: -n };
    let items: Vec<Inner> = (0..60_u8).map(|n| inner(n.into())).collect();
    let bytes = to_vec(&items).unwrap();
    let item = 1 + 2 * 9;
    let body = |n: usize| 3 + item * n..3 + item * (n + 1);
    assert_eq!(bytes.len(), body(59).end);
    // The fields the other way around.
    let mut turned = bytes.clone();
    turned[body(30)].copy_within(10..19, 1);
    turned[body(30)][10..19].copy_from_slice(&bytes[body(30)][1..10]);
    assert!(agree::<Vec<Inner>>("turned", &turned));
    assert_eq!(from_slice::<Vec<Inner>>(&turned).unwrap(), items);
    // A field more, and one less.
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
