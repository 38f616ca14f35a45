//! Depth, memory and size.

mod claims;

use crate::round_trip::{Hex, Type, assert_reason, types};
use crate::support::alloc::{Stats, measure_value};
use crate::support::erased::{TestType, Value, check_each};
use crate::support::format::Tsm;
use crate::support::zoo;
use crate::support::zoo::deep::{calls, chain, directory, list, negatives, nest, tree};
use crate::support::zoo::{Key, Point, Record, Shape, Suit};
use fourfold::Category;
use fourfold::tsm::{self, Options, Serializer, from_reader, from_slice, to_vec, to_writer};
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt::Debug;

/// Reading holds at most this many bytes per byte of input, plus a constant for an error and for
/// what has no bytes. The most that a type of these tests takes: an option of sixteen bytes in
/// memory is one byte in a file, in a vector that doubles as it grows.
const PEAK: usize = 32;
const CONSTANT: usize = 16 << 10;

#[track_caller]
fn assert_bounded(stats: Stats, input: usize) {
    assert!(
        stats.peak <= input.saturating_mul(PEAK).saturating_add(CONSTANT),
        "{stats:?} of {input}"
    );
    assert!(
        stats.total <= input.saturating_mul(2 * PEAK).saturating_add(CONSTANT),
        "{stats:?} of {input}"
    );
}

#[test]
fn results_are_one_pointer() {
    assert_eq!(size_of::<tsm::Result<()>>(), size_of::<*const ()>());
}

/// Most kinds of level in one type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Tower {
    Top,
    Tuple(u8, Box<Tower>),
    Pair(Box<(u8, Tower)>),
    Array(Box<[Tower; 1]>),
    Map(BTreeMap<u8, Tower>),
    Seq(Vec<Tower>),
    Field { maybe: Option<Box<Tower>> },
    Named(Box<Named>),
    Key(BTreeMap<Box<Deep>, u8>),
    Result(Box<Result<Tower, u8>>),
    Raw(tsm::with::Raw<[u8; 2]>),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Named(Option<Tower>);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Deep(Option<Box<Deep>>);

fn tower(levels: usize) -> Tower {
    let top = Tower::Raw(tsm::with::Raw([1, 2]));
    (0..levels).fold(top, |inner, level| match level % 8 {
        0 => Tower::Tuple(0, Box::new(inner)),
        1 => Tower::Pair(Box::new((0, inner))),
        2 => Tower::Array(Box::new([inner])),
        3 => Tower::Map(BTreeMap::from([(0, inner)])),
        4 => Tower::Seq(vec![Tower::Top, inner]),
        5 => Tower::Field { maybe: Some(Box::new(inner)) },
        6 => Tower::Named(Box::new(Named(Some(inner)))),
        _ => Tower::Result(Box::new(Ok(inner))),
    })
}

fn keys(levels: usize) -> Tower {
    let deep = (0..levels).fold(Deep(None), |inner, _| Deep(Some(Box::new(inner))));
    Tower::Key(BTreeMap::from([(Box::new(deep), 1)]))
}

/// The least depth that does, if all from there on do and none before, on both sides.
fn assert_same_depth<T: TestType>(value: &T, depths: impl Iterator<Item = u16>) -> Option<u16> {
    check_depths(&Type::of::<T>("value"), value, &mut { depths })
}

fn check_depths(
    ty: &Type,
    value: &Value<Tsm>,
    depths: &mut dyn Iterator<Item = u16>,
) -> Option<u16> {
    let bytes = value.to_vec_with(&Options::new().max_depth(u16::MAX)).ok()?;
    let shown = Hex(&bytes);
    let mut least = None;
    for depth in depths {
        let options = Options::new().max_depth(depth);
        let (written, read) = (value.to_vec_with(&options), ty.from_slice_with(&options, &bytes));
        match (written, read) {
            (Ok(written), Ok(read)) => {
                assert_eq!(Hex(&written), shown, "depth {depth}");
                assert_eq!(*read, *value, "depth {depth}");
                least.get_or_insert(depth);
            }
            (Err(write), Err(read)) => {
                assert_reason(&write, &value);
                assert_reason(&read, &value);
                assert_eq!(write.category(), Category::Limit, "{write}");
                assert_eq!(read.category(), Category::Limit, "{read} in {shown}");
                assert!(read.offset().is_some(), "{read}");
                // Names may differ: when reading, serde lists aliases among them.
                let steps = |error: &tsm::Error| error.path().segments().count();
                assert_eq!(steps(&write), steps(&read), "{write}, {read}");
                assert_eq!(least, None, "depth {depth} does not do for {value:?}");
            }
            (Ok(_), Err(read)) => panic!("depth {depth} only writes {value:?}: {read} in {shown}"),
            (Err(write), Ok(_)) => panic!("depth {depth} only reads {value:?}: {write} {shown}"),
        }
    }
    least
}

