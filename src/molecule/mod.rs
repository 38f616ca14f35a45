//! Molecule: the canonical binary format of Nervos CKB.
//!
#![doc = include_str!("guide.md")]

mod at;
mod de;
mod error;
pub mod mark;
mod options;
mod raw;
mod records;
pub mod route;
mod ser;
pub mod small;
pub mod wire;
pub mod with;

use alloc::vec::Vec;

use serde_core::de::Deserialize;
use serde_core::ser::Serialize;

pub use self::de::Deserializer;
pub use self::error::ErrorKind;
pub use self::options::Options;
pub use self::raw::{Lazy, List, OwnedRaw, Raw};
#[cfg(feature = "rayon")]
pub use self::records::ParRecords;
#[cfg(feature = "std")]
pub use self::records::RecordWriter;
pub use self::records::{Frames, Records, WithPlaces, count_records};
pub use self::ser::Serializer;
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

/// Writes `value` as Molecule bytes.
///
/// # Errors
///
/// Values that could not be read back equal, see the [module](self); errors that `T` itself returns.
///
/// # Examples
///
/// ```
/// use fourfold::molecule::to_vec;
///
/// assert_eq!(to_vec("molecule")?[..5], [8, 0, 0, 0, b'm']);
/// # Ok::<(), fourfold::molecule::Error>(())
/// ```
#[inline]
pub fn to_vec<T: ?Sized + Serialize>(value: &T) -> Result<Vec<u8>> {
    Options::new().to_vec(value)
}

/// Writes `value` as Molecule bytes to `writer`.
///
/// The message is built in memory and written at once. If a value is refused, nothing is written to `writer`.
///
/// # Errors
///
/// Those of [`to_vec`], and `Io` if the writer fails.
///
/// # Examples
///
/// ```
/// use fourfold::molecule::to_writer;
///
/// let mut bytes = Vec::new();
/// to_writer(&mut bytes, &[1u16, 2])?;
/// assert_eq!(bytes, [1, 0, 2, 0]);
/// # Ok::<(), fourfold::molecule::Error>(())
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
/// use fourfold::molecule::from_slice;
///
/// // Borrows from the input.
/// let text: &str = from_slice(&[2, 0, 0, 0, b'h', b'i'])?;
/// assert_eq!(text, "hi");
/// # Ok::<(), fourfold::molecule::Error>(())
/// ```
#[inline]
pub fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T> {
    // Not made for each call.
    const DEFAULTS: &Options = &Options::new();
    DEFAULTS.from_slice(bytes)
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
/// use fourfold::molecule::from_reader;
///
/// let file: &[u8] = &[2, 0, 0, 0, b'h', b'i'];
/// assert_eq!(from_reader::<_, String>(file)?, "hi");
/// # Ok::<(), fourfold::molecule::Error>(())
/// ```
#[cfg(feature = "std")]
#[inline]
pub fn from_reader<R: io::Read, T: serde_core::de::DeserializeOwned>(reader: R) -> Result<T> {
    Options::new().from_reader(reader)
}

/// Reads the value at `path` in `bytes`, without reading the rest.
///
/// Allocates nothing on the way, and reads the last item of many as fast as the first: of each table and vector
/// on the path, it checks the full size, the first offset and the two offsets of the next value. The value is
/// read as [`from_slice`] reads a message: `max_depth` counts from there.
///
/// Bytes have no names. An unresolved path finds fields by their numbers (`.0`) and items of vectors (`[500]`), but
/// nothing inside structs, arrays and unions: such a path of numbers may find what looks like a table or vector by
/// chance. A path with names, or into structs, arrays and unions, must be resolved: `fourfold-schema`
/// does so with a Rust type (`mol::path_of`) or a schema (`mol::Schema::path`); see [`route`]. Options and the items of unions are not steps of a path.
///
/// # Errors
///
/// Those of [`from_slice`] for the value, with the same offsets and paths as in the whole message; those of the
/// headers on the path, with their offsets; `NoItem`, `AbsentValue` or `OtherItem` if nothing is at the path, `UnresolvedName`
/// for a name.
///
/// # Examples
///
/// ```
/// use fourfold::molecule::{Path, at, to_vec};
///
/// let entries = vec![("one", 1u32), ("two", 2)];
/// let bytes = to_vec(&(7u8, entries))?;
/// let path = Path::new("1[1].0").unwrap();
/// assert_eq!(at::<&str>(&bytes, &path)?, "two");
///
/// let error = at::<&str>(&bytes, &Path::new("1[2].0").unwrap()).unwrap_err();
/// let text = "field or item 2 does not exist: there are 2, counted from 0 in 1 at byte 17";
/// assert_eq!(error.to_string(), text);
/// # Ok::<(), fourfold::molecule::Error>(())
/// ```
#[inline]
pub fn at<'de, T: Deserialize<'de>>(bytes: &'de [u8], path: &Path) -> Result<T> {
    const DEFAULTS: &Options = &Options::new();
    DEFAULTS.at(bytes, path)
}

impl Options {
    /// Writes `value` as Molecule bytes.
    ///
    /// # Errors
    ///
    /// Those of [`to_vec`](crate::molecule::to_vec), and under `strict` those of missing marks.
    #[inline]
    pub fn to_vec<T: ?Sized + Serialize>(&self, value: &T) -> Result<Vec<u8>> {
        ser::to_vec(self, value)
    }

    /// Writes `value` as Molecule bytes to `writer`.
    ///
    /// # Errors
    ///
    /// Those of [`to_writer`](crate::molecule::to_writer), and under `strict` those of missing marks.
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
    /// Those of [`from_slice`](crate::molecule::from_slice), unless these options allow them.
    #[inline]
    pub fn from_slice<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T> {
        de::from_slice(self, bytes)
    }

    /// Reads a `T` from `reader` to its end.
    ///
    /// # Errors
    ///
    /// Those of [`from_reader`](crate::molecule::from_reader), unless these options allow them.
    #[cfg(feature = "std")]
    #[inline]
    pub fn from_reader<R: io::Read, T: serde_core::de::DeserializeOwned>(
        &self,
        reader: R,
    ) -> Result<T> {
        let bytes = limits::read_to_end(reader, self.max_input)?;
        self.from_slice(&bytes)
    }

    /// Reads the value at `path` in `bytes`, without reading the rest.
    ///
    /// Of these options, `compatible` and `allow_trailing` also count on the way.
    ///
    /// # Errors
    ///
    /// Those of [`at`](crate::molecule::at()), unless these options allow them.
    #[inline]
    pub fn at<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8], path: &Path) -> Result<T> {
        at::at(self, bytes, path)
    }
}
