//! Marks at each position of a message, nested, as container names and as `with` modules. Other formats ignore them.

use crate::round_trip::{Expected, Type, assert_outcome, check_outcome};
use crate::support::erased::{AnyType, Special, TestType, Transparent, check_each};
use crate::support::format::Molecule;
use crate::support::random;
use crate::support::zoo::{Either, EmptyTuple, Generic, Key, Pair, Point, Shape};
use fourfold::molecule::with::{Array, DynVec, FixVec, Struct, Table};
use fourfold::molecule::{from_slice, to_vec};
use serde::{Deserialize, Serialize};
use serde_big_array::Array as BigArray;
use serde_bytes::ByteBuf;
use std::collections::BTreeMap;
use std::rc::Rc;

const CASES: usize = if cfg!(debug_assertions) { 200 } else { 2000 };

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "dynvec.Names")]
pub(crate) struct Names(pub(crate) Vec<String>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "dynvec.Rows")]
pub(crate) struct Rows<T>(pub(crate) Vec<T>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "fixvec.Points")]
pub(crate) struct Points(pub(crate) Vec<Point>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "struct.Duo")]
pub(crate) struct Duo(pub(crate) u8, pub(crate) u16);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "struct.Spot")]
pub(crate) struct Spot {
    pub(crate) at: Point,
    pub(crate) tag: [u8; 3],
    pub(crate) up: bool,
    pub(crate) sign: char,
    pub(crate) level: (u8, u16),
    pub(crate) duo: Duo,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "union.Item.Spot-7.Names-0.none-300.Both-2.named-one-4294967295")]
pub(crate) enum Item {
    Spot(Spot),
    Names(Names),
    #[serde(rename = "none")]
    Nothing,
    Both(u8, String),
    #[serde(rename = "named-one")]
    Named {
        bytes: ByteBuf,
        points: Option<Points>,
    },
}

/// A skipped variant shifts serde's indices, but not the ids of the mark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "union.Later.Two-1.Three-2")]
pub(crate) enum Later {
    #[serde(skip)]
    One,
    Two(u8),
    Three(u8),
}

/// All marks on fields that they fit, with and without an option.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct AtUse {
    #[serde(with = "fourfold::molecule::with::dynvec")]
    pub(crate) names: Vec<String>,
    #[serde(with = "fourfold::molecule::with::dynvec")]
    pub(crate) maybe_names: Option<Vec<String>>,
    #[serde(with = "fourfold::molecule::with::fixvec")]
    pub(crate) points: Vec<Point>,
    #[serde(with = "fourfold::molecule::with::fixvec")]
    pub(crate) maybe_numbers: Option<Vec<u32>>,
    #[serde(with = "fourfold::molecule::with::structure")]
    pub(crate) point: Point,
    #[serde(with = "fourfold::molecule::with::structure")]
    pub(crate) maybe_point: Option<Point>,
    #[serde(with = "fourfold::molecule::with::structure")]
    pub(crate) pair: (u8, u16),
    #[serde(with = "fourfold::molecule::with::table")]
    pub(crate) cells: (u8, u16),
    #[serde(with = "fourfold::molecule::with::table")]
    pub(crate) maybe_cells: Option<(u8, u16)>,
    #[serde(with = "fourfold::molecule::with::array")]
    pub(crate) long: [u8; 40],
    #[serde(with = "fourfold::molecule::with::array")]
    pub(crate) short: [(u8, u16); 2],
}

/// The same without marks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Unmarked {
    names: Vec<String>,
    maybe_names: Option<Vec<String>>,
    points: Vec<Point>,
    maybe_numbers: Option<Vec<u32>>,
    point: Point,
    maybe_point: Option<Point>,
    pair: (u8, u16),
    cells: (u8, u16),
    maybe_cells: Option<(u8, u16)>,
    long: BigArray<u8, 40>,
    short: [(u8, u16); 2],
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PlainSpot {
    at: Point,
    tag: [u8; 3],
    up: bool,
    sign: char,
    level: (u8, u16),
    duo: (u8, u16),
}

