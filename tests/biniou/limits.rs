//! Hostile inputs take little time and memory. Harmless ones are accepted.

mod depth;
mod streams;

use crate::round_trip::{Hex, assert_reason};
use crate::support::alloc::{Stats, measure_value};
use crate::support::visits::visits;
use crate::support::zoo::{Chain, Empty, Key, Nest, Point};
use fourfold::Category;
use fourfold::biniou::with::{Shared, Table};
use fourfold::biniou::{StreamDeserializer, Value, from_reader, from_slice, hash, to_vec};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Enough for 4,096 items without bytes, some of which are read in several ways.
const CONSTANT: usize = 512 << 10;

/// Reads with bounded memory and time. A hostile count that is trusted would take years; slow machines, such as emulated
/// ones, need seconds.
#[track_caller]
fn read<T: DeserializeOwned + Debug>(bytes: &[u8]) -> fourfold::biniou::Result<T> {
    let start = Instant::now();
    let (read, stats) = measure_value(|| from_slice::<T>(bytes));
    let (name, shown) = (std::any::type_name::<T>(), Hex(&bytes[..bytes.len().min(40)]));
    assert!(start.elapsed() < Duration::from_secs(60), "{name} {shown} {:?}", start.elapsed());
    assert!(stats.peak < CONSTANT + 512 * bytes.len(), "{name} {shown} {stats:?}");
    if let Err(error) = &read {
        assert_reason(error, &shown);
        assert!(error.offset().is_some_and(|at| at <= bytes.len()), "{name} {shown}: {error}");
    }
    read
}

/// Asserts that the bytes are refused as each type, with an error of this category and little memory.
#[track_caller]
fn refused(bytes: &[u8], category: Category) {
    #[track_caller]
    fn one<T: DeserializeOwned + Debug>(bytes: &[u8], category: Option<Category>) {
        let (read, stats) = measure_value(|| read::<T>(bytes));
        let name = std::any::type_name::<T>();
        let error = read.map(|_| ()).expect_err(name);
        if let Some(category) = category {
            assert_eq!(error.category(), category, "{name}: {error}");
        }
        let Stats { peak, total, .. } = stats;
        assert!(peak < CONSTANT && total < 2 * CONSTANT, "{name}: {stats:?}");
    }
    one::<Value>(bytes, Some(category));
    one::<IgnoredAny>(bytes, Some(category));
    // These may report another error first.
    one::<Vec<u64>>(bytes, None);
    one::<Vec<()>>(bytes, None);
    one::<Vec<String>>(bytes, None);
    one::<Vec<Key>>(bytes, None);
    one::<Table<Vec<Key>>>(bytes, None);
    one::<Table<Vec<Empty>>>(bytes, None);
    one::<HashMap<u64, u64>>(bytes, None);
    one::<BTreeMap<String, u64>>(bytes, None);
    one::<String>(bytes, None);
    one::<ByteBuf>(bytes, None);
    one::<Box<[u16]>>(bytes, None);
    one::<Point>(bytes, None);
    one::<(u64, Vec<u64>)>(bytes, None);
    let stream = StreamDeserializer::<_, Value>::from_reader(bytes).next().unwrap();
    assert!(stream.is_err(), "read from a stream");
}

/// Reads a tree, and checks that it is written with the same bytes.
#[track_caller]
fn accepted(bytes: &[u8]) -> Value {
    let value: Value = read(bytes).unwrap();
    let written = to_vec(&value).unwrap();
    assert!(written == bytes, "{} is written as {}", Hex(bytes), Hex(&written));
    assert_eq!(from_reader::<_, Value>(bytes).unwrap(), value);
    value
}

fn vint(mut number: u128) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number > 0x7f {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
    bytes
}

/// A field tag, or a variant's with an argument.
fn tag(name: &str) -> [u8; 4] {
    (1 << 31 | hash(name)).to_be_bytes()
}

/// A TABLE of `rows` rows without columns.
fn empty_rows(rows: u128) -> Vec<u8> {
    [&[25][..], &vint(rows), &[0]].concat()
}

