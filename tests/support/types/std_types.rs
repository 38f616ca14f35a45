//! Types of core, alloc and std.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::ffi::{CString, OsString};
use std::marker::PhantomData;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::{NonZeroI64, NonZeroU8, Saturating, Wrapping};
use std::ops::{Bound, Range, RangeFrom, RangeInclusive};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, RwLock};
use std::time::{Duration, SystemTime};

use fourfold::molecule;
use serde::{Deserialize, Serialize};

use super::Rows;

pub(super) fn rows(rows: &mut impl Rows) {
    numbers(rows);
    text(rows);
    options(rows);
    sequences(rows);
    maps(rows);
    others(rows);
}

#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
struct UnitStruct;

#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
struct Newtype(u32);

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct TupleStruct(u8, String);

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Empty {}

/// A type whose values are compared by their `Debug` text.
#[derive(Serialize, Deserialize, Debug)]
#[serde(transparent)]
struct Shows<T>(T);

trait Look {
    type Seen: PartialEq;
    fn look(&self) -> Self::Seen;
}

impl<T: Look> PartialEq for Shows<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0.look() == other.0.look()
    }
}

impl Look for Mutex<u8> {
    type Seen = u8;
    fn look(&self) -> u8 {
        *self.lock().expect("not poisoned")
    }
}

impl Look for RwLock<String> {
    type Seen = String;
    fn look(&self) -> String {
        self.read().expect("not poisoned").clone()
    }
}

impl Look for (AtomicBool, AtomicU64) {
    type Seen = (bool, u64);
    fn look(&self) -> (bool, u64) {
        (self.0.load(Ordering::Relaxed), self.1.load(Ordering::Relaxed))
    }
}

impl Look for BinaryHeap<u8> {
    type Seen = Vec<u8>;
    fn look(&self) -> Vec<u8> {
        self.clone().into_sorted_vec()
    }
}

fn numbers(rows: &mut impl Rows) {
    rows.group("Numbers");
    rows.row("`bool`", vec![false, true]);
    rows.row("`u8` … `u64`", vec![(0, 0, 0, 0), (u8::MAX, u16::MAX, u32::MAX, u64::MAX)]);
    rows.row(
        "`i8` … `i64`",
        vec![(-1, -1, -1, -1), (i8::MIN, i16::MIN, i32::MIN, i64::MIN), (i8::MAX, 0, 1, i64::MAX)],
    );
    rows.row("`u128`, `i128`", vec![(0, 0), (u128::MAX, i128::MIN), (1 << 64, i128::MAX)]);
    rows.row("`usize`, `isize`", vec![(0, -1), (usize::MAX, isize::MIN)]);
    rows.row(
        "`f32`, `f64`",
        vec![(0.0, 0.0), (-0.0, f64::MIN_POSITIVE), (f32::MAX, f64::INFINITY), (f32::EPSILON, 0.1)],
    );
    rows.row("`f32`, `f64`: NaN", vec![(f32::NAN, f64::NAN)]);
    rows.row(
        "`NonZero<T>`",
        vec![(NonZeroU8::MIN, NonZeroI64::MIN), (NonZeroU8::MAX, NonZeroI64::MAX)],
    );
    rows.row("`Wrapping<T>`, `Saturating<T>`", vec![(Wrapping(7u8), Saturating(-1i32))]);
    rows.row(
        "`AtomicBool`, `AtomicU64` …",
        vec![Shows((AtomicBool::new(true), AtomicU64::new(u64::MAX)))],
    );
}

