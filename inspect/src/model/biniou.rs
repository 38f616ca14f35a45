//! biniou as JSON, in both directions.

mod name;
mod read;
mod typed;
mod write;

use fourfold::biniou::{ChunkWriter, Dictionary, Error, File, Framing, Node, Options};

pub use self::name::{of_hash as name_of, same_hash, spelled};
pub use self::read::{ChunkList, Nodes};
pub use self::typed::{
    Values as TypedValues, check as check_typed, document as typed, part as typed_part,
};
use super::{Fields, Items, Node as Json, Part, TYPE, VALUE, VALUES, Wrong, hex_of};
use crate::failure::describe;
use crate::write::hex;
use crate::write::report::About;

/// A stream of chunks.
pub const CHUNKS: &str = "chunks";
/// The bytes of a chunk that are not values.
const BYTES: &str = "bytes";

/// Scalars whose tag is not that of a plain JSON number: for a single value, and as a list for an ARRAY of them.
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

/// A single value or a part of one.
pub fn part<'a>(node: &Node<'a>, names: &'a Dictionary) -> Part<'a> {
    read::node(node, names)
}

/// The content of a file: a value, several values, or chunks.
pub fn document<'a>(
    file: &File<'a>,
    about: &About<'a>,
    options: &'a Options,
) -> Result<Part<'a>, String> {
    let names = about.names;
    if file.framing() == Framing::Chunks {
        let (chunks, count) = (file.chunks(), file.chunks().count());
        let chunks = Items::Chunks(ChunkList { chunks, count, names, options });
        return Ok(Part::map([(CHUNKS, Part::Items(chunks))]));
    }
    values_part(about.bytes, names, options).map_err(|error| describe(&error))
}

/// A value, or several concatenated ones.
fn values_part<'a>(
    bytes: &'a [u8],
    names: &'a Dictionary,
    options: &Options,
) -> Result<Part<'a>, Error> {
    let values = options.outline(bytes)?.values();
    let mut first = values.iter();
    Ok(match (first.next(), values.len()) {
        (Some(only), 1) => Part::map([(VALUE, read::node(&only, names))]),
        _ => Part::map([(VALUES, read::nodes(values, names))]),
    })
}

fn chunk_part<'a>(chunk: &'a [u8], names: &'a Dictionary, options: &Options) -> Part<'a> {
    let part = values_part(chunk, names, options);
    part.unwrap_or_else(|_| Part::map([(BYTES, Part::text(hex::digits(chunk)))]))
}

/// Encodes a value.
pub type Make<'m> = dyn Fn(&Json<'_>) -> Result<Vec<u8>, Wrong> + 'm;

/// The bytes of a file of values that need no schema.
pub fn untyped_bytes(
    fields: &Fields<'_>,
    whole: &Json<'_>,
    options: &Options,
) -> Result<Vec<u8>, Wrong> {
    if let Some(name) = fields.get(TYPE) {
        let wrong = name.wrong("this is the JSON of a schema type");
        return Err(wrong.with_hint("pass the schema with `--schema`"));
    }
    bytes(fields, whole, &|value| value_bytes(value, options))
}

/// The bytes of a file whose values are encoded with `make`.
pub fn bytes(fields: &Fields<'_>, whole: &Json<'_>, make: &Make<'_>) -> Result<Vec<u8>, Wrong> {
    if let Some(chunks) = fields.get(CHUNKS) {
        let mut stream = ChunkWriter::new(Vec::new());
        chunks.each(&mut |chunk| {
            let fields = chunk.fields()?;
            let bytes = match fields.get(BYTES) {
                Some(digits) => hex_of(&digits)?,
                None => bytes_of_values(&fields, chunk, make)?,
            };
            fields.finish()?;
            stream.write_chunk(&bytes).map_err(|error| chunk.wrong(describe(&error)))
        })?;
        return stream.finish().map_err(|error| chunks.wrong(describe(&error)));
    }
    bytes_of_values(fields, whole, make)
}

fn bytes_of_values(
    fields: &Fields<'_>,
    whole: &Json<'_>,
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
        true => Err(values.wrong("a biniou file has at least one value")),
        false => Ok(bytes),
    }
}

/// The bytes of a value whose JSON needs no schema.
fn value_bytes(node: &Json<'_>, options: &Options) -> Result<Vec<u8>, Wrong> {
    let value = write::value(node)?;
    options.to_vec(&value).map_err(|error| node.wrong(describe(&error)))
}
