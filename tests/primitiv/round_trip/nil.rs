//! `None` is nil, and a value in `Some` may be nil or begin with nil, since structs and tuples have no framing. Both survive,
//! alone and among other values.

use super::{Expected, Type, assert_outcome, check_outcome, types, unseen};
use crate::support::erased::check_each;
use crate::support::random::value;
use crate::support::zoo::{
    Adjacent, Chain, Clear, Empty, EmptyTuple, Hollow, Internal, Key, Level, Newtype,
    NewtypeOption, Shape, Suit, UnitStruct, Untagged,
};
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::num::NonZeroU8;
use std::rc::Rc;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct OptionFirst {
    maybe: Option<u8>,
    after: u8,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct OptionLast {
    before: u8,
    maybe: Option<u8>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct UnitFirst {
    nothing: (),
    after: u8,
}

/// A struct that begins with a value that may be nil.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct HollowFirst {
    empty: Empty,
    phantom: PhantomData<u8>,
    none: [String; 0],
    maybe: Option<String>,
    after: u8,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct UnitNewtype(());

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct EmptyNewtype(Empty);

/// Nested options with a struct between them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Deeper {
    inner: Option<Box<Deeper>>,
    mark: u8,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum OnlyUnits {
    First,
    Second,
}

/// A value followed by others, which would be misread.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Among<T> {
    options: Option<Option<T>>,
    list: Vec<T>,
    list_of_options: Vec<Option<T>>,
    optional_list: Option<Vec<T>>,
    array_of_options: [Option<T>; 3],
    tuple_of_options: (Option<T>, Option<T>, u8),
    first: Option<(T, u8)>,
    last: Option<(u8, T)>,
    optional_array: Option<[T; 2]>,
    map_of_options: BTreeMap<u8, Option<T>>,
    variant: Result<Option<T>, Option<u8>>,
    optional_variant: Option<Result<T, ()>>,
}

/// Like [`types!`], each alone, in an option, and among others.
macro_rules! alone_and_among_others {
    ($($name:ident: $type:ty;)*) => {
        [types! { $($name: $type;)* }, types! { $($name: Option<$type>;)* }, types! { $($name: Among<$type>;)* }]
    };
}

const CASES: usize = if cfg!(debug_assertions) { 60 } else { 1000 };

#[test]
fn values_that_may_begin_with_nil() {
    let types = alone_and_among_others! {
        a_number: u8;
        a_bool: bool;
        a_string: String;
        bytes: ByteBuf;
        a_unit: ();
        a_unit_struct: UnitStruct;
        an_empty_struct: Empty;
        an_empty_tuple_struct: EmptyTuple;
        an_empty_array: [u8; 0];
        a_phantom: PhantomData<String>;
        a_newtype_of_unit: UnitNewtype;
        a_newtype_of_nothing: EmptyNewtype;
        a_newtype: Newtype;
        an_option: Option<u8>;
        an_option_of_unit: Option<()>;
        a_newtype_of_an_option: NewtypeOption;
        a_transparent_option: Clear;
        a_hidden_option: Level;
        a_pointer_to_an_option: Rc<RefCell<Option<Box<u8>>>>;
        a_number_in_the_gap: Option<NonZeroU8>;
        a_struct: Key;
        an_option_first: OptionFirst;
        an_option_last: OptionLast;
        a_unit_first: UnitFirst;
        a_tuple_with_a_unit_first: ((), u8);
        a_tuple_of_units: ((), ());
        a_tuple_of_options: (Option<u8>, Option<()>);
        a_tuple_of_one_option: (Option<u8>,);
        an_array_of_options: [Option<u8>; 2];
        nothing_before_an_option: HollowFirst;
        a_list_of_units: Vec<()>;
        a_list_of_nothing: Vec<Empty>;
        a_map_of_units: BTreeMap<(), ()>;
        a_map_of_options: BTreeMap<Option<u8>, Option<()>>;
        an_enum_of_units: OnlyUnits;
        a_suit: Suit;
        a_shape: Shape;
        a_hollow_enum: Hollow;
        an_adjacently_tagged_enum: Adjacent;
        a_chain_of_options: Chain;
        options_through_structs: Deeper;
        a_result: Result<Option<u8>, ()>;
    };
    check_each(&types.into_iter().flatten().collect::<Vec<_>>(), |ty| {
        ty.check(CASES, |_, value| {
            check_outcome(ty, value, Expected::Bytes);
        });
    });
}

/// Its bytes begin with nil, like those of `None`.
#[test]
fn a_struct_that_begins_with_none() {
    let first = OptionFirst { maybe: None, after: 7 };
    assert_outcome("alone", &first, Expected::Bytes);
    assert_outcome("option", &Some(first.clone()), Expected::Bytes);
    assert_outcome("options", &vec![Some(first.clone()), None], Expected::Bytes);
    assert_outcome("then a number", &(Some(first.clone()), 7_u8), Expected::Bytes);
    assert_outcome("then its end", &(Some((None::<u8>,)), None::<u8>), Expected::Bytes);
    assert_outcome("two", &(Some((None::<u8>, None::<u8>)), Some(1_u8)), Expected::Bytes);
    // After another field, no mark is needed.
    assert_outcome("last", &Some(OptionLast { before: 1, maybe: None }), Expected::Bytes);
    assert_outcome("list", &Some(vec![None::<u8>]), Expected::Bytes);
    assert_outcome("list", &Some(vec![(); 3]), Expected::Bytes);
    assert_outcome("empty list", &Some(Vec::<()>::new()), Expected::Bytes);
    assert_outcome("map", &Some(BTreeMap::from([((), ())])), Expected::Bytes);
    assert_outcome("variant", &Some(Hollow::Unit), Expected::Bytes);
    assert_outcome("variant", &Some(Hollow::OptionInside(None)), Expected::Bytes);
    assert_outcome("some", &Some(OptionFirst { maybe: Some(1), after: 7 }), Expected::Bytes);
    assert_outcome("some", &Some(Some(1_u8)), Expected::Bytes);
    assert_outcome("none", &None::<Option<Option<()>>>, Expected::Bytes);
}

#[test]
fn unseen_in_options() {
    unseen(&Type::new::<Option<Untagged>>("untagged", |g| Some(Untagged::sample(g))));
    unseen(&Type::new::<Vec<Option<Untagged>>>("untagged", |g| {
        (0..value::<u8>(g) % 4).map(|_| value::<bool>(g).then(|| Untagged::sample(g))).collect()
    }));
    unseen(&Type::new::<Option<Internal>>("internal", |g| Some(Internal::sample(g))));
    unseen(&Type::new::<Option<serde_json::Value>>("json", |g| Some(crate::support::zoo::json(g))));
    // `null` is nil too.
    unseen(&Type::new::<Option<serde_json::Value>>("null", |_| Some(serde_json::Value::Null)));
    unseen(&Type::new::<Vec<serde_json::Value>>("null", |_| vec![serde_json::Value::Null; 2]));
}
