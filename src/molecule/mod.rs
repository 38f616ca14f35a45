//! Molecule.

mod de;
mod error;
mod mark;
mod options;
mod ser;
mod wire;
pub mod with;

use alloc::vec::Vec;

use serde_core::de::Deserialize;
use serde_core::ser::Serialize;

pub use self::de::Deserializer;
pub use self::error::ErrorKind;
pub use self::options::Options;
pub use self::ser::Serializer;
#[cfg(feature = "std")]
use crate::{error::Fault, io, limits};

/// What went wrong, at which byte, in which field.
pub type Error = crate::error::Error<ErrorKind>;

/// A result of this module.
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// Writes `value` as Molecule bytes.
#[inline]
pub fn to_vec<T: ?Sized + Serialize>(value: &T) -> Result<Vec<u8>> {
    Options::new().to_vec(value)
}

/// Writes `value` as Molecule bytes to `writer`.
#[cfg(feature = "std")]
#[inline]
pub fn to_writer<W: io::Write, T: ?Sized + Serialize>(writer: W, value: &T) -> Result<()> {
    Options::new().to_writer(writer, value)
}

/// Reads a `T` from all of `bytes`.
#[inline]
pub fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T> {
    Options::new().from_slice(bytes)
}

/// Reads a `T` from all that `reader` gives.
#[cfg(feature = "std")]
#[inline]
pub fn from_reader<R: io::Read, T: serde_core::de::DeserializeOwned>(reader: R) -> Result<T> {
    Options::new().from_reader(reader)
}

impl Options {
    /// Writes `value` as Molecule bytes.
    #[inline]
    pub fn to_vec<T: ?Sized + Serialize>(&self, value: &T) -> Result<Vec<u8>> {
        ser::to_vec(self, value)
    }

    /// Writes `value` as Molecule bytes to `writer`.
    #[cfg(feature = "std")]
    #[inline]
    pub fn to_writer<W: io::Write, T: ?Sized + Serialize>(
        &self,
        mut writer: W,
        value: &T,
    ) -> Result<()> {
        let bytes = self.to_vec(value)?;
        writer.write_all(&bytes).map_err(|error| Error::placeless(Fault::Io(error)))
    }

    /// Reads a `T` from all of `bytes`.
    #[inline]
    pub fn from_slice<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T> {
        de::from_slice(self, bytes)
    }

    /// Reads a `T` from all that `reader` gives.
    #[cfg(feature = "std")]
    #[inline]
    pub fn from_reader<R: io::Read, T: serde_core::de::DeserializeOwned>(
        &self,
        reader: R,
    ) -> Result<T> {
        let bytes = limits::read_to_end(reader, self.max_input)?;
        self.from_slice(&bytes)
    }
}
