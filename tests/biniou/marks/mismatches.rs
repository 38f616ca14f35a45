//! Marks on types that they do not fit, and values that a mark cannot represent.

use super::*;
use crate::round_trip::assert_reason;
use crate::support::fact;
use fourfold::Category;
use fourfold::biniou::to_vec;
use serde_bytes::ByteBuf;

type Strings = Vec<String>;

/// A value that is written survives.
#[test]
fn marks_at_unusual_positions() {
    macro_rules! odd {
        ($($type:ty,)*) => {
            vec![$(Type::new::<$type>(stringify!($type), random::value)),*]
        };
    }
    let types = odd! {
        Int8<bool>, Int8<()>, Int8<char>, Int8<String>, Int8<f32>, Int8<ByteBuf>, Int8<Key>,
        Int8<Shape>, Int8<BTreeMap<u8, u8>>, Int8<Vec<String>>, Int8<Vec<()>>, Int8<[u8; 0]>,
        Int8<(u8, String)>, Int8<Int16<u8>>, Int16<Int8<u8>>, Int8<Level>, Int64<Level>,
        Int8<Option<Int64<u8>>>, Int8<Vec<Level>>, Int8<Table<Vec<Point>>>, Int8<Optional<Option<u8>>>,
        Int8<Shared<Rc<u8>>>, Int8<Vec<Shared<Rc<u8>>>>, Int8<Char<char>>, Int8<Option<()>>,
        Int8<Result<u8, u8>>, Int32<f32>, Int64<f64>, Int64<Vec<Key>>, Uvint<bool>, Svint<f64>,
        Float32<u8>, Float32<i128>, Float32<String>, Float32<Vec<u8>>, Float32<Key>, Float32<Int8<u8>>,
        Float32<Option<()>>, Float32<(f32, u8)>, Float32<BTreeMap<u8, f32>>,
        Char<u8>, Char<u32>, Char<String>, Char<Vec<u8>>, Char<()>, Char<(char, char)>, Char<f32>,
        Char<Int8<char>>, Char<Vec<String>>, Char<BTreeMap<char, char>>,
        Table<u8>, Table<String>, Table<ByteBuf>, Table<()>, Table<Key>, Table<Shape>, Table<(u8, u8)>,
        Table<Vec<u8>>, Table<Vec<()>>, Table<Vec<String>>, Table<Vec<(u8, u8)>>, Table<Vec<Pair>>,
        Table<Vec<Vec<Point>>>, Table<Vec<Option<Point>>>, Table<Vec<Shape>>, Table<Vec<Newtype>>,
        Table<[Point; 2]>, Table<[Point; 0]>, Table<(Point, Point)>, Table<(Point, Key)>,
        Table<BTreeMap<u8, Point>>, Table<BTreeMap<String, u8>>, Table<Vec<BTreeMap<u8, u8>>>,
        Table<Table<Vec<Point>>>, Table<Vec<Table<Vec<Point>>>>, Table<Vec<Shared<Rc<Point>>>>,
        Table<Shared<Rc<Vec<Point>>>>, Table<Option<Option<Vec<Point>>>>, Table<Vec<Int8<Point>>>,
        Table<Optional<Option<Vec<Point>>>>, Table<Vec<Box<Point>>>, Table<Vec<Carrier>>,
        Optional<u8>, Optional<String>, Optional<()>, Optional<Vec<u8>>, Optional<Key>,
        Optional<Shape>, Optional<Option<Option<u8>>>, Optional<Option<()>>, Option<Optional<u8>>,
        Optional<Optional<Option<u8>>>, Optional<Int8<Option<u8>>>, Optional<Shared<Rc<Option<u8>>>>,
        Optional<Vec<Option<u8>>>, Optional<Option<Table<Vec<Point>>>>, Optional<Level>,
        Shared<Rc<()>>, Shared<Rc<Option<u8>>>, Shared<Rc<Optional<Option<u8>>>>,
        Shared<Rc<Vec<Shared<Rc<u8>>>>>, Shared<Arc<[u8]>>, Shared<Rc<Rc<u8>>>, Shared<Rc<[u8; 0]>>,
        Twice, Vec<Twice>, Wrong, WrongTuple, WrongEnum, WrongText, WrongUnit, WrongShared,
        NamedShared, Vec<NamedShared>, Odd<u8>, Odd<Optional<u8>>, Odd<Optional<Option<Option<u8>>>>,
        Odd<Optional<Vec<u8>>>, Odd<Int8<Optional<Option<u8>>>>, Odd<Optional<Int8<Option<u8>>>>,
        Odd<Option<Optional<Option<u8>>>>,
        Odd<Maybe<u8>>, Odd<Maybe<Option<u8>>>, Odd<Maybe<Maybe<u8>>>, Odd<Optional<Maybe<u8>>>,
        Odd<Option<Maybe<u8>>>, Odd<Box<Optional<Option<u8>>>>, Table<Vec<Odd<Maybe<u8>>>>,
        Table<Vec<Odd<Optional<u8>>>>, Table<Vec<Odd<Optional<Option<Option<u8>>>>>>,
        Table<Vec<Odd<Strings>>>,
    };
    check_each(&types, |ty| check(ty, Expected::Either));
}

/// A field that may be left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Odd<T: Default> {
    before: u8,
    #[serde(default)]
    field: T,
    after: u8,
}

impl<T> Default for Maybe<T> {
    fn default() -> Self {
        Maybe(None)
    }
}

