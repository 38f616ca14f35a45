//! biniou as JSON, both ways.

mod name;
mod read;
mod write;

use fourfold::biniou::{
    self, ChunkReader, ChunkWriter, Dictionary, Error, StreamDeserializer, Value,
};

pub(crate) use self::name::same_hash;
use super::{Fields, Node, Part, Wrong, hex, hex_of};

/// One value.
const VALUE: &str = "value";
/// Values one behind the other.
const VALUES: &str = "values";
/// A stream of chunks.
pub(super) const CHUNKS: &str = "chunks";
/// In a chunk, what are no values.
const BYTES: &str = "bytes";

/// A scalar whose tag is not what a JSON number stands for: where it stands alone, and as a list
/// for an ARRAY of such.
const NUMBERS: [&str; 6] = [INT8, INT16, INT32, INT64, UVINT, FLOAT32];
const INT8: &str = "$int8";
const INT16: &str = "$int16";
const INT32: &str = "$int32";
const INT64: &str = "$int64";
const UVINT: &str = "$uvint";
const FLOAT32: &str = "$float32";
/// A float64 that is not finite.
const FLOAT64: &str = "$float64";
const TUPLE: &str = "$tuple";
const RECORD: &str = "$record";
const TABLE: &str = "$table";
const VARIANT: &str = "$variant";
const NUM_VARIANT: &str = "$num_variant";
const SHARED: &str = "$shared";
const REFERENCE: &str = "$reference";
const OVERLONG: &str = "$overlong";

/// What a file holds: a value, or chunks, or several values.
pub(crate) fn document(bytes: &[u8], names: &Dictionary) -> Result<Part<'static>, Error> {
    let first = match biniou::from_slice::<Value>(bytes) {
        Ok(value) => return Ok(Part::map([(VALUE, read::value(&value, names))])),
        Err(error) => error,
    };
    // No value begins as a stream of chunks does and goes on like one, and only a stream ends like
    // one.
    if let Some(chunks) = chunks(bytes) {
        let chunks = chunks.iter().map(|chunk| chunk_part(chunk, names)).collect();
        return Ok(Part::map([(CHUNKS, Part::List(chunks))]));
    }
    match values(bytes) {
        Ok(values) if !values.is_empty() => {
            let values = values.iter().map(|value| read::value(value, names)).collect();
            Ok(Part::map([(VALUES, Part::List(values))]))
        }
        // What is wrong with the second value says more than that there is one.
        Err((several, error)) if several => Err(error),
        _ => Err(first),
    }
}

/// All values, or the error behind the last and whether there is one before it.
fn values(bytes: &[u8]) -> Result<Vec<Value>, (bool, Error)> {
    let mut values = Vec::new();
    for value in StreamDeserializer::from_slice(bytes) {
        match value {
            Ok(value) => values.push(value),
            Err(error) => return Err((!values.is_empty(), error)),
        }
    }
    Ok(values)
}

/// The chunks, if the bytes are chunks to their end.
fn chunks(bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut reader = ChunkReader::new(bytes);
    let chunks = reader.by_ref().collect::<Result<Vec<_>, _>>().ok()?;
    reader.into_inner().is_empty().then_some(chunks)
}

fn chunk_part(chunk: &[u8], names: &Dictionary) -> Part<'static> {
    match values(chunk).as_deref() {
        Ok([value]) => Part::map([(VALUE, read::value(value, names))]),
        Ok(values) if !values.is_empty() => {
            let values = values.iter().map(|value| read::value(value, names)).collect();
            Part::map([(VALUES, Part::List(values))])
        }
        _ => Part::map([(BYTES, Part::text(hex::digits(chunk)))]),
    }
}

/// The bytes of a file.
pub(crate) fn bytes(fields: &Fields<'_>, whole: &Node<'_>) -> Result<Vec<u8>, Wrong> {
    if let Some(chunks) = fields.get(CHUNKS) {
        let mut stream = ChunkWriter::new(Vec::new());
        chunks.each(&mut |chunk| {
            let fields = chunk.fields()?;
            let bytes = match fields.get(BYTES) {
                Some(digits) => hex_of(&digits)?,
                None => value_bytes(&fields, chunk)?,
            };
            fields.finish()?;
            stream.write_chunk(&bytes).map_err(|error| chunk.wrong(error.to_string()))
        })?;
        return stream.finish().map_err(|error| chunks.wrong(error.to_string()));
    }
    value_bytes(fields, whole)
}

fn value_bytes(fields: &Fields<'_>, whole: &Node<'_>) -> Result<Vec<u8>, Wrong> {
    if let Some(value) = fields.get(VALUE) {
        return bytes_of_value(&value);
    }
    let Some(values) = fields.get(VALUES) else {
        return Err(whole.wrong("there is neither \"value\" nor \"values\" nor \"chunks\""));
    };
    let mut bytes = Vec::new();
    values.each(&mut |value| {
        bytes.extend(bytes_of_value(value)?);
        Ok(())
    })?;
    match bytes.is_empty() {
        true => Err(values.wrong("without values there is no file of biniou")),
        false => Ok(bytes),
    }
}

fn bytes_of_value(node: &Node<'_>) -> Result<Vec<u8>, Wrong> {
    let value = write::value(node)?;
    biniou::to_vec(&value).map_err(|error| node.wrong(error.to_string()))
}
