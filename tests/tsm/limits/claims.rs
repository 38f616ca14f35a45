//! Hostile counts and failing streams take little memory. Harmless input is accepted.

use crate::round_trip::{Hex, assert_reason};
use crate::support::alloc::measure_value;
use crate::support::format::Tsm;
use crate::support::streams::{
    Failing, assert_endless_stops, assert_exact_limit, assert_failing_streams, assert_slow_streams,
};
use crate::support::zoo::{Chain, Empty, Key, Nest, Record, Shape, Suit};
use fourfold::Category;
use fourfold::tsm::{
    self, Options, from_reader, from_slice, take_from_slice, to_vec, to_writer, with,
};
use serde::de::DeserializeOwned;
use serde_bytes::ByteBuf;
use std::any::TypeId;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt::Debug;
use std::io;

/// Memory for an error and for 4,096 items without bytes.
const CONSTANT: usize = 16 << 10;
/// Memory for each byte of input: items of 32 bytes that may be one byte in a file, in a vector
/// that doubles as it grows.
const PER_BYTE: usize = 64;

/// Reads with bounded memory from a slice and a reader, with the same result.
#[track_caller]
fn read<T: DeserializeOwned + Debug>(bytes: &[u8]) -> tsm::Result<T> {
    let (read, stats) = measure_value(|| from_slice::<T>(bytes));
    let (name, shown) = (std::any::type_name::<T>(), Hex(&bytes[..bytes.len().min(40)]));
    assert!(stats.peak <= CONSTANT + PER_BYTE * bytes.len(), "{name} {shown} {stats:?}");
    if let Err(error) = &read {
        assert_reason(error, &shown);
        assert!(error.offset().is_some_and(|at| at <= bytes.len()), "{name} {shown}: {error}");
    }
    let (other, stats) = measure_value(|| from_reader::<_, T>(bytes));
    assert!(stats.peak <= CONSTANT + (PER_BYTE + 2) * bytes.len(), "{name} {shown} {stats:?}");
    assert_eq!(format!("{read:?}"), format!("{other:?}"), "{name} {shown}");
    read
}

/// Calls a macro with types that begin with a count.
macro_rules! for_each_counted_type {
    ($callback:ident) => {
        $callback! {
            Vec<u8>, Vec<u64>, Vec<[u64; 2]>, Vec<(u8, u32)>, Vec<String>, Vec<Option<u64>>,
            Vec<Vec<Vec<u64>>>, VecDeque<u64>, HashMap<u64, u64>, BTreeMap<String, u64>,
            BTreeMap<u8, ()>, String, ByteBuf, Box<[u16]>, Box<str>, Vec<Key>, Vec<Shape>, Nest,
            Vec<bool>, Vec<char>, Vec<f32>, Vec<[f32; 3]>, Vec<u128>, Vec<Suit>, Vec<Result<u8, u8>>,
            Vec<with::Raw<[u8; 3]>>, Vec<Record>,
        }
    };
}

/// The offset of the error: that of a count of items; for text and bytes, that of the missing bytes.
fn error_offset<T: 'static>() -> usize {
    let texts = [TypeId::of::<String>(), TypeId::of::<Box<str>>(), TypeId::of::<ByteBuf>()];
    if texts.contains(&TypeId::of::<T>()) { 4 } else { 0 }
}

#[test]
fn counts_beyond_the_input_are_refused() {
    #[track_caller]
    fn claims<T: DeserializeOwned + Debug + 'static>() {
        for count in [i32::MAX, i32::MAX - 1, 1 << 30, 1 << 24, 100_000] {
            for rest in [0, 1, 4, 60, 1000] {
                let bytes = [&count.to_le_bytes()[..], &vec![0; rest]].concat();
                let error = read::<T>(&bytes).unwrap_err();
                assert!(error.is_eof(), "{}: {error}", Hex(&bytes[..4]));
                assert!(error.to_string().contains(&count.to_string()), "{error}");
                assert_eq!(error.offset(), Some(error_offset::<T>()), "{error}");
                // The same as a later item.
                let bytes = [&[7, 1, 1, 0, 0, 0][..], &bytes].concat();
                let error = read::<(u8, Option<Vec<T>>)>(&bytes).unwrap_err();
                assert_eq!(error.offset(), Some(6 + error_offset::<T>()), "{error}");
                assert_eq!(error.path().to_string(), "[1][0]", "{error}");
            }
        }
        for count in [-1, -2, i32::MIN, i32::MIN + 1, -4096] {
            for rest in [0, 4, 1000] {
                let bytes = [&count.to_le_bytes()[..], &vec![0; rest]].concat();
                let error = read::<T>(&bytes).unwrap_err();
                assert!(!error.is_eof(), "{error}");
                assert_eq!(error.offset(), Some(0), "{error}");
                assert!(error.to_string().contains(&count.to_string()), "{error}");
                assert!(take_from_slice::<T>(&bytes).is_err());
            }
        }
    }
    macro_rules! all {
        ($($type:ty,)*) => { $( claims::<$type>(); )* };
    }
    for_each_counted_type!(all);
}

