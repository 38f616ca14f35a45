//! The common shape of many biniou values.

mod json;
mod text;

use std::collections::BTreeMap;

use fourfold::biniou::{Dictionary, Tag, Value};

pub(super) use self::json::Named;
pub(super) use self::text::Drawn;
use crate::model::spelled;
use crate::write::plain::plain_bytes;

/// Longer tuples are shown as lists.
const MOST_ITEMS: usize = 16;

/// The kinds of values at one place in many values, with their counts.
#[derive(Debug, Default)]
pub(super) struct Shape {
    kinds: Vec<Kind>,
}

/// Values of one tag.
#[derive(Debug)]
struct Kind {
    tag: Tag,
    count: u64,
    parts: Parts,
}

#[derive(Debug)]
enum Parts {
    None,
    /// Items of one shape, and the least and greatest number of them.
    Items {
        least: usize,
        most: usize,
        item: Box<Shape>,
    },
    /// Tuples by their count of items.
    Tuples(BTreeMap<usize, Vec<Shape>>),
    /// Fields by hash, and the number of records.
    Fields {
        records: u64,
        fields: Fields,
    },
    /// Variants by hash or number, with the shape of their arguments.
    Variants(Fields),
}

/// Fields in the order of their first occurrence.
#[derive(Debug, Default)]
struct Fields {
    list: Vec<Field>,
    places: BTreeMap<u32, usize>,
}

#[derive(Debug)]
struct Field {
    hash: u32,
    count: u64,
    shape: Shape,
}

impl Shape {
    /// Adds a value.
    pub(super) fn add(&mut self, value: &Value) {
        let mut value = value;
        while let Value::Shared(_, inner) | Value::Overlong(_, inner) = value {
            value = inner;
        }
        let tag = value.tag();
        let many = value.items().is_some_and(|items| items.len() > MOST_ITEMS);
        let same = |kind: &Kind| {
            let is_list = matches!(kind.parts, Parts::Items { .. });
            kind.tag == tag && (tag != Tag::Tuple || many == is_list)
        };
        let place = self.kinds.iter().position(same).unwrap_or_else(|| {
            self.kinds.push(Kind { tag, count: 0, parts: Parts::of(tag, many) });
            self.kinds.len() - 1
        });
        if let Some(kind) = self.kinds.get_mut(place) {
            kind.count += 1;
            kind.parts.add(value);
        }
    }

    fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }
}

impl Parts {
    /// Empty parts for a tag.
    fn of(tag: Tag, many: bool) -> Self {
        match tag {
            Tag::Tuple if !many => Parts::Tuples(BTreeMap::new()),
            Tag::Array | Tag::Tuple => {
                Parts::Items { least: usize::MAX, most: 0, item: Box::default() }
            }
            Tag::Record | Tag::Table => Parts::Fields { records: 0, fields: Fields::default() },
            Tag::Variant | Tag::NumVariant => Parts::Variants(Fields::default()),
            _ => Parts::None,
        }
    }

    fn add(&mut self, value: &Value) {
        match (self, value) {
            (Parts::Items { least, most, item }, Value::Array(items) | Value::Tuple(items)) => {
                (*least, *most) = (items.len().min(*least), items.len().max(*most));
                items.iter().for_each(|value| item.add(value));
            }
            (Parts::Tuples(tuples), Value::Tuple(items)) => {
                let shapes = tuples.entry(items.len()).or_default();
                shapes.resize_with(items.len(), Shape::default);
                shapes.iter_mut().zip(items).for_each(|(shape, value)| shape.add(value));
            }
            (Parts::Fields { records, fields }, Value::Record(values)) => {
                *records += 1;
                fields.add(values.iter().map(|(hash, value)| (*hash, value)));
            }
            (Parts::Fields { records, fields }, Value::Table(table)) => {
                for row in &table.rows {
                    *records += 1;
                    fields.add(table.columns.iter().map(|(hash, _)| *hash).zip(row));
                }
            }
            (Parts::Variants(fields), Value::Variant(hash, argument)) => {
                fields.meet(*hash, argument.as_deref());
            }
            (Parts::Variants(fields), Value::NumVariant(number, argument)) => {
                fields.meet((*number).into(), argument.as_deref());
            }
            _ => {}
        }
    }
}

impl Fields {
    fn add<'a>(&mut self, values: impl Iterator<Item = (u32, &'a Value)>) {
        values.for_each(|(hash, value)| self.meet(hash, Some(value)));
    }

    fn meet(&mut self, hash: u32, value: Option<&Value>) {
        let next = self.list.len();
        let place = *self.places.entry(hash).or_insert(next);
        if place == next {
            self.list.push(Field { hash, count: 0, shape: Shape::default() });
        }
        if let Some(field) = self.list.get_mut(place) {
            field.count += 1;
            value.into_iter().for_each(|value| field.shape.add(value));
        }
    }
}

/// The format's name for values with a tag.
fn word(tag: Tag) -> &'static str {
    match tag {
        Tag::Shared => "reference",
        tag => tag.name(),
    }
}

/// A name in quotes, or the hash if the name is unknown.
fn name(hash: u32, names: &Dictionary) -> String {
    match names.name(hash) {
        Some(name) => format!("\"{}\"", plain_bytes(name.as_bytes())),
        None => spelled(hash),
    }
}
