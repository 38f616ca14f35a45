//! Items of sequences are written to memory by fast paths, and to a stream one by one. Both have the same bytes, or the
//! same error.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt::Debug;

use fourfold::tsm::{Options, from_slice, to_vec};
use serde::de::DeserializeOwned;
use serde::ser::{Serialize, SerializeSeq, SerializeStruct};
use serde::{Deserialize, Serializer};

use crate::support::outcome::assert_same;

/// Writes `value` both ways, and asserts that the results are equal.
#[track_caller]
fn both<T: Serialize>(options: &Options, value: &T) -> Option<Vec<u8>> {
    let one = options.to_vec(value);
    let mut bytes = Vec::new();
    let other = options.to_writer(&mut bytes, value).map(|()| bytes);
    assert_same(&"in memory and to a writer", &one, &other);
    one.ok()
}

/// The same for a value that survives.
#[track_caller]
fn round<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let bytes = both(&Options::new(), value).expect("it can be written");
    assert_eq!(&from_slice::<T>(&bytes).unwrap(), value);
}

#[derive(serde::Serialize, Deserialize, Debug, PartialEq, Clone, Copy)]
enum Kind {
    A,
    B,
    C,
    D,
}

const KINDS: [Kind; 4] = [Kind::A, Kind::B, Kind::C, Kind::D];

#[derive(serde::Serialize, Deserialize, Debug, PartialEq, Clone, Copy)]
struct Metres(f32);

#[derive(serde::Serialize, Deserialize, Debug, PartialEq, Clone)]
enum Shape {
    Nothing,
    Round(Metres),
    Named { name: String, kind: Option<Kind> },
    Both(String, u16),
    Around(Box<Shape>),
}

#[derive(serde::Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Item {
    kind: Option<Kind>,
    height: Option<Metres>,
    wide: Option<u64>,
    deep: Option<Option<bool>>,
    text: String,
    flags: Vec<bool>,
    numbers: Vec<u16>,
    places: Vec<(i8, f64)>,
    words: Vec<String>,
    shapes: Vec<Shape>,
    map: BTreeMap<String, Kind>,
    letter: char,
    big: u128,
}

fn item(size: usize) -> Item {
    let small = u8::try_from(size % 256).unwrap();
    let (kind, text) = (KINDS[size % 4], "ab¢d".chars().cycle().take(size).collect::<String>());
    Item {
        kind: (size % 3 > 0).then_some(kind),
        height: (size % 5 > 2).then_some(Metres(f32::from(small))),
        wide: (size % 2 > 0).then_some(u64::MAX - size as u64),
        deep: [None, Some(None), Some(Some(true)), Some(Some(false))][size % 4],
        flags: (0..size % 40).map(|at| at % 3 == 0).collect(),
        numbers: (900..).take(size % 37).collect(),
        places: (0_i8..).take(size % 7).map(|at| (-at, f64::from(at))).collect(),
        words: (0..size % 5).map(|at| text.chars().take(at * 9).collect()).collect(),
        shapes: match size % 6 {
            0 => vec![],
            1 => vec![Shape::Nothing, Shape::Round(Metres(1.5))],
            2 => vec![Shape::Named { name: text.clone(), kind: Some(kind) }],
            3 => vec![Shape::Both(text.clone(), 7), Shape::Nothing],
            _ => vec![Shape::Around(Box::new(Shape::Around(Box::new(Shape::Nothing)))); 3],
        },
        map: (0..size % 4).map(|at| (format!("{at:>size$}"), KINDS[at])).collect(),
        letter: 'ß',
        big: 1 << 100,
        text,
    }
}

#[test]
fn items_of_all_sizes() {
    round(&(0..150).map(item).collect::<Vec<_>>());
    round(&(0..150).rev().map(item).collect::<Vec<_>>());
    // A large item among small ones, for which no memory was reserved.
    for large in [300, 1_000, 5_000, 70_000] {
        round(&[0, 1, 2, large, 3, 4, large, large, 5].map(item).to_vec());
    }
}

#[test]
fn text_of_every_length_at_every_distance_from_the_end() {
    for front in 0..8 {
        let text = |size: usize| (front.min(3), "x".repeat(size), Some(size));
        round(&(0..200).map(text).collect::<Vec<_>>());
        round(&vec![vec![text(front); 400], vec![text(63), text(64), text(65), text(66)]]);
    }
}

#[test]
fn items_without_bytes_are_counted_at_each_position() {
    let nested = |count: usize, each: usize| vec![(String::new(), vec![(); each]); count];
    for (count, each) in [(3, 0), (3, 7), (4, 1024), (64, 64), (64, 65), (2, 4096)] {
        both(&Options::new(), &nested(count, each));
        both(&Options::new(), &vec![vec![[(); 3]; each]; count]);
        both(&Options::new(), &vec![BTreeMap::from([((), ())]); each]);
    }
    assert!(both(&Options::new(), &nested(64, 64)).is_some());
    assert!(both(&Options::new(), &nested(64, 65)).is_none());
}

/// A recursive value.
#[derive(serde::Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Tree {
    name: String,
    inner: Vec<Tree>,
    wrapped: Option<Box<Tree>>,
}

fn tree(depth: usize) -> Tree {
    let below = depth.checked_sub(1).map(tree);
    let wrapped = below.clone().filter(|_| depth % 3 == 0).map(Box::new);
    Tree { name: "t".repeat(depth), inner: below.into_iter().collect(), wrapped }
}

