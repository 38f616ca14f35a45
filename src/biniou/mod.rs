//! biniou: the binary format of OCaml programs that use atdgen.
//!
#![doc = include_str!("guide.md")]

mod budget;
mod de;
mod definitions;
mod dictionary;
mod error;
mod file;
pub mod mark;
mod names;
mod options;
mod raw;
#[cfg(feature = "std")]
mod scan;
mod ser;
pub mod skip;
#[cfg(feature = "std")]
mod stream;
mod value;
mod values;
pub mod wire;
pub mod with;

use alloc::vec::Vec;

use serde_core::de::Deserialize;
use serde_core::ser::Serialize;

use self::budget::Budget;
pub use self::de::Deserializer;
pub use self::dictionary::Dictionary;
pub use self::error::ErrorKind;
#[cfg(feature = "rayon")]
pub use self::file::ParFileValues;
pub use self::file::{Chunks, File, FileValues, Framing};
pub use self::options::Options;
pub use self::raw::{Lazy, List, OwnedRaw, Raw};
pub use self::ser::Serializer;
#[cfg(feature = "std")]
pub use self::stream::{ChunkReader, ChunkWriter};
pub use self::value::{Node, NodeFields, NodeList, NodeParts, Outline, Table, Value};
pub use self::values::StreamDeserializer;
pub use self::wire::{ChunkStart, Tag, hash};
#[cfg(feature = "std")]
pub use crate::buffered::Buffered;
pub use crate::error::{Category, CommonKind, Path, Segment};
pub use crate::path::PathError;
#[cfg(feature = "std")]
use crate::{io, limits};

/// What went wrong, at which byte, in which field.
pub type Error = crate::error::Error<ErrorKind>;

/// A result of this module.
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// Writes `value` as biniou bytes.
///
/// # Errors
///
/// Values that could not be read back equal, see the [module](self); errors that `T` itself returns.
///
/// # Examples
///
/// ```
/// use fourfold::biniou::to_vec;
///
/// assert_eq!(to_vec("hi")?, [18, 2, b'h', b'i']);
/// # Ok::<(), fourfold::biniou::Error>(())
/// ```
#[inline]
pub fn to_vec<T: ?Sized + Serialize>(value: &T) -> Result<Vec<u8>> {
    Options::new().to_vec(value)
}

/// Writes `value` as biniou bytes to `writer`.
///
/// The value is built in memory and written at once. If it is refused, nothing is written to `writer`.
///
/// # Errors
///
/// Those of [`to_vec`], and `Io` if the writer fails.
///
/// # Examples
///
/// ```
/// use fourfold::biniou::to_writer;
///
/// let mut bytes = Vec::new();
/// to_writer(&mut bytes, &[true, false])?;
/// assert_eq!(bytes, [20, 2, 0, 1, 0, 0]);
/// # Ok::<(), fourfold::biniou::Error>(())
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
/// use fourfold::biniou::from_slice;
///
/// // Borrows from the input.
/// let text: &str = from_slice(&[18, 2, b'h', b'i'])?;
/// assert_eq!(text, "hi");
/// # Ok::<(), fourfold::biniou::Error>(())
/// ```
#[inline]
pub fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T> {
    Options::new().from_slice(bytes)
}

/// Reads a `T` from `reader` to its end.
///
/// Reads to the end first; the value is then read from memory.
///
/// # Errors
///
/// Those of [`from_slice`], `Io` if the reader fails, `InputLimit` if it has more than 1 GiB
/// (see [`Options::max_input`]).
///
/// # Examples
///
/// ```
/// use fourfold::biniou::from_reader;
///
/// let file: &[u8] = &[18, 2, b'h', b'i'];
/// assert_eq!(from_reader::<_, String>(file)?, "hi");
/// # Ok::<(), fourfold::biniou::Error>(())
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
/// use fourfold::biniou::take_from_slice;
///
/// let (first, rest): (bool, _) = take_from_slice(&[0, 1, 16, 7])?;
/// assert!(first);
/// assert_eq!(rest, [16, 7]);
/// # Ok::<(), fourfold::biniou::Error>(())
/// ```
#[inline]
pub fn take_from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<(T, &'de [u8])> {
    Options::new().take_from_slice(bytes)
}

/// The tree of nodes that `value` is written as.
///
/// # Errors
///
/// Those of [`to_vec`].
///
/// # Examples
///
/// ```
/// use fourfold::biniou::{Value, to_value};
///
/// assert_eq!(to_value(&(1u8, "x"))?, Value::Tuple(vec![Value::Uvint(1), Value::String(b"x".into())]));
/// # Ok::<(), fourfold::biniou::Error>(())
/// ```
pub fn to_value<T: ?Sized + Serialize>(value: &T) -> Result<Value> {
    from_slice(&to_vec(value)?)
}

