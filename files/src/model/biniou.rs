//! biniou as JSON, both ways.

mod name;
mod read;
mod write;

use fourfold::biniou::{
    ChunkWriter, Dictionary, Error, File, Framing, Options, StreamDeserializer, Value,
};

pub use self::name::{of_hash as name_of, same_hash, spelled};
use super::{Fields, Node, Part, TYPE, VALUE, VALUES, Wrong, hex_of};
use crate::formats::About;
use crate::write::hex;

/// A stream of chunks.
pub const CHUNKS: &str = "chunks";
/// In a chunk, what are no values.
const BYTES: &str = "bytes";

/// A scalar whose tag is not what a JSON number stands for: where it stands alone, and as a list
/// for an ARRAY of such.
pub const NUMBERS: [&str; 6] = [INT8, INT16, INT32, INT64, UVINT, FLOAT32];
const INT8: &str = "$int8";
const INT16: &str = "$int16";
const INT32: &str = "$int32";
const INT64: &str = "$int64";
const UVINT: &str = "$uvint";
const FLOAT32: &str = "$float32";
/// A float64 that is not finite.
const FLOAT64: &str = "$float64";
pub const TUPLE: &str = "$tuple";
pub const RECORD: &str = "$record";
pub const TABLE: &str = "$table";
const VARIANT: &str = "$variant";
const NUM_VARIANT: &str = "$num_variant";
const SHARED: &str = "$shared";
const REFERENCE: &str = "$reference";
const OVERLONG: &str = "$overlong";

/// A value alone.
pub fn value(value: &Value, names: &Dictionary) -> Part<'static> {
    read::value(value, names)
}

/// What a file holds: a value, or several values, or chunks.
pub fn document(
    file: &File<'_>,
    about: &About<'_>,
    options: &Options,
) -> Result<Part<'static>, String> {
    let names = about.names;
    if file.framing() == Framing::Chunks {
        let chunks = file.chunks().map(|chunk| chunk_part(chunk, names, options));
        return Ok(Part::map([(CHUNKS, Part::List(chunks.collect()))]));
    }
    values_part(about.bytes, names, options)
}

/// The same of values that are shown one by one.
pub fn framed(
    framing: Framing,
    parts: impl Iterator<Item = Result<Part<'static>, String>>,
) -> Result<Part<'static>, String> {
    match framing {
        Framing::Values => Ok(one_or_more(parts.collect::<Result<_, _>>()?)),
        Framing::Chunks => {
            let chunk = |part: Result<_, _>| Ok(Part::map([(VALUE, part?)]));
            let chunks = parts.map(chunk).collect::<Result<_, String>>()?;
            Ok(Part::map([(CHUNKS, Part::List(chunks))]))
        }
    }
}

/// A value, or several one behind the other.
fn values_part(
    bytes: &[u8],
    names: &Dictionary,
    options: &Options,
) -> Result<Part<'static>, String> {
    let values = StreamDeserializer::<_, Value>::from_slice(bytes).with_options(options.clone());
    // Nothing is no value, which is an error of its own.
    let nothing = bytes.is_empty().then(|| options.from_slice(bytes));
    let parts = nothing.into_iter().chain(values).map(|value| Ok(read::value(&value?, names)));
    let parts = parts.collect::<Result<_, Error>>().map_err(|error| error.to_string())?;
    Ok(one_or_more(parts))
}

fn one_or_more(mut parts: Vec<Part<'static>>) -> Part<'static> {
    match parts.pop() {
        Some(only) if parts.is_empty() => Part::map([(VALUE, only)]),
        last => {
            parts.extend(last);
            Part::map([(VALUES, Part::List(parts))])
        }
    }
}

fn chunk_part(chunk: &[u8], names: &Dictionary, options: &Options) -> Part<'static> {
    let part = values_part(chunk, names, options);
    part.unwrap_or_else(|_| Part::map([(BYTES, Part::text(hex::digits(chunk)))]))
}

/// What makes the bytes of a value.
pub type Make<'m> = dyn Fn(&Node<'_>) -> Result<Vec<u8>, Wrong> + 'm;

/// The bytes of a file of values that need no schema.
pub fn untyped_bytes(
    fields: &Fields<'_>,
    whole: &Node<'_>,
    options: &Options,
) -> Result<Vec<u8>, Wrong> {
    if let Some(name) = fields.get(TYPE) {
        let text = "this is the JSON of a type of a schema: give that with `--schema`";
        return Err(name.wrong(text));
    }
    bytes(fields, whole, &|value| value_bytes(value, options))
}

/// The bytes of a file whose values `make` makes.
pub fn bytes(fields: &Fields<'_>, whole: &Node<'_>, make: &Make<'_>) -> Result<Vec<u8>, Wrong> {
    if let Some(chunks) = fields.get(CHUNKS) {
        let mut stream = ChunkWriter::new(Vec::new());
        chunks.each(&mut |chunk| {
            let fields = chunk.fields()?;
            let bytes = match fields.get(BYTES) {
                Some(digits) => hex_of(&digits)?,
                None => bytes_of_values(&fields, chunk, make)?,
            };
            fields.finish()?;
            stream.write_chunk(&bytes).map_err(|error| chunk.wrong(error.to_string()))
        })?;
        return stream.finish().map_err(|error| chunks.wrong(error.to_string()));
    }
    bytes_of_values(fields, whole, make)
}

fn bytes_of_values(
    fields: &Fields<'_>,
    whole: &Node<'_>,
    make: &Make<'_>,
) -> Result<Vec<u8>, Wrong> {
    if let Some(value) = fields.get(VALUE) {
        return make(&value);
    }
    let Some(values) = fields.get(VALUES) else {
        return Err(whole.wrong("there is neither \"value\" nor \"values\" nor \"chunks\""));
    };
    let mut bytes = Vec::new();
    values.each(&mut |value| {
        bytes.extend(make(value)?);
        Ok(())
    })?;
    match bytes.is_empty() {
        true => Err(values.wrong("without values there is no file of biniou")),
        false => Ok(bytes),
    }
}

/// The bytes of a value whose JSON needs no schema.
fn value_bytes(node: &Node<'_>, options: &Options) -> Result<Vec<u8>, Wrong> {
    let value = write::value(node)?;
    options.to_vec(&value).map_err(|error| node.wrong(error.to_string()))
}