type Strings = Vec<String>;

/// Types with marks, and the same types without. All values can be written.
fn marked<S: Special>() -> Vec<(AnyType<Molecule, S>, Transparent)> {
    macro_rules! types {
        ($($name:ident: $marked:ty => $plain:ty;)*) => {
            vec![$((
                AnyType::new::<$marked>(stringify!($name), random::value),
                Transparent::of::<$marked, $plain>(stringify!($name)),
            )),*]
        };
    }
    types! {
        dynvec: DynVec<Strings> => Strings;
        dynvec_of_fixvecs: DynVec<Vec<Vec<u8>>> => Vec<Vec<u8>>;
        dynvec_of_structs: DynVec<Vec<Key>> => Vec<Key>;
        dynvec_of_options: DynVec<Vec<Option<u8>>> => Vec<Option<u8>>;
        dynvec_of_unions: DynVec<Vec<Shape>> => Vec<Shape>;
        dynvec_by_name: Names => Strings;
        dynvec_generic: Rows<Option<u8>> => Vec<Option<u8>>;
        dynvec_boxed: Box<DynVec<Rc<Strings>>> => Strings;
        fixvec: FixVec<Vec<u32>> => Vec<u32>;
        fixvec_of_bytes: FixVec<Vec<u8>> => Vec<u8>;
        fixvec_of_structs: FixVec<Vec<Point>> => Vec<Point>;
        fixvec_of_tuples: FixVec<Vec<(u8, u16)>> => Vec<(u8, u16)>;
        fixvec_of_arrays: FixVec<Vec<[u16; 3]>> => Vec<[u16; 3]>;
        fixvec_by_name: Points => Vec<Point>;
        packed: Struct<Point> => Point;
        packed_tuple: Struct<(u8, u16)> => (u8, u16);
        packed_tuple_struct: Struct<Pair> => Pair;
        packed_array: Struct<[u16; 3]> => [u16; 3];
        packed_by_name: Spot => PlainSpot;
        packed_pair_by_name: Duo => (u8, u16);
        table: Table<(u8, u16)> => (u8, u16);
        table_mixed: Table<(u8, String)> => (u8, String);
        table_of_array: Table<[u8; 3]> => [u8; 3];
        array: Array<u8, 40> => BigArray<u8, 40>;
        array_of_tuples: Array<(u8, u16), 33> => BigArray<(u8, u16), 33>;
        array_of_structs: Array<Point, 3> => [Point; 3];
        array_of_strings: Array<String, 3> => [String; 3];
        at_use: AtUse => Unmarked;

        in_option: Option<DynVec<Strings>> => Option<Strings>;
        fixvec_in_option: Option<FixVec<Vec<u8>>> => Option<Vec<u8>>;
        packed_in_option: Option<Struct<Point>> => Option<Point>;
        table_in_option: Option<Table<(u8, u8)>> => Option<(u8, u8)>;
        around_option: DynVec<Option<Strings>> => Option<Strings>;
        fixvec_around_option: FixVec<Option<Vec<u8>>> => Option<Vec<u8>>;
        packed_around_option: Struct<Option<Point>> => Option<Point>;
        table_around_option: Table<Option<(u8, u8)>> => Option<(u8, u8)>;

        in_vec: Vec<DynVec<Strings>> => Vec<Strings>;
        fixvec_in_vec: Vec<FixVec<Vec<u8>>> => Vec<Vec<u8>>;
        packed_in_vec: Vec<Struct<Point>> => Vec<Point>;
        packed_by_name_in_vec: Vec<Duo> => Vec<(u8, u16)>;
        table_in_vec: Vec<Table<(u8, u8)>> => Vec<(u8, u8)>;
        array_in_vec: Vec<Array<u8, 40>> => Vec<BigArray<u8, 40>>;
        named_in_vec: Vec<Names> => Vec<Strings>;
        options_in_vec: Vec<Option<Names>> => Vec<Option<Strings>>;

        in_tuple: (u8, DynVec<Strings>) => (u8, Strings);
        in_tuple_first: (DynVec<Strings>, u8) => (Strings, u8);
        packed_in_tuple: (Struct<Point>, u8) => (Point, u8);
        table_in_tuple: (u8, Table<(u8, u8)>) => (u8, (u8, u8));
        table_in_tuple_first: (Table<(u8, u8)>, u8) => ((u8, u8), u8);
        packed_in_array: [Duo; 2] => [(u8, u16); 2];
        in_map: BTreeMap<String, DynVec<Strings>> => BTreeMap<String, Strings>;
        fixvec_in_map: BTreeMap<String, FixVec<Vec<u16>>> => BTreeMap<String, Vec<u16>>;
        packed_in_map: BTreeMap<String, Struct<Point>> => BTreeMap<String, Point>;
        in_generic: Generic<DynVec<Strings>> => Generic<Strings>;
        packed_in_generic: Generic<Struct<Point>> => Generic<Point>;
        named_in_generic: Generic<Points> => Generic<Vec<Point>>;
        in_enum: Either<DynVec<Strings>, FixVec<Vec<u8>>> => Either<Strings, Vec<u8>>;
        packed_in_enum: Either<Struct<Point>, Table<(u8, u8)>> => Either<Point, (u8, u8)>;

        nested: DynVec<Vec<DynVec<Vec<Strings>>>> => Vec<Vec<Strings>>;
        nested_by_name: Rows<Rows<Names>> => Vec<Vec<Strings>>;
        nested_options: DynVec<Vec<Option<FixVec<Vec<u8>>>>> => Vec<Option<Vec<u8>>>;
        nested_fixvec: FixVec<Vec<Struct<Point>>> => Vec<Point>;
        nested_fixvec_of_named: FixVec<Vec<Spot>> => Vec<PlainSpot>;
        nested_fixvec_of_arrays: FixVec<Vec<Array<u8, 40>>> => Vec<BigArray<u8, 40>>;
        nested_packed: Struct<(Struct<Point>, Array<u8, 40>)> => (Point, BigArray<u8, 40>);
        nested_table: Table<(Table<(u8, u8)>, FixVec<Vec<u8>>)> => ((u8, u8), Vec<u8>);
        nested_array: Array<Struct<Point>, 3> => [Point; 3];
        nested_array_of_tables: Array<Table<(u8, u8)>, 2> => [(u8, u8); 2];
        dynvec_of_tables: DynVec<Vec<Table<(u8, u8)>>> => Vec<(u8, u8)>;
        union_by_name: Item => Item;
        union_in_dynvec: DynVec<Vec<Item>> => Vec<Item>;
        union_with_skipped: Later => Later;
    }
}

