//! Reports a Molecule file with a schema: the number of values of each type, and their size in bytes.

use std::collections::HashMap;
use std::{fmt, iter};

use fourfold_schema::mol::{List, Parts, Shape, Type, Value};
use serde::Serialize;

use crate::write::count::{counted_in_groups, grouped, number};
use crate::write::listing::named;
use crate::write::report::About;
use crate::write::table::{Side, Table};

#[derive(Debug, Serialize)]
pub(super) struct TypedReport<'a> {
    file: String,
    format: &'static str,
    bytes: u64,
    #[serde(rename = "type")]
    ty: &'a str,
    /// Number of records, if the file holds records.
    #[serde(skip_serializing_if = "Option::is_none")]
    records: Option<u64>,
    /// In the order of their first occurrence.
    types: Vec<TypeTotals<'a>>,
}

/// All values of one type.
#[derive(Debug, Serialize)]
struct TypeTotals<'a> {
    #[serde(rename = "type")]
    ty: &'a str,
    shape: &'static str,
    values: u64,
    bytes: u64,
    /// For options, the number of those with a value; for vectors, the total number of items.
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<u64>,
}

impl<'a> TypedReport<'a> {
    pub(super) fn of(value: Value<'a>, about: &About<'_>) -> Self {
        Self::of_all(value.ty().name(), None, iter::once(value), about)
    }

    /// The report of a file of records.
    pub(super) fn of_records(
        ty: &'a str,
        count: usize,
        records: impl Iterator<Item = Value<'a>>,
        about: &About<'_>,
    ) -> Self {
        Self::of_all(ty, Some(number(count)), records, about)
    }

    fn of_all(
        ty: &'a str,
        records: Option<u64>,
        values: impl Iterator<Item = Value<'a>>,
        about: &About<'_>,
    ) -> Self {
        let mut sum = Sum::default();
        values.for_each(|value| sum.value(value));
        TypedReport {
            file: about.name.to_owned(),
            format: "molecule",
            bytes: number(about.bytes.len()),
            ty,
            records,
            types: sum.types,
        }
    }
}

#[derive(Default)]
struct Sum<'a> {
    types: Vec<TypeTotals<'a>>,
    places: HashMap<&'a str, usize>,
}

impl<'a> Sum<'a> {
    fn add(&mut self, ty: Type<'a>, values: usize, bytes: usize, items: Option<usize>) {
        let place = *self.places.entry(ty.name()).or_insert_with(|| {
            let (ty, shape) = (ty.name(), word(ty.shape()));
            self.types.push(TypeTotals { ty, shape, values: 0, bytes: 0, items: None });
            self.types.len() - 1
        });
        if let Some(totals) = self.types.get_mut(place) {
            totals.values = totals.values.saturating_add(number(values));
            totals.bytes = totals.bytes.saturating_add(number(bytes));
            if let Some(items) = items {
                totals.items = Some(totals.items.unwrap_or(0).saturating_add(number(items)));
            }
        }
    }

    /// Adds a value and its nested values. Single bytes are not counted.
    fn value(&mut self, value: Value<'a>) {
        let (ty, bytes) = (value.ty(), value.bytes().len());
        if ty.size().is_some() {
            return self.fixed(ty, 1);
        }
        match value.parts() {
            Parts::Bytes(items) => self.add(ty, 1, bytes, Some(items.len())),
            Parts::List(list) => {
                self.add(ty, 1, bytes, Some(list.len()));
                self.list(list, ty);
            }
            Parts::Option(inner) => {
                self.add(ty, 1, bytes, Some(usize::from(inner.is_some())));
                if let Some(inner) = inner {
                    self.value(inner);
                }
            }
            Parts::Record(record) => {
                self.add(ty, 1, bytes, None);
                record.iter().for_each(|(_, value)| self.value(value));
            }
            Parts::Union(_, inner) => {
                self.add(ty, 1, bytes, None);
                self.value(inner);
            }
            _ => self.add(ty, 1, bytes, None),
        }
    }

    fn list(&mut self, list: List<'a>, ty: Type<'a>) {
        match ty.shape() {
            Shape::FixVec(item) => self.fixed(item, list.len()),
            _ => list.iter().for_each(|value| self.value(value)),
        }
    }

    /// Adds values of a fixed-size type without reading them.
    fn fixed(&mut self, ty: Type<'a>, values: usize) {
        let size = ty.size().unwrap_or_default().saturating_mul(values);
        if size == 0 || ty.shape() == Shape::Byte {
            return;
        }
        self.add(ty, values, size, None);
        match ty.shape() {
            Shape::Array(item, count) => self.fixed(item, values.saturating_mul(count)),
            Shape::Struct(fields) => fields.iter().for_each(|field| self.fixed(field.ty(), values)),
            _ => {}
        }
    }
}

const fn word(shape: Shape<'_>) -> &'static str {
    match shape {
        Shape::Byte => "byte",
        Shape::Array(..) => "array",
        Shape::Struct(_) => "struct",
        Shape::FixVec(_) => "fixvec",
        Shape::DynVec(_) => "dynvec",
        Shape::Table(_) => "table",
        Shape::Option(_) => "option",
        Shape::Union(_) => "union",
        _ => "type",
    }
}

impl fmt::Display for TypedReport<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.records {
            None => format!("Molecule, {}", self.ty),
            Some(count) => {
                format!("Molecule, {} of {}", counted_in_groups(count, "record"), self.ty)
            }
        };
        writeln!(f, "{}\n", named(&self.file, what, self.bytes))?;
        let mut table = Table::new([Side::Left, Side::Left, Side::Right, Side::Right, Side::Left]);
        for TypeTotals { ty, shape, values, bytes, items } in &self.types {
            let items = match (items, *shape) {
                (None, _) => String::new(),
                (Some(items), "option") => format!("{} with a value", grouped(*items)),
                (Some(items), _) => counted_in_groups(*items, "item"),
            };
            table.row([
                (*ty).to_owned(),
                (*shape).to_owned(),
                counted_in_groups(*values, "value"),
                counted_in_groups(*bytes, "byte"),
                items,
            ]);
        }
        table.fmt(f)
    }
}
