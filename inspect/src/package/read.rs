//! Reads packages.

use std::borrow::Cow;
use std::collections::HashSet;

use fourfold::{CommonKind, Reader, Segment};

use super::error::{Error, ErrorKind};
use super::{DEEPEST, MARK, Value, tag};

/// The bytes of the shortest value: a tag and one byte.
const LEAST_VALUE: usize = 2;

/// The bytes of the shortest entry of a dict: the length of its key, and its value.
const LEAST_ENTRY: usize = 4 + LEAST_VALUE;

/// Reads a package to its last byte.
///
/// # Errors
///
/// What is wrong with the bytes.
pub fn read(bytes: &[u8]) -> Result<Value<'_>, Error> {
    let mut reader = Reader::new(bytes, 0);
    match reader.take_array()? {
        MARK => {}
        found => return Err(Error::at(ErrorKind::Mark { found }, 0)),
    }
    let value = value(&mut reader, 0)?;
    reader.finish()?;
    Ok(value)
}

fn value<'a>(reader: &mut Reader<'a>, depth: u16) -> Result<Value<'a>, Error> {
    let at = reader.offset();
    let [tag] = reader.take_array()?;
    Ok(match tag {
        tag::NIL => match reader.take_array()? {
            [0] => Value::Nil,
            [found] => return Err(Error::at(ErrorKind::Nil { found }, at + 1)),
        },
        tag::INT => Value::Int(i32::from_le_bytes(reader.take_array()?)),
        tag::FLOAT => Value::Float(f32::from_le_bytes(reader.take_array()?)),
        tag::STRING => Value::String(Cow::Borrowed(sized(reader)?)),
        tag::BINARY => Value::Binary(Cow::Borrowed(sized(reader)?)),
        tag::LIST | tag::DICT if depth == DEEPEST => {
            return Err(Error::at(CommonKind::DepthLimit { limit: DEEPEST }, at));
        }
        tag::LIST => list(reader, depth + 1)?,
        tag::DICT => dict(reader, depth + 1)?,
        tag::BOOLEAN => match reader.take_array()? {
            [0] => Value::Bool(false),
            [1] => Value::Bool(true),
            [found] => return Err(Error::at(ErrorKind::Bool { found }, at + 1)),
        },
        found => return Err(Error::at(ErrorKind::Tag { found }, at)),
    })
}

fn list<'a>(reader: &mut Reader<'a>, depth: u16) -> Result<Value<'a>, Error> {
    let mut items = Vec::new();
    for index in 0..count(reader, LEAST_VALUE)? {
        let item = value(reader, depth);
        items.push(item.map_err(|error| error.inside(Segment::Index(index)))?);
    }
    Ok(Value::List(items))
}

fn dict<'a>(reader: &mut Reader<'a>, depth: u16) -> Result<Value<'a>, Error> {
    let (mut entries, mut keys) = (Vec::new(), HashSet::new());
    for _ in 0..count(reader, LEAST_ENTRY)? {
        let at = reader.offset();
        let key = std::str::from_utf8(sized(reader)?).map_err(|_| Error::at(ErrorKind::Key, at))?;
        let inside = |error: Error| error.inside(Segment::named(key));
        if !keys.insert(key) {
            return Err(inside(Error::at(ErrorKind::DuplicateKey, at)));
        }
        entries.push((Cow::Borrowed(key), value(reader, depth).map_err(inside)?));
    }
    Ok(Value::Dict(entries))
}

/// Bytes after their length.
fn sized<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], Error> {
    let len = length(reader)?;
    reader.take(len)
}

/// The number of items, of which each has at least that many bytes.
fn count(reader: &mut Reader<'_>, least: usize) -> Result<usize, Error> {
    let at = reader.offset();
    let (claimed, left) = (length(reader)?, reader.left());
    let needed = claimed.saturating_mul(least);
    match needed > left {
        true => Err(Error::at(ErrorKind::Count { claimed, needed, left }, at)),
        false => Ok(claimed),
    }
}

fn length(reader: &mut Reader<'_>) -> Result<usize, Error> {
    let at = reader.offset();
    let found = i32::from_le_bytes(reader.take_array()?);
    usize::try_from(found).map_err(|_| Error::at(ErrorKind::Negative { found }, at))
}
