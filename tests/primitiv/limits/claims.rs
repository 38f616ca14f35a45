//! Hostile lengths and counts: each is refused with path and offset, in memory proportional to the input.

use crate::round_trip::{Hex, assert_reason};
use crate::strict;
use crate::support::alloc::measure_value;
use crate::support::zoo::{Chain, Empty, Key, Nest, Point, Record, Shape, Tree};
use fourfold::Category;
use fourfold::primitiv::{
    self, ErrorKind, File, Model, Optimizer, Options, Parameter, Tensor, from_slice, to_vec,
};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_bytes::ByteBuf;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt::Debug;

/// Maximum memory in addition to [`PEAK`] for each byte of input.
const CONSTANT: usize = 16 << 10;
const PEAK: usize = 64;

/// Hostile lengths and counts.
const CLAIMS: [&[u8]; 8] = [
    &[0xdd, 0xff, 0xff, 0xff, 0xff],
    &[0xdf, 0xff, 0xff, 0xff, 0xff],
    &[0xdb, 0xff, 0xff, 0xff, 0xff],
    &[0xc6, 0xff, 0xff, 0xff, 0xff],
    &[0xdc, 0xff, 0xff],
    &[0xde, 0xff, 0xff],
    &[0xdd, 0x80, 0, 0, 0],
    &[0xc6, 0, 0x10, 0, 0],
];

#[track_caller]
fn refused<T: DeserializeOwned + Debug>(bytes: &[u8]) {
    let name = std::any::type_name::<T>();
    let shown = Hex(&bytes[..bytes.len().min(60)]);
    for lenient in [false, true] {
        let options = Options::new().lenient(lenient);
        let (read, stats) = measure_value(|| options.from_slice::<T>(bytes));
        let error = read.expect_err(name);
        assert_reason(&error, &shown);
        assert!(error.offset().is_some_and(|at| at <= bytes.len()), "{name} {shown}: {error}");
        assert!(stats.peak < CONSTANT + PEAK * bytes.len(), "{name} {shown}: {stats:?}");
        assert!(stats.total < 2 * (CONSTANT + PEAK * bytes.len()), "{name} {shown}: {stats:?}");
    }
}

#[test]
fn counts_beyond_the_input_are_refused() {
    for claim in CLAIMS {
        for tail in [0, 1, 5, 100, 3000] {
            for filler in [0xc0, 0xce, 0x90, 0xa0, 0x00] {
                let bytes = [claim, &vec![filler; tail]].concat();
                refused::<Vec<u64>>(&bytes);
                refused::<Vec<()>>(&bytes);
                refused::<Vec<Empty>>(&bytes);
                refused::<Vec<Option<()>>>(&bytes);
                refused::<Vec<String>>(&bytes);
                refused::<Vec<Key>>(&bytes);
                refused::<Vec<[u64; 32]>>(&bytes);
                refused::<Vec<Vec<Vec<()>>>>(&bytes);
                refused::<VecDeque<u8>>(&bytes);
                refused::<HashMap<u64, u64>>(&bytes);
                refused::<HashMap<(), [u64; 32]>>(&bytes);
                refused::<BTreeMap<String, u64>>(&bytes);
                refused::<String>(&bytes);
                refused::<Box<str>>(&bytes);
                refused::<ByteBuf>(&bytes);
                refused::<Box<[u16]>>(&bytes);
                refused::<Point>(&bytes);
                refused::<(u64, Vec<u64>)>(&bytes);
                refused::<Record>(&bytes);
                refused::<Shape>(&bytes);
                refused::<u128>(&bytes);
                refused::<char>(&bytes);
                refused::<serde_json::Value>(&bytes);
                refused::<Option<Vec<Option<Vec<u8>>>>>(&bytes);
            }
        }
    }
}

/// Skipped values with hostile counts allocate nothing.
#[test]
fn skipped_hostile_counts_allocate_nothing() {
    for claim in CLAIMS {
        refused::<IgnoredAny>(claim);
        refused::<Vec<IgnoredAny>>(&[&[0x91], claim].concat());
        refused::<BTreeMap<u8, IgnoredAny>>(&[&[0x81, 0xce, 0, 0, 0, 1], claim].concat());
    }
}

