//! `Deserialize` runs once for each value, whatever its type is and whatever is wrong with the bytes.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use fourfold::molecule::with::{Array, DynVec, FixVec, Struct, Table};
use fourfold::molecule::{from_slice, small, to_vec};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::damage::Messages;
use crate::marks::marked::*;
use crate::round_trip::{Hex, Value};
use crate::support::random::{self, Dice};

/// Messages per type.
const MESSAGES: usize = if cfg!(debug_assertions) { 60 } else { 1000 };

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
    static IDS: RefCell<BTreeSet<u32>> = const { RefCell::new(BTreeSet::new()) };
}

/// Counts how often it is read.
#[derive(Debug, PartialEq, Serialize)]
#[serde(transparent)]
struct Counted<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Counted<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        CALLS.set(CALLS.get() + 1);
        T::deserialize(deserializer).map(Counted)
    }
}

/// Reads good and damaged messages, and checks how often each of the values in them is read.
fn count<T: Value>(name: &str, make: impl Fn(&mut Dice) -> T) {
    type Two<T> = (Counted<T>, String, Counted<T>);

    let two = |dice: &mut Dice| (Counted(make(dice)), "text".to_owned(), Counted(make(dice)));
    let mut messages: Vec<_> =
        random::cases(name, 10, two).filter_map(|two| to_vec(&two).ok()).collect();
    if !messages.is_empty() {
        let mut damaged = Messages::of(name, two);
        messages.extend((0..MESSAGES).map(|_| damaged.next()));
    }
    for message in messages {
        for read in [
            |bytes: &[u8]| drop(from_slice::<Two<T>>(bytes)),
            |bytes: &[u8]| {
                drop(small::from_slice::<Two<T>>(bytes));
            },
        ] {
            CALLS.set(0);
            read(&message);
            assert!(CALLS.get() <= 2, "{name} {}: {} calls", Hex(&message), CALLS.get());
        }
    }
}

#[test]
fn types_of_the_zoo_are_read_once() {
    #[allow(unused_imports, reason = "not every generator is by hand")]
    use crate::support::{
        random::value,
        zoo::{self, *},
    };

    macro_rules! types {
        ($($word:ident $name:ident = $make:expr;)*) => {
            $( count::<zoo::$name>(stringify!($name), $make); )*
        };
    }
    crate::support::zoo::for_each_zoo_type!(types);
}

#[test]
fn marked_types_are_read_once() {
    use crate::support::zoo::{Either, Generic, Key, Pair, Point, Shape};
    type Strings = Vec<String>;

    macro_rules! marked {
        ($($name:ident: $marked:ty => $plain:ty;)*) => {
            $( count::<$marked>(stringify!($name), random::value); )*
        };
    }
    for_each_marked_type!(marked);
}

/// Refuses the number of another that was read since [`IDS`] was cleared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Id(u32);

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let id = u32::deserialize(deserializer)?;
        match IDS.with_borrow_mut(|ids| ids.insert(id)) {
            true => Ok(Id(id)),
            false => Err(de::Error::custom(format_args!("id {id} comes twice"))),
        }
    }
}

#[track_caller]
fn reads_each_id_once<T: Value>(value: &T) {
    let bytes = to_vec(value).unwrap();
    IDS.take();
    assert_eq!(from_slice::<T>(&bytes).unwrap(), *value);
    let error = from_slice::<T>(&bytes).unwrap_err();
    assert!(error.to_string().starts_with("id "), "{error}");
}

#[test]
fn a_type_that_refuses_an_id_twice_reads_every_good_message() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Tree {
        id: Id,
        name: String,
        children: Vec<Tree>,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "struct.Pair")]
    struct Pair(Id, [Id; 2]);
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum Choice {
        Nothing,
        One(Id),
        Named { id: Id, text: String },
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Fields {
        #[serde(default)]
        some: Option<Id>,
        none: Option<Id>,
        after: Id,
    }

    reads_each_id_once(&Id(1));
    reads_each_id_once(&vec![Id(1), Id(2), Id(3)]);
    reads_each_id_once(&[(Id(1), 2_u8), (Id(3), 4)]);
    reads_each_id_once(&(Id(1), "text".to_owned(), Id(2)));
    reads_each_id_once(&BTreeMap::from([(Id(1), Id(2)), (Id(3), Id(4))]));
    reads_each_id_once(&Table((Id(1), "text".to_owned())));
    reads_each_id_once(&DynVec(vec![Some(Id(1)), Some(Id(2))]));
    reads_each_id_once(&FixVec(vec![Pair(Id(1), [Id(2), Id(3)])]));
    reads_each_id_once(&Pair(Id(1), [Id(2), Id(3)]));
    reads_each_id_once(&vec![Choice::One(Id(1)), Choice::Nothing]);
    reads_each_id_once(&Choice::Named { id: Id(1), text: "text".to_owned() });
    reads_each_id_once(&Fields { some: Some(Id(1)), none: None, after: Id(2) });
    let leaf = |id| Tree { id: Id(id), name: "leaf".to_owned(), children: Vec::new() };
    let tree = Tree { id: Id(1), name: "root".to_owned(), children: vec![leaf(2)] };
    // Of a sequence without items, nothing shows what the items are.
    assert!(to_vec(&tree).is_ok_and(|bytes| {
        IDS.take();
        from_slice::<Tree>(&bytes).is_ok_and(|read| read == tree)
    }));
}
