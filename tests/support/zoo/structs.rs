//! Structs of every kind, with the attributes of serde that change how they are written.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_big_array::BigArray;
use serde_bytes::{ByteArray, ByteBuf};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, LinkedList, VecDeque};
use std::marker::PhantomData;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV6};
use std::num::{NonZeroI64, NonZeroU8, NonZeroU128, Saturating, Wrapping};
use std::ops::{Bound, Range, RangeFrom, RangeInclusive};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::enums::{Shape, Suit};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Scalars {
    pub(crate) a: u8,
    pub(crate) b: i8,
    pub(crate) c: u16,
    pub(crate) d: i16,
    pub(crate) e: u32,
    pub(crate) f: i32,
    pub(crate) g: u64,
    pub(crate) h: i64,
    pub(crate) i: u128,
    pub(crate) j: i128,
    pub(crate) k: f32,
    pub(crate) l: f64,
    pub(crate) m: bool,
    pub(crate) n: char,
    pub(crate) o: usize,
    pub(crate) p: isize,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Bytes {
    #[serde(with = "serde_bytes")]
    pub(crate) vec: Vec<u8>,
    pub(crate) buf: ByteBuf,
    pub(crate) maybe: Option<ByteBuf>,
    #[serde(with = "serde_bytes")]
    pub(crate) maybe_vec: Option<Vec<u8>>,
    pub(crate) many: Vec<ByteBuf>,
    pub(crate) fixed: ByteArray<3>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct Key {
    pub(crate) id: u32,
    pub(crate) name: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct Point {
    pub(crate) x: i32,
    pub(crate) y: i32,
}

/// Nested structs, and other values of variable size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) id: u64,
    pub(crate) key: Key,
    pub(crate) corner: Option<Point>,
    pub(crate) corners: Vec<Point>,
    pub(crate) keys: Option<Vec<Key>>,
    pub(crate) shape: Shape,
    pub(crate) suits: Vec<Suit>,
    pub(crate) parent: Option<Box<Record>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Collections {
    pub(crate) set: BTreeSet<i16>,
    pub(crate) names: BTreeSet<String>,
    pub(crate) deque: VecDeque<Option<u8>>,
    pub(crate) list: LinkedList<Vec<u8>>,
    pub(crate) map: BTreeMap<u8, BTreeMap<String, Vec<u16>>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Hashed {
    pub(crate) by_name: HashMap<String, u64>,
    pub(crate) by_key: HashMap<Key, Option<Point>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Empty {}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct UnitStruct;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct EmptyTuple();

/// All types without content, between fields that have to survive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Nothings {
    pub(crate) before: u8,
    pub(crate) unit: (),
    pub(crate) empty: Empty,
    pub(crate) unit_struct: UnitStruct,
    pub(crate) tuple: EmptyTuple,
    pub(crate) array: [u8; 0],
    pub(crate) strings: [String; 0],
    pub(crate) phantom: PhantomData<String>,
    pub(crate) maybe: Option<()>,
    pub(crate) many: Vec<()>,
    pub(crate) after: u8,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Newtype(pub(crate) u32);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct NewtypeVec(pub(crate) Vec<String>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct NewtypeOption(pub(crate) Option<u8>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Pair(pub(crate) u8, pub(crate) u16);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Triple(pub(crate) u8, pub(crate) String, pub(crate) Option<Pair>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Generic<T> {
    pub(crate) one: T,
    pub(crate) many: Vec<T>,
    pub(crate) maybe: Option<Box<T>>,
}

/// Fields that are options, but not of the type `Option`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct HiddenOptions {
    pub(crate) before: u8,
    pub(crate) newtype: NewtypeOption,
    pub(crate) boxed: Box<Option<u16>>,
    pub(crate) level: Level,
    pub(crate) clear: Clear,
    #[serde(with = "hex_option")]
    pub(crate) hex: Option<u64>,
    pub(crate) pair: (u8, NewtypeOption),
    pub(crate) after: u8,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct List {
    pub(crate) head: u8,
    pub(crate) tail: Option<Box<List>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Tree {
    pub(crate) name: String,
    pub(crate) children: Vec<Tree>,
}

/// Nested sequences.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Nest(pub(crate) Vec<Nest>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Directory {
    pub(crate) files: BTreeMap<String, Directory>,
}

/// Nothing but options, each in the next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Chain(pub(crate) Option<Box<Chain>>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "renamed-struct", rename_all = "SCREAMING-KEBAB-CASE")]
pub(crate) struct Renamed {
    #[serde(rename = "first")]
    pub(crate) one: u8,
    pub(crate) number_two: String,
    #[serde(alias = "drei", alias = "trois")]
    pub(crate) three: Option<u8>,
    #[serde(alias = "vier")]
    pub(crate) four: u16,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Exact {
    pub(crate) a: u8,
    pub(crate) b: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Defaults {
    pub(crate) a: u8,
    pub(crate) b: Vec<u8>,
    pub(crate) c: Option<String>,
    #[serde(default = "seven")]
    pub(crate) d: u16,
}

fn seven() -> u16 {
    7
}

/// A default for what is missing, and it is not what `None` means.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct DefaultSome {
    #[serde(default = "some_seven")]
    pub(crate) level: Option<u16>,
    pub(crate) after: u8,
}

fn some_seven() -> Option<u16> {
    Some(7)
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Skips {
    pub(crate) a: u8,
    #[serde(skip)]
    pub(crate) b: String,
    pub(crate) c: u16,
    #[serde(skip, default = "seven")]
    pub(crate) d: u16,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SkipsIf {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) a: Option<u8>,
    pub(crate) b: u8,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) c: Vec<u16>,
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub(crate) d: String,
    #[serde(skip_serializing_if = "is_seven", default = "seven")]
    pub(crate) e: u16,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) f: Option<Box<SkipsIf>>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_seven(number: &u16) -> bool {
    *number == 7
}

/// A field whose type does not serialize itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct WithModule {
    pub(crate) a: u8,
    #[serde(with = "hex")]
    pub(crate) b: u64,
    #[serde(serialize_with = "hex::serialize", deserialize_with = "hex::deserialize")]
    pub(crate) c: u64,
}

mod hex {
    use super::{Deserialize, Deserializer, Serializer};
    use serde::de::Error;

    pub(super) fn serialize<S: Serializer>(number: &u64, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("{number:x}"))
    }

    // The generator draws strings, which are rarely numbers. Those of one or two characters are
    // changed to numbers, and are read back as something else: as numbers.
    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        let text = String::deserialize(from)?;
        match u64::from_str_radix(&text, 16) {
            Ok(number) => Ok(number),
            Err(_) if text.chars().count() < 3 => Ok(text.bytes().map(u64::from).sum()),
            Err(error) => Err(D::Error::custom(error)),
        }
    }
}

mod hex_option {
    use super::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(number: &Option<u64>, to: S) -> Result<S::Ok, S::Error> {
        number.map(u64::to_le_bytes).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
        Ok(Option::deserialize(from)?.map(u64::from_le_bytes))
    }
}

/// A sequence whose length is not known before it ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct UnknownLength {
    #[serde(serialize_with = "one_by_one")]
    pub(crate) numbers: Vec<u16>,
    #[serde(serialize_with = "one_by_one")]
    pub(crate) strings: Vec<String>,
}

fn one_by_one<S: Serializer, T: Serialize>(items: &[T], to: S) -> Result<S::Ok, S::Error> {
    // An iterator with a filter has no exact length.
    to.collect_seq(items.iter().filter(|_| true))
}

/// Travels as something else entirely.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Option<i8>", into = "Option<i8>")]
pub(crate) enum Level {
    Unknown,
    Known(i8),
}

impl From<Option<i8>> for Level {
    fn from(level: Option<i8>) -> Self {
        level.map_or(Level::Unknown, Level::Known)
    }
}

impl From<Level> for Option<i8> {
    fn from(level: Level) -> Self {
        match level {
            Level::Unknown => None,
            Level::Known(level) => Some(level),
        }
    }
}

/// Refuses some of what it could travel as.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "(u8, String)", into = "(u8, String)")]
pub(crate) struct Even(u8, String);

impl TryFrom<(u8, String)> for Even {
    type Error = &'static str;

    fn try_from((number, name): (u8, String)) -> Result<Self, Self::Error> {
        match number % 2 {
            0 => Ok(Even(number, name)),
            _ => Err("an odd number"),
        }
    }
}

impl From<Even> for (u8, String) {
    fn from(even: Even) -> Self {
        (even.0, even.1)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Clear {
    pub(crate) inner: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Pointers {
    pub(crate) text: Cow<'static, str>,
    pub(crate) items: Cow<'static, [u16]>,
    pub(crate) boxed: Box<str>,
    pub(crate) slice: Box<[String]>,
    pub(crate) rc: Rc<Key>,
    pub(crate) arc: Arc<[u8]>,
    pub(crate) name: Arc<str>,
    pub(crate) cell: Cell<u16>,
    pub(crate) ref_cell: RefCell<Vec<String>>,
    pub(crate) deep: Box<(Rc<u8>, u8)>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Numbers {
    pub(crate) small: NonZeroU8,
    pub(crate) negative: NonZeroI64,
    pub(crate) huge: Option<NonZeroU128>,
    pub(crate) wrapping: Wrapping<u16>,
    pub(crate) saturating: Saturating<i32>,
    pub(crate) reverse: Reverse<u8>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Ranges {
    pub(crate) range: Range<u8>,
    pub(crate) inclusive: RangeInclusive<i64>,
    pub(crate) from: RangeFrom<String>,
    pub(crate) bound: Bound<u16>,
    pub(crate) duration: Duration,
    pub(crate) time: SystemTime,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Network {
    pub(crate) four: Ipv4Addr,
    pub(crate) six: Ipv6Addr,
    pub(crate) ip: IpAddr,
    pub(crate) socket: SocketAddr,
    pub(crate) socket_six: SocketAddrV6,
    pub(crate) hosts: Vec<IpAddr>,
    pub(crate) path: PathBuf,
}

/// Arrays longer than serde's own 32.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct BigArrays {
    #[serde(with = "BigArray")]
    pub(crate) bytes: [u8; 64],
    #[serde(with = "BigArray")]
    pub(crate) numbers: [u16; 40],
    #[serde(with = "BigArray")]
    pub(crate) strings: [String; 33],
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Tuples {
    pub(crate) fixed: (u8, u16, i128),
    pub(crate) mixed: (u8, String),
    pub(crate) dynamic: (String, u8),
    pub(crate) nested: ((u8, u16), (i8, (f32, bool))),
    pub(crate) nested_mixed: ((u8, u16), (u8, String)),
    pub(crate) array: [u32; 4],
    pub(crate) strings: [String; 2],
    pub(crate) late: (u8, u16, u32, u64, Vec<u8>),
}