/// One byte fewer than the count needs, for items whose size is known.
#[test]
fn a_count_one_too_large() {
    for count in [1_u32, 2, 100, 10_000] {
        let bytes = [&count.to_le_bytes()[..], &vec![0; count as usize - 1]].concat();
        assert!(read::<String>(&bytes).unwrap_err().is_eof());
        assert!(read::<ByteBuf>(&bytes).unwrap_err().is_eof());
        assert!(read::<Vec<u8>>(&bytes).unwrap_err().is_eof());
        assert!(read::<Vec<Option<u8>>>(&bytes).unwrap_err().is_eof());
        let bytes = [&count.to_le_bytes()[..], &vec![0; 8 * count as usize - 1]].concat();
        assert!(read::<Vec<u64>>(&bytes).unwrap_err().is_eof());
        assert!(read::<Vec<(u32, u32)>>(&bytes).unwrap_err().is_eof());
        assert!(read::<Vec<Vec<String>>>(&bytes[..bytes.len() / 2]).unwrap_err().is_eof());
        assert!(read::<BTreeMap<u32, u32>>(&bytes).unwrap_err().is_eof());
    }
}

/// Vectors of items without bytes, which take four bytes each and have the maximum count.
#[test]
fn many_items_without_bytes() {
    for vectors in [2_u32, 100, 10_000] {
        let one = 4096_u32.to_le_bytes();
        let bytes = [&vectors.to_le_bytes()[..], &one.repeat(vectors as usize)].concat();
        assert!(read::<Vec<Vec<()>>>(&bytes).is_err(), "{vectors}");
        assert!(read::<Vec<Vec<Empty>>>(&bytes).is_err(), "{vectors}");
        assert!(read::<Vec<Vec<[u64; 0]>>>(&bytes).is_err(), "{vectors}");
        assert!(read::<Vec<Option<Vec<()>>>>(&bytes).is_err(), "{vectors}");
    }
    // A set of units has one item.
    let bytes = 4096_u32.to_le_bytes();
    let _ = read::<std::collections::BTreeSet<()>>(&bytes);
    let _ = read::<BTreeMap<(), ()>>(&bytes);
    // An item that is larger in memory than in the file.
    #[derive(Debug, serde::Deserialize)]
    struct Fat {
        #[serde(skip)]
        _never: [u64; 4],
    }
    let (read, stats) = measure_value(|| from_slice::<Vec<Fat>>(&bytes));
    assert_eq!(read.unwrap().len(), 4096);
    assert!(stats.peak <= CONSTANT + 4096 * 2 * 32, "{stats:?}");
    let (read, stats) = measure_value(|| from_slice::<Vec<Fat>>(&i32::MAX.to_le_bytes()));
    assert!(read.is_err());
    assert!(stats.peak <= CONSTANT + 4096 * 2 * 32, "{stats:?}");
}

#[test]
fn endless_chains_are_refused() {
    #[track_caller]
    fn too_deep<T: DeserializeOwned + Debug>(bytes: &[u8]) {
        let error = read::<T>(bytes).unwrap_err();
        assert_eq!(error.category(), Category::Limit, "{error}");
        assert!(error.offset().is_some_and(|at| at < 4096), "{error}");
        assert!(take_from_slice::<T>(bytes).is_err());
    }
    too_deep::<Chain>(&[1; 100_000]);
    too_deep::<Nest>(&[1, 0, 0, 0].repeat(100_000));
    too_deep::<crate::support::zoo::Expression>(&[1, 0, 0, 0].repeat(100_000));
    too_deep::<crate::support::zoo::List>(&[1; 100_000]);
    too_deep::<crate::support::zoo::Tree>(&[0, 0, 0, 0, 1, 0, 0, 0].repeat(50_000));
    let directory = [1, 0, 0, 0, 1, 0, 0, 0, b'a'].repeat(50_000);
    too_deep::<crate::support::zoo::Directory>(&directory);
    too_deep::<crate::round_trip::more::WideEnum>(&[2, 0, 0, 0].repeat(50_000));
    too_deep::<crate::round_trip::more::Mutual>(&[0, 0, 0, 0, 1, 1, 0, 0, 0].repeat(50_000));

    // With a high limit and a large stack.
    let deep = || {
        let options = Options::new().max_depth(20_000);
        let bytes = [vec![1; 9_000], vec![0]].concat();
        let chain: Chain = options.from_slice(&bytes).unwrap();
        assert_eq!(options.to_vec(&chain).unwrap(), bytes);
        assert!(to_vec(&chain).is_err());
    };
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(deep).unwrap();
    thread.join().unwrap();
}

