//! Marks at each position of a message, as container names and as `with` modules. Other formats ignore them.

pub(crate) mod bytes;
pub(crate) mod mismatches;

use crate::round_trip::{Expected, Type, assert_outcome, check_outcome};
use crate::support::erased::{AnyType, Special, TestType, Transparent, check_each};
use crate::support::format::Biniou;
use crate::support::random;
use crate::support::zoo::{
    Carrier, Collections, Either, Empty, Generic, Key, List, Newtype, Pair, Point, Record, Scalars,
    Shape, SkipsIf,
};
use fourfold::biniou::with::{
    Char, Float32, Int8, Int16, Int32, Int64, Optional, Shared, Svint, Table, Uvint,
};
use fourfold::biniou::{from_slice, to_vec};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

const CASES: usize = if cfg!(debug_assertions) { 60 } else { 1000 };

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename = "int8.Level")]
pub(crate) struct Level(pub(crate) u8);

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "int16.Port")]
pub(crate) struct Port(pub(crate) u16);

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "int64.Time")]
pub(crate) struct Time(pub(crate) i64);

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "uvint.Count")]
pub(crate) struct Count(pub(crate) i64);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "table.Points")]
pub(crate) struct Points(pub(crate) Vec<Point>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "table.Rows")]
pub(crate) struct Rows<T>(pub(crate) Vec<T>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "optional.Maybe")]
pub(crate) struct Maybe<T>(pub(crate) Option<T>);

/// All marks on fields that they fit, with and without an option.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct AtUse {
    #[serde(with = "fourfold::biniou::with::int8")]
    pub(crate) int8: u8,
    #[serde(with = "fourfold::biniou::with::int8")]
    pub(crate) maybe_int8: Option<u8>,
    #[serde(with = "fourfold::biniou::with::int8")]
    pub(crate) many_int8: Vec<u8>,
    #[serde(with = "fourfold::biniou::with::int16")]
    pub(crate) int16: [u16; 3],
    #[serde(with = "fourfold::biniou::with::int32")]
    pub(crate) int32: (i32, i16),
    #[serde(with = "fourfold::biniou::with::int64")]
    pub(crate) int64: Option<Vec<i64>>,
    #[serde(with = "fourfold::biniou::with::uvint")]
    pub(crate) uvint: Vec<Option<u64>>,
    #[serde(with = "fourfold::biniou::with::svint")]
    pub(crate) svint: u64,
    #[serde(with = "fourfold::biniou::with::float32")]
    pub(crate) float32: Vec<f32>,
    #[serde(with = "fourfold::biniou::with::table")]
    pub(crate) table: Vec<Point>,
    #[serde(with = "fourfold::biniou::with::table")]
    pub(crate) maybe_table: Option<Vec<Key>>,
    #[serde(with = "fourfold::biniou::with::optional", default)]
    pub(crate) optional: Option<u8>,
    #[serde(with = "fourfold::biniou::with::optional", default)]
    pub(crate) nullable: Option<Option<String>>,
    #[serde(with = "fourfold::biniou::with::shared")]
    pub(crate) shared: Rc<String>,
    #[serde(with = "fourfold::biniou::with::shared")]
    pub(crate) shared_text: Arc<str>,
}

/// The same without marks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Unmarked {
    int8: u8,
    maybe_int8: Option<u8>,
    many_int8: Vec<u8>,
    int16: [u16; 3],
    int32: (i32, i16),
    int64: Option<Vec<i64>>,
    uvint: Vec<Option<u64>>,
    svint: u64,
    float32: Vec<f32>,
    table: Vec<Point>,
    maybe_table: Option<Vec<Key>>,
    optional: Option<u8>,
    #[serde(default)]
    nullable: Option<Option<String>>,
    shared: String,
    shared_text: String,
}

/// Optional fields of every kind: nested options, and fields whose value has the bytes of an option.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Optionals {
    #[serde(default)]
    pub(crate) number: Optional<Option<u32>>,
    #[serde(default)]
    pub(crate) nullable: Optional<Option<Option<u8>>>,
    #[serde(default)]
    pub(crate) unit: Optional<Option<()>>,
    #[serde(default)]
    pub(crate) boxed: Optional<Option<Box<Shape>>>,
    #[serde(default)]
    pub(crate) int8: Optional<Option<Int8<u8>>>,
    #[serde(with = "fourfold::biniou::with::optional", default)]
    pub(crate) level: Option<Level>,
    #[serde(with = "fourfold::biniou::with::optional", default)]
    pub(crate) table: Option<Points>,
    #[serde(with = "fourfold::biniou::with::optional", default)]
    pub(crate) next: Option<Box<Optionals>>,
    pub(crate) last: u8,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PlainOptionals {
    number: Option<u32>,
    nullable: Option<u8>,
    unit: Option<()>,
    boxed: Option<Shape>,
    int8: Option<u8>,
    level: Option<u8>,
    table: Option<Vec<Point>>,
    next: Option<Box<PlainOptionals>>,
    last: u8,
}

