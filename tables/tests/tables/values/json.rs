//! Converts cells of columns to the library's JSON form.

use fourfold::biniou::{self as atd_tree, from_slice};
use fourfold_schema::atd::{self, Int, Presence};
use fourfold_schema::mol;
use fourfold_tables::{Options, Schema, Sums};
use serde_json::{Map, Value, json};

/// The bytes of text of the form `0x00ff`.
pub(crate) fn unhex(text: &str) -> Vec<u8> {
    let digits = text.strip_prefix("0x").unwrap_or(text).as_bytes();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.chunks(2).map(byte).collect()
}

/// Replaces a cut value whose type has no name by which the library could show it.
const OPAQUE: &str = "\u{10ffff}";

/// Whether a value equals the library's as text, including the digits of floats.
pub(crate) fn is_same(shown: &Value, json: &Value) -> bool {
    match (shown, json) {
        (_, Value::String(text)) if text == OPAQUE => true,
        (Value::Array(shown), Value::Array(json)) => {
            shown.len() == json.len()
                && shown.iter().zip(json).all(|(shown, json)| is_same(shown, json))
        }
        (Value::Object(shown), Value::Object(json)) => {
            let is_in = |(key, json)| shown.get(key).is_some_and(|shown| is_same(shown, json));
            shown.len() == json.len() && json.iter().all(is_in)
        }
        // The sign of zero counts.
        (Value::Number(shown), Value::Number(json)) => format!("{shown}") == format!("{json}"),
        _ => shown == json,
    }
}

/// The options that change columns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choices {
    pub(crate) recursion: usize,
    pub(crate) sums: Sums,
    pub(crate) batch_rows: usize,
}

impl Choices {
    pub(crate) const USUAL: Choices =
        Choices { recursion: 2, sums: Sums::Struct, batch_rows: 8192 };

    pub(crate) fn options(self) -> Options {
        Options::new().recursion(self.recursion).sums(self.sums).batch_rows(self.batch_rows)
    }
}

/// The variant of a sum type: its name, and its value.
fn variant(cell: &Value, sums: Sums, is_value: impl Fn(&str) -> bool) -> (&str, &Value) {
    match cell {
        Value::String(name) => (name, &Value::Null),
        Value::Object(object) if sums == Sums::Union => {
            let (name, value) = object.iter().next().unwrap();
            (name, value)
        }
        Value::Object(object) => {
            let mut column = "variant".to_owned();
            while is_value(&column) {
                column.push('_');
            }
            let name = object[&column].as_str().unwrap();
            let others = object.iter().filter(|(key, _)| **key != column && *key != name);
            others.for_each(|(key, value)| assert_eq!(value, &Value::Null, "{key} and {name}"));
            (name, object.get(name).unwrap_or(&Value::Null))
        }
        other => panic!("{other}"),
    }
}

/// Whether a column of the type is nullable or a union: then an option of it is a struct.
fn is_wrapped(ty: atd::Type<'_>, sums: Sums) -> bool {
    match ty.shape() {
        atd::Shape::Wrap(inner) => is_wrapped(inner, sums),
        atd::Shape::Unit | atd::Shape::Option(_) | atd::Shape::Nullable(_) => true,
        atd::Shape::Sum(_) => sums == Sums::Union,
        _ => false,
    }
}

/// A cell of biniou.
pub(crate) fn biniou(schema: &atd::Schema, sums: Sums, ty: atd::Type<'_>, cell: &Value) -> Value {
    use atd::Shape;
    let part = |ty: atd::Type<'_>, cell: &Value| biniou(schema, sums, ty, cell);
    let optional = |inner: atd::Type<'_>, cell: &Value| match cell {
        Value::Null => None,
        Value::Object(object) if is_wrapped(inner, sums) => Some(part(inner, &object["value"])),
        cell => Some(part(inner, cell)),
    };
    match (ty.shape(), cell) {
        (Shape::Wrap(inner), _) => part(inner, cell),
        (Shape::Unit | Shape::Bool | Shape::Float(_) | Shape::String, cell) => cell.clone(),
        (Shape::Int(Int::Int64), Value::Number(number)) => json!(number.to_string()),
        (Shape::Int(_), number) => number.clone(),
        (Shape::Option(inner), cell) => match optional(inner, cell) {
            Some(value) => json!(["Some", value]),
            None => json!("None"),
        },
        (Shape::Nullable(inner), cell) => optional(inner, cell).unwrap_or_default(),
        (Shape::Record(fields), Value::Object(object)) => {
            let mut json = Map::new();
            assert_eq!(fields.len(), object.len());
            for field in fields.iter() {
                let cell = &object[field.name()];
                let value = match (field.presence(), field.ty().shape()) {
                    (Presence::Optional, Shape::Option(inner) | Shape::Nullable(inner)) => {
                        optional(inner, cell)
                    }
                    (Presence::Default(_), _) => optional(field.ty(), cell),
                    _ => Some(part(field.ty(), cell)),
                };
                json.extend(value.map(|value| (field.json_name().to_owned(), value)));
            }
            Value::Object(json)
        }
        (Shape::Tuple(cells), Value::Object(object)) => {
            let json = cells.iter().enumerate().map_while(|(index, it)| {
                let cell =
                    object.get(&index.to_string()).or_else(|| object.get(["key", "value"][index]));
                match it.default() {
                    Some(_) => optional(it.ty(), cell?),
                    None => Some(part(it.ty(), cell?)),
                }
            });
            json.collect()
        }
        (Shape::List(item) | Shape::Table(item), Value::Array(items)) => {
            items.iter().map(|cell| part(item, cell)).collect()
        }
        (Shape::Object(item), Value::Array(items)) => {
            let json: Vec<Value> = items.iter().map(|cell| part(item, cell)).collect();
            let entries = json.iter().map(|pair| match pair.as_array().map(|pair| &pair[..]) {
                Some([Value::String(key), value]) => Some((key.clone(), value.clone())),
                _ => None,
            });
            entries.collect::<Option<_>>().map_or_else(|| json.clone().into(), Value::Object)
        }
        (Shape::Sum(variants), cell) if !is_cut(ty, cell) => {
            let has =
                |name: &str| variants.iter().any(|it| it.name() == name && it.argument().is_some());
            let (name, cell) = variant(cell, sums, has);
            let variant = variants.iter().find(|it| it.name() == name).unwrap();
            let plain = |text: &str| {
                variants.iter().any(|it| it.argument().is_none() && it.json_name() == text)
            };
            match (variant.argument(), cell) {
                (None, _) => json!(variant.json_name()),
                (Some(_), Value::String(text)) if variants.is_open() && !plain(text) => json!(text),
                (Some(ty), cell) => json!([variant.json_name(), part(ty, cell)]),
            }
        }
        (_, Value::String(text)) if text.starts_with("0x") => {
            let bytes = unhex(text);
            match ty.name() {
                Some(name) => serde_json::to_value(schema.to_value(&bytes, name).unwrap()).unwrap(),
                None => {
                    from_slice::<atd_tree::Value>(&bytes).unwrap();
                    json!(OPAQUE)
                }
            }
        }
        (shape, cell) => panic!("{shape:?} is {cell}"),
    }
}

