//! tsm: the modules of TenniS and TensorStack, and their layout for any Rust type.
//!
#![doc = include_str!("guide.md")]

mod bubble;
mod de;
mod document;
mod dtype;
mod error;
mod file;
mod header;
pub mod mark;
mod module;
mod node;
mod options;
mod packed;
mod ser;
mod tensor;
mod wire;
pub mod with;

use alloc::vec::Vec;

use serde_core::de::Deserialize;
use serde_core::ser::Serialize;

pub use self::bubble::{Bubble, Param};
pub use self::de::Deserializer;
pub use self::dtype::DType;
pub use self::error::ErrorKind;
pub use self::file::File;
pub use self::header::Header;
pub use self::module::{
    Diagnostic, DiagnosticKind, Entry, Module, ModuleBuilder, NodeBuilder, NodeId, Severity,
};
pub use self::node::{Graph, Node};
pub use self::options::Options;
pub use self::packed::{IntoPacked, PackedTensor};
pub use self::ser::Serializer;
pub use self::tensor::{Element, Prototype, Tensor};
pub use crate::error::{Category, CommonKind, Path, Segment};
pub use crate::tensor::memory::Memory;
#[cfg(feature = "std")]
use crate::{io, limits};

/// What went wrong, at which byte, in which field.
pub type Error = crate::error::Error<ErrorKind>;

/// A result of this module.
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// Writes `value` as tsm bytes.
///
/// # Errors
///
/// Values that could not be read back equal, see the [module](self); errors that `T` itself returns.
///
/// # Examples
///
/// ```
/// use fourfold::tsm::to_vec;
///
/// assert_eq!(to_vec("hi")?, [2, 0, 0, 0, b'h', b'i']);
/// # Ok::<(), fourfold::tsm::Error>(())
/// ```
#[inline]
pub fn to_vec<T: ?Sized + Serialize>(value: &T) -> Result<Vec<u8>> {
    Options::new().to_vec(value)
}

/// Writes `value` as tsm bytes to `writer`.
///
/// Small pieces are gathered, large ones go straight through; the whole is never in memory. After an
/// error, `writer` may hold the beginning of the value, and gets no more of it.
///
/// # Errors
///
/// Those of [`to_vec`], and `Io` if the writer fails.
///
/// # Examples
///
/// ```
/// use fourfold::tsm::to_writer;
///
/// let mut bytes = Vec::new();
/// to_writer(&mut bytes, &[1u16, 2])?;
/// assert_eq!(bytes, [1, 0, 2, 0]);
/// # Ok::<(), fourfold::tsm::Error>(())
/// ```
#[cfg(feature = "std")]
#[inline]
pub fn to_writer<W: io::Write, T: ?Sized + Serialize>(writer: W, value: &T) -> Result<()> {
    Options::new().to_writer(writer, value)
}

/// Reads a `T` from all of `bytes`.
///
/// # Errors
///
/// Every error of the bytes, with its offset and path; errors that `T` itself returns.
///
/// # Examples
///
/// ```
/// use fourfold::tsm::from_slice;
///
/// // Borrows from the input.
/// let text: &str = from_slice(&[2, 0, 0, 0, b'h', b'i'])?;
/// assert_eq!(text, "hi");
/// # Ok::<(), fourfold::tsm::Error>(())
/// ```
#[inline]
pub fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T> {
    Options::new().from_slice(bytes)
}

/// Reads a `T` from `reader` to its end.
///
/// Reads to the end first; the value is then read from memory. A value of tsm does not show where it ends: only its
/// type does, and types may borrow from memory. Of several values in one stream, write the length before each, or read
/// all of them with [`take_from_slice`].
///
/// # Errors
///
/// Those of [`from_slice`], `Io` if the reader fails, `InputLimit` if it has more than 1 GiB
/// (see [`Options::max_input`]).
///
/// # Examples
///
/// ```
/// use fourfold::tsm::from_reader;
///
/// let file: &[u8] = &[2, 0, 0, 0, b'h', b'i'];
/// assert_eq!(from_reader::<_, String>(file)?, "hi");
/// # Ok::<(), fourfold::tsm::Error>(())
/// ```
#[cfg(feature = "std")]
#[inline]
pub fn from_reader<R: io::Read, T: serde_core::de::DeserializeOwned>(reader: R) -> Result<T> {
    Options::new().from_reader(reader)
}

