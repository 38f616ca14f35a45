//! Random values of Molecule types, as JSON.

use fourfold_schema::mol::{Shape, Type};
use serde_json::{Value, json};

use crate::random::Dice;

/// Nesting depth from which on values are minimal.
const DEEPEST: usize = 8;

pub(crate) fn value(ty: Type<'_>, depth: usize, dice: &mut Dice) -> Value {
    let part = |ty: Type<'_>, dice: &mut Dice| value(ty, depth + 1, dice);
    let count = |dice: &mut Dice| if depth < DEEPEST { dice.below(4) } else { 0 };
    match ty.shape() {
        Shape::Byte => json!(dice.below(256)),
        Shape::Array(item, count) if item.shape() == Shape::Byte => match ty.number() {
            Some(number) => {
                // Of varying magnitude: the highest bytes are often zeros.
                let length = dice.below(count + 1);
                let bytes: Vec<u8> = (0..count)
                    .map(|at| if at < length { u8::try_from(dice.below(256)).unwrap() } else { 0 })
                    .collect();
                serde_json::to_value(number.of(&bytes).unwrap()).unwrap()
            }
            None => digits(count, dice),
        },
        Shape::Array(item, count) => (0..count).map(|_| part(item, dice)).collect(),
        Shape::FixVec(item) if item.shape() == Shape::Byte => digits(dice.below(9), dice),
        Shape::FixVec(item) | Shape::DynVec(item) => {
            (0..count(dice)).map(|_| part(item, dice)).collect()
        }
        Shape::Struct(fields) | Shape::Table(fields) => {
            let fields = fields.iter().map(|it| (it.name().into(), part(it.ty(), dice)));
            Value::Object(fields.collect())
        }
        Shape::Option(_) if depth >= DEEPEST || dice.one_in(3) => Value::Null,
        Shape::Option(item) => part(item, dice),
        Shape::Union(items) => {
            let item = items.get(dice.below(items.len())).unwrap();
            json!({"id": item.id(), "value": part(item.ty(), dice)})
        }
        other => panic!("{other:?}"),
    }
}

fn digits(count: usize, dice: &mut Dice) -> Value {
    (0..count).fold("0x".to_owned(), |text, _| format!("{text}{:02x}", dice.below(256))).into()
}
