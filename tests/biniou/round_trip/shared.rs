//! Sharing by pointer: one definition, references elsewhere, equal values after reading.

use super::{Expected, Hex, assert_outcome, assert_reason};
use crate::support::erased::TestType;
use crate::support::placed;
use crate::support::zoo::{Key, Record};
use crate::support::{random, zoo};
use fourfold::biniou::with::{Optional, Shared, Table};
use fourfold::biniou::{Options, Value, from_slice, hash, to_vec, to_writer};
use serde::ser::{SerializeSeq, SerializeStruct};
use serde::{Deserialize, Serialize, Serializer};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

#[track_caller]
fn assert_bytes<T: TestType>(value: &T, bytes: &[u8]) {
    assert_eq!(Hex(&to_vec(value).unwrap()), Hex(bytes), "{value:?}");
    assert_outcome("shared", value, Expected::Bytes);
}

/// The numbers of definitions and references in a tree.
fn count(value: &Value) -> (usize, usize) {
    let all = |values: &mut dyn Iterator<Item = &Value>| {
        values.map(count).fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    };
    match value {
        Value::Shared(_, inner) => {
            let (definitions, references) = count(inner);
            (definitions + 1, references)
        }
        Value::Reference(_) => (0, 1),
        Value::Array(items) | Value::Tuple(items) => all(&mut items.iter()),
        Value::Record(fields) => all(&mut fields.iter().map(|(_, value)| value)),
        Value::NumVariant(_, Some(inner)) | Value::Variant(_, Some(inner)) => count(inner),
        Value::Table(table) => all(&mut table.rows.iter().flatten()),
        _ => (0, 0),
    }
}

#[track_caller]
fn assert_count<T: TestType>(name: &'static str, value: &T, definitions: usize, references: usize) {
    let bytes = assert_outcome(name, value, Expected::Either)
        .unwrap_or_else(|| panic!("{name} is refused: {}", to_vec(value).unwrap_err()));
    let tree: Value = from_slice(&bytes).unwrap();
    assert_eq!(count(&tree), (definitions, references), "{name} as {}: {tree:?}", Hex(&bytes));
}

/// Like [`assert_outcome`], but the value that is read back has no shared pointers, so it has other bytes.
#[track_caller]
fn assert_shares<T: TestType>(
    name: &'static str,
    value: &T,
    definitions: usize,
    references: usize,
) {
    let bytes = to_vec(value).unwrap_or_else(|error| panic!("{name} is refused: {error}"));
    let read: T = from_slice(&bytes)
        .unwrap_or_else(|error| panic!("{name} is not read from {}: {error}", Hex(&bytes)));
    assert_eq!(&read, value, "{name} from {}", Hex(&bytes));
    let tree: Value = from_slice(&bytes).unwrap();
    assert_eq!(count(&tree), (definitions, references), "{name} as {}: {tree:?}", Hex(&bytes));
    assert_eq!(Hex(&to_vec(&tree).unwrap()), Hex(&bytes), "{name}");
    // Only equal pointers are shared; equal values are each defined.
    let again = to_vec(&read).unwrap();
    let read: T = from_slice(&again).unwrap();
    assert_eq!(&read, value, "{name} from {}", Hex(&again));
}

#[test]
fn bytes() {
    let one = Shared(Rc::new(1_u8));
    assert_bytes(&one, &[26, 0, 16, 1]);
    let pair = vec![one.clone(), one.clone(), one.clone()];
    // ARRAY of SHARED: definition, a reference 3 back, one 4 back.
    assert_eq!(to_vec(&pair).unwrap(), [19, 3, 26, 0, 16, 1, 3, 4]);
    assert_eq!(to_vec(&(one.clone(), one)).unwrap(), [20, 2, 26, 0, 16, 1, 26, 4]);

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Two {
        #[serde(with = "fourfold::biniou::with::shared")]
        a: Arc<str>,
        #[serde(with = "fourfold::biniou::with::shared")]
        b: Arc<str>,
    }
    let text: Arc<str> = "hi".into();
    let bytes = to_vec(&Two { a: text.clone(), b: text }).unwrap();
    let tag = |name: &str| (1 << 31 | hash(name)).to_be_bytes();
    let wanted =
        [&[21, 2], &tag("a")[..], &[26, 0, 18, 2, b'h', b'i'], &tag("b"), &[26, 10]].concat();
    assert_eq!(bytes, wanted);
}