#[test]
fn writing_and_reading_agree_on_depth() {
    for levels in 0..=20 {
        assert_same_depth(&list(levels), 0..=90).unwrap();
        assert_same_depth(&tree(levels), 0..=90).unwrap();
        assert_same_depth(&nest(levels), 0..=90).unwrap();
        assert_same_depth(&directory(levels), 0..=90).unwrap();
        assert_same_depth(&chain(levels), 0..=90).unwrap();
        assert_same_depth(&negatives(levels), 0..=90).unwrap();
        assert_same_depth(&calls(levels), 0..=90).unwrap();
        assert_same_depth(&tower(levels), 0..=120).unwrap();
        assert_same_depth(&keys(levels), 0..=120).unwrap();
    }
}

/// A level more takes the same again: none is free, so that no chain is endless.
#[test]
fn every_level_counts() {
    fn grows<T: TestType>(make: impl Fn(usize) -> T) {
        let least = |levels| assert_same_depth(&make(levels), 0..=100).unwrap();
        let step = least(8) - least(7);
        assert!(step > 0, "a level is free");
        assert_eq!(least(16) - least(8), 8 * step);
        assert!(least(40) <= 128, "forty levels are too many");
    }
    grows(list);
    grows(tree);
    grows(nest);
    grows(directory);
    grows(chain);
    grows(negatives);
}

#[test]
fn writing_and_reading_agree_on_the_depth_of_every_type() {
    check_each(&types(), |ty| {
        // What is unseen may be written and never read.
        if ty.visible {
            ty.check(20, |_, value| {
                check_depths(ty, value, &mut (0..=16));
            });
        }
    });
}

#[test]
fn forty_levels_are_no_problem() {
    fn round_trip<T: TestType>(value: &T) {
        let bytes = to_vec(value).unwrap();
        assert_eq!(&from_slice::<T>(&bytes).unwrap(), value);
        assert_eq!(&from_reader::<_, T>(bytes.as_slice()).unwrap(), value);
    }
    round_trip(&list(40));
    round_trip(&tree(40));
    round_trip(&nest(40));
    round_trip(&directory(40));
    round_trip(&chain(40));
    round_trip(&negatives(40));
    round_trip(&calls(40));
    round_trip(&tower(40));
}

#[test]
fn what_is_too_deep_is_refused() {
    #[track_caller]
    fn refused<T: TestType>(value: &T) {
        let bytes = Options::new().max_depth(u16::MAX).to_vec(value).unwrap();
        assert_eq!(to_vec(value).unwrap_err().category(), Category::Limit);
        let mut serializer = Serializer::new(Vec::new());
        assert!(value.serialize(&mut serializer).is_err());
        let error = from_slice::<T>(&bytes).unwrap_err();
        assert_eq!(error.category(), Category::Limit, "{error}");
        let mut deserializer = tsm::Deserializer::from_slice(&bytes);
        let error = T::deserialize(&mut deserializer).unwrap_err();
        assert_eq!(error.category(), Category::Limit, "{error}");
    }
    refused(&list(200));
    refused(&tree(200));
    refused(&nest(200));
    refused(&directory(200));
    refused(&chain(200));
    refused(&negatives(200));
    refused(&calls(200));
    refused(&tower(200));
    refused(&keys(200));
}