#[test]
fn a_table_of_many_rows_and_no_columns() {
    for rows in [1 << 60, u128::from(u64::MAX), u128::MAX, 1 << 32, 100_000, 4097] {
        let bytes = empty_rows(rows);
        let error = read::<Value>(&bytes).unwrap_err();
        assert_reason(&error, &rows);
        assert!(read::<Vec<Empty>>(&bytes).is_err(), "{rows}");
        assert!(read::<Table<Vec<Empty>>>(&bytes).is_err(), "{rows}");
        assert!(read::<IgnoredAny>(&bytes).is_err(), "{rows}");
    }
    accepted(&empty_rows(4096));
    assert_eq!(read::<Vec<Empty>>(&empty_rows(4096)).unwrap().len(), 4096);
}

/// Each table is allowed, all together are refused.
#[test]
fn many_tables_of_rows_without_columns() {
    for tables in [1000, 100_000] {
        let one = empty_rows(4096);
        let bytes = [&[20][..], &vint(tables as u128), &one.repeat(tables)].concat();
        assert!(read::<Value>(&bytes).is_err());
        assert!(read::<Vec<Vec<Empty>>>(&bytes).is_err());
        // Skipped values are not built.
        let _ = read::<IgnoredAny>(&bytes);
        let array = [&[19][..], &vint(tables as u128), &[25], &one[1..].repeat(tables)].concat();
        assert!(read::<Value>(&array).is_err());
        assert!(read::<Vec<Table<Vec<Empty>>>>(&array).is_err());
    }
}

/// A shared value that is a reference to itself.
#[test]
fn a_value_that_refers_to_itself_is_refused() {
    let bytes = [26, 0, 26, 2];
    accepted(&bytes);
    assert!(read::<u8>(&bytes).is_err());
    assert!(read::<Vec<u8>>(&bytes).is_err());
    assert!(read::<Shared<Rc<u8>>>(&bytes).is_err());
    // Nothing is allocated for skipped values.
    let _ = read::<IgnoredAny>(&bytes);
    let _ = read::<serde_json::Value>(&bytes);

    // SHARED TUPLE of 5 and itself, SHARED ARRAY of itself.
    for bytes in [&[26, 0, 20, 2, 17, 10, 26, 6][..], &[26, 0, 19, 1, 26, 4]] {
        accepted(bytes);
        assert!(read::<Vec<i32>>(bytes).is_err());
        assert!(read::<Nest>(bytes).is_err());
        assert!(read::<serde_json::Value>(bytes).is_err());
        assert!(read::<Vec<Vec<Vec<Vec<IgnoredAny>>>>>(bytes).is_err());
    }
}

/// Each level is a TUPLE of one definition and one reference to it: `2^levels` values in all.
pub(crate) fn doubling(levels: usize) -> Vec<u8> {
    (0..levels).fold(vec![19, 0], |inner, _| {
        // The distance does not include the vint of the reference.
        let definition = [&[26, 0][..], &inner].concat();
        let distance = vint(definition.len() as u128);
        [&[20, 2][..], &definition, &[26], &distance].concat()
    })
}

#[test]
fn references_that_double_are_refused() {
    let small = doubling(4);
    accepted(&small);
    let nest: Nest = read(&small).unwrap();
    // A tag, a length and a tag for each of 15 inner ones, a length for each of 16 outer ones.
    assert_eq!(to_vec(&nest).unwrap().len(), 1 + 2 * 15 + 16);
    for levels in [30, 60] {
        let bytes = doubling(levels);
        accepted(&bytes);
        let error = read::<Nest>(&bytes).unwrap_err();
        assert_eq!(error.category(), Category::Limit, "{error}");
        // A node of such a tree is larger.
        let (error, stats) = measure_value(|| from_slice::<serde_json::Value>(&bytes).unwrap_err());
        assert_eq!(error.category(), Category::Limit, "{error}");
        assert!(stats.peak < 64 * 128 * bytes.len(), "{stats:?}");
        // Unknown fields are skipped without expanding them.
        let field = [&[21, 1][..], &tag("unknown"), &bytes].concat();
        read::<Empty>(&field).unwrap();
    }
}

/// A string of a kilobyte, referred to a thousand times: a megabyte from five kilobytes.
#[test]
fn a_long_string_shared_often() {
    let text = "x".repeat(1024);
    let shared = Shared(Rc::<str>::from(text.as_str()));
    let bytes = to_vec(&vec![shared; 1000]).unwrap();
    assert!(bytes.len() < 5000, "{} bytes", bytes.len());
    accepted(&bytes);
    let read: Vec<String> = from_slice(&bytes).unwrap();
    assert!(read == vec![text.clone(); 1000]);
    let borrowed: Vec<&str> = from_slice(&bytes).unwrap();
    assert!(borrowed == vec![text.as_str(); 1000]);
    let read: Vec<Shared<Rc<str>>> = from_slice(&bytes).unwrap();
    assert!(read.iter().all(|item| *item.0 == *text));
}