#[test]
fn the_same_pointer_many_times() {
    let key = || Key { id: 1, name: "name".into() };
    let shared = Shared(Rc::new(key()));
    assert_shares("vec", &vec![shared.clone(); 1000], 1, 999);
    let shared = Shared(Arc::new(key()));
    assert_shares("arc", &vec![shared.clone(); 1000], 1, 999);
    assert_shares("map", &BTreeMap::from([(1, shared.clone()), (2, shared.clone())]), 1, 1);
    assert_shares("options", &[Some(shared.clone()), None, Some(shared.clone())], 1, 1);
    assert_shares("tuple", &(shared.clone(), (1_u8, shared.clone()), [shared.clone()]), 1, 2);
    let either = vec![zoo::Either::Left(shared.clone()), zoo::Either::Both(shared, 1_u8)];
    assert_shares("enum", &either, 1, 1);
    // Equal values with different pointers.
    assert_count("equal", &vec![Shared(Rc::new(key())), Shared(Rc::new(key()))], 2, 0);
    let (one, two) = (Shared(Rc::new(key())), Shared(Rc::new(key())));
    let mixed = vec![one.clone(), two.clone(), one.clone(), two, one];
    assert_shares("two", &mixed, 2, 3);
    // Without the mark, a pointer is written as its target.
    let one = Rc::new(key());
    let plain = vec![one.clone(), one.clone(), one];
    assert_count("plain", &plain, 0, 0);
}

/// Values whose address is not unique: values without size, which are never referred to, and structs with the address of
/// their first field.
#[test]
fn addresses_that_mean_nothing() {
    let unit = Shared(Rc::new(()));
    assert_count("unit", &vec![unit.clone(), unit], 2, 0);
    let empty: Shared<Rc<str>> = Shared(Rc::from(""));
    assert_count("empty", &vec![empty.clone(), empty], 2, 0);
    let empty: Shared<Arc<[u8]>> = Shared(Arc::from([]));
    assert_count("empty", &vec![empty.clone(), empty], 2, 0);

    // The outer value begins with the inner one.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Wrap(Shared<Rc<u64>>);
    let inner = Shared(Rc::new(7_u64));
    let outer = Shared(Rc::new(Wrap(inner.clone())));
    let value = (outer.clone(), inner.clone(), outer, inner);
    assert_shares("one address", &value, 2, 3);
    let nested = Shared(Rc::new(Shared(Rc::new(1_u8))));
    assert_shares("pointer to pointer", &(nested.clone(), nested.0.0.clone(), nested), 2, 1);
}

/// Freed memory may be allocated again, at the same address.
#[test]
fn pointers_that_live_shortly() {
    struct Fresh(u8);
    impl Serialize for Fresh {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut seq = serializer.serialize_seq(Some(self.0.into()))?;
            for number in 0..self.0 {
                seq.serialize_element(&Shared(Rc::new(vec![number; 3])))?;
            }
            seq.end()
        }
    }
    let bytes = to_vec(&Fresh(100)).unwrap();
    let read: Vec<Shared<Rc<Vec<u8>>>> = from_slice(&bytes).unwrap();
    let wanted: Vec<_> = (0..100).map(|number| Shared(Rc::new(vec![number; 3]))).collect();
    assert_eq!(read, wanted);
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Node {
    name: String,
    links: Vec<Shared<Rc<Node>>>,
}

fn node(name: &str, links: &[&Shared<Rc<Node>>]) -> Shared<Rc<Node>> {
    Shared(Rc::new(Node {
        name: name.into(),
        links: links.iter().map(|link| (*link).clone()).collect(),
    }))
}

#[test]
fn nested() {
    let leaf = node("leaf", &[]);
    let left = node("left", &[&leaf, &leaf]);
    let right = node("right", &[&leaf, &left]);
    let top = node("top", &[&left, &right, &leaf]);
    assert_shares("nodes", &top, 4, 4);
    assert_shares("nodes", &vec![leaf, left, right, top], 4, 7);
}

