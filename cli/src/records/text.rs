//! Rows as lines of CSV or JSON, with all digits of numbers.

use std::fmt::Debug;
use std::io::{self, Write};

use arrow_array::cast::AsArray as _;
use arrow_array::types::{
    Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{ArrowError, DataType, Schema};
use fourfold_inspect::write::hex;
use fourfold_inspect::write::plain::{plain, quoted};

/// The format of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lines {
    /// Comma-separated cells, with the names of columns in the first line.
    Csv,
    /// A JSON object on each line.
    Json,
}

/// Rows as lines, one batch after another.
pub(crate) struct Writer<W> {
    out: W,
    lines: Lines,
    /// Whether control characters are escaped.
    is_terminal: bool,
    /// The names of columns as JSON.
    names: Vec<String>,
}

impl<W: Write> Writer<W> {
    pub(crate) fn new(
        mut out: W,
        lines: Lines,
        is_terminal: bool,
        columns: &Schema,
    ) -> io::Result<Self> {
        let names = || columns.fields().iter().map(|field| field.name().as_str());
        if lines == Lines::Csv {
            let mut line = Vec::new();
            for (at, name) in names().enumerate() {
                separate(at, &mut line);
                cell(&escaped(name, is_terminal), &mut line);
            }
            line.push(b'\n');
            out.write_all(&line)?;
        }
        Ok(Writer { out, lines, is_terminal, names: names().map(quoted).collect() })
    }

    /// Writes the rows of a batch.
    ///
    /// # Errors
    ///
    /// If a column is of an unsupported type, or the output fails.
    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        let mut lines = Vec::new();
        for row in 0..batch.num_rows() {
            match self.lines {
                Lines::Json => self.object(batch, row, &mut lines)?,
                Lines::Csv => self.cells(batch, row, &mut lines)?,
            }
            lines.push(b'\n');
            if lines.len() >= PIECE {
                self.out.write_all(&lines)?;
                lines.clear();
            }
        }
        self.out.write_all(&lines)?;
        Ok(())
    }

    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.out.flush()
    }

    fn object(&self, batch: &RecordBatch, row: usize, out: &mut Vec<u8>) -> Result<(), ArrowError> {
        out.push(b'{');
        for (at, (name, column)) in self.names.iter().zip(batch.columns()).enumerate() {
            separate(at, out);
            out.extend_from_slice(name.as_bytes());
            out.push(b':');
            json(column, row, out)?;
        }
        out.push(b'}');
        Ok(())
    }

    fn cells(&self, batch: &RecordBatch, row: usize, out: &mut Vec<u8>) -> Result<(), ArrowError> {
        let start = out.len();
        for (at, column) in batch.columns().iter().enumerate() {
            separate(at, out);
            if is_null(column, row) {
                continue;
            }
            if let Some(text) = text(column, row) {
                cell(&escaped(text, self.is_terminal), out);
                continue;
            }
            let mut bytes = Vec::new();
            json(column, row, &mut bytes)?;
            let text = String::from_utf8_lossy(&bytes);
            // A string is digits or a word here, which needs no quotes.
            let bare = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
            cell(bare.unwrap_or(&text), out);
        }
        if out.len() == start && !self.names.is_empty() {
            // Readers skip empty lines.
            out.extend_from_slice(b"\"\"");
        }
        Ok(())
    }
}

/// The most bytes in one write.
const PIECE: usize = 1 << 16;

fn escaped(text: &str, is_terminal: bool) -> std::borrow::Cow<'_, str> {
    if is_terminal { plain(text) } else { text.into() }
}

fn separate(at: usize, out: &mut Vec<u8>) {
    if at > 0 {
        out.push(b',');
    }
}

/// A CSV cell. An empty text is in quotes; an empty cell is null.
fn cell(text: &str, out: &mut Vec<u8>) {
    let is_plain = |text: &str| {
        !text.is_empty() && !text.contains(['"', ',', '\r', '\n']) && text.trim() == text
    };
    match is_plain(text) {
        true => out.extend_from_slice(text.as_bytes()),
        false => {
            out.push(b'"');
            out.extend_from_slice(text.replace('"', "\"\"").as_bytes());
            out.push(b'"');
        }
    }
}

fn is_null(array: &dyn Array, row: usize) -> bool {
    array.is_null(row) || array.data_type() == &DataType::Null
}

/// The text of a value, if it is a string.
fn text(array: &dyn Array, row: usize) -> Option<&str> {
    match array.data_type() {
        DataType::Utf8 => Some(array.as_string::<i32>().value(row)),
        DataType::Dictionary(key, _) if **key == DataType::Int32 => {
            let names = array.as_dictionary::<Int32Type>();
            text(names.values(), names.key(row)?)
        }
        _ => None,
    }
}

