//! Limits of depth, memory and size. Streams are tested in `limits/streams.rs`.

mod streams;

use crate::marks::marked::{Item, Names, Points};
use crate::round_trip::{Hex, Type, assert_reason};
use crate::support::alloc::measure_value;
use crate::support::depth::{self, Deep};
use crate::support::erased;
use crate::support::format::Molecule;
use crate::support::large::{self, Bound, many};
use crate::support::zoo::{Chain, Key, Nest, Record, Shape};
use crate::support::{random, zoo};
use fourfold::Category;
use fourfold::molecule::with::{DynVec, FixVec};
use fourfold::molecule::{self, from_reader, from_slice, to_vec};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt::Debug;

/// The most that a type of these tests takes: an item without bytes has an offset of four in
/// the header and is an enum or option of 32 in memory, in a vector that doubles as it grows.
const BOUND: Bound = Bound { peak: 16, total: 40, constant: 16 << 10 };

/// The mark needs a field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Marked {
    #[serde(with = "fourfold::molecule::with::dynvec")]
    inner: Vec<Marked>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Tower {
    Top,
    Tuple(u8, Box<Tower>),
    Pair(Box<(u8, Tower)>),
    Array(Box<[Tower; 1]>),
    Map(BTreeMap<u8, Tower>),
    Marked(DynVec<Vec<Tower>>),
}

fn marked(levels: usize) -> Marked {
    (0..levels).fold(Marked { inner: vec![] }, |inner, _| Marked { inner: vec![inner] })
}

fn tower(levels: usize) -> Tower {
    (0..levels).fold(Tower::Top, |inner, level| match level % 5 {
        0 => Tower::Tuple(0, Box::new(inner)),
        1 => Tower::Pair(Box::new((0, inner))),
        2 => Tower::Array(Box::new([inner])),
        3 => Tower::Map(BTreeMap::from([(0, inner)])),
        _ => Tower::Marked(DynVec(vec![inner])),
    })
}

fn types() -> Vec<Deep<Molecule>> {
    let own = [Deep::new("marked", marked), Deep::new("tower", tower)];
    depth::zoo().into_iter().chain(own).collect()
}

#[test]
fn writing_and_reading_agree_on_depth() {
    depth::writing_and_reading_agree(&types());
}

#[test]
fn writing_and_reading_agree_on_the_depth_of_every_type() {
    let item = Type::new::<Item>("Item", random::value);
    let types: Vec<Type> = erased::zoo().into_iter().chain([item]).collect();
    depth::every_type_agrees(&types, 40);
}

#[test]
fn forty_levels_are_accepted_and_two_hundred_refused() {
    depth::default_accepts(&types(), 40);
}

/// A hundred thousand nested dynvecs of one item each, the outermost first.
#[test]
fn vectors_that_are_too_deep_take_no_memory() {
    let levels = 100_000_u32;
    let sizes = (1..=levels).rev().map(|level| 4 + 8 * level);
    let mut bytes: Vec<u8> =
        sizes.flat_map(|size| [size.to_le_bytes(), 8_u32.to_le_bytes()]).flatten().collect();
    bytes.extend([4, 0, 0, 0]);
    let (error, stats) = measure_value(|| from_slice::<Nest>(&bytes).unwrap_err());
    assert_eq!(error.category(), Category::Limit, "{error}");
    BOUND.hold(stats, 200 * 8);
    // Options are as deep as their content, and have no bytes of their own.
    assert!(from_slice::<Chain>(&[]).is_ok());
    assert!(from_slice::<Chain>(&[0]).is_err());
}

#[test]
fn many_items() {
    large::items::<Molecule>(&BOUND);
    macro_rules! hold {
        ($($name:literal $value:expr;)*) => { $(BOUND.hold_for::<Molecule, _>($name, &$value);)* };
    }
    // Every item looks like a table, which does not cause a second reading of each item.
    let header = [24 | 16 << 32, 24 | 24 << 32, 7_u64];
    hold! {
        "unit" many(|_| ());
        "dynvec" DynVec(many(|n| vec![n]));
        "fixvec" FixVec(many(|n| (n, true)));
        "headers" many(|_| header);
        "headers and others" (String::new(), many(|_| header));
    }
}

