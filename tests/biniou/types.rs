//! Types with equal names, with fields in another order, nested types, and many types.

use fourfold::biniou::{Deserializer, ErrorKind, Options, from_slice, to_vec};
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;

use crate::support::visits::visits;

/// A record of the fields that it lists, in that order.
struct Listed(&'static str, Vec<(&'static str, Part)>);

enum Part {
    Number(u8),
    Record(Listed),
}

impl Serialize for Part {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Part::Number(number) => serializer.serialize_u8(*number),
            Part::Record(record) => record.serialize(serializer),
        }
    }
}

impl Serialize for Listed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut record = serializer.serialize_struct(self.0, self.1.len())?;
        for (name, part) in &self.1 {
            record.serialize_field(name, part)?;
        }
        record.end()
    }
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Node {
    child: Option<Box<Node>>,
    weight: Weight,
    a: u8,
    b: u8,
    c: Option<Weight>,
    d: u8,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Weight {
    unit: u8,
    sign: bool,
}

/// The names of `Node` are collected while a hundred nodes are open.
#[test]
fn a_tree_whose_first_child_is_deep_is_read_back() {
    let weight = |unit: u8| Weight { unit, sign: unit % 2 == 0 };
    let node = |child: Option<Box<Node>>, a: u8| {
        let c = (a % 3 == 0).then(|| weight(a));
        Box::new(Node { child, weight: weight(a), a, b: a / 2, c, d: 7 })
    };
    let tree = (1..60).fold(node(None, 0), |child, a| node(Some(child), a));
    let bytes = to_vec(&tree).unwrap();
    assert_eq!(from_slice::<Box<Node>>(&bytes).unwrap(), tree);
}

/// Two types may have the same name; the fields of each are in its own order.
#[test]
fn types_with_one_name_have_their_own_field_order() {
    let point = |names: [&'static str; 3]| {
        Listed("Point", names.into_iter().zip([1, 2, 3].map(Part::Number)).collect())
    };
    let values = [point(["x", "y", "z"]), point(["z", "x", "w"]), point(["w", "z", "y"])];
    // Each hash before a uvint.
    let field = |name: u8, number| [0x80, 0, 0, name, 16, number];
    let record = |names: &[u8; 3]| -> Vec<u8> {
        let fields = names.iter().zip(1..).flat_map(|(name, number)| field(*name, number));
        std::iter::once(3).chain(fields).collect()
    };
    let expected = [&[19, 3, 21][..], &record(b"xyz"), &record(b"zxw"), &record(b"wzy")].concat();
    assert_eq!(to_vec(&values[..]).unwrap(), expected);
}

/// At any position, in order and out of order.
#[test]
fn a_field_that_is_there_twice_is_refused() {
    let number = |name| (name, Part::Number(1));
    let other = |name| (name, Part::Record(Listed("Other", vec![number("x"), number("y")])));
    let known = || Listed("Twice", vec![number("a"), number("b"), number("c")]);
    for fields in [
        vec![number("a"), number("a")],
        vec![number("c"), number("a"), number("c")],
        vec![number("c"), number("b"), number("b")],
        vec![number("b"), other("o"), number("new"), number("b")],
        vec![number("b"), other("o"), number("new"), number("new")],
        vec![other("a"), number("new"), number("b"), number("a")],
    ] {
        let (last, _) = fields[fields.len() - 1];
        let at = Listed("Twice", fields);
        let error = to_vec(&(known(), at)).unwrap_err();
        match error.kind() {
            ErrorKind::Collision { first, second, .. } => {
                assert_eq!((&**first, &**second), (last, last))
            }
            _ => panic!("{error}"),
        }
        assert_eq!(error.path().to_string(), format!("[1].{last}"));
    }
}

/// Reads a record of one field, with a list of names made for each record.
struct Field;

impl<'de> DeserializeSeed<'de> for Field {
    type Value = u32;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<u32, D::Error> {
        deserializer.deserialize_struct("Field", Vec::leak(vec!["x"]), self)
    }
}

impl<'de> Visitor<'de> for Field {
    type Value = u32;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a record of x")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut fields: A) -> Result<u32, A::Error> {
        Ok(fields.next_element()?.unwrap_or_default())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<u32, A::Error> {
        match fields.next_key::<String>()?.as_deref() {
            Some("x") => fields.next_value(),
            _ => fields.next_value::<IgnoredAny>().map(|_| 0),
        }
    }
}

/// A list of as many types as it has items.
#[derive(Debug, PartialEq)]
struct Many(Vec<u32>);

visits! { Many, "a list", deserialize_seq():
    visit_seq |items| {
        let mut all = Vec::new();
        while let Some(item) = items.next_element_seed(Field)? {
            all.push(item);
        }
        Ok(Many(all))
    }
}

/// The work is linear in the number of types, and a chain of types does not overflow the stack.
#[test]
fn a_message_of_many_types_is_read() {
    #[derive(Serialize)]
    struct Field {
        x: u32,
    }

    let many = Many((0..50_000).collect());
    let bytes = to_vec(&many.0.iter().map(|x| Field { x: *x }).collect::<Vec<_>>()).unwrap();
    assert_eq!(from_slice::<Many>(&bytes).unwrap(), many);
    let mut exact = Deserializer::from_slice(&bytes);
    assert_eq!(Many::deserialize(&mut exact).unwrap(), many);
    let deep = Options::new().max_depth(1);
    assert!(deep.from_slice::<Many>(&bytes).is_err());
}

/// Each record has another name and the same field.
#[test]
fn a_message_of_many_types_is_written() {
    let name = |number: u32| -> &'static str { format!("Type{number}").leak() };
    let record = |number| Listed(name(number), vec![("x", Part::Number(5))]);
    let many: Vec<Listed> = (0..50_000).map(record).collect();
    let bytes = to_vec(&many).unwrap();
    assert_eq!(from_slice::<Many>(&bytes).unwrap(), Many(vec![5; many.len()]));
}