pub(crate) fn marked_types<S: Special>() -> Vec<AnyType<Molecule, S>> {
    marked().into_iter().map(|(ty, _)| ty).collect()
}

#[test]
fn marked_types_are_written_and_read_back() {
    check_each(&marked_types(), |ty| check(ty, Expected::Bytes));
}

fn check(ty: &Type, owed: Expected) {
    ty.check(CASES, |_, value| check_outcome(ty, value, owed));
}

#[test]
fn marks_are_transparent_to_other_formats() {
    for (_, transparent) in marked::<()>() {
        transparent.check(CASES);
    }
}

/// Marks on types that they do not fit: a value that is written survives.
#[test]
fn marks_at_unusual_positions() {
    macro_rules! odd {
        ($($type:ty,)*) => {
            vec![$(Type::new::<$type>(stringify!($type), random::value)),*]
        };
    }
    let types = odd! {
        DynVec<u8>, DynVec<String>, DynVec<ByteBuf>, DynVec<(u8, u8)>, DynVec<(u8, String)>,
        DynVec<BTreeMap<u8, u8>>, DynVec<Point>, DynVec<Shape>, DynVec<()>, DynVec<[String; 0]>,
        DynVec<Option<Option<Strings>>>, Option<Option<DynVec<Strings>>>, DynVec<Vec<()>>,
        DynVec<DynVec<Strings>>, DynVec<FixVec<Vec<u8>>>, DynVec<Vec<u8>>, DynVec<Vec<[u8; 0]>>,
        FixVec<u8>, FixVec<String>, FixVec<ByteBuf>, FixVec<[u8; 3]>, FixVec<(u8, u8)>,
        FixVec<BTreeMap<u8, u8>>, FixVec<DynVec<Strings>>, FixVec<Vec<()>>, FixVec<Vec<[u8; 0]>>,
        FixVec<Vec<Array<u8, 0>>>, FixVec<Vec<Strings>>, FixVec<Vec<Key>>, FixVec<Vec<Pair>>,
        FixVec<Vec<[Point; 2]>>, FixVec<Vec<(Point, Point)>>, FixVec<Vec<Table<(u8, u8)>>>,
        FixVec<Vec<Struct<()>>>, FixVec<Vec<Option<u8>>>, FixVec<Vec<Shape>>, FixVec<()>,
        Struct<u8>, Struct<String>, Struct<Vec<u8>>, Struct<()>, Struct<[u8; 0]>, Struct<Shape>,
        Struct<Array<u8, 0>>, Struct<EmptyTuple>, Struct<Key>, Struct<Table<(u8, u8)>>,
        Struct<(u8, String)>, Struct<(Point, Pair)>, Struct<[Point; 2]>, Struct<Option<Option<Point>>>,
        Option<Struct<[u8; 0]>>, Option<Struct<()>>, Vec<Struct<[u8; 0]>>, Vec<Struct<()>>,
        Struct<BTreeMap<u8, u8>>, Struct<DynVec<Strings>>, Struct<(u8, Option<u8>)>, Struct<(u8, ())>,
        Table<u8>, Table<String>, Table<Vec<u8>>, Table<()>, Table<[u8; 0]>, Table<Point>,
        Table<Pair>, Table<Shape>, Table<Struct<Point>>, Table<Table<(u8, u8)>>, Option<Table<()>>,
        Table<BTreeMap<u8, u8>>, Table<(Option<u8>, Option<u8>)>, Option<Table<(Option<u8>,)>>,
        Array<u8, 0>, Option<Array<u8, 0>>, Vec<Array<u8, 0>>, Array<(), 3>, Array<Option<u8>, 3>,
        Array<Array<u8, 0>, 3>, Option<Array<Array<u8, 0>, 3>>, (Array<u8, 0>, u8), (u8, Array<u8, 0>),
        Nothing, Option<Nothing>, Vec<Nothing>, FixVec<Vec<Nothing>>, Struct<(u8, Nothing)>,
        [Nothing; 2], Option<[Nothing; 2]>, (Nothing, u8), (u8, Nothing), Either<Nothing, u8>,
        Twice, Vec<Twice>, Partly, Vec<Partly>, NoNumber, NoIds, TooLarge, Wrong, WrongVec, WrongRow,
    };
    check_each(&types, |ty| check(ty, Expected::Either));
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "struct.Nothing")]
struct Nothing {}