/// What a value of some size takes, by its size.
#[track_caller]
fn assert_large<T: TestType>(name: &str, value: &T) {
    let bytes = to_vec(value).unwrap();
    let (read, stats) = measure_value(|| from_slice::<T>(&bytes).unwrap());
    // Too large for a message about the difference.
    assert!(&read == value, "{name} comes back as something else");
    assert_bounded(stats, bytes.len());
    let (read, stats) = measure_value(|| from_reader::<_, T>(bytes.as_slice()).unwrap());
    assert!(&read == value, "{name} is read as something else");
    assert_bounded(stats, bytes.len());

    // Writing holds the bytes and no second copy of them, but for a vector that doubles.
    let (again, stats) = measure_value(|| to_vec(value).unwrap());
    assert!(again == bytes, "{name} is written as something else");
    assert!(stats.peak <= 2 * bytes.len() + CONSTANT, "{name} {stats:?}");
    // For a writer it contains no bytes of the message.
    let (written, stats) = measure_value(|| {
        let mut sink = Sum::default();
        to_writer(&mut sink, value).unwrap();
        sink
    });
    assert_eq!(written.count, bytes.len(), "{name}");
    assert!(stats.peak <= 2 * CONSTANT, "{name} {stats:?}");
}

/// Counts, and keeps nothing.
#[derive(Debug, Default)]
struct Sum {
    count: usize,
}