fn text(rows: &mut impl Rows) {
    rows.group("Text and bytes");
    rows.row("`char`", vec!['\0', 'é', char::MAX]);
    let texts = || ["", "text", "тест 文字"].map(str::to_owned);
    rows.row("`String`", texts().to_vec());
    rows.borrowed("`&str`", vec!["", "text"]);
    rows.row("`Cow<str>`", texts().map(Cow::<'static, str>::from).to_vec());
    rows.row("`Box<str>`", texts().map(Box::<str>::from).to_vec());
    rows.row("`Vec<u8>`", vec![vec![], vec![0], b"ab".to_vec(), vec![0xff; 300]]);
    rows.borrowed("`&[u8]`", vec![&b""[..], b"ab", &[0xff; 3]]);
    rows.borrowed(
        "`&[u8]` with `serde_bytes`",
        [&b""[..], b"ab", &[0xff; 3]].map(serde_bytes::Bytes::new).to_vec(),
    );
    rows.row(
        "`Cow<[u8]>`",
        vec![Cow::Borrowed(&b""[..]), Cow::Borrowed(b"ab"), Cow::Owned(vec![0xff; 3])],
    );
    rows.row(
        "`Vec<u8>` with `serde_bytes`",
        [&b""[..], b"ab", &[0xff; 300]].map(serde_bytes::ByteBuf::from).to_vec(),
    );
    rows.row("`CString`", vec![CString::default(), c"text".to_owned()]);
    rows.row("`OsString`", vec![OsString::new(), OsString::from("text")]);
    rows.row("`PathBuf`", vec![PathBuf::new(), PathBuf::from("/a/b.txt")]);
    rows.borrowed("`&Path`", vec![Path::new(""), Path::new("/a/b.txt")]);
}

fn options(rows: &mut impl Rows) {
    rows.group("Options, units, pointers");
    rows.row("`Option<T>`", vec![None, Some(0u8), Some(7)]);
    rows.row("`Option<String>`", vec![None, Some(String::new()), Some("text".to_owned())]);
    let nested = || vec![None, Some(None), Some(Some(7u8))];
    rows.row("`Option<Option<T>>`", nested());
    let nested =
        nested().into_iter().map(|outer| outer.map(|inner| molecule::with::Table((inner,))));
    rows.marked("molecule", "the inner one in a tuple `(T,)` with `with::Table`", nested.collect());
    rows.row("`Option<()>`", vec![None, Some(())]);
    rows.row("`()`", vec![()]);
    rows.row("unit struct", vec![UnitStruct]);
    rows.row("`PhantomData<T>`", vec![PhantomData::<u8>]);
    rows.row("newtype struct", vec![Newtype(7)]);
    rows.row("tuple struct", vec![TupleStruct(7, "text".into())]);
    rows.row("struct without fields", vec![Empty {}]);
    rows.row("`Box<T>`", vec![Box::new((7u8, Some(Box::new(1u8))))]);
    rows.row("`Rc<T>`, `Arc<T>`", vec![(Rc::new(7u8), Arc::<str>::from("text"))]);
    rows.row("`Cell<T>`, `RefCell<T>`", vec![(Cell::new(7u8), RefCell::new("text".to_owned()))]);
    rows.row("`Mutex<T>`", vec![Shows(Mutex::new(7u8))]);
    rows.row("`RwLock<T>`", vec![Shows(RwLock::new("text".to_owned()))]);
}

/// Writes its items without announcing their count.
#[derive(Deserialize, Debug, PartialEq)]
#[serde(transparent)]
struct Counted(Vec<u32>);

impl Serialize for Counted {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().filter(|_| true))
    }
}

#[derive(Deserialize, Debug, PartialEq)]
#[serde(transparent)]
struct CountedMap(BTreeMap<String, u32>);

impl Serialize for CountedMap {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().filter(|_| true))
    }
}