/// Reads a `T` from a tree of nodes.
///
/// # Errors
///
/// Those of [`from_slice`]; offsets are those in the encoding of the tree.
///
/// # Examples
///
/// ```
/// use fourfold::biniou::{Value, from_value};
///
/// assert_eq!(from_value::<i32>(Value::Svint(-5))?, -5);
/// # Ok::<(), fourfold::biniou::Error>(())
/// ```
pub fn from_value<T: serde_core::de::DeserializeOwned>(
    value: impl core::borrow::Borrow<Value>,
) -> Result<T> {
    from_slice(&to_vec(value.borrow())?)
}

/// Reads the value at `path` in `bytes`, and skips what is before it.
///
/// Names select fields (or `#` and the eight digits of a hash), numbers select items, cells and rows; columns of a row
/// have names. Options, variants and shared values are no steps of a path, and a reference is followed to its target.
/// The value is read as [`from_slice`] reads it in the whole message, without allocating on the way. Of equal fields
/// the last one counts, so each record on the path is skipped to its end; otherwise nothing after the value is read. A
/// field that does not exist is `None` for an option.
///
/// # Errors
///
/// Those of [`from_slice`] for the value, with its offsets in the whole message; `NoItem`, `AbsentValue`,
/// `MissingCells`, `MissingField` and `WrongTag` if nothing is at the path. Skipped values are checked as far as needed
/// to find their ends: in an ARRAY or TABLE on the path, items and rows of one width, such as bools, units and int8,
/// are not checked. They have no names, so paths of their errors lead to what is around them.
///
/// # Examples
///
/// ```
/// use fourfold::biniou::{Path, at, to_vec};
/// use serde::Serialize;
///
/// #[derive(Serialize)]
/// struct Item { slot: u8, name: &'static str }
///
/// #[derive(Serialize)]
/// struct Save { score: i64, inventory: Vec<Item> }
///
/// let inventory = vec![Item { slot: 1, name: "lamp" }, Item { slot: 4, name: "rope" }];
/// let bytes = to_vec(&Save { score: 70, inventory })?;
/// assert_eq!(at::<&str>(&bytes, &Path::new("inventory[1].name").unwrap())?, "rope");
///
/// let error = at::<&str>(&bytes, &Path::new("inventory[2].name").unwrap()).unwrap_err();
/// let text = "item 2 does not exist: there are 2, counted from 0 in inventory at byte 14";
/// assert_eq!(error.to_string(), text);
/// # Ok::<(), fourfold::biniou::Error>(())
/// ```
#[inline]
pub fn at<'de, T: Deserialize<'de>>(bytes: &'de [u8], path: &Path) -> Result<T> {
    Options::new().at(bytes, path)
}

impl Options {
    /// Writes `value` as biniou bytes.
    ///
    /// # Errors
    ///
    /// Those of [`to_vec`](crate::biniou::to_vec).
    #[inline]
    pub fn to_vec<T: ?Sized + Serialize>(&self, value: &T) -> Result<Vec<u8>> {
        ser::to_vec(self, value)
    }

    /// Writes `value` as biniou bytes to `writer`.
    ///
    /// # Errors
    ///
    /// Those of [`to_writer`](crate::biniou::to_writer).
    #[cfg(feature = "std")]
    #[inline]
    pub fn to_writer<W: io::Write, T: ?Sized + Serialize>(
        &self,
        mut writer: W,
        value: &T,
    ) -> Result<()> {
        let bytes = self.to_vec(value)?;
        writer.write_all(&bytes).map_err(|error| Error::placeless(CommonKind::Io(error)))
    }

    /// Reads a `T` from all of `bytes`.
    ///
    /// # Errors
    ///
    /// Those of [`from_slice`](crate::biniou::from_slice), as far as these options do not lift
    /// them.
    #[inline]
    pub fn from_slice<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T> {
        de::from_slice(self, bytes)
    }

    /// Reads a `T` from `reader` to its end.
    ///
    /// # Errors
    ///
    /// Those of [`from_reader`](crate::biniou::from_reader), as far as these options do not lift
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
    /// Those of [`take_from_slice`](crate::biniou::take_from_slice).
    #[inline]
    pub fn take_from_slice<'de, T: Deserialize<'de>>(
        &self,
        bytes: &'de [u8],
    ) -> Result<(T, &'de [u8])> {
        let (value, taken) = de::take(self, bytes, 0, &mut Budget::new())?;
        Ok((value, bytes.get(taken..).unwrap_or_default()))
    }

    /// Reads the value at `path` in `bytes`, and skips what is before it.
    ///
    /// # Errors
    ///
    /// Those of [`at`](crate::biniou::at()).
    #[inline]
    pub fn at<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8], path: &Path) -> Result<T> {
        de::at(self, bytes, path)
    }
}