/// The same id for two variants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "union.Twice.A-1.B-1")]
enum Twice {
    A(u8),
    B(u8),
}

/// No id for `B` and `C`; the place of `B` is taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "union.Partly.A-1")]
enum Partly {
    A(u8),
    B(u8),
    C(u8),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "union.NoNumber.A.B-x")]
enum NoNumber {
    A(u8),
    B(u8),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "union.Unknown.X-3.A-0.B-1")]
enum NoIds {
    A(u8),
    B(u8),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "union.TooLarge.A-4294967296.B--1")]
enum TooLarge {
    A(u8),
    B(u8),
}

/// A union's mark on a struct, and so on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "union.Wrong.a-1")]
struct Wrong {
    a: u8,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "struct.Wrong")]
struct WrongVec(Vec<u8>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "dynvec.Wrong")]
struct WrongRow {
    a: u8,
    b: String,
}

/// Container names with a dot that are no marks of Molecule.
#[test]
fn names_of_other_formats_are_ignored() {
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "int8.Level")]
    struct Level(u8);
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "a.b.c-1")]
    enum Dotted {
        A(u8),
        B,
    }
    assert_bytes(&Level(5), &[5]);
    assert_bytes(&vec![Level(5)], &[1, 0, 0, 0, 5]);
    assert_bytes(&Dotted::A(5), &[0, 0, 0, 0, 5]);
    assert_bytes(&Dotted::B, &[1, 0, 0, 0]);
}