/// A row of a table with cells of each kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) level: Level,
    #[serde(with = "fourfold::biniou::with::optional", default)]
    pub(crate) maybe: Option<String>,
    #[serde(with = "fourfold::biniou::with::optional", default)]
    pub(crate) nullable: Option<Option<u8>>,
    pub(crate) option: Option<u16>,
    pub(crate) unit: (),
    pub(crate) pair: (u8, String),
    pub(crate) list: Vec<Option<bool>>,
    pub(crate) map: BTreeMap<String, u8>,
    pub(crate) shape: Shape,
    pub(crate) key: Key,
    #[serde(with = "fourfold::biniou::with::table")]
    pub(crate) points: Vec<Point>,
    #[serde(with = "fourfold::biniou::with::int8")]
    pub(crate) numbers: Vec<u8>,
    pub(crate) float: f64,
}

/// Types with marks, and the same types without. All values can be written.
fn marked<S: Special>() -> Vec<(AnyType<Biniou, S>, Transparent)> {
    macro_rules! types {
        ($($name:ident: $marked:ty => $plain:ty;)*) => {
            vec![$((
                AnyType::new::<$marked>(stringify!($name), random::value),
                Transparent::of::<$marked, $plain>(stringify!($name)),
            )),*]
        };
    }
    types! {
        int8: Int8<u8> => u8;
        int16: Int16<u16> => u16;
        int16_of_u8: Int16<u8> => u8;
        int32: Int32<i32> => i32;
        int32_of_u16: Int32<u16> => u16;
        int64: Int64<i64> => i64;
        int64_of_u32: Int64<u32> => u32;
        uvint: Uvint<u64> => u64;
        uvint_of_u128: Uvint<u128> => u128;
        svint: Svint<i64> => i64;
        svint_of_u64: Svint<u64> => u64;
        svint_of_i128: Svint<i128> => i128;
        float32: Float32<f32> => f32;
        table: Table<Vec<Point>> => Vec<Point>;
        table_of_keys: Table<Vec<Key>> => Vec<Key>;
        table_of_scalars: Table<Vec<Scalars>> => Vec<Scalars>;
        table_of_records: Table<Vec<Record>> => Vec<Record>;
        table_of_lists: Table<Vec<List>> => Vec<List>;
        table_of_collections: Table<Vec<Collections>> => Vec<Collections>;
        table_of_rows: Table<Vec<Row>> => Vec<Row>;
        table_of_empty: Table<Vec<Empty>> => Vec<Empty>;
        table_of_optionals: Table<Vec<Optionals>> => Vec<PlainOptionals>;
        table_of_generics: Table<Vec<Generic<u8>>> => Vec<Generic<u8>>;
        table_by_name: Points => Vec<Point>;
        table_generic: Rows<Row> => Vec<Row>;
        table_of_a_set: Table<BTreeSet<Key>> => BTreeSet<Key>;
        table_of_a_deque: Table<VecDeque<Point>> => VecDeque<Point>;
        table_of_a_slice: Table<Box<[Key]>> => Vec<Key>;
        optional: Optional<Option<u8>> => Option<u8>;
        optional_text: Optional<Option<String>> => Option<String>;
        shared: Shared<Rc<u8>> => u8;
        shared_arc: Shared<Arc<Record>> => Record;
        shared_str: Shared<Rc<str>> => String;
        shared_slice: Shared<Arc<[Key]>> => Vec<Key>;
        int8_by_name: Level => u8;
        int16_by_name: Port => u16;
        int64_by_name: Time => i64;
        optional_by_name: Maybe<u8> => Option<u8>;
        at_use: AtUse => Unmarked;

        in_option: Option<Int8<u8>> => Option<u8>;
        around_option: Int8<Option<u8>> => Option<u8>;
        around_options: Int64<Option<Option<i64>>> => Option<i64>;
        float32_around_option: Float32<Option<f32>> => Option<f32>;
        table_in_option: Option<Table<Vec<Point>>> => Option<Vec<Point>>;
        table_around_option: Table<Option<Vec<Point>>> => Option<Vec<Point>>;
        optional_in_option: Option<Optional<Option<u8>>> => Option<u8>;
        shared_in_option: Option<Shared<Rc<u8>>> => Option<u8>;
        in_box: Box<Int8<Box<u8>>> => u8;

        in_vec: Vec<Int8<u8>> => Vec<u8>;
        around_vec: Int8<Vec<u8>> => Vec<u8>;
        around_vecs: Int16<Vec<Vec<u16>>> => Vec<Vec<u16>>;
        around_vec_of_options: Int32<Vec<Option<i32>>> => Vec<Option<i32>>;
        around_option_of_vec: Svint<Option<Vec<u64>>> => Option<Vec<u64>>;
        around_tuple: Int64<(i64, u8)> => (i64, u8);
        around_array: Int8<[u8; 3]> => [u8; 3];
        around_tuple_struct: Int16<Pair> => Pair;
        around_newtype: Uvint<Newtype> => u32;
        float32_around_vec: Float32<Vec<(f32, [f32; 2])>> => Vec<(f32, [f32; 2])>;
        table_in_vec: Vec<Table<Vec<Point>>> => Vec<Vec<Point>>;
        optional_in_vec: Vec<Optional<Option<u8>>> => Vec<Option<u8>>;
        shared_in_vec: Vec<Shared<Arc<str>>> => Vec<String>;
        named_in_vec: Vec<Level> => Vec<u8>;
        named_tables_in_vec: Vec<Points> => Vec<Vec<Point>>;
        options_in_vec: Vec<Option<Port>> => Vec<Option<u16>>;

        in_tuple: (Int8<u8>, Int64<i64>, u8) => (u8, i64, u8);
        in_array: [Level; 2] => [u8; 2];
        in_map: BTreeMap<String, Int16<u16>> => BTreeMap<String, u16>;
        table_in_map: BTreeMap<String, Table<Vec<Key>>> => BTreeMap<String, Vec<Key>>;
        keys_of_map: BTreeMap<Level, Shared<Rc<u8>>> => BTreeMap<u8, u8>;
        in_generic: Generic<Int8<u8>> => Generic<u8>;
        table_in_generic: Generic<Table<Vec<Point>>> => Generic<Vec<Point>>;
        shared_in_generic: Generic<Shared<Rc<Key>>> => Generic<Key>;
        in_enum: Either<Int8<u8>, Table<Vec<Key>>> => Either<u8, Vec<Key>>;
        optional_in_enum: Either<Optional<Option<u8>>, Shared<Rc<u8>>> => Either<Option<u8>, u8>;

        nested_table: Table<Vec<Generic<Table<Vec<Point>>>>> => Vec<Generic<Vec<Point>>>;
        nested_shared: Shared<Rc<Shared<Rc<u8>>>> => u8;
        shared_table: Shared<Rc<Table<Vec<Row>>>> => Vec<Row>;
        shared_marked: Shared<Rc<Int8<u8>>> => u8;
        table_of_shared_cells: Table<Vec<Generic<Shared<Rc<u8>>>>> => Vec<Generic<u8>>;
    }
}

