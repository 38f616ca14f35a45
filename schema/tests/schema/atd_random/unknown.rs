//! Finds unknown fields, columns and variants that OCaml code cannot skip.

use fourfold::biniou::{Dictionary, Value};
use fourfold_schema::atd::{Presence, Shape, Type};

/// Whether a value has something that readers of atdgen cannot skip: an unknown column of a table, or an unknown field
/// with a table or shared value.
pub(crate) fn stops_ocaml(value: &Value, ty: Type<'_>, names: &Dictionary) -> bool {
    let inside = |value: &Value, ty: Type<'_>| stops_ocaml(value, ty, names);
    match (ty.shape(), value) {
        (_, Value::Overlong(_, value)) => inside(value, ty),
        (Shape::Wrap(inner), _) => inside(value, inner),
        (Shape::Option(inner) | Shape::Nullable(inner), Value::NumVariant(_, Some(value))) => {
            inside(value, inner)
        }
        (Shape::List(item) | Shape::Object(item) | Shape::Table(item), Value::Array(list)) => {
            list.iter().any(|value| inside(value, item))
        }
        (Shape::Tuple(cells), Value::Tuple(list)) => {
            list.iter().enumerate().any(|(at, value)| match cells.get(at) {
                Some(cell) => inside(value, cell.ty()),
                None => has_table_or_shared(value),
            })
        }
        (Shape::Record(fields), Value::Record(list)) => list.iter().any(|(hash, value)| {
            let name = names.name(*hash);
            let Some(field) = fields.iter().find(|it| Some(it.name()) == name) else {
                return has_table_or_shared(value);
            };
            match (field.presence(), field.ty().shape()) {
                (Presence::Optional, Shape::Option(inner) | Shape::Nullable(inner)) => {
                    inside(value, inner)
                }
                _ => inside(value, field.ty()),
            }
        }),
        (Shape::Table(row), Value::Table(table)) => {
            let Shape::Record(fields) = row.shape() else { return false };
            let column = |hash: u32| fields.iter().find(|it| Some(it.name()) == names.name(hash));
            table.columns.iter().any(|(hash, _)| column(*hash).is_none())
                || table.rows.iter().any(|row| {
                    let mut cells = row.iter().zip(&table.columns);
                    cells.any(|(cell, (hash, _))| {
                        column(*hash).is_some_and(|field| inside(cell, field.ty()))
                    })
                })
        }
        (Shape::Sum(variants), Value::Variant(hash, Some(value))) => {
            let name = names.name(*hash);
            let variant = variants.iter().find(|it| Some(it.name()) == name);
            variant.and_then(|it| it.argument()).is_some_and(|ty| inside(value, ty))
        }
        _ => false,
    }
}

fn has_table_or_shared(value: &Value) -> bool {
    match value {
        Value::Table(table) => !table.columns.is_empty(),
        Value::Shared(..) | Value::Reference(_) => true,
        Value::Overlong(_, value)
        | Value::NumVariant(_, Some(value))
        | Value::Variant(_, Some(value)) => has_table_or_shared(value),
        Value::Array(list) | Value::Tuple(list) => list.iter().any(has_table_or_shared),
        Value::Record(fields) => fields.iter().any(|(_, value)| has_table_or_shared(value)),
        _ => false,
    }
}
