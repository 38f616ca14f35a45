//! Types that std and serde_bytes implement.

use serde::{Deserialize, Serialize};
use serde_bytes::{ByteArray, ByteBuf};
use std::borrow::Cow;
use std::collections::{BTreeMap, LinkedList};
use std::ffi::{CString, OsString};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::ops::{Bound, RangeInclusive, RangeTo};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Counted {
    rc: Rc<Vec<Rc<str>>>,
    arc: Arc<BTreeMap<u8, Arc<u8>>>,
    bytes: Arc<[u8]>,
    pair: (Rc<()>, Rc<[u16]>),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Boxes {
    text: Box<str>,
    texts: Box<[Box<str>]>,
    deep: Box<(Box<u8>, Box<[u8; 2]>)>,
    maybe: Box<Option<Box<u8>>>,
    array: Box<[u8; 3]>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Cows {
    text: Cow<'static, str>,
    texts: Cow<'static, [String]>,
    many: Vec<Cow<'static, str>>,
    one: Cow<'static, u8>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Lists {
    a: LinkedList<u8>,
    b: Vec<LinkedList<String>>,
    c: Vec<bool>,
    d: Vec<char>,
    e: Vec<(u8, char)>,
    f: Vec<[f32; 3]>,
    g: Vec<u128>,
}

pub(crate) type Bytes4 = ByteArray<4>;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct NestedBytes {
    #[serde(with = "serde_bytes")]
    a: [u8; 5],
    #[serde(with = "serde_bytes")]
    b: Option<Vec<u8>>,
    #[serde(with = "serde_bytes")]
    c: Box<[u8]>,
    d: Vec<ByteArray<2>>,
    e: (ByteBuf, ByteBuf),
}

pub(crate) type TimeAlone = SystemTime;
pub(crate) type DurationAlone = Duration;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Times {
    a: Option<Duration>,
    b: Vec<SystemTime>,
    c: (Duration, u8),
    d: BTreeMap<Duration, u8>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Bounds {
    a: Vec<Bound<String>>,
    b: RangeTo<u16>,
    c: RangeInclusive<char>,
    d: (Bound<u8>, Bound<()>),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct System {
    os: OsString,
    c: CString,
    path: PathBuf,
    paths: Vec<Option<PathBuf>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Addresses {
    a: [Ipv4Addr; 2],
    b: BTreeMap<Ipv6Addr, Option<SocketAddr>>,
}