#[test]
fn sixty_four_megabytes() {
    large::sixty_four_megabytes::<Molecule>(&BOUND);
}

#[test]
fn memory_is_proportional_to_the_input() {
    large::nested::<Molecule>(&BOUND);
    BOUND.hold_for::<Molecule, _>("tower", &tower(20));
    BOUND.hold_for::<Molecule, _>("points", &Points(vec![zoo::Point { x: 1, y: 2 }; 1000]));
    BOUND.hold_for::<Molecule, _>("names", &Names(vec![String::new(); 1000]));
    BOUND.hold_for::<Molecule, _>("items", &vec![Item::Nothing; 1000]);
}

/// All sizes have 32 bits.
#[test]
#[ignore = "takes four gigabytes of address space"]
#[cfg(target_pointer_width = "64")]
fn values_of_more_than_four_gigabytes_are_refused() {
    let bytes = vec![0; 1 << 32];
    let (error, stats) = measure_value(|| to_vec(serde_bytes::Bytes::new(&bytes)).unwrap_err());
    assert_reason(&error, &"four gigabytes");
    assert!(error.to_string().contains("4294967296"), "{error}");
    BOUND.hold(stats, 0);
}

/// The same for messages of many small values: in vectors, tuples, and packed values.
#[test]
#[ignore = "takes ten gigabytes of memory"]
#[cfg(target_pointer_width = "64")]
fn messages_of_more_than_four_gigabytes_are_refused() {
    use serde::ser::{SerializeTuple as _, Serializer};

    /// Many numbers, as a sequence or as a tuple.
    struct Numbers<const TUPLE: bool>(usize);

    impl<const TUPLE: bool> Serialize for Numbers<TUPLE> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            if !TUPLE {
                return serializer.collect_seq((0..self.0).map(|_| 7u64));
            }
            let mut tuple = serializer.serialize_tuple(self.0)?;
            for _ in 0..self.0 {
                tuple.serialize_element(&7u64)?;
            }
            tuple.end()
        }
    }

    #[derive(Serialize)]
    #[serde(rename = "struct.Packed")]
    struct Packed(Numbers<true>);

    let some = 1 << 29;
    let part = vec![0; 1 << 30];
    let parts = |count| vec![serde_bytes::Bytes::new(&part); count];
    for result in [
        to_vec(&Numbers::<false>(some)),
        to_vec(&Numbers::<true>(some)),
        to_vec(&Packed(Numbers(some))),
        to_vec(&parts(4)),
    ] {
        let error = result.unwrap_err();
        assert!(error.to_string().contains("beyond the 32 bits"), "{error}");
    }
    assert_eq!(to_vec(&Packed(Numbers(some / 4))).unwrap().len(), 1 << 30);
    assert_eq!(to_vec(&parts(3)).unwrap().len(), 3 * (4 + part.len()) + 16);
}

/// A value that crosses this limit is refused, too.
#[test]
#[ignore = "takes nine gigabytes of memory"]
#[cfg(target_pointer_width = "64")]
fn values_across_four_gigabytes_are_refused() {
    #[derive(Serialize)]
    struct Across<'a, T> {
        large: &'a serde_bytes::Bytes,
        value: T,
    }

    let large = vec![0; (1 << 32) - 100];
    let (large, small) = (serde_bytes::Bytes::new(&large), "a".repeat(300));
    let refused = |error: molecule::Error| {
        assert!(error.to_string().contains("beyond the 32 bits"), "{error}");
    };
    let nested = Across { large: serde_bytes::Bytes::new(&large[..300]), value: 1 };
    refused(to_vec(&Across { large, value: nested }).unwrap_err());
    refused(to_vec(&Across { large, value: (1, &small, 2) }).unwrap_err());
    refused(to_vec(&Across { large, value: [&small; 2].as_slice() }).unwrap_err());
    refused(to_vec(&Across { large, value: BTreeMap::from([(&small, 1)]) }).unwrap_err());
    refused(to_vec(&Across { large, value: [[1; 30]; 10].as_slice() }).unwrap_err());
    refused(to_vec(&Across { large, value: [[1; 30]; 10] }).unwrap_err());
}

