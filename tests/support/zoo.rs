//! The zoo: types of every shape that serde can produce, for tests of all formats.
//!
//! Nothing here depends on a format. [`for_each_zoo_type`] names every type once.

pub(crate) mod deep;
mod enums;
mod structs;
mod unseen;

pub(crate) use enums::*;
pub(crate) use structs::*;
pub(crate) use unseen::*;

use serde_bytes::ByteBuf;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::net::{IpAddr, SocketAddr};

/// Calls a macro with the whole list, a line per type: `word Name = generator;`
///
/// The name is an item of this module (`$crate::support::zoo::$name`), the generator a
/// `fn(&mut Dice) -> Name`. It is resolved where the macro is called, which has to have this
/// module's items and `random::value` in scope. The word is what a format guarantees for the type:
///
/// - `visible`: serde shows the writer the whole value. The value survives, or the writer refuses it.
/// - `unseen`: serde does not show the writer the whole value. The value survives, or the writer or reader refuses it.
///
/// Types with `Hash` in their name iterate in a random order, so equal values may have different bytes.
macro_rules! for_each_zoo_type {
    ($callback:ident) => {
        $callback! {
            visible Bool = value;
            visible U8 = value;
            visible U16 = value;
            visible U32 = value;
            visible U64 = value;
            visible U128 = value;
            visible I8 = value;
            visible I16 = value;
            visible I32 = value;
            visible I64 = value;
            visible I128 = value;
            visible F32 = value;
            visible F64 = value;
            visible Char = value;
            visible Text = value;
            visible Unit = value;
            visible Buffer = value;

            visible OptionU8 = value;
            visible OptionText = value;
            visible OptionUnit = value;
            visible OptionPair = value;
            visible OptionMixed = value;
            visible OptionVec = value;
            visible OptionStruct = value;
            visible OptionEnum = value;
            visible OptionOption = value;
            visible OptionOptionText = value;
            visible OptionNewtypeOption = value;
            visible VecOptionOption = value;

            visible VecU8 = value;
            visible VecU64 = value;
            visible VecBool = value;
            visible VecChar = value;
            visible VecText = value;
            visible VecUnit = value;
            visible VecBuffer = value;
            visible VecOption = value;
            visible VecOptionText = value;
            visible VecVec = value;
            visible VecVecVec = value;
            visible VecVecText = value;
            visible VecPair = value;
            visible VecMixed = value;
            visible VecDynamicFirst = value;
            visible VecFixedThenOption = value;
            visible VecArray = value;
            visible VecArrayText = value;
            visible VecArrayEmpty = value;
            visible VecStruct = value;
            visible VecTupleStruct = value;
            visible VecNewtypeOption = value;
            visible VecEnum = value;
            visible VecMap = value;
            visible Set = value;
            visible SetText = value;
            visible Deque = value;
            visible HashSetText = value;

            visible MapText = value;
            visible MapInteger = value;
            visible MapPair = value;
            visible MapMixed = value;
            visible MapStruct = value;
            visible MapEnum = value;
            visible MapOption = value;
            visible MapMap = value;
            visible MapUnit = value;
            visible MapNetwork = value;
            visible HashMapText = value;
            visible HashMapStruct = value;

            visible ArrayBytes = value;
            visible ArrayU64 = value;
            visible ArrayOne = value;
            visible ArrayNested = value;
            visible ArrayText = value;
            visible ArrayNestedText = value;
            visible ArrayOption = value;
            visible ArrayPair = value;
            visible ArrayMixed = value;
            visible ArrayEmpty = value;
            visible ArrayEmptyText = value;
            visible ArrayBig = value;

            visible TupleOne = value;
            visible TupleOneText = value;
            visible TupleFixed = value;
            visible TupleMixed = value;
            visible TupleDynamicFirst = value;
            visible TupleDynamicMiddle = value;
            visible TupleNested = value;
            visible TupleNestedMixed = value;
            visible TupleNestedFirst = value;
            visible TupleNestedLast = value;
            visible TupleOptions = value;
            visible TupleUnits = value;
            visible TupleUnitLast = value;
            visible TupleLists = value;

            visible Scalars = value;
            visible Bytes = value;
            visible Key = value;
            visible Record = value;
            visible Collections = value;
            visible Hashed = value;
            visible Empty = value;
            visible UnitStruct = value;
            visible EmptyTuple = value;
            visible Nothings = value;
            visible Newtype = value;
            visible NewtypeVec = value;
            visible NewtypeOption = value;
            visible Pair = value;
            visible Triple = value;
            visible GenericU8 = value;
            visible GenericVec = value;
            visible GenericMixed = value;
            visible GenericOption = value;
            visible HiddenOptions = value;
            visible List = value;
            visible Tree = value;
            visible Nest = value;
            visible Directory = value;
            visible Chain = value;
            visible Renamed = value;
            visible Exact = value;
            visible Defaults = value;
            visible DefaultSome = value;
            visible Skips = value;
            visible SkipsIf = value;
            visible WithModule = value;
            visible UnknownLength = value;
            visible Level = value;
            visible Even = value;
            visible Clear = value;
            visible Pointers = value;
            visible Numbers = value;
            visible Ranges = value;
            visible Network = value;
            visible BigArrays = value;
            visible Tuples = value;

            visible Suit = value;
            visible Shape = value;
            visible Hollow = value;
            visible Carrier = value;
            visible Only = value;
            visible EitherTextNumber = value;
            visible EitherOption = value;
            visible EitherNetwork = value;
            visible Outcome = value;
            visible Expression = value;
            visible RenamedEnum = value;
            visible SkippedVariant = value;
            visible Adjacent = value;
            visible VecAdjacent = value;

            visible FlattenStruct = FlattenStruct::sample;
            visible FlattenMap = FlattenMap::sample;
            unseen FlattenNested = FlattenNested::sample;
            unseen Untagged = Untagged::sample;
            unseen UntaggedItems = UntaggedItems::sample;
            unseen Internal = Internal::sample;
            unseen AdjacentLoose = AdjacentLoose::sample;
            unseen ReadOnly = value;
            unseen WriteOnly = WriteOnly::sample;
            unseen TupleSkipsIf = value;
            unseen Json = json;
        }
    };
}
pub(crate) use for_each_zoo_type;

