//! Limits of depth, memory and size.

mod claims;

use crate::round_trip::{assert_reason, types};
use crate::support::alloc::measure_value;
use crate::support::depth::{self, Deep};
use crate::support::erased::TestType;
use crate::support::format::Tsm;
use crate::support::large::{self, Bound, many};
use crate::support::zoo;
use fourfold::Category;
use fourfold::tsm::{self, from_reader, from_slice, to_vec};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

/// The most that a type of these tests takes: an option of sixteen bytes in memory is one byte in a file, in a vector that
/// doubles as it grows.
const BOUND: Bound = Bound { peak: 32, total: 64, constant: 16 << 10 };

/// A type with most kinds of nesting.
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
    Key(BTreeMap<Box<Level>, u8>),
    Result(Box<Result<Tower, u8>>),
    Raw(tsm::with::Raw<[u8; 2]>),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Named(Option<Tower>);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Level(Option<Box<Level>>);

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
    let deep = (0..levels).fold(Level(None), |inner, _| Level(Some(Box::new(inner))));
    Tower::Key(BTreeMap::from([(Box::new(deep), 1)]))
}

fn deep_types() -> Vec<Deep<Tsm>> {
    let own = [Deep::new("tower", tower), Deep::new("keys", keys)];
    depth::zoo().into_iter().chain(own).collect()
}

#[test]
fn writing_and_reading_agree_on_depth() {
    depth::writing_and_reading_agree(&deep_types());
}

#[test]
fn every_level_counts() {
    depth::every_level_counts(&depth::zoo::<Tsm>());
}

#[test]
fn writing_and_reading_agree_on_the_depth_of_every_type() {
    depth::every_type_agrees(&types(), 20);
}

#[test]
fn forty_levels_are_accepted_and_two_hundred_refused() {
    depth::default_accepts(&deep_types(), 40);
}

#[test]
fn many_items() {
    large::items::<Tsm>(&BOUND);
    let raw = many(|n| tsm::with::Raw(n.to_le_bytes()));
    BOUND.hold_for::<Tsm, _>("raw", &raw);
}

#[test]
fn sixty_four_megabytes() {
    large::sixty_four_megabytes::<Tsm>(&BOUND);
}

#[test]
fn memory_is_proportional_to_the_input() {
    large::nested::<Tsm>(&BOUND);
    BOUND.hold_for::<Tsm, _>("tower", &tower(20));
}

/// Counts have 31 bits.
#[test]
#[cfg(target_pointer_width = "64")]
fn counts_beyond_31_bits_are_refused() {
    // The bytes are not accessed, so the pages are not allocated.
    let bytes = vec![0_u8; 1 << 31];
    let (error, stats) = measure_value(|| to_vec(serde_bytes::Bytes::new(&bytes)).unwrap_err());
    assert_reason(&error, &"two gigabytes");
    assert!(error.to_string().contains("2147483648"), "{error}");
    BOUND.hold(stats, 0);
    let units = vec![(); 1 << 31];
    let (error, stats) = measure_value(|| to_vec(&units).unwrap_err());
    assert_reason(&error, &"two milliards of nothing");
    BOUND.hold(stats, 0);
}

/// Writer and reader accept the same number of items without bytes in a value.
#[test]
fn items_without_bytes_are_limited() {
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
        // The reader refuses the counts that the writer refuses.
        let bytes = to_vec(&make(4096)).unwrap();
        let at = bytes.windows(4).position(|four| four == 4096_u32.to_le_bytes()).unwrap();
        for count in [4097_i32, 5000, 65_536, i32::MAX] {
            let mut bytes = bytes.clone();
            bytes[at..at + 4].copy_from_slice(&count.to_le_bytes());
            let (read, stats) = measure_value(|| from_slice::<T>(&bytes).map(|_| ()));
            let error = read.unwrap_err();
            assert_reason(&error, &count);
            assert!(stats.peak <= BOUND.constant + 128 * 4096, "{stats:?} {error}");
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
    // The limit for all sequences of a value together, and one more.
    let two = |a, b| (vec![(); a], vec![(); b]);
    assert_eq!(to_vec(&two(2000, 2096)).unwrap().len(), 8);
    assert_eq!(
        from_slice::<(Vec<()>, Vec<()>)>(&[0, 8, 0, 0, 0, 8, 0, 0]).unwrap(),
        two(2048, 2048)
    );
    assert_eq!(to_vec(&two(2048, 2049)).unwrap_err().category(), Category::Limit);
    assert!(from_slice::<(Vec<()>, Vec<()>)>(&[0, 8, 0, 0, 1, 8, 0, 0]).is_err());
    // Items with bytes are not counted.
    let many = (vec![(); 4096], vec![1_u8; 10_000], vec![None::<()>; 5000], [(); 32]);
    let bytes = to_vec(&many).unwrap();
    assert!(from_slice::<(Vec<()>, Vec<u8>, Vec<Option<()>>, [(); 32])>(&bytes).unwrap() == many);
    // Each value has its own limit.
    for _ in 0..3 {
        assert_eq!(to_vec(&vec![(); 4096]).unwrap().len(), 4);
        assert_eq!(from_slice::<Vec<()>>(&[0, 16, 0, 0]).unwrap().len(), 4096);
    }
}
