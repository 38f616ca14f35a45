//! Generates random values of a schema's types, as JSON.

use fourfold_schema::atd::{Fields, Float, Int, Presence, Shape, Type};
use serde_json::{Map, Value, json};

use crate::random::{self, Dice};

/// Nesting beyond which values are as small as possible.
const DEEPEST: usize = 8;

pub(crate) fn value(ty: Type<'_>, depth: usize, dice: &mut Dice) -> Value {
    let is_deep = depth >= DEEPEST;
    let part = |ty: Type<'_>, dice: &mut Dice| value(ty, depth + 1, dice);
    let count = |dice: &mut Dice| if is_deep { 0 } else { dice.below(4) };
    match ty.shape() {
        Shape::Unit => Value::Null,
        Shape::Bool => json!(dice.one_in(2)),
        Shape::Int(int) => integer(int, dice),
        Shape::Float(float) => loop {
            let number: f64 = random::value(dice);
            #[allow(clippy::cast_possible_truncation, reason = "any float of the type will do")]
            let number = if float == Float::Float32 { f64::from(number as f32) } else { number };
            if number.is_finite() {
                break json!(number);
            }
        },
        Shape::String => json!(random::value::<String>(dice)),
        Shape::Record(fields) => record(fields, false, depth, dice),
        Shape::Sum(variants) => {
            let plain: Vec<_> = variants.iter().filter(|it| it.argument().is_none()).collect();
            let variant = match is_deep && !plain.is_empty() {
                true => plain[dice.below(plain.len())],
                false => variants.get(dice.below(variants.len())).unwrap(),
            };
            match variant.argument() {
                None => json!(variant.json_name()),
                // An open enum reads any other name as that text.
                Some(_) if variant.name() == "Other" => json!(random::value::<String>(dice)),
                Some(ty) => json!([variant.json_name(), part(ty, dice)]),
            }
        }
        Shape::Tuple(cells) => cells.iter().map(|cell| part(cell.ty(), dice)).collect(),
        Shape::List(item) => (0..count(dice)).map(|_| part(item, dice)).collect(),
        Shape::Table(row) => {
            let Shape::Record(fields) = row.shape() else { panic!("{row:?}") };
            (0..count(dice)).map(|_| record(fields, true, depth + 1, dice)).collect()
        }
        Shape::Object(item) => {
            let Shape::Tuple(cells) = item.shape() else { panic!("{item:?}") };
            let value = cells.get(1).unwrap().ty();
            let entries = (0..count(dice)).map(|_| (random::value(dice), part(value, dice)));
            Value::Object(entries.collect())
        }
        Shape::Option(_) if is_deep || dice.one_in(3) => json!("None"),
        Shape::Option(inner) => json!(["Some", part(inner, dice)]),
        Shape::Nullable(_) if is_deep || dice.one_in(3) => Value::Null,
        // A nested `null` makes the whole value `null`.
        Shape::Nullable(inner) | Shape::Wrap(inner) => part(inner, dice),
        other => panic!("{other:?}"),
    }
}

fn record(fields: Fields<'_>, is_row: bool, depth: usize, dice: &mut Dice) -> Value {
    let mut object = Map::new();
    for field in fields.iter() {
        let ty = match (field.presence(), field.ty().shape()) {
            (Presence::Optional, Shape::Option(inner) | Shape::Nullable(inner)) => inner,
            _ => field.ty(),
        };
        let may_lack = match field.presence() {
            Presence::Required => false,
            // A row has all columns, and this default exists only in OCaml.
            Presence::Default(Some(_)) => !is_row,
            _ => true,
        };
        if may_lack && (depth >= DEEPEST || dice.one_in(3)) {
            continue;
        }
        let value = value(ty, depth + 1, dice);
        // A `?field` that is `null` is left out.
        if !(value.is_null() && field.presence() == &Presence::Optional) {
            object.insert(field.json_name().to_owned(), value);
        }
    }
    Value::Object(object)
}

fn integer(int: Int, dice: &mut Dice) -> Value {
    let number: i64 = random::value(dice);
    match int {
        Int::Svint | Int::Uvint => json!(number >> dice.one_of(&[1, 1, 33, 50])),
        Int::Int8 | Int::Char => json!(number & 0xff),
        Int::Int16 => json!(number & 0xffff),
        Int::Int32 => json!(random::value::<i32>(dice)),
        Int::Int64 => json!(number.to_string()),
        other => panic!("{other:?}"),
    }
}
