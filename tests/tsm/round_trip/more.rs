//! Additional types: widths, arrays up to 32, tuples up to 16, types of std.

mod library;

use super::Type;
use crate::support::erased::any_types;
use crate::support::random::{Dice, value, value_or_nan};
use fourfold::tsm::with::Raw;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_bytes::ByteBuf;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::marker::PhantomData;
use std::num::*;
use std::rc::Rc;

pub(crate) use self::library::*;
pub(crate) use super::tagged::{
    AdjacentAll, AdjacentMixed, AdjacentNewtypes, InternalAll, UntaggedVariant, VecAdjacentAll,
};
use crate::support::zoo::{Empty, Key, Shape, Suit, UnitStruct};

/// The types of this module.
pub(crate) fn types() -> Vec<Type> {
    any_types! {
        visible Size = value;
        visible SignedSize = value;
        visible Widths = value;
        visible Signs = value;
        visible Wrapped = value;
        visible BitsF32 = value_or_nan;
        visible BitsF64 = value_or_nan;
        visible BitsEverywhere = value_or_nan;

        visible Array2 = value;
        visible Array5 = value;
        visible Array16Chars = value;
        visible Array17Units = value;
        visible Array31Options = value;
        visible Array32 = value;
        visible Array32Text = value;
        visible Array8x8 = value;
        visible ArrayOfVec = value;
        visible ArrayOfShape = value;
        visible ArrayOfArrays = value;
        visible BigText = value;
        visible BigUnits = value;

        visible Tuple3 = value;
        visible Tuple7 = value;
        visible Tuple8 = value;
        visible Tuple9 = value;
        visible Tuple10 = value;
        visible Tuple11 = value;
        visible Tuple12 = value;
        visible Tuple16 = value;

        visible VecUnitStruct = value;
        visible VecEmpty = value;
        visible VecUnits = value;
        visible VecNoArray = value;
        visible VecPhantom = value;
        visible VecVecUnit = value;
        visible VecSkipped = value;
        visible SetUnit = value;
        visible MapOfUnits = value;
        visible MapToUnit = value;
        visible ArrayOfVecUnit = value;
        visible OptionVecUnit = value;
        visible ResultUnits = value;
        visible ManyNothings = value;

        visible Option4 = value;
        visible OptionBox = value;
        visible OptionArray = value;
        visible OptionBytes = value;
        visible OptionMap = value;
        visible OptionSkipped = value;
        visible ResultNested = value;
        visible ResultVec = value;

        visible MapArray = value;
        visible MapTuple = value;
        visible MapChar = value;
        visible MapBool = value;
        visible MapVec = value;
        visible MapMapMap = value;
        visible MapBytes = value;
        visible MapResult = value;
        visible SetStruct = value;
        visible SetOption = value;
        visible HashMapNested = value;

        visible Counted = value;
        visible Boxes = value;
        visible Cows = value;
        visible Lists = value;
        visible Bytes4 = value;
        visible NestedBytes = value;
        visible Times = value;
        visible TimeAlone = value;
        visible DurationAlone = value;
        visible Bounds = value;
        visible System = value;
        visible Addresses = value;
        visible Inner3 = value;
        visible Deep3 = value;
        visible GenericTwo = value;
        visible GenericSelf = value;
        visible Phantom = value;
        visible Remote = value;
        visible OneByOne = value;
        visible WithOther = value;
        visible Explicit = value;
        visible Mutual = value;
        visible Numbered = value;
        visible RawBytes = value;
        visible RawArrays = value;
        visible RawNested = value;
        visible WideEnum = value;
        visible Renames = value;
        visible Attributes = value;

        visible FlattenOption = FlattenOption::sample;
        visible AdjacentNewtypes = value;
        visible AdjacentAll = AdjacentAll::sample;
        visible VecAdjacentAll = AdjacentAll::samples;
        visible AdjacentMixed = AdjacentMixed::sample;
        unseen InternalAll = InternalAll::sample;
        unseen UntaggedVariant = UntaggedVariant::sample;
        unseen OneSided = OneSided::sample;
    }
}

pub(crate) type Size = usize;
pub(crate) type SignedSize = isize;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Widths {
    a: NonZeroU8,
    b: NonZeroU16,
    c: NonZeroU32,
    d: NonZeroU64,
    e: NonZeroU128,
    f: NonZeroUsize,
    g: Option<NonZeroU8>,
    h: Vec<NonZeroU16>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Signs {
    a: NonZeroI8,
    b: NonZeroI16,
    c: NonZeroI32,
    d: NonZeroI64,
    e: NonZeroI128,
    f: NonZeroIsize,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Wrapped {
    a: Wrapping<i8>,
    b: Wrapping<u128>,
    c: Saturating<u8>,
    d: Wrapping<Wrapping<i64>>,
    e: Vec<Saturating<i16>>,
}

/// Numbers that are equal if their bits are.
macro_rules! bits {
    ($($name:ident $type:ty)*) => {$(
        #[derive(Clone, Copy, Debug, Serialize, Deserialize)]
        pub(crate) struct $name($type);

        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                self.0.to_bits() == other.0.to_bits()
            }
        }
    )*};
}
bits! { BitsF32 f32 BitsF64 f64 }

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct BitsEverywhere {
    one: BitsF32,
    maybe: Option<BitsF64>,
    many: Vec<BitsF32>,
    wide: Vec<BitsF64>,
    array: [BitsF32; 3],
    rows: Vec<[BitsF32; 3]>,
    map: BTreeMap<u8, BitsF64>,
}

