//! What can be wrong with a model.

/// The result of this crate's functions.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The most bytes that readers of Protocol Buffers take.
pub(crate) const LIMIT: usize = 0x7fff_ffff;

/// What is wrong with a model.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The bytes are no messages of Protocol Buffers, or of another schema.
    #[error("not an ONNX model: {} at byte {offset}; export or copy the whole file again", Reason(.reason))]
    Decode {
        /// The field, if it is known, and what is wrong there.
        reason: String,
        /// The first byte of the field that cannot be read.
        offset: usize,
    },
    /// The bytes are messages, but not those of a model.
    #[error("not an ONNX model: there is no {missing}")]
    NoModel {
        /// The field that every model has.
        missing: &'static str,
    },
    /// Messages of Protocol Buffers are below 2 GiB.
    #[error(
        "the model has {bytes} bytes, and messages of Protocol Buffers have at most {}; move the weights to a file \
         beside it, by `Model::move_weights`",
        LIMIT
    )]
    TooLarge {
        /// The model's bytes, without files beside it.
        bytes: usize,
    },
    /// A tensor cannot be read.
    #[error("tensor {}: {problem}", Quoted(.name))]
    Tensor {
        /// The tensor's name.
        name: String,
        /// Why not.
        problem: Problem,
    },
}

/// Why a tensor cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// A type of elements that ONNX does not have.
    #[error("unknown type of elements {0}")]
    DataType(i32),
    /// Elements that are no numbers.
    #[error("elements are strings, which have no fixed size")]
    Strings,
    /// A size that no tensor has.
    #[error("shape {0:?} has a negative size, or more elements than memory")]
    Shape(Vec<i64>),
    /// Bytes that do not match the shape.
    #[error("there are {found} bytes of elements, the shape needs {needed}")]
    Bytes {
        /// The bytes that the model has.
        found: usize,
        /// The bytes that the shape needs.
        needed: usize,
    },
    /// Elements that do not match the shape.
    #[error("there are {found} elements, the shape needs {needed}")]
    Count {
        /// The elements that the model has.
        found: usize,
        /// The elements that the shape needs.
        needed: usize,
    },
    /// The elements are in another file, and there is no folder where it may be.
    #[error("elements are in the file {}; open the model by its path", Quoted(.0))]
    External(String),
    /// The elements are in a file that may be anywhere.
    #[error("elements are in the file {}, which is outside the model's folder; move it there", Quoted(.0))]
    Outside(String),
    /// The elements are in another file, which has no name.
    #[error("external data has no location; export the model again, with its weights")]
    NoLocation,
    /// The elements are in a folder or a device.
    #[error("elements are in {}, which is no file; move the file with the weights there", Quoted(.0))]
    NotFile(String),
    /// An entry of `external_data` that is no number.
    #[error("{key} of external data is {}, no number of bytes", Quoted(.value))]
    Entry {
        /// The entry's name.
        key: &'static str,
        /// Its value.
        value: String,
    },
    /// A `length` of `external_data` that does not match the shape.
    #[error("length of external data is {length}, the shape needs {needed} bytes")]
    Length {
        /// What the model says.
        length: u64,
        /// The bytes that the shape needs.
        needed: usize,
    },
    /// The other file ends before the elements do.
    #[error(
        "the file {} has {size} bytes, the elements are {needed} bytes from byte {offset} on; copy the whole file again",
        Quoted(.location)
    )]
    Short {
        /// Its path, from the model's folder.
        location: String,
        /// Its bytes.
        size: usize,
        /// Where the elements begin.
        offset: u64,
        /// The bytes that the shape needs.
        needed: usize,
    },
    /// The other file cannot be read.
    #[error("the file {} beside the model: {error}; copy the file with the weights there, under this name", Quoted(.location))]
    Io {
        /// Its path, from the model's folder.
        location: String,
        /// Why not.
        error: std::io::Error,
    },
}

/// The end of an error's text: before it are the messages around the place, which may be many.
struct Reason<'a>(&'a str);

impl std::fmt::Display for Reason<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const LONGEST: usize = 150;
        let cut = self.0.len().saturating_sub(LONGEST);
        match self.0.get(cut..).filter(|_| cut > 0) {
            Some(end) => write!(formatter, "...{end}"),
            None => formatter.write_str(self.0),
        }
    }
}

/// A name in quotes, with control characters escaped, cut if it is long.
pub(crate) struct Quoted<'a>(pub(crate) &'a str);

impl std::fmt::Display for Quoted<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const LONGEST: usize = 100;
        match self.0.char_indices().nth(LONGEST).and_then(|(at, _)| self.0.get(..at)) {
            Some(start) => write!(formatter, "{start:?}..."),
            None => write!(formatter, "{:?}", self.0),
        }
    }
}
