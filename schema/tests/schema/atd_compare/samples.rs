//! Values of each type of a schema: with and without optional fields, of all variants, with empty and non-empty lists.

use fourfold_schema::atd::{Fields, Float, Int, Presence, Schema, Shape, Type};
use serde_json::{Value, json};

/// Beyond this depth lists and options are empty.
const DEEPEST: usize = 6;

/// The bytes of values of a type.
pub(crate) fn values_of(schema: &Schema, name: &str) -> Vec<Vec<u8>> {
    let samples = samples(schema.get(name).unwrap(), 0, false);
    let make = |json: Value| schema.make(&json, name).unwrap_or_else(|e| panic!("{e}: {json}"));
    samples.into_iter().map(make).collect()
}

fn samples(ty: Type<'_>, depth: usize, is_row: bool) -> Vec<Value> {
    let inner = |ty| samples(ty, depth + 1, false);
    let is_deep = depth > DEEPEST;
    match ty.shape() {
        Shape::Unit => vec![Value::Null],
        Shape::Bool => vec![json!(true)],
        Shape::Int(Int::Int64) => vec![json!("5"), json!("-1")],
        Shape::Int(Int::Svint | Int::Uvint) => vec![json!(0), json!(1_u64 << 40)],
        Shape::Int(_) => vec![json!(0), json!(200)],
        Shape::Float(Float::Float32 | Float::Float64) => vec![json!(1.5)],
        Shape::String => vec![json!(""), json!("text")],
        Shape::List(_) | Shape::Object(_) | Shape::Table(_) if is_deep => vec![json!([])],
        Shape::List(item) | Shape::Object(item) => lists(inner(item)),
        Shape::Table(item) => lists(samples(item, depth + 1, true)),
        Shape::Option(_) if is_deep => vec![json!("None")],
        Shape::Option(item) => {
            let some = inner(item).into_iter().map(|value| json!(["Some", value]));
            some.chain([json!("None")]).collect()
        }
        Shape::Nullable(_) if is_deep => vec![Value::Null],
        Shape::Nullable(item) => inner(item).into_iter().chain([Value::Null]).collect(),
        Shape::Wrap(item) => samples(item, depth, is_row),
        Shape::Tuple(cells) => {
            let all: Vec<_> = cells.iter().map(|cell| inner(cell.ty())).collect();
            let rows = rows(&all);
            rows.into_iter().map(Value::from).collect()
        }
        Shape::Record(fields) => records(fields, depth, is_row),
        Shape::Sum(variants) => variants
            .iter()
            .flat_map(|variant| match variant.argument() {
                None => vec![json!(variant.name())],
                Some(ty) => {
                    let values = inner(ty).into_iter();
                    values.map(|value| json!([variant.name(), value])).collect()
                }
            })
            .collect(),
        shape => panic!("no samples of {shape:?}"),
    }
}

fn lists(items: Vec<Value>) -> Vec<Value> {
    let two = items.iter().take(1).map(|one| json!([one, one]));
    let all = Value::from(items.clone());
    two.chain([all, json!([])]).collect()
}

/// Each value of each part at least once.
fn rows<T: Clone>(parts: &[Vec<T>]) -> Vec<Vec<T>> {
    let most = parts.iter().map(Vec::len).max().unwrap_or(1);
    let nth = |at: usize| parts.iter().map(|values| values[at % values.len()].clone()).collect();
    (0..most).map(nth).collect()
}

fn records(fields: Fields<'_>, depth: usize, is_row: bool) -> Vec<Value> {
    let values = |at: usize| {
        let field = fields.get(at).unwrap();
        let some = |ty| -> Vec<Option<Value>> {
            samples(ty, depth + 1, false).into_iter().map(Some).collect()
        };
        match (field.presence(), field.ty().shape()) {
            (Presence::Optional, Shape::Option(_) | Shape::Nullable(_)) if depth > DEEPEST => {
                vec![None]
            }
            (Presence::Optional, Shape::Option(inner) | Shape::Nullable(inner)) => {
                some(inner).into_iter().chain([None]).collect()
            }
            (Presence::Default(_), _) if !is_row => {
                some(field.ty()).into_iter().chain([None]).collect()
            }
            _ => some(field.ty()),
        }
    };
    let all: Vec<Vec<Option<Value>>> = (0..fields.len()).map(values).collect();
    let object = |row: Vec<Option<Value>>| {
        let named = fields.iter().zip(row);
        let there = named.filter_map(|(field, value)| Some((field.json_name().to_owned(), value?)));
        Value::Object(there.collect())
    };
    rows(&all).into_iter().map(object).collect()
}
