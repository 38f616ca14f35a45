//! Values of random schemas: the reader with a schema accepts the same bytes as the official readers, and values survive as
//! JSON.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

#[path = "../../../derive-tests/common/damage.rs"]
mod damage;
mod official;
#[allow(dead_code, reason = "the tests of other formats need the rest")]
#[path = "../../../tests/support/random.rs"]
mod random;

use damage::damage;
use fourfold::molecule::Options;
use fourfold_schema::mol::{Schema, Shape, Type};
use official::{SCHEMAS, Verdict};
use random::Dice;
use serde_json::{Map, Value, json};

/// The nesting beyond which values are as small as possible.
const DEEPEST: usize = 8;

/// A value of a type, as JSON.
fn value(ty: Type<'_>, depth: usize, dice: &mut Dice) -> Value {
    let count = |dice: &mut Dice| if depth < DEEPEST { dice.below(4) } else { 0 };
    match ty.shape() {
        Shape::Byte => json!(dice.below(256)),
        Shape::Array(item, count) if item.shape() == Shape::Byte => match ty.number() {
            Some(number) => {
                // Numbers of many sizes: the highest bytes are often zeros.
                let length = dice.below(count + 1);
                let bytes: Vec<u8> = (0..count)
                    .map(|at| if at < length { u8::try_from(dice.below(256)).unwrap() } else { 0 })
                    .collect();
                serde_json::to_value(number.of(&bytes).unwrap()).unwrap()
            }
            None => digits(count, dice),
        },
        Shape::Array(item, count) => list(item, count, depth, dice),
        Shape::FixVec(item) if item.shape() == Shape::Byte => digits(dice.below(9), dice),
        Shape::FixVec(item) | Shape::DynVec(item) => {
            let count = count(dice);
            list(item, count, depth, dice)
        }
        Shape::Struct(fields) | Shape::Table(fields) => {
            let fields =
                fields.iter().map(|it| (it.name().into(), value(it.ty(), depth + 1, dice)));
            Value::Object(fields.collect())
        }
        Shape::Option(_) if depth >= DEEPEST || dice.one_in(3) => Value::Null,
        Shape::Option(item) => value(item, depth + 1, dice),
        Shape::Union(items) => {
            let item = items.get(dice.below(items.len())).unwrap();
            let inner = value(item.ty(), depth + 1, dice);
            json!({"type": item.ty().name(), "id": item.id(), "value": inner})
        }
        other => panic!("{other:?}"),
    }
}

fn list(item: Type<'_>, count: usize, depth: usize, dice: &mut Dice) -> Value {
    (0..count).map(|_| value(item, depth + 1, dice)).collect()
}

fn digits(count: usize, dice: &mut Dice) -> Value {
    (0..count).fold("0x".to_owned(), |text, _| format!("{text}{:02x}", dice.below(256))).into()
}

/// The same value in another form: fields out of order, and options left out if possible.
fn in_another_form(value: &Value, ty: Type<'_>, dice: &mut Dice) -> Value {
    match (ty.shape(), value) {
        (_, Value::Null) => Value::Null,
        (Shape::Option(item), _) => in_another_form(value, item, dice),
        (Shape::Struct(fields) | Shape::Table(fields), Value::Object(object)) => {
            let mut entries: Vec<(String, Value)> = Vec::new();
            for field in fields.iter() {
                let value = &object[field.name()];
                if matches!(field.ty().shape(), Shape::Option(_)) && value.is_null() {
                    continue;
                }
                let at = dice.below(entries.len() + 1);
                let value = in_another_form(value, field.ty(), dice);
                entries.insert(at, (field.name().to_owned(), value));
            }
            Value::Object(entries.into_iter().collect())
        }
        (Shape::Array(item, _) | Shape::FixVec(item) | Shape::DynVec(item), Value::Array(list)) => {
            list.iter().map(|value| in_another_form(value, item, dice)).collect()
        }
        (Shape::Union(items), Value::Object(object)) => {
            let id = u32::try_from(object["id"].as_u64().unwrap()).unwrap();
            let inner = in_another_form(&object["value"], items.with_id(id).unwrap().ty(), dice);
            // No other item of these unions has this type.
            let (key, which) = match dice.one_in(2) {
                true => ("id", object["id"].clone()),
                false => ("type", object["type"].clone()),
            };
            Value::Object(Map::from_iter([(key.into(), which), ("value".into(), inner)]))
        }
        _ => value.clone(),
    }
}

