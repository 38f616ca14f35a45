//! `serialize` is called once for each value of a message, for all types, sizes, positions and depths. So values that can
//! be serialized only once are written completely.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::marker::PhantomData;

use serde::ser::{Serialize, Serializer};

use crate::support::format::{Format, for_formats};

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

/// Counts how often it is serialized.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Counted<T>(T);

impl<T: Serialize> Serialize for Counted<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        CALLS.set(CALLS.get() + 1);
        self.0.serialize(serializer)
    }
}

/// Items that can be iterated once.
struct Once<I>(RefCell<Option<I>>);

impl<I> Once<I> {
    fn new(items: impl IntoIterator<IntoIter = I>) -> Self {
        Once(RefCell::new(Some(items.into_iter())))
    }
}

impl<I: Iterator<Item: Serialize>> Serialize for Once<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.take() {
            Some(items) => serializer.collect_seq(items),
            None => Err(serde::ser::Error::custom("written before")),
        }
    }
}

/// The same for an iterator without a known length, written item by item.
struct Unsized<I>(RefCell<Option<I>>);

impl<I: Iterator<Item: Serialize>> Serialize for Unsized<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeSeq;

        let Some(items) = self.0.take() else {
            return Err(serde::ser::Error::custom("written before"));
        };
        let mut seq = serializer.serialize_seq(items.size_hint().1)?;
        for item in items {
            seq.serialize_element(&item)?;
        }
        seq.end()
    }
}

#[derive(serde::Serialize, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Two<A, B> {
    first: A,
    second: B,
}

#[derive(serde::Serialize, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename = "struct.Point")]
struct Point<T> {
    x: T,
    y: T,
}

#[derive(serde::Serialize, Clone)]
struct New<T>(T);

#[derive(serde::Serialize, Clone)]
enum Choice<T> {
    Newtype(T),
    Tuple(T, T),
    Struct { it: T },
}

/// How often the values in `value` are serialized when it is written.
fn count<T>(write: impl Fn(&T), value: &T) -> usize {
    CALLS.set(0);
    write(value);
    CALLS.get()
}

/// Calls [`check`] with a value at each position, and the number of [`Counted`] in it.
macro_rules! places {
    ($format:ident, $example:expr) => {
        let it = Counted($example);
        let it = || it.clone();
        check::<$format, _>(&it(), 1);
        check::<$format, _>(&Two { first: it(), second: it() }, 2);
        check::<$format, _>(
            &Two { first: Two { first: it(), second: 1u8 }, second: vec![it()] },
            2,
        );
        check::<$format, _>(&New(it()), 1);
        check::<$format, _>(&Counted(New(it())), 2);
        check::<$format, _>(&Some(it()), 1);
        check::<$format, _>(&vec![Some(it()), None, Some(it())], 2);
        check::<$format, _>(&(it(),), 1);
        check::<$format, _>(&(it(), 1u8), 1);
        check::<$format, _>(&(1u8, it(), String::from("text"), it()), 2);
        check::<$format, _>(&((1u8, it()), (it(), 2u16)), 2);
        check::<$format, _>(&[it(), it(), it()], 3);
        check::<$format, _>(&Counted([it(), it()]), 3);
        check::<$format, _>(&std::array::from_fn::<_, 20, _>(|_| it()), 20);
        for count in [1, 2, 3, 17, 70, 700] {
            check::<$format, _>(&vec![it(); count], count);
            check::<$format, _>(&vec![Two { first: it(), second: it() }; count], 2 * count);
            check::<$format, _>(&vec![vec![it(), it()]; count], 2 * count);
            check::<$format, _>(&vec![(it(), 1u8); count], count);
            check::<$format, _>(&vec![Counted(vec![Some(it())]); count], 2 * count);
            check::<$format, _>(&vec![New(it()); count], count);
        }
        check::<$format, _>(&vec![Choice::Newtype(it()); 3], 3);
        check::<$format, _>(&vec![Choice::Tuple(it(), it()); 3], 6);
        check::<$format, _>(&vec![Choice::Struct { it: it() }; 3], 3);
        check::<$format, _>(&BTreeMap::from([(it(), it())]), 2);
        check::<$format, _>(&vec![BTreeMap::from([(String::from("key"), it())]); 3], 3);
    };
}

