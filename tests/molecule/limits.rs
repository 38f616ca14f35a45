//! Depth, memory and size. Streams are next door.

mod streams;

use crate::marks::marked::{Item, Names, Points};
use crate::round_trip::{Hex, Type, Value, assert_reason};
use crate::support::alloc::{Stats, measure, measure_value};
use crate::support::erased::{self, TestType, check_each};
use crate::support::zoo::deep::{calls, directory, list, negatives, nest, skipping, sums, tree};
use crate::support::zoo::{Chain, Key, Nest, Record, Shape, Suit};
use crate::support::{random, zoo};
use fourfold::Category;
use fourfold::molecule::with::{DynVec, FixVec};
use fourfold::molecule::{self, Options, from_reader, from_slice, to_vec};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt::Debug;

/// Reading holds at most this many bytes per byte of input, plus a constant for an error.
/// The most that a type of these tests takes: an item without bytes has an offset of four in
/// the header and is an enum or option of 32 in memory, in a vector that doubles as it grows.
const PEAK: usize = 16;
/// The same for everything that is ever allocated.
const TOTAL: usize = 40;
const CONSTANT: usize = 16 << 10;

#[track_caller]
fn assert_bounded(stats: Stats, input: usize) {
    assert!(stats.peak <= PEAK * input + CONSTANT, "{stats:?} of {input}");
    assert!(stats.total <= TOTAL * input + CONSTANT, "{stats:?} of {input}");
}

#[test]
fn results_are_one_pointer() {
    assert_eq!(size_of::<molecule::Result<()>>(), size_of::<*const ()>());
}

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

/// Whatever is too deep to be read is too deep to be written, level by level.
fn assert_same_depth<T: TestType>(value: &T, depths: impl Iterator<Item = u16>) {
    check_depths(&Type::of::<T>("value"), value, &mut { depths });
}

fn check_depths(ty: &Type, value: &Value, depths: &mut dyn Iterator<Item = u16>) {
    let Ok(bytes) = value.to_vec_with(&Options::new().max_depth(u16::MAX)) else {
        return;
    };
    let mut fits = false;
    for depth in depths {
        let options = Options::new().max_depth(depth);
        let (written, read) = (value.to_vec_with(&options), ty.from_slice_with(&options, &bytes));
        let shown = Hex(&bytes);
        match (written, read) {
            (Ok(written), Ok(read)) => {
                assert_eq!(Hex(&written), shown, "depth {depth}");
                assert_eq!(*read, *value, "depth {depth}");
                fits = true;
            }
            (Err(write), Err(read)) => {
                assert_reason(&write, &value);
                assert_eq!(write.category(), Category::Limit, "{write}");
                assert_eq!(read.category(), Category::Limit, "{read} in {shown}");
                assert!(!fits, "depth {depth} does not do for {value:?}, less did");
            }
            (Ok(_), Err(read)) => panic!("depth {depth} only writes {value:?}: {read} in {shown}"),
            (Err(write), Ok(_)) => panic!("depth {depth} only reads {value:?}: {write}"),
        }
    }
}

#[test]
fn writing_and_reading_agree_on_depth() {
    for levels in 0..=20 {
        assert_same_depth(&list(levels), 0..=90);
        assert_same_depth(&tree(levels), 0..=90);
        assert_same_depth(&nest(levels), 0..=90);
        assert_same_depth(&directory(levels), 0..=90);
        assert_same_depth(&negatives(levels), 0..=90);
        assert_same_depth(&sums(levels), 0..=90);
        assert_same_depth(&calls(levels), 0..=90);
        assert_same_depth(&skipping(levels), 0..=90);
        assert_same_depth(&marked(levels), 0..=90);
        assert_same_depth(&tower(levels), 0..=90);
    }
}

