//! What the library's strict readers say about the bytes of a file. Knows no other evidence.

use std::fmt::Display;

use fourfold::{biniou, primitiv, tsm};

use super::Format;

/// The code of a module, which stands behind the first four bytes.
const CODE_OFFSET: usize = 4;

/// What a strict reader says.
#[derive(Debug)]
pub(crate) enum Reading {
    /// It reads to the last byte.
    Good {
        /// As what: `module of 12 nodes`.
        what: String,
        /// What the reader accepts, and whoever made the file may not have meant.
        suspicions: Vec<String>,
    },
    /// It refuses the bytes, and says why.
    Bad(String),
    /// There are no types inside, so nothing can be refused.
    Untyped,
}

impl Reading {
    fn good(what: impl Display) -> Self {
        Reading::Good { what: what.to_string(), suspicions: Vec::new() }
    }
}

/// Reads the bytes as a file of the format.
pub(crate) fn read(format: Format, bytes: &[u8]) -> Reading {
    match format {
        Format::Molecule => Reading::Untyped,
        Format::Biniou => read_biniou(bytes),
        Format::Tsm => read_tsm(bytes),
        Format::Primitiv => match primitiv::File::from_slice(bytes) {
            Ok(file) => Reading::good(content(&file.data)),
            Err(error) => Reading::Bad(error.to_string()),
        },
    }
}

/// Whether the code of a TenniS module stands where it belongs.
pub(crate) fn is_module(bytes: &[u8]) -> bool {
    bytes.get(CODE_OFFSET..).and_then(<[u8]>::first_chunk).copied().map(u32::from_le_bytes)
        == Some(tsm::Header::CODE)
}

/// `1 node`, `2 nodes`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    }
}

/// Values one behind the other, or a stream of chunks.
fn read_biniou(bytes: &[u8]) -> Reading {
    let mut count = 0;
    let mut refused = None;
    for value in biniou::StreamDeserializer::<_, biniou::Value>::from_slice(bytes) {
        match value {
            Ok(_) => count += 1,
            Err(error) => refused = Some(error),
        }
    }
    if let Some(error) = refused {
        return match chunks(bytes) {
            Some(chunks) => Reading::good(format_args!("stream of {}", counted(chunks, "chunk"))),
            None if count == 0 => Reading::Bad(error.to_string()),
            None => Reading::Bad(format!("{error}, behind {}", counted(count, "value"))),
        };
    }
    match count {
        0 => match biniou::from_slice::<biniou::Value>(bytes) {
            Ok(_) => Reading::good("1 value"),
            Err(error) => Reading::Bad(error.to_string()),
        },
        _ => Reading::good(counted(count, "value")),
    }
}

/// How many chunks there are, if the bytes are a whole stream of chunks with a value in each.
fn chunks(bytes: &[u8]) -> Option<usize> {
    let mut rest = bytes;
    let mut count = 0;
    for chunk in biniou::ChunkReader::new(&mut rest) {
        biniou::from_slice::<biniou::Value>(&chunk.ok()?).ok()?;
        count += 1;
    }
    rest.is_empty().then_some(count)
}

/// Whether the bytes are a stream of chunks, and not values one behind the other.
pub(crate) fn is_chunks(bytes: &[u8]) -> bool {
    let mut values = biniou::StreamDeserializer::<_, biniou::Value>::from_slice(bytes);
    chunks(bytes).is_some() && values.any(|value| value.is_err())
}

/// A module, or a packed tensor that stands alone.
fn read_tsm(bytes: &[u8]) -> Reading {
    let module = match tsm::Module::from_slice(bytes) {
        Ok(module) => {
            let what = format!("module of {}", counted(module.graph.nodes.len(), "node"));
            let suspicions = module.check().iter().map(ToString::to_string).collect();
            return Reading::Good { what, suspicions };
        }
        Err(error) if is_module(bytes) => return Reading::Bad(error.to_string()),
        Err(error) => error,
    };
    match tsm::PackedTensor::from_slice(bytes) {
        Ok(packed) => {
            let fields = counted(packed.fields.len(), "field");
            Reading::good(format_args!("packed tensor of {fields}"))
        }
        Err(tensor) => {
            Reading::Bad(format!("neither a module ({module}) nor a packed tensor ({tensor})"))
        }
    }
}

fn content(data: &primitiv::Data<'_>) -> String {
    match data {
        primitiv::Data::Shape(shape) => format!("shape {:?}", shape.dims()),
        primitiv::Data::Tensor(tensor) => format!("tensor {:?}", tensor.shape().dims()),
        primitiv::Data::Parameter(parameter) => {
            format!("parameter {:?}", parameter.value().shape().dims())
        }
        primitiv::Data::Model(model) => {
            format!("model of {}", counted(model.len(), "parameter"))
        }
        primitiv::Data::Optimizer(_) => "optimizer".into(),
    }
}