/// The combinations that have no bytes in Molecule.
#[test]
fn refusals() {
    let text = || String::from("text");
    let key = || Key { id: 1, name: text() };
    assert_outcome("dynamic field", &Struct(key()), Expected::Refusal);
    assert_outcome("dynamic item", &Struct((1_u8, text())), Expected::Refusal);
    assert_outcome("optional item", &Struct((1_u8, Some(2_u8))), Expected::Refusal);
    assert_outcome("unit in it", &Struct((1_u8, ())), Expected::Refusal);
    assert_outcome("table in it", &Struct((1_u8, Table((1_u8, 2_u8)))), Expected::Refusal);
    assert_outcome("dynamic items", &FixVec(vec![text()]), Expected::Refusal);
    assert_outcome("dynamic structs", &FixVec(vec![key()]), Expected::Refusal);
    assert_outcome("unions", &FixVec(vec![Shape::Nothing]), Expected::Refusal);
    assert_outcome("fixed items", &DynVec(vec![1_u8]), Expected::Refusal);
    assert_outcome("packed items", &DynVec(vec![Duo(1, 2)]), Expected::Refusal);
    assert_outcome("skipped variant", &Later::One, Expected::Refusal);
    assert_outcome("marked none", &Some(DynVec(None::<Strings>)), Expected::Refusal);
    // An empty vector has no items of the wrong kind.
    assert_outcome("no items", &DynVec(Vec::<u8>::new()), Expected::Bytes);
    assert_outcome("no items", &FixVec(Strings::new()), Expected::Bytes);
}

/// A packed struct has no slots, so no field can be skipped.
#[test]
fn skipped_fields_of_a_packed_struct_are_refused() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "struct.Gap")]
    struct Gap {
        a: u8,
        #[serde(skip_serializing_if = "is_zero", default)]
        b: u8,
        c: u8,
    }
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
    fn is_zero(number: &u8) -> bool {
        *number == 0
    }
    assert_outcome("kept", &Gap { a: 1, b: 2, c: 3 }, Expected::Bytes);
    assert_outcome("skipped", &Gap { a: 1, b: 0, c: 3 }, Expected::Refusal);

    // The same if it is packed because of the enclosing type.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Loose {
        a: u8,
        #[serde(skip_serializing_if = "is_zero", default)]
        b: u8,
    }
    let (kept, skipped) = (Loose { a: 1, b: 2 }, Loose { a: 1, b: 0 });
    assert_outcome("table", &skipped, Expected::Bytes);
    assert_outcome("packed", &Struct(kept.clone()), Expected::Bytes);
    assert_outcome("packed", &Struct(skipped.clone()), Expected::Refusal);
    assert_outcome("items", &FixVec(vec![kept.clone()]), Expected::Bytes);
    assert_outcome("items", &FixVec(vec![skipped.clone()]), Expected::Refusal);
    assert_outcome("items", &FixVec(vec![kept, skipped]), Expected::Refusal);
}

