//! Summary of a package: a row for each value.

use std::fmt;

use fourfold::tsm::{self, File, Module};
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
        value.each(&mut Vec::new(), &mut |path, value| report.add(path, value));
        report
    }

    fn add(&mut self, path: &[Segment], value: &Value<'_>) {
        if let Value::Binary(bytes) = value {
            self.binaries.count += 1;
            self.binaries.bytes += number(bytes.len());
        }
        self.count += 1;
        if self.values.len() < MOST {
            self.values.push(Row::of(spelled(path), value));
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
    match module(bytes) {
        None => String::new(),
        Some(Ok(module)) => format!("tsm module of {}", counted(module.graph.nodes.len(), "node")),
        Some(Err(error)) => damaged(&error),
    }
}

/// The module that a binary is, or what is wrong with it.
fn module(bytes: &[u8]) -> Option<Result<Module<'_>, tsm::Error>> {
    File::is_module(bytes).then(|| Module::from_slice(bytes))
}

fn damaged(error: &tsm::Error) -> String {
    format!("damaged tsm module: {}", describe(error))
}

fn spelled(path: &[Segment]) -> String {
    path.iter().cloned().collect::<Path>().to_string()
}

/// The modules of a package that cannot be read: their paths and errors.
pub fn damaged_modules(value: &Value<'_>) -> Vec<String> {
    let mut found = Vec::new();
    value.each(&mut Vec::new(), &mut |path, value| {
        if let Value::Binary(bytes) = value {
            if let Some(Err(error)) = module(bytes) {
                found.push(format!("{}: {}", spelled(path), damaged(&error)));
            }
        }
    });
    found
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