pub(crate) fn marked_types<S: Special>() -> Vec<AnyType<Biniou, S>> {
    marked().into_iter().map(|(ty, _)| ty).collect()
}

#[test]
fn marked_types_are_written_and_read_back() {
    check_each(&marked_types(), |ty| check(ty, Expected::Bytes));
}

fn check(ty: &Type, owed: Expected) {
    ty.check(CASES, |_, value| {
        check_outcome(ty, value, owed);
    });
}

#[test]
fn marks_are_transparent_to_other_formats() {
    for (_, transparent) in marked::<()>() {
        transparent.check(CASES);
    }
    Transparent::of::<Optionals, PlainOptionals>("Optionals").check(CASES);
}

#[test]
fn optional_fields() {
    check(&Type::new::<Optionals>("Optionals", random::value), Expected::Bytes);
    check(&Type::new::<Vec<Option<Optionals>>>("in Vec", random::value), Expected::Bytes);
}

/// Exactly the values that a mark cannot represent are refused.
#[test]
fn values_that_fit() {
    #[track_caller]
    fn fits<T: TestType>(name: &'static str, fit: impl Fn(&T) -> bool) {
        let ty = Type::new::<T>(name, random::value);
        ty.check(10 * CASES, |_, value| {
            let fits = fit(value.as_any().downcast_ref().unwrap());
            check_outcome(&ty, value, if fits { Expected::Bytes } else { Expected::Refusal });
        });
    }
    fits("int8 i8", |v: &Int8<i8>| v.0 >= 0);
    fits("int8 i64", |v: &Int8<i64>| (0..256).contains(&v.0));
    fits("int8 u128", |v: &Int8<u128>| v.0 < 256);
    fits("int8 vec", |v: &Int8<Vec<u16>>| v.0.iter().all(|n| *n < 256));
    fits("int8 option", |v: &Int8<Option<i32>>| v.0.is_none_or(|n| (0..256).contains(&n)));
    fits("int16 i16", |v: &Int16<i16>| v.0 >= 0);
    fits("int16 u64", |v: &Int16<u64>| v.0 < 65536);
    fits("int32 u32", |v: &Int32<u32>| i32::try_from(v.0).is_ok());
    fits("int32 i64", |v: &Int32<i64>| i32::try_from(v.0).is_ok());
    fits("int64 u64", |v: &Int64<u64>| i64::try_from(v.0).is_ok());
    fits("int64 i128", |v: &Int64<i128>| i64::try_from(v.0).is_ok());
    fits("uvint i32", |v: &Uvint<i32>| v.0 >= 0);
    fits("uvint i128", |v: &Uvint<i128>| v.0 >= 0);
    fits("uvint tuple", |v: &Uvint<(i8, u8)>| v.0.0 >= 0);
    fits("uvint by name", |v: &Count| v.0 >= 0);
    fits("svint u128", |v: &Svint<u128>| i128::try_from(v.0).is_ok());
    fits("char", |v: &Char<char>| u32::from(v.0) < 256);
    fits("char option", |v: &Char<Option<char>>| v.0.is_none_or(|c| u32::from(c) < 256));
    fits("char vec", |v: &Char<Vec<char>>| v.0.iter().all(|c| u32::from(*c) < 256));
    fits("in char vec", |v: &Vec<Char<char>>| v.iter().all(|c| u32::from(c.0) < 256));
    #[allow(clippy::cast_possible_truncation, reason = "whether it loses is the question")]
    let same = |float: f64| f64::from(float as f32).to_bits() == float.to_bits();
    fits("float32 f64", |v: &Float32<f64>| same(v.0));
    fits("float32 vec", |v: &Float32<Vec<f64>>| v.0.iter().all(|float| same(*float)));
    fits("float32 option", |v: &Option<Float32<f64>>| v.is_none_or(|float| same(float.0)));
}