/// Each level claims all remaining bytes, which outer levels have claimed, too.
#[test]
fn nested_counts_reserve_memory_once() {
    for len in [400_u32, 4_000, 40_000] {
        let count = (len / 2).to_le_bytes();
        let bytes = [&count.repeat(100)[..], &vec![0; len as usize]].concat();
        assert!(read::<Nest>(&bytes).is_err());
        assert!(read::<Vec<Vec<Vec<Vec<Vec<Vec<u64>>>>>>>(&bytes).is_err());
        let tree = [&[0; 4][..], &count].concat().repeat(100);
        assert!(
            read::<crate::support::zoo::Tree>(&[&tree[..], &vec![0; len as usize]].concat())
                .is_err()
        );
    }
}

/// Bytes that no writer writes are refused with their offset.
#[test]
fn other_encodings_are_refused() {
    #[track_caller]
    fn refused<T: DeserializeOwned + Debug>(bytes: &[u8], at: usize) {
        let error = read::<T>(bytes).unwrap_err();
        assert_eq!(error.offset(), Some(at), "{error}");
        assert!(!error.is_eof(), "{error}");
    }
    for byte in 2..=255 {
        refused::<bool>(&[byte], 0);
        refused::<Option<u8>>(&[byte, 0], 0);
        refused::<Option<()>>(&[byte], 0);
        refused::<(u8, Vec<bool>)>(&[0, 2, 0, 0, 0, 1, byte], 6);
        assert!(read::<bool>(&[byte]).unwrap_err().to_string().contains(&byte.to_string()));
    }
    for code in [0xd800_u32, 0xdfff, 0x11_0000, u32::MAX, 1 << 31] {
        refused::<char>(&code.to_le_bytes(), 0);
        refused::<(u8, char)>(&[&[1][..], &code.to_le_bytes()].concat(), 1);
    }
    for index in [4_u32, 5, 255, 256, 1 << 31, u32::MAX, 1 << 16, 1 << 24] {
        let bytes = [&index.to_le_bytes()[..], &[0; 40]].concat();
        refused::<Shape>(&bytes, 0);
        refused::<Suit>(&bytes[..4], 0);
        refused::<Vec<Suit>>(&[&[1, 0, 0, 0][..], &bytes[..4]].concat(), 4);
    }
    refused::<Result<u8, u8>>(&[2, 0, 0, 0, 1], 0);
    // Text that is not UTF-8: the offset of the first invalid byte.
    refused::<String>(&[2, 0, 0, 0, 0xc3, 0x28], 4);
    refused::<String>(&[4, 0, 0, 0, b'a', b'b', 0xff, b'c'], 6);
    refused::<(u8, Box<str>)>(&[9, 1, 0, 0, 0, 0x80], 5);
    refused::<BTreeMap<String, u8>>(&[1, 0, 0, 0, 1, 0, 0, 0, 0xff, 1], 8);
    // A value that the type refuses.
    assert!(read::<std::num::NonZeroU8>(&[0]).is_err());
    assert!(read::<crate::support::zoo::Even>(&[1, 0, 0, 0, 0]).is_err());
}

/// Repeated bytes, read as many types: a value or an error, with little memory.
#[test]
fn every_byte_four_times_and_more() {
    macro_rules! all {
        ($($type:ty,)*) => {
            for byte in 0..=255_u8 {
                for len in [1, 3, 4, 5, 8, 40, 400] {
                    let bytes = vec![byte; len];
                    $( let _ = read::<$type>(&bytes); )*
                }
            }
        };
    }
    for_each_counted_type!(all);
}

#[test]
fn endless_readers_are_refused() {
    assert_endless_stops::<Tsm, Vec<u8>>(&[0]);
    assert_endless_stops::<Tsm, Vec<u8>>(&[0xff]);
    assert_endless_stops::<Tsm, String>(&[0xff, 0xff, 0xff, 0x7f]);
    assert_endless_stops::<Tsm, Option<u8>>(&[1]);
    assert_endless_stops::<Tsm, ()>(&[4]);
    assert_endless_stops::<Tsm, Nest>(&[1, 0, 0, 0]);
    assert_endless_stops::<Tsm, Record>(&[0]);
}

#[test]
fn the_limit_of_input_is_exact() {
    assert_exact_limit::<Tsm>();
}

#[test]
fn slow_and_interrupted_streams() {
    let values: Vec<(u32, String)> = (0..500).map(|n| (n, n.to_string())).collect();
    let error = assert_slow_streams::<Tsm, _>(&values);
    assert!(error.is_eof(), "{error}");
}

#[test]
fn failing_streams() {
    assert_failing_streams::<Tsm>(&[0, 1, 4, 100, 803]);
    let value = vec![String::from("text"); 100];
    assert!(to_writer(Failing { left: 804, full: true }, &value).is_ok());
    let eof: io::Error = from_slice::<u32>(&[1]).unwrap_err().into();
    assert_eq!(eof.kind(), io::ErrorKind::UnexpectedEof);
    let wrong: io::Error = from_slice::<bool>(&[7]).unwrap_err().into();
    assert_eq!(wrong.kind(), io::ErrorKind::InvalidData);
}
