//! primitiv: parameters, models and optimizers of the C++ library primitiv, in its own dialect of
//! MessagePack.
//!
#![doc = include_str!("guide.md")]

mod de;
mod document;
mod error;
pub mod mark;
mod options;
mod raw;
mod ser;
mod wire;
pub mod with;

use alloc::vec::Vec;

use serde_core::de::Deserialize;
use serde_core::ser::Serialize;

pub use self::de::Deserializer;
pub use self::document::{
    Algorithm, Config, Configs, Data, DataType, Entry, File, Key, Mismatch, Model, Name, Optimizer,
    OwnedDocument, Parameter, Settings, Shape, Statistic, Submodel, Tensor, Version,
};
pub use self::error::ErrorKind;
pub use self::options::Options;
pub use self::raw::{Lazy, List, OwnedRaw, Raw};
pub use self::ser::Serializer;
pub use self::wire::Width;
pub use crate::error::{Category, CommonKind, Path, Segment};
pub use crate::tensor::memory::Memory;
#[cfg(feature = "std")]
use crate::{io, limits};

/// What went wrong, at which byte, in which field.
pub type Error = crate::error::Error<ErrorKind>;

/// A result of this module.
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// Writes `value` in primitiv's dialect of MessagePack.
///
/// # Errors
///
/// Values that could not be read back equal, see the [module](self); errors that `T` itself returns.
///
/// # Examples
///
/// ```
/// use fourfold::primitiv::to_vec;
///
/// assert_eq!(to_vec("hi")?, [0xa2, b'h', b'i']);
/// # Ok::<(), fourfold::primitiv::Error>(())
/// ```
#[inline]
pub fn to_vec<T: ?Sized + Serialize>(value: &T) -> Result<Vec<u8>> {
    Options::new().to_vec(value)
}

/// Writes `value` in primitiv's dialect of MessagePack to `writer`.
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
/// use fourfold::primitiv::to_writer;
///
/// let mut bytes = Vec::new();
/// to_writer(&mut bytes, &[true, false])?;
/// assert_eq!(bytes, [0xc3, 0xc2]);
/// # Ok::<(), fourfold::primitiv::Error>(())
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
/// use fourfold::primitiv::from_slice;
///
/// // Borrows from the input.
/// let text: &str = from_slice(&[0xa2, b'h', b'i'])?;
/// assert_eq!(text, "hi");
/// # Ok::<(), fourfold::primitiv::Error>(())
/// ```
#[inline]
pub fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T> {
    Options::new().from_slice(bytes)
}

/// Reads a `T` from `reader` to its end.
///
/// Reads to the end first; the value is then read from memory.
///
/// Values are read from memory, since types may borrow from it. Of several values in one stream, write the length
/// before each, or read all of them with [`take_from_slice`].
///
/// # Errors
///
/// Those of [`from_slice`], `Io` if the reader fails, `InputLimit` if it has more than 1 GiB
/// (see [`Options::max_input`]).
///
/// # Examples
///
/// ```
/// use fourfold::primitiv::from_reader;
///
/// let file: &[u8] = &[0xa2, b'h', b'i'];
/// assert_eq!(from_reader::<_, String>(file)?, "hi");
/// # Ok::<(), fourfold::primitiv::Error>(())
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
/// use fourfold::primitiv::take_from_slice;
///
/// let (first, rest): (bool, _) = take_from_slice(&[0xc3, 0xc0])?;
/// assert!(first);
/// assert_eq!(rest, [0xc0]);
///
/// // Values that follow one another.
/// let (mut rest, mut words) = (&[0xa1, b'a', 0xa1, b'b'][..], Vec::new());
/// while !rest.is_empty() {
///     let word: &str;
///     (word, rest) = take_from_slice(rest)?;
///     words.push(word);
/// }
/// assert_eq!(words, ["a", "b"]);
/// # Ok::<(), fourfold::primitiv::Error>(())
/// ```
#[inline]
pub fn take_from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<(T, &'de [u8])> {
    Options::new().take_from_slice(bytes)
}

impl Options {
    /// Writes `value` in primitiv's dialect of MessagePack.
    ///
    /// # Errors
    ///
    /// Those of [`to_vec`](crate::primitiv::to_vec).
    #[inline]
    pub fn to_vec<T: ?Sized + Serialize>(&self, value: &T) -> Result<Vec<u8>> {
        ser::to_vec(self, value)
    }

    /// Writes `value` in primitiv's dialect of MessagePack to `writer`.
    ///
    /// # Errors
    ///
    /// Those of [`to_writer`](crate::primitiv::to_writer).
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
    /// Those of [`from_slice`](crate::primitiv::from_slice), as far as these options do not lift
    /// them.
    #[inline]
    pub fn from_slice<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T> {
        de::from_slice(self, bytes)
    }

    /// Reads a `T` from `reader` to its end.
    ///
    /// # Errors
    ///
    /// Those of [`from_reader`](crate::primitiv::from_reader), as far as these options do not lift
    /// them.
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
    /// Those of [`take_from_slice`](crate::primitiv::take_from_slice).
    #[inline]
    pub fn take_from_slice<'de, T: Deserialize<'de>>(
        &self,
        bytes: &'de [u8],
    ) -> Result<(T, &'de [u8])> {
        let (value, taken) = de::take(self, bytes)?;
        Ok((value, bytes.get(taken..).unwrap_or_default()))
    }
}