/// A mark in a mark by name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "int16.Twice")]
struct Twice(Level);

/// Container names of marks on types that they do not fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "int8.Wrong")]
struct Wrong {
    a: u8,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "int8.WrongTuple")]
struct WrongTuple(u8, u8);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "table.WrongEnum")]
enum WrongEnum {
    A(u8),
    B,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "int8.WrongText")]
struct WrongText(String);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "optional.WrongUnit")]
struct WrongUnit;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "shared.WrongShared")]
struct WrongShared(u8);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "shared.NamedShared")]
struct NamedShared(Rc<String>);

/// Container names with a dot that are no marks of biniou.
#[test]
fn names_of_other_formats_are_ignored() {
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "dynvec.Level")]
    struct Level(u8);
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "int8")]
    struct NoDot(u8);
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "Int8.Level")]
    struct Capital(u8);
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "union.a.b-1")]
    enum Dotted {
        A(u8),
        B,
    }
    assert_eq!(assert_outcome("dynvec", &Level(5), Expected::Bytes).unwrap(), [16, 5]);
    refused(&NoDot(5), "container name `int8` is not the mark `int8.`, but nearly");
    refused(&Capital(5), "container name `Int8.Level` is not the mark `int8.`, but nearly");
    let bytes = assert_outcome("enum", &Dotted::A(5), Expected::Bytes).unwrap();
    assert_eq!(bytes, [23, 0x80, 0, 0, 0x41, 16, 5]);
    assert_outcome("enum", &Dotted::B, Expected::Bytes);
}

#[track_caller]
fn refused<T: ?Sized + Serialize>(value: &T, text: &str) {
    let error = to_vec(value).unwrap_err();
    assert_reason(&error, &text);
    assert_eq!(fact(&error.to_string()), text);
    assert_eq!(error.category(), Category::Data, "{text}");
    assert_eq!(error.offset(), None, "{text}");
}

#[test]
fn values_that_do_not_fit() {
    refused(&Int8(-1), "int8 cannot hold -1 exactly");
    refused(&Int8(256), "int8 cannot hold 256 exactly");
    refused(&Int8(u128::MAX), "int8 cannot hold 340282366920938463463374607431768211455 exactly");
    refused(&Level256(256), "int8 cannot hold 256 exactly");
    refused(&Int16(-1_i8), "int16 cannot hold -1 exactly");
    refused(&Int16(65536), "int16 cannot hold 65536 exactly");
    refused(&Int32(1_u32 << 31), "int32 cannot hold 2147483648 exactly");
    refused(&Int32(i64::MIN), "int32 cannot hold -9223372036854775808 exactly");
    refused(&Int64(1_u64 << 63), "int64 cannot hold 9223372036854775808 exactly");
    refused(&Uvint(-1), "uvint cannot hold -1 exactly");
    refused(&Svint(u128::MAX), "svint cannot hold 340282366920938463463374607431768211455 exactly");
    refused(&Float32(0.1_f64), "float32 cannot hold 0.1 exactly");
    refused(&Float32(1e300_f64), "float32 cannot hold 1e300 exactly");
    refused(&Char('€'), "char cannot hold '€' exactly");
    refused(&Char('\u{100}'), "char cannot hold 'Ā' exactly");
    refused(&Int8(vec![1, 2, 300]), "int8 cannot hold 300 exactly in [2]");
    refused(&vec![Some(Int8((1, -2)))], "int8 cannot hold -2 exactly in [0][1]");
}

#[derive(Serialize)]
#[serde(rename = "int8.Level")]
struct Level256(u16);

#[test]
fn marks_that_do_not_fit() {
    refused(&Int8("text"), "the mark `int8` fits integers and lists of them, not text");
    refused(&Int8(true), "the mark `int8` fits integers and lists of them, not a bool");
    refused(&Int8('a'), "the mark `int8` fits integers and lists of them, not a char");
    refused(&Int8(()), "the mark `int8` fits integers and lists of them, not a unit");
    refused(&Int16(1.5_f32), "the mark `int16` fits integers and lists of them, not a float");
    refused(&Float32(1), "the mark `float32` fits floats and lists of them, not an integer");
    refused(&Char(97_u8), "the mark `char` fits chars and lists of them, not an integer");
    refused(&Char("a"), "the mark `char` fits chars and lists of them, not text");
    refused(&Table(1), "the mark `table` fits lists of records, not an integer");
    refused(
        &Table(vec![1]),
        "the mark `table` fits lists of records, not a sequence of integers in [0]",
    );
    refused(
        &Table(vec![(1, 2)]),
        "the mark `table` fits lists of records, not a sequence of tuples in [0]",
    );
    refused(&Table("text"), "the mark `table` fits lists of records, not text");
    refused(&Optional(1), "the mark `optional` fits options in records, not an integer");
    refused(
        &Int8(Point { x: 1, y: 2 }),
        "the mark `int8` fits integers and lists of them, not a struct",
    );
    refused(
        &Int8(Either::<u8, u8>::Left(1)),
        "the mark `int8` fits integers and lists of them, not an enum",
    );
    refused(&Wrong { a: 1 }, "the mark `int8` fits integers and lists of them, not a struct");
    refused(
        &WrongTuple(1, 2),
        "the mark `int8` fits integers and lists of them, not a tuple struct",
    );
    refused(&WrongEnum::B, "the mark `table` fits lists of records, not an enum");
}