pub(crate) type Array2 = [i16; 2];
pub(crate) type Array5 = [bool; 5];
pub(crate) type Array16Chars = [char; 16];
pub(crate) type Array17Units = [(); 17];
pub(crate) type Array31Options = [Option<u8>; 31];
pub(crate) type Array32 = [u64; 32];
pub(crate) type Array32Text = [String; 32];
pub(crate) type Array8x8 = [[u16; 8]; 8];
pub(crate) type ArrayOfVec = [Vec<u8>; 4];
pub(crate) type ArrayOfShape = [Shape; 3];
pub(crate) type ArrayOfArrays = [[[Option<u8>; 1]; 2]; 3];
pub(crate) type BigText = serde_big_array::Array<String, 40>;
pub(crate) type BigUnits = serde_big_array::Array<(), 5000>;

pub(crate) type Tuple3 = (String, (), Option<u8>);
pub(crate) type Tuple7 = (u8, u8, u8, u8, u8, u8, u8);
pub(crate) type Tuple8 = (u8, i8, u16, i16, u32, i32, u64, i64);
pub(crate) type Tuple9 = (u8, String, u8, String, u8, String, u8, String, u8);
pub(crate) type Tuple10 = (u8, u8, u8, (), u8, u8, u8, u8, u8, Vec<u8>);
pub(crate) type Tuple11 = (f32, f64, u8, u8, u8, u8, u8, u8, u8, char, bool);
pub(crate) type Tuple12 = (u8, String, (u8,), [u8; 2], (), u8, Option<u8>, Key, Suit, i128, u8, u8);

/// std implements `PartialEq` only for tuples of up to twelve elements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[rustfmt::skip]
pub(crate) struct Tuple16(
    u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, Option<Box<str>>,
);

pub(crate) type VecUnitStruct = Vec<UnitStruct>;
pub(crate) type VecEmpty = Vec<Empty>;
pub(crate) type VecUnits = Vec<((), (), [u8; 0])>;
pub(crate) type VecNoArray = Vec<[String; 0]>;
pub(crate) type VecPhantom = Vec<PhantomData<u8>>;
pub(crate) type VecVecUnit = Vec<Vec<()>>;
pub(crate) type VecSkipped = Vec<Skipped>;
pub(crate) type SetUnit = BTreeSet<()>;
pub(crate) type MapOfUnits = BTreeMap<(), Vec<()>>;
pub(crate) type MapToUnit = BTreeMap<u8, ()>;
pub(crate) type ArrayOfVecUnit = [Vec<()>; 3];
pub(crate) type OptionVecUnit = Option<Vec<()>>;
pub(crate) type ResultUnits = Result<(), ()>;

/// Takes memory, but no bytes in a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Skipped {
    #[serde(skip)]
    never: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ManyNothings {
    a: Vec<()>,
    b: Option<()>,
    c: Vec<Skipped>,
    d: [(); 3],
    e: Result<(), Vec<()>>,
    f: BTreeMap<u8, Vec<Empty>>,
    g: u8,
}

pub(crate) type Option4 = Option<Option<Option<Option<u8>>>>;
pub(crate) type OptionBox = Option<Box<Option<Rc<u8>>>>;
pub(crate) type OptionArray = Option<[u8; 4]>;
pub(crate) type OptionBytes = Option<Option<ByteBuf>>;
pub(crate) type OptionMap = Option<BTreeMap<u8, Option<u8>>>;
pub(crate) type OptionSkipped = Option<Skipped>;
pub(crate) type ResultNested = Result<Option<u8>, Result<String, Vec<u8>>>;
pub(crate) type ResultVec = Vec<Result<u8, ()>>;