#[test]
fn writing_and_reading_agree_on_the_depth_of_every_type() {
    let item = Type::new::<Item>("Item", random::value);
    let types: Vec<Type> = erased::zoo().into_iter().chain([item]).collect();
    check_each(&types, |ty| {
        // What is unseen may be written and never read.
        if ty.visible {
            ty.check(40, |_, value| check_depths(ty, value, &mut (0..=16)));
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
    round_trip(&negatives(40));
    round_trip(&sums(40));
    round_trip(&calls(40));
    round_trip(&skipping(40));
    round_trip(&marked(40));
    round_trip(&tower(40));
}

#[test]
fn what_is_too_deep_is_refused() {
    fn refused<T: TestType>(value: &T, bytes: &[u8]) {
        assert_eq!(to_vec(value).unwrap_err().category(), Category::Limit);
        let error = from_slice::<T>(bytes).unwrap_err();
        assert_eq!(error.category(), Category::Limit, "{error}");
    }
    let all = Options::new().max_depth(u16::MAX);
    refused(&list(200), &all.to_vec(&list(200)).unwrap());
    refused(&calls(200), &all.to_vec(&calls(200)).unwrap());

    // Dynvecs of one item each, a hundred thousand of them, from the outside in.
    let levels = 100_000_u32;
    let sizes = (1..=levels).rev().map(|level| 4 + 8 * level);
    let mut bytes: Vec<u8> =
        sizes.flat_map(|size| [size.to_le_bytes(), 8_u32.to_le_bytes()]).flatten().collect();
    bytes.extend([4, 0, 0, 0]);
    refused(&nest(200), &bytes);
    let nested = measure(|| from_slice::<Nest>(&bytes).unwrap_err());
    assert_bounded(nested, 200 * 8);
    // Options are as deep as their content, and have no bytes of their own.
    assert!(from_slice::<Chain>(&[]).is_ok());
    assert!(from_slice::<Chain>(&[0]).is_err());
}

/// Equal after writing and reading, and reading holds what [`PEAK`] allows.
fn assert_large<T: TestType>(name: &str, value: &T) {
    let bytes = to_vec(value).unwrap();
    let (read, stats) = measure_value(|| from_slice::<T>(&bytes).unwrap());
    // Too large for a message about the difference.
    assert!(&read == value, "{name} comes back as something else");
    assert_bounded(stats, bytes.len());
    let (read, stats) = measure_value(|| from_reader::<_, T>(bytes.as_slice()).unwrap());
    assert!(&read == value, "{name} is read as something else");
    assert_bounded(stats, bytes.len());
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
    assert_large("unit", &many(|_| ()));
    assert_large("none", &many(|_| None::<u8>));
    assert_large("none of eight", &many(|_| None::<u64>));
    assert_large("option", &many(|n| Some(n).filter(|n| n % 3 == 0)));
    assert_large("packed", &many(|n| (n, [1_u8; 3])));
    assert_large("mixed", &many(|n| (n, n.to_string())));
    assert_large("struct", &many(key));
    assert_large("unit variant", &many(|_| Suit::Spades));
    assert_large("union", &many(Shape::Circle));
    assert_large("deque", &VecDeque::from(many(|n| n)));
    assert_large("map", &BTreeMap::from_iter(many(|n| (n, n.to_string()))));
    assert_large("hash", &HashMap::<u32, u8>::from_iter(many(|n| (n, 1))));
    assert_large("dynvec", &DynVec(many(|n| vec![n])));
    assert_large("fixvec", &FixVec(many(|n| (n, true))));
    assert_large("vectors", &many(|n| vec![String::new(); n as usize % 3]));

    // Every item passes for a table: not a reason to begin again for every item.
    let header = [24 | 16 << 32, 24 | 24 << 32, 7_u64];
    assert_large("headers", &many(|_| header));
    assert_large("headers and others", &(String::new(), many(|_| header)));
}

#[test]
fn sixty_four_megabytes() {
    const SIZE: usize = 64 << 20;
    let bytes: Vec<u8> = (0_u32..1024).map(|n| n.to_le_bytes()[n as usize % 2]).collect();
    let bytes = ByteBuf::from(bytes.repeat(SIZE / 1024));
    assert_large("bytes", &bytes);
    assert_large("bytes in a table", &(1_u8, Some(bytes)));
    assert_large(
        "text",
        &"sixty-four bytes, of which some are not ASCII: äöü ÄÖÜ €".repeat(1 << 20),
    );
    // Item by item, which takes its time without optimization.
    let count = if cfg!(debug_assertions) { SIZE / 64 } else { SIZE / 8 };
    assert_large("numbers", &vec![0x0102_0304_0506_0708_u64; count]);
}

/// A random message of the zoo, read into a value, if it has grown a little.
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
    assert_large("points", &Points(record.corners.clone()));
    assert_large("names", &Names(vec![String::new(); 1000]));
    assert_large("items", &vec![Item::Nothing; 1000]);
}

/// All sizes have 32 bits.
#[test]
#[ignore = "takes four gigabytes of address space"]
#[cfg(target_pointer_width = "64")]
fn more_than_four_gigabytes() {
    let bytes = vec![0; 1 << 32];
    let (error, stats) = measure_value(|| to_vec(serde_bytes::Bytes::new(&bytes)).unwrap_err());
    assert_reason(&error, &"four gigabytes");
    assert!(error.to_string().contains("4294967296"), "{error}");
    assert_bounded(stats, 0);
}

/// Nor are messages longer that grow by small values: in vectors, tuples, and packed values.
#[test]
#[ignore = "takes ten gigabytes of memory"]
#[cfg(target_pointer_width = "64")]
fn messages_of_more_than_four_gigabytes() {
    use serde::ser::{SerializeTuple as _, Serializer};

    /// So many numbers, as a sequence or as a tuple.
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

/// A value across that border is refused, too, however it continues.
#[test]
#[ignore = "takes nine gigabytes of memory"]
#[cfg(target_pointer_width = "64")]
fn values_across_four_gigabytes() {
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

/// Numbers near four gigabytes, in place of sizes, counts and offsets.
fn hostile() -> Vec<Vec<u8>> {
    const NUMBERS: [u32; 12] = [
        u32::MAX,
        u32::MAX - 1,
        u32::MAX - 3,
        u32::MAX - 7,
        0x8000_0000,
        0x7fff_ffff,
        // Times four, or eight, this is a small number in 32 bits.
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
fn a_claim_reserves_nothing() {
    // Before the first item is read, it may be as small as a byte on the wire. So a vector
    // of sixty-eight bytes is made ready for sixty-eight items, of this size at most here.
    const ITEM: usize = 32;
    fn claims<T: DeserializeOwned + Debug>(messages: &[Vec<u8>]) {
        for message in messages {
            let name = std::any::type_name::<T>();
            let bound = (PEAK + ITEM) * message.len() + CONSTANT;
            let (read, stats) = measure_value(|| from_slice::<T>(message));
            assert!(stats.peak <= bound, "{name} {} {stats:?}", Hex(message));
            let (other, stats) = measure_value(|| from_reader::<_, T>(message.as_slice()));
            assert!(stats.peak <= bound, "{name} {} {stats:?}", Hex(message));
            assert_eq!(read.is_ok(), other.is_ok(), "{name} {}", Hex(message));
            // With the largest claims no reading is possible.
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