/// Asserts that an incomplete file of a data type is refused; returns the error and its path.
#[track_caller]
fn bad_file(number: u32, body: &[u8]) -> (primitiv::Error, String) {
    let header = [0, 1, number].map(|n: u32| [&[0xce][..], &n.to_be_bytes()].concat()).concat();
    let bytes = [&header, body].concat();
    assert!(strict::read(&bytes, number).is_err() || number == 0x200, "{}", Hex(&bytes));
    let (read, stats) = measure_value(|| File::from_slice(&bytes));
    let error = read.expect_err("a bad file is read");
    assert_reason(&error, &Hex(&bytes));
    assert!(error.offset().is_some_and(|at| at >= 15 && at <= bytes.len()), "{error}");
    assert!(stats.peak < CONSTANT + PEAK * bytes.len(), "{stats:?} {error}");
    let lenient = Options::new().lenient(true).allow_trailing(true);
    assert!(lenient.from_slice::<File<'_>>(&bytes).is_err(), "lenient: {error}");
    // The same without the header.
    let alone = match number {
        0x100 => from_slice::<Tensor<'_>>(body).map(|_| ()),
        0x200 => from_slice::<Parameter<'_>>(body).map(|_| ()),
        0x300 => from_slice::<Model<'_>>(body).map(|_| ()),
        0x400 => from_slice::<Optimizer<'_>>(body).map(|_| ()),
        _ => from_slice::<primitiv::Shape>(body).map(|_| ()),
    };
    let alone = alone.unwrap_err();
    assert_eq!(alone.offset().map(|at| at + 15), error.offset(), "{alone} {error}");
    assert_eq!(alone.path(), error.path(), "{alone} {error}");
    let path = error.path().to_string();
    (error, path)
}

fn uint(number: u32) -> Vec<u8> {
    [&[0xce][..], &number.to_be_bytes()].concat()
}

/// Dims, then a batch of 1.
fn dims(dims: &[u32]) -> Vec<u8> {
    let count = u8::try_from(dims.len()).unwrap();
    let dims: Vec<u8> = dims.iter().flat_map(|&dim| uint(dim)).collect();
    [&[0x90 + count][..], &dims, &uint(1)].concat()
}

/// A scalar without statistics: 16 bytes.
fn scalar() -> Vec<u8> {
    [&dims(&[])[..], &[0xc4, 4, 0, 0, 0, 0], &uint(0)].concat()
}

#[test]
fn missing_parameters_are_refused() {
    for count in [1, 2, 1000, 1 << 31, u32::MAX] {
        let (error, path) = bad_file(0x300, &uint(count));
        assert!(error.is_eof(), "{error}");
        assert_eq!((error.offset(), path.as_str()), (Some(15), "parameters"), "{error}");
    }
    for there in [1_u32, 40] {
        for count in [there + 1, 1 << 31, u32::MAX] {
            let entries: Vec<u8> = (0..there)
                .flat_map(|n| [&[0x91, 0xa1, n.to_le_bytes()[0]][..], &scalar()].concat())
                .collect();
            let (error, path) = bad_file(0x300, &[&uint(count)[..], &entries].concat());
            assert!(error.is_eof(), "{error}");
            assert!(path.starts_with("parameters"), "{error}");
        }
    }
}

#[test]
fn missing_statistics_are_refused() {
    for count in [1, 2, 1000, 1 << 31, u32::MAX] {
        let body = [&dims(&[])[..], &[0xc4, 4, 0, 0, 0, 0], &uint(count)].concat();
        let (error, path) = bad_file(0x200, &body);
        assert!(error.is_eof(), "{error}");
        assert_eq!((error.offset(), path.as_str()), (Some(15 + 12), "stats"), "{error}");
        let model = [&uint(1)[..], &[0x91, 0xa1, b'w'], &body].concat();
        let (error, path) = bad_file(0x300, &model);
        assert!(error.is_eof(), "{error}");
        assert_eq!(path, "parameters[0].stats", "{error}");
    }
}

#[test]
fn documents_with_lengths_beyond_the_input() {
    for claim in CLAIMS {
        for tail in [0, 1, 5, 100] {
            let tail = [0xce].repeat(tail);
            let with_tail = |parts: &[&[u8]]| [&parts.concat()[..], &tail].concat();
            // Dims, data, a key, a segment of it, a statistic's name, the maps and their names.
            bad_file(0, &with_tail(&[claim]));
            bad_file(0x100, &with_tail(&[claim]));
            bad_file(0x100, &with_tail(&[&dims(&[u32::MAX]), claim]));
            bad_file(0x100, &with_tail(&[&dims(&[1 << 30]), claim]));
            bad_file(0x100, &with_tail(&[&dims(&[]), claim]));
            bad_file(0x200, &with_tail(&[&dims(&[]), claim]));
            bad_file(0x300, &with_tail(&[&uint(1), claim]));
            bad_file(0x300, &with_tail(&[&uint(u32::MAX), claim]));
            bad_file(0x300, &with_tail(&[&uint(1), &[0x91], claim]));
            bad_file(0x300, &with_tail(&[&uint(1), &[0x91, 0xa0], claim]));
            let value = [&dims(&[])[..], &[0xc4, 4, 0, 0, 0, 0]].concat();
            bad_file(0x200, &with_tail(&[&value, &uint(1), claim]));
            bad_file(0x200, &with_tail(&[&value, &uint(1), &[0xa1, b'm'], claim]));
            bad_file(0x400, &with_tail(&[claim]));
            bad_file(0x400, &with_tail(&[&[0x81], claim]));
            bad_file(0x400, &with_tail(&[&[0x80], claim]));
            bad_file(0x400, &with_tail(&[&[0x80, 0x81], claim]));
        }
    }
}

/// Errors in nested values have path and offset.
#[test]
fn errors_in_nested_values_have_path_and_offset() {
    let huge = [0xc6, 0xff, 0xff, 0xff, 0xff];
    let (error, path) = bad_file(0x100, &[&dims(&[2]), &huge[..]].concat());
    assert_eq!((error.offset(), path.as_str()), (Some(15 + 11), "data"), "{error}");
    let entry = [&[0x91, 0xa1, b'a'], &scalar()[..]].concat();
    let body = [&uint(2)[..], &entry, &[0x91, 0xa1, b'b'], &dims(&[2]), &huge].concat();
    let (error, path) = bad_file(0x300, &body);
    assert_eq!(path, "parameters[1].value.data", "{error}");
    assert_eq!(error.offset(), Some(15 + body.len() - 5), "{error}");
    let stats = [&scalar()[..12], &uint(2), &[0xa1, b'm'], &scalar()[..12], &[0xa1, b'n']].concat();
    let body = [&uint(1)[..], &[0x91, 0xa1, b'a'], &stats, &dims(&[7]), &huge].concat();
    let (error, path) = bad_file(0x300, &body);
    assert_eq!(path, "parameters[0].stats[1].value.data", "{error}");
    assert_eq!(error.offset(), Some(15 + body.len() - 5), "{error}");
}

#[test]
fn shapes_that_overflow_are_refused() {
    // Their products in 32 bits are 2, 0, 1, 0, 4 and so on.
    for (wide, bytes) in [
        (&[3, 1_431_655_766][..], 8),
        (&[65_536, 65_536], 0),
        (&[u32::MAX, u32::MAX], 4),
        (&[2, 1 << 31], 0),
        (&[1 << 16, 1 << 16, 1 << 16], 0),
        (&[641, 6_700_417], 4),
        (&[u32::MAX; 8], 4),
        (&[1 << 31, 1 << 31, 3], 0),
    ] {
        let data = [&[0xc4, bytes][..], &vec![0; bytes.into()]].concat();
        for number in [0x100, 0x200] {
            let body = [&dims(wide)[..], &data, &uint(0)[..if number == 0x200 { 5 } else { 0 }]];
            let header = [0, 1, number].map(uint).concat();
            let bytes = [&header[..], &body.concat()].concat();
            let error = File::from_slice(&bytes).unwrap_err();
            assert_reason(&error, &wide);
            assert!(matches!(error.kind(), ErrorKind::SizeOverflow), "{error}");
            assert!(error.path().to_string().contains("shape"), "{error}");
            let lenient = Options::new().lenient(true).allow_trailing(true);
            assert!(lenient.from_slice::<File<'_>>(&bytes).is_err());
        }
        assert!(primitiv::Shape::new(wide).is_err());
    }
    // The batch is a factor, too.
    let shape = [&[0x91][..], &uint(1 << 20), &uint(1 << 12)].concat();
    assert!(from_slice::<primitiv::Shape>(&shape).is_err());
    let body = [&shape[..], &[0xc4, 0]].concat();
    let (error, _) = bad_file(0x100, &body);
    assert!(matches!(error.kind(), ErrorKind::SizeOverflow), "{error}");
    assert!(primitiv::Shape::new(&[1 << 20]).unwrap().with_batch(1 << 12).is_err());
    assert!(primitiv::Shape::new(&[1 << 20]).unwrap().with_batch(1 << 11).is_ok());
    // A later zero does not make the shape valid.
    for zero in [&[0][..], &[3, 0], &[u32::MAX, u32::MAX, 0], &[0, u32::MAX, 2]] {
        bad_file(0x100, &[&dims(zero)[..], &[0xc4, 0]].concat());
        assert!(primitiv::Shape::new(zero).is_err());
    }
}

#[test]
fn too_many_dims_are_refused() {
    for count in [9, 15] {
        for dim in [1, 2] {
            let body = [&dims(&vec![dim; count])[..], &[0xc4, 4, 0, 0, 0, 0]].concat();
            let (error, path) = bad_file(0x100, &body);
            assert!(matches!(error.kind(), ErrorKind::TooManyDims { .. }), "{error}");
            assert!(path.starts_with("shape"), "{error}");
        }
    }
    assert!(from_slice::<primitiv::Shape>(&dims(&[1; 8])).is_ok());
    assert!(from_slice::<primitiv::Shape>(&dims(&[2; 8])).is_ok());
    // Many dims, all present.
    let many = uint(1).repeat(100_000);
    let body = [&[0xdd, 0, 1, 0x86, 0xa0], &many[..], &uint(1)].concat();
    let (error, _) = bad_file(0, &body);
    assert!(matches!(error.kind(), ErrorKind::TooManyDims { .. }), "{error}");
}

/// Input that is nested as deep as it is long. Without optimization, a level takes a kilobyte of stack or more.
#[test]
fn deep_nesting_is_refused() {
    let thread = std::thread::Builder::new().stack_size(8 << 20);
    thread.spawn(read_deep_nesting).unwrap().join().unwrap();
}

fn read_deep_nesting() {
    fn too_deep<T: DeserializeOwned + Debug>(bytes: &[u8]) {
        for depth in [0, 1, 128, 500] {
            let options = Options::new().max_depth(depth);
            for options in [options.clone(), options.lenient(true)] {
                let (read, stats) = measure_value(|| options.from_slice::<T>(bytes));
                let error = read.expect_err(std::any::type_name::<T>());
                assert_reason(&error, &depth);
                assert!(stats.peak < (64 << 10) + PEAK * bytes.len(), "{stats:?}");
            }
        }
        let error = from_slice::<T>(bytes).unwrap_err();
        assert_eq!(error.category(), Category::Limit, "{error}");
        assert!(error.offset().is_some_and(|at| at <= 3 * 200), "{error}");
    }
    let levels = 100_000;
    too_deep::<Nest>(&[0x91].repeat(levels));
    too_deep::<Nest>(&[0xdc, 0, 1].repeat(levels));
    too_deep::<Chain>(&[0xce].repeat(levels));
    // A tree's name, and one child.
    too_deep::<Tree>(&[0xa0, 0x91].repeat(levels));
    let lenient = Options::new().lenient(true);
    for bytes in [&[0x91][..], &[0x81], &[0x81, 0xa0], &[0xdd, 0, 0, 0, 1]] {
        let bytes = bytes.repeat(levels);
        let (read, stats) = measure_value(|| lenient.from_slice::<serde_json::Value>(&bytes));
        assert_reason(&read.unwrap_err(), &Hex(&bytes[..10]));
        assert!(stats.peak < (64 << 10) + PEAK * bytes.len(), "{stats:?}");
        let (read, stats) = measure_value(|| lenient.from_slice::<IgnoredAny>(&bytes));
        assert_reason(&read.unwrap_err(), &Hex(&bytes[..10]));
        assert!(stats.peak < 64 << 10, "{stats:?}");
    }
}

/// Ext marks a `Some` before nil. Other ext objects, and too many of these, are refused.
#[test]
fn other_ext_objects_are_refused() {
    assert_eq!(from_slice::<Option<Option<u8>>>(&[0xd4, 0, 1, 0xc0]).unwrap(), Some(None));
    for bytes in [
        &[0xd4, 0, 1][..],
        &[0xd4, 0, 0, 0xc0],
        &[0xd4, 0, 2, 0xc0],
        &[0xd4, 1, 1, 0xc0],
        &[0xd5, 0, 1, 0xc0],
        &[0xd5, 0, 0, 1, 0xc0],
        &[0xc7, 1, 0, 1, 0xc0],
        &[0xd4],
    ] {
        refused::<Option<Option<u8>>>(bytes);
        refused::<Option<()>>(bytes);
        refused::<Option<u32>>(bytes);
    }
    let levels = 100_000;
    let bytes = [0xd4, 0, 1].repeat(levels);
    refused::<Chain>(&bytes);
    refused::<Option<Option<Option<u8>>>>(&bytes);
    refused::<serde_json::Value>(&bytes);
}

/// An unnecessary mark is refused: a value has one encoding.
#[test]
fn unnecessary_marks_of_some_are_refused() {
    refused::<Option<u32>>(&[0xd4, 0, 1, 0xce, 0, 0, 0, 1]);
    refused::<Option<Option<u32>>>(&[0xd4, 0, 1, 0xce, 0, 0, 0, 1]);
    refused::<Option<String>>(&[0xd4, 0, 1, 0xa1, b'x']);
}

/// An error that shows a name is one line of text, for any name.
#[test]
fn names_in_errors() {
    for name in ["line\nbreak", "\r", "\u{1b}[2J", "nul\0", "\u{2028}", "\u{202e}"] {
        let name = [&[0xa0 + u8::try_from(name.len()).unwrap()], name.as_bytes()].concat();
        let outer = [&[0x91][..], &name, &scalar()].concat();
        let inner = [&[0x92][..], &name, &[0xa1, b'w'], &scalar()].concat();
        let body = [&uint(2)[..], &outer, &inner].concat();
        let error = from_slice::<Model<'_>>(&body).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::KeyConflict { .. }), "{error}");
        let text = error.to_string();
        assert!(!text.chars().any(char::is_control), "{text:?}");
    }
}

/// `c1` is not a marker, and ext objects are not used.
#[test]
fn invalid_markers_are_refused() {
    for marker in [0xc1, 0xc7, 0xc8, 0xc9, 0xd5, 0xd6, 0xd7, 0xd8] {
        let bytes = [marker; 40];
        refused::<u32>(&bytes);
        refused::<f32>(&bytes);
        refused::<bool>(&bytes);
        refused::<String>(&bytes);
        refused::<Option<u8>>(&bytes);
        refused::<Vec<u8>>(&bytes);
        refused::<()>(&bytes);
        refused::<Shape>(&bytes);
        refused::<Result<u8, u8>>(&bytes);
        refused::<BTreeMap<u8, u8>>(&bytes);
        refused::<serde_json::Value>(&bytes);
        let error = from_slice::<u32>(&bytes).unwrap_err();
        assert_eq!(error.offset(), Some(0), "{error}");
        assert!(!error.is_eof(), "{error}");
    }
}

/// Many options that are `None`, and lists of empty lists.
#[test]
fn small_items_take_bounded_memory() {
    type Large = Option<[[u64; 8]; 8]>;
    for count in [1_usize << 10, 1 << 14] {
        let bytes = to_vec(&vec![None::<u8>; count]).unwrap();
        let (read, stats) = measure_value(|| from_slice::<Vec<Large>>(&bytes).unwrap());
        assert_eq!(read.len(), count);
        // Each item has the size of its type; memory is reserved only by the doubling vector.
        let each = size_of::<Large>();
        assert!(stats.peak <= 3 * each * count + CONSTANT, "{stats:?}");
        // The last item is missing: memory was reserved only for present items.
        let (read, stats) =
            measure_value(|| from_slice::<Vec<Large>>(&bytes[..bytes.len() / 2]).unwrap_err());
        assert!(read.is_eof());
        assert!(stats.peak <= 3 * each * count + CONSTANT, "{stats:?}");
    }
    // If the rest of the input has a byte for each item, memory is reserved for all items.
    let count = 1 << 20;
    let bytes = [&[0xdd, 0, 0x10, 0, 0][..], &vec![0xc1; count]].concat();
    let (read, stats) = measure_value(|| from_slice::<Vec<Large>>(&bytes));
    assert!(read.is_err());
    assert!(stats.peak <= 2 << 20, "{stats:?}");
}