fn make(schema: &Schema, json: &str, name: &str) -> serde_json::Result<Vec<u8>> {
    schema.make(&mut serde_json::Deserializer::from_str(json), name)
}

/// Counts of values.
#[derive(Debug, Default)]
struct Tally {
    types: usize,
    values: usize,
    /// Values longer than a header.
    long: usize,
    damaged: usize,
    good: usize,
    good_if_compatible: usize,
    not_shown: usize,
}

fn check_value(schema: &Schema, ty: Type<'_>, dice: &mut Dice) -> Vec<u8> {
    let json = value(ty, 0, dice);
    let text = json.to_string();
    let bytes = make(schema, &text, ty.name()).unwrap_or_else(|error| panic!("{error}: {text}"));
    let shown = schema.to_value(&bytes, ty.name()).unwrap();
    assert_eq!(serde_json::to_string(&shown).unwrap(), text);
    let other_form = in_another_form(&json, ty, dice).to_string();
    assert_eq!(make(schema, &other_form, ty.name()).unwrap(), bytes, "{other_form}");
    bytes
}

/// Checks damaged bytes; returns whether they are valid and have JSON.
fn check_damaged(schema: &Schema, name: &str, bytes: &[u8], official: Verdict) -> bool {
    let mut is_shown = true;
    for (is_compatible, is_good) in [(false, official.strict), (true, official.compatible)] {
        let options = Options::new().compatible(is_compatible);
        let read = schema.to_value_with(bytes, name, &options);
        assert_eq!(read.is_ok(), is_good, "{name} {bytes:02x?}: {read:?}");
        let Ok(value) = read else { continue };
        match serde_json::to_string(&value) {
            Ok(json) => {
                let again =
                    make(schema, &json, name).unwrap_or_else(|error| panic!("{error}: {json}"));
                assert_eq!(again, bytes, "{name} {json}");
            }
            // Extra bytes of a table without fields may have no JSON.
            Err(error) => {
                assert!(is_compatible && error.to_string().starts_with("a table without fields"));
                is_shown = false;
            }
        }
    }
    is_shown
}

#[test]
fn readers_with_a_schema_accept_the_bytes_of_official_readers() {
    let mut tally = Tally::default();
    for (number, official) in SCHEMAS.iter().enumerate() {
        let schema = Schema::parse(official.schema).unwrap();
        assert_eq!(schema.types().len(), official.verdicts.len());
        for (name, verdict) in official.verdicts {
            tally.types += 1;
            let ty = schema.get(name).unwrap();
            let case = format!("{number} {name}");
            random::check(
                &case,
                8,
                |dice| check_value(&schema, ty, dice),
                |_, bytes| {
                    let good = Verdict { strict: true, compatible: true };
                    assert_eq!(verdict(&bytes), good, "{name} {bytes:02x?}");
                    tally.values += 1;
                    tally.long += usize::from(bytes.len() > 8);
                },
            );
            let damaged = |dice: &mut Dice| damage(check_value(&schema, ty, dice), dice);
            random::check(&case, 40, damaged, |_, bytes| {
                let official = verdict(&bytes);
                let is_shown = check_damaged(&schema, name, &bytes, official);
                tally.not_shown += usize::from(!is_shown);
                tally.damaged += 1;
                tally.good += usize::from(official.strict);
                tally.good_if_compatible += usize::from(official.compatible && !official.strict);
            });
        }
    }
    println!("{} schemas, {tally:?}", SCHEMAS.len());
    let Tally { types, values, long, damaged, good, good_if_compatible, not_shown } = tally;
    assert!(SCHEMAS.len() >= 300 && types > 1_000 && values > 8_000 && long > values / 2);
    assert!(good > damaged / 10 && good < damaged * 9 / 10 && good_if_compatible > 300);
    assert!((1..damaged / 100).contains(&not_shown));
}