impl std::io::Write for Sum {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.count += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_hundred_thousand_items() {
    const COUNT: u32 = 100_000;
    fn many<T>(make: impl Fn(u32) -> T) -> Vec<T> {
        (0..COUNT).map(make).collect()
    }
    let key = |id: u32| Key { id, name: id.to_string() };
    assert_large("u32", &many(|n| n));
    assert_large("string", &many(|n| n.to_string()));
    assert_large("empty string", &many(|_| String::new()));
    assert_large("bytes", &many(|n| n.to_le_bytes().to_vec()));
    assert_large("none", &many(|_| None::<u8>));
    assert_large("none of eight", &many(|_| None::<u64>));
    assert_large("option", &many(|n| Some(n).filter(|n| n % 3 == 0)));
    assert_large("packed", &many(|n| (n, [1_u8; 3])));
    assert_large("mixed", &many(|n| (n, n.to_string())));
    assert_large("struct", &many(key));
    assert_large("unit variant", &many(|_| Suit::Spades));
    assert_large("variant", &many(Shape::Circle));
    assert_large("deque", &VecDeque::from(many(|n| n)));
    assert_large("map", &BTreeMap::from_iter(many(|n| (n, n.to_string()))));
    assert_large("hash", &HashMap::<u32, u8>::from_iter(many(|n| (n, 1))));
    assert_large("triples", &many(|n| [f32::from_bits(n); 3]));
    assert_large("points", &many(|_| Point { x: 1, y: 2 }));
    assert_large("vectors", &many(|n| vec![String::new(); n as usize % 3]));
    assert_large("raw", &many(|n| tsm::with::Raw(n.to_le_bytes())));
}

#[test]
fn sixty_four_megabytes() {
    const SIZE: usize = 64 << 20;
    let bytes: Vec<u8> = (0_u32..1024).map(|n| n.to_le_bytes()[n as usize % 2]).collect();
    let bytes = ByteBuf::from(bytes.repeat(SIZE / 1024));
    assert_large("bytes", &bytes);
    assert_large("bytes in a tuple", &(1_u8, Some(bytes)));
    assert_large("text", &"sixty-four bytes, of which some are not: äöü ÄÖÜ €".repeat(1 << 20));
    // Item by item, which takes its time without optimization.
    let count = if cfg!(debug_assertions) { SIZE / 64 } else { SIZE / 8 };
    assert_large("numbers", &vec![0x0102_0304_0506_0708_u64; count]);
}

#[test]
fn memory_follows_the_input() {
    let key = |n: u32| Key { id: n, name: "name".repeat(n as usize % 5) };
    let record = Record {
        id: 1,
        key: key(1),
        corner: None,
        corners: vec![zoo::Point { x: 1, y: 2 }; 1000],
        keys: Some((0..1000).map(key).collect()),
        shape: Shape::Nothing,
        suits: vec![Suit::Hearts; 1000],
        parent: None,
    };
    assert_large("record", &record);
    assert_large("tree", &tree(20));
    assert_large("tower", &tower(20));
}

/// Counts have 31 bits.
#[test]
#[cfg(target_pointer_width = "64")]
fn two_gigabytes_and_more() {
    // The bytes are not read: the pages are never made.
    let bytes = vec![0_u8; 1 << 31];
    let (error, stats) = measure_value(|| to_vec(serde_bytes::Bytes::new(&bytes)).unwrap_err());
    assert_reason(&error, &"two gigabytes");
    assert!(error.to_string().contains("2147483648"), "{error}");
    assert_bounded(stats, 0);
    let units = vec![(); 1 << 31];
    let (error, stats) = measure_value(|| to_vec(&units).unwrap_err());
    assert_reason(&error, &"two milliards of nothing");
    assert_bounded(stats, 0);
}

/// In one value there may be so many items without bytes, and one more is refused on both sides.
#[test]
fn items_without_bytes() {
    #[track_caller]
    fn limit<T: TestType>(make: impl Fn(usize) -> T) {
        for count in [0, 1, 4095, 4096] {
            let value = make(count);
            let bytes = to_vec(&value).unwrap();
            assert!(from_slice::<T>(&bytes).unwrap() == value, "{count}");
            assert!(from_reader::<_, T>(bytes.as_slice()).unwrap() == value, "{count}");
        }
        for count in [4097, 5000, 100_000] {
            let error = to_vec(&make(count)).unwrap_err();
            assert_eq!(error.category(), Category::Limit, "{count}: {error}");
            assert_reason(&error, &count);
        }
        // What the writer would not write is not read either.
        let bytes = to_vec(&make(4096)).unwrap();
        let at = bytes.windows(4).position(|four| four == 4096_u32.to_le_bytes()).unwrap();
        for count in [4097_i32, 5000, 65_536, i32::MAX] {
            let mut bytes = bytes.clone();
            bytes[at..at + 4].copy_from_slice(&count.to_le_bytes());
            let (read, stats) = measure_value(|| from_slice::<T>(&bytes).map(|_| ()));
            let error = read.unwrap_err();
            assert_reason(&error, &count);
            assert!(stats.peak <= CONSTANT + 128 * 4096, "{stats:?} {error}");
        }
    }
    limit(|count| vec![(); count]);
    limit(|count| vec![zoo::UnitStruct; count]);
    limit(|count| vec![zoo::Empty {}; count]);
    limit(|count| vec![((), [(); 2]); count]);
    limit(|count| vec![[0_u8; 0]; count]);
    limit(|count| VecDeque::from(vec![zoo::EmptyTuple(); count]));
    limit(|count| (7_u8, vec![(); count], 8_u8));
    limit(|count| Some(vec![(); count]));
    limit(|count| vec![vec![(); count]]);
    limit(|count| BTreeMap::from([(1_u16, vec![(); count])]));
    limit(|count| (zoo::Hollow::VecInside(vec![1]), vec![(); count]));
    // All together, and one more.
    let two = |a, b| (vec![(); a], vec![(); b]);
    assert_eq!(to_vec(&two(2000, 2096)).unwrap().len(), 8);
    assert_eq!(
        from_slice::<(Vec<()>, Vec<()>)>(&[0, 8, 0, 0, 0, 8, 0, 0]).unwrap(),
        two(2048, 2048)
    );
    assert_eq!(to_vec(&two(2048, 2049)).unwrap_err().category(), Category::Limit);
    assert!(from_slice::<(Vec<()>, Vec<()>)>(&[0, 8, 0, 0, 1, 8, 0, 0]).is_err());
    // Others are not counted.
    let many = (vec![(); 4096], vec![1_u8; 10_000], vec![None::<()>; 5000], [(); 32]);
    let bytes = to_vec(&many).unwrap();
    assert!(from_slice::<(Vec<()>, Vec<u8>, Vec<Option<()>>, [(); 32])>(&bytes).unwrap() == many);
    // Each value has its own.
    for _ in 0..3 {
        assert_eq!(to_vec(&vec![(); 4096]).unwrap().len(), 4);
        assert_eq!(from_slice::<Vec<()>>(&[0, 16, 0, 0]).unwrap().len(), 4096);
    }
}
