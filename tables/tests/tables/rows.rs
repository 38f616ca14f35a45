//! Record batches as JSON, row by row, and bytes encoded from such JSON. A struct is an object, a list an array, a
//! map an array of entries, bytes are text of the form `0x00ff`, a null is null.

use std::io::Read;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{
    Decimal128Type, Float32Type, Float64Type, Int16Type, Int32Type, Int64Type, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{ArrowError, DataType};
use fourfold_tables::{Reader, Schema, Table};
use serde_json::{Map, Value, json};

/// The rows of a reader, and the error that ended it.
#[derive(Debug, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) rows: Vec<Value>,
    /// The number of rows of each batch.
    pub(crate) batches: Vec<usize>,
    pub(crate) error: Option<String>,
}

/// Reads everything from a reader.
pub(crate) fn outcome(reader: &mut Reader<'_>) -> Outcome {
    let mut outcome = Outcome { rows: Vec::new(), batches: Vec::new(), error: None };
    while let Some(batch) = reader.next() {
        match batch {
            Ok(batch) => {
                outcome.rows.extend(rows_of(&batch));
                outcome.batches.push(batch.num_rows());
            }
            Err(error) => {
                outcome.error = Some(text_of(&error));
                assert!(reader.next().is_none(), "an error ends the reader");
            }
        }
    }
    outcome
}

/// Reads everything with a table.
pub(crate) fn read(table: &Table<'_>, reader: impl Read + Send) -> Outcome {
    outcome(&mut table.read(reader))
}

/// The rows of valid bytes.
pub(crate) fn rows(table: &Table<'_>, bytes: &[u8]) -> Vec<Value> {
    let Outcome { rows, error, .. } = read(table, bytes);
    assert_eq!(error, None, "{bytes:?}");
    rows
}

/// Encodes a JSON value.
pub(crate) fn made(schema: &Schema, json: &Value, name: &str) -> Vec<u8> {
    let text = json.to_string();
    let mut json = serde_json::Deserializer::from_str(&text);
    match schema {
        Schema::Biniou(schema) => schema.make(&mut json, name),
        Schema::Molecule(schema) => schema.make(&mut json, name),
        other => panic!("{other:?}"),
    }
    .unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// An error's own text, without Arrow's prefix.
fn text_of(error: &ArrowError) -> String {
    match error {
        ArrowError::ExternalError(error) => error.to_string(),
        error => error.to_string(),
    }
}

/// The rows of a batch.
pub(crate) fn rows_of(batch: &RecordBatch) -> Vec<Value> {
    let schema = batch.schema();
    let row = |row| {
        let cells = schema.fields().iter().zip(batch.columns());
        Value::Object(
            cells.map(|(field, cells)| (field.name().clone(), value(cells, row))).collect(),
        )
    };
    (0..batch.num_rows()).map(row).collect()
}

/// Bytes as text.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from(b"0123456789abcdef"[usize::from(nibble)]);
    let digits = bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]);
    "0x".chars().chain(digits).collect()
}

/// The value at that index.
fn value(array: &dyn Array, row: usize) -> Value {
    let all = |items: &dyn Array| (0..items.len()).map(|row| value(items, row)).collect();
    if array.is_null(row) {
        return Value::Null;
    }
    match array.data_type() {
        DataType::Null => Value::Null,
        DataType::Boolean => json!(array.as_boolean().value(row)),
        DataType::UInt8 => json!(array.as_primitive::<UInt8Type>().value(row)),
        DataType::UInt16 => json!(array.as_primitive::<UInt16Type>().value(row)),
        DataType::UInt32 => json!(array.as_primitive::<UInt32Type>().value(row)),
        DataType::UInt64 => json!(array.as_primitive::<UInt64Type>().value(row)),
        DataType::Int16 => json!(array.as_primitive::<Int16Type>().value(row)),
        DataType::Int32 => json!(array.as_primitive::<Int32Type>().value(row)),
        DataType::Int64 => json!(array.as_primitive::<Int64Type>().value(row)),
        DataType::Float32 => json!(f64::from(array.as_primitive::<Float32Type>().value(row))),
        DataType::Float64 => json!(array.as_primitive::<Float64Type>().value(row)),
        DataType::Decimal128(..) => {
            json!(array.as_primitive::<Decimal128Type>().value(row).to_string())
        }
        DataType::Utf8 => json!(array.as_string::<i32>().value(row)),
        DataType::Binary => json!(hex(array.as_binary::<i32>().value(row))),
        DataType::FixedSizeBinary(_) => json!(hex(array.as_fixed_size_binary().value(row))),
        DataType::List(_) => all(&array.as_list::<i32>().value(row)),
        DataType::FixedSizeList(..) => all(&array.as_fixed_size_list().value(row)),
        DataType::Map(..) => all(&array.as_map().value(row)),
        DataType::Dictionary(..) => {
            let names = array.as_dictionary::<Int32Type>();
            let key = usize::try_from(names.keys().value(row)).unwrap();
            value(names.values(), key)
        }
        DataType::Struct(fields) => {
            let cells = fields.iter().zip(array.as_struct().columns());
            let cells = cells.map(|(field, cells)| (field.name().clone(), value(cells, row)));
            Value::Object(cells.collect())
        }
        DataType::Union(fields, _) => {
            let union = array.as_union();
            let id = union.type_id(row);
            let (_, field) = fields.iter().find(|(other, _)| *other == id).unwrap();
            let inner = value(union.child(id), union.value_offset(row));
            Value::Object(Map::from_iter([(field.name().clone(), inner)]))
        }
        other => panic!("no column has the type {other}"),
    }
}