pub(crate) type Bool = bool;
pub(crate) type U8 = u8;
pub(crate) type U16 = u16;
pub(crate) type U32 = u32;
pub(crate) type U64 = u64;
pub(crate) type U128 = u128;
pub(crate) type I8 = i8;
pub(crate) type I16 = i16;
pub(crate) type I32 = i32;
pub(crate) type I64 = i64;
pub(crate) type I128 = i128;
pub(crate) type F32 = f32;
pub(crate) type F64 = f64;
pub(crate) type Char = char;
pub(crate) type Text = String;
pub(crate) type Unit = ();
pub(crate) type Buffer = ByteBuf;

pub(crate) type OptionU8 = Option<u8>;
pub(crate) type OptionText = Option<String>;
pub(crate) type OptionUnit = Option<()>;
pub(crate) type OptionPair = Option<(u8, u16)>;
pub(crate) type OptionMixed = Option<(u8, String)>;
pub(crate) type OptionVec = Option<Vec<String>>;
pub(crate) type OptionStruct = Option<Key>;
pub(crate) type OptionEnum = Option<Shape>;
pub(crate) type OptionOption = Option<Option<u8>>;
pub(crate) type OptionOptionText = Option<Option<Option<String>>>;
pub(crate) type OptionNewtypeOption = Option<NewtypeOption>;
pub(crate) type VecOptionOption = Vec<Option<Option<u8>>>;

