//! Sequences of items with different tags: an ARRAY has one tag for all items, so they are written as a TUPLE.

use super::{Expected, Hex, assert_outcome};
use crate::support::random;
use crate::support::random::Dice;
use fourfold::biniou::{Value, from_slice, hash, to_value, to_vec};
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use std::collections::BTreeMap;
use std::fmt;

/// A value of any tag, with a serializer and a deserializer written by hand.
#[derive(Clone, Debug, PartialEq)]
enum Item {
    Unit,
    Bool(bool),
    Unsigned(u128),
    Signed(i128),
    Float(f64),
    Text(String),
    Option(Option<Box<Item>>),
    Items(Vec<Item>),
}

impl Serialize for Item {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Item::Unit => serializer.serialize_unit(),
            Item::Bool(bit) => serializer.serialize_bool(*bit),
            Item::Unsigned(number) => serializer.serialize_u128(*number),
            Item::Signed(number) => serializer.serialize_i128(*number),
            Item::Float(number) => serializer.serialize_f64(*number),
            Item::Text(text) => serializer.serialize_str(text),
            Item::Option(None) => serializer.serialize_none(),
            Item::Option(Some(item)) => serializer.serialize_some(item),
            Item::Items(items) => serializer.collect_seq(items),
        }
    }
}

impl<'de> Deserialize<'de> for Item {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ItemVisitor)
    }
}

struct ItemVisitor;

impl<'de> Visitor<'de> for ItemVisitor {
    type Value = Item;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_unit<E: Error>(self) -> Result<Item, E> {
        Ok(Item::Unit)
    }