fn assert_bytes<T: TestType>(value: &T, bytes: &[u8]) {
    assert_eq!(to_vec(value).unwrap(), bytes, "{value:?}");
    assert_eq!(&from_slice::<T>(bytes).unwrap(), value, "{bytes:02x?}");
}

#[test]
fn bytes() {
    let point = Point { x: 1, y: -1 };
    let packed = [1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff];
    assert_bytes(&Struct(point), &packed);
    assert_bytes(&(Struct(point), 9_u8), &[&packed[..], &[9]].concat());
    assert_bytes(&vec![Struct(point)], &[&[1, 0, 0, 0], &packed[..]].concat());
    assert_bytes(&FixVec(vec![point]), &[&[1, 0, 0, 0], &packed[..]].concat());
    assert_bytes(&Points(vec![point]), &[&[1, 0, 0, 0], &packed[..]].concat());
    assert_bytes(&Struct(Pair(1, 2)), &[1, 2, 0]);
    assert_bytes(&Duo(1, 2), &[1, 2, 0]);
    assert_bytes(&Array([7_u8; 40]), &[7; 40]);
    let table = [15, 0, 0, 0, 12, 0, 0, 0, 13, 0, 0, 0, 1, 2, 0];
    assert_bytes(&Table((1_u8, 2_u16)), &table);
    let one = [8, 0, 0, 0, 8, 0, 0, 0];
    assert_bytes(&DynVec(vec![None::<u8>]), &one);

    assert_bytes(&Item::Names(Names(vec![])), &[0, 0, 0, 0, 4, 0, 0, 0]);
    assert_bytes(&Item::Nothing, &[44, 1, 0, 0]);
    assert_bytes(&Later::Two(9), &[1, 0, 0, 0, 9]);
    assert_bytes(&Later::Three(9), &[2, 0, 0, 0, 9]);
    let named = Item::Named { bytes: ByteBuf::from([5]), points: None };
    let table = [17, 0, 0, 0, 12, 0, 0, 0, 17, 0, 0, 0, 1, 0, 0, 0, 5];
    assert_bytes(&named, &[&[0xff; 4], &table[..]].concat());
}

/// An empty vector has one encoding, and another one is refused.
#[test]
fn empty() {
    const DYNVEC: [u8; 4] = [4, 0, 0, 0];
    const FIXVEC: [u8; 4] = [0, 0, 0, 0];
    assert_bytes(&DynVec(Strings::new()), &DYNVEC);
    assert_bytes(&Some(DynVec(Strings::new())), &DYNVEC);
    assert_bytes(&DynVec(Some(Strings::new())), &DYNVEC);
    assert_bytes(&DynVec(None::<Strings>), &[]);
    assert_bytes(&Names(vec![]), &DYNVEC);
    assert_bytes(&FixVec(Vec::<u8>::new()), &FIXVEC);
    assert_bytes(&Points(vec![]), &FIXVEC);
    assert_bytes(&ByteBuf::new(), &FIXVEC);
    assert_bytes(&String::new(), &FIXVEC);
    assert_bytes(&Strings::new(), &FIXVEC);
    assert_bytes(&BTreeMap::<u8, u8>::new(), &DYNVEC);

    assert!(from_slice::<DynVec<Strings>>(&FIXVEC).is_err());
    assert!(from_slice::<Names>(&FIXVEC).is_err());
    assert!(from_slice::<FixVec<Vec<u8>>>(&DYNVEC).is_err());
    assert!(from_slice::<Points>(&DYNVEC).is_err());
    assert!(from_slice::<ByteBuf>(&DYNVEC).is_err());
    assert!(from_slice::<String>(&DYNVEC).is_err());
    assert!(from_slice::<Strings>(&DYNVEC).is_err());
    assert!(from_slice::<Vec<u8>>(&DYNVEC).is_err());
}