/// Reads a `T` from the start of `bytes`, and returns the rest.
///
/// # Errors
///
/// Those of [`from_slice`], but for trailing bytes.
///
/// # Examples
///
/// ```
/// use fourfold::tsm::take_from_slice;
///
/// let (first, rest): (u16, _) = take_from_slice(&[1, 0, 7])?;
/// assert_eq!(first, 1);
/// assert_eq!(rest, [7]);
///
/// // Values that follow one another.
/// let (mut rest, mut numbers) = (&[1, 0, 2, 0, 3, 0][..], Vec::new());
/// while !rest.is_empty() {
///     let number: u16;
///     (number, rest) = take_from_slice(rest)?;
///     numbers.push(number);
/// }
/// assert_eq!(numbers, [1, 2, 3]);
///
/// // With the length before each, a stream is read value by value.
/// use std::io::Read;
///
/// let mut stream: &[u8] = &[2, 7, 0, 2, 8, 0];
/// let (mut length, mut bytes) = ([0], Vec::new());
/// stream.read_exact(&mut length)?;
/// stream.by_ref().take(length[0].into()).read_to_end(&mut bytes)?;
/// assert_eq!(fourfold::tsm::from_slice::<u16>(&bytes)?, 7);
/// assert_eq!(stream, [2, 8, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub fn take_from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<(T, &'de [u8])> {
    Options::new().take_from_slice(bytes)
}

impl Options {
    /// Writes `value` as tsm bytes.
    ///
    /// # Errors
    ///
    /// Those of [`to_vec`](crate::tsm::to_vec).
    #[inline]
    pub fn to_vec<T: ?Sized + Serialize>(&self, value: &T) -> Result<Vec<u8>> {
        ser::to_vec(self, value)
    }

    /// Writes `value` as tsm bytes to `writer`.
    ///
    /// # Errors
    ///
    /// Those of [`to_writer`](crate::tsm::to_writer).
    #[cfg(feature = "std")]
    #[inline]
    pub fn to_writer<W: io::Write, T: ?Sized + Serialize>(
        &self,
        writer: W,
        value: &T,
    ) -> Result<()> {
        ser::to_writer(self, writer, value)
    }

    /// Reads a `T` from all of `bytes`.
    ///
    /// # Errors
    ///
    /// Those of [`from_slice`](crate::tsm::from_slice), unless these options allow them.
    #[inline]
    pub fn from_slice<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T> {
        de::from_slice(self, bytes)
    }

    /// Reads a `T` from `reader` to its end.
    ///
    /// # Errors
    ///
    /// Those of [`from_reader`](crate::tsm::from_reader), unless these options allow them.
    #[cfg(feature = "std")]
    #[inline]
    pub fn from_reader<R: io::Read, T: serde_core::de::DeserializeOwned>(
        &self,
        reader: R,
    ) -> Result<T> {
        let bytes = limits::read_to_end(reader, self.max_input)?;
        self.from_slice(&bytes)
    }

    /// Reads a `T` from the start of `bytes`, and returns the rest.
    ///
    /// # Errors
    ///
    /// Those of [`take_from_slice`](crate::tsm::take_from_slice).
    #[inline]
    pub fn take_from_slice<'de, T: Deserialize<'de>>(
        &self,
        bytes: &'de [u8],
    ) -> Result<(T, &'de [u8])> {
        let (value, taken) = de::take(self, bytes)?;
        Ok((value, bytes.get(taken..).unwrap_or_default()))
    }
}
