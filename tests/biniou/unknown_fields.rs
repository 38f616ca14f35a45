//! Unknown fields in lists of records, in any order and number.

use std::fmt::{self, Debug};

use fourfold::biniou::{Deserializer, List, Value, from_slice, hash, to_vec};
use serde::Deserialize;
use serde::de::{self, DeserializeOwned, IgnoredAny, MapAccess, Visitor};

use crate::support::outcome::assert_same;
use crate::support::random::{self, Dice};
use crate::support::visits::visits;

#[derive(Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(default)]
struct Few {
    id: u32,
    name: String,
}

/// Has the same names as the other type, possibly as the same list.
#[derive(Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(default, deny_unknown_fields)]
struct Denies {
    id: u32,
    name: String,
}

/// Has nested records.
#[derive(Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(default)]
struct Outer {
    few: Vec<Few>,
    id: u32,
}

/// Ignores two fields, and stores those after them.
#[derive(Debug, Default, PartialEq)]
struct After(Vec<(String, u32)>);

visits! { After, "fields", deserialize_struct("After", &["id"]):
    visit_map |map| {
        let (mut ignored, mut after) = (0, Vec::new());
        while let Some(key) = map.next_key::<String>()? {
            if ignored < 2 {
                map.next_value::<IgnoredAny>()?;
                ignored += 1;
            } else {
                after.push((key, map.next_value()?));
            }
        }
        Ok(After(after))
    }
}

/// A list of records. Most of them have the same fields.
fn records(dice: &mut Dice) -> Vec<u8> {
    const OTHERS: [&str; 6] = ["a", "size", "few", "weight", "zz", "name of nothing"];
    let usual: Vec<&str> = OTHERS.into_iter().filter(|_| dice.one_in(2)).collect();
    let record = |dice: &mut Dice| {
        let mut fields = Vec::new();
        for name in usual.iter().chain(&["id", "name"]) {
            if dice.one_in(8) {
                continue;
            }
            fields.push((hash(name), value(name, dice)));
        }
        for _ in 0..dice.below(8) / 6 {
            let name = dice.one_of(&OTHERS);
            let at = dice.below(fields.len() + 1);
            fields.insert(at, (hash(name), value(name, dice)));
        }
        if !fields.is_empty() && dice.one_in(8) {
            let (one, other) = (dice.below(fields.len()), dice.below(fields.len()));
            fields.swap(one, other);
        }
        Value::Record(fields)
    };
    let count = dice.below(12);
    to_vec(&Value::Array((0..count).map(|_| record(dice)).collect())).unwrap()
}

fn value(name: &str, dice: &mut Dice) -> Value {
    match name {
        "id" => Value::Uvint(dice.below(300) as u128),
        "name" => Value::String(b"text".to_vec()),
        "few" => Value::Array(vec![Value::Record(vec![
            (hash("id"), Value::Uvint(7)),
            (hash("zz"), Value::Unit),
        ])]),
        "size" => Value::Tuple(vec![Value::Int8(1), Value::Float64(0.5)]),
        "weight" => Value::NumVariant(0, Some(Box::new(Value::Bool(true)))),
        _ => Value::Uvint(dice.below(300) as u128),
    }
}

/// Asserts that all ways of reading return the same, including the exact reader.
fn assert_alike<T: DeserializeOwned + PartialEq + Debug>(bytes: &[u8]) {
    let about = format!("{} of {bytes:02x?}", std::any::type_name::<T>());
    let exact = || {
        let mut deserializer = Deserializer::from_slice(bytes);
        let value = Vec::<T>::deserialize(&mut deserializer)?;
        deserializer.end().map(|()| value)
    };
    assert_same(&about, &from_slice::<Vec<T>>(bytes), &exact());
    if let Ok(list) = from_slice::<List<'_, T>>(bytes) {
        let items: Result<Vec<T>, _> = list.iter().collect();
        assert_same(&about, &items, &exact());
    }
}