pub(crate) type VecU8 = Vec<u8>;
pub(crate) type VecU64 = Vec<u64>;
pub(crate) type VecBool = Vec<bool>;
pub(crate) type VecChar = Vec<char>;
pub(crate) type VecText = Vec<String>;
pub(crate) type VecUnit = Vec<()>;
pub(crate) type VecBuffer = Vec<ByteBuf>;
pub(crate) type VecOption = Vec<Option<u16>>;
pub(crate) type VecOptionText = Vec<Option<String>>;
pub(crate) type VecVec = Vec<Vec<u8>>;
pub(crate) type VecVecVec = Vec<Vec<Vec<u16>>>;
pub(crate) type VecVecText = Vec<Vec<String>>;
pub(crate) type VecPair = Vec<(u8, u32)>;
pub(crate) type VecMixed = Vec<(u8, String)>;
pub(crate) type VecDynamicFirst = Vec<(String, u8)>;
pub(crate) type VecFixedThenOption = Vec<(u8, Option<u8>)>;
pub(crate) type VecArray = Vec<[u16; 3]>;
pub(crate) type VecArrayText = Vec<[String; 2]>;
pub(crate) type VecArrayEmpty = Vec<[u8; 0]>;
pub(crate) type VecStruct = Vec<Key>;
pub(crate) type VecTupleStruct = Vec<Pair>;
pub(crate) type VecNewtypeOption = Vec<NewtypeOption>;
pub(crate) type VecEnum = Vec<Carrier>;
pub(crate) type VecMap = Vec<BTreeMap<u8, String>>;
pub(crate) type Set = BTreeSet<u16>;
pub(crate) type SetText = BTreeSet<String>;
pub(crate) type Deque = VecDeque<i32>;
pub(crate) type HashSetText = HashSet<String>;

pub(crate) type MapText = BTreeMap<String, u32>;
pub(crate) type MapInteger = BTreeMap<i64, String>;
pub(crate) type MapPair = BTreeMap<(u8, u16), Vec<u8>>;
pub(crate) type MapMixed = BTreeMap<(u8, String), Option<u8>>;
pub(crate) type MapStruct = BTreeMap<Key, Vec<String>>;
pub(crate) type MapEnum = BTreeMap<Suit, Shape>;
pub(crate) type MapOption = BTreeMap<Option<u8>, Option<()>>;
pub(crate) type MapMap = BTreeMap<u8, BTreeMap<u8, u8>>;
pub(crate) type MapUnit = BTreeMap<(), ()>;
pub(crate) type MapNetwork = BTreeMap<IpAddr, SocketAddr>;
pub(crate) type HashMapText = HashMap<String, String>;
pub(crate) type HashMapStruct = HashMap<Key, [u8; 2]>;

pub(crate) type ArrayBytes = [u8; 32];
pub(crate) type ArrayU64 = [u64; 3];
pub(crate) type ArrayOne = [u8; 1];
pub(crate) type ArrayNested = [[u16; 3]; 2];
pub(crate) type ArrayText = [String; 2];
pub(crate) type ArrayNestedText = [[String; 2]; 2];
pub(crate) type ArrayOption = [Option<u8>; 3];
pub(crate) type ArrayPair = [(u8, u32); 2];
pub(crate) type ArrayMixed = [(u8, String); 2];
pub(crate) type ArrayEmpty = [u8; 0];
pub(crate) type ArrayEmptyText = [String; 0];
pub(crate) type ArrayBig = serde_big_array::Array<u8, 100>;

pub(crate) type TupleOne = (u8,);
pub(crate) type TupleOneText = (String,);
pub(crate) type TupleFixed = (u8, u16, i128);
pub(crate) type TupleMixed = (u8, String);
pub(crate) type TupleDynamicFirst = (String, u8);
pub(crate) type TupleDynamicMiddle = (u16, Vec<u32>, bool);
pub(crate) type TupleNested = ((u8, u16), (i8, (f32, bool)));
pub(crate) type TupleNestedMixed = ((u8, u16), (u8, String));
pub(crate) type TupleNestedFirst = ((u8, String), u8);
pub(crate) type TupleNestedLast = (u8, (u8, (u8, String)));
pub(crate) type TupleOptions = (Option<u8>, Option<u8>);
pub(crate) type TupleUnits = ((), ());
pub(crate) type TupleUnitLast = (u32, ());
pub(crate) type TupleLists = ([u8; 2], [String; 2], (u64, Vec<u64>));

pub(crate) type GenericU8 = Generic<u8>;
pub(crate) type GenericVec = Generic<Vec<String>>;
pub(crate) type GenericMixed = Generic<(u8, String)>;
pub(crate) type GenericOption = Generic<Option<String>>;

pub(crate) type EitherTextNumber = Either<String, u8>;
pub(crate) type EitherOption = Either<Option<u8>, Vec<u8>>;
pub(crate) type EitherNetwork = Either<IpAddr, Vec<Option<SocketAddr>>>;
pub(crate) type Outcome = Result<u8, String>;
pub(crate) type VecAdjacent = Vec<Adjacent>;
pub(crate) type Json = serde_json::Value;