pub(crate) type MapArray = BTreeMap<[u8; 3], [u8; 3]>;
pub(crate) type MapTuple = BTreeMap<(String, u8), ((), u8)>;
pub(crate) type MapChar = BTreeMap<char, char>;
pub(crate) type MapBool = BTreeMap<bool, f64>;
pub(crate) type MapVec = BTreeMap<Vec<String>, u8>;
pub(crate) type MapMapMap = BTreeMap<u8, BTreeMap<u8, BTreeMap<u8, ()>>>;
pub(crate) type MapBytes = BTreeMap<ByteBuf, ByteBuf>;
pub(crate) type MapResult = BTreeMap<Result<u8, u16>, Option<Suit>>;
pub(crate) type SetStruct = BTreeSet<Key>;
pub(crate) type SetOption = BTreeSet<Option<Option<bool>>>;
pub(crate) type HashMapNested = HashMap<String, HashMap<u8, Vec<u8>>>;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Inner3(pub(crate) Inner2);
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Inner2(pub(crate) Inner1);
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Inner1(pub(crate) Vec<Option<String>>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Deep3 {
    a: Inner3,
    b: Vec<Inner3>,
    c: Option<(Inner1, Vec<Vec<Inner1>>)>,
}

pub(crate) type GenericTwo = Two<String, Vec<Two<u8, ()>>>;
pub(crate) type GenericSelf = Two<Two<u8, u8>, Two<Option<u8>, Result<u8, char>>>;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Two<A, B> {
    one: A,
    other: Vec<B>,
    both: Option<(A, B)>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Phantom<T = String> {
    a: u8,
    nothing: PhantomData<T>,
    b: u8,
}

mod foreign {
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) struct Span {
        pub(crate) from: u16,
        pub(crate) to: Option<u16>,
    }
}

/// Derives for a type without them, by `remote`.
#[derive(Serialize, Deserialize)]
#[serde(remote = "foreign::Span")]
struct SpanDef {
    from: u16,
    to: Option<u16>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Remote {
    #[serde(with = "SpanDef")]
    span: foreign::Span,
    after: u8,
}

/// Items that are serialized one by one, with the length first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct OneByOne {
    #[serde(serialize_with = "one_by_one")]
    items: Vec<u16>,
    #[serde(with = "display")]
    number: u32,
}

fn one_by_one<S: Serializer>(items: &[u16], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(items.iter())
}

mod display {
    use super::{Deserialize, Deserializer, Serializer};
    use serde::de::Error;

    pub(super) fn serialize<S: Serializer>(number: &u32, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("<{}>", number % 10))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
        match String::deserialize(from)?.as_bytes() {
            &[b'<', digit @ b'0'..=b'9', b'>'] => Ok(u32::from(digit - b'0')),
            // The generator of values may return an empty string.
            [] => Ok(3),
            other => Err(D::Error::custom(format_args!("{} bytes", other.len()))),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum WithOther {
    One,
    Two(u8),
    #[serde(other)]
    Rest,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[repr(i8)]
pub(crate) enum Explicit {
    Minus = -1,
    Big = 100,
    Zero = 0,
}

/// Mutually recursive types.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Mutual {
    name: String,
    inner: Option<Box<Other>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Other {
    End,
    Back(Mutual),
    Many(Vec<Mutual>),
    Map(BTreeMap<u8, Mutual>),
}

/// Names that are not identifiers, and names that differ only in case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "")]
pub(crate) struct Numbered {
    #[serde(rename = "0")]
    zero: u8,
    #[serde(rename = "")]
    none: u8,
    #[serde(rename = "ZERO")]
    upper: u8,
    r#type: u8,
}

pub(crate) type RawBytes = Raw<[u8; 7]>;
pub(crate) type RawNested = Vec<Option<Raw<[u8; 2]>>>;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RawArrays {
    before: u8,
    #[serde(with = "fourfold::tsm::with::raw")]
    four: [u8; 4],
    pair: (Raw<[u8; 1]>, Raw<[u8; 0]>),
    rest: Vec<Raw<(u8, u8)>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum WideEnum {
    Unit,
    Units(()),
    Nested(Box<WideEnum>),
    Pair(Box<WideEnum>, Box<WideEnum>),
    Named { a: Box<WideEnum>, b: Vec<WideEnum> },
    Other(Other),
    Tuple((u8, u8), [u8; 2], ()),
    Maybe(Option<Box<WideEnum>>),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename(serialize = "written", deserialize = "read"))]
pub(crate) struct Renames {
    #[serde(rename(serialize = "out", deserialize = "in"))]
    a: u8,
    #[serde(alias = "a", alias = "x", alias = "y")]
    b: Vec<u8>,
    #[serde(rename(serialize = "one"), alias = "two")]
    c: Option<Suit>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase", expecting = "attributes")]
pub(crate) struct Attributes {
    one_field: u8,
    #[serde(skip_serializing_if = "never")]
    two_fields: Vec<u8>,
    #[serde(default)]
    three: Option<Box<Attributes>>,
    #[serde(skip)]
    four: u32,
    #[serde(skip, default)]
    five: Option<u8>,
}

fn never<T>(_: &T) -> bool {
    false
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct FlattenOption {
    id: u8,
    #[serde(flatten)]
    key: Option<Key>,
}

impl FlattenOption {
    pub(crate) fn sample(g: &mut Dice) -> Self {
        FlattenOption { id: value(g), key: value(g) }
    }
}

/// Has more fields when written than when read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct OneSided {
    a: u8,
    #[serde(skip_deserializing)]
    b: u32,
}

impl OneSided {
    pub(crate) fn sample(g: &mut Dice) -> Self {
        OneSided { a: value(g), b: value(g) }
    }
}