#[test]
fn records_in_any_order() {
    random::check("records_in_any_order", 2000, records, |case, mut bytes| {
        let mut dice = Dice::of("damage").sized(case % 100 + 1);
        for damage in 0..3 {
            if damage > 0 && !bytes.is_empty() {
                let at = dice.below(bytes.len());
                bytes[at] ^= 1 << dice.below(8);
            }
            assert_alike::<Few>(&bytes);
            assert_alike::<Denies>(&bytes);
            assert_alike::<Outer>(&bytes);
            assert_alike::<After>(&bytes);
        }
    });
}

/// Two types with the same list of names. One refuses the fields that the other ignores.
#[test]
fn types_of_the_same_names() {
    #[derive(Deserialize, Debug)]
    struct Both {
        ignored: Vec<Few>,
        denied: Vec<Denies>,
    }

    let record = |names: &[&str]| {
        let fields = names.iter().map(|name| (hash(name), Value::Uvint(7))).collect();
        Value::Array(vec![Value::Record(fields)])
    };
    let both = |denied: &[&str]| {
        let fields =
            vec![(hash("ignored"), record(&["id", "zz"])), (hash("denied"), record(denied))];
        to_vec(&Value::Record(fields)).unwrap()
    };
    let read: Both = from_slice(&both(&["id"])).unwrap();
    assert_eq!(read.ignored, [Few { id: 7, name: String::new() }]);
    assert_eq!(read.denied, [Denies { id: 7, name: String::new() }]);
    let error = from_slice::<Both>(&both(&["id", "zz"])).unwrap_err();
    assert!(error.to_string().contains("unknown field"), "{error}");
}

/// Only the second record has the field.
#[test]
fn fields_that_the_first_record_does_not_have() {
    let record = |names: &[&str]| {
        Value::Record(names.iter().map(|name| (hash(name), Value::Uvint(7))).collect())
    };
    let bytes = to_vec(&Value::Array(vec![record(&["id"]), record(&["id", "zz"])])).unwrap();
    assert_eq!(from_slice::<Vec<Few>>(&bytes).unwrap().len(), 2);
    let error = from_slice::<Vec<Denies>>(&bytes).unwrap_err();
    assert!(error.to_string().contains("in [1]"), "{error}");
}

/// A visitor may count ignored fields, so it gets those of each record.
#[test]
fn ignored_fields_can_be_counted() {
    #[derive(Debug, PartialEq)]
    struct Counted(usize);

    impl<'de> Deserialize<'de> for Counted {
        fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            #[derive(Deserialize)]
            #[serde(field_identifier)]
            enum Key {
                #[serde(rename = "id")]
                Id,
                #[serde(other)]
                Other,
            }

            struct Fields;

            impl<'de> Visitor<'de> for Fields {
                type Value = Counted;

                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str("fields")
                }

                fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Counted, A::Error> {
                    let mut others = 0;
                    while let Some(key) = map.next_key::<Key>()? {
                        map.next_value::<IgnoredAny>()?;
                        others += usize::from(matches!(key, Key::Other));
                    }
                    Ok(Counted(others))
                }
            }

            deserializer.deserialize_struct("Counted", &["id"], Fields)
        }
    }

    let record = || {
        Value::Record(["id", "a", "zz"].map(|name| (hash(name), Value::Unit)).into_iter().collect())
    };
    let bytes = to_vec(&Value::Array(vec![record(), record(), record()])).unwrap();
    assert_eq!(from_slice::<Vec<Counted>>(&bytes).unwrap(), [Counted(2), Counted(2), Counted(2)]);
    assert_alike::<Counted>(&bytes);
}

/// A hundred unknown fields and one that the type has.
#[test]
fn a_hundred_unknown_fields() {
    let names: Vec<String> = (0..100).map(|number| format!("field{number}")).collect();
    let record = || {
        let mut fields: Vec<(u32, Value)> =
            names.iter().map(|name| (hash(name), Value::Unit)).collect();
        fields.insert(50, (hash("id"), Value::Uvint(7)));
        Value::Record(fields)
    };
    let bytes = to_vec(&Value::Array((0..10).map(|_| record()).collect())).unwrap();
    assert_eq!(
        from_slice::<Vec<Few>>(&bytes).unwrap(),
        vec![Few { id: 7, name: String::new() }; 10]
    );
    assert_alike::<Few>(&bytes);
    assert_alike::<After>(&bytes);
}
