//! Converts values to the form of Rust types: written defaults are added, and omitted ones removed.

use fourfold_schema::atd::{Fields, Float, Int, Presence, Schema, Shape, Type};
use serde_json::{Value, json};

pub(crate) struct Defaults<'s> {
    /// Records that are rows of tables somewhere.
    rows: Vec<Fields<'s>>,
}

/// The nested types of a type.
fn parts(ty: Type<'_>) -> Vec<Type<'_>> {
    match ty.shape() {
        Shape::Record(fields) => fields.iter().map(|field| field.ty()).collect(),
        Shape::Sum(variants) => variants.iter().filter_map(|it| it.argument()).collect(),
        Shape::Tuple(cells) => cells.iter().map(|cell| cell.ty()).collect(),
        Shape::List(part)
        | Shape::Object(part)
        | Shape::Table(part)
        | Shape::Option(part)
        | Shape::Nullable(part)
        | Shape::Wrap(part) => vec![part],
        _ => Vec::new(),
    }
}

impl<'s> Defaults<'s> {
    pub(crate) fn new(schema: &'s Schema) -> Self {
        let mut rows = Vec::new();
        let mut seen: Vec<Type<'s>> = Vec::new();
        let mut open: Vec<Type<'s>> = schema.types().collect();
        while let Some(ty) = open.pop() {
            if seen.contains(&ty) {
                continue;
            }
            seen.push(ty);
            if let Shape::Table(row) = ty.shape() {
                let Shape::Record(fields) = row.shape() else { panic!("{row:?}") };
                rows.push(fields);
            }
            open.extend(parts(ty));
        }
        Defaults { rows }
    }

    pub(crate) fn apply(&self, ty: Type<'_>, json: &mut Value) {
        match (ty.shape(), json) {
            (Shape::Record(fields), json) => self.record(fields, json),
            (Shape::Sum(variants), Value::Array(pair)) => {
                let called = |name: &str| pair[0].as_str() == Some(name);
                let variant = variants.iter().find(|it| called(it.json_name())).unwrap();
                self.apply(variant.argument().unwrap(), &mut pair[1]);
            }
            (Shape::Tuple(cells), Value::Array(list)) => {
                cells.iter().zip(list).for_each(|(cell, json)| self.apply(cell.ty(), json));
            }
            (Shape::List(item) | Shape::Table(item), Value::Array(list)) => {
                list.iter_mut().for_each(|json| self.apply(item, json));
            }
            (Shape::Object(pair), Value::Object(object)) => {
                let Shape::Tuple(cells) = pair.shape() else { panic!("{pair:?}") };
                let ty = cells.get(1).unwrap().ty();
                object.values_mut().for_each(|json| self.apply(ty, json));
            }
            (Shape::Option(inner), Value::Array(pair)) => self.apply(inner, &mut pair[1]),
            (Shape::Nullable(_), Value::Null) => {}
            (Shape::Nullable(inner) | Shape::Wrap(inner), json) => self.apply(inner, json),
            _ => {}
        }
    }

    fn record(&self, fields: Fields<'_>, json: &mut Value) {
        let is_row = self.rows.contains(&fields);
        let Value::Object(object) = json else { panic!("{json}") };
        for field in fields.iter() {
            let name = field.json_name();
            if let Presence::Default(default) = field.presence() {
                let (zero, is_left_out) = zero(field.ty());
                let zero = if default.is_some() { json!(7) } else { zero };
                match object.get(name) {
                    Some(value) if *value == zero && is_left_out && !is_row => {
                        object.remove(name);
                    }
                    None if !is_left_out || is_row => {
                        object.insert(name.to_owned(), zero);
                    }
                    _ => {}
                }
            }
            let Some(value) = object.get_mut(name) else { continue };
            match (field.presence(), field.ty().shape()) {
                (Presence::Optional, Shape::Option(inner) | Shape::Nullable(inner)) => {
                    self.apply(inner, value);
                }
                _ => self.apply(field.ty(), value),
            }
        }
    }
}

/// The empty, zero or false value of a type, and whether it is left out.
fn zero(ty: Type<'_>) -> (Value, bool) {
    match ty.shape() {
        Shape::Unit => (Value::Null, true),
        Shape::Bool => (json!(false), true),
        Shape::Int(Int::Int64) => (json!("0"), false),
        Shape::Int(Int::Int32) => (json!(0), false),
        Shape::Int(_) => (json!(0), true),
        Shape::Float(Float::Float32 | Float::Float64) => (json!(0.0), false),
        Shape::String => (json!(""), false),
        Shape::List(_) => (json!([]), true),
        Shape::Object(_) => (json!({}), true),
        Shape::Table(_) => (json!([]), false),
        Shape::Option(_) => (json!("None"), true),
        Shape::Nullable(_) => (Value::Null, true),
        other => panic!("{other:?}"),
    }
}