#[test]
fn dangling_references_are_refused() {
    #[track_caller]
    fn refuse_dangling(bytes: &[u8]) {
        let error = read::<Value>(bytes).unwrap_err();
        assert_eq!(error.category(), Category::Syntax, "{error}");
        assert!(read::<u8>(bytes).is_err());
        assert!(read::<Vec<u8>>(bytes).is_err());
        assert!(read::<(u8, u8, u8)>(bytes).is_err());
    }
    // Alone: to itself, before the input, far away.
    refuse_dangling(&[26, 1]);
    refuse_dangling(&[26, 2]);
    refuse_dangling(&[&[26][..], &vint(1 << 64)].concat());
    refuse_dangling(&[&[26][..], &vint(u128::MAX)].concat());
    // TUPLE of a definition and a reference: to the tag of the definition, to the value in it,
    // into the value, to the tuple, to the reference itself.
    for distance in [1, 2, 3, 5, 6, 7] {
        refuse_dangling(&[20, 2, 26, 0, 16, 1, 26, distance]);
    }
    accepted(&[20, 2, 26, 0, 16, 1, 26, 4]);
    // Forward: the definition comes later.
    refuse_dangling(&[20, 2, 26, 2, 26, 0, 16, 1]);
    // A reference to a reference, and to what only looks like a definition, within a string.
    refuse_dangling(&[20, 3, 26, 0, 16, 1, 26, 4, 26, 2]);
    refuse_dangling(&[20, 2, 18, 4, 26, 0, 16, 1, 26, 5]);
    // In a skipped field, the reference is refused or ignored.
    let field = [&[21, 1][..], &tag("unknown"), &[26, 9]].concat();
    let _ = read::<Empty>(&field);
}

#[test]
fn ten_thousand_nested_arrays() {
    const LEVELS: u16 = 10_000;
    let mut bytes = [19, 1].repeat(LEVELS.into());
    bytes.extend([17, 2]);
    for category in [
        read::<Value>(&bytes).unwrap_err().category(),
        read::<Nest>(&bytes).unwrap_err().category(),
        read::<IgnoredAny>(&bytes).unwrap_err().category(),
        read::<serde_json::Value>(&bytes).unwrap_err().category(),
    ] {
        assert_eq!(category, Category::Limit);
    }
    for around in [[20, 1], [26, 0], [22, 0x80]] {
        let mut bytes = around.repeat(100_000);
        bytes.extend([17, 2]);
        assert_eq!(read::<Value>(&bytes).unwrap_err().category(), Category::Limit);
        assert_eq!(read::<IgnoredAny>(&bytes).unwrap_err().category(), Category::Limit);
        let error = read::<Chain>(&bytes).unwrap_err();
        assert!(around[0] == 20 || error.category() == Category::Limit, "{error}");
    }
}

#[test]
fn lengths_beyond_the_input() {
    for length in [1 << 62, u128::from(u64::MAX), u128::MAX, 1 << 32, 1 << 31, 1 << 50, 100] {
        for tag in [18, 20, 21] {
            refused(&[&[tag][..], &vint(length)].concat(), Category::Eof);
            refused(&[&[tag][..], &vint(length), &[0; 5]].concat(), Category::Eof);
        }
        // Each element takes at least a byte.
        for element in [0, 1, 2, 3, 4, 11, 12, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26] {
            refused(&[&[19][..], &vint(length), &[element]].concat(), Category::Eof);
            refused(&[&[19][..], &vint(length), &[element, 0, 0]].concat(), Category::Eof);
        }
        refused(&[&[19][..], &vint(length)].concat(), Category::Eof);
        // Rows of one column, and many columns.
        let header = [&[1][..], &tag("x"), &[24]].concat();
        refused(&[&[25][..], &vint(length), &header].concat(), Category::Eof);
        refused(&[&[25][..], &vint(length), &header, &[0; 9]].concat(), Category::Eof);
        refused(&[&[25, 1][..], &vint(length)].concat(), Category::Eof);
        refused(&[&[25, 1][..], &vint(length), &header[1..]].concat(), Category::Eof);
    }
}

