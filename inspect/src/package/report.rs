//! Summary of a package: a row for each value.

use std::fmt;

use fourfold::tsm::{File, Module};
use fourfold::{Path, Segment};
use serde::Serialize;

use super::{NAME, Value};
use crate::failure::describe;
use crate::hints::hints;
use crate::write::count::{counted, counted_in_groups, number};
use crate::write::listing::named;
use crate::write::plain::{plain, plain_bytes};
use crate::write::report::About;
use crate::write::table::{Side, Table};
use crate::write::width::head;

/// How many columns of a text are shown. JSON has all of it.
const TEXT: usize = 80;

/// How many columns of a key are in a path.
const KEY: usize = 100;

/// How many values are listed.
const MOST: usize = 1000;

#[derive(Debug, Serialize)]
pub struct PackageReport {
    file: String,
    format: &'static str,
    bytes: u64,
    binaries: Binaries,
    /// The number of values without others in them.
    count: u64,
    /// The first of them.
    values: Vec<Row>,
}

#[derive(Debug, Default, Serialize)]
struct Binaries {
    count: u64,
    bytes: u64,
}

/// A value without others in it.
#[derive(Debug, Serialize)]
struct Row {
    path: String,
    #[serde(rename = "type")]
    ty: &'static str,
    /// The value, or what a binary contains if it is a module.
    value: String,
    /// The size of a binary.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
}

impl PackageReport {
    pub fn of(value: &Value<'_>, about: &About<'_>) -> Self {
        let mut report = PackageReport {
            file: about.name.to_owned(),
            format: NAME,
            bytes: number(about.bytes.len()),
            binaries: Binaries::default(),
            count: 0,
            values: Vec::new(),
        };
        report.add(value, &mut Vec::new());
        report
    }

    fn add(&mut self, value: &Value<'_>, path: &mut Vec<Segment>) {
        let mut inside = |segment, value| {
            path.push(segment);
            self.add(value, path);
            path.pop();
        };
        match value {
            Value::List(items) if !items.is_empty() => {
                let items = items.iter().enumerate();
                return items.for_each(|(index, item)| inside(Segment::Index(index), item));
            }
            Value::Dict(entries) if !entries.is_empty() => {
                let entries = entries.iter();
                return entries
                    .for_each(|(key, value)| inside(Segment::named(&head(key, KEY)), value));
            }
            Value::Binary(bytes) => {
                self.binaries.count += 1;
                self.binaries.bytes += number(bytes.len());
            }
            _ => {}
        }
        self.count += 1;
        if self.values.len() < MOST {
            let path = path.iter().cloned().collect::<Path>();
            self.values.push(Row::of(path.to_string(), value));
        }
    }
}

impl Row {
    fn of(path: String, value: &Value<'_>) -> Self {
        let (text, bytes) = match value {
            Value::List(_) | Value::Dict(_) => ("empty".into(), None),
            Value::Nil => (String::new(), None),
            Value::Int(number) => (number.to_string(), None),
            Value::Float(number) => (format!("{number:?}"), None),
            Value::Bool(value) => (value.to_string(), None),
            Value::String(text) => (plain_bytes(text), None),
            Value::Binary(bytes) => (content(bytes), Some(number(bytes.len()))),
        };
        Row { path, ty: value.type_name(), value: text, bytes }
    }
}

/// What a binary contains, if it is a module.
fn content(bytes: &[u8]) -> String {
    if !File::is_module(bytes) {
        return String::new();
    }
    match Module::from_slice(bytes) {
        Ok(module) => format!("tsm module of {}", counted(module.graph.nodes.len(), "node")),
        Err(error) => format!("damaged tsm module: {}", describe(&error)),
    }
}

impl fmt::Display for PackageReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n", named(&self.file, self.format, self.bytes))?;
        let mut table = Table::new([Side::Left, Side::Left, Side::Left]);
        for row in &self.values {
            let value = match row.bytes {
                Some(bytes) if row.value.is_empty() => counted_in_groups(bytes, "byte"),
                Some(bytes) => format!("{}: {}", counted_in_groups(bytes, "byte"), row.value),
                None => head(&row.value, TEXT).into_owned(),
            };
            table.row([plain(&row.path).into_owned(), row.ty.to_owned(), value]);
        }
        table.fmt(f)?;
        let left_out = self.count.saturating_sub(number(self.values.len()));
        if left_out > 0 {
            writeln!(f, "  and {}", counted_in_groups(left_out, "more value"))?;
        }
        if self.binaries.count == 0 {
            return Ok(());
        }
        let Binaries { count, bytes } = self.binaries;
        let (count, bytes) =
            (counted_in_groups(count, "binary value"), counted_in_groups(bytes, "byte"));
        write!(f, "\n{count}, {bytes}")?;
        match hints().is_command {
            true => writeln!(f, "; `fourfold convert MODEL.sta MODEL.json` extracts them"),
            false => writeln!(f),
        }
    }
}