/// Rows that differ in their fields or in the type of a cell's items are refused.
#[test]
fn rows_that_differ() {
    check(&Type::new::<Table<Vec<SkipsIf>>>("SkipsIf", random::value), Expected::Either);
    let carriers = Type::new::<Table<Vec<Generic<Vec<Carrier>>>>>("Carrier", random::value);
    check(&carriers, Expected::Bytes);
    let row = |a: Option<u8>| SkipsIf { a, b: 1, c: vec![], d: String::new(), e: 7, f: None };
    assert_outcome("alike", &Table(vec![row(Some(1)), row(Some(2))]), Expected::Either);
    assert_outcome("alike", &Table(vec![row(None), row(None)]), Expected::Either);
    assert_outcome("one more", &Table(vec![row(None), row(Some(2))]), Expected::Refusal);
    assert_outcome("one less", &Table(vec![row(Some(1)), row(None)]), Expected::Refusal);
    assert_outcome("others", &Table(vec![vec![row(None)], vec![row(Some(1))]]), Expected::Refusal);
    assert_outcome(
        "apart",
        &vec![Table(vec![row(None)]), Table(vec![row(Some(1))])],
        Expected::Either,
    );
}

/// Rows without columns take no bytes, so readers limit their number.
#[test]
fn rows_without_columns() {
    for count in [0, 1, 2, 1365] {
        assert_outcome("few", &Table(vec![Empty {}; count]), Expected::Bytes);
    }
    // The maximum: of three concatenated values they would be too many.
    let most = |tables| vec![Table(vec![Empty {}; 4096]); tables];
    assert_eq!(from_slice::<Vec<Table<Vec<Empty>>>>(&to_vec(&most(1)).unwrap()).unwrap(), most(1));
    assert_outcome("too many", &Table(vec![Empty {}; 4097]), Expected::Refusal);
    assert_outcome("too many", &Table(vec![Empty {}; 100_000]), Expected::Refusal);
    // All rows of a message count together, in the writer and in the reader.
    for tables in [1, 2, 3, 5, 100] {
        assert_eq!(to_vec(&most(tables)).is_ok(), tables == 1);
        let value = vec![Table(vec![Empty {}; 300]); tables];
        assert_outcome("many tables", &value, Expected::Either);
    }
}