/// A tuple of any number of such tuples, which reserves memory by `size_hint`.
#[derive(Debug)]
struct Cells(#[allow(dead_code, reason = "only its size matters")] Vec<(Cells, [u64; 4])>);

visits! { Cells, "cells", deserialize_tuple(usize::MAX):
    visit_seq |cells| {
        let mut all = Vec::with_capacity(cells.size_hint().unwrap_or(0));
        while let Some(cell) = cells.next_element()? {
            all.push((cell, [0; 4]));
        }
        Ok(Cells(all))
    }
}

/// The counts of nested tuples may each claim the rest of the input, but memory is reserved for it once.
#[test]
fn tuples_that_claim_the_same_bytes() {
    let rest = 100_000;
    let nested = [&[20][..], &vint(rest / 2)].concat().repeat(100);
    let bytes = [&nested[..], &vec![0; usize::try_from(rest).unwrap()]].concat();
    assert_eq!(read::<Cells>(&bytes).unwrap_err().category(), Category::Data);
}

#[test]
fn overlong_vints_are_read() {
    for extra in 0..18_usize {
        let five = [&[0x85][..], &vec![0x80; extra], &[0]].concat();
        for (tag, number) in [(16, 5_i128), (17, -3)] {
            let bytes = [&[tag][..], &five].concat();
            accepted(&bytes);
            assert_eq!(read::<i128>(&bytes).unwrap(), number, "{}", Hex(&bytes));
            assert_eq!(i128::from(read::<i8>(&bytes).unwrap()), number, "{}", Hex(&bytes));
        }
        // Lengths and counts, of rows and of columns.
        let bytes = [&[18][..], &five, b"hello"].concat();
        accepted(&bytes);
        assert_eq!(read::<String>(&bytes).unwrap(), "hello");
        let bytes = [&[19][..], &five, &[24, 0, 0, 0, 0, 0]].concat();
        accepted(&bytes);
        assert_eq!(read::<Vec<()>>(&bytes).unwrap().len(), 5);
        accepted(&[&[20][..], &five, &[24, 0].repeat(5)].concat());
        let none = [&vec![0x80; extra + 1][..], &[0]].concat();
        for tag in [18, 19, 20, 21, 25] {
            accepted(&[&[tag][..], &none].concat());
        }
        accepted(&[&[25][..], &five, &none].concat());
        // A definition's zero, a reference's distance.
        let definition = [&[26][..], &none, &[24, 0]].concat();
        accepted(&definition);
        let distance = u8::try_from(definition.len()).unwrap();
        let back = [&[0x80 | distance][..], &vec![0x80; extra], &[0]].concat();
        accepted(&[&[20, 2][..], &definition, &[26], &back].concat());
    }
    // All 128 bits, and one more.
    let all = [&[0xff; 18][..], &[3]].concat();
    accepted(&[&[16][..], &all].concat());
    assert_eq!(read::<u128>(&[&[16][..], &all].concat()).unwrap(), u128::MAX);
    assert_eq!(read::<i128>(&[&[17][..], &all].concat()).unwrap(), i128::MIN);
    for tag in 16..=21 {
        refused(&[&[tag][..], &[0xff; 18], &[4]].concat(), Category::Syntax);
        refused(&[&[tag][..], &[0x80; 19], &[0]].concat(), Category::Syntax);
        refused(&[&[tag][..], &[0xff; 1000]].concat(), Category::Syntax);
        refused(&[&[tag][..], &[0x80; 1000]].concat(), Category::Syntax);
    }
}

/// Ten thousand fields of the same name are refused at the second one.
#[test]
fn equal_fields_and_columns() {
    const COUNT: u32 = 10_000;
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct One {
        id: u32,
    }
    let fields: Vec<u8> =
        (0..COUNT).flat_map(|id| [&tag("id")[..], &[16], &vint(id.into())].concat()).collect();
    let bytes = [&[21][..], &vint(COUNT.into()), &fields].concat();
    let twice = "duplicate field `id`";
    assert_eq!(read::<One>(&bytes).unwrap_err().kind().to_string(), twice);
    accepted(&bytes);

    let columns: Vec<u8> = (0..COUNT).flat_map(|_| [&tag("id")[..], &[16]].concat()).collect();
    let cells: Vec<u8> = (0..COUNT).flat_map(|id| vint(id.into())).collect();
    let rows = [cells.as_slice(); 3].concat();
    let bytes = [&[25, 3][..], &vint(COUNT.into()), &columns, &rows].concat();
    assert_eq!(read::<Vec<One>>(&bytes).unwrap_err().kind().to_string(), twice);
    accepted(&bytes);
    let bytes = [&[21, 2][..], &tag("id"), &[16, 1], &tag("no"), &[16, 2]].concat();
    assert_eq!(read::<One>(&bytes).unwrap(), One { id: 1 });
}

/// One value of every kind.
fn kinds() -> Vec<Vec<u8>> {
    let x = tag("x");
    let simple: [&[u8]; 25] = [
        &[0, 1],
        &[1, 255],
        &[2, 1, 2],
        &[3, 1, 2, 3, 4],
        &[4, 1, 2, 3, 4, 5, 6, 7, 8],
        &[11, 0x7f, 0xc0, 0, 0],
        &[12, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0],
        &[16, 0xff, 0x7f],
        &[17, 0x80, 0x80, 0x80, 0],
        &[18, 3, 0xff, 26, 0],
        &[19, 0],
        &[19, 2, 16, 1, 2],
        &[20, 0],
        &[20, 2, 16, 1, 18, 1, b'x'],
        &[21, 0],
        &[22, 0],
        &[22, 0x80, 24, 0],
        &[22, 127],
        &[22, 255, 19, 1, 24, 0],
        &[23, 0, 0, 0, 1],
        &[23, 0x80, 0, 0, 1, 24, 0],
        &[24, 0],
        &[25, 0],
        &[25, 3, 0],
        &[26, 0, 20, 2, 16, 1, 26, 6],
    ];
    let mut all: Vec<Vec<u8>> = simple.map(Vec::from).into();
    all.push([&[21, 1][..], &x, &[24, 0]].concat());
    all.push([&[25, 2, 2][..], &x, &[17], &x, &[18], &[2, 0, 4, 1, b'x']].concat());
    all.push([&[25, 1, 3][..], &x, &[25], &x, &[26], &x, &[19], &[0, 0, 16, 1, 0]].concat());
    all
}

#[test]
fn unknown_fields_of_every_kind() {
    let id = tag("id");
    let name = tag("name");
    let key = Key { id: 7, name: "n".into() };
    for kind in kinds() {
        accepted(&kind);
        read::<IgnoredAny>(&kind).unwrap();
        let unknown = [&tag("unknown")[..], &kind].concat();
        let fields = [&id[..], &[16, 7], &unknown, &unknown, &name, &[18, 1, b'n']].concat();
        // The unknown field at each position.
        let record = [&[21, 4][..], &fields].concat();
        assert_eq!(read::<Key>(&record).unwrap(), key, "{}", Hex(&kind));
        let first = [&[21, 4][..], &unknown, &fields[..6], &fields[6 + unknown.len()..]].concat();
        assert_eq!(read::<Key>(&first).unwrap(), key, "{}", Hex(&kind));
        let last = [&[21, 3][..], &id, &[16, 7], &name, &[18, 1, b'n'], &unknown].concat();
        assert_eq!(read::<Key>(&last).unwrap(), key, "{}", Hex(&kind));
        // A cell more than the tuple has, and a column more than the rows have.
        let tuple = [&[20, 3][..], &[16, 7, 18, 1, b'n'], &kind].concat();
        assert_eq!(read::<(u8, String)>(&tuple).unwrap(), (7, "n".into()));
        let columns = [&[3][..], &id, &[16], &tag("unknown"), &kind[..1], &name, &[18]].concat();
        let row = [&[7][..], &kind[1..], &[1, b'n']].concat();
        let table = [&[25, 1][..], &columns, &row].concat();
        assert_eq!(read::<Vec<Key>>(&table).unwrap(), std::slice::from_ref(&key), "{}", Hex(&kind));
        let table = [&[25, 3][..], &columns, &row, &row, &row].concat();
        assert_eq!(read::<Vec<Key>>(&table).unwrap(), vec![key.clone(); 3], "{}", Hex(&kind));
        // Cut short, it cannot be skipped.
        for cut in 1..=kind.len().min(4) {
            let cut = &last[..last.len() - cut];
            assert!(read::<Key>(cut).unwrap_err().is_eof(), "{}", Hex(cut));
        }
    }
}