/// How often the values in `value` are serialized by each function that writes.
fn ways<F: Format, T: Serialize>(value: &T) -> [usize; 3] {
    [
        count(|value| drop(F::to_vec(value).unwrap()), value),
        count(|value| F::to_writer(std::io::sink(), value).unwrap(), value),
        count(|value| drop(F::serialize(value).unwrap()), value),
    ]
}

fn check<F: Format, T: Serialize>(value: &T, expected: usize) {
    assert_eq!(ways::<F, _>(value), [expected; 3], "{}", std::any::type_name::<T>());
}

fn each_value_is_serialized_once<F: Format>() {
    places!(F, 7u8);
    places!(F, 7u16);
    places!(F, 7u64);
    places!(F, 7u128);
    places!(F, 'x');
    places!(F, "a text that takes some more bytes than one would think".repeat(9));
    places!(F, (1u8, 2u16));
    places!(F, (1u8, String::from("text")));
    places!(F, [7u8; 32]);
    places!(F, vec![1u32, 2]);
    places!(F, vec![String::from("text")]);
    places!(F, Two { first: 1u8, second: String::from("text") });
    places!(F, Point { x: 1u16, y: 2 });
}

fn iterators_are_written_completely<F: Format>() {
    fn compare<F: Format>(a: &impl Serialize, b: &impl Serialize) {
        assert_eq!(F::to_vec(a).unwrap(), F::to_vec(b).unwrap());
    }

    for count in [0, 1, 2, 7, 40, 700, 9000] {
        let numbers = || (0..count).map(|i| u32::try_from(i).unwrap());
        let texts = || (0..count).map(|i| format!("text {i}").repeat(i % 9));
        let pairs = || numbers().zip(texts()).map(|(a, b)| (b, a));
        let lists = || (0..count).map(|i| vec![i.to_string(); i % 7]);

        macro_rules! everywhere {
            ($items:ident, $kind:ident) => {
                let once = || $kind(RefCell::new(Some($items())));
                let all = || $items().collect::<Vec<_>>();
                compare::<F>(&once(), &all());
                compare::<F>(
                    &Two { first: once(), second: once() },
                    &Two { first: all(), second: all() },
                );
                compare::<F>(&(1u8, once(), once()), &(1u8, all(), all()));
                compare::<F>(&[once(), once()], &[all(), all()]);
                compare::<F>(&vec![once(), once(), once()], &vec![all(), all(), all()]);
                compare::<F>(&Some(Some(New(once()))), &Some(Some(New(all()))));
                compare::<F>(&Choice::Struct { it: once() }, &Choice::Struct { it: all() });
                compare::<F>(&Once::new([once(), once()]), &vec![all(), all()]);
            };
        }

        everywhere!(numbers, Once);
        everywhere!(texts, Once);
        everywhere!(pairs, Once);
        everywhere!(lists, Once);
        everywhere!(numbers, Unsized);
        everywhere!(texts, Unsized);
        everywhere!(pairs, Unsized);
        everywhere!(lists, Unsized);
    }
}

/// A value that contains a message of its own.
struct Inner<F>(usize, PhantomData<F>);

impl<F: Format> Serialize for Inner<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        CALLS.set(CALLS.get() + 1);
        match self.0.checked_sub(1) {
            None => serializer.serialize_bytes(b"innermost"),
            Some(depth) => {
                let inner = F::to_vec(&vec![(Inner::<F>(depth, PhantomData), 1u8)]).unwrap();
                serializer.serialize_bytes(&inner)
            }
        }
    }
}

fn messages_in_messages_are_written_once<F: Format>() {
    for depth in 0..=8 {
        assert_eq!(ways::<F, _>(&Inner::<F>(depth, PhantomData)), [depth + 1; 3], "{depth}");
    }
}

for_formats! {
    [biniou Biniou, molecule Molecule, primitiv Primitiv, tsm Tsm] {
        each_value_is_serialized_once
        iterators_are_written_completely
        messages_in_messages_are_written_once
    }
}