/// Numbers near four gigabytes as sizes, counts and offsets.
fn hostile() -> Vec<Vec<u8>> {
    const NUMBERS: [u32; 12] = [
        u32::MAX,
        u32::MAX - 1,
        u32::MAX - 3,
        u32::MAX - 7,
        0x8000_0000,
        0x7fff_ffff,
        // Multiplied by four or eight, this is a small number in 32 bits.
        0x4000_0001,
        0x2000_0001,
        0x1000_0000,
        1 << 24,
        4096,
        5,
    ];
    let mut all = Vec::new();
    for number in NUMBERS {
        for rest in [0, 1, 4, 8, 60, 1000] {
            // Alone: a count, a full size, an id.
            all.push([&number.to_le_bytes()[..], &vec![0; rest]].concat());
            // As the first offset, and as all offsets, after a correct size.
            let full = u32::try_from(8 + rest).unwrap().to_le_bytes();
            let first = [&full[..], &number.to_le_bytes(), &vec![0; rest]].concat();
            all.push(first);
            all.push([&full[..], &number.to_le_bytes().repeat(1 + rest / 4)].concat());
            // As both.
            all.push([&number.to_le_bytes().repeat(2)[..], &vec![0; rest]].concat());
            // As the second offset, and as the count inside of an only item.
            let offset = 8_u32.to_le_bytes();
            let second = [&full[..], &offset, &number.to_le_bytes(), &vec![0; rest]].concat();
            all.push(second);
            let full = u32::try_from(12 + rest).unwrap().to_le_bytes();
            let inside = [&full[..], &offset, &number.to_le_bytes(), &vec![0; rest]].concat();
            all.push(inside);
            // After an id.
            all.push([&[1, 0, 0, 0], &number.to_le_bytes()[..], &vec![0; rest]].concat());
        }
    }
    all
}

#[test]
fn hostile_counts_reserve_no_memory() {
    // An unread item may take only a byte, so memory is reserved for sixty-eight items of a vector of sixty-eight bytes.
    // The items have at most this size.
    const ITEM: usize = 32;
    fn claims<T: DeserializeOwned + Debug>(messages: &[Vec<u8>]) {
        for message in messages {
            let name = std::any::type_name::<T>();
            let bound = (BOUND.peak + ITEM) * message.len() + BOUND.constant;
            let (read, stats) = measure_value(|| from_slice::<T>(message));
            assert!(stats.peak <= bound, "{name} {} {stats:?}", Hex(message));
            let (other, stats) = measure_value(|| from_reader::<_, T>(message.as_slice()));
            assert!(stats.peak <= bound, "{name} {} {stats:?}", Hex(message));
            assert_eq!(read.is_ok(), other.is_ok(), "{name} {}", Hex(message));
            // The largest counts are always refused.
            if message.starts_with(&[0xff; 4]) {
                let error = read.unwrap_err();
                assert_reason(&error, &Hex(message));
            }
        }
    }
    let messages = hostile();
    claims::<Vec<u8>>(&messages);
    claims::<Vec<u64>>(&messages);
    claims::<Vec<[u64; 2]>>(&messages);
    claims::<Vec<(u8, u32)>>(&messages);
    claims::<Vec<()>>(&messages);
    claims::<Vec<String>>(&messages);
    claims::<Vec<Option<u64>>>(&messages);
    claims::<Vec<(u8, String)>>(&messages);
    claims::<Vec<Vec<Vec<u64>>>>(&messages);
    claims::<VecDeque<u64>>(&messages);
    claims::<HashMap<u64, u64>>(&messages);
    claims::<BTreeMap<String, u64>>(&messages);
    claims::<String>(&messages);
    claims::<ByteBuf>(&messages);
    claims::<Box<[u16]>>(&messages);
    claims::<FixVec<Vec<u64>>>(&messages);
    claims::<DynVec<Vec<String>>>(&messages);
    claims::<(u8, String)>(&messages);
    claims::<(String, Vec<u64>)>(&messages);
    claims::<Points>(&messages);
    claims::<Names>(&messages);
    claims::<Shape>(&messages);
    claims::<Item>(&messages);
    claims::<Key>(&messages);
    claims::<Record>(&messages);
    claims::<Nest>(&messages);
}