    fn visit_bool<E: Error>(self, bit: bool) -> Result<Item, E> {
        Ok(Item::Bool(bit))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Item, E> {
        Ok(Item::Unsigned(number.into()))
    }

    fn visit_u128<E: Error>(self, number: u128) -> Result<Item, E> {
        Ok(Item::Unsigned(number))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Item, E> {
        Ok(Item::Signed(number.into()))
    }

    fn visit_i128<E: Error>(self, number: i128) -> Result<Item, E> {
        Ok(Item::Signed(number))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Item, E> {
        Ok(Item::Float(number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Item, E> {
        Ok(Item::Text(text.to_owned()))
    }

    fn visit_none<E: Error>(self) -> Result<Item, E> {
        Ok(Item::Option(None))
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Item, D::Error> {
        Item::deserialize(deserializer).map(|item| Item::Option(Some(Box::new(item))))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Item, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Item::Items(items))
    }
}

fn item(g: &mut Dice, depth: usize) -> Item {
    let kinds = if depth == 0 { 6 } else { 9 };
    match random::value::<usize>(g) % kinds {
        0 => Item::Unit,
        1 => Item::Bool(random::value(g)),
        2 => Item::Unsigned(random::value(g)),
        3 => Item::Signed(random::value(g)),
        4 => Item::Float(random::value(g)),
        5 => Item::Text(random::value(g)),
        6 => Item::Option(random::value::<bool>(g).then(|| Box::new(item(g, depth - 1)))),
        _ => Item::Items(items(g, depth - 1)),
    }
}

/// Items with the same tag, with one that differs, or with random tags.
fn items(g: &mut Dice, depth: usize) -> Vec<Item> {
    let count = random::value::<usize>(g) % 12;
    let first = item(g, depth);
    let mut items = match random::value::<u8>(g) % 4 {
        0 => vec![first; count],
        1 => [vec![first; count], vec![item(g, depth)]].concat(),
        _ => (0..count).map(|_| item(g, depth)).collect(),
    };
    if items.len() == 2 {
        // Without the unit, a list of pairs could be a map.
        items.push(Item::Unit);
    }
    items
}

#[test]
fn items_with_different_tags_survive() {
    const CASES: usize = if cfg!(debug_assertions) { 300 } else { 10_000 };
    random::check(
        "unlike items",
        CASES,
        |g| Item::Items(items(g, 6)),
        |_, value| {
            assert_outcome("unlike", &value, Expected::Bytes);
        },
    );
    random::check(
        "in a map",
        CASES / 10,
        |g| BTreeMap::from([(1_u8, items(g, 3))]),
        |_, value| {
            assert_outcome("in a map", &value, Expected::Bytes);
        },
    );
}

#[test]
fn bytes() {
    #[track_caller]
    fn assert_bytes(items: &[Item], bytes: &[u8]) {
        let value = Item::Items(items.to_vec());
        assert_eq!(Hex(&to_vec(&value).unwrap()), Hex(bytes));
        assert_outcome("bytes", &value, Expected::Bytes);
    }
    let (one, yes) = (Item::Unsigned(1), Item::Bool(true));
    let many = |items: &[&Item]| Item::Items(items.iter().map(|item| (*item).clone()).collect());
    assert_bytes(&[], &[19, 0]);
    assert_bytes(&[one.clone(), one.clone()], &[19, 2, 16, 1, 1]);
    assert_bytes(&[one.clone(), yes.clone()], &[20, 2, 16, 1, 0, 1]);
    assert_bytes(&[one.clone(), one.clone(), yes.clone()], &[20, 3, 16, 1, 16, 1, 0, 1]);
    // Arrays of unlike items are arrays all the same, and a tuple is not one.
    let (ones, both) = (many(&[&one, &one]), many(&[&one, &yes]));
    assert_bytes(&[ones.clone(), many(&[&yes])], &[19, 2, 19, 2, 16, 1, 1, 1, 0, 1]);
    let three = many(&[&one, &yes, &yes]);
    let bytes = [19, 2, 20, 3, 16, 1, 0, 1, 0, 1, 3, 16, 1, 0, 1, 0, 1];
    assert_bytes(&[three.clone(), three], &bytes);
    // A list of pairs could be a map for `deserialize_any`.
    let pairs = to_vec(&Item::Items(vec![both.clone(), both.clone()])).unwrap();
    assert_eq!(Hex(&pairs), Hex(&[19, 2, 20, 2, 16, 1, 0, 1, 2, 16, 1, 0, 1]));
    from_slice::<Item>(&pairs).unwrap_err();
    assert_bytes(&[ones.clone(), both.clone()], &[20, 2, 19, 2, 16, 1, 1, 20, 2, 16, 1, 0, 1]);
    assert_bytes(&[both, ones], &[20, 2, 20, 2, 16, 1, 0, 1, 19, 2, 16, 1, 1]);
    // The tag depends on the type of a number, not on its sign.
    assert_bytes(&[Item::Signed(1), Item::Signed(-1)], &[19, 2, 17, 2, 1]);
    assert_bytes(&[Item::Signed(1), Item::Unsigned(1)], &[20, 2, 17, 2, 16, 1]);
    let none = Item::Option(None);
    let some = Item::Option(Some(Box::new(yes)));
    assert_bytes(&[none, some], &[19, 2, 22, 0, 0x80, 0, 1]);
}

/// The last of many items has another tag, and lengths take more than a byte.
#[test]
fn long_sequences_survive() {
    for count in [1, 126, 127, 128, 129, 16_383, 16_384] {
        let mut items = vec![Item::Unsigned(1); count];
        assert_outcome("alike", &Item::Items(items.clone()), Expected::Bytes);
        items.push(Item::Text("end".into()));
        assert_outcome("at the end", &Item::Items(items.clone()), Expected::Bytes);
        items.swap(0, count);
        assert_outcome("at the start", &Item::Items(items), Expected::Bytes);
    }
    let inner =
        |end: Item| Item::Items(vec![Item::Bool(true), Item::Items(vec![end; 130]), Item::Unit]);
    let mut items: Vec<Item> = (0..130).map(|_| inner(Item::Unit)).collect();
    assert_outcome("nested", &Item::Items(items.clone()), Expected::Bytes);
    items.push(Item::Items(vec![Item::Unit, Item::Items(items.clone())]));
    items.push(inner(Item::Text("end".into())));
    assert_outcome("nested", &Item::Items(items), Expected::Bytes);
}

/// The last item of each level turns the level into a TUPLE. This moves the bytes at most once for each level.
#[test]
fn nested_sequences_are_moved_once() {
    let build = |levels: usize, width: usize| {
        (0..levels).fold(Item::Unit, |inner, _| {
            let mut items = vec![Item::Items(vec![]); width];
            items.push(inner);
            items.push(Item::Unit);
            Item::Items(items)
        })
    };
    let value = build(60, 5000);
    let (bytes, stats) = crate::support::alloc::measure_value(|| to_vec(&value).unwrap());
    let text = format!("{stats:?} for {} bytes", bytes.len());
    assert!(stats.peak < 8 * bytes.len(), "{text}");
    assert!(stats.total < 60 * bytes.len(), "{text}");
    assert_outcome("deep", &build(60, 50), Expected::Bytes);
}

/// Keys and values of a map may have different tags: each entry is a TUPLE.
#[test]
fn entries_with_different_tags_survive() {
    struct Entries;
    impl Serialize for Entries {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut map = serializer.serialize_map(None)?;
            map.serialize_entry(&1_u8, "one")?;
            map.serialize_entry("two", &2.5_f64)?;
            map.serialize_entry(&(), &[true])?;
            map.end()
        }
    }
    let wanted = [19, 3, 20, 2, 16, 1, 18, 3, 111, 110, 101, 2, 18, 3, 116, 119, 111, 12];
    let rest = [0x40, 4, 0, 0, 0, 0, 0, 0, 2, 24, 0, 20, 1, 0, 1];
    assert_eq!(Hex(&to_vec(&Entries).unwrap()), Hex(&[&wanted[..], &rest].concat()));
}

/// Structs of different types in one sequence are all RECORDs.
#[test]
fn structs_of_different_types_have_one_tag() {
    #[derive(serde::Serialize)]
    #[serde(untagged)]
    enum Any {
        A { a: u8 },
        B { b: bool },
        C(u8),
    }
    let value = to_value(&[Any::A { a: 1 }].as_slice()).unwrap();
    assert_eq!(value, Value::Array(vec![Value::Record(vec![(hash("a"), Value::Uvint(1))])]));
    let value = to_value(&vec![Any::A { a: 1 }, Any::B { b: true }]).unwrap();
    assert!(matches!(&value, Value::Array(items) if items.len() == 2), "{value:?}");
    let value = to_value(&vec![Any::A { a: 1 }, Any::C(1)]).unwrap();
    assert!(matches!(&value, Value::Tuple(items) if items.len() == 2), "{value:?}");
}

/// Announced lengths that are wrong.
#[test]
fn lengths_that_are_wrong() {
    struct Wrong(Option<usize>, usize);
    impl Serialize for Wrong {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut seq = serializer.serialize_seq(self.0)?;
            for number in 0..self.1 {
                seq.serialize_element(&number)?;
            }
            seq.end()
        }
    }
    let huge = usize::try_from(1_u64 << 40).unwrap_or(usize::MAX);
    for given in [0, 1, 2, 127, 128, 300] {
        let wanted: Vec<usize> = (0..given).collect();
        for announced in [None, Some(0), Some(1), Some(127), Some(128), Some(given), Some(huge)] {
            // The written items count, or the value is refused.
            match to_vec(&Wrong(announced, given)) {
                Ok(bytes) => assert_eq!(from_slice::<Vec<usize>>(&bytes).unwrap(), wanted),
                Err(error) => assert_ne!(announced, Some(given), "{error}"),
            }
        }
    }
}