/// A value as JSON.
fn json(array: &dyn Array, row: usize, out: &mut Vec<u8>) -> Result<(), ArrowError> {
    if is_null(array, row) {
        out.extend_from_slice(b"null");
        return Ok(());
    }
    if let Some(text) = text(array, row) {
        out.extend_from_slice(quoted(text).as_bytes());
        return Ok(());
    }
    match array.data_type() {
        DataType::Boolean => number(array.as_boolean().value(row), out),
        DataType::Int8 => number(array.as_primitive::<Int8Type>().value(row), out),
        DataType::Int16 => number(array.as_primitive::<Int16Type>().value(row), out),
        DataType::Int32 => number(array.as_primitive::<Int32Type>().value(row), out),
        DataType::Int64 => number(array.as_primitive::<Int64Type>().value(row), out),
        DataType::UInt8 => number(array.as_primitive::<UInt8Type>().value(row), out),
        DataType::UInt16 => number(array.as_primitive::<UInt16Type>().value(row), out),
        DataType::UInt32 => number(array.as_primitive::<UInt32Type>().value(row), out),
        DataType::UInt64 => number(array.as_primitive::<UInt64Type>().value(row), out),
        DataType::Float32 => {
            let value = array.as_primitive::<Float32Type>().value(row);
            float(value.is_finite(), value, out)
        }
        DataType::Float64 => {
            let value = array.as_primitive::<Float64Type>().value(row);
            float(value.is_finite(), value, out)
        }
        // JSON readers would round a number of so many digits to a double.
        DataType::Decimal128(..) => {
            let digits = array.as_primitive::<Decimal128Type>().value_as_string(row);
            write!(out, "\"{digits}\"")
        }
        DataType::Binary => bytes(array.as_binary::<i32>().value(row), out),
        DataType::FixedSizeBinary(_) => bytes(array.as_fixed_size_binary().value(row), out),
        DataType::List(_) => return list(&array.as_list::<i32>().value(row), out),
        DataType::FixedSizeList(..) => {
            return list(&array.as_fixed_size_list().value(row), out);
        }
        DataType::Struct(fields) => {
            let columns = array.as_struct().columns();
            let names = fields.iter().map(|field| field.name().as_str());
            return object(names.zip(columns).map(|(name, column)| (name, column, row)), out);
        }
        DataType::Map(..) => {
            let entries = array.as_map().value(row);
            let [keys, values] = entries.columns() else { return Err(unsupported(array)) };
            let entry = |at| Some((text(keys, at)?, values, at));
            let entries: Option<Vec<_>> = (0..entries.len()).map(entry).collect();
            return object(entries.ok_or_else(|| unsupported(array))?, out);
        }
        _ => return Err(unsupported(array)),
    }?;
    Ok(())
}

fn unsupported(array: &dyn Array) -> ArrowError {
    let ty = array.data_type();
    ArrowError::NotYetImplemented(format!("CSV and JSON lines do not support columns of {ty}"))
}

/// Rust writes numbers as JSON does, floats as the shortest digits that are read back as the same bits.
fn number(value: impl Debug, out: &mut Vec<u8>) -> io::Result<()> {
    write!(out, "{value:?}")
}

/// NaN and infinities, which JSON does not have, are written as text.
fn float(is_finite: bool, value: impl Debug, out: &mut Vec<u8>) -> io::Result<()> {
    match is_finite {
        true => write!(out, "{value:?}"),
        false => write!(out, "\"{}\"", format!("{value:?}").to_lowercase()),
    }
}

fn bytes(bytes: &[u8], out: &mut Vec<u8>) -> io::Result<()> {
    write!(out, "\"0x{}\"", hex::digits(bytes))
}

fn list(items: &dyn Array, out: &mut Vec<u8>) -> Result<(), ArrowError> {
    out.push(b'[');
    for at in 0..items.len() {
        separate(at, out);
        json(items, at, out)?;
    }
    out.push(b']');
    Ok(())
}

fn object<'a>(
    fields: impl IntoIterator<Item = (&'a str, &'a (impl AsRef<dyn Array> + 'a), usize)>,
    out: &mut Vec<u8>,
) -> Result<(), ArrowError> {
    out.push(b'{');
    for (at, (name, values, row)) in fields.into_iter().enumerate() {
        separate(at, out);
        out.extend_from_slice(quoted(name).as_bytes());
        out.push(b':');
        json(values.as_ref(), row, out)?;
    }
    out.push(b'}');
    Ok(())
}