/// A sequence of items with different tags is a TUPLE: each tag takes a byte, which moves the targets of references.
#[test]
fn in_sequences_of_unlike_items() {
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Item {
        Number(u64),
        Text(String),
        Shared(Shared<Rc<u64>>),
        Many(Vec<Item>),
    }
    let text = || Item::Text("text".into());
    let one = || Rc::new(1_u64);
    // Untagged enums read a shared value as its number.
    let back = |items: Vec<Item>| {
        let bytes = to_vec(&items).unwrap();
        let tree: Value = from_slice(&bytes).unwrap();
        assert_eq!(Hex(&to_vec(&tree).unwrap()), Hex(&bytes), "{items:?}");
        let read: Vec<Item> = from_slice(&bytes)
            .unwrap_or_else(|error| panic!("{items:?} from {}: {error}", Hex(&bytes)));
        fn plain(items: &[Item]) -> Vec<Item> {
            let plain = items.iter().map(|item| match item {
                Item::Shared(number) => Item::Number(*number.0),
                Item::Many(items) => Item::Many(plain(items)),
                other => other.clone(),
            });
            plain.collect()
        }
        assert_eq!(plain(&items), read, "{}", Hex(&bytes));
        count(&tree)
    };
    let shared = Shared(one());
    let item = || Item::Shared(shared.clone());
    assert_eq!(back(vec![item(), item(), item()]), (1, 2));
    assert_eq!(back(vec![item(), item(), text()]), (1, 2 - 1));
    assert_eq!(back(vec![text(), item(), item()]), (1, 1));
    assert_eq!(back(vec![Item::Many(vec![item(), item(), text()]), item()]), (1, 2));
    assert_eq!(back(vec![Item::Many(vec![item(); 3]), item(), text(), item()]), (1, 4));
    let deep = (0..10).fold(Item::Many(vec![item(), item()]), |inner, level| match level % 2 {
        0 => Item::Many(vec![inner, item(), text(), item()]),
        _ => Item::Many(vec![item(), item(), inner.clone(), text(), inner]),
    });
    back(vec![deep, item(), text()]);
    // Long sequences: distances of more than a byte, whose width changes by the move.
    for count in [20, 60, 63, 64, 65, 120, 126, 127, 128, 129, 300, 5500, 17_000] {
        let mut items: Vec<Item> = (0..count).map(|_| item()).collect();
        items.push(text());
        back(items);
        let others: Vec<Shared<Rc<u64>>> = (0..count).map(|_| Shared(one())).collect();
        let twice = others.iter().chain(&others).map(|other| Item::Shared(other.clone()));
        back(twice.chain([text()]).collect());
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Cells {
    id: u8,
    #[serde(with = "fourfold::biniou::with::shared")]
    name: Rc<str>,
    link: Option<Shared<Rc<Record>>>,
    #[serde(default)]
    maybe: Optional<Option<Shared<Rc<Key>>>>,
}

#[test]
fn in_tables() {
    let mut g = random::Dice::of("in tables");
    let name: Rc<str> = "name".into();
    let record = Shared(Rc::new(random::value::<Record>(&mut g)));
    let key = Shared(Rc::new(Key { id: 1, name: "k".into() }));
    let row = |id| Cells {
        id,
        name: name.clone(),
        link: Some(record.clone()).filter(|_| id % 2 == 0),
        maybe: Optional(Some(key.clone()).filter(|_| id % 3 == 0)),
    };
    let rows: Vec<Cells> = (0..60).map(row).collect();
    assert_shares("table", &Table(rows.clone()), 3, 59 + 29 + 19);
    assert_shares("records", &rows, 3, 59 + 29 + 19);
    assert_shares("tables", &(Table(rows.clone()), Table(rows)), 3, 119 + 59 + 39);
    let table = Shared(Rc::new(Table(vec![row(0), row(1)])));
    assert_shares("shared table", &vec![table.clone(), table], 4, 2);
}

/// A pointer that is written with several marks would be defined with one and read with another.
#[test]
fn a_shared_value_has_no_other_mark() {
    use fourfold::biniou::with::{Float32, Int8, Int32, Int64, Uvint};
    #[track_caller]
    fn is_refused<T: TestType>(value: &T, place: &str) {
        let error = to_vec(value).unwrap_err();
        let text =
            "the mark `shared` does not fit a value with another mark; remove one of the two marks";
        assert_eq!(error.to_string(), placed(text, &format!(" in {place}")));
        assert_eq!(to_writer(Vec::new(), value).unwrap_err().to_string(), error.to_string());
    }
    let number = Shared(Rc::new(5_i64));
    let plain = || number.clone();
    is_refused(&(plain(), Int8(plain()), Uvint(plain()), plain()), "[1]");
    is_refused(&(plain(), Int64(plain())), "[1]");
    is_refused(&(Int64(plain()), plain()), "[0]");
    is_refused(&(Int32(plain()), Int64(plain())), "[0]");
    is_refused(&vec![Int64(vec![plain(), plain()]), Int64(vec![plain()])], "[0][0]");
    let float = Shared(Rc::new(1.5_f64));
    is_refused(&(float.clone(), Float32(float.clone())), "[1]");
    is_refused(&(Float32(float.clone()), float), "[0]");
    let rows = Shared(Rc::new(vec![zoo::Point { x: 1, y: 2 }]));
    is_refused(&(rows.clone(), Table(rows.clone())), "[1]");
    is_refused(&(Table(rows.clone()), rows), "[0]");
    let maybe = Shared(Rc::new(Some(1_u8)));
    is_refused(&(maybe.clone(), Optional(maybe)), "[1]");
}

/// The writer refuses references that expand to more values than a reader accepts.
#[test]
fn writers_and_readers_agree_on_expansion() {
    for levels in 0..40 {
        let top = (0..levels).fold(node("n", &[]), |inner, _| node("n", &[&inner, &inner]));
        let Ok(bytes) = to_vec(&top) else {
            assert!(levels > 9, "{levels} levels are refused");
            continue;
        };
        assert!(levels <= 9, "{levels} levels are written");
        let (tree, read) = (from_slice::<Value>(&bytes), from_slice::<Shared<Rc<Node>>>(&bytes));
        assert!(tree.is_ok());
        match read {
            Ok(back) => assert!(back == top, "{levels} levels"),
            Err(error) => panic!("{levels} levels are written and not read: {error}"),
        }
    }
    // Many items, each with a reference to a large value.
    for (count, size, is_written) in [
        (10, 10, true),
        (100, 100, true),
        (1000, 1000, false),
        (10_000, 100, true),
        (100, 10_000, false),
    ] {
        let large = Shared(Rc::new(vec![1_u8; size]));
        let value = vec![large; count];
        let written = to_vec(&value);
        assert_eq!(written.is_ok(), is_written, "{count} of {size}: {:?}", written.err());
        let Ok(bytes) = written else { continue };
        let read: Result<Vec<Shared<Rc<Vec<u8>>>>, _> = from_slice(&bytes);
        match read {
            Ok(back) => assert!(back == value, "{count} of {size}"),
            Err(error) => panic!("{count} of {size} are written and not read: {error}"),
        }
    }
}

/// A value that contains itself, by a cell and a serializer written by hand.
#[derive(Clone, Default)]
struct Ring(Rc<RefCell<Vec<Ring>>>);

impl Serialize for Ring {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut ring = serializer.serialize_struct("Ring", 1)?;
        ring.serialize_field("next", &Links(&self.0))?;
        ring.end()
    }
}

struct Links<'a>(&'a Rc<RefCell<Vec<Ring>>>);