/// Whether a value of a sum type is bytes, not only a name.
fn is_cut(ty: atd::Type<'_>, cell: &Value) -> bool {
    let atd::Shape::Sum(variants) = ty.shape() else { return false };
    let names = variants.iter().all(|it| it.argument().is_none());
    cell.as_str().is_some_and(|text| text.starts_with("0x")) && !names
}

/// A cell of Molecule.
pub(crate) fn molecule(sums: Sums, ty: mol::Type<'_>, cell: &Value) -> Value {
    use mol::Shape;
    let part = |ty: mol::Type<'_>, cell: &Value| molecule(sums, ty, cell);
    match (ty.shape(), cell) {
        (Shape::Option(_), Value::Null) => Value::Null,
        (Shape::Option(inner), cell) => {
            // An option of an option has the same bytes as one option.
            let is_wrapped = match inner.shape() {
                Shape::Union(_) => sums == Sums::Union,
                Shape::Table(fields) => fields.is_empty(),
                _ => false,
            };
            part(inner, if is_wrapped { &cell["value"] } else { cell })
        }
        (Shape::Struct(fields) | Shape::Table(fields), Value::Object(object)) => {
            assert_eq!(fields.len(), object.len());
            let cells =
                fields.iter().map(|it| (it.name().into(), part(it.ty(), &object[it.name()])));
            Value::Object(cells.collect())
        }
        (Shape::Table(_), Value::Null) => json!({}),
        (Shape::Union(items), cell) => {
            let (name, cell) =
                variant(cell, sums, |name| items.iter().any(|it| it.ty().name() == name));
            let item = items.iter().find(|it| it.ty().name() == name).unwrap();
            json!({"type": name, "id": item.id(), "value": part(item.ty(), cell)})
        }
        (Shape::Array(..), cell) if ty.number().is_some() => {
            let number = ty.number().unwrap();
            let text = cell.as_str().map_or_else(|| cell.to_string(), str::to_owned);
            let bytes = match text.starts_with("0x") {
                true => unhex(&text),
                false => number.parse(&text).unwrap(),
            };
            serde_json::to_value(number.of(&bytes).unwrap()).unwrap()
        }
        (
            Shape::Array(item, _) | Shape::FixVec(item) | Shape::DynVec(item),
            Value::Array(items),
        ) => items.iter().map(|cell| part(item, cell)).collect(),
        (_, cell) => cell.clone(),
    }
}

/// A row of files of the type `name`.
pub(crate) fn row(schema: &Schema, sums: Sums, name: &str, cells: &Value) -> Value {
    match schema {
        Schema::Biniou(schema) => {
            let mut ty = schema.get(name).unwrap();
            while let atd::Shape::Wrap(inner) = ty.shape() {
                ty = inner;
            }
            let row = match ty.shape() {
                atd::Shape::List(item) | atd::Shape::Table(item) | atd::Shape::Object(item) => item,
                _ => ty,
            };
            biniou(schema, sums, row, cells)
        }
        Schema::Molecule(schema) => {
            let ty = schema.get(name).unwrap();
            let row = match ty.shape() {
                mol::Shape::DynVec(item)
                | mol::Shape::FixVec(item)
                | mol::Shape::Array(item, _) => item,
                _ => ty,
            };
            molecule(sums, row, cells)
        }
        other => panic!("{other:?}"),
    }
}
