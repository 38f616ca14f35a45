//! JSON to values.

use fourfold::biniou::{Table, Tag, Value};

use super::name::hash;
use super::{
    FLOAT32, FLOAT64, INT8, INT16, INT32, NUM_VARIANT, NUMBERS, OVERLONG, RECORD, REFERENCE,
    SHARED, TABLE, TUPLE, UVINT, VARIANT,
};
use crate::model::float::{read32, read64};
use crate::model::part::is_form;
use crate::model::{Fields, HEX, Node, Shape, Wrong, hex_of, u8, u32};

/// The largest integer of a form.
fn most(form: &str) -> i128 {
    match form {
        INT8 => u8::MAX.into(),
        INT16 => u16::MAX.into(),
        INT32 => i32::MAX.into(),
        _ => i64::MAX.into(),
    }
}

pub(super) fn value(node: &Node<'_>) -> Result<Value, Wrong> {
    match node.shape() {
        Shape::Null => Ok(Value::Unit),
        Shape::Bool(value) => Ok(Value::Bool(value)),
        Shape::Number if node.source().contains(['.', 'e', 'E']) => {
            read64(node).map(Value::Float64)
        }
        Shape::Number => node.integer(i128::MIN, i128::MAX).map(Value::Svint),
        Shape::Text => Ok(Value::String(node.to_text()?.into_owned().into_bytes())),
        Shape::List => array(node),
        Shape::Object => {
            let fields = node.fields()?;
            let only = fields.iter().next().filter(|_| fields.len() == 1);
            match only {
                Some((name, inner)) if is_form(name) => form(name, &inner),
                _ => record(&fields),
            }
        }
    }
}

fn values(node: &Node<'_>) -> Result<Vec<Value>, Wrong> {
    node.items(value)
}

fn array(node: &Node<'_>) -> Result<Value, Wrong> {
    let mut tag: Option<Tag> = None;
    let items = node.items(|item| {
        let value = value(item)?;
        let first = *tag.get_or_insert(value.tag());
        same_tag(first, &value, item)?;
        Ok(value)
    });
    items.map(Value::Array)
}

fn record(fields: &Fields<'_>) -> Result<Value, Wrong> {
    let field = |(name, node): (&str, Node<'_>)| Ok((hash(name, &node)?, value(&node)?));
    fields.iter().map(field).collect::<Result<_, _>>().map(Value::Record)
}

fn form(form: &str, node: &Node<'_>) -> Result<Value, Wrong> {
    if NUMBERS.contains(&form) {
        if node.shape() != Shape::List {
            return number(form, node);
        }
        let items = node.items(|item| number(form, item))?;
        return match items.is_empty() {
            true => Err(node.wrong("an empty array has no item type").with_hint("write []")),
            false => Ok(Value::Array(items)),
        };
    }
    match form {
        FLOAT64 => read64(node).map(Value::Float64),
        HEX => hex_of(node).map(Value::String),
        TUPLE => values(node).map(Value::Tuple),
        RECORD => {
            let field = |node: &Node<'_>| {
                let name = |name: &Node<'_>| hash(&name.to_text()?, name);
                node.pair("a list of name and value", name, value)
            };
            node.items(field).map(Value::Record)
        }
        TABLE => table(node),
        VARIANT => {
            let (which, argument) = variant(node, |name| hash(&name.to_text()?, name))?;
            Ok(Value::Variant(which, argument))
        }
        NUM_VARIANT => {
            let number = |node: &Node<'_>| node.narrow(node.unsigned(127)?);
            let (which, argument) = variant(node, number)?;
            Ok(Value::NumVariant(which, argument))
        }
        SHARED => {
            let (id, value) = node.pair("a list of number and value", u32, value)?;
            Ok(Value::Shared(id, Box::new(value)))
        }
        REFERENCE => u32(node).map(Value::Reference),
        OVERLONG => {
            let extra = |node: &Node<'_>| {
                let (first, second) = node.pair("a list of two counts", u8, u8)?;
                Ok([first, second])
            };
            let (extra, value) = node.pair("a list of counts and value", extra, value)?;
            Ok(Value::Overlong(extra, Box::new(value)))
        }
        // Unknown keys are reported as invalid names.
        _ => hash(form, node).map(Value::Reference),
    }
}

fn variant<T>(
    node: &Node<'_>,
    which: impl FnOnce(&Node<'_>) -> Result<T, Wrong>,
) -> Result<(T, Option<Box<Value>>), Wrong> {
    if node.shape() != Shape::List {
        return which(node).map(|which| (which, None));
    }
    let (which, argument) =
        node.pair("a variant, or a list of it and its argument", which, value)?;
    Ok((which, Some(Box::new(argument))))
}

/// Rows are records with the same names and tags.
fn table(node: &Node<'_>) -> Result<Value, Wrong> {
    let mut table = Table::default();
    node.each(&mut |row| {
        let Value::Record(cells) = value(row)? else {
            return Err(row.expected("a record"));
        };
        if table.rows.is_empty() {
            table.columns = cells.iter().map(|(hash, cell)| (*hash, cell.tag())).collect();
        }
        if !cells.iter().map(|(hash, _)| hash).eq(table.columns.iter().map(|(hash, _)| hash)) {
            return Err(row.wrong("the rows of a table have the same names in one order"));
        }
        for ((_, cell), (_, tag)) in cells.iter().zip(&table.columns) {
            same_tag(*tag, cell, row)?;
        }
        table.rows.push(cells.into_iter().map(|(_, cell)| cell).collect());
        Ok(())
    })?;
    Ok(Value::Table(Box::new(table)))
}

fn same_tag(tag: Tag, value: &Value, node: &Node<'_>) -> Result<(), Wrong> {
    match value.tag() {
        found if found == tag => Ok(()),
        found => {
            let (found, tag) = (found.name(), tag.name());
            Err(node.wrong(format!("a value of type {found} among values of type {tag}")))
        }
    }
}

fn number(form: &str, node: &Node<'_>) -> Result<Value, Wrong> {
    if form == FLOAT32 {
        return read32(node).map(Value::Float32);
    }
    if form == UVINT {
        return node.unsigned(u128::MAX).map(Value::Uvint);
    }
    let most = most(form);
    let least = match form {
        INT8 | INT16 => 0,
        _ => -1 - most,
    };
    let number = node.integer(least, most)?;
    Ok(match form {
        INT8 => Value::Int8(node.narrow(number)?),
        INT16 => Value::Int16(node.narrow(number)?),
        INT32 => Value::Int32(node.narrow(number)?),
        _ => Value::Int64(node.narrow(number)?),
    })
}
