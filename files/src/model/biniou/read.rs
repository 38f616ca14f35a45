//! Values to JSON.

use std::collections::BTreeSet;

use fourfold::biniou::{Dictionary, Value};

use super::name::of_hash;
use super::{
    FLOAT32, FLOAT64, INT8, INT16, INT32, INT64, NUM_VARIANT, OVERLONG, RECORD, REFERENCE, SHARED,
    TABLE, TUPLE, UVINT, VARIANT,
};
use crate::model::float::{part32, part64};
use crate::model::{Part, text_or_hex};

pub(super) fn value(value: &Value, names: &Dictionary) -> Part<'static> {
    if let Some((form, number)) = number(value) {
        return Part::form(form, number);
    }
    match value {
        Value::Unit => Part::Null,
        Value::Bool(value) => Part::Bool(*value),
        Value::Svint(number) => Part::Integer(*number),
        Value::Float64(float) => match part64(*float) {
            text @ Part::Text(_) => Part::form(FLOAT64, text),
            number => number,
        },
        Value::String(bytes) => owned(text_or_hex(bytes)),
        Value::Array(items) => array(items, names),
        Value::Tuple(items) => Part::form(TUPLE, values(items, names)),
        Value::Record(fields) => {
            let fields = fields.iter().map(|(hash, value)| (*hash, value));
            record(&fields.collect::<Vec<_>>(), names)
        }
        Value::Table(table) => {
            let hashes = || table.columns.iter().map(|(hash, _)| *hash);
            let rows = table.rows.iter();
            let rows = rows.map(|row| record(&hashes().zip(row).collect::<Vec<_>>(), names));
            Part::form(TABLE, Part::List(rows.collect()))
        }
        Value::NumVariant(number, argument) => {
            variant(NUM_VARIANT, Part::integer(*number), argument.as_deref(), names)
        }
        Value::Variant(hash, argument) => {
            variant(VARIANT, Part::Text(of_hash(*hash, names)), argument.as_deref(), names)
        }
        Value::Shared(id, inner) => {
            Part::form(SHARED, Part::List(vec![Part::integer(*id), self::value(inner, names)]))
        }
        Value::Reference(id) => Part::form(REFERENCE, Part::integer(*id)),
        Value::Overlong(extra, inner) => {
            let extra = extra.iter().map(|extra| Part::integer(*extra)).collect();
            Part::form(OVERLONG, Part::List(vec![Part::List(extra), self::value(inner, names)]))
        }
        // Unreachable: `number` has taken these, and there are no others.
        _ => Part::Null,
    }
}

fn owned(part: Part<'_>) -> Part<'static> {
    match part {
        Part::Text(text) => Part::Text(text.into_owned().into()),
        Part::Map(fields) => Part::Map(
            fields.into_iter().map(|(key, part)| (key.into_owned().into(), owned(part))).collect(),
        ),
        _ => Part::Null,
    }
}

/// The numbers that have a form.
fn number(value: &Value) -> Option<(&'static str, Part<'static>)> {
    Some(match value {
        Value::Int8(number) => (INT8, Part::integer(*number)),
        Value::Int16(number) => (INT16, Part::integer(*number)),
        Value::Int32(number) => (INT32, Part::integer(*number)),
        Value::Int64(number) => (INT64, Part::integer(*number)),
        Value::Uvint(number) => (UVINT, Part::Unsigned(*number)),
        Value::Float32(float) => (FLOAT32, part32(*float)),
        _ => return None,
    })
}

/// Numbers of one form share it.
fn array(items: &[Value], names: &Dictionary) -> Part<'static> {
    let numbers: Option<Vec<_>> = items.iter().map(number).collect();
    match numbers.as_ref().and_then(|numbers| Some((numbers.first()?.0, numbers))) {
        Some((form, numbers)) if numbers.iter().all(|(other, _)| *other == form) => {
            let numbers = numbers.iter().map(|(_, number)| number.clone());
            Part::form(form, Part::List(numbers.collect()))
        }
        _ => values(items, names),
    }
}

fn values(items: &[Value], names: &Dictionary) -> Part<'static> {
    Part::List(items.iter().map(|item| value(item, names)).collect())
}

/// An object has a key once only, a record may have a field twice.
fn record(fields: &[(u32, &Value)], names: &Dictionary) -> Part<'static> {
    let mut seen = BTreeSet::new();
    let parts = fields.iter().map(|(hash, field)| (of_hash(*hash, names), value(field, names)));
    if fields.iter().all(|(hash, _)| seen.insert(*hash)) {
        return Part::Map(parts.collect());
    }
    let pairs = parts.map(|(name, part)| Part::List(vec![Part::Text(name), part]));
    Part::form(RECORD, Part::List(pairs.collect()))
}

fn variant(
    form: &'static str,
    which: Part<'static>,
    argument: Option<&Value>,
    names: &Dictionary,
) -> Part<'static> {
    match argument {
        None => Part::form(form, which),
        Some(argument) => Part::form(form, Part::List(vec![which, value(argument, names)])),
    }
}