#[test]
fn the_limit_of_depth_is_the_same() {
    let trees = vec![tree(0), tree(5), tree(12)];
    let accepted =
        (0..80).filter(|limit| both(&Options::new().max_depth(*limit), &trees).is_some());
    let accepted: Vec<u16> = accepted.collect();
    assert_eq!(accepted, (accepted[0]..80).collect::<Vec<_>>());
    assert!(accepted[0] > 20, "{accepted:?}");
    let deep = (0..60).fold(Vec::new(), |inner, _| vec![Nested(inner)]);
    for limit in 50..70 {
        both(&Options::new().max_depth(limit), &vec![Nested(deep.clone()), Nested(vec![])]);
    }
}

#[derive(serde::Serialize, Clone)]
struct Nested(Vec<Nested>);

/// An item that announces another count of items than it has, after text.
struct Count(usize, usize);

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut fields = to.serialize_struct("Count", 2)?;
        fields.serialize_field("text", "in front")?;
        fields.serialize_field("items", &Lying(self.0, self.1))?;
        fields.end()
    }
}

struct Lying(usize, usize);

impl Serialize for Lying {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0 % 2 {
            0 => to.collect_seq(WrongSizeHint { announced: self.0, left: self.1 }),
            _ => {
                let mut items = to.serialize_seq(Some(self.0))?;
                (0..self.1).try_for_each(|_| items.serialize_element("x"))?;
                items.end()
            }
        }
    }
}

struct WrongSizeHint {
    announced: usize,
    left: usize,
}

impl Iterator for WrongSizeHint {
    type Item = u16;

    fn next(&mut self) -> Option<u16> {
        self.left = self.left.checked_sub(1)?;
        u16::try_from(self.left).ok()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.announced, Some(self.announced))
    }
}

#[test]
fn counts_that_are_wrong_are_refused_alike() {
    for announced in 0..6 {
        for given in 0..6 {
            let written =
                both(&Options::new(), &vec![Count(1, 1), Count(2, 2), Count(announced, given)]);
            assert_eq!(written.is_some(), announced == given, "{announced} {given}");
        }
    }
}

/// Items that are not numbers, with a wrong count.
struct Pairs(usize, usize);

impl Serialize for Pairs {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let pairs = WrongSizeHint { announced: self.0, left: self.1 };
        match self.1 % 2 {
            0 => to.collect_seq(Mapped(pairs, |at| (at, Kind::B))),
            _ => to.collect_seq(Mapped(pairs, |at| (at, "text"))),
        }
    }
}

/// Maps the items of an iterator with a wrong size hint.
struct Mapped<T>(WrongSizeHint, fn(u16) -> T);

impl<T> Iterator for Mapped<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.0.next().map(self.1)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

#[test]
fn wrong_counts_of_other_items_are_refused_alike() {
    for announced in 0..5 {
        for given in 0..5 {
            let mut items: Vec<_> = (0..9).map(|_| ("text", Pairs(2, 2))).collect();
            items.push(("text", Pairs(3, 3)));
            items.push(("text", Pairs(announced, given)));
            assert_eq!(
                both(&Options::new(), &items).is_some(),
                announced == given,
                "{announced} {given}"
            );
        }
    }
}

/// Counts how often it is written.
struct Watched<'a>(&'a Cell<usize>, String);

impl Serialize for Watched<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.0.set(self.0.get() + 1);
        self.1.serialize(to)
    }
}

#[test]
fn hardly_any_item_is_written_twice() {
    let count = 5_000;
    for front in [0, 100, 2_000, 20_000, 300_000] {
        let seen = Cell::new(0);
        let items = |count: usize| -> Vec<_> {
            (0..count).map(|at| (at, Watched(&seen, "x".repeat(at % 50)))).collect()
        };
        both(&Options::new(), &("-".repeat(front), items(10), items(count), items(count)));
        // Once for the stream, once for memory.
        let (times, least) = (seen.get(), 2 * (2 * count + 10));
        assert!((least..least + 500).contains(&times), "{front}: {times} times");
    }
}

/// An item that continues after a refused field, or leaves one out.
struct Swallows(u8);

impl Serialize for Swallows {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut fields = to.serialize_struct("Swallows", 2)?;
        fields.serialize_field("text", "in front")?;
        match self.0 {
            0 => fields.serialize_field("second", &1_u8)?,
            1 => drop(fields.serialize_field("second", &Lying(1, 2))),
            2 => drop(fields.skip_field("second")),
            3 => {}
            _ => {
                fields.serialize_field("second", &1_u8)?;
                fields.serialize_field("third", "too many")?;
            }
        }
        fields.end()
    }
}

#[test]
fn refused_or_missing_fields_are_errors() {
    for kind in 0..5 {
        let written = both(&Options::new(), &[Swallows(0), Swallows(0), Swallows(kind)].as_slice());
        assert_eq!(written.is_some(), kind == 0, "{kind}");
    }
}

/// Text that can be printed only once.
struct Once(Cell<bool>);

impl Serialize for Once {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl std::fmt::Display for Once {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        assert!(!self.0.replace(true), "printed twice");
        f.write_str("once")
    }
}

#[test]
fn text_is_printed_once() {
    let items: Vec<_> = (0..9).map(|at| (at, Once(Cell::new(false)))).collect();
    let bytes = to_vec(&items).unwrap();
    assert_eq!(from_slice::<Vec<(i32, String)>>(&bytes).unwrap()[8], (8, "once".to_owned()));
}
