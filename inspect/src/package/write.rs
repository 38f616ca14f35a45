//! Writes packages.

use std::io::{self, Write};

use super::{MARK, Value, tag};

/// Writes a package, its keys in their order.
///
/// # Errors
///
/// Those of `out`, and lengths beyond an int32.
pub fn write(value: &Value<'_>, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(&MARK)?;
    put(value, out)
}

fn put(value: &Value<'_>, out: &mut dyn Write) -> io::Result<()> {
    match value {
        Value::Nil => out.write_all(&[tag::NIL, 0]),
        Value::Int(number) => {
            out.write_all(&[tag::INT])?;
            out.write_all(&number.to_le_bytes())
        }
        Value::Float(number) => {
            out.write_all(&[tag::FLOAT])?;
            out.write_all(&number.to_le_bytes())
        }
        Value::String(bytes) => {
            out.write_all(&[tag::STRING])?;
            sized(bytes, out)
        }
        Value::Binary(bytes) => {
            out.write_all(&[tag::BINARY])?;
            sized(bytes, out)
        }
        Value::List(items) => {
            out.write_all(&[tag::LIST])?;
            length(items.len(), out)?;
            items.iter().try_for_each(|item| put(item, out))
        }
        Value::Dict(entries) => {
            out.write_all(&[tag::DICT])?;
            length(entries.len(), out)?;
            entries.iter().try_for_each(|(key, value)| {
                sized(key.as_bytes(), out)?;
                put(value, out)
            })
        }
        Value::Bool(value) => out.write_all(&[tag::BOOLEAN, u8::from(*value)]),
    }
}

fn sized(bytes: &[u8], out: &mut dyn Write) -> io::Result<()> {
    length(bytes.len(), out)?;
    out.write_all(bytes)
}

fn length(len: usize, out: &mut dyn Write) -> io::Result<()> {
    let len = i32::try_from(len);
    let len = len.map_err(|_| {
        io::Error::other("a package has at most 2147483647 bytes or items in a value")
    })?;
    out.write_all(&len.to_le_bytes())
}
