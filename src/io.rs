//! `std::io`, or with `alloc` alone the little of it that writing into memory needs.

#[cfg(feature = "std")]
pub(crate) use std::io::{Error, ErrorKind, Read, Write};

#[cfg(not(feature = "std"))]
pub(crate) use without_std::{Error, Write};

#[cfg(not(feature = "std"))]
#[allow(unreachable_pub, reason = "public formats have these in their signatures")]
mod without_std {
    use alloc::vec::Vec;
    use core::fmt;

    /// Never made: writing into memory does not fail.
    #[derive(Debug)]
    pub enum Error {}

    impl fmt::Display for Error {
        fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
            match *self {}
        }
    }

    /// What a serializer writes to: without `std`, a `Vec<u8>` or a `&mut Vec<u8>`.
    pub trait Write {
        /// Appends all of `bytes`.
        ///
        /// # Errors
        ///
        /// None without `std`.
        fn write_all(&mut self, bytes: &[u8]) -> Result<(), Error>;
    }

    impl Write for Vec<u8> {
        fn write_all(&mut self, bytes: &[u8]) -> Result<(), Error> {
            self.extend_from_slice(bytes);
            Ok(())
        }
    }

    impl<W: Write + ?Sized> Write for &mut W {
        fn write_all(&mut self, bytes: &[u8]) -> Result<(), Error> {
            (**self).write_all(bytes)
        }
    }
}