fn sequences(rows: &mut impl Rows) {
    rows.group("Sequences, tuples, arrays");
    rows.row("`Vec<T>`", vec![vec![], vec![1u32], vec![1, 2, 3]]);
    let texts = || vec![vec![], vec![String::new()], vec!["a".to_owned(), "bc".to_owned()]];
    rows.row("`Vec<String>`", texts());
    rows.row("`Vec<Vec<T>>`", vec![vec![], vec![vec![]], vec![vec![1u8], vec![], vec![2, 3]]]);
    rows.row("`Vec<Option<T>>`", vec![vec![], vec![None, None], vec![Some(1u8), None]]);
    rows.row("`Vec<()>`", vec![vec![], vec![(); 3]]);
    rows.row("`Vec<()>` of 5,000", vec![vec![(); 5000]]);
    rows.row("`Box<[T]>`, `Rc<[T]>`", vec![(Box::<[u8]>::from([]), Rc::<[u16]>::from([1, 2]))]);
    rows.row(
        "`VecDeque<T>`, `LinkedList<T>`",
        vec![(VecDeque::from([1u8, 2]), LinkedList::from([3u8])), Default::default()],
    );
    rows.row("`BTreeSet<T>`", vec![BTreeSet::new(), BTreeSet::from([1u32, 2])]);
    rows.row("`HashSet<T>`", vec![HashSet::new(), HashSet::from(["a".to_owned(), "b".to_owned()])]);
    rows.row("`BinaryHeap<T>`", vec![Shows(BinaryHeap::from([1u8, 3, 2]))]);
    rows.row(
        "an iterator of unknown length (`collect_seq`)",
        vec![Counted(vec![]), Counted(vec![1, 2])],
    );
    rows.row("`(A, B)` of numbers", vec![(1u8, 2u32)]);
    rows.row("`(A, B)` with text or a `Vec`", vec![(1u8, "text".to_owned()), (0, String::new())]);
    rows.row("`(T,)`", vec![(1u8,)]);
    rows.row("`(A, (B, C))`", vec![(1u8, (2u16, "text".to_owned()))]);
    rows.row("`[T; 0]`", vec![[0u8; 0]]);
    rows.row("`[T; N]`, N ≤ 32", vec![[7u8; 32]]);
    rows.row("`[String; N]`", vec![["a".to_owned(), String::new()]]);
    rows.row(
        "`[T; 33]` with `molecule::with::array`, in all formats",
        vec![molecule::with::Array([7u8; 33])],
    );
    rows.row("`[T; 33]` with `serde_big_array`", vec![big()]);
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Big {
    #[serde(with = "serde_big_array::BigArray")]
    items: [u8; 33],
}

fn big() -> Big {
    Big { items: [7; 33] }
}

fn maps(rows: &mut impl Rows) {
    rows.group("Maps");
    rows.row(
        "`BTreeMap<String, T>`",
        vec![BTreeMap::new(), BTreeMap::from([("a".to_owned(), 1u8)])],
    );
    rows.row("`HashMap<String, T>`", vec![HashMap::new(), HashMap::from([("a".to_owned(), 1u8)])]);
    rows.row(
        "`BTreeMap` with keys that are numbers",
        vec![BTreeMap::from([(-1i64, "a".to_owned()), (7, String::new())])],
    );
    rows.row(
        "`BTreeMap` with keys that are tuples, `Option`s, `char`s",
        vec![BTreeMap::from([((1u8, None, 'a'), 1u8), ((1, Some(2u8), 'b'), 2)])],
    );
    rows.row(
        "a map of maps",
        vec![BTreeMap::from([("a".to_owned(), BTreeMap::from([(1u8, vec![1u16])]))])],
    );
    rows.row(
        "a map of unknown length (`collect_map`)",
        vec![CountedMap(BTreeMap::new()), CountedMap(BTreeMap::from([("a".to_owned(), 1)]))],
    );
}

fn others(rows: &mut impl Rows) {
    rows.group("Other types of std");
    rows.row("`Result<T, E>`", vec![Ok(7u8), Err("text".to_owned())]);
    rows.row("`Range`, `RangeInclusive`, `RangeFrom`", vec![ranges()]);
    rows.row("`Bound<T>`", vec![Bound::Unbounded, Bound::Included(1u8), Bound::Excluded(2)]);
    rows.row("`Reverse<T>`", vec![Reverse(7u8)]);
    rows.row("`Duration`", vec![Duration::ZERO, Duration::new(1, 999_999_999), Duration::MAX]);
    rows.row("`SystemTime`", vec![SystemTime::UNIX_EPOCH + Duration::new(1_700_000_000, 5)]);
    rows.row(
        "`IpAddr`",
        vec![IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::new(1, 2, 3, 4, 5, 6, 7, 8))],
    );
    rows.row(
        "`SocketAddr`",
        vec![
            SocketAddr::from(([127, 0, 0, 1], 80)),
            SocketAddr::from(([1, 2, 3, 4, 5, 6, 7, 8], 0)),
        ],
    );
}

fn ranges() -> (Range<u8>, RangeInclusive<i32>, RangeFrom<u64>) {
    (1..5, -1..=1, 7..)
}