impl Serialize for Links<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fourfold::biniou::with::shared::serialize(self.0, serializer)
    }
}

#[test]
fn cycles_are_refused() {
    let ring = Ring::default();
    ring.0.borrow_mut().push(ring.clone());
    let error = to_vec(&ring).unwrap_err();
    assert_reason(&error, &"a ring of one");
    assert!(error.to_string().starts_with("shared value is part of itself"), "{error}");

    let far = (0..10).fold(ring.clone(), |inner, _| Ring(Rc::new(RefCell::new(vec![inner]))));
    ring.0.borrow_mut().clear();
    ring.0.borrow_mut().extend([Ring::default(), far.clone()]);
    assert_reason(&to_vec(&far).unwrap_err(), &"a ring of eleven");
    let deep = Options::new().max_depth(u16::MAX);
    let error = deep.to_vec(&far).unwrap_err();
    assert!(error.to_string().starts_with("shared value is part of itself"), "{error}");
    // Without the cycle it can be written.
    ring.0.borrow_mut().clear();
    to_vec(&far).unwrap();
}

/// A refused value leaves no state for the next one.
#[test]
fn each_message_has_its_own_state() {
    let shared = Shared(Rc::new(1_u8));
    let once = to_vec(&shared).unwrap();
    assert_eq!(to_vec(&shared).unwrap(), once);
    let mut serializer = fourfold::biniou::Serializer::new(Vec::new());
    shared.serialize(&mut serializer).unwrap();
    shared.serialize(&mut serializer).unwrap();
    assert_eq!(serializer.into_inner(), [once.as_slice(); 2].concat());
}
