//! `Deserialize` runs once for each value, for all types and for good and damaged bytes.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use fourfold::molecule::with::{Array, DynVec, FixVec, Struct, Table};
use fourfold::molecule::{from_slice, small, to_vec};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::damage::mutate;
use crate::marks::marked::{AtUse, Duo, Item, Names, Points, Rows, Spot};
use crate::round_trip::Hex;
use crate::support::damage::Messages;
use crate::support::erased::TestType;
use crate::support::random::{self, Dice, value};
use crate::support::zoo;

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

/// How two values of a type in one message are written and read.
struct Twice {
    name: &'static str,
    write: fn(&mut Dice) -> Option<Vec<u8>>,
    /// Each value is counted.
    read: [fn(&[u8]); 2],
}

impl Twice {
    fn of<T: TestType>(name: &'static str) -> Self {
        type Two<T> = (Counted<T>, String, Counted<T>);

        Twice {
            name,
            write: |dice| to_vec(&(value::<T>(dice), "text", value::<T>(dice))).ok(),
            read: [
                |bytes| drop(from_slice::<Two<T>>(bytes)),
                |bytes| drop(small::from_slice::<Two<T>>(bytes)),
            ],
        }
    }

    /// Reads good and damaged messages, and checks how often each of the values in them is read.
    fn check(&self) {
        let Twice { name, write, read } = self;
        let mut messages: Vec<_> = random::cases(name, 20, write).flatten().collect();
        let mut damaged = Messages::new(name, messages.clone(), mutate);
        messages.extend((0..MESSAGES).map(|_| damaged.next()));
        for message in messages {
            for read in read {
                CALLS.set(0);
                read(&message);
                assert!(CALLS.get() <= 2, "{name} {}: {} calls", Hex(&message), CALLS.get());
            }
        }
    }
}

/// Types of each layout, and types for which readers have several code paths: with and without allocations, small and
/// large, packed and not.
#[test]
fn types_of_each_layout_are_read_once() {
    macro_rules! types {
        ($($type:ty,)*) => { [$(Twice::of::<$type>(stringify!($type))),*] };
    }
    let types = types! {
        u8, u64, char, (), String, [u8; 32], [u16; 3], [String; 2], Option<u8>, Option<String>, Vec<u8>,
        Vec<(u8, u32)>, Vec<String>, Vec<Option<u16>>, Vec<Vec<String>>, BTreeMap<String, u32>, BTreeMap<u8, u8>,
        (u8, u16), (u8, String), (String, u8), ((u8, u16), (u8, String)), (u8, Option<u8>), (u64, u64, u64),
        zoo::Key, zoo::Record, zoo::Point, zoo::Newtype, zoo::NewtypeOption, zoo::Shape, zoo::Hollow, zoo::Tree,
        zoo::Adjacent, zoo::Defaults, zoo::SkipsIf, zoo::Pointers, zoo::BigArrays,
        Names, Points, Rows<Option<u8>>, Duo, Spot, Item, AtUse, Vec<Duo>, Option<Spot>, (Duo, Points),
        DynVec<Vec<String>>, FixVec<Vec<(u64, u64, u64)>>, Table<(u8, u16)>, Struct<(u8, [u8; 2])>, Array<u8, 40>,
    };
    for twice in types {
        twice.check();
    }
}

/// Refuses a number that was read before, since [`IDS`] was cleared.
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
fn reads_each_id_once<T: TestType>(value: &T) {
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
    // An empty sequence does not show the type of its items.
    assert!(to_vec(&tree).is_ok_and(|bytes| {
        IDS.take();
        from_slice::<Tree>(&bytes).is_ok_and(|read| read == tree)
    }));
}
